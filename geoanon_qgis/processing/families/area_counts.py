# SPDX-License-Identifier: GPL-2.0-or-later
"""Counts of areas as offices have them: fields with cases and people, regions within wider units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from qgis.core import QgsFeatureRequest, QgsGeometry, QgsProcessingFeatureSource, QgsWkbTypes

from ...core.aggregation.contained import contained
from ...core.aggregation.count_tables import (
    CountTable,
    nested_table,
    refuse_a_total_among,
    whole_counts,
)
from ...core.aggregation.rates import rates
from ...core.columns import Column, column_of
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, part
from ..i18n import number_of, tr
from ..layers import fingerprints
from ..layers.regions import joined, usable
from .demanding import Level, hierarchy, level_of, people_in

_NO_CHECKS = QgsProcessingFeatureSource.Flag.FlagSkipGeometryValidityChecks


@dataclass(frozen=True)
class AreaCounts:
    """Counts that were read, and the table of all sums of them.

    Attributes
    ----------
    name : str
        The layer's.
    levels : list of Level
        The units, from the coarsest to the areas themselves; of each row.
    categories : list of str
        Fields with cases, and the total where there are several.
    has_people : bool
    table : CountTable
        Level 0 is the whole map, the last one the areas.
    shapes : list of QgsGeometry or None
        The polygon of each row, where polygons are to be joined.
    sentences : list of str
        What was made of it, for log and report.
    contained : list of (int, int)
        Categories of which the second may be a part of the first, where nobody said.
    """

    name: str
    levels: list[Level]
    categories: list[str]
    has_people: bool
    table: CountTable
    shapes: list[QgsGeometry | None]
    sentences: list[str]
    contained: list[tuple[int, int]]

    @property
    def shares_people(self) -> bool:
        """Whether several categories have the same people."""
        people = self.table.people[self.table.level == 0]
        return self.has_people and len(people) > 1 and bool((people == people[0]).all())

    @property
    def areas(self) -> Level:
        """The areas, of each row."""
        return self.levels[-1]

    def unit_of(self, cell: int) -> str:
        """What the unit of a cell is called."""
        level = int(self.table.level[cell])
        return self.levels[level - 1].units[self.table.unit[cell]] if level else tr("whole map")

    def field_of(self, cell: int) -> str:
        """The field that its unit is one of; empty for the whole map."""
        level = int(self.table.level[cell])
        return self.levels[level - 1].field if level else ""

    def rows(self, hidden: np.ndarray, per: float) -> list[tuple]:
        """What is released of each cell: unit, category, cases, people, rate and interval."""
        table = self.table
        cases = np.where(hidden, np.nan, table.counts)
        figures = [np.where(hidden, np.nan, one) for one in rates(table.counts, table.people, per)]
        people = np.where(np.isfinite(table.people), table.people, np.nan)
        columns = [_plain(one) for one in (cases, people, *figures)]
        return [
            (
                int(table.level[cell]),
                self.field_of(cell),
                self.unit_of(cell),
                self.categories[table.column[cell]],
                None if hidden[cell] else int(table.counts[cell]),
                *(one[cell] for one in columns[1:]),
                int(hidden[cell]),
            )
            for cell in range(len(table))
        ]

    def of_areas(self) -> np.ndarray:
        """Cells of the areas, all categories together, (areas,) int."""
        last = len(self.categories) - 1
        return np.flatnonzero((self.table.level == len(self.levels)) & (self.table.column == last))


def read_area_counts(run, source, progress: Progress) -> AreaCounts:
    """Read fields with cases and people, and add them up.

    Raises
    ------
    InputError
        For counts that are missing, negative or not whole, more cases than people or than cases in
        all, areas without a name, and a hierarchy that is none.
    """
    (area,) = run.fields("AREA", source)
    wider = [one for one in run.fields("HIERARCHY", source) if one != area]
    whole, people = run.fields("ALL_CASES", source), run.fields("POPULATION", source)
    cases = [one for one in run.fields("CASES", source) if one not in whole]
    if not cases:
        cases, whole = whole, []
    if len(set(cases)) < len(cases):
        raise InputError(
            tr("A field with cases is chosen twice: everybody in it would be counted twice.")
        )
    if len(people) not in (0, 1, len(cases)):
        raise InputError(
            tr(
                "There are {cases} with cases and {people} with people. Choose one field with the "
                "people, or one for each field with cases, in the same order."
            ).format(
                cases=number_of(len(cases), "field", "fields"),
                people=number_of(len(people), "field", "fields"),
            )
        )
    if whole and len(people) > 1:
        raise InputError(
            tr(
                "Some of all cases may be in none of the fields (ALL_CASES), and how many people could be "
                "among those is not known. Choose one field with the people (POPULATION)."
            )
        )
    names = list(dict.fromkeys([area, *wider, *cases, *whole, *people]))
    kind = QgsWkbTypes.geometryType(source.wkbType())
    are_drawn = kind == QgsWkbTypes.GeometryType.PolygonGeometry and (
        run.outputs.wanted("AREAS_OUT") or run.outputs.wanted("REPORT")
    )
    columns, shapes = _read(source, names, are_drawn, progress)
    size = len(columns[area])
    if not size:
        raise InputError(
            tr("“{name}” has no features. Choose another layer, or select some.").format(
                name=source.sourceName()
            )
        )
    levels = hierarchy([level_of(columns[one], one) for one in wider])
    areas = level_of(columns[area], area)
    if levels and hierarchy([levels[-1], areas])[-1] is not areas:
        raise InputError(
            tr(
                "“{wider}” has more units than “{area}”, so that they are no areas within them. Take "
                "it out of HIERARCHY, or choose another field for the areas."
            ).format(wider=levels[-1].field, area=area)
        )
    counts = _summed(np.column_stack([_cases(columns[one]) for one in cases]), areas)
    refuse_a_total_among(counts, cases)
    categories = list(cases)
    if whole:
        rest = _rest(counts, _summed(_cases(columns[whole[0]])[:, None], areas)[:, 0], whole[0])
        if rest.any():
            counts = np.column_stack([counts, rest])
            categories.append(_free_name(tr("others"), [*cases, *whole]))
    may_be = [] if whole or run.flag("APART") else contained(counts)
    living = None
    if people:
        found = [people_in(columns[one], one) for one in people]
        living = _summed(np.column_stack(found), areas)
    of_area = np.zeros(len(areas.units), dtype=np.intp)
    of_area[areas.of_region] = np.arange(size)
    made = nested_table(counts, living, [one.of_region[of_area] for one in levels])
    said = [
        tr("{cases} in {areas}, from {rows}.").format(
            cases=number_of(int(counts.sum()), "case", "cases"),
            areas=number_of(len(areas.units), "area", "areas"),
            rows=number_of(size, "feature", "features"),
        )
    ]
    if len(categories) > 1:
        categories.append(whole[0] if whole else _free_name(tr("total"), cases))
        said.append(_of_categories(categories, whole))
    if living is None:
        said.append(tr("Without people (POPULATION) there are no rates, and counts may be any."))
    return AreaCounts(
        source.sourceName(),
        [*levels, areas],
        categories,
        living is not None,
        made,
        shapes,
        said,
        may_be,
    )


def _rest(counts: np.ndarray, whole: np.ndarray, name: str) -> np.ndarray:
    """Cases of each area that are in none of the categories."""
    rest = whole - counts.sum(axis=1)
    if (rest < 0).any():
        raise InputError(
            tr(
                "“{name}” is to hold all cases (ALL_CASES), but {areas} fewer there than in the fields with "
                "cases together. If some are counted in several of these, publish one of them at a time."
            ).format(name=name, areas=number_of(int((rest < 0).sum()), "area has", "areas have"))
        )
    return rest


def _free_name(name: str, taken: Sequence[str]) -> str:
    while name in taken:  # a category that is called so
        name += "_"
    return name


def _of_categories(categories: list[str], whole: list[str]) -> str:
    """What the last category is the sum of."""
    *parts, last = categories
    if whole:
        said = tr(
            "“{whole}” are all cases: the sum of {fields}. Those in none of the fields with cases are a "
            "category of their own, and protected like the others."
        )
        return said.format(whole=last, fields=", ".join(parts))
    return tr(
        "The table of categories comes without totals: they are the sums of {fields}, in which "
        "everybody is to be counted once."
    ).format(fields=", ".join(parts))


def _cases(column: Column) -> np.ndarray:
    if column.missing is not None:
        raise InputError(
            tr(
                "The field “{field}” is empty in {features}: how many cases there are is not known. "
                "Fill in 0 where there are none, and leave out what is not known."
            ).format(
                field=column.name,
                features=number_of(int(column.missing.sum()), "feature", "features"),
            )
        )
    try:
        values = column.numbers()
    except ValueError as error:
        raise InputError(
            tr("The field “{field}” holds no numbers of cases.").format(field=column.name)
        ) from error
    return whole_counts(values)[:, 0]


def _summed(values: np.ndarray, areas: Level) -> np.ndarray:
    found = np.zeros((len(areas.units), values.shape[1]), dtype=values.dtype)
    np.add.at(found, areas.of_region, values)
    return found


def _read(
    source, names: list[str], with_shapes: bool, progress: Progress
) -> tuple[dict[str, Column], list[QgsGeometry | None]]:
    """Columns by name, and the polygon of each row where they are wanted."""
    positions = [source.fields().indexOf(name) for name in names]
    request = QgsFeatureRequest()
    request.setSubsetOfAttributes(positions)
    if not with_shapes:
        request.setFlags(QgsFeatureRequest.Flag.NoGeometry)
    values: list[list] = [[] for _ in names]
    shapes: list[QgsGeometry | None] = []
    fingerprint = fingerprints.begin(source, names)
    count = max(1, source.featureCount())
    for row, feature in enumerate(source.getFeatures(request, _NO_CHECKS)):
        if row % 50 == 0:
            progress(min(1.0, row / count))
        fingerprint.add(*fingerprints.one(feature, *positions))
        attributes = feature.attributes()
        for column, position in zip(values, positions):
            column.append(attributes[position])
        if with_shapes:
            shapes.append(usable(feature.geometry())[0])
    fingerprint.end()
    return {name: column_of(name, one) for name, one in zip(names, values)}, shapes


def joined_areas(counts: AreaCounts, progress: Progress) -> list[QgsGeometry | None]:
    """Join the polygons of each area; None for one without, nothing where none were read."""
    if not counts.shapes:
        return []
    members: list[list[QgsGeometry]] = [[] for _ in counts.areas.units]
    for area, shape in zip(counts.areas.of_region.tolist(), counts.shapes):
        if shape is not None:
            members[area].append(shape)
    found = []
    for at, one in enumerate(members):
        done = at / len(members)
        progress(done)
        found.append(joined(one, part(progress, done, done)))
    return found


def _plain(values: np.ndarray) -> Sequence[float | None]:
    return [None if value != value else value for value in values.tolist()]
