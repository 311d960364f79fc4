# SPDX-License-Identifier: GPL-2.0-or-later
"""k-means, Ward, the k-aware merge and the best of several starts, in a real QGIS."""

import shlex
from collections import Counter

import numpy as np
import pytest
from qgis.core import QgsApplication

from tests.processing.helpers import records, run
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


def compared(inputs, folder, **more):  # noqa: F811
    return run(
        "vbascompare",
        {
            "REGIONS": inputs["squares"],
            "REGION_ID": "uid",
            "RECORDS": inputs["people"],
            "RECORD_REGION": "region",
            "QIS": ["age", "sex"],
            "KS": "5",
            "SITES_BY": ["fixed"],
            "SITES": 14,
            "SEED": 4,
            "LOCATIONS": ["balanced_density", *NEW],
            "MOVES": 1_000,
            "MIN_RECORDS": 30,
            "ACCEPTABLE": 0.3,
            "OUTPUT": str(folder / "all.gpkg"),
            "JSON": str(folder / "report.json"),
            **more,
        },
    )


@pytest.mark.parametrize("objective", ["suppression", "compactness"])
def test_the_recommended_row_is_the_best_and_its_command_makes_it(inputs, tmp_path, objective):  # noqa: F811
    done = compared(inputs, tmp_path, OBJECTIVE=objective)
    rows = records(done["OUTPUT"])
    base = rows[0]
    for row in rows:
        beaten = [
            one
            for one in rows
            if (one["suppressed"], one["compactness"]) != (row["suppressed"], row["compactness"])
            and one["suppressed"] <= row["suppressed"]
            and one["compactness"] <= row["compactness"]
        ]
        assert row["frontier"] == (not beaten)
        assert 0 < row["isoperimetric"] < np.pi / 4 + 1e-9  # no union of squares is rounder
    (best,) = [row for row in rows if row["recommended"]]
    measure, other = ("suppressed", "compactness")[:: 1 if objective == "suppression" else -1]
    assert best[other] <= base[other] * 1.001 and best[measure] <= base[measure]
    (line,) = [one for one in done.feedback.said.splitlines() if "geoanon:vbas -- " in one]
    words = shlex.split(line.split("geoanon:vbas -- ")[1])
    assert f"LOCATION={best['location']}" in words and "SEED" not in " ".join(words)
    given = {}
    for word in words:
        name, value = word.split("=", 1)
        given.setdefault(name, []).append(value)
    given = {name: value if name == "QIS" else value[0] for name, value in given.items()}
    for name in ("OUTPUT", "LOOKUP", "RECORDS_OUT"):
        given[name] = str(tmp_path / given[name])
    again = run("vbas", {**given, "SEED": 4})
    assert again["SUPPRESSED"] == best["suppressed"]
    assert again["COMPACTNESS"] == pytest.approx(best["compactness"])
    area = area_of(again)
    sites = {row["uid"]: row for row in records(inputs["squares"])}
    assert set(area) == {int(one) for one in sites}


def test_roundness_of_a_known_shape(inputs, tmp_path):  # noqa: F811
    done = compared(inputs, tmp_path, SITES=90, LOCATIONS=["balanced_density"], MIN_RECORDS=0)
    (row,) = records(done["OUTPUT"])
    assert row["areas"] == 90  # every square an area of its own
    assert row["isoperimetric"] == pytest.approx(np.pi / 4, rel=1e-6)
    assert row["distance_per_person"] == pytest.approx(0, abs=1e-6)


def test_what_a_comparison_is_given_the_recommended_run_knows_too():
    registry = QgsApplication.processingRegistry()
    compare, single = (
        {
            one.name()
            for one in registry.algorithmById(f"geoanon:{name}").parameterDefinitions()
            if not one.isDestination()
        }
        for name in ("vbascompare", "vbas")
    )
    assert compare - single == {"KS", "LOCATIONS"}
