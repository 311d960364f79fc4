# SPDX-License-Identifier: GPL-2.0-or-later
"""What is measured of a point mask: the points in pairs, risks, patterns, clusters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem

from ....core.measures.centre import Drift
from ....core.measures.dbscan import ClustersCompared
from ....core.measures.envelopes import RipleyCompared
from ....core.measures.kde import DensitiesCompared
from ....core.measures.moran import MoranCompared
from ....core.measures.nearest import NearestCompared
from ....core.measures.scan import Cluster, ScanKept
from ....core.measures.scan_circles import Circles
from ....core.measures.services import Populated, ServiceErrors, ZonesKept
from ....core.measures.window import Window
from ....core.runtime.geos import shapely
from ....core.runtime.progress import Progress
from ....core.space.planes import PROJECTION_ERROR_M, Plane
from ...i18n import mark, tr
from ...layers.reading import PointTable
from ...layers.zones import Polygons, read_polygons
from ...running import Run
from ..attacking.attacked import Attacked

#: What a cluster was found in, as the layer of clusters has it.
ORIGINAL, RELEASE = "original", "release"
#: Secondary clusters are told up to this p-value.
SIGNIFICANT = 0.05
#: What is told of where the population at risk comes from.
CONTROLS, CANDIDATES, POPULATION = "controls", "candidates", "population"
_TOLD = {
    CONTROLS: mark("Population at risk of the scan statistic: the controls."),
    CANDIDATES: mark(
        "Population at risk of the scan statistic: the address list, each address alike."
    ),
    POPULATION: mark(
        "Population at risk of the scan statistic: the population areas, at their middles."
    ),
}


@dataclass(frozen=True)
class Paired:
    """Both patterns, in metres (or the unit of a layer without a system) of one plane.

    Attributes
    ----------
    before, after : (n, 2), (m, 2) arrays
        All original, and all released points.
    row : (m,) int array
        The original of each released point; -1 where nothing tells.
    original, released : PointTable
        Both in the system of the originals.
    plane : Plane
    unit : str
        Of lengths.
    sentences, warnings : list of str
    """

    before: np.ndarray
    after: np.ndarray
    row: np.ndarray
    original: PointTable
    released: PointTable
    plane: Plane
    unit: str
    sentences: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def crs(self) -> QgsCoordinateReferenceSystem:
        """That of the originals."""
        return self.original.crs

    @property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Places before and after of the records that have both, (p, 2) each."""
        known = self.row >= 0
        return self.before[self.row[known]], self.after[known]

    @property
    def withheld(self) -> int:
        """Originals that no released point is of."""
        return len(self.before) - len(np.unique(self.row[self.row >= 0]))

    @property
    def scale(self) -> float:
        """Units told for each unit of the plane."""
        return self.plane.metres_per_unit if self.crs.isValid() else 1.0

    def places(self, table: PointTable, progress: Progress) -> np.ndarray:
        """Places of another layer, read in the system of the originals."""
        return self.plane.forward(table.xy, progress) * self.scale

    def stored(self, xy: np.ndarray) -> np.ndarray:
        """Places back in the system of the originals."""
        return self.plane.inverse(xy / self.scale)

    def polygons(self, run: Run, name: str, progress: Progress, fields=()) -> Polygons | None:
        """Areas of a parameter in the same plane and unit; None without one."""
        source = run.source(name)
        if source is None:
            return None
        found = read_polygons(source, self.plane, self.crs, run.context, progress, fields)
        run.warn(*found.sentences())
        if self.scale != 1.0:
            found.shapes[:] = shapely().transform(found.shapes, lambda xy: xy * self.scale)
        return found


@dataclass(frozen=True)
class Risks:
    """Values of each paired record; None where what they need was not given.

    Attributes
    ----------
    moved : (p,) array
    actual, actual_method : (p,) arrays or None
        k among the address list, and in the ring between shortest and longest move.
    original, original_method : (p,) arrays
        k among the released points round each true place.
    estimated : (p,) array or None
        People, by areas.
    spruill : (p,) array
    attacked : Attacked or None
        What the posterior attack finds.
    """

    moved: np.ndarray
    actual: np.ndarray | None
    actual_method: np.ndarray | None
    original: np.ndarray
    original_method: np.ndarray
    estimated: np.ndarray | None
    spruill: np.ndarray
    attacked: Attacked | None = None


@dataclass(frozen=True)
class Patterns:
    """What is kept; None where what it needs was not given, or there were too few points.

    Attributes
    ----------
    drift : Drift
    window : Window or None
        None where the points have no area of their own.
    nearest : NearestCompared or None
    ripley : RipleyCompared or None
    densities : DensitiesCompared or None
    said, warned : list of str
    """

    drift: Drift
    window: Window | None = None
    nearest: NearestCompared | None = None
    ripley: RipleyCompared | None = None
    densities: DensitiesCompared | None = None
    said: list[str] = field(default_factory=list)
    warned: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Matched:
    """What is kept of each paired record; None where its layer was not given.

    Attributes
    ----------
    clusters : ClustersCompared
        By DBSCAN.
    services : ServiceErrors or None
    zones : ZonesKept or None
    populated : Populated or None
        Of all points, by the population areas.
    moran : MoranCompared or None
        Of the numbers of records in zones, or in cells of a grid; None where these are too few.
    said : list of str
    """

    clusters: ClustersCompared
    services: ServiceErrors | None = None
    zones: ZonesKept | None = None
    populated: Populated | None = None
    moran: MoranCompared | None = None
    said: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Scanned:
    """What the scan statistic finds.

    Attributes
    ----------
    kept : ScanKept
    circles : Circles
    source : str
        One of :data:`CONTROLS`, :data:`CANDIDATES`, :data:`POPULATION`.
    """

    kept: ScanKept
    circles: Circles
    source: str

    def sentences(self) -> list[str]:
        """Say what it rests on."""
        said = [tr(_TOLD[self.source])]
        if self.circles.sites.put_together:
            said.append(
                tr(
                    "{places:,} places are too many for a scan: neighbours were put together to "
                    "{sites:,} sites."
                ).format(places=len(self.circles.sites.places), sites=len(self.circles.sites.xy))
            )
        return said

    def told(self) -> Iterator[tuple[str, int, Cluster]]:
        """Where it was found, number and circle of the most likely ones, and of others that are
        hardly chance."""
        for kind, scan in ((ORIGINAL, self.kept.before), (RELEASE, self.kept.after)):
            for number, one in enumerate(scan.clusters, 1):
                if number == 1 or one.p <= SIGNIFICANT:
                    yield kind, number, one


@dataclass(frozen=True)
class Measured:
    """What the report tells of.

    Attributes
    ----------
    paired : Paired
    risks : Risks
    patterns : Patterns
    matched : Matched
    scanned : Scanned or None
        Where no population at risk was given.
    """

    paired: Paired
    risks: Risks
    patterns: Patterns
    matched: Matched
    scanned: Scanned | None

    @property
    def standing(self) -> int:
        """Points that did not move, but for what projecting them leaves."""
        return int(np.count_nonzero(self.risks.moved <= 2 * PROJECTION_ERROR_M))

    def sentences(self) -> list[str]:
        """How it was done."""
        said = [*self.paired.sentences, *self.patterns.said, *self.matched.said]
        return said + (self.scanned.sentences() if self.scanned is not None else [])
