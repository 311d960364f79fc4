# SPDX-License-Identifier: GPL-2.0-or-later
"""Honest files in which rows have an order, fields follow from others, or categories are many.

Original, release and reference hold people of their own of one register, in the register's order.
"""

from __future__ import annotations

import numpy as np
from _slips_people import Files
from honest_files import Table

#: Files that a register is dealt out to: original, release and reference.
_FILES = 3


def _age_and_sex(rng: np.random.Generator, count: int) -> Table:
    return {
        "age": rng.integers(18, 95, count).astype(float),
        "sex": rng.choice(["f", "m"], count),
    }


def _size(register: Table) -> int:
    return len(next(iter(register.values())))


def _rows(table: Table, rows: np.ndarray | slice) -> Table:
    return {name: values[rows] for name, values in table.items()}


def _dealt_out(rng: np.random.Generator, register: Table, count: int) -> Files:
    """So many people for each file, by chance."""
    order = rng.permutation(_size(register))
    parts = [np.sort(order[at * count : (at + 1) * count]) for at in range(_FILES)]
    return tuple(_rows(register, part) for part in parts)  # type: ignore[return-value]


def _whole_groups(
    rng: np.random.Generator, register: Table, group: np.ndarray, count: int
) -> Files:
    """Whole groups for each file, by chance, but for the last."""
    file = rng.integers(0, _FILES, group.max() + 1)[group]
    parts = [np.flatnonzero(file == one)[:count] for one in range(_FILES)]
    return tuple(_rows(register, part) for part in parts)  # type: ignore[return-value]


def queue(rng: np.random.Generator, count: int) -> Files:
    """Patients of an emergency room as they come; they wait for those who are before them."""
    people = _FILES * count
    gap = rng.exponential(14, people)
    minute = np.cumsum(gap)
    hour = minute / 60 % 24
    treated = rng.poisson(gap / 14 * (1 + 0.3 * np.sin(2 * np.pi * hour / 24)))
    before = np.zeros(people)
    for at in range(1, people):
        before[at] = max(0, before[at - 1] + 1 - treated[at])
    urgency = rng.choice(5, people, p=[0.02, 0.13, 0.4, 0.35, 0.1]) + 1
    wait = (5 + 8 * before * urgency / 3 + rng.gamma(2, 6, people)).round()
    register = {
        "day": 18_000 + minute // 1440,
        "hour": np.floor(hour),
        "urgency": np.array([*"12345"])[urgency - 1],
        "wait": wait,
        "stay": (wait + rng.gamma(2, 60, people)).round(),
        **_age_and_sex(rng, people),
        "pulse": rng.normal(85 - 4 * urgency, 14, people).round(),
        "admitted": np.where(rng.random(people) < 0.45 - 0.08 * urgency, "yes", "no"),
        "nurse": np.array([*"abcdefgh"])[(minute // 480).astype(int) % 8],
    }
    return _dealt_out(rng, register, count)


def waves(rng: np.random.Generator, count: int) -> Files:
    """Infections that come in waves, reported on weekdays, by date and laboratory."""
    people = _FILES * count
    day = np.sort(rng.gamma(5, 25, people).astype(int))
    day -= np.maximum(day % 7 - 4, 0)
    newer = np.clip(day / 200 + 0.2 * np.sin(day / 4), 0, 1)
    laboratory = rng.choice([*"abcdef"], people)
    register = {
        "date": 18_000.0 + day,
        "laboratory": laboratory,
        "onset": 18_000 + day - rng.gamma(2, 2, people).round(),
        "strain": np.where(rng.random(people) < newer, "new", "old"),
        "cycles": (24 + 4 * np.sin(day / 3) + rng.normal(0, 4, people)).round(1),
        **_age_and_sex(rng, people),
        "hospital": np.where(rng.random(people) < 0.1, "yes", "no"),
        "doses": rng.integers(0, 4, people).astype(float),
    }
    register = _rows(register, np.lexsort((laboratory, day)))
    return _dealt_out(rng, register, count)


def _pupils(rng: np.random.Generator, count: int) -> tuple[Table, np.ndarray]:
    """Pupils by school and class, and which class is theirs."""
    sizes = rng.integers(20, 29, _FILES * count // 24 + 3)
    group = np.repeat(np.arange(len(sizes)), sizes)
    pupils, teacher = len(group), rng.normal(0, 6, len(sizes))[group]
    register = {
        "school": np.array([f"s{one:03d}" for one in group // 4]),
        "grade": 5.0 + group % 4,
        "size": sizes[group].astype(float),
        "sex": rng.choice(["f", "m"], pupils),
        "month": rng.integers(1, 13, pupils).astype(float),
        "numbers": (50 + teacher + rng.normal(0, 9, pupils)).round(),
        "reading": (50 + 0.7 * teacher + rng.normal(0, 9, pupils)).round(),
        "books": rng.choice([5.0, 20, 60, 150, 300], pupils),
        "language": rng.choice([*"abcde"], pupils, p=[0.7, 0.12, 0.08, 0.07, 0.03]),
        "lunch": rng.choice(["no", "yes"], pupils, p=[0.75, 0.25]),
    }
    return register, group


def classes(rng: np.random.Generator, count: int) -> Files:
    """Pupils in the order of schools and classes, each class in all files."""
    return _dealt_out(rng, _pupils(rng, count)[0], count)


def whole_classes(rng: np.random.Generator, count: int) -> Files:
    """The same, each file with whole classes of its own."""
    return _whole_groups(rng, *_pupils(rng, count), count)


def plates(rng: np.random.Generator, count: int) -> Files:
    """Samples of a laboratory by plates of 96 wells; what is measured depends on the well."""
    of_well, of_column = rng.normal(0, 3, 96), np.linspace(-4, 4, 96)
    plate, well = np.divmod(np.arange(count), 96)
    made = []
    for _ in range(_FILES):
        of_plate = rng.normal(0, 3, plate.max() + 1)[plate]
        second = 80 + 0.8 * of_well[well] + of_column[well]
        table = {
            "row": np.array([*"ABCDEFGH"])[well // 12],
            "column": well % 12 + 1.0,
            "kind": np.where(well % 12 == 0, "control", "case"),
            "first": (100 + of_well[well] + of_plate + rng.normal(0, 4, count)).round(1),
            "second": (second + rng.normal(0, 4, count)).round(1),
            "ratio": rng.normal(1, 0.1, count).round(3),
            **_age_and_sex(rng, count),
            "site": rng.choice([*"abc"], count),
        }
        made.append(table)
    return tuple(made)  # type: ignore[return-value]


def fewer_plates(rng: np.random.Generator, count: int) -> Files:
    """The same, 25 samples less in the reference."""
    original, released, reference = plates(rng, count)
    return original, released, _rows(reference, slice(None, -25))


def plates_alone(rng: np.random.Generator, count: int) -> tuple[Table, Table, None]:
    """The same without a reference."""
    return (*plates(rng, count)[:2], None)


def flats(rng: np.random.Generator, count: int) -> Files:
    """Ten flats of each house, which share five fields; each file with whole houses of its own."""
    houses = _FILES * count // 10 + 20
    of = np.repeat(np.arange(houses), 10)
    area = (30 + rng.gamma(4, 12, len(of))).round()
    rate = rng.normal(9, 2, houses).round(2)[of]
    register = {
        "year": rng.integers(1890, 2020, houses)[of].astype(float),
        "floors": rng.integers(2, 9, houses)[of].astype(float),
        "heating": rng.choice(["gas", "oil", "heat", "wood"], houses, p=[0.5, 0.15, 0.25, 0.1])[of],
        "energy": rng.normal(120, 40, houses).round()[of],
        "rate": rate,
        "area": area,
        "rooms": rng.integers(1, 6, len(of)).astype(float),
        "floor": rng.integers(0, 6, len(of)).astype(float),
        "vacant": rng.choice(["no", "yes"], len(of), p=[0.95, 0.05]),
        "rent": (rate * area).round(),
    }
    return _whole_groups(rng, register, of, count)


def flats_alone(rng: np.random.Generator, count: int) -> tuple[Table, Table, None]:
    """The same without a reference."""
    return (*flats(rng, count)[:2], None)


def couples(rng: np.random.Generator, count: int) -> Files:
    """Households in their order: husband, wife, and children by age."""
    homes = int(_FILES * count / 2.3)
    children = rng.choice([0, 0, 1, 2, 3], homes)
    home = np.repeat(np.arange(homes), 2 + children)
    people = len(home)
    nth = np.arange(people) - np.searchsorted(home, home)
    adult, husband = nth < 2, rng.integers(22, 85, homes)[home]
    of_wives = husband - rng.integers(-2, 6, homes)[home]
    of_children = np.maximum(0, husband - 25 - 3 * (nth - 2))
    age = np.select([nth == 0, nth == 1], [husband, of_wives], of_children)
    income = np.exp(rng.normal(7.8, 0.5, homes)).round(-1)
    works = (age > 18) & (age < 66) & (rng.random(people) < 0.7)
    register = {
        "nth": nth + 1.0,
        "sex": np.where(adult, np.array(["m", "f"])[nth % 2], rng.choice(["f", "m"], people)),
        "age": age.astype(float),
        "income": income[home],
        "works": np.where(works, "yes", "no"),
        "school": rng.choice([*"abcd"], people),
        "visits": rng.poisson(3, people).astype(float),
        "bmi": rng.normal(26, 4, people).round(1),
    }
    return _whole_groups(rng, register, home, count)


def pensions(rng: np.random.Generator, count: int) -> Files:
    """Pensioners; five amounts follow from their points."""
    people = _FILES * count
    born = rng.integers(1925, 1962, people)
    retired = born + rng.choice([60, 63, 65, 66], people)
    entered = born + rng.integers(15, 28, people)
    years = retired - entered - rng.integers(0, 15, people)
    points = (years * rng.gamma(8, 1 / 8, people)).round(4)
    month = (37.6 * points).round(2)
    insurance = (0.073 * month).round(2)
    register = {
        "born": born.astype(float),
        "retired": retired.astype(float),
        "entered": entered.astype(float),
        "years": years.astype(float),
        "points": points,
        "pension": month,
        "year": (12 * month).round(2),
        "insurance": insurance,
        "net": (month - insurance).round(2),
        "sex": rng.choice(["f", "m"], people),
        "kind": rng.choice(["old", "ill", "widow"], people, p=[0.7, 0.15, 0.15]),
        "land": rng.choice([f"{one:02d}" for one in range(1, 17)], people),
    }
    return _dealt_out(rng, register, count)


def _zipf(rng: np.random.Generator, several: int, people: int, power: float = 1.0) -> np.ndarray:
    """One of several for each, the first ones most often."""
    share = 1 / np.arange(1, several + 1) ** power
    return rng.choice(several, people, p=share / share.sum())


def discharges(rng: np.random.Generator, count: int) -> Files:
    """Patients of a hospital; chapter, weight and bill follow from the code of the disease."""
    people = _FILES * count
    code = _zipf(rng, 120, people, 1.1)
    chapter = np.array([*"ACEFGHIJKM"])[code % 10]
    weight = np.exp(rng.normal(0, 0.5, 120)).round(3)[code]
    days = (1 + rng.gamma(1.5, 3 * weight, people)).round()
    register = {
        "code": np.array([f"{a}{b // 10:02d}.{b % 10}" for a, b in zip(chapter, code)]),
        "chapter": chapter,
        "weight": weight,
        "bill": (3671.5 * weight).round(2),
        "days": days,
        "a_day": (3671.5 * weight / days).round(2),
        **_age_and_sex(rng, people),
        "urgent": rng.choice(["no", "yes"], people),
        "transferred": rng.choice(["no", "yes"], people, p=[0.95, 0.05]),
    }
    return _dealt_out(rng, register, count)


def plain_discharges(rng: np.random.Generator, count: int) -> Files:
    """The same without what follows from the code."""
    follows = ("chapter", "weight", "bill", "a_day")
    return tuple(  # type: ignore[return-value]
        {name: values for name, values in table.items() if name not in follows}
        for table in discharges(rng, count)
    )


def many_categories(rng: np.random.Generator, count: int) -> Files:
    """Seven fields of 12 to 300 categories."""
    people = _FILES * count
    fields = {
        "commune": (150, 1.0),
        "job": (200, 1.1),
        "born": (90, 1.8),
        "disease": (300, 1.3),
        "drug": (120, 1.2),
        "language": (30, 2.0),
        "faith": (12, 1.5),
    }
    register = _age_and_sex(rng, people)
    for name, (several, power) in fields.items():
        names = np.array([f"v{one:03d}" for one in range(several)])
        register[name] = names[_zipf(rng, several, people, power)]
    return _dealt_out(rng, register, count)


def answers(rng: np.random.Generator, count: int) -> Files:
    """Twenty answers from 1 to 5; one in eight people gave the same twenty times."""
    people = _FILES * count
    load = rng.normal(0, 0.8, (3, 20))
    given = 3 + rng.normal(size=(people, 3)) @ load + rng.normal(0, 0.8, (people, 20))
    given = np.clip(given.round(), 1, 5)
    alike = rng.random(people) < 0.12
    given[alike] = rng.integers(1, 6, alike.sum())[:, None]
    given[rng.random((people, 20)) < 0.03] = np.nan
    register = {
        **{f"q{at:02d}": one for at, one in enumerate(given.T)},
        **_age_and_sex(rng, people),
        "year": rng.integers(2015, 2024, people).astype(float),
    }
    return _dealt_out(rng, register, count)
