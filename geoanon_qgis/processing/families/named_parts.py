# SPDX-License-Identifier: GPL-2.0-or-later
"""What a user writes of several fields in one line, as in ``age=0..90, "a, b"=positive``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from ..layers.fieldnames import spelling

_PART = re.compile(r'(?:"[^"]*"|[^,;\n"])+')


def named_parts(text: str, fields: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Take the line apart.

    Parameters
    ----------
    text : str
        Parts by commas, semicolons or lines; a name with one of these stands in quotation marks.
    fields : collection of str
        Whose spelling names get.

    Yields
    ------
    part, name, said : str
        As it is written, whose it is (perhaps of no field), and what is said of it, without spaces
        round them. Without an equals sign nothing is said.
    """
    known = set(fields)
    for written in filter(str.strip, _PART.findall(text or "")):
        name, equals, said = written.rpartition("=")
        name = spelling(known, name.strip().strip('"'))
        yield written.strip(), name, said.strip() if equals else ""
