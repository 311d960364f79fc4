# SPDX-License-Identifier: GPL-2.0-or-later
"""Bits in 64-bit words: the two operations that the clique kernels are made of.

A set of vertices is a row of ``uint64`` words, vertex v being bit v % 64 of word v // 64.
"""

from __future__ import annotations

import functools
import types
from typing import Any, Callable

import numpy as np

from ...runtime import accel

#: Set bits per word of a table below which lists of them are searched faster than the words.
SPARSE = 0.3


def linked_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a :func:`accel.kernel` of a function that calls other kernels.

    A compiled function can only call compiled ones, and a kernel is a plain wrapper until
    it is first called. So the function is compiled from a copy that sees the compiled kernels.
    """
    kernels: list[Callable[..., Any]] = []

    @functools.wraps(function)
    def run(*arguments: Any) -> Any:
        if not accel.enabled():
            return function(*arguments)
        if not kernels:
            kernels.append(accel.kernel(_linked(function)))
        return kernels[0](*arguments)

    run.__dict__["python"] = function
    return run


def _linked(function: Callable[..., Any]) -> Callable[..., Any]:
    try:
        import numba
    except Exception:  # told and handled where the kernel itself is compiled
        return function
    names = dict(function.__globals__)
    for name in function.__code__.co_names:
        helper = names.get(name)
        form, python = getattr(helper, "compiled_form", None), getattr(helper, "python", None)
        if form is not None:
            names[name] = numba.njit(form)
        elif python is not None:
            names[name] = numba.njit(nogil=True)(_linked(python))
    copy = types.FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    return copy


def _compiled_as(form: Callable[..., Any]) -> Callable[..., Any]:
    """Give a function another body to compile than the one that plain Python runs."""

    def mark(function: Callable[..., Any]) -> Callable[..., Any]:
        function.__dict__["compiled_form"] = form
        return function

    return mark


_ONES = np.uint64(0x5555555555555555)
_TWOS = np.uint64(0x3333333333333333)
_FOURS = np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x0101010101010101)
_1, _2, _4, _56 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)


# Both forms are idioms that LLVM turns into one instruction.
def _count(word):
    word = word - ((word >> _1) & _ONES)
    word = (word & _TWOS) + ((word >> _2) & _TWOS)
    word = (word + (word >> _4)) & _FOURS
    return np.int64((word * _BYTES) >> _56)


def _lowest(word):
    below = (word & (~word + _1)) - _1
    below = below - ((below >> _1) & _ONES)
    below = (below & _TWOS) + ((below >> _2) & _TWOS)
    below = (below + (below >> _4)) & _FOURS
    return np.int64((below * _BYTES) >> _56)


def _highest(word):
    word |= word >> _1
    word |= word >> _2
    word |= word >> _4
    word |= word >> np.uint64(8)
    word |= word >> np.uint64(16)
    word |= word >> np.uint64(32)
    word = word - ((word >> _1) & _ONES)
    word = (word & _TWOS) + ((word >> _2) & _TWOS)
    word = (word + (word >> _4)) & _FOURS
    return np.int64((word * _BYTES) >> _56) - 1


@_compiled_as(_count)
def count_bits(word):
    """How many bits of a word are set."""
    return bin(int(word)).count("1")


@_compiled_as(_lowest)
def lowest_bit(word):
    """Place of the lowest set bit of a word that is not 0."""
    word = int(word)
    return (word & -word).bit_length() - 1


@_compiled_as(_highest)
def highest_bit(word):
    """Place of the highest set bit of a word that is not 0."""
    return int(word).bit_length() - 1


# Without a sign, and counted from 0, the compiler sees that no index is negative and takes
# several words at a time.
def _take_away(words, rows, v, start, stop):
    first = np.uint64(start)
    for k in range(stop - start):
        words[first + np.uint64(k)] &= ~rows[v, first + np.uint64(k)]


@_compiled_as(_take_away)
def take_away(words, rows, v, start, stop):
    """Take row v out of a set, from one word to another."""
    words[start:stop] &= ~rows[v, start:stop]


@linked_kernel
def count_rows(rows):
    """Return how many bits are set in each row of words, (n,) int64."""
    degree = np.zeros(len(rows), dtype=np.int64)
    for v in range(len(rows)):
        total = 0
        for word in range(rows.shape[1]):
            total += count_bits(rows[v, word])
        degree[v] = total
    return degree


@linked_kernel
def list_neighbours(rows, begin):
    """Return the set bits of one row after the other, (begin[-1],) int32; row v at begin[v]."""
    listed = np.empty(begin[-1], dtype=np.int32)
    one = np.uint64(1)
    for v in range(len(rows)):
        at = begin[v]
        for word in range(rows.shape[1]):
            bits = rows[v, word]
            while bits:
                listed[at] = word * 64 + lowest_bit(bits)
                bits &= bits - one
                at += 1
    return listed
