# SPDX-License-Identifier: GPL-2.0-or-later
"""The zip that is uploaded: built by ``scripts/package``, checked as the plugin site checks it."""

from __future__ import annotations

import configparser
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import zipfile
from fnmatch import fnmatch
from pathlib import Path

import pytest

PLUGIN = "geoanon_qgis"

#: The plugin site takes no zip without these.
MANDATORY_KEYS = {
    "name",
    "description",
    "version",
    "qgisMinimumVersion",
    "author",
    "email",
    "about",
    "tracker",
    "repository",
}

#: What may lie in the zip: text of known kinds, pictures, compiled translations, sample data.
ALLOWED_SUFFIXES = {
    ".py",
    ".txt",
    ".md",
    ".html",
    ".css",
    ".json",
    ".svg",
    ".qml",
    ".model3",
    ".png",
    ".qm",
    ".gpkg",
    ".typed",
}
BINARY_SUFFIXES = {".png", ".qm", ".gpkg"}


def run(command: list, **options) -> subprocess.CompletedProcess:
    """Run ``command``, keep what it prints, and let it take five minutes at most."""
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=300, **options
    )


@pytest.fixture(scope="module")
def archive(tmp_path_factory, checkout) -> Path:
    """The zip as ``scripts/package`` builds it."""
    folder = tmp_path_factory.mktemp("dist")
    result = run([checkout / "scripts" / "package", folder])
    assert result.returncode == 0, result.stderr
    path = Path(result.stdout.strip())
    assert path.parent == folder, f"scripts/package printed {result.stdout!r}"
    return path


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory, archive) -> Path:
    """The folder of the plugin, unpacked as QGIS's plugin manager does."""
    folder = tmp_path_factory.mktemp("plugins")
    with zipfile.ZipFile(archive) as file:
        assert file.testzip() is None
        file.extractall(folder)
    return folder / PLUGIN


@pytest.fixture(scope="module")
def names(archive) -> list[str]:
    """The files in the zip."""
    with zipfile.ZipFile(archive) as file:
        return [name for name in file.namelist() if not name.endswith("/")]


@pytest.fixture(scope="module")
def general(unpacked) -> configparser.SectionProxy:
    """The ``[general]`` section of the packaged ``metadata.txt``."""
    parser = configparser.ConfigParser()
    parser.optionxform = str
    # With interpolation, as the plugin site and QGIS read it: a stray % must fail here.
    parser.read(unpacked / "metadata.txt", encoding="utf-8")
    return parser["general"]


def test_zip_is_named_after_the_version(archive, general):
    assert archive.name == f"{PLUGIN}-{general['version']}.zip"


def test_zip_is_built_by_python_alone(tmp_path, checkout, archive):
    """On a machine without QGIS, without apt, without .venv and without any other program."""
    copy = tmp_path / "checkout"
    copy.mkdir()
    for name in ("geoanon_qgis", "resources", "i18n", "scripts"):
        # Other tests may be compiling into these folders.
        left_out = shutil.ignore_patterns("__pycache__")
        shutil.copytree(checkout / name, copy / name, ignore=left_out)
    for name in ("metadata.txt", "README.md", "LICENSE", "pb_tool.cfg"):
        shutil.copy(checkout / name, copy)
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python3").symlink_to(sys._base_executable)
    for name in ("bash", "dirname"):
        (programs / name).symlink_to(shutil.which(name))
    bare = {"PATH": str(programs), "PYTHONNOUSERSITE": "1"}
    result = run([copy / "scripts" / "package"], env=bare)
    assert result.returncode == 0, result.stderr
    again = run([programs / "python3", "-I", "-S", copy / "scripts" / "package.py", tmp_path])
    assert again.returncode == 0, again.stderr
    for said in (result.stdout, again.stdout):
        assert packed(Path(said.strip())) == packed(archive)
    assert not (copy / ".venv").exists()


def test_zip_holds_what_pb_tool_packs(tmp_path, checkout, archive):
    """``pb_tool.cfg`` stays good for those who pack with pb_tool, which adds a date."""
    with zipfile.ZipFile(archive) as file:
        file.extractall(tmp_path)
    # pb_tool copies whole folders: it gets a tree without byte code and hidden files.
    tree, plugin = tmp_path / "tree", tmp_path / PLUGIN
    tree.mkdir()
    for name in ("metadata.txt", "README.md", "LICENSE", "resources", "i18n"):
        shutil.move(plugin / name, tree / name)
    shutil.move(plugin, tree / PLUGIN)
    shutil.copy(checkout / "pb_tool.cfg", tree)
    (tmp_path / "profile").mkdir()
    call = "from pb_tool.pb_tool import cli; cli()"
    result = run(
        [sys.executable, "-c", call, "zip", "-q", "-p", tmp_path / "profile"],
        cwd=tree,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path)},
    )
    assert result.returncode == 0, result.stdout + result.stderr
    theirs, ours = packed(tree / f"{PLUGIN}.zip"), packed(archive)
    metadata = f"{PLUGIN}/metadata.txt"
    dated = theirs.pop(metadata).decode("utf-8").splitlines()
    assert [line for line in dated if line and not line.startswith("dateTime")] == [
        line for line in ours.pop(metadata).decode("utf-8").splitlines() if line
    ]
    assert theirs == ours


def packed(archive: Path) -> dict[str, bytes]:
    """The files of a zip."""
    with zipfile.ZipFile(archive) as file:
        return {name: file.read(name) for name in file.namelist() if not name.endswith("/")}


def test_zip_has_one_folder_and_is_small(archive, names):
    assert {name.split("/")[0] for name in names} == {PLUGIN}
    assert archive.stat().st_size < 5 * 1000**2  # the site takes 25, and nobody likes to wait


def test_zip_holds_nothing_but_the_plugin(names):
    unexpected = [
        name
        for name in names
        if Path(name).suffix not in ALLOWED_SUFFIXES and Path(name).name != "LICENSE"
    ]
    assert unexpected == []
    for name in names:
        parts = Path(name).parts
        assert not any(part.startswith(".") for part in parts), name
        assert not {"__pycache__", "__MACOSX", "tests", "scripts", "benchmarks"} & set(parts), name
        assert not re.match(r"requirements.*\.txt", parts[-1]), name


def test_zip_holds_everything_the_package_has(names, checkout):
    package = {
        f"{PLUGIN}/{path.relative_to(checkout / PLUGIN).as_posix()}"
        for path in (checkout / PLUGIN).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert package <= set(names)
    assert f"{PLUGIN}/resources/data/soho_cholera_1854.gpkg" in names
    assert f"{PLUGIN}/README.md" in names


def test_text_files_are_text(unpacked):
    for path in unpacked.rglob("*"):
        if path.is_file() and path.suffix not in BINARY_SUFFIXES:
            text = path.read_text(encoding="utf-8")
            assert "\0" not in text, path


def test_metadata_has_what_the_plugin_site_demands(general):
    assert {key for key in MANDATORY_KEYS if not general.get(key, "").strip()} == set()
    assert re.fullmatch(r"\d+\.\d+\.\d+", general["version"])
    assert general["qgisMinimumVersion"] == "3.22"
    assert general["qgisMaximumVersion"] == "4.99"
    assert general["hasProcessingProvider"] == "yes"
    assert "supportsQt6" not in general
    assert "@" in general["email"]
    for key in ("homepage", "tracker", "repository"):
        assert general[key].startswith("https://"), key
    # The site refuses a name or a description that says what every entry in its list is.
    for key in ("name", "description"):
        assert "plugin" not in general[key].lower()


def test_the_site_finds_it_by_category_and_tags(general):
    # QGIS's own menus, which is what the site sorts by.
    assert general["category"] in ("Raster", "Vector", "Database", "Mesh", "Web")
    tags = general["tags"].split(",")
    assert len(tags) == len(set(tags)) and all(tag == tag.strip() for tag in tags)
    assert {"privacy", "anonymization", "geomasking", "k-anonymity", "processing"} <= set(tags)


def test_version_is_the_same_everywhere(general, checkout):
    changelog = (checkout / "CHANGELOG.md").read_text(encoding="utf-8")
    first, second, *_ = re.findall(r"^## (.+)", changelog, re.M)
    assert first == "Unreleased"
    assert second.split()[0] == general["version"]
    assert general["changelog"].startswith(general["version"])
    project = (checkout / "pyproject.toml").read_text(encoding="utf-8")
    assert re.search(r'^version = "(.*)"', project, re.M)[1] == general["version"]
    assert f"GeoAnon {general['version']} (" in (checkout / "docs" / "citing.md").read_text("utf-8")


PLACEHOLDERS = {"homepage", "tracker", "repository", "email"}


def publisher(checkout, folder, changes=()) -> subprocess.CompletedProcess:
    """Package for the site what a publisher has made of the checkout."""
    version = metadata_of(checkout)["version"]
    set_by_him = {
        "homepage": "https://geo.anon.org/",
        "tracker": "https://git.anon.org/geoanon/issues",
        "repository": "https://git.anon.org/geoanon",
        "email": "someone@anon.org",
        **dict(changes),
    }
    copy = folder / "checkout"
    for name in ("geoanon_qgis", "resources", "i18n", "scripts", "docs"):
        few = shutil.ignore_patterns("core", "processing", "help", "images", "*.ts", "__pycache__")
        shutil.copytree(checkout / name, copy / name, ignore=few)
    for name in ("README.md", "LICENSE", "pb_tool.cfg"):
        shutil.copy(checkout / name, copy)
    text = (checkout / "metadata.txt").read_text(encoding="utf-8")
    for key, value in set_by_him.items():
        text, found = re.subn(rf"(?m)^{key}=.*$", f"{key}={value}", text)
        assert found == 1, f"{key} stands in one place"
    (copy / "metadata.txt").write_text(text, encoding="utf-8")
    waiting = "- Not yet.\n" if "waiting" in dict(changes) else ""
    date = "unreleased" if "undated" in dict(changes) else "2030-12-31"
    changelog = f"# Changelog\n\n## Unreleased\n\n{waiting}\n## {version} ({date})\n\n- All.\n"
    (copy / "CHANGELOG.md").write_text(changelog, encoding="utf-8")
    with (copy / "docs" / "third-party.md").open("a", encoding="utf-8") as page:
        page.write(f"| {version} | Somebody | 2030-12-31 |\n")
    return run([sys.executable, copy / "scripts" / "package.py", "--release", folder])


def metadata_of(checkout) -> configparser.SectionProxy:
    """The ``[general]`` section of the checkout."""
    parser = configparser.ConfigParser()
    parser.read(checkout / "metadata.txt", encoding="utf-8")
    return parser["general"]


def test_a_release_needs_addresses_that_are_somebodys(checkout, tmp_path):
    """As the checkout stands they are nobody's: the plain zip is built, the release is refused."""
    asked = run([checkout / "scripts" / "package", "--release", tmp_path])
    assert asked.returncode == 1 and asked.stdout == "" and list(tmp_path.iterdir()) == []
    sentences = asked.stderr.splitlines()
    assert all(one.startswith("package: ") and one.endswith(".") for one in sentences)
    assert {one.split()[2] for one in sentences if "metadata.txt" in one} == PLACEHOLDERS
    for name in ("pyproject.toml", "README.md", "docs/releasing.md"):
        text = (checkout / name).read_text(encoding="utf-8")
        assert not any(metadata_of(checkout)[key] in text for key in PLACEHOLDERS), name


def test_a_release_is_built_once_all_is_set(checkout, tmp_path):
    done = publisher(checkout, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert Path(done.stdout.strip()).parent == tmp_path


@pytest.mark.parametrize(
    "changes, told",
    [
        ({"tracker": "http://git.anon.org/"}, "tracker is 'http://git.anon.org/'"),
        ({"repository": "https://example.org/x"}, "repository is"),
        ({"homepage": "https://geoanon.invalid/"}, "homepage is"),
        ({"email": "nobody"}, "email is 'nobody'"),
        ({"email": "someone@geoanon.example"}, "email is"),
    ],
)
def test_a_release_is_refused_for_what_is_nobodys(checkout, tmp_path, changes, told):
    done = publisher(checkout, tmp_path, changes)
    (sentence,) = done.stderr.splitlines()
    assert done.returncode == 1 and told in sentence


def test_a_release_tells_its_changes_and_is_signed_off(checkout, tmp_path):
    package = runpy.run_path(str(checkout / "scripts" / "package.py"))
    version = metadata_of(checkout)["version"]
    (tmp_path / "docs").mkdir()
    shutil.copy(checkout / "metadata.txt", tmp_path)
    changelog, page = tmp_path / "CHANGELOG.md", tmp_path / "docs" / "third-party.md"

    def told(changes, signed):
        changelog.write_text(changes, encoding="utf-8")
        page.write_text(signed, encoding="utf-8")
        return [
            one for one in package["hindrances"](tmp_path) if not one.startswith("metadata.txt")
        ]

    dated, by = f"## Unreleased\n\n## {version} (2030-12-31)\n- All.\n", f"| {version} | Somebody |"
    assert told(dated, by) == []
    assert "nobody has signed" in told(dated, f"| {version} | |")[0]
    assert "no heading" in told(dated.replace("2030-12-31", "unreleased"), by)[0]
    waiting = dated.replace("## Unreleased\n", "## Unreleased\n\n- Not yet.\n")
    assert "under Unreleased" in told(waiting, by)[0]


def test_whatever_is_neither_code_nor_text_is_listed_with_its_licence(names, checkout):
    page = (checkout / "docs" / "third-party.md").read_text(encoding="utf-8")
    shipped = re.findall(r"(?m)^\| `([^`]+)`", page.split("## In the repository alone")[0])
    code = {".py", ".md", ".html", ".css", ".typed", ".txt", ""}
    others = [name for name in names if Path(name).suffix not in code]
    unlisted = [
        name
        for name in others
        if not any(fnmatch(name, f"{PLUGIN}/{pattern}") for pattern in shipped)
    ]
    assert len(others) > 30 and unlisted == []
    for pattern in shipped:
        assert any(fnmatch(name, f"{PLUGIN}/{pattern}") for name in names), pattern


def test_icon_is_there(unpacked, general):
    assert (unpacked / general["icon"]).is_file()


def test_licence_is_gpl_2(unpacked):
    text = (unpacked / "LICENSE").read_text(encoding="utf-8")
    assert "GNU GENERAL PUBLIC LICENSE" in text
    assert "Version 2, June 1991" in text


def test_sample_data_are_named_with_their_licence(unpacked):
    text = (unpacked / "resources" / "data" / "README.md").read_text(encoding="utf-8")
    assert "libpysal" in text
    assert "Redistribution and use in source and binary forms" in text


def test_every_source_file_names_the_licence(unpacked):
    without = [
        path.relative_to(unpacked).as_posix()
        for path in unpacked.rglob("*.py")
        if not path.read_text(encoding="utf-8").startswith(
            "# SPDX-License-Identifier: GPL-2.0-or-later\n"
        )
    ]
    assert without == []


def scan(*command, cwd: Path) -> subprocess.CompletedProcess:
    return run([sys.executable, "-m", *command], cwd=cwd)


@pytest.fixture(scope="module")
def scanned(tmp_path_factory, unpacked) -> dict[str, set[str]]:
    """What both scanners say of the plugin, and of a file with what they have to find.

    Both in one run: they are worth nothing if they pass whatever they are given.
    """
    folder = tmp_path_factory.mktemp("scanned")
    shutil.copytree(unpacked, folder / PLUGIN)
    (folder / "bad.py").write_text(
        'import pickle\ndata = pickle.loads(undefined)\naws = "AKIA' + "IOSFODNN7EXAMPLE" + '"\n',
        encoding="utf-8",
    )
    bandit = json.loads(scan("bandit", "-r", "-f", "json", "-q", ".", cwd=folder).stdout)
    assert bandit["errors"] == []
    secrets = scan("detect_secrets", "scan", "--all-files", ".", cwd=folder)
    assert secrets.returncode == 0, secrets.stderr
    return {
        # Low severity holds assert statements and the like, which the site lets pass.
        "bandit": {
            f"{issue['filename']}:{issue['line_number']}: {issue['test_id']} {issue['issue_text']}"
            for issue in bandit["results"]
            if issue["issue_severity"] in ("MEDIUM", "HIGH")
        },
        "secrets": {
            f"{name}:{one['line_number']}: {one['type']}"
            for name, found in json.loads(secrets.stdout)["results"].items()
            for one in found
        },
    }


@pytest.mark.parametrize(
    "scanner, planted",
    [("bandit", {"bad.py:2: B301"}), ("secrets", {"bad.py:3: AWS Access Key"})],
)
def test_scanners_find_what_is_planted_and_nothing_else(scanned, scanner, planted):
    found = {re.sub(r"^\./", "", one) for one in scanned[scanner]}
    assert {one for one in found if not one.startswith("bad.py:")} == set()
    assert planted <= {one[: len(first)] for one in found for first in planted}


def test_the_linter_finds_nothing(unpacked, checkout):
    pytest.importorskip("ruff", reason="ruff is not installed")
    settings = ("--no-cache", "--quiet", "--config", str(checkout / "pyproject.toml"))
    result = scan("ruff", "check", *settings, ".", cwd=unpacked)
    assert (result.returncode, result.stdout) == (0, ""), result.stdout + result.stderr


@pytest.fixture(scope="module")
def in_qgis(tmp_path_factory, unpacked):
    """Return a function that runs QGIS's command line with the unpacked plugin, and only that."""
    program = shutil.which("qgis_process.bin") or shutil.which("qgis_process")
    profile = tmp_path_factory.mktemp("profile")
    environment = {
        key: value
        for key, value in os.environ.items()
        # No virtual environment either: users have what QGIS brings.
        if not key.startswith(("QGIS_", "PYTHON", "VIRTUAL_ENV"))
    }
    environment.update(
        QT_QPA_PLATFORM="offscreen",
        QGIS_PLUGINPATH=str(unpacked.parent),
        QGIS_CUSTOM_CONFIG_PATH=str(profile),
        HOME=str(profile),
        XDG_CONFIG_HOME=str(profile),
        XDG_DATA_HOME=str(profile),
        XDG_CACHE_HOME=str(profile),
    )

    def call(*arguments):
        return run([program, *arguments], env=environment)

    enabled = call("plugins", "enable", PLUGIN)
    assert enabled.returncode == 0, enabled.stdout + enabled.stderr
    return call


def test_provider_loads_from_the_zip(in_qgis):
    """In a real QGIS process, without the packages of the virtual environment."""
    result = in_qgis("--json", "list")
    assert result.returncode == 0, result.stderr
    assert "Traceback" not in result.stderr
    algorithms = json.loads(result.stdout)["providers"]["geoanon"]["algorithms"]
    expected = {"geoanon:voronoimask", "geoanon:reversevoronoi", "geoanon:checkenvironment"}
    assert expected <= set(algorithms)


def test_algorithm_runs_from_the_zip(in_qgis, unpacked, tmp_path):
    result = in_qgis(
        "--json",
        "run",
        "geoanon:voronoimask",
        "--",
        f"INPUT={unpacked}/resources/data/soho_cholera_1854.gpkg|layername=deaths",
        f"OUTPUT={tmp_path}/masked.gpkg",
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert json.loads(result.stdout)["results"]["COUNT"] == 324
    assert (tmp_path / "masked.gpkg").is_file()
