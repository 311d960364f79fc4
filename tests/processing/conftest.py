# SPDX-License-Identifier: GPL-2.0-or-later
"""One QGIS and one provider for all tests of the Processing side."""

import hashlib
import itertools

import pytest
from qgis.core import QgsApplication, QgsProject

from geoanon_qgis.core.masking import secretfile


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


@pytest.fixture
def same_secrets(monkeypatch, request):
    """Secrets that are the same in each run of a test, for what is counted of draws."""
    number = itertools.count()

    def secret():
        told = f"{request.node.name} {next(number)}".encode()
        return hashlib.sha256(told).hexdigest()

    monkeypatch.setattr(secretfile, "new_secret", secret)
