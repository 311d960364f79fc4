# SPDX-License-Identifier: GPL-2.0-or-later
"""The attacks by name: which one of the engine, and which parameters are its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ....core.attacks.linkage.linkage import CLIQUE_SECONDS, attack
from ....core.attacks.linkage.result import LinkageResult
from ....core.attacks.maps.likelihood import likelihood_attack
from ....core.runtime.progress import Progress
from ...dialog.parameters import UNITS
from ...i18n import tr
from ...running import Run
from .adversary import Adversary
from .rules import Making

CLIQUE, LIKELIHOOD = "clique", "likelihood"


@dataclass(frozen=True)
class Method:
    """One way to attack.

    Attributes
    ----------
    attack : callable
        Of the engine; all take what :func:`run_method` gives.
    seconds : float
        TIME_LIMIT where that is left empty; 0 for none.
    own : mapping of str to str
        Further keywords of ``attack``, and the parameters that give them.
    """

    attack: Callable[..., LinkageResult]
    seconds: float
    own: Mapping[str, str]


METHODS = {
    CLIQUE: Method(attack, CLIQUE_SECONDS, {"max_steps": "MAX_STEPS"}),
    LIKELIHOOD: Method(likelihood_attack, 0.0, {"threshold": "THRESHOLD"}),
}


def run_method(
    name: str, adversary: Adversary, making: Making, run: Run, progress: Progress
) -> LinkageResult:
    """Attack by the method of that name."""
    method, released, known = METHODS[name], adversary.released, adversary.known
    limit = run.number("TIME_LIMIT")
    result = method.attack(
        released.labels,
        released.matrix,
        known.labels,
        known.table.xy,
        adversary.metric,
        making.rule,
        unit_length=UNITS.get(released.matrix.unit, 1.0),
        rounding=making.rounding,
        time_limit=(method.seconds if limit is None else limit) or None,
        rng=run.rng(),
        progress=progress,
        **{keyword: run.number(parameter) for keyword, parameter in method.own.items()},
    )
    if result.stopped == "cancelled":
        # What was found until then is worth having, and says that it is unproven.
        run.outputs.finish_in_spite_of_cancel()
    return result


def settings_of(name: str, making: Making, run: Run) -> list[tuple[str, object]]:
    """Return what the report lists of an attack."""
    settings = [(tr("Method"), name), *making.settings]
    if name == LIKELIHOOD:
        settings.append((tr("Least confidence"), run.number("THRESHOLD")))
    return settings
