# SPDX-License-Identifier: GPL-2.0-or-later
"""Blocks of work in threads: results in order, errors and cancels handed on."""

from __future__ import annotations

import threading
import time

import pytest

from geoanon_qgis.core.runtime.errors import Cancelled
from geoanon_qgis.core.runtime.parallel import run_blocks


@pytest.mark.parametrize("workers", [None, 1, 3])
def test_results_come_in_order(workers):
    told = []
    done = run_blocks(lambda number: number * number, range(40), told.append, workers=workers)
    assert done == [number * number for number in range(40)]
    assert told == sorted(told) and told[-1] == 1.0
    assert run_blocks(lambda number: number, [], told.append) == []


def test_progress_is_told_in_the_thread_that_asked():
    threads = set()
    run_blocks(
        lambda _: time.sleep(0.001),
        range(20),
        lambda _: threads.add(threading.current_thread()),
        workers=2,
    )
    assert threads == {threading.current_thread()}


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_in_a_block_ends_the_run(workers):
    def work(number):
        if number == 3:
            raise ValueError("three")
        time.sleep(0.001)

    with pytest.raises(ValueError, match="three"):
        run_blocks(work, range(1000), workers=workers)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_cancel_acts_at_once_and_leaves_nothing_running(workers):
    begun, running = [], []

    def work(number):
        begun.append(number)
        running.append(number)
        time.sleep(0.02)
        running.pop()

    asked = []

    def cancel(fraction):
        asked.append(fraction)
        if len(asked) > 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        run_blocks(work, range(1000), cancel, workers=workers)
    assert running == [] and len(begun) < 1000
