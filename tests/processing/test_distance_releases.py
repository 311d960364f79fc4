# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:lipschitzrelease and geoanon:noisydistances, from a layer to files."""

import html
import json

import numpy as np
import pytest
from scipy.stats import spearmanr

from geoanon_qgis.core.distances.files import read_matrix
from geoanon_qgis.core.space.metrics import metric_for
from geoanon_qgis.processing.layers import planes
from tests.processing.concluding import page_of
from tests.processing.helpers import (
    DEGREES,
    GRID,
    Feedback,
    coordinates,
    ends,
    layer,
    leftovers,
    opened,
    points,
    records,
    refusal,
    run,
    saved,
)

COUNT = 120
BRITAIN = points(COUNT, seed=5, size=60_000)
FIELDS = "patient_id:int,age:int,ward:string"


def people(xy=BRITAIN, crs=GRID, **more):
    rows = [
        (7_000 + row, 20 + row % 60, None if row % 9 == 0 else f"w{row % 4}")
        for row in range(len(xy))
    ]
    return layer(xy, crs=crs, fields=FIELDS, rows=rows, name="people", **more)


def release(
    folder, algorithm="lipschitzrelease", source=None, ending="npz", feedback=None, **parameters
):
    source = people() if source is None else source
    paths = {
        "MATRIX": folder / f"matrix.{ending}",
        "OUTPUT": folder / "records.gpkg",
        "KEY": folder / "key.gpkg",
    }
    given = {"INPUT": source, **{name: str(path) for name, path in paths.items()}, **parameters}
    return run(algorithm, given, feedback)


def refused(algorithm="lipschitzrelease", **parameters):
    given = {"INPUT": people(), "MATRIX": "TEMPORARY_OUTPUT", "OUTPUT": "TEMPORARY_OUTPUT"}
    return refusal(algorithm, {**given, **parameters})


def truth(done, source, metric="geodesic", factor=1.0):
    """The true distances of the released records, square, in the order of the matrix."""
    original = {row["released_id"]: row["original_id"] for row in records(done["KEY"])}
    features = {feature.id(): feature for feature in source.getFeatures()}
    order = [features[original[number]] for number in range(1, len(original) + 1)]
    xy = np.array([(f.geometry().asPoint().x(), f.geometry().asPoint().y()) for f in order])
    measure = metric_for(metric, planes.wkt(source.crs()))
    located = measure.coordinates(xy)
    return measure.rows(located, located) / factor, order


# --- the embedding ----------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["geodesic", "great_circle", "planar"])
@pytest.mark.parametrize("unit, decimals", [("m", None), ("km", None), ("m", -2), ("km", 1)])
def test_released_distances_never_exceed_the_true_ones(provider, tmp_path, metric, unit, decimals):
    source = people()
    done = release(
        tmp_path, source=source, METRIC=metric, UNIT=unit, DECIMALS=decimals, SETS=8, SIZE=3
    )
    factor = {"m": 1.0, "km": 1000.0}[unit]
    true, _ = truth(done, source, metric, factor)
    matrix = read_matrix(done["MATRIX"])
    released = matrix.square()
    assert matrix.unit == unit and len(matrix) == COUNT == done["N"]
    assert (released <= true).all() and done["MAX_VIOLATION"] == 0
    assert released.max() > 0.2 * true.max()
    step = 10.0 ** -(decimals if decimals is not None else {"m": 0, "km": 3}[unit])
    assert np.allclose(released / step, np.round(released / step), atol=1e-6)


def test_the_numbers_are_those_of_the_files(provider, tmp_path):
    source = people()
    done = release(tmp_path, source=source, SETS=15, SIZE=4)
    true, _ = truth(done, source)
    released = read_matrix(done["MATRIX"]).square()
    upper = np.triu_indices(COUNT, 1)
    assert done["MEDIAN_RATIO"] == pytest.approx(np.median(released[upper] / true[upper]))
    assert done["SPEARMAN"] == pytest.approx(spearmanr(released[upper], true[upper])[0], abs=1e-9)
    far = np.eye(COUNT) * 1e12
    right = (released + far).argmin(axis=1) == (true + far).argmin(axis=1)
    assert done["NEAREST_KEPT"] == pytest.approx(right.mean(), abs=0.05)


def test_matrix_table_and_key_belong_together(provider, tmp_path):
    source = people()
    done = release(tmp_path, source=source, ending="csv", SETS=300, SIZE=1, FIELDS=["age", "ward"])
    rows = records(done["OUTPUT"])
    assert not opened(done["OUTPUT"]).isSpatial()
    assert [row["released_id"] for row in rows] == list(range(1, COUNT + 1))
    assert set(rows[0]) - {"fid"} == {"released_id", "age", "ward"}
    matrix = read_matrix(done["MATRIX"])
    assert matrix.ids == tuple(str(row["released_id"]) for row in rows)
    true, features = truth(done, source)
    assert [row["age"] for row in rows] == [feature["age"] for feature in features]
    # d = 500, k = 1: nearly true, so the rows can only be those of the key
    assert np.corrcoef(matrix.square().ravel(), true.ravel())[0, 1] > 0.95
    order = [row["original_id"] for row in records(done["KEY"])]
    assert order != sorted(order)


def test_a_seed_repeats_a_run_and_none_does_not(provider, tmp_path):
    matrices = []
    for number, seed in enumerate([11, 11, None, None]):
        folder = tmp_path / str(number)
        folder.mkdir()
        done = release(folder, SEED=seed, SETS=5, SIZE=2)
        matrices.append(read_matrix(done["MATRIX"]).condensed)
    assert np.array_equal(matrices[0], matrices[1])
    assert not np.array_equal(matrices[0], matrices[2])
    assert not np.array_equal(matrices[2], matrices[3])


def test_a_seed_of_a_release_is_warned_of(provider, tmp_path):
    """Whoever tries all seeds repeats the run."""
    for seed, warned in ((11, 1), (None, 0)):
        feedback = Feedback()
        release(tmp_path, feedback=feedback, SEED=seed, SETS=5, SIZE=2)
        assert sum("A seed was given" in one for one in feedback.warnings) == warned


def test_reference_sets_come_from_the_area(provider, tmp_path):
    box = "Polygon((300000 200000, 320000 200000, 320000 220000, 300000 220000, 300000 200000))"
    area = layer([box], kind="Polygon", name="elsewhere")
    done = release(tmp_path, AREA=area, SETS=6, SIZE=5, REFERENCE_SETS=str(tmp_path / "sets.gpkg"))
    drawn = coordinates(done["REFERENCE_SETS"])
    assert drawn.shape == (30, 2)
    assert ((drawn >= (300_000, 200_000)) & (drawn <= (320_000, 220_000))).all()
    sets = [(row["set"], row["point"]) for row in records(done["REFERENCE_SETS"])]
    assert sets == [(one, other) for one in range(1, 7) for other in range(1, 6)]
    assert "Points outside the area: 120 of 120." in "\n".join(done.feedback.warnings)


def test_the_hull_is_said_in_the_log(provider, tmp_path):
    assert "convex hull of the points" in release(tmp_path).feedback.said


def test_lines_of_distance_kept(provider, tmp_path):
    source = people()
    chosen = next(source.getFeatures()).id()
    done = release(tmp_path, source=source, RECORD=chosen, KEPT=str(tmp_path / "kept.gpkg"))
    rows = records(done["KEPT"])
    true, features = truth(done, source)
    start = [feature.id() for feature in features].index(chosen)
    assert len(rows) == COUNT - 1 and start + 1 not in [row["released_id"] for row in rows]
    released = read_matrix(done["MATRIX"]).square()
    for row, (first, last) in zip(rows, ends(done["KEPT"])):
        other = row["released_id"] - 1
        assert row["distance"] == pytest.approx(true[start, other])
        assert row["released"] == released[start, other]
        assert row["ratio"] == pytest.approx(released[start, other] / true[start, other])
        assert np.allclose(last, features[other].geometry().asPoint())
        assert np.allclose(first, features[start].geometry().asPoint())


@pytest.mark.parametrize("degrees", [False, True])
def test_the_drawing_lies_on_the_truth(provider, tmp_path, degrees):
    xy = points(40, seed=2, size=0.5, centre=(-2, 52))
    source = people(xy, crs=DEGREES) if degrees else people()
    done = release(tmp_path, source=source, SETS=200, SIZE=1, DRAWN=str(tmp_path / "drawn.gpkg"))
    drawn = opened(done["DRAWN"])
    assert drawn.crs() == source.crs()
    true, order = truth(done, source)
    measure = metric_for("geodesic" if degrees else "planar", planes.wkt(source.crs()))
    placed = coordinates(drawn)
    for one, feature, xy in zip(records(drawn), order, placed):
        home = feature.geometry().asPoint()
        ends_at = measure.coordinates(np.array([[home.x(), home.y()], xy]))
        assert one["off_m"] == pytest.approx(measure.rows(ends_at, ends_at)[0, 1], rel=1e-6)
    assert np.median([one["off_m"] for one in records(drawn)]) < 0.1 * np.median(true)


def test_report_and_figures(provider, tmp_path):
    done = release(
        tmp_path,
        REPORT=str(tmp_path / "report.html"),
        JSON=str(tmp_path / "it.json"),
        SETS=10,
        SIZE=4,
        SEED=987654,
    )
    page = page_of(tmp_path / "report.html")
    assert "Private" in page and "<svg" in page and "data:image/png" in page
    figures = json.loads((tmp_path / "it.json").read_text(encoding="utf-8"))["figures"]
    assert figures["nearest_kept"] == pytest.approx(100 * done["NEAREST_KEPT"])
    assert figures["count"] == COUNT


def test_records_at_one_place_stay_at_distance_zero(provider, tmp_path):
    xy = np.vstack([BRITAIN[:30], BRITAIN[:10]])
    source = people(xy)
    done = release(tmp_path, source=source, SETS=4, SIZE=2)
    true, _ = truth(done, source)
    released = read_matrix(done["MATRIX"]).square()
    assert (released[true == 0] == 0).all() and (true == 0).sum() == 40 + 20


def test_a_layer_in_degrees_and_one_without_a_system(provider, tmp_path):
    degrees = people(points(40, seed=2, size=1.0, centre=(-2, 52)), crs=DEGREES)
    done = release(tmp_path, source=degrees, SETS=4, SIZE=2)
    true, _ = truth(done, degrees)
    assert (read_matrix(done["MATRIX"]).square() <= true).all() and done["MAX_VIOLATION"] == 0
    assert "planar" in refused(INPUT=degrees, METRIC="planar")
    plain = people(points(40, seed=3, size=100.0, centre=(0, 0)), crs="")
    assert "reference system" in refused(INPUT=plain)
    done = release(tmp_path, source=plain, METRIC="planar", SETS=9, SIZE=1, DECIMALS=2)
    true, _ = truth(done, plain, "planar")
    assert (read_matrix(done["MATRIX"]).square() <= true).all()
    assert "km" in refused(INPUT=plain, METRIC="planar", UNIT="km")


def agree(done, folder, decision):
    """Box, log, JSON and outputs of a run tell the same verdict; return that of the JSON."""
    told = json.loads((folder / "it.json").read_text(encoding="utf-8"))["verdict"]
    page = page_of(folder / "report.html")
    assert told["decision"] == done["DECISION"] == decision
    assert page.index("decision-title") < page.index("<h2")
    assert told["limit"] == done["LIMIT"]
    for name in ("risk_low", "risk_high"):
        assert told[name] == pytest.approx(done.results[name.upper()])
    for sentence in (*told["next"], *told["not_run"]):
        assert sentence in done.feedback.said
        assert sentence.replace("\xa0", " ") in html.unescape(page).replace(
            "\xa0", " "
        )  # as in "50 %"
    return told


def reported(folder):
    return {"REPORT": str(folder / "report.html"), "JSON": str(folder / "it.json")}


@pytest.mark.parametrize(
    "algorithm, given, named",
    [
        ("lipschitzrelease", {"SETS": 7, "SIZE": 3}, ["RULE=lipschitz", "SETS=7", "SIZE=3"]),
        ("noisydistances", {"SIGMA": 250}, ["RULE=coordinate_noise", "SIGMA=250", "SIGMA_UNIT=m"]),
        (
            "noisydistances",
            {"NOISE": "laplace", "SIGMA": 40},
            ["RULE=distance_noise", "DISTRIBUTION=laplace", "SIGMA=40"],
        ),
        ("noisydistances", {"NOISE": "exact", "DECIMALS": -2}, ["RULE=absolute", "EPSILON=100"]),
    ],
)
def test_a_release_is_not_tested_and_names_the_attack(provider, tmp_path, algorithm, given, named):
    done = release(tmp_path, algorithm, FIELDS=["age", "ward"], **given, **reported(tmp_path))
    told = agree(done, tmp_path, "not_tested")
    assert told["evidence"] == [] and done["RISK_LOW"] is done["RISK_HIGH"] is None
    files = [f"TARGET={done['OUTPUT']}", f"MATRIX={done['MATRIX']}", f"TRUTH={done['KEY']}"]
    for one in [*named, *files, "age;ward", "UNIT=m", "METRIC=geodesic"]:
        assert one in told["next"][0], one
    assert "place of a record" in told["not_run"][0]
    # All attacks are run when nobody says otherwise; nothing of it stands on the page twice.
    assert not told["next"][1:] and "METHOD" not in told["next"][0]
    page = page_of(tmp_path / "report.html")
    assert page.count("geoanon:linkageattack") == 1


def test_an_area_that_was_given_is_a_parameter_of_the_attack(provider, tmp_path):
    box = "Polygon((300000 200000, 520000 200000, 520000 420000, 300000 420000, 300000 200000))"
    area = layer([box], kind="Polygon", name="county")
    release(tmp_path, AREA=area, SETS=3, SIZE=2, **reported(tmp_path))
    told = json.loads((tmp_path / "it.json").read_text(encoding="utf-8"))["verdict"]
    assert "AREA=county" in told["next"][0]


# --- noise ------------------------------------------------------------------------------------


def test_exact_distances_warn_loudly(provider, tmp_path):
    source = people()
    done = release(tmp_path, "noisydistances", source, NOISE="exact", DECIMALS=3)
    true, _ = truth(done, source)
    assert np.allclose(read_matrix(done["MATRIX"]).square(), true, atol=6e-4)
    assert "EXACT" in "\n".join(done.feedback.warnings)
    assert done["NEAREST_KEPT"] == 1 and done["MEDIAN_RATIO"] == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("noise, spread", [("gaussian", 500.0), ("laplace", 500.0 * 2**0.5)])
def test_noise_on_distances_has_its_size(provider, tmp_path, noise, spread):
    source = people()
    done = release(tmp_path, "noisydistances", source, NOISE=noise, SIGMA=500, SEED=3)
    true, _ = truth(done, source)
    released = read_matrix(done["MATRIX"]).square()
    assert (released == released.T).all() and (released >= 0).all()
    far = true > 5_000
    assert (released - true)[far].std() == pytest.approx(spread, rel=0.05)


@pytest.mark.parametrize("unit, sigma", [("m", 400.0), ("degrees", 0.005)])
def test_noise_on_coordinates_keeps_a_metric(provider, tmp_path, unit, sigma):
    source = people()
    done = release(
        tmp_path,
        "noisydistances",
        source,
        NOISE="coordinates",
        SIGMA=sigma,
        SIGMA_UNIT=unit,
        DECIMALS=3,
        SEED=4,
    )
    released = read_matrix(done["MATRIX"]).square()
    longest = released[:, :, None] + released[:, None, :].transpose(0, 1, 2)
    assert (released[:, None, :] <= longest.max(initial=0)).all()
    for middle in range(0, COUNT, 7):
        way = released[:, [middle]] + released[[middle]]
        assert (released <= way + 2e-3).all()  # the triangle inequality, but for rounding
    true, _ = truth(done, source)
    moved = (released - true)[np.triu_indices(COUNT, 1)]
    assert 200 < moved.std() < 1_200


def test_noise_and_units_that_do_not_go_together(provider):
    assert "metres" in refused("noisydistances", NOISE="laplace", SIGMA_UNIT="degrees")
    assert "positive" in refused("noisydistances", SIGMA=0)


# --- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["lipschitzrelease", "noisydistances"])
@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_points(provider, algorithm, count, tmp_path):
    said = refused(algorithm, INPUT=people(BRITAIN[:count]), MATRIX=str(tmp_path / "m.csv"))
    assert "2 at least" in said and leftovers(tmp_path) == []


@pytest.mark.parametrize("name", ["SETS", "SIZE"])
@pytest.mark.parametrize("value", [0, -3])
def test_sets_and_size_below_one(provider, name, value):
    said = refused(**{name: value})
    assert name in said and "at least 1" in said


def test_a_size_beyond_sense_is_warned_of(provider, tmp_path):
    done = release(tmp_path, SIZE=5_000, SETS=2)
    assert "5,000" in "\n".join(done.feedback.warnings)


@pytest.mark.parametrize(
    "wkt",
    [
        "Polygon((400000 300000, 410000 300000, 420000 300000, 400000 300000))",
        "Polygon((400000 300000, 400000 300000, 400000 300000, 400000 300000))",
    ],
)
def test_an_area_without_size(provider, wkt):
    area = layer([wkt], kind="Polygon")
    assert "size" in refused(AREA=area)


def test_points_on_a_line_need_an_area(provider):
    line = np.column_stack([np.arange(20) * 100.0 + 400_000, np.full(20, 300_000.0)])
    assert "area" in refused(INPUT=people(line))


def test_a_matrix_of_an_unknown_kind(provider, tmp_path):
    said = refused(MATRIX=str(tmp_path / "m.xlsx"))
    assert ".xlsx" in said and ".npz" in said and leftovers(tmp_path) == []


def test_a_record_that_is_not_there(provider, tmp_path):
    said = refused(MATRIX=str(tmp_path / "m.npz"), RECORD=99_999, KEPT=str(tmp_path / "kept.gpkg"))
    assert "99999" in said.replace(",", "") and leftovers(tmp_path) == []


def test_a_record_that_is_not_there_is_told_before_the_work(provider, monkeypatch):
    monkeypatch.setattr(
        "geoanon_qgis.processing.algorithms.lipschitzrelease.lipschitz_release", lambda *_: 1 / 0
    )
    assert "99999" in refused(RECORD=99_999, KEPT="TEMPORARY_OUTPUT").replace(",", "")


def test_an_attribute_with_the_name_of_the_new_ids(provider):
    source = layer(BRITAIN, fields="released_id:int,age:int", rows=[(1, 30)] * COUNT)
    said = refused(INPUT=source, FIELDS=["age", "released_id"])
    assert "released_id" in said and "FIELDS" in said


@pytest.mark.parametrize("ending", ["fgb", "mif"])
def test_records_in_a_format_that_is_made_for_maps(provider, tmp_path, ending):
    """GDAL would write none of them and say nothing."""
    said = refused(OUTPUT=str(tmp_path / f"records.{ending}"))
    assert f".{ending}" in said and ".gpkg" in said


def test_what_does_not_fit_is_refused_before_work_starts(provider, tmp_path, monkeypatch):
    monkeypatch.setattr("geoanon_qgis.core.runtime.memory.available_memory", lambda: 10_000)
    said = refused(MATRIX=str(tmp_path / "m.npz"))
    assert "kB" in said and leftovers(tmp_path) == []


def test_a_folder_that_is_not_there(provider, tmp_path):
    assert "folder" in refused(MATRIX=str(tmp_path / "none" / "m.npz"))


@pytest.mark.parametrize("cancel_at", [3, 20, 45, 70, 90])
def test_a_cancelled_run_leaves_nothing_and_keeps_what_was_there(provider, tmp_path, cancel_at):
    before = tmp_path / "matrix.npz"
    before.write_bytes(b"mine")
    done = release(tmp_path, feedback=Feedback(cancel_at), REPORT=str(tmp_path / "report.html"))
    assert done.results == {} or "N" not in done.results
    assert leftovers(tmp_path) == ["matrix.npz"] and before.read_bytes() == b"mine"


# --- what is given away ---------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["csv", "npz", "parquet"])
def test_nothing_in_the_release_undoes_it(provider, tmp_path, ending):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    secret = tmp_path / "clinic_seven"
    secret.mkdir(), (tmp_path / "public").mkdir()
    source = opened(saved(people(), secret / "clinic_seven.gpkg"), "clinic_seven")
    public = tmp_path / "public"
    done = run(
        "lipschitzrelease",
        {
            "INPUT": source,
            "SETS": 12,
            "SIZE": 3,
            "SEED": 918273645,
            "MATRIX": str(public / f"matrix.{ending}"),
            "OUTPUT": str(public / "records.gpkg"),
            "KEY": str(secret / "key.gpkg"),
            "REFERENCE_SETS": str(secret / "sets.gpkg"),
        },
    )
    sets = coordinates(done["REFERENCE_SETS"])
    given = b"".join(path.read_bytes() for path in public.iterdir())
    for xy in (BRITAIN, sets):
        for value in xy.ravel().tolist():
            assert np.float64(value).tobytes() not in given
            assert f"{value:.3f}".encode() not in given
    for word in (b"clinic_seven", b"918273645", b"patient_id", b"original_id", b"7001"):
        assert word not in given, word
    assert np.int64(918273645).tobytes() not in given
    order = np.array([row["original_id"] for row in records(done["KEY"])])
    assert abs(np.corrcoef(order, np.arange(COUNT))[0, 1]) < 0.4


def test_the_number_of_the_row_is_not_released(provider, tmp_path):
    """A GeoPackage would take it for its own and give the rows their original order."""
    source = opened(saved(people(), tmp_path / "people.gpkg"), "people")
    said = refused(INPUT=source, FIELDS=["fid", "age"])
    assert "fid" in said and "FIELDS" in said


def test_a_scale_that_is_off_is_warned_of(provider, tmp_path):
    mercator = people(points(30, seed=2, size=5e4, centre=(-2e5, 6.8e6)), crs="EPSG:3857")
    done = release(tmp_path, source=mercator, METRIC="planar", SETS=3, SIZE=2)
    assert "off by more than 1 %" in "\n".join(done.feedback.warnings)


# --- what makes them tell less -------------------------------------------------------------------


def test_noise_before_the_embedding_lengthens_some_distances_and_is_told(provider, tmp_path):
    source, feedback = people(), Feedback()
    done = release(
        tmp_path,
        source=source,
        feedback=feedback,
        PRE_NOISE=4000,
        SETS=60,
        SIZE=3,
        **reported(tmp_path),
    )
    true, _ = truth(done, source)
    released = read_matrix(done["MATRIX"]).square()
    assert (released > true).any() and done["MAX_VIOLATION"] > 0
    plain = release(tmp_path, source=source, SETS=60, SIZE=3)
    assert done["NEAREST_KEPT"] < plain["NEAREST_KEPT"]
    assert any("4000 m" in one and "longer than the true ones" in one for one in feedback.warnings)
    assert done["DECISION"] == "not_tested"
    told = json.loads((tmp_path / "it.json").read_text("utf-8"))
    assert "PRE_NOISE=4000" in json.dumps(told["verdict"])


@pytest.mark.parametrize(
    ("unit", "decimals", "step"),
    [("m", None, 250), ("km", None, 250), ("m", None, 0.5), ("m", -2, 500)],
)
def test_distances_are_multiples_of_a_step_and_never_too_long(
    provider, tmp_path, unit, decimals, step
):
    source = people()
    done = release(
        tmp_path,
        source=source,
        ending="csv",
        UNIT=unit,
        DECIMALS=decimals,
        STEP=step,
        SETS=30,
        SIZE=3,
    )
    factor = {"m": 1.0, "km": 1000.0}[unit]
    true, _ = truth(done, source, factor=factor)
    released = read_matrix(done["MATRIX"], unit=unit).square()
    assert (released <= true).all() and released.max() > 0.5 * true.max()
    steps = released * factor / step
    assert np.allclose(steps, np.rint(steps), atol=1e-6)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"STEP": 0}, "above 0"),
        ({"STEP": 250, "DECIMALS": -2}, "cannot be written"),
        ({"STEP": 1e-9}, "cannot be written"),
        ({"PRE_NOISE": -1}, "Noise before the embedding"),
    ],
)
def test_noise_and_steps_that_make_no_sense_are_refused(provider, given, words):
    assert words in refused(**given)


def grouping(rows, columns="field:string,value:string,group:string"):
    return layer([None] * len(rows), None, "None", columns, rows, "groups")


AGES = [("age", str(age), f"{age // 10 * 10}s") for age in range(20, 80)]


@pytest.mark.parametrize("algorithm", ["lipschitzrelease", "noisydistances"])
def test_values_are_released_as_groups_alone(provider, tmp_path, algorithm):
    source, feedback = people(), Feedback()
    done = release(
        tmp_path,
        algorithm,
        source,
        feedback=feedback,
        FIELDS=["age", "ward"],
        GROUPS=grouping(AGES),
    )
    original = {row["released_id"]: row["original_id"] for row in records(done["KEY"])}
    features = {feature.id(): feature for feature in source.getFeatures()}
    for row in records(done["OUTPUT"]):
        feature = features[original[row["released_id"]]]
        assert row["age"] == f"{feature['age'] // 10 * 10}s"
        assert row["ward"] == feature["ward"]
    assert any("60 values became 6 groups" in one for one in feedback.infos)


@pytest.mark.parametrize(
    ("rows", "columns", "more", "words"),
    [
        (AGES[1:], None, {}, "without a group, such as “20”"),
        ([("ages", "20", "20s")], None, {}, "“ages”"),
        ([*AGES, ("age", "20", "other")], None, {}, "two groups"),
        ([("age", "20")], "field:string,value:string", {}, "“group”"),
        ([("patient_id", "7000", "a")], None, {"ID_FIELD": "patient_id"}, "cannot be grouped"),
        ([], None, {}, "no rows"),
    ],
)
def test_tables_of_groups_that_do_not_fit_are_refused(provider, rows, columns, more, words):
    table = grouping(rows, columns) if columns else grouping(rows)
    assert words in refused(GROUPS=table, **more)


# --- values exchanged among neighbours --------------------------------------------------------


def original_rows(done, source):
    """The original of each released record, in their order."""
    original = {row["released_id"]: row["original_id"] for row in records(done["KEY"])}
    features = {feature.id(): feature for feature in source.getFeatures()}
    return [features[original[row["released_id"]]] for row in records(done["OUTPUT"])]


@pytest.mark.parametrize("algorithm", ["lipschitzrelease", "noisydistances"])
def test_values_are_exchanged_among_neighbours_alone(provider, tmp_path, algorithm):
    source, feedback = people(), Feedback()
    done = release(
        tmp_path,
        algorithm,
        source,
        feedback=feedback,
        FIELDS=["age", "ward"],
        EXCHANGE=["age"],
        EXCHANGE_K=4,
        **reported(tmp_path),
    )
    true, order = truth(done, source)
    ages = np.array([row["age"] for row in records(done["OUTPUT"])])
    own = np.array([feature["age"] for feature in order])
    assert sorted(ages) == sorted(own)
    assert 10 < (ages != own).sum() < COUNT
    # Each age comes from somebody near: two people have each of the sixty ages.
    nearest = np.array([true[row][own == age].min() for row, age in enumerate(ages)])
    assert np.median(nearest) < 0.25 * np.median(true)
    wards = [row["ward"] for row in records(done["OUTPUT"])]
    assert wards == [feature["ward"] or None for feature in order]
    assert any("age: exchanged at random in 30 groups" in one for one in feedback.infos)
    assert any("0.25 at most" in one for one in feedback.infos)
    assert "Exchanged values" in (tmp_path / "report.html").read_text("utf-8")


def test_values_are_exchanged_within_what_a_group_shares(provider, tmp_path):
    source, feedback = people(), Feedback()
    done = release(
        tmp_path,
        source=source,
        feedback=feedback,
        FIELDS=["age", "ward"],
        EXCHANGE=["age"],
        EXCHANGE_WITHIN=["ward"],
        EXCHANGE_K=3,
    )
    ages = [(row["ward"], row["age"]) for row in records(done["OUTPUT"])]
    own = [(one["ward"] or None, one["age"]) for one in original_rows(done, source)]
    assert ages != own
    assert sorted(map(str, ages)) == sorted(map(str, own))


def test_what_all_of_a_group_have_in_common_is_warned_of(provider, tmp_path):
    feedback = Feedback()
    xy = points(12, seed=2, size=60_000)
    rows = [(row, 40, "w1") for row in range(12)]
    source = layer(xy, crs=GRID, fields=FIELDS, rows=rows, name="people")
    release(tmp_path, source=source, feedback=feedback, FIELDS=["age"], EXCHANGE=["age"])
    assert any("hides nothing of 12 records" in one for one in feedback.warnings)


def test_an_exchange_says_what_it_does_not_hide(provider, tmp_path):
    feedback = Feedback()
    xy = points(12, seed=2, size=60_000)
    rows = [(row, 40 + row, "w1" if row < 9 else "w2") for row in range(12)]
    source = layer(xy, crs=GRID, fields=FIELDS, rows=rows, name="people")
    names = ["age", "ward"]
    release(tmp_path, source=source, feedback=feedback, FIELDS=names, EXCHANGE=names, EXCHANGE_K=3)
    said = "\n".join(feedback.infos)
    assert "never release these people's values again" in said
    assert "most of the group have is right for 4 of 12 records; the value that most of all" in said
    assert any("age: 12 records are alone in their group" in one for one in feedback.warnings)


def test_exchanged_values_single_nobody_out(provider, tmp_path):
    feedback, rows = Feedback(), [(row, 40 + row, f"w{row % 2}") for row in range(12)]
    source = layer(points(12, seed=2), crs=GRID, fields=FIELDS, rows=rows, name="people")
    names = ["age", "ward"]
    release(tmp_path, source=source, feedback=feedback, FIELDS=names, EXCHANGE=["age"])
    assert "Of 12 records, 0 (0.0 %) are the only ones with their values of all released " in (
        "\n".join(feedback.infos)
    )


def test_an_exchange_leaves_the_matrix_as_it_is(provider, tmp_path):
    source = people()
    given = {"FIELDS": ["age"], "SEED": 3}
    for name, more in (("with", {"EXCHANGE": ["age"]}), ("without", {})):
        (tmp_path / name).mkdir()
        release(tmp_path / name, source=source, **given, **more)
    first, second = (read_matrix(tmp_path / one / "matrix.npz") for one in ("with", "without"))
    assert (first.condensed == second.condensed).all()


@pytest.mark.parametrize(
    "given, words",
    [
        ({"FIELDS": ["ward"], "EXCHANGE": ["age"]}, "“age” is to be exchanged"),
        ({"FIELDS": ["age"], "EXCHANGE": ["age"], "EXCHANGE_WITHIN": ["age"]}, "at once"),
        ({"FIELDS": ["age"], "EXCHANGE_WITHIN": ["age"]}, "none that they exchange"),
        ({"FIELDS": ["age"], "EXCHANGE": ["age"], "EXCHANGE_K": 1}, "Least size"),
        ({"FIELDS": ["age"], "EXCHANGE": ["age"], "EXCHANGE_K": 500}, "a group needs 500"),
    ],
)
def test_exchanges_that_cannot_be_made_are_refused(provider, given, words):
    assert words in refused(**given)
