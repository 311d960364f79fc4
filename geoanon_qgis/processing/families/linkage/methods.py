# SPDX-License-Identifier: GPL-2.0-or-later
"""The attacks of the engine, with what the dialog says of them."""

from __future__ import annotations

from ....core.attacks.by_name import CLIQUE, SECONDS, Search, attack_by
from ....core.attacks.linkage.inputs import Files
from ....core.attacks.linkage.result import LinkageResult
from ....core.runtime.progress import Progress
from ...dialog.parameters import UNITS
from ...i18n import tr
from ...layers.values import text_of
from ...running import Run
from .adversary import Adversary
from .rules import Making


def run_method(
    name: str, adversary: Adversary, making: Making, run: Run, progress: Progress
) -> LinkageResult:
    """Attack by the method of that name."""
    released, known = adversary.released, adversary.known
    limit = run.number("TIME_LIMIT")
    result = attack_by(
        name,
        Files(
            released.labels,
            released.told,
            known.labels,
            known.table.xy,
            adversary.metric,
            making.rule,
            UNITS.get(released.unit, 1.0),
            making.rounding,
            adversary.links.rows.tolist(),
            [text_of(one) for one in known.ids],
            [one.links.rows for one in released.used],
        ),
        Search(
            (SECONDS[name] if limit is None else limit) or None,
            run.number("MAX_STEPS"),
            run.number("THRESHOLD"),
        ),
        run.rng(),
        progress,
    )
    if result.stopped == "cancelled":
        # What was found until then is worth having, and says that it is unproven.
        run.outputs.finish_in_spite_of_cancel()
    return result


def settings_of(name: str, making: Making, run: Run) -> list[tuple[str, object]]:
    """Return what the report lists of an attack."""
    settings = [(tr("Method"), name), *making.settings]
    if name != CLIQUE:
        settings.append((tr("Least confidence"), run.number("THRESHOLD")))
    return settings
