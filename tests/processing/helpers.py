# SPDX-License-Identifier: GPL-2.0-or-later
"""Layers to test with, and runs of algorithms that keep what was said."""

import html
import re
import threading
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsGeometry,
    QgsPoint,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeatureSource,
    QgsProcessingFeedback,
    QgsProcessingOutputLayerDefinition,
    QgsProcessingParameterDefinition,
    QgsProject,
    QgsVectorFileWriter,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QCoreApplication

from geoanon_qgis.compat import is_null
from geoanon_qgis.processing.base import GROUPS, GeoAnonAlgorithm
from geoanon_qgis.processing.dialog.notes import is_private, is_release
from geoanon_qgis.processing.layers import staging

GRID = "EPSG:27700"
DEGREES = "EPSG:4326"


# --- layers -----------------------------------------------------------------------------------


def points(count: int, seed: int = 1, size: float = 1e5, centre=(400_000.0, 300_000.0)):
    """Random coordinates without duplicates, in metres; shape (count, 2)."""
    return np.random.default_rng(seed).uniform(-size / 2, size / 2, (count, 2)) + centre


def layer(shapes, crs=GRID, kind="Point", fields="", rows=None, name="points"):
    """A memory layer.

    ``shapes`` are coordinates (n, 2), or WKT texts, geometries and None for no geometry;
    ``fields`` are as in ``age:int,ward:string`` and ``rows`` holds a tuple of values for each.
    """
    uri = f"{kind}?" + "&".join(
        [*([f"crs={crs}"] if crs else []), *(f"field={one}" for one in fields.split(",") if one)]
    )
    made = QgsVectorLayer(uri, name, "memory")
    assert made.isValid(), uri
    if not crs:
        made.setCrs(QgsCoordinateReferenceSystem())
    features = []
    for row, shape in enumerate(shapes):
        feature = QgsFeature(made.fields())
        if isinstance(shape, str):
            shape = QgsGeometry.fromWkt(shape)
            assert shape.type() is not None
        elif shape is not None and not isinstance(shape, QgsGeometry):
            shape = QgsGeometry(QgsPoint(*map(float, shape)))
        if shape is not None:
            feature.setGeometry(shape)
        if rows is not None:
            feature.setAttributes(list(rows[row]))
        features.append(feature)
    assert made.dataProvider().addFeatures(features)[0]
    assert made.featureCount() == len(features)
    return made


def saved(a_layer, path: Path) -> str:
    """Save a layer as the only one in a file; returns the path as text."""
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName = QgsVectorFileWriter.driverForExtension(path.suffix)
    options.layerName = path.stem
    error, message, *_ = QgsVectorFileWriter.writeAsVectorFormatV3(
        a_layer, str(path), QgsProject.instance().transformContext(), options
    )
    assert error == QgsVectorFileWriter.WriterError.NoError, message
    return str(path)


def opened(source, name="opened") -> QgsVectorLayer:
    """A layer from a result: a path, or a layer already."""
    if isinstance(source, QgsVectorLayer):
        return source
    result = QgsVectorLayer(str(source), name, "ogr")
    assert result.isValid(), source
    return result


def records(source) -> list[dict]:
    """Attributes of each feature, in the layer's order; None for NULL in every version."""
    source = opened(source)
    names = source.fields().names()
    return [
        {name: None if is_null(value) else value for name, value in zip(names, row.attributes())}
        for row in source.getFeatures()
    ]


def coordinates(source) -> np.ndarray:
    """Coordinates of each feature, (n, 2), in the layer's order; of a CSV its X and Y."""
    source = opened(source)
    if not source.isSpatial():
        return np.array([[float(row["X"]), float(row["Y"])] for row in records(source)])
    found = [feature.geometry().asPoint() for feature in source.getFeatures()]
    return np.array([(place.x(), place.y()) for place in found]).reshape(-1, 2)


def ends(source) -> np.ndarray:
    """First and last vertex of each line, shape (n, 2, 2)."""
    lines = [
        list(feature.geometry().constGet().vertices()) for feature in opened(source).getFeatures()
    ]
    return np.array([[(v.x(), v.y()) for v in (line[0], line[-1])] for line in lines])


def as_source(a_layer, context=None) -> QgsProcessingFeatureSource:
    """What an algorithm would read."""
    source = QgsProcessingFeatureSource(a_layer, context or QgsProcessingContext())
    source.layer = a_layer  # it holds no reference of its own
    return source


# --- runs -------------------------------------------------------------------------------------


class Feedback(QgsProcessingFeedback):
    """Keeps what is said; cancels when the progress reaches ``cancel_at`` percent."""

    def __init__(self, cancel_at=None):
        super().__init__(False)
        self.infos, self.warnings, self.errors, self.progresses = [], [], [], []
        self._cancel_at = cancel_at
        self.progressChanged.connect(self._progressed)

    def _progressed(self, percent):
        self.progresses.append(percent)
        if self._cancel_at is not None and percent >= self._cancel_at:
            self.cancel()

    def pushInfo(self, info):
        self.infos.append(info)

    def pushWarning(self, warning):
        self.warnings.append(warning)

    def reportError(self, error, fatalError=False):
        self.errors.append(error)

    @property
    def said(self) -> str:
        """Everything in one text."""
        return "\n".join([*self.infos, *self.warnings, *self.errors])


@dataclass
class Run:
    """What came of a run."""

    results: dict
    feedback: Feedback
    context: QgsProcessingContext
    unexpected: list[str] = field(default_factory=list)

    def __getitem__(self, name):
        return self.results[name]

    def __contains__(self, name):
        return name in self.results


class Criticals:
    """Collects what goes to the log panel "GeoAnon": the tracebacks of the unexpected."""

    def __enter__(self):
        self.messages = []
        QgsApplication.messageLog().messageReceived.connect(self._received)
        return self

    def _received(self, message, tag, level):
        if tag == "GeoAnon":
            self.messages.append(message)

    def __exit__(self, *error):
        QgsApplication.messageLog().messageReceived.disconnect(self._received)


def run(algorithm: str, parameters: dict, feedback=None, context=None) -> Run:
    """Run ``geoanon:<algorithm>`` as scripts do; fails on anything unexpected."""
    from qgis import processing  # holds run() once Processing has been loaded

    feedback = feedback or Feedback()
    if context is None:
        context = QgsProcessingContext()
        context.setProject(QgsProject.instance())
    with Criticals() as criticals:
        try:
            results = processing.run(
                f"geoanon:{algorithm}", parameters, feedback=feedback, context=context
            )
        finally:
            assert criticals.messages == [], criticals.messages[0]
    return Run(results, feedback, context)


#: Outputs of every algorithm that comes to a verdict.
DECIDED = {"DECISION", "RISK_LOW", "RISK_HIGH", "LIMIT"}


def run_and_load(algorithm: str, parameters: dict, output: str, project) -> QgsVectorLayer:
    """Run, and load one output into the project as QGIS does; it wants its own window for that."""
    context = QgsProcessingContext()
    context.setProject(project)
    wanted = QgsProcessingOutputLayerDefinition("TEMPORARY_OUTPUT", project)
    done = run(algorithm, {**parameters, output: wanted}, context=context)
    (details,) = context.layersToLoadOnCompletion().values()
    details.setOutputLayerName(done[output])
    project.addMapLayer(done[output])
    details.postProcessor().postProcessLayer(done[output], context, done.feedback)
    QCoreApplication.processEvents()
    return done[output]


def refusal(algorithm: str, parameters: dict, feedback=None) -> str:
    """Run something that must fail, and return the sentence; fails on anything but a sentence."""
    feedback = feedback or Feedback()
    with Criticals() as criticals:
        try:
            run(algorithm, parameters, feedback)
        except QgsProcessingException as error:
            sentence = str(error)
        else:
            raise AssertionError("it ran")
    assert criticals.messages == []
    sentence = re.sub(r"^Unable to execute algorithm\n", "", sentence)
    if not sentence.startswith("Could not load source layer for "):  # QGIS's own words
        assert_sentence(sentence)
    assert "Traceback" not in feedback.said
    return sentence


def assert_sentence(text: str) -> None:
    """A sentence for people: no traceback, no exception's name, no unfilled braces."""
    assert len(text) > 20 and text.strip() == text, repr(text)
    assert text[-1] in ".:" or text.endswith("</a>"), text
    assert text[0].isupper() or text[0] in "“/0123456789", text
    for sign in ("Traceback", "Error:", "Exception", "<class", "{", "}", "unexpected", " at 0x"):
        assert sign not in text, text


def leftovers(folder: Path) -> list[str]:
    """Names of everything below a folder, hidden drafts included.

    Nobody waits for a draft that is still being closed; here its removal is waited for.
    """
    for thread in threading.enumerate():
        if thread.name == staging.REMOVING:
            thread.join()
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


# --- contracts --------------------------------------------------------------------------------


def assert_algorithm(algorithm) -> None:
    """What holds for every algorithm of the provider."""
    assert re.fullmatch(r"[a-z][a-z0-9]+", algorithm.name()), algorithm.name()
    assert algorithm.id() == f"geoanon:{algorithm.name()}"
    title = algorithm.displayName()
    words = [word for word in title.split() if word != "Voronoi"]
    assert title[0].isupper() and all(word.islower() for word in words[1:]), title
    assert algorithm.groupId() in GROUPS and algorithm.group() == GROUPS[algorithm.groupId()]
    assert Path(algorithm.svgIconPath()).name == f"{algorithm.name()}.svg"
    assert Path(algorithm.svgIconPath()).is_file() and not algorithm.icon().isNull()
    assert algorithm.shortDescription().endswith(".")
    assert "<" in algorithm.shortHelpString()


def assert_own_algorithm(algorithm: GeoAnonAlgorithm) -> None:
    """What holds for those that are written in Python."""
    assert_algorithm(algorithm)
    assert len(algorithm.tags()) >= 3 and len(set(algorithm.tags())) == len(algorithm.tags())
    shown = html.unescape(re.sub(r"<[^>]+>", "", algorithm.shortHelpString()))
    for parameter in algorithm.parameterDefinitions():
        declared = {one.name: one for one in algorithm.OUTPUTS}.get(parameter.name())
        assert_parameter(parameter, getattr(declared, "by_default", False))
        assert parameter.description() in shown and parameter.help() in shown, parameter.name()
    names = [output.name() for output in algorithm.outputDefinitions()]
    told = {one.name for one in algorithm.OUTPUTS}
    assert told == set(names)


def assert_parameter(parameter, by_default: bool = False) -> None:
    """A parameter explains itself, and a destination says whom it is for."""
    assert re.fullmatch(r"[A-Z][A-Z0-9_]*", parameter.name())
    assert parameter.description()[0].isupper()
    assert parameter.help().endswith("."), parameter.name()
    if parameter.isDestination():
        assert is_private(parameter) != is_release(parameter), parameter.name()
        assert is_private(parameter) == parameter.description().startswith("Private: ")
        optional = parameter.flags() & QgsProcessingParameterDefinition.Flag.FlagOptional
        if optional:
            assert parameter.createByDefault() == by_default, parameter.name()
