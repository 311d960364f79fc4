# SPDX-License-Identifier: GPL-2.0-or-later
"""Combinations of categories as one number each, while categories are still coming in."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from ..runtime.errors import InputError
from ..runtime.wording import number_of

#: Keys of classes are mixed-radix numbers; beyond this they would not fit 64 bits.
LARGEST_KEY = 2**62


class ClassKeys:
    """Mixed-radix numbers, the first quasi-identifier the most significant digit.

    Keys are in the order of the codes whatever the radix is, so widening it keeps what is sorted.

    Parameters
    ----------
    regions : int
        Number of regions.
    quasi_identifiers : int
        Number of quasi-identifiers.

    Attributes
    ----------
    highest : list of int
        The highest code of each quasi-identifier so far.

    Raises
    ------
    InputError
        Without regions or quasi-identifiers.
    """

    def __init__(self, regions: int, quasi_identifiers: int):
        if regions < 1:
            raise InputError("There are no regions. Choose a layer that has some.")
        if quasi_identifiers < 1:
            raise InputError("Choose at least one quasi-identifier.")
        self._regions = int(regions)
        self._radix = [1] * quasi_identifiers
        self.highest = [0] * quasi_identifiers

    @property
    def combinations(self) -> int:
        """All keys are below this."""
        return prod(self._radix)

    @property
    def dtype(self) -> type:
        """The type of the keys: four bytes where these do."""
        return np.int32 if self.combinations < 2**31 else np.int64

    def checked(
        self, region: np.ndarray, codes: Sequence[np.ndarray]
    ) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return regions and codes of some records as arrays.

        Raises
        ------
        InputError
            If lengths differ, or a row or a code is out of range.
        """
        region = np.asarray(region)
        codes = [np.asarray(column) for column in codes]
        if len(codes) != len(self._radix):
            raise InputError(
                "There are {qis}, but {codes}.",
                qis=number_of(len(self._radix), "quasi-identifier", "quasi-identifiers"),
                codes=number_of(len(codes), "column", "columns"),
            )
        if any(column.shape != region.shape for column in codes) or region.ndim != 1:
            raise InputError("The columns of the records are not of the same length.")
        if len(region) and (region.min() < -1 or region.max() >= self._regions):
            raise InputError("A record refers to a region that is not there.")
        if any(len(column) and column.min() < 0 for column in codes):
            raise InputError("The code of a category is negative.")
        return region, codes

    def make_room(self, codes: Sequence[np.ndarray]) -> list[int] | None:
        """Widen the radix for codes that are higher than before.

        Returns
        -------
        list of int or None
            The radix until now, by which keys of before are :meth:`renewed`; None if it stays.

        Raises
        ------
        InputError
            If there are too many combinations.
        """
        wanted = list(self._radix)
        for at, column in enumerate(codes):
            high = int(column.max())
            self.highest[at] = max(self.highest[at], high)
            if high >= self._radix[at]:
                wanted[at] = max(4, 1 << high.bit_length())
        if wanted == self._radix:
            return None
        if prod(wanted) > LARGEST_KEY:
            raise InputError(
                "The quasi-identifiers have too many combinations to count. Group the values"
                " of those that have most, or leave one out."
            )
        old, self._radix = self._radix, wanted
        return old

    def of(self, codes: Sequence[np.ndarray]) -> np.ndarray:
        """Keys of records, (m,) of :attr:`dtype`."""
        key: np.ndarray = codes[0].astype(self.dtype)
        for column, radix in zip(codes[1:], self._radix[1:]):
            key *= radix
            np.add(key, column, out=key, casting="unsafe")
        return key

    def renewed(self, key: np.ndarray, old: Sequence[int]) -> np.ndarray:
        """Keys of before the radix was widened, as they are now."""
        return self.of(_split(key, old))

    def codes(self, key: np.ndarray) -> np.ndarray:
        """Codes of keys, (m, q) int32."""
        return np.stack(_split(key, self._radix), axis=1).astype(np.int32)


def declared_categories(
    categories: Sequence[int | None] | None, highest: Sequence[int]
) -> tuple[int, ...]:
    """Numbers of categories, checked against the highest codes that were seen.

    Raises
    ------
    InputError
        If there are more than are declared.
    """
    seen = [code + 1 for code in highest]
    if categories is None:
        return tuple(seen)
    if len(categories) != len(seen):
        raise InputError(
            "Declare the categories of all {qis}.",
            qis=number_of(len(seen), "quasi-identifier", "quasi-identifiers"),
        )
    for at, (count, least) in enumerate(zip(categories, seen)):
        if count is not None and count < least:
            raise InputError(
                "Quasi-identifier {number} has a category beyond the {count} that are "
                "declared. Declare it, too.",
                number=at + 1,
                count=count,
            )
    return tuple(least if count is None else int(count) for count, least in zip(categories, seen))


def refuse_nothing(records: int, known: int) -> None:
    """Refuse to go on without records, or without any in a known region.

    Raises
    ------
    InputError
    """
    if not records:
        raise InputError("There are no records. Choose a table that has some.")
    if not known:
        raise InputError(
            "No record lies in a region of the layer. Check that the two fields with the"
            " region's id belong together."
        )


def _split(key: np.ndarray, radix: Sequence[int]) -> list[np.ndarray]:
    """Digits of mixed-radix numbers, the first the most significant."""
    digits = []
    for base in reversed(radix[1:]):
        key, digit = np.divmod(key, base)
        digits.append(digit)
    digits.append(key)
    return digits[::-1]
