# SPDX-License-Identifier: GPL-2.0-or-later
"""Many numbers to text with a fixed number of decimals, without a loop over the numbers.

A number is taken as a whole multiple m of 10^-decimals. Its digits are looked up four at a time:
a cell is a row of 32-bit words, each the ASCII codes of a group of digits, with NUL where a
shorter number has nothing. Deleting the NULs leaves the text.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ...runtime.errors import InputError
from ...runtime.wording import number_of

#: Whole numbers below this are exact as doubles, so m / 10^decimals rounds once and the text
#: parses back to the same double.
_EXACT = 2.0**53


def text_of(values: np.ndarray, decimals: int | None, separator: bytes = b",") -> list[bytes]:
    """Write rows of numbers, each number followed by the separator.

    Parameters
    ----------
    values : (rows, columns) float array
        Finite and not negative.
    decimals : int or None
        Digits after the point that every number is written with, and is rounded to already;
        negative counts are those of rounding to tens, hundreds. None: as many digits as it
        takes to tell the number from its neighbours.
    separator : bytes
        One byte.

    Returns
    -------
    list of bytes
        A text for each row. Every number in it parses back to exactly the same double.

    Raises
    ------
    InputError
        If a number has more decimals than that: rounding is for its owner to decide.
    """
    if decimals is None:
        return _in_full(values, separator)
    decimals = max(decimals, 0)
    scale = 10.0**decimals
    multiple = np.rint(values * scale)
    largest = multiple.max(initial=0.0)
    if decimals > 22 or not largest < _EXACT:  # doubles are further apart than the decimals
        return _in_full(values, separator)
    if not (multiple / scale == values).all():
        raise InputError(
            "The distances are not rounded to {decimals}, so that writing them with "
            "{decimals_2} would change them: round them first, or write more decimals.",
            decimals=number_of(decimals, "decimal", "decimals"),
            decimals_2=decimals,
        )
    words = _words(multiple.ravel(), int(largest), decimals, separator)
    per_row = words.reshape(len(values), -1)
    return [row.tobytes().translate(None, b"\0") for row in per_row]


def width(largest: float, decimals: int | None) -> int:
    """Most characters that a number up to ``largest`` takes, its separator included."""
    if decimals is None:
        return 19
    decimals = max(decimals, 0)
    return len(f"{largest:.0f}") + (decimals + 1 if decimals else 0) + 1


def _in_full(values: np.ndarray, separator: bytes) -> list[bytes]:
    mark = separator.decode()
    return [(mark.join(map(repr, row)) + mark).encode() for row in values.tolist()]


def _words(multiple: np.ndarray, largest: int, decimals: int, separator: bytes) -> np.ndarray:
    """The cells as (numbers, words) array of four characters each."""
    power = 10**decimals
    kind = np.uint32 if max(largest, power) < 2**32 else np.uint64
    multiple = multiple.astype(kind)
    whole = multiple // kind(power) if decimals else multiple
    groups = _whole_groups(whole, largest // power)
    if decimals:
        tail = multiple - whole * kind(power)
    else:
        tail = np.zeros_like(multiple)
    groups.extend(_tail_groups(tail, decimals, separator))
    return np.stack(groups, axis=1)


def _whole_groups(whole: np.ndarray, largest: int) -> list[np.ndarray]:
    """Digits before the point, four a word; nothing in front of the first that counts."""
    kind = whole.dtype.type
    count = (len(str(largest)) + 3) // 4
    groups = []
    for group in range(count):  # from the right
        digits = whole
        if group < count - 1:
            whole = digits // kind(10_000)
            # The second half of the table is filled up with zeros, for what has digits before.
            digits = digits - whole * kind(10_000) + (whole > 0) * kind(10_000)
        groups.append(_whole_table(group == 0)[digits.astype(np.intp)])
    return groups[::-1]


@lru_cache(maxsize=2)
def _whole_table(is_last: bool) -> np.ndarray:
    """Words of 0..9999 without leading zeros, then with. A zero alone shows in the last group."""
    plain = [str(number) for number in range(10_000)]
    if not is_last:
        plain[0] = ""
    filled = [f"{number:04d}" for number in range(10_000)]
    text = "".join(word.rjust(4, "\0") for word in plain + filled)
    return np.frombuffer(text.encode("ascii"), dtype=np.uint32)


def _tail_groups(tail: np.ndarray, decimals: int, separator: bytes) -> list[np.ndarray]:
    """The point, the digits after it and the separator, four characters a word."""
    kind = tail.dtype.type
    # D stands for a digit.
    template = ("." + "D" * decimals if decimals else "") + separator.decode("ascii")
    left = decimals
    groups = []
    for start in range(0, len(template), 4):
        word = template[start : start + 4]
        digits = word.count("D")
        left -= digits
        number = tail // kind(10**left) if left else tail
        tail = tail - number * kind(10**left) if left else tail
        groups.append(_tail_table(word, digits)[number.astype(np.intp) if digits else 0 * number])
    return groups


@lru_cache(maxsize=64)
def _tail_table(word: str, digits: int) -> np.ndarray:
    """The word with each number of so many digits put where its digits stand."""
    first = word.find("D")
    texts = (
        word[:first] + f"{number:0{digits}d}" + word[first + digits :] if digits else word
        for number in range(10**digits)
    )
    return np.frombuffer(
        "".join(text.ljust(4, "\0") for text in texts).encode("ascii"), dtype=np.uint32
    )
