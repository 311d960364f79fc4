# SPDX-License-Identifier: GPL-2.0-or-later
"""The maps in the reports. May run in a worker thread; see :mod:`.drawing`.

They are drawn in the plane that the engine works in, so that degrees, Web Mercator and the
antimeridian leave no trace in a picture's shape or scale bar.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem

from ..core.masking.voronoi import PAIRED, SINGLETON, UNMOVED
from ..core.progress import Progress, part, silent
from ..core.space import Plane
from ..report import Picture
from . import planes, styling
from .drawing import DPI, Extent, MapLayer, line_layer, map_picture, padded, point_layer, sample
from .i18n import mark, tr

#: Masked points in a close-up.
CLOSE_UP = 60
_CLOSE_UP_MM = 1.8
#: Width of a map, and its height as a share of that.
WIDTH_PX = 900
_LOWEST, _HIGHEST = 0.55, 1.1
#: Spots among which a dense one is chosen.
_SPOTS = 24

# --- pictures of a masking ----------------------------------------------------------------------

_MASK_KINDS = {SINGLETON: "singleton", PAIRED: "pair", UNMOVED: "unmoved"}
_ORIGINAL = mark("Original (private)")
_MASKED = mark("Masked")
_CANDIDATE = mark("Candidate place")


def masking_pictures(
    original: np.ndarray,
    masked: np.ndarray,
    kind: np.ndarray,
    crs: QgsCoordinateReferenceSystem,
    progress: Progress = silent,
) -> list[Picture]:
    """Before, after, the shifts, and a close-up of some of them.

    Parameters
    ----------
    original, masked : (n, 2) arrays
        Coordinates in ``crs``, row by row.
    kind : (n,) int array
        As in :class:`~geoanon_qgis.core.masking.voronoi.VoronoiMask`.
    crs : QgsCoordinateReferenceSystem
    progress : callable
        Called between layers; may raise to cancel.

    Returns
    -------
    list of Picture
    """
    plane = planes.plane_of(original, crs)
    unit = _metres(plane, crs)
    one, other = plane.forward(original), plane.forward(masked)
    kinds = np.array([_MASK_KINDS[code] for code in sorted(_MASK_KINDS)])[kind]
    extent = _extent(one, other)
    size = _size(extent)

    # The same points everywhere: a sample shows where each of its points went.
    rows = sample(len(one))
    progress(0.0)
    before = point_layer(one[rows], None, styling.ORIGINALS, tr(_ORIGINAL))
    after = point_layer(other[rows], None, styling.MASKED, tr(_MASKED))
    progress(0.0)
    shifts = _shift_layer(one[rows], other[rows], kinds[rows])
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

    window, near = _close_up(one, part(progress, 0.6, 0.8))
    layers = [
        _shift_layer(one[near], other[near], kinds[near]),
        point_layer(one[near], None, styling.ORIGINALS, tr(_ORIGINAL), marker_mm=_CLOSE_UP_MM),
        point_layer(other[near], None, styling.MASKED, tr(_MASKED), marker_mm=_CLOSE_UP_MM),
    ]
    png = map_picture(layers, window, _size(window), DPI, unit, part(progress, 0.8, 1.0))
    caption = tr("A close-up of a dense spot: originals, shifts and masked points.")
    pictures.append(Picture(png, caption, name="map_close_up"))
    return pictures


def _shift_layer(start: np.ndarray, end: np.ndarray, kinds: np.ndarray) -> MapLayer:
    length = np.hypot(*(end - start).T)
    columns = {"kind": ("string", kinds.tolist()), "shift_m": ("double", length.tolist())}
    return line_layer(start, end, None, styling.SHIFTS, "", columns)


# --- pictures of an attack ----------------------------------------------------------------------


def reversal_pictures(
    masked: np.ndarray,
    candidates: np.ndarray,
    candidate: np.ndarray,
    kinds: np.ndarray,
    right: np.ndarray | None,
    crs: QgsCoordinateReferenceSystem,
    progress: Progress = silent,
) -> list[Picture]:
    """Who was found, who rightly (where that is known), and a close-up.

    Parameters
    ----------
    masked : (n, 2) array
        Coordinates in ``crs``.
    candidates : (N, 2) array
        In ``crs`` too.
    candidate : (n,) int array
        Row of the assigned candidate; -1 for none.
    kinds : (n,) array of str
        ``singleton``, ``pair``, ``unmoved``, ``ambiguous`` or ``unresolved``.
    right : (n,) bool array or None
        Which assignments are right, where the truth is known.
    crs : QgsCoordinateReferenceSystem
    progress : callable
        Called between layers; may raise to cancel.

    Returns
    -------
    list of Picture
    """
    plane = planes.plane_of(masked, crs)
    unit = _metres(plane, crs)
    released = plane.forward(masked)
    assigned = candidate >= 0
    found = released.copy()
    found[assigned] = plane.forward(candidates[candidate[assigned]])
    extent = _extent(released, found)
    size = _size(extent)

    rows = sample(len(found))
    layers = [_found_layer(found, kinds, None, rows)]
    more = layers[0].sample_sentence
    png = map_picture(layers, extent, size, DPI, unit, part(progress, 0, 0.3))
    caption = tr("Who was found: each masked record at the place it is assigned to.")
    pictures = [Picture(png, f"{caption} {more}".strip(), name="map_found")]
    if right is not None:
        layers = [_found_layer(found, kinds, right, rows, styling.RIGHT_OR_WRONG)]
        png = map_picture(layers, extent, size, DPI, unit, part(progress, 0.3, 0.6))
        caption = tr("Who was found at the true place, by the key.")
        pictures.append(Picture(png, f"{caption} {more}".strip(), name="map_right"))

    window, near = _close_up(released, part(progress, 0.6, 0.8))
    drawn = near[assigned[near]]
    layers = [
        point_layer(
            _candidates_in(window, plane, candidates, masked[near]), None,
            styling.CANDIDATES, tr(_CANDIDATE), marker_mm=_CLOSE_UP_MM,
        ),
        _link_layer(released[drawn], found[drawn], kinds[drawn]),
        point_layer(
            released[near], None, styling.MASKED, tr(_MASKED), marker_mm=0.8 * _CLOSE_UP_MM
        ),
        _found_layer(
            found, kinds, right, near,
            styling.FOUND if right is None else styling.SCORED, _CLOSE_UP_MM,
        ),
    ]
    png = map_picture(layers, window, _size(window), DPI, unit, part(progress, 0.8, 1.0))
    caption = tr(
        "A close-up of a dense spot: from each masked point to the place it is assigned to."
    )
    pictures.append(Picture(png, caption, name="map_close_up"))
    return pictures


def _found_layer(
    found, kinds, right, rows, role: str = styling.FOUND, marker_mm: float | None = None
) -> MapLayer:
    columns = {"kind": ("string", kinds[rows].tolist())}
    if right is not None:
        columns["correct"] = ("int", right[rows].astype(int).tolist())
    layer = point_layer(found[rows], None, role, "", columns, marker_mm=marker_mm)
    return replace(layer, total=len(found))


def _link_layer(start: np.ndarray, end: np.ndarray, kinds: np.ndarray) -> MapLayer:
    length = np.hypot(*(end - start).T)
    columns = {"kind": ("string", kinds.tolist()), "shift_m": ("double", length.tolist())}
    layer = line_layer(start, end, None, styling.LINKS, "", columns)
    return replace(layer, explained=False)  # the points' colours explain them


# --- what to show -------------------------------------------------------------------------------


def _metres(plane: Plane, crs: QgsCoordinateReferenceSystem) -> float | None:
    return plane.metres_per_unit if crs.isValid() else None


def _extent(*points: np.ndarray) -> Extent:
    low = np.min([xy.min(axis=0) for xy in points], axis=0)
    high = np.max([xy.max(axis=0) for xy in points], axis=0)
    return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def _size(extent: Extent) -> tuple[int, int]:
    """A picture's size for an extent: its shape, within bounds."""
    west, south, east, north = padded(extent)
    shape = min(max((north - south) / (east - west), _LOWEST), _HIGHEST)
    return WIDTH_PX, round(WIDTH_PX * shape)


def _close_up(xy: np.ndarray, progress: Progress = silent) -> tuple[Extent, np.ndarray]:
    """A window on a dense spot with about :data:`CLOSE_UP` points, and the rows to draw there.

    The spot is among the densest tenth of some, not the very densest, which is often a freak.
    """
    rng = np.random.default_rng(0)  # the same window for the same data
    spots = rng.permutation(len(xy))[:_SPOTS]
    kth = min(CLOSE_UP, len(xy)) - 1
    reach = np.empty(len(spots))
    for i, spot in enumerate(spots):
        progress(i / len(spots))
        squared = ((xy - xy[spot]) ** 2).sum(axis=1)
        reach[i] = np.partition(squared, kth)[kth]
        if reach[i] == 0:  # as many points at one place
            reach[i] = squared.min(where=squared > 0, initial=np.inf)
    chosen = np.argsort(reach, kind="stable")[len(spots) // 10]
    x, y = xy[spots[chosen]].tolist()
    # As many points in the square as there were in the circle.
    half = math.sqrt(reach[chosen] * math.pi) / 2 if np.isfinite(reach[chosen]) else 0.0
    window = (x - half, y - half, x + half, y + half)
    # What starts or ends outside may still cross the window.
    near = np.flatnonzero((np.abs(xy - (x, y)) <= 2 * half).all(axis=1))
    return window, near


def _candidates_in(
    window: Extent, plane: Plane, candidates: np.ndarray, around: np.ndarray
) -> np.ndarray:
    """Candidates in the window, in the plane; ``around`` are stored coordinates there."""
    # A box in stored coordinates first: projecting a national list takes seconds.
    low, high = around.min(axis=0), around.max(axis=0)
    reach = high - low
    box = ((candidates >= low - reach) & (candidates <= high + reach)).all(axis=1)
    near = candidates[box]
    xy = plane.forward(near[plane.holds(near)])
    west, south, east, north = padded(window)
    return xy[((xy >= (west, south)) & (xy <= (east, north))).all(axis=1)]
