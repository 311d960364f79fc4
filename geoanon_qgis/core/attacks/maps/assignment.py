# SPDX-License-Identifier: GPL-2.0-or-later
"""Who is who, given where released records seem to be: matches with a confidence, one to one.

A record is either one of the known entities that share its labels, which then live where the
record seems to be, or somebody else who lives there. How well places are known, how far
neighbouring records are all shifted, and how many records are known at all is estimated along
with the matches, in the manner of coherent point drift (Myronenko & Song 2010, IEEE PAMI 32:12).
Nothing that a match itself did to the map counts as evidence for it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...runtime.progress import Progress, silent
from .reconstruction import PRIOR, laid, squares
from .registration import density_at
from .strangers import Strangers

#: Rounds with a stiff map, and with one that bends.
_STIFF, _BENDING = 12, 25
#: Reach of bends as parts of the known points' spread; how far they bend, as parts of the error.
_REACHES, _BENDS = (0.6, 0.2), (0.7, 0.7)
#: How likely it is, before anything is seen, that the files have nobody in common.
_NOBODY_IN_COMMON = 0.05
#: Share of matches that lie wide, and how much wider.
_WIDE, _WIDER = 0.15, 3.0


@dataclass(frozen=True, eq=False)
class Placed:
    """What places say about candidate matches.

    Attributes
    ----------
    confidence : (v,) array
        Probability of each candidate; those of a record sum to one at most, those of a known
        entity too.
    places : (n, 2) array
        Records' places, the map bent to the known ones.
    error : float
        Standard deviation of a place on either axis.
    share : float
        Share of the records that seem to be known.
    evidence : float
        How much more likely records are to be where they are if these are matches than if they
        are all somebody else, as a logarithm, less that of the number of ways to lay the map
        that could be told apart: comparable between maps. Below zero, nothing is found.
    """

    confidence: np.ndarray
    places: np.ndarray
    error: float
    share: float
    evidence: float


def place(
    places: np.ndarray,
    known: np.ndarray,
    target: np.ndarray,
    identification: np.ndarray,
    width: float,
    least: float,
    progress: Progress = silent,
) -> Placed:
    """Match records with known entities by place.

    Parameters
    ----------
    places : (n1, 2) array
        Where records seem to be; the whole map may be somewhat turned and shifted.
    known : (n2, 2) array
    target, identification : (v,) int arrays
        Candidate matches: who has the same labels.
    width : float
        Standard deviation of the places at first.
    least : float
        The least that places are ever taken to err.
    progress : Progress
    """
    spread = float(np.sqrt(known.var(axis=0).mean()))
    # Candidates of a record; a record with none is somebody else.
    many = np.maximum(np.bincount(target, minlength=len(places)), 1)[target]
    error, share = max(float(width), least), PRIOR
    now, doubt = places.copy(), np.zeros(len(places))
    confidence = np.zeros(len(target))
    strangers = Strangers(known, target, identification, len(places))
    for number in range(_STIFF + _BENDING):
        progress(number / (_STIFF + _BENDING))
        variance = error**2 + doubt
        if number < _STIFF:  # while the map is turned the population's density is enough
            density = density_at(now, known, error)[target]
        else:
            density = strangers.density(now, variance, _kernel)
        confidence, narrow, off, likelihood = _confidence(
            now, known, target, identification, many, variance, share, density
        )
        sure = np.bincount(target, confidence, minlength=len(places))
        share = float(np.clip(sure.sum() / len(places), 0.2 / len(places), 0.9))
        if narrow.sum() > 1e-6:
            held = np.maximum(off / 2 - doubt[target], 0)
            estimate = np.sqrt((narrow * held).sum() / narrow.sum())
            error = max(float(np.clip(estimate, 0.7 * error, 1.1 * error)), least)
        goal = (
            np.stack(
                [
                    np.bincount(
                        target, confidence * known[identification, axis], minlength=len(places)
                    )
                    for axis in range(2)
                ],
                axis=1,
            )
            / np.maximum(sure, 1e-12)[:, None]
        )
        seen = np.flatnonzero(sure > 0.05)
        if len(seen) < 4:
            continue
        if number < _STIFF:
            turn = _rigid(places[seen], goal[seen], sure[seen])
            places = turn(places)
            now = places
        else:
            shift, doubt = _bend(places, seen, (goal - places)[seen], sure[seen], error, spread)
            now = places + shift
    progress(1.0)
    return Placed(
        confidence, now, error, share, _evidence(likelihood, sure.sum(), error, spread, len(now))
    )


def chances(evidence: list[float]) -> np.ndarray:
    """Probability of each of some maps, where that nobody is known is possible, too."""
    logs = np.array([np.log(_NOBODY_IN_COMMON / (1 - _NOBODY_IN_COMMON)), *evidence])
    odds = np.exp(logs - logs.max())
    return odds[1:] / odds.sum()


def one_to_one(
    target: np.ndarray, identification: np.ndarray, confidence: np.ndarray, least: float
) -> np.ndarray:
    """Choose matches by falling confidence, each record and each entity once.

    From a half on no two candidates compete; below, the surer one is taken.

    Returns
    -------
    int array
        Chosen candidates, ascending.
    """
    taken_target: set[int] = set()
    taken_known: set[int] = set()
    chosen = []
    for vertex in np.argsort(-confidence, kind="stable"):
        if confidence[vertex] < least or confidence[vertex] <= 0:
            break
        t, i = int(target[vertex]), int(identification[vertex])
        if t not in taken_target and i not in taken_known:
            taken_target.add(t)
            taken_known.add(i)
            chosen.append(int(vertex))
    return np.array(sorted(chosen), dtype=np.int64)


def _confidence(now, known, target, identification, many, variance, share, density):
    """Confidence of all candidates; ``density`` is that of strangers, by candidate."""
    off = ((now[target] - known[identification]) ** 2).sum(axis=1)
    narrow, wide = _kernels(off, variance[target])
    odds = share * (narrow + wide) / many / ((1 - share) * density)
    rows = np.bincount(target, odds, minlength=len(now))
    columns = np.bincount(identification, odds, minlength=len(known))
    confidence = odds / (1 + rows[target] + columns[identification] - odds)
    likelihood = float(np.log1p(rows).sum() + len(now) * np.log1p(-share))
    return confidence, confidence * narrow / np.maximum(narrow + wide, 1e-300), off, likelihood


def _kernels(off, spread):
    """Density of the error of a place that is known well, and of one that lies wide."""
    wider = spread * _WIDER**2
    narrow = (1 - _WIDE) * np.exp(-off / (2 * spread)) / (2 * np.pi * spread)
    return narrow, _WIDE * np.exp(-off / (2 * wider)) / (2 * np.pi * wider)


def _kernel(off, spread):
    return sum(_kernels(off, spread))


def _evidence(likelihood, matches, error, spread, count) -> float:
    """Laplace's approximation of the evidence against nobody's being known.

    A turn, a shift and a mirror image are chosen out of so many that could be told apart; the
    share of those known is estimated, too (Schwarz 1978).
    """
    ways = ways_of(max(float(matches), 1.0), spread / error) + 0.5 * np.log(count)
    return likelihood - float(ways)


def ways_of(matches: float, reach: float) -> float:
    """Logarithm of the number of ways to lay a map that so many sure matches tell apart, mirrored or not.

    Parameters
    ----------
    matches : float
    reach : float
        How far known entities lie apart on either axis, in errors of a place.
    """
    shifts = 12 * reach**2 * matches / (2 * np.pi)  # the extent is a square
    turns = np.sqrt(2 * np.pi * 2 * matches) * reach
    return float(np.log(2) + np.log1p(shifts) + np.log1p(turns))


def _rigid(xy, goal, weight):
    """The turn and shift that :func:`laid` finds, to apply to all."""
    turn, here, there = laid(xy, goal, weight)
    return lambda all_of_them: (all_of_them - here) @ turn + there


def _bend(places, seen, shift, sure, error, spread):
    """Smooth shifts of all places, each without what its own match says; and their variance."""

    def kernel(a, b):
        off = squares(a, b)
        return sum(
            np.exp(-off / (2 * (reach * spread) ** 2)) * (share * error) ** 2
            for reach, share in zip(_REACHES, _BENDS)
        )

    own = kernel(places[seen], places[seen])
    inverse = np.linalg.inv(own + np.diag(error**2 / sure))
    weights = inverse @ shift
    cross = kernel(places, places[seen])
    result = cross @ weights
    at_once = kernel(places[:1], places[:1])[0, 0]
    variance = np.maximum(at_once - ((cross @ inverse) * cross).sum(axis=1), 0)
    # Leaving one out in closed form (Rasmussen & Williams 2006, section 5.4.2).
    alone = np.diag(inverse)
    result[seen] = shift - weights / alone[:, None]
    variance[seen] = np.maximum(1 / alone - error**2 / sure, 0)
    return result, variance
