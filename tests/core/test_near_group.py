# SPDX-License-Identifier: GPL-2.0-or-later
"""The near group attack: brute force for its parts, releases with a known truth, bad input."""

from itertools import combinations

import numpy as np
import pytest

from geoanon_qgis.core.attacks.linkage import inputs
from geoanon_qgis.core.attacks.linkage.compatibility import (
    CoordinateNoise,
    DistanceNoise,
    LipschitzEmbedding,
)
from geoanon_qgis.core.attacks.linkage.intervals import true_distances
from geoanon_qgis.core.attacks.linkage.near_cliques import FLOOR, disjoint_cliques
from geoanon_qgis.core.attacks.linkage.near_confidence import after_growth, confidence
from geoanon_qgis.core.attacks.linkage.near_edges import (
    MOST_EDGES,
    Candidates,
    NearGraph,
    most_edges,
    near_graph,
)
from geoanon_qgis.core.attacks.linkage.near_group import NearLimits, near_group
from geoanon_qgis.core.attacks.linkage.near_growth import Around, grow
from geoanon_qgis.core.attacks.linkage.near_null import Null, moved_places
from geoanon_qgis.core.attacks.linkage.near_result import NearGroupResult
from geoanon_qgis.core.attacks.linkage.near_weights import (
    IMPOSSIBLE,
    Contraction,
    dithered,
    learn,
    weighing,
)
from geoanon_qgis.core.attacks.linkage.several_releases import put_together
from geoanon_qgis.core.attacks.linkage.simulated import simulate
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

PLANAR = metric_for("planar", None)
SIDE = 100_000.0
AREA = StudyArea.of_rings([np.array([[0.0, 0.0], [SIDE, 0.0], [SIDE, SIDE], [0.0, SIDE]])], None)
RULE = LipschitzEmbedding(20, 10, AREA, 0.5)


class Files:
    """Released and known people of five towns, some of them in both."""

    def __init__(self, released=150, known=150, common=75, kinds=12, seed=1, rule=RULE):
        rng = np.random.default_rng(seed)
        count = released + known - common
        towns = rng.uniform(0.2 * SIDE, 0.8 * SIDE, (5, 2))
        points = towns[rng.integers(0, 5, count)] + rng.normal(0, 4000.0, (count, 2))
        points = np.clip(points, 0, SIDE)
        labels = rng.integers(0, kinds, count)
        first = rng.permutation(released)
        second = rng.permutation(np.arange(released - common, count))
        self.secret, self.points = points[first], points[second]
        self.target, self.known = labels[first].tolist(), labels[second].tolist()
        row = np.full(count, -1)
        row[second] = np.arange(known)
        self.truth = row[first]
        self.square = simulate(rule, self.secret, PLANAR, rng)
        self.matrix = matrix_of(self.square)
        self.rule = rule

    def attack(self, **more):
        given = inputs.Files(
            self.target,
            more.pop("released", self.matrix),
            more.pop("known", self.known),
            self.points,
            PLANAR,
            more.pop("rule", self.rule),
            rounding=more.pop("rounding", (0.0, 0.0)),
            known_links=more.pop("known_links", ()),
        )
        return near_group(given, rng=np.random.default_rng(more.pop("seed", 5)), **more)

    def right(self, matches):
        return self.truth[matches[:, 0]] == matches[:, 1]

    def weighing(self, rng=None):
        rng = rng or np.random.default_rng(2)
        law = learn(self.rule, self.points, PLANAR, (0.0, 0.0), (), rng)
        return weighing(self.square, true_distances(self.points, PLANAR), law)


def matrix_of(square):
    return DistanceMatrix.numbered(square[np.triu_indices(len(square), 1)])


@pytest.fixture(scope="module")
def files():
    return Files()


@pytest.fixture(scope="module")
def found(files):
    return files.attack()


@pytest.fixture
def plain():
    """Without numba."""
    accel.set_enabled(False)
    yield
    accel.set_enabled(True)


def test_near_pairs_that_fit_weigh_more_than_far_ones_and_longer_ones_are_impossible(files):
    weights = files.weighing()
    known = weights.known
    i1, i2 = np.triu_indices(len(known), 1)
    order = np.argsort(known[i1, i2])
    near, far = order[20], order[-20]
    weights.released[0, 1] = weights.released[1, 0] = 0.0

    def weight(pair, share):
        distance = known[i1[pair], i2[pair]]
        weights.released[0, 1] = weights.released[1, 0] = share * distance
        ones = np.zeros(1, np.int64)
        return weights.of_pairs(ones, i1[[pair]], ones + 1, i2[[pair]])[0]

    assert weight(near, 0.999) > weight(near, 0.7)
    assert weight(near, 0.999) > weight(far, 0.5)
    assert weight(near, 1.001) == IMPOSSIBLE


def test_candidates_are_pairs_of_one_label_and_none_is_of_nobody():
    found = Candidates.of_labels(["a", None, "b", "a"], ["b", "a", float("nan"), "a", "c"])
    pairs = list(zip(found.target.tolist(), found.known.tolist()))
    assert pairs == [(0, 1), (0, 3), (2, 0), (3, 1), (3, 3)]
    for number, (t, i) in enumerate(pairs):
        assert found.first[t] + found.rank[i] == number


def edges_by_hand(weights, candidates, graph):
    """Weights of all pairs of candidates within the reach of the graph."""
    t, i = candidates.target, candidates.known
    one, other = np.triu_indices(len(candidates), 1)
    kept = (t[one] != t[other]) & (i[one] != i[other])
    one, other = one[kept], other[kept]
    distance = weights.known[i[one], i[other]]
    value = weights.of_pairs(t[one], i[one], t[other], i[other])
    deviates = distance - weights.released[t[one], t[other]]
    kept = (value >= 2) & (distance <= graph.reach) & (deviates <= 0.35 * distance)
    return {
        (a, b): w for a, b, w in zip(one[kept].tolist(), other[kept].tolist(), value[kept].tolist())
    }


def test_the_near_graph_has_the_strongest_of_all_edges():
    files = Files(60, 60, 30, 6)
    weights = files.weighing()
    candidates = Candidates.of_labels(files.target, files.known)
    graph = near_graph(weights, candidates, np.ones(len(candidates), bool))
    source = np.repeat(np.arange(len(candidates)), np.diff(graph.start))
    listed = {
        (int(a), int(b)): float(w)
        for a, b, w in zip(source, graph.neighbour, graph.weight)
        if a < b
    }
    by_hand = edges_by_hand(weights, candidates, graph)
    assert len(listed) > 100
    assert all(by_hand[pair] == weight for pair, weight in listed.items())
    left_out = [weight for pair, weight in by_hand.items() if pair not in listed]
    assert max(left_out, default=0.0) <= min(listed.values())


def test_everything_is_the_same_without_numba(plain):
    files = Files(50, 50, 30, 8)
    slow = files.attack()
    accel.set_enabled(True)
    fast = files.attack()
    assert np.array_equal(slow.guesses, fast.guesses)
    assert np.array_equal(slow.chance, fast.chance)
    assert (slow.looks, slow.steps, slow.rounds) == (fast.looks, fast.steps, fast.rounds)


def heaviest_by_hand(weights, alive, price):
    """The weight of the heaviest clique of three and more, by trying all."""
    best = FLOOR
    count = len(weights)
    for size in range(3, count + 1):
        for some in combinations(np.flatnonzero(alive).tolist(), size):
            edges = [weights[a, b] for a, b in combinations(some, 2)]
            if min(edges) > 0:
                best = max(best, sum(edges) - size * price)
    return best


@pytest.mark.parametrize("seed", range(12))
def test_cliques_are_the_heaviest_of_all_sets(seed):
    rng = np.random.default_rng(seed)
    count = 10
    weights = np.triu(rng.uniform(0.1, 3, (count, count)), 1) * (rng.random((count, count)) < 0.6)
    weights += weights.T
    start = np.r_[0, np.cumsum((weights > 0).sum(axis=1))]
    graph = NearGraph(start, np.nonzero(weights)[1], weights[weights > 0], 0, 1.0)
    nobody = np.arange(count)
    candidates = Candidates(nobody, nobody, nobody, nobody, nobody, nobody)
    search = disjoint_cliques(graph, candidates, 3, 10**9)
    alive = np.ones(count, bool)
    for one in search.cliques:
        assert one.weight == pytest.approx(heaviest_by_hand(weights, alive, np.log(count)))
        edges = [weights[a, b] for a, b in combinations(one.members.tolist(), 2)]
        assert min(edges) > 0
        assert one.weight == pytest.approx(sum(edges) - len(one.members) * np.log(count))
        alive[one.members] = False
    if len(search.cliques) < 3:
        assert heaviest_by_hand(weights, alive, np.log(count)) == FLOOR
    assert search.proven


def test_a_search_that_is_cut_off_says_so(files):
    cut = files.attack(limits=NearLimits(steps=100))
    assert not cut.proven
    assert cut.stopped == "work"


def test_it_finds_people_and_knows_how_many(files, found):
    right = files.right(found.matches)
    assert len(found.matches) >= 30
    assert right.mean() >= 0.9
    assert abs(found.expected - right.sum()) <= 0.15 * len(right)
    core = np.concatenate([one.matches for one in found.groups])
    assert files.right(core).mean() >= 0.9
    assert found.proven
    assert found.confidence.min() >= 0.5
    assert len(set(found.matches[:, 0])) == len(set(found.matches[:, 1])) == len(found.matches)
    assert "expected to be right" in repr(found)


def test_no_two_matches_contradict_each_other(files, found):
    t, i = found.matches.T
    longest = true_distances(files.points, PLANAR)[np.ix_(i, i)]
    assert (files.square[np.ix_(t, t)] <= longest + 1e-3).all()


def test_groups_stand_out_against_chance(found):
    assert found.groups
    for one in found.groups:
        assert one.by_chance <= 0.05
    largest = max(found.null, key=lambda row: row.size)
    assert largest.found >= 1
    assert largest.by_chance < largest.found


def test_with_labels_dealt_out_again_nothing_is_claimed(files):
    claimed, doubted = [], []
    for seed in range(4):
        dealt = np.random.default_rng(seed).permutation(files.known).tolist()
        nobody = files.attack(known=dealt, seed=seed)
        claimed.append(len(nobody.matches))
        # What it does not believe is there for whoever names it all the same, each once.
        doubted += [] if len(nobody.guesses) else [nobody.as_linkage().surest_first]
    assert claimed.count(0) >= 3, claimed
    assert max(map(len, doubted)) > 1
    assert all(len(np.unique(of)) == len(of) for one in doubted for of in one.T)


def test_the_same_seed_gives_the_same_and_the_order_of_people_makes_no_difference(files, found):
    again = files.attack()
    assert np.array_equal(again.guesses, found.guesses)
    assert np.array_equal(again.chance, found.chance)


def test_known_links_are_held_fixed_and_never_cost_a_right_candidate(files):
    linked = np.flatnonzero(files.truth >= 0)[:8]
    links = [(int(t), int(files.truth[t])) for t in linked]
    with_links = files.attack(known_links=links)
    assert with_links.possible < with_links.candidates
    assert not set(with_links.matches[:, 0].tolist()) & set(linked.tolist())
    assert files.right(with_links.matches).sum() >= 25
    assert with_links.links.tolist() == sorted(map(list, links))


def test_links_alone_are_grown_from():
    """Files so small that chance makes groups as heavy: links say where to begin."""
    files = Files(80, 80, 40, 12, seed=3)
    linked = np.flatnonzero(files.truth >= 0)[:10]
    found = files.attack(known_links=[(int(t), int(files.truth[t])) for t in linked])
    assert files.right(found.matches).sum() >= 8
    assert files.right(found.matches).mean() >= 0.8


def test_links_that_contradict_contraction_are_named_with_their_distances(files):
    true = true_distances(files.points, PLANAR)
    t1, t2 = np.unravel_index(files.square.argmax(), files.square.shape)
    i1, i2 = np.unravel_index(np.where(true > 0, true, np.inf).argmin(), true.shape)
    with pytest.raises(InputError) as refused:
        files.attack(known_links=[(int(t1), int(i1)), (int(t2), int(i2))])
    said = str(refused.value)
    assert f"{files.square[t1, t2]:,.6g}" in said
    assert f"{true[i1, i2]:,.6g}" in said
    assert f"row {i1 + 1}" in said
    assert "never makes distances longer" in said


@pytest.mark.parametrize(
    "links, words",
    [
        ([(0, 0), (0, 1)], "more than one known link"),
        ([(0, 3), (1, 3)], "row 4 is in more than one known link"),
        ([(150, 0)], "there is no such row"),
        ([(0, -1)], "there is no such row"),
    ],
)
def test_links_that_cannot_be_are_refused(files, links, words):
    with pytest.raises(InputError, match=words):
        files.attack(known_links=links)


def test_two_releases_of_the_same_records_find_more_than_the_worse_one():
    rule = LipschitzEmbedding(2, 20, AREA, 0.5)
    files = Files(seed=4, rule=rule)
    other = matrix_of(simulate(rule, files.secret, PLANAR, np.random.default_rng(9)))
    both = files.attack(released=[files.matrix, other])
    one = files.attack()
    assert files.right(both.matches).sum() > files.right(one.matches).sum()


def test_releases_of_other_records_are_refused(files):
    other = DistanceMatrix(files.matrix.condensed, tuple(map(str, range(2, 152))))
    with pytest.raises(InputError, match="different records: .* is not in all of them"):
        files.attack(released=[files.matrix, other])
    with pytest.raises(InputError, match="no released matrix"):
        files.attack(released=[])


def test_releases_are_put_together_by_the_largest_or_the_mean():
    one, other = np.array([[0.0, 2.0], [2.0, 0.0]]), np.array([[0.0, 3.0], [3.0, 0.0]])
    assert put_together([one, other], True)[0, 1] == 3
    assert put_together([one, other], False)[0, 1] == 2.5


def test_the_epsilon_is_chosen_where_nothing_is_known_but_contraction(files):
    found = files.attack(rule=Contraction())
    assert 10 < found.epsilon < 20_000
    core = np.concatenate([one.matches for one in found.groups])
    assert len(core) >= 4
    assert files.right(core).mean() >= 0.9
    assert files.attack(rule=Contraction(300.0)).epsilon == 300.0
    with pytest.raises(InputError, match="above zero"):
        Contraction(0.0)


def test_noise_on_distances_is_attacked_by_a_two_sided_rule():
    rule = DistanceNoise("gaussian", 300.0, 0.5)
    files = Files(rule=rule, seed=6)
    found = files.attack()
    assert files.right(found.matches).sum() >= 30
    assert files.right(found.matches).mean() >= 0.9


def test_noise_on_coordinates_leaves_long_distances_that_tell_together():
    rule = CoordinateNoise(700.0, False, 0.5, AREA, None)
    noisy = Files(100, 80, 40, kinds=16, seed=6, rule=rule)
    found = noisy.attack()
    right = noisy.right(found.matches)
    assert right.sum() >= 16 and right.mean() >= 0.7
    assert abs(found.expected - right.sum()) <= 0.25 * len(right)
    assert found.proven  # no more was asked for
    dealt = np.random.default_rng(2).permutation(noisy.known).tolist()
    assert not len(noisy.attack(known=dealt).matches)
    assert not noisy.attack(limits=NearLimits(steps=1000)).proven


def test_edges_are_as_many_as_are_worth_it():
    assert most_edges(1000, False) == 5000 and most_edges(1000, True) == 100_000
    assert most_edges(10**6, True) == MOST_EDGES


def test_rounded_distances_are_dithered_and_still_found(files):
    rounded = np.floor(files.square / 500.0) * 500.0
    found = files.attack(released=matrix_of(rounded), rounding=(500.0, 0.0))
    assert files.right(found.matches).sum() >= 15
    assert files.right(found.matches).mean() >= 0.8
    spread = dithered(rounded, (500.0, 0.0), np.random.default_rng(1))
    assert ((spread >= rounded) & (spread < rounded + 500.0)).all()
    assert np.array_equal(spread, spread.T)


def test_without_labels_chance_is_seen_at_other_places():
    files = Files(60, 60, 50, 1, seed=8)
    found = files.attack()
    assert len(found.groups) == 0 or files.right(found.groups[0].matches).mean() >= 0.7
    assert files.right(found.matches).mean() >= 0.7 if len(found.matches) else True
    points = np.random.default_rng(1).uniform(0, 100, (30, 2))
    true = true_distances(points, PLANAR)
    moved = moved_places(points, true, np.array([3]), np.random.default_rng(2))
    still = (moved == points).all(axis=1)
    assert np.flatnonzero(still).tolist() == [3]


def test_nobody_to_be_linked_is_said():
    files = Files(20, 20, 5)
    found = files.attack(known=["other"] * 20)
    assert not len(found.matches)
    assert "nothing to link" in found.note


def test_progress_rises_and_is_heard(files):
    told = []
    files.attack(progress=told.append)
    assert told == sorted(told)
    assert 0 <= told[0] and told[-1] == pytest.approx(1.0)
    assert len(told) > 60

    asked = []

    def stop(fraction):
        asked.append(fraction)
        if len(asked) == 30:
            raise Cancelled

    with pytest.raises(Cancelled):
        files.attack(progress=stop)
    assert len(asked) == 30


def test_no_time_is_said(files):
    found = files.attack(limits=NearLimits(seconds=0.0))
    assert found.stopped == "time"
    assert not found.proven


def test_chance_beyond_what_was_seen_falls_off():
    null = Null((4.0, 1.0, -2.0), (5, 4, 3), 3)
    assert null.expected(-5.0) == 1.0
    assert null.expected(2.0) == pytest.approx(1 / 3)
    assert null.expected(4.1) < 1 / 3
    assert null.expected(20.0) < 0.01
    assert Null((), (), 0).expected(100.0) == 1.0


def test_weights_that_are_sums_of_much_the_same_have_a_wide_tail():
    narrow, wide = (Null((90.0, 88.0), (9, 9), 3, share) for share in (0.0, 1 / 3))
    assert narrow.expected(120.0) < 1e-6
    assert wide.expected(120.0) == pytest.approx(np.exp(-1) / 3)


def test_confidence_falls_with_what_chance_makes():
    by_pairs = confidence(np.array([1e-3, 1e-2, 0.1, 1.0, 10.0]), 0.0)
    assert (np.diff(by_pairs) < 0).all()
    assert confidence(np.array([0.1]), 0.001)[0] > confidence(np.array([0.1]), 0.05)[0]


def test_a_group_that_grows_is_doubted_less():
    assert after_growth(0.3, np.zeros(0)) == 0.3
    assert after_growth(0.3, np.array([0.9])) == 0.3
    several = after_growth(0.3, np.array([0.005, 0.01, 0.02, 0.03, 0.06]))
    assert several < after_growth(0.3, np.array([0.005, 0.01])) < 0.3


def test_growth_from_wrong_matches_finds_little(files):
    """Wrong candidates that lie anywhere are no start to grow from."""
    weights = files.weighing()
    candidates = Candidates.of_labels(files.target, files.known)
    wrong = np.flatnonzero(files.truth[candidates.target] != candidates.known)
    rng = np.random.default_rng(3)
    alive, links = np.ones(len(candidates), bool), np.zeros((0, 2), np.int64)
    around = Around(weights, candidates, alive, links, None)
    some = rng.choice(wrong, 6, replace=False)
    pairs = np.stack([candidates.target[some], candidates.known[some]], axis=1)
    assert grow(around, pairs, np.full(6, 1.0)).kept <= 8


def test_known_links_stay_known_when_it_is_put_like_other_results():
    links = np.array([[0, 3], [2, 1]])
    found = NearGroupResult.of(
        np.array([[0, 3], [1, 2], [4, 1]]),
        np.array([1.0, 0.9, 0.8]),
        0.5,
        (),
        **{**given_to_nobody(), "links": links},
    )
    told = found.as_linkage()
    assert told.links.tolist() == links.tolist()
    assert told.matches.tolist() == told.guesses.tolist() == [[1, 2]]


def given_to_nobody():
    """What a result has besides its matches."""
    nobody = NearGroupResult.nobody()
    own = ("matches", "confidence", "group", "groups", "guesses", "chance")
    return {name: value for name, value in vars(nobody).items() if name not in own}
