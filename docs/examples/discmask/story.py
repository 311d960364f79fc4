# SPDX-License-Identifier: GPL-2.0-or-later
"""What the report of a disc masking tells besides what all masks tell. ``reports/discmask.py``."""

from __future__ import annotations

from geoanon_qgis.processing.i18n import tr
from geoanon_qgis.processing.reports.masking import Story
from geoanon_qgis.report import Reference

KWAN = Reference(
    "Kwan, M.-P., Casas, I. and Schmitz, B. C. (2004). Protection of geoprivacy and accuracy of "
    "spatial information: how effective are geographical masks? Cartographica 39(2), 15–28.",
    "10.3138/X204-4223-57MK-8273",
)


def story(radius: float, unit: str) -> Story:
    """Tell of a mask with a radius in metres, or in the layer's own unit."""
    named = {"radius": f"{radius:g}", "unit": unit}
    hides = tr(
        "A masked point tells that the place lies within {radius} {unit} of it. Where few people "
        "live within so far, it tells who it is; and a second release of the same points tells "
        "more than each of the two, for the place lies in both discs."
    ).format(**named)
    step = tr(
        "Count the addresses within {radius} {unit} of each masked point: a person hides among no "
        "more than those. Leave out who hides among fewer than you promise, or take a larger "
        "radius."
    ).format(**named)
    method = tr(
        "Each place moved to one that is drawn uniformly, by area, from the disc with a radius of "
        "{radius} {unit} round it; points that share a place moved together."
    ).format(**named)
    return Story(
        method,
        [KWAN],
        [(tr("A disc hides nobody who lives apart"), hides)],
        [step],
        figures=lambda page: page.figure(
            "radius", tr("Radius"), radius, tr("No point moved farther than this."), unit=unit
        ),
    )
