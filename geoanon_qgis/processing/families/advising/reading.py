# SPDX-License-Identifier: GPL-2.0-or-later
"""What the choice of a point mask reads: the file, the list, and what an adversary knows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....core.experiments.masks.areas import Grid, Zones
from ....core.experiments.masks.case import Case
from ....core.experiments.masks.judged import CROWDED, INCOMPLETE
from ....core.masking.addresses import at_addresses
from ....core.runtime.errors import InputError
from ....core.runtime.progress import Progress, shares
from ....core.space.planes import PROJECTION_ERROR_M, Plane, stored_plane
from ....core.space.points import places
from ....core.space.street_network import StreetNetwork
from ....core.verification.pointmask import fingerprint, fingerprint_of_texts
from ...i18n import mark, number_of, tr
from ...layers import planes
from ...layers.fieldnames import spelt_as_in
from ...layers.reading import PointTable
from ...layers.streets import read_streets
from ...layers.transforming import transform
from ...layers.zones import read_polygons
from ...running import Run
from ...wording import named
from ..masks.point_areas import lattice_crs, plane_of_zones
from ..masks.public_sizes import weights_of
from .inputs import adversaries


@dataclass(frozen=True)
class Read:
    """What was read.

    Attributes
    ----------
    case : Case
    grid : Grid
        Where lattices lie.
    points : PointTable
    said, warned : list of str
    data : dict
        What two runs must have in common.
    weight : str or None
        The field with weights.
    caveats : tuple of str
        Why what is found is a lower bound: homes that the list lacks, or places with several records
        where weights tell in which many live.
    network, zones : StreetNetwork or None, Zones or None
        Of the layers at hand.
    """

    case: Case
    grid: Grid
    points: PointTable
    said: list[str]
    warned: list[str]
    data: dict[str, str]
    weight: str | None
    caveats: tuple[str, ...] = ()
    network: StreetNetwork | None = None
    zones: Zones | None = None


def read(run: Run) -> Read:
    """Read INPUT and CANDIDATES.

    Raises
    ------
    InputError
        If records are at no address of the list, or at fewer than two.
    """
    source, listing = run.source("INPUT"), run.source("CANDIDATES")
    known = run.fields("KNOWN", source)
    there = {name.lower() for name in listing.fields().names()}
    shared = [name for name in known if name.lower() in there]
    weight_field = run.field("WEIGHT", listing)
    points = run.points(source, run.step("read"), known, least=2)
    in_list = spelt_as_in(listing.fields(), shared)
    fields = list(dict.fromkeys(filter(None, [weight_field, *in_list])))
    listed = run.points(listing, run.step("candidates"), fields, points.crs, 2)
    plane = planes.plane_of(points.xy, points.crs)
    ask = run.outputs.ask
    metres = plane.metres_per_unit
    found = places(plane.forward(listed.xy, ask))
    candidates, first = found.xy, found.first
    _, weight = weights_of(found, listed, weight_field, listing.sourceName())
    xy = plane.forward(points.xy, ask)
    reach = max(run.number("WITHIN"), PROJECTION_ERROR_M) / metres
    at, away = at_addresses(xy, candidates, reach, ask)
    home, record = np.unique(at, return_index=True)
    record, home = record[home >= 0], home[home >= 0]
    if len(home) < 2:
        raise InputError(
            mark(
                "Records lie at {count} of the list; two at least are needed. The nearest address "
                "is {away:.3g} m from a record. Choose the list that has the records' addresses, "
                "check the reference systems of both layers, or take the nearest address (WITHIN)."
            ),
            count=number_of(len(home), "address", "addresses"),
            away=float(away.min()) * metres,
        )
    warned: list[str] = []
    classes = looked_for = of_list = None
    if known:
        texts = _texts(points, known)
        # All records of a place count, not its first: they are released together.
        of_place: dict[int, list[str]] = {}
        for row, place in enumerate(at.tolist()):
            of_place.setdefault(place, []).append(texts[row])
        classes, _ = _classes(["\x1e".join(sorted(of_place[one])) for one in home.tolist()], [])
    if shared:
        texts, theirs = _texts(points, shared), _texts(listed, in_list)
        looked_for, of_list = _classes(
            [texts[row] for row in record.tolist()], [theirs[row] for row in first.tolist()]
        )
    unlisted = int((at < 0).sum())
    if unlisted:
        warned.append(
            tr(
                "{records} at no address of the list: what is said is said of the others. Add the "
                "addresses, or take the nearest (WITHIN)."
            ).format(records=number_of(unlisted, "record lies", "records lie"))
        )
    if looked_for is not None and of_list is not None:
        other = int((looked_for != of_list[home]).sum())
        if other:
            warned.append(
                tr(
                    "{records} another value than the list has for the address, in attributes "
                    "that he knows: he looks for these people elsewhere."
                ).format(records=number_of(other, "record has", "records have"))
            )
    case = Case(
        xy[record] * metres,
        home,
        candidates * metres,
        weight,
        adversaries(run),
        run.number("RELEASES") if run.flag("FRESH") else 1,
        classes,
        looked_for,
        of_list,
        run.number("PRIOR_ODDS") or 1.0,
    )
    grid = _grid(run, points.xy[record], listed.xy[first], points)
    said = [planes.describe(plane, points.crs)]
    said.append(
        tr("Places with records: {places:,}; addresses of the list: {addresses:,}.").format(
            places=case.people, addresses=len(candidates)
        )
    )
    data = {
        name: fingerprint(table.xy) + fingerprint_of_texts(_texts(table, names))
        for name, table, names in (("points", points, known), ("list", listed, fields))
    }
    # The same numbers in feet are other places.
    data["system"] = fingerprint_of_texts([planes.wkt(points.crs) or ""])
    data["weight"] = weight_field or ""
    several = weight is not None and len(home) < np.count_nonzero(at >= 0)
    if several:
        many = np.bincount(at[at >= 0])
        shared = np.flatnonzero((at >= 0) & (many[np.maximum(at, 0)] > 1))
        warned.append(
            tr(
                "{homes} several records, {records} in all ({ids}), and the list tells where many live. Leave "
                "these out, or keep one record of each home, and choose again: what they tell together is not weighed."
            ).format(
                homes=number_of(int((many > 1).sum()), "home has", "homes have"),
                records=number_of(len(shared), "record", "records"),
                ids=named(points.ids[shared].tolist()),
            )
        )
    caveats = (*[INCOMPLETE] * bool(unlisted), *[CROWDED] * several)
    network, zones, (first_step, second_step) = None, None, shares(run.step("layers"), 2)
    if run.has("STREETS"):
        source = run.source("STREETS")
        streets = read_streets(source, plane, points.crs, run.context, first_step)
        said += streets.sentences()
        network, data["streets"] = streets.network, streets.used("STREETS").sha256
    if run.has("ZONES"):
        both = points.xy[record], listed.xy[first]
        zones, data["zones"] = _zones(run, *both, points, warned, second_step)
    layers = (network, zones)
    return Read(case, grid, points, said, warned, data, weight_field, caveats, *layers)


def _zones(
    run: Run,
    xy: np.ndarray,
    candidates: np.ndarray,
    points: PointTable,
    warned: list[str],
    progress: Progress,
) -> tuple[Zones, str]:
    """Zones in the plane that aggregation has for them, and their fingerprint."""
    source = run.source("ZONES")
    crs = source.sourceCrs() if source.sourceCrs().isValid() else points.crs
    plane = plane_of_zones(source, crs)
    found = read_polygons(source, plane, crs, run.context, progress)
    warned += found.sentences()
    ask = run.outputs.ask
    there = (
        plane.forward(transform(one, points.crs, crs, run.context, ask), ask)
        for one in (xy, candidates)
    )
    return Zones(found.shapes, Grid(*there)), found.used("ZONES").sha256


def _texts(table: PointTable, names: list[str]) -> list[str]:
    """Values of each row, as one text."""
    columns = [table.columns[name].narrowed().texts() for name in names]
    return ["\x1f".join(map(str, one)) for one in zip(*columns)] if columns else []


def _classes(one: list[str], other: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of texts, the same in both lists for the same text."""
    codes: dict[str, int] = {}
    first = [codes.setdefault(text, len(codes)) for text in one]
    return np.array(first), np.array([codes.setdefault(text, len(codes)) for text in other])


def _grid(run: Run, xy: np.ndarray, candidates: np.ndarray, points: PointTable) -> Grid:
    """Places in the system of the lattice, as aggregation has it."""
    crs = lattice_crs(points.crs)
    plane: Plane = stored_plane(planes.wkt(crs))
    ask = run.outputs.ask
    both = []
    for one in (xy, candidates):
        stored = transform(one, points.crs, crs, run.context, ask)
        both.append(plane.forward(stored, ask) * plane.metres_per_unit)
    return Grid(*both)
