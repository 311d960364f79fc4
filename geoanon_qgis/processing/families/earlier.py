# SPDX-License-Identifier: GPL-2.0-or-later
"""An earlier release of the same records: its look-up table, areas nested with it, what can be subtracted."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from qgis.core import QgsFeatureRequest

from ...core.aggregation.demands import Demands
from ...core.aggregation.differencing import Differences, differences
from ...core.aggregation.joins import Joins, areas_to_join, joined
from ...core.aggregation.nesting import ANY, COARSEN, MODES, REFINE, SAME, nested
from ...core.aggregation.vbas import Aggregation
from ...core.aggregation.withholding import Withheld, to_withhold, without
from ...core.columns import column_of
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, shares
from ..dialog import parameters
from ..dialog.rules import GIVEN
from ..i18n import number_of, tr
from ..layers import fingerprints
from ..layers.fieldnames import spelt_as_in
from .regional import Data

#: Ids that a sentence names.
_NAMED = 5


@dataclass(frozen=True)
class Earlier:
    """Earlier releases, as they were given.

    Attributes
    ----------
    name : str
        Of the look-up table.
    k : int
        Of the earlier release.
    areas_of_region : (n, r) int array
        Area of each region in each of them, -1 for none.
    area_names : tuple of r lists of str
        What their areas are called, by number.
    mode : str
        How the new areas lie to those of the first: one of :data:`.nesting.MODES`.
    """

    name: str
    k: int
    areas_of_region: np.ndarray
    area_names: tuple[list[str], ...]
    mode: str

    @property
    def first(self) -> np.ndarray:
        """Areas of the first, with which new ones may be nested."""
        return self.areas_of_region[:, 0]


@dataclass(frozen=True)
class Subtracted:
    """What two releases give away together.

    Attributes
    ----------
    name : str
        Of the earlier look-up table.
    k : int
        Of the earlier release.
    areas : int
        Of the earlier release, or of all, that hold regions of the layer.
    outside : int
        Regions that were in no area of it, or of one of them.
    releases : int
        Earlier releases.
    found : Differences
    areas_of_region : (n, r) int array
        Area of each region in each of them, -1 for none.
    area_names : tuple of r lists of str
        What their areas are called, by number.
    joins : Joins or None
        Areas that have to be joined so that nothing can be subtracted, where some were found.
    are_joined : bool
        Whether they are; ``found`` is what is left then.
    mode : str
        How the new areas lie to the earlier ones.
    """

    name: str
    k: int
    areas: int
    outside: int
    releases: int
    found: Differences
    areas_of_region: np.ndarray
    area_names: tuple[list[str], ...]
    joins: Joins | None = None
    are_joined: bool = False
    mode: str = ANY


def earlier_parameters() -> list:
    """Return the parameters."""
    return [
        parameters.table(
            "EARLIER",
            tr("Regions and their areas of an earlier release"),
            tr(
                "LOOKUP of a release of the same records by the same quasi-identifiers. What can be "
                "computed by subtracting one release from the other is looked for, and counts in the "
                "verdict. Several earlier releases: one table, with a field for the areas of each."
            ),
            optional=True,
            advanced=True,
        ),
        parameters.field(
            "EARLIER_REGION",
            tr("Its field with the region's id"),
            tr("Leave empty where it has the name of the regions' field."),
            "EARLIER",
            advanced=True,
            only_when={"EARLIER": GIVEN},
        ),
        parameters.field(
            "EARLIER_AREA",
            tr("Its field with the area, or one for each earlier release"),
            tr(
                "Leave empty where it is called area_id. Of several fields all releases are subtracted "
                "from each other together; empty values are regions that one of them left out."
            ),
            "EARLIER",
            several=True,
            advanced=True,
            only_when={"EARLIER": GIVEN},
        ),
        parameters.integer(
            "EARLIER_K",
            tr("K of the earlier release"),
            tr("Leave empty where it was the same. Of several releases the smallest."),
            None,
            2,
            optional=True,
            advanced=True,
            only_when={"EARLIER": GIVEN},
        ),
        parameters.boolean(
            "EARLIER_JOIN",
            tr("Join areas so that nothing can be subtracted"),
            tr(
                "Where classes below K can be computed from an earlier release and this one, areas are "
                "joined until none can, if such joins are found. Without it the report lists them."
            ),
            False,
            advanced=True,
            only_when={"EARLIER_NESTED": (ANY,)},
        ),
        parameters.choice(
            "EARLIER_NESTED",
            tr("How the areas lie to the earlier ones"),
            tr(
                "any: as they come. refine: each lies in one earlier area. coarsen: each is made of "
                "whole earlier areas. Of such areas nothing can be subtracted, as some more records are "
                "withheld where it could; that is checked. same: the earlier areas again, for "
                "records of another year (SITES_BY does not count then). Of several earlier "
                "releases the first field counts, and only the check looks at the others."
            ),
            list(MODES),
            ANY,
            advanced=True,
            only_when={"EARLIER": GIVEN},
        ),
    ]


def is_same(given) -> bool:
    """Whether the earlier areas are to be made again, so that their number is given."""
    return given.has("EARLIER") and given.choice("EARLIER_NESTED") == SAME


def read(run, data: Data, area_field: str, progress: Progress) -> Earlier | None:
    """Read the earlier releases; None where none is given.

    Raises
    ------
    InputError
        For a table of other regions, one that names a region twice, and values that are missing;
        where the areas are to be the same again, also for one that lacks regions.
    """
    source = run.source("EARLIER")
    if source is None:
        return None
    regions, areas = _read(run, source, data, area_field, progress)
    known = {one: at for at, one in enumerate(data.regions.ids.texts())}
    strange = [one for one in regions if one not in known]
    if strange:
        raise InputError(
            tr(
                "The earlier release “{name}” is of other regions: {count} of it, such as {some}, "
                "not in the layer. Give the look-up table of a release by these regions."
            ).format(
                name=source.sourceName(),
                count=number_of(len(strange), "region is", "regions are"),
                some=", ".join(strange[:_NAMED]),
            )
        )
    if len(set(regions)) < len(regions):
        raise InputError(
            tr(
                "The earlier release “{name}” names some regions twice. Each region lies in one area."
            ).format(name=source.sourceName())
        )
    old = np.full((len(known), len(areas)), -1, dtype=np.int64)
    names = []
    row = [known[one] for one in regions]
    for at, texts in enumerate(areas):
        named = np.array(texts, dtype=object)
        there = named != ""
        called, of = np.unique(named[there], return_inverse=True)
        old[np.array(row)[there], at] = of.reshape(-1)
        names.append(called.tolist())
    k = int(run.number("EARLIER_K") or run.number("K"))
    mode = run.choice("EARLIER_NESTED")
    lacking = int((old[:, 0] < 0).sum())
    if mode == SAME and lacking:
        raise InputError(
            tr(
                "{regions} in no area of the earlier release “{name}”: the same areas cannot be made "
                "again. Complete the table, or leave those regions out."
            ).format(
                regions=number_of(lacking, "region is", "regions are"), name=source.sourceName()
            )
        )
    return Earlier(source.sourceName(), k, old, tuple(names), mode)


def demands_of(data: Data, one: Earlier | None) -> Demands | None:
    """What areas have to keep: also that they are nested with the earlier ones.

    Raises
    ------
    InputError
        Where they cannot be.
    """
    demands = None if data.kept is None else data.kept.demands
    if one is None or one.mode == ANY:
        return demands
    none = tr("(in no earlier area)")
    return nested(demands or Demands(), data.xy, one.first, one.area_names[0], one.mode, none)


def withheld_of(
    data: Data, result: Aggregation, one: Earlier | None, rng, progress: Progress
) -> tuple[Aggregation, Withheld | None]:
    """Withhold records besides, where nested areas could be subtracted else."""
    if one is None or one.mode not in (REFINE, COARSEN):
        return result, None
    classes, ks = data.counted.classes, (result.k, one.k)
    found = to_withhold(classes, result.area_of_region, one.first, ks, one.mode, rng, progress)
    return without(result, classes, data.xy, found, data.plane.ground_distance), found


def subtracted(
    data: Data,
    result: Aggregation,
    one: Earlier | None,
    withheld: Withheld | None,
    progress: Progress,
) -> Subtracted | None:
    """Look for what can be subtracted; None where no earlier release is given."""
    if one is None:
        return None
    looking, joining = shares(progress, 2)
    classes, area, old = data.counted.classes, result.area_of_region, one.areas_of_region
    ks = result.k, one.k
    left_out = None if withheld is None else withheld.counts
    found = differences(classes, area, old, *ks, looking, withheld=left_out)
    joins = None
    if one.mode == ANY:
        demands = None if data.kept is None else data.kept.demands
        joins = areas_to_join(classes, data.xy, area, old, ks, found, demands, joining)
    return Subtracted(
        one.name,
        one.k,
        int((old.max(axis=0) + 1).sum()),
        int((old < 0).any(axis=1).sum()),
        old.shape[1],
        found,
        old,
        one.area_names,
        joins,
        mode=one.mode,
    )


def without_subtraction(
    run, data: Data, result: Aggregation, one: Subtracted | None
) -> tuple[Aggregation, Subtracted | None]:
    """Return the areas joined, where that is asked for, was found and is needed."""
    if one is None or one.joins is None or not run.flag("EARLIER_JOIN"):
        return result, one
    made = joined(result, data.counted.classes, data.xy, one.joins, data.plane.ground_distance)
    return made, replace(one, found=one.joins.left, are_joined=True)


def _read(run, source, data: Data, area_field: str, progress: Progress):
    """Ids of regions, and of the areas of each release, as texts; empty for none of several."""
    wanted = [
        run.field("EARLIER_REGION") or data.regions.id_field.name(),
        *(run.fields("EARLIER_AREA") or [area_field]),
    ]
    names = spelt_as_in(source.fields(), wanted)
    positions = [source.fields().indexOf(name) for name in names]
    request = QgsFeatureRequest()
    request.setSubsetOfAttributes(positions)
    values: list[list] = [[] for _ in names]
    fingerprint = fingerprints.begin(source, names)
    count = max(1, source.featureCount())
    for number, feature in enumerate(source.getFeatures(request)):
        if number % 50 == 0:
            progress(min(1.0, number / count))
        fingerprint.add(*fingerprints.one(feature, *positions))
        attributes = feature.attributes()
        for column, position in zip(values, positions):
            column.append(attributes[position])
    fingerprint.end()
    columns = [column_of(name, column) for name, column in zip(names, values)]
    texts = [[text if text.strip() else "" for text in one.texts("")] for one in columns]
    # A region need not be in each of several releases.
    needed = texts[:1] if len(texts) > 2 else texts
    if not all(any(one) for one in texts) or not all(all(one) for one in needed):
        raise InputError(
            tr(
                "The earlier release “{name}” has no rows, or some in which region or area is empty."
            ).format(name=source.sourceName())
        )
    return texts[0], texts[1:]
