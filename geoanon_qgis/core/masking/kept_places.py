# SPDX-License-Identifier: GPL-2.0-or-later
"""Where places were put, kept from one release to the next.

Draws that are kept (:mod:`.kept_draws`) lead a place to the same point as long as the public layers
are the same. An address list changes from year to year, and with it sizes, rings and partners: a
hundredth of the addresses less, and most distances to the hundredth address are others. Two points
of one place, drawn by two lists, tell more than either. So whoever was released stays where he was
put, whatever the layers say now; only newcomers are placed by those.

A place is called by a name that tells nothing to who has not the secret. It is made of the square
of a millimetre in which the place lies: another version of PROJ, or a registry that was exported
anew, leads to coordinates whose last digits are others. Places in one such square are one place,
and a place that is not known by its own square is looked for in the eight round it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..runtime.errors import InputError
from ..runtime.packed import packed, unpacked
from ..runtime.progress import Progress, part, silent
from ..runtime.wording import mark
from ..space.points import places
from .kept_draws import MANY, KeptDraws

#: Side of the squares that places are known by, metres.
SQUARE_M = 1e-3
#: Bytes of a name.
_NAME = "V16"
_ROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
_NO_SENSE = mark(
    "What the secret file keeps of earlier releases makes no sense. Choose the file that was written "
    "as SECRET_FILE with the last release, and do not change it."
)
_OTHER_WAY = mark(
    "The places that the secret file keeps were released with {before}, and not with {now}. Take the "
    "same again, or leave SECRET empty: then everybody is drawn anew, and two releases of the same "
    "people together tell more than each."
)


@dataclass(frozen=True, eq=False)
class KeptPlaces:
    """Where places were put.

    Attributes
    ----------
    by : mapping
        Parameters by which they were put there; with others nobody may be added.
    names : (m,) array of 16 bytes
    xy : (m, 2) array
        In the plane, which is kept, too.
    of_list : (m,) int array
        Which of the lists each was put by.
    lists : tuple of str
        Fingerprints of public layers.
    """

    by: Mapping[str, Any]
    names: np.ndarray
    xy: np.ndarray
    of_list: np.ndarray
    lists: tuple[str, ...]

    @classmethod
    def read(cls, told: Any, by: Mapping[str, Any]) -> KeptPlaces:
        """Return what :meth:`as_json` has told; nothing of None.

        Parameters
        ----------
        told : object
            As a file has it.
        by : mapping
            Parameters of now.

        Raises
        ------
        InputError
            If it makes no sense, or places were put by other parameters.
        """
        if told is None:
            nobody = np.empty(0, dtype=_NAME), np.empty((0, 2)), np.empty(0, dtype=np.int64)
            return cls(by, *nobody, ())
        try:
            before = dict(told["by"])
            found = [
                (
                    str(one["of"]),
                    unpacked(one["names"], _NAME),
                    unpacked(one["xy"], "<f8").reshape(-1, 2),
                )
                for one in told["lists"]
            ]
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(_NO_SENSE) from error
        if not all(len(names) == len(xy) and np.isfinite(xy).all() for _, names, xy in found):
            raise InputError(_NO_SENSE)
        if not found:
            return cls.read(None, by)
        if before != dict(by):
            raise InputError(_OTHER_WAY, before=_unlike(before, by), now=_unlike(by, before))
        return cls(
            by,
            np.concatenate([names for _, names, _ in found]),
            np.concatenate([xy for _, _, xy in found]),
            np.repeat(np.arange(len(found)), [len(names) for _, names, _ in found]),
            tuple(of for of, _, _ in found),
        )

    def as_json(self) -> dict[str, Any]:
        """Return what a secret file keeps."""
        rows = [np.flatnonzero(self.of_list == one) for one in range(len(self.lists))]
        return {
            "by": dict(self.by),
            "lists": [
                {
                    "of": of,
                    "names": packed(self.names[own]),
                    "xy": packed(self.xy[own].astype("<f8")),
                }
                for of, own in zip(self.lists, rows)
            ],
        }

    def __len__(self) -> int:
        return len(self.names)

    def with_new(self, names: np.ndarray, xy: np.ndarray, of: str) -> KeptPlaces:
        """Return these and others, put by the list ``of``."""
        if not len(names):
            return self
        lists = self.lists if of in self.lists else (*self.lists, of)
        return replace(
            self,
            names=np.concatenate([self.names, names]),
            xy=np.concatenate([self.xy, xy]),
            of_list=np.concatenate([self.of_list, np.full(len(names), lists.index(of))]),
            lists=lists,
        )


@dataclass(frozen=True, eq=False)
class Staying:
    """Some places, and where they were put before.

    Attributes
    ----------
    xy : (n, 2) array
        The places, in the plane.
    kept : KeptPlaces
        Of earlier releases.
    of_list : str
        Fingerprint of the public layers of now.
    row : (n,) int array
        Rows of ``kept``; -1 for places that were not released before.
    square : (n,) int array
        Which square each lies in, from 0.
    first : (s,) int array
        The first place of each square.
    names : (s,) array of 16 bytes, or None
        Of the squares; None where nothing is to be kept.
    """

    xy: np.ndarray
    kept: KeptPlaces
    of_list: str
    row: np.ndarray
    square: np.ndarray
    first: np.ndarray
    names: np.ndarray | None

    @classmethod
    def of(
        cls,
        xy: np.ndarray,
        kept: KeptPlaces,
        of_list: str,
        secret: bytes,
        mask: str,
        metres_per_unit: float | None,
        keep: bool = True,
        apart: bool = False,
        progress: Progress = silent,
    ) -> Staying:
        """Look places up.

        Parameters
        ----------
        xy : (n, 2) array
            In the plane.
        kept : KeptPlaces
        of_list : str
        secret : bytes
        mask : str
            The mask's id.
        metres_per_unit : float or None
            Of the plane; None where nothing is known of its unit: then a place is known by its
            coordinates to the last digit.
        keep : bool
            Whether the places of now will be kept, too.
        apart : bool
            Whether it is known that no two places lie in one square.
        progress : callable

        Returns
        -------
        Staying
        """
        if apart and not (keep or len(kept)):  # nothing to find, and nothing to keep
            own = np.arange(len(xy))
            return cls(xy, kept, of_list, np.full(len(xy), -1), own, own, None)
        side = 0.0 if metres_per_unit is None else SQUARE_M / metres_per_unit
        squares = places(np.rint(xy / side) if side else xy)
        at, first = squares.of_point, squares.first
        if not (keep or len(kept)):
            return cls(xy, kept, of_list, np.full(len(xy), -1), at, first, None)
        row_of = {name: row for row, name in enumerate(kept.names.tolist())}
        names = place_names(squares.xy, secret, mask, part(progress, 0.0, 0.5))
        row = _rows(row_of, names)
        strangers = np.flatnonzero(row < 0)
        for number, step in enumerate(_ROUND if side and row_of else ()):
            progress(0.5 + 0.5 * number / len(_ROUND))
            beside = place_names(squares.xy[strangers] + step, secret, mask)
            row[strangers] = _rows(row_of, beside)
            strangers = strangers[row[strangers] < 0]
        progress(1.0)
        return cls(xy, kept, of_list, row[at], at, first, names)

    @property
    def stays(self) -> np.ndarray:
        """Whether each place was released before, (n,)."""
        return self.row >= 0

    @property
    def earlier(self) -> np.ndarray:
        """Whether each was put where it is by other public layers than those of now, (n,)."""
        lists = self.kept.lists
        own = lists.index(self.of_list) if self.of_list in lists else -1
        other = np.append(self.kept.of_list != own, False)
        return other[self.row]

    @property
    def before(self) -> np.ndarray:
        """Where each was put, (n, 2); not a number for those that were not released before."""
        return np.concatenate([self.kept.xy, [[np.nan, np.nan]]])[self.row]

    def put(self, drawn: np.ndarray) -> np.ndarray:
        """Return where places are put: where they were, else where they were drawn.

        Parameters
        ----------
        drawn : (n, 2) array
            Not a number where a place is withheld.

        Returns
        -------
        (n, 2) array
        """
        found = drawn
        if (self.xy != self.xy[self.first][self.square]).any():
            # One of those in a square that are released: the first in x, then y.
            missing = np.isnan(drawn[:, 0])
            order = np.lexsort((self.xy[:, 1], self.xy[:, 0], missing, self.square))
            one = order[np.flatnonzero(np.diff(self.square[order], prepend=-1))]
            found = drawn[one][self.square]
        return np.where(self.stays[:, None], self.before, found)

    def for_next_time(self, put: np.ndarray) -> KeptPlaces:
        """Return what is kept, with what is released now: those that are withheld are not."""
        if self.names is None:
            return self.kept
        new = (self.row[self.first] < 0) & ~np.isnan(put[self.first, 0])
        return self.kept.with_new(self.names[new], put[self.first[new]], self.of_list)


def place_names(
    squares: np.ndarray, secret: bytes, mask: str, progress: Progress = silent
) -> np.ndarray:
    """What places are called by where they are kept: who has not the secret knows none of them.

    Parameters
    ----------
    squares : (n, 2) array
        What is exactly the same for a place in each release.
    secret : bytes
    mask : str
        The mask's id.
    progress : callable

    Returns
    -------
    (n,) array of 16 bytes
    """
    draws = KeptDraws(secret, f"{mask} name", many=len(squares) >= MANY)
    words = draws.words(squares, np.empty((len(squares), 0)), 0, progress)
    return np.ascontiguousarray(words[:, :2], dtype="<u8").view(_NAME).reshape(-1)


def _rows(row_of: Mapping[bytes, int], names: np.ndarray) -> np.ndarray:
    """Row of each name among those that are known, -1 for none."""
    return np.array([row_of.get(name, -1) for name in names.tolist()], dtype=np.int64)


def _unlike(told: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """The parameters that are not the same, with their values."""
    names = sorted(name for name in {*told, *other} if told.get(name) != other.get(name))
    return ", ".join(f"{name}={told.get(name, 'none')}" for name in names)
