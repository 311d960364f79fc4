# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether the disclosure risk lets honest files pass and refuses planted leaks.

    python benchmarks/honest_files.py [--records 500] [--draws 20] [--first 0] [--only mixed …] [--no-leaks]

An honest file holds people of its own: original, release and reference are drawn from the same
population and share nobody. Of each kind (numbers, categories, both, integers of few values, places) so
many draws are judged: how many may be released with care, end in "cannot tell", or must not be released.
Then the same releases with a leak in them: one verbatim row; one true field beside true values of the
others that are known; values dealt out, so that extremes are theirs; every row twice. Told is how many
are refused, and of the row and the extremes how many are listed.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Sequence

import _timing as timing  # noqa: F401  (puts the checkout on the path)
import numpy as np

from geoanon_qgis.core.microdata.attacks.battery import attack_release
from geoanon_qgis.core.microdata.attacks.paired import Pairing, half_away
from geoanon_qgis.core.microdata.coding import Coding
from geoanon_qgis.core.microdata.digits import as_released
from geoanon_qgis.core.microdata.learning import coding_of_all, learn_coding
from geoanon_qgis.core.microdata.people import People
from geoanon_qgis.core.microdata.risk import DisclosureRisk, disclosure_risk, people_measured
from geoanon_qgis.core.runtime.wording import Sentence
from geoanon_qgis.core.verdict import LIMIT, judge

Table = dict[str, np.ndarray]


def words(rng: np.random.Generator, count: int, shares: list[float]) -> np.ndarray:
    """Categories with some shares."""
    return rng.choice([*"abcdefgh"[: len(shares)]], count, p=np.array(shares) / sum(shares))


def mixed(rng: np.random.Generator, shape: np.random.Generator, count: int) -> Table:
    """A health survey."""
    age = np.clip(rng.gamma(9, 5.5, count), 18, 95).round()
    sex, bmi = (
        words(rng, count, [1, 1]),
        (24 + 0.05 * (age - 45) + rng.normal(0, 4, count)).round(1),
    )
    ill = rng.random(count) < 1 / (1 + np.exp(6 - 0.05 * age - 0.08 * (bmi - 25)))
    return {
        "age": age,
        "sex": sex,
        "region": words(rng, count, [4, 4, 3, 3, 2, 2, 1, 1]),
        "bmi": bmi,
        "pressure": (105 + 0.45 * age + 0.6 * (bmi - 25) + rng.normal(0, 11, count)).round(),
        "income": np.exp(10 + 0.3 * (sex == "b") + rng.normal(0, 0.5, count)).round(-1),
        "marital": np.where(age < 25, "b", words(rng, count, [11, 4, 3, 2])),
        "ill": np.where(ill, "yes", "no"),
        "children": np.minimum(rng.poisson(1.1, count), 6).astype(float),
    }


def numbers(rng: np.random.Generator, shape: np.random.Generator, count: int) -> Table:
    """Eight numbers with three causes."""
    load = shape.normal(size=(3, 8))
    made = rng.normal(size=(count, 3)) @ load + rng.normal(size=(count, 8))
    return {
        f"v{at}": (np.exp(0.4 * one) if at % 3 == 0 else one).round(2)
        for at, one in enumerate(made.T)
    }


def categories(rng: np.random.Generator, shape: np.random.Generator, count: int) -> Table:
    """Sixteen questions that hang together."""
    cuts, load = np.sort(shape.normal(0, 0.9, (16, 3)), axis=1), shape.normal(0, 0.8, (3, 16))
    made = rng.normal(size=(count, 3)) @ load + rng.normal(size=(count, 16))
    made /= np.sqrt(1 + (load**2).sum(axis=0))
    return {
        f"q{at}": np.array([*"abcd"])[np.searchsorted(cuts[at], one)]
        for at, one in enumerate(made.T)
    }


def steps(rng: np.random.Generator, shape: np.random.Generator, count: int) -> Table:
    """Integers with few values that go together."""
    cause, made = rng.normal(size=count), {}
    for at, (most, load) in enumerate(
        ((5, 0.8), (7, 0.6), (10, 0.7), (4, 0.3), (20, 0.5), (60, 0.4))
    ):
        one = load * cause + np.sqrt(1 - load**2) * rng.normal(size=count)
        made[f"i{at}"] = np.clip(np.round(most / 2 + most / 6 * one), 0, most).astype(float)
    return made


def places(rng: np.random.Generator, shape: np.random.Generator, count: int) -> Table:
    """People of five towns."""
    town = rng.integers(0, 5, count)
    where = shape.uniform(0, 2e4, (5, 2))[town] + rng.normal(0, 900, (count, 2))
    age = rng.integers(0, 95, count).astype(float)
    return {
        "x": where[:, 0].round() + 5e5,
        "y": where[:, 1].round() + 1.8e5,
        "age": age,
        "sex": words(rng, count, [1, 1]),
        "job": np.where(age < 16, "a", words(rng, count, [1, 2, 2, 1])),
        "ill": words(rng, count, [4, 1]),
        "income": np.exp(9 + 0.1 * town + rng.normal(0, 0.6, count)).round(-1),
    }


KINDS: dict[str, Callable[..., Table]] = {
    one.__name__: one for one in (mixed, numbers, categories, steps, places)
}


def draw(kind: str, count: int, seed: int) -> tuple[Table, Table, Table]:
    """Original, release and reference of other people each, of the same population."""
    rng = np.random.default_rng([seed, count, len(kind)])
    made = [KINDS[kind](rng, np.random.default_rng([seed, 1]), count) for _ in range(3)]
    return made[0], made[1], made[2]


def attacked(
    coding: Coding,
    original: Table,
    released: Table,
    reference: Table | None,
    place: Sequence[str],
    pairings: Sequence[Pairing] = (),
    whose: tuple[People | None, People | None] = (None, None),
) -> DisclosureRisk:
    """Measure a release and run all attacks on it; ``whose`` says whose the records of file and reference are."""
    before, after, others = _coded(coding, original, released, reference)
    digits = as_released(coding, original, released, reference)
    found = disclosure_risk(
        before,
        after,
        others,
        variants=digits,
        blocks=coding.blocks,
        places=coding.starts(place),
        people=people_measured(before, whose=whose[0]),
        whose=whose[0],
    )
    distances = found.of_all(found.measured.distance), found.of_all(found.reference.distance)
    return found.with_attacks(
        attack_release(
            coding,
            before,
            after,
            others,
            digits,
            distances,
            LIMIT,
            place=place,
            pairings=pairings,
            whose=whose,
        )
    )


def _coded(coding: Coding, *tables: Table | None) -> list:
    return [None if one is None else coding.encode(one)[0] for one in tables]


def by_row(before: np.ndarray, after: np.ndarray, others: np.ndarray | None) -> list[Pairing]:
    """Pair people with the records of their rows where there are as many, as *Disclosure risk* does."""
    if len(before) != len(after):
        return []
    rows = np.arange(len(before))
    if others is None:
        strangers = before[half_away(before)]
    else:
        strangers = others[: len(after)]
    title = Sentence("the row of the file in which a person stands")
    return [Pairing(title, rows, rows, [(strangers, rows[: len(strangers)])])]


def judged(
    original: Table,
    released: Table,
    reference: Table | None,
    whose: tuple[People | None, People | None] = (None, None),
):
    """Attack a release; return what was found and the verdict."""
    given = {"income": "positive", "x": "continuous", "y": "continuous"}
    given = {name: kind for name, kind in given.items() if name in original}
    coding = learn_coding(original, given)
    others = [one for one in (released, reference) if one is not None]
    coding = coding_of_all(coding, original, others, given, given)
    pairings = by_row(*_coded(coding, original, released, reference))
    place = ("x", "y") if "x" in original else ()
    found = attacked(coding, original, released, reference, place, pairings, whose)
    return found, judge(found.evidence, "whole_record", "which_record", LIMIT)


def one_row(original: Table, released: Table, rng: np.random.Generator) -> Table:
    """One person, released as she is among others."""
    at = int(rng.integers(len(next(iter(original.values())))))
    made = {name: values.copy() for name, values in released.items()}
    for name, values in original.items():
        made[name][0] = values[at]
    return made


def one_field(original: Table, released: Table, rng: np.random.Generator) -> Table:
    """Places, or the first third of the fields, and one field more are true; the others dealt out."""
    names = list(original)
    true = {*names[: 2 if "x" in original else -(-len(names) // 3)], names[-1]}
    order = rng.permutation(len(original[names[0]]))
    return {k: v[order if k in true else rng.permutation(len(order))] for k, v in original.items()}


def dealt_out(original: Table, released: Table, rng: np.random.Generator) -> Table:
    """Every field dealt out by itself: the values are true, the combinations are not."""
    return {name: rng.permutation(values) for name, values in original.items()}


def twice(original: Table, released: Table, rng: np.random.Generator) -> Table:
    """Everybody as she is, two times."""
    order = rng.permutation(np.repeat(np.arange(len(next(iter(original.values())))), 2))
    return {name: values[order] for name, values in original.items()}


LEAKS = (one_row, one_field, dealt_out, twice)


def main() -> None:
    """Judge honest files, and the same with leaks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=500)
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--first", type=int, default=0, help="seed of the first draw")
    parser.add_argument("--only", choices=KINDS, nargs="*", default=list(KINDS))
    parser.add_argument("--no-leaks", action="store_true")
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.draws)
    for kind in options.only:
        began, told = time.process_time(), Counter()
        for seed in seeds:
            _, verdict = judged(*draw(kind, options.records, seed))
            told[verdict.decision] += 1
        spent = (time.process_time() - began) / options.draws
        print(f"{kind:11s} honest     {dict(told)}, {spent:.2f} s each", flush=True)
        for leak in () if options.no_leaks else LEAKS:
            told, listed, named = Counter(), 0, 0
            few = list(seeds)[: max(options.draws // 5, 1)]
            for seed in few:
                original, released, reference = draw(kind, options.records, seed)
                released = leak(original, released, np.random.default_rng(seed))
                found, verdict = judged(original, released, reference)
                told[verdict.decision] += 1
                listed += bool(found.exposed.any.any() or len(found.attacks.in_part.rows))
                named += bool(found.attacks.extremes)
            said = f"listed in {listed}, extremes named in {named} of {len(few)}"
            print(f"{kind:11s} {leak.__name__:10s} {dict(told)}, {said}", flush=True)


if __name__ == "__main__":
    main()
