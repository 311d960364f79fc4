# SPDX-License-Identifier: GPL-2.0-or-later
"""How street masking explains a point: exactly, by all numbers of nodes that could have been drawn."""

from __future__ import annotations

import numpy as np

from ...masking.streets import Search, starts, street_density
from ...runtime.progress import Progress, part, silent
from ...space.sites import nearest_site
from ...space.street_network import StreetNetwork
from .likelihood import Likelihood
from .states import Leading, by_states


def by_streets(
    released: np.ndarray,
    candidates: np.ndarray,
    network: StreetNetwork,
    search: Search,
    progress: Progress = silent,
) -> Likelihood:
    """Likelihood of street masking.

    Parameters
    ----------
    released : (n,) int array
        Node of the network at which each point lies; below zero for none.
    candidates : (m, 2) array
        In the plane of the network, metres.
    network : StreetNetwork
    search : Search
    progress : callable

    Returns
    -------
    Likelihood
        Probabilities: numbers of nodes that lead there, by all that are drawn among.
    """
    nodes = len(network.xy)
    start = starts(candidates, network, search, part(progress, 0.0, 0.1))
    used = np.unique(start[start >= 0])
    goals = np.unique(released[released >= 0])
    if len(goals) and len(used):
        # No way is shorter than the straight one: starts far from all points are left out.
        away = nearest_site(network.xy[goals], network.xy[used], part(progress, 0.1, 0.2))[1]
        used = used[away <= search.max_length]
    row, node, chance = street_density(network, used, search, part(progress, 0.2, 0.9))
    order = np.argsort(node, kind="stable")
    first = np.searchsorted(node[order], np.arange(nodes + 1))
    there = np.flatnonzero(released >= 0)
    many = np.diff(first)[released[there]]
    begin = first[released[there]] - (np.cumsum(many) - many)
    entry = order[np.repeat(begin, many) + np.arange(many.sum())]
    progress(0.95)
    return by_states(
        len(released),
        np.repeat(there, many),
        used[row[entry]],
        chance[entry],
        Leading.of_states(nodes, start),
    )
