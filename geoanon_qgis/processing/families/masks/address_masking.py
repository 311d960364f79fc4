# SPDX-License-Identifier: GPL-2.0-or-later
"""Masks that release records at other addresses of a public list: exchange, cells and groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....core.columns import Column
from ....core.masking.address_cells import AddressCells
from ....core.masking.address_chances import (
    Chances,
    of_cells,
    of_dwellings,
    of_exchange,
    of_groups,
)
from ....core.masking.addresses import at_addresses
from ....core.masking.dwelling_partners import DwellingGraph, dwelling_graph
from ....core.masking.kept_draws import MANY, KeptDraws
from ....core.masking.kept_groups import KeptGroups
from ....core.masking.partners import PartnerGraph, partner_graph
from ....core.masking.secretfile import SecretFile
from ....core.runtime.errors import InputError
from ....core.runtime.progress import part
from ....core.space.points import places
from ....core.verification import pointmask
from ....core.verification.pointmask import UsedLayer
from ...i18n import number_of, tr
from ...running import Run
from .address_groups import Standing, put_together
from .address_inputs import BY_DWELLING, CELLS, DWELLINGS, EXCHANGE
from .address_released import least_step, released_at
from .kept_masking import hull_round, near_places, read_places, used_layer
from .masked import Points
from .public_sizes import people_of
from .staying import EARLIER, GROWN, keeper, look_up

#: Why a record is withheld (the kinds of :attr:`Exchanged.kind`).
RELEASED, NO_ADDRESS, NO_PARTNERS, WAITING, NO_CELL, FEW_LEFT = range(6)
#: What is asked of a secret, each of its own.
_DRAWS = "maskexchange {method}"
_LEAST, _MOST = np.finfo(float).tiny, np.finfo(float).max


@dataclass(frozen=True)
class Exchanged:
    """What became of records.

    Attributes
    ----------
    method : str
    xy : (n, 2) array
        In the plane; not a number where a record is withheld.
    kind : (n,) int array
        ``RELEASED``, or why not.
    addresses : (m, 2) array
        The list, without doubles, by x and then y.
    at : (n,) int array
        Row of the address of each record, -1 for none.
    put : (n,) int array
        Row of the address where each is released, before it is moved beside that or to a crossing;
        -1 for none, and where the list has it no more.
    graph : PartnerGraph or DwellingGraph, or None
    cells : AddressCells or None
    groups : KeptGroups or None
    chances : Chances
    parameters : dict
    layers : list of UsedLayer
    kept : sequence of callables
        Each adds to a secret file what the next release needs.
    earlier : (n,) bool array
        Who stays where another list, or other streets, have put him.
    stays : bool
        Whether those of earlier releases are where they were, whatever is given now.
    """

    method: str
    xy: np.ndarray
    kind: np.ndarray
    addresses: np.ndarray
    at: np.ndarray
    put: np.ndarray
    graph: PartnerGraph | DwellingGraph | None
    cells: AddressCells | None
    groups: KeptGroups | None
    chances: Chances
    parameters: dict[str, Any]
    layers: list[UsedLayer]
    kept: Sequence[Callable[[SecretFile], SecretFile]]
    earlier: np.ndarray
    stays: bool

    def keep(self, secret: SecretFile) -> SecretFile:
        """Return the secret file with what the next release needs."""
        for add in self.kept:
            secret = add(secret)
        return secret

    @property
    def at_home(self) -> int | None:
        """Records of an exchange of dwellings that stay in a large house; None of other methods."""
        if not isinstance(self.graph, DwellingGraph):
            return None
        own = np.flatnonzero((self.at >= 0) & (self.kind == RELEASED))
        large = self.graph.dwellings[self.at[own]] >= self.graph.k
        return int((large & (self.put[own] == self.at[own])).sum())

    def could(self, row: int) -> np.ndarray:
        """Return the addresses at which a record could have been released, (q, 2)."""
        own = np.array([self.at[row]])
        if self.groups is not None:
            groups = self.groups
            slot = int(np.searchsorted(groups.place, own[0]))
            own = groups.place[groups.group == groups.group[slot]]
            if self.cells is not None:
                of = self.cells.cell[np.concatenate([own, groups.at(own)])]
                return self.addresses[np.isin(self.cells.cell, of)]
        return self.addresses[np.union1d(own, self.graph.reached(own))]

    def hulls(self, rows: np.ndarray) -> list[np.ndarray]:
        """Return the convex hull of where each of some records could have been released."""
        unique, of_row = np.unique(self.at[rows], return_inverse=True)
        first = np.empty(len(unique), dtype=np.intp)
        first[of_row] = rows
        found = [hull_round(self.could(row)) for row in first.tolist()]
        return [found[one] for one in of_row.tolist()]


def reasons(kind: np.ndarray) -> list[tuple[str, str]]:
    """Return why records are withheld, by :attr:`Exchanged.kind`."""
    found = [
        (
            "no address",
            tr("the address is not in the list. Add it there, or take the nearest one (WITHIN)."),
        ),
        (
            "no partners",
            tr(
                "the address has no partners: its class is too small, one address had to be left "
                "over, or it has no dwelling. Take wider classes, or another K."
            ),
        ),
        (
            "waiting",
            tr("there are too few newcomers for a group. Release them when there are more."),
        ),
    ]
    # Those of a list that has changed.
    changed = [
        (
            "no cell",
            tr(
                "the address is in no cell: it is new in the list, and there are too few new ones "
                "for a cell, or it was missing in an earlier list. Release them when more "
                "addresses are new."
            ),
        ),
        (
            "too few addresses left",
            tr(
                "so many addresses of their cells are gone from the list that they would hide "
                "among fewer than K. They cannot be released with this list."
            ),
        ),
    ]
    return found + changed[: max(int(kind.max(initial=0)) - WAITING, 0)]


def exchanged(points: Points, run: Run) -> Exchanged:
    """Read the list, and release the records at addresses of it.

    Raises
    ------
    InputError
        If no record is at an address, or there are too few of either.
    """
    method, k = run.choice("METHOD"), run.number("K")
    told: dict[str, Any] = {"METHOD": method, "K": k, "OUTPUT_AT": run.choice("OUTPUT_AT")}
    source = run.source("CANDIDATES")
    names = [run.field(name, source) for name in ("WEIGHT", "CLASSES")]
    table, xy = read_places(points, run, "CANDIDATES", "public", list(filter(None, names)))
    listed = places(xy)
    addresses, of_row = listed.xy, listed.of_point
    near = near_places(points, addresses, run.outputs.ask)
    if near:
        run.warn(
            tr(
                "{addresses} of the list less than 1 m from another one. If they are one house, it "
                "counts more than once among the {k} (K), and people hide among fewer houses. Give "
                "all rows of a house the same coordinates, to the last digit."
            ).format(addresses=number_of(near, "address lies", "addresses lie"), k=k)
        )
    weight, classes = _of_list(table, names, source.sourceName(), of_row, len(addresses))
    by_dwelling = run.choice("UNIT") == BY_DWELLING
    layers = [used_layer("CANDIDATES", source, addresses)]
    if classes is not None:  # others would lead to other partners
        told["CLASSES"] = names[1]
        digest = pointmask.fingerprint_of_texts([*map(repr, zip(addresses.tolist(), classes))])
        layers.append(UsedLayer("CLASSES", source.sourceName(), len(classes), digest))
    if by_dwelling:  # and so would other numbers of them
        told["UNIT"] = BY_DWELLING
        digest = pointmask.fingerprint(addresses, weight)
        layers.append(UsedLayer(DWELLINGS, source.sourceName(), int(weight.sum()), digest))
    at = _addresses_of(points, addresses, run)
    draws = KeptDraws(
        points.secret.bytes, _DRAWS.format(method=method), many=len(addresses) >= MANY
    )
    step = run.step("mask")
    graph = made = None
    keeps: list[Callable[[SecretFile], SecretFile]] = []
    all_xy = addresses
    if method != EXCHANGE:
        halfway = part(step, 0.0, 0.5)
        standing = Standing.of(points, method, addresses, k, layers[0].sha256, halfway)
        addresses, all_xy = standing.addresses, standing.xy
        at, keeps = standing.nearest(standing.rows(at, points), points, run, draws.mask, layers)
    kind = np.where(at < 0, NO_ADDRESS, RELEASED)
    lies = np.flatnonzero(at >= 0)
    used = draws.uniforms(all_xy[at[lies]], _sizes(k, len(lies)), 0)
    earlier = np.zeros(len(at), dtype=bool)
    if by_dwelling:
        graph = dwelling_graph(addresses, weight, k, classes, part(step, 0.0, 0.9))
    elif method != CELLS:
        graph = partner_graph(addresses, k, classes, part(step, 0.0, 0.9))
    if method == EXCHANGE:
        name = draws.mask
        by = {"K": k, "UNIT": BY_DWELLING} if by_dwelling else {"K": k}
        before = look_up(points, run, name, by, layers, addresses[at[lies]])
        to = graph.partner_of(at[lies], used[:, 0])
        put = before.put(np.where(to[:, None] < 0, np.nan, addresses[to]))
        earlier[lies], stays = before.earlier, bool(len(before.kept))
        if run.number("WITHIN"):  # of another list another address may be the nearest
            own = look_up(points, run, f"{name} nearest", by, layers, points.xy[lies])
            put = own.put(put)
            earlier[lies] = np.where(own.stays, own.earlier, before.earlier)
            keeps.append(keeper(f"{name} nearest", own, put))
        keeps.append(keeper(name, before, put))
        there = ~np.isnan(put[:, 0])
        kind[lies[~there]] = NO_PARTNERS
        # Who stays at an address that the list has no more has no row.
        to = np.full(len(put), -1, dtype=np.int64)
        if there.any():
            to[there] = at_addresses(put[there], addresses, least_step(points))[0]
    else:
        told["K_RECORDS"] = run.number("K_RECORDS")
        progress = part(step, 0.5, 1.0)
        made = put_together(standing, graph, at[lies], draws, used, k, told["K_RECORDS"], progress)
        stays = standing.before.groups is not None
        keeps.append(lambda secret: made.keep(method, secret))
        if made.grown:
            told[GROWN] = 1
        earlier[lies], to = made.earlier, made.to
        put = np.where(to[:, None] < 0, np.nan, all_xy[to])
        kind[lies[to < 0]] = WAITING
        for why, number in (
            (made.no_partners, NO_PARTNERS),
            (made.no_cell, NO_CELL),
            (made.few_left, FEW_LEFT),
        ):
            kind[lies[why]] = number
        to = np.where(to < len(addresses), to, -1)
    moved, put_at = np.full(points.xy.shape, np.nan), np.full(len(at), -1, dtype=np.int64)
    put_at[lies] = to
    released = ~np.isnan(put[:, 0])
    there = lies[released]
    present, first = np.unique(at[there], return_index=True)
    numbers: dict[str, float] = {}
    # Only the ratios count, and sums of the largest numbers would be none.
    likely = weight / max(weight.max(), _LEAST)
    if by_dwelling:
        numbers = of_dwellings(graph, to[released][first], part(step, 0.9, 1.0))
    elif method == EXCHANGE:
        numbers = of_exchange(graph, to[released][first], likely, part(step, 0.9, 1.0))
    else:
        numbers = of_groups(made.groups, present)
        if method == CELLS:
            numbers |= of_cells(made.cells, made.groups, present, likely)
    chances = Chances(len(np.unique(at[lies])) / len(addresses), **numbers)
    moved[there], other, keeper_of_these = released_at(
        put[released], addresses, draws, points, run, layers
    )
    keeps.append(keeper_of_these)
    earlier[there] |= other
    count = len(np.unique(at[earlier]))
    if count:  # by the partners of now nobody could explain where they are
        told[EARLIER] = count
    return Exchanged(
        method,
        moved,
        kind,
        addresses,
        at,
        put_at,
        graph,
        made.cells if made else None,
        made.groups if made else None,
        chances,
        told,
        layers,
        keeps,
        earlier,
        stays,
    )


def _sizes(k: int, count: int) -> np.ndarray:
    """What draws are bound to besides the place: another k, other numbers."""
    return np.full((count, 1), float(k))


def _of_list(table, names, layer: str, of_row: np.ndarray, count: int) -> tuple:
    """Weight and class of each address; of those listed twice the sum, and one class of all."""
    # Who lists an address for each of its dwellings has said how many there are.
    weight, classes = np.bincount(of_row, minlength=count).astype(np.float64), None
    if names[0]:
        given = people_of(table.columns[names[0]], table.ids, layer)
        with np.errstate(over="ignore"):
            weight = np.minimum(np.bincount(of_row, given, minlength=count), _MOST)
    if names[1]:
        classes = class_of_each(table.columns[names[1]], of_row, count)
    return weight, classes


def class_of_each(column: Column, of_row: np.ndarray, count: int) -> list[str]:
    """Return the class of each address, by the rows of a list.

    Raises
    ------
    InputError
        If an address has several.
    """
    classes = [""] * count
    for row, text in zip(of_row.tolist(), column.texts("")):
        if text and classes[row] not in ("", text):
            raise InputError(
                tr(
                    "An address is listed more than once with different classes (“{one}” and "
                    "“{other}”). Give each address one class."
                ).format(one=classes[row], other=text)
            )
        classes[row] = text or classes[row]
    return classes


def _addresses_of(points: Points, addresses: np.ndarray, run: Run) -> np.ndarray:
    """Row of the address of each record, and what is said of those without."""
    within = run.number("WITHIN")
    reach = max(within / points.plane.metres_per_unit, least_step(points))
    at, away = at_addresses(points.xy, addresses, reach, run.step("find"))
    if (at < 0).all():
        raise InputError(
            tr(
                "No record lies at an address of the list; the nearest is {away:,.3g} m away. "
                "Choose the list that has the records' addresses, check the reference systems of "
                "both layers, or take the nearest address (WITHIN)."
            ).format(away=float(away.min()) * points.plane.metres_per_unit)
        )
    return at
