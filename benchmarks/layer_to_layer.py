# SPDX-License-Identifier: GPL-2.0-or-later
"""Masking from layer to layer against QGIS's own Translate, in one run.

    python benchmarks/layer_to_layer.py [--points 1000000] [--repeats 3] [--to gpkg csv …]
        [--fields 0 1 3]

Both algorithms read the same GeoPackage and write one with a spatial index, a CSV, GeoJSON or a
temporary layer. Two layers are tried: rows in random order, and rows along streets, as a register
has them. There Translate gains, since a spatial index is built faster from neighbours, which a
release must not keep together. What is printed are seconds of work of the process, in which other
processes hardly count, and ratios of the least.

Translate writes a CSV without the coordinates, which a release needs. What they cost is what QGIS's
own copy takes longer with them than without; the ratio that must keep the budget has it added.

The floor is what a bare loop of Python takes that makes the same features, with the plainest calls,
and gives them to the same kind of sink, its rows at hand: nothing is read, screened or masked. Of
three fields one is released, or all; without fields the layer has none, and Translate less to do.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # no window is needed
ROOT = Path(__file__).resolve().parent.parent
BUDGET = 1.6


FIELDS = ("age", "street", "income")


def make_layer(path: Path, count: int, ordered: bool, bare: bool = False) -> None:
    """Write ``count`` points with a text, a whole number and a decimal number each, or ``bare``."""
    from osgeo import gdal, ogr, osr

    gdal.UseExceptions()
    rng = np.random.default_rng(1854)
    xy = rng.uniform(0.0, 100_000.0, (count, 2)) + [100_000.0, 400_000.0]
    if ordered:  # along a curve that keeps neighbours together
        cells = np.floor((xy - xy.min(axis=0)) / 200.0).astype(np.int64)
        snake = np.where(cells[:, 1] % 2 == 0, cells[:, 0], -cells[:, 0])
        xy = xy[np.lexsort((snake, cells[:, 1]))]
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(28992)
    dataset = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    layer = dataset.CreateLayer("people", reference, ogr.wkbPoint)
    kinds = {"street": ogr.OFTString, "age": ogr.OFTInteger, "income": ogr.OFTReal}
    for name, kind in kinds.items() if not bare else ():
        layer.CreateField(ogr.FieldDefn(name, kind))
    dataset.StartTransaction()
    definition = layer.GetLayerDefn()
    for row, (x, y) in enumerate(xy.tolist()):
        feature = ogr.Feature(definition)
        if not bare:
            feature.SetField(0, f"Street {row // 40}")
            feature.SetField(1, row % 97)
            feature.SetField(2, 0.5 * (row % 9_973))
        point = ogr.Geometry(ogr.wkbPoint)
        point.SetPoint_2D(0, x, y)
        feature.SetGeometryDirectly(point)
        layer.CreateFeature(feature)
    dataset.CommitTransaction()


def seconds(algorithm: str, parameters: dict, output: Path) -> float:
    """Run an algorithm and return how long it worked."""
    from qgis import processing

    output.unlink(missing_ok=True)
    place = "TEMPORARY_OUTPUT" if output.suffix == ".memory" else str(output)
    start = time.process_time()
    processing.run(algorithm, {**parameters, "OUTPUT": place})
    return time.process_time() - start


def bare_loop(rows: list, fields, crs, output: Path) -> float:
    """Write rows at hand with the plainest calls and return how long that worked."""
    from qgis.core import (
        QgsFeature,
        QgsFeatureSink,
        QgsGeometry,
        QgsProcessingContext,
        QgsProcessingUtils,
        QgsWkbTypes,
    )

    from geoanon_qgis.processing.layers import formats, sinks

    output.unlink(missing_ok=True)
    context, kind = QgsProcessingContext(), QgsWkbTypes.Type.Point
    start = time.process_time()
    if output.suffix == ".memory":
        sink, _ = QgsProcessingUtils.createFeatureSink("memory:", context, fields, kind, crs)
    else:
        form = formats.of(output)
        sink = sinks.open_file(output, form, fields, kind, crs, context, {})
    feature, geometry = QgsFeature(), QgsGeometry()
    for number, (wkb, values) in enumerate(rows, start=1):
        geometry.fromWkb(wkb)
        feature.setGeometry(geometry)
        feature.setAttributes([number, *values])
        sink.addFeature(feature, QgsFeatureSink.Flag.FastInsert)
    del sink  # which closes the file
    return time.process_time() - start


def rows_of(path: Path, names: list[str]):
    """Return WKB and values of all points, in random order, with the fields of a release."""
    from qgis.core import QgsFields, QgsVectorLayer

    from geoanon_qgis.compat import make_field

    layer = QgsVectorLayer(str(path))
    fields = QgsFields()
    fields.append(make_field("release_id", "long"))
    for name in names:
        fields.append(layer.fields().field(name))
    rows = [
        (feature.geometry().asWkb().data(), [feature[name] for name in names])
        for feature in layer.getFeatures()
    ]
    random.Random(1854).shuffle(rows)
    return rows, fields, layer.crs()


NATIVE, OURS = "native:translategeometry", "geoanon:voronoimask"
LOOP = "a bare loop"
BARE, PLACED = "a copy without coordinates", "a copy with them"


def compare(layer: Path, repeats: int, output: Path, names: list[str]) -> float:
    """Print the times of all runs, taken in turns, and return the ratio to Translate."""
    read = {"INPUT": str(layer)}
    translate = (NATIVE, {**read, "DELTA_X": 1.0, "DELTA_Y": 1.0})
    rows = rows_of(layer, names)
    runs = {
        NATIVE: lambda: seconds(*translate, output),
        OURS: lambda: seconds(OURS, {**read, "FIELDS": names}, output),
        LOOP: lambda: bare_loop(*rows, output),
    }
    if output.suffix == ".csv":
        copy, options = "native:savefeatures", {"LAYER_OPTIONS": "GEOMETRY=AS_XY"}
        runs[BARE] = lambda: seconds(copy, read, output)
        runs[PLACED] = lambda: seconds(copy, {**read, **options}, output)
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(repeats):
        for name, run in runs.items():
            times[name].append(run())
    for name, values in times.items():
        print(f"  {name:26} " + "  ".join(f"{value:6.2f} s" for value in values))
    least = {name: min(values) for name, values in times.items()}
    native = least[NATIVE]
    if PLACED in least:
        print(f"  ratio {least[OURS] / native:.2f} to one that writes no coordinates")
        native += max(0.0, least[PLACED] - least[BARE])
    print(f"  floor {least[LOOP] / native:.2f}: of the bare loop")
    return least[OURS] / native


def main() -> int:
    """Run the benchmark; the exit status tells whether the budget was kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--fields", type=int, nargs="+", default=[1], choices=range(4))
    parser.add_argument("--to", nargs="+", default=["gpkg", "csv", "geojson", "memory"])
    options = parser.parse_args()

    sys.path.insert(0, str(ROOT))
    from qgis.core import QgsApplication

    application = QgsApplication([], False)
    application.initQgis()
    sys.path.append(str(Path(QgsApplication.pkgDataPath(), "python", "plugins")))
    from processing.core.Processing import Processing

    from geoanon_qgis.plugin import GeoAnonPlugin

    Processing.initialize()
    plugin = GeoAnonPlugin()
    plugin.initProcessing()

    worst = 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for ordered, fields in itertools.product((False, True), options.fields):
            layer = folder / f"people_{ordered}_{fields}.gpkg"
            make_layer(layer, options.points, ordered, bare=not fields)
            order = "along streets" if ordered else "in random order"
            for ending in options.to:
                print(f"{options.points:,} points, rows {order}, {fields} fields, to {ending}")
                output = folder / f"out.{ending}"
                ratio = compare(layer, options.repeats, output, [*FIELDS[:fields]])
                worst = max(worst, ratio)
                print(f"  ratio {ratio:.2f} (budget {BUDGET})", flush=True)
    plugin.unload()
    return int(worst > BUDGET)


if __name__ == "__main__":
    sys.exit(main())
