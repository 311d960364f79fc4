# SPDX-License-Identifier: GPL-2.0-or-later
"""How an exchange of addresses explains a point; see :mod:`.by_groups` for cells and groups."""

from __future__ import annotations

import numpy as np

from ....core.masking.dwelling_partners import dwelling_graph
from ....core.masking.partners import partner_graph
from ....core.verification.pointmask import fingerprint, fingerprint_of_texts
from ..masks.address_inputs import BY_DWELLING, EXCHANGE
from ..masks.address_masking import class_of_each
from . import by_groups
from .known import Explained, Known
from .released_at import by_dwellings, by_partners, released_at


def explain(known: Known) -> Explained:
    """Weigh the partners of each address alike, or what records of cells and groups may be."""
    known.need_the_list()
    if known.told.choice("METHOD") != EXCHANGE:
        return by_groups.explain(known, released_at(known))
    classes, step = None, known.run.step("attack")
    if known.listed.classes:
        classes = _classes(known)
    xy, k = known.candidates.xy, known.told.number("K")
    if known.mask.parameters.get("UNIT") == BY_DWELLING:
        weight = known.listed.weight
        weight = np.ones(len(xy)) if weight is None else weight
        known.need_the_dwellings(fingerprint(xy, weight))
        dwellings = dwelling_graph(xy, weight, k, classes, step)
        return Explained(by_dwellings(released_at(known), dwellings))
    graph = partner_graph(xy, k, classes, step)
    return Explained(by_partners(released_at(known), graph))


def _classes(known: Known) -> list[str]:
    """Class of each address, as the mask had it."""
    listed = known.listed
    column = listed.table.columns[listed.classes[0]]
    classes = class_of_each(column, listed.of_row, len(listed.candidates))
    texts = [*map(repr, zip(listed.candidates.tolist(), classes))]
    known.need_the_classes(fingerprint_of_texts(texts))
    return classes
