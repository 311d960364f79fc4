# SPDX-License-Identifier: GPL-2.0-or-later
"""What a scene is: inputs that belong together. No QGIS here."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

from .tables import Table


@dataclass
class Scene:
    """What parameters are given.

    Attributes
    ----------
    tables : dict of str to Table
        By source parameter.
    fields : dict of str to (list of str)
        Chosen fields by parameter, by the names that the table has; empty for none.
    files : dict of str to callable
        By file parameter: writes the file into a folder and returns its path.
    values : dict of str to object
        Any other parameter.
    unasked : set of str
        Outputs that would be refused.
    """

    tables: dict[str, Table] = field(default_factory=dict)
    fields: dict[str, list[str]] = field(default_factory=dict)
    files: dict[str, Callable[[Path], Path]] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    unasked: set[str] = field(default_factory=set)
