# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:reversevoronoi in QGIS."""

import json
import sys

import numpy as np
import pytest
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsPointXY,
    QgsProcessingException,
    QgsProcessingFeatureSourceDefinition,
    QgsProject,
)

from tests.processing.helpers import (
    DECIDED,
    DEGREES,
    GRID,
    Feedback,
    coordinates,
    ends,
    layer,
    leftovers,
    points,
    records,
    refusal,
    run,
    saved,
)

pytestmark = pytest.mark.usefixtures("project")


def mask(source, **more):
    return run(
        "voronoimask",
        {"INPUT": source, "OUTPUT": "TEMPORARY_OUTPUT", "KEY": "TEMPORARY_OUTPUT", **more},
    )


def attack(masked, candidates, **more):
    return run(
        "reversevoronoi",
        {"INPUT": masked, "CANDIDATES": candidates, "OUTPUT": "TEMPORARY_OUTPUT", **more},
    )


def refused(masked, candidates, **more):
    return refusal(
        "reversevoronoi",
        {"INPUT": masked, "CANDIDATES": candidates, "OUTPUT": "TEMPORARY_OUTPUT", **more},
    )


def attacked(source, candidates=None, **more):
    """Mask ``source`` and attack it, scored by the key."""
    masked = mask(source)
    return masked, attack(masked["OUTPUT"], candidates or source, KEY=masked["KEY"], **more)


def by_kind(done):
    return {
        kind: [row for row in records(done["OUTPUT"]) if row["kind"] == kind]
        for kind in ("singleton", "pair", "unmoved", "ambiguous", "unresolved")
    }


# --- what it finds ----------------------------------------------------------------------------


@pytest.mark.parametrize("stored", ["memory", "gpkg", "shp"])
def test_with_the_originals_as_candidates_every_singleton_is_found(tmp_path, stored):
    source = layer(points(400))
    if stored != "memory":
        source = saved(source, tmp_path / f"points.{stored}")
    masked, done = attacked(source)
    kinds = by_kind(done)
    assert len(kinds["singleton"]) == masked["SINGLETONS"]
    assert len(kinds["pair"]) == masked["PAIRED"]
    assert all(row["correct"] == 1 and row["probability"] == 1 for row in kinds["singleton"])
    assert all(row["probability"] == 0.5 for row in kinds["pair"])
    # The two members of a pair go to different places: both are right, or neither is.
    assert done["FOUND"] == 400
    assert done["EXPECTED_CORRECT"] == masked["SINGLETONS"] + masked["PAIRED"] / 2
    assert done["CORRECT"] == sum(row["correct"] for row in records(done["OUTPUT"]))
    assert done["SHARE_CORRECT"] == done["CORRECT"] / 400
    right = sum(row["correct"] for row in kinds["pair"])
    assert abs(right - masked["PAIRED"] / 2) < 5 * np.sqrt(masked["PAIRED"] / 2)


def test_each_record_lies_at_its_candidate():
    xy = points(150)
    source = layer(xy, fields="house:string", rows=[(f"h{i}",) for i in range(150)])
    masked = mask(source)
    done = attack(masked["OUTPUT"], source, CANDIDATE_ID="house", LINKS="TEMPORARY_OUTPUT")
    released = {
        row["masked_id"]: place
        for row, place in zip(records(masked["OUTPUT"]), coordinates(masked["OUTPUT"]))
    }
    for row, place in zip(records(done["OUTPUT"]), coordinates(done["OUTPUT"])):
        assert place == pytest.approx(xy[int(row["candidate_id"][1:])])
    for row, (start, end) in zip(records(done["LINKS"]), ends(done["LINKS"])):
        assert start == pytest.approx(released[row["masked_id"]])
        assert end == pytest.approx(xy[int(row["candidate_id"][1:])])
    assert done["OUTPUT"].fields().names() == [
        "masked_id",
        "candidate_id",
        "kind",
        "probability",
        "pairs",
        "rivals",
        "correct",
    ]
    assert "CORRECT" not in done  # no key, no score
    assert {str(row["correct"]) for row in records(done["OUTPUT"])} == {"None"}


def test_a_sample_of_the_candidates():
    xy = points(3_000)
    sample = np.random.default_rng(5).choice(3_000, 300, replace=False)
    fields = "house:int"
    source = layer(xy[sample], fields=fields, rows=[(int(i),) for i in sample])
    everybody = layer(xy, fields=fields, rows=[(i,) for i in range(3_000)])
    masked = mask(source)
    # the key leads to the feature ids of the sample: give the candidates those ids
    house = {f.id(): f["house"] for f in source.getFeatures()}
    key = layer(
        [None] * 300,
        kind="None",
        crs="",
        fields="masked_id:int,original_id:int",
        rows=[(r["masked_id"], house[r["original_id"]]) for r in records(masked["KEY"])],
    )
    done = attack(masked["OUTPUT"], everybody, CANDIDATE_ID="house", KEY=key)
    assert done["FOUND"] >= 295
    # both members of a pair are right, or neither
    coins = 5 * np.sqrt(masked["PAIRED"] / 2)
    assert abs(done["CORRECT"] - masked["SINGLETONS"] - masked["PAIRED"] / 2) < coins + 5
    assert all(row["correct"] == 1 for row in by_kind(done)["singleton"])


def test_points_that_did_not_move_are_found():
    xy = points(60)
    _, done = attacked(layer(np.concatenate([xy, xy[:4]])))
    unmoved = by_kind(done)["unmoved"]
    assert len(unmoved) == 8
    assert all(row["correct"] == 1 and row["probability"] == 1 for row in unmoved)


@pytest.mark.parametrize("step", [1.0, 10.0])
def test_rounding_gives_honest_probabilities(step):
    xy = points(1_500, size=8_000)
    source = layer(xy)
    masked = mask(source)
    rounded = layer(
        np.round(coordinates(masked["OUTPUT"]) / step) * step,
        fields="masked_id:int",
        rows=[(row["masked_id"],) for row in records(masked["OUTPUT"])],
    )
    done = attack(rounded, source, KEY=masked["KEY"])
    chances = np.array([row["probability"] for row in records(done["OUTPUT"])])
    assert ((chances >= 0) & (chances <= 1)).all()
    # As many are right as the probabilities say, within five sigma.
    spread = np.sqrt((chances * (1 - chances)).sum() + 1)
    assert abs(done["CORRECT"] - done["EXPECTED_CORRECT"]) < 5 * spread
    assert f"Tolerance: {step * 0.5**0.5:.3g}" in done.feedback.said


def test_what_is_no_voronoi_mask_is_told_so():
    done = attack(layer(points(200, seed=1)), layer(points(200, seed=2)))
    assert done["FOUND"] == 0 and done["EXPECTED_CORRECT"] == 0
    assert {row["kind"] for row in records(done["OUTPUT"])} == {"unresolved"}
    assert any("No Voronoi mask" in line for line in done.feedback.warnings)
    # an unresolved record stays at its masked place, and has no link
    assert np.array_equal(coordinates(done["OUTPUT"]), points(200, seed=1))
    assert {str(row["candidate_id"]) for row in records(done["OUTPUT"])} == {"None"}
    done = attack(layer(points(20)), layer(points(20, seed=2)), LINKS="TEMPORARY_OUTPUT")
    assert done["LINKS"].featureCount() == 0


def test_fewer_candidates_than_records():
    xy = points(200)
    sentence = refused(mask(layer(xy))["OUTPUT"], layer(xy[:60]))
    assert "fewer candidates (60) than masked points (200)" in sentence


def test_candidates_that_lack_some_originals():
    xy = points(200)
    known = np.concatenate([xy[:150], points(100, seed=9)])
    done = attack(mask(layer(xy))["OUTPUT"], layer(known))
    kinds = by_kind(done)
    assert sum(map(len, kinds.values())) == 200
    assert 20 < len(kinds["unresolved"]) < 180 and done["FOUND"] > 20
    assert any("missing" in line for line in done.feedback.warnings)


def test_far_away_candidates_do_no_harm():
    """A national list holds places that no local plane has room for."""
    xy = points(50, size=0.05, centre=(5, 52))
    world = np.concatenate([xy, [[-175.0, -52.0], [5.0, -88.0], [185.0, -52.0]]])
    masked = mask(layer(xy, crs=DEGREES))
    done = attack(masked["OUTPUT"], layer(world, crs=DEGREES), KEY=masked["KEY"])
    assert done["FOUND"] == 50


# --- names of records -------------------------------------------------------------------------


def test_a_release_without_ids_is_named_by_feature_id():
    xy = points(30)
    masked = coordinates(mask(layer(xy))["OUTPUT"])
    done = attack(layer(masked), layer(xy))
    assert [row["masked_id"] for row in records(done["OUTPUT"])] == list(range(1, 31))


def test_ids_keep_their_type():
    xy = points(30)
    masked = mask(layer(xy))
    named = layer(
        coordinates(masked["OUTPUT"]),
        fields="masked_id:string",
        rows=[(f"m-{row['masked_id']}",) for row in records(masked["OUTPUT"])],
    )
    key = layer(
        [None] * 30,
        kind="None",
        crs="",
        fields="masked_id:string,original_id:string",
        rows=[(f"m-{r['masked_id']}", str(r["original_id"])) for r in records(masked["KEY"])],
    )
    done = attack(named, layer(xy), KEY=key)
    assert records(done["OUTPUT"])[0]["masked_id"].startswith("m-")
    assert done["CORRECT"] >= masked["SINGLETONS"]


def test_a_key_from_a_file_of_text(tmp_path):
    source = layer(points(40))
    masked = mask(source, KEY=str(tmp_path / "key.csv"))
    done = attack(masked["OUTPUT"], source, KEY=str(tmp_path / "key.csv"))
    assert done["CORRECT"] >= masked["SINGLETONS"]


@pytest.mark.parametrize("key", ["key.csv", "key.dbf", "key.gpkg"])
@pytest.mark.parametrize("released", ["masked.shp", "masked.gpkg", "masked.csv"])
def test_ids_are_the_same_in_every_format(tmp_path, released, key):
    """A shapefile hands long whole numbers back as decimals, a CSV as text."""
    source = layer(points(40))
    masked = mask(source, OUTPUT=str(tmp_path / released), KEY=str(tmp_path / key))
    attackable = masked["OUTPUT"]
    if released.endswith(".csv"):
        attackable = layer(
            coordinates(attackable),
            fields="masked_id:string",
            rows=[(row["masked_id"],) for row in records(attackable)],
        )
    done = attack(attackable, source, KEY=masked["KEY"])
    assert done["CORRECT"] >= masked["SINGLETONS"]


def test_the_key_never_helps_the_attack():
    source = layer(points(100))
    masked = mask(source)
    fields = ("masked_id", "candidate_id", "kind", "probability")
    found = [
        [tuple(row[name] for name in fields) for row in records(done["OUTPUT"])]
        for done in (
            attack(masked["OUTPUT"], source, SEED=4),
            attack(masked["OUTPUT"], source, SEED=4, KEY=masked["KEY"]),
        )
    ]
    assert found[0] == found[1]


# --- keys that do not fit ---------------------------------------------------------------------


def key_table(rows, fields="masked_id:int,original_id:int"):
    return layer([None] * len(rows), kind="None", crs="", fields=fields, rows=rows)


def test_a_key_without_its_fields_is_refused():
    source = layer(points(10))
    sentence = refused(mask(source)["OUTPUT"], source, KEY=key_table([(1,)], "number:int"))
    assert "masked_id (or released_id) and original_id" in sentence and "number" in sentence


def test_a_key_that_names_a_record_twice_is_refused():
    source = layer(points(10))
    sentence = refused(mask(source)["OUTPUT"], source, KEY=key_table([(1, 2), (1, 3)]))
    assert "twice" in sentence and "1" in sentence


def test_a_key_of_another_release_is_refused():
    source = layer(points(10))
    sentence = refused(mask(source)["OUTPUT"], source, KEY=key_table([(900, 901), (902, 903)]))
    assert "does not belong to this release" in sentence


def test_a_key_of_a_part_scores_that_part():
    source = layer(points(100))
    masked = mask(source)
    rows = [(r["masked_id"], r["original_id"]) for r in records(masked["KEY"])][:50]
    done = attack(masked["OUTPUT"], source, KEY=key_table(rows))
    assert 0 < done["CORRECT"] <= 50


# --- reference systems ------------------------------------------------------------------------


def reprojected(xy, source, target):
    change = QgsCoordinateTransform(
        QgsCoordinateReferenceSystem(source),
        QgsCoordinateReferenceSystem(target),
        QgsProject.instance().transformContext(),
    )
    return np.array([[*change.transform(QgsPointXY(*place))] for place in xy.tolist()])


@pytest.mark.parametrize("crs", [DEGREES, "EPSG:3857", "EPSG:3035", "EPSG:28992"])
def test_candidates_in_another_system(crs):
    home = "EPSG:28992"
    xy = points(200, size=20_000, centre=(150_000, 450_000))
    masked = mask(layer(xy, crs=home))
    done = attack(masked["OUTPUT"], layer(reprojected(xy, home, crs), crs=crs), KEY=masked["KEY"])
    assert done["CORRECT"] >= masked["SINGLETONS"]
    assert done["FOUND"] == 200
    assert done["OUTPUT"].crs().authid() == home
    assert np.abs(np.sort(coordinates(done["OUTPUT"]), axis=0) - np.sort(xy, axis=0)).max() < 0.01
    assert ("were transformed" in done.feedback.said) == (crs != home)


def test_a_mask_in_degrees_is_undone():
    xy = points(300, size=0.3, centre=(10, 60))
    masked, done = attacked(layer(xy, crs=DEGREES))
    assert done["FOUND"] == 300 and done["CORRECT"] >= masked["SINGLETONS"]
    assert "local metric projection" in done.feedback.said


def test_a_mask_in_degrees_by_a_tool_that_takes_them_for_metres():
    xy = points(200, size=0.3, centre=(10, 60))
    naive = coordinates(mask(layer(xy, crs=""))["OUTPUT"])
    done = attack(layer(naive, crs=DEGREES), layer(xy, crs=DEGREES))
    assert done["FOUND"] == 200


def test_a_mask_in_feet_is_undone():
    xy = points(200, size=20_000, centre=(990_000, 200_000))
    masked, done = attacked(layer(xy, crs="EPSG:2263"))
    assert done["FOUND"] == 200 and done["CORRECT"] >= masked["SINGLETONS"]


def test_a_mask_across_the_antimeridian_is_undone():
    xy = points(200, size=0.2, centre=(180, -17))
    xy[:, 0] = (xy[:, 0] + 180) % 360 - 180
    masked, done = attacked(layer(xy, crs=DEGREES), LINKS="TEMPORARY_OUTPUT")
    assert done["FOUND"] == 200 and done["CORRECT"] >= masked["SINGLETONS"]
    links = ends(done["LINKS"])
    assert np.abs(links[:, 1, 0] - links[:, 0, 0]).max() < 1


def test_without_any_system():
    xy = points(100)
    masked, done = attacked(layer(xy, crs=""))
    assert done["FOUND"] == 100


def test_one_layer_without_a_system_is_taken_to_be_in_the_others():
    xy = points(100)
    masked = mask(layer(xy))
    done = attack(masked["OUTPUT"], layer(xy, crs=""))
    assert done["FOUND"] == 100
    assert "has no coordinate reference system" in done.feedback.said


# --- tolerance and seed -----------------------------------------------------------------------


@pytest.mark.parametrize("tolerance", [-1, -0.001, float("nan")])
def test_a_tolerance_that_is_no_distance(tolerance):
    assert "tolerance" in refused(layer(points(9)), layer(points(10)), TOLERANCE=tolerance).lower()


def test_a_tolerance_of_zero_finds_exact_midpoints():
    xy = np.array([[0.0, 0.0], [2.0, 0.0], [10.0, 0.0], [10.0, 4.0], [30.0, 30.0], [34.0, 30.0]])
    source = layer(xy)
    assert attack(mask(source)["OUTPUT"], source, TOLERANCE=0)["FOUND"] == 6


def test_noise_that_is_known_of_is_seen_through(tmp_path):
    source = layer(points(400, size=4_000))
    chosen = layer(coordinates(source)[:120])
    released = coordinates(mask(chosen, SHUFFLE=False)["OUTPUT"])
    rng = np.random.default_rng(3)
    noisy = layer(released + rng.normal(0, 2.0, released.shape))
    blind = attack(noisy, source)
    done = attack(noisy, source, SIGMA=2.0, SEED=1, REPORT=str(tmp_path / "report.html"))
    assert len(by_kind(blind)["unresolved"]) > 100 > 10 > len(by_kind(done)["unresolved"])
    true = {tuple(one) for one in coordinates(chosen).round(3)}
    found = [tuple(one) for one in coordinates(done["OUTPUT"]).round(3)]
    assert sum(one in true for one in found) > 70
    told = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Noise with a standard deviation of 2 m" in told
    assert "records drawn from the candidates, masked and blurred alike" in told
    for sigma in (-1, float("nan")):
        assert "noise" in refused(noisy, source, SIGMA=sigma).lower()


def test_a_wide_tolerance_is_ambiguous_and_says_so():
    source = layer(points(300, size=3_000))
    masked = mask(source)
    done = attack(masked["OUTPUT"], source, TOLERANCE=60.0)
    kinds = by_kind(done)
    assert len(kinds["ambiguous"]) > 30
    assert all(row["pairs"] > 1 for row in kinds["ambiguous"])
    assert done["EXPECTED_CORRECT"] < masked["SINGLETONS"] + masked["PAIRED"] / 2
    assert "Tolerance: 60 m" in done.feedback.said


def outcome(done):
    return [(row["masked_id"], row["candidate_id"]) for row in records(done["OUTPUT"])]


def test_the_same_seed_gives_the_same_result():
    source = layer(points(200))
    masked = mask(source)["OUTPUT"]
    one, two, other = (outcome(attack(masked, source, SEED=seed)) for seed in (7, 7, 8))
    assert one == two and one != other


def test_without_a_seed_the_coins_fall_anew():
    source = layer(points(200))
    masked = mask(source)["OUTPUT"]
    assert outcome(attack(masked, source)) != outcome(attack(masked, source))


@pytest.mark.parametrize("seed", [-1, 2**40])
def test_a_seed_that_is_none(seed):
    with pytest.raises(QgsProcessingException, match="SEED"):  # in QGIS's own words
        attack(layer(points(9)), layer(points(10)), SEED=seed)


# --- bad input --------------------------------------------------------------------------------


def test_no_masked_points():
    assert "masked" in refused(layer([]), layer(points(10)))


def test_no_usable_masked_points():
    assert "masked" in refused(layer([None, "POINT EMPTY"]), layer(points(10)))


def test_no_candidates():
    assert "candidate" in refused(layer(points(10)), layer([])).lower()


def test_one_candidate():
    assert "(1)" in refused(layer(points(10)), layer(points(1, seed=9)))
    assert attack(layer([(1, 2)]), layer([(3, 4)]))["FOUND"] == 0


def test_one_record():
    xy = points(20)
    masked = coordinates(mask(layer(xy), SHUFFLE=False)["OUTPUT"])
    done = attack(layer(masked[:1]), layer(xy))
    assert done["OUTPUT"].featureCount() == 1


def test_two_records():
    source = layer([(0, 0), (10, 0)])
    masked, done = attacked(source)
    assert [row["kind"] for row in records(done["OUTPUT"])] == ["pair", "pair"]
    assert done["CORRECT"] in (0, 2)


def test_all_records_at_one_place():
    done = attack(layer([(5, 5)] * 4), layer([(5, 5)] * 4))
    assert {row["kind"] for row in records(done["OUTPUT"])} <= {"unmoved", "ambiguous"}
    assert done["OUTPUT"].featureCount() == 4


def test_records_without_a_place_are_kept_out_of_both_layers(tmp_path):
    xy = points(50)
    masked = mask(layer(xy))
    released = layer(
        [*coordinates(masked["OUTPUT"]), None],
        fields="masked_id:int",
        rows=[*((row["masked_id"],) for row in records(masked["OUTPUT"])), (51,)],
    )
    done = attack(released, layer([*xy, "POINT EMPTY"]), JSON=str(tmp_path / "r.json"))
    assert done["FOUND"] == 50 and done["OUTPUT"].featureCount() == 50
    assert sum("no usable place" in line for line in done.feedback.warnings) == 2


def test_candidates_of_several_parts_are_refused():
    sentence = refused(layer(points(5)), layer(["MULTIPOINT((1 2),(3 4))"], kind="MultiPoint"))
    assert "feature id 1" in sentence


def test_a_field_that_is_not_there():
    source = layer(points(10), fields="house:int", rows=[(i,) for i in range(10)])
    sentence = refused(layer(points(9)), source, CANDIDATE_ID="street")
    assert "“street”" in sentence and "house" in sentence


def test_a_package_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyproj", None)
    assert "pyproj" in refused(layer(points(9)), layer(points(10)))


def test_without_numba_the_result_is_the_same():
    from geoanon_qgis.core.runtime import accel

    if not accel.available():
        pytest.skip("numba is not installed: it never runs compiled")
    source = layer(points(300, size=2_000))
    masked = mask(source)["OUTPUT"]
    rounded = layer(np.round(coordinates(masked), -1))
    results = []
    for compiled in (True, False):
        accel.set_enabled(compiled)
        done = attack(rounded, source, SEED=1)
        results.append([(*row.values(),) for row in records(done["OUTPUT"])])
    accel.set_enabled(True)
    assert str(results[0]) == str(results[1])


def test_a_place_that_cannot_be_written_to(tmp_path):
    (tmp_path / "file").write_text("x")
    sentence = refused(
        layer(points(9)),
        layer(points(10)),
        OUTPUT=str(tmp_path / "found.gpkg"),
        REPORT=str(tmp_path / "file" / "r.html"),
    )
    assert "file" in sentence and leftovers(tmp_path) == ["file"]


def test_the_candidates_are_never_overwritten(tmp_path):
    path = saved(layer(points(10)), tmp_path / "addresses.gpkg")
    assert "would overwrite" in refused(layer(points(10)), path, OUTPUT=path)


# --- the rest ---------------------------------------------------------------------------------


def test_selected_candidates_only(project):
    xy = points(80)
    masked = mask(layer(xy))["OUTPUT"]
    everybody = layer(np.concatenate([xy, points(80, seed=2)]))
    project.addMapLayer(everybody)
    everybody.selectByIds(list(range(81, 161)))
    others = QgsProcessingFeatureSourceDefinition(everybody.id(), True)
    assert attack(masked, everybody)["FOUND"] == 80
    assert attack(masked, others)["FOUND"] == 0


@pytest.mark.parametrize("cancel_at", [None, 0, 15, 30, 60, 80])
def test_a_cancel_leaves_nothing(tmp_path, cancel_at):
    source = layer(points(3_000))
    masked = mask(source)["OUTPUT"]
    feedback = Feedback(cancel_at)
    if cancel_at is None:
        feedback.cancel()
    done = run(
        "reversevoronoi",
        {
            "INPUT": masked,
            "CANDIDATES": source,
            "OUTPUT": str(tmp_path / "o.gpkg"),
            "LINKS": str(tmp_path / "l.gpkg"),
            "REPORT": str(tmp_path / "r.html"),
        },
        feedback,
    )
    assert feedback.isCanceled() and done.results == {}
    assert leftovers(tmp_path) == []


def test_the_report(tmp_path):
    source = layer(points(80), name="Addresses & <houses>")
    masked = mask(source)
    done = attack(
        masked["OUTPUT"],
        source,
        KEY=masked["KEY"],
        SEED=123456789,
        REPORT=str(tmp_path / "r.html"),
        JSON=str(tmp_path / "r.json"),
    )
    told = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert told["private"] is True
    assert done["FOUND"] in told["figures"].values()
    assert done["CORRECT"] in told["figures"].values()
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "Private: do not pass on" in page and "<houses>" not in page
    assert "data:image/png;base64," in page


def test_the_report_without_a_key_or_a_find(tmp_path):
    paths = {"REPORT": str(tmp_path / "r.html"), "JSON": str(tmp_path / "r.json")}
    attack(layer(points(40)), layer(points(40, seed=2)), **paths)
    assert leftovers(tmp_path) == ["r.html", "r.json"]
    json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))


def test_outputs_are_private():
    source = layer(points(20))
    done = attack(mask(source)["OUTPUT"], source)
    assert set(done.results) == {"OUTPUT", "FOUND", "EXPECTED_CORRECT", *DECIDED}
    assert done["OUTPUT"].crs().authid() == GRID
