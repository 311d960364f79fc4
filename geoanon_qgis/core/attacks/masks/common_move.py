# SPDX-License-Identifier: GPL-2.0-or-later
"""A movement that all points of a release share, found by the release and the address list alone.

A shift, turn, stretch or reflection of all points together hides nobody: the pattern of the points
is still that of some addresses, and only one way to lay it upon the list fits.

A *shift*, also of points that were moved one by one besides: each pair of a point and an address
votes for its difference, and differences with many more votes than those round them are tried. A
*turn* (a similarity: with one scale, also reflected) of points that were not moved besides: two points of the middle and every two addresses
near them tell one, and further points whether it fits. What fits is laid out anew by an affine map.

Half of the points find it, and the other half says whether it is true: it must explain them far
better than the likeliest law without it, and than the same movement in other directions (a shift), or
with the points put elsewhere near by (a turn). What is not clearly beyond all of these is not told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ...runtime.progress import Progress, part, shares, silent
from ...space.points import as_points, build_tree
from .estimate import Mixture, estimate

#: Fewest points; points of each half that are looked at; pairs that vote.
FEWEST, _HALF, _VOTES = 40, 200, 20_000_000
#: Cells of the votes along each axis, scales at which they are counted, and peaks that are tried.
_CELLS, _SCALES, _PEAKS = 2048, 7, 4
#: Standard errors, and logarithms of likelihood, by which it has to be better on the other half.
_SURE, _GAIN, _DIRECTIONS = 5.0, 20.0, 36
#: Addresses near each of two points that are tried for them; a fit, in distances of neighbours.
_NEAR, _FITS, _ANCHORS, _CHECKED, _LOT = 600, 0.05, 3, 7, 100
_ELSEWHERE, _LOT_OF_VOTES = 200, 2_000_000
#: Standard deviations of the addresses by which the middle of the points lies beside theirs.
_OFF = 0.1
#: Smallest step (metres) by which a shift is made better; addresses by which neighbours are told.
_FINEST, _SAMPLE = 0.02, 5000


@dataclass(frozen=True, eq=False)
class CommonMove:
    """What all points share: released = turn · home + shift.

    Attributes
    ----------
    turn : (2, 2) array
        The unit matrix for a shift.
    shift : (2,) array
    tested, better : float
        Points that said whether it is true, and how much likelier it makes each of them on average
        (logarithm), or 0 for a turn.
    fits, by_chance : float
        Of a turn: share of them that lie at an address without it, and the largest share with the
        points put elsewhere.
    """

    turn: np.ndarray
    shift: np.ndarray
    tested: int
    better: float = 0.0
    fits: float = 0.0
    by_chance: float = 0.0

    @property
    def is_shift(self) -> bool:
        """Whether it is the same for all points."""
        return bool((self.turn == np.eye(2)).all())

    def undone(self, xy: np.ndarray) -> np.ndarray:
        """Take it off, (n, 2)."""
        return np.linalg.solve(self.turn, (xy - self.shift).T).T


def common_move(
    released: np.ndarray,
    candidates: np.ndarray,
    weight: np.ndarray | None = None,
    progress: Progress = silent,
) -> CommonMove | None:
    """Look for a movement that all points share.

    Parameters
    ----------
    released : (n, 2) array
        In metres of a plane, each place once.
    candidates : (m, 2) array
        Distinct.
    weight : (m,) array, optional
    progress : callable

    Returns
    -------
    CommonMove or None
        None where there are fewer than 40 points, or nothing is clearly better than none.
    """
    released, candidates = as_points(released), as_points(candidates)
    if len(released) < FEWEST or len(candidates) < FEWEST:
        return None
    order = np.random.default_rng(0).permutation(len(released))
    half = min(len(order) // 2, _HALF)
    finding, testing = released[order[:half]], released[order[half : 2 * half]]
    tree = build_tree(candidates, part(progress, 0.0, 0.05))
    some = candidates[:: max(1, len(candidates) // _SAMPLE)]
    reach = _FITS * float(np.median(tree.query(some, k=2)[0][:, 1]))
    if _fit(tree, testing, reach) > 0.5:  # not moved, or put at addresses
        return None
    found = _shift(finding, testing, candidates, weight, tree, part(progress, 0.05, 0.6))
    if found is None or _fit(tree, found.undone(testing), reach) <= 0.5:
        # What was turned about a far point lies nearer after a shift, too.
        turned = _turn(finding, testing, candidates, tree, reach, part(progress, 0.6, 1.0))
        found = turned or found
    progress(1.0)
    return found


# --- a turn -----------------------------------------------------------------------------------


def _turn(finding, testing, candidates, tree, reach: float, told: Progress) -> CommonMove | None:
    # Turned about a far point they lie far from the list; then the middles are laid upon each other.
    off = np.median(candidates, axis=0) - np.median(finding, axis=0)
    ways = (
        [np.zeros(2), off] if (np.abs(off) > _OFF * candidates.std(axis=0)).any() else [np.zeros(2)]
    )
    for way, ahead in zip(ways, shares(told, len(ways))):
        found = _turn_about(finding + way, testing + way, candidates, tree, reach, ahead)
        if found is not None:
            return replace(found, shift=found.shift - way)
    return None


def _turn_about(
    finding, testing, candidates, tree, reach: float, told: Progress
) -> CommonMove | None:
    middle = np.median(finding, axis=0)
    order = np.argsort(np.hypot(*(finding - middle).T))
    steps = shares(told, 2 * _ANCHORS)
    for number in range(_ANCHORS):
        # Two of the middle, and some between and round them that say whether they fit.
        chosen = finding[order[_CHECKED * number : _CHECKED * (number + 1)]]
        for mirrored in (False, True):
            for back in _similar(chosen, tree, candidates, reach, mirrored, next(steps)):
                found = _laid_out(back, finding[order], tree, candidates, reach)
                if found is None:
                    continue
                undone = found.undone(testing)
                fits, by_chance = _fit(tree, undone, reach), _elsewhere(tree, undone, reach)
                if fits > 0.5 and fits > 2 * by_chance:
                    return replace(found, tested=len(testing), fits=fits, by_chance=by_chance)
    return None


def _similar(
    chosen: np.ndarray, tree, candidates, reach: float, mirrored: bool, told: Progress
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Maps of released points to addresses that fit all chosen ones: matrix and shift."""
    points = chosen @ np.array([1, 1j])
    if mirrored:
        points = points.conj()
    first, last = 0, int(np.argmax(np.abs(points - points[0])))
    others = [row for row in range(1, len(points)) if row != last]
    away = points[last] - points[first]
    if abs(away) < 20 * reach or len(others) < 4:
        return
    near = min(_NEAR, tree.n)
    ends = [candidates[tree.query(chosen[row], k=near)[1]] @ np.array([1, 1j]) for row in (0, last)]
    for lot in range(0, near, _LOT):
        told(lot / near)
        one = np.repeat(ends[0][lot : lot + _LOT], near)
        by = (np.tile(ends[1], len(one) // near) - one) / away
        good = (np.abs(by) > 0.5) & (np.abs(by) < 2.0)
        one, by = one[good], by[good]
        for row in others:
            there = one + by * (points[row] - points[first])
            at = np.column_stack([there.real, there.imag])
            fits = np.isfinite(tree.query(at, distance_upper_bound=2 * reach)[0])
            one, by = one[fits], by[fits]
        for start, turn in zip(one, by):
            sign = -1.0 if mirrored else 1.0
            back = np.array([[turn.real, -sign * turn.imag], [turn.imag, sign * turn.real]])
            origin = np.array([points[first].real, sign * points[first].imag])
            yield back, np.array([start.real, start.imag]) - back @ origin


def _laid_out(back, points, tree, candidates, reach: float) -> CommonMove | None:
    """The affine map that most points fit, from one that fits those of the middle."""
    matrix, shift = back
    many = _CHECKED
    while True:
        some = points[:many]
        at = some @ matrix.T + shift
        away, nearest = tree.query(at)
        good = away <= 4 * reach
        if good.sum() < max(4, 0.5 * len(some)):
            return None
        own = np.column_stack([some[good], np.ones(good.sum())])
        fitted = np.linalg.lstsq(own - [*points[0], 0], candidates[nearest[good]], rcond=None)[0]
        matrix, shift = fitted[:2].T, fitted[2] - fitted[:2].T @ points[0]
        if many >= len(points):
            break
        many = min(2 * many, len(points))
    if abs(np.linalg.det(matrix)) < 1e-3:
        return None
    turn = np.linalg.inv(matrix)
    return CommonMove(turn, -turn @ shift, 0)


def _fit(tree, points: np.ndarray, reach: float) -> float:
    """Share of points that lie at an address."""
    return float(np.isfinite(tree.query(points, distance_upper_bound=reach)[0]).mean())


def _elsewhere(tree, points: np.ndarray, reach: float) -> float:
    """The largest such share with all points shifted by a random way, which fits by accident."""
    rng = np.random.default_rng(1)
    way = rng.uniform(5 * reach, 200 * reach, _ELSEWHERE) * np.exp(
        2j * np.pi * rng.random(_ELSEWHERE)
    )
    return max(_fit(tree, points + [one.real, one.imag], reach) for one in way)


# --- a shift ----------------------------------------------------------------------------------


def _shift(finding, testing, candidates, weight, tree, told: Progress) -> CommonMove | None:
    near = _Near(tree, finding)
    starts = _peaks(finding, candidates, part(told, 0.0, 0.3))
    for start, _ in starts:  # it is kept
        told(0.3)
        near.score(start)
    ranked = sorted(starts, key=lambda one: near.score(one[0]), reverse=True)[:_ANCHORS]
    ways = shares(part(told, 0.3, 0.4), len(ranked))
    found = max((_climbed(near, *one, step) for one, step in zip(ranked, ways)), key=near.score)
    # By other directions no shift as long may do nearly as well, on points that did not find it.
    other = _Near(tree, testing)
    turns = np.exp(2j * np.pi * np.arange(1, _DIRECTIONS) / _DIRECTIONS) * complex(*found)
    best = max(other.score(np.array([one.real, one.imag])) for one in [*turns, 0j])
    if other.score(found) < best + _GAIN:
        return None
    with_it = estimate(finding - found, candidates, weight, progress=part(told, 0.4, 0.55))[0].law
    without = estimate(finding, candidates, weight, progress=part(told, 0.55, 0.7))[0].law
    gain = (
        Mixture.of(testing - found, candidates, weight, part(told, 0.7, 0.85)).logarithms([with_it])
        - Mixture.of(testing, candidates, weight, part(told, 0.85, 1.0)).logarithms([without])
    )[:, 0]
    surely = gain.sum() - _SURE * gain.std() * np.sqrt(len(gain))
    if surely <= 0 or gain.sum() < _GAIN:
        return None
    return CommonMove(np.eye(2), found, len(testing), float(gain.mean()))


class _Near:
    """How well points lie at addresses after a shift: the likeliest Gaussian round the nearest."""

    _NEAREST = 32

    def __init__(self, tree, points: np.ndarray) -> None:
        self._tree, self._points = tree, points
        self._nearest = min(self._NEAREST, tree.n)
        self._known: dict[tuple[float, float], float] = {}

    def score(self, shift: np.ndarray) -> float:
        key = (float(shift[0]), float(shift[1]))
        if key not in self._known:
            away = self._tree.query(self._points - shift, k=self._nearest)[0].reshape(
                len(self._points), -1
            )
            size = np.geomspace(0.05, max(1.0, 2 * float(np.median(away[:, -1]))), 24)
            square = np.square(away)[:, :, None] / np.square(size)
            density = np.exp(-0.5 * square).sum(axis=1) / np.square(size)
            floor = 1e-3 / np.square(size[-1])
            self._known[key] = float(np.log(density + floor).sum(axis=0).max())
        return self._known[key]


def _climbed(near: _Near, start: np.ndarray, step: float, told: Progress) -> np.ndarray:
    """The best shift near one, by steps that are doubled while they help, and halved."""
    best = np.array(start, dtype=np.float64)
    ways = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y], dtype=np.float64)
    while step > _FINEST:
        told(0.0)
        tried = [best, *(best + step * ways)]
        found = tried[int(np.argmax([near.score(one) for one in tried]))]
        # Far off the way may be long.
        step = step / 2 if (found == best).all() else 2 * step
        best = found
    return best


def _peaks(
    points: np.ndarray, candidates: np.ndarray, told: Progress
) -> list[tuple[np.ndarray, float]]:
    """Differences of points and candidates with many more votes than others near them."""
    low, high = candidates.min(axis=0), candidates.max(axis=0)
    area = max(float(np.prod(high - low)), 1.0)
    whole = float(np.ptp(np.concatenate([points, candidates]), axis=0).max())
    reach = min(whole, np.sqrt(_VOTES * area / (len(points) * len(candidates))) / 2)
    side = 2 * reach / _CELLS
    ahead = candidates[np.argsort(candidates[:, 0], kind="stable")]
    votes, waiting, many = np.zeros(_CELLS * _CELLS), [], 0
    for number, point in enumerate(points):
        told(0.8 * number / len(points))
        ends = np.searchsorted(ahead[:, 0], [point[0] - reach, point[0] + reach])
        cell = np.floor((point - ahead[slice(*ends)] + reach) / side).astype(np.int64)
        cell = cell[((cell >= 0) & (cell < _CELLS)).all(axis=1)]
        waiting.append(cell[:, 0] * _CELLS + cell[:, 1])
        many += len(cell)
        if many > _LOT_OF_VOTES or number == len(points) - 1:
            votes += np.bincount(np.concatenate(waiting), minlength=len(votes))
            waiting, many = [], 0
    sums = np.zeros((_CELLS + 1, _CELLS + 1))
    sums[1:, 1:] = votes.reshape(_CELLS, _CELLS).cumsum(axis=0).cumsum(axis=1)
    found = []
    for number, scale in enumerate(2 ** np.arange(1, _SCALES + 1)):
        told(0.8 + 0.2 * number / _SCALES)
        corner = np.arange(0, _CELLS - scale + 1, max(1, scale // 2))
        here = _inside(sums, corner, corner + scale)
        begin, end = np.maximum(corner - 4 * scale, 0), np.minimum(corner + 5 * scale, _CELLS)
        told(0.8 + 0.2 * (number + 0.25) / _SCALES)
        size = (end - begin)[:, None] * (end - begin)[None, :]
        usual = (_inside(sums, begin, end) - here) * scale**2 / (size - scale**2)
        beyond = (here - usual) / np.sqrt(usual + 1.0)
        told(0.8 + 0.2 * (number + 0.5) / _SCALES)
        for at in np.argpartition(-beyond, _PEAKS, axis=None)[:_PEAKS]:
            row, column = np.unravel_index(at, beyond.shape)
            middle = (np.array([corner[row], corner[column]]) + scale / 2) * side - reach
            found.append((middle, scale * side / 2))
    return found


def _inside(sums: np.ndarray, begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Votes in all squares from and to cells, by sums over all cells before."""
    rows = sums[end] - sums[begin]
    return rows.take(end, axis=1) - rows.take(begin, axis=1)
