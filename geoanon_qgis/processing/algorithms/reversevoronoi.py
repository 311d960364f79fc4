# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:reversevoronoi."""

from __future__ import annotations

import numpy as np
from qgis.core import QgsField

from ...core.attacks.voronoi.result import KIND_NAMES, UNMOVED
from ...core.runtime.progress import Progress
from ...core.verdict import SURE, judge
from .. import styling, verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog import notes, parameters
from ..dialog.declaration import Field, Value, private, reports
from ..families import reversal, withholding
from ..families.reversal import Attack, Places
from ..i18n import mark, tr
from ..layers.keys import RELEASED
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
    TAGS = mark(
        "privacy, attack, re-identification, disclosure risk, adversary, deanonymise, deanonymize"
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
            "coordinates and noise give lower, honest probabilities: what is claimed of records "
            "with several explanations is tried on releases of the attack's own. A layer that is "
            "no Voronoi mask of the candidates is told so."
        ),
        when=mark("Before you release a Voronoi-masked layer, and to explain why you do not."),
        cautions=(
            mark("The result shows where people live. It is as private as the originals."),
            mark(
                "Between the two members of a pair a coin decides; each has probability one half. "
                "Nothing but more knowledge about the people can do better."
            ),
            mark(
                "Very coarse coordinates leave records in a town thousands of explanations, and find "
                "little there; such are counted, not weighed one by one."
            ),
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

    WITHOUT_NUMBA = 1.7
    STEPS = {
        "read": 20,
        "score": 5,
        "reverse": 45,
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
            parameters.metres(
                "SIGMA",
                tr("Noise on the masked points (metres)"),
                tr(
                    "If the points were jittered after the mask: the standard deviation of the "
                    "noise along each axis. TOLERANCE is without it. Whether records were moved "
                    "one by one or place by place is seen."
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
        sigma = given.number("SIGMA")
        if sigma is not None and not 0 <= sigma < np.inf:
            return tr(
                "The standard deviation of the noise must be zero or a positive distance in metres, "
                "not {sigma:g}. Leave it empty if no noise was added to the masked points."
            ).format(sigma=sigma)
        if given.same_layer("INPUT", "CANDIDATES"):
            return tr(
                "The masked points and the candidates are one and the same layer: every point "
                "would be found at its own place. Choose as candidates the layer of the places "
                "where people could be, such as an address file or the originals."
            )
        return None

    def execute(self, run):
        """Read, attack, score, write, report."""
        attack = reversal.attack(run, reversal.read(run))
        run.tell(*reporting.before(attack))
        title, text = reporting.verdict_sentences(attack.reversal)
        run.warn(f"{title}. {text}", *reporting.warnings(attack.reversal))
        run.tell(reporting.found_sentence(attack.reversal), reporting.other_adversary())
        if attack.judged is not None:
            attack.judged.tell(run.feedback)
        run.tell(*reporting.scored(attack))
        _write(run.outputs, attack)
        found = attack.reversal
        numbers = {"FOUND": found.found, "EXPECTED_CORRECT": found.expected_correct}
        if attack.score is not None:
            numbers.update(CORRECT=attack.score.correct, SHARE_CORRECT=attack.score.share)
        return Result(
            numbers,
            judge([attack.evidence], "address_list", "whose_place", run.acceptable()),
            reporting.steps(attack),
            report=lambda progress: reporting.report(attack, _pictures(attack, progress)),
        )


def _write(outputs, attack: Attack) -> None:
    masked, candidates = attack.adversary.masked, attack.adversary.candidates
    found, crs = attack.reversal, masked.table.crs
    columns = [
        masked.ids,
        [candidates.ids[row] if row >= 0 else None for row in found.candidate.tolist()],
        _KINDS[found.kind].tolist(),
        found.probability.tolist(),
        found.pairs.tolist(),
        found.rivals.tolist(),
        attack.correct,
    ]
    assigned = found.candidate >= 0
    withholding.add(
        outputs,
        np.flatnonzero((found.probability >= SURE) & assigned),
        masked.ids,
        attack.adversary.key,
        candidates.table.xy[found.candidate],
        crs,
        found.kind == UNMOVED,
        found.probability,
    )
    fields = _fields(masked, candidates)
    places = np.where(assigned[:, None], candidates.table.xy[found.candidate], masked.table.xy)
    role = None if attack.right is None else styling.SCORED
    outputs.add_points("OUTPUT", places, fields, columns, crs, role=role)
    rows = np.flatnonzero(assigned).tolist()
    columns = [[column[row] for row in rows] for column in columns]
    outputs.add_lines("LINKS", masked.table.xy[rows], places[rows], fields, columns, crs)


def _fields(masked: Places, candidates: Places) -> list[QgsField | str]:
    """The fields of both layers; ids keep the type they came with."""
    released, candidate = RELEASED, "candidate_id"
    if masked.named:
        released = QgsField(masked.table.fields.field(0))
    if candidates.named:
        candidate = QgsField(candidates.table.fields.field(0))
        candidate.setName("candidate_id")
    return [released, candidate, *(one.name for one in _FIELDS[2:])]


def _pictures(attack: Attack, progress: Progress):
    from ..maps.pictures import reversal_pictures

    masked, found = attack.adversary.masked.table, attack.reversal
    candidates = attack.adversary.candidates.table.xy
    kinds = _KINDS[found.kind]
    return reversal_pictures(
        masked.xy, candidates, found.candidate, kinds, attack.right, masked.crs, progress
    )
