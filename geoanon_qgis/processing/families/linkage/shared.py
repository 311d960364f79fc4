# SPDX-License-Identifier: GPL-2.0-or-later
"""ISGP releases as the linkage attack takes them: the file, and the rule of the engine."""

from __future__ import annotations

from ....core.attacks.linkage.shared_labels import IntersectingSets
from ....core.distances.files.shared import read_shared
from ....core.distances.isgp import PER_RADIUS
from ....core.distances.isgp_matrix import censored_matrix
from ....core.distances.matrix import DistanceMatrix
from ....core.runtime.errors import InputError
from ....core.runtime.progress import Progress
from ...dialog import parameters
from ...i18n import tr
from ...layers import planes
from ...layers.reading import PointTable
from ...layers.values import text_of
from ...running import Given, Run

#: The rule's name.
ISGP = "isgp"


def inputs() -> list:
    """Return the parameters of the rule."""
    return [
        parameters.metres(
            "RADIUS",
            tr("Radius (metres)"),
            tr("For the rule isgp: as in the release."),
            1000.0,
            optional=False,
            only_when={"RULE": (ISGP,)},
        ),
        parameters.metres(
            "SPACING",
            tr("Distance of the grid points (metres)"),
            tr("For the rule isgp: as in the release. Leave empty for a tenth of the radius."),
            only_when={"RULE": (ISGP,)},
        ),
    ]


def read_matrix(run: Run, ids: list | None, progress: Progress) -> DistanceMatrix:
    """Read labels or distances of an ISGP release, in the order of the released table."""
    if ids is None:
        raise InputError(
            tr(
                "The released records have no field “released_id”, so that labels and records "
                "cannot be told apart. Choose the field with their ids."
            )
        )
    unit = run.choice("UNIT")
    length = parameters.UNITS[unit]
    names = tuple(map(text_of, ids))
    pairs = read_shared(run.path("MATRIX"), names, run.number("RADIUS") / length, progress)
    return censored_matrix(pairs, ids=names, unit=unit)


def rule_of(given: Given, known: PointTable) -> IntersectingSets:
    """Return the rule, with the plane of the known people."""
    plane = planes.plane_of(known.xy, known.crs)
    length = plane.metres_per_unit if known.crs.isValid() else 1.0
    radius, spacing = spacings(given)
    return IntersectingSets(radius / length, spacing / length, plane)


def spacings(given: Given) -> tuple[float, float]:
    """Radius and distance of the grid points, in metres."""
    radius, spacing = given.number("RADIUS"), given.number("SPACING")
    return radius, radius / PER_RADIUS if spacing is None else spacing
