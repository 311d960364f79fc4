# SPDX-License-Identifier: GPL-2.0-or-later
"""Areas to join so that nothing can be subtracted from an earlier release."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from geoanon_qgis.core.aggregation.demands import Demands
from geoanon_qgis.core.aggregation.differencing import differences
from geoanon_qgis.core.aggregation.equivalence_classes import count_classes
from geoanon_qgis.core.aggregation.joins import areas_to_join


def two_releases(seed, regions=20, areas=(5, 4)):
    rng = np.random.default_rng(seed)
    xy = rng.random((regions, 2)) * 10
    new, old = (
        np.unique(((xy[:, None] - at) ** 2).sum(axis=-1).argmin(axis=1), return_inverse=True)[1]
        for at in (rng.random((count, 2)) * 10 for count in areas)
    )
    region = np.repeat(np.arange(regions), rng.integers(2, 14, regions))
    codes = [np.minimum(rng.geometric(0.5, len(region)) - 1, 3)]
    return xy, new, old, count_classes(region, codes, regions)


def partitions(count):
    """All ways to put areas together, those with most areas first."""
    found = {
        tuple(np.unique(one, return_inverse=True)[1].tolist())
        for one in itertools.product(range(count), repeat=count)
        if all(group <= max(one[:at], default=-1) + 1 for at, group in enumerate(one))
    }
    return sorted(found, key=lambda one: (-max(one), one))


def joined_by_hand(new, groups):
    name = {int(area): int(group[0]) for group in groups for area in group}
    return np.unique([name.get(area, area) for area in new.tolist()], return_inverse=True)[1]


def test_what_is_found_prevents_it_and_no_join_is_needless():
    missed = found = most = 0
    for seed in range(5):
        xy, new, old, classes = two_releases(seed)
        before = differences(classes, new, old, 5, 5)
        made = areas_to_join(classes, xy, new, old, (5, 5), before)
        if not len(before):
            assert made is None
            continue
        best = next(
            (
                max(one) + 1
                for one in partitions(new.max() + 1)
                if not len(differences(classes, np.array(one)[new], old, 5, 5))
            ),
            None,
        )
        if made is None:
            missed += best is not None
            continue
        found += 1
        area = joined_by_hand(new, made.groups)
        assert made.prevent and (area == made.area_of_region).all()
        after = differences(classes, area, old, 5, 5)
        assert after.complete and not len(after)
        most += area.max() + 1 == best
        for at, group in enumerate(made.groups):
            if len(group) == 2:
                fewer = joined_by_hand(new, made.groups[:at] + made.groups[at + 1 :])
                assert len(differences(classes, fewer, old, 5, 5))
    assert found >= 2 and missed <= 1 and most >= found - 1


def test_joins_keep_to_their_part_of_the_map():
    crossed = 0
    for seed in range(4):
        xy, new, old, classes = two_releases(seed, areas=(7, 3))
        part = (xy[:, 0] > 5).astype(np.int64)
        new = np.unique(np.stack([new, part]), axis=1, return_inverse=True)[1].reshape(-1)
        found = differences(classes, new, old, 5, 5)
        anyhow = areas_to_join(classes, xy, new, old, (5, 5), found)
        crossed += anyhow is not None and len(
            np.unique([anyhow.area_of_region, part], axis=1).T
        ) > (anyhow.area_of_region.max() + 1)
        within = areas_to_join(
            classes, xy, new, old, (5, 5), found, Demands(part=part, part_names=("west", "east"))
        )
        if within is not None:
            pairs = np.unique([within.area_of_region, part], axis=1).T
            assert len(pairs) == within.area_of_region.max() + 1
    assert crossed


def test_it_gives_up_where_nothing_helps_and_where_it_cannot_check():
    # An earlier release of all but one, and its total: whoever is left is known, whatever is joined.
    table = [(0, 9), (1, 3)]
    region = np.repeat(*zip(*table))
    classes = count_classes(region, [np.zeros(len(region), dtype=np.int64)], 2)
    xy, new, old = np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([0, 0]), np.array([0, 1])
    found = differences(classes, new, old, 5, 5)
    assert len(found) and areas_to_join(classes, xy, new, old, (5, 5), found) is None
    for seed in itertools.count():
        xy, new, old, classes = two_releases(seed)
        cut = differences(classes, new, old, 5, 5, programmes=0)
        if len(cut) and not cut.complete:
            break
    assert areas_to_join(classes, xy, new, old, (5, 5), cut) is None


@pytest.mark.parametrize("when", [3, 30])
def test_it_can_be_cancelled(when):
    from geoanon_qgis.core.runtime.errors import Cancelled

    asked = []

    def progress(fraction):
        asked.append(fraction)
        if len(asked) > when:
            raise Cancelled

    xy, new, old, classes = two_releases(1)
    found = differences(classes, new, old, 5, 5)
    with pytest.raises(Cancelled):
        areas_to_join(classes, xy, new, old, (5, 5), found, progress=progress)
