# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership by how many released records are in each class of a field, or of two."""

from dataclasses import replace

import numpy as np
import pytest

from geoanon_qgis.core.microdata.attacks.as_a_whole import BY_CLASSES, BY_TWO, is_as_a_whole
from geoanon_qgis.core.microdata.attacks.classes import (
    Classes,
    by_classes,
    would_be_told_by_classes,
)
from geoanon_qgis.core.microdata.attacks.moments import by_moments

from .test_microdata_attacks import attacked, tables_of
from .test_microdata_moments import as_table

COUNT, FIELDS = 400, 20


def people(rng, count=COUNT):
    return rng.normal(size=(count, FIELDS))


def columns_mixed(rng, values):
    """Each field of another person's: its distribution is the originals', to the last one."""
    return rng.permuted(values, axis=0) + rng.uniform(-0.02, 0.02, values.shape)


@pytest.fixture(scope="module")
def files():
    rng = np.random.default_rng(3)
    own, others, reference = (people(rng) for _ in range(3))
    return own, columns_mixed(rng, own), others, reference


def excess(attacks):
    return max(one.success - one.control for one in attacks)


def test_who_is_in_the_distributions_is_told(files):
    own, mixed, others, reference = map(as_table, files)
    found = by_classes(tables_of(own, mixed, reference)[0])
    assert excess(found) > 0.15 and all(map(is_as_a_whole, found))
    assert [one.knows.template for one in found] == [BY_CLASSES] * 3 + [BY_TWO]
    assert "in each of 20 classes" in str(found[0].knows)
    assert excess(by_moments(tables_of(own, mixed, reference)[0])) < 0.05
    assert attacked(own, mixed, reference)[1].decision == "do_not_release"
    assert excess(by_classes(tables_of(own, others, reference)[0])) < 0.05
    some = by_classes(tables_of(own, mixed, reference)[0], ("v1", "v2"))
    assert excess(some) < excess(found) and str(some[0].knows).startswith("what is known of")


def test_of_other_people_as_many_are_named_as_are_not_in_the_file():
    rng = np.random.default_rng(4)
    found = []
    for _ in range(20):
        own, others, reference = (as_table(people(rng, 150)) for _ in range(3))
        every = by_classes(tables_of(own, others, reference)[0])
        found.append([(one.success, one.control) for one in every])
    for success, control in np.mean(found, axis=0):
        assert abs(success - control) < 0.02 and control < 0.11


def test_who_is_in_every_two_classes_is_told():
    """Numbers of other people in the classes of the file's, two and two as often as they are there."""
    rng = np.random.default_rng(5)
    own, reference, many = people(rng), people(rng), people(rng, 4_000)
    edges = np.quantile(many, [0.2, 0.4, 0.6, 0.8], axis=0)
    # as often as they are in these: half of each record is a person's, the other half another's
    half = rng.random(own.shape) < 0.7
    another = rng.permutation(own)
    released = np.where(half, own, another)
    for at in range(FIELDS):
        there = np.searchsorted(edges[:, at], released[:, at])
        others = np.searchsorted(edges[:, at], many[:, at])
        for one in range(5):
            here = there == one
            released[here, at] = rng.choice(many[others == one, at], here.sum())
    *_, by_two = by_classes(tables_of(*map(as_table, (own, released, reference)))[0])
    assert by_two.knows.template == BY_TWO and by_two.success - by_two.control > 0.1


def test_without_others_it_is_told_how_many_it_would_be(files):
    own, mixed, others, _ = map(as_table, files)
    alone = tables_of(own, mixed)[0]
    assert by_classes(alone) == []
    many = as_table(people(np.random.default_rng(6), 5_000))
    expected = excess(by_classes(tables_of(own, mixed, many)[0]))
    told = []
    share = would_be_told_by_classes(alone, (), told.append)
    assert told == sorted(told) and told[-1] == 1
    assert 0.2 < expected < share  # of few people in each class it is too much
    assert would_be_told_by_classes(tables_of(own, others)[0]) == 0
    found, verdict = attacked(own, mixed)
    assert verdict.decision != "release_with_care"
    assert any("how many have each value" in str(one) for one in found.attacks.notes)


def test_classes_are_of_about_as_many_and_hold_what_is_missing():
    rng = np.random.default_rng(7)
    own = {
        "number": np.where(rng.random(900) < 0.1, np.nan, rng.normal(size=900)),
        "kind": rng.choice(["a", "b", "c"], 900),
        "yes": rng.random(900) < 0.3,
    }
    tables = tables_of(own, own, own)[0]
    (made,) = Classes.of_all([tables.original], tables.variables, [10])
    codes = made.of(tables.original)
    missing = np.isnan(own["number"])
    assert (codes[missing, 0] == made.sizes[0] - 1).all()
    count = np.bincount(codes[~missing, 0])
    assert len(count) == 10 and count.min() > 0.9 * count.max()
    for at, name in ((1, "kind"), (2, "yes")):
        same = codes[:, at][:, None] == codes[:, at]
        assert (same == (own[name][:, None] == own[name])).all()
    law = made.laws(tables.original, lambda _: None)[0]
    parts = made.laws(tables.original, lambda _: None, np.arange(900) % 3, 3)
    both = parts[0] + parts[1] + parts[2]
    assert law.count == both.count == 900 and (law.counts == both.counts).all()
    for field, size in enumerate(made.sizes):
        own_counts = law.counts[law.first[field] : law.first[field] + size]
        assert (own_counts == np.bincount(codes[:, field], minlength=size)).all()
    dummies = made.dummies(tables.original)
    assert dummies.shape[1] == (made.sizes - 1).sum()
    assert (dummies.sum(axis=1) == (codes > 0).sum(axis=1)).all()


def test_next_to_nobody_is_looked_for_where_people_are_many(files):
    own, mixed, _, reference = map(as_table, files)
    tables = tables_of(own, mixed, reference)[0]
    one = replace(tables, variables=tables.variables[:1])
    assert len(by_classes(one)) == 3  # no two fields
    many = replace(one, original=np.tile(tables.original, (60, 1)))
    assert by_classes(many) == []
