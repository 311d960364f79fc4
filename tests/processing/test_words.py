# SPDX-License-Identifier: GPL-2.0-or-later
"""Choices in words: for people in dialogs and help, while scripts and models keep the names."""

import html

import pytest
from qgis.core import (
    QgsProcessingContext,
    QgsProcessingModelAlgorithm,
    QgsProcessingModelChildAlgorithm,
    QgsProcessingModelChildParameterSource,
    QgsProcessingParameterEnum,
)
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QCheckBox, QComboBox

from geoanon_qgis.processing.dialog import words

STATIC = QgsProcessingModelChildParameterSource.fromStaticValue


def choices(provider):
    """Every choice of every algorithm and model."""
    return [
        (algorithm, one)
        for algorithm in provider.algorithms()
        for one in algorithm.parameterDefinitions()
        if isinstance(one, QgsProcessingParameterEnum)
    ]


def test_every_option_has_words_of_its_own(provider):
    found = choices(provider)
    assert len(found) > 50
    used = set()
    for algorithm, one in found:
        shown = list(words.words_of(one).values())
        assert len(set(shown)) == len(shown) and all(shown), (algorithm.name(), one.name())
        assert max(map(len, shown)) <= 50, "short enough for a list"
        assert all(text[0] == text[0].upper() for text in shown)
        used |= {(one.name(), option) for option in one.options()}
    known = {(name, option) for name in words.WORDS for option in words.WORDS[name]}
    shared = {"METHOD", "RULE", "ATTACK", "LOCATION", "LOCATIONS", "SEEDING", "UNIT"}
    assert {one for one in known - used if one[0] not in shared} == set(), "words of no option"


def test_help_has_name_and_words(provider):
    for algorithm, one in choices(provider):
        if isinstance(algorithm, QgsProcessingModelAlgorithm):
            continue
        shown = html.unescape(algorithm.shortHelpString())
        for option, text in words.words_of(one).items():
            assert f"“{text}” ({option})" in shown, (algorithm.name(), one.name())


# --- widgets --------------------------------------------------------------------------------


class AlgorithmDialog:
    """QGIS looks at the name of a dialog's class alone."""


class BatchAlgorithmDialog:
    """The dialog with a row for each run."""


class ModelerParametersDialog:
    """The dialog of a step of a model."""

    def __init__(self):
        self.model, self.childId = QgsProcessingModelAlgorithm(), "step"
        self.model.addChildAlgorithm(QgsProcessingModelChildAlgorithm("geoanon:maskdisplace"))
        self.context = QgsProcessingContext()


@pytest.fixture
def widget_of(monkeypatch, provider):
    """Return a function that makes the widget of a choice as QGIS does."""
    from processing.gui import wrappers

    from geoanon_qgis.desktop import widgets

    # What QGIS wants a real dialog for: help while typing expressions.
    monkeypatch.setattr(widgets, "hand_dialog", lambda *_made: None)

    def make(algorithm, name, dialog):
        made = provider.algorithm(algorithm).create()
        widget = wrappers.WidgetWrapperFactory.create_wrapper(
            made.parameterDefinition(name), dialog, 0, 0
        )
        widget.kept = made, dialog  # Python's, which QGIS does not keep
        return widget

    return make


@pytest.mark.parametrize("dialog", [AlgorithmDialog, BatchAlgorithmDialog])
def test_a_list_shows_words_and_gives_names(widget_of, dialog):
    wrapper, context = widget_of("maskdisplace", "LAW", dialog()), QgsProcessingContext()
    box = wrapper.createWrappedWidget(context)
    assert isinstance(box, QComboBox)
    assert box.itemText(1) == "Donut: between two distances"
    assert box.itemData(1, Qt.ItemDataRole.ToolTipRole) == "donut"
    assert wrapper.parameterValue() == "gaussian" and box.currentText().startswith("Gaussian")
    changed = []
    wrapper.widgetValueHasChanged.connect(changed.append)
    box.setCurrentIndex(4)
    assert wrapper.parameterValue() == "laplace" and changed
    wrapper.setParameterValue("disc", context)
    assert wrapper.parameterValue() == "disc" and box.currentIndex() == 0
    wrapper.setParameterValue(3, context)
    assert wrapper.parameterValue() == "bimodal"


def test_nothing_chosen_stays_nothing(widget_of):
    wrapper, context = widget_of("attackmask", "LAW", AlgorithmDialog()), QgsProcessingContext()
    box = wrapper.createWrappedWidget(context)
    assert wrapper.parameterValue() is None and box.count() == 6
    wrapper.setParameterValue("donut", context)
    assert wrapper.parameterValue() == "donut"
    wrapper.setParameterValue(None, context)
    assert wrapper.parameterValue() is None


def test_several_are_boxes_with_words(widget_of):
    wrapper = widget_of("vbascompare", "SITES_BY", AlgorithmDialog())
    context = QgsProcessingContext()
    panel = wrapper.createWrappedWidget(context)
    boxes = panel.findChildren(QCheckBox)
    assert [one.text() for one in boxes][0] == "GAPS model, by possible combinations"
    assert wrapper.parameterValue() == ["gaps_maxcombs", "gaps_entropy"]
    boxes[0].setChecked(False)
    boxes[2].setChecked(True)
    assert wrapper.parameterValue() == ["gaps_entropy", "fixed"]
    wrapper.setParameterValue([], context)
    assert wrapper.parameterValue() == []
    wrapper.setParameterValue(["fixed", "gaps_maxcombs"], context)
    assert wrapper.parameterValue() == ["gaps_maxcombs", "fixed"]


def test_several_in_a_batch(widget_of):
    wrapper = widget_of("choosemask", "FAMILIES", BatchAlgorithmDialog())
    context = QgsProcessingContext()
    _shown = wrapper.createWrappedWidget(context)  # who makes it keeps it
    wrapper.setParameterValue(["swap", "disc"], context)
    assert wrapper.parameterValue() == ["disc", "swap"]


def test_the_modeler_shows_words_and_keeps_names(widget_of):
    dialog = ModelerParametersDialog()
    widget = widget_of("maskdisplace", "LAW", dialog)
    assert widget.value().staticValue() == "gaussian"
    shown = [box for box in widget.findChildren(QComboBox) if box.count() == 5]
    assert [box.itemText(0) for box in shown] == ["Disc: anywhere within a distance"]
    widget.setWidgetValue(STATIC("laplace"))
    assert widget.value().staticValue() == "laplace" and shown[0].currentIndex() == 4
    other = QgsProcessingModelChildParameterSource.fromExpression("'disc'")
    widget.setWidgetValue(other)
    assert widget.value() == other
    several = widget_of("vbascompare", "LOCATIONS", dialog)
    several.setWidgetValue(STATIC(["best", "adc"]))
    assert several.value().staticValue() == ["adc", "best"]


def test_inputs_of_our_models_have_words(widget_of):
    wrapper = widget_of("anonymisemeasurereport", "METHOD", AlgorithmDialog())
    box = wrapper.createWrappedWidget(QgsProcessingContext())
    assert (
        box.itemText(0) == "Spectral swapping" and wrapper.parameterValue() == "spectral_swapping"
    )
