# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:maskmeasures."""

from __future__ import annotations

from ...core.verdict import judge, not_tested
from .. import literature
from ..base import GeoAnonAlgorithm, Help
from ..families.attacking.adversaries import BOTH
from ..families.measuring import inputs, outputs
from ..families.measuring.measure import measure
from ..families.measuring.measured import Measured
from ..i18n import mark, tr
from ..maps import pictures
from ..reports import attackmask
from ..reports import maskmeasures as reporting
from ..reports.maskmeasures_rows import numbers, rows
from ..running import Result, existing
from .attackmask import AttackMaskAlgorithm


class MaskMeasuresAlgorithm(GeoAnonAlgorithm):
    """Measure what a point mask keeps, and what measures of risk say of it."""

    NAME = "maskmeasures"
    DISPLAY_NAME = mark("Measures of a point mask")
    GROUP = "attackarelease"
    TAGS = mark(
        "privacy, utility, k-anonymity, spatial k-anonymity, Spruill, scan statistic, SaTScan, "
        "Kulldorff, cluster, Ripley, information loss, epidemiology"
    )
    SHORT_DESCRIPTION = mark(
        "Compares masked points with the originals: what is kept of clusters and pattern, and what "
        "the measures of risk in use say, beside what an attack finds."
    )
    HELP = Help(
        what=mark(
            "Two things are told of a mask. What an analyst still finds in the release: Kulldorff's "
            "scan statistic is run on both, with the same circles and the same draws, and the most "
            "likely clusters are compared. And what the usual measures of risk say: actual k (also "
            "called k-moved or spatial k-anonymity), estimated k, k-original, their method related "
            "versions, and Spruill's measure, each with the adversary of whom it speaks.\n\n"
            "With the mask file and an address list the posterior attack is run, and its effective "
            "k stands beside these measures.\n\n"
            "The table of measures can stand in a section on methods as it is."
        ),
        when=mark(
            "Before a release, to choose among masks that have been attacked, and to describe the "
            "one that was taken."
        ),
        cautions=(
            mark(
                "Measures of risk are no attack, and can say the opposite of the truth: points "
                "moved by exactly 50 m in a town have a median actual k of 25, and more than nine "
                "of ten people are found. The verdict rests on an attack only."
            ),
            mark(
                "The results describe the true places. They are for the data holder; the layer of "
                "clusters too."
            ),
            mark(
                "Points that a mask moves to where nobody lives count at the nearest place of the "
                "population, and may look like a cluster at its edge."
            ),
        ),
        sources=(
            literature.KULLDORFF,
            literature.ALLSHOUSE,
            literature.SPRUILL,
            literature.CREMER,
        ),
        reference=mark(
            "k-original and the method related measures follow the summaries of the last paper, "
            "whose text was not at hand."
        ),
    )
    REQUIRES = ("scipy",)
    OUTPUTS = outputs.OUTPUTS
    WITHOUT_NUMBA = 2.5
    STEPS = {
        "original": 5,
        "released": 5,
        "pair": 5,
        "candidates": 10,
        "population": 5,
        "risk": 10,
        "posterior": 15,
        "patterns": 25,
        "matched": 5,
        "controls": 5,
        "scan": 20,
        "write": 5,
        "report": 10,
    }

    def inputs(self):
        """Return what is read."""
        return inputs.inputs()

    def check(self, given):
        """Say what does not go together."""
        return inputs.check(given)

    def execute(self, run):
        """Read, measure, write, report."""
        found = measure(run, AttackMaskAlgorithm)
        told = rows(found)
        run.tell(*found.sentences(), *reporting.sentences(found))
        run.warn(*reporting.warnings(found))
        outputs.write(run, found, [row.cells() for row in told])
        verdict, steps, not_run = self._judged(run, found)
        source = run.source("RELEASED").sourceName()
        return Result(
            existing(numbers(found)),
            verdict,
            steps,
            not_run,
            lambda progress: reporting.report(
                found,
                told,
                pictures.if_possible(run.feedback, lambda: self._maps(found, progress)),
                source,
            ),
        )

    @staticmethod
    def _maps(found: Measured, progress):
        paired, circles = found.paired, None
        if found.scanned is not None:
            circles = [
                (kind, one.outline() / paired.scale)
                for kind, _, one in found.scanned.told()
                if one.radius > 0
            ]
        xy = (paired.before / paired.scale, paired.after / paired.scale)
        kept = found.patterns.densities
        densities = (
            None
            if kept is None
            else (kept.grid.in_units_of(1 / paired.scale), kept.before, kept.after)
        )
        return pictures.measure_pictures(
            *xy, paired.crs, paired.plane, circles, densities, progress
        )

    @staticmethod
    def _judged(run, found: Measured):
        """The attack's verdict where one was run; measures have none."""
        attacked = found.risks.attacked
        if attacked is None:
            given = [run.source(name) for name in ("RELEASED", "KEY", "CANDIDATES")]
            named = [None if one is None else one.sourceName() for one in given]
            released, key, listed = named
            steps = reporting.steps(
                released, key or tr("the key"), listed or tr("a list of all addresses")
            )
            return not_tested(*attackmask.ADVERSARIES[BOTH]), steps, []
        evidence = attacked.evidence()
        if attacked.record is None:
            evidence = [one.with_caveat("one_adversary") for one in evidence]
        verdict = judge(evidence, *attackmask.ADVERSARIES[BOTH], run.acceptable())
        not_run = reporting.not_run(attackmask.not_run(attacked, BOTH))
        return verdict, attackmask.steps(attacked, verdict), not_run
