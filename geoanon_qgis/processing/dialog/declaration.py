# SPDX-License-Identifier: GPL-2.0-or-later
"""What an algorithm puts out, said once: from it come dialog, help page and the fields of layers.

Texts are marked with ``mark()`` where an algorithm declares them, and translated when shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from qgis.core import (
    QgsField,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFileDestination,
)

from ...compat import make_field
from ..i18n import mark, tr
from .notes import SECRECY, noted
from .parameters import SHAPES

RELEASE, PRIVATE, HARMLESS = "release", "private", "harmless"


@dataclass(frozen=True)
class Field:
    """A field of a layer or table: its name, its type (see :func:`...compat.make_field`), and what
    it means where the name does not say it.
    """

    name: str
    kind: str
    meaning: str = ""

    def made(self) -> QgsField:
        """Return a field of QGIS."""
        return make_field(self.name, self.kind)

    def told(self) -> str:
        """Return the name, with the meaning behind it."""
        return f"{self.name} ({tr(self.meaning)})" if self.meaning else self.name


@dataclass(frozen=True)
class Output:
    """A layer or file that an algorithm writes; use :func:`release`, :func:`private` and the like.

    Attributes
    ----------
    name, label, help : str
        Of the parameter; the label does not say whether it is a release.
    shape : str
        ``point``, ``line``, ``polygon``, ``table`` or ``any`` for layers; ``html``, ``json``,
        ``csv``, ``matrix`` or the filter of a file.
    fields : sequence of Field
        Those whose names are known beforehand.
    more : str
        What else the help page says: of further fields, or of the file.
    role : str
        How the layer looks when it is loaded: a role of :mod:`..styling`; empty for QGIS's own.
    optional : bool
    secrecy : str
        ``release``, ``private``, or ``harmless`` for what tells of nobody.
    by_default : bool
        Whether the dialog makes it although it is optional.
    """

    name: str
    label: str
    help: str
    shape: str
    fields: Sequence[Field] = ()
    more: str = ""
    role: str = ""
    optional: bool = False
    secrecy: str = RELEASE
    by_default: bool = False

    @property
    def is_layer(self) -> bool:
        """Whether features are written."""
        return self.shape in SHAPES

    def field(self, name: str) -> QgsField:
        """Return a declared field."""
        return next(one for one in self.fields if one.name == name).made()

    def title(self) -> str:
        """Return the label, which says of an output whom it is for."""
        return self.parameter().description()

    def meaning(self) -> str:
        """Return what the help page says."""
        fields = ", ".join(one.told() for one in self.fields)
        said = [
            tr(self.help),
            tr("Fields: {fields}.").format(fields=fields) if fields else "",
            tr(self.more) if self.more else "",
        ]
        return " ".join(filter(None, said))

    def parameter(self):
        """Return the destination parameter, whose description says whom it is for.

        What is optional is by default not created.
        """
        whom = {RELEASE: tr("Release: {description}"), PRIVATE: tr("Private: {description}")}
        said = whom.get(self.secrecy, "{description}").format(description=tr(self.label))
        if self.is_layer:
            made = QgsProcessingParameterFeatureSink(
                self.name,
                said,
                SHAPES[self.shape],
                None,
                self.optional,
                self.by_default or not self.optional,
            )
        else:
            needed = not self.optional
            made = QgsProcessingParameterFileDestination(
                self.name, said, _filters(self.shape), None, not needed, needed
            )
        made.setHelp(tr(self.help))
        return noted(made, SECRECY, PRIVATE if self.secrecy == PRIVATE else RELEASE)

    def add_to(self, algorithm) -> None:
        """Add the parameter to an algorithm."""
        algorithm.addParameter(self.parameter())


def _filters(shape: str) -> str:
    """Files that a dialog offers for an output."""
    if shape == "html":
        return tr("HTML files (*.html)")
    if shape == "json":
        return tr("JSON files (*.json)")
    if shape == "csv":
        return tr("CSV files (*.csv)")
    if shape != "matrix":
        return shape
    kinds = (
        tr("CSV, square with ids") + " (*.csv)",
        tr("NumPy, condensed") + " (*.npz)",
        tr("Parquet, one row a pair") + " (*.parquet)",
    )
    return ";;".join(kinds)


@dataclass(frozen=True)
class Value:
    """A number or text that a model can use; the meaning says what the label does not."""

    name: str
    label: str
    help: str = ""
    is_text: bool = False

    def title(self) -> str:
        """Return the label."""
        return tr(self.label)

    def meaning(self) -> str:
        """Return what the help page says."""
        return tr(self.help) if self.help else ""

    def add_to(self, algorithm) -> None:
        """Add the output to an algorithm."""
        made = QgsProcessingOutputString if self.is_text else QgsProcessingOutputNumber
        algorithm.addOutput(made(self.name, tr(self.label)))


def release(*described: Any, **more: Any) -> Output:
    """Declare what is made to be given away; takes the attributes of :class:`Output`."""
    return Output(*described, **more)


def private(*described: Any, optional: bool = True, **more: Any) -> Output:
    """Declare what is for the data holder's eyes only; takes the attributes of :class:`Output`."""
    return Output(*described, optional=optional, secrecy=PRIVATE, **more)


def reports(
    help: str,
    figures: str = mark("Figures of the report"),
    figures_help: str = mark("The report's figures for programs."),
    secrecy: str = PRIVATE,
) -> tuple[Output, Output]:
    """Declare a report and its figures, REPORT and JSON."""
    return (
        Output("REPORT", mark("Report"), help, "html", optional=True, secrecy=secrecy),
        Output("JSON", figures, figures_help, "json", optional=True, secrecy=secrecy),
    )
