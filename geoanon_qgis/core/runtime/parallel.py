# SPDX-License-Identifier: GPL-2.0-or-later
"""Work in several threads, with progress and cancel in the thread that asked for it."""

from __future__ import annotations

import contextvars
import os
from collections.abc import Iterable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import Any, Callable

from .progress import Progress, silent

#: How often the waiting thread asks whether to go on (seconds).
_POLL_S = 0.05


def processors() -> int:
    """Processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # Windows, macOS
        return os.cpu_count() or 1


def run_blocks(
    function: Callable[[Any], Any],
    blocks: Iterable[Any],
    progress: Progress = silent,
    workers: int | None = None,
) -> list[Any]:
    """Call ``function`` on every block, in threads; return the results in order.

    It pays where the work releases the GIL: compiled kernels, and NumPy on large arrays. A
    callback that raises stops the run: blocks under way are waited for, so a block should
    take no longer than some tenths of a second, and nothing writes to the caller's arrays
    any more when the exception arrives.

    Parameters
    ----------
    function : callable
        Takes one block. Must not use pyproj, which has a thread of its own.
    blocks : iterable
        What to work on.
    progress : callable
        Told the fraction of blocks done, in the caller's thread.
    workers : int, optional
        Threads; as many as there are processors by default.

    Returns
    -------
    list
    """
    blocks = list(blocks)
    workers = min(workers or processors(), len(blocks))
    if workers <= 1:
        results = []
        for number, block in enumerate(blocks):
            progress(number / len(blocks))
            results.append(function(block))
        progress(1.0)
        return results
    pool = ThreadPoolExecutor(workers, thread_name_prefix="geoanon-block")
    try:
        futures = [pool.submit(contextvars.copy_context().run, function, block) for block in blocks]
        pending = set(futures)
        while pending:
            done, pending = wait(pending, _POLL_S, FIRST_EXCEPTION)
            for future in done:
                future.result()
            progress(1.0 - len(pending) / len(blocks))
        return [future.result() for future in futures]
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
