# SPDX-License-Identifier: GPL-2.0-or-later
"""Aggregation of regions in a real QGIS: what is written, recounted from the files."""

import csv
import json
import struct
import sys
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from qgis.core import (
    QgsApplication,
    QgsGeometry,
    QgsProcessingFeatureSourceDefinition,
)

from geoanon_qgis.core.aggregation import components as engine
from tests.conftest import ROOT
from tests.processing.concluding import reported
from tests.processing.helpers import (
    DEGREES,
    GRID,
    Feedback,
    coordinates,
    layer,
    leftovers,
    opened,
    records,
    refusal,
    run,
    saved,
)

SIDE, STEP = 12, 1_000.0
REGIONS = SIDE * SIDE
AGES = ["0-17", "18-39", "40-64", "65+"]
LOCATIONS = ["balanced_density", "adc", "least_suppression", "random"]
FIELDS = "region:int,age:string,sex:string,income:double,name:string,ward:int"


def places(crs=GRID):
    """Points of regions in rows, none of them twice, not quite on a grid."""
    rng = np.random.default_rng(3)
    at = np.stack(np.divmod(np.arange(REGIONS), SIDE), axis=1)[:, ::-1] * STEP
    xy = at + rng.uniform(-0.3, 0.3, at.shape) * STEP + (400_000, 300_000)
    return xy / 1e5 if crs == DEGREES else xy


def regions(crs=GRID, polygons=False, ids=None):
    ids = [1_000 + 7 * row for row in range(REGIONS)] if ids is None else ids
    rows = [(one,) for one in ids]
    if not polygons:
        return layer(places(crs)[: len(ids)], crs, fields="uid:int", rows=rows, name="regions")
    squares = []
    for row in range(len(ids)):
        y, x = divmod(row, SIDE)
        x, y = 400_000 + x * STEP, 300_000 + y * STEP
        squares.append(
            f"POLYGON(({x} {y}, {x + STEP} {y}, {x + STEP} {y + STEP}, {x} {y + STEP}, {x} {y}))"
        )
    return layer(squares, crs, "Polygon", "uid:int", rows, "regions")


def people(seed=5, most=25):
    """Rows of records, sorted by region; rare categories make small classes."""
    rng = np.random.default_rng(seed)
    rows = []
    for region in range(REGIONS):
        for _ in range(int(rng.integers(10, most))):
            rows.append(
                (
                    1_000 + 7 * region,
                    str(rng.choice(AGES, p=[0.3, 0.4, 0.25, 0.05])),
                    str(rng.choice(["f", "m", "x"], p=[0.5, 0.49, 0.01])),
                    float(np.round(rng.gamma(2.0, 20_000.0), 2)),
                    f"person-{len(rows):05d}",
                    int(rng.integers(1, 4)),
                )
            )
    return rows


PEOPLE = people()


def table(rows=None, fields=FIELDS, name="people"):
    rows = PEOPLE if rows is None else rows
    return layer([None] * len(rows), "", "NoGeometry", fields, rows, name)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """Regions and records as files, in a folder of their own."""
    folder = tmp_path_factory.mktemp("inputs")
    return {
        "REGIONS": saved(regions(), folder / "regions.gpkg"),
        "REGION_ID": "uid",
        "RECORDS": saved(table(), folder / "people.gpkg"),
        "RECORD_REGION": "region",
        "QIS": ["age", "sex"],
    }


def aggregated(inputs, folder, feedback=None, **parameters):
    return run(
        "vbas",
        {
            **inputs,
            "K": 5,
            "SITES_BY": "fixed",
            "SITES": 16,
            "SEED": 4,
            "OUTPUT": str(folder / "areas.gpkg"),
            "AREAS_OUT": str(folder / "areas_out.gpkg"),
            "SITES_OUT": str(folder / "sites.gpkg"),
            "LOOKUP": str(folder / "lookup.csv"),
            "REGIONS_OUT": str(folder / "regions_out.gpkg"),
            "RECORDS_OUT": str(folder / "released.gpkg"),
            **parameters,
        },
        feedback,
    )


def lookup(done):
    return {int(row["uid"]): int(row["area_id"]) for row in records(done["LOOKUP"])}


def expected(area_of, rows=None, k=5, pick=(1, 2)):
    """Classes by area counted anew from the input: all, and those that may be released."""
    counted = Counter(
        (area_of[row[0]], *(row[at] for at in pick)) for row in rows or PEOPLE if row[0] in area_of
    )
    return counted, {key: number for key, number in counted.items() if number >= k}


# --- what is written ----------------------------------------------------------------------------


@pytest.mark.parametrize("location", LOCATIONS)
def test_every_released_class_holds_k_records(provider, tmp_path, inputs, location):
    done = aggregated(inputs, tmp_path, LOCATION=location, **reported(tmp_path))
    released = Counter(
        (row["area_id"], row["age"], row["sex"]) for row in records(done["RECORDS_OUT"])
    )
    counted, kept = expected(lookup(done))
    assert released == kept
    assert min(released.values()) == done["ANONYMITY"] >= 5
    assert sum(released.values()) + done["SUPPRESSED"] == len(PEOPLE)
    assert done["SUPPRESSED"] == sum(counted.values()) - sum(kept.values()) > 0
    assert done["SUPPRESSED_SHARE"] == pytest.approx(done["SUPPRESSED"] / len(PEOPLE))
    assert done["DISCERNIBILITY"] == sum(number**2 for number in kept.values())
    assert done["SITES"] == 16


def test_records_of_one_person_hide_nobody(provider, tmp_path, inputs):
    visits = [row for row in PEOPLE for _ in range(3)]
    visits += [(PEOPLE[at + 40][0], *row[1:]) for at, row in enumerate(PEOPLE[:100])]  # moved
    given = {**inputs, "RECORDS": saved(table(visits), tmp_path / "visits.gpkg")}
    done = aggregated(given, tmp_path, PERSON_FIELD="name", LOCATION="least_suppression")
    area_of = lookup(done)
    persons, rows = defaultdict(set), Counter()
    for row in visits:
        persons[area_of[row[0]], row[1], row[2]].add(row[4])
        rows[area_of[row[0]], row[1], row[2]] += 1
    released = Counter(
        (row["area_id"], row["age"], row["sex"]) for row in records(done["RECORDS_OUT"])
    )
    assert released and all(number == rows[key] for key, number in released.items())
    assert all(len(persons[key]) >= 5 for key in released)
    assert any(number >= 5 and len(persons[key]) < 5 for key, number in rows.items())
    assert b"person-" not in (tmp_path / "released.gpkg").read_bytes()
    assert "so that this holds" in done.feedback.said
    assert "each was taken to be another person" not in done.feedback.said
    plain = aggregated(inputs, tmp_path, OUTPUT=str(tmp_path / "plain.gpkg"))
    assert "each was taken to be another person" in plain.feedback.said
    message = refused(inputs, PERSON_FIELD="age")
    assert "“age” is the person's id" in message


def test_areas_tell_what_is_in_them(provider, tmp_path, inputs):
    done = aggregated(inputs, tmp_path)
    area_of = lookup(done)
    counted, kept = expected(area_of)
    rows = {row["area_id"]: row for row in records(done["OUTPUT"])}
    assert set(rows) == set(area_of.values())
    for area, row in rows.items():
        sizes = [number for key, number in counted.items() if key[0] == area]
        held = [number for key, number in kept.items() if key[0] == area]
        assert row["regions"] == sum(one == area for one in area_of.values())
        assert (row["records"], row["classes"], row["smallest"]) == (
            sum(sizes),
            len(sizes),
            min(sizes),
        )
        assert row["suppressed"] == sum(sizes) - sum(held) == row["records"] - row["released"]
        assert row["share"] == pytest.approx(row["suppressed"] / row["records"])
        assert row["kept"] == min(held)
    public = records(done["AREAS_OUT"])
    assert set(public[0]) == {"fid", "area_id", "regions", "released"}
    assert {row["area_id"]: row["released"] for row in public} == {
        area: row["released"] for area, row in rows.items()
    }


def test_each_region_belongs_to_the_nearest_site_and_lies_in_its_cell(provider, tmp_path, inputs):
    done = aggregated(inputs, tmp_path)
    sites = coordinates(done["SITES_OUT"])
    xy = places()
    nearest = ((xy[:, None] - sites[None]) ** 2).sum(axis=2).argmin(axis=1) + 1
    area_of = lookup(done)
    assert [area_of[1_000 + 7 * row] for row in range(REGIONS)] == nearest.tolist()
    cells = {f["area_id"]: f.geometry() for f in opened(done["OUTPUT"]).getFeatures()}
    for row, (x, y) in enumerate(xy.tolist()):
        place = QgsGeometry.fromWkt(f"POINT({x!r} {y!r})")
        assert cells[nearest[row]].buffer(1e-6, 2).contains(place)
    assert done["COMPACTNESS"] == pytest.approx(
        np.hypot(*(xy - sites[nearest - 1]).T).sum(), rel=1e-9
    )
    regions_out = {row["uid"]: row["area_id"] for row in records(done["REGIONS_OUT"])}
    assert regions_out == area_of


def test_polygons_become_their_true_union(provider, tmp_path, inputs):
    done = aggregated(inputs, tmp_path, REGIONS=regions(polygons=True), **reported(tmp_path))
    areas = {f["area_id"]: f.geometry() for f in opened(done["OUTPUT"]).getFeatures()}
    area_of = lookup(done)
    squares = {f["uid"]: f.geometry() for f in opened(done["REGIONS_OUT"]).getFeatures()}
    assert sum(one.area() for one in areas.values()) == pytest.approx(REGIONS * STEP**2)
    for uid, square in squares.items():
        for area, whole in areas.items():
            shared = whole.intersection(square).area()
            assert shared == pytest.approx(STEP**2 if area == area_of[uid] else 0.0, abs=1e-3)
    assert "unions" in Path(done["REPORT"]).read_text(encoding="utf-8")


def test_polygons_that_are_not_valid_are_repaired_and_said(provider, tmp_path, inputs):
    shapes = [
        "POLYGON((0 0, 2 2, 2 0, 0 2, 0 0))",
        "POLYGON((10 0, 12 0, 12 2, 10 2, 10 0))",
        "POLYGON((20 0, 22 0, 22 0, 20 0))",
    ]
    made = layer(shapes, GRID, "Polygon", "uid:int", [(1,), (2,), (3,)])
    rows = [(1 + at % 2, "0-17", "f", 1.0, "n", 1) for at in range(40)]
    done = aggregated(
        {**inputs, "REGIONS": made, "RECORDS": table(rows)}, tmp_path, SITES=2, LOCATION="random"
    )
    assert "1 polygon not valid, repaired" in done.feedback.said
    assert "1 region without a usable place" in done.feedback.said
    areas = [f.geometry() for f in opened(done["OUTPUT"]).getFeatures()]
    assert all(one.isGeosValid() for one in areas)
    assert sorted(round(one.area(), 6) for one in areas) == [2.0, 4.0]


def test_cells_are_clipped_to_the_study_area(provider, tmp_path, inputs):
    box = "POLYGON((400000 300000, 412000 300000, 412000 306000, 400000 306000, 400000 300000))"
    area = layer([box], GRID, "Polygon")
    done = aggregated(inputs, tmp_path, AREA=area)
    cells = [f.geometry() for f in opened(done["OUTPUT"]).getFeatures()]
    inside = [one for one in cells if not one.isEmpty()]
    assert sum(one.area() for one in inside) == pytest.approx(12_000 * 6_000)
    assert all(QgsGeometry.fromWkt(box).buffer(1e-3, 4).contains(one) for one in inside)


def test_degrees_are_projected_and_that_is_said(provider, tmp_path, inputs):
    done = aggregated(inputs, tmp_path, REGIONS=regions(DEGREES))
    assert "local metric projection" in done.feedback.said
    cells = {f["area_id"]: f.geometry() for f in opened(done["OUTPUT"]).getFeatures()}
    area_of = lookup(done)
    for row, (x, y) in enumerate(places(DEGREES).tolist()):
        cell = cells[area_of[1_000 + 7 * row]].buffer(1e-7, 2)
        assert cell.contains(QgsGeometry.fromWkt(f"POINT({x!r} {y!r})"))
    assert opened(done["OUTPUT"]).crs().authid() == DEGREES
    # Some 1,111 m a step: the same order of length as on the grid.
    assert 5e4 < done["COMPACTNESS"] < 3e5


def test_the_number_of_sites_by_the_models(provider, tmp_path, inputs):
    many = aggregated(inputs, tmp_path, SITES_BY="gaps_entropy", GAPS_REGION="custom", A=40, B=0.5)
    few = aggregated(inputs, tmp_path, SITES_BY="gaps_maxcombs", GAPS_REGION="custom", A=40, B=0.5)
    assert few["SITES"] == round(len(PEOPLE) / (40 * 12**0.5))
    shares = np.array(list(Counter((row[1], row[2]) for row in PEOPLE).values())) / len(PEOPLE)
    entropy = -(shares * np.log2(shares)).sum()
    assert many["SITES"] == round(len(PEOPLE) / (40 * entropy**0.5)) > few["SITES"]
    assert many["SUPPRESSED"] > few["SUPPRESSED"]
    assert many["COMPACTNESS"] < few["COMPACTNESS"]


def test_a_cutoff_of_one_person(provider, tmp_path, inputs):
    gaps = {"SITES_BY": "gaps_entropy", "GAPS_REGION": "custom", "A": 1, "B": 0}
    done = aggregated(inputs, tmp_path, **gaps, **reported(tmp_path))
    page = Path(done["REPORT"]).read_text(encoding="utf-8")
    assert "the cutoff is 1 person," in page


def test_the_report_has_figures_map_and_what_another_k_costs(provider, tmp_path, inputs):
    done = aggregated(inputs, tmp_path, LOCATION="adc", **reported(tmp_path))
    page = Path(done["REPORT"]).read_text(encoding="utf-8")
    for text in (
        "Private: do not pass on",
        "data:image/png",
        "<svg",
        "Moves tried",
        "Croft",
        "What another K would cost",
        "Categories as observed",
    ):
        assert text in page, text
    figures = json.loads(Path(done["JSON"]).read_text(encoding="utf-8"))["figures"]
    assert figures["suppressed"] == done["SUPPRESSED"]
    assert figures["anonymity"] == done["ANONYMITY"]
    assert "The search tried" in done.feedback.said and "It stopped:" in done.feedback.said


# --- the release ----------------------------------------------------------------------------------


def test_the_released_records_tell_nothing_but_what_was_asked_for(provider, tmp_path, inputs):
    done = aggregated(inputs, tmp_path)
    rows = records(done["RECORDS_OUT"])
    assert [set(row) for row in rows[:1]] == [{"fid", "area_id", "age", "sex"}]
    raw = (tmp_path / "released.gpkg").read_bytes()
    assert b"person-" not in raw and b"people" not in raw and b"income" not in raw
    incomes = {struct.pack(order + "d", row[3]) for row in PEOPLE for order in "<>"}
    assert not any(one in raw for one in list(incomes)[:2_000])
    # The input is sorted by region: the order of a release must not be.
    areas = np.array([row["area_id"] for row in rows])
    same = (areas[1:] == areas[:-1]).mean()
    chance = (np.bincount(areas) ** 2).sum() / len(areas) ** 2
    assert abs(same - chance) < 0.05 < 0.5
    other = aggregated(inputs, tmp_path, SEED=None)
    again = [(row["area_id"], row["age"], row["sex"]) for row in records(other["RECORDS_OUT"])]
    assert again != [(row["area_id"], row["age"], row["sex"]) for row in rows]
    assert Counter(again) == Counter((row["area_id"], row["age"], row["sex"]) for row in rows)


def test_further_attributes_stay_with_their_record_and_are_looked_at(provider, tmp_path, inputs):
    done = aggregated(inputs, tmp_path, FIELDS=["name", "ward"])
    assert "Released because you asked for it, but check it: name (" in done.feedback.said
    assert "not over the further attributes: name, ward" in done.feedback.said
    by_name = {row[4]: row for row in PEOPLE}
    area_of = lookup(done)
    for row in records(done["RECORDS_OUT"]):
        source = by_name[row["name"]]
        assert (row["area_id"], row["age"], row["sex"], row["ward"]) == (
            area_of[source[0]],
            source[1],
            source[2],
            source[5],
        )


def test_a_seed_repeats_a_run(provider, tmp_path, inputs):
    (tmp_path / "one").mkdir(), (tmp_path / "two").mkdir()
    for location in ("random", "least_suppression"):
        one, two = (
            aggregated(inputs, tmp_path / name, LOCATION=location) for name in ("one", "two")
        )
        for name in ("OUTPUT", "RECORDS_OUT", "LOOKUP"):
            assert records(one[name]) == records(two[name])


def test_only_what_gives_nobody_back_is_a_release(provider):
    made = QgsApplication.processingRegistry().algorithmById("geoanon:vbas")
    said = {one.name(): one.description() for one in made.destinationParameterDefinitions()}
    released = [name for name, text in said.items() if text.startswith("Release: ")]
    of_areas = ["AREAS_OUT", "LEVELS_OUT", "LOOKUP", "REGIONS_OUT"]
    assert released == [*of_areas, "RECORDS_OUT", "CROSSWALK"]
    assert all(text.startswith(("Release: ", "Private: ")) for text in said.values())
    compare = QgsApplication.processingRegistry().algorithmById("geoanon:vbascompare")
    assert all(
        one.description().startswith("Private: ")
        for one in compare.destinationParameterDefinitions()
    )


# --- where records come from ----------------------------------------------------------------------


def parquet(rows, path, fields=FIELDS):
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    names = [one.split(":")[0] for one in fields.split(",")]
    columns = dict(zip(names, map(list, zip(*rows))))
    columns["age"] = pa.array(columns["age"]).dictionary_encode()
    pq.write_table(pa.table(columns), path, row_group_size=1_000)
    return str(path)


def test_every_kind_of_table_gives_the_same(provider, tmp_path, inputs):
    wanted = aggregated(inputs, tmp_path)
    classes = Counter(
        (row["area_id"], row["age"], row["sex"]) for row in records(wanted["RECORDS_OUT"])
    )
    tables = {
        "memory": table(),
        "csv": saved(table(), tmp_path / "people.csv"),
        "filtered": opened(inputs["RECORDS"]),
    }
    tables["filtered"].setSubsetString('"ward" > 0')
    for name, source in tables.items():
        done = aggregated(inputs, tmp_path, RECORDS=source)
        assert done["SUPPRESSED"] == wanted["SUPPRESSED"], name
        assert (
            Counter(
                (row["area_id"], row["age"], row["sex"]) for row in records(done["RECORDS_OUT"])
            )
            == classes
        ), name
    done = aggregated(
        inputs, tmp_path, RECORDS=None, RECORDS_FILE=parquet(PEOPLE, tmp_path / "p.parquet")
    )
    assert (
        Counter((row["area_id"], row["age"], row["sex"]) for row in records(done["RECORDS_OUT"]))
        == classes
    )


def test_nothing_but_filter_and_selection_is_read(provider, tmp_path, inputs):
    source = opened(inputs["RECORDS"])
    source.setSubsetString('"ward" = 1')
    some = [row for row in PEOPLE if row[5] == 1]
    done = aggregated(inputs, tmp_path, RECORDS=source)
    released = len(records(done["RECORDS_OUT"]))
    assert released + done["SUPPRESSED"] == len(some)
    source.setSubsetString("")
    source.selectByExpression('"ward" = 2')
    from qgis.core import QgsProject

    QgsProject.instance().addMapLayer(source)
    try:
        chosen = QgsProcessingFeatureSourceDefinition(source.id(), True)
        done = aggregated(inputs, tmp_path, RECORDS=chosen)
    finally:
        QgsProject.instance().removeMapLayer(source.id())
    released = len(records(done["RECORDS_OUT"]))
    assert released + done["SUPPRESSED"] == sum(row[5] == 2 for row in PEOPLE)


def test_ids_may_be_text_on_one_side_and_numbers_on_the_other(provider, tmp_path, inputs):
    wanted = aggregated(inputs, tmp_path)["SUPPRESSED"]
    as_text = table(
        [(str(row[0]), *row[1:]) for row in PEOPLE], FIELDS.replace("region:int", "region:string")
    )
    as_floats = table(
        [(float(row[0]), *row[1:]) for row in PEOPLE], FIELDS.replace("region:int", "region:double")
    )
    for source in (as_text, saved(as_text, tmp_path / "t.gpkg"), as_floats):
        assert aggregated(inputs, tmp_path, RECORDS=source)["SUPPRESSED"] == wanted
    texts = layer(
        places(), fields="uid:string", rows=[(str(1_000 + 7 * row),) for row in range(REGIONS)]
    )
    for source in (table(), saved(as_text, tmp_path / "u.gpkg"), as_floats):
        done = aggregated({**inputs, "REGIONS": texts}, tmp_path, RECORDS=source)
        assert done["SUPPRESSED"] == wanted


def test_ids_with_decimals_belong_together(provider, tmp_path, inputs):
    """Census tracts have numbers such as 101 and 101.25."""
    ids = [100 + row / 4 for row in range(REGIONS)]
    tracts = layer(places(), fields="uid:double", rows=[(one,) for one in ids])
    people_of = table(
        [(100 + (row[0] - 1_000) / 28, *row[1:]) for row in PEOPLE],
        FIELDS.replace("region:int", "region:double"),
    )
    wanted = aggregated(inputs, tmp_path)["SUPPRESSED"]
    for source in (people_of, saved(people_of, tmp_path / "tracts.gpkg")):
        done = aggregated({**inputs, "REGIONS": tracts, "RECORDS": source}, tmp_path)
        assert len(records(done["RECORDS_OUT"])) + done["SUPPRESSED"] == len(PEOPLE)
        assert done["SUPPRESSED"] == wanted


def test_text_among_ids_that_are_numbers_is_an_unknown_region(provider, tmp_path, inputs):
    rows = [(str(row[0]), *row[1:]) for row in [*PEOPLE, *PEOPLE[:3]]]
    rows[-3:] = [("n/a", *row[1:]) for row in rows[-3:]]
    made = table(rows, FIELDS.replace("region:int", "region:string"))
    for source in (made, saved(made, tmp_path / "t.gpkg")):
        given = {**inputs, "RECORDS": source}
        said = refusal(
            "vbas",
            {**given, "K": 5, "SITES_BY": "fixed", "SITES": 4, "OUTPUT": str(tmp_path / "no.gpkg")},
        )
        assert "3 records of regions that are not in the layer: n/a (3)" in said
        done = aggregated(given, tmp_path, UNKNOWN="leave_out")
        assert len(records(done["RECORDS_OUT"])) + done["SUPPRESSED"] == len(PEOPLE)


def test_columns_of_a_parquet_file_that_cannot_be_counted(provider, tmp_path, inputs):
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    of = [row[0] for row in PEOPLE]
    made = pa.table({"region": of, "large": pa.array([2**63] * len(of), pa.uint64())})
    path = tmp_path / "p.parquet"
    pq.write_table(made, path)
    said = refusal(
        "vbas",
        {
            "REGIONS": inputs["REGIONS"],
            "REGION_ID": "uid",
            "RECORD_REGION": "region",
            "RECORDS_FILE": str(path),
            "QIS": ["large"],
            "SITES_BY": "fixed",
            "SITES": 4,
            "OUTPUT": str(tmp_path / "no.gpkg"),
        },
    )
    assert "The column “large” of p.parquet holds values of the type" in said
    assert leftovers(tmp_path) == ["p.parquet"]


def test_the_region_itself_is_not_released(provider, tmp_path, inputs):
    said = refusal(
        "vbas",
        {
            **inputs,
            "K": 5,
            "SITES_BY": "fixed",
            "SITES": 4,
            "FIELDS": ["region"],
            "OUTPUT": str(tmp_path / "no.gpkg"),
        },
    )
    assert "“region” is the id of the region and cannot be released" in said
    assert leftovers(tmp_path) == []


def with_nulls():
    rows = [list(row) for row in PEOPLE]
    for row in rows[::10]:
        row[2] = None
    return [tuple(row) for row in rows]


@pytest.mark.parametrize("kind", ["memory", "gpkg", "parquet"])
def test_null_is_a_category_of_its_own_or_refused(provider, tmp_path, inputs, kind):
    rows = with_nulls()
    given = {"RECORDS": table(rows)}
    if kind == "gpkg":
        given = {"RECORDS": saved(table(rows), tmp_path / "nulls.gpkg")}
    elif kind == "parquet":
        given = {"RECORDS": None, "RECORDS_FILE": parquet(rows, tmp_path / "nulls.parquet")}
    done = aggregated(inputs, tmp_path, **given)
    released = Counter(
        (row["area_id"], row["age"], row["sex"]) for row in records(done["RECORDS_OUT"])
    )
    assert released == expected(lookup(done), rows)[1]
    assert any(key[2] is None for key in released)
    count = f"{len(rows[::10]):,}"
    assert f"“sex” is NULL in {count} records; NULL is a category of its own" in done.feedback.said
    (tmp_path / "other").mkdir()
    said = refusal(
        "vbas",
        {
            **inputs,
            **given,
            "K": 5,
            "SITES_BY": "fixed",
            "SITES": 4,
            "NULLS": "refuse",
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert "“sex” is NULL" in said


def test_declared_categories_count_for_the_combinations(provider, tmp_path, inputs):
    by = {"SITES_BY": "gaps_maxcombs", "GAPS_REGION": "custom", "A": 40, "B": 0.5}
    declared = '{"age": 16, "sex": ["f", "m", "x", "unknown"]}'
    done = aggregated(inputs, tmp_path, CATEGORIES=declared, **by)
    assert done["SITES"] == round(len(PEOPLE) / (40 * 64**0.5))
    file = tmp_path / "categories.json"
    file.write_text(declared, encoding="utf-8")
    assert aggregated(inputs, tmp_path, CATEGORIES=str(file), **by)["SITES"] == done["SITES"]


def test_numbers_are_grouped_and_the_groups_are_released(provider, tmp_path, inputs):
    limits = '{"income": [0, 20000, 60000, 1000000]}'
    done = aggregated(inputs, tmp_path, QIS=["sex", "income"], GROUPS=limits, SITES=4)
    released = Counter(
        (row["area_id"], row["sex"], row["income"]) for row in records(done["RECORDS_OUT"])
    )

    def label(income):
        if income < 20_000:
            return "0 to under 20000"
        return "20000 to under 60000" if income < 60_000 else "60000 to 1000000"

    rows = [(row[0], row[2], label(row[3])) for row in PEOPLE]
    assert released == expected(lookup(done), rows)[1]
    open_ended = '{"income": [-Infinity, 20000, Infinity]}'
    done = aggregated(inputs, tmp_path, QIS=["income"], GROUPS=open_ended, SITES=2)
    assert {row["income"] for row in records(done["RECORDS_OUT"])} == {
        "under 20000",
        "20000 and more",
    }
    done = aggregated(inputs, tmp_path, QIS=["income"], GROUPS='{"income": 4}', SITES=2)
    sizes = Counter(row["income"] for row in records(done["RECORDS_OUT"]))
    assert len(sizes) == 4 and max(sizes.values()) - min(sizes.values()) <= 4
    incomes = sorted(row[3] for row in PEOPLE)
    for one in (incomes[0], incomes[-1]):  # the greatest may be of somebody who is suppressed
        assert not any(f"{one:.10g}" in label for label in sizes)


def test_a_number_with_many_values_is_warned_of(provider, tmp_path, inputs):
    done = aggregated(inputs, tmp_path, QIS=["income"], SITES=1, K=2)
    assert "MaxCombs multiplies" in done.feedback.said
    assert "“Groups of numbers” makes groups" in done.feedback.said
    assert '{"income": 5}' in done.feedback.said
    assert "nothing can be released" in done.feedback.said or done["SUPPRESSED_SHARE"] > 0.9


# --- bad input ------------------------------------------------------------------------------------


def strangers():
    return [*PEOPLE, *[(99, "0-17", "f", 1.0, "s", 1)] * 3, (None, "0-17", "f", 1.0, "s", 1)]


@pytest.mark.parametrize("kind", ["memory", "gpkg"])
def test_unknown_regions_are_refused_or_left_out_and_listed(provider, tmp_path, inputs, kind):
    source = table(strangers())
    if kind == "gpkg":
        source = saved(source, tmp_path / "strangers.gpkg")
    said = refusal(
        "vbas",
        {
            **inputs,
            "RECORDS": source,
            "OUTPUT": "TEMPORARY_OUTPUT",
            "SITES_BY": "fixed",
            "SITES": 4,
        },
    )
    assert "4 records" in said and "99 (3)" in said and "NULL (1)" in said
    told = str(tmp_path / "r.json")
    done = aggregated(inputs, tmp_path, RECORDS=source, UNKNOWN="leave_out", JSON=told)
    assert "99 (3)" in done.feedback.said
    assert len(records(done["RECORDS_OUT"])) + done["SUPPRESSED"] == len(PEOPLE)
    report = json.loads(Path(told).read_text(encoding="utf-8"))
    (unknown,) = (
        block
        for section in report["sections"]
        for block in section["blocks"]
        if block.get("name") == "unknown"
    )
    assert {row["id"]: row["records"] for row in unknown["rows"]} == {"99": 3, "NULL": 1}


def test_regions_without_records_and_a_site_that_attracts_nothing(
    provider, tmp_path, inputs, monkeypatch
):
    half = [row for row in PEOPLE if row[0] < 1_000 + 7 * REGIONS // 2]

    def far_away(problem, rng, progress):
        sites = engine.LOCATIONS["balanced_density"](problem, rng, progress).sites
        return engine.Placement(np.vstack([sites, [[1e7, 1e7]]]))

    monkeypatch.setitem(engine.LOCATIONS, "random", far_away)
    done = aggregated(inputs, tmp_path, RECORDS=table(half), LOCATION="random", SITES=12)
    assert "regions have no records" in done.feedback.said
    assert "1 site attracts no region" in done.feedback.said
    assert done["ANONYMITY"] >= 5 and done["SITES"] == 13
    areas = records(done["OUTPUT"])
    assert len(areas) == 12 == len(records(done["SITES_OUT"])) - 1
    assert sum(row["regions"] for row in areas) == REGIONS
    for row in areas:
        assert (row["share"] is None) == (row["records"] == 0)


def test_one_region(provider, tmp_path, inputs):
    rows = [(1_000, "0-17", "f", 1.0, "n", 1)] * 9
    for polygons in (False, True):
        done = aggregated(
            {**inputs, "REGIONS": regions(ids=[1_000], polygons=polygons)},
            tmp_path,
            RECORDS=table(rows),
            SITES=1,
        )
        assert (done["SITES"], done["SUPPRESSED"], done["ANONYMITY"]) == (1, 0, 9)
        (area,) = opened(done["OUTPUT"]).getFeatures()
        assert area.geometry().area() > 0


def test_points_at_one_place_go_together(provider, tmp_path, inputs):
    xy = places()
    xy[1] = xy[0]
    made = layer(xy, fields="uid:int", rows=[(1_000 + 7 * row,) for row in range(REGIONS)])
    done = aggregated({**inputs, "REGIONS": made}, tmp_path)
    area_of = lookup(done)
    assert area_of[1_000] == area_of[1_007]
    assert "1 region shares its point with another" in done.feedback.said


def refused(inputs, **parameters):
    return refusal(
        "vbas",
        {**inputs, "SITES_BY": "fixed", "SITES": 8, "OUTPUT": "TEMPORARY_OUTPUT", **parameters},
    )


def test_what_cannot_be_done_is_said(provider, tmp_path, inputs):
    assert "at least 2" in refused(inputs, K=1)
    assert "5,000" in refused(inputs, K=5_000)
    assert "145" in refused(inputs, SITES=145)
    assert "number of sites" in refused(inputs, SITES=None)
    assert "quasi-identifier" in refused(inputs, QIS=[])
    assert "records" in refused(inputs, RECORDS=None)
    assert "A and B" in refused(inputs, SITES_BY="gaps_entropy", GAPS_REGION="custom")
    assert "no field" in refused(inputs, QIS=["age", "shoe"])
    assert "region" in refused(inputs, QIS=["age", "region"])
    twice = regions(ids=[1_000, 1_000, 1_007])
    assert "more than once" in refused({**inputs, "REGIONS": twice}, SITES=1)
    assert "empty" in refused({**inputs, "REGIONS": regions(ids=[1_000, None])}, SITES=1)
    assert "no records" in refused(inputs, RECORDS=table([])).lower()
    lines = layer(["LINESTRING(0 0, 1 1)"], GRID, "LineString", "uid:int", [(1_000,)])
    refused({**inputs, "REGIONS": lines})
    apart = table([(1, "a", "f", 1.0, "n", 1)] * 9)
    assert "No record lies" in refused(inputs, RECORDS=apart, UNKNOWN="leave_out")


def test_declarations_that_do_not_fit(provider, tmp_path, inputs):
    assert "JSON" in refused(inputs, CATEGORIES="age: 4")
    assert "no quasi-identifier" in refused(inputs, CATEGORIES='{"shoe": 4}')
    assert "not among the declared" in refused(inputs, CATEGORIES='{"sex": ["f", "m"]}')
    assert "more than the 2" in refused(inputs, CATEGORIES='{"sex": 2}')
    assert "neither a list" in refused(inputs, CATEGORIES='{"sex": "f"}')
    assert "outside the groups" in refused(inputs, QIS=["income"], GROUPS='{"income": [0, 10]}')
    assert "text" in refused(inputs, GROUPS='{"sex": 3}')
    assert "JSON" in refused(inputs, GROUPS="[1, 2]")
    missing = tmp_path / "none.parquet"
    assert "no file or folder" in refused(inputs, RECORDS=None, RECORDS_FILE=str(missing))


def test_max_p_names_its_package(provider, inputs, monkeypatch):
    monkeypatch.setitem(sys.modules, "spopt", None)
    said = refused(inputs, LOCATION="max_p")
    assert "QGIS does not have: spopt" in said and "install" in said
    assert said.endswith("Or choose another location of the sites than max_p.")


@pytest.mark.parametrize("percent", [0.5, 20, 60, 75, 90])
def test_a_cancelled_run_leaves_nothing(provider, tmp_path, inputs, percent):
    wanted = {"LOCATION": "least_suppression", **reported(tmp_path)}
    done = aggregated(inputs, tmp_path, Feedback(percent), **wanted)
    assert "SITES" not in done.results or done.results["SITES"] is None
    assert leftovers(tmp_path) == []


# --- comparing ------------------------------------------------------------------------------------


def test_all_combinations_are_tried_and_agree_with_single_runs(provider, tmp_path, inputs):
    done = run(
        "vbascompare",
        {
            **inputs,
            "KS": "3, 6",
            "SITES_BY": ["gaps_maxcombs", "fixed"],
            "SITES": 20,
            "GAPS_REGION": "custom",
            "A": 40,
            "B": 0.5,
            "SEED": 2,
            "LOCATIONS": LOCATIONS,
            "OUTPUT": str(tmp_path / "all.gpkg"),
            "REPORT": str(tmp_path / "r.html"),
            "JSON": str(tmp_path / "r.json"),
        },
    )
    rows = records(done["OUTPUT"])
    assert done["COMBINATIONS"] == len(rows) == 16
    assert {(row["k"], row["sites_by"], row["location"]) for row in rows} == {
        (k, by, where) for k in (3, 6) for by in ("gaps_maxcombs", "fixed") for where in LOCATIONS
    }
    assert done["LEAST_SUPPRESSED"] == min(row["suppressed_share"] for row in rows)
    (tmp_path / "single").mkdir()
    for row in rows:
        single = aggregated(
            inputs,
            tmp_path / "single",
            K=row["k"],
            SITES_BY=row["sites_by"],
            SITES=20,
            GAPS_REGION="custom",
            A=40,
            B=0.5,
            LOCATION=row["location"],
            SEED=2,
        )
        assert row["anonymity"] >= row["k"]
        assert row["suppressed"] == single["SUPPRESSED"]
        assert row["compactness"] == pytest.approx(single["COMPACTNESS"])
        assert row["entropy_loss"] == pytest.approx(single["ENTROPY_LOSS"])
        assert (row["stopped"] is None) == (row["location"] in ("balanced_density", "random"))
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert page.count("data:image/png") == 16 and "Each location / balanced density" in page


def test_a_comparison_that_cannot_be(provider, inputs):
    def said(**parameters):
        return refusal(
            "vbascompare",
            {
                **inputs,
                "OUTPUT": "TEMPORARY_OUTPUT",
                "SITES": 4,
                "SITES_BY": ["fixed"],
                **parameters,
            },
        )

    assert "“1”" in said(KS="1, 5")
    assert "number of sites" in said(SITES=None)


# --- made-up records ------------------------------------------------------------------------------

SHARES = {
    "labels": {"sex": ["f", "m"]},
    "groups": {
        "north": {"sex": [0.9, 0.1], "age": [1, 2, 1]},
        "south": {"sex": [0.1, 0.9], "age": [0, 0, 5]},
    },
}


def grouped_regions(count=40):
    rows = [(f"r{row:03d}", "north" if row % 2 else "south") for row in range(count)]
    return layer(places()[:count], fields="uid:string,part:string", rows=rows)


def synthetic(folder, **parameters):
    file = folder / "shares.json"
    file.write_text(json.dumps(SHARES), encoding="utf-8")
    return run(
        "syntheticrecords",
        {
            "REGIONS": grouped_regions(),
            "REGION_ID": "uid",
            "GROUP": "part",
            "SHARES_FILE": str(file),
            "LEAST": 50,
            "MOST": 60,
            "SEED": 8,
            "OUTPUT": str(folder / "made.gpkg"),
            **parameters,
        },
    )


def test_people_are_made_up_by_the_shares_of_their_group(provider, tmp_path):
    done = synthetic(tmp_path)
    rows = records(done["OUTPUT"])
    assert len(rows) == done["COUNT"] and set(rows[0]) == {"fid", "uid", "sex", "age"}
    residents = Counter(row["uid"] for row in rows)
    assert len(residents) == 40 and 50 <= min(residents.values()) < max(residents.values()) <= 60
    north = [row for row in rows if int(row["uid"][1:]) % 2]
    south = [row for row in rows if not int(row["uid"][1:]) % 2]
    assert abs(np.mean([row["sex"] == "f" for row in north]) - 0.9) < 0.04
    assert abs(np.mean([row["sex"] == "f" for row in south]) - 0.1) < 0.04
    assert {row["age"] for row in south} == {3}
    assert abs(np.mean([row["age"] == 2 for row in north]) - 0.5) < 0.06


def test_residents_can_come_from_a_field_and_shares_from_the_example(provider, tmp_path):
    """One click: a layer and its id; the file of the example says what is drawn."""
    given = {"REGION_ID": "uid", "OUTPUT": str(tmp_path / "made.csv"), "SEED": 4}
    done = run("syntheticrecords", {"REGIONS": grouped_regions(), **given, "LEAST": 60, "MOST": 60})
    example = json.loads((ROOT / "resources" / "data" / "example_shares.json").read_text("utf-8"))
    (shares,) = example["groups"].values()
    assert done["COUNT"] == 60 * 40
    with open(done["OUTPUT"], encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for name, listed in shares.items():
        assert sum(listed) == pytest.approx(1)
        found = Counter(row[name] for row in rows)
        for label, share in zip(example["labels"][name], listed):
            assert abs(found[label] / len(rows) - share) < 0.04
    told = [(f"r{at}", at) for at in range(5)]
    census = layer([None] * 5, "", "NoGeometry", "uid:string,people:int", told)
    done = run("syntheticrecords", {**given, "REGIONS": census, "RESIDENTS": "people"})
    with open(done["OUTPUT"], encoding="utf-8", newline="") as file:
        counted = Counter(row["uid"] for row in csv.DictReader(file))
    assert counted == {name: count for name, count in told if count}
    for wrong, said in ((-1, "numbers of people"), (None, "is empty in 1 region")):
        rows = [("a", wrong)]
        bad = layer([None], "", "NoGeometry", "uid:string,people:int", rows)
        assert said in refusal("syntheticrecords", {**given, "REGIONS": bad, "RESIDENTS": "people"})
    half = layer([None], "", "NoGeometry", "uid:string,people:double", [("a", 1.5)])
    refused = refusal("syntheticrecords", {**given, "REGIONS": half, "RESIDENTS": "people"})
    assert "not whole" in refused


def test_all_ways_to_write_hold_the_same_people(provider, tmp_path, monkeypatch):
    pq = pytest.importorskip("pyarrow.parquet")
    from geoanon_qgis.core.aggregation import synthetic as module

    # Chunks that end anywhere in the batches of the writers.
    defaults = module.synthetic_records.__defaults__
    monkeypatch.setattr(module.synthetic_records, "__defaults__", (337, *defaults[1:]))
    done = synthetic(tmp_path, PARQUET=str(tmp_path / "made.parquet"))
    wanted = [(row["uid"], row["sex"], row["age"]) for row in records(done["OUTPUT"])]
    found = pq.read_table(done["PARQUET"]).to_pydict()
    assert list(zip(found["uid"], found["sex"], found["age"])) == wanted
    csv = synthetic(tmp_path, OUTPUT=str(tmp_path / "made.csv"))
    assert [(row["uid"], row["sex"], int(row["age"])) for row in records(csv["OUTPUT"])] == wanted
    alone = synthetic(tmp_path, OUTPUT=None, PARQUET=str(tmp_path / "alone.parquet"))
    assert pq.read_table(alone["PARQUET"]).to_pydict() == found


def test_shares_from_a_table(provider, tmp_path):
    rows = [
        (group, name, label, float(share))
        for group, names in SHARES["groups"].items()
        for name, shares in names.items()
        for label, share in zip("fm" if name == "sex" else "123", shares)
    ]
    shares = layer(
        [None] * len(rows),
        "",
        "NoGeometry",
        "group:string,field:string,category:string,share:double",
        rows,
    )
    done = synthetic(tmp_path, SHARES_FILE=None, SHARES=shares)
    wanted = synthetic(tmp_path, OUTPUT=str(tmp_path / "file.gpkg"))
    assert [(row["uid"], row["sex"], int(row["age"])) for row in records(done["OUTPUT"])] == [
        (row["uid"], row["sex"], row["age"]) for row in records(wanted["OUTPUT"])
    ]


def test_made_up_records_that_cannot_be(provider, tmp_path):
    def said(text=None, **parameters):
        file = tmp_path / "given.json"
        file.write_text(json.dumps(SHARES) if text is None else text, encoding="utf-8")
        return refusal(
            "syntheticrecords",
            {
                "REGIONS": grouped_regions(),
                "REGION_ID": "uid",
                "GROUP": "part",
                "SHARES_FILE": str(file),
                "OUTPUT": "TEMPORARY_OUTPUT",
                **parameters,
            },
        )

    assert "JSON" in said("not json")
    assert "no shares" in said("{}") and "no shares" in said('{"groups": {"a": 3}}')
    both = layer([None], "", "NoGeometry", "field:string,category:string,share:double")
    assert "one of the two" in said(SHARES=both)
    assert "where to write" in said(OUTPUT=None)
    assert "more than the most" in said(LEAST=9, MOST=8)
    assert "2 groups" in said(GROUP=None)
    assert "west" in said(GROUP=None, ONE_GROUP="west")
    assert "shoe" in said(QIS="sex, shoe")
    assert "south" in said(json.dumps({"groups": {"north": {"sex": [1, 1]}}}))
    assert "3 labels" in said(json.dumps({**SHARES, "labels": {"sex": ["f", "m", "x"]}}))
    again = layer(
        places()[:2], fields="uid:string,part:string", rows=[("a", "north"), ("a", "north")]
    )
    assert "more than once" in said(REGIONS=again)


def test_a_cancelled_making_leaves_nothing(provider, tmp_path):
    (tmp_path / "out").mkdir()
    file = tmp_path / "shares.json"
    file.write_text(json.dumps(SHARES), encoding="utf-8")
    for ending in ("gpkg", "csv"):
        run(
            "syntheticrecords",
            {
                "REGIONS": grouped_regions(),
                "REGION_ID": "uid",
                "GROUP": "part",
                "SHARES_FILE": str(file),
                "LEAST": 2_000,
                "MOST": 2_000,
                "OUTPUT": str(tmp_path / "out" / f"made.{ending}"),
                "PARQUET": str(tmp_path / "out" / "made.parquet"),
            },
            Feedback(40),
        )
        assert leftovers(tmp_path / "out") == []


# --- the model ------------------------------------------------------------------------------------


def test_the_model_goes_from_regions_and_records_to_areas_and_reports(provider, tmp_path, inputs):
    model = QgsApplication.processingRegistry().createAlgorithmById(
        "geoanon:aggregaterecordsreport"
    )
    assert model.groupId() == "aggregateareas"
    said = {one.name(): one.description() for one in model.destinationParameterDefinitions()}
    assert [name for name, text in said.items() if text.startswith("Release: ")] == [
        "aggregate:LOOKUP",
        "aggregate:RECORDS",
        "aggregate:REGIONS",
    ]
    for child in model.childAlgorithms().values():
        names = {definition.name() for definition in child.algorithm().parameterDefinitions()}
        assert set(child.parameterSources()) <= names
    done = run(
        "aggregaterecordsreport",
        {
            **inputs,
            "K": 4,
            "GAPS_REGION": "east",
            "aggregate:AREAS": str(tmp_path / "a.gpkg"),
            "aggregate:RECORDS": str(tmp_path / "r.gpkg"),
            "compare:COMPARED": "TEMPORARY_OUTPUT",
            "aggregate:REPORT": str(tmp_path / "a.html"),
            "compare:REPORT": str(tmp_path / "c.html"),
        },
    )
    rows = records(done["compare:COMPARED"])
    assert len(rows) == 4 and {row["k"] for row in rows} == {4}
    assert done["aggregate:ANONYMITY"] >= 4
    (same,) = (
        row
        for row in rows
        if (row["sites_by"], row["location"]) == ("gaps_maxcombs", "balanced_density")
    )
    assert same["suppressed"] == done["aggregate:SUPPRESSED"]
    released = records(done["aggregate:RECORDS"])
    assert len(released) + done["aggregate:SUPPRESSED"] == len(PEOPLE)
    for name in ("a.html", "c.html"):
        assert "Private: do not pass on" in (tmp_path / name).read_text(encoding="utf-8")
