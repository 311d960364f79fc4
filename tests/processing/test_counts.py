# SPDX-License-Identifier: GPL-2.0-or-later
"""One of a kind is told in the singular: '1 record', not '1 records'."""

import json
import re

import numpy as np
import pytest
from qgis.core import QgsProcessingContext

from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.core.runtime.wording import number_of
from geoanon_qgis.processing.families import shares
from geoanon_qgis.processing.families.linkage.adversary import in_order
from geoanon_qgis.processing.layers.reading import read_points
from geoanon_qgis.processing.reports import common
from tests.processing.helpers import as_source, layer, points, refusal, run

pytestmark = pytest.mark.usefixtures("project")


def texts(told):
    """Every text in a report's figures."""
    if isinstance(told, str):
        yield told
    elif isinstance(told, (list, dict)):
        for one in told.values() if isinstance(told, dict) else told:
            yield from texts(one)


def assert_singular(text):
    assert not re.search(r"(?<![\d.,–-])1 \w+s\b(?<!is)(?<!has)", text), text


def test_a_number_with_its_noun():
    assert number_of(1, "record", "records") == "1 record"
    assert [number_of(n, "record", "records") for n in (0, 2004)] == ["0 records", "2,004 records"]


@pytest.mark.parametrize("count, said", [(1, "1 region "), (3, "3 regions ")])
def test_what_a_report_leaves_out(count, said):
    records = [(row, "no geometry") for row in range(count)]
    page = common.PrivatePage("title", "layer").section("Left out", "left_out")
    (section,) = page.left_out(records, number_of(count, "region", "regions")).report().sections
    assert section.blocks[0].text.startswith(said + "without a usable place")
    empty = common.PrivatePage("title", "layer").section("Left out", "left_out")
    assert empty.left_out([], "0 regions").report().sections == ()


def test_one_record_without_a_place(tmp_path):
    done = run(
        "voronoimask",
        {
            "INPUT": layer([*points(10), None]),
            "OUTPUT": "TEMPORARY_OUTPUT",
            "JSON": str(tmp_path / "r.json"),
        },
    )
    (warning,) = [line for line in done.feedback.warnings if "no usable place" in line]
    assert warning == "1 feature has no usable place, left out: 1 no geometry."
    told = list(texts(json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))))
    assert "1 record without a usable place, left out." in told
    for text in [*told, *done.feedback.infos, *done.feedback.warnings]:
        assert_singular(text)


def test_one_usable_point():
    sentence = refusal(
        "lipschitzrelease",
        {
            "INPUT": layer(points(1)),
            "OUTPUT": "TEMPORARY_OUTPUT",
            "MATRIX": "TEMPORARY_OUTPUT",
        },
    )
    assert "The layer has 1 usable point," in sentence


def test_one_feature_of_several_points():
    source = as_source(layer(["MULTIPOINT((1 2),(3 4))", "MULTIPOINT((1 2))"], kind="MultiPoint"))
    with pytest.raises(InputError, match="^1 feature has several points:"):
        read_points(source, QgsProcessingContext())


def test_one_label():
    given = shares.Shares({}, {"age": ["young"]})
    with pytest.raises(InputError, match="has 1 label, but 2 shares"):
        given.categories("age", 2)


def test_one_record_that_the_matrix_lacks():
    matrix = DistanceMatrix(np.ones(3), ["1", "2", "3"])
    with pytest.raises(InputError, match="^1 record of the table is not in the matrix"):
        in_order(matrix, ["1", "2", "9"], 3)
