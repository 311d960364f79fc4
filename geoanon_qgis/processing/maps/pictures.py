# SPDX-License-Identifier: GPL-2.0-or-later
"""The maps in the reports. May run in a worker thread; see :mod:`.drawing`.

They are drawn in the plane that the engine works in, so that degrees, Web Mercator and the
antimeridian leave no trace in a picture's shape or scale bar.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...core.runtime.errors import MissingPackage
from ...report import Notice, Picture
from ..i18n import tr
from .distances import distance_pictures, drawing_pictures, reference_pictures
from .linkageattack import linkage_pictures
from .masking import masking_pictures
from .maskmeasures import measure_pictures
from .microdata import anonymization_pictures, class_pictures, risk_pictures
from .reversevoronoi import reversal_pictures
from .vbas import aggregation_picture

__all__ = [
    "anonymization_pictures",
    "class_pictures",
    "aggregation_picture",
    "distance_pictures",
    "drawing_pictures",
    "if_possible",
    "linkage_pictures",
    "masking_pictures",
    "measure_pictures",
    "reference_pictures",
    "reversal_pictures",
    "risk_pictures",
]


def if_possible(feedback, draw: Callable[[], Sequence[Picture]]) -> Sequence[Picture | Notice]:
    """Pictures, or in their place what they need: figures do not wait for a map.

    Parameters
    ----------
    feedback : QgsProcessingFeedback
        Is told, too, if there is no map.
    draw : callable
    """
    try:
        return draw()
    except MissingPackage as error:
        text = tr("There is no map in the report. {why}").format(why=error.sentence)
        feedback.pushWarning(text)
        return [Notice(text, "warning")]
