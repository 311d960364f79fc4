# SPDX-License-Identifier: GPL-2.0-or-later
"""Which d and k? The choice among Lipschitz embeddings by utility, protection and risk.

What there is to choose from is measured by a :mod:`.grid_search`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Callable

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, silent
from ..runtime.wording import Sentence, joined, number_of
from .trials import Cell

#: Above this precision of the linkage attack the paper holds a release not acceptable.
MOST_PRECISION = 0.25
#: Without an attack: the least share of nearest neighbours that a release should keep.
LEAST_KEPT = 0.9


@dataclass(frozen=True)
class Found:
    """What a stronger attack made of embeddings with the same parameters, taken together.

    Attributes
    ----------
    claimed, right : int
        Identifications, and those of them that are right.
    common : int
        People who could have been identified.
    each : tuple of int
        The right ones of each embedding.
    """

    claimed: int
    right: int
    common: int
    each: tuple[int, ...] = field(default=(), compare=False)

    @property
    def precision(self) -> float:
        """Share of the claims that are right; 0 where nothing is claimed."""
        return self.right / self.claimed if self.claimed else 0.0

    @property
    def recall(self) -> float:
        """Share of the people who were identified."""
        return self.right / self.common


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
    found : dict of (int, int) to Found
        What the stronger attack made of cells, by d and k, where it was run.
    """

    cell: Cell | None
    qualifying: int
    sentence: str
    found: dict[tuple[int, int], Found] = field(default_factory=dict)


def pareto(
    cells: Sequence[Cell], good: Sequence[str] = ("nearest_kept", "blur"), bad: Sequence[str] = ()
) -> list[int]:
    """Cells that no other beats: as good in every respect and better in one.

    Parameters
    ----------
    cells : sequence of Cell
    good, bad : sequences of str
        Measures of which more, or less, is better; with an attack for example ``utility`` and
        ``precision``.

    Returns
    -------
    list of int
        Indices of the cells, in their order. Cells for which a measure is undefined are not
        among them.
    """
    table = np.array(
        [[cell.mean(m) for m in good] + [-_risk(cell, m) for m in bad] for cell in cells]
    ).reshape(len(cells), len(good) + len(bad))
    defined = ~np.isnan(table).any(axis=1)
    return [
        at
        for at, row in enumerate(table)
        if defined[at]
        and not ((table[defined] >= row).all(axis=1) & (table[defined] > row).any(axis=1)).any()
    ]


def recommend(
    cells: Sequence[Cell], limit: float | None = None, protection: str = "blur"
) -> Recommendation:
    """Choose a cell under a limit, and say so if there is none.

    With an attack: the most useful cell (largest ``utility``) whose precision is at most the
    limit, by default 0.25 as in the paper; an attack that names nobody has precision 0 here, and
    one whose search was cut off (``proven`` is 0) counts as if it had been right throughout.
    Without: the cell with the strongest protection among those that keep at least the limit of
    nearest neighbours, by default 0.9. The paper has no such rule; a release is not safe
    because it follows this one.

    Parameters
    ----------
    cells : sequence of Cell
    limit : float, optional
        Between 0 and 1.
    protection : str
        Without an attack: the measure of protection, ``blur`` (see :attr:`.trials.Cell.blur`),
        ``sd_ratio`` or ``map_error``.

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
    limit = _limit(cells[0], limit)
    qualifying = [cell for cell in cells if _shortfall(cell, limit) <= 0]
    if "precision" in cells[0].values:
        return _by_risk(cells, qualifying, limit)
    return _by_protection(cells, qualifying, limit, protection)


def recommend_confirmed(
    cells: Sequence[Cell],
    limit: float,
    stronger: Callable[[int, int, Progress], Found],
    progress: Progress = silent,
) -> Recommendation:
    """Choose a cell as :func:`recommend` does, but only one that a stronger attack spares too.

    The cell that would be recommended is attacked; if the precision is above the limit, the
    next best is, and so on. The papers know one attack only, and the stronger one takes too long
    to be run on every cell.

    Parameters
    ----------
    cells : sequence of Cell
        With ``precision``.
    limit : float
    stronger : callable
        Takes d, k and a progress callback.
    progress : Progress

    Returns
    -------
    Recommendation
        ``qualifying`` does not count cells that the stronger attack ruled out.
    """
    left = list(cells)
    found: dict[tuple[int, int], Any] = {}
    total = max(recommend(cells, limit).qualifying, 1)
    while True:
        # Cells that are ruled out go, unless nothing would be left to name.
        best = recommend(left, limit) if left else Recommendation(None, 0, "")
        if best.cell is None:
            break
        at = best.cell.sets, best.cell.size
        step = part(progress, len(found) / total, (len(found) + 1) / total)
        found[at] = stronger(*at, step)
        if found[at].precision <= limit:
            break
        left = [cell for cell in left if cell is not best.cell]
    progress(1.0)
    if best.cell is None:
        if not found:
            return recommend(cells, limit)
        (d, k), least = min(found.items(), key=lambda one: (one[1].precision, one[1].recall))
        return Recommendation(
            None,
            0,
            Sentence(
                "No row is safe. The attack by likelihood was run on every row in which the "
                "precision of the other attacks is at or below {limit:.0%} ({found}), and "
                "more of its identifications are right in all of them: at least "
                "{precision:.0%}, with {sets} of {k}, where {recall:.0%} of the people are "
                "found. Try fewer and larger reference sets, or do not release distances of "
                "these data.",
                limit=limit,
                found=len(found),
                precision=least.precision,
                sets=number_of(d, "set", "sets"),
                k=k,
                recall=least.recall,
            ),
            found,
        )
    mine, out = found[at], len(found) - 1
    said = [best.sentence, Sentence("The attack by likelihood claims nobody there.")]
    if mine.claimed:
        said[1] = Sentence(
            "The attack by likelihood claims {identifications} there in all, of which "
            "{are} right ({precision:.0%}; {recall:.0%} of the people).",
            identifications=number_of(mine.claimed, "identification", "identifications"),
            are=number_of(mine.right, "is", "are"),
            precision=mine.precision,
            recall=mine.recall,
        )
    if out:
        said.append(Sentence("More useful rows that it rules out: {out}.", out=out))
    return replace(best, sentence=joined(said), found=found)


def _by_risk(cells, qualifying, limit) -> Recommendation:
    if not qualifying:
        least = min(cells, key=lambda cell: _risk(cell, "precision"))
        unknown = sum(_risk(cell, "precision") <= limit for cell in cells)
        if unknown:
            return Recommendation(
                None,
                0,
                Sentence(
                    "No row can be called safe: in {rows} the attacks' precision is at or "
                    "below {limit:.0%} only because searches were cut off. Use fewer "
                    "records or more quasi-identifiers, so that they come to their end.",
                    rows=number_of(unknown, "row", "rows"),
                    limit=limit,
                ),
            )
        return Recommendation(
            None,
            0,
            Sentence(
                "No row keeps the attacks' precision at or below {limit:.0%}: the lowest is "
                "{risk:.0%}, with {name}. Try fewer and larger reference sets, or do not "
                "release distances of these data.",
                limit=limit,
                risk=_risk(least, "precision"),
                name=_name(least),
            ),
        )
    best = max(qualifying, key=lambda cell: cell.mean("utility"))
    return Recommendation(
        best,
        len(qualifying),
        Sentence(
            "{name}: the most useful of {rows} in which at most {limit:.0%} of the attacks' "
            "identifications are right ({risk:.0%} here{cut_off}).",
            name=_name(best),
            rows=number_of(len(qualifying), "row", "rows"),
            limit=limit,
            risk=_risk(best, "precision"),
            cut_off=_cut_off(best),
        ),
    )


def _by_protection(cells, qualifying, limit, protection) -> Recommendation:
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
                name=_name(most),
            ),
        )
    best = max(qualifying, key=lambda cell: np.nan_to_num(cell.mean(protection), nan=-1.0))
    return Recommendation(
        best,
        len(qualifying),
        Sentence(
            "{name}: the strongest protection ({measure} {mean:.3g}) among {keep} at least "
            "{limit:.0%} of the nearest neighbours ({kept:.1%} here). No attack was run: "
            "this says nothing yet about the risk of re-identification.",
            name=_name(best),
            measure=protection.replace("_", " "),
            mean=best.mean(protection),
            keep=number_of(len(qualifying), "row that keeps", "rows that keep"),
            limit=limit,
            kept=best.mean("nearest_kept"),
        ),
    )


def _name(cell: Cell) -> str:
    return Sentence("{sets} of {size}", sets=number_of(cell.sets, "set", "sets"), size=cell.size)


def _risk(cell: Cell, measure: str) -> float:
    """Mean of a risk; repetitions in which the attack names nobody count as 0."""
    return float(np.nan_to_num(cell.values[measure], nan=0.0).mean())


def _at_worst(cell: Cell) -> float:
    """Mean precision if every search that was cut off had been right throughout."""
    precision = np.nan_to_num(cell.values["precision"], nan=0.0)
    return float(np.where(_unproven(cell), 1.0, precision).mean())


def _unproven(cell: Cell) -> np.ndarray:
    """Which repetitions have a search that was cut off."""
    return np.array(cell.values.get("proven", np.ones(cell.repeats))) == 0


def _cut_off(cell: Cell) -> str:
    count = int(np.count_nonzero(_unproven(cell)))
    if not count:
        return ""
    searches = number_of(count, "search that was cut off", "searches that were cut off")
    return Sentence(
        "; at most {at_worst:.0%}, as {searches} might have found more",
        at_worst=_at_worst(cell),
        searches=searches,
    )


def _limit(cell: Cell, limit: float | None) -> float:
    if limit is not None:
        return limit
    return MOST_PRECISION if "precision" in cell.values else LEAST_KEPT


def _shortfall(cell: Cell, limit: float) -> float:
    """By how much a cell misses the limit; not above 0 where it meets it."""
    if "precision" in cell.values:
        return _at_worst(cell) - limit
    return limit - cell.mean("nearest_kept")


def preference(cell: Cell, limit: float | None) -> tuple[bool, float]:
    """Sort better cells first by this, as :func:`recommend` would rather take them."""
    missed = _shortfall(cell, _limit(cell, limit))
    if missed > 0:
        return True, missed
    gain = cell.mean("utility" if "precision" in cell.values else "blur")
    return False, -np.nan_to_num(gain, nan=-1.0)
