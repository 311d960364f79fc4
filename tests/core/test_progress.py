# SPDX-License-Identifier: GPL-2.0-or-later
"""Progress, cancelling, and calls that cannot be interrupted."""

from __future__ import annotations

import threading

import pytest

from geoanon_qgis.core.runtime.errors import Cancelled, GeoAnonError, InputError, MissingPackage
from geoanon_qgis.core.runtime.progress import chunks, interruptible, part, shares, silent


@pytest.mark.parametrize(("count", "size"), [(0, 5), (1, 5), (5, 5), (6, 5), (23, 5), (3, 100)])
def test_chunks_cover_the_rows_once(count, size):
    told = []
    covered = [row for rows in chunks(count, size, told.append) for row in range(count)[rows]]
    assert covered == list(range(count))
    assert told == sorted(told) and told[-1] == 1.0
    assert len(told) == -(-count // size) + 1


def test_chunks_stop_where_they_are_cancelled():
    done = []

    def progress(fraction):
        if fraction >= 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        for rows in chunks(100, 10, progress):
            done.append(rows)
    assert len(done) == 5


def test_a_part_of_the_progress():
    told = []
    inner = part(part(told.append, 0.2, 0.6), 0.5, 1.0)
    for fraction in (0.0, 0.5, 1.0):
        inner(fraction)
    assert told == pytest.approx([0.4, 0.5, 0.6])
    assert part(silent, 0.2, 0.6) is silent


def test_shares_follow_one_another():
    told = []
    for share in shares(part(told.append, 0.2, 0.6), 4):
        for fraction in (0.0, 0.5, 1.0):
            share(fraction)
    assert told == sorted(told) and (told[0], told[-1]) == pytest.approx((0.2, 0.6))
    assert len(set(told)) == 9


def test_a_call_that_cannot_be_interrupted_gives_its_result():
    told = []
    assert interruptible(lambda: 42, silent) == 42
    assert interruptible(lambda: 42, told.append, 0.3) == 42
    assert set(told) <= {0.3}


@pytest.mark.parametrize("progress", [silent, lambda fraction: None])
def test_its_errors_come_through(progress):
    def fails():
        raise ZeroDivisionError("inside")

    with pytest.raises(ZeroDivisionError, match="inside"):
        interruptible(fails, progress)


def test_a_cancel_does_not_wait_for_its_end():
    go_on = threading.Event()
    ended = threading.Event()

    def long():
        go_on.wait(30)
        ended.set()

    def progress(fraction):
        raise Cancelled

    try:
        with pytest.raises(Cancelled):
            interruptible(long, progress)
        assert not ended.is_set()
    finally:
        go_on.set()


def test_it_asks_again_and_again():
    asked = []
    stop = threading.Event()

    def progress(fraction):
        asked.append(fraction)
        if len(asked) == 5:
            stop.set()

    interruptible(lambda: stop.wait(30), progress)
    assert len(asked) >= 5


@pytest.mark.parametrize("error", [InputError, MissingPackage, Cancelled])
def test_every_expected_failure_can_be_caught_as_one(error):
    assert issubclass(error, GeoAnonError)


def test_a_cancel_is_a_sentence():
    assert str(Cancelled()).endswith(".")
