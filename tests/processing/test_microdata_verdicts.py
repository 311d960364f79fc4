# SPDX-License-Identifier: GPL-2.0-or-later
"""What a custodian is told of microdata: who was found, or that nobody has looked."""

import numpy as np
import pytest

from geoanon_qgis.core.verdict import LIMIT
from tests.processing.concluding import assert_concluded, reported
from tests.processing.helpers import layer, opened, records, run, saved
from tests.processing.test_microdata import (
    anonymised,
    compared,
    measured,
    numbers,
    people,
    table,
)

pytestmark = pytest.mark.usefixtures("project")


# --- what runs no attack --------------------------------------------------------------------------


@pytest.mark.parametrize("method, has_key", [("spectral_rhs", True), ("spectral_swapping", False)])
def test_an_anonymised_table_is_not_tested(provider, tmp_path, method, has_key):
    release, key = tmp_path / "release.gpkg", tmp_path / "key.gpkg"
    done = anonymised(
        people(),
        METHOD=method,
        USE_GEOMETRY=True,
        SEED=1,
        OUTPUT=str(release),
        KEY=str(key),
        **reported(tmp_path),
    )
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
    done = anonymised(
        source,
        METHOD="spectral_rhs",
        SEED=1,
        KINDS="kids=categorical",
        OUTPUT=str(tmp_path / "release.gpkg"),
        KEY=str(tmp_path / "key.gpkg"),
        **reported(tmp_path),
    )
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
    regions = layer(
        [[0, 0], [500, 0]], fields="uid:string,part:string", rows=[("a", "north"), ("b", "north")]
    )
    shares = tmp_path / "shares.json"
    shares.write_text('{"groups": {"north": {"sex": [0.5, 0.5]}}}', encoding="utf-8")
    done = run(
        "syntheticrecords",
        {
            "REGIONS": regions,
            "REGION_ID": "uid",
            "GROUP": "part",
            "SHARES_FILE": str(shares),
            "LEAST": 5,
            "MOST": 9,
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert_concluded(done, "not_tested", report=False)
    assert "geoanon:equivalenceclasses" in done.feedback.said
    assert "“part”" in done.feedback.said
    assert len(records(opened(done["OUTPUT"]))) == done["COUNT"]


# --- looked up by quasi-identifiers ---------------------------------------------------------------


def classes(folder, sizes, source=None, **more):
    """Count records of which as many are alike as ``sizes`` says."""
    kinds = [at for at, size in enumerate(sizes) for _ in range(size)]
    return run(
        "equivalenceclasses",
        {
            "INPUT": source or table({"kind": [float(one) for one in kinds]}),
            "QIS": ["kind"],
            "OUTPUT": "TEMPORARY_OUTPUT",
            **reported(folder),
            **more,
        },
    )


@pytest.mark.parametrize(
    "sizes, more, decision, said",
    [
        ([20, 30, 50], {}, "release_with_care", "to estimate. The fewest"),
        (
            [20, 30, 50, 4],
            {},
            "do_not_release",
            "Leave out the 4 records in classes of fewer than 5",
        ),
        ([20, 30, 50, 4], {"K": 3}, "release_with_care", "are 4 (k)"),
        ([20, 30, 50, 1], {"K": 2}, "do_not_release", "One record is shown as it is"),
        ([5] * 20, {}, "do_not_release", "classes of 12 records on average"),
        ([5] * 20, {"ACCEPTABLE": 0.2}, "release_with_care", "At most 20 %"),
    ],
)
def test_classes_are_judged_by_k_and_by_the_share_found(
    provider, tmp_path, sizes, more, decision, said
):
    done = classes(tmp_path, sizes, **more)
    verdict = assert_concluded(done, decision)
    share = len(sizes) / sum(sizes)
    assert done["RISK_LOW"] == done["RISK_HIGH"] == pytest.approx(share)
    assert done["LIMIT"] == more.get("ACCEPTABLE", 0.09)
    assert verdict["evidence"][0]["smallest"] == done["K_ANONYMITY"] == min(sizes)
    assert verdict["evidence"][0]["exposed"] == done["UNIQUES"]
    assert verdict["evidence"][0]["failed"] == (done["SMALL"] > 0)
    assert said in done.feedback.said


def test_the_step_against_small_classes_leads_to_a_better_verdict(provider, tmp_path):
    first = classes(tmp_path, [40, 40, 3])
    assert "Group the values (kind: left out): unique records are then 0" in first.feedback.said
    kept = [row["class_size"] for row in records(first["OUTPUT"]) if not row["small"]]
    again = classes(tmp_path, [size for size in set(kept) for _ in range(2)])
    assert (first["DECISION"], again["DECISION"]) == ("do_not_release", "release_with_care")


def test_places_that_were_not_looked_at_are_told(provider, tmp_path):
    source = layer([[0, row] for row in range(40)], fields="kind:double", rows=[(1.0,)] * 40)
    verdict = assert_concluded(classes(tmp_path, [], source), "release_with_care")
    of_members, of_people, of_places = verdict["not_run"]
    assert "each was taken to be another person" in of_people
    assert "geoanon:vbas" in of_places and "What a class tells of its members" in of_members
    table_alone = assert_concluded(classes(tmp_path, [40]), "release_with_care")
    assert table_alone["not_run"] == [of_members, of_people]


# --- disclosure risk ------------------------------------------------------------------------------

AGREE = {
    "adequate": "release_with_care",
    "undecided": "cannot_tell",
    "inadequate": "do_not_release",
}


@pytest.mark.parametrize(
    "method, with_key",
    [
        ("spectral_swapping", False),
        ("spectral_rhs", True),
        ("spectral_rhs", False),
        ("additive_noise", True),
        ("rhs", True),
    ],
)
def test_the_decision_is_the_worst_of_all(provider, tmp_path, method, with_key):
    source = table(numbers(500))
    made = anonymised(source, METHOD=method, SEED=2, KEY="TEMPORARY_OUTPUT")
    more = {"KEY": made["KEY"]} if with_key else {}
    done = measured(source, made["OUTPUT"], **more, **reported(tmp_path))
    assert done["DECISION"] == AGREE[done["VERDICT"]]
    if method == "additive_noise":
        assert done["MEASURES_VERDICT"] == "inadequate" and done["MEMBERSHIP"] > 0.2
    verdict = assert_concluded(done, done["DECISION"])
    by = {one["attack"]: one for one in verdict["evidence"]}
    attacks = {"singling_out", "linkability", "inference", "membership"}
    assert set(by) == {"verbatim_records", "partial_records", "nearest_records", *attacks}
    assert max(by[one]["high"] for one in attacks) <= done["RISK_HIGH"]
    if with_key:
        assert by["nearest_records"]["share"] == pytest.approx(done["REIDENTIFIED"])
        assert done["RISK_HIGH"] >= done["REIDENTIFIED"]
        (beside_others,) = verdict["not_run"]
        assert "REFERENCE" in beside_others
    else:
        assert by["nearest_records"]["share"] is None
        assert 0 < done["RISK_HIGH"] <= 1
        assert ["KEY" in one for one in verdict["not_run"]] == [False, True]


def test_a_release_that_is_adequate_holds(provider, tmp_path):
    source = table(numbers(500))
    # of so few people every other draw ends in "nobody can tell"; this one does not
    made = anonymised(source, SEED=4, KEY="TEMPORARY_OUTPUT")
    done = measured(source, made["OUTPUT"], KEY=made["KEY"], MARGIN=0.2, **reported(tmp_path))
    assert done["VERDICT"] == "adequate"
    verdict = assert_concluded(done, "release_with_care")
    assert "no record is made of one person" in verdict["not_run"][1]
    assert "geoanon:microdatautility" in verdict["next"][0]


@pytest.mark.parametrize(("acceptable", "stricter"), [(0.001, True), (0.5, False)])
def test_a_decision_stricter_than_the_measures_is_explained(
    provider, tmp_path, acceptable, stricter
):
    source = table(numbers(500))
    made = anonymised(source, METHOD="additive_noise", NOISE=1.0, SEED=2, KEY="TEMPORARY_OUTPUT")
    more = {"KEY": made["KEY"], "MARGIN": 0.5, "ACCEPTABLE": acceptable}
    done = measured(source, made["OUTPUT"], **more, **reported(tmp_path))
    assert done["MEASURES_VERDICT"] == "adequate"
    assert_concluded(done, "do_not_release" if stricter else "release_with_care")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    log = "\n".join([*done.feedback.infos, *done.feedback.warnings])
    for told in (page, log):
        assert ("The decision is stricter" in told) == stricter
    if stricter:
        assert "the acceptable 0.1 %" in log


def test_copied_people_are_exposed_whatever_the_average_says(provider, tmp_path):
    source = table(numbers(500))
    rows = records(anonymised(source, SEED=2)["OUTPUT"])
    names = [name for name in rows[0] if name.startswith("v")]
    columns = {name: [row[name] for row in rows] for name in names}
    for name, values in columns.items():
        values[:3] = [row[name] for row in records(source)[:3]]
    done = measured(source, table(columns), **reported(tmp_path))
    assert done["VERBATIM"] == 3 and done["VERDICT"] == "inadequate"
    verdict = assert_concluded(done, "do_not_release")
    shown = next(one for one in verdict["evidence"] if one["attack"] == "verbatim_records")
    assert (shown["exposed"], shown["found"], shown["people"]) == (3, 3, 500)
    assert shown["share"] < LIMIT  # nobody is a rounding error
    assert "of the 3 originals with verbatim = 1" in verdict["next"][0]


def test_beside_a_reference_of_other_people_one_drawn_alike_is_asked_for(provider, tmp_path):
    others = {name: [one + 0.1 for one in values] for name, values in numbers(sample=2).items()}
    done = measured(
        table(numbers()),
        table(numbers(sample=1)),
        REFERENCE=table(others),
        **reported(tmp_path),
    )
    step = assert_concluded(done, "cannot_tell")["next"][0]
    assert "same year, region and ages" in step


def test_against_averages_and_correlations_fewer_fields_help(provider, tmp_path):
    """The release has the averages and correlations of its people to the last digit, and no record of theirs."""
    columns = 30
    own, others, reference = (
        np.array(list(numbers(120, columns, seed=5, sample=sample).values())).T
        for sample in range(3)
    )
    turn = (
        np.linalg.inv(np.linalg.cholesky(np.cov(others.T)).T) @ np.linalg.cholesky(np.cov(own.T)).T
    )
    released = own.mean(0) + (others - others.mean(0)) @ turn
    original, anonymized, strangers = (
        table({f"v{at}": column.tolist() for at, column in enumerate(one.T)})
        for one in (own, released, reference)
    )
    done = measured(original, anonymized, REFERENCE=strangers, **reported(tmp_path))
    steps = assert_concluded(done, "do_not_release")["next"]
    assert "Release fewer fields, or those of more people" in steps[0]
    assert not any("Released records are too near" in one for one in steps)
    alone = measured(original, anonymized, **reported(tmp_path))
    assert alone["DECISION"] != "release_with_care"
    told = " ".join(assert_concluded(alone, alone["DECISION"])["next"])
    assert "what so many fields tell as a whole" in told
