# SPDX-License-Identifier: GPL-2.0-or-later
"""Places that last for released files, proposed by a dialog.

QGIS proposes a temporary file, which is gone with QGIS: what was released could be judged no more,
and a table of distances is no layer that a project could keep.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from qgis.core import QgsProcessing, QgsProcessingContext, QgsProject
from qgis.PyQt.QtCore import QStandardPaths

from ..processing.dialog import notes

#: Files that are about a release, and are made anew from it.
_ABOUT = ("html", "json")
_DOCUMENTS = QStandardPaths.StandardLocation.DocumentsLocation


def propose_places(wrappers: Iterable, dialog, project: QgsProject) -> None:
    """Propose a file of its own wherever a run would release into a temporary one.

    It never exists before the run: after each another one is proposed, unless the user has chosen.

    Parameters
    ----------
    wrappers : iterable of QgsAbstractProcessingParameterWidgetWrapper
        Of all parameters of a dialog.
    dialog : QgsProcessingAlgorithmDialogBase
    project : QgsProject
    """
    places = [Place(one, project) for one in wrappers if _lasts(one.parameterDefinition())]
    for one in places:
        one.propose()
    if places and hasattr(dialog, "algorithmFinished"):
        dialog.algorithmFinished.connect(lambda *_: [one.propose() for one in places])


class Place:
    """The place of one output: what was proposed, for as long as nobody has changed it."""

    def __init__(self, wrapper, project: QgsProject):
        self._wrapper, self._project = wrapper, project
        self._context = QgsProcessingContext()
        self._proposed = QgsProcessing.TEMPORARY_OUTPUT

    def propose(self) -> None:
        """Propose a file that is not there yet, where the last proposal still stands."""
        if self._wrapper.parameterValue() == self._proposed:
            self._proposed = str(free_path(self._wrapper.parameterDefinition(), self._project))
            self._wrapper.setParameterValue(self._proposed, self._context)


def free_path(definition, project: QgsProject) -> Path:
    """Return a path where nothing is yet: beside the project, else where QGIS or the user has files."""
    places = (project.homePath(), _outputs_folder(), QStandardPaths.writableLocation(_DOCUMENTS))
    folder = next((Path(one) for one in places if one and Path(one).is_dir()), Path.home())
    name = f"{definition.algorithm().name()}_{definition.name().lower()}"
    ending = f".{definition.defaultFileExtension()}"
    number, path = 1, folder / f"{name}{ending}"
    while path.exists():
        number += 1
        path = folder / f"{name}_{number}{ending}"
    return path


def _lasts(definition) -> bool:
    is_file = definition.type() == "fileDestination" and notes.is_release(definition)
    wanted = is_file and definition.createByDefault()
    return wanted and definition.defaultFileExtension() not in _ABOUT


def _outputs_folder() -> str:
    from processing.core.ProcessingConfig import ProcessingConfig

    return str(ProcessingConfig.getSetting(ProcessingConfig.OUTPUT_FOLDER))
