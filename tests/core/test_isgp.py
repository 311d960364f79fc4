# SPDX-License-Identifier: GPL-2.0-or-later
"""ISGP: label sets, the lens of two discs, and what an adversary makes of them."""

from dataclasses import replace

import numpy as np
import pytest

from geoanon_qgis.core.attacks.by_name import STRONGEST, Search, attack_by
from geoanon_qgis.core.attacks.linkage.compatibility import AbsoluteTolerance
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.shared_labels import IntersectingSets
from geoanon_qgis.core.attacks.maps.local_maps import local_maps
from geoanon_qgis.core.distances.isgp import (
    LabelSets,
    label_sets,
    lens_distance,
    radius_for,
    shared_pairs,
)
from geoanon_qgis.core.distances.isgp_accuracy import near_accuracy
from geoanon_qgis.core.distances.isgp_grid import SecretGrid
from geoanon_qgis.core.distances.isgp_matrix import censored_matrix
from geoanon_qgis.core.distances.neighbourhoods import drawn, neighbourhoods, pieces
from geoanon_qgis.core.distances.scaling import procrustes
from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.core.space.metrics import metric_for
from geoanon_qgis.core.space.planes import working_plane


def places(count=60, seed=1, size=5_000.0):
    return np.random.default_rng(seed).uniform(0, size, (count, 2)) + (4e5, 3e5)


def grid_of(radius=1000.0, spacing=100.0, seed=2):
    return SecretGrid.draw(radius, spacing, np.random.default_rng(seed))


def rule_of(xy, radius=1000.0):
    return IntersectingSets(radius, radius / 10, working_plane(xy, None))


def test_a_radius_from_the_data_tells_half_of_the_places_their_nearest():
    xy = np.random.default_rng(5).uniform(0, 10_000, (300, 2))
    radius = radius_for(xy)
    apart = np.linalg.norm(xy[:, None] - xy, axis=2)
    others = (apart <= 2 * radius).sum(axis=1) - 1
    assert 0.4 < np.mean(others >= 10) < 0.6
    assert float(f"{radius:.1e}") == radius
    assert radius_for(xy[:2]) == pytest.approx(apart[0, 1] / 2, rel=0.06)
    with pytest.raises(InputError, match="too many of them are one place"):
        radius_for(np.ones((30, 2)))


def test_sets_hold_all_grid_points_within_the_radius_and_no_other():
    xy, grid = places(12, size=400.0), grid_of(300.0, 70.0)
    sets = label_sets(xy, grid)
    side = np.arange(-12_000, 12_001)
    low, high = grid.cells(xy).min(axis=0) - 10, grid.cells(xy).max(axis=0) + 10
    rows, columns = (side[(side >= a) & (side <= b)] for a, b in zip(low, high))
    cells = np.stack(np.meshgrid(rows, columns, indexing="ij"), axis=-1).reshape(-1, 2)
    off = np.linalg.norm(xy[:, None] - grid.places(cells), axis=2)
    labels = grid.labels(cells)
    for number in range(len(xy)):
        mine = sets.labels[sets.member[sets.start[number] : sets.start[number + 1]]]
        assert set(mine.tolist()) == set(labels[off[number] <= 300.0].tolist())
        assert (np.diff(mine.astype(float)) > 0).all()


def lens_share(distance, radius):
    """Area that two discs share, as a share of one."""
    angle = 2.0 * np.arccos(np.clip(distance / (2.0 * radius), 0.0, 1.0))
    return (angle - np.sin(angle)) / np.pi


def test_the_lens_agrees_with_points_counted_and_its_inverse_gives_the_distance_back():
    rng = np.random.default_rng(3)
    disc = rng.uniform(-1, 1, (400_000, 2))
    disc = disc[(disc**2).sum(axis=1) <= 1]
    for far in (0.0, 0.3, 1.0, 1.7, 2.0, 2.5):
        counted = (((disc - (far, 0)) ** 2).sum(axis=1) <= 1).mean()
        assert lens_share(far, 1.0) == pytest.approx(counted, abs=4e-3)
    far = np.r_[0.0, np.geomspace(1e-6, 2.0, 500)] * 750.0
    assert lens_distance(lens_share(far, 750.0), 750.0) == pytest.approx(far, abs=1e-5)
    shares = np.linspace(0, 1, 1001)
    assert (np.diff(lens_distance(shares, 1.0)) < 0).all()
    assert lens_distance(np.array([-0.1, 0.0, 1.0, 1.1]), 1.0).tolist() == [2, 2, 0, 0]


def test_shared_labels_are_those_of_python_sets():
    sets = label_sets(places(40), grid_of())
    number, label = sets.rows()
    held = [set(label[number == one].tolist()) for one in range(len(sets))]
    pairs = shared_pairs(sets, 1000.0)
    expected = {
        (i, j): 2 * len(held[i] & held[j]) / (len(held[i]) + len(held[j]))
        for i in range(40)
        for j in range(i + 1, 40)
        if held[i] & held[j]
    }
    assert list(zip(pairs.first.tolist(), pairs.second.tolist())) == sorted(expected)
    shares = np.array([expected[pair] for pair in sorted(expected)])
    assert lens_share(pairs.distance, 1000.0) == pytest.approx(shares, abs=1e-9)


def test_a_table_of_labels_gives_the_same_pairs():
    sets = label_sets(places(30), grid_of())
    number, label = sets.rows()
    mixed = np.random.default_rng(0).permutation(len(number))
    again = LabelSets.of_rows(number[mixed], label[mixed], 30)
    one, other = shared_pairs(sets, 1000.0), shared_pairs(again, 1000.0)
    assert np.array_equal(one.distance, other.distance)
    assert np.array_equal(one.first, other.first) and np.array_equal(one.second, other.second)


def test_distances_are_accurate_and_none_is_told_beyond_two_radii():
    xy = places(400, size=8_000.0)
    pairs = shared_pairs(label_sets(xy, grid_of()), 1000.0)
    kept = near_accuracy(pairs, xy, working_plane(xy, None))
    assert kept.explained > 0.999 and kept.error < 15 and kept.largest < 100
    assert kept.nearest_kept > 0.8
    true = np.linalg.norm(xy[:, None] - xy, axis=2)
    near = np.triu(true < 1850, 1)
    assert near[pairs.first, pairs.second].sum() == near.sum()
    assert (true[pairs.first, pairs.second] < 2000).all()
    assert sum(band.pairs for band in kept.bands) == len(pairs)


def test_people_at_one_place_are_no_distance_apart_and_places_that_come_later_fit():
    xy, grid = places(10), grid_of()
    pairs = shared_pairs(label_sets(xy[[0, 0, 1]], grid), 1000.0)
    assert pairs.distance[0] == 0
    first, later = (dict_of(label_sets(some, grid)) for some in (xy[:6], xy[4:]))
    assert first[4] == later[0] and first[5] == later[1]
    other = dict_of(label_sets(xy[:6], grid_of(seed=9)))
    assert not other[4] & first[4]


def dict_of(sets):
    number, label = sets.rows()
    return {one: set(label[number == one].tolist()) for one in range(len(sets))}


def test_nonsense_is_refused():
    for radius, spacing in ((0, 1), (-1, 1), (np.nan, 1), (10, 0), (10, 11), (10, 0.01)):
        with pytest.raises(InputError):
            grid_of(radius, spacing)
    with pytest.raises(InputError):
        shared_pairs(label_sets(places(3), grid_of()), 0.0)
    with pytest.raises(InputError):
        label_sets(np.array([[np.nan, 1.0]]), grid_of())
    xy = places(10)
    labels = ["a"] * 10
    matrix = censored_matrix(shared_pairs(label_sets(xy, grid_of()), 1000.0))
    with pytest.raises(InputError):
        local_maps(
            Files(labels, matrix, labels, xy, metric_for("planar", None), AbsoluteTolerance(5.0)),
            rng=np.random.default_rng(0),
        )


def test_maps_of_neighbourhoods_are_those_of_the_places():
    xy = places(120, size=4_000.0)
    xy[60:] += 50_000.0
    pairs = shared_pairs(label_sets(xy, grid_of()), 1000.0)
    maps = neighbourhoods(pairs)
    assert sorted(len(one.records) for one in maps) == [60, 60]
    for one in maps:
        assert procrustes(one.xy, xy[one.records])[1] < 30
        assert one.misfit < 20


def test_a_map_that_winds_does_not_bend():
    rng = np.random.default_rng(0)
    angle, far = rng.uniform(0, 1.7 * np.pi, 220), rng.uniform(4_000, 5_500, 220)
    xy = np.stack([far * np.cos(angle), far * np.sin(angle)], axis=1)
    pairs = shared_pairs(label_sets(xy, grid_of(600.0, 60.0)), 600.0)
    (one,) = neighbourhoods(pairs)
    # Along the chains alone it is 3 km off: shortest paths are longer than what lies between.
    assert len(one.records) == 220 and procrustes(one.xy, xy)[1] < 600


def test_pieces_of_a_map_overlap_and_lie_right():
    xy = places(200, size=10_000.0)
    pairs = shared_pairs(label_sets(xy, grid_of()), 1000.0)
    (one,) = neighbourhoods(pairs)
    cut = pieces(pairs, one.records, 4_000.0)
    sizes = [len(some) for some in cut]
    assert sizes == sorted(sizes, reverse=True) and len(cut) > 3 and max(sizes) < 200
    assert set(np.concatenate(cut).tolist()) == set(one.records.tolist()) and sum(sizes) > 250
    for some in cut[:3]:
        piece = drawn(pairs, some)
        assert (piece.records == some).all()
        assert np.linalg.norm(xy[some] - xy[some[0]], axis=1).max() < 8_100
        assert procrustes(piece.xy, xy[some])[1] < 100
    assert not pieces(pairs, one.records, 1e6)


def files(seed, common, labelled=True, count=80, size=5_000.0):
    """A release of some people, and a register that has some of them, in other order."""
    rng = np.random.default_rng(seed)
    xy = places(2 * count - common, seed, size)
    label = rng.integers(0, 8, len(xy)).tolist() if labelled else ["all"] * len(xy)
    first = rng.permutation(count)
    second = rng.permutation(np.arange(count - common, len(xy)))
    pairs = shared_pairs(label_sets(xy[first], grid_of(seed=seed + 1)), 1000.0)
    row = {one: at for at, one in enumerate(second.tolist())}
    truth = np.array([row.get(one, -1) for one in first.tolist()])
    given = Files(
        [label[one] for one in first],
        censored_matrix(pairs),
        [label[one] for one in second],
        xy[second],
        metric_for("planar", None),
        rule_of(xy),
        1.0,
    )
    return given, truth


@pytest.mark.parametrize("name", ["near_group", "local_maps"])
def test_an_attack_finds_the_people_in_both_files(name):
    given, truth = files(4, common=30)
    found = attack_by(name, given, Search(), np.random.default_rng(0))
    right = truth[found.matches[:, 0]] == found.matches[:, 1]
    assert right.sum() >= 20 and right.mean() >= 0.85
    assert found.support.sum() == pytest.approx(right.sum(), abs=5)


def test_maps_need_no_attributes():
    given, truth = files(5, common=60, labelled=False)
    found = attack_by("local_maps", given, Search(), np.random.default_rng(0))
    right = truth[found.matches[:, 0]] == found.matches[:, 1]
    assert right.sum() >= 40 and right.mean() >= 0.85


@pytest.mark.parametrize("name", ["near_group", "local_maps"])
def test_an_attack_claims_nobody_where_nobody_is_in_both(name):
    given, _ = files(6, common=0)
    found = attack_by(name, given, Search(), np.random.default_rng(0))
    assert len(found.matches) == 0 and found.note


def test_labels_that_no_known_person_has_are_in_nobodys_way():
    given, truth = files(4, common=30)
    labels = [99 if at >= 65 else one for at, one in enumerate(given.target_labels)]
    given = replace(given, target_labels=labels)
    found = attack_by("local_maps", given, Search(), np.random.default_rng(0))
    assert (truth[found.matches[:, 0]] == found.matches[:, 1]).sum() >= 10
    assert (found.matches[:, 0] < 65).all()


def test_links_that_cannot_be_are_refused():
    given, _ = files(7, common=6)
    for links, words in (
        ([(0, 1), (0, 2)], "is in more than one known link"),
        ([(0, 10**6)], "there is no such row"),
    ):
        with pytest.raises(InputError, match=words):
            local_maps(replace(given, known_links=links), rng=np.random.default_rng(0))


def test_known_links_lay_a_map():
    given, truth = files(7, common=6)
    links = [(at, int(truth[at])) for at in np.flatnonzero(truth >= 0)[:3]]
    found = local_maps(replace(given, known_links=links), rng=np.random.default_rng(0))
    right = truth[found.matches[:, 0]] == found.matches[:, 1]
    assert right.sum() >= 5 and right.mean() > 0.5


def test_the_strongest_leaves_out_what_needs_distances_of_all():
    given, _ = files(8, common=20, count=60)
    found = attack_by(STRONGEST, given, Search(), np.random.default_rng(0))
    assert list(found.parts) == ["near_group", "local_maps"]
    assert set(found.left_out) == {"clique", "likelihood", "signatures"}


def test_intervals_hold_the_released_distances():
    xy = places(80)
    rule = rule_of(xy)
    matrix = censored_matrix(shared_pairs(label_sets(xy, grid_of(seed=11)), 1000.0))
    intervals = rule.intervals(xy, metric_for("planar", None), rng=np.random.default_rng(0))
    i, j = np.triu_indices(80, 1)
    assert intervals.holds(matrix.condensed, i, j).mean() > 0.98
    assert (
        0.5 < intervals.inner.holds(matrix.condensed, i, j)[matrix.condensed < 2000].mean() < 0.85
    )


def test_a_small_seed_is_found_by_trying():
    """Why a seed is warned of: one known place is enough to know which one is right."""
    points = np.random.default_rng(5).uniform(0, 2e4, (40, 2))

    def drawn(seed):
        rng = np.random.default_rng(seed)
        rng.permutation(len(points))  # as the release draws its order
        return SecretGrid.draw(1000.0, 200.0, rng)

    released = set(label_sets(points, drawn(321)).labels.tolist())

    def fits(seed):
        grid = drawn(seed)
        cell = np.rint(grid.cells(points[:1])).astype(np.int64)
        return int(grid.labels(cell)[0]) in released

    assert [seed for seed in range(500) if fits(seed)] == [321]


@pytest.mark.parametrize("radius", [1e-300, 1e-20, 1e30, 1e300, float("inf"), float("nan"), 0.0])
def test_a_radius_that_is_no_length_is_refused(radius):
    """Its squares are no numbers, or its grid has more points than numbers count."""
    with pytest.raises(InputError):
        label_sets(places(), grid_of(radius, radius / 10))
    with pytest.raises(InputError):
        shared_pairs(label_sets(places(), grid_of()), 1e300)
