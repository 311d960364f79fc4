# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership by totals that are kept to the last digit."""

from dataclasses import replace

import numpy as np
import pytest

from geoanon_qgis.core.microdata.attacks.totals import by_totals
from geoanon_qgis.core.microdata.people import People

from .test_microdata_attacks import attacked, tables_of

COUNT, AMOUNTS = 400, 5


def amounts(rng, count=COUNT, step=1.0):
    made = np.exp(rng.normal(8, 0.5, (count, AMOUNTS)))
    return np.rint(made / step) * step


def dealt_anew(rng, values, step=1.0):
    """The same totals, divided otherwise."""
    parts = rng.dirichlet(np.full(AMOUNTS, 4.0), len(values)) * values.sum(1)[:, None]
    parts = np.floor(parts / step) * step
    parts[:, 0] += values.sum(1) - parts.sum(1)
    return parts


def as_table(values):
    return {f"v{at}": one for at, one in enumerate(values.T)}


def found(own, released, reference=None, known=()):
    tables = tables_of(
        as_table(own), as_table(released), None if reference is None else as_table(reference)
    )[0]
    return by_totals(tables, tables.released, known)


@pytest.mark.parametrize("step", [1.0, 0.01])
def test_totals_that_were_kept_tell_who_is_in_the_file(step):
    rng = np.random.default_rng(1)
    own, others, reference = (amounts(rng, step=step) for _ in range(3))
    released = rng.permutation(dealt_anew(rng, own, step))
    (told,) = found(own, released, reference)
    by_hand = np.isin(np.rint(reference.sum(1) / step), np.rint(own.sum(1) / step)).mean()
    assert told.success == 1 and by_hand <= told.control < by_hand + 0.02
    assert str(told.knows).startswith("v0 + v1 + v2 + v3 + v4 of a person")
    assert sorted(told.rows) == list(range(COUNT))
    assert attacked(*map(as_table, (own, released, reference)))[1].decision == "do_not_release"
    # Without a reference, too; and not where the total of the others is wanted by fewer fields.
    (alone,) = found(own, released)
    assert alone.success == 1 and alone.control < 0.2
    assert found(own, released, reference, ("v0", "v1", "v2")) == []
    assert found(own, rng.permutation(dealt_anew(rng, others, step)), reference) == []


def test_some_of_the_numbers_are_found():
    rng = np.random.default_rng(2)
    own, others, reference = (amounts(rng) for _ in range(3))
    released = others.copy()
    released[:, 1:4] = dealt_anew(rng, own)[:, :3]
    released[:, 1] = own[:, 1:4].sum(1) - released[:, 2:4].sum(1)
    released = np.maximum(released, 1.0)
    released[0] = np.nan
    own[5, 2] = np.nan
    (told,) = found(own, released, reference)
    assert str(told.knows).startswith("v1 + v2 + v3 of") and 0.85 < told.success < 0.99


def test_a_total_that_everybody_has_is_no_find():
    """Shares of a day add up to 1,440 minutes, in the file and its release; in the reference a minute lacks."""
    rng = np.random.default_rng(3)
    own, others, reference = (
        dealt_anew(rng, np.full((COUNT, AMOUNTS), total / AMOUNTS)) for total in (1440, 1440, 1435)
    )
    assert found(own, others, reference) == []
    assert found(own, others) == []


def test_honest_files_have_no_total_in_common_beyond_chance():
    for seed in range(20):
        rng = np.random.default_rng([4, seed])
        own, others, reference = (amounts(rng, 300, 100.0) for _ in range(3))
        assert found(own, others, reference) == [] and found(own, others) == []


def test_a_person_with_several_records_counts_once():
    rng = np.random.default_rng(5)
    own, _, reference = (amounts(rng) for _ in range(3))
    twice = np.concatenate([own, dealt_anew(rng, own)])
    released = dealt_anew(rng, own)
    tables = tables_of(*map(as_table, (twice, released, reference)))[0]
    whose = People(np.tile(np.arange(COUNT), 2))
    tables = replace(tables, whose=whose, reference_whose=People(np.arange(COUNT)))
    (told,) = by_totals(tables, tables.released)
    assert told.people == told.tried == told.right == COUNT and told.control < 0.2


def test_too_few_numbers_have_no_total():
    rng = np.random.default_rng(6)
    own = {"v0": amounts(rng)[:, 0], "name": rng.choice(["a", "b"], COUNT)}
    tables = tables_of(own, own, own)[0]
    assert by_totals(tables, tables.released) == []
