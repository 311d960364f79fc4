# SPDX-License-Identifier: GPL-2.0-or-later
"""What an aggregation costs: suppression and loss of information (Croft et al. 2015, 3.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.errors import InputError
from ..runtime.memory import refuse_unless_fits
from ..runtime.wording import Sentence, number_of
from .equivalence_classes import EquivalenceClasses, anonymity

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

#: Metres between places of the plane, row by row.
Distance = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Areas:
    """The aggregated areas, one for each site, in the order of the sites.

    Attributes
    ----------
    counts : (areas, classes) csr_matrix
        Records of each class in each area, before suppression, without those that are withheld besides.
    regions, records, classes, smallest, suppressed : (areas,) int64 arrays
        Regions and records in the area, classes that occur in it, the smallest of them (before
        suppression; 0 without records), and records in classes below k.
    smallest_kept : (areas,) int64 array
        The smallest class that is released; 0 where none is.
    k : int
    """

    counts: csr_matrix
    regions: np.ndarray
    records: np.ndarray
    classes: np.ndarray
    smallest: np.ndarray
    suppressed: np.ndarray
    smallest_kept: np.ndarray
    k: int


@dataclass(frozen=True)
class Measures:
    """The measures of the whole aggregation.

    Attributes
    ----------
    sites, areas, regions, records : int
        ``areas`` are the sites that attracted a region.
    suppressed, released : int
        Records in classes smaller than k, and the others.
    suppressed_share : float
        Of the records, 0 to 1.
    anonymity : int
        Smallest class that is released, at least k; 0 if nothing is.
    smallest_class : int
        Smallest class before suppression.
    compactness : float
        Sum over the regions of the distance to the site of their area, in metres.
    discernibility : float
        Sum over the released classes of their size squared.
    discernibility_full : float
        The same plus, for each suppressed record, the number of records (Bayardo, Agrawal 2005).
    entropy_loss : float
        Non-uniform entropy in bits.
    distance_per_person : float
        Mean distance, in metres, of the records' regions to the sites of their areas; NaN without
        records.
    """

    sites: int
    areas: int
    regions: int
    records: int
    suppressed: int
    released: int
    suppressed_share: float
    anonymity: int
    smallest_class: int
    compactness: float
    discernibility: float
    discernibility_full: float
    entropy_loss: float
    distance_per_person: float = float("nan")


def aggregate(counts: csr_matrix, area_of_region: np.ndarray, areas: int) -> csr_matrix:
    """Add up the rows of the regions that belong to each area.

    Parameters
    ----------
    counts : (regions, classes) csr_matrix
    area_of_region : (regions,) int array
    areas : int

    Returns
    -------
    (areas, classes) csr_matrix of int64, indices sorted
    """
    from scipy.sparse import csr_matrix

    regions = len(area_of_region)
    member = csr_matrix(
        (np.ones(regions, dtype=np.int64), (area_of_region, np.arange(regions))),
        shape=(areas, regions),
    )
    total = (member @ counts).tocsr()
    total.sort_indices()
    return total


def table_of(
    counts: csr_matrix, area_of_region: np.ndarray, areas: int, work: Sentence, advice: Sentence
) -> np.ndarray:
    """Return what :func:`aggregate` does as a full table, for a search that changes it.

    Parameters
    ----------
    counts : (regions, classes) csr_matrix
    area_of_region : (regions,) int array
    areas : int
    work, advice : Sentence
        What the table is for, and what to do where it does not fit.

    Returns
    -------
    (areas, classes) int32 array

    Raises
    ------
    InputError
        If the table does not fit the memory.
    """
    classes = counts.shape[1]
    refuse_unless_fits(
        4.0 * areas * classes,
        Sentence(
            "{areas} and {classes}",
            areas=number_of(areas, "area", "areas"),
            classes=number_of(classes, "class", "classes"),
        ),
        work,
        advice,
    )
    return aggregate(counts, area_of_region, areas).toarray().astype(np.int32)


def describe_areas(
    classes: EquivalenceClasses,
    area_of_region: np.ndarray,
    areas: int,
    k: int,
    withheld: csr_matrix | None = None,
) -> Areas:
    """Count regions, records, classes and what k suppresses in each aggregated area.

    Parameters
    ----------
    classes : EquivalenceClasses
    area_of_region : (regions,) int array
    areas : int
        Number of areas, those that got no region included.
    k : int
    withheld : (regions, classes) csr_matrix, optional
        Records that are withheld whatever the size of their class; all count as suppressed.

    Raises
    ------
    InputError
        If k is below 2.
    """
    check_k(k)
    total = aggregate(classes.counts, area_of_region, areas)
    left = total
    if withheld is not None:
        left = (total - aggregate(withheld, area_of_region, areas)).tocsr()
        left.eliminate_zeros()
        left.sort_indices()
    row = np.repeat(np.arange(areas), np.diff(left.indptr))
    small = left.data < k
    kept = left.copy()
    kept.data[small] = 0
    kept.eliminate_zeros()
    records = np.bincount(area_of_region, weights=classes.population, minlength=areas)
    suppressed = _sums(row[small], left.data[small], areas)
    if withheld is not None:
        suppressed += np.asarray((total - left).sum(axis=1)).reshape(-1).astype(np.int64)
    return Areas(
        counts=left,
        regions=np.bincount(area_of_region, minlength=areas),
        records=np.rint(records).astype(np.int64),
        classes=np.diff(total.indptr).astype(np.int64),
        smallest=anonymity(total),
        suppressed=suppressed,
        smallest_kept=anonymity(kept),
        k=int(k),
    )


def measure(
    classes: EquivalenceClasses,
    xy: np.ndarray,
    sites: np.ndarray,
    area_of_region: np.ndarray,
    areas: Areas,
    distance: Distance | None = None,
) -> Measures:
    """The measures of Croft et al. 2015, equations 20 to 23, as methods.md reads them.

    Compactness is the sum over the regions, those without records included, of the straight
    distance to their site. Discernibility (eq. 21) counts the classes that are released; the
    form of Bayardo and Agrawal beside it charges each suppressed record with the whole data
    set. Non-uniform entropy is -sum over all records, suppressed ones included, of the log2 of
    the region's records over its area's. The base is open in the paper.

    Parameters
    ----------
    classes : EquivalenceClasses
    xy : (n, 2) array
        Regions in the plane.
    sites : (s, 2) array
    area_of_region : (n,) int array
    areas : Areas
    distance : callable, optional
        Metres on the ground between places of the plane, row by row:
        :meth:`~..space.Plane.ground_distance`. By default, straight in the plane's units.
    """
    away = (distance or _straight)(
        np.asarray(xy, dtype=np.float64), np.asarray(sites)[area_of_region]
    )
    sizes = areas.counts.data.astype(np.float64)
    kept = areas.counts.data >= areas.k
    records = int(areas.records.sum())
    suppressed = int(areas.suppressed.sum())
    discernibility = float((sizes[kept] ** 2).sum())
    own = classes.population.astype(np.float64)
    filled = own > 0
    chance = own[filled] / areas.records[area_of_region[filled]]
    held = areas.smallest[areas.records > 0]
    return Measures(
        sites=len(areas.records),
        areas=int((areas.regions > 0).sum()),
        regions=len(area_of_region),
        records=records,
        suppressed=suppressed,
        released=records - suppressed,
        suppressed_share=suppressed / records if records else 0.0,
        anonymity=int(areas.counts.data[kept].min()) if kept.any() else 0,
        smallest_class=int(held.min()) if held.size else 0,
        compactness=float(away.sum()),
        discernibility=discernibility,
        discernibility_full=discernibility + float(records) * suppressed,
        entropy_loss=float(-(own[filled] * np.log2(chance)).sum()) + 0.0,
        distance_per_person=float(own @ away / records) if records else float("nan"),
    )


def check_k(k: int) -> None:
    """Raise InputError for a k that protects nobody."""
    if k < 2:
        raise InputError("K is {k}: a record hides among at least two. Give 2 or more.", k=k)


def _straight(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    return np.hypot(end[:, 0] - start[:, 0], end[:, 1] - start[:, 1])


def _sums(row: np.ndarray, values: np.ndarray, rows: int) -> np.ndarray:
    return np.rint(np.bincount(row, weights=values, minlength=rows)).astype(np.int64)
