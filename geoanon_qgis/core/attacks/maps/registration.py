# SPDX-License-Identifier: GPL-2.0-or-later
"""How a map of released records lies on that of the known entities: try what pairs of matches say.

Two matches fix the turn and the shift of a map up to its mirror image. So pairs of candidate
matches that are as far from each other on both maps are drawn, rare labels first, the map is
laid over that of the known entities as each of them says, and every record votes (after Fischler &
Bolles 1981, Random sample consensus; the votes are log-likelihoods, as in Torr & Zisserman's
MLESAC of 2000). What is ours: the prior of a match, and how densely people live, weigh in.
"""

from __future__ import annotations

import numpy as np

from ...runtime.progress import Progress, chunks, silent
from .reconstruction import squares

#: Pairs that are drawn, those that are tried, and tries times candidates of one search.
_DRAWN, _TRIED, _WORK = 400_000, 4000, 60_000_000
#: Candidates whose pairs are all looked at, not drawn.
_ALL = 1500
#: How far distances on the two maps may differ, in errors of a place; how much farther from
#: their entities than that records may be when only two hold the map.
_AGREE, _LOOSE = 4.0, 2.0
#: Length of a pair that holds a map, as a part of the extent.
_LONG = 0.5
#: Share of records taken to be known.
_SHARE = 0.2
#: Neighbours that tell how densely people live.
_NEIGHBOURS = 8
#: Values that are worked on at once.
_AT_ONCE = 1_000_000


def density_at(places: np.ndarray, known: np.ndarray, error: float) -> np.ndarray:
    """Known entities per area around places, by the distance of the eighth, as a probability."""
    return density_within(squares(places, known), 2 * error)


def density_within(off: np.ndarray, least: float | np.ndarray) -> np.ndarray:
    """Do so by the squares of distances, (n1, n2), within a radius at least."""
    rank = min(_NEIGHBOURS, off.shape[1] - 1)
    # The nearest may be the record itself: it is left out of both numbers.
    reach = np.partition(off, rank, axis=1)[:, rank] if rank else off[:, 0]
    reach = np.maximum(reach, np.square(least))
    inside = (off <= reach[:, None]).sum(axis=1)
    return np.maximum(inside - 1, 0.5) / (off.shape[1] * np.pi * reach)


def registered(
    shape: np.ndarray,
    known: np.ndarray,
    target: np.ndarray,
    identification: np.ndarray,
    error: float,
    many: int,
    rng: np.random.Generator,
    progress: Progress = silent,
    among: np.ndarray | None = None,
) -> list[np.ndarray]:
    """Lay a map over that of the known entities.

    Parameters
    ----------
    shape : (n1, 2) array
        The records' map, up to a turn, a shift and a mirror image.
    known : (n2, 2) array
    target, identification : (v,) int arrays
        Candidate matches, ascending by target.
    error : float
        Standard deviation of the map's places on either axis.
    many : int
        Ways to lay it that are returned at most.
    rng : numpy.random.Generator
    progress : Progress
    among : int array, optional
        Candidates that the pairs are drawn from; all of them by default.

    Returns
    -------
    list of (n1, 2) arrays
        Best first, no two alike.
    """
    spread = float(np.sqrt(known.var(axis=0).mean()))
    here = (shape - shape.mean(axis=0)) @ np.array([1, 1j])
    there = (known - known.mean(axis=0)) @ np.array([1, 1j])
    rivals = np.bincount(target, minlength=len(shape))[target]
    first, second = _pairs(
        here, there, target, identification, 1.0 / rivals, error, spread, rng, among
    )
    most = int(np.clip(_WORK // max(len(target), 1), 200, _TRIED)) // 2
    if len(first) > most:
        kept = rng.choice(len(first), most, replace=False)
        first, second = first[kept], second[kept]
    if not len(first):
        return []
    width = _LOOSE * error
    gain = (
        _SHARE
        / (1 - _SHARE)
        / (2 * np.pi * width**2)
        / rivals
        / density_at(known, known, width)[identification]
    )
    begins = np.flatnonzero(np.r_[True, np.diff(target) > 0])
    tries: list[tuple[float, bool, complex, complex]] = []  # score, mirrored, turn, shift
    near = there[identification].astype(np.complex64)
    for mirrored in (False, True):
        own = np.conj(here) if mirrored else here
        a, b = own[target[first]], own[target[second]]
        x, y = there[identification[first]], there[identification[second]]
        turn = (y - x) / (b - a)
        turn /= np.maximum(np.abs(turn), 1e-300)
        shift = (x + y) / 2 - turn * (a + b) / 2
        score = np.empty(len(turn))
        size = max(1, _AT_ONCE // len(target))
        for rows in chunks(len(turn), size, progress):
            laid = (turn[rows, None] * own + shift[rows, None]).astype(np.complex64)
            off = laid[:, target]
            off -= near
            votes = off.real**2
            votes += off.imag**2
            votes *= np.float32(-0.5 / width**2)
            np.exp(votes, out=votes)
            votes *= gain.astype(np.float32)
            score[rows] = np.log1p(np.add.reduceat(votes, begins, axis=1)).sum(axis=1)
        tries += zip(-score, [mirrored] * len(turn), turn, shift)
    tries.sort(key=lambda one: one[0])
    found: list[np.ndarray] = []
    for _, mirrored, turn, shift in tries[: 40 * many]:
        laid = turn * (np.conj(here) if mirrored else here) + shift
        if all((np.abs(laid - one) ** 2).mean() > (2 * width) ** 2 for one in found):
            found.append(laid)
            if len(found) == many:
                break
    return [np.stack([one.real, one.imag], axis=1) + known.mean(axis=0) for one in found]


def _pairs(here, there, target, identification, weight, error, spread, rng, among):
    """Pairs of candidates that are as far apart on both maps, and far enough."""
    among = np.arange(len(target)) if among is None else among
    if len(among) < 2:
        return np.zeros((2, 0), dtype=np.int64)
    if len(among) <= _ALL:
        first, second = np.triu_indices(len(among), 1)
        drawn = rng.permutation(len(first))[: _DRAWN * 2]
        first, second = among[first[drawn]], among[second[drawn]]
    else:
        chance = weight[among] / weight[among].sum()
        first, second = among[rng.choice(len(among), (2, _DRAWN), p=chance)]
    apart = np.abs(there[identification[first]] - there[identification[second]])
    released = np.abs(here[target[first]] - here[target[second]])
    # A pair that is long enough holds the map; where there are few, shorter ones do.
    fits = (np.abs(apart - released) < _AGREE * error) & (released > 0)
    fits &= (target[first] != target[second]) & (apart > _LONG * spread)
    return first[fits], second[fits]
