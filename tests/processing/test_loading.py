# SPDX-License-Identifier: GPL-2.0-or-later
"""What the layers of a run know of what else it wrote."""

import pytest

from geoanon_qgis.processing.styling import origin_of
from tests.processing.helpers import layer, points, run


@pytest.fixture(scope="module")
def layers(provider, tmp_path_factory):
    """The release and the key of one run, and its files."""
    folder = tmp_path_factory.mktemp("run")
    files = {"MATRIX": str(folder / "matrix.csv"), "MASK": str(folder / "mask.json")}
    asked = {"INPUT": layer(points(8)), "SETS": 2, "SIZE": 2, **files}
    done = run("lipschitzrelease", {**asked, "OUTPUT": "memory:", "KEY": "memory:"})
    return origin_of(done["OUTPUT"]), origin_of(done["KEY"]), files


def test_a_release_knows_of_no_private_file(layers):
    release, key, files = layers
    assert release.files == {"MATRIX": files["MATRIX"]} and release.inputs == {}
    assert key.files == files and "INPUT" in key.inputs
    assert release.run == key.run
