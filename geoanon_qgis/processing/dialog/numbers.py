# SPDX-License-Identifier: GPL-2.0-or-later
"""Numbers as they are given: typed, listed (``20, 100, 500``) or worked out by an expression.

QGIS takes any text for an optional number and makes 0 of it, lets NaN pass every bound and turns
whole numbers that it cannot hold into 0. Here something is a finite number within its bounds, or
it is refused.
"""

from __future__ import annotations

import math
import re
import sys
from numbers import Integral, Real
from typing import Any

from qgis.core import QgsProcessingParameterDefinition, QgsProcessingParameterNumber, QgsProperty

from ...compat import is_null
from ...core.runtime.errors import InputError
from ..i18n import number_of, tr

#: More would be a slip of the keyboard: each is a row of a grid of experiments.
_MOST = 200
#: What counts something is no larger, so that the size of a table of two counts is a number that
#: NumPy can refuse for want of memory, and nothing wraps in 32 bits.
LARGEST_COUNT = 10**8
#: Seeds are what QGIS's whole numbers hold.
LARGEST_SEED = 2**31 - 1
#: Whole numbers up to here pass through QGIS's decimal numbers unchanged.
LARGEST_WHOLE = 2**53
#: No number is typed with more characters.
_LONGEST = 400
#: Characters of a value that a sentence shows.
_SHOWN = 40

_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def as_number(value: Any) -> int | float | None:
    """Return the finite number that a value or a text is, None when it is none."""
    if isinstance(value, str):
        value = value.strip()
        if len(value) > _LONGEST or not _DECIMAL.fullmatch(value):
            return None
        value = int(value) if _WHOLE.fullmatch(value) else float(value)
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    if isinstance(value, Integral):
        return int(value)
    value = float(value)
    return value if math.isfinite(value) else None


def is_finite(value: float) -> bool:
    """Tell whether a number is one that calculations can hold."""
    return not isinstance(value, bool) and abs(value) <= sys.float_info.max


def read(definition: QgsProcessingParameterNumber, value: Any, context) -> int | float | None:
    """Return the number that a parameter was given.

    Parameters
    ----------
    definition : QgsProcessingParameterNumber
    value : object
        A number, its text or a ``QgsProperty``, which is evaluated.
    context : QgsProcessingContext
        Brings what expressions may refer to.

    Returns
    -------
    int, float or None
        An int for a whole number; the default, or None without one, for what was left empty.

    Raises
    ------
    InputError
        If it is no finite number, not whole where it must be, or out of bounds.
    """
    if not_given(definition, value):
        value = definition.defaultValue()
        if is_null(value):
            return None
    found, origin = evaluated(value, context)
    number = as_number(found)
    whole = definition.dataType() == QgsProcessingParameterNumber.Type.Integer
    low, high = definition.minimum(), definition.maximum()
    if number is None:
        wanted = tr("a whole number") if whole else tr("a number")
    elif whole and number != int(number):
        wanted = tr("a whole number")
    elif number < low:
        wanted = tr("at least {low}").format(low=f"{low:.16g}")
    elif number > high:
        wanted = tr("at most {high}").format(high=f"{high:.16g}")
    else:
        return int(number) if whole else float(number)
    raise refused(definition, wanted, found, origin)


def not_given(definition: QgsProcessingParameterDefinition, value: Any) -> bool:
    """Tell whether a parameter was left empty; blank text counts if it may be."""
    if isinstance(value, str) and not value.strip():
        return may_be_empty(definition)
    return not isinstance(value, (str, list, tuple)) and is_null(value)


def may_be_empty(definition: QgsProcessingParameterDefinition) -> bool:
    """Tell whether a parameter is optional."""
    return bool(definition.flags() & QgsProcessingParameterDefinition.Flag.FlagOptional)


def evaluated(value: Any, context) -> tuple[Any, QgsProperty | None]:
    """Return a value, or what a data-defined one comes to, and the property if it was one."""
    if not isinstance(value, QgsProperty):
        return value, None
    found, good = value.value(context.expressionContext(), None)
    return (found if good and not is_null(found) else None), value


def refused(
    definition: QgsProcessingParameterDefinition,
    wanted: str,
    value: Any,
    origin: QgsProperty | None = None,
) -> InputError:
    """Return the error that says what a parameter must be, and what it was given."""
    said = _shown(value)
    if origin is not None:
        said = tr("the expression “{expression}”, which gives {value}").format(
            expression=_short(origin.asExpression()), value=said
        )
    sentence = (
        tr("“{parameter}” ({name}) must be {wanted} or left empty, not {value}.")
        if may_be_empty(definition)
        else tr("“{parameter}” ({name}) must be {wanted}, not {value}.")
    )
    return InputError(
        sentence.format(
            parameter=definition.description(), name=definition.name(), wanted=wanted, value=said
        )
    )


def _shown(value: Any) -> str:
    if value is None:
        return tr("nothing")
    if isinstance(value, str) and not value.strip():
        return tr("empty")
    if isinstance(value, Real) and not isinstance(value, bool):
        try:
            return f"{float(value):.16g}"
        except OverflowError:
            return _short(str(value))
    if isinstance(value, (str, bool, list, tuple, dict)):
        return "“" + _short(str(value)) + "”"
    return tr("something of another kind")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


# --- lists ------------------------------------------------------------------------------------


def listed(
    given: Any, what: str, minimum: float, maximum: float = math.inf, whole: bool = False
) -> list:
    """Read numbers parted by commas, semicolons or blanks; each comes once, in order of size.

    Parameters
    ----------
    given : str, or list or tuple of numbers or texts
    what : str
        What the list is, for the sentence: the parameter's description.
    minimum, maximum : float
        What a number may be; a whole number is at most :data:`LARGEST_COUNT`.
    whole : bool
        Whether only whole numbers make sense; they are returned as int.

    Returns
    -------
    list of int or float

    Raises
    ------
    InputError
        If there is no number, or one that cannot be read or lies outside the limits.
    """
    if isinstance(given, (list, tuple)):
        words = list(given)
    else:
        text = "" if is_null(given) else str(given)
        words = [word for word in re.split(r"[,;\s]+", text) if word]
    if not words:
        raise InputError(
            tr("“{what}” has no number. Give some, such as 20, 100.").format(what=what)
        )
    values = []
    for word in words:
        value = as_number(word)
        good = value is not None and minimum <= value <= min(
            maximum, LARGEST_COUNT if whole else sys.float_info.max
        )
        if not good or whole and value != int(value):
            raise InputError(
                _not_in_list(maximum, whole).format(
                    what=what,
                    word=_short(str(word)),
                    minimum=f"{minimum:g}",
                    maximum=f"{min(maximum, LARGEST_COUNT):.16g}",
                )
            )
        values.append(int(value) if whole else float(value))
    distinct = sorted(set(values))
    if len(distinct) > _MOST:
        raise InputError(
            tr("“{what}” holds {numbers}; at most {most} make sense.").format(
                what=what, numbers=number_of(len(distinct), "number", "numbers"), most=_MOST
            )
        )
    return distinct


def _not_in_list(maximum: float, whole: bool) -> str:
    if whole:
        return tr("“{what}” holds “{word}”, which is no whole number from {minimum} to {maximum}.")
    if maximum == math.inf:
        return tr("“{what}” holds “{word}”, which is no number of {minimum} or more.")
    return tr("“{what}” holds “{word}”, which is no number from {minimum} to {maximum}.")
