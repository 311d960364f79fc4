# SPDX-License-Identifier: GPL-2.0-or-later
"""Kulldorff's scan statistic: against all circles by hand, against R, and against its own null."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoanon_qgis.core.measures import scan_circles
from geoanon_qgis.core.measures.scan import kept, largest_of_draws, log_ratio, scan
from geoanon_qgis.core.measures.scan_circles import at_risk, circles, halves
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled, InputError

small_grids = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 9), st.integers(0, 4)),
    min_size=3,
    max_size=14,
    unique_by=lambda row: row[:2],
)


@pytest.fixture(params=["compiled", "plain"])
def each_way(request):
    if request.param == "compiled" and not accel.available():
        pytest.skip("numba is not installed")
    before = accel.enabled()
    accel.set_enabled(request.param == "compiled")
    yield request.param
    accel.set_enabled(before)


@pytest.fixture
def thinned(monkeypatch):
    """Few sites as if they were many."""
    monkeypatch.setattr(scan_circles, "ALL_SITES", 10)
    monkeypatch.setattr(scan_circles, "_CENTRES", 16)


def ratio_by_hand(c, n, total):
    """Likelihood ratio of two Poisson rates against one, by its definition."""
    if not 0 < n < c:
        return 0.0
    found = c * math.log(c / n)
    if total > c:
        found += (total - c) * math.log((total - c) / (total - n))
    return found


def all_circles(xy, people, share):
    """Every set of sites that some circle round a site holds, with its centre."""
    for centre in range(len(xy)):
        away = np.hypot(*(xy - xy[centre]).T)
        for radius in np.unique(away):
            inside = away <= radius
            if 0 < people[inside].sum() <= share * people.sum():
                yield centre, radius, inside


def largest_by_hand(xy, people, cases, share):
    total = cases.sum()
    found = 0.0
    for _, _, inside in all_circles(xy, people, share):
        n = total * people[inside].sum() / people.sum()
        found = max(found, ratio_by_hand(cases[inside].sum(), n, total))
    return found


def town(seed, count=400, size=1000.0):
    return np.random.default_rng(seed).uniform(0, size, (count, 2))


@given(small_grids, st.sampled_from([0.2, 0.35, 0.5]))
def test_the_largest_ratio_is_that_of_all_circles(rows, share):
    table = np.array(rows, dtype=float)
    table = table[np.lexsort((table[:, 1], table[:, 0]))]
    xy, people, cases = table[:, :2], table[:, 2], table[:, 3]
    if np.count_nonzero(people) < 2 or not cases.sum():
        return
    try:
        found = scan(circles(at_risk(xy, people), share), cases)
    except InputError:
        assert not list(all_circles(xy, people, share))
        return
    assert found.llr == pytest.approx(largest_by_hand(xy, people, cases, share), abs=1e-9)
    for one in found.clusters:
        inside = np.hypot(*(xy - one.xy).T) <= one.radius
        assert np.flatnonzero(inside).tolist() == one.sites.tolist()
        assert one.cases == cases[inside].sum() and one.population == people[inside].sum()
        assert one.expected == pytest.approx(cases.sum() * one.population / people.sum())


@given(small_grids)
def test_clusters_do_not_touch_and_each_is_the_best_of_what_is_left(rows):
    table = np.array(rows, dtype=float)
    xy, people, cases = table[:, :2], table[:, 2] + 1, table[:, 3]
    if not cases.sum():
        return
    order = np.lexsort((xy[:, 1], xy[:, 0]))
    xy, people, cases = xy[order], people[order], cases[order]
    try:
        found = scan(circles(at_risk(xy, people)), cases)
    except InputError:
        return
    taken = np.zeros(len(xy), dtype=bool)
    for one in found.clusters:
        left = [
            ratio_by_hand(
                cases[inside].sum(), cases.sum() * people[inside].sum() / people.sum(), cases.sum()
            )
            for _, _, inside in all_circles(xy, people, 0.5)
            if not (inside & taken).any()
        ]
        assert one.llr == pytest.approx(max(left), abs=1e-9)
        assert not taken[one.sites].any()
        taken[one.sites] = True


def test_the_ratio_of_numbers_known_by_hand():
    # 6 of 10 cases where 3 are expected: 6 log 2 + 4 log(4 / 7).
    assert log_ratio(6.0, 3.0, 10.0) == pytest.approx(6 * math.log(2) + 4 * math.log(4 / 7))
    assert log_ratio(10.0, 5.0, 10.0) == pytest.approx(10 * math.log(2))
    assert log_ratio(2.0, 3.0, 10.0) == 0 and log_ratio(2.0, 0.0, 10.0) == 0
    assert log_ratio(np.array([2.0]), np.array([np.nan]), 10.0).tolist() == [0]


@pytest.mark.parametrize("many", [False, True])
def test_draws_find_what_a_scan_finds(each_way, many, monkeypatch):
    if many:
        monkeypatch.setattr(scan_circles, "ALL_SITES", 10)
        monkeypatch.setattr(scan_circles, "_CENTRES", 16)
    sites = at_risk(town(1), np.random.default_rng(2).integers(0, 9, 400))
    look_at = circles(sites, 0.4)
    drawn = largest_of_draws(look_at, 60, 12, np.random.default_rng(3))
    people = sites.population.cumsum()
    for found, seed in zip(drawn, np.random.default_rng(3).integers(0, 2**63, 12)):
        fell = np.random.default_rng(seed).random(60) * people[-1]
        cases = np.bincount(np.searchsorted(people, fell, side="right"), minlength=400)
        assert found == pytest.approx(scan(look_at, cases).llr, abs=1e-9)


def test_the_same_with_and_without_numba():
    if not accel.available():
        pytest.skip("numba is not installed")
    look_at = circles(at_risk(town(4)))
    before, found = accel.enabled(), []
    for on in (True, False):
        accel.set_enabled(on)
        found.append(largest_of_draws(look_at, 90, 25, np.random.default_rng(5)))
    accel.set_enabled(before)
    assert found[0].tobytes() == found[1].tobytes()


@pytest.mark.slow
def test_p_is_honest_where_there_is_no_cluster():
    """Of 300 patterns without a cluster no more than chance allows are called significant."""
    sites = at_risk(town(6), np.random.default_rng(7).integers(1, 9, 400))
    look_at, rng = circles(sites), np.random.default_rng(8)
    drawn = largest_of_draws(look_at, 80, 199, rng)
    share = sites.population / sites.population.sum()
    p = np.array([scan(look_at, rng.multinomial(80, share), drawn, 1).p for _ in range(300)])
    for level in (0.05, 0.25, 0.5):
        # Four standard errors, of these patterns and of the draws that they share.
        error = 4 * math.sqrt(level * (1 - level) * (1 / 300 + 1 / 199))
        assert (p <= level).mean() == pytest.approx(level, abs=error)
    assert p.min() >= 1 / 200


def test_a_planted_cluster_is_found(each_way):
    people, rng = town(9, 2000), np.random.default_rng(10)
    risk = np.where(np.hypot(*(people - (300.0, 600.0)).T) < 120, 6.0, 1.0)
    cases = people[rng.choice(2000, 150, p=risk / risk.sum())]
    sites = at_risk(people)
    look_at = circles(sites)  # more sites than all of them are centres of
    drawn = largest_of_draws(look_at, 150, 99, rng)
    before = scan(look_at, sites.count(cases), drawn)
    assert before.p == 0.01 and before.clusters[0].relative_risk > 3
    assert np.hypot(*(before.clusters[0].xy - (300.0, 600.0))) < 80
    little = scan(look_at, sites.count(cases + rng.normal(0, 10, cases.shape)), drawn)
    # Within the town: what a mask moves out of it would gather at its edge.
    much = (cases + rng.normal(0, 400, cases.shape)) % 1000.0
    much = scan(look_at, sites.count(much), drawn)
    assert kept(look_at, before, before).jaccard == kept(look_at, before, before).ratio == 1
    assert kept(look_at, before, little).jaccard > 0.6 > kept(look_at, before, much).jaccard
    assert kept(look_at, before, little).ratio > 0.8 > kept(look_at, before, much).ratio


def test_of_many_sites_some_circles_are_looked_at_and_counted_rightly(thinned):
    xy, people = town(11), np.random.default_rng(12).integers(0, 5, 400).astype(float)
    sites = at_risk(xy, people)
    look_at = circles(sites, 0.3)
    assert len(look_at.centre) == 16 and look_at.sizes <= 100
    for row, centre in enumerate(look_at.centre):
        away = np.hypot(*(sites.xy - sites.xy[centre]).T)
        for at in np.flatnonzero(np.isfinite(look_at.radius[row])):
            inside = away <= look_at.radius[row, at]
            assert look_at.population[row, at] == sites.population[inside].sum()
            assert 0 < look_at.population[row, at] <= 0.3 * people.sum()
            assert look_at.members(row, at).tolist() == np.flatnonzero(inside).tolist()
    assert np.nanmax(look_at.population) > 0.25 * people.sum()


def test_of_very_many_places_neighbours_are_put_together(monkeypatch):
    monkeypatch.setattr(scan_circles, "MOST_SITES", 64)
    xy, people = town(13), np.random.default_rng(14).integers(0, 5, 400).astype(float)
    found = at_risk(xy, people)
    assert len(found.xy) == 64 and found.put_together
    assert found.population.sum() == people.sum()
    assert found.count(xy).sum() == 400
    # Halves of halves of 1000 m: none reaches farther than a few hundred.
    reach = np.hypot(*(found.places - found.xy[found.site]).T)
    assert reach.max() < 200
    for site in range(64):
        members = found.site == site
        some = dict(zip(map(tuple, xy), people))
        weight = np.array([some[tuple(place)] for place in found.places[members]])
        if weight.sum():
            middle = (weight[:, None] * found.places[members]).sum(axis=0) / weight.sum()
            assert found.xy[site] == pytest.approx(middle)


@given(st.integers(0, 10_000), st.sampled_from([1, 2, 8, 32]))
def test_halves_are_of_equal_size(seed, count):
    xy = np.unique(np.random.default_rng(seed).integers(0, 12, (90, 2)), axis=0).astype(float)
    group = halves(xy, count)
    size = np.bincount(group, minlength=count)
    assert len(size) == count and size.max() - size.min() <= 1
    order = np.random.default_rng(seed).permutation(len(xy))
    assert (halves(xy[order], count) == group[order]).all()


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.floats(-1e5, 1e5), st.integers(-3, 3))
def test_places_may_be_moved_and_scaled(seed, shift, power):
    rng = np.random.default_rng(seed)
    xy, people, cases = rng.integers(0, 40, (60, 2)) * 1.0, rng.integers(0, 6, 60), rng.random(60)
    order = np.lexsort((xy[:, 1], xy[:, 0]))
    xy, first = np.unique(xy[order], axis=0, return_index=True)
    people, cases = people[order][first], np.round(3 * cases[order][first])
    if not cases.sum():
        return
    plain = scan(circles(at_risk(xy, people)), cases)
    moved = scan(circles(at_risk(xy * 2.0**power + round(shift), people)), cases)
    assert moved.llr == pytest.approx(plain.llr, abs=1e-9)


def test_nobody_lives_where_the_case_is():
    xy = np.array([[0.0, 0], [1, 0], [2, 0], [3, 0]])
    found = scan(circles(at_risk(xy, [0, 5, 5, 5]), 0.5), np.array([3.0, 0, 0, 1]))
    assert np.isfinite(found.llr) and found.clusters[0].population == 5


@pytest.mark.parametrize(
    ("people", "share", "cases", "words"),
    [
        ([1, 2, -1], 0.5, [1, 0, 0], "negative"),
        ([1, 2], 0.5, [1, 0, 0], "for each place"),
        ([0, 2, 0], 0.5, [1, 0, 0], "two places"),
        ([1, 2, np.nan], 0.5, [1, 0, 0], "missing"),
        ([1, 2, 3], 0.7, [1, 0, 0], "0.7"),
        ([1, 2, 3], 0.0, [1, 0, 0], "above 0"),
        ([100, 110, 0], 0.1, [1, 0, 0], "smaller areas"),
        ([1, 2, 3], 0.5, [0, 0, 0], "none"),
        ([1, 2, 3], 0.5, [1, -1, 0], "zero or more"),
    ],
)
def test_what_cannot_be_scanned_is_said(people, share, cases, words):
    xy = np.array([[0.0, 0], [1, 0], [2, 0]])
    with pytest.raises(InputError, match=words):
        scan(circles(at_risk(xy, np.array(people, dtype=float)), share), np.array(cases))


def test_progress_rises_and_a_cancel_is_heard():
    told = []
    look_at = circles(at_risk(town(15, 3000)), progress=told.append)
    half = len(told)
    largest_of_draws(look_at, 500, 400, np.random.default_rng(1), told.append)
    for part in (told[:half], told[half:]):
        assert part == sorted(part) and len(part) > 3 and part[-1] == 1

    def stop(fraction):
        if fraction > 0.1:
            raise Cancelled

    with pytest.raises(Cancelled):
        largest_of_draws(look_at, 500, 400, np.random.default_rng(1), stop)


def test_summaries_name_nobody():
    sites = at_risk(town(16))
    look_at = circles(sites)
    found = scan(look_at, sites.count(town(17, 50)))
    assert "LLR" in repr(found) and "[" not in repr(found)
    assert "Jaccard" in repr(kept(look_at, found, found))
    assert math.isnan(found.p) and scan(look_at, sites.population).llr == 0


# --- R -------------------------------------------------------------------------------------------

_R = """
suppressMessages(library(SpatialEpi)); data(NYleukemia)
geo <- latlong2grid(NYleukemia$geo[, 2:3]); people <- NYleukemia$data$population
cases <- floor(NYleukemia$data$cases)
# kulldorff() cuts the sum of what is expected to a whole number: a little more than the cases.
expected <- people * sum(cases) / sum(people) * (1 + 1e-12)
for (share in c(0.05, 0.15, 0.5)) {
  found <- kulldorff(geo, cases, people, expected, share, 9, 0.05, plot = FALSE)
  best <- found$most.likely.cluster
  cat("found", share, sprintf("%.12f", best$log.likelihood.ratio), best$location.IDs.included, "\\n")
}
cat(sprintf("site %.17g %.17g %.17g %.17g\\n", geo[, 1], geo[, 2], people, cases), sep = "")
"""


@pytest.fixture(scope="module")
def new_york():
    """What SpatialEpi finds in its data of New York, and those."""
    # Where scripts/r-packages put it; R looks in its own places, too.
    r = os.environ | {"R_LIBS_USER": str(Path(__file__).parents[2] / ".r-packages")}
    if shutil.which("Rscript") is None:
        pytest.skip("R is not installed")
    known = subprocess.run(
        ["Rscript", "-e", "q(status = !requireNamespace('SpatialEpi', quietly = TRUE))"],
        capture_output=True,
        env=r,
    )
    if known.returncode:
        pytest.skip("R's package SpatialEpi is not installed (scripts/r-packages installs it)")
    done = subprocess.run(["Rscript", "-"], input=_R, capture_output=True, text=True, env=r)
    assert done.returncode == 0, done.stderr
    return [line.split() for line in done.stdout.splitlines()]


@pytest.mark.slow
def test_leukaemia_in_new_york_as_in_spatialepi(new_york):
    table = np.array([row[1:] for row in new_york if row[0] == "site"], dtype=float)
    xy, people, cases = table[:, :2], table[:, 2], table[:, 3]
    assert len(xy) == 281 and people.sum() > 1e6
    sites = at_risk(xy, people)
    order = np.lexsort((xy[:, 1], xy[:, 0]))  # that of the sites
    wanted = [row for row in new_york if row[0] == "found"]
    assert len(wanted) == 3
    for _, share, llr, *members in wanted:
        found = scan(circles(sites, float(share)), cases[order])
        assert found.llr == pytest.approx(float(llr), abs=1e-6)
        theirs = {int(one) - 1 for one in members}
        assert set(order[found.clusters[0].sites].tolist()) == theirs
