# SPDX-License-Identifier: GPL-2.0-or-later
"""Whose one record is by far nearer than the next is named, be the others ever so far off."""

from dataclasses import replace

import numpy as np
import pytest

from geoanon_qgis.core.microdata.attacks.alike import in_batches
from geoanon_qgis.core.microdata.attacks.beside_next import beside_next, by_next, near_others
from geoanon_qgis.core.microdata.attacks.in_part import beyond_chance
from geoanon_qgis.core.microdata.attacks.scoring import MEMBERSHIP, Attack
from geoanon_qgis.core.microdata.people import People
from tests.core.test_microdata_attacks import attacked, few, tables_of

COUNT = 800


def strangers(rng, batches, count=COUNT):
    """Eight numbers, of which four go by the batch."""
    values = rng.normal(size=(count, 8))
    values[:, :4] += 3 * rng.normal(size=(batches, 4))[np.arange(count) * batches // count]
    return {f"v{at}": one.round(2) for at, one in enumerate(rng.permutation(values).T)}


def with_some(rng, own, others, share=0.15, noise=0.15):
    """Some people with noise among records of others."""
    hers = rng.permutation(len(own["v0"])) < share * len(own["v0"])
    made = {
        name: np.where(
            hers, values + rng.normal(0, noise * values.std(), len(values)), others[name]
        )
        for name, values in own.items()
    }
    order = rng.permutation(len(hers))
    return {name: values[order].round(2) for name, values in made.items()}


@pytest.mark.parametrize("alone", [False, True])
def test_who_is_named_is_who_a_loop_names(alone):
    rng = np.random.default_rng(1)
    own, reference = few(rng, 120), few(rng, 120)
    released = {name: one + rng.normal(0, 0.3, 120) for name, one in own.items()}
    tables = tables_of(own, released, None if alone else reference)[0]
    steps = []
    often, hardly = by_next(tables, steps.append)
    assert steps == sorted(steps) and steps[-1] == 1 and often.is_relative

    def ratio(person, records):
        near, after = np.sort(((records - person) ** 2).sum(axis=1))[:2]
        return np.sqrt(near / after)

    mine = np.array([ratio(one, tables.released) for one in tables.original])
    if alone:
        rows = range(120)
        held = [ratio(tables.original[at], np.delete(tables.original, at, axis=0)) for at in rows]
    else:
        held = [ratio(one, tables.released) for one in tables.reference]
    half = np.random.default_rng(0).permutation(120)[:60]
    for found, wrongly in ((often, 0.05), (hardly, 0.01)):
        limit = np.quantile(np.array(held)[half], wrongly)
        assert found.rows.tolist() == np.flatnonzero(mine < limit - 1e-9).tolist()
        assert found.baseline == wrongly
    assert often.success > often.control


def test_without_a_second_record_nobody_is_nearer_than_it():
    near = np.array([[1.0, np.inf], [0.0, 0.0], [1.0, 2.0]])
    assert beside_next(near).tolist() == [1, 1, 0.5]


def test_of_people_with_several_records_the_nearest_counts():
    rng = np.random.default_rng(2)
    own = few(rng, 120)
    whose = People(np.repeat(np.arange(40), 3))
    tables = replace(tables_of(own, own)[0], whose=whose)
    assert by_next(tables)[0].tried == 40


@pytest.mark.parametrize("batches", [4, 10])
@pytest.mark.parametrize("alone", [False, True])
def test_some_people_among_strangers_are_found(batches, alone):
    """Be they compared with other batches, or with the other originals of their own."""
    rng = np.random.default_rng([3, batches])
    own, others, reference = (strangers(rng, batches) for _ in range(3))
    given = None if alone else reference
    decision = attacked(own, with_some(rng, own, others), given)[1].decision
    # Of four batches beside four others less is sure.
    left_open = {"cannot_tell"} if batches == 4 and not alone else set()
    assert decision in {"do_not_release"} | left_open
    assert attacked(own, others, given)[1].decision != "do_not_release"


def test_a_reference_of_other_people_refuses_no_harmless_release():
    rng = np.random.default_rng(4)
    loadings = rng.normal(size=(3, 8))

    def people():
        made = rng.normal(size=(COUNT, 3)) @ loadings + rng.normal(size=(COUNT, 8))
        return {f"v{at}": one.round(2) for at, one in enumerate(made.T)}

    own, others, reference = people(), people(), people()
    older = {name: (one + 0.5 * one.std()).round(2) for name, one in reference.items()}
    found, verdict = attacked(own, others, older)
    assert found.attacks.batches < 1 and verdict.decision == "cannot_tell"
    assert attacked(own, with_some(rng, own, others), older)[1].decision != "release_with_care"


def test_what_differs_along_a_line_alone_is_seen():
    """A tenth more of each of eight numbers that go together is far off along what hardly varies."""
    rng = np.random.default_rng(3)
    relation = rng.normal(size=(8, 8))
    files = [
        {f"v{at}": one for at, one in enumerate((rng.normal(size=(400, 8)) @ relation).T)}
        for _ in range(3)
    ]
    assert attacked(*files)[0].attacks.fewest == 1
    for by in (0.1, 1.0, 2.0):
        moved = {name: one + by for name, one in files[2].items()}
        found, verdict = attacked(*files[:2], moved)
        assert found.attacks.fewest < 1 and verdict.decision == "cannot_tell"


def test_what_all_originals_share_is_passed_over():
    rng = np.random.default_rng(5)
    tables = [few(rng, 300) for _ in range(3)]
    expected, _ = attacked(*tables)
    for one, year in zip(tables, (2025.0, 2025.0, 2024.0)):
        one["year"] = np.full(300, year)
    found, _ = attacked(*tables)
    assert found.attacks.batches == 1
    assert [(one.right, one.control_right) for one in found.attacks.attacks] == [
        (one.right, one.control_right) for one in expected.attacks.attacks
    ]


def test_few_large_batches_count_for_few():
    rng = np.random.default_rng(6)

    def coded(batches):
        return np.stack([*strangers(rng, batches).values()], axis=1)

    assert COUNT * in_batches(coded(2), coded(2)) < 20
    assert COUNT * in_batches(coded(400), coded(2)) < 20  # one of both suffices
    assert 5 < COUNT * in_batches(coded(10), coded(10)) < 80


def test_of_one_record_beside_the_next_batches_take_less():
    found = Attack(MEMBERSHIP, "", "", 800, 800, 200, 800, 40, 0.05, batches=10 / 800)
    assert found.by_batch.weighs == pytest.approx((1 / 80, 1 / 80))
    relative = replace(found, is_relative=True)
    assert relative.by_batch.weighs == (1, 1)
    few_batches = replace(relative, batches=4 / 800).by_batch
    assert few_batches.weighs == pytest.approx((0.16, 0.16))
    assert relative.evidence(0.09, 4.0, 40).low > 0.09 > found.evidence(0.09, 4.0, 40).low


def test_by_steps_some_others_who_come_about_as_near_are_chance():
    """Two of the control are twice as far as six people: a value that two have in place of one."""
    control = np.concatenate([[5e-5, 5e-5, 7.5e-5], np.full(90, 5e-3), np.full(907, 1.0)])
    away = np.concatenate([np.full(6, 2.5e-5), np.full(87, 5e-3), np.full(907, 1.0)])
    assert beyond_chance(away, control, 1.0, 1e-3, False) == 0
    away[:6] = 1e-8  # far nearer than anybody
    assert beyond_chance(away, control, 1.0, 1e-3, False) == 6


def test_of_originals_with_several_records_the_next_is_another_persons():
    rng = np.random.default_rng(7)
    of = np.repeat(np.arange(30), 9)
    records = (rng.normal(size=(30, 3))[of] + 0.3 * rng.normal(size=(len(of), 3))).round(1)
    records[9:12] = records[18:21]  # of two people the same
    found = near_others(records, records, np.arange(len(of)), People(of))
    for at, row in enumerate(records):
        away = np.sqrt(((records - row) ** 2).mean(axis=1))
        away[of == of[at]] = np.inf
        assert found[at, 0] == pytest.approx(away.min())
        if np.count_nonzero(away == away.min()) == 1:
            further = (of != of[away.argmin()]) & (away > away.min())
            assert found[at, 1] == pytest.approx(away[further].min())
    alone = near_others(records[:9], records[:9], np.arange(9), People(of[:9]))
    assert not np.isfinite(alone).any()


def test_by_steps_nobody_knows_how_many_of_the_control_are_a_step_nearer():
    """Nineteen have what three have; of the control, all of whose best values four have, nobody is as near."""
    control = np.full(100, 0.2)
    away = np.concatenate([np.full(19, 0.15), np.full(81, 0.2)])
    assert beyond_chance(away, control, 1.0, 2e-4, False) == 0
    away[:19] = 1e-4
    assert beyond_chance(away, control, 1.0, 2e-4, False) == 19
