# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:microdatautility: what analysts would do with the release."""

import json

import numpy as np
import pytest

from tests.processing.helpers import coordinates, layer, records, refusal, run
from tests.processing.test_microdata import FIELDS, people, table

FORMULAS = 'INCOME ~ age + "sex"; smoker ~ age + job'


def compared(original, released, **more):
    given = {"ORIGINAL": original, "ANONYMIZED": released, "OUTPUT": "TEMPORARY_OUTPUT", "SEED": 1}
    return run("microdatautility", {**given, **more})


def squares():
    """Four areas that hold the people's two towns."""
    corners = [(524_000 + 6_000 * x, 176_000 + 6_000 * y) for x in (0, 1) for y in (0, 1)]
    shapes = [
        f"POLYGON(({x} {y}, {x + 6_000} {y}, {x + 6_000} {y + 6_000}, {x} {y + 6_000}, {x} {y}))"
        for x, y in corners
    ]
    return layer(shapes, kind="Polygon", name="squares")


@pytest.fixture(scope="module")
def exchanged(provider):
    """Cells of every field and the places exchanged: distributions stay, relations do not."""
    source, rng = people(nulls=False), np.random.default_rng(4)
    rows = records(source)
    columns = {name: rng.permutation([row[name] for row in rows]).tolist() for name in FIELDS}
    fields = "age:int,income:double,sex:string,smoker:bool,kids:int,job:string,pressure:double"
    swapped = list(zip(*(columns[one.split(":")[0]] for one in fields.split(","))))
    return source, layer(rng.permutation(coordinates(source)), fields=fields, rows=swapped)


def test_a_release_that_is_the_original_loses_nothing(provider, tmp_path):
    source = people(nulls=False)
    done = compared(source, source, FIELDS=FIELDS, FORMULA=FORMULAS, ZONES=squares())
    assert done["OVERLAP"] == done["LEAST_OVERLAP"] == 1 and done["INFORMATION"] == 0
    assert done["PMSE_RATIO"] == done["PMSE_RATIO_PAIRS"] == 0
    assert done["ZONE_CORRELATION"] == pytest.approx(1) and done["AUC_LOST"] < 0.01
    assert done["DECISION"] == "not_tested"


def test_lost_relations_are_told_by_every_analysis(exchanged, tmp_path):
    source, released = exchanged
    done = compared(
        source,
        released,
        FIELDS=FIELDS,
        FORMULA=FORMULAS,
        ZONES=squares(),
        REPORT=str(tmp_path / "u.html"),
        JSON=str(tmp_path / "u.json"),
    )
    assert done["LARGEST_KS"] == 0 and done["PMSE_RATIO"] == 0  # which see nothing of it
    assert done["LEAST_OVERLAP"] < 0.3 and done["AUC_LOST"] > 0.2
    assert done["PMSE_RATIO_PAIRS"] > 3 and done["ZONE_CORRELATION"] < 0.9
    rows = records(done["OUTPUT"])
    found = {(row["measure"], row["variable"], row["other"]): row for row in rows}
    age = np.array([row["age"] for row in records(source)], dtype=float)
    sex = np.array([row["sex"] for row in records(source)])
    other = "m" if (sex == "f").sum() > len(sex) / 2 else "f"  # than the most frequent one
    x = np.column_stack([np.ones(len(age)), age, sex == other]).astype(float)
    beta = np.linalg.lstsq(x, [row["income"] for row in records(source)], rcond=None)[0]
    for term, value in zip(("(constant)", "age", f"sex={other}"), beta):
        assert found["coefficient", term, "income"]["original"] == pytest.approx(value)
    assert found["interval_overlap", "age", "income"]["difference"] == done["LEAST_OVERLAP"]
    shares = {row["variable"] for row in rows if row["measure"] == "zone_correlation"}
    assert {"age", "sex=m", "job=care"} <= shares
    page = (tmp_path / "u.html").read_text(encoding="utf-8")
    for said in ("Overlap of the 95 % intervals", "Can it be told from the original?", "By zone"):
        assert said in page
    figures = json.loads((tmp_path / "u.json").read_text())["figures"]
    assert figures["auc_lost"] == done["AUC_LOST"]


def test_an_effect_that_is_turned_is_warned_of(provider):
    rng = np.random.default_rng(2)
    age = rng.normal(50, 10, 200)
    pay = age * 10 + rng.normal(0, 20, 200)
    columns = {"age": age.tolist(), "pay": pay.tolist()}
    turned = {"age": age.tolist(), "pay": (1000 - pay).tolist()}
    done = compared(table(columns), table(turned), FORMULA="pay ~ age")
    assert "the effect of age on pay is surely the other way round" in done.feedback.said
    assert "ZONE_CORRELATION" not in done.results


def test_what_cannot_be_done_is_a_sentence(provider):
    source = people(nulls=False)
    given = {"ORIGINAL": source, "ANONYMIZED": source, "OUTPUT": "TEMPORARY_OUTPUT"}
    assert "cannot be read" in refusal("microdatautility", {**given, "FORMULA": "age"})
    sentence = refusal("microdatautility", {**given, "FORMULA": "age ~ nothing"})
    assert "names “nothing”, which is not among the fields" in sentence
    plain = table({"age": [1.0, 2.0, 3.0] * 20, "sex": ["f", "m"] * 30})
    given = {"ORIGINAL": plain, "ANONYMIZED": plain, "OUTPUT": "TEMPORARY_OUTPUT"}
    refused = refusal("microdatautility", {**given, "ZONES": squares()})
    assert "Zones need two point layers" in refused
