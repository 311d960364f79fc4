# SPDX-License-Identifier: GPL-2.0-or-later
"""The help pages say what the algorithms say."""

import importlib.util

import pytest

from geoanon_qgis.processing.provider import algorithm_classes


@pytest.fixture(scope="module")
def make_help(checkout):
    script = checkout / "scripts" / "make_help.py"
    spec = importlib.util.spec_from_file_location("make_help", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("made", algorithm_classes(), ids=lambda made: made.NAME)
def test_the_page_is_the_algorithm_s_own_help(made, make_help, checkout, qgis_app):
    algorithm = made().create()
    shipped = checkout / "resources" / "help" / f"{algorithm.name()}.html"
    assert shipped.read_text(encoding="utf-8") == make_help.page(algorithm), (
        "run scripts/make_help.py"
    )
    assert algorithm.helpUrl() == shipped.as_uri()


def test_the_pages_of_models_are_the_models_own_help(make_help, checkout, provider):
    models = [one for one in provider.algorithms() if isinstance(one, make_help.PackagedModel)]
    assert models
    for model in models:
        shipped = checkout / "resources" / "help" / f"{model.name()}.html"
        assert shipped.read_text(encoding="utf-8") == make_help.page(model), (
            "run scripts/make_help.py"
        )
