# SPDX-License-Identifier: GPL-2.0-or-later
"""What an experiment with linkage attacks shows of the people, release by release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..attacks.linkage.evidence import ONE_METHOD, by_all_methods, by_labels
from ..attacks.linkage.known_links import unlinked
from ..attacks.linkage.result import CLIQUE, LIKELIHOOD, LOCAL_MAPS, NEAR_GROUP
from ..attacks.linkage.truth import not_given
from ..attacks.maps.likelihood import THRESHOLD
from ..distances.choice import MOST_PRECISION
from ..verdict import Evidence, Verdict, judge
from .design import ATTACKS, OF_NEIGHBOURS, LinkageExperiment, draw_files
from .design import CLIQUE as BY_CLIQUE
from .design import LIKELIHOOD as BY_LIKELIHOOD
from .design import LOCAL_MAPS as BY_LOCAL_MAPS
from .design import NEAR_GROUP as BY_NEAR_GROUP

_EVIDENCE = {
    BY_CLIQUE: CLIQUE,
    BY_LIKELIHOOD: LIKELIHOOD,
    BY_NEAR_GROUP: NEAR_GROUP,
    BY_LOCAL_MAPS: LOCAL_MAPS,
}


def evidence(row: Mapping[str, Any], complete: bool = True) -> Evidence:
    """Return what one cell shows, by its row (see :meth:`.linkage.CellResult.row`).

    Parameters
    ----------
    row : mapping
        A share that is None was not defined: nothing was claimed.
    complete : bool
        Whether all attacks on its release are done.
    """
    by_clique = row["attack"] == BY_CLIQUE
    # Who takes the likeliest person for each record may find more than those he would name.
    found = max(
        (
            Evidence.averaged(
                _EVIDENCE[row["attack"]],
                share(row.get(way)),
                row.get(f"{way}_se"),
                int(row["repeats"]),
                int(row["overlap"]),
            )
            for way in ("recall", "guessed")
        ),
        key=lambda one: (one.high, one.found),
    )
    claims, failed = round(share(row["matches"])), share(row["precision"]) > MOST_PRECISION
    found = found.with_claims(claims, failed)
    if by_clique and not share(row["edges"]):
        return found.with_caveat("nothing_compared")
    if not complete or (row.get("proven") is not None and row["proven"] < 1):
        return found.with_caveat("cut_off")
    if not by_clique and share(row["threshold"]) > THRESHOLD:
        return found.with_caveat("held_back")
    return found


def labels_alone(experiment: LinkageExperiment) -> Evidence:
    """Return whom guessing among those alike finds in the experiment's files."""
    files, labels = draw_files(experiment), experiment.labels
    ours, theirs = (
        [labels[row] for row in rows.tolist()] for rows in (files.target, files.identification)
    )
    records, people = files.links.reshape(-1, 2).T  # nobody is found who was given
    truth = not_given(files.truth, files.links)
    return by_labels(unlinked(ours, records), unlinked(theirs, people), truth)


def by_release(
    rows: Sequence[Mapping[str, Any]],
    attacks: int,
    knows: str,
    wants: str,
    limit: float,
    further: Sequence[Evidence] = (),
) -> dict[str, Verdict]:
    """Judge each kind of release by all attacks on it.

    Parameters
    ----------
    rows : sequence of mapping
    attacks : int
        Planned for each release: where fewer are done, nothing is acceptable.
    knows, wants, limit
        See :func:`..verdict.judge`.
    further : sequence of Evidence
        What holds for every release, such as :func:`labels_alone`.
    """
    of: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        of.setdefault(row["release"], []).append(row)
    return {
        release: judge(
            [*by_all_methods([evidence(row, len(mine) >= attacks) for row in mine]), *further],
            knows,
            wants,
            limit,
        )
        for release, mine in of.items()
    }


def is_spared(verdict: Verdict) -> bool:
    """Tell whether all attacks that an experiment has were run, and found no more than may be.

    That is no verdict: what spares a release here may fall to signatures.
    """
    run = {one.attack for one in verdict.evidence}
    if not any(run >= {_EVIDENCE[name] for name in all_of} for all_of in (ATTACKS, OF_NEIGHBOURS)):
        return False
    return all(
        (one.complete or one.caveat == ONE_METHOD)
        and one.people > 0
        and one.high <= verdict.limit
        and not (one.exposed or one.failed)
        for one in verdict.evidence
    )


def share(value: Any) -> float:
    """Return a cell's number; nothing claimed counts as nothing right."""
    return 0.0 if value is None or value != value else float(value)
