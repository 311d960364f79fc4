# SPDX-License-Identifier: GPL-2.0-or-later
"""What the report of a street masking tells besides what all masks tell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.masking.streets import Search, StreetMask
from ...core.space.street_network import StreetNetwork
from .. import literature
from ..i18n import number_of, tr
from .common import PrivatePage
from .masking import Story, whose_record


@dataclass(frozen=True)
class Streeted:
    """What the report tells of.

    Attributes
    ----------
    mask : StreetMask
        Of all records.
    network : StreetNetwork
    search : Search
    reached : (m,) int array
        From how many starts each released point can have come.
    unit : str
        Of lengths.
    """

    mask: StreetMask
    network: StreetNetwork
    search: Search
    reached: np.ndarray
    unit: str

    @property
    def choices(self) -> np.ndarray:
        """Number of nodes to which each released point could have gone."""
        return self.mask.choices[~self.mask.withheld]

    def numbers(self) -> dict[str, float]:
        """Number outputs of the algorithm, those of points where there are any."""
        found = {"NODES": len(self.network.xy), "PIECES": self.network.pieces}
        if len(self.choices):
            found["CHOICES"] = float(np.median(self.choices))
            found["LEAST_STARTS"] = int(self.reached.min())
        return found


def story(made: Streeted, attack: str) -> Story:
    """Tell of a street mask; ``attack`` is the one to run, in a sentence."""
    search = made.search
    method = tr(
        "Streets were joined to a network wherever they touch or cross; its nodes are crossings and "
        "dead ends. Each place was taken to the nearest node in a straight line, its start, and "
        "from there to another: of the n nodes that are nearest along the streets, the start among "
        "them, the one whose distance is closest to the mean of all n (of equally close ones the "
        "nearest). n was drawn from {low} to {last}; nodes farther than {length:g} {unit} were not "
        "looked at. It comes from a secret and the place alone (HMAC-SHA256): records at one place "
        "move together, and with the same secret and streets the same place goes to the same node "
        "in every release, whoever else is in it."
    ).format(low=search.low, last=search.high - 1, length=search.max_length, unit=made.unit)
    return Story(
        method,
        [literature.SWANLUND],
        _dangers(made),
        [
            attack,
            tr("Keep the secret file (SECRET_FILE) for the next release of the same people."),
        ],
        figures=lambda page: _figures(page, made),
        charts=lambda page: _charts(page, made),
    )


def _dangers(made: Streeted) -> list[tuple[str, str]]:
    found = [whose_record()]
    if len(made.reached):
        found.append(
            (
                tr("How many people live near is not looked at"),
                tr(
                    "Who knows the streets can tell from which starts a released point can have "
                    "come: {middle:g} in the middle, {least} at least. The person lives near one "
                    "of them, whether a hundred live there or one. Along a road through fields "
                    "there are as few houses as crossings."
                ).format(middle=float(np.median(made.reached)), least=int(made.reached.min())),
            )
        )
    if made.network.pieces > 1:
        found.append(
            (
                tr("The streets lie in pieces"),
                tr(
                    "There is no way between {pieces} of the network, so that nobody crosses from "
                    "one to another. If they should be joined, correct the ends that miss each "
                    "other by more than a decimetre."
                ).format(pieces=number_of(made.network.pieces, "piece", "pieces")),
            )
        )
    return found


def _figures(page: PrivatePage, made: Streeted) -> None:
    page.figure(
        "nodes",
        tr("Nodes of the streets"),
        len(made.network.xy),
        tr("Crossings and dead ends, to which points went."),
    )
    if len(made.choices):
        page.figure(
            "choices",
            tr("Nodes to which a point could go"),
            float(np.median(made.choices)),
            tr("Half of the points had no more. The next n often leads to the same node."),
        )
        page.figure(
            "starts",
            tr("Starts of a released point, at least"),
            int(made.reached.min()),
            tr("Nodes from which the mask can have led there; the person lives near one of them."),
        )


def _charts(page: PrivatePage, made: Streeted) -> None:
    if not len(made.choices):
        return
    most = int(made.choices.max())
    count = np.bincount(made.choices, minlength=most + 1)[1:]
    page.bars(
        "choices_of_points",
        tr("To how many nodes a point could have gone"),
        [str(number) for number in range(1, most + 1)],
        count.tolist(),
        tr("Points"),
    )
