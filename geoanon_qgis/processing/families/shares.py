# SPDX-License-Identifier: GPL-2.0-or-later
"""Shares of categories by group, from which records are made up: read from JSON or a table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.runtime.errors import InputError
from ..dialog.numbers import is_finite
from ..i18n import number_of, tr
from ..layers.reading import read_table
from ..layers.values import is_null, text_of

#: Fields of a table of shares.
GROUP, FIELD, CATEGORY, SHARE = "group", "field", "category", "share"
_LABELS = "labels"


@dataclass(frozen=True)
class Shares:
    """Shares by group and quasi-identifier.

    Attributes
    ----------
    groups : dict of str to dict of str to list of float
    labels : dict of str to list
        Categories of a quasi-identifier in the order of its shares, where they have names.
    """

    groups: dict[str, dict[str, list[float]]]
    labels: dict[str, list]

    def categories(self, name: str, count: int) -> list:
        """Values to write: labels, or numbers from 1.

        Raises
        ------
        InputError
            If there are not as many labels as shares.
        """
        found = self.labels.get(name)
        if found is None:
            return list(range(1, count + 1))
        if len(found) != count:
            raise InputError(
                tr("“{name}” has {labels}, but {shares}.").format(
                    name=name,
                    labels=number_of(len(found), "label", "labels"),
                    shares=number_of(count, "share", "shares"),
                )
            )
        return found


def shares_of_file(path: str) -> Shares:
    """Read shares from a JSON file.

    Raises
    ------
    InputError
        If it cannot be read, or holds no shares.
    """
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(
            tr(
                "The file {path} cannot be read as JSON. The parameter's help has an example."
            ).format(path=path)
        ) from error
    if not isinstance(found, dict):
        raise _no_shares(path)
    labels = found.get(_LABELS, {})
    holders = [value for key, value in found.items() if key != _LABELS and _is_groups(value)]
    groups = holders[0] if len(holders) == 1 else found if _is_groups(found) else None
    if groups is None or not isinstance(labels, dict):
        raise _no_shares(path)
    return _shares(groups, {str(name): _listed(values) for name, values in labels.items()}, path)


def shares_of_table(source) -> Shares:
    """Read shares from a table with the fields field, category, share and, perhaps, group.

    Raises
    ------
    InputError
        If a field is missing, or a category has two shares in one group.
    """
    has_groups = source.fields().lookupField(GROUP) >= 0
    names = [*([GROUP] if has_groups else []), FIELD, CATEGORY, SHARE]
    table = read_table(source, fields=names)
    groups: dict[str, dict[str, dict[Any, float]]] = {}
    for row in zip(*table.columns.values()):
        values = dict(zip(names, row))
        if any(is_null(one) for one in values.values()):
            raise InputError(
                tr("A row of the shares “{name}” is not complete. Fill it in.").format(
                    name=source.sourceName()
                )
            )
        group = text_of(values[GROUP]) if has_groups else "1"
        shares = groups.setdefault(group, {}).setdefault(text_of(values[FIELD]), {})
        category = text_of(values[CATEGORY])
        if category in shares:
            raise InputError(
                tr("The category “{category}” of “{field}” has two shares in one group.").format(
                    category=category, field=values[FIELD]
                )
            )
        try:
            shares[category] = float(values[SHARE])
        except (TypeError, ValueError) as error:
            raise InputError(
                tr("The share “{share}” is no number.").format(share=values[SHARE])
            ) from error
    return _shares(groups, {}, source.sourceName())


def one_group(groups: Sequence[str], name: str) -> str:
    """The group that holds for all regions.

    Raises
    ------
    InputError
        If it is not clear which, or there is no such group.
    """
    if name:
        if name not in groups:
            raise InputError(
                tr("There are no shares of the group “{name}”. There are: {groups}.").format(
                    name=name, groups=", ".join(groups)
                )
            )
        return name
    if len(groups) > 1:
        raise InputError(
            tr(
                "There are shares of {count} groups. Choose the field with the regions' group, or "
                "name the group of all regions."
            ).format(count=len(groups))
        )
    return groups[0]


def _shares(groups: Mapping[str, Any], labels: dict[str, list], what: str) -> Shares:
    """Put categories into one order and fill in those that a group does not have."""
    order: dict[str, list] = {name: list(values) for name, values in labels.items()}
    for shares in groups.values():
        for name, found in shares.items():
            if isinstance(found, dict):
                known = order.setdefault(name, [])
                known += [one for one in found if one not in known]
    result: dict[str, dict[str, list[float]]] = {}
    for group, shares in groups.items():
        lists = result.setdefault(str(group), {})
        for name, found in shares.items():
            if isinstance(found, dict):
                found = [found.get(one, 0.0) for one in order[name]]
            numbers = [one for one in found if isinstance(one, (int, float)) and is_finite(one)]
            if len(numbers) != len(found):
                raise _no_shares(what)
            lists[name] = [float(one) for one in numbers]
    return Shares(result, order)


def _is_groups(value: Any) -> bool:
    """Whether something is shares by group and quasi-identifier."""
    return (
        isinstance(value, dict)
        and bool(value)
        and all(
            isinstance(shares, dict)
            and shares
            and all(isinstance(one, (list, dict)) and one for one in shares.values())
            for shares in value.values()
        )
    )


def _listed(values: Any) -> list:
    if not isinstance(values, list):
        raise InputError(tr("The labels of a quasi-identifier are not a list."))
    return [value if isinstance(value, int) else str(value) for value in values]


def _no_shares(what: str) -> InputError:
    return InputError(
        tr(
            "There are no shares by group and quasi-identifier in {what}. The parameter's help has "
            "an example."
        ).format(what=what)
    )
