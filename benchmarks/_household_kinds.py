# SPDX-License-Identifier: GPL-2.0-or-later
"""Three kinds of files that were first drawn after the last change to the near group's confidence.

``hamlets``: farms in threes to nines, and a few market towns. ``suburbs``: rings of semi-detached houses
round a centre that has none. ``canals``: houses on both banks of canals at right angles, the denser the
nearer to a lock. People live in households of one to five; labels are as frequent anywhere (``anywhere``),
those of the household, which a draw's share of its people has (``shared``), or of the household's decade,
give or take one (``decade``). Households stand at one door, or their people some metres apart.
"""

from __future__ import annotations

import _germans
import _near_kinds as near_kinds
import numpy as np

KINDS = ("hamlets", "suburbs", "canals")
_COUNTS = ((500, 500, 50), (350, 550, 70), (400, 400, 120), (700, 350, 50), (250, 250, 30))
_LABELS = ("shared", "anywhere", "decade", "shared")
_SETS = ((20, 30), (10, 30), (25, 25), (15, 40))
#: How many live in a household.
_SIZES = np.array([0.4, 0.33, 0.13, 0.1, 0.04])
_SIDE = 100_000.0
#: First seed of the files.
_FIRST = 13_000_000


def household(number: int, kind: str) -> near_kinds.Case:
    """Draw files of a kind, with an embedding."""
    rng = np.random.default_rng([_FIRST + number, KINDS.index(kind)])
    counts = _COUNTS[number % len(_COUNTS)]
    total = counts[0] + counts[1] - counts[2]
    label = _LABELS[number // 2 % len(_LABELS)]
    # A sample of a larger population, so that some of a household are in neither file.
    homes = _MADE[kind](3 * total, rng)
    size = rng.choice(5, len(homes), p=_SIZES) + 1
    home = np.repeat(np.arange(len(homes)), size)
    some = np.sort(rng.choice(len(home), int(total * rng.uniform(1.2, 3.0)), replace=False))
    home = home[np.isin(home, home[some])][: 3 * total]
    apart = float(rng.choice([0.0, 3.0, 12.0]))
    points = homes[home] + rng.normal(0, 1.0, (len(home), 2)) * apart
    people = _germans.people(len(home), rng)
    if label != "anywhere":
        share = rng.uniform(0.2, 0.9)
        of_home = _germans.people(len(homes), rng)
        own = rng.random(len(home)) < share
        older = rng.integers(-1, 2, len(home)) * (label == "decade")
        people = [
            (of_home[at][0] if label == "shared" else one[0], int(of_home[at][1]) + int(more))
            if mine
            else one
            for at, one, mine, more in zip(home.tolist(), people, own, older)
        ]
    taken = rng.permutation(len(home))[:total]
    points, people = points[taken], [people[at] for at in taken]
    return near_kinds.embedded(kind, _SIDE, points, people, counts, _SETS, rng)


def _hamlets(count: int, rng: np.random.Generator) -> np.ndarray:
    towns = rng.uniform(0.1 * _SIDE, 0.9 * _SIDE, (4, 2))
    hamlet = rng.uniform(0, _SIDE, (count // 5, 2))
    places = hamlet[rng.integers(0, len(hamlet), count)] + rng.laplace(0, 120.0, (count, 2))
    urban = rng.random(count) < rng.uniform(0.2, 0.6)
    inside = towns[rng.integers(0, 4, count)] + rng.normal(0, 900.0, (count, 2))
    return np.clip(np.where(urban[:, None], inside, places), 0, _SIDE)


def _suburbs(count: int, rng: np.random.Generator) -> np.ndarray:
    centre = rng.uniform(0.2 * _SIDE, 0.8 * _SIDE, (int(rng.integers(2, 7)), 2))
    of = rng.integers(0, len(centre), count)
    far = 400.0 * (3 + rng.integers(0, int(rng.integers(4, 15)), count))
    pair = np.floor(rng.random(count) * far / 8.0)  # a pair of houses every fifty metres
    angle = 2 * np.pi * pair * 8.0 / far + rng.choice([-1.0, 1.0], count) * 5.0 / far
    return np.clip(
        centre[of] + far[:, None] * np.stack([np.cos(angle), np.sin(angle)], 1), 0, _SIDE
    )


def _canals(count: int, rng: np.random.Generator) -> np.ndarray:
    number = int(rng.integers(8, 30))
    middle = rng.normal(_SIDE / 2, 0.15 * _SIDE, (number, 2))
    along = rng.exponential(float(rng.uniform(500, 4_000)), count) * rng.choice([-1, 1], count)
    canal = rng.integers(0, number, count)
    bank = rng.choice([-14.0, 14.0], count) + rng.normal(0, 2.0, count)
    places = np.stack([along, bank], axis=1)
    across = canal % 2 == 1
    places[across] = places[across, ::-1]
    return np.clip(middle[canal] + places, 0, _SIDE)


_MADE = {"hamlets": _hamlets, "suburbs": _suburbs, "canals": _canals}
