# SPDX-License-Identifier: GPL-2.0-or-later
"""What people hand to the front door, as the engine takes it.

Arrays, GeoDataFrames and tables are told apart by what they offer (``geometry``, ``crs``,
``columns``), so that neither geopandas nor pandas has to be there.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Union

import numpy as np

from ..columns import Column, column_of
from ..runtime.errors import InputError, MissingPackage
from ..runtime.proj_thread import in_proj_thread
from ..runtime.wording import Sentence
from ..space.areas import StudyArea
from ..space.metrics import Metric, metric_for
from ..space.planes import stored_plane
from ..space.points import as_points


class Spatial(Protocol):
    """A GeoDataFrame or GeoSeries."""

    geometry: Any
    crs: Any


class Frame(Protocol):
    """A DataFrame."""

    columns: Any

    def __getitem__(self, name: Any) -> Any: ...


#: (n, 2) arrays, nested sequences, or a GeoDataFrame or GeoSeries of points.
Points = Union[np.ndarray, Sequence[Sequence[float]], Spatial]
#: A mapping of names to columns, a DataFrame or a structured array.
Table = Union[Mapping[str, Any], np.ndarray, Frame]


def rng_of(seed: Any) -> np.random.Generator:
    """Return the generator of a seed: None for the operating system's randomness."""
    if isinstance(seed, np.random.Generator):
        return seed
    if seed is None or isinstance(seed, np.random.SeedSequence):
        return np.random.default_rng(seed)
    try:
        number = operator.index(seed)
    except TypeError:
        number = -1
    if number < 0 or isinstance(seed, (bool, np.bool_)):
        raise InputError(
            "The seed must be a whole number from 0, a numpy.random.Generator, or None for the"
            " operating system's randomness."
        )
    return np.random.default_rng(number)


@in_proj_thread
def crs_of(crs: Any) -> str | None:
    """Return a coordinate reference system as the engine takes it; None stays None."""
    if crs is None:
        return None
    try:
        from pyproj import CRS
        from pyproj.exceptions import CRSError
    except ImportError as error:
        raise MissingPackage(
            "The package pyproj is needed for coordinates with a reference system, and it is not"
            " installed."
        ) from error
    try:
        return CRS.from_user_input(crs).to_wkt()
    except (CRSError, TypeError, ValueError) as error:
        raise InputError(
            "The coordinate reference system {crs!r} cannot be read. Give an EPSG code such "
            "as 27700, or anything else that pyproj.CRS takes.",
            crs=str(crs)[:60],
        ) from error


def points_of(
    points: Points, crs: Any = None, what: str = "points"
) -> tuple[np.ndarray, str | None]:
    """Return coordinates and their reference system.

    Parameters
    ----------
    points : (n, 2) array, GeoDataFrame or GeoSeries
    crs : anything that pyproj.CRS takes, optional
        By default that of a GeoDataFrame.
    what : str
        For messages: ``points``, ``candidates``.

    Raises
    ------
    InputError
        If they are no points, have no place, or say another system than ``crs``.
    """
    shapes = getattr(points, "geometry", None)
    if shapes is None:
        return _array_of(points, what), crs_of(crs)
    own = crs_of(getattr(points, "crs", None))
    given = crs_of(crs)
    if own is not None and given is not None and not _same(own, given):
        raise InputError(
            "The {what} say themselves in which coordinate reference system they are, and "
            "crs= says another one. Leave crs= out; to change it, use their to_crs().",
            what=what,
        )
    without = np.asarray(shapes.isna()) | np.asarray(shapes.is_empty)
    if without.any():
        raise InputError(
            "{count:,} of the {what} have no place. Leave those records out.",
            count=int(without.sum()),
            what=what,
        )
    others = sorted(set(np.asarray(shapes.geom_type).tolist()) - {"Point"})
    if others:
        raise InputError(
            "The {what} must be of the type Point; there are some of the type {others}.",
            what=what,
            others=", ".join(others),
        )
    return as_points(np.column_stack([shapes.x, shapes.y]), what), own if given is None else given


def same_system(first: str | None, second: str | None, what: str) -> str | None:
    """Return the one system of two sets of points.

    Raises
    ------
    InputError
        If they have different ones.
    """
    if first is None or second is None:
        return first if second is None else second
    if not _same(first, second):
        raise InputError(
            "The two sets of points are in different coordinate reference systems. "
            "Transform the {what} with their to_crs() first.",
            what=what,
        )
    return first


def metric_of(metric: str | None, wkt: str | None) -> Metric:
    """Return the metric of a name: by default geodesic, and planar without a system."""
    on_earth = stored_plane(wkt).kind in ("geographic", "projected")
    return metric_for(metric or ("geodesic" if on_earth else "planar"), wkt)


def area_of(area: Any, xy: np.ndarray, wkt: str | None) -> StudyArea:
    """Return a study area: one that is, polygons, or the convex hull of the points."""
    if area is None:
        return StudyArea.convex_hull(xy, wkt)
    if isinstance(area, StudyArea):
        same_system(crs_of(area.wkt), wkt, "area")
        return area
    rings, own = rings_of(area)
    return StudyArea.of_rings(rings, same_system(own, wkt, "area"))


def rings_of(area: Any) -> tuple[list[np.ndarray], str | None]:
    """Return the rings of polygons and their reference system, None where they say none."""
    own = crs_of(getattr(area, "crs", None))
    shapes = getattr(area, "geometry", None)
    if shapes is not None:
        # Polygons that overlap are one area: what two of them cover would count as outside.
        area = shapes.union_all() if hasattr(shapes, "union_all") else shapes.unary_union
    interface = getattr(area, "__geo_interface__", None)
    if interface is not None:
        kind, coordinates = interface.get("type"), interface.get("coordinates")
        if kind not in ("Polygon", "MultiPolygon"):
            raise InputError("An area is made of polygons; this is of the type {kind}.", kind=kind)
        polygons = [coordinates] if kind == "Polygon" else coordinates
        return [_ring(ring) for polygon in polygons for ring in polygon], own
    if isinstance(area, np.ndarray) and area.ndim == 2:
        area = [area]
    try:
        return [_ring(ring) for ring in area], own
    except TypeError as error:
        raise InputError(
            "An area is a GeoDataFrame or GeoSeries of polygons, a shapely polygon, or a list of"
            " rings, each an (m, 2) array."
        ) from error


def _ring(ring: Any) -> np.ndarray:
    return _array_of([corner[:2] for corner in ring], Sentence("vertices of the area"))


def _array_of(points: Any, what: str) -> np.ndarray:
    wrong = InputError(
        "The {what} must be an (n, 2) array of numbers, x (east) before y (north).", what=what
    )
    if np.ma.is_masked(points):
        raise InputError("Some {what} are masked out. Leave those records out.", what=what)
    try:
        array = np.asarray(points)
        if array.dtype.kind not in "iufO":
            raise wrong
        return as_points(array.astype(np.float64), what)
    except (TypeError, ValueError) as error:  # ragged, or text among the numbers
        raise wrong from error


@in_proj_thread
def _same(first: str, second: str) -> bool:
    from pyproj import CRS

    return CRS.from_user_input(first).equals(CRS.from_user_input(second), ignore_axis_order=True)


# --- tables -----------------------------------------------------------------------------------


def table_of(table: Table, names: Sequence[str] | None = None) -> dict[str, Column]:
    """Return a table as columns by name, without geometry.

    Parameters
    ----------
    table : mapping, DataFrame or structured array
    names : sequence of str, optional
        Columns to take; all by default.

    Raises
    ------
    InputError
        If it is no table, or has not all the columns.
    """
    there: list[Any] = []
    if isinstance(table, np.ndarray) and table.dtype.names:
        there = list(table.dtype.names)
    elif isinstance(table, Mapping):
        there = list(table)
    elif not isinstance(table, np.ndarray) and hasattr(table, "columns"):
        shapes = getattr(getattr(table, "geometry", None), "name", None)
        there = [name for name in table.columns if name != shapes]
    else:
        raise InputError(
            "A table is a mapping of names to columns (a dict of lists or arrays), a DataFrame or a"
            " structured array."
        )
    strangers = [name for name in there if not isinstance(name, str)]
    if strangers:
        raise InputError(
            "The columns of a table are named by text, not by {name!r}.", name=strangers[0]
        )
    wanted = there if names is None else list(dict.fromkeys(names))
    lost = [name for name in wanted if name not in there]
    if lost:
        raise InputError(
            "The table has no column {lost}; it has {there}.",
            lost=", ".join(map(str, lost)),
            there=", ".join(there),
        )
    columns = {name: _column(name, table[name]) for name in wanted}
    if len({len(column) for column in columns.values()}) > 1:
        raise InputError("The columns have different numbers of values; they are not one table.")
    return columns


def _column(name: str, values: Any) -> Column:
    if not hasattr(values, "__len__") or isinstance(values, (str, bytes)):
        raise InputError("The column {name} must hold one value for each record.", name=name)
    if np.ma.is_masked(values):
        values = values.astype(object).filled(None)
    if hasattr(values, "isna") and not _is_plain(getattr(values, "dtype", None)):
        # pandas' own kinds of columns: categories, text, whole numbers that may be missing
        missing = np.asarray(values.isna())
        values = np.asarray(values.to_numpy(dtype=object)).copy()
        values[missing] = None
    elif not isinstance(values, (list, tuple)):
        values = np.asarray(values)
        if values.ndim != 1:
            raise InputError("The column {name} must hold one value for each record.", name=name)
    return column_of(name, values)


def _is_plain(dtype: Any) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind in "iufb"


def labels_of(labels: Any, count: int, what: str) -> list[tuple[str, ...] | None]:
    """Return the quasi-identifiers of records as labels that can be compared.

    Parameters
    ----------
    labels : table, sequence of length ``count``, or None
        A column, or several; without any, all records are alike.
    count : int
    what : str
        For messages.
    """
    if labels is None:
        return [()] * count
    if not (isinstance(labels, Mapping) or hasattr(labels, "columns")):
        labels = {"label": labels}
    columns = [column.texts() for column in table_of(labels).values()]
    if not columns or len(columns[0]) != count:
        found = len(columns[0]) if columns else 0
        raise InputError(
            "There are {found:,} labels for {count:,} {what}. Give one for each, in their order.",
            found=found,
            count=count,
            what=what,
        )
    return [None if None in row else tuple(value.strip() for value in row) for row in zip(*columns)]
