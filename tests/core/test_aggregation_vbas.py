# SPDX-License-Identifier: GPL-2.0-or-later
"""VBAS as a whole: what is released is counted again here, from the records alone."""

from __future__ import annotations

import json
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoanon_qgis.core.aggregation import components, max_p, release, synthetic, vbas
from geoanon_qgis.core.aggregation.equivalence_classes import count_classes
from geoanon_qgis.core.aggregation.evaluation import describe_areas, measure
from geoanon_qgis.core.aggregation.gaps import GapsModel
from geoanon_qgis.core.runtime import packages
from geoanon_qgis.core.runtime.errors import InputError, MissingPackage

LOCATIONS = ("random", "balanced_density", "adc", "least_suppression")
SHARES = {
    "A": {"age": [0.5, 0.3, 0.15, 0.05], "sex": [0.5, 0.5], "house": [0.9, 0.1]},
    "B": {"age": [0.1, 0.1, 0.1, 0.7], "sex": [0.4, 0.6], "house": [0.2, 0.8]},
}


def made(seed, regions=50, people=(0, 30), names=("age", "sex", "house")):
    """Records of made-up regions, some of them of unknown ones."""
    rng = np.random.default_rng(seed)
    recipe = synthetic.recipe(SHARES, names, people)
    group = rng.integers(0, 2, regions)
    residents = synthetic.populations(recipe, regions, rng)
    residents[0] = max(residents[0], 3)
    (chunk,) = synthetic.synthetic_records(recipe, group, residents, rng, 10**9)
    region = np.where(rng.random(len(chunk.region)) < 0.05, -1, chunk.region)
    region[0] = 0
    return rng.random((regions, 2)) * 1000, region, chunk.codes, recipe.categories


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 6),
    st.integers(1, 50),
    st.sampled_from(LOCATIONS),
    st.booleans(),
)
def test_every_released_class_holds_k_records(seed, k, sites, location, shuffled):
    xy, region, codes, categories = made(seed)
    classes = count_classes(region, codes, len(xy), categories)
    if k > classes.records:
        return
    rng = np.random.default_rng(seed)
    result = vbas.vbas(
        classes, xy, k, rng, "fixed", sites=sites, location=location, options={"moves": 300}
    )
    record, area = release.released_records(classes, result, rng if shuffled else None)
    # The independent recount: released columns and the area, nothing else.
    released = Counter(zip(area.tolist(), *(column[record].tolist() for column in codes)))
    assert min(released.values(), default=k) >= k
    assert len(set(record.tolist())) == len(record)
    # Suppressed and released make up the input, and no more than needed was suppressed.
    of_record = result.area_of_region[region]
    everyone = Counter(
        row
        for row, r in zip(zip(of_record.tolist(), *(c.tolist() for c in codes)), region)
        if r >= 0
    )
    suppressed = sum(count for count in everyone.values() if count < k)
    assert result.measures.suppressed == suppressed
    assert len(record) + suppressed + int((region < 0).sum()) == len(region)
    assert result.measures.released == len(record)
    assert sum(released.values()) == len(record)
    assert (area == result.area_of_region[region[record]]).all()
    assert result.areas.suppressed.sum() == suppressed
    assert result.areas.records.sum() == classes.records
    assert result.areas.regions.sum() == len(xy)
    smallest = min(released.values(), default=0)
    assert result.measures.anonymity == smallest


def test_the_measures_are_direct_sums_over_records():
    xy, region, codes, categories = made(5)
    classes = count_classes(region, codes, len(xy), categories)
    k = 4
    result = vbas.vbas(classes, xy, k, np.random.default_rng(1), "fixed", sites=9)
    own = Counter(region[region >= 0].tolist())
    area = result.area_of_region
    in_area = Counter(area[region[region >= 0]].tolist())
    keys = [(area[r], *row) for r, row in zip(region, zip(*(c.tolist() for c in codes))) if r >= 0]
    size = Counter(keys)
    loss = -sum(np.log2(own[r] / in_area[area[r]]) for r in region[region >= 0])
    compactness = sum(np.hypot(*(xy[r] - result.sites[area[r]])) for r in range(len(xy)))
    measures = result.measures
    # Over records: each released one counts the members of its class.
    assert measures.discernibility == sum(size[key] for key in keys if size[key] >= k)
    assert measures.discernibility_full == measures.discernibility + len(keys) * sum(
        size[key] < k for key in keys
    )
    assert measures.entropy_loss == pytest.approx(loss)
    assert measures.compactness == pytest.approx(compactness)
    assert measures.suppressed_share == measures.suppressed / len(keys)
    assert measures.smallest_class == min(size.values())
    for site in range(9):
        members = [count for key, count in size.items() if key[0] == site]
        assert result.areas.classes[site] == len(members)
        assert result.areas.smallest[site] == min(members)
        assert result.areas.smallest_kept[site] == min([m for m in members if m >= k], default=0)
        assert result.areas.suppressed[site] == sum(m for m in members if m < k)


def test_measures_by_hand():
    # Two areas. Left: regions of 3 and 1 records, classes a: 3, b: 1; right: region of 4, a: 4.
    classes = count_classes([0, 0, 0, 1, 2, 2, 2, 2], [[0, 0, 0, 1, 0, 0, 0, 0]], 4)
    xy = np.array([[0.0, 0.0], [3.0, 4.0], [100.0, 0.0], [106.0, 8.0]])
    sites, area = np.array([[0.0, 0.0], [100.0, 0.0]]), np.array([0, 0, 1, 1])
    areas = describe_areas(classes, area, 2, 2)
    measures = measure(classes, xy, sites, area, areas, lambda a, b: 2.0 * np.hypot(*(b - a).T))
    assert (measures.suppressed, measures.released, measures.anonymity) == (1, 7, 3)
    assert measures.smallest_class == 1
    assert measures.compactness == 2.0 * (5 + 10)
    assert measures.discernibility == 9 + 16
    assert measures.discernibility_full == 9 + 16 + 8
    # Three records at 3/4, one at 1/4, four at 4/4.
    assert measures.entropy_loss == pytest.approx(3 * np.log2(4 / 3) + 2)
    assert areas.smallest_kept.tolist() == [3, 4]
    assert areas.suppressed.tolist() == [1, 0]


def test_a_site_that_attracts_nothing_is_told_and_harmless():
    # Regions in a ring around nothing: the medians of cells may be nobody's nearest site.
    xy = np.array([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [9.0, 9.0]])
    classes = count_classes([0, 0, 1, 1, 2, 2, 3, 3], [[0] * 8], 4)
    placement = components.Placement(np.array([[0.0, 0.0], [0.0, 0.0], [9.0, 9.0]]))
    components.LOCATIONS["of this test"] = lambda problem, rng, progress: placement
    try:
        result = vbas.vbas(
            classes, xy, 2, np.random.default_rng(1), "fixed", sites=2, location="of this test"
        )
    finally:
        del components.LOCATIONS["of this test"]
    assert result.areas.regions.tolist() == [3, 0, 1]
    assert result.areas.smallest.tolist() == [6, 0, 2]
    assert result.measures.anonymity == 2
    assert (result.measures.sites, result.measures.areas) == (3, 2)
    assert any("1 site attracts no region" in note for note in result.notes)
    assert any("share their point" in note for note in result.notes)


def test_notes_tell_of_unknown_regions_and_of_limits():
    xy, region, codes, _ = made(6)
    classes = count_classes(region, codes, len(xy))
    result = vbas.vbas(
        classes, xy, 2, np.random.default_rng(1), "gaps_maxcombs", GapsModel(1e-3, 1.0)
    )
    told = " ".join(result.notes)
    assert "there are as many as places" in told and len(result.sites) == len(xy)
    assert f"{int((region < 0).sum()):,} records of unknown regions left out" in told
    assert result.number.sites == classes.records


def test_one_region():
    classes = count_classes([0] * 6, [[0, 0, 0, 1, 1, 2]], 1)
    for location in LOCATIONS:
        result = vbas.vbas(
            classes,
            np.array([[5.0, 5.0]]),
            2,
            np.random.default_rng(1),
            "fixed",
            sites=1,
            location=location,
        )
        assert result.measures.suppressed == 1 and result.measures.entropy_loss == 0


def test_comparison_runs_every_combination_alike():
    xy, region, codes, _ = made(7)
    classes = count_classes(region, codes, len(xy))
    results = vbas.compare(
        classes,
        xy,
        (2, 5),
        np.random.default_rng(1),
        ("gaps_maxcombs", "gaps_entropy"),
        ("random", "balanced_density"),
        GapsModel(20.0, 0.5),
    )
    assert len({len(result.sites) for result in results}) > 1
    assert [(r.k, r.sites_by, r.location) for r in results] == [
        (k, by, where)
        for k in (2, 5)
        for by in ("gaps_maxcombs", "gaps_entropy")
        for where in ("random", "balanced_density")
    ]
    # The same random numbers: only k differs.
    assert (results[0].sites == results[4].sites).all()
    # And those of a single run with the same seed.
    for result in results:
        single = vbas.vbas(
            classes,
            xy,
            result.k,
            np.random.default_rng(1),
            result.sites_by,
            GapsModel(20.0, 0.5),
            location=result.location,
        )
        assert (single.sites == result.sites).all()
    assert results[0].measures.suppressed <= results[4].measures.suppressed
    with pytest.raises(InputError):
        vbas.compare(classes, xy, (), np.random.default_rng(1), ("fixed",), ("random",))


def test_a_search_may_begin_anywhere():
    xy, region, codes, _ = made(8, regions=120, people=(5, 40))
    classes = count_classes(region, codes, len(xy))
    logs = {}
    for seeding in ("random", "balanced_density", "adc"):
        result = vbas.vbas(
            classes,
            xy,
            5,
            np.random.default_rng(1),
            "fixed",
            sites=20,
            location="least_suppression",
            options={"seeding": seeding},
        )
        logs[seeding] = result.log.suppressed[0]
    assert logs["random"] != logs["balanced_density"]
    with pytest.raises(InputError, match="called nowhere"):
        vbas.vbas(
            classes,
            xy,
            5,
            np.random.default_rng(1),
            "fixed",
            sites=5,
            location="adc",
            options={"seeding": "nowhere"},
        )


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"k": 1}, "K is 1"),
        ({"k": 99}, "records only"),
        ({"sites": 4}, "places only"),
        ({"sites": None}, "number of sites"),
        ({"sites_by": "guess"}, "no number of sites called"),
        ({"location": "guess"}, "no location called"),
        ({"construction": "guess"}, "no construction called"),
        ({"evaluation": "guess"}, "no evaluation called"),
        ({"sites_by": "gaps_entropy"}, "GAPS model"),
        ({"xy": np.zeros((2, 2))}, "as many points"),
        ({"xy": np.full((3, 2), np.nan)}, "finite"),
    ],
)
def test_bad_input_is_told(changed, message):
    classes = count_classes([0, 0, 1, 1, 2, 2], [[0] * 6], 3)
    given = {
        "classes": classes,
        "xy": np.array([[0.0, 0], [1, 0], [2, 0]]),
        "k": 2,
        "rng": np.random.default_rng(1),
        "sites_by": "fixed",
        "sites": 2,
    }
    with pytest.raises(InputError, match=message):
        vbas.vbas(**{**given, **changed})


def test_gaps_models_by_name():
    assert vbas.gaps_model("custom", 2, 3) == GapsModel(2.0, 3.0)
    assert vbas.gaps_model("west").a == 1588
    for name, a in (("custom", 1.0), ("north", None)):
        with pytest.raises(InputError):
            vbas.gaps_model(name, a)


def test_release_lookup_by_search_is_that_by_table():
    xy, region, codes, _ = made(9)
    classes = count_classes(region, codes, len(xy))
    result = vbas.vbas(classes, xy, 4, np.random.default_rng(1), "fixed", sites=9)
    by_table = release.release_mask(classes, result)
    assert (release.release_mask(classes, result, most_cells=0) == by_table).all()


# --- Made-up records ------------------------------------------------------------------------------


def test_made_up_records_do_not_depend_on_the_chunks():
    recipe = synthetic.recipe(SHARES, population=(0, 9))
    group = np.array([0, 0, 1, 0, 1, 1, 1])
    residents = np.array([3, 0, 9, 1, 0, 4, 0])
    whole = None
    for chunk in (1, 2, 5, 17, 100):
        pieces = list(
            synthetic.synthetic_records(recipe, group, residents, np.random.default_rng(4), chunk)
        )
        assert all(len(piece.region) <= chunk for piece in pieces)
        region = np.concatenate([piece.region for piece in pieces])
        codes = [np.concatenate(c) for c in zip(*(piece.codes for piece in pieces))]
        assert region.tolist() == np.repeat(np.arange(7), residents).tolist()
        if whole is not None:
            assert all((a == b).all() for a, b in zip(whole, codes))
        whole = codes


def test_made_up_records_follow_the_shares(rng):
    recipe = synthetic.recipe(SHARES, population=(400, 700))
    group = np.repeat([0, 1], 300)
    residents = synthetic.populations(recipe, 600, rng)
    assert residents.min() >= 400 and residents.max() <= 700
    assert abs(residents.mean() - 550) < 15
    counts = {name: np.zeros((2, n)) for name, n in zip(recipe.names, recipe.categories)}
    both = np.zeros((2, 4, 2))
    for chunk in synthetic.synthetic_records(recipe, group, residents, rng, 50_000):
        for name, codes in zip(recipe.names, chunk.codes):
            np.add.at(counts[name], (group[chunk.region], codes), 1)
        np.add.at(both, (group[chunk.region], chunk.codes[0], chunk.codes[1]), 1)
    for row, name in enumerate(SHARES):
        for field, shares in SHARES[name].items():
            assert counts[field][row] / counts[field][row].sum() == pytest.approx(shares, abs=0.01)
        # Independent of each other.
        expected = np.outer(SHARES[name]["age"], SHARES[name]["sex"])
        assert both[row] / both[row].sum() == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: synthetic.recipe({}), "empty"),
        (lambda: synthetic.recipe(SHARES, ()), "at least one"),
        (lambda: synthetic.recipe(SHARES, ("income",)), "no income"),
        (lambda: synthetic.recipe(SHARES, population=(5, 4)), "from 5 to 4"),
        (lambda: synthetic.recipe(SHARES, population=(0, 0)), "from 0 to 0"),
        (lambda: synthetic.recipe({"A": {"x": [1, -1]}}), "numbers from 0"),
        (lambda: synthetic.recipe({"A": {"x": [0, 0]}}), "all zero"),
        (lambda: synthetic.recipe({"A": {"x": [1]}, "B": {"x": [1, 1]}}), "different numbers"),
        (lambda: synthetic.group_rows(synthetic.recipe(SHARES), ["A", "C"]), "shares for C"),
    ],
)
def test_recipes_that_are_none(act, message):
    with pytest.raises(InputError, match=message):
        act()


def test_published_shares_make_a_recipe(checkout):
    path = checkout / ".." / "shared" / "data" / "canada_category_shares_2011.json"
    if not path.exists():
        pytest.skip("the published shares are not beside the checkout")
    shares = json.loads(path.read_text(encoding="utf-8"))["province"]
    recipe = synthetic.recipe(shares, ("age", "sex", "mar", "kol", "hh"))
    assert recipe.categories == (21, 2, 6, 4, 6)


# --- Max-p ---------------------------------------------------------------------------------------


def test_max_p_tells_what_is_missing(monkeypatch, rng):
    monkeypatch.setitem(sys.modules, "spopt", None)
    with pytest.raises(MissingPackage, match="spopt.* Or choose another location"):
        max_p.max_p_regions(rng.random((9, 2)), np.ones(9), 3, rng)


def test_max_p_regions_reach_their_threshold(rng):
    if not packages.find("spopt").usable:
        pytest.skip("spopt, which is optional, is not installed")
    xy, people = rng.random((80, 2)), rng.integers(1, 9, 80)
    area = max_p.max_p_regions(xy, people, 30, rng, iterations=2)
    held = np.bincount(area, weights=people)
    assert len(held) > 3 and held.min() >= 30


def test_medians_by_hand():
    xy = np.array([[0.0, 0], [4, 2], [9, 9], [2, 7]])
    assert max_p.medians(xy, np.array([0, 0, 1, 0])).tolist() == [[2.0, 2.0], [9.0, 9.0]]
