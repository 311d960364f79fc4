# SPDX-License-Identifier: GPL-2.0-or-later
"""What analysts would do with a release, on both tables: regressions, predictions, maps of zones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.measures.zone_rates import ZoneRates, compare_zone_rates
from ...core.microdata.coding import Coding
from ...core.microdata.information import InformationKept, compare_information
from ...core.microdata.observations import CATEGORICAL
from ...core.microdata.predicting import PredictionKept, compare_predictions
from ...core.microdata.propensity import Propensity, propensity
from ...core.microdata.regression import Formula, RegressionKept, compare_regressions
from ...core.microdata.variables import Variable, shown
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, shares, weighted
from ..dialog import parameters
from ..i18n import mark, tr
from ..layers import planes
from ..layers.fieldnames import spelling
from ..layers.transforming import transform
from ..layers.zones import read_polygons
from .comparing import Compared, Side


@dataclass(frozen=True)
class Analyses:
    """What the analyses come to.

    Attributes
    ----------
    regressions : list of RegressionKept
    predictions : PredictionKept
    told : Propensity
    information : InformationKept
    zones : ZoneRates or None
    """

    regressions: list[RegressionKept]
    predictions: PredictionKept
    told: Propensity
    information: InformationKept
    zones: ZoneRates | None = None


def inputs() -> list:
    """Parameters: the regressions, the zones."""
    return [
        parameters.text(
            "FORMULA",
            tr("Regression that analysts would run"),
            tr(
                "An outcome, ~, and the fields that explain it: income ~ age + sex. Numbers get a "
                "linear regression, fields of two values a logistic one. Several with ; between. "
                "Names with blanks or signs stand in quotation marks. Empty: none."
            ),
        ),
        parameters.source(
            "ZONES",
            tr("Zones"),
            tr(
                "Areas such as districts, for two point layers: numbers of records, means and "
                "shares of each zone are compared, and Moran's I of these maps."
            ),
            "polygon",
            optional=True,
        ),
    ]


def formulas(text: str) -> list[Formula]:
    """The regressions that were typed.

    Raises
    ------
    InputError
        If one of them cannot be read.
    """
    return [Formula.parsed(one) for one in text.split(";") if one.strip()]


def analysed(run, pair: Compared, progress: Progress) -> Analyses:
    """Run what needs no places.

    Raises
    ------
    InputError
        If a formula does not fit the fields.
    """
    of_formulas, of_predictions, of_told, of_information = weighted(progress, 10, 45, 35, 10)
    original, released = (plain_columns(pair, side) for side in (pair.original, pair.anonymized))
    rng = run.rng()
    asked = [_spelt(one, list(original)) for one in formulas(run.text("FORMULA"))]
    regressions = [
        compare_regressions(one, original, released, ahead)
        for one, ahead in zip(asked, shares(of_formulas, max(len(asked), 1)))
    ]
    coded = (pair.original.coded, pair.anonymized.coded)
    return Analyses(
        regressions,
        compare_predictions(*coded, pair.coding.variables, rng, of_predictions),
        propensity(*coded, rng, of_told),
        compare_information(original, released, of_information),
    )


def zone_rates(run, pair: Compared, progress: Progress) -> tuple[ZoneRates, list[str]]:
    """Compare the maps of the zones; and what is said of them.

    Raises
    ------
    InputError
        If the layers hold no points.
    """
    of_places, of_zones, comparing = weighted(progress, 20, 30, 50)
    crs = pair.original.records.crs
    places, tables = [], []
    for side, ahead in zip((pair.original, pair.anonymized), shares(of_places, 2)):
        records = side.records
        there = np.isfinite(records.xy[side.rows]).all(axis=1)
        rows = side.rows[there]
        places.append(
            transform(records.xy[rows], records.crs, crs, run.context, ahead, records.ids[rows])
        )
        columns = plain_columns(pair, side)
        fields = [name for name in columns if name not in (pair.place or ())]
        tables.append({name: columns[name][there] for name in fields})
    if min(map(len, places)) < 2:
        raise InputError(mark("Zones need two point layers with places (ZONES)."))
    plane = planes.plane_of(places[0], crs)
    zones = read_polygons(run.source("ZONES"), plane, crs, run.context, of_zones)
    first, second = map(plane.forward, places)
    found = compare_zone_rates(first, second, *tables, zones.shapes, comparing)
    return found, zones.sentences()


def _spelt(formula: Formula, names: list[str]) -> Formula:
    """The formula with names as the table spells them."""
    return Formula(
        spelling(names, formula.outcome), tuple(spelling(names, one) for one in formula.terms)
    )


def plain_columns(pair: Compared, side: Side) -> dict[str, np.ndarray]:
    """The fields of the coded records as statistics take them: floats, or objects with None."""
    coding: Coding = pair.coding
    return {one.name: _plain(one, side, coding)[side.rows] for one in coding.variables}


def _plain(variable: Variable, side: Side, coding: Coding) -> np.ndarray:
    if variable.name not in side.table:  # released as the shares of its categories
        parts = [side.table[name] for name in coding.probability_fields[variable.name]]
        best = np.nan_to_num(np.stack(parts, axis=1).astype(np.float64)).argmax(axis=1)
        levels = [None if one is None else shown(one) for one in variable.levels]
        return np.array([*levels, None], dtype=object)[best]
    values = side.table[variable.name]
    if variable.kind != CATEGORICAL:
        return values
    if values.dtype.kind == "f":
        return np.array([None if one != one else shown(one) for one in values.tolist()], object)
    return np.array([None if one is None else shown(one) for one in values.tolist()], object)
