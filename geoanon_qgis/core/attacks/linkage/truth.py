# SPDX-License-Identifier: GPL-2.0-or-later
"""How right the matches of a linkage attack were: whoever has the key, or places, scores them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...runtime.results import Summarised
from ...runtime.wording import figure
from .result import LinkageResult


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


def not_given(truth: np.ndarray, links: np.ndarray | None) -> np.ndarray:
    """Return the truth without whom the adversary was given: there was nobody to find.

    Parameters
    ----------
    truth : (n1,) int array
        As :func:`score` takes it.
    links : (l, 2) int array or None
        Known links; neither their records nor their people count, right or wrong.
    """
    truth = np.array(truth)
    if links is not None and len(links):
        truth[np.isin(truth, links[:, 1])] = -1
        truth[links[:, 0]] = -1
    return truth


def score(result: LinkageResult, truth: np.ndarray) -> LinkageScore:
    """Compare matches with the truth (Kroll 2014, section 5, "Evaluation of the attack").

    Only people who were not given by known links count.

    Parameters
    ----------
    result : LinkageResult
    truth : (n1,) int array
        Row of each target record in the identification file; -1 if it is not there.

    Returns
    -------
    LinkageScore
    """
    truth = not_given(truth, result.links)
    right = int(np.count_nonzero(truth[result.matches[:, 0]] == result.matches[:, 1]))
    common = int(np.count_nonzero(truth >= 0))
    return LinkageScore(right, len(result.matches) - right, common - right)


def guessed(result: LinkageResult, truth: np.ndarray) -> float:
    """Return how much of the overlap is found by taking the likeliest person for each record.

    Parameters
    ----------
    result : LinkageResult
        Where it has no guesses, its matches count.
    truth : (n1,) int array
        As :func:`score` takes it.

    Returns
    -------
    float
        Between 0 and 1; NaN if the files have nobody in common.
    """
    return score(replace(result, matches=result.likeliest), truth).recall


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
