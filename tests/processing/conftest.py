# SPDX-License-Identifier: GPL-2.0-or-later
"""One QGIS and one provider for all tests of the Processing side."""

import pytest
from qgis.core import QgsApplication, QgsProject


@pytest.fixture(scope="session")
def provider():
    """The registered provider; QGIS keeps it until the end."""
    from processing.core.Processing import Processing

    from geoanon_qgis.processing.provider import GeoAnonProvider

    Processing.initialize()
    registry = QgsApplication.processingRegistry()
    if registry.providerById("geoanon") is None:
        assert registry.addProvider(GeoAnonProvider())
    return registry.providerById("geoanon")


@pytest.fixture
def project(provider):
    """An empty project."""
    QgsProject.instance().clear()
    yield QgsProject.instance()
    QgsProject.instance().clear()
