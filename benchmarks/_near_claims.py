# SPDX-License-Identifier: GPL-2.0-or-later
"""Attacks by the near group, as its confidence is fitted to them and held against what is right."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import _near_kinds as near_kinds
import _noisy_kinds as noisy_kinds
import numpy as np
from _curve_of_strangers import Draw
from near_group import attacked
from scipy.special import expit

from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.intervals import true_distances
from geoanon_qgis.core.attacks.linkage.near_confidence import (
    COLUMNS,
    ROUNDED,
    SLOPES,
    longer,
)
from geoanon_qgis.core.attacks.linkage.near_curves import EXACT, INEXACT
from geoanon_qgis.core.attacks.linkage.near_edges import Candidates
from geoanon_qgis.core.attacks.linkage.near_group import near_group
from geoanon_qgis.core.attacks.linkage.near_labels import GO_WITH_PLACES, alike
from geoanon_qgis.core.attacks.linkage.near_strangers import (
    AgainstTrial,
    Curve,
    Scored,
    among_strangers,
)
from geoanon_qgis.core.attacks.linkage.simulated import simulate
from geoanon_qgis.core.distances.matrix import DistanceMatrix

#: Of a release without a trial.
_NONE = np.zeros((0, COLUMNS))


@dataclass(frozen=True)
class Claims:
    """The likeliest matches of one attack, claimed or not."""

    kind: str
    right: np.ndarray
    columns: np.ndarray
    #: By what the curve is divided: groups that are doubted, people who share a place.
    divided: np.ndarray
    #: How it was released, where distances may be too long.
    way: str = ""
    #: The same of the adversary's trial, in an embedding: columns and divisors of everybody's own records
    #: and of who play strangers, how probable it is that no match forbids these, how many live next door to somebody, and records released.
    own: np.ndarray = field(default_factory=lambda: _NONE)
    own_divided: np.ndarray = field(default_factory=lambda: np.zeros(0))
    strangers: np.ndarray = field(default_factory=lambda: _NONE)
    strangers_divided: np.ndarray = field(default_factory=lambda: np.zeros(0))
    stands: np.ndarray = field(default_factory=lambda: np.zeros(0))
    together: float = 0.0
    records: int = 0
    #: Whether distances were rounded; and another curve than that of now, in an embedding.
    rounded: bool = False
    curve: Curve | None = None

    @property
    def chance(self) -> np.ndarray:
        """What is said of them."""
        if self.way:
            return said(self.columns, self.way) / self.divided
        curve = self.curve or (INEXACT if self.rounded else EXACT)
        return among_strangers(*self._trial(), curve)

    def scored(self) -> list[Scored]:
        """The matches of the attack and those of its trial, in an embedding."""
        slopes = np.array(ROUNDED if self.rounded else SLOPES)
        return [
            Scored(
                columns, divided, expit(slopes[0] + (columns * slopes[1:]).sum(axis=1)) / divided
            )
            for columns, divided in (
                (self.columns, self.divided),
                (self.own, self.own_divided),
                (self.strangers, self.strangers_divided),
            )
        ]

    def draw(self) -> Draw:
        """As a curve is fitted to it."""
        return Draw(AgainstTrial.of(*self._trial()), self.right)

    def _trial(self) -> tuple:
        return *self.scored(), self.stands, float(self.together), int(self.records)


def said(columns: np.ndarray, way: str) -> np.ndarray:
    """What the curve of now says where distances may be too long."""
    if not len(columns):
        return np.zeros(0)
    at = np.array(longer(*(bool(one) for one in columns[0, COLUMNS : COLUMNS + 3])))
    return expit(at[0] + (columns[:, :COLUMNS] * at[1:]).sum(axis=1))


def claims(case: near_kinds.Case, seed: int, way: str = "") -> Claims:
    """Attack a release."""
    one = attacked(case.files, case.rule, seed)
    found = one.found
    columns = found.signs.columns() if found.signs else _NONE
    if not way:
        return in_embedding(case, one.guessed, found)
    # What the attack knows of the release: whether long distances are as exact as short ones,
    # whether it is ISGP, and whether chance was seen by places that were moved.
    kinds = Candidates.of_labels(case.files.target, case.files.known)
    true = true_distances(case.files.points, case.files.region.metric)
    moved = not kinds.tell or alike(kinds.kind_known, true) > GO_WITH_PLACES
    flags = (way in noisy_kinds.EVEN, way == "ISGP", moved)
    columns = np.column_stack([columns, *(np.full(len(columns), float(f)) for f in flags)])
    columns = np.column_stack([columns, columns[:, 0] * moved])
    return Claims(case.kind, one.guessed, columns, said(columns, way) / one.chance, way)


def in_embedding(case: near_kinds.Case, right, found, rounded: bool = False) -> Claims:
    """What an attack on an embedding saw; nothing where no group was found."""
    columns = found.signs.columns() if found.signs else _NONE
    if not found.trial:
        return Claims(case.kind, right[:0], columns[:0], np.zeros(0), rounded=rounded)
    trial, parts = found.trial, []
    for signs in (found.signs, trial.own, trial.strangers):
        parts += [signs.columns(), signs.divided(found.doubt)]
    stands, records = np.exp(-trial.against), len(case.files.target)
    rest = stands, trial.together, records, rounded
    return Claims(case.kind, right, *parts[:2], "", *parts[2:], *rest)


def rounded_claims(case: near_kinds.Case, seed: int) -> Claims:
    """Attack an embedding whose distances are rounded down, in steps of 2 millionths to a hundredth."""
    data, metric = case.files, case.files.region.metric
    rng = np.random.default_rng([seed, 7])
    square = simulate(case.rule, data.secret, metric, rng)
    step = square.max() * 10 ** rng.uniform(-5.7, -2.0)
    square = np.floor(square / step) * step
    matrix = DistanceMatrix.numbered(square[np.triu_indices(len(square), 1)])
    given = (data.target, matrix, data.known, data.points, metric, case.rule)
    found = near_group(Files(*given, rounding=(step, 0.0)), rng=rng)
    return in_embedding(case, data.right(found.guesses), found, rounded=True)


def stored(name: str, folder: Path | None, make) -> Claims:
    """Take claims from a folder, or make them and put them there."""
    if folder is None:
        return make()
    path = folder / f"{name}.npz"
    if path.exists():
        with np.load(path) as file:
            return Claims(**{key: file[key][()] for key in file})
    made = make()
    np.savez(path, **{key: one for key, one in vars(made).items() if one is not None})
    return made
