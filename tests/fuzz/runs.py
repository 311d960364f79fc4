# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs one case and keeps everything that can be seen of it."""

from __future__ import annotations

import hashlib
import os
import threading
import traceback
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsApplication,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProject,
)

from .cases import Case


@dataclass
class Outcome:
    """What came of a run.

    Attributes
    ----------
    results : dict or None
        None when it was refused.
    refusal : str
    crashed : str
        A traceback that reached the caller.
    logged : list of str
        Messages in the panel "GeoAnon".
    said, errors : list of str
    progress : list of float
    warnings : list of str
    before, after : dict of str to str
        Digests of all files of the case's folder, by their names.
    """

    results: dict[str, Any] | None = None
    refusal: str = ""
    crashed: str = ""
    logged: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    progress: list[float] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    before: dict[str, str] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)
    cancelled: bool = False

    @property
    def succeeded(self) -> bool:
        """Whether it ran to its end."""
        return self.results is not None and not self.cancelled


class _Feedback(QgsProcessingFeedback):
    def __init__(self, outcome: Outcome, cancel_at: float | None):
        super().__init__(False)
        self._outcome, self._cancel_at = outcome, cancel_at
        self.progressChanged.connect(self._progressed)

    def _progressed(self, percent):
        self._outcome.progress.append(percent)
        if self._cancel_at is not None and percent >= self._cancel_at:
            self.cancel()

    def pushInfo(self, info):
        if not info.startswith("Results: "):  # QGIS's own
            self._outcome.said.append(info)

    def pushWarning(self, warning):
        self._outcome.said.append(warning)

    def reportError(self, error, fatalError=False):
        self._outcome.errors.append(error)


def run(case: Case) -> Outcome:
    """Run a case as scripts do."""
    from qgis import processing

    outcome = Outcome(before=digests(case.folder))
    there_before = {*threading.enumerate()}
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    feedback = _Feedback(outcome, case.cancel_at)
    log = QgsApplication.messageLog()

    def keep(message, tag, level):
        if tag == "GeoAnon":
            outcome.logged.append(message)

    log.messageReceived.connect(keep)
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            outcome.results = processing.run(
                f"geoanon:{case.algorithm}",
                dict(case.parameters),
                feedback=feedback,
                context=context,
            )
    except QgsProcessingException as error:
        outcome.refusal = str(error) or "nothing"
    except Exception:
        outcome.crashed = traceback.format_exc()
    finally:
        log.messageReceived.disconnect(keep)
    outcome.cancelled = feedback.isCanceled()
    outcome.warnings = [
        f"{one.category.__name__}: {one.message} ({Path(one.filename).name}:{one.lineno})"
        for one in warned
        if not issubclass(one.category, (DeprecationWarning, ResourceWarning))
    ]
    for thread in {*threading.enumerate()} - there_before:
        thread.join(5.0)  # drafts are removed in the background after a cancel
    outcome.after = digests(case.folder)
    return outcome


def digests(folder: Path) -> dict[str, str]:
    """A digest of each file below a folder; folders too, with none."""
    found = {}
    for root, folders, files in os.walk(folder):
        for name in folders:
            found[os.path.relpath(os.path.join(root, name), folder) + "/"] = ""
        for name in files:
            path = os.path.join(root, name)
            with open(path, "rb") as file:
                digest = hashlib.sha256(file.read()).hexdigest()
            found[os.path.relpath(path, folder)] = digest
    return found
