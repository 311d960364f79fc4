# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the sites go: at random, or so that each gets about as many people (Croft 2015, 3.2.1).

Coordinates are those of a plane (:mod:`..space.planes`), in which the Voronoi diagram is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.wording import Sentence, number_of
from ..space.points import as_points, places


@dataclass(frozen=True)
class BalancedCells:
    """The groups of regions behind the sites of the balanced-density approach.

    Attributes
    ----------
    sites : (s, 2) array
        Coordinate-wise median of each cell's points.
    cell_of_region : (n,) int array
    row_of_cell : (s,) int array
    """

    sites: np.ndarray
    cell_of_region: np.ndarray
    row_of_cell: np.ndarray


def random_sites(xy: np.ndarray, sites: int, rng: np.random.Generator) -> np.ndarray:
    """Put sites on different places drawn from those of the regions, all equally likely.

    Parameters
    ----------
    xy : (n, 2) array
    sites : int
        At most the number of different places.

    Returns
    -------
    (sites, 2) array
    """
    distinct = places(as_points(xy, Sentence("regions"))).xy
    check_site_number(sites, len(distinct))
    return distinct[rng.choice(len(distinct), sites, replace=False)]


def balanced_density(xy: np.ndarray, population: np.ndarray, sites: int) -> np.ndarray:
    """Sites by the balanced-density approach, an array of shape (sites, 2)."""
    return balanced_cells(xy, population, sites).sites


def balanced_cells(xy: np.ndarray, population: np.ndarray, sites: int) -> BalancedCells:
    """Divide regions into rows and rows into cells of about the same population.

    Croft et al. 2015, section 3.2.1, equations 7 to 13. Left open there, and chosen here:
    points with the same y are walked by x, then by row; a row or cell takes its first point in
    any case; what is left after the last full row makes a row if that is nearer to the ideal
    than to nothing, and joins the last row otherwise; rows never outnumber the sites; numbers
    of cells are repaired by largest remainders, and no row gets more cells than it has points;
    the ideal of a cell is its row's population over its number of cells; a cell is halved
    where its population is, by the same walk.

    Parameters
    ----------
    xy : (n, 2) array
        Regions in the plane.
    population : (n,) array of int
        Records of each region.
    sites : int
        At most n.

    Returns
    -------
    BalancedCells

    Raises
    ------
    InputError
        If there are more sites than regions, or nobody lives anywhere.
    """
    xy = as_points(xy, Sentence("regions"))
    population = np.asarray(population, dtype=np.int64)
    check_site_number(sites, len(xy))
    total = int(population.sum())
    if total <= 0:
        raise InputError("No region has any records. Check the field with the region's id.")
    by_y = np.lexsort((xy[:, 0], xy[:, 1]))
    rows = max(1, _round(np.sqrt(sites)))
    ends = _row_ends(population[by_y], rows, min(sites, len(xy)))
    bounds = list(zip([0, *ends[:-1]], ends))
    share = np.array([population[by_y[start:end]].sum() for start, end in bounds]) / total
    points = np.array([end - start for start, end in bounds])
    cells = cells_per_row(share * sites, points, sites)

    cell_of_region = np.empty(len(xy), dtype=np.intp)
    row_of_cell = np.repeat(np.arange(len(bounds)), cells)
    middle = np.empty((sites, 2))
    cell = 0
    for (start, end), wanted in zip(bounds, cells):
        row = by_y[start:end]
        row = row[np.lexsort((xy[row, 1], xy[row, 0]))]
        for members in np.split(row, _cell_ends(population[row], int(wanted))[:-1]):
            cell_of_region[members] = cell
            middle[cell] = np.median(xy[members], axis=0)
            cell += 1
    return BalancedCells(middle, cell_of_region, row_of_cell)


def cells_per_row(quota: np.ndarray, points: np.ndarray, cells: int) -> np.ndarray:
    """Whole numbers of cells near to the quotas that sum up to ``cells``.

    Largest remainders: every row gets the whole part of its quota, at least one and at most
    its points; what is missing goes to the rows that are furthest below their quota, what is
    too much is taken from those furthest above it. Ties go to the first row.

    Parameters
    ----------
    quota : (r,) array
    points : (r,) array of int
    cells : int
        From r to the sum of ``points``.
    """
    given = np.clip(np.floor(quota).astype(np.int64), 1, points)
    while given.sum() < cells:
        given[np.argmax(np.where(given < points, quota - given, -np.inf))] += 1
    while given.sum() > cells:
        given[np.argmin(np.where(given > 1, quota - given, np.inf))] -= 1
    return given


def check_site_number(sites: int, regions: int) -> None:
    """Raise InputError unless ``sites`` is from 1 to the number of places of the regions."""
    if sites < 1:
        raise InputError("There must be at least one site.")
    if sites > regions:
        raise InputError(
            "{sites:,} sites were asked for, but the regions lie at {places} only. Ask for "
            "fewer sites.",
            sites=sites,
            places=number_of(regions, "place", "places"),
        )


def _round(value: float) -> int:
    """To the nearest whole number, halves up."""
    return int(np.floor(value + 0.5))


def _next_end(running: np.ndarray, start: int, ideal: float) -> int | None:
    """One step of the walk: where the group that begins at ``start`` ends.

    ``running`` is the population up to and without each point. None if what is left does not
    reach the ideal.
    """
    reached = int(np.searchsorted(running, running[start] + ideal, side="left"))
    if reached >= len(running):
        return None
    reached = max(reached, start + 1)
    with_last = running[reached] - running[start] - ideal
    without = ideal - (running[reached - 1] - running[start])
    # The point that passes the ideal stays iff that is nearer; a group is never empty.
    return reached if with_last < without or reached == start + 1 else reached - 1


def _row_ends(population: np.ndarray, rows: int, most: int) -> list[int]:
    """Ends of the rows along points sorted by y."""
    running = np.concatenate([[0], np.cumsum(population)])
    ideal = max(1, _round(running[-1] / rows))
    ends: list[int] = []
    start = 0
    while start < len(population):
        end = _next_end(running, start, ideal)
        if len(ends) == most - 1:
            end = len(population)
        if end is None:
            if ends and 2 * (running[-1] - running[start]) < ideal:
                ends.pop()
            end = len(population)
        ends.append(end)
        start = end
    return ends


def _cell_ends(population: np.ndarray, cells: int) -> list[int]:
    """Ends of the cells along a row's points sorted by x; exactly ``cells`` of them."""
    running = np.concatenate([[0], np.cumsum(population)])
    ideal = running[-1] / cells
    ends: list[int] = []
    start = 0
    while start < len(population) and len(ends) < cells - 1:
        end = _next_end(running, start, ideal)
        if end is None:
            break
        ends.append(end)
        start = end
    if start < len(population):
        ends.append(len(population))
    while len(ends) < cells:
        starts = np.array([0, *ends[:-1]])
        held = running[np.array(ends)] - running[starts]
        several = np.array(ends) - starts > 1
        largest = int(np.argmax(np.where(several, held, -1)))
        begin, end = int(starts[largest]), ends[largest]
        half = _next_end(running[: end + 1], begin, held[largest] / 2)
        ends.insert(largest, min(half or end - 1, end - 1))
    return ends
