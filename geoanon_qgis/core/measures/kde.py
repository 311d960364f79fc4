# SPDX-License-Identifier: GPL-2.0-or-later
"""Kernel densities of both patterns on one grid and one scale, and how far they overlap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence, figure
from ..space.points import as_points, places
from .grid import Grid, grid_over
from .window import Window

#: Cells in a row or a column, at most; and how far beyond all points the grid goes, in bandwidths.
MOST_CELLS, _BEYOND = 256, 3.0
#: Cells in a bandwidth.
_FINE = 4.0
#: Bandwidths beyond which a kernel has less than 1e-18.
_REACH = 9.0
_ROWS = 4_096


@dataclass(frozen=True, eq=False, repr=False)
class DensitiesCompared(Summarised):
    """Kernel densities before and after.

    Attributes
    ----------
    grid : Grid
    bandwidth : float
        Standard deviation of the Gaussian kernel, in the unit of the coordinates; of both.
    before, after : (rows, columns) arrays
        Points per square unit, the mean over each cell. NaN outside the window, if edges are
        corrected.
    overlap : float
        What both have in common, of 1: the integral of the smaller of both densities, each of which
        integrates to 1 on the grid. One less the overlap is the total variation distance. Cells
        blur it: a little too high (by .004 for a quarter of a bandwidth), more where cells are
        wider. NaN where coordinates have too few digits for the bandwidth.
    corrected : bool
        Whether densities allow for what a kernel has outside the window.
    left_out : (int, int)
        Points outside the window, before and after, which count for nothing if edges are corrected.
    """

    grid: Grid
    bandwidth: float
    before: np.ndarray
    after: np.ndarray
    overlap: float
    corrected: bool
    left_out: tuple[int, int]

    @property
    def difference(self) -> np.ndarray:
        """After less before, (rows, columns)."""
        return self.after - self.before

    @property
    def largest(self) -> float:
        """The end of a scale for both."""
        return float(max(np.nanmax(self.before), np.nanmax(self.after)))

    @property
    def largest_difference(self) -> float:
        """The largest absolute difference, in points per square unit."""
        return float(np.nanmax(np.abs(self.difference)))

    def in_words(self) -> str:
        """Say how far they overlap."""
        return (
            f"Kernel densities (bandwidth {self.bandwidth:,.4g}) overlap by"
            f" {figure(self.overlap, '.1%')}; the largest difference is"
            f" {figure(np.divide(self.largest_difference, self.largest or np.nan), '.1%')} of the"
            " highest density."
        )


def compare_densities(
    original: np.ndarray,
    released: np.ndarray,
    bandwidth: float | None = None,
    window: Window | None = None,
    correct_edges: bool = False,
    progress: Progress = silent,
    *,
    most_cells: int = MOST_CELLS,
) -> DensitiesCompared:
    """Estimate the density of both patterns with the same kernel on the same grid.

    Parameters
    ----------
    original, released : (n, 2), (m, 2) arrays
        In one plane; rows need not correspond.
    bandwidth : float, optional
        By default :func:`scott_bandwidth` of the originals.
    window : Window, optional
        The grid covers it, too.
    correct_edges : bool
        Divide by the share of the kernel that lies in the window; points outside are left out.
    progress : callable
    most_cells : int
        In a row or a column. Cells are a quarter of a bandwidth wide, or wider where that makes too many.

    Returns
    -------
    DensitiesCompared

    Raises
    ------
    InputError
        If there are no points, the bandwidth is not positive, or edges are to be corrected
        without a window.

    References
    ----------
    Diggle (1985), A kernel method for smoothing point process data, Applied Statistics 34:
    138-147. Jones (1993), Simple boundary correction for kernel density estimation, Statistics
    and Computing 3: 135-146.
    """
    both = [as_points(original), as_points(released)]
    if correct_edges and window is None:
        raise InputError(Sentence("Correcting the density at the edges needs an area."))
    left_out = [0, 0]
    if window is not None:
        inside = [window.contains(xy) for xy in both]
        left_out = [int((~some).sum()) for some in inside]
        if correct_edges:
            both = [xy[some] for xy, some in zip(both, inside)]
    if not all(len(xy) for xy in both):
        raise InputError(Sentence("There are no points whose density could be computed."))
    if bandwidth is None:
        bandwidth = scott_bandwidth(both[0])
    if not (np.isfinite(bandwidth) and bandwidth > 0):
        raise InputError(Sentence("The bandwidth of a kernel density must be a distance above 0."))
    grid = grid_over(_bounds(both, bandwidth, window), bandwidth / _FINE, most_cells)
    shares = [part(progress, 0.0, 0.45), part(progress, 0.45, 0.9)]
    before, after = (kernel_density(xy, grid, bandwidth, ahead) for xy, ahead in zip(both, shares))
    inside_share = np.ones((grid.rows, grid.columns))
    if correct_edges and window is not None:
        inside_share = grid.coverage(window, part(progress, 0.9, 1.0))
        seen = _mass_inside(grid, bandwidth, inside_share)
        before, after = before / seen, after / seen
    mass = [one * inside_share for one in (before, after)]
    sums = [float(np.nansum(one)) for one in mass]
    # Points may be nearer to each other than their coordinates have digits.
    overlap = float("nan")
    if min(sums) > 0:
        overlap = float(np.nansum(np.minimum(mass[0] / sums[0], mass[1] / sums[1])))
    progress(1.0)
    return DensitiesCompared(
        grid, float(bandwidth), before, after, overlap, correct_edges, (left_out[0], left_out[1])
    )


def scott_bandwidth(xy: np.ndarray) -> float:
    """Scott's rule in two dimensions, sigma n^(-1/6); 0 where all points share a place.

    Parameters
    ----------
    xy : (n, 2) array
        sigma² is the mean of the variances of x and y.

    References
    ----------
    Scott (1992), Multivariate density estimation, Wiley, section 6.3.
    """
    if len(xy) < 2:
        return 0.0
    variance = (xy - xy[0]).var(axis=0, ddof=1).mean()
    return float(np.sqrt(variance) * len(xy) ** (-1 / 6))


def kernel_density(
    xy: np.ndarray, grid: Grid, bandwidth: float, progress: Progress = silent
) -> np.ndarray:
    """Mean density of points over each cell, with a Gaussian kernel.

    Nothing is binned: a Gaussian is the product of one along x and one along y, so that the sum over
    all points is a product of two matrices, of what each kernel has in each column and each row.

    Parameters
    ----------
    xy : (n, 2) array
    grid : Grid
    bandwidth : float
        Above 0.
    progress : callable

    Returns
    -------
    (rows, columns) array
        Points per square unit. Times the area of a cell it sums to the points, less what kernels
        have beyond the grid.
    """
    found = places(as_points(xy))
    density = np.zeros((grid.rows, grid.columns))
    for rows in chunks(len(found.xy), _ROWS, progress):
        # Places stand in the order of x: only some columns are within reach of their kernels.
        ends = found.xy[rows, 0][[0, -1]] + bandwidth * np.array([-_REACH, _REACH])
        first, last = np.clip((ends - grid.left) // grid.side, [0, -1], grid.columns - 1).astype(
            int
        )
        if last < first:
            continue
        along = _in_cells(found.xy[rows, 0], grid.x[first : last + 2], bandwidth)
        up = _in_cells(found.xy[rows, 1], grid.y, bandwidth)
        density[:, first : last + 1] += (up * found.count[rows, None]).T @ along
    return density / grid.side**2


def _in_cells(at: np.ndarray, edges: np.ndarray, bandwidth: float) -> np.ndarray:
    """Share of a Gaussian at each place that lies between edges, (n, cells)."""
    from scipy.special import ndtr

    return np.diff(ndtr((edges - at[:, None]) / bandwidth), axis=1)


def _mass_inside(grid: Grid, bandwidth: float, coverage: np.ndarray) -> np.ndarray:
    """Share of a kernel in the middle of each cell that the window holds; NaN outside of it."""
    half = grid.side / 2
    along = _in_cells(grid.x[:-1] + half, grid.x, bandwidth)
    up = _in_cells(grid.y[:-1] + half, grid.y, bandwidth)
    return np.where(coverage > 0, up @ coverage @ along.T, np.nan)


def _bounds(both: list[np.ndarray], bandwidth: float, window: Window | None) -> np.ndarray:
    """The rectangle of all points, and what their kernels reach, and of the window."""
    low = np.min([xy.min(axis=0) for xy in both], axis=0) - _BEYOND * bandwidth
    high = np.max([xy.max(axis=0) for xy in both], axis=0) + _BEYOND * bandwidth
    if window is not None:
        low, high = np.minimum(low, window.bounds[:2]), np.maximum(high, window.bounds[2:])
    return np.concatenate([low, high])
