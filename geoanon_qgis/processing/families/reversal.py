# SPDX-License-Identifier: GPL-2.0-or-later
"""A reversed Voronoi mask: what the adversary has, what he finds, and what the key says of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.attacks.scoring import Score, score
from ...core.attacks.voronoi.result import VoronoiReversal
from ...core.attacks.voronoi.stored import reverse_stored
from ...core.runtime.errors import InputError
from ...core.runtime.progress import shares
from ...core.space.planes import PROJECTION_ERROR_M
from ...core.verdict import Evidence
from ..i18n import tr
from ..layers import planes
from ..layers.keys import RELEASED, Key, read_key
from ..layers.reading import PointTable, stored_sample
from ..running import Run
from . import scoring
from .matching import Match, Other, match, shared_field


@dataclass(frozen=True)
class Places:
    """Points of a layer.

    Attributes
    ----------
    name : str
        The layer's.
    table : PointTable
    ids : list
        By which the points are named.
    named : bool
        Whether the ids are a field, which is the table's first, and no feature ids.
    """

    name: str
    table: PointTable
    ids: list
    named: bool


@dataclass(frozen=True)
class Adversary:
    """What he has, both in the system of the masked points.

    Attributes
    ----------
    masked, candidates : Places
    slack : float
        Metres by which transforming the candidates may have moved them.
    remarks : list of str
        Of reference systems.
    key : Key or None
    found : Match or None
        Where the key leads among the candidates.
    """

    masked: Places
    candidates: Places
    slack: float
    remarks: list[str]
    key: Key | None
    found: Match | None


def read(run: Run) -> Adversary:
    """Read the masked points, the candidates, and the key where there is one.

    Raises
    ------
    InputError
        If there is nothing to attack.
    """
    of_masked, of_candidates = shares(run.step("read"), 2)
    source, known, key_source = (run.source(name) for name in ("INPUT", "CANDIDATES", "KEY"))
    key = None if key_source is None else read_key(key_source)
    has_id = source.fields().lookupField(RELEASED) >= 0
    masked = run.points(source, of_masked, [RELEASED] if has_id else [])
    masked_ids = masked.columns[RELEASED][:] if has_id else masked.ids.tolist()
    id_field = run.field("CANDIDATE_ID", known)
    fields = [*filter(None, (id_field, shared_field(key, known.fields())))]
    candidates = run.points(known, of_candidates, fields, masked.crs)
    if len(masked) == 0:
        raise InputError(tr("The layer of masked points has no usable points to attack."))
    feature_ids = candidates.ids.tolist()
    ids = candidates.columns[id_field][:] if id_field else feature_ids
    found = None
    if key is not None:
        columns = candidates.columns
        other = Other(known, feature_ids, candidates.xy, masked.crs, columns, id_field)
        found = match(key, masked_ids, other, run.context, run.step("score"))
    slack, remarks = _moved(source, known)
    return Adversary(
        Places(source.sourceName(), masked, masked_ids, has_id),
        Places(known.sourceName(), candidates, ids, bool(id_field)),
        slack,
        remarks,
        key,
        found,
    )


def _moved(source, known) -> tuple[float, list[str]]:
    """What transforming the candidates may have moved them by, and what is said of it.

    Their stored coordinates may have been rounded when they were written in another system.
    """
    here, there = source.sourceCrs(), known.sourceCrs()
    if here == there:
        return 0.0, []
    slack = planes.rounding_error(stored_sample(known), there) + PROJECTION_ERROR_M
    if not (here.isValid() and there.isValid()):
        return slack, [
            tr(
                "One of the layers has no coordinate reference system; both were taken to be in "
                "the same."
            )
        ]
    return slack, [
        tr("The candidates were transformed from {candidates} to {masked}.").format(
            candidates=planes.name(there), masked=planes.name(here)
        )
    ]


@dataclass(frozen=True, eq=False)
class Attack:
    """What an adversary found.

    Attributes
    ----------
    adversary : Adversary
    reversal : VoronoiReversal
    tolerance : float
        In ``unit``.
    tolerance_is_given : bool
    unit : str
    plane_sentence : str
    sigma : float
        Of noise on the masked points, in ``unit``; 0 for none.
    """

    adversary: Adversary
    reversal: VoronoiReversal
    tolerance: float
    tolerance_is_given: bool
    unit: str
    plane_sentence: str
    sigma: float = 0.0

    @cached_property
    def _same(self) -> np.ndarray:
        """Which records were assigned to the place where the key says they are."""
        rows, candidate = self.adversary.found.rows, self.reversal.candidate
        xy = self.adversary.candidates.table.xy
        return (rows >= 0) & (candidate >= 0) & (xy[candidate] == xy[rows]).all(axis=1)

    @cached_property
    def judged(self) -> scoring.Judged | None:
        """What the key says, and whether it fits; None without one."""
        found = self.adversary.found
        if found is None:
            return None
        # The two members of a pair are right or wrong together.
        probability, right = self.reversal.probability[found.named], self._same[found.named]
        return scoring.judge(found, probability, right, together=2)

    @property
    def right(self) -> np.ndarray | None:
        """Which records were right, (n,) bool; None without a key that fits."""
        return self._same if self.judged is not None and self.judged.holds else None

    @property
    def correct(self) -> list[int | None]:
        """Whether each record was right, None where the key does not say."""
        if self.right is None:
            return [None] * len(self.reversal.kind)
        pairs = zip(self.right.tolist(), self.adversary.found.named.tolist())
        return [int(right) if named else None for right, named in pairs]

    @cached_property
    def score(self) -> Score | None:
        """Of the records that a key that fits names."""
        return None if self.right is None else score(self.right[self.adversary.found.named])

    @property
    def evidence(self) -> Evidence:
        """What the attack shows: counted where the key fits, else expected."""
        if self.score is None:
            return self.reversal.evidence()
        return self.reversal.evidence(self.right & self.adversary.found.named, self.score.total)


def attack(run: Run, adversary: Adversary) -> Attack:
    """Reverse the mask."""
    masked, given = adversary.masked.table, run.number("TOLERANCE")
    sigma = float(run.number("SIGMA") or 0.0)
    plane, reversal, tolerance = reverse_stored(
        masked.xy,
        adversary.candidates.table.xy,
        planes.wkt(masked.crs),
        tolerance=given,
        slack=adversary.slack,
        sigma=sigma,
        rng=run.rng(),
        progress=run.step("reverse"),
    )
    unit, sentence = planes.unit(masked.crs), planes.describe(plane, masked.crs)
    return Attack(adversary, reversal, tolerance, given is not None, unit, sentence, sigma)
