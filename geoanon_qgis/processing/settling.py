# SPDX-License-Identifier: GPL-2.0-or-later
"""Parameters as they were given become what an algorithm reads, in one place and before any work.

Numbers are numbers within their bounds, boxes are checked or not, choices are their options' names,
and fields are spelt as their layer spells them. What cannot be settled is refused with a sentence.
"""

from __future__ import annotations

import re
from typing import Any

from qgis.core import (
    QgsProcessingParameterBoolean,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterField,
    QgsProcessingParameterNumber,
)

from .dialog import numbers
from .dialog.notes import list_limits
from .i18n import tr
from .layers import fieldnames

_SETTLED = (
    QgsProcessingParameterBoolean,
    QgsProcessingParameterNumber,
    QgsProcessingParameterEnum,
    QgsProcessingParameterField,
)


def settled(algorithm, parameters: dict[str, Any], context) -> dict[str, Any]:
    """Return the parameters with their numbers, choices and names of fields settled.

    What is not given stays away, so that defaults are QGIS's affair. Settling twice changes
    nothing.

    Raises
    ------
    InputError
        For the first one that is wrong, naming it and its value.
    """
    result = dict(parameters)
    for definition in algorithm.parameterDefinitions():
        name = definition.name()
        value = parameters.get(name)
        if isinstance(definition, _SETTLED) and numbers.not_given(definition, value):
            result.pop(name, None)
        elif isinstance(definition, QgsProcessingParameterNumber):
            result[name] = numbers.read(definition, value, context)
        elif isinstance(definition, QgsProcessingParameterBoolean):
            result[name] = _truth(definition, value, context)
        elif isinstance(definition, QgsProcessingParameterEnum):
            result[name] = _options(definition, value, context)
        elif isinstance(definition, QgsProcessingParameterField):
            result[name] = _fields(algorithm, definition, parameters, context)
        elif list_limits(definition) is not None:
            listed(definition, value, context)
    return result


def listed(definition: QgsProcessingParameterDefinition, value: Any, context) -> list:
    """Return the numbers of a list that was typed; see :func:`.dialog.numbers.listed`.

    An optional list that was left empty has none.
    """
    if numbers.not_given(definition, value):
        value = definition.defaultValue()
        if numbers.not_given(definition, value):
            return []
    found, _ = numbers.evaluated(value, context)
    return numbers.listed(found, definition.description(), **list_limits(definition))


# --- boxes --------------------------------------------------------------------------------------

#: For QGIS every text but "false" and "0" is true, "no" as well.
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def _truth(definition: QgsProcessingParameterBoolean, value: Any, context) -> bool:
    """Return whether a box is checked."""
    found, origin = numbers.evaluated(value, context)
    given = found.strip().lower() if isinstance(found, str) else numbers.as_number(found)
    if isinstance(found, bool):
        return found
    if given in (0, 1):
        return given == 1
    if given not in _TRUTHS:
        raise numbers.refused(definition, tr("true or false"), found, origin)
    return _TRUTHS[given]


# --- choices ------------------------------------------------------------------------------------


def _options(definition: QgsProcessingParameterEnum, value: Any, context) -> Any:
    """Return an option's name, or a list of names where several may be chosen."""
    found, origin = numbers.evaluated(value, context)
    several = definition.allowMultiple()
    given = _parts(definition, found) if several else [found]
    names = [_option(definition.options(), one) for one in given]
    if None in names or not (names or numbers.may_be_empty(definition)):
        wanted = tr("one or more of {options}") if several else tr("one of {options}")
        shown = ", ".join(f"{name} ({at})" for at, name in enumerate(definition.options()))
        raise numbers.refused(definition, wanted.format(options=shown), found, origin)
    return list(dict.fromkeys(names)) if several else names[0]


def _parts(definition: QgsProcessingParameterEnum, found: Any) -> list:
    if isinstance(found, (list, tuple)):
        return list(found)
    if isinstance(found, str) and found not in definition.options():
        return [part.strip() for part in found.split(",")]
    return [found]


def _option(options: list[str], given: Any) -> str | None:
    """Return the option that is named or, if no option has that name, numbered from 0."""
    if isinstance(given, str):
        if given in options:
            return given
        if not re.fullmatch(r"\s*\d+\s*", given, re.ASCII):
            return None
    at = numbers.as_number(given)
    return options[int(at)] if at is not None and at in range(len(options)) else None


# --- fields -------------------------------------------------------------------------------------


def _fields(algorithm, definition: QgsProcessingParameterField, parameters, context) -> Any:
    """Return names of fields as their layer spells them; as given while there is no layer."""
    value = parameters.get(definition.name())
    given = algorithm.parameterAsStrings(parameters, definition.name(), context)
    if not any(given):
        return value
    layer = algorithm.parameterAsVectorLayer(
        parameters, definition.parentLayerParameterName(), context
    )
    if layer is None:
        return value
    names = fieldnames.spelt_as_in(layer.fields(), given)
    return names if definition.allowMultiple() else names[0]
