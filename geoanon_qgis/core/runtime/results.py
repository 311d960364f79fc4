# SPDX-License-Identifier: GPL-2.0-or-later
"""What the results of the engine have in common: they say in a few lines what they are.

A dataclass prints all that it holds, and ours hold secrets: who is whom, how far somebody was
moved, where reference points lie. In a notebook that is saved, or in a log, they would be given
away without anybody having asked for them. So results print their summary, which has figures over
all records and never the value of one.
"""

from __future__ import annotations


class Summarised:
    """A result that prints its summary; for dataclasses made with ``repr=False``."""

    def summary(self) -> str:
        """Say in a few lines what was found, without the value of any record."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self.summary()
