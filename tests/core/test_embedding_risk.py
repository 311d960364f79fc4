# SPDX-License-Identifier: GPL-2.0-or-later
"""The risk of embeddings: who is released and known, which attacks meet them, no clock."""

from __future__ import annotations

import pickle
import time

import numpy as np
import pytest

from geoanon_qgis.core.attacks.linkage import field_matching, matching_chains
from geoanon_qgis.core.attacks.linkage.result import CLIQUE, NEAR_GROUP, SIGNATURES
from geoanon_qgis.core.attacks.maps.adversary import OVERLAPS, Adversary, Draws, Overlap
from geoanon_qgis.core.attacks.maps.embedding_risk import EmbeddingRisk
from geoanon_qgis.core.distances.setting import Setting
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

SIDE = 50_000.0
AREA = StudyArea.of_rings([SIDE * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])], None)
PLANAR = metric_for("planar", None)
POINTS = AREA.sample(120, np.random.default_rng(0))
LABELS = np.random.default_rng(1).integers(0, 12, len(POINTS)).tolist()
CLEAR = Setting(60, 1)
#: Shares of the released people whom an adversary knows.
HALF, TENTH = Overlap(0.5), Overlap(0.1)


def risk_of(labels=LABELS, seed=3, **options):
    options = {"replicates": 60, **options}
    return EmbeddingRisk(POINTS, labels, AREA, PLANAR, np.random.default_rng(seed), **options)


# -- who is released and known ----------------------------------------------------------------


@pytest.mark.parametrize("overlap", OVERLAPS)
def test_the_overlap_is_a_share_of_those_really_released(overlap, rng):
    draws = Draws(range(1000), Adversary(known=200, links=3), released=300)
    people = draws.draw(Overlap(overlap), rng)
    both = set(people.released) & set(people.known)
    assert (len(set(people.released)), len(set(people.known))) == (300, 200)
    assert len(both) == round(overlap * 300) == people.common + 3
    for row, place in zip(people.released, people.truth):
        assert (place < 0 and row not in both) or people.known[place] == row
    assert len(set(people.links[:, 0])) == 3
    assert (people.truth[people.links[:, 0]] == people.links[:, 1]).all()


def test_known_links_are_not_found_again(rng):
    people = Draws(range(100), Adversary((0.5,), links=2), released=40).draw(HALF, rng)
    every = np.flatnonzero(people.truth >= 0)
    matches = np.stack([every, people.truth[every]], axis=1)
    assert len(people.found(matches)) == people.common == 18 == people.claimed(matches)
    assert people.found(people.links) == set()


def test_guessing_by_labels_alone(rng):
    people = Draws(range(100), Adversary((0.5,)), released=40).draw(HALF, rng)
    assert people.guessed(["a"] * 40, ["a"] * 40) == pytest.approx(1 / 40)
    names = [f"{row}" for row in people.released], [f"{row}" for row in people.known]
    assert people.guessed(*names) == 1


def test_people_are_drawn_anew_each_time(rng):
    draws = Draws(range(100), Adversary())
    one, other = (set(draws.draw(TENTH, rng).released) for _ in range(2))
    assert one != other and draws.released == int(100 / 1.95)
    assert [one.share for one in draws.overlaps] == [0.5, 0.2, 0.1, 0.05]


@pytest.mark.parametrize(
    ("adversary", "released", "said"),
    [
        (Adversary((0.5,), known=10), 40, "N_KNOWN"),
        (Adversary((0.1,), links=4), 40, "KNOWN_LINKS"),
        (Adversary(), 90, "Lower N_RELEASED"),
        (Adversary((0.0, 0.5)), 40, "above 0"),
        (Adversary((1.5,)), 40, "at most 1"),
        (Adversary(known=98), None, "Only 100 records"),
    ],
)
def test_sizes_that_cannot_be_are_refused(adversary, released, said):
    with pytest.raises(InputError, match=said):
        Draws(range(100), adversary, released)


# -- attacks ----------------------------------------------------------------------------------


def test_more_is_found_where_more_is_kept_and_draws_repeat():
    risk = risk_of()
    assert risk.quick == (NEAR_GROUP, CLIQUE)
    clear, blurred = (risk.attack(at, HALF, 0, risk.quick) for at in (CLEAR, Setting(1, 40)))
    assert clear.people == blurred.people == risk.draws.common(HALF)
    assert clear.found > 0.6 * clear.people > 0.3 * clear.people > blurred.found
    assert [one.attack for one in clear.attempts] == list(risk.quick)
    assert max(one.right for one in clear.attempts) <= clear.found
    assert risk.attack(CLEAR, HALF, 0, risk.quick) == clear
    assert risk.attack(CLEAR, HALF, 1, risk.quick) != clear
    first = risk.attack(CLEAR, HALF, 0, risk.quick, lambda drawn: drawn.found > 0)
    assert [one.attack for one in first.attempts] == [NEAR_GROUP]


def test_signatures_are_never_left_out():
    """Above 2,500 pairs they were, and named three in five where 46 % had been said."""
    small, large = risk_of(released=40), risk_of(released=60)
    assert small.always_for(CLEAR) == large.always_for(CLEAR) == (SIGNATURES,)
    assert small.always_for(Setting(1, 1, radius=100.0)) == ()


def test_coordinates_that_nobody_had_the_time_to_find_leave_a_row_open(monkeypatch):
    """Of few sets they tell more than distances do: who did not look for them cannot say that a row holds."""
    risk = risk_of(released=40, adversary=Adversary((1.0,), known=40))
    few, more, many = Setting(3, 5), Setting(11, 5), Setting(101, 5)
    half = risk_of(released=40, adversary=Adversary((0.5,), known=40))
    assert risk.attack(few, Overlap(1.0), 0, (SIGNATURES,)).proven
    assert not risk.attack(many, Overlap(1.0), 0, (SIGNATURES,)).proven
    assert half.attack(many, Overlap(0.5), 0, (SIGNATURES,)).proven
    monkeypatch.setattr(field_matching, "MOST_PAIRS", 1_000)
    assert not risk.attack(few, Overlap(1.0), 0, (SIGNATURES,)).proven
    assert not risk.attack(more, Overlap(1.0), 0, (SIGNATURES,)).proven
    assert half.attack(more, Overlap(0.5), 0, (SIGNATURES,)).proven


def test_chains_that_nobody_had_the_time_for_leave_a_row_open(monkeypatch):
    """Of more than 20 sets chains over pairs name more people, be as few in both as may be."""
    risk, few = risk_of(released=40), Overlap(0.1)
    assert risk.attack(Setting(21, 5), few, 0, (SIGNATURES,)).proven
    monkeypatch.setattr(matching_chains, "_MOST_OF_MANY_SETS", 1_000)
    assert not risk.attack(Setting(21, 5), few, 0, (SIGNATURES,)).proven
    assert risk.attack(Setting(20, 5), few, 0, (SIGNATURES,)).proven


def test_it_travels_to_a_cluster_without_who_waits_for_it():
    risk = risk_of(ask=lambda fraction: None)
    there = pickle.loads(pickle.dumps(risk))  # noqa: S301
    small = Setting(2, 5)
    assert there.attack(small, Overlap(0.05), 3, (CLIQUE,)) == risk.attack(
        small, Overlap(0.05), 3, (CLIQUE,)
    )


def test_guessing_is_less_with_groups_of_labels():
    risk = risk_of(grouped=[label // 6 for label in LABELS])
    plain, grouped = (risk.guessed_in(Setting(1, 1, grouped=some)) for some in (False, True))
    assert plain == risk.guessed and 0.15 < plain < 0.4 and grouped < plain / 3


def test_the_clique_holds_known_links():
    risk = risk_of(adversary=Adversary((0.5,), links=5))
    drawn = risk.attack(Setting(20, 5), HALF, 0, (CLIQUE,))
    assert drawn.people == risk.draws.common(HALF) - 5
    assert 0 < drawn.attempts[0].right <= drawn.people


def test_without_attributes_signatures_are_run():
    risk = risk_of([()] * len(POINTS))
    assert risk.quick == (NEAR_GROUP, SIGNATURES, CLIQUE) and risk.slow == ()


@pytest.mark.slow
def test_without_attributes_people_are_found():
    risk = risk_of([()] * len(POINTS), adversary=Adversary((1.0,)), released=60)
    drawn = risk.attack(CLEAR, Overlap(1.0), 0, (SIGNATURES,))
    assert drawn.proven and drawn.found > 0.5 * drawn.people


def test_results_do_not_depend_on_the_clock(monkeypatch):
    """A clock that runs a thousand times faster changes nothing."""

    def attack():
        return risk_of(max_work=1_000).attack(Setting(5, 20), HALF, 0, (NEAR_GROUP, CLIQUE))

    slow, really = attack(), time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: 1000 * really())
    assert attack() == slow and not slow.proven


def test_an_attack_can_be_cancelled():
    def cancel(fraction):
        raise Cancelled

    risk = risk_of()
    with pytest.raises(Cancelled):
        risk.attack(CLEAR, HALF, 0, risk.quick, ask=cancel)


def test_labels_that_will_not_do(monkeypatch):
    with pytest.raises(InputError, match="20 at least"):
        risk_of([None] * 110 + LABELS[:10])
    monkeypatch.setattr("geoanon_qgis.core.attacks.maps.embedding_risk.MOST_VERTICES", 100)
    with pytest.raises(InputError, match="too little apart"):
        risk_of()
    with pytest.raises(InputError, match="every released record may be every known person"):
        risk_of([()] * len(POINTS))


def test_without_attributes_as_many_are_released_as_can_be_searched(monkeypatch):
    """The clique has to meet every row, or one would be recommended that it undoes."""
    monkeypatch.setattr("geoanon_qgis.core.attacks.maps.embedding_risk.MOST_VERTICES", 1_000)
    nobody = [()] * len(POINTS)
    assert risk_of(nobody, adversary=Adversary(known=80)).draws.released == 12
    with pytest.raises(InputError, match="N_RELEASED"):
        risk_of(nobody, adversary=Adversary(known=80), released=12, others=[12, 20])


# -- people who are neighbours -----------------------------------------------------------------


def test_neighbours_are_the_released_nearest_to_one_of_them():
    risk = risk_of(adversary=Adversary((0.5, 0.1), neighbours=True))
    assert risk.draws.overlaps == (
        *(Overlap(0.5, True), Overlap(0.1, True)),
        *(Overlap(0.5), Overlap(0.1)),
    )
    gaps = np.hypot(*(POINTS[:, None] - POINTS).transpose(2, 0, 1))
    for number in range(5):
        rng = np.random.default_rng(number)
        people = risk.draws.draw(Overlap(0.1, True), rng)
        both = people.released[people.truth >= 0]
        others = people.released[people.truth < 0]
        assert len(both) == risk.draws.common(TENTH) == len(set(both) & set(people.known))
        assert len(set(people.released)) == len(people.released) == risk.draws.released
        assert any(gaps[one, both].max() <= gaps[one, others].min() for one in both)


def test_neighbours_are_drawn_anew_and_change_nobody_else():
    plain, more = (risk_of(adversary=Adversary((0.5,), neighbours=one)) for one in (False, True))
    assert plain.draws.overlaps == (HALF,)
    assert plain.attack(CLEAR, HALF, 2, (NEAR_GROUP,)) == more.attack(CLEAR, HALF, 2, (NEAR_GROUP,))
    near = Overlap(0.2, True)
    centres = [
        POINTS[people.released[people.truth >= 0]].mean(axis=0)
        for people in (more.draws.draw(near, np.random.default_rng(seed)) for seed in range(6))
    ]
    assert np.ptp(centres, axis=0).min() > 0.1 * SIDE


def test_who_knows_neighbours_finds_more():
    """Distances of neighbours are kept where those of others are not."""
    rng = np.random.default_rng(6)
    points = (rng.uniform(0, SIDE, (40, 1, 2)) + rng.normal(0, 150, (40, 15, 2))).reshape(-1, 2)
    labels = rng.integers(0, 20, len(points)).tolist()
    risk = EmbeddingRisk(
        points, labels, AREA, PLANAR, rng, adversary=Adversary((0.1,), neighbours=True)
    )
    found = {
        kind: sum(
            risk.attack(Setting(5, 50), Overlap(0.1, kind), k, (NEAR_GROUP,)).found
            for k in range(3)
        )
        for kind in (True, False)
    }
    assert found[True] > 3 * found[False] + 10


def test_nobody_passes_for_a_neighbour_where_distances_are_not_known():
    with pytest.raises(ValueError, match="neighbours"):
        Draws(range(100), Adversary((0.5,), neighbours=True))
