# SPDX-License-Identifier: GPL-2.0-or-later
"""The released records counted again, from the bytes of the file that was written."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...core.runtime.errors import GeoAnonError
from ...core.verdict import Evidence
from ..i18n import figure, number_of, tr


@dataclass(frozen=True)
class Recounted:
    """What stands in the file of the released records.

    Attributes
    ----------
    sizes : (classes,) int array or None
        Rows that agree in area and quasi-identifiers, for each combination that is there; None
        where they could not be counted again.
    """

    sizes: np.ndarray | None

    def evidence(self, planned: Evidence, k: int, of_people: bool) -> Evidence:
        """Whom a look-up finds in the file.

        Where people are counted the file does not tell who has several rows: what was ``planned``
        stays, and rows that are fewer than k fail.
        """
        if self.sizes is None:
            return planned
        found = Evidence.looked_up(self.sizes, k, planned.withheld)
        return replace(planned, failed=planned.failed or found.failed) if of_people else found

    def sentence(self, k: int) -> str:
        """The count in a sentence; empty without one."""
        if self.sizes is None:
            return ""
        return tr(
            "Counted again in the file that was written: {rows} in {classes}, the smallest of {smallest} "
            "(K = {k})."
        ).format(
            rows=number_of(int(self.sizes.sum()), "record", "records"),
            classes=number_of(len(self.sizes), "class", "classes"),
            smallest=figure(int(self.sizes.min()), ","),
            k=k,
        )


def recounted(run, name: str, rows: int, compared: int, progress) -> Recounted | None:
    """Count the output ``name`` again, of which ``rows`` were to be written.

    None where there is nothing to be counted.

    Raises
    ------
    GeoAnonError
        If the file does not hold them all. Nothing is published then.
    """
    if not rows:
        return None
    sizes = run.outputs.class_sizes(name, compared, progress)
    if sizes is not None and sizes.sum() != rows:
        raise GeoAnonError(
            tr(
                "{name} was to hold {rows} and holds {found} in the format of its file, so that what was "
                "counted is not what would be released. Choose another format, .gpkg for instance."
            ).format(
                name=name,
                rows=number_of(rows, "record", "records"),
                found=figure(int(sizes.sum()), ","),
            )
        )
    return Recounted(sizes)
