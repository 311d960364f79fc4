# SPDX-License-Identifier: GPL-2.0-or-later
"""Cells and groups of an exchange of addresses, from one address list to the next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....core.masking.address_cells import AddressCells, mask_in_cells
from ....core.masking.addresses import at_addresses
from ....core.masking.grown_cells import too_few_left
from ....core.masking.kept_draws import KeptDraws
from ....core.masking.kept_groups import KeptGroups
from ....core.masking.partners import PartnerGraph
from ....core.masking.record_groups import mask_in_groups
from ....core.masking.secretfile import SecretFile
from ....core.runtime.progress import Progress
from ....core.verification.pointmask import UsedLayer
from ...running import Run
from .address_inputs import CELLS
from .address_released import least_step
from .kept_groups import Together
from .masked import Points
from .staying import keeper, look_up


@dataclass(frozen=True)
class Standing:
    """Who is together before a release, by the list of now.

    Attributes
    ----------
    method : str
    before : Together
        By the rows of :attr:`xy`.
    addresses : (n, 2) array
        The list.
    xy : (m, 2) array
        The same, and behind it what the list has no more and kept places need.
    of_list : str
        Fingerprint of the list.
    """

    method: str
    before: Together
    addresses: np.ndarray
    xy: np.ndarray
    of_list: str

    @classmethod
    def of(
        cls,
        points: Points,
        method: str,
        addresses: np.ndarray,
        k: int,
        of_list: str,
        progress: Progress,
    ) -> Standing:
        """Bring what the secret file keeps to the list of now."""
        within = least_step(points)
        before = Together.read(points.secret, method).on_list(
            addresses, of_list, within, k if method == CELLS else None, progress
        )
        xy = addresses if before.cells is None else before.cells.cells.xy
        if before.groups is not None:
            xy = before.groups.xy
        return cls(method, before, xy[: len(addresses)], xy, of_list)

    def rows(self, at: np.ndarray, points: Points) -> np.ndarray:
        """Return the row in :attr:`xy` of each record's address, -1 for none.

        Who was released before and whose address the list has no more is still there.

        Parameters
        ----------
        at : (n,) int array
            By the list.
        points : Points
        """
        groups = self.before.groups
        lost = np.empty(0, dtype=np.int64)
        if groups is not None:
            lost = groups.place[groups.place >= len(self.addresses)]
        if not len(lost):
            return at
        own = at_addresses(points.xy, self.xy[lost], least_step(points))[0]
        return np.where(own >= 0, lost[own], at)

    def nearest(
        self, at: np.ndarray, points: Points, run: Run, name: str, layers: list[UsedLayer]
    ) -> tuple[np.ndarray, list]:
        """Return the same where the nearest address counts: it is that of the first release."""
        if not run.number("WITHIN"):
            return at, []
        own = look_up(points, run, f"{name} nearest", {}, layers, points.xy)
        put = own.put(np.where((at < 0)[:, None], np.nan, self.xy[at]))
        there = ~np.isnan(put[:, 0])
        at = np.full(len(put), -1, dtype=np.int64)
        if there.any():
            at[there] = at_addresses(put[there], self.xy, least_step(points))[0]
        return at, [keeper(f"{name} nearest", own, put)]


@dataclass(frozen=True)
class PutTogether:
    """What became of records in cells or groups.

    Attributes
    ----------
    together : Together
        For the next release.
    to : (m,) int array
        Row of the address where each is released, -1 for who is not.
    no_partners, no_cell, few_left : (m,) bool arrays
        Why not; who is in none of them waits.
    earlier : (m,) bool array
        Who stays where another list has put him.
    """

    together: Together
    to: np.ndarray
    no_partners: np.ndarray
    no_cell: np.ndarray
    few_left: np.ndarray
    earlier: np.ndarray

    @property
    def groups(self) -> KeptGroups:
        """The groups, or units of cells."""
        return self.together.groups

    @property
    def cells(self) -> AddressCells | None:
        """The cells, by the list of now."""
        return None if self.together.cells is None else self.together.cells.cells

    @property
    def grown(self) -> bool:
        """Whether the cells are of several lists."""
        return self.together.cells is not None and self.together.cells.grown

    def keep(self, method: str, secret: SecretFile) -> SecretFile:
        """Return the secret file with what the next release needs."""
        return self.together.added_to(secret, method)


def put_together(
    standing: Standing,
    graph: PartnerGraph | None,
    at: np.ndarray,
    draws: KeptDraws,
    used: np.ndarray,
    k: int,
    k_records: int,
    progress: Progress,
) -> PutTogether:
    """Release records in cells or groups.

    Parameters
    ----------
    standing : Standing
    graph : PartnerGraph or None
        Of groups.
    at : (m,) int array
        Row of the address of each record.
    draws : KeptDraws
    used : (m, 4) array
        Their numbers.
    k, k_records : int
    progress : Progress
    """
    before, nobody = standing.before, np.zeros(len(at), dtype=bool)
    no_partners = no_cell = few_left = nobody
    if before.cells is None:
        groups = mask_in_groups(
            graph, at, used[:, 0], used[:, 1], k_records, before.groups, progress
        )
        to = groups.at(at)
        no_partners = np.isin(at, groups.withheld)
    else:
        cells = before.cells.cells
        sizes = np.full((len(cells.xy), 1), float(k))
        of_list = draws.bound_to(b"addresses").uniforms(cells.xy, sizes, 0)[:, 0]
        groups = mask_in_cells(cells, at, used[:, 0], of_list, k_records, before.groups, progress)
        no_cell = np.isin(at, groups.withheld)
        few_left = np.isin(at, too_few_left(cells, groups, at))
        to = np.where(few_left, -1, groups.at(at))
    together = before.with_new(groups, standing.of_list)
    # The first list again, after another one: its cells have lost what was missing meanwhile.
    changed = before.cells is not None and before.cells.grown
    changed = changed and before.lists[-1:] != (standing.of_list,)
    first = len(before.of_list) if changed else 0
    earlier = together.by_other(at, standing.of_list, first) & (to >= 0)
    return PutTogether(together, to, no_partners, no_cell, few_left, earlier)
