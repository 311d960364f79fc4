# SPDX-License-Identifier: GPL-2.0-or-later
"""What masks that release records at other addresses tell in numbers."""

from __future__ import annotations

import numpy as np

from ....core.masking.address_chances import Chances
from ...dialog.declaration import Value
from ...i18n import mark
from ...running import existing

NUMBERS = (
    Value(
        "CHANCE",
        mark("Largest probability of an address"),
        mark(
            "With METHOD=exchange or cells: what the likeliest address of any released "
            "point comes to for who has the list, WEIGHT and all points, knows the method, "
            "and not who is in the file; with UNIT=dwelling what the likeliest dwelling "
            "comes to. A place counts once, however many records it has. With exchange it is an "
            "approximation: where nearly all addresses of a neighbourhood hold records it may be "
            "too low."
        ),
    ),
    Value(
        "RECORD_CHANCE",
        mark("Largest probability of a record"),
        mark(
            "With METHOD=cells or groups: what the likeliest record of this release comes "
            "to for who knows that a person is in it, knows the groups, and nothing of her "
            "attributes, nor how many records her home has."
        ),
    ),
    Value(
        "SHARE",
        mark("Share of the addresses with records"),
        mark("Of all of the list, those at which records of the file lie."),
    ),
)


def numbers(chances: Chances, kind: np.ndarray) -> dict[str, object]:
    """Return them.

    Parameters
    ----------
    chances : Chances
    kind : (n,) int array
        0 where a record is released.
    """
    return {
        **existing({"CHANCE": chances.address, "RECORD_CHANCE": chances.record}),
        "SHARE": chances.share,
        "WITHHELD_COUNT": int(np.count_nonzero(kind)),
    }
