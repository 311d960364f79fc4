# SPDX-License-Identifier: GPL-2.0-or-later
"""Which d and k? The choice among Lipschitz embeddings by what they keep and how much they blur.

What there is to choose from is measured by a :mod:`.grid_search`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.wording import Sentence, joined, number_of
from .trials import Cell

#: Above this precision of the linkage attack the paper holds a release not acceptable.
MOST_PRECISION = 0.25
#: Without an attack: the least share of nearest neighbours that a release should keep.
LEAST_KEPT = 0.9


@dataclass(frozen=True)
class Recommendation:
    """The cell to use.

    Attributes
    ----------
    cell : Cell or None
        None where no cell meets the limit.
    qualifying : int
        Cells that meet the limit.
    sentence : str
        The rule and its outcome, for the user.
    """

    cell: Cell | None
    qualifying: int
    sentence: str


def pareto(cells: Sequence[Cell], good: Sequence[str] = ("nearest_kept", "blur")) -> list[int]:
    """Cells that no other beats: as good in every respect and better in one.

    Parameters
    ----------
    cells : sequence of Cell
    good : sequence of str
        Measures of which more is better.

    Returns
    -------
    list of int
        Indices of the cells, in their order. Cells for which a measure is undefined are not
        among them.
    """
    return front(np.array([[cell.mean(name) for name in good] for cell in cells]))


def front(table: np.ndarray) -> list[int]:
    """Rows of a table that no other row beats; of each column more is better, NaN never.

    Parameters
    ----------
    table : (n, m) array

    Returns
    -------
    list of int
    """
    defined = table[~np.isnan(table).any(axis=1)] if len(table) else table
    return [
        at
        for at, row in enumerate(table)
        if not np.isnan(row).any()
        and not ((defined >= row).all(axis=1) & (defined > row).any(axis=1)).any()
    ]


def recommend(cells: Sequence[Cell], limit: float | None = None) -> Recommendation:
    """Choose a cell without any attack, and say so if there is none.

    It is the cell that blurs most (:attr:`.trials.Cell.blur`) among those that keep at least the limit of
    nearest neighbours. The paper has no such rule; a release is not safe because it follows this
    one. With attacks see :func:`..experiments.advice.advise`.

    Parameters
    ----------
    cells : sequence of Cell
    limit : float, optional
        Between 0 and 1; 0.9 where left out.

    Returns
    -------
    Recommendation

    Raises
    ------
    InputError
        If there are no cells or the limit is no share.
    """
    if not cells:
        raise InputError("There is nothing to choose from: the table has no rows.")
    if limit is not None and not 0 <= limit <= 1:
        raise InputError("The limit must be a share between 0 and 1.")
    limit = LEAST_KEPT if limit is None else limit
    qualifying = [cell for cell in cells if _shortfall(cell, limit) <= 0]
    if not qualifying:
        most = max(cells, key=lambda cell: cell.mean("nearest_kept"))
        return Recommendation(
            None,
            0,
            Sentence(
                "No row keeps {limit:.0%} of the nearest neighbours: the most is "
                "{mean:.1%}, with {name}. Try more or smaller reference sets, or accept a "
                "lower share.",
                limit=limit,
                mean=most.mean("nearest_kept"),
                name=name_of(most),
            ),
        )
    best = max(qualifying, key=lambda cell: np.nan_to_num(cell.mean("blur"), nan=-1.0))
    return Recommendation(
        best,
        len(qualifying),
        Sentence(
            "{name}: the strongest protection ({measure} {mean:.3g}) among {keep} at least "
            "{limit:.0%} of the nearest neighbours ({kept:.1%} here). No attack was run: "
            "this says nothing yet about the risk of re-identification.",
            name=name_of(best),
            measure="blur",
            mean=best.mean("blur"),
            keep=number_of(len(qualifying), "row that keeps", "rows that keep"),
            limit=limit,
            kept=best.mean("nearest_kept"),
        ),
    )


def name_of(cell: Cell) -> Sentence:
    """Say the parameters of a row."""
    if cell.radius:
        said = [Sentence("ISGP with a radius of {radius:,g} m", radius=cell.radius)]
    else:
        sets = number_of(cell.sets, "set", "sets")
        said = [Sentence("{sets} of {size}", sets=sets, size=cell.size)]
    if cell.pre_noise:
        said.append(Sentence("noise of {noise:,g} m before", noise=cell.pre_noise))
    if cell.step:
        said.append(Sentence("steps of {step:,g} m", step=cell.step))
    if cell.grouped:
        said.append(Sentence("attributes as groups"))
    if cell.released is not None:
        said.append(number_of(cell.released, "record released", "records released"))
    return joined(said, ", ")


def _shortfall(cell: Cell, limit: float) -> float:
    """By how much a cell misses the limit; not above 0 where it meets it."""
    return limit - cell.mean("nearest_kept")


def preference(cell: Cell, limit: float | None) -> tuple[bool, float]:
    """Sort better cells first by this, as :func:`recommend` would rather take them."""
    missed = _shortfall(cell, LEAST_KEPT if limit is None else limit)
    if missed > 0:
        return True, missed
    return False, -np.nan_to_num(cell.mean("blur"), nan=-1.0)
