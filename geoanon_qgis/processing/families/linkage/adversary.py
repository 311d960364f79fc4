# SPDX-License-Identifier: GPL-2.0-or-later
"""What the adversary of a linkage attack has: a release, and people whom he knows."""

from __future__ import annotations

from dataclasses import dataclass

from ....core.attacks.linkage.further_releases import Further
from ....core.distances import files
from ....core.distances.matrix import DistanceMatrix
from ....core.runtime.errors import InputError
from ....core.runtime.progress import Progress, weighted
from ....core.space.metrics import Metric
from ....core.verification.maskfile import MaskFile
from ...i18n import number_of, tr
from ...layers import keys, planes
from ...layers.labels import Labels, labels_of, why_none_agree
from ...layers.reading import PointTable, Table, read_table
from ...running import Run
from .. import mask_files
from ..matching import Match, Other, match, shared_field
from . import further, shared
from .in_order import in_order, refuse_doubles
from .known_links import KnownLinks, read_links

#: What the adversary wants, and what he has: without and with known links, and with several releases.
_WANTS = "which_record"
_HAS = {
    (False, False): "file_with_places",
    (True, False): "file_with_places_and_links",
    (False, True): "file_with_places_and_releases",
    (True, True): "file_with_places_links_and_releases",
}
#: Without any of these.
ADVERSARY = (_HAS[False, False], _WANTS)


@dataclass(frozen=True)
class Released:
    """The released table and its matrices, in the order of the table.

    Attributes
    ----------
    name : str
    table : Table
    ids : list
    matrices : tuple of DistanceMatrix
        In the unit that is taken for theirs; further releases in their own order.
    labels : sequence of tuple of str, or None
        Quasi-identifiers; None where one is missing.
    further_labels : tuple of such sequences, or of None
        Of each further release, None where its table was not given.
    further : tuple of Further
        How each is linked with the first, once that was tried; those that tell nothing, too.
    """

    name: str
    table: Table
    ids: list
    matrices: tuple[DistanceMatrix, ...]
    labels: Labels
    further_labels: tuple[Labels | None, ...] = ()
    further: tuple[Further, ...] = ()

    @property
    def used(self) -> list[Further]:
        """Those further releases that tell anything of these records."""
        return [one for one in self.further if one.links.linked]

    @property
    def told(self) -> list[DistanceMatrix]:
        """The first release, and further ones that tell anything of its records."""
        others = zip(self.matrices[1:], self.further)
        return [self.matrices[0], *(one for one, how in others if how.links.linked)]

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
        return names_of(bool(len(self.links)), len(self.released.told) > 1)


def names_of(links: bool, several: bool) -> tuple[str, str]:
    """Return machine names of what he has and what he wants.

    Parameters
    ----------
    links : bool
        Whether he knows the records of some people.
    several : bool
        Whether he has several releases that tell of the same people.
    """
    return _HAS[links, several], _WANTS


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
    of_matrix, of_further = weighted(of_matrix, 20, 20)
    name, table, ids, matrix = _read_release(run, of_target, of_matrix)
    others, their_labels = further.read(run, of_further)
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
    refuse_doubles(known_ids, tr("known people"))
    found = None
    if key is not None:
        other = Other(people, feature_ids, known.xy, known.crs, known.columns, known_id)
        found = match(key, ids, other, run.context, of_key)
    links = read_links(run, ids, known_ids, known_id or "")

    metric, said = planes.measure(run.choice("METRIC"), known.xy, known.crs)
    matrices = [matrix, *others]
    if metric.unit != "m":
        matrices = [DistanceMatrix(one.condensed, one.ids, metric.unit) for one in matrices]
    labels = labels_of(table.columns, qis[0], len(table))
    known_labels = mask_files.recoded(mask, labels_of(known.columns, qis[1], len(known)), qis[0])
    return Adversary(
        Released(name, table, ids, tuple(matrices), labels, their_labels),
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
    """Name, table, ids and matrix, all in the order of the table."""
    source = run.source("TARGET")
    id_field = run.field("TARGET_ID", source)
    if id_field is None and source.fields().lookupField(keys.RECORD) >= 0:
        id_field = keys.RECORD
    fields = [*([id_field] if id_field else []), *run.fields("TARGET_QIS", source)]
    table = read_table(source, of_target, fields)
    if run.choice("RULE") == shared.ISGP:
        ids = table.columns[id_field][:] if id_field else None
        refuse_doubles(ids or [], tr("released records"))
        matrix = shared.read_matrix(run, ids, of_matrix)
        return source.sourceName(), table, list(matrix.ids), matrix
    matrix = files.read_matrix(run.path("MATRIX"), of_matrix, unit=run.choice("UNIT"))
    if id_field is None:
        run.warn(
            tr(
                "The released records have no field {field}: they are taken in the order of the "
                "matrix."
            ).format(field=keys.RECORD)
        )
    ids = table.columns[id_field][:] if id_field else list(matrix.ids)
    return source.sourceName(), table, ids, in_order(matrix, ids, len(table))
