# SPDX-License-Identifier: GPL-2.0-or-later
"""Noise with the covariances of the data hides nobody where all components count alike."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.microdata.attacks.membership import by_fields
from geoanon_qgis.core.microdata.attacks.whitened import by_components
from tests.core.test_microdata_attacks import tables_of

COLUMNS = 16


def months(rng, count):
    """Numbers of which nearly all is the same."""
    values = rng.normal(0, 5, (count, 1)) + rng.normal(size=(count, COLUMNS))
    return {f"m{at}": values[:, at].round(2) for at in range(COLUMNS)}


def with_noise(table, ratio, rng):
    """Noise with the covariances of the data; the variances are those of the data again."""
    values = np.stack(list(table.values()), axis=1)
    noise = rng.multivariate_normal(np.zeros(COLUMNS), np.cov(values.T), len(values))
    mean = values.mean(axis=0)
    made = mean + (rng.permutation(values + ratio * noise) - mean) / np.sqrt(1 + ratio**2)
    return dict(zip(table, made.round(2).T))


@pytest.mark.parametrize("with_reference", [True, False])
@pytest.mark.parametrize("ratio", [0.3, 0.8])
def test_noise_with_the_covariances_of_the_data_hides_nobody(rng, with_reference, ratio):
    original, reference, others = (months(rng, 800) for _ in range(3))
    for released, leaks in ((original, True), (others, False)):
        released = with_noise(released, ratio, rng)
        tables = tables_of(original, released, reference if with_reference else None)[0]
        attacks = by_components(tables)
        assert len(attacks) == 1 + with_reference
        assert any(one.is_sure(0.09, 3.3) for one in attacks) == leaks
        assert all(one.of_some != with_reference for one in attacks)
        if leaks and ratio > 0.5:
            assert not by_fields(tables, list(original))[0].is_sure(0.09, 3.3)


def test_sums_and_twins_of_numbers_are_no_components(rng):
    """What rounding leaves of a sum is as unlike in every file."""
    files = [months(rng, 600) for _ in range(3)]
    for one in files:
        one["sum"] = np.sum(list(one.values()), axis=0).round(2)
        one["twin"] = one["m0"].copy()
    for one in by_components(tables_of(*files)[0]):
        assert not one.is_sure(0.09, 3.3) and one.excess()[1] <= 0.09


def test_numbers_that_do_not_go_together_are_left_to_the_distance_itself(rng):
    made = [{f"v{at}": rng.normal(size=500) for at in range(5)} for _ in range(3)]
    assert by_components(tables_of(*made)[0]) == []
    made = [months(rng, 500) for _ in range(3)]
    assert by_components(tables_of(*made)[0], ["m1", "m2"]) == []
    assert len(by_components(tables_of(*made)[0], ["m1", "m2", "m3"])) == 2


def test_a_release_that_is_the_same_for_all_tells_nobody(rng):
    original, reference = months(rng, 300), months(rng, 300)
    released = {name: np.full(300, values[0]) for name, values in original.items()}
    assert by_components(tables_of(original, released, reference)[0]) == []


@pytest.mark.parametrize("with_reference", [True, False])
def test_progress_only_rises_and_comes_to_its_end(rng, with_reference):
    files = [months(rng, 400) for _ in range(3 if with_reference else 2)]
    told = []
    by_components(tables_of(*files)[0], progress=told.append)
    assert told == sorted(told) and told[-1] == pytest.approx(1.0)
