# SPDX-License-Identifier: GPL-2.0-or-later
"""Arrays become layers and files here: all outputs of a run, or none.

Layers and files with a place of their own are staged (see :mod:`.staging`) and published when
the run has succeeded. Memory layers are made at once, tables in existing databases last of all;
they cannot be staged. A cancelled or failed run leaves every existing file as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Callable, Union

import numpy as np
from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsFeatureSink,
    QgsField,
    QgsFields,
    QgsGeometry,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingOutputLayerDefinition,
    QgsProcessingUtils,
    QgsWkbTypes,
)

from ..compat import make_fields
from ..core.errors import Cancelled, GeoAnonError
from ..core.progress import Progress
from ..report import Report, write_html, write_json
from . import destinations, geopackage, styling
from .i18n import tr
from .shapes import Shapes, as_bytes
from .staging import Staging, cannot_write
from .wording import report_wording

#: Features given to a sink in one call: some ten milliseconds of writing.
_BATCH = 1_000
#: GDAL's option for how carefully SQLite writes.
_SYNCHRONOUS = "OGR_SQLITE_SYNCHRONOUS"

Columns = Sequence[Sequence[Any]]
Fields = Union[QgsFields, Sequence[QgsField]]
#: Pairs of the fraction done before and the features to write.
Batches = Iterator[tuple[float, list[QgsFeature]]]


@dataclass(frozen=True)
class _Job:
    """One layer to be written; ``batches`` makes its features anew each time it is called."""

    name: str
    wkb_type: Any
    fields: QgsFields
    crs: QgsCoordinateReferenceSystem
    progress: Progress
    batches: Callable[[], Batches]


class Outputs:
    """What one run writes; made by the base class and handed to ``execute``.

    The ``add_`` methods do nothing for an optional output that nobody asked for. Columns stand
    in the order of the fields, one value a row: lists, or arrays whose NaN become NULL.
    """

    def __init__(self, algorithm, parameters: dict[str, Any], context, feedback):
        self._algorithm = algorithm
        self._parameters = parameters
        self._context = context
        self._feedback = feedback
        self._staging = Staging(feedback.pushInfo, feedback.pushWarning)
        self._targets: dict[str, destinations.Destination | None] = {}
        self._results: dict[str, str] = {}
        self._roles: dict[str, str] = {}
        self._last: list[Callable[[], None]] = []  # writes into databases
        self._temporary: list[str] = []  # ids of memory layers
        self._published = False
        self._finishing = False

    # --- layers ------------------------------------------------------------------------------

    def wanted(self, name: str) -> bool:
        """Tell whether somebody asked for the output ``name``."""
        return self._target(name) is not None

    def add_points(
        self,
        name: str,
        xy: np.ndarray,
        fields: Fields,
        columns: Columns,
        crs: QgsCoordinateReferenceSystem,
        progress: Progress | None = None,
        role: str | None = None,
    ) -> None:
        """Write a point layer.

        Parameters
        ----------
        name : str
            The output parameter's name.
        xy : ndarray of float64, shape (n, 2)
            Coordinates in ``crs``; a row that is not finite becomes a feature without geometry.
        fields : QgsFields or sequence of QgsField
        columns : sequence of list or ndarray
            One for each field, of length n.
        crs : QgsCoordinateReferenceSystem
        progress : callable, optional
            Told a fraction; may raise to cancel. Without it only cancelling is looked after.
        role : str, optional
            How the layer looks when it is loaded: a role of :mod:`.styling`.

        Raises
        ------
        GeoAnonError
            If the layer cannot be written.
        """
        self._add(name, Shapes.points(xy), fields, columns, crs, progress, role)

    def add_lines(
        self,
        name: str,
        start_xy: np.ndarray,
        end_xy: np.ndarray,
        fields: Fields,
        columns: Columns,
        crs: QgsCoordinateReferenceSystem,
        progress: Progress | None = None,
        role: str | None = None,
    ) -> None:
        """Write straight lines from ``start_xy`` to ``end_xy``; else as :meth:`add_points`."""
        if self._target(name) is not None:
            shapes = Shapes.lines(start_xy, end_xy, 360.0 if crs.isGeographic() else 0.0)
            self._add(name, shapes, fields, columns, crs, progress, role)

    def add_table(
        self,
        name: str,
        fields: Fields,
        columns: Columns,
        progress: Progress | None = None,
        role: str | None = None,
    ) -> None:
        """Write a table without geometry; else as :meth:`add_points`."""
        self._add(name, None, fields, columns, QgsCoordinateReferenceSystem(), progress, role)

    def add_features(
        self,
        name: str,
        wkb_type: Any,
        fields: Fields,
        features: Iterable[tuple[QgsGeometry | bytes | None, Sequence[Any]]],
        crs: QgsCoordinateReferenceSystem,
        progress: Progress | None = None,
        role: str | None = None,
        count: int = 0,
    ) -> None:
        """Write pairs of geometry (or WKB, or None) and attributes, one after the other.

        ``count`` is how many there will be, for the progress; else as :meth:`add_points`.
        """
        if self._target(name) is not None:
            job = _Job(
                name, wkb_type, _as_fields(fields), crs, progress or self._ask,
                lambda: _pair_batches(iter(features), count),
            )  # fmt: skip
            self._write(job, role)

    # --- files -------------------------------------------------------------------------------

    def add_report(
        self, make_report: Callable[[], Report], html: str = "REPORT", json: str = "JSON"
    ) -> None:
        """Write a report to the outputs ``html`` and ``json``; made only if one is wanted."""
        if not (self.wanted(html) or self.wanted(json)):
            return
        report = make_report()
        for name, write in ((html, write_html), (json, write_json)):
            path = self.file_path(name)
            if path is not None:
                with self.filling(name):
                    write(report, path, report_wording())

    def file_path(self, name: str) -> Path | None:
        """Return where to write the file ``name`` now; it is published with everything else.

        None when the output is optional and nobody asked for it.
        """
        target = self._target(name)
        if target is None:
            return None
        final = target.path
        if final is None:  # a temporary file: nobody can have one there yet
            final = Path(self._algorithm.parameterAsFileOutput(
                self._parameters, name, self._context))
        self._results[name] = str(final)
        return self._staging.path_for(final)

    @contextmanager
    def filling(self, name: str) -> Iterator[None]:
        """Fill the file ``name``; a failure names the place that was asked for, not the staged one.

        Raises
        ------
        GeoAnonError
            If the disk is full or the file cannot be written, with what to do about it.
        """
        try:
            yield
        except (OSError, GeoAnonError) as error:
            cause = error if isinstance(error, OSError) else error.__cause__
            if not isinstance(cause, OSError):
                raise
            raise cannot_write(Path(self._results[name]), cause) from error

    # --- the end of a run ----------------------------------------------------------------------

    def publish(self) -> dict[str, str]:
        """Put everything into its place and return output name -> destination."""
        self._ask()
        self._staging.check_room()
        self._staging.publish()
        try:
            for write in self._last:
                write()
        except BaseException:
            self._staging.take_back()
            raise
        for name, result in self._results.items():
            self._load_on_completion(name, result)
        self._staging.clean()
        self._published = True
        return dict(self._results)

    def discard(self) -> None:
        """Remove everything that has not been published."""
        self._staging.clean()
        if self._published:
            return
        store = self._context.temporaryLayerStore()
        waiting = self._context.layersToLoadOnCompletion()
        for layer_id in self._temporary:
            waiting.pop(layer_id, None)
            store.removeMapLayer(layer_id)
        self._context.setLayersToLoadOnCompletion(waiting)
        self._temporary = []

    def finish_in_spite_of_cancel(self) -> None:
        """Publish what there is although the user has cancelled.

        For work whose unfinished result is worth having and says that it is unfinished.
        """
        self._finishing = True

    def told_only(self, fraction: float) -> None:
        """Tell progress without asking whether to go on: goes with the method above."""
        self._feedback.setProgress(100.0 * fraction)

    # --- how it is done ------------------------------------------------------------------------

    def _target(self, name: str) -> destinations.Destination | None:
        if name not in self._targets:
            self._targets[name] = destinations.resolve(
                self._algorithm, self._parameters, name, self._context
            )
        return self._targets[name]

    def _ask(self, fraction: float = 0.0) -> None:
        if self._feedback.isCanceled() and not self._finishing:
            raise Cancelled()

    def _add(self, name, shapes, fields, columns, crs, progress, role) -> None:
        """Write points, lines or (without shapes) a table."""
        if self._target(name) is None:
            return
        count = len(columns[0]) if shapes is None else len(shapes)
        if any(len(column) != count for column in columns):
            raise ValueError(f"a column of {name} has not {count} rows")
        fields = _as_fields(fields)
        wkb_type = QgsWkbTypes.Type.NoGeometry if shapes is None else shapes.wkb_type
        job = _Job(
            name, wkb_type, fields, crs, progress or self._ask,
            lambda: _array_batches(count, columns, shapes),
        )  # fmt: skip
        target = self._target(name)
        if target.kind == "file" and target.path.suffix.lower() == ".gpkg":
            plain = geopackage.plain_columns(fields, columns)
            if plain is not None and self._fill_geopackage(job, plain, shapes):
                self._keep_role(name, role)
                return
        self._write(job, role)

    def _keep_role(self, name: str, role: str | None) -> None:
        if role is not None:
            self._roles[name] = role

    def _write(self, job: _Job, role: str | None) -> None:
        self._keep_role(job.name, role)
        target = self._target(job.name)
        if target.kind == "file":
            path = self._staging.path_for(target.path)
            self._write_staged(job, path, job.batches())
        elif target.kind == "temporary":
            self._results[job.name] = made = self._write_through(job)
            self._temporary.append(made)
            if not job.crs.isValid():  # QGIS takes a memory layer without a system for degrees
                store = self._context.temporaryLayerStore()
                store.mapLayer(made).setCrs(QgsCoordinateReferenceSystem())
        else:
            self._results[job.name] = target.text  # until it is written
            job = replace(job, progress=self._ask)  # its share of the bar has passed by then
            self._last.append(
                lambda: self._results.update({job.name: self._write_through(job)})
            )

    def _fill_geopackage(self, job: _Job, columns: Columns, shapes: Shapes | None) -> bool:
        """Have QGIS make an empty GeoPackage and fill it quickly; False if that does not serve."""
        final = self._target(job.name).path
        path = self._staging.path_for(final)
        empty = replace(job, progress=lambda fraction: job.progress(0.0))
        self._write_staged(empty, path, iter(()))
        try:
            geopackage.fill(path, job.fields, columns, shapes, job.progress)
        except geopackage.Unsuitable:
            self._staging.drop(path)
            return False
        except OSError as error:
            raise cannot_write(final, error) from error
        return True

    def _write_staged(self, job: _Job, path: Path, batches: Batches) -> None:
        if path.suffix.lower() == ".dbf":  # QGIS would make a .dbf.shp of it
            path = path.with_suffix(".shp")
        definition = QgsProcessingOutputLayerDefinition(str(path))
        definition.createOptions = self._definition(job.name).createOptions
        with _not_waiting_for_the_disk():
            written = self._write_sink(job, definition, batches, _layer_options(path, job.wkb_type))
        # A table without geometry becomes a .dbf, whatever its name was to be.
        made = path if path.exists() else path.with_suffix(".dbf")
        # QGIS may have added "|layername=…" to the path
        final = self._target(job.name).path.with_name(made.name)
        self._results[job.name] = str(final) + written[len(str(path)) :]

    def _write_through(self, job: _Job) -> str:
        return self._write_sink(job, self._definition(job.name), job.batches(), [])

    def _write_sink(
        self,
        job: _Job,
        definition: QgsProcessingOutputLayerDefinition,
        batches: Batches,
        layer_options: list[str],
    ) -> str:
        """Create the sink, write the batches, close it; return QGIS's name for the layer."""
        job.progress(0.0)
        try:
            sink, destination = self._algorithm.parameterAsSink(
                {**self._parameters, job.name: definition}, job.name, self._context,
                job.fields, job.wkb_type, job.crs, layerOptions=layer_options,
            )  # fmt: skip
        except QgsProcessingException as error:
            raise self._failed(job.name, str(error)) from error
        if sink is None:
            raise self._failed(job.name, "")
        # The list holds the only reference, so that emptying it closes the file: not even the
        # frames of an exception on its way keep the sink.
        holder = [sink]
        del sink
        staged = self._target(job.name).kind == "file"
        try:
            for fraction, batch in batches:
                job.progress(fraction)
                if not holder[0].addFeatures(batch, QgsFeatureSink.Flag.FastInsert):
                    raise self._failed(job.name, holder[0].lastError())
            if not holder[0].flushBuffer():
                raise self._failed(job.name, holder[0].lastError())
        except BaseException:
            if staged:
                self._staging.later(holder.clear)
            raise
        if staged:
            # A spatial index is built while the file is closed: seconds for a million points.
            error = self._staging.wait_for(lambda: _close(holder), lambda: job.progress(1.0))
        else:
            error = _close(holder)
        if error:
            raise self._failed(job.name, error)
        return destination

    def _definition(self, name: str) -> QgsProcessingOutputLayerDefinition:
        value = self._parameters.get(name)
        if isinstance(value, QgsProcessingOutputLayerDefinition):
            return value
        return QgsProcessingOutputLayerDefinition(self._target(name).text)

    def _failed(self, name: str, reason: str) -> GeoAnonError:
        try:
            self._staging.check_room()
        except GeoAnonError as full:
            return full
        definition = self._algorithm.parameterDefinition(name)
        return GeoAnonError(
            tr(
                "“{output}” could not be written to {place} ({reason}). Check that the disk is not "
                "full and that the place can be written to, or choose another one."
            ).format(
                output=definition.description(),
                place=self._target(name).text,
                reason=reason or tr("QGIS gives no reason"),
            )
        )

    def _load_on_completion(self, name: str, result: str) -> None:
        """Have QGIS load the layer from its final place, under its name and in its style."""
        definition = self._definition_given(name)
        if self._target(name).kind == "file" and definition and definition.destinationProject:
            self._context.addLayerToLoadOnCompletion(
                result,
                QgsProcessingContext.LayerDetails(
                    definition.destinationName
                    or self._algorithm.parameterDefinition(name).description(),
                    definition.destinationProject,
                    name,
                    QgsProcessingUtils.LayerHint.Vector,
                ),
            )
        if name in self._roles:
            title = self._algorithm.parameterDefinition(name).description()
            styling.on_load(self._context, result, self._roles[name], title)

    def _definition_given(self, name: str) -> QgsProcessingOutputLayerDefinition | None:
        value = self._parameters.get(name)
        return value if isinstance(value, QgsProcessingOutputLayerDefinition) else None


@contextmanager
def _not_waiting_for_the_disk() -> Iterator[None]:
    """Have SQLite write new files of this thread without waiting until the disk has them.

    A slow disk takes half a second for an empty GeoPackage, in which nobody could cancel; and
    nobody reads a staged file before it is whole.
    """
    if not hasattr(gdal, "GetThreadLocalConfigOption"):  # older bindings: then it is waited for
        yield
        return
    before = gdal.GetThreadLocalConfigOption(_SYNCHRONOUS)
    gdal.SetThreadLocalConfigOption(_SYNCHRONOUS, "OFF")
    try:
        yield
    finally:
        gdal.SetThreadLocalConfigOption(_SYNCHRONOUS, before)


def _close(holder: list[QgsFeatureSink]) -> str:
    """Close the only sink in ``holder``; return GDAL's complaint, '' when there is none.

    What fails while a file is closed, QGIS does not tell. GDAL keeps one error a thread.
    """
    gdal.ErrorReset()
    holder.clear()
    return gdal.GetLastErrorMsg() if gdal.GetLastErrorType() >= gdal.CE_Failure else ""


# --- arrays to features -----------------------------------------------------------------------


def _as_fields(fields: Fields) -> QgsFields:
    return fields if isinstance(fields, QgsFields) else make_fields(*fields)


def _array_batches(count: int, columns: Columns, shapes: Shapes | None) -> Batches:
    for start in range(0, count, _BATCH):
        rows = slice(start, min(start + _BATCH, count))
        places = [None] * (rows.stop - start) if shapes is None else _geometries(shapes[rows])
        if columns:
            attributes: Iterable = zip(*(_values(column[rows]) for column in columns))
        else:
            attributes = ((),) * len(places)
        yield start / count, [_feature(*pair) for pair in zip(places, attributes)]


def _pair_batches(pairs: Iterator, count: int) -> Batches:
    done = 0
    while True:
        batch = [_feature(_geometry(place), row) for place, row in islice(pairs, _BATCH)]
        if not batch:
            return
        yield min(1.0, done / max(1, count)), batch
        done += len(batch)


def _feature(geometry: QgsGeometry | None, attributes: Sequence[Any]) -> QgsFeature:
    feature = QgsFeature()
    if geometry is not None:
        feature.setGeometry(geometry)
    feature.setAttributes([*attributes])
    return feature


def _values(column: Sequence[Any]) -> Sequence[Any]:
    """Return plain Python values, with None for NaN in an array."""
    if not isinstance(column, np.ndarray):
        return column
    values = column.tolist()
    if column.dtype.kind == "f" and np.isnan(column).any():
        return [None if value != value else value for value in values]
    return values


def _geometries(shapes: Shapes) -> list[QgsGeometry | None]:
    there = shapes.there().tolist()
    return [
        _geometry(wkb) if finite else None for wkb, finite in zip(as_bytes(shapes.wkb()), there)
    ]


def _geometry(place: QgsGeometry | bytes | None) -> QgsGeometry | None:
    if not isinstance(place, bytes):
        return place
    geometry = QgsGeometry()
    geometry.fromWkb(place)
    return geometry


def _layer_options(path: Path, wkb_type: Any) -> list[str]:
    """Have a CSV hold its geometries; GDAL leaves them out unless it is told."""
    if path.suffix.lower() != ".csv" or wkb_type == QgsWkbTypes.Type.NoGeometry:
        return []
    is_point = QgsWkbTypes.flatType(wkb_type) == QgsWkbTypes.Type.Point
    return ["GEOMETRY=AS_XY" if is_point else "GEOMETRY=AS_WKT"]
