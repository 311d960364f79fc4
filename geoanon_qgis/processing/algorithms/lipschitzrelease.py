# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:lipschitzrelease."""

from __future__ import annotations

import numpy as np

from ...core.distances.lipschitz import sensible_size
from ...core.distances.release import lipschitz_release
from ...core.runtime.progress import weighted
from ...core.verification.maskfile import LIPSCHITZ
from .. import literature, styling
from ..base import Help
from ..dialog import parameters
from ..dialog.declaration import Field, private
from ..families.masks import already_masked
from ..families.release_task import Made
from ..families.releasing import DistanceReleaseAlgorithm, outputs
from ..i18n import mark, tr
from ..layers.areas import outside_sentence, study_area

_METHOD = mark(
    "Each record was given its distance to the nearest of the k reference points of "
    "each of the d sets (equation 1 of the paper); the released distance of two "
    "records is the largest difference of these (equation 2), rounded down so that it "
    "does not exceed the true one."
)
_METHOD_WITH_NOISE = mark(
    "Each record was moved by Gaussian noise of its own, and was then given its distance to the "
    "nearest of the k reference points of each of the d sets (equation 1 of the paper); the "
    "released distance of two records is the largest difference of these (equation 2), rounded "
    "down so that it does not exceed that of the moved records."
)
_METHOD_AFTER_MASK = mark(
    "The points were masked before. Each was given its distance to the nearest of the k reference "
    "points of each of the d sets (equation 1 of the paper); the released distance of two records is "
    "the largest difference of these (equation 2), rounded down so that it does not exceed that of the "
    "masked points. What is told here of true distances is told of those between masked points."
)


class LipschitzReleaseAlgorithm(DistanceReleaseAlgorithm):
    """Release a matrix of distances that never exceed the true ones."""

    NAME = "lipschitzrelease"
    DISPLAY_NAME = mark("Lipschitz embedding release")
    TAGS = mark(
        "privacy, distance matrix, anonymise, anonymize, contractive, microdata, reference sets, "
        "confidential, patients, epidemiology, deidentify, de-identify, pseudonymize, "
        "pseudonymise, GDPR"
    )
    SHORT_DESCRIPTION = mark(
        "Releases records without places, with a matrix of distances that keeps small distances "
        "and blurs large ones."
    )
    HELP = Help(
        what=mark(
            "Records are released without places, together with a distance matrix that others can "
            "analyse: nearest neighbours, clustering, spatial autocorrelation. SETS (d) times a "
            "set of SIZE (k) secret reference points is drawn from the area, uniformly by area on "
            "the ground. Each record gets its distance to the nearest point of each set, and the "
            "released distance of two records is the largest difference of these. It is never "
            "longer than the true distance, also after rounding: small distances are kept best, "
            "large ones are shortened at random.\n\n"
            "More sets keep distances better, larger sets blur them more. “Choose embedding "
            "parameters” (geoanon:chooseembedding) tries them out on your own layer."
        ),
        when=mark(
            "When researchers need distances between records but no places: cluster analysis, "
            "nearest-neighbour imputation, weights by distance."
        ),
        cautions=(
            mark(
                "Reference points, the key and the seed are secret: whoever has them can compute "
                "where the records lie."
            ),
            mark(
                "Distances identify too. An adversary who knows people of the same age and sex, "
                "and where they live, can link them by their distances. Small SIZE with many SETS "
                "protects nobody: the papers found nearly all links right at k = 1."
            ),
            mark(
                "Small distances that are kept can be chained into a map of all records where "
                "these lie densely and evenly, even with parameters that the papers recommend. The "
                "report draws it and says how far it lies off."
            ),
            mark(
                "Noise before the embedding (PRE_NOISE) is part of the places, not of the "
                "distances: who lives near whom is then only known to within the noise, clusters "
                "smaller than it dissolve, and no distance is a lower bound any more. Nobody is "
                "brought back into the area: the moved places are never released."
            ),
            mark(
                "Points that were masked before (POINT_MASK) tell whoever has the distances no more than "
                "the masked points would. “Choose a point mask” (geoanon:choosemask) tries that, beside "
                "points and areas. Do not give the masked points away as well."
            ),
            mark(
                "Release one matrix for one set of records only. A second embedding of the same "
                "records tells more than each of the two."
            ),
            mark(
                "Attributes can identify too, alone and together. By default those that do not "
                "pass a screening are withheld; the log and the report list all of them, and how "
                "many records are the only ones with their values. Look at the rest."
            ),
        ),
        sources=(literature.KROLL_SCHNELL,),
    )

    OUTPUTS = outputs(
        private(
            "REFERENCE_SETS",
            mark("Reference sets"),
            mark("The reference points. With the matrix they undo the release."),
            "point",
            [Field("set", "int"), Field("point", "int")],
            role=styling.REFERENCE_SETS,
        ),
    )

    def own_parameters(self):
        """Area, d and k."""
        return [
            parameters.area(tr("the reference points"), tr("the convex hull of the points")),
            parameters.integer(
                "SETS",
                tr("Number of reference sets (d)"),
                tr(
                    "More sets keep distances better and protect less. The papers use 5 to 500, "
                    "and 20 with large sets withstood the clique attack on their files. Choose "
                    "embedding parameters attacks yours."
                ),
                20,
                1,
            ),
            parameters.integer(
                "SIZE",
                tr("Reference points in each set (k)"),
                tr(
                    "Larger sets blur large distances more. On files like the papers', 20 sets of "
                    "20 do not withstand the attack by likelihood."
                ),
                20,
                1,
            ),
            parameters.metres(
                "PRE_NOISE",
                tr("Noise before the embedding (metres)"),
                tr(
                    "Standard deviation, to the east and to the north, of Gaussian noise by which "
                    "every place is moved before it is embedded. It hides people from the attack "
                    "by those who live near each other, which is the strongest known; it costs "
                    "nearest neighbours, and released distances may then be longer than the true "
                    "ones. 0 for none."
                ),
                0.0,
                0.0,
                optional=False,
            ),
            parameters.metres(
                "STEP",
                tr("Step of the released distances (metres)"),
                tr(
                    "Released distances are rounded down to multiples of it. Leave empty for the "
                    "steps that the decimals make. Coarse steps alone protect nobody: with steps "
                    "of 5 km people were still found."
                ),
                minimum=0.0,
            ),
            *already_masked.inputs(),
        ]

    def check(self, given):
        """A step has a size, and one noise is enough."""
        if given.has(already_masked.POINT_MASK) and given.number("PRE_NOISE"):
            return tr(
                "The points are masked already (POINT_MASK). Leave PRE_NOISE at 0: both together move "
                "people farther than either says."
            )
        if given.number("STEP") == 0:
            return tr("The step must be above 0. Leave it empty for none.")
        return super().check(given)

    def step(self, given):
        """Return STEP."""
        return given.number("STEP")

    def bytes_a_record(self, given):
        """The embedding: d numbers."""
        return 8.0 * given.number("SETS")

    def make(self, task, run, progress):
        """Draw reference sets, embed, round down."""
        of_area, of_release = weighted(progress, 5, 95)
        sets = run.number("SETS")
        size = run.number("SIZE")
        table, metric = task.table, task.metric
        given = run.source("AREA")
        known = {} if given is None else {"AREA": given.sourceName()}
        area, sentence, outside = study_area(given, table.xy, table.crs, run.context, of_area)
        warnings = [outside_sentence(outside, len(table))] if outside else []
        too_large = sensible_size(size, task.points, area, metric, run.outputs.ask)
        if too_large:
            warnings.append(too_large)
        noise, step = run.number("PRE_NOISE"), self.step(run)
        if noise:
            warnings.append(_of_noise(noise, metric.unit))
        masked = already_masked.read(run, table)
        if masked is not None:
            warnings += masked.warnings
        released, references = lipschitz_release(
            table.xy,
            area,
            metric,
            sets,
            size,
            task.decimals,
            task.factor,
            task.rng,
            of_release,
            pre_noise=noise,
            multiple=task.multiple,
        )
        settings = [
            (tr("Reference sets (d)"), sets),
            (tr("Points in each set (k)"), size),
            (tr("Area"), sentence),
        ]
        method = _METHOD
        if masked is not None:
            settings += masked.settings
            known |= masked.known
            method = _METHOD_AFTER_MASK
        if noise:
            settings.append((tr("Noise before the embedding"), f"{noise:g} {metric.unit}"))
            known["PRE_NOISE"] = f"{noise:g}"
            method = _METHOD_WITH_NOISE
        if step is not None:
            settings.append((tr("Step of the released distances"), f"{step:g} {metric.unit}"))
        return Made(
            released,
            [sentence],
            warnings,
            settings,
            tr(method),
            references,
            dict(RULE="lipschitz", SETS=sets, SIZE=size, **known),
            area.rings,
            given is not None,
            (
                LIPSCHITZ,
                {
                    "sets": sets,
                    "size": size,
                    "pre_noise": noise if masked is None else masked.spread,
                },
            ),
            True,
        )

    def write_more(self, task, made, outputs):
        """Write the reference points."""
        sets, size, _ = made.reference_sets.shape
        numbers = np.arange(sets * size)
        outputs.add_points(
            "REFERENCE_SETS",
            made.reference_sets.reshape(-1, 2),
            None,
            [numbers // size + 1, numbers % size + 1],
            task.table.crs,
        )


def _of_noise(noise: float, unit: str) -> str:
    """What noise before the embedding means for those who analyse the release."""
    return tr(
        "Every place was moved before it was embedded, by {noise:g} {unit} (standard deviation) in "
        "each direction. Released distances may now be longer than the true ones: they are lower "
        "bounds no more. Tell those who get them how large the noise is. Nearest neighbours, "
        "clusters and spatial autocorrelation at distances of that size are not to be trusted."
    ).format(noise=noise, unit=unit)
