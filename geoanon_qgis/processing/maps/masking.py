# SPDX-License-Identifier: GPL-2.0-or-later
"""Maps of a masking: before, after, and what came between."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem

from ...core.runtime.progress import Progress, part, silent
from ...report import Picture
from .. import styling
from ..i18n import mark, tr
from ..layers import planes
from .drawing import DPI, MapLayer, line_layer, map_picture, point_layer, sample
from .framing import CLOSE_UP_MM, close_up, extent_of, metres, size_of

_ORIGINAL = mark("Original (private)")
_MASKED = mark("Masked")


def masking_pictures(
    original: np.ndarray,
    masked: np.ndarray,
    kinds: np.ndarray | None,
    crs: QgsCoordinateReferenceSystem,
    progress: Progress = silent,
) -> list[Picture]:
    """Before, after, the shifts, and a close-up of some of them.

    Parameters
    ----------
    original, masked : (n, 2) arrays
        Coordinates in ``crs``, row by row.
    kinds : (n,) array of str or None
        ``singleton``, ``pair`` or ``unmoved``, for a mask that tells points apart.
    crs : QgsCoordinateReferenceSystem
    progress : callable
        Called between layers; may raise to cancel.

    Returns
    -------
    list of Picture
    """
    plane = planes.plane_of(original, crs)
    unit = metres(plane, crs)
    one, other = plane.forward(original), plane.forward(masked)
    extent = extent_of(one, other)
    size = size_of(extent)

    # The same points everywhere: a sample shows where each of its points went.
    rows = sample(len(one))
    begun = part(progress, 0.0, 0.0)
    before = point_layer(one[rows], None, styling.ORIGINALS, tr(_ORIGINAL), progress=begun)
    after = point_layer(other[rows], None, styling.MASKED, tr(_MASKED), progress=begun)
    shifts = _shift_layer(one[rows], other[rows], None if kinds is None else kinds[rows], begun)
    more = replace(before, total=len(one)).sample_sentence
    pictures = []
    for number, (name, layers, caption) in enumerate(
        (
            ("before", [before], tr("Before: the original points.")),
            ("after", [after], tr("After: the masked points, as released.")),
            ("shifts", [shifts], tr("Each shift, from the original place to the masked one.")),
        )
    ):
        steps = part(progress, 0.2 * number, 0.2 * (number + 1))
        png = map_picture(layers, extent, size, DPI, unit, steps)
        pictures.append(Picture(png, f"{caption} {more}".strip(), name=f"map_{name}"))

    window, near = close_up(one, part(progress, 0.6, 0.8))
    layers = [
        _shift_layer(one[near], other[near], None if kinds is None else kinds[near]),
        point_layer(one[near], None, styling.ORIGINALS, tr(_ORIGINAL), marker_mm=CLOSE_UP_MM),
        point_layer(other[near], None, styling.MASKED, tr(_MASKED), marker_mm=CLOSE_UP_MM),
    ]
    png = map_picture(layers, window, size_of(window), DPI, unit, part(progress, 0.8, 1.0))
    caption = tr("A close-up of a dense spot: originals, shifts and masked points.")
    pictures.append(Picture(png, caption, name="map_close_up"))
    return pictures


def _shift_layer(
    start: np.ndarray, end: np.ndarray, kinds: np.ndarray | None, progress: Progress = silent
) -> MapLayer:
    length = np.hypot(*(end - start).T)
    columns = {"shift_m": ("double", length.tolist())}
    if kinds is not None:
        columns["kind"] = ("string", kinds.tolist())
    role = styling.MOVES if kinds is None else styling.SHIFTS
    return line_layer(start, end, None, role, "", columns, progress=progress)
