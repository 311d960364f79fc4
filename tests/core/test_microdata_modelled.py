# SPDX-License-Identifier: GPL-2.0-or-later
"""What a release keeps of people in components and residuals is found, though no field of it is true."""

import numpy as np
import pytest
from scipy.stats import norm

from geoanon_qgis.core.microdata.attacks.density import membership_by_density
from geoanon_qgis.core.microdata.attacks.modelled import nearly_modelled
from geoanon_qgis.core.microdata.attacks.together import together
from geoanon_qgis.core.runtime.errors import Cancelled
from tests.core.test_microdata_attacks import tables_of

COUNT = 1000
LOADINGS = np.random.default_rng(0).normal(size=(4, 10))


def table(values):
    return {f"v{at}": one.round(3) for at, one in enumerate(values.T)}


def readings(rng):
    """Ten numbers of four causes."""
    return rng.normal(size=(COUNT, 4)) @ LOADINGS + 0.7 * rng.normal(size=(COUNT, 10))


def first_components(rng, own, kept=4, noise=0.1):
    """The first principal components of people, the others dealt out."""
    middle = own.mean(axis=0)
    axes = np.linalg.svd(own - middle, full_matrices=False)[2].T
    along = (own - middle) @ axes
    hers = along[:, :kept] + noise * along[:, :kept].std(axis=0) * rng.normal(size=(COUNT, kept))
    dealt = np.stack([rng.permutation(one) for one in along[:, kept:].T], axis=1)
    return rng.permutation(np.hstack([hers, dealt]) @ axes.T + middle)


def patients(rng):
    """Numbers that age, sex and job let expect, for the most part."""
    sex, job = rng.choice([*"fm"], COUNT), rng.choice([*"abcd"], COUNT)
    age = rng.normal(size=COUNT)
    usual = np.outer(age, [1, -1, 1.5, 0.5, -1.5]) + 1.5 * (sex == "f")[:, None]
    usual += np.array([-2, 0, 1, 2])[np.searchsorted([*"abcd"], job)][:, None]
    return {"age": age.round(3), "sex": sex, "job": job}, usual, rng.normal(size=(COUNT, 5))


def named(found):
    made, what = found
    told = membership_by_density(made, tuple(one.name for one in made.variables), what=what)
    return told.success - told.control


def test_first_components_are_found_among_those_of_others():
    rng = np.random.default_rng(1)
    own, others, reference = (readings(rng) for _ in range(3))
    steps = []
    tables = tables_of(*map(table, (own, first_components(rng, own), reference)))[0]
    found = nearly_modelled(tables, tables.released, steps.append)
    assert steps == sorted(steps) and steps[-1] <= 1
    said = [str(what) for _, what in found]
    assert "principal components 1, 2, 3, 4 of the numbers in their units" in said
    assert max(map(named, found)) > 0.3
    assert any("principal components" in str(one.knows) for one in together(tables))
    tables = tables_of(*map(table, (own, first_components(rng, others), reference)))[0]
    assert nearly_modelled(tables, tables.released) == []


def test_residuals_of_people_are_found_beside_fields_of_others():
    rng = np.random.default_rng(2)
    (own, usual, hers), (others, theirs, _), (rest, at_rest, left) = (
        patients(rng) for _ in range(3)
    )
    released = {**others, **table(theirs + hers)}
    original, reference = {**own, **table(usual + hers)}, {**rest, **table(at_rest + left)}
    tables = tables_of(original, released, reference)[0]
    found = nearly_modelled(tables, tables.released)
    (left_over,) = (one for one in found if str(one[1]).startswith("what is left of "))
    assert named(left_over) > 0.3 and len(left_over[0].variables) >= 4
    tables = tables_of(original, {**others, **table(theirs + left)}, original)[0]
    assert nearly_modelled(tables, tables.released) == []


def spending(rng):
    """Five totals, divided by three each, and a line of four points for each of three readings."""
    totals = np.exp(6 + 0.5 * rng.normal(size=(COUNT, 5)))
    shares = rng.dirichlet(np.full(3, 1.5), (COUNT, 5))
    line = 15 * (
        rng.normal(size=(COUNT, 3, 1)) + 0.3 * rng.normal(size=(COUNT, 3, 1)) * np.arange(4)
    )
    return totals, shares, line, 7 * rng.normal(size=(COUNT, 3, 4))


def test_totals_divided_as_those_of_others_are_found():
    rng = np.random.default_rng(6)
    (own, divided, *_), (_, theirs, *_), (rest, left, *_) = (spending(rng) for _ in range(3))
    kept = own * np.exp(0.03 * rng.normal(size=own.shape))
    files = [
        table((total[:, :, None] * shares).reshape(COUNT, 15))
        for total, shares in ((own, divided), (kept, theirs), (rest, left))
    ]
    tables = tables_of(*files)[0]
    found = nearly_modelled(tables, tables.released)
    best = max(found, key=named)
    names = [one.name for one in best[0].variables]
    assert names == [f"v{at} + v{at + 1} + v{at + 2}" for at in range(0, 15, 3)]
    assert named(best) > 0.7
    files[1] = table((rest[::-1, :, None] * theirs).reshape(COUNT, 15))
    tables = tables_of(*files)[0]
    assert nearly_modelled(tables, tables.released) == []


def test_deviations_from_lines_of_others_are_found():
    rng = np.random.default_rng(7)
    (*_, line, hers), (*_, others, _), (*_, rest, left) = (spending(rng) for _ in range(3))
    at = np.stack([np.ones(4), np.arange(4)], axis=1)
    own = hers - hers @ (at @ np.linalg.pinv(at)).T
    noise = 0.1 * rng.normal(size=own.shape)
    files = [
        table(one.reshape(COUNT, 12)) for one in (line + hers, others + own + noise, rest + left)
    ]
    tables = tables_of(*files)[0]
    best = max(nearly_modelled(tables, tables.released), key=named)
    assert "v0 − 2 v1 + v2" in str(best[1]) and named(best) > 0.7


@pytest.mark.parametrize("missing", [False, True])
def test_residuals_are_those_of_least_squares(missing):
    rng = np.random.default_rng(3)
    (own, usual, hers), (others, theirs, _), (rest, at_rest, left) = (
        patients(rng) for _ in range(3)
    )
    files = [
        {**own, **table(usual + hers)},
        {**others, **table(theirs + hers)},
        {**rest, **table(at_rest + left)},
    ]
    if missing:
        for one in files:
            one["v1"] = np.where(np.arange(COUNT) % 10, one["v1"], np.nan)
    tables = tables_of(*files)[0]
    found = nearly_modelled(tables, tables.released)
    made, names = next(
        (made, str(what)[len("what is left of ") :].split(" once")[0].split(", "))
        for made, what in found
        if str(what).startswith("what is left of")
    )

    def coded(file):
        fields = []
        for name, values in file.items():
            if values.dtype.kind != "f":
                fields += [values == kind for kind in np.unique(values)[1:]]
                continue
            known = np.concatenate([files[0][name], files[2][name]])
            known = known[~np.isnan(known)]
            rank = (
                (known < values[:, None]).sum(axis=1) + (known <= values[:, None]).sum(axis=1)
            ) / 2
            score = np.clip(norm.ppf((rank + 0.5) / (len(known) + 1)), -3.5, 3.5)
            fields.append(np.where(np.isnan(values), np.nan, score))
        return np.stack(fields, axis=1).astype(float)

    design = [coded(one) for one in files]
    middle = np.nanmean(design[1], axis=0)
    asked, learnt = (np.where(np.isnan(one), middle, one) - middle for one in design[:2])
    columns = [name for name, v in files[0].items() if v.dtype.kind == "f"]
    at_column = {"age": 0, **{name: 5 + at for at, name in enumerate(columns[1:])}}
    assert design[0].shape[1] == 10
    for at, name in enumerate(names):
        column = at_column[name]
        others = np.delete(learnt, column, axis=1)
        fit = np.linalg.lstsq(others, learnt[:, column], rcond=None)[0]
        left = asked[:, column] - np.delete(asked, column, axis=1) @ fit
        there = ~np.isnan(files[0][name])
        values = made.original[:, 2 * at]
        assert np.corrcoef(values[there], left[there])[0, 1] > 1 - 1e-9
        assert (made.original[:, 2 * at + 1] > 0).tolist() == (~there).tolist()


def test_of_many_categories_the_commonest_are_known():
    rng = np.random.default_rng(8)
    own, others, reference = (readings(rng) for _ in range(3))
    files = [table(one) for one in (own, first_components(rng, own, noise=0.05), reference)]
    for one in files:
        one["town"] = rng.integers(0, 400, COUNT).astype(str)
    tables = tables_of(*files)[0]
    assert max(map(named, nearly_modelled(tables, tables.released))) > 0.3


def test_few_people_or_numbers_tell_of_no_model():
    rng = np.random.default_rng(4)
    own = table(readings(rng)[:, :2])
    assert nearly_modelled(tables_of(own, own, own)[0], tables_of(own, own)[0].released) == []
    wide = table(readings(rng)[:40])
    assert nearly_modelled(tables_of(wide, wide, wide)[0], tables_of(wide, wide)[0].released) == []
    own = table(readings(rng))
    tables = tables_of(own, own)[0]
    assert nearly_modelled(tables, tables.released) == []


def test_a_search_through_models_is_left_when_it_is_cancelled():
    rng = np.random.default_rng(5)
    own, reference = readings(rng), readings(rng)
    tables = tables_of(*map(table, (own, own, reference)))[0]

    def cancel(done):
        if done > 0.1:
            raise Cancelled()

    with pytest.raises(Cancelled):
        nearly_modelled(tables, tables.released, cancel)
