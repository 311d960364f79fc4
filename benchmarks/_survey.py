# SPDX-License-Identifier: GPL-2.0-or-later
"""Microdata of the shape of a health survey: continuous, ordinal and binary, correlated."""

from __future__ import annotations

import _timing  # noqa: F401  (puts the checkout on the path)
import numpy as np

#: Columns of each kind: 28 together, as in the published experiment.
CONTINUOUS, ORDINAL, BINARY = 14, 4, 10
_FACTORS = 6


def survey(count: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Draw records that nobody gave: six factors, two of them bent, and noise of each column.

    Every column depends on one factor mostly, on others now and then, and on noise for 3 to
    40 % of its variance. What is measured is strictly positive and skewed (a logarithm makes
    it roughly normal), answers have three to seven levels, and traits are there or not, some
    of them rarely. The design of the columns is fixed; the records depend on ``rng`` alone, so
    that two calls give samples of one population without overlap.
    """
    design = np.random.default_rng(28)
    columns = CONTINUOUS + ORDINAL + BINARY
    weight = design.normal(size=(_FACTORS, columns))
    weight *= design.random((_FACTORS, columns)) < 0.15
    main = design.integers(0, _FACTORS, columns)
    weight[main, np.arange(columns)] += np.sign(design.normal(size=columns)) * 1.5
    weight /= np.sqrt((weight**2).sum(axis=0))
    share = np.sqrt(design.uniform(0.6, 0.97, columns))
    factors = rng.standard_normal((count, _FACTORS))
    # Real tables are not normal: one factor depends on another in a curve, one is skewed.
    factors[:, 1] = 0.8 * factors[:, 1] + 0.42 * (factors[:, 0] ** 2 - 1)
    factors[:, 2] = (np.exp(0.5 * factors[:, 2]) - np.exp(0.125)) / 0.6
    table: dict[str, np.ndarray] = {}
    for column in range(columns):
        values = factors @ (weight[:, column] * share[column])
        values += rng.standard_normal(count) * np.sqrt(1 - share[column] ** 2)
        if column < CONTINUOUS:
            level, spread = design.uniform(1, 6), design.uniform(0.2, 0.8)
            table[f"measure_{column + 1}"] = np.exp(level + spread * values)
        elif column < CONTINUOUS + ORDINAL:
            cuts = np.sort(design.normal(0, 1, design.integers(2, 7)))
            table[f"answer_{column + 1 - CONTINUOUS}"] = np.searchsorted(cuts, values)
        else:
            cut = design.normal(0.2, 0.6)
            table[f"trait_{column + 1 - CONTINUOUS - ORDINAL}"] = values > cut
    return table


def kinds(table: dict[str, np.ndarray]) -> dict[str, str]:
    """The kinds of the columns of :func:`survey`."""
    of = {"measure": "positive", "answer": "ordinal", "trait": "binary"}
    return {name: of[name.split("_")[0]] for name in table}
