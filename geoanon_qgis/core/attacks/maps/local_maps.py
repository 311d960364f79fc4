# SPDX-License-Identifier: GPL-2.0-or-later
"""Maps of neighbourhoods of an ISGP release, laid over the known people.

Records that share labels can be drawn as maps (:mod:`.distances.neighbourhoods`). Two matches fix
the turn and the shift of a map up to its mirror image: every two records are tried on every two
known people of their labels who are as far apart (after Fischler & Bolles 1981, Random sample
consensus). A map lies right where more of its other records come to lie on known people of their
labels than the density of these explains, given all that was tried.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from ...distances.isgp import SharedPairs
from ...distances.matrix import DistanceMatrix
from ...distances.neighbourhoods import Neighbourhood, drawn, neighbourhoods, pieces, too_large
from ...runtime.errors import InputError
from ...runtime.progress import Late, Progress, part, shares, silent, until
from ...runtime.wording import mark
from ..linkage.inputs import Files
from ..linkage.known_links import linked_once
from ..linkage.near_edges import Candidates
from ..linkage.result import LOCAL_MAPS, NO_VERTICES, LinkageResult, nobody_agrees
from ..linkage.shared_labels import IntersectingSets
from .registration import density_at

#: How far a record may come to lie from its person, in standard deviations of a distance.
_WIDTHS = (5.0, 20.0)
#: Ways to lay a map that are tried at most, pairs of records that are tried, the best of which are
#: looked at again, and records that vote on all of them.
_TRIED, _PAIRS, _BEST, _VOTERS = 20_000, 3_000, 12, 80
#: Length of a pair that holds a map, as a part of the longest.
_LONG = 0.3
#: Ways as good to be expected by chance among all that were tried, for one to be believed.
_BELIEVED = 0.02
#: A map whose distances are off by more than so many standard deviations bends somewhere; those that
#: lie right are off by 0.6.
_BENT = 0.9
#: How far the pieces of a map reach that bends or is not believed as a whole, in radii, and the
#: share of a piece's records that no piece before it has laid.
_REACH, _LEFT = (8.0, 4.0), 0.3
#: Circle round a record in which strangers are counted, in the spread of those who are matched.
_NEAR = 2.0
#: Rounds of laying a map better by those who were matched.
_ROUNDS = 4
_NOBODY = mark("No map of a neighbourhood comes to lie on the known people better than by chance.")


@dataclass(frozen=True, eq=False)
class _Laid:
    """A map as it lies: places of its records, and how often chance does as well."""

    xy: np.ndarray
    by_chance: float
    width: float


def local_maps(
    files: Files,
    *,
    threshold: float = 0.5,
    seconds: float | None = None,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> LinkageResult:
    """Link an ISGP release with known people by maps of its neighbourhoods.

    Parameters
    ----------
    files : Files
        One release, by :class:`..linkage.shared_labels.IntersectingSets`; pairs two radii and more
        apart are those that share no label. Two links and more in a neighbourhood lay its map.
    threshold : float
        Least confidence of a match that is claimed.
    seconds : float, optional
        The attack ends with what it has found by then.
    rng : numpy.random.Generator
    progress : Progress

    Returns
    -------
    LinkageResult

    Raises
    ------
    InputError
        If the parts do not fit together, a record or a person is linked twice, or the rule is not
        that of an ISGP release.
    """
    rule = files.rule
    if not isinstance(rule, IntersectingSets):
        raise InputError("Local maps can be drawn of an ISGP release only. Choose its rule.")
    files.single()
    given = files.settled()
    points = given.points
    links = linked_once(files.known_links, (len(given.matrix), len(points)), given.names)
    candidates = Candidates.of_labels(files.target_labels, files.known_labels)
    if not len(candidates):
        return nobody_agrees(LOCAL_MAPS)
    attack = _Attack(
        _near_pairs(given.matrix, given.length, rule),
        rule.plane.forward(points) * rule.plane.metres_per_unit,
        candidates,
        rule.deviation,
        dict(links.tolist()),
        rng,
    )
    asked = until(progress, None if seconds is None else time.monotonic() + seconds)
    late = False
    try:
        attack.run(asked)
    except Late:
        late = True
    # What a map that was not drawn would show is not known.
    return attack.result(threshold, late or too_large(attack.pairs))


def _near_pairs(released: DistanceMatrix, length: float, rule: IntersectingSets) -> SharedPairs:
    count, near = len(released), released.condensed * length < rule.beyond * (1 - 1e-9)
    first, second = (one[near] for one in np.triu_indices(count, 1))
    return SharedPairs(first, second, released.condensed[near] * length, count, rule.beyond / 2)


class _Attack:
    """One attack; what it has found so far is there whenever time runs out."""

    def __init__(self, pairs, known, candidates: Candidates, deviation: float, links, rng) -> None:
        self.pairs, self.known, self.candidates, self.rng = pairs, known, candidates, rng
        self.deviation, self.links = deviation, links
        both = (candidates.kind_target, candidates.kind_known)
        kinds = int(max(one.max(initial=-1) for one in both)) + 1
        self.people = [np.flatnonzero(candidates.kind_known == one) for one in range(kinds)]
        self.share = np.array([len(one) for one in self.people]) / len(known)
        self.found: dict[tuple[int, int], float] = {}

    def run(self, progress: Progress) -> None:
        """Draw the maps, lay each of them."""
        maps = neighbourhoods(self.pairs, progress=part(progress, 0, 0.4))
        for one, steps in zip(maps, shares(part(progress, 0.4, 1.0), len(maps))):
            if not self._laid(one, steps) or one.misfit > _BENT * self.deviation:
                self._by_pieces(one, steps)

    def _laid(self, one: Neighbourhood, progress: Progress, of: int = 1) -> bool:
        """Lay one of so many maps, and match its records if it lies right."""
        laid = self._lay(one, progress, of)
        if laid is not None:
            self._match(one, laid)
        return laid is not None

    def _by_pieces(self, one: Neighbourhood, progress: Progress) -> None:
        """Lay a map that bends piece by piece, and match more of its records."""

        def asked(_: float) -> None:
            progress(1.0)

        left = set(one.records.tolist())
        for reach in _REACH:
            cut = pieces(self.pairs, one.records, reach * self.pairs.radius)
            for records in cut:
                if len(left & set(records.tolist())) >= _LEFT * len(records):
                    piece = drawn(self.pairs, records, asked)
                    if self._laid(piece, asked, len(cut)):
                        left -= set(records.tolist())

    def _lay(self, one: Neighbourhood, progress: Progress, of: int) -> _Laid | None:
        """The best way to lay one of so many maps, if chance hardly does as well."""
        kind = self.candidates.kind_target[one.records]
        usable = np.flatnonzero((kind >= 0) & (self._rivals(kind) > 0))
        if len(usable) < 3:
            return None
        best = None
        for width in (factor * self.deviation for factor in _WIDTHS):
            ways, tried, given = self._ways(one, kind, usable, width)
            if not len(ways):
                continue
            score = self._scores(one.xy, kind, usable, ways, width, progress)
            for at in np.argsort(-score)[:_BEST]:
                progress(1.0)
                laid = self._better(one.xy, kind, usable, ways[at], width)
                chance = min(self._by_chance(laid, kind, usable, width, given) * tried * of, 1e9)
                if best is None or chance < best.by_chance:
                    best = _Laid(laid, chance, width)
        return best if best is not None and best.by_chance <= _BELIEVED else None

    def _rivals(self, kind: np.ndarray) -> np.ndarray:
        return np.array([len(self.people[one]) if one >= 0 else 0 for one in kind])

    def _ways(self, one: Neighbourhood, kind, usable, width: float):
        """Ways to lay a map (turn, shift, mirrored), how many there are, matches each is made of."""
        here = one.xy @ np.array([1, 1j])
        there = self.known @ np.array([1, 1j])
        linked = [at for at, record in enumerate(one.records.tolist()) if record in self.links]
        if len(linked) >= 2:
            onto = there[[self.links[int(one.records[at])] for at in linked]]
            ways = [_fitted(here[linked], onto, mirrored) for mirrored in (False, True)]
            return np.array(ways), len(ways), 0
        i, j = (usable[side] for side in np.triu_indices(len(usable), 1))
        apart = np.abs(here[i] - here[j])
        long = np.flatnonzero(apart >= max(_LONG * apart.max(), 2 * width))
        rivals = self._rivals(kind)
        # Rare labels first, and others by chance.
        order = np.argsort(rivals[i[long]] * rivals[j[long]] * self.rng.random(len(long)))
        pairs = long[order[:_PAIRS]]
        ends, tried = [], 0
        for a, b, far in zip(i[pairs].tolist(), j[pairs].tolist(), apart[pairs].tolist()):
            p, q = self.people[kind[a]], self.people[kind[b]]
            fits = np.abs(np.abs(there[p][:, None] - there[q]) - far) < width
            row, column = np.nonzero(fits)
            keep = p[row] != q[column]
            tried += 2 * int(keep.sum())
            ends.append(
                np.stack(
                    [np.full(keep.sum(), a), np.full(keep.sum(), b), p[row[keep]], q[column[keep]]]
                )
            )
            if tried > 4 * _TRIED:
                break
        found = np.concatenate(ends, axis=1) if ends else np.zeros((4, 0), np.int64)
        if found.shape[1] > _TRIED // 2:
            found = found[:, self.rng.choice(found.shape[1], _TRIED // 2, replace=False)]
        a, b, p, q = found
        ways = []
        for mirrored in (False, True):
            own = np.conj(here) if mirrored else here
            turn = (there[q] - there[p]) / (own[b] - own[a])
            turn /= np.maximum(np.abs(turn), 1e-300)
            shift = (there[p] + there[q]) / 2 - turn * (own[a] + own[b]) / 2
            ways.append(np.stack([turn, shift, np.full(len(turn), mirrored)], axis=1))
        return np.concatenate(ways), tried, 2

    def _scores(self, xy, kind, usable, ways, width: float, progress: Progress) -> np.ndarray:
        """Votes of some records on all ways, each by how rare its hit is."""
        voters = usable
        if len(voters) > _VOTERS:
            rivals = self._rivals(kind[usable]) * self.rng.random(len(usable))
            voters = usable[np.argsort(rivals)[:_VOTERS]]
        worth = -np.log(np.minimum(self._chance_at(self.known, width), 0.5))
        worth -= np.log(np.maximum(self.share[self.candidates.kind_known], 1e-9))
        here = xy @ np.array([1, 1j])
        score = np.zeros(len(ways))
        turn, shift, mirrored = ways[:, 0], ways[:, 1], ways[:, 2].real > 0
        for at, steps in zip(voters.tolist(), shares(progress, len(voters))):
            laid = turn * np.where(mirrored, np.conj(here[at]), here[at]) + shift
            off, who = self._nearest(np.stack([laid.real, laid.imag], axis=1), kind[at], width)
            hit = np.isfinite(off)
            score[hit] += worth[who[hit]]
            steps(1.0)
        return score

    def _nearest(self, places: np.ndarray, kind: int, width: float):
        """Distance to the nearest known person of a kind, infinite beyond the width, and who."""
        from scipy.spatial import cKDTree

        people = self.people[kind]
        off, at = cKDTree(self.known[people]).query(places, distance_upper_bound=width)
        return off, people[np.minimum(at, len(people) - 1)]

    def _chance_at(self, places: np.ndarray, width: float) -> np.ndarray:
        """Known people to be expected within the width of places, of all labels."""
        return density_at(places, self.known, width) * len(self.known) * np.pi * width**2

    def _hits(self, laid, kind, usable, width: float):
        """Records that come to lie on a person of their label, that person, and how near."""
        off = np.full(len(laid), np.inf)
        who = np.zeros(len(laid), np.int64)
        for one in np.unique(kind[usable]):
            some = usable[kind[usable] == one]
            off[some], who[some] = self._nearest(laid[some], one, width)
        records = np.flatnonzero(np.isfinite(off))
        # Nobody is two people: the nearer record has him.
        order = records[np.argsort(off[records], kind="stable")]
        _, first = np.unique(who[order], return_index=True)
        kept = np.sort(order[first])
        return kept, who[kept], off[kept]

    def _better(self, xy, kind, usable, way, width: float) -> np.ndarray:
        """Lay a map better by those who come to lie on somebody."""
        here, there = xy @ np.array([1, 1j]), self.known @ np.array([1, 1j])
        turn, shift, mirrored = way[0], way[1], way[2].real > 0
        own = np.conj(here) if mirrored else here
        for _ in range(_ROUNDS):
            laid = turn * own + shift
            places = np.stack([laid.real, laid.imag], axis=1)
            records, who, _ = self._hits(places, kind, usable, width)
            if len(records) < 3:
                return places
            turn, shift, _ = _fitted(own[records], there[who], False)
        laid = turn * own + shift
        return np.stack([laid.real, laid.imag], axis=1)

    def _by_chance(self, laid, kind, usable, width: float, given: int) -> float:
        """Bound on the probability that as many rare hits come about by chance (Chernoff)."""
        chance = np.minimum(self._chance_at(laid[usable], width) * self.share[kind[usable]], 0.5)
        records, _, _ = self._hits(laid, kind, usable, width)
        rare = np.sort(-np.log(chance[np.isin(usable, records)]))
        # The matches that a way was made of lie right by making.
        score = rare[: max(len(rare) - given, 0)].sum()
        theta = np.linspace(0.02, 0.98, 49)[:, None]
        bound = np.log1p(chance ** (1 - theta) - chance).sum(axis=1) - theta[:, 0] * score
        return float(np.exp(min(bound.min(), 0.0)))

    def _match(self, one: Neighbourhood, laid: _Laid) -> None:
        """Match the records of a map that lies right, with how sure that is."""
        kind = self.candidates.kind_target[one.records]
        usable = np.flatnonzero((kind >= 0) & (self._rivals(kind) > 0))
        records, who, off = self._hits(laid.xy, kind, usable, laid.width)
        expected = self._chance_at(laid.xy[records], laid.width) * self.share[kind[records]]
        everywhere = self._chance_at(laid.xy[usable], laid.width) * self.share[kind[usable]]
        known = max((len(records) - everywhere.sum()) / len(usable), 1.0 / len(usable))
        spread = max(float(np.median(off)) / 1.18, 0.2 * self.deviation)
        near = np.exp(-0.5 * (off / spread) ** 2) / (2 * np.pi * spread**2)
        others = expected / (np.pi * laid.width**2)
        others *= self._crowded(laid, kind, usable, _NEAR * spread)
        sure = (1 - min(laid.by_chance, 1.0)) * known * near / (known * near + others)
        for record, person, chance in zip(one.records[records], who, sure):
            pair = int(record), int(person)
            self.found[pair] = max(float(chance), self.found.get(pair, 0.0))

    def _crowded(self, laid: _Laid, kind, usable, near: float) -> float:
        """How much denser strangers stand near records than the density of a wider circle says.

        People live in houses, and houses in rows. Who has other labels is a stranger for certain,
        and as near as those who happen to have the same.
        """
        from scipy.spatial import cKDTree

        places, of = laid.xy[usable], kind[usable]
        strangers = cKDTree(self.known).query_ball_point(places, near, return_length=True)
        for one in np.unique(of):
            same = cKDTree(self.known[self.people[one]])
            mine = of == one
            strangers[mine] -= same.query_ball_point(places[mine], near, return_length=True)
        expected = (1 - self.share[of]) * self._chance_at(places, laid.width)
        expected *= (near / laid.width) ** 2
        return max(1.0, float(strangers.sum() / expected.sum())) if expected.sum() > 0 else 1.0

    def result(self, threshold: float, late: bool) -> LinkageResult:
        """Put together what was found, no person and no record twice."""
        records: set[int] = set()
        people: set[int] = set()
        pairs, chance = [], []
        for pair in sorted(self.found, key=lambda one: (-self.found[one], one)):
            if pair[0] not in records and pair[1] not in people:
                records.add(pair[0])
                people.add(pair[1])
                pairs.append(pair)
                chance.append(self.found[pair])
        guesses, sure = np.array(pairs, dtype=np.int64).reshape(-1, 2), np.array(chance)
        kept = np.flatnonzero(sure >= max(threshold, np.finfo(float).tiny))
        kept = kept[np.argsort(guesses[kept, 0], kind="stable")]
        note = NO_VERTICES if not len(self.candidates) else "" if len(kept) else _NOBODY
        return LinkageResult(
            guesses[kept],
            None,
            sure[kept],
            len(self.candidates),
            0,
            None,
            None,
            note,
            cut_off=late,
            guesses=guesses,
            chance=sure,
            name=LOCAL_MAPS,
        )


def _fitted(here: np.ndarray, onto: np.ndarray, mirrored: bool) -> tuple[complex, complex, bool]:
    """Turn and shift that lay points best on others, in complex numbers (least squares)."""
    own = np.conj(here) if mirrored else here
    turn = complex(np.vdot(own - own.mean(), onto - onto.mean()))
    turn = turn / abs(turn) if abs(turn) > 0 else 1.0 + 0.0j
    return turn, complex(onto.mean() - turn * own.mean()), mirrored
