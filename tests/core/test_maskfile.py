# SPDX-License-Identifier: GPL-2.0-or-later
"""Mask files come back as they were written, and what is none is refused with a sentence."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.core.verification import maskfile
from geoanon_qgis.core.verification.digests import Digest
from geoanon_qgis.core.verification.maskfile import MaskFile, ReleasedFile

RING = np.array([[0.0, 0.1], [1e6 / 3, 0.0], [5.0, 7.0]])
MASK = MaskFile(
    "lipschitz",
    {"sets": 20, "size": 30, "pre_noise": 500.0},
    "geodesic",
    "km",
    "EPSG:25832",
    (RING, RING + 1),
    ("sex", "Größe"),
    2,
    250.0,
    True,
    {"sex": {"f": "any"}},
    (ReleasedFile("MATRIX", "m.csv", "ab", ""), ReleasedFile("OUTPUT", "o.gpkg", "cd", "ef")),
    ("income",),
)
METHODS = {
    "lipschitz": {"sets": 20, "size": 30, "pre_noise": 0.0},
    "coordinate_noise": {"sigma": 5.0, "sigma_unit": "degrees"},
    "distance_noise": {"sigma": 5, "distribution": "laplace"},
    "exact": {},
    "isgp": {"radius": 1000.0, "spacing": 100.0},
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rings", [None, (RING, RING + 1)])
def test_what_is_written_is_read_again(tmp_path, method, rings):
    mask = replace(MASK, method=method, parameters=METHODS[method], rings=rings)
    maskfile.write(mask, tmp_path / "mask.json")
    found = maskfile.read(tmp_path / "mask.json")
    assert replace(found, rings=None) == replace(mask, rings=None)
    assert (found.rings is None) == (rings is None)
    assert rings is None or all((one == other).all() for one, other in zip(found.rings, rings))
    assert set(maskfile.METHODS) == set(METHODS)


def test_a_file_is_known_by_its_bytes_or_its_content():
    first, second = MASK.released
    assert first.is_in(Digest(1, "ab")) and not first.is_in(Digest(1, "xx"))
    assert second.is_in(Digest(1, "xx", "ef")) and not second.is_in(Digest(1, "xx", ""))
    assert MASK.file_of("OUTPUT") is second and MASK.file_of("KEY") is None


def changed(**more):
    return json.dumps({**json.loads(MASK.as_json()), **more})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("\udcff", "no JSON"),
        ("[]", "does not say"),
        ("{}", "does not say"),
        (changed(format="other"), "does not say"),
        (changed(version=2), "version 2"),
        (changed(version="1"), "version 1"),
        (changed(method="magic"), "“method”"),
        (changed(method=["exact"]), "“method”"),
        (changed(parameters=None), "“parameters”"),
        (changed(parameters={"sets": 20, "size": 30}), "“parameters”"),
        (changed(parameters={"sets": 0, "size": 3, "pre_noise": 0}), "“sets”"),
        (changed(parameters={"sets": True, "size": 3, "pre_noise": 0}), "“sets”"),
        (changed(parameters={"sets": 2, "size": 3, "pre_noise": -1}), "“pre_noise”"),
        (changed(parameters={"sets": 2, "size": 3, "pre_noise": 0, "seed": 1}), "“parameters”"),
        (changed(metric="crow"), "“metric”"),
        (changed(unit=3), "“unit”"),
        (changed(crs=None), "“crs”"),
        (changed(area=[]), "“area”"),
        (changed(area=[[[0, 0], [1, 1]]]), "“area”"),
        (changed(area=[[[0, 0], [1, "x"], [2, 2]]]), "“area”"),
        (changed(area=[[[0, 0], [1], [2, 2]]]), "“area”"),
        (changed(area={"type": "Polygon"}), "“area”"),
        (MASK.as_json().replace("0.1", "NaN"), "no JSON"),
        (MASK.as_json().replace("0.1", "1e999"), "“area”"),
        (changed(attributes="sex"), "“attributes”"),
        (changed(groups=[1]), "“groups”"),
        (changed(groups={"sex": {"f": 1}}), "“groups”"),
        (changed(rounding={"decimals": 2, "step": 0, "down": True}), "“step”"),
        (changed(rounding={"decimals": 2.5, "step": 1, "down": True}), "“decimals”"),
        (changed(rounding={"decimals": 2, "step": 1, "down": 1}), "“down”"),
        (changed(method="isgp", parameters={"radius": 0, "spacing": 1}), "“radius”"),
        (changed(method="isgp", parameters={"radius": 9}), "“parameters”"),
        (changed(exchanged="income"), "“exchanged”"),
        (changed(released={}), "“released”"),
        (changed(released=[{"output": "MATRIX", "name": 5}]), "“released”"),
    ],
)
def test_what_is_no_mask_file_is_refused(tmp_path, text, words):
    path = tmp_path / "mask.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=words):
        maskfile.read(path)


def test_files_that_cannot_be_read_are_refused(tmp_path):
    for path in (tmp_path, tmp_path / "none.json"):
        with pytest.raises(InputError, match="cannot be read"):
            maskfile.read(path)


def test_text_before_and_keys_that_are_new_do_no_harm(tmp_path):
    path = tmp_path / "mask.json"
    path.write_bytes(b"\xef\xbb\xbf" + changed(later="more").encode())
    assert maskfile.read(path).method == "lipschitz"


def test_files_of_before_exchanges_were_told_are_read(tmp_path):
    told = json.loads(MASK.as_json())
    del told["exchanged"]
    (tmp_path / "mask.json").write_text(json.dumps(told), encoding="utf-8")
    assert maskfile.read(tmp_path / "mask.json").exchanged == ()
