# SPDX-License-Identifier: GPL-2.0-or-later
"""One wrong coordinate among right ones is refused by every algorithm that looks at places."""

import importlib
import threading

import numpy as np
import pytest

from tests.processing.helpers import GRID, Feedback, layer, leftovers, points, refusal, run

COUNT, WRONG = 30, 4
ROWS = [(row, row % 3, "fm"[row % 2], 1e3 + row % 7 * 0.5) for row in range(COUNT)]
TEMPORARY = "TEMPORARY_OUTPUT"


def people(wild=True, name="people", crs=GRID):
    xy = points(COUNT, seed=3, size=20_000)
    if wild:
        xy[WRONG, 0] *= 1e5 if crs else 1e300
    return layer(
        xy, crs, fields="person:int,age:int,sex:string,income:double", rows=ROWS, name=name
    )


def squares(name):
    shapes = []
    for row, (x, y) in enumerate(points(COUNT, seed=3, size=20_000)):
        corner = (x + 90) * 1e5 if row == WRONG else x + 90
        shapes.append(f"Polygon(({x} {y}, {corner} {y}, {x + 90} {y + 90}, {x} {y}))")
    return layer(
        shapes, kind="Polygon", fields="person:int", rows=[row[:1] for row in ROWS], name=name
    )


def areas(regions):
    records = layer(
        [None] * COUNT, "", "NoGeometry", "person:int,age:int,sex:string", [row[:3] for row in ROWS]
    )
    return {
        "RECORDS": records,
        "RECORD_REGION": "person",
        "QIS": ["age", "sex"],
        "REGIONS": regions,
        "REGION_ID": "person",
        "GAPS_REGION": "central",
    }


def attack(folder):
    made = run(
        "noisydistances",
        {
            "INPUT": people(False),
            "FIELDS": ["age", "sex"],
            "NOISE": "exact",
            "MATRIX": str(folder / "m.csv"),
            "OUTPUT": str(folder / "records.gpkg"),
        },
    )
    return {
        "TARGET": made["OUTPUT"],
        "MATRIX": made["MATRIX"],
        "TARGET_QIS": ["age", "sex"],
        "IDENTIFICATION_QIS": ["age", "sex"],
        "RULE": "absolute",
        "EPSILON": 5,
    }


QIS = {"QIS": ["age", "sex"]}
PLACES = {"FIELDS": ["age", "income"], "USE_GEOMETRY": True}
CASES = {
    "voronoimask": ("INPUT", lambda folder: {}),
    "reversevoronoi": ("INPUT", lambda folder: {"CANDIDATES": people(False)}),
    "reversevoronoi candidates": ("CANDIDATES", lambda folder: {"INPUT": people(False)}),
    "lipschitzrelease": ("INPUT", lambda folder: {"MATRIX": str(folder / "m.csv")}),
    "noisydistances": ("INPUT", lambda folder: {"MATRIX": str(folder / "m.csv")}),
    "distanceaccuracy": ("INPUT", lambda folder: {"SETS": "2", "SIZE": "2", "REPEATS": 1}),
    "chooseembedding": (
        "INPUT",
        lambda folder: {**QIS, "SETS": "2", "SIZE": "2", "DRAWS": 0},
    ),
    "linkageexperiment": ("INPUT", lambda folder: QIS),
    "linkageattack": ("IDENTIFICATION", attack),
    "vbas": ("REGIONS", lambda folder: areas(None)),
    "vbascompare": ("REGIONS", lambda folder: areas(None)),
    "spectralanonymize": ("INPUT", lambda folder: PLACES),
    "disclosurerisk": ("ORIGINAL", lambda folder: {**PLACES, "ANONYMIZED": people(False)}),
    "disclosurerisk release": ("ANONYMIZED", lambda folder: {**PLACES, "ORIGINAL": people(False)}),
    "microdatautility": ("ORIGINAL", lambda folder: {**PLACES, "ANONYMIZED": people(False)}),
}
POLYGONS = {
    "vbas": ("REGIONS", lambda folder: areas(None)),
    "vbascompare": ("REGIONS", lambda folder: areas(None)),
    "vbas area": ("AREA", lambda folder: areas(people(False))),
    "lipschitzrelease": (
        "AREA",
        lambda folder: {"INPUT": people(False), "MATRIX": str(folder / "m.csv")},
    ),
    "distanceaccuracy": ("AREA", lambda folder: {"INPUT": people(False)}),
    "chooseembedding": ("AREA", lambda folder: {"INPUT": people(False), **QIS}),
    "linkageexperiment": (
        "AREA",
        lambda folder: {
            "INPUT": people(False),
            **QIS,
            "N_TARGET": 10,
            "N_IDENTIFICATION": 10,
            "OVERLAP": 5,
        },
    ),
}


def refused(case, cases, wrong, tmp_path):
    name, parameters = cases[case]
    given = {**parameters(tmp_path), name: wrong}
    before = leftovers(tmp_path)
    feedback = Feedback()
    said = refusal(case.split()[0], {"OUTPUT": TEMPORARY, **given}, feedback)
    assert leftovers(tmp_path) == before
    assert "“wild”, 1 feature " in said and f"feature id {WRONG + 1}." in said
    return said


@pytest.mark.parametrize("case", CASES)
def test_one_wrong_point_is_refused_by_its_id(provider, tmp_path, case):
    assert GRID in refused(case, CASES, people(name="wild"), tmp_path)


@pytest.mark.parametrize("case", ["voronoimask", "distanceaccuracy", "vbas", "spectralanonymize"])
def test_without_a_system_what_cannot_be_computed_with_is_refused(provider, tmp_path, case):
    said = refused(case, CASES, people(name="wild", crs=""), tmp_path)
    assert "larger than those of any place" in said


@pytest.mark.parametrize("scale", [1e-160, 5e-324])
def test_places_too_near_to_measure_are_refused(provider, scale):
    xy = np.rint(points(COUNT, size=40, centre=(0, 0))) * scale
    said = refusal("voronoimask", {"INPUT": layer(xy, "", name="dust"), "OUTPUT": TEMPORARY})
    assert "“dust”" in said and "another unit" in said


def test_a_study_area_that_is_nearly_a_line_cuts_cells_off(provider, tmp_path):
    sliver = "Polygon((0 0, 5e5 4e5, 2e29 2e29, 0 0))"
    regions = people(False, crs="")
    run(
        "vbas",
        {
            **areas(regions),
            "K": 2,
            "OUTPUT": TEMPORARY,
            "AREAS_OUT": TEMPORARY,
            "AREA": layer([sliver], "", "Polygon"),
        },
    )


@pytest.mark.parametrize("case", POLYGONS)
def test_one_wrong_vertex_is_refused_by_its_polygons_id(provider, tmp_path, case):
    assert GRID in refused(case, POLYGONS, squares("wild"), tmp_path)


def test_a_table_with_places_that_are_not_asked_for_is_none_of_ours(provider, tmp_path):
    done = run(
        "spectralanonymize",
        {
            "INPUT": people(),
            "FIELDS": ["age", "income"],
            "OUTPUT": TEMPORARY,
            "SEED": 1,
        },
    )
    assert np.isfinite([feature["income"] for feature in done["OUTPUT"].getFeatures()]).all()


# --- long stretches in which nobody would ask -----------------------------------------------------


class Impatient(Feedback):
    """Cancels as soon as the run asks while something that is watched is under way."""

    watched = asked = 0

    def isCanceled(self):
        self.asked += self.watched
        return bool(self.asked)


@pytest.mark.parametrize(
    "module, name",
    [
        ("geoanon_qgis.report.charts", "to_svg"),
        ("geoanon_qgis.processing.maps.painting", "png"),
    ],
)
def test_a_report_that_is_drawn_hears_a_cancel(provider, tmp_path, monkeypatch, module, name):
    """Of a chart from the next one on; of a picture while it is packed."""
    module = importlib.import_module(module)
    feedback, done = Impatient(), threading.Event()
    whole = getattr(module, name)

    def slow(*given, **more):
        feedback.watched = 1
        if name == "png":
            done.wait()  # packing goes on until the test is through with the run
        return whole(*given, **more)

    monkeypatch.setattr(module, name, slow)
    try:
        ran = run(
            "voronoimask",
            {
                "INPUT": people(False),
                "OUTPUT": str(tmp_path / "masked.gpkg"),
                "REPORT": str(tmp_path / "r.html"),
            },
            feedback,
        )
    finally:
        done.set()
    assert feedback.asked and ran.results == {} and leftovers(tmp_path) == []
