# SPDX-License-Identifier: GPL-2.0-or-later
"""What a method that releases distances works on, and what it gives back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ...core.distances import files
from ...core.distances.accuracy import Summary
from ...core.distances.matrix import DistanceMatrix, condensed_size
from ...core.distances.rounding import decimals_for, step_multiple
from ...core.runtime import memory
from ...core.runtime.errors import InputError
from ...core.space.metrics import Metric
from ...core.space.planes import Plane
from ..dialog.parameters import UNITS
from ..i18n import tr
from ..layers import planes
from ..layers.reading import PointTable
from ..running import Run

#: Decimals that stand for one metre.
_WHOLE_METRES = {"m": 0, "km": 3}


@dataclass(frozen=True)
class Task:
    """What a method works on; rows in the order of the release.

    Attributes
    ----------
    table : PointTable
        Shuffled already.
    metric : Metric
    sentences : list of str
        How distances are measured.
    points : (n, 2) array
        The places in the metric's coordinates.
    unit : str
        Name of the unit that is released.
    factor : float
        Metres (or units of the plane) in one of it.
    decimals : int
    rng : numpy.random.Generator
    multiple : int
        How many of the last decimal make a step of the release.
    """

    table: PointTable
    metric: Metric
    sentences: list[str]
    points: np.ndarray
    unit: str
    factor: float
    decimals: int
    rng: np.random.Generator
    multiple: int = 1

    @cached_property
    def plane(self) -> Plane:
        """The plane of the places, for maps."""
        return planes.plane_of(self.table.xy, self.table.crs)

    @cached_property
    def flat(self) -> np.ndarray:
        """The places in that plane, (n, 2)."""
        return self.plane.forward(self.table.xy)

    def record(self, feature_id: int | None) -> int:
        """Row of the record with a feature id; without one, of that nearest to the middle of all.

        The middle is the median x and y.

        Raises
        ------
        InputError
            If there is none with that id.
        """
        if feature_id is None:
            xy = self.flat
            return int(((xy - np.median(xy, axis=0)) ** 2).sum(axis=1).argmin())
        found = np.flatnonzero(self.table.ids == feature_id)
        if not len(found):
            raise InputError(
                tr(
                    "There is no record with the feature id {id}. Choose another one, or leave it "
                    "empty for the most central record."
                ).format(id=feature_id)
            )
        return int(found[0])

    def kept_from(
        self, matrix: DistanceMatrix, row: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """True distances from one record, released ones, and their ratio (NaN at distance 0)."""
        true = self.metric.rows(self.points[[row]], self.points)[0] / self.factor
        released = matrix.rows(row, row + 1)[0]
        ratio = np.full(len(true), np.nan)
        np.divide(released, true, out=ratio, where=true > 0)
        return true, released, ratio

    def refuse_unless_fits(self, bytes_a_record: float, path: Path) -> None:
        """Refuse a matrix that memory or the disk of its file has no room for."""
        count = len(self.table)
        advice = tr("Release fewer records.")
        what, purpose = refuse_unless_matrix_fits(count, bytes_a_record, advice)
        # No two records are farther apart than the box round all of them.
        corners = np.stack([self.points.min(axis=0), self.points.max(axis=0)])
        largest = float(self.metric.between(corners[:1], corners[1:])[0]) / self.factor
        size = files.estimated_size(count, self.decimals, 2 * largest, path.suffix.lower())
        memory.refuse_unless_fits_disk(size, path, what, purpose, advice)


@dataclass(frozen=True)
class Made:
    """Distances as a method makes them.

    Attributes
    ----------
    condensed : (n (n - 1) / 2,) array
        In the unit that is released, rounded.
    sentences, warnings : list of str
        For the log and the report.
    settings : list of (str, object)
        Label and value of what the method was told, for the private report.
    method : str
        How it was done, for the report.
    attack : dict of str to object
        Parameters of the linkage attack that tell how the distances were made.
    reference_sets : (d, k, 2) array or None
        In stored coordinates.
    rings : sequence of (m, 2) arrays
        Outline of the area that they were drawn from, in stored coordinates.
    has_area : bool
        Whether that area was given, and not made of the places.
    mask : (str, dict)
        Method and parameters as the mask file has them (see :mod:`...core.verification.maskfile`).
    down : bool
        Whether distances were rounded down.
    """

    condensed: np.ndarray
    sentences: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    settings: list[tuple[str, Any]] = field(default_factory=list)
    method: str = ""
    reference_sets: np.ndarray | None = None
    attack: dict[str, Any] = field(default_factory=dict)
    rings: Sequence[np.ndarray] = ()
    has_area: bool = False
    mask: tuple[str, dict[str, Any]] = ("", {})
    down: bool = False


def task_of(run: Run, table: PointTable, step: float | None = None) -> Task:
    """Shuffle the records and choose how distances are measured and told.

    ``step`` is that of the released distances, in the metric's unit; None for none besides the
    decimals'.
    """
    name = run.choice("METRIC")
    metric, said = planes.measure(name, table.xy, table.crs)
    unit = run.choice("UNIT")
    if metric.unit != "m":
        if unit != "m":
            raise InputError(
                tr(
                    "The layer has no coordinate reference system, so its unit is not known to "
                    "be metres and cannot be turned into {unit}. Choose the unit m, which "
                    "leaves the distances as they are, or give the layer its system."
                ).format(unit=unit)
            )
        unit, factor = metric.unit, 1.0
    else:
        factor = UNITS[unit]
    decimals = run.number("DECIMALS")
    if decimals is None:
        decimals = _WHOLE_METRES.get(unit, 3)
        if step is not None:
            decimals = decimals_for(step, factor, decimals)
    multiple = 1 if step is None else step_multiple(step, factor, decimals)
    rng = run.rng()
    shuffled = table.taken(rng.permutation(len(table)))
    return Task(
        shuffled,
        metric,
        said,
        metric.coordinates(shuffled.xy),
        unit,
        factor,
        decimals,
        rng,
        multiple,
    )


def refuse_unless_matrix_fits(count: int, bytes_a_record: float, advice: str) -> tuple[str, str]:
    """Refuse a matrix of so many records, and so much besides, that memory has no room for.

    Returns
    -------
    tuple of str
        What needs room, and what for, for other sentences of the kind.
    """
    what, purpose = tr("{count:,} records").format(count=count), tr("their distance matrix")
    needed = 8 * condensed_size(count) + count * bytes_a_record
    memory.refuse_unless_fits(needed, what, purpose, advice)
    return what, purpose


def numbers_of(kept: Summary) -> dict[str, float]:
    """Return the number outputs that say what a matrix keeps."""
    return {
        "MEDIAN_RATIO": kept.median_ratio,
        "NEAREST_KEPT": kept.nearest_kept,
        "SPEARMAN": kept.spearman,
        "MAX_VIOLATION": kept.max_violation,
    }
