# SPDX-License-Identifier: GPL-2.0-or-later
"""How long trying masks will take, by one trial of each, which is not done again."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...runtime.errors import InputError
from ...runtime.parallel import processors
from ...runtime.progress import Progress, part, silent
from .addresses import Exchange
from .case import Case
from .family import Family
from .search import BEGUN, Search, people_asked
from .standing import DRAWS, Limit

#: Sizes that are tried until the smallest that may hold is found, and that are judged, as a rule.
_SIZES, _JUDGED = 5, 1.3
#: Graphs of an exchange that are made beside the first, which is kept.
_GRAPHS = 2
#: How much of two processors two trials use, which wait for one another now and then.
_BESIDE = 0.7


@dataclass(frozen=True)
class Forecast:
    """Seconds.

    Attributes
    ----------
    usual : float
        If most masks are found to hold, or not to, as soon as most are.
    most : float
        If every mask takes all draws that there can be. Where nobody may be above the limit in any
        draw that is many times as long.
    """

    usual: float
    most: float


def forecast(
    case: Case,
    masks: Sequence[Family],
    limit: Limit,
    seed: int,
    shared: dict[str, Any],
    progress: Progress = silent,
) -> Forecast:
    """Time one trial of each mask.

    Parameters
    ----------
    case : Case
    masks : sequence of Family
        Prepared.
    limit : Limit
    seed : int
    shared : dict
        What families have in common; the trials are kept there, and found again by
        :func:`.search.find`.
    progress : Progress
    """
    few, many = people_asked(case, limit)
    begun, draws = shared.setdefault(BEGUN, {}), limit.draws(case.people)
    usual = most = 0.0
    for number, one in enumerate(masks):
        told = part(progress, number / len(masks), (number + 1) / len(masks))
        sizes = one.sizes(case)
        if not len(sizes):
            continue
        search, graph = Search(one, case, limit, seed, sizes, begun), 0.0
        try:
            if isinstance(one, Exchange):
                start = time.perf_counter()
                one.graph_of(case, float(sizes[0]), part(told, 0.0, 0.5))
                graph = _GRAPHS * (time.perf_counter() - start)
            start = time.perf_counter()
            may_hold = search.begin(part(told, 0.5, 0.9))
            took = time.perf_counter() - start
            start = time.perf_counter()
            assert search.begun is not None  # just now
            one.finished(case, search.begun, search.finishing(0), part(told, 0.9, 1.0))
        except InputError:
            continue  # it cannot be made of these data, which is told when it is tried
        made = DRAWS * (time.perf_counter() - start)
        judged = 1 if one.certain or not may_hold else draws
        each = took * max(1.0, many / few)
        usual += made + each * _JUDGED * min(judged, DRAWS)
        most += made + each * _JUDGED * judged
        if may_hold:
            looked = took * _SIZES * search.draws_looked_at + graph * one.from_below
            usual, most = usual + looked, most + looked
    side = max(1.0, _BESIDE * min(processors(), len(masks)))
    return Forecast(usual / side, most / side)
