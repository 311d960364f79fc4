# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:maskstreets in QGIS."""

import json

import numpy as np
import pytest
import shapely

from geoanon_qgis.core.masking import secretfile
from geoanon_qgis.core.masking.streets import Search, starts, street_mask, street_targets
from geoanon_qgis.core.space.street_network import street_network
from geoanon_qgis.core.verification import pointmask
from tests.processing.helpers import (
    DEGREES,
    GRID,
    coordinates,
    layer,
    opened,
    points,
    records,
    refusal,
    run,
)
from tests.processing.kept_masks import (
    GROWTH,
    assert_audited,
    assert_nobody_moved,
    grow,
    people,
    released_places,
)

pytestmark = pytest.mark.usefixtures("project")
WEST, SOUTH, BLOCK, BLOCKS = 398_000, 298_000, 100.0, 40
PLACES = points(max(GROWTH), seed=3, size=3000)
COUNT = len(PLACES)
FEW = {"LOW": 5, "HIGH": 10}


def town(turned=False):
    """Streets of a town, from crossing to crossing; some are missing."""
    rng = np.random.default_rng(2)
    corner = np.stack(np.meshgrid(np.arange(BLOCKS), np.arange(BLOCKS)), -1) * BLOCK
    corner = corner + rng.uniform(-30, 30, corner.shape) + (WEST, SOUTH)
    ways = [*corner, *corner.transpose(1, 0, 2)]
    lines = [way[at : at + 2] for way in ways for at in range(BLOCKS - 1) if rng.random() < 0.9]
    if turned:
        lines = [line[::-1] for line in lines[::-1]]
    return [shapely.LineString(line) for line in lines]


def streets(lines=None, crs=GRID, name="streets"):
    lines = town() if lines is None else lines
    return layer([line.wkt for line in lines], kind="LineString", crs=crs, name=name)


def everybody(xy=PLACES, crs=GRID):
    return people(xy, np.arange(len(xy)), crs)


def mask(source=None, lines=None, **more):
    given = {"STREETS": streets() if lines is None else lines, **FEW, **more}
    source = everybody() if source is None else source
    return run("maskstreets", {"INPUT": source, "OUTPUT": "TEMPORARY_OUTPUT", **given})


def refused(**more):
    given = {"INPUT": everybody(), "STREETS": streets(), "OUTPUT": "TEMPORARY_OUTPUT", **more}
    return refusal("maskstreets", given)


def test_points_go_where_the_engine_takes_them(tmp_path):
    secret = secretfile.SecretFile.new(GRID, None)
    secretfile.write(secret, tmp_path / "s.json")
    done = mask(SECRET=str(tmp_path / "s.json"), KEY="TEMPORARY_OUTPUT", ID_FIELD="person")
    network, search = street_network(town()), Search(5, 10)
    made = street_mask(PLACES, network, search, secret.bytes, "maskstreets")
    found = released_places(done)
    assert [found[1000 + row] for row in range(COUNT)] == list(map(tuple, made.xy.tolist()))
    assert (done["COUNT"], done["WITHHELD_COUNT"], done["PIECES"]) == (COUNT, 0, network.pieces)
    assert (done["NODES"], done["DECISION"]) == (len(network.xy), "not_tested")
    assert done["CHOICES"] == np.median(made.choices) and done["LEAST_STARTS"] >= 1


def test_what_is_written_of_the_mask(tmp_path):
    done = mask(MASK=str(tmp_path / "mask.json"), JSON=str(tmp_path / "report.json"))
    told = pointmask.read(tmp_path / "mask.json")
    assert (told.mask, told.law) == ("maskstreets", "street")
    assert told.parameters == {"LOW": 5, "HIGH": 10, "MAX_LENGTH": 1000.0}
    assert [(one.parameter, one.count) for one in told.layers] == [("STREETS", len(town()))]
    assert told.counts["released"] == COUNT
    report = json.loads((tmp_path / "report.json").read_text())
    assert "closest to the mean of all n" in json.dumps(report)
    figures = report["figures"]
    assert (figures["nodes"], figures["choices"]) == (done["NODES"], done["CHOICES"])
    assert figures["starts"] == done["LEAST_STARTS"] >= 1
    assert "make a network of" in done.feedback.said


def test_support_holds_the_nodes_to_which_a_point_could_have_gone():
    done = mask(SUPPORT="TEMPORARY_OUTPUT", ID_FIELD="person")
    network, search = street_network(town()), Search(5, 10)
    own = starts(PLACES, network, search)
    areas = list(opened(done["SUPPORT"]).getFeatures())
    assert len(areas) == COUNT
    for one in areas:
        start = own[one["original_id"] - 1000]
        nodes = network.xy[np.unique(street_targets(network, np.array([start]), search))]
        shape = shapely.from_wkb(bytes(one.geometry().asWkb()))
        assert (shapely.distance(shape, shapely.points(nodes)) < 1e-6).all()
        hull = shapely.convex_hull(shapely.multipoints(nodes))
        if len(nodes) > 2:
            assert shapely.area(shape) == pytest.approx(shapely.area(hull))


def test_a_growing_registry_in_degrees_moves_nobody(tmp_path):
    """Its plane is that of the first release."""

    def turned(xy):
        return (xy - (WEST, SOUTH)) / (68_000, 111_000) + (9.0, 52.0)

    lines = [shapely.transform(one, turned) for one in town()]
    given = {"STREETS": streets(lines, DEGREES), **FEW}
    assert_nobody_moved(grow("maskstreets", turned(PLACES), tmp_path, DEGREES, **given))


def test_a_growing_registry_moves_nobody(tmp_path):
    """Not even where the streets come in another order, and run the other way."""
    found = grow("maskstreets", PLACES, tmp_path, STREETS=streets(), **FEW)
    assert_nobody_moved(found)
    secret = str(tmp_path / "secret_2.json")
    given = {"SECRET": secret, "KEY": "TEMPORARY_OUTPUT", "ID_FIELD": "person"}
    done = mask(lines=streets(town(turned=True)), MASK="TEMPORARY_OUTPUT", **given)
    assert released_places(done) == found[-1]
    assert not any("in another way before" in one for one in done.feedback.warnings)


def test_nothing_private_is_released(tmp_path):
    done = assert_audited("maskstreets", PLACES, tmp_path, STREETS=streets(), **FEW)
    assert done["COUNT"] == COUNT


@pytest.mark.parametrize("crs", [DEGREES, "EPSG:3857", "EPSG:2263"])
def test_streets_in_another_system_are_the_same_streets(crs, tmp_path):
    from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsProject

    target = QgsCoordinateReferenceSystem(crs)
    if crs == "EPSG:2263":
        xy = np.array([300_000.0, 60_000.0]) + (PLACES - (WEST, SOUTH))
        lines = [shapely.transform(one, lambda c: c - (WEST, SOUTH) + (3e5, 6e4)) for one in town()]
        home = "EPSG:32118"
    else:
        xy, lines, home = PLACES, town(), GRID
    there = QgsCoordinateTransform(
        QgsCoordinateReferenceSystem(home), target, QgsProject.instance()
    )

    def moved(coordinates):
        found = [there.transform(x, y) for x, y in coordinates]
        return np.array([(one.x(), one.y()) for one in found])

    lines = [shapely.transform(line, moved) for line in lines]
    done = mask(everybody(xy, home), streets(lines, crs))
    network = street_network(
        [shapely.transform(one, lambda c: c + xy[0] - PLACES[0]) for one in town()]
    )
    assert done["NODES"] == pytest.approx(len(network.xy), abs=3)
    away = np.hypot(*(coordinates(done["OUTPUT"])[:, None] - network.xy).transpose(2, 0, 1))
    # The foot of the survey and that of the datum make some decimetres.
    assert (away.min(axis=1) < 0.5).all()


def test_who_cannot_be_masked_is_withheld_and_counted(tmp_path):
    apart = [shapely.LineString([(450_000, 300_000), (450_100, 300_000), (450_100, 300_090)])]
    xy = np.concatenate([PLACES[:30], [[450_050, 300_010], [470_000, 300_000]]])
    done = mask(
        everybody(xy),
        streets([*town(), *apart]),
        WITHHELD="TEMPORARY_OUTPUT",
        ID_FIELD="person",
        REPORT=str(tmp_path / "report.html"),
    )
    assert (done["COUNT"], done["WITHHELD_COUNT"]) == (30, 2)
    why = {int(row["original_id"]): row["why"] for row in records(done["WITHHELD"])}
    assert why == {1030: "few nodes", 1031: "no street"}
    said = "\n".join(done.feedback.warnings)
    assert "1 record is withheld: no crossing or dead end" in said
    assert "The streets lie in 2 pieces: join those" in said
    assert "The streets lie in pieces" in (tmp_path / "report.html").read_text()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"LOW": 30, "HIGH": 30}, "(HIGH) must be above"),
        ({"LOW": 2}, "LOW"),
        ({"MAX_LENGTH": 0}, "must be a positive distance"),
        ({"MAX_LENGTH": 5}, "No record can be released"),
        ({"LOW": 3000, "HIGH": 4000}, "fewer than HIGH - 1 nodes"),
    ],
)
def test_numbers_that_make_no_mask_are_refused(more, said):
    assert said in refused(**more)


def test_layers_without_streets_are_refused():
    empty = layer(["LINESTRING EMPTY"], kind="LineString")
    assert "has no line" in refused(STREETS=empty)
    far = [shapely.LineString([(0, 0), (100, 0)])]
    assert "no crossing or dead end lies within MAX_LENGTH" in refused(STREETS=streets(far))
