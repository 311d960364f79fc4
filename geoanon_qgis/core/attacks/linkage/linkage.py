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

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import lgamma, log

import numpy as np

from ...distances.matrix import DistanceMatrix, check
from ...runtime.errors import InputError
from ...runtime.progress import Progress, part, silent
from ...runtime.results import Summarised
from ...runtime.wording import Sentence, figure, mark, number_of
from ...space.metrics import Metric
from ..cliques.product_graph import ProductGraph, product_graph
from ..cliques.search import Clique, maximum_clique
from .compatibility import Intervals, Rule

NO_VERTICES = mark(
    "No record of the released table agrees with a known entity in its quasi-identifiers, so"
    " there is nothing to link. Check that the fields are paired in the right order and coded"
    " alike."
)
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
#: Decimal logarithm of the accidental cliques below which a clique is no accident, and the share
#: of pairs that may agree for that to be said. Matches of neighbours agree more often than
#: accident: of simulated files with nobody in common the largest cliques reach -6 where up to 15 %
#: of the pairs agree, and -46 where more do; with people in common they begin at -38.
_NO_ACCIDENT, _FEW_AGREE = -20.0, 0.15


@dataclass(frozen=True, repr=False)
class LinkageResult(Summarised):
    """Matches between the released table and the identification file.

    Attributes
    ----------
    matches : (m, 2) int array
        Row of the target, row of the identification file; ascending by target. No row occurs
        twice in either column.
    in_every : (m,) bool array or None
        Whether a match is part of every maximum clique that was found; None where these were
        not looked for, because no clique is proven to be maximum.
    support : (m,) array
        How much speaks for a match, between 0 and 1; see :func:`support`. NaN where intervals
        came without inner ones.
    vertices, edges : int
        Size of the product graph.
    search : Clique or None
        What searched, how long, what it proved and why it stopped; None without vertices.
    coverage : float or None
        What share of true pairs the intervals really hold, where that was simulated.
    note : str
        A sentence on a result that says little; empty otherwise.
    cut_off : bool
        Whether an attack by likelihood ran out of time: others would have found more.
    guesses, chance : (k, 2) int array and (k,) array, or None
        By likelihood: the likeliest match of each record that has candidates, claimed or not,
        and how probable it is.
    unable : bool
        Whether the attack could not be run on these files at all; ``note`` says why.
    """

    matches: np.ndarray
    in_every: np.ndarray | None
    support: np.ndarray
    vertices: int
    edges: int
    search: Clique | None
    coverage: float | None
    note: str
    cut_off: bool = False
    guesses: np.ndarray | None = None
    chance: np.ndarray | None = None
    unable: bool = False

    @property
    def compared(self) -> bool:
        """Whether distances had a say: where no two of a clique's candidates agree, none had."""
        if self.unable or not self.vertices:
            return False
        return self.search is None or self.edges > 0

    @property
    def clique(self) -> int:
        """Number of matches."""
        return len(self.matches)

    @property
    def proven(self) -> bool:
        """Whether the attack came to its end: no larger set of matches exists."""
        return not self.cut_off and (self.search is None or self.search.proven)

    @property
    def stopped(self) -> str:
        """What ended it early: steps, work, time or cancelled; empty for nothing."""
        if self.cut_off:
            return "time"
        return "" if self.search is None else self.search.stopped

    @property
    def unique(self) -> int:
        """Number of matches that every maximum clique found has; 0 where that is not known."""
        return 0 if self.in_every is None else int(np.count_nonzero(self.in_every))

    def in_words(self) -> str:
        """Say how many records were linked, and what speaks for it."""
        said = (
            f"Linkage attack: {number_of(self.clique, 'match', 'matches')} from"
            f" {number_of(self.vertices, 'candidate pair', 'candidate pairs')}."
        )
        if self.search is not None:
            end = "no larger set exists" if self.proven else "the search was cut off"
            said += f"\nThe largest set whose distances all agree; {end}."
        elif self.clique:
            said += (
                f"\nExpected to be right: {float(self.support.sum()):,.1f} of {self.clique:,}"
                f" (confidence {float(self.support.min()):.0%} to"
                f" {float(self.support.max()):.0%})."
            )
        return f"{said}\n{self.note}" if self.note else said


@dataclass(frozen=True, repr=False)
class LinkageScore(Summarised):
    """How right the matches were.

    Attributes
    ----------
    true_positives, false_positives : int
        Right and wrong matches.
    false_negatives : int
        Entities of both files that were not matched with themselves.
    """

    true_positives: int
    false_positives: int
    false_negatives: int

    @property
    def precision(self) -> float:
        """Share of the matches that are right; NaN if there are none."""
        matched = self.true_positives + self.false_positives
        return self.true_positives / matched if matched else float("nan")

    @property
    def recall(self) -> float:
        """Share of the overlap that was found; NaN if the files have nobody in common."""
        common = self.true_positives + self.false_negatives
        return self.true_positives / common if common else float("nan")

    def in_words(self) -> str:
        """Say how many matches were right, and how many people were not found."""
        return (
            f"Right {self.true_positives:,}, wrong {self.false_positives:,}, not found"
            f" {self.false_negatives:,}: precision {figure(self.precision, '.1%')}, recall"
            f" {figure(self.recall, '.1%')}."
        )


def attack(
    target_labels: Sequence[Hashable],
    released: DistanceMatrix,
    identification_labels: Sequence[Hashable],
    identification_points: np.ndarray,
    metric: Metric,
    rule: Rule,
    *,
    unit_length: float | None = None,
    rounding: tuple[float, float] = (0.0, 0.0),
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
    target_labels : sequence of length n1
        Quasi-identifiers of the released records, in the order of the matrix; a tuple for each.
        None, or a tuple with None in it, leaves a record out.
    released : DistanceMatrix
        Of the n1 released records.
    identification_labels : sequence of length n2
    identification_points : (n2, 2) array
        Stored coordinates of the known entities.
    metric : Metric
        In which the release measured distances.
    rule : Rule
        What is known of the release; see :mod:`~geoanon_qgis.core.attacks.linkage.compatibility`.
    unit_length : float, optional
        Length of one unit of the matrix in that of the metric; by default from the matrix's
        ``unit``: 1 for m and for none, 1000 for km.
    rounding : (float, float)
        By how much a released distance may stand below and above what it was before it was
        rounded, in the unit of the matrix; see :meth:`Intervals.widened`.
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
        If the parts do not fit together, or the product graph does not fit into memory.
    """
    refuse_what_does_not_fit(target_labels, released, identification_labels, identification_points)
    if unit_length is None:
        unit_length = unit_length_of(released.unit, metric)
    # Whoever agrees with nobody needs no interval, and these are what takes time.
    wanted = set(target_labels)
    kept = np.flatnonzero([label in wanted for label in identification_labels])
    if len(kept) == 0:
        return _nothing()
    intervals = rule.intervals(
        np.asarray(identification_points, dtype=np.float64)[kept],
        metric,
        rng=rng,
        progress=part(progress, 0, 0.6),
    ).widened(*(unit_length * step for step in rounding))
    result = link(
        target_labels,
        unit_length * released.square(),
        [identification_labels[row] for row in kept.tolist()],
        intervals,
        max_steps=max_steps,
        time_limit=time_limit,
        memory_limit=memory_limit,
        random_tie=random_tie,
        rng=rng,
        progress=part(progress, 0.6, 1.0),
    )
    result.matches[:, 1] = kept[result.matches[:, 1]]
    return result


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
    rng: np.random.Generator,
    progress: Progress = silent,
) -> LinkageResult:
    """Run the attack with intervals that are known already.

    Parameters are those of :func:`attack`; ``released`` is an (n1, n1) array in the unit of the
    intervals, ``max_work`` is that of :func:`..cliques.search.maximum_clique`, and ``keep_on_cancel`` says
    whether a cancelled search returns what it has.
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
    )
    if len(graph) == 0:
        return _nothing()
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


def score(result: LinkageResult, truth: np.ndarray) -> LinkageScore:
    """Compare matches with the truth (Kroll 2014, section 5, "Evaluation of the attack").

    Parameters
    ----------
    result : LinkageResult
    truth : (n1,) int array
        Row of each target record in the identification file; -1 if it is not there.

    Returns
    -------
    LinkageScore
    """
    truth = np.asarray(truth)
    right = int(np.count_nonzero(truth[result.matches[:, 0]] == result.matches[:, 1]))
    common = int(np.count_nonzero(truth >= 0))
    return LinkageScore(right, len(result.matches) - right, common - right)


def certainty(result: LinkageResult, by_likelihood: bool) -> np.ndarray:
    """How probable the attack itself says that each match is right, without any key.

    Parameters
    ----------
    result : LinkageResult
    by_likelihood : bool
        Whether ``support`` is a calibrated confidence.

    Returns
    -------
    (m,) array
        For a clique, which knows no probabilities, one half where accident makes no set of this
        size, and 0 where it may.
    """
    if by_likelihood:
        return np.asarray(result.support, dtype=np.float64)
    few = result.edges <= _FEW_AGREE * result.vertices * (result.vertices - 1) / 2
    no_accident = few and accidental_cliques(result) < _NO_ACCIDENT
    return np.full(result.clique, 0.5 if no_accident else 0.0)


def accidental_cliques(result: LinkageResult) -> float:
    """Decimal logarithm of the cliques of this size to expect where pairs agree by accident.

    In a random graph with as many vertices and edges: C(V, m) d^(m (m - 1) / 2), for the share d
    of the pairs that agree.
    """
    vertices, size = result.vertices, result.clique
    if size < 2 or not result.edges:
        return 0.0
    density = result.edges / (vertices * (vertices - 1) / 2)
    ways = lgamma(vertices + 1) - lgamma(size + 1) - lgamma(vertices - size + 1)
    return (ways + size * (size - 1) / 2 * log(density)) / log(10)


def share_out(
    same_place: np.ndarray,
    place_of_known: np.ndarray,
    target_labels: Sequence[Hashable],
    known_labels: Sequence[Hashable],
    matches: np.ndarray,
) -> np.ndarray:
    """Say who is who where only places are known, and several people share one.

    At each place, records stand for people of the same label, each for one. Nobody can tell two
    people of one place and label apart, so the adversary is given the benefit: whom he matched
    comes first. A record and a person who are alone at their place in both files are one, whatever
    their labels.

    Parameters
    ----------
    same_place : (n1,) int array
        Place of each target record among those of the known people; -1 for none.
    place_of_known : (n2,) int array
        Place of each known person.
    target_labels, known_labels : sequences
        None where a quasi-identifier is missing.
    matches : (m, 2) int array
        As in :class:`LinkageResult`.

    Returns
    -------
    (n1,) int array
        Row of each target record in the identification file; -1 if it is not there.
    """
    truth = np.full(len(same_place), -1, dtype=np.intp)
    records, people = _groups(same_place), _groups(place_of_known)
    matched = dict(matches.tolist())
    for place, rows in records.items():
        here = people.get(place, [])
        if len(rows) == 1 and len(here) == 1:
            truth[rows[0]] = here[0]
            continue
        free: dict[Hashable, list[int]] = {}
        for person in here:
            if known_labels[person] is not None:
                free.setdefault(known_labels[person], []).append(person)
        rest = []
        for row in rows:
            those = free.get(target_labels[row], [])
            if matched.get(row) in those:
                truth[row] = matched[row]
                those.remove(matched[row])
            else:
                rest.append(row)
        for row in rest:
            those = free.get(target_labels[row], [])
            if those:
                truth[row] = those.pop(0)
    return truth


def _groups(values: np.ndarray) -> dict[int, list[int]]:
    """Rows of each value, without -1."""
    groups: dict[int, list[int]] = {}
    for row, value in enumerate(values.tolist()):
        if value >= 0:
            groups.setdefault(value, []).append(row)
    return groups


def refuse_what_does_not_fit(
    target_labels: Sequence[Hashable],
    released: DistanceMatrix,
    identification_labels: Sequence[Hashable],
    identification_points: np.ndarray,
) -> None:
    """Refuse labels that are not as many as the records they belong to, and no distance matrix.

    Raises
    ------
    InputError
    """
    if len(target_labels) != len(released):
        raise InputError(
            "The released table has {records} and the matrix {released:,}. They have to be "
            "the same records in the same order.",
            records=number_of(len(target_labels), "record", "records"),
            released=len(released),
        )
    if len(identification_labels) != len(identification_points):
        raise InputError(
            "The identification file has {labels} and {points}.",
            labels=number_of(len(identification_labels), "label", "labels"),
            points=number_of(len(identification_points), "point", "points"),
        )
    check(released, Sentence("released matrix"))


def unit_length_of(unit: str, metric: Metric) -> float:
    """Return how long a unit of the released matrix is in the metric's; a name is all it has.

    Raises
    ------
    InputError
        If the two names do not tell.
    """
    if not unit or unit == metric.unit:
        return 1.0
    if metric.unit != "m" or unit != "km":
        raise InputError(
            "The released distances are in '{unit}' and the metric measures in '{own}'. Say "
            "how long the unit is.",
            unit=unit,
            own=metric.unit,
        )
    return 1000.0


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


def _nothing() -> LinkageResult:
    return LinkageResult(
        np.empty((0, 2), dtype=np.int64), None, np.empty(0), 0, 0, None, None, NO_VERTICES
    )
