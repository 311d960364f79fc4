# SPDX-License-Identifier: GPL-2.0-or-later
"""The attack against the truth that only tiny sets let one compute.

The oracle tries every sample of the candidates and keeps those that the mask turns into exactly
the release: what they say of a record's origin is all that anybody can know.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import oracles
import pytest

from geoanon_qgis.core.attacks.voronoi.result import AMBIGUOUS, PAIR, SINGLETON, UNMOVED, UNRESOLVED
from geoanon_qgis.core.attacks.voronoi.reversal import reverse_voronoi
from geoanon_qgis.core.masking.voronoi import voronoi_mask
from geoanon_qgis.core.runtime.errors import InputError

#: Coordinates are integers from 0 to this: few places make ties and second explanations
#: common, many make them rare.
CROWDED, SPARSE, WIDE = 6, 20, 1000
TRIALS = 400


def trial(seed, side, repeated, complete):
    """A random release, the attack on it, and what the oracle says of it."""
    rng = np.random.default_rng(seed)
    number = int(rng.integers(3, 9))
    size = number if complete else int(rng.integers(2, min(5, number - 1) + 1))
    candidates = rng.integers(0, side, (number, 2)).astype(float)
    if repeated:
        candidates[rng.integers(number)] = candidates[rng.integers(number)]
    sample = rng.choice(number, size, replace=False)
    try:
        masked = voronoi_mask(candidates[sample]).xy
    except InputError:  # all of them at one place
        return None
    attack = reverse_voronoi(masked, candidates, tolerance=1e-9, rng=rng)
    return candidates, sample, masked, attack, oracles.posterior(masked, candidates)


@cache
def records(side, repeated, complete):
    """Every record of all trials: seed, kind, claimed, true chance of that, best chance."""
    rows = []
    for seed in range(TRIALS):
        one = trial(seed, side, repeated, complete)
        if one is None:
            continue
        candidates, _, masked, attack, chances = one
        for record in range(len(masked)):
            row = attack.candidate[record]
            place = tuple(candidates[row]) if row >= 0 else None
            rows.append(
                (
                    seed,
                    int(attack.kind[record]),
                    float(attack.probability[record]),
                    chances[record].get(place, 0.0),
                    max(chances[record].values()),
                )
            )
    return np.array(rows)


layouts = pytest.mark.parametrize("side", [CROWDED, SPARSE, WIDE])
duplicates = pytest.mark.parametrize("repeated", [False, True])
cases = pytest.mark.parametrize("complete", [False, True], ids=["n<N", "n=N"])


def listed(rows):
    return "\n".join(
        f"seed {seed:g} kind {kind:g} claimed {claimed:.3f} true {true:.3f} best {best:.3f}"
        for seed, kind, claimed, true, best in rows[:8]
    )


@pytest.mark.slow
@layouts
@duplicates
@cases
def test_it_is_never_certain_of_what_is_not(side, repeated, complete):
    seed, _, claimed, true, _ = (rows := records(side, repeated, complete)).T
    wrong = (claimed > 0.999) & (true < 0.999)
    assert not wrong.any(), listed(rows[wrong])


@pytest.mark.slow
@layouts
@duplicates
@cases
def test_a_lone_explanation_is_the_true_one(side, repeated, complete):
    """What is called a singleton, a pair or unmoved has its origin among the two ends."""
    _, kind, claimed, true, _ = (rows := records(side, repeated, complete)).T
    wrong = (kind == SINGLETON) & (claimed > 0.999) & (true < 0.999)
    wrong |= (kind == PAIR) & (true < 0.499)
    wrong |= (kind == UNMOVED) & (true < 0.999)
    assert not wrong.any(), listed(rows[wrong])


@pytest.mark.slow
@layouts
@duplicates
@cases
def test_every_record_of_a_true_mask_is_explained(side, repeated, complete):
    kind = records(side, repeated, complete)[:, 1]
    assert not (kind == UNRESOLVED).any()


@pytest.mark.slow
@layouts
@duplicates
@cases
def test_what_can_be_known_is_mostly_known(side, repeated, complete):
    _, _, claimed, true, best = records(side, repeated, complete).T
    sure = best > 0.999
    assert sure.sum() > 50
    missed = 1 - ((claimed > 0.999) & (true > 0.999))[sure].mean()
    assert missed <= (0.005 if side == CROWDED else 0.0)


@pytest.mark.slow
@layouts
@duplicates
@cases
def test_the_claimed_probability_is_the_true_one_on_average(side, repeated, complete):
    _, _, claimed, true, _ = records(side, repeated, complete).T
    # The spread of what a set's truth adds on top: Bernoulli, one draw a record.
    error = np.sqrt((true * (1 - true)).sum() + 1) / len(true)
    assert abs(claimed.mean() - true.mean()) < 3 * error
    assert np.abs(claimed - true).mean() < 0.005


@duplicates
def test_as_many_candidates_as_records_leave_nothing_but_the_coin(repeated):
    """n = N: singletons are certain, members of a pair are one of two, unmoved ones certain."""
    _, kind, claimed, true, best = (rows := records(WIDE, repeated, True)).T
    assert not (kind == AMBIGUOUS).any()
    certain = kind != PAIR
    right = (claimed[certain] == 1) & (true[certain] == 1)
    assert right.all(), listed(rows[certain][~right])
    assert np.allclose(claimed[~certain], 0.5) and np.allclose(true[~certain], 0.5)


def released(sample_rows, candidates):
    return voronoi_mask(candidates[sample_rows]).xy


@pytest.mark.parametrize(
    ("candidates", "sample", "record", "place"),
    [
        pytest.param(
            [[594, 732], [662, 819], [296, 756], [296, 756], [242, 23]],
            [2, 0, 3, 4],
            1,
            (594, 732),
            id="both records of an unmoved place are spoken for",
        ),
        pytest.param(
            [[1, 3], [5, 3], [1, 3], [4, 1]],
            [3, 0, 2],
            0,
            (4, 1),
            id="a singleton next to an unmoved place",
        ),
        pytest.param(
            [[4, 4], [3, 5], [0, 4], [4, 3], [5, 5], [0, 1], [5, 3], [2, 2]],
            [7, 1, 2, 5, 3],
            4,
            (4, 3),
            id="the other end belongs to a pair",
        ),
        pytest.param(
            [[0, 3], [3, 1], [3, 3], [1, 3], [0, 5], [0, 2], [2, 0], [2, 3]],
            [2, 5, 1, 3, 4, 0, 7, 6],
            3,
            (1, 3),
            id="as many candidates as records, ties",
        ),
    ],
)
def test_what_other_locations_say(candidates, sample, record, place):
    """Cases in which the release leaves one origin only."""
    candidates = np.array(candidates, dtype=float)
    masked = released(sample, candidates)
    assert oracles.posterior(masked, candidates)[record] == {place: 1.0}
    attack = reverse_voronoi(masked, candidates, tolerance=1e-9, rng=np.random.default_rng(1))
    assert tuple(candidates[attack.candidate[record]]) == place
    assert attack.probability[record] == pytest.approx(1.0)


def test_two_records_did_not_come_from_one_candidate():
    """A pair whose midpoint is itself a candidate: that one place cannot hold both."""
    candidates = np.array(
        [[13, 17], [18, 4], [19, 19], [13, 8], [16, 18], [10, 4], [0, 6]], dtype=float
    )
    masked = released([0, 5, 3, 6, 2], candidates)
    attack = reverse_voronoi(masked, candidates, tolerance=1e-9, rng=np.random.default_rng(1))
    pair = [0, 4]
    assert {tuple(candidates[row]) for row in attack.candidate[pair]} == {(13, 17), (19, 19)}
    assert (attack.kind[pair] == PAIR).all()
    assert np.allclose(attack.probability[pair], 0.5)
