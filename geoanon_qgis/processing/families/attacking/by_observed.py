# SPDX-License-Identifier: GPL-2.0-or-later
"""How another tool's mask explains a point: by how it moved public points, BEFORE and AFTER."""

from __future__ import annotations

import numpy as np
from qgis.core import QgsProcessingFeatureSource

from ....core.attacks.masks.each_by_itself import WHOLE, by_whole_numbers
from ....core.attacks.masks.likelihood import by_law
from ....core.attacks.masks.observed import observe
from ....core.runtime.errors import InputError
from ....core.runtime.progress import part, shares
from ....core.values import NULL_TEXT
from ....core.verification.pointmask import PointMask
from ...i18n import mark, number_of, tr
from ...layers import keys, planes
from .known import Explained, Known

#: What such a mask is called, where a mask file has the name of an algorithm.
OBSERVED = "observed"
_LAYERS = (("BEFORE", "BEFORE_ID"), ("AFTER", "AFTER_ID"))


def mask_of(source: QgsProcessingFeatureSource) -> PointMask:
    """Return what is known of another tool's mask beforehand: a plane round its points."""
    crs, extent = source.sourceCrs(), source.sourceExtent()
    corners = [
        (x, y)
        for x in (extent.xMinimum(), extent.xMaximum())
        for y in (extent.yMinimum(), extent.yMaximum())
    ]
    plane = planes.plane_of(np.array(corners), crs)
    return PointMask(OBSERVED, tr("another tool"), {}, keys.crs_text(crs) or "", plane.centre, "")


def explain(known: Known) -> Explained:
    """Weigh each candidate by how often points were seen to move so far."""
    if not known.run.has("BEFORE"):  # a mask file that says so
        raise known.none_yet()
    run, crs, plane = known.run, known.points.table.crs, known.points.plane
    told: list[dict[str, np.ndarray]] = []
    stored: list[dict[str, np.ndarray]] = []
    for (name, of_id), step in zip(_LAYERS, shares(run.step("public"), 2)):
        source = run.source(name)
        field = run.field(of_id, source)
        table = run.points(source, step, [field], crs)
        ids = table.columns[field].texts(NULL_TEXT)
        told.append(dict(zip(ids, plane.forward(table.xy, run.outputs.ask))))
        stored.append(dict(zip(ids, table.xy)))
        if len(told[-1]) < len(ids):
            raise InputError(
                mark(
                    "Some points of “{name}” have the same id in the field “{field}”. Choose a "
                    "field that names each point once."
                ),
                name=source.sourceName(),
                field=field,
            )
    before, after = told
    both = [one for one in before if one in after and one != NULL_TEXT]
    pairs = np.array([(before[one], after[one]) for one in both]).reshape(-1, 2, 2)
    whole = by_whole_numbers(*(np.reshape([one[name] for name in both], (-1, 2)) for one in stored))
    step = run.step("attack")
    candidates = known.candidates.xy
    seen = observe(pairs[:, 0], pairs[:, 1], candidates, part(step, 0.0, 0.3))
    xy = seen.undone(known.points.xy)
    said = [
        tr("How the mask moves points was seen on {pairs}: {how}.").format(
            pairs=number_of(seen.pairs, "point", "points"),
            how=tr("as far everywhere")
            if seen.k is None
            else tr("as far as a part of the way to the address number {k}").format(k=seen.k),
        )
    ]
    turned = not (seen.turn == np.eye(2)).all()
    if turned:
        said.append(
            tr(
                "All of these points were turned, stretched or skewed together besides: what all "
                "share protects nobody who can see it once."
            )
        )
    elif seen.shift.any():
        metres = float(np.hypot(*seen.shift)) * plane.metres_per_unit
        said.append(
            tr(
                "All of these points were shifted by {metres:,.3g} m in one direction besides: a "
                "shift that all share protects nobody who can see it once."
            ).format(metres=metres)
        )
    likelihood = by_law(xy, candidates, seen.law, progress=part(step, 0.3, 1.0))
    not_run = tr(
        "What else the tool may do that distances do not show, such as zones, streets or whole "
        "numbers: the attack takes each direction for as likely as any other."
    )
    law = None if turned or seen.shift.any() else seen.law
    uneven = seen.uneven or (WHOLE if whole else None)
    return Explained(likelihood, law, sentences=tuple(said), not_run=(not_run,), uneven=uneven)
