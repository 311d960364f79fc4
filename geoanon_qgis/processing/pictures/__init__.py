# SPDX-License-Identifier: GPL-2.0-or-later
"""The maps in the reports. May run in a worker thread; see :mod:`..drawing`.

They are drawn in the plane that the engine works in, so that degrees, Web Mercator and the
antimeridian leave no trace in a picture's shape or scale bar.
"""

from .aggregation import aggregation_picture
from .distances import distance_pictures, drawing_pictures, reference_pictures
from .linkage import linkage_pictures
from .masking import masking_pictures
from .microdata import anonymization_pictures, class_pictures, risk_pictures
from .reversal import reversal_pictures

__all__ = [
    "anonymization_pictures",
    "class_pictures",
    "aggregation_picture",
    "distance_pictures",
    "drawing_pictures",
    "linkage_pictures",
    "masking_pictures",
    "reference_pictures",
    "reversal_pictures",
    "risk_pictures",
]
