# SPDX-License-Identifier: GPL-2.0-or-later
"""The one place that knows numba.

numba is an accelerator, never a need: every kernel is a plain Python function that gives the
same results without it. It is imported when a kernel is first called, so that loading the
plugin stays quick, and it is switched off by the environment variable ``GEOANON_NUMBA=0`` or by
:func:`set_enabled`.
"""

from __future__ import annotations

import contextvars
import functools
import importlib.util
import os
import threading
from contextlib import suppress
from typing import Any, Callable

from .locks import alone
from .progress import interruptible
from .wording import mark

_switched_on: bool = os.environ.get("GEOANON_NUMBA", "1").strip().lower() not in (
    "0",
    "no",
    "off",
    "false",
)
_notice: Callable[[str], None] | None = None
#: Raises if the run in this thread is to stop; compiling takes seconds and asks for nobody.
_ask: contextvars.ContextVar[Callable[[], None] | None] = contextvars.ContextVar(
    "geoanon_ask", default=None
)
#: Blocks of one job reach a kernel at the same time: it is compiled once.
_compiling = threading.RLock()
#: Seconds to wait for another process that compiles the same kernel.
_PATIENCE_S = 120.0
#: Functions that kernels call, not yet known to numba, and whether they are copied into each call.
_helpers: list[tuple[Callable[..., Any], str]] = []


@functools.lru_cache(maxsize=1)
def available() -> bool:
    """Whether numba can be imported (it is not, yet)."""
    try:
        return importlib.util.find_spec("numba") is not None
    except (ImportError, ValueError):
        return False


def enabled() -> bool:
    """Whether kernels run compiled."""
    return _switched_on and available()


def set_enabled(on: bool) -> None:
    """Switch compiled kernels on or off for this process."""
    global _switched_on
    _switched_on = bool(on)


def on_compile(notice: Callable[[str], None] | None, ask: Callable[[], None] | None = None) -> None:
    """Have ``notice`` told once, with a sentence, before the first kernel is compiled.

    ``ask`` is called again and again while this run's kernels are compiled, in whichever thread
    waits for them, and may raise to cancel.
    """
    global _notice
    _notice = notice
    _ask.set(ask)


def status() -> str:
    """``compiled``, ``switched off`` or ``not installed``."""
    if not available():
        return "not installed"
    return "compiled" if _switched_on else "switched off"


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a numeric loop with numba where it is; run it as it stands where it is not.

    Compiled kernels release the GIL. They are never parallel themselves: numba's default
    threading layer ends the process when two threads enter it. A division by zero gives
    infinity or no number, as in NumPy: a check at every division would keep loops scalar.
    """
    compiled: list[Callable[..., Any]] = []
    known: set[tuple] = set()

    @functools.wraps(function)
    def run(*arguments: Any) -> Any:
        if not enabled():
            return function(*arguments)
        if not compiled:
            with _compiling:
                if not compiled:
                    compiled.append(_compile(function))
        ask = _ask.get()
        if ask is None:
            return compiled[0](*arguments)
        kinds = tuple(map(_kind, arguments))
        if kinds in known:
            return compiled[0](*arguments)
        # On a cancel numba goes on alone; what it works on is dropped with the run.
        result = interruptible(lambda: compiled[0](*arguments), lambda fraction: ask())
        known.add(kinds)
        return result

    run.__dict__["python"] = function
    return run


def _kind(argument: Any) -> tuple:
    """What numba compiles a kernel for anew: the type, and an array's layout."""
    if isinstance(argument, tuple):
        return tuple(map(_kind, argument))
    flags = getattr(argument, "flags", None)
    if flags is None:
        return (type(argument),)
    return argument.dtype, argument.ndim, flags.num


def helper(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let kernels call a plain function; it stays what it is for everyone else.

    The function must be one that works on numbers and arrays alike, so that a kernel's loop
    and NumPy run the same operations.
    """
    _helpers.append((function, "always"))
    return function


def routine(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let kernels of the same file call a longer function, compiled once and not into each call.

    What numba keeps of a kernel is thrown away when the kernel's own file changes, and only then.
    """
    _helpers.append((function, "never"))
    return function


def _compile(function: Callable[..., Any]) -> Callable[..., Any]:
    global _notice
    if _notice is not None:
        _notice(mark("Preparing the fast kernels; the first run takes a few seconds longer."))
        _notice = None
    try:
        import numba
    except Exception:  # installed, but not for this NumPy: the results are the same without it
        available.cache_clear()
        set_enabled(False)
        return function
    while _helpers:
        called, inline = _helpers.pop()
        numba.extending.register_jitable(inline=inline)(called)
    try:
        compiled = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:  # no folder that a cache could be written to
        return numba.njit(nogil=True, error_model="numpy")(function)
    compiled.compile = _one_at_a_time(compiled)
    return compiled


def _one_at_a_time(dispatcher: Any) -> Callable[..., Any]:
    """Compile for one type in one process at a time.

    The second finds what the first has kept. Two that keep one function for different types at once
    would mix up whose is whose, and a later process would run what is for other types.
    """
    compile_it, folder = dispatcher.compile, dispatcher.stats.cache_path
    function = dispatcher.py_func
    name = f"{function.__module__}.{function.__qualname__}".replace("<", "").replace(">", "")

    def compile_alone(kinds: Any) -> Any:
        with suppress(OSError):
            os.makedirs(folder, exist_ok=True)
        with alone(os.path.join(folder, name + ".lock"), _PATIENCE_S):
            return compile_it(kinds)

    return compile_alone
