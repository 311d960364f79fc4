# SPDX-License-Identifier: GPL-2.0-or-later
"""Points, areas and distances: is what the choice of a mask says of areas and distances true?

    python benchmarks/kinds_of_release.py [--runs 20] [--first 0] [--limit 0.1] [--on 99 mean]

Each run has data of its own, as in ``mask_advice.py`` (4,000 addresses, 500 records). Every row of areas
and distances that could be tried, whether it holds or not, is released anew by other draws, and attacked
by plain NumPy that shares no code with the engine's attacks:

- areas: whoever has the list names a random address of the area, who knows a member a random record of
  hers. Which addresses an area has is worked out from the public sites, by brute force.
- distances: somebody who has more than either adversary, the true places and records of 25 people. He
  makes a map of all records from the matrix (shortest paths over 12 nearest records, classical scaling),
  lays it over the 25, lets records with small distances to these correct it (least squares on distances
  weighted by how near they are), and names the nearest address of each record, the nearest record of
  each person. The 25 do not count.

Printed: how often what he names is right, beside the stated upper ends, and in how many of the runs it
stays below them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict

import _dwellings as dwellings
import _timing  # noqa: F401  puts the checkout on the path
import numpy as np
from mask_advice import case_of
from scipy.optimize import least_squares
from scipy.sparse.csgraph import shortest_path
from scipy.spatial.distance import cdist, pdist, squareform

from geoanon_qgis.core.experiments.masks.advice import OTHERS, advise, families
from geoanon_qgis.core.experiments.masks.case import BOTH, PLACE, RECORD
from geoanon_qgis.core.experiments.masks.standing import ON, Limit
from geoanon_qgis.core.masking.site_areas import sites_among

_ANCHORS, _NEIGHBOURS = 25, 12


def of_areas(case, row, rng) -> dict[str, tuple[int, int]]:
    """People, and how many of them are named rightly by a guess within the released area."""
    trial = row.family.trial(case, row.standing.size, rng, np.arange(case.people), True)
    there = np.flatnonzero(~np.isnan(trial.xy[:, 0]))
    # The sites are public: made of the list alone.
    sites = sites_among(case.candidates, int(row.standing.size))
    area = cdist(case.candidates, sites).argmin(axis=1)
    own = cdist(trial.xy[there], sites).argmin(axis=1)
    right = {PLACE: 0, RECORD: 0}
    for record, cell in zip(there, own):
        right[PLACE] += rng.choice(np.flatnonzero(area == cell)) == case.home[record]
        right[RECORD] += rng.choice(there[own == cell]) == record
    return {name: (len(there), int(count)) for name, count in right.items()}


def of_distances(case, row, rng) -> dict[str, tuple[int, int]]:
    """The same by a map that is drawn from a matrix, with some known people."""
    before = row.family.before
    xy = before.trial(case, row.standing.size, rng, np.arange(case.people), False).xy
    there = np.flatnonzero(~np.isnan(xy[:, 0]))
    low, high = xy[there].min(axis=0), xy[there].max(axis=0)
    references = rng.uniform(low, high, (20, 20, 2))
    features = np.stack([cdist(xy[there], one).min(axis=1) for one in references], axis=1)
    matrix = np.floor(squareform(pdist(features, "chebyshev")))
    known = rng.choice(len(there), _ANCHORS, replace=False)
    drawn = _map(matrix, case.xy[there[known]], known)
    others = np.setdiff1d(np.arange(len(there)), known)
    place = cdist(drawn[others], case.candidates).argmin(axis=1)
    record = cdist(case.xy[there[others]], drawn[others]).argmin(axis=1)
    return {
        PLACE: (len(others), int((place == case.home[there[others]]).sum())),
        RECORD: (len(others), int((record == np.arange(len(others))).sum())),
    }


def _map(matrix: np.ndarray, places: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Where records lie, by shortest paths, scaling, the known places, and near distances to them."""
    count = len(matrix)
    graph = np.zeros_like(matrix)
    near = np.argsort(matrix, axis=1)[:, 1 : _NEIGHBOURS + 1]
    rows = np.repeat(np.arange(count), _NEIGHBOURS)
    graph[rows, near.ravel()] = np.maximum(matrix[rows, near.ravel()], 0.5)
    paths = shortest_path(np.maximum(graph, graph.T), directed=False)
    paths = np.where(np.isfinite(paths), paths, paths[np.isfinite(paths)].max())
    middle = np.eye(count) - 1 / count
    value, vector = np.linalg.eigh(-0.5 * middle @ paths**2 @ middle)
    flat = vector[:, -2:] * np.sqrt(np.maximum(value[-2:], 0))
    ones = np.ones((count, 1))
    fit = np.linalg.lstsq(np.hstack([flat[known], ones[known]]), places, rcond=None)[0]
    found = np.hstack([flat, ones]) @ fit
    for row in range(count):
        away = matrix[row, known]
        nearest = np.argsort(away)[:4]
        weight = 1 / (away[nearest] + 20.0)

        def off(xy, away=away, nearest=nearest, weight=weight, start=found[row]):
            gap = np.hypot(*(places[nearest] - xy).T) - away[nearest]
            return np.concatenate([gap * weight, (xy - start) * 0.25 * weight.min()])

        found[row] = least_squares(off, found[row], max_nfev=15).x
    return found


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--limit", type=float, default=0.1)
    parser.add_argument("--on", nargs="+", choices=ON, default=["99"])
    options = parser.parse_args()
    listed = np.unique(dwellings.integer_metres(), axis=0) if dwellings.available() else None
    used = time.process_time()
    below, shares, states = defaultdict(list), defaultdict(list), defaultdict(list)
    for run in range(options.first, options.first + options.runs):
        case = case_of(run, listed, BOTH)
        for on in options.on:
            limit = Limit(options.limit, on)
            advice = advise(case, families(OTHERS, limit), limit, ["distances"], 5_000 + run)
            for row in advice.found:
                if row.standing is None:
                    continue
                attack = of_areas if row.family.kind == "areas" else of_distances
                found = attack(case, row, np.random.default_rng([31, run]))
                states[row.family.name].append(row.state)
                for name, (people, right) in found.items():
                    end = row.standing.against[name].ends_under(limit)[1]
                    key = row.family.name, name
                    below[key].append(right / people <= end)
                    shares[key].append((right / people, end))
        print(f"run {run}: {time.process_time() - used:.0f} s of CPU", flush=True)
    for (family, name), good in below.items():
        mean, end = np.mean(shares[family, name], axis=0)
        state = states[family]
        print(
            f"{family:26}{name:14} held {state.count('held')} of {len(state)}; found {mean:.4f}, upper"
            f" end {end:.4f}; below it in {sum(good)} of {len(good)}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
