# SPDX-License-Identifier: GPL-2.0-or-later
"""Where memory runs out the user reads a sentence, and nothing is left behind."""

import numpy as np
import pytest

from geoanon_qgis.core.runtime.parallel import run_blocks
from geoanon_qgis.processing.base import GeoAnonAlgorithm
from tests.processing.helpers import Feedback, layer, leftovers, points, refusal


def too_much(*arguments):
    return np.ones(2**55)


def after_some_output(self, run):
    xy = points(20)
    run.outputs.add_points("OUTPUT", xy, [], [], layer(xy).crs())
    run_blocks(too_much, range(3))


@pytest.mark.parametrize(
    "name, method",
    [
        ("check", too_much),
        ("execute", too_much),
        ("execute", after_some_output),
    ],
)
def test_a_sentence_says_what_to_do(provider, project, monkeypatch, tmp_path, name, method):
    kind = type(provider.algorithm("voronoimask"))
    assert issubclass(kind, GeoAnonAlgorithm)
    monkeypatch.setattr(kind, name, method)
    there = tmp_path / "out.gpkg"
    feedback = Feedback()
    said = refusal("voronoimask", {"INPUT": layer(points(20)), "OUTPUT": str(there)}, feedback)
    if name == "prepare":  # QGIS keeps the sentence for the log
        said = feedback.said
    assert said.startswith("Memory ran out, so “Voronoi masking” stopped and wrote nothing.")
    assert "fewer records" in said and leftovers(tmp_path) == []
