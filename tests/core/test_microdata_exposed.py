# SPDX-License-Identifier: GPL-2.0-or-later
"""Who is released as he is: against direct loops, with planted people, and without any."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.microdata.adequacy import ADEQUATE, INADEQUATE
from geoanon_qgis.core.microdata.digits import as_released
from geoanon_qgis.core.microdata.exposed import exposed
from geoanon_qgis.core.microdata.learning import learn_coding
from geoanon_qgis.core.microdata.risk import disclosure_risk
from geoanon_qgis.core.runtime.errors import InputError


def people(rng, count, columns=5):
    return rng.normal(size=(count, columns))


# --- against direct loops ---------------------------------------------------------------------


@given(st.integers(0, 10**6), st.integers(3, 40), st.integers(3, 40), st.booleans())
def test_matches_are_those_of_a_double_loop(seed, count, released_count, sampled):
    rng = np.random.default_rng(seed)
    draw = lambda n: rng.integers(0, 3, (n, 3)) * 0.7 - 0.3  # noqa: E731
    original, released, sample = draw(count), draw(released_count), draw(count)
    far = np.full(count, 9.0)
    found = exposed([(original, sample if sampled else None)], released, far, far)
    same = [[(one == other).all() for other in released] for one in original]
    assert found.verbatim.tolist() == np.any(same, axis=1).tolist()
    own = [[(one == other).all() for other in original] for one in original]
    assert found.alone.tolist() == (np.sum(own, axis=1) == 1).tolist()
    there = [any((one == other).all() for other in sample) for one in original]
    assert found.expected == (sum(there) if sampled else int((~found.alone).sum()))
    assert found.count == int(np.any(same, axis=1).sum()) and found.limit >= found.expected
    assert found.unique == int((found.verbatim & found.alone).sum())
    if found.expected < 0.05 * count:  # or chance explains all of them, or not that one
        assert found.limit in (found.expected, found.count, found.count - 1)


def test_how_many_chance_adds_is_as_the_binomial_sums_say():
    from math import comb

    kinds = np.array([[-1.0], [-1.0], [1.0], [1.0]] * 50)
    kinds = np.vstack([kinds, np.arange(2, 102)[:, None]])  # a hundred are alone
    for hits in (5, 20, 60, 90):
        released = np.vstack([kinds[:200], kinds[200 : 200 + hits]])[40:]
        far = np.full(len(kinds), 9.0)
        found = exposed([(kinds, None)], released, far, far)
        either = hits  # every common one is in the release too
        assert (found.count, found.expected) == (200 + hits, 200)
        tail = sum(comb(either, more) for more in range(hits, either + 1)) / 2**either
        assert found.p_value == pytest.approx(tail)


# --- planted people -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("sampled", [False, True])
@pytest.mark.parametrize("planted", [1, 3, 90])
@pytest.mark.parametrize("off", [0.0, 1e-5])
def test_people_released_as_they_are_or_nearly_are_found(planted, off, sampled):
    rng = np.random.default_rng(planted)
    original, released = people(rng, 2_000), people(rng, 2_000)
    rows = rng.choice(2_000, planted, replace=False)
    released[rng.permutation(2_000)[:planted]] = original[rows] + off * people(rng, planted)
    found = disclosure_risk(original, released, people(rng, 2_000) if sampled else None)
    marked = found.exposed.verbatim if off == 0 else found.exposed.near
    assert np.flatnonzero(marked).tolist() == sorted(rows.tolist())
    assert found.exposed.alone.all() and found.exposed.any.sum() == planted
    assert found.exposure_verdict == found.verdict == INADEQUATE
    # The distributions alone let all of them pass: the margin is five in a hundred.
    assert INADEQUATE not in {one.verdict for one in found.comparisons}
    said = " ".join(found.exposed.sentences)
    assert f"{planted} original" in said and ("1 originals" not in said)


def test_a_copy_that_is_nearer_than_anybody_counts_where_many_are():
    rng = np.random.default_rng(5)
    original, released = people(rng, 1_000), people(rng, 1_000)
    reference = disclosure_risk(original, released).reference.distance
    # Nearer than any other, but not by much: sixty of them are beyond chance, one is not.
    step = 0.7 * reference.min() * np.sqrt(5) * np.eye(5)[0]
    for planted, expected in ((1, 0), (60, 60)):
        copied = released.copy()
        copied[:planted] = original[:planted] + step
        found = disclosure_risk(original, copied).exposed
        assert found.nearer == pytest.approx(expected, abs=1)


@pytest.mark.parametrize("kind", ["continuous", "mixed", "heavy"])
@pytest.mark.parametrize("sampled", [False, True])
def test_records_of_other_people_expose_nobody(kind, sampled):
    rng = np.random.default_rng(11)

    def draw():
        values = people(rng, 400, 4)
        if kind == "mixed":
            values[:, :2] = np.sign(values[:, :2])
        return np.exp(values) if kind == "heavy" else values

    wrong = sum(
        disclosure_risk(draw(), draw(), draw() if sampled else None).exposure_verdict != ADEQUATE
        for _ in range(30)
    )
    assert wrong <= 3


@pytest.mark.slow
def houses(rng):
    """Five hundred homes that keep off each other."""
    at = rng.permutation(np.argwhere(np.ones((40, 40))))[:500]
    return at + rng.uniform(-0.2, 0.2, at.shape)


@pytest.mark.parametrize("planted", [0, 40])
def test_houses_keep_off_each_other_and_released_points_do_not_have_to(planted):
    """Without others to compare with, that records come nearer than neighbours do is no leak yet."""
    listed = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        original = houses(rng)
        released = houses(rng)[rng.integers(0, 500, 500)] + rng.normal(0, 2, (500, 2))
        released[:planted] = original[:planted] + rng.normal(0, 0.02, (planted, 2))
        found = disclosure_risk(original, released, None)
        listed.append(found.exposed.near.sum())
    if planted:
        assert np.mean(np.array(listed) >= planted) >= 0.9, listed
    else:
        assert np.sum(np.array(listed) > 2) <= 2, listed


def test_coincidences_with_a_common_combination_are_no_leak():
    rng = np.random.default_rng(2)
    draw = lambda: rng.integers(0, 2, (600, 4)) * 2.0 - 1.0  # noqa: E731
    for _ in range(10):
        found = disclosure_risk(draw(), draw())
        assert found.exposed.count == 600 == found.exposed.expected
        assert found.exposure_verdict == ADEQUATE and not found.exposed.any.any()
        assert "as often" in " ".join(found.exposed.sentences)


def test_whoever_is_alone_among_common_ones_is_listed():
    rng = np.random.default_rng(3)
    original = rng.integers(0, 2, (600, 4)) * 2.0 - 1.0
    original[:40, 0] = np.arange(40) + 5.0
    released = np.vstack([original[:40], rng.integers(0, 2, (560, 4)) * 2.0 - 1.0])
    found = disclosure_risk(original, released)
    assert found.exposed.unique == 40 and found.exposure_verdict == INADEQUATE
    assert found.exposed.any[:40].all()


@pytest.mark.parametrize("planted, verdict", [(1, ADEQUATE), (9, INADEQUATE)])
def test_none_of_few_possible_coincidences_in_the_reference_is_no_proof(planted, verdict):
    """One is expected by chance, which the number of people who differ in one field tells."""
    grid = np.stack(np.meshgrid(*[np.arange(8.0)] * 3), axis=-1).reshape(-1, 3)
    rng = np.random.default_rng(8)
    original = grid[rng.choice(512, 25, replace=False)]  # no two the same, by luck
    others = grid[rng.choice(512, 25 - planted, replace=False)]
    found = disclosure_risk(original, np.vstack([original[:planted], others]))
    assert found.exposed.expected == 0 < found.exposed.count and found.exposed.by_chance
    assert found.exposure_verdict == verdict


def categories(seed, count=500, fields=16, kinds=4):
    """People of whom two fields in three go together."""
    rng = np.random.default_rng([seed, 5])
    hidden = rng.normal(size=(count, 3))
    drawn = [hidden[:, at % 3] + rng.normal(size=count) for at in range(fields)]
    return (
        np.stack([np.searchsorted(np.linspace(-1, 1, kinds), one) for one in drawn], axis=1) * 1.0
    )


def test_categories_of_other_people_expose_nobody_by_steps_of_distance_or_coincidence():
    told = [
        disclosure_risk(
            *(categories(3 * seed + at, 300, 12, 2 + seed % 3) for at in range(3))
        ).exposure_verdict
        for seed in range(12)
    ]
    assert told.count(ADEQUATE) >= 11


def test_a_copy_of_a_rare_combination_is_no_coincidence():
    """Others coincide here; who has a value of her own does not."""
    people_, others = categories(1, 300, 14, 2), categories(2, 300, 14, 2)
    people_[5, :3] = 7.0
    released = categories(3, 300, 14, 2)
    assert disclosure_risk(people_, released, others).exposure_verdict == ADEQUATE
    released[9] = people_[5]
    found = disclosure_risk(people_, released, others)
    assert found.exposed.any[5] and found.exposure_verdict != ADEQUATE


# --- the digits that a release has --------------------------------------------------------------


@pytest.mark.parametrize(
    "way",
    [
        np.round,
        lambda x, d: np.floor(x * 10**d + 0.5) / 10**d,
        lambda x, d: np.trunc(x * 10**d) / 10**d,
    ],
)
@pytest.mark.parametrize("decimals", [1, 0])
def test_rounded_copies_are_copies(way, decimals):
    rng = np.random.default_rng(4)
    names = ["height", "income", "score"]
    values = np.round(people(rng, 500, 3) * [90, 300, 40] + [170, 2_000, 400], 2)
    values[:20, 0] = np.arange(20) + 150.25
    values[:20, 1] += 0.5 - values[:20, 1] % 1  # halves, which are rounded in two ways
    other = np.round(people(rng, 500, 3) * [90, 300, 40] + [170, 2_000, 400], 2)
    released = way(other, decimals)
    released[:30] = way(values[:30], decimals)
    tables = [dict(zip(names, one.T)) for one in (values, released)]
    kinds = dict(height="continuous", income="continuous", score="continuous")
    coding = learn_coding(tables[0], kinds)
    coded = [coding.encode(one)[0] for one in tables]
    found = disclosure_risk(
        *coded, variants=as_released(coding, *tables), blocks=coding.blocks
    ).exposed
    assert found.verbatim[:30].all() and found.count <= 35
    assert found.too_many and found.unique >= 25
    plain = disclosure_risk(*coded).exposed
    assert plain.count < 10  # without the rounding hardly anybody is the same


def test_text_and_missing_values_are_compared_too():
    rng = np.random.default_rng(6)
    table = {
        "size": np.where(rng.random(300) < 0.1, np.nan, np.round(rng.normal(size=300), 3)),
        "job": rng.choice(["a", "b", "c", None], 300).astype(object),
    }
    coding = learn_coding(table, {"size": "continuous", "job": "categorical"})
    released = {"size": table["size"][:50], "job": table["job"][:50]}
    coded = coding.encode(table)[0], coding.encode(released)[0]
    found = exposed(
        as_released(coding, table, released), coded[1], *np.full((2, 300), 9.0), coding.blocks
    )
    keys = [(np.nan_to_num(s, nan=-99.0), j) for s, j in zip(table["size"], table["job"])]
    assert found.verbatim.tolist() == [key in keys[:50] for key in keys]


@pytest.mark.parametrize("times", [1, 3])
def test_a_copy_of_the_originals_is_no_reference(rng, times):
    original = people(rng, 60)
    sample = np.concatenate([original, *(people(rng, 60) for _ in range(times - 1))])
    away = np.full(60, 1.0)
    with pytest.raises(InputError, match="60 have exactly one twin"):
        exposed([(original, sample)], original, away, away)


@pytest.mark.parametrize("size", [40, 400, 4_000, 40_000])
def test_other_people_are_a_reference_however_many_they_are(rng, size):
    def draw(count):
        return np.minimum(rng.geometric(0.05, (count, 1)), 200).astype(float)

    original = draw(400)
    away = np.full(400, 1.0)
    alone = exposed([(original, draw(size))], draw(400), away, away).alone
    assert alone.sum() >= 15
