# SPDX-License-Identifier: GPL-2.0-or-later
"""Up to which beliefs of who is in the file an attacked release keeps the limit."""

from __future__ import annotations

import numpy as np

from ...core.experiments.masks.one_release import bears
from ...core.experiments.masks.standing import Limit
from ..families.attacking.adversaries import PLACE, RECORD
from ..families.attacking.attacked import Attacked
from ..i18n import tr

#: Masks by which records of a unit are all as likely hers, whatever is believed of addresses.
_ALIKE = ("cells", "groups")


def borne(found: Attacked, limit: Limit) -> float:
    """Ratio of prior odds up to which the limit is kept: endless where no belief matters."""
    unswayed = _unswayed(found, limit)
    asked = [tops for name, tops in found.tops.items() if name not in unswayed]
    return min((bears(tops, limit) for tops in asked), default=float("inf"))


def sentences(found: Attacked, limit: Limit) -> list[str]:
    """What the log and the report say of it; nothing where the limit is not kept anyhow."""
    ratio = borne(found, limit)
    if ratio < 1:
        return []
    if np.isinf(ratio):
        return [tr("The limit is kept whatever anybody believes beforehand of who is in the file.")]
    return [
        tr(
            "By these probabilities the limit is kept as long as nobody has reason to hold an address for more "
            "than {ratio:.3g} times as likely to be in the file, against the others, as the list says."
        ).format(ratio=np.floor(100 * ratio + 1e-6) / 100)
    ]


def _unswayed(found: Attacked, limit: Limit) -> tuple[str, ...]:
    """Whom beliefs of addresses make no surer, by how the mask was made."""
    if found.releases > 1:
        return ()
    if found.mask.mask == "maskaggregate" or found.mask.law in _ALIKE:
        records = float(found.mask.parameters.get("K_RECORDS") or 0)
        proved = found.mask.law == "groups" and records * limit.share >= 1 - 1e-9
        return (PLACE, RECORD) if proved and not found.attributes else (RECORD,)
    return ()
