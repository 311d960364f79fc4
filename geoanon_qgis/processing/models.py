# SPDX-License-Identifier: GPL-2.0-or-later
"""Models that ship with the plugin show beside the algorithms, under the same provider.

QGIS makes a model's name its id. Here the file says the id (``mask_attack_report.model3`` is
``geoanon:maskattackreport``), so that the name can be a title and be translated.
"""

from __future__ import annotations

from pathlib import Path

from qgis.core import (
    Qgis,
    QgsApplication,
    QgsMessageLog,
    QgsProcessing,
    QgsProcessingException,
    QgsProcessingModelAlgorithm,
    QgsProcessingOutputNumber,
    QgsProcessingParameterDefinition,
)
from qgis.PyQt.QtCore import QUrl
from qgis.PyQt.QtGui import QIcon

from .. import paths
from ..compat import is_null, strings_of
from ..core.runtime.errors import GeoAnonError
from . import settling
from .base import GROUPS
from .dialog.announcing import announce
from .i18n import mark, tr
from .layers import destinations

#: Words that find each model, parted by commas; no file of a model can hold them.
TAGS = {
    "aggregaterecordsreport": mark(
        "privacy, k-anonymity, aggregate, census, small cells, suppression, generalize, "
        "generalise, health records, patients, confidential, GDPR, HIPAA"
    ),
    "anonymisemeasurereport": mark(
        "privacy, microdata, anonymise, anonymize, deidentify, de-identify, pseudonymize, "
        "confidential, sensitive, disclosure risk, synthetic data, GDPR, HIPAA"
    ),
    "exchangeattackreport": mark(
        "privacy, geomask, geo-mask, k-anonymity, anonymise, anonymize, deidentify, confidential, "
        "sensitive, patients, epidemiology, re-identification, exchange, swap, GDPR"
    ),
    "maskanonymisereport": mark(
        "privacy, microdata, geomask, geo-mask, anonymise, anonymize, deidentify, de-identify, "
        "patients, confidential, sensitive, re-identification, exchange, places and attributes, GDPR"
    ),
    "maskattackreport": mark(
        "privacy, geomask, geo-mask, re-identification, Voronoi, attack, adversary, confidential"
    ),
}


class PackagedModel(QgsProcessingModelAlgorithm):
    """A model of the plugin; use :func:`load` to make one."""

    def __init__(self, path: Path):
        super().__init__()
        self._path = path

    def add_numbers(self) -> None:
        """Declare the number outputs of the steps, as ``step:NAME``: QGIS leaves them out."""
        for output in self.outputDefinitions():
            output.setDescription(tr(output.description()))
        for step, child in self.childAlgorithms().items():
            outputs = child.algorithm().outputDefinitions() if child.algorithm() else ()
            for output in outputs:
                if isinstance(output, QgsProcessingOutputNumber):
                    name = f"{step}:{output.name()}"
                    self.addOutput(QgsProcessingOutputNumber(name, output.description()))

    def _needed(self) -> list[str]:
        """Outputs that the model calls optional, while the steps cannot do without them."""
        optional = QgsProcessingParameterDefinition.Flag.FlagOptional
        needed = []
        for output in self.outputDefinitions():
            output.setDescription(tr(output.description()))
        for step, child in self.childAlgorithms().items():
            for name, output in child.modelOutputs().items():
                if output.isMandatory() or child.algorithm() is None:
                    continue
                own = child.algorithm().parameterDefinition(output.childOutputName())
                if own is not None and not own.flags() & optional:
                    needed.append(f"{step}:{name}")
        return needed

    def let_leave_out(self) -> None:
        """Make optional what the model calls so: QGIS asks the step only.

        The step then writes to a temporary layer, which is not loaded.
        """
        for name in self._needed():
            definition = self.parameterDefinition(name)
            definition.setFlags(
                definition.flags() | QgsProcessingParameterDefinition.Flag.FlagOptional
            )
            definition.setCreateByDefault(False)

    def translate(self) -> None:
        """Say parameters, steps and help in the user's language; the file holds English."""
        for definition in self.parameterDefinitions():
            definition.setDescription(tr(definition.description()))
            definition.setHelp(tr(definition.help()))
        for output in self.outputDefinitions():
            output.setDescription(tr(output.description()))
        for step, child in self.childAlgorithms().items():
            self.childAlgorithm(step).setDescription(tr(child.description()))
        said = {name: tr(text) for name, text in self.helpContent().items()}
        self.setHelpContent({**said, **announce(self.parameterDefinitions())})

    def parameterAsStrings(self, parameters, name, context):
        """Return names of fields as they were given; what QGIS 3.22 has for it is deprecated."""
        return strings_of(super(), parameters, name, context)

    def canExecute(self):
        """Ask every step; QGIS asks only whether the steps are known."""
        can, why = super().canExecute()
        for child in self.childAlgorithms().values():
            if can and child.algorithm() is not None:
                can, why = child.algorithm().canExecute()
        return can, why

    def createInstance(self):
        """Return a new instance for a run, read from the file again."""
        return load(self._path)

    def checkParameterValues(self, parameters, context):
        """Check the values as the steps will; QGIS lets NaN and parts of whole numbers through."""
        try:
            parameters = self._settled(parameters, context)
        except GeoAnonError as error:
            return False, tr(error.sentence)
        return super().checkParameterValues(parameters, context)

    def _settled(self, parameters, context):
        """Settle the values; no step may write over what another one reads or writes."""
        parameters = settling.settled(self, parameters, context)
        message = destinations.conflict(self, parameters, context, None)
        if message:
            raise GeoAnonError(message)
        return parameters

    def processAlgorithm(self, parameters, context, feedback):
        """Run the steps, and return the numbers that they return too."""
        try:  # scripts do not always ask checkParameterValues
            parameters = self._settled(parameters, context)
        except GeoAnonError as error:
            raise QgsProcessingException(tr(error.sentence)) from error
        unwanted = [name for name in self._needed() if is_null(parameters.get(name))]
        temporary = dict.fromkeys(unwanted, QgsProcessing.TEMPORARY_OUTPUT)
        try:
            results = super().processAlgorithm({**parameters, **temporary}, context, feedback)
        except QgsProcessingException:
            raise
        except Exception as error:  # "unknown": thrown in QGIS, which asks for layers' extents
            raise QgsProcessingException(
                tr(
                    "QGIS stopped “{name}” between its steps, as it does where a coordinate of a "
                    "layer is infinite. Delete such places, or run the steps one by one."
                ).format(name=self.displayName())
            ) from error
        for name in unwanted:
            results[name] = None
        for step, values in results.get("CHILD_RESULTS", {}).items():
            for name, value in values.items():
                if self.outputDefinition(f"{step}:{name}") is not None:
                    results.setdefault(f"{step}:{name}", value)
        return results

    def name(self):
        """Return the id within the provider, which never changes."""
        return self._path.stem.replace("_", "")

    def displayName(self):
        """Return the model's title."""
        return tr(super().displayName())

    def group(self):
        """Return the group's name."""
        return tr(super().group())

    def groupId(self):
        """Return the id of the provider's group with the name that the model's file gives."""
        name = super().group()
        return next((group_id for group_id, group in GROUPS.items() if group == name), "")

    def tags(self):
        """Return the words that find the model, in English and in the user's language."""
        words = TAGS.get(self.name(), "")
        return list(dict.fromkeys([*words.split(", "), *tr(words).split(", ")]))

    def shortDescription(self):
        """Return the first sentence of the help."""
        said = self.helpContent().get("ALG_DESC", "")
        return said.split("<br>")[0].split(". ")[0].rstrip(".") + "." if said else ""

    def helpUrl(self):
        """Return the packaged help page."""
        page = paths.help_page(self.name(), QgsApplication.locale())
        return "" if page is None else QUrl.fromLocalFile(str(page)).toString()

    def icon(self):
        """Return the icon for the toolbox."""
        return QIcon(self.svgIconPath())

    def svgIconPath(self):
        """Return the icon's file."""
        return paths.icon(self.name())


def load(path: Path) -> PackagedModel | None:
    """Read a model's file; its steps must be in the registry already.

    Returns
    -------
    PackagedModel or None
        None when the file cannot be read, which the log tells.
    """
    model = PackagedModel(path)
    if not model.fromFile(str(path)):
        QgsMessageLog.logMessage(
            tr("The model {file} cannot be read. Install the plugin again.").format(file=path),
            "GeoAnon",
            Qgis.MessageLevel.Warning,
        )
        return None
    model.add_numbers()
    model.let_leave_out()
    model.translate()
    return model


def packaged_models() -> list[PackagedModel]:
    """Read all models below ``resources/models``, in the order of their files' names."""
    folder = paths.resource("models")
    if folder is None:
        return []
    found = (load(path) for path in sorted(folder.glob("*.model3")))
    return [model for model in found if model is not None]
