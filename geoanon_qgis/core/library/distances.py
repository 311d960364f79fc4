# SPDX-License-Identifier: GPL-2.0-or-later
"""Distances released instead of places, and the attack on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Union

import numpy as np

from ..attacks.by_name import (
    NAMES,
    SECONDS,
    STRONGEST,
    Search,
    all_evidence,
    attack_by,
    why_not,
)
from ..attacks.linkage.compatibility import (
    AbsoluteTolerance,
    CoordinateNoise,
    DistanceNoise,
    LipschitzEmbedding,
    Rule,
)
from ..attacks.linkage.inputs import Files
from ..attacks.linkage.result import LinkageResult
from ..attacks.maps.likelihood import THRESHOLD
from ..distances.lipschitz import sensible_size
from ..distances.matrix import DistanceMatrix
from ..distances.noise import DISTRIBUTIONS
from ..distances.release import COORDINATES, lipschitz_release, noisy_release
from ..distances.rounding import rounding_of
from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence
from ..verdict import LIMIT, Verdict, judge, not_tested
from .inputs import Points, area_of, labels_of, metric_of, points_of, rng_of

#: Ways to release distances, and rules of the attack on them, by the same names.
LIPSCHITZ, COORDINATE_NOISE, DISTANCE_NOISE = METHODS = (
    "lipschitz",
    "coordinate_noise",
    "distance_noise",
)
ABSOLUTE = "absolute"
#: Attacks.
ATTACKS = (STRONGEST, *NAMES)
#: Metres in a unit, and decimals that stand for one metre.
UNITS = {"m": (1.0, 0), "km": (1000.0, 3)}


@dataclass(frozen=True)
class Method:
    """How distances are released; an adversary is taken to know it (Kerckhoffs' principle).

    Attributes
    ----------
    name : str
        ``lipschitz``, ``coordinate_noise`` or ``distance_noise``.
    sets, size : int
        Of ``lipschitz``: number of reference sets d, and points in each k.
    sigma : float
        Of noise: standard deviation on each coordinate in metres, or scale of the noise on
        distances in their unit.
    distribution : str
        Of ``distance_noise``: ``gaussian`` or ``laplace``.
    """

    name: str = LIPSCHITZ
    sets: int = 20
    size: int = 20
    sigma: float = 1000.0
    distribution: str = DISTRIBUTIONS[0]

    def __str__(self) -> str:
        if self.name == LIPSCHITZ:
            return f"Lipschitz embedding, {self.sets:,} sets of {self.size:,} reference points"
        if self.name == COORDINATE_NOISE:
            return f"Gaussian noise of {self.sigma:g} m on the coordinates"
        return f"{self.distribution.capitalize()} noise of {self.sigma:g} on the distances"


@dataclass(frozen=True, eq=False, repr=False)
class DistanceRelease(Summarised):
    """Distances for release, and what must stay private.

    Attributes
    ----------
    matrix : DistanceMatrix
        For release: the distances, records in random order, with ids 1, 2, .., n.
    method : Method
        How they were made; no secret.
    row : (n,) int array
        Private: the row of the original behind each released record.
    references : (d, k, 2) array or None
        Private: the reference points of an embedding, in the system of the points.
    notes : tuple of str
        Sentences for whoever releases them.
    """

    matrix: DistanceMatrix
    method: Method
    row: np.ndarray
    references: np.ndarray | None
    notes: tuple[str, ...] = ()

    def in_words(self) -> str:
        """Say what is released and how it was made."""
        return "\n".join([f"{self.matrix.summary()} {self.method}.", *self.notes])


Released = Union[DistanceRelease, DistanceMatrix]


def release(
    points: Points,
    method: str = LIPSCHITZ,
    *,
    sets: int = 20,
    size: int = 20,
    sigma: float = 1000.0,
    distribution: str = DISTRIBUTIONS[0],
    area: Any = None,
    metric: str | None = None,
    unit: str = "m",
    decimals: int | None = None,
    crs: Any = None,
    seed: Any = None,
    progress: Progress = silent,
) -> DistanceRelease:
    """Release distances between people instead of their places.

    Parameters
    ----------
    points : (n, 2) array, GeoDataFrame or GeoSeries
        Places of the people, x (east, longitude) before y.
    method : str
        ``lipschitz``: distances of an embedding, which never exceed the true ones.
        ``coordinate_noise``: of points moved by Gaussian noise. ``distance_noise``: each distance
        with noise of its own.
    sets, size : int
        Of ``lipschitz``: reference sets d, and points in each k. More sets keep distances better,
        larger sets blur them more.
    sigma : float
        Of noise: standard deviation (on each coordinate, in metres), or scale.
    distribution : str
        Of ``distance_noise``: ``gaussian`` or ``laplace``.
    area : StudyArea, polygons as for :func:`study_area`, or None
        Where reference points are drawn; by default the convex hull of the points.
    metric : str, optional
        ``geodesic`` (default), ``great_circle``, or ``planar`` (default without a system).
    unit : str
        ``m`` or ``km``. Without a system distances stay in the unit of the coordinates.
    decimals : int, optional
        Of the released distances; by default steps of one metre.
    crs : anything that pyproj.CRS takes, optional
        By default that of a GeoDataFrame.
    seed : int, numpy.random.Generator or None
        None takes the operating system's randomness. A seed is as secret as the places: whoever
        has it can draw the reference points again.
    progress : callable
        Told a fraction between 0 and 1; may raise to cancel.

    Returns
    -------
    DistanceRelease
        ``matrix`` is for release, ``row`` and ``references`` are private.

    Raises
    ------
    InputError
        With fewer than two points, or parameters that do not go together.

    References
    ----------
    Kroll, M. and Schnell, R. (2016). Anonymisation of geographical distance matrices via Lipschitz
    embedding. International Journal of Health Geographics 15, 1.

    Examples
    --------
    >>> released = geoanon.release(points, sets=20, size=5, crs=27700)
    >>> released.matrix.square()
    """
    how = _method(method, sets, size, sigma, distribution)
    xy, wkt = points_of(points, crs)
    if len(xy) < 2:
        raise InputError("Distances need at least two points.")
    measured = metric_of(metric, wkt)
    factor, places = _unit(unit, measured.unit)
    rng = rng_of(seed)
    row = rng.permutation(len(xy))
    shuffled = xy[row]
    places = places if decimals is None else decimals
    notes: list[str] = []
    references = None
    if how.name == LIPSCHITZ:
        ground = area_of(area, xy, wkt)
        too_large = sensible_size(how.size, measured.coordinates(shuffled), ground, measured)
        notes += [too_large] if too_large else []
        condensed, references = lipschitz_release(
            shuffled,
            ground,
            measured,
            how.sets,
            how.size,
            places,
            factor,
            rng,
            part(progress, 0.05, 1.0),
        )
    else:
        noise = COORDINATES if how.name == COORDINATE_NOISE else how.distribution
        condensed = noisy_release(
            shuffled, measured, noise, how.sigma, False, wkt, places, factor, rng, progress
        )
    told = unit if measured.unit == "m" else measured.unit
    matrix = DistanceMatrix.numbered(condensed, told)
    made = DistanceRelease(matrix, how, row, references, tuple(notes))
    return made.with_verdict(not_tested("file_with_places", "which_record"))


def link(
    released: Released,
    known: Points,
    method: str = STRONGEST,
    *,
    labels: Any = None,
    known_labels: Any = None,
    known_links: Any = (),
    rule: str | None = None,
    sets: int = 20,
    size: int = 20,
    sigma: float = 1000.0,
    distribution: str = DISTRIBUTIONS[0],
    tolerance: float | None = None,
    alpha: float = 0.9,
    threshold: float = THRESHOLD,
    area: Any = None,
    metric: str | None = None,
    time_limit: float | None = None,
    acceptable: float = LIMIT,
    crs: Any = None,
    seed: Any = None,
    progress: Progress = silent,
) -> LinkageResult:
    """Attack released distances as somebody who knows some of the people and where they live.

    Parameters
    ----------
    released : DistanceRelease or DistanceMatrix
        What :func:`release` returned, or the matrix alone.
    known : (N, 2) array, GeoDataFrame or GeoSeries
        Places of the known people.
    method : str
        ``strongest``: all that can be run, put together. ``near_group``: by people who live near
        each other. ``likelihood``: weighs how likely each distance is and draws a map.
        ``signatures``: by a record's distances to all others. ``clique``: the published attack,
        the largest set of matches whose distances all agree.
    labels, known_labels : sequence or table, optional
        Quasi-identifiers of the released records, in the order of the matrix, and of the known
        people: only those who agree in all of them can be the same.
    known_links : (l, 2) array or pairs, optional
        Rows of records and of people of whom he knows already that they are the same: held fixed,
        and neither found nor counted.
    rule : str, optional
        How the distances were made: ``lipschitz`` (with ``sets`` and ``size``),
        ``coordinate_noise`` (``sigma``), ``distance_noise`` (``sigma``, ``distribution``), or
        ``absolute``, within a ``tolerance``. Taken from a DistanceRelease by default.
    sets, size, sigma, distribution
        As in :func:`release`; taken from a DistanceRelease where no rule is given.
    tolerance : float, optional
        Of ``absolute``: distances agree when they differ by less (metric's unit).
    alpha : float
        Of ``clique``: share of true pairs to accept, between 0 and 1.
    threshold : float
        Least confidence of a match that is claimed; not of ``clique``.
    area, metric
        As in :func:`release`; the area is by default the hull of the known people.
    time_limit : float, optional
        Seconds for the search, 0 for no limit; by default a minute for ``clique`` and
        ``near_group``, two for ``signatures``, four for all together, and none for
        ``likelihood``. A result that was cut off says so.
    acceptable : float
        Share of people found, up to which the verdict is not "do not release".
    crs : anything that pyproj.CRS takes, optional
        Of the known people, by default that of a GeoDataFrame.
    seed : int, numpy.random.Generator or None
    progress : callable
        Told a fraction between 0 and 1; may raise to cancel.

    Returns
    -------
    LinkageResult
        ``matches``, an (m, 2) array of rows of the released records and of the known people, and
        ``support``, which is the confidence of each (not for ``clique``); ``judged``, the verdict.
        Private.

    Raises
    ------
    InputError
        If the parts do not go together.

    References
    ----------
    Kroll, M. (2015). A graph theoretic linkage attack on microdata in a metric space. Transactions
    on Data Privacy 8, 217-243. The attack by likelihood is GeoAnon's.

    Examples
    --------
    >>> found = geoanon.link(released, neighbours, crs=27700)
    >>> found.matches
    """
    if method not in ATTACKS:
        raise InputError(
            "There is no attack called {method!r}; choose one of: {attacks}.",
            method=method,
            attacks=", ".join(ATTACKS),
        )
    matrix = released.matrix if isinstance(released, DistanceRelease) else released
    if not isinstance(matrix, DistanceMatrix):
        raise InputError(
            "Only distances can be linked: what release() returned, or a DistanceMatrix, such as"
            " DistanceMatrix.numbered(scipy.spatial.distance.squareform(array), unit='m')."
        )
    xy, wkt = points_of(known, crs, Sentence("known people"))
    if not len(xy):
        raise InputError("There are no known people to link the records with.")
    measured = metric_of(metric, wkt)
    if rule is None and isinstance(released, DistanceRelease):
        how, rule = released.method, released.method.name
    else:
        rule = rule or LIPSCHITZ
        how = _method(LIPSCHITZ if rule == ABSOLUTE else rule, sets, size, sigma, distribution)
    made = _rule(rule, how, tolerance, alpha, area, xy, wkt)
    if method != STRONGEST and why_not(method, made):
        raise InputError(
            "A tolerance does not say how likely a distance is. Choose the method clique, or the"
            " rule by which the distances were made."
        )
    ours = labels_of(labels, len(matrix), Sentence("released records"))
    theirs = labels_of(known_labels, len(xy), Sentence("known people"))
    rounding = (0.0, 0.0)
    if rule != ABSOLUTE:  # a tolerance allows for it already
        rounding = rounding_of(matrix.condensed, down=rule == LIPSCHITZ)
    if time_limit is None:
        time_limit = SECONDS[method]
    given = np.array(list(known_links), dtype=np.int64).reshape(-1, 2)
    found = attack_by(
        method,
        Files(
            ours,
            matrix,
            theirs,
            xy,
            measured,
            made,
            rounding=rounding,
            known_links=given.tolist(),
        ),
        Search(time_limit or None, threshold=threshold),
        rng_of(seed),
        progress,
    )
    return found.with_verdict(judged_linkage(found, acceptable))


def judged_linkage(
    found: LinkageResult, acceptable: float, key: np.ndarray | None = None
) -> Verdict:
    """Judge what :func:`link` found, with a key or without one."""
    given = found.links is not None and len(found.links) > 0
    return judge(
        all_evidence(found, None if key is None else lambda _: key),
        "file_with_places_and_links" if given else "file_with_places",
        "which_record",
        acceptable,
    )


def _method(name: str, sets: int, size: int, sigma: float, distribution: str) -> Method:
    if name not in METHODS:
        raise InputError(
            "Distances are not released by {name!r}; choose one of: {methods}.",
            name=name,
            methods=", ".join(METHODS),
        )
    if name == DISTANCE_NOISE and distribution not in DISTRIBUTIONS:
        raise InputError(
            "There is no noise {distribution!r}; choose one of {distributions}.",
            distribution=distribution,
            distributions=", ".join(DISTRIBUTIONS),
        )
    return Method(name, sets, size, sigma, distribution)


def _rule(
    name: str,
    how: Method,
    tolerance: float | None,
    alpha: float,
    area: Any,
    xy: np.ndarray,
    wkt: str | None,
) -> Rule:
    """What the adversary knows of the release."""
    if name == ABSOLUTE:
        if tolerance is None:
            raise InputError("The rule absolute needs a tolerance, by which distances may differ.")
        return AbsoluteTolerance(tolerance)
    if name == DISTANCE_NOISE:
        return DistanceNoise(how.distribution, how.sigma, alpha)
    ground = area_of(area, xy, wkt)
    if name == COORDINATE_NOISE:
        return CoordinateNoise(how.sigma, False, alpha, ground, wkt)
    return LipschitzEmbedding(how.sets, how.size, ground, alpha)


def _unit(unit: str, measured: str) -> tuple[float, int]:
    """Length of the released unit in that of the metric, and decimals for about a metre."""
    if unit not in UNITS:
        raise InputError(
            "Distances are released in one of the units {units}.", units=", ".join(UNITS)
        )
    if measured == "m":
        return UNITS[unit]
    if unit != "m":
        raise InputError(
            "Without a coordinate reference system nothing is known of the unit of the "
            "coordinates, so distances cannot be told in {unit}. Give crs=, or leave unit= "
            "out.",
            unit=unit,
        )
    return 1.0, 3
