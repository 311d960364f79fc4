# SPDX-License-Identifier: GPL-2.0-or-later
"""One draw for a place, kept: random numbers that come from a secret and the place.

Whoever draws anew for each release gives the true place away: the middle of ten masked points is
near it. Here the same place, masked in the same way with the same secret, has the same numbers in
every release, in any order of the rows, whatever else is in the layer. Without the secret nobody
can tell them from any others.

The sizes by which a point is moved are part of what is asked for. Were they not, two releases with
other sizes (a new address list) would move a place in the same direction, by distances whose ratio
is known, and the true place could be computed from the two.
"""

from __future__ import annotations

import hashlib
import secrets
import struct
from dataclasses import dataclass, field

import numpy as np

from ..runtime import accel
from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, silent
from ..runtime.wording import mark
from .digests import digests

#: Bytes of a new secret, and the fewest that are taken.
NEW_SECRET, LEAST_SECRET = 32, 16
#: Uniform numbers that one digest gives.
AT_ONCE = 4
_BLOCK = 64
_ROWS = 32_768
#: From so many places on a compiled kernel is worth being made ready.
MANY = 200_000
#: All that a place is told by, beside the mask: x, y, two parameters, the number of the digest.
_ENTRIES = 5
_TOO_SHORT = mark(
    "The secret has {found} bytes, and at least {least} are needed, so that nobody finds it by"
    " trying. Leave it empty for a new one."
)


def new_secret() -> str:
    """Return a new secret of 32 random bytes, in hexadecimal digits."""
    return secrets.token_bytes(NEW_SECRET).hex()


def read_secret(text: str) -> bytes:
    """Return the bytes of a secret that is written in hexadecimal digits.

    Raises
    ------
    InputError
        If it is no such text, or shorter than 16 bytes. The sentence does not repeat it.
    """
    try:
        secret = bytes.fromhex(text.strip())
    except ValueError:
        raise InputError(
            "The secret must be written in hexadecimal digits (0 to 9, a to f), two for each"
            " byte. Copy all of it from the private file, or leave it empty for a new one."
        ) from None
    if len(secret) < LEAST_SECRET:
        raise InputError(_TOO_SHORT, found=len(secret), least=LEAST_SECRET)
    return secret


@dataclass(frozen=True, eq=False, repr=False)
class KeptDraws:
    """The random numbers of a secret and a mask.

    Digest number i of a place is HMAC-SHA256 (RFC 2104) with the secret over the mask's name and
    what the caller binds the numbers to, then x, y, two parameters and i, all in eight bytes,
    little end first. Its four words of 64 bits give four numbers.

    Parameters
    ----------
    secret : bytes
        At least 16: see :func:`read_secret`.
    mask : str
        What tells the mask from others: another law must have another name, or places would
        move in the same direction by both.
    many : bool
        Whether very many numbers will be asked for. They are the same.
    bound : bytes
        See :meth:`bound_to`.
    """

    secret: bytes
    mask: str
    many: bool = False
    bound: bytes = b""
    _key: bytes = field(init=False)
    _prefix: bytes = field(init=False)

    def __post_init__(self) -> None:
        if len(self.secret) < LEAST_SECRET:
            raise InputError(_TOO_SHORT, found=len(self.secret), least=LEAST_SECRET)
        key = self.secret if len(self.secret) <= _BLOCK else hashlib.sha256(self.secret).digest()
        object.__setattr__(self, "_key", key.ljust(_BLOCK, b"\0"))
        prefix = _whole_blocks(self.mask.encode("utf-8")) + self.bound
        object.__setattr__(self, "_prefix", prefix)

    def bound_to(self, what: bytes) -> KeptDraws:
        """Return other draws, of their own for each ``what`` (the shape of a zone, say)."""
        return KeptDraws(self.secret, self.mask, bound=self.bound + _whole_blocks(what))

    def uniforms(
        self, xy: np.ndarray, parameters: np.ndarray, number: int, progress: Progress = silent
    ) -> np.ndarray:
        """Return the numbers of one digest for each place.

        Parameters
        ----------
        xy : (n, 2) array
            Coordinates as they are stored: bit by bit the same in another release.
        parameters : (n, 0 to 2) array
            Sizes by which the mask moves each.
        number : int
            Which digest: 0 is the first.
        progress : callable

        Returns
        -------
        (n, 4) array
            Uniformly distributed, above 0 and below 1, of 52 bits.
        """
        words = self.words(xy, parameters, number, progress)
        # Half a step up: neither 0, whose logarithm is none, nor 1.
        return ((words >> np.uint64(12)) + 0.5) * 2.0**-52

    def words(
        self, xy: np.ndarray, parameters: np.ndarray, number: int, progress: Progress = silent
    ) -> np.ndarray:
        """Return the words of one digest for each place: (n, 4) numbers of 64 random bits.

        The parameters are those of :meth:`uniforms`.
        """
        told = np.zeros((len(xy), _ENTRIES), dtype="<f8")
        # What is zero below zero is the same place as zero.
        told[:, :2] = xy + 0.0
        told[:, 2 : 2 + parameters.shape[1]] = parameters + 0.0
        told.view("<u8")[:, -1] = number
        words = np.empty((len(xy), AT_ONCE), dtype="<u8")
        for rows in chunks(len(xy), _ROWS, progress):
            words[rows] = self._digests(told[rows])
        return words

    def _digests(self, told: np.ndarray) -> np.ndarray:
        if self.many and accel.enabled():
            return digests(self._key, self._prefix, told.view("<u8"))
        raw, step = told.tobytes(), told.shape[1] * 8
        inner = hashlib.sha256(bytes(one ^ 0x36 for one in self._key) + self._prefix).copy
        outer = hashlib.sha256(bytes(one ^ 0x5C for one in self._key)).copy
        found = []
        for start in range(0, len(raw), step):
            first = inner()
            first.update(raw[start : start + step])
            second = outer()
            second.update(first.digest())
            found.append(second.digest())
        return np.frombuffer(b"".join(found), dtype="<u8").reshape(-1, AT_ONCE)


def _whole_blocks(what: bytes) -> bytes:
    """Bytes that begin with their length, and fill blocks of the hash, so that they are hashed once."""
    told = struct.pack("<Q", len(what)) + what
    return told.ljust(-(-len(told) // _BLOCK) * _BLOCK, b"\0")
