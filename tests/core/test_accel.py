# SPDX-License-Identifier: GPL-2.0-or-later
"""The shim around numba."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import threading
from contextlib import contextmanager

import numpy as np
import pytest

from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled
from geoanon_qgis.core.runtime.locks import alone, try_lock
from geoanon_qgis.core.runtime.parallel import run_blocks
from geoanon_qgis.core.runtime.progress import interruptible


@pytest.fixture
def restore():
    was = accel.enabled()
    yield
    accel.set_enabled(was)
    accel.on_compile(None)


def test_switched_off_a_kernel_is_plain_python(restore):
    calls = []

    @accel.kernel
    def note(value):  # compiled, it could not append to a list from outside
        calls.append(value)
        return value + 1

    accel.set_enabled(False)
    assert not accel.enabled()
    assert note(1) == 2 and calls == [1]
    assert note.__name__ == "note"


def test_a_kernel_gives_the_same_compiled(restore):
    if not accel.available():
        pytest.skip("numba is not installed")

    # The name of the test module is no package's, so nothing is kept in a cache.
    def total(values):
        result = 0.0
        for value in values:
            result += value * value
        return result

    import numpy as np

    run = accel.kernel(total)
    values = np.arange(1000) / 7
    accel.set_enabled(True)
    compiled = run(values)
    accel.set_enabled(False)
    assert compiled == run(values) == total(values)


def test_the_user_is_told_once_before_compiling(restore):
    if not accel.available():
        pytest.skip("numba is not installed")
    accel.set_enabled(True)
    told = []
    accel.on_compile(told.append)

    def one(value):
        return value + 1

    def two(value):
        return value + 2

    assert accel.kernel(one)(1) + accel.kernel(two)(1) == 5
    assert len(told) == 1 and told[0].endswith(".")


def test_what_is_kept_for_a_type_is_compiled_by_one_process_at_a_time(
    restore, monkeypatch, tmp_path
):
    if not accel.available():
        pytest.skip("numba is not installed")
    (tmp_path / "twice.py").write_text("def twice(value):\n    return 2 * value\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    locked = []

    @contextmanager
    def alone(path, patience):
        assert os.path.isdir(os.path.dirname(path)) and patience > 0
        locked.append(path)
        yield

    monkeypatch.setattr(accel, "alone", alone)
    accel.set_enabled(True)
    run = accel.kernel(importlib.import_module("twice").twice)
    assert (run(1), run(2), run(1.5), run(2.5)) == (2, 4, 3.0, 5.0)
    assert len(locked) == 2 and len(set(locked)) == 1


def test_only_one_has_the_lock_and_nobody_waits_for_good(tmp_path):
    path = tmp_path / "lock"
    with alone(str(path), 60.0), path.open("rb+") as other:
        if try_lock(other.fileno()) is None:
            pytest.skip("there are no locks on files here")
        assert try_lock(other.fileno()) is False
        with alone(str(path), 0.0):  # its patience is at its end
            pass
    with path.open("rb+") as other:
        assert try_lock(other.fileno())
    with alone(str(tmp_path / "nowhere" / "lock"), 60.0):  # no file can be there
        pass


def test_a_run_is_cancelled_while_its_kernels_are_compiled(restore, monkeypatch):
    """Compiling takes as long as it takes: here, until the test has ended the wait."""
    release = threading.Event()
    compiled = []

    def slow(function):
        def first_call(value):
            compiled.append(value)
            release.wait()
            return value

        return first_call

    monkeypatch.setattr(accel, "_compile", slow)
    monkeypatch.setattr(accel, "enabled", lambda: True)
    kernel = accel.kernel(abs)

    def ask():
        if compiled:
            raise Cancelled()

    accel.on_compile(None, ask)
    try:
        with pytest.raises(Cancelled):
            kernel(1.0)
        with pytest.raises(Cancelled):  # in threads too, where nobody else would ask
            run_blocks(kernel, [1.0, 2.0], workers=2)
        with pytest.raises(Cancelled):
            interruptible(lambda: kernel(3.0), lambda fraction: None)
    finally:
        release.set()
    assert len(compiled) >= 3
    accel.on_compile(None, lambda: None)
    assert kernel(5) == 5 and kernel(6) == 6


def test_a_kernel_that_is_known_is_called_where_it_stands(restore, monkeypatch):
    monkeypatch.setattr(accel, "_compile", lambda function: function)
    monkeypatch.setattr(accel, "enabled", lambda: True)
    kernel = accel.kernel(lambda values: threading.get_ident())
    accel.on_compile(None, lambda: None)
    whole = np.zeros((4, 4))
    assert kernel(whole) != threading.get_ident() and kernel(whole) == threading.get_ident()
    assert kernel(whole[:, ::2]) != threading.get_ident()  # another layout, compiled anew
    accel.on_compile(None)
    assert kernel(whole.astype(int)) == threading.get_ident()


@pytest.mark.parametrize(("value", "status"), [("0", "switched off"), ("off", "switched off")])
def test_the_environment_switches_it_off(checkout, value, status):
    if not accel.available():
        pytest.skip("numba is not installed")
    code = (
        "import sys; from geoanon_qgis.core.runtime import accel;"
        "print(accel.status(), accel.enabled(), 'numba' in sys.modules)"
    )
    environment = {**os.environ, "GEOANON_NUMBA": value}
    told = subprocess.run(
        [sys.executable, "-c", code],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.split() == [*status.split(), "False", "False"]
