# SPDX-License-Identifier: GPL-2.0-or-later
"""Street masking, as a mask to choose from where streets are at hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np

from ...attacks.masks.streeting import StreetWays
from ...masking.streets import LEAST_LOW, Search, street_mask
from ...runtime.progress import Progress, part, shares, silent
from ...space.street_network import StreetNetwork
from .case import Case, Trial, believed
from .family import Family
from .laws import multiplied

#: The upper limit of nodes to the fewest; the most that are tried, and their share of all nodes.
_HIGH, _MOST, _OF_ALL = 1.5, 400, 4
#: Length of secrets.
_SECRET = 32


@dataclass(frozen=True, eq=False)
class Streets(Family):
    """Along streets to one of the nodes near each place.

    How far nodes are looked for is no size: a larger length withholds fewer, and moves nobody else.

    Attributes
    ----------
    network : StreetNetwork
        In the plane of the case.
    """

    network: StreetNetwork
    algorithm = "maskstreets"
    name = "streets"
    from_below = True
    falls = 1.0
    _ways: dict[int, StreetWays] = field(default_factory=dict, repr=False)

    def sizes(self, case: Case) -> np.ndarray:
        """Fewest nodes that are looked at."""
        most = min(_MOST, int(len(self.network.xy) / _OF_ALL / _HIGH))
        found = np.unique(np.round(LEAST_LOW * 1.15 ** np.arange(40)))
        return found[found <= most]

    def search_of(self, size: float) -> Search:
        """How many nodes are looked at, and how far away."""
        low = int(size)
        extent = float(np.hypot(*np.ptp(self.network.xy, axis=0)))
        return Search(low, max(low + 1, round(_HIGH * low)), float(f"{extent:.2g}"))

    def parameters(self, size: float) -> dict[str, Any]:
        """See :class:`.Family`."""
        search = self.search_of(size)
        return {"LOW": search.low, "HIGH": search.high, "MAX_LENGTH": search.max_length}

    def trial(
        self,
        case: Case,
        size: float,
        rng: np.random.Generator,
        asked: np.ndarray,
        sure: bool,
        ask: Progress = silent,
    ) -> Trial:
        """See :class:`.Family`."""
        search, network = self.search_of(size), self.network
        if search.low not in self._ways:
            self._ways.clear()  # sizes are tried one after the other
            made = StreetWays.of(case.candidates, network, search, None, part(ask, 0.0, 0.6))
            self._ways[search.low] = made
        ways = self._ways[search.low]
        drawn = [
            street_mask(case.xy, network, search, rng.bytes(_SECRET), self.algorithm, None, step)
            for step in shares(part(ask, 0.6, 0.8), case.releases)
        ]
        likelihood = reduce(multiplied, (ways.explain(one.node) for one in drawn))
        tops = believed(case, likelihood, asked, True, part(ask, 0.8, 1.0))
        return Trial(drawn[0].xy, tops, {})
