# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:noisydistances."""

from __future__ import annotations

from ...core.distances.release import COORDINATES, EXACT, noisy_release
from ...core.runtime.errors import InputError
from ...core.verification.maskfile import COORDINATE_NOISE, DISTANCE_NOISE
from .. import literature
from ..base import Help
from ..dialog import parameters
from ..families.release_task import Made
from ..families.releasing import DistanceReleaseAlgorithm, outputs
from ..i18n import mark, tr
from ..layers import planes

GAUSSIAN, LAPLACE = "gaussian", "laplace"


class NoisyDistancesAlgorithm(DistanceReleaseAlgorithm):
    """Release distances with noise, to compare the embedding with."""

    NAME = "noisydistances"
    DISPLAY_NAME = mark("Noisy distance release")
    TAGS = mark(
        "privacy, distance matrix, anonymise, anonymize, Gaussian, Laplace, noise, microdata, "
        "confidential, deidentify, de-identify, perturb, GDPR"
    )
    SHORT_DESCRIPTION = mark(
        "Releases records without places, with a matrix of distances to which noise was added."
    )
    HELP = Help(
        what=mark(
            "The releases that Lipschitz embedding is compared with. Either the coordinates get "
            "Gaussian noise and the distances of the moved points are released, or each distance "
            "gets Gaussian or Laplace noise of its own; or the distances are exact, which protects "
            "nobody. The matrix is symmetric, has no negative entries and a zero diagonal: where "
            "noise would make a distance negative it becomes 0."
        ),
        when=mark(
            "To see what noise costs and what it protects beside the embedding, on the same "
            "records and with the same measures."
        ),
        cautions=(
            mark(
                "Noise on coordinates has to be large before it protects: the 2014 paper links "
                "records rightly with noise of some kilometres."
            ),
            mark(
                "Noise of its own on each distance averages out: many distances to known places "
                "give a place away. It also breaks the triangle inequality."
            ),
            mark(
                "“exact” releases true distances. From those the map of all records can be drawn, "
                "up to rotation and mirroring."
            ),
        ),
        sources=(literature.KROLL,),
    )

    OUTPUTS = outputs()

    def own_parameters(self):
        """The kind of noise, and how much."""
        return [
            parameters.choice(
                "NOISE",
                tr("Noise"),
                tr(
                    "coordinates: Gaussian noise on both coordinates of each record, before "
                    "distances are measured. gaussian, laplace: noise on each distance. exact: "
                    "none."
                ),
                [COORDINATES, GAUSSIAN, LAPLACE, EXACT],
                COORDINATES,
            ),
            parameters.number(
                "SIGMA",
                tr("Size of the noise"),
                tr(
                    "Standard deviation of Gaussian noise, for coordinates in each direction; the "
                    "scale b of Laplace noise, whose standard deviation is 1.41 b."
                ),
                1000.0,
                0.0,
                only_when={"NOISE": (COORDINATES, GAUSSIAN, LAPLACE)},
            ),
            parameters.choice(
                "SIGMA_UNIT",
                tr("Unit of the size"),
                tr(
                    "m: metres on the ground. degrees: for noise on coordinates, degrees of "
                    "longitude and latitude, as the 2014 paper does."
                ),
                ["m", "degrees"],
                "m",
                only_when={"NOISE": (COORDINATES,)},
            ),
        ]

    def check(self, given):
        """Check that unit and noise go together."""
        noise = given.choice("NOISE")
        in_degrees = given.choice("SIGMA_UNIT") == "degrees"
        if in_degrees and noise in (GAUSSIAN, LAPLACE):
            return tr(
                "Noise on distances is given in metres. Choose the unit m, or noise on coordinates."
            )
        if noise != EXACT and not given.number("SIGMA") > 0:
            return tr("The size of the noise must be positive; the choice “exact” adds none.")
        return super().check(given)

    def make(self, task, run, progress):
        """Add the noise, round."""
        noise = run.choice("NOISE")
        sigma = run.number("SIGMA")
        unit = run.choice("SIGMA_UNIT")
        table, warnings = task.table, []
        if noise == COORDINATES:
            if unit == "degrees" and not table.crs.isValid():
                raise InputError(
                    tr(
                        "The layer has no coordinate reference system, so nothing is known of its "
                        "degrees. Choose the unit m, which means the layer's own unit here."
                    )
                )
        elif noise == EXACT:
            warnings.append(
                tr(
                    "The released distances are EXACT. Whoever knows the places of three records "
                    "knows those of all, and the shape of the map can be drawn from the matrix "
                    "alone. Do not give this release away."
                )
            )
        released = noisy_release(
            table.xy,
            task.metric,
            noise,
            sigma,
            unit == "degrees",
            planes.wkt(table.crs),
            task.decimals,
            task.factor,
            task.rng,
            progress,
        )
        settings = [(tr("Noise"), noise)]
        if noise != EXACT:
            settings.append((tr("Size of the noise"), f"{sigma:g} {unit}"))
        method = {
            COORDINATES: tr(
                "Each record was moved by Gaussian noise of its own in both coordinates; the "
                "distances of the moved points were released."
            ),
            GAUSSIAN: tr(
                "Each distance got Gaussian noise of its own; what would be negative became 0."
            ),
            LAPLACE: tr(
                "Each distance got Laplace noise of its own; what would be negative became 0."
            ),
            EXACT: tr("The distances are exact, but for rounding."),
        }
        known = {"SIGMA": f"{sigma:g}"}
        attack = {
            COORDINATES: dict(RULE="coordinate_noise", **known, SIGMA_UNIT=unit),
            GAUSSIAN: dict(RULE="distance_noise", **known, DISTRIBUTION=noise),
            LAPLACE: dict(RULE="distance_noise", **known, DISTRIBUTION=noise),
            # Rounding is part of the tolerance.
            EXACT: dict(
                RULE="absolute",
                EPSILON=f"{max(1.0, task.factor * 10.0**-task.decimals):g}",
            ),
        }
        masks = {
            COORDINATES: (COORDINATE_NOISE, {"sigma": sigma, "sigma_unit": unit}),
            GAUSSIAN: (DISTANCE_NOISE, {"sigma": sigma, "distribution": noise}),
            LAPLACE: (DISTANCE_NOISE, {"sigma": sigma, "distribution": noise}),
            EXACT: (EXACT, {}),
        }
        return Made(
            released,
            [],
            warnings,
            settings,
            method[noise],
            attack=attack[noise],
            mask=masks[noise],
        )
