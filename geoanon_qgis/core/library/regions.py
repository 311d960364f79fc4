# SPDX-License-Identifier: GPL-2.0-or-later
"""Small areas, aggregated until every record hides among k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..aggregation.categories import Encoder, region_encoder
from ..aggregation.components import JOINING
from ..aggregation.demands import Demands, Floor
from ..aggregation.equivalence_classes import count_classes
from ..aggregation.local_search import TOLERANCE
from ..aggregation.neighbours import (
    Neighbours,
    neighbours_of_points,
    neighbours_of_polygons,
)
from ..aggregation.release import released_records
from ..aggregation.vbas import Aggregation, gaps_model, vbas
from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, silent
from ..runtime.wording import number_of
from ..space.planes import working_plane
from ..verdict import LIMIT, judge
from .inputs import Points, Table, points_of, rng_of, table_of


def aggregate(
    regions: Points,
    records: Table,
    *,
    region: str,
    quasi_identifiers: Sequence[str],
    region_ids: Sequence[object] | str | None = None,
    k: int = 5,
    sites: int | None = None,
    sites_by: str | None = None,
    gaps: str = "central",
    location: str = "balanced_density",
    objective: str = "suppression",
    tolerance: float = TOLERANCE,
    min_records: int = 0,
    max_diameter: float | None = None,
    borders: Sequence[object] | str | None = None,
    contiguous: bool = False,
    acceptable: float = LIMIT,
    crs: Any = None,
    seed: Any = None,
    progress: Progress = silent,
) -> Aggregation:
    """Aggregate small areas to larger ones, in which every released record hides among k.

    Parameters
    ----------
    regions : (r, 2) array, GeoDataFrame or GeoSeries
        A point of each region; of polygons, one inside of each is taken.
    records : mapping of names to columns, DataFrame or structured array
        The records of persons.
    region : str
        The column of the records with the region's id.
    quasi_identifiers : sequence of str
        Columns that others may know of a person. What is missing is a category of its own.
    region_ids : sequence of length r, or str, optional
        Ids of the regions, or the column of a GeoDataFrame that holds them; 0, 1, .. by default.
    k : int
        Records that agree in all quasi-identifiers, in one area, to be released; 2 or more.
    sites : int, optional
        Number of areas, where it is to be fixed.
    sites_by : str, optional
        ``fixed``, ``gaps_maxcombs`` (default without ``sites``) or ``gaps_entropy``.
    gaps : str
        Model of the population that an area needs: ``west``, ``central`` or ``east``.
    location : str
        Where sites go: ``balanced_density``, ``adc``, ``least_suppression``, ``random`` or
        ``kmeans``; or how regions that adjoin are joined: ``ward``, ``k_aware``, or ``best`` of
        several starts.
    objective : str
        Of ``best``: ``suppression``, ``compactness``, ``entropy`` or ``weighted``.
    tolerance : float
        Share by which ``least_suppression`` may exceed compactness and entropy loss of what it
        begins with, and ``best`` the entropy loss of balanced density.
    min_records : int
        Fewest records of an area, before suppression.
    max_diameter : float, optional
        Largest distance between two regions of an area, in metres.
    borders : sequence of length r, or str, optional
        State or county of each region, or the column of a GeoDataFrame: no area crosses them.
    contiguous : bool
        Whether areas are in one piece: regions adjoin where polygons share a border, or where the
        Voronoi cells of points do. Islands are areas of their own.
    acceptable : float
        Share of people found, up to which the verdict is not "do not release".
    crs : anything that pyproj.CRS takes, optional
        Of the regions, by default that of a GeoDataFrame.
    seed : int, numpy.random.Generator or None
        For searches, and for the order of the released records.
    progress : callable
        Told a fraction between 0 and 1; may raise to cancel.

    Returns
    -------
    Aggregation
        ``area_of_region`` puts the regions together; ``record`` and ``area`` are the rows of the
        records that may be released, in random order, and their areas. All else is private, the
        ``sites`` too, which are in the system of the regions.

    Raises
    ------
    InputError
        For unknown regions, columns of mixed types, k above the number of records, and what no
        areas can keep.

    References
    ----------
    Croft, W. L., Shi, W., Sack, J.-R. and Corriveau, J.-P. (2015). A novel geographic partitioning
    system for anonymizing health care data. arXiv:1505.06939.

    Examples
    --------
    >>> made = geoanon.aggregate(blocks, people, region="block", quasi_identifiers=["age", "sex"])
    >>> made.measures.suppressed
    """
    xy, wkt = points_of(_one_point_each(regions), crs, "regions")
    ids: list[object] = list(range(len(xy)))
    if region_ids is not None:
        ids = _of_each(regions, region_ids, len(xy), "region_ids")
    names = [quasi_identifiers] if isinstance(quasi_identifiers, str) else [*quasi_identifiers]
    if not names:
        raise InputError("Choose at least one quasi-identifier.")
    if region in names:
        raise InputError(
            "{region} is the id of the region and cannot be a quasi-identifier as well: the "
            "area takes its place.",
            region=region,
        )
    table = table_of(records, [region, *names])
    if not len(table[region]):
        raise InputError("There are no records.")
    row = region_encoder(ids, region).codes(table[region])
    if (row < 0).any():
        raise InputError(
            "{count:,} of the records are of regions that are not there. Check that "
            "{region} and the ids of the regions belong together, or leave those records "
            "out.",
            count=int((row < 0).sum()),
            region=region,
        )
    codes = [Encoder(name).codes(table[name]) for name in names]
    classes = count_classes(row, codes, len(xy), None, part(progress, 0.0, 0.1))
    by = sites_by or ("gaps_maxcombs" if sites is None else "fixed")
    plane = working_plane(xy, wkt)
    rng = rng_of(seed)
    in_plane = plane.forward(xy)
    joined = contiguous or location in JOINING
    floors = (Floor(classes.population, float(min_records)),) if min_records else ()
    demands = Demands(
        floors,
        np.inf if max_diameter is None else max_diameter / plane.metres_per_unit,
        *_parts(regions, borders, len(xy)),
        _adjoining(regions, in_plane, part(progress, 0.1, 0.15)) if joined else None,
        contiguous,
    )
    made = vbas(
        classes,
        in_plane,
        k,
        rng,
        by,
        None if by == "fixed" else gaps_model(gaps),
        sites,
        location,
        options={"objective": objective, "tolerance": tolerance},
        distance=plane.ground_distance,
        progress=part(progress, 0.15, 0.9),
        demands=demands,
    )
    record, area = released_records(classes, made, rng, part(progress, 0.9, 1.0))
    made = replace(made, sites=plane.inverse(made.sites), record=record, area=area)
    judged = judge([made.evidence], "quasi_identifiers", "which_record", acceptable)
    return made.with_verdict(judged)


def _parts(regions: Any, borders: Any, count: int) -> tuple[np.ndarray | None, tuple[str, ...]]:
    """The part of the map of each region, and what the parts are called."""
    if borders is None:
        return None, ()
    named = _of_each(regions, borders, count, "borders")
    unknown = sum(one is None or one != one or not str(one).strip() for one in named)
    if unknown:
        raise InputError(
            "borders= is empty for {regions}: on which side they lie is not known.",
            regions=number_of(unknown, "region", "regions"),
        )
    names, part_of = np.unique(np.array([str(one) for one in named]), return_inverse=True)
    return part_of.reshape(-1), tuple(names.tolist())


def _adjoining(regions: Any, xy: np.ndarray, progress: Progress) -> Neighbours:
    shapes = _polygons(regions)
    if shapes is None:
        return neighbours_of_points(xy, progress)
    return neighbours_of_polygons(list(shapes), progress)


def _polygons(regions: Any) -> Any:
    """The geometries of regions that are polygons; None of others."""
    shapes = getattr(regions, "geometry", None)
    if shapes is None or not hasattr(shapes, "representative_point"):
        return None
    kinds = set(np.asarray(shapes.geom_type).tolist())
    return shapes if kinds <= {"Polygon", "MultiPolygon"} else None


def _one_point_each(regions: Any) -> Any:
    """Points as they are, polygons by a point inside of each."""
    shapes = _polygons(regions)
    return regions if shapes is None else shapes.representative_point()


def _of_each(regions: Any, given: Any, count: int, name: str) -> list[object]:
    """What is given for each region, as values or by the name of a column."""
    if isinstance(given, str):
        if not hasattr(regions, "columns"):
            raise InputError(
                "{name}= names a column, but the regions are no GeoDataFrame. Give the values.",
                name=name,
            )
        given = list(table_of(regions, [given])[given])
    found = np.asarray(given).tolist()
    if len(found) != count:
        raise InputError(
            "There are {found:,} values in {name}= for {count:,} regions.",
            found=len(found),
            name=name,
            count=count,
        )
    return found
