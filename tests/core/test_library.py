# SPDX-License-Identifier: GPL-2.0-or-later
"""The front door: what goes in, what comes out, and what is never printed."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("scipy")
pytest.importorskip("pyproj")

import geoanon
from geoanon_qgis import core
from geoanon_qgis.core.attacks.scoring import Score
from geoanon_qgis.core.masking.voronoi import voronoi_mask
from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.core.runtime.results import Summarised
from geoanon_qgis.core.verdict import (
    DO_NOT_RELEASE,
    NOT_TESTED,
    RELEASE_WITH_CARE,
)

BRITISH, DEGREES = 27700, 4326


class Shapes:
    """A stand-in for a GeoSeries of points, which is not installed here."""

    def __init__(self, xy, crs=None, kind="Point", missing=()):
        self.x, self.y = np.asarray(xy, dtype=float).T
        self.crs = crs
        self.geom_type = [kind] * len(self.x)
        self._missing = np.isin(np.arange(len(self.x)), missing)

    @property
    def geometry(self):
        return self

    @property
    def is_empty(self):
        return np.zeros(len(self.x), dtype=bool)

    def isna(self):
        return self._missing


class Layer:
    """A stand-in for a GeoDataFrame."""

    def __init__(self, shapes, **columns):
        self.geometry, self.crs, self._columns = shapes, shapes.crs, columns
        shapes.name = "geometry"
        self.columns = [*columns, "geometry"]

    def __getitem__(self, name):
        return self._columns[name]


class Polygons(list):
    """A stand-in for a GeoSeries of polygons."""

    crs = None

    @property
    def geometry(self):
        return self

    @property
    def geom_type(self):
        return ["Polygon"] * len(self)

    def representative_point(self):
        return Shapes([(one.centroid.x, one.centroid.y) for one in self], self.crs)


@pytest.fixture
def places(rng):
    """Places in the west of London, in the British grid."""
    return np.round(rng.uniform((529_000, 180_000), (530_000, 181_000), (60, 2)), 2)


@pytest.fixture
def table(rng):
    age = rng.integers(18, 90, 200)
    return {
        "age": age,
        "sex": rng.choice(["f", "m"], 200),
        "income": np.exp(9 + 0.01 * age + rng.normal(0, 0.5, 200)),
    }


# --- names --------------------------------------------------------------------------------------


def test_the_names_are_the_same_everywhere():
    assert all(getattr(core, name) is getattr(geoanon, name) for name in geoanon.__all__)
    assert set(geoanon.__all__) <= set(dir(core))
    assert not hasattr(core, "places")
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = core.nothing_like_it


def test_the_functions_are_a_dozen():
    functions = [one for one in geoanon.__all__ if one.islower()]
    assert len(functions) == 12
    assert {"mask", "attack", "release", "aggregate", "measure"} <= set(functions)


# --- points -------------------------------------------------------------------------------------


def test_a_mask_is_that_of_the_engine(places):
    made = geoanon.mask(places, crs=BRITISH)
    expected = voronoi_mask(places)
    np.testing.assert_array_equal(made.xy, expected.xy)
    np.testing.assert_array_equal(made.neighbour, expected.neighbour)
    assert made.unit == "m"


def test_degrees_are_masked_on_the_ground_and_come_back(places):
    from pyproj import Geod, Transformer

    lonlat = np.column_stack(
        Transformer.from_crs(BRITISH, DEGREES, always_xy=True).transform(*places.T)
    )
    made = geoanon.mask(lonlat, crs=DEGREES)
    moved = Geod(ellps="WGS84").inv(*lonlat.T, *made.xy.T)[2]
    np.testing.assert_allclose(made.shift, moved, atol=1e-3)
    np.testing.assert_allclose(made.shift, geoanon.mask(places, crs=BRITISH).shift, rtol=2e-3)


def test_without_a_system_lengths_have_no_unit(places):
    made = geoanon.mask(places)
    assert made.unit == ""
    assert "unit of the coordinates" in repr(made)


def test_layers_say_themselves_where_they_are(places):
    made = geoanon.mask(Shapes(places, BRITISH))
    assert made.unit == "m"
    np.testing.assert_array_equal(made.xy, geoanon.mask(places, crs=BRITISH).xy)
    again = geoanon.mask(Layer(Shapes(places, "EPSG:27700"), id=np.arange(60)), crs=BRITISH)
    np.testing.assert_array_equal(made.xy, again.xy)


def test_nested_lists_are_points(places):
    np.testing.assert_array_equal(geoanon.mask(places.tolist()).xy, geoanon.mask(places).xy)


@pytest.mark.parametrize(
    ("points", "options", "said"),
    [
        ([1.0, 2.0], {}, "array of x and y"),
        ("somewhere", {}, "array of numbers"),
        ([["a", "b"], ["c", "d"]], {}, "array of numbers"),
        ([[1, 2], [3]], {}, "array of numbers"),
        ([[1, 2], [np.nan, 3]], {}, "no finite numbers"),
        (np.ma.masked_less([[1.0, 2.0], [3.0, 4.0]], 2), {}, "masked out"),
        (np.ones((3, 2)) * 1j, {}, "array of numbers"),
        ([[0, 0], [1, 1]], {"crs": "nowhere"}, "cannot be read"),
        ([[0, 0], [1, 1]], {"crs": 27.5}, "cannot be read"),
        ([[0, 0], [1, 1]], {"method": "magic"}, "no mask called 'magic'"),
        ([[0, 99], [1, 1]], {"crs": DEGREES}, "latitude"),
        (Shapes([[0, 0], [1, 1]], kind="LineString"), {}, "LineString"),
        (Shapes([[0, 0], [1, 1]], missing=[1]), {}, "1 of the points have no place"),
        (Shapes([[0, 0], [1, 1]], BRITISH), {"crs": DEGREES}, "says another one"),
    ],
)
def test_what_are_no_points_is_told(points, options, said):
    with pytest.raises(geoanon.InputError, match=said):
        geoanon.mask(points, **options)


def test_the_attack_finds_who_is_alone(places):
    masked = geoanon.mask(places, crs=BRITISH)
    order = np.random.default_rng(1).permutation(len(places))
    found = geoanon.attack(masked, places[order], crs=BRITISH, seed=1)
    truth = np.argsort(order)
    score = geoanon.score(found, truth)
    assert isinstance(score, Score)
    alone = found.kind == 0
    assert alone.any() and (found.candidate[alone] == truth[alone]).all()
    assert score.correct >= alone.sum() and score.total == len(places)
    assert geoanon.score(found, np.where(alone, truth, -1)).total == alone.sum()


def test_a_seed_repeats_an_attack_and_a_generator_goes_on(places):
    masked = geoanon.mask(places, crs=BRITISH)
    first = geoanon.attack(masked, places, crs=BRITISH, seed=5)
    again = geoanon.attack(masked.xy, places, crs=BRITISH, seed=np.random.default_rng(5))
    np.testing.assert_array_equal(first.candidate, again.candidate)
    assert repr(first) == repr(again)


@pytest.mark.parametrize("seed", [-1, 1.5, "one", True])
def test_what_is_no_seed_is_told(places, seed):
    with pytest.raises(geoanon.InputError, match="seed"):
        geoanon.attack(places, places, seed=seed)


def test_attacks_of_other_things_are_told(places):
    released = geoanon.release(places, crs=BRITISH, sets=3, size=2, seed=1)
    with pytest.raises(geoanon.InputError, match=r"link\(\)"):
        geoanon.attack(released, places)
    with pytest.raises(geoanon.InputError, match="different coordinate reference systems"):
        geoanon.attack(Shapes(places, BRITISH), Shapes(places, DEGREES))
    with pytest.raises(geoanon.InputError, match="tolerance"):
        geoanon.attack(places, places, tolerance=-1)


def test_a_key_of_other_people_is_refused(places):
    found = geoanon.attack(geoanon.mask(places), places, seed=1)
    with pytest.raises(geoanon.InputError, match="does not fit"):
        geoanon.score(found, np.roll(np.arange(len(places)), 9))
    for truth in ([0.5] * len(places), [0, 1], np.zeros((2, 2), int)):
        with pytest.raises(geoanon.InputError, match="truth"):
            geoanon.score(found, truth)
    with pytest.raises(geoanon.InputError, match="only|Only"):
        geoanon.score("found", np.arange(3))


def test_another_candidate_at_the_same_place_is_right(places):
    twice = np.concatenate([places, places])
    found = geoanon.attack(geoanon.mask(places), twice, seed=1)
    by_row = geoanon.score(found, np.arange(len(places)), twice)
    by_twin = geoanon.score(found, np.arange(len(places)) + len(places), twice)
    assert by_row.correct == by_twin.correct > 0
    with pytest.raises(geoanon.InputError, match="candidates do not have"):
        geoanon.score(found, np.arange(len(places)), twice[:3])


def test_study_areas_come_from_points_rings_and_shapes(places):
    hull = geoanon.study_area(points=places, crs=BRITISH)
    assert hull.contains(places).all()
    square = [[0, 0], [1000, 0], [1000, 1000], [0, 1000]]
    flat = geoanon.study_area([np.array(square)])
    assert flat.area == pytest.approx(1e6)

    class Polygon:
        __geo_interface__ = {"type": "Polygon", "coordinates": [[*square, square[0]]]}

    assert geoanon.study_area(Polygon()).area == pytest.approx(flat.area)
    Polygon.__geo_interface__ = {"type": "LineString", "coordinates": square}
    with pytest.raises(geoanon.InputError, match="LineString"):
        geoanon.study_area(Polygon())
    for wrong in ({}, {"area": [square], "points": places}):
        with pytest.raises(geoanon.InputError, match="either"):
            geoanon.study_area(**wrong)
    with pytest.raises(geoanon.InputError, match="rings"):
        geoanon.study_area(7)


# --- distances ----------------------------------------------------------------------------------


def test_released_distances_never_exceed_the_true_ones(places):
    released = geoanon.release(places, sets=5, size=3, metric="planar", crs=BRITISH, seed=1)
    true = np.hypot(*(places[:, None] - places).transpose(2, 0, 1))
    kept = released.matrix.square()
    assert (kept <= true[np.ix_(released.row, released.row)]).all() and kept.max() > 0
    assert sorted(released.row.tolist()) == list(range(len(places)))
    assert geoanon.utility(places, released, metric="planar", crs=BRITISH).summary.count == 60


def test_a_release_is_random_unless_it_has_a_seed(places):
    one, two = (geoanon.release(places, sets=3, size=2, crs=BRITISH) for _ in range(2))
    assert (one.row != two.row).any()
    one, two = (geoanon.release(places, sets=3, size=2, crs=BRITISH, seed=3) for _ in range(2))
    np.testing.assert_array_equal(one.matrix.condensed, two.matrix.condensed)


def test_units_and_decimals(places):
    metres = geoanon.release(places, sets=3, size=2, crs=BRITISH, seed=1)
    assert metres.matrix.unit == "m" and (metres.matrix.condensed % 1 == 0).all()
    km = geoanon.release(places, sets=3, size=2, unit="km", crs=BRITISH, seed=1)
    np.testing.assert_allclose(km.matrix.condensed * 1000, metres.matrix.condensed, atol=1e-9)
    tens = geoanon.release(places, sets=3, size=2, decimals=-1, crs=BRITISH, seed=1)
    assert (tens.matrix.condensed % 10 == 0).all()


@pytest.mark.parametrize("method", ["coordinate_noise", "distance_noise"])
def test_noise_is_released_and_linked_by_its_own_rule(places, method):
    released = geoanon.release(places, method, sigma=1.0, crs=BRITISH, seed=1)
    few = np.arange(60) % 10
    found = geoanon.link(
        released,
        places[:30],
        "clique",
        labels=few[released.row],
        known_labels=few[:30],
        crs=BRITISH,
        seed=2,
    )
    score = geoanon.score(found, np.where(released.row < 30, released.row, -1))
    assert score.precision == 1.0 and score.recall > 0.7


def test_attributes_alone_decide_where_distances_say_nothing(places):
    """Ten kinds of six: one in six is guessed right by nobody's distances."""
    released = geoanon.release(places, "coordinate_noise", sigma=1e5, crs=BRITISH, seed=1)
    kinds = np.arange(60) % 10
    found = geoanon.link(
        released,
        places,
        "near_group",
        labels=kinds[released.row],
        known_labels=kinds,
        crs=BRITISH,
        seed=2,
    )
    judged = geoanon.score(found, released.row).judged
    (alone,) = (one for one in judged.evidence if one.attack == "labels_alone")
    assert alone.found == pytest.approx(10) and alone.people == 60
    assert judged.decision == DO_NOT_RELEASE and alone.low > judged.limit
    assert "By labels alone 16.7% of 60 people are found" in str(judged)
    for wrong, why in ((released.row[1:], "one row for each"), (released.row + 1, "do not have")):
        with pytest.raises(InputError, match=why):
            geoanon.score(found, wrong)


def test_known_links_are_held_and_not_counted(places):
    released = geoanon.release(places, "distance_noise", sigma=1.0, crs=BRITISH, seed=1)
    truth = np.where(released.row < 30, released.row, -1)
    given = [(int(row), int(truth[row])) for row in np.flatnonzero(truth >= 0)[:10]]
    few = np.arange(60) % 10
    found = geoanon.link(
        released,
        places[:30],
        "clique",
        labels=few[released.row],
        known_labels=few[:30],
        known_links=given,
        crs=BRITISH,
        seed=2,
    )
    assert found.links.tolist() == [list(link) for link in given]
    score = geoanon.score(found, truth)
    assert score.true_positives + score.false_negatives == 20
    assert score.precision == 1.0 and score.recall > 0.7
    assert found.judged.knows == score.judged.knows == "file_with_places_and_links"
    with pytest.raises(InputError, match="more than one known link"):
        geoanon.link(released, places[:30], known_links=[(0, 1), (0, 2)], crs=BRITISH)


def test_labels_narrow_the_search(places, rng):
    released = geoanon.release(places, "coordinate_noise", sigma=1.0, crs=BRITISH, seed=1)
    age = rng.integers(0, 5, 60)
    found = geoanon.link(
        released.matrix,
        places,
        "clique",
        rule="absolute",
        tolerance=10.0,
        labels=age[released.row],
        known_labels={"age": age.astype(float)},
        crs=BRITISH,
    )
    assert found.vertices == (age[:, None] == age).sum()
    nobody = geoanon.link(
        released,
        places,
        "clique",
        labels=age[released.row],
        known_labels=["old"] * 60,
        crs=BRITISH,
    )
    assert nobody.clique == 0 and nobody.note in repr(nobody)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"method": "guess"}, "no attack called 'guess'"),
        ({"rule": "magic"}, "not released by 'magic'"),
        ({"rule": "absolute", "method": "clique"}, "needs a tolerance"),
        ({"rule": "absolute", "tolerance": 5.0, "method": "likelihood"}, "how likely"),
        ({"labels": [1, 2]}, "2 labels for 60"),
        ({"known": np.empty((0, 2))}, "no known people"),
        ({"released": np.eye(3)}, "DistanceMatrix"),
        ({"method": "clique", "alpha": 2.0}, "alpha"),
        ({"metric": "manhattan"}, "no metric"),
    ],
)
def test_what_cannot_be_linked_is_told(places, options, said):
    given = {
        "released": geoanon.release(places, crs=BRITISH, sets=3, size=2, seed=1),
        "known": places,
        "crs": BRITISH,
        **options,
    }
    with pytest.raises(geoanon.InputError, match=said):
        geoanon.link(given.pop("released"), given.pop("known"), **given)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"method": "magic"}, "not released by 'magic'"),
        ({"unit": "mile"}, "units m, km"),
        ({"unit": "km", "crs": None}, "Give crs="),
        ({"sets": 0}, "at least 1"),
        ({"decimals": 99}, "decimals"),
        ({"method": "distance_noise", "distribution": "uniform"}, "no noise 'uniform'"),
        ({"method": "coordinate_noise", "sigma": -1.0}, "noise"),
        ({"metric": "planar", "crs": DEGREES, "points": [[0, 0], [1, 1], [0, 1]]}, "planar"),
        ({"points": [[0, 0]]}, "two points"),
    ],
)
def test_what_cannot_be_released_is_told(places, options, said):
    given = {"points": places, "crs": BRITISH, **options}
    with pytest.raises(geoanon.InputError, match=said):
        geoanon.release(**given)


def test_an_area_may_be_given_in_its_own_system(places):
    area = geoanon.study_area(points=places, crs=BRITISH)
    released = geoanon.release(places, sets=2, size=2, area=area, crs=BRITISH, seed=1)
    assert area.contains(released.references.reshape(-1, 2)).all()
    with pytest.raises(geoanon.InputError, match="different coordinate reference systems"):
        geoanon.release(places / 1e4, area=area, crs=DEGREES)


# --- areas and tables ---------------------------------------------------------------------------


@pytest.fixture
def blocks(rng):
    xy = rng.uniform(0, 1000, (20, 2))
    records = {
        "block": rng.choice([f"b{i}" for i in range(20)], 600),
        "sex": rng.choice(["f", "m"], 600),
        "age": rng.integers(0, 5, 600),
    }
    return xy, records


def test_released_records_hide_among_k(blocks):
    xy, records = blocks
    ids = [f"b{i}" for i in range(20)]
    made = geoanon.aggregate(
        xy,
        records,
        region="block",
        quasi_identifiers=["sex", "age"],
        region_ids=ids,
        k=6,
        sites=4,
        seed=1,
    )
    area = dict(zip(ids, made.area_of_region.tolist()))
    kept = [
        (area[records["block"][row]], records["sex"][row], records["age"][row])
        for row in made.record
    ]
    assert min(kept.count(one) for one in kept) >= 6
    assert [one for one, _, _ in kept] == made.area.tolist()
    assert len(kept) == made.measures.released == 600 - made.measures.suppressed


def test_regions_may_be_a_layer_with_ids(blocks):
    xy, records = blocks
    layer = Layer(Shapes(xy, BRITISH), name=np.array([f"b{i}" for i in range(20)]))
    made = geoanon.aggregate(
        layer, records, region="block", quasi_identifiers="sex", region_ids="name", sites=3
    )
    assert made.measures.regions == 20


@pytest.mark.parametrize("location", ["balanced_density", "kmeans", "ward", "k_aware", "best"])
def test_areas_keep_floors_borders_and_widths(blocks, location):
    xy, records = blocks
    side = np.where(xy[:, 0] > np.median(xy[:, 0]), "east", "west")
    made = geoanon.aggregate(
        xy,
        records,
        region="block",
        quasi_identifiers=["sex", "age"],
        region_ids=[f"b{i}" for i in range(20)],
        sites=6,
        location=location,
        min_records=40,
        borders=side,
        contiguous=True,
        crs=BRITISH,
        seed=1,
    )
    area = made.area_of_region
    held = np.bincount(area[[int(name[1:]) for name in records["block"]]])
    assert held.min() >= 40 and held.sum() == 600
    assert len(set(zip(area.tolist(), side.tolist()))) == len(set(area.tolist()))
    assert made.objective == ("suppression" if location == "best" else "")


def test_polygons_that_share_a_border_adjoin(blocks):
    shapely = pytest.importorskip("shapely", minversion="2")
    squares = [shapely.box(x, y, x + 1, y + 1) for x in (0, 2) for y in range(10)]  # two columns
    made = geoanon.aggregate(
        Layer(Polygons(squares)),
        blocks[1],
        region="block",
        quasi_identifiers="sex",
        region_ids=[f"b{i}" for i in range(20)],
        sites=5,
        location="best",
        contiguous=True,
    )
    area = made.area_of_region
    assert not {*area[:10]} & {*area[10:]}  # nothing leads from one column to the other
    assert all((np.diff(np.flatnonzero(area == one)) == 1).all() for one in set(area.tolist()))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"region": "parish"}, "no column parish"),
        ({"quasi_identifiers": []}, "at least one"),
        ({"quasi_identifiers": ["block"]}, "takes its place"),
        ({"quasi_identifiers": ["wealth"]}, "no column wealth"),
        ({"region_ids": list(range(20))}, "regions that are not there"),
        ({"region_ids": ["a"]}, "1 values in region_ids= for 20"),
        ({"borders": ["a"]}, "1 values in borders= for 20"),
        ({"borders": "state"}, "no GeoDataFrame"),
        ({"borders": [None, *range(19)]}, "empty for 1 region"),
        ({"min_records": 601}, "not one area can hold"),
        ({"max_diameter": -1.0}, "diameter"),
        ({"location": "best", "objective": "beauty"}, "beauty"),
        ({"region_ids": "name"}, "no GeoDataFrame"),
        ({"k": 1}, "2"),
        ({"sites": 99}, "99"),
        ({"gaps": "north", "sites": None}, "north"),
        ({"location": "worst"}, "worst"),
    ],
)
def test_what_cannot_be_aggregated_is_told(blocks, options, said):
    given = {
        "region": "block",
        "quasi_identifiers": ["sex"],
        "sites": 3,
        "region_ids": [f"b{i}" for i in range(20)],
        **options,
    }
    with pytest.raises(geoanon.InputError, match=said):
        geoanon.aggregate(*blocks, **given)


def test_classes_are_counted(blocks):
    records = blocks[1]
    found = geoanon.equivalence_classes(records, ["sex", "age"])
    pairs = list(zip(records["sex"].tolist(), records["age"].tolist()))
    assert found.smallest == min(pairs.count(one) for one in pairs)
    assert found.sizes[found.record_class].tolist() == [pairs.count(one) for one in pairs]


def test_a_table_is_anonymised_measured_and_compared(table):
    made = geoanon.anonymize(table, seed=2)
    assert sorted(made.columns) == sorted(table)
    np.testing.assert_allclose(np.sort(made.columns["age"]).mean(), table["age"].mean(), atol=2)
    risk = geoanon.measure(table, made)
    assert risk.reidentification is None and risk.verdict in ("adequate", "undecided")
    assert geoanon.utility(table, made).mean.median < 0.1


def test_records_that_correspond_are_found_without_being_told(table):
    made = geoanon.anonymize(table, "additive_noise", noise=1e-6, seed=1, decoding="as_published")
    risk = geoanon.measure(table, made)
    assert risk.verdict == "inadequate" and risk.reidentification.rate > 0.95
    plain = geoanon.measure(table, made.columns)
    assert plain.reidentification is None
    again = geoanon.measure(table, made.columns, match=made.match(200))
    assert again.reidentification.rate == risk.reidentification.rate


def test_places_take_part_and_come_back(table, rng):
    xy = rng.uniform((529_000, 180_000), (530_000, 181_000), (200, 2))
    made = geoanon.anonymize(table, points=xy, crs=BRITISH, seed=1)
    assert abs(made.columns["x"].mean() - xy[:, 0].mean()) < 1
    area = geoanon.study_area(points=xy, crs=BRITISH)
    inside = geoanon.anonymize(table, points=xy, area=area, crs=BRITISH, seed=1)
    assert area.contains(np.column_stack([inside.columns["x"], inside.columns["y"]])).all()
    assert geoanon.measure(table, made, points=xy, crs=BRITISH).verdict != "inadequate"
    with pytest.raises(geoanon.InputError, match="give points="):
        geoanon.measure(table, made)
    with pytest.raises(geoanon.InputError, match="no column x"):
        geoanon.measure(table, table, points=xy)
    with pytest.raises(geoanon.InputError, match="name of a coordinate"):
        geoanon.anonymize({"x": table["age"]}, points=xy)
    with pytest.raises(geoanon.InputError, match="give points="):
        geoanon.anonymize(table, area=area)


class Column(list):
    """A stand-in for a pandas column of text, categories or nullable numbers."""

    dtype = "category"

    def isna(self):
        return [value is None or value != value for value in self]

    def to_numpy(self, dtype):
        values = np.empty(len(self), dtype=dtype)
        values[:] = [np.nan if value is None else value for value in self]
        return values


class Frame:
    def __init__(self, **columns):
        self.columns, self._of = list(columns), columns

    def __getitem__(self, name):
        return self._of[name]


def test_frames_and_structured_arrays_are_tables(table):
    classes = geoanon.equivalence_classes(table, ["age", "sex"])
    framed = Frame(age=table["age"], sex=Column(table["sex"].tolist()))
    assert repr(geoanon.equivalence_classes(framed, ["age", "sex"])) == repr(classes)
    packed = np.rec.fromarrays([table["age"], table["sex"]], names="age,sex")
    assert repr(geoanon.equivalence_classes(np.array(packed), ["age", "sex"])) == repr(classes)
    some = Frame(sex=Column(["f", None, "m", float("nan")]))
    assert geoanon.equivalence_classes(some, ["sex"]).sizes.tolist() == [1, 1, 2]
    blank = {"job": ["a", "", None, " "]}
    assert sorted(geoanon.equivalence_classes(blank, ["job"]).sizes.tolist()) == [1, 3]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (7, "A table is"),
        (np.eye(3), "A table is"),
        ({"a": [1, 2], "b": [1]}, "different numbers"),
        ({"a": 1}, "one value for each record"),
        ({"a": "text"}, "one value for each record"),
        ({"a": [[1, 2], [3, 4]], "b": [1, 2]}, "neither|one value|numbers nor text"),
        ({1: [1, 2]}, "named by text"),
        ({"a": [1, "b", 2]}, "mixes"),
        ({}, "No field"),
    ],
)
def test_what_is_no_table_is_told(wrong, said):
    with pytest.raises(geoanon.InputError, match=said):
        geoanon.anonymize(wrong)


def test_screening_names_what_gives_people_away(table, rng):
    xy = rng.uniform(0, 1000, (200, 2))
    found = {one.name: one.reason for one in geoanon.screen({**table, "id": np.arange(200)}, xy)}
    assert found["id"] == "named_id" and found["sex"] is None
    with pytest.raises(geoanon.InputError, match="200 values for 3 points"):
        geoanon.screen(table, xy[:3])


def test_utility_tells_what_it_cannot_compare(places, table):
    released = geoanon.release(places, sets=2, size=2, crs=BRITISH, seed=1)
    with pytest.raises(geoanon.InputError, match="which record is which"):
        geoanon.utility(places, released.matrix)
    with pytest.raises(geoanon.InputError, match="not the originals"):
        geoanon.utility(places[:5], released, crs=BRITISH)
    with pytest.raises(geoanon.InputError, match="no field income"):
        geoanon.utility(table, {"age": table["age"], "sex": table["sex"]})
    masked = geoanon.mask(places, crs=BRITISH)
    assert geoanon.utility(places, masked, crs=BRITISH).mean_centre_shift < 50


# --- what is printed ----------------------------------------------------------------------------


def printed(places, table, blocks):
    """All results of the front door, one of each class."""
    masked = geoanon.mask(places, crs=BRITISH)
    found = geoanon.attack(masked, places, crs=BRITISH, seed=77_777)
    released = geoanon.release(places, sets=3, size=2, crs=BRITISH, seed=77_777)
    linked = geoanon.link(
        released,
        places[:9],
        "clique",
        labels=released.row,
        known_labels=np.arange(9),
        crs=BRITISH,
        seed=77_777,
    )
    made = geoanon.anonymize(table, "spectral_rhs", seed=77_777)
    risk = geoanon.measure(table, made)
    areas = geoanon.aggregate(
        blocks[0],
        blocks[1],
        region="block",
        quasi_identifiers=["sex"],
        sites=3,
        seed=77_777,
        region_ids=[f"b{i}" for i in range(20)],
    )
    return [
        masked,
        found,
        geoanon.score(found, np.arange(60), places),
        released,
        released.matrix,
        linked,
        geoanon.score(linked, np.where(released.row < 9, released.row, -1)),
        made,
        risk,
        risk.measured,
        risk.exposed,
        areas,
        geoanon.equivalence_classes(table, ["sex"]),
        geoanon.utility(table, made),
        geoanon.utility(places, released, crs=BRITISH).summary,
        geoanon.utility(places, masked, crs=BRITISH),
        geoanon.study_area(points=places, crs=BRITISH),
    ]


def test_results_print_a_summary_and_no_secret(places, table, blocks):
    results = printed(places, table, blocks)
    assert len({type(one) for one in results}) == len(results)
    kept = {f"{value:.{digits}f}" for value in places.ravel() for digits in (0, 1, 2)}
    for one in results:
        assert isinstance(one, Summarised)
        text = repr(one)
        assert text == str(one) == one.summary()
        assert "array(" not in text and "[" not in text and "77777" not in text, text
        assert 20 < len(text) < 3500
        assert not any(place in text.replace(",", "") for place in kept), text


def test_every_release_and_every_attack_ends_with_its_verdict(places, table, blocks):
    judged = [one for one in printed(places, table, blocks) if one.judged is not None]
    assert {type(one).__name__ for one in judged} >= {
        "VoronoiMask",
        "VoronoiReversal",
        "Score",
        "DistanceRelease",
        "LinkageResult",
        "LinkageScore",
        "Aggregation",
        "Anonymized",
        "DisclosureRisk",
        "EquivalenceClasses",
    }
    for one in judged:
        assert one.summary() == f"{one.in_words()}\n{one.judged}"
        assert str(one.judged).startswith("Verdict: ")
        tested = type(one).__name__ not in ("VoronoiMask", "DistanceRelease", "Anonymized")
        assert (one.judged.decision != NOT_TESTED) == tested == bool(one.judged.evidence)


def test_the_verdict_follows_from_what_is_acceptable(places):
    masked = geoanon.mask(places, crs=BRITISH)
    found = geoanon.attack(masked, places, crs=BRITISH, seed=1)
    assert found.judged.decision == DO_NOT_RELEASE
    assert found.judged.worst == found.evidence()
    with pytest.raises(InputError, match="acceptable share"):
        geoanon.attack(masked, places, crs=BRITISH, seed=1, acceptable=1.5)
    # A key counts who was found; what the attack expected is the same without it.
    scored = geoanon.score(found, np.arange(len(places)), places)
    assert scored.judged.worst.by_key and not found.judged.worst.by_key
    assert scored.judged.worst.found == scored.correct

    ages = {"age": np.repeat(np.arange(10), 11)}
    classes = geoanon.equivalence_classes(ages, ["age"])
    assert classes.judged.decision == DO_NOT_RELEASE  # 1 / 11 is more than 0.09
    eased = geoanon.equivalence_classes(ages, ["age"], acceptable=0.1)
    assert eased.judged.decision == RELEASE_WITH_CARE
    small = geoanon.equivalence_classes(ages, ["age"], k=12, acceptable=0.1)
    assert small.judged.decision == DO_NOT_RELEASE
    assert "Verdict: it held" in eased.summary().splitlines()[-2]


def test_what_holds_a_result_prints_no_more(places):
    found = geoanon.utility(
        places, geoanon.release(places, sets=3, size=2, crs=BRITISH), crs=BRITISH
    )
    assert repr(found) == repr(found.summary)


def test_progress_is_told_and_a_cancel_is_heard(places):
    told = []
    geoanon.mask(places, crs=BRITISH, progress=told.append)
    assert told and told == sorted(told) and max(told) <= 1

    def stop(fraction):
        raise geoanon.Cancelled()

    for run in (
        lambda: geoanon.mask(places, progress=stop),
        lambda: geoanon.attack(places, places, progress=stop),
        lambda: geoanon.release(places, progress=stop),
    ):
        with pytest.raises(geoanon.Cancelled):
            run()
