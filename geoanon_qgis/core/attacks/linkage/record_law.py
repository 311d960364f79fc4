# SPDX-License-Identifier: GPL-2.0-or-later
"""What a field is like at records of whom it is not known who they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .field_law import FieldLaw

#: Variance of a record's own, as a share of the mean one: else the law of those who look alike is singular.
_OWN = 2e-3


@dataclass(frozen=True, eq=False)
class RecordLaw:
    """What a field is like at records, whoever of some people each of them is.

    Attributes
    ----------
    mean : (n,) array
    root : (n, n) array
        A root of the covariance: what it makes of independent values varies as a field does.
    size : float
        Standard deviation of a field.
    """

    mean: np.ndarray
    root: np.ndarray
    size: float

    @classmethod
    def of(cls, law: FieldLaw, weights: np.ndarray) -> RecordLaw:
        """Mix people as they may be who each record is.

        Parameters
        ----------
        law : FieldLaw
        weights : (n1, n2) array
            How probably each record is each person; what is left to one, that it is nobody of them.
        """
        people = len(law.mean)
        alone, together = law.strangers
        covariance = np.empty((people + 1, people + 1))
        covariance[:people, :people] = law.covariance
        covariance[:people, people] = covariance[people, :people] = law.with_stranger
        covariance[people, people] = together
        mean = np.append(law.mean, law.stranger)
        square = np.append(law.covariance.diagonal(), alone) + mean**2
        share = np.column_stack([weights, np.maximum(1.0 - weights.sum(axis=1), 0.0)])
        usual = share @ mean
        mixed = share @ covariance @ share.T
        # Two records vary as those do whom they may be; one varies also by which of them it is.
        mixed[np.diag_indices(len(mixed))] = share @ square - usual**2
        size = float(law.covariance.trace()) / people
        value, vector = np.linalg.eigh(mixed)
        root = vector * np.sqrt(np.maximum(value, 0.0) + _OWN * size)
        return cls(usual, root, float(np.sqrt(size)))


def equal_weights(allowed: np.ndarray, common: int) -> np.ndarray:
    """Share each record out among those whom it may be, if so many have a person: (n1, n2)."""
    choice = np.maximum(np.count_nonzero(allowed, axis=1), 1)
    return allowed * (min(common / len(allowed), 1.0) / choice)[:, None]
