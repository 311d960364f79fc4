# SPDX-License-Identifier: GPL-2.0-or-later
"""What to do after an aggregation, and what its verdict says nothing about."""

from __future__ import annotations

import numpy as np

from ...core.aggregation.shortfalls import Shortfalls
from ..i18n import number_of, tr
from . import vbas_earlier, vbas_secrets
from .vbas import Done


def smallest_k(limit: float) -> int | None:
    """The K from which on no share of people found is above the limit; None for a limit of 0."""
    return int(np.ceil(1 / limit)) if limit > 0 else None


def steps(done: Done, limit: float, records: str) -> list[str]:
    """What to do next.

    Parameters
    ----------
    done : Done
    limit : float
        Acceptable share of people found.
    records : str
        Where the released records are, if they have a path.
    """
    result, said = done.result, []
    found = done.evidence
    if not result.measures.released:
        return [
            tr(
                "Take fewer sites (now {sites:,}), a smaller K (now {k}), fewer quasi-identifiers "
                "(QIS) or coarser categories."
            ).format(sites=result.measures.sites, k=result.k)
        ]
    if found.share > limit:
        enough = smallest_k(limit)
        said.append(
            tr(
                "Run it again with K={k}, with which at most {limit:.3g} % are found, or with "
                "fewer sites."
            ).format(k=enough, limit=100 * limit)
            if enough is not None
            else tr("Give a limit above 0: whoever hides among k is found once in k guesses.")
        )
    said += vbas_earlier.step(done.earlier)
    said += vbas_secrets.step(done.secrets)
    if done.doubtful:
        said.append(
            tr("Leave {names} out of FIELDS, or name them among QIS, and run it again.").format(
                names=", ".join(done.doubtful)
            )
        )
    short = Shortfalls.of(result.areas)
    if len(short.nothing):
        said.append(
            tr(
                "{areas} nothing. Run it again with MIN_RECORDS={floor} (a quarter of the mean), with "
                "fewer sites or coarser categories, or say in the release which areas it leaves out."
            ).format(
                areas=number_of(len(short.nothing), "area releases", "areas release"),
                floor=max(1, round(short.mean / 4)),
            )
        )
    if not said and done.further:
        said.append(
            tr(
                "If somebody may know them, run “Equivalence classes” (geoanon:equivalenceclasses) "
                "with INPUT={records}, QIS={names}."
            ).format(
                records=records or tr("the released records"),
                names=";".join(
                    ["area_id", *(qi.name for qi in done.data.counted.qis), *done.further]
                ),
            )
        )
    return said or [
        tr(
            "Give away the releases (RECORDS_OUT, LOOKUP, AREAS_OUT, REGIONS_OUT) and nothing else, "
            "and never a second aggregation of the same records: two overlap to smaller areas."
        )
    ]


def not_run(done: Done) -> list[str]:
    """What the look-up says nothing about."""
    said = []
    if done.further:
        said.append(
            tr(
                "Classes hold {k} records over the area and the quasi-identifiers, not over the "
                "further attributes: {names}. Who knows those of a person was not looked at."
            ).format(k=done.result.k, names=", ".join(done.further))
        )
    said += vbas_secrets.not_run(done.secrets, done.further)
    said += vbas_earlier.not_run(done.earlier, done.further)
    if not done.data.counted.classes.of_people:
        said.append(
            tr(
                "Records of the same person: each was taken to be another person. If people can have "
                "several, choose the field with the person's id (PERSON_FIELD)."
            )
        )
    return said
