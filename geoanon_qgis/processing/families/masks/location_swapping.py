# SPDX-License-Identifier: GPL-2.0-or-later
"""Location swapping: which candidates there are, and in which ring each place's lie."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from ....core.masking.addresses import at_addresses
from ....core.masking.swap_rings import Candidates, RingRule, Rings
from ....core.runtime.errors import InputError
from ....core.space.planes import PROJECTION_ERROR_M
from ....core.verification import pointmask
from ....core.verification.pointmask import UsedLayer
from ...dialog import parameters
from ...i18n import tr
from ...layers.fieldnames import spelt_as_in
from ...layers.reading import PointTable, read_points
from ...running import Given, Run
from .kept_masking import read_places, used_layer
from .masked import Points

WIDEN, WITHHOLD = "widen", "withhold"
#: Candidates in the picture of where one point could have gone.
_SHOWN = 400
#: Coordinates that differ by less than this part are the same, where there is no system.
_DIGITS = 1e-12


def inputs() -> list:
    """Return the parameters of location swapping."""
    return [
        parameters.points(
            "CANDIDATES",
            tr("Candidates (address list)"),
            tr(
                "The places that points may be put at: all addresses of the area, from a public "
                "list, in any reference system. An address counts once, however many live there. "
                "Never the points themselves."
            ),
        ),
        parameters.metres(
            "MIN",
            tr("Least distance (metres)"),
            tr(
                "No point goes to a candidate that is nearer. With 0 it may go to the house next "
                "door, and never stays where it is."
            ),
            50.0,
            optional=False,
        ),
        parameters.metres(
            "MAX",
            tr("Largest distance (metres)"),
            tr("No point goes to a candidate that is farther, unless its ring is widened."),
            300.0,
            optional=False,
        ),
        parameters.integer(
            "K",
            tr("Fewest candidates (k)"),
            tr(
                "A ring with fewer candidates counts as empty: whoever goes to the only one is "
                "found by it. It is no promise that as many places explain a released point; take "
                "two to three times the number among whom a person shall hide."
            ),
            50,
            2,
        ),
        parameters.fields(
            "CLASSES",
            tr("Classes"),
            tr(
                "Fields of the candidates (such as the kind of house) that the points have, too, "
                "under the same names: a point then goes to candidates with the same values only. "
                "Choose what is publicly known of each address anyway."
            ),
            "CANDIDATES",
        ),
        parameters.choice(
            "IF_EMPTY",
            tr("Where the ring holds too few"),
            tr(
                "widen: the ring then ends at the K-th nearest candidate from MIN on (those that "
                "are exactly as far belong to it, too). withhold: the record is not released. "
                "Where the whole class has too few candidates it is withheld in both cases."
            ),
            [WIDEN, WITHHOLD],
            WIDEN,
        ),
    ]


def check(given: Given) -> str | None:
    """Say what does not go together."""
    least, largest = given.number("MIN"), given.number("MAX")
    if not 0 <= least < largest < np.inf:
        return tr(
            "The least distance (MIN) must be zero or more, and below the largest (MAX): no "
            "candidate lies in a ring of no width."
        )
    if given.same_layer("INPUT", "CANDIDATES"):
        return tr(
            "The candidates are the layer of the points themselves: every released point would "
            "show where another record is. Choose a public list of all addresses."
        )
    return None


@dataclass(frozen=True)
class Swap:
    """What points are swapped by.

    Attributes
    ----------
    candidates : Candidates
    rule : RingRule
        In units of the plane.
    classes : sequence of length n, or None
        Of the points.
    unlisted : int
        Points that stand at no candidate.
    parameters : dict
    layers : list of UsedLayer
    """

    candidates: Candidates
    rule: RingRule
    classes: Sequence[Hashable] | None
    unlisted: int
    parameters: dict
    layers: list[UsedLayer]

    def ring_of(self, row: int, points: Points, rings: Rings) -> np.ndarray:
        """Return candidates in the ring of a point, some of them where there are many."""
        label = None if self.classes is None else self.classes[row]
        listed = self.candidates.of_class[label][0]
        away = np.hypot(*(listed - points.xy[row]).T)
        ring = listed[rings.density(np.full(len(listed), row), away) > 0]
        return ring[np.random.default_rng().permutation(len(ring))[:_SHOWN]]


def read(points: Points, run: Run) -> Swap:
    """Read the candidates.

    Raises
    ------
    InputError
        If there are too few candidates, or the points lack a field of the classes.
    """
    source, metres = run.source("CANDIDATES"), points.plane.metres_per_unit
    names = run.fields("CLASSES", source)
    own = _own_fields(run, names)
    table, xy = read_places(points, run, "CANDIDATES", "public", names, 1)
    layers = [used_layer("CANDIDATES", source, xy)]
    of_list, classes = None, None
    if names:
        of_list, classes = classes_of(table, names), classes_of(_with_fields(points, run, own), own)
        texts = [f"{place} {label}" for place, label in zip(xy.tolist(), of_list)]
        told = pointmask.fingerprint_of_texts(texts)
        layers.append(UsedLayer("CLASSES", source.sourceName(), len(xy), told))
    # A list in another system lies a hair beside what it was made from.
    same = PROJECTION_ERROR_M / metres
    if not points.table.crs.isValid():  # files keep fifteen digits
        same = _DIGITS * float(max(np.abs(points.xy).max(), np.abs(xy).max()))
    told = {name: float(run.number(name)) for name in ("MIN", "MAX")}
    told |= {"K": run.number("K"), "IF_EMPTY": run.choice("IF_EMPTY"), "CLASSES": ", ".join(names)}
    rule = RingRule(
        told["MIN"] / metres, told["MAX"] / metres, told["K"], told["IF_EMPTY"] == WIDEN, same
    )
    candidates = Candidates.of(xy, of_list, table.xy)
    largest = max(len(places) for places, _, _ in candidates.of_class.values())
    if largest < rule.fewest:
        raise InputError(
            "There are candidates at {found:,} different places{alike}, fewer than the {k:,} that"
            " each point needs (K). Take a smaller number or a longer list.",
            found=largest,
            alike=tr(" in the largest class") if names else "",
            k=rule.fewest,
        )
    row, _ = at_addresses(points.xy, xy, same)
    return Swap(candidates, rule, classes, int((row < 0).sum()), told, layers)


def _own_fields(run: Run, names: Sequence[str]) -> list[str]:
    """Fields of the points that are called like those of the candidates."""
    fields = run.source("INPUT").fields()
    there = {name.lower() for name in fields.names()}
    lacking = [name for name in names if name.lower() not in there]
    if lacking:
        raise InputError(
            tr(
                "The points have no field “{field}”, by which candidates are chosen (CLASSES). "
                "Add it, or rename theirs."
            ).format(field=lacking[0])
        )
    return spelt_as_in(fields, names)


def _with_fields(points: Points, run: Run, names: Sequence[str]) -> PointTable:
    """The points with fields that need not be among those that are released."""
    table = points.table
    if all(name in table.columns for name in names):
        return table
    whole = read_points(run.source("INPUT"), run.context, run.outputs.ask, names)
    order = np.argsort(whole.ids)
    return whole.taken(order[np.searchsorted(whole.ids, table.ids, sorter=order)])


def classes_of(table: PointTable, names: Sequence[str]) -> list[tuple]:
    """Values of each row. What is missing is a value, too."""
    return list(zip(*(table.columns[name].narrowed().texts() for name in names)))
