# SPDX-License-Identifier: GPL-2.0-or-later
"""Gives cases to worker processes and collects what comes of them. Imports no QGIS."""

from __future__ import annotations

import json
import os
import queue
import selectors
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: Seconds that a case may take, which takes some hundredths otherwise: then it hangs.
LIMIT_S = 90.0
_START_S = 180.0
#: What a worker printed last is told when it dies.
_LAST_WORDS = 2_000


@dataclass
class Result:
    """What came of a case.

    Attributes
    ----------
    algorithm : str
    seed, case : int
    succeeded, cancelled, odd : bool
    refusal : str
    findings : list of str
    dump : str
    seconds : float
        Of a processor.
    """

    algorithm: str
    seed: int
    case: int
    succeeded: bool = False
    cancelled: bool = False
    odd: bool = False
    refusal: str = ""
    findings: list[str] = field(default_factory=list)
    dump: str = ""
    seconds: float = 0.0
    errors: list[str] = field(default_factory=list)

    @property
    def command(self) -> str:
        """What reruns the case."""
        return f"scripts/fuzz --seed {self.seed} --case {self.case} {self.algorithm}"


class Died(Exception):
    """The worker is gone, or does not answer."""


class Worker:
    """One process, started when it is first asked, and again after it has died."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._process: subprocess.Popen | None = None
        self._log = folder / "standard-error"
        self.algorithms: list[str] = []

    def ask(self, job: dict, limit: float) -> dict:
        """Have a case run.

        Raises
        ------
        Died
            If the process ended or took longer than ``limit`` seconds.
        """
        self.start()
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        return self._answer(limit)

    def start(self) -> None:
        """Start the process, if there is none."""
        if self._process is not None:
            return
        with open(self._log, "w", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.fuzz.worker"],
                cwd=ROOT,
                env=_environment(self._folder),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                encoding="utf-8",
            )
        self.algorithms = self._answer(_START_S)["ready"]

    def stop(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            process.stdin.close()
            process.stdout.close()

    def _answer(self, limit: float) -> dict:
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            there = selector.select(limit)
        line = self._process.stdout.readline() if there else ""
        if line:
            return json.loads(line)
        if there:
            status = self._process.wait()
            why = f"the process ended with status {status}"
        else:
            why = f"no answer within {limit:g} s"
        self.stop()
        words = self._log.read_text(encoding="utf-8", errors="replace")[-_LAST_WORDS:]
        raise Died(f"{why}\n{words}" if there else why)


def run(
    jobs: Iterable[dict],
    workers: int = 2,
    limit: float = LIMIT_S,
    tell: Callable[[Result], None] = lambda result: None,
) -> list[Result]:
    """Run cases on so many processes; ``tell`` hears of each when it is done."""
    waiting: queue.SimpleQueue = queue.SimpleQueue()
    for job in jobs:
        waiting.put(job)
    done: list[Result] = []
    lock = threading.Lock()

    def serve() -> None:
        with tempfile.TemporaryDirectory(prefix="geoanon-fuzz-") as folder:
            worker = Worker(Path(folder))
            try:
                while True:
                    try:
                        job = waiting.get_nowait()
                    except queue.Empty:
                        return
                    result = one(worker, job, limit)
                    with lock:
                        done.append(result)
                        tell(result)
            finally:
                worker.stop()

    threads = [threading.Thread(target=serve) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(done, key=lambda one: (one.algorithm, one.seed, one.case))


def one(worker: Worker, job: dict, limit: float = LIMIT_S) -> Result:
    """Run one case; a worker that dies of it is a finding."""
    result = Result(job["algorithm"], job["seed"], job["case"])
    began = time.monotonic()
    try:
        for name, value in worker.ask(job, limit).items():
            setattr(result, name, value)
    except Died as why:
        result.findings = [f"died: {why}"]
        result.seconds = time.monotonic() - began
    return result


def algorithms() -> list[str]:
    """Names of everything that the provider has."""
    with tempfile.TemporaryDirectory(prefix="geoanon-fuzz-") as folder:
        worker = Worker(Path(folder))
        try:
            worker.start()
            return worker.algorithms
        finally:
            worker.stop()


def _environment(folder: Path) -> dict[str, str]:
    """A platform without a window, and a profile and a temporary folder that nobody else has."""
    runtime, temporary = folder / "runtime", folder / "tmp"
    for one_folder in (runtime, temporary):
        shutil.rmtree(one_folder, ignore_errors=True)
        one_folder.mkdir(mode=0o700)
    settings = {
        "QT_QPA_PLATFORM": "offscreen",
        "QGIS_CUSTOM_CONFIG_PATH": str(folder / "profile"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_RUNTIME_DIR": str(runtime),
        "TMPDIR": str(temporary),
        "PYTHONHASHSEED": "0",
    }
    without = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY")
    }
    return {**without, **settings}
