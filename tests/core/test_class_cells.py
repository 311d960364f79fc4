# SPDX-License-Identifier: GPL-2.0-or-later
"""Records that are counted and not kept, against those that are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoanon_qgis.core.aggregation import class_cells
from geoanon_qgis.core.aggregation.class_cells import CellCounter
from geoanon_qgis.core.aggregation.equivalence_classes import ClassCounter
from geoanon_qgis.core.runtime.errors import InputError


def same(found, wanted):
    assert found.counts.shape == wanted.counts.shape
    assert found.counts.has_canonical_format
    for name in ("data", "indices", "indptr"):
        one, other = getattr(found.counts, name), getattr(wanted.counts, name)
        assert one.dtype == other.dtype and (one == other).all(), name
    assert found.codes.dtype == wanted.codes.dtype and (found.codes == wanted.codes).all()
    assert found.categories == wanted.categories
    assert found.unknown == wanted.unknown and found.records == wanted.records
    assert not found.of_people and len(found.record_region) == 0


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(1, 80), st.integers(1, 70))
def test_cells_are_those_of_records_that_are_kept(seed, q, records, regions):
    rng = np.random.default_rng(seed)
    region = rng.integers(-1, regions, records)
    region[0] = 0
    # Up to 20,000 categories: then keys take eight bytes, and are compared.
    codes = [rng.integers(0, rng.choice([3, 40, 20_000]), records) for _ in range(q)]
    kept, cells = ClassCounter(regions, q), CellCounter(regions, q)
    parts = [CellCounter(regions, q) for _ in range(2)]
    step = int(rng.integers(1, 30))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_cells, "_LEAST", int(rng.integers(1, 40)))
        for number, start in enumerate(range(0, records, step)):
            rows = slice(start, start + step)
            some = region[rows], [column[rows] for column in codes]
            for counter in (kept, cells, parts[number % 2]):
                counter.add(*some)
        wanted = kept.finish()
        together = CellCounter(regions, q)
        for one in parts:
            together.add(*one.cells())
    same(cells.finish(), wanted)
    same(together.finish(), wanted)


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: CellCounter(0, 1), "no regions"),
        (lambda: CellCounter(1, 0), "quasi-identifier"),
        (lambda: CellCounter(1, 1).finish(), "no records"),
        (lambda: CellCounter(1, 1).finish([0]), "no records"),
        (lambda: CellCounter(1, 1).add([1], [[0]]), "not there"),
        (lambda: CellCounter(1, 1).add([0], [[-1]]), "negative"),
        (lambda: CellCounter(1, 1).add([0], [[0, 1]]), "same length"),
        (lambda: counted([-1]).finish(), "No record lies"),
        (lambda: counted([0]).finish([3]), "declared"),
        (lambda: CellCounter(1, 3).add([0], [[2**30]] * 3), "too many combinations"),
    ],
)
def test_what_cannot_be_counted_is_a_sentence(act, message):
    with pytest.raises(InputError, match=message):
        act()


def counted(region):
    counter = CellCounter(1, 1)
    counter.add(region, [[3]])
    return counter
