# SPDX-License-Identifier: GPL-2.0-or-later
"""Releases that show the map of the homes, changed, or points beside homes."""

from __future__ import annotations

import numpy as np
from _slips_people import Files, in_villages, placed, places_of, with_fields


def turned(rng: np.random.Generator, count: int) -> Files:
    """The map of the file, turned by a secret angle."""
    original, others, reference = in_villages(rng, count)
    by = np.exp(1j * np.deg2rad(rng.uniform(20, 340)))
    xy = rng.permutation(places_of(original))
    at = (xy - xy.mean(axis=0)) @ [1, 1j] * by
    moved = np.stack([at.real, at.imag], axis=1) + xy.mean(axis=0)
    return original, placed(others, moved.round()), reference


def villages_shifted(rng: np.random.Generator, count: int) -> Files:
    """The map, cut into forty parts that were each moved by some 1.5 km."""
    from scipy.cluster.vq import kmeans2

    original, others, reference = in_villages(rng, count)
    xy = rng.permutation(places_of(original))
    part = kmeans2(xy, 40, seed=1, minit="++")[1]
    return original, placed(others, (xy + rng.normal(0, 1500, (40, 2))[part]).round()), reference


def _of_parts(rng: np.random.Generator, count: int, each: np.ndarray, spread: float) -> tuple:
    """Parts of so many homes, alike in three files, each moved by up to 3 km: files, middles, parts."""
    part = np.repeat(np.arange(len(each)), each)[:count]
    middle = rng.uniform(0, 30_000, (len(each), 2))
    files = [
        with_fields(rng, (middle[part] + rng.normal(0, spread, (len(part), 2))).round())
        for _ in range(3)
    ]
    return files, middle[part], rng.uniform(-3000, 3000, (len(each), 2))[part], part


def villages_turned(rng: np.random.Generator, count: int) -> Files:
    """Villages of 25 homes, each turned by its own angle, every other reflected, and moved."""
    each = np.full(-(-count // 25), 25)
    (original, others, reference), middle, by, part = _of_parts(rng, count, each, 150.0)
    angle = rng.uniform(0, 2 * np.pi, len(each))[part]
    at = (places_of(original) - middle) @ [1, 1j]
    at = np.where(part % 2 == 1, at.conj(), at) * np.exp(1j * angle)
    xy = np.stack([at.real, at.imag], axis=1) + middle + by
    return original, placed(others, rng.permutation(xy.round())), reference


def hamlets_shifted(rng: np.random.Generator, count: int) -> Files:
    """Hamlets of four to eight homes, each moved by its own."""
    each = rng.integers(4, 9, count // 4)
    (original, others, reference), _, by, _ = _of_parts(rng, count, each, 80.0)
    return original, placed(others, rng.permutation(places_of(original) + by).round()), reference


def farms_near(rng: np.random.Generator, count: int, most: int = 10**6, off: float = 30.0) -> Files:
    """Farms with a released point beside each, among points of other people."""
    original, others, reference = in_villages(rng, count, 0.06)
    xy, homes = (
        places_of(original),
        np.unique(np.vstack([*map(places_of, (original, reference))]), axis=0),
    )
    away = np.sort(np.linalg.norm(xy[:, None] - homes[None], axis=2), axis=1)[:, 1]
    farms = np.unique(xy[np.argsort(away)[-int(0.06 * count) :]], axis=0)
    farms = rng.permutation(farms)[:most]
    moved = places_of(others).copy()
    moved[rng.permutation(len(moved))[: len(farms)]] = farms + rng.normal(0, off, farms.shape)
    return original, placed(others, moved.round()), reference


def few_farms(rng: np.random.Generator, count: int) -> Files:
    """The same of eight farms, within 10 m."""
    return farms_near(rng, count, 8, 10.0)


def one_direction(rng: np.random.Generator, count: int) -> Files:
    """Places that were moved by some 1.5 km each along one direction: across it they are true."""
    original, others, reference = in_villages(rng, count)
    way = np.array([np.cos(np.pi / 6), np.sin(np.pi / 6)])
    xy = rng.permutation(places_of(original))
    return original, placed(others, xy + rng.normal(0, 1500, (len(xy), 1)) * way), reference
