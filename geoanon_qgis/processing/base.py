# SPDX-License-Identifier: GPL-2.0-or-later
"""The class every algorithm derives from: what they share, said once.

An algorithm is a declaration (class constants: who it is, what it puts out, and in which steps
it works; and :meth:`~GeoAnonAlgorithm.inputs`) and ``execute``. The base adds parameters and
outputs, deals the progress out, comes to the verdict, and publishes all or nothing. Everything
that can go wrong reaches the user as a sentence.
"""

from __future__ import annotations

import html
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from qgis.core import (
    Qgis,
    QgsApplication,
    QgsMessageLog,
    QgsProcessingAlgorithm,
    QgsProcessingException,
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingParameterDefinition,
)
from qgis.PyQt.QtCore import QUrl
from qgis.PyQt.QtGui import QIcon

from .. import paths
from ..compat import strings_of
from ..core.runtime import accel, installing
from ..core.runtime.errors import Cancelled, GeoAnonError, InputError
from ..report import Reference
from . import settling
from .audit.record import Audit
from .dialog import rules
from .dialog.announcing import announce
from .dialog.declaration import Output, Value
from .i18n import mark, tr
from .layers import backdrop, destinations, values, whole_files
from .pace import Pace
from .rising import Rising, ask
from .running import Given, Result, Run
from .verdicts import Told

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

    ``what`` and ``when`` are plain text, paragraphs parted by an empty line. Parameters and
    outputs are not listed: each brings its own help. ``reference`` is what is said besides
    ``sources``, which stay as they are in every language.
    """

    what: str
    when: str = ""
    cautions: tuple[str, ...] = ()
    sources: tuple[Reference, ...] = ()
    reference: str = ""


class GeoAnonAlgorithm(QgsProcessingAlgorithm):
    """Base of all algorithms; subclasses set the constants and write the methods below."""

    #: The id, which never changes. ``resources/icons/<NAME>.svg`` is the icon, the plugin's own
    #: where there is none.
    NAME = ""
    DISPLAY_NAME = ""
    GROUP = "tools"
    #: Words that find it, parted by commas; marked as one text, whose translation may have others.
    TAGS = ""
    SHORT_DESCRIPTION = ""
    HELP = Help(what="")
    #: Packages (import names, see ``core.runtime.packages``) that the algorithm cannot do without.
    REQUIRES: tuple[str, ...] = ()
    #: What comes out: layers, files, numbers and texts, in the order of the help page.
    OUTPUTS: tuple[Output | Value, ...] = ()
    #: Steps of the work and the weight of each on the progress bar, in their order. The layers
    #: that are written share ``write``, and ``report`` is that of the report's pictures.
    STEPS: Mapping[str, float] = {"work": 1}
    #: How many times as long a run of some size takes without numba, as
    #: ``benchmarks/without_numba.py`` measures it.
    WITHOUT_NUMBA = 1.0
    #: What is kept of a run for its audit page, from the moment that it is prepared.
    _audit: Audit | None = None
    _backdrop: backdrop.Backdrop | None = None

    # --- what subclasses write ---------------------------------------------------------------

    def inputs(self) -> list[QgsProcessingParameterDefinition]:
        """Return the parameters that are read, in the order of the dialog."""
        return []

    def filled(self, given: Given) -> dict[str, Any]:
        """Return the parameters with those that a file brings which was given."""
        return given.parameters

    def check_names(self, given: Given) -> str | None:
        """Return a sentence when fields do not go together, before layers are asked for them."""
        return None

    def check(self, given: Given) -> str | None:
        """Return a sentence when the parameters do not go together, else None."""
        return None

    def has_places(self, name: str, given: Given) -> bool | None:
        """Tell whether the layer ``name`` gets geometries; None where its declared type tells."""
        return None

    def without_numba(self, given: Given) -> float:
        """Return how many times as long this run takes without numba."""
        return self.WITHOUT_NUMBA

    def execute(self, run: Run) -> Result:
        """Do the work, write layers and files with ``run.outputs``, and return the rest.

        Everything is published after this has returned. Raise ``GeoAnonError`` with a sentence
        for the user.
        """
        raise NotImplementedError

    # --- declaring: final ----------------------------------------------------------------------

    def initAlgorithm(self, configuration=None):
        """Add what is declared to what QGIS knows; final."""
        inputs = self.inputs()
        announce(inputs)
        for parameter in inputs:
            self.addParameter(parameter)
        for one in self.OUTPUTS:
            one.add_to(self)

    @classmethod
    def declared(cls, name: str) -> Output | Value:
        """Return what is declared of an output."""
        return next(one for one in cls.OUTPUTS if one.name == name)

    # --- reading where versions of QGIS differ ---------------------------------------------------

    def parameterAsSource(self, parameters, name, context):
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
        if source is not None:
            layer = self.parameterAsVectorLayer(parameters, name, context)
            whole_files.offer(source, layer, parameters.get(name))
            if self._audit is not None:
                self._audit.watch(name, source)
        return source

    def parameterAsVectorLayer(self, parameters, name, context):
        """Return a layer, also where some of its features were asked for."""
        return super().parameterAsVectorLayer(_unwrapped(parameters, name), name, context)

    def parameterAsLayer(self, parameters, name, context):
        """Return a layer, also where some of its features were asked for."""
        return super().parameterAsLayer(_unwrapped(parameters, name), name, context)

    def parameterAsStrings(self, parameters, name, context):
        """Return names of fields as they were given; what QGIS 3.22 has for it is deprecated."""
        return strings_of(super(), parameters, name, context)

    # --- running: final, subclasses write check and execute ------------------------------------

    def prepareAlgorithm(self, parameters, context, feedback):
        """Check, and begin the audit; final."""
        with self._sentences():  # models and scripts may not have asked checkParameterValues
            parameters = self._settled(parameters, context)
            given = Given(self, parameters, context)
            message = self._conflict(given) or self.check(given)
            if message:
                raise GeoAnonError(message)
            self._audit = Audit(self, parameters, context)
            self._backdrop = backdrop.of_project(context.project())
        return True

    def processAlgorithm(self, parameters, context, feedback):
        """Call :meth:`execute` and publish what it has written: all of it, or nothing; final."""
        missing = installing.missing_sentence(self.REQUIRES)
        if missing:  # scripts and models do not ask canExecute
            raise QgsProcessingException(tr(missing))
        with self._sentences():  # nor do they always ask checkParameterValues
            given, parameters = parameters, self._settled(parameters, context)
            rising = Rising(feedback)
            run = Run(self, parameters, context, rising, self._audit)
            rising.heard = Pace(run.tell, run.ends()).heard
            accel.on_compile(lambda sentence: run.tell(tr(sentence)), lambda: ask(feedback))
            try:
                run.tell(*rules.not_used(self, given, parameters), *self._slower(run))
                result = self.execute(run)
                told = None
                if result.verdict is not None:
                    told = Told(result.verdict, tuple(result.steps), tuple(result.not_run))
                if result.report is not None:
                    run.outputs.add_report(lambda: self._reported(result, run), told)
                numbers = values.finite(dict(result.numbers))
                if told is not None:
                    numbers.update(told.numbers())
                numbers.update(run.outputs.publish())
                if told is not None:
                    (run.tell if told.holds else run.warn)(*told.lines())
                run.feedback.finish()
                return numbers
            except Cancelled as error:
                run.tell(tr(error.sentence))
                return {}
            finally:
                self._audit = self._backdrop = None  # it holds this algorithm and the run's context
                accel.on_compile(None)
                run.outputs.discard()  # whatever has not been published

    def _reported(self, result: Result, run: Run):
        with backdrop.behind(self._backdrop):
            return result.report(run.step("report"))

    def checkParameterValues(self, parameters, context):
        """Check each value, then where the outputs go, then the algorithm's own rules; final."""
        try:
            with self._sentences():
                parameters = self._settled(parameters, context)
                good, message = super().checkParameterValues(parameters, context)
                if good:
                    given = Given(self, parameters, context)
                    message = self._conflict(given) or self.check(given)
        except QgsProcessingException as error:
            message = str(error)
        return (not message), message or ""

    def _settled(self, parameters: dict[str, Any], context) -> dict[str, Any]:
        message = self.check_names(Given(self, parameters, context))
        if message:
            raise GeoAnonError(message)
        parameters = settling.settled(self, parameters, context)
        return self.filled(Given(self, parameters, context))

    def _conflict(self, given: Given) -> str | None:
        return destinations.conflict(
            self, given.parameters, given.context, lambda name: self.has_places(name, given)
        )

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

    def _slower(self, given: Given) -> list[str]:
        """Say what the want of numba costs, and what helps."""
        sentence = installing.slower_sentence(self.without_numba(given))
        return [tr(sentence)] if sentence else []

    def canExecute(self):
        """Name the missing packages and the command that installs them here."""
        message = installing.missing_sentence(self.REQUIRES)
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

    def createInstance(self):
        """Return a new instance for a run."""
        return type(self)()

    def name(self):
        """Return the id within the provider, which never changes."""
        return self.NAME

    def displayName(self):
        """Return the name in the toolbox."""
        return tr(self.DISPLAY_NAME)

    def groupId(self):
        """Return the group's id."""
        return self.GROUP

    def group(self):
        """Return the group's name."""
        return tr(GROUPS[self.GROUP])

    def tags(self):
        """Return the words that find the algorithm, in English and in the user's language."""
        return list(dict.fromkeys([*self.TAGS.split(", "), *tr(self.TAGS).split(", ")]))

    def shortDescription(self):
        """Return one sentence."""
        return tr(self.SHORT_DESCRIPTION)

    def icon(self):
        """Return the icon for the toolbox."""
        return QIcon(self.svgIconPath())

    def svgIconPath(self):
        """Return the icon's file."""
        return paths.icon(self.NAME)

    def helpUrl(self):
        """Return the packaged help page if there is one, else the project's page."""
        page = paths.help_page(self.NAME, QgsApplication.locale())
        if page is not None:
            return QUrl.fromLocalFile(str(page)).toString()
        return paths.metadata().get("homepage", "")

    def shortHelpString(self):
        """Return the help as HTML."""
        return _help_html(self)


# --- help as HTML ---------------------------------------------------------------------------


def _help_html(algorithm: GeoAnonAlgorithm) -> str:
    text = algorithm.HELP
    hidden = QgsProcessingParameterDefinition.Flag.FlagHidden
    parameters = [
        (parameter.description(), parameter.help())
        for parameter in algorithm.parameterDefinitions()
        if not (parameter.flags() & hidden or parameter.isDestination())
    ]
    outputs = [(f"{one.title()} ({one.name})", one.meaning()) for one in algorithm.OUTPUTS]
    cited = [*(one.text for one in text.sources), text.reference and tr(text.reference)]
    parts = [
        _paragraphs(tr(text.what)),
        _section(tr("When to use it"), _paragraphs(tr(text.when)) if text.when else ""),
        _section(tr("Parameters"), _definitions(parameters)),
        _section(tr("What comes out"), _definitions(outputs)),
        _section(tr("Mind"), _list(tr(caution) for caution in text.cautions)),
        _section(tr("Reference"), _paragraphs(" ".join(filter(None, cited)))),
    ]
    return "\n".join(part for part in parts if part)


def _section(title: str, body: str) -> str:
    return f"<h3>{html.escape(title)}</h3>\n{body}" if body else ""


def _paragraphs(text: str) -> str:
    blocks = (block.strip() for block in text.split("\n\n"))
    return "\n".join(f"<p>{html.escape(block, quote=False)}</p>" for block in blocks if block)


def _definitions(pairs: list[tuple[str, str]]) -> str:
    return "\n".join(
        f"<p><b>{html.escape(name, quote=False)}</b>"
        + (f"<br>{html.escape(meaning, quote=False)}</p>" if meaning else "</p>")
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
