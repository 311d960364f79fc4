# SPDX-License-Identifier: GPL-2.0-or-later
"""Records of one home that a tool has moved each by itself: they lie round it, and give it away together.

Masks that keep their draws move all records of a home to one point. Others draw for each record, and
then several points lie on a ring (or in a disc) round one address. Nobody has to tell which belong
together: who knows the law looks for addresses round which too many points lie. An address c is a home of
the file with odds o(c) (:mod:`.home_rates`), and a home has k records with probability p(k)
(:mod:`.record_counts`); so the next record is from c, where n others are, with a weight of

    f(y | c) o(c) p(1)  for n = 0,    f(y | c) (n + 1) p(n + 1) / p(n)  else              (1)

By Gibbs sampling each record in turn is put at an address by (1), the records of two homes are dealt out
anew (:mod:`.home_pairs`), all records of an address move together to another one that explains them all,
and o and p are drawn by where records are. So the points
themselves say whether homes have several of them; where each has one, next to nothing is put together.

What is believed is the mean of how likely that move makes each address (Rao-Blackwell), not of where records
have been: of many addresses that are nearly alike the one that came up most is named, and would be believed too much.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...runtime import accel
from ...runtime.progress import Progress, silent
from .home_pairs import Explaining, deal
from .home_rates import HomeRates
from .likelihood import Likelihood
from .record_counts import RecordCounts

#: Times that each record is put somewhere after each beginning, of which the first do not count; how
#: many beginnings there are at most, and how often records are put somewhere in all. With few beginnings
#: those who are together by chance in them would be believed to be too much.
_SWEEPS, _FIRST, _BEGINNINGS, _IN_ALL = 100, 40, 12, 1_200_000
#: Records that are put somewhere between two looks at whether to stop.
_AT_ONCE = 2_000


@dataclass(frozen=True, eq=False)
class OwnDraws:
    """What records that were each moved by itself tell.

    Attributes
    ----------
    likelihood : Likelihood
        The same pairs, or fewer, with probabilities that add up to one for each record that has any.
    shared : (draws,) array
        Share of the records that are not the first of their home, in each draw.
    home : (n,) int array
        The candidate of each record in the last draw, -1 where nothing explains it: who is where
        together.
    """

    likelihood: Likelihood
    shared: np.ndarray
    home: np.ndarray


def of_own_draws(
    likelihood: Likelihood,
    candidates: np.ndarray,
    weight: np.ndarray | None,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> OwnDraws:
    """Probability of each candidate of each record, where every record was drawn by itself.

    Parameters
    ----------
    likelihood : Likelihood
        Of the records.
    candidates : (m, 2) array
        In metres of a plane.
    weight : (m,) array or None
        Of the candidates: how likely each is beforehand.
    rng : numpy.random.Generator
    progress : callable
    """
    own = np.ones(likelihood.candidates) if weight is None else np.asarray(weight, dtype=float)
    likelihood = likelihood.with_values(likelihood.value * (own[likelihood.candidate] > 0))
    there = np.flatnonzero(np.diff(likelihood.first))
    if len(there) < 2:
        alone = likelihood.with_values(likelihood.value * own[likelihood.candidate])
        return OwnDraws(alone, np.zeros(1), np.arange(likelihood.points))
    rates = HomeRates(candidates, own / own.mean(), len(there))
    beginnings = int(np.clip(_IN_ALL / _SWEEPS / len(there), 1, _BEGINNINGS))
    seen, shared = np.zeros(len(likelihood.value)), []
    for one in range(beginnings):
        sampler = _Sampler(likelihood, rates, there, rng)
        for number in range(_SWEEPS):
            fraction = (one * _SWEEPS + number) / (beginnings * _SWEEPS)
            sampler.sweep(seen if number >= _FIRST else seen[:0], progress, fraction)
            if number >= _FIRST:
                shared.append(1.0 - len(np.unique(sampler.at[there])) / len(there))
    progress(1.0)
    return OwnDraws(likelihood.with_values(seen / len(shared)), np.array(shared), sampler.at)


class _Sampler:
    """Where all records are, and what follows for the next.

    Attributes
    ----------
    at : (n,) int array
        Candidate of each record; -1 where it is nowhere.
    """

    def __init__(
        self,
        likelihood: Likelihood,
        rates: HomeRates,
        rows: np.ndarray,
        rng: np.random.Generator,
    ) -> None:
        self._of, self._rates, self._rows, self._rng = likelihood, rates, rows, rng
        self._log = np.log(likelihood.value)
        self._counts, self._explaining = RecordCounts(), Explaining(likelihood)
        self.at = np.full(likelihood.points, -1)
        self._count = np.zeros(likelihood.candidates, dtype=np.int64)
        # Logarithms of all records of one home, and how many they are.
        self._sum = np.zeros(likelihood.candidates)
        self._hits = np.zeros(likelihood.candidates, dtype=np.int64)

    def sweep(self, seen: np.ndarray, progress: Progress, fraction: float) -> None:
        """Put each record somewhere, deal out and move those of homes, and draw o and p.

        Parameters
        ----------
        seen : (p,) array
            Probabilities are added; of no length where they do not count.
        progress : callable
        fraction : float
            What is told.
        """
        of, odds, gain, rng = self._of, self._rates.odds, self._counts.gain, self._rng
        most = len(gain) - 1
        worth = np.where(self._count == 0, odds * gain[0], gain[np.minimum(self._count, most)])
        pairs = of.first, of.candidate
        order, uniforms = rng.permutation(self._rows), rng.random(len(self._rows))
        for start in range(0, len(order), _AT_ONCE):
            progress(fraction)
            some = slice(start, start + _AT_ONCE)
            state = self.at, self._count, worth, odds, gain
            _put(order[some], uniforms[some], *pairs, of.value, *state)
        worths = np.concatenate([[0.0], np.cumprod(gain[:12])])
        told = self._of, self._explaining, self.at, self._count, odds, worths, rng
        dealt = order[: _IN_ALL // _SWEEPS]
        for start in range(0, len(dealt), _AT_ONCE // 4):
            progress(fraction)
            deal(dealt[start : start + _AT_ONCE // 4], *told)
        rows = self._rows[np.argsort(self.at[self._rows], kind="stable")]
        many = np.bincount(self.at[rows])
        homes = np.flatnonzero(many)
        begin = np.cumsum(many[homes]) - many[homes]
        uniforms = rng.random(len(homes))
        for start in range(0, len(homes), _AT_ONCE // 4):
            progress(fraction)
            now = slice(start, start + _AT_ONCE // 4)
            groups = rows, begin[now], many[homes[now]], uniforms[now]
            added = self._sum, self._hits, seen
            _move(*groups, *pairs, self._log, self.at, self._count, odds, *added)
        homes = np.flatnonzero(self._count)
        self._counts.draw(self._count[homes], rng)
        self._rates.draw(homes, rng)


@accel.kernel
def _put(rows, uniforms, first, candidate, value, at, count, worth, odds, gain):
    """Put each record somewhere, given all others."""
    most = len(gain) - 1
    for number in range(len(rows)):
        row = rows[number]
        begin, end = first[row], first[row + 1]
        own, old = candidate[begin:end], at[row]
        if old >= 0:
            count[old] -= 1
            worth[old] = gain[min(count[old], most)] if count[old] else odds[old] * gain[0]
        total = np.cumsum(value[begin:end] * worth[own])
        place = np.searchsorted(total, uniforms[number] * total[-1])
        to = own[min(place, end - begin - 1)]
        at[row] = to
        count[to] += 1
        worth[to] = gain[min(count[to], most)]


@accel.kernel
def _move(rows, begin, many, uniforms, first, candidate, log, at, count, odds, added, hits, seen):
    """Draw another address for all records of one, by what explains them all; how likely each is, is added."""
    for group in range(len(begin)):
        here = rows[begin[group] : begin[group] + many[group]]
        home = at[here[0]]
        for row in here:
            pairs = candidate[first[row] : first[row + 1]]
            added[pairs] += log[first[row] : first[row + 1]]
            hits[pairs] += 1
        own = candidate[first[here[0]] : first[here[0] + 1]]
        # To where others are already it would be no move that can be undone.
        own = own[(hits[own] == len(here)) & ((count[own] == 0) | (own == home))]
        told = added[own]
        total = np.cumsum(np.exp(told - told.max()) * odds[own])
        place = np.searchsorted(total, uniforms[group] * total[-1])
        to = own[min(place, len(own) - 1)]
        for row in here:
            pairs = candidate[first[row] : first[row + 1]]
            added[pairs] = 0.0
            hits[pairs] = 0
        if len(seen):
            total /= total[-1]
            added[own] = total
            added[own[1:]] -= total[:-1]
            for row in here:
                pairs = candidate[first[row] : first[row + 1]]
                seen[first[row] : first[row + 1]] += added[pairs]
            added[own] = 0.0
        at[here] = to
        count[home] = 0
        count[to] = len(here)
