# SPDX-License-Identifier: GPL-2.0-or-later
"""What the report on disclosure risk says of the attacks, each beside its control."""

from __future__ import annotations

from ...core.microdata.attacks.battery import Battery
from ...core.microdata.attacks.scoring import ATTACKS, INFERENCE, Attack
from ...report import col
from ..i18n import mark, tr, translated
from .common import PrivatePage

#: Attacks of inference that a table lists, the worst first.
_MOST_LISTED = 12
#: What each kind does, in words.
_DOES = {
    ATTACKS[0]: (
        mark("Singling out"),
        mark(
            "He takes what is true of one released record alone, and looks whether it is true of "
            "exactly one person."
        ),
    ),
    ATTACKS[1]: (
        mark("Linkability"),
        mark(
            "He has two files without a common field, and joins them where one released record is "
            "the nearest to both."
        ),
    ),
    ATTACKS[2]: (
        mark("Inference"),
        mark(
            "He knows some fields of a person, takes the released record that is nearest in these, "
            "and reads the others from it. A number is guessed right to a tenth of a standard "
            "deviation, or to half a step where the release has few values."
        ),
    ),
    ATTACKS[3]: (
        mark("Membership"),
        mark(
            "He knows everything of a person, and takes her to be in the file if a released record "
            "is nearer to her than one in twenty of those has who are not; or nearer beside how near "
            "other people are to her (likelihood ratio)."
        ),
    ),
}


def section(page: PrivatePage, battery: Battery) -> None:
    """Tell in a table what each attack found, beside people who are not in the file."""
    page.section(tr("The attacks"), "attacks")
    page.say(
        tr(
            "Each attack is run on the people of the file and in the same way on people who are "
            "not in it: {control}. What it finds of these it would find without the release, and "
            "only what lies beyond is held against the limit, with the upper end of its interval."
        ).format(
            control=tr("those of the reference")
            if battery.has_control
            else tr("for want of a reference, each is looked for among all other originals")
        )
    )
    for kind in ATTACKS:
        title, does = _DOES[kind]
        page.say(f"{tr(title)}. {tr(does)}")
    rows = [one for kind in ATTACKS for one in _listed(battery, kind)]
    page.table(
        "attacks_table",
        [
            col("attack", tr("Attack"), lambda one: tr(_DOES[one.kind][0])),
            col("knows", tr("Who knows"), lambda one: translated(one.knows)),
            col("wants", tr("does this"), lambda one: translated(one.wants)),
            col("tried", tr("Attempts")),
            col("right", tr("right"), lambda one: 100 * one.success, unit="%", decimals=1),
            col("control", tr("not in the file"), _control, unit="%", decimals=1),
            col("baseline", tr("blindly"), lambda one: 100 * one.baseline, unit="%", decimals=1),
            col("share", tr("Found"), _figure(battery, 0), unit="%", decimals=1),
            col("low", tr("from"), _figure(battery, 1), unit="%", decimals=1),
            col("high", tr("to"), _figure(battery, 2), unit="%", decimals=1),
            col("held", tr("Verdict"), lambda one: _held(battery, one)),
        ],
        rows,
    )
    page.say(
        tr(
            "“Found” is the share of all people who are found because they are in the file. Where "
            "more than is acceptable are surely found among those whom nobody would guess, such as "
            "the few who have a rare value, it is the share of these, as anonymeter counts it."
        )
    )
    said = [translated(one.sentence) for one in battery.extremes]
    if said:
        page.say(" ".join(said))
    page.warn([translated(one) for one in battery.notes])


def _listed(battery: Battery, kind: str) -> list[Attack]:
    found = battery.of(kind)
    return found[:_MOST_LISTED] if kind == INFERENCE else found


def _control(one: Attack) -> float:
    return 100 * one.control


def _figure(battery: Battery, at: int):
    return lambda one: 100 * battery.figures(one)[at]


def _held(battery: Battery, one: Attack) -> str:
    if battery.beyond(one):
        return tr("finds too many")
    if battery.figures(one)[2] > battery.limit:
        return tr("nobody can tell")
    return tr("held")
