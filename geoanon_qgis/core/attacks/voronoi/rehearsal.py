# SPDX-License-Identifier: GPL-2.0-or-later
"""How often an attack is right that says how sure it is: tried on releases that one made oneself.

Where coordinates are coarse or were jittered, records have many explanations, whose weights take
one another's into account only in part. Whoever attacks can draw records from his own list, mask
them, round and jitter them alike, attack them, and see how often what he claims is right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...masking.voronoi import voronoi_mask
from ...runtime.errors import InputError
from ...runtime.progress import Progress, shares
from .result import AMBIGUOUS, VoronoiReversal

#: Records that are attacked in rehearsals at least, and rehearsals at most.
_ENOUGH, _MOST = 2_000, 8
#: Share of the records that must be unclear for a rehearsal to be worth its time.
_UNCLEAR = 0.01
#: Claims between which a curve is fitted, and claims in favour of what the attack itself says.
_LEAST, _TRUSTED = 1e-4, 10.0
_STEPS = 30


@dataclass(frozen=True)
class Curve:
    """Log odds that a claim is right: shift + slope times its own."""

    shift: float = 0.0
    slope: float = 1.0

    @classmethod
    def of(cls, claimed: np.ndarray, right: np.ndarray) -> Curve:
        """Fit a curve, by the likelihood with a prior that claims are right as they stand.

        Platt, J. (1999). Probabilistic outputs for support vector machines. Advances in Large
        Margin Classifiers, 61-74.
        """
        x = _log_odds(claimed)
        # The prior is a number of claims, spread over the odds, that came true as often as claimed.
        own = np.linspace(-4.0, 4.0, 9)
        x, weight = np.concatenate([x, own]), np.ones(len(x) + len(own))
        weight[len(claimed) :] = _TRUSTED / len(own)
        y = np.concatenate([right.astype(float), 1 / (1 + np.exp(-own))])
        design, found = np.stack([np.ones(len(x)), x], axis=1), np.array([0.0, 1.0])
        for _ in range(_STEPS):
            chance = 1 / (1 + np.exp(-design @ found))
            slope = design.T @ (weight * (y - chance))
            bend = (design * (weight * chance * (1 - chance))[:, None]).T @ design
            step = np.linalg.solve(bend + 1e-9 * np.eye(2), slope)
            found = found + np.clip(step, -1.0, 1.0)
            if np.abs(step).max() < 1e-9:
                break
        return cls(float(found[0]), max(float(found[1]), 0.0))

    def __call__(self, claimed: np.ndarray) -> np.ndarray:
        """Return how often such claims are right."""
        return 1 / (1 + np.exp(-(self.shift + self.slope * _log_odds(claimed))))


def _log_odds(claimed: np.ndarray) -> np.ndarray:
    inside = np.clip(claimed, _LEAST, 1 - _LEAST)
    return np.log(inside / (1 - inside))


def unclear(found: VoronoiReversal) -> np.ndarray:
    """Records that several pairs explain, (n,) bool."""
    return (found.kind == AMBIGUOUS) & (found.rivals > 0) & (found.probability > 0)


def kinds_of_claims(found: VoronoiReversal, masked: np.ndarray) -> list[np.ndarray]:
    """Records whose claims go wrong in their own ways, each kind as an (n,) bool array.

    Whether their explanations were weighed or only counted, and whether others lie where they do.
    """
    some, shared = unclear(found), shares_location(masked)
    aside = np.zeros(len(some), dtype=bool) if found.aside is None else found.aside
    return [some & (shared == one) & (aside == other) for other in (False, True) for one in (0, 1)]


def worth_it(found: VoronoiReversal) -> bool:
    """Whether so many records are unclear that a rehearsal pays."""
    return bool(unclear(found).mean() > _UNCLEAR) and not found.complete


def rehearse(
    attack: Callable[[np.ndarray, np.random.Generator, Progress], VoronoiReversal],
    release: Callable[[np.ndarray, np.random.Generator], np.ndarray],
    candidates: np.ndarray,
    records: int,
    rng: np.random.Generator,
    progress: Progress,
) -> list[Curve] | None:
    """Attack releases of records drawn from the candidates.

    Parameters
    ----------
    attack : callable
        Takes a release, a random generator and a progress.
    release : callable
        Takes masked points and a random generator, and blurs them as those under attack were.
    candidates : (N, 2) array
    records : int
        As many as there are masked records.
    rng : numpy.random.Generator
    progress : callable

    Returns
    -------
    list of Curve
        For each of the :func:`kinds_of_claims`. None where no release of one's own could be attacked.
    """
    tried = []
    count = int(np.clip(np.ceil(_ENOUGH / records), 1, _MOST))
    for told in shares(progress, count):
        rows = rng.choice(len(candidates), records, replace=False)
        try:
            masked = release(voronoi_mask(candidates[rows]).xy, rng)
            found = attack(masked, rng, told)
        except InputError:  # all at one place, or more pairs than under attack
            continue
        right = (candidates[found.candidate] == candidates[rows]).all(axis=1)
        kinds = kinds_of_claims(found, masked)
        tried.append([(found.probability[kind], right[kind]) for kind in kinds])
    if not tried:
        return None
    return [Curve.of(*map(np.concatenate, zip(*of_kind))) for of_kind in zip(*tried)]


def shares_location(masked: np.ndarray) -> np.ndarray:
    """Which records lie where others lie, too, (n,) bool."""
    _, of, many = np.unique(masked, axis=0, return_inverse=True, return_counts=True)
    return many[of.reshape(-1)] > 1
