# SPDX-License-Identifier: GPL-2.0-or-later
"""QGIS's own window under a virtual X server: does a person find, run and see it all?"""

import json
import os
import shutil
import signal
import subprocess
import sysconfig
from pathlib import Path

import pytest
from qgis.PyQt.QtGui import QImage

SECONDS = 150
PROGRAM = shutil.which("qgis.bin") or shutil.which("qgis")
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

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PROGRAM is None, reason="QGIS's desktop program is not installed"),
    pytest.mark.skipif(shutil.which("xvfb-run") is None, reason="xvfb-run is not installed"),
]


def stage(checkout: Path, folder: Path) -> Path:
    """Put the plugin together the way QGIS wants it, and a profile that enables it."""
    plugin = folder / "plugins" / "geoanon_qgis"
    plugin.mkdir(parents=True)
    for source in [*(checkout / "geoanon_qgis").iterdir(), *(
        checkout / name for name in ("metadata.txt", "resources", "i18n")
    )]:  # fmt: skip
        if source.exists() and source.name != "__pycache__":
            (plugin / source.name).symlink_to(source)
    settings = folder / "profiles" / "profiles" / "default" / "QGIS" / "QGIS3.ini"
    settings.parent.mkdir(parents=True)
    settings.write_text(SETTINGS, encoding="utf-8")
    return plugin.parent


@pytest.fixture(scope="module")
def pictures(tmp_path_factory) -> Path:
    """Where screenshots go: GEOANON_SCREENSHOTS, to keep them, or a temporary folder."""
    folder = os.environ.get("GEOANON_SCREENSHOTS")
    path = Path(folder) if folder else tmp_path_factory.mktemp("screenshots")
    path.mkdir(parents=True, exist_ok=True)
    return path.resolve()


@pytest.fixture(scope="module")
def seen(checkout, pictures, tmp_path_factory) -> dict:
    """What the script saw in the window."""
    folder = tmp_path_factory.mktemp("window")
    plugins = stage(checkout, folder)
    data = folder / "soho.gpkg"
    shutil.copy(checkout / "resources" / "data" / "soho_cholera_1854.gpkg", data)
    result, orders = folder / "result.json", folder / "orders.json"
    orders.write_text(
        json.dumps(
            {
                "result": str(result), "pictures": str(pictures), "data": str(data),
                "seconds": SECONDS - 15,
            }
        ),  # fmt: skip
        encoding="utf-8",
    )
    environment = {
        **{k: v for k, v in os.environ.items() if k not in ("QT_QPA_PLATFORM", "DISPLAY")},
        "GEOANON_WINDOW_ORDERS": str(orders),
        "QGIS_PLUGINPATH": str(plugins),
        "PYTHONPATH": sysconfig.get_path("purelib"),
        "XDG_RUNTIME_DIR": str(folder),
        "LC_ALL": "C.UTF-8",
        "QT_QPA_PLATFORM": "xcb",
    }
    environment.pop("QGIS_CUSTOM_CONFIG_PATH", None)
    log = folder / "log.txt"
    command = [
        "xvfb-run", "-a", "-s", "-screen 0 1400x900x24", PROGRAM, "--nologo", "--noversioncheck",
        "--profiles-path", str(folder / "profiles"), "--profile", "default",
        "--code", str(Path(__file__).with_name("window_script.py")),
    ]  # fmt: skip
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, env=environment, stdout=output, stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            pass
        finally:
            _end(process)
    said = log.read_text(encoding="utf-8", errors="replace")[-3000:]
    assert result.exists(), f"QGIS did not get to the end. Its last words:\n{said}"
    found = json.loads(result.read_text(encoding="utf-8"))
    assert not found["messages"], "\n".join(found["messages"])
    assert "error" not in found, f"{found['steps']}\n{found['error']}\n{said}"
    assert found["steps"][-1] == "show_who_was_linked", f"stuck in {found['steps']}\n{said}"
    return found


def _end(process: subprocess.Popen) -> None:
    """End the X server and QGIS: they are alone in their session."""
    try:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(5)
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, subprocess.TimeoutExpired):
        pass


def layer(layers, name):
    return next(one for one in layers if one["name"] == name)


def test_the_toolbox_shows_provider_groups_and_algorithms(seen):
    assert seen["plugin"]
    assert "Voronoi masking" in seen["toolbox"]["Mask points"]
    assert {"Reverse Voronoi masking", "Mask, attack, report"} <= set(
        seen["toolbox"]["Attack a release"]
    )
    assert "Check environment" in seen["toolbox"]["Tools"]


def test_the_dialogs_run(seen):
    masking, attack, model, release, linkage = seen["runs"]
    assert release["successful"] and release["numbers"]["N"] == 81
    assert release["numbers"]["MAX_VIOLATION"] == 0
    assert linkage["successful"] and linkage["numbers"]["PROVEN"] == 1
    assert linkage["numbers"]["PRECISION"] > 0.5
    assert masking["successful"] and attack["successful"] and model["successful"]
    assert masking["numbers"]["COUNT"] == 324
    assert attack["numbers"]["FOUND"] == 324
    assert attack["numbers"]["SHARE_CORRECT"] > 0.5
    assert model["numbers"]["reverse:FOUND"] == 324


@pytest.mark.parametrize("run", ["layers", "model_layers"])
def test_outputs_are_loaded_with_style_and_legend(seen, run):
    layers = seen[run]
    assert layer(layers, "Release: Masked points")["note"].startswith("<p>Release")
    shifts = layer(layers, "Private: Shifts")
    assert shifts["renderer"] == "categorizedSymbol"
    assert "Moved; alone at its masked place" in shifts["legend"]
    found = layer(layers, "Private: Assigned candidates")
    assert found["renderer"] == "RuleRenderer"
    assert found["legend"][:2] == ["Found: one place", "Found: one of two places"]
    assert "Wrong place, by the key" in found["legend"]
    links = layer(layers, "Private: Links")
    assert links["renderer"] == "categorizedSymbol"
    for one in (shifts, found, links):
        assert one["note"].startswith("<p>Private") and one["counted"] and one["count"] == 324


def test_distances_are_loaded_with_style_and_legend(seen):
    layers = seen["distance_layers"]
    assert layer(layers, "Release: Records")["note"].startswith("<p>Release")
    kept = layer(layers, "Private: Distance kept")
    assert kept["renderer"] == "graduatedSymbol" and kept["count"] == 80
    assert kept["legend"][0] == "Kept: 90 to 100 % of the true distance"
    linked = layer(layers, "Private: Linked people")
    assert linked["renderer"] == "RuleRenderer" and linked["count"] == 81
    assert "In the clique, right" in linked["legend"]
    for name in ("Distance kept", "Reference sets", "What the matrix draws", "Key",
                 "Linked people", "True place to linked place"):  # fmt: skip
        assert layer(layers, f"Private: {name}")["note"].startswith("<p>Private"), name


def test_private_and_release_are_told_apart(seen):
    outputs = [one for one in seen["layers"] if one["note"]]
    assert len(outputs) == 6
    for one in outputs:
        private = one["name"].startswith("Private: ")
        assert one["note"].startswith("<p>Private" if private else "<p>Release")
    cells = layer(seen["layers"], "Private: Voronoi cells")
    assert cells["legend"] == ["Cell of one record", "Cell of several records at one place"]


def test_points_lie_above_lines_above_cells(seen):
    order = [one["name"] for one in seen["layers"]]
    for above, below in (
        ("Release: Masked points", "Private: Shifts"),
        ("Private: Shifts", "Private: Voronoi cells"),
        ("Private: Assigned candidates", "Private: Links"),
        ("Private: Assigned candidates", "deaths"),
    ):
        assert order.index(above) < order.index(below), order


@pytest.mark.parametrize(
    "name",
    ["toolbox", "mask_dialog", "attack_dialog", "map", "close_up", "model_dialog", "model",
     "release_dialog", "linkage_dialog", "distances", "linked"],
)  # fmt: skip
def test_the_screen_shows_something(seen, pictures, name):
    shown = QImage(str(pictures / f"{name}.png"))
    assert (shown.width(), shown.height()) == (1400, 900)
    colours = {shown.pixel(x, y) for x in range(0, 1400, 7) for y in range(0, 900, 7)}
    assert len(colours) > 20


def test_the_map_shows_the_colours_of_the_legend(seen, pictures):
    from geoanon_qgis.processing.styling import PALETTE

    shown = QImage(str(pictures / "close_up.png"))
    colours = {
        shown.pixelColor(x, y).name() for x in range(400, 1050) for y in range(130, 860)
    }
    for name in ("singleton", "pair", "masked", "shift"):
        assert PALETTE[name] in colours, name
