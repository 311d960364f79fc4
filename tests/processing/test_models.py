# SPDX-License-Identifier: GPL-2.0-or-later
"""Packaged models say in a sentence what QGIS throws between their steps."""

import math

import pytest
from qgis.core import QgsProcessingException

from tests.processing.helpers import assert_sentence, layer, points, records, run


@pytest.fixture
def with_infinity():
    xy = [tuple(one) for one in points(12)]
    xy[3] = (xy[3][0], math.inf)
    rows = [(20 + row % 7, 0.5 * row**1.5) for row in range(12)]
    return layer(xy, fields="age:int,income:double", rows=rows)


def test_an_infinite_coordinate_ends_in_a_sentence_or_in_a_release(project, with_infinity):
    """Some versions of QGIS (3.22, 3.44) throw between the steps, others (3.40) go on."""
    project.addMapLayer(with_infinity, False)
    try:
        done = run(
            "anonymisemeasurereport",
            {
                "RECORDS": with_infinity,
                "FIELDS": ["age", "income"],
                "METHOD": "additive_noise",
                "anonymise:ANONYMISED": "TEMPORARY_OUTPUT",
                "risk:RISK": "TEMPORARY_OUTPUT",
                "utility:UTILITY": "TEMPORARY_OUTPUT",
            },
        )
    except QgsProcessingException as error:
        assert_sentence(str(error))
        assert "infinite" in str(error)
    else:
        assert len(records(done["anonymise:ANONYMISED"])) == 12
