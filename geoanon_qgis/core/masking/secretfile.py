# SPDX-License-Identifier: GPL-2.0-or-later
"""Secret files: what a point mask needs to give the same points again.

One draw is kept for a place (see :mod:`.kept_draws`): the same secret, the same plane and
the same mask lead the same place to the same point in every release. So a secret file holds the
secret, and where the plane lies: a plane that were chosen anew would lie elsewhere when the file
has grown, and everybody would move. It also says with which masks and lists it was used before,
for whoever masks the same people in another way with the same secret draws them anew.

A secret file undoes the release together with the public lists. It is as secret as the data.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..runtime.json_parts import Kind
from ..runtime.private_files import write_private
from ..runtime.wording import mark
from .kept_draws import new_secret, read_secret

#: Places that are kept take up to 200 bytes each: what is written must be read again.
_MOST_BYTES = 2_000_000_000
KIND = Kind("geoanon-secret", 1, mark("secret file"), "SECRET_FILE", _MOST_BYTES)
#: Characters of what a secret is called by.
_ID = 16


@dataclass(frozen=True)
class SecretFile:
    """What a secret file holds.

    Attributes
    ----------
    secret : str
        In hexadecimal digits.
    crs : str
        Reference system of the points, as an authority's code or WKT; empty for none.
    centre : (float, float) or None
        Longitude and latitude at which the plane touches the ellipsoid; None where the points'
        own coordinates are the plane.
    used : mapping of str to str
        The masks that it was used for, and a fingerprint of how each moved points.
    kept : mapping of str to object
        What else a mask keeps for the next release, such as groups of records.
    """

    secret: str = field(repr=False)
    crs: str
    centre: tuple[float, float] | None
    used: Mapping[str, str] = field(default_factory=dict)
    kept: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def new(cls, crs: str, centre: tuple[float, float] | None) -> SecretFile:
        """Return one with a new secret from the operating system."""
        return cls(new_secret(), crs, centre)

    @property
    def bytes(self) -> bytes:
        """The secret itself."""
        return read_secret(self.secret)

    @property
    def id(self) -> str:
        """What the secret is called by where it must not be told."""
        told = hashlib.sha256(b"what a secret of GeoAnon is called by" + self.bytes)
        return told.hexdigest()[:_ID]

    def other_use(self, mask: str, fingerprint: str) -> bool:
        """Tell whether it was used for this mask before, and that moved points in another way."""
        return self.used.get(mask, fingerprint) != fingerprint

    def with_use(self, mask: str, fingerprint: str) -> SecretFile:
        """Return the file as it is after a mask."""
        return replace(self, used={**self.used, mask: fingerprint})

    def with_kept(self, mask: str, what: Any) -> SecretFile:
        """Return the file with what a mask keeps for the next release."""
        return replace(self, kept={**self.kept, mask: what})

    def as_json(self) -> str:
        """Return the text of the file."""
        return KIND.text(
            {
                "private": True,
                "secret": self.secret,
                "crs": self.crs,
                "centre": None if self.centre is None else list(self.centre),
                "used": dict(self.used),
                "kept": dict(self.kept),
            }
        )


def write(secret: SecretFile, path: str | Path) -> None:
    """Write a secret file, which its owner alone may read.

    Raises
    ------
    OSError
    """
    write_private(path, secret.as_json())


def read(path: str | Path) -> SecretFile:
    """Read a secret file.

    Raises
    ------
    InputError
        If it cannot be read, is none, or its secret is too short. No sentence repeats the secret.
    """
    parts = KIND.read(path)
    used = parts.named(parts.told.get("used"), "used")
    parts.texts(list(used.values()), "used")
    kept = parts.named(parts.told.get("kept"), "kept")
    crs, centre = parts.text("crs"), parts.centre("centre")
    found = SecretFile(parts.text("secret"), crs, centre, used, kept)
    read_secret(found.secret)
    return found
