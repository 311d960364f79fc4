# SPDX-License-Identifier: GPL-2.0-or-later
"""The dialog of the linkage experiment: its parameters, and the releases that they ask for."""

from __future__ import annotations

from typing import Any

from ....core.attacks.maps.likelihood import THRESHOLD
from ....core.distances.isgp import PER_RADIUS
from ....core.experiments.design import ATTACKS, LINKED_BY, LINKED_BY_IDS, LOCAL_MAPS
from ....core.experiments.releases import (
    EmbeddedDistances,
    NoisyCoordinates,
    NoisyDistances,
    SharedLabels,
)
from ....core.runtime.errors import InputError
from ....core.verification.maskfile import EXACT
from ... import verdicts
from ...dialog import parameters
from ...dialog.numbers import LARGEST_WHOLE
from ...i18n import mark, tr
from ...running import Given
from .. import clusters, mask_files
from .parameters import known_links_number
from .rules import COORDINATES, DISTANCES, LIPSCHITZ
from .shared import ISGP

#: All attacks that apply.
ALL = "all"
#: When parameters count.
_EMBEDDED = {"METHOD": (LIPSCHITZ,)}
_BY_CLIQUE = {"ATTACK": (ALL, "clique")}


def inputs() -> list:
    """Return all, in the order of the dialog."""
    return [
        parameters.points(
            "INPUT", tr("Points"), tr("The population from which both files are drawn.")
        ),
        mask_files.parameter(),
        parameters.fields(
            "QIS",
            tr("Quasi-identifiers"),
            tr(
                "Attributes by which records are compared, such as age and sex. Records that "
                "lack one are never linked."
            ),
            "INPUT",
            optional=False,
        ),
        parameters.integer(
            "N_TARGET", tr("Released records"), tr("Records of the target file."), 500, 2
        ),
        parameters.integer(
            "N_IDENTIFICATION",
            tr("Known people"),
            tr("Records of the identification file."),
            500,
            2,
        ),
        parameters.integer(
            "OVERLAP",
            tr("Records in both"),
            tr("People whose record is released and whom the adversary knows."),
            50,
            1,
        ),
        known_links_number(),
        parameters.integer(
            "RELEASES",
            tr("Releases of the same people that the adversary holds"),
            tr(
                "So many are made in each repetition, and he puts them together: of embeddings the "
                "largest distance of each pair counts, of noise the mean. Not for isgp."
            ),
            1,
            1,
            100,
        ),
        parameters.choice(
            "LINKED_BY",
            tr("How he links several releases"),
            tr(
                "ids: the same record has the same id in all of them. rows: each release numbers "
                "its people anew, and records are linked by their attributes and their distances to "
                "all others; takes longer, for 1,500 records at most."
            ),
            list(LINKED_BY),
            LINKED_BY_IDS,
        ),
        parameters.choice(
            "METHOD",
            tr("Release"),
            tr(
                "lipschitz: embedding with all SETS and SIZE. coordinate_noise: Gaussian noise "
                "on coordinates with all SIGMA. distance_noise: noise on distances with all "
                "SIGMA. isgp: the near distances of an ISGP release with all RADIUS; what the "
                "labels themselves tell beside is not tried."
            ),
            [LIPSCHITZ, COORDINATES, DISTANCES, ISGP],
            LIPSCHITZ,
        ),
        parameters.numbers(
            "SETS",
            tr("Numbers of reference sets (d)"),
            tr("For lipschitz: numbers parted by commas."),
            "20, 60, 100",
            1,
            whole=True,
            only_when=_EMBEDDED,
        ),
        parameters.numbers(
            "SIZE",
            tr("Sizes of reference sets (k)"),
            tr("For lipschitz: numbers parted by commas."),
            "2, 5, 10, 20, 30",
            1,
            whole=True,
            only_when=_EMBEDDED,
        ),
        parameters.number(
            "PRE_NOISE",
            tr("Noise before the embedding (metres)"),
            tr("For lipschitz: as in the release; 0 for none."),
            0.0,
            0.0,
            advanced=True,
            only_when=_EMBEDDED,
        ),
        parameters.number(
            "STEP",
            tr("Step of the released distances (metres)"),
            tr("For lipschitz: distances are rounded down to multiples of it; 0 for none."),
            0.0,
            0.0,
            advanced=True,
            only_when=_EMBEDDED,
        ),
        parameters.numbers(
            "SIGMA",
            tr("Sizes of the noise"),
            tr("For noise: numbers parted by commas."),
            "500, 1000, 2000, 5000",
            1e-12,
            only_when={"METHOD": (COORDINATES, DISTANCES)},
        ),
        parameters.choice(
            "SIGMA_UNIT",
            tr("Unit of the sizes"),
            tr("For coordinate_noise: metres on the ground or degrees."),
            ["m", "degrees"],
            "m",
            only_when={"METHOD": (COORDINATES,)},
        ),
        parameters.choice(
            "DISTRIBUTION",
            tr("Distribution of the noise"),
            tr("For distance_noise."),
            ["gaussian", "laplace"],
            "gaussian",
            only_when={"METHOD": (DISTANCES,)},
        ),
        parameters.numbers(
            "RADIUS",
            tr("Radii of ISGP (metres)"),
            tr("For isgp: numbers parted by commas."),
            "1000",
            1e-9,
            only_when={"METHOD": (ISGP,)},
        ),
        parameters.metres(
            "SPACING",
            tr("Distance of the grid points (metres)"),
            tr("For isgp: as in the release. Leave empty for a tenth of the radius."),
            only_when={"METHOD": (ISGP,)},
        ),
        parameters.choice(
            "ATTACK",
            tr("Attack"),
            tr(
                "clique: the papers' attack, quick. near_group: people who live near each "
                "other; quick, and mostly finds most. likelihood: by a map of the records; "
                "takes longer. local_maps: maps of neighbourhoods, for isgp. all: side by side on "
                "the same releases, those that apply."
            ),
            [ALL, *ATTACKS, LOCAL_MAPS],
            ALL,
        ),
        parameters.numbers(
            "ALPHA",
            tr("Shares of true pairs to accept (alpha)"),
            tr("For the clique attack: numbers between 0 and 1, parted by commas."),
            "0.1, 0.5, 0.9",
            0.0,
            1.0,
            only_when=_BY_CLIQUE,
        ),
        parameters.integer(
            "REPEATS",
            tr("Repetitions"),
            tr(
                "Releases by each method, all of them attacked in every way. The papers make "
                "20 and 100."
            ),
            20,
            1,
            100_000,
        ),
        parameters.area(
            tr("the reference points and the simulated pairs"),
            tr("the convex hull of the points"),
        ),
        parameters.metric(),
        parameters.integer(
            "REPLICATES",
            tr("Embeddings by the adversary"),
            tr("For lipschitz: how often the known people are embedded."),
            1000,
            2,
            advanced=True,
            only_when=_EMBEDDED,
        ),
        parameters.integer(
            "MAX_STEPS",
            tr("Most steps of a search"),
            tr("The papers stop after 20,000,000. Leave empty for no limit."),
            None,
            1,
            LARGEST_WHOLE,
            optional=True,
            advanced=True,
            only_when=_BY_CLIQUE,
        ),
        parameters.integer(
            "MAX_WORK",
            tr("Most work of a search (millions)"),
            tr(
                "A search for a clique that takes more is counted as unproven. 1,000 take some "
                "seconds whatever the data, and give the same result on every machine. Leave "
                "empty for no limit."
            ),
            1_000,
            1,
            optional=True,
            advanced=True,
            only_when=_BY_CLIQUE,
        ),
        parameters.number(
            "TIME_LIMIT",
            tr("Time limit of a search (seconds)"),
            tr(
                "A search for a clique that takes longer is counted as unproven, and an attack "
                "by likelihood ends with what it has found; what the adversary prepares before "
                "is not counted. 0 for no limit."
            ),
            0.0,
            0.0,
            advanced=True,
        ),
        parameters.number(
            "THRESHOLD",
            tr("Least confidence"),
            tr("For likelihood: matches that are less sure are not claimed."),
            THRESHOLD,
            0.0,
            1.0,
            advanced=True,
        ),
        clusters.parameter(),
        parameters.table(
            "RESUME",
            tr("Table of an earlier run"),
            tr(
                "Cells that this table has are taken over and not run again. It must come from "
                "the same points and settings."
            ),
            optional=True,
        ),
        parameters.seed(),
        verdicts.limit(),
    ]


def filled(given: Given) -> dict[str, Any]:
    """Return the parameters with what the mask file says of how releases are made."""
    mask = mask_files.read(given)
    if mask is None:
        return given.parameters
    if mask.method == EXACT:
        raise InputError(
            mark(
                "The mask file is of a release of exact distances, which needs no experiment: "
                "whoever has them can draw the map. Give no mask file, and choose a method."
            )
        )
    values = {"METHOD": mask.method, **mask_files.made_by(mask, mask_files.PARAMETERS)}
    values.pop("UNIT", None)
    for name in ("SETS", "SIZE", "SIGMA", "RADIUS"):  # lists here
        if name in values:
            values[name] = f"{values[name]:.15g}"
    if mask.method == LIPSCHITZ:
        values["STEP"] = mask.step
    return mask_files.filled(given, values)


def check(given: Given) -> str | None:
    """Return a sentence where the lists do not go together."""
    releases(given)
    if given.number("RELEASES") > 1 and given.choice("METHOD") == ISGP:
        return tr("ISGP releases are attacked one at a time. Ask for one release.")
    alphas = given.numbers("ALPHA")
    if alphas[0] <= 0 or alphas[-1] >= 1:
        return tr("Every alpha must lie between 0 and 1, these ends left out.")
    return None


def releases(given: Given) -> tuple:
    """Return the ways to release, in the order of the lists."""
    method = given.choice("METHOD")
    if method == LIPSCHITZ:
        return tuple(
            EmbeddedDistances(sets, size, given.number("PRE_NOISE"), given.number("STEP"))
            for sets in given.numbers("SETS")
            for size in given.numbers("SIZE")
        )
    if method == ISGP:
        spacing = given.number("SPACING")
        return tuple(
            SharedLabels(radius, radius / PER_RADIUS if spacing is None else spacing)
            for radius in given.numbers("RADIUS")
        )
    sigmas = given.numbers("SIGMA")
    if method == COORDINATES:
        degrees = given.choice("SIGMA_UNIT") == "degrees"
        return tuple(NoisyCoordinates(sigma, degrees) for sigma in sigmas)
    distribution = given.choice("DISTRIBUTION")
    return tuple(NoisyDistances(distribution, sigma) for sigma in sigmas)
