# SPDX-License-Identifier: GPL-2.0-or-later
"""How street masking explains a point: exactly, by all numbers of nodes that could have been drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...masking.streets import Search, starts, street_density
from ...runtime.progress import Progress, part, silent
from ...space.sites import nearest_site
from ...space.street_network import StreetNetwork
from .likelihood import Likelihood
from .states import Leading, by_states


@dataclass(frozen=True, eq=False)
class StreetWays:
    """To which nodes street masking leads from addresses.

    Attributes
    ----------
    start : (m,) int array
        Node at which each candidate begins; -1 for none.
    first : (nodes + 1,) int array
        Where those of each node begin that it is led to from.
    begins : (p,) int array
        Nodes at which candidates begin.
    chance : (p,) array
        Numbers of nodes that lead from there, by all that are drawn among.
    """

    start: np.ndarray
    first: np.ndarray
    begins: np.ndarray
    chance: np.ndarray

    @classmethod
    def of(
        cls,
        candidates: np.ndarray,
        network: StreetNetwork,
        search: Search,
        goals: np.ndarray | None = None,
        progress: Progress = silent,
    ) -> StreetWays:
        """Find them by all numbers of nodes that could be drawn.

        Parameters
        ----------
        candidates : (m, 2) array
            In the plane of the network, metres.
        network : StreetNetwork
        search : Search
        goals : (g,) int array, optional
            Nodes that alone matter.
        progress : callable
        """
        start = starts(candidates, network, search, part(progress, 0.0, 0.1))
        used = np.unique(start[start >= 0])
        if goals is not None and len(goals) and len(used):
            # No way is shorter than the straight one: starts far from all points are left out.
            away = nearest_site(network.xy[goals], network.xy[used], part(progress, 0.1, 0.2))[1]
            used = used[away <= search.max_length]
        row, node, chance = street_density(network, used, search, part(progress, 0.2, 1.0))
        order = np.argsort(node, kind="stable")
        first = np.searchsorted(node[order], np.arange(len(network.xy) + 1))
        return cls(start, first, used[row[order]], chance[order])

    def explain(self, released: np.ndarray) -> Likelihood:
        """Likelihood of street masking: see :func:`by_streets`."""
        there = np.flatnonzero(released >= 0)
        many = np.diff(self.first)[released[there]]
        begin = self.first[released[there]] - (np.cumsum(many) - many)
        entry = np.repeat(begin, many) + np.arange(many.sum())
        return by_states(
            len(released),
            np.repeat(there, many),
            self.begins[entry],
            self.chance[entry],
            Leading.of_states(len(self.first) - 1, self.start),
        )


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
    goals = np.unique(released[released >= 0])
    ways = StreetWays.of(candidates, network, search, goals, part(progress, 0.0, 0.95))
    return ways.explain(released)
