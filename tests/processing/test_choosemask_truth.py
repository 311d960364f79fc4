# SPDX-License-Identifier: GPL-2.0-or-later
"""What the choice of a mask says of people whom it is easy to overlook."""

import numpy as np
import pytest
from qgis.core import QgsProcessingFeatureSourceDefinition, QgsProject

from geoanon_qgis.core.attacks.masks.likelihood import by_law
from geoanon_qgis.core.attacks.masks.posterior import who_lives_there
from geoanon_qgis.core.experiments.masks.case import BOTH, PLACE, RECORD, Case
from geoanon_qgis.core.experiments.masks.smoothed import smoothly_believed
from geoanon_qgis.core.masking.laws import Gaussian
from tests.processing.helpers import layer, points, records, run

pytestmark = pytest.mark.usefixtures("project")


def test_behind_a_wide_law_everybody_of_four_thousand_is_asked_for():
    rng = np.random.default_rng(0)
    listed = np.concatenate([rng.uniform(0, 3000, (20_000, 2)), [[6000.0, 6000.0]]])
    home = np.append(np.sort(rng.choice(20_000, 4000, replace=False)), 20_000)
    case = Case(listed[home], home, listed, None, BOTH)
    moved = case.xy + rng.normal(0, 500, case.xy.shape)
    tops = smoothly_believed(case, moved, Gaussian(500.0), np.arange(4001))
    assert not np.isnan(tops[RECORD]).any() and tops[RECORD][-1] > 0.99


def test_a_heavy_address_farther_away_than_many_is_the_likeliest():
    rng = np.random.default_rng(2)
    listed, weight = rng.uniform(0, 6000, (12_000, 2)), np.ones(12_000)
    weight[rng.choice(12_000, 80, replace=False)] = 1000.0
    home = np.sort(rng.choice(12_000, 100, replace=False, p=weight / weight.sum()))
    case = Case(listed[home], home, listed, weight, (PLACE,))
    moved, law = case.xy + rng.normal(0, 420, case.xy.shape), Gaussian(420.0)
    tops = smoothly_believed(case, moved, law, np.arange(100))[PLACE]
    assert tops == pytest.approx(who_lives_there(by_law(moved, listed, law), weight).top, rel=0.1)


def test_every_record_of_a_place_counts_for_what_he_knows():
    listed = points(4000, seed=3, size=6000).round(2)
    xy = np.repeat(listed[np.random.default_rng(4).permutation(4000)[:400]], 2, axis=0)
    rows = [(row, f"rare{row}" if row % 2 else "common") for row in range(800)]
    done = run(
        "choosemask",
        {
            "INPUT": layer(xy, fields="person:int,dx:string", rows=rows, name="registry"),
            "CANDIDATES": layer(listed, name="addresses"),
            "ACCEPTABLE": 0.3,
            "KNOWN": ["dx"],
            "FAMILIES": ["groups"],
            "SEED": 5,
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert done["DECISION"] == "do_not_release" and done["BEST"] == ""


def test_a_run_with_the_same_numbers_in_feet_begins_anew(tmp_path):
    listed = points(1200, seed=3, size=3000).round(2)
    sizes = []
    for crs in ("EPSG:27700", "EPSG:2263"):
        given = {
            "INPUT": layer(listed[:120], crs=crs, name="registry"),
            "CANDIDATES": layer(listed, crs=crs, name="addresses"),
            "ACCEPTABLE": 0.2,
            "FAMILIES": ["gaussian"],
            "ADVERSARY": "whose_place",
            "LIMIT_ON": "mean",
            "RESUME": str(tmp_path / "run.jsonl"),
            "OUTPUT": "TEMPORARY_OUTPUT",
        }
        sizes.append(records(run("choosemask", given)["OUTPUT"])[0]["size"])
    assert sizes[1] < 0.5 * sizes[0]


def choice(listed, xy, **more):
    ones = [(1,) for _ in listed]
    given = {
        "INPUT": None if xy is None else layer(xy, name="registry"),
        "CANDIDATES": layer(listed, fields="likely:int", rows=ones, name="addresses"),
        "ACCEPTABLE": 0.3,
        "FAMILIES": ["groups"],
        "SEED": 5,
        "OUTPUT": "TEMPORARY_OUTPUT",
    }
    return run("choosemask", {**given, **more})


def test_homes_that_the_list_lacks_leave_the_verdict_open():
    listed = points(600, seed=3, size=3000).round(2)
    known = listed[::5]
    farms = points(40, seed=8, size=20_000).round(2) + 10_000
    cells = {"FAMILIES": ["cells"]}
    # Groups hold whatever is believed of addresses; cells as far as was asked for.
    for more, untold in (
        ({}, False),
        (cells, True),
        ({**cells, "WEIGHT": "likely"}, False),
        ({**cells, "PRIOR_ODDS": 3}, False),
    ):
        done = choice(listed, known, **more)
        assert done["DECISION"] == "release_with_care"
        assert ("closer together" in done.feedback.said) is untold
    open_ = choice(listed, np.concatenate([known, farms]))
    assert open_["DECISION"] == "cannot_tell"
    # What nobody can tell is not recommended: the nearest is named, and what is lacking.
    assert open_["BEST"] == "" and "BEST_SHIFT" not in open_.results and open_["HELD"] == 0
    row = records(open_["OUTPUT"])[0]
    assert row["recommended"] == 0 and row["state"] == "open" and row["record_worst"] <= 0.3
    said = " ".join(open_.feedback.warnings)
    assert "groups of records" in said and "nobody can tell" in said and "WITHIN" in said


def test_places_with_several_records_where_weights_are_known_leave_it_open():
    listed = points(600, seed=3, size=3000).round(2)
    houses = np.concatenate([listed, np.repeat(listed[:10], 5, axis=0)])
    xy = np.concatenate([listed[::5], np.repeat(listed[:10], 4, axis=0)])
    open_ = choice(houses, xy)
    assert open_["DECISION"] == "cannot_tell" and open_["BEST"] == ""
    said = " ".join(open_.feedback.warnings)
    assert "one record for each home" in said
    # Ten homes; every fifth place is in the file besides.
    assert "10 homes have several records" in said and "feature ids" in said
    # Who has no weights cannot tell a house with many from another.
    assert choice(listed, xy)["DECISION"] == "release_with_care"


def test_a_command_that_takes_more_than_was_judged_is_told_of():
    listed = points(600, seed=3, size=3000).round(2)
    registry = layer(listed[::5], name="registry")
    QgsProject.instance().addMapLayer(registry)
    registry.selectByIds(list(registry.allFeatureIds())[:80])
    some = QgsProcessingFeatureSourceDefinition(registry.id(), selectedFeaturesOnly=True)
    assert "takes all of “registry”" in " ".join(choice(listed, None, INPUT=some).feedback.warnings)
    whole = choice(listed, None, INPUT=registry)
    assert not any("takes all of" in one for one in whole.feedback.warnings)
