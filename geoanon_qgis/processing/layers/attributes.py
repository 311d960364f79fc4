# SPDX-License-Identifier: GPL-2.0-or-later
"""Which attributes a release may keep, and what is said of each, kept or not.

The one place for all algorithms that release attributes: what the user names is released, with a
warning where it looks as if it gave records away; without names, what passes the screening of
:mod:`...core.identifying`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ...core import identifying
from ...core.identifying import CodedColumn, Finding, reasons
from ...core.runtime.progress import Progress, interruptible, part, shares, silent, weighted
from ..dialog import parameters
from ..i18n import mark, number_of, tr
from .reading import PointTable

_REASONS = {
    reasons.NAMED_ID: mark("its name is that of an id"),
    reasons.NAMED_COORDINATE: mark("its name is that of a coordinate"),
    reasons.NAMED_PERSON: mark("its name is that of a person's or an owner's name"),
    reasons.NAMED_ADDRESS: mark("its name is that of an address"),
    reasons.NAMED_PLACE: mark("its name is that of a place, such as a city or a county"),
    reasons.NAMED_CONTACT: mark("its name is that of a contact, such as a phone or a website"),
    reasons.NAMED_BIRTH: mark("its name is that of a date of birth"),
    reasons.HOLDS_CONTACT: mark("it holds phone numbers, e-mail or web addresses"),
    reasons.HOLDS_COORDINATE: mark("it holds coordinates"),
    reasons.HOLDS_ADDRESS: mark("it holds addresses or postcodes"),
    reasons.HOLDS_PERSON: mark("it holds names of people"),
    reasons.HOLDS_ACCOUNT: mark("it holds numbers of accounts or devices"),
    reasons.MANY_UNIQUE: mark("values that stand in one record only: {unique:,} of {present:,}"),
    reasons.FOLLOWS_COORDINATE: mark("its values follow a coordinate"),
    reasons.FOLLOWS_PLACE: mark(
        "it follows the place: its numbers can be told from those of the nearest records "
        "({share:.0f} % of their variance)"
    ),
    reasons.NAMES_AREAS: mark(
        "it follows the place: the nearest records have the same value, as where a field names "
        "areas ({share:.0f} %, chance taken off)"
    ),
    reasons.LIES_TOGETHER: mark(
        "it follows the place: a record with the same value lies nearer than {share:.0f} % of the "
        "others, on average"
    ),
}
#: Share of records that are alone with their values of all released fields, which is told as a
#: warning.
MANY_ALONE = 0.1


@dataclass(frozen=True)
class Attribute:
    """What becomes of a field.

    Attributes
    ----------
    name : str
    released : bool
    reason : str
        Why it is not released; or what to check, where it was named; or nothing.
    counts : Finding or None
        Records with a value, different values and unique records; None where it was not read.
    """

    name: str
    released: bool
    reason: str = ""
    counts: Finding | None = None


@dataclass(frozen=True)
class Choice:
    """Attributes of a layer and what becomes of them.

    Attributes
    ----------
    attributes : tuple of Attribute
        Those released in their order, then the others.
    count : int
        Records.
    alone : int or None
        Records that are the only ones with their values of all released fields together; None
        where the values that are released are others than those of the records. Fields whose
        values are exchanged do not count: there they are others'.
    named : bool
        Whether the user has named fields.
    exchanged : bool
        Whether values of released fields are exchanged among records.
    """

    attributes: tuple[Attribute, ...]
    count: int
    alone: int | None = None
    named: bool = False
    exchanged: bool = False

    @property
    def kept(self) -> tuple[str, ...]:
        """Names of the fields that the release carries."""
        return tuple(one.name for one in self.attributes if one.released)

    @property
    def dropped(self) -> tuple[tuple[str, str], ...]:
        """Name and reason of every field left out."""
        return tuple((one.name, one.reason) for one in self.attributes if not one.released)

    @property
    def doubtful(self) -> tuple[tuple[str, str], ...]:
        """Name and reason of fields kept on request that look as if they identified somebody."""
        return tuple(
            (one.name, one.reason) for one in self.attributes if one.released and one.reason
        )

    @property
    def many_alone(self) -> bool:
        """Whether the released fields together single many records out."""
        return self.alone is not None and self.alone > MANY_ALONE * self.count

    def sentences(self) -> list[str]:
        """What the log says about the choice: every field, released or not."""
        released = [
            f"{one.name} ({_counted(one.counts)})" for one in self.attributes if one.released
        ]
        said = [
            tr("Released attributes: {fields}.").format(fields="; ".join(released))
            if released
            else tr("No attribute is released but the new id.")
        ]
        if self.dropped:
            fields = "; ".join(
                f"{one.name} ({one.reason}{', ' + _counted(one.counts) if one.counts else ''})"
                for one in self.attributes
                if not one.released
            )
            said.append(tr("Not released: {fields}.").format(fields=fields))
            if not self.named:
                said[-1] += " " + tr("Name fields to decide yourself.")
        if released and self.alone is not None and not self.many_alone:
            said.append(self.alone_sentence())
        return said

    def warnings(self) -> list[str]:
        """What the log warns of."""
        said = []
        if self.doubtful:
            fields = "; ".join(f"{name} ({reason})" for name, reason in self.doubtful)
            said.append(
                tr("Released because you asked for it, but check it: {fields}.").format(
                    fields=fields
                )
            )
        if self.many_alone:
            said.append(self.alone_sentence())
        return said

    def alone_sentence(self) -> str:
        """How many records the released fields single out together; with advice if many."""
        said = (
            tr(
                "Of {records}, {alone:,} ({share:.1f} %) are the only ones with their values of "
                "all released attributes together that are not exchanged."
            )
            if self.exchanged
            else tr(
                "Of {records}, {alone:,} ({share:.1f} %) are the only ones with their values of "
                "all released attributes together."
            )
        ).format(
            records=number_of(self.count, "record", "records"),
            alone=self.alone,
            share=100 * self.alone / max(1, self.count),
        )
        if not self.many_alone:
            return said
        return f"{said} " + tr(
            "Whoever knows these of a person knows which record is hers. Release fewer attributes, "
            "or group their values first (ages in classes, dates as years, rare categories as "
            "one), and count again with “Equivalence classes” (geoanon:equivalenceclasses)."
        )


def parameter(what: str | None = None, help: str | None = None, parent: str = "INPUT"):
    """Return FIELDS: the attributes that are released.

    QGIS shows "0 options selected" where none is, which reads as none: the label, which stands
    beside it, says what it means.
    """
    return parameters.fields(
        "FIELDS",
        tr("{what} (none chosen: those that pass the screening)").format(
            what=what or tr("Attributes to release")
        ),
        help
        or tr(
            "Leave empty to release the attributes that pass a screening. Withheld are those that "
            "look like ids, names, addresses, contacts, places or coordinates, by their name or "
            "their values; those of which more than a tenth of the records have a value that no "
            "other has; and those that follow the place. The log and the report list every "
            "attribute, with the reason. What you name is released, with a warning."
        ),
        parent,
    )


def choose(
    table: PointTable,
    asked_for: list[str],
    id_field: str | None = None,
    others: Sequence[str] = (),
    *,
    insisted: Collection[str] = (),
    withheld: Mapping[str, str] | None = None,
    exchanged: Collection[str] = (),
    numbers_change: bool = False,
    progress: Progress = silent,
) -> Choice:
    """Decide which attributes go along.

    Parameters
    ----------
    table : PointTable
        With the columns of all fields in question.
    asked_for : list of str
        The user's choice; empty for those that pass the screening.
    id_field : str, optional
        The field that names a person and goes into the private key; never released, not even
        when it is asked for.
    others : sequence of str
        Further fields of the layer, to be listed as withheld.
    insisted : collection of str
        Without a choice: fields that are released though they do not pass.
    withheld : mapping of str to str
        Fields that cannot be released, with the reason.
    exchanged : collection of str
        Fields whose values are released with other records than their own.
    numbers_change : bool
        Whether numbers are released changed: then different ones do not single anybody out.
    progress : callable
    """
    of_coding, of_judging = weighted(progress, 1, 1)
    columns = [
        interruptible(partial(CodedColumn.of, name, values), ahead)
        for (name, values), ahead in zip(
            table.columns.items(), shares(of_coding, len(table.columns))
        )
    ]
    return judged(
        columns,
        table.xy,
        len(table),
        asked_for,
        others,
        id_field=id_field,
        insisted=insisted,
        withheld=withheld,
        exchanged=exchanged,
        numbers_change=numbers_change,
        progress=of_judging,
    )


def judged(
    columns: Sequence[CodedColumn],
    xy: np.ndarray,
    count: int,
    asked_for: Sequence[str],
    others: Sequence[str] = (),
    *,
    rows: np.ndarray | None = None,
    area: CodedColumn | None = None,
    id_field: str | None = None,
    insisted: Collection[str] = (),
    withheld: Mapping[str, str] | None = None,
    exchanged: Collection[str] = (),
    numbers_change: bool = False,
    progress: Progress = silent,
) -> Choice:
    """Decide on columns that are there already; see :func:`choose`.

    Parameters
    ----------
    xy : (n, 2) or (r, 2) array
        Places of the records, or of ``rows``.
    count : int
        Records.
    rows : (r,) int array, optional
        The records that have a place.
    area : CodedColumn, optional
        What is released beside the attributes, and tells records apart together with them.
    """
    withheld = dict(withheld or {})
    if id_field is not None:
        withheld[id_field] = tr("it is the id that goes into the key")
    found = identifying.screen(columns, xy, rows, numbers_change, part(progress, 0.0, 0.9))
    counts = {one.name: one for one in found}
    names = list(dict.fromkeys(asked_for or counts))
    released = [
        name
        for name in names
        if name not in withheld and (asked_for or name in insisted or counts[name].reason is None)
    ]
    why = {name: reason_of(one) for name, one in counts.items()}
    rest = dict.fromkeys([*names, *counts, *others, *withheld])
    not_chosen = tr("not chosen")
    attributes = [Attribute(name, True, why[name], counts[name]) for name in released]
    attributes += [
        Attribute(
            name,
            False,
            withheld.get(name) or (not_chosen if asked_for else why.get(name, not_chosen)),
            counts.get(name),
        )
        for name in rest
        if name not in released
    ]
    alone = None if numbers_change else 0
    if released and not numbers_change:
        own = set(released) - set(exchanged)
        together = [column for column in columns if column.name in own]
        if area is not None:
            together.append(area)
        alone = interruptible(lambda: identifying.alone(together, count), progress, 0.9)
    progress(1.0)
    mixed = not set(released).isdisjoint(exchanged)
    return Choice(tuple(attributes), count, alone, bool(asked_for), mixed)


def reason_of(found: Finding) -> str:
    """Why a field looks as if it gave records away, as text; empty where it does not."""
    if found.reason is None:
        return ""
    return tr(_REASONS[found.reason]).format(
        unique=found.unique, present=found.present, share=100 * found.figure
    )


def _counted(found: Finding) -> str:
    """The counts of a field, for the log."""
    return tr("{different}, {unique} alone with theirs").format(
        different=number_of(found.different, "value", "values"),
        unique=number_of(found.unique, "record", "records"),
    )
