# SPDX-License-Identifier: GPL-2.0-or-later
"""The class every algorithm derives from: what they share, said once.

An algorithm declares who it is (class constants), its parameters (``initAlgorithm``), and what
it does (``execute``). Everything that can go wrong reaches the user as a sentence.
"""

from __future__ import annotations

import html
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from qgis.core import (
    Qgis,
    QgsMessageLog,
    QgsProcessingAlgorithm,
    QgsProcessingException,
    QgsProcessingFeatureSource,
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterDefinition,
)
from qgis.PyQt.QtCore import QUrl
from qgis.PyQt.QtGui import QIcon

from .. import paths
from ..compat import is_null
from ..core.runtime import accel, packages
from ..core.runtime.errors import Cancelled, GeoAnonError, InputError
from ..core.verdict import LIMIT
from . import settling, verdicts
from .audit.record import Audit
from .dialog import numbers
from .dialog import parameters as make
from .i18n import mark, number_of, tr
from .layers import destinations, reading, values
from .rising import Rising, ask, core_progress  # noqa: F401  # algorithms take it from here
from .wording import named
from .writing import Outputs

#: The toolbox's groups: id -> name.
GROUPS = {
    "maskpoints": mark("Mask points"),
    "aggregateareas": mark("Aggregate areas"),
    "releasedistances": mark("Release distances"),
    "attackarelease": mark("Attack a release"),
    "microdata": mark("Microdata"),
    "tools": mark("Tools"),
}


@dataclass(frozen=True)
class Help:
    """An algorithm's help; texts are marked with ``mark()`` and translated when shown.

    ``what`` and ``when`` are plain text, paragraphs parted by an empty line. ``outputs`` holds
    pairs (field or output, meaning). Parameters are not listed: each brings its own help.
    """

    what: str
    when: str = ""
    outputs: tuple[tuple[str, str], ...] = ()
    cautions: tuple[str, ...] = ()
    reference: str = ""


class GeoAnonAlgorithm(QgsProcessingAlgorithm):
    """Base of all algorithms; subclasses set the constants and write the three methods below."""

    NAME = ""
    DISPLAY_NAME = ""
    GROUP = "tools"
    TAGS: tuple[str, ...] = ()
    SHORT_DESCRIPTION = ""
    HELP = Help(what="")
    #: ``resources/icons/<ICON>.svg``; the plugin's own icon when there is none.
    ICON = "geoanon"
    #: Packages (import names, see ``core.packages``) that the algorithm cannot do without.
    REQUIRES: tuple[str, ...] = ()
    #: What is kept of a run for its audit page, from the moment that it is prepared.
    _audit: Audit | None = None

    # --- what subclasses write ---------------------------------------------------------------

    def check(self, parameters: dict[str, Any], context) -> str | None:
        """Return a sentence when the parameters do not go together, else None."""
        return None

    def has_places(self, name: str, parameters: dict[str, Any], context) -> bool | None:
        """Tell whether the layer ``name`` gets geometries; None where its declared type tells."""
        return None

    def prepare(self, parameters: dict[str, Any], context, feedback) -> None:
        """Read what lives in the project; the only part that runs in the main thread."""

    def execute(
        self, parameters: dict[str, Any], context, feedback, outputs: Outputs
    ) -> dict[str, Any]:
        """Do the work and return the number and text outputs.

        Layers and files are handed to ``outputs``, which publishes them after this returned and
        adds them to the results. Raise ``GeoAnonError`` with a sentence for the user.
        """
        raise NotImplementedError

    # --- reading parameters ------------------------------------------------------------------

    def source(self, parameters, name: str, context) -> QgsProcessingFeatureSource | None:
        """Return a source; None when it is optional and not given.

        Raises
        ------
        InputError
            If a layer is named that cannot be opened.
        """
        source = self.parameterAsSource(parameters, name, context)
        if source is None:
            definition = self.parameterDefinition(name)
            optional = definition.flags() & QgsProcessingParameterDefinition.Flag.FlagOptional
            if not (optional and is_null(parameters.get(name))):
                raise InputError(self.invalidSourceError(parameters, name))
        return source

    def parameterAsSource(self, parameters, name, context):  # noqa: N802
        """Return a source; QGIS 3.44 throws where it cannot tell a layer's extent."""
        try:
            source = super().parameterAsSource(parameters, name, context)
        except Exception as error:  # of C++, without a type and without words
            layer = self.parameterAsVectorLayer(parameters, name, context)
            raise InputError(
                tr(
                    "The layer “{layer}” cannot be read: QGIS fails when it looks for the layer's "
                    "extent, as it does where a coordinate is infinite. Delete such places, or "
                    "export the layer as GeoJSON, which leaves them out."
                ).format(layer=layer.name() if layer else name)
            ) from error
        if source is not None and self._audit is not None:
            self._audit.watch(name, source)
        return source

    def parameterAsVectorLayer(self, parameters, name, context):  # noqa: N802
        """Return a layer, also where some of its features were asked for."""
        return super().parameterAsVectorLayer(_unwrapped(parameters, name), name, context)

    def parameterAsLayer(self, parameters, name, context):  # noqa: N802
        """Return a layer, also where some of its features were asked for."""
        return super().parameterAsLayer(_unwrapped(parameters, name), name, context)

    def parameterAsFields(self, parameters, name, context):  # noqa: N802
        """Return the names of fields as they were given; QGIS 3.40 calls this otherwise."""
        base = super()
        read = getattr(base, "parameterAsStrings", None) or base.parameterAsFields
        return read(parameters, name, context)

    def field_names(self, parameters, name: str, context, source) -> list[str]:
        """Return the chosen fields of ``source``, spelt as there.

        Raises
        ------
        InputError
            If a field is named that the source does not have, or has in several cases.
        """
        return reading.spelt_as_in(
            source.fields(), self.parameterAsFields(parameters, name, context)
        )

    def optional_number(self, parameters, name: str, context) -> float | None:
        """Return a number parameter, None when it was left empty; see :func:`.dialog.numbers.read`."""
        return numbers.read(self.parameterDefinition(name), parameters.get(name), context)

    def optional_integer(self, parameters, name: str, context) -> int | None:
        """Return a whole number parameter (such as a seed), None when it was left empty."""
        return self.optional_number(parameters, name, context)

    # QGIS's own readers make 0 of text and of whole numbers that are too large.

    def parameterAsDouble(self, parameters, name, context):  # noqa: N802
        """Return a number parameter that has a default."""
        return float(self.optional_number(parameters, name, context))

    def parameterAsInt(self, parameters, name, context):  # noqa: N802
        """Return a whole number parameter that has a default."""
        return int(self.optional_number(parameters, name, context))

    def listed(self, parameters, name: str, context) -> list:
        """Return the numbers of a list that was typed; see :func:`.dialog.numbers.listed`."""
        return settling.listed(self.parameterDefinition(name), parameters.get(name), context)

    # --- what several algorithms do --------------------------------------------------------

    @staticmethod
    def require_points(table: reading.PointTable, least: int) -> None:
        """Refuse a layer with fewer usable points than its distances need.

        Raises
        ------
        InputError
        """
        if len(table) < least:
            raise InputError(
                tr(
                    "The layer has {points}, and {least} at least are needed. Choose another layer, "
                    "or select more features."
                ).format(
                    points=number_of(len(table), "usable point", "usable points"),
                    least=least,
                )
            )

    @staticmethod
    def sampled(
        table: reading.PointTable, most: int, rng: np.random.Generator
    ) -> tuple[reading.PointTable, str]:
        """Return at most so many records, in their order, and a sentence if it is a sample."""
        if len(table) <= most:
            return table, ""
        said = tr("A random sample of {most:,} of {count:,} records was used.")
        rows = np.sort(rng.choice(len(table), most, replace=False))
        return table.taken(rows), said.format(most=most, count=len(table))

    def add_numbers(self, **descriptions: str) -> None:
        """Declare number outputs: name=description."""
        for name, description in descriptions.items():
            self.addOutput(QgsProcessingOutputNumber(name, description))

    def add_decision(self, limited: bool = True) -> None:
        """Declare the outputs of a verdict, and the limit that it is held against.

        Parameters
        ----------
        limited : bool
            Whether the user may set the limit: where attacks are run.
        """
        if limited:
            self.addParameter(
                make.advanced(
                    make.number(
                        verdicts.ACCEPTABLE,
                        tr("Acceptable share of people found"),
                        tr(
                            "Up to this share of the people (0 to 1) an attack may find before the verdict "
                            "is “do not release”. 0.09 is the threshold of the European Medicines Agency "
                            "for published data. A single person who is found beyond doubt is too many."
                        ),
                        LIMIT,
                        minimum=0.0,
                        maximum=0.99,
                        optional=True,
                    )
                )
            )
        for name, (description, _) in verdicts.OUTPUTS.items():
            kind = QgsProcessingOutputString if name == "DECISION" else QgsProcessingOutputNumber
            self.addOutput(kind(name, tr(description)))

    def acceptable(self, parameters, context) -> float:
        """Return the limit that the verdict is held against."""
        given = self.optional_number(parameters, verdicts.ACCEPTABLE, context)
        return LIMIT if given is None else given

    def outputs_told(self) -> list[tuple[str, str]]:
        """Return what the help says of the outputs: name or names, and meaning."""
        told = [(name, tr(meaning)) for name, meaning in self.HELP.outputs]
        if self.outputDefinition("DECISION") is not None:
            told += [(name, tr(meaning)) for name, (_, meaning) in verdicts.OUTPUTS.items()]
        return told

    @staticmethod
    def _tell_conclusion(told, feedback) -> None:
        tell = feedback.pushInfo if told.holds else feedback.pushWarning
        for line in told.lines():
            tell(line)

    def tell_left_out(self, table: reading.PointTable, feedback) -> None:
        """Say in the log how many features have no usable place and which dimensions go."""
        if table.left_out:
            reasons = Counter(reason for _, reason in table.left_out)
            feedback.pushWarning(
                tr("{features} no usable place, left out: {reasons}.").format(
                    features=number_of(len(table.left_out), "feature has", "features have"),
                    reasons=", ".join(f"{count} {reason}" for reason, count in reasons.items()),
                )
            )
        if table.far:
            feedback.pushWarning(
                tr(
                    "Places that lie so far from nearly all others that a mistake in their "
                    "coordinates is likely: {ids}. Check them."
                ).format(ids=named(table.far))
            )
        if table.had_z or table.had_m:
            feedback.pushInfo(tr("Heights and measures (Z, M) are dropped."))

    # --- running: final, subclasses write check, prepare and execute ---------------------------

    def prepareAlgorithm(self, parameters, context, feedback):  # noqa: N802
        """Call :meth:`prepare`; final."""
        with self._sentences():  # models and scripts may not have asked checkParameterValues
            parameters = settling.settled(self, parameters, context)
            message = destinations.conflict(self, parameters, context)
            if message:
                raise GeoAnonError(message)
            self._audit = Audit(self, parameters, context)
            self.prepare(parameters, context, feedback)
        return True

    def processAlgorithm(self, parameters, context, feedback):  # noqa: N802
        """Call :meth:`execute` and publish what it has written: all of it, or nothing; final."""
        missing = packages.missing_sentence(self.REQUIRES)
        if missing:  # scripts and models do not ask canExecute
            raise QgsProcessingException(tr(missing))
        with self._sentences():  # nor do they always ask checkParameterValues
            parameters = settling.settled(self, parameters, context)
            feedback = Rising(feedback)
            outputs = Outputs(self, parameters, context, feedback, self._audit)
            accel.on_compile(
                lambda sentence: feedback.pushInfo(tr(sentence)), lambda: ask(feedback)
            )
            try:
                results = values.finite(self.execute(parameters, context, feedback, outputs))
                told = outputs.conclusion()
                if told is not None:
                    results.update(told.numbers())
                results.update(outputs.publish())
                if told is not None:
                    self._tell_conclusion(told, feedback)
                feedback.finish()
                return results
            except Cancelled as error:
                feedback.pushInfo(tr(error.sentence))
                return {}
            finally:
                self._audit = None  # it holds this algorithm and the run's context
                accel.on_compile(None)
                outputs.discard()  # whatever has not been published

    def checkParameterValues(self, parameters, context):  # noqa: N802
        """Check each value, then where the outputs go, then the algorithm's own rules; final."""
        try:
            with self._sentences():
                parameters = settling.settled(self, parameters, context)
                good, message = super().checkParameterValues(parameters, context)
                if good:
                    message = destinations.conflict(self, parameters, context) or self.check(
                        parameters, context
                    )
        except QgsProcessingException as error:
            message = str(error)
        return (not message), message or ""

    @contextmanager
    def _sentences(self) -> Iterator[None]:
        """Let nothing but an exception with a sentence for the user through."""
        try:
            yield
        except GeoAnonError as error:
            raise QgsProcessingException(tr(error.sentence)) from error
        except MemoryError:
            raise QgsProcessingException(
                tr(
                    "Memory ran out, so “{name}” stopped and wrote nothing. Work with fewer "
                    "records, lower numbers or fewer outputs, or close other programs."
                ).format(name=self.displayName())
            ) from None
        except QgsProcessingException:
            raise
        except Exception as error:
            raise QgsProcessingException(self._unexpected(error)) from None

    def canExecute(self):  # noqa: N802
        """Name the missing packages and the command that installs them here."""
        message = packages.missing_sentence(self.REQUIRES)
        return (not message), tr(message)

    def _unexpected(self, error: Exception) -> str:
        """Log a traceback where developers look and return a sentence for the user."""
        QgsMessageLog.logMessage(
            "{}:\n{}".format(
                self.id(),
                "".join(traceback.format_exception(type(error), error, error.__traceback__)),
            ),
            "GeoAnon",
            Qgis.MessageLevel.Critical,
        )
        return tr(
            "Something unexpected stopped “{name}” and nothing was written. Please report it at "
            "{tracker} with the details from the log panel “GeoAnon” (View, Panels, Log Messages)."
        ).format(
            name=self.displayName(),
            tracker=paths.metadata().get("tracker", "") or tr("the plugin's issue tracker"),
        )

    # --- who it is ---------------------------------------------------------------------------

    def createInstance(self):  # noqa: N802
        """Return a new instance for a run."""
        return type(self)()

    def name(self):
        """Return the id within the provider, which never changes."""
        return self.NAME

    def displayName(self):  # noqa: N802
        """Return the name in the toolbox."""
        return tr(self.DISPLAY_NAME)

    def groupId(self):  # noqa: N802
        """Return the group's id."""
        return self.GROUP

    def group(self):
        """Return the group's name."""
        return tr(GROUPS[self.GROUP])

    def tags(self):
        """Return the words that find the algorithm, in English and in the user's language."""
        return list(dict.fromkeys([*self.TAGS, *(tr(tag) for tag in self.TAGS)]))

    def shortDescription(self):  # noqa: N802
        """Return one sentence."""
        return tr(self.SHORT_DESCRIPTION)

    def icon(self):
        """Return the icon for the toolbox."""
        return QIcon(self.svgIconPath())

    def svgIconPath(self):  # noqa: N802
        """Return the icon's file."""
        return paths.icon(self.ICON)

    def helpUrl(self):  # noqa: N802
        """Return the packaged help page if there is one, else the project's page."""
        page = paths.resource("help", f"{self.NAME}.html")
        if page is not None:
            return QUrl.fromLocalFile(str(page)).toString()
        return paths.metadata().get("homepage", "")

    def shortHelpString(self):  # noqa: N802
        """Return the help as HTML."""
        return _help_html(self)


# --- help as HTML ---------------------------------------------------------------------------


def _help_html(algorithm: GeoAnonAlgorithm) -> str:
    text = algorithm.HELP
    hidden = QgsProcessingParameterDefinition.Flag.FlagHidden
    parameters = [
        (parameter.description(), parameter.help())
        for parameter in algorithm.parameterDefinitions()
        if not parameter.flags() & hidden
    ]
    parts = [
        _paragraphs(tr(text.what)),
        _section(tr("When to use it"), _paragraphs(tr(text.when)) if text.when else ""),
        _section(tr("Parameters"), _definitions(parameters)),
        _section(tr("What comes out"), _definitions(algorithm.outputs_told())),
        _section(tr("Mind"), _list(tr(caution) for caution in text.cautions)),
        _section(tr("Reference"), _paragraphs(tr(text.reference)) if text.reference else ""),
    ]
    return "\n".join(part for part in parts if part)


def _section(title: str, body: str) -> str:
    return f"<h3>{html.escape(title)}</h3>\n{body}" if body else ""


def _paragraphs(text: str) -> str:
    blocks = (block.strip() for block in text.split("\n\n"))
    return "\n".join(f"<p>{html.escape(block, quote=False)}</p>" for block in blocks if block)


def _definitions(pairs: list[tuple[str, str]]) -> str:
    return "\n".join(
        f"<p><b>{html.escape(name, quote=False)}</b><br>{html.escape(meaning, quote=False)}</p>"
        for name, meaning in pairs
    )


def _list(items: Iterable[str]) -> str:
    lines = "\n".join(f"<li>{html.escape(item, quote=False)}</li>" for item in items)
    return f"<ul>\n{lines}\n</ul>" if lines else ""


def _unwrapped(parameters: dict, name: str) -> dict:
    """Put the layer itself in the place of its selection, in which QGIS 3.22 finds no layer."""
    given = parameters.get(name)
    if not isinstance(given, QgsProcessingFeatureSourceDefinition):
        return parameters
    return {**parameters, name: given.source}
