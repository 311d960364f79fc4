# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether another tool has moved each record of a home by itself, so that they lie round it."""

from __future__ import annotations

import numpy as np

from ....core.attacks.masks.attributes import People
from ....core.attacks.masks.own_draws import OwnDraws, of_own_draws
from ....core.runtime.progress import Progress
from ....core.space.points import places
from ...i18n import mark, number_of, tr
from .by_observed import OBSERVED
from .known import Explained, Known

#: Masks that may be another tool's; the others put all records of a home at one point.
_MASKS = ("maskdisplace", OBSERVED)
#: Without the key: share of the records that must be further ones of a home, and how surely.
_LEAST_SHARED, _SURELY = 0.05, 0.95
_NOT_LOOKED_FOR = mark(
    "Whether the tool moved each record of a home by itself: several points then lie round one address, "
    "which gives it away. With the key (KEY) it is seen, and such addresses are looked for."
)


def several_points(known: Known) -> np.ndarray:
    """How many points each home of the key has that has more than one, (h,)."""
    if known.home is None or known.mask.mask not in _MASKS:
        return np.empty(0, dtype=np.int64)
    there = np.flatnonzero(known.home >= 0)
    pairs = np.stack([known.home[there], places(known.points.table.xy).of_point[there]])
    many = np.unique(np.unique(pairs, axis=1)[0], return_counts=True)[1]
    return many[many > 1]


def _to_be_seen(known: Known) -> bool:
    """Whether points alone may show it: another tool's, of which no two coincide, and no key."""
    if known.run.path("MASK") or known.home is not None or known.mask.mask not in _MASKS:
        return False
    xy = known.points.table.xy
    return len(places(xy).xy) == len(xy)


def looked_for(
    known: Known,
    explained: Explained,
    people: People,
    factor: np.ndarray | None,
    progress: Progress,
) -> OwnDraws | None:
    """Where the records are if each was moved by itself.

    None where homes have one point each, by the key, or where points do not show that they have more.
    """
    with_key = bool(len(several_points(known)))
    if not with_key and not _to_be_seen(known):
        return None
    likelihood = explained.likelihood
    if people.attributes and factor is not None:
        likelihood = likelihood.with_values(likelihood.value * (factor > 0))
    # The same every time, and nothing that is released hangs on it.
    given = known.candidates.xy, people.each, np.random.default_rng(0)
    found = of_own_draws(likelihood, *given, progress)
    shown = np.quantile(found.shared, 1.0 - _SURELY) >= _LEAST_SHARED
    return found if with_key or shown else None


def sentences(known: Known, found: OwnDraws | None) -> list[str]:
    """Say that they were seen, and what is done."""
    if found is None:
        return []
    many = several_points(known)
    if len(many):
        said = tr(
            "By the key the records of {homes} are at several points: each was moved by itself. Such points "
            "lie round their home, and he looks for addresses round which too many lie, without the key."
        )
        return [said.format(homes=number_of(len(many), "home", "homes"))]
    count = len(found.home)
    said = tr(
        "By the points alone, {points} are of about {homes}: the tool moved each record of a home by "
        "itself. Such points lie round their home, and he looks for addresses round which too many lie."
    )
    homes = max(1, round((1.0 - float(found.shared.mean())) * count))
    return [
        said.format(
            points=number_of(count, "point", "points"), homes=number_of(homes, "home", "homes")
        )
    ]


def not_looked_for(known: Known) -> tuple[str, ...]:
    """Say of another tool's mask that nobody has looked, where no key tells and points coincide."""
    own = known.run.path("MASK") or known.home is not None or known.mask.mask not in _MASKS
    return () if own or _to_be_seen(known) else (tr(_NOT_LOOKED_FOR),)
