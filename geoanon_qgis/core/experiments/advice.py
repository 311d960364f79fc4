# SPDX-License-Identifier: GPL-2.0-or-later
"""Which row to take: attacks in every row, and as many as it takes in those that may hold.

1. Every row is attacked until it is ruled out, or in four draws, by the adversary who knows
   most.
2. Of the rows that are left the most useful one is attacked in other draws until it is known
   whether it holds against every adversary, then the next, until one does. Where one person
   alone is more than may be found, the row is lost as soon as anybody is, be it by chance: these
   adversaries come first, so that a row that cannot hold takes few draws.
3. That one is attacked in the ways that take longer, too.

A row is ruled out as soon as a lower end is above its limit: nothing that comes can make it hold.

Ends hold however often one looks (:mod:`..attacks.over_draws`). The rows that are followed share
the risk that one of them is wrongly said to hold: the first has half of it, the second a sixth, the
``j``-th ``1 / (j (j + 1))``. Which these are was chosen by draws that count for nothing else, so the
whole is no more than :data:`WRONG`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from ..attacks.maps.adversary import Overlap
from ..attacks.maps.drawn import Attempt, Drawn
from ..attacks.maps.embedding_risk import EmbeddingRisk
from ..attacks.maps.row_risk import CUT_OFF, HELD, OPEN, RULED_OUT, Limits, RowRisk, Standing
from ..attacks.over_draws import draws_needed
from ..distances.setting import Setting
from ..distances.trials import Cell
from ..runtime.kept import Kept
from ..runtime.progress import Progress, part, shares, silent
from ..runtime.workers import Backend, run_tasks

#: Probability that a row is said to hold which does not, in all rows and looks together.
WRONG = 0.05
#: Draws by which every row is judged, and draws that are made at once in rows that may hold: no
#: matter how many processors there are, so that results are the same everywhere.
SCREENED, AT_ONCE = 4, 6
#: Draws of an overlap at most, and of those by the attacks that take longer.
MOST_DRAWS, MOST_SLOW = 100, 100
#: Measures by which a row is more useful than another: all distances, as in the papers' risk-utility
#: maps, or who the nearest are.
DISTANCES, NEIGHBOURS = "utility", "neighbours_kept"
#: Form of what is kept of a draw: what an older version kept says less, or is of weaker attacks, and is not taken.
_FORM = 3
#: Share of the progress for the first step.
_SCREENING = 0.5
#: By how much draws of a second round are numbered higher: other people than in the first.
_ROUND = 1_000_000


def sure_of(place: int) -> float:
    """How sure the ends of the row are that is followed at a place, the first is 0."""
    return 1.0 - WRONG / ((place + 1) * (place + 2))


def draws_that_hold(limits: Limits, place: int = 0) -> int | None:
    """Draws without anybody found until a row is known to hold; None where it never is."""
    share, precision = (
        draws_needed(limit, sure_of(place)) for limit in (limits.share, limits.precision)
    )
    return None if share is None or precision is None else max(share, precision)


def taking_longer(risk: EmbeddingRisk, setting: Setting, slow: int) -> tuple[str, ...]:
    """Attacks that a row would have to meet, too, with so many draws asked for by them."""
    return risk.slow_for(setting) if slow else risk.always_for(setting)


def most_by_slow(draws: int, slow: int) -> int:
    """Draws by these at most: those that were asked for, or as many as by the others."""
    return slow or draws


def largest(overlaps: Sequence[Overlap]) -> list[Overlap]:
    """Those of most people: here and there, and neighbours where these are tried."""
    return [one for one in overlaps if one.share == overlaps[0].share]


@dataclass(frozen=True)
class Effort:
    """How much may be tried, and where.

    Attributes
    ----------
    draws : int
        Of people, in one row with one overlap, at most.
    slow : int
        Of them, by the attacks that take longer; 0 to leave these out, but for signatures.
    backend : Backend
        No difference to the results.
    kept : Kept
        What has been done already, and is kept for another time.
    """

    draws: int = MOST_DRAWS
    slow: int = 0
    backend: Backend = Backend()
    kept: Kept = field(default_factory=Kept)


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
    followed : int
        Rows that were followed further than screened.
    rounds : int
        How often rows were tried.
    most : int
        Draws that a row might have had with each overlap.
    most_slow : int
        Draws that it might have had by the attacks that take longer.
    useful : str
        Measure of a row by which it is more useful than another.
    """

    cell: Cell | None
    risks: Mapping[Setting, RowRisk]
    limits: Limits
    followed: int = 0
    rounds: int = 0
    most: int = MOST_DRAWS
    most_slow: int = MOST_SLOW
    useful: str = DISTANCES

    def state(self, cell: Cell) -> str:
        """What is known of a row."""
        return self.risks[cell.setting].decided(self.limits)

    def count(self, cells: Sequence[Cell], state: str) -> int:
        """How many rows are in a state."""
        return sum(self.state(cell) == state for cell in cells)

    @property
    def hopeless(self) -> bool:
        """Whether labels alone give more people away than may be, in every row."""
        return all(one.guessed > self.limits.share for one in self.risks.values())

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
            return self.state(cell) == RULED_OUT, over, -cell.mean(self.useful)

        return self.cell or min(cells, key=misses)


def advise(
    cells: Sequence[Cell],
    risk: EmbeddingRisk,
    limits: Limits,
    effort: Effort = Effort(),
    progress: Progress = silent,
    after: Advice | None = None,
    useful: str = DISTANCES,
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
    after : Advice, optional
        On other rows, of which none holds; these were chosen by it.
    useful : str
        Measure (:class:`..distances.trials.Cell`) by which a row is more useful than another.

    Returns
    -------
    Advice
        On these and the earlier rows.
    """
    after = after or Advice(None, {}, limits)
    work = _Work(risk, limits, effort, _ROUND * after.rounds)
    screening, deciding = part(progress, 0, _SCREENING), part(progress, _SCREENING, 1)
    risks = dict(zip([cell.setting for cell in cells], work.screened(cells, screening)))
    left = [cell for cell in cells if risks[cell.setting].decided(limits) not in _LOST]
    left.sort(key=lambda cell: -cell.mean(useful))
    best, followed = None, after.followed
    for at, cell in enumerate(left):
        step = part(deciding, at / len(left), (at + 1) / len(left))
        row = risks[cell.setting].followed(sure_of(followed))
        followed += 1
        row = work.completed(cell.setting, row, part(step, 0, 0.7))
        slow = taking_longer(risk, cell.setting, effort.slow)
        if slow and row.decided(limits) == HELD:
            row = work.confirmed(cell.setting, row, slow, part(step, 0.7, 1))
        risks[cell.setting] = row
        if row.decided(limits) == HELD:
            best = cell
            break
    progress(1.0)
    rounds = after.rounds + 1
    most = effort.draws, most_by_slow(effort.draws, effort.slow)
    return Advice(best, {**after.risks, **risks}, limits, followed, rounds, *most, useful)


_LOST = (RULED_OUT, CUT_OFF)


class _Work:
    """Draws on all processors, or on a cluster; what comes of them does not depend on where."""

    def __init__(self, risk: EmbeddingRisk, limits: Limits, effort: Effort, start: int) -> None:
        self._risk, self._limits, self._effort, self._start = risk, limits, effort, start

    def _all(
        self, function: Callable, jobs: Sequence[tuple], progress: Progress
    ) -> list[list[Drawn]]:
        """Call a function of a job, which names the work, unless that is done already."""
        kept, names = self._effort.kept, [_name(function, job) for job in jobs]
        tasks = [
            (name, function, self._risk, *job)
            for name, job in zip(names, jobs)
            if kept.get(name) is None
        ]
        for name, draws in run_tasks(_named, tasks, self._effort.backend, progress):
            kept.put(name, [asdict(one) for one in draws])
        progress(1.0)
        return [[_drawn(one) for one in kept.get(name)] for name in names]

    def screened(self, cells: Sequence[Cell], progress: Progress) -> list[RowRisk]:
        """Attack every row with the largest overlap until it is ruled out, in few draws."""
        overlaps, count = self._risk.draws.overlaps, min(SCREENED, self._effort.draws)
        jobs = [(cell.setting, overlaps[0], self._start, count, self._limits) for cell in cells]
        found = []
        for cell, draws in zip(cells, self._all(_screen, jobs, progress)):
            row = RowRisk.of(overlaps, self._risk.guessed_in(cell.setting))
            found.append(replace(row, screened=row.standings[0].with_draws(draws)))
        return found

    def completed(self, setting: Setting, row: RowRisk, progress: Progress) -> RowRisk:
        """Attack with every overlap until it is known whether it holds."""
        attacks = self._risk.quick_for(setting)
        every = sorted(row.standings, key=lambda one: not self._too_few(setting, one))
        for standing, step in zip(every, shares(progress, len(every))):
            standing = self._until_known(setting, standing, self._effort.draws, attacks, step)
            row = row.with_standing(standing)
            if standing.decided(self._limits) != HELD:
                break  # no other overlap can make it hold
        return row

    def _too_few(self, setting: Setting, standing: Standing) -> bool:
        """Whether one person is more than may be found."""
        return self._limits.share * self._risk.people(setting, standing.overlap) < 1

    def confirmed(
        self, setting: Setting, row: RowRisk, attacks: Sequence[str], progress: Progress
    ) -> RowRisk:
        """Attack in the ways that take longer, with the largest overlap, whoever is known."""
        overlaps = largest([one.overlap for one in row.standings])
        every = [one for one in row.standings if one.overlap in overlaps]
        most = most_by_slow(self._effort.draws, self._effort.slow)
        for one, step in zip(every, shares(progress, len(every))):
            slow = self._until_known(setting, replace(one, draws=()), most, attacks, step)
            row = replace(row, slow=(*row.slow, slow))
            if slow.decided(self._limits) != HELD:
                break  # the other cannot make it hold
        return row

    def _until_known(
        self,
        setting: Setting,
        standing: Standing,
        most: int,
        attacks: Sequence[str],
        progress: Progress,
    ) -> Standing:
        """Draw, a few at once, until it is known or there were enough."""
        while len(standing.draws) < most and standing.decided(self._limits) == OPEN:
            done = len(standing.draws)
            numbers = range(done, min(done + AT_ONCE, most))
            first = self._start + SCREENED
            jobs = [(setting, standing.overlap, first + one, tuple(attacks)) for one in numbers]
            step = part(progress, done / most, numbers.stop / most)
            draws = [one for found in self._all(_draw, jobs, step) for one in found]
            standing = standing.with_draws(draws)
            if not standing.may_hold(self._limits, most):
                break
        progress(1.0)
        return standing


def _screen(risk, setting, overlap, start, count, limits, ask: Progress) -> list[Drawn]:
    """Draw until a row is lost; where one attack rules it out the others are left out.

    In the first draw all attacks are run, in every row.
    """
    standing = Standing(overlap)
    for number in range(count):

        def enough(drawn: Drawn, before: Standing = standing) -> bool:
            return bool(before.draws) and before.with_draws([drawn]).decided(limits) == RULED_OUT

        drawn = risk.attack(setting, overlap, start + number, risk.quick_for(setting), enough, ask)
        standing = standing.with_draws([drawn])
        state = standing.decided(limits)
        if state == RULED_OUT or (state == CUT_OFF and not _above(standing, limits)):
            break  # what was cut off never holds, but may yet be known to be too much
    return list(standing.draws)


def _above(standing: Standing, limits: Limits) -> bool:
    """Whether more is found than may be, by the draws there are."""
    precise = (standing.precision_of(name).mean for name in standing.attacks)
    return standing.found.mean > limits.share or max(precise) > limits.precision


def _draw(risk, setting, overlap, number, attacks, ask: Progress) -> list[Drawn]:
    return [risk.attack(setting, overlap, number, attacks, ask=ask)]


def _named(name: str, function: Callable, *task: Any) -> tuple[str, list[Drawn]]:
    """Work of a task, which ends with a callback that is asked whether to go on."""
    *job, ask = task
    return name, function(*job, lambda fraction: ask(0.0))


def _name(function: Callable, job: tuple) -> str:
    """Name of a piece of work, the same in every run."""
    setting, overlap, number, what, *_ = job
    where = "-".join(map(str, setting.key))
    kind = str(what) if function is _screen else "+".join(what)
    known = f"{overlap.share!r}{' of neighbours' if overlap.neighbours else ''}"
    return f"{function.__name__[1:]} {_FORM} {where} {known} {number} {kind}"


def _drawn(found: Mapping[str, Any]) -> Drawn:
    attempts = tuple(
        Attempt(**{**one, "surest": tuple(one["surest"])}) for one in found["attempts"]
    )
    return Drawn(found["people"], found["found"], attempts)
