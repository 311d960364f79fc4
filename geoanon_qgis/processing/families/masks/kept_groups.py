# SPDX-License-Identifier: GPL-2.0-or-later
"""What cells and groups of an exchange keep in the secret file: which places are together, and where
they were put."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.masking.kept_groups import KeptGroups
from ....core.masking.secretfile import SecretFile
from ....core.runtime.errors import InputError
from ...i18n import mark

_OTHER_LIST = mark(
    "The groups that are kept were made with another address list. Give the list of then: with "
    "another one everybody would be placed anew."
)
_KEPT_IS_NONE = mark(
    "What the secret file keeps of earlier releases makes no sense. Choose the file that was written as "
    "SECRET_FILE with the last release, and do not change it."
)


def for_next_time(groups: KeptGroups, of_list: str) -> dict[str, Any]:
    """Return what the next release needs to know of groups; ``of_list`` is the list's fingerprint.

    Addresses are told by their places: the rows of a list may stand in another order next time.
    """
    return {
        "addresses": of_list,
        "k_records": groups.k_records,
        "place": groups.xy[groups.place].tolist(),
        "group": groups.group.tolist(),
        "released": groups.xy[groups.released].tolist(),
    }


def of_earlier(
    secret: SecretFile, method: str, addresses: np.ndarray, of_list: str
) -> KeptGroups | None:
    """Return the groups of earlier releases; None before the first.

    Parameters
    ----------
    secret : SecretFile
    method : str
        ``cells`` or ``groups``.
    addresses : (m, 2) array
        By x, then y.
    of_list : str

    Raises
    ------
    InputError
        If they were made with another list, or make no sense.
    """
    told = secret.kept.get(_name(method))
    if told is None:
        return None
    try:
        if told["addresses"] != of_list:
            raise InputError(_OTHER_LIST)
        rows = {tuple(place): row for row, place in enumerate(addresses.tolist())}
        place, released = (
            np.array([rows[tuple(one)] for one in told[name]], dtype=np.int64)
            for name in ("place", "released")
        )
        group, k_records = np.array(told["group"]), int(told["k_records"])
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(_KEPT_IS_NONE) from error
    fits = group.shape == place.shape == released.shape and (np.diff(place) > 0).all()
    fits = fits and (group.dtype == np.int64 or not len(group))
    if not fits or (len(group) and set(np.unique(group)) != set(range(group.max() + 1))):
        raise InputError(_KEPT_IS_NONE)
    none = np.empty(0, dtype=np.int64)
    return KeptGroups(addresses, k_records, place, group, released, none, none)


def with_kept(secret: SecretFile, method: str, kept: dict[str, Any]) -> SecretFile:
    """Return the secret file with what was made for the next time."""
    return secret.with_kept(_name(method), kept)


def _name(method: str) -> str:
    return f"maskexchange {method}"
