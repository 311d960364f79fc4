# SPDX-License-Identifier: GPL-2.0-or-later
"""The measures of risk in use, for the records that are paired, and what an attack finds beside."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ....core.measures import risk
from ....core.runtime.errors import InputError
from ....core.runtime.progress import Progress, part, shares
from ....core.verification import pointmask
from ...i18n import tr
from ...layers.zones import Polygons
from ...running import Run
from ..attacking.attack import attack
from ..attacking.attacked import BOTH, Attacked
from .measured import Paired, Risks

#: Layers that a mask may have used and that are read here, too.
_READ = ("CANDIDATES", "POPULATION", "ZONES")


def risks(
    paired: Paired,
    candidates: np.ndarray | None,
    areas: Polygons | None,
    people: np.ndarray | None,
    progress: Progress,
) -> Risks:
    """Compute the measures of risk."""
    before, after = paired.pairs
    ahead: Iterator[Progress] = shares(progress, 6)
    actual = actual_method = estimated = None
    if candidates is not None:
        actual = risk.actual_k(before, after, candidates, next(ahead))
        actual_method = risk.method_related(before, after, candidates, next(ahead))
    if areas is not None and people is not None:
        estimated = risk.estimated_k(before, after, areas.shapes, people, next(ahead))
    return Risks(
        np.hypot(*(after - before).T),
        actual,
        actual_method,
        risk.k_original(before, after, next(ahead)),
        risk.method_related(before, after, None, next(ahead)),
        estimated,
        risk.spruill(before, after, next(ahead)),
    )


class _Attacking:
    """A run of the attack, with the parameters of this algorithm.

    Layers that the mask did without are none of its, though they are given for measures.
    """

    _SHARES = (
        ("read", 0.0, 0.1),
        ("candidates", 0.1, 0.3),
        ("public", 0.3, 0.35),
        ("sizes", 0.35, 0.4),
        ("zones", 0.4, 0.5),
        ("attack", 0.5, 0.8),
        ("together", 0.8, 1.0),
    )

    def __init__(self, run: Run, used: set[str]) -> None:
        self._run, self._used = run, used

    def __getattr__(self, name):
        return getattr(self._run, name)

    def _own(self, name: str) -> str | None:
        if name == "INPUT":
            return "RELEASED"
        return name if name in ("KEY", "CANDIDATES") or name in self._used else None

    def has(self, name: str) -> bool:
        own = self._own(name)
        return own is not None and self._run.has(own)

    def source(self, name: str):
        own = self._own(name)
        return None if own is None else self._run.source(own)

    def field(self, name: str, source=None) -> str | None:
        return None if name == "WEIGHT" else self._run.field(name, source)

    def fields(self, name: str, source=None) -> list[str]:
        return []  # attributes that he knows are for the attack by itself

    def text(self, name: str) -> str:
        return ""

    def paths(self, name: str) -> list[str]:
        return []

    def path(self, name: str) -> str:
        return self._run.path(name) if name == "MASK" else ""

    def choice(self, name: str) -> str:
        return BOTH if name == "ADVERSARY" else self._run.choice(name)

    def number(self, name: str):
        if name in ("WITHIN", "ROUNDING"):
            return 0.0 if name == "WITHIN" else None
        return self._run.number(name)

    def step(self, *names: str) -> Progress:
        begin, end = next((one[1:] for one in self._SHARES if one[0] == names[0]), (1.0, 1.0))
        return part(self._run.step("posterior"), begin, end)


def attacked(run: Run) -> Attacked | None:
    """Run the posterior attack by the mask file; None without one.

    Raises
    ------
    InputError
        If there is no attack on the mask, or it used what is not read here.
    """
    if not run.has("MASK"):
        return None
    mask = pointmask.read(run.path("MASK"))
    used = {one.parameter for one in mask.layers}
    if used - set(_READ):
        raise InputError(
            tr(
                "The mask used {names}, which is not asked for here. Leave the mask file (MASK) "
                "empty, and run “Posterior attack on a point mask” (geoanon:attackmask) by itself."
            ).format(names=", ".join(sorted(used - set(_READ))))
        )
    return attack(_Attacking(run, used))
