# SPDX-License-Identifier: GPL-2.0-or-later
"""Areas that keep demands: sites are placed in every part of the map, and the areas mended.

A part is a piece of the map whose borders no area crosses. Every part is a map of its own: it gets
its share of the sites, the location method places them, its regions go to the nearest of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, weighted
from ..runtime.wording import Sentence, joined, number_of
from .adc import SearchLog
from .boundary import BoundaryLog, Limits, boundary_moves
from .components import JOINING, LOCATIONS, Placement, Problem
from .construction import nearest_sites
from .demands import Demands, Guard
from .equivalence_classes import EquivalenceClasses
from .evaluation import describe_areas
from .local_search import TOLERANCE
from .neighbours import neighbours_of_points
from .repairs import Plan
from .several_starts import told
from .sites import cells_per_row
from .units import as_units, of_counts


@dataclass(frozen=True)
class _Part:
    """A part of the map: its regions, ascending, what it is called, and whether it is an island."""

    rows: np.ndarray
    name: str
    is_island: bool = False


@dataclass(frozen=True)
class _Made:
    """The areas of a part."""

    sites: np.ndarray
    area: np.ndarray
    start: tuple[np.ndarray, np.ndarray]
    searched: np.ndarray
    log: SearchLog | None
    moves: BoundaryLog | None
    plan: Plan
    begun: str


def place_within(
    problem: Problem,
    demands: Demands,
    location: str,
    rng: np.random.Generator,
    progress: Progress,
) -> Placement:
    """Place sites and put regions together so that every area keeps what is demanded.

    Parameters
    ----------
    problem : Problem
    demands : Demands
    location : str
        Name of the location method.
    rng : numpy.random.Generator
    progress : callable

    Returns
    -------
    Placement
        With the area of each region, with the areas that the search began with, and with notes.

    Raises
    ------
    InputError
        Where no areas keep the demands, or none were found.
    """
    demands.check(len(problem.xy))
    units, demands, of_region = as_units(problem, demands)
    if location in JOINING and demands.near is None:
        demands = replace(demands, near=neighbours_of_points(units.xy, part(progress, 0.0, 0.0)))
    parts, notes = _parts(units, demands)
    sites = _sites_of(units, demands, parts)
    if int(sites.sum()) != problem.sites:
        notes.append(
            Sentence(
                "Of {wanted}, {made} are placed: {why}",
                wanted=number_of(problem.sites, "site", "sites"),
                made=f"{int(sites.sum()):,}",
                why=Sentence("each part of the map needs one, and each area what it has to hold."),
            )
        )
    made = []
    for one, count, here in zip(parts, sites.tolist(), weighted(progress, *(sites + 1.0).tolist())):
        here(0.0)
        smaller = _smaller(units, one.rows, count)
        made.append(_one_part(smaller, demands.of(one.rows), location, rng, here))
    return _together(units, parts, made, notes, of_region)


def _parts(problem: Problem, demands: Demands) -> tuple[list[_Part], list[Sentence]]:
    """The parts of the map, and what is to be said of islands."""
    count = len(problem.xy)
    label = np.zeros(count, dtype=np.int64) if demands.part is None else demands.part
    names = demands.part_names
    found: list[_Part] = []
    notes: list[Sentence] = []
    near = demands.near
    piece = label
    if demands.contiguous and near is not None:
        piece = near.within(label).pieces(label)
        if demands.bridged:
            lying_apart = len(np.unique(piece)) - len(np.unique(label))
            if lying_apart:
                notes.append(
                    Sentence(
                        "{islands} joined to the nearest regions over the gap.",
                        islands=number_of(lying_apart, "island was", "islands were"),
                    )
                )
            piece = label
    for number in np.unique(label):
        rows = np.flatnonzero(label == number)
        name = names[number] if names else ""
        pieces = [rows[piece[rows] == one] for one in np.unique(piece[rows])]
        largest = max(range(len(pieces)), key=lambda at: len(pieces[at]))
        found += [_Part(one, name, at != largest) for at, one in enumerate(pieces)]
    islands = [one for one in found if one.is_island]
    if islands:
        regions = sum(len(one.rows) for one in islands)
        notes.append(
            Sentence(
                "{regions} on islands, which adjoin no other regions that they may be joined with: "
                "{islands} areas of their own.",
                regions=number_of(regions, "region lies", "regions lie"),
                islands=number_of(len(islands), "island makes", "islands make"),
            )
        )
    for one in found:
        _refuse_poor(one, demands.of(one.rows))
    return found, notes


def _refuse_poor(one: _Part, demands: Demands) -> None:
    """Raise InputError for a part in which no area can hold what it has to."""
    lacking = demands.lacking()
    if lacking is None:
        return
    floor, held = lacking
    values = {"held": floor.told(held), "least": floor.told(np.ceil(floor.least))}
    if one.is_island:
        raise InputError(
            "An island of {regions} has {held}: no area there can be in one piece and hold the "
            "{least} that are asked for. Ask for fewer, or have islands joined to the nearest "
            "regions (CONTIGUOUS=bridged).",
            regions=number_of(len(one.rows), "region", "regions"),
            **values,
        )
    raise InputError(
        "“{name}” has {held} in all, and no area may cross its borders: not one there can hold the "
        "{least} that are asked for. Ask for fewer, or leave those regions out.",
        name=one.name,
        **values,
    )


def _sites_of(problem: Problem, demands: Demands, parts: list[_Part]) -> np.ndarray:
    """How many sites each part gets: by its records, at least one, and no more than can be filled."""
    people = problem.classes.population
    most, share = [], []
    for one in parts:
        possible = demands.of(one.rows).most_areas()
        most.append(len(one.rows) if possible is None else min(len(one.rows), possible))
        share.append(float(people[one.rows].sum()))
    quota = np.array(share) / sum(share) * problem.sites
    wanted = min(max(problem.sites, len(parts)), sum(most))
    return cells_per_row(quota, np.array(most), wanted)


def _smaller(problem: Problem, rows: np.ndarray, sites: int) -> Problem:
    """The problem of some regions."""
    if len(rows) == len(problem.xy):
        return replace(problem, sites=sites)
    counts = problem.classes.counts[rows]
    used = np.unique(counts.indices)
    classes = of_counts(problem.classes, counts[:, used], problem.classes.codes[used])
    options = dict(problem.options)
    if options.get("moves") is not None:
        options["moves"] = int(round(options["moves"] * sites / problem.sites))
    return Problem(classes, problem.xy[rows], sites, problem.k, options)


def _one_part(
    problem: Problem,
    demands: Demands,
    location: str,
    rng: np.random.Generator,
    progress: Progress,
) -> _Made:
    xy, classes = problem.xy, problem.classes
    placement = Placement(np.median(xy, axis=0)[None, :])
    if problem.sites > 1 and classes.records:
        guarded = {**problem.options, "guard": Guard(demands)}
        placement = LOCATIONS[location](
            replace(problem, options=guarded, demands=demands), rng, part(progress, 0.0, 0.7)
        )
    area = placement.area_of_region
    if area is None:
        area = nearest_sites(xy, placement.sites)[0]
    near = demands.near
    if near is not None and demands.bridged:
        near = near.bridged(xy, np.zeros(len(xy), dtype=np.int64), part(progress, 0.7, 0.7))
    plan = Plan(
        xy,
        classes.population,
        demands,
        near if demands.contiguous else None,
        list(placement.sites),
        area.astype(np.int64),
    )
    plan.mend(part(progress, 0.7, 0.7))
    sites, mended = plan.settled()
    start = placement.sites, area
    if placement.log is not None:
        start = placement.log.start, nearest_sites(xy, placement.log.start)[0]
    moves = None
    # Areas that were annealed have had their moves, within limits of their own.
    if demands.boundary_moves and near is not None and not placement.begun:
        limits = Limits.around(classes, xy, *start, problem.options.get("tolerance", TOLERANCE))
        sites, mended, moves = boundary_moves(
            classes, xy, sites, mended, problem.k, near, demands, limits, part(progress, 0.7, 1.0)
        )
    progress(1.0)
    shown = placement.start or start
    return _Made(sites, mended, shown, area, placement.log, moves, plan, placement.begun)


def _together(
    problem: Problem,
    parts: list[_Part],
    made: list[_Made],
    notes: list[Sentence],
    of_region: np.ndarray,
) -> Placement:
    """One placement of all parts, with the regions at one place told apart again."""
    count = len(problem.xy)
    rows = [one.rows for one in parts]
    sites, area = _stacked(rows, [(one.sites, one.area) for one in made], count)
    start, start_area = _stacked(rows, [one.start for one in made], count)
    logs = [one.log for one in made if one.log is not None]
    log = None
    if logs:
        # The areas as the search left them; sites that were not moved are where it began.
        found = [one.start[0] for one in made]
        searched = _stacked(rows, [(s, one.searched) for s, one in zip(found, made)], count)[1]
        log = _joined_log(problem, logs, start, (start_area, searched))
    moves = None
    for one in made:
        if one.moves is not None:
            moves = one.moves if moves is None else moves.plus(one.moves)
    notes += _mended([one.plan for one in made])
    winners = [one.begun for one in made if one.begun]
    if winners:
        notes.append(Sentence("Begun best with: {starts}.", starts=", ".join(told(winners))))
    return Placement(
        sites, area[of_region], log, (start, start_area[of_region]), moves, tuple(notes)
    )


def _stacked(
    rows: list[np.ndarray], made: list[tuple[np.ndarray, np.ndarray]], count: int
) -> tuple[np.ndarray, np.ndarray]:
    area = np.empty(count, dtype=np.intp)
    first = 0
    for here, (sites, own) in zip(rows, made):
        area[here] = own + first
        first += len(sites)
    return np.concatenate([sites for sites, _ in made]), area


def _joined_log(
    problem: Problem, logs: list[SearchLog], start: np.ndarray, areas: tuple[np.ndarray, np.ndarray]
) -> SearchLog:
    if len(logs) == 1 and len(logs[0].start) == len(start):
        return logs[0]
    (lost, least, lowest), after = (
        _state(problem.classes, area, len(start), problem.k) for area in areas
    )
    first = np.cumsum([0, *(len(one.start) for one in logs)])[:-1]
    reasons = list(dict.fromkeys(one.stopped for one in logs))
    return SearchLog(
        sum(one.tried for one in logs),
        sum(one.committed for one in logs),
        joined(reasons),
        (lost, after[0]),
        (least, after[1]),
        (lowest, after[2]),
        np.concatenate([one.sites + at for one, at in zip(logs, first)]),
        np.concatenate([one.origins for one in logs]),
        np.concatenate([one.targets for one in logs]),
        np.empty(0),
        start,
    )


def _state(
    classes: EquivalenceClasses, area: np.ndarray, areas: int, k: int
) -> tuple[int, int, int]:
    found = describe_areas(classes, area, areas, k)
    held = found.smallest[found.records > 0]
    least = int(held.min())
    return int(found.suppressed.sum()), least, int((held == least).sum())


def _mended(plans: list[Plan]) -> list[Sentence]:
    """Say what was done to areas that broke a demand."""
    notes = []
    joined_pieces, divided = sum(one.joined for one in plans), sum(one.divided for one in plans)
    given_up, taken = sum(one.given_up for one in plans), sum(one.taken for one in plans)
    if joined_pieces:
        pieces = number_of(joined_pieces, "piece of an area", "pieces of areas")
        notes.append(Sentence("{pieces} joined to areas beside.", pieces=pieces))
    if divided:
        areas = number_of(divided, "area was", "areas were")
        notes.append(Sentence("{areas} too wide or too large and divided.", areas=areas))
    if given_up:
        areas = number_of(given_up, "area held", "areas held")
        notes.append(Sentence("{areas} too little and went to those around.", areas=areas))
    if taken:
        regions = number_of(taken, "region went", "regions went")
        notes.append(Sentence("{regions} to an area that held too little.", regions=regions))
    return notes
