# SPDX-License-Identifier: GPL-2.0-or-later
"""How long a choice of parameters is said to take, by what its attacks take."""

from __future__ import annotations

import time

import numpy as np
import pytest

from geoanon_qgis.core.attacks.linkage.result import CLIQUE, LIKELIHOOD, NEAR_GROUP
from geoanon_qgis.core.attacks.maps.adversary import Overlap
from geoanon_qgis.core.attacks.maps.row_risk import Limits
from geoanon_qgis.core.distances.setting import Grid
from geoanon_qgis.core.distances.trials import Places
from geoanon_qgis.core.experiments.advice import AT_ONCE, MOST_DRAWS, MOST_SLOW
from geoanon_qgis.core.experiments.forecast import forecast
from geoanon_qgis.core.runtime.errors import Cancelled
from geoanon_qgis.core.runtime.parallel import processors
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

LIMITS = Limits(0.25, 0.09)
#: Shares of the released people whom an adversary knows.
HALF, TENTH = Overlap(0.5), Overlap(0.1)


class Timed:
    """Attacks that take so many seconds, of a clock of their own."""

    class draws:
        overlaps = (HALF, TENTH)

    guessed = 0.0

    def __init__(self, quick, slow):
        self.seconds, self.now = {NEAR_GROUP: quick / 2, CLIQUE: quick / 2, LIKELIHOOD: slow}, 0.0

    def quick_for(self, setting):
        return (NEAR_GROUP, CLIQUE)

    def guessed_in(self, setting):
        return self.guessed

    def slow_for(self, setting):
        return (LIKELIHOOD,)

    def always_for(self, setting):
        return ()

    def attack(self, setting, overlap, number, attacks, enough=None, ask=None):
        for name in attacks:
            for step in range(100):
                self.now += self.seconds[name] / 100
                ask(step / 100)


def told(risk, monkeypatch, most=(MOST_DRAWS, MOST_SLOW), ask=lambda fraction: None):
    monkeypatch.setattr(time, "perf_counter", lambda: risk.now)
    points = np.random.default_rng(1).uniform(0, 1000, (12, 2))
    places = Places(points, StudyArea.convex_hull(points, None), metric_for("planar", None))
    return forecast(places, Grid([2, 3], [2]), 2, risk, LIMITS, most, noisy=False, ask=ask)


@pytest.mark.parametrize("slow", [12.0, 300.0])
def test_attacks_that_take_longer_are_timed_and_not_guessed(slow, monkeypatch):
    risk = Timed(3.0, slow)
    expected = (2 * 42 * 3.0 + 42 * slow) / 60 / min(processors(), AT_ONCE)
    made = told(risk, monkeypatch)
    assert made.one_row == pytest.approx(expected, rel=0.1, abs=1)
    # Where somebody is found now and then, all draws there may be are made.
    longest = (2 * MOST_DRAWS * 3.0 + MOST_SLOW * slow) / 60 / min(processors(), AT_ONCE)
    assert made.most == pytest.approx(longest, rel=0.1, abs=1)
    # Nobody waits for five minutes to be told how long it takes.
    assert risk.now < 3 * 3.0 + min(slow, 80.0)


def test_attacks_that_will_not_be_run_are_not_timed(monkeypatch):
    for most, guessed in ((MOST_DRAWS, 0), 0.0), ((41, MOST_SLOW), 0.0), ((MOST_DRAWS, 60), 0.2):
        risk = Timed(3.0, 1e6)
        risk.guessed = guessed
        assert told(risk, monkeypatch, most).one_row <= 2 * 42 * 3.0 / 60
        assert risk.now < 10


def test_a_cancel_is_heard_meanwhile(monkeypatch):
    risk = Timed(3.0, 1e6)

    def cancel(fraction):
        if risk.now > 1000:
            raise Cancelled

    with pytest.raises(Cancelled):
        told(risk, monkeypatch, ask=cancel)
