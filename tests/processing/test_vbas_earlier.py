# SPDX-License-Identifier: GPL-2.0-or-later
"""Two releases of the same records: what can be subtracted is found, and decides."""

import csv
import json
from collections import Counter, defaultdict
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from geoanon_qgis.processing.reports.vbas_earlier import joins_sentence, not_run
from tests.processing.helpers import GRID, Feedback, layer, records, refusal, run, saved

SIDE, STEP = 8, 1_000.0
ROWS = list(range(SIDE * SIDE))
RECORD_FIELDS = "region:int,age:string,sex:string"


def middles(told=lambda row: (row,), fields="uid:int"):
    at = np.stack(np.divmod(ROWS, SIDE), axis=1) * STEP + (400_000, 300_000)
    xy = at + np.random.default_rng(1).uniform(-300, 300, at.shape)
    return layer(xy, GRID, fields=fields, rows=[told(row) for row in ROWS], name="regions")


def people(seed=3):
    rng = np.random.default_rng(seed)
    kinds, share = ["young", "old", "very old"], [0.6, 0.35, 0.05]
    return [
        (row, str(rng.choice(kinds, p=share)), str(rng.choice(list("fm"))))
        for row in ROWS
        for _ in range(int(rng.integers(3, 30)))
    ]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    rows = people()
    table = layer([None] * len(rows), "", "NoGeometry", RECORD_FIELDS, rows, "people")
    return {
        "REGIONS": saved(middles(), folder / "middles.gpkg"),
        "REGION_ID": "uid",
        "RECORDS": saved(table, folder / "people.gpkg"),
        "RECORD_REGION": "region",
        "QIS": ["age", "sex"],
        "K": 5,
        "ACCEPTABLE": 0.2,
    }


def made(inputs, folder, name, feedback=None, **more):
    return run(
        "vbas",
        {
            **inputs,
            "SITES_BY": "fixed",
            "SITES": 9,
            "SEED": 4,
            "OUTPUT": str(folder / f"{name}_areas.gpkg"),
            "LOOKUP": str(folder / f"{name}_lookup.csv"),
            "RECORDS_OUT": str(folder / f"{name}_released.gpkg"),
            "JSON": str(folder / f"{name}.json"),
            **more,
        },
        feedback,
    )


def shown(done):
    """Released counts by area and class, and the regions of each area, from the files alone."""
    counts = Counter(
        (int(row["area_id"]), row["age"], row["sex"]) for row in records(done["RECORDS_OUT"])
    )
    regions = defaultdict(set)
    for row in records(done["LOOKUP"]):
        regions[int(row["area_id"])].add(int(row["uid"]))
    return counts, regions


def subtracted(one, other, k=5):
    """Classes below k by nested subtraction of what was written, in both directions."""
    found = set()
    for (big, of_big), (small, of_small) in ((one, other), (other, one)):
        for (area, *kind), count in big.items():
            inside = [
                there
                for there, members in of_small.items()
                if members <= of_big[area] and (there, *kind) in small
            ]
            left = count - sum(small[(there, *kind)] for there in inside)
            regions = of_big[area].difference(*(of_small[there] for there in inside))
            if 0 < left < k:
                found.add((*kind, left, frozenset(regions)))
    return found


def test_what_can_be_subtracted_decides(provider, inputs, tmp_path):
    first = made(inputs, tmp_path, "first")
    assert first["DECISION"] == "release_with_care"
    told = json.loads(Path(first["JSON"]).read_text(encoding="utf-8"))
    assert any("EARLIER" in line for line in told["verdict"]["not_run"])
    feedback = Feedback()
    second = made(inputs, tmp_path, "second", feedback, SITES=20, EARLIER=first["LOOKUP"])
    nested = subtracted(shown(first), shown(second))
    assert second["SUBTRACTED"] >= len(nested)
    assert second["SUBTRACTED"] > 0
    assert second["DECISION"] == "do_not_release"
    assert "By subtracting" in feedback.said and "EARLIER_NESTED=coarsen" in feedback.said
    told = json.loads(Path(second["JSON"]).read_text(encoding="utf-8"))
    assert told["figures"]["classes_by_subtraction"] == second["SUBTRACTED"]
    assert not any("EARLIER" in line for line in told["verdict"]["not_run"])


def test_several_earlier_releases_are_subtracted_together(provider, inputs, tmp_path):
    of = [made(inputs, tmp_path, f"old{at}", SITES=sites) for at, sites in enumerate((9, 12))]
    areas = [{row["uid"]: row["area_id"] for row in records(one["LOOKUP"])} for one in of]
    path = tmp_path / "both.csv"
    with open(path, "w", encoding="utf-8", newline="") as file:
        rows = [(uid, one, areas[1][uid] if int(uid) % 7 else "") for uid, one in areas[0].items()]
        csv.writer(file).writerows([("uid", "first", "second"), *rows])
    new = {"SITES": 7, "EARLIER": str(path)}
    each = [
        made(inputs, tmp_path, f"new_{field}", **new, EARLIER_AREA=field)["SUBTRACTED"]
        for field in ("first",)
    ]
    feedback = Feedback()
    both = made(inputs, tmp_path, "both", feedback, **new, EARLIER_AREA=["first", "second"])
    assert both["SUBTRACTED"] > max(each) and both["DECISION"] == "do_not_release"
    assert "2 earlier releases" in feedback.said and "from each other" in feedback.said
    assert "is empty" in refusal(
        "vbas",
        {
            **inputs,
            "SITES_BY": "fixed",
            "SITES": 6,
            **new,
            "EARLIER_AREA": ["second"],
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )


def test_nested_releases_are_found_out(provider, inputs, tmp_path):
    # Coarse areas of whole fine ones: everything that nested subtraction finds is there.
    first = made(inputs, tmp_path, "first", SITES=24)
    fine = {int(row["uid"]): int(row["area_id"]) for row in records(first["LOOKUP"])}
    regions = middles(lambda row: (row, str(fine[row] % 5)), "uid:int,half:string")
    path = saved(regions, tmp_path / "nested.gpkg")
    more = {"REGIONS": path, "NEVER_CROSS": ["half"], "SITES": 5}
    second = made(inputs, tmp_path, "second", EARLIER=first["LOOKUP"], **more)
    nested = subtracted(shown(first), shown(second))
    assert nested and second["SUBTRACTED"] >= len(nested)
    assert second["DECISION"] == "do_not_release"


def test_the_same_areas_again_give_nothing_away_and_can_be_made(provider, inputs, tmp_path):
    first = made(inputs, tmp_path, "first")
    again = made(inputs, tmp_path, "again", EARLIER=first["LOOKUP"])
    assert (again["SUBTRACTED"], again["DECISION"]) == (0, "release_with_care")
    steps = [
        json.loads((tmp_path / f"{name}.json").read_text(encoding="utf-8"))["verdict"]["next"][0]
        for name in ("first", "again")
    ]
    assert "Never a second aggregation" in steps[0] and "give this LOOKUP as EARLIER" in steps[0]
    assert "Beside “first_lookup” nothing below K" in steps[1] and "Never" not in steps[1]
    # Cells of sites that a search moved are not to be given away.
    moved = made(inputs, tmp_path, "moved", LOCATION="least_suppression")
    step = json.loads((tmp_path / "moved.json").read_text(encoding="utf-8"))["verdict"]["next"][0]
    assert moved["DECISION"] == "release_with_care"
    assert "RECORDS_OUT and LOOKUP, and nothing else: not AREAS_OUT" in step
    # As the next step says, for a run that would make others.
    old = {int(row["uid"]): row["area_id"] for row in records(first["LOOKUP"])}
    regions = middles(lambda row: (row, str(old[row])), "uid:int,before:string")
    path = saved(regions, tmp_path / "joined.gpkg")
    count = len(set(old.values()))
    more = {"REGIONS": path, "NEVER_CROSS": ["before"], "SITES": count, "LOCATION": "random"}
    kept = made(inputs, tmp_path, "kept", EARLIER=first["LOOKUP"], **more)
    assert (kept["AREAS"], kept["SUBTRACTED"]) == (count, 0)
    assert kept["DECISION"] == "release_with_care"


@pytest.mark.parametrize(
    ("mode", "sites", "more"),
    [
        ("refine", 14, {"CONTIGUOUS": "yes", "MIN_RECORDS": 30, "NEVER_CROSS": ["half"]}),
        ("coarsen", 4, {"CONTIGUOUS": "bridged", "LOCATION": "best", "MOVES": 200}),
    ],
)
def test_nested_areas_leave_nothing_to_be_subtracted(provider, inputs, tmp_path, mode, sites, more):
    half = {row: "west" if row % 8 < 4 else "east" for row in ROWS}
    regions = saved(
        middles(lambda row: (row, half[row]), "uid:int,half:string"), tmp_path / "r.gpkg"
    )
    more = {"REGIONS": regions, "QIS": ["age", "sex", "uneven"], **more}
    rows = [(*row, str(at % 7 // 3)) for at, row in enumerate(people())]
    fields = f"{RECORD_FIELDS},uneven:string"
    table = layer([None] * len(rows), "", "NoGeometry", fields, rows, "people")
    more["RECORDS"] = saved(table, tmp_path / "people.gpkg")
    first = made(inputs, tmp_path, "first", **{**more, "SITES": 8})
    new = {**more, "SITES": sites, "EARLIER": first["LOOKUP"]}
    feedback = Feedback()
    done = made(inputs, tmp_path, mode, feedback, **new, EARLIER_NESTED=mode)
    assert (done["SUBTRACTED"], done["DECISION"]) == (0, "release_with_care")
    said = "lies in one area" if mode == "refine" else "whole areas"
    assert said in feedback.said and "withheld besides" in feedback.said
    # What follows is from the written files alone.
    old, now = (
        {int(row["uid"]): int(row["area_id"]) for row in records(one["LOOKUP"])}
        for one in (first, done)
    )
    pairs = {(old[row], now[row]) for row in ROWS}
    whole = old if mode == "coarsen" else now
    assert len(pairs) == len(set(whole.values())) and old != now
    assert not subtracted(shown(first), shown(done))
    sizes = shown(done)[0]
    assert min(sizes.values()) >= 5 and sum(sizes.values()) + done["SUPPRESSED"] == len(rows)
    assert done["AREAS_IN_PIECES"] == 0
    if mode == "refine":
        assert len({(half[row], now[row]) for row in ROWS}) == len(set(now.values()))
        assert done["LEAST_RECORDS"] >= 30


def test_one_geography_for_several_years(provider, inputs, tmp_path):
    first = made(inputs, tmp_path, "first")
    rows = people(seed=8)
    table = layer([None] * len(rows), "", "NoGeometry", RECORD_FIELDS, rows, "next")
    year = {"RECORDS": saved(table, tmp_path / "next.gpkg"), "EARLIER": first["LOOKUP"]}
    feedback = Feedback()
    same = {**year, "EARLIER_NESTED": "same", "LOCATION": "random", "SEED": 9}
    other = {"SITES_BY": "gaps_maxcombs", "SITES": None}
    again = made(inputs, tmp_path, "again", feedback, **same, **other)
    old, now = (
        {row["uid"]: row["area_id"] for row in records(one["LOOKUP"])} for one in (first, again)
    )
    assert len(set(zip(old.values(), now.values()))) == len(set(old.values())) == again["AREAS"]
    assert again["SUBTRACTED"] == 0 and "another year" in feedback.said
    given = {**inputs, **same, "SITES_BY": "fixed", "SITES": 1, "OUTPUT": "TEMPORARY_OUTPUT"}
    assert "may cross" in refusal("vbas", {**given, "MIN_RECORDS": 200})
    with open(tmp_path / "some.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("uid", "area_id"), (0, 1), (1, 2)])
    assert "62 regions" in refusal("vbas", {**given, "EARLIER": str(tmp_path / "some.csv")})


def test_areas_that_cannot_be_nested_are_a_sentence(provider, inputs, tmp_path):
    half = saved(
        middles(lambda row: (row, str(row % 2)), "uid:int,half:string"), tmp_path / "half.gpkg"
    )
    path = tmp_path / "old.csv"
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("uid", "area_id"), *((row, f"A{row % 3}") for row in ROWS)])
    given = {**inputs, "REGIONS": half, "SITES_BY": "fixed", "SITES": 2, "EARLIER": str(path)}
    given |= {"EARLIER_NESTED": "coarsen", "OUTPUT": "TEMPORARY_OUTPUT"}
    assert "A0, A1, A2" in refusal("vbas", {**given, "NEVER_CROSS": ["half"]})
    assert "several pieces" in refusal("vbas", {**given, "CONTIGUOUS": "yes"})
    assert "wider" in refusal("vbas", {**given, "MAX_DIAMETER": 10})


def test_an_earlier_release_that_does_not_fit_is_a_sentence(provider, inputs, tmp_path):
    def refused(rows, **more):
        path = tmp_path / "old.csv"
        with open(path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
        given = {**inputs, "SITES_BY": "fixed", "SITES": 6, "OUTPUT": "TEMPORARY_OUTPUT"}
        return refusal("vbas", {**given, "EARLIER": str(path), **more})

    head = ("uid", "area_id")
    assert "other regions" in refused([head, (0, 1), (7_000, 1)])
    assert "twice" in refused([head, (0, 1), (0, 2)])
    assert "no rows" in refused([head])
    assert "area_id" in refused([("uid", "zone"), (0, 1)])
    assert "no field" in refused([("place", "area_id"), (0, 1)])


def test_areas_are_listed_whose_join_prevents_it_and_are_joined(provider, inputs, tmp_path):
    first = made(inputs, tmp_path, "first", SITES=4)
    feedback = Feedback()
    second = made(inputs, tmp_path, "second", feedback, SITES=10, EARLIER=first["LOOKUP"])
    assert second["SUBTRACTED"] and "EARLIER_JOIN" in feedback.said
    told = json.loads(Path(second["JSON"]).read_text(encoding="utf-8"))
    (table,) = (
        block
        for section in told["sections"]
        for block in section["blocks"]
        if block.get("name") == "joins_table"
    )
    groups = [{int(one) for one in row["areas"].split(", ")} for row in table["rows"]]
    assert groups and all(len(one) > 1 for one in groups)
    third = made(inputs, tmp_path, "third", SITES=10, EARLIER=first["LOOKUP"], EARLIER_JOIN=True)
    assert (third["SUBTRACTED"], third["DECISION"]) == (0, "release_with_care")
    assert third["AREAS"] == 10 - sum(map(len, groups)) + len(groups)
    # The written areas are those of before, but for the groups; and nothing can be subtracted.
    before, after = (
        {int(row["uid"]): int(row["area_id"]) for row in records(one["LOOKUP"])}
        for one in (second, third)
    )
    name = {one: min(group) for group in groups for one in group}
    pairs = {(name.get(before[row], before[row]), after[row]) for row in ROWS}
    assert len(pairs) == third["AREAS"] == len(set(after.values()))
    assert not subtracted(shown(first), shown(third))
    sizes = shown(third)[0]
    assert min(sizes.values()) >= 5 and sum(sizes.values()) + third["SUPPRESSED"] == len(people())


def test_figures_go_from_earlier_areas_to_these_and_back(provider, inputs, tmp_path):
    lived = {row: 0 if row < 2 else 10 + row for row in ROWS}
    regions = middles(lambda row: (row, lived[row]), "uid:int,lived:int")
    more = {
        "REGIONS": saved(regions, tmp_path / "lived.gpkg"),
        "POPULATION_FIELD": "lived",
        "CROSSWALK": str(tmp_path / "crosswalk.csv"),
    }
    first = made(inputs, tmp_path, "first")
    old = {int(row["uid"]): row["area_id"] for row in records(first["LOOKUP"])}
    path = tmp_path / "old.csv"
    with open(path, "w", encoding="utf-8", newline="") as file:
        kept = [(uid, f"A{area}") for uid, area in old.items() if uid != 9]
        csv.writer(file).writerows([("uid", "area_id"), *kept])
    second = made(inputs, tmp_path, "second", **more, SITES=13, EARLIER=str(path))
    new = {int(row["uid"]): row["area_id"] for row in records(second["LOOKUP"])}
    expected = Counter()
    for row in ROWS:
        expected["" if row == 9 else f"A{old[row]}", int(new[row])] += lived[row]
    found = list(records(second["CROSSWALK"]))
    assert {(row["earlier"] or "", int(row["area_id"])) for row in found} == set(expected)
    assert sum(int(row["regions"]) for row in found) == len(ROWS)
    of_old, of_new = Counter(), Counter()
    for row in found:
        people_there = expected[row["earlier"] or "", int(row["area_id"])]
        assert float(row["people"]) == people_there
        of_old[row["earlier"]] += float(row["share_of_earlier"] or 0)
        of_new[row["area_id"]] += float(row["share_of_area"] or 0)
        there = [one for one in ROWS if f"A{old[one]}" == row["earlier"] and one != 9]
        if there and sum(map(lived.get, there)):
            share = people_there / sum(map(lived.get, there))
            assert float(row["share_of_earlier"]) == pytest.approx(share)
    assert all(share == pytest.approx(1) for one, share in of_old.items() if one)
    assert all(share == pytest.approx(1) for share in of_new.values())
    warned = "as many people in every region as there are records"
    assert warned not in second.feedback.said
    counted = Counter(row for row, *_ in people())
    regions = middles(lambda row: (row, counted[row]), "uid:int,lived:int")
    more["REGIONS"] = saved(regions, tmp_path / "counted.gpkg")
    assert warned in made(inputs, tmp_path, "third", **more, EARLIER=str(path)).feedback.said
    more.pop("POPULATION_FIELD")
    given = {**inputs, **more, "SITES_BY": "fixed", "SITES": 6, "OUTPUT": "TEMPORARY_OUTPUT"}
    assert "POPULATION_FIELD" in refusal("vbas", {**given, "EARLIER": str(path)})
    assert "CROSSWALK" in refusal("vbas", {**given, "POPULATION_FIELD": "lived"})


def test_what_is_said_of_joins_is_what_was_done():
    one = SimpleNamespace(joins=None, found=SimpleNamespace(complete=False), are_joined=False)
    assert "were not looked for" in joins_sentence(one)
    one.found.complete = True
    assert "No areas were found" in joins_sentence(one)


def test_people_with_records_in_several_areas_are_not_taken_for_looked_at(provider, tmp_path):
    """Their rows can be subtracted, though they were counted as people elsewhere."""
    rows = [
        (region, sex, f"{region}{sex}{at}")
        for region in range(4)
        for sex in "fm"
        for at in range(20)
    ]
    rows += [(3, "f", "0f0")]
    table = layer([None] * len(rows), "", "NoGeometry", "uid:int,sex:string,person:string", rows)
    xy = [(400_000 + STEP * at, 300_000) for at in range(4)]
    earlier = [(region, region // 2) for region in range(4)]
    given = {
        "REGIONS": layer(xy, GRID, fields="uid:int", rows=[(at,) for at in range(4)]),
        "REGION_ID": "uid",
        "RECORDS": table,
        "QIS": ["sex"],
        "PERSON_FIELD": "person",
        "EARLIER": layer([None] * 4, "", "NoGeometry", "uid:int,area_id:int", earlier),
        "K": 5,
    }
    apart = made(given, tmp_path, "apart", SITES=4)
    assert (apart["SUBTRACTED"], apart["DECISION"]) == (0, "cannot_tell")
    assert "1 person has records that agree" in apart.feedback.said
    given["EARLIER"] = layer(
        [None] * 4, "", "NoGeometry", "uid:int,area_id:int", [(at, at) for at in range(4)]
    )
    assert made(given, tmp_path, "same", SITES=4)["DECISION"] == "release_with_care"


def test_records_that_are_known_again_by_their_attributes_are_said_not_to_be_looked_at():
    """Whoever finds a rare income in both releases knows in which overlap it lies."""
    assert not_run(SimpleNamespace(), []) == []
    assert "known again in both releases" in not_run(SimpleNamespace(), ["income"])[0]
    assert "none was given" in not_run(None, ["income"])[0]
