# SPDX-License-Identifier: GPL-2.0-or-later
"""Attributes that the adversary knows: of the records, and of the people of the list."""

from __future__ import annotations

import re

import numpy as np

from ....core.attacks.masks.attributes import Attribute, People
from ....core.attacks.masks.posterior import checked_weight
from ....core.columns import Column
from ....core.runtime.errors import InputError
from ...dialog.numbers import as_number
from ...i18n import mark, tr
from ...layers.reading import PointTable
from ...layers.values import labels
from ...running import Given, Run
from .listing import Listed


def names(run: Run) -> tuple[tuple[str, str], ...]:
    """Return the fields that are compared, of the records and of the list."""
    ours = run.fields("TARGET_QIS", run.source("INPUT"))
    return tuple(zip(ours, run.fields("CANDIDATE_QIS", run.source("CANDIDATES"))))


def exact(run: Run) -> list[tuple[str, str]]:
    """Return those that must be equal, without a tolerance."""
    pairs, tolerances = names(run), _tolerances(run) or [0.0]
    each = tolerances * len(pairs) if len(tolerances) == 1 else tolerances
    return [pair for pair, one in zip(pairs, each) if one == 0]


def check(given: Given) -> str | None:
    """Say what does not go together of attributes that he knows."""
    ours, theirs = given.fields("TARGET_QIS"), given.fields("CANDIDATE_QIS")
    if len(ours) != len(theirs):
        return tr(
            "The records have {ours} known attributes (TARGET_QIS) and the list has {theirs} "
            "(CANDIDATE_QIS). They are compared one by one: give as many, in the same order."
        ).format(ours=len(ours), theirs=len(theirs))
    tolerances = _tolerances(given)
    if tolerances is None:
        return tr(
            "TOLERANCE must be numbers of 0 or more, parted by commas, such as 2, 0; not “{text}”."
        ).format(text=given.text("TOLERANCE"))
    many = len(tolerances)
    if many > 1 and many != len(ours):
        return tr(
            "There are {many} tolerances (TOLERANCE) for {ours} attributes. Give one for all, or "
            "one for each in their order."
        ).format(many=many, ours=len(ours))
    return None


def _tolerances(given: Given) -> list[float] | None:
    """Read TOLERANCE, in its order; None where it holds what is no number."""
    found = [as_number(one) for one in re.split(r"[,;\s]+", given.text("TOLERANCE")) if one]
    good = [float(one) for one in found if one is not None and 0 <= one < np.inf]
    return good if len(good) == len(found) else None


def people(run: Run, released: PointTable, listed: Listed) -> People:
    """Return the people of the list, with the attributes that he knows.

    Raises
    ------
    InputError
        If weights are none, or attributes cannot be compared.
    """
    told = _attributes(run, released, listed.table)
    found = People(listed.of_row, len(listed.candidates), listed.own, told)
    checked_weight(found.each, len(listed.candidates))
    return found


def _attributes(run: Run, released: PointTable, listed: PointTable) -> list[Attribute]:
    pairs = names(run)
    tolerances = _tolerances(run) or [0.0]
    one_for_all = len(tolerances) == 1
    if one_for_all:
        tolerances = tolerances * len(pairs)
    return [
        _attribute(released.columns[one], listed.columns[other], float(tolerance), one_for_all)
        for (one, other), tolerance in zip(pairs, tolerances)
    ]


def _attribute(ours: Column, theirs: Column, tolerance: float, where_possible: bool) -> Attribute:
    """Code two columns alike: as numbers or days where they may differ, else by what they read."""
    if tolerance > 0:
        for read_as in (Column.numbers, _days):
            try:
                return Attribute(read_as(ours), read_as(theirs), tolerance)
            except ValueError:
                continue
    if tolerance > 0 and not where_possible:
        raise InputError(
            mark(
                "“{ours}” of the records and “{theirs}” of the list are not both numbers, or both "
                "dates: they cannot differ by a tolerance. Give 0 for them (TOLERANCE)."
            ),
            ours=ours.name,
            theirs=theirs.name,
        )
    texts = [_written(ours), _written(theirs)]
    codes = {
        text: float(number) for number, text in enumerate(sorted({*texts[0], *texts[1]} - {""}))
    }
    codes[""] = np.nan
    here, there = (np.array([codes[text] for text in one]) for one in texts)
    if not np.isin(here[~np.isnan(here)], there).any() and not np.isnan(there).all():
        if not np.isnan(here).all():
            raise InputError(
                mark(
                    "“{ours}” of the records and “{theirs}” of the list have no value in common, "
                    "such as “{one}” there and “{other}” here: nobody could be anybody. Write both "
                    "in the same way (“Refactor fields”), or pair other fields."
                ),
                ours=ours.name,
                theirs=theirs.name,
                one=next(text for text in texts[0] if text),
                other=next(text for text in texts[1] if text),
            )
    return Attribute(here, there)


def _written(column: Column) -> list[str]:
    """What each value reads, nothing where it is missing or empty."""
    return [text or "" for text in labels(column)]


def _days(column: Column) -> np.ndarray:
    """Dates as days; NaN where one is missing.

    Raises
    ------
    ValueError
        If one is no date.
    """
    texts = [text[:10] if text else "NaT" for text in _written(column)]
    days = np.array(texts, dtype="datetime64[D]")
    return np.where(np.isnat(days), np.nan, days.astype(np.float64))
