# SPDX-License-Identifier: GPL-2.0-or-later
"""Nothing that draws may wait for Qt's threads: QGIS's tasks may have taken all of them.

``tests/desktop/test_threads.py`` sees the same in QGIS's window.
"""

import ast
import subprocess
import sys
import textwrap

#: Qt splits these over ``QThreadPool.globalInstance()`` and waits for the pieces, or QGIS runs them
#: there. ``QImage.save`` is another where the format is not one that the file can hold as it is.
WAITS = {
    "applyColorTransform",
    "convertTo",
    "convertToColorSpace",
    "convertToFormat",
    "invertPixels",
    "QgsMapRendererParallelJob",
    "QgsMapRendererSequentialJob",
    "QtConcurrent",
    "rgbSwap",
    "rgbSwapped",
    "scaled",
    "scaledToHeight",
    "scaledToWidth",
    "smoothScaled",
    "transformed",
}

DRAW_ALL = textwrap.dedent(
    """
    import sys, threading
    sys.path.insert(0, CHECKOUT)
    from qgis.core import QgsApplication, QgsFeature, QgsGeometry, QgsVectorLayer
    from qgis.PyQt.QtCore import QRunnable, QThreadPool

    application = QgsApplication([], True)
    application.initQgis()
    from geoanon_qgis.processing import styling
    from geoanon_qgis.processing.maps import drawing
    from geoanon_qgis.processing.styling.looks import LOOKS

    class Taken(QRunnable):
        def run(self):
            threading.Event().wait()

    pool = QThreadPool.globalInstance()
    pool.setMaxThreadCount(1)
    pool.start(taken := Taken())
    assert pool.activeThreadCount() == 1

    SHAPES = {
        "Point": "POINT (5 5)", "LineString": "LINESTRING (0 0, 10 10)",
        "Polygon": "POLYGON ((0 0, 10 0, 10 9, 0 0))",
    }
    pictures = 0
    drawing._legend_entries = lambda layers: [
        (item.symbol().clone(), item.label())
        for one in layers for item in one.layer.renderer().legendSymbolItems() if item.symbol()
    ]
    for role in LOOKS:
        for shape, text in SHAPES.items():
            layer = QgsVectorLayer(f"{shape}?crs=EPSG:25832", role, "memory")
            feature = QgsFeature()
            feature.setGeometry(QgsGeometry.fromWkt(text))
            layer.dataProvider().addFeatures([feature])
            layer.setRenderer(styling.renderer(role, 3.0))
            layer.setOpacity(0.5)
            one = drawing.MapLayer(layer, role, 1, 1)
            pictures += drawing.map_picture([one], (0, 0, 10, 10), (300, 200))[:4] == b"\\x89PNG"
    print("PICTURES", pictures, flush=True)
    import os
    os._exit(0)
    """
)


def test_every_role_is_drawn_while_all_threads_are_taken(checkout):
    script = f"CHECKOUT = {str(checkout)!r}\n{DRAW_ALL}"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split("PICTURES")[1]) > 40


def test_no_call_waits_for_them(checkout):
    found = []
    for path in sorted((checkout / "geoanon_qgis").rglob("*.py")):
        if "core" in path.relative_to(checkout).parts:
            continue  # knows no Qt
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(node, "attr", getattr(node, "id", getattr(node, "name", "")))
            if name in WAITS:
                found.append(f"{path.relative_to(checkout)}:{node.lineno}: {name}")
    assert found == []


def test_a_picture_is_saved_in_the_format_it_is_drawn_in():
    """PNG holds these as they are; any other is converted on the way, in the threads."""
    from qgis.PyQt.QtGui import QImage

    from geoanon_qgis.processing.maps import painting

    paper = painting.blank(30, 20, 192.0)
    assert paper.format() == QImage.Format.Format_RGB32
    again = QImage.fromData(painting.png(paper), "PNG")
    assert again.format() == QImage.Format.Format_RGB32
    assert (again.width(), again.height()) == (30, 20)
    assert abs(again.dotsPerMeterX() - 192 / 0.0254) < 1
