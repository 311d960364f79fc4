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

_ID_WORDS = frozenset(
    "id ids fid gid oid uid pid uuid guid objectid featureid ogc rowid pk key identifier"
    " ssn nhs mrn patient patientid personid recordid".split()
)
_COORDINATE_WORDS = frozenset(
    "x y z lon lat long lng latitude longitude easting northing eastings northings coord coords"
    " coordinate coordinates xcoord ycoord geom geometry wkt geohash pluscode grid utm".split()
)
_PERSON_WORDS = frozenset(
    "name surname firstname lastname forename familyname address addr street housenumber"
    " postcode postalcode zip zipcode plz phone telephone mobile email mail".split()
)
#: Fewer values than this differ by accident.
_ENOUGH = 10
#: A column this closely tied to a coordinate is one.
_CORRELATION = 0.999


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
    for vocabulary, reason in (
        (_ID_WORDS, NAMED_ID),
        (_COORDINATE_WORDS, NAMED_COORDINATE),
        (_PERSON_WORDS, NAMED_PERSON),
    ):
        if words & vocabulary:
            return reason
    present = [value for value in values if value is not None]
    if len(present) < _ENOUGH:
        return None
    if not isinstance(present[0], float) and len(set(map(str, present))) == len(present):
        return ALL_DIFFERENT
    if len(present) == len(xy) and _follows(present, xy):
        return FOLLOWS_COORDINATE
    return None


def _words(name: str) -> set[str]:
    """The words of a field name, whatever the case: patientID, PATIENT_ID, x_coord2."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    words = re.findall(r"[a-z]+", spaced.lower())
    return {*words, "".join(words)}


def _follows(values: Sequence[object], xy: np.ndarray) -> bool:
    try:
        column = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    spread = np.column_stack([column, xy])
    if not np.isfinite(spread).all():
        return False
    spread = spread - spread.mean(axis=0)
    norm = np.sqrt((spread**2).sum(axis=0))
    if not norm[0]:
        return False
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation = np.abs(spread[:, 0] @ spread[:, 1:]) / (norm[0] * norm[1:])
    return bool((np.nan_to_num(correlation) > _CORRELATION).any())
