# SPDX-License-Identifier: GPL-2.0-or-later
"""A layer of the user's own behind the maps of a report, where the project names one."""

import base64
import re
import zipfile

import pytest
from qgis.core import QgsExpressionContextUtils, QgsVectorLayer
from qgis.PyQt.QtGui import QImage

from geoanon_qgis.processing import styling
from geoanon_qgis.processing.layers import backdrop, planes
from geoanon_qgis.processing.maps.backdrop import layers_behind
from tests.processing.helpers import layer, points, run, saved

PLACES = points(40, seed=3, size=10_000)
WEST, SOUTH = PLACES.min(axis=0) - 1000
EAST, NORTH = PLACES.max(axis=0) + 1000
INK = styling.PALETTE["area"]


def streets():
    """A cross through the middle, and a square round it all."""
    x, y = (WEST + EAST) / 2, (SOUTH + NORTH) / 2
    shapes = [f"LINESTRING ({WEST} {y}, {EAST} {y})", f"LINESTRING ({x} {SOUTH}, {x} {NORTH})"]
    return layer(shapes, kind="LineString", name="streets")


def named(project, one):
    project.addMapLayer(one)
    QgsExpressionContextUtils.setProjectVariable(project, backdrop.VARIABLE, one.name())
    return backdrop.of_project(project)


def inked(folder, **parameters):
    """How many pixels of a report's first map have the backdrop's colour."""
    run("maskdisplace", {"INPUT": layer(PLACES), "LAW": "disc", "MAX": 100, **parameters})
    page = (folder / "report.html").read_text(encoding="utf-8")
    png = re.search(r'src="data:image/png;base64,([^"]+)"', page)[1]
    shown = QImage.fromData(base64.b64decode(png), "PNG")
    return sum(
        shown.pixelColor(x, y).name() == INK
        for x in range(0, shown.width(), 2)
        for y in range(shown.height())
    )


def test_a_report_s_maps_have_what_the_project_names(project, tmp_path):
    given = {"OUTPUT": "memory:", "REPORT": str(tmp_path / "report.html")}
    assert inked(tmp_path, **given) == 0
    named(project, streets())
    assert inked(tmp_path, **given) > 300
    assert backdrop.current() is None  # nothing is left for the next run
    QgsExpressionContextUtils.setProjectVariable(project, backdrop.VARIABLE, "not there")
    assert inked(tmp_path, **given) == 0


def test_names_of_places_are_written(project):
    places = layer(PLACES[:3], fields="id:int,Name:string", rows=[(1, "A"), (2, "B"), (3, "C")])
    found = named(project, places)
    assert found.names == "Name"
    with backdrop.behind(found):
        (drawn,) = layers_behind(planes.plane_of(PLACES, places.crs()), places.crs())
    assert drawn.layer.labelsEnabled() and not drawn.explained
    assert [one["name"] for one in drawn.layer.getFeatures()] == ["A", "B", "C"]


def test_polygons_are_drawn_by_their_rings(project):
    square = f"POLYGON (({WEST} {SOUTH}, {EAST} {SOUTH}, {EAST} {NORTH}, {WEST} {SOUTH}))"
    areas = layer([square, None], kind="Polygon", name="areas")
    with backdrop.behind(named(project, areas)):
        (drawn,) = layers_behind(planes.plane_of(PLACES, areas.crs()), areas.crs())
    assert drawn.total == 3


@pytest.mark.parametrize("kind", ["in an archive", "a table", "broken", "no project"])
def test_what_is_far_away_or_has_no_place_is_not_drawn(project, tmp_path, kind):
    if kind == "no project":
        assert backdrop.of_project(None) is None
        return
    if kind == "a table":
        one = layer([None], kind="NoGeometry", crs="", fields="id:int", rows=[(1,)], name="table")
    elif kind == "in an archive":
        path = saved(streets(), tmp_path / "streets.geojson")
        with zipfile.ZipFile(tmp_path / "streets.zip", "w") as archive:
            archive.write(path, "streets.geojson")
        one = QgsVectorLayer(f"/vsizip/{tmp_path}/streets.zip/streets.geojson", "far", "ogr")
        assert one.isValid()
    else:
        one = QgsVectorLayer(str(tmp_path / "gone.gpkg"), "gone", "ogr")
    assert named(project, one) is None
