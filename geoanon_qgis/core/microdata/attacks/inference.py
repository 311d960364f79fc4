# SPDX-License-Identifier: GPL-2.0-or-later
"""Inference: the record nearest in what he knows tells what he does not.

Giomi et al. (2023), section 4.3, with the nearest record as the guess.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...runtime.progress import Progress, part, shares, silent
from ...runtime.wording import Sentence
from ..variables import Variable, shown
from .knowledge import Knowledge
from .scoring import INFERENCE, Attack
from .table import Matcher, Tables, agree, answers, is_number

#: Fewest people of one value who are counted by themselves; rarer ones are counted together.
_HOLDERS = 20
#: Standard deviations beyond the control from which on those found are kept, not only counted.
_KEPT = 1.5
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
    may be too small.

    What most people have anybody guesses without any record: the control is right at least as
    often as the one guess that is right for most.
    """
    of_release, of_control = shares(progress, 2)
    columns = tables.columns(knowledge.known)
    people, others = tables.people(), tables.control()
    matcher = Matcher(tables.released, columns, part(of_release, 0.0, 0.6))
    taken = matcher.one_of(matcher.kind_of(tables.original[people], part(of_release, 0.6, 1.0)))
    if tables.reference is None:
        del matcher
        matcher = Matcher(tables.original, columns, part(of_control, 0.0, 0.6))
        kinds = matcher.kind_of_others(others, part(of_control, 0.6, 1.0))
        there = kinds >= 0
        others, kinds = others[there], kinds[there]
        control = (tables.original, matcher.one_of(kinds, others), tables.original)
    else:
        kinds = matcher.kind_of(tables.reference[others], of_control)
        control = (tables.released, matcher.one_of(kinds), tables.reference)
    del matcher
    found: list[Attack] = []
    for variable in tables.named(knowledge.wanted):
        progress(1.0)
        tolerance = tables.tolerance(variable)
        truth = answers(variable, tables.original[people])
        guess = answers(variable, tables.released[taken])
        right = agree(guess, truth, tolerance)
        theirs = answers(variable, control[2][others])
        lucky = agree(answers(variable, control[0][control[1]]), theirs, tolerance)
        any_of = np.random.default_rng(0).integers(len(tables.released), size=len(truth))
        blind = answers(variable, tables.released[any_of])
        all_of = (np.ones(len(truth), dtype=bool), np.ones(len(theirs), dtype=bool))
        groups = [(Sentence("guesses {field}", field=variable.name), *all_of)]
        most = _most_alike(theirs, tolerance)
        if not is_number(variable):
            groups += _holders(variable, truth, theirs)
        for wants, mine, yours in groups:
            made = Attack(
                INFERENCE,
                knowledge.title,
                wants,
                len(tables.original) if mine.all() else int(mine.sum()),
                int(mine.sum()),
                int(right[mine].sum()),
                int(yours.sum()),
                max(int(lucky[yours].sum()), most if yours.all() else 0),
                float(agree(blind, truth, tolerance)[mine].mean()),
                rows=people[mine & right],
                names=(knowledge.known, (variable.name,)),
                of_some=not mine.all(),
            )
            found.append(made if made.surely(_KEPT) > 0 else replace(made, rows=_NOBODY))
    return found


def _most_alike(values: np.ndarray, tolerance: float) -> int:
    """Of how many values one and the same guess is right."""
    ordered = np.sort(values)
    there = ordered[~np.isnan(ordered)]
    missing = len(ordered) - len(there)
    ends = np.searchsorted(there, there + 2 * tolerance, side="right")
    return max(missing, int((ends - np.arange(len(there))).max(initial=0)))


def _holders(variable: Variable, truth: np.ndarray, theirs: np.ndarray):
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
