# SPDX-License-Identifier: GPL-2.0-or-later
"""Can a model tell released records from originals? The propensity score mean squared error, pMSE.

Both tables are put together, and a logistic regression is to say of each record whether it was
released. With c the released share of all N records and p_i what it says, pMSE is the mean of
(p_i - c)²: 0 where it cannot tell, c (1 - c) where it always can. A model of k coefficients finds
something by chance, too. For records that are drawn from the very distribution that the originals
have, which stay as they are, Snoke, Raab, Nowok, Dibben & Slavkovic (2018), General and specific
utility measures for synthetic data, Journal of the Royal Statistical Society A 181(3), 663-688,
theorem 1, expect

    (k - 1) (1 - c)² c / N, with a standard deviation of sqrt(2 (k - 1)) (1 - c)² c / N.

The ratio to that is 1 for a perfect synthesis. A fresh sample of other people, which differs from the
originals by their chance and by its own, comes to 1 / (1 - c): 2 where both tables are as large.

Of a sample of n1 of n originals with n2 released records, where both tables are too long, (1 - c) c is
multiplied by (1/n1 - 1/n + 1/n2) / (1/n1 + 1/n2) in the place of 1 - c, by the same argument.

By the fields alone a model does not see that relations are lost. So it is run twice: with each column
by itself, and with squares and products of pairs as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, interruptible, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence
from .logistic import Design, fit_logistic
from .matrices import as_matrix

#: Records for each coefficient that the model with pairs needs, and what a model may cost: N k².
_RECORDS, _WORK = 5, 4e9
#: Records of either table, at most.
_MOST = 200_000
#: What rounding leaves of nothing.
_NOTHING = 1e-15


@dataclass(frozen=True)
class Told:
    """How well one model tells the tables apart.

    Attributes
    ----------
    terms : int
        Coefficients but the constant (k - 1) that say something of their own.
    pmse : float
    expected, deviation : float
        Of a perfect synthesis.
    fresh : float
        Ratio that a fresh sample of other people is expected to have.
    records : int
        Of both tables; a sample where they have more.
    """

    terms: int
    pmse: float
    expected: float
    deviation: float
    fresh: float
    records: int

    @property
    def ratio(self) -> float:
        """The error over what is expected; NaN where there is nothing to tell by."""
        return self.pmse / self.expected if self.expected else float("nan")

    @property
    def standardised(self) -> float:
        """Standard deviations above what is expected."""
        gap = self.pmse - self.expected
        return gap / self.deviation if self.deviation else float("nan")


@dataclass(frozen=True, repr=False)
class Propensity(Summarised):
    """Both models.

    Attributes
    ----------
    fields : Told
        By each column.
    pairs : Told or None
        By squares and products of pairs, too; None where there are too few records for as many
        terms.
    """

    fields: Told
    pairs: Told | None

    @property
    def told(self) -> Told:
        """The model that sees more."""
        return self.fields if self.pairs is None else self.pairs

    def in_words(self) -> str:
        """Say the ratios."""
        pairs = "" if self.pairs is None else f", by pairs of them {self.pairs.ratio:.2f}"
        return (
            f"pMSE over its expectation: by the fields {self.fields.ratio:.2f}{pairs}; a perfect"
            f" synthesis has 1, a fresh sample {self.told.fresh:.2f}."
        )


def propensity(
    original: np.ndarray,
    released: np.ndarray,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> Propensity:
    """Try to tell released records from originals.

    Parameters
    ----------
    original, released : (n, m), (p, m) arrays
        Coded alike.
    rng : numpy.random.Generator
        Chooses records where there are too many.
    progress : callable

    Returns
    -------
    Propensity

    Raises
    ------
    InputError
        If the columns differ.
    """
    original = as_matrix(original, Sentence("original table"))
    released = as_matrix(released, Sentence("anonymised table"))
    if original.shape[1] != released.shape[1]:
        raise InputError(
            "The tables have {columns} and {others} coded columns; they need the same "
            "fields, coded alike.",
            columns=original.shape[1],
            others=released.shape[1],
        )
    width = original.shape[1]
    both = interruptible(partial(_Both, original, released, width, rng), progress)
    fields = _told(both, False, part(progress, 0.0, 0.3))
    width += width * (width + 1) // 2
    both = interruptible(partial(_Both, original, released, width, rng), progress, 0.3)
    pairs = None
    if len(both) >= _RECORDS * width:
        pairs = _told(both, True, part(progress, 0.3, 1.0))
    progress(1.0)
    return Propensity(fields, pairs)


class _Both:
    """The two tables as one, standardised by the original; samples where a model costs too much."""

    def __init__(self, original: np.ndarray, released: np.ndarray, width: int, rng):
        longest = max(len(original), len(released))
        work = (len(original) + len(released)) * width**2
        share = min(1.0, _WORK / work, _MOST / longest)
        self._tables = [_sample(table, share, rng) for table in (original, released)]
        self._mean = self._tables[0].mean(axis=0)
        spread = self._tables[0].std(axis=0)
        self._spread = np.where(spread > 0, spread, 1.0)
        self._pairs = np.triu_indices(original.shape[1])
        self.width = width
        first, second = map(len, self._tables)
        self.share = second / (first + second)
        apart = 1 / first + 1 / second
        #: What is left of the chance of both tables where the originals stay as they are.
        self.by_chance = (apart - 1 / len(original)) / apart

    def __len__(self) -> int:
        return sum(map(len, self._tables))

    def columns(self, rows: slice) -> np.ndarray:
        """The columns of some rows of both."""
        original, released = self._tables
        cut = len(original)
        found = np.concatenate(
            [
                original[rows.start : min(rows.stop, cut)],
                released[max(rows.start - cut, 0) : max(rows.stop - cut, 0)],
            ]
        )
        return (found - self._mean) / self._spread

    def with_pairs(self, rows: slice) -> np.ndarray:
        """The same with squares and products."""
        found = self.columns(rows)
        one, other = self._pairs
        return np.concatenate([found, found[:, one] * found[:, other]], axis=1)

    def outcome(self) -> np.ndarray:
        """Which are released."""
        return np.arange(len(self)) >= len(self._tables[0])


def _sample(table: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    if share >= 1:
        return table
    return table[np.sort(rng.permutation(len(table))[: max(int(share * len(table)), 2)])]


def _told(both: _Both, by_pairs: bool, progress: Progress) -> Told:
    features = both.with_pairs if by_pairs else both.columns
    design = Design.of(features, len(both), both.width, part(progress, 0.0, 0.2))
    fitted = fit_logistic(design, both.outcome(), progress=part(progress, 0.2, 0.9))
    odds = fitted.odds(features, len(both), part(progress, 0.9, 1.0))
    chance = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    c, terms = both.share, design.width - 1
    unit = both.by_chance * (1 - c) * c / len(both)
    pmse = float(((chance - c) ** 2).mean())
    pmse = pmse if pmse > _NOTHING else 0.0
    deviation = float(np.sqrt(2 * terms)) * unit
    return Told(terms, pmse, terms * unit, deviation, 1 / both.by_chance, len(both))
