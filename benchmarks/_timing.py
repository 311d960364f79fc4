# SPDX-License-Identifier: GPL-2.0-or-later
"""What the benchmarks share: runs that alternate, peak memory, and a table with a verdict.

Seconds differ from machine to machine and from hour to hour; ratios of jobs that take turns in
one process differ much less. So every speed that is promised against something is a ratio.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

#: The checkout; benchmarks run as scripts, which do not have it on the path.
ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # no benchmark needs a window

#: Data that are not the project's, beside the checkout.
SHARED = ROOT.parent / "shared" / "data"


def seconds(job: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Wall time of one run; CPU time by ``time.process_time``, which a busy machine changes less."""
    start = clock()
    job()
    return clock() - start


def take_turns(
    jobs: Mapping[str, Callable[[], object]],
    rounds: int = 5,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, list[float]]:
    """Run every job once to warm up, then all of them in turn; return seconds by job."""
    for job in jobs.values():
        job()
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for number in range(rounds):
        # Every other round goes backwards, so that no job always follows the same one.
        for name in list(jobs)[:: 1 if number % 2 == 0 else -1]:
            times[name].append(seconds(jobs[name], clock))
    return times


def median_ratio(numerator: list[float], denominator: list[float]) -> float:
    """Median over the rounds of the ratio of two jobs' times."""
    return statistics.median(a / b for a, b in zip(numerator, denominator))


def cancel_delay(job: Callable[[Callable[[float], None]], object], after: float) -> float:
    """Seconds from the request, at a time of its own, until the engine has returned."""
    from geoanon_qgis.core.runtime.errors import Cancelled

    requested = threading.Event()
    when = [0.0]

    def progress(fraction: float) -> None:
        if requested.is_set():
            raise Cancelled

    def request() -> None:
        when[0] = time.perf_counter()
        requested.set()

    timer = threading.Timer(after, request)
    timer.start()
    try:
        job(progress)
    except Cancelled:
        return time.perf_counter() - when[0]
    finally:
        timer.cancel()
    return 0.0  # it was over before anybody asked


def peak_memory(setup: str, work: str) -> int:
    """Bytes by which ``work`` raises the peak memory of a fresh process after ``setup``.

    The operating system counts every page, those of compiled libraries too. Reading the peak
    needs ``/proc`` or the module ``resource``; the peak before is reset where that is allowed.
    """
    code = _MEMORY.format(setup=setup, work=work)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return int(done.stdout.split()[-1])


_MEMORY = """
import resource, sys
{setup}

def status(key):
    try:
        with open("/proc/self/status") as file:
            for line in file:
                if line.startswith(key):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit

before = status("VmRSS:")
try:
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
except OSError:
    before = status("VmHWM:")
{work}
print(status("VmHWM:") - before)
"""


@dataclass(frozen=True)
class Line:
    """One line of a benchmark's table; ``holds`` is None where nothing is promised."""

    what: str
    budget: str
    measured: str
    holds: bool | None = None


def at_most(what: str, limit: float, measured: float, unit: str = "") -> Line:
    """A line for a measure that must not exceed a limit."""
    unit = f" {unit}" if unit else ""
    return Line(what, f"<= {limit:g}{unit}", f"{measured:.3g}{unit}", measured <= limit)


def at_least(what: str, limit: float, measured: float, unit: str = "") -> Line:
    """A line for a measure that must reach a limit."""
    unit = f" {unit}" if unit else ""
    return Line(what, f">= {limit:g}{unit}", f"{measured:.5g}{unit}", measured >= limit)


def note(what: str, measured: str) -> Line:
    """A line for a measure of which nothing is promised."""
    return Line(what, "", measured)


def table(title: str, lines: list[Line]) -> int:
    """Print what was measured; return 0 whether it holds or not.

    A busy machine can miss a budget: the last column says so, and the exit status stays 0, as
    only a benchmark that fails to run has failed.
    """
    verdict = {True: "yes", False: "NO", None: ""}
    rows = [("what", "budget", "measured", "holds")]
    rows += [(one.what, one.budget, one.measured, verdict[one.holds]) for one in lines]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    print(f"\n{title}\n")
    for number, row in enumerate(rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        if number == 0:
            print("  ".join("-" * width for width in widths))
    print(flush=True)
    return 0
