# SPDX-License-Identifier: GPL-2.0-or-later
"""What to do after an aggregation, and what its verdict says nothing about."""

from __future__ import annotations

import numpy as np

from ...core.aggregation.shortfalls import Shortfalls, told_by_totals
from ..families.locating import SEARCHED
from ..families.regional import Data
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
    return said or [" ".join([_give_away(done), _once_more(done)])]


def _give_away(done: Done) -> str:
    """What of the outputs may go out."""
    result = done.result
    if result.location in SEARCHED and done.data.are_cells(result.sites, result.area_of_region):
        return tr(
            "Give away RECORDS_OUT and LOOKUP, and nothing else: not AREAS_OUT, from whose cells the sites can "
            "be computed, which {location} moved to where members of rare classes live."
        ).format(location=result.location)
    return tr(
        "Give away the releases (RECORDS_OUT, LOOKUP, AREAS_OUT, REGIONS_OUT) and nothing else."
    )


def _once_more(done: Done) -> str:
    """What to do before the same records are aggregated again."""
    if done.earlier is None:
        return tr(
            "Never a second aggregation of the same records without looking what can be subtracted: give "
            "this LOOKUP as EARLIER then. Two overlap to smaller areas."
        )
    return tr(
        "Beside “{name}” nothing below K can be computed by subtraction. A further aggregation of the same "
        "records has to be held against all that is out: give one table with the areas of each as EARLIER."
    ).format(name=done.earlier.name)


def each_for_a_person(data: Data) -> list[str]:
    """Say that every record was taken for a person, where it was."""
    if data.counted.classes.of_people:
        return []
    return [
        tr(
            "Records of the same person: each was taken to be another person. If people can have "
            "several, choose the field with the person's id (PERSON_FIELD)."
        )
    ]


def not_run(done: Done) -> list[str]:
    """What the look-up says nothing about."""
    said = []
    if done.again is not None and done.again.sizes is None:
        said.append(
            tr(
                "The records were counted as they were made, and not again as they were written: RECORDS_OUT "
                "is no file of its own that GDAL could read again. Give it one (.gpkg, .csv) and run it again."
            )
        )
    if done.further:
        said.append(
            tr(
                "Classes hold {k} records over the area and the quasi-identifiers, not over the "
                "further attributes: {names}. Who knows those of a person was not looked at."
            ).format(k=done.result.k, names=", ".join(done.further))
        )
    said += vbas_secrets.not_run(done.secrets, done.further)
    said += vbas_earlier.not_run(done.earlier, done.further)
    return said + _known_totals(done) + each_for_a_person(done.data)


def _known_totals(done: Done) -> list[str]:
    """What the numbers of records of the areas would tell, which are not released."""
    classes, result = done.data.counted.classes, done.result
    if classes.of_people or result.withheld is not None:
        return []
    areas = told_by_totals(result.areas, classes.max_combs)
    if not len(areas):
        return []
    return [
        tr(
            "How many records there are in an area is not released, and was taken to be unknown. Whoever "
            "knows it (where they are of everybody who lives there, from a census) computes a class of fewer "
            "than {k} in {areas}, where all other combinations of the quasi-identifiers are shown, or those "
            "that are not are as large as they can be."
        ).format(k=result.k, areas=number_of(len(areas), "area", "areas"))
    ]
