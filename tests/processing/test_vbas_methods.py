# SPDX-License-Identifier: GPL-2.0-or-later
"""k-means, Ward, the k-aware merge and the best of several starts, in a real QGIS."""

from collections import Counter

import pytest

from tests.processing.helpers import records
from tests.processing.test_vbas_kept import (  # noqa: F401
    PEOPLE,
    area_of,
    inputs,
    made,
    pieces,
)

pytestmark = pytest.mark.usefixtures("provider")

NEW = ("kmeans", "ward", "k_aware", "best")


def lost(area):
    sizes = Counter((area[row], age, sex) for row, age, sex in PEOPLE)
    return sum(size for size in sizes.values() if size < 5)


@pytest.mark.parametrize("kind", ["squares", "middles"])
@pytest.mark.parametrize("location", NEW)
def test_areas_are_counted_right_and_told(inputs, tmp_path, location, kind):  # noqa: F811
    done = made(inputs, tmp_path, kind, LOCATION=location, MOVES=500, CONTIGUOUS="yes")
    area = area_of(done)
    assert done["SUPPRESSED"] == lost(area) and done["AREAS"] == len(set(area.values()))
    assert done["AREAS_IN_PIECES"] == 0
    if kind == "squares":
        assert set(pieces(area).values()) == {1}
    told = (tmp_path / "report.json").read_text(encoding="utf-8")
    assert "Before: balanced density with as many sites." in told
    assert ("simulated annealing" in told) == (location == "best")
    released = records(done["RECORDS_OUT"])
    assert len(released) == len(PEOPLE) - done["SUPPRESSED"]


def test_the_objective_decides_what_the_best_is_best_in(inputs, tmp_path):  # noqa: F811
    found = {}
    for location, objective in (
        ("balanced_density", "suppression"),
        ("best", "suppression"),
        ("best", "compactness"),
        ("best", "entropy"),
        ("best", "weighted"),
    ):
        folder = tmp_path / f"{location}_{objective}"
        folder.mkdir()
        found[location, objective] = made(
            inputs, folder, LOCATION=location, OBJECTIVE=objective, TOLERANCE=0, MOVES=3_000
        )
    (_, start), *best = found.items()
    names = {"suppression": "SUPPRESSED", "compactness": "COMPACTNESS", "entropy": "ENTROPY_LOSS"}
    for (_, objective), done in best:
        if objective in names:
            name = names[objective]
            assert done[name] == min(one[name] for _, one in found.items())
            assert done[name] < start[name]
        if objective != "suppression":
            assert done["SUPPRESSED"] <= start["SUPPRESSED"]
        if objective != "compactness":
            assert done["COMPACTNESS"] <= start["COMPACTNESS"] * (1 + 1e-3)
