# SPDX-License-Identifier: GPL-2.0-or-later
"""The inspector on many records: how long it takes to open, and to answer a click.

    python benchmarks/inspector.py [--records 100000] [--shown 1000]

The layers are those of an attack on a displacement with its key, in memory, as a dialog loads them:
guesses, ten addresses for each of the records shown, the release, the key, the shifts and the areas
where points could have gone. Promised are 2 s and 0.2 s for 100,000 records,
of the process's own time.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time

import _timing
import numpy as np
from qgis.core import (
    QgsApplication,
    QgsFeature,
    QgsGeometry,
    QgsPointXY,
    QgsProject,
    QgsVectorLayer,
)

CRS = "EPSG:27700"


def seconds(job) -> float:
    """CPU time, which a busy machine changes less."""
    return _timing.seconds(job, time.process_time)


def layer(kind: str, fields: str, geometries, rows) -> QgsVectorLayer:
    """A layer in memory."""
    spelt = "&".join(f"field={one}" for one in fields.split(","))
    made = QgsVectorLayer(f"{kind}?crs={CRS}&{spelt}", "layer", "memory")
    features = []
    for geometry, row in zip(geometries, rows):
        feature = QgsFeature(made.fields())
        if geometry is not None:
            feature.setGeometry(geometry)
        feature.setAttributes(list(row))
        features.append(feature)
    made.dataProvider().addFeatures(features)
    return made


def layers(count: int, shown: int) -> dict[str, QgsVectorLayer]:
    """All layers of an attack, put into the project."""
    from geoanon_qgis.processing import styling
    from geoanon_qgis.processing.styling.origin import told

    rng = np.random.default_rng(1)
    homes = rng.uniform(0, 50_000, (count, 2))
    points = homes + rng.normal(0, 40, (count, 2))
    top = rng.beta(1, 3, count)

    def at(xy):
        return [QgsGeometry.fromPointXY(QgsPointXY(x, y)) for x, y in xy.tolist()]

    def circles(xy):
        return [one.buffer(100, 8) for one in at(xy)]

    def lines(a, b):
        pairs = zip(a.tolist(), b.tolist())
        return [QgsGeometry.fromPolylineXY([QgsPointXY(*one) for one in pair]) for pair in pairs]

    ids = [str(row + 1) for row in range(count)]
    riskiest = np.argsort(-top)[:shown].tolist()
    ten = [row for row in riskiest for _ in range(10)]
    made = {
        "RELEASE": layer("Point", "masked_id:integer", at(points), [(int(one),) for one in ids]),
        "KEY": layer(
            "None",
            "masked_id:integer,original_id:integer,id_field:string,original_x:double,"
            "original_y:double,crs:string",
            [None] * count,
            [(int(i), int(i), None, x, y, CRS) for i, (x, y) in zip(ids, homes.tolist())],
        ),
        "SUPPORT": layer(
            "Polygon", "original_id:integer", circles(homes), [(int(i),) for i in ids]
        ),
        "SHIFTS": layer(
            "LineString",
            "masked_id:integer,original_id:integer,shift_m:double",
            lines(homes, points),
            [(int(i), int(i), 40.0) for i in ids],
        ),
        "CANDIDATES_OF": layer(
            "Point",
            "masked_id:string,what:string,probability:double,rank:integer",
            at(homes[ten] + rng.normal(0, 40, (len(ten), 2))),
            [
                (ids[row], "candidate", top[row] / (n % 10 + 1), n % 10 + 1)
                for n, row in enumerate(ten)
            ],
        ),
    }
    main = layer(
        "Point",
        "masked_id:string,probability:double,tied:integer,effective_k:double,of_truth:double,"
        "record_probability:double",
        at(homes),
        [(i, p, 1, 5.0, p, p / 2) for i, p in zip(ids, top.tolist())],
    )
    project = QgsProject.instance()
    roles = {
        "RELEASE": (styling.MASKED, "mask"),
        "KEY": (styling.KEY, "mask"),
        "SUPPORT": (styling.SUPPORT, "mask"),
        "SHIFTS": (styling.MOVES, "mask"),
        "CANDIDATES_OF": (styling.EXPLAINING, "attack"),
    }
    for name, (role, run) in roles.items():
        project.addMapLayer(made[name])
        styling.adopt(made[name], styling.Origin(run, name, role, "people"), name, project)
    project.addMapLayer(main)
    read = {"INPUT": told(made["RELEASE"]), "KEY": told(made["KEY"])}
    origin = styling.Origin("attack", "OUTPUT", styling.GUESSED, "people", inputs=read)
    styling.adopt(main, origin, "Guesses", project)
    return {"OUTPUT": main, **made}


def main(count: int, shown: int) -> int:
    """Measure and print; return 1 where a promise is broken."""
    application = QgsApplication([], True)
    application.initQgis()
    from qgis.gui import QgsMapCanvas

    from geoanon_qgis.desktop.dock import InspectorDock
    from geoanon_qgis.desktop.picking import row_at

    there = layers(count, shown)
    application.processEvents()
    canvas = QgsMapCanvas()
    canvas.setDestinationCrs(there["OUTPUT"].crs())
    canvas.resize(900, 700)
    docks = []
    opening = [
        seconds(lambda: docks.append(InspectorDock(canvas, QgsProject.instance())))
        for _ in range(3)
    ]
    dock = docks[-1]
    rows = np.random.default_rng(2).integers(0, count, 40).tolist() + list(range(20))
    # A dock that is not on the screen draws nothing: drawing is measured with it.
    dock.show()
    canvas.show()
    looking = []
    for row in rows:

        def click(row=row):
            dock.show_record(row)
            canvas.grab()

        looking.append(seconds(click))
    crs = there["OUTPUT"].crs()
    picking = []
    for feature_id in range(1, 21):
        point = there["RELEASE"].getFeature(feature_id).geometry().asPoint()
        picking.append(seconds(lambda point=point: row_at(dock._inspection, point, 50.0, crs)))
    marking = [seconds(dock.toggle) for _ in range(6)]
    print(f"{count:,} records, {shown:,} of them with ten addresses each")
    kept = True
    for what, times, promised in (
        ("opens", opening, 2.0),
        ("shows a record", looking, 0.2),
        ("finds a click", picking, 0.2),
        ("marks a record", marking, 0.2),
    ):
        kept &= max(times) <= promised
        print(
            f"{what:16} median {statistics.median(times):6.3f} s, longest {max(times):6.3f} s, "
            f"promised {promised:g} s"
        )
    print("kept" if kept else "NOT KEPT")
    return 0 if kept else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--shown", type=int, default=1_000)
    asked = parser.parse_args()
    sys.exit(main(asked.records, asked.shown))
