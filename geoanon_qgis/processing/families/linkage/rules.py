# SPDX-License-Identifier: GPL-2.0-or-later
"""How released distances were made, as the adversary takes it: a rule of the engine, by its name."""

from __future__ import annotations

from dataclasses import dataclass, field

from ....core.attacks.linkage.compatibility import (
    AbsoluteTolerance,
    CoordinateNoise,
    DistanceNoise,
    LipschitzEmbedding,
)
from ....core.attacks.linkage.intervals import Rule
from ....core.distances.rounding import rounding_of
from ...i18n import tr
from ...layers import planes
from ...running import Given
from .. import mask_files
from . import shared
from .adversary import Adversary
from .shared import ISGP

ABSOLUTE, COORDINATES, DISTANCES, LIPSCHITZ = (
    "absolute",
    "coordinate_noise",
    "distance_noise",
    "lipschitz",
)
RULES = [LIPSCHITZ, COORDINATES, DISTANCES, ISGP, ABSOLUTE]


@dataclass(frozen=True)
class Making:
    """How the distances were made.

    Attributes
    ----------
    kind : str
        One of :data:`RULES`.
    rule : Rule
    rounding : (float, float)
        As :func:`...core.attacks.linkage.linkage.attack` takes it.
    settings : list of (str, object)
        What the report lists.
    sentences : list of str
    """

    kind: str
    rule: Rule
    rounding: tuple[float, float]
    settings: list[tuple[str, object]]
    sentences: list[str] = field(default_factory=list)


def making_of(given: Given, adversary: Adversary, by_intervals: bool) -> Making:
    """Return how the user says that the distances were made.

    Parameters
    ----------
    given : Given
    adversary : Adversary
    by_intervals : bool
        Whether the attack uses the rule's intervals: only then it asks for alpha and replicates.
    """
    kind, released, known = given.choice("RULE"), adversary.released, adversary.known.table
    mask = adversary.mask
    if mask is None or kind == ISGP:
        # Labels are not rounded, distances of them may be: the file tells. Of several releases put
        # together none has other steps than the coarsest of them.
        found = max(rounding_of(one.condensed, False) for one in released.matrices)
    else:
        found = mask_files.rounding(mask)
    step = sum(found)
    nearest = (step / 2, step / 2)
    settings: list[tuple[str, object]] = [(tr("When distances agree"), kind)]
    if len(released.matrices) > 1:
        settings.append((tr("Released matrices"), len(released.matrices)))
    if step:
        settings.append((tr("Steps of the released distances"), f"{step:g} {released.unit}"))
    if kind == ABSOLUTE:
        epsilon = given.number("EPSILON")
        settings.append((tr("Tolerance (metres)"), epsilon))
        # The tolerance is the user's own: the rounding is part of what he allows for.
        return Making(kind, AbsoluteTolerance(epsilon), (0.0, 0.0), settings)
    if kind == ISGP:
        radius, spacing = shared.spacings(given)
        settings += [
            (tr("Radius (metres)"), radius),
            (tr("Distance of the grid points (metres)"), spacing),
        ]
        return Making(kind, shared.rule_of(given, known), nearest, settings)
    alpha, sigma = given.number("ALPHA"), given.number("SIGMA")
    if by_intervals:
        settings.append((tr("Alpha"), alpha))
    if kind == DISTANCES:
        distribution = given.choice("DISTRIBUTION")
        settings += [(tr("Noise"), distribution), (tr("Size of the noise"), sigma)]
        return Making(kind, DistanceNoise(distribution, sigma, alpha), nearest, settings)
    area, sentence, _ = mask_files.area(mask, given, known.xy, known.crs)
    if kind == COORDINATES:
        unit = given.choice("SIGMA_UNIT")
        settings.append((tr("Size of the noise"), f"{sigma:g} {unit}"))
        rule = CoordinateNoise(sigma, unit == "degrees", alpha, area, planes.wkt(known.crs))
        return Making(kind, rule, nearest, settings)
    sets, size, replicates = (given.number(name) for name in ("SETS", "SIZE", "REPLICATES"))
    settings += [(tr("Reference sets (d)"), sets), (tr("Points in each set (k)"), size)]
    if by_intervals:
        settings.append((tr("Embeddings of the known people"), replicates))
    noise = given.number("PRE_NOISE")
    if noise:
        settings.append((tr("Noise before the embedding (metres)"), noise))
    rule = LipschitzEmbedding(sets, size, area, alpha, replicates, noise)
    return Making(kind, rule, (step, 0.0), settings, [sentence])
