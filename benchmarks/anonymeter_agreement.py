# SPDX-License-Identifier: GPL-2.0-or-later
"""Attacks on microdata beside anonymeter's, which has an environment of its own.

    python benchmarks/anonymeter_agreement.py --python <an environment with anonymeter> [--records 1000]

The same releases of the same people are attacked by both: a file of ten fields like a health survey's,
with a control of other people, and the sample data that ships (deaths in Soho, one half of them released,
the other the control). Six methods: verbatim, spectral swapping, Gaussian copula, microaggregation, data
shuffling and cell swapping. Singling out by one field and by several, linkability of two halves of the
fields, and inference of a category and of a number: right of all attempts, of those on the control, blind,
and the risk with its interval as anonymeter counts it. Where intervals do not overlap it is said.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import _timing as timing  # noqa: F401  (puts the checkout on the path)
import numpy as np
from decoding import people as surveyed

from geoanon_qgis.core.attacks.scoring import wilson
from geoanon_qgis.core.microdata.attacks import singling
from geoanon_qgis.core.microdata.attacks.inference import infer
from geoanon_qgis.core.microdata.attacks.knowledge import Knowledge
from geoanon_qgis.core.microdata.attacks.linkability import link
from geoanon_qgis.core.microdata.attacks.table import Tables
from geoanon_qgis.core.microdata.learning import learn_coding
from geoanon_qgis.core.microdata.release import anonymize

METHODS = (
    "verbatim",
    "spectral_swapping",
    "gaussian_copula",
    "microaggregation",
    "data_shuffling",
    "cell_swapping",
)
_SAMPLE = Path(__file__).resolve().parent.parent / "resources/data/soho_cholera_1854.gpkg"

_THEIRS = """
import json, logging, sys, warnings
import numpy as np, pandas as pd
warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator
from anonymeter.evaluators import singling_out_evaluator as so
import polars as pl
task = json.load(sys.stdin)
np.random.seed(task["seed"])
ori, syn, control = (pd.DataFrame(task[name]) for name in ("original", "released", "control"))
tables = dict(ori=ori, syn=syn, control=control)
found = {}

def keep(name, results, tried):
    found[name] = [int(tried[0]), float(results.n_success), int(tried[1]), float(results.n_control),
                   float(results.n_baseline) / tried[2], *map(float, results.risk()[1])]

alone = len(so.univariate_singling_out_queries(pl.DataFrame(syn), 10**6, np.random.default_rng(0)))
alone = max(1, min(alone, 3000))
told = SinglingOutEvaluator(**tables, n_attacks=alone, seed=task["seed"]).evaluate("univariate")
keep("single field", told.results(), (alone,) * 3)
right = lucky = blind = 0
sizes = range(2, min(6, len(ori.columns)) + 1)
each = task["attempts"] // len(sizes)
made = 0
for columns in sizes:
    told = SinglingOutEvaluator(
        **tables, n_attacks=each, n_cols=columns, max_attempts=20 * each, seed=task["seed"] + columns
    )
    queries = so.multivariate_singling_out_queries(
        told._syn, each, columns, 20 * each, np.random.default_rng(task["seed"] + columns))
    if not queries:
        continue
    told._n_attacks = len(queries)
    results = told.evaluate("multivariate").results()
    made += len(queries)
    right, lucky, blind = (right + results.n_success, lucky + results.n_control, blind + results.n_baseline)
from anonymeter.stats.confidence import EvaluationResults
keep("several fields", EvaluationResults(made, right, blind, lucky), (made,) * 3)
n = min(len(ori), len(control))
told = LinkabilityEvaluator(**tables, aux_cols=task["halves"], n_attacks=n, n_neighbors=1)
keep("linkability", told.evaluate(n_jobs=1).results(), (n,) * 3)
for name, known, secret, number in task["guesses"]:
    told = InferenceEvaluator(
        **tables, aux_cols=known, secret=secret, regression=number, n_attacks=10**6
    ).evaluate(n_jobs=1)
    keep(name, told.results(), (len(ori), len(control), min(len(syn), len(ori))))
json.dump(found, sys.stdout)
"""


@dataclass(frozen=True)
class Figures:
    """What an attack found: right of how many attempts, the same on the control, blind, the risk."""

    tried: int
    right: float
    others: int
    lucky: float
    blind: float
    low: float
    high: float

    def __str__(self) -> str:
        """Say it in per cent."""
        ends = [100 * one for one in wilson(self.right, self.tried)]
        of_control = [100 * one for one in wilson(self.lucky, self.others)]
        return (
            f"{100 * self.right / self.tried:5.1f} ({ends[0]:4.1f}-{ends[1]:5.1f}) "
            f"{100 * self.lucky / self.others:5.1f} ({of_control[0]:4.1f}-{of_control[1]:5.1f}) "
            f"{100 * self.blind:5.1f}  {100 * self.low:5.1f}-{100 * self.high:5.1f}"
        )

    def apart(self, other: Figures) -> list[str]:
        """Name what of two has intervals that do not meet."""
        said = []
        for name, mine, theirs in (
            ("success", wilson(self.right, self.tried), wilson(other.right, other.tried)),
            ("control", wilson(self.lucky, self.others), wilson(other.lucky, other.others)),
            ("risk", (self.low, self.high), (other.low, other.high)),
        ):
            if max(mine[0], theirs[0]) > min(mine[1], theirs[1]):
                said.append(name)
        return said


@dataclass(frozen=True)
class Data:
    """People, others like them, and what is guessed from what."""

    original: dict
    control: dict
    guesses: tuple


def survey(records: int, seed: int) -> Data:
    """Ten fields of all kinds; what is missing is a category of its own, or not asked for."""
    tables = []
    for at in range(2):
        table = surveyed(np.random.default_rng([seed, at]), records)
        table["smokes"] = np.where(table["smokes"] == None, "unknown", table["smokes"])  # noqa: E711
        table["diabetes"] = np.where(table["diabetes"], "yes", "no")
        table["cholesterol"] = np.nan_to_num(table["cholesterol"], nan=180.0)
        tables.append({name: np.asarray(values) for name, values in table.items()})
    known = ["age", "sex", "income", "bmi"]
    guesses = (
        ("inference: marital", known, "marital", False),
        ("inference: systolic", known, "systolic", True),
    )
    return Data(*tables, guesses)


def soho(seed: int) -> Data:
    """Deaths with their place, how many at an address, and the nearest pump."""
    places = {}
    with sqlite3.connect(f"file:{_SAMPLE}?mode=ro", uri=True) as file:
        for name in ("deaths", "pumps"):
            blobs = [row[0] for row in file.execute(f"select geom from {name} order by fid")]
            places[name] = np.array([struct.unpack("<dd", blob[-16:]) for blob in blobs])
        counts = [row[0] for row in file.execute('select "count" from deaths order by fid')]
    away = np.hypot(*(places["deaths"][:, None] - places["pumps"][None]).transpose(2, 0, 1))
    table = {
        "x": places["deaths"][:, 0].round(),
        "y": places["deaths"][:, 1].round(),
        "count": np.array(counts, dtype=float),
        "pump": np.array([f"pump {at}" for at in away.argmin(axis=1)]),
        "far": away.min(axis=1).round(),
    }
    mixed = np.random.default_rng(seed).permutation(len(counts))
    one, other = np.array_split(mixed, 2)
    guesses = (("inference: pump", ["x", "count"], "pump", False),)
    half = [{name: values[rows] for name, values in table.items()} for rows in (one, other)]
    return Data(half[0], half[1], guesses)


def released_by(method: str, table: dict, seed: int) -> dict:
    """A release in the types of the original."""
    rng = np.random.default_rng(seed)
    if method == "verbatim":
        order = rng.permutation(len(next(iter(table.values()))))
        return {name: values[order] for name, values in table.items()}
    made = anonymize(table, method, rng).columns
    return {name: np.asarray(made[name]).astype(values.dtype) for name, values in table.items()}


def ours(data: Data, released: dict, halves) -> dict[str, Figures]:
    """The same attacks by the engine."""
    coding = learn_coding(data.original)
    before, after, others = (
        coding.encode(one)[0] for one in (data.original, released, data.control)
    )
    tables = Tables(before, after, others, coding.variables, [(before, others)], ())
    found = {
        "single field": singling.univariate(tables)[0],
        "several fields": singling.multivariate(tables),
        "linkability": link(tables, *halves),
    }
    for name, known, secret, _ in data.guesses:
        found[name] = infer(tables, Knowledge(secret, tuple(known), (secret,)))[0]
    return {
        name: Figures(
            one.tried,
            one.right,
            one.control_tried,
            one.control_right,
            one.baseline,
            *one.risk()[1:],
        )
        for name, one in found.items()
        if one.tried
    }


def theirs(python: str, data: Data, released: dict, halves, seed: int) -> dict[str, Figures]:
    """The attacks of anonymeter, in its own environment."""
    tables = {"original": data.original, "released": released, "control": data.control}
    task = {name: {k: v.tolist() for k, v in one.items()} for name, one in tables.items()}
    task |= {"halves": halves, "guesses": data.guesses, "seed": seed, "attempts": 2_000}
    done = subprocess.run(
        [python, "-c", _THEIRS], input=json.dumps(task), capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2_000:])
    return {name: Figures(*some) for name, some in json.loads(done.stdout).items()}


def compared(python: str, title: str, data: Data, methods, seed: int) -> tuple[int, int]:
    """Print both beside each other; return how many were compared and how many were apart."""
    names = list(data.original)
    halves = [names[: len(names) // 2], names[len(names) // 2 :]]
    print(f"\n{title}: {len(data.original[names[0]]):,} people, {', '.join(names)}")
    print(f"{'':42} success (interval)   control (interval)   blind  risk")
    count = wide = 0
    for method in methods:
        released = released_by(method, data.original, seed)
        mine = ours(data, released, halves)
        others = theirs(python, data, released, halves, seed)
        for attack, one in mine.items():
            two = others[attack]
            away = one.apart(two)
            count, wide = count + 1, wide + bool(away)
            print(f"{method:18}{attack:21} we {one}")
            said = f"  APART: {', '.join(away)}" if away else ""
            print(f"{'':39} it {two}{said}", flush=True)
    return count, wide


def main() -> int:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", required=True, help="of an environment with anonymeter")
    parser.add_argument("--records", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=METHODS, nargs="*", default=METHODS)
    options = parser.parse_args()
    count = wide = 0
    for title, data in (
        ("Made-up health survey", survey(options.records, options.seed)),
        ("Deaths in Soho", soho(options.seed)),
    ):
        some = compared(options.python, title, data, options.only, options.seed)
        count, wide = count + some[0], wide + some[1]
    print(f"\n{count} attacks compared, intervals apart in {wide}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
