# SPDX-License-Identifier: GPL-2.0-or-later
"""Records in an order that people can be brought into, of which some lack or to which others came.

A file that was not shuffled stands in the order of the originals, or in one that they can be sorted
into: from the end, by row numbers that are text, by a field or by some. Were a few left out, others
put in or the beginning cut off, the lists are laid along each other as sequences are that differ by
gaps (Needleman and Wunsch 1970, *Journal of Molecular Biology* 48, 443-453), in both of them and no
further apart than some rows. What pairs are worth are log odds of normal scores that go together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, permutations, product
from typing import Callable, NamedTuple

import numpy as np

from ...runtime.progress import Progress, chunks, interruptible, shares, silent, weighted
from ...runtime.wording import Sentence, mark
from .paired import FEWEST, Pairing, half_away
from .scoring import level_of
from .table import Tables, answers, is_number, sample

#: Rows of the sections, how many, and how far their records may be from where they are expected:
#: where orders are looked for, and where the lists are laid along each other.
_LOOK, _LAY = (200, 5, 150), (1_000, 10, 300)
#: Orders in which sections with gaps are looked for, of the plainest and likeliest, how many of the orders found are tried, and the
#: chance that any is found where nobody's records are.
_LIKELY, _MOST, _CHANCE = 12, 2, 1e-4
#: Orders at most, fewer the more columns there are and the longer the list; but those by one field.
_ORDERS, _WORTH, _SORTED = 120, 3_000, 4_000_000
#: Rows around whose mean is what an order explains, and within which the control is shuffled; rows
#: whose sums are one observation, and that are multiplied at once.
_TREND, _BLOCK, _ROWS = 100, 20, 25
#: How a column is taken to go with that of the same person before anything is known, and at most.
_PRIOR, _CLEAR = 0.35, 0.8
#: What a record's pair is worth at the least, and how many times what a control's is.
_WORTH_IT = 0.9, 2.0
#: Least share of rows that are taken to lack, and lists so many times as long are not compared.
_LACKING, _LONGER = 0.01, 4.0
#: Categories that are looked at, and rows that are coded at once or else as they are needed.
_CATEGORIES, _FEW = 12, 50_000
_OUT = np.float32(-1e6)
_SEED = 37
_FILE = mark("the order of the file")


def along(tables: Tables, progress: Progress = silent) -> Iterator[Pairing]:
    """Pair originals and records by the orders in which records seem to stand.

    Parameters
    ----------
    tables : Tables
        Of long files some sections are looked at.

    Notes
    -----
    What agrees best agrees better than it should, be the records whose they may. So two controls
    are laid along alike: originals of whom those around each other are shuffled, and the reference or,
    without one, originals who stand half a file away: what any two files that are sorted so have in
    common, as grades that follow each other in every school, they have, too. Each is laid as it fits
    best, by other columns it may be, so that first of all the file's way has to be worth more.
    """
    lists = _lists(tables)
    counts = [len(one.matrix) for one in lists]
    if min(counts) < 2 * _BLOCK or not 1 / _LONGER <= counts[0] / counts[1] <= _LONGER:
        return
    of_looking, of_laying = weighted(progress, 3, 2)
    released, people = lists[1], [lists[0], *lists[2:]]
    found = _found(tables, released, people, of_looking)
    for (order, weights), ahead in zip(found, shares(of_laying, _MOST)):
        own, *others = _laid(order, released, people, weights, ahead)
        if own.worth < max(_WORTH_IT[0], _WORTH_IT[1] * max(one.worth for one in others)):
            continue
        controls = [(one.matrix[one.rows], one.records) for one in others]
        if len(people) == 1:  # on the same way, whoever stands half a file from each
            controls.append((own.matrix[half_away(own.matrix)[own.rows]], own.records))
        yield Pairing(order.title, own.rows, own.records, controls)


class _Way(NamedTuple):
    """Rows of people and their records, and what a record's pair is worth on average."""

    matrix: np.ndarray
    rows: np.ndarray
    records: np.ndarray
    worth: float


class _Order(NamedTuple):
    """An order of people: how it is called, and the rows of a table in it."""

    title: Sentence
    of: Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class _List:
    """A table, and columns by which its records are compared, at once or as they are needed."""

    matrix: np.ndarray
    code: Callable[[np.ndarray], np.ndarray]
    coded: np.ndarray | None

    @staticmethod
    def of(matrix: np.ndarray, code: Callable[[np.ndarray], np.ndarray]) -> _List:
        return _List(matrix, code, code(matrix) if len(matrix) <= _FEW else None)

    def columns(self, rows: np.ndarray) -> np.ndarray:
        """Columns of rows without what changes slowly along the last axis of these."""
        from scipy.ndimage import uniform_filter1d

        flat = np.clip(rows, 0, None).ravel()
        some = self.code(self.matrix[flat]) if self.coded is None else self.coded[flat]
        made = some.reshape(*rows.shape, -1)
        made = made - uniform_filter1d(made, _TREND + 1, axis=-2, mode="nearest")
        made[rows < 0] = 0.0
        return made


def _lists(tables: Tables) -> list[_List]:
    """Originals, release, and as many of the reference as there are originals."""
    matrices = [tables.original, tables.released]
    if tables.reference is not None:
        some = sample(len(tables.reference), len(tables.original), _SEED)
        if len(some) >= max(FEWEST, len(tables.released) / _LONGER):
            matrices.append(tables.reference[some])
    code = _coder(tables)
    return [_List.of(one, code) for one in matrices]


def _coder(tables: Tables) -> Callable[[np.ndarray], np.ndarray]:
    """Return what makes columns of mean 0 and variance 1 of records: of ranks, and of categories."""
    some = tables.original[sample(len(tables.original), 10_000, _SEED)]
    each: list[tuple[int, np.ndarray, np.ndarray]] = []
    for at, one in enumerate(tables.variables):
        said = answers(one, some)
        if is_number(one):
            each.append((at, np.sort(said[~np.isnan(said)]), np.zeros(0)))
            continue
        values, count = np.unique(said, return_counts=True)
        often = np.argsort(-count, kind="stable")[: _CATEGORIES if len(values) > 2 else 1]
        each.append((at, values[often], count[often] / len(said)))

    def code(matrix: np.ndarray) -> np.ndarray:
        made = []
        for at, values, share in each:
            said = answers(tables.variables[at], matrix)
            if len(share):
                is_it = said[:, None] == values
                made.append((is_it - share) / np.sqrt(np.maximum(share * (1 - share), 1e-9)))
                continue
            rank = (np.searchsorted(values, said) + np.searchsorted(values, said, "right")) / 2
            score = (rank / max(len(values), 1) - 0.5) * np.sqrt(12.0)
            made.append(np.where(np.isnan(said), 0.0, score)[:, None])
        return np.concatenate(made, axis=1).astype(np.float32)

    return code


def _orders(tables: Tables, columns: int) -> Iterator[_Order]:
    """Orders that people may be brought into, the plainest first."""
    yield _Order(Sentence(_FILE), lambda matrix: np.arange(len(matrix)))
    yield _Order(
        Sentence("the order of the file from the end"),
        lambda matrix: np.arange(len(matrix))[::-1],
    )
    yield _Order(Sentence("the order of row numbers that are text"), _as_text)
    groups = [one for one in tables.variables if not is_number(one)]
    numbers = [one for one in tables.variables if is_number(one)]
    keys: list[tuple] = [(one,) for one in (*numbers, *groups)]
    keys += product(groups, numbers)
    keys += permutations(groups, 2)
    keys += [(*two, one) for two in permutations(groups, 2) for one in numbers]
    most = min(_ORDERS, _WORTH // columns, _SORTED // len(tables.original))
    most = max(most, 2 * len(tables.variables))
    for fields, down in islice(product(keys, (False, True)), most):
        title = Sentence(
            "the rank of a person by {field}", field=", ".join(one.name for one in fields)
        )
        yield _Order(title, partial(_sorted, fields, down))


def _as_text(matrix: np.ndarray) -> np.ndarray:
    """Rows by their numbers from 1 as text: 1, 10, 100, 101, 11."""
    number = np.arange(1, len(matrix) + 1)
    digits = np.floor(np.log10(number) + 1e-12).astype(int)
    return np.lexsort((digits, number * 10 ** (digits.max() - digits)))


def _sorted(fields: Sequence, down: bool, matrix: np.ndarray) -> np.ndarray:
    """Rows by fields, the first first, and those who are alike as they stood."""
    keys = [answers(one, matrix) for one in fields]
    return np.lexsort([-one if down else one for one in keys[::-1]])


def _turned(released: _List, people: Sequence[_List]) -> _Order | None:
    """The order of each list from where its beginning fits best, or of a long one with halves exchanged.

    None where that is not far in the originals: gaps are enough then.
    """
    starts = {
        id(one.matrix): len(one.matrix) // 2 if one.coded is None else _best_start(released, one)
        for one in people
    }
    count, start = len(people[0].matrix), starts[id(people[0].matrix)]
    if min(start, count - start) <= min(_LOOK[2], count // 8):
        return None
    return _Order(Sentence(_FILE), lambda one: np.roll(np.arange(len(one)), -starts[id(one)]))


def _best_start(released: _List, people: _List) -> int:
    """Which person the list of records seems to begin with."""
    from scipy.fft import irfft, next_fast_len, rfft

    begin = released.columns(np.arange(min(max(len(released.matrix) // 2, 1), 5_000)))
    every = people.columns(np.arange(len(people.matrix)))
    length = next_fast_len(len(every) + len(begin), True)
    fits = np.zeros(length)
    for column in range(begin.shape[1]):
        there = rfft(every[:, column], length) * np.conj(rfft(begin[:, column], length))
        fits += irfft(there, length)
    return int(fits[: len(every)].argmax())


def _found(
    tables: Tables, released: _List, people: Sequence[_List], progress: Progress
) -> list[tuple[_Order, np.ndarray]]:
    """Orders in which both lists fit better than the controls, and how columns seem to go together.

    Sections that fit as they are show in a single column already. Those with gaps are laid along,
    where they fit better than most.
    """
    by_sorting, by_sections, by_gaps = weighted(progress, 1, 1, 1)
    number = len(released.matrix)
    columns = released.columns(_sections(number, number, *_LOOK)[0])
    count, length, width = columns.shape
    orders = list(_orders(tables, width))
    turned = interruptible(partial(_turned, released, people), progress)
    orders += [] if turned is None else [turned]
    placed = _placed(orders, number, people, _LOOK, by_sorting)
    every = np.arange(len(orders))
    peaks = _of_each(every, partial(_peaks, columns, placed), by_sections)
    more = np.min((peaks[0] - peaks[1:]).mean(axis=2), axis=0)
    # Where neighbours are alike, as in a household, some sections of anybody's fit by chance.
    usual = max(float(np.median(np.abs(more))) / 0.67, 0.5 * np.sqrt(2 / count))
    spread = peaks[1:].std(axis=2).max(axis=0) * np.sqrt(2 / count)
    clear = (more / np.maximum(spread, usual)).max(axis=1)
    weights = np.clip(more[:, :-1] / np.sqrt(length), 0.0, _CLEAR)
    weights[more.argmax(axis=1) == width] = _PRIOR

    prior = np.full(width, _PRIOR)
    plain = np.arange(min(len(orders), _LIKELY))
    likely = np.union1d(plain, np.argsort(-clear, kind="stable")[:_LIKELY])
    call = partial(_sums, _weighed_records(columns, prior), number, placed, prior)
    sums = _of_each(likely, call, by_gaps)
    for at, with_gaps in zip(likely, np.min([_clear(sums[0] - one) for one in sums[1:]], axis=0)):
        if with_gaps > clear[at]:
            clear[at], weights[at] = with_gaps, prior
    sure = level_of(len(orders) * width, _CHANCE)
    best = np.argsort(-clear, kind="stable")[:_MOST]
    return [(orders[at], weights[at].astype(np.float32)) for at in best if clear[at] > sure]


def _of_each(
    orders: np.ndarray, call: Callable[[np.ndarray], np.ndarray], progress: Progress
) -> np.ndarray:
    """What a few orders at a time give, ``(tables, orders, ...)``."""
    made = [
        interruptible(partial(call, orders[some]), progress, some.start / len(orders))
        for some in chunks(len(orders), 4, progress)
    ]
    return np.concatenate(made, axis=1)


def _clear(more: np.ndarray) -> np.ndarray:
    """By how many standard deviations each row's mean is above nothing."""
    spread = np.maximum(more.std(axis=1), 1e-9) / np.sqrt(more.shape[1])
    return more.mean(axis=1) / spread


def _sections(
    count: int, of: int, rows: int, most: int, wide: int
) -> tuple[np.ndarray, np.ndarray]:
    """Rows of each section of one list, and those of the other that are around; -1 for none.

    Returns
    -------
    (s, l), (s, p) int arrays
        The second begin ``wide`` rows before those where the first are expected.
    """
    number = min(max(count // rows, 1), most)
    rows = min(rows, count // number)
    start = np.linspace(0, count - rows, number).astype(int)
    far = int((rows - 1) * of / count) + 2 * wide + 1
    around = (start * of / count).astype(int)[:, None] - wide + np.arange(far)
    there = np.where((around >= 0) & (around < of), around, -1)
    return start[:, None] + np.arange(rows), there


def _shuffled(rows: np.ndarray) -> np.ndarray:
    """Those around each other in random order, so that what the list is sorted by stays."""
    at = np.arange(rows.shape[-1])
    return rows[..., np.lexsort((np.random.default_rng(_SEED).random(len(at)), at // _TREND))]


def _placed(
    orders: Sequence[_Order],
    count: int,
    people: Sequence[_List],
    size: tuple[int, int, int],
    progress: Progress,
) -> list[tuple[_List, np.ndarray]]:
    """Rows of people around each section of so many records, ``(orders, s, p)``; -1 for none.

    Of the originals, of these shuffled, and of the reference; without one, in files long enough that nobody
    stands where she would, of the originals half a file away.
    """
    made = []
    away = [(one, np.arange(len(one.matrix))) for one in people]
    if len(people) == 1 and len(people[0].matrix) > 4 * size[2]:
        away.append((people[0], half_away(people[0].matrix)))
    for (one, far), ahead in zip(away, shares(progress, len(away))):
        _, there = _sections(count, len(one.matrix), *size)
        rows = np.empty((len(orders), *there.shape), dtype=np.intp)
        for at, (order, told) in enumerate(zip(orders, shares(ahead, len(orders)))):
            rows[at] = interruptible(partial(order.of, one.matrix), told)[far[there]]
        rows[:, there < 0] = -1
        made.append((one, rows))
    return [made[0], (people[0], _shuffled(made[0][1])), *made[1:]]


def _peaks(
    columns: np.ndarray, placed: Sequence[tuple[_List, np.ndarray]], orders: np.ndarray
) -> np.ndarray:
    """How well sections fit where they fit best, ``(tables, orders, sections, columns + 1)``.

    The last is that of all columns together.
    """
    from scipy.fft import irfft, next_fast_len, rfft

    rows = columns.shape[1]
    made = []
    for people, there in placed:
        far = there.shape[-1]
        length = next_fast_len(far, True)
        theirs = np.conj(rfft(columns, length, axis=1))
        mine = rfft(people.columns(there[orders]), length, axis=2)
        fits = irfft(mine * theirs, length, axis=2)[:, :, : far - rows + 1]
        together = fits.sum(axis=3, keepdims=True) / np.sqrt(columns.shape[2])
        made.append(np.concatenate([fits, together], axis=3).max(axis=2) / np.sqrt(rows))
    return np.stack(made)


def _sums(
    theirs: np.ndarray,
    count: int,
    placed: Sequence[tuple[_List, np.ndarray]],
    weights: np.ndarray,
    orders: np.ndarray,
) -> np.ndarray:
    """What the best ways are worth in each block, ``(tables, orders, blocks)``."""
    made = []
    for people, there in placed:
        rows = there[orders]
        mine = _weighed_people(people.columns(rows), rows, weights)
        band = _Band.of(theirs.shape[1], count, len(people.matrix), _LOOK[2])
        made.append(band.sums(mine, theirs).reshape(len(orders), -1))
    return np.stack(made)


def _laid(
    order: _Order,
    released: _List,
    people: Sequence[_List],
    first: np.ndarray,
    progress: Progress,
) -> list[_Way]:
    """How the lists of :func:`_placed` are laid along the records."""
    count = len(released.matrix)
    by_sorting, by_laying = weighted(progress, 1, 3)
    placed = _placed([order], count, people, _LAY, by_sorting)
    records, _ = _sections(count, count, *_LAY)
    columns, made = released.columns(records), []
    for (one, there), ahead in zip(placed, shares(by_laying, len(placed))):
        rows = there[0]
        mine = one.columns(rows)
        band = _Band.of(records.shape[1], count, len(one.matrix), _LAY[2])
        weights = first
        for again in range(2):
            lay = partial(
                band.path,
                _weighed_people(mine, rows, weights),
                _weighed_records(columns, weights),
            )
            section, record, person = interruptible(lay, ahead, again / 2)
            both = mine[section, person] * columns[section, record]
            # By what those who were paired have in common it is known what to pair them by.
            weights = np.clip(both.mean(axis=0), 0.0, _CLEAR).astype(np.float32)
        found, at = np.unique(rows[section, person], return_index=True)
        theirs = records[section, record][at]
        by_record = np.argsort(theirs, kind="stable")
        worth = float((both @ weights).sum()) / records.size
        made.append(_Way(one.matrix, found[by_record], theirs[by_record], worth))
    return made


def _weighed_people(columns: np.ndarray, rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Columns whose products with those of a record sum up to the log odds of a pair.

    Two normal scores of correlation r are so much more likely than two of strangers:
    ``(r a b - r^2 (a^2 + b^2) / 2) / (1 - r^2) - log(1 - r^2) / 2``.
    """
    rest = 1 - weights**2
    less = columns**2 @ (weights**2 / rest / 2)
    own = np.where(rows < 0, _OUT, -less - np.log(rest).sum() / 2)
    made = (columns * (weights / rest), own[..., None], np.ones_like(own)[..., None])
    return np.concatenate(made, axis=-1).astype(np.float32)


def _weighed_records(columns: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The columns of records for those of people."""
    less = columns**2 @ (weights**2 / (1 - weights**2) / 2)
    made = (columns, np.ones_like(less)[..., None], -less[..., None])
    return np.concatenate(made, axis=-1).astype(np.float32)


@dataclass(frozen=True)
class _Band:
    """Which people each record of a section may be paired with, and what leaving out costs.

    Attributes
    ----------
    first : (l,) int array
        The first of the ``width`` people of each record.
    width : int
    lone_person, lone_record : float
        What people and records cost that are left out.
    """

    first: np.ndarray
    width: int
    lone_person: float
    lone_record: float

    @staticmethod
    def of(rows: int, records: int, people: int, wide: int) -> _Band:
        """Make one for lists of so many records and people."""
        lone = [
            float(-np.log(min(max(1 - one / other, _LACKING), 0.5)))
            for one, other in ((records, people), (people, records))
        ]
        return _Band((np.arange(rows) * people / records).astype(int), 2 * wide + 1, *lone)

    def sums(self, people: np.ndarray, records: np.ndarray) -> np.ndarray:
        """What the best way is worth more after each few records, ``(..., blocks)``."""
        at = [
            best.max(axis=-1)
            for row, (best, *_) in enumerate(self._rows(people, records), 1)
            if row % _BLOCK == 0
        ]
        return np.diff(np.stack(at, axis=-1), axis=-1, prepend=0.0)

    def path(
        self, people: np.ndarray, records: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Pairs by the best way through each section: numbers of section, record and person."""
        kept = []
        places, every = np.arange(self.width, dtype=np.int16), np.arange(len(people))
        for best, is_new, is_pair in self._rows(people, records):
            kept.append((np.maximum.accumulate(np.where(is_new, places, 0), axis=-1), is_pair))
            at = best.argmax(axis=-1)
        found = []
        for row in range(len(kept) - 1, -1, -1):
            begun, is_pair = kept[row]
            at = begun[every, at].astype(int)
            both = is_pair[every, at]
            found.append((every[both], np.full(both.sum(), row), self.first[row] + at[both]))
            at = at + self._steps[row] - both
        section, record, person = (np.concatenate(one) for one in zip(*found))
        return section, record, person

    @property
    def _steps(self) -> np.ndarray:
        """How many people further down than that before the band of each record begins."""
        return np.diff(self.first, prepend=self.first[0] - 1)

    def _rows(
        self, people: np.ndarray, records: np.ndarray
    ) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Yield for each record what is best up to it and each person.

        And whether that does not leave out this person, and whether the record is hers then.
        """
        steps, width, cost = self._steps, self.width, self.lone_person
        slope = (cost * np.arange(width)).astype(np.float32)
        # Whoever is first costs nothing; outside of the band there is nobody.
        before = np.full((*people.shape[:-2], width + steps.max() + 1), -np.inf, np.float32)
        before[..., 1 : 1 + width] = 0.0
        for start in range(0, len(steps), _ROWS):
            stop = min(start + _ROWS, len(steps))
            some = people[..., self.first[start] : self.first[stop - 1] + width, :]
            worth = records[..., start:stop, :] @ np.swapaxes(some, -1, -2)
            for row in range(start, stop):
                step, far = steps[row], self.first[row] - self.first[start]
                pair = before[..., step : step + width] + worth[..., row - start, far : far + width]
                lone = before[..., step + 1 : step + 1 + width] - np.float32(self.lone_record)
                own = np.maximum(pair, lone) + slope
                top = np.maximum.accumulate(own, axis=-1)
                best = top - slope
                before[..., 1 : 1 + width] = best
                yield best, own == top, pair >= lone
