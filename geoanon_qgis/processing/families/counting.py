# SPDX-License-Identifier: GPL-2.0-or-later
"""Records are counted into classes here, in one pass over their table."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.aggregation.bins import bin_edges, binned
from ...core.aggregation.categories import MANY_CATEGORIES, Encoder, region_encoder, warnings_about
from ...core.aggregation.equivalence_classes import ClassCounter, EquivalenceClasses
from ...core.columns import Column, coded
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, interruptible, silent, weighted
from ...core.values import NULL_TEXT, TEXT
from ..i18n import number_of, tr
from ..layers.records import Records
from ..layers.regions import Regions
from ..layers.values import text_of

#: Different unknown ids that are kept to be listed.
_LISTED = 1_000
_NAMED = 5


@dataclass(frozen=True)
class QuasiIdentifier:
    """One of them as it was found.

    Attributes
    ----------
    name : str
    categories : tuple
        Values by code; None for NULL, labels for groups of numbers.
    count : int
        Response categories for MaxCombs: declared, or observed.
    origin : str
        ``declared``, ``observed`` or ``grouped``.
    nulls : int
    kind : str
        ``long``, ``double`` or ``string``: how it is released.
    """

    name: str
    categories: tuple
    count: int
    origin: str
    nulls: int
    kind: str


@dataclass(frozen=True)
class Counted:
    """Records counted into classes.

    Attributes
    ----------
    classes : EquivalenceClasses
    qis : tuple of QuasiIdentifier
    unknown : dict of str to int
        Records of each id that no region has; the first thousand ids.
    attributes : dict of str to (array, tuple, str)
        Codes in the order of the records, values by code, and kind of further fields.
    sentences, warnings : list of str
    """

    classes: EquivalenceClasses
    qis: tuple[QuasiIdentifier, ...]
    unknown: dict[str, int]
    attributes: dict[str, tuple[np.ndarray, tuple, str]]
    sentences: list[str]
    warnings: list[str]

    def released(self, record: np.ndarray) -> list[tuple[str, str, Column]]:
        """Name, kind and column of the quasi-identifiers and further fields of some records."""
        of_class = self.classes.record_class[record]
        columns = [
            (qi.name, qi.kind, coded(of_class, [qi.categories[code] for code in codes.tolist()]))
            for qi, codes in zip(self.qis, self.classes.codes.T)
        ]
        columns += [
            (name, kind, coded(codes[record], values))
            for name, (codes, values, kind) in self.attributes.items()
        ]
        return columns


@dataclass(frozen=True)
class Wish:
    """What is to be counted, and how.

    Attributes
    ----------
    record_region : str
        Field of the records with the region's id.
    qis : sequence of str
    attributes : sequence of str
        Further fields to keep for a release.
    categories, groups : mapping
        See :mod:`.categories`.
    nulls : bool
        Whether NULL makes a category of its own; refused otherwise.
    leave_out : bool
        Whether records of unknown regions are left out; refused otherwise.
    person : str or None
        Field with the person's id, where people have several records.
    """

    record_region: str
    qis: Sequence[str]
    attributes: Sequence[str] = ()
    categories: Mapping[str, Any] | None = None
    groups: Mapping[str, Any] | None = None
    nulls: bool = True
    leave_out: bool = False
    person: str | None = None


def count(records: Records, regions: Regions, wish: Wish, progress: Progress = silent) -> Counted:
    """Count records into classes.

    Raises
    ------
    InputError
        For everything in the records that was not to be accepted.
    """
    persons = [] if wish.person is None else [wish.person]
    names = [wish.record_region, *wish.qis, *wish.attributes, *persons]
    records.require(names)
    _check(wish)
    # Some steps take half a second where there are tens of millions of records.
    of_limits, of_records, of_classes = weighted(progress, 25 if wish.groups else 0, 80, 20)
    limits = _limits(records, wish, of_limits)
    encoders = [_encoder(name, records.kinds[name], wish, limits) for name in wish.qis]
    others = [Encoder(f"“{name}”") for name in wish.attributes]
    kept: list[list[np.ndarray]] = [[] for _ in others]
    ids = _comparable(regions.ids)
    of_region = region_encoder(ids, f"“{regions.id_field.name()}”")
    as_bytes = False
    counter = ClassCounter(len(regions), len(encoders))
    unknown: Counter[str] = Counter()
    of_person = Encoder(f"“{wish.person}”")
    for batch in records.batches(names, of_records):
        # Some formats know whole ids as decimals only.
        column = batch[wish.record_region].narrowed()
        if column.values.dtype.kind == "S" and ids.dtype.kind == "U" and not as_bytes:
            # Once for the ids, not for each batch.
            of_region, as_bytes = Encoder("", np.char.encode(ids, "utf-8"), unknown=True), True
        elif column.values.dtype.kind == "f" and ids.dtype.kind == "U":
            texts = np.array(column.texts(NULL_TEXT), dtype=str)
            column = Column(column.name, TEXT, texts, column.missing)
        region = of_region.codes(column)
        missing = np.flatnonzero(region < 0)
        if len(missing):
            _note(unknown, column[missing])
        codes = []
        for name, encoder in zip(wish.qis, encoders):
            column = batch[name]
            if name in limits:
                codes.append(encoder.encode(_grouped(name, column, limits[name])))
            else:
                codes.append(encoder.codes(column))
        whose = [of_person.codes(batch[name]) for name in persons]
        counter.add(region, codes, *whose)
        for name, encoder, pieces in zip(wish.attributes, others, kept):
            pieces.append(encoder.codes(batch[name]))
    if unknown and not wish.leave_out:
        raise InputError(
            tr(
                "{count} of regions that are not in the layer: {ids}. Check that the two fields "
                "with the region's id belong together, or choose to leave such records out."
            ).format(count=_records(sum(unknown.values())), ids=listed(unknown))
        )
    qis = tuple(
        _described(name, encoder, records.kinds[name], wish, limits)
        for name, encoder in zip(wish.qis, encoders)
    )
    classes = interruptible(lambda: counter.finish([qi.count for qi in qis]), of_classes)
    attributes = {
        name: (np.concatenate(pieces), encoder.categories, records.kinds[name])
        for name, encoder, pieces in zip(wish.attributes, others, kept)
    }
    said, warned = _told(classes, qis, unknown)
    if wish.person is not None:
        people_said, people_warned = _people(classes, of_person)
        said, warned = said + people_said, warned + people_warned
    return Counted(classes, qis, dict(unknown), attributes, said, warned)


def _records(count: int) -> str:
    return number_of(count, "record", "records")


def listed(unknown: Mapping[str, int]) -> str:
    """A few ids with their records, in words."""
    some = ", ".join(f"{name} ({number:,})" for name, number in list(unknown.items())[:_NAMED])
    return tr("{some} and more").format(some=some) if len(unknown) > _NAMED else some


def _check(wish: Wish) -> None:
    for what, given in (
        (tr("Categories are declared"), wish.categories),
        (tr("Groups are given"), wish.groups),
    ):
        strangers = [name for name in given or () if name not in wish.qis]
        if strangers:
            raise InputError(
                tr("{what} for {names}, which is no quasi-identifier here.").format(
                    what=what, names=", ".join(f"“{name}”" for name in strangers)
                )
            )
    both = [name for name in wish.groups or () if name in (wish.categories or {})]
    if both:
        raise InputError(
            tr(
                "“{name}” is grouped: its groups are its categories, so none can be declared."
            ).format(name=both[0])
        )


def _comparable(ids: Column) -> np.ndarray:
    """Ids of regions as an array: whole numbers, or text."""
    found = ids.narrowed().countable()
    return np.array(ids.texts(), dtype=str) if found.dtype.kind == "f" else found


def _encoder(name: str, kind: str, wish: Wish, limits: Mapping[str, np.ndarray]) -> Encoder:
    said = f"“{name}”"  # opens the sentences about it
    if name in limits:
        return Encoder(said, np.arange(len(limits[name]) - 1, dtype=np.float64), wish.nulls)
    declared = (wish.categories or {}).get(name)
    if not isinstance(declared, list):
        return Encoder(said, nulls=wish.nulls)
    if kind == "string":
        return Encoder(said, [str(one) for one in declared], wish.nulls)
    try:
        numbers = np.array([float(one) for one in declared])
    except ValueError as error:
        raise InputError(
            tr("“{name}” holds numbers, but the declared categories are text.").format(name=name)
        ) from error
    whole = kind == "long" and (numbers == np.rint(numbers)).all()
    if whole:  # not by way of floats, which do not hold every whole number
        numbers = np.array([_whole_number(one) for one in declared], dtype=np.int64)
    return Encoder(said, numbers, wish.nulls)


def _whole_number(written: Any) -> int:
    try:
        return int(written)
    except ValueError:  # "7.0"
        return int(float(written))


def _limits(records: Records, wish: Wish, progress: Progress) -> dict[str, np.ndarray]:
    """Limits of the groups; those of groups of equal size take a look at all values."""
    groups = wish.groups or {}
    limits = {
        name: np.array(value, dtype=np.float64)
        for name, value in groups.items()
        if isinstance(value, list)
    }
    wanted = [name for name in groups if name not in limits]
    pieces: dict[str, list[np.ndarray]] = {name: [] for name in wanted}
    for batch in records.batches(wanted, progress) if wanted else ():
        for name in wanted:
            pieces[name].append(_numbers(name, batch[name]))
    for name in wanted:
        values = np.concatenate(pieces.pop(name)) if pieces[name] else np.empty(0)
        limits[name] = bin_edges(values, groups[name])
    return limits


def _numbers(name: str, column) -> np.ndarray:
    try:
        return column.numbers()
    except ValueError as error:
        raise InputError(
            tr("“{name}” holds text, which cannot be grouped like numbers.").format(name=name)
        ) from error


def _grouped(name: str, column, limits: np.ndarray) -> np.ndarray:
    try:
        return binned(_numbers(name, column), limits)
    except InputError as error:
        raise InputError("“{name}”: {error}", name=name, error=error.sentence) from error


def _note(unknown: Counter, ids: list) -> None:
    for one in ids:
        text = tr("NULL") if one is None else text_of(one)
        if text in unknown or len(unknown) < _LISTED:
            unknown[text] += 1
        else:
            unknown[tr("others")] += 1


def _described(name, encoder: Encoder, kind: str, wish: Wish, limits) -> QuasiIdentifier:
    categories, nulls = encoder.categories, encoder.null_count
    declared = (wish.categories or {}).get(name)
    if name in limits:
        edges = limits[name]
        labels = tuple(None if value is None else _label(edges, int(value)) for value in categories)
        return QuasiIdentifier(name, labels, len(labels), "grouped", nulls, "string")
    count = len(categories)
    if isinstance(declared, int):
        wanted = declared + (encoder.null_code is not None)
        if wanted < count:
            raise InputError(
                tr("“{name}” has {categories}, more than the {declared} that are declared.").format(
                    name=name,
                    categories=number_of(count, "category", "categories"),
                    declared=declared,
                )
            )
        count = wanted
    origin = "observed" if declared is None else "declared"
    return QuasiIdentifier(name, categories, count, origin, nulls, kind)


def _label(edges: np.ndarray, at: int) -> str:
    low, high = edges[at], edges[at + 1]
    if np.isneginf(low):
        template = tr("all") if np.isposinf(high) else tr("under {high}")
    elif np.isposinf(high):
        template = tr("{low} and more")
    else:
        last = at == len(edges) - 2
        template = tr("{low} to {high}") if last else tr("{low} to under {high}")
    return template.format(low=f"{low:.10g}", high=f"{high:.10g}")


def _people(classes: EquivalenceClasses, of_person: Encoder) -> tuple[list[str], list[str]]:
    """What is to be said where people are counted instead of records."""
    count = len(of_person.categories)
    rows = len(classes.record_region)
    said = [
        tr(
            "{records} of {people}. Who has several in a class counts once in it: “records” are "
            "people in what follows, but for the released rows."
        ).format(records=_records(rows), people=number_of(count, "person", "people"))
    ]
    if not of_person.null_count:
        return said, []
    return said, [
        tr("{count} without a person's id: all of them count as one person.").format(
            count=_records(of_person.null_count)
        )
    ]


def _told(classes, qis, unknown) -> tuple[list[str], list[str]]:
    said = [
        tr("{records} in {regions}: {classes} over {qis}.").format(
            records=_records(classes.records),
            regions=number_of(len(classes.population), "region", "regions"),
            classes=number_of(len(classes.codes), "class", "classes"),
            qis=", ".join(qi.name for qi in qis),
        )
    ]
    observed = [qi.name for qi in qis if qi.origin == "observed"]
    if observed:
        said.append(
            tr(
                "Categories as observed, for none are declared: {names}. MaxCombs then depends on "
                "the data."
            ).format(names=", ".join(observed))
        )
    warned = warnings_about(
        [f"“{qi.name}”" for qi in qis], [qi.count for qi in qis], classes.records
    )
    numbers = [qi.name for qi in qis if qi.kind != "string" and qi.count > MANY_CATEGORIES]
    if numbers:
        warned.append(
            tr(
                "“Groups of numbers” makes groups of them, five of about equal size for instance: "
                "{example}"
            ).format(example=json.dumps({name: 5 for name in numbers}))
        )
    warned += [
        tr("“{name}” is NULL in {count}; NULL is a category of its own.").format(
            name=qi.name, count=_records(qi.nulls)
        )
        for qi in qis
        if qi.nulls
    ]
    if unknown:
        warned.append(
            tr("{count} of regions that are not in the layer, left out: {ids}.").format(
                count=_records(sum(unknown.values())), ids=listed(unknown)
            )
        )
    return said, warned
