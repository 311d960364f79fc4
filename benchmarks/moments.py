# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership by averages, correlations and classes of a release: predicted without other people, and found with some.

python benchmarks/moments.py [--draws 4] [--first 0]

For each kind of table and each method: the share of people whom averages and correlations are said to tell where no
REFERENCE is given, and whom they tell beyond others, beside as many others as there are people, and beside 5,000; then
the same by how many records are in each class of a field, or in every two, whichever tells most. A release of other people
is one of whom nobody is told; what is predicted of it is too much. At the end files of which each group was anonymised by
itself, or has the averages of its people: predicted, and named of people and of others, by groups and by all together.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import _slips_by_models as by_models
import _survey
import _timing  # noqa: F401  (puts the checkout on the path)
import numpy as np

from geoanon_qgis.core.microdata.attacks.classes import by_classes, would_be_told_by_classes
from geoanon_qgis.core.microdata.attacks.moments import by_moments, would_be_told
from geoanon_qgis.core.microdata.attacks.table import Tables
from geoanon_qgis.core.microdata.attacks.within import by_groups, would_be_told_by_groups
from geoanon_qgis.core.microdata.learning import learn_coding
from geoanon_qgis.core.microdata.release import anonymize

#: Other people of the better informed adversary.
_MANY = 5_000
_METHODS = ("spectral_swapping", "gaussian_copula", "data_shuffling", "other people")
Draw = Callable[[np.random.Generator, np.random.Generator, int], dict]


def _with_causes(law: np.random.Generator, rng: np.random.Generator, count: int, fields: int):
    """Numbers that four causes make go together, the same for all draws of a law."""
    return rng.normal(size=(count, 4)) @ law.normal(size=(4, fields)) + 1.2 * rng.normal(
        size=(count, fields)
    )


def answers(law: np.random.Generator, rng: np.random.Generator, count: int) -> dict:
    """Sixty answers of yes and no."""
    shares = law.normal(0, 1.2, 60)
    found = _with_causes(law, rng, count, 60)
    return {f"b{at}": np.where(one > shares[at], "yes", "no") for at, one in enumerate(found.T)}


def readings(law: np.random.Generator, rng: np.random.Generator, count: int) -> dict:
    """Forty numbers."""
    found = 50 + 10 * _with_causes(law, rng, count, 40)
    return {f"v{at}": one.round(1) for at, one in enumerate(found.T)}


def scores(law: np.random.Generator, rng: np.random.Generator, count: int) -> dict:
    """Thirty scores of one to five."""
    found = np.clip(np.round(3 + _with_causes(law, rng, count, 30)), 1, 5)
    return {f"s{at}": one for at, one in enumerate(found.T)}


def few_readings(law: np.random.Generator, rng: np.random.Generator, count: int) -> dict:
    """Ten numbers."""
    return {name: one for name, one in readings(law, rng, count).items() if len(name) == 2}


def survey(law: np.random.Generator, rng: np.random.Generator, count: int) -> dict:
    """The paper's design: 28 fields."""
    return _survey.survey(count, rng)


KINDS: tuple[tuple[Draw, int], ...] = (
    (answers, 500),
    (readings, 800),
    (scores, 500),
    (few_readings, 500),
    (survey, 500),
    (survey, 2_000),
)


def shares(draw: Draw, count: int, method: str, seed: int) -> list[float]:
    """Predicted, found beside as many others, and beside many, of one file; by moments, and by classes."""
    rng = np.random.default_rng([seed, count])
    own, other, reference, many = (
        draw(np.random.default_rng(seed), rng, people) for people in (count, count, count, _MANY)
    )
    kinds = _survey.kinds(own) if draw is survey else None
    released = other
    if method in _METHODS[:-1]:
        released = anonymize(own, method, rng, kinds=kinds, rules="found").columns
    coding = learn_coding(own, kinds)
    coded = [coding.encode(one)[0] for one in (own, released, reference, many)]
    alone = Tables(coded[0], coded[1], None, coding.variables, [(coded[0], None)], ())
    told, by_class = [would_be_told(alone)], [would_be_told_by_classes(alone)]
    for others in coded[2:]:
        beside = Tables(coded[0], coded[1], others, coding.variables, [(coded[0], others)], ())
        found = by_moments(beside)[0]
        told.append(found.success - found.control)
        by_class.append(max((o.success - o.control for o in by_classes(beside)), default=0.0))
    return [*told, *by_class]


def of_groups(kind: Callable, regions: int, numbers: int, seed: int) -> list[float]:
    """Predicted, and named of people and of others, by groups and by all, beside as many others, and beside 20,000."""
    rng = np.random.default_rng([seed, len(kind.__name__), 1000])
    own, released, reference = kind(rng, 1000)
    many = by_models.of_regions(rng, 20_000, regions, numbers)
    coding = learn_coding(own)
    coded = [coding.encode(one)[0] for one in (own, released, reference, many)]
    alone = Tables(coded[0], coded[1], None, coding.variables, [(coded[0], None)], ())
    told = [would_be_told_by_groups(alone)]
    for others in coded[2:]:
        beside = Tables(coded[0], coded[1], others, coding.variables, [(coded[0], others)], ())
        most = max(by_groups(beside), key=lambda one: one.success - one.control)
        for one in (most, by_moments(beside)[0]):
            told += [one.success, one.control]
    return told


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=4)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.draws)
    print(
        f"{'':44} predicted, beside as many, beside {_MANY:,}, of 100 people; the same by classes"
    )
    for draw, count in KINDS:
        for method in _METHODS:
            found = 100 * np.array([shares(draw, count, method, seed) for seed in seeds])
            said = "  ".join(
                f"{one.mean():6.1f} ({one.min():.1f} to {one.max():.1f})" for one in found.T
            )
            print(f"{draw.__name__:13} {count:5,} people, {method:18} {said}", flush=True)
    print("predicted; by groups / by all, beside as many; the same beside 20,000, of 100 people")
    for kind, regions, numbers in (
        (by_models.regions_apart, 8, 24),
        (by_models.regions_swapped, 8, 24),
        (by_models.strata_means, 16, 20),
        (by_models.regions_of_others, 8, 24),
    ):
        found = 100 * np.array([of_groups(kind, regions, numbers, seed) for seed in seeds])
        said = "  ".join(f"{one.mean():.1f} ({one.min():.1f}-{one.max():.1f})" for one in found.T)
        print(f"{kind.__name__:20} {said}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
