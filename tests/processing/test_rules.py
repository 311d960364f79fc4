# SPDX-License-Identifier: GPL-2.0-or-later
"""Parameters that another choice makes void: greyed, told, and indeed not used."""

from dataclasses import replace

import pytest
from qgis.core import (
    QgsProcessingContext,
    QgsProcessingParameterEnum,
    QgsProcessingParameterString,
)

from geoanon_qgis.desktop.widgets import Watch
from geoanon_qgis.processing.dialog import parameters, rules
from tests.golden import cases, kept
from tests.golden.running import Runner
from tests.processing.helpers import Feedback, layer, points, run


def ruled(provider):
    """Every parameter with a rule, with those of its algorithm."""
    for algorithm in provider.algorithms():
        named = {one.name(): one for one in algorithm.parameterDefinitions()}
        yield from ((algorithm, one, named) for one in named.values() if rules.rule_of(one))


def test_rules_name_what_there_is(provider):
    found = list(ruled(provider))
    assert len(found) > 80
    for algorithm, one, named in found:
        for other, wanted in rules.rule_of(one).items():
            where = (algorithm.name(), one.name(), other)
            assert other in named and other != one.name(), where
            if isinstance(wanted, str):
                assert wanted in (rules.GIVEN, rules.EMPTY), where
            elif isinstance(named[other], QgsProcessingParameterEnum):
                assert 0 < len(set(wanted)) < len(named[other].options()), where
                assert set(wanted) <= set(named[other].options()), where
            else:
                assert set(wanted) <= {True, False}, where
        rules.is_void(one.name(), named, lambda name: None)  # a circle would not end
        assert one.help().endswith(rules.said(one, named))


def test_rules_in_sentences(provider):
    def said(algorithm, name):
        definitions = provider.algorithm(algorithm).parameterDefinitions()
        named = {one.name(): one for one in definitions}
        return rules.said(named[name], named)

    assert said("maskdisplace", "MIN") == (
        "Used only where “Law” (LAW) is “Donut: between two distances” and “Size by” (SIZE_BY) is "
        "“A distance, the same for all”."
    )
    assert "(LAW) is other than “Planar Laplace noise" in said("maskdisplace", "MAX")
    assert said("isgprelease", "RADIUS").endswith("(GRID_FILE) is left empty.")
    assert said("spectralanonymize", "AREA").endswith("(USE_GEOMETRY) is checked.")


def test_what_depends_on_something_void_is_void(provider):
    definitions = provider.algorithm("vbas").parameterDefinitions()
    named = {one.name(): one for one in definitions}
    values = {"SITES_BY": "fixed", "GAPS_REGION": "custom"}
    assert rules.is_void("A", named, values.get)
    values["SITES_BY"] = "gaps_entropy"
    assert not rules.is_void("A", named, values.get)
    several = provider.algorithm("vbascompare").parameterDefinitions()
    named = {one.name(): one for one in several}
    assert rules.is_void("SITES", named, {"SITES_BY": ["gaps_entropy"]}.get)
    assert not rules.is_void("SITES", named, {"SITES_BY": ["gaps_entropy", "fixed"]}.get)


def test_what_is_given_and_not_used_is_told(project):
    def told(**given):
        feedback = Feedback()
        source = layer(points(30))
        run("maskdisplace", {"INPUT": source, "OUTPUT": "TEMPORARY_OUTPUT", **given}, feedback)
        return [line for line in feedback.said.splitlines() if "is not used" in line]

    assert told() == []
    assert told(LAW="gaussian", MIN=100.0, MAX=700, EPSILON="") == []  # as a dialog hands it over
    (line,) = told(LAW=2, MIN=55)
    assert line.startswith("“Least distance (metres)” (MIN) was given, and is not used. Used only")
    assert told(LAW="donut", MIN=55) == []
    assert len(told(LAW="laplace", MIN=55, MAX=9)) == 2


#: Cases whose void parameters get other values, chosen by what they cover in little time.
TRIED = {
    "maskdisplace-disc": {"MIN": 3, "EPSILON": 0.5, "K_MIN": 3, "K_MAX": 9, "URBAN_MAX": 7},
    "maskexchange-beside": {"K_RECORDS": 3},
    "maskaggregate-zones": {"SIDE": 7, "K": 3},
    "noisydistances-exact": {"SIGMA": 5, "SIGMA_UNIT": "degrees", "EXCHANGE_K": 3},
    "spectralanonymize-cells": {"K": 3, "NOISE": 0.7, "DECODING": "as_published"},
    "disclosurerisk-key": {"KNOWN_PLACE": False},
    "equivalenceclasses-types": {"L": 3, "T": 0.1},
    "syntheticrecords-table": {"ONE_GROUP": "nobody"},
}


@pytest.fixture(scope="module")
def runner(provider, tmp_path_factory):
    return Runner(tmp_path_factory.mktemp("void"))


@pytest.mark.parametrize("name", TRIED)
def test_void_parameters_change_nothing(runner, provider, monkeypatch, name):
    case, more = cases.CASES[name], TRIED[name]
    definitions = provider.algorithm(case.algorithm).parameterDefinitions()
    named = {one.name(): one for one in definitions}

    def value_of(one):
        return case.given.get(one, named[one].defaultValue())

    assert all(rules.is_void(one, named, value_of) for one in more)
    monkeypatch.setitem(cases.CASES, f"{name}-void", replace(case, given={**case.given, **more}))
    before, after = (kept.as_kept(runner.found(one)) for one in (name, f"{name}-void"))
    assert list(kept.differences(before, after, exact=True)) == []


# --- in a dialog ----------------------------------------------------------------------------


class Widget:
    """Stands for a widget that can be grey."""

    on = True

    def setEnabled(self, on):
        self.on = on


class Signal(list):
    """Stands for a signal."""

    connect = list.append


class Wrapper:
    """Stands for QGIS's wrapper of a widget."""

    def __init__(self, parameter):
        self._parameter, self._value = parameter, parameter.defaultValue()
        self._widget, self.widgetValueHasChanged = Widget(), Signal()

    def parameterDefinition(self):
        return self._parameter

    def parameterValue(self):
        return self._value

    def setParameterValue(self, value, context):
        self._value = value
        for heard in self.widgetValueHasChanged:
            heard(self)

    def wrappedWidget(self):
        return self._widget

    def wrappedLabel(self):
        return None


def test_what_is_void_is_grey_and_comes_back():
    context = QgsProcessingContext()
    made = [
        parameters.choice("LAW", "Law", "", ["disc", "donut"], "disc"),
        parameters.number("MIN", "Min", "", 100.0, only_when={"LAW": ("donut",)}),
        QgsProcessingParameterString("FREE", "Free", "x"),
    ]
    wrappers = {one.name(): Wrapper(one) for one in made}
    Watch(list(wrappers.values()))
    law, least = wrappers["LAW"], wrappers["MIN"]
    assert not least.wrappedWidget().on and wrappers["FREE"].wrappedWidget().on
    law.setParameterValue("donut", context)
    assert least.wrappedWidget().on and least.parameterValue() == 100.0
    least.setParameterValue(33.0, context)
    law.setParameterValue("disc", context)
    assert (least.wrappedWidget().on, least.parameterValue()) == (False, 100.0)
    law.setParameterValue("donut", context)
    assert (least.wrappedWidget().on, least.parameterValue()) == (True, 33.0)
    law.setParameterValue("disc", context)
    least.setParameterValue(44.0, context)  # by a script, in whatever order
    law.setParameterValue("donut", context)
    assert least.parameterValue() == 44.0
