# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:chooseembedding."""

from __future__ import annotations

import numpy as np

from ...compat import make_field
from ...core.attacks.linkage.evidence import by_all_methods
from ...core.attacks.maps.embedding_risk import EmbeddingRisk
from ...core.attacks.maps.embedding_verdict import evidence
from ...core.distances import choice, grid_search
from ...core.verdict import judge, not_tested
from .. import literature, verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog import parameters
from ..dialog.declaration import Field, Value, private, reports
from ..families.linkage.adversary import ADVERSARY
from ..families.release_task import refuse_unless_matrix_fits
from ..i18n import mark, tr
from ..layers import planes
from ..layers.areas import outside_sentence, study_area
from ..layers.labels import labels_of
from ..reports import chooseembedding as reporting
from ..reports.common import Context
from ..reports.distances import not_attacked
from ..running import Result, sampled

GRID, HALVING = "grid", "halving"
#: Records for which a map is drawn in every embedding: half a second each.
_DRAWN = 500


class ChooseEmbeddingAlgorithm(GeoAnonAlgorithm):
    """Try parameters of the embedding: what is kept, and who is found."""

    NAME = "chooseembedding"
    DISPLAY_NAME = mark("Choose embedding parameters")
    GROUP = "releasedistances"
    TAGS = mark(
        "privacy, geomask, distance matrix, risk, utility, risk-utility map, Pareto, Lipschitz, "
        "parameters"
    )
    SHORT_DESCRIPTION = mark(
        "Tries numbers and sizes of reference sets on your own points and recommends some under a "
        "stated limit."
    )
    HELP = Help(
        what=mark(
            "For each number of reference sets (d) and size of a set (k) the points are embedded "
            "again and again, and it is measured what the embedding keeps. With quasi-identifiers "
            "each embedding is also attacked: up to 500 of the records are released, an adversary "
            "knows as many, and a tenth of them are in both files.\n\n"
            "With attacks the recommended row is the most useful one of those in which their "
            "precision stays at or below a limit: of the papers' clique and of the near group, "
            "which every embedding meets, and then of the attack by likelihood, which takes longer "
            "and meets the rows that would be recommended, until one holds. Without, "
            "it is the one with the strongest blur of those that keep a share of the nearest "
            "neighbours, which says nothing about the risk. Where no row qualifies, it is said "
            "plainly."
        ),
        when=mark("Before “Lipschitz embedding release”, to choose its SETS and SIZE."),
        cautions=(
            mark(
                "What is safe here is safe against these attacks by an adversary who knows a tenth "
                "of the released records. One who knows more finds more: attack the release "
                "itself, too, with a file like the one he may have (geoanon:linkageattack)."
            ),
            mark(
                "With sex and age mostly no row qualifies: distances of neighbours, which an "
                "embedding keeps, give people away. The report says which row comes nearest."
            ),
            mark(
                "A sample is sparser than all records, and keeps other shares of neighbours: use "
                "as many records as will be released where you can."
            ),
        ),
        sources=(literature.KROLL_SCHNELL,),
    )
    REQUIRES = ("scipy",)

    OUTPUTS = (
        private(
            "OUTPUT",
            mark("Parameters tried"),
            mark("Table with one row for each combination."),
            "table",
            [
                Field("sets", "int"),
                Field("size", "int"),
                Field("repeats", "int"),
                Field("pareto", "int", mark("1 if no other row beats it")),
                Field("recommended", "int", mark("1 for the row to take")),
            ],
            mark(
                "Besides, the mean and the standard error (_se) of each measure: nearest_kept and "
                "neighbours_kept (share of the nearest, of the ten nearest, that are right), "
                "spearman, median_ratio, sd_ratio, bias, deviation_variance and utility (1 / "
                "variance of released − true), blur (spread of a released distance over "
                "embeddings, as a share of it), map_error (how far a map drawn from the release "
                "lies off; 1: no better than one point), and with attacks precision and recall (of "
                "the one that did better), clique, near_group (matches), clique_recall, "
                "near_recall, proven; where the attack by likelihood was run, likelihood_precision "
                "and likelihood_recall."
            ),
            optional=False,
        ),
        *reports(mark("Table, charts and the Pareto picture.")),
        Value(
            "BEST_SETS",
            mark("Recommended number of sets"),
            mark("The recommended d; 0 where none qualifies."),
        ),
        Value(
            "BEST_SIZE",
            mark("Recommended size"),
            mark("The recommended k; 0 where none qualifies."),
        ),
        Value("QUALIFYING", mark("Rows that meet the limit")),
        *verdicts.OUTPUTS,
    )

    STEPS = {"read": 2, "try": 58, "confirm": 37, "write": 3}

    def inputs(self):
        """Return what is read."""
        return [
            parameters.points(
                "INPUT",
                tr("Points"),
                tr("The points to be released, in any coordinate reference system."),
            ),
            parameters.fields(
                "QIS",
                tr("Quasi-identifiers"),
                tr(
                    "Attributes that the release will have and that an adversary may know, such as "
                    "age and sex. Leave empty to leave the attack out."
                ),
                "INPUT",
            ),
            parameters.numbers(
                "SETS",
                tr("Numbers of reference sets (d) to try"),
                tr("Numbers parted by commas."),
                "10, 20, 60, 100",
                1,
                whole=True,
            ),
            parameters.numbers(
                "SIZE",
                tr("Sizes of reference sets (k) to try"),
                tr("Numbers parted by commas."),
                "2, 5, 10, 20, 30",
                1,
                whole=True,
            ),
            parameters.integer(
                "REPEATS",
                tr("Repetitions"),
                tr(
                    "Embeddings of each combination; with halving, of each that is left at the end."
                ),
                10,
                2,
                10_000,
            ),
            parameters.choice(
                "SEARCH",
                tr("Search"),
                tr(
                    "grid: all combinations get all repetitions. halving: all get two, the better "
                    "half twice as many, and so on; for large grids."
                ),
                [GRID, HALVING],
                GRID,
            ),
            parameters.number(
                "PRECISION",
                tr("Highest precision of the attack"),
                tr(
                    "Limit with quasi-identifiers: at most this share of the adversary's links may "
                    "be right. The papers hold more than 0.25 not acceptable."
                ),
                choice.MOST_PRECISION,
                0.0,
                1.0,
            ),
            parameters.number(
                "NEAREST",
                tr("Lowest share of nearest neighbours kept"),
                tr("Limit without quasi-identifiers."),
                choice.LEAST_KEPT,
                0.0,
                1.0,
            ),
            parameters.integer(
                "LIKELIHOOD",
                tr("Embeddings attacked by likelihood"),
                tr(
                    "A row is recommended only if the attack by likelihood stays below the limit "
                    "too, on so many embeddings with its parameters, taken together; each takes "
                    "about a minute. 0 to leave it out. Only with quasi-identifiers."
                ),
                3,
                0,
                1_000,
            ),
            parameters.area(tr("the reference points"), tr("the convex hull of the points")),
            parameters.metric(),
            parameters.number(
                "ALPHA",
                tr("Share of true pairs the adversary accepts"),
                tr(
                    "The clique attack's alpha; the papers try 0.1, 0.5 and 0.9, of which 0.9 "
                    "mostly finds most."
                ),
                0.9,
                0.001,
                0.999,
                advanced=True,
            ),
            parameters.integer(
                "REPLICATES",
                tr("Embeddings by the adversary"),
                tr("How often the adversary embeds the people he knows."),
                1000,
                2,
                advanced=True,
            ),
            parameters.integer(
                "RECORDS",
                tr("Most records used"),
                tr("A random sample of so many records is used where there are more."),
                2_000,
                3,
                advanced=True,
            ),
            parameters.seed(),
            verdicts.limit(),
        ]

    def check(self, given):
        """The lists must be lists of numbers."""
        self._grid(given)
        return None

    def _grid(self, given) -> tuple[list[int], list[int]]:
        return tuple(given.numbers(name) for name in ("SETS", "SIZE"))

    def execute(self, run):
        """Read, try, recommend, write, report."""
        source = run.source("INPUT")
        qis = run.fields("QIS", source)
        table = run.points(source, run.step("read"), qis, least=3)
        metric, said = planes.measure(run.choice("METRIC"), table.xy, table.crs)
        area, sentence, outside = study_area(run.source("AREA"), table.xy, table.crs, run.context)
        said.append(sentence)
        if outside:
            run.warn(outside_sentence(outside, len(table)))
        rng = run.rng()
        most = run.number("RECORDS")
        table, sample = sampled(table, most, rng)
        said += [sample] if sample else []
        refuse_unless_matrix_fits(len(table), 8.0 * max(self._grid(run)[0]), tr("Lower RECORDS."))
        risk = None
        if qis:
            risk = EmbeddingRisk(
                table.xy,
                labels_of(table.columns, qis, len(table)),
                area,
                metric,
                run.number("ALPHA"),
                rng,
                replicates=run.number("REPLICATES"),
                ask=run.outputs.ask,
            )
            said.append(
                tr(
                    "The attack: records released: {count}; known: {count}; in both files: "
                    "{overlap}; pairs that agree in the quasi-identifiers: {vertices:,}."
                ).format(count=len(risk.target), overlap=risk.overlap, vertices=risk.vertices)
            )
        run.tell(*said)
        limit = run.number("PRECISION" if risk else "NEAREST")
        confirm = run.number("LIKELIHOOD") if risk else 0
        trying = run.step("try") if confirm else run.step("try", "confirm")
        cells = self._tried(run, table, area, metric, rng, risk, limit, trying)
        front = choice.pareto(cells, ["utility"], ["precision"]) if risk else choice.pareto(cells)
        if confirm:
            best = choice.recommend_confirmed(
                cells,
                limit,
                lambda d, k, step: risk.by_likelihood(d, k, confirm, step),
                run.step("confirm"),
            )
        else:
            best = choice.recommend(cells, limit)
        (run.tell if best.cell is not None else run.warn)(best.sentence)
        verdict = not_tested(*ADVERSARY, run.acceptable())
        nearest = best.cell
        if risk is not None:
            nearest, found = evidence(cells, best, risk.overlap, limit)
            verdict = judge(by_all_methods(found), *ADVERSARY, run.acceptable())
        self._write(run.outputs, cells, front, best)
        told = reporting.Tried(
            Context(source.sourceName(), said, table.left_out, metric.unit),
            cells,
            front,
            best,
            limit,
            risk is not None,
        )
        return Result(
            {
                "BEST_SETS": best.cell.sets if best.cell else 0,
                "BEST_SIZE": best.cell.size if best.cell else 0,
                "QUALIFYING": best.qualifying,
            },
            verdict,
            reporting.steps(source.sourceName(), best, nearest, risk is not None),
            [*reporting.not_run(best, nearest, risk is not None), not_attacked()],
            lambda progress: reporting.report(told),
        )

    def _tried(self, given, table, area, metric, rng, risk, limit, progress):
        sets, sizes = self._grid(given)
        repeats = given.number("REPEATS")
        onto = None
        if len(table) <= _DRAWN:
            onto = planes.plane_of(table.xy, table.crs).forward(table.xy)
        common = (table.xy, area, metric, sets, sizes)
        if given.choice("SEARCH") == HALVING:
            return grid_search.successive_halving(
                *common, rng, progress, limit=limit, most=repeats, risk=risk, onto=onto
            ).cells
        return grid_search.evaluate(*common, repeats, rng, progress, risk=risk, onto=onto)

    @staticmethod
    def _write(outputs, cells, front, best) -> None:
        names = [*cells[0].values, "blur"]
        fields = ["sets", "size", "repeats"]
        columns = [
            [cell.sets for cell in cells],
            [cell.size for cell in cells],
            [cell.repeats for cell in cells],
        ]
        for name in names:
            fields.append(make_field(name, "double"))
            columns.append(np.array([cell.mean(name) for cell in cells]))
            if name != "blur":
                fields.append(make_field(f"{name}_se", "double"))
                columns.append(np.array([cell.standard_error(name) for cell in cells]))
        if best.found:
            found = [best.found.get((cell.sets, cell.size)) for cell in cells]
            for name in ("precision", "recall"):
                fields.append(make_field(f"likelihood_{name}", "double"))
                columns.append([None if one is None else getattr(one, name) for one in found])
        fields += ["pareto", "recommended"]
        columns += [
            [int(row in front) for row in range(len(cells))],
            [int(cell is best.cell) for cell in cells],
        ]
        outputs.add_table("OUTPUT", fields, columns)
