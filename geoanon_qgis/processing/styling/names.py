# SPDX-License-Identifier: GPL-2.0-or-later
"""What a layer can be (its role), and the one place where colours are chosen."""

# Of masks and the attack on them.
MASKED = "masked"
SHIFTS = "shifts"
#: Shifts by a mask that does not tell kinds of them apart.
MOVES = "moves"
CELLS = "cells"
SUPPORT = "support"
WITHHELD = "withheld"
GUESSED = "guessed"
#: All addresses that explain some records, with their probabilities.
EXPLAINING = "explaining"
KEY = "key"
FOUND = "found"
SCORED = "scored"
LINKS = "links"
ORIGINALS = "originals"
CANDIDATES = "candidates"
RIGHT_OR_WRONG = "right_or_wrong"
AT_RISK = "at_risk"
PEOPLE_AT_RISK = "people_at_risk"
CLUSTERS = "clusters"
DENSITY = "density"
DENSITY_CHANGE = "density_change"

# Of releases of distances and of the attack on them.
RECORDS = "records"
DISTANCE_KEPT = "distance_kept"
DRAWN = "drawn"
REFERENCE_SETS = "reference_sets"
LINKED = "linked"
LINK_LINES = "link_lines"

# Of those, in pictures only.
RATIOS = "ratios"
CENTRE = "centre"
DRAWN_LINES = "drawn_lines"
SOME_SETS = "some_sets"
AREA = "area"

# Of the aggregation of regions.
AGGREGATED = "aggregated"
RELEASED_AREAS = "released_areas"
SITES = "sites"
COUNTED_AREAS = "counted_areas"
COUNTS = "counts"
LOOKUP = "lookup"
REGIONS = "regions"
AREA_RECORDS = "area_records"
SYNTHETIC = "synthetic"

# Of those, in pictures only.
AREA_LABELS = "area_labels"
POINT_REGIONS = "point_regions"

# Of microdata: points and tables that are released, and what is found out about records.
ANONYMIZED = "anonymized"
ANONYMIZED_TABLE = "anonymized_table"
RISK = "risk"
SMALL_CLASSES = "small_classes"
MEASURED = "measured"

#: The one place where colours are chosen.
PALETTE = {
    "masked": "#0072b2",  # blue
    "original": "#1b1b1b",
    "candidate": "#9a9a9a",
    "shift": "#4d4d4d",
    "cell": "#8a8a8a",
    "singleton": "#d55e00",  # vermilion
    "pair": "#e69f00",  # orange
    "unmoved": "#cc79a7",  # purple
    "ambiguous": "#56b4e9",  # sky blue
    "unresolved": "#ffffff",
    "right": "#d55e00",
    "wrong": "#ffffff",
    "unknown": "#56b4e9",
    "drawn": "#d55e00",
    "reference": "#009e73",  # bluish green
    "area": "#6f7d8a",
    # From lost to kept; one hue, so that lightness tells the order to everyone.
    "kept_1": "#cfe7f6",
    "kept_2": "#93c9ea",
    "kept_3": "#4aa0d5",
    "kept_4": "#0072b2",
    "kept_5": "#003a5c",
    "stretched": "#e69f00",
    # From far to near; one hue, so that lightness tells the order to everyone.
    "near_1": "#f6d0b4",
    "near_2": "#ec9a63",
    "near_3": "#d55e00",
    "near_4": "#7d3700",
    "no_nearer": "#c3cbd2",
    "alone": "#e69f00",  # a class of one record
    "empty": "#f3f3f3",
    "region": "#8792a0",
    "frame": "#333333",  # round what is private
    "halo": "#ffffff",  # round what is released
}
