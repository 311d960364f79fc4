# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether labels go with places: how much oftener neighbours share one than others."""

from __future__ import annotations

import math

import numpy as np

#: Nearest neighbours whose labels are looked at; pairs of them that share one by chance, and are
#: added, so that a few families among people of rare labels say little.
_NEIGHBOURS, _FEW = 8, 10.0
#: How much oftener neighbours share a label than others where labels are said to go with places.
GO_WITH_PLACES = 1.3
#: Evidence from which a pair outweighs nobody, and higher levels; pairs that each level is taken to have
#: seen, as the one below it says.
_LEVELS, _SEEN = (3.0, 6.0, 10.0, 15.0, 25.0, 40.0), 1.0


def alike(kinds: np.ndarray, known: np.ndarray) -> float:
    """How much oftener neighbours share a label than others, 1 at least.

    Parameters
    ----------
    kinds : (n,) int array
        Numbers of the labels of the known people; negative for none.
    known : (n, n) array
        Their distances.
    """
    labelled = np.flatnonzero(kinds >= 0)
    number = min(_NEIGHBOURS, len(labelled) - 1)
    if number < 1:
        return 1.0
    kinds, apart = kinds[labelled], known[np.ix_(labelled, labelled)].copy()
    np.fill_diagonal(apart, np.inf)
    near = np.argpartition(apart, number - 1, axis=1)[:, :number]
    counts = np.bincount(kinds)
    usual = number * (counts * (counts - 1)).sum() / (len(kinds) - 1)
    return max(float(((kinds[near] == kinds[:, None]).sum() + _FEW) / (usual + _FEW)), 1.0)


def alike_next_door(evidence: np.ndarray, own: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """How much oftener than others those share a label who could be taken for each other by place.

    Of a family one may be released whom nobody knows, and another one known: the distances fit nearly
    as well as those of a right match, and the labels do. Known people tell how often that is: of all
    whom a matched record could be but for its own match, how many have the label, and how many would
    by its share.

    Parameters
    ----------
    evidence : (k, n) array
        What speaks for each known person, for each matched record.
    own : (k,) int array
        Whom the records were matched with.
    kinds : (n,) int array
        Numbers of the labels of the known people; negative for none.

    Returns
    -------
    (k,) array
        1 at least; by how much speaks for each match, as the nearer people live the oftener they may
        share a label. Between "as often as others" and what was counted by how probable each is
        (of Poisson counts, with an exponential prior).
    """
    rows = np.arange(len(own))
    labelled = kinds >= 0
    others = np.broadcast_to(labelled, evidence.shape).copy()
    others[rows, own] = False
    same = others & (kinds[own][:, None] == kinds)
    share = same.sum(axis=1) / max(np.count_nonzero(labelled) - 1, 1)
    level, out = evidence[rows, own], np.ones(len(own))
    often = 1.0
    for least in _LEVELS:
        fits = others & (evidence >= least)
        found, usual = int((fits & same).sum()), often * float((fits.sum(axis=1) * share).sum())
        often *= _times(found, usual)
        out[level >= least] = often
    return np.maximum(out, 1.0)


def _times(found: int, usual: float) -> float:
    """How many times as many there are as usual, one unless chance is no good explanation."""
    if usual <= 0:
        return 1.0
    more = (
        math.lgamma(found + _SEEN) - math.lgamma(_SEEN) + _SEEN * math.log(_SEEN / (_SEEN + usual))
    )
    more += found * math.log(usual / (_SEEN + usual))
    chance = 1 / (1 + math.exp(min(found * math.log(usual) - usual - more, 700.0)))
    return chance * (found + _SEEN) / (usual + _SEEN) + 1 - chance
