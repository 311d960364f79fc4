# SPDX-License-Identifier: GPL-2.0-or-later
"""Markov chains over matchings, many of them abreast: one by one compiled, else all in step in NumPy.

Both take the same random numbers and add in the same order, so that they come to the same counts, to the
last step. A step of a chain costs next to nothing beside the calls to NumPy that make it; with as many
chains as there are files and starts, these calls are shared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...runtime import accel
from ...runtime.progress import Progress, chunks

#: Steps between two looks at whether to go on: some hundredths of a second in NumPy.
_BLOCK = 200
#: How often a record is proposed to be nobody, and two to exchange their people where they may.
_NOBODY, _EXCHANGE = 0.2, 0.7
#: Steps from one count to the next, and from one change of what a match is worth by itself to the next.
_EVERY, _ADJUSTED = 10, 20
#: By how much that changes, while it cools down and then.
_PACE = (0.05, 0.005)


@dataclass(frozen=True, eq=False)
class Start:
    """A file whose matchings are walked through, and where a walk begins.

    Attributes
    ----------
    classes : (n1, n1) int array
        Of the released distances.
    allowed : (n1, n2) bool array
        Who may be who.
    person : (n1,) int array
        Whom each record is with at first; -1 for nobody.
    free : (k,) int array
        Records whose person may change.
    common : float
        How many are to be matched.
    """

    classes: np.ndarray
    allowed: np.ndarray
    person: np.ndarray
    free: np.ndarray
    common: float


@dataclass(frozen=True)
class Course:
    """How long chains walk, and how hot it is.

    Attributes
    ----------
    chains : int
        From each start.
    steps : int
        Of each chain; in the second half it is counted whom each record is with.
    temperature, hotter : float
        At the end, and how many times as hot it is at first.
    """

    chains: int
    steps: int
    temperature: float
    hotter: float

    @property
    def counted(self) -> int:
        """How often each chain is counted."""
        return int(np.count_nonzero(self.counts(np.arange(self.steps))))

    def heat(self, step: np.ndarray) -> np.ndarray:
        """Return the temperature of some steps."""
        cooling = np.maximum(1.0 - step / (self.steps // 2), 0.0)
        return self.temperature * self.hotter**cooling

    def pace(self, step: np.ndarray) -> np.ndarray:
        """Return by how much what a match is worth changes for each match too few; mostly 0."""
        early = step < self.steps // 2
        return np.where(step % _ADJUSTED == 0, np.where(early, *_PACE) * self.temperature, 0.0)

    def counts(self, step: np.ndarray) -> np.ndarray:
        """Return whether it is counted at some steps whom each record is with."""
        return (step >= self.steps // 2) & (step % _EVERY == 0)


def walked(
    said: np.ndarray,
    starts: Sequence[Start],
    course: Course,
    rng: np.random.Generator,
    progress: Progress,
) -> np.ndarray:
    """Return how often each record is with each person, of every start: (f, n1, n2).

    Parameters
    ----------
    said : (c, n2, n2) array
        What a class of distances says of two people.
    starts : sequence of Start
        In files of as many records each, some of them free.
    course : Course
    rng : numpy.random.Generator
    progress : Progress
    """
    chains = _Chains(said, starts, course, rng)
    for some in chunks(course.steps, _BLOCK, progress):
        chains.walk(np.arange(some.start, some.stop))
    records, people = starts[0].allowed.shape
    count = chains.count.reshape(len(starts), course.chains, records + 1, people + 1)
    return count[:, :, :records, :people].sum(axis=1) / (course.chains * course.counted)


class _Chains:
    """All chains of all starts.

    Beside the records and the people there is one more of each, the last, for none: what is
    said of nobody is nothing, so that no step has to ask.
    """

    def __init__(self, said, starts: Sequence[Start], course: Course, rng: np.random.Generator):
        self._course = course
        records, people = starts[0].allowed.shape
        number = len(starts) * course.chains
        self._nobody = people
        self._said = np.pad(said, ((0, 0), (0, 1), (0, 1))).ravel()
        wide = (people + 1) ** 2
        self._classes = np.stack([np.pad(one.classes * wide, (0, 1)) for one in starts])
        self._allowed = np.stack([np.pad(one.allowed, (0, 1)) for one in starts])
        self._of = np.repeat(np.arange(len(starts)), course.chains)
        self._common = np.array([one.common for one in starts])[self._of]
        self._candidates, self._choice = _candidates(self._allowed)
        self._free = np.zeros((len(starts), records), dtype=np.int64)
        for row, one in zip(self._free, starts):
            row[: len(one.free)] = one.free
        self._number_free = np.array([len(one.free) for one in starts])[self._of]
        self._draws = [np.random.default_rng(seed) for seed in rng.integers(2**63, size=number)]
        self._person = np.full((records + 1, number), people)
        self._record = np.full((people + 1, number), records)
        for chain, of in enumerate(self._of.tolist()):
            row = np.flatnonzero(starts[of].person >= 0)
            self._person[row, chain] = starts[of].person[row]
            self._record[starts[of].person[row], chain] = row
        self._matched = np.count_nonzero(self._person < people, axis=0)
        self._worth = np.zeros(number)
        self.count = np.zeros((number, records + 1, people + 1))

    def walk(self, step: np.ndarray) -> None:
        """Take some steps."""
        course = self._course
        drawn = np.stack([one.random((len(step), 4)) for one in self._draws], axis=2)
        row = self._free[self._of, (drawn[:, 0] * self._number_free).astype(np.int64)]
        other = np.maximum(drawn[:, 1] - _NOBODY, 0.0) / (1.0 - _NOBODY)
        at = (other * self._choice[self._of, row]).astype(np.int64)
        person = self._candidates[self._of, row, at]
        person[drawn[:, 1] < _NOBODY] = self._nobody
        (_one_by_one if accel.enabled() else _abreast)(
            self._said,
            self._classes,
            self._allowed,
            self._of,
            row,
            person,
            drawn[:, 2] < _EXCHANGE,
            np.log(np.maximum(drawn[:, 3], 1e-300)) * course.heat(step)[:, None],
            course.pace(step)[:, None] / np.sqrt(np.maximum(self._common, 1.0)),
            self._common,
            course.counts(step),
            self._person,
            self._record,
            self._matched,
            self._worth,
            self.count,
        )


def _candidates(allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """People who may be each record, first those of the lowest row, and how many these are."""
    choice = np.count_nonzero(allowed, axis=2)
    return np.argsort(~allowed, axis=2, kind="stable"), choice


@accel.kernel
def _one_by_one(
    said,
    classes,
    allowed,
    of,
    rows,
    people,
    exchange,
    least,
    pace,
    common,
    counts,
    person,
    record,
    matched,
    worth,
    count,
):
    """Take the steps of one chain after the other."""
    none, nobody = len(person) - 1, len(record) - 1
    wide = nobody + 1
    for chain in range(len(of)):
        file = of[chain]
        for t in range(len(rows)):
            worth[chain] += pace[t, chain] * (common[chain] - matched[chain])
            i, new = rows[t, chain], people[t, chain]
            old = person[i, chain]
            if new != old:
                other, given, taken = record[new, chain], nobody, new
                if other == none:
                    taken = nobody
                if exchange[t, chain] and allowed[file, other, old]:
                    given = old
                gain = 0.0
                for j in range(none):
                    who = person[j, chain]
                    if who == nobody or j == i or j == other:
                        continue
                    here, there = classes[file, i, j] + who, classes[file, other, j] + who
                    gain += (said[here + new * wide] - said[here + old * wide]) + (
                        said[there + given * wide] - said[there + taken * wide]
                    )
                both = classes[file, i, other]
                gain += said[both + taken * wide + given] - said[both + old * wide + taken]
                more = int(new != nobody) - int(old != nobody)
                more += int(given != nobody) - int(taken != nobody)
                gain += worth[chain] * more
                if gain >= 0.0 or least[t, chain] < gain:
                    person[i, chain] = new
                    record[old, chain] = none
                    person[other, chain] = given
                    record[given, chain] = other
                    record[new, chain] = i
                    person[none, chain] = nobody
                    record[nobody, chain] = none
                    matched[chain] += more
            if counts[t]:
                for j in range(none):
                    count[chain, j, person[j, chain]] += 1.0


def _abreast(
    said,
    classes,
    allowed,
    of,
    rows,
    people,
    exchange,
    least,
    pace,
    common,
    counts,
    person,
    record,
    matched,
    worth,
    count,
):
    """Take one step of all chains after the other; the same as :func:`_one_by_one`."""
    none, nobody = len(person) - 1, len(record) - 1
    wide, every = nobody + 1, np.arange(len(of))
    flat_classes, flat_allowed, flat_count = classes.ravel(), allowed.ravel(), count.reshape(-1)
    file = of * (none + 1)
    across = np.arange(none + 1)[:, None]
    counted = (every * (none + 1) + across) * wide
    adjusts = pace.any(axis=1)
    for t in range(len(rows)):
        if adjusts[t]:
            worth += pace[t] * (common - matched)
        i, new = rows[t], people[t]
        old, other = person[i, every], record[new, every]
        taken = np.where(other == none, nobody, new)
        swapped = exchange[t] & flat_allowed.take((file + other) * wide + old)
        given = np.where(swapped, old, nobody)
        who = person.copy()
        who[i, every] = who[other, every] = nobody
        of_i, of_other = (file + i) * (none + 1), (file + other) * (none + 1)
        here, there = flat_classes.take(of_i + across), flat_classes.take(of_other + across)
        here += who
        there += who
        change = said.take(here + new * wide) - said.take(here + old * wide)
        change += said.take(there + given * wide) - said.take(there + taken * wide)
        gain = np.add.reduce(change, axis=0)
        both = flat_classes.take(of_i + other)
        gain += said.take(both + taken * wide + given) - said.take(both + old * wide + taken)
        more = (new != nobody).astype(np.int64) - (old != nobody)
        more += (given != nobody).astype(np.int64) - (taken != nobody)
        gain += worth * more
        some = np.flatnonzero((new != old) & ((gain >= 0.0) | (least[t] < gain)))
        if len(some):
            person[i[some], some] = new[some]
            record[old[some], some] = none
            person[other[some], some] = given[some]
            record[given[some], some] = other[some]
            record[new[some], some] = i[some]
            person[none], record[nobody] = nobody, none
            matched[some] += more[some]
        if counts[t]:
            flat_count[counted + person] += 1.0
