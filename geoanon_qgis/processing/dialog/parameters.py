# SPDX-License-Identifier: GPL-2.0-or-later
"""The parameters that recur: one function each, so that they read alike in every dialog.

Every function takes the help text that the dialog and the help page show; there is no parameter
without one. An ``advanced`` one stands among the dialog's "Advanced parameters", and one with a
rule (``only_when``, see :mod:`.rules`) is greyed where another choice makes it void.
"""

from __future__ import annotations

import math

from qgis.core import (
    QgsProcessing,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterField,
    QgsProcessingParameterFile,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterLayer,
    QgsProcessingParameterString,
)

from ..i18n import tr
from . import notes, rules
from .numbers import LARGEST_COUNT, LARGEST_SEED
from .rules import Rule

#: What sources and layers hold.
SHAPES = {
    "point": QgsProcessing.SourceType.TypeVectorPoint,
    "line": QgsProcessing.SourceType.TypeVectorLine,
    "polygon": QgsProcessing.SourceType.TypeVectorPolygon,
    "table": QgsProcessing.SourceType.TypeVector,
    "any": QgsProcessing.SourceType.TypeVectorAnyGeometry,
}
#: How distances can be measured; see ``core.space.metrics``.
METRICS = ["geodesic", "great_circle", "planar"]
#: Units of released distances, and the metres in each.
UNITS = {"m": 1.0, "km": 1000.0}


# --- layers, files and fields ---------------------------------------------------------------


def points(
    name: str, description: str, help: str, optional: bool = False, only_when: Rule | None = None
):
    """Return a point source ("selected features only" works)."""
    return source(name, description, help, "point", optional, only_when=only_when)


def sensitive_points(description: str):
    """Return the points that are masked or whose distances are released, INPUT."""
    return points(
        "INPUT",
        description,
        tr(
            "The sensitive points, in any coordinate reference system. Multipoints of one part are "
            "taken; records without a usable place are kept out and counted."
        ),
    )


def table(
    name: str,
    description: str,
    help: str,
    optional: bool = False,
    advanced: bool = False,
    only_when: Rule | None = None,
):
    """Return a source of features with or without geometry."""
    return source(name, description, help, "table", optional, advanced, only_when)


def source(
    name: str,
    description: str,
    help: str,
    kind: str,
    optional: bool = False,
    advanced: bool = False,
    only_when: Rule | None = None,
):
    """Return a source; ``kind`` is ``point``, ``line``, ``polygon``, ``table`` or ``any``."""
    kinds = [SHAPES[kind]]
    made = QgsProcessingParameterFeatureSource(name, description, kinds, None, optional)
    return _described(made, help, advanced, only_when)


def regions(
    name: str,
    description: str,
    help: str,
    optional: bool = False,
    advanced: bool = False,
    only_when: Rule | None = None,
):
    """Return a source of points or polygons."""
    kinds = [SHAPES["point"], SHAPES["polygon"]]
    made = QgsProcessingParameterFeatureSource(name, description, kinds, None, optional)
    return _described(made, help, advanced, only_when)


def area(what: str, default: str, name: str = "AREA"):
    """Return an optional polygon source; ``what`` lies in it, ``default`` is taken without it."""
    return source(
        name,
        tr("Area"),
        tr(
            "Polygons, in any reference system, whose union is the area in which {what} lie, such "
            "as the country or district that the records come from. Leave empty for {default}."
        ).format(what=what, default=default),
        "polygon",
        optional=True,
    )


def raster(name: str, description: str, help: str, only_when: Rule | None = None):
    """Return an optional raster layer."""
    made = QgsProcessingParameterRasterLayer(name, description, None, True)
    return _described(made, help, False, only_when)


def file_source(
    name: str,
    description: str,
    help: str,
    file_filter: str,
    optional: bool = True,
    advanced: bool = False,
    only_when: Rule | None = None,
):
    """Return a file to be read."""
    behaviour = QgsProcessingParameterFile.Behavior.File
    made = QgsProcessingParameterFile(name, description, behaviour, "", None, optional, file_filter)
    return _described(made, help, advanced, only_when)


def folder_source(name: str, description: str, help: str):
    """Return a folder to be looked into."""
    behaviour = QgsProcessingParameterFile.Behavior.Folder
    return _described(QgsProcessingParameterFile(name, description, behaviour), help)


def matrix_source(name: str, description: str, help: str, optional: bool = False):
    """Return a file with a released distance matrix to be read."""
    filters = tr("Distance matrices") + " (*.csv *.csv.gz *.npz *.npy *.parquet)"
    return notes.judged(file_source(name, description, help, filters, optional))


def matrix_sources(name: str, description: str, help: str):
    """Return any number of files with released distance matrices, none among them."""
    files = QgsProcessing.SourceType.TypeFile
    made = QgsProcessingParameterMultipleLayers(name, description, files, None, True)
    return notes.judged(_described(made, help))


def field(
    name: str,
    description: str,
    help: str,
    parent: str,
    optional: bool = True,
    numeric: bool = False,
    several: bool = False,
    advanced: bool = False,
    only_when: Rule | None = None,
):
    """Return a choice of one field of the source ``parent``, or of ``several``."""
    types = QgsProcessingParameterField.DataType
    kind = types.Numeric if numeric else types.Any
    made = QgsProcessingParameterField(name, description, None, parent, kind, several, optional)
    return _described(made, help, advanced, only_when)


def fields(
    name: str,
    description: str,
    help: str,
    parent: str,
    optional: bool = True,
    numeric: bool = False,
    only_when: Rule | None = None,
):
    """Return a choice of any number of fields of the source ``parent``."""
    return field(
        name, description, help, parent, optional, numeric, several=True, only_when=only_when
    )


def file_sources(name: str, description: str, help: str, only_when: Rule | None = None):
    """Return any number of files to be read, none among them (advanced)."""
    files = QgsProcessing.SourceType.TypeFile
    made = QgsProcessingParameterMultipleLayers(name, description, files, None, True)
    return _described(made, help, True, only_when)


# --- numbers --------------------------------------------------------------------------------


def number(
    name: str,
    description: str,
    help: str,
    default: float | None = None,
    minimum: float | None = None,
    maximum: float | None = None,
    optional: bool = False,
    advanced: bool = False,
    only_when: Rule | None = None,
):
    """Return a decimal number; without a default and optional, "not given" is possible."""
    kind = QgsProcessingParameterNumber.Type.Double
    limits = {"minValue": minimum, "maxValue": maximum}
    limits = {name: limit for name, limit in limits.items() if limit is not None}
    made = QgsProcessingParameterNumber(name, description, kind, default, optional, **limits)
    return _described(made, help, advanced, only_when)


def integer(
    name: str,
    description: str,
    help: str,
    default: int | None = None,
    minimum: int = -LARGEST_COUNT,
    maximum: int = LARGEST_COUNT,
    optional: bool = False,
    advanced: bool = False,
    only_when: Rule | None = None,
):
    """Return a whole number; without bounds of its own one that counts something."""
    kind = QgsProcessingParameterNumber.Type.Integer
    made = QgsProcessingParameterNumber(
        name, description, kind, default, optional, minimum, maximum
    )
    return _described(made, help, advanced, only_when)


def metres(
    name: str,
    description: str,
    help: str,
    default: float | None = None,
    minimum: float | None = None,
    maximum: float | None = None,
    optional: bool = True,
    only_when: Rule | None = None,
):
    """Return a length in metres, whatever the layer's CRS: a plain number says so in its name.

    A distance parameter would follow the layer's unit, which is degrees for a geographic CRS.
    The bounds are checked by the algorithm (``check``) where a sentence of its own is wanted:
    leave them out then.
    """
    return number(name, description, help, default, minimum, maximum, optional, only_when=only_when)


def numbers(
    name: str,
    description: str,
    help: str,
    default: str,
    minimum: float,
    maximum: float = math.inf,
    whole: bool = False,
    optional: bool = False,
    only_when: Rule | None = None,
):
    """Return a list of numbers as text, such as ``20, 100, 500``; see ``numbers.listed``."""
    made = QgsProcessingParameterString(name, description, default, False, optional)
    limits = {"minimum": minimum, "maximum": maximum, "whole": whole}
    return _described(notes.noted(made, notes.LIST_LIMITS, limits), help, False, only_when)


def seed(name: str = "SEED"):
    """Return the seed of the random numbers (advanced, optional)."""
    made = integer(
        name,
        tr("Seed of the random numbers"),
        tr(
            "Leave empty: random numbers then come from the operating system. A whole number makes "
            "a run repeatable. Whoever knows it can repeat the run too, so it is as secret as the "
            "data; it is written to private outputs only. Whole numbers are too few to be a "
            "secret, since all of them can be tried: leave it empty for what you release."
        ),
        minimum=0,
        maximum=LARGEST_SEED,
        optional=True,
        advanced=True,
    )
    return notes.noted(made, notes.INPUT, "secret")


# --- all else -------------------------------------------------------------------------------


def boolean(
    name: str,
    description: str,
    help: str,
    default: bool,
    advanced: bool = False,
    only_when: Rule | None = None,
    optional: bool = False,
):
    """Return a check box; an optional one may be missing from models that are older than it."""
    made = QgsProcessingParameterBoolean(name, description, default, optional)
    return _described(made, help, advanced, only_when)


def choice(
    name: str,
    description: str,
    help: str,
    options: list[str],
    default: str | list[str] | None = None,
    optional: bool = False,
    several: bool = False,
    advanced: bool = False,
    only_when: Rule | None = None,
):
    """Return a choice of static strings, which stay the same in models, scripts and languages.

    Dialogs show the words that stand for them in :mod:`.words`, and the help has both.
    """
    made = QgsProcessingParameterEnum(
        name, description, options, several, default, optional, usesStaticStrings=True
    )
    return _described(made, help, advanced, only_when)


def metric(name: str = "METRIC"):
    """Return the choice of how distances are measured."""
    return choice(
        name,
        tr("Metric"),
        tr(
            "How distances are measured: geodesic on the ellipsoid of the layer's system, "
            "great_circle on a sphere of radius 6371 km (as in the papers), or planar in the "
            "layer's own coordinates, which must not be degrees."
        ),
        METRICS,
        "geodesic",
    )


def matrix_unit():
    """Return the unit of a released distance matrix, UNIT."""
    return choice(
        "UNIT",
        tr("Unit of the matrix"),
        tr("Of the distances in the file, unless the file itself says so (.npz)."),
        list(UNITS),
        "m",
    )


def text(
    name: str,
    description: str,
    help: str,
    default: str | None = None,
    advanced: bool = False,
    only_when: Rule | None = None,
):
    """Return an optional line of text."""
    made = QgsProcessingParameterString(name, description, default, False, True)
    return _described(made, help, advanced, only_when)


def _described(parameter, help: str, advanced: bool = False, only_when: Rule | None = None):
    parameter.setHelp(help)
    if only_when:
        rules.only_when(parameter, only_when)
    if advanced:
        flag = QgsProcessingParameterDefinition.Flag.FlagAdvanced
        parameter.setFlags(parameter.flags() | flag)
    return parameter
