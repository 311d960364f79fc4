# SPDX-License-Identifier: GPL-2.0-or-later
"""Does a model that is trained on the release predict the originals as well as one trained on them?

For each field in turn a logistic regression on all other fields says who has its value (of a number:
who is above the median, of categories: who has the most frequent one). Trained on the release and tested
on the originals, its area under the ROC curve (AUC) is held against that of a model which is trained on
four fifths of the originals and tested on the fifth that it has not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..runtime.progress import Progress, part, shares, silent
from ..runtime.results import Summarised
from ..runtime.wording import figure
from .logistic import Design, area_under_curve, fit_logistic
from .observations import BINARY, CATEGORICAL
from .variables import Variable, shown

#: Parts of the originals, of which one after the other is left aside.
_FOLDS = 5
#: Records of either table that models are trained and tested on, at most.
RECORDS = 20_000
#: Keeps coefficients finite where a field separates the classes.
_RIDGE = 1.0


@dataclass(frozen=True)
class Predicted:
    """One field as what is to be predicted.

    Attributes
    ----------
    field, value : str
        Of categories the value that is asked for; empty for numbers, of which those above the
        median are.
    original, released : float
        AUC on originals of models that are trained on other originals, and on the release. NaN for
        the release where it has only one of the classes.
    error : float
        Standard error of ``original`` (Hanley & McNeil 1982).
    """

    field: str
    value: str
    original: float
    released: float
    error: float

    @property
    def lost(self) -> float:
        """What the release costs; NaN where nothing can be trained on it."""
        return self.original - self.released


@dataclass(frozen=True, repr=False)
class PredictionKept(Summarised):
    """All fields that could be predicted."""

    fields: tuple[Predicted, ...]

    @property
    def largest(self) -> float:
        """AUC lost of the field that loses most; NaN without any."""
        lost = [one.lost for one in self.fields if one.lost == one.lost]
        return max(lost, default=float("nan"))

    def in_words(self) -> str:
        """Say how much is lost."""
        return (
            f"Of {len(self.fields):,} fields a model trained on the release loses at most"
            f" {figure(self.largest, '.3f')} of AUC on the originals."
        )


def compare_predictions(
    original: np.ndarray,
    released: np.ndarray,
    variables: Sequence[Variable],
    rng: np.random.Generator,
    progress: Progress = silent,
) -> PredictionKept:
    """Predict each field from all others, with models of both tables.

    Parameters
    ----------
    original, released : (n, m), (p, m) arrays
        Coded alike.
    variables : sequence of Variable
        Which columns are which field's.
    rng : numpy.random.Generator
        Deals the originals out, and chooses records where there are very many.
    progress : callable

    Returns
    -------
    PredictionKept
        Without fields of one value, and those of whose values the original has fewer than ten of
        either class.
    """
    original = original[rng.permutation(len(original))[:RECORDS]]
    if len(released) > RECORDS:
        released = released[rng.permutation(len(released))[:RECORDS]]
    found = []
    for variable, ahead in zip(variables, shares(progress, max(len(variables), 1))):
        told = _predicted(original, released, variable, ahead)
        if told is not None:
            found.append(told)
    progress(1.0)
    return PredictionKept(tuple(found))


def _predicted(original, released, variable: Variable, progress: Progress) -> Predicted | None:
    own = variable.columns
    column, limit, value = own.start, 0.0, ""
    if variable.kind == CATEGORICAL:
        most = int((original[:, own] > 0).sum(axis=0).argmax())
        column, value = own.start + most, shown(variable.levels[most])
    elif variable.kind == BINARY:
        value = shown(variable.levels[-1])
    else:
        limit = float(np.median(original[:, column]))
    truth, guess = original[:, column] > limit, released[:, column] > limit
    if min(truth.sum(), (~truth).sum()) < 10:
        return None
    others = np.r_[0 : own.start, own.stop : original.shape[1]]
    if not len(others):
        return None
    known, seen = original[:, others], released[:, others]
    fold = np.arange(len(known)) % _FOLDS
    score = np.empty(len(known))
    for at in range(_FOLDS):
        aside = fold == at
        ahead = part(progress, at / (_FOLDS + 1), (at + 1) / (_FOLDS + 1))
        score[aside] = _scored(known[~aside], truth[~aside], known[aside], ahead)
    # Folds have models of their own, whose scores are compared within the fold.
    ours = np.mean([area_under_curve(score[fold == at], truth[fold == at]) for at in range(_FOLDS)])
    theirs = float("nan")
    if guess.any() and not guess.all():
        ahead = part(progress, _FOLDS / (_FOLDS + 1), 1.0)
        theirs = area_under_curve(_scored(seen, guess, known, ahead), truth)
    error = _error(float(ours), int(truth.sum()), int((~truth).sum()))
    return Predicted(variable.name, value, float(ours), theirs, error)


def _scored(train: np.ndarray, right: np.ndarray, test: np.ndarray, progress) -> np.ndarray:
    if right.all() or not right.any():
        return np.zeros(len(test))
    design = Design.of(lambda rows: train[rows], len(train), train.shape[1])
    fitted = fit_logistic(design, right, _RIDGE, progress)
    return fitted.odds(lambda rows: test[rows], len(test))


def _error(area: float, ones: int, others: int) -> float:
    """Standard error of an AUC: Hanley & McNeil (1982), Radiology 143(1), 29-36."""
    first, second = area / (2 - area), 2 * area**2 / (1 + area)
    spread = area * (1 - area) + (ones - 1) * (first - area**2) + (others - 1) * (second - area**2)
    return float(np.sqrt(max(spread, 0.0) / (ones * others)))
