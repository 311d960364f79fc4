# SPDX-License-Identifier: GPL-2.0-or-later
"""What candidate matches say about each other, by distances that were released and exact ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from geoanon_qgis.core.attacks.maps.mutual_support import supported
from geoanon_qgis.core.runtime.errors import Cancelled
from geoanon_qgis.core.space.points import euclidean

#: What the releases of these tests leave of a distance, and the error of places on a map.
KEPT, ERROR = 0.95, 300.0


def distances(xy):
    return euclidean(xy, xy)


def samples(seed=0, count=4_000, size=20_000.0):
    """True and released distances of pairs in simulated releases."""
    rng = np.random.default_rng(seed)
    one, other = rng.uniform(0, size, (2, count, 2))
    true = np.hypot(*(one - other).T)
    return true, true * rng.uniform(KEPT - 0.01, KEPT + 0.01, count)


def run(confidence, target, identification, released, true, weight=1.0, seed=5, **more):
    return supported(
        np.asarray(confidence, dtype=float),
        np.asarray(target),
        np.asarray(identification),
        released,
        true,
        samples(),
        ERROR,
        weight,
        np.random.default_rng(seed),
        **more,
    )


def case(seed, people=12, records=8, each=4):
    """Records of some people, each with the right candidate and wrong ones, by confidence.

    Confidences of a record and of a person sum to less than one, as a competition leaves them.
    """
    rng = np.random.default_rng(seed)
    xy = rng.uniform(0, 20_000, (people, 2))
    true = distances(xy)
    released = KEPT * true[:records, :records]
    target = np.repeat(np.arange(records), each)
    identification = np.concatenate(
        [
            [row, *rng.choice(np.delete(np.arange(people), row), each - 1, replace=False)]
            for row in range(records)
        ]
    )
    weight = rng.uniform(0.05, 1, len(target))
    rows = np.bincount(target, weight)[target]
    columns = np.bincount(identification, weight, people)[identification]
    return weight / (rows + columns), target, identification, released, true


# --- by hand ------------------------------------------------------------------------------------


def corner_case():
    """Three people in a triangle and one somewhere else, whom the map takes for the third."""
    xy = np.array([[0.0, 0.0], [10_000.0, 0.0], [0.0, 8_000.0], [7_000.0, 9_000.0]])
    true = distances(xy)
    return KEPT * true[:3, :3], true


def test_what_two_records_say_tells_the_third_ones_candidates_apart():
    """Person 3 is 11.4 and 9.5 km from the first two; the released distances say 7.6 and 12.2."""
    released, true = corner_case()
    confidence, target, identification = [0.7, 0.7, 0.45, 0.45], [0, 1, 2, 2], [0, 1, 2, 3]
    after = run(confidence, target, identification, released, true)
    assert (after[:3] > 0.9).all() and after[3] < 0.01
    # It is the distances: with those of the other person it is the other way round.
    other = np.ix_([0, 1, 3], [0, 1, 3])
    after = run(confidence, target, identification, KEPT * true[other], true)
    assert after[3] > 0.9 and after[2] < 0.01


def test_wrong_candidates_fall_even_where_they_were_the_likelier():
    released, true = corner_case()
    after = run([0.5, 0.5, 0.3, 0.6], [0, 1, 2, 2], [0, 1, 2, 3], released, true)
    assert after[2] > 0.9 and after[3] < 0.01


def test_the_more_a_pair_counts_the_further_it_moves():
    released, true = corner_case()
    given_ = ([0.7, 0.7, 0.45, 0.45], [0, 1, 2, 2], [0, 1, 2, 3], released, true)
    right = [run(*given_, weight=weight)[2] for weight in (0.0, 0.1, 0.3, 1.0)]
    assert right == sorted(right) and right[0] == pytest.approx(0.45) and right[-1] > 0.9


def test_candidates_of_one_record_or_of_one_person_say_nothing_about_each_other():
    """They cannot both be right, and whether their distances fit tells nothing."""
    released, true = corner_case()
    confidence = [0.3, 0.3, 0.3]
    assert run(confidence, [0, 0, 0], [1, 2, 3], released, true) == pytest.approx(confidence)
    assert run(confidence, [0, 1, 2], [3, 3, 3], released, true) == pytest.approx(confidence)


def test_right_matches_rise_and_wrong_ones_fall():
    before, target, identification, released, true = case(3)
    after = run(before, target, identification, released, true)
    right = target == identification
    assert (after[right] > 0.9).all() and (after[~right] < 0.05).all()
    assert before[right].mean() < 0.4


# --- what does not change -------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 2])
def test_fewer_than_three_candidates_stay_as_they_are(count):
    released, true = corner_case()
    confidence = np.array([0.9, 0.4])[:count]
    index = np.arange(count)
    assert run(confidence, index, index, released, true).tolist() == confidence.tolist()


def test_candidates_that_hardly_count_are_none():
    """Two above what is considered: no more than two have anything to say."""
    released, true = corner_case()
    confidence = [0.9, 0.4, 0.002]
    assert run(confidence, [0, 1, 2], [0, 1, 2], released, true).tolist() == confidence
    after = run([0.9, 0.4, 0.3, 0.002], [0, 1, 2, 2], [0, 1, 2, 3], released, true)
    assert after[3] == 0 and (after[:3] > 0).all()


def test_without_weight_confidences_are_what_the_competition_left():
    """The odds o that left c of rivals for one record: c = o / (1 + sum of o)."""
    _, true = corner_case()
    released = KEPT * true
    for confidence, target, identification in (
        ([0.9, 0.5, 0.2, 0.01], [0, 1, 2, 3], [0, 1, 2, 3]),
        ([0.5, 0.3, 0.1, 0.4], [0, 0, 0, 1], [0, 1, 2, 3]),
        ([0.5, 0.3, 0.1, 0.4], [0, 1, 2, 3], [0, 0, 0, 1]),
    ):
        after = run(confidence, target, identification, released, true, weight=0.0)
        assert after == pytest.approx(confidence, rel=1e-9)


def test_nothing_given_is_changed():
    given_ = case(4)
    copies = [one.copy() for one in given_]
    run(*given_)
    assert all(np.array_equal(one, copy) for one, copy in zip(given_, copies))


def test_the_same_draw_gives_the_same():
    assert np.array_equal(run(*case(6), seed=1), run(*case(6), seed=1))


# --- properties -----------------------------------------------------------------------------------


@given(
    st.integers(0, 10_000),
    st.integers(3, 12),
    st.integers(1, 12),
    st.integers(1, 5),
    st.sampled_from([0.0, 0.1, 1.0, 30.0]),
)
def test_matches_are_one_to_one(seed, people, records, each, weight):
    """Confidences of a record, and of a person, sum to one at most."""
    assume(records <= people and each <= people)
    confidence, target, identification, released, true = case(seed, people, records, each)
    after = run(confidence, target, identification, released, true, weight)
    assert after.shape == confidence.shape and np.isfinite(after).all()
    assert (after >= 0).all() and (after <= 1).all()
    if np.count_nonzero(confidence > 0.003) >= 3:
        assert (after[confidence <= 0.003] == 0).all()
    assert np.bincount(target, after).max() <= 1 + 1e-9
    assert np.bincount(identification, after).max() <= 1 + 1e-9


def test_records_that_were_certain_do_not_divide_by_nothing():
    confidence, target, identification = np.ones(3), np.arange(3), np.arange(3)
    released, true = corner_case()
    for some in (released, released[::-1, ::-1]):
        after = run(confidence, target, identification, some, true, 30.0)
        assert np.isfinite(after).all() and (after >= 0).all() and (after <= 1).all()


@pytest.mark.slow
@given(st.integers(0, 10_000), st.sampled_from([0.3, 1.0]))
def test_the_order_of_candidates_records_and_people_does_not_matter(seed, weight):
    """The draw is for what distances tell, and knows neither of them."""
    confidence, target, identification, released, true = case(seed)
    before = run(confidence, target, identification, released, true, weight)
    rng = np.random.default_rng(seed + 1)
    order = rng.permutation(len(target))
    again = run(confidence[order], target[order], identification[order], released, true, weight)
    assert again == pytest.approx(before[order], abs=1e-4)
    records, people = rng.permutation(len(released)), rng.permutation(len(true))
    again = run(
        confidence,
        np.argsort(records)[target],
        np.argsort(people)[identification],
        released[np.ix_(records, records)],
        true[np.ix_(people, people)],
        weight,
    )
    assert again == pytest.approx(before, abs=1e-4)


# --- progress and cancel --------------------------------------------------------------------------


def test_it_tells_where_it_is_and_can_be_stopped():
    given_ = case(7, people=80, records=80, each=8)
    told = []
    run(*given_, progress=told.append)
    assert min(told) == 0.0 and told[-1] == 1.0
    assert len(told) > 33  # of the rounds, and of the pairs before
    for last in (1, 4, 20):
        left = iter(range(last))

        def cancel(fraction, left=left):
            if next(left, None) is None:
                raise Cancelled

        with pytest.raises(Cancelled):
            run(*given_, progress=cancel)
