# SPDX-License-Identifier: GPL-2.0-or-later
"""The model that masks points, anonymises fields, and attacks both as one release."""

import numpy as np
import pytest
from qgis.core import QgsProcessingException

from geoanon_qgis import paths
from tests.processing.helpers import Feedback, coordinates, layer, opened, records, run

pytestmark = pytest.mark.usefixtures("project", "same_secrets")
MODEL = "maskanonymisereport"
COUNT = 200
FIELDS = "patient:int,age:int,sex:string,diabetes:string,income:double"
#: How far people live from their addresses at most, along either axis.
BESIDE = 2.0
ADDRESSES = np.unique(np.random.default_rng(3).uniform(0, 3000, (1000, 2)).round(1), axis=0)


@pytest.fixture
def people():
    rng = np.random.default_rng(1)
    rows = [
        (
            70_000 + at,
            int(rng.integers(18, 90)),
            str(rng.choice(["f", "m"])),
            str(rng.choice(["yes", "no"], p=[0.3, 0.7])),
            round(float(rng.lognormal(10, 0.4)), 1),
        )
        for at in range(COUNT)
    ]
    homes = ADDRESSES[rng.permutation(len(ADDRESSES))[:COUNT]]
    return layer(homes + rng.uniform(-BESIDE, BESIDE, (COUNT, 2)), fields=FIELDS, rows=rows)


def given(project, people, folder, **more):
    addresses = layer(ADDRESSES, name="addresses")
    project.addMapLayers([addresses, people], False)
    return {
        "POINTS": people,
        "CANDIDATES": addresses,
        "K": 6,
        "WITHIN": 2 * BESIDE,
        "FIELDS": ["age", "sex", "diabetes", "income"],
        "anonymise:ANONYMISED": str(folder / "release.gpkg"),
        "attack:POINTS_REPORT": str(folder / "points.html"),
        "risk:AT_RISK": "TEMPORARY_OUTPUT",
        "risk:RISK": "TEMPORARY_OUTPUT",
        "risk:REPORT": str(folder / "both.html"),
        **more,
    }


def test_points_and_fields_that_stay_are_found_together(project, people, tmp_path):
    more = {"KEPT_FIELDS": ["age", "diabetes"]}
    done = run(MODEL, given(project, people, tmp_path, **more))
    release = opened(done["anonymise:ANONYMISED"])
    assert {one.name() for one in release.fields()} - {"fid"} == {
        "released_id",
        "age",
        "sex",
        "diabetes",
        "income",
    }
    at = {tuple(one) for one in coordinates(release).round(1).tolist()}
    assert at <= {tuple(one) for one in ADDRESSES.tolist()}
    assert {row["released_id"] for row in records(release)} == {*range(1, COUNT + 1)}
    # Six addresses hide nobody whose age stands beside the point.
    both = (tmp_path / "both.html").read_text(encoding="utf-8")
    assert "where a person lives, and how points were masked" in both
    found = [row["why"] for row in records(done["risk:AT_RISK"])]
    assert sum("inference: diabetes" in why for why in found) > 0.4 * 0.3 * COUNT
    assert "Do not release this" in both
    assert done["risk:INFERENCE"] > 0.4
    assert "<svg" in (tmp_path / "points.html").read_text(encoding="utf-8")


def test_a_field_that_stays_must_be_released(project, people, tmp_path):
    feedback = Feedback()
    with pytest.raises(QgsProcessingException):
        run(MODEL, given(project, people, tmp_path, KEPT_FIELDS=["patient"]), feedback)
    assert "fields that are not released: patient. Add them to FIELDS" in feedback.said


def test_it_has_an_icon_of_its_own():
    assert paths.icon(MODEL).endswith("maskanonymisereport.svg")
