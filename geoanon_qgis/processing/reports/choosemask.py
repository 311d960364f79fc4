# SPDX-License-Identifier: GPL-2.0-or-later
"""The report on point masks that were tried under a limit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.experiments.masks.advice import Advice, risk_of
from ...core.experiments.masks.advice_words import (
    limited,
    name_of,
    parameters_of,
    remark,
    sentence,
)
from ...core.experiments.masks.case import PLACE, RECORD
from ...core.experiments.masks.embedded import SETS, SIZE
from ...core.experiments.masks.family import AREAS, DISTANCES, POINTS
from ...core.experiments.masks.search import HELD, IMPOSSIBLE, OPEN, RULED_OUT, Found
from ...core.experiments.masks.standing import EVERY, MEAN
from ...core.experiments.masks.usefulness import (
    CLUSTER,
    DENSITY,
    IN_METRES,
    NEAREST,
    PAIRS,
    RIPLEY,
    SHIFT,
)
from ...report import Report, col
from .. import literature
from ..families.advising.table import against, borne, draws_of, linked, share_above
from ..i18n import mark, tr
from .common import Context, PrivatePage
from .parameters import dots

_STATES = {
    HELD: mark("held"),
    RULED_OUT: mark("not even the largest size tried holds"),
    OPEN: mark("not shown to hold"),
    IMPOSSIBLE: mark("cannot be made of these data"),
}
_REMARKS = {
    "exposed": mark("holds, but shows somebody for sure"),
    "withholds": mark("holds, but withholds many"),
    "linked": mark("who knows everybody of a neighbourhood may link more than the limit"),
    "nearest": mark("comes nearest; nobody can tell whether it holds"),
}
_LABELS = {
    SHIFT: mark("Mean shift"),
    RIPLEY: mark("Error of L(t)"),
    DENSITY: mark("Overlap of densities"),
    CLUSTER: mark("Cluster kept (Jaccard)"),
    PAIRS: mark("Error of distances"),
    NEAREST: mark("Error of the distance to the nearest"),
}
#: What is released, in the chart of all three.
_KINDS = {
    POINTS: mark("points"),
    AREAS: mark("areas"),
    DISTANCES: mark("distances"),
}


@dataclass(frozen=True)
class Tried:
    """What the report tells of.

    Attributes
    ----------
    about : Context
    advice : Advice
    command : str
        Of the recommended mask; empty where none is.
    """

    about: Context
    advice: Advice
    command: str


def report(tried: Tried) -> Report:
    """Say which mask to take, and show what all of them keep and risk."""
    page, advice = PrivatePage(tr("Choosing a point mask"), tried.about.source), tried.advice
    _result(page, tried)
    page.section(tr("Risk and utility"), "frontier")
    _pictures(page, tried)
    page.section(tr("All masks"), "masks")
    _table(page, tried)
    page.kept_out(tried.about.left_out)
    page.method(
        [
            tried.about.sentences,
            tr(
                "Each mask was tried with sizes between two bounds; the smallest that holds was "
                "found by bisection, with the same random numbers for all sizes, and then judged on "
                "draws of its own, which were not looked at before. In every draw all places of the "
                "file are masked, and each adversary computes his probabilities as geoanon:attackmask "
                "does, by the law of the mask and the address list. Groups and cells are told to "
                "both. Behind laws that reach thousands of addresses the sum over all of them is "
                "taken over cells of the list, a twenty-fifth of the reach wide. A place counts "
                "once, however many records it has."
            ),
            tr(
                "The upper end of an interval is held against the limit, also that of the share "
                "found on average where the limit is on 99 %. It is Wilson's, of as many people as "
                "were asked for, however many draws there were; "
                "what was proved of groups and cells caps it. For every record, and for 99 % of "
                "small files, nobody may be above in any of {draws} draws: in another draw somebody "
                "is with a probability of at most 1 / {more}."
            ).format(draws=EVERY, more=EVERY + 1),
            tr(
                "What is believed rests on how likely each address is to be in the file before anything "
                "is released; which of the records of a group or an area is hers does not. Who may hold any address for r times as likely, against the others, believes at "
                "most r p / (1 + (r - 1) p) where p is believed without that. The limit was held against "
                "that for r = {ratio:.3g} (PRIOR_ODDS), and it is told up to which r each mask keeps it; an "
                "empty cell says that nothing that is believed beforehand matters."
            ).format(ratio=advice.prior_odds),
            tr(
                "Of the masks that hold, those that show somebody for sure are not recommended, and "
                "those that withhold more than one record in twenty only where no other holds. "
                "What is told of some of the records alone recommends nothing. The others are ranked by each measure; "
                "the best mean rank is recommended, and among equals the one that moves less."
            ),
            _of_other_kinds(tried.advice),
        ],
        [literature.ZANDBERGEN],
    )
    return page.report()


def _of_other_kinds(advice: Advice) -> str:
    """How releases were judged that are no points; empty without any."""
    kinds, said = {one.family.kind for one in advice.found}, []
    if AREAS in kinds:
        said.append(
            tr(
                "Areas are drawn round sites among the addresses, by the list alone, and areas with too "
                "few addresses or records release nothing. Who has the list finds one address of the "
                "area, who knows a member one of the records there: both were counted, in the areas of "
                "this file."
            )
        )
    if DISTANCES in kinds:
        said.append(
            tr(
                "Distances were made of the masked points by an embedding with {sets} sets of {size} "
                "reference points. Whatever is made of them could be made of the masked points, so that "
                "the posterior of these is held against the limit: no attack on the distances finds a "
                "larger share. Besides, in up to three of the draws by which a mask was judged, the near group and "
                "signatures attacked the distances of up to 200 neighbours for somebody who knows all of "
                "them and how far the mask moves points, and the better of the two is told; its interval "
                "is held against the limit, too, where something is recommended."
            ).format(sets=SETS, size=SIZE)
        )
    return " ".join(said)


def _result(page: PrivatePage, tried: Tried) -> None:
    advice = tried.advice
    best = advice.best
    page.section(tr("Recommendation"), "result")
    page.figure(
        "mask",
        tr("Recommended mask"),
        None if best is None else tr(name_of(best)),
        tr("Of the masks that hold, the one that keeps most."),
        note="" if best is None else parameters_of(best),
    )
    page.figure(
        "shift",
        tr("Mean shift"),
        None if best is None else best.values.get(SHIFT),
        tr("How far points move on average, those that are released."),
        unit="m",
    )
    page.figure(
        "held",
        tr("Masks that hold"),
        sum(one.state == HELD for one in advice.found),
        tr("Masks of which some size keeps the limit against each adversary."),
        note=tr("of {count}").format(count=len(advice.found)),
    )
    page.figure("limit", tr("Limit"), tr(limited(advice.limit)), tr("What was asked for."))
    if best is not None:
        kind, title = "info", tr("Recommended")
    elif advice.would_be is not None:
        kind, title = "warning", tr("Nobody can tell")
    else:
        kind, title = "danger", tr("Nothing qualifies")
    page.notice(sentence(advice), kind, title)
    if tried.command:
        page.say(tr("The finished command: {command}").format(command=tried.command))


def _pictures(page: PrivatePage, tried: Tried) -> None:
    advice = tried.advice
    limits = ((advice.limit.share, tr("limit")),) if advice.limit.on == MEAN else ()
    for measure in advice.measures if SHIFT in advice.measures else (SHIFT, *advice.measures):
        series = _series(advice, measure)
        if series:
            page.scatter(
                f"frontier_{measure}",
                tr("What the worse adversary finds, and what is kept"),
                series,
                tr(_LABELS[measure]),
                tr("Share of the people found"),
                x_unit="m" if measure in IN_METRES else "",
                x_log=measure in IN_METRES,
                limits=limits,
            )
    if any(one.family.kind != POINTS for one in advice.found):
        page.scatter(
            "frontier_kinds",
            tr("Points, areas and distances: what is found, and how far distances are off"),
            _of_kinds(advice),
            tr(_LABELS[PAIRS]),
            tr("Share of the people found"),
            x_unit="m",
            x_log=True,
            limits=limits,
        )
        page.say(
            tr(
                "Areas are taken for points at their centres. Of released distances it is drawn what "
                "the worse adversary would find behind the masked points that they are made of: they "
                "cannot tell more. Places, L(t), densities and clusters cannot be had of distances, "
                "and distances within an area not of areas."
            )
        )


def _of_kinds(advice: Advice) -> list[tuple]:
    """Dots by what is released, apart for what holds."""
    made = []
    for kind, name in _KINDS.items():
        for holds, label in (
            (True, mark("{kind} that hold")),
            (False, mark("{kind} that do not hold")),
        ):
            some = [
                one
                for one in advice.found
                if one.family.kind == kind and (one.state == HELD) == holds
            ]
            made += _dots(tr(label).format(kind=tr(name)), some, PAIRS)
    return made


def _series(advice: Advice, measure: str) -> list[tuple]:
    front = [advice.found[row] for row in advice.front] if measure == SHIFT else []
    kinds = (
        (tr("recommended"), [one for one in advice.found if one is advice.best], False),
        (tr("no other moves less and shows less"), front, True),
        (
            tr("hold"),
            [
                one
                for one in advice.found
                if one.state == HELD and one is not advice.best and one not in front
            ],
            False,
        ),
        (
            tr("do not hold"),
            [one for one in advice.found if one.state != HELD and one not in front],
            False,
        ),
    )
    return [one for label, some, joined in kinds for one in _dots(label, some, measure, joined)]


def _dots(label: str, some: list[Found], measure: str, joined: bool = False) -> list[tuple]:
    """One series of those that have a measure; none where nobody has."""
    drawn = [
        one
        for one in some
        if np.isfinite(one.values.get(measure, np.nan)) and np.isfinite(risk_of(one.standing))
    ]
    if not drawn:
        return []
    return [
        dots(
            label,
            drawn,
            lambda one: one.values[measure],
            lambda one: risk_of(one.standing),
            lambda one: tr(name_of(one)),
            joined,
        )
    ]


def _table(page: PrivatePage, tried: Tried) -> None:
    advice = tried.advice

    def said(one: Found) -> str:
        if one is advice.best:
            return tr("recommended")
        word = remark(advice, one)
        if word:
            return tr(_REMARKS[word])
        return tr(one.why) if one.why is not None else ""

    columns = [
        col("mask", tr("Mask"), lambda one: tr(name_of(one))),
        col("parameters", tr("Parameters"), parameters_of),
        col("state", tr("State"), lambda one: tr(_STATES[one.state])),
        col("remark", tr("Remark"), said),
    ]
    asked = {name for one in advice.found if one.standing for name in one.standing.against}
    for name, label in (
        (PLACE, mark("Who lives there: {what}")),
        (RECORD, mark("Which record: {what}")),
    ):
        if name in asked:
            columns += _of_adversary(name, tr(label))
    others = [PAIRS] if any(one.family.kind != POINTS for one in advice.found) else []
    for measure in dict.fromkeys((SHIFT, *advice.measures, *others)):
        columns.append(
            col(
                measure,
                tr(_LABELS[measure]),
                lambda one, measure=measure: one.values.get(measure),
                unit="m" if measure in IN_METRES else "",
                decimals=1 if measure in IN_METRES else 3,
            )
        )
    columns += [
        col(
            "prior_odds",
            tr("Belief beforehand up to which it holds, times that of the list"),
            lambda one: borne(advice, one),
            decimals=2,
        ),
        col(
            "withheld",
            tr("Withheld"),
            lambda one: None if one.standing is None else 100 * one.standing.withheld,
            unit="%",
            decimals=1,
        ),
        col("draws", tr("Draws"), draws_of),
    ]
    if any(one.family.kind == DISTANCES for one in advice.found):
        for key, label, at in (
            ("linked", mark("Linked by distances"), 0),
            ("linked_high", mark("Linked by distances: upper end"), 1),
        ):
            columns.append(
                col(key, tr(label), lambda one, at=at: _percent(linked(one)[at]), unit="%")
            )
    page.table("masks", columns, list(advice.found))


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _of_adversary(name: str, label: str) -> list:
    """Columns of one adversary, in per cent."""

    def of(value):
        def cell(one: Found):
            found = against(one, name)
            return None if found is None or not found.people else value(found)

        return cell

    told = (
        ("found", tr("found"), lambda one: 100 * one.mean, "%"),
        ("high", tr("upper end"), lambda one: 100 * one.ends[1], "%"),
        ("above", tr("above the limit"), lambda one: 100 * share_above(one), "%"),
        ("worst", tr("surest"), lambda one: 100 * one.worst, "%"),
        ("sure", tr("sure of (people)"), lambda one: one.exposed, ""),
    )
    return [
        col(
            f"{name}_{key}",
            label.format(what=what),
            of(value),
            unit=unit,
            decimals=2 if unit else None,
        )
        for key, what, value, unit in told
    ]
