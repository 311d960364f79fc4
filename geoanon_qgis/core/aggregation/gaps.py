# SPDX-License-Identifier: GPL-2.0-or-later
"""How many sites: geographic area population size (GAPS) cutoffs (Croft et al. 2015, 3.1).

A cutoff says how many people an area needs so that its records may be released with it. It is
modelled as a * X ** b, where X is the entropy of the quasi-identifiers or the number of their
possible combinations; the population over the cutoff is the number of sites.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from ..runtime.errors import InputError
from .equivalence_classes import EquivalenceClasses


@dataclass(frozen=True)
class GapsModel:
    """A model of the cutoff: ``a * X ** b`` people, for the entropy or MaxCombs as X.

    Attributes
    ----------
    a, b : float
    people : float or None
        Who live in the regions, where the records are of some of them (a sample, patients): these
        are what the cutoff divides. None: the records.
    """

    a: float
    b: float
    people: float | None = None

    def __post_init__(self) -> None:
        if not (math.isfinite(self.a) and self.a > 0 and math.isfinite(self.b)):
            raise InputError(
                "A cutoff of {a:g} * X ^ {b:g} is none. A must be above zero and B a number.",
                a=self.a,
                b=self.b,
            )

    def cutoff(self, x: float) -> float:
        """People that an area needs; 0 where all records are alike (an entropy of 0).

        Raises
        ------
        InputError
            If it is beyond what a number can hold.
        """
        try:
            cutoff = self.a * float(x) ** self.b if x > 0 else 0.0
        except OverflowError:
            cutoff = math.inf
        if not math.isfinite(cutoff):
            raise InputError(
                "The cutoff of the GAPS model is too large to compute. Give a smaller B, or"
                " declare fewer categories."
            )
        return cutoff


#: The multipliers stand in Croft et al. 2015, table 1 (the same for both X); the exponents,
#: lost in its text, are those of El Emam, Brown and AbdelMalik 2009, the models' source.
GAPS_MODELS: dict[str, GapsModel] = {
    "west": GapsModel(1588.0, 0.42),
    "central": GapsModel(1436.0, 0.43),
    "east": GapsModel(1978.0, 0.304),
}


@dataclass(frozen=True)
class SiteNumber:
    """How many sites, and why.

    Attributes
    ----------
    sites : int
        What the model gives, at least 1; before it is limited by the number of regions.
    x : float or None
        Entropy (bits) or MaxCombs, None where the number was given.
    cutoff : float or None
        People that an area needs by the model.
    """

    sites: int
    x: float | None = None
    cutoff: float | None = None


def gaps_sites(population: float, x: float, model: GapsModel) -> SiteNumber:
    """Number of sites by a model (Croft et al. 2015, eqs 2, 3, 5, 6).

    The paper leaves the rounding open: to the nearest whole number, halves up, at least one.
    Where the cutoff is below one person (all records are alike), a site for each record.
    """
    cutoff = model.cutoff(x)
    return SiteNumber(max(1, math.floor(population / max(cutoff, 1.0) + 0.5)), float(x), cutoff)


def _by_maxcombs(
    classes: EquivalenceClasses, model: GapsModel | None, sites: int | None
) -> SiteNumber:
    return gaps_sites(_population(classes, model), classes.max_combs, _given(model))


def _by_entropy(
    classes: EquivalenceClasses, model: GapsModel | None, sites: int | None
) -> SiteNumber:
    return gaps_sites(_population(classes, model), classes.entropy, _given(model))


def _fixed(classes: EquivalenceClasses, model: GapsModel | None, sites: int | None) -> SiteNumber:
    if sites is None or sites < 1:
        raise InputError("Give the number of sites: a whole number from 1.")
    return SiteNumber(int(sites))


def _population(classes: EquivalenceClasses, model: GapsModel | None) -> float:
    people = _given(model).people
    if people is None:
        return classes.records
    if people < classes.records:
        raise InputError(
            "In the regions live {people:,.0f} people, fewer than there are records ({records:,}). "
            "Give the field with all people of each region.",
            people=people,
            records=classes.records,
        )
    return people


def _given(model: GapsModel | None) -> GapsModel:
    if model is None:
        raise InputError("Choose a region for the GAPS model, or give its A and B.")
    return model


#: Component 1, replaceable by name: classes, model, fixed number -> SiteNumber.
SITE_NUMBERS: dict[
    str, Callable[[EquivalenceClasses, GapsModel | None, int | None], SiteNumber]
] = {"gaps_maxcombs": _by_maxcombs, "gaps_entropy": _by_entropy, "fixed": _fixed}
