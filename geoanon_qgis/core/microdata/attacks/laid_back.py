# SPDX-License-Identifier: GPL-2.0-or-later
"""A release whose places were all moved together: who has a list of homes lays them back first.

The map of a release that was turned, reflected, stretched or shifted is still the map of where its
people live, and only one way of laying it upon a list of homes fits. So is each part of a map whose parts
were moved by their own. Of the list the originals and the people of the reference are what is known here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...attacks.masks.common_move import CommonMove, common_move
from ...attacks.masks.moved_in_parts import PartsMoved, parts_moved
from ...runtime.progress import Progress, weighted
from ...runtime.wording import Sentence, mark
from ..distinct import distinct_rows
from ..variables import Variable
from .agreement import places_of
from .table import Tables

_SHIFTED = mark(
    "All places were shifted by {metres:,.4g} m in one direction: whoever has a list of homes sees it "
    "on the map, and takes it off. So did the attacks; what all places share protects nobody."
)
_TURNED = mark(
    "All places were turned, stretched or reflected together: laid back upon a list of homes {fits:.0f} % "
    "of them lie at one, and {chance:.0f} % at most where they are put elsewhere. The attacks laid them "
    "back; what all places share protects nobody."
)
_IN_PARTS = mark(
    "Places that are near each other were moved together: {named:,} of {tried:,} that were tried lie to "
    "their neighbours as one home of the list does to its own, and {chance:,} by chance. The "
    "attacks laid them back; what neighbours share protects nobody."
)
#: Metres below which a shift is none: less is what rounding leaves.
_NO_SHIFT = 1.0


def laid_back(tables: Tables, progress: Progress) -> tuple[np.ndarray, list[Sentence]]:
    """Return the released records with what all places share taken off, and say so.

    Parameters
    ----------
    tables : Tables

    Returns
    -------
    released : (p, m) array
        Those of the tables where no movement is found.
    said : list of Sentence
    """
    place = tables.named(tables.place)
    if len(place) < 2:
        return tables.released, []
    known = [one for one in (tables.original, tables.reference) if one is not None]
    of_homes, of_released, of_move, of_parts, of_back = weighted(progress, 1, 1, 8, 8, 1)
    xy = np.concatenate([places_of(place, one) for one in known])
    each = distinct_rows(xy, of_homes).first
    homes, strangers = xy[each], each >= len(tables.original)  # a home of both is of the file
    xy = places_of(place, tables.released)
    released = xy[distinct_rows(xy, of_released).first]
    said = list[Sentence]()
    seen = common_move(released, homes, None, of_move)
    if seen is not None and not (seen.is_shift and np.hypot(*seen.shift) < _NO_SHIFT):
        xy, released = seen.undone(xy), seen.undone(released)
        said.append(_said(seen))
    parts = parts_moved(released, homes, of_parts, strangers)
    if parts is not None:
        xy = parts.undone(xy, of_back)
        said.append(_in_parts(parts))
    return (_placed(tables, place, xy) if said else tables.released), said


def _placed(tables: Tables, place: Sequence[Variable], xy: np.ndarray) -> np.ndarray:
    """The released records, at these places."""
    made = tables.released.copy()
    for one, values in zip(place, xy.T):
        made[:, one.columns.start] = _coded(one, values)
    return made


def _coded(variable: Variable, values: np.ndarray) -> np.ndarray:
    """Places as they are coded: plain numbers, see :func:`..inside.place_columns`."""
    return (values - variable.centre) / variable.scale


def _said(seen: CommonMove) -> Sentence:
    if seen.is_shift:
        return Sentence(_SHIFTED, metres=float(np.hypot(*seen.shift)))
    return Sentence(_TURNED, fits=100 * seen.fits, chance=100 * seen.by_chance)


def _in_parts(parts: PartsMoved) -> Sentence:
    return Sentence(_IN_PARTS, named=parts.named, tried=parts.tried, chance=parts.by_chance)
