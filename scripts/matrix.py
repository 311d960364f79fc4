# SPDX-License-Identifier: GPL-2.0-or-later
"""Run ``scripts/demo`` and ``scripts/test`` of this checkout's HEAD on several systems.

Each system is a tree made with debootstrap, kept for the next time. Its commands run in mount and
process namespaces of their own: what is mounted there is seen by nobody else and is gone with the
last process, however that ended. So nothing here is ever unmounted, and nothing that is deleted
can lie behind a mount. Needs root, the network, debootstrap and unshare, and Python alone.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MIRROR = "http://deb.debian.org/debian"
#: Seconds between two words on how far it is.
SAY_EVERY = 30
#: Inside a tree: the checkout, and what the runs leave behind.
CHECKOUT, RESULTS = "/srv/geoanon/checkout", "/srv/geoanon/results"
SHARED = "/srv/geoanon/shared"

#: First in a namespace: mounts, then the command inside the tree. $1 is the tree, $2 the folder
#: that is shown read-only beside the checkout ('' for none), the rest is the command.
ENTER = f"""
set -e
tree=$1 shared=$2
shift 2
mount -t proc proc "$tree/proc"
mount --rbind /dev "$tree/dev"
if [ -d /sys ]; then
    mount --rbind /sys "$tree/sys"
fi
if [ -n "$shared" ]; then
    mkdir -p "$tree{SHARED}"
    mount --bind "$shared" "$tree{SHARED}"
    mount -o remount,bind,ro "$tree{SHARED}"
fi
exec chroot "$tree" "$@"
"""

#: Printed inside a tree, with the interpreter that runs the tests.
VERSIONS = """
import json, numpy
from osgeo import gdal
from qgis.core import Qgis
from qgis.PyQt.QtCore import PYQT_VERSION_STR
print(json.dumps({"QGIS": Qgis.QGIS_VERSION.split("-")[0], "NumPy": numpy.__version__,
                  "GDAL": gdal.__version__, "PyQt": PYQT_VERSION_STR}))
"""

#: Settings of the caller that reach into a tree: how the network is reached.
PASSED_ON = (
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "PIP_INDEX_URL",
    "PIP_DEFAULT_TIMEOUT",
    "HYPOTHESIS_PROFILE",
)
#: Settings that name a file with certificates, which is copied into the tree.
CERTIFICATES = ("PIP_CERT", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE")


@dataclass(frozen=True)
class System:
    """A system to run on, called by its QGIS."""

    name: str
    label: str
    suite: str
    backports: bool = False


SYSTEMS = (
    System("3.22", "Debian 12", "bookworm"),
    System("3.40", "Debian 13", "trixie"),
    System("3.44", "Debian 13, backports", "trixie", backports=True),
)


class Failed(Exception):
    """A step that did not work; the message is a sentence."""


@dataclass
class Result:
    """What is known of one system at the end; one row of the table."""

    system: System
    versions: dict[str, str] = field(default_factory=dict)
    demo: str = "-"
    counts: dict[str, int] = field(default_factory=dict)
    tests: str = "-"
    seconds: float = 0.0
    trouble: str = ""

    @property
    def green(self) -> bool:
        """Whether everything ran and nothing failed."""
        return (self.demo, self.tests, self.trouble) == ("ok", "ok", "")

    def row(self) -> tuple[str, ...]:
        """Return the cells of the table."""
        versions = (self.versions.get(name, "-") for name in ("QGIS", "NumPy", "GDAL", "PyQt"))
        counts = (str(self.counts.get(name, "-")) for name in ("passed", "failed", "skipped"))
        end = "green" if self.green else "not green"
        return (self.system.label, *versions, self.demo, *counts, f"{self.seconds:.0f}", end)


COLUMNS = (
    "system",
    "QGIS",
    "NumPy",
    "GDAL",
    "PyQt",
    "demo",
    "passed",
    "failed",
    "skipped",
    "seconds",
    "",
)


def table(results: list[Result]) -> str:
    """Return the results as aligned text."""
    rows = [COLUMNS, *(result.row() for result in results)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows
    )


def read_counts(path: Path) -> dict[str, int]:
    """Return how many tests passed, failed (errors are failures) and were skipped.

    Parameters
    ----------
    path : Path
        What ``pytest --junitxml`` has written.
    """
    suite = ElementTree.parse(path).getroot()
    suite = suite if suite.tag == "testsuite" else suite.find("testsuite")
    number = {name: int(suite.get(name, 0)) for name in ("tests", "failures", "errors", "skipped")}
    failed = number["failures"] + number["errors"]
    passed = number["tests"] - failed - number["skipped"]
    return {"passed": passed, "failed": failed, "skipped": number["skipped"]}


class Runs:
    """The processes that are under way, so that an interrupt can end them all."""

    def __init__(self):
        self._lock = threading.Lock()
        self._processes: set[subprocess.Popen] = set()
        self._ended = False

    def run(self, command: list[str], log: Path, **options) -> int:
        """Run a command with everything it says in ``log``; return its exit status."""
        with log.open("ab") as output:
            with self._lock:
                if self._ended:
                    raise Failed("It was interrupted.")
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    **options,
                )
                self._processes.add(process)
            try:
                return process.wait()
            finally:
                with self._lock:
                    self._processes.discard(process)

    def end(self) -> None:
        """End everything; the namespaces and their mounts go with their processes."""
        with self._lock:
            self._ended = True
            for process in self._processes:
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass


class Tree:
    """One system's tree, and what is done in it.

    Parameters
    ----------
    system : System
    folder : Path
        Holds the trees, their logs and marks.
    mirror : str
        Where the packages come from.
    shared : Path or None
        Shown read-only beside the checkout.
    runs : Runs
    """

    def __init__(self, system: System, folder: Path, mirror: str, shared: Path | None, runs: Runs):
        self.system, self.mirror, self.shared, self.runs = system, mirror, shared, runs
        self.path = folder / f"{system.name}-{system.suite}"
        self.log = folder / f"{system.name}.log"
        self._mark = folder / f"{system.name}.complete"
        self.doing, self.since = "waits", time.monotonic()

    # --- making ---------------------------------------------------------------------------

    def make(self) -> None:
        """Make the tree, if it is not there or was left half made."""
        self._begin("makes the tree")
        self.log.write_text("")
        if self._mark.exists() and self.path.is_dir():
            return
        self.remove()
        options = ["--variant=minbase", "--include=ca-certificates"]
        command = ["debootstrap", *options, self.system.suite, str(self.path), self.mirror]
        if self.runs.run(command, self.log):
            raise Failed(f"debootstrap could not make {self.path}.")
        if self.system.backports:
            name = f"{self.system.suite}-backports"
            apt = self.path / "etc" / "apt"
            with (apt / "sources.list").open("a") as sources:
                sources.write(f"deb {self.mirror} {name} main\n")
            pin = f"Package: *\nPin: release n={name}\nPin-Priority: 500\n"
            (apt / "preferences.d" / "backports").write_text(pin)

    def remove(self) -> None:
        """Delete the tree; refuses where anything is mounted below it."""
        self._mark.unlink(missing_ok=True)
        if not self.path.exists():
            return
        mounts = (line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines())
        here = f"{self.path}/".replace(" ", "\\040")
        inside = [mount for mount in mounts if f"{mount}/".startswith(here)]
        if inside:
            raise Failed(f"{inside[0]} is mounted: unmount it, so that the tree can be deleted.")
        if self.runs.run(["rm", "-rf", "--one-file-system", "--", str(self.path)], self.log):
            raise Failed(f"{self.path} could not be deleted.")

    def bring_checkout(self) -> None:
        """Put a clean copy of HEAD into the tree; of an earlier one only ``.venv`` is kept."""
        self._begin("copies the checkout")
        copy = self.path / CHECKOUT[1:]
        git = ["git", "-C", str(copy)]
        steps = [
            [*git, "fetch", "--quiet", "--force", str(ROOT), "HEAD"],
            [*git, "reset", "--quiet", "--hard", "FETCH_HEAD"],
            [*git, "clean", "-ffdxq", "-e", "/.venv/"],
        ]
        if not (copy / ".git").is_dir():
            copy.mkdir(parents=True, exist_ok=True)
            steps.insert(0, [*git, "init", "--quiet"])
        for step in steps:
            if self.runs.run(step, self.log):
                raise Failed("git could not copy the checkout.")
        results = self.path / RESULTS[1:]
        shutil.rmtree(results, ignore_errors=True)
        results.mkdir(parents=True)
        shutil.copy("/etc/resolv.conf", self.path / "etc" / "resolv.conf")

    # --- running --------------------------------------------------------------------------

    def command(self, line: str) -> list[str]:
        """Return what runs a line of shell in the checkout inside the tree."""
        settings = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        settings.update(
            HOME="/root",
            LC_ALL="C.UTF-8",
            TERM="dumb",
            PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        )
        for number, name in enumerate(CERTIFICATES):
            source = os.environ.get(name, "")
            if os.path.isfile(source):
                settings[name] = f"/srv/geoanon/certificates-{number}.pem"
                shutil.copy(source, self.path / settings[name][1:])
        return [
            "unshare",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            "--propagation",
            "private",
            "--",
            "sh",
            "-c",
            ENTER,
            "sh",
            str(self.path),
            str(self.shared or ""),
            "env",
            "-i",
            *(f"{name}={value}" for name, value in settings.items()),
            # Bash stays the first process of the namespace, and buries what is orphaned there.
            "bash",
            "-c",
            f"cd {CHECKOUT} && {line}; exit $?",
        ]

    def inside(self, what: str, line: str) -> int:
        """Run a line of shell in the checkout inside the tree; return its exit status."""
        self._begin(what)
        with self.log.open("a") as log:
            log.write(f"\n=== {self.system.name}: {line}\n")
        return self.runs.run(self.command(line), self.log)

    def run(self, tests: list[str]) -> Result:
        """Do everything on this system; trouble is told in the result."""
        started = time.monotonic()
        result = Result(self.system)
        try:
            self.make()
            self.bring_checkout()
            if self.inside("sets up", "scripts/setup"):
                raise Failed("scripts/setup failed.")
            self._mark.touch()
            line = f".venv/bin/python -c {shlex.quote(VERSIONS)} >{RESULTS}/versions.json"
            if self.inside("asks for versions", line):
                raise Failed("QGIS, GDAL or NumPy cannot be imported.")
            results = self.path / RESULTS[1:]
            result.versions = json.loads((results / "versions.json").read_text().splitlines()[-1])
            demo = self.inside("runs the demonstration", f"scripts/demo {RESULTS}/demo")
            result.demo = "failed" if demo else "ok"
            report = f"{RESULTS}/tests.xml"
            # What the windows looked like stays in the tree.
            pictures = f"GEOANON_SCREENSHOTS={RESULTS}/pictures"
            line = shlex.join(["env", pictures, "scripts/test", f"--junitxml={report}", *tests])
            result.tests = "failed" if self.inside("runs the tests", line) else "ok"
            if not (self.path / report[1:]).exists():
                raise Failed("The suite did not get to its end.")
            result.counts = read_counts(self.path / report[1:])
        except (Failed, OSError, ValueError) as error:
            result.trouble = str(error)
        result.seconds = time.monotonic() - started
        self._begin("is done" if result.green else "has failed")
        return result

    def _begin(self, what: str) -> None:
        self.doing, self.since = what, time.monotonic()

    def how_far(self) -> str:
        """Say in a line what is being done, since when, and its last word."""
        minutes = (time.monotonic() - self.since) / 60
        last = tail(self.log, 1)
        shares = re.findall(r"\[ *\d+%\]", last)
        word = (shares or [last])[-1][-90:]
        return f"{self.system.name} {self.doing} ({minutes:.1f} min): {word}"


def tail(path: Path, lines: int) -> str:
    """Return the last lines of a file that are not empty."""
    if not path.exists():
        return ""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 200 * (lines + 1)))
        said = file.read().decode("utf-8", "replace").splitlines()
    return "\n".join([line for line in said if line.strip()][-lines:])


def say(text: str) -> None:
    """Say something to the person who waits."""
    print(f"matrix: {text}", file=sys.stderr, flush=True)


def parse(arguments: list[str]) -> argparse.Namespace:
    """Read the command line."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    parser = argparse.ArgumentParser(
        prog="scripts/matrix",
        description="Run the demonstration and the tests of HEAD on every QGIS that Debian has.",
    )
    names = [system.name for system in SYSTEMS]
    parser.add_argument(
        "--only",
        action="append",
        choices=names,
        metavar="QGIS",
        help=f"one of {', '.join(names)}; may be given again",
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path(cache, "geoanon-matrix"),
        help="where the trees are kept, 3 GB each (%(default)s)",
    )
    parser.add_argument("--jobs", type=int, default=1, help="systems at once (%(default)s)")
    parser.add_argument("--mirror", default=MIRROR, help="Debian's packages (%(default)s)")
    parser.add_argument(
        "--shared",
        type=Path,
        default=ROOT.parent / "shared",
        help="data of the tests, shown read-only (%(default)s)",
    )
    parser.add_argument("--fresh", action="store_true", help="make the trees anew")
    parser.add_argument("tests", nargs="*", help="arguments for pytest, after --")
    options = parser.parse_args(arguments)
    options.folder = options.folder.expanduser().resolve()
    if ROOT == options.folder or ROOT in options.folder.parents:
        parser.error("the trees do not belong into the checkout: give another --folder")
    if options.jobs < 1:
        parser.error("--jobs is at least 1")
    return options


def check_machine() -> None:
    """Refuse with a sentence where this cannot work."""
    if os.getuid() != 0:
        sys.exit("matrix: only root may make and enter such trees: run it as root.")
    needed = ("debootstrap", "unshare", "chroot", "git")
    missing = [name for name in needed if not shutil.which(name)]
    if missing:
        names = ", ".join(missing)
        sys.exit(f"matrix: {names} missing; on Debian: apt-get install debootstrap git")


def main(arguments: list[str]) -> int:
    """Run all, say how far it is, print the table; 0 only when everything is green."""
    options = parse(arguments)
    check_machine()
    options.folder.mkdir(parents=True, exist_ok=True)
    runs = Runs()
    shared = options.shared.resolve() if options.shared.is_dir() else None
    systems = [one for one in SYSTEMS if not options.only or one.name in options.only]
    trees = [Tree(one, options.folder, options.mirror, shared, runs) for one in systems]

    def stop(number, frame):
        raise KeyboardInterrupt

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        try:
            if options.fresh:
                for tree in trees:
                    tree.remove()
            futures = [pool.submit(tree.run, options.tests) for tree in trees]
            waiting = set(futures)
            while waiting:
                done, waiting = concurrent.futures.wait(waiting, SAY_EVERY)
                if not done:
                    for tree in trees:
                        if tree.doing != "waits":
                            say(tree.how_far())
        except BaseException:
            runs.end()
            raise
    results = [future.result() for future in futures]
    for tree, result in zip(trees, results):
        if not result.green:
            say(f"{result.system.name} is not green. {result.trouble}\n{tail(tree.log, 40)}")
            say(f"All of it: {tree.log}")
    print(table(results))
    return 0 if all(result.green for result in results) else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Failed as error:
        sys.exit(f"matrix: {error}")
    except KeyboardInterrupt:
        sys.exit("matrix: interrupted; the trees are kept.")
