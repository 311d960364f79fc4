# SPDX-License-Identifier: GPL-2.0-or-later
"""What cells and groups of an exchange keep in the secret file: which places are together, where they
were put, and the cells of the address list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....core.masking.address_cells import AddressCells
from ....core.masking.grown_cells import KeptCells
from ....core.masking.kept_groups import KeptGroups
from ....core.masking.secretfile import SecretFile
from ....core.runtime.errors import InputError
from ....core.runtime.packed import packed, unpacked
from ....core.runtime.progress import Progress
from ...i18n import mark

_CELLS_NOT_KEPT = mark(
    "The secret file is of an earlier version, which did not keep the cells, and they were made with "
    "another address list. Release once with the list of then: what is written as SECRET_FILE "
    "serves any list."
)
_KEPT_IS_NONE = mark(
    "What the secret file keeps of earlier releases makes no sense. Choose the file that was written as "
    "SECRET_FILE with the last release, and do not change it."
)


@dataclass(frozen=True, eq=False)
class Together:
    """Who is together by cells or groups, and by which lists.

    Attributes
    ----------
    groups : KeptGroups or None
        None before the first release.
    cells : KeptCells or None
        Of cells.
    lists : tuple of str
        Fingerprints of the address lists by which somebody was put.
    of_list : (groups,) int array
        Which of them put each group.
    """

    groups: KeptGroups | None
    cells: KeptCells | None
    lists: tuple[str, ...]
    of_list: np.ndarray

    @classmethod
    def read(cls, secret: SecretFile, method: str) -> Together:
        """Return what earlier releases kept; nobody before the first.

        Parameters
        ----------
        secret : SecretFile
        method : str
            ``cells`` or ``groups``.

        Raises
        ------
        InputError
            If it makes no sense.
        """
        told = secret.kept.get(_name(method))
        if told is None:
            return cls(None, None, (), np.empty(0, dtype=np.int64))
        try:
            return cls._of(told)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise InputError(_KEPT_IS_NONE) from error

    @classmethod
    def _of(cls, told: Mapping[str, Any]) -> Together:
        place, released = (
            np.array(told[name], dtype=np.float64).reshape(-1, 2) for name in ("place", "released")
        )
        # Rows of many lists at once: of each place where it first stands.
        xy, row = np.unique(np.concatenate([place, released]), axis=0, return_inverse=True)
        row = row.reshape(-1)
        group, none = np.array(told["group"]), np.empty(0, dtype=np.int64)
        cells = cls._cells_of(told) if "cells" in told else None
        of_place = np.array(told["cells"]["of_place"], dtype=np.int64) if cells else None
        lists = tuple(str(one) for one in told.get("lists", [told["addresses"]]))
        many = int(group.max(initial=-1)) + 1
        of_list = np.array(told.get("of_list", [0] * many), dtype=np.int64)
        own, put = row[: len(place)], row[len(place) :]
        fits = len(place) == len(released) and group.shape == own.shape
        fits = fits and (group.dtype == np.int64 or not len(group)) and np.isfinite(xy).all()
        fits = fits and len(np.unique(own)) == len(own) and of_list.shape == (many,)
        fits = fits and set(np.unique(group)) == set(range(many))
        fits = fits and ((of_list >= 0) & (of_list < len(lists))).all()
        if of_place is not None:
            fits = fits and of_place.shape == own.shape and (of_place >= 0).all()
            fits = fits and (of_place < cells.cells.count).all()
        if not fits:
            raise ValueError
        order = np.argsort(own)
        groups = KeptGroups(
            xy,
            int(told["k_records"]),
            own[order],
            group[order].astype(np.int64),
            put[order],
            none,
            none,
            None if of_place is None else of_place[order],
        )
        return cls(groups, cells, lists, of_list)

    @staticmethod
    def _cells_of(told: Mapping[str, Any]) -> KeptCells:
        kept = told["cells"]
        xy, gone = (unpacked(kept[name], "<f8").reshape(-1, 2) for name in ("xy", "gone"))
        cell = unpacked(kept["cell"], "<i8").astype(np.int64)
        if len(cell) != len(xy) or not np.isfinite(xy).all() or (cell >= int(kept["count"])).any():
            raise ValueError
        cells = AddressCells(xy, int(kept["k"]), cell, int(kept["count"]))
        return KeptCells(cells, gone, bool(kept["grown"]))

    def on_list(
        self,
        xy: np.ndarray,
        of_list: str,
        within: float,
        k_of_cells: int | None,
        progress: Progress,
    ) -> Together:
        """Return the same by the rows of the list of now.

        Parameters
        ----------
        xy : (n, 2) array
            By x, then y.
        of_list : str
            Its fingerprint.
        within : float
            Units of the plane by which an address may miss itself.
        k_of_cells : int or None
            Of cells, their least size.
        progress : Progress

        Raises
        ------
        InputError
            If the cells of another list are not known, or have another least size.
        """
        cells, groups = self.cells, self.groups
        if k_of_cells is not None:
            if cells is not None:
                cells = cells.on_list(xy, k_of_cells, within, progress)
            elif groups is None or self.lists == (of_list,):
                cells = KeptCells.of_first_list(xy, k_of_cells, progress)
            else:
                raise InputError(_CELLS_NOT_KEPT)
            xy = cells.cells.xy
        if groups is not None:
            groups = groups.on_list(xy, within)
        return replace(self, cells=cells, groups=groups)

    def with_new(self, groups: KeptGroups, of_list: str) -> Together:
        """Return the same after a release by the list ``of_list``, with those who are new."""
        lists = self.lists if of_list in self.lists else (*self.lists, of_list)
        many = int(groups.group.max(initial=-1)) + 1 - len(self.of_list)
        new = np.full(many, lists.index(of_list), dtype=np.int64)
        return Together(groups, self.cells, lists, np.concatenate([self.of_list, new]))

    def by_other(self, place: np.ndarray, of_list: str, first: int = 0) -> np.ndarray:
        """Tell who was put by another list than that of now, or by cells that have changed since.

        Parameters
        ----------
        place : (m,) int array
            Rows of addresses.
        of_list : str
        first : int
            Number of the first group whose cells are those of now.

        Returns
        -------
        (m,) bool array
        """
        slot = np.minimum(np.searchsorted(self.groups.place, place), len(self.groups.place) - 1)
        group = self.groups.group[slot]
        other = (self.of_list[group] != self.lists.index(of_list)) | (group < first)
        return other & (self.groups.place[slot] == place)

    def as_json(self) -> dict[str, Any]:
        """Return what the next release needs to know.

        Addresses are told by their places: the rows of a list may stand in another order next time.
        """
        groups, kept = self.groups, self.cells
        told = {
            "addresses": self.lists[-1],
            "k_records": groups.k_records,
            "place": groups.xy[groups.place].tolist(),
            "group": groups.group.tolist(),
            "released": groups.xy[groups.released].tolist(),
            "lists": list(self.lists),
            "of_list": self.of_list.tolist(),
        }
        if kept is not None:
            told["cells"] = {
                "k": kept.cells.k,
                "count": kept.cells.count,
                "xy": packed(kept.cells.xy.astype("<f8")),
                "cell": packed(kept.cells.cell.astype("<i8")),
                "gone": packed(kept.gone.astype("<f8")),
                "grown": kept.grown,
                "of_place": groups.cell.tolist(),
            }
        return told

    def added_to(self, secret: SecretFile, method: str) -> SecretFile:
        """Return the secret file with what was made for the next time."""
        return secret.with_kept(_name(method), self.as_json())


def _name(method: str) -> str:
    return f"maskexchange {method}"
