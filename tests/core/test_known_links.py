# SPDX-License-Identifier: GPL-2.0-or-later
"""Known links and several releases, in every attack."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from geoanon_qgis.core.attacks.by_name import (
    CLIQUE,
    LIKELIHOOD,
    LOCAL_MAPS,
    NAMES,
    NEAR_GROUP,
    STRONGEST,
    Search,
    all_evidence,
    attack_by,
)
from geoanon_qgis.core.attacks.linkage.compatibility import (
    AbsoluteTolerance,
    CoordinateNoise,
    DistanceNoise,
    LipschitzEmbedding,
)
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.intervals import Intervals
from geoanon_qgis.core.attacks.linkage.known_links import (
    checked_links,
    fitting,
    not_ruled_out,
    room_of,
)
from geoanon_qgis.core.attacks.linkage.result import LABELS, LinkageResult
from geoanon_qgis.core.attacks.linkage.several_releases import (
    alike,
    joined,
    put_together,
    rule_of_several,
    same_ids,
    told_of,
)
from geoanon_qgis.core.attacks.linkage.simulated import simulate
from geoanon_qgis.core.attacks.linkage.truth import not_given, score
from geoanon_qgis.core.attacks.maps.embedding_reversal import Effort
from geoanon_qgis.core.attacks.maps.likelihood import likelihood_attack
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

PLANAR = metric_for("planar", None)
#: Attacks on releases that hold all distances.
GENERAL = tuple(name for name in NAMES if name != LOCAL_MAPS)
SIDE, MANY, BOTH = 40_000.0, 40, 24
AREA = StudyArea.of_rings([np.array([[0.0, 0.0], [SIDE, 0.0], [SIDE, SIDE], [0.0, SIDE]])], None)
RULE = LipschitzEmbedding(6, 10, AREA, 0.9, 60)
#: Row of each released record among the known people.
TRUTH = np.r_[np.arange(BOTH), np.full(MANY - BOTH, -1)]


def files(seed=1, rule=RULE, releases=1, links=0, **more):
    """Forty released and forty known people, twenty-four in both, the first of either."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(0, SIDE, (2 * MANY - BOTH, 2))
    labels = [(int(one),) for one in rng.integers(0, 8, len(places))]
    known = np.r_[np.arange(BOTH), np.arange(MANY, len(places))]
    upper = np.triu_indices(MANY, 1)
    matrices = [
        DistanceMatrix.numbered(simulate(rule, places[:MANY], PLANAR, rng)[upper])
        for _ in range(releases)
    ]
    return Files(
        labels[:MANY],
        matrices,
        [labels[row] for row in known],
        places[known],
        PLANAR,
        rule,
        known_links=[(row, row) for row in range(0, 2 * links, 2)],
        **more,
    )


def right(result):
    return int((TRUTH[result.matches[:, 0]] == result.matches[:, 1]).sum())


def attacked(name, given):
    """Without a limit of time, which would make the result the machine's."""
    return attack_by(name, given, Search(), np.random.default_rng(3))


# --- every attack ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*GENERAL, STRONGEST])
def test_links_are_held_and_are_nowhere_among_what_was_found(name):
    given = files(links=6, rule=DistanceNoise("gaussian", 50.0, 0.9))
    found = attacked(name, given)
    assert found.links.tolist() == [list(link) for link in given.known_links]
    for pairs in [found.matches, *([] if found.guesses is None else [found.guesses])]:
        assert not set(pairs[:, 0]) & set(given.links[:, 0])
        assert not set(pairs[:, 1]) & set(given.links[:, 1])
    assert right(found) >= 0.5 * (BOTH - 6)


@pytest.mark.parametrize(
    "name, rule", [(CLIQUE, RULE), (NEAR_GROUP, LipschitzEmbedding(15, 8, AREA, 0.9, 60))]
)
def test_with_links_more_of_the_others_are_found(name, rule):
    shares = []
    for links in (0, 8):
        found = [attacked(name, files(seed, rule, links=links)) for seed in range(8)]
        shares.append(sum(map(right, found)) / (8 * (BOTH - links)))
    assert shares[1] > shares[0] + 0.1


def test_the_likelihood_attack_finds_by_links_what_it_does_not_find_alone():
    rule, without, among_them = DistanceNoise("gaussian", 20_000.0, 0.9), 0, 0
    for seed in range(1, 6):
        alone, helped = (attacked(LIKELIHOOD, files(seed, rule, links=links)) for links in (0, 8))
        assert helped.vertices < alone.vertices
        # those whom no link gives away in the other run
        given = set(range(0, 16, 2))
        without += sum(row == known not in given for row, known in alone.matches.tolist())
        among_them += right(helped)
    assert among_them > 1.3 * without > 0


@pytest.mark.slow
def test_the_likelihood_attack_holds_links_while_it_places_an_embedding():
    given = files(2, LipschitzEmbedding(8, 8, AREA, 0.9, 60), links=8)
    found = likelihood_attack(
        given,
        rng=np.random.default_rng(3),
        effort=Effort(starts=4, fields=1, steps=100, steps_long=100, rounds=1),
    )
    assert found.links.tolist() == given.links.tolist()
    assert found.vertices > 0  # few steps: nobody may be sure enough to be claimed
    assert not set(found.matches[:, 0]) & set(given.links[:, 0])


@pytest.mark.parametrize("name", [CLIQUE, NEAR_GROUP])
def test_with_more_releases_more_are_found(name):
    rule = LipschitzEmbedding(3, 5, AREA, 0.9, 60)
    one, four = (
        sum(right(attacked(name, files(seed, rule, releases))) for seed in range(3))
        for releases in (1, 4)
    )
    assert four > one


@pytest.mark.parametrize("name", GENERAL)
def test_links_that_contradict_contraction_are_named_by_every_attack(name):
    given = files(known_ids=[f"person {row}" for row in range(MANY)])
    square = given.released[0].square()
    t1, t2 = map(int, np.unravel_index(square.argmax(), square.shape))
    true = squareform(pdist(given.known)) + 1e9 * np.eye(MANY)
    i1, i2 = map(int, np.unravel_index(true.argmin(), true.shape))
    wrong = replace(given, known_links=[(t1, i1), (t2, i2)])
    with pytest.raises(InputError, match="never makes distances longer") as refused:
        attacked(name, wrong)
    said = str(refused.value)
    for part in (f"person {i1}", f"person {i2}", f"{square[t1, t2]:,.6g}", f"{true[i1, i2]:,.6g}"):
        assert part in said


@pytest.mark.parametrize("name", GENERAL)
@pytest.mark.parametrize(
    "links, words",
    [
        ([(0, 0), (0, 1)], "1 is in more than one known link"),
        ([(0, 3), (1, 3)], "row 4 is in more than one known link"),
        ([(MANY, 0)], "there is no such row"),
        ([(0, -1)], "there is no such row"),
    ],
)
def test_links_that_cannot_be_are_refused_by_every_attack(name, links, words):
    given = files()
    with pytest.raises(InputError, match=words):
        attacked(name, replace(given, known_links=links))


@pytest.mark.parametrize("name", GENERAL)
def test_matrices_of_other_records_are_refused_by_every_attack(name):
    given = files()
    (one,) = given.released
    other = DistanceMatrix(one.condensed, tuple(f"other {row}" for row in one.ids))
    wrong = replace(given, released=[one, other], known_links=())
    with pytest.raises(InputError, match="different records: '1' is not in all of them"):
        attacked(name, wrong)


# --- the pieces --------------------------------------------------------------------------------


def test_more_links_than_people_in_common_are_refused():
    square = np.zeros((3, 3))
    names = "abc", "def"
    links = [(0, 0), (1, 1), (2, 2)]
    with pytest.raises(InputError, match="3 known links, but .* only 2 people in common"):
        checked_links(links, square, square, 0.0, names, common=2)
    assert checked_links(links[::-1], square, square, 0.0, names, common=3).tolist() == [
        list(link) for link in links
    ]


def test_noise_may_make_distances_longer():
    released, known = 5.0 * (1 - np.eye(2)), 1.0 * (1 - np.eye(2))
    links = [(0, 0), (1, 1)]
    assert len(checked_links(links, released, known, np.inf, ("ab", "cd"))) == 2
    with pytest.raises(InputError, match="link of a with c contradicts that of b with d"):
        checked_links(links, released, known, room_of(known), ("ab", "cd"))
    assert len(checked_links(links, released, known, room_of(known, (4.0, 0.0)), ("ab", "cd"))) == 2


def test_candidates_are_left_that_contract_and_are_not_linked_themselves():
    released = np.array([[0.0, 2.0, 4.0], [2.0, 0.0, 1.0], [4.0, 1.0, 0.0]])
    known = np.array([[0.0, 3.0, 5.0], [3.0, 0.0, 1.0], [5.0, 1.0, 0.0]])
    target, person = map(np.ravel, np.indices((3, 3)))
    left = not_ruled_out(target, person, np.array([[0, 0]]), released, known, 0.0)
    # 1 may be 1 (3 away) or 2 (5 away); 2, at 4, only 2.
    assert list(zip(target[left], person[left])) == [(1, 1), (1, 2), (2, 2)]


def test_of_ten_links_that_a_right_match_fits_by_halves_some_may_be_missed():
    released = np.zeros((11, 11))
    links = np.stack([np.arange(10), np.arange(10)], axis=1)
    own = np.full((11, 11), 1.0)
    own[10, :3] = own[:3, 10] = 0.0  # fits three
    fits = Intervals(own - 0.5, own + 0.5, True)
    one = np.array([10])
    assert fitting(one, one, links, released, fits, 0.5)[0]
    assert not fitting(one, one, links, released, fits, 0.9)[0]
    assert not fitting(one, one, links, released, fits, 1.0)[0]


def test_the_rule_of_several_releases():
    assert rule_of_several(RULE, (1.0, 1.0)).sets == 18
    assert rule_of_several(RULE, ()) is RULE
    noise = rule_of_several(DistanceNoise("laplace", 10.0, 0.9), (1.0,) * 3)
    assert (noise.distribution, noise.scale) == ("gaussian", pytest.approx(10 * 2**0.5 / 2))
    moved = CoordinateNoise(10.0, False, 0.9, AREA, None)
    assert rule_of_several(moved, (1.0,) * 3).sigma == 5
    tolerance = AbsoluteTolerance(3.0)
    assert rule_of_several(tolerance, (1.0,) * 3) is tolerance


def test_the_rule_where_half_of_the_records_are_linked():
    # A quarter of the pairs is in both releases, with half the variance.
    assert rule_of_several(RULE, (0.5,)).sets == round(6 * 1.25)
    moved = CoordinateNoise(8.0, False, 0.9, AREA, None)
    assert rule_of_several(moved, (0.5,)).sigma == pytest.approx(8 * (0.75 + 0.25 / 2) ** 0.5)


def test_releases_are_joined_by_id():
    one = DistanceMatrix(np.array([1.0, 2.0, 3.0]), ("a", "b", "c"), "m")
    other = DistanceMatrix(np.array([5.0, 1.0, 1.0]), ("c", "a", "b"), "m")
    assert joined(one, True) is one
    assert joined([one, other], True).condensed.tolist() == [1.0, 5.0, 3.0]
    assert joined([one, other], False).condensed.tolist() == [1.0, 3.5, 2.0]
    strangers = DistanceMatrix(one.condensed, ("x", "y", "z"), "m")
    with pytest.raises(InputError, match="'a' is not in all"):
        joined([one, strangers], True)
    with pytest.raises(InputError, match="'d' is not in all"):
        joined([one, DistanceMatrix(np.ones(6), ("a", "b", "c", "d"), "m")], True)
    with pytest.raises(InputError, match="different units"):
        joined([one, DistanceMatrix(one.condensed, one.ids, "km")], True)
    with pytest.raises(InputError, match="no released matrix"):
        joined([], True)


@pytest.mark.parametrize("contracts", [True, False])
def test_releases_of_some_of_the_records_are_joined_pair_by_pair(contracts):
    rng = np.random.default_rng(3)
    one, two, three = (
        DistanceMatrix.numbered(rng.uniform(1, 9, n * (n - 1) // 2)) for n in (7, 9, 5)
    )
    rows = [np.array([3, -1, 0, 8, -1, 5, 1]), np.array([-1, 4, 2, -1, -1, 0, 3])]
    found = joined([one, two, three], contracts, rows).square()
    for i in range(7):
        for j in range(7):
            said = [one.square()[i, j]]
            for other, where in zip((two, three), rows):
                if where[i] >= 0 and where[j] >= 0:
                    said.append(other.square()[where[i], where[j]])
            expected = max(said) if contracts else sum(said) / len(said)
            assert found[i, j] == pytest.approx(expected)


@pytest.mark.parametrize("rows", [[0, 0, 1], [0, 1], [0, 1, 3]])
def test_a_record_has_one_partner_that_is_there(rows):
    one = DistanceMatrix(np.ones(3), ("a", "b", "c"), "m")
    with pytest.raises(InputError, match="at most one partner"):
        joined([one, one], True, [np.array(rows)])


def test_own_releases_of_some_of_the_records_tell_less():
    """A pair that one release alone tells of stays as that has it; others are the largest of both."""
    rng = np.random.default_rng(2)
    both = [rng.uniform(0, 9, (40, 40)) for _ in range(2)]
    assert told_of((1.0, 1.0), 40, rng) is None
    linked = told_of((0.5,), 40, rng)[0]
    found = put_together(both, True, [linked[:, None] & linked])
    one = ~(linked[:, None] & linked)
    assert (found[one] == both[0][one]).all() and 0 < one.sum() < one.size
    assert (found[~one] == np.maximum(*both)[~one]).all()


def test_ids_that_mean_others_are_told_from_ids_of_the_same_people():
    rng = np.random.default_rng(8)
    for rule in (LipschitzEmbedding(20, 10, AREA, 0.9), DistanceNoise("laplace", 8000.0, 0.9)):
        one, other = files(rule=rule, releases=2).released
        rows = same_ids(one, other)
        assert alike(one, other, rows)
        assert not any(alike(one, other, rng.permutation(MANY)) for _ in range(20))
    assert alike(one, other, np.where(np.arange(MANY) % 2, rows, -1))
    assert alike(one.subset(np.arange(5)), other, np.arange(5)) is None


def test_whoever_was_given_does_not_count():
    matches = np.array([[2, 2], [3, 4]])
    found = LinkageResult(matches, None, np.array([0.9, 0.9]), 9, 0, None, None, "", name="x")
    truth = np.array([0, 1, 2, 3, -1])
    held = found.holding(np.array([[0, 0], [4, 1]]))  # the second is wrong
    assert not_given(truth, held.links).tolist() == [-1, -1, 2, 3, -1]
    scored = score(held, truth)
    assert (scored.true_positives, scored.false_positives, scored.false_negatives) == (1, 1, 1)
    with pytest.raises(InputError, match="it has the labels"):
        all_evidence(held, lambda _: truth)
    judged = replace(held, labels=(["a", "b", "c", "d", "d"],) * 2)
    shown, alone = all_evidence(judged, lambda _: truth)
    assert (shown.found, shown.people) == (1, 2)
    # Row 4 and person 1 were given: nobody is left like record 3 but its person, and record 2.
    assert (alone.attack, alone.people, alone.found) == (LABELS, 2, 1.5)
