# SPDX-License-Identifier: GPL-2.0-or-later
"""Displacement by a law, of one size for all or by the k-th address, as masks to choose from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...attacks.masks.likelihood import Likelihood, by_law
from ...attacks.masks.several import combined
from ...masking.law import Law
from ...masking.laws import BY_AREA, Donut, Gaussian, Laplace, disc
from ...masking.sizes import Neighbours, law_of_radii
from ...runtime.errors import InputError
from ...runtime.progress import Progress, part, silent
from ...runtime.wording import mark
from ...space.points import build_tree
from .case import MANY, Case, Trial, believed
from .family import Family
from .smoothed import SEARCHING, SURE, smoothly_believed

#: Hole of a donut, as a part of its radius, and of its number of addresses.
HOLE, K_HOLE = 0.6, 5
#: Pairs that are looked at one by one while a size is looked for, when it is judged, and at most.
_SEARCHED, _JUDGED, _MOST = 500_000, 1_500_000, 40_000_000
#: Pairs up to which it is worked out what all points tell together where many of all are in the file.
_TOGETHER = 5_000_000
#: Addresses that a law reaches from one point, from which on they are put together to cells.
_WIDE = 1_000
#: Below what uniform numbers may not be: their logarithm is taken.
_LEAST = 2.0**-53
#: Steps from one size to the next, and sizes: those of whole numbers of addresses go as far.
_RATIO, _ADDRESSES = 1.05, 400
#: Points at which it is counted how many addresses a law reaches.
_PROBED = 50
LAWS = ("disc", "donut", "gaussian", "laplace")

_TOO_WIDE = mark(
    "Several releases of a law that reaches so many addresses are too much to attack here."
)


@dataclass(frozen=True, eq=False)
class ByLaw(Family):
    """Displacement with one size for all.

    Attributes
    ----------
    law : str
        Of :data:`LAWS`.
    """

    law: str = "gaussian"
    algorithm = "maskdisplace"

    @property
    def name(self) -> str:
        """See :class:`.Family`."""
        return self.law

    def sizes(self, case: Case) -> np.ndarray:
        """Radii, standard deviations, or mean shifts, in metres."""
        extent = np.ptp(case.candidates, axis=0)
        high = float(np.hypot(*extent)) / 4
        low = min(high, float(np.median(build_tree(case.candidates).query(case.xy, k=2)[0][:, 1])))
        low = max(low / 2, high / 1e4)
        count = int(np.ceil(np.log(high / low) / np.log(_RATIO))) + 1
        found = [float(f"{one:.3g}") for one in low * _RATIO ** np.arange(count)]
        return np.unique(found)

    def law_of(self, case: Case, size: float) -> Law:
        """The law of all candidates."""
        if self.law == "disc":
            return disc(size)
        if self.law == "donut":
            return Donut(float(f"{HOLE * size:.3g}"), size, BY_AREA)
        return Gaussian(size) if self.law == "gaussian" else Laplace(2 / size)

    def parameters(self, size: float) -> dict[str, Any]:
        """See :class:`.Family`."""
        told: dict[str, Any] = {"LAW": self.law, "SIZE_BY": "distance"}
        if self.law == "laplace":
            return {**told, "EPSILON": float(f"{2 / size:.6g}")}
        hole = {"MIN": float(f"{HOLE * size:.3g}")} if self.law == "donut" else {}
        return {**told, **hole, "MAX": size}

    def trial(
        self,
        case: Case,
        size: float,
        rng: np.random.Generator,
        asked: np.ndarray,
        sure: bool,
        ask: Progress = silent,
    ) -> Trial:
        """See :class:`.Family`."""
        law = self.law_of(case, size)
        own = law.of(case.home)
        possible = np.broadcast_to(own.possible, case.people)
        # The same numbers for every size: what differs between two is what the size does.
        drawn = []
        for _ in range(case.releases):
            uniform = np.maximum(rng.random((case.people, 2)), _LEAST)
            away, turn = own.radii(uniform[:, 0].copy()), 2 * np.pi * uniform[:, 1]
            xy = case.xy + away[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
            drawn.append(np.where(possible[:, None], xy, np.nan))
        reached = _reached(case, drawn[0][possible], law)
        pairs = case.people * reached
        if is_wide(case, reached, sure):
            fineness = SURE if sure else SEARCHING
            tops = smoothly_believed(case, drawn[0], law, asked, fineness, ask)
            return Trial(drawn[0], tops, {})
        if pairs > _MOST:
            raise InputError(_TOO_WIDE)
        likelihood = None
        rows = np.flatnonzero(possible)
        for number, xy in enumerate(drawn):
            told = part(ask, number / len(drawn), (number + 1) / len(drawn))
            one = spread(by_law(xy[rows], case.candidates, law, progress=told), rows, case.people)
            likelihood = one if likelihood is None else multiplied(likelihood, one)
        assert likelihood is not None  # there is a release
        return Trial(drawn[0], believed(case, likelihood, asked, sure, ask), {})


@dataclass(frozen=True, eq=False)
class ByAddresses(ByLaw):
    """Displacement as far as the k-th address, public as the list is."""

    _radii: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """See :class:`.Family`."""
        return f"{self.law} by addresses"

    def sizes(self, case: Case) -> np.ndarray:
        """Numbers of addresses."""
        most = min(_ADDRESSES, len(case.candidates) // 4)
        count = max(0, int(np.log(max(most, 1) / 5) / np.log(1.1))) + 1
        found = np.unique(np.round(5 * 1.1 ** np.arange(count)))
        return found[found <= most]

    def law_of(self, case: Case, size: float) -> Law:
        """The law of each candidate."""
        least = max(2, round(size / K_HOLE))
        away = self._radii["all"]
        low, high = (away[k] for k in (least, int(size)))
        return law_of_radii(self.law, high, low if self.law == "donut" else None)

    def prepare(self, case: Case, shared: dict[str, Any], ask: Progress = silent) -> None:
        """Measure how far the addresses are, once for all laws."""
        if "radii" not in shared:
            ks = sorted({2, *(int(k) for k in self.sizes(case))})
            ks = sorted({*ks, *(max(2, round(k / K_HOLE)) for k in ks)})
            away = Neighbours(case.candidates).distances(case.candidates, ks, ask)
            shared["radii"] = dict(zip(ks, np.ascontiguousarray(away.T)))
        self._radii["all"] = shared["radii"]

    def parameters(self, size: float) -> dict[str, Any]:
        """See :class:`.Family`."""
        told: dict[str, Any] = {"LAW": self.law, "SIZE_BY": "candidates"}
        hole = {"K_MIN": max(2, round(size / K_HOLE))} if self.law == "donut" else {}
        return {**told, **hole, "K_MAX": int(size)}


def is_wide(case: Case, reached: float, sure: bool) -> bool:
    """Whether a mask of so many addresses to a point is not looked at pair by pair."""
    pairs = case.people * reached
    if case.people > MANY * len(case.candidates) and pairs <= _TOGETHER:
        return False  # points tell of each other, however many addresses each may have
    many = reached > _WIDE or pairs > (_JUDGED if sure else _SEARCHED)
    return case.releases == 1 and many


def multiplied(one: Likelihood, other: Likelihood) -> Likelihood:
    """Likelihood of two releases of the same records whose draws are independent."""
    both = combined(one, other, np.arange(one.points))
    return Likelihood.of_pairs(both.points, both.candidates, both.point, both.candidate, both.value)


def spread(likelihood: Likelihood, rows: np.ndarray, count: int) -> Likelihood:
    """The same for all ``count`` points, of which some (``rows``, ascending) have one."""
    many = np.zeros(count, dtype=np.int64)
    many[rows] = np.diff(likelihood.first)
    first = np.concatenate([[0], np.cumsum(many)])
    return Likelihood(likelihood.candidates, first, likelihood.candidate, likelihood.value)


def _reached(case: Case, xy: np.ndarray, law: Law) -> float:
    """Mean number of addresses whose law reaches a point."""
    if not len(xy):
        return 0.0
    some = xy[:: max(1, len(xy) // _PROBED)]
    tree = build_tree(case.candidates)
    reach = np.asarray(law.reach(1e-9), dtype=np.float64)
    if law.count is not None:
        reach = reach[tree.query(some)[1]]
    return float(tree.query_ball_point(some, reach, return_length=True).mean())
