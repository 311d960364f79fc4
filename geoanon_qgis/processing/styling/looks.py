# SPDX-License-Identifier: GPL-2.0-or-later
"""How each role is drawn, as data.

Colours are those of Okabe and Ito, told apart with any kind of colour vision, and every kind has
a shape of its own as well.
"""

from __future__ import annotations

from ..i18n import mark
from . import names
from .symbols import Arrow, Fill, Kinds, Led, Line, Look, Marker, Ranges, Rules, Standing, Symbol

# Legend texts of two roles are those of the same kinds of assignments.
_FOUND: tuple[tuple[str, Symbol, str], ...] = (
    ("singleton", Marker("singleton", "circle", 1.0), mark("Found: one place")),
    ("pair", Marker("pair", "diamond", 1.25), mark("Found: one of two places")),
    ("unmoved", Marker("unmoved", "square", 0.95), mark("Found: did not move")),
    (
        "ambiguous",
        Marker("ambiguous", "triangle", 1.15),
        mark("Ambiguous: several pairs of places fit"),
    ),
    (
        "unresolved",
        Marker("unresolved", "circle", 0.8),
        mark("Unresolved: drawn at its masked place"),
    ),
)

_CROSS = Marker("original", "cross2", 0.8, "original", (1e300, 0.4))
_LINK = {"width": 0.35, "head_at": 0.72, "tail": False}

#: Released / true distance: colour, from, to, legend text, width of a line, drawing level. A ratio
#: on a border belongs to the first of its classes; what was kept lies on top, as it is what an
#: adversary can use.
_RATIOS = (
    ("kept_5", 0.9, 1.0, mark("Kept: 90 to 100 % of the true distance"), 0.7, 4),
    ("kept_4", 0.75, 0.9, mark("75 to 90 %"), 0.5, 3),
    ("kept_3", 0.5, 0.75, mark("50 to 75 %"), 0.4, 2),
    ("kept_2", 0.25, 0.5, mark("25 to 50 %"), 0.3, 1),
    ("kept_1", 0.0, 0.25, mark("Lost: below 25 %"), 0.3, 0),
    ("stretched", 1.0, 1e300, mark("Longer than the true distance"), 0.5, 2),
)


def _smallest(colour: str, low: float, high: float, label: str) -> tuple:
    # Not quite opaque: the regions lie beneath.
    return low, high, Fill(colour, "frame", 0.4, 170), label, 0


def _ratio(colour: str) -> Marker:
    return Marker(colour, "triangle" if colour == "stretched" else "circle", edge=(0.08, 0.2))


def _explains(marker: Marker, colour: str, width: float) -> Led:
    return Led(marker, Line(colour, width), ("released_x", "released_y"))


#: Reference sets told apart in a picture: shape, colour. Their ``kind`` is their number.
SET_LOOKS = (
    ("square", "singleton"),
    ("diamond", "masked"),
    ("triangle", "pair"),
    ("pentagon", "unmoved"),
)

LOOKS: dict[str, Look] = {
    names.MASKED: Marker("masked", frame="halo"),
    names.ORIGINALS: Marker("original", factor=0.75, frame="halo"),
    names.AT_RISK: Marker("original", factor=0.75, frame="halo"),
    names.PEOPLE_AT_RISK: Marker("original", factor=0.75, frame="halo"),
    names.WITHHELD: Marker("original", "square", 0.75, "halo"),
    # Those of whom he is surest on top of the others.
    names.GUESSED: Rules(
        (
            (Marker("near_4", factor=1.25), '"probability" >= 0.95', mark("Sure: 95 % or more"), 4),
            (
                Marker("near_3", factor=1.1),
                '"probability" >= 0.5 AND "probability" < 0.95',
                mark("50 to 95 %"),
                3,
            ),
            (
                Marker("near_2"),
                '"probability" >= 0.09 AND "probability" < 0.5',
                mark("9 to 50 %"),
                2,
            ),
            (Marker("near_1", factor=0.9), '"probability" < 0.09', mark("Below 9 %"), 1),
        )
    ),
    # The likelier the larger, each with a line to the point that it explains; where the record was
    # released and lives on top.
    names.EXPLAINING: Rules(
        (
            (
                _explains(Marker("unmoved", "square", 1.3), "unmoved", 0.6),
                "\"what\" = 'home'",
                mark("Home, by the key"),
                7,
            ),
            (
                Marker("masked", "diamond", 1.3, "halo"),
                "\"what\" = 'released'",
                mark("Released"),
                6,
            ),
            (
                _explains(Marker("near_4", factor=1.7), "near_4", 0.6),
                '"what" = \'candidate\' AND "probability" >= 0.5',
                mark("Address: 50 % or more"),
                5,
            ),
            (
                _explains(Marker("near_3", factor=1.3), "near_3", 0.4),
                '"what" = \'candidate\' AND "probability" >= 0.09 AND "probability" < 0.5',
                mark("Address: 9 to 50 %"),
                4,
            ),
            (
                _explains(Marker("near_2", factor=0.9), "near_2", 0.2),
                '"what" = \'candidate\' AND "probability" >= 0.01 AND "probability" < 0.09',
                mark("Address: 1 to 9 %"),
                3,
            ),
            (
                Marker("near_1", factor=0.5),
                '"what" = \'candidate\' AND "probability" < 0.01',
                mark("Address: below 1 %"),
                2,
            ),
        )
    ),
    names.CANDIDATES: Marker("candidate", factor=0.45, frame="candidate", edge=(0, 0)),
    names.SHIFTS: Kinds(
        (
            ("singleton", Arrow("shift"), mark("Moved; alone at its masked place")),
            ("pair", Arrow("pair"), mark("Moved; meets its neighbour halfway")),
            # seen behind the marker of the masked point
            ("unmoved", Standing(1.4), mark("Did not move: shares its place")),
        )
    ),
    names.MOVES: Arrow("shift"),
    names.CELLS: Rules(
        (
            (Fill("", "cell", 0.2), '"records" = 1', mark("Cell of one record"), 0),
            (
                Fill("", "unmoved", 0.5),
                '"records" > 1',
                mark("Cell of several records at one place"),
                0,
            ),
        )
    ),
    names.SUPPORT: Fill("", "cell", 0.2),
    # Shares of the highest density of both patterns, so that two maps have one scale.
    names.DENSITY: Ranges(
        "share",
        (
            (0.05, 0.2, Fill("kept_1"), mark("5 to 20 % of the highest density"), 0),
            (0.2, 0.4, Fill("kept_2"), mark("20 to 40 %"), 0),
            (0.4, 0.6, Fill("kept_3"), mark("40 to 60 %"), 0),
            (0.6, 0.8, Fill("kept_4"), mark("60 to 80 %"), 0),
            (0.8, 1e300, Fill("kept_5"), mark("80 % and more"), 0),
        ),
    ),
    names.DENSITY_CHANGE: Ranges(
        "share",
        (
            (-1e300, -0.2, Fill("near_3"), mark("Less by 20 % of the highest density, or more"), 0),
            (-0.2, -0.05, Fill("near_1"), mark("Less by 5 to 20 % of it"), 0),
            (0.05, 0.2, Fill("kept_2"), mark("More by 5 to 20 % of it"), 0),
            (0.2, 1e300, Fill("kept_4"), mark("More by 20 % of it, or more"), 0),
        ),
    ),
    names.CLUSTERS: Kinds(
        (
            ("original", Fill("original", "original", 0.6, 30), mark("Cluster in the original")),
            ("release", Fill("masked", "masked", 0.6, 40), mark("Cluster in the release")),
        )
    ),
    names.FOUND: Kinds(_FOUND),
    # As found, with a cross over what the key shows to be wrong.
    names.SCORED: Rules(
        (
            *((symbol, f"\"kind\" = '{kind}'", label, 0) for kind, symbol, label in _FOUND),
            (_CROSS, '"correct" = 0', mark("Wrong place, by the key"), 1),
        )
    ),
    # Of one size and on one level: where they crowd, each covers the other equally often.
    names.RIGHT_OR_WRONG: Rules(
        (
            (Marker("right"), '"correct" = 1', mark("At the true place"), 0),
            (Marker("wrong"), '"correct" = 0', mark("At a wrong place, or nowhere"), 0),
        )
    ),
    names.LINKS: Kinds(
        (
            ("singleton", Arrow("singleton", **_LINK), mark("Masked → the one place")),
            ("pair", Arrow("pair", **_LINK), mark("Masked → one of two places")),
            ("unmoved", Standing(0.9), mark("Did not move")),
            ("ambiguous", Arrow("ambiguous", **_LINK), mark("Masked → likeliest of several")),
        )
    ),
    names.RATIOS: Ranges(
        "ratio",
        tuple((low, high, _ratio(one), label, 0) for one, low, high, label, _, _ in _RATIOS),
    ),
    names.DISTANCE_KEPT: Ranges(
        "ratio",
        tuple(
            (low, high, Line(one, width, one == "stretched", "round"), label, level)
            for one, low, high, label, width, level in _RATIOS
        ),
    ),
    names.CENTRE: Marker("singleton", "star", 1.8, least=4.5),
    names.DRAWN: Marker("drawn", "diamond", 1.1, "halo"),
    names.DRAWN_LINES: Line("candidate", 0.2),
    names.REFERENCE_SETS: Marker("reference", "cross2", 0.75, "reference", (0.2, 0.3)),
    names.SOME_SETS: Kinds(
        tuple(
            (str(number), Marker(colour, shape), mark("Reference set {number}"))
            for number, (shape, colour) in enumerate(SET_LOOKS, 1)
        )
    ),
    names.AREA: Line("area", 0.5),
    # Matches above all others, and of one level: where they crowd, each covers the other equally
    # often.
    names.LINKED: Rules(
        (
            (
                Marker("right"),
                '"in_clique" = 1 AND "correct" = 1',
                mark("Linked, right"),
                1,
            ),
            (
                Marker("wrong", "triangle", 1.15),
                '"in_clique" = 1 AND "correct" = 0',
                mark("Linked, wrong"),
                1,
            ),
            (
                Marker("unknown", "square", 0.95),
                '"in_clique" = 1 AND "correct" IS NULL',
                mark("Linked (truth unknown)"),
                1,
            ),
            (
                Marker("candidate", factor=0.5, frame="candidate", edge=(0, 0)),
                'coalesce("in_clique", 0) <> 1',
                mark("Not matched"),
                0,
            ),
        )
    ),
    names.LINK_LINES: Rules(
        (
            (
                Arrow("right", 0.35),
                '"correct" = 1',
                mark("True place → known place of the same person"),
                0,
            ),
            (
                Arrow("shift", 0.35),
                '"correct" = 0 OR "correct" IS NULL',
                mark("True place → wrong person's place"),
                0,
            ),
        )
    ),
    names.AGGREGATED: Ranges(
        "smallest",
        (
            _smallest("empty", 0, 0.5, mark("No records")),
            _smallest("alone", 0.5, 1.5, mark("Smallest class: 1 record")),
            _smallest("kept_1", 1.5, 4.5, mark("2 to 4")),
            _smallest("kept_2", 4.5, 9.5, mark("5 to 9")),
            _smallest("kept_3", 9.5, 19.5, mark("10 to 19")),
            _smallest("kept_4", 19.5, 99.5, mark("20 to 99")),
            _smallest("kept_5", 99.5, 1e300, mark("100 and more")),
        ),
    ),
    names.RELEASED_AREAS: Fill("kept_1", "masked", 0.5, 160),
    names.COUNTED_AREAS: Rules(
        (
            (
                Fill("empty", "region", 0.3),
                '"left_out" = 1',
                mark("Left out, so that no small number can be worked out"),
                0,
            ),
            (Fill("kept_1", "masked", 0.3, 160), '"left_out" = 0', mark("Published"), 0),
        )
    ),
    names.SITES: Marker("original", "diamond", 0.9, "halo", most=0.9 * 2.2),
    names.REGIONS: Fill("empty", "region", 0.2),
    names.POINT_REGIONS: Marker("region", factor=0.45, frame="region", edge=(0, 0)),
    names.AREA_LABELS: Fill(),
    names.ANONYMIZED: Marker("masked", "diamond", 1.05, "halo"),
    # Those at risk on top of the others.
    names.RISK: Rules(
        (
            (
                Marker("near_4", factor=1.25),
                '"relative_distance" < 0.25',
                mark("Release nearer than a quarter of the reference's distance"),
                5,
            ),
            (
                Marker("near_3", factor=1.1),
                '"relative_distance" >= 0.25 AND "relative_distance" < 0.5',
                mark("A quarter to a half"),
                4,
            ),
            (
                Marker("near_2", factor=1.0),
                '"relative_distance" >= 0.5 AND "relative_distance" < 0.75',
                mark("A half to three quarters"),
                3,
            ),
            (
                Marker("near_1", factor=0.9),
                '"relative_distance" >= 0.75 AND "relative_distance" < 1',
                mark("Three quarters to the same"),
                2,
            ),
            (
                Marker("no_nearer", factor=0.7),
                'coalesce("relative_distance", 1) >= 1 AND "distance" IS NOT NULL',
                mark("No nearer than other people's records"),
                1,
            ),
        )
    ),
    names.SMALL_CLASSES: Rules(
        (
            (
                Marker("singleton", "triangle", 1.2),
                '"class_size" = 1',
                mark("Unique: alone in its class"),
                3,
            ),
            (
                Marker("pair", "diamond", 1.1),
                '"class_size" > 1 AND "small" = 1',
                mark("In a small class"),
                2,
            ),
            (
                Marker("candidate", "circle", 0.6),
                '"small" = 0',
                mark("In a class that is large enough"),
                1,
            ),
        )
    ),
}
