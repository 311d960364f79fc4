# SPDX-License-Identifier: GPL-2.0-or-later
"""People in classes, where some have several records: also when classes are put together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class People:
    """Who is in which class, each once in it.

    Attributes
    ----------
    of_class, person : (p,) int arrays
        Class and person of each pair that occurs.
    """

    of_class: np.ndarray
    person: np.ndarray

    @classmethod
    def of(cls, record_class: np.ndarray, person: np.ndarray) -> People:
        """Take them from the class and the person of each record, two (n,) int arrays."""
        width = int(person.max()) + 1
        pairs = np.unique(record_class.astype(np.int64) * width + person)
        return cls(*np.divmod(pairs, width))

    def __len__(self) -> int:
        return len(self.person)

    def sizes(self, group: np.ndarray) -> np.ndarray:
        """People of classes that are put together.

        Their sum would count whoever is in several of them more than once.

        Parameters
        ----------
        group : (classes,) int array
            Group of each class, from 0.

        Returns
        -------
        (groups,) int64 array
        """
        both = self.of(group[self.of_class], self.person)
        return np.bincount(both.of_class, minlength=int(group.max()) + 1)
