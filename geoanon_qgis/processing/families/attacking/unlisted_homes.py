# SPDX-License-Identifier: GPL-2.0-or-later
"""Homes that the address list lacks, in the attack on displaced points: told, or seen by the points."""

from __future__ import annotations

import numpy as np

from ....core.attacks.masks.attributes import People
from ....core.attacks.masks.likelihood import Likelihood
from ....core.attacks.masks.unlisted import Unlisted, evenly, unlisted
from ....core.attacks.masks.unlisted_several import Played, unlisted_of_several
from ....core.runtime.errors import InputError
from ....core.runtime.progress import Progress
from ....core.space.points import places
from ...dialog import parameters
from ...i18n import mark, tr
from ...running import Given
from .further import Together
from .known import Known

#: What tells of records besides their points: by these a share is weighed, and none is looked for.
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
                "much less, also by attributes and further releases. Empty: where points or the key "
                "show that homes are lacking, as much as the points prove, which is little where they "
                "moved far, and nothing by attributes or further releases; the verdict then stays "
                "open. 0: the list has all."
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
    known: Known, every: Together, people: People, weighed: Likelihood, progress: Progress
) -> tuple[Unlisted | None, list[str]]:
    """Return which records are probably of homes that the list lacks, and what to say; None for none.

    Parameters
    ----------
    known : Known
    every : Together
        What all releases tell.
    people : People
    weighed : Likelihood
        Of each record, by all of that.
    progress : callable
    """
    run, moves, likelihood = known.run, every.explained.moves, every.explained.likelihood
    told = run.number("UNLISTED")
    share = None if told is None else float(told) / 100.0
    if moves is None or share == 0:
        return None, []
    if share is None and _nothing_to_go_by(known, likelihood, moves.rounded):
        return None, []
    # All records at one point are one draw, and one home.
    draws = places(known.points.xy)
    if any(one.moves is not None and one.moves.rounded for one in (every.explained, *every.others)):
        found = evenly(weighed, float(share or 0.0))
    elif share is not None and (people.attributes or every.others):
        found = _of_several(known, every, people, weighed, share, progress)
    else:
        found = unlisted(
            likelihood.taken(draws.first),
            draws.xy,
            known.candidates.xy,
            moves.law,
            weight=known.listed.weight,
            zones=moves.zones,
            zone=moves.zone,
            share=share,
            progress=progress,
        ).of_points(draws.of_point)
    if found.share < _WORTH_SAYING:
        return None, []
    # Where nothing is explained, it may as well be another mask: the warning says both.
    return found, [_sentence(found)] if found.typed or len(likelihood.value) else []


def _of_several(
    known: Known,
    every: Together,
    people: People,
    weighed: Likelihood,
    share: float,
    progress: Progress,
) -> Unlisted:
    """By playing people of the list, with their attributes, in all releases."""
    listed, others, moves = known.listed, every.others, every.explained.moves
    assert moves is not None  # or nothing is played
    row = others[0].row if others else np.arange(len(listed.own))
    weight = others[0].weight if others else listed.own
    home = listed.of_row[row]
    played = [
        Played(moves.law, known.candidates.xy, moves.zones, moves.zone, home, lambda one: one)
    ]
    for one in others:
        assert one.moves is not None  # or the share was refused
        where = one.moves.law, one.candidates, one.moves.zones, one.moves.zone
        played.append(Played(*where, one.at, one.told))
    rng, count = np.random.default_rng(0), len(known.points.xy)

    def weigh(likelihood: Likelihood, units: np.ndarray) -> Likelihood:
        as_records = people.released(row[units], rng.integers(0, count, len(units)))
        return likelihood.with_values(likelihood.value * as_records.factor(likelihood))

    return unlisted_of_several(
        weighed,
        every.scale,
        known.points.xy,
        np.array([one.linked for one in others], dtype=bool).reshape(-1, count).T,
        played,
        home,
        weight,
        weigh,
        share,
        progress,
    )


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
