# SPDX-License-Identifier: GPL-2.0-or-later
"""Parts of a map that were turned or reflected: against a loop, planted, and where nothing is to be found."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoanon_qgis.core.attacks.masks import moved_in_parts, turned_in_parts
from geoanon_qgis.core.attacks.masks.at_addresses import AtAddresses
from geoanon_qgis.core.attacks.masks.moved_in_parts import parts_moved
from geoanon_qgis.core.attacks.masks.turned_in_parts import Triangles, complex_ways
from geoanon_qgis.core.space.points import build_tree

ERROR = 2.0


def villages(seed, count=12, each=25):
    """Homes, and the village of each, whose middle is given."""
    rng = np.random.default_rng(seed)
    middle, part = rng.uniform(0, 20_000, (count, 2)), np.repeat(np.arange(count), each)
    return (middle[part] + rng.normal(0, 150, (len(part), 2))).round(1), part, middle


def moved(homes, part, middle, angles, reflected, by):
    """Each part turned about its middle, reflected or not, and moved."""
    at = complex_ways(homes - middle[part])
    at = np.where(reflected[part], at.conj(), at) * np.exp(1j * angles[part])
    return (np.stack([at.real, at.imag], axis=1) + middle[part] + by[part]).round(1)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6), reflect=st.sampled_from(["none", "all", "some"]))
def test_any_movement_of_each_village_is_undone(seed, reflect):
    homes, part, middle = villages(seed)
    rng = np.random.default_rng(seed + 1)
    reflected = {"none": np.zeros(12), "all": np.ones(12), "some": rng.integers(0, 2, 12)}[reflect]
    angles, by = rng.uniform(0.2, 6, 12), rng.uniform(-3000, 3000, (12, 2))
    released = moved(homes, part, middle, angles, reflected.astype(bool), by)
    listed = np.concatenate([homes, villages(seed + 2)[0]])
    order = rng.permutation(len(released))
    found = parts_moved(released[order], listed)
    off = np.hypot(*(found.undone(released) - homes).T)
    # Far from the middle of a part a turn by tenths of degrees is off by more.
    assert found.named > 0.8 * len(homes) and (off < 5).mean() > 0.8
    assert found.by_chance < 0.1 * found.named


@pytest.mark.parametrize("seed", range(3))
def test_hamlets_of_four_homes_are_laid_back(seed):
    homes, part, middle = villages(seed, 60, 4)
    by = np.random.default_rng(seed).uniform(-3000, 3000, (60, 2))
    released = moved(homes, part, middle, np.zeros(60), np.zeros(60, dtype=bool), by)
    found = parts_moved(released, np.concatenate([homes, villages(seed + 10, 60, 4)[0]]))
    off = np.hypot(*(found.undone(released) - homes).T)
    assert found.named > 150 and (off < 5).mean() > 0.6


def test_strangers_among_the_addresses_tell_what_chance_names():
    """The same map is told where those who live at its homes may be in it, and not where they are not."""
    homes, part, middle = villages(3)
    rng, other = np.random.default_rng(4), villages(5)[0]
    angles, by = rng.uniform(0.2, 6, 12), rng.uniform(-3000, 3000, (12, 2))
    released = moved(homes, part, middle, angles, np.zeros(12, dtype=bool), by)
    listed, theirs = np.concatenate([homes, other]), np.arange(600) >= 300
    assert parts_moved(released, listed, strangers=theirs).named > 240
    assert parts_moved(released, listed, strangers=~theirs) is None
    assert parts_moved(released, listed, strangers=rng.random(600) < 0.5) is None


def on_a_grid(rng):
    return np.unique((rng.uniform(0, 10_000, (500, 2)) / 100).round() * 100, axis=0)


def along_streets(rng, streets=20):
    """Three files of houses at regular steps on both sides of streets."""
    made = []
    for _ in range(streets):
        along = np.exp(2j * np.pi * rng.random()) * (np.arange(16) * 20.0)
        start, side = rng.uniform(0, 6000, 2) @ [1, 1j], along[1] / abs(along[1]) * 12j
        made += [start + along + side, start + along - side]
    at = rng.permutation(np.concatenate(made))
    return np.split(np.stack([at.real, at.imag], axis=1)[: 3 * (len(at) // 3)].round(1), 3)


def copies_of_an_estate(rng, copies=30):
    """Three files of houses of estates that were built by one plan."""
    plan, part = rng.uniform(0, 200, (30, 2)), np.repeat(np.arange(copies), 30)
    at = complex_ways(np.tile(plan, (copies, 1))) * np.exp(2j * np.pi * rng.random(copies))[part]
    at = rng.permutation(at + complex_ways(rng.uniform(0, 12_000, (copies, 2)))[part])
    return np.split(np.stack([at.real, at.imag], axis=1).round(1), 3)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    "files",
    [
        lambda rng: [on_a_grid(rng) for _ in range(3)],
        along_streets,
        copies_of_an_estate,
        lambda rng: np.split(rng.permutation(villages(rng.integers(10**6), 30, 30)[0]), 3),
    ],
    ids=["grid", "streets", "estates", "villages"],
)
def test_of_other_people_nothing_is_told(files, seed):
    original, released, reference = files(np.random.default_rng(seed))
    listed, at = np.unique(np.concatenate([original, reference]), axis=0, return_index=True)
    assert parts_moved(released, original) is None
    assert parts_moved(released, listed) is None
    assert parts_moved(released, listed, strangers=at >= len(original)) is None


# --- against a loop ------------------------------------------------------------------------------


def counted_by_a_loop(ways, homes, own=None):
    """Of each point and home the most further neighbours that a movement puts at homes."""
    two = [(a, b) for a in range(4) for b in range(a + 1, 4)]
    reach = np.quantile([abs(row[b]) for row in ways for _, b in two], 0.95) + ERROR
    at, best = complex_ways(homes), np.zeros((len(ways), len(homes)), dtype=int)
    for home in range(len(homes)):
        theirs = at[np.argsort(abs(at - at[home]), kind="stable")[1:]] - at[home]
        one, other = np.triu_indices(len(theirs), 1)
        kept = abs(theirs[other]) <= reach
        a, b = theirs[one[kept]], theirs[other[kept]]
        for point, row in enumerate(ways):
            if own is not None and own[point] == home:
                continue
            for p, q in two:
                gaps = [abs(a) - abs(row[p]), abs(b) - abs(row[q])]
                gaps.append(abs(a - b) - abs(row[p] - row[q]))
                for i in np.flatnonzero(np.sum(np.square(gaps), axis=0) <= ERROR**2):
                    fits = [a[i] * np.conj(w[p]) + b[i] * np.conj(w[q]) for w in (row, row.conj())]
                    mirrored = abs(fits[1]) > abs(fits[0])
                    turn = fits[int(mirrored)] / abs(fits[int(mirrored)])
                    laid = (row.conj() if mirrored else row) * turn
                    near = abs(at[home] + laid[:, None] - at).min(axis=1) < ERROR
                    near[[p, q]] = False
                    best[point, home] = max(best[point, home], near.sum())
    return best


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("itself", [False, True])
def test_points_name_what_a_loop_names(seed, itself, monkeypatch):
    monkeypatch.setattr(turned_in_parts, "_FEWEST_NEAR", 10_000)
    monkeypatch.setattr(turned_in_parts, "_MOST_NEAR", 10_000)
    rng = np.random.default_rng(seed)
    # Where homes lie close, some are named by chance, too.
    homes = rng.uniform(0, 100 if itself else 600, (30, 2)).round(1)
    turn = np.exp(2j)
    at = complex_ways(homes[:20]).conj() * turn
    points = np.stack([at.real, at.imag], axis=1).round(1)
    near = build_tree(points).query(points, k=9)[1][:, 1:]
    ways, own = complex_ways(points[near] - points[:, None]), np.arange(20) if itself else None
    known = Triangles.of(homes, build_tree(homes), 1.5, ERROR)
    found = known.named(ways, lambda fraction: None, own)
    wanted = counted_by_a_loop(ways, homes, own)
    assert (found.rows == np.flatnonzero(wanted.any(axis=1))).all()
    assert (wanted[found.rows, found.homes] == found.further).all()
    ranked = np.sort(wanted[found.rows], axis=1)
    assert (ranked[:, -1] == found.further).all() and (ranked[:, -2] == found.next_best).all()
    sure = found.surely(2)
    assert itself or (np.count_nonzero(sure) > 10 and (found.rows == found.homes)[sure].all())
    if not itself:
        clear = sure & found.reflected
        assert np.allclose(found.turn[clear], turn, atol=0.2) and clear.sum() > 10


@given(seed=st.integers(0, 10**6), count=st.integers(1, 300), error=st.sampled_from([0.3, 2.0]))
@settings(max_examples=30, deadline=None)
def test_places_lie_at_addresses_as_distances_say(seed, count, error):
    rng = np.random.default_rng(seed)
    homes = rng.uniform(-100, 100, (count, 2)) + rng.choice([0, 5e6], 2)
    places = homes[rng.integers(0, count, 200)] + rng.normal(0, error, (200, 2))
    places = np.concatenate([places, homes])
    away = np.hypot(*np.moveaxis(places[:, None] - homes, 2, 0)).min(axis=1)
    lie = AtAddresses.of(homes, build_tree(homes), error).lie(complex_ways(places))
    clear = np.abs(away - error) > 1e-6
    assert (lie == (away < error))[clear].all()


# --- bounded work, and whoever waits -------------------------------------------------------------


def test_of_points_whose_triangles_are_too_much_alike_fewer_are_tried(monkeypatch):
    homes, part, middle = villages(7, 40)
    rng = np.random.default_rng(8)
    angles, by = rng.uniform(0.2, 6, 40), rng.uniform(-3000, 3000, (40, 2))
    released = moved(homes, part, middle, angles, np.zeros(40, dtype=bool), by)
    whole = parts_moved(released, homes)
    monkeypatch.setattr(turned_in_parts, "_ALIKE", 5_000)
    fewer = parts_moved(released, homes)
    assert whole.tried == 1000 and 150 <= fewer.tried < 900
    assert fewer.named > 0.8 * fewer.tried
    # Those that were not tried go with their neighbours.
    assert (np.hypot(*(fewer.undone(released) - homes).T) < 5).mean() > 0.7
    monkeypatch.setattr(turned_in_parts, "_ALIKE", 10)
    assert parts_moved(released, homes) is None


def test_of_a_large_list_a_sample_is_compared(monkeypatch):
    homes, part, middle = villages(9, 40)
    rng = np.random.default_rng(1)
    angles, by = rng.uniform(0.2, 6, 40), rng.uniform(-3000, 3000, (40, 2))
    released = moved(homes, part, middle, angles, np.zeros(40, dtype=bool), by)
    monkeypatch.setattr(turned_in_parts, "_TRIANGLES", 20_000)
    found = parts_moved(released, homes)
    assert 150 < found.named < 400 and found.by_chance < 10


def turned_map():
    homes, part, middle = villages(2, 8)
    angles, by = np.linspace(1, 5, 8), np.full((8, 2), 500.0)
    return moved(homes, part, middle, angles, np.zeros(8, dtype=bool), by), homes


def test_the_bar_only_rises_to_its_end():
    seen = []
    assert parts_moved(*turned_map(), seen.append) is not None
    assert seen == sorted(seen) and seen[-1] == 1.0


@pytest.mark.parametrize(
    "owner, step",
    [
        (moved_in_parts, "_ways"),
        (moved_in_parts, "_chosen"),
        (moved_in_parts._Addresses, "_votes"),
        (moved_in_parts._Addresses, "_ways_of"),
        (moved_in_parts._Chance, "_drawn"),
        (turned_in_parts, "_best"),
        (Triangles, "_offered"),
        (Triangles, "_alike"),
        (Triangles, "_moved"),
        (AtAddresses, "lie"),
    ],
    ids=lambda one: one if isinstance(one, str) else one.__name__.rpartition(".")[2],
)
def test_a_cancel_is_heard_within_a_step(owner, step, monkeypatch):
    """The step does not end before somebody asks whether to go on."""
    started, asked, real = threading.Event(), threading.Event(), getattr(owner, step)

    def endless(*given, **named):
        started.set()
        assert asked.wait(20), "nobody asked while the step went on"
        return real(*given, **named)

    def listen(fraction):
        if started.is_set():
            asked.set()
            raise InterruptedError

    monkeypatch.setattr(owner, step, endless)
    with pytest.raises(InterruptedError):
        parts_moved(*turned_map(), listen)
