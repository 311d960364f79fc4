# SPDX-License-Identifier: GPL-2.0-or-later
"""Which values are missing, or zero, tells who is in the file."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.microdata.attacks.blanks import by_blanks
from tests.core.test_microdata_attacks import tables_of


def table(rng, lacks, instead):
    """Amounts of anybody, with something else in the place of some."""
    values = {f"v{at}": np.exp(rng.normal(3, 1, len(lacks))).round(2) for at in range(12)}
    return {n: np.where(gone, instead, v) for (n, v), gone in zip(values.items(), lacks.T)}


@pytest.mark.parametrize("instead", [np.nan, 0.0, 999.0])
@pytest.mark.parametrize("with_reference", [True, False])
def test_what_is_missing_or_zero_tells_who_is_in_the_file(rng, instead, with_reference):
    mine, theirs, nobodys = (rng.random((800, 12)) < 0.3 for _ in range(3))
    original = table(rng, mine, instead)
    reference = table(rng, theirs, instead) if with_reference else None
    for lacks, leaks in ((mine[rng.permutation(800)], True), (nobodys, False)):
        tables = tables_of(original, table(rng, lacks, instead), reference)[0]
        (one,) = by_blanks(tables)
        assert one.is_sure(0.09, 3.3) == leaks
        assert one.of_some != with_reference
    assert by_blanks(tables, ["v1"]) == []


def test_common_values_among_others_that_are_as_common_are_no_marks(rng):
    """Ages and scores go by steps: none of their values stands out."""
    made = [
        {
            "age": rng.integers(20, 40, 500).astype(float),
            "score": rng.normal(0, 3, 500).round(),
            "number": rng.normal(size=500),
        }
        for _ in range(2)
    ]
    assert by_blanks(tables_of(*made)[0]) == []
