# SPDX-License-Identifier: GPL-2.0-or-later
"""Files for attacks on released distances: German-like ones to tune on, others kept aside."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import _dwellings
import _germans  # also puts the checkout on the path
import _timing as timing
import numpy as np

from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import Metric, metric_for

#: Data that nothing was tuned on but the near group's confidence.
KEPT_ASIDE = ("valley", "uniform", "Nova Scotia", "Ontario", "dwellings")
#: A made-up state between two cities: outline in metres, towns with thousands of people.
_VALLEY = np.array([[0, 0], [420, 0], [480, 90], [440, 250], [40, 260], [0, 180]]) * 1000.0
_TOWNS = (
    np.array([[430, 60], [40, 90], [370, 130], [60, 240], [330, 90], [400, 190], [350, 60]])
    * 1000.0
)
_PEOPLE = np.array([1560.0, 300.0, 125.0, 95.0, 95.0, 76.0, 58.0])


@dataclass(frozen=True)
class Region:
    """Where files are drawn from.

    Attributes
    ----------
    area : StudyArea
    metric : Metric
    addresses : callable
        Takes a number and a generator.
    """

    area: StudyArea
    metric: Metric
    addresses: Callable[[int, np.random.Generator], np.ndarray]


@dataclass(frozen=True)
class Files:
    """Released and known people, and the row of each released one among the known (-1: none)."""

    region: Region
    secret: np.ndarray
    target: list
    points: np.ndarray
    known: list
    truth: np.ndarray

    def right(self, matches: np.ndarray) -> np.ndarray:
        """Which matches are right."""
        return self.truth[matches[:, 0]] == matches[:, 1]


def available(kind: str) -> bool:
    """Whether the data are there."""
    if kind == "dwellings":
        return _dwellings.available()
    if kind in ("Nova Scotia", "Ontario"):
        return _CANADA.exists()
    return True


_CANADA = timing.SHARED / "canada_dissemination_areas_2011.csv.gz"


def in_square(side: float, addresses: Callable[[int, np.random.Generator], np.ndarray]) -> Region:
    """Return a square of ``side`` metres whose addresses are drawn so."""
    corners = side * np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    return Region(StudyArea.of_rings([corners], None), metric_for("planar", None), addresses)


@cache
def region(kind: str) -> Region:
    """Return a region: Germans, or one of :data:`KEPT_ASIDE`."""
    globe = metric_for("great_circle", _germans.WGS84)
    plane = metric_for("planar", None)
    if kind == "germans":
        return Region(_germans.area(), globe, _germans.addresses)
    if kind == "uniform":
        return Region(_germans.area(), globe, _germans.area().sample)
    if kind == "valley":
        return Region(StudyArea.of_rings([_VALLEY], None), plane, _valley)
    if kind == "dwellings":
        return listed(_dwellings.integer_metres(), plane)
    return provinces((kind,))


@cache
def provinces(names: tuple[str, ...] | None) -> Region:
    """Areas of some provinces of Canada, or of all of them."""
    with gzip.open(_CANADA, "rt", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if names is None or row["prov"] in names]
    places = np.array([(float(row["lamx"]), float(row["lamy"])) for row in rows])
    return listed(places, metric_for("planar", None))


def draw(
    kind: str,
    seed: int,
    count: tuple[int, int, int] = (_germans.N_TARGET, _germans.N_IDENTIFICATION, _germans.OVERLAP),
    labels: str = "sex and age",
    neighbours: bool = False,
) -> Files:
    """Draw both files anew: so many released, known and in both; labels "sex" or "none" as well.

    With ``neighbours`` those in both are the released who live nearest to one of them.
    """
    rng = np.random.default_rng(seed)
    where = region(kind)
    total = count[0] + count[1] - count[2]
    points = where.addresses(total, rng)
    if neighbours:  # the last of the released are in both
        gaps = where.metric.rows(*(where.metric.coordinates(points[:n]) for n in (1, count[0])))[0]
        points[: count[0]] = points[np.argsort(-gaps)]
    people: list = _germans.people(total, rng)
    if labels != "sex and age":
        people = [one[0] if labels == "sex" else "all" for one in people]
    return dealt(where, points, people, count, rng)


def dealt(where: Region, points: np.ndarray, people: list, count: tuple, rng) -> Files:
    """Deal people out to both files: so many released, known and in both."""
    released, known, common = count
    first = rng.permutation(released)
    second = rng.permutation(np.arange(released - common, len(people)))
    row = np.full(len(people), -1)
    row[second] = np.arange(known)
    return Files(
        where,
        points[first],
        [people[at] for at in first],
        points[second],
        [people[at] for at in second],
        row[first],
    )


def listed(places: np.ndarray, metric: Metric) -> Region:
    """People at places of a list, no two at one."""
    places = np.unique(places, axis=0)
    return Region(
        StudyArea.convex_hull(places, None),
        metric,
        lambda count, rng: places[rng.choice(len(places), count, replace=False)],
    )


def _valley(count: int, rng: np.random.Generator) -> np.ndarray:
    area = StudyArea.of_rings([_VALLEY], None)
    found = np.empty((0, 2))
    while len(found) < count:
        kind = rng.random(2 * count)
        town = rng.choice(len(_TOWNS), 2 * count, p=_PEOPLE / _PEOPLE.sum())
        spread = np.where(kind < 0.4, 5000 * np.sqrt(_PEOPLE[town] / 1000) + 1000, 25_000)
        drawn = _TOWNS[town] + rng.normal(size=(2 * count, 2)) * spread[:, None]
        anywhere = kind > 0.75
        drawn[anywhere] = area.sample(int(anywhere.sum()), rng)
        found = np.concatenate([found, drawn[area.contains(drawn)]])
    return found[:count]
