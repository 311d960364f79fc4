# SPDX-License-Identifier: GPL-2.0-or-later
"""How the distances of known people to one reference set vary together: a law learnt by making them.

The set is secret, but how it was drawn is known, and where the people live: of thousands of sets of
one's own it is seen how far they usually are from each, and who is near to or far from a set
together. Of people who are not known it is known what those who are made up are like.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...runtime.progress import Progress, interruptible, part, shares
from .own_releases import OwnReleases

#: Times that noise is drawn, and sets that are measured from the same noisy places.
_DRAWS, _SETS = 500, 8
#: People who are made up each time.
_STRANGERS = 20
#: Added to each variance, as a share of their mean: what is learnt from so many sets is too sure.
_RIDGE = 1e-3
#: Variance of a shift of all, by the mean variance: where hidden coordinates begin is not known.
_SHIFT = 100.0


@dataclass(frozen=True, eq=False)
class FieldLaw:
    """Mean and covariance of one field, and those of people who are not known.

    Attributes
    ----------
    mean : (n,) array
        Mean distance of each known person to a set.
    covariance : (n, n) array
        As it was counted.
    stranger : float
        Mean distance of somebody who is made up.
    with_stranger : (n,) array
        Covariance of each with such a one.
    strangers : (float, float)
        Variance of such a one, and covariance of two.
    """

    mean: np.ndarray
    covariance: np.ndarray
    stranger: float
    with_stranger: np.ndarray
    strangers: tuple[float, float]

    @classmethod
    def learnt(cls, own: OwnReleases, rng: np.random.Generator, progress: Progress) -> FieldLaw:
        """Measure the known people, and some who are made up, from sets of one's own."""
        people = len(own.places)
        found = np.empty((_DRAWS, _SETS, people))
        mean, square = np.empty((2, _DRAWS, _SETS))
        for at, step in enumerate(shares(part(progress, 0, 0.95), _DRAWS)):
            points = np.concatenate([own.places, own.strangers(_STRANGERS, rng)])
            fields = own.fields(points, _SETS, rng, step)
            found[at] = fields[:, :people]
            others = fields[:, people:]
            mean[at], square[at] = others.mean(axis=1), np.square(others).mean(axis=1)
        return interruptible(
            lambda: cls._of(found.reshape(-1, people), mean.ravel(), square.ravel()), progress, 0.95
        )

    @classmethod
    def _of(cls, found: np.ndarray, mean: np.ndarray, square: np.ndarray) -> FieldLaw:
        """Take means and covariances; ``mean`` and ``square`` are those of strangers."""
        usual, every = found.mean(axis=0), float(mean.mean())
        apart = found - usual
        total = float(square.mean()) - every**2
        # The mean of a few varies more than two of them do together.
        together = float(mean.var())
        together -= (total - together) / (_STRANGERS - 1)
        return cls(
            usual,
            apart.T @ apart / len(found),
            every,
            apart.T @ (mean - every) / len(found),
            (total, together),
        )

    def of(self, strangers: int, own: float = _RIDGE) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the law of the known people beside so many others.

        Parameters
        ----------
        strangers : int
        own : float
            Variance of each one's own that is added, by the mean variance.

        Returns
        -------
        (n + strangers,) array
            The mean.
        (n + strangers, n + strangers) array
            The covariance, with what is added to it.
        (n + strangers, n + strangers) array
            Its inverse.
        """
        people = len(self.mean)
        whole = np.empty((people + strangers, people + strangers))
        whole[:people, :people] = self.covariance
        whole[people:, :people] = self.with_stranger
        whole[:people, people:] = self.with_stranger[:, None]
        one, two = self.strangers
        whole[people:, people:] = two
        whole[people:, people:] += (one - two) * np.eye(strangers)
        usual = float(self.covariance.trace()) / people
        whole[np.diag_indices(len(whole))] += own * usual
        whole += _SHIFT * usual
        mean = np.append(self.mean, np.full(strangers, self.stranger))
        inverse = np.linalg.inv(whole)
        return mean, whole, np.ascontiguousarray((inverse + inverse.T) / 2)
