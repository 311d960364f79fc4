# SPDX-License-Identifier: GPL-2.0-or-later
"""What the results of the engine have in common: they say in a few lines what they are.

A dataclass prints all that it holds, and ours hold secrets: who is whom, how far somebody was
moved, where reference points lie. In a notebook that is saved, or in a log, they would be given
away without anybody having asked for them. So results print their summary, which has figures over
all records and never the value of one.
"""

from __future__ import annotations

import copy
from typing import Any, TypeVar

import numpy as np

Result = TypeVar("Result", bound="Summarised")


class Summarised:
    """A result that prints its summary; for dataclasses made with ``repr=False``.

    Attributes
    ----------
    judged : Verdict or None
        What may be told to whoever decides on the release; the functions of the front door give
        one to what they return.
    """

    judged: Any = None

    def in_words(self) -> str:
        """Say in a few lines what was found, without the value of any record."""
        raise NotImplementedError

    def summary(self) -> str:
        """Say what was found, and in the last lines the verdict."""
        said = self.in_words()
        return said if self.judged is None else f"{said}\n{self.judged}"

    def with_verdict(self: Result, judged: Any) -> Result:
        """Return the same with a verdict."""
        same = copy.copy(self)
        object.__setattr__(same, "judged", judged)
        return same

    def __repr__(self) -> str:
        return self.summary()


class Grouped(Summarised):
    """A result in which records, or places, are dealt out anew within groups.

    Attributes
    ----------
    group : (n,) int64 array
        From 0 without a gap.
    """

    group: np.ndarray

    @property
    def sizes(self) -> np.ndarray:
        """Size of each one's group, (n,)."""
        return np.bincount(self.group)[self.group]

    @property
    def chance(self) -> np.ndarray:
        """Chance to tell which of its group each one is, for whoever knows the group, (n,)."""
        return 1.0 / self.sizes
