# SPDX-License-Identifier: GPL-2.0-or-later
"""Digests of files: SHA-256 of all bytes, and of a database without the counters of its head."""

import hashlib
import os
import sqlite3

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from geoanon_qgis.core.runtime.errors import Cancelled
from geoanon_qgis.core.verification import digests


def database(path, rows=3):
    with sqlite3.connect(path) as made:
        made.execute("create table t (a)")
        made.executemany("insert into t values (?)", [(row,) for row in range(rows)])
    made.close()
    return path


@given(st.binary(max_size=5000), st.integers(100, 4000))
def test_pieces_come_to_the_digest_of_the_whole(data, size):
    assume(not data.startswith(b"SQLite format 3"))  # what a database holds is told by itself
    digesting = digests.Digesting()
    for start in range(0, len(data), size):
        digesting.add(data[start : start + size])
    found = digesting.digest()
    assert (found.size, found.sha256) == (len(data), hashlib.sha256(data).hexdigest())
    assert found.content_sha256 == ""


@pytest.mark.parametrize("size", [0, 1, digests.CHUNK - 1, digests.CHUNK, 3 * digests.CHUNK + 7])
def test_a_file_of_any_size(tmp_path, size):
    (tmp_path / "f").write_bytes(data := os.urandom(size))
    told = []
    found = digests.of_file(tmp_path / "f", told.append)
    assert (found.size, found.sha256) == (size, hashlib.sha256(data).hexdigest())
    assert told == sorted(told) and all(0 <= one <= 1 for one in told)
    assert len(told) == -(-size // digests.CHUNK)


def test_counters_of_a_database_are_passed_over_and_nothing_else(tmp_path):
    path = database(tmp_path / "a.gpkg")
    before = digests.of_file(path)
    data = bytearray(path.read_bytes())
    for at in (18, 19, 24, 27, 92, 99):
        changed = bytearray(data)
        changed[at] ^= 1
        path.write_bytes(changed)
        found = digests.of_file(path)
        assert found.sha256 != before.sha256 and found.content_sha256 == before.content_sha256
    for at in (16, 20, 28, 91, 100, len(data) - 1):
        changed = bytearray(data)
        changed[at] ^= 1
        path.write_bytes(changed)
        assert digests.of_file(path).content_sha256 != before.content_sha256


def test_a_cancel_is_heard_between_pieces(tmp_path):
    (tmp_path / "f").write_bytes(bytes(3 * digests.CHUNK))
    told = []

    def progress(fraction):
        told.append(fraction)
        raise Cancelled

    with pytest.raises(Cancelled):
        digests.of_file(tmp_path / "f", progress)
    assert len(told) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_nothing_waits_for_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError):
        digests.of_file(tmp_path / "pipe")


def test_links_are_followed_only_if_asked(tmp_path):
    (tmp_path / "f").write_bytes(b"x")
    try:
        (tmp_path / "link").symlink_to(tmp_path / "f")
    except OSError:
        pytest.skip("no links here")
    assert digests.of_file(tmp_path / "link").size == 1
    with pytest.raises(OSError):
        digests.of_file(tmp_path / "link", follow=False)
    with pytest.raises(OSError):
        digests.of_file(tmp_path)
