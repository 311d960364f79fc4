# SPDX-License-Identifier: GPL-2.0-or-later
"""Empirical tolerance intervals of embedded distances: many embeddings, every pair, few passes.

Half a thousand points have 124,750 pairs; a thousand embeddings give each of them a thousand
distances. They are held for a block of pairs at a time, in single precision: the distance itself
is found in double precision, and single precision leaves it true to 6 parts in 100 million,
which is nothing beside the sampling error of an interval's ends.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...distances import lipschitz
from ...runtime.errors import InputError
from ...runtime.parallel import run_blocks
from ...runtime.progress import Progress, part, shares, silent
from ...space.areas import StudyArea
from ...space.metrics import Metric

#: Embeddings beside those that make the intervals, to see how much these hold.
_HELD_OUT = 20
#: Bytes for the distances of a block of pairs.
_BLOCK_BYTES = 600_000_000
#: Bytes for embeddings that are made at a time.
_CHUNK_BYTES = 64_000_000
#: Pairs whose distances are sorted at a time: they stay in the cache.
_PAIRS = 512


@dataclass(frozen=True)
class ToleranceIntervals:
    """Shortest intervals of the m pairs of a file, for each of several shares.

    Attributes
    ----------
    lower, upper : (shares, m) float64 arrays
        Pairs in the order of ``scipy.spatial.distance.squareform``.
    coverage : (shares,) array
        Share of all pairs' distances in further embeddings that their intervals hold.
    """

    lower: np.ndarray
    upper: np.ndarray
    coverage: np.ndarray


def tolerance_intervals(
    points: np.ndarray,
    area: StudyArea,
    metric: Metric,
    sets: int,
    size: int,
    alphas: tuple[float, ...],
    replicates: int,
    *,
    rng: np.random.Generator,
    progress: Progress = silent,
    at_once: tuple[int, int] = (_BLOCK_BYTES, _CHUNK_BYTES),
    pre_noise: float = 0.0,
) -> ToleranceIntervals:
    """Embed a file many times and find each pair's shortest intervals.

    Parameters
    ----------
    points : (n, 2) array
        Stored coordinates.
    area : StudyArea
    metric : Metric
    sets, size : int
        Number and size of the reference sets of one embedding.
    alphas : tuple of float
        Least shares of the simulated distances that an interval has to hold.
    replicates : int
        Embeddings.
    rng : numpy.random.Generator
    progress : Progress
    at_once : (int, int)
        Bytes for the distances of a block of pairs, and for embeddings that are made at a time.
    pre_noise : float
        Standard deviation of noise on the places before each embedding, in metres.

    Returns
    -------
    ToleranceIntervals

    Notes
    -----
    Every block of pairs takes all embeddings. A file with more pairs than one block holds is
    embedded again for each block, with the same reference sets: memory stays below one and a
    half gigabytes, and embedding costs little beside comparing every pair.
    """
    if replicates < 1:
        raise InputError("At least one embedding has to be simulated to know the distances.")
    count = len(points)
    starts = _row_starts(count)
    total = replicates + _HELD_OUT
    blocks = _row_blocks(starts, max(at_once[0] // (4 * total), count))
    lower = np.empty((len(alphas), starts[-1]))
    upper = np.empty_like(lower)
    held = np.zeros(len(alphas))
    state = rng.bit_generator.state
    own = metric.coordinates(points)

    def moved() -> np.ndarray:
        return metric.coordinates(lipschitz.noisy_places(points, pre_noise, area.wkt, rng))

    for number, (first, last) in enumerate(blocks):
        rng.bit_generator.state = state  # the same reference sets for every block
        pairs = slice(starts[first], starts[last])
        steps = part(progress, number / len(blocks), (number + 1) / len(blocks))
        distances = np.empty((total, pairs.stop - pairs.start), dtype=np.float32)
        _fill(
            distances,
            own,
            (first, last),
            area,
            metric,
            sets,
            size,
            rng,
            part(steps, 0, 0.8),
            at_once[1],
            moved if pre_noise else None,
        )
        held += _shortest(
            distances, replicates, alphas, lower[:, pairs], upper[:, pairs], part(steps, 0.8, 1)
        )
    coverage = held / (_HELD_OUT * starts[-1]) if starts[-1] else np.full(len(alphas), np.nan)
    progress(1.0)
    return ToleranceIntervals(lower, upper, coverage)


def shortest_windows(values: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    """Shortest closed intervals that hold at least a share of each row's values.

    Parameters
    ----------
    values : (m, r) array
        Each row ascending.
    share : float

    Returns
    -------
    lower, upper : (m,) arrays
        Values of the row. Among equally short intervals the lowest, as the paper says nothing
        (Kroll & Schnell 2016, "A graph theoretic linkage attack").
    """
    count = values.shape[1]
    # 0.1 * 1000 is a little more than 100 in floating point; the share is not.
    width = min(max(math.ceil(share * count - 1e-9 * count), 1), count)
    lengths = values[:, width - 1 :] - values[:, : count - width + 1]
    at = lengths.argmin(axis=1)
    rows = np.arange(len(values))
    return values[rows, at], values[rows, at + width - 1]


def _fill(
    distances, own, rows, area, metric, sets, size, rng, progress: Progress, most: int, moved
) -> None:
    """Write embedding r's distances of the pairs of some rows into ``distances[r]``."""
    first, last = rows
    total, count = len(distances), len(own)
    starts = _row_starts(count)
    embedded_rows = lipschitz.embedded_rows
    at_once = max(1, most // (8 * count * sets + 16 * sets * size + 1))
    for start in range(0, total, at_once):
        stop = min(start + at_once, total)
        steps = part(progress, start / total, stop / total)
        references = lipschitz.reference_sets(
            area, (stop - start) * sets, size, rng, part(steps, 0, 0.2)
        )
        references = metric.coordinates(references.reshape(-1, 2)).reshape(references.shape)
        if moved is None:
            embedding = lipschitz.embed(own, references, metric, part(steps, 0.2, 0.6))
        else:  # every embedding has noise of its own
            some = references.reshape(stop - start, sets, size, -1)
            embedding = np.hstack(
                [
                    lipschitz.embed(moved(), one, metric, share)
                    for one, share in zip(some, shares(part(steps, 0.2, 0.6), len(some)))
                ]
            )

        def compare(replicate: int, start: int = start, embedding=embedding) -> None:
            mine = slice((replicate - start) * sets, (replicate - start + 1) * sets)
            condensed = np.zeros(starts[-1])
            embedded_rows(np.ascontiguousarray(embedding[:, mine].T), first, last, condensed)
            distances[replicate] = condensed[starts[first] : starts[last]]

        run_blocks(compare, range(start, stop), part(steps, 0.6, 1.0))


def _shortest(distances, replicates, alphas, lower, upper, progress: Progress) -> np.ndarray:
    """Fill in the intervals of a block; return how many held-out distances they hold."""
    pairs = distances.shape[1]
    held = np.zeros((-(-pairs // _PAIRS), len(alphas)), dtype=np.int64)

    def search(start: int) -> None:
        some = slice(start, min(start + _PAIRS, pairs))
        values = np.ascontiguousarray(distances[:replicates, some].T)
        values.sort(axis=1)
        for index, alpha in enumerate(alphas):
            low, high = shortest_windows(values, alpha)
            lower[index, some], upper[index, some] = low, high
            fresh = distances[replicates:, some]
            held[start // _PAIRS, index] = np.count_nonzero((fresh >= low) & (fresh <= high))

    run_blocks(search, range(0, pairs, _PAIRS), progress)
    return held.sum(axis=0)


def _row_starts(count: int) -> np.ndarray:
    """Where each row's pairs (i, j > i) start in the condensed order; one more at the end."""
    return np.concatenate([[0], np.cumsum(np.arange(count - 1, -1, -1))]).astype(np.int64)


def _row_blocks(starts: np.ndarray, most: int) -> list[tuple[int, int]]:
    """Split rows into runs of at most ``most`` pairs (a row that has more stands alone)."""
    blocks, first, rows = [], 0, len(starts) - 1
    while first < rows:
        last = int(np.searchsorted(starts, starts[first] + most, side="right")) - 1
        last = min(max(last, first + 1), rows)
        blocks.append((first, last))
        first = last
    return blocks
