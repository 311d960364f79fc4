# SPDX-License-Identifier: GPL-2.0-or-later
"""Numbers seen through a linear model: what is true of several together, though no field is.

A record may be put together of a person's first principal components and anybody's others; of what age, sex and
trade of somebody let expect and how far a person's numbers are from what hers do; of the totals of a person, divided
as another one's are; of her deviations from her own line, about anybody's. Whoever fits the same model takes the rest
off again. So components, residuals, sums and second differences are fields, too, among which sets are looked for that
are nearly true together (:mod:`.blurred`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ...runtime.progress import Progress, chunks, interruptible, shares, silent
from ...runtime.wording import Sentence, mark
from ..matrices import block_rows
from ..variables import Variable
from .blurred import among_values
from .cells import counted_people
from .derived import derived_of
from .scores import Scores
from .table import Tables, answers, is_number

#: Most people who are counted, and fewest records for each field by which a model is learnt.
_PEOPLE, _EACH = 5_000, 5
#: Fewest numbers of a model, and how many of those that stand side by side are added up.
_NUMBERS, _ADDED = 3, (2, 3, 4)
#: What is added to each variance, so that fields that follow from others have a model, too; and share of a
#: variance below which nothing is left.
_RIDGE, _LEAST = 1e-6, 1e-3
#: Standard deviations from the middle beyond which a number says nothing more.
_FAR = 3.5
#: What sets are, in words.
_RESIDUALS = mark("what is left of {which} once all else is known")
_OF_SCORES = mark("principal components {which} of the numbers by their ranks")
_IN_UNITS = mark("principal components {which} of the numbers in their units")


@dataclass(frozen=True)
class _Fields:
    """Numbers as they are measured, then what else there is as it is coded."""

    numbers: Sequence[Variable]
    measures: Sequence[Callable[[np.ndarray], np.ndarray]]
    others: np.ndarray

    def of(self, matrix: np.ndarray) -> np.ndarray:
        """Of records, (n, f); not a number where one is missing."""
        made = np.empty((len(matrix), len(self.numbers) + len(self.others)))
        for at, (one, measure) in enumerate(zip(self.numbers, self.measures)):
            made[:, at] = measure(answers(one, matrix))
        made[:, len(self.numbers) :] = matrix[:, self.others]
        return made

    @property
    def in_units(self) -> _Fields:
        """Numbers in their units; logarithms of amounts."""
        return replace(self, measures=[partial(np.multiply, o.scale) for o in self.numbers])

    @property
    def natural(self) -> _Fields:
        """Numbers as they are, of which sums tell something."""
        return replace(self, measures=[one.natural for one in self.numbers])


@dataclass(frozen=True)
class _Model:
    """Some linear combinations of fields.

    Attributes
    ----------
    fields : _Fields
    mean : (f,) array
    turn : (f, k) array
    needs : (f, k) bool array
        Fields without which there is none.
    names : sequence of str
    said : str
        What some of them are, with ``{which}`` of them.
    apart : int
        How far from each other those stand that say different things.
    """

    fields: _Fields
    mean: np.ndarray
    turn: np.ndarray
    needs: np.ndarray
    names: Sequence[str]
    said: str = "{which}"
    apart: int = 1

    def values(self, matrix: np.ndarray) -> np.ndarray:
        """Values of records, ``(n, k)``; not numbers where there are none."""
        found = np.empty((len(matrix), self.turn.shape[1]))
        for rows in chunks(len(matrix), block_rows(len(self.mean))):
            made = self.fields.of(matrix[rows])
            missing = np.isnan(made)
            some = (np.where(missing, self.mean, made) - self.mean) @ self.turn
            found[rows] = np.where(missing @ self.needs, np.nan, some)
        return found

    def some(self, which: Sequence[int]) -> _Model:
        """Some of them."""
        names = [self.names[at] for at in which]
        return replace(self, turn=self.turn[:, which], needs=self.needs[:, which], names=names)

    @property
    def in_words(self) -> Sentence:
        """Say what they are."""
        return Sentence(self.said, which=", ".join(self.names))


def nearly_modelled(
    tables: Tables, released: np.ndarray, progress: Progress = silent
) -> list[tuple[Tables, Sentence]]:
    """Tables of what several numbers make together that is nearly true in released records.

    Parameters
    ----------
    tables : Tables
    released : (p, m) array
        The release before columns in other units were taken back.

    Returns
    -------
    list of (Tables, Sentence)
        And what it is, in words.

    Notes
    -----
    Residuals are those of the release, which everybody has; components those of the originals, as their axes may be
    published: where these are told from the release alone less is found.
    """
    people = counted_people(tables, _PEOPLE, released)
    fields = _fields(tables, people) if people else None
    if fields is None:
        return []
    models, found = [*_models(fields, people)], []
    for model, ahead in zip(models, shares(progress, len(models))):
        values = [model.values(one) for one in people]
        for which in among_values(values, ahead, len(models), model.apart):
            some = model.some(which)
            made = partial(derived_of, tables, released, some.values, some.names)
            found.append((interruptible(made, ahead, 1.0), some.in_words))
    return found


def _fields(tables: Tables, people: Sequence[np.ndarray]) -> _Fields | None:
    """Fields that are seen through a model; None where there are too few people, or numbers.

    Of categories no more count than people tell of, the commonest ones first.
    """
    some = [one for one in tables.variables if one.name not in tables.place]
    numbers = [one for one in some if is_number(one)]
    others = tables.columns([one.name for one in some if not is_number(one)])
    spread = people[1][:, others].std(axis=0)
    most = len(people[1]) // _EACH - len(numbers)
    if len(numbers) < _NUMBERS or most < 0:
        return None
    common = np.argsort(-spread, kind="stable")[: min(most, np.count_nonzero(spread))]
    others = others[np.sort(common)]
    known = np.concatenate([people[0], people[2]])
    scores = [Scores.among(answers(one, known)) for one in numbers]
    return _Fields(numbers, [partial(_score, one) for one in scores], others)


def _score(scores: Scores, values: np.ndarray) -> np.ndarray:
    return np.clip(scores.of(values), -_FAR, _FAR)


def _models(fields: _Fields, people: Sequence[np.ndarray]) -> Iterator[_Model]:
    yield _residuals(fields, people[1])
    yield _components(fields, people[0], _OF_SCORES)
    yield _components(fields.in_units, people[0], _IN_UNITS)
    count = len(fields.numbers)
    for width in _ADDED:
        if count >= 2 * width:
            yield _side_by_side(fields.natural, [1] * width, " + ".join(["{}"] * width), width)
    if count > _NUMBERS:
        yield _side_by_side(fields.in_units, [1, -2, 1], "{} − 2 {} + {}", 1)


def _components(fields: _Fields, matrix: np.ndarray, said: str) -> _Model:
    """Principal components of the numbers of some records, the largest first."""
    learnt, count = fields.of(matrix), len(fields.numbers)
    mean, turn = np.nanmean(learnt, axis=0), np.zeros((learnt.shape[1], count))
    turn[:count] = np.linalg.eigh(_covariances(learnt, mean)[:count, :count])[1][:, ::-1]
    names = [f"{at + 1}" for at in range(count)]
    return _Model(fields, mean, turn, np.zeros(turn.shape, dtype=bool), names, said)


def _residuals(fields: _Fields, matrix: np.ndarray) -> _Model:
    """What is left of each number once all other fields are known, by least squares in some records."""
    learnt, count = fields.of(matrix), len(fields.numbers)
    mean = np.nanmean(learnt, axis=0)
    inverse = np.linalg.inv(_covariances(learnt, mean))
    left = np.flatnonzero(1 / np.diag(inverse)[:count] > _LEAST)
    turn = inverse[:, left] / np.diag(inverse)[left]
    needs = np.eye(len(mean), dtype=bool)[:, left]
    return _Model(fields, mean, turn, needs, [fields.numbers[at].name for at in left], _RESIDUALS)


def _side_by_side(fields: _Fields, by: Sequence[int], name: str, apart: int) -> _Model:
    """So many times each of some numbers that stand side by side."""
    every, count = len(fields.numbers) + len(fields.others), len(fields.numbers) - len(by) + 1
    turn = np.zeros((every, count))
    for at, times in enumerate(by):
        turn[np.arange(count) + at, np.arange(count)] = times
    names = [one.name for one in fields.numbers]
    made = [name.format(*names[at : at + len(by)]) for at in range(count)]
    return _Model(fields, np.zeros(every), turn, turn != 0, made, apart=apart)


def _covariances(learnt: np.ndarray, mean: np.ndarray) -> np.ndarray:
    centred = np.nan_to_num(learnt - mean)
    return centred.T @ centred / len(centred) + _RIDGE * np.eye(len(mean))
