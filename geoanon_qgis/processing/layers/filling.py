# SPDX-License-Identifier: GPL-2.0-or-later
"""How one layer is written: to a draft, the quick way where there is one, or straight."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any, Callable

import numpy as np
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeatureSink,
    QgsFields,
    QgsProcessingException,
    QgsProcessingOutputLayerDefinition,
    QgsVectorLayer,
    QgsWkbTypes,
)

from ...compat import FIELD_TYPES
from ...core.columns import Column
from ...core.runtime.errors import GeoAnonError
from ...core.runtime.progress import Progress
from ..i18n import number_of, tr
from . import csv_places, destinations, formats, geopackage, sinks
from .batches import Batches
from .destinations import Destination
from .shapes import Shapes
from .staging import Staging, cannot_write

Columns = Sequence[Sequence[Any]]

_WHOLE = (FIELD_TYPES["int"], FIELD_TYPES["long"])


@dataclass(frozen=True)
class Job:
    """One layer to be written; ``batches`` makes its features anew each time it is called."""

    name: str
    target: Destination
    wkb_type: Any
    fields: QgsFields
    crs: QgsCoordinateReferenceSystem
    progress: Progress
    batches: Callable[[], Batches]


class Layers:
    """Writes the layers of one run; each method returns what the layer is called in the end."""

    def __init__(self, algorithm, parameters: dict[str, Any], context, staging: Staging):
        self._algorithm = algorithm
        self._parameters = parameters
        self._context = context
        self._staging = staging
        self._new_databases: list[Path] = []

    def fill_geopackage(self, job: Job, columns: Columns, shapes: Shapes | None) -> str | None:
        """Have QGIS make an empty GeoPackage and fill it quickly; None if that does not serve."""
        plain = geopackage.plain_columns(job.fields, columns)
        if plain is None:
            return None
        path = self._stage(job)
        empty = replace(job, progress=lambda fraction: job.progress(0.0))
        result = self._write_staged(empty, path, iter(()))
        try:
            geopackage.fill(path, job.fields, plain, shapes, job.progress)
        except geopackage.Unsuitable:
            self._staging.drop(path)
            return None
        except OSError as error:
            raise cannot_write(job.target.path, error) from error
        return result

    def write_file(self, job: Job) -> str:
        """Write to a file of its own, which is published with everything else."""
        return self._write_staged(job, self._stage(job), job.batches())

    def _stage(self, job: Job) -> Path:
        """Return where to write a layer that gets a file of its own."""
        target = job.target
        is_table = job.wkb_type == QgsWkbTypes.Type.NoGeometry
        message = destinations.cannot_hold(self._described(job.name), target, not is_table)
        if message:  # what it has was not known before
            raise GeoAnonError(message)
        if formats.of(target.path).degrees and not is_table and not job.crs.isValid():
            raise GeoAnonError(
                tr(
                    "“{output}” has no coordinate reference system, and a file that ends with "
                    "“{ending}” holds degrees only: other numbers would become other places. "
                    "Choose .gpkg, or give the layer its system."
                ).format(output=self._described(job.name), ending=target.path.suffix)
            )
        return self._staging.path_for(target.path, formats.of(target.path).ending)

    def _write_staged(self, job: Job, path: Path, batches: Batches) -> str:
        kind = formats.of(job.target.path)
        wishes = self._definition(job).createOptions

        def opened() -> QgsFeatureSink:
            writer = sinks.open_file(
                path, kind, job.fields, job.wkb_type, job.crs, self._context, wishes
            )
            if writer.hasError():
                raise self._failed(job, writer.errorMessage(), path)
            return writer

        nowhere: list[int] = []
        to_look = job.wkb_type != QgsWkbTypes.Type.NoGeometry and (
            kind.places_only or kind.blank_places
        )

        def looked_at() -> Batches:
            row = count()
            for done, batch in batches:
                nowhere.extend(at for one, at in zip(batch, row) if one.geometry().isEmpty())
                yield done, batch

        try:
            with sinks.not_waiting_for_the_disk():
                rows = self._write_sink(job, opened, looked_at() if to_look else batches, path)
        except GeoAnonError:  # of later GDAL, in words of its own
            if kind.places_only:
                self._refuse_nowhere(job, len(nowhere))
            raise
        if kind.places_only:
            self._refuse_nowhere(job, len(nowhere))
        elif nowhere and QgsWkbTypes.flatType(job.wkb_type) == QgsWkbTypes.Type.Point:
            csv_places.blank(path, nowhere)
        # A table without geometry becomes a .dbf, whatever its name was to be.
        made = path if path.exists() else path.with_suffix(".dbf")
        if not made.exists():
            raise self._failed(job, "", path)
        if rows == 0 and kind.without_rows is None:
            raise GeoAnonError(
                tr(
                    "“{output}” has no rows, and a file that ends with “{ending}” cannot be opened "
                    "without any. Choose .gpkg, .csv or .xlsx."
                ).format(output=self._described(job.name), ending=job.target.path.suffix)
            )
        if rows == 0 and kind.without_rows:
            made.write_text(kind.without_rows, encoding="utf-8")
        layer = f"|layername={wishes['layerName']}" if wishes.get("layerName") else ""
        return str(self._staging.final_of(made)) + layer

    def _refuse_nowhere(self, job: Job, nowhere: int) -> None:
        if nowhere:
            raise GeoAnonError(
                tr(
                    "“{output}” has {rows} without a place, which a file that ends with “{ending}” "
                    "would leave out or put somewhere else. Choose .gpkg, .geojson or .csv."
                ).format(
                    output=self._described(job.name),
                    rows=number_of(nowhere, "row", "rows"),
                    ending=job.target.path.suffix,
                )
            )

    def refuse_changes(
        self, name: str, target: Destination, fields: QgsFields, columns: Columns
    ) -> None:
        """Refuse values that the file, or any layer, would not hold as they are.

        Raises
        ------
        GeoAnonError
            Naming the field.
        """
        for field, column in zip(fields, columns):
            if field.type() in _WHOLE and _beyond_64_bits(column):
                raise GeoAnonError(
                    tr(
                        "“{output}”: the field {field} has whole numbers beyond 64 bits, which no "
                        "layer holds. Make them smaller, or text."
                    ).format(output=self._described(name), field=field.name())
                )
        kind = formats.of(target.path) if target.kind == "file" else None
        changed = kind.would_change(fields, columns, target.path.suffix) if kind else None
        if changed:
            raise GeoAnonError(
                tr("“{output}” cannot go into {file}: {changed}. Choose .gpkg.").format(
                    output=self._described(name), file=target.path.name, changed=changed
                )
            )

    def write_through(self, job: Job) -> str:
        """Write to a memory layer, or a table in a database; return QGIS's name for the layer."""
        made = []
        place = job.target.path
        if place is not None and not os.path.lexists(place):
            self._new_databases.append(place)

        def opened() -> QgsFeatureSink | None:
            try:
                sink, destination = self._algorithm.parameterAsSink(
                    {**self._parameters, job.name: self._definition(job)},
                    job.name,
                    self._context,
                    job.fields,
                    job.wkb_type,
                    job.crs,
                )
            except QgsProcessingException as error:
                raise self._failed(job, str(error)) from error
            made.append(destination)
            return sink

        def whole(rows: int) -> bool:
            layer = QgsVectorLayer(made[0], job.name, "ogr")
            return layer.isValid() and layer.featureCount() == rows

        self._write_sink(job, opened, job.batches(), None, whole)
        return made[0]

    def take_back(self) -> None:
        """Remove databases that were not there before, with what was written into them."""
        for path in self._new_databases:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                with suppress(OSError):  # it has not been made, or is still open
                    path.unlink()

    def _write_sink(
        self,
        job: Job,
        opened: Callable[[], QgsFeatureSink | None],
        batches: Batches,
        staged: Path | None = None,
        whole: Callable[[int], bool] = lambda rows: False,
    ) -> int:
        """Open a sink, write the batches, close it, count; ``staged`` is its file.

        ``whole`` tells whether so many rows are where they were to go.
        """
        written = 0
        job.progress(0.0)
        # The list holds the only reference, so that emptying it closes the file: not even the
        # frames of an exception on its way keep the sink.
        holder = [opened()]
        if holder[0] is None:
            raise self._failed(job, "", staged)
        try:
            for fraction, batch in batches:
                job.progress(fraction)
                if not holder[0].addFeatures(batch, QgsFeatureSink.Flag.FastInsert):
                    raise self._failed(job, holder[0].lastError(), staged)
                written += len(batch)
            if not holder[0].flushBuffer():
                raise self._failed(job, holder[0].lastError(), staged)
        except BaseException:
            if staged:
                self._staging.later(holder.clear)
            raise
        if staged:
            # A spatial index is built while the file is closed: seconds for a million points.
            error = self._staging.wait_for(lambda: sinks.close(holder), lambda: job.progress(1.0))
        else:
            error = sinks.close(holder)
            # QGIS makes a spatial index of every new table, which those without places refuse
            if error and job.wkb_type == QgsWkbTypes.Type.NoGeometry and whole(written):
                return written
        if error:
            raise self._failed(job, error, staged)
        return written

    def _definition(self, job: Job) -> QgsProcessingOutputLayerDefinition:
        value = self._parameters.get(job.name)
        if isinstance(value, QgsProcessingOutputLayerDefinition):
            return value
        return QgsProcessingOutputLayerDefinition(job.target.text)

    def _failed(self, job: Job, reason: str, staged: Path | None = None) -> GeoAnonError:
        try:
            self._staging.check_room()
        except GeoAnonError as full:
            return full
        target = job.target
        if staged is not None:  # nobody has asked for the draft
            reason = reason.replace(str(staged), target.text)
            reason = reason.replace(str(staged.parent), str(target.path.parent))
            if staged.parent.parent.name in reason:
                reason = ""
        return GeoAnonError(
            tr(
                "“{output}” could not be written to {place} ({reason}). Check that the disk is not "
                "full and that the place can be written to, or choose another one."
            ).format(
                output=self._described(job.name),
                place=target.text,
                reason=reason or tr("QGIS gives no reason"),
            )
        )

    def _described(self, name: str) -> str:
        return self._algorithm.parameterDefinition(name).description()


def _beyond_64_bits(column: Sequence[Any]) -> bool:
    if isinstance(column, Column):
        return False
    if isinstance(column, np.ndarray):
        return column.dtype.kind == "u" and bool((column >= 2**63).any())
    return any(isinstance(value, int) and not -(2**63) <= value < 2**63 for value in column)
