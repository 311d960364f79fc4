# SPDX-License-Identifier: GPL-2.0-or-later
"""Probabilities of the categories of one attribute, as its coded dummies, and back."""

from __future__ import annotations

import numpy as np


def probabilities(coded: np.ndarray) -> np.ndarray:
    """Probabilities of categories from coded dummies: inverse logits, normalised.

    Section III: (-2.5, -1.5, 0.41) gives (0.076, 0.182, 0.601), and normalised (0.088, 0.212,
    0.699); the paper, which normalises the rounded numbers, has 0.700.

    Parameters
    ----------
    coded : (n, q) array

    Returns
    -------
    (n, q) array
        Rows sum to 1.
    """
    # Below -700 all of a row might be zero, and nothing left to normalise.
    shares = 1 / (1 + np.exp(-np.clip(coded, -700.0, 700.0)))
    return shares / shares.sum(axis=1, keepdims=True)


def logits_of(shares: np.ndarray) -> np.ndarray:
    """Coded dummies from probabilities of categories; undoes :func:`probabilities`.

    The normalisation is undone by what dummies of one attribute sum to, 2 - q: one is +1 and
    the others are -1. Spectral methods and noise keep that sum.

    Parameters
    ----------
    shares : (n, q) array
        Not negative; rows need not sum to 1.

    Returns
    -------
    (n, q) array
    """
    q = shares.shape[1]
    shares = np.maximum(shares / shares.sum(axis=1, keepdims=True), 1e-12)
    if q == 1:
        return np.ones_like(shares)
    # The sum of logit(t * share) grows with t from minus to plus infinity; t < 1 / largest.
    low, high = np.full(len(shares), -60.0), np.full(len(shares), 60.0)
    largest = shares.max(axis=1)
    for _ in range(80):
        middle = (low + high) / 2
        t = _expit(middle) / largest
        total = _logit(t[:, None] * shares).sum(axis=1)
        above = total > 2 - q
        high = np.where(above, middle, high)
        low = np.where(above, low, middle)
    t = _expit((low + high) / 2) / largest
    return _logit(t[:, None] * shares)


def _expit(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def _logit(p: np.ndarray) -> np.ndarray:
    p = np.minimum(p, 1 - 1e-16)
    return np.log(p) - np.log1p(-p)
