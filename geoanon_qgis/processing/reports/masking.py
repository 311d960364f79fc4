# SPDX-License-Identifier: GPL-2.0-or-later
"""What the reports of all point masks share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Callable

import numpy as np

from ...report import Picture, Reference, Report, col
from ..i18n import number_of, tr
from .common import Context, PrivatePage

#: Distances (metres) below which a masked point still shows the house, the plot, the neighbours.
NEAR = (10, 25, 50)


@dataclass(frozen=True)
class Story:
    """What one mask tells besides what all of them tell; texts are translated.

    Attributes
    ----------
    method : str
        How a point moves, and how what the text leaves open was decided.
    references : sequence of Reference
    dangers : sequence of (str, str)
        Title and sentence of what the mask does not protect.
    steps : sequence of str
        What to do before the release: the attack to run, with its inputs.
    near_shows : bool
        Whether a point that hardly moved shows where it came from; not so where others come to
        stand there as likely.
    figures, charts : callable
        Tell a page what became of the points, beside how many they are and how far they moved.
    """

    method: str
    references: Sequence[Reference]
    dangers: Sequence[tuple[str, str]]
    steps: Sequence[str]
    near_shows: bool = True
    figures: Callable[[PrivatePage], None] = lambda page: None
    charts: Callable[[PrivatePage], None] = lambda page: None


@dataclass(frozen=True)
class Masking:
    """What the report tells of.

    Attributes
    ----------
    about : Context
    title : str
        The mask's name.
    shift : (n,) array
        Distance moved by each point, on the ground, in the unit of ``about``.
    shuffled : bool
    withheld : str
        Which records were withheld, in a sentence; empty for none.
    story : Story
    earlier : int
        Points that stay where other public layers than those of now have put them.
    """

    about: Context
    title: str
    shift: np.ndarray
    shuffled: bool
    withheld: str
    story: Story
    earlier: int = 0

    @property
    def median_shift(self) -> float:
        """Median distance moved, in the unit of ``about``."""
        return float(np.median(self.shift))

    def nearer_than(self, distance: float) -> int:
        """Points that moved less than a distance, those that did not move among them."""
        return int(np.count_nonzero(self.shift < distance))

    def warnings(self) -> list[str]:
        """What the log warns of."""
        order = tr("The rows keep their order: whoever has the originals' order has the key.")
        return [
            *self.about.choice.warnings(),
            *([] if self.shuffled else [order]),
            *filter(None, [near_sentence(self), earlier_sentence(self)]),
            *(sentence for _, sentence in self.story.dangers),
        ]


def near_sentence(masking: Masking) -> str:
    """What is said of points that hardly moved; nothing where none did, or no metre is known."""
    told = masking.about.unit == "m" and masking.story.near_shows
    if not told or not masking.nearer_than(NEAR[-1]):
        return ""
    count = len(masking.shift)
    shares = ", ".join(
        tr("less than {distance} m: {near:,} ({share:.1f} %)").format(
            distance=distance,
            near=masking.nearer_than(distance),
            share=100 * masking.nearer_than(distance) / count,
        )
        for distance in NEAR
    )
    return tr(
        "Of {points} moved {shares}. So near, a map still shows the house, its plot or its "
        "neighbours, without any attack. Leave these points out, aggregate them, or mask in "
        "another way."
    ).format(points=number_of(count, "point", "points"), shares=shares)


def earlier_sentence(masking: Masking) -> str:
    """What is said of points that other public layers have put where they are; nothing of none."""
    if not masking.earlier:
        return ""
    return tr(
        "{points} where an earlier release put them, by an address list or other public layers of "
        "then. What is said here of where points could have gone holds by those, and an attack by "
        "the layers of now tells nothing of these points: attack each release when it is made."
    ).format(points=number_of(masking.earlier, "point stays", "points stay"))


def whose_record() -> tuple[str, str]:
    """Say what no mask hides that moves points near their places: title and sentence."""
    return (
        tr("Whose record it is may not be hidden"),
        tr(
            "The mask hides where somebody lives from those who do not know. Who knows that a "
            "person is in the file, and where she lives, takes the records released near her "
            "home: in a file of few people that is often hers alone, with all its attributes."
        ),
    )


def share_of_points(count: int, total: int) -> str:
    """Return a share as a note below a figure."""
    return tr("{share:.1f} % of the points").format(share=100 * count / total)


def report(masking: Masking, pictures: Sequence[Picture]) -> Report:
    """Say what was masked, how far points moved, and what the mask does not protect."""
    story = masking.story
    page = PrivatePage(masking.title, masking.about.source)
    page.section(tr("What was done"), "result")
    _figures(page, masking)
    for title, sentence in story.dangers:
        page.notice(sentence, "danger", title)
    if near_sentence(masking):
        page.notice(near_sentence(masking), "danger", tr("Points that hardly moved"))
    if earlier_sentence(masking):
        page.notice(earlier_sentence(masking), "danger", tr("Put there by earlier layers"))
    if not masking.shuffled:
        page.warn([tr("The released rows stand in the order of the originals. Order identifies.")])
    page.pictures(tr("On the map"), pictures)
    page.section(tr("How far points moved"), "shifts")
    _distances(page, masking)
    page.section(tr("Attributes"), "attributes").attributes(masking.about.choice)
    page.kept_out(masking.about.left_out, masking.withheld)
    page.method([*masking.about.sentences, story.method], list(story.references))
    return page.report()


def _figures(page: PrivatePage, masking: Masking) -> None:
    total = len(masking.shift)
    page.figure("count", tr("Points masked"), total, tr("People, or whatever a point stands for."))
    masking.story.figures(page)
    page.figure(
        "median_shift",
        tr("Median shift"),
        masking.median_shift,
        tr("Half of the points moved less than this, the others more."),
        unit=masking.about.unit,
    )
    for distance in NEAR if masking.about.unit == "m" and masking.story.near_shows else ():
        near = masking.nearer_than(distance)
        page.figure(
            f"moved_less_than_{distance}",
            tr("Moved less than {distance} m").format(distance=distance),
            near,
            tr("So near, a map still shows the house, its plot or its neighbours."),
            note=share_of_points(near, total),
        )


def _distances(page: PrivatePage, masking: Masking) -> None:
    page.histogram(
        "shift_histogram",
        tr("Distance between original and masked point"),
        masking.shift,
        tr("Shift"),
        masking.about.unit,
        y_label=tr("Points"),
        marks=((masking.median_shift, tr("median")),),
    )
    labels = (tr("least"), "5 %", "25 %", tr("median"), "75 %", "95 %", tr("most"))
    page.table(
        "shift_quantiles",
        [
            col("quantile", tr("Share of points")),
            col("shift", tr("moved at most"), unit=masking.about.unit),
        ],
        zip(labels, np.quantile(masking.shift, [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1])),
    )
    masking.story.charts(page)
