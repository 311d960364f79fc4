# SPDX-License-Identifier: GPL-2.0-or-later
"""Records of a further release are linked with those of the first: by ids that mean the same, or not.

Ids are believed where the rows of the two releases go together by them (:func:`.alike`), or
where they are the same and records are too few to tell. Else records are linked by their rows
(:mod:`.release_links`), and so they are where rows contradict the ids: these may mean people next
door. Whoever is not linked surely stays as the first release has him.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from ...distances.matrix import DistanceMatrix
from ...runtime.errors import InputError
from ...runtime.memory import refuse_unless_fits
from ...runtime.progress import Progress, silent, weighted
from ...runtime.wording import Sentence, mark, number_of
from .compatibility import AbsoluteTolerance
from .inputs import Files, unit_length_of
from .own_releases import OwnReleases
from .release_links import LEAST, ReleaseLinks, certain, link_releases
from .several_releases import alike, same_ids
from .signature_result import SignatureLimits

#: What links the records: their ids, their rows, or nothing.
IDS, ROWS, NOTHING = "ids", "rows", "nothing"
#: Records beyond which rows, of which all distances are needed again and again, take hours.
MOST = 1500
#: Records whose ids are held against their rows, how long that may take, and the least sure links
#: that contradict ids.
_ASKED, _SHORT, _CONTRADICT = 120, SignatureLimits(releases=4, rounds=3), 5

_BY_TOLERANCE = mark(
    "Where nothing but a tolerance is known of the releases, records are linked by ids only: give"
    " the rule that they were made by."
)
_TOO_MANY = mark(
    "There are too many records to be linked by their distances: it would take hours. Give releases"
    " with the same ids."
)
_TOO_FEW = mark(
    "It takes eight records in each release, and eight known people, to link records by their"
    " distances."
)


@dataclass(frozen=True, eq=False)
class Further:
    """How a further release is linked with the first.

    Attributes
    ----------
    way : str
        :data:`IDS`, :data:`ROWS` or :data:`NOTHING`.
    links : ReleaseLinks
        Certain, where they are by ids.
    why : str
        Why nothing links them, where it was not tried.
    """

    way: str
    links: ReleaseLinks
    why: str = ""


def linked(
    files: Files,
    other: DistanceMatrix,
    labels: Sequence[Hashable] | None = None,
    *,
    rng: np.random.Generator,
    seconds: float | None = None,
    progress: Progress = silent,
) -> Further:
    """Link a further release with the first of some files.

    Parameters
    ----------
    files : Files
        Its released matrix, or the first of several, is the one that is linked.
    other : DistanceMatrix
    labels : sequence, optional
        Quasi-identifiers of its records, as the files have them of the first; None where they
        were not released or are not known.
    rng : numpy.random.Generator
    seconds : float, optional
        For linking by rows; no limit where left out.
    progress : Progress

    Returns
    -------
    Further

    Raises
    ------
    InputError
        If the units are not the same, or the work does not fit into memory.
    """
    first = files.released if isinstance(files.released, DistanceMatrix) else files.released[0]
    if other.unit != first.unit:
        raise InputError(
            "The released matrices are in different units, '{one}' and '{other}'.",
            one=first.unit,
            other=other.unit,
        )
    rows = same_ids(first, other)
    same = alike(first, other, rows)
    if same is None:  # so few that nobody can tell
        same = len(other) == len(first) and bool((rows >= 0).all())
        if same:
            progress(1.0)
            return Further(IDS, certain(rows))
    why, most = "", max(len(first), len(other))
    if isinstance(files.rule, AbsoluteTolerance):
        why = _BY_TOLERANCE
    elif most > MOST:
        why = _TOO_MANY
    elif min(len(first), len(other), len(files.known)) < LEAST:
        why = _TOO_FEW
    if why:
        return Further(IDS, certain(rows)) if same else Further(NOTHING, certain(0 * rows - 1), why)
    pair = _Pair(files, first, other, labels, rng)
    if same:
        testing, progress = weighted(progress, 20, 80)
        if pair.ids_hold(rows, testing):
            progress(1.0)
            return Further(IDS, certain(rows))
    refuse_unless_fits(
        4 * (10.0 * most + 6_000.0) * most + 120.0 * len(first) * len(other),
        number_of(most, "released record", "released records"),
        Sentence("linking releases"),
        Sentence("Attack a part of the released table."),
    )
    every = np.arange(len(first)), np.arange(len(other))
    links = pair.linked(*every, None, SignatureLimits(seconds=seconds), progress)
    return Further(ROWS if links.linked else NOTHING, links)


class _Pair:
    """Two releases, and what is known of how they were made."""

    def __init__(self, files: Files, first, other, labels, rng: np.random.Generator):
        length = files.unit_length
        if length is None:
            length = unit_length_of(first.unit, files.metric)
        rounding = (length * files.rounding[0], length * files.rounding[1])
        self._own = OwnReleases(files.rule, files.known, files.metric, rounding=rounding)
        self._length, self._above = length, rounding[1]
        self._first, self._other, self._rng = first, other, rng
        self._labels = None if labels is None else (files.target_labels, labels)

    def linked(
        self,
        ours: np.ndarray,
        theirs: np.ndarray,
        common: int | None,
        limits: SignatureLimits,
        progress: Progress,
    ) -> ReleaseLinks:
        """Link some records of the first with some of the other, by their rows."""
        labels = None
        if self._labels is not None:
            labels = [self._labels[0][at] for at in ours], [self._labels[1][at] for at in theirs]
        return link_releases(
            self._lowered(self._first, ours),
            self._lowered(self._other, theirs),
            self._own,
            labels=labels,
            common=common,
            rng=self._rng,
            progress=progress,
            limits=limits,
        )

    def ids_hold(self, rows: np.ndarray, progress: Progress) -> bool:
        """Tell whether rows do not contradict the ids, of a part of the records one after the other."""
        ours = np.flatnonzero(rows >= 0)[:_ASKED]
        links = self.linked(ours, rows[ours], len(ours), _SHORT, progress)
        sure = np.flatnonzero(links.rows >= 0)
        return len(sure) < _CONTRADICT or 2 * int((links.rows[sure] == sure).sum()) >= len(sure)

    def _lowered(self, matrix: DistanceMatrix, some: np.ndarray) -> np.ndarray:
        """Released distances in the unit of the metric, less what rounding may have added."""
        square = np.maximum(self._length * matrix.subset(some).square() - self._above, 0.0)
        np.fill_diagonal(square, 0.0)
        return square
