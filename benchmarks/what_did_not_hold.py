# SPDX-License-Identifier: GPL-2.0-or-later
"""Places changed before the embedding, in ways that did not hold against the near group.

    python benchmarks/what_did_not_hold.py [--draws 5] [--common 250] [--seed 8000] [wanted ...]

German-like files, 500 + 500 people, 20 sets of 30. People, release and attack are drawn anew in
every draw. The adversary knows the method (Kerckhoffs): what the near group learns of distances
comes from releases that he makes of his people in the same way. In the last row he has worked out
the coarse part of what neighbours share, and takes it from his people's places, too.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from unittest import mock

import _near_files as near_files  # also puts the checkout on the path
import _one_thread  # noqa: F401
import numpy as np

from geoanon_qgis.core.attacks.linkage import near_weights
from geoanon_qgis.core.attacks.linkage.compatibility import LipschitzEmbedding
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.near_group import near_group
from geoanon_qgis.core.distances.comparison import neighbours_kept
from geoanon_qgis.core.distances.exchange import exchange
from geoanon_qgis.core.distances.lipschitz import lipschitz_distances
from geoanon_qgis.core.distances.matrix import DistanceMatrix

SETS, SIZE = 20, 30
#: Waves that a smooth random field is made of (random Fourier features, Rahimi & Recht 2007).
_WAVES = 200
#: Octaves of this length in metres and longer are the coarse ones.
_COARSE = 12_000.0
#: Metres of a degree of latitude.
_DEGREE = 111_195.0
#: A field: the displacement in metres, (n, 2), of places in metres.
Field = Callable[[np.ndarray], np.ndarray]


def smooth(deviation: float, length: float, rng: np.random.Generator) -> Field:
    """Draw a Gaussian random field whose correlation falls like a bell of that length."""
    waves = rng.normal(scale=1 / length, size=(_WAVES, 2))
    phase = rng.uniform(0, 2 * np.pi, _WAVES)
    weight = rng.normal(scale=deviation * np.sqrt(2 / _WAVES), size=(_WAVES, 2))
    return lambda xy: np.cos(xy @ waves.T + phase) @ weight


def octaves(share: float, lengths: np.ndarray, rng: np.random.Generator) -> Field:
    """Fields of lengths that double, each with that share of its length as deviation."""
    fields = [smooth(share * length, length, rng) for length in lengths]
    return lambda xy: sum((field(xy) for field in fields), np.zeros_like(xy))


def doubling(first: float, last: float) -> np.ndarray:
    """Lengths from the first on, each twice the one before, up to the last."""
    return first * 2.0 ** np.arange(int(np.log2(last / first)) + 1)


def noise(deviation: float, xy: np.ndarray, metric, stored, rng) -> np.ndarray:
    """Noise on each place alone."""
    return xy + rng.normal(scale=deviation, size=xy.shape)


def by_density(share: float, xy, metric, stored, rng) -> np.ndarray:
    """Noise of a share of the distance to the third nearest."""
    third = metric.nearest_neighbours(metric.coordinates(stored), 3)[1][:, -1]
    return xy + rng.normal(size=xy.shape) * (share * third)[:, None]


def groups_of(size: int, xy, metric, stored, rng) -> tuple[np.ndarray, np.ndarray]:
    """Group of each place, and the centre of that group."""
    group = exchange(metric.coordinates(stored), metric, size, rng).group
    count = np.bincount(group)
    centre = np.stack([np.bincount(group, axis) / count for axis in xy.T], axis=1)
    return group, centre[group]


def centroids(xy, metric, stored, rng) -> np.ndarray:
    """The centre of the two who live nearest (microaggregation)."""
    return groups_of(2, xy, metric, stored, rng)[1]


def together(size: int, deviation: float, xy, metric, stored, rng) -> np.ndarray:
    """Groups moved as one, and stretched by .7 to 1.4."""
    group, centre = groups_of(size, xy, metric, stored, rng)
    shift = rng.normal(scale=deviation, size=(group.max() + 1, 2))
    stretch = np.exp(rng.uniform(np.log(0.7), np.log(1.4), group.max() + 1))
    return centre + (xy - centre) * stretch[group, None] + shift[group]


def field(make: Callable[[np.random.Generator], Field], xy, metric, stored, rng) -> np.ndarray:
    """Moved by a field that neighbours share."""
    return xy + make(rng)(xy)


FINE = partial(octaves, 0.14, doubling(200.0, 50_000.0))
METHODS = {
    "nothing": partial(noise, 0.0),
    "noise of 1 km": partial(noise, 1_000.0),
    "noise of 2 km": partial(noise, 2_000.0),
    "noise of 4 km": partial(noise, 4_000.0),
    "0.15 of the distance to the third": partial(by_density, 0.15),
    "centroids of two": centroids,
    "groups of five by 4 km, stretched": partial(together, 5, 4_000.0),
    "field, 2 km, 10 km long": partial(field, partial(smooth, 2_000.0, 10_000.0)),
    "octaves, 0.07, 200 m to 200 km": partial(
        field, partial(octaves, 0.07, doubling(200.0, 200_000.0))
    ),
    "octaves, 0.14, 200 m to 50 km": partial(field, FINE),
    "the same, coarse ones known": None,
}


def moved(method, stored: np.ndarray, metric, rng: np.random.Generator) -> np.ndarray:
    """Change places of longitude and latitude."""
    narrow = np.array([_DEGREE * np.cos(np.radians(51.0)), _DEGREE])
    return method(stored * narrow, metric, stored, rng) / narrow


def between(method, stored: np.ndarray, where, rng: np.random.Generator) -> float:
    """How much neighbours move against each other, as noise on each alone would, in metres."""
    row = where.metric.nearest_neighbours(where.metric.coordinates(stored), 1)[0][:, 0]
    off = (moved(method, stored, where.metric, rng) - stored) * _DEGREE
    return float(np.median(np.abs(off - off[row])) / 0.6745 / np.sqrt(2))


def one_draw(name: str, common: int, seed: int) -> tuple[int, int, float, tuple[float, ...]]:
    """Right, claimed, expected, and the shares of 1 and 10 nearest neighbours kept."""
    data = near_files.draw("germans", seed, (500, 500, common))
    where, rng = data.region, np.random.default_rng(seed + 1)
    method, known, secret = METHODS[name], data.points, data.secret
    if method is None:
        lengths = doubling(200.0, 50_000.0)
        coarse = octaves(0.14, lengths[lengths >= _COARSE], rng)
        method = partial(field, partial(octaves, 0.14, lengths[lengths < _COARSE]))
        known, secret = (
            moved(partial(field, lambda rng: coarse), some, where.metric, rng)
            for some in (known, secret)
        )

    def release(rule, points, metric, rng, progress=None) -> np.ndarray:
        square = np.zeros((len(points), len(points)))
        square[np.triu_indices(len(points), 1)] = lipschitz_distances(
            moved(method, points, metric, rng), where.area, metric, SETS, SIZE, rng
        )
        return square + square.T

    rule = LipschitzEmbedding(SETS, SIZE, where.area, 0.9, 300, between(method, known, where, rng))
    square = release(rule, secret, where.metric, rng)
    matrix = DistanceMatrix.numbered(square[np.triu_indices(len(square), 1)])
    kept = neighbours_kept(where.metric.coordinates(data.secret), where.metric, matrix, (1, 10))
    with mock.patch.object(near_weights, "simulate", release):
        found = near_group(
            Files(data.target, matrix, data.known, known, where.metric, rule), rng=rng
        )
    right = int(data.right(found.matches).sum())
    return right, len(found.matches), found.expected, kept


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--common", type=int, default=250)
    parser.add_argument("--seed", type=int, default=8_000)
    parser.add_argument("wanted", nargs="*", help="begins of rows' names")
    given = parser.parse_args()
    print(f"{'places before the embedding':36}{'kept 1':>8}{'10':>6}   right / claimed (expected)")
    for name in METHODS:
        if given.wanted and not name.startswith(tuple(given.wanted)):
            continue
        tried = [one_draw(name, given.common, given.seed + at) for at in range(given.draws)]
        one, ten = np.mean([each[3] for each in tried], axis=0)
        right, claimed, expected = (sum(each[at] for each in tried) for at in range(3))
        print(f"{name:36}{one:8.2f}{ten:6.2f}   {right} / {claimed} ({expected:.0f})", flush=True)


if __name__ == "__main__":
    main()
