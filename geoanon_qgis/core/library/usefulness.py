# SPDX-License-Identifier: GPL-2.0-or-later
"""What analyses of a release still find: points, distances and tables beside their originals."""

from __future__ import annotations

from typing import Any, overload

from ..distances.accuracy import Accuracy, accuracy
from ..distances.matrix import DistanceMatrix
from ..masking.voronoi import VoronoiMask
from ..microdata.coding import DUMMY
from ..microdata.release import Anonymized
from ..microdata.utility import SpatialUtility, Utility, spatial_utility
from ..microdata.utility import utility as compare_tables
from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, silent
from ..space.planes import working_plane
from .distances import UNITS, DistanceRelease
from .inputs import Points, Table, metric_of, points_of, rng_of
from .tables import coding_of, in_one_plane


@overload
def utility(
    original: Points,
    released: DistanceRelease,
    *,
    crs: Any = ...,
    metric: str | None = ...,
    seed: Any = ...,
    progress: Progress = ...,
) -> Accuracy: ...


@overload
def utility(
    original: Points,
    released: VoronoiMask,
    *,
    crs: Any = ...,
    seed: Any = ...,
    progress: Progress = ...,
) -> SpatialUtility: ...


@overload
def utility(
    original: Table,
    released: Anonymized | Table,
    *,
    points: Points | None = ...,
    crs: Any = ...,
    progress: Progress = ...,
) -> Utility: ...


def utility(
    original: Any,
    released: DistanceRelease | VoronoiMask | Anonymized | Table,
    *,
    points: Points | None = None,
    crs: Any = None,
    metric: str | None = None,
    seed: Any = None,
    progress: Progress = silent,
) -> Accuracy | SpatialUtility | Utility:
    """Compare a release with its originals: what analyses of it will still find.

    Parameters
    ----------
    original : points or a table
        Points for masked points and for distances, a table for an anonymised one.
    released : DistanceRelease, VoronoiMask, Anonymized, or a table
        What :func:`release`, :func:`mask` or :func:`anonymize` returned.
    points : (n, 2) array, GeoDataFrame or GeoSeries, optional
        Of a table: places of the originals, where the release has places as ``x`` and ``y``.
    crs : anything that pyproj.CRS takes, optional
        Of the points, by default that of a GeoDataFrame.
    metric : str, optional
        Of distances: the one that they were released with.
    seed : int, numpy.random.Generator or None
        Draws samples of pairs where there are many.
    progress : callable
        Told a fraction between 0 and 1; may raise to cancel.

    Returns
    -------
    Accuracy
        Of released distances: ratios by distance, neighbours kept, agreement of analyses.
    SpatialUtility
        Of masked points: mean centre, distances between points; in metres.
    Utility
        Of a table: means, variances, correlations, distributions.

    Raises
    ------
    InputError
        If they are not a release and its originals.

    Examples
    --------
    >>> geoanon.utility(points, released, crs=27700).summary
    """
    if isinstance(released, DistanceMatrix):
        raise InputError(
            "A matrix alone does not say which record is which: give what release() returned."
        )
    if isinstance(released, DistanceRelease):
        xy, wkt = points_of(original, crs)
        if len(xy) != len(released.row):
            raise InputError(
                "There are {count:,} points and {records:,} released records: these are not "
                "the originals of this release.",
                count=len(xy),
                records=len(released.row),
            )
        factor = UNITS.get(released.matrix.unit, (1.0, 0))[0]
        return accuracy(
            xy[released.row],
            metric_of(metric, wkt),
            released.matrix,
            rng_of(seed),
            progress,
            unit_length=factor,
        )
    if isinstance(released, VoronoiMask):
        xy, wkt = points_of(original, crs)
        plane = working_plane(xy, wkt)
        before, after = (plane.forward(one) * plane.metres_per_unit for one in (xy, released.xy))
        return spatial_utility(before, after, rng_of(seed), progress=progress)
    pair, plane = in_one_plane(original, released, None, points, crs)
    coding = coding_of(pair, released, None, DUMMY, plane)
    before, after = (coding.encode(one)[0] for one in pair[:2])
    return compare_tables(before, after, coding.labels, part(progress, 0.3, 1.0))
