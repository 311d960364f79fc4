# SPDX-License-Identifier: GPL-2.0-or-later
"""A run that takes long says what it does, and about how long it will take."""

from types import SimpleNamespace

import pytest

from geoanon_qgis.core.runtime import accel, installing
from geoanon_qgis.processing import pace
from geoanon_qgis.processing.provider import algorithm_classes
from tests.processing.helpers import Feedback, layer, points, run

ENDS = {"read": 0.2, "attack": 0.9, "write": 1.0}


class Clock:
    """Seconds that pass as told."""

    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def paced():
    clock, told = Clock(), []
    return clock, told, pace.Pace(told.append, ENDS, clock)


def test_a_short_run_says_nothing(paced):
    clock, told, one = paced
    for fraction in (0.1, 0.5, 1.0):
        clock.now += 3
        one.heard(fraction)
    assert told == []


def test_a_long_one_tells_steps_and_what_each_takes_longer(paced):
    clock, told, one = paced
    clock.now += 10
    one.heard(0.001)
    assert told == ["Reading … 0 % are done."]
    clock.now += 5
    one.heard(0.002)
    assert told.pop() == "Reading … 0 % are done; how long this step takes cannot be told yet."
    one.heard(0.2)
    assert told.pop() == "Attacking … 20 % are done."
    clock.now += 4
    one.heard(0.3)
    assert len(told) == 1  # too soon
    clock.now += 6
    one.heard(0.375)  # 10 s for a quarter of the attack, whatever reading took
    assert told.pop() == (
        "Attacking … 37 % are done; this step takes about 30 seconds more, if it goes on as it did."
    )
    clock.now += 9
    one.heard(0.5)
    assert len(told) == 1
    clock.now += 1
    one.heard(0.55)  # twice as long as at the last line
    assert "55 %" in told[-1] and "about 20 seconds" in told.pop()
    one.heard(0.95)
    assert told.pop() == "Writing … 95 % are done."
    one.heard(1.0)
    assert len(told) == 1


def test_one_that_slows_down_says_so(paced):
    clock, told, one = paced
    one.heard(0.21)
    for second in range(1, 41):  # a third at once, and then hardly anything
        clock.now += 1
        one.heard(0.43 + 0.0005 * second)
    assert told[-1].endswith("this step takes about 70 seconds more, or much longer.")


def test_times_are_rough():
    assert pace.about(0.3) == "about 5 seconds"
    assert pace.about(88) == "about 90 seconds"
    assert pace.about(130) == "about 2 minutes"
    assert pace.about(3600 * 3.2) == "about 3 hours"


def test_every_step_says_what_it_does():
    steps = {name for one in algorithm_classes() for name in one.STEPS}
    assert steps - set(pace.DOING) == set(), "no words"
    assert set(pace.DOING) - steps <= {"work"}, "words of no step"


def test_a_run_is_paced(project, monkeypatch):
    monkeypatch.setattr(pace, "LONG_S", 0.0)
    feedback = Feedback()
    run("maskdisplace", {"INPUT": layer(points(30)), "OUTPUT": "TEMPORARY_OUTPUT"}, feedback)
    lines = [line for line in feedback.said.splitlines() if "% are done" in line]
    assert {line.split(" …")[0] for line in lines} >= {"Reading", "Masking", "Writing"}


def test_the_want_of_numba_is_told_before_the_work(project, monkeypatch):
    monkeypatch.setattr(accel, "available", lambda: False)
    slow = [one for one in algorithm_classes() if one.WITHOUT_NUMBA > 1]
    assert slow
    sentence = str(installing.slower_sentence(3.0))
    assert "about 3 times as long" in sentence and "numba" in sentence and "install" in sentence
    assert installing.slower_sentence(1.2) == ""
    feedback = Feedback()
    given = {"INPUT": layer(points(40)), "CANDIDATES": layer(points(40)), "K": 5}
    run("maskexchange", {**given, "OUTPUT": "TEMPORARY_OUTPUT"}, feedback)
    said = [line for line in feedback.said.splitlines() if line]
    assert said[0].startswith("Without the package numba this takes about")
    monkeypatch.setattr(accel, "enabled", lambda: True)
    assert installing.slower_sentence(3.0) == ""


def test_the_search_for_a_clique_loses_most_without_numba(provider):
    algorithm = provider.algorithm("linkageattack")

    def times(method):
        return algorithm.without_numba(SimpleNamespace(choice=lambda name: method))

    assert times("clique") > times("strongest") > times("near_group") == algorithm.WITHOUT_NUMBA
