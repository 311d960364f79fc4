# SPDX-License-Identifier: GPL-2.0-or-later
"""What a custodian is told of aggregated areas: whom a look-up finds in what is released."""

from collections import Counter

import pytest

from tests.processing.concluding import assert_concluded, reported
from tests.processing.helpers import records, run
from tests.processing.test_vbas import (  # noqa: F401  # inputs is a fixture
    LOCATIONS,
    PEOPLE,
    aggregated,
    inputs,
)

pytestmark = pytest.mark.usefixtures("project")


def share_found(done, names=("area_id", "age", "sex")):
    """Counted anew from the released records: as many are found as there are classes."""
    rows = records(done["RECORDS_OUT"])
    sizes = Counter(tuple(row[name] for name in names) for row in rows)
    return len(sizes) / len(rows), min(sizes.values()), len(rows)


@pytest.mark.parametrize(
    "more, decision",
    [
        ({"SITES": 90, "K": 5}, "do_not_release"),
        ({"SITES": 16, "K": 12}, "release_with_care"),
        ({"SITES": 3, "K": 5}, "release_with_care"),
        ({"SITES": 90, "K": 5, "ACCEPTABLE": 0.2}, "release_with_care"),
        ({"SITES": 16, "K": 5, "ACCEPTABLE": 0}, "do_not_release"),
    ],
)
def test_the_verdict_is_on_what_is_released(
    provider,
    tmp_path,
    inputs,  # noqa: F811
    more,
    decision,
):
    done = aggregated(inputs, tmp_path, **more, **reported(tmp_path))
    verdict = assert_concluded(done, decision)
    share, smallest, released = share_found(done)
    (found,) = verdict["evidence"]
    assert done["RISK_LOW"] == done["RISK_HIGH"] == pytest.approx(share)
    assert found["people"] == released and found["smallest"] == smallest == done["ANONYMITY"]
    assert found["withheld"] == done["SUPPRESSED"] == len(PEOPLE) - released
    assert found["exposed"] == 0 and not found["failed"]


def test_the_step_that_is_named_holds(provider, tmp_path, inputs):  # noqa: F811
    done = aggregated(inputs, tmp_path, SITES=90, **reported(tmp_path))
    step = assert_concluded(done, "do_not_release")["next"][0]
    assert "Run it again with K=12," in step
    assert aggregated(inputs, tmp_path, SITES=90, K=12)["DECISION"] == "release_with_care"


def test_what_a_census_would_tell_is_said(provider, tmp_path, inputs):  # noqa: F811
    """Where all combinations but one are shown, the number of an area's people tells that one."""
    done = aggregated(inputs, tmp_path, QIS=["age"], SITES=40, **reported(tmp_path))
    rows, told = records(done["RECORDS_OUT"]), 0
    for area in records(done["OUTPUT"]):
        shown = {row["age"] for row in rows if row["area_id"] == area["area_id"]}
        told += area["suppressed"] > 0 and len(shown) == len({row[1] for row in PEOPLE}) - 1
    (said,) = [
        one
        for one in assert_concluded(done, done["DECISION"])["not_run"]
        if "from a census)" in one
    ]
    assert 1 < told < 40 and f"in {told} areas" in said
    plain = aggregated(inputs, tmp_path, QIS=["age"], SITES=2, **reported(tmp_path))
    assert not plain["SUPPRESSED"] and "from a census)" not in plain.feedback.said


def test_nothing_released_is_no_proof(provider, tmp_path, inputs):  # noqa: F811
    done = aggregated(inputs, tmp_path, K=2000, **reported(tmp_path))
    assert_concluded(done, "cannot_tell")
    assert done["RISK_HIGH"] == 1 and "Take fewer sites (now 16)" in done.feedback.said


def test_attributes_that_identify_make_no_verdict_better(provider, tmp_path, inputs):  # noqa: F811
    plain = aggregated(inputs, tmp_path, K=12)
    done = aggregated(inputs, tmp_path, K=12, FIELDS=["name", "ward"], **reported(tmp_path))
    verdict = assert_concluded(done, "cannot_tell")
    assert plain["DECISION"] == "release_with_care" and done["RISK_HIGH"] == 1
    assert "Leave name" in verdict["next"][0] and "name, ward" in verdict["not_run"][0]
    # The same people, attacked with what the release holds of them.
    attacked = run(
        "equivalenceclasses",
        {
            "INPUT": done["RECORDS_OUT"],
            "QIS": ["area_id", "age", "sex", "name"],
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert attacked["DECISION"] == "do_not_release"


def test_the_release_looks_to_the_attack_as_it_was_told(provider, tmp_path, inputs):  # noqa: F811
    """“Equivalence classes” on the released file finds the very same share."""
    done = aggregated(inputs, tmp_path, K=12)
    attacked = run(
        "equivalenceclasses",
        {
            "INPUT": done["RECORDS_OUT"],
            "QIS": ["area_id", "age", "sex"],
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert attacked["RISK_HIGH"] == pytest.approx(done["RISK_HIGH"])
    assert attacked["DECISION"] == done["DECISION"]


# --- comparing ------------------------------------------------------------------------------------


def tried(inputs, folder, **more):  # noqa: F811
    return run(
        "vbascompare",
        {
            **inputs,
            "KS": "5, 12",
            "SITES_BY": ["fixed"],
            "SITES": 90,
            "SEED": 4,
            "LOCATIONS": ["balanced_density", "random"],
            "OUTPUT": str(folder / "all.gpkg"),
            "REPORT": str(folder / "r.html"),
            "JSON": str(folder / "r.json"),
            **more,
        },
    )


def test_the_worst_combination_decides(provider, tmp_path, inputs):  # noqa: F811
    assert set(LOCATIONS) >= {"balanced_density", "random"}
    done = tried(inputs, tmp_path)
    verdict = assert_concluded(done, "do_not_release")
    assert "2 of 4 combinations held" in verdict["next"][0]
    assert "EARLIER" in verdict["not_run"][0] and "PERSON_FIELD" in verdict["not_run"][1]
    assert "K=12, SITES_BY=fixed, LOCATION=" in verdict["next"][1]
    single = [
        aggregated(inputs, tmp_path, K=k, SITES=90, LOCATION=where)["RISK_HIGH"]
        for k in (5, 12)
        for where in ("balanced_density", "random")
    ]
    assert done["RISK_HIGH"] == pytest.approx(max(single))


@pytest.mark.parametrize(
    "more, decision, said",
    [
        ({"KS": "12"}, "release_with_care", "2 of 2 combinations held"),
        ({"KS": "5"}, "do_not_release", "Compare again with KS=12"),
        ({"KS": "2000"}, "cannot_tell", "Try fewer sites"),
        ({"KS": "12, 2000"}, "release_with_care", "2 of 4 combinations held"),
    ],
)
def test_other_decisions_on_combinations(
    provider,
    tmp_path,
    inputs,  # noqa: F811
    more,
    decision,
    said,
):
    done = tried(inputs, tmp_path, **more)
    assert_concluded(done, decision)
    assert said in done.feedback.said
