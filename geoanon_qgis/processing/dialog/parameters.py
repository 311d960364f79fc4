# SPDX-License-Identifier: GPL-2.0-or-later
"""The parameters that recur: one function each, so that they read alike in every dialog.

Every function takes the help text that the dialog and the help page show; there is no parameter
without one. A destination is a *release* or *private*; private ones say so in their description.
"""

from __future__ import annotations

import math

from qgis.core import (
    QgsProcessing,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterCrs,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterField,
    QgsProcessingParameterFile,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

from ..i18n import tr
from .numbers import LARGEST_COUNT, LARGEST_SEED

#: What sources and layers hold.
SHAPES = {
    "point": QgsProcessing.SourceType.TypeVectorPoint,
    "line": QgsProcessing.SourceType.TypeVectorLine,
    "polygon": QgsProcessing.SourceType.TypeVectorPolygon,
    "table": QgsProcessing.SourceType.TypeVector,
    "any": QgsProcessing.SourceType.TypeVectorAnyGeometry,
}

#: Key in a parameter's metadata that holds ``"release"`` or ``"private"``.
_SECRECY = "geoanon_secrecy"
#: Key in an input's metadata that holds ``"secret"`` (its value is nowhere told) or ``"judged"``.
_INPUT = "geoanon_input"
#: Key in the metadata of a typed list of numbers that holds what the numbers may be.
_LIST_LIMITS = "geoanon_list_limits"


def advanced(parameter: QgsProcessingParameterDefinition) -> QgsProcessingParameterDefinition:
    """Move a parameter into the dialog's "Advanced parameters"; returns it."""
    parameter.setFlags(parameter.flags() | QgsProcessingParameterDefinition.Flag.FlagAdvanced)
    return parameter


def is_private(parameter: QgsProcessingParameterDefinition) -> bool:
    """Tell whether a destination parameter is for the data holder's eyes only."""
    return parameter.metadata().get(_SECRECY) == "private"


def is_release(parameter: QgsProcessingParameterDefinition) -> bool:
    """Tell whether a destination parameter is made to be given away."""
    return parameter.metadata().get(_SECRECY) == "release"


def judged(parameter: QgsProcessingParameterDefinition) -> QgsProcessingParameterDefinition:
    """Note that an input is a release that a run passes judgement on; returns it."""
    parameter.setMetadata({**parameter.metadata(), _INPUT: "judged"})
    return parameter


def is_judged(parameter: QgsProcessingParameterDefinition) -> bool:
    """Tell whether an input is a release that a run passes judgement on."""
    return parameter.metadata().get(_INPUT) == "judged"


def is_secret(parameter: QgsProcessingParameterDefinition) -> bool:
    """Tell whether nobody may be told a parameter's value, only whether it was given."""
    return parameter.metadata().get(_INPUT) == "secret"


def list_limits(parameter: QgsProcessingParameterDefinition) -> dict | None:
    """Return what the numbers of a typed list may be (``numbers.listed``); None for the others."""
    return parameter.metadata().get(_LIST_LIMITS)


# --- inputs ---------------------------------------------------------------------------------


def points(name: str, description: str, help: str, optional: bool = False):
    """Return a point source ("selected features only" works)."""
    return _described(
        QgsProcessingParameterFeatureSource(name, description, [SHAPES["point"]], None, optional),
        help,
    )


def table(name: str, description: str, help: str, optional: bool = False):
    """Return a source of features with or without geometry."""
    return _described(
        QgsProcessingParameterFeatureSource(name, description, [SHAPES["table"]], None, optional),
        help,
    )


def source(name: str, description: str, help: str, kind: str, optional: bool = False):
    """Return a source; ``kind`` is ``point``, ``line``, ``polygon``, ``table`` or ``any``."""
    return _described(
        QgsProcessingParameterFeatureSource(name, description, [SHAPES[kind]], None, optional),
        help,
    )


def regions(name: str, description: str, help: str):
    """Return a source of points or polygons."""
    kinds = [SHAPES["point"], SHAPES["polygon"]]
    return _described(QgsProcessingParameterFeatureSource(name, description, kinds), help)


def file_source(name: str, description: str, help: str, file_filter: str, optional: bool = True):
    """Return a file to be read."""
    behaviour = QgsProcessingParameterFile.Behavior.File
    return _described(
        QgsProcessingParameterFile(name, description, behaviour, "", None, optional, file_filter),
        help,
    )


def folder_source(name: str, description: str, help: str):
    """Return a folder to be looked into."""
    behaviour = QgsProcessingParameterFile.Behavior.Folder
    return _described(QgsProcessingParameterFile(name, description, behaviour), help)


def field(
    name: str,
    description: str,
    help: str,
    parent: str,
    optional: bool = True,
    numeric: bool = False,
):
    """Return a choice of one field of the source ``parent``."""
    return _field(name, description, help, parent, optional, numeric, multiple=False)


def fields(
    name: str,
    description: str,
    help: str,
    parent: str,
    optional: bool = True,
    numeric: bool = False,
):
    """Return a choice of any number of fields of the source ``parent``."""
    return _field(name, description, help, parent, optional, numeric, multiple=True)


def number(
    name: str,
    description: str,
    help: str,
    default: float | None = None,
    minimum: float | None = None,
    maximum: float | None = None,
    optional: bool = False,
):
    """Return a decimal number; without a default and optional, "not given" is possible."""
    return _number(
        QgsProcessingParameterNumber.Type.Double,
        name,
        description,
        help,
        default,
        minimum,
        maximum,
        optional,
    )


def integer(
    name: str,
    description: str,
    help: str,
    default: int | None = None,
    minimum: int | None = None,
    maximum: int | None = None,
    optional: bool = False,
):
    """Return a whole number; without bounds of its own one that counts something."""
    minimum = -LARGEST_COUNT if minimum is None else minimum
    maximum = LARGEST_COUNT if maximum is None else maximum
    return _number(
        QgsProcessingParameterNumber.Type.Integer,
        name,
        description,
        help,
        default,
        minimum,
        maximum,
        optional,
    )


def metres(
    name: str,
    description: str,
    help: str,
    default: float | None = None,
    minimum: float | None = None,
    maximum: float | None = None,
    optional: bool = True,
):
    """Return a length in metres, whatever the layer's CRS: a plain number says so in its name.

    A distance parameter would follow the layer's unit, which is degrees for a geographic CRS.
    The bounds are checked by the algorithm (``check``) where a sentence of its own is wanted:
    leave them out then.
    """
    return number(name, description, help, default, minimum, maximum, optional)


def boolean(name: str, description: str, help: str, default: bool):
    """Return a check box."""
    return _described(QgsProcessingParameterBoolean(name, description, default), help)


def choice(
    name: str,
    description: str,
    help: str,
    options: list[str],
    default: str | None = None,
    optional: bool = False,
):
    """Return a choice of static strings, which stay the same in models, scripts and languages."""
    return _described(
        QgsProcessingParameterEnum(
            name, description, options, False, default, optional, usesStaticStrings=True
        ),
        help,
    )


def choices(name: str, description: str, help: str, options: list[str], default: list[str]):
    """Return a choice of one or more static strings."""
    return _described(
        QgsProcessingParameterEnum(
            name, description, options, True, default, False, usesStaticStrings=True
        ),
        help,
    )


def crs(name: str, description: str, help: str, optional: bool = True):
    """Return a coordinate reference system."""
    return _described(QgsProcessingParameterCrs(name, description, None, optional), help)


def matrix_source(name: str, description: str, help: str, optional: bool = False):
    """Return a file with a released distance matrix to be read."""
    filters = tr("Distance matrices") + " (*.csv *.csv.gz *.npz *.npy *.parquet)"
    return judged(file_source(name, description, help, filters, optional))


def numbers(
    name: str,
    description: str,
    help: str,
    default: str,
    minimum: float,
    maximum: float = math.inf,
    whole: bool = False,
    optional: bool = False,
):
    """Return a list of numbers as text, such as ``20, 100, 500``; see ``numbers.listed``."""
    parameter = QgsProcessingParameterString(name, description, default, False, optional)
    parameter.setMetadata({_LIST_LIMITS: {"minimum": minimum, "maximum": maximum, "whole": whole}})
    return _described(parameter, help)


def text(name: str, description: str, help: str, default: str | None = None):
    """Return an optional line of text."""
    return _described(QgsProcessingParameterString(name, description, default, False, True), help)


#: How distances can be measured; see ``core.metrics``.
METRICS = ["geodesic", "great_circle", "planar"]


def metric(name: str = "METRIC"):
    """Return the choice of how distances are measured."""
    return choice(
        name,
        tr("Metric"),
        tr(
            "How distances are measured: geodesic on the ellipsoid of the layer's system, great_circle "
            "on a sphere of radius 6371 km (as in the papers), or planar in the layer's own "
            "coordinates, which must not be degrees."
        ),
        METRICS,
        "geodesic",
    )


def area(what: str, default: str, name: str = "AREA"):
    """Return an optional polygon source; ``what`` lies in it, ``default`` is taken without it."""
    return source(
        name,
        tr("Area"),
        tr(
            "Polygons, in any reference system, whose union is the area in which {what} lie, such as "
            "the country or district that the records come from. Leave empty for {default}."
        ).format(what=what, default=default),
        "polygon",
        optional=True,
    )


def seed(name: str = "SEED"):
    """Return the seed of the random numbers (advanced, optional)."""
    parameter = integer(
        name,
        tr("Seed of the random numbers"),
        tr(
            "Leave empty: random numbers then come from the operating system. A whole number "
            "makes a run repeatable. Whoever knows it can repeat the run too, so it is as "
            "secret as the data; it is written to private outputs only."
        ),
        minimum=0,
        maximum=LARGEST_SEED,
        optional=True,
    )
    parameter.setMetadata({_INPUT: "secret"})
    return advanced(parameter)


# --- destinations ---------------------------------------------------------------------------


def release_sink(
    name: str, description: str, help: str, kind: str = "point", optional: bool = False
):
    """Return a layer destination for what is made to be given away; its description says so.

    An optional one is by default not created.
    """
    said = tr("Release: {description}").format(description=description)
    sink = QgsProcessingParameterFeatureSink(name, said, SHAPES[kind], None, optional, not optional)
    return _destination(sink, help, "release")


def private_sink(name: str, description: str, help: str, kind: str = "line", optional: bool = True):
    """Return a layer destination for the data holder's eyes only, by default not created."""
    sink = QgsProcessingParameterFeatureSink(
        name, _private(description), SHAPES[kind], None, optional, not optional
    )
    return _destination(sink, help, "private")


def release_matrix(name: str, description: str, help: str):
    """Return a file destination for a distance matrix that is made to be given away."""
    filters = ";;".join(
        (
            tr("CSV, square with ids") + " (*.csv)",
            tr("NumPy, condensed") + " (*.npz)",
            tr("Parquet, one row a pair") + " (*.parquet)",
        )
    )
    said = tr("Release: {description}").format(description=description)
    return _destination(QgsProcessingParameterFileDestination(name, said, filters), help, "release")


def release_file(name: str, description: str, help: str, file_filter: str):
    """Return an optional file destination for what may be given away."""
    said = tr("Release: {description}").format(description=description)
    parameter = QgsProcessingParameterFileDestination(name, said, file_filter, None, True, False)
    return _destination(parameter, help, "release")


def html_destination(name: str, description: str, help: str, private: bool = True):
    """Return an optional HTML report (the Results Viewer links to it)."""
    return _file(name, description, help, tr("HTML files (*.html)"), private)


def json_destination(name: str, description: str, help: str, private: bool = True):
    """Return an optional JSON file with the report's figures."""
    return _file(name, description, help, tr("JSON files (*.json)"), private)


# --- how they are made ----------------------------------------------------------------------


def _described(parameter, help: str):
    parameter.setHelp(help)
    return parameter


def _private(description: str) -> str:
    return tr("Private: {description}").format(description=description)


def _destination(parameter, help: str, secrecy: str):
    parameter.setMetadata({_SECRECY: secrecy})
    return _described(parameter, help)


def _file(name: str, description: str, help: str, file_filter: str, private: bool):
    parameter = QgsProcessingParameterFileDestination(
        name, _private(description) if private else description, file_filter, None, True, False
    )
    return _destination(parameter, help, "private" if private else "release")


def _field(name, description, help, parent, optional, numeric, multiple):
    types = QgsProcessingParameterField.DataType
    return _described(
        QgsProcessingParameterField(
            name,
            description,
            None,
            parent,
            types.Numeric if numeric else types.Any,
            multiple,
            optional,
        ),
        help,
    )


def _number(kind, name, description, help, default, minimum, maximum, optional):
    limits = {}
    if minimum is not None:
        limits["minValue"] = minimum
    if maximum is not None:
        limits["maxValue"] = maximum
    return _described(
        QgsProcessingParameterNumber(name, description, kind, default, optional, **limits),
        help,
    )
