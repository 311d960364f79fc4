# SPDX-License-Identifier: GPL-2.0-or-later
"""An algorithm that writes what a test asks for, to look at outputs alone."""

import numpy as np
import pytest
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingParameterMultipleLayers,
    QgsProject,
)

from geoanon_qgis.compat import make_field
from geoanon_qgis.core.runtime.errors import GeoAnonError
from geoanon_qgis.processing import styling
from geoanon_qgis.processing.base import GeoAnonAlgorithm
from geoanon_qgis.processing.dialog import parameters
from geoanon_qgis.processing.dialog.declaration import Value, private, release, reports
from geoanon_qgis.processing.running import Result
from geoanon_qgis.report import Figure, Figures, Report, Section
from tests.processing.helpers import GRID, Criticals, Feedback, Run, assert_sentence, points

CRS = QgsCoordinateReferenceSystem(GRID)
XY = points(20)
FIELDS = [make_field("id", "long"), make_field("size", "double"), make_field("kind", "string")]
COLUMNS = [np.arange(1, 21), np.linspace(0.0, 1.0, 20), ["north", "süd"] * 10]


class Writer(GeoAnonAlgorithm):
    """Writes what a test asks for."""

    NAME = "writer"
    DISPLAY_NAME = "Writer"
    work = None

    OUTPUTS = (
        release("OUTPUT", "Masked points", "Points.", "point", optional=True),
        release("OTHER", "Other points", "Points.", "point", optional=True),
        private("LINES", "Lines", "Lines.", "line"),
        private("AREAS", "Areas", "Areas.", "polygon"),
        private("TABLE", "Table", "Table.", "table"),
        *reports("Report."),
        Value("COUNT", "Count"),
    )

    def inputs(self):
        return [
            parameters.points("INPUT", "Points", "Points.", optional=True),
            parameters.table("MORE", "More", "More.", optional=True),
            parameters.file_source("FILE", "File", "File.", "CSV (*.csv)"),
            QgsProcessingParameterMultipleLayers("LAYERS", "Layers", optional=True),
        ]

    def execute(self, run):
        Writer.work(run.outputs, run.progress)
        return Result({"COUNT": 20})


def write_points(outputs, progress, name="OUTPUT"):
    outputs.add_points(name, XY, FIELDS, COLUMNS, CRS, progress, styling.MASKED)


def write_all(outputs, progress):
    write_points(outputs, progress)
    outputs.add_lines("LINES", XY[:-1], XY[1:], [], [], CRS, progress, styling.SHIFTS)
    outputs.add_table("TABLE", FIELDS[:1], COLUMNS[:1], progress)
    outputs.add_report(a_report)


def a_report():
    return Report("Title", [Section("First", [Figures([Figure("count", "Count", 20)])])])


def fail(*_):
    raise GeoAnonError("Nothing works today. Try again tomorrow.")


def write(work, parameters, feedback=None, context=None) -> Run:
    from qgis import processing  # holds run() once Processing has been loaded

    Writer.work = staticmethod(work)
    feedback = feedback or Feedback()
    if context is None:
        context = QgsProcessingContext()
        context.setProject(QgsProject.instance())
    algorithm = Writer()
    algorithm.initAlgorithm()
    with Criticals() as criticals:
        results = processing.run(algorithm, parameters, feedback=feedback, context=context)
    assert criticals.messages == []
    return Run(results, feedback, context)


def refused(work, parameters, feedback=None) -> str:
    with pytest.raises(QgsProcessingException) as error:
        write(work, parameters, feedback)
    sentence = str(error.value).replace("Unable to execute algorithm\n", "")
    assert_sentence(sentence)
    return sentence


def table_in(path, name):
    return f"ogr:dbname='{path}' table=\"{name}\" (geom)"
