# SPDX-License-Identifier: GPL-2.0-or-later
"""Where independent tasks run: threads, or a Dask cluster.

Threads need nothing but Python, and compiled kernels let them run side by side. A cluster goes
through joblib, by the backend that Dask distributed brings. Both packages are optional.
"""

from __future__ import annotations

import contextlib
import importlib.util
import queue
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import Cancelled, InputError, MissingPackage
from .parallel import processors
from .progress import Progress, silent

THREADS, DASK = "threads", "dask"

#: How often the waiting thread asks whether to go on (seconds).
_POLL_S = 0.1
_PACKAGE = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Backend:
    """Where to run.

    Attributes
    ----------
    kind : str
        ``threads`` or ``dask``.
    workers : int or None
        Tasks at a time; None for one on each processor (of the cluster).
    scheduler : str
        Address of a Dask scheduler, such as ``tcp://10.0.0.5:8786``; for ``dask`` only.
    patience : float
        Seconds in which the scheduler has to answer.
    """

    kind: str = THREADS
    workers: int | None = None
    scheduler: str = ""
    patience: float = 10.0

    def __post_init__(self) -> None:
        if self.kind not in (THREADS, DASK):
            raise InputError("Tasks run in {threads} or on {dask}.", threads=THREADS, dask=DASK)
        if self.workers is not None and self.workers < 1:
            raise InputError("At least one task has to run at a time.")
        if self.kind == DASK and not self.scheduler:
            raise InputError("Name the address of the Dask scheduler, tcp://host:port.")


def run_tasks(
    function: Callable[..., Any],
    tasks: Sequence[tuple],
    backend: Backend = Backend(),
    progress: Progress = silent,
) -> Iterator[Any]:
    """Call ``function(*task, progress)`` for every task; yield results as they come.

    Parameters
    ----------
    function : callable
        For a cluster one of a module. It is told a progress callback of its own
        as its last argument, which reports in threads and is silent elsewhere.
    tasks : sequence of tuple
    backend : Backend
    progress : Progress
        Called in the caller's thread. If it raises, tasks that run in threads are stopped, and
        no other task is started; one that runs elsewhere is left to end, and its result dropped.

    Raises
    ------
    MissingPackage
        If the backend needs one that is not there.
    InputError
        If no scheduler answers.
    """
    if not tasks:
        return
    shared = _Shared(len(tasks))
    source = _threads if backend.kind == THREADS else _joblib
    # joblib wants its results taken in the thread that asked for them, and blocks meanwhile.
    feeder = threading.Thread(
        target=shared.feed, args=(source, function, tasks, backend), daemon=True
    )
    feeder.start()
    try:
        for _ in tasks:
            result = shared.wait(progress)
            yield result
        progress(1.0)
    finally:
        shared.stopped.set()
        if backend.kind == THREADS:
            feeder.join()


class _Shared:
    """What the caller's thread and the workers tell each other."""

    def __init__(self, count: int):
        self.stopped = threading.Event()
        self.results: queue.Queue[tuple[bool, Any]] = queue.Queue()
        self.fractions = [0.0] * count

    def feed(self, source, function, tasks, backend) -> None:
        try:
            for result in source(function, tasks, backend, self):
                self.results.put((True, result))
        except BaseException as error:  # handed to the waiting thread
            self.results.put((False, error))

    def wait(self, progress: Progress) -> Any:
        while True:
            progress(min(sum(self.fractions) / len(self.fractions), 1.0))
            try:
                fine, result = self.results.get(timeout=_POLL_S)
            except queue.Empty:
                continue
            if not fine:
                raise result
            return result

    def progress_of(self, number: int) -> Progress:
        def report(fraction: float) -> None:
            self.fractions[number] = fraction
            if self.stopped.is_set():
                raise Cancelled

        return report


def _threads(function, tasks, backend: Backend, shared: _Shared) -> Iterator[Any]:
    finished: queue.Queue = queue.Queue()

    def work(number: int) -> None:
        try:
            report = shared.progress_of(number)
            report(0.0)
            result = function(*tasks[number], report)
            shared.fractions[number] = 1.0
            finished.put((True, result))
        except BaseException as error:
            finished.put((False, error))

    pool = ThreadPoolExecutor(backend.workers or processors(), "geoanon-task")
    try:
        for number in range(len(tasks)):
            pool.submit(work, number)
        for _ in tasks:
            fine, result = finished.get()
            if not fine:
                raise result
            yield result
    finally:
        shared.stopped.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _joblib(function, tasks, backend: Backend, shared: _Shared) -> Iterator[Any]:
    try:
        import joblib
    except ImportError as error:
        raise MissingPackage(
            "The package joblib is needed to work on a cluster, and it is"
            " not installed. Run 'Check environment' to see how to install it, or use threads."
        ) from error

    def calls() -> Iterator[Any]:
        for number, task in enumerate(tasks):
            if shared.stopped.is_set():
                return
            yield joblib.delayed(_numbered)(number, function, task)

    with _client(backend) as client, joblib.parallel_config(backend="dask", client=client):
        parallel = joblib.Parallel(
            n_jobs=backend.workers or -1, return_as="generator_unordered", batch_size=1
        )
        results = parallel(calls())
        try:
            for number, result in results:
                shared.fractions[number] = 1.0
                yield result
                if shared.stopped.is_set():
                    break
        finally:
            results.close()


def _numbered(number: int, function: Callable[..., Any], task: tuple) -> tuple[int, Any]:
    return number, function(*task, silent)


@contextlib.contextmanager
def _client(backend: Backend) -> Iterator[Any]:
    """Yield a client of the cluster, whose workers have the engine."""
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingPackage(
            "The package distributed (Dask) is needed to work on a cluster, and it is not"
            " installed. Run 'Check environment' to see how to install it."
        ) from error
    try:
        client = Client(backend.scheduler, timeout=backend.patience, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(
            "No Dask scheduler answers at {scheduler}. Check the address, and that the "
            "cluster runs the same version of Dask.",
            scheduler=backend.scheduler,
        ) from error
    try:
        _bring_package(client)
        yield client
    finally:
        client.close()


def _bring_package(client) -> None:
    """Send the engine to workers that do not have it, and see that all can load it."""
    # A function of this package could not even be asked for by name.
    found = client.run(importlib.util.find_spec, _PACKAGE.name)
    if not all(found.values()):
        with tempfile.TemporaryDirectory() as folder:
            archive = Path(folder) / f"{_PACKAGE.name}.zip"
            with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
                for source in _sources():
                    file.write(source, source.relative_to(_PACKAGE.parent))
            client.upload_file(str(archive))
    try:
        client.run(exec, f"import {_PACKAGE.name}.core.experiments")
    except Exception as error:  # joblib would wait for ever for such a worker
        raise InputError(
            "The workers of the cluster cannot load the engine ({error}). They need NumPy, "
            "SciPy and pyproj as here, and numba to be quick.",
            error=error,
        ) from error


def _sources() -> Iterable[Path]:
    yield _PACKAGE / "__init__.py"
    yield from sorted((_PACKAGE / "core").rglob("*.py"))
