# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:disclosurerisk as an adversary would run it: who is found, and what is said of it."""

import json

import numpy as np
import pytest

from tests.processing.concluding import assert_concluded, reported
from tests.processing.helpers import layer, opened, records, refusal
from tests.processing.test_microdata import anonymised, measured, numbers, people_rows, table

pytestmark = pytest.mark.usefixtures("project")

COUNT = 1200
NAMES = ["age", "income", "sex", "smoker", "kids", "job", "pressure"]
TYPES = "age:int,income:double,sex:string,smoker:bool,kids:int,job:string,pressure:double"


def sample(seed, true=(), of=None, name="people"):
    """A layer of people; or one made of ``of``, each field dealt out but those that are true."""
    xy, rows = people_rows(COUNT, seed if of is None else of, nulls=False)
    columns = [np.array([row[at] for row in rows], dtype=object) for at in range(1, 8)]
    if of is not None:
        rng = np.random.default_rng(seed)
        order = rng.permutation(COUNT)
        columns = [
            column[order if field in true else rng.permutation(COUNT)]
            for field, column in zip(NAMES, columns)
        ]
        xy = xy[order if "place" in true else rng.permutation(COUNT)]
    return layer(xy, fields=TYPES, rows=list(zip(*columns)), name=name)


def test_true_places_and_one_true_field_are_not_adequate(provider, tmp_path):
    released = sample(3, {"place", "pressure"}, of=1)
    done = measured(
        sample(1),
        released,
        USE_GEOMETRY=True,
        AT_RISK="TEMPORARY_OUTPUT",
        REFERENCE=sample(2),
        **reported(tmp_path),
    )
    verdict = assert_concluded(done, "do_not_release")
    assert (done["VERDICT"], done["ADEQUATE"], done["MEASURES_VERDICT"]) == (
        "inadequate",
        0,
        "adequate",
    )
    assert done["INFERENCE"] > 0.95 and done["INFERENCE_HIGH"] >= done["INFERENCE"]
    listed = records(opened(done["AT_RISK"]))
    assert len(listed) == done["PEOPLE_AT_RISK"] > 0.95 * COUNT
    assert sum("inference: pressure" in row["why"] for row in listed) > 0.95 * COUNT
    assert opened(done["AT_RISK"]).isSpatial()
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "the place alone" in page and "guesses pressure" in page
    assert "do not see a true place beside swapped fields" in page
    by = {one["attack"]: one for one in verdict["evidence"]}
    assert by["inference"]["right"] > 0.95 > by["inference"]["control"]
    assert "Release pressure, the place in another way" in verdict["next"][0]


def test_whose_own_record_is_the_nearest_is_listed(provider):
    """As many as the key says are found, where these are surely more than is acceptable."""
    original = sample(1)
    for noise, many in ((0.02, True), (3.0, False)):
        made = anonymised(
            original, FIELDS=NAMES, METHOD="additive_noise", NOISE=noise, KEY="TEMPORARY_OUTPUT"
        )
        done = measured(
            original,
            made["OUTPUT"],
            KEY=made["KEY"],
            REFERENCE=sample(2),
            AT_RISK="TEMPORARY_OUTPUT",
        )
        listed = [row for row in records(opened(done["AT_RISK"])) if "nearest" in row["why"]]
        assert (done["REIDENTIFIED"] > 0.2) == many
        assert len(listed) == pytest.approx(done["REIDENTIFIED"] * COUNT if many else 0, abs=2)


def test_a_reference_that_was_released_is_no_reference(provider):
    """Beside itself every release looks harmless; beside a part of itself it looks better."""
    released = sample(5, name="released")
    said = refusal(
        "disclosurerisk",
        {
            "ORIGINAL": sample(1),
            "ANONYMIZED": released,
            "REFERENCE": sample(5, name="again"),
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert "The reference holds the released records" in said
    xy, rows = people_rows(COUNT, 5, nulls=False)
    others, more = people_rows(COUNT, 6, nulls=False)
    mixed = layer(
        np.concatenate([xy[:100], others]), fields=TYPES, rows=[r[1:8] for r in rows[:100] + more]
    )
    done = measured(sample(1), released, REFERENCE=mixed)
    assert "shares records with the release: 100 records" in done.feedback.said


def test_values_that_only_other_tables_have(provider):
    """Zeros of a number that all originals have, and a third value: judged, unless the kind was given."""
    rng = np.random.default_rng(8)

    def people():
        cost = np.round(np.exp(rng.normal(4, 1, 300)), 2).tolist()
        sex = rng.choice(["f", "m"], 300).tolist()
        return {"cost": cost, "age": rng.integers(18, 90, 300).astype(float).tolist(), "sex": sex}

    original, released, reference = people(), people(), people()
    released["cost"][0] = 0.0
    reference["sex"][0] = "x"
    tables = [table(one) for one in (original, released, reference)]
    done = measured(tables[0], tables[1], REFERENCE=tables[2])
    assert done["DECISION"] != "do_not_release"
    assert "cost=continuous" in done.feedback.said and "sex=categorical" in done.feedback.said
    names = dict(zip(("ORIGINAL", "ANONYMIZED", "REFERENCE"), tables))
    given = {**names, "KINDS": "cost=positive", "OUTPUT": "TEMPORARY_OUTPUT"}
    assert "no logarithm" in refusal("disclosurerisk", given)


def test_people_released_in_part_are_listed(provider, tmp_path):
    """Forty places, ages and incomes of 1,200: no average sees them, and each is one too many."""
    xy, rows = people_rows(COUNT, 4, nulls=False)
    own_xy, own = people_rows(COUNT, 1, nulls=False)
    rows = [
        (*mine[1:3], *other[3:8]) if at < 40 else other[1:8]
        for at, (mine, other) in enumerate(zip(own, rows))
    ]
    xy[:40] = own_xy[:40]
    done = measured(
        sample(1),
        layer(xy, fields=TYPES, rows=rows),
        USE_GEOMETRY=True,
        AT_RISK="TEMPORARY_OUTPUT",
        REFERENCE=sample(2),
        **reported(tmp_path),
    )
    verdict = assert_concluded(done, "do_not_release")
    assert done["VERBATIM"] == 0 and 40 <= done["IN_PART"] <= 45
    listed = records(opened(done["AT_RISK"]))
    assert sum("true values stand together" in row["why"] for row in listed) == done["IN_PART"]
    assert any("true values stand together" in one for one in verdict["next"])
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "are released together, whatever else was changed" in page
    assert (
        "stand together in a released record, whatever else" in page
        and "Who is released in part" in page
    )


def test_he_knows_and_wants_what_is_named(provider, tmp_path):
    released = sample(3, {"age", "income"}, of=1)
    given = {"USE_GEOMETRY": True, "REFERENCE": sample(2)}
    done = measured(sample(1), released, KNOWN=["income"], KNOWN_PLACE=False, **given)
    assert done["INFERENCE"] > 0.9
    done = measured(sample(1), released, KNOWN=["income"], SECRET_FIELDS=["job"], **given)
    assert done["INFERENCE"] < 0.09
    done = measured(
        sample(1), released, KNOWN=["income"], SECRET_FIELDS=["age"], KNOWN_PLACE=False, **given
    )
    assert done["INFERENCE"] > 0.9


def test_places_that_were_not_attacked_leave_it_open(provider, tmp_path):
    """The release has them, and nobody has tried what they tell."""
    done = measured(sample(1), sample(4), REFERENCE=sample(2), **reported(tmp_path))
    verdict = assert_concluded(done, "cannot_tell")
    assert "USE_GEOMETRY=true" in " ".join(verdict["next"])
    assert done["INFERENCE_HIGH"] == 1.0
    again = measured(sample(1), sample(4), REFERENCE=sample(2), USE_GEOMETRY=True, ACCEPTABLE=0.12)
    assert again["DECISION"] == "release_with_care" and again["PEOPLE_AT_RISK"] == 0


@pytest.mark.parametrize("leads", ["an id", "the order", "a field that is not compared"])
def test_who_has_the_list_needs_no_more_than_an_id_or_the_order(provider, tmp_path, leads):
    """All fields but the secret are other people's: by the compared fields nobody is found."""
    rng = np.random.default_rng(12)
    (_, own), (_, others), (_, more) = (people_rows(400, seed, nulls=False) for seed in (1, 4, 2))
    ids = rng.choice(np.arange(10_000, 99_999), 400, replace=False)
    released = [[*row[1:4], mine[4], *row[5:8]] for row, mine in zip(others, own)]
    order = np.arange(400) if leads == "the order" else rng.permutation(400)
    name, new = ("patient", rng.permutation(900_000)[:400])
    given = {}
    if leads != "the order":
        new = ids
    if leads == "a field that is not compared":
        name, given = "premium", {"FIELDS": NAMES}
    made = [
        layer(
            np.zeros((400, 2)),
            fields=f"{name}:int,{TYPES}",
            rows=[[int(one), *row] for one, row in zip(first, rows)],
            name="people",
        )
        for first, rows in (
            (ids, [row[1:8] for row in own]),
            (new[order], [released[at] for at in order]),
            (rng.permutation(900_000)[:400], [row[1:8] for row in more]),
        )
    ]
    done = measured(made[0], made[1], REFERENCE=made[2], **given, **reported(tmp_path))
    verdict = assert_concluded(done, "do_not_release")
    assert done["INFERENCE"] > 0.09 and done["MEMBERSHIP_HIGH"] < 0.2
    assert "Release the records in random order" in verdict["next"][0]
    assert ("the row of the file" in verdict["next"][0]) == (leads == "the order")


def test_one_row_in_many_is_listed(provider, tmp_path):
    mine, theirs = numbers(2000), numbers(2000, sample=1)
    released = {name: [*values[:-1], mine[name][17]] for name, values in theirs.items()}
    done = measured(table(mine), table(released), AT_RISK="TEMPORARY_OUTPUT")
    assert done["DECISION"] == "do_not_release" and done["VERBATIM"] == 1
    (row,) = records(opened(done["AT_RISK"]))
    ids = [one.id() for one in table(mine).getFeatures()]
    assert row["original_id"] == ids[17] and "released as it is" in row["why"]


def test_values_dealt_out_are_named_by_singling_out(provider, tmp_path):
    done = measured(
        sample(1), sample(3, of=1), USE_GEOMETRY=True, REFERENCE=sample(2), **reported(tmp_path)
    )
    assert_concluded(done, "do_not_release")
    assert done["SINGLING_OUT"] > 0.9 and done["INFERENCE"] < 0.09
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "The highest income that is released" in page
    told = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert "singling_out" in json.dumps(told)


@pytest.mark.parametrize(
    "given, said",
    [
        ({"KNOWN": ["v0"], "SECRET_FIELDS": ["v0"]}, "KNOWN and SECRET_FIELDS overlap: v0"),
        ({"KNOWN": ["v1"], "FIELDS": ["v0", "v2"]}, "not among the fields that are compared: v1"),
        ({"SECRET_FIELDS": ["same"]}, "What he wants is the same for all originals: same"),
    ],
)
def test_what_nobody_can_know_is_refused(provider, given, said):
    columns = {**numbers(60, 3), "same": [1.0] * 60}
    parameters = {
        "ORIGINAL": table(columns),
        "ANONYMIZED": table({**numbers(60, 3, sample=1), "same": [1.0] * 60}),
        "OUTPUT": "TEMPORARY_OUTPUT",
    }
    assert said in refusal("disclosurerisk", {**parameters, **given})


def test_people_of_the_control_who_are_in_the_file_are_left_out(provider):
    mine, others = numbers(300), numbers(300, sample=1)
    mixed = {name: [*mine[name][:40], *values[40:]] for name, values in others.items()}
    done = measured(table(mine), table(numbers(300, sample=2)), REFERENCE=table(mixed))
    assert "The reference shares people with the file: 40 records there" in done.feedback.said
    alone = {name: values[40:] for name, values in others.items()}
    again = measured(table(mine), table(numbers(300, sample=2)), REFERENCE=table(alone))
    for name in ("INFERENCE", "MEMBERSHIP", "LINKABILITY", "DISTANCE_EXCESS"):
        assert done[name] == again[name]


def test_without_a_reference_it_is_said_what_that_means(provider):
    done = measured(table(numbers(300)), table(numbers(300, sample=1)))
    assert "Without people who are not in the file (REFERENCE)" in done.feedback.said


def visits(seed, released=None, with_ids=True, name="visits"):
    """Three visits of each of 300 people, or a release of these."""
    rng = np.random.default_rng([seed, 3])
    of = np.repeat(np.arange(300), 3)
    height, sex = rng.normal(172, 9, 300).round(1), rng.choice(["f", "m"], 300)
    job, ill = rng.choice(["a", "b", "c"], 300), rng.choice(["yes", "no"], 300)
    made = {
        "height": height[of],
        "sex": sex[of],
        "job": job[of],
        "ill": ill[of],
        "weight": (height[of] - 100 + rng.normal(0, 9, 900)).round(1),
        "month": rng.integers(1, 13, 900).astype(float),
    }
    ids = 9000 + of
    if released == "together":
        order = rng.permutation(900)
        same = ("height", "sex", "job", "ill")
        made = {
            key: one[order if key in same else rng.permutation(900)] for key, one in made.items()
        }
        ids = ids[order]
    elif released == "apart":
        made = {key: rng.permutation(one) for key, one in made.items()}
        made["height"] = (made["height"] + rng.normal(0, 3, 900)).round(1)
        made["weight"] = (made["weight"] + rng.normal(0, 3, 900)).round(1)
    types = "height:double,sex:string,job:string,ill:string,weight:double,month:double"
    columns = list(made.values())
    if with_ids:
        types, columns = f"patient:int,{types}", [ids, *columns]
    rows = [tuple(one.item() for one in row) for row in zip(*columns)]
    return layer([None] * 900, None, "None", fields=types, rows=rows, name=name)


def test_people_with_several_records_are_counted(provider, tmp_path):
    original, others = visits(1), visits(2, name="others")
    released = visits(1, "together", with_ids=False, name="released")
    done = measured(
        original, released, REFERENCE=others, PERSON_FIELD="patient", **reported(tmp_path)
    )
    verdict = assert_concluded(done, "do_not_release")
    by = {one["attack"]: one for one in verdict["evidence"]}
    assert by["inference"]["people"] <= 300 and done["INFERENCE"] > 0.3 and done["N"] == 300
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "People with several records count once" in page and "patient" in page


def test_a_released_id_of_a_person_leads_to_her(provider, tmp_path):
    """Three records have it, so that nobody is alone with it; and it is not compared."""
    done = measured(
        visits(1),
        visits(1, "together", name="released"),
        REFERENCE=visits(2, name="others"),
        PERSON_FIELD="patient",
        **reported(tmp_path),
    )
    assert_concluded(done, "do_not_release")
    assert "the released field patient" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_who_has_several_records_is_asked_for(provider, tmp_path):
    """Without a word of whose they are nobody can tell; with it, it holds."""
    original, released = visits(3), visits(3, "apart", with_ids=False, name="released")
    done = measured(original, released, **reported(tmp_path))
    verdict = assert_concluded(done, "cannot_tell")
    assert {one["caveat"] for one in verdict["evidence"]} == {"", "several_records"}
    assert any("PERSON_FIELD" in one for one in verdict["next"])
    assert "same value of “patient”" in (tmp_path / "report.html").read_text(encoding="utf-8")
    said = refusal(
        "disclosurerisk",
        {
            "ORIGINAL": original,
            "ANONYMIZED": released,
            "FIELDS": ["patient", "height"],
            "PERSON_FIELD": "patient",
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert "whose a record is" in said


def test_a_reference_that_does_not_say_whose_its_records_are(provider, tmp_path):
    done = measured(
        visits(1),
        visits(1, "together", with_ids=False, name="released"),
        REFERENCE=visits(2, with_ids=False, name="others"),
        PERSON_FIELD="patient",
        **reported(tmp_path),
    )
    assert_concluded(done, "do_not_release")
    assert "has no field “patient”" in (tmp_path / "report.html").read_text(encoding="utf-8")
