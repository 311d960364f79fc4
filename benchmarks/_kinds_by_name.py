# SPDX-License-Identifier: GPL-2.0-or-later
"""All kinds of files that were once kept aside, by name and number."""

from __future__ import annotations

import _aside_kinds as aside_kinds
import _coming_kinds as coming_kinds
import _fresh_kinds as fresh_kinds
import _household_kinds as household_kinds
import _near_kinds as near_kinds
import _shore_kinds as shore_kinds
import _spread_kinds as spread_kinds
import _unseen_kinds as unseen_kinds

#: Those that ``confidence.py`` takes where none are named.
KINDS = aside_kinds.KINDS
_DRAWN = (
    (aside_kinds.KINDS, aside_kinds.aside),
    (fresh_kinds.KINDS, fresh_kinds.fresh),
    (household_kinds.KINDS, household_kinds.household),
    (shore_kinds.KINDS, shore_kinds.shore),
    (spread_kinds.KINDS, spread_kinds.spread),
    (coming_kinds.KINDS, coming_kinds.coming),
)
_OLDER = {
    **dict.fromkeys(unseen_kinds.KINDS, (3_000_000, unseen_kinds.KINDS)),
    **dict.fromkeys(unseen_kinds.LAST, (6_000_000, unseen_kinds.LAST)),
}


def case_of(kind: str, number: int) -> near_kinds.Case:
    """Draw files of a kind, embedded."""
    for kinds, drawn in _DRAWN:
        if kind in kinds:
            return drawn(number, kind)
    first, kinds = _OLDER[kind]
    seed = first + len(kinds) * number
    return unseen_kinds.plain(seed + (kinds.index(kind) - seed) % len(kinds), kinds)
