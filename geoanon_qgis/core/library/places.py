# SPDX-License-Identifier: GPL-2.0-or-later
"""Masks of points, the attack on them, and scores of attacks whose truth is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, overload

import numpy as np

from ..attacks.linkage.result import LinkageResult, certainty
from ..attacks.linkage.truth import LinkageScore
from ..attacks.linkage.truth import score as score_linkage
from ..attacks.scoring import Score, contradicts
from ..attacks.scoring import score as score_places
from ..attacks.voronoi.result import VoronoiReversal
from ..attacks.voronoi.stored import reverse_stored
from ..distances.matrix import DistanceMatrix
from ..masking.voronoi import VoronoiMask, voronoi_mask
from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, silent
from ..runtime.wording import Sentence
from ..space.areas import StudyArea
from ..space.planes import working_plane
from ..verdict import LIMIT, judge, not_tested
from .inputs import Points, crs_of, points_of, rings_of, rng_of, same_system
from .linking import judged_linkage

#: Masks of points, by the names that users choose them by; each can be attacked.
MASKS = ("voronoi",)


def mask(
    points: Points, method: str = "voronoi", *, crs: Any = None, progress: Progress = silent
) -> VoronoiMask:
    """Mask points: move each of them before the set is released.

    Parameters
    ----------
    points : (n, 2) array, GeoDataFrame or GeoSeries
        Places of the people, x (east, longitude) before y.
    method : str
        ``voronoi``: every point moves halfway to its nearest neighbour. It draws nothing at
        random, so there is no seed.
    crs : anything that pyproj.CRS takes, optional
        Coordinate reference system, by default that of a GeoDataFrame. Where it is no metric one
        the work is done in a local metric projection. Without any, coordinates are taken as a
        plane and lengths are in their unit.
    progress : callable
        Told a fraction between 0 and 1; may raise to cancel.

    Returns
    -------
    VoronoiMask
        ``xy``, an (n, 2) array in the system of the points, in their order; ``shift`` in metres on
        the ground, and ``neighbour`` are private. Shuffle the rows before they are released, or
        their order tells who is who.

    Raises
    ------
    InputError
        With fewer than two points, all at one place, or coordinates that are none.

    References
    ----------
    Seidl, D. E., Paulus, G., Jankowski, P. and Regenfelder, M. (2015). Spatial obfuscation methods
    for privacy protection of household-level data. Applied Geography 63, 253-263.

    Examples
    --------
    >>> masked = geoanon.mask(points, crs=27700)
    """
    _check_mask(method)
    xy, wkt = points_of(points, crs)
    plane = working_plane(xy, wkt)
    original = plane.forward(xy, part(progress, 0.0, 0.1))
    made = voronoi_mask(original, part(progress, 0.1, 0.8))
    shift = plane.ground_distance(original, made.xy, part(progress, 0.8, 0.9))
    stored = plane.inverse(made.xy, part(progress, 0.9, 1.0))
    masked = replace(made, xy=stored, shift=shift, unit="" if wkt is None else "m")
    return masked.with_verdict(not_tested("address_list", "whose_place"))


def attack(
    masked: Points | VoronoiMask,
    candidates: Points,
    method: str = "voronoi",
    *,
    crs: Any = None,
    tolerance: float | None = None,
    acceptable: float = LIMIT,
    seed: Any = None,
    progress: Progress = silent,
) -> VoronoiReversal:
    """Attack masked points as somebody who has a list of the possible places.

    Parameters
    ----------
    masked : (n, 2) array, GeoDataFrame, GeoSeries, or what :func:`mask` returned
        The release.
    candidates : (N, 2) array, GeoDataFrame or GeoSeries
        The places where the people can be: an address register, all buildings, or the originals
        themselves. All originals should be among them.
    method : str
        The mask that was used, which the adversary is taken to know: ``voronoi``.
    crs : anything that pyproj.CRS takes, optional
        System of both, by default that of a GeoDataFrame.
    tolerance : float, optional
        How far the midpoint of two candidates may lie from a masked point, in metres (without a
        system, in the unit of the coordinates). By default what the rounding of the masked
        coordinates calls for.
    acceptable : float
        Share of people found, up to which the verdict is not "do not release".
    seed : int, numpy.random.Generator or None
        Tosses the coin between the two of a pair, and draws a control. None takes the operating
        system's randomness.
    progress : callable
        Told a fraction between 0 and 1; may raise to cancel.

    Returns
    -------
    VoronoiReversal
        For each masked point the row of the candidate it is assigned to, with the probability
        that it is the right one; ``judged``, the verdict. As private as the originals.

    Raises
    ------
    InputError
        With fewer candidates than masked points, other systems, or a tolerance below zero.

    References
    ----------
    Moehler, J. (2023). On the reversibility of Voronoi geomasking.

    Examples
    --------
    >>> found = geoanon.attack(masked, register, crs=27700)
    >>> found.expected_correct
    """
    _check_mask(method)
    if isinstance(masked, DistanceMatrix) or hasattr(masked, "matrix"):
        raise InputError("Released distances are attacked with link(), not with attack().")
    released, own = points_of(
        masked.xy if isinstance(masked, VoronoiMask) else masked, crs, Sentence("masked points")
    )
    known, theirs = points_of(candidates, crs, "candidates")
    _, found, used = reverse_stored(
        released,
        known,
        same_system(own, theirs, "candidates"),
        tolerance=tolerance,
        rng=rng_of(seed),
        progress=progress,
    )
    found = replace(found, tolerance=used)
    judged = judge([found.evidence()], "address_list", "whose_place", acceptable)
    return found.with_verdict(judged)


@overload
def score(
    found: VoronoiReversal,
    truth: Sequence[int] | np.ndarray,
    candidates: Points | None = ...,
    acceptable: float = ...,
) -> Score: ...


@overload
def score(
    found: LinkageResult,
    truth: Sequence[int] | np.ndarray,
    candidates: Points | None = ...,
    acceptable: float = ...,
) -> LinkageScore: ...


def score(
    found: VoronoiReversal | LinkageResult,
    truth: Sequence[int] | np.ndarray,
    candidates: Points | None = None,
    acceptable: float = LIMIT,
) -> Score | LinkageScore:
    """Score an attack by a key: how many of those whom it named are right.

    Parameters
    ----------
    found : VoronoiReversal or LinkageResult
        What :func:`attack` or :func:`link` returned.
    truth : (n,) int array
        For each released record the row of the right candidate or known person, -1 for nobody.
    candidates : (N, 2) array, GeoDataFrame or GeoSeries, optional
        For :func:`attack`: with them, another candidate at the very same place is right too.
    acceptable : float
        Share of people found, up to which the verdict is not "do not release".

    Returns
    -------
    Score or LinkageScore
        Right assignments with Wilson's 95 % interval; or precision and recall of matches. Their
        verdict, ``judged``, counts who was found instead of what was expected.

    Raises
    ------
    InputError
        If the key is not one of these records, or cannot be true: an attack that is sure of
        hundreds and right about none was given the key of another release.

    Examples
    --------
    >>> geoanon.score(found, truth, register).share
    """
    key = np.asarray(truth)
    if key.ndim != 1 or key.dtype.kind not in "iu":
        raise InputError("The truth is an array with one row number, or -1, for each record.")
    if isinstance(found, LinkageResult):
        return _score_linkage(found, key, acceptable)
    if not isinstance(found, VoronoiReversal):
        raise InputError("Only what attack() and link() returned can be scored.")
    if len(key) != len(found.kind):
        raise InputError(
            "The truth has {rows:,} rows and the attack {records:,} records.",
            rows=len(key),
            records=len(found.kind),
        )
    named = key >= 0
    right = named & (found.candidate == key)
    if candidates is not None:
        xy = points_of(candidates, what="candidates")[0]
        if max(key.max(initial=-1), found.candidate.max(initial=-1)) >= len(xy):
            raise InputError("The truth and the attack name rows that the candidates do not have.")
        same = (xy[found.candidate] == xy[key]).all(axis=1)
        right = named & (found.candidate >= 0) & same
    _refuse_impossible(found.probability[named], right[named], together=2)
    shown = found.evidence(right, int(np.count_nonzero(named)))
    judged = judge([shown], "address_list", "whose_place", acceptable)
    return score_places(right[named]).with_verdict(judged)


def _score_linkage(found: LinkageResult, key: np.ndarray, acceptable: float) -> LinkageScore:
    if found.labels is None:
        raise InputError("Only what attack() and link() returned can be scored.")
    records, people = map(len, found.labels)
    if len(key) != records:
        raise InputError("The truth must have one row for each released record.")
    if key.max(initial=-1) >= people:
        raise InputError("The truth names rows that the known people do not have.")
    right = key[found.matches[:, 0]] == found.matches[:, 1]
    _refuse_impossible(certainty(found), right)
    return score_linkage(found, key).with_verdict(judged_linkage(found, acceptable, key))


def _refuse_impossible(probability: np.ndarray, right: np.ndarray, together: int = 1) -> None:
    if contradicts(probability, right, together):
        raise InputError(
            "The truth does not fit: the attack expects {expected:,.0f} of its assignments "
            "to be right, and by the truth {right:,} are, which chance does not explain. "
            "Give the key of this very release.",
            expected=float(np.nansum(probability)),
            right=int(np.count_nonzero(right)),
        )


def study_area(area: Any = None, *, points: Points | None = None, crs: Any = None) -> StudyArea:
    """Make a study area, from which points can be drawn uniformly by area on the ground.

    Parameters
    ----------
    area : GeoDataFrame, GeoSeries, polygon, list of (m, 2) arrays, or None
        Polygons, or their outer and inner rings. None for the convex hull of the points.
    points : (n, 2) array, GeoDataFrame or GeoSeries, optional
        For the convex hull.
    crs : anything that pyproj.CRS takes, optional
        By default that of a GeoDataFrame.

    Returns
    -------
    StudyArea
        With ``contains(xy)``, ``sample(count, rng)`` and ``area`` in square metres.

    Raises
    ------
    InputError
        If neither or both are given, or the area has no size.

    Examples
    --------
    >>> geoanon.study_area(points=points, crs=27700).area
    """
    if (area is None) == (points is None):
        raise InputError("Give either an area, or the points whose convex hull it is.")
    if points is not None:
        return StudyArea.convex_hull(*points_of(points, crs))
    rings, own = rings_of(area)
    return StudyArea.of_rings(rings, same_system(crs_of(crs), own, "area"))


def _check_mask(method: str) -> None:
    if method not in MASKS:
        raise InputError(
            "There is no mask called {method!r}; choose one of: {masks}.",
            method=method,
            masks=", ".join(MASKS),
        )
