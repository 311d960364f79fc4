# SPDX-License-Identifier: GPL-2.0-or-later
"""What areas have to keep, in a real QGIS, counted again from the layers that were written."""

import itertools
import json
from collections import Counter, defaultdict
from pathlib import Path

import networkx
import numpy as np
import pytest
from qgis.core import QgsCoordinateTransformContext, QgsDistanceArea, QgsGeometry

from tests.processing.helpers import GRID, Feedback, layer, opened, records, refusal, run, saved

SIDE, STEP, LEFT, LOW = 10, 1_000.0, 400_000, 300_000
AT = np.stack(np.divmod(np.arange(SIDE * SIDE), SIDE), axis=1)[:, ::-1]
SEA = {row for row in range(SIDE * SIDE) if AT[row][0] == 7}  # a strait, two islands beyond
ROWS = [row for row in range(SIDE * SIDE) if row not in SEA]


def square(row):
    x, y = LEFT + AT[row][0] * STEP, LOW + AT[row][1] * STEP
    return f"({x} {y}, {x + STEP} {y}, {x + STEP} {y + STEP}, {x} {y + STEP}, {x} {y})"


def attributes(row):
    """Id, province, health region (nested in it), river basin (not nested), people."""
    x, y = AT[row]
    province = "west" if x < 4 else "east"
    return row, province, f"{province} {y // 5}", "upper" if y > 3 else "lower", 100 + row


FIELDS = "uid:int,province:string,health:string,basin:string,people:int"
RECORD_FIELDS = "region:int,age:string,sex:string"


def squares(rows=ROWS, shapes=None, told=attributes):
    shapes = [f"POLYGON({square(row)})" for row in rows] if shapes is None else shapes
    return layer(shapes, GRID, "Polygon", FIELDS, [told(row) for row in rows], "regions")


def middles(rows=ROWS, told=attributes):
    xy = np.array(
        [(LEFT + (AT[row][0] + 0.5) * STEP, LOW + (AT[row][1] + 0.5) * STEP) for row in rows]
    )
    xy += np.random.default_rng(1).uniform(-300, 300, xy.shape)
    return layer(xy, GRID, fields=FIELDS, rows=[told(row) for row in rows], name="regions")


def people(seed=3):
    rng = np.random.default_rng(seed)
    return [
        (
            row,
            str(rng.choice(["young", "old", "very old"], p=[0.6, 0.35, 0.05])),
            str(rng.choice(list("fm"))),
        )
        for row in ROWS
        for _ in range(int(rng.integers(3, 30)))
    ]


PEOPLE = people()


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    rows = [None] * len(PEOPLE)
    return {
        "squares": saved(squares(), folder / "squares.gpkg"),
        "middles": saved(middles(), folder / "middles.gpkg"),
        "people": saved(
            layer(rows, "", "NoGeometry", RECORD_FIELDS, PEOPLE, "people"), folder / "people.gpkg"
        ),
    }


def made(inputs, folder, kind="squares", feedback=None, **more):
    return run(
        "vbas",
        {
            "REGIONS": inputs.get(kind, kind),
            "REGION_ID": "uid",
            "RECORDS": inputs["people"],
            "RECORD_REGION": "region",
            "QIS": ["age", "sex"],
            "K": 5,
            "SITES_BY": "fixed",
            "SITES": 14,
            "SEED": 4,
            "LOCATION": "least_suppression",
            "OUTPUT": str(folder / "areas.gpkg"),
            "AREAS_OUT": str(folder / "areas_out.gpkg"),
            "LOOKUP": str(folder / "lookup.csv"),
            "REGIONS_OUT": str(folder / "regions_out.gpkg"),
            "RECORDS_OUT": str(folder / "released.gpkg"),
            "JSON": str(folder / "report.json"),
            **more,
        },
        feedback,
    )


def area_of(done):
    return {int(row["uid"]): int(row["area_id"]) for row in records(done["LOOKUP"])}


def pieces(area):
    """Pieces of each area of squares, by networkx."""
    graph = networkx.Graph()
    graph.add_nodes_from(area)
    for one, other in itertools.combinations(area, 2):
        if area[one] == area[other] and np.abs(AT[one] - AT[other]).sum() == 1:
            graph.add_edge(one, other)
    found = Counter(area[next(iter(part))] for part in networkx.connected_components(graph))
    return found


def whole(done, rows=ROWS):
    """Areas are valid, do not overlap, and cover what the regions cover."""
    shapes = [QgsGeometry(one.geometry()) for one in opened(done["OUTPUT"]).getFeatures()]
    assert all(one.isGeosValid() for one in shapes)
    total = QgsGeometry.unaryUnion(shapes).area()
    assert sum(one.area() for one in shapes) == pytest.approx(total)
    return total


def told_in(done):
    """The whole report, and its tables by their names."""
    whole_report = json.loads(Path(done["JSON"]).read_text(encoding="utf-8"))
    return whole_report, _tables(whole_report["sections"])


def _tables(blocks):
    found = {}
    for block in blocks if isinstance(blocks, list) else blocks.values():
        if isinstance(block, dict):
            if "rows" in block and "name" in block:
                found[block["name"]] = block["rows"]
            found.update(_tables(block))
        elif isinstance(block, list):
            found.update(_tables(block))
    return found


# --- floors, widths, tolerance ------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["squares", "middles"])
def test_floors_hold_in_what_is_written(provider, inputs, tmp_path, kind):
    done = made(
        inputs,
        tmp_path,
        kind,
        MIN_RECORDS=60,
        MIN_POPULATION=500,
        POPULATION_FIELD="people",
        LOCATION="random",
    )
    area = area_of(done)
    held, lived = Counter(), Counter()
    for row in PEOPLE:
        held[area[row[0]]] += 1
    for row in ROWS:
        lived[area[row]] += attributes(row)[4]
    assert min(held.values()) >= 60 and min(lived.values()) >= 500
    assert set(held) == set(area.values())
    assert done["LEAST_RECORDS"] == min(held.values())
    assert done["AREAS"] == len(held)
    sizes = Counter(
        (row["area_id"], row["age"], row["sex"]) for row in records(done["RECORDS_OUT"])
    )
    assert min(sizes.values()) >= 5
    kept = {row["what"]: row["found"] for row in told_in(done)[1]["kept_table"]}
    assert kept["Fewest records of an area"] == f"{min(held.values()):,}"
    assert kept["Fewest people of an area"] == f"{min(lived.values()):,}"


def test_widths_hold_and_are_told(provider, inputs, tmp_path):
    done = made(inputs, tmp_path, "middles", MAX_DIAMETER=3_500, SITES=6)
    area = area_of(done)
    places = {
        int(one["uid"]): one.geometry().asPoint() for one in opened(inputs["middles"]).getFeatures()
    }
    for one, other in itertools.combinations(ROWS, 2):
        if area[one] == area[other]:
            assert places[one].distance(places[other]) <= 3_500 * (1 + 1e-9)
    assert done["AREAS"] > 6
    whole(done)


@pytest.mark.parametrize("location", ["balanced_density", "best"])
def test_sizes_hold_in_what_is_written(provider, inputs, tmp_path, location):
    done = made(inputs, tmp_path, MAX_AREA=9, SITES=4, LOCATION=location, MOVES=2_000)
    on_ground = QgsDistanceArea()
    crs = opened(done["OUTPUT"]).crs()
    on_ground.setSourceCrs(crs, QgsCoordinateTransformContext())
    on_ground.setEllipsoid(crs.ellipsoidAcronym())
    sizes = [on_ground.measureArea(one.geometry()) for one in opened(done["OUTPUT"]).getFeatures()]
    assert max(sizes) <= 9e6 * (1 + 1e-6) and done["AREAS"] == len(sizes) >= 10
    whole(done)
    kept = {row["what"]: row["found"] for row in told_in(done)[1]["kept_table"]}
    assert float(kept["Largest size of an area (km²)"]) == pytest.approx(max(sizes) / 1e6, rel=1e-4)


def test_the_log_tells_what_was_traded_and_who_is_left_out(provider, inputs, tmp_path):
    feedback = Feedback()
    done = made(inputs, tmp_path, feedback=feedback, SITES=60, TOLERANCE=50)
    area = area_of(done)
    held = Counter(area[row[0]] for row in PEOPLE)
    out = Counter(row["area_id"] for row in records(done["RECORDS_OUT"]))
    nothing = sum(not out[one] for one in held)
    assert nothing and done["AREAS_WITHOUT_RELEASE"] == nothing
    assert f"{nothing} release" in feedback.said and "fewer than 100" in feedback.said
    assert "Discernibility" in feedback.said and "50 % more" in feedback.said
    told, tables = told_in(done)
    assert told["figures"]["areas_nothing"] == nothing
    listed = {row["area_id"] for row in tables["shortfalls_table"] if not row["released"]}
    assert listed == {one for one in held if not out[one]}
    before = {row["measure"]: row for row in tables["traded_table"]}
    assert before["Suppressed"]["after"] == done["SUPPRESSED"]
    assert before["Suppressed"]["before"] > done["SUPPRESSED"]
    assert before["Discernibility"]["limited"] == "no"
    assert "MIN_RECORDS" in json.dumps(told)


# --- borders and pieces -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["squares", "middles"])
def test_no_area_crosses_a_border(provider, inputs, tmp_path, kind):
    done = made(inputs, tmp_path, kind, NEVER_CROSS=["province", "basin"], BOUNDARY_MOVES=True)
    area, seen = area_of(done), defaultdict(set)
    for row in ROWS:
        _, province, _, basin, _ = attributes(row)
        seen[area[row]].add((province, basin))
    assert {len(one) for one in seen.values()} == {1}
    assert whole(done) > 0
    kept = {row["what"]: row["found"] for row in told_in(done)[1]["kept_table"]}
    assert kept["Areas that cross a border of province, basin"] == "0"


@pytest.mark.parametrize("location", ["balanced_density", "adc", "least_suppression", "random"])
@pytest.mark.parametrize("moves", [False, True])
def test_areas_in_one_piece_are(provider, inputs, tmp_path, location, moves):
    done = made(
        inputs, tmp_path, CONTIGUOUS="yes", LOCATION=location, BOUNDARY_MOVES=moves, MIN_RECORDS=40
    )
    area = area_of(done)
    assert set(pieces(area).values()) == {1}
    assert done["AREAS_IN_PIECES"] == 0
    # The island of two columns beyond the strait is never one with what lies before it.
    beyond = {area[row] for row in ROWS if AT[row][0] > 7}
    assert not beyond & {area[row] for row in ROWS if AT[row][0] < 7}
    assert whole(done) == pytest.approx(len(ROWS) * STEP * STEP)
    assert all(
        not one.geometry().isMultipart() or len(one.geometry().asGeometryCollection()) == 1
        for one in opened(done["OUTPUT"]).getFeatures()
    )


def test_pieces_are_counted_where_they_are_allowed(provider, inputs, tmp_path):
    feedback = Feedback()
    done = made(inputs, tmp_path, feedback=feedback, SITES=3, LOCATION="random")
    several = sum(count > 1 for count in pieces(area_of(done)).values())
    assert several and done["AREAS_IN_PIECES"] == several
    assert "pieces that do not adjoin" in feedback.said
    bridged = made(inputs, tmp_path, CONTIGUOUS="bridged", SITES=1)
    assert bridged["AREAS"] == 1 and bridged["AREAS_IN_PIECES"] == 1
    apart = made(inputs, tmp_path, CONTIGUOUS="yes", SITES=1)
    assert apart["AREAS"] == 2 and apart["AREAS_IN_PIECES"] == 0


def test_a_region_in_pieces_makes_no_area_that_is_said_to_be(provider, inputs, tmp_path):
    # One region has a square on either side of the strait: it holds its area together.
    rows = [row for row in ROWS if row != 8]
    shapes = [
        f"MULTIPOLYGON(({square(row)}), ({square(8)}))" if row == 6 else f"POLYGON({square(row)})"
        for row in rows
    ]
    kept = [one for one in PEOPLE if one[0] != 8]
    regions = saved(squares(rows, shapes), tmp_path / "parts.gpkg")
    table = layer([None] * len(kept), "", "NoGeometry", RECORD_FIELDS, kept, "people")
    parts = {**inputs, "people": saved(table, tmp_path / "kept.gpkg")}
    done = made(parts, tmp_path, regions, SITES=1)
    assert done["AREAS"] == 1 and done["AREAS_IN_PIECES"] == 0
    done = made(parts, tmp_path, regions, SITES=8, CONTIGUOUS="yes")
    assert done["AREAS_IN_PIECES"] == 0


def test_corners_that_miss_each_other_in_the_last_digit_part_no_area(provider, inputs, tmp_path):
    rng = np.random.default_rng(6)

    def near(row):
        corners = LEFT + AT[row][0] * STEP, LOW + AT[row][1] * STEP
        x, y = (float(one) + rng.choice([-1e-9, 0, 1e-9], 4) for one in corners)
        x, y = x + np.array([0, STEP, STEP, 0]), y + np.array([0, 0, STEP, STEP])
        return ", ".join(f"{a:.12f} {b:.12f}" for a, b in [*zip(x, y), (x[0], y[0])])

    shapes = [f"POLYGON(({near(row)}))" for row in ROWS]
    regions = saved(squares(ROWS, shapes), tmp_path / "near.gpkg")
    done = made(inputs, tmp_path, regions, SITES=6, CONTIGUOUS="yes", LOCATION="ward")
    shapes = [one.geometry() for one in opened(done["OUTPUT"]).getFeatures()]
    assert done["AREAS"] == 6 and done["AREAS_IN_PIECES"] == 0
    # As they are drawn, too: two islands are areas of their own, and no area has a gap.
    assert all(one.constGet().numGeometries() == 1 and one.isGeosValid() for one in shapes)
    assert sum(one.area() for one in shapes) == pytest.approx(len(ROWS) * STEP**2)


def test_a_hierarchy_is_nested_and_adds_up(provider, inputs, tmp_path):
    done = made(
        inputs, tmp_path, HIERARCHY=["health", "province"], LEVELS_OUT=str(tmp_path / "levels.gpkg")
    )
    area = area_of(done)
    told = {
        int(row["area_id"]): (row["province"], row["health"]) for row in records(done["AREAS_OUT"])
    }
    for row in ROWS:
        assert told[area[row]] == attributes(row)[1:3]
    assert all(
        (row["province"], row["health"]) == attributes(int(row["uid"]))[1:3]
        for row in records(done["LOOKUP"])
    )
    levels = records(done["LEVELS_OUT"])
    assert [(row["level"], row["unit"]) for row in levels] == [
        (1, "east"),
        (1, "west"),
        (2, "east 0"),
        (2, "east 1"),
        (2, "west 0"),
        (2, "west 1"),
    ]
    released = Counter()
    for row in records(done["RECORDS_OUT"]):
        for unit in told[int(row["area_id"])]:
            released[unit] += 1
    assert all(row["released"] == released[row["unit"]] for row in levels)
    for level in (1, 2):
        mine = [row for row in levels if row["level"] == level]
        assert sum(row["areas"] for row in mine) == done["AREAS"]
        assert sum(row["regions"] for row in mine) == len(ROWS)
    shapes = [one.geometry() for one in opened(done["LEVELS_OUT"]).getFeatures()]
    assert sum(one.area() for one in shapes) == pytest.approx(2 * len(ROWS) * STEP * STEP)


def test_without_a_hierarchy_there_is_the_whole_map(provider, inputs, tmp_path):
    done = made(inputs, tmp_path, "middles", LEVELS_OUT=str(tmp_path / "levels.gpkg"))
    (row,) = records(done["LEVELS_OUT"])
    released = len(records(done["RECORDS_OUT"]))
    assert (row["level"], row["released"], row["regions"]) == (0, released, len(ROWS))


def test_the_comparison_keeps_the_same(provider, inputs, tmp_path):
    done = run(
        "vbascompare",
        {
            "REGIONS": inputs["squares"],
            "REGION_ID": "uid",
            "RECORDS": inputs["people"],
            "RECORD_REGION": "region",
            "QIS": ["age", "sex"],
            "KS": "5",
            "SITES_BY": ["fixed"],
            "SITES": 14,
            "SEED": 4,
            "LOCATIONS": ["least_suppression"],
            "NEVER_CROSS": ["province"],
            "CONTIGUOUS": "yes",
            "MIN_RECORDS": 40,
            "TOLERANCE": 20,
            "OUTPUT": str(tmp_path / "compared.gpkg"),
            "JSON": str(tmp_path / "compared.json"),
        },
    )
    (row,) = records(done["OUTPUT"])
    single = made(
        inputs, tmp_path, NEVER_CROSS=["province"], CONTIGUOUS="yes", MIN_RECORDS=40, TOLERANCE=20
    )
    assert row["suppressed"] == single["SUPPRESSED"] and row["areas"] == single["AREAS"]
    (found,) = told_in(done)[1]["shortfalls_table"]
    assert found["least"] == single["LEAST_RECORDS"] >= 40


# --- bad input ----------------------------------------------------------------------------------


def refused(inputs, folder, **more):
    more = {"REGIONS": inputs["squares"], "OUTPUT": "TEMPORARY_OUTPUT", **more}
    return refusal(
        "vbas",
        {
            "REGION_ID": "uid",
            "RECORDS": inputs["people"],
            "RECORD_REGION": "region",
            "QIS": ["age", "sex"],
            "SITES_BY": "fixed",
            "SITES": 6,
            **more,
        },
    )


def test_what_cannot_be_kept_is_a_sentence(provider, inputs, tmp_path):
    total = len(PEOPLE)
    for more, words in (
        ({"MIN_RECORDS": total + 1}, ("All regions together", f"{total:,}")),
        ({"MIN_POPULATION": 5}, ("POPULATION_FIELD",)),
        ({"MIN_POPULATION": 5, "POPULATION_FIELD": 10**30}, ("POPULATION_FIELD",)),
        ({"MIN_POPULATION": 1e9, "POPULATION_FIELD": "people"}, ("people",)),
        ({"MAX_DIAMETER": 0}, ("diameter",)),
        ({"MAX_AREA": 0}, ("positive number of square kilometres",)),
        ({"MAX_AREA": 0.5}, ("90 regions are larger", "Allow larger areas")),
        ({"MAX_AREA": 5, "REGIONS": inputs["middles"]}, ("points, which have no size",)),
        ({"MAX_AREA": 2.5, "MIN_RECORDS": 200}, ("no wider or larger",)),
        ({"MAX_DIAMETER": 10, "MIN_RECORDS": 200}, ("Allow wider areas",)),
        (
            {"MIN_RECORDS": total // 2, "NEVER_CROSS": ["province"]},
            ("province", "no area may cross"),
        ),
        ({"MIN_RECORDS": total // 2, "CONTIGUOUS": "yes"}, ("island", "bridged")),
        ({"HIERARCHY": ["province", "basin"]}, ("not nested", "NEVER_CROSS")),
        ({"NEVER_CROSS": ["county"]}, ("county",)),
        ({"HIERARCHY": ["uid"]}, ("Rename",)),
    ):
        said = refused(inputs, tmp_path, **more)
        assert all(word in said for word in words), said


def test_borders_and_people_that_are_not_known_are_sentences(provider, inputs, tmp_path):
    def told(row, province="west", people=5):
        return (row, province, "a", "b", people)

    for name, change, more in (
        ("null", {"province": None}, {"NEVER_CROSS": ["province"]}),
        ("blank", {"province": " "}, {"HIERARCHY": ["province"]}),
        ("people", {"people": None}, {"MIN_POPULATION": 3, "POPULATION_FIELD": "people"}),
        ("negative", {"people": -1}, {"MIN_POPULATION": 3, "POPULATION_FIELD": "people"}),
    ):
        regions = squares(told=lambda row, change=change: told(row, **(change if row == 5 else {})))
        path = saved(regions, tmp_path / f"{name}.gpkg")
        said = refused(inputs, tmp_path, REGIONS=path, **more)
        assert "1 region" in said or "no numbers of people" in said, said
