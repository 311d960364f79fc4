# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether labels go with places: how much oftener neighbours share one than others."""

from __future__ import annotations

import numpy as np

#: Nearest neighbours whose labels are looked at; pairs of them that share one by chance, and are
#: added, so that a few families among people of rare labels say little.
_NEIGHBOURS, _FEW = 8, 10.0
#: How much oftener neighbours share a label than others where labels are said to go with places.
GO_WITH_PLACES = 1.3


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
