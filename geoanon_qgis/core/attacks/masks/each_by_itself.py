# SPDX-License-Identifier: GPL-2.0-or-later
"""Do points move each by itself, and in all directions alike, as the attacks by a law believe?

A law tells how far points go. Whoever believes in nothing but that takes each direction for as likely as
any other, and what one point did for no hint at what another does. A tool may do otherwise: one step for
each district, eight directions, along one axis, the place of a neighbour. The distances are those of some
law then, guesses by it find few, and somebody who has seen how the tool works finds nearly everybody.

Six questions, each asked so that chance says yes in less than one file in a million:

- *directions*: is a share of the points turned to some of m ways that are evenly round the compass? With
  resultant R_m = \\|mean of exp(i m angle)\\|, n R_m² is exponential for even directions (Rayleigh's test; Mardia,
  K. V. & Jupp, P. E. 2000, Directional Statistics, 6.3.1).
- *neighbours' directions*: do those who live next to each other go the same way, or opposite ones, more
  than any two do?
- *neighbours' distances*: do they go more equally far, by the shares of the law, than any two do?
- *repeated*: did a fifth of the points make a step that another made, too, or the same one back (a list of
  steps that begins anew, two who change places)?
- *whole*: were coordinates moved by whole numbers (of metres, say) that those of the homes are not? What comes
  after the point is still that of the home then.
- *homes*: are a fifth of the points released at the home of another (who changed places in a ring)?
"""

from __future__ import annotations

import numpy as np

from ...space.points import build_tree

#: What is seen (the values of :func:`seen`).
DIRECTIONS, NEIGHBOURS, SIZES = "directions", "neighbours", "sizes"
REPEATED, HOMES, WHOLE = "repeated", "homes", "whole"
#: Ways round the compass: all numbers up to 24, and steps of 10, 8, 6, 5, 4, 3, 2 and 1 degrees.
_WAYS = (*range(1, 25), 36, 45, 60, 72, 90, 120, 180, 360)
_BY_CHANCE = 1e-6
#: Fewest places; neighbours of each; standard errors that chance does not reach; places that are looked at.
FEWEST, _NEAR, _SURELY, _MOST = 20, 3, 6.0, 20_000
#: Share of the points that make a step again, or come to a home, and how many times as many as by chance;
#: metres below which steps and places are the same, and below which coordinates are not rounded.
_FIFTH, _TIMES, _SAME, _ROUND = 0.2, 5.0, 0.01, 0.05
#: Steps that differ by less than this part of their size are nearly the same; steps that are paired.
_ALIKE, _PAIRED = 0.3, 2_000
#: Whole numbers that are tried, in the unit of the coordinates; how much of the steps and of the homes are
#: on them, and how much longer steps must be.
_WHOLE = tuple(one * 10.0**power for power in range(-6, 4) for one in (1.0, 2.0, 2.5, 5.0))
_MOVED_BY, _THEIR_OWN, _LONGER = 0.5, 0.3, 4.0


def seen(
    home: np.ndarray,
    step: np.ndarray,
    share: np.ndarray | None = None,
    candidates: np.ndarray | None = None,
) -> str | None:
    """Say what a law does not do, but these points did.

    Parameters
    ----------
    home : (n, 2) array
        Where points were, each place once.
    step : (n, 2) array
        How each moved, without what all share.
    share : (n,) array, optional
        Of the law within the distance that each moved.
    candidates : (m, 2) array, optional
        The address list: how often points are at addresses by chance, or since the tool puts them there.

    Returns
    -------
    str or None
        :data:`REPEATED`, :data:`HOMES`, :data:`DIRECTIONS`, :data:`NEIGHBOURS` or :data:`SIZES`; None
        where it may well be chance, or there are fewer than 20 places that moved.
    """
    away = np.hypot(*step.T)
    there = np.flatnonzero(away > _SAME)[:_MOST]
    if len(there) < FEWEST:
        return None
    if _repeated(step[there], float(np.median(away[there]))):
        return REPEATED
    if _at_homes(home[there], home[there] + step[there], candidates):
        return HOMES
    way = (step[there, 0] + 1j * step[there, 1]) / away[there]
    near = _neighbours(home[there])
    if any(_differ(lambda a, b: (way[a] * way[b].conj()).real, one, len(way)) for one in near):
        return NEIGHBOURS
    if _turned_alike(way):
        return DIRECTIONS
    if share is not None:
        own = np.asarray(share)[there] - np.mean(np.asarray(share)[there])
        if any(_differ(lambda a, b: own[a] * own[b], one, len(way)) for one in near):
            return SIZES
    return None


def _neighbours(home: np.ndarray) -> list[np.ndarray]:
    """Pairs of places with the nearest, and with the three nearest, each once, (2, p)."""
    other = build_tree(home).query(home, k=list(range(1, _NEAR + 2)))[1]
    found = []
    for near in (2, _NEAR + 1):  # each is the nearest to itself
        one, two = np.repeat(np.arange(len(home)), near), other[:, :near].ravel()
        both = np.sort(np.stack([one, two])[:, one != two], axis=0)
        found.append(np.unique(both, axis=1))
    return found


def by_whole_numbers(before: np.ndarray, after: np.ndarray) -> bool:
    """Whether coordinates were moved by whole numbers, or multiples of another one.

    Parameters
    ----------
    before, after : (n, 2) arrays
        Of the same places, as they are stored, in any system.
    """
    if len(before) < FEWEST:
        return False
    for was, step in zip(before.T, (after - before).T):
        for unit in _WHOLE:
            if unit * _LONGER > step.std():
                break
            moved, own = (np.abs(np.mean(np.exp(2j * np.pi * one / unit))) for one in (step, was))
            surely = len(step) * moved**2 > np.log(2 * len(_WHOLE) / _BY_CHANCE)
            if surely and moved > _MOVED_BY and own < _THEIR_OWN:
                return True
    return False


def _repeated(step: np.ndarray, size: float) -> bool:
    """Whether many steps were made again, or back, more than rounded coordinates bring about."""
    both = np.concatenate([step, -step])
    if (build_tree(both).query(step, k=[2])[0][:, 0] <= _SAME).mean() < _FIFTH:
        return False
    # Of pairs that are nearly the same so many are the same as there are places of a grid.
    some = step[:_PAIRED]
    near = build_tree(some).query_pairs(max(_ALIKE * size, 4 * _SAME), output_type="ndarray")
    apart = np.abs(some[near[:, 0]] - some[near[:, 1]])
    gap = apart[apart > _ROUND]
    if not len(gap):
        return True
    grid = float(gap.min())
    if np.mean(np.abs(gap / grid - np.rint(gap / grid)) < 0.1) < 0.9:  # not rounded
        return True
    both = np.concatenate([some, -some])
    same = (build_tree(both).query(some, k=[2])[0][:, 0] <= _SAME).mean()
    usual = 2 * len(near) / len(some) * grid**2 / (np.pi * (_ALIKE * size) ** 2)
    return bool(same > _TIMES * 2 * usual)


def _at_homes(home: np.ndarray, put: np.ndarray, candidates: np.ndarray | None) -> bool:
    """Whether many points are at homes of others, more than at any addresses."""
    there = float((build_tree(home).query(put, k=[1])[0] <= _SAME).mean())
    if there < _FIFTH:
        return False
    if candidates is None:
        return True
    listed = float((build_tree(candidates).query(put, k=[1])[0] <= _SAME).mean())
    return there > min(_TIMES * listed * len(home) / len(candidates), 0.5 + 0.5 * listed)


def _turned_alike(way: np.ndarray) -> bool:
    """Whether directions, numbers on the unit circle, are uneven."""
    square = [np.abs(np.mean(way**many)) ** 2 for many in _WAYS]
    return bool(len(way) * max(square) > np.log(len(_WAYS) / _BY_CHANCE))


def _differ(likeness, pairs: np.ndarray, count: int) -> bool:
    """Whether neighbours are more, or less, alike than any two."""
    rng = np.random.default_rng(0)  # the same every time, and nothing that is released hangs on it
    one = rng.integers(0, count, 20_000)
    two = (one + rng.integers(1, count, len(one))) % count
    any_two, neighbours = likeness(one, two), likeness(*pairs)
    error = any_two.std() * np.sqrt(1.0 / len(neighbours) + 1.0 / len(one))
    return bool(abs(neighbours.mean() - any_two.mean()) > _SURELY * max(error, 1e-12))
