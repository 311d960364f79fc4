# SPDX-License-Identifier: GPL-2.0-or-later
"""Which records may be released with the area they lie in."""

from __future__ import annotations

import numpy as np

from ..runtime.progress import Progress, chunks, interruptible, part, silent
from .equivalence_classes import EquivalenceClasses
from .vbas import Aggregation

#: Cells of areas by classes that a table of bytes is made for.
_DENSE = 2**28
_ROWS = 1 << 20


def released_records(
    classes: EquivalenceClasses,
    aggregation: Aggregation,
    rng: np.random.Generator | None = None,
    progress: Progress = silent,
) -> tuple[np.ndarray, np.ndarray]:
    """Which records may be released, and in which area.

    Parameters
    ----------
    classes : EquivalenceClasses
    aggregation : Aggregation
    rng : numpy.random.Generator, optional
        Shuffles the rows: a release must not keep the order of the input. None keeps it, for
        those who write in chunks of the input and shuffle later.

    Returns
    -------
    record : (m,) int64 array
        Rows of the input; those suppressed and those of an unknown region are not among them.
    area : (m,) int32 array
        The area of each.
    """
    record = np.flatnonzero(release_mask(classes, aggregation, part(progress, 0.0, 0.5)))
    if rng is not None:
        interruptible(lambda: rng.shuffle(record), progress, 0.5)
    area = aggregation.area_of_region.astype(np.int32)[classes.record_region[record]]
    return record, area


def release_mask(
    classes: EquivalenceClasses,
    aggregation: Aggregation,
    progress: Progress = silent,
    most_cells: int = _DENSE,
) -> np.ndarray:
    """Whether each record of the input is released, (n,) bool.

    They are looked up in a table of so many cells at most; in a larger one they are searched.
    """
    counts = aggregation.areas.counts
    area_of_region = aggregation.area_of_region
    width = counts.shape[1]
    row = np.repeat(np.arange(counts.shape[0], dtype=np.int64), np.diff(counts.indptr))
    kept_cells = row * width + counts.indices
    kept_cells = kept_cells[counts.data >= aggregation.k]
    kept = np.zeros(len(classes.record_region), dtype=bool)
    # One look into a table for each record where it fits, a search otherwise.
    dense = counts.shape[0] * width <= most_cells
    table = np.zeros(counts.shape[0] * width if dense else 0, dtype=bool)
    if dense:
        table[kept_cells] = True
    for rows in chunks(len(kept), _ROWS, progress):
        region = classes.record_region[rows]
        known = region >= 0
        cell = area_of_region[region].astype(np.int64) * width
        cell += classes.record_class[rows]
        if dense:
            kept[rows] = known & table[np.where(known, cell, 0)]
        elif len(kept_cells):
            at = np.minimum(np.searchsorted(kept_cells, cell), len(kept_cells) - 1)
            kept[rows] = known & (kept_cells[at] == cell)
    if aggregation.withheld is not None:
        kept[aggregation.withheld] = False
    return kept
