# SPDX-License-Identifier: GPL-2.0-or-later
"""What is free is asked of each system, and a job that needs more is refused with numbers."""

import ctypes
import shutil
import sys

import pytest

from geoanon_qgis.core.runtime import memory
from geoanon_qgis.core.runtime.errors import InputError

GB = 10**9


def test_this_machine_tells():
    assert memory.available_memory() > 10**7
    assert 0 < memory.free_disk("/") == pytest.approx(shutil.disk_usage("/").free, rel=0.1)


def test_a_folder_to_come_lies_where_its_parents_do(tmp_path):
    free = memory.free_disk(tmp_path / "not" / "yet" / "matrix.csv")
    assert free == pytest.approx(shutil.disk_usage(tmp_path).free, rel=0.1)


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (99_940, "99.9 kB"),
        (99_960, "100 kB"),
        (999_499, "999 kB"),
        (999_500, "1.0 MB"),
        (1.6 * GB, "1.6 GB"),
        (3e12, "3.0 TB"),
        (-5, "0 bytes"),
    ],
)
def test_sizes_are_readable(size, text):
    assert memory.readable(size) == text


def test_what_does_not_fit_is_refused_with_the_numbers(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: int(1.2 * GB))
    memory.refuse_unless_fits(1.2 * GB, "15,000 records")
    with pytest.raises(InputError) as caught:
        memory.refuse_unless_fits(
            1.6 * GB, "20,000 records", "their distance matrix", "Release fewer records."
        )
    assert str(caught.value) == (
        "20,000 records need 1.6 GB of memory for their distance matrix, 1.2 GB are free."
        " Release fewer records."
    )


def test_what_does_not_fit_on_the_disk_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(memory, "free_disk", lambda path: 5 * GB)
    memory.refuse_unless_fits_disk(5 * GB, tmp_path, "The files")
    with pytest.raises(InputError, match="The files need 6.0 GB on the disk, 5.0 GB are free"):
        memory.refuse_unless_fits_disk(6 * GB, tmp_path, "The files")


def test_where_nothing_is_known_nothing_is_refused(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")  # without the Windows API
    if not hasattr(ctypes, "windll"):
        assert memory.available_memory() is None
        memory.refuse_unless_fits(10**30, "Many records")
    monkeypatch.setattr(memory.shutil, "disk_usage", lambda path: 1 / 0)
    monkeypatch.setattr(memory, "free_disk", lambda path: None)
    memory.refuse_unless_fits_disk(10**30, "/", "The files")


# --- control groups ---------------------------------------------------------------------------


def group(folder, files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)


def test_version_2_and_the_groups_above(tmp_path):
    group(tmp_path / "batch" / "job", {"memory.max": "max\n", "memory.current": "7\n"})
    group(
        tmp_path / "batch",
        {
            "memory.max": "1000\n",
            "memory.current": "600\n",
            "memory.stat": "anon 500\nfile 100\ninactive_file 90\nactive_file 10\n",
        },
    )
    assert memory._left_in_groups("0::/batch/job\n", tmp_path) == [490]
    (tmp_path / "batch" / "job" / "memory.high").write_text("307\n")  # slowed down from there
    assert memory._left_in_groups("0::/batch/job\n", tmp_path) == [300, 490]


def test_version_1(tmp_path):
    group(
        tmp_path / "memory",
        {
            "memory.limit_in_bytes": "1000\n",
            "memory.usage_in_bytes": "1200\n",
            "memory.stat": "inactive_file 1\ntotal_inactive_file 50\n",
        },
    )
    text = "9:name=systemd:/\n4:cpu,memory:/a container's path\n0::/\n"
    assert memory._left_in_groups(text, tmp_path) == [0]
    (tmp_path / "memory" / "memory.usage_in_bytes").write_text("1000\n")
    assert memory._left_in_groups(text, tmp_path) == [50]  # with the groups below
    # 2^63 less a page is what version 1 says where there is no limit.
    (tmp_path / "memory" / "memory.limit_in_bytes").write_text("9223372036854771712\n")
    assert memory._left_in_groups(text, tmp_path)[0] > 10**18


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads what Linux tells")
@pytest.mark.parametrize("kind", ["RLIMIT_AS", "RLIMIT_DATA"])
def test_a_limit_of_the_process(monkeypatch, kind):
    import resource

    assert memory._left_of_limits() == []
    limits = {getattr(resource, kind): (2**50, 2**50)}
    infinite = (resource.RLIM_INFINITY,) * 2
    monkeypatch.setattr(resource, "getrlimit", lambda kind: limits.get(kind, infinite))
    (left,) = memory._left_of_limits()
    assert 2**50 - 2**40 < left < 2**50
    limits[getattr(resource, kind)] = (1, 1)
    assert memory._left_of_limits() == [0] and memory.available_memory() == 0


def test_the_root_of_a_container_is_the_limit_of_the_container(tmp_path):
    group(tmp_path, {"memory.max": "500\n", "memory.current": "100\n"})
    assert memory._left_in_groups("0::/\n", tmp_path) == [400]
    assert memory._left_in_groups("0::/../elsewhere\n", tmp_path) == [400]
    assert memory._left_in_groups("", tmp_path) == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads what Linux tells")
def test_the_tightest_limit_counts(monkeypatch):
    monkeypatch.setattr(memory, "_left_in_groups", lambda groups, root: [12_345])
    assert memory.available_memory() == 12_345


# --- other systems ----------------------------------------------------------------------------


def test_macos_tells_a_share(monkeypatch):
    told = {"hw.memsize": 16 * GB, "kern.memorystatus_level": 40}
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(memory, "_sysctl", lambda name, kind: told.get(name))
    assert memory.available_memory() == 16 * GB * 40 // 100
    told.clear()
    assert memory.available_memory() is None


def test_windows_is_asked_for_a_structure_of_its_size(monkeypatch):
    assert ctypes.sizeof(memory._MemoryStatus) == 64

    class Kernel:
        @staticmethod
        def GlobalMemoryStatusEx(reference):
            assert reference._obj.length == 64
            reference._obj.available = 3 * GB
            return 1

    windll = type("windll", (), {"kernel32": Kernel})
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(ctypes, "windll", windll, raising=False)
    assert memory.available_memory() == 3 * GB
