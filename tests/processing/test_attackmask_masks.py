# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:attackmask on every mask: what is read, what is refused, and whether it is right."""

import json
from pathlib import Path

import numpy as np
import pytest

from geoanon_qgis.core.attacks.masks import voronoi_files
from tests.processing.helpers import DEGREES, layer, points, records
from tests.processing.kept_masks import people
from tests.processing.test_attackmask import ADDRESSES, PLACES, SQUARES, attack, masked, refused

pytestmark = pytest.mark.usefixtures("project", "same_secrets", "few_rounds")
COUNT = len(PLACES)


@pytest.fixture
def listed():
    return layer(ADDRESSES, name="addresses")


def streets(skip=()):
    """A grid of streets over the addresses."""
    (west, south), (east, north) = ADDRESSES.min(axis=0) - 50, ADDRESSES.max(axis=0) + 50
    lines = [f"LINESTRING ({x} {south},{x} {north})" for x in np.arange(west, east, 150.0)]
    lines += [f"LINESTRING ({west} {y},{east} {y})" for y in np.arange(south, north, 150.0)]
    return layer([one for row, one in enumerate(lines) if row not in skip], kind="LineString")


def zones(rows=SQUARES):
    return layer(rows, kind="Polygon", fields="people:int", rows=[(400,)] * len(rows))


def seems_right(done, count=COUNT, of_place=0.1, of_record=0.12):
    """Both are right about as often as they believe, and no point is left over."""
    assert done["UNEXPLAINED"] == 0
    assert done["IDENTIFIED"] / count == pytest.approx(done["MEAN_TOP"], abs=of_place)
    believed = done["RECORDS_MEAN_TOP"]
    assert done["RECORDS_IDENTIFIED"] / count == pytest.approx(believed, abs=of_record)
    assert not any("cannot have come" in one for one in done.feedback.warnings)
    assert not any("comes from where" in one for one in done.feedback.warnings)


# --- location swapping ------------------------------------------------------------------------------


@pytest.mark.parametrize("if_empty", ["widen", "withhold"])
def test_swaps(if_empty, tmp_path, listed):
    ring = {"MIN": 30.0, "MAX": 120.0, "K": 15, "IF_EMPTY": if_empty}
    made = masked(tmp_path, "masklocationswap", CANDIDATES=listed, **ring)
    seems_right(attack(made, listed), made["COUNT"])
    assert "another one than that of the mask" in refused(made, layer(ADDRESSES[:-1]))


def of_classes(both=7):
    """Addresses with one of two classes, and every so many with both; rows and their places."""
    kinds = ["house" if one % 2 else "flat" for one in range(len(ADDRESSES))]
    rows = [(place, kind) for place, kind in enumerate(kinds)]
    rows += [(one, "house" if kinds[one] == "flat" else "flat") for one in range(0, 3000, both)]
    return rows, kinds


def test_swaps_within_classes(tmp_path):
    rows, kinds = of_classes()
    xy, attributes = ADDRESSES[[place for place, _ in rows]], [(kind,) for _, kind in rows]
    listed = layer(xy, fields="kind:string", rows=attributes)
    at = {tuple(one): row for row, one in enumerate(ADDRESSES.tolist())}
    own = [(1000 + row, kinds[at[tuple(one)]]) for row, one in enumerate(PLACES.tolist())]
    source = layer(PLACES, fields="person:int,kind:string", rows=own)
    ring = {"MIN": 0.0, "MAX": 150.0, "K": 10, "CLASSES": ["kind"]}
    made = masked(tmp_path, "masklocationswap", source, CANDIDATES=listed, **ring)
    seems_right(attack(made, listed), of_place=0.12)
    known = attack(made, listed, TARGET_QIS=["kind"], CANDIDATE_QIS=["kind"])
    seems_right(known, of_place=0.12)
    without = layer(xy)
    assert "by the field “kind”, which the address list has not" in refused(made, without)
    other = layer(xy, fields="kind:string", rows=attributes[::-1])
    assert "have another class than those of the mask" in refused(made, other)


# --- areas ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["centre", "random"])
@pytest.mark.parametrize("method", ["grid", "hexagons"])
def test_cells(method, place, tmp_path, listed):
    given = {"METHOD": method, "SIDE": 200.0, "PLACE": place, "POPULATION": listed, "K": 12}
    made = masked(tmp_path, "maskaggregate", **given)
    done = attack(made, listed, POPULATION=listed)
    seems_right(done, made["COUNT"])
    assert done["WORST"] <= 1 / 12 + 1e-9 or place == "random"
    assert "The mask used POPULATION" in refused(made, listed)
    assert "another one, for POPULATION" in refused(made, listed, POPULATION=layer(ADDRESSES[:99]))


@pytest.mark.parametrize("method", ["zones", "merged"])
def test_zones_and_merged_ones(method, tmp_path, listed):
    layers = {"ZONES": zones()}
    if method == "merged":
        layers.update(POPULATION=zones(), POPULATION_FIELD="people")
    made = masked(tmp_path, "maskaggregate", METHOD=method, **layers, K=700)
    done = attack(made, listed, **layers)
    seems_right(done)
    assert done["EFFECTIVE_K"] > (400 if method == "merged" else 200)
    assert "The mask used " in refused(made, listed)
    assert "ZONES" in refused(made, listed, **{**layers, "ZONES": zones(SQUARES[:-1])})


def test_a_zone_inside_another_shares_its_centre(tmp_path, listed):
    inner = "POLYGON ((399700 299700,400300 299700,400300 300300,399700 300300,399700 299700))"
    outer = "POLYGON ((398500 298500,401500 298500,401500 301500,398500 301500,398500 298500))"
    nested = zones([outer, inner])
    made = masked(tmp_path, "maskaggregate", METHOD="zones", ZONES=nested)
    done = attack(made, listed, ZONES=nested)
    seems_right(done)


def test_cells_of_the_globe(tmp_path):
    xy = points(900, seed=5, size=0.05, centre=(11.5, 48.5))
    own, listed = people(xy, np.arange(100), DEGREES), layer(xy, crs=DEGREES)
    made = masked(tmp_path, "maskaggregate", own, METHOD="grid", SIDE=400.0)
    seems_right(attack(made, listed), 100)


# --- streets ----------------------------------------------------------------------------------------


def test_streets(tmp_path, listed):
    made = masked(tmp_path, "maskstreets", STREETS=streets(), LOW=5, HIGH=12)
    seems_right(attack(made, listed, STREETS=streets()))
    assert "The mask used STREETS" in refused(made, listed)
    assert "another one, for STREETS" in refused(made, listed, STREETS=streets({3}))
    told = json.loads(Path(made["MASK"]).read_text())
    told["parameters"]["LOW"] = "many"
    other = tmp_path / "other.json"
    other.write_text(json.dumps(told))
    said = refused(made, listed, STREETS=streets(), MASK=str(other))
    assert "nothing that makes sense as “LOW”" in said


# --- adaptive Voronoi masking -------------------------------------------------------------------------


def merged(**more):
    return {"ZONES": zones(), "POPULATION": zones(), "POPULATION_FIELD": "people", **more}


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("name", ["STREETS", "CROSSINGS"])
def test_adaptive_voronoi(name, inside, tmp_path, listed):
    goals = points(150, seed=8, size=3000)
    layers = merged(**{name: streets() if name == "STREETS" else layer(goals)})
    given = {"K": 300, "KEEP_INSIDE": inside}
    made = masked(tmp_path, "maskadaptivevoronoi", **layers, **given)
    seems_right(attack(made, listed, **layers), made["COUNT"], 0.12, 0.15)
    assert name in refused(made, listed, **merged())
    other = zones(SQUARES[:-1])
    assert "another one, for " in refused(made, listed, **{**layers, "ZONES": other})


def test_adaptive_voronoi_without_crossings_is_undone(tmp_path, listed, monkeypatch):
    made = masked(tmp_path, "maskadaptivevoronoi", **merged(), K=300)
    done = attack(made, listed, **merged())
    assert done["IDENTIFIED"] > 0.5 * made["COUNT"]
    seems_right(done, made["COUNT"], 0.12, 0.15)
    assert not done.feedback.said.count("weighs all points")
    # Where points are too many for it, somebody who weighs all of them together finds more.
    monkeypatch.setattr(voronoi_files, "_MOST", 1.0)
    alone = attack(made, listed, **merged())
    assert alone["RISK_HIGH"] >= min(1.0, 1.3 * alone["IDENTIFIED"] / made["COUNT"])
    assert alone["RISK_HIGH"] > done["RISK_HIGH"]


# --- points and keys of others ------------------------------------------------------------------------


MASKS = {
    "masklocationswap": lambda listed: {"CANDIDATES": listed, "K": 10, "MAX": 150.0},
    "maskaggregate": lambda listed: {"METHOD": "grid", "SIDE": 150.0},
    "maskstreets": lambda listed: {"STREETS": streets(), "LOW": 5, "HIGH": 12},
    "maskadaptivevoronoi": lambda listed: {**merged(STREETS=streets()), "K": 300},
}
LAYERS = {
    "maskstreets": lambda: {"STREETS": streets()},
    "maskadaptivevoronoi": lambda: merged(STREETS=streets()),
}


@pytest.mark.parametrize("name", MASKS)
def test_files_of_another_release_are_no_score(name, tmp_path, listed):
    made = []
    for one in ("own", "other"):
        (tmp_path / one).mkdir()
        made.append(masked(tmp_path / one, name, **MASKS[name](listed)))
    more = LAYERS.get(name, dict)()
    own, other = made
    attack(own, listed, **more)
    key = {int(row["masked_id"]): row for row in records(other["KEY"])}
    assert key and "did not move from the places of the key" in refused(
        own, listed, KEY=other["KEY"], **more
    )


@pytest.mark.parametrize("name", MASKS)
def test_points_that_nothing_explains_are_counted(name, tmp_path, listed):
    made = masked(tmp_path, name, **MASKS[name](listed))
    more = LAYERS.get(name, dict)()
    far = layer(np.random.default_rng(1).uniform(0, 10, (COUNT, 2)) + [600_000.0, 500_000.0])
    given = {**made.results, "OUTPUT": far}
    done = attack(given, listed, key=False, ADVERSARY="whose_place", **more)
    assert done["UNEXPLAINED"] == COUNT and done["DECISION"] == "cannot_tell"


# --- exchange, cells and groups -----------------------------------------------------------------------


def test_an_exchange_to_crossings(tmp_path, listed):
    given = {"CANDIDATES": listed, "K": 6, "OUTPUT_AT": "crossing", "STREETS": streets()}
    made = masked(tmp_path, "maskexchange", **given)
    seems_right(attack(made, listed, STREETS=streets()))
    assert "The mask used STREETS" in refused(made, listed)
    assert "another one, for STREETS" in refused(made, listed, STREETS=streets({3}))


def test_an_exchange_within_classes(tmp_path):
    kinds = [(("house", "flat")[one % 3 == 0],) for one in range(len(ADDRESSES))]
    listed = layer(ADDRESSES, fields="kind:string", rows=kinds)
    made = masked(tmp_path, "maskexchange", CANDIDATES=listed, K=6, CLASSES="kind")
    done = attack(made, listed)
    seems_right(done, made["COUNT"])
    assert done["MEAN_TOP"] == pytest.approx(1 / 6, abs=0.03)
    assert "which the address list has not" in refused(made, layer(ADDRESSES))
    other = layer(ADDRESSES, fields="kind:string", rows=kinds[::-1])
    assert "have another class than those of the mask" in refused(made, other)


@pytest.mark.parametrize("method", ["cells", "groups"])
@pytest.mark.parametrize("output_at", ["address", "crossing"])
def test_cells_and_groups(method, output_at, tmp_path, listed):
    more = {"STREETS": streets()} if output_at == "crossing" else {}
    given = {"METHOD": method, "K": 8, "K_RECORDS": 5, "OUTPUT_AT": output_at, **more}
    secret = {"SECRET_FILE": str(tmp_path / "secret.json")}
    made = masked(tmp_path, "maskexchange", CANDIDATES=listed, **given, **secret)
    done = attack(made, listed, **more, JSON=str(tmp_path / "r.json"))
    seems_right(done, made["COUNT"])
    assert "give the secret file (SECRET_FILE)" in (tmp_path / "r.json").read_text()
    knowing = attack(made, listed, **more, **secret)
    seems_right(knowing, made["COUNT"])
    assert knowing["RECORDS_WORST"] <= 0.2 + 1e-9
    assert any("K_RECORDS), or release fewer" in one for one in knowing.feedback.warnings)
    assert knowing["RECORDS_WORST"] == pytest.approx(made["RECORD_CHANCE"])
    # Whose record of a group it is hangs on nothing that is believed beforehand, whose place of a cell does.
    kept = attack(made, listed, **more, **secret, ACCEPTABLE=0.3, LIMIT_ON="every")
    if method == "groups":
        assert "PRIOR_ODDS" not in kept and "whatever anybody believes" in kept.feedback.said
    else:
        top = kept["WORST"]
        assert kept["PRIOR_ODDS"] == pytest.approx((1 - top) / top * 3 / 7)
        assert (
            "more than" in kept.feedback.said and "times as likely to be in" in kept.feedback.said
        )
    if method == "cells" and output_at == "address":
        assert knowing["WORST"] <= 1 / 8 + 1e-9
    assert attack(made, listed, key=False, **more, **secret)["UNEXPLAINED"] == 0


def test_the_secret_file_must_be_that_of_the_release(tmp_path, listed):
    made = []
    for one in ("own", "other"):
        (tmp_path / one).mkdir()
        given = {"METHOD": "groups", "K": 8, "SECRET_FILE": str(tmp_path / one / "secret.json")}
        made.append(masked(tmp_path / one, "maskexchange", CANDIDATES=listed, **given))
    said = refused(made[0], listed, SECRET_FILE=made[1]["SECRET_FILE"])
    assert "The secret file is of another release" in said
    said = refused(made[0], listed, SECRET_FILE=made[1]["MASK"])
    assert "secret file" in said
    told = json.loads(Path(made[0]["SECRET_FILE"]).read_text())
    told["kept"]["maskexchange groups"]["released"] = [[0, 0]]
    spoilt = tmp_path / "spoilt.json"
    spoilt.write_text(json.dumps(told))
    assert "makes no sense" in refused(made[0], listed, SECRET_FILE=str(spoilt))


# --- another tool's mask --------------------------------------------------------------------------------


def named(xy, name):
    return layer(xy, fields="name:string", rows=[(f"p{one}",) for one in range(len(xy))], name=name)


def by_another_tool(xy, rng, reach=80.0):
    """As some tool may do it: a random distance and a random direction."""
    turn, away = rng.uniform(0, 2 * np.pi, len(xy)), rng.uniform(0.3 * reach, reach, len(xy))
    return xy + away[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)


def test_another_tools_mask_is_attacked_by_what_it_did_to_public_points(tmp_path, listed):
    rng = np.random.default_rng(12)
    made = masked(tmp_path, MAX=60.0)  # for its key
    key = {int(row["masked_id"]): int(row["original_id"]) - 1000 for row in records(made["KEY"])}
    of = [key[row["masked_id"]] for row in records(made["OUTPUT"])]
    ids = [(row["masked_id"],) for row in records(made["OUTPUT"])]
    released = by_another_tool(PLACES[of], rng)
    source = layer(released, fields="masked_id:int", rows=ids)
    public = ADDRESSES[rng.permutation(3000)[:800]]
    order = rng.permutation(800)
    after = by_another_tool(public, rng)
    names = [(f"p{one}",) for one in order]
    tool = {
        "BEFORE": named(public, "before"),
        "BEFORE_ID": "name",
        "AFTER": layer(after[order], fields="name:string", rows=names),
        "AFTER_ID": "name",
    }
    given = {"OUTPUT": source, "MASK": None, "KEY": made["KEY"]}
    seems_right(attack(given, listed, **tool))
    alone = attack(given, listed, key=False, ADVERSARY="whose_place", **tool)
    assert alone["DECISION"] in ("cannot_tell", "do_not_release")
    said = refused(given, listed, **{**tool, "AFTER": None})
    assert "Give the mask file of the release (MASK)" in said
    assert "Leave BEFORE" in refused({**given, "MASK": made["MASK"]}, listed, **tool)
    twice = layer(public, fields="name:string", rows=[("one",)] * 800)
    assert "have the same id" in refused(given, listed, **{**tool, "BEFORE": twice})
    few = {"BEFORE": named(public[:30], "b"), "AFTER": named(after[:30], "a")}
    assert "at least 50 are needed" in refused(given, listed, **{**tool, **few})
    told = json.loads(Path(made["MASK"]).read_text())
    other = tmp_path / "other.json"
    other.write_text(json.dumps({**told, "mask": "observed"}))
    assert "No attack on points masked by" in refused({**given, "MASK": str(other)}, listed)
    # the key of others, by the distances that were seen
    with_other_key = layer(by_another_tool(PLACES, rng, 900.0), fields="masked_id:int", rows=ids)
    assert "did not move" in refused(
        {**given, "OUTPUT": with_other_key}, listed, KEY=made["KEY"], **tool
    )


def test_a_shift_that_all_points_share_is_seen(tmp_path, listed):
    public = ADDRESSES[:100]
    tool = {
        "BEFORE": named(public, "before"),
        "BEFORE_ID": "name",
        "AFTER": named(public + [210.0, 95.0], "after"),
        "AFTER_ID": "name",
    }
    given = {"OUTPUT": layer(PLACES + [210.0, 95.0]), "MASK": None}
    done = attack(given, listed, key=False, ADVERSARY="whose_place", **tool)
    assert done["IDENTIFIED"] > 0.95 * COUNT and done["DECISION"] != "release_with_care"
    assert any("in one direction" in one for one in done.feedback.infos)
