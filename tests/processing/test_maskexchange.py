# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:maskexchange in QGIS."""

import base64
import json
import struct
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from qgis.core import QgsGeometry, QgsPointXY
from scipy.spatial import cKDTree

from geoanon_qgis.core.masking.address_cells import address_cells
from geoanon_qgis.core.masking.dwelling_partners import dwelling_graph
from geoanon_qgis.core.masking.partners import partner_graph
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

pytestmark = pytest.mark.usefixtures("project", "same_secrets")
COUNT, K = 1200, 6
ADDRESSES = np.random.default_rng(6).permutation(points(COUNT, seed=5, size=8000).round(2))
#: Where the records are: at addresses, in no order.
PLACES = ADDRESSES[np.random.default_rng(1).permutation(COUNT)[: max(GROWTH)]]
METHODS = ("exchange", "cells", "groups")


@pytest.fixture
def listed():
    return layer(ADDRESSES, name="addresses")


def mask(listed, source=None, **more):
    given = {
        "INPUT": people(PLACES, np.arange(len(PLACES))) if source is None else source,
        "CANDIDATES": listed,
        "K": K,
        "K_RECORDS": 3,
        "ID_FIELD": "person",
        "OUTPUT": "TEMPORARY_OUTPUT",
        "KEY": "TEMPORARY_OUTPUT",
        **more,
    }
    return run("maskexchange", given)


def refused(listed, **more):
    given = {"INPUT": people(PLACES, np.arange(9)), "CANDIDATES": listed, "K": K, "K_RECORDS": 3}
    return refusal("maskexchange", {**given, "OUTPUT": "TEMPORARY_OUTPUT", **more})


def rows_of(xy):
    away, row = cKDTree(ADDRESSES).query(xy)
    assert (away < 1e-6).all()
    return row


# --- what is promised -----------------------------------------------------------------------------


def test_everybody_is_released_at_a_partner_of_the_address(listed):
    done = mask(listed)
    graph = partner_graph(ADDRESSES, K)
    found = released_places(done)
    assert len(found) == done["COUNT"] == len(PLACES)
    at, to = rows_of(PLACES), rows_of([found[1000 + row] for row in range(len(PLACES))])
    assert all(there in graph.partners[here] for here, there in zip(at, to))
    assert 1 / K <= done["CHANCE"] < 1.6 / K
    assert done["SHARE"] == pytest.approx(len(PLACES) / COUNT)


def test_every_partner_is_as_likely_as_any_other(listed):
    graph, slots = partner_graph(ADDRESSES, K), Counter()
    at = rows_of(PLACES)
    for _ in range(12):
        found = released_places(mask(listed))
        to = rows_of([found[1000 + row] for row in range(len(PLACES))])
        slots.update(int(np.flatnonzero(graph.partners[a] == b)[0]) for a, b in zip(at, to))
    expected = 12 * len(PLACES) / K
    chi2 = sum((slots[one] - expected) ** 2 / expected for one in range(K))
    assert chi2 < 25  # five degrees of freedom: p = 1e-4


def test_records_of_a_cell_go_to_distinct_addresses_of_it(tmp_path, listed):
    done = mask(listed, METHOD="cells", K_RECORDS=4, SECRET_FILE=str(tmp_path / "s.json"))
    assert done["RECORD_CHANCE"] <= 1 / 4
    found = released_places(done)
    places = np.array([found[1000 + row] for row in range(len(PLACES))])
    assert len(np.unique(places, axis=0)) == len(PLACES)
    kept = json.loads((tmp_path / "s.json").read_text())["kept"]["maskexchange cells"]
    unit = dict(zip(map(tuple, kept["place"]), kept["group"]))
    assert min(Counter(unit.values()).values()) >= 4
    # Each record stays among the cells that its unit was joined from.
    cells = address_cells(ADDRESSES[np.lexsort((ADDRESSES[:, 1], ADDRESSES[:, 0]))], K)
    cell_at = dict(zip(map(tuple, cells.xy.tolist()), cells.cell.tolist()))
    unit_of_cell = {cell_at[place]: number for place, number in unit.items()}
    for place, released in zip(PLACES.tolist(), places.tolist()):
        there = unit_of_cell.get(cell_at[tuple(released)])
        assert there is None or there == unit[tuple(place)]


def test_groups_hide_the_record_among_as_many_as_asked_for(listed):
    done = mask(listed, METHOD="groups", K_RECORDS=4)
    assert done["RECORD_CHANCE"] == pytest.approx(1 / 4)
    assert "CHANCE" not in done
    at = rows_of(coordinates(done["OUTPUT"]))
    assert len(at) == len(PLACES)


def test_weights_tell_the_likeliest_address():
    weights = np.ones(COUNT)
    weights[::7] = 5
    fields, rows = "people:int", [(int(one),) for one in weights]
    weighted = layer(ADDRESSES, fields=fields, rows=rows)
    done = mask(weighted, WEIGHT="people")
    graph = partner_graph(ADDRESSES, K)
    of = weights[graph.partners[rows_of(coordinates(done["OUTPUT"]))]]
    alone = (of.max(axis=1) / of.sum(axis=1)).max()
    assert alone <= done["CHANCE"] < alone + 0.1
    one = mask(weighted, people(PLACES, [0]), WEIGHT="people")
    of = weights[graph.partners[rows_of(coordinates(one["OUTPUT"]))]]
    assert one["CHANCE"] == pytest.approx(of.max() / of.sum())


def test_weights_of_any_size_tell_by_their_ratios():
    for size in (1e308, 1e-300):
        fields, rows = "people:double", [(size,)] * COUNT
        done = mask(
            layer(ADDRESSES, fields=fields, rows=rows), people(PLACES, [0]), WEIGHT="people"
        )
        assert done["CHANCE"] == pytest.approx(1 / K)


def test_rows_at_one_place_are_its_dwellings():
    graph = partner_graph(ADDRESSES, K)
    tower = np.concatenate([ADDRESSES, np.repeat(ADDRESSES[:1], 9, axis=0)])
    source = people(ADDRESSES, graph.partners[graph.partners[0, 0]][:1])
    chances = [mask(layer(tower), source)["CHANCE"] for _ in range(20)]
    assert set(np.round(chances, 6)) <= {round(1 / K, 6), round(10 / (K + 9), 6)}
    assert mask(layer(tower), people(ADDRESSES, range(60)))["CHANCE"] > 10 / (K + 9) - 1e-9


def test_an_outbreak_in_few_streets_is_no_small_part_of_them(listed):
    near = np.argsort(np.hypot(*(ADDRESSES - ADDRESSES.mean(axis=0)).T))[:60]
    done = mask(listed, people(ADDRESSES, near[:45]), JSON="TEMPORARY_OUTPUT")
    assert done["SHARE"] < 0.05
    assert done["CHANCE"] > 1.3 / K
    assert "released points lie on partners of one another" in done.feedback.said
    assert "somebody there is in the file" in done.feedback.said
    far = mask(listed, people(ADDRESSES, range(4)))
    assert "partners of one another" not in far.feedback.said


def test_who_is_left_of_a_group_hides_among_fewer(tmp_path, listed):
    for method in ("groups", "cells"):
        more = {"METHOD": method, "K_RECORDS": 5}
        first = mask(
            listed,
            people(PLACES, range(40)),
            SECRET_FILE=str(tmp_path / f"{method}.json"),
            **more,
        )
        assert first["RECORD_CHANCE"] <= 1 / 5 and "have left the file" not in first.feedback.said
        kept = json.loads(Path(first["SECRET_FILE"]).read_text())["kept"][f"maskexchange {method}"]
        gone = {tuple(place) for place, group in zip(kept["place"], kept["group"]) if group == 0}
        left = [row for row in range(40) if tuple(PLACES[row]) not in sorted(gone)[1:]]
        assert len(left) < 40
        last = mask(listed, people(PLACES, left), SECRET=first["SECRET_FILE"], **more)
        assert last["RECORD_CHANCE"] == 1
        assert "1 place hides no longer among 5" in last.feedback.said


def test_partners_share_their_class():
    kinds = np.where(np.arange(COUNT) % 3 == 0, "flat", "house")
    kinds[:2] = "castle"
    classed = layer(ADDRESSES, fields="kind:string", rows=[(str(one),) for one in kinds])
    inside = np.concatenate([ADDRESSES[2:60], ADDRESSES[:1]])
    done = mask(classed, people(inside, np.arange(59)), CLASSES="kind", WITHHELD="TEMPORARY_OUTPUT")
    found = released_places(done)
    assert set(found) <= set(range(1000, 1058))
    for row in range(58):
        if 1000 + row in found:
            assert kinds[rows_of([found[1000 + row]])[0]] == kinds[row + 2]
    why = {row["original_id"]: row["why"] for row in records(done["WITHHELD"])}
    assert why[1058] == "no partners" and set(why.values()) == {"no partners"}


def test_beside_an_address_is_nearer_to_it_than_to_any_other(tmp_path, listed):
    plain = mask(listed, SECRET_FILE=str(tmp_path / "s.json"))
    beside = mask(listed, SECRET=plain["SECRET_FILE"], OUTPUT_AT="beside")
    one, other = released_places(plain), released_places(beside)
    tree = cKDTree(ADDRESSES)
    for person, place in other.items():
        assert place != one[person]
        assert tuple(ADDRESSES[tree.query(place)[1]]) == one[person]


def test_at_crossings_is_at_the_nearest_one(tmp_path, listed):
    west, south = ADDRESSES.min(axis=0)
    east, north = ADDRESSES.max(axis=0)
    ways = [f"LINESTRING ({x} {south}, {x} {north})" for x in np.linspace(west, east, 9)]
    ways += [f"LINESTRING ({west} {y}, {east} {y})" for y in np.linspace(south, north, 9)]
    streets = layer(ways, kind="LineString")
    plain = mask(listed, SECRET_FILE=str(tmp_path / "s.json"))
    done = mask(listed, SECRET=plain["SECRET_FILE"], OUTPUT_AT="crossing", STREETS=streets)
    grid = np.array(
        [(x, y) for x in np.linspace(west, east, 9) for y in np.linspace(south, north, 9)]
    )
    tree, one, other = cKDTree(grid), released_places(plain), released_places(done)
    for person, place in other.items():
        wanted = tree.query(one[person])[0]
        # the four corners of the net are no crossings
        assert np.hypot(*(np.array(place) - one[person])) >= wanted - 0.1
        assert tree.query(place)[0] < 0.1  # nodes are joined to centimetres
    assert "belong together" in refused(listed, OUTPUT_AT="crossing")
    assert "belong together" in refused(listed, STREETS=streets)
    single = layer([f"LINESTRING ({west} {south}, {east} {north})"], kind="LineString")
    said = refused(listed, OUTPUT_AT="crossing", STREETS=single)
    assert "have no crossing" in said


# --- who is withheld --------------------------------------------------------------------------------


def test_records_at_no_address_are_withheld_unless_the_nearest_is_asked_for(listed):
    moved = PLACES.copy()
    moved[:5] += (0.3, 0.4)
    source = people(moved, np.arange(len(moved)))
    done = mask(listed, source, WITHHELD="TEMPORARY_OUTPUT", MASK="TEMPORARY_OUTPUT")
    assert done["WITHHELD_COUNT"] == 5
    assert {row["why"] for row in records(done["WITHHELD"])} == {"no address"}
    assert set(released_places(done)) == set(range(1005, 1000 + len(PLACES)))
    assert pointmask.read(done["MASK"]).counts["withheld: no address"] == 5
    assert mask(listed, source, WITHIN=0.6)["WITHHELD_COUNT"] == 0


def test_a_list_in_another_system_has_the_same_addresses():
    from qgis.core import (
        QgsCoordinateReferenceSystem,
        QgsCoordinateTransform,
        QgsPointXY,
        QgsProject,
    )

    change = QgsCoordinateTransform(
        QgsCoordinateReferenceSystem(GRID),
        QgsCoordinateReferenceSystem(DEGREES),
        QgsProject.instance(),
    )
    turned = [change.transform(QgsPointXY(x, y)) for x, y in ADDRESSES]
    other = layer([(one.x(), one.y()) for one in turned], crs=DEGREES)
    assert mask(other)["WITHHELD_COUNT"] == 0


def test_dwellings_hide_among_dwellings(tmp_path):
    many = np.random.default_rng(2).choice([1, 1, 1, 2, 5, 40], COUNT)
    # People live where there are dwellings.
    chosen = np.random.default_rng(3).choice(COUNT, 90, False, many / many.sum())
    living = ADDRESSES[chosen]
    source = people(living, np.arange(90))
    listed = layer(ADDRESSES, fields="flats:int", rows=[(int(one),) for one in many])
    more = {"WEIGHT": "flats", "UNIT": "dwelling", "SECRET_FILE": str(tmp_path / "s.json")}
    done = mask(listed, source, MASK=str(tmp_path / "m.json"), SUPPORT="TEMPORARY_OUTPUT", **more)
    graph = dwelling_graph(ADDRESSES, many, K)
    found = released_places(done)
    own = chosen
    at = rows_of([found[1000 + row] for row in range(90)])
    assert all(two in graph.reached(np.array([one])) for one, two in zip(own, at))
    stay = int(((own == at) & (many[own] >= K)).sum())
    assert (own == at)[many[own] == 40].mean() > 0.7
    assert f"{stay} records are released at their own address" in done.feedback.said
    assert 1 / K <= done["CHANCE"] < 1
    told = pointmask.read(tmp_path / "m.json")
    assert told.parameters["UNIT"] == "dwelling"
    assert [one.parameter for one in told.layers] == ["CANDIDATES", "DWELLINGS"]
    # A row for each dwelling says the same.
    rows = layer(np.repeat(ADDRESSES, many, axis=0))
    again = mask(rows, source, UNIT="dwelling", SECRET=done["SECRET_FILE"])
    assert released_places(again) == found and "earlier release put them" not in again.feedback.said
    told = json.loads((tmp_path / "s.json").read_text())
    (tmp_path / "bare.json").write_text(json.dumps({**told, "kept": {}}))
    assert (
        released_places(mask(rows, source, UNIT="dwelling", SECRET=str(tmp_path / "bare.json")))
        == found
    )
    # The attack weighs each address by its pairs of partners.
    given = {"INPUT": done["OUTPUT"], "MASK": str(tmp_path / "m.json"), "KEY": done["KEY"]}
    given = {**given, "CANDIDATES": listed, "OUTPUT": "TEMPORARY_OUTPUT"}
    attacked = run("attackmask", {**given, "WEIGHT": "flats"})
    assert attacked["UNEXPLAINED"] == 0
    assert attacked["IDENTIFIED"] / 90 == pytest.approx(attacked["MEAN_TOP"], abs=0.15)
    tops = np.array([row["probability"] for row in records(attacked["OUTPUT"])])
    assert (tops > 0.9).sum() >= (many[own] == 40).sum() * 0.9
    assert "other numbers of dwellings" in refusal("attackmask", given)
    # Nor does an exchange of addresses go on with them.
    assert "with UNIT=dwelling, and not with UNIT=none" in refused(
        listed, SECRET=done["SECRET_FILE"]
    )
    assert "with METHOD=exchange only" in refused(listed, UNIT="dwelling", METHOD="groups")
    half = layer(ADDRESSES, fields="flats:double", rows=[(1.5,)] * COUNT)
    assert "no whole number of dwellings" in refused(half, UNIT="dwelling", WEIGHT="flats")


# --- the secret -------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_a_growing_registry_keeps_its_points(method, tmp_path, listed):
    more = {"CANDIDATES": listed, "METHOD": method, "K": K, "K_RECORDS": 3}
    found = grow("maskexchange", PLACES, tmp_path, **more)
    assert_nobody_moved(found)


@pytest.mark.parametrize("method", METHODS)
def test_a_list_in_another_order_moves_nobody(method, tmp_path, listed):
    first = mask(listed, METHOD=method, SECRET_FILE=str(tmp_path / "s.json"))
    turned = layer(ADDRESSES[::-1], name="addresses")
    again = mask(turned, METHOD=method, SECRET=first["SECRET_FILE"])
    assert released_places(first) == released_places(again)


def test_newcomers_wait_until_there_are_enough(tmp_path, listed):
    first = mask(
        listed,
        people(PLACES, np.arange(20)),
        METHOD="groups",
        K_RECORDS=5,
        SECRET_FILE=str(tmp_path / "one.json"),
    )
    more = {"METHOD": "groups", "K_RECORDS": 5, "WITHHELD": "TEMPORARY_OUTPUT"}
    again = mask(
        listed,
        people(PLACES, np.arange(23)),
        SECRET=first["SECRET_FILE"],
        SECRET_FILE=str(tmp_path / "two.json"),
        **more,
    )
    assert again["WITHHELD_COUNT"] == 3
    assert {row["why"] for row in records(again["WITHHELD"])} == {"waiting"}
    last = mask(listed, people(PLACES, np.arange(26)), SECRET=again["SECRET_FILE"], **more)
    assert last["WITHHELD_COUNT"] == 0
    assert_nobody_moved([released_places(first), released_places(last)])


@pytest.mark.parametrize("method", METHODS)
def test_the_bytes_of_the_release_hold_nothing_of_the_secret(method, tmp_path, listed):
    # Released points are addresses, and some of them are those of other records.
    given = {"CANDIDATES": listed, "METHOD": method, "K": K, "K_RECORDS": 3, "OUTPUT_AT": "beside"}
    assert_audited("maskexchange", PLACES, tmp_path, **given)
    mask_file = json.loads((tmp_path / "mask.json").read_text())
    assert not {"place", "group", "released_at"} & set(mask_file)
    kept = json.loads((tmp_path / "secret_file.json").read_text())["kept"]
    assert set(kept) == {f"maskexchange {method}", f"maskexchange {method} beside"}
    kept = kept[f"maskexchange {method}"]
    assert ("place" if method != "exchange" else "lists") in kept
    if method == "exchange":  # an address is called by what tells nothing of it
        (places,) = kept["lists"]
        raw = [base64.b64decode(places[one]) for one in ("names", "xy")]
        assert [len(one) / 16 for one in raw] == [len(PLACES)] * 2
        told = b"".join(raw) + json.dumps(kept).encode()
        mixed = {tuple(one) for one in PLACES.tolist()} - {
            tuple(one) for one in np.frombuffer(raw[1]).reshape(-1, 2).tolist()
        }
        assert mixed and not any(struct.pack("<2d", *one) in told for one in mixed)


def test_with_another_list_everybody_stays(tmp_path, listed):
    first = mask(listed, SECRET_FILE=str(tmp_path / "s.json"))
    found = released_places(first)
    own = {tuple(place) for place in PLACES.tolist()}
    fewer = [row for row in range(COUNT) if row % 9 or tuple(ADDRESSES[row].tolist()) in own]
    added = points(90, seed=77, size=8000).round(2)
    other = layer(np.concatenate([ADDRESSES[fewer], added]), name="addresses")
    again = mask(
        other,
        SECRET=first["SECRET_FILE"],
        SECRET_FILE=str(tmp_path / "s2.json"),
        MASK=str(tmp_path / "m2.json"),
    )
    assert released_places(again) == found
    # By the partners of the new list they cannot be explained, and no attack may try.
    assert pointmask.read(again["MASK"]).parameters["EARLIER_LISTS"] == len(PLACES)
    given = {"INPUT": again["OUTPUT"], "CANDIDATES": other, "MASK": again["MASK"], "OUTPUT": "TEMPORARY_OUTPUT"}  # fmt: skip
    assert "put where they are by an earlier address list" in refusal("attackmask", given)
    assert "moved points in another way before" not in again.feedback.said
    # Without what is kept, the same secret leads many elsewhere, and that is told.
    told = json.loads(Path(first["SECRET_FILE"]).read_text())
    told["kept"] = {}
    (tmp_path / "old.json").write_text(json.dumps(told))
    lost = mask(other, SECRET=str(tmp_path / "old.json"))
    assert released_places(lost) != found
    assert "moved points in another way before" in lost.feedback.said
    # Who has not been released before is put by the list of now.
    last = mask(other, people(np.concatenate([PLACES, added[:5]]), range(len(PLACES) + 5)),
                SECRET=again["SECRET_FILE"])  # fmt: skip
    assert_nobody_moved([found, released_places(last)])


def test_another_number_of_partners_is_refused_where_places_are_kept(tmp_path, listed):
    first = mask(listed, SECRET_FILE=str(tmp_path / "s.json"))
    said = refused(listed, SECRET=first["SECRET_FILE"], K=K + 1)
    assert f"were released with K={K}, and not with K={K + 1}" in said
    good = {"of": "a", "names": "A" * 22 + "==", "xy": "A" * 22 + "=="}
    for bad in (
        {"by": {"K": K}},
        {"by": 6, "lists": []},
        {"by": {"K": K}, "lists": [{**good, "xy": "AAAA"}]},
        {"by": {"K": K}, "lists": [{**good, "names": "é"}]},
        {"by": {"K": K}, "lists": [{**good, "names": ""}]},
        [],
        "text",
    ):
        told = json.loads(Path(first["SECRET_FILE"]).read_text())
        told["kept"]["maskexchange exchange"] = bad
        (tmp_path / "bad.json").write_text(json.dumps(told))
        said = refused(listed, SECRET=str(tmp_path / "bad.json"))
        assert "keeps of earlier releases makes no sense" in said


def test_other_classes_of_the_same_addresses_are_told(tmp_path):
    def classed(step):
        rows = [("a" if row % step else "b",) for row in range(COUNT)]
        return layer(ADDRESSES, fields="kind:string", rows=rows)

    first = mask(classed(2), CLASSES="kind", SECRET_FILE=str(tmp_path / "s.json"))
    same = mask(classed(2), CLASSES="kind", SECRET=first["SECRET_FILE"])
    assert released_places(first) == released_places(same)
    assert "moved points in another way before" not in same.feedback.said
    other = mask(classed(3), CLASSES="kind", SECRET=first["SECRET_FILE"])
    assert released_places(first) == released_places(other)
    told = json.loads(Path(first["SECRET_FILE"]).read_text())
    told["kept"] = {}
    (tmp_path / "old.json").write_text(json.dumps(told))
    other = mask(classed(3), CLASSES="kind", SECRET=str(tmp_path / "old.json"))
    assert released_places(first) != released_places(other)
    assert "moved points in another way before" in other.feedback.said


def test_new_groups_that_are_not_kept_are_warned_of(tmp_path, listed):
    more = {"METHOD": "groups", "K_RECORDS": 5}
    first = mask(listed, people(PLACES, range(20)), SECRET_FILE=str(tmp_path / "s.json"), **more)
    lost = mask(listed, people(PLACES, range(40)), SECRET=first["SECRET_FILE"], **more)
    assert "Where newcomers were put is not kept (SECRET_FILE)" in lost.feedback.said
    same = mask(listed, people(PLACES, range(20)), SECRET=first["SECRET_FILE"], **more)
    assert "is not kept" not in same.feedback.said


def test_what_is_kept_of_groups_and_cells_has_to_fit(tmp_path, listed):
    first = mask(listed, METHOD="groups", SECRET_FILE=str(tmp_path / "s.json"))
    said = refused(listed, METHOD="groups", SECRET=first["SECRET_FILE"], K_RECORDS=4)
    assert "hold at least 3 records, not 4" in said
    cells = mask(listed, METHOD="cells", SECRET_FILE=str(tmp_path / "c.json"))["SECRET_FILE"]
    said = refused(listed, METHOD="cells", SECRET=cells, K=K + 1)
    assert f"have at least {K} addresses (K), not {K + 1}" in said

    def changed(path, method, other, without=()):
        told = json.loads(Path(path).read_text())
        kept = told["kept"][f"maskexchange {method}"]
        kept.update(other)
        for one in without:
            del kept[one]
        (tmp_path / "changed.json").write_text(json.dumps(told))
        return str(tmp_path / "changed.json")

    groups = json.loads((tmp_path / "s.json").read_text())["kept"]["maskexchange groups"]["group"]
    bad = [("groups", {"group": one}) for one in (
        [99, *groups[1:]], [one + 0.5 for one in groups], [[one] for one in groups], 5, None
    )]  # fmt: skip
    bad += [("groups", {"place": [[0, 0]] * len(groups)}), ("groups", {"of_list": [7]})]
    bad += [("cells", {"cells": {}}), ("cells", {"lists": []})]
    for method, other in bad:
        path = first["SECRET_FILE"] if method == "groups" else cells
        said = refused(listed, METHOD=method, SECRET=changed(path, method, other))
        assert "keeps of earlier releases makes no sense" in said
    # What version 0.2.0 wrote: no cells. The list of then will do.
    old = changed(cells, "cells", {}, ("cells", "lists", "of_list"))
    last = layer(ADDRESSES[np.any(ADDRESSES != ADDRESSES[-1], axis=1)])
    assert "of an earlier version, which did not keep the cells" in refused(last, METHOD="cells", SECRET=old)  # fmt: skip
    again = mask(listed, METHOD="cells", SECRET=old, SECRET_FILE=str(tmp_path / "new.json"))
    kept = [json.loads(Path(one).read_text())["kept"] for one in (cells, again["SECRET_FILE"])]
    assert kept[0] == kept[1]


def test_with_another_list_cells_last_and_what_they_cannot_hide_is_withheld(tmp_path, listed):
    more = {"METHOD": "cells", "K_RECORDS": 3, "WITHHELD": "TEMPORARY_OUTPUT"}
    first = mask(listed, SECRET_FILE=str(tmp_path / "s.json"), **more)
    found, own = released_places(first), rows_of(PLACES)
    order = np.lexsort((ADDRESSES[:, 1], ADDRESSES[:, 0]))
    cell = np.empty(COUNT, dtype=int)
    cell[order] = address_cells(ADDRESSES[order], K).cell
    kept = json.loads((tmp_path / "s.json").read_text())["kept"]["maskexchange cells"]
    unit = dict(zip(map(tuple, kept["place"]), kept["group"]))
    unit = np.array([unit[tuple(one)] for one in PLACES.tolist()])
    # Of one cell all addresses go, those of its records, too; somewhere else one without records.
    lost = cell == cell[own[0]]
    lost[np.setdiff1d(np.flatnonzero(cell == cell[own[unit != unit[0]][0]]), own)[:1]] = True
    new = points(K - 1, seed=77, size=8000).round(2)
    other = layer(np.concatenate([ADDRESSES[~lost], new]), name="addresses")
    who = people(np.concatenate([PLACES, new]), range(len(PLACES) + len(new)))
    again = mask(
        other, who, SECRET=first["SECRET_FILE"], SECRET_FILE=str(tmp_path / "t.json"),
        MASK=str(tmp_path / "m.json"), SUPPORT="TEMPORARY_OUTPUT", **more,
    )  # fmt: skip
    now = released_places(again)
    few = {1000 + row for row in np.flatnonzero(unit == unit[0]).tolist()}
    assert now == {one: to for one, to in found.items() if one not in few}
    why = Counter(row["why"] for row in records(again["WITHHELD"]))
    assert why == {"too few addresses left": len(few), "no cell": len(new)}
    assert again["CHANCE"] <= 1 / K + 1e-9
    assert "so many addresses of their cells are gone" in again.feedback.said
    told = pointmask.read(again["MASK"]).parameters
    assert told["EARLIER_LISTS"] == len(now) and told["CELLS_OF_SEVERAL_LISTS"]
    given = {"INPUT": again["OUTPUT"], "CANDIDATES": other, "MASK": again["MASK"], "OUTPUT": "TEMPORARY_OUTPUT"}  # fmt: skip
    assert "put where they are by an earlier address list" in refusal("attackmask", given)
    # By the list of before everybody is there again, but those that came back have no cell.
    last = mask(
        listed, SECRET=again["SECRET_FILE"], MASK=str(tmp_path / "l.json"),
        SUPPORT="TEMPORARY_OUTPUT", **more,
    )  # fmt: skip
    assert released_places(last) == now
    assert pointmask.read(last["MASK"]).parameters["EARLIER_LISTS"] == len(now)
    assert not opened(last["SUPPORT"]).featureCount()


@pytest.mark.parametrize("method", ["cells", "groups"])
def test_who_takes_the_nearest_address_or_lost_his_own_stays(method, tmp_path, listed):
    beside = PLACES + [30.0, 0.0]
    more = {"METHOD": method, "WITHIN": 40.0}
    source = people(beside, range(len(PLACES)))
    first = mask(listed, source, SECRET_FILE=str(tmp_path / "s.json"), **more)
    # Others are nearer now, and some of those that were the nearest are gone.
    gone = np.isin(np.arange(COUNT), rows_of(PLACES)[:3])
    other = layer(np.concatenate([ADDRESSES[~gone], beside[5:25] + 1.0]), name="addresses")
    again = mask(other, source, SECRET=first["SECRET_FILE"], WITHHELD="TEMPORARY_OUTPUT", **more)
    found, now = released_places(first), released_places(again)
    assert all(found[one] == to for one, to in now.items()) and len(now) > len(found) / 2
    why = {row["why"] for row in records(again["WITHHELD"])}
    assert why <= {"too few addresses left"} if method == "cells" else now == found


# --- refusals ---------------------------------------------------------------------------------------


def test_a_house_that_is_listed_twice_not_quite_at_one_place_is_told(listed):
    said = "of the list less than 1 m from another one"
    assert said not in mask(listed).feedback.said
    twice = layer(np.concatenate([ADDRESSES, ADDRESSES[:3] + 0.01]))
    assert f"6 addresses lie {said}" in mask(twice).feedback.said


def test_no_records_are_a_sentence(listed):
    for method in METHODS:
        said = refused(listed, INPUT=layer([], fields="person:int"), METHOD=method)
        assert "no record with a usable place" in said


def test_an_address_without_a_class_takes_that_of_its_other_row(listed):
    twice = np.concatenate([ADDRESSES, ADDRESSES[:1]])
    rows = [("flat",)] * COUNT + [(None,)]
    for turn in (1, -1):
        classed = layer(twice[::turn], fields="kind:string", rows=rows[::turn])
        assert mask(classed, CLASSES="kind")["WITHHELD_COUNT"] == 0


def test_what_cannot_be_exchanged_is_a_sentence(listed):
    own = people(PLACES, np.arange(20))
    assert "is the layer of the records themselves" in refused(own, INPUT=own)
    assert "need at least as many" in refused(layer(PLACES[:4]), INPUT=people(PLACES, range(4)))
    assert "No record lies at an address" in refused(layer(ADDRESSES + 50))
    assert "(WITHIN) by zero metres or more" in refused(listed, WITHIN=-1)
    classed = layer(ADDRESSES, fields="kind:string", rows=[("a",)] * COUNT)
    said = refused(classed, METHOD="groups", CLASSES="kind")
    assert "CLASSES is used with METHOD=exchange only" in said
    said = refused(listed, METHOD="groups", INPUT=people(PLACES, range(2)))
    assert "a group needs 3" in said
    bad = layer(ADDRESSES, fields="people:int", rows=[(None,)] * COUNT)
    assert "no number of people, or a negative one" in refused(bad, WEIGHT="people")


@pytest.mark.parametrize("method", METHODS)
def test_support_holds_the_released_point(method, listed):
    done = mask(listed, METHOD=method, SUPPORT="TEMPORARY_OUTPUT")
    found = released_places(done)
    areas = list(opened(done["SUPPORT"]).getFeatures())
    assert len(areas) == len(found)
    for one in areas:
        place = QgsGeometry.fromPointXY(QgsPointXY(*found[one["original_id"]]))
        assert one.geometry().buffer(0.01, 4).contains(place)
