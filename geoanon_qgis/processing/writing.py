# SPDX-License-Identifier: GPL-2.0-or-later
"""Arrays become layers and files here, once, and all of them or none.

What goes to a file of its own is first written into a temporary folder beside it and moved to
its place in :meth:`Outputs.publish`, when everything has succeeded. A run that fails or is
cancelled leaves the user's files as they were. Memory layers and database tables go straight
through QGIS's sink.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Sequence

import numpy as np
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsFeatureSink,
    QgsField,
    QgsGeometry,
    QgsLineString,
    QgsPoint,
    QgsProcessingOutputLayerDefinition,
    QgsProperty,
    QgsWkbTypes,
)

from ..compat import make_fields
from ..core.errors import GeoAnonError
from ..core.progress import Progress, silent
from ..report import Report, write_html, write_json
from . import destinations, styling
from .i18n import tr
from .wording import report_wording

#: Seconds between two questions whether to go on.
_ASK_S = 0.1
_ROWS = 512
#: Files that would belong to a layer that has been replaced.
_STALE = ("-wal", "-shm", "-journal")


@dataclass
class _Staged:
    """An output that waits in a temporary folder for its turn."""

    destination: destinations.Destination
    folder: Path
    moved: list[tuple[Path, Path | None]] = field(default_factory=list)

    @property
    def draft(self) -> Path:
        """Where it is written until it is published."""
        return self.folder / self.destination.path.name


class Outputs:
    """The outputs of one run.

    Parameters
    ----------
    algorithm, parameters, context, feedback
        Of the run.
    """

    def __init__(self, algorithm, parameters: dict[str, Any], context, feedback):
        self._algorithm = algorithm
        self._parameters = parameters
        self._context = context
        self._feedback = feedback
        self._staged: list[_Staged] = []
        self._results: dict[str, str] = {}
        self._roles: dict[str, str] = {}

    # --- what algorithms call ------------------------------------------------------------------

    def wanted(self, name: str) -> bool:
        """Tell whether the user asked for the output ``name``."""
        return self._resolve(name) is not None

    def add_points(
        self, name: str, xy: np.ndarray, fields: Sequence[QgsField], columns: Sequence[Sequence],
        crs: QgsCoordinateReferenceSystem, progress: Progress = silent, role: str = "",
    ) -> None:  # fmt: skip
        """Write a layer of points: coordinates (n, 2) and one column of n values a field."""
        if self.wanted(name):
            shapes = (QgsGeometry(QgsPoint(x, y)) for x, y in zip(*xy.T.tolist()))
            kind = QgsWkbTypes.Type.Point
            self._write(name, kind, shapes, fields, columns, len(xy), crs, progress, role)

    def add_lines(
        self, name: str, start: np.ndarray, end: np.ndarray, fields: Sequence[QgsField],
        columns: Sequence[Sequence], crs: QgsCoordinateReferenceSystem,
        progress: Progress = silent, role: str = "",
    ) -> None:  # fmt: skip
        """Write a layer of straight lines from ``start`` to ``end``, both (n, 2)."""
        if self.wanted(name):
            ends = _the_short_way_round(start, end, crs)
            rows = zip(*start.T.tolist(), *ends.T.tolist())
            shapes = (QgsGeometry(QgsLineString([a, c], [b, d])) for a, b, c, d in rows)
            kind = QgsWkbTypes.Type.LineString
            self._write(name, kind, shapes, fields, columns, len(start), crs, progress, role)

    def add_polygons(
        self, name: str, wkb: Sequence[bytes], fields: Sequence[QgsField],
        columns: Sequence[Sequence], crs: QgsCoordinateReferenceSystem,
        progress: Progress = silent, role: str = "",
    ) -> None:  # fmt: skip
        """Write a layer of polygons given as well-known binary."""
        if self.wanted(name):
            kind = QgsWkbTypes.Type.MultiPolygon
            shapes = (_multi(one) for one in wkb)
            self._write(name, kind, shapes, fields, columns, len(wkb), crs, progress, role)

    def add_table(
        self, name: str, fields: Sequence[QgsField], columns: Sequence[Sequence],
        progress: Progress = silent, role: str = "",
    ) -> None:  # fmt: skip
        """Write a table without geometry."""
        if self.wanted(name):
            kind, crs = QgsWkbTypes.Type.NoGeometry, QgsCoordinateReferenceSystem()
            count = len(columns[0])
            self._write(name, kind, None, fields, columns, count, crs, progress, role)

    def add_report(self, make: Callable[[], Report], html: str = "REPORT", json: str = "JSON"):
        """Make a report, if it is wanted in either form, and write it."""
        if self.wanted(html) or self.wanted(json):
            report = make()
            for name, write in ((html, write_html), (json, write_json)):
                if self.wanted(name):
                    write(report, self._file_path(name), report_wording())

    # --- what the base class calls ---------------------------------------------------------------

    def publish(self) -> dict[str, str]:
        """Move everything to its place and return the destinations by output name.

        Raises
        ------
        GeoAnonError
            If a file cannot be replaced; then all are as they were before.
        """
        try:
            for staged in self._staged:
                self._move(staged)
        except OSError as error:
            self._move_back()
            raise GeoAnonError(_cannot_write(staged.destination.path, error)) from error
        for staged in self._staged:
            self._results[staged.destination.name] = str(staged.destination.path)
            self._rename_layer_to_load(str(staged.draft), str(staged.destination.path))
            shutil.rmtree(staged.folder, ignore_errors=True)
        self._staged = []
        for name, role in self._roles.items():
            styling.on_load(self._context, self._results[name], role)
        return dict(self._results)

    def discard(self) -> None:
        """Remove what has not been published."""
        for staged in self._staged:
            shutil.rmtree(staged.folder, ignore_errors=True)
        self._staged = []

    # --- layers -----------------------------------------------------------------------------------

    def _write(self, name, kind, shapes, fields, columns, count, crs, progress, role) -> None:
        sink = self._open(name, make_fields(*fields), kind, crs)
        columns = [c.tolist() if isinstance(c, np.ndarray) else c for c in columns]
        for feature in _asking(_features(make_fields(*fields), shapes, columns), count, progress):
            if not sink.addFeature(feature, QgsFeatureSink.Flag.FastInsert):
                raise GeoAnonError(
                    tr(
                        "A record could not be written to “{output}”: {reason}. Check that there "
                        "is room and that the format can hold the data, then run again."
                    ).format(
                        output=self._algorithm.parameterDefinition(name).description(),
                        reason=getattr(sink, "lastError", str)() or tr("no reason given"),
                    )
                )
        sink.finalize() if hasattr(sink, "finalize") else sink.flushBuffer()
        if role:
            self._roles[name] = role

    def _open(self, name, fields, kind, crs):
        target = self._resolve(name)
        parameters = self._parameters
        if target.kind == "file":
            staged = self._stage(target)
            parameters = {**parameters, name: _elsewhere(parameters.get(name), str(staged.draft))}
        sink, destination = self._algorithm.parameterAsSink(
            parameters, name, self._context, fields, kind, crs
        )
        if sink is None:
            raise GeoAnonError(self._algorithm.invalidSinkError(self._parameters, name))
        if target.kind != "file":
            self._results[name] = destination
        return sink

    def _rename_layer_to_load(self, draft: str, final: str) -> None:
        """QGIS loads outputs by their destination: tell it the final one."""
        waiting = self._context.layersToLoadOnCompletion()
        if draft in waiting:
            waiting[final] = waiting.pop(draft)
            self._context.setLayersToLoadOnCompletion(waiting)

    # --- files ------------------------------------------------------------------------------------

    def _resolve(self, name: str) -> destinations.Destination | None:
        return destinations.resolve(self._algorithm, self._parameters, name, self._context)

    def _file_path(self, name: str) -> str:
        target = self._resolve(name)
        if target.kind == "file":
            return str(self._stage(target).draft)
        path = self._algorithm.parameterAsFileOutput(self._parameters, name, self._context)
        self._results[name] = path
        return path

    def _stage(self, target: destinations.Destination) -> _Staged:
        try:
            target.path.parent.mkdir(parents=True, exist_ok=True)
            if target.path.exists() and not os.access(target.path, os.W_OK):
                raise PermissionError(tr("the file is read-only"))
            folder = tempfile.mkdtemp(prefix=".geoanon-", dir=target.path.parent)
        except OSError as error:
            raise GeoAnonError(_cannot_write(target.path, error)) from error
        staged = _Staged(target, Path(folder))
        self._staged.append(staged)
        return staged

    def _move(self, staged: _Staged) -> None:
        """Put a draft and its side files in their place, keeping what was there."""
        place = staged.destination.path.parent
        aside = staged.folder / "replaced"
        aside.mkdir()
        final = staged.destination.path
        new = [path for path in staged.folder.iterdir() if path != aside]
        old = [Path(str(final) + ending) for ending in _STALE] + [place / p.name for p in new]
        for path in old:
            if path.exists():
                os.replace(path, aside / path.name)
                staged.moved.append((path, aside / path.name))
        for path in new:
            os.replace(path, place / path.name)
            staged.moved.append((place / path.name, None))

    def _move_back(self) -> None:
        for staged in reversed(self._staged):
            for path, kept in reversed(staged.moved):
                if kept is None:
                    path.unlink()
                else:
                    os.replace(kept, path)


def _features(fields, shapes: Iterable | None, columns: list[Sequence]) -> Iterator[QgsFeature]:
    """One feature after the other; the same object each time, since sinks keep no reference."""
    feature = QgsFeature(fields)
    if shapes is None:
        for values in zip(*columns):
            feature.setAttributes(list(values))
            yield feature
        return
    for shape, *values in zip(shapes, *columns):
        feature.setGeometry(shape)
        feature.setAttributes(values)
        yield feature


def _asking(features: Iterable, count: int, progress: Progress) -> Iterator:
    """Pass features on, and ask every now and then whether to go on."""
    progress(0.0)
    asked = time.monotonic()
    for number, feature in enumerate(features):
        if number % _ROWS == 0 and time.monotonic() - asked > _ASK_S:
            asked = time.monotonic()
            progress(number / count)
        yield feature
    progress(1.0)


def _multi(wkb: bytes) -> QgsGeometry:
    geometry = QgsGeometry()
    geometry.fromWkb(wkb)
    geometry.convertToMultiType()
    return geometry


def _the_short_way_round(
    start: np.ndarray, end: np.ndarray, crs: QgsCoordinateReferenceSystem
) -> np.ndarray:
    """Ends of lines in degrees that do not run round the globe at the antimeridian."""
    if not crs.isGeographic():
        return end
    ends = end.copy()
    ends[:, 0] -= 360.0 * np.rint((end[:, 0] - start[:, 0]) / 360.0)
    return ends


def _elsewhere(value: Any, path: str) -> Any:
    """The same output definition, with another file."""
    if isinstance(value, QgsProcessingOutputLayerDefinition):
        other = QgsProcessingOutputLayerDefinition(value)
        other.sink = QgsProperty.fromValue(path)
        return other
    return path


def _cannot_write(path: Path, error: OSError) -> str:
    return tr(
        "{path} cannot be written: {reason}. Choose a folder in which you may write, close the "
        "file if another program has it open, and run again; the files that were there are as "
        "they were."
    ).format(path=path, reason=error.strerror or str(error))
