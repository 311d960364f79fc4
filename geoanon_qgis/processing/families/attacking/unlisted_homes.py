# SPDX-License-Identifier: GPL-2.0-or-later
"""Homes that the address list lacks, in the attack on displaced points: told, or seen by the points."""

from __future__ import annotations

import numpy as np

from ....core.attacks.masks.likelihood import Likelihood
from ....core.attacks.masks.unlisted import Unlisted, evenly, unlisted
from ....core.masking.law import Law
from ....core.masking.zones import Zones
from ....core.runtime.errors import InputError
from ....core.runtime.progress import Progress
from ....core.space.points import places
from ...dialog import parameters
from ...i18n import mark, tr
from ...running import Given
from .known import Known

#: What tells of records besides their points, by which homes that the list lacks are not played.
_BESIDES = ("TARGET_QIS", "FURTHER_RELEASES")
#: Shares that round to 0.0 % are not worth a sentence.
_WORTH_SAYING = 5e-4


def inputs() -> list:
    """Return the parameter."""
    return [
        parameters.number(
            "UNLISTED",
            tr("Homes that the list lacks (%)"),
            tr(
                "For displaced points: the share of the homes of the file that the address list "
                "does not have, by chance, not by whole quarters. Each address is then believed so "
                "much less. Empty: where points or the key show that homes are lacking, as much as the "
                "points prove, which is little where they moved far; the verdict then stays open. "
                "0: the list has all."
            ),
            optional=True,
            minimum=0.0,
            advanced=True,
        )
    ]


def check(given: Given) -> str | None:
    """Say what does not go together."""
    share = given.number("UNLISTED")
    if share is None:
        return None
    if not 0 <= share < 100:
        return tr("UNLISTED must be a share of 0 or more and less than 100 %.")
    besides = [name for name in _BESIDES if given.has(name)]
    if share and besides:
        return tr(
            "Homes that the list lacks (UNLISTED) are weighed for one release without attributes. "
            "Leave UNLISTED empty, or {names}."
        ).format(names=", ".join(besides))
    return None


def refuse(known: Known) -> None:
    """Refuse a share for a mask that puts points at addresses of its list.

    Raises
    ------
    InputError
    """
    if known.run.number("UNLISTED"):
        raise InputError(
            mark(
                "Homes that the list lacks (UNLISTED) are weighed for displaced points alone. This "
                "mask leads from the addresses of its list: leave UNLISTED empty."
            )
        )


def of(
    known: Known,
    likelihood: Likelihood,
    law: Law,
    zones: Zones | None,
    zone: np.ndarray | None,
    rounded: bool,
    progress: Progress,
) -> tuple[Unlisted | None, list[str]]:
    """Return which points are probably of homes that the list lacks, and what to say; None for none."""
    run = known.run
    told = run.number("UNLISTED")
    share = None if told is None else float(told) / 100.0
    if share == 0 or (share is None and _nothing_to_go_by(known, likelihood, rounded)):
        return None, []
    # All records at one point are one draw, and one home.
    draws = places(known.points.xy)
    each = likelihood.taken(draws.first)
    if rounded:
        found = evenly(each, float(share or 0.0))
    else:
        found = unlisted(
            each,
            draws.xy,
            known.candidates.xy,
            law,
            weight=known.listed.weight,
            zones=zones,
            zone=zone,
            share=share,
            progress=progress,
        )
    if found.share < _WORTH_SAYING:
        return None, []
    return found.of_points(draws.of_point), [_sentence(found)]


def _nothing_to_go_by(known: Known, likelihood: Likelihood, rounded: bool) -> bool:
    """Whether no point or key proves that homes are lacking, or points cannot show how many.

    Wrong weights, too, let points look ill explained: they are no reason to believe less of addresses.
    A law that is estimated has taken such points in already.
    """
    run, home = known.run, known.home
    if np.diff(likelihood.first).all() and (home is None or (home >= 0).all()):
        return True
    estimated = not (run.path("MASK") or run.has("LAW"))
    return rounded or estimated or any(run.has(name) for name in _BESIDES)


def _sentence(found: Unlisted) -> str:
    if found.typed:
        return tr(
            "The list lacks {share:.1f} % of the homes, as was told (UNLISTED): each address is "
            "believed so much less, and the more where the point is ill explained."
        ).format(share=100 * found.share)
    return tr(
        "The list lacks {share:.1f} % of the homes at least, as the points show (most likely "
        "{likeliest:.1f} %): each address is believed so much less, and the more where the point "
        "is ill explained. Give the share as UNLISTED where it is known."
    ).format(share=100 * found.share, likeliest=100 * found.likeliest)
