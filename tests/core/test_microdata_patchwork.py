# SPDX-License-Identifier: GPL-2.0-or-later
"""People are found of whom half of a record is theirs, be it another half of each record."""

import numpy as np
import pytest
from scipy.stats import norm

from geoanon_qgis.core.microdata.attacks.patchwork import by_patches, is_too_large
from geoanon_qgis.core.runtime.errors import Cancelled
from tests.core.test_microdata_attacks import tables_of

COUNT = 400


def people(rng, count=COUNT):
    numbers = rng.normal(size=(count, 9)) + 0.6 * rng.normal(size=(count, 1))
    table = {f"v{at}": one.round(3) for at, one in enumerate(numbers.T)}
    for name, kinds in (("job", [*"abcdefgh"]), ("town", [*"klmnop"]), ("sex", [*"fm"])):
        table[name] = rng.choice(kinds, count)
    return table


def patched(rng, own, others, share=0.5, noise=0.05):
    out = {}
    for name, values in own.items():
        if values.dtype.kind == "f":
            values = values + rng.normal(0, noise, len(values))
        out[name] = np.where(rng.random(len(values)) < share, values, others[name])
    order = rng.permutation(COUNT)
    return {name: one[order] for name, one in out.items()}


def test_who_has_half_of_a_record_is_named_and_others_are_not():
    rng = np.random.default_rng(31)
    own, others, reference = (people(rng) for _ in range(3))
    found = by_patches(tables_of(own, patched(rng, own, others), reference)[0])
    assert len(found) == 2 and min(one.success - one.control for one in found) > 0.3
    assert all(one.control < 0.12 and not one.of_some for one in found)
    honest = by_patches(tables_of(own, others, reference)[0])
    assert max(one.success for one in honest) < 0.12


@pytest.mark.parametrize("missing", [False, True])
def test_odds_are_those_of_a_loop(missing):
    """Whoever is named has a record that fits better than any of who is not."""
    rng = np.random.default_rng(32)
    own, others, reference = (
        {name: one[:60] for name, one in people(rng).items() if name in ("v0", "v1", "v2", "job")}
        for _ in range(3)
    )
    released = {name: np.where(np.arange(60) % 3, own[name], others[name]) for name in own}
    if missing:
        for table in (own, released, reference):
            table["v1"] = np.where(np.arange(60) % 7, table["v1"], np.nan)
    found = by_patches(tables_of(own, released, reference)[0])[0]
    everybody = {name: np.concatenate([own[name], reference[name]]) for name in own}

    def score(name, value):
        known = everybody[name][~np.isnan(everybody[name])]
        rank = ((known < value).sum() + (known <= value).sum()) / 2
        return norm.ppf((rank + 0.5) / (len(known) + 1))

    def fit(person):
        odds = np.zeros(60)
        for at in range(60):
            for name in own:
                mine, theirs = own[name][person], released[name][at]
                if name == "job":
                    often = everybody[name]
                    kinds = np.unique([*often, *released[name]])
                    rare = (len(often) + len(kinds) / 2) / ((often == theirs).sum() + 0.5)
                    likelier = rare if mine == theirs else 0.0
                elif np.isnan(mine) or np.isnan(theirs):
                    likelier = 1.0
                else:
                    mine, theirs = score(name, mine), score(name, theirs)
                    likelier = norm.pdf(mine - theirs, 0, 0.1) / norm.pdf(theirs)
                odds[at] += np.log(0.5 * likelier + 0.5)
        return np.log(np.exp(odds).sum())

    fits = np.array([fit(one) for one in range(60)])
    left = np.delete(np.arange(60), found.rows)
    assert len(found.rows) > 5 and fits[found.rows].min() >= fits[left].max() - 1e-9


def test_without_a_reference_or_of_few_fields_there_is_none():
    rng = np.random.default_rng(33)
    own, others = people(rng), people(rng)
    assert by_patches(tables_of(own, others)[0]) == []
    some = [{name: one[name] for name in ("v0", "v1", "job")} for one in (own, others, own)]
    assert by_patches(tables_of(*some)[0]) == []
    tables = tables_of(own, others, people(rng))[0]
    assert by_patches(tables, ["v0", "v1", "job"]) == []
    assert len(by_patches(tables, ["v0", "v1", "v2", "job"])) == 2


def test_of_a_large_file_a_sample_is_asked_and_says_only_whom_it_finds(monkeypatch):
    rng, steps = np.random.default_rng(34), []
    tables = tables_of(*(people(rng) for _ in range(3)))[0]
    monkeypatch.setattr("geoanon_qgis.core.microdata.attacks.patchwork._WORK", 12 * 2 * COUNT * 150)
    found = by_patches(tables, progress=steps.append)
    assert [(one.tried, one.of_some) for one in found] == [(150, True)] * 2
    assert steps == sorted(steps) and 0 <= steps[0] and steps[-1] == 1

    def stop(_):
        raise Cancelled

    with pytest.raises(Cancelled):
        by_patches(tables, progress=stop)

    monkeypatch.setattr("geoanon_qgis.core.microdata.attacks.patchwork._WORK", 12 * 2 * COUNT * 50)
    assert by_patches(tables) == [] and is_too_large(tables)
