# SPDX-License-Identifier: GPL-2.0-or-later
"""Up to which beliefs of who is in the file an attacked release keeps the limit."""

from __future__ import annotations

import numpy as np

from ...core.experiments.masks.one_release import bears
from ...core.experiments.masks.prior_odds import rounded_down
from ...core.experiments.masks.standing import Limit
from ..families.attacking.adversaries import PLACE, RECORD
from ..families.attacking.attacked import Attacked
from ..i18n import tr

#: Masks by which records of a unit are all as likely hers, whatever is believed of addresses.
_ALIKE = ("cells", "groups")


def borne(found: Attacked, limit: Limit) -> float:
    """Ratio of prior odds up to which the limit is kept; below 1 where it is not shown to be kept.

    Endless where no belief matters.
    """
    unswayed, ratios = _unswayed(found, limit), []
    for name, (tops, together) in found.judged.items():
        ratio = bears(tops, limit, together)
        if name not in unswayed or ratio < 1:
            ratios.append(ratio)
    return min(ratios, default=float("inf"))


def sentences(found: Attacked, limit: Limit) -> list[str]:
    """What the log and the report say of it; nothing where the limit is not kept, or nobody can tell."""
    ratio, evidence = borne(found, limit), found.evidence(limit)
    if ratio < 1 or any(not one.complete or one.failed or one.undecided for one in evidence):
        return []
    if np.isinf(ratio):
        return [tr("The limit is kept whatever anybody believes beforehand of who is in the file.")]
    return [
        tr(
            "By these probabilities the limit is kept as long as nobody has reason to hold an address for more "
            "than {ratio:.6g} times as likely to be in the file, against the others, as the list says."
        ).format(ratio=rounded_down(ratio))
    ]


def _unswayed(found: Attacked, limit: Limit) -> tuple[str, ...]:
    """Whom beliefs of addresses make no surer, by how the mask was made.

    Where attributes are known, values that are missing or may differ are likelier of some people than of
    others; and who has to guess the groups guesses them by what he believes, up to what was proved.
    """
    if found.releases > 1 or found.attributes:
        return ()
    if found.mask.mask == "maskaggregate":
        return (RECORD,)
    records = float(found.mask.parameters.get("K_RECORDS") or 0)
    if found.mask.law in _ALIKE and records * limit.share >= 1 - 1e-9:
        return (PLACE, RECORD) if found.mask.law == "groups" else (RECORD,)
    return ()
