# SPDX-License-Identifier: GPL-2.0-or-later
"""Risk measures against direct loops, tests against SciPy, verdicts, utility by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.spatial.distance import cdist, pdist

from geoanon_qgis.core.microdata import nearest as nearest_module
from geoanon_qgis.core.microdata import risk as risk_module
from geoanon_qgis.core.microdata.adequacy import compare, ks_p_value, one_sided_ks
from geoanon_qgis.core.microdata.distinct import distinct_rows
from geoanon_qgis.core.microdata.nearest import Records
from geoanon_qgis.core.microdata.noise import additive_noise
from geoanon_qgis.core.microdata.prediction import (
    MEASURES,
    PredictionRisk,
    leave_one_out_risk,
    prediction_risk,
)
from geoanon_qgis.core.microdata.reidentification import auc, reidentification, roc_curve
from geoanon_qgis.core.microdata.risk import disclosure_risk, people_measured, sampling_error
from geoanon_qgis.core.microdata.spectral import spectral_rhs, spectral_swapping
from geoanon_qgis.core.microdata.utility import distribution, spatial_utility, utility
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled, InputError


def looped(original, released, k, skip_self=False):
    """The definitions of section II-A, record by record."""
    found = []
    for j, record in enumerate(original):
        others = np.delete(released, j, axis=0) if skip_self else released
        s = np.sqrt(((others - record) ** 2).mean(axis=1))
        order = np.argsort(s, kind="stable")[:k]
        best, worst = s[order[0]], s[order[-1]]
        found.append(
            (best, best / worst if worst > 0 else 1.0, others[order].var(axis=0, ddof=1).mean())
        )
    return np.array(found).T


def check(measured, expected):
    for name, values in zip(MEASURES, expected):
        assert measured[name] == pytest.approx(values, abs=1e-12), name


# --- the measures --------------------------------------------------------------------------------


@pytest.mark.parametrize("m", [1, 2, 7, 28])
@pytest.mark.parametrize("k", [2, 5])
def test_measures_are_those_of_direct_loops(rng, m, k):
    original, released = rng.normal(size=(120, m)), rng.normal(size=(90, m))
    check(prediction_risk(original, released, k), looped(original, released, k))
    check(leave_one_out_risk(original, k), looped(original, original, k, skip_self=True))


@pytest.fixture
def small_leaves(monkeypatch):
    """Many leaves, few records in each."""
    for name in ("_LEAF", "_QUERIES", "_KERNEL_LEAF", "_KERNEL_QUERIES"):
        monkeypatch.setattr(nearest_module, name, 8)


@pytest.fixture(params=[True, False], ids=["compiled", "plain"])
def compiled(request):
    was = accel.enabled()
    if request.param and not was:
        pytest.skip("numba is switched off or not installed")
    accel.set_enabled(request.param)
    yield
    accel.set_enabled(was)


def test_measures_in_small_leaves(rng, small_leaves, compiled):
    """Pruning leaves out nothing that matters."""
    for m in (1, 3, 12):
        original, released = rng.normal(size=(300, m)), rng.normal(size=(400, m)) ** 3
        check(prediction_risk(original, released), looped(original, released, 5))
        check(leave_one_out_risk(original), looped(original, original, 5, skip_self=True))


def test_records_alike_count_as_often_as_they_occur(rng):
    released = np.repeat(rng.normal(size=(30, 3)), 4, axis=0)
    original = rng.normal(size=(50, 3))
    # Two kinds are among the five: four of the nearest and one of the next.
    check(prediction_risk(original, released, 5), looped(original, released, 5))
    alike = prediction_risk(original, released, 4)
    assert (alike.ambiguity == 1).all() and (alike.uncertainty == 0).all()
    original = released[rng.permutation(len(released))]
    for k in (2, 3, 4, 5):
        check(leave_one_out_risk(original, k), looped(original, original, k, skip_self=True))


def test_all_records_alike():
    same = np.full((10, 2), 0.1)
    measured = prediction_risk(same, same, 5)
    assert (measured.distance == 0).all() and (measured.ambiguity == 1).all()
    assert (leave_one_out_risk(same, 5).uncertainty == 0).all()


def test_hand_case():
    """One column: a record at 0, released 1, 3, 4."""
    original, released = np.array([[0.0], [0.0]]), np.array([[3.0], [1.0], [4.0]])
    measured = prediction_risk(original, released, 2)
    assert measured.distance.tolist() == [1, 1] and measured.nearest.tolist() == [1, 1]
    assert measured.ambiguity == pytest.approx([1 / 3, 1 / 3])
    assert measured.uncertainty == pytest.approx([2.0, 2.0])  # of 1 and 3


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(2, 5))
def test_nearest_distances_on_a_grid_full_of_ties(seed, m, k):
    rng = np.random.default_rng(seed)
    points, queries = rng.integers(0, 4, (60, m)) * 1.0, rng.integers(0, 4, (40, m)) * 1.0
    rows, distance = Records(points).nearest(queries, k)
    expected = np.sort(cdist(queries, np.unique(points, axis=0)), axis=1)[:, :k] / np.sqrt(m)
    there = expected.shape[1]
    assert distance[:, :there] == pytest.approx(expected, abs=1e-12)
    assert (rows[:, there:] == -1).all() and np.isinf(distance[:, there:]).all()
    radius = distance[:, 0]
    count = (cdist(queries, points) / np.sqrt(m) <= radius[:, None] + 1e-9).sum(axis=1)
    assert Records(points).within(queries, radius).tolist() == count.tolist()


def by_rank(points, queries, k):
    """Rows of the k nearest; of records equally far those first in the table."""
    distinct = np.sort(np.unique(points, axis=0, return_index=True)[1])
    away = cdist(queries, points[distinct]).round(9)
    order = np.lexsort((np.broadcast_to(distinct, away.shape), away), axis=1)[:, :k]
    return distinct[order], np.take_along_axis(away, order, 1)


@pytest.mark.parametrize("kind", ["continuous", "grid", "binary", "outlier", "far"])
def test_of_records_equally_far_the_first_is_taken(rng, small_leaves, compiled, kind):
    """The same records with numba and without, in whatever leaves they lie."""
    points, queries = rng.normal(size=(400, 20)), rng.normal(size=(150, 20))
    if kind == "grid":
        points, queries = rng.integers(0, 3, (400, 6)) / 3, rng.integers(0, 3, (150, 6)) / 3
    elif kind == "binary":
        points, queries = np.sign(points[:, :9]), np.sign(queries[:, :9])
    elif kind == "outlier":
        points[17] *= 1e4
    elif kind == "far":
        points, queries = points + 1e5, queries + 1e5
    rows, distance = Records(points).nearest(queries, 5)
    expected, away = by_rank(points, queries, 5)
    # Within one distance by row, which exact distances put in another order at the last digit.
    assert (np.sort(rows, axis=1) == np.sort(expected, axis=1)).all()
    assert distance == pytest.approx(away / np.sqrt(points.shape[1]), abs=1e-9)


def test_the_kernel_is_the_same_in_plain_python(rng):
    points, queries = rng.integers(0, 4, (60, 5)) * 1.0, rng.integers(0, 4, (9, 5)) * 1.0
    lifted = np.column_stack([points, np.zeros(60)])
    first = points[:, :3].T.astype(np.float32).copy()
    starts = np.array([0, 20, 60])
    low = np.minimum.reduceat(points, starts[:-1])
    high = np.maximum.reduceat(points, starts[:-1])
    made = []
    for scan in (nearest_module.scan_leaves, nearest_module.scan_leaves.python):
        best, found = np.full((9, 4), np.inf), np.full((9, 4), -1)
        scan(
            queries,
            lifted,
            first,
            low,
            high,
            starts,
            np.arange(60),
            np.array([1, 0]),
            np.zeros(2),
            0.0,
            1e-5,
            np.empty(40, np.float32),
            best,
            found,
        )
        made.append(found.tolist())
    every = cdist(queries, points)
    assert made[0] == made[1] == [np.argsort(row, kind="stable")[:4].tolist() for row in every]


def test_distinct_rows_are_numpys(rng):
    matrix = rng.integers(0, 3, (500, 4)) - 1.0
    matrix[::7] *= -1.0  # minus zeros
    found = distinct_rows(matrix)
    expected, count = np.unique(matrix + 0.0, axis=0, return_counts=True)
    assert len(found.first) == len(expected)
    assert sorted(found.count) == sorted(count)
    assert (matrix[found.first[found.of_row]] == matrix).all()


def test_far_from_zero_nothing_is_lost(rng):
    original = rng.normal(size=(80, 3)) + 1e7
    check(prediction_risk(original, original + 0.25), looped(original, original + 0.25, 5))


# --- re-identification ---------------------------------------------------------------------------


def test_right_matches_where_nothing_is_tied(rng):
    original = rng.normal(size=(200, 4))
    released = original + 0.3 * rng.normal(size=original.shape)
    order = rng.permutation(200)
    match = np.argsort(order)
    measured = prediction_risk(original, released[order], 5, match)
    nearest = cdist(original, released).argmin(axis=1)
    assert measured.right.tolist() == (nearest == np.arange(200)).astype(float).tolist()
    found = reidentification(measured, 200)
    assert found.rate == (nearest == np.arange(200)).mean()
    assert found.by_chance == 1 / 200


def test_among_tied_records_the_attacker_guesses(rng):
    original = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [9.0]])
    released = np.array([[0.1], [0.1], [0.1], [5.0], [5.0], [5.2]])
    measured = prediction_risk(original, released, 2, np.arange(6))
    assert measured.right == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1 / 2, 1 / 3, 1])
    # Different records at one distance are tied as well; more of them than were asked for.
    angle = np.arange(12) * np.pi / 6
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    centre = np.zeros((12, 2))
    measured = prediction_risk(centre, ring, 3, np.arange(12))
    assert measured.right == pytest.approx(np.full(12, 1 / 12))


def test_no_match_is_never_right(rng):
    original = rng.normal(size=(20, 2))
    measured = prediction_risk(original, original, 2, np.full(20, -1))
    assert (measured.right == 0).all()
    assert np.isnan(list(reidentification(measured, 20).auc.values())).all()
    with pytest.raises(InputError, match="not known"):
        reidentification(prediction_risk(original, original, 2), 20)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_auc_is_the_rank_formula(seed, levels):
    rng = np.random.default_rng(seed)
    right = rng.random(40) < 0.4
    right[:2] = True, False
    values = rng.integers(0, levels, 40) * 1.0
    above = stats.mannwhitneyu(values[~right], values[right]).statistic
    assert auc(values, right) == pytest.approx(above / (right.sum() * (~right).sum()))
    wrong_accepted, right_accepted = roc_curve(values, right)
    assert wrong_accepted[0] == right_accepted[0] == 0
    assert wrong_accepted[-1] == pytest.approx(1) and right_accepted[-1] == pytest.approx(1)


def test_auc_of_probabilities_is_that_of_records_split(rng):
    """A record that is right with probability 1/4 is one right and three wrong ones."""
    values = rng.normal(size=30)
    quarters = rng.integers(0, 5, 30)
    repeated = np.repeat(values, 4)
    truth = (np.arange(4) < quarters[:, None]).ravel()
    assert auc(values, quarters / 4) == pytest.approx(auc(repeated, truth))


# --- comparing -----------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 60), st.integers(2, 60))
def test_the_statistic_is_scipys(seed, n, p):
    rng = np.random.default_rng(seed)
    sample, reference = rng.integers(0, 9, n) / 3, rng.integers(0, 9, p) / 3
    excess, at = one_sided_ks(sample, reference)
    expected = stats.ks_2samp(sample, reference, alternative="greater", mode="asymp")
    assert excess == pytest.approx(expected.statistic, abs=1e-12)
    assert (sample <= at).mean() - (reference <= at).mean() == pytest.approx(
        excess if excess > 0 else (sample <= at).mean() - (reference <= at).mean()
    )


def test_the_p_value_is_the_asymptotic_one():
    rng = np.random.default_rng(5)
    sample, reference = rng.normal(size=3_000), rng.normal(0.05, 1, size=3_000)
    expected = stats.ks_2samp(sample, reference, alternative="greater", mode="exact")
    found = ks_p_value(one_sided_ks(sample, reference)[0], 3_000, 3_000)
    assert found == pytest.approx(expected.pvalue, abs=0.02)
    assert ks_p_value(0.05, 100, 100, margin=0.05) == 1.0
    assert ks_p_value(0.5, 1000, 1000, margin=0.05) < 1e-12


def risk_of(values):
    return PredictionRisk(values, values, values, 5, np.zeros(len(values), dtype=int))


def test_verdicts(rng):
    reference = risk_of(rng.normal(10, 1, 4_000))
    for values, verdict in (
        (reference.distance + 0.5, "adequate"),
        (reference.distance - 0.05, "adequate"),
        (reference.distance - 0.5, "inadequate"),
        (np.array([9.3, 9.0, 11.0]), "undecided"),
    ):
        for found in compare(risk_of(values), reference):
            assert found.verdict == verdict
            assert found.sentence.endswith(".")
    far = compare(risk_of(reference.distance - 50), reference)[0]
    assert "p < 1e-12" in far.sentence and "95.0 beyond the 5" in far.sentence
    assert [one.measure for one in compare(reference, reference)] == list(MEASURES)
    assert compare(reference, reference)[0].excess == 0
    with pytest.raises(InputError, match="margin"):
        compare(reference, reference, margin=1.0)


def test_noise_is_found_out_and_spectral_methods_are_not(rng):
    latent = rng.normal(size=(1_200, 4))
    weight = rng.normal(size=(4, 20))
    both = np.vstack([latent, rng.normal(size=(1_200, 4))]) @ weight
    both += 1.2 * rng.normal(size=both.shape)
    both /= both.std(axis=0)
    original, sample = both[:1_200], both[1_200:]
    own = np.arange(1_200)
    noisy = disclosure_risk(original, additive_noise(original, 0.1, rng), sample, own)
    assert noisy.verdict == "inadequate" and noisy.reference_kind == "sample"
    assert noisy.reidentification.rate > 0.95
    assert (noisy.relative_distance < 1).mean() > 0.95
    swapped = disclosure_risk(original, spectral_swapping(original, rng))
    assert swapped.verdict == "adequate" and swapped.reidentification is None
    assert swapped.reference_kind == "leave_one_out"
    averaged = disclosure_risk(original, spectral_rhs(original, 5, rng)[0], sample, own)
    assert averaged.reidentification.rate < 0.2
    assert averaged.reidentification.auc["ambiguity"] == pytest.approx(0.5)
    assert averaged.reidentification.auc["distance"] == pytest.approx(0.5, abs=0.06)
    by_measure = {one.measure: one.verdict for one in averaged.comparisons}
    assert by_measure["ambiguity"] == "adequate"
    # By the paper it fails by design; but of strangers the release tells as much.
    assert compare(averaged.measured, averaged.reference)[2].verdict == "inadequate"
    assert by_measure["uncertainty"] == "adequate"


def test_what_is_constant_in_the_original_makes_no_release_look_safe(rng):
    original = np.column_stack([rng.normal(size=(300, 3)), np.zeros(300)])
    release = original.copy()
    release[:, 3] = 1_000.0  # the very records but for a column that is the same for everybody
    found = disclosure_risk(original, release, match=np.arange(300))
    assert found.measured.distance.max() == 0 and found.reidentification.rate == 1
    assert found.verdict == "inadequate" and release[0, 3] == 1_000.0
    sample = np.column_stack([rng.normal(size=(300, 3)), np.full(300, -50.0)])
    other = disclosure_risk(original, release, sample)
    assert other.reference.distance.max() < 10
    with pytest.raises(InputError, match="coded columns"):
        disclosure_risk(original, release[:, :3])


@pytest.mark.parametrize("seed", [0, 1])
def test_figure_3_noise_tells_its_right_matches_and_spectral_rhs_does_not(seed):
    """Section IV-E: AUC of ambiguity 0.98 under noise; 0.53, 0.50, 0.50 under spectral RHS."""
    rng = np.random.default_rng(seed)
    latent = rng.normal(size=(1_500, 6)) @ rng.normal(size=(6, 28))
    table = latent / latent.std(axis=0) + 0.45 * rng.normal(size=(1_500, 28))
    table[:, 18:] = np.where(table[:, 18:] > 0.3, 1.0, -1.0)
    table = (table - table.mean(axis=0)) / table.std(axis=0)
    own = np.arange(1_500)
    noisy = prediction_risk(table, additive_noise(table, 0.1, rng), 5, own)
    again = reidentification(noisy, 1_500)
    assert 0.95 < again.rate < 1 and again.auc["ambiguity"] > 0.9
    averaged = prediction_risk(table, spectral_rhs(table, 5, rng)[0], 5, own)
    again = reidentification(averaged, 1_500)
    assert 0.03 < again.rate < 0.2
    assert again.auc["distance"] == pytest.approx(0.5, abs=0.08)
    assert again.auc["ambiguity"] == again.auc["uncertainty"] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((np.ones((5, 2)), np.ones((5, 3)), 2), "coded columns"),
        ((np.ones((5, 2)), np.ones((5, 2)), 1), "at least 2"),
        ((np.ones((5, 2)), np.ones((5, 2)), 6), "fewer than K"),
        ((np.ones((5, 2)), np.ones((5, 2)), 2, np.arange(4)), "key"),
        ((np.ones((5, 2)), np.ones((5, 2)), 2, np.arange(5) + 1), "key"),
        ((np.full((5, 2), np.nan), np.ones((5, 2)), 2), "missing"),
    ],
)
def test_bad_input(arguments, said):
    with pytest.raises(InputError, match=said):
        prediction_risk(*arguments)


def test_leaving_one_out_needs_another(rng):
    with pytest.raises(InputError, match="fewer than K"):
        leave_one_out_risk(rng.normal(size=(5, 2)), 5)


def test_progress_and_cancel(rng):
    original = rng.normal(size=(3_000, 6))
    told = []
    disclosure_risk(original, original + 0.1, match=np.arange(3_000), progress=told.append)
    assert len(told) > 20 and min(told) >= 0 and max(told) <= 1 + 1e-12

    def stop(fraction):
        if fraction > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        disclosure_risk(original, original + 0.1, progress=stop)


# --- utility -------------------------------------------------------------------------------------


def test_utility_of_the_table_itself_is_perfect(rng):
    matrix = rng.normal(size=(300, 4))
    same = utility(matrix, matrix[rng.permutation(300)])
    for one in (same.mean, same.variance, same.correlation, same.rank_correlation):
        assert one.largest < 1e-12
    assert all(one.ks_distance == 0 for one in same.distributions)


def test_utility_by_other_means(rng):
    a = rng.normal(size=(500, 4)) @ rng.normal(size=(4, 4))
    b = rng.normal(size=(400, 4)) ** 2
    found = utility(a, b, ["p", "q", "r", "s"])
    gap = np.abs(a.mean(axis=0) - b.mean(axis=0)) / a.std(axis=0, ddof=1)
    assert found.mean.difference == pytest.approx(gap)
    ratio = np.abs(1 - b.var(axis=0, ddof=1) / a.var(axis=0, ddof=1))
    assert found.variance.difference == pytest.approx(ratio)
    i, j = found.pairs.T
    plain = np.abs(np.corrcoef(a.T) - np.corrcoef(b.T))[i, j]
    ranked = np.abs(stats.spearmanr(a)[0] - stats.spearmanr(b)[0])[i, j]
    assert found.correlation.difference == pytest.approx(plain)
    assert found.rank_correlation.difference == pytest.approx(ranked)
    assert found.correlation.median == pytest.approx(np.median(plain))
    assert len(found.pairs) == 6
    for column, one in enumerate(found.distributions):
        expected = stats.ks_2samp(a[:, column], b[:, column], mode="asymp").statistic
        assert one.ks_distance == pytest.approx(expected)
        assert one.original == pytest.approx(np.quantile(a[:, column], one.shares))
    assert found.distributions[1].label == "q"


def test_constant_columns_have_no_statistics(rng):
    a = np.column_stack([rng.normal(size=50), np.full(50, 0.1)])
    found = utility(a, a)
    assert np.isnan(found.mean.difference[1]) and np.isnan(found.correlation.difference).all()
    assert found.mean.median == 0 and np.isnan(found.correlation.median)
    with pytest.raises(InputError, match="coded columns"):
        utility(a, a[:, :1])


def test_spatial_utility(rng):
    xy = rng.uniform(0, 1_000, (400, 2))
    field = np.column_stack([xy[:, 0] + rng.normal(size=400), rng.normal(size=400)])
    moved = xy + np.array([30.0, 40.0])
    found = spatial_utility(xy, moved, rng, field, field, ["trend", "noise"])
    assert found.mean_centre_shift == pytest.approx(50)
    assert found.standard_distances[0] == pytest.approx(found.standard_distances[1])
    assert found.distances.ks_distance < 1e-3 and found.nearest_distances.ks_distance < 0.02
    assert found.distances.original[5] == pytest.approx(np.median(pdist(xy)), rel=1e-12)
    assert found.moran.original[0] > 0.9 and abs(found.moran.original[1]) < 0.15
    assert found.moran.largest < 1e-9
    mixed = spatial_utility(xy, xy, rng, field, field[rng.permutation(400)])
    assert mixed.moran.anonymized[0] < 0.2


def test_morans_i_by_hand():
    """Four points on a line, all others as neighbours: I is -1 / (n - 1)."""
    xy = np.array([[0.0, 0], [1, 0], [2, 0], [3, 0]])
    values = np.array([[1.0], [2], [5], [1]])
    found = spatial_utility(xy, xy, np.random.default_rng(0), values, values)
    assert found.moran.original[0] == pytest.approx(-1 / 3)


def test_points_at_one_place_are_no_neighbours_of_themselves(rng):
    xy = np.repeat(rng.uniform(0, 10, (6, 2)), 20, axis=0)
    values = np.repeat(rng.normal(size=6), 20)[:, None]
    found = spatial_utility(xy, xy, rng, values, values)
    assert found.moran.original[0] == pytest.approx(1.0)
    assert found.nearest_distances.original.max() == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((np.zeros((1, 2)), np.zeros((3, 2))), "at least two"),
        ((np.zeros((3, 2)), np.zeros((3, 2)), np.zeros((3, 1)), None), "columns of both"),
        ((np.zeros((3, 2)), np.zeros((3, 2)), np.zeros((3, 1)), np.zeros((2, 1))), "belong"),
    ],
)
def test_bad_layers(rng, arguments, said):
    first, second, *tables = arguments
    with pytest.raises(InputError, match=said):
        spatial_utility(first, second, rng, *tables)


def test_a_distribution_against_itself():
    one = distribution(np.array([3.0, 1, 2]), np.array([1.0, 2, 3]), "a")
    assert one.ks_distance == 0 and one.original.tolist() == one.anonymized.tolist()


# --- a sample of the people ----------------------------------------------------------------------


@pytest.mark.parametrize("with_reference", [True, False])
def test_a_sample_is_measured_as_everybody_is(rng, with_reference):
    original = rng.normal(size=(300, 4))
    released = spectral_swapping(original, rng)
    released[17] = original[200]  # of whom nothing is measured
    reference = rng.normal(size=(280, 4)) if with_reference else None
    people = np.sort(rng.choice(np.delete(np.arange(300), 200), 120, replace=False))
    whole = disclosure_risk(original, released, reference)
    some = disclosure_risk(original, released, reference, people=people)
    for name in MEASURES:
        assert (some.measured[name] == whole.measured[name][people]).all()
        assert (some.reference[name] == whole.reference[name][people]).all()
        spread = some.of_all(some.measured[name])
        assert (spread[people] == some.measured[name]).all() and np.isnan(spread).sum() == 180
    # Copies are looked for among all, measured or not.
    assert np.flatnonzero(some.exposed.verbatim).tolist() == [200]
    assert some.verdict == "inadequate" and some.total == 300
    assert "120 people drawn at random of 300" in some.in_words()
    assert whole.sampled is None


def test_what_a_sample_leaves_open_is_undecided(rng):
    """Of everybody the excess may be as much larger as a sample can miss."""
    original = rng.normal(size=(5000, 2))
    inside = rng.random(5000) < 0.035
    released = np.where(inside[:, None], original + 1e-3, rng.normal(size=(5000, 2)))
    measured = prediction_risk(original, released, 2)
    against = prediction_risk(original, rng.normal(size=(5000, 2)), 2)
    known = compare(measured, against, 0.05)[0]
    assert 0.02 < known.excess < 0.05 and known.verdict == "adequate"
    assert compare(measured, against, 0.05, 0.005)[0].verdict == "adequate"
    open_still = compare(measured, against, 0.05, 0.03)[0]
    assert open_still.verdict == "undecided" and "WHOLE=true tells" in open_still.sentence


def test_large_tables_are_sampled_and_the_interval_holds(rng, monkeypatch):
    monkeypatch.setattr(risk_module, "_ALL_PAIRS", 4000)
    monkeypatch.setattr(risk_module, "_PEOPLE", 400)
    original = rng.normal(size=(2000, 3))
    assert people_measured(original[:400]) is None and people_measured(original, True) is None
    people = people_measured(original)
    assert people is not None and len(np.unique(people)) == 400
    released = np.where(
        rng.random(2000)[:, None] < 0.3, original + 0.02, rng.normal(size=(2000, 3))
    )
    measured, against = prediction_risk(original, released), leave_one_out_risk(original)
    true = one_sided_ks(measured.distance, against.distance)[0]
    missed = 0
    for _ in range(60):
        some = rng.choice(2000, 400, replace=False)
        found = one_sided_ks(measured.distance[some], against.distance[some])[0]
        missed += abs(found - true) > sampling_error(some)
    assert missed <= 3 and 0 < sampling_error(people) < 0.2


def test_fewer_people_than_neighbours_are_compared_all_the_same():
    """Of uncertainty one in k is taken to be apart from the others: one at least."""
    rng = np.random.default_rng(9)
    few = PredictionRisk(*rng.random((3, 2)), 5, np.zeros(2, dtype=int))
    assert [one.verdict for one in compare(few, risk_of(rng.random(3)))]


@pytest.mark.parametrize("released, others", [(900, 300), (300, 900), (600, None)])
def test_of_as_many_records_each_is_compared(rng, released, others):
    """More records lie nearer to everybody; that alone is no risk, and hides none."""
    original = rng.normal(size=(300, 6))
    reference = None if others is None else rng.normal(size=(others, 6))
    honest = disclosure_risk(original, rng.normal(size=(released, 6)), reference)
    assert honest.compared is not None and honest.measures_verdict != "inadequate"
    release, beside = honest.curves
    assert abs(np.median(release.distance) - np.median(beside.distance)) < 0.05
    # Distances of the release itself, and who is nearer, stay those of all its records.
    assert (honest.measured.distance <= release.distance + 1e-12).all()
    near = original[rng.permutation(300)] + rng.normal(0, 0.2, (300, 6))
    leaking = disclosure_risk(original, np.vstack([near] * (released // 300)), reference)
    assert leaking.measures_verdict == "inadequate"


def test_about_as_many_records_are_compared_as_they_are(rng):
    original, released, reference = (rng.normal(size=(n, 4)) for n in (300, 310, 290))
    found = disclosure_risk(original, released, reference)
    assert found.compared is None and found.curves == (found.measured, found.reference)


def test_what_a_release_tells_of_anybody_decides_nothing():
    """A smooth release of other people beside lumpy ones: its best match stands out for everybody."""
    rng = np.random.default_rng(1)
    middles, shares = rng.normal(0, 3, (12, 8)), rng.dirichlet(np.ones(12))

    def people(count=500):
        return (middles[rng.choice(12, count, p=shares)] + 0.2 * rng.normal(size=(count, 8))) / 3

    own, reference = people(), people()
    found = disclosure_risk(own, spectral_swapping(people(), rng), reference)
    raw = compare(found.measured, found.reference)
    assert [one.verdict for one in raw] == ["adequate", "inadequate", "adequate"]
    assert [one.verdict for one in found.comparisons] == ["adequate"] * 3
    assert "of people who are not in the release it tells as much" in str(
        found.comparisons[1].sentence
    )
    # Of her own record nearby it is not so of everybody.
    noisy = disclosure_risk(own, own + rng.normal(0, 0.02, own.shape), reference)
    assert "inadequate" in [one.verdict for one in noisy.comparisons]
    # Without a reference nobody is there to ask.
    alone = disclosure_risk(own, spectral_swapping(people(), rng))
    assert not any("not in the release" in str(one.sentence) for one in alone.comparisons)
