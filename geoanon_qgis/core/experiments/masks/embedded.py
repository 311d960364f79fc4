# SPDX-License-Identifier: GPL-2.0-or-later
"""Distances between masked points, released by a Lipschitz embedding, to choose beside point masks.

**What they can tell.** Released distances are made of the masked points and of reference points that
hang on nothing else. Whatever an adversary makes of them he could make of the masked points (data
processing): on average he finds no larger share of the people than who has these points, and of
nobody can he always be surer. So they are judged as though the masked points were released, by the
posteriors of both adversaries. That is an upper end which no attack on distances exceeds, be it one that
draws the whole map; and no less is promised, since those who know some records for certain come near
to it: small distances are kept.

**What attacks that there are find** is told besides (:attr:`.case.Trial.linked`), of somebody stronger
than either adversary: he knows everybody of a neighbourhood, and links their records by distances alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...attacks.linkage.compatibility import LipschitzEmbedding
from ...attacks.linkage.inputs import Files
from ...attacks.linkage.near_group import NearLimits, near_group
from ...attacks.linkage.signature_result import SignatureLimits
from ...attacks.linkage.signatures import signature_attack
from ...distances.lipschitz import embed, embedded_distances, reference_sets
from ...distances.matrix import DistanceMatrix
from ...runtime.progress import Progress, part, silent
from ...space.areas import StudyArea
from ...space.metrics import metric_for
from .case import Case, Trial
from .family import DISTANCES, Family
from .standing import Limit

#: Sets of reference points, and points in each: as releases have them where nobody says otherwise.
SETS, SIZE = 20, 20
#: People of a neighbourhood all of whom are known, and the fewest that attacks can learn from.
_KNOWN, _FEWEST = 200, 8
#: Steps of the near group, work of signatures and releases of the adversary's own: a few seconds.
_STEPS, _WORK, _OWN = 20_000_000, 150_000_000, 3
_SHARE = 0.9


@dataclass(frozen=True, eq=False)
class Embedded(Family):
    """Distances after a point mask.

    Attributes
    ----------
    before : Family
        The point mask.
    """

    before: Family
    algorithm = "lipschitzrelease"
    kind = DISTANCES

    @property
    def name(self) -> str:
        """See :class:`.Family`."""
        return f"distances after {self.before.name}"

    # The search goes as that of the mask before.
    @property
    def certain(self) -> bool:  # type: ignore[override]
        """See :class:`.Family`."""
        return self.before.certain

    @property
    def from_below(self) -> bool:  # type: ignore[override]
        """See :class:`.Family`."""
        return self.before.from_below

    @property
    def falls(self) -> float:  # type: ignore[override]
        """See :class:`.Family`."""
        return self.before.falls

    @property
    def withholds_small(self) -> bool:  # type: ignore[override]
        """See :class:`.Family`."""
        return self.before.withholds_small

    @property
    def unswayed(self) -> frozenset[str]:  # type: ignore[override]
        """See :class:`.Family`."""
        return self.before.unswayed

    def sizes(self, case: Case) -> np.ndarray:
        """Those of the mask."""
        return self.before.sizes(case)

    def first(self, sizes: np.ndarray, limit: Limit) -> int:
        """See :class:`.Family`."""
        return self.before.first(sizes, limit)

    def prepare(self, case: Case, shared: dict[str, Any], ask: Progress = silent) -> None:
        """See :class:`.Family`."""
        self.before.prepare(case, shared, ask)

    def parameters(self, size: float) -> dict[str, Any]:
        """Of the release of distances; those of the mask are its own."""
        return {"SETS": SETS, "SIZE": SIZE}

    def mask_parameters(self, size: float) -> dict[str, Any]:
        """Of the point mask."""
        return self.before.parameters(size)

    def trial(
        self,
        case: Case,
        size: float,
        rng: np.random.Generator,
        asked: np.ndarray,
        sure: bool,
        ask: Progress = silent,
    ) -> Trial:
        """See :class:`.Family`: the mask is tried, of which distances tell no more."""
        return self.before.trial(case, size, rng, asked, sure, ask)

    def finished(
        self, case: Case, trial: Trial, rng: np.random.Generator, ask: Progress = silent
    ) -> Trial:
        """Make distances of the masked points, and attack them."""
        there = np.flatnonzero(~np.isnan(trial.xy[:, 0]))
        metric, area = metric_for("planar", None), StudyArea.convex_hull(trial.xy[there], None)
        drawn = reference_sets(area, SETS, SIZE, rng)
        embedding = np.full((case.people, SETS), np.nan)
        embedding[there] = embed(trial.xy[there], drawn, metric, part(ask, 0.0, 0.2))
        linked = _linked(case, trial.xy, embedding, area, rng, part(ask, 0.2, 1.0))
        return replace(trial, embedding=embedding, linked=linked)


def _linked(
    case: Case,
    xy: np.ndarray,
    embedding: np.ndarray,
    area: StudyArea,
    rng: np.random.Generator,
    ask: Progress,
) -> tuple[int, int]:
    """People of a neighbourhood, and how many of them the better of two attacks names rightly.

    He knows who of the file lives there and which records are theirs, not which is whose, and by how
    much the mask moved points; records and people are in an order of their own. That he takes any mask
    for Gaussian of that spread is the one thing that he could do better.
    """
    there = np.flatnonzero(~np.isnan(xy[:, 0]))
    if len(there) < _FEWEST:
        return 0, 0
    middle = case.xy[there[rng.integers(len(there))]]
    away = np.hypot(*(case.xy[there] - middle).T)
    who = there[np.argsort(away, kind="stable")[:_KNOWN]]
    order = rng.permutation(len(who))
    moved = float(np.sqrt(np.mean((xy[who] - case.xy[who]) ** 2)))
    classes = [0] * len(who) if case.known is None else case.known[who].tolist()
    files = Files(
        classes,
        DistanceMatrix.numbered(embedded_distances(embedding[who])),
        [classes[row] for row in order.tolist()],
        case.xy[who[order]],
        metric_for("planar", None),
        LipschitzEmbedding(SETS, SIZE, area, _SHARE, pre_noise=moved),
        unit_length=1.0,
    )
    near = near_group(
        files, limits=NearLimits(steps=_STEPS), rng=rng, progress=part(ask, 0.0, 0.5)
    ).as_linkage()
    limits = SignatureLimits(work=_WORK, releases=_OWN)
    alike = signature_attack(files, rng=rng, progress=part(ask, 0.5, 1.0), limits=limits)
    pairs = [near.matches, alike.matches]
    pairs += [one.guesses for one in (near, alike) if one.guesses is not None]
    right = [int((order[one[:, 1]] == one[:, 0]).sum()) for one in pairs if len(one)]
    return len(who), max(right, default=0)
