# SPDX-License-Identifier: GPL-2.0-or-later
"""Records of one home that were each moved by itself: rings give it away, as often as he believes."""

import numpy as np
import pytest

from geoanon_qgis.core.attacks.masks.likelihood import Likelihood, by_law
from geoanon_qgis.core.attacks.masks.own_draws import expected_records, of_own_draws
from geoanon_qgis.core.attacks.masks.posterior import who_lives_there
from geoanon_qgis.core.attacks.masks.together import together
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.laws import Donut, disc
from tests.core.test_mask_unlisted import off, town


def attacked(law, records, seed):
    """Who looks for rings, who takes each point for a home of its own, and the truth."""
    rng, homes = np.random.default_rng(seed), town(seed, 3000)
    rows = np.repeat(rng.choice(len(homes), len(records), replace=False), records)
    apart = np.stack([rows, np.arange(len(rows))], axis=1)
    xy = displace(homes[rows], law, rng.bytes(32), "test", stored=apart).xy
    likely = by_law(xy, homes, law)
    rings = of_own_draws(likely, expected_records(xy, homes, None), rng)
    return who_lives_there(rings), who_lives_there(together(likely)), rows


@pytest.mark.parametrize("law", [Donut(40.0, 60.0), disc(75.0)], ids=["donut", "disc"])
def test_points_of_one_home_give_it_away_and_he_knows_it(law):
    records = np.random.default_rng(2).geometric(0.4, 90)
    rings, distinct, rows = attacked(law, records, 1)
    right, blind = rings.right(rows), distinct.right(rows)
    assert right.sum() > 1.8 * blind.sum()
    # All records of a home are found, or none.
    together = np.square(records).sum() / records.sum()
    assert off(rings.top, right) < 3.5 * np.sqrt(together)
    assert right.sum() == pytest.approx(rings.top.sum(), rel=0.25)


def test_where_each_has_one_record_nothing_is_made_of_chance():
    rings, distinct, rows = attacked(Donut(40.0, 60.0), np.ones(120, dtype=int), 3)
    assert rings.top.sum() == pytest.approx(distinct.top.sum(), rel=0.15)
    assert rings.right(rows).sum() == pytest.approx(rings.top.sum(), abs=4 * np.sqrt(40))


def test_few_records_are_as_every_way_to_put_them():
    """Against the sum over all ways, with r fixed by a sampler of one value."""
    from geoanon_qgis.core.attacks.masks import own_draws

    rng = np.random.default_rng(4)
    value, weight = (
        rng.random((4, 3)) * (rng.random((4, 3)) < 0.8) + 0.01,
        np.array([1.0, 2.0, 0.5]),
    )
    total, wanted, r = 0.0, np.zeros((4, 3)), 1.5
    for way in np.ndindex(3, 3, 3, 3):
        chance, count = 1.0, np.zeros(3)
        for record, at in enumerate(way):
            chance *= value[record, at] * (count[at] + r * weight[at] / weight.sum())
            count[at] += 1
        total += chance
        wanted[np.arange(4), way] += chance
    likely = Likelihood.of_pairs(4, 3, *np.indices((4, 3)).reshape(2, -1), value.ravel())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(own_draws, "_DISPERSION", np.array([r / 4]))
        patch.setattr(own_draws, "_MOST", 4000)
        found = of_own_draws(likely, weight, rng)
    assert found.value.reshape(4, 3) == pytest.approx(wanted / total, abs=0.03)
