# SPDX-License-Identifier: GPL-2.0-or-later
"""Which attributes a release may keep, and what is said about those it must not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..compat import is_null
from ..core import identifying
from .i18n import mark, tr
from .reading import PointTable

_REASONS = {
    identifying.NAMED_ID: mark("its name is that of an id"),
    identifying.NAMED_COORDINATE: mark("its name is that of a coordinate"),
    identifying.NAMED_PERSON: mark("its name is that of a person's name, address or contact"),
    identifying.ALL_DIFFERENT: mark("its values are all different, as those of an id are"),
    identifying.FOLLOWS_COORDINATE: mark("its values follow a coordinate"),
}
#: Records looked at; what is all different or follows a coordinate here does so anywhere.
_LOOKED_AT = 5_000


@dataclass(frozen=True)
class Choice:
    """Attributes of a layer and what becomes of them.

    Attributes
    ----------
    kept : tuple of str
        Names of the fields that the release carries.
    dropped : tuple of (str, str)
        Name and reason of every field left out though nobody asked for that.
    doubtful : tuple of (str, str)
        Name and reason of fields kept on request that look as if they identified somebody.
    """

    kept: tuple[str, ...]
    dropped: tuple[tuple[str, str], ...]
    doubtful: tuple[tuple[str, str], ...]

    def sentences(self) -> list[str]:
        """What the log says about the choice."""
        said = []
        if self.dropped:
            said.append(
                tr("Not released: {fields}. Name fields to decide yourself.").format(
                    fields=_listed(self.dropped)
                )
            )
        return said

    def warnings(self) -> list[str]:
        """What the log warns of."""
        if not self.doubtful:
            return []
        return [
            tr("Released because you asked for it, but check it: {fields}.").format(
                fields=_listed(self.doubtful)
            )
        ]


def choose(table: PointTable, asked_for: list[str], id_field: str | None = None) -> Choice:
    """Decide which attributes go along.

    Parameters
    ----------
    table : PointTable
        With the columns of all fields in question.
    asked_for : list of str
        The user's choice; empty for "all that do not look like coordinates or ids".
    id_field : str, optional
        The field that names a person and goes into the private key; never released, not even
        when it is asked for.
    """
    suspicious = {
        name: reason
        for name in table.columns
        if name != id_field and (reason := _reason(name, table)) is not None
    }
    named = tuple(name for name in asked_for or table.columns if name != id_field)
    withheld = ()
    if id_field in (asked_for or table.columns):
        withheld = ((id_field, tr("it is the id that goes into the key")),)
    if asked_for:
        doubtful = tuple((name, suspicious[name]) for name in named if name in suspicious)
        return Choice(named, withheld, doubtful)
    kept = tuple(name for name in named if name not in suspicious)
    return Choice(kept, (*withheld, *suspicious.items()), ())


def _reason(name: str, table: PointTable) -> str | None:
    rows = np.unique(np.linspace(0, len(table) - 1, min(len(table), _LOOKED_AT)).astype(int))
    column = table.columns[name]
    values = [None if is_null(column[row]) else column[row] for row in rows]
    code = identifying.identifying_reason(name, values, table.xy[rows])
    return None if code is None else tr(_REASONS[code])


def _listed(fields: tuple[tuple[str, str], ...]) -> str:
    return "; ".join(f"{name} ({reason})" for name, reason in fields)
