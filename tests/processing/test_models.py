# SPDX-License-Identifier: GPL-2.0-or-later
"""Packaged models say in a sentence what QGIS throws between their steps."""

import math

import pytest

from tests.processing.helpers import layer, points, refusal


@pytest.fixture
def with_infinity():
    xy = [tuple(one) for one in points(12)]
    xy[3] = (xy[3][0], math.inf)
    rows = [(20 + row % 7, float(row**2)) for row in range(12)]
    return layer(xy, fields="age:int,income:double", rows=rows)


def test_an_infinite_coordinate_stops_a_model_with_a_sentence(project, with_infinity):
    project.addMapLayer(with_infinity, False)
    sentence = refusal("anonymisemeasurereport", {
        "RECORDS": with_infinity, "FIELDS": ["age", "income"], "METHOD": "additive_noise",
        "anonymise:ANONYMISED": "TEMPORARY_OUTPUT", "risk:RISK": "TEMPORARY_OUTPUT",
        "utility:UTILITY": "TEMPORARY_OUTPUT",
    })  # fmt: skip
    assert "infinite" in sentence
