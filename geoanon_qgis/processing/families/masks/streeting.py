# SPDX-License-Identifier: GPL-2.0-or-later
"""Street masking: what is asked for, and why somebody is withheld."""

from __future__ import annotations

import numpy as np

from ....core.masking.streets import LEAST_LOW, Search
from ...dialog import parameters
from ...i18n import tr
from ...running import Given


def inputs() -> list:
    """Return the streets, and how many nodes are looked at."""
    return [
        parameters.source(
            "STREETS",
            tr("Streets"),
            tr(
                "Lines, in any reference system, that reach beyond the points. Leave out what "
                "nobody lives on, such as motorways and railways."
            ),
            "line",
        ),
        parameters.integer(
            "LOW",
            tr("Fewest nodes"),
            tr("The nearest nodes that are looked at, at least."),
            20,
            LEAST_LOW,
        ),
        parameters.integer(
            "HIGH",
            tr("Upper limit of nodes"),
            tr("The number of nodes is drawn from LOW to one below this."),
            30,
            LEAST_LOW + 1,
        ),
        parameters.metres(
            "MAX_LENGTH",
            tr("Length to search (metres)"),
            tr(
                "How far nodes are looked for along the streets, and how far the nearest one "
                "may lie from a point. Records with fewer than HIGH - 1 nodes within it are "
                "withheld. A larger one withholds fewer and moves nobody else."
            ),
            1000.0,
            optional=False,
        ),
    ]


def way_of(search: Search) -> dict[str, int]:
    """Return the parameters that say where a place goes: how far is looked withholds some only."""
    return {"LOW": search.low, "HIGH": search.high}


def check(given: Given) -> str | None:
    """Say what is no length, or out of order."""
    if not given.number("LOW") < given.number("HIGH"):
        return tr("The upper limit of nodes (HIGH) must be above the fewest (LOW).")
    if not 0 < given.number("MAX_LENGTH") < np.inf:
        return tr("The length to search (MAX_LENGTH) must be a positive distance in metres.")
    return None


def reasons(pieces: int) -> list[tuple[str, str]]:
    """Why records are withheld, in the order of the engine's kinds."""
    in_pieces = (
        ""
        if pieces < 2
        else tr(" The streets lie in {pieces} pieces: join those that belong together.").format(
            pieces=pieces
        )
    )
    return [
        (
            "no street",
            tr(
                "no crossing or dead end lies within MAX_LENGTH of them. Give streets that reach "
                "there, or a larger MAX_LENGTH."
            ),
        ),
        (
            "few nodes",
            tr(
                "fewer than HIGH - 1 nodes lie within MAX_LENGTH along the streets. Give streets "
                "that reach farther, a larger MAX_LENGTH, or a smaller HIGH.{pieces}"
            ).format(pieces=in_pieces),
        ),
    ]
