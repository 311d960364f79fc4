# SPDX-License-Identifier: GPL-2.0-or-later
"""Maps of an attack on a mask: who was found, and where."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem

from ...core.runtime.progress import Progress, silent
from ...core.space.planes import Plane
from ...report import Picture
from .. import styling
from ..i18n import mark, tr
from .album import Album
from .drawing import Extent, MapLayer, line_layer, padded, point_layer, sample
from .framing import CLOSE_UP_MM, extent_of, within

_MASKED = mark("Masked")
_CANDIDATE = mark("Candidate place")


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
    album = Album(masked, crs, progress)
    plane = album.plane
    released = plane.forward(masked)
    assigned = candidate >= 0
    found = released.copy()
    found[assigned] = plane.forward(candidates[candidate[assigned]])
    extent = extent_of(released, found)

    rows = sample(len(found))
    layers = [_found_layer(found, kinds, None, rows, progress=album.ask)]
    more = layers[0].sample_sentence
    caption = tr("Who was found: each masked record at the place it is assigned to.")
    album.draw("map_found", layers, extent, [caption, more], 0.3)
    if right is not None:
        layers = [
            _found_layer(found, kinds, right, rows, styling.RIGHT_OR_WRONG, progress=album.ask)
        ]
        caption = tr("Who was found at the true place, by the key.")
        album.draw("map_right", layers, extent, [caption, more], 0.6)

    window, near = album.close_up(released, 0.8)
    drawn = near[assigned[near]]
    layers = [
        point_layer(
            _candidates_in(window, plane, candidates, masked[near]),
            styling.CANDIDATES,
            tr(_CANDIDATE),
            marker_mm=CLOSE_UP_MM,
        ),
        _link_layer(released[drawn], found[drawn], kinds[drawn]),
        point_layer(released[near], styling.MASKED, tr(_MASKED), marker_mm=0.8 * CLOSE_UP_MM),
        _found_layer(
            found,
            kinds,
            right,
            near,
            styling.FOUND if right is None else styling.SCORED,
            CLOSE_UP_MM,
        ),
    ]
    caption = tr(
        "A close-up of a dense spot: from each masked point to the place it is assigned to."
    )
    album.draw("map_close_up", layers, window, [caption])
    return album.pictures


def _found_layer(
    found,
    kinds,
    right,
    rows,
    role: str = styling.FOUND,
    marker_mm: float | None = None,
    progress: Progress = silent,
) -> MapLayer:
    columns = {"kind": ("string", kinds[rows].tolist())}
    if right is not None:
        columns["correct"] = ("int", right[rows].astype(int).tolist())
    layer = point_layer(found[rows], role, "", columns, marker_mm=marker_mm, progress=progress)
    return replace(layer, total=len(found))


def _link_layer(start: np.ndarray, end: np.ndarray, kinds: np.ndarray) -> MapLayer:
    length = np.hypot(*(end - start).T)
    columns = {"kind": ("string", kinds.tolist()), "shift_m": ("double", length.tolist())}
    layer = line_layer(start, end, styling.LINKS, "", columns)
    return replace(layer, explained=False)  # the points' colours explain them


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
    return xy[within(padded(window), xy)]
