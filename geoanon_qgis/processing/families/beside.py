# SPDX-License-Identifier: GPL-2.0-or-later
"""What stays as it is beside anonymised fields: points that were masked before, and fields.

Points of a mask and anonymised fields of the same people are one release. The masked layer has all
of it: its points stay, its order and ids go, and the key of the mask leads from the new ids to the
originals.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...compat import make_field
from ...core.microdata.learning import learn_coding
from ...core.microdata.observations import observed_table, plain
from ...core.microdata.release import Anonymized
from ...core.microdata.rules import Rule, found_rules
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, shares
from ..dialog import parameters
from ..i18n import number_of, tr
from ..layers import keys
from ..layers.attributes import Choice
from ..layers.fieldnames import spelt_as_in
from ..layers.reading import PointTable
from ..layers.transforming import transform
from ..layers.values import text_of
from ..running import Given, Run
from .day_numbers import measures_of

#: Points that lie nearer to their originals' places than so many degrees or metres are not moved.
_SAME = 1e-9
#: Broken rules that are told.
_MOST_TOLD = 3


def inputs() -> list:
    """Parameters: the key of points that were masked, and fields that stay."""
    return [
        parameters.table(
            "MASKED_KEY",
            tr("Key of the masked points"),
            tr(
                "If INPUT is a layer of masked points that has all fields: the private key that was "
                "written with them. The points then stay as they are, their order and ids do not, and "
                "KEY leads back to the originals. Give away the result alone, not the masked points, "
                "too."
            ),
            optional=True,
        ),
        parameters.fields(
            "KEPT_FIELDS",
            tr("Fields that stay as they are"),
            tr(
                "Fields that are released with the true values of each record, beside those that are "
                "anonymised. What relates them to the others is lost where values are swapped. Whoever "
                "knows them, or the place, of a person finds her record: run the disclosure risk."
            ),
            "INPUT",
        ),
    ]


def refusal(given: Given) -> str | None:
    """Say what does not go together, before anything is read."""
    if given.has("MASKED_KEY"):
        if given.flag("USE_GEOMETRY"):
            return tr(
                "With MASKED_KEY points stay as they were masked, so they cannot be made anew. Switch "
                "USE_GEOMETRY off, or leave MASKED_KEY empty."
            )
        if given.has("ID_FIELD"):
            return tr(
                "With MASKED_KEY the key of the mask says who is who. Leave ID_FIELD empty: it "
                "was asked for when the points were masked."
            )
    return None


def not_released(given: Given) -> str | None:
    """Say which fields that are to stay are not released, before layers are asked for fields.

    In a model the masked layer lacks them, where the user chose them of another.
    """
    chosen = {one.lower() for one in given.fields("FIELDS")}
    lost = [name for name in given.fields("KEPT_FIELDS") if name.lower() not in chosen]
    if any(chosen) and any(lost):
        return tr(
            "KEPT_FIELDS names fields that are not released: {names}. Add them to FIELDS, or leave "
            "them out."
        ).format(names=", ".join(lost))
    return None


@dataclass(frozen=True)
class Beside:
    """What stays as it is.

    Attributes
    ----------
    names : tuple of str
        Fields.
    key : Key or None
        Of masked points; None where INPUT holds originals.
    id_name : str
        The field of the masked points with their ids; empty without a key.
    """

    names: tuple[str, ...]
    key: keys.Key | None = None
    id_name: str = ""

    @property
    def is_masked(self) -> bool:
        """Whether points stay as they were masked."""
        return self.key is not None

    @property
    def is_anything(self) -> bool:
        """Whether anything stays, so that each released record belongs to one original."""
        return self.is_masked or bool(self.names)

    def changed(self, choice: Choice) -> list[str]:
        """Return the fields that are anonymised.

        Raises
        ------
        InputError
            If none is left.
        """
        left = [name for name in choice.kept if name not in self.names]
        if self.names and not left:
            raise InputError(
                tr(
                    "All fields stay as they are, so there is nothing to anonymise. Leave some of "
                    "them out of KEPT_FIELDS."
                )
            )
        return left

    def settings(self) -> list[tuple[str, object]]:
        """Return what stays, for a report."""
        said: list[tuple[str, object]] = []
        if self.is_masked:
            said.append((tr("Points"), tr("as they were masked")))
        if self.names:
            said.append((tr("Fields that stay as they are"), ", ".join(self.names)))
        return said

    def put_to(
        self,
        made: Anonymized,
        records: PointTable,
        table: Mapping[str, np.ndarray],
        kinds: Mapping[str, str],
        progress: Progress,
    ) -> tuple[Anonymized, list[str]]:
        """Put what stays to what was anonymised; say which rules between the two are broken now.

        Parameters
        ----------
        made : Anonymized
        records : PointTable
            The originals.
        table : mapping of names to arrays
            Their fields that were anonymised.
        kinds : mapping of names to str
            That the user named.
        progress : callable

        Raises
        ------
        InputError
            If a field that is to stay is an id.
        """
        if not self.names:
            return made.beside({}), []
        kept = {name: measures_of(records.columns[name]) for name in self.names}
        of_read, of_kinds, of_rules = shares(progress, 3)
        observed = observed_table({**kept, **table}, of_read)
        coding = learn_coding(observed, kinds, progress=of_kinds)
        rules = found_rules(observed, coding, progress=of_rules)
        made = made.beside({name: plain(observed[name]) for name in self.names})
        return made, _broken(rules, {*self.names}, made.columns)

    def originals(
        self, records: PointTable, id_field: str | None, run: Run
    ) -> tuple[keys.Originals, np.ndarray]:
        """Return who the records are in the key that is written, and where they live, ``(n, 2)``.

        Raises
        ------
        InputError
            If the key is not that of these points, or these were not masked.
        """
        if self.key is None:
            return keys.originals_of(records, id_field), records.xy
        ids = [text_of(one) for one in records.columns[self.id_name]]
        lost = sum(one not in self.key.original for one in ids)
        if lost:
            raise InputError(
                tr(
                    "MASKED_KEY does not belong to “{name}”: it lacks {count}. Choose the key that was "
                    "written with these points."
                ).format(name=run.source("INPUT").sourceName(), count=number_of(lost, "id", "ids"))
            )
        nowhere = (np.nan, np.nan)
        there = np.array([self.key.places.get(one, nowhere) for one in ids]).reshape(-1, 2)
        known = np.isfinite(there).all(axis=1)
        if known.any():
            there[known] = transform(
                there[known], self.key.crs, records.crs, run.context, run.outputs.ask
            )
            moved = np.abs(there[known] - records.xy[known]).max(axis=1) > _SAME
            if not moved.any():
                raise InputError(
                    tr(
                        "The points of “{name}” lie where their originals do: they were not masked. "
                        "Choose the masked points, or leave MASKED_KEY empty."
                    ).format(name=run.source("INPUT").sourceName())
                )
        return _named([self.key.original[one] for one in ids], self.key.id_field or ""), there


def read(run: Run, source) -> Beside:
    """Read what stays.

    Raises
    ------
    InputError
        If the key cannot be read, or INPUT has no ids of masked points.
    """
    names = tuple(run.fields("KEPT_FIELDS", source))
    table = run.source("MASKED_KEY")
    if table is None:
        return Beside(names)
    key = keys.read_key(table)
    fields = source.fields()
    known = (keys.RELEASED, keys.RELEASED[:10], keys.RECORD, keys.RECORD[:10])
    found = next((one for one in known if fields.lookupField(one) >= 0), None)
    if found is None:
        raise InputError(
            tr(
                "“{name}” has no field {id}, so its points are not those of a mask. Choose the masked "
                "points as INPUT, or leave MASKED_KEY empty."
            ).format(name=source.sourceName(), id=keys.RELEASED)
        )
    return Beside(names, key, spelt_as_in(fields, [found])[0])


def _named(ids: Sequence[str], id_field: str) -> keys.Originals:
    """Name originals as another key does, whose ids were read as text."""
    whole = all(one.lstrip("-").isdecimal() and str(int(one)) == one for one in ids)
    field = make_field(keys.ORIGINAL, "long" if whole else "string")
    return keys.Originals(field, np.array([int(one) if whole else one for one in ids]), id_field)


def _broken(
    rules: Sequence[Rule], kept: Collection[str], released: Mapping[str, np.ndarray]
) -> list[str]:
    """Say which rules between a field that stays and one that changed the release breaks."""
    said = []
    for one in rules:
        other = one.bound if isinstance(one.bound, str) else one.where
        if (one.field in kept) == (other in kept) or not {one.field, other} <= {*released}:
            continue
        count = int(np.count_nonzero(~one.obeyed(released)))
        if count:
            said.append(
                tr("{rule}: broken by {records}").format(
                    rule=one.expression, records=number_of(count, "record", "records")
                )
            )
    if not said:
        return []
    return [
        tr(
            "Rules between fields that stay and fields that changed hold for every original, and not "
            "for the release, as nothing relates the two any more: {rules}. Let both stay or both "
            "change."
        ).format(rules="; ".join(said[:_MOST_TOLD]))
    ]
