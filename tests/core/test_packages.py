# SPDX-License-Identifier: GPL-2.0-or-later
"""What packages are there, without importing them, and how to get the rest on each system."""

import importlib.metadata
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest

from geoanon_qgis.core.runtime import accel, installing, packages


@pytest.fixture
def installed(monkeypatch, tmp_path):
    """Make a pretended package: name, version of its distribution (None for no metadata)."""

    def make(name, version, body=""):
        monkeypatch.delitem(sys.modules, name, raising=False)
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").write_text(body)
        monkeypatch.syspath_prepend(tmp_path)

        def told(asked):
            if asked == name and version is None:
                raise importlib.metadata.PackageNotFoundError(asked)
            return version

        monkeypatch.setattr(importlib.metadata, "version", told)

    yield make
    for name in packages.PACKAGES:
        if str(tmp_path) in str(getattr(sys.modules.get(name), "__file__", "")):
            del sys.modules[name]


# --- looking ----------------------------------------------------------------------------------


def test_every_package_says_what_it_is_for():
    for name, package in packages.PACKAGES.items():
        assert package.name == name
        assert package.purpose.endswith(".") and package.without.endswith(".")
        assert not (package.needed and not package.used)
    needed = [package.name for package in packages.PACKAGES.values() if package.needed]
    assert needed == ["numpy", "scipy", "pyproj", "shapely"]
    assert "accelerator" in packages.PACKAGES["numba"].purpose


def test_looking_imports_nothing():
    script = (
        "import sys\nfrom geoanon_qgis.core.runtime import installing, packages\n"
        "installing.missing_sentence(packages.PACKAGES)\n"
        "print(sorted(set(packages.PACKAGES) & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_numpy_is_there():
    finding = packages.find("numpy")
    assert finding.usable and finding.state == packages.INSTALLED
    import numpy

    assert finding.version == numpy.__version__


def test_what_is_not_there(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    finding = packages.find("scipy")
    assert (finding.state, finding.version, finding.usable) == (packages.MISSING, "", False)


def test_a_folder_left_behind_is_no_package(monkeypatch, tmp_path):
    (tmp_path / "pyarrow").mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.delitem(sys.modules, "pyarrow", raising=False)
    assert packages.find("pyarrow").state == packages.MISSING


@pytest.mark.parametrize(
    ("version", "state"),
    [
        ("1.8.5", "too old"),
        ("1.8.5.post1", "too old"),
        ("2.0.0", "installed"),
        ("2.1rc1", "installed"),
        ("10.0", "installed"),
    ],
)
def test_shapely_1_is_too_old(installed, version, state):
    installed("shapely", version, "raise RuntimeError('nobody asked for an import')")
    finding = packages.find("shapely")
    assert (finding.state, finding.version) == (state, version)
    assert ("2 or newer" in finding.note) == (state == "too old")


@pytest.mark.parametrize(("version", "state"), [("1.8", "too old"), ("2.0", "installed")])
def test_a_version_that_only_the_module_knows(installed, version, state):
    installed("shapely", None, f"__version__ = '{version}'")
    finding = packages.find("shapely")
    assert (finding.state, finding.version) == (state, version)


def test_the_loaded_module_knows_best(monkeypatch):
    module = types.ModuleType("shapely")
    module.__version__ = "1.7"
    module.__spec__ = importlib.util.spec_from_loader("shapely", None, origin="shapely.py")
    monkeypatch.setitem(sys.modules, "shapely", module)
    assert packages.find("shapely").state == packages.TOO_OLD


@pytest.mark.parametrize(
    "body",
    [
        "raise ImportError('numpy.core.multiarray failed to import\\nmore')",
        "raise AttributeError('_ARRAY_API not found')",
        "1 / 0",
    ],
)
def test_what_does_not_load_is_broken_when_it_is_tried(installed, body):
    installed("matplotlib", "3.9", body)
    assert packages.find("matplotlib").usable
    finding = packages.find("matplotlib", load=True)
    assert (finding.state, finding.version) == (packages.BROKEN, "3.9")
    assert finding.note.startswith("Importing it fails: ") and "more" not in finding.note


def test_pyproj_without_its_database_is_broken(installed):
    body = (
        "class CRS:\n    @staticmethod\n    def from_epsg(code):\n"
        "        raise RuntimeError('no database context specified')"
    )
    installed("pyproj", "3.6", body)
    assert packages.find("pyproj").usable
    assert "no database" in packages.find("pyproj", load=True).note


def test_numba_switched_off(monkeypatch):
    monkeypatch.setattr(accel, "status", lambda: "switched off")
    monkeypatch.setattr(packages, "is_there", lambda name: True)
    assert "Switched off" in packages.find("numba").note
    monkeypatch.setattr(accel, "status", lambda: "compiled")
    assert packages.find("numba").note == ""


# --- sentences --------------------------------------------------------------------------------


def test_nothing_missing_is_nothing_said():
    assert installing.missing_sentence(["numpy"]) == "" == installing.missing_sentence([])


def test_what_is_missing_is_named_with_its_command(monkeypatch):
    monkeypatch.setattr(packages, "is_there", lambda name: name not in ("scipy", "shapely"))
    monkeypatch.setattr(installing, "install_command", lambda names: "get " + "+".join(names))
    sentence = installing.missing_sentence(["numpy", "scipy", "shapely"])
    assert "scipy, shapely (version 2 or newer)" in sentence
    assert "get scipy+shapely" in sentence and sentence.endswith("then restart QGIS.")
    assert "numpy" not in sentence


# --- commands ---------------------------------------------------------------------------------


@pytest.fixture
def system(monkeypatch, tmp_path):
    """Pretend to be on another system; the tests below say which."""

    def pretend(platform, release="", managed=False, venv=False, pip=True, conda=False):
        prefix = tmp_path / "prefix"
        (prefix / "bin").mkdir(parents=True)
        python = prefix / "bin" / f"python{sys.version_info[0]}.{sys.version_info[1]}"
        python.touch(0o755)
        if conda:
            (prefix / "conda-meta").mkdir()
        if managed:
            (tmp_path / "EXTERNALLY-MANAGED").touch()
        (tmp_path / "os-release").write_text(release)
        monkeypatch.setattr(sys, "platform", platform)
        monkeypatch.setattr(sys, "prefix", str(prefix))
        monkeypatch.setattr(sys, "base_prefix", "/elsewhere" if venv else str(prefix))
        monkeypatch.setattr(sys, "executable", str(tmp_path / "QGIS.app/Contents/MacOS/QGIS"))
        monkeypatch.setattr(installing.sysconfig, "get_path", lambda name: str(tmp_path))
        monkeypatch.setattr(
            packages, "version_of", lambda name: "1.24.2" if name == "numpy" else ""
        )
        monkeypatch.setattr(packages, "is_there", lambda name: name != "pip" or pip)
        read = installing._debian_release
        monkeypatch.setattr(
            installing, "_debian_release", lambda: read(str(tmp_path / "os-release"))
        )
        return str(python)

    return pretend


DEBIAN_12 = 'PRETTY_NAME="Debian GNU/Linux 12"\nID=debian\nVERSION_ID="12"\n'
DEBIAN_13 = 'ID=debian\nVERSION_ID="13"\n'
DEBIAN_SID = "ID=debian\n"
UBUNTU_22 = 'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="22.04"\n'
UBUNTU_24 = 'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\n'
MINT = 'ID=linuxmint\nID_LIKE="ubuntu debian"\nVERSION_ID="21.3"\n'
FEDORA = "ID=fedora\nVERSION_ID=40\n"


def test_nothing_to_install():
    assert installing.install_command([]) == ""


@pytest.mark.parametrize("release", [DEBIAN_12, DEBIAN_13, DEBIAN_SID, UBUNTU_22, UBUNTU_24, MINT])
def test_debian_and_its_kin_have_it(system, release):
    system("linux", release)
    assert installing.install_command(["scipy", "numba"]) == (
        "sudo apt install python3-scipy python3-numba"
    )


@pytest.mark.parametrize("release", [DEBIAN_13, DEBIAN_SID, UBUNTU_24])
def test_debian_and_its_kin_have_a_new_enough_shapely(system, release):
    system("linux", release)
    assert installing.install_command(["shapely"]) == "sudo apt install python3-shapely"


@pytest.mark.parametrize("release", [DEBIAN_12, UBUNTU_22, MINT])
def test_where_apt_has_an_old_one_pip_keeps_the_numpy_that_is_there(system, release):
    python = system("linux", release, managed=release == DEBIAN_12)
    force = " --break-system-packages" if release == DEBIAN_12 else ""
    assert installing.install_command(["scipy", "shapely"]) == (
        "sudo apt install python3-scipy && "
        f'{python} -m pip install --user{force} "shapely>=2" "numpy==1.24.2"'
    )


def test_debian_has_no_pyarrow_and_perhaps_no_pip(system):
    python = system("linux", DEBIAN_13, pip=False)
    assert installing.install_command(["pyarrow"]) == (
        f'sudo apt install python3-pip && {python} -m pip install --user pyarrow "numpy==1.24.2"'
    )


def test_spopt_leaves_the_projections_of_qgis_alone(system, monkeypatch):
    """What it needs would bring another pyproj with a PROJ of its own: QGIS then crashes."""
    python = system("linux", DEBIAN_13)
    known = {"numpy": "1.24.2", "scipy": "1.10.1", "pyproj": "3.4.1"}
    monkeypatch.setattr(packages, "version_of", lambda name: known.get(name, ""))
    assert installing.install_command(["spopt"]) == (
        f'{python} -m pip install --user spopt "numpy==1.24.2" "scipy==1.10.1" "pyproj==3.4.1"'
    )


def test_what_runs_apart_is_never_loaded(installed):
    """spopt loads a geometry library that crashes inside QGIS."""
    installed("spopt", "0.6.1", "raise SystemExit('loaded')")
    finding = packages.find("spopt", load=True)
    assert finding.usable and finding.version == "0.6.1"


@pytest.mark.parametrize("file", ["metadata.txt", "README.md"])
def test_the_texts_name_the_packages_that_tools_use(file):
    text = (Path(__file__).parents[2] / file).read_text(encoding="utf-8")
    for name, package in packages.PACKAGES.items():
        if package.needed:
            assert re.search(rf"\b{name}\b", text, re.IGNORECASE), name
        else:
            assert (f"{name} (" in text) == package.used, name


def test_in_a_virtual_environment(system):
    python = system("linux", DEBIAN_12, venv=True, managed=True)
    assert installing.install_command(["scipy"]) == (
        f'{python} -m pip install scipy "numpy==1.24.2"'
    )


def test_on_another_linux(system):
    python = system("linux", FEDORA)
    assert installing.install_command(["scipy"]) == (
        f'{python} -m pip install --user scipy "numpy==1.24.2"'
    )
    assert installing.where_to_run() == "in a terminal"


def test_numpy_itself_is_not_held(system):
    system("linux", FEDORA)
    assert "==" not in installing.install_command(["numpy", "scipy"])


def test_on_windows(system):
    system("win32")
    assert installing.install_command(["scipy", "shapely"]) == (
        'python -m pip install scipy "shapely>=2" "numpy==1.24.2"'
    )
    assert "OSGeo4W Shell" in installing.where_to_run()


def test_on_a_mac(system, tmp_path):
    system("darwin")
    inside = tmp_path / "QGIS.app" / "Contents" / "MacOS" / "bin"
    inside.mkdir(parents=True)
    (inside / "python3").touch(0o755)
    assert installing.install_command(["scipy"]) == (
        f'{inside / "python3"} -m pip install scipy "numpy==1.24.2"'
    )
    assert installing.where_to_run() == "in the Terminal"


def test_in_conda(system):
    system("win32", conda=True)
    assert installing.install_command(["scipy", "shapely"]) == (
        'conda install -c conda-forge scipy "shapely>=2"'
    )
    assert "environment of QGIS" in installing.where_to_run()


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        (DEBIAN_12, ("debian", 12.0)),
        (DEBIAN_SID, ("debian", float("inf"))),
        (UBUNTU_24, ("ubuntu", 24.04)),
        (MINT, ("linuxmint", 21.3)),
        (FEDORA, ("", 0.0)),
        ("", ("", 0.0)),
    ],
)
def test_systems_are_told_apart(tmp_path, release, expected):
    file = tmp_path / "os-release"
    file.write_text(release)
    assert installing._debian_release(str(file)) == expected
    assert installing._debian_release(str(tmp_path / "none")) == ("", 0.0)
