# SPDX-License-Identifier: GPL-2.0-or-later
"""Rules between fields, as expressions of QGIS, or found in the originals."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

import numpy as np
from qgis.core import QgsExpression, QgsExpressionContext, QgsFeature, QgsFields

from ...compat import is_null, make_field
from ...core.microdata.rules import FOUND, Obey
from ...core.runtime.errors import InputError
from ..dialog import parameters
from ..i18n import tr
from ..layers.fieldnames import spelling

#: What parts one rule from the next, outside of quotation marks.
_PART = re.compile(r"""(?:"[^"]*"|'[^']*'|[^;\n"'])+""")
_TYPES = {"b": "bool", "i": "long", "f": "double"}


def parameter():
    """Which rules every record must obey."""
    return parameters.text(
        "RULES",
        tr("Rules between fields"),
        tr(
            "What no record may break. found: what holds for every original and hardly by "
            "chance, such as that nobody below 16 is married; the report lists it. Or your own, "
            'as expressions of QGIS, one after the other with ; between, as in "married" = 0 or '
            '"age" >= 16. Empty: none. spectral_swapping draws records that break one anew; '
            "other methods cannot, and count them."
        ),
        default=FOUND,
        advanced=True,
    )


def read(text: str, fields: Collection[str]) -> Obey | str | None:
    """Return what says which rows obey; :data:`.FOUND` as it is, None without any.

    Raises
    ------
    InputError
        If an expression cannot be read, or names a field that is not released.
    """
    if text.strip().lower() == FOUND:
        return FOUND
    written = [one.strip() for one in _PART.findall(text) if one.strip()]
    if not written:
        return None
    return _Expressions([_parsed(one, fields) for one in written])


def _parsed(text: str, fields: Collection[str]) -> QgsExpression:
    expression = QgsExpression(text)
    if expression.hasParserError():
        raise InputError(
            tr(
                "The rule “{rule}” cannot be read. Write it as an expression of QGIS, as in "
                '"married" = 0 or "age" >= 16.'
            ).format(rule=text)
        )
    named = {spelling(set(fields), one) for one in expression.referencedColumns()}
    missing = sorted(named - set(fields))
    if missing or not named:
        raise InputError(
            tr(
                "The rule “{rule}” names {missing}. Rules are about the fields that are anonymised: "
                "{fields}."
            ).format(
                rule=text,
                missing=", ".join(f"“{one}”" for one in missing) or tr("no field"),
                fields=", ".join(fields),
            )
        )
    return expression


class _Expressions:
    """Says of rows of columns which obey all expressions; what is NULL breaks none."""

    def __init__(self, expressions: list[QgsExpression]):
        self._expressions = expressions

    @property
    def parts(self) -> dict[str, Obey]:
        """Each rule alone, by how it is written."""
        return {one.expression(): _Expressions([one]) for one in self._expressions}

    def __call__(self, columns: Mapping[str, np.ndarray]) -> np.ndarray:
        fields = QgsFields()
        for name, values in columns.items():
            fields.append(make_field(name, _type_of(values)))
        context = QgsExpressionContext()
        context.setFields(fields)
        for one in self._expressions:
            one.prepare(context)
        feature = QgsFeature(fields)
        good = []
        for row in zip(*(_values(values) for values in columns.values())):
            feature.setAttributes(list(row))
            context.setFeature(feature)
            good.append(all(self._holds(one, context) for one in self._expressions))
        return np.array(good, dtype=bool)

    @staticmethod
    def _holds(expression: QgsExpression, context: QgsExpressionContext) -> bool:
        found = expression.evaluate(context)
        if expression.hasEvalError():
            raise InputError(
                tr(
                    "The rule “{rule}” cannot be worked out for these records. Compare numbers "
                    "with numbers and text with text."
                ).format(rule=expression.expression())
            )
        return is_null(found) or bool(found)


def _type_of(values: np.ndarray) -> str:
    kind = values.dtype.kind
    if kind == "O":
        there = [one for one in values.tolist() if one is not None]
        return "double" if there and not isinstance(there[0], str) else "string"
    return _TYPES.get(kind, "string")


def _values(values: np.ndarray) -> list:
    if values.dtype.kind == "f":
        return [None if one != one else one for one in values.tolist()]
    return values.tolist()
