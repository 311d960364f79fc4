# SPDX-License-Identifier: GPL-2.0-or-later
"""Displacement masks: every place moves by a law, with numbers that are kept, inside its zone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, silent
from ..runtime.results import Summarised
from ..runtime.wording import number_of
from ..space.points import as_points, places
from .contained import draw_inside
from .kept_draws import AT_ONCE, MANY, KeptDraws
from .law import Law
from .zones import Zones, seen_from

#: Draws that may fall outside of a zone before one is made that cannot.
REJECTIONS = 64
#: What became of a point (the codes of :attr:`Displaced.kind`).
MOVED, NO_SIZE, NO_ZONE, NO_ROOM = 0, 1, 2, 3
_ROWS = 32_768
_A_DRAW = 2


@dataclass(frozen=True, repr=False)
class Displaced(Summarised):
    """Masked points, in the order of the originals.

    Attributes
    ----------
    xy : (n, 2) array
        Masked coordinates; not a number where a point is withheld.
    kind : (n,) int8 array
        ``MOVED``. Withheld: ``NO_SIZE``, no size is known for its law; ``NO_ZONE``, it lies in no
        zone; ``NO_ROOM``, nothing of its law lies in its zone.
    exact : (n,) bool array
        Whether the point was drawn inside its zone after 64 draws had fallen outside.
    shift : (n,) array
        Distance moved.
    """

    xy: np.ndarray
    kind: np.ndarray
    exact: np.ndarray
    shift: np.ndarray

    @property
    def withheld(self) -> np.ndarray:
        """Whether each point is withheld."""
        return self.kind != MOVED

    def in_words(self) -> str:
        """Say how many points moved, and how far in the middle."""
        moved = self.shift[~self.withheld]
        middle = f"; median shift {np.median(moved):,.3g}" if len(moved) else ""
        return (
            f"Displacement of {number_of(len(self.xy), 'point', 'points')}: {len(moved):,} moved,"
            f" {len(self.xy) - len(moved):,} withheld{middle}."
        )


def displace(
    xy: np.ndarray,
    law: Law,
    secret: bytes,
    mask: str,
    zones: Zones | None = None,
    zone: np.ndarray | None = None,
    stored: np.ndarray | None = None,
    progress: Progress = silent,
) -> Displaced:
    """Move points by a law; the same place with the same secret always to the same point.

    Points at one place move together. In a zone the law is conditioned on it: up to 64 draws may
    fall outside, and the next one is made inside (:func:`.contained.draw_inside`). Both have the
    same distribution, the law's density divided by its share in the zone
    (:func:`.zones.shares_inside`).

    Parameters
    ----------
    xy : (n, 2) array
        In a plane in metres. That plane must be the same for the next release, too.
    law : Law
        With a value for all points, or one for each of ``xy`` that depends on its place alone.
    secret : bytes
        See :func:`.kept_draws.read_secret`.
    mask : str
        The mask's id. The law's name and each point's sizes are added to it: other sizes, other
        numbers.
    zones : Zones, optional
    zone : (n,) int array, optional
        Zone of each point, below zero for none; the first one for all where it is not given.
    stored : (n, 2) array, optional
        Coordinates as they are stored, by which a place is known again; ``xy`` where not given.
    progress : callable

    Returns
    -------
    Displaced

    Raises
    ------
    InputError
        If coordinates are not finite, the secret is too short, or points at one place have
        different sizes or zones.
    """
    xy = as_points(xy)
    stored = xy if stored is None else as_points(stored)
    draws = KeptDraws(secret, f"{mask} {law.kind}", many=len(xy) >= MANY)
    own = np.zeros(len(xy), dtype=np.intp) if zone is None else np.asarray(zone, dtype=np.intp)
    _check(xy, stored, law, own)
    kind = np.full(len(xy), MOVED, dtype=np.int8)
    kind[~np.broadcast_to(law.possible, len(xy))] = NO_SIZE
    if zones is not None:
        kind[own < 0] = NO_ZONE
    masked, exact = np.full(xy.shape, np.nan), np.zeros(len(xy), dtype=bool)
    for rows in chunks(len(xy), _ROWS, progress):
        some = np.flatnonzero(kind[rows] == MOVED) + rows.start
        job = _Job(xy[some], stored[some], law.of(some), draws)
        if zones is None:
            all_of_them = np.arange(len(some))
            masked[some] = job.draw(all_of_them, job.uniform(draws, all_of_them, 0))
        else:
            masked[some], exact[some] = job.inside(zones, own[some], progress, rows.start / len(xy))
            kind[some[np.isnan(masked[some, 0])]] = NO_ROOM
    gap = masked - xy
    return Displaced(masked, kind, exact, np.hypot(gap[:, 0], gap[:, 1]))


def _check(xy: np.ndarray, stored: np.ndarray, law: Law, zone: np.ndarray) -> None:
    """Refuse what would move points at one place apart."""
    if len(stored) != len(xy) or len(zone) != len(xy) or law.count not in (None, len(xy)):
        raise InputError(
            "There must be one place, one zone and one size for each of the {points}.",
            points=number_of(len(xy), "point", "points"),
        )
    if law.count is None and not zone.any():
        return
    found = places(stored)
    first = np.empty(len(found.xy), dtype=np.intp)
    first[found.of_point] = np.arange(len(xy))
    same = first[found.of_point]
    sizes = law.parameters(len(xy))
    if not ((sizes == sizes[same]).all() and (zone == zone[same]).all()):
        raise InputError(
            "Some records at one place have different sizes or different zones: they would be"
            " moved apart, and the place would lie between them. Give all records of a place the"
            " same."
        )


@dataclass(frozen=True, eq=False)
class _Job:
    """Some points, and the numbers that are kept for them."""

    xy: np.ndarray
    stored: np.ndarray
    law: Law
    draws: KeptDraws

    def draw(self, rows: np.ndarray, uniform: np.ndarray) -> np.ndarray:
        """Draw a point for some, from two numbers each."""
        radius = self.law.of(rows).radii(np.ascontiguousarray(uniform[:, 0]))
        turn = 2 * np.pi * uniform[:, 1]
        drawn = self.xy[rows]
        drawn[:, 0] += radius * np.cos(turn)
        drawn[:, 1] += radius * np.sin(turn)
        return drawn

    def inside(
        self, zones: Zones, zone: np.ndarray, progress: Progress, fraction: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Points drawn inside zones, and which of them in the exact way; no number for no room."""
        masked, exact = np.full(self.xy.shape, np.nan), np.zeros(len(self.xy), dtype=bool)
        rows = np.arange(len(self.xy))
        for number in range(REJECTIONS * _A_DRAW // AT_ONCE):
            uniform = self.uniform(self.draws, rows, number)
            for first in range(0, AT_ONCE, _A_DRAW):
                if not len(rows):
                    return masked, exact
                progress(fraction)
                drawn = self.draw(rows, uniform[:, first : first + _A_DRAW])
                good = zones.contain(drawn, zone[rows])
                masked[rows[good]] = drawn[good]
                rows, uniform = rows[~good], uniform[~good]
        exact[rows] = True
        reach = np.broadcast_to(np.asarray(self.law.reach()), len(self.xy))
        for row in rows:
            progress(fraction)
            masked[row] = self._exactly(row, zones, zone[row : row + 1], reach[row : row + 1])
        return masked, exact & ~np.isnan(masked[:, 0])

    def _exactly(self, row: int, zones: Zones, zone: np.ndarray, reach: np.ndarray) -> np.ndarray:
        own = np.array([row])
        _, near, seen = seen_from(self.xy[own], zones, zone, reach)
        edges = zones.edges[near]
        # The shape of the zone counts, too: see :mod:`.kept_draws` for what sizes would tell.
        shape = edges[np.lexsort(edges.T)] + 0.0
        draws = self.draws.bound_to(shape.astype("<f8").tobytes())
        uniform = self.uniform(draws, own, REJECTIONS * _A_DRAW // AT_ONCE)[0, :_A_DRAW]
        inside = bool(zones.contain(seen, zone)[0])
        law = self.law.of(own).alone()
        steps, _ = draw_inside(edges - np.tile(seen[0], 2), inside, law, uniform)
        for step in steps:
            if zones.contain(seen + step, zone)[0]:
                return seen[0] + step
        return np.full(2, np.nan)

    def uniform(self, draws: KeptDraws, rows: np.ndarray, number: int) -> np.ndarray:
        """Numbers of one digest for some points."""
        sizes = self.law.of(rows).parameters(len(rows))
        return draws.uniforms(self.stored[rows], sizes, number)
