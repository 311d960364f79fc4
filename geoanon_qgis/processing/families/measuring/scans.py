# SPDX-License-Identifier: GPL-2.0-or-later
"""The scan statistic before and after a mask, on the population at risk that was given."""

from __future__ import annotations

import numpy as np

from ....core.masking.zones import zone_of
from ....core.measures.scan import Scan, kept, largest_of_draws, scan
from ....core.measures.scan_circles import AtRisk, at_risk, circles
from ....core.runtime.errors import InputError
from ....core.runtime.geos import shapely
from ....core.runtime.progress import weighted
from ...i18n import tr, translated
from ...layers.zones import Polygons
from ...running import Run
from ..masks.public_sizes import people_of
from .measured import CANDIDATES, CONTROLS, POPULATION, Paired, Scanned


def scanned(
    run: Run,
    paired: Paired,
    candidates: np.ndarray | None,
    areas: Polygons | None,
    people: np.ndarray | None,
) -> Scanned | None:
    """Scan both patterns with the same circles and draws; None where no population was given."""
    found = _population(run, paired, candidates, areas, people)
    if found is None:
        return None
    source, sites = found
    making, first, second = weighted(run.step("scan"), 10, 80, 10)
    try:
        look_at = circles(sites, run.number("SHARE"), making)
    except InputError as error:  # of such a population nothing can be scanned; all else can
        run.warn(tr("Scan statistic: {why}").format(why=translated(error.sentence)))
        return None
    rng, draws = run.rng(), run.number("DRAWS")
    patterns = [paired.before, paired.after]
    if source == POPULATION and areas is not None:
        patterns = [_at_middles(xy, areas) for xy in patterns]
    drawn: dict[int, np.ndarray] = {}
    scans: list[Scan] = []
    for xy, ahead in zip(patterns, (first, second)):
        if draws and len(xy) not in drawn:
            drawn[len(xy)] = largest_of_draws(look_at, len(xy), draws, rng, ahead)
        scans.append(scan(look_at, sites.count(xy, run.outputs.ask), drawn.get(len(xy))))
    second(1.0)
    return Scanned(kept(look_at, *scans), look_at, source)


def _population(
    run: Run,
    paired: Paired,
    candidates: np.ndarray | None,
    areas: Polygons | None,
    people: np.ndarray | None,
) -> tuple[str, AtRisk] | None:
    given = run.source("CONTROLS")
    if given is not None:
        name = run.field("CONTROLS_WEIGHT", given)
        table = run.points(given, run.step("controls"), [name] if name else [], paired.crs, 2)
        weight = people_of(table.columns[name], table.ids, given.sourceName()) if name else None
        return CONTROLS, at_risk(paired.places(table, run.outputs.ask), weight, run.outputs.ask)
    if candidates is not None:
        return CANDIDATES, at_risk(candidates, progress=run.outputs.ask)
    if areas is not None:
        return POPULATION, at_risk(_middles(areas), people)
    return None


def _middles(areas: Polygons) -> np.ndarray:
    geos = shapely()
    return geos.get_coordinates(geos.centroid(areas.shapes))


def _at_middles(xy: np.ndarray, areas: Polygons) -> np.ndarray:
    """Points at the middle of the area that holds them; those in none where they are."""
    row = zone_of(xy, areas.shapes)
    return np.where((row >= 0)[:, None], _middles(areas)[row], xy)
