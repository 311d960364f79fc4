# SPDX-License-Identifier: GPL-2.0-or-later
"""Where people of which labels live, by those who are known: how likely a stranger stands there.

A record that stands where a known person lives is that person, or a stranger of the same labels who
lives there, too. How densely strangers live is told by the known people, and only in part: they live in
houses, villages and towns, or on an even grid, and labels may go with places (a family, a school, the
age of a new quarter), and nobody says at what scale. So everybody known is taken for the middle of
several kernels, of widths of his own (as far as his 4th, 10th ... neighbour; Breiman, Meisel & Purcell
1977, Technometrics 19:2) and of widths that all share, each once with labels as frequent as anywhere
and once with his own labels. How much each of these counts is what makes the known people themselves
likeliest, **each as he would be seen, with the error of a place, by all others but himself** (leave-one-out
likelihood; Habbema, Hermans & van den Broek 1974). So the law foretells the next person, who is what
a stranger is, and it says as much of houses and villages as there is to be said. Whether labels go with
places at all is asked first, and both answers count by how probable they are (Schwarz 1978): weights
are never below zero, so that chance alone would always make some, and all matches doubtful.

A family of whom two are known has not twice as many strangers as one of whom one is: who is known says
that there is a family, hardly how large it is. So there are kernels of one's own labels, too, that all who
share a place and a label have together; villages of one label have the others. By the latter alone strangers
were too few by a fifth where most claims are, next door to those of whose family nobody else is known.
"""

from __future__ import annotations

import numpy as np

from ...runtime.progress import Progress, chunks, part, silent
from .reconstruction import squares

#: Neighbours as far as whom kernels reach. Nearer ones say little of how densely people live.
_NEIGHBOURS = (4, 10, 25, 64)
#: The narrowest of the widths that all share, in errors of a place, and how much wider each other is.
_FINEST, _WIDER = 0.1, 2.5
#: Rounds that fit weights, and people that all weights together are taken to have seen beforehand.
_ROUNDS, _PRIOR = 200, 0.2
#: People that the weights are fitted to at most; those by whom it is told how well a map is held; those
#: looked at in one go.
_FITTED, _HELD, _AT_ONCE = 1000, 250, 256
#: By how much kernels of one's own labels may count more or less than is likeliest.
_TIMES = np.array([0.25, 0.5, 0.7, 0.85, 1.0, 1.15, 1.3, 1.6, 2.0])
#: Weight below which a kernel makes no difference.
_NOTHING = 1e-3
#: Least that rounding leaves of one person.
_ALONE = 0.5
#: How many of a label are taken to have been seen beforehand.
_SEEN = 0.5
#: Points in whose place a normal error on both axes may be put, in its standard deviations: up to
#: the third moments they are the same (Stroud 1957).
_AROUND = np.sqrt(2.0) * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])


def gaussian(off: np.ndarray, variance: np.ndarray | float) -> np.ndarray:
    """Density in the plane, by the square of the distance and the variance on either axis."""
    return np.exp(-off / (2 * variance)) / (2 * np.pi * variance)


def mixture(densities: np.ndarray, prior: float = _PRIOR) -> np.ndarray:
    """Return the weights that make what was seen likeliest, by expectation and maximization.

    Parameters
    ----------
    densities : (c, m) array
        Of each of m things seen under each of c laws.
    prior : float
        Things that all laws together are taken to have seen beforehand, as many each.

    Returns
    -------
    (c,) array
        One in sum.
    """
    number, seen = densities.shape
    scaled = densities / np.maximum(densities.max(axis=0), 1e-300)
    weights = np.full(number, 1 / number)
    for _ in range(_ROUNDS):
        parts = weights[:, None] * scaled
        parts /= np.maximum(parts.sum(axis=0), 1e-300)
        weights = (parts.sum(axis=1) + prior / number) / (seen + prior)
    return weights / weights.sum()


def _logs(weights: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Logarithm of the density of each person, the mean of the places he may be seen at."""
    density = weights.ravel() @ seen.reshape(weights.size, -1)
    return np.log(np.maximum(density, 1e-300)).reshape(seen.shape[-2:]).mean(axis=0)


class Population:
    """The law of where people of which labels live.

    Parameters
    ----------
    known : (n, 2) array
        Map of the known people.
    kind : (n,) int array
        Their labels, numbered; -1 for none.
    error : float
        Standard deviation of a place on either axis, in the map's unit.
    progress : Progress

    Attributes
    ----------
    weights : (kernels, 3) array
        How much each kernel counts, with labels as frequent as anywhere, with one's own, and with one's
        own where a family counts once, however many of it are known.
    often : (2, s) array
        By how much more or less, in all, the latter may count, and how probable that is.
    usual : (float, float)
        Mean and standard deviation of the logarithm of :meth:`density` where strangers stand.
    hold : float
        How well a stranger says where a map lies, in matches that are sure, at least.
    """

    def __init__(
        self, known: np.ndarray, kind: np.ndarray, error: float, progress: Progress = silent
    ) -> None:
        self._known, self._kind = known, kind
        number = len(known)
        self._many = np.bincount(kind[kind >= 0], minlength=1).astype(np.float64)
        self._labels = np.count_nonzero(self._many) + bool((kind < 0).any())
        ranks = [rank for rank in _NEIGHBOURS if rank < number - 1]
        # A kernel of who is left out reaches as far as the next neighbour.
        own = np.full((len(ranks), 2, number), np.inf)
        for rows in chunks(number, _AT_ONCE, silent):
            off = squares(known[rows], known)
            off[np.arange(len(off)), np.arange(number)[rows]] = np.inf
            if ranks:
                off.partition([*ranks, *(rank - 1 for rank in ranks)], axis=1)
            for place, rank in enumerate(ranks):
                own[place][:, rows] = off[:, [rank - 1, rank]].T
        widest = max(float(known.var(axis=0).mean()), error**2)
        steps = max(int(np.ceil(np.log(widest / (_FINEST * error) ** 2) / np.log(_WIDER**2))), 1)
        shared = (_FINEST * error) ** 2 * _WIDER ** (2.0 * np.arange(steps + 1))
        self._widths = [*own[:, 0], *(np.full(number, one) for one in shared)]
        left_out = [*own[:, 1], *self._widths[len(ranks) :]]
        self._crowds = [
            np.ones(number) if at < len(ranks) else self._crowd(width)
            for at, width in enumerate(self._widths)
        ]
        self.often = np.array([[1.0], [1.0]])
        self.usual, self.hold = (0.0, np.inf), 0.0
        self.weights = self._fitted(left_out, error, progress)

    def _crowd(self, width: np.ndarray) -> np.ndarray:
        """How many of a person's labels live within the width of a kernel, himself with them."""
        found = np.empty(len(self._known))
        for rows in chunks(len(found), _AT_ONCE, silent):
            same = self._kind[rows][:, None] == self._kind
            near = np.exp(-squares(self._known[rows], self._known) / (4 * width))
            found[rows] = (near * same).sum(axis=1)
        return found

    def _share(self, kind: np.ndarray, others: int) -> np.ndarray:
        """How frequent labels are among so many people, one of each label fewer if one is left out."""
        fewer = len(self._known) - others
        return (self._many[kind] - fewer + _SEEN) / (others + _SEEN * self._labels)

    def _seen(self, people, shifts, left_out, error: float, progress: Progress) -> np.ndarray:
        """Density of people, moved by each shift, under each kernel without themselves.

        Returns
        -------
        (kernels, 3, shifts, people) array
        """
        others = len(self._known) - 1
        seen = np.zeros((len(self._widths), 3, len(shifts), len(people)))
        for at in chunks(len(people), _AT_ONCE, progress):
            rows = people[at]
            own = np.arange(len(rows)), rows
            apart = squares(self._known[rows], self._known)
            same = self._kind[rows][:, None] == self._kind
            share = self._share(self._kind[rows], others)
            off = [squares(self._known[rows] + shift, self._known) for shift in shifts]
            for kernel, (width, wider) in enumerate(zip(self._widths, left_out)):
                reach = width if width is wider else np.where(apart <= width, wider, width)
                alone = np.zeros((0, 0))
                if width is wider:
                    crowd = self._crowds[kernel] - same * np.exp(-apart / (4 * width))
                    crowd[own] = np.inf
                    alone = 1 / np.maximum(crowd, _ALONE)
                    alone *= same / alone.sum(axis=1, keepdims=True)
                for place, one in enumerate(off):
                    density = gaussian(one, reach + error**2)
                    density[own] = 0.0
                    seen[kernel, 0, place, at] = density.sum(axis=1) / others * share
                    seen[kernel, 1, place, at] = (density * same).sum(axis=1) / others
                    if alone.size:
                        seen[kernel, 2, place, at] = (density * alone).sum(axis=1)
        return seen

    def _fitted(self, left_out: list[np.ndarray], error: float, progress: Progress) -> np.ndarray:
        number = len(self._known)
        people = np.flatnonzero(self._kind >= 0)
        people = people[:: max(-(-len(people) // _FITTED), 1)]
        if number < 2 or not len(people):
            return np.full((len(self._widths), 3), 1 / 3 / len(self._widths))
        seen = self._seen(people, error * _AROUND, left_out, error, part(progress, 0, 0.8))
        kernels = len(self._widths)
        anyhow, own = (
            mixture(seen[:, 0].reshape(kernels, -1)),
            mixture(seen.reshape(3 * kernels, -1)),
        )
        # Some neighbours of one label there are by chance, and a kernel is found that explains them.
        logs = [_logs(anyhow, seen[:, 0]).sum(), _logs(own, seen).sum()]
        more = np.count_nonzero(own.reshape(-1, 3)[:, 1:] * len(people) >= 1)
        gain = logs[1] - logs[0] - 0.5 * max(more, 1) * np.log(len(people))
        chance = 1 / (1 + np.exp(-np.clip(gain, -700, 700)))
        weights = chance * own.reshape(-1, 3)
        weights[:, 0] += (1 - chance) * anyhow
        self.often = self._often(weights, seen)
        there = _logs(weights, seen)
        self.usual = float(there.mean()), float(there.std())
        # A map that lies wrong moves places once more by as much as they err.
        some = np.arange(len(people))[:: max(-(-len(people) // _HELD), 1)]
        away = np.sqrt(2.0) * error * _AROUND
        moved = self._seen(people[some], away, left_out, error, part(progress, 0.8, 1))
        less = there[some] - _logs(weights, moved)
        # Held is only what is so beyond doubt: on even land a map can be laid anywhere.
        self.hold = max(0.0, float(less.mean() - 2 * less.std() / np.sqrt(len(less))))
        return weights

    @staticmethod
    def _often(weights: np.ndarray, seen: np.ndarray) -> np.ndarray:
        """How much the kernels of one's own labels may count in all, and how likely each is."""
        total = float(weights[:, 1:].sum())
        if total < _NOTHING:
            return np.array([[1.0], [1.0]])
        times = _TIMES[_TIMES * total < 1.0]
        anyhow, own = (
            weights[:, at].ravel() @ seen[:, at].reshape(weights[:, at].size, -1)
            for at in (slice(1), slice(1, None))
        )
        logs = np.array(
            [
                np.log(np.maximum((1 - k * total) / (1 - total) * anyhow + k * own, 1e-300)).sum()
                for k in times
            ]
        )
        # Of two who share a place and a label, each is foretold by the other: that is one thing seen.
        likely = np.exp((logs - logs.max()) / (2 * len(_AROUND)))
        return np.stack([times, likely / likely.sum()])

    def density(
        self,
        places: np.ndarray,
        variance: float,
        target: np.ndarray,
        identification: np.ndarray,
        progress: Progress = silent,
    ) -> np.ndarray:
        """Density at which strangers of each record's labels live where it stands.

        Parameters
        ----------
        places : (n1, 2) array
        variance : float
            Of places on either axis.
        target, identification : (v,) int arrays
            Who has the same labels.
        progress : Progress

        Returns
        -------
        (s, n1) array
            Probability per area that somebody else has these labels and is seen there, for each of
            :attr:`often`. Of no meaning for a record whose labels nobody has.
        """
        records, number = len(places), len(self._known)
        alike = ((places[target] - self._known[identification]) ** 2).sum(axis=1)
        share = np.zeros(records)
        share[target] = self._share(self._kind[identification], number)
        anyhow, own = np.full(records, 1e-300), np.zeros(records)
        widest = len(self._widths) - 1
        for kernel, (width, (first, *second)) in enumerate(zip(self._widths, self.weights)):
            steps = part(progress, kernel / (widest + 1), (kernel + 1) / (widest + 1))
            if first > _NOTHING or kernel == widest:
                for rows in chunks(records, _AT_ONCE, steps):
                    density = gaussian(squares(places[rows], self._known), width + variance)
                    anyhow[rows] += first * density.sum(axis=1) / number * share[rows]
            if sum(second) > _NOTHING:
                alone = 1 / self._crowds[kernel]
                weight = second[0] / number + second[1] * alone / alone.sum()
                density = weight[identification] * gaussian(alike, width[identification] + variance)
                own += np.bincount(target, density, minlength=records)
        times, total = self.often[0][:, None], float(self.weights[:, 1:].sum())
        if len(times) == 1:
            return (anyhow + own)[None]
        return (1 - times * total) / (1 - total) * anyhow + times * own
