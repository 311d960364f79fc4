# SPDX-License-Identifier: GPL-2.0-or-later
"""How pyproj is asked: in one thread, and with arrays."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

_proj_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="geoanon-proj")


def in_proj_thread(function: Callable[..., Any]) -> Callable[..., Any]:
    """Run a function that uses pyproj in the one thread that ever does.

    pyproj keeps a PROJ context for each thread and can be left with a freed one when the thread
    is not Python's own, as those of QGIS's task manager are: the second run then crashes.
    """

    @functools.wraps(function)
    def run(*arguments: Any) -> Any:
        if threading.current_thread().name.startswith("geoanon-proj"):
            return function(*arguments)
        return _proj_thread.submit(function, *arguments).result()

    return run


def of_arrays(ask: Callable[..., Any], *columns: np.ndarray, **options: Any) -> tuple[Any, ...]:
    """Ask pyproj about rows, of which there may be one.

    pyproj tries an array of one element as a number first, of which NumPy 2 warns: such a row goes
    in twice.

    Parameters
    ----------
    ask : callable
        ``Geod.inv``, ``Geod.fwd`` or ``Transformer.transform``.
    *columns : (n,) float array
    **options
        Handed on.

    Returns
    -------
    tuple of (n,) float array
    """
    if len(columns[0]) != 1:
        return tuple(ask(*columns, **options))
    return tuple(both[:1] for both in ask(*(np.repeat(one, 2) for one in columns), **options))
