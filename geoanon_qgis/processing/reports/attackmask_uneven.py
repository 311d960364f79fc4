# SPDX-License-Identifier: GPL-2.0-or-later
"""What the attack on masked points says of points that did not move each by itself, in any direction."""

from __future__ import annotations

from ...core.attacks.masks.each_by_itself import (
    DIRECTIONS,
    HOMES,
    NEIGHBOURS,
    REPEATED,
    SIZES,
    WHOLE,
)
from ..i18n import mark

#: What points did that a law of distances leaves out.
UNEVEN = {
    DIRECTIONS: mark(
        "The points moved in some directions more than in others, more than chance does (along an axis, "
        "to some points of the compass). The attack takes each direction for as likely as any other: "
        "who has seen it looks for homes there alone, and finds more."
    ),
    NEIGHBOURS: mark(
        "Points that live next to each other moved the same way, or opposite ones, more than chance does "
        "(a step for each district, a place taken from a neighbour). The attack takes each for "
        "moved by itself: who has seen it lays them on the list together, and may find nearly all."
    ),
    REPEATED: mark(
        "Points made steps that others made, too, or the same ones back (one for a district, a list of steps "
        "that begins anew, two who change places). The attack takes each step for drawn by itself: who has the steps tries "
        "them on the list, and may find nearly all."
    ),
    WHOLE: mark(
        "Coordinates were moved by whole numbers (of metres, say), and what comes after the point is still "
        "that of the home. The attack does not look there: who does may find nearly all."
    ),
    HOMES: mark(
        "Points are at the homes of others of the file. The attack looks for each home among all "
        "addresses: who has seen it looks among the released places alone, and finds more."
    ),
    SIZES: mark(
        "Points that live next to each other moved about equally far, more than chance does by their law "
        "(a size for each district). The attack does not know those sizes: who does finds more."
    ),
}
