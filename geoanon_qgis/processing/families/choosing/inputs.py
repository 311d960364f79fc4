# SPDX-License-Identifier: GPL-2.0-or-later
"""What the choice of an embedding asks for."""

from __future__ import annotations

from ....core.attacks.maps.adversary import OVERLAPS
from ....core.attacks.maps.embedding_risk import REPLICATES
from ....core.distances import choice
from ....core.experiments.advice import DISTANCES, MOST_DRAWS, MOST_SLOW, NEIGHBOURS
from ... import verdicts
from ...dialog import parameters
from ...i18n import tr
from .. import clusters, grouping
from ..linkage.parameters import known_links_number
from . import earlier

GRID, HALVING = "grid", "halving"
#: What rows are useful for, and the measure of it.
USEFUL = {"distances": DISTANCES, "neighbours": NEIGHBOURS}


def inputs() -> list:
    """Return the parameters of what is read."""
    return [
        parameters.points(
            "INPUT",
            tr("Points"),
            tr("The points to be released, in any coordinate reference system."),
        ),
        parameters.fields(
            "QIS",
            tr("Quasi-identifiers"),
            tr(
                "Attributes that the release will have and that an adversary may know, such as "
                "age and sex. Leave empty where he knows none: then he has distances alone."
            ),
            "INPUT",
        ),
        parameters.numbers(
            "OVERLAP",
            tr("Released people whom the adversary knows (per cent)"),
            tr(
                "Numbers parted by commas, each of those released here. A row has to hold "
                "under all of them."
            ),
            ", ".join(f"{100 * share:g}" for share in OVERLAPS),
            0.1,
            100,
        ),
        parameters.boolean(
            "NEIGHBOURS",
            tr("Neighbours among those whom the adversary knows"),
            tr(
                "Tries every overlap a second time, with people who live round one of them, as in "
                "one village, street or clinic: distances of neighbours are kept best, so that he "
                "finds many more. Without it, what is said is of people known here and there only."
            ),
            True,
        ),
        parameters.integer(
            "N_KNOWN",
            tr("People whom the adversary knows in all"),
            tr("Leave empty for as many as are released."),
            None,
            1,
            optional=True,
        ),
        known_links_number(),
        parameters.integer(
            "RELEASES",
            tr("Releases of the same people that the adversary holds"),
            tr(
                "So many embeddings are made in each draw, and he puts them together: the largest "
                "distance of each pair counts, with PRE_NOISE the mean. Records bear the same ids in "
                "all of them. Not with ISGP_RADIUS."
            ),
            1,
            1,
            100,
        ),
        parameters.numbers(
            "SETS",
            tr("Numbers of reference sets (d) to try"),
            tr("Numbers parted by commas."),
            "10, 20, 60, 100",
            1,
            whole=True,
        ),
        parameters.numbers(
            "SIZE",
            tr("Sizes of reference sets (k) to try"),
            tr("Numbers parted by commas."),
            "2, 5, 10, 20, 30",
            1,
            whole=True,
        ),
        parameters.numbers(
            "PRE_NOISE",
            tr("Noise before the embedding to try (metres)"),
            tr(
                "Standard deviations parted by commas; 0 for none. Leave empty to try none "
                "first and, where no row holds, growing noise on the row that comes nearest."
            ),
            "",
            0,
            optional=True,
        ),
        parameters.numbers(
            "STEP",
            tr("Steps of the released distances to try (metres)"),
            tr(
                "Numbers parted by commas; 0 for none. Released distances are rounded down to "
                "multiples of it."
            ),
            "0",
            0,
            optional=True,
        ),
        parameters.numbers(
            "ISGP_RADIUS",
            tr("Radii of ISGP to try (metres)"),
            tr(
                "Numbers parted by commas, for ISGP releases of distances beside the embeddings: "
                "distances up to two radii are told, and nothing beyond. Leave empty for none. "
                "Attacks on them take longer, the more so the larger the radius."
            ),
            "",
            0,
            optional=True,
        ),
        parameters.integer(
            "REPEATS",
            tr("Repetitions"),
            tr(
                "Releases of each combination that are measured; with halving, of each that "
                "is left at the end. Attacks have releases of their own."
            ),
            10,
            2,
            10_000,
        ),
        parameters.choice(
            "SEARCH",
            tr("Search"),
            tr(
                "grid: all combinations get all repetitions. halving: all get two, the better "
                "half twice as many, and so on; for large grids."
            ),
            [GRID, HALVING],
            GRID,
        ),
        parameters.number(
            "PRECISION",
            tr("Highest precision of the attack"),
            tr(
                "At most this share of the adversary's claims, or of his surest guesses, may be "
                "right, by the upper end of the interval. The papers hold more than 0.25 not acceptable."
            ),
            choice.MOST_PRECISION,
            0.0,
            1.0,
        ),
        parameters.number(
            "NEAREST",
            tr("Lowest share of nearest neighbours kept"),
            tr("Limit where nobody is attacked (DRAWS=0), and for halving."),
            choice.LEAST_KEPT,
            0.0,
            1.0,
        ),
        parameters.choice(
            "PREFER",
            tr("What is to be kept"),
            tr(
                "Of rows that hold the most useful one is recommended, and rows are followed in this "
                "order. distances: by the papers' utility, 1 / variance of released less true "
                "distances over all pairs, of which the far ones count most. neighbours: by the "
                "share of the ten nearest neighbours that are kept."
            ),
            list(USEFUL),
            "distances",
        ),
        parameters.integer(
            "DRAWS",
            tr("Most draws of people"),
            tr(
                "With each overlap, for a row that is neither ruled out nor known to hold. 0 "
                "to leave the attacks out: the recommendation then looks only at what is kept "
                "and how much distances are blurred."
            ),
            MOST_DRAWS,
            0,
            10_000,
        ),
        parameters.integer(
            "LIKELIHOOD",
            tr("Draws attacked by likelihood"),
            tr(
                "A row is recommended only if it holds against likelihood and signatures, too, "
                "with the largest overlap, in so many draws at most; each takes about a "
                "minute. 0 to leave likelihood out. Only with quasi-identifiers."
            ),
            MOST_SLOW,
            0,
            1_000,
        ),
        parameters.area(tr("the reference points"), tr("the convex hull of the points")),
        parameters.metric(),
        parameters.number(
            "ALPHA",
            tr("Share of true pairs the adversary accepts"),
            tr(
                "The clique attack's alpha; the papers try 0.1, 0.5 and 0.9, of which 0.9 "
                "mostly finds most. Where its search is cut off, what it has found counts, and "
                "0.5 and 0.1 follow until one comes to its end."
            ),
            0.9,
            0.001,
            0.999,
            advanced=True,
        ),
        parameters.integer(
            "REPLICATES",
            tr("Embeddings by the adversary"),
            tr("How often the adversary embeds the people he knows."),
            REPLICATES,
            2,
            advanced=True,
        ),
        grouping.parameter(),
        parameters.numbers(
            "N_RELEASED",
            tr("Records released in the attacks"),
            tr(
                "Numbers parted by commas: fewer records give fewer neighbours away. Leave "
                "empty for as many as there are people for beside those whom he knows (500 at "
                "most; 200 without quasi-identifiers). Overlaps are shares of it."
            ),
            "",
            10,
            whole=True,
            optional=True,
        ),
        parameters.integer(
            "RECORDS",
            tr("Most records used"),
            tr("A random sample of so many records is used where there are more."),
            2_000,
            3,
            advanced=True,
        ),
        clusters.parameter(),
        earlier.parameter(),
        parameters.seed(),
        verdicts.limit(),
    ]
