# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:chooseembedding."""

from __future__ import annotations

import numpy as np

from ...core.attacks.linkage.evidence import by_all_methods
from ...core.attacks.maps.adversary import Adversary
from ...core.attacks.maps.defences import noise_to_try, with_defences
from ...core.attacks.maps.embedding_risk import EmbeddingRisk
from ...core.attacks.maps.embedding_verdict import evidence
from ...core.attacks.maps.row_risk import HELD, Limits
from ...core.distances import choice, grid_search
from ...core.distances.setting import Grid
from ...core.distances.trials import Places
from ...core.experiments.advice import Advice, Effort, advise, draws_that_hold
from ...core.experiments.advice_words import sentence as said_of
from ...core.experiments.design import digest_of
from ...core.experiments.forecast import forecast
from ...core.runtime.progress import part
from ...core.verdict import judge, not_tested
from .. import literature, verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog.declaration import Value, reports
from ..families import clusters, grouping
from ..families.choosing import earlier, inputs, table
from ..families.linkage.adversary import ADVERSARY, names_of
from ..families.release_task import refuse_unless_matrix_fits
from ..i18n import mark, number_of, tr
from ..layers import planes, sources
from ..layers.areas import outside_sentence, study_area
from ..layers.labels import labels_of
from ..reports import chooseembedding as reporting
from ..reports import chooseembedding_verdict as telling
from ..reports.common import Context
from ..reports.distances import not_attacked
from ..running import Result, sampled

#: Records for which a map is drawn in every embedding: half a second each.
_DRAWN = 500


class ChooseEmbeddingAlgorithm(GeoAnonAlgorithm):
    """Try parameters of the embedding: what is kept, and who is found."""

    NAME = "chooseembedding"
    DISPLAY_NAME = mark("Choose embedding parameters")
    GROUP = "releasedistances"
    TAGS = mark(
        "privacy, distance matrix, risk, utility, risk-utility map, Pareto, Lipschitz, "
        "parameters, ISGP"
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
            "in both files: 5, 10, 20 and 50 % of those released, one after the other, people here and there and, "
            "a second time, people who are neighbours of each other. Who that is is drawn anew in "
            "every repetition.\n\n"
            "The recommended row is the most useful one (PREFER) that holds against every attack with "
            "every overlap: the upper end of an interval over draws is held against the limit, of the "
            "share of people found and of the share of claims, or of an attack's surest guesses, that "
            "are right. The near group and "
            "the papers' clique meet every row (without quasi-identifiers signatures, too), "
            "likelihood and signatures those that would be recommended. A row is left "
            "as soon as a lower end is above its limit, and one in which an attack was cut off "
            "never holds. Where no row holds, the one that comes nearest is tried again with growing "
            "noise before the embedding; if that does not hold either, it is said plainly, with "
            "what it lacks.\n\n"
            "With ISGP_RADIUS, ISGP releases of distances stand beside the embeddings. They meet "
            "the near group and the maps of their neighbourhoods, both always; the other attacks "
            "need the distances of all pairs. Their utility is counted over all pairs as well, of "
            "which ISGP tells only the near ones: compare them by the nearest neighbours kept, "
            "where near distances are what is wanted.\n\n"
            "The intervals hold for any way in which the people who are found come together, and "
            "however often they are looked at; all rows that are followed share a risk of 5 % that "
            "one is wrongly said to hold. That takes draws: with nobody found 42 with each overlap "
            "for the default limit of 9 %, and more for the second row that is followed. With "
            "RESUME a run that was cancelled or killed goes on where it ended, and with SCHEDULER "
            "the attacks are run on a Dask cluster; embeddings are measured on this machine."
        ),
        when=mark("Before “Lipschitz embedding release”, to choose its SETS and SIZE."),
        cautions=(
            mark(
                "What holds here holds against these attacks by the adversaries named. One who "
                "knows more people, or knows them better, finds more: attack the release itself, "
                "too, with a file like the one he may have (geoanon:linkageattack)."
            ),
            mark(
                "Whoever knows the people of one village, street or clinic knows neighbours, whose "
                "distances are kept best. Without NEIGHBOURS that is not tried, and he may find "
                "nearly all of them where nothing is found here."
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
        table.OUTPUT,
        *reports(mark("Table, charts and the Pareto picture.")),
        Value(
            "BEST_SETS",
            mark("Recommended number of sets"),
            mark("The recommended d; 0 where none qualifies, or ISGP is recommended."),
        ),
        Value(
            "BEST_SIZE",
            mark("Recommended size"),
            mark("The recommended k; 0 where none qualifies, or ISGP is recommended."),
        ),
        Value(
            "BEST_PRE_NOISE",
            mark("Recommended noise before the embedding"),
            mark("In metres; 0 for none and for ISGP, empty where no row qualifies."),
        ),
        Value(
            "BEST_RADIUS",
            mark("Recommended radius of ISGP"),
            mark("In metres; empty where no row qualifies, or an embedding is recommended."),
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
        return inputs.inputs()

    def check(self, given):
        """The lists must be lists of numbers."""
        if self._grid(given).radii and given.number("RELEASES") > 1:
            return tr("ISGP releases are attacked one at a time. Ask for one release.")
        return None

    @staticmethod
    def _grid(given) -> Grid:
        return Grid(
            given.numbers("SETS"),
            given.numbers("SIZE"),
            given.numbers("PRE_NOISE") or (0.0,),
            given.numbers("STEP") or (0.0,),
            [radius for radius in given.numbers("ISGP_RADIUS") if radius],
        )

    def execute(self, run):
        """Read, try, recommend, write, report."""
        source = run.source("INPUT")
        qis = run.fields("QIS", source)
        points = run.points(source, run.step("read"), qis, least=3)
        metric, said = planes.measure(run.choice("METRIC"), points.xy, points.crs)
        area, sentence, outside = study_area(run.source("AREA"), points.xy, points.crs, run.context)
        said.append(sentence)
        if outside:
            run.warn(outside_sentence(outside, len(points)))
        groups = grouping.read(run, qis)
        labels = labels_of(points.columns, qis, len(points))
        shown = [list(labels), None if groups is None else list(groups.labels(labels, qis))]
        data = {"data": digest_of(points.xy, shown, planes.wkt(points.crs), area)}
        with earlier.kept(run, data) as (kept, seed):
            rng = np.random.default_rng(seed)
            used, sample = sampled(points, run.number("RECORDS"), rng)
            said += [sample] if sample else []
            most = 8.0 * max(self._grid(run).sets)
            refuse_unless_matrix_fits(len(used), most, tr("Lower RECORDS."))
            run.tell(*said)
            where = (used, area, metric, rng, kept)
            return self._chosen(run, source, qis, groups, where, said)

    def _chosen(self, run, source, qis, groups, where, said) -> Result:
        """Try rows, attack them, and come to one."""
        used, area, metric, rng, kept = where
        risk = self._risk(run, used, qis, groups, area, metric, rng)
        limits = Limits(run.number("PRECISION"), run.acceptable())
        if risk is not None:
            said.append(
                telling.scenario(risk, run.number("KNOWN_LINKS"), bool(qis), run.number("RELEASES"))
            )
            run.tell(said[-1])
            self._tell_draws(run, risk, limits)
            run.tell(self._forecast(run, used, area, metric, risk, limits))
        cells = self._tried(run, where, run.step("try") if risk else run.step("try", "defend"))
        advice = None
        if risk is not None:
            advice, cells = self._advised(run, where, risk, limits, cells)
            best = choice.Recommendation(
                advice.cell, advice.count(cells, HELD), said_of(advice, cells)
            )
            front = reporting.front(advice, cells)
            nearest = advice.nearest(cells)
            found = advice.risks[nearest.setting]
            adversary = names_of(run.number("KNOWN_LINKS") > 0, run.number("RELEASES") > 1)
            verdict = judge(by_all_methods(evidence(found, limits)), *adversary, limits.share)
        else:
            best = choice.recommend(cells, run.number("NEAREST"))
            front, nearest = choice.pareto(cells), best.cell
            verdict = not_tested(*ADVERSARY, limits.share)
        (run.tell if best.cell is not None else run.warn)(tr(best.sentence))
        table.write(run.outputs, cells, front, best, advice)
        told = reporting.Tried(
            Context(source.sourceName(), said, used.left_out, metric.unit),
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
                "BEST_RADIUS": (best.cell.radius or None) if best.cell else None,
                "QUALIFYING": best.qualifying,
                "WORST_OVERLAP": None if advice is None else 100 * found.worst.overlap.share,
            },
            verdict,
            telling.steps(self._given(run, source, qis), best, nearest, advice),
            [*telling.not_run(nearest, advice, risk), not_attacked()],
            lambda progress: reporting.report(told),
        )

    def _advised(self, run, where, risk, limits, cells) -> tuple[Advice, list]:
        """Attack rows, and those with noise where none holds."""
        cells = with_defences(cells, *self._defences(run))
        effort = Effort(
            run.number("DRAWS"), run.number("LIKELIHOOD"), clusters.backend(run), where[-1]
        )
        useful = inputs.USEFUL[run.choice("PREFER")]
        advice = advise(cells, risk, limits, effort, run.step("attack"), useful=useful)
        if advice.cell is None and not advice.hopeless and not run.numbers("PRE_NOISE"):
            embeddings = [cell for cell in cells if not cell.radius]
            more = self._with_noise(run, where, advice.nearest(embeddings))
            step = part(run.step("defend"), 0.3, 1)
            advice = advise(more, risk, limits, effort, step, advice, useful)
            cells = [*cells, *more]
        return advice, cells

    @staticmethod
    def _tell_draws(run, risk, limits) -> None:
        """Say beforehand where the draws cannot be enough, or guessing is too much already."""
        needed = draws_that_hold(limits)
        most = [run.number("DRAWS")]
        most += [run.number("LIKELIHOOD")] if risk.slow and run.number("LIKELIHOOD") else []
        if needed is not None and min(most) < needed:
            run.warn(
                tr(
                    "To show that a row holds takes {draws} with each overlap where nobody is found"
                    " at all, and more where some are: no row can be recommended with fewer. Raise "
                    "DRAWS and LIKELIHOOD."
                ).format(draws=number_of(needed, "draw", "draws"))
            )
        few = telling.few_people(risk, limits)
        if few and not (risk.tells and risk.guessed > limits.share):
            run.warn(few)
        if risk.tells and risk.guessed > limits.share:
            run.warn(
                tr(
                    "By guessing among those who agree in the quasi-identifiers {guessed:.1%} of the "
                    "people are found, without any distance; at most {limit:.1%} may be. Release "
                    "coarser quasi-identifiers (GROUPS), or fewer."
                ).format(guessed=risk.guessed, limit=limits.share)
            )

    @staticmethod
    def _risk(run, used, qis, groups, area, metric, rng) -> EmbeddingRisk | None:
        """Settle who is attacked; None where nobody is."""
        if not run.number("DRAWS"):
            return None
        shares = tuple(number / 100 for number in run.numbers("OVERLAP"))
        labels = labels_of(used.columns, qis, len(used))
        sizes = run.numbers("N_RELEASED")
        return EmbeddingRisk(
            used.xy,
            labels,
            area,
            metric,
            rng,
            adversary=Adversary(
                shares,
                run.number("N_KNOWN"),
                run.number("KNOWN_LINKS"),
                run.flag("NEIGHBOURS"),
                run.number("RELEASES"),
            ),
            released=sizes[0] if sizes else None,
            others=sizes,
            grouped=None if groups is None else groups.labels(labels, qis),
            alpha=run.number("ALPHA"),
            replicates=run.number("REPLICATES"),
            ask=run.outputs.ask,
        )

    def _forecast(self, run, used, area, metric, risk, limits) -> str:
        """How long it takes, by one embedding and one draw."""
        told = forecast(
            self._places(used, area, metric),
            self._grid(run),
            run.number("REPEATS"),
            risk,
            limits,
            (run.number("DRAWS"), run.number("LIKELIHOOD")),
            with_defences(self._grid(run).settings, *self._defences(run)),
            not run.numbers("PRE_NOISE"),
            run.outputs.ask,
        )
        return tr(
            "On this machine it takes about {minutes} until every row has met the attacks, and "
            "about {more} more for each row that is followed until it is known to hold: at most "
            "{most}, where some people are found in it, and less where it is left."
        ).format(
            minutes=number_of(max(1, round(told.all_rows)), "minute", "minutes"),
            more=number_of(max(1, round(told.one_row)), "minute", "minutes"),
            most=number_of(max(1, round(told.most)), "minute", "minutes"),
        )

    @staticmethod
    def _defences(run) -> tuple:
        """What does not change the distances: groups of labels, and how many are released."""
        grouped = (False, True) if run.has(grouping.GROUPS) else (False,)
        return grouped, list(dict.fromkeys(run.numbers("N_RELEASED"))) or (None,)

    def _with_noise(self, run, where, nearest) -> list:
        """The row that comes nearest again, with growing noise."""
        used, area, metric, rng, kept = where
        noise = noise_to_try(used.xy, metric)
        run.tell(
            tr("No row holds: {row} is tried again with noise of {noise} m.").format(
                row=tr(choice.name_of(nearest)), noise=", ".join(f"{one:,g}" for one in noise)
            )
        )
        cells = grid_search.evaluate(
            self._places(used, area, metric),
            Grid([nearest.sets], [nearest.size], noise, [nearest.step]),
            run.number("REPEATS"),
            rng,
            part(run.step("defend"), 0, 0.3),
            kept=kept,
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
    def _places(used, area, metric) -> Places:
        onto = None
        if len(used) <= _DRAWN:
            onto = planes.plane_of(used.xy, used.crs).forward(used.xy)
        return Places(used.xy, area, metric, onto)

    def _tried(self, given, where, progress):
        used, area, metric, rng, kept = where
        repeats, places = given.number("REPEATS"), self._places(used, area, metric)
        if given.choice("SEARCH") == inputs.HALVING:
            limit = given.number("NEAREST")
            return grid_search.successive_halving(
                places, self._grid(given), rng, progress, limit=limit, most=repeats, kept=kept
            ).cells
        return grid_search.evaluate(places, self._grid(given), repeats, rng, progress, kept=kept)
