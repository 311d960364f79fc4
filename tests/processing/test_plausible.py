# SPDX-License-Identifier: GPL-2.0-or-later
"""Layers that a dialog proposes: which one is masked, and which one is the address list."""

from __future__ import annotations

import numpy as np
import pytest
from qgis.core import QgsProcessingParameterFeatureSource

from geoanon_qgis.desktop.plausible import propose
from tests.processing.helpers import layer


class Wrapper:
    """What a dialog holds of a parameter: its definition and what is chosen."""

    def __init__(self, definition, value):
        self._definition, self._value = definition, value

    def parameterDefinition(self):
        return self._definition

    def parameterValue(self):
        return self._value

    def setParameterValue(self, value, _context):
        self._value = value


@pytest.mark.parametrize("preselected", ["addresses", "people", None])
def test_the_address_list_is_not_what_is_masked(provider, project, preselected):
    places = np.random.default_rng(1).uniform(0, 1000, (30, 2))
    layers = {
        "addresses": layer(places, name="addresses"),
        "people": layer(places[:10], name="people"),
    }
    for one in layers.values():
        project.addMapLayer(one)
    chosen = layers[preselected].id() if preselected else None
    algorithm = provider.algorithm("choosemask").create()
    wrappers = {
        # QGIS proposes the active layer for whatever is asked for.
        one.name(): Wrapper(one, chosen if one.name() in ("INPUT", "CANDIDATES") else None)
        for one in algorithm.parameterDefinitions()
        if isinstance(one, QgsProcessingParameterFeatureSource)
    }
    propose(wrappers.values(), project)
    assert wrappers["INPUT"].parameterValue() == layers["people"].id()
    assert wrappers["CANDIDATES"].parameterValue() == layers["addresses"].id()
