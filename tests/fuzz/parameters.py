# SPDX-License-Identifier: GPL-2.0-or-later
"""Values of parameters, drawn from their definitions.

The hints below hold numbers small where a large one only takes time, and give texts a meaning.
A parameter without a hint is drawn from its bounds, so that a new one needs no line here.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from qgis.core import QgsProcessing, QgsProcessingParameterDefinition, QgsProperty

from .layers import Given
from .tables import chance, pick

_OPTIONAL = QgsProcessingParameterDefinition.Flag.FlagOptional
#: Whole numbers: least and most.
_WHOLE = {
    "K": (2, 4),
    "SETS": (1, 12),
    "SIZE": (1, 8),
    "REPEATS": (2, 3),
    "REPLICATES": (2, 40),
    "RECORDS": (20, 40),
    "LIKELIHOOD": (0, 0),
    "MAX_STEPS": (1, 5000),
    "MAX_WORK": (1, 3),
    "N_TARGET": (4, 8),
    "N_IDENTIFICATION": (4, 8),
    "OVERLAP": (2, 4),
    "SITES": (1, 4),
    "MOVES": (0, 20),
    "DECIMALS": (-2, 3),
    "RECORD": (1, 6),
    "LEAST": (0, 5),
    "MOST": (5, 12),
    "DRAWS": (0, 2),
    "N_KNOWN": (10, 12),
    "KNOWN_LINKS": (0, 1),
    "RELEASES": (1, 2),
    "EXCHANGE_K": (2, 4),
    "LOW": (3, 6),
    "HIGH": (7, 12),
    "K_MIN": (2, 4),
    "K_MAX": (5, 9),
    "K_RECORDS": (2, 4),
    "EARLIER_K": (2, 5),
    "SIMULATIONS": (39, 41),
}
#: Decimal numbers.
_DECIMAL = {
    "TIME_LIMIT": (0.2, 1.0),
    "SIGMA": (0.1, 500.0),
    "EPSILON": (0.1, 5000.0),
    "A": (1.0, 2000.0),
    "B": (0.1, 0.6),
    "ALPHA": (0.1, 0.9),
    "NOISE": (0.0, 0.5),
    "TOLERANCE": (0.0, 10.0),
    "PRE_NOISE": (0.0, 500.0),
    "RADIUS": (500.0, 5000.0),
    "SPACING": (50.0, 500.0),
    "MIN": (0.0, 300.0),
    "MAX": (250.0, 5000.0),
    "SIDE": (50.0, 5000.0),
}
#: Lists of numbers and other texts.
_TEXT = {
    "SETS": ["2, 4", "3", "1;5"],
    "SIZE": ["2", "1 3", "2, 5"],
    "SIGMA": ["10, 100", "5"],
    "ALPHA": ["0.5", "0.1, 0.9"],
    "KS": ["2", "2, 3"],
    "KINDS": [None, None, None, "", "", "age=ordinal"],
    "RANGES": [None, "", "age=20..60", "age=..40, income=0.."],
    "RULES": ["found", "found", "", '"age" >= 0'],
    "FORMULA": [None, "", "age ~ sex", "AGE~sex; sex ~ age"],
    "SCHEDULER": [None, ""],
    "CATEGORIES": [None],
    "GROUPS": [None],
    "ONE_GROUP": [None],
    "OVERLAP": ["20", "10; 50"],
    "PRE_NOISE": ["0", "0, 100", "50"],
    "STEP": ["0", "10", "0; 100"],
    "N_RELEASED": ["", "10", "10, 12"],
    "ISGP_RADIUS": ["", "2000", "1000; 4000"],
    "RADIUS": ["2000", "1000, 4000"],
}
#: What goes with a file that is not drawn only.
_WITH_A_FILE = {"POINT_SHIFT"}
#: Choices that go with few data, or need a package that few have.
_SELDOM = {"rows", "max_p", "custom", "degrees", "likelihood", "strongest", "signatures", "all"}
_ODD_TEXT = ["<b>x</b>", "nan", "1,,2", "{}", "[1", "😀", "age=nothing", "a" * 300]
#: What takes the place of a good value when a parameter is spoiled.
_SPOILED = [
    None,
    "",
    "abc",
    "auto",
    "none",
    math.nan,
    math.inf,
    -math.inf,
    1e300,
    -1,
    0,
    "9" * 500,
    "nan",
    "1e400",
    "  7 ",
    "0x10",
    [],
    ["a", "b"],
    True,
    "/nowhere/at/all.gpkg",
    "missing_field",
    10**30,
]


def value(rng: np.random.Generator, definition, given: dict[str, Given]) -> Any:
    """A good value for any parameter that is no source, file or destination."""
    kind = definition.type()
    optional = bool(definition.flags() & _OPTIONAL)
    if kind == "field":
        return _fields(rng, definition, given, optional)
    if definition.name() in _WITH_A_FILE:
        return None
    if optional and chance(rng, 0.4) and definition.name() != "SITES":
        return None
    if kind == "number":
        return _as_people_write(rng, _number(rng, definition))
    if kind == "enum":
        return _choice(rng, definition)
    if kind == "boolean":
        if definition.name() == "USE_GEOMETRY" and chance(rng, 0.6):
            return False  # few tables have places, and all have to
        return pick(rng, [True, False, "true", "false", 1, 0], [0.4, 0.4, 0.05, 0.05, 0.05, 0.05])
    if kind == "string":
        known = _TEXT.get(definition.name())
        return pick(rng, known or [None, "", *_ODD_TEXT])
    if kind == "crs":
        return pick(rng, ["EPSG:4326", "EPSG:3035", None])
    return definition.defaultValue()


def named_fields(rng: np.random.Generator, definition, names: list[str], given: Given) -> Any:
    """Fields that a scene has chosen, as a list or as text, now and then in another case."""
    real = [given.name_of(one) for one in names]
    if chance(rng, 0.05):
        real = [one.upper() for one in real]
    if not definition.allowMultiple():
        return real[0] if real else None
    if not real:
        return pick(rng, [None, [], ""])
    return ";".join(real) if chance(rng, 0.3) and not any(";" in one for one in real) else real


def spoil(rng: np.random.Generator, definition) -> Any:
    """A value that may be wrong."""
    kind = definition.type()
    if kind == "number" and chance(rng, 0.5):
        low, high = definition.minimum(), definition.maximum()
        costly = definition.name() in {*_WHOLE, *_DECIMAL}  # the most of it takes for ever
        return pick(rng, [_shown(low), low if costly else _shown(high), low - 1, high * 2 + 1])
    if kind == "enum" and chance(rng, 0.5):
        options = definition.options()
        return pick(rng, [len(options), -1, "Nothing", options[0].upper()])
    if kind == "number" and chance(rng, 0.2):
        return QgsProperty.fromExpression(
            pick(rng, ["1 + 2", "'abc'", "1 / 0", "NULL", "not sql("])
        )
    return pick(rng, _SPOILED)


def source_kind(definition) -> str:
    """``point``, ``line``, ``polygon`` or ``table``: what a source may be."""
    kinds = list(definition.dataTypes())
    types = QgsProcessing.SourceType
    if types.TypeVectorPoint in kinds:
        return "point"
    if types.TypeVectorLine in kinds:
        return "line"
    return "polygon" if types.TypeVectorPolygon in kinds else "table"


def _fields(rng, definition, given: dict[str, Given], optional: bool) -> Any:
    parent = given.get(definition.parentLayerParameterName())
    if parent is None or (optional and chance(rng, 0.4)):
        return None
    numeric = definition.dataType() == definition.DataType.Numeric
    fields = [one for one in parent.layer.fields() if one.isNumeric() or not numeric]
    names = [one.name() for one in fields if one.name() != "fid" or chance(rng, 0.1)]
    if not names:
        return None
    if definition.name() == "ID_FIELD" and chance(rng, 0.9):  # it names each record once
        return next((one for one in names if one.startswith("patient_na")), None)
    if not definition.allowMultiple():
        return pick(rng, names)
    some = [one for one in names if chance(rng, 0.4)] or names[:1]
    good = [one for one in some if one in (parent.name_of(a) for a in ("sex", "age", "income"))]
    return good if good and chance(rng, 0.6) else some


def _number(rng, definition) -> float | int:
    whole = definition.dataType() == definition.Type.Integer
    hints = _WHOLE if whole else _DECIMAL
    least, most = definition.minimum(), definition.maximum()
    low, high = hints.get(definition.name(), (least, most))
    if definition.name() not in hints:
        low = max(low, -1000.0)
        high = min(high, max(low, 0) + 1000.0)
    low, high = max(low, least), min(high, most)
    if whole:
        return int(rng.integers(math.ceil(low), max(math.ceil(low), math.floor(high)) + 1))
    return float(rng.uniform(low, high))


def _as_people_write(rng, number: float | int) -> Any:
    """As a number, as the command line gives it, or as an expression."""
    return pick(
        rng, [number, str(number), QgsProperty.fromExpression(str(number))], [0.75, 0.2, 0.05]
    )


def _choice(rng, definition) -> Any:
    options = definition.options()
    if definition.allowMultiple():
        return [one for one in options if chance(rng, 0.05 if one in _SELDOM else 0.5)] or options[
            :1
        ]
    chosen = int(rng.integers(len(options)))
    if options[chosen] in _SELDOM and chance(rng, 0.8):
        chosen = next(at for at, one in enumerate(options) if one not in _SELDOM)
    return pick(rng, [options[chosen], chosen, str(chosen)], [0.8, 0.1, 0.1])


def _shown(bound: float) -> float | int:
    return int(bound) if float(bound).is_integer() and abs(bound) < 2**62 else bound
