# SPDX-License-Identifier: GPL-2.0-or-later
"""Records at the addresses of a public list."""

from __future__ import annotations

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, silent
from ..runtime.wording import Sentence
from ..space.points import as_points
from ..space.sites import nearest_site


def at_addresses(
    records: np.ndarray, addresses: np.ndarray, within: float = 0.0, progress: Progress = silent
) -> tuple[np.ndarray, np.ndarray]:
    """Find the address of each record.

    Parameters
    ----------
    records : (m, 2) array
        Places in metres.
    addresses : (n, 2) array
        Distinct, in metres of the same plane.
    within : float
        Metres by which a record may miss its address; 0 asks for exactly the same place. The
        nearest address counts; of several equally near, the first in x, then in y.
    progress : Progress

    Returns
    -------
    row : (m,) int64 array
        Rows of the addresses; -1 for records that lie at none.
    away : (m,) array
        Metres to the nearest address, also for those.

    Raises
    ------
    InputError
        If there is no address, or ``within`` is below 0 or no number.
    """
    records = as_points(records, Sentence("records"))
    addresses = as_points(addresses, Sentence("addresses"))
    if len(addresses) == 0:
        raise InputError("The address list is empty.")
    if not within >= 0:
        raise InputError("A record cannot be within {within:g} m of its address.", within=within)
    row, away = nearest_site(addresses, records, progress)
    return np.where(away <= within, row, -1), away


def rows_of(known: np.ndarray, xy: np.ndarray, within: float = 0.0) -> np.ndarray:
    """Find the rows of another list for addresses that are known from an earlier one.

    Parameters
    ----------
    known : (m, 2) array
        Distinct, in metres.
    xy : (n, 2) array
        The other list, of the same plane.
    within : float
        Metres by which an address may miss itself from list to list.

    Returns
    -------
    (m,) int64 array
        No row twice; -1 for what the list has not.
    """
    found = np.full(len(known), -1, dtype=np.int64)
    if len(known):
        row = at_addresses(known, xy, within)[0]
        there = np.flatnonzero(row >= 0)
        first = there[np.unique(row[there], return_index=True)[1]]
        found[first] = row[first]
    return found
