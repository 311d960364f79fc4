# SPDX-License-Identifier: GPL-2.0-or-later
"""What the data holder should know of an anonymised table, in sentences."""

from __future__ import annotations

import numpy as np

from ..runtime.wording import Sentence, number_of
from .coding import COMPLETE, Coding
from .methods import ADDITIVE_NOISE, AS_PUBLISHED, CLOSELY, GROUP, PERMUTE, RHS
from .observations import CATEGORICAL
from .variables import DRAW


def notes_of(
    method: str,
    coding: Coding,
    matrix: np.ndarray,
    axes: int | None,
    group: np.ndarray | None,
    left_out: int,
    moved: int,
    categories_as: str,
    decoding: str,
) -> tuple[str, ...]:
    """Return the sentences."""
    notes = []
    if left_out:
        notes.append(
            Sentence(
                "{records} without a value in some field left out; statistics are those of the "
                "others.",
                records=number_of(left_out, "record", "records"),
            )
        )
    for variable in coding.variables:
        if variable.is_constant and not variable.missing:
            notes.append(
                Sentence(
                    "{name} has the same value in every record; it is released as it is.",
                    name=variable.name,
                )
            )
        elif variable.singles:
            notes.append(
                Sentence(
                    "{name} has {categories} that a single record has. That such a record "
                    "exists is released with the category; merge rare ones.",
                    name=variable.name,
                    categories=number_of(variable.singles, "category", "categories"),
                )
            )
        if variable.missing and coding.missing != COMPLETE:
            notes.append(
                Sentence(
                    "{name} is missing in {records}; that it is missing was anonymised as a "
                    "variable of its own.",
                    name=variable.name,
                    records=number_of(variable.missing, "record", "records"),
                )
            )
    if len(matrix) <= matrix.shape[1]:
        notes.append(
            Sentence(
                "There are no more records ({records:,}) than coded columns ({columns:,}): "
                "correlations cannot be told from chance.",
                records=len(matrix),
                columns=matrix.shape[1],
            )
        )
    if axes == 1:
        notes.append(
            Sentence(
                "With a single field that varies, spectral swapping only puts the records into "
                "another order: every value is released as it is."
            )
        )
    dummies = any(variable.kind == CATEGORICAL for variable in coding.variables)
    if decoding == AS_PUBLISHED and categories_as == DRAW and dummies and method not in PERMUTE:
        notes.append(
            Sentence(
                "Drawn categories spread more evenly than they were: the inverse logit leaves even "
                "a category that a record surely has not a probability. Probabilities keep more."
            )
        )
    if decoding == CLOSELY and method not in PERMUTE:
        notes.append(
            Sentence(
                "Distributions are kept closely. Whoever knows the values of a person, and those of"
                " many others, may tell from them whether the person is in the table: release it"
                " only where that is no secret."
            )
        )
    if method == RHS and group is not None:
        alone = int((np.bincount(group)[group] == 1).sum())
        if alone:
            notes.append(
                Sentence(
                    "Alone in their cell, and released unchanged: {alone:,} of {group}. Use "
                    "spectral RHS.",
                    alone=alone,
                    group=number_of(len(group), "record", "records"),
                )
            )
    if method == ADDITIVE_NOISE:
        notes.append(
            Sentence(
                "Additive noise keeps the statistics and protects hardly anyone in a table of many"
                " columns; it is here to compare with. Measure the disclosure risk before release."
            )
        )
    if moved:
        notes.append(
            Sentence(
                "{points} outside the study area drawn into it.",
                points=number_of(moved, "point", "points"),
            )
        )
    return tuple(notes)


def notes_of_people(several: bool, method: str, decoding: str) -> tuple[Sentence, ...]:
    """Say where people are not counted who have several records."""
    if several and method in GROUP:
        return (
            Sentence(
                "Groups are of so many records: where people have several, a group may be one "
                "person's alone. Choose spectral_swapping."
            ),
        )
    if several and (decoding == AS_PUBLISHED or method in PERMUTE):
        return (
            Sentence(
                "People are not counted: values come back as they are in records. Choose "
                "spectral_swapping with calibrated decoding where people have several."
            ),
        )
    return ()


def notes_of_rules(broken: int, left: int, redrawn: bool) -> tuple[Sentence, ...]:
    """Say what became of records that broke a rule between fields."""
    if not broken and not left:
        return ()
    if not redrawn:
        return (
            Sentence(
                "Rules between fields: records of the release that break one: {left:,}. This method "
                "and decoding cannot draw them anew.",
                left=left,
            ),
        )
    return (
        Sentence(
            "Rules between fields: records that broke one and were drawn anew: {anew:,}; that "
            "still do: {left:,}.",
            anew=max(0, broken - left),
            left=left,
        ),
    )
