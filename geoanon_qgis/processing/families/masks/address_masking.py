# SPDX-License-Identifier: GPL-2.0-or-later
"""Masks that release records at other addresses of a public list: exchange, cells and groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....core.columns import Column
from ....core.masking.address_cells import AddressCells, address_cells, mask_in_cells
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
from ....core.masking.record_groups import mask_in_groups
from ....core.masking.secretfile import SecretFile
from ....core.runtime.errors import InputError
from ....core.runtime.progress import part
from ....core.space.planes import PROJECTION_ERROR_M
from ....core.space.points import build_tree, places
from ....core.verification import pointmask
from ....core.verification.pointmask import UsedLayer
from ...i18n import number_of, tr
from ...running import Run
from .address_inputs import ADDRESS, BY_DWELLING, CELLS, CROSSING, DWELLINGS, EXCHANGE, GROUPS
from .crossings import read_crossings
from .kept_groups import for_next_time, of_earlier, with_kept
from .kept_masking import hull_round, near_places, read_places, used_layer
from .masked import Points
from .public_sizes import people_of
from .staying import EARLIER, keeper, look_up

#: Why a record is withheld (the kinds of :attr:`Exchanged.kind`).
RELEASED, NO_ADDRESS, NO_PARTNERS, WAITING = 0, 1, 2, 3
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


def reasons() -> list[tuple[str, str]]:
    """Return why records are withheld, by :attr:`Exchanged.kind`."""
    return [
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
    kind = np.where(at < 0, NO_ADDRESS, RELEASED)
    lies = np.flatnonzero(at >= 0)
    secret = points.secret
    draws = KeptDraws(secret.bytes, _DRAWS.format(method=method), many=len(addresses) >= MANY)
    used = draws.uniforms(addresses[at[lies]], _sizes(k, len(lies)), 0)
    step = run.step("mask")
    graph = cells = groups = None
    keeps: list[Callable[[SecretFile], SecretFile]] = []
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
            to[there] = at_addresses(put[there], addresses, _least(points))[0]
    else:
        told["K_RECORDS"] = run.number("K_RECORDS")
        kept = of_earlier(secret, method, addresses, layers[0].sha256)
        if method == GROUPS:
            groups = mask_in_groups(
                graph, at[lies], used[:, 0], used[:, 1], told["K_RECORDS"], kept, step
            )
        else:
            of_list = draws.bound_to(b"addresses").uniforms(
                addresses, _sizes(k, len(addresses)), 0
            )[:, 0]
            cells = address_cells(addresses, k, part(step, 0.0, 0.5))
            groups = mask_in_cells(
                cells, at[lies], used[:, 0], of_list, told["K_RECORDS"], kept, part(step, 0.5, 1.0)
            )
        stays = kept is not None
        told_next = for_next_time(groups, layers[0].sha256)
        keeps.append(lambda secret: with_kept(secret, method, told_next))
        to = groups.at(at[lies])
        put = np.where(to[:, None] < 0, np.nan, addresses[to])
        kind[lies[to < 0]] = WAITING
        kind[lies[np.isin(at[lies], groups.withheld)]] = NO_PARTNERS
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
        numbers = of_groups(groups, present)
        if method == CELLS:
            numbers |= of_cells(cells, likely)
    chances = Chances(len(np.unique(at[lies])) / len(addresses), **numbers)
    moved[there], other, keeper_of_these = _released_at(
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
        cells,
        groups,
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
    reach = max(within / points.plane.metres_per_unit, _least(points))
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


def _least(points: Points) -> float:
    """Two transformations of one place differ by less than this, in units of the plane."""
    return PROJECTION_ERROR_M / points.plane.metres_per_unit


def _released_at(
    there: np.ndarray,
    addresses: np.ndarray,
    draws: KeptDraws,
    points: Points,
    run: Run,
    layers: list[UsedLayer],
) -> tuple[np.ndarray, np.ndarray, Callable[[SecretFile], SecretFile]]:
    """Where records are drawn that are released at addresses: by the address alone.

    Also, which stay where another list or other streets have put them, and what keeps them there.
    """
    output_at = run.choice("OUTPUT_AT")
    if output_at == ADDRESS:
        return there, np.zeros(len(there), dtype=bool), lambda secret: secret
    if output_at == CROSSING:
        crossings = read_crossings(points, run, layers)
        drawn, used = crossings[build_tree(crossings).query(there)[1]], layers[-1:]
    else:
        drawn, used = _beside(there, addresses, draws), layers[:1]
    name = f"{draws.mask} {output_at}"
    before = look_up(points, run, name, {}, used, there)
    put = before.put(drawn)
    return put, before.earlier, keeper(name, before, put)


def _beside(there: np.ndarray, addresses: np.ndarray, draws: KeptDraws) -> np.ndarray:
    """Places within half of the way from addresses to the next one."""
    unique, of_row = np.unique(there, axis=0, return_inverse=True)
    of_row = of_row.reshape(-1)
    away = build_tree(addresses).query(unique, k=2)[0]
    # An address that the list has no more is none of the two.
    half = np.where(away[:, 0] > 0, away[:, 0], away[:, 1]) / 2
    numbers = draws.bound_to(b"beside").uniforms(unique, half[:, None], 0)
    away, turn = half * np.sqrt(numbers[:, 0]), 2 * np.pi * numbers[:, 1]
    step = away[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return there + step[of_row]
