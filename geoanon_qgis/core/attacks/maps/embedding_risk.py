# SPDX-License-Identifier: GPL-2.0-or-later
"""The risk of a release of distances, as the choice of its parameters needs it: attacks on one draw.

The near group and the papers' clique are quick and meet every row that is tried, without
attributes the signature attack as well. Likelihood, and signatures where there are attributes, take
longer: they are for rows that would be recommended. An ISGP release meets the near group and the maps of its
neighbourhoods, always both: the others need distances of all pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from ...distances.isgp import PER_RADIUS
from ...distances.matrix import DistanceMatrix
from ...distances.setting import Setting
from ...distances.trials import released as release_of
from ...runtime.errors import InputError
from ...runtime.progress import Progress, silent
from ...runtime.wording import number_of
from ...space.areas import StudyArea
from ...space.metrics import Metric, metric_in
from ..linkage.compatibility import LipschitzEmbedding, lipschitz_intervals
from ..linkage.field_matching import coordinates_tell, is_in_time
from ..linkage.inputs import Files
from ..linkage.linkage import Held, link_holding
from ..linkage.matching_chains import takes_too_long
from ..linkage.near_group import NearLimits, near_group
from ..linkage.result import (
    CLIQUE,
    LIKELIHOOD,
    LOCAL_MAPS,
    NEAR_GROUP,
    SIGNATURES,
    LinkageResult,
)
from ..linkage.several_releases import rule_of_several
from ..linkage.shared_labels import IntersectingSets
from ..linkage.signature_result import SignatureLimits
from ..linkage.signatures import signature_attack
from .adversary import LEAST_RELEASED, Adversary, Draws, Overlap, People
from .drawn import Drawn, attempt
from .likelihood import LEAST, likelihood_attack
from .local_maps import local_maps

#: Vertices of a product graph beyond which an attack takes minutes.
MOST_VERTICES = 40_000
#: Released records at most where attributes are not known: signatures grow with their cube.
MOST_BY_SIGNATURES = 200
#: Embeddings of the known people by the adversary.
REPLICATES = 200
#: Work of one search for a clique: some tenths of a second, the same result on every machine.
MOST_WORK = 100_000_000
#: Shares of true pairs that are tried, the largest first, while searches are cut off.
_ALPHAS = (0.5, 0.1)
#: Work of one signature attack, and own releases that it learns from.
_SIGNATURE_WORK, _SIGNATURE_RELEASES = 150_000_000, 3
#: Draws over which guessing is averaged.
_GUESSES = 10
#: The adversary where nobody says otherwise.
ANYBODY = Adversary()
#: Attacks that a release meets which tells distances of neighbours only.
_OF_NEIGHBOURS = (NEAR_GROUP, LOCAL_MAPS)
#: Steps of a search of the near group.
_NEAR_STEPS = 100_000_000


class EmbeddingRisk:
    """Attacks releases of parts of one set of points.

    Attributes
    ----------
    draws : Draws
        Who is released and known.
    tells : bool
        Whether attributes tell anybody apart.
    vertices : int
        Pairs of a released and a known record that agree, in one draw.
    guessed : float
        Share of the people who would be found by guessing among those who agree; see
        :meth:`guessed_in`.
    quick, slow : tuple of str
        Attacks that meet every embedding, and those that meet embeddings that would be recommended;
        see :meth:`quick_for` and :meth:`slow_for`.
    """

    def __init__(
        self,
        points: np.ndarray,
        labels: Sequence[Hashable],
        area: StudyArea,
        metric: Metric,
        rng: np.random.Generator,
        *,
        adversary: Adversary = ANYBODY,
        released: int | None = None,
        others: Sequence[int] = (),
        grouped: Sequence[Hashable] | None = None,
        alpha: float = 0.9,
        replicates: int = REPLICATES,
        max_work: int | None = MOST_WORK,
        ask: Progress = silent,
    ):
        """Settle the sizes of the files.

        Parameters
        ----------
        points : (n, 2) array
            Stored coordinates.
        labels : sequence of length n
            Quasi-identifiers; None where one is missing. Where all are the same, attributes are
            not known.
        area : StudyArea
        metric : Metric
        rng : numpy.random.Generator
        adversary : Adversary
        released : int, optional
            As :class:`.adversary.Draws` takes it.
        others : sequence of int
            Other numbers of released records that rows may have.
        grouped : sequence of length n, optional
            Quasi-identifiers as groups, for rows that release them so.
        alpha : float
            Share of true pairs that the clique accepts, to begin with.
        replicates : int
            Embeddings of the known records.
        max_work : int, optional
            Of each search for a clique; see :func:`..cliques.search.maximum_clique`.
        ask : callable
            May raise to cancel.

        Raises
        ------
        InputError
            If there are too few records, or far too many that look alike.
        """
        usable = np.flatnonzero([label is not None for label in labels])
        tell = len({label for label in labels if label is not None}) > 1
        if released is None and not tell:
            most = Draws(usable, adversary, gaps=self._gaps)
            released = min(MOST_BY_SIGNATURES, most.released)
            if adversary.known is not None:  # every record may be every person
                released = max(min(released, MOST_VERTICES // adversary.known), LEAST_RELEASED)
        self.draws = Draws(usable, adversary, released, self._gaps)
        self._others = {count: Draws(usable, adversary, count, self._gaps) for count in others}
        self._labels = {False: labels, True: labels if grouped is None else grouped}
        self._points = np.asarray(points, dtype=np.float64)
        self._area, self._metric, self._ask = area, metric, ask
        self._alphas = (alpha, *(one for one in _ALPHAS if one < alpha))
        self._replicates, self._max_work = replicates, max_work
        self._releases = adversary.releases
        self._entropy = int(rng.integers(2**63))
        first = self._people(None, self.draws.overlaps[0], 0)
        of_released, of_known = (
            [labels[row] for row in rows] for rows in (first.released, first.known)
        )
        self.vertices = sum(map(of_known.count, of_released))
        self.tells = tell
        self._guessed: dict[tuple[bool, int | None], float] = {}
        self.guessed = self.guessed_in(Setting(1, 1))
        every = max(one.released * one.known for one in (self.draws, *self._others.values()))
        if not tell and every > MOST_VERTICES:
            raise InputError(
                "Without quasi-identifiers every released record may be every known person:"
                " {vertices}, and at most {most_vertices:,} can be searched in good time. Use fewer"
                " records (N_RELEASED), or fewer known people (N_KNOWN).",
                vertices=number_of(every, "pair", "pairs"),
                most_vertices=MOST_VERTICES,
            )
        if self.vertices > MOST_VERTICES:
            raise InputError(
                "The quasi-identifiers tell too little apart: {vertices} of a released and a "
                "known record agree, and at most {most_vertices:,} can be searched in good time. "
                "Add a quasi-identifier, or use fewer records (N_RELEASED).",
                vertices=number_of(self.vertices, "pair", "pairs"),
                most_vertices=MOST_VERTICES,
            )
        # Without attributes, too, the clique finds many whom the others leave alone.
        self.quick = (NEAR_GROUP, CLIQUE) if tell else (NEAR_GROUP, SIGNATURES, CLIQUE)
        self.slow: tuple[str, ...] = ()
        if tell and min(self.draws.released, self.draws.known) >= LEAST:
            self.slow = (SIGNATURES, LIKELIHOOD)

    def __getstate__(self) -> dict[str, Any]:
        """On a cluster nobody is asked whether to go on."""
        return {**self.__dict__, "_ask": silent}

    def quick_for(self, setting: Setting) -> tuple[str, ...]:
        """Attacks that a row meets, whatever it is."""
        return _OF_NEIGHBOURS if setting.radius else self.quick

    def slow_for(self, setting: Setting) -> tuple[str, ...]:
        """Attacks that a row meets, too, if it would be recommended."""
        return () if setting.radius else self.slow

    def always_for(self, setting: Setting) -> tuple[str, ...]:
        """Those of them that are never left out: signatures, which take no longer than the clique."""
        return tuple(one for one in self.slow_for(setting) if one == SIGNATURES)

    def people(self, setting: Setting, overlap: Overlap) -> int:
        """Who can be found in one draw: those in both files, but for known links."""
        draws = self._draws_of(setting.released)
        return draws.common(overlap) - draws.links

    def guessed_in(self, setting: Setting) -> float:
        """Share of the people whom guessing by labels finds, mean of some draws.

        No parameters of distances make it less: groups of labels do, and more known people.

        Parameters
        ----------
        setting : Setting
            Of which groups and the number released count.
        """
        key = (setting.grouped, setting.released)
        if key not in self._guessed:
            labels, shares = self._labels[setting.grouped], []
            for number in range(_GUESSES):
                people = self._people(setting.released, self.draws.overlaps[0], number)
                files = ([labels[row] for row in rows] for rows in (people.released, people.known))
                shares.append(people.guessed(*files))
            self._guessed[key] = float(np.mean(shares))
        return self._guessed[key]

    def attack(
        self,
        setting: Setting,
        overlap: Overlap,
        number: int,
        attacks: Sequence[str],
        enough: Callable[[Drawn], bool] = lambda drawn: False,
        ask: Progress | None = None,
    ) -> Drawn:
        """Draw people, release some of them, and attack.

        Parameters
        ----------
        setting : Setting
        overlap : Overlap
        number : int
            Of the draw: the same people are drawn for every setting, others by every number.
        attacks : sequence of str
            One after the other.
        enough : callable
            Takes what was found so far, and says whether the others can be left out.
        ask : Progress, optional
            May raise to cancel.

        Returns
        -------
        Drawn
        """
        ask = ask or self._ask
        people = self._people(setting.released, overlap, number)
        seed = np.random.SeedSequence(
            self._entropy, spawn_key=(1, *setting.key, *_key(overlap), number)
        )
        rng = np.random.default_rng(seed)
        secret = self._points[people.released]
        release = [
            release_of(secret, self._area, self._metric, setting, rng, ask)
            for _ in range(self._releases)
        ]
        found: set[int] = set()
        drawn = Drawn(people.common, 0, ())
        for name in attacks:
            results = _ATTACKS[name](self, people, release, setting, rng, ask)
            for one in results:
                found |= people.found(one.matches)
            drawn = Drawn(
                people.common, len(found), (*drawn.attempts, attempt(name, people, results))
            )
            if enough(drawn):
                break
        return drawn

    def _gaps(self, rows: np.ndarray) -> np.ndarray:
        at = self._metric.coordinates(self._points[rows])
        return self._metric.rows(at[:1], at)[0]

    def _people(self, released: int | None, overlap: Overlap, number: int) -> People:
        seed = np.random.SeedSequence(self._entropy, spawn_key=(0, *_key(overlap), number))
        return self._draws_of(released).draw(overlap, np.random.default_rng(seed))

    def _draws_of(self, released: int | None) -> Draws:
        return self.draws if released is None else self._others[released]

    def _files(self, people: People, release: list[DistanceMatrix], setting: Setting) -> Files:
        labels = self._labels[setting.grouped]
        of_released, of_known = (
            [labels[row] for row in rows] for rows in (people.released, people.known)
        )
        known = self._points[people.known]
        metric: Metric = self._metric
        rule: LipschitzEmbedding | IntersectingSets = self._rule(setting)
        if setting.radius:  # its distances are those of a plane, whatever is chosen for embeddings
            rule = self._shared_labels(setting, known)
            metric = metric_in(rule.plane)
        return Files(
            of_released,
            release,
            of_known,
            known,
            metric,
            rule,
            rounding=(setting.step, 0.0),
            known_links=people.links.tolist(),
        )

    def _shared_labels(self, setting: Setting, known: np.ndarray) -> IntersectingSets:
        plane = self._metric.plane_around(known)
        radius = setting.radius / plane.metres_per_unit
        return IntersectingSets(radius, radius / PER_RADIUS, plane)

    def _rule(self, setting: Setting) -> LipschitzEmbedding:
        return LipschitzEmbedding(
            setting.sets,
            setting.size,
            self._area,
            self._alphas[0],
            self._replicates,
            setting.pre_noise,
        )

    def _by_near_group(self, people, release, setting, rng, ask) -> list[LinkageResult]:
        found = near_group(
            self._files(people, release, setting).of_neighbours(rng),
            limits=NearLimits(steps=_NEAR_STEPS),
            rng=rng,
            progress=ask,
        )
        return [found.as_linkage()]

    def _by_local_maps(self, people, release, setting, rng, ask) -> list[LinkageResult]:
        return [local_maps(self._files(people, release, setting), rng=rng, progress=ask)]

    def _by_clique(self, people, release, setting, rng, ask) -> list[LinkageResult]:
        """Search with smaller and smaller shares until one search comes to its end."""
        files = self._files(people, release, setting)
        given = files.settled()
        looks = cast(LipschitzEmbedding, rule_of_several(self._rule(setting), given.shares))
        every = lipschitz_intervals(
            files.known,
            self._area,
            self._metric,
            looks.sets,
            looks.size,
            self._alphas,
            self._replicates,
            rng=rng,
            progress=ask,
            pre_noise=looks.pre_noise,
        )
        square = given.square()
        results: list[LinkageResult] = []
        for alpha, intervals in zip(self._alphas, every):
            held = None
            if len(people.links):
                rule = replace(looks, alpha=alpha)
                held = Held(
                    files.known_links, square, files.known, self._metric, rule, files.rounding
                )
            results.append(
                link_holding(
                    held,
                    files.target_labels,
                    square,
                    files.known_labels,
                    intervals.widened(setting.step),
                    max_work=self._max_work,
                    keep_on_cancel=False,
                    rng=rng,
                    progress=ask,
                )
            )
            if results[-1].proven:
                break
        return results

    def _by_signatures(self, people, release, setting, rng, ask) -> list[LinkageResult]:
        # In small files it is hard to tell how many are in both; whoever knows everybody knows it.
        found = signature_attack(
            self._files(people, release, setting),
            common=people.common + len(people.links),
            rng=rng,
            progress=ask,
            limits=SignatureLimits(work=_SIGNATURE_WORK, releases=_SIGNATURE_RELEASES),
        )
        released, known = len(people.released), len(people.known)
        # Who has the time finds the coordinates of more people, too, and more people by these and by pairs.
        shared = (people.common + len(people.links)) / min(released, known)
        sets = setting.sets * self._releases
        by_fields = coordinates_tell(sets, released, shared) and not is_in_time(
            sets, released, known
        )
        if by_fields or takes_too_long(sets, released * known):
            found = replace(found, cut_off=True)
        return [found]

    def _by_likelihood(self, people, release, setting, rng, ask) -> list[LinkageResult]:
        return [
            likelihood_attack(
                self._files(people, release, setting),
                rng=rng,
                progress=ask,
            )
        ]


def _key(overlap: Overlap) -> tuple[int, ...]:
    return (round(1e6 * overlap.share), *((1,) if overlap.neighbours else ()))


_ATTACKS = {
    NEAR_GROUP: EmbeddingRisk._by_near_group,
    LOCAL_MAPS: EmbeddingRisk._by_local_maps,
    CLIQUE: EmbeddingRisk._by_clique,
    SIGNATURES: EmbeddingRisk._by_signatures,
    LIKELIHOOD: EmbeddingRisk._by_likelihood,
}
