# SPDX-License-Identifier: GPL-2.0-or-later
"""Quasi-identifiers of records as labels that can be compared between layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...core.columns import Column
from ...core.runtime.errors import InputError
from ...core.values import DATE, MOMENT, NUMBER, TEXT, TIME
from ..i18n import mark, tr
from . import values

Labels = Sequence["tuple[str, ...] | None"]

_KINDS = {
    NUMBER: mark("numbers"),
    DATE: mark("dates"),
    TIME: mark("times of day"),
    MOMENT: mark("dates with times"),
    TEXT: mark("text"),
}


def labels_of(
    columns: Mapping[str, Column], names: Sequence[str], count: int
) -> list[tuple[str, ...] | None]:
    """Return the label of each record: its quasi-identifiers as text.

    Values read the same whatever the format they come from; see :func:`.values.label_of`.

    Parameters
    ----------
    columns : mapping of str to Column
    names : sequence of str
        The quasi-identifiers, in order; without any, all records have the same label.
    count : int

    Returns
    -------
    list of tuple of str, or None
        None for a record that lacks one of them: it cannot be compared.
    """
    if not names:
        return [()] * count
    rows = zip(*(values.labels(columns[name]) for name in names))
    return [None if None in row else row for row in rows]


def why_none_agree(released: Labels, known: Labels, names: Sequence[tuple[str, str]]) -> list[str]:
    """Say why no label is in both files; nothing where one is.

    Parameters
    ----------
    released, known : sequence of tuple of str, or None
        As :func:`labels_of` makes them.
    names : sequence of (str, str)
        The quasi-identifiers of the records and of the people, in pairs.

    Raises
    ------
    InputError
        If records cannot agree with people because their values are written in different ways:
        an attack that compares nothing must not look like one that failed.
    """
    here, there = set(released) - {None}, set(known) - {None}
    if not names or here & there:
        return []
    for labels, whom in ((here, tr("released record")), (there, tr("known person"))):
        if not labels:
            raise InputError(
                tr(
                    "There is nothing to compare: every {whom} lacks a value in one of the "
                    "quasi-identifiers. Choose other fields."
                ).format(whom=whom)
            )
    said = []
    for at, (one, other) in enumerate(names):
        ours, theirs = ({label[at] for label in labels} for labels in (here, there))
        if ours & theirs:
            continue
        kinds = [{values.kind_of_label(text) for text in texts} for texts in (ours, theirs)]
        words = dict(one=one, other=other, ours=min(ours), theirs=min(theirs))
        if kinds[0].isdisjoint(kinds[1]):
            words.update(zip(("kind", "their_kind"), map(_listed, kinds)))
            raise InputError(
                tr(
                    "No released record can agree with a known person: “{one}” of the records "
                    "holds {kind}, such as “{ours}”, and “{other}” of the people holds "
                    "{their_kind}, such as “{theirs}”. Write both in the same way (“Refactor "
                    "fields”), or pair other fields."
                ).format(**words)
            )
        said.append(
            tr(
                "“{one}” of the records and “{other}” of the people have no value in common, such "
                "as “{ours}” there and “{theirs}” here. Write them in the same way if they mean "
                "the same."
            ).format(**words)
        )
    return said


def _listed(kinds: set[str]) -> str:
    return ", ".join(tr(_KINDS[kind]) for kind in _KINDS if kind in kinds)
