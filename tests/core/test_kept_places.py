# SPDX-License-Identifier: GPL-2.0-or-later
"""Where places were put, kept from one release to the next."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoanon_qgis.core.masking.kept_places import KeptPlaces, Staying, place_names
from geoanon_qgis.core.runtime.errors import InputError

SECRET, BY = bytes(range(32)), {"K": 5}
NOBODY = KeptPlaces.read(None, BY)


def stay(xy, kept=NOBODY, of="list", metres=1.0, keep=True, secret=SECRET):
    return Staying.of(np.asarray(xy, dtype=float), kept, of, secret, "mask", metres, keep)


def file_of(kept):
    """As it is read again."""
    return KeptPlaces.read(json.loads(json.dumps(kept.as_json())), BY)


def drawn(rng, count, withheld=0.0):
    put = rng.uniform(0, 1000, (count, 2))
    put[rng.random(count) < withheld] = np.nan
    return put


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(0, 60), st.sampled_from([1, 0.3]))
def test_who_was_released_stays_in_any_order_and_the_others_are_drawn(seed, count, more, metres):
    rng = np.random.default_rng(seed)
    first, new = rng.uniform(0, 1e5, (count, 2)), rng.uniform(0, 1e5, (more, 2))
    before = stay(first, metres=metres)
    put = before.put(drawn(rng, count, 0.3))
    kept = file_of(before.for_next_time(put))
    assert len(kept) == np.count_nonzero(~np.isnan(put[:, 0]))  # who is withheld is not kept
    order = rng.permutation(count + more)
    both, fresh = np.concatenate([first, new])[order], drawn(rng, count + more)
    again = stay(both, kept, "other list", metres)
    now = again.put(fresh)
    known = order < count
    known[known] = ~np.isnan(put[order[known], 0])
    assert np.array_equal(again.stays, known) and np.array_equal(again.earlier, known)
    assert np.array_equal(now[known], put[order[known]])
    assert np.array_equal(now[~known], fresh[~known])
    assert not stay(both, kept, "list", metres).earlier.any()
    # A third release knows which list has put whom.
    last = file_of(again.for_next_time(now))
    assert len(last) == count + more and set(last.lists) <= {"list", "other list"}
    third = stay(both, last, "other list", metres)
    assert third.stays.all() and np.array_equal(third.earlier, known)
    assert np.array_equal(third.put(drawn(rng, count + more)), now)


@given(st.integers(0, 2**32 - 1), st.floats(0, 0.99))
def test_a_place_that_misses_itself_by_less_than_a_millimetre_is_found(seed, millimetres):
    rng = np.random.default_rng(seed)
    xy = rng.uniform(-1e6, 1e6, (30, 2)).round(1)
    before = stay(xy)
    put = before.put(drawn(rng, 30))
    kept = before.for_next_time(put)
    turn = rng.uniform(0, 2 * np.pi, 30)
    off = millimetres / 1000 * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    assert np.array_equal(stay(xy + off, kept).put(drawn(rng, 30)), put)
    # Some millimetres away is another place.
    assert not stay(xy + 0.004, kept).stays.any()
    # Where no unit is known, the last digit counts.
    exact = stay(xy, metres=None)
    kept = exact.for_next_time(put)
    assert stay(xy, kept, metres=None).stays.all()
    assert not stay(np.nextafter(xy, np.inf), kept, metres=None).stays.any()


@given(st.integers(0, 2**32 - 1))
def test_places_in_one_square_are_put_together_whatever_the_order_of_the_rows(seed):
    rng = np.random.default_rng(seed)
    xy = np.repeat(rng.uniform(0, 1e3, (10, 2)).round(2), 3, axis=0)
    xy += rng.uniform(-3e-4, 3e-4, xy.shape)
    fresh, order = drawn(rng, 30, 0.3), rng.permutation(30)
    put = stay(xy).put(fresh)
    assert np.array_equal(stay(xy[order]).put(fresh[order]), put[order], equal_nan=True)
    for one, own in zip(put.reshape(10, 3, 2), fresh.reshape(10, 3, 2)):
        assert len({place.tobytes() for place in one}) == 1
        # Nobody is lost of whom one is released.
        assert np.isnan(one).all() == np.isnan(own).all()
    assert np.array_equal(stay(xy, keep=False).put(fresh), put, equal_nan=True)


def test_names_tell_nothing_without_the_secret():
    xy = np.random.default_rng(8).uniform(0, 1000, (500, 2))
    names = place_names(xy, SECRET, "mask")
    assert len(set(names.tolist())) == 500
    assert np.array_equal(place_names(xy[::-1], SECRET, "mask"), names[::-1])
    for secret, mask in ((SECRET[::-1], "mask"), (SECRET, "other mask")):
        assert not set(names.tolist()) & set(place_names(xy, secret, mask).tolist())
    before = stay(xy)
    kept = before.for_next_time(xy + 7)
    assert not stay(xy, kept, secret=SECRET[::-1]).stays.any()


def test_nothing_is_kept_unless_it_is_asked_for():
    xy = np.random.default_rng(8).uniform(0, 1000, (5, 2))
    idle = stay(xy, keep=False)
    assert idle.names is None and len(idle.for_next_time(xy)) == 0
    assert np.array_equal(idle.put(xy + 1), xy + 1) and not idle.earlier.any()
    quick = Staying.of(xy, NOBODY, "list", SECRET, "mask", 1.0, False, True)
    assert np.array_equal(quick.put(xy + 1), xy + 1) and not quick.stays.any()
    assert len(quick.for_next_time(xy)) == 0


def test_other_parameters_and_nonsense_are_sentences():
    before = stay([[1.0, 2.0]])
    told = before.for_next_time(np.array([[3.0, 4.0]])).as_json()
    with pytest.raises(InputError, match="with K=5, and not with K=6"):
        KeptPlaces.read(told, {"K": 6})
    with pytest.raises(InputError, match="with K=5, and not with K=none"):
        KeptPlaces.read(told, {})
    nan = stay([[1.0, 2.0]]).for_next_time(np.array([[3.0, 4.0]]))
    nan.xy[:] = np.inf
    for bad in ([], {}, {"by": BY}, {"by": BY, "lists": [{}]}, nan.as_json()):
        with pytest.raises(InputError, match="makes no sense"):
            KeptPlaces.read(bad, BY)
