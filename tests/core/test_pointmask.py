# SPDX-License-Identifier: GPL-2.0-or-later
"""Mask files of point masks: what was written is read, and what somebody changed is told."""

import json

import pytest

from geoanon_qgis.core.verification import pointmask
from geoanon_qgis.core.verification.pointmask import PointMask, UsedLayer

MASK = PointMask(
    "maskdisplace",
    "disc",
    {
        "LAW": "disc",
        "MAX": 20.0,
        "K_MIN": None,
        "EVEN_BY": "fläche",
        "KEEP": True,
        "SIDE": 0.1 + 0.2,
    },
    "EPSG:27700",
    (7.1, 51.3),
    "abc",
    (UsedLayer("ZONES", "zones", 9, "00"),),
    {"records": 12, "released": 10},
    ("age",),
)


def test_what_was_written_is_what_is_read(tmp_path):
    pointmask.write(MASK, tmp_path / "mask.json")
    assert pointmask.read(tmp_path / "mask.json") == MASK


@pytest.mark.parametrize("name", ["parameters", "layers", "counts", "law", "centre"])
def test_a_file_that_was_changed_says_so(tmp_path, name):
    told = json.loads(MASK.as_json())
    other = {
        "parameters": {**MASK.parameters, "MAX": 400.0},
        "layers": [],
        "counts": {"released": 9},
    }
    other.update(law="gaussian", centre=None)
    path = tmp_path / "mask.json"
    path.write_text(json.dumps({**told, name: other[name]}))
    assert pointmask.read(path).changed
    path.write_text(json.dumps(told, indent=7, sort_keys=True))  # only laid out in another way
    assert not pointmask.read(path).changed
    del told["seal"]  # a file of an earlier version
    path.write_text(json.dumps(told))
    assert not pointmask.read(path).changed
