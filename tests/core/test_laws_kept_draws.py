# SPDX-License-Identifier: GPL-2.0-or-later
"""Random numbers that are kept: the same for the same place, and random for anybody else."""

from __future__ import annotations

import hashlib
import hmac
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from geoanon_qgis.core.masking.digests import digests
from geoanon_qgis.core.masking.kept_draws import KeptDraws, new_secret, read_secret
from geoanon_qgis.core.runtime.errors import InputError

SECRET = bytes(range(32))
NO_SIZES = np.empty((1, 0))


def padded(what: bytes) -> bytes:
    told = struct.pack("<Q", len(what)) + what
    return told + b"\0" * (-len(told) % 64)


@settings(max_examples=15)
@given(
    st.binary(min_size=16, max_size=100),
    st.text(max_size=80),
    st.floats(-1e7, 1e7),
    st.floats(-1e7, 1e7),
    st.integers(0, 100),
)
def test_the_numbers_are_those_of_the_standard_library(secret, mask, x, y, number):
    message = padded(mask.encode()) + struct.pack("<4dQ", x + 0.0, y + 0.0, 7.0, 0.0, number)
    digest = hmac.new(secret, message, hashlib.sha256).digest()
    expected = [((word >> 12) + 0.5) / 2**52 for word in struct.unpack("<4Q", digest)]
    found = KeptDraws(secret, mask).uniforms(np.array([[x, y]]), np.array([[7.0]]), number)
    assert found.tolist() == [expected]
    bound = hmac.new(
        secret,
        padded(mask.encode()) + padded(b"zone") + message[len(padded(mask.encode())) :],
        hashlib.sha256,
    ).digest()
    other = KeptDraws(secret, mask).bound_to(b"zone")
    found = other.uniforms(np.array([[x, y]]), np.array([[7.0]]), number)
    assert found.tolist() == [[((w >> 12) + 0.5) / 2**52 for w in struct.unpack("<4Q", bound)]]


@pytest.mark.parametrize("count", [0, 1, 31, 32, 33, 1000])
@pytest.mark.parametrize("secret", [SECRET, b"x" * 100])
def test_the_compiled_kernel_gives_the_same_numbers(count, secret):
    xy = np.random.default_rng(1).normal(0, 1e5, (count, 2))
    sizes = np.random.default_rng(2).random((count, 1))
    for bound in (b"", b"zone" * 40):
        plain = KeptDraws(secret, "disc").bound_to(bound)
        many = KeptDraws(secret, "disc", True, plain.bound)
        assert np.array_equal(many.uniforms(xy, sizes, 7), plain.uniforms(xy, sizes, 7))


def test_digests_are_those_of_the_standard_library():
    """Whether numba is there or not: kernels run without it, too."""
    messages = np.arange(12, dtype="<u8").reshape(2, 6)
    key, prefix = bytes(range(64)), b"p" * 64
    with np.errstate(over="ignore"):
        found = digests(key, prefix, messages)
    for row, message in enumerate(messages):
        expected = hmac.new(key, prefix + message.tobytes(), hashlib.sha256).digest()
        assert found[row].astype("<u8").tobytes() == expected


@settings(max_examples=20)
@given(st.integers(1, 60), st.randoms(use_true_random=False))
def test_a_place_keeps_its_numbers_in_any_company(count, random):
    rng = np.random.default_rng(random.getrandbits(32))
    xy, sizes = rng.normal(0, 1e5, (count, 2)), rng.random((count, 2))
    draws = KeptDraws(SECRET, "disc")
    first = draws.uniforms(xy, sizes, 0)
    order = rng.permutation(count)
    assert np.array_equal(draws.uniforms(xy[order], sizes[order], 0), first[order])
    more = np.concatenate([rng.normal(0, 1e5, (7, 2)), xy])
    grown = draws.uniforms(more, np.concatenate([rng.random((7, 2)), sizes]), 0)
    assert np.array_equal(grown[7:], first)


def test_zero_below_zero_is_the_same_place():
    draws = KeptDraws(SECRET, "disc")
    plus, minus = np.array([[0.0, 5.0]]), np.array([[-0.0, 5.0]])
    assert np.array_equal(draws.uniforms(plus, NO_SIZES, 0), draws.uniforms(minus, NO_SIZES, 0))


def test_whatever_is_another_has_other_numbers():
    xy, sizes = np.array([[1.0, 2.0]]), np.array([[3.0]])
    draws = KeptDraws(SECRET, "disc")
    others = [
        draws.uniforms(xy, sizes, 0),
        draws.uniforms(xy, sizes, 1),
        draws.uniforms(xy[:, ::-1], sizes, 0),
        draws.uniforms(np.nextafter(xy, 9), sizes, 0),
        draws.uniforms(xy, np.nextafter(sizes, 9), 0),
        draws.uniforms(xy, np.array([[3.0, 1.0]]), 0),
        KeptDraws(SECRET, "donut").uniforms(xy, sizes, 0),
        KeptDraws(SECRET[::-1], "disc").uniforms(xy, sizes, 0),
        draws.bound_to(b"a").uniforms(xy, sizes, 0),
        draws.bound_to(b"b").uniforms(xy, sizes, 0),
    ]
    assert len(np.unique(np.concatenate(others))) == 4 * len(others)


def test_the_numbers_are_uniform_and_independent():
    side = np.arange(160.0)
    xy = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)  # places that differ by little
    found = KeptDraws(SECRET, "disc").uniforms(xy, np.empty((len(xy), 0)), 0)
    assert (found > 0).all() and (found < 1).all()
    assert all(stats.kstest(one, "uniform").pvalue > 0.001 for one in found.T)
    pairs = np.histogram2d(found[:, 0], found[:, 1], bins=16, range=[[0, 1], [0, 1]])[0]
    assert stats.chisquare(pairs.ravel()).pvalue > 0.001
    assert np.abs(np.corrcoef(found.T) - np.eye(4)).max() < 0.03


def test_new_secrets_are_long_enough_and_differ():
    secrets = {new_secret() for _ in range(20)}
    assert len(secrets) == 20 and all(len(read_secret(one)) == 32 for one in secrets)
    one = secrets.pop()
    assert read_secret(f"  {one.upper()}\n") == read_secret(one)


@pytest.mark.parametrize("text", ["", "00" * 15, "0", "password", "00" * 16 + "g", "ä" * 40])
def test_a_secret_that_is_none_is_refused_and_not_repeated(text):
    with pytest.raises(InputError, match="secret") as refused:
        read_secret(text)
    assert len(text) < 2 or text not in str(refused.value)


def test_short_secrets_are_refused_however_they_come():
    with pytest.raises(InputError, match="has 15 bytes, and at least 16 are needed"):
        KeptDraws(b"x" * 15, "disc")
    with pytest.raises(InputError, match="has 15 bytes"):
        read_secret("ab" * 15)


def test_the_secret_is_not_shown():
    assert "secret" not in repr(KeptDraws(b"secret" * 6, "disc")) and "\\x" not in repr(
        KeptDraws(SECRET, "disc")
    )
