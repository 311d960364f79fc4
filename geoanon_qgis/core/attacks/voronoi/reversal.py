# SPDX-License-Identifier: GPL-2.0-or-later
"""Reversal of Voronoi masking by anyone who has a list of candidate places.

Moehler, J. (2023). On the reversibility of Voronoi geomasking. The paper's two cases are told
apart by counting. As many candidates as masked records (n = N): masking the candidates shows who
lands where, and elimination does the rest. More candidates (n < N), or a mask that does not
repeat: :mod:`.antipodal` finds the pairs behind each location, :mod:`.hypotheses` weighs
them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ...masking.voronoi import voronoi_mask
from ...runtime.errors import InputError
from ...runtime.progress import Progress, interruptible, part, silent
from ...runtime.results import Summarised
from ...runtime.wording import Sentence, number_of
from ...space.points import Places, as_points, build_tree, nearest_neighbours, places
from ...verdict import SURE, Evidence
from .antipodal import Pairs, antipodal_pairs, within
from .hypotheses import Hypotheses, from_pairs, hypotheses_of, weigh
from .verbatim import CONTROLS, Verbatim, decoys_of, verbatim

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

#: Kinds of assignment (the codes of :attr:`VoronoiReversal.kind`).
SINGLETON, PAIR, UNMOVED, AMBIGUOUS, UNRESOLVED = range(5)
KIND_NAMES = ("singleton", "pair", "unmoved", "ambiguous", "unresolved")

#: Verdicts on whether the masked points are a Voronoi mask of these candidates.
REVERSIBLE, INCOMPLETE, TOO_COARSE, NO_MASK, NOT_MASKED = (
    "reversible",
    "incomplete",
    "too_coarse",
    "no_voronoi_mask",
    "not_masked",
)

#: The same in words.
VERDICTS = {
    REVERSIBLE: "every location can be explained",
    INCOMPLETE: "some locations have no pair of candidates: candidates are missing",
    TOO_COARSE: "accident explains nearly as many locations as the candidates do",
    NO_MASK: "these are no Voronoi mask of the candidates",
    NOT_MASKED: "hardly any record was moved off its candidate",
}
#: Why what was found is a lower bound; see :mod:`...verdict`.
CAVEATS = {TOO_COARSE: "coarse", NO_MASK: "other_mask", INCOMPLETE: "list_incomplete"}

#: Share of the locations that must be genuinely explained for the layer to be a mask at all,
#: and the standard errors by which they must outnumber the decoys.
_LEAST_GENUINE, _ERRORS = 0.03, 4.0
#: Share of records that stand on candidates from which on a layer is called not masked.
_HARDLY_ANY_MOVED = 0.95


@dataclass(frozen=True, repr=False)
class VoronoiReversal(Summarised):
    """What the attack says of each masked record, in the order of the masked records.

    Attributes
    ----------
    candidate : (n,) int array
        Row of the assigned candidate; -1 where no pair of candidates explains the record.
    partner : (n,) int array
        Row of the other candidate of the pair; -1 where there is none.
    kind : (n,) int8 array
        ``SINGLETON`` (one pair explains the record, and it is alone at its masked place),
        ``PAIR`` (one pair, and two records lie there), ``UNMOVED`` (the record shares its
        place with others and did not move), ``AMBIGUOUS`` (several pairs explain it),
        ``UNRESOLVED`` (none does).
    probability : (n,) float array
        Probability that the assigned candidate's place is the true one.
    pairs, rivals : (n,) int arrays
        Pairs within the tolerance, and those besides the assigned one that the rules of the
        mask leave possible.
    rebuilt : (s,) int array
        Candidates known to be in the sample: the place of each, one row per place.
    complete : bool
        True where there are as many candidates as masked records (the paper's n = N).
    tolerance : float
        Distance between a midpoint and a masked location that was accepted.
    explained, explained_by_chance : float
        Share of the masked locations that some pair explains, and the same for locations
        moved away from where they were (a control).
    verdict : str
        ``reversible``, ``incomplete`` (some locations have no pair: candidates are missing),
        ``too_coarse`` (accident explains nearly as many), ``no_voronoi_mask``, or
        ``not_masked`` (hardly any record was moved off its candidate).
    accounted : float
        Share of the masked locations that some pair explains, or that stand on the candidate
        from which they were not moved.
    """

    candidate: np.ndarray
    partner: np.ndarray
    kind: np.ndarray
    probability: np.ndarray
    pairs: np.ndarray
    rivals: np.ndarray
    rebuilt: np.ndarray
    complete: bool
    tolerance: float
    explained: float
    explained_by_chance: float
    verdict: str
    accounted: float

    def with_candidate_rows(self, rows: np.ndarray) -> VoronoiReversal:
        """The same result in terms of a larger table: row i of the candidates was ``rows[i]``."""

        def renamed(candidate: np.ndarray) -> np.ndarray:
            return np.where(candidate >= 0, rows[candidate], -1)

        return replace(
            self,
            candidate=renamed(self.candidate),
            partner=renamed(self.partner),
            rebuilt=rows[self.rebuilt],
        )

    def count(self, kind: int) -> int:
        """Number of records of one kind."""
        return int(np.count_nonzero(self.kind == kind))

    @property
    def found(self) -> int:
        """Records narrowed down to one pair of places or to one place."""
        return int(np.count_nonzero(self.kind <= UNMOVED))

    @property
    def expected_correct(self) -> float:
        """Sum of the probabilities: how many assignments are right on average."""
        return float(self.probability.sum())

    def evidence(self, right: np.ndarray | None = None, people: int = 0) -> Evidence:
        """Return what the attack shows: expected, or counted where a key says who is right.

        Parameters
        ----------
        right : (n,) bool array, optional
            Which records the attack and the key put at the same place.
        people : int
            How many records the key names.
        """
        if right is None:
            found = Evidence.expected("voronoi_reversal", self.probability, together=2)
        else:
            sure = int(np.count_nonzero(right & (self.probability >= SURE)))
            count = int(np.count_nonzero(right))
            found = Evidence.counted("voronoi_reversal", count, people, exposed=sure)
        caveat = CAVEATS.get(self.verdict)
        return found.with_caveat(caveat) if caveat else found

    def in_words(self) -> str:
        """Say how many records were found, and how many of them are expected to be right."""
        count = len(self.kind)
        kinds = ", ".join(f"{name} {self.count(at):,}" for at, name in enumerate(KIND_NAMES))
        share = f" ({self.expected_correct / count:.1%})" if count else ""
        return (
            f"Voronoi reversal of {number_of(count, 'masked record', 'masked records')}:"
            f" {VERDICTS[self.verdict]}.\nBy kind: {kinds}.\nExpected to be right:"
            f" {self.expected_correct:,.1f} of {count:,}{share}."
        )


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
    Where several pairs lie within the tolerance the paper takes the shortest. That choice is
    wrong as soon as coordinates are rounded; here all of them share the probability.
    The bound on the search, the distance to the nearest different masked location, is the
    paper's; rounding widens it by the tolerance.
    """
    masked = as_points(masked, Sentence("masked points"))
    candidates = as_points(candidates, Sentence("candidates"))
    _check(masked, candidates, tolerance)
    locations = places(masked)
    known = places(candidates)
    tree = build_tree(known.xy, part(progress, 0.0, 0.05))
    bound = _search_bound(locations.xy, known.xy, part(progress, 0.05, 0.1))
    slack = tolerance + curvature * bound**2 / 2
    chosen, decoys = decoys_of(locations, slack, rng, part(progress, 0.1, 0.15))
    by_chance = 0.0
    if len(decoys):
        hits = antipodal_pairs(
            decoys, bound[chosen], tree, slack[chosen], part(progress, 0.15, 0.25)
        )
        by_chance = len(np.unique(hits.centre)) / len(decoys)

    still = Verbatim.nobody(len(locations.xy))
    found = None
    if complete := len(masked) == len(candidates):
        found = _from_the_mask_itself(
            locations, known, candidates, slack, part(progress, 0.25, 0.6)
        )
    if found is not None:
        hypotheses, weights, rebuilt = found
        share = 1.0
    else:
        pairs = antipodal_pairs(locations.xy, bound, tree, slack, part(progress, 0.25, 0.6))
        stayed = _unmoved(locations, known, tree, slack, pairs, part(progress, 0.6, 0.65))
        hypotheses = interruptible(
            lambda: from_pairs(pairs, stayed, known.xy), part(progress, 0.65, 0.66)
        )
        paired = np.zeros(len(locations.xy), dtype=bool)
        paired[hypotheses.location] = True
        share = float(paired.mean())
        weights, rebuilt = weigh(
            hypotheses, locations, known, tree, 1.0 - share, part(progress, 0.66, 0.94)
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
    moved = ~still.here
    of_moved = 1.0 if found is not None else float(paired[moved].mean()) if moved.any() else 0.0
    verdict, trust = _verdict(of_moved, by_chance, int(np.count_nonzero(moved)))
    origin, partner, probability = interruptible(
        lambda: _assign(hypotheses, weights, locations, len(known.xy), rng),
        part(progress, 0.95, 1.0),
    )
    where = locations.of_point
    possible = hypotheses.pairs_per_location(weights > 0, len(locations.xy))
    kind = np.where(
        still.here, UNMOVED, _kinds(hypotheses, weights, possible, locations, trust)
    ).astype(np.int8)[where]
    origin = np.where(still.here[where], still.place[where], origin)
    partner = np.where(still.here[where] | (origin == partner), -1, partner)
    if np.count_nonzero(kind == UNMOVED) >= _HARDLY_ANY_MOVED * len(masked):
        verdict = NOT_MASKED
    progress(1.0)
    return VoronoiReversal(
        candidate=_rows_at(origin, known),
        partner=_rows_at(partner, known),
        kind=kind,
        probability=np.where(still.here[where], still.probability[where], probability * trust),
        pairs=hypotheses.pairs_per_location(weights >= 0, len(locations.xy))[where],
        rivals=np.where(still.here[where], 0, np.maximum(possible[where] - 1, 0)),
        rebuilt=_rows_at(np.union1d(rebuilt, still.place[still.here]), known),
        complete=complete,
        tolerance=float(tolerance),
        explained=share,
        explained_by_chance=by_chance,
        verdict=verdict,
        accounted=share if found is not None else float((paired | still.here).mean()),
    )


def _check(masked: np.ndarray, candidates: np.ndarray, tolerance: float) -> None:
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


def _search_bound(locations: np.ndarray, known: np.ndarray, progress: Progress) -> np.ndarray:
    """How far an origin can lie from its masked location, at most."""
    if len(locations) > 1:
        return nearest_neighbours(locations, progress)[1]
    extent = np.concatenate([locations, known])
    return np.array([np.hypot(*(extent.max(axis=0) - extent.min(axis=0)))])


def _unmoved(
    locations: Places,
    known: Places,
    tree: cKDTree,
    tolerance: np.ndarray,
    pairs: Pairs,
    progress: Progress,
) -> Pairs:
    """Places that several masked records may not have left, as pairs of a place with itself.

    So many records need as many candidates at the place. An address list may have one entry
    for a household, though: where nothing else explains some location, the candidates are
    taken for such a list, and any place will do.
    """
    several = np.flatnonzero(locations.count > 1)
    of, place = within(tree, locations.xy[several], tolerance[several], progress)
    centre = several[of]
    has_room = known.count[place] >= locations.count[centre]
    explained = np.zeros(len(locations.xy), dtype=bool)
    explained[pairs.centre] = True
    explained[centre[has_room]] = True
    if explained[centre].all():
        centre, place = centre[has_room], place[has_room]
    return Pairs(centre, place, place)


def _from_the_mask_itself(
    locations: Places,
    known: Places,
    candidates: np.ndarray,
    tolerance: np.ndarray,
    progress: Progress,
) -> tuple[Hypotheses, np.ndarray, np.ndarray] | None:
    """The case n = N: mask the candidates and see who lands where.

    None where that does not give the masked points: the candidates are not the sample, then,
    or ties were broken in another way.
    """
    try:
        mask = voronoi_mask(candidates, part(progress, 0.0, 0.6))
    except InputError:
        return None
    landed = build_tree(mask.xy, part(progress, 0.6, 0.7))
    location, row = within(landed, locations.xy, tolerance, part(progress, 0.7, 1.0))
    if (np.bincount(location, minlength=len(locations.xy)) < locations.count).any():
        return None

    def explain() -> tuple[Hypotheses, np.ndarray, np.ndarray]:
        origin, partner = known.of_point[row], known.of_point[mask.neighbour[row]]
        one_each = np.unique(np.stack([location, origin, partner], axis=1), axis=0).T
        hypotheses = hypotheses_of(one_each[0], one_each[1], one_each[2], known.xy)
        weights = _eliminate(hypotheses, locations, known)
        return hypotheses, weights, np.arange(len(known.xy))

    return interruptible(explain, progress, 1.0)


def _eliminate(hypotheses: Hypotheses, locations: Places, known: Places) -> np.ndarray:
    """Probabilities where every place is an origin: whoever has no choice frees the others.

    The paper's step 5. Rounding alone gives a location more origins than it has records.
    """
    number = len(locations.xy)
    alive = np.ones(len(hypotheses.origin), dtype=bool)
    room = known.count[hypotheses.origin]
    while True:
        total = np.bincount(hypotheses.location, room * alive, number)
        settled = alive & (total <= locations.count)[hypotheses.location]
        owner = np.full(len(known.xy), -1, dtype=np.intp)
        owner[hypotheses.origin[settled]] = hypotheses.location[settled]
        taken = owner[hypotheses.origin]
        free = (taken < 0) | (taken == hypotheses.location)
        if (free | ~alive).all():
            break
        alive &= free
    weight = room * alive
    return weight / np.bincount(hypotheses.location, weight, number)[hypotheses.location]


def _verdict(explained: float, by_chance: float, locations: int) -> tuple[str, float]:
    """Say what the layer is, and how probable it is that an explanation found is genuine.

    Of the locations that were moved.
    """
    if explained == 1.0:
        return (TOO_COARSE if by_chance > 0.5 else REVERSIBLE), 1.0
    if not explained or by_chance == 1.0:
        return NO_MASK, 0.0
    # explained = genuine + (1 - genuine) * by_chance, if a share "genuine" stems from a mask
    genuine = max(0.0, (explained - by_chance) / (1.0 - by_chance))
    trust = min(1.0, genuine / explained)
    if by_chance > 0.5:
        return (TOO_COARSE if genuine > 0.5 else NO_MASK), trust
    controls = min(locations, CONTROLS)
    error = np.sqrt(by_chance * (1 - by_chance) * (1 / locations + 1 / controls))
    is_mask = genuine > _LEAST_GENUINE and explained - by_chance > _ERRORS * error
    return (INCOMPLETE if is_mask else NO_MASK), trust


def _assign(
    hypotheses: Hypotheses,
    weights: np.ndarray,
    locations: Places,
    places_known: int,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give the records of each location its most probable origins, in turn.

    A coin decides between equals only: between the ends of a pair, and which of the records
    at one location is which. Returns origin and partner (places, -1 for none) and the
    probability of the origin.
    """
    # The probability of an origin adds up over the pairs that it is an end of.
    alive = np.flatnonzero(weights > 0)
    likely = alive[np.argsort(-weights[alive], kind="stable")]
    keys, first, of_key = np.unique(
        hypotheses.location[likely] * places_known + hypotheses.origin[likely],
        return_index=True,
        return_inverse=True,
    )
    marginal = np.bincount(of_key.reshape(-1), weights[likely], len(keys))
    order = np.lexsort((rng.random(len(keys)), -marginal, keys // max(places_known, 1)))
    best, marginal = likely[first[order]], marginal[order]
    choices = np.bincount(hypotheses.location[best], minlength=len(locations.xy))
    start = np.cumsum(choices) - choices

    count = len(locations.of_point)
    members = np.lexsort((rng.random(count), locations.of_point))
    at = locations.of_point[members]
    turn = np.arange(count) - np.searchsorted(at, at)
    explained = choices[at] > 0
    rows, at = members[explained], at[explained]
    chosen = start[at] + turn[explained] % choices[at]
    origin = np.full(count, -1, dtype=np.intp)
    partner = np.full(count, -1, dtype=np.intp)
    probability = np.zeros(count)
    origin[rows] = hypotheses.origin[best[chosen]]
    partner[rows] = hypotheses.partner[best[chosen]]
    probability[rows] = np.minimum(marginal[chosen], 1.0)
    return origin, partner, probability


def _kinds(
    hypotheses: Hypotheses,
    weights: np.ndarray,
    possible: np.ndarray,
    locations: Places,
    trust: float,
) -> np.ndarray:
    """Kind of each masked location."""
    stays = np.zeros(len(possible), dtype=bool)
    stays[hypotheses.location[(weights > 0) & ~hypotheses.moved]] = True
    kind = np.where(locations.count == 1, SINGLETON, PAIR)
    kind[stays] = UNMOVED
    # Accident rivals a lone explanation too, where most explanations are accidents.
    kind[(possible > 1) | (trust < 0.5)] = AMBIGUOUS
    kind[possible == 0] = UNRESOLVED
    return kind.astype(np.int8)


def _rows_at(place: np.ndarray, known: Places) -> np.ndarray:
    """A candidate row at each place (-1 stays); records at one place take turns."""
    by_place = np.argsort(known.of_point, kind="stable")
    start = np.cumsum(known.count) - known.count
    order = np.argsort(place, kind="stable")
    turn = np.empty(len(place), dtype=np.intp)
    turn[order] = np.arange(len(place)) - np.searchsorted(place[order], place[order])
    row = by_place[start[place] + turn % known.count[place]]
    return np.where(place >= 0, row, -1)
