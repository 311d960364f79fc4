# SPDX-License-Identifier: GPL-2.0-or-later
"""The one thread that uses pyproj."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

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
