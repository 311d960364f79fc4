# SPDX-License-Identifier: GPL-2.0-or-later
"""The decision tables of the start page: every way leads to a tool, with parameters that it takes."""

import itertools

import pytest
from qgis.core import QgsProcessingContext

from geoanon_qgis.desktop.advice import (
    QUESTIONS,
    READERS,
    RULES,
    advise,
)
from geoanon_qgis.desktop.sample import load_sample

WAYS = list(itertools.product(*(answers for _, answers in QUESTIONS.values())))


@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_every_way_leads_to_a_tool_that_takes_its_parameters(provider, way):
    advice = advise(*way)
    for tool, parameters in (
        (advice.tool, advice.parameters),
        (advice.other, advice.other_parameters),
    ):
        algorithm = provider.algorithm(tool.name)
        assert algorithm is not None, tool.name
        for name, value in parameters.items():
            definition = algorithm.parameterDefinition(name)
            assert definition is not None, (tool.name, name)
            assert definition.checkValueIsAcceptable(value, QgsProcessingContext()), (name, value)
    assert all(one[-1] == "." for one in advice.sentences) and len(advice.sentences) >= 3
    assert advice.other.when and advice.other.name != advice.tool.name


def test_all_rules_and_answers_are_used():
    used = {id(one) for way in WAYS for one in RULES if one.tool is advise(*way).tool}
    assert len(used) == len(RULES)
    with pytest.raises(LookupError):
        advise("points", "anybody", "nothing", "once")


def test_groups_are_large_enough_for_the_limit():
    for reader in READERS.values():
        assert 1 / reader.size <= reader.limit < 1 / (reader.size - 2)
    assert READERS["anybody"].limit == 0.09  # of the verdicts, unless somebody says otherwise


@pytest.mark.parametrize(
    ("way", "tool", "said"),
    [
        # The documentation's answers: who knows a member needs groups, and two releases a secret.
        (("points", "anybody", "addresses", "once"), "choosemask", {"ADVERSARY": "whose_place"}),
        (("points", "anybody", "member", "again"), "choosemask", {"ADVERSARY": "both"}),
        (("areas", "contract", "attributes", "once"), "aggregaterecordsreport", {"K": 5}),
        (("areas", "anybody", "attributes", "again"), "vbas", {"K": 12, "ACCEPTABLE": 0.09}),
        (("distances", "contract", "member", "once"), "chooseembedding", {"KNOWN_LINKS": 5}),
        (("table", "anybody", "attributes", "once"), "anonymisemeasurereport", {"K": 12}),
    ],
)
def test_the_answers_are_those_of_the_documentation(way, tool, said):
    advice = advise(*way)
    assert advice.tool.name == tool
    assert said.items() <= advice.parameters.items()
    if way[0] == "points":
        assert ("groups" in advice.parameters["FAMILIES"]) == (way[2] != "addresses")


def test_who_publishes_again_is_told_what_that_asks_for():
    for what in ("points", "distances", "table"):
        once = advise(what, "anybody", "member", "once").sentences
        again = advise(what, "anybody", "member", "again").sentences
        assert len(again) == len(once) + 1
    assert "EARLIER" in advise("areas", "anybody", "member", "again").sentences[0]


def test_the_sample_is_loaded_beside_what_is_there(project):
    for _ in range(2):
        layers = load_sample(project)
        assert [one.featureCount() for one in layers][0] == 324
    assert len(project.mapLayers()) == 6
    assert [one.name() for one in project.layerTreeRoot().children()] == ["Sample: Soho, 1854"] * 2
