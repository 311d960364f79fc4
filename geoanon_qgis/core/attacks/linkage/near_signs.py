# SPDX-License-Identifier: GPL-2.0-or-later
"""What tells right matches from wrong ones, and what it would be for people whose truth is known.

Where families live together a stranger who is released next door to a known person has his label, and the
distances fit nearly as well as his own would. Nothing in a match tells the two apart. But the register tells
how many such strangers there are: each known person may play one, in a release that the adversary makes of
the register himself. If he were not known, whom would he be taken for, and how sure would the attack be? And
how sure of the own records of known people?
"""

from __future__ import annotations

import numpy as np

from ...runtime.progress import Progress, interruptible, part, silent
from .near_confidence import Signs, Trial
from .near_evidence import HIGHEST, LOWEST, evidence_of
from .near_growth import STRONGEST, TIED, Around, Grown, against, wrong_expected
from .near_labels import alike
from .near_weights import Weighing, weighing

#: Weight of a distance from which it speaks for a match.
_SPEAKS = 0.3
#: How much nearer than a neighbour of this number somebody is who lives next door.
_NEXT_DOOR, _SIXTH = 0.05, 6


def signs_of(around: Around, grown: Grown) -> Signs:
    """Signs of the candidates of :func:`.near_growth.grow`."""
    some, candidates = grown.candidates, around.candidates
    rows = candidates.target[some], candidates.known[some]
    return _signs(
        around, grown, around.weighing, rows, grown.pairs, (grown.alone, grown.lead, grown.ties)
    )


def tried(around: Around, grown: Grown, released: np.ndarray, progress: Progress = silent) -> Trial:
    """Match the adversary's own release of the known people by the matches of another one.

    Parameters
    ----------
    around : Around
    grown : Grown
    released : (n2, n2) array
        Released distances of the known people.
    progress : Progress

    Returns
    -------
    Trial
    """
    own = interruptible(
        lambda: weighing(released, around.weighing.known, around.weighing.deviations), progress, 0.0
    )
    same = np.repeat(grown.pairs[:, 1:], 2, axis=1)
    evidence = evidence_of(own, same, grown.trust, part(progress, 0.2, 0.8))
    found = interruptible(lambda: _trial(around, grown, own, same, evidence), progress, 0.9)
    progress(1.0)
    return found


def _trial(around: Around, grown: Grown, own: Weighing, same, evidence) -> Trial:
    kinds = around.candidates.kind_known
    everybody = np.flatnonzero(kinds >= 0)
    others = np.where(kinds[:, None] == kinds, evidence, -np.inf)
    np.fill_diagonal(others, -np.inf)
    strangers = np.flatnonzero((kinds >= 0) & np.isfinite(others).any(axis=1))
    for_whom = others[strangers].argmax(axis=1)
    of_own, of_strangers = (
        _signs(around, grown, own, rows, same, _scored(around, grown, evidence, *rows), rows[0])
        for rows in ((everybody, everybody), (strangers, for_whom))
    )
    beyond = own.released[strangers][:, same[:, 0]] - own.known[for_whom][:, same[:, 1]]
    beyond[(same[:, 0] == strangers[:, None]) | (same[:, 1] == for_whom[:, None])] = 0.0
    forbid = (beyond > own.deviations.above).sum(axis=1)
    return Trial(of_own, of_strangers, forbid, together(around.weighing.known))


def together(apart: np.ndarray) -> float:
    """Share of people who live next door to one, by all distances: far nearer than to their sixth neighbour."""
    if len(apart) <= _SIXTH:
        return 0.0
    near = np.partition(apart, (1, _SIXTH), axis=1)  # the nearest is oneself
    return float((near[:, 1] <= _NEXT_DOOR * near[:, _SIXTH]).mean())


def _scored(around: Around, grown: Grown, evidence, records: np.ndarray, known: np.ndarray):
    """Wrong candidates to be expected, leads and ties of records of the trial, the i-th with the i-th.

    Each stands in the release beside its records, but for those that are matched: of who is in it
    himself the other is the stranger.
    """
    kinds, at = around.candidates.kind_known, np.arange(len(records))
    rivals = evidence[records]
    rivals[at, records] = rivals[at, known] = -np.inf
    released = grown.evidence.copy()
    matched = grown.matches
    released[around.candidates.target[matched], around.candidates.known[matched]] = -np.inf
    released = released[:, known]
    here = evidence[records, known]
    score = here - against(_power(rivals).sum(axis=1) + _power(released).sum(axis=0))
    best = np.maximum(rivals.max(axis=1, initial=0.0), released.max(axis=0, initial=0.0))
    alike_fit = (kinds[known][:, None] == kinds) & (np.abs(rivals - here[:, None]) <= TIED)
    return (
        wrong_expected(around, grown.wrong, score),
        here - best,
        1 + alike_fit.sum(axis=1),
    )


def _power(evidence: np.ndarray) -> np.ndarray:
    return np.exp(np.minimum(evidence, STRONGEST))


def _signs(
    around: Around, grown: Grown, weights: Weighing, rows, pairs, scored, absent=None
) -> Signs:
    """Signs of records as people, by some matches in the same release; of some people as if not known."""
    records, known = rows
    by_chance, lead, ties = scored
    by_record, by_known = pairs.T
    weight = weights.of_pairs(by_record, by_known, records[:, None], known[:, None])
    weight = grown.trust * np.clip(weight, LOWEST, HIGHEST)
    # As in the scores: a match says nothing of itself and of its rivals.
    weight[(by_record == records[:, None]) | (by_known == known[:, None])] = 0.0
    strongest = weight.argmax(axis=1)
    apart = weights.known[known, by_known[strongest]]
    nearer = weights.known[known] < apart[:, None]
    for nobody in (known, known if absent is None else absent):
        nearer[np.arange(len(known)), nobody] = False
    kinds = around.candidates.kind_known
    same = kinds[known][:, None] == kinds
    return Signs(
        by_chance,
        grown.kept + len(around.links),
        len(around.candidates),
        weight.max(axis=1),
        (nearer & same).sum(axis=1) + nearer.sum(axis=1) * same.mean(axis=1),
        -np.minimum(weight, 0.0).sum(axis=1),
        lead,
        ties,
        alike(kinds, around.weighing.known),
        min(len(around.weighing.released), len(around.weighing.known)),
        _missing(weights, rows, pairs, weight > _SPEAKS),
    )


def _missing(weights: Weighing, rows, pairs, speak: np.ndarray) -> np.ndarray:
    """How nearly the distance that fits best is as long as it should be, see :class:`.near_confidence.Signs`.

    Of who lives nearly in one line with a reference point next to nothing is missing; somebody next door
    to him is as far from one of many people by chance alone.
    """
    if not weights.deviations.contracts:
        return np.ones(len(speak))
    records, known = rows
    by_record, by_known = pairs.T
    true, least = weights.known[known[:, None], by_known], weights.deviations.least
    short = true - weights.released[records[:, None], by_record]
    share = np.maximum(short, least) / np.maximum(true, least)
    share[~speak] = 1.0
    return share.min(axis=1, initial=1.0) * (1 + speak.sum(axis=1))
