# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of an attack on masked points by what is known of their mask."""

from __future__ import annotations

import numpy as np
from qgis.core import QgsApplication

from ...core.attacks.masks.posterior import Guesses
from ...core.experiments.masks.standing import Limit
from ...core.verdict import SURE
from ...core.verification.pointmask import PointMask
from ...report import Report, col
from .. import literature
from ..dialog import words
from ..families.attacking.attacked import Attacked
from ..i18n import number_of, tr
from .attackmask import beside, warnings
from .attackmask_prior import sentences as prior
from .common import PrivatePage

_TENTHS = np.linspace(0, 1, 11)


def report(found: Attacked, limit: Limit) -> Report:
    """Say what both adversaries find, and how sure they are."""
    page = PrivatePage(
        tr("Posterior attack on a point mask"),
        tr("{mask}, {points}").format(
            mask=_in_words(found.mask), points=number_of(len(found.ids), "point", "points")
        ),
    )
    page.section(tr("What an adversary finds"), "result")
    if found.place is not None:
        _figures(
            page,
            found.place,
            found.right,
            "place",
            tr("Who lives there: found"),
            tr("He has the list and the mask, and does not know who is in the file."),
        )
    if found.record is not None:
        _figures(
            page,
            found.record,
            found.right_record,
            "record",
            tr("Which record is hers: found"),
            tr("He knows that she is in the file, and where she lives.")
            if found.members is None
            else tr("Of {people} who are known to be in the file (MEMBERS).").format(
                people=number_of(len(found.members), "person", "people")
            ),
        )
    if found.place is not None:
        page.table(
            "baselines",
            [
                col("guess", tr("Who guesses")),
                col("share", tr("Finds (%)"), decimals=2),
            ],
            [(said, 100 * share) for _, said, share in beside(found)],
            tr("What a share is worth shows beside those who do not know the mask."),
        )
    for text in prior(found, limit):
        page.say(text)
    for text in warnings(found):
        page.notice(text, "danger")
    page.section(tr("How surely"), "certainty")
    for name, guesses, right, title in (
        ("place", found.place, found.right, tr("Largest probability of an address")),
        ("record", found.record, found.right_record, tr("Largest probability of a record")),
    ):
        if guesses is None:
            continue
        if guesses.top.any():
            page.histogram(
                f"{name}_histogram", title, guesses.top, tr("Probability"), y_label=tr("People")
            )
        if right is not None:
            _calibration(page, name, guesses, right)
    page.method(
        [
            found.sentences,
            tr(
                "An address c explains a point y with the probability that the mask leads from c "
                "to y, times the people at c, divided by the sum of that over all addresses; and "
                "as no two places of the file are one address, what is likely another's is less "
                "likely its own (belief propagation, an approximation). A "
                "record is hers with the likelihood of its point from her home, divided by that of "
                "anybody's, and by the sum of that over all records."
            ),
        ],
        [literature.ZANDBERGEN],
    )
    return page.report()


def _in_words(mask: PointMask) -> str:
    """What the mask and its law are called in dialogs."""
    algorithm = QgsApplication.processingRegistry().algorithmById(f"geoanon:{mask.mask}")
    if algorithm is None:  # another tool's
        return mask.law
    for name in ("LAW", "METHOD"):
        if mask.parameters.get(name) in words.WORDS[name]:
            word = words.word(name, str(mask.parameters[name]))
            return tr("{mask} ({law})").format(mask=algorithm.displayName(), law=word)
    return algorithm.displayName()


def _figures(
    page: PrivatePage,
    guesses: Guesses,
    right: np.ndarray | None,
    name: str,
    label: str,
    explained: str,
) -> None:
    count = len(guesses.top)
    found = guesses.top if right is None else right
    page.figure(
        f"{name}_found",
        label,
        100 * float(found.mean()),
        explained,
        unit="%",
        note=tr("expected, without a key") if right is None else tr("by the key"),
    )
    page.figure(
        f"{name}_worst",
        tr("Surest guess"),
        100 * float(guesses.top.max()),
        tr("His largest probability of anybody."),
        unit="%",
        note=tr("sure (95 % or more) of {sure:,} of {count:,}").format(
            sure=int(np.count_nonzero(guesses.top >= SURE)), count=count
        ),
    )


def _calibration(page: PrivatePage, name: str, guesses: Guesses, right: np.ndarray) -> None:
    """What he believes against what is right, by tenths of his probability."""
    tenth = np.clip(np.searchsorted(_TENTHS, guesses.top, side="right") - 1, 0, 9)
    rows = [
        (
            f"{_TENTHS[one]:.1f} – {_TENTHS[one + 1]:.1f}",
            int((tenth == one).sum()),
            float(guesses.top[tenth == one].sum()),
            float(right[tenth == one].sum()),
        )
        for one in np.unique(tenth)
    ]
    page.table(
        f"{name}_calibration",
        [
            col("believed", tr("He believes")),
            col("people", tr("People")),
            col("expected", tr("Expected right"), decimals=1),
            col("right", tr("Right, by the key"), decimals=1),
        ],
        rows,
    )
    page.lines(
        f"{name}_calibration_chart",
        tr("What he believes, and what is right"),
        [
            (
                tr("by the key"),
                [one[2] / one[1] for one in rows],
                [one[3] / one[1] for one in rows],
            ),
            (tr("as he believes"), [0.0, 1.0], [0.0, 1.0]),
        ],
        tr("He believes"),
        tr("Right, by the key"),
    )
