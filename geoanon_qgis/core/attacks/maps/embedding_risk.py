# SPDX-License-Identifier: GPL-2.0-or-later
"""The risk of an embedding, as the choice of its parameters needs it: two attacks on each.

The papers' clique attack and the near group, which finds more, are quick and meet every embedding
that is tried. The attack by likelihood takes about a minute: it is for parameters that would be
chosen.

Kroll & Schnell (2016), "A simulation to study the privacy preserving properties": some of the
records are released, and an adversary knows others, a tenth of whom are among the released. What
the paper does with two files is done here with parts of one.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Sequence

import numpy as np

from ...distances.choice import Found
from ...distances.lipschitz import lipschitz_distances
from ...distances.matrix import DistanceMatrix
from ...runtime.errors import InputError
from ...runtime.progress import Progress, part, silent
from ...runtime.wording import number_of
from ...space.areas import StudyArea
from ...space.metrics import Metric
from ..linkage.compatibility import REPLICATES, Intervals, LipschitzEmbedding, lipschitz_intervals
from ..linkage.linkage import link
from ..linkage.near_group import near_group
from ..linkage.result import LinkageResult
from ..linkage.truth import LinkageScore, score
from .likelihood import THRESHOLD, link_by_likelihood
from .model import prepare

#: Records of each of the two files at most, and the share of them that both files have: those
#: of the paper's second scenario.
MOST_RECORDS = 500
OVERLAP = 0.1
#: Vertices of a product graph beyond which an attack takes minutes.
MOST_VERTICES = 40_000
#: Work of one search for a clique: two to five seconds, the same result on every machine.
MOST_WORK = 1_000_000_000
#: Parameters whose intervals are kept: some four megabytes each.
_KEPT = 64


class EmbeddingRisk:
    """Attacks embeddings of one set of points; a ``risk`` of :func:`...distances.grid_search.evaluate`.

    For the clique the released and the known records are drawn once, so that cells differ by their
    parameters only: intervals depend on d, k and the known records, and are computed once for each.
    For the near group they are drawn anew in every embedding: who happens to be known makes more
    difference than the reference points do.

    Attributes
    ----------
    target, identification : int arrays
        Rows of the points that are released, and known.
    truth : (n_target,) int array
        Row of each released record in the identification file; -1 if it is not there.
    overlap : int
        Records in both.
    """

    def __init__(
        self,
        points: np.ndarray,
        labels: Sequence[Hashable],
        area: StudyArea,
        metric: Metric,
        alpha: float,
        rng: np.random.Generator,
        *,
        replicates: int = REPLICATES,
        max_work: int | None = MOST_WORK,
        ask: Progress = silent,
    ):
        """Draw who is released and who is known.

        Parameters
        ----------
        points : (n, 2) array
            Stored coordinates.
        labels : sequence of length n
            Quasi-identifiers; None where one is missing.
        area : StudyArea
        metric : Metric
        alpha : float
            Share of true pairs that the adversary wants accepted.
        rng : numpy.random.Generator
        replicates : int
            Embeddings of the known records.
        max_work : int, optional
            Of the search in each attack; see :func:`..cliques.search.maximum_clique`.
        ask : callable
            May raise to cancel.

        Raises
        ------
        InputError
            If there are too few records, or far too many that look alike.
        """
        usable = np.flatnonzero([label is not None for label in labels])
        # n records serve two files of m that share a tenth: 1.9 m = n.
        count = min(MOST_RECORDS, int(len(usable) / (2 - OVERLAP)))
        if count < 10:
            raise InputError(
                "Only {records} all quasi-identifiers; an attack on a part of them needs 20 "
                "at least. Choose other quasi-identifiers, or none to leave the attack out.",
                records=number_of(len(usable), "record has", "records have"),
            )
        self.overlap = max(1, round(OVERLAP * count))
        self._usable, self._each, self._all_labels = usable, count, labels
        self.target, self.identification, self.truth = self._drawn(rng)
        self._labels = self._labels_of(self.target, self.identification)
        vertices = sum(map(self._labels[1].count, self._labels[0]))
        if vertices > MOST_VERTICES:
            raise InputError(
                "The quasi-identifiers tell too little apart: {vertices} of a released and a "
                "known record agree, and at most {most_vertices:,} can be searched in good time. "
                "Add a quasi-identifier, or use fewer records.",
                vertices=number_of(vertices, "pair", "pairs"),
                most_vertices=MOST_VERTICES,
            )
        self.vertices = vertices
        self._points = points = np.asarray(points, dtype=np.float64)
        self._secret, self._known = points[self.target], points[self.identification]
        self._count, self._area, self._metric = len(labels), area, metric
        self._alpha, self._replicates, self._max_work = alpha, replicates, max_work
        self._ask = ask
        self._entropy = int(rng.integers(2**63))
        self._lock = threading.Lock()
        self._intervals: OrderedDict[tuple[int, int], Intervals] = OrderedDict()

    def __call__(
        self, condensed: np.ndarray, sets: int, size: int, rng: np.random.Generator
    ) -> dict[str, float]:
        """Attack one embedding of all points in both ways.

        Returns
        -------
        dict of str to float
            ``precision`` and ``recall`` of the attack that did better, ``proven`` (1 if both came
            to their end); ``clique_recall`` and ``clique`` (matches), ``near_recall`` and
            ``near_group`` of each.
        """
        intervals = self._intervals_of(sets, size)
        released = DistanceMatrix.numbered(condensed).subset(self.target)
        result = link(
            self._labels[0],
            released.square(),
            self._labels[1],
            intervals,
            max_work=self._max_work,
            keep_on_cancel=False,
            rng=rng,
            progress=self._ask,
        )
        found = score(result, self.truth)
        near, near_found = self._by_near_group(condensed, sets, size, rng)
        return {
            "precision": float(np.fmax(found.precision, near_found.precision)),
            "recall": max(found.recall, near_found.recall),
            "clique": float(result.clique),
            "clique_recall": found.recall,
            "near_group": float(near.clique),
            "near_recall": near_found.recall,
            "proven": float(result.proven and near.proven),
        }

    def _drawn(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Draw who is released and who is known, and where each of the first is in the second."""
        drawn, count = rng.permutation(self._usable), self._each
        target = rng.permutation(drawn[:count])
        known = rng.permutation(drawn[count - self.overlap : 2 * count - self.overlap])
        place = np.full(len(self._all_labels), -1)
        place[known] = np.arange(len(known))
        return target, known, place[target]

    def _labels_of(self, *files: np.ndarray) -> list[list[Hashable]]:
        return [[self._all_labels[row] for row in rows] for rows in files]

    def _by_near_group(
        self, condensed: np.ndarray, sets: int, size: int, rng: np.random.Generator
    ) -> tuple[LinkageResult, LinkageScore]:
        target, known, truth = self._drawn(rng)
        released, labels = self._labels_of(target, known)
        result = near_group(
            released,
            DistanceMatrix.numbered(condensed).subset(target),
            labels,
            self._points[known],
            self._metric,
            LipschitzEmbedding(sets, size, self._area, self._alpha),
            rng=rng,
            progress=self._ask,
        ).as_linkage()
        return result, score(result, truth)

    def by_likelihood(
        self, sets: int, size: int, repeats: int, progress: Progress = silent
    ) -> Found:
        """Attack embeddings of the released records by likelihood.

        Parameters
        ----------
        sets, size : int
        repeats : int
            Embeddings, each with sets of its own.
        progress : Progress

        Returns
        -------
        Found
            Of all embeddings together.
        """
        rng = np.random.default_rng([self._entropy, sets, size, 1])
        rule = LipschitzEmbedding(sets, size, self._area, self._alpha)
        model = prepare(
            rule, self._known, self._metric, rng, part(progress, 0, 0.1), len(self._secret)
        )
        claimed, right = 0, []
        for number in range(repeats):
            step = part(progress, 0.1 + 0.9 * number / repeats, 0.1 + 0.9 * (number + 1) / repeats)
            condensed = lipschitz_distances(
                self._secret, self._area, self._metric, sets, size, rng, part(step, 0, 0.05)
            )
            result = link_by_likelihood(
                self._labels[0],
                DistanceMatrix.numbered(condensed).square(),
                self._labels[1],
                model,
                rng,
                part(step, 0.05, 1.0),
                threshold=THRESHOLD,
            )
            claimed += len(result.matches)
            right.append(score(result, self.truth).true_positives)
        return Found(claimed, sum(right), repeats * self.overlap, tuple(right))

    def _intervals_of(self, sets: int, size: int) -> Intervals:
        # Two threads may ask for the same at once; one computes, the other waits.
        with self._lock:
            if (sets, size) not in self._intervals:
                rng = np.random.default_rng([self._entropy, sets, size])
                self._intervals[sets, size] = lipschitz_intervals(
                    self._known,
                    self._area,
                    self._metric,
                    sets,
                    size,
                    (self._alpha,),
                    self._replicates,
                    rng=rng,
                    progress=self._ask,
                )[0]
                if len(self._intervals) > _KEPT:
                    self._intervals.popitem(last=False)
            return self._intervals[sets, size]
