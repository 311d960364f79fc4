# SPDX-License-Identifier: GPL-2.0-or-later
"""Widgets of parameters in QGIS's dialogs: choices in words, and what a choice makes void in grey.

Parameters name these classes (``processing.dialog.notes.shown_by``), and QGIS makes them when it
opens a dialog. Both stand on QGIS's own widgets: a choice is shown by the widget of a copy of the
parameter whose options are the words, and its values are turned into the options' names.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingModelChildParameterSource,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProject,
)
from qgis.gui import (
    QgsAbstractProcessingParameterWidgetWrapper,
    QgsGui,
    QgsProcessingGui,
    QgsProcessingModelerParameterWidget,
)
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QComboBox

from ..processing.dialog import rules
from ..processing.dialog.words import words_of
from .counted import propose_counting
from .lasting import propose_places
from .plausible import propose

#: Dialogs that are not the ordinary one, by the names of their classes.
_MODELER = "ModelerParametersDialog"
_KINDS = {"BatchAlgorithmDialog": QgsProcessingGui.WidgetType.Batch}
#: With more options than that a list of check boxes has two columns.
_ONE_COLUMN = 4


def hand_dialog(made, dialog) -> None:
    """Tell a widget of its dialog, as QGIS does with those that it makes itself."""
    made.setDialog(dialog)


class Choice:
    """What QGIS asks for the widget of a choice, by the kind of its dialog."""

    def __new__(cls, parameter, dialog, row=0, column=0):
        """Return a widget wrapper for the dialog, or a widget for the modeler."""
        name = type(dialog).__name__
        if name == _MODELER:
            return ModelerChoice(parameter, dialog)
        return DialogChoice(
            parameter, dialog, _KINDS.get(name, QgsProcessingGui.WidgetType.Standard)
        )


class Watchful:
    """What QGIS asks for the widget of a parameter that watches over a dialog without a choice."""

    def __new__(cls, parameter, dialog, row=0, column=0):
        """Return a widget wrapper for the dialog, or QGIS's own widget for the modeler."""
        name = type(dialog).__name__
        if name == _MODELER:
            made = QgsGui.processingGuiRegistry().createModelerParameterWidget(
                dialog.model, dialog.childId, parameter, dialog.context
            )
            hand_dialog(made, dialog)
            return made
        return Wrapper(parameter, dialog, _KINDS.get(name, QgsProcessingGui.WidgetType.Standard))


class Words:
    """A choice's options by their names, and by their numbers in a copy that has words for options.

    Words may hold commas, at which QGIS would part names.
    """

    def __init__(self, parameter: QgsProcessingParameterEnum):
        self._options = parameter.options()
        several, words = parameter.allowMultiple(), list(words_of(parameter).values())
        self.copy = QgsProcessingParameterEnum(
            parameter.name(),
            parameter.description(),
            words,
            several,
            self.number(parameter.defaultValue()),
            bool(parameter.flags() & QgsProcessingParameterDefinition.Flag.FlagOptional),
        )
        self.copy.setHelp(parameter.help())
        self.copy.setFlags(parameter.flags())
        if several:
            boxes = {"useCheckBoxes": True, "columns": 1 if len(words) <= _ONE_COLUMN else 2}
            self.copy.setMetadata({"widget_wrapper": boxes})

    def number(self, value: Any) -> Any:
        """Return the number of an option, or those of several; what is none stays as it is."""
        if isinstance(value, (list, tuple)):
            return [self.number(one) for one in value]
        return self._options.index(value) if value in self._options else value

    def option(self, value: Any) -> Any:
        """Return the name of a numbered option, or those of several in the options' order."""
        if isinstance(value, (list, tuple)):
            return [self._options[int(one)] for one in sorted(value, key=int)]
        return None if rules.is_empty(value) else self._options[int(value)]

    def explain(self, widget) -> None:
        """Have the items of a list tell how scripts name them."""
        for box in [widget, *widget.findChildren(QComboBox)]:
            for at in range(box.count() if isinstance(box, QComboBox) else 0):
                found = box.itemData(at)
                if isinstance(found, int) and box.itemText(at) == self.copy.options()[found]:
                    box.setItemData(at, self._options[found], Qt.ItemDataRole.ToolTipRole)


class Wrapper(QgsAbstractProcessingParameterWidgetWrapper):
    """QGIS's own widget of a parameter, which watches over the rules of its dialog.

    The first one of a dialog watches.
    """

    def __init__(self, parameter, dialog, kind, shown=None):
        super().__init__(parameter, kind)
        hand_dialog(self, dialog)
        self._context, self._watch, self._dialog = QgsProcessingContext(), None, dialog
        self._own = QgsGui.processingGuiRegistry().createParameterWidgetWrapper(
            shown or parameter, kind
        )
        hand_dialog(self._own, dialog)
        self._own.widgetValueHasChanged.connect(self._changed)

    def _changed(self, *_own) -> None:
        self.widgetValueHasChanged.emit(self)

    def createWidget(self):
        """Return QGIS's widget."""
        return self._own.createWrappedWidget(self._context)

    def setWidgetContext(self, context):
        """Hand the context on."""
        super().setWidgetContext(context)
        self._own.setWidgetContext(context)

    def setWidgetValue(self, value, context):
        """Show a value."""
        self._own.setParameterValue(value, context)

    def widgetValue(self):
        """Return the value that is shown."""
        return self._own.parameterValue()

    def postInitialize(self, wrappers):
        """Propose layers and watch over rules, if this is the first that can."""
        super().postInitialize(wrappers)
        self._own.postInitialize(wrappers)
        first = next(one for one in wrappers if isinstance(one, Wrapper))
        if first is self:
            if self.type() == QgsProcessingGui.WidgetType.Standard:
                propose(wrappers, QgsProject.instance())
                propose_counting(
                    {one.parameterDefinition().name(): one for one in wrappers},
                    QgsProject.instance(),
                )
                propose_places(wrappers, self._dialog, QgsProject.instance())
            self._watch = Watch(wrappers)


class DialogChoice(Wrapper):
    """A choice in words, in the dialog of an algorithm or in a row of its batch dialog."""

    def __init__(self, parameter, dialog, kind):
        self._in = Words(parameter)
        super().__init__(parameter, dialog, kind, self._in.copy)

    def createWidget(self):
        """Return QGIS's widget, with the words."""
        widget = super().createWidget()
        self._in.explain(widget)
        return widget

    def setWidgetValue(self, value, context):
        """Show an option."""
        super().setWidgetValue(self._in.number(value), context)

    def widgetValue(self):
        """Return the option's name."""
        return self._in.option(super().widgetValue())


class ModelerChoice(QgsProcessingModelerParameterWidget):
    """A choice in words, in the modeler, where a value may also come from elsewhere."""

    def __init__(self, parameter, dialog):
        self._in = Words(parameter)
        super().__init__(dialog.model, dialog.childId, self._in.copy, dialog.context)
        hand_dialog(self, dialog)
        self._in.explain(self)

    def setWidgetValue(self, value):
        """Show an option, or where the value comes from."""
        super().setWidgetValue(self._each(value, self._in.number))

    def value(self):
        """Return the option's name, or where the value comes from."""
        return self._each(super().value(), self._in.option)

    def _each(self, value, turned):
        """Turn what was chosen here; what comes from elsewhere stays as it is."""
        if isinstance(value, list):
            return [self._each(one, turned) for one in value]
        source = QgsProcessingModelChildParameterSource
        # By a sample: the names of kinds stand elsewhere from QGIS 3.34 on.
        if isinstance(value, source) and value.source() == source.fromStaticValue(0).source():
            return source.fromStaticValue(turned(value.staticValue()))
        return value


class Watch:
    """Greys the widgets of parameters that another choice makes void, and empties them.

    What stood there comes back with the choice. What is grey holds its default, so that nothing is
    handed over that nobody can see to be void.
    """

    def __init__(self, wrappers: Iterable[QgsAbstractProcessingParameterWidgetWrapper]):
        self._wrappers = {one.parameterDefinition().name(): one for one in wrappers}
        self._definitions = {
            name: one.parameterDefinition() for name, one in self._wrappers.items()
        }
        self._kept: dict[str, Any] = {}
        self._context = QgsProcessingContext()
        ruled = {name: rules.rule_of(one) for name, one in self._definitions.items()}
        # Those that others depend on come first, as they are declared.
        self._ruled = [name for name, rule in ruled.items() if rule]
        for name in {other for rule in ruled.values() for other in rule}:
            self._wrappers[name].widgetValueHasChanged.connect(self.look)
        self.look()

    def look(self, *_changed) -> None:
        """Grey what is void now, and nothing else."""
        for name in self._ruled:
            void = rules.is_void(name, self._definitions, self._value)
            if void != (name in self._kept):
                self._set(name, void)

    def _value(self, name: str) -> Any:
        return self._wrappers[name].parameterValue()

    def _set(self, name: str, void: bool) -> None:
        wrapper, default = self._wrappers[name], self._definitions[name].defaultValueForGui()
        with suppress(RuntimeError):  # the dialog is being taken down
            for widget in (wrapper.wrappedWidget(), wrapper.wrappedLabel()):
                if widget is not None:
                    widget.setEnabled(not void)
            if void:
                self._kept[name] = self._value(name)
                wrapper.setParameterValue(default, self._context)
                return
            kept = self._kept.pop(name)
            if _same(self._value(name), default) and not _same(kept, default):
                wrapper.setParameterValue(kept, self._context)


def _same(one: Any, other: Any) -> bool:
    return one == other or rules.is_empty(one) and rules.is_empty(other)
