# SPDX-License-Identifier: GPL-2.0-or-later
"""Places where a population at risk lives, and the circles that a spatial scan looks at.

The circles are made from the public population alone, never from where cases are: so the same ones
are looked at before and after a mask, and in every draw of the Monte Carlo test, which otherwise
would not be one.

Up to :data:`ALL_SITES` sites, every site is a centre and every circle that ends at a site is one
(Kulldorff 1997). Of more sites, some hundred spread evenly over the population's places are centres,
with circles of a hundred sizes each, and of very many places, neighbours are put together first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, interruptible, part, silent
from ..runtime.wording import Sentence
from ..space.points import as_points, places
from ..space.sites import nearest_site

#: Sites up to which all circles are looked at.
ALL_SITES = 1_500
#: Sites that neighbouring places are put together to, at most; a power of two.
MOST_SITES = 16_384
#: Centres where not every site is one, and sizes of circles round each.
_CENTRES, _SIZES = 512, 100
#: Share of the population in the smallest of those circles.
_SMALLEST = 1e-4
#: Rings in which distances from a centre are counted to find the sizes.
_RINGS = 8_192
#: Centres between two reports.
_AT_ONCE = 16


@dataclass(frozen=True, eq=False)
class AtRisk:
    """Where the population at risk lives.

    Attributes
    ----------
    places : (p, 2) array
        Distinct, in a plane.
    site : (p,) int64 array
        The site to which each place belongs.
    xy : (m, 2) array
        The sites: places, or the mean place of neighbours who were put together.
    population : (m,) array
        Above zero in sum.
    """

    places: np.ndarray
    site: np.ndarray
    xy: np.ndarray
    population: np.ndarray

    @property
    def put_together(self) -> bool:
        """Whether sites stand for several places."""
        return len(self.xy) < len(self.places)

    def sites_of(self, xy: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Site of the nearest place of each point, (n,) int64."""
        return self.site[nearest_site(self.places, as_points(xy), progress)[0]]

    def count(self, xy: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Points at each site, (m,) float: each counts at the nearest place.

        Points that a mask moves to where nobody lives gather at the edge of the population, and may
        look like a cluster there: to whoever scans the release, too.
        """
        found = np.bincount(self.sites_of(xy, progress), minlength=len(self.xy))
        return found.astype(np.float64)


def at_risk(
    xy: np.ndarray, population: np.ndarray | None = None, progress: Progress = silent
) -> AtRisk:
    """Read who could be a case: controls, an address list, or the middles of areas.

    Parameters
    ----------
    xy : (n, 2) array
        In a plane; rows at one place are added up.
    population : (n,) array, optional
        People of each row; 1 where it is left out.
    progress : Progress

    Raises
    ------
    InputError
        If there are fewer than two places, numbers are negative or missing, or all are zero.
    """
    xy = as_points(xy, Sentence("places of the population"))
    weight = np.ones(len(xy)) if population is None else np.asarray(population, dtype=np.float64)
    if weight.shape != (len(xy),) or not (np.isfinite(weight) & (weight >= 0)).all():
        raise InputError(
            "The population must be one number for each place, zero or more. Correct those that "
            "are missing or negative."
        )
    found = places(xy)
    people = np.bincount(found.of_point, weight, minlength=len(found.xy))
    if np.count_nonzero(people) < 2:
        raise InputError(
            "A scan needs a population at risk that lives at two places or more. Give controls, an "
            "address list or areas with their population."
        )
    if len(found.xy) <= MOST_SITES:
        return AtRisk(found.xy, np.arange(len(found.xy)), found.xy, people)
    site = halves(found.xy, MOST_SITES, progress)
    total = np.bincount(site, people)
    # Where nobody lives the mean place is that of the places.
    share = np.where(total[site] > 0, people, 1.0)
    whole = np.bincount(site, share)
    middle = np.stack([np.bincount(site, share * axis) / whole for axis in found.xy.T], axis=1)
    return AtRisk(found.xy, site, middle, total)


def halves(xy: np.ndarray, count: int, progress: Progress = silent) -> np.ndarray:
    """Divide distinct places into a power of two of compact groups of equal size.

    All are cut in two halves across the longer side of their bounding box, and the parts again.

    Parameters
    ----------
    xy : (n, 2) array
    count : int
        A power of two, no more than n.
    progress : Progress

    Returns
    -------
    (n,) int64 array
        Groups from 0, without a gap.
    """
    group, order = np.zeros(len(xy), dtype=np.int64), np.arange(len(xy))
    levels = count.bit_length() - 1
    for level in range(levels):
        size = np.bincount(group, minlength=1 << level)
        start = np.cumsum(size) - size
        # In the order of the groups, their boxes are those of slices.
        inside = xy[order]
        low, high = np.minimum.reduceat(inside, start), np.maximum.reduceat(inside, start)
        side = (high - low).argmax(axis=1)[group]
        along = np.where(side == 0, xy[:, 0], xy[:, 1])
        across = np.where(side == 0, xy[:, 1], xy[:, 0])
        keys = (across, along, group)
        order = interruptible(partial(np.lexsort, keys), progress, level / levels)
        rank = np.arange(len(xy)) - np.repeat(start, size)
        group[order] = 2 * group[order] + (rank >= np.repeat((size + 1) // 2, size))
    return group


@dataclass(frozen=True, eq=False)
class Circles:
    """The circles that are looked at: round each of k centres, s of growing size.

    Attributes
    ----------
    sites : AtRisk
    centre : (k,) int64 array
        Rows of the sites.
    radius : (k, s) array
        NaN where there is no such circle.
    population : (k, s) array
        Inside each; NaN where there is none.
    ring : (k, m) uint16 array
        The smallest circle of a centre that holds a site; s where none does.
    share : float
        Of the population that a circle may hold.
    """

    sites: AtRisk
    centre: np.ndarray
    radius: np.ndarray
    population: np.ndarray
    ring: np.ndarray
    share: float

    @property
    def sizes(self) -> int:
        """Circles of each centre, s."""
        return self.radius.shape[1]

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Add up what is at the sites within each circle, (k, s)."""
        found = np.empty(self.radius.shape)
        for row, ring in enumerate(self.ring):
            by_ring = np.bincount(ring, values, minlength=self.sizes + 1)
            found[row] = by_ring[: self.sizes].cumsum()
        return found

    def members(self, row: int, size: int) -> np.ndarray:
        """Sites inside one circle."""
        return np.flatnonzero(self.ring[row] <= size)


def circles(sites: AtRisk, share: float = 0.5, progress: Progress = silent) -> Circles:
    """Make the circles of a scan.

    Parameters
    ----------
    sites : AtRisk
    share : float
        Of the population that a circle may hold at most, above 0 and at most 0.5.
    progress : Progress

    Returns
    -------
    Circles
        Those that somebody lives in.

    Raises
    ------
    InputError
        If ``share`` is none, or no circle is so small.
    """
    if not 0 < share <= 0.5:
        raise InputError(
            "A cluster may hold a share of the population above 0 and up to 0.5, not {share:g}.",
            share=share,
        )
    count = len(sites.xy)
    if count <= ALL_SITES:
        centre = np.arange(count)
        radius = _every_size(sites.xy, centre, part(progress, 0.0, 0.5))
    else:
        centre = _spread(sites.xy)
        radius = _some_sizes(sites, centre, share, part(progress, 0.0, 0.5))
    ring = np.empty((len(centre), count), dtype=np.uint16)
    for rows in chunks(len(centre), _AT_ONCE, part(progress, 0.5, 1.0)):
        for row in range(rows.start, rows.stop):
            ring[row] = np.searchsorted(radius[row], _away(sites.xy, centre[row]))
    made = Circles(sites, centre, radius, radius, ring, share)
    people = made.sums(sites.population)
    most = share * sites.population.sum() * (1 + 1e-12)
    # A circle that holds no more sites than the one before is the same.
    doubled = np.zeros(people.shape, dtype=bool)
    doubled[:, 1:] = radius[:, 1:] == radius[:, :-1]
    good = (people > 0) & (people <= most) & ~doubled
    if not good.any():
        raise InputError(
            "No circle holds {share:g} of the population or less: too many people live at one "
            "place. Give the population by smaller areas, or raise the share.",
            share=share,
        )
    keep = good.any(axis=0)
    last = int(np.flatnonzero(keep)[-1]) + 1
    return Circles(
        sites,
        centre,
        np.where(good, radius, np.nan)[:, :last],
        np.where(good, people, np.nan)[:, :last],
        np.minimum(ring, np.uint16(last)),
        share,
    )


def _away(xy: np.ndarray, centre: int) -> np.ndarray:
    return np.hypot(xy[:, 0] - xy[centre, 0], xy[:, 1] - xy[centre, 1])


def _every_size(xy: np.ndarray, centre: np.ndarray, progress: Progress) -> np.ndarray:
    """Radii at which circles reach the next site: sorted distances."""
    found = np.empty((len(centre), len(xy)))
    for rows in chunks(len(centre), _AT_ONCE, progress):
        for row in range(rows.start, rows.stop):
            found[row] = np.sort(_away(xy, centre[row]))
    return found


def _some_sizes(sites: AtRisk, centre: np.ndarray, share: float, progress: Progress) -> np.ndarray:
    """Radii at which circles hold shares of the population that grow by the same factor."""
    total = sites.population.sum()
    wanted = total * np.geomspace(min(_SMALLEST, share / 2), share, _SIZES)
    found = np.empty((len(centre), _SIZES))
    for rows in chunks(len(centre), _AT_ONCE, progress):
        for row in range(rows.start, rows.stop):
            away = _away(sites.xy, centre[row])
            width = away.max() / _RINGS
            at = np.minimum((away / width).astype(np.int64), _RINGS - 1)
            people = np.bincount(at, sites.population, minlength=_RINGS).cumsum()
            # The largest circle that holds no more than what is wanted.
            edge = np.searchsorted(people, wanted, side="right")
            # Half a step inside the edge: no rounding decides who is in.
            found[row] = np.nextafter(edge * width, 0.0)
    return found


def _spread(xy: np.ndarray) -> np.ndarray:
    """Sites to be centres: the one in the middle of each of some hundred compact groups."""
    group = halves(xy, _CENTRES)
    size = np.bincount(group)
    middle = np.stack([np.bincount(group, axis) / size for axis in xy.T], axis=1)
    away = np.hypot(*(xy - middle[group]).T)
    order = np.lexsort((np.arange(len(xy)), away, group))
    return order[np.cumsum(size) - size]
