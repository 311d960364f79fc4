# SPDX-License-Identifier: GPL-2.0-or-later
"""Opens QGIS's own window under a virtual X server, with this checkout's plugin in it."""

import json
import os
import shutil
import signal
import subprocess
import sysconfig
from pathlib import Path

import pytest

PROGRAM = shutil.which("qgis.bin") or shutil.which("qgis")
#: Two that look for a free number at once would take the same one: each process has its own.
FIRST_DISPLAY = 99 + 50 * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
SETTINGS = """
[PythonPlugins]
geoanon_qgis=true
processing=true

[qgis]
checkVersion=false
showTips=false
askToSaveProjectChanges=false
enableMacros=0
projOpenAtLaunch=0

[core]
NewsFeed\\httpsfeedqgisorg\\disabled=true

[app]
projections\\unknownCrsBehavior=NoAction
"""


def pytest_collection_modifyitems(items):
    """Skip what needs a window where there is none to be had."""
    missing = [
        name
        for name, found in (("qgis", PROGRAM), ("xvfb-run", shutil.which("xvfb-run")))
        if not found
    ]
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.slow)
            if missing:
                item.add_marker(pytest.mark.skip(reason=f"{missing[0]} is not installed"))


def stage(checkout: Path, folder: Path, plugin: bool) -> Path:
    """Put the plugin together the way QGIS wants it, or none, and a profile that enables it."""
    place = folder / "plugins" / "geoanon_qgis"
    place.mkdir(parents=True)
    for source in [
        *(checkout / "geoanon_qgis").iterdir(),
        *(checkout / name for name in ("metadata.txt", "resources", "i18n")),
    ]:
        if plugin and source.exists() and source.name != "__pycache__":
            (place / source.name).symlink_to(source)
    settings = folder / "profiles" / "profiles" / "default" / "QGIS"
    settings.mkdir(parents=True)
    for name in ("QGIS3.ini", "QGIS4.ini"):  # each version reads its own
        text = SETTINGS if plugin else SETTINGS.replace("geoanon_qgis=true\n", "")
        (settings / name).write_text(text, encoding="utf-8")
    return place.parent


@pytest.fixture(scope="session")
def visit(checkout, tmp_path_factory):
    """Return a function that opens the window, lets a script work in it, and returns what it saw.

    The script gets its orders as JSON, in the file that GEOANON_WINDOW_ORDERS names, and writes
    what it has seen into the file that is called ``result`` there. Without ``plugin`` it is a QGIS
    that has never heard of GeoAnon; ``prepare`` is called with the folder of its profile.
    """

    def call(script: str, seconds: int, plugin: bool = True, prepare=None, **orders) -> dict:
        folder = tmp_path_factory.mktemp("window")
        plugins = stage(checkout, folder, plugin)
        if prepare is not None:
            prepare(folder / "profiles" / "profiles" / "default")
        data = folder / "soho.gpkg"
        shutil.copy(checkout / "resources" / "data" / "soho_cholera_1854.gpkg", data)
        result, paper = folder / "result.json", folder / "orders.json"
        orders = {"result": str(result), "data": str(data), "folder": str(folder), **orders}
        paper.write_text(json.dumps({**orders, "seconds": seconds - 15}), encoding="utf-8")
        environment = {
            **{k: v for k, v in os.environ.items() if k not in ("QT_QPA_PLATFORM", "DISPLAY")},
            "GEOANON_WINDOW_ORDERS": str(paper),
            "GEOANON_WINDOW_SCRIPTS": str(Path(__file__).parent),
            **({"QGIS_PLUGINPATH": str(plugins)} if plugin else {}),
            "PYTHONPATH": sysconfig.get_path("purelib"),
            "XDG_RUNTIME_DIR": str(folder),
            "LC_ALL": "C.UTF-8",
            "QT_QPA_PLATFORM": "xcb",
        }
        environment.pop("QGIS_CUSTOM_CONFIG_PATH", None)
        log = folder / "log.txt"
        command = [
            "xvfb-run",
            "-a",
            "-n",
            str(FIRST_DISPLAY),
            "-s",
            "-screen 0 1400x900x24",
            PROGRAM,
            "--nologo",
            "--noversioncheck",
            "--profiles-path",
            str(folder / "profiles"),
            "--profile",
            "default",
            "--code",
            str(Path(__file__).with_name(script)),
        ]
        with log.open("wb") as output:
            process = subprocess.Popen(
                command,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                pass
            finally:
                _end(process)
        said = log.read_text(encoding="utf-8", errors="replace")[-3000:]
        steps = folder / "steps.txt"
        so_far = steps.read_text(encoding="utf-8").split() if steps.exists() else []
        assert result.exists(), f"QGIS did not get to the end. {so_far}. Last words:\n{said}"
        found = json.loads(result.read_text(encoding="utf-8"))
        assert not found["messages"], "\n".join(found["messages"])
        assert "error" not in found, f"{found['steps']}\n{found['error']}\n{said}"
        return found

    return call


@pytest.fixture(scope="module")
def pictures(tmp_path_factory) -> Path:
    """Where screenshots go: GEOANON_SCREENSHOTS, to keep them, or a temporary folder."""
    folder = os.environ.get("GEOANON_SCREENSHOTS")
    path = Path(folder) if folder else tmp_path_factory.mktemp("screenshots")
    path.mkdir(parents=True, exist_ok=True)
    return path.resolve()


def _end(process: subprocess.Popen) -> None:
    """End the X server and QGIS: they are alone in their session."""
    try:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(5)
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, subprocess.TimeoutExpired):
        pass
