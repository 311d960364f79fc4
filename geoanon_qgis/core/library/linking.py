# SPDX-License-Identifier: GPL-2.0-or-later
"""The attack on released distances, and how it is judged."""

from __future__ import annotations

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
)
from ..attacks.linkage.inputs import Files
from ..attacks.linkage.intervals import Rule
from ..attacks.linkage.result import LinkageResult
from ..attacks.maps.likelihood import THRESHOLD
from ..distances.matrix import DistanceMatrix
from ..distances.noise import DISTRIBUTIONS
from ..distances.rounding import rounding_of
from ..runtime.errors import InputError
from ..runtime.progress import Progress, silent
from ..runtime.wording import Sentence
from ..verdict import LIMIT, Verdict, judge
from .distances import (
    COORDINATE_NOISE,
    DISTANCE_NOISE,
    LIPSCHITZ,
    DistanceRelease,
    Method,
    method_of,
)
from .inputs import Points, area_of, labels_of, metric_of, points_of, rng_of

#: A rule of the attack that is no way to release; the others are :data:`.distances.METHODS`.
ABSOLUTE = "absolute"
#: Attacks.
ATTACKS = (STRONGEST, *NAMES)

Released = Union[DistanceRelease, DistanceMatrix]


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
        What :func:`.release` returned, or the matrix alone.
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
        As in :func:`.release`; taken from a DistanceRelease where no rule is given.
    tolerance : float, optional
        Of ``absolute``: distances agree when they differ by less (metric's unit).
    alpha : float
        Of ``clique``: share of true pairs to accept, between 0 and 1.
    threshold : float
        Least confidence of a match that is claimed; not of ``clique``.
    area, metric
        As in :func:`.release`; the area is by default the hull of the known people.
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
        how = method_of(LIPSCHITZ if rule == ABSOLUTE else rule, sets, size, sigma, distribution)
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
