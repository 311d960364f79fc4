# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:chooseembedding."""

from __future__ import annotations

import numpy as np

from ...compat import make_field
from ...core.attacks.linkage.evidence import by_all_methods
from ...core.attacks.maps.adversary import OVERLAPS, Adversary
from ...core.attacks.maps.advice import MOST_DRAWS, Advice, Effort, advise
from ...core.attacks.maps.advice_words import sentence as said_of
from ...core.attacks.maps.defences import noise_to_try, with_defences
from ...core.attacks.maps.embedding_risk import REPLICATES, EmbeddingRisk
from ...core.attacks.maps.embedding_verdict import evidence
from ...core.attacks.maps.forecast import minutes_for
from ...core.attacks.maps.row_risk import HELD, Limits
from ...core.distances import choice, grid_search
from ...core.runtime.progress import part
from ...core.verdict import judge, not_tested
from .. import literature, verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog import parameters
from ..dialog.declaration import Field, Value, private, reports
from ..families import grouping
from ..families.linkage.adversary import ADVERSARY
from ..families.release_task import refuse_unless_matrix_fits
from ..i18n import mark, number_of, tr
from ..layers import planes, sources
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
            "again and again, and it is measured what the embedding keeps. Then each row is "
            "attacked: a part of the records is released, an adversary knows others, and some are "
            "in both files: 5, 10, 20 and 50 % of those released, one after the other. Who that is "
            "is drawn anew in every repetition.\n\n"
            "The recommended row is the most useful one that holds against every attack with every "
            "overlap: the upper end of an interval over draws is held against the limit, of the "
            "share of people found and of the share of claims that are right. The near group and "
            "the papers' clique meet every row (without quasi-identifiers the near group and "
            "signatures), likelihood and signatures those that would be recommended. A row is left "
            "as soon as a lower end is above its limit, and one in which an attack was cut off "
            "never holds. Where no row holds, the one that comes nearest is tried again with growing "
            "noise before the embedding; if that does not hold either, it is said plainly, with "
            "what it lacks."
        ),
        when=mark("Before “Lipschitz embedding release”, to choose its SETS and SIZE."),
        cautions=(
            mark(
                "What holds here holds against these attacks by the adversaries named. One who "
                "knows more people, or knows them better, finds more: attack the release itself, "
                "too, with a file like the one he may have (geoanon:linkageattack)."
            ),
            mark(
                "With sex and age mostly no row holds: distances of neighbours, which an "
                "embedding keeps, give people away."
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
                Field("pre_noise", "double", mark("noise before the embedding, in metres")),
                Field("step", "double", mark("step of released distances, in metres")),
                Field("grouped", "int", mark("1 where attributes are released as groups")),
                Field("released", "int", mark("records released, where a number was given")),
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
                "lies off; 1: no better than one point). With attacks: state (held, ruled_out, "
                "cut_off, open: not followed up to the end), found (share of the people who are "
                "found by any attack, with the overlap that is worst), found_low and found_high "
                "(ends of its interval over draws), worst_overlap (in per cent), precision and "
                "precision_high (of the attack that is worst), draws, proven (0 where an attack "
                "was cut off), and found_high and precision_high of each attack."
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
        Value(
            "BEST_PRE_NOISE",
            mark("Recommended noise before the embedding"),
            mark("In metres; 0 for none, empty where no row qualifies."),
        ),
        Value(
            "QUALIFYING",
            mark("Rows that meet the limit"),
            mark("Rows known to hold; the search ends with the first that is to be recommended."),
        ),
        Value(
            "WORST_OVERLAP",
            mark("Worst overlap"),
            mark("In per cent, of the row that the verdict is on; empty without an attack."),
        ),
        *verdicts.OUTPUTS,
    )

    STEPS = {"read": 2, "try": 25, "attack": 45, "defend": 25, "write": 3}

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
                    "age and sex. Leave empty where he knows none: then he has distances alone."
                ),
                "INPUT",
            ),
            parameters.numbers(
                "OVERLAP",
                tr("Released people whom the adversary knows (per cent)"),
                tr(
                    "Numbers parted by commas, each of those released here. A row has to hold "
                    "under all of them."
                ),
                ", ".join(f"{100 * share:g}" for share in OVERLAPS),
                0.1,
                100,
            ),
            parameters.integer(
                "N_KNOWN",
                tr("People whom the adversary knows in all"),
                tr("Leave empty for as many as are released."),
                None,
                1,
                optional=True,
            ),
            parameters.integer(
                "KNOWN_LINKS",
                tr("Released records that the adversary knows already"),
                tr(
                    "Of so many of the people in both files he knows which record is theirs, and "
                    "uses it to find the others."
                ),
                0,
                0,
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
            parameters.numbers(
                "PRE_NOISE",
                tr("Noise before the embedding to try (metres)"),
                tr(
                    "Standard deviations parted by commas; 0 for none. Leave empty to try none "
                    "first and, where no row holds, growing noise on the row that comes nearest."
                ),
                "",
                0,
                optional=True,
            ),
            parameters.numbers(
                "STEP",
                tr("Steps of the released distances to try (metres)"),
                tr(
                    "Numbers parted by commas; 0 for none. Released distances are rounded down to "
                    "multiples of it."
                ),
                "0",
                0,
                optional=True,
            ),
            parameters.integer(
                "REPEATS",
                tr("Repetitions"),
                tr(
                    "Embeddings of each combination that are measured; with halving, of each that "
                    "is left at the end. Attacks have embeddings of their own."
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
                    "At most this share of the adversary's claims may be right, by the upper end "
                    "of the interval. The papers hold more than 0.25 not acceptable."
                ),
                choice.MOST_PRECISION,
                0.0,
                1.0,
            ),
            parameters.number(
                "NEAREST",
                tr("Lowest share of nearest neighbours kept"),
                tr("Limit where nobody is attacked (DRAWS=0), and for halving."),
                choice.LEAST_KEPT,
                0.0,
                1.0,
            ),
            parameters.integer(
                "DRAWS",
                tr("Most draws of people"),
                tr(
                    "With each overlap, for a row that is neither ruled out nor known to hold. 0 "
                    "to leave the attacks out: the recommendation then looks only at what is kept "
                    "and how much distances are blurred."
                ),
                MOST_DRAWS,
                0,
                10_000,
            ),
            parameters.integer(
                "LIKELIHOOD",
                tr("Draws attacked by likelihood"),
                tr(
                    "A row is recommended only if it holds against likelihood and signatures, too, "
                    "with the largest overlap, in so many draws at most; each takes about a "
                    "minute. 0 to leave them out. Only with quasi-identifiers."
                ),
                12,
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
                    "mostly finds most. Where its search is cut off, what it has found counts, and "
                    "0.5 and 0.1 follow until one comes to its end."
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
                REPLICATES,
                2,
                advanced=True,
            ),
            grouping.parameter(),
            parameters.numbers(
                "N_RELEASED",
                tr("Records released in the attacks"),
                tr(
                    "Numbers parted by commas: fewer records give fewer neighbours away. Leave "
                    "empty for as many as there are people for beside those whom he knows (500 at "
                    "most; 200 without quasi-identifiers). Overlaps are shares of it."
                ),
                "",
                10,
                whole=True,
                optional=True,
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
        run.tell(*said)
        groups = grouping.read(run, qis)
        risk = self._risk(run, table, qis, groups, area, metric, rng)
        if risk is not None:
            said.append(reporting.scenario(risk, run.number("KNOWN_LINKS"), bool(qis)))
            run.tell(said[-1])
            run.tell(self._forecast(run, table, area, metric, risk))
        trying = run.step("try") if risk else run.step("try", "defend")
        limits = Limits(run.number("PRECISION"), run.acceptable())
        cells = self._tried(run, table, area, metric, rng, trying)
        advice = None
        if risk is not None:
            cells = with_defences(
                cells, (False,) if groups is None else (False, True), self._sizes(run) or (None,)
            )
            effort = Effort(run.number("DRAWS"), run.number("LIKELIHOOD"))
            advice = advise(cells, risk, limits, effort, run.step("attack"))
            if advice.cell is None and not run.numbers("PRE_NOISE"):
                more = self._with_noise(run, table, area, metric, rng, advice.nearest(cells))
                advice = advice.joined(
                    advise(more, risk, limits, effort, part(run.step("defend"), 0.3, 1))
                )
                cells = [*cells, *more]
            best = choice.Recommendation(
                advice.cell, advice.count(cells, HELD), said_of(advice, cells)
            )
            front = reporting.front(advice, cells)
            nearest = advice.nearest(cells)
            found = advice.risks[nearest.setting]
            verdict = judge(by_all_methods(evidence(found, limits)), *ADVERSARY, limits.share)
        else:
            best = choice.recommend(cells, run.number("NEAREST"))
            front, nearest = choice.pareto(cells), best.cell
            verdict = not_tested(*ADVERSARY, limits.share)
        (run.tell if best.cell is not None else run.warn)(tr(best.sentence))
        self._write(run.outputs, cells, front, best, advice)
        told = reporting.Tried(
            Context(source.sourceName(), said, table.left_out, metric.unit),
            cells,
            front,
            best,
            run.number("NEAREST"),
            advice,
        )
        return Result(
            {
                "BEST_SETS": best.cell.sets if best.cell else 0,
                "BEST_SIZE": best.cell.size if best.cell else 0,
                "BEST_PRE_NOISE": best.cell.pre_noise if best.cell else None,
                "QUALIFYING": best.qualifying,
                "WORST_OVERLAP": None if advice is None else 100 * found.worst.overlap,
            },
            verdict,
            reporting.steps(self._given(run, source, qis), best, nearest, advice),
            [*reporting.not_run(nearest, advice, risk), not_attacked()],
            lambda progress: reporting.report(told),
        )

    @staticmethod
    def _risk(run, table, qis, groups, area, metric, rng) -> EmbeddingRisk | None:
        """Settle who is attacked; None where nobody is."""
        if not run.number("DRAWS"):
            return None
        shares = tuple(number / 100 for number in run.numbers("OVERLAP"))
        labels = labels_of(table.columns, qis, len(table))
        sizes = run.numbers("N_RELEASED")
        return EmbeddingRisk(
            table.xy,
            labels,
            area,
            metric,
            rng,
            adversary=Adversary(shares, run.number("N_KNOWN"), run.number("KNOWN_LINKS")),
            released=sizes[0] if sizes else None,
            others=sizes,
            grouped=None if groups is None else groups.labels(labels, qis),
            alpha=run.number("ALPHA"),
            replicates=run.number("REPLICATES"),
            ask=run.outputs.ask,
        )

    def _forecast(self, run, table, area, metric, risk) -> str:
        """How long it takes, by one embedding and one draw."""
        sets, sizes = self._grid(run)
        minutes = minutes_for(
            table.xy, area, metric, sets, sizes, run.number("REPEATS"), risk, run.outputs.ask
        )
        return tr(
            "It takes about {minutes} as long as rows are ruled out quickly; a row that holds takes"
            " as long again."
        ).format(minutes=number_of(minutes, "minute", "minutes"))

    @staticmethod
    def _sizes(run) -> list[int]:
        return list(dict.fromkeys(run.numbers("N_RELEASED")))

    def _with_noise(self, run, table, area, metric, rng, nearest) -> list:
        """The row that comes nearest again, with growing noise."""
        noise = noise_to_try(table.xy, metric)
        run.tell(
            tr("No row holds: {row} is tried again with noise of {noise} m.").format(
                row=tr(choice.name_of(nearest)), noise=", ".join(f"{one:,g}" for one in noise)
            )
        )
        cells = grid_search.evaluate(
            table.xy,
            area,
            metric,
            [nearest.sets],
            [nearest.size],
            run.number("REPEATS"),
            rng,
            part(run.step("defend"), 0, 0.3),
            onto=self._onto(table),
            pre_noise=noise,
            steps=[nearest.step],
        )
        return with_defences(cells, (nearest.grouped,), (nearest.released,))

    @staticmethod
    def _given(run, source, qis) -> dict[str, str]:
        """What a command for a release takes over; a layer that is no file by its name."""
        given = {"INPUT": source.sourceName()}
        for name in ("INPUT", "AREA", grouping.GROUPS):
            layer = run.layer(name) if run.has(name) else None
            if layer is not None and sources.files_of(layer):
                given[name] = layer.source()
            elif name != "INPUT" and run.has(name):
                given[name] = run.source(name).sourceName()
        if qis:
            given["FIELDS"] = ";".join(qis)
        return {**given, "METRIC": run.choice("METRIC")}

    @staticmethod
    def _onto(table):
        if len(table) > _DRAWN:
            return None
        return planes.plane_of(table.xy, table.crs).forward(table.xy)

    def _tried(self, given, table, area, metric, rng, progress):
        sets, sizes = self._grid(given)
        repeats = given.number("REPEATS")
        common = (table.xy, area, metric, sets, sizes)
        more = {
            "onto": self._onto(table),
            "pre_noise": given.numbers("PRE_NOISE") or (0.0,),
            "steps": given.numbers("STEP") or (0.0,),
        }
        if given.choice("SEARCH") == HALVING:
            return grid_search.successive_halving(
                *common, rng, progress, limit=given.number("NEAREST"), most=repeats, **more
            ).cells
        return grid_search.evaluate(*common, repeats, rng, progress, **more)

    @staticmethod
    def _write(outputs, cells, front, best, advice: Advice | None) -> None:
        names = [*cells[0].values, "blur"]
        fields = ["sets", "size"]
        columns = [[cell.sets for cell in cells], [cell.size for cell in cells]]
        for name, kind in (("pre_noise", "double"), ("step", "double"), ("grouped", "int")):
            fields.append(make_field(name, kind))
            columns.append([getattr(cell, name) for cell in cells])
        columns[-1] = [int(one) for one in columns[-1]]
        fields += [make_field("released", "int"), "repeats"]
        columns += [[cell.released for cell in cells], [cell.repeats for cell in cells]]
        for name in names:
            fields.append(make_field(name, "double"))
            columns.append(np.array([cell.mean(name) for cell in cells]))
            if name != "blur":
                fields.append(make_field(f"{name}_se", "double"))
                columns.append(np.array([cell.standard_error(name) for cell in cells]))
        if advice is not None:
            risks = reporting.risk_columns(advice, cells)
            fields += [make_field(name, kind) for name, kind, _ in risks]
            columns += [values for _, _, values in risks]
        fields += ["pareto", "recommended"]
        columns += [
            [int(row in front) for row in range(len(cells))],
            [int(cell is best.cell) for cell in cells],
        ]
        outputs.add_table("OUTPUT", fields, columns)
