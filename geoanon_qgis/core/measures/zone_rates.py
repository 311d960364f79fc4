# SPDX-License-Identifier: GPL-2.0-or-later
"""Rates by zone, before and after: does a map of the release say what a map of the originals does?

Of numbers the mean of each zone, of categories the share; compared where both have enough records,
with Moran's I of the zones that adjoin (Cliff & Ord 1981).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..distances.spatial_statistics import moran_i
from ..masking.zones import checked_shapes, zone_of
from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import figure
from .contiguity import contiguity

#: Records of a zone from which on its rate is compared.
ENOUGH = 5
#: Fields of more categories have no rates: the map of each would be of a few people.
_CATEGORIES = 12

Columns = Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Rate:
    """One mean or share by zone.

    Attributes
    ----------
    field, value : str
        ``value`` is the category whose share it is; empty for the mean of a number.
    original, released : (z,) arrays
        NaN in zones with fewer than :data:`ENOUGH` records that have a value, in either table.
    moran_original, moran_released : float
        Moran's I of the zones that have both; NaN where it does not exist.
    """

    field: str
    value: str
    original: np.ndarray
    released: np.ndarray
    moran_original: float
    moran_released: float

    @property
    def zones(self) -> int:
        """Zones that are compared."""
        return int(np.isfinite(self.original).sum())

    @property
    def correlation(self) -> float:
        """Pearson's, of the two maps; NaN where one of them has one value everywhere."""
        there = np.isfinite(self.original)
        before, after = self.original[there], self.released[there]
        if len(before) < 3 or np.ptp(before) == 0 or np.ptp(after) == 0:
            return float("nan")
        return float(np.corrcoef(before, after)[0, 1])

    @property
    def difference(self) -> float:
        """Median absolute difference, in the field's unit."""
        there = np.isfinite(self.original)
        gap = np.abs(self.original - self.released)[there]
        return float(np.median(gap)) if len(gap) else float("nan")


@dataclass(frozen=True, eq=False, repr=False)
class ZoneRates(Summarised):
    """Numbers of records and rates by zone.

    Attributes
    ----------
    counts_original, counts_released : (z,) int arrays
    outside : (int, int)
        Originals and released records in no zone.
    moran_original, moran_released : float
        Moran's I of the numbers of records.
    rates : tuple of Rate
    """

    counts_original: np.ndarray
    counts_released: np.ndarray
    outside: tuple[int, int]
    moran_original: float
    moran_released: float
    rates: tuple[Rate, ...]

    @property
    def correlation(self) -> float:
        """Median correlation of the maps of rates; NaN without one."""
        found = [one.correlation for one in self.rates]
        found = [one for one in found if one == one]
        return float(np.median(found)) if found else float("nan")

    def in_words(self) -> str:
        """Say how the maps agree."""
        return (
            f"Rates of {len(self.rates):,} values in {len(self.counts_original):,} zones correlate"
            f" by {figure(self.correlation, '.2f')} (median). Moran's I of the numbers of records:"
            f" {figure(self.moran_original, '.2f')}, then {figure(self.moran_released, '.2f')}."
        )


def compare_zone_rates(
    original_xy: np.ndarray,
    released_xy: np.ndarray,
    original: Columns,
    released: Columns,
    zones: Sequence[Any],
    progress: Progress = silent,
) -> ZoneRates:
    """Compare maps of the zones.

    Parameters
    ----------
    original_xy, released_xy : (n, 2), (p, 2) arrays
        In the plane of the zones.
    original, released : mapping of str to array
        The same fields of these records: numbers with NaN, or objects with None.
    zones : sequence of z shapely polygons
    progress : callable

    Returns
    -------
    ZoneRates

    Raises
    ------
    InputError
        If a zone has no area or crosses itself, or no original lies in any.
    """
    shapes = checked_shapes(zones)
    at = [
        zone_of(original_xy, shapes, part(progress, 0.0, 0.25)),
        zone_of(released_xy, shapes, part(progress, 0.25, 0.5)),
    ]
    if not (at[0] >= 0).any():
        raise InputError(
            "No original record lies in any of the zones. Choose a layer of the same region."
        )
    weights = contiguity(list(shapes), progress=part(progress, 0.5, 0.7))
    counts = [np.bincount(one[one >= 0], minlength=len(shapes)) for one in at]
    rates = []
    fields = [name for name in original if name in released]
    for number, name in enumerate(fields):
        progress(0.7 + 0.3 * number / len(fields))
        for value in _values(original[name]):
            sides = [
                _rates(one, table[name], value, len(shapes))
                for one, table in zip(at, (original, released))
            ]
            there = np.isfinite(sides[0]) & np.isfinite(sides[1])
            first, second = (np.where(there, side, np.nan) for side in sides)
            near = weights[there][:, there]
            before, after = (_moran(side[there], near) for side in sides)
            label = "" if value is None else str(value)
            rates.append(Rate(name, label, first, second, before, after))
    progress(1.0)
    before, after = (_moran(one.astype(np.float64), weights) for one in counts)
    outside = (int((at[0] < 0).sum()), int((at[1] < 0).sum()))
    return ZoneRates(counts[0], counts[1], outside, before, after, tuple(rates))


def _values(column: np.ndarray) -> list:
    """The categories that have a share, None for numbers; of two the later one says all."""
    if column.dtype.kind in "fiu":
        return [None]
    found = sorted({one for one in column.tolist() if one is not None}, key=str)
    if len(found) > _CATEGORIES:
        return []
    return found[1:] if len(found) == 2 else found


def _rates(zone: np.ndarray, column: np.ndarray, value: object, count: int) -> np.ndarray:
    if value is None:
        numbers = column.astype(np.float64)
        there = np.isfinite(numbers) & (zone >= 0)
        numbers = np.where(there, numbers, 0.0)
    else:
        values = column.tolist()
        there = np.array([one is not None for one in values], dtype=bool) & (zone >= 0)
        numbers = np.array([one == value for one in values], dtype=np.float64)
    people = np.bincount(zone[there], minlength=count)
    total = np.bincount(zone[there], weights=numbers[there], minlength=count)
    return np.where(people >= ENOUGH, total / np.maximum(people, 1), np.nan)


def _moran(values: np.ndarray, weights) -> float:
    """Moran's I, with the weights as they are among these zones."""
    if len(values) < 4 or weights.nnz == 0:
        return float("nan")
    return float(moran_i(values, weights))
