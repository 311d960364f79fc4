# SPDX-License-Identifier: GPL-2.0-or-later
"""Records that are counted in parts, elsewhere, against one counting of all."""

from __future__ import annotations

from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoanon_qgis.core.aggregation.categories import Encoder
from geoanon_qgis.core.aggregation.record_coding import RecordCoder
from geoanon_qgis.core.columns import column_of
from geoanon_qgis.core.runtime.errors import InputError

TEXTS = [None, "a", "b", "ä", "longer than eight bytes", "longer than eight bytes!"]


def coder(keep=False, **more):
    encoders = {name: Encoder(name) for name in ("text", "number", "group")}
    limits = {"group": np.array([0.0, 2.0, 9.0])}
    encoders["group"] = Encoder("group", np.arange(2.0))
    ids = column_of("uid", ["r1", "r2", "r3"])
    return RecordCoder("region", ids, encoders, limits, keep=keep, **more)


def batches(rng, count):
    for _ in range(count):
        size = int(rng.integers(0, 12))
        yield {
            "region": column_of(
                "region", rng.choice(["r1", "r2", "r3", "r9", None], size).tolist()
            ),
            "text": column_of("text", rng.choice(TEXTS[: rng.integers(1, 7)], size).tolist()),
            "number": column_of("number", rng.choice([None, 3, 1, 7, 2**60], size).tolist()),
            "group": column_of("group", rng.choice([None, 0.5, 2.0, 9.0], size).tolist()),
        }


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_parts_put_together_are_the_whole(seed):
    rng = np.random.default_rng(seed)
    every = list(batches(rng, 6))
    if not any("r1" in list(batch["region"]) for batch in every):
        return
    kept, whole, together = coder(keep=True), coder(), coder()
    for batch in every:
        kept.add(batch)
        whole.add(batch)
    cuts = [0, *sorted(rng.integers(0, 7, 2).tolist()), 6]
    for start, stop in zip(cuts, cuts[1:]):
        one = deepcopy(coder())
        for batch in every[start:stop]:
            one.add(batch)
        together.absorb(deepcopy(one))
    for name, encoder in whole.encoders.items():
        assert together.encoders[name].categories == encoder.categories
        assert together.encoders[name].null_code == encoder.null_code
        assert together.encoders[name].null_count == encoder.null_count
    assert together.unknown == whole.unknown == kept.unknown
    wanted = kept.counter.finish()
    for one in (whole.counter.finish(), together.counter.finish()):
        assert (one.counts != wanted.counts).nnz == 0 and (one.codes == wanted.codes).all()
        assert one.unknown == wanted.unknown == sum(whole.unknown.values())


def test_the_region_may_be_text_here_and_numbers_there():
    one, other = Encoder("n"), Encoder("n")
    one.encode(np.array(["1", "b"]))
    other.encode(np.array([2, 1]))
    assert one.absorb(other).tolist() == [0, 2] and one.categories == ("1", "b", "2")
    other.absorb(Encoder("n"))
    with pytest.raises(InputError, match="numbers in some records, text in others"):
        other.absorb(one)


@pytest.mark.parametrize("more", [{"keep": True}, {"attributes": ["x"]}, {"person": "x"}])
def test_records_that_are_kept_are_in_one_place(more):
    with pytest.raises(InputError, match="in parts"):
        coder(**more).absorb(coder())
