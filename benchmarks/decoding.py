# SPDX-License-Identifier: GPL-2.0-or-later
"""Values that people can have: spectral swapping and RHS, calibrated and as published.

python benchmarks/decoding.py [--records 2000] [--draws 10] [--files 40]

Three things are told of made-up people, and of the paper's design (28 fields): the largest difference of a field's distribution, and
values beyond its range; the median difference of correlations, beside a fresh sample's; and how
much nearer the release comes to the originals than a fresh sample does, as the excess of the share
of originals that have a record nearer than a tenth of the fresh sample's, and the largest excess.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import _survey
import numpy as np
from scipy.spatial import cKDTree

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from geoanon_qgis.core.microdata.in_units import in_units  # noqa: E402
from geoanon_qgis.core.microdata.learning import learn_coding  # noqa: E402
from geoanon_qgis.core.microdata.methods import DATA_SHUFFLING, DECODINGS  # noqa: E402
from geoanon_qgis.core.microdata.observations import observed_table  # noqa: E402
from geoanon_qgis.core.microdata.release import anonymize  # noqa: E402
from geoanon_qgis.core.microdata.rules import FOUND  # noqa: E402
from geoanon_qgis.core.microdata.variables import DRAW, MOST_PROBABLE  # noqa: E402

_METHODS = ("spectral_swapping", "spectral_rhs")
_CATEGORIES = (MOST_PROBABLE, DRAW)


def people(rng: np.random.Generator, n: int) -> dict:
    """Ten fields of all kinds: skewed, zeros for a third, rare categories, missing values."""
    age = np.clip(rng.gamma(4, 10, n), 0, 90).astype(int)
    kinds = ["married", "never", "widowed", "divorced", "separated", "partner"]
    marital = np.where(age < 16, "never", rng.choice(kinds, n, p=[0.5, 0.2, 0.08, 0.1, 0.03, 0.09]))
    income = np.where(rng.random(n) < 0.3, 0, np.exp(9.5 + 0.01 * age + rng.normal(0, 0.7, n)))
    bmi = (22 + 0.08 * age + rng.normal(0, 4, n)).clip(13, 60).round(1)
    smokes = rng.choice(["yes", "no", "ex"], n, p=[0.2, 0.6, 0.2])
    cholesterol = (180 + 0.4 * age + rng.normal(0, 35, n)).round()
    return {
        "age": age,
        "sex": rng.choice(["m", "f"], n),
        "marital": marital,
        "income": income.round(),
        "diabetes": rng.random(n) < 1 / (1 + np.exp(-(age - 75) / 12)),
        "bmi": bmi,
        "systolic": (105 + 0.5 * age + 0.4 * bmi + rng.normal(0, 10, n)).round(),
        "children": rng.poisson(1.2, n).clip(0, 7),
        "smokes": np.where(rng.random(n) < 0.06, None, smokes),
        "cholesterol": np.where(rng.random(n) < 0.1, np.nan, cholesterol),
    }


def few_fields(rng: np.random.Generator, n: int, more: int) -> dict:
    """Three fields and some more that follow the third."""
    age = rng.integers(18, 90, n)
    income = np.exp(9 + 0.01 * age + rng.normal(0, 0.5, n))
    found = {"age": age, "sex": rng.choice(["f", "m"], n), "income": income}
    for number in range(more):
        found[f"z{number}"] = np.round(rng.normal(0, 1, n) + 0.3 * np.log(income), 2)
    return found


def correlations(coding, table: dict) -> np.ndarray:
    """Of all pairs of coded columns; NaN of constant ones."""
    coded, _ = coding.encode(table)
    with np.errstate(invalid="ignore"):
        return np.corrcoef(coded.T)[np.triu_indices(coded.shape[1], 1)]


def kept(title: str, sampled: Callable, draws: int) -> None:
    """Print distributions and correlations; ``sampled`` makes a table and a fresh sample."""
    found: dict[tuple, list] = {}
    for seed in range(draws):
        data, fresh, kinds = sampled(seed)
        columns = observed_table(data)
        coding = learn_coding(columns, kinds)
        before = correlations(coding, data)
        of_fresh = float(np.nanmedian(np.abs(correlations(coding, fresh) - before)))
        units = in_units(columns, fresh, coding)
        told = (units.largest[0], of_fresh, units.outside, 1, 0)
        found.setdefault(("a fresh sample",), []).append(told)
        ways = [(m, d, c, None) for m in _METHODS for d in DECODINGS for c in _CATEGORIES]
        ways += [("spectral_swapping", "calibrated", c, FOUND) for c in _CATEGORIES]
        for method, decoding, categories, rules in ways:
            made = anonymize(
                data,
                method,
                np.random.default_rng(seed),
                kinds=kinds,
                categories_as=categories,
                decoding=decoding,
                rules=rules,
            )
            gap = float(np.nanmedian(np.abs(correlations(coding, made.columns) - before)))
            units = in_units(columns, made.columns, made.coding)
            told = (units.largest[0], gap, units.outside, gap <= of_fresh, made.broken)
            name = (method, decoding, categories, "with rules" if rules else "")
            found.setdefault(name, []).append(told)
    print(f"{title}, {draws} draws: least and largest")
    for name, rows in found.items():
        (ks, gap, outside, *_), (most_ks, most_gap, most, _, broken) = (
            np.min(rows, 0),
            np.max(rows, 0),
        )
        no_worse = int(sum(row[3] for row in rows))
        print(
            f"  {' '.join(name):58} largest difference {ks:.4f} to {most_ks:.4f}, correlations"
            f" {gap:.4f} to {most_gap:.4f}, on average {np.mean(rows, 0)[1]:.4f}, no worse than"
            f" fresh in {no_worse}, beyond {outside:.0f} to {most:.0f}, rules broken {broken:.0f}",
            flush=True,
        )


def of_people(seed: int, records: int) -> tuple:
    """Made-up people, and others."""
    return (*(people(np.random.default_rng(one), records) for one in (seed, 1_000 + seed)), None)


def of_paper(seed: int, records: int) -> tuple:
    """The same in the paper's design."""
    rng = np.random.default_rng(seed)
    data = _survey.survey(records, rng)
    return data, _survey.survey(records, rng), _survey.kinds(data)


def nearness(records: int, more: int, files: int) -> None:
    """Print how much nearer releases come than fresh samples."""
    gaps: dict[str, list] = {}
    for seed in range(files):
        data = few_fields(np.random.default_rng(100 + seed), records, more)
        coding = learn_coding(observed_table(data))
        at, _ = coding.encode(data)
        releases = {"fresh": few_fields(np.random.default_rng(1_000 + seed), records, more)}
        for decoding in DECODINGS:
            rng = np.random.default_rng(seed)
            made = anonymize(data, "spectral_swapping", rng, decoding=decoding)
            releases[decoding] = made.columns
        made = anonymize(data, DATA_SHUFFLING, np.random.default_rng(seed))
        releases[DATA_SHUFFLING] = made.columns
        for name, release in releases.items():
            gaps.setdefault(name, []).append(cKDTree(coding.encode(release)[0]).query(at)[0])
    shares = np.arange(1, 100) / 100
    every = {name: np.sort(np.concatenate(some)) for name, some in gaps.items()}
    edges = np.quantile(every["fresh"], shares)
    print(f"{files} files of {records:,} people, {3 + more} fields, spectral swapping")
    for name, some in every.items():
        excess = np.searchsorted(some, edges, side="right") / len(some) - shares
        print(
            f"  {name:16} excess at the nearest tenth {excess[9]:.3f}, at most {excess.max():.3f}"
        )


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=2_000)
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--files", type=int, default=40)
    options = parser.parse_args()
    n = options.records
    kept(f"{n:,} people, ten fields", lambda seed: of_people(seed, n), options.draws)
    kept(f"{n:,} people, the paper's design", lambda seed: of_paper(seed, n), options.draws)
    nearness(1_000, 0, options.files)
    nearness(2_000, 3, options.files)


if __name__ == "__main__":
    main()
