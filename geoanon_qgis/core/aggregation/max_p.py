# SPDX-License-Identifier: GPL-2.0-or-later
"""Max-p regions from PySAL's spopt, a baseline to see where VBAS stands.

Max-p-regions (Duque, Anselin and Rey 2012) joins contiguous regions into as many areas as can
each reach a threshold of people. spopt works for minutes without asking whether to go on, and
draws from the one generator that all of NumPy shares, so it runs in a Python process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from ..runtime.errors import InputError, MissingPackage
from ..runtime.installing import missing_sentence
from ..runtime.memory import refuse_unless_fits
from ..runtime.progress import Progress, silent
from ..runtime.wording import Sentence, number_of
from ..space.points import as_points, places

#: Attempts of spopt's construction phase; the published default of 99 takes hours for thousands.
ITERATIONS = 5
_POLL_S = 0.1

_CHILD = """
import sys
import numpy as np
import pandas as pd
from libpysal.weights import W
from spopt.region.maxp import MaxPHeuristic

given = np.load(sys.argv[1])
np.random.seed(int(given["seed"]))
start, near = given["start"], given["near"]
count = len(start) - 1
weights = W(
    {i: [int(j) for j in near[start[i]:start[i + 1]]] for i in range(count)},
    silence_warnings=True,
)
table = pd.DataFrame({"x": given["x"], "y": given["y"], "people": given["people"]})
model = MaxPHeuristic(
    table, weights, ["x", "y"], "people", float(given["threshold"]), 2,
    int(given["iterations"]), 1,
)
model.solve()
np.save(sys.argv[2], np.asarray(model.labels_, dtype=np.int64))
"""


def max_p_regions(
    xy: np.ndarray,
    population: np.ndarray,
    threshold: float,
    rng: np.random.Generator,
    iterations: int = ITERATIONS,
    progress: Progress = silent,
) -> np.ndarray:
    """Join regions into as many areas as can reach a population each.

    Regions are neighbours where their Voronoi cells adjoin; areas are homogeneous in x and y,
    that is compact. Regions at one place always go together.

    Parameters
    ----------
    xy : (n, 2) array
        Regions in the plane.
    population : (n,) array
        Records of each.
    threshold : float
        People that each area must reach.
    rng : numpy.random.Generator
    iterations : int
        Attempts of the construction phase.
    progress : callable
        Told nothing but 0 and 1, as spopt tells nothing; may raise to cancel.

    Returns
    -------
    (n,) int array
        Area of each region, from 0.

    Raises
    ------
    MissingPackage
        If spopt is not installed.
    InputError
        If there are too few places for neighbours, or spopt gives up.
    """
    missing = missing_sentence(["spopt"])
    if missing:
        raise MissingPackage(
            "{missing} Or choose another location of the sites than max-p.", missing=missing
        )
    found = places(as_points(xy, Sentence("regions")))
    count = len(found.xy)
    refuse_unless_fits(
        24.0 * count * count,
        number_of(count, "region", "regions"),
        Sentence("max-p regions, which compare each with each"),
        Sentence("Choose another location, or fewer regions."),
    )
    people = np.bincount(found.of_point, weights=population, minlength=count)
    if people.sum() < threshold:
        raise InputError("All regions together do not reach the population an area needs.")
    start, near = _neighbours(found.xy)
    with tempfile.TemporaryDirectory(prefix="geoanon-") as folder:
        given, label = Path(folder, "given.npz"), Path(folder, "label.npy")
        np.savez(
            given,
            x=found.xy[:, 0],
            y=found.xy[:, 1],
            people=people,
            threshold=threshold,
            start=start,
            near=near,
            iterations=iterations,
            seed=int(rng.integers(2**32)),
        )
        _run([_python(), "-c", _CHILD, str(given), str(label)], Path(folder, "log"), progress)
        labels = np.load(label)
    return np.unique(labels, return_inverse=True)[1].reshape(-1)[found.of_point]


def medians(xy: np.ndarray, area: np.ndarray) -> np.ndarray:
    """Coordinate-wise median of the regions of each area, (areas, 2)."""
    order = np.argsort(area, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(area[order])) + 1)
    return np.stack([np.median(xy[group], axis=0) for group in groups])


def _neighbours(xy: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    from scipy.spatial import Delaunay, QhullError

    if len(xy) < 4:
        raise InputError("Max-p regions need regions at four different places or more.")
    try:
        return Delaunay(xy - xy.mean(axis=0)).vertex_neighbor_vertices
    except QhullError as error:
        raise InputError("Max-p regions need regions that do not all lie in a line.") from error


def _run(command: list[str], log: Path, progress: Progress) -> None:
    """Run the child until it ends, or end it when the user cancels."""
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    with open(log, "wb") as output:
        # On Windows alone there is such a flag: without it a window would flash up.
        no_window = getattr(subprocess, "CREATE_NO_WINDOW", 0)
        child = subprocess.Popen(  # nosec: a fixed program and files of our own
            command, stdout=output, stderr=output, env=surroundings, creationflags=no_window
        )
        try:
            while child.poll() is None:
                progress(0.0)
                time.sleep(_POLL_S)
        finally:
            if child.poll() is None:
                child.kill()
                child.wait()
    if child.returncode:
        said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        raise InputError(
            "spopt found no max-p regions: {reason}. Choose another location.",
            reason=said[-1] if said else Sentence("it ended without a word"),
        )
    progress(1.0)


def _python() -> str:
    """A Python interpreter; inside QGIS ``sys.executable`` may be QGIS itself."""
    if Path(sys.executable or "").stem.lower().startswith("python"):
        return sys.executable
    for place in (
        Path(sys.exec_prefix, "python.exe"),
        Path(sys.exec_prefix, "bin", "python3"),
        Path(sys.base_exec_prefix, "bin", "python3"),
    ):
        if place.exists():
            return str(place)
    raise MissingPackage("No Python interpreter was found to run max-p regions with.")
