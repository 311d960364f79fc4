# SPDX-License-Identifier: GPL-2.0-or-later
"""MASK: what a release writes into it, what it never holds, and what attacks make of it."""

import contextlib
import json
import sqlite3

import numpy as np
import pytest

from geoanon_qgis.core.verification import digests, maskfile
from tests.processing.helpers import Feedback, layer, records, refusal, run
from tests.processing.test_distance_releases import grouping, people, release

#: Places and a seed with digits that stand nowhere else.
SECRET_SEED = 918_273_645
SQUARE = "Polygon ((380000 380000, 480000 380000, 480000 480000, 380000 480000, 380000 380000))"
KINDS = "sex:string,age:int,note:string"


def town(count=90, seed=3):
    """People in three towns."""
    rng = np.random.default_rng(seed)
    at = rng.uniform(400_000, 460_000, (3, 2))
    xy = at[rng.integers(0, 3, count)] + rng.normal(0, 3000, (count, 2))
    rows = [("fm"[n % 2], 20 + int(rng.integers(0, 40)), f"secret-{n:05d}") for n in range(count)]
    return xy, rows


XY, ROWS = town()


def somebody(first=0, last=None, name="people"):
    return layer(XY[first:last], fields=KINDS, rows=ROWS[first:last], name=name)


def area():
    return layer([SQUARE], kind="Polygon", name="county")


def made(folder, algorithm="lipschitzrelease", feedback=None, **more):
    return release(
        folder,
        algorithm,
        more.pop("source", None) or somebody(0, 60),
        feedback=feedback,
        **{
            "FIELDS": ["sex", "age"],
            "MASK": str(folder / "mask.json"),
            "SEED": SECRET_SEED,
            **({"SETS": 15, "SIZE": 4} if algorithm == "lipschitzrelease" else {}),
            **more,
        },
    )


def attacked(done, folder, feedback=None, mask=True, **more):
    given = {
        "TARGET": str(done["OUTPUT"]),
        "MATRIX": str(done["MATRIX"]),
        "IDENTIFICATION": somebody(20, 90, "known"),
        "TRUTH": str(done["KEY"]),
        "OUTPUT": "TEMPORARY_OUTPUT",
        "SEED": 5,
        **({"MASK": str(done["MASK"])} if mask else {}),
        **more,
    }
    return run("linkageattack", given, feedback)


def numbers_in(value):
    if isinstance(value, dict):
        return [one for each in value.values() for one in numbers_in(each)]
    if isinstance(value, list):
        return [one for each in value for one in numbers_in(each)]
    return [value] if isinstance(value, (int, float)) else []


# --- writing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["lipschitzrelease", "noisydistances"])
@pytest.mark.parametrize("given", [{}, {"AREA": True}])
def test_no_secret_stands_in_a_mask_file(provider, tmp_path, algorithm, given):
    if given and algorithm == "noisydistances":
        given = {"NOISE": "laplace"}
    elif given:
        given = {"AREA": area(), "REFERENCE_SETS": str(tmp_path / "sets.gpkg"), "PRE_NOISE": 1500}
    done = made(tmp_path, algorithm, **given)
    text = (tmp_path / "mask.json").read_text("utf-8")
    told = json.loads(text)
    assert str(SECRET_SEED) not in text and str(tmp_path) not in text
    assert not any(note in text for _, _, note in ROWS)
    found = np.array(numbers_in(told), dtype=float)
    secret = XY.ravel()
    if "AREA" in given:
        secret = np.append(secret, np.array([(f["x"], f["y"]) for f in _sets(tmp_path)]).ravel())
        assert len(told["area"]) == 1 and len(secret) > 60 * 2
    else:
        assert told["area"] is None  # the hull's corners are places of records
    near = np.abs(found[:, None] - secret).min(axis=0)
    assert near.min() > 1.0 or "AREA" in given and near.min() > 1e-3
    assert set(told) == {
        "format",
        "version",
        "method",
        "parameters",
        "metric",
        "unit",
        "crs",
        "area",
        "attributes",
        "groups",
        "exchanged",
        "rounding",
        "released",
    }
    assert set(told["parameters"]) == set(maskfile.METHODS[told["method"]])
    assert done["N"] == 60


def _sets(folder):
    from tests.processing.helpers import opened

    opened_layer = opened(str(folder / "sets.gpkg"))
    return [
        {"x": one.geometry().asPoint().x(), "y": one.geometry().asPoint().y()}
        for one in opened_layer.getFeatures()
    ]


@pytest.mark.parametrize(
    ("algorithm", "given", "method", "known", "step"),
    [
        (
            "lipschitzrelease",
            {"STEP": 250, "UNIT": "km", "PRE_NOISE": 300},
            "lipschitz",
            {"sets": 15, "size": 4, "pre_noise": 300.0},
            (250.0, True),
        ),
        (
            "noisydistances",
            {},
            "coordinate_noise",
            {"sigma": 1000.0, "sigma_unit": "m"},
            (1.0, False),
        ),
        (
            "noisydistances",
            {"NOISE": "laplace", "SIGMA": 40, "DECIMALS": -1},
            "distance_noise",
            {"sigma": 40.0, "distribution": "laplace"},
            (10.0, False),
        ),
        ("noisydistances", {"NOISE": "exact"}, "exact", {}, (1.0, False)),
    ],
)
def test_a_mask_file_says_how_the_release_was_made(
    provider, tmp_path, algorithm, given, method, known, step
):
    done = made(tmp_path, algorithm, **given)
    mask = maskfile.read(done["MASK"])
    assert (mask.method, dict(mask.parameters), mask.metric) == (method, known, "geodesic")
    assert (mask.step, mask.down) == (pytest.approx(step[0]), step[1])
    assert mask.unit == given.get("UNIT", "m") and mask.crs == "EPSG:27700"
    assert mask.attributes == ("sex", "age")
    assert {one.output for one in mask.released} == {"MATRIX", "OUTPUT"}
    for one in mask.released:
        assert one.is_in(digests.of_file(done[one.output]))


def test_nothing_else_changes_when_a_mask_file_is_written(provider, tmp_path):
    (tmp_path / "other").mkdir()
    one = made(tmp_path, ending="csv")
    other = made(tmp_path / "other", ending="csv", MASK=None)
    assert other.results.get("MASK") is None
    read = [digests.of_file(done["MATRIX"]).sha256 for done in (one, other)]
    assert read[0] == read[1]
    assert records(one["OUTPUT"]) == records(other["OUTPUT"])


# --- attacks --------------------------------------------------------------------------------------


def found_in(done):
    return records(done["OUTPUT"]), {
        name: done[name] for name in ("CLIQUE", "PRECISION", "RECALL", "VERTICES", "DECISION")
    }


def test_an_attack_with_a_mask_file_is_that_with_its_parameters(provider, tmp_path):
    done = made(tmp_path, AREA=area(), STEP=50)
    feedback = Feedback()
    one = attacked(done, tmp_path, feedback, METHOD="near_group")
    by_hand = {
        "TARGET_QIS": ["sex", "age"],
        "IDENTIFICATION_QIS": ["sex", "age"],
        "SETS": 15,
        "SIZE": 4,
        "AREA": area(),
    }
    other = attacked(done, tmp_path, mask=False, METHOD="near_group", **by_hand)
    assert found_in(one) == found_in(other)
    assert one["CLIQUE"] >= 10
    assert "taken from the mask file" in feedback.said and not any(
        "another matrix" in said for said in feedback.warnings
    )


def test_what_the_mask_file_says_stands_on_the_audit_page(provider, tmp_path):
    done = made(tmp_path, PRE_NOISE=200)
    attacked(done, tmp_path, METHOD="near_group", JSON=str(tmp_path / "it.json"))
    told = json.loads((tmp_path / "it.json").read_text("utf-8"))["audit"]["parameters"]
    used = {one["name"]: one.get("value") for one in told}
    assert (used["SETS"], used["SIZE"], used["PRE_NOISE"]) == (15, 4, 200)
    assert used["TARGET_QIS"] == ["sex", "age"]


def test_groups_of_the_mask_file_are_those_of_the_people(provider, tmp_path):
    rows = [("age", str(age), f"{age // 10 * 10}s") for age in range(20, 60)]
    done = made(tmp_path, GROUPS=grouping(rows))
    found = attacked(done, tmp_path, METHOD="near_group")
    assert found["VERTICES"] > 60 * 70 / 20
    assert found["CLIQUE"] > 0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"SETS": 30}, "the mask file says 15"),
        ({"RULE": "absolute"}, "the mask file says lipschitz"),
        ({"METRIC": "planar"}, "the mask file says geodesic"),
        ({"PRE_NOISE": 5}, "the mask file says 0"),
        ({"AREA": True}, "Leave AREA empty"),
    ],
)
def test_what_contradicts_the_mask_file_is_refused(provider, tmp_path, given, words):
    done = made(tmp_path, AREA=area())
    if "AREA" in given:
        given = {"AREA": area()}
    more = {
        "TARGET": str(done["OUTPUT"]),
        "MATRIX": str(done["MATRIX"]),
        "IDENTIFICATION": somebody(20, 90),
        "MASK": str(done["MASK"]),
        "OUTPUT": "TEMPORARY_OUTPUT",
    }
    assert words in refusal("linkageattack", {**more, **given})


def test_an_attack_by_exchanged_values_is_refused(provider, tmp_path):
    """It would rule out the true pairs, find nobody, and call that a release that holds."""
    done = made(tmp_path, EXCHANGE=["age"])
    mask = maskfile.read(done["MASK"])
    assert (mask.attributes, mask.exchanged) == (("sex",), ("age",))
    attacked(done, tmp_path, METHOD="near_group")
    more = {
        "TARGET": str(done["OUTPUT"]),
        "MATRIX": str(done["MATRIX"]),
        "IDENTIFICATION": somebody(20, 90),
        "MASK": str(done["MASK"]),
        "TARGET_QIS": ["sex", "age"],
        "IDENTIFICATION_QIS": ["sex", "age"],
        "OUTPUT": "TEMPORARY_OUTPUT",
    }
    said = refusal("linkageattack", more)
    assert "“age” was not released with people's own values" in said


def test_the_mask_file_of_another_matrix_is_warned_of(provider, tmp_path):
    (tmp_path / "other").mkdir()
    one, other = made(tmp_path), made(tmp_path / "other", SEED=1)
    one.results["MASK"] = other["MASK"]
    feedback = Feedback()
    attacked(one, tmp_path, feedback, METHOD="near_group")
    assert any("another matrix (matrix.npz)" in said for said in feedback.warnings)


def test_the_mask_file_of_other_records_is_warned_of(provider, tmp_path):
    done = made(tmp_path)
    feedback = Feedback()
    attacked(done, tmp_path, feedback, METHOD="near_group")
    assert not any("another file of records" in said for said in feedback.warnings)
    changed = tmp_path / "changed.gpkg"
    changed.write_bytes((tmp_path / "records.gpkg").read_bytes())
    with contextlib.closing(sqlite3.connect(changed)) as there, there:
        (table,) = there.execute("SELECT table_name FROM gpkg_contents").fetchone()
        there.execute(f'UPDATE "{table}" SET age = age + 1')  # noqa: S608
    feedback = Feedback()
    attacked(done, tmp_path, feedback, METHOD="near_group", TARGET=str(changed))
    assert any("another file of records (records.gpkg)" in said for said in feedback.warnings)


def test_an_attack_that_knows_of_the_noise_finds_at_least_what_it_found_without(provider, tmp_path):
    done = made(tmp_path, source=somebody(0, 90), PRE_NOISE=150)
    told = attacked(done, tmp_path, METHOD="near_group")
    untold = attacked(
        done,
        tmp_path,
        mask=False,
        METHOD="near_group",
        TARGET_QIS=["sex", "age"],
        IDENTIFICATION_QIS=["sex", "age"],
        SETS=15,
        SIZE=4,
    )

    def right(found):
        return round(found["CLIQUE"] * (found.results.get("PRECISION") or 0))

    assert right(told) >= max(right(untold), 10)


def test_a_mask_file_that_is_none_is_a_sentence(provider, tmp_path):
    done = made(tmp_path)
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    more = {
        "TARGET": str(done["OUTPUT"]),
        "MATRIX": str(done["MATRIX"]),
        "IDENTIFICATION": people(),
    }
    said = refusal("linkageattack", {**more, "MASK": str(bad), "OUTPUT": "TEMPORARY_OUTPUT"})
    assert "“bad.json” is no mask file" in said


# --- experiments and accuracy ---------------------------------------------------------------------


def experiment(**more):
    given = {
        "INPUT": somebody(),
        "QIS": ["sex", "age"],
        "N_TARGET": 40,
        "N_IDENTIFICATION": 40,
        "OVERLAP": 20,
        "REPEATS": 1,
        "ATTACK": "near_group",
        "SEED": 3,
        "OUTPUT": "TEMPORARY_OUTPUT",
    }
    return run("linkageexperiment", {**given, **more})


def test_an_experiment_repeats_the_release_of_a_mask_file(provider, tmp_path):
    done = made(tmp_path, AREA=area(), STEP=50, PRE_NOISE=100)
    one = experiment(MASK=str(done["MASK"]))
    by_hand = {"SETS": "15", "SIZE": "4", "PRE_NOISE": 100, "STEP": 50, "AREA": area()}
    other = experiment(**by_hand)
    rows, same = records(one["OUTPUT"]), records(other["OUTPUT"])
    assert len(rows) == 1 and "pre_noise=100.0,step=50.0" in rows[0]["release"]
    assert [{**row, "seconds": 0} for row in rows] == [{**row, "seconds": 0} for row in same]


def test_noise_by_a_mask_file_is_tried(provider, tmp_path):
    done = made(tmp_path, "noisydistances", SIGMA=700)
    (row,) = records(experiment(MASK=str(done["MASK"]))["OUTPUT"])
    assert (row["method"], row["sigma"], row["in_degrees"]) == ("coordinate_noise", 700.0, 0)


def test_exact_distances_need_no_experiment(provider, tmp_path):
    done = made(tmp_path, "noisydistances", NOISE="exact")
    more = {"INPUT": somebody(), "QIS": ["sex"], "OUTPUT": "TEMPORARY_OUTPUT"}
    assert "exact distances" in refusal("linkageexperiment", {**more, "MASK": str(done["MASK"])})


def test_accuracy_takes_metric_and_unit_of_a_mask_file(provider, tmp_path):
    source = somebody(0, 60)
    done = made(tmp_path, source=source, UNIT="km", METRIC="planar", ending="csv")
    given = {"INPUT": source, "MATRIX": str(done["MATRIX"]), "KEY": str(done["KEY"])}
    found = run(
        "distanceaccuracy", {**given, "MASK": str(done["MASK"]), "OUTPUT": "TEMPORARY_OUTPUT"}
    )
    assert found["MEDIAN_RATIO"] == pytest.approx(done["MEDIAN_RATIO"])
    assert found["MAX_VIOLATION"] == 0


def test_accuracy_tries_embeddings_like_that_of_a_mask_file(provider, tmp_path):
    ratios = []
    for noise in (0, 5000):
        done = made(tmp_path, PRE_NOISE=noise)
        given = {"INPUT": somebody(), "MASK": str(done["MASK"]), "REPEATS": 2, "SEED": 1}
        found = run("distanceaccuracy", {**given, "OUTPUT": "TEMPORARY_OUTPUT"})
        rows = records(found["OUTPUT"])
        assert {(row["sets"], row["size"]) for row in rows} == {(15, 4)} and found["SETTINGS"] == 1
        ratios.append(next(row["value"] for row in rows if row["measure"] == "nearest_kept"))
    assert ratios[1] < ratios[0]
    other = made(tmp_path, "noisydistances")
    said = refusal(
        "distanceaccuracy",
        {"INPUT": somebody(), "MASK": str(other["MASK"]), "OUTPUT": "TEMPORARY_OUTPUT"},
    )
    assert "another method" in said
