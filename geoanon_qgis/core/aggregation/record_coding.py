# SPDX-License-Identifier: GPL-2.0-or-later
"""From batches of records to counted classes: regions by their id, values by their categories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from ..columns import Column
from ..runtime.errors import InputError
from ..runtime.wording import Sentence
from ..values import NULL_TEXT, TEXT, text_of
from .bins import binned
from .categories import Encoder, region_encoder
from .class_cells import CellCounter
from .equivalence_classes import ClassCounter

#: Different unknown ids that are kept to be listed.
_LISTED = 1_000


class RecordCoder:
    """Takes batches of records and counts them into classes.

    It can be sent elsewhere before it has taken any, and what came of it put together here: see
    :meth:`absorb`.

    Parameters
    ----------
    region : str
        Field of the records with the region's id.
    ids : Column
        Id of each region.
    encoders : mapping of str to Encoder
        Of each quasi-identifier.
    limits : mapping of str to array
        Limits of the groups of those that are grouped.
    attributes : sequence of str
        Further fields, of which the codes are kept.
    person : str, optional
        Field with the person's id.
    keep : bool
        Whether region and class of each record are kept, which takes eight bytes each. They are
        where attributes or a person's id are asked for.

    Attributes
    ----------
    encoders : mapping of str to Encoder
    person : Encoder or None
        Of the person's id.
    unknown : Counter
        Records of each id that no region has; the first thousand ids.
    """

    def __init__(
        self,
        region: str,
        ids: Column,
        encoders: Mapping[str, Encoder],
        limits: Mapping[str, np.ndarray],
        attributes: Sequence[str] = (),
        person: str | None = None,
        keep: bool = True,
    ):
        self.encoders = encoders
        self.unknown: Counter[str] = Counter()
        self.person = None if person is None else Encoder(f"“{person}”")
        self._region, self._person, self._limits = region, person, limits
        self._ids = _comparable(ids)
        self._of_region = region_encoder(self._ids, f"“{ids.name}”")
        self._as_bytes = False
        self._others = {name: Encoder(f"“{name}”") for name in attributes}
        self._kept: dict[str, list[np.ndarray]] = {name: [] for name in attributes}
        self.keeps = bool(keep or attributes or person is not None)
        kind = ClassCounter if self.keeps else CellCounter
        self.counter: ClassCounter | CellCounter = kind(len(ids), len(encoders))

    @property
    def fields(self) -> list[str]:
        """What has to be in a batch."""
        names = [self._region, *self.encoders, *self._others]
        return names if self._person is None else [*names, self._person]

    def add(self, batch: Mapping[str, Column], ask: Callable[[], None] | None = None) -> None:
        """Count some more records; ``ask`` is called where that takes long, and may raise.

        Raises
        ------
        InputError
            For values that cannot be counted, or are not to be accepted.
        """
        region = self._rows(batch[self._region])
        codes = [
            encoder.encode(_grouped(name, batch[name], self._limits[name]))
            if name in self._limits
            else encoder.codes(batch[name])
            for name, encoder in self.encoders.items()
        ]
        if isinstance(self.counter, CellCounter):
            self.counter.add(region, codes, ask=ask)
            return
        whose = None
        if self.person is not None and self._person is not None:
            whose = self.person.codes(batch[self._person])
        self.counter.add(region, codes, whose)
        for name, encoder in self._others.items():
            self._kept[name].append(encoder.codes(batch[name]))

    def merge(self) -> None:
        """Take less memory, where records are not kept."""
        if isinstance(self.counter, CellCounter):
            self.counter.merge()

    def absorb(self, other: RecordCoder, ask: Callable[[], None] | None = None) -> None:
        """Take what another one has counted, of records that come after those of this one.

        Codes are then the same as if all had been counted here.
        """
        if not isinstance(self.counter, CellCounter) or not isinstance(other.counter, CellCounter):
            raise InputError("Records that are kept cannot be counted in parts.")
        region, codes, count = other.counter.cells()
        own = [
            self.encoders[name].absorb(other.encoders[name])[column] if len(column) else column
            for name, column in zip(self.encoders, codes)
        ]
        self.counter.add(region, own, count, ask)
        self._note(other.unknown.items())

    def attributes(self) -> dict[str, tuple[np.ndarray, tuple]]:
        """Codes of each further field in the order of the records, and its values by code."""
        return {
            name: (np.concatenate(self._kept[name]), encoder.categories)
            for name, encoder in self._others.items()
        }

    def _rows(self, column: Column) -> np.ndarray:
        """Rows of the regions; those that are unknown are noted."""
        # Some formats know whole ids as decimals only.
        column = column.narrowed()
        textual = self._ids.dtype.kind == "U"
        if column.values.dtype.kind == "S" and textual and not self._as_bytes:
            # Once for the ids, not for each batch.
            ids = np.char.encode(self._ids, "utf-8")
            self._of_region, self._as_bytes = Encoder("", ids, unknown=True), True
        elif column.values.dtype.kind == "f" and textual:
            texts = np.array(column.texts(NULL_TEXT), dtype=str)
            column = Column(column.name, TEXT, texts, column.missing)
        region = self._of_region.codes(column)
        missing = np.flatnonzero(region < 0)
        if len(missing):
            self._note(
                (Sentence("NULL") if one is None else text_of(one), 1) for one in column[missing]
            )
        return region

    def _note(self, unknown: Iterable[tuple[str, int]]) -> None:
        for text, count in unknown:
            if text not in self.unknown and len(self.unknown) >= _LISTED:
                text = Sentence("others")
            self.unknown[text] += count


def numbers_of(column: Column) -> np.ndarray:
    """The values of a column that is to be grouped, (n,) float.

    Raises
    ------
    InputError
        If one is no number.
    """
    try:
        return column.numbers()
    except ValueError as error:
        raise InputError(
            "“{name}” holds text, which cannot be grouped like numbers.", name=column.name
        ) from error


def _comparable(ids: Column) -> np.ndarray:
    """Ids of regions as an array: whole numbers, or text."""
    found = ids.narrowed().countable()
    return np.array(ids.texts(), dtype=str) if found.dtype.kind == "f" else found


def _grouped(name: str, column: Column, limits: np.ndarray) -> np.ndarray:
    try:
        return binned(numbers_of(column), limits)
    except InputError as error:
        raise InputError("“{name}”: {error}", name=name, error=error.sentence) from error
