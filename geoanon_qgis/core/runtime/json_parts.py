# SPDX-License-Identifier: GPL-2.0-or-later
"""Private JSON files of a mask: read whole, and looked at part by part before anything is taken."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import InputError
from .wording import Sentence, mark


@dataclass(frozen=True)
class Kind:
    """A kind of file.

    Attributes
    ----------
    format : str
        What the file says that it is.
    version : int
    called : str
        What people call it, such as “mask file”; marked.
    output : str
        The output that it was written as.
    most_bytes : int
        Larger files are none.
    """

    format: str
    version: int
    called: str
    output: str
    most_bytes: int = 64_000_000

    def text(self, told: Mapping[str, Any]) -> str:
        """Return the text of a file that tells what is given."""
        whole = {"format": self.format, "version": self.version, **told}
        return json.dumps(whole, indent=1, allow_nan=False) + "\n"

    def read(self, path: str | Path) -> Parts:
        """Read a file of this kind.

        Raises
        ------
        InputError
            If it cannot be read, is another kind of file, or of another version.
        """
        path = Path(path)
        try:
            with path.open("rb") as file:
                data = file.read(self.most_bytes + 1)
        except OSError as error:
            raise InputError(
                "The {called} “{name}” cannot be read: {cause}.",
                called=Sentence(self.called),
                name=path.name,
                cause=error.strerror or str(error),
            ) from error
        if len(data) > self.most_bytes:
            raise self._bad(path, mark("it is too large"))
        try:
            told = json.loads(data.decode("utf-8-sig"), parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise self._bad(path, mark("it is no JSON")) from error
        if not isinstance(told, dict) or told.get("format") != self.format:
            raise self._bad(path, mark("it does not say that it is one"))
        if told.get("version") is None:
            raise self._bad(path, mark("it does not say its version"))
        if told.get("version") != self.version:
            raise InputError(
                "The {called} “{name}” has the version {version}, and this plugin reads version "
                "{own}. Use the version of the plugin that wrote it, or a newer one.",
                called=Sentence(self.called),
                name=path.name,
                version=str(told.get("version"))[:20],
                own=self.version,
            )
        return Parts(self, path, told)

    def _bad(self, path: Path, why: str) -> InputError:
        return InputError(
            "“{name}” is no {called} that can be used: {why}. Choose the file that was written as "
            "{output} when the release was made.",
            name=path.name,
            called=Sentence(self.called),
            why=Sentence(why),
            output=self.output,
        )


@dataclass(frozen=True)
class Parts:
    """The parts of a file."""

    kind: Kind
    path: Path
    told: Mapping[str, Any]

    def need(self, holds: bool, what: str) -> None:
        """Refuse the file unless a part of it makes sense."""
        if not holds:
            raise InputError(
                "The {called} “{name}” holds nothing that makes sense as “{what}”. Choose the file "
                "that was written as {output} when the release was made.",
                called=Sentence(self.kind.called),
                name=self.path.name,
                what=what,
                output=self.kind.output,
            )

    def text(self, name: str) -> str:
        """Return a text."""
        value = self.told.get(name)
        self.need(isinstance(value, str), name)
        return str(value)

    def texts(self, value: Any, what: str) -> list[str]:
        """Return a list of texts."""
        self.need(isinstance(value, list) and all(isinstance(one, str) for one in value), what)
        return list(value)

    def named(self, value: Any, what: str) -> dict[str, Any]:
        """Return what has names of its own."""
        self.need(isinstance(value, dict), what)
        return dict(value)

    def records(self, name: str, kinds: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the records of a list, each with those names, of those types; others are left out.

        A text that is missing is empty.
        """
        listed = self.told.get(name, [])
        self.need(isinstance(listed, list), name)
        for one in listed:
            given = self.named(one, name)
            found = {of: given.get(of, "" if kind is str else None) for of, kind in kinds.items()}
            good = (
                isinstance(found[of], kind) and not isinstance(found[of], bool)
                for of, kind in kinds.items()
            )
            self.need(all(good), name)
            yield found

    def centre(self, name: str) -> tuple[float, float] | None:
        """Return the place where a plane touches the ellipsoid, None for none."""
        value = self.told.get(name)
        if value is None:
            return None
        pair = isinstance(value, list) and len(value) == 2 and all(map(is_finite, value))
        self.need(pair and abs(value[0]) <= 360 and abs(value[1]) <= 90, name)
        return float(value[0]), float(value[1])


def is_finite(value: Any) -> bool:
    """Tell whether a value is a plain finite number."""
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    return plain and math.isfinite(value)


def _no_number(text: str) -> float:
    raise ValueError(text)
