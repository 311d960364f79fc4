# SPDX-License-Identifier: GPL-2.0-or-later
"""The start page: what is to be published, three questions, and the tool that answers."""

from __future__ import annotations

import html

from qgis.core import QgsApplication
from qgis.PyQt.QtWidgets import (
    QDialog,
    QGroupBox,
    QHBoxLayout,
    QPushButton,
    QRadioButton,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from ..processing.i18n import tr
from .advice import QUESTIONS, Advice, Tool, advise

NAME = "GeoAnonStart"


class StartPage(QDialog):
    """Asks, advises, and opens what it advises.

    Parameters
    ----------
    open_tool : callable
        Opens an algorithm's dialog, by its id, with parameters.
    load_sample : callable
        Loads the sample data.
    parent : QWidget, optional
    """

    def __init__(self, open_tool, load_sample, parent: QWidget | None = None):
        super().__init__(parent)
        self.setObjectName(NAME)
        self.setWindowTitle(tr("GeoAnon: what do you want to publish?"))
        self._open_tool = open_tool
        self._answers: dict[str, dict[str, QRadioButton]] = {}
        questions = QVBoxLayout()
        for name, (title, answers) in QUESTIONS.items():
            box, lines = QGroupBox(tr(title)), QVBoxLayout()
            self._answers[name] = {}
            for answer, text in answers.items():
                made = QRadioButton(tr(text))
                made.setObjectName(answer)
                made.setChecked(not self._answers[name])
                self._answers[name][answer] = made
                lines.addWidget(made)
            box.setLayout(lines)
            questions.addWidget(box)
        for buttons in self._answers.values():
            for one in buttons.values():
                one.toggled.connect(self._advise)
        questions.addStretch()
        self._text = QTextBrowser()
        self._text.setMinimumWidth(380)
        self._first, self._second = QPushButton(), QPushButton()
        self._first.setDefault(True)
        sample = QPushButton(tr("Load sample data: Soho, 1854"))
        for button, action in (
            (self._first, self._open_first),
            (self._second, self._open_second),
            (sample, load_sample),
        ):
            button.clicked.connect(action)
        advised = QVBoxLayout()
        for one in (self._text, self._first, self._second, sample):
            advised.addWidget(one)
        layout = QHBoxLayout()
        layout.addLayout(questions)
        layout.addLayout(advised, 1)
        self.setLayout(layout)
        self.resize(960, 620)
        self._advise()

    def answers(self) -> dict[str, str]:
        """Return what is chosen, by question."""
        return {
            name: next(answer for answer, button in buttons.items() if button.isChecked())
            for name, buttons in self._answers.items()
        }

    def advice(self) -> Advice:
        """Return what is advised for what is chosen."""
        return advise(**self.answers())

    def _advise(self, *_args) -> None:
        try:
            advice = self.advice()
        except StopIteration:  # between one answer and the next none is chosen
            return
        parts = [f"<h2>{html.escape(_title(advice.tool))}</h2>"]
        for sentence in advice.sentences:
            parts.append(f"<p>{html.escape(tr(sentence), quote=False)}</p>")
        filled = _filled(advice)
        if filled:
            parts.append(f"<p><b>{html.escape(tr('Filled in for you'))}</b><br>{filled}</p>")
        self._text.setHtml("\n".join(parts))
        self._first.setText(tr("Open “{tool}”").format(tool=_title(advice.tool)))
        self._second.setText(tr(advice.other.when))
        self._second.setToolTip(_title(advice.other))

    def _open_first(self, *_args) -> None:
        advice = self.advice()
        self._open_tool(f"geoanon:{advice.tool.name}", advice.parameters)

    def _open_second(self, *_args) -> None:
        advice = self.advice()
        self._open_tool(f"geoanon:{advice.other.name}", advice.other_parameters)


def _title(tool: Tool) -> str:
    algorithm = QgsApplication.processingRegistry().algorithmById(f"geoanon:{tool.name}")
    return tool.name if algorithm is None else algorithm.displayName()


def _filled(advice: Advice) -> str:
    """The parameters that are filled in, by their names in the dialog."""
    tool = QgsApplication.processingRegistry().algorithmById(f"geoanon:{advice.tool.name}")
    lines = []
    for name, value in advice.parameters.items():
        definition = None if tool is None else tool.parameterDefinition(name)
        said = ", ".join(value) if isinstance(value, list) else value
        label = name if definition is None else definition.description()
        lines.append(html.escape(f"{label}: {said}", quote=False))
    return "<br>".join(lines)
