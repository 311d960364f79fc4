# SPDX-License-Identifier: GPL-2.0-or-later
"""Hidden coordinates of embeddings with few sets: found, weighed by their law, and told from others."""

from __future__ import annotations

import itertools
import time
from dataclasses import replace

import numpy as np
import pytest

from geoanon_qgis.core.attacks.linkage import signatures
from geoanon_qgis.core.attacks.linkage.compatibility import DistanceNoise, LipschitzEmbedding
from geoanon_qgis.core.attacks.linkage.embedding_coordinates import recover
from geoanon_qgis.core.attacks.linkage.field_law import FieldLaw
from geoanon_qgis.core.attacks.linkage.field_matching import (
    MOST_PAIRS,
    better_by_fields,
    tells_by_fields,
)
from geoanon_qgis.core.attacks.linkage.field_walk import FieldStart, walked_fields
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.matching_walk import Course
from geoanon_qgis.core.attacks.linkage.own_releases import OwnReleases
from geoanon_qgis.core.attacks.linkage.signature_files import UnderAttack
from geoanon_qgis.core.attacks.linkage.signature_result import SignatureLimits
from geoanon_qgis.core.attacks.linkage.signatures import signature_attack
from geoanon_qgis.core.attacks.linkage.whole_matching import BesideOwn
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.runtime.progress import silent
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

SIDE = 5_000.0
AREA = StudyArea.of_rings([SIDE * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])], None)
PLANAR = metric_for("planar", None)
NO_LINKS = np.zeros((0, 2), dtype=np.int64)


@pytest.fixture(autouse=True)
def as_it_was():
    """Leave numba as it was."""
    before = accel.enabled()
    yield
    accel.set_enabled(before)


def embedding(sets, size, noise=0.0):
    return LipschitzEmbedding(sets, size, AREA, 0.5, 100, noise)


def own(places, sets, size, noise=0.0, **options):
    return OwnReleases(embedding(sets, size, noise), places, PLANAR, **options)


def cancels_after(count, told):
    def progress(fraction):
        told.append((fraction, time.monotonic()))
        if len(told) > count:
            raise Cancelled

    return progress


# --- coordinates -------------------------------------------------------------------------------


@pytest.mark.parametrize("sets, least", [(1, 0.9999), (2, 0.9999), (3, 0.99), (5, 0.9)])
def test_hidden_coordinates_are_found_but_for_order_side_and_shift(sets, least):
    rng = np.random.default_rng(sets)
    places = rng.uniform(0, SIDE, (60, 2))
    fields = own(places, sets, 10).fields(places, sets, rng)
    square = np.abs(fields[:, :, None] - fields[:, None, :]).max(axis=0)
    found, error = recover(square, sets, np.random.default_rng(1))
    assert found.shape == (60, sets) and error < 0.01
    alike = np.abs(np.corrcoef(fields, found.T)[:sets, sets:])
    assert sorted(alike.argmax(axis=1)) == list(range(sets))
    assert alike.max(axis=1).min() >= least, alike
    again = np.abs(found[:, None] - found).max(axis=2)
    assert np.abs(again - square).mean() < 0.01 * square.mean()


def test_where_nobody_is_anywhere_else_there_are_no_coordinates():
    found, error = recover(np.zeros((10, 10)), 3, np.random.default_rng(1))
    assert found.shape == (10, 3) and error == np.inf


def test_distances_of_no_embedding_do_not_fit():
    rng = np.random.default_rng(2)
    noise = np.triu(rng.uniform(0, 1, (40, 40)), 1)
    assert recover(noise + noise.T, 2, rng)[1] > 0.1


def test_who_cancels_while_coordinates_are_sought_is_heard_in_time():
    rng = np.random.default_rng(3)
    square = np.abs(np.subtract.outer(*(rng.normal(size=(2, 100)))))
    told: list[tuple[float, float]] = []
    with pytest.raises(Cancelled):
        recover(square + square.T, 8, rng, cancels_after(200, told))
    fractions, when = np.array(told).T
    assert (np.diff(fractions) >= 0).all() and fractions[-1] < 0.3
    assert np.diff(when).max() < 0.5


# --- the law of fields -------------------------------------------------------------------------


def test_the_law_is_how_fields_vary_together():
    rng = np.random.default_rng(4)
    places = rng.uniform(0, SIDE, (12, 2))
    made = own(places, 3, 5, 100.0)
    law = FieldLaw.learnt(made, rng, silent)
    # By the letter: sets and noise of one's own, and the distance to the nearest.
    count = 20_000
    here = places + rng.normal(0, 100, (count, 12, 2))
    sets = rng.uniform(0, SIDE, (count, 5, 2))
    apart = here[:, :, None] - sets[:, None]
    fields = np.hypot(apart[..., 0], apart[..., 1]).min(axis=2)
    spread = fields.std(axis=0)
    assert law.mean == pytest.approx(fields.mean(axis=0), abs=0.08 * spread.mean())
    expected = np.cov(fields.T) / np.outer(spread, spread)
    assert law.covariance / np.outer(spread, spread) == pytest.approx(expected, abs=0.12)
    mean, covariance, precision = law.of(3)
    assert mean.shape == (15,) and (mean[12:] == law.stranger).all()
    assert covariance @ precision == pytest.approx(np.eye(15), abs=1e-6)
    assert (np.linalg.eigvalsh(covariance) > 0).all()


def test_strangers_vary_as_those_who_are_made_up():
    rng = np.random.default_rng(5)
    places = rng.uniform(0, SIDE, (15, 2))
    made = own(places, 3, 5)
    law = FieldLaw.learnt(made, rng, silent)
    both = np.array(
        [
            made.fields(np.concatenate([places, made.strangers(2, rng)]), 1, rng)[0]
            for _ in range(3_000)
        ]
    )
    expected = np.cov(both.T)
    size = law.strangers[0]
    assert size == pytest.approx(expected[15, 15], rel=0.15)
    assert law.strangers[1] == pytest.approx(expected[15, 16], abs=0.1 * size)
    assert law.with_stranger == pytest.approx(expected[15, :15], abs=0.15 * size)
    assert law.stranger == pytest.approx(both[:, 15:].mean(), rel=0.05)


def test_only_embeddings_have_fields():
    places = np.random.default_rng(6).uniform(0, SIDE, (20, 2))
    noisy = OwnReleases(DistanceNoise("gaussian", 10.0, 0.5), places, PLANAR)
    assert noisy.sets is None and not tells_by_fields(noisy, 20)
    with pytest.raises(InputError, match="reference sets"):
        noisy.fields(places, 1, np.random.default_rng(1))
    assert own(places, 3, 5, shares=(1.0,)).sets == 6  # two releases, put together
    assert own(places, 3, 5, shares=(0.5,)).sets is None
    assert tells_by_fields(own(places, 3, 5), 20)
    assert tells_by_fields(own(places, 100, 5), 200) and not tells_by_fields(
        own(places, 101, 5), 200
    )
    assert not tells_by_fields(own(places, 3, 5), MOST_PAIRS // 20 + 1)


# --- walks through matchings -------------------------------------------------------------------


def case(records, people, common, sets, seed, links=0):
    """A law, a file drawn from it whose records are of two kinds, and its covariance."""
    rng = np.random.default_rng(seed)
    slots = records + people - common
    root = rng.normal(size=(slots, slots + 3))
    covariance = root @ root.T
    covariance[people:] = covariance[:, people:] = 0
    covariance[range(people, slots), range(people, slots)] = 8.0
    covariance += 50.0
    mean = 2 * rng.normal(size=slots)
    who = np.append(rng.permutation(people)[:common], np.arange(people, slots))
    who = rng.permutation(who)
    fields = rng.multivariate_normal(mean, covariance, size=sets)[:, who]
    kinds = rng.integers(0, 2, slots)
    known = np.flatnonzero(who < people)[:links]
    sure = np.stack([known, who[known]], axis=1)
    file = UnderAttack(np.zeros((records, records)), kinds[who], sure)
    start = FieldStart(fields, file.allowed(kinds[:people]), kinds[:people], sure)
    return mean, covariance, start


def counted(mean, covariance, start, common, temperature):
    """How probable each match is, by all matchings and all sides of fields there are."""
    records, people = start.allowed.shape
    precision = np.linalg.inv(covariance)
    middle = mean[:people].mean()
    centred = start.fields - start.fields.mean(axis=1, keepdims=True)
    worth, matchings = [], []
    for rows in itertools.combinations(range(records), common):
        for some in itertools.permutations(range(people), common):
            pairs = list(zip(rows, some))
            if not all(start.allowed[pair] for pair in pairs):
                continue
            if not all(tuple(link) in pairs for link in start.links.tolist()):
                continue
            rest = [row for row in range(records) if row not in rows]
            seen = [*some, *range(people, len(mean))]
            hidden = [one for one in range(people) if one not in some]
            inverse = np.linalg.inv(covariance[np.ix_(seen, seen)])
            size = np.linalg.slogdet(precision[np.ix_(hidden, hidden)])[1] if hidden else 0.0
            total = 0.0
            for field in centred[:, [*rows, *rest]]:
                both = [sign * field + middle - mean[seen] for sign in (1, -1)]
                total += np.logaddexp(*[-0.5 * one @ inverse @ one / temperature for one in both])
                total -= 0.5 * size
            worth.append(total)
            matchings.append(pairs)
    share = np.exp(np.array(worth) - max(worth))
    found = np.zeros((records, people))
    for one, pairs in zip(share / share.sum(), matchings):
        found[tuple(np.transpose(pairs))] += one
    return found


CASES = [(5, 5, 5, 2, 0), (4, 4, 2, 1, 0), (4, 5, 3, 2, 0), (5, 4, 3, 1, 1), (3, 5, 3, 1, 0)]


@pytest.mark.parametrize("records, people, common, sets, links", CASES)
def test_walks_come_to_what_all_matchings_say(records, people, common, sets, links):
    mean, covariance, start = case(records, people, common, sets, 40 + records, links)
    # So hot that chains go from one side of a field to the other.
    course = Course(8, 80_000 if accel.enabled() else 30_000, 6.0, 2.0)
    rng = np.random.default_rng(7)
    found = walked_fields(mean, np.linalg.inv(covariance), [start], common, course, rng, silent)[0]
    expected = counted(mean, covariance, start, common, 6.0)
    assert found.sum() == pytest.approx(common)
    assert found == pytest.approx(expected, abs=0.04 if accel.enabled() else 0.15)


@pytest.mark.parametrize("records, people, common, sets, links", CASES)
def test_walks_come_to_the_same_counts_without_numba(records, people, common, sets, links):
    """Two files abreast, whose labels and links differ."""
    cases = [case(records, people, common, sets, seed, links) for seed in (60, 61)]
    mean, covariance, _ = cases[0]
    starts = [one[2] for one in cases]
    most = min(common, *(start.most() for start in starts))
    mean, covariance = (np.pad(one, (0, common - most), "edge") for one in (mean, covariance))
    precision = np.linalg.inv(covariance + np.eye(len(covariance)))
    found = []
    for on in (True, False):
        accel.set_enabled(on)
        rng, course = np.random.default_rng(8), Course(3, 3_000, 2.0, 30.0)
        found.append(walked_fields(mean, precision, starts, most, course, rng, silent))
    assert found[0].sum(axis=(1, 2)) == pytest.approx(most)
    for start, often in zip(starts, found[0]):
        assert often[tuple(start.links.T)] == pytest.approx(1.0)
        assert not often[~start.allowed].any()
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("compiled", [True, False])
def test_who_cancels_a_walk_is_heard_in_time(compiled):
    accel.set_enabled(compiled)
    mean, covariance, start = case(60, 60, 60, 3, 9)
    told: list[tuple[float, float]] = []
    with pytest.raises(Cancelled):
        walked_fields(
            mean,
            np.linalg.inv(covariance),
            [start] * 4,
            60,
            Course(6, 120_000, 2.0, 100.0),
            np.random.default_rng(1),
            cancels_after(10, told),
        )
    fractions, when = np.array(told).T
    assert (np.diff(fractions) >= 0).all() and fractions[-1] < 0.05
    assert np.diff(when)[2:].max() < 0.5  # the first compile


# --- whole attacks -----------------------------------------------------------------------------


def attacked(seed, sets=3, count=54, noise=200.0, **options):
    """Right guesses, right claims, claims, and what these promise; everybody is in both."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(0, SIDE, (count, 2))
    kinds = rng.integers(0, 8, count)
    order = rng.permutation(count)
    square = own(places, sets, 10, noise).square(places[order], rng)
    matrix = DistanceMatrix.numbered(square[np.triu_indices(count, 1)])
    rule = embedding(sets, 10, noise)
    given = Files(kinds[order].tolist(), matrix, kinds.tolist(), places, PLANAR, rule)
    found = signature_attack(
        given, common=count, rng=rng, limits=SignatureLimits(releases=3, rounds=2), **options
    )
    right = [int((order[one[:, 0]] == one[:, 1]).sum()) for one in (found.guesses, found.matches)]
    return (*right, len(found.matches), float(found.support.sum()))


def test_who_is_who_is_clearer_by_hidden_coordinates(monkeypatch):
    """So many that chains by pairs are not tried, with seven others of the same labels each."""
    now = np.array([attacked(seed) for seed in range(2)]).sum(axis=0)
    monkeypatch.setattr(signatures, "tells_by_fields", lambda *given: False)
    before = np.array([attacked(seed) for seed in range(2)]).sum(axis=0)
    assert now[0] >= 1.4 * before[0], (now, before)
    guessed, right, claims, promised = now
    assert right >= 0.6 * claims and abs(promised - right) <= 0.2 * claims, now


def test_an_attack_by_hidden_coordinates_is_told_and_stopped():
    told: list[tuple[float, float]] = []
    attacked(4, progress=lambda fraction: told.append((fraction, time.monotonic())))
    fractions = np.array(told)[:, 0]
    assert (np.diff(fractions) >= 0).all() and fractions[-1] == 1.0
    late = int(np.flatnonzero(fractions > 0.9)[0])
    again: list[tuple[float, float]] = []

    def progress(fraction):
        again.append((fraction, time.monotonic()))
        if fraction > 0.9:
            raise Cancelled

    with pytest.raises(Cancelled):
        attacked(4, progress=progress)
    assert again[-1][0] < 1.0 and late < len(told)
    assert np.diff(np.array(again)[:, 1]).max() < 0.5


def test_nothing_is_said_by_coordinates_that_do_not_fit():
    rng = np.random.default_rng(10)
    places = rng.uniform(0, SIDE, (20, 2))
    made, kinds = own(places, 2, 5), np.zeros(20, int)
    noise = np.triu(rng.uniform(0, SIDE, (20, 20)), 1)
    real = UnderAttack(noise + noise.T, kinds, NO_LINKS)
    trial = UnderAttack(made.square(places, rng), kinds, NO_LINKS, np.arange(20))
    files = BesideOwn(made, real, [trial], [], kinds, (20.0, 0.0))
    assert better_by_fields(files, 0.0, rng, silent) is None
    # Nor where there is nothing to hold it against, or it does no better.
    like_own = replace(files, real=trial)
    assert better_by_fields(replace(like_own, trials=[]), 0.0, rng, silent) is None
    assert better_by_fields(like_own, 20.0, rng, silent) is None
    found = better_by_fields(like_own, 0.0, rng, silent)
    assert found is not None and 0 < found.right <= 20


def test_coordinates_less_exact_than_any_of_ones_own_make_nobody_surer():
    """All files of one's own are exact: how exact they are then tells nothing."""
    rng = np.random.default_rng(11)
    places, kinds = rng.uniform(0, SIDE, (30, 2)), np.zeros(30, int)
    made = own(places, 2, 10, 50.0)
    files = [UnderAttack(made.square(places, rng), kinds, NO_LINKS, np.arange(30)) for _ in "abc"]
    blurred = files[0].released
    noise = np.triu(rng.normal(0, 0.004 * blurred.mean(), blurred.shape), 1)
    real = UnderAttack(np.maximum(blurred + noise + noise.T, 0.0), kinds, NO_LINKS)
    beside = BesideOwn(made, real, files[1:], [], kinds, (30.0, 0.0))
    found = better_by_fields(beside, 0.0, np.random.default_rng(1), silent)
    assert found is not None
    assert found.chance.mean() < found.right / 60 + 0.3
