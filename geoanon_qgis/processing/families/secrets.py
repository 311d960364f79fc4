# SPDX-License-Identifier: GPL-2.0-or-later
"""Sensitive fields of an aggregation: what the classes that it releases have in common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.aggregation.release import released_records
from ...core.aggregation.sensitive_values import (
    SensitiveValues,
    evidence_of,
    ranks,
    sensitive_values,
)
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, shares, weighted
from ...core.verdict import Evidence
from ..i18n import tr
from .quasi_identifiers import sensitive_inputs
from .regional import Data


@dataclass(frozen=True)
class Secrets:
    """Sensitive fields by the classes that are released, and what is asked of them.

    Attributes
    ----------
    found : list of SensitiveValues
        One at the least.
    least : int
        Fewest different values of a class (l).
    farthest : float or None
        Largest distance from all released records (t).
    """

    found: list[SensitiveValues]
    least: int
    farthest: float | None

    @property
    def evidence(self) -> Evidence:
        """Which records are in classes that tell more than they may."""
        return evidence_of(self.found, self.least, self.farthest)

    @property
    def broken(self) -> list[SensitiveValues]:
        """Fields of which some class tells more."""
        return [one for one in self.found if one.breaking(self.least, self.farthest).any()]

    @property
    def names(self) -> list[str]:
        """The sensitive fields."""
        return [one.name for one in self.found]


def parameters() -> list:
    """Return the parameters."""
    return sensitive_inputs(
        "RECORDS",
        tr(
            "Those of FIELDS that nobody is to learn of a person, such as a diagnosis. Who knows a "
            "person's area and quasi-identifiers learns what all of her class have in common. For "
            "each class that is released it is told how many different values it has (l-diversity) "
            "and how far their shares are from those of all that is released (t-closeness). A "
            "missing value hides nobody."
        ),
    )


def secrets_of(run, data: Data, result, progress: Progress) -> Secrets | None:
    """Look at the sensitive fields in the classes that are released; None where there is none.

    Raises
    ------
    InputError
        For a field that is not released, or has no value in what is.
    """
    names = run.fields("SENSITIVE")
    attributes = {name.lower(): name for name in data.counted.attributes}
    strange = [name for name in names if name.lower() not in attributes]
    if strange:
        raise InputError(
            tr(
                "“{name}” is sensitive (SENSITIVE), but not among FIELDS, so that it is not released. "
                "Choose it in both, or in none; no quasi-identifier is sensitive."
            ).format(name=strange[0])
        )
    if not names or not result.measures.released:
        return None
    drawing, looking = weighted(progress, 1, 2)
    classes = data.counted.classes
    record, area = released_records(classes, result, None, drawing)
    width = len(classes.codes)
    pair = area.astype(np.int64) * width + classes.record_class[record]
    kinds, of_record = np.unique(pair, return_inverse=True)
    of_record = of_record.reshape(-1)
    person = None if classes.record_person is None else classes.record_person[record]
    found = []
    for name, ahead in zip(names, shares(looking, len(names))):
        codes, values, kind = data.counted.attributes[attributes[name.lower()]]
        ordered = kind != "string"
        rank = ranks(values, ordered)
        found.append(
            sensitive_values(
                attributes[name.lower()],
                of_record,
                rank[codes[record]],
                len(kinds),
                ordered,
                ahead,
                person,
            )
        )
    return Secrets(found, run.number("L"), run.number("T"))
