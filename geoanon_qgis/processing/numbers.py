# SPDX-License-Identifier: GPL-2.0-or-later
"""Lists of numbers that people type, such as ``20, 100, 500``."""

from __future__ import annotations

import math
import re

from ..core.errors import InputError
from .i18n import tr

#: More would be a slip of the keyboard: each is a row of a grid of experiments.
_MOST = 200


def listed(
    text: str, what: str, minimum: float, maximum: float = math.inf, whole: bool = False
) -> list:
    """Read numbers parted by commas, semicolons or blanks; each comes once, in order of size.

    Parameters
    ----------
    text : str
    what : str
        What the list is, for the sentence: the parameter's description.
    minimum, maximum : float
        What a number may be.
    whole : bool
        Whether only whole numbers make sense; they are returned as int.

    Returns
    -------
    list of int or float

    Raises
    ------
    InputError
        If there is no number, or one that cannot be read or lies outside the limits.
    """
    words = [word for word in re.split(r"[,;\s]+", text or "") if word]
    if not words:
        raise InputError(
            tr("“{what}” has no number. Give some, such as 20, 100.").format(what=what)
        )
    values = []
    for word in words:
        try:
            value = int(word) if whole else float(word)
        except ValueError:
            value = math.nan
        if not (minimum <= value <= maximum) or math.isinf(value):
            raise InputError(
                (
                    tr("“{what}” holds “{word}”, which is no whole number of {minimum} or more.")
                    if whole and maximum == math.inf
                    else tr("“{what}” holds “{word}”, which is no number of {minimum} or more.")
                    if maximum == math.inf
                    else tr("“{what}” holds “{word}”, which is no number from {minimum} to "
                            "{maximum}.")
                ).format(what=what, word=word, minimum=f"{minimum:g}", maximum=f"{maximum:g}")
            )  # fmt: skip
        values.append(value)
    distinct = sorted(set(values))
    if len(distinct) > _MOST:
        raise InputError(
            tr("“{what}” holds {count} numbers; at most {most} make sense.").format(
                what=what, count=len(distinct), most=_MOST
            )
        )
    return distinct
