# SPDX-License-Identifier: GPL-2.0-or-later
"""Parts of a map that were moved by their own: against a loop over points, and where nothing is to be found."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.attacks.masks import moved_in_parts
from geoanon_qgis.core.attacks.masks.moved_in_parts import parts_moved

ERROR = 2.0


def town(count, seed, side=3000.0):
    return np.random.default_rng(seed).uniform(0, side, (count, 2)).round(1)


def named_by_a_loop(released, homes):
    """Each point's address by the same rule, without any search tree."""
    found = {}
    near = released[:, None] - released[None]
    order = np.argsort(np.hypot(*np.moveaxis(near, 2, 0)), axis=1)[:, 1:9]
    longest = [np.hypot(*(released[order[at, -1]] - released[at])) for at in range(len(released))]
    reach = np.quantile(longest, 0.9) + ERROR
    for at, point in enumerate(released):
        votes = []
        for home in homes:
            ways = homes - home
            away = np.hypot(*ways.T)
            ways = ways[(away > 0) & (away <= reach)]
            mine = released[order[at]] - point
            gaps = np.hypot(*np.moveaxis(mine[:, None] - ways[None], 2, 0))
            votes.append(int((gaps <= ERROR).any(axis=1).sum()))
        best, second = np.argsort(votes)[::-1][:2]
        if votes[best] >= 4 and 2 * (votes[second] if votes[second] > 1 else 0) <= votes[best]:
            found[at] = homes[best]
    return found


@pytest.mark.parametrize("seed", range(3))
def test_points_name_the_address_that_a_loop_names(seed, monkeypatch):
    monkeypatch.setattr(moved_in_parts, "_ROUNDED", (ERROR,))
    monkeypatch.setattr(moved_in_parts, "_ROUNDED_DISTANCES", ())  # by these more are named
    monkeypatch.setattr(moved_in_parts, "_MOST_NEAR", 10_000)
    monkeypatch.setattr(moved_in_parts, "_FEWEST_NEAR", 10_000)
    homes = town(120, seed)
    rng = np.random.default_rng(seed)
    part = (homes[:80] // 1000 @ [1, 3]).astype(int)
    released = homes[:80] + rng.normal(0, 800, (9, 2))[part]
    wanted = named_by_a_loop(released, homes)
    found = parts_moved(released, homes)
    assert len(wanted) >= 10 and found.named == len(wanted)
    back = found.undone(released)
    for at, home in wanted.items():
        assert np.allclose(back[at], home)


def test_most_are_laid_back_and_none_wrongly():
    homes = town(3000, 7, 20_000.0)
    part = (homes[:1000] // 4000 @ [1, 10]).astype(int)
    shift = np.random.default_rng(8).normal(0, 1500, (part.max() + 1, 2))
    found = parts_moved((homes[:1000] + shift[part]).round(), homes)
    back = found.undone((homes[:1000] + shift[part]).round())
    off = np.hypot(*(back - homes[:1000]).T)
    moved = np.hypot(*(back - (homes[:1000] + shift[part]).round()).T) > 0
    assert found.by_chance == 0 and found.named > 600
    assert moved.sum() >= found.named and (off[moved] < 2.5).mean() > 0.995


@pytest.mark.parametrize("seed", range(5))
def test_where_nothing_was_moved_together_nothing_is_told(seed):
    homes, others = town(1000, seed, 15_000.0), town(1000, 100 + seed, 15_000.0)
    rng = np.random.default_rng(seed)
    assert parts_moved(homes, homes) is None
    assert parts_moved(others, homes) is None
    assert parts_moved(homes + rng.normal(0, 300, homes.shape), homes) is None
    grid = np.unique((homes / 100).round() * 100, axis=0)
    assert parts_moved(grid, np.unique((others / 100).round() * 100, axis=0)) is None
    rows = np.stack(np.meshgrid(np.arange(40) * 6.0, np.arange(20) * 30.0), axis=2).reshape(-1, 2)
    assert parts_moved(rows[rng.random(len(rows)) < 0.5], rows) is None
    assert parts_moved(homes[:8], homes) is None


def test_a_large_map_is_looked_at_in_samples_and_moved_as_a_whole(monkeypatch):
    monkeypatch.setattr(moved_in_parts, "_POINTS", 300)
    monkeypatch.setattr(moved_in_parts, "_WAYS", 40_000)
    homes = town(3000, 9, 20_000.0)
    part = (homes[:, 0] // 5000).astype(int)
    released = homes + np.array([[900, 0], [0, 700], [-800, 300], [500, 500.0]])[part]
    found = parts_moved(released, homes)
    assert len(found.points) == 300 and found.named > 30
    # A point that was not tried goes with the nearest that was, moved if that one is known to be.
    off = np.hypot(*(found.undone(released) - homes).T)
    assert (off < 1e-6).mean() > 0.1


def test_a_cancel_is_heard():
    def stop(fraction):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        parts_moved(town(100, 1), town(100, 1), stop)
