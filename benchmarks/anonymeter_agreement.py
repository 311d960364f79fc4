# SPDX-License-Identifier: GPL-2.0-or-later
"""Attacks on microdata beside anonymeter's, which has an environment of its own.

    python benchmarks/anonymeter_agreement.py --python <an environment with anonymeter> [--records 1000]

The same releases of the same people are attacked by both: a file of ten fields like a health survey's,
with a control of other people, and the sample data that ships (deaths in Soho, one half of them released,
the other the control). Six methods: verbatim, spectral swapping, Gaussian copula, microaggregation, data
shuffling and cell swapping. Singling out by one field and by two to six, linkability of two halves of the
fields, and inference of a category and of a number: right of all attempts, of those on the control, blind,
and the risk with its interval as anonymeter counts it.

Where definitions differ, the attacks are first held beside each other on equal terms: predicates are made
of records and fields drawn alike, of records alike one; whoever finds several nearest records takes any
(counted over all of them, by anonymeter's own distances to all records); a guessed number is right within
the same tolerance. Then ("as run") what the verdict counts, beside anonymeter as it stands. "APART" are
intervals that do not overlap on equal terms; "WEAKER" is an attack of the verdict whose risk lies below
that of anonymeter as it stands.
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
from geoanon_qgis.core.microdata.attacks import singling, singling_several
from geoanon_qgis.core.microdata.attacks.inference import infer
from geoanon_qgis.core.microdata.attacks.knowledge import Knowledge
from geoanon_qgis.core.microdata.attacks.linkability import link
from geoanon_qgis.core.microdata.attacks.scoring import Attack
from geoanon_qgis.core.microdata.attacks.table import Tables, answers, is_number
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
#: Predicates of each size; what is counted of an attack.
_EACH = 400
_COUNTS = ("tried", "right", "control_tried", "control_right")
_SAMPLE = Path(__file__).resolve().parent.parent / "resources/data/soho_cholera_1854.gpkg"

_THEIRS = """
import json, logging, sys, warnings
import numpy as np, pandas as pd
warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator
from anonymeter.evaluators import singling_out_evaluator as so
from anonymeter.neighbors.mixed_types_kneighbors import MixedTypeKNeighbors
from anonymeter.stats.confidence import EvaluationResults
task = json.load(sys.stdin)
np.random.seed(task["seed"])
ori, syn, control = (pd.DataFrame(task[name]) for name in ("original", "released", "control"))
tables = dict(ori=ori, syn=syn, control=control)
found = {}

def row(right, lucky, blind, tried):
    results = EvaluationResults(tuple(tried), right, blind, lucky)
    return [int(tried[0]), float(right), int(tried[2]), float(lucky), float(blind) / tried[1],
            *map(float, results.risk()[1])]

def keep(name, results, tried, equal=None):
    as_run = row(results.n_success, results.n_control, results.n_baseline, tried)
    found[name] = [row(*equal, tried) if equal else as_run, as_run]

def evaluated(told, mode, queries):
    told._n_attacks = len(queries)
    if not queries:
        return
    keep(name, told.evaluate(mode).results(), (len(queries),) * 3)

name = "1 field"
told = SinglingOutEvaluator(**tables, n_attacks=3000, seed=task["seed"])
evaluated(told, "univariate", so.univariate_singling_out_queries(told._syn, 3000, np.random.default_rng(0)))
each = task["attempts"]
for columns in range(2, min(6, len(ori.columns)) + 1):
    name = f"{columns} fields"
    seed = task["seed"] + columns
    told = SinglingOutEvaluator(
        **tables, n_attacks=each, n_cols=columns, max_attempts=20 * each, seed=seed)
    evaluated(told, "multivariate", so.multivariate_singling_out_queries(
        told._syn, each, columns, 20 * each, np.random.default_rng(seed)))

def joined(people):
    # Chance to take the same record by both halves, where any of the nearest is taken.
    near = []
    for half in task["halves"]:
        neighbours = MixedTypeKNeighbors(n_jobs=1, n_neighbors=len(syn)).fit(syn[half])
        away, at = neighbours.kneighbors(people[half], return_distance=True)
        tied = away <= away[:, :1] + 1e-9
        near.append([set(some[ties].tolist()) for some, ties in zip(at, tied)])
    both = [len(one & two) for one, two in zip(*near)]
    return sum(1 / some for some in both if some)

n = min(len(ori), len(control))
told = LinkabilityEvaluator(**tables, aux_cols=task["halves"], n_attacks=n, n_neighbors=1)
results = told.evaluate(n_jobs=1).results()
keep("linkability", results, (n,) * 3, (joined(ori), joined(control), results.n_baseline))
for name, known, secret, scale in task["guesses"]:
    told = InferenceEvaluator(
        **tables, aux_cols=known, secret=secret, regression=bool(scale), n_attacks=10**6
    ).evaluate(n_jobs=1)
    equal = None
    if scale:
        coded = lambda values: np.interp(values.to_numpy(float), *scale[:2])
        equal = [
            int((abs(coded(guess) - coded(of[secret].reindex(guess.index))) <= scale[2]).sum())
            for guess, of in ((told._guesses_success, ori), (told._guesses_control, control),
                              (told._guesses_baseline, ori))
        ]
    keep(name, told.results(), (len(ori), min(len(syn), len(ori)), len(control)), equal)
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


def figures(one: Attack) -> Figures:
    """An attack's figures."""
    return Figures(
        one.tried, one.right, one.control_tried, one.control_right, one.baseline, *one.risk()[1:]
    )


def plain(tried: int, right: float, others: int, lucky: float, blind: float) -> Figures:
    """The same of counts, each attempt counted once."""
    return figures(Attack("", "", "", tried, tried, right, others, lucky, blind))


def singled_out(tables: Tables, attacks: list[Attack]) -> dict[int, Figures]:
    """Predicates of records and fields that are drawn as anonymeter draws them, of each size."""
    alone = [sum(getattr(one, of) for one in attacks) for of in _COUNTS]
    found = {1: plain(*alone, attacks[0].baseline)} if alone[0] else {}
    rows = singling.rows_of(tables)
    columns = singling_several.columns_of
    released = columns(tables, tables.released, rows.released[rows.first])
    truth = [
        singling_several.Truth(columns(tables, matrix, at))
        for matrix, at in ((tables.original, rows.own), (tables.reference, rows.control))
    ]
    kinds = [is_number(one) for one in tables.variables]
    sizes = [size for size in range(2, 7) if size <= len(kinds)]
    every = np.arange(len(rows.first))
    for one in singling_several.predicates_of(
        released, kinds, sizes, every, tries=1, most=20 * _EACH
    ):
        some = one.predicates[:_EACH]
        right, lucky = (sum(map(of.alone, some)) for of in truth)
        if some:
            found[one.size] = plain(len(some), right, len(some), lucky, 0.0)
    return found


def ours(data: Data, released: dict, halves) -> dict[str, tuple[Figures, Figures]]:
    """The same attacks by the engine, on equal terms and as the verdict counts them."""
    coding = learn_coding(data.original)
    before, after, others = (
        coding.encode(one)[0] for one in (data.original, released, data.control)
    )
    tables = Tables(before, after, others, coding.variables, [(before, others)], ())
    alone = singling.univariate(tables)[0]
    as_run: dict[str, list[Attack]] = {"1 field": alone}
    for one in singling_several.multivariate(tables):
        as_run.setdefault(f"{one.knows.values['count']} fields", []).append(one)
    equal = {
        f"{size} field" + "s" * (size > 1): one for size, one in singled_out(tables, alone).items()
    }
    as_run["linkability"] = [link(tables, *halves)]
    for name, known, secret, _ in data.guesses:
        as_run[name] = [infer(tables, Knowledge(secret, tuple(known), (secret,)))[0]]
    worst = {
        name: figures(max((one for one in some if one.tried), key=lambda one: one.risk()[1:]))
        for name, some in as_run.items()
        if any(one.tried for one in some)
    }
    return {name: (equal.get(name, one), one) for name, one in worst.items()}


def scale_of(data: Data, released: dict, secret: str) -> list:
    """Values of a number, what the engine codes them as, and how far a guess may be off."""
    coding = learn_coding(data.original)
    tables = [coding.encode(one)[0] for one in (data.original, released, data.control)]
    variable = next(one for one in coding.variables if one.name == secret)
    seen = Tables(*tables, coding.variables, [], ())
    values = np.concatenate([one[secret] for one in (data.original, released, data.control)])
    coded = np.concatenate([answers(variable, one) for one in tables])
    values, at = np.unique(values.astype(float), return_index=True)
    return [values.tolist(), coded[at].tolist(), seen.tolerance(variable)]


def theirs(
    python: str, data: Data, released: dict, halves, seed: int
) -> dict[str, tuple[Figures, Figures]]:
    """The attacks of anonymeter, in its own environment: on equal terms, and as they stand."""
    tables = {"original": data.original, "released": released, "control": data.control}
    task = {name: {k: v.tolist() for k, v in one.items()} for name, one in tables.items()}
    guesses = [
        (name, known, secret, scale_of(data, released, secret) if number else None)
        for name, known, secret, number in data.guesses
    ]
    task |= {"halves": halves, "guesses": guesses, "seed": seed, "attempts": _EACH}
    done = subprocess.run(
        [python, "-c", _THEIRS], input=json.dumps(task), capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2_000:])
    return {
        name: (Figures(*some[0]), Figures(*some[1]))
        for name, some in json.loads(done.stdout).items()
    }


def compared(python: str, title: str, data: Data, methods, seed: int) -> np.ndarray:
    """Print both beside each other; return how many were compared, apart, and weaker as run."""
    names = list(data.original)
    halves = [names[: len(names) // 2], names[len(names) // 2 :]]
    print(f"\n{title}: {len(data.original[names[0]]):,} people, {', '.join(names)}")
    print(f"{'':44} success (interval)   control (interval)   blind  risk")
    count = np.zeros(3, dtype=int)
    for method in methods:
        released = released_by(method, data.original, seed)
        mine = ours(data, released, halves)
        others = theirs(python, data, released, halves, seed)
        for attack in sorted({*mine, *others}):
            if attack not in mine or attack not in others:
                print(f"{method:18}{attack:23} only {'we' if attack in mine else 'it'}")
                count += (1, 1, attack not in mine)
                continue
            (one, as_one), (two, as_two) = mine[attack], others[attack]
            away, weaker = one.apart(two), as_one.high < as_two.low
            count += (1, bool(away), weaker)
            print(f"{method:18}{attack:23} we {one}")
            said = f"  APART: {', '.join(away)}" if away else ""
            print(f"{'':41} it {two}{said}", flush=True)
            if (one, two) != (as_one, as_two):
                print(f"{'':30}as run     we {as_one}")
                print(f"{'':41} it {as_two}{'  WEAKER' if weaker else ''}", flush=True)
    return count


def main() -> int:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", required=True, help="of an environment with anonymeter")
    parser.add_argument("--records", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=METHODS, nargs="*", default=METHODS)
    options = parser.parse_args()
    count = np.zeros(3, dtype=int)
    for title, data in (
        ("Made-up health survey", survey(options.records, options.seed)),
        ("Deaths in Soho", soho(options.seed)),
    ):
        count += compared(options.python, title, data, options.only, options.seed)
    print(
        f"\n{count[0]} attacks compared, intervals apart in {count[1]} on equal terms; "
        f"as run weaker than anonymeter in {count[2]}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
