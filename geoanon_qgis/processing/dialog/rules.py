# SPDX-License-Identifier: GPL-2.0-or-later
"""Rules of parameters: which other choice makes one void.

A rule is declared with the parameter (``only_when={"LAW": ("donut",)}``). From it come a sentence
of its help, a greyed widget in the dialog, and a line in the log where a value was given and not
used. All conditions of a rule have to hold, and a condition on a parameter that is void itself
does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Sized
from typing import Any, Union

from qgis.core import QgsProcessingParameterBoolean, QgsProcessingParameterDefinition

from ...compat import is_null
from ..i18n import tr
from . import notes, words

Parameter = QgsProcessingParameterDefinition
#: Conditions: the other parameter is given, or left empty.
GIVEN, EMPTY = "given", "empty"
#: Other parameter to the options with one of which this one counts, to (True,) or (False,) for a
#: box, or to one of both above.
Rule = Mapping[str, Union[str, Sequence[str], Sequence[bool]]]


def only_when(parameter: Parameter, rule: Rule) -> Parameter:
    """Note when a parameter counts; returns it."""
    plain = {name: one if isinstance(one, str) else list(one) for name, one in rule.items()}
    return notes.noted(parameter, notes.RULE, plain)


def rule_of(parameter: Parameter) -> Rule:
    """Return when a parameter counts; empty for always."""
    return parameter.metadata().get(notes.RULE) or {}


def is_void(
    name: str, definitions: Mapping[str, Parameter], value_of: Callable[[str], Any]
) -> bool:
    """Tell whether another choice makes a parameter void.

    Parameters
    ----------
    name : str
    definitions : mapping of str to QgsProcessingParameterDefinition
        Of all parameters.
    value_of : callable
        Gives what another one is set to: options by their names.
    """
    return not all(
        not is_void(other, definitions, value_of) and _holds(wanted, value_of(other))
        for other, wanted in rule_of(definitions[name]).items()
    )


def _holds(wanted: str | Sequence[Any], value: Any) -> bool:
    if isinstance(wanted, str):
        return is_empty(value) == (wanted == EMPTY)
    chosen = value if isinstance(value, (list, tuple)) else [value]
    return any(one in wanted for one in chosen)


def is_empty(value: Any) -> bool:
    """Tell whether a parameter's value is that of one that was left empty."""
    return (isinstance(value, Sized) and not len(value)) or is_null(value)


def said(parameter: Parameter, definitions: Mapping[str, Parameter]) -> str:
    """Return the rule of a parameter as a sentence."""
    conditions = [
        _condition(definitions[other], wanted) for other, wanted in rule_of(parameter).items()
    ]
    return tr("Used only where {conditions}.").format(conditions=tr(" and ").join(conditions))


def _condition(other: Parameter, wanted: str | Sequence[Any]) -> str:
    named = {"parameter": other.description(), "name": other.name()}
    if isinstance(wanted, str):
        said = (
            tr("“{parameter}” ({name}) is left empty")
            if wanted == EMPTY
            else tr("“{parameter}” ({name}) is given")
        )
        return said.format(**named)
    if isinstance(other, QgsProcessingParameterBoolean):
        said = (
            tr("“{parameter}” ({name}) is checked")
            if True in wanted
            else tr("“{parameter}” ({name}) is not checked")
        )
        return said.format(**named)
    others = [one for one in other.options() if one not in wanted]
    said = tr("“{parameter}” ({name}) is {options}")
    if len(others) < len(wanted):  # the shorter list
        wanted, said = others, tr("“{parameter}” ({name}) is other than {options}")
    options = tr(" or ").join(f"“{words.word(other.name(), one)}”" for one in wanted)
    return said.format(**named, options=options)


def not_used(algorithm, given: Mapping[str, Any], settled: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each value that was given, and that another choice makes void.

    Parameters
    ----------
    algorithm : QgsProcessingAlgorithm
    given : mapping of str to object
        The parameters as they were handed over. A dialog hands over all, so that one at its default
        counts as left alone.
    settled : mapping of str to object
        The same, settled, with what a file has filled in.
    """
    named = {one.name(): one for one in algorithm.parameterDefinitions()}

    def value_of(name: str) -> Any:
        return settled.get(name, named[name].defaultValue())

    return [
        tr("“{parameter}” ({name}) was given, and is not used.").format(
            parameter=one.description(), name=name
        )
        + f" {said(one, named)}"
        for name, one in named.items()
        if rule_of(one)
        and not is_empty(given.get(name))
        and value_of(name) != one.defaultValue()
        and is_void(name, named, value_of)
    ]
