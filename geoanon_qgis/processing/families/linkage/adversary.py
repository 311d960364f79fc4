# SPDX-License-Identifier: GPL-2.0-or-later
"""What the adversary of a linkage attack has: a release, and people whom he knows."""

from __future__ import annotations

import os
from dataclasses import dataclass

from ....core.attacks.linkage.several_releases import alike, in_order_of
from ....core.distances import files
from ....core.distances.matrix import DistanceMatrix
from ....core.runtime.errors import InputError
from ....core.runtime.progress import Progress, shares, weighted
from ....core.space.metrics import Metric
from ....core.verification.maskfile import MaskFile
from ...i18n import mark, number_of, tr
from ...layers import keys, planes
from ...layers.labels import Labels, labels_of, why_none_agree
from ...layers.reading import PointTable, Table, read_table
from ...layers.values import is_null, text_of
from ...running import Run
from .. import mask_files
from ..matching import Match, Other, match, shared_field
from . import shared
from .known_links import KnownLinks, read_links

#: Whom the verdict is about, and what he wants; and what he has who knows links, too.
ADVERSARY = ("file_with_places", "which_record")
_WITH_LINKS = "file_with_places_and_links"


@dataclass(frozen=True)
class Released:
    """The released table and its matrices, in the order of the table.

    Attributes
    ----------
    name : str
    table : Table
    ids : list
    matrices : tuple of DistanceMatrix
        All that were released of these records, in the unit that is taken for theirs.
    labels : sequence of tuple of str, or None
        Quasi-identifiers; None where one is missing.
    """

    name: str
    table: Table
    ids: list
    matrices: tuple[DistanceMatrix, ...]
    labels: Labels

    @property
    def unit(self) -> str:
        """Of the distances."""
        return self.matrices[0].unit


@dataclass(frozen=True)
class Known:
    """The people whom the adversary knows; attributes as of :class:`Released`."""

    name: str
    table: PointTable
    ids: list
    labels: Labels


@dataclass(frozen=True)
class Adversary:
    """What he has, how he measures, and who is who where the key tells.

    Attributes
    ----------
    released : Released
    known : Known
    metric : Metric
    sentences : list of str
        How distances are measured.
    nothing : list of str
        Why no record can be compared with a person, if none can.
    key : Key or None
    found : Match or None
        Where the key leads among the known people; None without one.
    links : KnownLinks
    contradicted : int
        How many of them are not what the key says.
    mask : MaskFile or None
        How the release was made, where its mask file was given.
    """

    released: Released
    known: Known
    metric: Metric
    sentences: list[str]
    nothing: list[str]
    key: keys.Key | None
    found: Match | None
    links: KnownLinks
    contradicted: int
    mask: MaskFile | None = None

    @property
    def names(self) -> tuple[str, str]:
        """Machine names of what he has and what he wants, for the verdict."""
        has, wants = ADVERSARY
        return _WITH_LINKS if len(self.links) else has, wants


def read(run: Run, progress: Progress) -> Adversary:
    """Read the release, the known people, and the key where there is one.

    Raises
    ------
    InputError
        If the files do not fit together, or their records cannot agree.
    """
    of_target, of_matrix, of_known, of_key = weighted(progress, 30, 40, 25, 5)
    qis = [run.fields(name) for name in ("TARGET_QIS", "IDENTIFICATION_QIS")]
    mask = mask_files.read(run)
    name, table, ids, matrices = _read_release(run, of_target, of_matrix)
    mask_files.tell(mask, run, run.path("MATRIX"), run.source("TARGET"))
    people = run.source("IDENTIFICATION")
    known_id = run.field("IDENTIFICATION_ID", people)
    known_qis = run.fields("IDENTIFICATION_QIS", people)
    key_source = run.source("TRUTH")
    key = None if key_source is None else keys.read_key(key_source)
    shared = shared_field(key, people.fields())
    known = run.points(people, of_known, [*known_qis, *filter(None, (known_id, shared))])
    if len(known) == 0 or len(table) == 0:
        raise InputError(
            tr("There is nothing to link: {records} and {people} with a place.").format(
                records=number_of(len(table), "released record", "released records"),
                people=number_of(len(known), "known person", "known people"),
            )
        )
    feature_ids = known.ids.tolist()
    known_ids = known.columns[known_id][:] if known_id else feature_ids
    _refuse_doubles(known_ids, tr("known people"))
    found = None
    if key is not None:
        other = Other(people, feature_ids, known.xy, known.crs, known.columns, known_id)
        found = match(key, ids, other, run.context, of_key)
    links = read_links(run, ids, known_ids, known_id or "")

    metric, said = planes.measure(run.choice("METRIC"), known.xy, known.crs)
    if metric.unit != "m":
        matrices = [DistanceMatrix(one.condensed, one.ids, metric.unit) for one in matrices]
    labels = labels_of(table.columns, qis[0], len(table))
    known_labels = mask_files.recoded(mask, labels_of(known.columns, qis[1], len(known)), qis[0])
    return Adversary(
        Released(name, table, ids, tuple(matrices), labels),
        Known(people.sourceName(), known, known_ids, known_labels),
        metric,
        said,
        why_none_agree(labels, known_labels, list(zip(*qis))),
        key,
        found,
        links,
        links.contradicted(found, known.xy),
        mask,
    )


def _read_release(run: Run, of_target: Progress, of_matrix: Progress):
    """Name, table, ids and matrices, all in the order of the table."""
    source = run.source("TARGET")
    id_field = run.field("TARGET_ID", source)
    if id_field is None and source.fields().lookupField(keys.RECORD) >= 0:
        id_field = keys.RECORD
    fields = [*([id_field] if id_field else []), *run.fields("TARGET_QIS", source)]
    table = read_table(source, of_target, fields)
    if run.choice("RULE") == shared.ISGP:
        ids = table.columns[id_field][:] if id_field else None
        _refuse_doubles(ids or [], tr("released records"))
        matrix = shared.read_matrix(run, ids, of_matrix)
        return source.sourceName(), table, list(matrix.ids), [matrix]
    paths = [run.path("MATRIX"), *run.paths("MORE_MATRICES")]
    matrices = [
        files.read_matrix(path, step, unit=run.choice("UNIT"))
        for path, step in zip(paths, shares(of_matrix, len(paths)))
    ]
    if id_field is None:
        run.warn(
            tr(
                "The released records have no field {field}: they are taken in the order of the "
                "matrix."
            ).format(field=keys.RECORD)
        )
    ids = table.columns[id_field][:] if id_field else list(matrices[0].ids)
    first = in_order(matrices[0], ids, len(table))
    others = [in_order_of(first, one) for one in matrices[1:]]
    for path, other in zip(paths[1:], others):
        if not alike(first, other):
            run.warn(
                tr(
                    "The distances of {file} have nothing to do with those of MATRIX: their ids "
                    "seem to mean other records. Releases mostly number their records anew; give "
                    "a matrix whose ids mean the same records."
                ).format(file=os.path.basename(path))
            )
    return source.sourceName(), table, ids, [first, *others]


def in_order(matrix: DistanceMatrix, ids: list, count: int) -> DistanceMatrix:
    """Return the matrix of the records of a table, in the table's order.

    Raises
    ------
    InputError
        If they are not the same records.
    """
    names = [text_of(one) for one in ids]
    if len(ids) != count or len(matrix) != count:
        raise InputError(
            tr(
                "The table has {table} and the matrix {matrix:,}. Choose the table and the matrix "
                "of one release."
            ).format(table=number_of(count, "record", "records"), matrix=len(matrix))
        )
    _refuse_doubles(ids, tr("released records"))
    place = {text_of(one): row for row, one in enumerate(matrix.ids)}
    missing = [name for name in names if name not in place]
    if missing:
        records = number_of(len(missing), "record of the table is", "records of the table are")
        raise InputError(
            tr(
                "{records} not in the matrix (the first has the id {id}). Choose the field with "
                "the ids that the matrix has."
            ).format(records=records, id=missing[0])
        )
    rows = [place[name] for name in names]
    return matrix if rows == list(range(count)) else matrix.subset(rows)


def _refuse_doubles(ids: list, what: str) -> None:
    seen = set()
    for one in ids:
        name = None if is_null(one) else text_of(one)
        if name is None or name in seen:
            raise InputError(
                mark("One of the {what} has no id. Choose a field that names each of them once.")
                if name is None
                else mark(
                    "The {what} hold the id {id} twice. Choose a field that names each of them once."
                ),
                what=what,
                id=name,
            )
        seen.add(name)
