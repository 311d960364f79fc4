# SPDX-License-Identifier: GPL-2.0-or-later
"""Which groups the near group attack believes."""

from types import SimpleNamespace

import numpy as np
import pytest

from geoanon_qgis.core.attacks.linkage import near_belief, near_group
from geoanon_qgis.core.attacks.linkage.near_belief import CLAIMED, Belief
from geoanon_qgis.core.attacks.linkage.near_cliques import NearClique, disjoint_cliques
from geoanon_qgis.core.attacks.linkage.near_edges import Candidates
from geoanon_qgis.core.attacks.linkage.near_null import Null

from .test_near_group import Files

#: Eight records and eight people; a candidate is a record and a person of one label.
CANDIDATES = Candidates.of_kinds(np.arange(8) % 2, np.arange(8) % 2)
#: Chance made groups up to zero, three times.
NULL = Null((0.0, -2.0, -4.0), (4, 3, 3), 3)


def around(weights):
    """What groups grow in, of some weights of pairs of candidates."""

    def of_pairs(t1, i1, t2, i2):
        first = CANDIDATES.first[t1] + CANDIDATES.rank[i1]
        return weights[first, CANDIDATES.first[t2] + CANDIDATES.rank[i2]]

    weighing = SimpleNamespace(of_pairs=of_pairs)
    return SimpleNamespace(candidates=CANDIDATES, weighing=weighing)


def strong():
    return around(np.full((len(CANDIDATES), len(CANDIDATES)), 20.0))


def judged(*weights, given=None):
    cliques = [NearClique(np.arange(4), weight) for weight in weights]
    belief = Belief(cliques, given or strong())
    belief.judge(NULL)
    return belief


def test_one_good_group_lets_others_in_and_none_lets_nobody_in():
    middling = judged(5.0)
    assert CLAIMED < middling.best <= near_belief.OPEN and not middling.believed()
    assert near_belief.BELIEVED > judged(6.0).best > CLAIMED
    weights = [one.weight for one, _ in judged(6.0, 1.0, 30.0).believed()]
    assert weights == [30.0, 6.0]


def test_what_grows_makes_a_group_believed(monkeypatch):
    def grown(around, start, doubt, progress):
        by_chance = np.array([0.01, 0.01, 0.01, 0.02, 0.03])
        return SimpleNamespace(matches=np.arange(2, 7), by_chance=by_chance, kept=5)

    monkeypatch.setattr(near_belief, "grow", grown)
    belief = judged(4.0)
    alone = belief.best
    belief.grow()
    belief.judge(NULL)
    ((one, by_chance),) = belief.believed()
    assert one.weight == 4.0 and by_chance == belief.best < 0.1 * alone


def test_members_who_bring_little_go_down_to_three():
    weights = np.full((len(CANDIDATES), len(CANDIDATES)), 20.0)
    weights[3], weights[:, 3] = 2.0, 2.0
    ((one, _),) = judged(30.0, given=around(weights)).believed()
    assert one.members.tolist() == [0, 1, 2] and one.weight == 30.0
    ((one, _),) = judged(30.0, given=around(np.zeros_like(weights))).believed()
    assert len(one.members) == 3


@pytest.mark.parametrize("best, repeats", [(1.0, 3), (0.1, 8), (1e-3, 8), (1e-5, 3)])
def test_more_of_chance_is_seen_where_it_is_open_whether_there_is_anything(
    monkeypatch, best, repeats
):
    searches = []

    def search(*args):
        searches.append(args)
        return disjoint_cliques(*args)

    monkeypatch.setattr(Belief, "best", best)
    monkeypatch.setattr(near_group, "disjoint_cliques", search)
    Files(60, 60, 30, seed=3).attack()
    assert len(searches) == 1 + repeats
