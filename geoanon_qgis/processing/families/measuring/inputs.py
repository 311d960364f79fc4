# SPDX-License-Identifier: GPL-2.0-or-later
"""What the measures of a point mask ask for."""

from __future__ import annotations

from ....core.measures.envelopes import SIMULATIONS
from ... import verdicts
from ...dialog import notes, parameters
from ...i18n import tr
from ...running import Given

#: Draws of the scan statistic, and the share of the population in its largest circle.
DRAWS, SHARE = 999, 0.5


def inputs() -> list:
    """Return the parameters."""
    return [
        parameters.points(
            "ORIGINAL", tr("Original points"), tr("The sensitive points, before the mask.")
        ),
        notes.judged(
            parameters.points(
                "RELEASED", tr("Masked points"), tr("The released layer, in any reference system.")
            )
        ),
        *_pairing(),
        parameters.points(
            "CANDIDATES",
            tr("Address list"),
            tr(
                "All places where people could live. Actual k counts them; without CONTROLS the "
                "scan statistic takes them for the population at risk."
            ),
            optional=True,
        ),
        parameters.points(
            "CONTROLS",
            tr("Controls"),
            tr(
                "Points of the population from which the cases come, for the scan statistic: "
                "controls, or addresses with the number of people. They must come from wherever "
                "cases could."
            ),
            optional=True,
        ),
        parameters.field(
            "CONTROLS_WEIGHT",
            tr("People at a control"),
            tr("Field of the controls. Empty: each is one."),
            "CONTROLS",
            numeric=True,
        ),
        parameters.source(
            "POPULATION",
            tr("Population areas"),
            tr(
                "Areas with their number of people, that do not overlap: for estimated k, and for "
                "the scan statistic where neither controls nor an address list are given."
            ),
            "polygon",
            optional=True,
        ),
        parameters.field(
            "POPULATION_FIELD",
            tr("Field with the number of people"),
            tr("Of the population areas."),
            "POPULATION",
            numeric=True,
        ),
        parameters.area(
            tr("the points"), tr("the convex hull of the original points, a little widened")
        ),
        parameters.points(
            "SERVICES",
            tr("Services"),
            tr("Places such as clinics or schools: distances to the nearest one are compared."),
            optional=True,
        ),
        parameters.source(
            "ZONES",
            tr("Zones"),
            tr("Areas such as districts: how many points stay in theirs, and Moran's I of counts."),
            "polygon",
            optional=True,
        ),
        parameters.file_source(
            "MASK",
            tr("Mask file"),
            tr(
                "The private file that was written as MASK with the release. With it and the "
                "address list the posterior attack is run, and what it finds stands beside the "
                "measures of risk."
            ),
            tr("JSON files (*.json)"),
        ),
        *_settings(),
    ]


def _pairing() -> list:
    return [
        parameters.table(
            "KEY",
            tr("Key"),
            tr(
                "The private table that was written with the release. It says which released point "
                "is which original. Points are never matched by their order."
            ),
            optional=True,
        ),
        parameters.field(
            "ORIGINAL_ID",
            tr("Field with the ids of the originals"),
            tr("With RELEASED_ID and without a key, equal ids are one record."),
            "ORIGINAL",
            advanced=True,
        ),
        parameters.field(
            "RELEASED_ID",
            tr("Field with the same ids in the release"),
            tr("For a release of another tool, which keeps ids."),
            "RELEASED",
            advanced=True,
        ),
    ]


def _settings() -> list:
    return [
        parameters.number(
            "SHARE",
            tr("Largest cluster, as a share of the population"),
            tr("Circles of the scan statistic hold no more of the population at risk than that."),
            SHARE,
            minimum=0.001,
            maximum=0.5,
            advanced=True,
        ),
        parameters.integer(
            "DRAWS",
            tr("Draws for the p-value of clusters"),
            tr("So often cases are put on the population at random. 0: without p-values."),
            DRAWS,
            minimum=0,
            maximum=99_999,
            advanced=True,
        ),
        parameters.integer(
            "SIMULATIONS",
            tr("Simulations for the envelopes of K"),
            tr(
                "Random patterns with which L and cross-K are compared: 39 at least, or 0 for no "
                "envelopes."
            ),
            SIMULATIONS,
            minimum=0,
            maximum=9_999,
            advanced=True,
        ),
        parameters.seed(),
        verdicts.limit(),
    ]


def check(given: Given) -> str | None:
    """Say what does not go together."""
    if given.same_layer("ORIGINAL", "RELEASED"):
        return tr(
            "The released layer is the original itself. Choose the layer that the mask has written."
        )
    said = verdicts.senseless(given.acceptable())
    if said:
        return said
    ids = [given.has(name) for name in ("ORIGINAL_ID", "RELEASED_ID")]
    if not given.has("KEY") and not all(ids):
        return tr(
            "Nothing says which released point is which original. Give the key (KEY) that was "
            "written with the release, or with ORIGINAL_ID and RELEASED_ID the fields in which "
            "both layers have the same ids. The order of the rows means nothing."
        )
    if given.has("POPULATION") and not given.has("POPULATION_FIELD"):
        return tr(
            "The population areas (POPULATION) need the field with the number of people in each "
            "(POPULATION_FIELD)."
        )
    simulations = given.number("SIMULATIONS")
    if 0 < simulations < SIMULATIONS:
        return tr(
            "{simulations} simulations (SIMULATIONS) are too few for an envelope of 95 %: give "
            "{least} or more, or 0 for none."
        ).format(simulations=simulations, least=SIMULATIONS)
    if given.has("MASK") and not given.has("CANDIDATES"):
        return tr(
            "The posterior attack by the mask file (MASK) needs an address list (CANDIDATES)."
        )
    return None
