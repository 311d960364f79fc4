# SPDX-License-Identifier: GPL-2.0-or-later
"""What an adversary may know of a person, and what he wants to learn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...runtime.errors import InputError
from ...runtime.progress import chunks
from ...runtime.wording import Sentence
from .table import Tables, answers

#: Beginnings of words for what people know of each other: age, sex, origin, family, trade.
_QUASI = re.compile(
    r"(?:^|[^a-z])(?:age|alter|edad|idade|eta|leeftijd|wiek|sex|gender|geschlecht|sexe|sexo|sesso"
    r"|geslacht|plec|birth|geburt|naissance|marital|married|famil|civil|etat|children|kids|kinder"
    r"|enfants|hijos|household|haushalt|race|ethnic|nation|citizen|religio|langu|sprache|educat"
    r"|school|bildung|degree|job|occupat|profess|beruf|oficio|trade|employ|work|region|zone"
    r"|district|county|state|ward|country)",
    re.IGNORECASE,
)
#: Share of the people with a value of their own from which on a field by itself tells them apart.
_APART = 0.1


@dataclass(frozen=True)
class Knowledge:
    """What one adversary knows, and wants.

    Attributes
    ----------
    title : Sentence
        What he knows, as the part of a sentence.
    known, wanted : tuple of str
        Names of variables.
    """

    title: Sentence
    known: tuple[str, ...]
    wanted: tuple[str, ...]


def check(
    names: Sequence[str], constant: Sequence[str], known: Sequence[str], secrets: Sequence[str]
) -> None:
    """Refuse what an adversary cannot know or want.

    Parameters
    ----------
    names : sequence of str
        All variables that are compared.
    constant : sequence of str
        Those that are the same for all originals.
    known, secrets : sequence of str
        Variables that the user named; empty for none.

    Raises
    ------
    InputError
        If they overlap, are not compared, or are the same for all.
    """
    both = [name for name in known if name in secrets]
    if both:
        raise InputError(
            "What he knows and what he wants overlap: {names}. Nobody has to find out what he "
            "knows; name each field once, in KNOWN or in SECRET_FIELDS.",
            names=", ".join(both),
        )
    lost = [name for name in (*known, *secrets) if name not in names]
    if lost:
        raise InputError(
            "What he knows or wants is not among the fields that are compared: {names}. Add it "
            "to FIELDS, or leave it out of KNOWN and SECRET_FIELDS.",
            names=", ".join(lost),
        )
    for some, what in (
        (known, Sentence("What he knows is the same for all originals")),
        (secrets, Sentence("What he wants is the same for all originals")),
    ):
        if some and all(name in constant for name in some):
            raise InputError(
                "{what}: {names}. A field of one value tells nobody apart, and there is nothing "
                "in it to find out. Name other fields.",
                what=what,
                names=", ".join(some),
            )


def suppositions(
    tables: Tables, known: Sequence[str] = (), secrets: Sequence[str] = ()
) -> list[Knowledge]:
    """What adversaries know who are tried.

    Parameters
    ----------
    tables : Tables
    known, secrets : sequence of str, optional
        Names of variables. Without ``known``: the place alone; what people know of each other, by
        the names of the fields; each third of the fields in turn; and each field alone by which
        at least a tenth of the people can be told apart. Without ``secrets`` all the others.

    Returns
    -------
    list of Knowledge
        Each with something known and something wanted.
    """
    place = tuple(name for name in tables.place if tables.named([name]))
    units: list[tuple[str, ...]] = [
        (one.name,) for one in tables.variables if one.name not in place
    ]
    units += [place] if place else []
    names = [name for unit in units for name in unit]
    said: list[tuple[Sentence | str, tuple[str, ...]]] = []
    if known:
        said.append((listed(known, place), tuple(known)))
    else:
        if place:
            said.append((Sentence("the place alone"), place))
        quasi = quasi_identifiers([name for name in names if name not in place])
        if len(quasi) > 1:
            said.append((listed(quasi, place), quasi))
        for third in np.array_split(np.arange(len(units)), min(3, len(units))):
            some = tuple(name for at in third for name in units[at])
            said.append((listed(some, place), some))
        said += [(listed(unit, place), unit) for unit in units if _tells_apart(tables, unit, place)]
    found: dict[tuple, Knowledge] = {}
    for title, some in said:
        here = tuple(name for name in names if name in some and name not in secrets)
        wanted = tuple(secrets) or tuple(one for one in names if one not in here)
        wanted = tuple(name for name in wanted if name in names and name not in here)
        if here and wanted:
            if len(here) < len(some):
                title = listed(here, place)
            found.setdefault((here, wanted), Knowledge(Sentence(title), here, wanted))
    return list(found.values())


def quasi_identifiers(names: Sequence[str]) -> tuple[str, ...]:
    """Return fields that people know of each other, by their names."""
    return tuple(name for name in names if _QUASI.search(name))


def _tells_apart(tables: Tables, unit: tuple[str, ...], place: tuple[str, ...]) -> bool:
    if unit == place:
        return False
    variable = tables.named(unit)[0]
    values = np.empty(len(tables.original))
    for rows in chunks(len(values), 100_000):
        values[rows] = answers(variable, tables.original[rows])
    if tables.whose is not None:  # whoever has a value in all her records has it once
        values = values[tables.whose.once(values)]
    values, count = np.unique(values, return_counts=True)
    return int(np.count_nonzero(count == 1)) >= _APART * tables.count


def listed(names: Sequence[str], place: Sequence[str] = ()) -> Sentence:
    """Return fields as the part of a sentence; both coordinates are the place."""
    others = ", ".join(name for name in names if name not in place)
    if not any(name in place for name in names):
        return Sentence("{fields}", fields=others)
    if not others:
        return Sentence("the place")
    return Sentence("{fields} and the place", fields=others)
