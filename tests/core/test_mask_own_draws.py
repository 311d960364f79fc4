# SPDX-License-Identifier: GPL-2.0-or-later
"""Records of one home that were each moved by itself: rings give it away, as often as he believes."""

import numpy as np
import pytest

from geoanon_qgis.core.attacks.masks.home_rates import HomeRates
from geoanon_qgis.core.attacks.masks.likelihood import Likelihood, by_law
from geoanon_qgis.core.attacks.masks.own_draws import of_own_draws
from geoanon_qgis.core.attacks.masks.posterior import who_lives_there
from geoanon_qgis.core.attacks.masks.record_counts import RecordCounts
from geoanon_qgis.core.attacks.masks.together import together
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.laws import Donut, disc
from geoanon_qgis.core.runtime import accel
from tests.core.test_mask_unlisted import off, town

draw_counts = RecordCounts.draw


def attacked(law, records, seed, close=False):
    """Who looks for rings, who takes each point for a home of its own, and the truth."""
    rng, homes = np.random.default_rng(seed), town(seed, 3000)
    near = np.arange(len(homes))
    if close:
        near = np.argsort(np.hypot(*(homes - homes[0]).T))[: 4 * len(records)]
    rows = np.repeat(rng.choice(near, len(records), replace=False), records)
    apart = np.stack([rows, np.arange(len(rows))], axis=1)
    xy = displace(homes[rows], law, rng.bytes(32), "test", stored=apart).xy
    likely = by_law(xy, homes, law)
    rings = of_own_draws(likely, homes, None, rng)
    return rings, who_lives_there(rings.likelihood), who_lives_there(together(likely)), rows


@pytest.mark.parametrize("law", [Donut(40.0, 60.0), disc(75.0)], ids=["donut", "disc"])
def test_points_of_one_home_give_it_away_and_he_knows_it(law):
    records = np.random.default_rng(2).geometric(0.4, 90)
    drawn, rings, distinct, rows = attacked(law, records, 1)
    right, blind = rings.right(rows), distinct.right(rows)
    assert right.sum() > 1.8 * blind.sum()
    # All records of a home are found, or none.
    together = np.square(records).sum() / records.sum()
    assert off(rings.top, right) < 3.5 * np.sqrt(together)
    error = np.sqrt(together * (rings.top * (1 - rings.top)).sum())
    assert right.sum() == pytest.approx(rings.top.sum(), abs=3 * error)
    assert drawn.shared.mean() == pytest.approx(1 - 90 / len(rows), abs=0.08)


def test_where_each_has_one_record_nothing_is_made_of_chance():
    drawn, rings, distinct, rows = attacked(Donut(40.0, 60.0), np.ones(120, dtype=int), 3)
    assert rings.top.sum() == pytest.approx(distinct.top.sum(), rel=0.15)
    assert rings.right(rows).sum() == pytest.approx(rings.top.sum(), abs=4 * np.sqrt(40))
    assert np.quantile(drawn.shared, 0.05) < 0.05 and drawn.shared.mean() < 0.1


def test_a_file_that_stands_close_together_is_not_believed_too_much():
    """A quarter of some neighbours, nobody elsewhere: their points overlap, and tell less."""
    drawn, rings, _, rows = attacked(Donut(40.0, 60.0), np.full(100, 4), 6, close=True)
    assert rings.top.sum() < 1.2 * rings.right(rows).sum()
    single, rings, distinct, rows = attacked(Donut(40.0, 60.0), np.ones(150, dtype=int), 6, True)
    assert np.quantile(single.shared, 0.05) < 0.05 < np.quantile(drawn.shared, 0.05)
    assert rings.top.sum() < 1.15 * distinct.top.sum()


@pytest.mark.parametrize("alike", [False, True], ids=["one each", "as a rule two"])
def test_few_records_are_as_every_way_to_put_them(monkeypatch, alike):
    """Against the sum over all ways, with odds and counts that stay."""
    rng = np.random.default_rng(4)
    value, weight = (
        rng.random((5, 4)) * (rng.random((5, 4)) < 0.8) + 0.01,
        np.array([1.0, 2.0, 0.5, 0.7]),
    )
    monkeypatch.setattr(HomeRates, "draw", lambda *_: None)
    monkeypatch.setattr(RecordCounts, "draw", lambda *_: None)
    if alike:
        two = RecordCounts()
        for _ in range(3):
            draw_counts(two, np.full(8, 2), rng)
        monkeypatch.setattr(RecordCounts, "__init__", lambda self: setattr(self, "gain", two.gain))
    gain, odds = RecordCounts().gain, 5 / 4 * weight / weight.mean()
    assert (gain[1] > 3 * gain[0]) == alike
    total, wanted = 0.0, np.zeros((5, 4))
    for way in np.ndindex(4, 4, 4, 4, 4):
        chance, count = 1.0, np.zeros(4, dtype=int)
        for record, at in enumerate(way):
            chance *= value[record, at] * gain[count[at]] * (1 if count[at] else odds[at])
            count[at] += 1
        total += chance
        wanted[np.arange(5), way] += chance
    likely = Likelihood.of_pairs(5, 4, *np.indices((5, 4)).reshape(2, -1), value.ravel())
    found = np.mean(
        [of_own_draws(likely, rng.random((4, 2)), weight, rng).likelihood.value for _ in range(6)],
        axis=0,
    )
    assert found.reshape(5, 4) == pytest.approx(wanted / total, abs=0.03)


def test_two_wrong_pairs_become_two_right_ones(monkeypatch):
    """Homes have two records: 0 and 1, 2 and 3 of one, nine times likelier than 0 and 2, 1 and 3."""
    gain = np.array([1e-4, 2e4, *np.full(400, 1e-4)])
    monkeypatch.setattr(HomeRates, "draw", lambda *_: None)
    monkeypatch.setattr(RecordCounts, "draw", lambda *_: None)
    monkeypatch.setattr(RecordCounts, "__init__", lambda self: setattr(self, "gain", gain))
    likely, less = 1.0, 9.0**-0.25
    value = np.array([likely, less, likely, less, likely, less, likely, less])
    candidate = np.array([0, 2, 0, 3, 1, 2, 1, 3])
    pairs = Likelihood.of_pairs(4, 4, np.repeat(np.arange(4), 2), candidate, value)
    rng = np.random.default_rng(8)
    found = [of_own_draws(pairs, rng.random((4, 2)), None, rng).likelihood.value for _ in range(3)]
    assert np.mean(found, axis=0)[::2] == pytest.approx(np.full(4, 0.9), abs=0.05)


def test_as_many_records_everywhere_is_a_law_too():
    counts, rng = RecordCounts(), np.random.default_rng(1)
    for each in (2, 3):
        draw_counts(counts, np.full(200, each), rng)
        # p(n + 1) / p(n) is great before, and small after it; a Poisson number's would be 1 and 1/2.
        assert counts.gain[each - 1] > 5 * each and counts.gain[each] < 0.3 * (each + 1)


def test_the_number_of_records_is_a_law_and_is_found():
    counts, rng = RecordCounts(), np.random.default_rng(1)
    counts.draw(np.ones(400, dtype=int), rng)
    assert counts.gain[0] > 0.95 and counts.gain[1] < 0.05
    counts.draw(rng.poisson(4.0, 400) + 1, rng)
    # (n + 1) p(n + 1) / p(n) of one more than a Poisson number is (n + 1) 4 / n.
    assert counts.gain[[1, 4, 8]] == pytest.approx([8.0, 5.0, 4.5], rel=0.25)


def test_rates_are_found_where_homes_are():
    rng = np.random.default_rng(2)
    xy = rng.uniform(0, 1000, (3000, 2))
    rates = HomeRates(xy, np.ones(3000), 200)
    inside = xy.max(axis=1) < 500
    homes = rng.choice(np.flatnonzero(inside), 200, replace=False)
    seen = []
    for _ in range(20):
        rates.draw(homes, rng)
        seen.append(rates.odds)
    odds = np.mean(seen, axis=0)
    # A quarter of those within, odds of about one to three; nobody beyond.
    assert np.median(odds[inside]) == pytest.approx(200 / (inside.sum() - 200), rel=0.3)
    assert np.median(odds[~inside]) < 0.02


def test_it_is_the_same_without_numba():
    found = []
    for on in (True, False):
        accel.set_enabled(on)
        try:
            found.append(attacked(disc(75.0), np.array([3, 2, 1, 1, 4]), 5)[0])
        finally:
            accel.set_enabled(True)
    fast, slow = found
    assert (slow.home == fast.home).all() and (slow.shared == fast.shared).all()
    assert slow.likelihood.value == pytest.approx(fast.likelihood.value, rel=1e-12)
