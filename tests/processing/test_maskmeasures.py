# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:maskmeasures in QGIS."""

import json
from pathlib import Path

import numpy as np
import pytest
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransform
from scipy.spatial.distance import cdist

from geoanon_qgis.core.measures.kde import compare_densities
from geoanon_qgis.core.measures.ripley import ripley_k
from geoanon_qgis.core.measures.scan import kept, scan
from geoanon_qgis.core.measures.scan_circles import at_risk, circles
from geoanon_qgis.core.measures.window import Window
from tests.processing.concluding import page_of
from tests.processing.helpers import (
    DEGREES,
    GRID,
    coordinates,
    layer,
    points,
    records,
    refusal,
    run,
)
from tests.processing.kept_masks import people

pytestmark = pytest.mark.usefixtures("project", "same_secrets")
ADDRESSES = points(1200, seed=3, size=3000).round(2)
#: Most of them within a circle, so that there is a cluster to find.
NEAR = np.flatnonzero(np.hypot(*(ADDRESSES - (400_300.0, 300_200.0)).T) < 400)
_RNG = np.random.default_rng(4)
PLACES = ADDRESSES[
    np.unique(np.concatenate([_RNG.choice(NEAR, 40, False), _RNG.choice(1200, 50, False)]))
]
SQUARES = [
    f"POLYGON (({x} {y},{x + 1000} {y},{x + 1000} {y + 1000},{x} {y + 1000},{x} {y}))"
    for x in (398_500, 399_500, 400_500)
    for y in (298_500, 299_500, 300_500)
]


@pytest.fixture
def listed():
    return layer(ADDRESSES, name="addresses")


@pytest.fixture
def originals():
    return people(PLACES, np.arange(len(PLACES)))


def masked(folder, source, **more):
    given = {
        "INPUT": source,
        "ID_FIELD": "person",
        "MAX": 60.0,
        "OUTPUT": str(folder / "masked.gpkg"),
        "KEY": str(folder / "key.csv"),
        "MASK": str(folder / "mask.json"),
        **more,
    }
    return run("maskdisplace", given)


def parameters(made, originals, **more):
    given = {
        "ORIGINAL": originals,
        "RELEASED": made["OUTPUT"],
        "KEY": made["KEY"],
        "OUTPUT": "TEMPORARY_OUTPUT",
        "DRAWS": 19,
        "SEED": 1,
        **more,
    }
    return {name: value for name, value in given.items() if value is not None}


def measured(made, originals, **more):
    return run("maskmeasures", parameters(made, originals, **more))


def by_name(done):
    return {row["measure"]: row for row in records(done["OUTPUT"])}


def pairs(made):
    """Original and released places of each record, by the key."""
    key = {int(row["masked_id"]): int(row["original_id"]) - 1000 for row in records(made["KEY"])}
    of = [key[row["masked_id"]] for row in records(made["OUTPUT"])]
    return PLACES[of], coordinates(made["OUTPUT"])


def test_measures_of_risk_are_those_of_every_pair(tmp_path, originals, listed):
    made = masked(tmp_path, originals)
    wide = "POLYGON ((398000 298000,402000 298000,402000 302000,398000 302000,398000 298000))"
    areas = layer([wide], kind="Polygon", fields="people:int", rows=[(16 * 900,)])
    more = {"POPULATION": areas, "POPULATION_FIELD": "people"}
    done = measured(made, originals, CANDIDATES=listed, **more)
    before, after = pairs(made)
    away = np.hypot(*(after - before).T)
    near = cdist(after, ADDRESSES) <= away[:, None] * (1 + 1e-9)
    assert done["PAIRS"] == len(PLACES) and done["WITHHELD"] == 0
    assert done["MEDIAN_SHIFT"] == pytest.approx(np.median(away))
    assert done["ACTUAL_K"] == np.median(near.sum(axis=1))
    both = cdist(before, after) <= away[:, None] * (1 + 1e-9)
    assert done["K_ORIGINAL"] == np.median(both.sum(axis=1))
    nearest = cdist(after, before).argmin(axis=1) == np.arange(len(before))
    assert done["SPRUILL"] == pytest.approx(nearest.mean())
    inside = np.median(np.pi * away**2 * 900 / 1e6)
    assert done["ESTIMATED_K"] == pytest.approx(inside, rel=1e-3)
    rows = by_name(done)
    assert rows["actual_k"]["value"] == done["ACTUAL_K"]
    assert "who lives there" in rows["actual_k"]["speaks_of"]
    assert "which record is hers" in rows["k_original"]["speaks_of"]
    assert {row["kind"] for row in rows.values()} == {"risk", "utility"}


def test_the_scan_is_that_of_the_engine_and_its_circles_are_a_layer(tmp_path, originals, listed):
    made = masked(tmp_path, originals)
    done = measured(made, originals, CONTROLS=listed, CLUSTERS=str(tmp_path / "c.gpkg"))
    sites = at_risk(ADDRESSES)
    look_at = circles(sites, 0.5)
    before, after = (scan(look_at, sites.count(xy)) for xy in (PLACES, coordinates(made["OUTPUT"])))
    assert done["LLR_BEFORE"] == pytest.approx(before.llr, rel=1e-6)
    assert done["LLR_AFTER"] == pytest.approx(after.llr, rel=1e-6)
    assert done["JACCARD"] == pytest.approx(kept(look_at, before, after).jaccard)
    assert done["P_BEFORE"] == done["P_AFTER"] == 0.05
    found = [row for row in records(done["CLUSTERS"]) if row["number"] == 1]
    assert [row["kind"] for row in found] == ["original", "release"]
    assert found[0]["llr"] == pytest.approx(before.llr, rel=1e-6)
    assert found[0]["relative_risk"] > 2


def test_the_scan_takes_people_of_areas_where_nothing_else_is_given(tmp_path, originals):
    made = masked(tmp_path, originals)
    lived = [10, 20, 30, 40, 50, 60, 70, 80, 90]
    squares = layer(SQUARES, kind="Polygon", fields="people:int", rows=[(one,) for one in lived])
    more = {"POPULATION": squares, "POPULATION_FIELD": "people", "DRAWS": 0}
    done = measured(made, originals, **more)
    middles = np.array([(x, y) for x in (399, 400, 401) for y in (299, 300, 301)]) * 1000.0
    look_at = circles(at_risk(middles, np.array(lived)))
    for name, xy in (("LLR_BEFORE", PLACES), ("LLR_AFTER", coordinates(made["OUTPUT"]))):
        cells = np.clip(np.floor((xy - (398_500, 298_500)) / 1000), 0, 2).astype(int)
        counted = np.bincount(cells[:, 0] * 3 + cells[:, 1], minlength=9)
        assert done[name] == pytest.approx(scan(look_at, counted).llr, rel=1e-6)


def test_what_cannot_be_scanned_leaves_the_other_measures(tmp_path, originals):
    made = masked(tmp_path, originals)
    crowd = layer(ADDRESSES[:3], fields="lived:int", rows=[(50,), (60,), (0,)])
    more = {"CONTROLS": crowd, "CONTROLS_WEIGHT": "lived", "SHARE": 0.1}
    done = measured(made, originals, **more)
    assert "too many people live at one place" in done.feedback.said
    assert "JACCARD" not in done and done["PAIRS"] == len(PLACES)


def test_a_mask_that_used_population_areas_is_attacked_with_them(tmp_path, originals, listed):
    squares = layer(SQUARES, kind="Polygon", fields="people:int", rows=[(400,)] * len(SQUARES))
    more = {"POPULATION": squares, "POPULATION_FIELD": "people"}
    made = masked(tmp_path, originals, SIZE_BY="population", K_MAX=30, **more)
    done = measured(made, originals, CANDIDATES=listed, MASK=made["MASK"], **more)
    assert done["IDENTIFIED"] > 0 and done["DECISION"] != "not_tested"
    given = parameters(made, originals, CANDIDATES=listed, MASK=made["MASK"])
    assert "The mask used POPULATION" in refusal("maskmeasures", given)


def test_without_an_attack_nothing_is_judged(tmp_path, originals, listed):
    made = masked(tmp_path, originals)
    done = measured(made, originals, CANDIDATES=listed, REPORT=str(tmp_path / "r.html"))
    assert done["DECISION"] == "not_tested" and "IDENTIFIED" not in done
    page = page_of(tmp_path / "r.html")
    assert "Measures of risk are no attack" in page and "geoanon:attackmask" in page
    assert "No attack was run" in page


def test_with_the_mask_file_the_attack_stands_beside_and_judges(tmp_path, originals, listed):
    made = masked(tmp_path, originals)
    done = measured(made, originals, CANDIDATES=listed, MASK=made["MASK"])
    attack = run(
        "attackmask",
        {
            "INPUT": made["OUTPUT"],
            "MASK": made["MASK"],
            "KEY": made["KEY"],
            "CANDIDATES": listed,
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert done["EFFECTIVE_K"] == attack["EFFECTIVE_K"]
    assert done["IDENTIFIED"] == pytest.approx(attack["IDENTIFIED"])
    for name in ("DECISION", "RISK_LOW", "RISK_HIGH"):
        assert done[name] == attack[name]
    rows = by_name(done)
    assert rows["effective_k_place"]["kind"] == "attack"
    assert rows["worst_record"]["value"] == pytest.approx(100 * attack["RECORDS_WORST"])
    # Layers for measures that the mask did without are none of the attack's.
    squares = layer(SQUARES, kind="Polygon", fields="people:int", rows=[(9,)] * len(SQUARES))
    more = {"POPULATION": squares, "POPULATION_FIELD": "people", "ZONES": squares}
    again = measured(made, originals, CANDIDATES=listed, MASK=made["MASK"], **more)
    assert again["IDENTIFIED"] == pytest.approx(attack["IDENTIFIED"])


def test_the_same_in_degrees_and_by_ids(tmp_path, originals, listed, project):
    made = masked(tmp_path, originals)
    plain = measured(made, originals, CANDIDATES=listed)
    before, after = pairs(made)
    one = layer(before, fields="id:int", rows=[(i,) for i in range(len(before))])
    other = layer(after[::-1], fields="id:int", rows=[(i,) for i in range(len(after))[::-1]])
    more = {"KEY": None, "RELEASED": other, "ORIGINAL_ID": "id", "RELEASED_ID": "id"}
    by_id = measured(made, one, CANDIDATES=listed, **more)
    names = ("PAIRS", "ACTUAL_K", "K_ORIGINAL", "SPRUILL", "MEDIAN_SHIFT", "LLR_AFTER", "L_RMSE")
    for name in names:
        assert by_id[name] == pytest.approx(plain[name]), name
    change = QgsCoordinateTransform(*map(QgsCoordinateReferenceSystem, (GRID, DEGREES)), project)
    lonlat = [
        layer(
            [change.transform(*place) for place in xy.tolist()],
            DEGREES,
            fields="id:int",
            rows=[(i,) for i in range(len(xy))],
        )
        for xy in (before, after)
    ]
    more = {"KEY": None, "RELEASED": lonlat[1], "ORIGINAL_ID": "id", "RELEASED_ID": "id"}
    in_degrees = measured(made, lonlat[0], CANDIDATES=listed, **more)
    for name in names:
        assert in_degrees[name] == pytest.approx(plain[name], rel=0.01), name


def test_a_fixed_radius_is_told_to_be_none_by_the_method_related_measure(tmp_path, listed):
    angle = np.random.default_rng(1).uniform(0, 2 * np.pi, len(PLACES))
    moved = PLACES + 200.0 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    rows = [(i,) for i in range(len(PLACES))]
    one, other = (layer(xy, fields="id:int", rows=rows) for xy in (PLACES, moved))
    given = {"ORIGINAL": one, "RELEASED": other, "ORIGINAL_ID": "id", "RELEASED_ID": "id"}
    done = run(
        "maskmeasures",
        {**given, "CANDIDATES": listed, "DRAWS": 0, "OUTPUT": "TEMPORARY_OUTPUT"},
    )
    rows = by_name(done)
    assert done["ACTUAL_K"] > 10 and rows["actual_k_method"]["value"] == 1
    assert "P_BEFORE" not in done


def test_withheld_and_unmoved_records_are_told(tmp_path, originals, listed):
    made = masked(tmp_path, originals)
    before, after = pairs(made)
    after = after.copy()
    after[0] = before[0]
    one = layer(before, fields="id:int", rows=[(i,) for i in range(len(before))])
    other = layer(after[:-3], fields="id:int", rows=[(i,) for i in range(len(after) - 3)])
    given = {"KEY": None, "RELEASED": other, "ORIGINAL_ID": "id", "RELEASED_ID": "id"}
    done = measured(made, one, **given)
    assert done["WITHHELD"] == 3 and "JACCARD" not in done
    assert "1 point was not moved at all" in done.feedback.said and done["UNMOVED"] == 1


def test_the_pattern_is_that_of_the_engine(tmp_path, originals):
    made = masked(tmp_path, originals)
    squares = layer(SQUARES, kind="Polygon")
    done = measured(made, originals, AREA=squares, SIMULATIONS=0)
    after = coordinates(made["OUTPUT"])
    assert done["CENTRE_DRIFT"] == pytest.approx(np.hypot(*(after.mean(0) - PLACES.mean(0))))
    window = Window.of(shapely.from_wkt(SQUARES))
    one = ripley_k(PLACES, window, np.random.default_rng(1))
    other = ripley_k(after, window, np.random.default_rng(1), one.radii)
    assert done["L_RMSE"] == pytest.approx(np.sqrt(((one.l - other.l) ** 2).mean()))
    assert 0 < done["NEAREST_KS"] < 1
    row = by_name(done)["standard_distance"]
    assert row["original"] == pytest.approx(np.sqrt(PLACES.var(axis=0).sum()))


def test_densities_and_morans_i_are_those_of_the_engine(tmp_path, originals):
    made = masked(tmp_path, originals)
    squares = layer(SQUARES, kind="Polygon")
    page = str(tmp_path / "r.html")
    done = measured(made, originals, AREA=squares, ZONES=squares, REPORT=page)
    before, after = pairs(made)
    window = Window.of(shapely.from_wkt(SQUARES))
    kept = compare_densities(PLACES, coordinates(made["OUTPUT"]), window=window)
    assert done["KDE_OVERLAP"] == pytest.approx(kept.overlap)
    counts = [
        np.histogram2d(*(xy - (398_500, 298_500)).T, bins=3, range=[[0, 3000]] * 2)[0].ravel()
        for xy in (before, after)
    ]
    z = [one - one.mean() for one in counts]
    side = np.abs(np.subtract.outer(np.arange(9) // 3, np.arange(9) // 3))
    side = np.maximum(side, np.abs(np.subtract.outer(np.arange(9) % 3, np.arange(9) % 3)))
    weights = (side == 1) / (side == 1).sum(axis=1, keepdims=True)
    wanted = [(one @ weights @ one) / (one @ one) for one in z]
    assert [done["MORANS_I_BEFORE"], done["MORANS_I_AFTER"]] == pytest.approx(wanted)
    told = Path(page).read_text(encoding="utf-8")
    assert told.count("data:image/png") >= 3 and "on the same scale" in told


def test_each_record_by_services_zones_and_where_people_live(tmp_path, originals):
    made = masked(tmp_path, originals)
    squares = layer(SQUARES, kind="Polygon", fields="people:int", rows=[(0,), *[(5,)] * 8])
    services = ADDRESSES[::100]
    more = {"ZONES": squares, "POPULATION": squares, "POPULATION_FIELD": "people"}
    done = measured(made, originals, SERVICES=layer(services), **more)
    before, after = pairs(made)
    gap = cdist(after, services).min(axis=1) - cdist(before, services).min(axis=1)
    assert done["SERVICE_ERROR"] == pytest.approx(np.median(np.abs(gap)))
    zone = [np.floor((xy - (398_500, 298_500)) / 1000) for xy in (before, after)]
    assert done["ZONES_KEPT"] == pytest.approx((zone[0] == zone[1]).all(axis=1).mean())
    off = ((zone[1] < 0) | (zone[1] > 2)).any(axis=1) | (zone[1] == 0).all(axis=1)
    assert done["OUTSIDE"] == pytest.approx(off.mean())
    assert -0.1 < done["RAND"] < 1
    rows = by_name(done)
    assert rows["service_distance"]["original"] == pytest.approx(
        np.median(cdist(before, services).min(axis=1))
    )


def test_points_on_a_line_have_no_window(tmp_path):
    line = np.stack([400_000 + 10.0 * np.arange(30), np.full(30, 300_000.0)], axis=1)
    rows = [(i,) for i in range(30)]
    one, other = (layer(xy, fields="id:int", rows=rows) for xy in (line, line + 3.0))
    given = {"ORIGINAL": one, "RELEASED": other, "ORIGINAL_ID": "id", "RELEASED_ID": "id"}
    done = run("maskmeasures", {**given, "OUTPUT": "TEMPORARY_OUTPUT"})
    assert "Give the area that they come from" in done.feedback.said and "L_RMSE" not in done


def test_a_key_without_places_says_what_it_leaves_open(tmp_path, originals):
    made = masked(tmp_path, originals, ID_FIELD=None)
    rows = [(int(row["masked_id"]), int(row["original_id"])) for row in records(made["KEY"])]
    bare = layer([None] * len(rows), "", "NoGeometry", "masked_id:int,original_id:int", rows)
    done = measured(made, originals, KEY=bare)
    assert done["PAIRS"] == len(PLACES) and "The key has no places" in done.feedback.said


def test_the_json_holds_the_table(tmp_path, originals, listed):
    made = masked(tmp_path, originals)
    done = measured(made, originals, CANDIDATES=listed, JSON=str(tmp_path / "r.json"))
    told = json.loads(Path(tmp_path / "r.json").read_text(encoding="utf-8"))
    text = json.dumps(told)
    assert all(f'"{name}"' in text for name in by_name(done))
    assert f'"{done["PAIRS"]:.0f}"' in text or str(int(done["PAIRS"])) in text


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"KEY": None}, "The order of the rows means nothing"),
        ({"MASK": "mask.json"}, "needs an address list"),
        ({"POPULATION": "squares"}, "POPULATION_FIELD"),
        ({"POPULATION": "squares", "POPULATION_FIELD": "none"}, "nobody lives"),
        ({"SIMULATIONS": 20}, "too few for an envelope"),
        ({"ACCEPTABLE": 0}, "at 0 nothing can be released"),
    ],
)
def test_what_does_not_go_together_is_said(more, words, tmp_path, originals):
    made = masked(tmp_path, originals)
    squares = layer(SQUARES, kind="Polygon", fields="none:int", rows=[(0,)] * len(SQUARES))
    given = {"squares": squares, "mask.json": made["MASK"]}
    more = {name: given.get(value, value) for name, value in more.items()}
    assert words in refusal("maskmeasures", parameters(made, originals, **more))


def test_a_layer_is_not_measured_against_itself_or_a_foreign_key(tmp_path, originals, listed):
    made = masked(tmp_path, originals)
    assert "original itself" in refusal(
        "maskmeasures", parameters(made, originals, RELEASED=originals)
    )
    twice = layer(PLACES, fields="id:int", rows=[(1,)] * len(PLACES))
    given = parameters(made, twice, KEY=None, ORIGINAL_ID="id", RELEASED_ID="masked_id")
    assert "an id is there twice" in refusal("maskmeasures", given)
    water = layer([SQUARES[0]], kind="Polygon")
    made = masked(tmp_path, originals, AVOID=water, MASK=str(tmp_path / "other.json"))
    given = parameters(made, originals, CANDIDATES=listed, MASK=made["MASK"])
    assert "The mask used AVOID" in refusal("maskmeasures", given)
