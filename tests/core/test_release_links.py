# SPDX-License-Identifier: GPL-2.0-or-later
"""Records of two releases without common ids: who is linked with whom, and whether it is known."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.attacks.by_name import NEAR_GROUP, Search, attack_by
from geoanon_qgis.core.attacks.linkage.compatibility import (
    AbsoluteTolerance,
    DistanceNoise,
    LipschitzEmbedding,
)
from geoanon_qgis.core.attacks.linkage.further_releases import IDS, NOTHING, ROWS, linked
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.own_releases import OwnReleases
from geoanon_qgis.core.attacks.linkage.pair_evidence import CELLS, TRUE, cells_of
from geoanon_qgis.core.attacks.linkage.pair_learning import LearningPairs
from geoanon_qgis.core.attacks.linkage.release_links import link_releases
from geoanon_qgis.core.attacks.linkage.row_signatures import Signatures
from geoanon_qgis.core.attacks.linkage.signature_result import SignatureLimits
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

SIDE = 100_000.0
AREA = StudyArea.of_rings([SIDE * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])], None)
PLANAR = metric_for("planar", None)
EMBEDDING = LipschitzEmbedding(20, 30, AREA, 0.5)
NOISE = DistanceNoise("gaussian", 1500.0, 0.5)
SHORT = SignatureLimits(releases=4, rounds=3)


class Two:
    """Two releases of some of the same people, and people who live like them."""

    def __init__(self, rule=EMBEDDING, sizes=(70, 70), common=70, seed=1, kinds=0, known=90):
        rng = np.random.default_rng(seed)
        one, other = sizes
        total = one + other - common
        self.points = rng.uniform(0, SIDE, (total, 2))
        self.rows = (
            rng.permutation(one),
            rng.permutation(np.r_[np.arange(common), np.arange(one, total)]),
        )
        place = {who: at for at, who in enumerate(self.rows[1])}
        self.truth = np.array([place.get(who, -1) for who in self.rows[0]])
        self.known = rng.uniform(0, SIDE, (known, 2))
        self.own = OwnReleases(rule, self.known, PLANAR)
        self.squares = [self.own.square(self.points[rows], rng) for rows in self.rows]
        for square in self.squares:
            np.fill_diagonal(square, 0.0)
        labels = rng.integers(kinds, size=total) if kinds else np.zeros(total, int)
        self.labels = tuple([(str(labels[who]),) for who in rows] for rows in self.rows)

    def linked(self, seed=3, limits=SHORT, labels=None, **options):
        rng = np.random.default_rng(seed)
        return link_releases(
            *self.squares, self.own, rng=rng, limits=limits, labels=labels, **options
        )

    def right(self, links):
        return int((links.rows[links.rows >= 0] == self.truth[links.rows >= 0]).sum())

    def matrices(self):
        """Each numbered anew, as releases are."""
        return [DistanceMatrix.numbered(one[np.triu_indices(len(one), 1)]) for one in self.squares]


@pytest.mark.parametrize(
    "rule, least, options",
    [(NOISE, 55, {}), (EMBEDDING, 20, {"kinds": 6})],
)
def test_records_are_linked_and_hardly_any_wrongly(rule, least, options):
    two = Two(rule, **options)
    links = two.linked(labels=two.labels if options else None)
    right = two.right(links)
    assert right >= least and links.linked - right <= 2
    assert links.expected == pytest.approx(right, abs=4)
    assert not links.cut_off


def test_two_releases_of_other_people_are_not_linked():
    for seed, rule in ((3, EMBEDDING), (1, NOISE)):
        two = Two(rule, common=0, seed=seed, sizes=(60, 60), kinds=5)
        assert two.linked().linked == 0
        assert two.linked(labels=two.labels).linked == 0


def test_of_unequal_releases_those_in_both_are_linked():
    two = Two(NOISE, sizes=(50, 90), common=40, kinds=6)
    links = two.linked(labels=two.labels)
    assert links.rows.shape == (50,) and links.rows.max() < 90
    assert two.right(links) >= 20 and links.linked - two.right(links) <= 2
    assert links.common == pytest.approx(40, abs=20)
    for row, partner in enumerate(links.rows):
        if partner >= 0:
            assert two.labels[0][row] == two.labels[1][partner]
    kept = links.rows[links.rows >= 0]
    assert len(set(kept)) == len(kept)


def test_the_order_of_the_other_release_makes_no_difference():
    two = Two(NOISE, sizes=(40, 45), common=40)
    before = two.linked(seed=7)
    order = np.random.default_rng(9).permutation(45)
    two.squares[1] = two.squares[1][np.ix_(order, order)]
    after = two.linked(seed=7)
    assert before.linked >= 10
    moved = np.where(before.rows >= 0, np.argsort(order)[before.rows], -1)
    np.testing.assert_array_equal(after.rows, moved)
    np.testing.assert_allclose(after.chance, before.chance, atol=1e-6)


def test_records_at_the_same_places_are_left_unlinked():
    """Five live at each of twelve places: rows tell which place, and nobody which of the five."""
    two = Two(sizes=(60, 60), common=60)
    places = np.repeat(np.random.default_rng(4).uniform(0, SIDE, (12, 2)), 5, axis=0)
    rng = np.random.default_rng(5)
    two.own = OwnReleases(EMBEDDING, places, PLANAR)
    two.squares = [two.own.square(places[rows], rng) for rows in two.rows]
    assert two.linked().linked == 0
    two.squares = [np.zeros((60, 60))] * 2
    assert two.linked().linked == 0


def test_few_records_are_not_linked_and_a_short_time_is_said():
    two = Two(sizes=(6, 6), common=6)
    assert two.linked().linked == 0
    links = Two().linked(limits=SignatureLimits(seconds=0.0))
    assert links.cut_off and links.linked == 0

    def stop(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        Two().linked(progress=stop)


# --- parts ---------------------------------------------------------------------------------------


def test_densities_of_pairs_are_those_counted_one_by_one():
    rng = np.random.default_rng(1)
    other = rng.uniform(1, 9, (12, 12))
    other = np.triu(other, 1) + np.triu(other, 1).T
    one = np.abs(other + np.triu(rng.normal(0, 0.3, (12, 12)), 1))
    one = np.triu(one, 1) + np.triu(one, 1).T
    learning = LearningPairs(1e-6)
    learning.add(one, other, 8)
    about = learning.about(other)
    cuts = np.quantile(other[np.triu_indices(12, 1)], (np.arange(1, TRUE) / TRUE) ** 2)
    counts = np.zeros((TRUE, CELLS + 2))
    for i in range(8):
        for j in range(i + 1, 8):
            kind = int(np.searchsorted(cuts, other[i, j]))
            assert about.classes[i, j] == kind
            cell = cells_of(other[i, j], one[i, j], kind, about.scale, False)
            counts[kind, cell] += 1
    usual = np.mean([abs(one[i, j] - other[i, j]) for i in range(8) for j in range(i + 1, 8)])
    empty = counts.sum(axis=1) == 0
    assert empty.any() and about.scale[empty] == pytest.approx(usual)
    # Each class leans on its neighbours by halves; a density adds up to one over its cells.
    near = counts.copy()
    near[1:] += counts[:-1] / 2
    near[:-1] += counts[1:] / 2
    total = np.maximum(near.sum(axis=1, keepdims=True), 1)
    near += 1e-3 * total / (CELLS + 2)
    near /= near.sum(axis=1, keepdims=True)
    inside = about.density[:, 1:-1] * about.scale[:, None] * 8 / CELLS
    np.testing.assert_allclose(inside, near[:, 1:-1])


def test_signatures_of_one_release_vary_as_those_of_two_do():
    rng = np.random.default_rng(2)
    off = rng.normal(0, [0.1, 0.4], (4000, 2))
    known = Signatures.alike(np.array([[1.0, 2.0], [1.2, 2.0]]), off, np.array([0.0, 1.0]), 0.1)
    assert known.deviation[0] == pytest.approx([0.1, 0.4], rel=0.05)
    whitened = off / known.deviation[0] @ known.white[0].T
    np.testing.assert_allclose(np.cov(whitened.T), np.eye(2), atol=0.05)


# --- put to use ----------------------------------------------------------------------------------


def files_of(two, matrices, rule=EMBEDDING, known=None, **more):
    given = two.known if known is None else known
    labels = two.labels[0], [("0",)] * len(given)
    return Files(labels[0], matrices, labels[1], given, PLANAR, rule, **more)


def test_ids_are_believed_where_rows_go_together_by_them():
    two = Two(NOISE, sizes=(50, 50), common=50, known=60)
    first, other = two.matrices()
    same = other.subset(two.truth)
    rng = np.random.default_rng(1)
    found = linked(files_of(two, first, NOISE), DistanceMatrix(same.condensed, first.ids), rng=rng)
    assert found.way == IDS and found.links.rows.tolist() == list(range(50))
    found = linked(files_of(two, first, NOISE), other, rng=rng)
    assert found.way == ROWS and two.right(found.links) >= 30
    # Sorted by place with one record left out, the same number means whoever lives next door.
    order = np.argsort(two.points[two.rows[0]][:, 0])
    there = two.truth[order]
    shifted = other.subset(there[1:])
    kept = first.subset(order[:-1])
    one = DistanceMatrix(kept.condensed, tuple(map(str, range(49))))
    next_door = DistanceMatrix(shifted.condensed, one.ids)
    labels = [()] * 49
    found = linked(Files(labels, one, [()] * 60, two.known, PLANAR, NOISE), next_door, rng=rng)
    right = found.links.rows[1:] == np.arange(48)
    assert found.way == ROWS and right.sum() >= 0.9 * found.links.linked > 15


def test_what_cannot_be_linked_says_why():
    two = Two(common=0)
    first, other = two.matrices()
    rng = np.random.default_rng(1)
    found = linked(files_of(two, first, AbsoluteTolerance(5.0)), other, rng=rng)
    assert found.way == NOTHING and "by ids only" in found.why
    found = linked(files_of(two, first, known=two.known[:5]), other, rng=rng)
    assert found.way == NOTHING and "eight" in found.why
    with pytest.raises(InputError, match="different units"):
        linked(files_of(two, first), DistanceMatrix(other.condensed, other.ids, "km"), rng=rng)


def test_a_planted_wrong_partner_takes_claims_away_and_makes_no_wrong_ones():
    """A wrong partner makes distances longer than true ones, which contraction forbids."""
    two = Two(sizes=(60, 60), common=60, seed=5, kinds=8)
    first, other = two.matrices()
    people = np.random.default_rng(6).permutation(60)  # the adversary knows them all
    known, labels = two.points[people], dict(zip(two.rows[0].tolist(), two.labels[0]))
    truth = np.argsort(people)[two.rows[0]]
    places = two.points[two.rows[0]]
    away = np.hypot(*(places[:, None] - places).transpose(2, 0, 1))
    claimed = {}
    for wrong in (0, 12):
        rows = two.truth.copy()
        rows[:wrong] = np.roll(rows[:wrong], 1)
        given = Files(
            two.labels[0],
            [first, other],
            [labels[who] for who in people.tolist()],
            known,
            PLANAR,
            EMBEDDING,
            partners=[rows],
        )
        longer = (given.settled().square() > away + 1e-6).any(axis=1)
        assert longer[:wrong].all() and longer.any() == bool(wrong)
        found = attack_by(NEAR_GROUP, given, Search(), np.random.default_rng(1))
        hit = truth[found.matches[:, 0]] == found.matches[:, 1]
        claimed[wrong] = int((found.matches[:, 0] < 12).sum())
        assert hit.sum() >= 15 and (~hit).sum() <= 2
    assert claimed[12] <= claimed[0] / 2 <= 6
