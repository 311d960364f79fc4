# SPDX-License-Identifier: GPL-2.0-or-later
"""Several releases: against every pair, by draws, and what kept draws are worth."""

import numpy as np
import pytest

from geoanon_qgis.core.attacks.masks.likelihood import by_law, by_lists
from geoanon_qgis.core.attacks.masks.posterior import which_record, who_lives_there
from geoanon_qgis.core.attacks.masks.several import combined, linked_by, renumbered
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.laws import Donut, Gaussian, disc
from geoanon_qgis.core.masking.partners import partner_graph
from geoanon_qgis.core.masking.sizes import Neighbours
from geoanon_qgis.core.space.points import places

SECRET = bytes(range(32))
HOMES = places(np.random.default_rng(1).uniform(0, 2000, (2500, 2))).xy


def test_linked_records_multiply_pair_by_pair():
    rng = np.random.default_rng(2)
    law, other_law = Gaussian(60.0), disc(90.0)
    one, two = rng.uniform(0, 400, (8, 2)), rng.uniform(0, 400, (6, 2))
    homes = rng.uniform(0, 400, (30, 2))
    link = np.array([3, -1, 0, 5, 1, -1, 2, 4])
    found = combined(by_law(one, homes, law), by_law(two, homes, other_law), link)
    for i in range(8):
        wanted = law.density(np.hypot(*(one[i] - homes).T))
        if link[i] >= 0:
            wanted = wanted * other_law.density(np.hypot(*(two[link[i]] - homes).T))
        got = np.zeros(30)
        some = slice(found.first[i], found.first[i + 1])
        got[found.candidate[some]] = found.value[some]
        if wanted.sum() == 0:
            assert got.sum() == 0
            continue
        assert got / got.sum() == pytest.approx(wanted / wanted.sum(), abs=1e-6)


@pytest.mark.parametrize(
    "law",
    [
        Gaussian(60.0),
        disc(80.0),
        Donut(*Neighbours(HOMES).distances(HOMES, [5, 25]).T),
    ],
    ids=["gaussian", "disc", "adaptive donut"],
)
def test_both_are_right_as_often_as_they_believe_and_more_often_with_each_release(law):
    told = []
    for file in range(5):
        rows = np.random.default_rng(file).permutation(2500)[:150]
        own, order = law.of(rows), np.random.default_rng(100 + file).permutation(150)
        found, each = None, []
        for draw in range(4):
            xy = displace(HOMES[rows], own, SECRET, f"release {file} {draw}").xy
            if found is None:
                found = by_law(xy, HOMES, law)
            else:
                other = by_law(xy[order], HOMES, law)
                found = combined(found, other, np.argsort(order))
            a, b = who_lives_there(found), which_record(found, rows)
            right, hers = a.right(rows).mean(), b.right(np.arange(150)).mean()
            each.append((right, a.top.mean(), hers, b.top.mean()))
        told.append(each)
    for right, believed, hers, hers_believed in np.mean(told, axis=0):
        assert right == pytest.approx(believed, abs=0.05)
        assert hers == pytest.approx(hers_believed, abs=0.05)
    shares = np.mean(told, axis=0)[:, 1]
    assert (np.diff(shares) > 0).all() and shares[-1] > 2 * shares[0]


def test_exchange_that_keeps_its_draw_tells_no_more():
    graph = partner_graph(HOMES[:600], 8)
    rows = np.random.default_rng(5).permutation(600)[:60]
    to = graph.partner_of(rows, np.random.default_rng(6).random(60))
    likelihood = by_lists(to, graph.partners, 600, 1 / 8)
    kept = combined(likelihood, likelihood, np.arange(60))
    assert who_lives_there(kept).top == pytest.approx(np.full(60, 1 / 8))
    fresh = graph.partner_of(rows, np.random.default_rng(7).random(60))
    more = combined(likelihood, by_lists(fresh, graph.partners, 600, 1 / 8), np.arange(60))
    assert who_lives_there(more).top.mean() > 1.5 / 8


def test_ids_link_where_they_are_one_persons():
    assert linked_by(["a", "b", "b", None, "c"], ["c", "a", "x", None]).tolist() == [
        1,
        -1,
        -1,
        -1,
        0,
    ]
    likelihood = by_law(HOMES[:3], HOMES[:10], Gaussian(500.0))
    turned = renumbered(likelihood, np.arange(10)[::-1], 12)
    assert turned.candidates == 12
    assert who_lives_there(turned).best.tolist() == (9 - who_lives_there(likelihood).best).tolist()
