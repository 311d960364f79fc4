# SPDX-License-Identifier: GPL-2.0-or-later
"""Anonymise and judge a large table: processor time, peak memory, longest silence of each step.

    python benchmarks/microdata_scale.py [--records 1000000] [--reference] [--persons] [--whole]
        [--utility]

Memory is what a step adds to what was there when it began, in coded tables; the coded original,
release and reference themselves are there by then. A silence is the longest time between two
looks at cancel, by the clock: on a busy machine it is longer than the work in it. With ``--persons`` attacks
are told whose each record is: three on average, dealt out at random.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import _survey
import _timing  # noqa: F401  (puts the checkout on the path)
import numpy as np

from geoanon_qgis.core.microdata.attacks.battery import attack_release
from geoanon_qgis.core.microdata.digits import as_released
from geoanon_qgis.core.microdata.learning import learn_coding
from geoanon_qgis.core.microdata.people import People
from geoanon_qgis.core.microdata.release import anonymize
from geoanon_qgis.core.microdata.risk import disclosure_risk, people_measured
from geoanon_qgis.core.microdata.utility import utility

#: Silences that are shown with where they ended (seconds).
_LONG = 0.4


class Listener:
    """A progress callback that keeps the longest time between two calls, and where it ended."""

    def __init__(self):
        self.last = self.last_cpu = None
        self.silences: list[tuple[float, float, str]] = []
        self.start()

    def start(self):
        self.last, self.last_cpu = time.perf_counter(), time.process_time()

    def __call__(self, fraction: float) -> None:
        now, cpu = time.perf_counter(), time.process_time()
        if now - self.last > _LONG:
            here = [one for one in traceback.extract_stack()[:-1] if "progress.py" not in one[0]]
            where = " < ".join(f"{Path(one[0]).name}:{one[1]}" for one in here[::-1][:3])
            self.silences.append((now - self.last, cpu - self.last_cpu, where))
        self.last, self.last_cpu = time.perf_counter(), time.process_time()


def memory(key: str) -> int:
    """Return bytes that this process holds (VmRSS) or held at most (VmHWM)."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith(key))


def step(name: str, job: Callable[[Listener], object], size: int = 0):
    """Run one step and say what it took; return its result."""
    listener = Listener()
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before, cpu, clock = memory("VmRSS:"), time.process_time(), time.perf_counter()
    listener.start()
    made = job(listener)
    listener(1.0)
    cpu, clock = time.process_time() - cpu, time.perf_counter() - clock
    more = memory("VmHWM:") - before
    tables = f"{more / size:.2f} tables" if size else ""
    worst = max(listener.silences, default=(0.0, 0.0, ""))
    print(f"{name:34} {cpu:8.1f} s of CPU {clock:8.1f} s  {more / 1e6:8.0f} MB  {tables}")
    for silence, own, where in sorted(listener.silences, reverse=True)[:6]:
        print(f"      silent for {silence:.2f} s ({own:.2f} s of CPU), until {where}")
    sys.stdout.flush()
    return made, worst


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--reference", action="store_true")
    parser.add_argument("--persons", action="store_true")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--utility", action="store_true")
    chosen = parser.parse_args()
    table = _survey.survey(chosen.records, np.random.default_rng(1))
    kinds = _survey.kinds(table)
    coding, _ = step("kinds and coding learnt", lambda p: learn_coding(table, kinds, progress=p))
    (original, rows), _ = step("coded", lambda p: coding.encode(table, p))
    size = original.nbytes
    rng = np.random.default_rng(2)
    made, _ = step(
        "anonymised (swapping)",
        lambda p: anonymize(
            table, "spectral_swapping", rng, kinds=kinds, rules="found", progress=p
        ),
        size,
    )
    released_table = made.columns
    del made
    (released, _), _ = step("release coded", lambda p: coding.encode(released_table, p))
    reference = others = None
    if chosen.reference:
        others = _survey.survey(chosen.records, np.random.default_rng(3))
        (reference, _), _ = step("reference coded", lambda p: coding.encode(others, p))
    variants, _ = step(
        "digits of the release",
        lambda p: as_released(
            coding,
            table,
            released_table,
            others,
            p,
            ((original, rows), None if reference is None else (reference, rows)),
        ),
        size,
    )
    if chosen.utility:
        step("utility", lambda p: utility(original, released, coding.labels, p), size)
    found, _ = step(
        "measures",
        lambda p: disclosure_risk(
            original,
            released,
            reference,
            progress=p,
            variants=variants,
            blocks=coding.blocks,
            people=people_measured(original, chosen.whole),
        ),
        size,
    )
    whose: tuple[People | None, People | None] = (None, None)
    if chosen.persons:
        dealt = np.random.default_rng(4).integers(0, chosen.records // 3, (2, chosen.records))
        whose = People.numbered(dealt[0]), People.numbered(dealt[1]) if chosen.reference else None
    battery, _ = step(
        "attacks",
        lambda p: attack_release(
            coding,
            original,
            released,
            reference,
            variants,
            (found.of_all(found.measured.distance), found.of_all(found.reference.distance)),
            0.09,
            progress=p,
            whose=whose,
        ),
        size,
    )
    print(found.with_attacks(battery).in_words())
    return 0


if __name__ == "__main__":
    sys.exit(main())
