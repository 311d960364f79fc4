# SPDX-License-Identifier: GPL-2.0-or-later
"""A session in QGIS's window: installed over an earlier version, to a decision, and gone again."""

import re
import subprocess
import sys
import zipfile

import pytest

SECONDS = 240
PICTURES = (
    "session_1_installed",
    "session_2_asked",
    "session_3_advised",
    "session_4_mask",
    "session_5_attacked",
    "session_6_inspected",
    "session_7_decided",
)


@pytest.fixture(scope="module")
def seen(visit, pictures, checkout, tmp_path_factory) -> dict:
    """What the script saw in the window."""
    folder = tmp_path_factory.mktemp("zip")
    package = [sys.executable, str(checkout / "scripts" / "package.py"), str(folder)]
    done = subprocess.run(package, capture_output=True, text=True, check=True)
    archive = done.stdout.strip()

    def earlier(profile):
        """The plugin as it was, with a module that is no more."""
        plugins = profile / "python" / "plugins"
        with zipfile.ZipFile(archive) as file:
            file.extractall(plugins)
        place = plugins / "geoanon_qgis"
        (place / "of_old.py").write_text("", encoding="utf-8")
        text = (place / "metadata.txt").read_text(encoding="utf-8")
        (place / "metadata.txt").write_text(
            re.sub(r"(?m)^version=.*$", "version=0.1.0", text), encoding="utf-8"
        )
        for name in ("QGIS3.ini", "QGIS4.ini"):
            path = profile / "QGIS" / name
            told = path.read_text(encoding="utf-8")
            path.write_text(
                told.replace("[PythonPlugins]\n", "[PythonPlugins]\ngeoanon_qgis=true\n"),
                encoding="utf-8",
            )

    found = visit(
        "session_script.py",
        SECONDS,
        plugin=False,
        prepare=earlier,
        pictures=str(pictures),
        zip=archive,
    )
    assert found["steps"][-1] == "look_what_is_left", f"stuck in {found['steps']}"
    return found


def test_it_is_installed_over_an_earlier_version(seen, checkout):
    before, installed = seen["before"], seen["installed"]
    assert (before["version"], before["provider"]) == ("0.1.0", True)
    version = re.search(r"(?m)^version=(.*)$", (checkout / "metadata.txt").read_text("utf-8"))[1]
    assert installed["version"] == version
    assert installed["algorithms"] > 30
    assert "LICENSE" in installed["files"] and "of_old.py" not in installed["files"]
    assert len(before["menu"]) == len(installed["menu"]) == 1


def test_the_first_mask_is_refused_and_the_second_holds(seen):
    first, attack, second, again = seen["runs"]
    assert all(one["successful"] for one in seen["runs"])
    assert first["numbers"]["COUNT"] == 324
    assert seen["withheld"] == seen["at_risk"] + 1
    assert second["numbers"]["COUNT"] == 324 - seen["withheld"]
    assert (attack["decision"], again["decision"]) == ("do_not_release", "release_with_care")
    assert attack["numbers"]["WORST"] > again["numbers"]["WORST"]
    assert "%" in seen["explained"]
    assert seen["rows"] == second["numbers"]["COUNT"]


def test_the_report_is_saved_as_pdf(seen):
    assert seen["pdf"]


def test_nothing_is_left_when_it_is_uninstalled(seen):
    assert seen["left"] == {
        "provider": False,
        "loaded": False,
        "folder": False,
        "settings": seen["before"]["settings"],
        "menu": [],
        "toolbar": [],
        "docks": [],
        "enabled": False,
    }


@pytest.mark.parametrize("name", PICTURES)
def test_the_screen_shows_something(seen, pictures, name):
    assert (pictures / f"{name}.png").stat().st_size > 20_000
