# SPDX-License-Identifier: GPL-2.0-or-later
"""What the attacks on embeddings with tried parameters show of the people."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...distances.choice import MOST_PRECISION, Found, Recommendation
from ...distances.trials import Cell
from ...verdict import Evidence
from ..linkage.result import CLIQUE, LIKELIHOOD, NEAR_GROUP

#: Measures of a cell: matches, and share of the people found, by the attacks on every embedding.
_MEASURES = {CLIQUE: ("clique", "clique_recall"), NEAR_GROUP: ("near_group", "near_recall")}


def evidence(
    cells: Sequence[Cell], best: Recommendation, people: int, limit: float
) -> tuple[Cell, list[Evidence]]:
    """Return the row that a verdict is about, and what the attacks on it show.

    Parameters
    ----------
    cells : sequence of Cell
        With ``precision`` and ``recall``.
    best : Recommendation
    people : int
        Those in both files, the same in all embeddings.
    limit : float
        The highest precision that is held acceptable; a higher one than the papers' counts as
        theirs.

    Returns
    -------
    cell : Cell
        The recommended row; where none qualifies, the one that comes nearest.
    found : list of Evidence
    """
    most = min(limit, MOST_PRECISION)
    cell = best.cell or _nearest(cells, best)
    found = [_by_repeated(cell, name, people, most) for name in _MEASURES]
    stronger = best.found.get((cell.sets, cell.size))
    if stronger is not None:
        found.append(_by_likelihood(stronger, people, most))
    return cell, found


def _nearest(cells: Sequence[Cell], best: Recommendation) -> Cell:
    tried = [cell for cell in cells if (cell.sets, cell.size) in best.found]

    def risk(cell: Cell) -> float:
        if tried:
            return best.found[cell.sets, cell.size].precision
        return float(np.nan_to_num(cell.values["precision"]).mean())

    return min(tried or cells, key=risk)


def _by_repeated(cell: Cell, name: str, people: int, most: float) -> Evidence:
    claims, recall = (np.nan_to_num(cell.values[measure]) for measure in _MEASURES[name])
    right = np.rint(recall * people)
    # the mean of the precisions, as everywhere: 0 where nobody was claimed
    precision = np.divide(right, claims, out=np.zeros(len(claims)), where=claims > 0).mean()
    found = Evidence.repeated(name, recall, people).with_claims(
        round(float(claims.mean())), precision > most
    )
    return found if all(cell.values["proven"]) else found.with_caveat("cut_off")


def _by_likelihood(found: Found, people: int, most: float) -> Evidence:
    return Evidence.repeated(LIKELIHOOD, np.array(found.each) / people, people).with_claims(
        round(found.claimed / len(found.each)), found.precision > most
    )
