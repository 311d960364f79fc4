# SPDX-License-Identifier: GPL-2.0-or-later
"""The front door of the engine: a dozen functions in the words of the field.

Points are (n, 2) arrays, x before y, with ``crs=`` (anything that ``pyproj.CRS`` takes), or a
GeoDataFrame that says itself where it is. Tables are dicts of columns or DataFrames. ``seed=``
repeats a run; None takes the operating system's randomness, as a release should. Results are the
engine's own frozen dataclasses; printed, they say what they are in a few lines, with figures over
all records and never the value of one. Everything that cannot be worked with is refused with an
:class:`InputError` whose message says what to do.

The names are verbs that take a ``method=``, rather than a function for each method: a new mask or
attack is then one more word, and what is written for one works with all.
"""

from ..distances.matrix import DistanceMatrix
from ..runtime.errors import Cancelled, GeoAnonError, InputError, MissingPackage
from ..space.areas import StudyArea
from .attributes import equivalence_classes, screen
from .distances import DistanceRelease, release
from .linking import link
from .places import attack, mask, score, study_area
from .regions import aggregate
from .tables import anonymize, measure
from .usefulness import utility

__all__ = [
    "Cancelled",
    "DistanceMatrix",
    "DistanceRelease",
    "GeoAnonError",
    "InputError",
    "MissingPackage",
    "StudyArea",
    "aggregate",
    "anonymize",
    "attack",
    "equivalence_classes",
    "link",
    "mask",
    "measure",
    "release",
    "score",
    "screen",
    "study_area",
    "utility",
]
