# SPDX-License-Identifier: GPL-2.0-or-later
"""That k holds is counted again in the file of the released records, as it was written."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from geoanon_qgis.core.aggregation import release
from geoanon_qgis.processing.families import aggregated as writing_areas
from geoanon_qgis.processing.layers.written_tables import class_sizes
from tests.processing.concluding import assert_concluded, reported
from tests.processing.helpers import records, refusal
from tests.processing.test_vbas import aggregated, inputs  # noqa: F401  # inputs is a fixture

pytestmark = pytest.mark.usefixtures("project")

NOT_AGAIN = "not again as they were written"


def told(done):
    """The verdict, and the figure of the report."""
    page = json.loads(Path(done["JSON"]).read_text(encoding="utf-8"))
    return page["verdict"], json.dumps(page)


@pytest.mark.parametrize("ending", ["gpkg", "csv", "dbf", "xlsx"])
def test_the_count_is_that_of_the_file(provider, tmp_path, inputs, ending):  # noqa: F811
    place = tmp_path / f"released.{ending}"
    done = aggregated(inputs, tmp_path, RECORDS_OUT=str(place), **reported(tmp_path))
    rows = records(str(place))
    sizes = Counter((row["area_id"], row["age"], row["sex"]) for row in rows)
    said = f"{len(rows):,} records in {len(sizes):,} classes, the smallest of {min(sizes.values())}"
    assert any(said in line for line in done.feedback.infos)
    verdict, page = told(done)
    assert said in page
    assert verdict["evidence"][0]["people"] == len(rows)
    assert not any(NOT_AGAIN in line for line in verdict["not_run"])
    assert sorted(p.name for p in tmp_path.glob(".*")) == []


def plant(monkeypatch, change):
    """Let the rows that are written be others than those that were found to be safe."""

    def released_records(*given):
        return change(*release.released_records(*given))

    monkeypatch.setattr(writing_areas, "released_records", released_records)


def test_a_class_below_k_that_slips_into_the_file_is_found(
    provider,
    tmp_path,
    inputs,  # noqa: F811
    monkeypatch,
):
    clean = aggregated(inputs, tmp_path, SITES=3, **reported(tmp_path))
    assert_concluded(clean, "release_with_care")
    # somebody of another area goes along with the first one's
    plant(monkeypatch, lambda record, area: (record, np.r_[area.max() + 1, area[1:]]))
    done = aggregated(inputs, tmp_path, SITES=3, **reported(tmp_path))
    (found,) = assert_concluded(done, "do_not_release")["evidence"]
    assert found["smallest"] == 1 and found["exposed"] == 1 and found["failed"]


def test_where_people_are_counted_too_few_rows_fail(
    provider,
    tmp_path,
    inputs,  # noqa: F811
    monkeypatch,
):
    plant(monkeypatch, lambda record, area: (record, np.r_[area.max() + 1, area[1:]]))
    done = aggregated(inputs, tmp_path, SITES=3, PERSON_FIELD="name", **reported(tmp_path))
    (found,) = assert_concluded(done, "do_not_release")["evidence"]
    assert found["failed"]


def test_rows_that_a_format_loses_are_not_published(
    provider,
    tmp_path,
    inputs,  # noqa: F811
    monkeypatch,
):
    from geoanon_qgis.processing import writing

    def half(*given):
        return class_sizes(*given)[1:]

    monkeypatch.setattr(writing, "class_sizes", half)
    said = refusal("vbas", given(inputs, tmp_path))
    assert "RECORDS_OUT was to hold" in said and "Choose another format" in said
    assert list(tmp_path.iterdir()) == []


def given(inputs, folder):  # noqa: F811
    return {
        **inputs,
        "SITES_BY": "fixed",
        "SITES": 3,
        "SEED": 4,
        "OUTPUT": str(folder / "areas.gpkg"),
        "RECORDS_OUT": str(folder / "released.gpkg"),
    }


def test_what_is_no_file_is_said_not_to_be_counted_again(provider, tmp_path, inputs):  # noqa: F811
    done = aggregated(
        inputs, tmp_path, SITES=3, RECORDS_OUT="TEMPORARY_OUTPUT", **reported(tmp_path)
    )
    verdict = assert_concluded(done, "release_with_care")
    assert any(NOT_AGAIN in line for line in verdict["not_run"])
    without = aggregated(inputs, tmp_path, SITES=3, RECORDS_OUT=None, **reported(tmp_path))
    assert not any(NOT_AGAIN in line for line in told(without)[0]["not_run"])


def test_nothing_is_a_value_and_shortened_names_are_found(tmp_path):
    path = tmp_path / "released.csv"
    path.write_text('area_id,"a ""name"""\n1,x\n1,\n1,\n2,x\n2,x\n2,x\n', encoding="utf-8")
    sizes = class_sizes(path, "", ["area_id", "another name"], 2, lambda fraction: None)
    assert sorted(sizes) == [1, 2, 3]
    assert sorted(class_sizes(path, "", ["area_id", "b"], 1, lambda fraction: None)) == [3, 3]
    assert class_sizes(path, "", ["area_id"], 1, lambda fraction: None) is None
    assert class_sizes(tmp_path / "none.csv", "", ["a"], 1, lambda fraction: None) is None
