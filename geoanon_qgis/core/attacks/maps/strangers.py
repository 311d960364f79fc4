# SPDX-License-Identifier: GPL-2.0-or-later
"""How densely others live who could be taken for a known person: same labels, same place.

A record that stands where a known person lives is that person, or a stranger of the same labels who
lives there. How many of these there are is told by the known people themselves. Two things make
them more than the density of the population says. People live in villages and houses, so that there
are more of them within the error of a place than within a wider circle. And labels may go with
places (an ethnic group, a school, the age of a new quarter): then a stranger next door has the same
labels far more often than one elsewhere.
"""

from __future__ import annotations

import numpy as np

from .reconstruction import squares
from .registration import density_within

#: Neighbours among whom people of the same labels are counted: in a hamlet and in a quarter.
_AROUND = (5, 20)
#: Shapes of the law of how much oftener labels occur in one place than elsewhere; the last: nowhere.
_SHAPES = 10.0 ** np.arange(-2.0, 3.01, 0.25)


class Strangers:
    """Counts known people round places, and those of the same labels among them.

    Parameters
    ----------
    known : (n2, 2) array
        Map of the known people.
    target, identification : (v,) int arrays
        Candidate matches: who has the same labels.
    count : int
        Released records.

    Attributes
    ----------
    shapes : tuple of float
        How evenly labels are spread among so many neighbours (:data:`_AROUND`): the rate of a label at
        a place, against that in the whole file, is taken to be gamma distributed with this shape and a
        mean of one. Infinite where labels do not go with places.

    Notes
    -----
    The shape is that under which the counts of people of the same labels among the neighbours of all
    known people are likeliest. Where somebody of a label lives the label is frequent (size bias), so
    that those counts are negative binomial with a shape of one more. For the same reason, of a
    stranger who stands where a known person lives, the expected rate is
    :math:`(m + 1 + a) / (k p + a)` where m of k neighbours have the label, p of all people do, and a
    is the shape: who is to be told from the stranger counts as one of the label. The highest of
    these rates counts, as nobody knows how wide a place is.
    """

    def __init__(
        self, known: np.ndarray, target: np.ndarray, identification: np.ndarray, count: int
    ) -> None:
        self._known, self._target, self._identification = known, target, identification
        self._count = count
        alike = np.bincount(target, minlength=count)[target]
        # Of all others; where a label has one person only, the next may be expected to be the first.
        self._share = np.maximum(alike - 1, 0.5) / max(len(known) - 1, 1)
        self.shapes = tuple(self._fitted(number) for number in _AROUND)

    def density(self, places: np.ndarray, variance: np.ndarray, kernel) -> np.ndarray:
        """Density at which strangers of the same labels live where each candidate's record stands.

        Parameters
        ----------
        places : (n1, 2) array
            Where records stand.
        variance : float or (n1,) array
            Of their places on either axis.
        kernel : callable
            Density of a place's error, by its square and the variance.

        Returns
        -------
        (v,) array
            In parts of the density of all people, whatever their labels, as a probability; times the
            share of the labels it is that of strangers of these labels.
        """
        off, target = squares(places, self._known), self._target
        spread = np.broadcast_to(variance, len(places))
        own = off[target, self._identification]
        wide = density_within(off, 2 * np.sqrt(spread))
        close = kernel(off, spread[:, None]).sum(axis=1)[target] - kernel(own, spread[target])
        return np.maximum(wide[target], close / len(self._known)) * self._rate(off, own, spread)

    def _rate(self, off: np.ndarray, own: np.ndarray, spread: np.ndarray) -> np.ndarray:
        """How much oftener a stranger there has the labels than one elsewhere."""
        rates = [np.ones(len(own))]
        for number, shape in zip(_AROUND, self.shapes):
            if np.isfinite(shape):
                rates.append(self._rate_among(number, shape, off, own, spread))
        return np.max(rates[1:] or rates, axis=0)

    def _rate_among(self, number: int, shape: float, off, own, spread) -> np.ndarray:
        rank, target = min(number, len(self._known) - 1), self._target
        reach = np.maximum(np.partition(off, rank, axis=1)[:, rank], 4 * spread)
        inside = own <= reach[target]
        around = (off <= reach[:, None]).sum(axis=1)[target] - inside
        alike = np.bincount(target, inside, minlength=self._count)[target] - inside
        return (alike + 1 + shape) / (around * self._share + shape)

    def _fitted(self, neighbours: int) -> float:
        number = len(self._known)
        rank = min(neighbours, number - 1)
        kind = np.full(number, -1)
        kind[self._identification] = self._target  # of all of one label the same record's, the last
        labelled = np.flatnonzero(kind >= 0)
        many = np.bincount(kind[labelled], minlength=1)[kind[labelled]]
        some, many = labelled[many > 1], many[many > 1]
        if rank < 1 or not len(some):
            return np.inf
        off = squares(self._known[some], self._known)
        off[np.arange(len(some)), some] = np.inf
        near = np.argpartition(off, rank - 1, axis=1)[:, :rank]
        alike = (kind[near] == kind[some][:, None]).sum(axis=1)
        usual = rank * (many - 1) / (number - 1)
        likely = [_likelihood(alike, usual, one) for one in _SHAPES]
        best = int(np.argmax(likely))
        return np.inf if best == len(_SHAPES) - 1 else float(_SHAPES[best])


def _likelihood(alike: np.ndarray, usual: np.ndarray, shape: float) -> float:
    """Logarithm, of a negative binomial law of shape + 1 whose rate is gamma's of this shape."""
    from scipy.special import gammaln

    number = shape + 1
    found = gammaln(alike + number) - gammaln(number)
    found = (
        found + number * np.log(shape / (shape + usual)) + alike * np.log(usual / (shape + usual))
    )
    return float(found.sum())
