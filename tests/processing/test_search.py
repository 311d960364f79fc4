# SPDX-License-Identifier: GPL-2.0-or-later
"""What people type into the toolbox finds the right tools, by QGIS's own search."""

import pytest
from qgis.core import QgsApplication, QgsProcessingModelAlgorithm, QgsStringUtils
from qgis.gui import QgsProcessingToolboxProxyModel
from qgis.PyQt.QtCore import QModelIndex

POINT_MASKS = {
    "maskadaptivevoronoi",
    "maskaggregate",
    "maskdisplace",
    "maskexchange",
    "masklocationswap",
    "maskstreets",
    "voronoimask",
}
AREAS = {"vbas"}
DISTANCES = {"isgprelease", "lipschitzrelease", "noisydistances"}
RELEASES = POINT_MASKS | AREAS | DISTANCES | {"spectralanonymize"}
ATTACKS = {"attackmask", "linkageattack", "linkageexperiment", "reversevoronoi", "disclosurerisk"}
#: What must be found by a word, and what may be found besides.
WORDS = {
    "confidential": (RELEASES, {"choosemask", "areacounts"}),
    "donut": ({"maskdisplace", "choosemask"}, set()),
    "displacement": ({"maskdisplace", "choosemask"}, {"attackmask", "voronoimask"}),
    "perturb": (
        {"maskdisplace", "masklocationswap", "maskstreets", "noisydistances"},
        {"maskadaptivevoronoi", "voronoimask", "spectralanonymize"},
    ),
    "pseudonymize": (
        {"spectralanonymize", "maskexchange"},
        {"isgprelease", "lipschitzrelease", "equivalenceclasses"},
    ),
    "deidentify": (RELEASES, set()),
    "re-identification": (ATTACKS, {"equivalenceclasses"}),
    "geo-mask": (POINT_MASKS, {"choosemask"}),
    "generalize": ({"maskaggregate", "vbas"}, {"vbascompare"}),
    "sensitive": (
        POINT_MASKS | {"spectralanonymize", "equivalenceclasses"},
        {"choosemask", "disclosurerisk"},
    ),
    "patients": (
        POINT_MASKS | AREAS,
        {"areacounts", "choosemask", "isgprelease", "lipschitzrelease"},
    ),
    "epidemiology": (
        POINT_MASKS | AREAS | {"maskmeasures", "areacounts"},
        {"choosemask", "lipschitzrelease"},
    ),
    "GDPR": (
        RELEASES,
        {"areacounts", "choosemask", "attackmask", "disclosurerisk", "verifyrelease"},
    ),
    "HIPAA": (
        {"maskaggregate", "vbas", "spectralanonymize", "disclosurerisk"},
        {"choosemask", "equivalenceclasses", "areacounts"},
    ),
    "small cells": ({"areacounts", "vbas", "equivalenceclasses", "maskaggregate"}, {"vbascompare"}),
    "mask": (POINT_MASKS | {"choosemask"}, {"attackmask", "maskmeasures", "reversevoronoi"}),
}


@pytest.fixture(scope="module")
def searched(provider):
    """A function that types a word into the toolbox and returns what is left of ours, by kind."""
    toolbox = QgsProcessingToolboxProxyModel(None, QgsApplication.processingRegistry())

    def inside(parent):
        for row in range(toolbox.rowCount(parent)):
            index = toolbox.index(row, 0, parent)
            found = toolbox.toolboxModel().algorithmForIndex(toolbox.mapToSource(index))
            if found is None:
                yield from inside(index)
            elif found.provider().id() == "geoanon":
                yield found

    def search(word):
        toolbox.setFilterString(word)
        found = list(inside(QModelIndex()))
        models = {one.name() for one in found if isinstance(one, QgsProcessingModelAlgorithm)}
        return {one.name() for one in found} - models, models

    return search


@pytest.mark.parametrize("word", WORDS)
def test_a_word_finds_the_right_tools_and_no_others(searched, word):
    wanted, allowed = WORDS[word]
    found, _ = searched(word)
    assert wanted <= found, wanted - found
    assert found <= wanted | allowed, found - wanted - allowed


@pytest.mark.parametrize(
    "word, model",
    [
        ("patients", "exchangeattackreport"),
        ("small cells", "aggregaterecordsreport"),
        ("deidentify", "anonymisemeasurereport"),
        ("places and attributes", "maskanonymisereport"),
        ("geo-mask", "maskattackreport"),
    ],
)
def test_models_are_found_by_words_too(searched, word, model):
    assert model in searched(word)[1]


def test_no_word_but_privacy_is_on_all(provider):
    own = [set(one.tags()) for one in provider.algorithms()]
    assert set.intersection(*own) == set()
    shared = set.intersection(*(one for one in own if "privacy" in one))
    assert shared == {"privacy"}


def test_models_have_help_and_a_sentence(provider, checkout):
    models = [one for one in provider.algorithms() if isinstance(one, QgsProcessingModelAlgorithm)]
    assert len(models) == 5
    for model in models:
        assert "" not in model.tags() and len(model.tags()) > 3
        page = checkout / "resources" / "help" / f"{model.name()}.html"
        assert model.helpUrl() == page.as_uri()
        assert model.displayName() in page.read_text(encoding="utf-8")
        assert model.shortDescription().endswith(".") and len(model.shortDescription()) > 20


def test_mask_finds_masks_first_in_the_locator(provider):
    """QGIS's search bar ranks: half for the name, half for a tag or the group."""

    def score(algorithm):
        tags = [*algorithm.tags(), algorithm.provider().name(), algorithm.group()]
        tagged = any("mask" in one.lower() for one in tags)
        return QgsStringUtils.fuzzyScore(algorithm.displayName(), "mask") * 0.5 + tagged * 0.5

    own = [one for one in provider.algorithms() if not isinstance(one, QgsProcessingModelAlgorithm)]
    ranked = sorted(own, key=score, reverse=True)
    first = {one.name() for one in ranked[: len(POINT_MASKS) + 1]}
    assert first == POINT_MASKS | {"choosemask"}
