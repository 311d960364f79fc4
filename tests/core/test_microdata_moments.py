# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership by averages and correlations of a release as a whole."""

from dataclasses import replace

import numpy as np
import pytest

from geoanon_qgis.core.microdata.attacks.moments import by_moments, would_be_told
from geoanon_qgis.core.microdata.people import People

from .test_microdata_attacks import attacked, tables_of

COUNT, FIELDS = 400, 30
LOADINGS = np.random.default_rng(8).normal(size=(5, FIELDS))


def people(rng, count=COUNT):
    return rng.normal(size=(count, 5)) @ LOADINGS + rng.normal(size=(count, FIELDS))


def as_table(values):
    return {f"v{at}": one.round(3) for at, one in enumerate(values.T)}


def with_moments_of(rng, values):
    """Strangers, moved and turned until their averages and covariances are those of some people."""
    drawn = people(rng, len(values))
    drawn = (drawn - drawn.mean(0)) @ np.linalg.inv(np.linalg.cholesky(np.cov(drawn.T)).T)
    return values.mean(0) + drawn @ np.linalg.cholesky(np.cov(values.T)).T


@pytest.fixture(scope="module")
def files():
    rng = np.random.default_rng(2)
    own, others, reference = (people(rng) for _ in range(3))
    return own, with_moments_of(rng, own), others, reference


def test_who_is_in_the_averages_is_told(files):
    own, same_moments, others, reference = map(as_table, files)
    told = by_moments(tables_of(own, same_moments, reference)[0])[0]
    assert told.success > 0.15 and told.control < 0.09 and told.tried == COUNT
    assert attacked(own, same_moments, reference)[1].decision != "release_with_care"
    strangers = by_moments(tables_of(own, others, reference)[0])[0]
    assert strangers.success < 0.09
    few = by_moments(tables_of(own, same_moments, reference)[0], ("v1", "v2"))[0]
    assert few.success < 0.09 and str(few.knows).startswith("what is known")


def test_nobody_is_compared_with_herself():
    """Of a release of anybody people of file and reference are named alike, be there hardly more of these than fields."""
    rng = np.random.default_rng(3)
    found = []
    for _ in range(10):
        own, others, reference = (as_table(people(rng, 120)) for _ in range(3))
        one = by_moments(tables_of(own, others, reference)[0])[0]
        found.append((one.success, one.control))
    success, control = np.mean(found, axis=0)
    assert abs(success - control) < 0.03 and success < 0.1


def test_records_of_a_person_are_compared_with_other_people_only():
    rng = np.random.default_rng(4)
    own, others, reference = (
        as_table(np.repeat(people(rng, 80), 5, axis=0) + rng.normal(0, 0.05, (400, FIELDS)))
        for _ in range(3)
    )
    whose = People(np.repeat(np.arange(80), 5))
    tables = replace(tables_of(own, others, reference)[0], whose=whose, reference_whose=whose)
    found = by_moments(tables)[0]
    assert found.tried == 80 and abs(found.success - found.control) < 0.15


def test_without_others_it_is_told_how_many_it_would_be(files):
    own, same_moments, others, _ = map(as_table, files)
    alone = tables_of(own, same_moments)[0]
    assert by_moments(alone) == []
    expected = by_moments(
        tables_of(own, same_moments, as_table(people(np.random.default_rng(5), 3000)))[0]
    )[0]
    told = []
    share = would_be_told(alone, (), told.append)
    assert told == sorted(told) and told[-1] == 1
    assert share == pytest.approx(expected.success - expected.control, abs=0.06) and share > 0.1
    assert would_be_told(alone, ("v1", "v2", "v3")) < 0.04
    found, verdict = attacked(own, same_moments)
    assert verdict.decision == "cannot_tell"
    assert any("averages, correlations" in str(one) for one in found.attacks.notes)
    assert any(one.caveat == "moments" for one in verdict.evidence)


def test_columns_that_are_the_same_for_all_say_nothing():
    rng = np.random.default_rng(6)
    tables = tables_of(*({"a": rng.normal(size=300), "b": rng.normal(size=300)} for _ in range(3)))[
        0
    ]
    flat = np.zeros_like(tables.original)
    same = replace(tables, original=flat, released=flat, reference=flat)
    assert by_moments(same) == []
    assert would_be_told(replace(tables, original=flat, released=flat, reference=None)) == 0
    few = replace(tables, reference=tables.reference[:10])
    assert by_moments(few) == []


@pytest.mark.parametrize("by", [0.1, 0.3])
def test_a_population_that_is_another_ones_is_no_find(files, by):
    """People of the reference are a little higher in all: others of the file tell who is of it as well."""
    own, same_moments, others, reference = files
    moved = as_table(reference + by * reference.std(axis=0))
    harmless = by_moments(tables_of(as_table(own), as_table(others), moved)[0])[0]
    assert harmless.control > 0.15 and harmless.excess()[1] == 0
    told = by_moments(tables_of(as_table(own), as_table(same_moments), moved)[0])[0]
    assert told.excess()[2] + told.unseen > 0.09
    assert (harmless.unseen > 0.09) == (by == 0.3)
