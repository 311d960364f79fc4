# SPDX-License-Identifier: GPL-2.0-or-later
"""The measures of risk in use, for the records that are paired, and what an attack finds beside."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ....core.measures import risk
from ....core.runtime.errors import InputError
from ....core.runtime.progress import Progress, shares
from ....core.verification import pointmask
from ...i18n import tr
from ...layers.zones import Polygons
from ...running import Nested, Run
from ..attacking.attack import attack
from ..attacking.attacked import Attacked
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


def attacked(run: Run, algorithm) -> Attacked | None:
    """Run the posterior attack by the mask file; None without one.

    Layers that the mask did without are none of its, though they are given for measures.

    Parameters
    ----------
    run : Run
    algorithm : type of GeoAnonAlgorithm
        Whose defaults the attack has.

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
    given = {"INPUT": "RELEASED", **{name: name for name in ("MASK", "CANDIDATES", "KEY")}}
    given.update({name: name for name in used})
    if "POPULATION" in used:
        given["POPULATION_FIELD"] = "POPULATION_FIELD"
    handed = {theirs: run.parameters[own] for theirs, own in given.items() if run.has(own)}
    return attack(Nested(run, algorithm, handed, run.step("posterior")))
