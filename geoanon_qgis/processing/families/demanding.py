# SPDX-License-Identifier: GPL-2.0-or-later
"""What areas have to keep, as it is asked for: floors, widths, borders, pieces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.aggregation.demands import Demands, Floor
from ...core.aggregation.equivalence_classes import EquivalenceClasses
from ...core.aggregation.neighbours import (
    Neighbours,
    neighbours_of_points,
    neighbours_of_polygons,
)
from ...core.columns import Column
from ...core.runtime.errors import InputError
from ...core.runtime.geos import shapely
from ...core.runtime.progress import Progress, interruptible
from ...core.space.planes import Plane
from ..dialog import parameters
from ..dialog.rules import Rule
from ..i18n import number_of, tr
from ..layers import planes
from ..layers.regions import Regions
from . import area_sizes

#: Whether areas have to be in one piece.
ANYHOW, YES, BRIDGED = "no", "yes", "bridged"
#: Values of a field that are named in a sentence.
_NAMED = 5


@dataclass(frozen=True)
class Level:
    """One level of a hierarchy: units that hold whole areas.

    Attributes
    ----------
    field : str
    units : list of str
        Sorted.
    of_region : (n,) int array
        Unit of each region.
    """

    field: str
    units: list[str]
    of_region: np.ndarray


@dataclass(frozen=True)
class Kept:
    """What areas have to keep.

    Attributes
    ----------
    demands : Demands
    never_cross : list of str
        Fields whose borders no area crosses, those of the hierarchy among them.
    levels : list of Level
        The coarsest first.
    diameter_m : float or None
        As it was asked for.
    """

    demands: Demands
    never_cross: list[str]
    levels: list[Level]
    diameter_m: float | None


def demand_parameters(but_best: Rule) -> list:
    """Return the parameters; ``but_best`` holds where sites are found otherwise than by ``best``."""
    return [
        parameters.number(
            "TOLERANCE",
            tr("Tolerance of the search (%)"),
            tr(
                "For least_suppression and moves at the borders: by how much compactness and "
                "entropy loss may exceed those of the areas that it begins with. For best: the "
                "entropy loss, against balanced density's. More tolerance, fewer suppressed "
                "records. What it does to other measures, such as discernibility, is not limited, "
                "and the report tells it."
            ),
            5.0,
            0.0,
            advanced=True,
        ),
        parameters.integer(
            "MIN_RECORDS",
            tr("Fewest records of an area"),
            tr("Before suppression. 0: any number. A quarter of the mean costs little."),
            0,
            0,
        ),
        parameters.number(
            "MIN_POPULATION",
            tr("Fewest people of an area"),
            tr(
                "By POPULATION_FIELD: for records of a sample, or of patients, who live among "
                "others. 0: any number."
            ),
            0.0,
            0.0,
            advanced=True,
        ),
        parameters.field(
            "POPULATION_FIELD",
            tr("Regions' field with the people"),
            tr(
                "How many people live in each region, a number from 0: for MIN_POPULATION, and for "
                "the number of sites by a GAPS model, which the records decide without it."
            ),
            "REGIONS",
            numeric=True,
            advanced=True,
        ),
        parameters.number(
            "MAX_DIAMETER",
            tr("Largest diameter of an area (metres)"),
            tr(
                "Largest distance between the points of two of its regions. Areas that would be "
                "wider are divided, so that there may be more of them. Leave empty for any."
            ),
            None,
            0.0,
            optional=True,
            advanced=True,
        ),
        area_sizes.parameter(),
        parameters.field(
            "NEVER_CROSS",
            tr("Fields whose borders no area crosses"),
            tr(
                "Of the regions: state, county, health region. Regions that differ in one of them "
                "are never put together. Each part of the map gets its share of the sites, and one "
                "at least."
            ),
            "REGIONS",
            several=True,
        ),
        parameters.field(
            "HIERARCHY",
            tr("Fields of a hierarchy"),
            tr(
                "Of the regions, in any order, such as province and health region: each unit of "
                "the finer lies in one of the coarser. Areas lie within all of them, and are "
                "released with their names, so that figures add up from area to province."
            ),
            "REGIONS",
            several=True,
            advanced=True,
        ),
        parameters.choice(
            "CONTIGUOUS",
            tr("Areas in one piece"),
            tr(
                "no: an area may come in pieces; they are counted. yes: regions of an area adjoin "
                "(polygons that share a border, points whose Voronoi cells do); islands make areas "
                "of their own. bridged: the same, with islands joined to the nearest regions."
            ),
            [ANYHOW, YES, BRIDGED],
            ANYHOW,
        ),
        parameters.boolean(
            "BOUNDARY_MOVES",
            tr("Move single regions at the borders of areas"),
            tr(
                "In the end, regions at the border of two areas go to the other one where that has "
                "fewer records suppressed, within the same limits. A region need not belong to the "
                "nearest site then. LOCATION=best moves them in any case."
            ),
            False,
            advanced=True,
            only_when=but_best,
        ),
    ]


def check_demands(given) -> str | None:
    """Check what does not need the data."""
    if given.number("MIN_POPULATION") and not given.fields("POPULATION_FIELD"):
        return tr(
            "For MIN_POPULATION choose the regions' field with the people (POPULATION_FIELD)."
        )
    widest = given.number("MAX_DIAMETER")
    if widest is not None and not widest > 0:
        return tr("The largest diameter of an area must be a positive length in metres.")
    return area_sizes.check(given)


def fields_of_demands(run, source) -> list[str]:
    """Return the fields of the regions that are needed besides their id."""
    names = [*run.fields("NEVER_CROSS", source), *run.fields("HIERARCHY", source)]
    names += run.fields("POPULATION_FIELD", source)
    return list(dict.fromkeys(names))


def kept_of(
    run,
    source,
    regions: Regions,
    plane: Plane,
    classes: EquivalenceClasses,
    adjoining: bool,
    progress: Progress,
) -> Kept | None:
    """Return what areas have to keep, and which regions adjoin where that is needed.

    None where nothing is asked for; ``adjoining`` says that a method asks which regions adjoin.

    Raises
    ------
    InputError
        For a population that is no number from 0, a border that is not known of every region, and
        a hierarchy that is none.
    """
    progress(0.0)
    floors = []
    if run.number("MIN_RECORDS"):
        floors.append(Floor(classes.population, float(run.number("MIN_RECORDS"))))
    if run.number("MIN_POPULATION"):
        (name,) = run.fields("POPULATION_FIELD", source)
        people = people_in(regions.columns[name], name)
        floors.append(Floor(people, float(run.number("MIN_POPULATION")), True))
    widest = run.number("MAX_DIAMETER")
    in_plane = np.inf
    if widest is not None:
        in_plane = widest / plane.metres_per_unit if planes.unit(regions.crs) == "m" else widest
    columns = regions.columns
    levels = hierarchy([level_of(columns[one], one) for one in run.fields("HIERARCHY", source)])
    borders = [
        *(level_of(columns[one], one) for one in run.fields("NEVER_CROSS", source)),
        *levels,
    ]
    part, names = _parts(borders) if borders else (None, ())
    contiguous = run.choice("CONTIGUOUS")
    moves = run.flag("BOUNDARY_MOVES")
    near = None
    if contiguous != ANYHOW or moves or adjoining:
        near = _neighbours(regions, plane, progress)
    demands = Demands(
        tuple(floors),
        in_plane,
        part,
        names,
        near,
        contiguous != ANYHOW,
        contiguous == BRIDGED,
        moves,
        area_sizes.ceiling_of(run, regions, progress),
    )
    progress(1.0)
    if not demands and near is None:
        return None
    return Kept(demands, list(dict.fromkeys(one.field for one in borders)), levels, widest)


def people_in(column: Column, name: str) -> np.ndarray:
    """Return how many people live in each region, (n,) float.

    Raises
    ------
    InputError
        Where that is empty, or no number from 0.
    """
    if column.missing is not None:
        raise InputError(
            tr(
                "The field “{field}” is empty in {regions}: how many people live there is not "
                "known. Fill it in, or leave those regions out."
            ).format(field=name, regions=number_of(int(column.missing.sum()), "region", "regions"))
        )
    try:
        values = column.numbers()
    except ValueError:  # text is no number of people either
        values = np.full(len(column), np.nan)
    if not (np.isfinite(values) & (values >= 0)).all():
        raise InputError(
            tr(
                "The field “{field}” has values that are no numbers of people (from 0). Correct "
                "them, or choose another field."
            ).format(field=name)
        )
    return values


def level_of(column: Column, name: str) -> Level:
    """Return the units of one field.

    Raises
    ------
    InputError
        Where it is empty.
    """
    texts = column.texts("")
    unknown = sum(not text.strip() for text in texts)
    if unknown:
        raise InputError(
            tr(
                "The field “{field}” is empty (NULL) in {regions}: on which side of its borders "
                "they lie is not known. Fill it in, or leave those regions out."
            ).format(field=name, regions=number_of(unknown, "region", "regions"))
        )
    units, of_region = np.unique(np.array(texts, dtype=object), return_inverse=True)
    return Level(name, units.tolist(), of_region.reshape(-1))


def hierarchy(levels: list[Level]) -> list[Level]:
    """Return levels from the coarsest to the finest, each nested in the one before.

    Raises
    ------
    InputError
        Where one is not.
    """
    levels = sorted(levels, key=lambda one: len(one.units))
    for coarse, fine in zip(levels, levels[1:]):
        pairs = np.unique(np.stack([fine.of_region, coarse.of_region]), axis=1)
        several = np.flatnonzero(np.bincount(pairs[0]) > 1)
        if len(several):
            raise InputError(
                tr(
                    "“{fine}” is not nested in “{coarse}”: {units} lie in several of its units. "
                    "Give one of the two as NEVER_CROSS, or correct the fields."
                ).format(
                    fine=fine.field,
                    coarse=coarse.field,
                    units=", ".join(fine.units[at] for at in several[:_NAMED]),
                )
            )
    return levels


def _parts(borders: list[Level]) -> tuple[np.ndarray, tuple[str, ...]]:
    """Part of the map of each region, and what the parts are called."""
    borders = list({one.field: one for one in borders}.values())
    codes = np.stack([one.of_region for one in borders])
    combined, part = np.unique(codes, axis=1, return_inverse=True)
    names = tuple(
        ", ".join(f"{one.field} {one.units[code]}" for one, code in zip(borders, column))
        for column in combined.T
    )
    return part.reshape(-1), names


def _neighbours(regions: Regions, plane: Plane, progress: Progress) -> Neighbours:
    if regions.geometries is None:
        return neighbours_of_points(plane.forward(regions.xy), progress)
    shapes = shapely().from_wkb([bytes(one.asWkb()) for one in regions.geometries])
    # Which adjoin is asked of GEOS, which cannot be interrupted.
    return interruptible(lambda: neighbours_of_polygons(shapes), progress)
