# SPDX-License-Identifier: GPL-2.0-or-later
"""The address list of an attack on masked points: its places, their weights and their classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from qgis.core import QgsProcessingFeatureSource

from ....core.runtime.errors import InputError
from ....core.space.planes import Plane
from ....core.space.points import places
from ....core.verification.pointmask import PointMask, fingerprint
from ...i18n import mark, tr
from ...layers.fieldnames import spelt_as_in
from ...layers.reading import PointTable
from ...running import Run
from ..masks.public_sizes import weights_of

PERSON_ID = "PERSON_ID"
#: What is not tried without weights; see benchmarks/uneven_files.py.
DENSER = mark(
    "Where people of the file live closer together than addresses tell: who knows it, as from counts by "
    "district or an earlier release, or learns it from the points, believes more of addresses there, most of "
    "all where such a quarter ends. Numbers in WEIGHT, of how likely each address is, play that."
)


@dataclass(frozen=True)
class Listed:
    """An address list.

    Attributes
    ----------
    table : PointTable
        All rows, in the system of the released points.
    xy : (r, 2) array
        Their places in the plane.
    candidates : (m, 2) array
        Each place once: what an adversary chooses among.
    of_row : (r,) int array
        Candidate of each row.
    rows : (m,) int array
        The first row of each candidate.
    own : (r,) array
        Weight of each row.
    weight : (m,) array or None
        Of each candidate; None where all are alike.
    classes : list of str
        Fields of the list by which the mask told classes apart.
    person : str or None
        Field that names the person of a row.
    typed : bool
        Whether weights were given, and not counted by how often places are listed.
    """

    table: PointTable
    xy: np.ndarray
    candidates: np.ndarray
    of_row: np.ndarray
    rows: np.ndarray
    own: np.ndarray
    weight: np.ndarray | None
    classes: list[str]
    person: str | None = None
    typed: bool = False

    def is_of(self, digest: str | None) -> bool:
        """Whether it is the list of a fingerprint; True for none."""
        return digest in (None, fingerprint(self.xy), fingerprint(self.candidates))

    def not_told(self) -> tuple[str, ...]:
        """Say that nobody told how likely each address is, where nobody did."""
        return () if self.typed else (tr(DENSER),)


def read(run: Run, mask: PointMask, released: PointTable, plane: Plane) -> Listed:
    """Read CANDIDATES.

    Raises
    ------
    InputError
        If weights are none, or the list lacks the fields of the mask's classes.
    """
    source = run.source("CANDIDATES")
    weight_field, classes = run.field("WEIGHT", source), _classes(mask, source)
    known, person = run.fields("CANDIDATE_QIS", source), run.field(PERSON_ID, source)
    fields = list(dict.fromkeys(filter(None, [weight_field, person, *classes, *known])))
    table = run.points(source, run.step("candidates"), fields, released.crs, 2)
    xy = plane.forward(table.xy, run.outputs.ask)
    found = places(xy)
    own, weight = weights_of(found, table, weight_field, source.sourceName())
    rows, typed = (found.of_point, found.first), bool(weight_field)
    return Listed(table, xy, found.xy, *rows, own, weight, classes, person, typed)


def _classes(mask: PointMask, source: QgsProcessingFeatureSource) -> list[str]:
    """Fields of the list that a mask file names as its classes."""
    told = mask.parameters.get("CLASSES")
    if not told:
        return []
    fields = source.fields()
    there = {name.lower() for name in fields.names()}
    names = [str(told)] if str(told).lower() in there else str(told).split(", ")
    lacking = [name for name in names if name.lower() not in there]
    if lacking:
        raise InputError(
            mark(
                "The mask told addresses apart by the field “{field}”, which the address list has "
                "not. Choose the list that the mask was made with."
            ),
            field=lacking[0][:80],
        )
    return spelt_as_in(fields, names)
