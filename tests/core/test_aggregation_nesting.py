# SPDX-License-Identifier: GPL-2.0-or-later
"""Areas nested with those of an earlier release, of which nothing may be left to be subtracted."""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from geoanon_qgis.core.aggregation.demands import Demands
from geoanon_qgis.core.aggregation.differencing import differences
from geoanon_qgis.core.aggregation.equivalence_classes import count_classes
from geoanon_qgis.core.aggregation.evaluation import aggregate
from geoanon_qgis.core.aggregation.nesting import COARSEN, REFINE, SAME, nested
from geoanon_qgis.core.aggregation.release import released_records
from geoanon_qgis.core.aggregation.vbas import vbas
from geoanon_qgis.core.aggregation.withholding import to_withhold, without
from tests.core.test_aggregation_differencing import counted


def is_nested(inner, outer):
    """Whether every inner area lies in one outer area."""
    return len(np.unique(np.stack([inner, outer]), axis=1).T) == len(np.unique(inner))


def a_map(seed, regions=40, old_areas=6, kinds=3):
    rng = np.random.default_rng(seed)
    xy = rng.random((regions, 2)) * 10
    sites = rng.random((old_areas, 2)) * 10
    old = ((xy[:, None] - sites) ** 2).sum(axis=-1).argmin(axis=1)
    old = np.unique(old, return_inverse=True)[1]
    region = np.repeat(np.arange(regions), rng.integers(2, 14, regions))
    codes = [np.minimum(rng.geometric(0.5, len(region)) - 1, kinds - 1)]
    return xy, old, count_classes(region, codes, regions)


def made(xy, old, classes, mode, sites, demands=None, k=5, ks=None, location="balanced_density"):
    names = [f"A{one}" for one in range(old.max() + 1)]
    wanted = nested(demands or Demands(), xy, old, names, mode, "none")
    found = vbas(
        classes,
        xy,
        k,
        np.random.default_rng(3),
        "fixed",
        sites=sites,
        location=location,
        demands=wanted,
        options={"moves": 300},
    )
    if mode == SAME:
        return found, None
    rng = np.random.default_rng(4)
    withheld = to_withhold(classes, found.area_of_region, old, ks or (k, k), mode, rng)
    return without(found, classes, xy, withheld), withheld


def tables(classes, regions, withheld):
    """Records and withheld ones by region and class, as plain tables."""
    gone = np.zeros((regions, len(classes.codes)), int)
    return classes.counts.toarray(), gone if withheld is None else withheld.counts.toarray()


def computed(true, gone, new, old, ks):
    """By brute force: which numbers below k all solutions agree on, of any cells of a class.

    Who looks knows in which classes of which new areas records are withheld; there at least what is
    shown lives.
    """
    cells = sorted({*zip(new, old)})
    found = set()
    for number in range(true.shape[1]):
        here, less = (
            [sum(one[r, number] for r in range(len(new)) if (new[r], old[r]) == c) for c in cells]
            for one in (true, gone)
        )
        nodes = [
            (side, [at for at, cell in enumerate(cells) if cell[side] == area], ks[side])
            for side in (0, 1)
            for area in {cell[side] for cell in cells} - {-1}
        ]
        most = sum(here) + max(ks)
        solutions = []
        for guess in itertools.product(range(most + 1), repeat=len(cells)):
            for side, members, k in nodes:
                real, left = (sum(one[at] for at in members) for one in (here, less))
                left = 0 if side else left
                have, told = sum(guess[at] for at in members), real - left
                if told >= k:
                    holds = have >= told if left else have == told
                else:
                    holds = left or have < k
                if not holds:
                    break
            else:
                solutions.append(guess)
        for size in range(1, len(cells) + 1):
            for some in itertools.combinations(range(len(cells)), size):
                values = {sum(one[at] for at in some) for one in solutions}
                if len(values) == 1 and 0 < min(values) < ks[0]:
                    found.add((number, some, min(values)))
    return found


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_nothing_can_be_computed_of_nested_areas_by_brute_force(seed):
    rng = np.random.default_rng(seed)
    regions = int(rng.integers(3, 5))
    table = rng.integers(0, 4, (regions, 2))
    table[0] += 1
    old = np.unique(rng.integers(0, 3, regions), return_inverse=True)[1]
    if rng.random() < 0.3 and len(np.unique(old)) > 1:
        old = old - 1
    xy, classes = rng.random((regions, 2)), counted(table)
    for mode in (REFINE, COARSEN):
        k = int(rng.integers(2, 4))
        ks = k, int(rng.integers(k, 4))
        done, withheld = made(xy, old, classes, mode, int(rng.integers(1, 4)), k=k, ks=ks)
        area = done.area_of_region
        if mode == REFINE:
            assert is_nested(area, old)
        else:
            assert is_nested(old[old >= 0], area[old >= 0])
        true, gone = tables(classes, regions, withheld)
        assert (gone <= true).all()
        assert not computed(true, gone, area.tolist(), old.tolist(), ks)


@pytest.mark.parametrize("mode", [REFINE, COARSEN])
def test_nothing_is_left_on_maps_where_something_was(mode):
    told = 0
    for seed in range(6):
        xy, old, classes = a_map(seed, 60, 5 if mode == REFINE else 20)
        done, withheld = made(xy, old, classes, mode, 15 if mode == REFINE else 5)
        area = done.area_of_region
        assert is_nested(*((area, old) if mode == REFINE else (old, area)))
        assert not is_nested(*((old, area) if mode == REFINE else (area, old)))
        before = differences(classes, area, old, 5, 5)
        told += len(before) > 0
        assert (withheld is None) == (not len(before))
        if withheld is None:
            continue
        left = differences(classes, area, old, 5, 5, withheld=withheld.counts)
        assert left.complete and not len(left)
        # What is released are the records, without those; and it is k or nothing of each class.
        assert len(withheld.record) == withheld.counts.sum()
        record, of = released_records(classes, done, np.random.default_rng(1))
        assert not np.isin(withheld.record, record).any()
        sizes = np.unique(np.stack([of, classes.record_class[record]]), axis=1, return_counts=True)[
            1
        ]
        assert sizes.min() >= 5
        assert len(record) == done.measures.released
        assert done.measures.suppressed == classes.records - len(record)
        assert done.areas.suppressed.sum() == done.measures.suppressed
        if mode == COARSEN:
            # Only records that the earlier release did not show.
            pair = old[classes.record_region] * 99 + classes.record_class
            size = dict(zip(*np.unique(pair, return_counts=True)))
            assert all(size[pair[one]] < 5 for one in withheld.record)
    assert told >= 3


@pytest.mark.parametrize(("k", "parts"), [(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (4, 3), (5, 2)])
@pytest.mark.parametrize(("mode", "of_people"), [(REFINE, False), (REFINE, True), (COARSEN, False)])
def test_who_knows_the_rules_computes_nothing_either(mode, of_people, k, parts):
    """All worlds are tried, each as a class: those that look alike never agree on a number below k."""
    most = (3 if parts < 4 else 2) * k + 2
    every = [one for one in itertools.product(range(most), repeat=parts) if 0 < sum(one) < most]
    many, one = np.arange(parts), np.zeros(parts, dtype=np.int64)
    new, old = (many, one) if mode == REFINE else (one, many)
    classes = replace(counted(np.array(every).T), of_people=of_people)
    worlds = [every[at] for at in np.asarray(classes.codes)[:, 0]]
    table = classes.counts.toarray()
    looks, withheld_any = defaultdict(set), 0
    for seed in range(8):
        withheld = to_withhold(classes, new, old, (k, k), mode, np.random.default_rng(seed))
        gone = tables(classes, parts, withheld)[1]
        withheld_any += gone.sum() > 0
        shown = [aggregate(csr_matrix(table - gone), new, new.max() + 1).toarray()]
        shown.append(aggregate(classes.counts, old, old.max() + 1).toarray())
        look = np.concatenate([np.where(one >= k, one, -1) for one in shown])
        for world, seen in zip(worlds, look.T.tolist()):
            looks[tuple(seen)].add(world)
    assert withheld_any
    # Nobody is no class of the table, and is shown nowhere.
    looks[(-1,) * (parts + 1)].add((0,) * parts)
    for some in (s for n in range(1, parts + 1) for s in itertools.combinations(many, n)):
        for alike in looks.values():
            values = {sum(world[at] for at in some) for world in alike}
            assert len(values) > 1 or not 0 < min(values) < k
