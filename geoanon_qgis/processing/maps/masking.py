# SPDX-License-Identifier: GPL-2.0-or-later
"""Maps of a masking: before, after, and what came between."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem

from ...core.runtime.progress import Progress, silent
from ...report import Picture
from .. import styling
from ..i18n import mark, tr
from .album import Album
from .drawing import MapLayer, line_layer, point_layer, sample
from .framing import CLOSE_UP_MM, extent_of

_ORIGINAL = mark("Original (private)")
_MASKED = mark("Masked")


def masking_pictures(
    original: np.ndarray,
    masked: np.ndarray,
    kinds: np.ndarray | None,
    crs: QgsCoordinateReferenceSystem,
    progress: Progress = silent,
    example: tuple[int, np.ndarray] | None = None,
) -> list[Picture]:
    """Before, after, the shifts, a close-up of some of them, and where one could have gone.

    Parameters
    ----------
    original, masked : (n, 2) arrays
        Coordinates in ``crs``, row by row.
    kinds : (n,) array of str or None
        ``singleton``, ``pair`` or ``unmoved``, for a mask that tells points apart.
    crs : QgsCoordinateReferenceSystem
    progress : callable
        Called between layers; may raise to cancel.
    example : (int, (m, 2) array), optional
        A row, and places in ``crs`` to which its point could have gone.

    Returns
    -------
    list of Picture
    """
    album = Album(original, crs, progress)
    one, other = album.plane.forward(original), album.plane.forward(masked)
    extent = extent_of(one, other)

    # The same points everywhere: a sample shows where each of its points went.
    rows, ask = sample(len(one)), album.ask
    before = point_layer(one[rows], styling.ORIGINALS, tr(_ORIGINAL), progress=ask)
    after = point_layer(other[rows], styling.MASKED, tr(_MASKED), progress=ask)
    shifts = _shift_layer(one[rows], other[rows], None if kinds is None else kinds[rows], ask)
    more = replace(before, total=len(one)).sample_sentence
    for name, layer, caption, until in (
        ("before", before, tr("Before: the original points."), 0.2),
        ("after", after, tr("After: the masked points, as released."), 0.4),
        ("shifts", shifts, tr("Each shift, from the original place to the masked one."), 0.6),
    ):
        album.draw(f"map_{name}", [layer], extent, [caption, more], until)

    if example is not None:
        _draw_example(album, one, other, example)
    window, near = album.close_up(one, 0.8)
    layers = [
        _shift_layer(one[near], other[near], None if kinds is None else kinds[near]),
        point_layer(one[near], styling.ORIGINALS, tr(_ORIGINAL), marker_mm=CLOSE_UP_MM),
        point_layer(other[near], styling.MASKED, tr(_MASKED), marker_mm=CLOSE_UP_MM),
    ]
    said = [tr("A close-up of a dense spot: originals, shifts and masked points.")]
    album.draw("map_close_up", layers, window, said)
    return album.pictures


def _draw_example(
    album: Album, one: np.ndarray, other: np.ndarray, example: tuple[int, np.ndarray]
) -> None:
    """Draw where one point could have gone, and where it went."""
    row, places = example
    at, could = slice(row, row + 1), album.plane.forward(places)
    layers = [
        point_layer(could, styling.CANDIDATES, tr("Where it could have gone")),
        _shift_layer(one[at], other[at], None),
        point_layer(one[at], styling.ORIGINALS, tr(_ORIGINAL), marker_mm=CLOSE_UP_MM),
        point_layer(other[at], styling.MASKED, tr(_MASKED), marker_mm=CLOSE_UP_MM),
    ]
    said = [
        tr(
            "One point, which moved as far as half of all do: where it could have gone, and where "
            "it went."
        )
    ]
    album.draw("map_example", layers, extent_of(one[at], other[at], could), said, 0.7)


def _shift_layer(
    start: np.ndarray, end: np.ndarray, kinds: np.ndarray | None, progress: Progress = silent
) -> MapLayer:
    length = np.hypot(*(end - start).T)
    columns = {"shift_m": ("double", length.tolist())}
    if kinds is not None:
        columns["kind"] = ("string", kinds.tolist())
    # With kinds the legend names each of them.
    role, label = (styling.MOVES, tr("Shift")) if kinds is None else (styling.SHIFTS, "")
    return line_layer(start, end, role, label, columns, progress=progress)
