# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:maskdisplace."""

from __future__ import annotations

import numpy as np

from ...core.masking.displacement import MOVED, displace
from .. import literature
from ..base import Help
from ..families.masks import displacement_inputs, displacing, staying
from ..families.masks.kept_masking import SUPPORT, KeptMaskingAlgorithm, outputs, posterior_attack
from ..families.masks.masked import Masked, Way, Withheld
from ..families.masks.masking import steps
from ..i18n import mark
from ..layers import planes
from ..reports.maskdisplace import story

#: Places in the picture of where one point could have gone.
_SHOWN = 400


class MaskDisplaceAlgorithm(KeptMaskingAlgorithm):
    """Move each point in a random direction, by a law."""

    NAME = "maskdisplace"
    DISPLAY_NAME = mark("Displacement masking")
    TAGS = mark(
        "privacy, geomask, geomasking, jitter, random perturbation, displacement, donut, disc, "
        "ring, Gaussian, bimodal, Laplace, geo-indistinguishability, obfuscate, anonymise, "
        "anonymize, geo-mask, confidential, sensitive, patients, epidemiology, deidentify, "
        "de-identify, perturb, GDPR"
    )
    SHORT_DESCRIPTION = mark(
        "Moves each point in a random direction, as far as a law says: disc, donut, Gaussian, "
        "bimodal or planar Laplace, of one size or by how many live there."
    )
    HELP = Help(
        what=mark(
            "Each place moves once, in a random direction, by a distance that is drawn from a law. "
            "The size of the law is the same for all, or follows a public address list, population "
            "areas or a population raster. Zones keep points inside of borders, and areas to "
            "avoid keep them off the water; a point for which nothing of its law is left is "
            "withheld and counted, never released where it is.\n\n"
            "Records at one place move together. A place is moved by numbers that come from a "
            "secret and the place alone, and the secret file keeps where it was put: with that of "
            "the last release and the same parameters every place stays there, whoever else is in "
            "the file now and however public layers have changed, and two releases cannot be "
            "averaged. As the Demographic and Health Surveys do it: LAW=disc, EVEN_BY=radius, "
            "MAX=5000, URBAN with URBAN_MAX=2000, FAR_SHARE=0.01, FAR_MAX=10000, and districts as "
            "ZONES. Layers in degrees, in Web Mercator and the like are masked in a local "
            "metric projection. Heights and measures (Z, M) are dropped."
        ),
        when=mark(
            "To show a pattern where nobody needs to be at a true address, and where no address "
            "list is at hand that an exchange of addresses needs."
        ),
        cautions=(
            mark(
                "Who knows that a person is in the file, and where she lives, looks for a record "
                "near her home. In a file of few people he finds it: no displacement of a useful "
                "size hides whose record it is."
            ),
            mark(
                "The law is no secret: from some hundred points and an address list its "
                "parameters can be estimated. Take it that everybody knows them."
            ),
            mark(
                "A second release of the same people without the secret file of the first draws "
                "them anew, and the two tell more than each: with a hundredth of the addresses "
                "less most distances to the hundredth address are others. Who stays where an "
                "earlier list has put him is explained by that list, and not by that of now."
            ),
            mark(
                "With the same size for all, who lives apart is found. A donut's hole protects "
                "from the naive only, and an adaptive donut does not keep its least number."
            ),
        ),
        sources=(
            literature.KWAN,
            literature.HAMPTON,
            literature.CASSA,
            literature.ANDRES,
            literature.BURGERT,
            literature.ZANDBERGEN,
        ),
    )
    OUTPUTS = outputs(SUPPORT)
    STEPS = steps(public=10, sizes=5, zones=3)

    def mask_inputs(self):
        """The law, what sizes it, and where points stay."""
        return displacement_inputs.inputs()

    def check(self, given):
        """The parameters of a law go together."""
        return displacement_inputs.check(given)

    def mask(self, points, run):
        """Draw a point for each place."""
        made = displacing.read(points, run)
        moved = displace(
            points.xy,
            made.law,
            points.secret.bytes,
            self.NAME,
            made.zones,
            made.zone,
            points.table.xy,
            run.step("mask"),
        )
        before = staying.look_up(points, run, self.NAME, made.parameters, made.layers)
        put = before.put(moved.xy)
        kind = np.where(np.isnan(put[:, 0]), moved.kind, MOVED)

        def possible(row):
            """Places to which a point could have gone, drawn anew and not by the secret."""
            rng = np.random.default_rng()
            law = made.law if made.law.count is None else made.law.of(np.array([row])).alone()
            turn = rng.uniform(0.0, 2 * np.pi, _SHOWN)
            steps = law.radii(rng.uniform(1e-9, 1.0, _SHOWN))[:, None] * np.stack(
                [np.cos(turn), np.sin(turn)], axis=1
            )
            found = points.xy[row] + steps
            if made.zones is not None:
                found = found[made.zones.contain(found, np.full(_SHOWN, made.zone[row]))]
            return np.concatenate([found, put[row][None]])

        unit = planes.unit(points.table.crs)
        masked = Masked(
            put,
            story(
                made.law,
                made.parameters,
                made.zones is not None,
                points.plane.metres_per_unit,
                unit,
                posterior_attack(run),
            ),
            {"WITHHELD_COUNT": int(np.count_nonzero(kind))},
            withheld=Withheld(kind, displacing.reasons()),
            way=Way(made.name, made.parameters, made.layers),
            support=lambda rows: displacing.rings(points.xy[rows], made.law.of(rows)),
            possible=possible,
        )
        return staying.stayed(masked, self.NAME, before)
