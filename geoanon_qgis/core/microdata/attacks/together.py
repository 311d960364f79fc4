# SPDX-License-Identifier: GPL-2.0-or-later
"""Fields that are true together in released records, among others that are not.

Whoever knows age, sex, origin, family and trade of a person looks for the record nearest in all of
these; where two of the five were swapped, that is another person's. He does better with the three that
are true. Which these are a release shows: a sample has more widows of 43 in one trade, and fewer in
another, than its population, by chance; people who are not in the file have others. A release in which
just the same are too many and too few was made of these people, with both fields of a person in one
record. Pairs of fields of which that holds are put together, and attacked as what an adversary knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ...runtime.progress import Progress, interruptible, part, shares, silent
from ..matrices import copied
from .alike import batches_of, independent
from .blurred import nearly_apart, nearly_together
from .cells import coded, counted_people, sure
from .density import membership_by_density
from .inference import infer
from .knowledge import Knowledge, listed
from .membership import by_fields
from .modelled import nearly_modelled
from .scoring import Attack, level_of
from .table import Tables

#: Groups into which the numbers of a field are put that has more values; and people who are counted.
_GROUPS, _PEOPLE = 40, 20_000
#: Chance that any two fields of a harmless release are put together; standard deviations by which a
#: further field belongs to these.
_CHANCE, _FURTHER = 0.01, 4.0
#: For how many independent people one counts, below which they come in groups.
_GROUPED = 0.5
#: Fewest fields that are an adversary's.
_FEWEST = 2


def together(
    tables: Tables,
    known: Sequence[str] = (),
    secrets: Sequence[str] = (),
    progress: Progress = silent,
    released: np.ndarray | None = None,
) -> list[Attack]:
    """Attack by the fields that are true together.

    Parameters
    ----------
    tables : Tables
    known, secrets : sequence of str
        See :func:`.knowledge.suppositions`.
    released : (p, m) array, optional
        The release before columns in other units were taken back.

    Returns
    -------
    list of Attack
        Inference of each of the fields by all the others of them, and membership by all: of those that
        are true together, and of those that nearly are (:mod:`.blurred`). None where there are no such
        fields, or all but one are, which other attacks know. And membership by differences and ratios that
        nearly are, by principal components and by residuals (:mod:`.modelled`).
    """
    exactly = interruptible(partial(true_together, tables), progress, 0.1)
    sets = dict.fromkeys([exactly, *nearly_together(tables, part(progress, 0.1, 0.4))])
    found: list[Attack] = []
    for names, ahead in zip(sets, shares(part(progress, 0.4, 0.6), len(sets))):
        if _FEWEST <= len(names) < len(tables.variables) - 1:
            found += _by(tables, names, known, secrets, ahead)
    as_it_is = tables.released if released is None else released
    apart = nearly_apart(tables, as_it_is, part(progress, 0.6, 0.8))
    made_of = [
        *((one, None) for one in apart),
        *nearly_modelled(tables, as_it_is, part(progress, 0.8, 0.95)),
    ]
    for (made, what), ahead in zip(made_of, shares(part(progress, 0.95, 1.0), len(made_of))):
        names = tuple(one.name for one in made.variables)
        attack = membership_by_density(made, names, ahead, what)
        # Two samples may differ along what several numbers make together that are alike by each.
        attack = replace(attack, batches=batches_of(made))
        found += _among_groups(made, names, [attack])
    return found


def _by(
    tables: Tables,
    names: tuple[str, ...],
    known: Sequence[str],
    secrets: Sequence[str],
    progress: Progress,
) -> list[Attack]:
    found = by_fields(tables, names, part(progress, 0.0, 0.2))
    found.append(membership_by_density(tables, names, part(progress, 0.2, 0.4)))
    found = _among_groups(tables, names, found)
    progress(0.4)
    for wanted, ahead in zip(names, shares(part(progress, 0.4, 1.0), len(names))):
        if wanted in known or (secrets and wanted not in secrets):
            continue
        here = tuple(
            one
            for one in names
            if one != wanted
            and one not in secrets
            and (not known or one in known)
            and not {one, wanted} <= set(tables.place)
        )
        if here:
            found += infer(tables, Knowledge(listed(here, tables.place), here, (wanted,)), ahead)
    return found


def _among_groups(
    tables: Tables, names: tuple[str, ...], attacks: Sequence[Attack]
) -> list[Attack]:
    """Attacks whose people may come in groups: which fields belong together few large groups make by chance.

    Where they do these count if they surely find too many, and say nothing else.
    """
    if tables.reference is None or tables.whose is not None or tables.reference_whose is not None:
        return [*attacks]
    columns = tables.columns(names)
    weighs = independent(
        copied(tables.original, tables.people(), columns),
        copied(tables.reference, tables.control(), columns),
    )
    grouped = min(weighs) < _GROUPED
    return [replace(one, weighs=weighs, of_some=one.of_some or grouped) for one in attacks]


def true_together(tables: Tables) -> tuple[str, ...]:
    """Names of the fields that are true together in released records.

    Notes
    -----
    Of each two fields it is counted how many more released records have every two values than of the
    people of file and reference together, as a share. Where that has nothing to do with the originals
    they have no more of it than people of the reference; that is a comparison of two means. Without a
    reference nobody knows what chance alone makes, and none are found.
    """
    matrices = counted_people(tables, _PEOPLE)
    if not matrices:
        return ()
    codes = [coded(one, matrices, _GROUPS) for one in tables.variables]
    count = len(codes)
    surely = np.zeros((count, count))
    place = [one.name in tables.place for one in tables.variables]
    for at in range(count):
        for other in range(at):
            if place[at] and place[other]:
                continue  # both coordinates are one place, which tells nothing by being whole
            surely[at, other] = surely[other, at] = sure([codes[at], codes[other]])
    pairs = max(count * (count - 1) // 2, 1)
    first = np.unravel_index(surely.argmax(), surely.shape)
    if count < _FEWEST or surely[first] <= level_of(pairs, _CHANCE):
        return ()
    chosen = [int(one) for one in first]
    while len(chosen) < count:
        by = surely[:, chosen].sum(axis=1) / np.sqrt(len(chosen))
        by[chosen] = -np.inf
        if by.max() <= _FURTHER:
            break
        chosen.append(int(by.argmax()))
    return tuple(tables.variables[at].name for at in sorted(chosen))
