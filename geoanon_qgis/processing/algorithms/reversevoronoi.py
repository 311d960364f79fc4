# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:reversevoronoi."""

from __future__ import annotations

import numpy as np
from qgis.core import QgsField

from ...core.attacks.scoring import score
from ...core.attacks.voronoi.result import KIND_NAMES, UNMOVED
from ...core.attacks.voronoi.stored import reverse_stored
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, shares
from ...core.space.planes import PROJECTION_ERROR_M
from ...core.verdict import SURE, judge
from .. import styling, verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog import notes, parameters
from ..dialog.declaration import Field, Value, private, reports
from ..families import scoring, withholding
from ..families.matching import Other, match, shared_field
from ..i18n import mark, number_of, tr
from ..layers import planes
from ..layers.keys import RELEASED, read_key
from ..layers.reading import stored_sample
from ..reports import reversevoronoi as reporting
from ..running import Result

_KINDS = np.array(KIND_NAMES)
_FIELDS = (
    Field(RELEASED, "long"),
    Field("candidate_id", "long"),
    Field("kind", "string", mark("singleton, pair, unmoved, ambiguous or unresolved")),
    Field("probability", "double", mark("that the place is right")),
    Field("pairs", "int", mark("within the tolerance")),
    Field("rivals", "int", mark("that the mask's rules leave besides the assigned one")),
    Field("correct", "int", mark("1 or 0, of records that a fitting key names")),
)


class ReverseVoronoiAlgorithm(GeoAnonAlgorithm):
    """Undo a Voronoi mask as an adversary with a candidate list would."""

    NAME = "reversevoronoi"
    DISPLAY_NAME = mark("Reverse Voronoi masking")
    GROUP = "attackarelease"
    ICON = "reversevoronoi"
    TAGS = mark(
        "privacy, attack, re-identification, geomask, disclosure risk, adversary, deanonymise, "
        "deanonymize"
    )
    SHORT_DESCRIPTION = mark(
        "Finds the original places behind Voronoi-masked points, given a list of candidate places, "
        "and says how surely."
    )
    HELP = Help(
        what=mark(
            "Plays the adversary: somebody who has the masked points and a list of places where "
            "the people could be (an address file, all buildings). Each masked point lies midway "
            "between its original and the original's nearest neighbour, so the attack looks for "
            "pairs of candidates with the masked point as their midpoint, strikes out pairs that "
            "the mask could not have made, and shares the probability among what is left.\n\n"
            "Whether the candidates are exactly the originals or a larger set is detected. Rounded "
            "coordinates give lower, honest probabilities. A layer that is no Voronoi mask of the "
            "candidates is told so."
        ),
        when=mark("Before you release a Voronoi-masked layer, and to explain why you do not."),
        cautions=(
            mark("The result shows where people live. It is as private as the originals."),
            mark(
                "Between the two members of a pair a coin decides; each has probability one half. "
                "Nothing but more knowledge about the people can do better."
            ),
            mark("Very coarse coordinates with many candidates take long and find little."),
        ),
        reference=mark(
            "Moehler, J. (2023). On the reversibility of Voronoi geomasking. The search by "
            "antipodal pairs, the rules and the probabilities beyond one half are this plugin's."
        ),
    )
    REQUIRES = ("scipy",)

    OUTPUTS = (
        private(
            "OUTPUT",
            mark("Assigned candidates"),
            mark(
                "One point for each masked record at the candidate it is assigned to; an "
                "unresolved one stays at its masked place."
            ),
            "point",
            _FIELDS,
            role=styling.FOUND,
            optional=False,
        ),
        private(
            "LINKS",
            mark("Links"),
            mark("Lines from each masked point to its assigned candidate."),
            "line",
            _FIELDS,
            role=styling.LINKS,
        ),
        withholding.OUTPUT,
        *reports(mark("How many people were found again, how surely and why, and on which maps.")),
        Value(
            "FOUND",
            mark("Records found"),
            mark("Records that one pair of candidates, or one place, explains."),
        ),
        Value(
            "EXPECTED_CORRECT",
            mark("Expected number of right assignments"),
            mark("Sum of the probabilities: how many assignments are right on average."),
        ),
        Value(
            "CORRECT",
            mark("Right assignments (with a key)"),
            mark("None where the key cannot belong to these layers."),
        ),
        Value(
            "SHARE_CORRECT",
            mark("Share of right assignments (with a key)"),
            mark(
                "Their share of the records that the key names, 0 to 1. None where the key cannot "
                "belong to these layers."
            ),
        ),
        *verdicts.OUTPUTS,
    )

    STEPS = {
        "read": 20,
        "reverse": 45,
        "score": 5,
        "write": 20,
        "report": 10,
    }

    def inputs(self):
        """Return what is read."""
        return [
            notes.judged(
                parameters.points(
                    "INPUT",
                    tr("Masked points"),
                    tr(
                        "The release to attack. Its field masked_id, if there is one, names the "
                        "records; otherwise the feature id does."
                    ),
                )
            ),
            parameters.points(
                "CANDIDATES",
                tr("Candidate places"),
                tr(
                    "Points among which all originals are, in any coordinate reference system: the "
                    "originals themselves, an address file, all buildings. Not the masked layer."
                ),
            ),
            parameters.field(
                "CANDIDATE_ID",
                tr("Field with the candidates' ids"),
                tr("Copied to the result. Leave empty to use feature ids."),
                "CANDIDATES",
            ),
            parameters.table(
                "KEY",
                tr("Key, to score the attack"),
                tr(
                    "The private table that Voronoi masking wrote. With it the attack is scored; "
                    "it never helps the attack. The originals are found among the candidates by "
                    "the field that the key names, where the candidates have it, else by place."
                ),
                optional=True,
            ),
            parameters.metres(
                "TOLERANCE",
                tr("Tolerance (metres)"),
                tr(
                    "How far the midpoint of two candidates may lie from the masked point. Leave "
                    "empty to take it from the resolution of the masked coordinates: half the "
                    "diagonal of a rounding cell, or the rounding error of the arithmetic."
                ),
            ),
            parameters.seed(),
            verdicts.limit(),
        ]

    def check(self, given):
        """A tolerance is no negative length."""
        tolerance = given.number("TOLERANCE")
        if tolerance is not None and not 0 <= tolerance < np.inf:
            return tr(
                "The tolerance must be zero or a positive distance in metres, not {tolerance:g}. "
                "Leave it empty to take it from the resolution of the masked coordinates."
            ).format(tolerance=tolerance)
        if given.same_layer("INPUT", "CANDIDATES"):
            return tr(
                "The masked points and the candidates are one and the same layer: every point "
                "would be found at its own place. Choose as candidates the layer of the places "
                "where people could be, such as an address file or the originals."
            )
        return None

    def execute(self, run):
        """Read, attack, score, write, report."""
        read_masked, read_candidates = shares(run.step("read"), 2)
        source = run.source("INPUT")
        known = run.source("CANDIDATES")
        key_source = run.source("KEY")
        key = None if key_source is None else read_key(key_source)
        has_id = source.fields().lookupField(RELEASED) >= 0
        masked = run.points(source, read_masked, [RELEASED] if has_id else [])
        id_field = run.field("CANDIDATE_ID", known)
        shared = shared_field(key, known.fields())
        candidates = run.points(
            known, read_candidates, [one for one in (id_field, shared) if one], masked.crs
        )
        if len(masked) == 0:
            raise InputError(tr("The layer of masked points has no usable points to attack."))

        moved_system = known.sourceCrs() != source.sourceCrs()
        slack = _system_slack(known) if moved_system else 0.0
        given = run.number("TOLERANCE")
        plane, reversal, tolerance = reverse_stored(
            masked.xy,
            candidates.xy,
            planes.wkt(masked.crs),
            tolerance=given,
            slack=slack,
            rng=run.rng(),
            progress=run.step("reverse"),
        )

        masked_ids = masked.columns[RELEASED][:] if has_id else masked.ids.tolist()
        candidate_ids = candidates.columns[id_field][:] if id_field else candidates.ids.tolist()
        judged, right = None, None
        if key is not None:
            judged, right = self._score(
                key,
                masked_ids,
                reversal,
                candidates,
                Other(
                    known,
                    candidates.ids.tolist(),
                    candidates.xy,
                    masked.crs,
                    candidates.columns,
                    id_field,
                ),
                run.context,
                run.step("score"),
            )
        remarks = self._remarks(known, source, moved_system)
        result = reporting.Attack(
            source.sourceName(),
            known.sourceName(),
            reversal,
            len(candidates),
            None if right is None else score(right[judged.match.named]),
            right,
            judged,
            tolerance,
            given is not None,
            planes.unit(masked.crs),
            planes.describe(plane, masked.crs),
            masked.left_out,
            candidates.left_out,
            remarks,
        )
        self._tell(result, run)
        fields = self._fields(masked, candidates, bool(id_field))
        columns = [
            masked_ids,
            [candidate_ids[row] if row >= 0 else None for row in reversal.candidate.tolist()],
            _KINDS[reversal.kind].tolist(),
            reversal.probability.tolist(),
            reversal.pairs.tolist(),
            reversal.rivals.tolist(),
            [None] * len(masked)
            if right is None
            else [
                int(one) if known_one else None
                for one, known_one in zip(right.tolist(), judged.match.named.tolist())
            ],
        ]
        at_risk = (reversal.probability >= SURE) & (reversal.candidate >= 0)
        withholding.add(
            run.outputs,
            np.flatnonzero(at_risk),
            masked_ids,
            key,
            candidates.xy[reversal.candidate],
            masked.crs,
            reversal.kind == UNMOVED,
            reversal.probability,
        )
        self._write(
            run.outputs,
            masked,
            candidates,
            reversal,
            fields,
            columns,
            right is not None,
        )
        numbers = {"FOUND": reversal.found, "EXPECTED_CORRECT": reversal.expected_correct}
        if result.score is not None:
            numbers.update(CORRECT=result.score.correct, SHARE_CORRECT=result.score.share)
        verdict = judge([result.evidence], "address_list", "whose_place", run.acceptable())
        return Result(
            numbers,
            verdict,
            reporting.steps(result),
            report=lambda progress: reporting.report(
                result, self._pictures(masked, candidates, reversal, right, progress)
            ),
        )

    @staticmethod
    def _score(key, masked_ids, reversal, candidates, other: Other, context, progress):
        """Which records were assigned to their true place; None where the key does not fit."""
        found = match(key, masked_ids, other, context, progress)
        there = (found.rows >= 0) & (reversal.candidate >= 0)
        same = (candidates.xy[reversal.candidate] == candidates.xy[found.rows]).all(axis=1)
        right = there & same
        named = found.named
        # The two members of a pair are right or wrong together.
        judged = scoring.judge(found, reversal.probability[named], right[named], together=2)
        return judged, right if judged.holds else None

    def _remarks(self, known, source, moved_system: bool) -> list[str]:
        remarks = []
        if moved_system and not (source.sourceCrs().isValid() and known.sourceCrs().isValid()):
            remarks.append(
                tr(
                    "One of the layers has no coordinate reference system; both were taken to be "
                    "in the same."
                )
            )
        elif moved_system:
            remarks.append(
                tr("The candidates were transformed from {candidates} to {masked}.").format(
                    candidates=planes.name(known.sourceCrs()),
                    masked=planes.name(source.sourceCrs()),
                )
            )
        return remarks

    def _tell(self, result, run) -> None:
        run.tell(result.plane_sentence)
        run.tell(*result.remarks)
        reversal = result.reversal
        run.tell(
            tr("Tolerance: {tolerance:.3g} {unit}.").format(
                tolerance=result.tolerance, unit=result.unit
            )
        )
        title, text = reporting.verdict_sentences(reversal)
        run.warn(f"{title}. {text}")
        run.warn(*reporting.warnings(reversal))
        run.tell(
            tr(
                "Explained by one pair of candidates or one place: {found} of {count}. Assignments "
                "that are expected to be right: {expected:.1f}."
            ).format(
                found=reversal.found,
                expected=reversal.expected_correct,
                count=number_of(len(reversal.kind), "record", "records"),
            )
        )
        if result.judged is not None:
            result.judged.tell(run.feedback)
        if result.score is not None:
            run.tell(
                tr("Right by the key: {correct} of {count}, {share:.1f} %.").format(
                    correct=result.score.correct,
                    count=result.score.total,
                    share=100 * result.score.share,
                )
            )

    @staticmethod
    def _fields(masked, candidates, named: bool) -> list[QgsField | str]:
        """The fields of both layers; ids keep the type they came with."""
        released, candidate = RELEASED, "candidate_id"
        if masked.fields.count():
            released = QgsField(masked.fields.field(0))
        if named:
            candidate = QgsField(candidates.fields.field(0))
            candidate.setName("candidate_id")
        return [released, candidate, *(one.name for one in _FIELDS[2:])]

    @staticmethod
    def _write(outputs, masked, candidates, reversal, fields, columns, scored) -> None:
        assigned = reversal.candidate >= 0
        places = np.where(assigned[:, None], candidates.xy[reversal.candidate], masked.xy)
        role = styling.SCORED if scored else None
        outputs.add_points("OUTPUT", places, fields, columns, masked.crs, role=role)
        rows = np.flatnonzero(assigned).tolist()
        outputs.add_lines(
            "LINKS",
            masked.xy[rows],
            places[rows],
            fields,
            [[column[row] for row in rows] for column in columns],
            masked.crs,
        )

    def _pictures(self, masked, candidates, reversal, right, progress: Progress):
        from ..maps.pictures import reversal_pictures

        return reversal_pictures(
            masked.xy,
            candidates.xy,
            reversal.candidate,
            _KINDS[reversal.kind],
            right,
            masked.crs,
            progress,
        )


def _system_slack(known) -> float:
    """What transforming the candidates may have moved them by, in metres.

    Their stored coordinates may have been rounded when they were written in another system.
    """
    error = planes.rounding_error(stored_sample(known), known.sourceCrs())
    return error + PROJECTION_ERROR_M
