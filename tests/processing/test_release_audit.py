# SPDX-License-Identifier: GPL-2.0-or-later
"""The audit of what is given away: the bytes of a released file must not undo it.

A layer with everything that could leak is masked with all private outputs, and the released
file is searched for the original coordinates, the original ids in their order, and whatever
names the source. The layer has no two points at one place: such points do not move, which the
log says and this audit would find.
"""

import itertools
import sqlite3
import struct

import numpy as np
import pytest
from qgis.core import QgsProcessingOutputLayerDefinition, QgsProject

from tests.processing.helpers import (
    DEGREES,
    GRID,
    coordinates,
    layer,
    leftovers,
    opened,
    points,
    records,
    run,
    saved,
)

COUNT = 300
ENDINGS = ["gpkg", "geojson", "shp", "csv"]
SECRET = "clinic_seven_patients"
PLACES = {
    GRID: points(COUNT, seed=11),
    DEGREES: points(COUNT, seed=12, size=2.0, centre=(11.5, 48.5)),
}


def originals(crs):
    """A layer whose ids, attributes and order all would lead back to somebody."""
    rng = np.random.default_rng(7)
    numbers = rng.choice(np.arange(700_000, 999_999), COUNT, replace=False)
    rows = [
        (int(number), f"{SECRET}-{number:x}", int(rng.integers(0, 90)), float(x), float(y))
        for number, (x, y) in zip(numbers, PLACES[crs])
    ]
    fields = "patient_id:int,code:string,age:int,measured:double,other:double"
    return layer(PLACES[crs], crs=crs, fields=fields, rows=rows, name=SECRET), rows


class Release:
    """One masking with all outputs, each private one in a folder of its own."""

    def __init__(self, folder, ending, crs):
        source, self.rows = originals(crs)
        self.xy = PLACES[crs]
        (folder / SECRET).mkdir()
        path = saved(source, folder / SECRET / f"{SECRET}.gpkg")
        public, private = folder / "public", folder / "private"
        public.mkdir(), private.mkdir()
        self.path = public / f"released.{ending}"
        self.done = run(
            "voronoimask",
            {
                "INPUT": path,
                "OUTPUT": str(self.path),
                "SHIFTS": str(private / "shifts.gpkg"),
                "KEY": str(private / "key.gpkg"),
                "REPORT": str(private / "report.html"),
                "JSON": str(private / "report.json"),
            },
        )
        assert self.done["UNMOVED"] == 0 and self.done["COUNT"] == COUNT
        self.files = {name: (public / name).read_bytes() for name in leftovers(public)}
        self.bytes = b"\0".join(self.files.values())
        key = {row["masked_id"]: row["original_id"] for row in records(self.done["KEY"])}
        self.original_of = [int(key[masked]) for masked in sorted(key)]


@pytest.fixture(
    scope="module",
    params=list(itertools.product(ENDINGS, PLACES)),
    ids=lambda param: " ".join(param),
)
def release(provider, request, tmp_path_factory):
    return Release(tmp_path_factory.mktemp("audit"), *request.param)


def found(needles, haystack):
    return [needle for needle in needles if needle in haystack]


def test_the_audit_finds_what_it_looks_for(provider, tmp_path):
    """The same searches on a file that does leak: the shifts, and the originals themselves."""
    release = Release(tmp_path, "gpkg", GRID)
    leak = (tmp_path / "private" / "shifts.gpkg").read_bytes()
    assert len(found(as_doubles(release.xy), leak)) >= COUNT
    text = saved(originals(GRID)[0], tmp_path / "leak.csv")
    plain = saved(originals(GRID)[0], tmp_path / "leak.geojson")
    assert len(found(as_text(release.xy), open(plain, "rb").read())) >= COUNT
    assert SECRET.encode() in open(text, "rb").read()


# --- coordinates ------------------------------------------------------------------------------


def as_doubles(xy):
    values = np.unique(xy).tolist()
    return [struct.pack(order + "d", value) for value in values for order in "<>"]


def as_text(xy, decimals=3):
    """Each coordinate with three decimals, cut off and rounded: a prefix of any longer form."""
    cut = np.trunc(xy * 10**decimals) / 10**decimals
    return sorted({f"{value:.{decimals}f}".encode() for value in np.concatenate([xy, cut]).flat})


def test_no_original_coordinate_as_a_number(release):
    assert found(as_doubles(release.xy), release.bytes) == []
    # nor as the single precision that spatial indexes keep
    singles = {struct.pack(order + "ff", x, y) for x, y in release.xy.tolist() for order in "<>"}
    assert found(singles, release.bytes) == []


def test_no_original_coordinate_as_text(release):
    masked = coordinates(release.path)
    # A masked coordinate may begin with the digits of another's original; in degrees three
    # decimals are a hundred metres, so as many are asked for as tell places apart.
    decimals = 3 if np.abs(masked).max() > 360 else 6
    by_chance = set(as_text(masked, decimals))
    needles = [text for text in as_text(release.xy, decimals) if text not in by_chance]
    assert len(needles) > COUNT
    assert found(needles, release.bytes) == []


def test_no_attribute_that_repeats_a_coordinate(release):
    assert opened(release.path).fields().lookupField("measured") < 0
    assert opened(release.path).fields().lookupField("other") < 0


def test_the_extent_is_that_of_the_masked_points(release):
    if release.path.suffix == ".csv":
        return  # has none
    masked = coordinates(release.path)
    extent = opened(release.path).extent()
    assert [extent.xMinimum(), extent.yMinimum()] == pytest.approx(masked.min(axis=0))
    assert [extent.xMaximum(), extent.yMaximum()] == pytest.approx(masked.max(axis=0))


# --- ids --------------------------------------------------------------------------------------


def test_no_original_id_as_text_or_number(release):
    names = [str(row[0]).encode() for row in release.rows]
    masked = b" ".join(f"{value!r}".encode() for value in coordinates(release.path).flat)
    needles = [name for name in names if name not in masked]  # six digits occur in coordinates
    assert len(needles) > COUNT / 2
    if release.path.suffix in (".geojson", ".csv"):
        assert found(needles, release.bytes) == []
    assert SECRET.encode() not in release.bytes.lower()


def test_only_new_ids_and_harmless_attributes(release):
    names = opened(release.path).fields().names()
    assert [name for name in names if name not in ("fid", "X", "Y")] == ["masked_id", "age"]
    assert [int(row["masked_id"]) for row in records(release.path)] == list(range(1, COUNT + 1))


def test_attributes_travel_with_their_point(release):
    for row, original in zip(records(release.path), release.original_of):
        assert int(row["age"]) == release.rows[original - 1][2]


# --- order ------------------------------------------------------------------------------------


def test_the_order_is_random(release):
    assert sorted(release.original_of) == list(range(1, COUNT + 1))
    rank = np.corrcoef(np.arange(COUNT), release.original_of)[0, 1]
    assert abs(rank) < 5 / np.sqrt(COUNT - 1)
    # neighbours in the source are not neighbours in the release
    steps = np.abs(np.diff(release.original_of))
    assert (steps == 1).mean() < 0.05 and abs(np.mean(steps) - COUNT / 3) < COUNT / 15


def test_every_run_has_an_order_of_its_own(release, tmp_path):
    crs = opened(release.path).crs().authid() or GRID
    (tmp_path / "again").mkdir()
    again = Release(tmp_path / "again", "gpkg", crs if crs in PLACES else DEGREES)
    same = np.mean(np.array(again.original_of) == release.original_of)
    assert same < 0.05


def test_pairs_do_not_stand_together(release):
    """Two who share a masked place must not be told apart, or together, by their rows."""
    masked = np.round(coordinates(release.path), 7)
    together = (masked[1:] == masked[:-1]).all(axis=1).sum()
    assert together < 10  # of about 90 pairs, one would stand together by chance


# --- names ------------------------------------------------------------------------------------


def test_neither_source_nor_private_files_are_named(release):
    words = [
        SECRET,
        "shifts",
        "original_id",
        "shift_m",
        "singleton",
        "private",
        "report.html",
        ".geoanon-",
        str(release.path.parent),
        "/tmp/",
    ]
    assert found([word.encode() for word in words], release.bytes.lower()) == []


def test_nothing_but_the_release_lies_beside_it(release):
    assert all(name.startswith("released.") for name in release.files)
    allowed = {".gpkg", ".geojson", ".shp", ".shx", ".dbf", ".prj", ".cpg", ".csv"}
    assert {"." + name.split(".", 1)[1] for name in release.files} <= allowed


def test_no_trace_in_deleted_pages(provider, tmp_path):
    """A database may keep what was written and taken back."""
    release = Release(tmp_path, "gpkg", GRID)
    with sqlite3.connect(release.path) as database:
        assert database.execute("pragma freelist_count").fetchone() == (0,)
        tables = {row[0] for row in database.execute("select table_name from gpkg_contents")}
        assert tables == {"released"}
        described = database.execute("select identifier, description from gpkg_contents").fetchone()
        assert described == ("released", "")


# --- when it is loaded ------------------------------------------------------------------------


def test_the_loaded_layer_carries_no_history(provider, project):
    """Processing notes a layer's making in its metadata; a release is handed on with it."""
    source, _ = originals(GRID)
    target = QgsProcessingOutputLayerDefinition("memory:", QgsProject.instance())
    done = run("voronoimask", {"INPUT": source, "OUTPUT": target})
    details = next(iter(done.context.layersToLoadOnCompletion().values()))
    made = done["OUTPUT"]
    details.postProcessor().postProcessLayer(made, done.context, done.feedback)
    told = " ".join([*made.metadata().history(), made.metadata().abstract(), made.name()])
    assert SECRET not in told
    assert not made.name().startswith("Private")
