# SPDX-License-Identifier: GPL-2.0-or-later
"""What the report of a linkage experiment says of an adversary who holds several releases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.experiments.design import LINKED_BY_IDS, LinkageExperiment
from ..i18n import tr
from .common import PrivatePage

#: Measures of the table of cells: name, heading, decimals.
Measures = tuple[tuple[str, str, int], ...]


def figures(page: PrivatePage, experiment: LinkageExperiment) -> None:
    """Say how many releases he holds, and whose records he knows before."""
    if experiment.known_links:
        page.figure(
            "known_links",
            tr("Known before"),
            experiment.known_links,
            tr("Of so many of them he knows which record is theirs; they count as found nowhere."),
        )
    if experiment.n_releases > 1:
        page.figure(
            "releases",
            tr("Releases held"),
            experiment.n_releases,
            tr("Releases of the same people that the adversary puts together each time."),
            note=by(experiment),
        )
        page.notice(
            tr(
                "All risks are those of an adversary who holds {count} releases of the same people; "
                "what is kept is what one of them keeps."
            ).format(count=experiment.n_releases)
        )


def by(experiment: LinkageExperiment) -> str:
    """What links the records of the releases."""
    return (
        tr("linked by the same ids")
        if experiment.linked_by == LINKED_BY_IDS
        else tr("linked by distances and attributes")
    )


def measures(rows: Sequence[dict[str, Any]]) -> Measures:
    """Columns of the table of cells; none where there was one release."""
    if all(row.get("linked") is None for row in rows):
        return ()
    return (("linked", tr("Records linked"), 3), ("links_right", tr("Links right"), 3))


def method(experiment: LinkageExperiment) -> list[str]:
    """How several releases were put together; nothing of one."""
    if experiment.n_releases == 1:
        return []
    said = tr(
        "In each repetition {count} releases are made by the same method. Of embeddings the largest "
        "distance of each pair counts, which makes them one embedding with as many sets as all have; "
        "of noise, and of embeddings after noise, it is the mean."
    ).format(count=experiment.n_releases)
    if experiment.linked_by == LINKED_BY_IDS:
        return [said]
    return [
        said,
        tr(
            "Each release numbers its people anew. A record is linked by its attributes and its "
            "distances to all others where that is right with a probability of 90 % or more, as it "
            "was in releases that the adversary made himself; whoever is not linked counts as the "
            "first release alone has him."
        ),
    ]


def step(rows: Sequence[dict[str, Any]]) -> list[str]:
    """What to give the attack on the releases themselves; nothing where there was one."""
    if not measures(rows):
        return []
    return [
        tr(
            "What was spared was spared with so many releases of these people and no more: give all that "
            "were ever made to that attack (MORE_MATRICES, MORE_TARGETS), and make no further one."
        )
    ]
