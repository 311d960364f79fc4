# SPDX-License-Identifier: GPL-2.0-or-later
"""The measures of risk that are in use for masked points, and which adversary each speaks of.

None of them is an attack. They count places within a distance that the adversary does not know, or
suppose that he guesses the nearest one; who knows how the mask moves points does better, sometimes
far better: of a mask that moves every point by exactly 50 m they say that it hides everybody among
dozens, though nearly everybody is found on the circle round the released point. Attack the release
(:mod:`geoanon_qgis.core.attacks.masks`) before you believe them.

x is where a record belongs, y where it was released, d = |y - x|. Adversary A asks who lives at the
true place of a point, with an address list; adversary B asks which released record is that of a
person whom he knows to be in the file, and whose home he knows.
"""

from __future__ import annotations

import numpy as np

from ..runtime.errors import InputError
from ..runtime.geos import shapely
from ..runtime.progress import Progress, chunks, part, silent
from ..runtime.wording import Sentence
from ..space.points import as_points, build_tree, places
from .matched import in_pairs

#: Part of a distance, and of the coordinates, within which two are the same: what rounding leaves.
_SAME = 1e-12
#: Metres that nothing stands apart from another place; their square is a number still.
_NOWHERE = 1e-150
#: Circles that are counted between two reports.
_AT_ONCE = 4_096
#: Questions for each point below which a tree that is built quickly answers sooner.
_FEW = 0.2
#: Circles that are cut with areas between two reports.
_CIRCLES = 256
_TURN = np.linspace(0, 2 * np.pi, 64, endpoint=False)
#: A polygon as large as a circle with a radius of 1.
_CIRCLE = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=1) * np.sqrt(
    np.pi / (32 * np.sin(2 * np.pi / 64))
)


def _pairs(original: np.ndarray, released: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    original, released = in_pairs(original, released)
    return original, released, np.hypot(*(released - original).T)


def _widened(radius: np.ndarray, *points: np.ndarray) -> np.ndarray:
    """Radii by which what is exactly as far is inside, whatever rounding does."""
    far = max((float(np.abs(xy).max(initial=0.0)) for xy in points), default=0.0)
    return radius * (1 + _SAME) + far * _SAME


def _strip_by_strip(xy: np.ndarray) -> np.ndarray:
    """Rows in an order in which neighbours follow each other: they ask for the same part of a tree."""
    if not len(xy):
        return np.empty(0, dtype=np.intp)
    x = xy[:, 0] - xy[:, 0].min()
    return np.lexsort((xy[:, 1], np.floor(x * (np.sqrt(len(xy)) / max(x.max(), _NOWHERE)))))


class _Counted:
    """Points that are counted within circles."""

    def __init__(self, xy: np.ndarray, questions: int, progress: Progress = silent) -> None:
        self._xy, self._tree = xy, None
        if len(xy):
            self._tree = build_tree(xy, progress, quickly=questions < len(xy) * _FEW)
        progress(1.0)

    def within(
        self, centres: np.ndarray, radius: np.ndarray, progress: Progress = silent
    ) -> np.ndarray:
        """Count the points within a radius of each centre, (n,) int64."""
        found = np.zeros(len(centres), dtype=np.int64)
        if self._tree is None:
            return found
        order = _strip_by_strip(centres)
        for some in chunks(len(centres), _AT_ONCE, progress):
            rows = order[some]
            found[rows] = self._tree.query_ball_point(
                centres[rows], radius[rows], return_length=True
            )
        return found

    def holds(self, places: np.ndarray) -> np.ndarray:
        """Whether a point stands at exactly each of some places, (n,) bool."""
        if self._tree is None:
            return np.zeros(len(places), dtype=bool)
        # What is no nearer than this is not the same place, which prunes nearly all of the tree.
        order = _strip_by_strip(places)
        away, at = self._tree.query(places[order], distance_upper_bound=_NOWHERE)
        there = order[away == 0]
        found = np.zeros(len(places), dtype=bool)
        found[there] = (self._xy[at[away == 0]] == places[there]).all(axis=1)
        return found


def actual_k(
    original: np.ndarray,
    released: np.ndarray,
    candidates: np.ndarray,
    progress: Progress = silent,
) -> np.ndarray:
    """Actual (spatial) k-anonymity: candidates at least as near to the released point as the truth.

    Speaks of adversary A who tries addresses from the released point outwards and does not know
    how the mask works: he comes to the true one as the k-th. Also called k-moved (Cremer, Jehmlich
    & Lenz 2025).

    k = 1 + number of other candidates c with |c - y| <= |x - y|. Every row of the list is one, so
    that an address that is listed for each of its dwellings counts as many.

    Parameters
    ----------
    original, released : (n, 2) array
        Row by row the same record, in metres of one plane.
    candidates : (m, 2) array
        The address list; the true places may be missing in it.
    progress : Progress

    Returns
    -------
    (n,) int64 array
        From 1.

    Raises
    ------
    InputError
        If there are not as many originals as released points.

    References
    ----------
    Allshouse, W. B. et al. (2010). Geomasking sensitive health data and privacy protection: an
    evaluation using an E911 database. Geocarto International 25(6), 443-452.
    """
    original, released, moved = _pairs(original, released)
    candidates = as_points(candidates, Sentence("candidates"))
    radius = _widened(moved, released, candidates)
    counted = _Counted(candidates, len(moved), part(progress, 0.0, 0.1))
    near = counted.within(released, radius, part(progress, 0.1, 1.0))
    return near + ~counted.holds(original)


def k_original(
    original: np.ndarray, released: np.ndarray, progress: Progress = silent
) -> np.ndarray:
    """k-original: released points at least as near to the true place as its own.

    Speaks of adversary B who knows where a person of the file lives, tries released records from
    there outwards, and does not know how the mask works.

    k = 1 + number of other released points y' with |y' - x| <= |y - x|. Our reading of the measure
    from the paper's abstract and summaries; its text was not at hand.

    Parameters
    ----------
    original, released : (n, 2) array
    progress : Progress

    Returns
    -------
    (n,) int64 array
        From 1.

    References
    ----------
    Cremer, S., Jehmlich, L. and Lenz, R. (2025). Extension of spatial k-anonymity: new metrics for
    assessing the anonymity of geomasked data considering realistic attack scenarios.
    arXiv:2509.07505.
    """
    original, released, moved = _pairs(original, released)
    counted = _Counted(released, len(moved), part(progress, 0.0, 0.1))
    radius = _widened(moved, original, released)
    return counted.within(original, radius, part(progress, 0.1, 1.0))


def method_related(
    original: np.ndarray,
    released: np.ndarray,
    candidates: np.ndarray | None,
    progress: Progress = silent,
) -> np.ndarray:
    """k-moved and k-original, method related: what is within the shortest and the longest move.

    Speaks of adversary A (candidates are given: k-moved) or B (none are: k-original) who knows by
    how far points were moved at least and at most, and counts what lies in that ring: of a mask
    with one fixed distance hardly anything but the truth does. Our reading, as in
    :func:`k_original`; the bounds are those of this release, which for a mask whose sizes differ
    from place to place is less than a true adversary knows.

    Parameters
    ----------
    original, released : (n, 2) array
    candidates : (m, 2) array or None
        The ring lies round each released point, and candidates are counted; or round each
        original, and released points are.
    progress : Progress

    Returns
    -------
    (n,) int64 array
        From 1; 0 without records.

    References
    ----------
    See :func:`k_original`.
    """
    original, released, moved = _pairs(original, released)
    if len(moved) == 0:
        return np.zeros(0, dtype=np.int64)
    here = original if candidates is None else released
    there = released if candidates is None else as_points(candidates, Sentence("candidates"))
    counted = _Counted(there, len(moved), part(progress, 0.0, 0.1))
    outer = _widened(np.full(len(moved), moved.max()), here, there)
    # Just inside the shortest move: what is exactly as far counts.
    inner = 2 * moved.min() - _widened(np.full(len(moved), moved.min()), here, there)
    found = counted.within(here, outer, part(progress, 0.1, 0.6))
    if inner[0] > 0:
        found -= counted.within(here, inner, part(progress, 0.6, 1.0))
    progress(1.0)
    return found if candidates is None else found + ~counted.holds(original)


def spruill(original: np.ndarray, released: np.ndarray, progress: Progress = silent) -> np.ndarray:
    """Spruill's measure: is the released point nearest to its own original of all originals?

    Speaks of adversary B who knows the homes of *everybody* in the file and gives each released
    point to the nearest; its mean is the share of records that he links. He does not know how the
    mask works.

    Parameters
    ----------
    original, released : (n, 2) array
    progress : Progress

    Returns
    -------
    (n,) array
        0 where another original is nearer; else 1, divided by the originals that are as near.

    References
    ----------
    Spruill, N. L. (1983). The confidentiality and analytic usefulness of masked business
    microdata. Proceedings of the Section on Survey Research Methods, American Statistical
    Association, 602-607.
    """
    original, released, moved = _pairs(original, released)
    if len(moved) == 0:
        return np.zeros(0)
    at = places(original)
    # The one beside the nearest shows whether that is the only one; a tie is of equal distances.
    tree = build_tree(at.xy, part(progress, 0.0, 0.2))
    nearest = np.empty(len(moved))
    for rows in chunks(len(moved), _AT_ONCE, part(progress, 0.2, 0.6)):
        nearest[rows] = tree.query(released[rows])[0]
    mine = moved <= _widened(nearest, original, released)
    found = np.zeros(len(moved))
    radius = _widened(moved, original, released)[mine]
    counted = _Counted(original, len(radius), part(progress, 0.6, 0.7))
    found[mine] = 1.0 / counted.within(released[mine], radius, part(progress, 0.7, 1.0))
    return found


def estimated_k(
    original: np.ndarray,
    released: np.ndarray,
    areas: np.ndarray,
    population: np.ndarray,
    progress: Progress = silent,
) -> np.ndarray:
    """Estimated k-anonymity: people within the distance moved, if spread evenly over their areas.

    Speaks of adversary A as :func:`actual_k` does, where no address list is at hand. People do not
    live evenly spread: where a point stands beside a village in a large area it says far too many.

    Parameters
    ----------
    original, released : (n, 2) array
    areas : (z,) array of shapely polygons
        In the plane of the points, not overlapping.
    population : (z,) array
        People in each.
    progress : Progress

    Returns
    -------
    (n,) array
        People in the circle round the released point; 0 for a record that did not move, or where
        no area is.

    Raises
    ------
    InputError
        If numbers of people are negative or missing.

    References
    ----------
    Allshouse et al. (2010), as in :func:`actual_k`.
    """
    original, released, moved = _pairs(original, released)
    people = np.asarray(population, dtype=np.float64)
    if people.shape != (len(areas),) or not (np.isfinite(people) & (people >= 0)).all():
        raise InputError(
            "The population must be one number for each area, zero or more. Correct those that "
            "are missing or negative."
        )
    geos = shapely()
    density = people / geos.area(areas)
    tree = geos.STRtree(areas)
    found = np.zeros(len(moved))
    rows = np.flatnonzero(moved > 0)
    for some in chunks(len(rows), _CIRCLES, progress):
        at = rows[some]
        circle = geos.polygons(released[at, None] + moved[at, None, None] * _CIRCLE)
        one, area = tree.query(circle)
        shared = geos.area(geos.intersection(circle[one], areas[area]))
        found[at] += np.bincount(one, shared * density[area], minlength=len(at))
    return found
