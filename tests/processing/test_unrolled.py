# SPDX-License-Identifier: GPL-2.0-or-later
"""Areas of point regions and cells of a mask in degrees: at the antimeridian, around the poles."""

import numpy as np
import pytest
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsDistanceArea,
    QgsGeometry,
    QgsPointXY,
)

from geoanon_qgis.core.aggregation import components as engine
from geoanon_qgis.core.aggregation.construction import site_cells
from geoanon_qgis.core.masking.cells import study_area, voronoi_cells
from geoanon_qgis.core.runtime import packages
from geoanon_qgis.processing.layers import planes, unrolled
from tests.processing.helpers import DEGREES, coordinates, layer, opened, records, run

#: Metres by which a region may lie outside its area, as drawn with straight lines in degrees.
NEAR_M = 10.0


def cap(lon, lat, degrees, count=150, seed=1):
    """Places around a place on the globe, in longitude and latitude."""
    rng = np.random.default_rng(seed)
    away = np.radians(degrees * np.sqrt(rng.random(count)))
    towards = rng.uniform(0, 2 * np.pi, count)
    # By directions in space, which have no trouble at a pole.
    lam, phi = np.radians([lon, lat])
    middle = np.array([np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)])
    north = np.array([-np.sin(phi) * np.cos(lam), -np.sin(phi) * np.sin(lam), np.cos(phi)])
    east = np.array([-np.sin(lam), np.cos(lam), 0.0])
    aside = np.outer(np.cos(towards), north) + np.outer(np.sin(towards), east)
    x, y, z = (np.outer(np.cos(away), middle) + np.sin(away)[:, None] * aside).T
    return np.column_stack([np.degrees(np.arctan2(y, x)), np.degrees(np.arcsin(z))])


def mercator(lonlat):
    lon, lat = np.radians(lonlat.T)
    return 6_378_137.0 * np.column_stack([lon, np.log(np.tan(np.pi / 4 + lat / 2))])


def eastward(lonlat):
    """The same places with longitudes from 0 to 360."""
    return np.column_stack([lonlat[:, 0] % 360.0, lonlat[:, 1]])


def with_pole(lonlat, latitude):
    return np.concatenate([lonlat, [[0.0, latitude]]])


#: Regions in pairs opposite each other: borders of their cells run through the pole itself.
OPPOSITE = np.array([(lon, lat) for lat in (88.0, 85.0) for lon in np.arange(-180.0, 180.0, 45.0)])
CASES = {
    "Fiji": (cap(179, -18, 3), DEGREES),
    "Fiji, 0 to 360": (eastward(cap(179, -18, 3)), DEGREES),
    "Fiji, Web Mercator": (mercator(cap(179, -18, 3)), "EPSG:3857"),
    "Chukotka": (cap(180, 67, 9), DEGREES),
    "half of the Pacific": (cap(-170, 5, 50), DEGREES),
    "north pole": (cap(30, 90, 12), DEGREES),
    "south pole": (cap(30, -90, 12), DEGREES),
    "pole not in the middle": (cap(-100, 84, 15), DEGREES),
    "pole outside": (cap(100, 80, 6), DEGREES),
    "a region at the pole": (with_pole(cap(30, 90, 3), 90.0), DEGREES),
    "a region at the south pole": (with_pole(cap(77, -88, 5), -90.0), DEGREES),
    "borders through the pole": (OPPOSITE, DEGREES),
    "polar projection": (None, "EPSG:3995"),
    "nowhere near": (cap(9, 47, 2), DEGREES),
}


def case(name):
    stored, crs = CASES[name]
    if stored is None:  # of the Arctic, where only the scale is off
        stored = np.random.default_rng(4).uniform(-3.5e6, 3.5e6, (150, 2))
    return stored, crs


def aggregated(stored, crs, folder, sites=12, area=None, location="balanced_density"):
    """A real run, its regions, records and what it wrote."""
    made = layer(stored, crs, fields="uid:int", rows=[(row,) for row in range(len(stored))])
    rows = [(row, "ab"[at % 2]) for row in range(len(stored)) for at in range(4)]
    people = layer([None] * len(rows), "", "NoGeometry", "uid:int,sex:string", rows)
    return run(
        "vbas",
        {
            "REGIONS": made,
            "REGION_ID": "uid",
            "RECORDS": people,
            "QIS": ["sex"],
            "K": 2,
            "SITES_BY": "fixed",
            "SITES": sites,
            "LOCATION": location,
            "SEED": 1,
            "AREA": area,
            "OUTPUT": str(folder / "areas.gpkg"),
            "SITES_OUT": str(folder / "sites.gpkg"),
            "LOOKUP": str(folder / "lookup.csv"),
            "REPORT": str(folder / "report.html"),
        },
    )


def areas_of(done):
    return {f["area_id"]: f.geometry() for f in opened(done["OUTPUT"]).getFeatures()}


def size_of(geometry, crs):
    """Square metres on the ellipsoid."""
    measure = QgsDistanceArea()
    measure.setSourceCrs(QgsCoordinateReferenceSystem(crs), QgsCoordinateTransformContext())
    measure.setEllipsoid("EPSG:7030")
    return measure.measureArea(geometry)


def check(done, stored, crs):
    """Valid, apart from each other, together all of the hull, and every region in its own."""
    areas = areas_of(done)
    assert all(one.isGeosValid() and not one.isEmpty() for one in areas.values())
    whole = QgsGeometry.unaryUnion(list(areas.values()))
    assert sum(one.area() for one in areas.values()) == pytest.approx(whole.area(), rel=1e-9)
    plane = planes.plane_of(stored, QgsCoordinateReferenceSystem(crs))
    xy, sites = plane.forward(stored), plane.forward(coordinates(done["SITES_OUT"]))
    # A site at a region's place came back some nanometres away.
    apart = np.hypot(*(xy[:, None] - sites[None]).transpose(2, 0, 1)).min(axis=0) > 1e-3
    x, y = study_area(np.concatenate([xy, sites[apart]])).T
    assert plane.is_local
    hull = QgsGeometry.fromPolygonXY([[QgsPointXY(*at) for at in zip(x, y)]])
    drawn = unrolled.polygons([hull], plane, unrolled.western_end(plane, stored))[0]
    assert whole.symDifference(drawn).area() < 1e-4 * drawn.area()
    total = sum(size_of(one, crs) for one in areas.values())
    assert total == pytest.approx(size_of(drawn, crs), rel=1e-4)
    unit = 1.0 if crs != DEGREES else 111_000.0
    area_of = {int(row["uid"]): int(row["area_id"]) for row in records(done["LOOKUP"])}
    for row, place in enumerate(stored):
        point = QgsGeometry.fromPointXY(QgsPointXY(*place))
        assert areas[area_of[row]].distance(point) * unit < NEAR_M
    return areas


@pytest.mark.parametrize("name", CASES)
def test_areas_are_valid_and_hold_their_regions(provider, tmp_path, name):
    stored, crs = case(name)
    done = aggregated(stored, crs, tmp_path)
    check(done, stored, crs)
    box = opened(done["OUTPUT"]).extent()
    if crs == DEGREES:
        west = 0.0 if name.endswith("360") else -180.0
        assert box.xMinimum() >= west and box.xMaximum() <= west + 360.0
        assert -90.0 <= box.yMinimum() and box.yMaximum() <= 90.0


def test_an_area_at_the_antimeridian_has_a_part_at_either_end(provider, tmp_path):
    stored, crs = case("Fiji")
    areas = areas_of(aggregated(stored, crs, tmp_path))
    parted = [one for one in areas.values() if one.boundingBox().width() > 180]
    assert len(parted) > 1
    for one in parted:
        boxes = [QgsGeometry(part.clone()).boundingBox() for part in one.constParts()]
        assert sorted(round(box.xMinimum()) == -180 for box in boxes) == [False, True]
        assert all(box.width() < 6 for box in boxes)
    (tmp_path / "east").mkdir()
    done = aggregated(eastward(stored), crs, tmp_path / "east")
    assert all(one.boundingBox().width() < 7 for one in areas_of(done).values())
    assert coordinates(done["SITES_OUT"])[:, 0].max() > 180


def test_an_area_around_a_pole_reaches_from_end_to_end(provider, tmp_path):
    for name, pole in (("north pole", 90.0), ("south pole", -90.0)):
        (tmp_path / name).mkdir()
        areas = areas_of(aggregated(*case(name), tmp_path / name, sites=9))
        ring = QgsGeometry.fromWkt(f"LINESTRING(-180 {pole}, 180 {pole})")
        along = sum(one.intersection(ring).length() for one in areas.values())
        assert along == pytest.approx(360.0)


@pytest.mark.parametrize("name", CASES)
def test_cells_of_a_mask_are_valid_and_hold_their_points(provider, name):
    stored, crs = case(name)
    stored = np.concatenate([stored, stored[:3]])
    done = run(
        "voronoimask",
        {
            "INPUT": layer(stored, crs),
            "OUTPUT": "TEMPORARY_OUTPUT",
            "CELLS": "TEMPORARY_OUTPUT",
        },
    )
    features = list(done["CELLS"].getFeatures())
    cells = [feature.geometry() for feature in features]
    counts = [feature["records"] for feature in features]
    assert sorted(counts) == [1] * (len(stored) - 6) + [2] * 3
    assert all(one.isGeosValid() and not one.isEmpty() for one in cells)
    whole = QgsGeometry.unaryUnion(cells)
    assert sum(one.area() for one in cells) == pytest.approx(whole.area(), rel=1e-9)
    plane = planes.plane_of(stored, QgsCoordinateReferenceSystem(crs))
    (drawn,) = unrolled.ring_polygons(
        [study_area(plane.forward(stored))], plane, unrolled.western_end(plane, stored)
    )
    total = sum(size_of(one, crs) for one in cells)
    assert total == pytest.approx(size_of(drawn, crs), rel=1e-4)
    assert whole.symDifference(drawn).area() < 1e-4 * drawn.area()
    unit = 1.0 if crs != DEGREES else 111_000.0
    places = [QgsGeometry.fromPointXY(QgsPointXY(*place)) for place in stored]
    for cell, count in zip(cells, counts):
        assert sum(cell.distance(place) * unit < NEAR_M for place in places) >= count
    if crs == DEGREES:  # cells and masked points are on the map that the originals are on
        west = 0.0 if name.endswith("360") else -180.0
        for box in (done["CELLS"].extent(), done["OUTPUT"].extent()):
            assert west <= box.xMinimum() and box.xMaximum() <= west + 360.0
            assert -90.0 <= box.yMinimum() and box.yMaximum() <= 90.0


def test_masked_points_east_of_180_stay_where_the_originals_are(provider):
    stored = eastward(cap(179, -18, 3))
    masked = coordinates(
        run(
            "voronoimask",
            {
                "INPUT": layer(stored, DEGREES),
                "OUTPUT": "TEMPORARY_OUTPUT",
            },
        )["OUTPUT"]
    )
    assert 170 < masked[:, 0].min() < 180 < masked[:, 0].max() < 190


def test_rings_that_touch_have_their_edge_in_common():
    """Also where one of them is laid out by itself, because it is cut, and the other is not."""
    stored = cap(179.5, 60, 8, 300)
    plane = planes.plane_of(stored, QgsCoordinateReferenceSystem(DEGREES))
    cells, _ = voronoi_cells(plane.forward(stored), study_area(plane.forward(stored)))
    drawn = list(unrolled.ring_polygons(cells, plane, -180.0))
    cut = [one.boundingBox().width() > 180 for one in drawn]
    assert any(cut) and not all(cut)
    whole = QgsGeometry.unaryUnion(drawn).area()
    assert sum(one.area() for one in drawn) == pytest.approx(whole, rel=1e-12)


def test_many_caps_anywhere():
    """Cells of random sites, as drawn; what is written is looked at above."""
    crs = QgsCoordinateReferenceSystem(DEGREES)
    for seed in range(40):
        rng = np.random.default_rng(seed)
        latitude = rng.choice([90, -90, 89.9, 85, -80, 70, 0])
        stored = cap(rng.uniform(-180, 180), latitude, 10 ** rng.uniform(-1, 1.7), 60, seed)
        if seed % 5 == 0:
            stored = np.unique(np.round(stored), axis=0)
        plane = planes.plane_of(stored, crs)
        xy = plane.forward(stored)
        sites = np.unique(xy[rng.choice(len(xy), min(len(xy), 12), replace=False)], axis=0)
        shapes = [unrolled.polygon(ring) for ring in site_cells(sites, xy) if ring is not None]
        drawn = unrolled.polygons(shapes, plane, unrolled.western_end(plane, stored))
        assert len(drawn) == len({tuple(at) for at in sites.tolist()})
        assert all(one.isGeosValid() for one in drawn), seed
        whole = QgsGeometry.unaryUnion(drawn).area()
        assert sum(one.area() for one in drawn) == pytest.approx(whole, rel=1e-9), seed


def test_holes_stay_holes():
    crs = QgsCoordinateReferenceSystem(DEGREES)
    stored = np.array([[178.0, 10.0], [-178.0, 14.0]])
    plane = planes.plane_of(stored, crs)
    ring = (
        QgsGeometry.fromWkt("POINT(0 0)")
        .buffer(3e5, 8)
        .difference(QgsGeometry.fromWkt("POINT(0 0)").buffer(1e5, 8))
    )
    (drawn,) = unrolled.polygons([ring], plane, -180.0)
    assert drawn.isGeosValid()
    assert size_of(drawn, DEGREES) == pytest.approx(ring.area(), rel=2e-3)
    middle = plane.inverse(np.array([[0.0, 0.0]]))[0]
    assert not drawn.contains(QgsGeometry.fromPointXY(QgsPointXY(*middle)))


def test_cells_are_clipped_to_a_study_area_on_both_sides(provider, tmp_path):
    stored, crs = case("Fiji")
    west, east = (
        "POLYGON((176 -20, 180 -20, 180 -16, 176 -16, 176 -20))",
        ("POLYGON((-180 -20, -178 -20, -178 -16, -180 -16, -180 -20))"),
    )
    areas = areas_of(aggregated(stored, crs, tmp_path, area=layer([west, east], crs, "Polygon")))
    assert all(one.isGeosValid() for one in areas.values() if not one.isNull())
    assert sum(one.area() for one in areas.values() if not one.isNull()) == pytest.approx(24.0)


# --- areas that are not the cells of their sites -------------------------------------------------


def stripes(problem, rng, progress):
    """Regions put together without regard to their sites, as max-p does."""
    order = np.argsort(problem.xy[:, 0], kind="stable")
    area = np.empty(len(order), dtype=np.intp)
    area[order] = np.arange(len(order)) * problem.sites // len(order)
    ends = [problem.xy[area == one].mean(axis=0)[::-1] for one in range(problem.sites)]
    return engine.Placement(np.array(ends), area)


@pytest.mark.parametrize("name", ["Fiji", "north pole", "nowhere near"])
def test_areas_that_are_not_nearest_are_joined_from_their_regions(
    provider, tmp_path, monkeypatch, name
):
    monkeypatch.setitem(engine.LOCATIONS, "random", stripes)
    stored, crs = case(name)
    done = aggregated(stored, crs, tmp_path, sites=4, location="random")
    areas = areas_of(done)
    area_of = {int(row["uid"]): int(row["area_id"]) for row in records(done["LOOKUP"])}
    assert all(one.isGeosValid() for one in areas.values())
    whole = QgsGeometry.unaryUnion(list(areas.values()))
    assert sum(one.area() for one in areas.values()) == pytest.approx(whole.area(), rel=1e-6)
    for row, place in enumerate(stored):
        point = QgsGeometry.fromPointXY(QgsPointXY(*place))
        assert areas[area_of[row]].distance(point) * 111_000 < NEAR_M


def test_max_p_regions_are_drawn_as_they_are(provider, tmp_path):
    if not packages.find("spopt").usable:
        pytest.skip("spopt, which is optional, is not installed")
    stored = np.random.default_rng(2).uniform(0, 5e4, (60, 2)) + (4e5, 3e5)
    done = aggregated(stored, "EPSG:27700", tmp_path, sites=5, location="max_p")
    areas = areas_of(done)
    area_of = {int(row["uid"]): int(row["area_id"]) for row in records(done["LOOKUP"])}
    assert 2 <= len(areas) <= 5 and set(area_of.values()) == set(areas)
    for row, place in enumerate(stored):
        point = QgsGeometry.fromPointXY(QgsPointXY(*place))
        assert areas[area_of[row]].contains(point)
    assert "Max-p regions are joined" in (tmp_path / "report.html").read_text(encoding="utf-8")
