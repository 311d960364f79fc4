# SPDX-License-Identifier: GPL-2.0-or-later
"""Records of one home that a tool has moved each by itself: they lie round it, and give it away together.

Masks that keep their draws move all records of a home to one point. Others draw for each record, and
then several points lie on a ring (or in a disc) round one address. Nobody has to tell which belong
together: who knows the law looks for addresses round which too many points lie. How many records each
address has is taken to be negative binomial, with a mean by its weight and a dispersion r that is worked
out, too, so that the next record is from address c with

    P(c | where the others are) = (n_c + r w_c) / (n - 1 + r sum of w)                   (1)

for n_c of the others there. By Gibbs sampling each record in turn is put at an address by (1) times its
likelihood, all records of an address move together to another one that explains them all, and r is drawn
by how records share addresses. A small r means that few homes have many records; a large one that each
record is of a home of its own, as good as.
"""

from __future__ import annotations

import math

import numpy as np

from ...runtime.progress import Progress, silent
from ...space.points import build_tree
from .likelihood import Likelihood

#: Times that each record is put somewhere, at least and at most, and how often in all; those of the
#: beginning do not count.
_LEAST, _MOST, _IN_ALL, _BEGIN = 60, 240, 300_000, 0.3
#: Points by which it is seen how close together the file stands, at least and as a part of all, and
#: places at which.
_ABOUT, _PART, _SITES = 40, 12, 2_000
#: Values of r that are possible, as parts of the records to the addresses' weight.
_DISPERSION = np.exp(np.linspace(np.log(1e-2), np.log(1e2), 25))


def of_own_draws(
    likelihood: Likelihood,
    weight: np.ndarray | None,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> Likelihood:
    """Probability of each candidate of each record, where every record was drawn by itself.

    Parameters
    ----------
    likelihood : Likelihood
        Of the records.
    weight : (m,) array or None
        Of the candidates.
    rng : numpy.random.Generator
    progress : callable

    Returns
    -------
    Likelihood
        The same pairs, or fewer, with probabilities that add up to one for each record that has any.
    """
    own = np.ones(likelihood.candidates) if weight is None else np.asarray(weight, dtype=float)
    likelihood = likelihood.with_values(likelihood.value * (own[likelihood.candidate] > 0))
    there = np.flatnonzero(np.diff(likelihood.first))
    if len(there) < 2:
        return likelihood.with_values(likelihood.value * own[likelihood.candidate])
    sampler = _Sampler(likelihood, own / own.sum(), there, rng)
    sweeps = int(np.clip(_IN_ALL / len(there), _LEAST, _MOST))
    begin = int(_BEGIN * sweeps)
    for number in range(sweeps):
        sampler.sweep(number >= begin, progress, number / sweeps)
    progress(1.0)
    return likelihood.with_values(sampler.seen / (sweeps - begin))


class _Sampler:
    """Where all records are, and how often each was where."""

    def __init__(
        self,
        likelihood: Likelihood,
        share: np.ndarray,
        rows: np.ndarray,
        rng: np.random.Generator,
    ) -> None:
        self._of, self._share, self._rows, self._rng = likelihood, share, rows, rng
        self.seen = np.zeros(len(likelihood.value))
        self._at = np.full(likelihood.points, -1)
        self._count = np.zeros(likelihood.candidates)
        self._dispersions = _DISPERSION * len(rows)
        self._r = float(len(rows))

    def sweep(self, counts: bool, progress: Progress, fraction: float) -> None:
        """Put each record somewhere, move all of each address, and draw r."""
        first, candidates, values = self._of.first, self._of.candidate, self._of.value
        count, share, rng = self._count, self._share, self._rng
        order = rng.permutation(self._rows)
        for number, (row, uniform) in enumerate(zip(order.tolist(), rng.random(len(order)))):
            if number % 512 == 0:
                progress(fraction)
            pairs = slice(first[row], first[row + 1])
            candidate = candidates[pairs]
            if self._at[row] >= 0:
                count[self._at[row]] -= 1
            total = np.cumsum(values[pairs] * (count[candidate] + self._r * share[candidate]))
            total /= total[-1]
            at = candidate[min(int(np.searchsorted(total, uniform)), len(candidate) - 1)]
            self._at[row] = at
            count[at] += 1
            if counts:
                self.seen[pairs] += np.diff(total, prepend=0.0)
        self._move_together(progress, fraction)
        self._draw_dispersion()

    def _move_together(self, progress: Progress, fraction: float) -> None:
        """Draw another address for all records of one, by what explains them all."""
        first, candidates, values = self._of.first, self._of.candidate, self._of.value
        rows = self._rows[np.argsort(self._at[self._rows], kind="stable")]
        groups = np.split(rows, np.flatnonzero(np.diff(self._at[rows])) + 1)
        for number, group in enumerate(groups):
            if len(group) < 2:
                continue
            if number % 256 == 0:
                progress(fraction)
            home = self._at[group[0]]
            which, value = candidates[first[group[0]] : first[group[0] + 1]], 0.0
            value = np.log(values[first[group[0]] : first[group[0] + 1]])
            for row in group[1:].tolist():
                other = candidates[first[row] : first[row + 1]]
                at = np.minimum(np.searchsorted(other, which), len(other) - 1)
                both = other[at] == which
                which = which[both]
                value = value[both] + np.log(values[first[row] : first[row + 1]][at[both]])
            # To where others are already it would be no move that can be undone.
            free = (self._count[which] == 0) | (which == home)
            which, value = (
                which[free],
                value[free] + _log_rising(self._r * self._share[which[free]], len(group)),
            )
            total = np.cumsum(np.exp(value - value.max()))
            to = which[
                min(int(np.searchsorted(total, self._rng.random() * total[-1])), len(which) - 1)
            ]
            self._at[group] = to
            self._count[home], self._count[to] = 0, len(group)

    def _draw_dispersion(self) -> None:
        """Draw r by how records share addresses, evenly over its logarithm beforehand."""
        there = np.flatnonzero(self._count)
        many, share = self._count[there].astype(int), self._share[there]
        log = np.array(
            [
                sum(_log_rising(one * share[many == n], n).sum() for n in np.unique(many))
                - (math.lgamma(one + len(self._rows)) - math.lgamma(one))
                for one in self._dispersions
            ]
        )
        likely = np.cumsum(np.exp(log - log.max()))
        at = int(np.searchsorted(likely, self._rng.random() * likely[-1]))
        self._r = float(self._dispersions[min(at, len(likely) - 1)])


def _log_rising(a: np.ndarray, n: int) -> np.ndarray:
    """Logarithm of a (a + 1) ... (a + n - 1)."""
    return np.log(a[:, None] + np.arange(n)).sum(axis=1)


def expected_records(
    released: np.ndarray, candidates: np.ndarray, weight: np.ndarray | None
) -> np.ndarray:
    """How many records each candidate can be expected to have, by how many points lie far about it.

    A file that stands close together has many homes in few streets: that several points lie near one
    address tells less there.

    Parameters
    ----------
    released : (n, 2) array
    candidates : (m, 2) array
    weight : (m,) array or None

    Returns
    -------
    (m,) array
        Up to a factor for all.
    """
    own = np.ones(len(candidates)) if weight is None else np.asarray(weight, dtype=float)
    order = np.lexsort((candidates[:, 1], candidates[:, 0]))
    some = candidates[order[:: max(1, len(order) // _SITES)]]
    near = min(len(released), max(_ABOUT, len(released) // _PART))
    radius = build_tree(released).query(some, k=[near])[0][:, 0]
    sites = build_tree(some)
    many = sites.query_ball_point(some, radius, return_length=True)
    return own / np.maximum(many, 1)[sites.query(candidates)[1]]
