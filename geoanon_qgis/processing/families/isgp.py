# SPDX-License-Identifier: GPL-2.0-or-later
"""The grid of an ISGP release: what is asked for it, how it is drawn or read, what is told of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem

from ...core.distances.files import secret_grid, shared
from ...core.distances.isgp import NEIGHBOURS, PER_RADIUS, LabelSets, SharedPairs, radius_for
from ...core.distances.isgp_grid import SecretGrid
from ...core.space.planes import Plane
from ...core.verification.maskfile import ISGP, MaskFile
from ..dialog import parameters
from ..dialog.declaration import private, release
from ..dialog.rules import EMPTY
from ..i18n import mark, tr
from ..layers import keys, planes
from ..layers.reading import PointTable
from ..running import Run
from ..writing import Outputs
from . import mask_files

#: What is released.
SETS, DISTANCES = "sets", "distances"

#: Outputs: what is released, and what undoes it.
SHARED = release(
    "SHARED",
    mark("Labels or distances"),
    mark("A .csv file with the labels of each record, or the distances of near records."),
    "csv",
    more=mark(
        "METHOD sets: released_id and label, one row for each label of each record. METHOD "
        "distances: released_id, other_id and distance, one row for each pair of records "
        "nearer than two radii; pairs without a row are farther apart."
    ),
)
GRID = private(
    "GRID",
    mark("Secret grid"),
    mark("For places that come later (GRID_FILE). It undoes the release."),
    "json",
)


@dataclass(frozen=True)
class Made:
    """The grid of a release.

    Attributes
    ----------
    grid : SecretGrid
        In the unit of the plane.
    plane : Plane
    radius, spacing : float
        In metres, or units of a layer without a system.
    unit : str
    """

    grid: SecretGrid
    plane: Plane
    radius: float
    spacing: float
    unit: str

    @property
    def decimals(self) -> int:
        """Decimals of a distance that say something: those of a hundredth of the spacing."""
        return max(0, int(-np.floor(np.log10(self.spacing / 100.0))))

    def settings(self, method: str) -> list[tuple[str, object]]:
        """Return what the report lists."""
        return [
            (tr("Method"), method),
            (tr("Radius"), f"{self.radius:g} {self.unit}"),
            (tr("Distance of the grid points"), f"{self.spacing:g} {self.unit}"),
        ]


def choices() -> list:
    """Return the parameters of the method."""
    return [
        parameters.choice(
            "METHOD",
            tr("Release"),
            tr(
                "sets: the labels of each record. Whoever has them can compare records of several "
                "releases. distances: only the distances of records nearer than two radii, which "
                "tells less."
            ),
            [SETS, DISTANCES],
            DISTANCES,
        ),
        parameters.metres(
            "RADIUS",
            tr("Radius (metres)"),
            tr(
                "Distances up to two radii are told, and nothing beyond: take half of the farthest "
                "distance that the analyses need. Leave empty to tell half of the records the "
                "distances of their ten nearest; the log says what that is. Not used with "
                "GRID_FILE, which has its own. A layer without a reference system keeps its own "
                "unit."
            ),
            only_when={"GRID_FILE": EMPTY},
        ),
        parameters.metres(
            "SPACING",
            tr("Distance of the grid points (metres)"),
            tr(
                "The nearer they lie, the more exact the distances and the more labels each record "
                "has. Leave empty for a tenth of the radius: 314 labels a record, and a usual error "
                "of a hundredth of the radius. Not used with GRID_FILE."
            ),
            only_when={"GRID_FILE": EMPTY},
        ),
        parameters.file_source(
            "GRID_FILE",
            tr("Secret grid of an earlier release"),
            tr(
                "The private file GRID of that release: labels then fit those of that release. "
                "Leave empty for a new grid."
            ),
            tr("JSON files (*.json)"),
            advanced=True,
        ),
    ]


def grid_of(run: Run, table: PointTable, rng: np.random.Generator) -> Made:
    """Draw a grid, or read that of an earlier release."""
    plane, unit = planes.plane_of(table.xy, table.crs), planes.unit(table.crs)
    path = run.text("GRID_FILE")
    if path:
        grid, plane = secret_grid.read_grid(path, plane, planes.wkt(table.crs) or "")
    else:
        length = plane.metres_per_unit if table.crs.isValid() else 1.0
        radius, spacing = run.number("RADIUS"), run.number("SPACING")
        if radius is None:
            # Two digits of a metre, not of the plane's unit.
            radius = radius_for(plane.forward(table.xy) * length)
            run.tell(
                tr(
                    "Radius: {radius:g} {unit}. Half of the records have {count} others within two "
                    "radii of it. Give RADIUS for another."
                ).format(radius=radius, unit=unit, count=min(NEIGHBOURS, len(table) - 1))
            )
        spacing = radius / PER_RADIUS if spacing is None else spacing
        grid = SecretGrid.draw(radius / length, spacing / length, rng)
    length = plane.metres_per_unit if table.crs.isValid() else 1.0
    return Made(grid, plane, grid.radius * length, grid.spacing * length, unit)


def write(
    outputs: Outputs,
    made: Made,
    crs: QgsCoordinateReferenceSystem,
    released: LabelSets | SharedPairs,
) -> None:
    """Write what is released, and the grid if somebody wants it."""
    path, grid = outputs.file_path("SHARED"), outputs.file_path("GRID")
    with outputs.filling("SHARED"):
        if isinstance(released, LabelSets):
            shared.write_sets(path, released, outputs.next_share())
        else:
            shared.write_pairs(path, released, made.decimals, outputs.next_share())
    if grid is not None:
        with outputs.filling("GRID"):
            secret_grid.write_grid(grid, made.grid, made.plane, planes.wkt(crs) or "")
            outputs.next_share()(1.0)


def write_mask(
    outputs: Outputs,
    made: Made,
    crs: QgsCoordinateReferenceSystem,
    attributes: Sequence[str],
) -> None:
    """Write the mask file if somebody wants it: how dense the grid is and how far it reaches."""
    if not outputs.wanted(mask_files.MASK):
        return
    known = {"radius": made.radius, "spacing": made.spacing}
    mask = MaskFile(
        ISGP,
        # Lengths went through the unit of the plane: no digits that nobody gave.
        {name: float(f"{value:.12g}") for name, value in known.items()},
        "geodesic" if crs.isValid() else "planar",
        "m" if crs.isValid() else "units",
        keys.crs_text(crs) or "",
        None,
        tuple(attributes),
        made.decimals,
        10.0**-made.decimals,
        False,
        released=mask_files.released_files(outputs),
    )
    mask_files.write(outputs, mask)
