# SPDX-License-Identifier: GPL-2.0-or-later
"""Loadings of the components, so that correlations are still there after decoding.

A swapped table has the original's correlations but for what chance does. Where a truth value or a
category is chosen from its columns, and numbers are fitted to skewed distributions, these shrink: of
two fields of halves and a correlation of .5, about .33 is left. So the table is put together with
loadings that correlate by so much more as decoding takes away. What is aimed at are the
correlations of the swapped table, not the original's: what chance did stays as it is.

This is our own, in the manner of NORTA (Cario and Nelson 1997), which finds correlations of normal
numbers that become the wanted ones of others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial

import numpy as np

from ..runtime.progress import Progress, interruptible, part, shares, silent
from .matrices import correlations
from .spectral import SpectralBasis

#: Records that are decoded; rounds of decoding and correcting.
DECODED, _ROUNDS = 10_000, 3
#: Least share of a correlation that decoding is taken to leave, the largest correlation, and the
#: spread of a column that is constant but for rounding.
_LEAST_LEFT, _MOST, _CONSTANT = 0.25, 0.999, 1e-9


def corrected(
    basis: SpectralBasis,
    blocks: Collection[slice],
    fit: Callable[..., tuple[np.ndarray, object]],
    progress: Progress = silent,
) -> SpectralBasis:
    """Return the basis with loadings for which decoded records correlate as swapped ones do.

    Parameters
    ----------
    basis : SpectralBasis
        Whose scores are permuted; they stay as they are.
    blocks : collection of slice
        Columns of each variable: among themselves these are what their values make of them.
    fit : callable
        Fits records to the original, see :func:`.calibration.calibrated`; at most
        :data:`DECODED` of them.
    progress : callable

    Returns
    -------
    SpectralBasis
        With the same scores; its vectors are no longer orthonormal. The one with the least mean
        square of what differs, which may be that it was given.

    References
    ----------
    Cario, M. C. and Nelson, B. L. (1997). Modeling and generating random vectors with arbitrary
    marginal distributions and correlation matrix. Northwestern University.
    """
    of_component = basis.singular_values / np.sqrt(basis.scores.shape[1])
    loads = basis.vectors * of_component
    spread = np.sqrt((loads**2).sum(axis=1))
    varies = spread > _CONSTANT
    if np.count_nonzero(varies) < 2:
        return basis
    loads = np.where(varies[:, None], loads / np.where(varies, spread, 1.0)[:, None], 0.0)
    # Components are permuted, so that the first records are any.
    some = replace(basis, scores=basis.scores[:, :DECODED])
    counted = np.outer(varies, varies)
    for block in blocks:
        counted[block, block] = False
    first, wanted, aimed, least = loads, None, loads @ loads.T, np.inf
    best = basis
    for number, ahead in enumerate(shares(progress, _ROUNDS + 1)):
        tried = replace(basis, vectors=loads * spread[:, None] / of_component)
        coded = replace(some, vectors=tried.vectors).rebuild(some.scores)
        if wanted is None:
            wanted = np.nan_to_num(correlations(coded))
        decoded = fit(coded, progress=part(ahead, 0.0, 0.7))[0]
        short = np.where(counted, wanted - np.nan_to_num(correlations(decoded)), 0.0)
        wrong = float((short**2).sum())
        if wrong < least:
            best, least = tried, wrong
        if number < _ROUNDS:
            left = _kept(coded, decoded)
            aimed = aimed + short / np.maximum(np.outer(left, left), _LEAST_LEFT)
            job = partial(_loads_of, aimed, first, varies)
            loads = interruptible(job, part(ahead, 0.7, 1.0))
            aimed = loads @ loads.T
    progress(1.0)
    return best


def _kept(coded: np.ndarray, decoded: np.ndarray) -> np.ndarray:
    """Correlation of each column with what was decoded from it, ``(m,)``; 0 for constants."""
    one, other = coded - coded.mean(axis=0), decoded - decoded.mean(axis=0)
    size = np.sqrt((one**2).sum(axis=0) * (other**2).sum(axis=0))
    return (one * other).sum(axis=0) / np.where(size > 0, size, np.inf)


def _loads_of(aimed: np.ndarray, first: np.ndarray, varies: np.ndarray) -> np.ndarray:
    """Loadings ``(m, r)`` near the ``first`` ones whose products are the nearest correlations."""
    values, vectors = np.linalg.eigh(np.clip(aimed, -_MOST, _MOST) + (1 - _MOST) * np.diag(varies))
    r = first.shape[1]
    root = vectors[:, -r:] * np.sqrt(np.maximum(values[-r:], 0.0))
    # Any rotation has the same products; the nearest one leaves each component what it was.
    u, _, v = np.linalg.svd(root.T @ first)
    loads = root @ (u @ v)
    size = np.sqrt((loads**2).sum(axis=1))
    loads /= np.where(varies & (size > 0), size, 1.0)[:, None]
    return np.where(varies[:, None], loads, 0.0)
