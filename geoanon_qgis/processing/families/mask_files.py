# SPDX-License-Identifier: GPL-2.0-or-later
"""MASK, the private file that says how a release was made: written by releases, read by attacks.

What it holds is in :mod:`...core.verification.maskfile`. With it an attack needs the release and
the people who are known; parameters that it brings are filled in before anything is checked, so
that the audit page has them as they were used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem, QgsProcessingFeatureSource

from ...compat import is_null
from ...core.microdata.recoding import Recoding
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, silent, weighted
from ...core.space.areas import StudyArea
from ...core.verification import digests, maskfile
from ...core.verification.maskfile import MaskFile, ReleasedFile
from ...core.verification.pointmask import PointMask
from ..dialog import parameters
from ..dialog.declaration import private
from ..i18n import mark, tr
from ..layers import whole_files
from ..layers.areas import area_of_rings, study_area
from ..layers.labels import Labels
from ..layers.reading import PointTable
from ..running import Given, Run

MASK = "MASK"
#: Which parameters of attacks those of a file's method are.
PARAMETERS = {
    "sets": "SETS",
    "size": "SIZE",
    "pre_noise": "PRE_NOISE",
    "sigma": "SIGMA",
    "sigma_unit": "SIGMA_UNIT",
    "distribution": "DISTRIBUTION",
    "radius": "RADIUS",
    "spacing": "SPACING",
}
#: What distances are released in, by one algorithm or another, and the file of the records.
_DISTANCES, _RECORDS = ("MATRIX", "SHARED"), "OUTPUT"

_OTHER_MATRIX = mark(
    "The mask file was written with another matrix ({name}), or the matrix was changed since: what "
    "it says may not hold. Choose the file that was written with this one."
)
_OTHER_RECORDS = mark(
    "The mask file was written with another file of records ({name}), or that was changed since: "
    "what it says may not hold. Choose the records and the mask file of one release."
)

#: What a release declares.
OUTPUT = private(
    MASK,
    mark("Mask file"),
    mark(
        "How the release was made: method, parameters, area, rounding, and the SHA-256 of what was "
        "released. Give it to an attack as “Mask file” (MASK), which then needs the release and "
        "the known people only."
    ),
    "json",
    more=mark("It holds no seed, no reference point and no place of a record."),
)


# --- writing --------------------------------------------------------------------------------------


def released_files(outputs) -> tuple[ReleasedFile, ...]:
    """Return the released files as they have been written, with their fingerprints."""
    return tuple(
        ReleasedFile(name, one["name"], one["sha256"], one.get("content_sha256", ""))
        for name in (*_DISTANCES, _RECORDS)
        if outputs.is_written(name)
        for one in outputs.facts_of(name, outputs.ask)["files"]
    )


def write(outputs, mask: MaskFile) -> None:
    """Write the output ``MASK``."""
    outputs.fill_file(MASK, lambda path: maskfile.write(mask, path))


# --- reading --------------------------------------------------------------------------------------


def parameter():
    """Return the parameter for a mask file."""
    return parameters.file_source(
        MASK,
        tr("Mask file of the release"),
        tr(
            "The private file that was written as MASK with the release. How the release was made "
            "is then taken from it, and what is given here besides must not contradict it."
        ),
        tr("JSON files (*.json)"),
    )


def read(given: Given) -> MaskFile | None:
    """Return the mask file that was given, None for none.

    Raises
    ------
    InputError
        If it is none.
    """
    path = given.path(MASK)
    return maskfile.read(path) if path else None


def filled(given: Given, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters with what a mask file says.

    A dialog gives its defaults, too, so that these are no contradiction.

    Raises
    ------
    InputError
        If something else was given for one of them.
    """
    result = dict(given.parameters)
    for name, value in values.items():
        definition = given.algorithm.parameterDefinition(name)
        own = result.get(name)
        if not is_null(own) and own not in (value, definition.defaultValue()):
            raise InputError(
                mark(
                    "“{label}” ({name}) is {own}, and the mask file says {value}. Leave it as it "
                    "is by default, or give no mask file."
                ),
                label=definition.description(),
                name=name,
                own=str(own),
                value=str(value),
            )
        result[name] = value
    return result


def made_by(mask: MaskFile, names: Mapping[str, str]) -> dict[str, Any]:
    """Return metric, unit and the method's parameters, as parameters of an algorithm.

    ``names`` leads from those of the file to the algorithm's; others are left out.
    """
    found = {names[one]: value for one, value in mask.parameters.items() if one in names}
    found["METRIC"] = mask.metric
    if mask.unit in parameters.UNITS:
        found["UNIT"] = mask.unit
    return found


def shared_attributes(mask: MaskFile, released, known) -> list[tuple[str, str]]:
    """Return the released attributes that known people have, too, as pairs of field names.

    Parameters
    ----------
    mask : MaskFile
    released, known : QgsFields
    """
    there = {one.lower(): one for one in known.names()}
    names = {one.lower(): one for one in released.names()}
    return [
        (names[one.lower()], there[one.lower()])
        for one in mask.attributes
        if one.lower() in there and one.lower() in names
    ]


def recoded(mask: MaskFile | None, labels: Labels, names: Sequence[str]) -> Labels:
    """Return labels of known people, grouped as the released ones are.

    ``names`` are the released fields.
    """
    if mask is None or not mask.groups:
        return labels
    return Recoding(mask.groups).labels(labels, names)


def rounding(mask: MaskFile) -> tuple[float, float]:
    """By how much released distances may stand below and above what they were, in their unit."""
    step = mask.step / parameters.UNITS.get(mask.unit, 1.0)
    return (step, 0.0) if mask.down else (step / 2, step / 2)


def area(
    mask: MaskFile | None,
    given: Given,
    xy: np.ndarray,
    crs: QgsCoordinateReferenceSystem,
    progress: Progress = silent,
) -> tuple[StudyArea, str, int]:
    """Return the area, a sentence about it, and how many points lie outside.

    The mask file's, else that of AREA, else the convex hull of the points.

    Raises
    ------
    InputError
        If both are given.
    """
    source = given.source("AREA")
    if mask is None or mask.rings is None:
        return study_area(source, xy, crs, given.context, progress)
    if source is not None:
        raise InputError(
            mark(
                "The mask file has the area of the release. Leave AREA empty, or give no mask file."
            )
        )
    own = QgsCoordinateReferenceSystem()
    if mask.crs and not own.createFromString(mask.crs):
        raise InputError(
            mark(
                "QGIS does not know the reference system of the mask file, {crs}. Give the "
                "parameters of the release by hand."
            ),
            crs=mask.crs[:80],
        )
    return area_of_rings(mask.rings, own, tr("of the mask file"), xy, crs, given.context, progress)


def tell(
    mask: MaskFile | None,
    run: Run,
    matrix: str,
    records: QgsProcessingFeatureSource | None = None,
    progress: Progress = silent,
) -> None:
    """Say in the log that a mask file was used, and warn if it is that of other files.

    Parameters
    ----------
    mask : MaskFile or None
    run : Run
    matrix : str
        Path of the matrix.
    records : QgsProcessingFeatureSource, optional
        The released records. They are compared where they are all of a file, as it lies there.
    progress : Progress
    """
    if mask is None:
        return
    run.tell(tr("How the release was made is taken from the mask file."))
    of_matrix, of_records = weighted(progress, 60, 40)
    for name in _DISTANCES:
        _compare(run, mask.file_of(name), matrix, _OTHER_MATRIX, of_matrix)
    file = None if records is None else whole_files.file_of(records)
    if file is not None:
        _compare(run, mask.file_of(_RECORDS), file.path, _OTHER_RECORDS, of_records)


def _compare(run: Run, file: ReleasedFile | None, path, warning: str, progress: Progress) -> None:
    if file is not None and not file.is_in(digests.of_file(path, progress)):
        run.warn(tr(warning).format(name=file.name))


def is_release_of(
    mask: PointMask, source: QgsProcessingFeatureSource, released: PointTable, run: Run
) -> bool | None:
    """Whether the points are those that a mask file was written with; None where nothing tells."""
    if len(released) + len(released.left_out) != mask.counts.get("released"):
        return False
    file = whole_files.file_of(source)
    named = next((one for one in mask.released if one.output == "OUTPUT"), None)
    if file is None or named is None:
        return None
    return named.is_in(digests.of_file(file.path, run.outputs.ask))
