# SPDX-License-Identifier: GPL-2.0-or-later
"""Home and work of one person, linked by an id, in geoanon:attackmask."""

import numpy as np
import pytest

from geoanon_qgis.core.attacks.masks.likelihood import Likelihood
from geoanon_qgis.core.attacks.masks.several import through_people
from tests.processing.helpers import layer, points, refusal, run

pytestmark = pytest.mark.usefixtures("project", "same_secrets")
HOMES = points(1500, seed=3, size=3000).round(2)
SITES = points(120, seed=5, size=3000).round(2)
WORK = np.random.default_rng(6).integers(0, len(SITES), len(HOMES))
WHO = np.random.default_rng(4).permutation(len(HOMES))[:150]
_FIELDS = "person:int"


def test_a_second_place_is_weighed_through_the_people():
    rng = np.random.default_rng(1)
    dense = rng.random((5, 4)) * (rng.random((5, 4)) < 0.7)
    point, second = np.nonzero(dense)
    one = Likelihood.of_pairs(5, 4, point, second, dense[point, second])
    home, own = rng.integers(0, 3, 20), rng.integers(1, 4, 20).astype(float)
    place = rng.integers(0, 4, 20)
    of_home = np.bincount(home, own, 3)
    has = np.arange(20) < 16  # the others have none
    found = through_people(one, home[has], place[has], own[has], of_home)
    wanted = np.zeros((5, 3))
    for h, w, weight in zip(home[has], place[has], own[has]):
        wanted[:, h] += dense[:, w] * weight / of_home[h]
    made = np.zeros((5, 3))
    made[found.point, found.candidate] = found.value
    assert np.allclose(made, wanted)


def released(folder, xy, name, sigma):
    folder = folder / name
    folder.mkdir()
    return run(
        "maskdisplace",
        {
            "INPUT": layer(xy, fields=_FIELDS, rows=[(int(one),) for one in WHO], name=name),
            "ID_FIELD": "person",
            "LAW": "gaussian",
            "MAX": sigma,
            "OUTPUT": str(folder / "masked.gpkg"),
            "KEY": str(folder / "key.csv"),
            "MASK": str(folder / "mask.json"),
        },
    )


def given(folder):
    home, work = (
        released(folder, HOMES[WHO], "home", 200.0),
        released(folder, SITES[WORK[WHO]], "work", 200.0),
    )
    ids = [(row,) for row in range(len(HOMES))]
    alone = {
        "INPUT": home["OUTPUT"],
        "MASK": home["MASK"],
        "KEY": home["KEY"],
        "CANDIDATES": layer(HOMES, fields=_FIELDS, rows=ids, name="people"),
        "OUTPUT": "TEMPORARY_OUTPUT",
    }
    pair = {
        "FURTHER_RELEASES": [work["OUTPUT"]],
        "FURTHER_MASKS": [work["MASK"]],
        "FURTHER_KEYS": [work["KEY"]],
        "SECOND_PLACES": layer(SITES[WORK], fields=_FIELDS, rows=ids, name="work places"),
        "SECOND_ID": "person",
        "PERSON_ID": "person",
    }
    return alone, {**alone, **pair}


def test_home_and_work_tell_more_than_home_and_he_is_right_as_often_as_he_believes(tmp_path):
    alone, both = given(tmp_path)
    one, pair = run("attackmask", alone), run("attackmask", both)
    assert one["IDENTIFIED"] < 15 and pair["IDENTIFIED"] > 3 * max(one["IDENTIFIED"], 3)
    for share in ("", "RECORDS_"):
        believed, right = pair[f"{share}MEAN_TOP"], pair[f"{share}IDENTIFIED"] / 150
        assert right == pytest.approx(believed, abs=0.1)
    assert pair["RECORDS_IDENTIFIED"] > one["RECORDS_IDENTIFIED"]
    assert "need the fields" in refusal("attackmask", {**both, "SECOND_ID": None})
    other = layer(SITES[WORK], fields=_FIELDS, rows=[(9000 + row,) for row in range(1500)])
    assert "has a second place" in refusal("attackmask", {**both, "SECOND_PLACES": other})
    # Taken for releases of one place, they contradict each other, and the log says what is lacking.
    taken = run("attackmask", {k: v for k, v in both.items() if not k.startswith(("SEC", "PERS"))})
    assert any("these take SECOND_PLACES" in one for one in taken.feedback.warnings)
    assert not any("SECOND_PLACES" in one for one in pair.feedback.warnings)
