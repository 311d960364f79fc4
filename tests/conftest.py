# SPDX-License-Identifier: GPL-2.0-or-later
"""What every test needs. Imports no QGIS, so that ``tests/core`` runs in plain Python.

pytest-qgis starts the QGIS application before this file is read, without a window and
with a profile in the checkout (see ``pyproject.toml``).
"""

import gc
import hashlib
import os
import random
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

#: The checkout.
ROOT = Path(__file__).resolve().parent.parent

#: Files that take minutes. They come first, so that no process is left alone with one in the end.
LONG = (
    "fuzz/test_algorithms.py",
    "desktop/test_window.py",
    "desktop/test_session.py",
    "processing/test_distance_tools.py",
    "processing/test_linkage.py",
    "core/test_likelihood.py",
)

try:
    from hypothesis import HealthCheck, settings
    from hypothesis.internal.conjecture import providers
except ImportError:
    pass
else:
    # Timing on a shared machine proves nothing, and a test run must be repeatable.
    settings.register_profile(
        "geoanon",
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.register_profile("quick", settings.get_profile("geoanon"), max_examples=25)
    profile = os.environ.get("HYPOTHESIS_PROFILE", "geoanon")
    settings.load_profile(profile)
    if profile in ("geoanon", "quick"):
        # Examples would also hold constants of the modules that happen to be loaded: others in another
        # order of the tests, and ten seconds in each process to read NumPy, SciPy and matplotlib, which
        # Debian keeps where Hypothesis takes them for the checkout's own.
        providers.is_local_module_file = lambda path: False

# ``import processing`` needs the folder of QGIS's own plugins, which only QGIS itself
# puts on the path.
for prefix in filter(None, (os.environ.get("QGIS_PREFIX_PATH"), "/usr", "/usr/local")):
    plugins = Path(prefix, "share", "qgis", "python", "plugins")
    if plugins.is_dir():
        if str(plugins) not in sys.path:
            sys.path.append(str(plugins))
        break


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def translations(checkout):
    """The names of ``scripts/update_translations.py``, which collects what can be translated."""
    return runpy.run_path(str(checkout / "scripts" / "update_translations.py"))


@pytest.fixture(autouse=True)
def randomness_of_its_own(request, monkeypatch):
    """What a generator without a seed asks the system for comes from the test's name instead.

    Runs without a seed are still different from each other, and a test that passed once passes
    again. Other processes, and what is drawn with :mod:`secrets`, are the system's as ever.
    """
    name = hashlib.sha256(request.node.name.encode("utf-8")).digest()
    drawn = random.Random(int.from_bytes(name, "little"))
    monkeypatch.setattr(np.random.bit_generator, "randbits", drawn.getrandbits)


def pytest_configure(config):
    """Let each process of a run of all tests begin to read them at another place.

    Whatever one of them has read, with its assertions rewritten, the others find.
    """
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
    if worker and config.args_source.name == "TESTPATHS":
        files = sorted(map(str, (ROOT / "tests").glob("*/test_*.py")))
        first = worker * len(files) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        config.args[:] = files[first:] + files[:first]


@pytest.hookimpl(hookwrapper=True)
def pytest_collection():
    """Look for no garbage while tests are collected, nor later among what was made meanwhile.

    Modules and tests are there to the end: to go through them again and again takes a tenth of the
    time of all tests.
    """
    gc.disable()
    yield
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items):
    """Begin with what takes longest; all else goes by its path."""
    places = {ROOT / "tests" / name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: (places.get(item.path, len(LONG)), str(item.path)))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(nextitem):
    """Collect no garbage once QGIS ends, after the last test: layers in it would outlive QGIS."""
    if nextitem is None:
        gc.collect()
        gc.disable()


def pytest_sessionfinish(session, exitstatus):
    """Keep the exit status for :func:`pytest_unconfigure`."""
    session.config.geoanon_exit_status = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """End the process without tearing Python down, if QGIS was in it.

    QGIS keeps the frames through which an algorithm's exception went, and with them the
    layers of a test. Python destroys those when it ends, after QGIS has closed the providers
    that they need, and the process dies on a segmentation fault with all tests passed.
    """
    status = getattr(config, "geoanon_exit_status", None)
    if status is not None and config.pluginmanager.has_plugin("pytest_qgis"):
        config.get_terminal_writer().flush()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


@pytest.fixture
def few_rounds(monkeypatch):
    """Files of adaptive Voronoi masking are drawn less often: enough to be nearly right."""
    from geoanon_qgis.core.attacks.masks import voronoi_files, voronoi_ways

    monkeypatch.setattr(voronoi_files, "_ROUNDS", 15)
    monkeypatch.setattr(voronoi_ways.ToCrossings, "rounds_before", 10)
    monkeypatch.setattr(voronoi_ways.ToPoints, "rounds_before", 20)
