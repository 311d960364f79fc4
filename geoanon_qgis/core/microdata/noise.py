# SPDX-License-Identifier: GPL-2.0-or-later
"""Additive noise: the baseline that keeps every statistic and protects nobody."""

from __future__ import annotations

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, part, silent
from .matrices import as_matrix, block_rows, column_means, scatter


def additive_noise(
    matrix: np.ndarray, b: float, rng: np.random.Generator, progress: Progress = silent
) -> np.ndarray:
    """Add N(0, b S), S the covariance of the table, corrected for mean and variance.

    Lasko & Vinterbo (2010), section IV-B, after Kim (1986) and Tendick & Matloff (1994). The
    noise is centred, so that means stay exactly, and deviations from the mean are divided by
    sqrt(1 + b), so that covariances stay on the average.

    Parameters
    ----------
    matrix : (n, m) array
        A coded table.
    b : float
        Noise variance as a share of each variance, above 0; the paper's is 0.1.
    rng : numpy.random.Generator

    Returns
    -------
    (n, m) array
        Row i is record i with its noise.

    Raises
    ------
    InputError
        If b is no positive number.
    """
    if not 0 < b < np.inf:
        raise InputError("The share of noise must be a number above 0; 0.1 is usual.")
    matrix = as_matrix(matrix)
    n, m = matrix.shape
    mean = column_means(matrix, part(progress, 0.0, 0.1))
    covariance = scatter(matrix, mean, part(progress, 0.1, 0.2)) / (n - 1)
    values, vectors = np.linalg.eigh(covariance)
    # Rounding makes eigenvalues of zero a little negative where columns are collinear.
    values[values < max(n, m) * np.finfo(float).eps * values[-1]] = 0.0
    factor = vectors * np.sqrt(b * values)
    result = np.empty_like(matrix)
    shrink = 1 / np.sqrt(1 + b)
    for rows in chunks(n, block_rows(m), part(progress, 0.2, 0.9)):
        noise = rng.standard_normal((rows.stop - rows.start, m)) @ factor.T
        result[rows] = (matrix[rows] - mean + noise) * shrink
    result += mean - column_means(result, part(progress, 0.9, 1.0))
    return result
