# SPDX-License-Identifier: GPL-2.0-or-later
"""What a mask file tells, as if it had been chosen in the dialog of the mask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....core.masking.laws import BY_AREA, BY_RADIUS
from ....core.runtime.errors import InputError
from ...i18n import mark
from ...running import Run
from ..masks import address_inputs, displacement_inputs, location_swapping, point_areas

#: What a mask file may say, and numbers that are larger than any length on the ground.
_CHOICES = {
    "LAW": displacement_inputs.LAWS,
    "SIZE_BY": displacement_inputs.SIZES,
    "EVEN_BY": [BY_AREA, BY_RADIUS],
    "OUTPUT_AT": [address_inputs.ADDRESS, address_inputs.BESIDE, address_inputs.CROSSING],
    "METHOD": [
        *(address_inputs.EXCHANGE, address_inputs.CELLS, address_inputs.GROUPS),
        *point_areas.METHODS,
    ],
    "PLACE": point_areas.PLACES,
    "IF_EMPTY": [location_swapping.WIDEN, location_swapping.WITHHOLD],
}
#: Numbers of addresses, people or nodes.
_COUNTS = ("K", "K_MIN", "K_MAX", "K_RECORDS", "SITE_ADDRESSES", "LOW", "HIGH")
_LARGEST = 1e9
#: What may be zero, and what a mask that does not tell it did without.
_MAY_BE_ZERO = ("MIN", "FAR_SHARE")
_UNLESS_TOLD = {"FAR_SHARE": 0.0}


class Retold:
    """A run whose choices and numbers are those that a mask file tells.

    Each is looked at: a file may have been changed, or come from elsewhere.
    """

    def __init__(self, run: Run, told: Mapping[str, Any]) -> None:
        self._run, self._told = run, told

    def __getattr__(self, name: str) -> Any:
        return getattr(self._run, name)

    def choice(self, name: str) -> str:
        """Return what the mask file says."""
        value = self._told.get(name)
        _need(value in _CHOICES[name], name)
        return str(value)

    def number(self, name: str) -> Any:
        """Return what the mask file says: a length, a number of addresses or people."""
        value = self._told.get(name, _UNLESS_TOLD.get(name))
        plain = isinstance(value, (int, float)) and not isinstance(value, bool)
        _need(plain and 0 <= value < _LARGEST and (value > 0 or name in _MAY_BE_ZERO), name)
        if name in _COUNTS:
            _need(isinstance(value, int) and value >= 2, name)
        return value

    def flag(self, name: str) -> bool:
        """Return what the mask file says."""
        value = self._told.get(name)
        _need(isinstance(value, bool), name)
        return bool(value)


def _need(holds: bool, what: str) -> None:
    if not holds:
        raise InputError(
            mark(
                "The mask file holds nothing that makes sense as “{what}”. Choose the file that "
                "was written as MASK when the release was made."
            ),
            what=what,
        )
