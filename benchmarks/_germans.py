# SPDX-License-Identifier: GPL-2.0-or-later
"""Addresses and people like those of the papers' simulations: Germany, by facts stated here.

The papers drew addresses from the German telephone book and ages from the census of 2011; neither
can be had. Addresses are in towns or outside them: towns by population (thousands, end of 2011,
rounded), spread around the centre like a town's built-up area; outside them partly in the towns'
surroundings, partly anywhere in a simplified outline of the country. Eleven age groups are those
of the census table that the paper names, with its shares, rounded; so |V| comes out near theirs.
"""

from __future__ import annotations

import _timing  # noqa: F401  (puts the checkout on the path)
import numpy as np

from geoanon_qgis.core.experiments.design import LinkageExperiment
from geoanon_qgis.core.experiments.releases import NoisyCoordinates
from geoanon_qgis.core.space.areas import StudyArea

WGS84 = "EPSG:4326"
#: Records in either file and in both (Kroll 2014, section 5).
N_TARGET = N_IDENTIFICATION = 500
OVERLAP = 50
#: Order of the product graph in both papers.
PUBLISHED_VERTICES = 15_517

#: Share of the people in the towns below, and of the others those in their surroundings. About a
#: third of the country lives in towns of 100,000 and more.
IN_TOWNS, IN_SURROUNDINGS = 0.35, 0.6
#: Standard deviation of a town's addresses around its centre: this many kilometres for a million
#: people, less with the root of the population; and that of the surroundings.
_TOWN_KM, _SURROUNDINGS_KM = 6.0, 30.0

#: Longitude and latitude of a simplified border.
OUTLINE = np.array(
    [
        (9.45, 54.82),
        (8.65, 54.90),
        (8.60, 54.30),
        (8.90, 53.95),
        (8.70, 53.87),
        (8.10, 53.55),
        (7.10, 53.60),
        (7.05, 53.30),
        (7.20, 53.00),
        (7.05, 52.65),
        (6.75, 52.50),
        (6.70, 52.05),
        (6.00, 51.85),
        (6.10, 51.30),
        (5.90, 51.05),
        (6.05, 50.75),
        (6.25, 50.45),
        (6.13, 50.10),
        (6.40, 49.65),
        (6.37, 49.45),
        (6.75, 49.17),
        (7.40, 49.15),
        (8.20, 48.97),
        (7.80, 48.50),
        (7.58, 47.65),
        (8.40, 47.60),
        (8.60, 47.75),
        (9.20, 47.63),
        (9.70, 47.53),
        (10.20, 47.32),
        (10.50, 47.55),
        (11.10, 47.40),
        (12.10, 47.62),
        (12.80, 47.60),
        (13.00, 47.85),
        (12.85, 48.15),
        (13.45, 48.55),
        (13.80, 48.77),
        (13.00, 49.20),
        (12.50, 49.70),
        (12.20, 50.10),
        (12.35, 50.28),
        (13.00, 50.45),
        (13.60, 50.72),
        (14.35, 50.95),
        (14.80, 50.85),
        (15.03, 51.13),
        (14.70, 51.60),
        (14.65, 52.00),
        (14.55, 52.40),
        (14.15, 52.85),
        (14.40, 53.25),
        (14.20, 53.90),
        (13.70, 54.20),
        (13.60, 54.55),
        (12.90, 54.45),
        (12.30, 54.25),
        (11.50, 54.10),
        (10.90, 53.98),
        (11.10, 54.35),
        (10.20, 54.45),
        (9.90, 54.75),
    ]
)

#: Name: longitude, latitude, thousands of people.
TOWNS = {
    "Berlin": (13.40, 52.52, 3326),
    "Hamburg": (9.99, 53.55, 1718),
    "Muenchen": (11.58, 48.14, 1364),
    "Koeln": (6.96, 50.94, 1013),
    "Frankfurt": (8.68, 50.11, 676),
    "Stuttgart": (9.18, 48.78, 591),
    "Duesseldorf": (6.77, 51.23, 590),
    "Dortmund": (7.47, 51.51, 572),
    "Essen": (7.01, 51.46, 566),
    "Bremen": (8.81, 53.08, 544),
    "Dresden": (13.74, 51.05, 518),
    "Leipzig": (12.37, 51.34, 510),
    "Hannover": (9.73, 52.37, 509),
    "Nuernberg": (11.08, 49.45, 490),
    "Duisburg": (6.76, 51.43, 488),
    "Bochum": (7.22, 51.48, 363),
    "Wuppertal": (7.18, 51.26, 343),
    "Bielefeld": (8.53, 52.02, 327),
    "Bonn": (7.10, 50.73, 307),
    "Muenster": (7.63, 51.96, 293),
    "Karlsruhe": (8.40, 49.01, 291),
    "Mannheim": (8.47, 49.49, 291),
    "Augsburg": (10.90, 48.37, 267),
    "Wiesbaden": (8.24, 50.08, 270),
    "Gelsenkirchen": (7.10, 51.51, 259),
    "Moenchengladbach": (6.43, 51.20, 255),
    "Braunschweig": (10.52, 52.27, 243),
    "Aachen": (6.08, 50.78, 238),
    "Kiel": (10.14, 54.32, 236),
    "Chemnitz": (12.92, 50.83, 241),
    "Halle": (11.97, 51.48, 231),
    "Magdeburg": (11.63, 52.13, 229),
    "Krefeld": (6.56, 51.34, 222),
    "Freiburg": (7.85, 48.00, 215),
    "Luebeck": (10.69, 53.87, 211),
    "Oberhausen": (6.85, 51.47, 211),
    "Erfurt": (11.03, 50.98, 202),
    "Mainz": (8.27, 50.00, 201),
    "Rostock": (12.10, 54.09, 201),
    "Kassel": (9.50, 51.31, 192),
    "Hagen": (7.47, 51.36, 188),
    "Saarbruecken": (6.99, 49.24, 176),
    "Hamm": (7.82, 51.68, 177),
    "Potsdam": (13.06, 52.40, 157),
    "Muelheim": (6.88, 51.43, 167),
    "Ludwigshafen": (8.44, 49.48, 158),
    "Leverkusen": (6.99, 51.03, 159),
    "Oldenburg": (8.21, 53.14, 158),
    "Herne": (7.22, 51.54, 155),
    "Osnabrueck": (8.05, 52.28, 154),
    "Solingen": (7.08, 51.17, 155),
    "Heidelberg": (8.69, 49.41, 148),
    "Neuss": (6.69, 51.20, 151),
    "Darmstadt": (8.65, 49.87, 146),
    "Paderborn": (8.75, 51.72, 143),
    "Regensburg": (12.10, 49.02, 134),
    "Ingolstadt": (11.43, 48.76, 125),
    "Wuerzburg": (9.93, 49.79, 124),
    "Wolfsburg": (10.79, 52.42, 120),
    "Fuerth": (10.99, 49.48, 116),
    "Ulm": (9.99, 48.40, 117),
    "Heilbronn": (9.22, 49.14, 116),
    "Offenbach": (8.76, 50.10, 114),
    "Goettingen": (9.93, 51.54, 116),
    "Bottrop": (6.93, 51.52, 117),
    "Pforzheim": (8.70, 48.89, 115),
    "Recklinghausen": (7.20, 51.61, 115),
    "Reutlingen": (9.21, 48.49, 110),
    "Koblenz": (7.59, 50.36, 107),
    "Remscheid": (7.19, 51.18, 110),
    "Bremerhaven": (8.58, 53.55, 108),
    "Bergisch Gladbach": (7.13, 50.99, 109),
    "Erlangen": (11.00, 49.60, 104),
    "Moers": (6.63, 51.45, 103),
    "Trier": (6.64, 49.76, 105),
    "Jena": (11.59, 50.93, 106),
    "Siegen": (8.02, 50.87, 99),
    "Gera": (12.08, 50.88, 96),
    "Hildesheim": (9.95, 52.15, 99),
    "Cottbus": (14.33, 51.76, 100),
    "Zwickau": (12.50, 50.72, 93),
    "Kaiserslautern": (7.77, 49.44, 97),
    "Schwerin": (11.41, 53.63, 91),
    "Guetersloh": (8.38, 51.91, 94),
    "Kempten": (10.32, 47.73, 64),
    "Konstanz": (9.18, 47.66, 81),
    "Bayreuth": (11.58, 49.95, 71),
    "Bamberg": (10.89, 49.90, 70),
    "Passau": (13.45, 48.57, 48),
    "Landshut": (12.15, 48.54, 64),
    "Fulda": (9.68, 50.55, 64),
    "Giessen": (8.67, 50.58, 76),
    "Flensburg": (9.44, 54.78, 82),
    "Wilhelmshaven": (8.12, 53.52, 77),
    "Neubrandenburg": (13.26, 53.56, 64),
    "Stralsund": (13.09, 54.31, 57),
    "Villingen": (8.46, 48.06, 80),
    "Rosenheim": (12.13, 47.86, 60),
    "Celle": (10.08, 52.62, 69),
    "Lueneburg": (10.41, 53.25, 71),
    "Goerlitz": (14.99, 51.15, 54),
}

#: Census of 2011: under 3, 3-5, 6-14, 15-17, 18-24, 25-29, 30-39, 40-49, 50-64, 65-74, 75 and over.
AGE_SHARES = np.array([2.5, 2.5, 8.2, 2.9, 8.1, 6.1, 11.9, 16.5, 20.4, 11.0, 9.9])
FEMALE_SHARE = 0.512


def area() -> StudyArea:
    """Return the outline as a study area."""
    return StudyArea.of_rings([OUTLINE], WGS84)


def addresses(count: int, rng: np.random.Generator) -> np.ndarray:
    """Draw addresses inside the outline: (count, 2), longitude and latitude."""
    germany = area()
    towns = np.array(list(TOWNS.values()))
    found = np.empty((0, 2))
    while len(found) < count:
        tries = 2 * count
        town = rng.choice(len(towns), tries, p=towns[:, 2] / towns[:, 2].sum())
        kind = rng.random(tries)
        spread_km = np.where(
            kind < IN_TOWNS, _TOWN_KM * np.sqrt(towns[town, 2] / 1000), _SURROUNDINGS_KM
        )
        degree_km = 111.2 * np.column_stack([np.cos(np.radians(towns[town, 1])), np.ones(tries)])
        drawn = towns[town, :2] + rng.normal(size=(tries, 2)) * spread_km[:, None] / degree_km
        anywhere = kind > IN_TOWNS + (1 - IN_TOWNS) * IN_SURROUNDINGS
        drawn[anywhere] = germany.sample(int(anywhere.sum()), rng)
        found = np.concatenate([found, drawn[germany.contains(drawn)]])
    return found[:count]


def people(count: int, rng: np.random.Generator) -> list[tuple[str, int]]:
    """Draw sex and age group of some people."""
    sex = np.where(rng.random(count) < FEMALE_SHARE, "f", "m")
    age = rng.choice(len(AGE_SHARES), count, p=AGE_SHARES / AGE_SHARES.sum())
    return list(zip(sex.tolist(), age.tolist()))


def experiment(repeats: int, seed: int, alphas, sigmas) -> LinkageExperiment:
    """Return the simulation of Kroll 2014, section 5, on these addresses."""
    rng = np.random.default_rng(seed)
    count = N_TARGET + N_IDENTIFICATION - OVERLAP
    return LinkageExperiment(
        points=addresses(count, rng),
        labels=people(count, rng),
        wkt=WGS84,
        metric="great_circle",
        area=area(),
        n_target=N_TARGET,
        n_identification=N_IDENTIFICATION,
        overlap=OVERLAP,
        releases=tuple(NoisyCoordinates(s, True) for s in sigmas),
        alphas=tuple(alphas),
        repeats=repeats,
        seed=seed,
    )
