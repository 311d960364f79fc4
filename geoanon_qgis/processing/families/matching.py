# SPDX-License-Identifier: GPL-2.0-or-later
"""Who of a key is who in another file: by an id that both have, or by place.

Every file has feature ids of its own, from 1, so they say nothing about another file. A score
that took them for ids of people would be wrong without anybody noticing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem, QgsFields, QgsProcessingFeatureSource

from ...core.columns import Column, column_of
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, interruptible, silent, weighted
from ...core.space.planes import PROJECTION_ERROR_M
from ...core.space.points import Places, build_tree, coordinate_resolution, places
from ...core.values import NULL_TEXT
from ..i18n import tr
from ..layers import planes, reading, transforming
from ..layers.keys import Key

#: How people were found: by the field of the key, by their place, or by feature ids, which is
#: proven where all of them stand where the key says, and a guess else.
ID, PLACE, FEATURE_ID, GUESSED = "id", "place", "feature_id", "guessed"

#: Of the ids that both files have, the share that must stand where the key says.
_SAME_PEOPLE = 0.5
#: Without a reference system: digits that are lost in a file of text, as a share of a coordinate.
_TEXT_ERROR = 1e-12


@dataclass(frozen=True)
class Other:
    """The file in which the people of a key are looked for.

    Attributes
    ----------
    source : QgsProcessingFeatureSource
    feature_ids : sequence
    xy : (n, 2) array or None
        Places in ``crs``; None where they are not known.
    crs : QgsCoordinateReferenceSystem
    columns : dict of str to Column
        At least the field that :func:`shared_field` gives, and ``chosen``.
    chosen : str or None
        The field that the user says names the people.
    """

    source: QgsProcessingFeatureSource
    feature_ids: Sequence
    xy: np.ndarray | None
    crs: QgsCoordinateReferenceSystem
    columns: dict[str, Column]
    chosen: str | None = None


@dataclass(frozen=True)
class Match:
    """Who is who.

    Attributes
    ----------
    named : (n,) bool array
        Whether the key names each released record.
    rows : (n,) int array
        Row of each released record in the other file, -1 where it is not there. By place,
        records at one place take its rows in turn.
    way : str
        :data:`ID`, :data:`PLACE`, :data:`FEATURE_ID` or :data:`GUESSED`.
    sentence : str
        How it was done, for the log and the report.
    warnings : list of str
    """

    named: np.ndarray
    rows: np.ndarray
    way: str
    sentence: str
    warnings: list[str] = field(default_factory=list)


def shared_field(key: Key | None, fields: QgsFields) -> str | None:
    """Return the name of the field that the key's ids are from, where a file has it."""
    if key is None or not key.id_field:
        return None
    for name in (key.id_field, key.id_field[:10]):  # a .dbf cuts names after ten letters
        position = fields.lookupField(name)
        if position >= 0:
            return fields.at(position).name()
    return None


def match(
    key: Key, released: Sequence, other: Other, context, progress: Progress = silent
) -> Match:
    """Find the people of a release in another file.

    Parameters
    ----------
    key : Key
    released : sequence
        Ids of the released records.
    other : Other
    context : QgsProcessingContext
    progress : callable

    Raises
    ------
    InputError
        If the key names none of the released records.
    """
    names = column_of("", released).texts(NULL_TEXT)
    named = np.array([one in key.original for one in names], dtype=bool)
    if not named.any():
        raise InputError(
            tr(
                "The key “{key}” does not belong to this release: it names none of its records. "
                "Choose the key that was written with it."
            ).format(key=key.name)
        )
    place = _by_place(key, names, other, context, progress)
    shared = shared_field(key, other.source.fields())
    if shared is None and place is None and other.chosen:
        shared = other.chosen
    if shared is not None:
        return _by_field(key, names, named, other, shared, place)
    rows = _rows_of_ids(key, names, other.feature_ids)
    if place is not None:
        agree = place.agree(rows)
        if not key.id_field and (rows >= 0).any() and agree.all():
            return Match(
                named,
                rows,
                FEATURE_ID,
                tr(
                    "People are found in “{name}” by their feature ids, as all of them stand where "
                    "the key says."
                ).format(name=other.source.sourceName()),
            )
        return place.match(named, _why_not_by_id(key, other))
    return Match(
        named,
        rows,
        GUESSED,
        tr(
            "People are looked for in “{name}” by their feature ids, as the key has neither places "
            "nor a field that names them."
        ).format(name=other.source.sourceName()),
    )


def _why_not_by_id(key: Key, other: Other) -> str:
    if key.id_field:
        return tr("“{name}” has no field “{field}”, from which the key's ids are.").format(
            name=other.source.sourceName(), field=key.id_field
        )
    return tr("The key holds feature ids, which mean nothing in another file.")


def _rows_of_ids(key: Key, names: list[str], ids: Sequence) -> np.ndarray:
    row_of = {one: row for row, one in enumerate(column_of("", ids).texts(NULL_TEXT))}
    return np.array([row_of.get(key.original.get(one, ""), -1) for one in names], dtype=np.intp)


def _by_field(key, names, named, other: Other, shared: str, place: _Place | None) -> Match:
    rows = _rows_of_ids(key, names, other.columns[shared])
    said = tr("People are found in “{name}” by their ids, in the field “{field}”.").format(
        name=other.source.sourceName(), field=shared
    )
    if place is None:
        return Match(named, rows, ID, said)
    both = int(np.count_nonzero((rows >= 0) & place.known))
    agree = int(np.count_nonzero(place.agree(rows)[(rows >= 0) & place.known]))
    others = agree < _SAME_PEOPLE * both if both else not (rows >= 0).any()
    if others and np.count_nonzero(place.place >= 0) > agree:
        why = (
            tr(
                "The field “{field}” of “{name}” names other people: of {both:,} ids that are in "
                "the key too, {agree:,} stand where the key says."
            )
            if both
            else tr("The field “{field}” of “{name}” has none of the ids that are in the key.")
        ).format(field=shared, name=other.source.sourceName(), both=both, agree=agree)
        found = place.match(named, why)
        return Match(found.named, found.rows, found.way, found.sentence, [why])
    return Match(named, rows, ID, said)


# --- by place ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Place:
    """The originals' places beside those of the other file, in a plane where a metre is one.

    Attributes
    ----------
    at : (n, 2) array
        Places of the released records by the key; NaN where it has none.
    xy : (m, 2) array
        Of the other file; NaN where the plane does not reach.
    tolerance : float
        In the plane's unit, and ``told`` as people read it.
    place : (n,) int array
        The nearest of ``distinct`` within the tolerance, -1 for none.
    several : int
        Records that have more than one within it, none of them exactly.
    """

    other: Other
    at: np.ndarray
    xy: np.ndarray
    tolerance: float
    told: str
    distinct: Places
    rows: np.ndarray
    place: np.ndarray
    several: int

    @property
    def known(self) -> np.ndarray:
        """Whether the key says where each record's original stands."""
        return np.isfinite(self.at).all(axis=1)

    def agree(self, rows: np.ndarray) -> np.ndarray:
        """Whether a row that was found by id stands where the key says; true where it is -1."""
        away = np.hypot(*(self.xy[rows] - self.at).T)
        return (rows < 0) | ~self.known | (away <= self.tolerance)

    def match(self, named: np.ndarray, why: str) -> Match:
        """Match by place; records at one place take its rows in turn."""
        order = np.argsort(self.distinct.of_point, kind="stable")
        start = np.cumsum(self.distinct.count) - self.distinct.count
        rows = np.full(len(self.place), -1, dtype=np.intp)
        there = np.flatnonzero(self.place >= 0)
        there = there[np.argsort(self.place[there], kind="stable")]
        at = self.place[there]
        turn = np.arange(len(at)) - np.searchsorted(at, at)
        rows[there] = self.rows[order[start[at] + turn % self.distinct.count[at]]]
        said = [
            why,
            tr(
                "People are found in “{name}” by place: the same within {tolerance}, which follows "
                "from how the coordinates are rounded."
            ).format(name=self.other.source.sourceName(), tolerance=self.told),
        ]
        if self.several:
            said.append(
                tr(
                    "That does not tell all neighbours apart: {count:,} have several places within "
                    "it, of which the nearest was taken."
                ).format(count=self.several)
            )
        return Match(named, rows, PLACE, " ".join(said))


def _by_place(key, names, other: Other, context, progress: Progress) -> _Place | None:
    """Lay the key's places beside the other file's; None where one of them has no places."""
    there = [row for row, one in enumerate(names) if one in key.places]
    if not there or other.xy is None or not len(other.xy):
        return None
    of_system, of_own, of_other, of_tree, of_nearest = weighted(progress, 20, 10, 20, 10, 40)
    stored = np.array([key.places[names[row]] for row in there])
    try:
        own = transforming.transform(stored, key.crs, other.crs, context, of_system)
        plane = planes.plane_of(own, other.crs)
    except InputError:
        return None  # places that the other file's system cannot hold are nowhere in it
    at = np.full((len(names), 2), np.nan)
    at[there] = plane.forward(own, of_own)
    near = np.flatnonzero(plane.holds(other.xy))
    xy = np.full(other.xy.shape, np.nan)
    xy[near] = plane.forward(other.xy[near], of_other)
    tolerance = _tolerance(key, stored, other)
    distinct = places(xy[near])
    place = np.full(len(names), -1, dtype=np.intp)
    several = 0
    if len(near):
        tree = build_tree(distinct.xy, of_tree)
        away, nearest = interruptible(lambda: tree.query(at[there], k=[1, 2]), of_nearest)
        reach = tolerance / plane.metres_per_unit
        within = away <= reach
        place[there] = np.where(within[:, 0], nearest[:, 0], -1)
        exact = PROJECTION_ERROR_M / plane.metres_per_unit
        several = int(np.count_nonzero(within[:, 1] & (away[:, 0] > exact)))
    told = f"{tolerance:.2g} {planes.unit(other.crs)}"
    return _Place(
        other, at, xy, tolerance / plane.metres_per_unit, told, distinct, near, place, several
    )


def _tolerance(key: Key, stored: np.ndarray, other: Other) -> float:
    """How far apart the same place may be in two files, in metres (or the unit of the layer).

    Rounding moves a place by half the diagonal of a cell of its grid, in each file. Two files
    in one system with one grid hold the same numbers.
    """
    sample = reading.stored_sample(other.source)
    system = other.source.sourceCrs()
    least = 2 * PROJECTION_ERROR_M
    if not (other.crs.isValid() and key.crs.isValid()):
        least = _TEXT_ERROR * float(np.abs(stored).max())
    if system == key.crs and coordinate_resolution(sample) == coordinate_resolution(stored):
        return least
    return least + planes.rounding_error(stored, key.crs) + planes.rounding_error(sample, system)
