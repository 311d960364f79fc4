# SPDX-License-Identifier: GPL-2.0-or-later
"""The process that runs cases: one line of JSON in for each, one out.

It lives long, since QGIS takes seconds to start, and is thrown away when a case hangs or kills
it. What libraries print goes to standard error.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import shutil
import sys
import tempfile
import time
import traceback
from contextlib import ExitStack
from pathlib import Path

#: Bytes of memory that a worker may take; more is a finding, not the end of the machine.
_MEMORY = 6 * 2**30


def main() -> None:
    """Serve until standard input ends."""
    faulthandler.enable()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    registry, application = start()
    _limit_memory()
    _answer(
        answers, {"ready": [one.name() for one in registry.providerById("geoanon").algorithms()]}
    )
    for line in sys.stdin:
        job = json.loads(line)
        _answer(answers, run(registry, application, job))
    os._exit(0)  # QGIS tears itself down in an order that now and then ends on a signal


def start():
    """QGIS without a window, with the provider and nothing of the user's."""
    sys.path += [
        str(path)
        for path in (
            Path(prefix, "share/qgis/python/plugins")
            for prefix in (os.environ.get("QGIS_PREFIX_PATH", "/usr"), "/usr")
        )
        if path.is_dir()
    ]
    from qgis.core import QgsApplication

    application = QgsApplication([], False)
    application.initQgis()
    from processing.core.Processing import Processing

    from geoanon_qgis.processing.provider import GeoAnonProvider

    Processing.initialize()
    registry = QgsApplication.processingRegistry()
    registry.addProvider(GeoAnonProvider())
    return registry, application


def run(registry, application, job: dict) -> dict:
    """Run one case and say what came of it."""
    from qgis.core import QgsProject

    from . import cases, faults, invariants, kept, repeats, runs

    algorithm = registry.algorithmById(f"geoanon:{job['algorithm']}")
    folder = Path(tempfile.mkdtemp(prefix=f"{job['algorithm']}-{job['case']}-"))
    began, home = time.process_time(), os.getcwd()
    case = None
    elsewhere = tempfile.mkdtemp()
    os.chdir(elsewhere)  # where a file without a folder (such as “nan”) goes
    try:
        with ExitStack() as stack:
            if "fault" in job:
                case = cases.plain(algorithm, folder)
                stack.enter_context(faults.planted(job["fault"], algorithm, case))
            else:
                case = cases.draw(algorithm, job["seed"], job["case"], folder)
            outcome = runs.run(case)
            try:
                found = invariants.broken(case, outcome, algorithm)
                if case.twice and outcome.succeeded and not found:
                    found += repeats.differing(case, outcome, algorithm)
                if outcome.succeeded and not found and algorithm.parameterDefinition("SECRET"):
                    found += kept.moved(case, outcome)
            except Exception:  # what was written cannot even be read, or the harness is wrong
                found = ["harness: " + traceback.format_exc()]
        return {
            "succeeded": outcome.succeeded,
            "refusal": outcome.refusal,
            "findings": found,
            "dump": case.told() if found or job.get("told") else "",
            "cancelled": outcome.cancelled,
            "seconds": round(time.process_time() - began, 3),
            "odd": bool(case.odd),
            "errors": outcome.errors,
        }
    finally:
        os.chdir(home)
        shutil.rmtree(elsewhere, ignore_errors=True)
        outcome = None
        QgsProject.instance().clear()
        application.processEvents()
        # What is alive now stays for long: to look through it after each case is a third of the time.
        gc.collect()
        gc.freeze()
        if not job.get("keep"):
            shutil.rmtree(folder, ignore_errors=True)


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _answer(answers, what: dict) -> None:
    answers.write(json.dumps(what) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
