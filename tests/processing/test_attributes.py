# SPDX-License-Identifier: GPL-2.0-or-later
"""Which attributes a release carries, and what is said of them."""

import json

import numpy as np
import pytest
from qgis.PyQt.QtCore import QDate, QDateTime, QTime
from scipy.spatial import cKDTree

from geoanon_qgis.processing.layers.attributes import choose
from geoanon_qgis.processing.layers.reading import read_points
from tests.processing.helpers import as_source, layer, points, records, run

pytestmark = pytest.mark.usefixtures("provider")
COUNT = 60


def table(fields, rows, seed=1):
    """A table of points with these attributes."""
    made = as_source(layer(points(COUNT, seed=seed), fields=fields, rows=rows))
    return read_points(made, None, fields=[one.name() for one in made.fields()])


# --- the field whose values go into the key ----------------------------------------------------


@pytest.mark.parametrize("asked_for", [[], ["person", "age"], ["person"]])
def test_the_id_that_goes_into_the_key_is_never_released(asked_for):
    people = table("person:int,age:int", [(i % 9, 30 + i % 7) for i in range(COUNT)])
    choice = choose(people, asked_for, id_field="person")
    assert choice.kept == (("age",) if "age" in asked_for or not asked_for else ())
    assert dict(choice.dropped)["person"] == "it is the id that goes into the key"


# --- the fields of a list of hospitals -----------------------------------------------------------


def hospitals(count=400, seed=5):
    """A made-up list of hospitals with the fields that such lists have, and who may see them."""
    rng = np.random.default_rng(seed)
    xy = points(count, seed=seed)
    _, city = cKDTree(points(60, seed=6)).query(xy)
    _, trust = cKDTree(points(25, seed=7)).query(xy)
    rows = []
    for row in range(count):
        has_fax = rng.random() < 0.3
        rows.append(
            (
                row + 1,
                f"RX{row:03d}",
                "Hospital",
                ["acute", "mental", "community"][row % 3],
                ["NHS", "independent"][int(rng.random() < 0.3)],
                f"{row} hospital",
                f"{row % 90} High Street",
                f"Town {city[row]}",
                f"County {trust[row] % 9}",
                f"Trust {trust[row]}",
                f"01{row:03d} 44{row % 100:02d}00",
                f"info@h{row}.example.org",
                f"http://www.h{row}.example.org/",
                f"01{row:03d} 4555{row % 100:02d}" if has_fax else None,
                bool(rng.random() < 0.4),
                int(rng.integers(2, 60) * 10),
                float(rng.normal(50, 9)),
                QDate(1950, 1, 1).addDays(int(rng.integers(0, 20_000))),
            )
        )
    return xy, rows


FIELDS = (
    "OrganisationID:int,OrganisationCode:string,OrganisationType:string,SubType:string,"
    "Sector:string,OrganisationName:string,Address1:string,City:string,County:string,"
    "ParentName:string,Phone:string,Email:string,Website:string,Fax:string,IsPims:bool,"
    "beds:int,score:double,opened:date"
)
HARMLESS = ["OrganisationType", "SubType", "Sector", "IsPims", "beds"]
#: What the release must not hold, whatever the format.
SECRETS = ["high street", "town ", "county ", "trust ", "example.org", "rx0"]


def list_of_hospitals():
    xy, rows = hospitals()
    return layer(xy, fields=FIELDS, rows=rows, name="list")


def told_in(path):
    """Rows of the report's table of attributes by name, and its figures."""
    found = json.loads(path.read_text())
    (table,) = [
        block
        for section in found["sections"]
        for block in section["blocks"]
        if block.get("name") == "attributes_table"
    ]
    return {row["attribute"]: row for row in table["rows"]}, found["figures"]


@pytest.mark.parametrize("ending", ["gpkg", "geojson", "csv"])
def test_one_click_releases_nothing_that_names_a_hospital(tmp_path, ending):
    target = tmp_path / f"released.{ending}"
    done = run(
        "voronoimask",
        {
            "INPUT": list_of_hospitals(),
            "OUTPUT": str(target),
            "JSON": str(tmp_path / "r.json"),
            "REPORT": str(tmp_path / "r.html"),
        },
    )
    names = [name for name in records(target)[0] if name not in ("fid", "X", "Y")]
    assert names == ["masked_id", *HARMLESS]
    raw = target.read_bytes().lower()
    assert [one for one in SECRETS if one.encode() in raw] == []
    # every field is told of, in the log, the report and the figures
    every = [one.partition(":")[0] for one in FIELDS.split(",")]
    told = "\n".join(done.feedback.infos)
    state, _ = told_in(tmp_path / "r.json")
    assert list(state) == [*HARMLESS, *(one for one in every if one not in HARMLESS)]
    page = (tmp_path / "r.html").read_text()
    for name in every:
        assert name in told and name in page
        assert state[name]["state"] == ("released" if name in HARMLESS else "withheld")
        assert bool(state[name]["why"]) == (name not in HARMLESS)
    fax = [row[13] for row in hospitals()[1] if row[13]]
    assert (state["Fax"]["present"], state["Fax"]["unique"]) == (len(fax), len(set(fax)))
    assert f", {len(set(fax))} values, {len(set(fax))} records alone with theirs)" in told
    assert state["score"]["why"] == "values that stand in one record only: 400 of 400"


@pytest.mark.parametrize(
    "algorithm, outputs",
    [
        ("voronoimask", {}),
        ("lipschitzrelease", {"MATRIX": "TEMPORARY_OUTPUT", "SETS": 5, "SIZE": 5}),
        ("noisydistances", {"MATRIX": "TEMPORARY_OUTPUT"}),
        ("spectralanonymize", {"MISSING": "dummy"}),
    ],
)
def test_all_algorithms_ask_the_same_screening(algorithm, outputs):
    done = run(algorithm, {"INPUT": list_of_hospitals(), "OUTPUT": "memory:", **outputs})
    kept = done["OUTPUT"].fields().names()[1:]
    # spectral anonymization releases other numbers and dates
    other = algorithm == "spectralanonymize"
    assert kept == [*HARMLESS, *(["score", "opened"] if other else [])]
    withheld = next(line for line in done.feedback.infos if line.startswith("Not released: "))
    for one in (
        "Fax (its name is that of a contact",
        "City (its name is that of a place",
        "ParentName (its name is that of a person's or an owner's name",
        *([] if other else ["opened ("]),
    ):
        assert one in withheld


def test_the_label_says_what_choosing_nothing_means(provider):
    """QGIS shows "0 options selected" beside it, which reads as none."""
    labels = {
        one.name(): fields.description()
        for one in provider.algorithms()
        if (fields := one.parameterDefinition("FIELDS")) is not None
        and fields.flags() & fields.Flag.FlagOptional
    }
    assert len(labels) >= 7
    assert all("(none chosen: " in label for label in labels.values()), labels
    for name in ("voronoimask", "lipschitzrelease", "noisydistances", "spectralanonymize"):
        assert "those that pass the screening" in labels[name]
    assert labels["vbas"].endswith("(none chosen: none)")


def test_what_is_named_is_released_with_a_warning():
    asked_for = ["City", "Fax", "Sector"]
    done = run(
        "voronoimask", {"INPUT": list_of_hospitals(), "OUTPUT": "memory:", "FIELDS": asked_for}
    )
    assert done["OUTPUT"].fields().names()[1:] == asked_for
    warning = next(line for line in done.feedback.warnings if "check it" in line)
    assert "City (" in warning and "Fax (" in warning and "Sector" not in warning
    left = next(line for line in done.feedback.infos if line.startswith("Not released"))
    assert left.count("(not chosen)") == len(FIELDS.split(",")) - 3


# --- all released fields together ----------------------------------------------------------------


def test_records_that_the_fields_single_out_together_are_counted_and_warned_of():
    rows = [(i % 5, i // 5 % 6, 1) for i in range(COUNT)]
    rows[0] = (0, 0, None)
    few = choose(table("a:int,b:int,c:int", rows), ["a", "b", "c"])
    assert few.alone == 2 and not few.many_alone and few.warnings() == []
    assert "Of 60 records, 2 (3.3 %) are the only ones" in few.sentences()[-1]
    many = choose(table("a:int,b:int,c:int", [(i % 5, i // 5 % 12, 1) for i in range(COUNT)]), [])
    assert many.kept == ("a", "b", "c") and many.alone == COUNT and many.many_alone
    (warning,) = many.warnings()
    assert "60 (100.0 %)" in warning and "group their values" in warning
    assert "geoanon:equivalenceclasses" in warning
    assert not any("the only ones" in line for line in many.sentences())


def test_without_attributes_nobody_is_singled_out():
    choice = choose(table("id:int", [(i,) for i in range(COUNT)]), [])
    assert choice.kept == () and choice.alone == 0 and choice.warnings() == []
    assert choice.sentences()[0] == "No attribute is released but the new id."


@pytest.mark.parametrize(
    "fields, values",
    [
        ("v:date", [QDate(2020, 1, 1).addDays(i) for i in range(COUNT)]),
        (
            "v:datetime",
            [QDateTime(QDate(2020, 1, 1).addDays(i), QTime(1, 2)) for i in range(COUNT)],
        ),
        ("v:time", [QTime(1, i) for i in range(COUNT)]),
        ("v:double", [i / 7 for i in range(COUNT)]),
        ("v:string", [f"a{i}" for i in range(COUNT)]),
    ],
    ids=["dates", "moments", "times", "decimals", "text"],
)
def test_values_of_every_type_are_counted(fields, values):
    values = [values[at] for at in np.random.default_rng(1).permutation(COUNT)]
    values[::2] = [None] * (COUNT // 2)
    (found,) = choose(table(fields, [(one,) for one in values]), []).attributes
    assert not found.released and found.reason == ("values that stand in one record only: 30 of 30")
    thrice = [(values[1 + 2 * (i % 3)],) for i in range(COUNT)]
    (again,) = choose(table(fields, thrice), []).attributes
    assert again.released and (again.counts.different, again.counts.unique) == (3, 0)


# --- records of an aggregation --------------------------------------------------------------------


def test_records_of_an_aggregation_are_told_of_as_well(tmp_path):
    rng = np.random.default_rng(3)
    xy = points(150, seed=8)
    regions = layer(xy, fields="region:int", rows=[(i,) for i in range(150)])
    rows = [
        (i % 150, ["m", "f"][i % 2], f"p{i}", int(i % 150 // 50), int(rng.integers(0, 3)))
        for i in rng.permutation(3_000).tolist()
    ]
    people = layer(
        [None] * 3_000,
        "",
        "NoGeometry",
        "region:int,sex:string,code:string,side:int,stage:int",
        rows,
    )
    done = run(
        "vbas",
        {
            "REGIONS": regions,
            "REGION_ID": "region",
            "RECORDS": people,
            "RECORD_REGION": "region",
            "QIS": ["sex"],
            "SITES_BY": "fixed",
            "SITES": 9,
            "FIELDS": ["code", "stage"],
            "OUTPUT": "memory:",
            "RECORDS_OUT": "memory:",
            "JSON": str(tmp_path / "r.json"),
        },
    )
    state, figures = told_in(tmp_path / "r.json")
    assert list(state) == ["sex", "code", "stage", "region", "side"]
    assert state["region"]["why"] == "the area takes its place"
    assert state["side"]["why"] == "not chosen"
    assert state["stage"]["why"] == "" and state["stage"]["state"] == "released"
    assert "in one record only" in state["code"]["why"]
    warnings = "\n".join(done.feedback.warnings)
    assert "check it: code (" in warnings and "the only ones with their values" in warnings
    assert figures["records_alone"] == 3_000 - done["SUPPRESSED"]
