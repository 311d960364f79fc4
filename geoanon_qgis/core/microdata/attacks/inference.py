# SPDX-License-Identifier: GPL-2.0-or-later
"""Inference: the record nearest in what he knows tells what he does not.

Giomi et al. (2023), section 4.3, with the nearest record as the guess.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from ...runtime.progress import Progress, interruptible, part, shares, silent
from ...runtime.wording import Sentence
from ..variables import Variable, shown
from .averaged import Looked, averaged, is_constant
from .knowledge import Knowledge
from .scoring import INFERENCE, Attack
from .table import Matcher, Tables, agree, answers, is_number
from .tied import Tied, beside, own_records, tied

#: Fewest people of one value who are counted by themselves; rarer ones are counted together.
_HOLDERS = 20
#: Standard deviations beyond the control from which on those found are kept, not only counted.
_KEPT = 1.5
#: And so many below what any record's value is, from which on the control is no chance.
_WORSE = 3.0
_NOBODY = np.zeros(0, dtype=np.intp)


def infer(tables: Tables, knowledge: Knowledge, progress: Progress = silent) -> list[Attack]:
    """Guess every secret of every person from the released record nearest to what is known.

    Parameters
    ----------
    tables : Tables
    knowledge : Knowledge

    Returns
    -------
    list of Attack
        For each secret one on all people, and of categories one on the holders of each value
        that is not the most frequent one: a guess of what most have is right without any record.

    Notes
    -----
    The control are people of the reference, looked up in the release. Without one, the originals
    themselves are looked up among all other originals, which are people whom an adversary could
    know of without the release. True records tell more than anonymised ones, so that this control
    may find more than people who are not in the file would be found by, and the share beyond it
    may be too small. A value that more of the released records have than of the originals is guessed
    more often of anybody: the control is taken for as frequent a value. And where it is surely
    worse than any record's value, for that: two records of one person that nobody says to be hers differ
    where others need not.

    What most people have anybody guesses without any record, and more often than the nearest
    record tells: that does not count here. Who is guessed more often than people who are not in
    the file is told by the release, be it less often than by that one guess.

    Where people have several records, each is looked up by all that are known of her, and the one
    that is nearest to a record tells.
    """
    of_release, of_control = shares(progress, 2)
    columns = tables.columns(knowledge.known)
    people, others = tables.people(), tables.control()
    matcher = Matcher(tables.released, columns, part(of_release, 0.0, 0.6))
    kinds, away = matcher.nearest(tables.original[people], part(of_release, 0.6, 1.0))
    all_mine = Looked(people, kinds, matcher.kinds, tables.whose)
    one = tables.one_each(people, away)
    kinds, people = kinds[one], people[one]
    pool_kinds = their_pool = matcher.kinds
    own = None
    if tables.reference is None:
        del matcher
        matcher = Matcher(tables.original, columns, part(of_control, 0.0, 0.6), tables.whose)
        their_kinds, away = matcher.nearest_other(others, part(of_control, 0.6, 1.0))
        there = np.flatnonzero(their_kinds >= 0)
        all_theirs = Looked(others[there], their_kinds[there], matcher.kinds, tables.whose, True)
        there = there[tables.one_each_of_control(others[there], away[there])]
        others = others[there]
        their_kinds, their_pool = their_kinds[there], matcher.kinds
        own = own_records(others, tables.whose)
        pool, asked = tables.original, tables.original
    else:
        their_kinds, away = matcher.nearest(tables.reference[others], of_control)
        all_theirs = Looked(others, their_kinds, matcher.kinds, tables.reference_whose)
        one = tables.one_each_of_control(others, away)
        their_kinds, others = their_kinds[one], others[one]
        pool, asked = tables.released, tables.reference
    del matcher
    found: list[Attack] = []

    def guessed(variable: Variable) -> list[Attack]:
        tolerance = tables.tolerance(variable)
        truth = answers(variable, tables.original[people])
        values = answers(variable, tables.released)
        theirs = answers(variable, asked[others])
        right = tied(kinds, truth, pool_kinds, values, tolerance)
        told = values if pool is tables.released else answers(variable, pool)
        lucky = tied(their_kinds, theirs, their_pool, told, tolerance, own)
        made = scored(tables, variable, knowledge, people, right, lucky)
        if is_constant(variable, tables):
            of_all = answers(variable, tables.original)[all_mine.rows]
            of_others = answers(variable, asked)[all_theirs.rows]
            made.append(
                averaged(
                    tables,
                    variable,
                    knowledge,
                    all_mine,
                    all_theirs,
                    (values, told),
                    (of_all, of_others),
                )
            )
        return made

    for variable in tables.named(knowledge.wanted):
        found += interruptible(partial(guessed, variable), progress, 1.0)
    return found


def scored(
    tables: Tables,
    variable: Variable,
    knowledge: Knowledge,
    people: np.ndarray,
    right: Tied,
    lucky: Tied,
) -> list[Attack]:
    """Hold guesses of a secret of people beside those of the control: of all, and by value.

    Parameters
    ----------
    tables : Tables
    variable : Variable
    knowledge : Knowledge
        ``known`` and ``title`` are told.
    people : (q,) int array
        Rows of the originals.
    right, lucky : Tied
        Of the people, and of the control.
    """
    truth, theirs = right.truth, lucky.truth
    any_of = np.random.default_rng(0).integers(len(tables.released), size=len(truth))
    blind = agree(right.pool_values[any_of], truth, right.tolerance)
    all_of = (np.ones(len(truth), dtype=bool), np.ones(len(theirs), dtype=bool))
    groups = [(Sentence("guesses {field}", field=variable.name), *all_of)]
    by_value = not is_number(variable)
    if by_value:
        groups += holders(variable, truth, theirs)
    found = []
    for wants, mine, yours in groups:
        seen = beside(right.some(mine), lucky.some(yours), by_value, lucky.own is None)
        control = seen.control
        if lucky.own is not None and not mine.all():
            values = np.unique(truth[mine])
            pools = lucky.pool_values, right.pool_values
            control = _as_frequent(control, *(np.isin(one, values).mean() for one in pools))
        if lucky.own is not None:
            by_any = float(blind[mine].mean())
            error = np.sqrt(by_any * (1 - by_any) / max(int(yours.sum()), 1))
            # Surely worse than any record: the nearest is a person's own other one, as of another visit.
            control = by_any if control < by_any - _WORSE * error else control
        made = Attack(
            INFERENCE,
            knowledge.title,
            wants,
            tables.count if mine.all() else int(mine.sum()),
            int(mine.sum()),
            round(seen.right * int(mine.sum()), 9),
            int(yours.sum()),
            round(control * int(yours.sum()), 9),
            float(blind[mine].mean()),
            rows=people[mine & (right.right >= 0.5)],
            names=(knowledge.known, (variable.name,)),
            of_some=not mine.all(),
            weighs=seen.weighs,
            together=seen.together,
        )
        found.append(made if made.surely(_KEPT) > 0 else replace(made, rows=_NOBODY))
    return found


def _as_frequent(right: float, before: float, after: float) -> float:
    """Share that is right of a value that became more frequent: its odds grow as the value's do."""
    if after <= before or before <= 0:
        return right
    odds = right * after * (1 - before)
    return odds / (odds + (1 - right) * before * (1 - after)) if odds > 0 else right


def holders(variable: Variable, truth: np.ndarray, theirs: np.ndarray):
    """Groups of people by value: each common one but the most frequent, and the rare ones."""
    values, count = np.unique(truth, return_counts=True)
    most = values[count.argmax()]
    rare = values[(count < _HOLDERS) & (values != most)]
    groups = []
    for value in values[(count >= _HOLDERS) & (values != most)].tolist():
        mine, yours = truth == value, theirs == value
        wants = Sentence(
            "guesses that {field} is {value}",
            field=variable.name,
            value=_named(variable, int(value)),
        )
        groups.append((wants, mine, yours))
    if len(rare):
        mine, yours = np.isin(truth, rare), np.isin(theirs, rare)
        groups.append(
            (Sentence("guesses the rare values of {field}", field=variable.name), mine, yours)
        )
    return [one for one in groups if one[1].any() and one[2].any()]


def _named(variable: Variable, value: int) -> str:
    if 0 <= value < len(variable.levels):
        return shown(variable.levels[value])
    return shown(None)
