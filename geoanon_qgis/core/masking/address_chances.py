# SPDX-License-Identifier: GPL-2.0-or-later
"""What those who read a release of an exchange of addresses can be right with, in numbers."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..runtime.progress import Progress
from .address_cells import AddressCells
from .dwelling_partners import DwellingGraph
from .joint_chances import free_of_others, joint_chances
from .kept_groups import KeptGroups
from .partners import PartnerGraph


@dataclass(frozen=True)
class Chances:
    """Largest probabilities; not a number where a method promises none.

    Attributes
    ----------
    share : float
        Places with records among all addresses.
    address : float
        Of an address, for who has the list, knows the mask and all points, and not who is in the
        file.
    alone : float
        The same where each point is looked at by itself.
    member : float
        That somebody of an address is in the file; for exchange.
    record : float
        Of a record, for who knows who is in the file, and the groups.
    reduced : int
        Places in groups of which fewer are left in the file than were asked for.
    """

    share: float
    address: float = field(default=np.nan)
    alone: float = field(default=np.nan)
    member: float = field(default=np.nan)
    record: float = field(default=np.nan)
    reduced: int = 0


def of_exchange(
    graph: PartnerGraph, released: np.ndarray, weight: np.ndarray, progress: Progress
) -> dict[str, float]:
    """Of an exchange, by where the places of the file were released: rows, one for each place.

    What was released with another list, at an address that is none any more (-1) or has no partners
    now, is left out.
    """
    released = released[released >= 0]
    released = released[~graph.withheld[released]]
    if not len(released):
        return {}
    candidates = graph.partners[released]
    likely = weight[candidates]
    alone = _largest(likely.max(axis=1), likely.sum(axis=1))
    joint = joint_chances(candidates, weight, progress)
    member = np.bincount(candidates.ravel(), joint.ravel()).max()
    # What is computed for all together is near the truth, and never better than a point alone.
    return {
        "address": max(alone, float(joint.max())),
        "alone": alone,
        "member": min(1.0, float(member)),
    }


def of_dwellings(
    graph: DwellingGraph, released: np.ndarray, progress: Progress
) -> dict[str, float]:
    """Of an exchange of dwellings, as :func:`of_exchange`: probabilities of a dwelling."""
    released = released[released >= 0]
    released = released[~graph.withheld[released]]
    if not len(released):
        return {}
    first, address, pairs = graph.explained_by(released)
    point = np.repeat(np.arange(len(released)), np.diff(first))
    units = graph.dwellings[address]
    alone = pairs / np.bincount(point, pairs)[point] / units
    likely = pairs.astype(np.float64)
    joint = likely * free_of_others(first, address, likely, len(graph.xy), progress)
    joint /= np.maximum(np.bincount(point, joint), np.finfo(float).tiny)[point]
    member = (np.bincount(address, joint, len(graph.xy)) / np.maximum(graph.dwellings, 1)).max()
    return {
        "address": max(float(alone.max()), float((joint / units).max())),
        "alone": float(alone.max()),
        "member": min(1.0, float(member)),
    }


def of_cells(
    cells: AddressCells, groups: KeptGroups, present: np.ndarray, weight: np.ndarray
) -> dict[str, float]:
    """Of cells: all points together tell no more than one.

    In a cell that has fewer than k addresses left, a point of its unit is only as likely as the
    part of the unit's places that the cell has (see :mod:`.grown_cells`).
    """
    largest, within = np.zeros(cells.count), cells.cell >= 0
    np.maximum.at(largest, cells.cell[within], weight[within])
    part = np.ones(cells.count)
    small = cells.sizes < cells.k
    if small.any():
        here = np.isin(groups.place, present)
        unit, cell, records = groups.counts_of_cells(here)
        of_units = np.zeros(cells.count)
        np.maximum.at(of_units, cell, records / np.bincount(groups.group[here])[unit])
        part[small] = of_units[small]
    chance = float((part * _shares(largest, cells.of_each(weight))).max())
    return {"address": chance, "alone": chance}


def of_groups(groups: KeptGroups, present: np.ndarray) -> dict[str, float]:
    """Of groups, by the places that hold records in this release: rows of the addresses."""
    left = groups.left_of(present)
    if not len(left):
        return {}
    return {
        "record": 1 / float(left.min()),
        "reduced": int(np.count_nonzero(left < groups.k_records)),
    }


def _largest(largest: np.ndarray, total: np.ndarray) -> float:
    return float(_shares(largest, total).max())


def _shares(largest: np.ndarray, total: np.ndarray) -> np.ndarray:
    # Where all weights are zero, nobody could live: nothing is known then, and nothing promised.
    return np.divide(largest, total, out=np.ones(len(total)), where=total > 0)
