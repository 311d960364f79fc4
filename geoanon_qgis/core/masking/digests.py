# SPDX-License-Identifier: GPL-2.0-or-later
"""HMAC-SHA256 of very many short messages at once, compiled: what :mod:`hashlib` gives one by one.

Many messages are worked on side by side, so that one instruction of the processor serves several.
FIPS 180-4 (SHA-256), RFC 2104 (HMAC). For places only: nothing here keeps a secret from whoever
measures the time.
"""

from __future__ import annotations

import numpy as np

from ..runtime import accel

#: Messages side by side.
_LANES = 32
_BLOCK = 64
#: Bits that end a message and its length, in words of 32 bits.
_END = 0x80000000


def _roots(power: float, count: int) -> np.ndarray:
    """First 32 bits of the fractions of roots of the first primes."""
    primes = [n for n in range(2, 312) if all(n % d for d in range(2, int(n**0.5) + 1))]
    return np.array([int((n**power % 1) * 2**32) for n in primes[:count]], dtype=np.uint32)


_START, _CONSTANTS = _roots(1 / 2, 8), _roots(1 / 3, 64)


def digests(key: bytes, prefix: bytes, messages: np.ndarray) -> np.ndarray:
    """HMAC-SHA256 with a key over the same beginning and different ends.

    Parameters
    ----------
    key : bytes
        Of 64 bytes: padded with zeros.
    prefix : bytes
        A multiple of 64 bytes.
    messages : (n, m) array of 64-bit numbers
        m at most 6; their bytes as they lie in memory.

    Returns
    -------
    (n, 4) array of uint64
        The digests' bytes, little end first.
    """
    inner = _absorb(bytes(one ^ 0x36 for one in key) + prefix)
    outer = _absorb(bytes(one ^ 0x5C for one in key))
    words = messages.view(">u4").astype(np.uint32)
    found = np.empty((len(messages), 8), dtype=np.uint32)
    length = (_BLOCK + len(prefix) + words.shape[1] * 4) * 8
    _hash(words, inner, length, _CONSTANTS, found)
    again = np.empty_like(found)
    _hash(found, outer, (_BLOCK + 32) * 8, _CONSTANTS, again)
    return again.astype(">u4").view("<u8").astype(np.uint64, copy=False)


def _absorb(data: bytes) -> np.ndarray:
    """State after whole blocks."""
    state = _START
    words = np.frombuffer(data, dtype=">u4").astype(np.uint32).reshape(-1, 16)
    for row in range(len(words)):
        after = np.empty((1, 8), dtype=np.uint32)
        _hash(words[row : row + 1], state, 0, _CONSTANTS, after)
        state = after[0]
    return state


@accel.kernel
def _hash(words, start, length, constants, found):
    """One block of each message, behind a state; ended by its length where it is not full."""
    count, given = words.shape
    # Rows of one array: the message's words from 0, and the two chains of the state, of which each
    # step adds one word: a, of which b, c, d are the last three, and e with f, g, h.
    rows = np.zeros((64 + 68 + 68, _LANES), dtype=np.uint32)
    for first in range(0, count, _LANES):
        lanes = min(_LANES, count - first)
        for lane in range(lanes):
            for word in range(given):
                rows[word, lane] = words[first + lane, word]
            if given < 16:
                rows[given, lane] = _END
                rows[15, lane] = length
            for word in range(4):
                rows[64 + word, lane] = start[3 - word]
                rows[132 + word, lane] = start[7 - word]
        for step in range(16, 64):
            for lane in range(_LANES):
                x, y = rows[step - 15, lane], rows[step - 2, lane]
                x = (x >> 7 | x << 25) ^ (x >> 18 | x << 14) ^ (x >> 3)
                y = (y >> 17 | y << 15) ^ (y >> 19 | y << 13) ^ (y >> 10)
                rows[step, lane] = rows[step - 16, lane] + rows[step - 7, lane] + x + y
        for step in range(64):
            constant = constants[step]
            for lane in range(_LANES):
                e, f, g = rows[step + 135, lane], rows[step + 134, lane], rows[step + 133, lane]
                s = (e >> 6 | e << 26) ^ (e >> 11 | e << 21) ^ (e >> 25 | e << 7)
                t = rows[step + 132, lane] + s + ((e & f) ^ (~e & g)) + constant + rows[step, lane]
                a, b, c = rows[step + 67, lane], rows[step + 66, lane], rows[step + 65, lane]
                s = (a >> 2 | a << 30) ^ (a >> 13 | a << 19) ^ (a >> 22 | a << 10)
                rows[step + 136, lane] = rows[step + 64, lane] + t
                rows[step + 68, lane] = t + s + ((a & b) ^ (a & c) ^ (b & c))
        for lane in range(lanes):
            for word in range(4):
                found[first + lane, word] = rows[131 - word, lane] + start[word]
                found[first + lane, word + 4] = rows[199 - word, lane] + start[word + 4]
