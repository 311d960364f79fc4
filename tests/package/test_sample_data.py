# SPDX-License-Identifier: GPL-2.0-or-later
"""The sample GeoPackage: what the demonstration and the other tests take for granted."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from geoanon_qgis.core.space.street_network import street_network

gdal = pytest.importorskip("osgeo.gdal")


@pytest.fixture(scope="module")
def sample(checkout) -> dict:
    """The layers by name."""
    path = checkout / "resources" / "data" / "soho_cholera_1854.gpkg"
    dataset = gdal.OpenEx(str(path), gdal.OF_VECTOR | gdal.OF_READONLY)
    layers = [dataset.GetLayer(number) for number in range(dataset.GetLayerCount())]
    # The layers live only as long as their dataset.
    yield {layer.GetName(): layer for layer in layers}
    del dataset


def places(layer) -> dict[int, tuple[float, float]]:
    """Return the coordinates of each ``address_id``."""
    layer.ResetReading()
    return {feature["address_id"]: feature.GetGeometryRef().GetPoint_2D(0) for feature in layer}


def test_layers_and_their_size(sample):
    counts = {name: layer.GetFeatureCount() for name, layer in sample.items()}
    assert counts == {
        "deaths": 324,
        "pumps": 13,
        "addresses": 4486,
        "streets": 118,
        "blocks": 47,
    }


def test_layers_are_on_the_british_national_grid(sample):
    for layer in sample.values():
        assert layer.GetSpatialRef().GetAuthorityCode(None) == "27700"
    # The pump in Broad Street, which John Snow had taken out of use.
    pumps = np.array([feature.GetGeometryRef().GetPoint_2D(0) for feature in sample["pumps"]])
    assert np.hypot(*(pumps - [529396.5, 181025.1]).T).min() < 10


def test_every_layer_names_its_source(sample):
    for layer in sample.values():
        description = layer.GetMetadataItem("DESCRIPTION")
        assert "libpysal 4.14.1" in description
        assert "BSD 3-clause" in description
        assert description.startswith("MADE UP") == (layer.GetName() in ("addresses", "blocks"))


def test_no_field_is_constant(sample):
    for layer in sample.values():
        names = [field.GetName() for field in layer.schema]
        layer.ResetReading()
        values = [[feature[name] for name in names] for feature in layer]
        for name, column in zip(names, zip(*values)):
            assert len(set(column)) > 1, (layer.GetName(), name)


def test_addresses_hold_every_death_under_its_id(sample):
    deaths, addresses = places(sample["deaths"]), places(sample["addresses"])
    assert len(deaths) == 324
    assert len(addresses) == 4486
    assert all(addresses[number] == place for number, place in deaths.items())
    sample["deaths"].ResetReading()
    assert all(feature.GetFID() == feature["address_id"] for feature in sample["deaths"])


def test_order_of_the_addresses_tells_nothing(sample):
    order = [feature["address_id"] for feature in sample["addresses"]]
    real = [row for row, number in enumerate(order) if number <= 324]
    # The rank sum of the real ones is what chance gives, within four standard deviations.
    n, m = len(real), len(order) - len(real)
    deviation = sum(real) - n * (n - 1) / 2 - n * m / 2
    assert abs(deviation) < 4 * (n * m * (n + m + 1) / 12) ** 0.5


def shapes(layer) -> np.ndarray:
    layer.ResetReading()
    return shapely.from_wkb([bytes(feature.GetGeometryRef().ExportToWkb()) for feature in layer])


def test_streets_are_one_network(sample):
    network = street_network(shapes(sample["streets"]))
    assert network.pieces == 1 and network.linked.all()
    assert len(network.xy) == 189 and len(network.crossings) == 151


def test_blocks_lie_side_by_side_and_count_the_addresses(sample):
    blocks = shapes(sample["blocks"])
    assert shapely.is_valid(blocks).all()
    assert shapely.area(blocks).sum() == pytest.approx(shapely.area(shapely.union_all(blocks)))
    known = np.array(list(places(sample["addresses"]).values()))
    inside = [int(shapely.contains_xy(block, known).sum()) for block in blocks]
    sample["blocks"].ResetReading()
    assert [feature["addresses"] for feature in sample["blocks"]] == inside
    assert sum(inside) == 4486 and min(inside) == 18


def test_blocks_end_at_the_streets(sample):
    """Only the outermost borders are no street."""
    streets = shapely.buffer(shapely.union_all(shapes(sample["streets"])), 0.01)
    blocks = shapes(sample["blocks"])
    outside = shapely.boundary(shapely.union_all(blocks))
    borders = shapely.union_all(shapely.boundary(blocks))
    inner = shapely.difference(borders, shapely.buffer(outside, 0.01))
    assert shapely.length(shapely.difference(inner, streets)) < 0.1
