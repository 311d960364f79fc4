# SPDX-License-Identifier: GPL-2.0-or-later
"""Areas round sites among the addresses of a public list, as Voronoi-based aggregation draws them.

The list is cut into compact groups of neighbouring addresses (:mod:`.compact`); the middle of each is
a site, and all places that are nearest to the same site are one area (Croft, W. L., Shi, W., Sack, J.-R.
and Corriveau, J.-P. (2015), arXiv:1505.06939). There sites follow the records; here the public list
alone, so that neither the borders nor the centres of the areas tell anything of who is in the file.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.geos import shapely
from ..runtime.progress import Progress, part, silent
from ..runtime.wording import Sentence
from ..space.points import build_tree, places
from .cells import study_area, voronoi_cells
from .compact import compact_groups
from .public_areas import Population, ZoneAreas


def sites_among(xy: np.ndarray, addresses: int, progress: Progress = silent) -> np.ndarray:
    """Place a site in the middle of each compact group of neighbouring addresses.

    Parameters
    ----------
    xy : (n, 2) array
        A public list in a plane; rows at one place count once.
    addresses : int
        To a site, at least; less than twice as many at most.
    progress : Progress

    Returns
    -------
    (s, 2) array
        The same for any order of the list.

    Raises
    ------
    InputError
        If there are fewer addresses, or fewer than 2 are asked for.
    """
    distinct = places(xy).xy
    group = compact_groups(distinct, addresses, Sentence("addresses"), progress)
    many = np.bincount(group)
    return np.stack([np.bincount(group, distinct[:, axis]) / many for axis in (0, 1)], axis=1)


def nearest_site(xy: np.ndarray, sites: np.ndarray) -> np.ndarray:
    """Row of the site that is nearest to each place, (n,) int64."""
    return build_tree(sites).query(xy)[1].astype(np.int64)


@dataclass(frozen=True, eq=False)
class SiteAreas(ZoneAreas):
    """Voronoi cells of sites; their centres are the sites. Made by :meth:`of_list`.

    Attributes
    ----------
    sites : (a, 2) array
    """

    sites: np.ndarray

    @classmethod
    def of_list(
        cls, population: Population, addresses: int, progress: Progress = silent
    ) -> SiteAreas:
        """Draw areas round sites among the points of a population.

        Parameters
        ----------
        population : Population
            At points.
        addresses : int
            To a site, at least.
        progress : Progress

        Raises
        ------
        InputError
            If the population has polygons, or fewer addresses.
        """
        if not population.is_points:
            raise InputError(
                "Areas round sites need POPULATION as points: an address list. Of polygons use"
                " METHOD=zones or merged."
            )
        geos = shapely()
        listed = geos.get_coordinates(population.where)
        sites = sites_among(listed, addresses, part(progress, 0.0, 0.5))
        around = study_area(listed)
        rings = [around] if len(sites) == 1 else voronoi_cells(sites, around)[0]
        made = ZoneAreas.of_zones(
            [geos.polygons(ring) for ring in rings], population, part(progress, 0.5, 1.0)
        )
        own = np.empty_like(sites)
        own[made.locate(sites)] = sites
        return cls(
            made.shapes,
            made.people,
            made.zones,
            made.apart,
            made._zone_shapes,
            made._area_of_zone,
            own,
        )

    def centres(self, rows: np.ndarray) -> np.ndarray:
        """Sites of some areas, (n, 2)."""
        return self.sites[rows]
