# SPDX-License-Identifier: GPL-2.0-or-later
"""Masking from layer to layer against QGIS's own Translate, in one run.

    python benchmarks/layer_to_layer.py [--points 1000000] [--repeats 3] [--to gpkg csv …]
        [--fields 0 1 3] [--mask geoanon:maskdisplace]

Both algorithms read the same GeoPackage and write one with a spatial index, a CSV, GeoJSON or a
temporary layer. Two layers are tried: rows in random order, and rows along streets, as a register
has them. There Translate gains, since a spatial index is built faster from neighbours, which a
release must not keep together. What is printed are seconds of work of the process, in which other
processes hardly count, and ratios of the least.

Translate writes a CSV without the coordinates, which a release needs. What they cost is what QGIS's
own copy takes longer with them than without; the ratio that must keep the budget has it added.

The floor is what our sink takes alone: features made of columns at hand and written, with nothing
read, screened or masked. (A GeoPackage is filled past the sink, and quicker.) Of three fields one is
released, or all; without fields the layer has none, and Translate less to do.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import time
from pathlib import Path

import _timing as timing
import numpy as np

ROOT = timing.ROOT
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


def sink_alone(columns: list, shapes, fields, crs, output: Path) -> float:
    """Make features of columns at hand, write them, and return how long that worked."""
    from qgis.core import QgsFeatureSink, QgsProcessingContext, QgsProcessingUtils

    from geoanon_qgis.processing.layers import batches, formats, sinks

    output.unlink(missing_ok=True)
    context, kind = QgsProcessingContext(), shapes.wkb_type
    start = time.process_time()
    if output.suffix == ".memory":
        sink, _ = QgsProcessingUtils.createFeatureSink("memory:", context, fields, kind, crs)
    else:
        form = formats.of(output)
        sink = sinks.open_file(output, form, fields, kind, crs, context, {})
    for _, batch in batches.array_batches(len(shapes), columns, shapes):
        sink.addFeatures(batch, QgsFeatureSink.Flag.FastInsert)
    del sink  # which closes the file
    return time.process_time() - start


def at_hand(path: Path, names: list[str]) -> tuple:
    """Return columns and points of a layer, in random order, with fields and system of a release."""
    from qgis.core import QgsVectorLayer

    from geoanon_qgis.compat import make_fields
    from geoanon_qgis.core.columns import column_of
    from geoanon_qgis.processing.layers.shapes import Shapes

    layer = QgsVectorLayer(str(path))
    features = list(layer.getFeatures())
    order = np.random.default_rng(1854).permutation(len(features))
    columns = [column_of(name, [one[name] for one in features]).taken(order) for name in names]
    points = [one.geometry().asPoint() for one in features]
    xy = np.array([(point.x(), point.y()) for point in points])[order]
    fields = make_fields(("release_id", "long"), *(layer.fields().field(name) for name in names))
    return [np.arange(1, len(xy) + 1), *columns], Shapes.points(xy), fields, layer.crs()


NATIVE, OURS = "native:translategeometry", "geoanon:voronoimask"
ALONE = "our sink alone"
BARE, PLACED = "a copy without coordinates", "a copy with them"


def compare(layer: Path, repeats: int, output: Path, names: list[str], ours: str = OURS) -> float:
    """Print the times of all runs, taken in turns, and return the ratio to Translate."""
    read = {"INPUT": str(layer)}
    translate = (NATIVE, {**read, "DELTA_X": 1.0, "DELTA_Y": 1.0})
    data = at_hand(layer, names)
    runs = {
        NATIVE: lambda: seconds(*translate, output),
        ours: lambda: seconds(ours, {**read, "FIELDS": names}, output),
        ALONE: lambda: sink_alone(*data, output),
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
        print(f"  ratio {least[ours] / native:.2f} to one that writes no coordinates")
        native += max(0.0, least[PLACED] - least[BARE])
    print(f"  floor {least[ALONE] / native:.2f}: our sink alone")
    return least[ours] / native


def main() -> int:
    """Run the benchmark; the exit status tells whether the budget was kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--fields", type=int, nargs="+", default=[1], choices=range(4))
    parser.add_argument("--mask", default=OURS)
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
                ratio = compare(layer, options.repeats, output, [*FIELDS[:fields]], options.mask)
                worst = max(worst, ratio)
                print(f"  ratio {ratio:.2f} (budget {BUDGET})", flush=True)
    plugin.unload()
    return int(worst > BUDGET)


if __name__ == "__main__":
    sys.exit(main())
