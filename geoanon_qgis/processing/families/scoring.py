# SPDX-License-Identifier: GPL-2.0-or-later
"""Scores by a key: how people were found again, and whether the score can be true."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.attacks.scoring import contradicts, supports
from ...report import Notice, Page, Paragraph
from ..i18n import mark, tr
from . import matching
from .matching import Match

_WAYS = {
    matching.ID: mark("by id"),
    matching.PLACE: mark("by place"),
    matching.FEATURE_ID: mark("by feature id, proven by place"),
    matching.GUESSED: mark("by feature id, unproven"),
}


@dataclass(frozen=True)
class Judged:
    """What a key says of an attack.

    Attributes
    ----------
    match : Match
    error : str
        Why nothing is scored, although there is a key; empty where the score holds.
    """

    match: Match
    error: str

    @property
    def holds(self) -> bool:
        """Whether the score may be told."""
        return not self.error

    def tell(self, feedback) -> None:
        """Say in the log how people were found, and what is wrong."""
        feedback.pushInfo(self.match.sentence)
        for sentence in self.match.warnings:
            feedback.pushWarning(sentence)
        if self.error:
            feedback.reportError(self.error, False)

    def tell_figure(self, page: Page) -> None:
        """Tell the report the way that people were found."""
        page.figure(
            "scored_by",
            tr("People found by the key"),
            tr(_WAYS[self.match.way]),
            tr("How the originals that the key names were found in the files."),
        )

    def blocks(self) -> list:
        """For the report: what the log says."""
        blocks: list = [Paragraph(self.match.sentence)]
        blocks += [Notice(sentence, "warning") for sentence in self.match.warnings]
        if self.error:
            blocks.append(Notice(self.error, "danger", tr("The key does not fit")))
        return blocks


def judge(match: Match, probability: np.ndarray, right: np.ndarray, together: int = 1) -> Judged:
    """Hold a score against what the attack itself expects.

    Parameters
    ----------
    match : Match
    probability : (n,) array
        How probable the attack says that each of its assignments is right.
    right : (n,) bool array
        Whether each is, by the key.
    together : int
        How many assignments may be right or wrong together.
    """
    error = ""
    if contradicts(probability, right, together):
        error = tr(
            "The key does not fit these files: the attack expects {expected:,.0f} of its "
            "assignments to be right, and by the key {correct:,} are, which chance does not "
            "explain. Nothing is scored. Choose the key that was written with this very release, "
            "and the field that holds the ids of its originals."
        ).format(expected=float(np.nansum(probability)), correct=int(np.count_nonzero(right)))
    elif match.way == matching.GUESSED and not supports(probability, right, together):
        error = tr(
            "Nothing is scored: the key holds feature ids without places, and every file has "
            "feature ids of its own, so they name nobody in another file. Choose the field that "
            "holds the originals' ids, or make the release and its key anew."
        )
    return Judged(match, error)
