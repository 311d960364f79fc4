# SPDX-License-Identifier: GPL-2.0-or-later
"""Regions and the records that were counted in them, for those who aggregate and report."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from qgis.core import QgsGeometry

from ...core.aggregation.choosing import isoperimetric_quotient
from ...core.aggregation.construction import nearest_sites
from ...core.aggregation.neighbours import neighbours_of_points
from ...core.runtime.progress import Progress
from ...core.space.planes import Plane
from ..layers import unrolled
from ..layers.regions import Regions, cells, pieces_of_united, united
from .counting import Counted
from .demanding import Kept, people_in


@dataclass(frozen=True)
class Data:
    """Regions and what was counted in them.

    Attributes
    ----------
    regions : Regions
    plane : Plane
    xy : (n, 2) array
        A point of each region in the plane.
    counted : Counted
    study_area : QgsGeometry or None
        In stored coordinates.
    records_name : str
    sentences, warnings : list of str
    record_fields : tuple of str
        All fields of the records.
    region_field : str
        The one with the region's id.
    kept : Kept or None
        What areas have to keep.
    """

    regions: Regions
    plane: Plane
    xy: np.ndarray
    counted: Counted
    study_area: QgsGeometry | None
    records_name: str
    sentences: list[str]
    warnings: list[str]
    record_fields: tuple[str, ...] = ()
    region_field: str = ""
    kept: Kept | None = None

    def people_by(self, name: str | None) -> np.ndarray | None:
        """Return the people of each region by a field of the regions; None without one.

        Raises
        ------
        InputError
            For numbers that are none.
        """
        columns = {one.lower(): column for one, column in self.regions.columns.items()}
        return None if not name else people_in(columns[name.lower()], name)

    def geometries(
        self, sites: np.ndarray, area_of_region: np.ndarray, progress: Progress
    ) -> list[QgsGeometry | None]:
        """Each aggregated area in stored coordinates; None for a site without regions."""
        if self.regions.geometries is not None:
            return united(self.regions, area_of_region, len(sites), progress)
        return cells(
            sites, self.regions, self.xy, area_of_region, self.plane, self.study_area, progress
        )

    def are_cells(self, sites: np.ndarray, area_of_region: np.ndarray) -> bool:
        """Whether areas are drawn as the Voronoi cells of their sites, which these tell."""
        if self.regions.geometries is not None:
            return False
        return bool((nearest_sites(self.xy, sites)[0] == area_of_region).all())

    def pieces(
        self, sites: np.ndarray, area_of_region: np.ndarray, geometries, progress: Progress
    ) -> np.ndarray:
        """Count the pieces in which each area lies, (areas,) int, as it is drawn.

        Of points that is before it is clipped to the study area: cells of sites are in one piece,
        and cells of regions are joined.
        """
        if self.regions.geometries is not None:
            return pieces_of_united(geometries, self.regions, area_of_region, progress)
        there = np.bincount(area_of_region, minlength=len(sites))
        if self.are_cells(sites, area_of_region):
            return np.minimum(there, 1)
        return neighbours_of_points(self.xy, progress).pieces_of(area_of_region, len(sites))

    def roundness(self, geometries) -> float:
        """Mean isoperimetric quotient of areas, measured in the plane; NaN of none."""
        found = [
            isoperimetric_quotient(
                [
                    [
                        self.plane.forward(np.array([(one.x(), one.y()) for one in ring]))
                        for ring in polygon
                    ]
                    for polygon in shape.asMultiPolygon()
                ]
            )
            for shape in geometries
            if shape is not None and not shape.isEmpty()
        ]
        found = [one for one in found if not np.isnan(one)]
        return float(np.mean(found)) if found else float("nan")

    def stored_sites(self, sites: np.ndarray) -> np.ndarray:
        """Sites of the plane in stored coordinates, on the map that the regions are on."""
        west = unrolled.western_end(self.plane, self.regions.xy)
        return unrolled.stored_places(sites, self.plane, west)
