# SPDX-License-Identifier: GPL-2.0-or-later
"""Records are counted into classes here, in one pass over their table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ...core.aggregation.bins import ValueCounts
from ...core.aggregation.categories import MANY_CATEGORIES, Encoder, warnings_about
from ...core.aggregation.counting_elsewhere import count_elsewhere
from ...core.aggregation.equivalence_classes import EquivalenceClasses
from ...core.aggregation.record_coding import RecordCoder, numbers_of
from ...core.columns import Column, coded
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Latest, Progress, interruptible, silent, weighted
from ...core.runtime.workers import Backend
from ..i18n import number_of, tr, translated
from ..layers.records import ParquetRecords, Records
from ..layers.regions import Regions

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
    keep : bool
        Whether the records are released afterwards, or counted only.
    backend : Backend or None
        The cluster on which the files of a table are counted that are not kept; None for here.
    """

    record_region: str
    qis: Sequence[str]
    attributes: Sequence[str] = ()
    categories: Mapping[str, Any] | None = None
    groups: Mapping[str, Any] | None = None
    nulls: bool = True
    leave_out: bool = False
    person: str | None = None
    keep: bool = True
    backend: Backend | None = None


def count(records: Records, regions: Regions, wish: Wish, progress: Progress = silent) -> Counted:
    """Count records into classes.

    Raises
    ------
    InputError
        For everything in the records that was not to be accepted.
    """
    # Some steps take half a second where there are tens of millions of records.
    of_limits, of_records, of_classes = weighted(progress, 25 if wish.groups else 0, 80, 20)
    persons = [] if wish.person is None else [wish.person]
    records.require([wish.record_region, *wish.qis, *wish.attributes, *persons])
    _check(wish)
    limits = _limits(records, wish, of_limits)
    coder = RecordCoder(
        wish.record_region,
        replace(regions.ids, name=regions.id_field.name()),
        {name: _encoder(name, records.kinds[name], wish, limits) for name in wish.qis},
        limits,
        wish.attributes,
        wish.person,
        wish.keep,
    )
    if wish.backend is not None and isinstance(records, ParquetRecords):
        count_elsewhere(coder, records.table, wish.backend, of_records)
    else:
        told = Latest(of_records)
        for batch in records.batches(coder.fields, told):
            coder.add(batch, told.ask)
    unknown = {translated(name): number for name, number in coder.unknown.items()}
    if unknown and not wish.leave_out:
        raise InputError(
            tr(
                "{count} of regions that are not in the layer: {ids}. Check that the two fields "
                "with the region's id belong together, or choose to leave such records out."
            ).format(count=_records(sum(unknown.values())), ids=listed(unknown))
        )
    qis = tuple(
        _described(name, encoder, records.kinds[name], wish, limits)
        for name, encoder in coder.encoders.items()
    )
    classes = interruptible(lambda: coder.counter.finish([qi.count for qi in qis]), of_classes)
    attributes = {
        name: (codes, values, records.kinds[name])
        for name, (codes, values) in coder.attributes().items()
    }
    said, warned = _told(classes, qis, unknown)
    if coder.person is not None:
        people_said, people_warned = _people(classes, coder.person)
        said, warned = said + people_said, warned + people_warned
    return Counted(classes, qis, unknown, attributes, said, [*records.warnings, *warned])


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
    counts = {name: ValueCounts() for name in wanted}
    told = Latest(progress)
    for batch in records.batches(wanted, told) if wanted else ():
        for name in wanted:
            counts[name].add(numbers_of(batch[name]), told.ask)
    for name in wanted:
        edges = partial(counts[name].edges, groups[name])
        limits[name] = interruptible(edges, lambda _: told.ask())
    return limits


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
