# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership by numbers that are freed of what they share.

Of many numbers that go together, such as the months of a year, nearly all of a distance is along their
first principal component. Noise with the covariances of the data (Kim 1986, A method for limiting
disclosure in microdata based on random noise and transformation) is large along this one, and as small
as the data themselves along the others; where all components count alike, they tell whose record it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...runtime.progress import Progress, chunks, part, silent
from ...runtime.wording import Sentence
from ..matrices import block_rows, copied, scatter
from ..nearest import Records
from ..observations import ORDINAL, POSITIVE
from ..variables import Variable
from .alike import PEOPLE, batches_of
from .beside_next import beside_next, near_others
from .membership import named_by
from .scoring import Attack
from .table import MOST, Tables, is_number, sample

#: Fewest numbers, people by whom their covariances are known well enough, and how many times as much
#: varies along one component as along another where it makes a difference that all count alike.
_FEWEST, _PEOPLE, _UNLIKE = 3, 10 * MOST, 4.0
#: A component tells nothing that varies by less of the largest, or by so many times what rounding does.
_SINGULAR, _ROUNDED = 1e-9, 4.0
#: Variance of noise that he reckons with, beside that of the data: from a half to twice as much is found.
_NOISE = 0.6
#: People who are looked up: where all components count alike no leaf lies far away, and a search sees most.
_LOOKED_UP = 3_000
#: Digits that are compared: products of the same numbers differ in the last.
_DIGITS = 9


@dataclass(frozen=True)
class _Components:
    """Principal components that tell something, each of variance one among people."""

    columns: np.ndarray
    mean: np.ndarray
    turn: np.ndarray

    def of(
        self, matrix: np.ndarray, rows: np.ndarray | None = None, progress: Progress = silent
    ) -> np.ndarray:
        """Some rows of a table, or all, along the components."""
        count = len(matrix) if rows is None else len(rows)
        made = np.empty((count, self.turn.shape[1]))
        for some in chunks(count, block_rows(matrix.shape[1]), progress):
            block = matrix[some if rows is None else rows[some]][:, self.columns]
            made[some] = np.round((block - self.mean) @ self.turn, _DIGITS)
        return made


def by_components(
    tables: Tables, known: Sequence[str] = (), progress: Progress = silent
) -> list[Attack]:
    """Name as members those near to a released record in components that all count alike.

    Near for who is as far from the average as she is, as by the likelihood of noise with the
    covariances of the data; and by how much nearer the nearest record is than the next one.

    Notes
    -----
    Noise moves records to the middle, once their variances are those of the data again; so people are
    looked up as much farther out. Without a reference they are held against the other originals, by
    the nearest beside the next alone: how near records come hangs on how a release is spread, and of
    that ratio only what is surely found counts.
    """
    parts = _components(tables, known)
    if parts is None:
        return []
    few = parts.of(tables.released, sample(len(tables.released), _PEOPLE, 18))
    spread = few.std(axis=0)
    differs = spread > _SINGULAR  # what is the same for all tells nobody
    if np.count_nonzero(differs) < 2:
        return []
    parts = replace(parts, turn=parts.turn[:, differs])
    alike = replace(parts, turn=parts.turn / spread[differs])
    records = Records(
        alike.of(tables.released, None, part(progress, 0.0, 0.2)), part(progress, 0.2, 0.45)
    )
    people, others = tables.people(), tables.control()
    if tables.whose is None and tables.reference_whose is None:
        people, others = (one[sample(len(one), _LOOKED_UP, 19)] for one in (people, others))
    mine = parts.of(tables.original, people)
    own = _near(records, mine, part(progress, 0.45, 0.7))
    knows = [
        Sentence("the numbers of a person, and how those of other people go together,"),
        Sentence(
            "the numbers of a person, how those of other people go together, and how much nearer "
            "one record is than the next,"
        ),
    ]
    if tables.reference is None:
        control = _near_others(parts, tables, others, part(progress, 0.7, 1.0))
        tried = [(knows[1], beside_next(own), beside_next(control))]
    else:
        theirs = parts.of(tables.reference, others)
        control = _near(records, theirs, part(progress, 0.7, 1.0))
        likely = _unlikely(own, mine), _unlikely(control, theirs)
        tried = [(knows[0], *likely), (knows[1], beside_next(own), beside_next(control))]
    found, batches = [], _batches(tables, known)
    for words, measure, held in tried:
        one, each = tables.one_each(people, measure), tables.one_each_of_control(others, held)
        attack = named_by(words, tables.count, people[one], measure[one], held[each])
        found.append(replace(attack, of_some=tables.reference is None, batches=batches))
    progress(1.0)
    return found


def _batches(tables: Tables, known: Sequence[str]) -> float:
    """For how many people one counts along components, in which samples may differ that are alike by each field.

    Components are those of both samples, so that neither is nearer to itself.
    """
    if tables.reference is None:
        return 1.0
    both = [
        copied(one, sample(len(one), PEOPLE, 71)) for one in (tables.original, tables.reference)
    ]
    parts = _components(replace(tables, reference=np.concatenate(both)), known)
    if parts is None:
        return 1.0
    made = replace(tables, original=parts.of(both[0]), reference=parts.of(both[1]))
    return batches_of(made, len(tables.original))


def _components(tables: Tables, known: Sequence[str]) -> _Components | None:
    """Components of the numbers among other people; None where it makes no difference to take them."""
    some = [one for one in tables.known(known) if is_number(one) and one.name not in tables.place]
    columns = np.array([one.columns.start for one in some], dtype=np.intp)
    fitted = tables.original if tables.reference is None else tables.reference
    few = copied(fitted, sample(len(fitted), _PEOPLE, 17), columns)
    spread = few.std(axis=0)
    differs = spread > _SINGULAR
    if np.count_nonzero(differs) < _FEWEST:
        return None
    few, columns, spread = few[:, differs], columns[differs], spread[differs]
    mean = few.mean(axis=0)
    steps = np.array([_step(one) for one, it in zip(some, differs) if it]) / spread
    variance, axes = np.linalg.eigh(scatter(few / spread, mean / spread) / len(few))
    rounding = (axes**2).T @ steps**2 / 12
    tells = (variance > _SINGULAR * variance[-1]) & (variance > _ROUNDED * rounding)
    if np.count_nonzero(tells) < 2 or variance[-1] < _UNLIKE * variance[tells][0]:
        return None
    turn = axes[:, tells] / np.sqrt(variance[tells]) / spread[:, None]
    return _Components(columns, mean, turn)


def _step(variable: Variable) -> float:
    """What a number is rounded to, in coded units; nothing for ranks of values."""
    if variable.kind == ORDINAL or variable.scale == 0:
        return 0.0
    unit = np.exp(variable.centre) if variable.kind == POSITIVE else 1.0
    return float(variable.resolution / unit / variable.scale)


def _near(records: Records, people: np.ndarray, progress: Progress) -> np.ndarray:
    """How far the nearest record and the next one are from where noise would move each to, ``(q, 2)``."""
    return records.nearest(people * np.sqrt(1 + _NOISE), 2, progress)[1]


def _near_others(
    parts: _Components, tables: Tables, rows: np.ndarray, progress: Progress
) -> np.ndarray:
    """The same from records of the other originals."""
    originals = parts.of(tables.original, None, part(progress, 0.0, 0.1))
    asked = originals[rows] * np.sqrt(1 + _NOISE)
    return near_others(originals, asked, rows, tables.whose, part(progress, 0.1, 1.0))


def _unlikely(near: np.ndarray, people: np.ndarray) -> np.ndarray:
    """Minus the logarithm of how much likelier the nearest record is of the person than of anybody."""
    squares = np.einsum("ij,ij->i", people, people)
    return (near[:, 0] ** 2 * people.shape[1] / _NOISE - squares) / 2
