# SPDX-License-Identifier: GPL-2.0-or-later
"""Which attributes give a record away, and which do not."""

from __future__ import annotations

import datetime

import numpy as np
import pytest

from geoanon_qgis.core.identifying import (
    ALL_DIFFERENT,
    FOLLOWS_COORDINATE,
    NAMED_COORDINATE,
    NAMED_ID,
    NAMED_PERSON,
    identifying_reason,
)

NUMBER = 60
XY = np.random.default_rng(4).uniform(0, 1000, (NUMBER, 2))
#: Values that say nothing: few, and often the same.
DULL = ["a", "b", "c"] * (NUMBER // 3)


@pytest.mark.parametrize(
    "name",
    """id ID fid FID gid ogc_fid OGC_FID objectid OBJECTID OBJECTID_1 objectId patient_id patient
    Patient case_no caseNumber key
    patientID PatientId PATIENTID PID uuid guid record_id osm_id nhs_number ssn bag_id row_id
    person_id""".split(),
)
def test_names_of_ids(name):
    assert identifying_reason(name, DULL, XY) == NAMED_ID


@pytest.mark.parametrize(
    "name",
    """x X y Y lon lat LON Lat lng latitude longitude Longitude LATITUDE1 x_coord x_coord2 xcoord
    XCoord y_28992 POINT_X easting Northing eastings coordinates geom geometry wkt WKT geohash
    utm_x gps_lat latlon lonlat lamx
    lamby long x1""".split(),
)
def test_names_of_coordinates(name):
    assert identifying_reason(name, DULL, XY) == NAMED_COORDINATE


@pytest.mark.parametrize(
    "name",
    """name Name NAME surname first_name lastName address addr:street addr_housenumber street
    postcode post_code POSTCODE zip ZIPCODE zip_code phone email e_mail postal_code full_name
    house_number house_no telephone dob date_of_birth birthdate patient_name""".split(),
)
def test_names_of_what_tells_a_person(name):
    assert identifying_reason(name, DULL, XY) == NAMED_PERSON


@pytest.mark.parametrize(
    "name",
    """count age sex gender deaths valid video width idea kidney void band lattice
    latent longevity along explosion xylem status date year income unemployed consumption
    diagnosis category covid paid fluid pidgin zipper renamed unnamed username2019 exam yield
    lazy mailed graded ethnicity smoker weight height bmi cases population
    patient_age patientSex nhs_region long_covid long_term_illness x_ray disease_name species_name
    key_worker mobile_home person_count case_mix number_of_rooms""".split(),
)
def test_everyday_names_say_nothing(name):
    assert identifying_reason(name, DULL, XY) is None


def test_texts_and_integers_that_are_all_different_are_ids():
    assert identifying_reason("code", [f"A{i}" for i in range(NUMBER)], XY) == ALL_DIFFERENT
    assert identifying_reason("code", list(range(NUMBER)), XY) == ALL_DIFFERENT
    twice = [*range(NUMBER - 1), 0]
    assert identifying_reason("code", twice, XY) == ALL_DIFFERENT
    days = [datetime.date(2020, 1, 1) + datetime.timedelta(i) for i in range(NUMBER)]
    assert identifying_reason("admitted", days, XY) == ALL_DIFFERENT


def test_missing_values_do_not_hide_an_id():
    values = [f"A{i}" for i in range(NUMBER)]
    values[::3] = [None] * len(values[::3])
    assert identifying_reason("code", values, XY) == ALL_DIFFERENT


def test_measured_values_may_all_differ():
    values = np.random.default_rng(1).normal(size=NUMBER).tolist()
    assert identifying_reason("consumption", values, XY) is None


def test_few_values_differ_by_accident():
    assert identifying_reason("code", list("abc"), XY[:3]) is None
    assert identifying_reason("consumption", [3.5, 4.5], XY[:2]) is None
    assert identifying_reason("consumption", [], XY[:0]) is None


@pytest.mark.parametrize(
    "disguise",
    [
        lambda xy: xy[:, 0],
        lambda xy: xy[:, 1],
        lambda xy: -xy[:, 0],
        lambda xy: xy[:, 0] * 0.3048 + 5e6,
        lambda xy: np.round(xy[:, 1], -1),
    ],
    ids=["x", "y", "mirrored", "feet", "rounded"],
)
def test_columns_that_follow_a_coordinate(disguise):
    values = disguise(XY).tolist()
    assert identifying_reason("size", values, XY) == FOLLOWS_COORDINATE


def test_coordinates_of_another_grid_are_seen_through():
    """A national grid is turned by a few degrees against another."""
    turn = np.radians(6.0)
    values = (XY @ [np.cos(turn), np.sin(turn)]).tolist()
    assert identifying_reason("size", values, XY) == FOLLOWS_COORDINATE


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_missing_value_does_not_hide_a_coordinate(missing):
    values = XY[:, 0].tolist()
    values[5] = missing
    assert identifying_reason("size", values, XY) == FOLLOWS_COORDINATE


def test_coordinates_written_as_text_are_seen():
    values = [f"{x:.0f}" for x in XY[:, 0]]
    values[0] = values[1]  # not all different
    xy = XY.copy()
    xy[0, 0] = xy[1, 0]
    assert identifying_reason("size", values, xy) in (FOLLOWS_COORDINATE, ALL_DIFFERENT)


@pytest.mark.parametrize(
    "values",
    [
        [1.0] * NUMBER,
        [None] * NUMBER,
        [True, False] * (NUMBER // 2),
        [float("nan")] * NUMBER,
        [float("inf"), 1.0] * (NUMBER // 2),
        ["1", "two"] * (NUMBER // 2),
        [[1, 2]] * NUMBER,
    ],
    ids=["constant", "missing", "bool", "nan", "inf", "mixed", "lists"],
)
def test_odd_columns_are_no_trouble(values):
    assert identifying_reason("size", values, XY) is None


def test_points_on_one_meridian_are_no_trouble():
    xy = np.column_stack([np.zeros(NUMBER), np.arange(NUMBER)])
    values = np.random.default_rng(1).normal(size=NUMBER).tolist()
    assert identifying_reason("size", values, xy) is None
    assert identifying_reason("size", xy[:, 1].tolist(), xy) == FOLLOWS_COORDINATE
