# SPDX-License-Identifier: GPL-2.0-or-later
"""Two adversaries against masks whose law is known: against every pair, and against the truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.attacks.masks.likelihood import (
    Likelihood,
    by_areas,
    by_law,
    by_lists,
    of_homes,
)
from geoanon_qgis.core.attacks.masks.posterior import which_record, who_lives_there
from geoanon_qgis.core.attacks.masks.together import together
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.laws import (
    BY_RADIUS,
    BimodalGaussian,
    Donut,
    Gaussian,
    Laplace,
    disc,
)
from geoanon_qgis.core.masking.partners import partner_graph
from geoanon_qgis.core.masking.sizes import Neighbours
from geoanon_qgis.core.masking.zones import Zones, zone_of
from geoanon_qgis.core.runtime import accel, memory
from geoanon_qgis.core.runtime.errors import InputError

SECRET = bytes(range(32))
LAWS = {
    "disc": lambda sizes: disc(sizes),
    "disc by radius": lambda sizes: disc(sizes, BY_RADIUS),
    "donut": lambda sizes: Donut(0.4 * sizes, sizes),
    "gaussian": lambda sizes: Gaussian(sizes / 2),
    "bimodal": lambda sizes: BimodalGaussian(sizes / 2),
    "laplace": lambda sizes: Laplace(2 / sizes),
}


def homes(seed, count=400, size=1000.0):
    return np.random.default_rng(seed).uniform(0, size, (count, 2))


def dense(law, points, candidates):
    """f(y | c) of every pair, (n, m), each candidate by itself."""
    found = np.empty((len(points), len(candidates)))
    for column, place in enumerate(candidates):
        one = law if law.count is None else law.of(np.array([column])).alone()
        found[:, column] = one.density(np.hypot(*(points - place).T))
    return found


def table(likelihood: Likelihood) -> np.ndarray:
    found = np.zeros((likelihood.points, likelihood.candidates))
    found[likelihood.point, likelihood.candidate] = likelihood.value
    return found


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("adaptive", [False, True])
def test_the_pairs_are_those_that_count(name, adaptive):
    candidates = homes(1)
    sizes = np.random.default_rng(2).uniform(20, 400, len(candidates)) if adaptive else 90.0
    law = LAWS[name](sizes)
    released = homes(3, 60)
    found, wanted = table(by_law(released, candidates, law)), dense(law, released, candidates)
    # What is left out lies in tails that no draw tells.
    assert np.abs(found - wanted).max() <= 1e-7 * wanted.max()
    assert (found[wanted > 1e-6 * wanted.max()] > 0).all()


@given(st.integers(0, 10_000), st.sampled_from(sorted(LAWS)))
def test_the_posterior_is_that_of_every_pair(seed, name):
    rng = np.random.default_rng(seed)
    candidates, released = homes(seed, 40, 300.0), homes(seed + 1, 9, 300.0)
    law = LAWS[name](rng.uniform(60, 200, 40))
    weight = rng.integers(0, 4, 40).astype(float)
    weight[0] = 1
    found = who_lives_there(by_law(released, candidates, law), weight)
    mass = dense(law, released, candidates) * weight
    for row, masses in enumerate(mass):
        if masses.sum() == 0:
            assert found.best[row] == -1 and found.top[row] == found.effective[row] == 0
            continue
        chance = masses / masses.sum()
        some = slice(found.first[row], found.first[row + 1])
        assert found.probability[some] == pytest.approx(chance[found.answer[some]], abs=1e-6)
        assert found.top[row] == pytest.approx(chance.max(), abs=1e-6)
        good = chance > 0
        entropy = -(chance[good] * np.log(chance[good])).sum()
        assert found.effective[row] == pytest.approx(np.exp(entropy), rel=1e-4)


@given(st.integers(0, 10_000))
def test_adversary_b_is_that_of_every_pair(seed):
    rng = np.random.default_rng(seed)
    candidates, released = homes(seed, 30, 300.0), homes(seed + 1, 12, 300.0)
    law, weight = Gaussian(rng.uniform(40, 90, 30)), rng.integers(1, 4, 30).astype(float)
    live = rng.integers(0, 30, 5)
    found = which_record(by_law(released, candidates, law), live, weight)
    f = dense(law, released, candidates)
    anybody = (f * weight).sum(axis=1) / weight.sum()
    for row, home in enumerate(live):
        q = f[:, home] / anybody
        q = q / q.sum()
        some = slice(found.first[row], found.first[row + 1])
        assert found.probability[some] == pytest.approx(q[found.answer[some]], abs=1e-6)
        assert found.top[row] == pytest.approx(q.max(), abs=1e-6)
        assert found.of_truth(found.best)[row] == pytest.approx(q.max(), abs=1e-6)
        assert found.rank_of(found.best)[row] == 1
        for truth in found.answer[some].tolist():
            ahead = (found.probability[some] > found.of_truth(np.full(5, truth))[row]).sum()
            assert found.rank_of(np.full(5, truth))[row] == ahead + 1
        assert found.rank_of(np.full(5, -1))[row] == 0


@pytest.mark.parametrize("zoned", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_adversary_b_needs_no_more_than_homes_and_what_anybody_is(zoned, weighted):
    from shapely import box

    rng = np.random.default_rng(8)
    candidates, released = homes(31, 800), homes(32, 300)
    law, live = Gaussian(rng.uniform(20, 60, 800)), rng.integers(0, 800, 40)
    weight = rng.integers(0, 3, 800).astype(float) if weighted else None
    zones, zone = None, None
    if zoned:
        shapes = [box(x, 0, x + 250, 900) for x in range(0, 1000, 250)]
        zones, zone = Zones.of(shapes), zone_of(candidates, shapes)
    whole = by_law(released, candidates, law, zones, zone)
    part, anybody = of_homes(released, candidates, law, live, weight, zones, zone)
    assert 0 < len(part.value) < len(whole.value) and np.isin(part.candidate, live).all()
    wanted = which_record(whole, live, weight)
    found = which_record(part, live, weight, anybody)
    for one in ("first", "answer", "probability", "best", "top", "tied", "effective"):
        assert np.array_equal(getattr(found, one), getattr(wanted, one)), one


def test_it_is_the_same_without_numba():
    if not accel.available():
        pytest.skip("numba is not installed")
    candidates, released = homes(41, 3000), homes(42, 900)
    sizes = np.random.default_rng(43).uniform(20, 200, 3000)
    found, was = [], accel.enabled()
    try:
        for on in (True, False):
            accel.set_enabled(on)
            likelihood = by_law(released, candidates, LAWS["donut"](sizes))
            found.append((likelihood, together(likelihood)))
    finally:
        accel.set_enabled(was)
    for one, other in zip(*found):
        for name in ("first", "candidate", "value"):
            assert np.array_equal(getattr(one, name), getattr(other, name)), name


def test_a_point_that_did_not_move_is_from_there_where_distances_are_even():
    candidates, law = homes(51, 300, 300.0), disc(80.0, BY_RADIUS)
    released = np.concatenate([candidates[:20], homes(52, 20, 300.0)])
    likelihood = by_law(released, candidates, law)
    assert np.isfinite(likelihood.value).all()
    found = who_lives_there(likelihood)
    assert found.top[:20] == pytest.approx(np.ones(20)) and (found.top[20:] < 1).all()
    assert (found.best[:20] == np.arange(20)).all()
    part, anybody = of_homes(released, candidates, law, np.arange(20))
    for record in (
        which_record(likelihood, np.arange(20)),
        which_record(part, np.arange(20), None, anybody),
    ):
        assert np.isfinite(record.probability).all()
        assert (record.best == np.arange(20)).all()


def test_more_pairs_than_memory_holds_are_refused_before_they_are_listed(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 1_000_000)
    candidates, released = homes(61, 3000), homes(62, 500)
    with pytest.raises(InputError, match="pairs of a released point .* 1.0 MB are free"):
        by_law(released, candidates, Gaussian(60.0))
    with pytest.raises(InputError, match="pairs of a released point"):
        by_areas(np.zeros(500, dtype=int), np.zeros(3000, dtype=int))
    with pytest.raises(InputError, match="pairs of a released point"):
        by_lists(np.zeros(50_000, dtype=int), np.zeros((1, 20), dtype=int), 1, 0.05)
    # Who asks for some people alone needs little.
    part, anybody = of_homes(released, candidates, Gaussian(60.0), np.arange(5))
    assert (anybody > 0).all() and set(part.candidate) <= set(range(5))


# --- is he right as often as he believes? ---------------------------------------------------------


def calibrated(right, believed):
    """No tenth with 200 guesses or more is off by more than four standard errors."""
    tenth = np.minimum((believed * 10).astype(int), 9)
    looked_at = 0
    for one in np.unique(tenth):
        some = tenth == one
        if some.sum() >= 200:
            looked_at += 1
            expected = believed[some].mean()
            error = np.sqrt((believed[some] * (1 - believed[some])).sum()) / some.sum()
            assert abs(right[some].mean() - expected) < 4 * error + 0.01, one
    assert looked_at


@pytest.mark.parametrize("name", LAWS)
def test_both_adversaries_are_right_as_often_as_they_believe(name):
    candidates = homes(5, 2000)
    near = Neighbours(candidates).distances(candidates, [12])[:, 0]
    law, found = LAWS[name](near), {"A": [], "B": []}
    for draw in range(8):
        rows = np.random.default_rng(draw).permutation(2000)[:250]
        released = displace(candidates[rows], law.of(rows), SECRET, f"draw {draw}").xy
        likelihood = by_law(released, candidates, law)
        a = who_lives_there(likelihood)
        b = which_record(likelihood, rows)
        found["A"].append((a.right(rows), a.top))
        found["B"].append((b.right(np.arange(250)), b.top))
    for pairs in found.values():
        right, believed = (np.concatenate(one) for one in zip(*pairs))
        assert right.mean() == pytest.approx(believed.mean(), abs=0.035)
        calibrated(right, believed)


def test_inside_zones_he_divides_by_what_lies_inside():
    from shapely import box

    candidates = homes(7, 1500)
    shapes = [box(x, y, x + 250, y + 250) for x in range(0, 1000, 250) for y in range(0, 1000, 250)]
    zones, zone = Zones.of(shapes), zone_of(candidates, shapes)
    law, right, believed, naive = Gaussian(60.0), [], [], []
    for draw in range(6):
        rows = np.random.default_rng(draw).permutation(1500)[:300]
        made = displace(candidates[rows], law, SECRET, f"zones {draw}", zones, zone[rows])
        likelihood = by_law(made.xy, candidates, law, zones, zone)
        inside = zone_of(made.xy, shapes)[likelihood.point]
        assert (inside == zone[likelihood.candidate]).all()
        guesses = who_lives_there(likelihood)
        right.append(guesses.right(rows)), believed.append(guesses.top)
        naive.append(who_lives_there(by_law(made.xy, candidates, law)).top)
    right, believed = np.concatenate(right), np.concatenate(believed)
    assert right.mean() == pytest.approx(believed.mean(), abs=0.02)
    assert believed.mean() > 1.2 * np.concatenate(naive).mean()


def test_a_poisson_process_is_what_the_formulas_say():
    """Top 1/(2 pi s² rho) and effective k 2 pi e s² rho, where many are near."""
    rho, sigma = 0.01, 60.0
    count = int(rho * 4000**2)
    candidates = homes(11, count, 4000.0)
    middle = np.flatnonzero((np.abs(candidates - 2000) < 1200).all(axis=1))[:400]
    released = displace(candidates[middle], Gaussian(sigma), SECRET, "poisson").xy
    found = who_lives_there(by_law(released, candidates, Gaussian(sigma)))
    assert found.top.mean() == pytest.approx(1 / (2 * np.pi * sigma**2 * rho), rel=0.03)
    assert found.effective.mean() == pytest.approx(2 * np.pi * np.e * sigma**2 * rho, rel=0.03)


def permanents(likely):
    """Share of each pair in all ways to give every point an address of its own, counted out."""
    from itertools import permutations

    found = np.zeros(likely.shape)
    rows = np.arange(len(likely))
    for one in permutations(range(likely.shape[1]), len(likely)):
        found[rows, list(one)] += np.prod(likely[rows, list(one)])
    return found / found.sum(axis=1, keepdims=True)


def test_all_points_together_come_near_to_permanents():
    errors, alone = [], []
    for seed in range(25):
        rng = np.random.default_rng(seed)
        candidates = rng.uniform(0, 200, (8, 2))
        rows = rng.permutation(8)[:5]
        law = Gaussian(60.0)
        released = displace(candidates[rows], law, SECRET, f"few {seed}").xy
        likelihood = by_law(released, candidates, law)
        wanted = permanents(table(likelihood))
        guesses = who_lives_there(together(likelihood))
        found = np.zeros(wanted.shape)
        question = np.repeat(np.arange(5), np.diff(guesses.first))
        found[question, guesses.answer] = guesses.probability
        errors.append(np.abs(found - wanted).max())
        mass = table(likelihood)
        alone.append(np.abs(mass / mass.sum(axis=1, keepdims=True) - wanted).max())
    assert np.mean(errors) < 0.05 < 0.1 < np.mean(alone)


def test_together_he_is_right_as_often_as_he_believes_where_the_file_is_large():
    candidates = homes(21, 600)
    law, right, believed, gained = Gaussian(40.0), [], [], []
    for draw in range(8):
        rows = np.random.default_rng(draw).permutation(600)[:500]
        released = displace(candidates[rows], law, SECRET, f"large {draw}").xy
        likelihood = by_law(released, candidates, law)
        joint, single = who_lives_there(together(likelihood)), who_lives_there(likelihood)
        right.append(joint.right(rows)), believed.append(joint.top)
        gained.append(np.log(joint.of_truth(rows) / single.of_truth(rows)))
    right, believed = np.concatenate(right), np.concatenate(believed)
    assert right.mean() == pytest.approx(believed.mean(), abs=0.03)
    # He gives the truth more than by each point alone.
    assert np.concatenate(gained).mean() > 0.02
    calibrated(right, believed)


# --- masks without a density ------------------------------------------------------------------------


def test_exchange_leaves_one_in_k_and_no_more():
    addresses = homes(13, 600)
    graph = partner_graph(addresses, 8)
    rows = np.random.default_rng(1).permutation(600)[:60]
    to = graph.partner_of(rows, np.random.default_rng(2).random(60))
    likelihood = by_lists(to, graph.partners, 600, 1 / 8)
    found = who_lives_there(likelihood)
    assert found.top == pytest.approx(np.full(60, 1 / 8))
    assert found.effective == pytest.approx(np.full(60, 8.0))
    assert (found.tied == 8).all()
    assert found.right(rows) == pytest.approx(np.full(60, 1 / 8))
    b = which_record(likelihood, rows)
    near = (graph.partners[rows][:, :, None] == to[None, None]).any(axis=1).sum(axis=1)
    assert b.top == pytest.approx(1 / near)
    weight = np.ones(600)
    weight[rows[0]] = 0
    assert who_lives_there(likelihood, weight).of_truth(rows)[0] == 0


def test_areas_leave_all_who_live_in_them():
    area = np.array([0, 1, 1, 2, 2, 2, -1])
    found = who_lives_there(by_areas(np.array([2, 0, 1, -1, 5]), area))
    assert found.top == pytest.approx([1 / 3, 1, 1 / 2, 0, 0])
    assert found.best.tolist() == [3, 0, 1, -1, -1]
    assert found.unexplained.tolist() == [False, False, False, True, True]


def test_what_is_wrong_is_a_sentence():
    likelihood = by_areas(np.array([0]), np.array([0, 0]))
    for weight in ([1.0], [1.0, -1.0], [np.nan, 1.0], [0.0, 0.0]):
        with pytest.raises(InputError):
            who_lives_there(likelihood, np.array(weight))
    with pytest.raises(InputError, match="none of the 2 candidates"):
        which_record(likelihood, np.array([2]))
    with pytest.raises(InputError, match="one size for each"):
        by_law(homes(1, 3), homes(2, 4), Gaussian(np.ones(3)))
    assert who_lives_there(likelihood).in_words().startswith("1 question: right with 50.0%")
