# SPDX-License-Identifier: GPL-2.0-or-later
"""What an ISGP release is told, and what its report tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.distances.files.secret_grid import read_grid
from ...core.distances.isgp import NEIGHBOURS, PER_RADIUS, LabelSets, SecretGrid, radius_for
from ...core.distances.isgp_accuracy import NearAccuracy
from ...core.space.planes import Plane
from ...report import Report, col
from .. import literature
from ..dialog import parameters
from ..i18n import number_of, tr
from ..layers import planes
from ..layers.reading import PointTable
from ..running import Run
from . import distance_release
from .common import Context, PrivatePage

#: Labels of the nearest records beyond which a release says little of most of them.
_ALONE = 0.5


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


def choices(methods: Sequence[str]) -> list:
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
            list(methods),
            methods[-1],
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
        ),
        parameters.metres(
            "SPACING",
            tr("Distance of the grid points (metres)"),
            tr(
                "The nearer they lie, the more exact the distances and the more labels each record "
                "has. Leave empty for a tenth of the radius: 314 labels a record, and a usual error "
                "of a hundredth of the radius. Not used with GRID_FILE."
            ),
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
        grid, plane = read_grid(path, plane, planes.wkt(table.crs) or "")
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


def numbers(kept: NearAccuracy) -> dict[str, float]:
    """Return the number outputs."""
    return {
        "PAIRS": kept.pairs,
        "ALONE": kept.alone,
        "EXPLAINED": kept.explained,
        "ERROR": kept.error,
        "NEAREST_KEPT": kept.nearest_kept,
    }


def warnings(kept: NearAccuracy) -> list[str]:
    """What the log and the report warn of."""
    if kept.alone <= _ALONE * kept.records:
        return []
    return [
        tr(
            "{alone} of {records:,} share a label with nobody: nothing is told of their distances. "
            "Take a larger radius."
        ).format(alone=number_of(kept.alone, "record", "records"), records=kept.records)
    ]


def steps(run: Run, made: Made, kept: Sequence[str]) -> list[str]:
    """What to do before the release: the attack to run."""
    known = {
        "TARGET": run.place_of("OUTPUT"),
        "MATRIX": run.place_of("SHARED"),
        "MASK": run.place_of("MASK"),
        "TRUTH": run.place_of("KEY"),
        "RULE": "isgp",
        "RADIUS": f"{made.radius:g}",
        "SPACING": f"{made.spacing:g}",
    }
    told = ", ".join(f"{name}={value}" for name, value in known.items() if value != "")
    return distance_release.steps(told, kept)


def report(about: Context, title: str, sets: LabelSets, kept: NearAccuracy) -> Report:
    """Say what was released, how exact it is and what is known of its safety."""
    page, unit = PrivatePage(title, about.source), about.unit
    page.section(tr("What was done"), "result")
    page.figure(
        "count",
        tr("Records"),
        kept.records,
        tr("People, or whatever a record stands for."),
    )
    page.figure(
        "labels",
        tr("Labels of a record"),
        float(sets.sizes.mean()),
        tr("Grid points within the radius of its place, on average."),
        decimals=1,
    )
    page.figure(
        "pairs",
        tr("Pairs that share a label"),
        kept.pairs,
        tr("Of these the release tells the distance; all others are two radii apart or farther."),
    )
    page.figure(
        "alone",
        tr("Records that share none"),
        kept.alone,
        tr("The release tells of these only that nobody is near."),
    )
    if kept.pairs:
        page.figure(
            "explained",
            tr("Variance that is explained"),
            100 * kept.explained,
            tr("Of the true distances of these pairs, by the released ones (squared correlation)."),
            unit="%",
            decimals=2,
        )
        page.figure(
            "error",
            tr("Usual error of a distance"),
            kept.error,
            tr("Root mean square of released less true distance."),
            unit=unit,
        )
        page.figure(
            "nearest_kept",
            tr("Nearest neighbours that are right"),
            100 * kept.nearest_kept,
            tr("Among the records that share a label with somebody."),
            unit="%",
        )
    page.settings(about.settings).warn(about.warnings)
    page.section(tr("How distances are kept"), "kept")
    page.table(
        "bands",
        [
            col("band", tr("True distance"), lambda one: f"{one.lower:,.6g} – {one.upper:,.6g}"),
            col("pairs", tr("Pairs"), "pairs"),
            col("bias", tr("Mean of released − true"), "bias", unit=unit),
            col("error", tr("Usual error"), "error", unit=unit),
        ],
        kept.bands,
    )
    page.section(tr("What it does not protect"), "limits")
    page.say(
        tr(
            "Distances of neighbours are nearly exact, whatever the grid. Whoever knows people who "
            "live within two radii of each other can look for a group of records at the same "
            "distances, and records that share labels can be drawn as a map. The grid's labels say "
            "nothing of where they are, and it has no border that would cut sets off; but the same "
            "place has the same labels in every release with this grid."
        )
    )
    page.section(tr("Attributes"), "attributes").attributes(about.choice)
    page.kept_out(about.left_out)
    page.method(
        [
            about.sentences,
            tr(
                "Each record got the labels of the grid points within the radius of its place; "
                "labels are a keyed hash of a grid point's row and column. The share of labels that "
                "two records have in common, of the mean size of their sets, is the share of a disc "
                "that two discs of the radius have in common, which gives their distance."
            ),
        ],
        [literature.ISGP],
    )
    return page.report()
