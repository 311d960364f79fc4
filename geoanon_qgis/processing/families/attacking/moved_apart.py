# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether another tool has moved each record of a home by itself, so that they lie round it."""

from __future__ import annotations

import numpy as np

from ....core.attacks.masks.attributes import People
from ....core.attacks.masks.likelihood import Likelihood
from ....core.attacks.masks.own_draws import expected_records, of_own_draws
from ....core.runtime.progress import Progress
from ....core.space.points import places
from ...i18n import mark, number_of, tr
from .by_observed import OBSERVED
from .known import Explained, Known

#: Masks that may be another tool's; the others put all records of a home at one point.
_MASKS = ("maskdisplace", OBSERVED)
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


def sentences(many: np.ndarray) -> list[str]:
    """Say that they were seen, and what is done."""
    if not len(many):
        return []
    said = tr(
        "By the key the records of {homes} are at several points: each was moved by itself. Such points "
        "lie round their home, and he looks for addresses round which too many lie, without the key."
    )
    return [said.format(homes=number_of(len(many), "home", "homes"))]


def not_looked_for(known: Known) -> tuple[str, ...]:
    """Say of another tool's mask that nobody has looked, where no key tells."""
    own = known.run.path("MASK") or known.home is not None
    return () if own or known.mask.mask not in _MASKS else (tr(_NOT_LOOKED_FOR),)


def weighed_apart(
    known: Known,
    explained: Explained,
    people: People,
    factor: np.ndarray | None,
    progress: Progress,
) -> Likelihood:
    """Probability of each candidate of each record, where every record was moved by itself."""
    likelihood = explained.likelihood
    if people.attributes and factor is not None:
        likelihood = likelihood.with_values(likelihood.value * (factor > 0))
    expected = expected_records(known.points.xy, known.candidates.xy, people.each)
    # The same every time, and nothing that is released hangs on it.
    return of_own_draws(likelihood, expected, np.random.default_rng(0), progress)
