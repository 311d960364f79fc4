# SPDX-License-Identifier: GPL-2.0-or-later
"""What an exchange of addresses keeps in the secret file: where places were put, and their groups.

An address list changes from year to year, and with it who is whose partner: a hundredth of the
addresses less, and with twenty partners each a quarter of the places would go elsewhere, by the same
number in another row of partners. Of these the two releases together left few addresses, of three
in ten a single one. So places that were released stay where they were put, by names that tell
nothing to who has not the secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...core.masking.kept_groups import KeptGroups
from ...core.masking.secretfile import SecretFile
from ...core.runtime.errors import InputError
from ...core.runtime.json_parts import is_finite
from ..i18n import mark

_OTHER_LIST = mark(
    "The groups that are kept were made with another address list. Give the list of then: with "
    "another one everybody would be placed anew."
)
_KEPT_IS_NONE = mark(
    "What the secret file keeps of earlier releases makes no sense. Choose the file that was written as "
    "SECRET_FILE with the last release, and do not change it."
)


#: Where places were put, by their names, and the fingerprint of the list whose partners they had.
Placed = Mapping[str, tuple[float, float, str]]


def placed_before(secret: SecretFile, k: int) -> Placed:
    """Return where an exchange has put places before; none before the first.

    Raises
    ------
    InputError
        If they had another number of partners, or what is kept makes no sense.
    """
    told = secret.kept.get(_name("exchange"))
    if told is None:
        return {}
    try:
        before = told["k"]
        found = {
            name: (x, y, of_list)
            for of_list, places in told["lists"].items()
            for name, (x, y) in places.items()
        }
        good = isinstance(before, int) and all(map(is_finite, _coordinates(found)))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(_KEPT_IS_NONE) from error
    if not good:
        raise InputError(_KEPT_IS_NONE)
    if before != k:
        raise InputError(
            mark(
                "The places that are kept were released with {before} partners each (K), not {now}."
                " Take {before}, or leave SECRET empty and release to other people."
            ),
            before=before,
            now=k,
        )
    return found


def _coordinates(placed: Placed) -> Iterator[float]:
    for x, y, _ in placed.values():
        yield x
        yield y


def places_for_next_time(
    earlier: Placed, k: int, names: Sequence[str], xy: np.ndarray, of_list: str
) -> dict[str, Any]:
    """Return what the next release needs to know of places: earlier ones, and these."""
    lists: dict[str, dict[str, list[float]]] = {}
    for name, (x, y, of_earlier_list) in earlier.items():
        lists.setdefault(of_earlier_list, {})[name] = [x, y]
    new = {name: place for name, place in zip(names, xy.tolist()) if name not in earlier}
    if new:
        lists.setdefault(of_list, {}).update(new)
    return {"k": k, "lists": lists}


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
