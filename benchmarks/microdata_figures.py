# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures of the page on microdata that no other benchmark prints.

    python benchmarks/microdata_figures.py [--only records classes chance maps masked gaps in_part towns
        categories codes visits] [--draws 4] [--first 0]

``records``: three records of each person, with noise, one of them verbatim, or swapped spectrally, judged
with PERSON_FIELD and without. ``classes``: whole school classes of other pupils, without a reference.
``chance``: how often an attack that tells few people a secret passes, by its binomials alone, with what
chance explains and without (1,000 times as many draws). ``maps``: honest maps of 1,000 homes, for which the
file's homes are the list. ``masked``: who is told to smoke by points that were moved, beside swapped fields.
``gaps``: values that no record has, of which one person has each. ``in_part``: how many of a few people
are listed whose values some records have. ``towns``: membership by the place alone, for releases with other
places. ``categories``: correlations of sixteen categories, the most probable or drawn. ``codes``: who is told by
which codes of long lists a release has at all. ``visits``: whose visits are told by the shares of classes, and
who lies beyond the largest number, swapped spectrally by records and by people.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import _figures_people as made_up
import _honest_registers as registers
import _slips_people as slips
import _survey
import _timing  # noqa: F401  (puts the checkout on the path)
import decoding
import honest_files
import numpy as np
import small_files
from honest_files import Table, judged

from geoanon_qgis.core.attacks.masks.common_move import common_move
from geoanon_qgis.core.attacks.masks.moved_in_parts import parts_moved
from geoanon_qgis.core.microdata.attacks.absent import absent
from geoanon_qgis.core.microdata.attacks.classes import by_classes
from geoanon_qgis.core.microdata.attacks.in_part import in_part
from geoanon_qgis.core.microdata.attacks.joined import joined
from geoanon_qgis.core.microdata.attacks.membership_by_place import by_place, homes_beside
from geoanon_qgis.core.microdata.attacks.presence import by_presence
from geoanon_qgis.core.microdata.attacks.scoring import INFERENCE, MEMBERSHIP, Attack, level_of
from geoanon_qgis.core.microdata.attacks.table import Tables
from geoanon_qgis.core.microdata.digits import as_released
from geoanon_qgis.core.microdata.learning import learn_coding
from geoanon_qgis.core.microdata.people import People
from geoanon_qgis.core.microdata.release import anonymize
from geoanon_qgis.core.microdata.variables import DRAW, MOST_PROBABLE
from geoanon_qgis.core.verdict import LIMIT

#: Attacks that are run on a file, about.
_ATTACKS = 40
#: What an attack wants that guesses who smokes.
_SMOKES = "smoker is"


def swapped(original: Table, seed: int, place: Sequence[str] | None = None) -> Table:
    """Release a table by spectral swapping."""
    made = anonymize(original, "spectral_swapping", np.random.default_rng(seed), place=place)
    return {name: np.asarray(values) for name, values in made.columns.items()}


def dealt_out(rng: np.random.Generator, table: Table, true: Iterable[str] = ()) -> Table:
    """Deal out each field by itself, but those that stay true together."""
    count = len(next(iter(table.values())))
    order = rng.permutation(count)
    return {
        name: values[order if name in true else rng.permutation(count)]
        for name, values in table.items()
    }


def tables_of(original: Table, released: Table, reference: Table) -> Tables:
    """The tables, coded."""
    place = slips.PLACE if "x" in original else ()
    coding = learn_coding(original, dict.fromkeys(place, "continuous"))
    own, after, others = (coding.encode(one)[0] for one in (original, released, reference))
    digits = as_released(coding, original, released, reference)
    return Tables(own, after, others, coding.variables, digits, place)


def span(values: Sequence[float]) -> str:
    """Least and largest of some shares."""
    return f"{100 * min(values):.1f} to {100 * max(values):.1f} %"


def decisions(told: Counter) -> str:
    """How many files end how."""
    return ", ".join(f"{name} {count}" for name, count in told.most_common())


# --- several records of a person, and pupils of a class ---------------------------------------


def noisy(rng: np.random.Generator, table: Table, of: np.ndarray) -> Table:
    """Noise of three tenths of a standard deviation on every number; categories are true."""
    order = rng.permutation(len(of))
    return {
        name: (values + rng.normal(0, 0.3 * values.std(), len(of))).round(1)[order]
        if values.dtype.kind == "f"
        else values[order]
        for name, values in table.items()
    }


def one_verbatim(rng: np.random.Generator, table: Table, of: np.ndarray) -> Table:
    """One record of each person as it is, the others dealt out."""
    own = np.isin(np.arange(len(of)), People.numbered(of).one_each(3))
    rest = dealt_out(rng, {name: values[~own] for name, values in table.items()})
    order = rng.permutation(len(of))
    return {name: np.append(table[name][own], rest[name])[order] for name in table}


def swapped_records(rng: np.random.Generator, table: Table, of: np.ndarray) -> Table:
    """Spectral swapping."""
    return swapped(table, int(rng.integers(10**6)))


def records(seeds: Sequence[int]) -> None:
    """Judge releases of three records of each person."""
    for release, people in ((noisy, 300), (one_verbatim, 300), (swapped_records, 500)):
        for named in (True, False):
            for beside in (True, False):
                told, found = _of_records(seeds, release, people, named, beside)
                print(
                    f"{release.__name__:16}{people} people"
                    f"{', PERSON_FIELD' if named else '':14}{', REFERENCE' if beside else '':11}:"
                    f" {decisions(told)}; membership finds {span(found)}",
                    flush=True,
                )


def _of_records(
    seeds: Sequence[int], release: Callable, people: int, named: bool, beside: bool
) -> tuple[Counter, list[float]]:
    told, found = Counter(), []
    for seed in seeds:
        rng = np.random.default_rng([seed, people])
        (table, of), (others, of_others) = (made_up.visits(rng, people) for _ in range(2))
        whose = (People(of), People(of_others) if beside else None) if named else (None, None)
        reference = others if beside else None
        risk, verdict = judged(table, release(rng, table, of), reference, whose)
        told[verdict.decision] += 1
        found.append(risk.attacks.figures(risk.attacks.of(MEMBERSHIP)[0])[0])
    return told, found


def classes(seeds: Sequence[int]) -> None:
    """Judge whole classes of other pupils without a reference."""
    for named in (False, True):
        told = Counter()
        for seed in seeds:
            rng = np.random.default_rng([seed, 2000])
            original, released, _ = registers.whole_classes(rng, 2000)
            whose = People(np.arange(len(original["sex"]))) if named else None
            told[judged(original, released, None, (whose, None))[1].decision] += 1
        print(f"2,000 pupils{', PERSON_FIELD' if named else '':14}: {decisions(told)}", flush=True)


# --- what chance explains ---------------------------------------------------------------------


def chance(seeds: Sequence[int]) -> None:
    """Print how often a leak passes that tells some people a secret as even as heads or tails."""
    rng = np.random.default_rng(seeds[0])
    draws = 1000 * len(seeds)
    for people in (500, 1000, 2000):
        for share in (0.1, 0.12, 0.15):
            right = rng.binomial(people, 0.5 + share, draws)
            lucky = rng.binomial(people, 0.5, draws)
            attacks = [
                Attack(INFERENCE, "", "", people, people, own, people, other, 0.5)
                for own, other in zip(right, lucky)
            ]
            passed = np.mean([_upper(one) <= LIMIT for one in attacks])
            before = np.mean([one.excess()[2] <= LIMIT for one in attacks])
            print(
                f"{people:5,} people, {share:.0%} told: {100 * passed:.1f} of 100 files pass,"
                f" {100 * before:.1f} by the attack's own upper end",
                flush=True,
            )


def _upper(one: Attack) -> float:
    """Upper end, or the limit where chance explains what is found."""
    high = one.excess()[2]
    return LIMIT if high > LIMIT and one.is_by_chance(LIMIT, _ATTACKS) else high


# --- places -----------------------------------------------------------------------------------


def maps(seeds: Sequence[int]) -> None:
    """Look for a common movement of honest maps: homes of other people of the same place."""
    told = 0
    for draw in made_up.MAPS:
        for seed in seeds:
            homes = np.random.default_rng([seed, 3]).permutation(draw(np.random.default_rng(seed)))
            listed, released = homes[:1000], homes[1000:2000]
            moved = common_move(released, listed), parts_moved(released, listed)
            told += any(one is not None for one in moved)
        print(f"{draw.__doc__.splitlines()[0]}", flush=True)
    print(f"maps that are told to be moved: {told} of {len(seeds) * len(made_up.MAPS)}")


def masked(seeds: Sequence[int]) -> None:
    """Tell who smokes by points that were moved, beside fields that were dealt out."""
    for kept in (("age", "smoker"), ()):
        for metres in (20, 60, 150):
            found, sure = [], 0
            for seed in seeds:
                rng = np.random.default_rng([seed, metres])
                original, reference = (small_files.in_towns(rng, 2000) for _ in range(2))
                released = dealt_out(rng, original, (*slips.PLACE, *kept))
                for one in slips.PLACE:
                    released[one] = released[one] + rng.normal(0, metres, 2000)
                attacks = joined(tables_of(original, released, reference))
                attacks = [one for one in attacks if _SMOKES in str(one.wants)]
                found.append(max((one.risk()[0] for one in attacks), default=0.0))
                sure += any(one.is_sure(LIMIT, level_of(_ATTACKS)) for one in attacks)
            named = " and ".join(kept) or "nothing"
            print(
                f"points moved by {metres} m, {named} true besides: of those who smoke"
                f" {span(found)} are told, surely too many in {sure} of {len(found)}",
                flush=True,
            )


def _in_cells(rng: np.random.Generator, xy: np.ndarray, fewest: int = 10) -> np.ndarray:
    """As many points in each cell of so many people or more, anywhere in its box."""
    if len(xy) < 2 * fewest:
        return rng.uniform(xy.min(axis=0), xy.max(axis=0), xy.shape)
    axis = int(np.argmax(np.ptp(xy, axis=0)))
    xy = xy[np.argsort(xy[:, axis], kind="stable")]
    gaps = np.diff(xy[:, axis])[fewest - 1 : len(xy) - fewest]
    at = fewest + int(np.argmax(gaps))
    return np.vstack([_in_cells(rng, part, fewest) for part in (xy[:at], xy[at:])])


def towns(seeds: Sequence[int]) -> None:
    """Name as members by the place alone, of releases with places of three kinds."""
    ways: dict[str, Callable[[np.random.Generator, Table, Table], Table]] = {
        "points in cells of ten people": lambda rng, own, others: slips.placed(
            others, _in_cells(rng, slips.places_of(own)).round()
        ),
        "swapped spectrally": lambda rng, own, others: swapped(
            own, int(rng.integers(10**6)), slips.PLACE
        ),
        "other people": lambda rng, own, others: others,
    }
    for name, way in ways.items():
        found, ends = [], []
        for seed in seeds:
            rng = np.random.default_rng([seed, 5])
            original, others, reference = slips.in_villages(rng, 2000)
            tables = tables_of(original, way(rng, original, others), reference)
            attacks = [one for one in by_place(homes_beside(tables), LIMIT) if not one.of_some]
            worst = max(attacks, key=lambda one: one.excess()[2]).excess()
            found.append(worst[0])
            ends.append(worst[2])
        print(f"{name}: {span(found)} of the homes are found, up to {100 * max(ends):.1f} %")


# --- what is not there, and what is there in part ---------------------------------------------


def without_single(original: Table) -> Table:
    """The originals, each value of a single person moved to the nearest value of several."""
    made = dict(original)
    for name, values in original.items():
        if values.dtype.kind not in "if":
            continue
        numbers = values.astype(float)
        each, count = np.unique(numbers[~np.isnan(numbers)], return_counts=True)
        several = each[count > 1]
        if len(several) < 2:
            continue
        at = np.clip(np.searchsorted(several, numbers), 1, len(several) - 1)
        low, high = several[at - 1], several[at]
        nearest = np.where(numbers - low <= high - numbers, low, high)
        made[name] = np.where(np.isnan(numbers), np.nan, nearest)
    return made


def gaps(seeds: Sequence[int]) -> None:
    """Print of which missing values one person has each."""
    for people in (162, 324, 500):
        found: dict[str, list[Attack]] = {}
        for seed in seeds:
            original, others, reference = (
                decoding.people(np.random.default_rng([seed, people, at]), people)
                for at in range(3)
            )
            for name, released in (
                ("single values moved", without_single(original)),
                ("swapped spectrally", swapped(original, seed)),
                ("other people", others),
            ):
                found.setdefault(name, []).extend(absent(tables_of(original, released, reference)))
        for name, attacks in found.items():
            tried, right, lucky = (
                sum(getattr(one, what) for one in attacks)
                for what in ("tried", "right", "control_right")
            )
            most = max(one.right / one.people for one in attacks)
            print(
                f"{people} people, {name}: {right / tried:.0%} of {tried} missing values are one"
                f" person's, of the control {lucky / tried:.0%}; {most:.1%} of the people at most",
                flush=True,
            )


def _kinds() -> Iterator[tuple[str, Callable[[np.random.Generator, int], Table]]]:
    yield "nine numbers, two categories", made_up.incomes
    yield "28 fields", lambda rng, count: _survey.survey(count, rng)
    yield "a health survey", lambda rng, n: honest_files.mixed(rng, np.random.default_rng(1), n)
    yield "ten fields of all kinds", decoding.people
    yield "eight categories, two numbers", made_up.answers


def planted(
    names: Sequence[str], rng: np.random.Generator, own: Table, others: Table, people: np.ndarray
) -> Table:
    """Other people's records, of which some have these people's values of some fields."""
    at = rng.permutation(len(others[names[0]]))[: len(people)]
    made = {name: values.copy() for name, values in others.items()}
    for name in names:
        made[name][at] = own[name][people]
    return made


def nearly_true(
    share: float, rng: np.random.Generator, own: Table, others: Table, people: np.ndarray
) -> Table:
    """The same with a share of the fields, other ones of each person, numbers changed by up to 2 %."""
    names, made = list(own), {name: values.copy() for name, values in others.items()}
    for person, record in zip(people, rng.permutation(len(others[names[0]]))):
        for name in rng.permutation(names)[: round(share * len(names))]:
            value = own[name][person]
            if own[name].dtype.kind == "f":
                value = value * rng.uniform(0.98, 1.02)
            made[name][record] = value
    return made


def of_part(seeds: Sequence[int], people: int, draw: Callable, release: Callable) -> str:
    """How many of so many of 2,000 are listed, and how many others are."""
    listed, wrong = [], 0
    for seed in seeds:
        rng = np.random.default_rng([seed, people])
        original, others, reference = (draw(rng, 2000) for _ in range(3))
        some = rng.permutation(2000)[:people]
        found = in_part(tables_of(original, release(rng, original, others, some), reference)).rows
        listed.append(int(np.isin(found, some).sum()))
        wrong += len(found) - listed[-1]
    return f"{sorted(listed)} of {people} are listed, of the others {wrong} in all"


def _at_places(rng: np.random.Generator, count: int) -> Table:
    return honest_files.places(rng, np.random.default_rng(1), count)


def in_part_of(seeds: Sequence[int]) -> None:
    """List people of whom a record of other people has some values."""
    for name, draw in _kinds():
        for share in (0.5, 0.7):
            said = of_part(seeds, 50, draw, partial(nearly_true, share))
            print(f"{name}, {share:.0%} of them nearly true: {said}", flush=True)
    for people, true in ((100, ("age", "income")), (5, ("age", "sex", "income"))):
        names = (*slips.PLACE, *true)
        said = of_part(seeds, people, _at_places, partial(planted, names))
        print(f"place, {', '.join(true)} true: {said}", flush=True)


def categories(seeds: Sequence[int]) -> None:
    """Hold correlations of sixteen categories against those of the originals."""
    found: dict[str, list[np.ndarray]] = {}
    for seed in seeds:
        original, others, _ = honest_files.draw("categories", 1000, seed)
        coding = learn_coding(original)
        before = decoding.correlations(coding, original)
        for name in (MOST_PROBABLE, DRAW):
            made = anonymize(
                original, "spectral_swapping", np.random.default_rng(seed), categories_as=name
            )
            off = np.abs(decoding.correlations(coding, made.columns) - before)
            found.setdefault(name, []).append(off)
        off = np.abs(decoding.correlations(coding, others) - before)
        found.setdefault("a fresh sample", []).append(off)
    for name, some in found.items():
        medians, largest = ([float(way(one)) for one in some] for way in (np.nanmedian, np.nanmax))
        print(
            f"{name}: median difference {np.mean(medians):.3f}, largest {max(largest):.2f}",
            flush=True,
        )


def codes(seeds: Sequence[int]) -> None:
    """Six lists of 300 codes of 600 people, few of them common."""
    often = np.arange(1, 301) ** -0.7
    lists = np.array([f"c{at}" for at in range(300)])
    told, wrong = [], []
    for seed in seeds:
        rng = np.random.default_rng([seed, 71])
        own, others = (
            {f"code{at}": rng.choice(lists, 600, p=often / often.sum()) for at in range(6)}
            for _ in range(2)
        )
        released = swapped(own, seed)
        tables = tables_of(own, released, others)
        told += by_presence(tables, tables.released)
        for name, values in own.items():
            wrong += [abs((values == one).sum() - (released[name] == one).sum()) for one in lists]
    print(
        f"all six codes are in some record of {span([one.success for one in told])} of the people and"
        f" {span([one.control for one in told])} of others; most records too many or few of a code: {max(wrong)}"
    )


def visits(seeds: Sequence[int]) -> None:
    """Some six visits of each of 250 people, eight numbers, the first of which is a person's in all of hers."""

    def drawn(rng: np.random.Generator, people: int) -> tuple[np.ndarray, np.ndarray]:
        whose = np.repeat(np.arange(people), np.clip(rng.poisson(6, people), 1, None))
        own = rng.normal(size=(people, 8))[whose]
        numbers = 0.9 * own + np.sqrt(0.19) * rng.normal(size=own.shape)
        numbers[:, 0] = own[:, 0]
        return whose, numbers.round(3)

    found: dict[str, list[tuple]] = {"by records": [], "by people": []}
    for seed in seeds:
        (whose, own), (of, others) = (
            drawn(np.random.default_rng([seed, 72, at]), people)
            for at, people in ((0, 250), (1, 4_000))
        )
        table, them = ({f"v{at}": one for at, one in enumerate(each.T)} for each in (own, others))
        for name, known in (("by records", None), ("by people", whose)):
            rng = np.random.default_rng(seed)
            released = anonymize(table, "spectral_swapping", rng, whose=known).columns
            tables = replace(
                tables_of(table, released, them),
                whose=People.numbered(whose),
                reference_whose=People.numbered(of),
            )
            told = by_classes(tables)
            beyond = {*whose[own[:, 0] >= released["v0"].max()].tolist()}
            found[name].append((max(one.success - one.control for one in told), len(beyond)))
    for name, some in found.items():
        beyond = f"{min(one[1] for one in some)} to {max(one[1] for one in some)}"
        print(
            f"{name}: {100 * np.mean([one[0] for one in some]):.1f} of 100 people beyond as many others are"
            f" named by classes, and {beyond} people have a number as large as the largest"
        )


CASES: dict[str, Callable[[Sequence[int]], None]] = {
    "records": records,
    "classes": classes,
    "chance": chance,
    "maps": maps,
    "masked": masked,
    "gaps": gaps,
    "in_part": in_part_of,
    "towns": towns,
    "categories": categories,
    "codes": codes,
    "visits": visits,
}


def main() -> None:
    """Draw and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=CASES, nargs="*", default=list(CASES))
    parser.add_argument("--draws", type=int, default=4)
    parser.add_argument("--first", type=int, default=0, help="seed of the first draw")
    given = parser.parse_args()
    for name in given.only:
        print(f"--- {name}, {given.draws} draws", flush=True)
        CASES[name](range(given.first, given.first + given.draws))


if __name__ == "__main__":
    main()
