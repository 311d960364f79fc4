# SPDX-License-Identifier: GPL-2.0-or-later
"""How sure the near group is of each match, learnt where the truth was known.

Two things are known of a match without any truth: how many wrong pairs would be expected to score
as high, and how many groups as heavy as those it rests on chance would make. A logistic curve of
both was fitted to draws of German-like files (``benchmarks/near_group.py --fit``), and held against
data and draws that it had not seen.
"""

from __future__ import annotations

import numpy as np

#: Intercept, and slopes by the logarithms below.
CURVE = (-1.2, 0.9, 0.25)
#: Numbers by chance below which less makes no difference.
_LEAST_PAIRS, _LEAST_GROUPS = 1e-3, 1e-3


def features(by_chance: np.ndarray, groups_by_chance: float) -> np.ndarray:
    """What the curve is a curve of, (k, 3): ones, and two logarithms of numbers by chance."""
    pairs = -np.log(np.maximum(np.asarray(by_chance, dtype=np.float64), _LEAST_PAIRS))
    groups = -np.log(min(max(groups_by_chance, _LEAST_GROUPS), 1.0))
    return np.column_stack([np.ones(len(pairs)), pairs, np.full(len(pairs), groups)])


def confidence(by_chance: np.ndarray, groups_by_chance: float) -> np.ndarray:
    """Probability that matches are right.

    Parameters
    ----------
    by_chance : (k,) array
        Wrong pairs to be expected that score as high as each match.
    groups_by_chance : float
        Groups as heavy as the one that the matches rest on to be expected by chance; 0 for known
        links.

    Returns
    -------
    (k,) array
    """
    return 1 / (1 + np.exp(-features(by_chance, groups_by_chance) @ np.array(CURVE)))
