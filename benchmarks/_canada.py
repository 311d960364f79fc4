# SPDX-License-Identifier: GPL-2.0-or-later
"""Canada's dissemination areas of 2011 with made-up residents, where the data are at hand."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass

import _timing as timing
import numpy as np

from geoanon_qgis.core.aggregation import synthetic
from geoanon_qgis.core.aggregation.equivalence_classes import ClassCounter, EquivalenceClasses

_AREAS = timing.SHARED / "canada_dissemination_areas_2011.csv.gz"
_SHARES = timing.SHARED / "canada_category_shares_2011.json"
_CODES = {
    "Newfoundland and Labrador": "NL",
    "Prince Edward Island": "PE",
    "Nova Scotia": "NS",
    "New Brunswick": "NB",
    "Quebec": "QC",
    "Ontario": "ON",
    "Manitoba": "MB",
    "Saskatchewan": "SK",
    "Alberta": "AB",
    "British Columbia": "BC",
    "Yukon": "YT",
    "Northwest Territories": "NT",
    "Nunavut": "NU",
}
#: Provinces by the regions of the GAPS models.
PROVINCES = {
    "east": {"NL", "PE", "NS", "NB"},
    "central": {"QC", "ON"},
    "west": {"MB", "SK", "AB", "BC"},
}


@dataclass(frozen=True)
class Data:
    """Areas of a part of Canada and what their records are made from."""

    uid: np.ndarray
    xy: np.ndarray
    group: np.ndarray
    residents: np.ndarray
    recipe: synthetic.Recipe
    seed: int

    def chunks(self):
        """The records, chunk by chunk; the same at every call."""
        return synthetic.synthetic_records(
            self.recipe, self.group, self.residents, np.random.default_rng(self.seed + 1)
        )

    def classes(self) -> EquivalenceClasses:
        """The records counted into classes."""
        counter = ClassCounter(len(self.xy), len(self.recipe.names))
        for chunk in self.chunks():
            counter.add(chunk.region, chunk.codes)
        return counter.finish(self.recipe.categories)


def available() -> bool:
    """Whether the data are there; says so if they are not."""
    if _AREAS.exists() and _SHARES.exists():
        return True
    print(
        f"Skipped: the areas and shares of Canada are not there ({_AREAS.name},"
        f" {_SHARES.name} in {timing.SHARED.relative_to(timing.ROOT.parent)}, beside the checkout)."
    )
    return False


def load(parts: Sequence[str], names: Sequence[str], seed: int = 1) -> Data:
    """Areas of some parts of Canada, with residents drawn by the published recipe."""
    wanted = set().union(*(PROVINCES[part] for part in parts))
    with gzip.open(_AREAS, "rt", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if _CODES.get(row["prov"]) in wanted]
    shares = json.loads(_SHARES.read_text(encoding="utf-8"))["province"]
    recipe = synthetic.recipe({code: shares[code] for code in sorted(wanted)}, names)
    rng = np.random.default_rng(seed)
    return Data(
        np.array([int(row["uid"]) for row in rows]),
        np.array([(float(row["lamx"]), float(row["lamy"])) for row in rows]),
        synthetic.group_rows(recipe, [_CODES[row["prov"]] for row in rows]),
        synthetic.populations(recipe, len(rows), rng),
        recipe,
        seed,
    )
