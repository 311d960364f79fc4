# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads what was given and measures all that it allows of a point mask."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ....core.runtime.errors import InputError
from ...i18n import tr
from ...layers.zones import Polygons
from ...running import Run
from ..masks.public_sizes import numbers_of
from . import paired as pairing
from .matched import matched
from .measured import Measured, Paired
from .patterns import patterns
from .risks import attacked, risks
from .scans import scanned


def measure(run: Run, attacking) -> Measured:
    """Read what was given and measure all that it allows; ``attacking`` is whose attack is run.

    Raises
    ------
    InputError
        If layers do not belong together, or lack what they must have.
    """
    paired = pairing.read(run)
    candidates, listing = None, run.source("CANDIDATES")
    if listing is not None:
        table = run.points(listing, run.step("candidates"), [], paired.crs, 2)
        candidates = paired.places(table, run.outputs.ask)
    areas, people = _population(run, paired)
    found = risks(paired, candidates, areas, people, run.step("risk"))
    attack = attacked(run, attacking)
    if attack is not None:
        found = replace(found, attacked=attack)
    kept = patterns(run, paired)
    of_each = matched(run, paired, areas, people, kept.window)
    return Measured(paired, found, kept, of_each, scanned(run, paired, candidates, areas, people))


def _population(run: Run, paired: Paired) -> tuple[Polygons | None, np.ndarray | None]:
    source = run.source("POPULATION")
    if source is None:
        return None, None
    name = run.field("POPULATION_FIELD", source)
    areas = paired.polygons(run, "POPULATION", run.step("population"), [name])
    people = numbers_of(areas, name)
    if not people.sum() > 0:
        raise InputError(
            tr("By the field “{field}” nobody lives in “{layer}”. Choose another field.").format(
                field=name, layer=source.sourceName()
            )
        )
    return areas, people
