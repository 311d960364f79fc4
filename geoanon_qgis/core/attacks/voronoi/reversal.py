# SPDX-License-Identifier: GPL-2.0-or-later
"""Reversal of Voronoi masking by anyone who has a list of candidate places.

Moehler, J. (2023). On the reversibility of Voronoi geomasking. The paper's two cases are told
apart by counting. As many candidates as masked records (n = N): masking the candidates shows who
lands where, and elimination does the rest. More candidates (n < N), or a mask that does not
repeat: :mod:`.antipodal` finds the pairs behind each location, :mod:`.hypotheses` weighs
them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...runtime.errors import InputError
from ...runtime.memory import refuse_unless_fits
from ...runtime.progress import Progress, chunks, interruptible, part, silent
from ...runtime.wording import Sentence, number_of
from ...space.points import (
    QUERY_ROWS,
    Places,
    as_points,
    build_tree,
    nearest_neighbours,
    places,
)
from .antipodal import Pairs, antipodal_pairs, within
from .assignment import assign, kinds_of, rows_at
from .blur import Blur
from .crowds import Crowds, crowded, crowds, most_pairs
from .elimination import from_the_mask_itself
from .explanations import from_pairs
from .hypotheses import weigh
from .rehearsal import kinds_of_claims, rehearse, worth_it
from .result import NOT_MASKED, UNMOVED, VoronoiReversal, judged
from .verbatim import Verbatim, decoys_of, verbatim

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

#: Share of records that stand on candidates from which on a layer is called not masked.
_HARDLY_ANY_MOVED = 0.95
#: Bytes that a pair of candidates takes while it is weighed (560 were measured).
_PAIR_BYTES = 600
#: Share of records at one location with another one, from which on noise moved such together.
_TOGETHER = 0.3


def default_tolerance(resolution: float, xy: np.ndarray) -> float:
    """Tolerance that rounding to ``resolution`` calls for.

    Half the diagonal of a rounding cell; for coordinates in full precision, the rounding
    error of the midpoint itself.

    Parameters
    ----------
    resolution : float
        Step of the masked coordinates' grid, in their unit; 0 for full precision.
    xy : (n, 2) array
        Masked coordinates.
    """
    arithmetic = 8 * float(np.spacing(np.abs(xy).max(initial=1.0)))
    return resolution * np.sqrt(0.5) * (1 + 1e-9) + arithmetic


def reverse_voronoi(
    masked: np.ndarray,
    candidates: np.ndarray,
    *,
    tolerance: float,
    half: float | None = None,
    sigma: float = 0.0,
    stored: Callable[[np.ndarray], np.ndarray] | None = None,
    curvature: float = 0.0,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> VoronoiReversal:
    """Assign each Voronoi-masked record to the candidate it most probably came from.

    Parameters
    ----------
    masked : (n, 2) array
        Masked coordinates, in the plane in which they were masked.
    candidates : (N, 2) array
        Candidate coordinates in the same plane: any superset of the originals.
    tolerance : float
        Largest distance between the midpoint of a pair and a masked location, in the unit
        of the coordinates; see :func:`default_tolerance`.
    half : float, optional
        Half the step to which coordinates were rounded, where they were rounded along the axes of
        the plane: within the tolerance, midpoints outside that square are none.
    sigma : float
        Standard deviation, along each axis, of the noise that was added to the masked points; 0
        for none. The tolerance is without it.
    stored : callable, optional
        Rounds points of the plane as the masked ones were rounded. With it, and for jitter, what is
        claimed of records with several explanations is tried on releases of one's own
        (:mod:`.rehearsal`).
    curvature : float
        How much wider the tolerance gets with the search: by curvature d^2 / 8 for places d
        apart. For masks made in another projection than the coordinates' plane.
    rng : numpy.random.Generator
        Tosses the coin between the members of a pair, and draws the control.
    progress : callable
        Told a fraction between 0 and 1; may raise to cancel.

    Returns
    -------
    VoronoiReversal

    Raises
    ------
    InputError
        For a tolerance that is negative or not finite, fewer candidates than masked
        records, no masked records, coordinates that are not finite, or a tolerance that
        lets too many pairs through.

    Notes
    -----
    A location that thousands of pairs explain is not weighed (:mod:`.crowds`).
    Where several pairs lie within the tolerance the paper takes the shortest. That choice is
    wrong as soon as coordinates are rounded; here all of them share the probability.
    The bound on the search, the distance to the nearest different masked location, is the
    paper's; rounding widens it by the tolerance.
    """
    masked = as_points(masked, Sentence("masked points"))
    candidates = as_points(candidates, Sentence("candidates"))
    _check(masked, candidates, tolerance, sigma)

    def attack(masked: np.ndarray, rng: np.random.Generator, progress: Progress) -> VoronoiReversal:
        return _attack(masked, candidates, tolerance, half, sigma, curvature, rng, progress)

    found = attack(masked, rng, part(progress, 0.0, 0.5))
    if (stored is not None or sigma > 0) and worth_it(found) and found.trust > 0:
        apart = _one_by_one(places(masked))

        def release(xy: np.ndarray, rng: np.random.Generator) -> np.ndarray:
            if sigma > 0:
                at = np.arange(len(xy)) if apart else places(xy).of_point
                xy = xy + rng.normal(0.0, sigma, (int(at.max()) + 1, 2))[at]
            return xy if stored is None else stored(xy)

        told = part(progress, 0.5, 1.0)
        own = np.random.default_rng(rng.integers(2**63))
        curves = rehearse(attack, release, candidates, len(masked), own, told)
        if curves is not None:
            probability = found.probability.copy()
            for rows, curve in zip(kinds_of_claims(found, masked), curves):
                probability[rows] = curve(probability[rows] / found.trust) * found.trust
            found = replace(found, probability=probability, rehearsed=True)
    progress(1.0)
    return found


def _attack(
    masked: np.ndarray,
    candidates: np.ndarray,
    tolerance: float,
    half: float | None,
    sigma: float,
    curvature: float,
    rng: np.random.Generator,
    progress: Progress,
) -> VoronoiReversal:
    """Attack, and say how sure one is by the weights of explanations."""
    locations = places(masked)
    known = places(candidates)
    tree = build_tree(known.xy, part(progress, 0.0, 0.05))
    apart = sigma > 0 and _one_by_one(locations)
    bound = search_bound(locations.xy, known.xy, part(progress, 0.05, 0.1), apart)
    blur = Blur(tolerance + curvature * bound**2 / 2, half, float(sigma))
    slack = blur.reach
    chosen, decoys = decoys_of(locations, slack, rng, part(progress, 0.1, 0.15))
    by_chance, most = 0.0, most_pairs(len(locations.xy))
    if len(decoys):
        told = part(progress, 0.15, 0.25)
        hits, many = _explanations(decoys, bound[chosen], tree, blur.of(chosen), most, told)
        by_chance = (len(np.unique(hits.centre)) + np.count_nonzero(many)) / len(decoys)

    still = Verbatim.nobody(len(locations.xy))
    crowd = Crowds.nowhere(locations, known)
    found = None
    if complete := len(masked) == len(candidates):
        found = from_the_mask_itself(locations, known, candidates, blur, part(progress, 0.25, 0.6))
    if found is not None:
        hypotheses, weights, rebuilt = found
        share = 1.0
    else:
        told = part(progress, 0.25, 0.55)
        pairs, many = _explanations(locations.xy, bound, tree, blur, most, told)
        told = part(progress, 0.55, 0.6)
        crowd = crowds(many, locations, bound, known, tree, blur, told)
        refuse_unless_fits(
            len(pairs.centre) * _PAIR_BYTES,
            number_of(len(pairs.centre), "pair of candidates", "pairs of candidates"),
            advice=Sentence(
                "So coarse coordinates have many explanations. Use candidates from a smaller area."
            ),
        )
        told = part(progress, 0.6, 0.65)
        stayed = _unmoved(locations, known, tree, blur, pairs, crowd.some, told)
        hypotheses = interruptible(
            lambda: from_pairs(pairs, stayed, known.xy), part(progress, 0.65, 0.66)
        )
        paired = crowd.some
        paired[hypotheses.location] = True
        share = float(paired.mean())
        fit = hypotheses.fit(blur, locations.xy, known.xy)
        weights, rebuilt = weigh(
            hypotheses,
            locations,
            known,
            tree,
            1.0 - share,
            fit,
            apart,
            crowd.expected,
            part(progress, 0.66, 0.94),
        )
        still = verbatim(
            locations,
            decoys,
            tree,
            slack,
            slack[chosen],
            paired,
            by_chance,
            part(progress, 0.94, 0.95),
        )
        if len(decoys) == 0 and crowd.some.any():  # so coarse that no control is left
            by_chance = float(crowd.some.mean())
    moved = ~still.here
    of_moved = 1.0 if found is not None else float(paired[moved].mean()) if moved.any() else 0.0
    verdict, trust = judged(of_moved, by_chance, int(np.count_nonzero(moved)))
    origin, partner, probability = interruptible(
        lambda: assign(hypotheses, weights, locations, len(known.xy), rng),
        part(progress, 0.95, 1.0),
    )
    where = locations.of_point
    possible = hypotheses.pairs_per_location(weights > 0, len(locations.xy)) + crowd.pairs
    kind = np.where(
        still.here, UNMOVED, kinds_of(hypotheses, weights, possible, locations, trust)
    ).astype(np.int8)[where]
    aside = (crowd.some & ~still.here)[where]
    origin = np.where(aside, crowd.place, origin)
    probability = np.where(aside, crowd.probability, probability)
    origin = np.where(still.here[where], still.place[where], origin)
    partner = np.where(aside | still.here[where] | (origin == partner), -1, partner)
    if np.count_nonzero(kind == UNMOVED) >= _HARDLY_ANY_MOVED * len(masked):
        verdict = NOT_MASKED
    progress(1.0)
    return VoronoiReversal(
        candidate=rows_at(origin, known),
        partner=rows_at(partner, known),
        kind=kind,
        probability=np.where(still.here[where], still.probability[where], probability * trust),
        pairs=(hypotheses.pairs_per_location(weights >= 0, len(locations.xy)) + crowd.pairs)[where],
        rivals=np.where(still.here[where], 0, np.maximum(possible[where] - 1, 0)),
        rebuilt=rows_at(np.union1d(rebuilt, still.place[still.here]), known),
        complete=complete,
        tolerance=float(tolerance),
        explained=share,
        explained_by_chance=by_chance,
        verdict=verdict,
        accounted=share if found is not None else float((paired | still.here).mean()),
        trust=trust,
        aside=aside,
    )


def _explanations(
    centres: np.ndarray,
    bound: np.ndarray,
    tree: cKDTree,
    blur: Blur,
    most: int,
    progress: Progress,
) -> tuple[Pairs, np.ndarray]:
    """Pairs of the centres that are weighed, and about how many the others have (0 for these)."""
    slack = blur.reach
    many = crowded(centres, bound, tree, slack, part(progress, 0.0, 0.4), most)
    few = np.flatnonzero(many == 0)
    told = part(progress, 0.4, 1.0)
    pairs = antipodal_pairs(centres[few], bound[few], tree, slack[few], told)
    pairs = Pairs(few[pairs.centre], pairs.first, pairs.second)
    return blur.fitting(pairs, centres, np.asarray(tree.data)), many


def _check(masked: np.ndarray, candidates: np.ndarray, tolerance: float, sigma: float) -> None:
    if not np.isfinite(sigma) or sigma < 0:
        raise InputError(
            "The standard deviation of the noise must be zero or a positive distance, not "
            "{sigma:g}. Leave it empty if no noise was added to the masked points.",
            sigma=sigma,
        )
    if not np.isfinite(tolerance) or tolerance < 0:
        raise InputError(
            "The tolerance must be zero or a positive distance, not {tolerance:g}. Leave it "
            "empty to take it from the resolution of the masked coordinates.",
            tolerance=tolerance,
        )
    if len(masked) == 0:
        raise InputError("There are no masked points to attack.")
    if len(candidates) < len(masked):
        raise InputError(
            "There are fewer candidates ({candidates:,}) than masked points ({masked:,}). "
            "The candidates must include the place of every masked record: use a more "
            "complete address list.",
            candidates=len(candidates),
            masked=len(masked),
        )


def _one_by_one(locations: Places) -> bool:
    """Whether noise moved records one by one: a Voronoi mask brings six in ten together in pairs."""
    return bool(locations.count[locations.count > 1].sum() < _TOGETHER * locations.count.sum())


def search_bound(
    locations: np.ndarray, known: np.ndarray, progress: Progress, apart: bool = False
) -> np.ndarray:
    """How far an origin can lie from its masked location, at most.

    As far as the nearest location of other records. The nearest one may be the other half of a pair
    where noise has brought records ``apart`` that had met: the next one is not.
    """
    if len(locations) > 2 and apart:
        tree, far = build_tree(locations), np.empty(len(locations))
        for rows in chunks(len(locations), QUERY_ROWS, progress):
            far[rows] = tree.query(locations[rows], k=[3])[0][:, 0]
        return far
    if len(locations) > 1 and not apart:
        return nearest_neighbours(locations, progress)[1]
    extent = np.concatenate([locations, known])
    longest = np.hypot(*(extent.max(axis=0) - extent.min(axis=0)))
    return np.full(len(locations), longest)


def _unmoved(
    locations: Places,
    known: Places,
    tree: cKDTree,
    blur: Blur,
    pairs: Pairs,
    crowded: np.ndarray,
    progress: Progress,
) -> Pairs:
    """Places that several masked records may not have left, as pairs of a place with itself.

    So many records need as many candidates at the place. An address list may have one entry
    for a household, though: where nothing else explains some location, the candidates are
    taken for such a list, and any place will do.
    """
    several = np.flatnonzero((locations.count > 1) & ~crowded)
    of, place = within(tree, locations.xy[several], blur.reach[several], progress)
    on = blur.fitting(Pairs(several[of], place, place), locations.xy, known.xy)
    centre, place = on.centre, on.first
    has_room = known.count[place] >= locations.count[centre]
    explained = np.zeros(len(locations.xy), dtype=bool)
    explained[pairs.centre] = True
    explained[centre[has_room]] = True
    if explained[centre].all():
        centre, place = centre[has_room], place[has_room]
    return Pairs(centre, place, place)
