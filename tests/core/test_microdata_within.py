# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership by averages and correlations of a release within groups of people."""

from dataclasses import replace

import numpy as np
import pytest

from geoanon_qgis.core.microdata.attacks.as_a_whole import (
    BY_NUMBERS_WITHIN,
    BY_WITHIN,
    is_as_a_whole,
)
from geoanon_qgis.core.microdata.attacks.groups import likely_groups
from geoanon_qgis.core.microdata.attacks.moments import by_moments, would_be_told
from geoanon_qgis.core.microdata.attacks.within import by_groups, would_be_told_by_groups
from geoanon_qgis.core.microdata.people import People

from .test_microdata_attacks import attacked, tables_of

COUNT, FIELDS, REGIONS = 1_000, 26, 5
LOADINGS = np.random.default_rng(8).normal(size=(3, FIELDS))


def people(rng, count=COUNT):
    """Which region, sex and job somebody is of, and numbers that go together."""
    values = rng.normal(size=(count, 3)) @ LOADINGS + rng.normal(size=(count, FIELDS))
    of = {
        "region": rng.choice(np.array([*"abcdefghij"[:REGIONS]]), count),
        "sex": rng.choice(["f", "m"], count),
        "job": rng.choice([*"xyz"], count),
    }
    return of, values


def as_table(both):
    of, values = both
    return {**of, **{f"v{at}": one.round(3) for at, one in enumerate(values.T)}}


def by_region(rng, both):
    """Strangers, moved and turned in each region until averages and covariances are those of its people."""
    of, values = both
    made = np.empty_like(values)
    for one in np.unique(of["region"]):
        here = of["region"] == one
        drawn = rng.normal(size=(here.sum(), FIELDS))
        drawn = (drawn - drawn.mean(0)) @ np.linalg.inv(np.linalg.cholesky(np.cov(drawn.T)).T)
        made[here] = values[here].mean(0) + drawn @ np.linalg.cholesky(np.cov(values[here].T)).T
    mixed = rng.permutation(len(values))
    return {**of, "sex": of["sex"][mixed], "job": rng.permutation(of["job"])}, made


def excess(attacks):
    return max(one.success - one.control for one in attacks)


@pytest.fixture(scope="module")
def files():
    rng = np.random.default_rng(2)
    own, others, reference = (people(rng) for _ in range(3))
    return own, by_region(rng, own), others, reference


def test_who_is_in_the_moments_of_a_region_is_told(files):
    own, regions, others, reference = map(as_table, files)
    found = by_groups(tables_of(own, regions, reference)[0])
    assert all(map(is_as_a_whole, found))
    assert [one.knows.template for one in found[:2]] == [BY_NUMBERS_WITHIN, BY_WITHIN]
    assert [str(one.knows) for one in found[:2]] == [
        "everything of a person, and averages and correlations of numbers of other people of the same region,",
        "everything of a person, and averages and correlations of other people of the same region,",
    ]
    assert found[0].success - found[0].control > 0.1 and found[0].tried == COUNT
    # All regions together do not show it.
    assert excess(by_moments(tables_of(own, regions, reference)[0])) < 0.1
    assert attacked(own, regions, reference)[1].decision == "do_not_release"
    known = ("region", "v1", "v2")
    few = by_groups(tables_of(own, regions, reference)[0], known)
    assert all(one.success < 0.1 for one in few)
    assert all(str(one.knows).startswith("what is known of a person") for one in few)


@pytest.mark.parametrize("seed", range(4))
def test_of_other_people_as_many_are_named_as_are_not_in_the_file(seed):
    rng = np.random.default_rng(seed)
    own, others, reference = (as_table(people(rng, 600)) for _ in range(3))
    found = by_groups(tables_of(own, others, reference)[0])
    assert len(found) in (3, 4)
    for one in found:
        assert one.success - one.control < 0.05 and one.excess()[1] < 0.02
    if not seed:  # a battery takes seconds
        assert attacked(own, others, reference)[1].decision == "release_with_care"
    assert would_be_told_by_groups(tables_of(own, others)[0]) == 0


def test_who_is_in_the_averages_of_strata_is_told():
    """Each region, sex and job has the averages of its people, and nothing else of theirs."""
    rng = np.random.default_rng(3)
    own, reference = people(rng), people(rng)
    of = np.unique(np.stack([*own[0].values()]), axis=1, return_inverse=True)[1].reshape(-1)
    made = people(rng)[1]
    for one in np.unique(of):
        here = of == one
        made[here] += own[1][here].mean(0) - made[here].mean(0)
    strata = tables_of(*map(as_table, (own, (own[0], made), reference)))[0]
    found = by_groups(strata)
    assert excess(found) > 0.05
    assert max(found, key=lambda one: one.success).knows.values["fields"] == "region, sex, job"
    assert would_be_told_by_groups(replace(strata, reference=None)) > 0.08


def test_without_others_it_is_told_how_many_it_would_be(files):
    own, regions, others, _ = map(as_table, files)
    alone = tables_of(own, regions)[0]
    assert by_groups(alone) == []
    told = []
    share = would_be_told_by_groups(alone, (), told.append)
    assert told == sorted(told) and told[-1] == 1
    many = as_table(people(np.random.default_rng(6), 5_000))
    expected = excess(by_groups(tables_of(own, regions, many)[0]))
    assert share == pytest.approx(expected, abs=0.08) and share > 0.1
    assert would_be_told(alone) < 0.12
    found, verdict = attacked(own, regions)
    assert verdict.decision == "cannot_tell"
    assert any("in groups of people" in str(one) for one in found.attacks.notes)


def test_progress_only_rises(files):
    own, regions, _, reference = map(as_table, files)
    told = []
    by_groups(tables_of(own, regions, reference)[0], (), told.append)
    assert told == sorted(told) and told[-1] == 1


def test_records_of_a_person_are_compared_with_other_people_only():
    rng = np.random.default_rng(4)
    made = []
    for _ in range(3):
        of, values = people(rng, 200)
        of = {name: np.repeat(one, 5) for name, one in of.items()}
        values = np.repeat(values, 5, axis=0) + rng.normal(0, 0.05, (1_000, FIELDS))
        made.append(as_table((of, values)))
    whose = People(np.repeat(np.arange(200), 5))
    tables = replace(tables_of(*made)[0], whose=whose, reference_whose=whose)
    for one in by_groups(tables):
        assert one.tried == 200 and abs(one.success - one.control) < 0.12


def test_without_categories_or_of_one_field_nothing_is_asked(files):
    rng = np.random.default_rng(5)
    plain, one, same = (
        [{f"v{at}": rng.normal(size=200) for at in range(6)} for _ in range(3)],
        [{"region": rng.choice(["a", "b"], 200)} for _ in range(3)],
        [{"region": rng.choice(["a", "b"], 200), "x": rng.normal(size=200)} for _ in range(3)],
    )
    for some in (plain, one, same):
        told = []
        assert by_groups(tables_of(*some)[0], (), told.append) == []
        assert told == sorted(told) and told[-1] == 1
        assert would_be_told_by_groups(tables_of(*some[:2])[0]) == 0


@pytest.mark.parametrize("count", [25, 60, 150])
def test_few_people_of_many_groups(count):
    """Some regions are in one table only, some have a single person; a field is the same in a region."""
    rng = np.random.default_rng(count)
    made = []
    for _ in range(3):
        region = rng.geometric(0.25, count)
        values = rng.normal(size=(count, 3)).round(2)
        values[:, 0] = region
        values[rng.random(count) < 0.1, 1] = np.nan
        of = {"region": np.array([f"r{one:02d}" for one in region])}
        made.append(as_table((of, values)))
    tables = tables_of(*made)[0]
    for one in by_groups(tables):
        assert np.isfinite([one.success, one.control]).all()
    assert 0 <= would_be_told_by_groups(replace(tables, reference=None)) < 0.05
    every = tables.original, tables.released, tables.reference
    for groups in likely_groups(tables, (), every, 3):
        for table in every:
            of = groups.of(table)
            assert of.min() >= 0 and of.max() < groups.count
            assert (np.bincount(of, minlength=groups.count)[:-1] >= 3).all()
