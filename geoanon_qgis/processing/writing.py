# SPDX-License-Identifier: GPL-2.0-or-later
"""Arrays become layers and files here: all outputs of a run, or none.

Layers and files with a place of their own are staged (see :mod:`.layers.staging`) and published when
the run has succeeded. Memory layers are made at once, tables in existing databases last of all;
they cannot be staged. A cancelled or failed run leaves every existing file as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, Union

import numpy as np
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsField,
    QgsFields,
    QgsGeometry,
    QgsWkbTypes,
)

from ..compat import make_fields
from ..core.runtime.errors import Cancelled, GeoAnonError
from ..core.runtime.progress import Progress, shares
from ..report import Report
from ..report.seen import unseen
from .audit import files as report_files
from .audit import record
from .audit.inputs import without_secrets
from .audit.record import Audit
from .dialog.declaration import Output
from .layers import destinations
from .layers.batches import array_batches, looked_at, pair_batches, plain
from .layers.filling import Columns, Job, Layers
from .layers.shapes import Shapes
from .layers.staging import Staging, cannot_write
from .layers.written_tables import class_sizes
from .loading import Loading
from .verdicts import Told

#: A declared field by its name, any other one itself; None for all that are declared.
Fields = Union[QgsFields, Sequence[Union[QgsField, str]], None]
#: Shapes of outputs that are written after all layers.
_REPORTS = ("html", "json")


class Outputs:
    """What one run writes; made by the base class and handed to ``execute``.

    The ``add_`` methods do nothing for an optional output that nobody asked for. Columns stand
    in the order of the fields, one value a row: lists, or arrays whose NaN become NULL.
    """

    def __init__(
        self, algorithm, parameters: dict[str, Any], context, feedback, facts: Audit | None = None
    ):
        self._algorithm = algorithm
        self._audit = facts or Audit(algorithm, parameters, context)
        self._parameters = parameters
        self._context = context
        self._feedback = feedback
        self._staging = Staging(feedback.pushInfo, feedback.pushWarning)
        self._layers = Layers(algorithm, parameters, context, self._staging)
        self._targets: dict[str, destinations.Destination | None] = {}
        self._results: dict[str, str] = {}
        self._loading = Loading(algorithm, parameters, context)
        self._fields: dict[str, list[str]] = {}  # of the layers
        self._reports: list[report_files.Wanted] = []
        self._last: list[Callable[[], None]] = []  # writes into databases
        self._shares: Iterator[Progress] = iter(())
        self._published = False
        self._finishing = False

    # --- progress -----------------------------------------------------------------------------

    def progress(self, fraction: float) -> None:
        """Tell how much of the run is done, and ask whether to go on."""
        self.ask()
        self._feedback.setProgress(100.0 * fraction)

    def deal_out(self, progress: Progress) -> None:
        """Deal a progress out among the layers and matrices that somebody asked for.

        They take their shares in the order in which they are written.
        """
        wanted = [
            one
            for one in self._algorithm.OUTPUTS
            if isinstance(one, Output) and one.shape not in _REPORTS and self.wanted(one.name)
        ]
        self._shares = shares(progress, len(wanted))

    def next_share(self) -> Progress:
        """Return the share of the next layer; what comes after all of them only asks."""
        return next(self._shares, self.ask)

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

    def add_rows(self, name: str, rows: Sequence[Sequence[Any]]) -> None:
        """Write a table of rows, whose values stand in the order of the declared fields."""
        fields = self._algorithm.declared(name).fields
        self.add_table(name, None, [list(column) for column in zip(*rows)] or [[] for _ in fields])

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
            fields = self._fields_of(name, fields)
            self._fields[name] = fields.names()

            def look(rows: list[Sequence[Any]]) -> None:
                self._layers.refuse_changes(name, self._targets[name], fields, list(zip(*rows)))

            job = Job(
                name,
                self._targets[name],
                wkb_type,
                fields,
                crs,
                progress or self.next_share(),
                lambda: pair_batches(looked_at(iter(features), look), count),
            )
            self._write(job, role)

    # --- files -------------------------------------------------------------------------------

    def add_report(self, make_report: Callable[[], Report], told: Told | None = None) -> None:
        """Make the report, REPORT and JSON, only if one of them is wanted; it opens with ``told``.

        It is written when everything else has been, for its last page tells of that.
        """
        wanted = [name for name in ("REPORT", "JSON") if self.wanted(name)]
        if wanted:
            with unseen("REPORT" not in wanted):
                report = make_report()
            if told is not None:
                report = replace(report, decision=told.box())
            paths = {name: self.file_path(name) for name in wanted}
            self._reports.append(report_files.Wanted(report, "REPORT", "JSON", paths))

    def file_path(self, name: str) -> Path | None:
        """Return where to write the file ``name`` now; it is published with everything else.

        None when the output is optional and nobody asked for it.
        """
        target = self._target(name)
        if target is None:
            return None
        final = target.path
        if final is None:  # a temporary file: nobody can have one there yet
            final = Path(
                self._algorithm.parameterAsFileOutput(self._parameters, name, self._context)
            )
        self._results[name] = str(final)
        self._loading.note_file(name, str(final))
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

    def fill_file(self, name: str, write: Callable[[Path], None]) -> None:
        """Have the file ``name`` written whole; as :meth:`filling` says."""
        path = self.file_path(name)
        with self.filling(name):
            write(path)

    # --- the end of a run ----------------------------------------------------------------------

    def publish(self) -> dict[str, str]:
        """Put everything into its place and return output name -> destination."""
        self.ask()
        self._write_reports()
        self._staging.check_room()
        self._staging.publish()
        try:
            for write in self._last:
                write()
        except BaseException:
            self._staging.take_back()
            self._layers.take_back()
            raise
        for name, result in self._results.items():
            self._loading.announce(name, result, self._target(name).kind == "file")
        self._staging.clean()
        self._published = True
        return dict(self._results)

    def discard(self) -> None:
        """Remove everything that has not been published."""
        self._shares = iter(())  # they hold this object, and with it the run's context
        self._staging.clean()
        if not self._published:
            self._loading.forget()

    def finish_in_spite_of_cancel(self) -> None:
        """Publish what there is although the user has cancelled.

        For work whose unfinished result is worth having and says that it is unfinished.
        """
        self._finishing = True

    # --- what the reports tell of the outputs ----------------------------------------------------

    def is_written(self, name: str) -> bool:
        """Tell whether an output has been written, or is going to be into a database."""
        return name in self._results

    def class_sizes(self, name: str, compared: int, progress: Progress) -> np.ndarray | None:
        """Count the rows of a written file that agree in its first fields.

        See :func:`.written_tables.class_sizes`. None where no file of its own has been written:
        temporary layers are none, and tables in databases are written last of all.
        """
        target = self._target(name)
        if target is None or target.kind != "file" or name not in self._results:
            return None
        written, _, layer = self._results[name].partition("|layername=")
        for path, _ in self._staging.drafts_of(target.path):
            if str(self._staging.final_of(path)) == written:
                return class_sizes(path, layer, self._fields[name], compared, progress)
        return None

    def facts_of(self, name: str, progress: Progress | None) -> dict[str, Any]:
        """Return the facts of an output; without a progress its bytes are not final yet."""
        definition = self._algorithm.parameterDefinition(name)
        target = self._target(name)
        kind, place, files = target.kind, "", []
        if kind == "file" or definition.type() == "fileDestination":
            final = target.path or Path(self._results[name])
            kind, place, parts = "file", str(final), self._staging.drafts_of(final)
            if progress is not None:
                with self.filling(name):
                    files = [
                        record.hashed(path, called, share)
                        for (path, called), share in zip(parts, shares(progress, len(parts)))
                    ]
        elif kind == "database":
            place = without_secrets(target.text)
        else:
            kind = "memory"
        return record.output(definition, place, kind, self._fields.get(name, ()), files)

    # --- how it is done ------------------------------------------------------------------------

    def _write_reports(self) -> None:
        if self._reports:
            names = [one.name() for one in self._algorithm.destinationParameterDefinitions()]
            report_files.write(
                self,
                self._reports,
                self._audit,
                list(filter(self.wanted, names)),
                self._tell_reports,
                self.ask,
            )

    def _tell_reports(self, fraction: float) -> None:
        self.ask()
        self._feedback.report(fraction)

    def _target(self, name: str) -> destinations.Destination | None:
        if name not in self._targets:
            self._targets[name] = destinations.resolve(
                self._algorithm, self._parameters, name, self._context
            )
        return self._targets[name]

    def ask(self, fraction: float = 0.0) -> None:
        """Ask whether to go on; as a progress it tells nothing."""
        if self._feedback.isCanceled() and not self._finishing:
            raise Cancelled()

    def _add(self, name, shapes, fields, columns, crs, progress, role) -> None:
        """Write points, lines or (without shapes) a table."""
        if self._target(name) is None:
            return
        count = len(columns[0]) if shapes is None else len(shapes)
        if any(len(column) != count for column in columns):
            raise ValueError(f"a column of {name} has not {count} rows")
        columns = [plain(column) for column in columns]
        fields = self._fields_of(name, fields)
        self._fields[name] = fields.names()
        wkb_type = QgsWkbTypes.Type.NoGeometry if shapes is None else shapes.wkb_type
        job = Job(
            name,
            self._targets[name],
            wkb_type,
            fields,
            crs,
            progress or self.next_share(),
            lambda: array_batches(count, columns, shapes),
        )
        self._layers.refuse_changes(name, self._targets[name], fields, columns)
        if job.target.kind == "file" and job.target.path.suffix.lower() == ".gpkg":
            made = self._layers.fill_geopackage(job, columns, shapes)
            if made is not None:
                self._results[name] = made
                self._loading.note_role(name, role)
                return
        self._write(job, role)

    def _fields_of(self, name: str, fields: Fields) -> QgsFields:
        if isinstance(fields, QgsFields):
            return fields
        declared = self._algorithm.declared(name)
        if fields is None:
            return make_fields(*(one.made() for one in declared.fields))
        return make_fields(
            *(declared.field(one) if isinstance(one, str) else one for one in fields)
        )

    def _write(self, job: Job, role: str | None) -> None:
        self._loading.note_role(job.name, role)
        target = job.target
        if target.kind == "file":
            self._results[job.name] = self._layers.write_file(job)
        elif target.kind == "temporary":
            self._results[job.name] = made = self._layers.write_through(job)
            self._loading.note_temporary(made, job.crs)
        else:
            self._results[job.name] = target.text  # until it is written
            job = replace(job, progress=self.ask)  # its share of the bar has passed by then
            self._last.append(
                lambda: self._results.update({job.name: self._layers.write_through(job)})
            )
