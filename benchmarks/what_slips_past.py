# SPDX-License-Identifier: GPL-2.0-or-later
"""Releases of microdata that were made to pass the verdict, and honest ones that did not.

    python benchmarks/what_slips_past.py [--draws 6] [--people 1000] [--only NAME ...]

Each leak was found by somebody who read the attacks and looked for what they do not see; each honest
release holds nobody of the file. Printed are the decisions and, of leaks, the attack that surely
finds most. What still passes is printed, too. Other fields are those of other people throughout.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable

import _timing  # noqa: F401  (puts the checkout on the path)
import numpy as np
from honest_files import Table, draw, judged

from geoanon_qgis.core.microdata.release import anonymize

PLACE = ("x", "y")
Files = tuple[Table, Table, Table]


# --- people --------------------------------------------------------------------------------------


def _with_fields(rng: np.random.Generator, xy: np.ndarray) -> Table:
    count = len(xy)
    return {
        "x": xy[:, 0],
        "y": xy[:, 1],
        "age": rng.integers(0, 95, count).astype(float),
        "sex": rng.choice(["f", "m"], count),
        "job": rng.choice([*"abcd"], count, p=[1 / 6, 2 / 6, 2 / 6, 1 / 6]),
        "ill": rng.choice(["no", "yes"], count, p=[0.8, 0.2]),
        "income": np.exp(9 + rng.normal(0, 0.6, count)).round(-1),
    }


def in_villages(rng: np.random.Generator, count: int, farms: float = 0.3) -> Files:
    """Homes of one to four people in sixty villages and on farms, dealt out to three files."""
    homes = int(3.2 * count / 2.5)
    at = rng.uniform(0, 20_000, (60, 2))[rng.integers(0, 60, homes)]
    at += rng.normal(0, 150, at.shape)
    lonely = rng.random(homes) < farms
    at[lonely] = rng.uniform(0, 20_000, (lonely.sum(), 2))
    each, file = rng.integers(1, 5, homes), rng.integers(0, 3, homes)
    made = [np.repeat(at[file == one].round(), each[file == one], axis=0) for one in range(3)]
    return tuple(_with_fields(rng, xy) for xy in made)  # type: ignore[return-value]


def in_hamlets(rng: np.random.Generator, count: int) -> Files:
    """Sixty hamlets of each file, of which no other file has anybody."""
    made, towns = [], rng.uniform(0, 20_000, (8, 2))
    for _ in range(3):
        middle = towns[rng.integers(0, 8, 60)]
        middle = np.repeat(middle + rng.normal(0, 700, middle.shape), count // 60, axis=0)
        made.append(_with_fields(rng, (middle + rng.normal(0, 60, middle.shape)).round()))
    return tuple(made)  # type: ignore[return-value]


def _places(table: Table) -> np.ndarray:
    return np.stack([table[name] for name in PLACE], axis=1)


def _placed(table: Table, xy: np.ndarray) -> Table:
    """So many records of other people as there are places, with these."""
    count = min(len(xy), len(table["x"]))
    made = {name: values[:count] for name, values in table.items()}
    return {**made, **dict(zip(PLACE, xy[:count].T))}


# --- leaks ---------------------------------------------------------------------------------------


def turned(rng: np.random.Generator, count: int) -> Files:
    """The map of the file, turned by a secret angle."""
    original, others, reference = in_villages(rng, count)
    by = np.exp(1j * np.deg2rad(rng.uniform(20, 340)))
    xy = rng.permutation(_places(original))
    at = (xy - xy.mean(axis=0)) @ [1, 1j] * by
    moved = np.stack([at.real, at.imag], axis=1) + xy.mean(axis=0)
    return original, _placed(others, moved.round()), reference


def villages_shifted(rng: np.random.Generator, count: int) -> Files:
    """The map, cut into forty parts that were each moved by some 1.5 km."""
    from scipy.cluster.vq import kmeans2

    original, others, reference = in_villages(rng, count)
    xy = rng.permutation(_places(original))
    part = kmeans2(xy, 40, seed=1, minit="++")[1]
    return original, _placed(others, (xy + rng.normal(0, 1500, (40, 2))[part]).round()), reference


def _of_parts(rng: np.random.Generator, count: int, each: np.ndarray, spread: float) -> tuple:
    """Parts of so many homes, alike in three files, each moved by up to 3 km: files, middles, parts."""
    part = np.repeat(np.arange(len(each)), each)[:count]
    middle = rng.uniform(0, 30_000, (len(each), 2))
    files = [
        _with_fields(rng, (middle[part] + rng.normal(0, spread, (len(part), 2))).round())
        for _ in range(3)
    ]
    return files, middle[part], rng.uniform(-3000, 3000, (len(each), 2))[part], part


def villages_turned(rng: np.random.Generator, count: int) -> Files:
    """Villages of 25 homes, each turned by its own angle, every other reflected, and moved."""
    each = np.full(-(-count // 25), 25)
    (original, others, reference), middle, by, part = _of_parts(rng, count, each, 150.0)
    angle = rng.uniform(0, 2 * np.pi, len(each))[part]
    at = (_places(original) - middle) @ [1, 1j]
    at = np.where(part % 2 == 1, at.conj(), at) * np.exp(1j * angle)
    xy = np.stack([at.real, at.imag], axis=1) + middle + by
    return original, _placed(others, rng.permutation(xy.round())), reference


def hamlets_shifted(rng: np.random.Generator, count: int) -> Files:
    """Hamlets of four to eight homes, each moved by its own."""
    each = rng.integers(4, 9, count // 4)
    (original, others, reference), _, by, _ = _of_parts(rng, count, each, 80.0)
    return original, _placed(others, rng.permutation(_places(original) + by).round()), reference


def farms_near(rng: np.random.Generator, count: int, most: int = 10**6, off: float = 30.0) -> Files:
    """Farms with a released point beside each, among points of other people."""
    original, others, reference = in_villages(rng, count, 0.06)
    xy, homes = (
        _places(original),
        np.unique(np.vstack([*map(_places, (original, reference))]), axis=0),
    )
    away = np.sort(np.linalg.norm(xy[:, None] - homes[None], axis=2), axis=1)[:, 1]
    farms = np.unique(xy[np.argsort(away)[-int(0.06 * count) :]], axis=0)
    farms = rng.permutation(farms)[:most]
    moved = _places(others).copy()
    moved[rng.permutation(len(moved))[: len(farms)]] = farms + rng.normal(0, off, farms.shape)
    return original, _placed(others, moved.round()), reference


def few_farms(rng: np.random.Generator, count: int) -> Files:
    """The same of eight farms, within 10 m."""
    return farms_near(rng, count, 8, 10.0)


def ordered(rng: np.random.Generator, count: int) -> Files:
    """A true illness, all else swapped, in the order of the true income."""
    original, _, reference = draw("mixed", count, int(rng.integers(1, 10**6)))
    true = next(name for name, values in original.items() if len(np.unique(values)) == 2)
    made = anonymize(original, "spectral_swapping", rng).columns
    order = np.argsort(original["income"], kind="stable")
    released = {name: np.asarray(values)[rng.permutation(count)] for name, values in made.items()}
    return original, {**released, true: original[true][order]}, reference


def missing(rng: np.random.Generator, count: int) -> Files:
    """Which of 28 values a person lacks, beside anybody's values."""
    lacks = rng.random((3, count, 28)) < 0.1
    lacks[1] = rng.permutation(lacks[0])
    made = rng.normal(size=(3, count, 28)).round(3)
    made[lacks] = np.nan
    return tuple({f"v{at}": one[:, at] for at in range(28)} for one in made)  # type: ignore


def one_factor(rng: np.random.Generator, count: int) -> Files:
    """Amounts of a person, all times one secret number: their ratios are true."""
    base = rng.normal(9, 0.6, (3, count, 1)) + rng.normal(0, 0.3, (3, count, 4))
    ages = rng.integers(18, 95, (3, count)).astype(float)
    base[1] = rng.permutation(base[0]) + rng.normal(0, 0.5, (count, 1))
    return tuple(  # type: ignore[return-value]
        {"age": age, **{f"amount{at}": np.exp(one[:, at]).round(2) for at in range(4)}}
        for age, one in zip(ages, base)
    )


def _stays(rng: np.random.Generator, count: int) -> Table:
    """Days of patients: referred, admitted, discharged, and seen again."""
    admitted = 18_000 + rng.integers(0, 1096, count)
    discharged = admitted + 1 + rng.gamma(1.5, 6, count).astype(int)
    made = {
        "referred": admitted - 1 - rng.gamma(2, 15, count).astype(int),
        "admitted": admitted,
        "discharged": discharged,
        "seen": discharged + 30 + rng.gamma(2, 20, count).astype(int),
        "age": rng.integers(18, 95, count),
    }
    table: Table = {name: values.astype(float) for name, values in made.items()}
    return {
        **table,
        "sex": rng.choice(["f", "m"], count),
        "ill": rng.choice(["no", "yes"], count, p=[0.9, 0.1]),
    }


def dates_moved(rng: np.random.Generator, count: int, by: int = 91) -> Files:
    """Dates of a file, all moved by as many days, or each person's by her own; twenty are left out."""
    original, others, reference = (_stays(rng, count) for _ in range(3))
    who = rng.permutation(count)[:-20]
    days = by or rng.integers(-180, 180, len(who))
    moved = {name: original[name][who] + days for name in list(original)[:4]}
    return original, {**{name: one[: len(who)] for name, one in others.items()}, **moved}, reference


def dates_each(rng: np.random.Generator, count: int) -> Files:
    """Each person's dates moved by days of her own, as is done to dates of patients."""
    return dates_moved(rng, count, 0)


def blanks(rng: np.random.Generator, count: int) -> Files:
    """A third of the records true but for one value that is not released."""
    original, others, reference = draw("mixed", count, int(rng.integers(1, 10**6)))
    true, lacks = rng.permutation(count)[: count // 3], rng.integers(0, len(original), count // 3)
    released = {}
    for at, (name, values) in enumerate(original.items()):
        text = values.dtype.kind not in "fiu"
        own = values[true].astype(object if text else float)
        own[lacks == at] = None if text else np.nan
        rest = others[name][len(true) :]
        released[name] = np.concatenate([own, rest.astype(own.dtype)])
    return original, _in_any_order(rng, released), reference


def _in_any_order(rng: np.random.Generator, table: Table) -> Table:
    order = rng.permutation(len(next(iter(table.values()))))
    return {name: values[order] for name, values in table.items()}


def _in_order(rng: np.random.Generator, count: int, order, true: tuple[str, ...]) -> Files:
    """Other people's records but for some fields, which are true, in an order of the originals."""
    original, others, reference = draw("mixed", count, int(rng.integers(1, 10**6)))
    who = order(original)
    released = {name: one[: len(who)] for name, one in others.items()}
    return original, {**released, **{name: original[name][who] for name in true}}, reference


def few_lacking(rng: np.random.Generator, count: int) -> Files:
    """Sex, marital state and illness true, in the order of the file, twenty records left out."""
    kept = np.sort(rng.permutation(count)[:-20])
    return _in_order(rng, count, lambda table: kept, ("sex", "marital", "ill"))


def by_two(rng: np.random.Generator, count: int) -> Files:
    """A true illness and sex in the order of region and, in each, of income."""
    return _in_order(
        rng,
        count,
        lambda table: np.lexsort((table["income"], table["region"])),
        ("sex", "ill"),
    )


def off_by_one(rng: np.random.Generator, count: int) -> Files:
    """Sex, marital state and illness in the order of the file, whose first person stands at its end."""
    return _in_order(
        rng, count, lambda table: np.roll(np.arange(count), -1), ("sex", "marital", "ill")
    )


def by_region(rng: np.random.Generator, count: int) -> Files:
    """The same, sorted by region, and in each region as they stood."""
    return _in_order(
        rng,
        count,
        lambda table: np.argsort(table["region"], kind="stable"),
        ("sex", "marital", "ill"),
    )


def top_left_out(rng: np.random.Generator, count: int) -> Files:
    """The same in the order of incomes, of which the highest is left out."""
    return _in_order(
        rng,
        count,
        lambda table: np.argsort(table["income"], kind="stable")[:-1],
        ("sex", "marital", "ill"),
    )


def one_of_each(rng: np.random.Generator, count: int) -> Files:
    """Two dates moved by days of each person's own, and two amounts times her own factor."""
    made = []
    for _ in range(3):
        table = {
            name: one
            for name, one in _stays(rng, count).items()
            if name not in ("referred", "seen")
        }
        usual = rng.normal(6.5, 0.5, count)
        for name in ("rent", "food"):
            table[name] = np.exp(usual + rng.normal(0, 0.6, count)).round()
        made.append(table)
    original, released, reference = made
    who, days = rng.permutation(count), rng.integers(-180, 181, count)
    factor = np.exp(rng.normal(0, 0.3, count))
    for name in ("admitted", "discharged"):
        released[name] = original[name][who] + days
    for name in ("rent", "food"):
        released[name] = (original[name][who] * factor).round(1)
    return original, released, reference


def mixed_pairs(rng: np.random.Generator, count: int) -> Files:
    """Sums of two people, stretched so that variances and correlations stay."""
    load = rng.normal(size=(3, 8))
    made = rng.normal(size=(3, count, 3)) @ load + rng.normal(size=(3, count, 8))
    mean, order = made[0].mean(axis=0), rng.permutation(count)
    pairs = made[0] + made[0][np.roll(order, 1)][np.argsort(order)] - 2 * mean
    made[1] = rng.permutation(mean + pairs / np.sqrt(2))
    return tuple({f"v{at}": one[:, at].round(2) for at in range(8)} for one in made)  # type: ignore


def one_direction(rng: np.random.Generator, count: int) -> Files:
    """Places that were moved by some 1.5 km each along one direction: across it they are true."""
    original, others, reference = in_villages(rng, count)
    way = np.array([np.cos(np.pi / 6), np.sin(np.pi / 6)])
    xy = rng.permutation(_places(original))
    return original, _placed(others, xy + rng.normal(0, 1500, (len(xy), 1)) * way), reference


# --- honest --------------------------------------------------------------------------------------


def hamlets(rng: np.random.Generator, count: int) -> Files:
    """Files of which each has hamlets of its own, as cluster samples have."""
    return in_hamlets(rng, count)


def hamlets_swapped(rng: np.random.Generator, count: int) -> Files:
    """The same, the file's own records swapped spectrally."""
    original, _, reference = in_hamlets(rng, count)
    made = anonymize(original, "spectral_swapping", rng, place=PLACE).columns
    return original, {name: np.asarray(one) for name, one in made.items()}, reference


def villages_as_places(rng: np.random.Generator, count: int) -> Files:
    """Forty places in all."""
    middle, share = rng.uniform(0, 20_000, (40, 2)).round(), rng.gamma(1.0, 1.0, 40)
    homes = rng.choice(40, (3, count), p=share / share.sum())
    return tuple(_with_fields(rng, middle[one]) for one in homes)  # type: ignore[return-value]


def small_reference(rng: np.random.Generator, count: int) -> Files:
    """Six of ten people in the reference."""
    original, released, reference = draw("mixed", count, int(rng.integers(1, 10**6)))
    return original, released, {name: one[: 6 * count // 10] for name, one in reference.items()}


def large_release(rng: np.random.Generator, count: int) -> Files:
    """Three times as many records as people."""
    seed = int(rng.integers(1, 10**6))
    original, released, reference = draw("mixed", count, seed)
    more = [released, *draw("mixed", count, seed + 1)[1:]]
    together = {name: np.concatenate([one[name] for one in more]) for name in released}
    return original, together, reference


def schools(rng: np.random.Generator, count: int) -> Files:
    """25 pupils of each of the same schools in each file."""
    middle = rng.uniform(0, 20_000, (count // 25, 2)).round()
    made = [_with_fields(rng, rng.permutation(np.repeat(middle, 25, axis=0))) for _ in range(3)]
    return tuple(made)  # type: ignore[return-value]


def on_a_grid(rng: np.random.Generator, count: int) -> Files:
    """Whole households of a town, their places rounded to 100 m; the file's own records swapped."""
    homes = int(3.2 * count / 2.5)
    at = (rng.normal(0, 1500, (homes, 2)) / 100).round() * 100
    each, file = rng.integers(1, 5, homes), rng.integers(0, 3, homes)
    original, _, reference = (
        _with_fields(rng, np.repeat(at[file == one], each[file == one], axis=0)) for one in range(3)
    )
    kinds = dict.fromkeys(PLACE, "continuous")
    made = anonymize(original, "spectral_swapping", rng, kinds=kinds, place=PLACE).columns
    return original, {name: np.asarray(one) for name, one in made.items()}, reference


def daily(rng: np.random.Generator, count: int) -> Files:
    """Three patients come every day, and every file is in the order of days."""
    day = np.repeat(np.arange(-(-count // 3)), 3)[:count]
    made = []
    for _ in range(3):
        table = {
            name: one for name, one in _stays(rng, count).items() if name in ("age", "sex", "ill")
        }
        made.append({"day": 18_000.0 + day, "weekday": np.array([*"abcdefg"])[day % 7], **table})
    return tuple(made)  # type: ignore[return-value]


def _of_numbers(rng: np.random.Generator, count: int, lacking: np.ndarray) -> Files:
    """Ten numbers that go together, age and sex; where they lack."""
    made = []
    for lacks in lacking:
        common = rng.normal(size=(count, 1))
        numbers = (50 + 5 * common + 10 * rng.normal(size=(count, 10))).round(1)
        numbers[lacks] = np.nan
        table = {f"v{at}": one for at, one in enumerate(numbers.T)}
        age, sex = rng.integers(18, 90, count).astype(float), rng.choice(["f", "m"], count)
        made.append({**table, "age": age, "sex": sex.astype(object)})
    return tuple(made)  # type: ignore[return-value]


def rare_blanks(rng: np.random.Generator, count: int) -> Files:
    """One in a thousand lacks each of ten numbers."""
    return _of_numbers(rng, count, rng.random((3, count, 10)) < 0.001)


def few_asked(rng: np.random.Generator, count: int) -> Files:
    """A section of six numbers that one in a hundred were not asked."""
    lacking = np.zeros((3, count, 10), dtype=bool)
    lacking[:, :, :6] = (rng.random((3, count)) < 0.01)[:, :, None]
    return _of_numbers(rng, count, lacking)


LEAKS: tuple[Callable[[np.random.Generator, int], Files], ...] = (
    turned,
    farms_near,
    ordered,
    missing,
    blanks,
    dates_moved,
    dates_each,
    few_lacking,
    by_two,
    off_by_one,
    by_region,
    top_left_out,
    one_of_each,
    villages_shifted,
    villages_turned,
    hamlets_shifted,
    few_farms,
    one_factor,
    mixed_pairs,
    one_direction,
)
HONEST = (
    hamlets,
    hamlets_swapped,
    villages_as_places,
    small_reference,
    large_release,
    schools,
    on_a_grid,
    daily,
    rare_blanks,
    few_asked,
)


def main() -> None:
    """Draw, judge and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=6)
    parser.add_argument("--people", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", nargs="*", default=[])
    given = parser.parse_args()
    for title, kinds in (("leaks", LEAKS), ("honest", HONEST)):
        for kind in kinds:
            if given.only and kind.__name__ not in given.only:
                continue
            decisions: Counter[str] = Counter()
            by: Counter[str] = Counter()
            for seed in range(given.first, given.first + given.draws):
                rng = np.random.default_rng([seed, len(kind.__name__), given.people])
                found, verdict = judged(*kind(rng, given.people))
                decisions[verdict.decision] += 1
                sure = [one for one in found.attacks.attacks if found.attacks.beyond(one)]
                if sure:
                    by[str(max(sure, key=lambda one: one.surely(2.0)).knows)] += 1
            told = ", ".join(f"{name} {count}" for name, count in decisions.most_common())
            print(f"{title:7}{kind.__name__:20}{told}", flush=True)
            for what, count in by.most_common(2):
                print(f"{'':27}{count} by {what}", flush=True)


if __name__ == "__main__":
    main()
