# SPDX-License-Identifier: GPL-2.0-or-later
"""Names of fields as a layer spells them."""

from __future__ import annotations

from collections.abc import Iterable

from qgis.core import QgsFields

from ...core.runtime.errors import InputError
from ..i18n import tr


def spelt_as_in(fields: QgsFields, names: Iterable[str]) -> list[str]:
    """Return names of fields as a layer spells them, whatever their case.

    Raises
    ------
    InputError
        Naming those that are not there, and the fields that there are; or those that mean
        several fields.
    """
    available = fields.names()
    names = list(names)
    found = [_meant(available, name) for name in names]
    missing = [name for name, meant in zip(names, found) if not meant]
    if missing:
        raise InputError(
            tr("The layer has no field {missing}. Its fields are: {fields}.").format(
                missing=", ".join(f"“{name}”" for name in missing),
                fields=", ".join(available) or tr("none"),
            )
        )
    for name, meant in zip(names, found):
        if len(meant) > 1:
            raise InputError(
                tr("The field “{name}” can be {fields} here. Write it as the layer does.").format(
                    name=name, fields=tr(" or ").join(f"“{one}”" for one in meant)
                )
            )
    return [meant[0] for meant in found]


def spelling(available: Iterable[str], name: str) -> str:
    """Return a field's name in the only spelling there is of it; as it is if there is not one."""
    meant = _meant(list(available), name)
    return meant[0] if len(meant) == 1 else name


def _meant(available: list[str], name: str) -> list[str]:
    if name in available:
        return [name]
    return [one for one in available if one.lower() == name.lower()]
