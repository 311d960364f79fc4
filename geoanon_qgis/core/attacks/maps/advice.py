# SPDX-License-Identifier: GPL-2.0-or-later
"""Which row to take: attacks in every row, and as many as it takes in those that may hold.

1. Every row is attacked until it is ruled out, or in three draws, by the adversary who knows
   most.
2. Of the rows that are left the most useful one is attacked until it is known whether it holds
   against every adversary, then the next, until one does.
3. That one is attacked in the ways that take longer, too.

A row is ruled out as soon as a lower end is above its limit: nothing that comes can make it hold.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice

from ...distances.setting import Setting
from ...distances.trials import Cell
from ...runtime.errors import Cancelled
from ...runtime.parallel import run_blocks
from ...runtime.progress import Progress, part, silent
from .embedding_risk import Drawn, EmbeddingRisk
from .row_risk import CUT_OFF, HELD, OPEN, RULED_OUT, Limits, RowRisk, Standing

#: Draws by which every row is judged, and draws that are made at once in rows that may hold.
SCREENED, _AT_ONCE = 3, 2
#: Draws of an overlap at most.
MOST_DRAWS = 40
#: Draws after which a row is left that would not hold by more of the same.
_HOPEFUL = 6
#: Share of the progress for the first step.
_SCREENING = 0.5


@dataclass(frozen=True)
class Effort:
    """How much may be tried.

    Attributes
    ----------
    draws : int
        Of people, in one row with one overlap, at most.
    slow : int
        Of them, by the attacks that take longer; 0 to leave these out.
    workers : int, optional
        Draws made at the same time; no difference to the results.
    """

    draws: int = MOST_DRAWS
    slow: int = 0
    workers: int | None = None


@dataclass(frozen=True)
class Advice:
    """What to take.

    Attributes
    ----------
    cell : Cell or None
        None where no row holds.
    risks : mapping of Setting to RowRisk
        Of every row.
    limits : Limits
    """

    cell: Cell | None
    risks: Mapping[Setting, RowRisk]
    limits: Limits

    def joined(self, other: Advice) -> Advice:
        """Return one advice of two on different rows, where the first found none that holds."""
        return Advice(other.cell, {**self.risks, **other.risks}, self.limits)

    def state(self, cell: Cell) -> str:
        """What is known of a row."""
        return self.risks[cell.setting].decided(self.limits)

    def count(self, cells: Sequence[Cell], state: str) -> int:
        """How many rows are in a state."""
        return sum(self.state(cell) == state for cell in cells)

    def nearest(self, cells: Sequence[Cell]) -> Cell:
        """The recommended row; where there is none, the one that comes nearest.

        Rows that are not ruled out come first, then those of which fewest people are found.
        """

        def misses(cell: Cell) -> tuple:
            risk = self.risks[cell.setting]
            over = max(
                max(
                    one.found.mean / max(self.limits.share, 1e-9),
                    one.precision.mean / max(self.limits.precision, 1e-9),
                )
                for one in risk.all
            )
            return self.state(cell) == RULED_OUT, over, -cell.mean("utility")

        return self.cell or min(cells, key=misses)


def advise(
    cells: Sequence[Cell],
    risk: EmbeddingRisk,
    limits: Limits,
    effort: Effort = Effort(),
    progress: Progress = silent,
) -> Advice:
    """Attack rows until it is known which to take.

    Parameters
    ----------
    cells : sequence of Cell
    risk : EmbeddingRisk
    limits : Limits
    effort : Effort
    progress : Progress
        May raise to cancel.

    Returns
    -------
    Advice
    """
    work = _Work(risk, limits, effort)
    overlaps = risk.draws.overlaps
    screening, deciding = part(progress, 0, _SCREENING), part(progress, _SCREENING, 1)
    found = work.all(
        lambda cell, ask: work.screened(cell.setting, RowRisk.of(overlaps), ask), cells, screening
    )
    risks = {cell.setting: one for cell, one in zip(cells, found)}
    left = [cell for cell in cells if risks[cell.setting].decided(limits) not in _LOST]
    left.sort(key=lambda cell: -cell.mean("utility"))
    best = None
    for at, cell in enumerate(left):
        step = part(deciding, at / len(left), (at + 1) / len(left))
        row = work.completed(cell.setting, risks[cell.setting], part(step, 0, 0.7))
        if effort.slow and risk.slow and row.decided(limits) == HELD:
            row = work.confirmed(cell.setting, row, part(step, 0.7, 1))
        risks[cell.setting] = row
        if row.decided(limits) == HELD:
            best = cell
            break
    progress(1.0)
    return Advice(best, risks, limits)


_LOST = (RULED_OUT, CUT_OFF)


class _Work:
    """Draws, in threads; what comes of them does not depend on how many."""

    def __init__(self, risk: EmbeddingRisk, limits: Limits, effort: Effort) -> None:
        self._risk, self._limits, self._effort = risk, limits, effort

    def all(self, function: Callable, items: Sequence, progress: Progress) -> list:
        """Call a function of an item and of a callback that is asked whether to go on."""
        stop = threading.Event()

        def asked(fraction: float) -> None:
            try:
                progress(fraction)
            except BaseException:
                stop.set()  # attacks under way need not be waited for
                raise

        def go_on(fraction: float) -> None:
            if stop.is_set():
                raise Cancelled()

        if (self._effort.workers or len(items)) <= 1:
            steps = [
                part(progress, at / len(items), (at + 1) / len(items)) for at in range(len(items))
            ]
            return [function(item, step) for item, step in zip(items, map(_checking, steps))]
        return run_blocks(lambda item: function(item, go_on), items, asked, self._effort.workers)

    def screened(self, setting: Setting, row: RowRisk, ask: Progress) -> RowRisk:
        """Attack with the largest overlap until it is ruled out, in few draws."""
        standing = row.standings[0]
        for number in range(min(SCREENED, self._effort.draws)):
            standing = standing.with_draws([self._drawn(setting, standing, number, ask)])
            if standing.decided(self._limits) in _LOST:
                break
        return row.with_standing(standing)

    def _drawn(self, setting: Setting, standing: Standing, number: int, ask: Progress) -> Drawn:
        """Make one draw; where one attack rules the row out the others are left out.

        In the first draw all attacks are run, in every row.
        """

        def enough(drawn: Drawn) -> bool:
            return bool(number) and (
                standing.with_draws([drawn]).decided(self._limits) == RULED_OUT
            )

        return self._risk.attack(setting, standing.overlap, number, self._risk.quick, enough, ask)

    def completed(self, setting: Setting, row: RowRisk, progress: Progress) -> RowRisk:
        """Attack with every overlap until it is known whether it holds."""
        for at, standing in enumerate(row.standings):
            step = part(progress, at / len(row.standings), (at + 1) / len(row.standings))

            def attack(number: int, ask: Progress, standing=standing) -> Drawn:
                return self._risk.attack(
                    setting, standing.overlap, number, self._risk.quick, ask=ask
                )

            standing = self._until_known(standing, self._effort.draws, attack, step)
            row = row.with_standing(standing)
            if standing.decided(self._limits) != HELD:
                break  # no other overlap can make it hold
        return row

    def confirmed(self, setting: Setting, row: RowRisk, progress: Progress) -> RowRisk:
        """Attack in the ways that take longer, with the largest overlap."""
        overlap = row.standings[0].overlap

        def attack(number: int, ask: Progress) -> Drawn:
            return self._risk.attack(setting, overlap, number, self._risk.slow, ask=ask)

        slow = self._until_known(Standing(overlap), self._effort.slow, attack, progress)
        return replace(row, slow=slow)

    def _until_known(self, standing: Standing, most: int, attack, progress: Progress) -> Standing:
        """Draw, a few at once, until it is known or there were enough."""
        while len(standing.draws) < most and standing.decided(self._limits) == OPEN:
            done = len(standing.draws)
            numbers = range(done, min(done + _AT_ONCE, most))
            step = part(progress, done / most, numbers.stop / most)
            standing = standing.with_draws(self.all(attack, numbers, step))
            if len(standing.draws) >= _HOPEFUL and not self._may_hold(standing, most):
                break
        progress(1.0)
        return standing

    def _may_hold(self, standing: Standing, most: int) -> bool:
        """Tell whether it would hold if all draws to come were like those there are."""
        like = islice(cycle(standing.draws), most)
        return replace(standing, draws=tuple(like)).decided(self._limits) == HELD


def _checking(progress: Progress) -> Progress:
    """Ask whether to go on without saying how far it is: attacks tell their own progress."""
    return lambda fraction: progress(0.0)
