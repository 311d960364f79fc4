# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:masklocationswap in QGIS."""

import html
import json

import numpy as np
import pytest
import shapely

from geoanon_qgis.core.masking import secretfile
from geoanon_qgis.core.masking.location_swap import swap_locations
from geoanon_qgis.core.masking.swap_rings import Candidates, RingRule
from geoanon_qgis.core.verification import pointmask
from tests.processing.helpers import (
    DEGREES,
    GRID,
    coordinates,
    ends,
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
ADDRESSES = points(3000, seed=4, size=6000)
PLACES = ADDRESSES[: max(GROWTH)]
COUNT = len(PLACES)
KINDS = ("house", "flat", "farm")


def everybody(count=COUNT, crs=GRID, xy=PLACES):
    return people(xy, np.arange(count), crs)


def given(**more):
    return {
        "INPUT": everybody(),
        "CANDIDATES": layer(ADDRESSES),
        "OUTPUT": "TEMPORARY_OUTPUT",
        "MAX": 600.0,
        "K": 20,
        **more,
    }


def mask(**more):
    return run("masklocationswap", given(**more))


def refused(**more):
    return refusal("masklocationswap", given(**more))


def of_kinds(xy, kinds, **more):
    return layer(xy, fields="kind:string", rows=[(kind,) for kind in kinds], **more)


def kinds_of(count):
    return [KINDS[row % 3] for row in range(count)]


# --- where points go ------------------------------------------------------------------------------


def test_everybody_goes_to_an_address_of_the_ring(tmp_path):
    done = mask(SHIFTS="TEMPORARY_OUTPUT", MASK=str(tmp_path / "mask.json"), MIN=100.0)
    assert (done["COUNT"], done["WITHHELD_COUNT"], done["WIDENED"]) == (COUNT, 0, 0)
    assert done["DECISION"] == "not_tested"
    listed = set(map(tuple, ADDRESSES.tolist()))
    assert set(map(tuple, coordinates(done["OUTPUT"]).tolist())) <= listed
    moved = np.array([row["shift_m"] for row in records(done["SHIFTS"])])
    assert moved.min() >= 100 and moved.max() <= 600
    told = pointmask.read(tmp_path / "mask.json")
    assert (told.mask, told.law) == ("masklocationswap", "location swap")
    assert told.parameters["MIN"] == 100 and told.parameters["K"] == 20
    (used,) = told.layers
    assert (used.parameter, used.count) == ("CANDIDATES", 3000)
    assert used.sha256 == pointmask.fingerprint(ADDRESSES[::-1])


def test_the_points_are_those_of_the_engine(tmp_path):
    secret = secretfile.SecretFile.new(GRID, None)
    secretfile.write(secret, tmp_path / "s.json")
    done = mask(SECRET=str(tmp_path / "s.json"), KEY="TEMPORARY_OUTPUT", ID_FIELD="person")
    rule = RingRule(50, 600, 20, True, 1e-3)
    wanted = swap_locations(
        PLACES, Candidates.of(ADDRESSES), rule, secret.bytes, "masklocationswap"
    ).xy
    found = released_places(done)
    assert [found[1000 + row] for row in range(COUNT)] == list(map(tuple, wanted.tolist()))


def test_the_support_holds_where_points_went():
    done = mask(SUPPORT="TEMPORARY_OUTPUT", SHIFTS="TEMPORARY_OUTPUT", ID_FIELD="person")
    circles = {
        row["original_id"]: shapely.from_wkb(bytes(feature.geometry().asWkb()))
        for row, feature in zip(records(done["SUPPORT"]), opened(done["SUPPORT"]).getFeatures())
    }
    for row, (start, end) in zip(records(done["SHIFTS"]), ends(done["SHIFTS"])):
        circle = circles[row["original_id"]]
        assert shapely.get_coordinates(circle.centroid)[0] == pytest.approx(start, abs=1e-3)
        assert circle.buffer(2).contains(shapely.Point(end))
        assert circle.area == pytest.approx(np.pi * 600**2, rel=0.01)


def test_with_classes_everybody_goes_to_the_same_kind(tmp_path):
    kinds = np.random.default_rng(1).choice(KINDS, len(ADDRESSES)).tolist()
    both = {
        "CANDIDATES": of_kinds(ADDRESSES, kinds),
        "INPUT": of_kinds(PLACES, kinds[:COUNT]),
        "CLASSES": ["KIND"],  # as a case other than the layer's
    }
    # The field need not be among those that are released.
    done = mask(**both, SHIFTS="TEMPORARY_OUTPUT", MASK=str(tmp_path / "m.json"))
    kind_at = dict(zip(map(tuple, ADDRESSES.tolist()), kinds))
    for one, other in ends(done["SHIFTS"]).tolist():
        assert kind_at[tuple(one)] == kind_at[tuple(other)]
    told = pointmask.read(tmp_path / "m.json")
    assert [one.parameter for one in told.layers] == ["CANDIDATES", "CLASSES"]
    assert told.parameters["CLASSES"] == "kind"


def test_a_field_that_is_not_released_can_be_the_class():
    kinds = kinds_of(len(ADDRESSES))
    rows = [(1000 + row, kinds[row]) for row in range(COUNT)]
    source = layer(PLACES, fields="person:int,kind:string", rows=rows)
    done = mask(
        INPUT=source,
        CANDIDATES=of_kinds(ADDRESSES, kinds),
        CLASSES=["kind"],
        FIELDS=["person"],
        SHIFTS="TEMPORARY_OUTPUT",
    )
    kind_at = dict(zip(map(tuple, ADDRESSES.tolist()), kinds))
    lines = ends(done["SHIFTS"]).tolist()
    assert all(kind_at[tuple(one)] == kind_at[tuple(other)] for one, other in lines)
    assert "kind" not in records(done["OUTPUT"])[0]


def test_where_the_ring_is_empty_it_is_widened_or_the_record_withheld():
    far = np.concatenate([PLACES, [[500_000.0, 300_000.0]]])
    source = people(far, np.arange(len(far)))
    more = {"INPUT": source, "ID_FIELD": "person", "KEY": "TEMPORARY_OUTPUT"}
    done = mask(**more)
    assert (done["WIDENED"], done["WITHHELD_COUNT"]) == (1, 0)
    away = np.hypot(*(ADDRESSES - far[-1]).T)
    nearest = {tuple(place) for place in ADDRESSES[np.argsort(away)[:20]].tolist()}
    assert released_places(done)[1000 + COUNT] in nearest
    done = mask(**more, IF_EMPTY="withhold", WITHHELD="TEMPORARY_OUTPUT")
    assert (done["WIDENED"], done["WITHHELD_COUNT"], done["COUNT"]) == (0, 1, COUNT)
    (row,) = records(done["WITHHELD"])
    assert (row["original_id"], row["why"]) == (1000 + COUNT, "too few")
    assert 1000 + COUNT not in released_places(done)
    assert any(
        "1 record is withheld: fewer than 20 candidates" in w for w in done.feedback.warnings
    )


def test_a_place_with_several_classes_is_withheld():
    kinds = kinds_of(len(ADDRESSES))
    source = of_kinds(PLACES[[0, 0, 1, 1]], ["house", "flat", kinds[1], kinds[1]])
    done = mask(
        INPUT=source,
        CANDIDATES=of_kinds(ADDRESSES, kinds),
        CLASSES=["kind"],
        WITHHELD="TEMPORARY_OUTPUT",
    )
    assert (done["COUNT"], done["WITHHELD_COUNT"]) == (2, 2)
    assert {row["why"] for row in records(done["WITHHELD"])} == {"several classes"}
    assert len(np.unique(coordinates(done["OUTPUT"]), axis=0)) == 1


def test_metres_are_metres_in_degrees_and_in_feet():
    for crs, centre, size in ((DEGREES, (11.5, 48.5), 0.1), ("EPSG:2263", (1e6, 2e5), 2e4)):
        listed = points(2000, seed=8, size=size, centre=centre)
        done = mask(
            INPUT=everybody(200, crs, listed),
            CANDIDATES=layer(listed, crs=crs),
            MIN=300.0,
            MAX=900.0,
            SHIFTS="TEMPORARY_OUTPUT",
        )
        moved = np.array([row["shift_m"] for row in records(done["SHIFTS"])])
        assert done["WIDENED"] < 40
        assert moved.min() > 299 and np.quantile(moved, 0.7) < 901
        away = np.abs(coordinates(done["OUTPUT"])[:, None] - listed[None]).max(axis=2).min(axis=1)
        assert away.max() < 1e-9 * np.abs(listed).max()


def test_a_list_in_another_system_has_the_place_itself_too():
    from qgis.core import QgsCoordinateReferenceSystem, QgsProject

    from geoanon_qgis.processing.layers.transforming import transform

    class Context:
        def transformContext(self):
            return QgsProject.instance().transformContext()

    grid, degrees = (QgsCoordinateReferenceSystem(one) for one in (GRID, DEGREES))
    there = transform(ADDRESSES, grid, degrees, Context())
    done = mask(
        CANDIDATES=layer(there, crs=DEGREES), MIN=0.0, MAX=90.0, K=2, SHIFTS="TEMPORARY_OUTPUT"
    )
    moved = np.array([row["shift_m"] for row in records(done["SHIFTS"])])
    assert moved.min() > 1


# --- the secret -----------------------------------------------------------------------------------


@pytest.mark.parametrize("classes", [[], ["age"]])
def test_a_growing_registry_keeps_its_points(classes, tmp_path):
    ages = [(20 + row % 50,) for row in range(len(ADDRESSES))]
    listed = layer(ADDRESSES, fields="age:int", rows=ages)
    more = {"CANDIDATES": listed, "MAX": 600.0, "K": 2, "CLASSES": classes}
    assert_nobody_moved(grow("masklocationswap", PLACES, tmp_path, **more))


def test_the_order_of_the_list_moves_nobody_and_without_what_is_kept_few_move(tmp_path):
    kept = {"KEY": "TEMPORARY_OUTPUT", "ID_FIELD": "person"}
    first = mask(**kept, SECRET_FILE=str(tmp_path / "s.json"))
    secret = {"SECRET": first["SECRET_FILE"]}
    before = released_places(first)
    again = mask(**kept, **secret, CANDIDATES=layer(ADDRESSES[::-1]))
    assert released_places(again) == before
    assert not any("in another way before" in one for one in again.feedback.warnings)
    new = points(60, seed=77, size=6000)
    told = json.loads((tmp_path / "s.json").read_text())
    (tmp_path / "s.json").write_text(json.dumps({**told, "kept": {}}))
    grown = mask(**kept, **secret, CANDIDATES=layer(np.concatenate([new, ADDRESSES])))
    after = released_places(grown)
    moved = [one for one in before if before[one] != after[one]]
    assert len(moved) < 15 and {after[one] for one in moved} <= set(map(tuple, new.tolist()))
    assert any("in another way before" in one for one in grown.feedback.warnings)


def test_an_address_whose_last_digit_differs_is_the_same_without_a_system_too():
    xy = ADDRESSES - ADDRESSES.mean(axis=0) + 0.123456789
    listed = np.array([[float(f"{one:.14g}") for one in row] for row in xy.tolist()])
    assert (listed != xy).any()
    for crs in ("", GRID):
        source = people(xy, np.arange(COUNT), crs)
        done = mask(INPUT=source, CANDIDATES=layer(listed, crs=crs), MIN=0.0, MAX=300.0, K=2,
                    SHIFTS="TEMPORARY_OUTPUT")  # fmt: skip
        lines = ends(done["SHIFTS"])
        assert np.hypot(*(lines[:, 1] - lines[:, 0]).T).min() > 0.01


def test_a_growing_registry_in_degrees_keeps_its_points(tmp_path):
    xy = points(max(GROWTH), seed=2, size=0.5, centre=(10.4, 50.0))
    xy[GROWTH[1] :] += (1.5, 2.5)
    listed = np.concatenate([xy, points(400, seed=3, size=0.6, centre=(10.4, 50.0))])
    found = grow(
        "masklocationswap",
        xy,
        tmp_path,
        DEGREES,
        CANDIDATES=layer(listed, crs=DEGREES),
        MAX=9e3,
        K=2,
    )
    assert_nobody_moved(found)


def test_the_bytes_of_the_release_hold_nothing_of_the_secret(tmp_path):
    # The originals are not on this list: a released address may be somebody's home.
    others = points(3000, seed=44, size=6000)
    done = assert_audited("masklocationswap", PLACES, tmp_path, CANDIDATES=layer(others))
    assert done["COUNT"] == COUNT
    told = json.loads((tmp_path / "json.json").read_text())
    assert str(COUNT) in json.dumps(told)


# --- the report -----------------------------------------------------------------------------------


def test_the_report_says_what_the_mask_does_not_protect(tmp_path):
    others = layer(points(3000, seed=44, size=6000))
    mask(REPORT=str(tmp_path / "r.html"), CANDIDATES=others)
    told = html.unescape((tmp_path / "r.html").read_text())
    for sentence in (
        "Whose record it is may not be hidden",
        "Every released point is somebody's address",
        "The ring does not say among how many a person hides",
        "The least distance helps an attacker, too",
        f"{COUNT} records stand at no address of the list",
    ):
        assert sentence in told, sentence
    mask(REPORT=str(tmp_path / "r.html"), MIN=0.0)
    told = html.unescape((tmp_path / "r.html").read_text())
    assert "at no address of the list" not in told and "The least distance helps" not in told


# --- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong, said",
    [
        ({"MIN": 600.0}, "must be zero or more, and below the largest (MAX)"),
        ({"MIN": -1.0}, "must be zero or more, and below"),
        ({"K": 1}, "K"),
        ({"K": 3001}, "There are candidates at 3,000 different places, fewer than the 3,001"),
        ({"CLASSES": ["age"]}, "age"),
    ],
)
def test_what_does_not_go_together_is_a_sentence(wrong, said):
    assert said in refused(**wrong)


def test_layers_that_do_not_fit_are_a_sentence():
    assert "no record with a usable place" in refused(INPUT=everybody(0))
    own = everybody()
    assert "are the layer of the points themselves" in refused(INPUT=own, CANDIDATES=own)
    kinds = of_kinds(ADDRESSES, kinds_of(len(ADDRESSES)))
    assert "have no field “kind”" in refused(CANDIDATES=kinds, CLASSES=["kind"])
    assert "1 at least are needed" in refused(CANDIDATES=layer(np.empty((0, 2))))
    same = layer(np.repeat(ADDRESSES[:1], 50, axis=0))
    assert "at 1 different places, fewer than the 20" in refused(CANDIDATES=same)
    lone = of_kinds(ADDRESSES[:60], kinds_of(60))
    source = of_kinds(PLACES, ["castle"] * COUNT)
    said = refused(INPUT=source, CANDIDATES=lone, CLASSES=["kind"])
    assert said.startswith("No record can be released.") and "share their class" in said
