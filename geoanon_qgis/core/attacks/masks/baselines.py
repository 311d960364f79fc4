# SPDX-License-Identifier: GPL-2.0-or-later
"""What guesses are worth beside those of who knows no mask, and of whoever it hits by accident.

A share that is found means little by itself. The nearest candidate is what everybody would take;
one at random of those that the mask allows is what knowing its reach alone is worth; and the same
guesses, held against the homes of other records, are right where many share a home or live side by
side. Giomi, M. et al. (2023), A unified framework for quantifying privacy risk in synthetic data,
Proceedings on Privacy Enhancing Technologies 2023(2), 312-328, calls the last one the control.
"""

from __future__ import annotations

import numpy as np

from ...space.points import build_tree
from .posterior import Guesses


def nearest_right(
    released: np.ndarray, candidates: np.ndarray, home: np.ndarray, near: np.ndarray | None = None
) -> np.ndarray:
    """Whether the nearest candidate is the home of each record, (n,) bool.

    Parameters
    ----------
    released : (n, 2) array
    candidates : (m, 2) array
        Distinct, in the same plane.
    home : (n,) int array
        Below zero where it is not known: such a record is not found.
    near : (n,) int array, optional
        The nearest candidates, where they are known.
    """
    if near is None:
        near = build_tree(candidates).query(released)[1]
    return (near == home) & (home >= 0)


def random_right(guesses: Guesses, truth: np.ndarray | None = None) -> np.ndarray:
    """Chance of an answer that is taken at random of all that are possible, (n,).

    Parameters
    ----------
    guesses : Guesses
    truth : (n,) int array, optional
        The right answers: where one is not possible, such as a home that the list lacks, nobody
        finds it. Without them the right answer is taken to be possible everywhere.
    """
    many = np.diff(guesses.first)
    chance = np.divide(1.0, many, out=np.zeros(len(many)), where=many > 0)
    return chance if truth is None else chance * (guesses.of_truth(truth) > 0)


def control(guesses: Guesses, home: np.ndarray) -> float:
    """Share of guesses that are right of another record, taken at random of all with a home.

    Parameters
    ----------
    guesses : Guesses
        Of places; of equally likely ones the first is held against the others.
    home : (n,) int array
        Below zero where it is not known.

    Returns
    -------
    float
        The mean over all pairs of two records; 0 with fewer than two.
    """
    known = np.flatnonzero(home >= 0)
    if len(known) < 2:
        return 0.0
    best, live = guesses.best[known], home[known]
    ids, many = np.unique(live, return_counts=True)
    at = np.minimum(np.searchsorted(ids, best), len(ids) - 1)
    hits = np.where(ids[at] == best, many[at], 0).sum() - (best == live).sum()
    return float(hits / (len(known) * (len(known) - 1)))
