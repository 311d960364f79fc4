# SPDX-License-Identifier: GPL-2.0-or-later
"""Every mask that keeps its draws writes the same bytes with and without compiled kernels."""

import json

import numpy as np
import pytest

from geoanon_qgis.core.masking import kept_draws, partner_search, secretfile
from geoanon_qgis.core.runtime import accel
from tests.processing.helpers import GRID, run
from tests.processing.kept_masks import people
from tests.processing.test_kept_places import CASES, PLACES

pytestmark = [
    pytest.mark.usefixtures("project"),
    pytest.mark.skipif(not accel.available(), reason="numba is not installed"),
]
NAMES = {"OUTPUT": "out.geojson", "KEY": "key.csv", "MASK": "mask.json", "SECRET_FILE": "s2.json"}
MORE = {
    "displace by Laplace": ("maskdisplace", {"LAW": "laplace"}, None),
    "cells": ("maskexchange", {"METHOD": "cells", "K": 6, "K_RECORDS": 3}, None),
    "aggregate hexagons": ("maskaggregate", {"METHOD": "hexagons", "PLACE": "random"}, None),
}


@pytest.mark.parametrize("case", [*CASES, *MORE])
def test_the_bytes_are_the_same(case, tmp_path, monkeypatch):
    name, same, each = {**CASES, **MORE}[case]
    layers = each(0) if each else {}
    if name == "maskexchange" and "CANDIDATES" not in layers:
        layers = CASES["exchange"][2](0)
    secret, found, compiled = tmp_path / "s.json", [], []
    secretfile.write(secretfile.SecretFile(bytes(range(32)).hex(), GRID, None), secret)
    # Kernels are for layers larger than these.
    started = kept_draws.KeptDraws.__post_init__

    def of_many(draws):
        object.__setattr__(draws, "many", True)
        started(draws)

    def digests(*given):
        compiled.append(len(given[2]))
        return really(*given)

    really = kept_draws.digests
    monkeypatch.setattr(kept_draws.KeptDraws, "__post_init__", of_many)
    monkeypatch.setattr(kept_draws, "digests", digests)
    monkeypatch.setattr(partner_search, "FEW", 100)
    was = accel.enabled()
    for on in (True, False):
        folder = tmp_path / str(on)
        folder.mkdir()
        before = len(compiled)
        try:
            accel.set_enabled(on)
            done = run(
                name,
                {
                    "INPUT": people(PLACES, np.arange(len(PLACES))),
                    "SECRET": str(secret),
                    "SHUFFLE": False,
                    "ID_FIELD": "person",
                    **{one: str(folder / file) for one, file in NAMES.items()},
                    **same,
                    **layers,
                },
            )
        finally:
            accel.set_enabled(was)
        assert done["COUNT"] > 40
        assert (len(compiled) > before) == on
        told = {one: (folder / file).read_bytes() for one, file in NAMES.items()}
        found.append(told)
    one, other = found
    for output in NAMES:
        assert one[output] == other[output], output
    assert json.loads(one["SECRET_FILE"])["kept"]
