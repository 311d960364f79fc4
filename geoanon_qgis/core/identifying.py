# SPDX-License-Identifier: GPL-2.0-or-later
"""Attributes that would give a record away: names, ids, and coordinates in disguise."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

#: Why an attribute looks as if it identified the record or its place.
NAMED_ID, NAMED_COORDINATE, NAMED_PERSON, ALL_DIFFERENT, FOLLOWS_COORDINATE = (
    "named_id",
    "named_coordinate",
    "named_person",
    "all_different",
    "follows_coordinate",
)


def _vocabularies(words: dict[str, str]) -> dict[str, frozenset[str]]:
    return {reason: frozenset(text.split()) for reason, text in words.items()}


#: Words that say it wherever they stand in a field's name, and words that say it alone:
#: "patient" is an id, "patient_age" is none.
_ANYWHERE = _vocabularies({
    NAMED_ID: "id ids fid gid oid uid pid uuid guid objectid featureid rowid pk identifier ssn"
    " mrn patientid personid recordid",
    NAMED_COORDINATE: "lon lat lng latitude longitude latlon latlong lonlat easting northing"
    " eastings northings coord coords coordinate coordinates xcoord ycoord lamx lamy lambx lamby"
    " geom geometry wkt geohash pluscode",
    NAMED_PERSON: "surname firstname lastname forename familyname fullname address addr street"
    " housenumber houseno postcode postalcode zipcode phone telephone email dob birthdate"
    " birthday",
})
_ALONE = _vocabularies({
    NAMED_ID: "key patient person case record nhs number no nr nhsnumber nhsno patientno"
    " patientnumber patientnr patientkey personno personnumber caseno casenumber casenr"
    " recordno recordnumber recordnr",
    NAMED_COORDINATE: "x y z long utm grid gridref east north",
    NAMED_PERSON: "name patientname personname zip plz mobile mail dateofbirth",
})
#: Beside x, y or z these make a coordinate: POINT_X, rd_y. An x_ray is none.
_AXES = frozenset("xyz")
_BESIDE_AXES = frozenset(
    "point utm rd gps centroid center centre geo pos map home epsg wgs".split()
)
#: Fewer values than this differ, or follow a coordinate, by accident.
_ENOUGH = 10
#: Share of different values from which on a column is an id, now and then written twice.
_DIFFERENT = 0.95
#: Share of a column's variance that a plane through the coordinates explains.
_EXPLAINED = 0.998


def identifying_reason(name: str, values: Sequence[object], xy: np.ndarray) -> str | None:
    """Say why an attribute looks like an id or a coordinate, or None if it does not.

    Parameters
    ----------
    name : str
        Name of the attribute.
    values : sequence of length n
        Its values; None for a missing one.
    xy : (n, 2) array
        Coordinates of the same records, in any system.

    Returns
    -------
    str or None
        One of the module's reason codes.
    """
    words = _words(name)
    whole = "".join(words)
    for reason, vocabulary in _ANYWHERE.items():
        if not vocabulary.isdisjoint([*words, whole]):
            return reason
    for reason, vocabulary in _ALONE.items():
        if whole in vocabulary:
            return reason
    if len(words) > 1 and not _AXES.isdisjoint(words) and _AXES | _BESIDE_AXES >= set(words):
        return NAMED_COORDINATE
    present = np.array([value is not None and value == value for value in values], dtype=bool)
    if np.count_nonzero(present) < _ENOUGH:
        return None
    there = [value for value, is_there in zip(values, present) if is_there]
    if not isinstance(there[0], float):
        if len(set(map(str, there))) >= _DIFFERENT * len(there):
            return ALL_DIFFERENT
    if _follows(there, xy[present]):
        return FOLLOWS_COORDINATE
    return None


def _words(name: str) -> list[str]:
    """The words of a field name, whatever the case: patientID, PATIENT_ID, x_coord2."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return re.findall(r"[a-z]+", spaced.lower())


def _follows(values: Sequence[object], xy: np.ndarray) -> bool:
    """Whether a plane through the coordinates gives the values: a turned copy of one does."""
    try:
        column = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    if column.ndim != 1 or not np.isfinite(column).all():
        return False
    column = column - column.mean()
    around = xy - xy.mean(axis=0)
    scale = np.abs(around).max() or 1.0
    spread = float(column @ column)
    if not spread:
        return False
    slope = np.linalg.lstsq(around / scale, column, rcond=None)[0]
    left = column - around / scale @ slope
    return bool(left @ left < (1 - _EXPLAINED) * spread)
