# SPDX-License-Identifier: GPL-2.0-or-later
"""What a custodian is told of microdata: who was found, or that nobody has looked."""

import pytest

from tests.processing.concluding import assert_concluded, reported
from tests.processing.helpers import layer, opened, records, run, saved
from tests.processing.test_microdata import anonymised, compared, people

pytestmark = pytest.mark.usefixtures("project")


# --- what runs no attack --------------------------------------------------------------------------


@pytest.mark.parametrize("method, has_key", [("spectral_rhs", True), ("spectral_swapping", False)])
def test_an_anonymised_table_is_not_tested(provider, tmp_path, method, has_key):
    release, key = tmp_path / "release.gpkg", tmp_path / "key.gpkg"
    done = anonymised(people(), METHOD=method, USE_GEOMETRY=True, SEED=1, OUTPUT=str(release),
                      KEY=str(key), **reported(tmp_path))  # fmt: skip
    verdict = assert_concluded(done, "not_tested")
    assert verdict["risk_high"] is None and verdict["evidence"] == []
    step = verdict["next"][0]
    assert f"ANONYMIZED={release}" in step and "USE_GEOMETRY=true" in step
    assert (f"KEY={key}" in step) == has_key
    assert "FIELDS=age;income" in step and "geoanon:disclosurerisk" in step
    assert str(key) not in verdict["next"][1]


def test_the_step_that_is_named_can_be_taken(provider, tmp_path):
    """Its parameters, as they stand there, are those of the attack."""
    source = saved(people(), tmp_path / "people.gpkg")
    done = anonymised(source, METHOD="spectral_rhs", SEED=1, KINDS="kids=categorical",
                      OUTPUT=str(tmp_path / "release.gpkg"), KEY=str(tmp_path / "key.gpkg"),
                      **reported(tmp_path))  # fmt: skip
    step = assert_concluded(done, "not_tested")["next"][0]
    given = step.split("with ", 1)[1].split("; with REFERENCE")[0]
    parameters = dict(one.split("=", 1) for one in given.split(", "))
    assert parameters["KINDS"] == "kids=categorical"
    assert parameters["ORIGINAL"] == "people"
    parameters["ORIGINAL"] = source
    assert run("disclosurerisk", {**parameters, "OUTPUT": "TEMPORARY_OUTPUT"})["N"] == done["N"]


def test_utility_says_nothing_of_people(provider, tmp_path):
    source = people()
    done = compared(source, anonymised(source, SEED=1)["OUTPUT"], **reported(tmp_path))
    verdict = assert_concluded(done, "not_tested")
    assert "geoanon:disclosurerisk" in verdict["next"][0]
    assert "ORIGINAL=people" in verdict["next"][0]


def test_records_of_nobody_are_not_tested_and_their_shares_are_told(provider, tmp_path):
    regions = layer([[0, 0], [500, 0]], fields="uid:string,part:string",
                    rows=[("a", "north"), ("b", "north")])  # fmt: skip
    shares = tmp_path / "shares.json"
    shares.write_text('{"groups": {"north": {"sex": [0.5, 0.5]}}}', encoding="utf-8")
    done = run("syntheticrecords", {
        "REGIONS": regions, "REGION_ID": "uid", "GROUP": "part", "SHARES_FILE": str(shares),
        "LEAST": 5, "MOST": 9, "OUTPUT": "TEMPORARY_OUTPUT",
    })  # fmt: skip
    assert_concluded(done, "not_tested", report=False)
    assert "geoanon:equivalenceclasses" in done.feedback.said
    assert "“part”" in done.feedback.said
    assert len(records(opened(done["OUTPUT"]))) == done["COUNT"]
