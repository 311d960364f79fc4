# SPDX-License-Identifier: GPL-2.0-or-later
"""How far estimates of population uniques are off, on populations that are known.

Made-up populations of 200,000 people; samples of 1, 5, 20 and 50 %. For each: how many unique records
are unique in the population, what the two models say, and the chance that a match is right.

    python benchmarks/uniques.py [--draws 3]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import _timing  # noqa: F401  (puts the checkout on the path)
import numpy as np

from geoanon_qgis.core.aggregation.population_uniques import MODELS, population_uniques

PEOPLE = 200_000
FRACTIONS = (0.01, 0.05, 0.2, 0.5)


def populations(rng: np.random.Generator) -> Iterator[tuple[str, np.ndarray]]:
    """Names, and class sizes."""
    age = np.clip(rng.normal(45, 20, PEOPLE), 0, 99).astype(int)
    person = age * 2 + rng.integers(0, 2, PEOPLE)
    job = np.minimum(rng.zipf(1.6, PEOPLE), 300)
    region = rng.choice(40, PEOPLE, p=rng.dirichlet(np.ones(40)))
    for name, key in (
        ("age, sex, job", person * 301 + job),
        ("age, sex, region", person * 40 + region),
        ("age, sex, job, region", (person * 301 + job) * 40 + region),
        ("50,000 equal cells", rng.integers(0, 50_000, PEOPLE)),
    ):
        yield name, np.unique(key, return_counts=True)[1]
    sizes = rng.poisson(np.exp(rng.normal(0, 1.5, 60_000)))
    yield "lognormal cells", sizes[sizes > 0]


def main() -> None:
    """Print a row for each population and fraction, mean of the draws."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--draws", type=int, default=3)
    draws = asked.parse_args().draws
    rows: dict[tuple[str, float], list[list[float]]] = {}
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        for name, sizes in populations(rng):
            for fraction in FRACTIONS:
                sample = rng.binomial(sizes, fraction)
                alone = sample == 1
                found = population_uniques(sample[sample > 0], fraction)
                rows.setdefault((name, fraction), []).append(
                    [
                        alone.sum(),
                        (sizes[alone] == 1).mean(),
                        *(one.share for one in found.estimates),
                        alone.sum() / sizes[alone].sum(),
                        found.matched,
                    ]
                )
    print("population, sample: unique records; unique in the population too:", *MODELS, "| match")
    off = []
    for (name, fraction), found in rows.items():
        alone, true, *models, right, matched = np.mean(found, axis=0)
        off.append([*(one - true for one in models), matched - right])
        said = ", ".join(f"{one:.3f}" for one in models)
        print(
            f"{name:22s} {fraction:4.0%}: {alone:7,.0f}; true {true:.3f}, said {said}"
            f" | true {right:.3f}, said {matched:.3f}"
        )
    for name, errors in zip((*MODELS, "match"), np.array(off).T):
        print(
            f"{name}: bias {errors.mean():+.3f}, mean absolute error {np.abs(errors).mean():.3f},"
            f" worst {errors[np.abs(errors).argmax()]:+.3f}"
        )


if __name__ == "__main__":
    main()
