# SPDX-License-Identifier: GPL-2.0-or-later
"""All kinds of files that were once kept aside, by name and number."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import _aside_kinds as aside_kinds
import _coming_kinds as coming_kinds
import _fresh_kinds as fresh_kinds
import _household_kinds as household_kinds
import _near_kinds as near_kinds
import _shore_kinds as shore_kinds
import _spread_kinds as spread_kinds
import _unseen_kinds as unseen_kinds

#: Those that ``confidence.py`` takes where none are named.
KINDS = tuple(aside_kinds.SETTLED.places)


def _older(kind: str, kinds: tuple[str, ...], first: int, number: int) -> near_kinds.Case:
    seed = first + len(kinds) * number
    return unseen_kinds.plain(seed + (kinds.index(kind) - seed) % len(kinds), kinds)


_DRAWN: dict[str, Callable[[int], near_kinds.Case]] = {
    **{
        kind: partial(module.SETTLED.case, kind=kind)
        for module in (aside_kinds, fresh_kinds, shore_kinds, spread_kinds, coming_kinds)
        for kind in module.SETTLED.places
    },
    **{kind: partial(household_kinds.household, kind=kind) for kind in household_kinds.KINDS},
    **{
        kind: partial(_older, kind, kinds, first)
        for kinds, first in ((unseen_kinds.KINDS, 3_000_000), (unseen_kinds.LAST, 6_000_000))
        for kind in kinds
    },
}


def case_of(kind: str, number: int) -> near_kinds.Case:
    """Draw files of a kind, embedded."""
    return _DRAWN[kind](number)
