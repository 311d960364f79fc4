# SPDX-License-Identifier: GPL-2.0-or-later
"""Cells and groups that are kept when the address list changes: what each adversary can reach."""

from __future__ import annotations

import numpy as np
import pytest
from test_exchange_partners import towns

from geoanon_qgis.core.masking.address_cells import join_counts, mask_in_cells
from geoanon_qgis.core.masking.address_chances import of_cells
from geoanon_qgis.core.masking.grown_cells import KeptCells, too_few_left
from geoanon_qgis.core.masking.kept_groups import KeptGroups
from geoanon_qgis.core.masking.partners import partner_graph
from geoanon_qgis.core.masking.record_groups import mask_in_groups
from geoanon_qgis.core.runtime.errors import InputError

K, LEAST = 5, 2
ALL = towns(90)
_GONE = (3, 12, 13, 14, 22, 30, 41, 48)
ALL_OF = range(90)
#: Addresses of three lists: some go, some are new, and number 7 comes back.
LISTS = (
    np.arange(60),
    np.setdiff1d(np.arange(80), (*_GONE, 7)),
    np.setdiff1d(np.arange(90), (*_GONE, 5, 27, 50, 56, 61, 70)),
)


class Registry:
    """Releases of a registry that grows, by lists that change; addresses by their numbers."""

    def __init__(self, lists=LISTS, k=K):
        self.k, self.lists, self.cells, kept = k, lists, [], None
        for one in lists:
            xy = ALL[one]
            kept = KeptCells.of_first_list(xy, k) if kept is None else kept.on_list(xy, k)
            self.cells.append(kept.cells)

    def cell_of(self, number: int, at: int) -> int:
        """Cell of an address in a release, below zero for none."""
        row = np.flatnonzero(self.lists[at] == number)
        return int(self.cells[at].cell[row[0]]) if len(row) else -1

    def releases(self, home, joined, seed=3):
        """Where each record is released, by its number among all addresses, for each release."""
        rng = np.random.default_rng(seed)
        of_records, of_addresses = rng.random(len(home)), rng.random(len(ALL))
        groups, known, found = None, set(), []
        for number, (listed, cells) in enumerate(zip(self.lists, self.cells)):
            if groups is not None:
                groups = groups.on_list(cells.xy)
            xy = cells.xy if groups is None else groups.xy
            row = {tuple(place): one for one, place in enumerate(xy.tolist())}
            of = {tuple(place): one for one, place in enumerate(ALL.tolist())}
            here = [one for one in range(len(home)) if joined[one] <= number]
            here = [one for one in here if tuple(ALL[home[one]].tolist()) in row]
            place = np.array([row[tuple(ALL[home[one]].tolist())] for one in here])
            numbers = of_records[here], of_addresses[listed]
            groups = mask_in_cells(cells, place, *numbers, LEAST, groups)
            short = too_few_left(cells, groups, place)
            assert set(map(tuple, groups.xy[short].tolist())) <= known  # none of the newcomers
            known = set(map(tuple, groups.xy[groups.place].tolist()))
            at = np.where(np.isin(place, short), -1, groups.at(place))
            put = {one: of[tuple(xy[to].tolist())] for one, to in zip(here, at.tolist()) if to >= 0}
            unit = dict(zip(groups.place.tolist(), groups.group.tolist()))
            units = {one: unit.get(at) for one, at in zip(here, place.tolist())}
            found.append((put, {one: units[one] for one in put}))
        return found


def people(count=40, seed=3):
    """Homes and the release that each joined; newcomers live at addresses of the list of then."""
    rng = np.random.default_rng(seed)
    home, joined, taken = [], [], set()
    for number, many in enumerate((count // 2, count // 4, count // 4)):
        free = [one for one in LISTS[number].tolist() if one not in taken]
        new = rng.permutation(free)[:many].tolist()
        home, joined, taken = home + new, joined + [number] * many, taken | set(new)
    return home, joined


def test_nobody_moves_and_points_stay_distinct():
    home, joined = people()
    found = [put for put, _ in Registry().releases(home, joined)]
    for before, after in zip(found, found[1:]):
        assert before and all(after.get(one, to) == to for one, to in before.items())
    # Also who lives at an address that is gone, and most are released.
    gone = [one for one in found[0] if home[one] not in LISTS[1]]
    assert any(one in found[1] for one in gone)
    assert len(found[2]) > 0.5 * len(home)
    for put in found:
        assert len(set(put.values())) == len(put)


@pytest.mark.parametrize("seed", [3, 8])
def test_who_asks_for_an_address_has_no_more_than_one_in_k(seed):
    """Brute force: each other home that leads to the same releases is as likely as the true one."""
    registry = Registry()
    everybody = people(seed=seed)
    tried = least = 0
    for at in range(3):
        home, joined = (one[: sum(n <= at for n in everybody[1])] for one in everybody)
        found = registry.releases(home, joined)[: at + 1]
        put, unit = found[at]
        for one in put:
            born = joined[one]
            cell = registry.cell_of(home[one], born)
            # He has all lists: she lives at an address of each since her first release.
            could = [other for other in ALL_OF if registry.cell_of(other, born) == cell]
            left = [other for other in could if _stood(other, born, at)]
            as_likely = 0
            for other in left:
                swapped = list(home)
                swapped[one] = other
                if other != home[one] and other in home:  # who lives there lives elsewhere
                    who = home.index(other)
                    free = [n for n in [home[one], *could] if n == home[one] or n not in home]
                    swapped[who] = next(n for n in free if _stood(n, joined[who], joined[who]))
                as_likely += registry.releases(swapped, joined)[: at + 1] == found
                tried += other != home[one]
            mine = [n for n in put if unit[n] == unit[one]]
            of_cell = sum(registry.cell_of(home[n], joined[n]) == cell for n in mine)
            assert as_likely == len(left) and len(mine) >= LEAST
            assert of_cell / len(mine) / as_likely <= 1 / K + 1e-12
            least += as_likely < K
    assert tried > 100 and least > 5


def _stood(number: int, first: int, last: int) -> bool:
    return all(number in LISTS[one] for one in range(first, last + 1))


def test_cells_last_new_addresses_have_their_own_and_who_comes_back_has_none():
    registry = Registry()
    one, two, three = ({n: registry.cell_of(n, at) for n in range(90)} for at in range(3))
    for before, after in ((one, two), (two, three)):
        assert all(after[n] in (cell, -1) for n, cell in before.items() if cell >= 0)
    old = set(one.values())
    assert all(two[n] not in old - {-1} for n in range(60, 80)) and two[7] == three[7] == -1
    new = registry.cells[1]
    assert new.sizes[new.count - 1] >= K and (new.sizes[[two[60]]] >= K).all()
    # Fewer than k new addresses are in no cell until there are enough of them.
    few = Registry((np.arange(60), np.arange(63), np.arange(66)))
    assert [few.cell_of(61, at) for at in (1, 2)] == [-1, few.cells[0].count]
    home, joined = [*range(0, 30, 2), 61], [0] * 15 + [1]
    found = few.releases(home, joined)
    assert 15 not in found[1][0] and len(found[1][0]) == 15
    # The last bits of coordinates may be others, and are then those of before.
    kept = KeptCells.of_first_list(ALL[:60], K)
    again = kept.on_list(ALL[:60][::-1] + 1e-5, K, 1e-3)
    assert np.array_equal(again.cells.xy, ALL[:60][::-1]) and again.grown
    assert np.array_equal(again.cells.cell, kept.cells.cell[::-1])
    with pytest.raises(InputError, match=r"have at least 5 addresses \(K\), not 6"):
        kept.on_list(ALL[:60], 6)


def test_units_of_cells_that_have_lost_too_many_addresses_are_withheld_as_a_whole():
    first = KeptCells.of_first_list(ALL[:60], K)
    cell = first.cells.cell
    # Two units of two cells: of one, a cell loses all addresses but that of its record.
    rows = [np.flatnonzero(cell == one)[:2] for one in range(4)]
    place = np.concatenate(rows)
    of_place, unit = cell[place], np.repeat([0, 0, 1, 1], 2)
    order = np.argsort(place)
    none = place[:0]
    groups = KeptGroups(ALL[:60], 3, place[order], unit[order], place[order], none, none,
                        of_place[order])  # fmt: skip
    lost = np.flatnonzero(cell == 3)[2:]
    left = np.setdiff1d(np.arange(60), lost)
    after = first.on_list(ALL[left], K).cells
    moved = groups.on_list(after.xy)
    short = too_few_left(after, moved, moved.place)
    assert sorted(map(tuple, moved.xy[short])) == sorted(map(tuple, ALL[place[4:]]))
    # One address less is made up for by the other cell of the unit: 2 of 4 records at 4 addresses.
    after = first.on_list(ALL[np.setdiff1d(np.arange(60), lost[:1])], K).cells
    moved = groups.on_list(after.xy)
    assert not len(too_few_left(after, moved, moved.place))
    small = after.sizes < K
    assert small.any()
    chance = of_cells(after, moved, moved.place, np.ones(len(after.xy)))["address"]
    assert chance == pytest.approx(1 / K)
    # But not if the others of the unit have left the file.
    alone = moved.place[
        np.isin(moved.place, np.searchsorted(after.xy[:, 0], -1)) | (moved.cell == 3)
    ]
    assert set(too_few_left(after, moved, alone)) == set(moved.place[moved.group == 1])


def test_newcomers_of_small_cells_are_joined_until_they_hide_among_k():
    sizes, sums = np.array([5, 5, 2]), np.array([[0.0, 0], [500, 0], [400, 0]])
    records, room = np.array([3, 3, 2]), np.array([2, 2, 9])
    alone = join_counts(sizes, sums, records, room, np.array([3, 3, 3]))
    assert len(set(alone.tolist())) == 2
    # Two records at two addresses: with 5 in the unit each address has 2 / 5 / 2 = 1 / 5.
    assert len(set(join_counts(sizes, sums, records, room, np.array([3, 3, 5])).tolist())) == 2
    # Where all together are too few for one cell, nobody of them is released.
    assert (join_counts(sizes, sums, records, room, np.array([3, 3, 9])) == -1).any()
    crowded = np.array([-1, -9, -1])
    assert (join_counts(sizes, sums, records, crowded, 2) == -1).all()


def test_groups_are_kept_with_another_list():
    rng = np.random.default_rng(8)
    change, move = rng.random((2, len(ALL)))
    home, kept, before = rng.permutation(60)[:36], None, {}
    for number, count in enumerate((18, 27, 36)):
        graph = partner_graph(ALL[LISTS[number]], K)
        if kept is not None:
            kept = kept.on_list(graph.xy)
        xy = graph.xy if kept is None else kept.xy
        row = {tuple(place): one for one, place in enumerate(xy.tolist())}
        here = [one for one in home[:count].tolist() if tuple(ALL[one].tolist()) in row]
        place = np.array([row[tuple(ALL[one].tolist())] for one in here])
        kept = mask_in_groups(graph, place, change[here], move[here], LEAST, kept)
        to = kept.at(place)
        put = {one: tuple(xy[at]) for one, at in zip(here, to.tolist()) if at >= 0}
        assert all(put[one] == at for one, at in before.items()) and set(before) <= set(put)
        assert kept.sizes.min() >= LEAST and len(put) > len(before)
        before = put
    assert any(one not in LISTS[2] for one in before)
    # Nobody comes to an address that the list has no more, though somebody was released there.
    (nobody, *_) = np.setdiff1d(np.arange(len(graph.xy), len(kept.xy)), kept.place)
    with pytest.raises(InputError, match="none of the 76 addresses"):
        mask_in_groups(graph, np.array([nobody]), np.zeros(1), np.zeros(1), LEAST, kept)
