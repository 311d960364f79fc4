# SPDX-License-Identifier: GPL-2.0-or-later
"""The graph-theoretic linkage attack: who is behind the records of a released distance matrix.

The adversary holds a file of known entities with the quasi-identifiers of the released table.
Records that agree in them are candidate matches; matches whose distances agree support each
other; the largest set of matches that all support each other is taken for true.

Kroll, M. (2014). *A graph theoretic linkage attack on microdata in a metric space.* Section 4.
Kroll, M. & Schnell, R. (2016). *Anonymisation of geographical distance matrices via Lipschitz
embedding.* International Journal of Health Geographics 15:1.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from ...runtime.progress import Progress, part, silent
from ...runtime.wording import mark
from ...space.metrics import Metric
from ..cliques.product_graph import ProductGraph, product_graph
from ..cliques.search import Clique, maximum_clique
from .compatibility import AbsoluteTolerance
from .inputs import Files
from .intervals import Intervals, Rule, contracts, true_distances
from .known_links import checked_links, fitting, not_ruled_out, room_of, row_names, unlinked
from .result import LinkageResult, nobody_agrees
from .several_releases import rule_of_several

_ONE_VERTEX = mark(
    "Only one pair of records agrees in the quasi-identifiers. It is reported as a match, but"
    " distances had no say in it."
)
_NO_EDGES = mark(
    "No two candidate matches have distances that agree: with this rule and these parameters the"
    " released distances cannot have come about, or the two files have nobody in common. Check"
    " the amount of noise or the embedding's parameters, the area and the unit of the distances."
    " The match reported is one of many that are equally good."
)

#: Time that a search for a clique takes at most, if nothing else is said (seconds).
CLIQUE_SECONDS = 60.0


def attack(
    files: Files,
    *,
    max_steps: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    random_tie: bool = False,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> LinkageResult:
    """Link a released table with a file of known entities.

    Parameters
    ----------
    files : Files
    max_steps, time_limit, memory_limit
        Of the search (seconds) and of the product graph (bytes).
    random_tie : bool
        Take one of the maximum cliques at random, as the papers say they do, instead of the
        first one found.
    rng : numpy.random.Generator
        For the rule and the search.
    progress : Progress
        If it raises Cancelled while the clique is searched for, the largest so far is returned
        and ``stopped`` says so.

    Returns
    -------
    LinkageResult

    Raises
    ------
    InputError
        If the parts do not fit together, a known link cannot be true, or the product graph does
        not fit into memory.
    """
    given, metric = files.settled(), files.metric
    rule = rule_of_several(files.rule, given.shares)
    target_labels, known_labels = files.target_labels, files.known_labels
    points, square = given.points, given.square()
    held = None
    if len(files.known_links):
        held = Held(files.known_links, square, points, metric, rule, given.rounding, given.names)
        target_labels = unlinked(target_labels, held.links[:, 0])
        known_labels = unlinked(known_labels, held.links[:, 1])
    # Whoever agrees with nobody needs no interval, and these are what takes time.
    wanted = set(target_labels)
    needed = np.array([label in wanted for label in known_labels], dtype=bool)
    if not needed.any():
        return nobody_agrees()
    if held is not None:
        needed[held.links[:, 1]] = True
    kept = np.flatnonzero(needed)
    intervals = rule.intervals(
        points[kept],
        metric,
        rng=rng,
        progress=part(progress, 0, 0.6),
    ).widened(*given.rounding)
    result = link(
        target_labels,
        square,
        [known_labels[row] for row in kept.tolist()],
        intervals,
        possible=None if held is None else held.possible(kept, intervals),
        max_steps=max_steps,
        time_limit=time_limit,
        memory_limit=memory_limit,
        random_tie=random_tie,
        rng=rng,
        progress=part(progress, 0.6, 1.0),
    )
    result.matches[:, 1] = kept[result.matches[:, 1]]
    return result if held is None else result.holding(held.links)


class Held:
    """Known links, and whom they leave.

    Attributes
    ----------
    links : (l, 2) int array
    """

    def __init__(
        self,
        known_links: Iterable[tuple[int, int]],
        square: np.ndarray,
        points: np.ndarray,
        metric: Metric,
        rule: Rule,
        widths: tuple[float, float] = (0.0, 0.0),
        names: tuple[Sequence[str], Sequence[str]] | None = None,
    ) -> None:
        """Check the links; see :func:`.known_links.checked_links`.

        Parameters
        ----------
        known_links : pairs of (row of the release, row of the known people)
        square : (n1, n1) array
            Released distances in the metric's unit.
        points : (n2, 2) array
            Stored coordinates of the known people.
        metric : Metric
        rule : Rule
        widths : (float, float)
            By how much a released distance may stand below and above what it was.
        names : (sequence, sequence), optional
            Ids of the released records, and of the known people, for sentences.
        """
        names = names or (row_names(len(square)), row_names(len(points)))
        self._square, self._true = square, true_distances(points, metric)
        self._room = room_of(self._true, widths) if contracts(rule) else np.inf
        self._share = 1.0 if isinstance(rule, AbsoluteTolerance) else getattr(rule, "alpha", 1.0)
        self.links = checked_links(
            known_links, square, self._true, self._room, names, unit=metric.unit
        )

    def possible(self, kept: np.ndarray, intervals: Intervals) -> Callable[..., np.ndarray]:
        """Which candidates stay, for people of these rows, and their intervals."""
        links = np.stack([self.links[:, 0], np.searchsorted(kept, self.links[:, 1])], axis=1)
        true = self._true[np.ix_(kept, kept)]

        def stay(target: np.ndarray, person: np.ndarray) -> np.ndarray:
            alive = not_ruled_out(target, person, links, self._square, true, self._room)
            return alive & fitting(target, person, links, self._square, intervals, self._share)

        return stay


def link_holding(
    held: Held | None,
    target_labels: Sequence[Hashable],
    released: np.ndarray,
    identification_labels: Sequence[Hashable],
    intervals: Intervals,
    **more: Any,
) -> LinkageResult:
    """Run :func:`link`, which takes the rest, with known links and intervals of all the people."""
    if held is None or not len(held.links):
        return link(target_labels, released, identification_labels, intervals, **more)
    result = link(
        unlinked(target_labels, held.links[:, 0]),
        released,
        unlinked(identification_labels, held.links[:, 1]),
        intervals,
        possible=held.possible(np.arange(len(identification_labels)), intervals),
        **more,
    )
    return result.holding(held.links)


def link(
    target_labels: Sequence[Hashable],
    released: np.ndarray,
    identification_labels: Sequence[Hashable],
    intervals: Intervals,
    *,
    max_steps: int | None = None,
    max_work: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    random_tie: bool = False,
    keep_on_cancel: bool = True,
    possible: Callable[..., np.ndarray] | None = None,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> LinkageResult:
    """Run the attack with intervals that are known already.

    Parameters are those of :func:`attack`; ``released`` is an (n1, n1) array in the unit of the
    intervals, ``max_work`` is that of :func:`..cliques.search.maximum_clique`, ``keep_on_cancel`` says
    whether a cancelled search returns what it has, and ``possible`` is that of
    :func:`..cliques.product_graph.product_graph`.
    """
    graph = product_graph(
        target_labels,
        identification_labels,
        released,
        intervals.lower,
        intervals.upper,
        closed=intervals.closed,
        memory_limit=memory_limit,
        progress=part(progress, 0, 0.3),
        possible=possible,
    )
    if len(graph) == 0:
        return nobody_agrees()
    clique = maximum_clique(
        graph,
        max_steps=max_steps,
        max_work=max_work,
        time_limit=time_limit,
        rng=rng,
        random_tie=random_tie,
        keep_on_cancel=keep_on_cancel,
        progress=part(progress, 0.3, 1.0),
    )
    note = _ONE_VERTEX if len(graph) == 1 else "" if graph.n_edges else _NO_EDGES
    return _result(graph, clique, intervals, released, note)


def support(graph: ProductGraph, members: np.ndarray, inner: Intervals, released) -> np.ndarray:
    """Say how much speaks for each match of a clique.

    Two things, multiplied: the share of its distances to the other matches that also fit the
    narrower inner intervals; and one over the number of candidates for its place, itself among
    them. A candidate is a vertex that is joined to all the other matches, so that the two could
    change places and no other match would notice. (Records at one address are each other's
    rivals, and so are matches that fit by chance.)

    The papers have no such figure. It tells right from wrong matches with an AUC of .6 to .8 for
    alpha = .9 and hardly at all for small alpha with noisy coordinates.

    Parameters
    ----------
    graph : ProductGraph
    members : (m,) int array
        Vertices of a clique to which none can be added.
    inner : Intervals
    released : (n1, n1) array

    Returns
    -------
    (m,) array
        Between 0 and 1. A lone match has no distances: one over the number of vertices.
    """
    joined = graph.joined(members[:, None], np.arange(len(graph)))
    all_but_one = joined.sum(axis=0) == len(members) - 1
    all_but_one[members] = False
    candidates = 1 + np.count_nonzero(all_but_one & ~joined, axis=1)
    if len(members) < 2:
        return 1.0 / candidates
    target, known = graph.target[members], graph.identification[members]
    first, second = np.triu_indices(len(members), 1)
    fits = np.zeros((len(members), len(members)))
    fits[first, second] = inner.holds(
        released[target[first], target[second]], known[first], known[second]
    )
    return (fits + fits.T).sum(axis=1) / (len(members) - 1) / candidates


def _result(graph: ProductGraph, clique: Clique, intervals: Intervals, released, note):
    members = np.asarray(clique.members, dtype=np.int64)
    order = np.argsort(graph.target[members], kind="stable")
    members = members[order]
    return LinkageResult(
        matches=np.stack([graph.target[members], graph.identification[members]], axis=1),
        in_every=None if clique.in_every is None else clique.in_every[order],
        support=(
            support(graph, members, intervals.inner, released)
            if intervals.inner
            else np.full(len(members), np.nan)
        ),
        vertices=len(graph),
        edges=graph.n_edges,
        search=clique,
        coverage=intervals.coverage,
        note=note,
    )
