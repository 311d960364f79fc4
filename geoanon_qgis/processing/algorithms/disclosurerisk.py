# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:disclosurerisk."""

from __future__ import annotations

import numpy as np

from ...core.microdata.adequacy import ADEQUATE
from ...core.microdata.digits import as_released
from ...core.microdata.risk import disclosure_risk, people_measured
from ...core.runtime.progress import weighted
from ...core.verdict import judge
from .. import literature, verdicts
from ..base import Help
from ..dialog import parameters
from ..dialog.declaration import Value, reports
from ..families import (
    correspondence,
    microdata_attacks,
    released_pairs,
    risk_of_records,
    several_records,
)
from ..families.attacking import microdata_homes
from ..families.comparing import Compared, ComparingAlgorithm
from ..families.microdata import geometry_parameter
from ..i18n import mark, tr
from ..layers.records_out import has_places
from ..reports import disclosurerisk as reporting
from ..reports import disclosurerisk_steps, disclosurerisk_verdict
from ..running import Result, existing
from .attackmask import AttackMaskAlgorithm

_EXCESS = mark(
    "How far the distribution lies to the left of the reference's, as a share of the records."
)
_AUC = mark(
    "How well the measure tells right matches from wrong ones; only where records correspond."
)


class DisclosureRiskAlgorithm(ComparingAlgorithm):
    """Measure what an attacker could predict from an anonymised table."""

    NAME = "disclosurerisk"
    DISPLAY_NAME = mark("Disclosure risk of microdata")
    TAGS = mark(
        "privacy, microdata, re-identification, prediction distance, ambiguity, uncertainty, "
        "attack, ROC, AUC, Kolmogorov-Smirnov, singling out, linkability, inference, membership, "
        "anonymeter, sensitive, GDPR, HIPAA"
    )
    SHORT_DESCRIPTION = mark(
        "Attacks an anonymised table (singling out, linkability, inference, membership), each "
        "beside people who are not in it, and measures for every record how near it comes."
    )
    HELP = Help(
        what=mark(
            "Four attacks are run on the release, as anonymeter scores them: singling out (what is "
            "true of one released record alone is true of one person), linkability (two files are "
            "joined through it), inference (the record nearest in what is known tells the secret) "
            "and membership (a record is so near that she must be in the file). Each is run in the "
            "same way on people who are not in the file, and what it finds beyond these counts: "
            "the upper end of the worst one's interval is held against ACCEPTABLE. Where places take "
            "part, homes and fields are also weighed together, by the mask's own law with MASK. Control are the "
            "records of REFERENCE or, without one, the other originals.\n\n"
            "Besides, each original record is looked up among the anonymised ones by all fields at "
            "once. Prediction distance is how far the nearest one is; ambiguity, the ratio of that "
            "to the distance of the k-th nearest; uncertainty, how much the k nearest differ among "
            "themselves. Low values are risk, where the distribution lies to the left of that of a "
            "reference by more than MARGIN (one-sided Kolmogorov-Smirnov test). These three do not "
            "see a true place beside swapped fields, a single field that is true, or an extreme "
            "that was released.\n\n"
            "Nobody may be released as he is: there are no more exact matches than with the "
            "reference's records, and none nearer than chance explains. No margin holds for these; "
            "they are counted and listed.\n\n"
            "Where it is known which released record came from which original, the share of "
            "originals whose nearest record is their own is told, and how well each measure tells "
            "an attacker which of his matches are right (AUC: 0.5 not at all, 1 perfectly)."
        ),
        when=mark(
            "On every table before it is released, whatever it was anonymised with: “Spectral "
            "anonymization” (geoanon:spectralanonymize), any other program, or nothing at all."
        ),
        cautions=(
            mark(
                "What is said holds for the adversaries who were tried. Name in KNOWN and "
                "SECRET_FIELDS what others really know and what nobody may learn, and let places "
                "take part if they are released."
            ),
            mark(
                "The reference must hold nobody who is among the originals, and be a sample of the "
                "same people. If it has more or fewer records than the release, the three measures "
                "compare as many of both; attacks tell more sharply the more there are."
            ),
            mark(
                "Adequate means: no more than other people's records tell. In a population where "
                "these tell much, it is much."
            ),
        ),
        sources=(literature.LASKO_VINTERBO, literature.GIOMI),
    )

    OUTPUTS = (
        risk_of_records.OUTPUT,
        microdata_attacks.AT_RISK,
        *reports(
            mark(
                "Verdicts in words, with cumulative curves, ROC curves and a map of the originals."
            )
        ),
        Value(
            "VERDICT",
            mark("Verdict"),
            mark(
                "The worst of all attacks, of the measures and of who is released as he is: "
                "adequate, undecided or inadequate; the same as DECISION."
            ),
            is_text=True,
        ),
        Value("ADEQUATE", mark("Adequate (1) or not (0)")),
        Value("N", mark("Records measured"), mark("Original records measured, see WHOLE.")),
        Value(
            "VERBATIM",
            mark("Originals released as they are"),
            mark(
                "Originals that a released record equals in all compared fields, to the digits "
                "that the release has."
            ),
        ),
        Value(
            "VERBATIM_EXPECTED",
            mark("Most of them that the reference explains"),
            mark(
                "How many may do so: as many as equal a record of the reference, and what chance "
                "adds where that is common. More is never adequate."
            ),
        ),
        Value(
            "VERBATIM_UNIQUE",
            mark("Those like no other original"),
            mark("Those of VERBATIM that no other original equals."),
        ),
        Value(
            "NEARER",
            mark("Originals with a released record too near"),
            mark(
                "Originals, besides, with a released record nearer than any reference record comes "
                "to anybody, and nearer or more often than chance explains. Any is inadequate."
            ),
        ),
        Value("DISTANCE_EXCESS", mark("Excess of prediction distance"), _EXCESS),
        Value("AMBIGUITY_EXCESS", mark("Excess of prediction ambiguity"), _EXCESS),
        Value("UNCERTAINTY_EXCESS", mark("Excess of prediction uncertainty"), _EXCESS),
        Value(
            "REIDENTIFIED",
            mark("Share of records re-identified"),
            mark(
                "Share of originals whose nearest record is their own; only where records "
                "correspond."
            ),
        ),
        Value("AUC_DISTANCE", mark("AUC of prediction distance"), _AUC),
        Value("AUC_AMBIGUITY", mark("AUC of prediction ambiguity"), _AUC),
        Value("AUC_UNCERTAINTY", mark("AUC of prediction uncertainty"), _AUC),
        *microdata_attacks.OUTPUTS,
        *verdicts.OUTPUTS,
    )

    def more_tables(self):
        """The reference, and what leads from one table to the other."""
        return [
            parameters.table(
                "REFERENCE",
                tr("Reference"),
                tr(
                    "A second sample of the same population that holds none of the original "
                    "records. Leave empty to compare each record with the other originals."
                ),
                optional=True,
            ),
            *correspondence.inputs(),
        ]

    READS_UNTRIED = True
    WITHOUT_NUMBA = 1.5
    STEPS = {
        "read": 22,
        "match": 3,
        "code": 5,
        "measure": 33,
        "homes": 2,
        "attack": 20,
        "write": 8,
        "report": 7,
    }

    def inputs(self):
        """Return what is read."""
        return [
            *self.tables(),
            geometry_parameter(
                tr("Take x and y as two more variables, in a metric plane. Needs point layers.")
            ),
            *several_records.of_measured(),
            *microdata_attacks.inputs(),
            parameters.integer(
                "K",
                tr("Neighbours looked at (k)"),
                tr("For ambiguity and uncertainty. The paper takes 5."),
                5,
                2,
            ),
            parameters.number(
                "MARGIN",
                tr("Margin"),
                tr(
                    "Difference of two cumulative distributions that is let pass, as a share of "
                    "the records. The paper's example is 0.05."
                ),
                0.05,
                0.0,
                0.99,
                advanced=True,
            ),
            verdicts.limit(),
            *microdata_homes.inputs(),
            parameters.boolean(
                "WHOLE",
                tr("Measure everybody"),
                tr(
                    "Of tables of more than three million coded values (some 100,000 people with 28 "
                    "columns) the three measures are taken of 50,000 people, drawn at random, and their "
                    "interval is told. Switch on to measure everybody, which takes minutes to hours. "
                    "Who is released as he is is looked for among all either way."
                ),
                False,
                advanced=True,
            ),
        ]

    def check(self, given):
        """Ids of the originals lead nowhere by themselves; other people are not the same ones."""
        for name in ("ORIGINAL", "ANONYMIZED"):
            # Another filter of one file may well be people kept aside.
            if given.same_layer(name, "REFERENCE", by_filter=True):
                return tr(
                    "REFERENCE and {name} are one and the same layer: against the very same people "
                    "every release looks harmless. Choose as reference records of other people, or "
                    "leave it empty."
                ).format(name=name)
        return (
            correspondence.check(given)
            or several_records.refusal(given)
            or microdata_attacks.refusal(given)
            or microdata_homes.refusal(given)
        )

    def beside(self, run):
        """The person's id, or what may be one."""
        return several_records.besides(run)

    def never_compared(self, run):
        """The person's id."""
        return several_records.person_field(run)

    def has_places(self, name, given):
        """The records lie where they lie in the source."""
        return name == "OUTPUT" and has_places(given, "ORIGINAL")

    def execute(self, run):
        """Read, measure, write, report."""
        of_key, of_pair, of_people = weighted(run.step("read"), 1, 26, 4)
        ids = correspondence.read(run, of_key)
        pair = self.read(run, of_pair, ids)
        whose = several_records.of_originals(run, pair)
        pair = microdata_attacks.prepared(run, pair, whose, of_people)
        match = ids.rows(run, pair, run.step("match"))
        k = run.number("K")
        variants = as_released(
            pair.coding,
            pair.original.table,
            pair.anonymized.table,
            None if pair.reference is None else pair.reference.table,
            run.step("code"),
            (pair.original.as_coded, None if pair.reference is None else pair.reference.as_coded),
        )
        found = disclosure_risk(
            pair.original.coded,
            pair.anonymized.coded,
            None if pair.reference is None else pair.reference.coded,
            match,
            k,
            run.number("MARGIN"),
            run.step("measure"),
            variants,
            pair.coding.blocks,
            people_measured(pair.original.coded, run.flag("WHOLE"), whose),
            whose,
            pair.coding.starts(pair.place or ()),
        )
        pairings = released_pairs.of(pair, ids, *self.never_compared(run))
        homes = microdata_homes.read(run, pair, AttackMaskAlgorithm, run.step("homes"))
        of_signs, of_attacks = weighted(run.step("attack"), 1, 40)
        person = "" if whose is not None else several_records.looks_like_people(run, pair, of_signs)
        both = whose, several_records.of_reference(run, pair)
        battery = microdata_attacks.attacked(
            run, pair, found, variants, of_attacks, homes, pairings, both, person
        )
        found = found.with_attacks(battery, pair.anonymized.dropped)
        told = disclosurerisk_verdict.Risk(
            pair,
            found,
            k,
            pair.anonymized.released_ids(ids.released),
            run.acceptable(),
        )
        run.tell(*pair.sentences, *disclosurerisk_verdict.sentences(told))
        run.warn(*disclosurerisk_verdict.warnings(told))
        verdict = judge(found.evidence, "part_or_whole_record", "record_or_attribute", told.limit)
        why = microdata_attacks.at_risk(found, pair.place or (), run.outputs.ask)
        microdata_attacks.write(run, pair, why)
        xy = risk_of_records.write(run, pair, found, told.released_ids)
        numbers = {
            "VERDICT": found.verdict,
            "MEASURES_VERDICT": found.measures_verdict,
            "ADEQUATE": int(found.verdict == ADEQUATE),
            "N": len(found.rows),
            "VERBATIM": found.exposed.count,
            "VERBATIM_EXPECTED": found.exposed.limit,
            "VERBATIM_UNIQUE": found.exposed.unique,
            "NEARER": found.exposed.nearer,
            **microdata_attacks.numbers(battery, len(why)),
        }
        for one in found.comparisons:
            numbers[f"{one.measure.upper()}_EXCESS"] = one.excess
        if found.reidentification is not None:
            numbers["REIDENTIFIED"] = found.reidentification.rate
            # No number where all matches are right, or all are wrong.
            auc = existing(found.reidentification.auc)
            numbers.update({f"AUC_{name.upper()}": value for name, value in auc.items()})
        return Result(
            numbers,
            verdict,
            disclosurerisk_steps.steps(told, verdict, self.same_inputs(run, pair)),
            disclosurerisk_steps.not_run(told, ids.key is not None),
            lambda progress: reporting.report(told, self._pictures(pair, found, xy, run, progress)),
        )

    def _pictures(self, pair: Compared, found, xy, run, progress):
        if xy is None:
            return []
        from ..maps.pictures import if_possible, risk_pictures

        at = xy[pair.original.rows[found.rows]]
        there = np.isfinite(at).all(axis=1)
        if not there.any():
            return []
        return if_possible(
            run.feedback,
            lambda: risk_pictures(
                at[there], pair.original.records.crs, found.relative_distance[there], progress
            ),
        )
