# SPDX-License-Identifier: GPL-2.0-or-later
"""How areas are found: the location methods by name, and what they take."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from typing import Any

from qgis.core import (
    QgsProcessingParameterBoolean,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterField,
    QgsProcessingParameterNumber,
)

from ...core.aggregation.several_starts import OBJECTIVES, STARTS
from ...core.runtime import installing
from ..dialog import parameters
from ..i18n import mark, tr
from .demanding import demand_parameters

LEAST_SUPPRESSION, MAX_P = "least_suppression", "max_p"
#: Those that move sites by what they find in the records.
SEARCHED = ("adc", LEAST_SUPPRESSION)
KMEANS, WARD, K_AWARE, BEST = "kmeans", "ward", "k_aware", "best"
LOCATIONS = [
    *("balanced_density", "adc", LEAST_SUPPRESSION, "random", MAX_P),
    *(KMEANS, WARD, K_AWARE, BEST),
]
#: What a comparison has of its own, and SEED, which stands in no report.
_TOLD = ("KS", "SITES_BY", "LOCATIONS", "SEED")
#: What is told beside balanced density, as it begins with nothing else.
AGAINST_BALANCED = (KMEANS, WARD, K_AWARE, BEST)
#: What the choice of a location says to users.
LOCATIONS_SAID = mark(
    "balanced_density: about as many records for each. adc, least_suppression: such sites, moved by "
    "a search. random. max_p: a baseline (needs the package spopt). kmeans: in the middle of the "
    "people around. ward, k_aware: regions that adjoin are joined two by two, to compact areas or to "
    "such as save most records. best: begins with several of these, moves single regions, and takes "
    "the best by OBJECTIVE."
)


def search_parameters(location: str) -> list:
    """Return what searches for better sites take; ``location`` is the parameter that names them."""
    best = {location: (BEST,)}
    return [
        parameters.choice(
            "SEEDING",
            tr("Where searches begin"),
            tr("For adc and least_suppression: the sites that are moved."),
            ["balanced_density", "random"],
            "balanced_density",
            advanced=True,
            only_when={location: SEARCHED},
        ),
        parameters.integer(
            "MOVES",
            tr("Most moves of a search"),
            tr(
                "For adc, least_suppression and best. Leave empty for the usual limit, which "
                "depends on the method."
            ),
            None,
            0,
            optional=True,
            advanced=True,
            only_when={location: (*SEARCHED, BEST)},
        ),
        *demand_parameters({location: [one for one in LOCATIONS if one != BEST]}),
        parameters.choice(
            "OBJECTIVE",
            tr("What the best areas are best in"),
            tr(
                "For best. suppression: fewest suppressed records, compactness no worse than by "
                "balanced density, entropy loss within TOLERANCE of it. compactness: regions "
                "nearest to their sites, with no more suppressed than by balanced density. "
                "entropy: least entropy loss, with neither worse. weighted: the mean of the three "
                "as shares of balanced density's, none of them worse (entropy loss within "
                "TOLERANCE)."
            ),
            list(OBJECTIVES),
            OBJECTIVES[0],
            advanced=True,
            only_when=best,
        ),
        parameters.integer(
            "STARTS",
            tr("Starts of best"),
            tr(
                "For best: how many it begins with. The first four are balanced_density, kmeans, "
                "ward and k_aware, further ones are drawn. MOVES is for each."
            ),
            STARTS,
            1,
            advanced=True,
            only_when=best,
        ),
    ]


def check_location(locations: Iterable[str]) -> str | None:
    """Say before the records are counted that a package is missing."""
    missing = installing.missing_sentence(["spopt"]) if MAX_P in locations else ""
    if not missing:
        return None
    return f"{tr(missing)} " + tr("Or choose another location of the sites than max_p.")


def options(given) -> dict[str, Any]:
    """Options of the location methods."""
    options: dict[str, Any] = {"seeding": given.choice("SEEDING")}
    options["tolerance"] = given.number("TOLERANCE") / 100
    options["objective"] = given.choice("OBJECTIVE")
    options["starts"] = given.number("STARTS")
    moves = given.number("MOVES")
    if moves is not None:
        options["moves"] = moves
    return options


def command_of(run, algorithm) -> Callable[..., str]:
    """Return what makes the command of geoanon:vbas with the inputs of this run.

    Of what is told of each run (K, SITES_BY, LOCATION) the maker takes the values. SEED is left out:
    who has given one knows it.
    """
    words = []
    for definition in algorithm.parameterDefinitions():
        name = definition.name()
        if definition.isDestination() or name in _TOLD or run.parameters.get(name) in (None, ""):
            continue
        words += [f"{name}={value}" for value in _values(run, definition)]

    def command(**told: object) -> str:
        last = [f"{name}={value}" for name, value in told.items()]
        outputs = ["OUTPUT=private_areas.gpkg", "LOOKUP=lookup.csv", "RECORDS_OUT=released.csv"]
        line = " ".join(map(shlex.quote, [*words, *last, *outputs]))
        return f"qgis_process run geoanon:vbas -- {line}"

    return command


def _values(run, definition) -> list[str]:
    """The values of a parameter, as they are typed."""
    name = definition.name()
    if isinstance(definition, QgsProcessingParameterFeatureSource):
        layer = run.layer(name)
        is_file = layer is not None and layer.dataProvider().name() == "ogr"
        return [layer.source() if is_file else run.source(name).sourceName()]
    if isinstance(definition, QgsProcessingParameterField):
        return run.fields(name)
    if isinstance(definition, QgsProcessingParameterEnum):
        return run.choices(name) if definition.allowMultiple() else [run.choice(name)]
    if isinstance(definition, QgsProcessingParameterBoolean):
        return ["true" if run.flag(name) else "false"]
    value = run.number(name) if isinstance(definition, QgsProcessingParameterNumber) else None
    return [f"{value:.12g}" if value is not None else run.text(name)]
