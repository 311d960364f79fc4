# SPDX-License-Identifier: GPL-2.0-or-later
"""Markov chains over matchings by the law of fields: one by one compiled, else abreast in NumPy.

There are as many slots as known people, and one more for each record that is nobody who is known.
Every record is in a slot, and what is left of the slots, of known people who were not released, is
filled by values that nobody has seen. Those are drawn anew, given all others, whenever a move
concerns them (Geman & Geman 1984), so that a record that goes to the slot of such a one is judged
by what is seen alone (a collapsed step, Liu 1994).

A move exchanges two slots; or a record leaves its person for a place among strangers, and the one
that was there gets another person (else the labels of those in both could never change). Now and
then the sides of a field are exchanged, since hidden coordinates have no sign. Both ways take the
same random numbers and add in the same order, so that they come to the same counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...runtime import accel
from ...runtime.progress import Progress, chunks
from .matching_walk import Course

#: Steps between two looks at whether to go on, and between two tries to exchange sides.
_BLOCK = 200
#: How often three slots are tried, where there are strangers and people who were not released.
_THREE = 0.25
#: Chains whose energy is higher than that of the best by so many temperatures count less.
_WORSE = 4.0


@dataclass(frozen=True, eq=False)
class FieldStart:
    """A file whose matchings are walked through, and where a walk may begin.

    Attributes
    ----------
    fields : (d, n1) array
        Hidden coordinates of the records.
    allowed : (n1, n2) bool array
        Who may be who.
    kinds : (n2,) int array
        Classes of the labels of people.
    links : (l, 2) int array
        Rows of records and people that stay together.
    """

    fields: np.ndarray
    allowed: np.ndarray
    kinds: np.ndarray
    links: np.ndarray

    def most(self) -> int:
        """How many records can have a person at the same time."""
        from scipy.optimize import linear_sum_assignment

        row, column = linear_sum_assignment(self.allowed, maximize=True)
        return int(self.allowed[row, column].sum())

    def first(self, common: int, rng: np.random.Generator) -> np.ndarray:
        """Match so many at random: the record in each slot, and the number of records for none."""
        from scipy.optimize import linear_sum_assignment

        records, people = self.allowed.shape
        value = np.where(self.allowed, 1.0 + rng.random(self.allowed.shape) / records, 0.0)
        value[self.links[:, 0], self.links[:, 1]] = 4.0
        row, column = linear_sum_assignment(value, maximize=True)
        kept = self.allowed[row, column]
        row, column = row[kept], column[kept]
        linked = np.isin(row, self.links[:, 0])
        order = np.argsort(np.where(linked, -1.0, rng.random(len(row))))[:common]
        slots = np.full(people + records - common, records)
        slots[column[order]] = row[order]
        slots[people:] = rng.permutation(np.setdiff1d(np.arange(records), row[order]))
        return slots


def walked_fields(
    mean: np.ndarray,
    precision: np.ndarray,
    starts: Sequence[FieldStart],
    common: int,
    course: Course,
    rng: np.random.Generator,
    progress: Progress,
) -> np.ndarray:
    """Return how often each record is with each person, of every start: (f, n1, n2).

    Parameters
    ----------
    mean : (n,) array
        Of a field, of the known people and of as many others as are released.
    precision : (n, n) array
    starts : sequence of FieldStart
        Of as many records each.
    common : int
        How many have a person; not more than can.
    course : Course
    rng : numpy.random.Generator
    progress : Progress
    """
    chains = _Chains(mean, precision, starts, common, course, rng)
    for some in chunks(course.steps, _BLOCK, progress):
        chains.walk(np.arange(some.start, some.stop))
    return chains.often()


class _Chains:
    """All chains of all starts."""

    def __init__(self, mean, precision, starts, common: int, course: Course, rng):
        self._mean, self._precision, self._course, self._rng = mean, precision, course, rng
        self._own = np.ascontiguousarray(precision.diagonal())
        self._logs = np.log(self._own)
        records, people = starts[0].allowed.shape
        self._records, self._people, self._files = records, people, len(starts)
        slots, number = len(mean), len(starts) * course.chains
        self._of = np.repeat(np.arange(len(starts)), course.chains)
        nobody = slots - people
        self._allowed = np.zeros((len(starts), records + 1, slots), dtype=bool)
        free = np.ones((len(starts), slots), dtype=bool)
        for allowed, one, is_free in zip(self._allowed, starts, free):
            allowed[:records, :people] = one.allowed
            allowed[:, people:] = True
            allowed[one.links[:, 0], people:] = False
            allowed[records] = np.arange(slots) < people
            is_free[one.links[:, 1]] = False
        self._lists = _lists(starts, free, nobody)
        self._three = nobody > 0 and common < people and free[:, :people].any(axis=1).all()
        self._slots = np.stack([starts[of].first(common, rng) for of in self._of])
        sets = len(starts[0].fields)
        middle = float(mean[:people].mean())
        self._middle = middle
        self._value = np.empty((number, sets, slots))
        for value, at, of in zip(self._value, self._slots, self._of):
            fields = starts[of].fields
            centred = fields - fields.mean(axis=1, keepdims=True) + middle
            seen = np.append(centred, np.zeros((sets, 1)), axis=1)[:, at]
            value[:] = np.where(at < records, seen, mean)
        self._pull = np.zeros_like(self._value)
        self._energy = np.zeros(number)
        self._looks = 0
        self.count = np.zeros((number, records + 1, people + 1))

    def walk(self, step: np.ndarray) -> None:
        """Try to exchange sides, and take some steps."""
        course, number = self._course, len(self._of)
        self._flip(step[0])
        drawn = self._rng.random((5, len(step), number))
        first, second, third = self._proposed(drawn)
        hidden = self._slots.max() == self._records
        sets = self._value.shape[1]
        normal = self._rng.normal(size=(len(step), number, sets) if hidden else (1, 1, sets))
        heat = course.heat(step)
        (_one_by_one if accel.enabled() else _abreast)(
            self._precision,
            self._own,
            self._logs,
            self._allowed,
            self._of,
            first,
            second,
            third,
            -2.0 * np.log(np.maximum(drawn[4], 1e-300)) * heat[:, None],
            heat * sets,
            np.sqrt(heat),
            normal,
            course.counts(step),
            self._slots,
            self._value,
            self._pull,
            self.count,
        )

    def often(self) -> np.ndarray:
        """How often each record is with each person; chains that fit less well count less."""
        course, files = self._course, self._files
        energy = (self._energy / max(self._looks, 1)).reshape(files, course.chains)
        worse = energy - energy.min(axis=1, keepdims=True)
        weight = np.exp(-0.5 * worse / (_WORSE * course.temperature))
        weight /= weight.sum(axis=1, keepdims=True)
        count = self.count[:, : self._records, : self._people] / course.counted
        shape = files, course.chains, self._records, self._people
        return np.einsum("fc,fcrp->frp", weight, count.reshape(shape))

    def _proposed(self, drawn: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Two or three slots for each step; -1 for no third."""
        lists, of = self._lists, self._of
        at = (drawn[0] * lists.number[of]).astype(np.int64)
        first = lists.free[of, at]
        choice = lists.choice[of, first]
        second = lists.others[of, first, (drawn[1] * choice).astype(np.int64)]
        third = np.full(first.shape, -1)
        if self._three:
            three = drawn[2] < _THREE
            number = lists.people[of]
            first = np.where(three, lists.free[of, (drawn[0] * number).astype(np.int64)], first)
            also = lists.free[of, (drawn[1] * number).astype(np.int64)]
            second = np.where(three, also, second)
            nobody = len(self._mean) - self._people
            third[three] = self._people + (drawn[3][three] * nobody).astype(np.int64)
        return first, second, third

    def _flip(self, step: int) -> None:
        """Exchange the sides of fields where that fits better, or not much worse."""
        apart = self._value - self._mean
        pull = np.matmul(apart, self._precision)
        now = (apart * pull).sum(axis=2)
        other = 2 * (self._middle - self._mean) - apart
        other_pull = np.matmul(other, self._precision)
        then = (other * other_pull).sum(axis=2)
        room = -2.0 * np.log(np.maximum(self._rng.random(now.shape), 1e-300))
        turned = then - now <= room * float(self._course.heat(np.array([step]))[0])
        self._value[turned] = 2 * self._middle - self._value[turned] + 0.0
        self._pull[:] = np.where(turned[:, :, None], other_pull, pull)
        if step >= self._course.steps // 2:
            self._energy += np.where(turned, then, now).sum(axis=1)
            self._looks += 1


@dataclass(frozen=True, eq=False)
class _Lists:
    """Slots to choose among, of each file.

    Attributes
    ----------
    free, number : (f, n) and (f,) int arrays
        Slots whose content may change, first those of people, and how many they are.
    people : (f,) int array
        How many of them are those of people.
    others, choice : (f, n, n) and (f, n) int arrays
        Slots that each may exchange with, and how many they are.
    """

    free: np.ndarray
    number: np.ndarray
    people: np.ndarray
    others: np.ndarray
    choice: np.ndarray


def _lists(starts: Sequence[FieldStart], free: np.ndarray, nobody: int) -> _Lists:
    """List who may exchange: people of the same labels, and with whoever is not known all of them.

    Of two slots each is in the list of the other, so that no way is tried oftener than its reverse.
    """
    people = free.shape[1] - nobody
    fits = np.zeros((*free.shape, free.shape[1]), dtype=bool)
    for fit, one in zip(fits, starts):
        fit[:people, :people] = one.kinds[:, None] == one.kinds
        fit[:people, people:] = fit[people:, :people] = True
    fits &= free[:, :, None] & free[:, None, :]
    return _Lists(
        np.argsort(~free, axis=1, kind="stable"),
        np.count_nonzero(free, axis=1),
        np.count_nonzero(free[:, :people], axis=1),
        np.argsort(~fits, axis=2, kind="stable"),
        np.count_nonzero(fits, axis=2),
    )


@accel.kernel
def _one_by_one(
    precision,
    own,
    logs,
    allowed,
    of,
    firsts,
    seconds,
    thirds,
    rooms,
    worths,
    spreads,
    normal,
    counts,
    slots,
    value,
    pull,
    count,
):
    """Take the steps of one chain after the other."""
    sets, size = value.shape[1], value.shape[2]
    hidden, nobody = count.shape[1] - 1, count.shape[2] - 1
    here, there, more = np.zeros(sets), np.zeros(sets), np.zeros(sets)
    for chain in range(len(of)):
        may = allowed[of[chain]]
        slot, seen, pulls = slots[chain], value[chain], pull[chain]
        for t in range(len(firsts)):
            a, b, c = firsts[t, chain], seconds[t, chain], thirds[t, chain]
            if slot[a] == hidden and slot[b] != hidden:
                a, b = b, a
            one, other = slot[a], slot[b]
            three, unseen = c >= 0, other == hidden
            anew = unseen and one == hidden
            if anew:
                b = a
            if three:
                possible = unseen and not anew and may[slot[c], b] and may[one, c]
            else:
                possible = anew or (a != b and may[one, b] and may[other, a])
            if possible:
                gain = 0.0
                for s in range(sets):
                    # What each slot gets more; where the value will be unseen, that is drawn below.
                    ea = 0.0 if unseen else seen[s, b] - seen[s, a]
                    eb = (seen[s, c] if three else seen[s, a]) - seen[s, b]
                    ec = seen[s, a] - seen[s, c] if three else 0.0
                    change = ea * (2.0 * pulls[s, a] + ea * own[a])
                    change += eb * (2.0 * pulls[s, b] + eb * own[b])
                    change += 2.0 * ea * eb * precision[a, b]
                    if three:
                        change += ec * (2.0 * pulls[s, c] + ec * own[c])
                        change += 2.0 * eb * ec * precision[b, c]
                    if unseen:
                        left = pulls[s, a] + eb * precision[b, a]
                        if three:
                            left += ec * precision[c, a]
                        change += pulls[s, b] * pulls[s, b] / own[b] - left * left / own[a]
                        spread = normal[t, chain, s] * spreads[t] / np.sqrt(own[a])
                        ea = spread - left / own[a]
                    gain += change
                    here[s], there[s], more[s] = ea, eb, ec
                if unseen and not anew:
                    gain += worths[t] * (logs[a] - logs[b])
                if gain <= rooms[t, chain]:
                    for s in range(sets):
                        ea, eb, ec = here[s], there[s], more[s]
                        if three:
                            for v in range(size):
                                pulls[s, v] += (
                                    ea * precision[a, v] + eb * precision[b, v]
                                ) + ec * precision[c, v]
                            seen[s, c] += ec
                        else:
                            for v in range(size):
                                pulls[s, v] += ea * precision[a, v] + eb * precision[b, v]
                        seen[s, a] += ea
                        seen[s, b] += eb
                    if three:
                        slot[b] = slot[c]
                        slot[c] = one
                        slot[a] = hidden
                    else:
                        slot[a], slot[b] = other, one
            if counts[t]:
                for v in range(nobody):
                    count[chain, slot[v], v] += 1.0


def _abreast(
    precision,
    own,
    logs,
    allowed,
    of,
    firsts,
    seconds,
    thirds,
    rooms,
    worths,
    spreads,
    normal,
    counts,
    slots,
    value,
    pull,
    count,
):
    """Take one step of all chains after the other; the same as :func:`_one_by_one`."""
    hidden, nobody = count.shape[1] - 1, count.shape[2] - 1
    every, people = np.arange(len(of)), np.arange(nobody)
    for t in range(len(firsts)):
        a, b, c = firsts[t], seconds[t], thirds[t]
        turn = (slots[every, a] == hidden) & (slots[every, b] != hidden)
        a, b = np.where(turn, b, a), np.where(turn, a, b)
        one, other = slots[every, a], slots[every, b]
        three, unseen = c >= 0, other == hidden
        anew = unseen & (one == hidden)
        b, c = np.where(anew, a, b), np.where(three, c, 0)
        swap = (a != b) & allowed[of, one, b] & allowed[of, other, a]
        cycle = unseen & ~anew & allowed[of, slots[every, c], b] & allowed[of, one, c]
        some = np.flatnonzero(np.where(three, cycle, anew | swap))
        if len(some):
            lanes = some, a[some], b[some], c[some]
            how = three[some], unseen[some], unseen[some] & ~anew[some]
            drawn = rooms[t, some], worths[t], spreads[t], normal[t % len(normal)]
            _moved(precision, own, logs, lanes, how, drawn, slots, value, pull)
        if counts[t]:
            count[every[:, None], slots[:, :nobody], people] += 1.0


def _moved(precision, own, logs, lanes, how, drawn, slots, value, pull) -> None:
    """Try one move of some chains: which, and their slots; three of them, unseen, to elsewhere."""
    (chain, a, b, c), (three, unseen, elsewhere) = lanes, how
    room, worth, spread, normal = drawn
    is_three, is_unseen = three[:, None], unseen[:, None]
    seen_a, seen_b, seen_c = value[chain, :, a], value[chain, :, b], value[chain, :, c]
    pull_a, pull_b, pull_c = pull[chain, :, a], pull[chain, :, b], pull[chain, :, c]
    own_a, own_b, own_c = own[a][:, None], own[b][:, None], own[c][:, None]
    ea = np.where(is_unseen, 0.0, seen_b - seen_a)
    eb = np.where(is_three, seen_c, seen_a) - seen_b
    ec = np.where(is_three, seen_a - seen_c, 0.0)
    change = ea * (2.0 * pull_a + ea * own_a)
    change += eb * (2.0 * pull_b + eb * own_b)
    change += 2.0 * ea * eb * precision[a, b][:, None]
    if three.any():
        change += ec * (2.0 * pull_c + ec * own_c)
        change += 2.0 * eb * ec * precision[b, c][:, None]
    if unseen.any():
        left = pull_a + eb * precision[b, a][:, None]
        left += ec * precision[c, a][:, None]
        change += np.where(is_unseen, pull_b * pull_b / own_b - left * left / own_a, 0.0)
        hidden = normal[chain] * spread / np.sqrt(own_a) - left / own_a
        ea = np.where(is_unseen, hidden, ea)
    gain = np.zeros(len(chain))
    for one in change.T:
        gain += one
    gain += np.where(elsewhere, worth * (logs[a] - logs[b]), 0.0)
    kept = np.flatnonzero(gain <= room)
    if not len(kept):
        return
    chain, a, b, c, three = chain[kept], a[kept], b[kept], c[kept], three[kept]
    ea, eb, ec = ea[kept], eb[kept], ec[kept]
    more = ea[:, :, None] * precision[a][:, None] + eb[:, :, None] * precision[b][:, None]
    if three.any():
        more += ec[:, :, None] * precision[c][:, None]
    pull[chain] += more
    value[chain, :, c] += ec  # nothing, where there is no third
    value[chain, :, a] += ea
    value[chain, :, b] += eb
    one, other, third = slots[chain, a], slots[chain, b], slots[chain, c]
    slots[chain, a], slots[chain, b] = other, np.where(three, third, one)
    slots[chain[three], c[three]] = one[three]
