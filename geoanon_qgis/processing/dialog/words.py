# SPDX-License-Identifier: GPL-2.0-or-later
"""The words of choices: what a dialog shows for the options that scripts and models name.

An option's name never changes and is the same in all languages; its words are for people, and are
translated. They stand here and nowhere else: dialogs, the modeler, help pages and the rules of
parameters (:mod:`.rules`) take them from here.
"""

from __future__ import annotations

from collections.abc import Mapping

from qgis.core import QgsProcessingParameterEnum

from ...core.experiments.masks import advice_words
from ..i18n import mark, tr

_ATTACKS = {
    "strongest": mark("All attacks together"),
    "all": mark("All attacks, side by side"),
    "near_group": mark("People who live near each other"),
    "likelihood": mark("Likelihood, by a map of the records"),
    "signatures": mark("Each record's distances to all others"),
    "local_maps": mark("Maps of neighbourhoods (ISGP)"),
    "clique": mark("Largest set whose distances agree (clique)"),
}
_MAKINGS = {
    "lipschitz": mark("Embedding by reference sets (Lipschitz)"),
    "coordinate_noise": mark("Noise on coordinates"),
    "distance_noise": mark("Noise on distances"),
    "isgp": mark("Grid points in common (ISGP)"),
    "absolute": mark("A tolerance of my own"),
}
_LOCATIONS = {
    "balanced_density": mark("About as many records each (balanced density)"),
    "adc": mark("Moved by the search of the paper (ADC)"),
    "least_suppression": mark("Moved to suppress fewest records"),
    "random": mark("At random"),
    "max_p": mark("Max-p regions, to compare"),
    "kmeans": mark("In the middle of the people (k-means)"),
    "ward": mark("Neighbours joined, most compact (Ward)"),
    "k_aware": mark("Neighbours joined, most records saved"),
    "best": mark("The best of several"),
}
_LIMITS = {
    "every": mark("Every record"),
    "99": mark("99 records of 100"),
    "mean": mark("The mean of the people"),
}

#: Name of the parameter to its options, each with its words; marked, and translated when shown.
WORDS: Mapping[str, Mapping[str, str]] = {
    "ADVERSARY": {
        "both": mark("Both: the worse of the two decides"),
        "whose_place": mark("Who lives there?"),
        "which_record": mark("Which record is hers?"),
    },
    "ATTACK": _ATTACKS,
    "CATEGORIES_AS": {
        "probabilities": mark("A probability for each category"),
        "most_probable": mark("The likeliest category"),
        "draw": mark("One drawn at random, by the probabilities"),
    },
    "CONTIGUOUS": {
        "no": mark("Not needed"),
        "yes": mark("Needed; islands stand alone"),
        "bridged": mark("Needed; islands are joined to the nearest"),
    },
    "DATES": {
        "as_they_are": mark("as they are"),
        "month": mark("by month"),
        "quarter": mark("by quarter"),
        "year": mark("by year"),
    },
    "DECODING": {
        "calibrated": mark("With the distributions of the originals"),
        "as_published": mark("As in the paper"),
        "calibrated_closely": mark("With their distributions hardly smoothed"),
    },
    "DISTRIBUTION": {"gaussian": mark("Gaussian"), "laplace": mark("Laplace")},
    "EARLIER_NESTED": {
        "any": mark("As they come"),
        "refine": mark("Each within one earlier area"),
        "coarsen": mark("Each of whole earlier areas"),
        "same": mark("The earlier areas again"),
    },
    "EVEN_BY": {
        "area": mark("Area: every place is as likely"),
        "radius": mark("Distance: every distance is as likely"),
    },
    "FAMILIES": advice_words.NAMES,
    "GAPS_REGION": {
        "west": mark("West of Canada"),
        "central": mark("Centre of Canada"),
        "east": mark("East of Canada"),
        "custom": mark("My own, with A and B"),
    },
    "IF_EMPTY": {"widen": mark("Widen the ring"), "withhold": mark("Withhold the record")},
    "LAW": {
        "disc": mark("Disc: anywhere within a distance"),
        "donut": mark("Donut: between two distances"),
        "gaussian": mark("Gaussian: mostly near, seldom far"),
        "bimodal": mark("Bimodal: mostly about one distance"),
        "laplace": mark("Planar Laplace noise (geo-indistinguishability)"),
    },
    "LIMIT_ON": _LIMITS,
    "LINKED_BY": {
        "ids": mark("By the same ids"),
        "rows": mark("By distances and attributes, not by ids"),
    },
    "LOCATION": _LOCATIONS,
    "LOCATIONS": _LOCATIONS,
    "METHOD": {
        **_ATTACKS,
        **_MAKINGS,
        "grid": mark("Squares"),
        "hexagons": mark("Hexagons"),
        "zones": mark("Zones of a layer"),
        "merged": mark("Zones, merged until each holds enough"),
        "sites": mark("Areas round sites among addresses"),
        "exchange": mark("Exchange with partners"),
        "cells": mark("Cells of addresses"),
        "groups": mark("Groups of records"),
        "sets": mark("Labels of each record"),
        "distances": mark("Near distances only"),
        "spectral_swapping": mark("Spectral swapping"),
        "spectral_rhs": mark("Spectral averages of groups (RHS)"),
        "cell_swapping": mark("Swapping of values"),
        "rhs": mark("Averages of groups (RHS)"),
        "data_shuffling": mark("Data shuffling"),
        "additive_noise": mark("Noise on values"),
        "microaggregation": mark("Microaggregation (MDAV)"),
        "gaussian_copula": mark("Gaussian copula"),
    },
    "METRIC": {
        "geodesic": mark("On the ellipsoid (geodesic)"),
        "great_circle": mark("On a sphere (great circle)"),
        "planar": mark("In the plane of the layer"),
    },
    "MISSING": {
        "dummy": mark("Kept: that a value is missing is a value"),
        "complete": mark("Records with missing values are left out"),
    },
    "NOISE": {
        "coordinates": mark("Gaussian, on the coordinates"),
        "gaussian": mark("Gaussian, on each distance"),
        "laplace": mark("Laplace, on each distance"),
        "exact": mark("None: exact distances"),
    },
    "NULLS": {
        "category": mark("NULL is a category of its own"),
        "refuse": mark("Stop where there is one"),
    },
    "OBJECTIVE": {
        "suppression": mark("Fewest suppressed records"),
        "compactness": mark("Most compact areas"),
        "entropy": mark("Least entropy loss"),
        "weighted": mark("All three alike"),
    },
    "OUTPUT_AT": {
        "address": mark("An address"),
        "beside": mark("A random place beside an address"),
        "crossing": mark("The nearest street crossing"),
    },
    "PLACE": {"centre": mark("The centre"), "random": mark("A random place")},
    "PREFER": {
        "distances": mark("Distances"),
        "neighbours": mark("nearest neighbours"),
    },
    "RULE": _MAKINGS,
    "SEARCH": {
        "grid": mark("All combinations alike"),
        "halving": mark("The better half again, and so on"),
    },
    "SEEDING": _LOCATIONS,
    "SIGMA_UNIT": {"m": mark("Metres"), "degrees": mark("Degrees")},
    "SITES_BY": {
        "gaps_maxcombs": mark("GAPS model, by possible combinations"),
        "gaps_entropy": mark("GAPS model, by entropy"),
        "fixed": mark("A number of my own"),
    },
    "SIZE_BY": {
        "distance": mark("A distance, the same for all"),
        "candidates": mark("Number of addresses nearby"),
        "population": mark("Number of people nearby, by areas"),
        "raster": mark("Number of people nearby, by a raster"),
    },
    "UNIT": {
        "m": mark("Metres"),
        "km": mark("Kilometres"),
        "address": mark("Addresses"),
        "dwelling": mark("Dwellings"),
    },
    "UNKNOWN": {
        "refuse": mark("Stop, and name them"),
        "leave_out": mark("Leave them out"),
    },
    "UTILITY": {
        "shift": mark("How far points move"),
        "ripley": mark("Pattern (Ripley's L)"),
        "kde": mark("Density (kernel)"),
        "scan": mark("Clusters (scan statistic)"),
        "distances": mark("Distances of two records"),
        "nearest": mark("Distances to the nearest record"),
    },
    "ZEROS": {"show": mark("Published"), "leave_out": mark("Left out")},
}


def has_words(parameter: QgsProcessingParameterEnum) -> bool:
    """Tell whether every option of a choice has its words."""
    known = WORDS.get(parameter.name(), {})
    return parameter.usesStaticStrings() and all(one in known for one in parameter.options())


def words_of(parameter: QgsProcessingParameterEnum) -> dict[str, str]:
    """Return the options of a choice with their words in the user's language, in their order."""
    return {one: word(parameter.name(), one) for one in parameter.options()}


def word(name: str, option: str) -> str:
    """Return the words of one option of the choice ``name``."""
    said = tr(WORDS[name][option])
    return said[:1].upper() + said[1:]
