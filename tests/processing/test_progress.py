# SPDX-License-Identifier: GPL-2.0-or-later
"""Every algorithm with everything asked for that it can write: its progress only rises, and it
reads each layer once."""

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qgis.core import (
    QgsApplication,
    QgsProcessingFeatureSource,
    QgsProcessingParameterFeatureSink,
)

from geoanon_qgis.processing import base
from geoanon_qgis.processing.writing import Outputs
from tests.processing.helpers import Feedback, layer, points, run, saved

COUNT = 60
PLACES = points(2 * COUNT, seed=3, size=20_000)
RNG = np.random.default_rng(4)
PEOPLE = [
    (int(RNG.integers(20, 60)), str(RNG.choice(["f", "m"])), float(RNG.normal(100, 9)), row // 10)
    for row in range(2 * COUNT)
]
FIELDS = "age:int,sex:string,pressure:double,ward:int"


def people(start=0):
    rows = slice(start, start + COUNT)
    return layer(PLACES[rows], fields=FIELDS, rows=PEOPLE[rows], name="people")


def some():
    """A few of them, for attacks that take long."""
    return layer(PLACES[:20], fields=FIELDS, rows=PEOPLE[:20], name="people")


def wards():
    squares = [
        f"POLYGON(({x} 0, {x + 900} 0, {x + 900} 1000, {x} 1000, {x} 0))"
        for x in range(400_000, 406_000, 1000)
    ]
    return layer(squares, kind="Polygon", fields="ward:int", rows=[(at,) for at in range(6)])


def counted_wards():
    rows = [(at, at + 1, 9 - at, 200) for at in range(6)]
    shapes = [one.geometry().asWkt() for one in wards().getFeatures()]
    return layer(shapes, kind="Polygon", fields="ward:int,women:int,men:int,people:int", rows=rows)


def study_area():
    return layer(
        ["POLYGON((350000 250000, 450000 250000, 450000 350000, 350000 350000, 350000 250000))"],
        kind="Polygon",
    )


def squares():
    """Zones of 2 km with people."""
    low = range(389_000, 411_000, 2000)
    corners = [(x, y) for x in low for y in range(289_000, 311_000, 2000)]
    shapes = [
        f"POLYGON(({x} {y}, {x + 2000} {y}, {x + 2000} {y + 2000}, {x} {y + 2000}, {x} {y}))"
        for x, y in corners
    ]
    rows = [(at * 7 % 100,) for at in range(len(corners))]
    return layer(shapes, kind="Polygon", fields="people:int", rows=rows, name="squares")


def streets():
    """Every 500 m, from end to end."""
    side = range(389_750, 411_000, 500)
    ways = [f"{x} 289000, {x} 311000" for x in side]
    ways += [f"389000 {y}, 411000 {y}" for y in range(289_750, 311_000, 500)]
    return layer([f"LINESTRING({way})" for way in ways], kind="LineString")


@pytest.fixture(scope="module")
def case(provider, tmp_path_factory):
    """Inputs of an algorithm by its name."""
    matrix = str(tmp_path_factory.mktemp("release") / "m.npz")

    def release():
        return run(
            "lipschitzrelease",
            {
                "INPUT": some(),
                "FIELDS": ["age", "sex"],
                "MATRIX": matrix,
                "SETS": 5,
                "SIZE": 5,
                "OUTPUT": "TEMPORARY_OUTPUT",
                "KEY": "TEMPORARY_OUTPUT",
            },
        )

    def attack(**more):
        done = release()
        return {
            "TARGET": done["OUTPUT"],
            "MATRIX": matrix,
            "TARGET_QIS": ["age", "sex"],
            "IDENTIFICATION": some(),
            "IDENTIFICATION_QIS": ["age", "sex"],
            "TRUTH": done["KEY"],
            "SETS": 5,
            "SIZE": 5,
            "REPLICATES": 20,
            **more,
        }

    def masked():
        done = run(
            "voronoimask",
            {"INPUT": people(), "OUTPUT": "TEMPORARY_OUTPUT", "KEY": "TEMPORARY_OUTPUT"},
        )
        return {"INPUT": done["OUTPUT"], "CANDIDATES": people(), "KEY": done["KEY"]}

    def displaced():
        done = run(
            "maskdisplace",
            {
                "INPUT": people(),
                **dict.fromkeys(("OUTPUT", "KEY", "MASK"), "TEMPORARY_OUTPUT"),
            },
        )
        given = {"INPUT": done["OUTPUT"], "MASK": done["MASK"], "KEY": done["KEY"]}
        return {**given, "CANDIDATES": layer(PLACES, name="addresses")}

    def moved():
        given = displaced()
        return {
            "ORIGINAL": people(),
            "RELEASED": given["INPUT"],
            "KEY": given["KEY"],
            "CANDIDATES": given["CANDIDATES"],
            "CONTROLS": people(),
            "POPULATION": squares(),
            "POPULATION_FIELD": "people",
            "AREA": squares(),
            "SERVICES": some(),
            "ZONES": squares(),
            "DRAWS": 99,
        }

    def verified():
        folder = tmp_path_factory.mktemp("verified")
        (folder / "public").mkdir()
        run(
            "voronoimask",
            {
                "INPUT": people(),
                "OUTPUT": str(folder / "public" / "masked.gpkg"),
                "JSON": str(folder / "r.json"),
            },
        )
        for number in range(5):
            (folder / "public" / f"{number}.txt").write_bytes(bytes(1000 * number))
        return {"FIGURES": str(folder / "r.json"), "FOLDER": str(folder / "public")}

    grid = {"INPUT": people, "SETS": "3", "SIZE": "3, 5", "REPEATS": 2}
    records_of_wards = {
        "REGIONS": wards,
        "REGION_ID": "ward",
        "RECORDS": people,
        "RECORD_REGION": "ward",
        "QIS": ["age", "sex"],
        "GROUPS": '{"age": 2}',
        "K": 2,
        "SITES": 3,
        "SEED": 1,
    }
    pair = {
        "ORIGINAL": people,
        "ANONYMIZED": people,
        "FIELDS": ["age", "sex", "pressure"],
        "USE_GEOMETRY": True,
    }
    cases = {
        "maskadaptivevoronoi": {
            "INPUT": people,
            "ZONES": squares,
            "POPULATION": squares,
            "POPULATION_FIELD": "people",
            "K": 300,
            "STREETS": streets,
        }.copy,
        "maskdisplace": lambda: {"INPUT": people()},
        "maskexchange": lambda: {"INPUT": people(), "CANDIDATES": some(), "K": 3, "WITHIN": 1e6},
        "maskaggregate": lambda: {
            "INPUT": people(),
            "METHOD": "merged",
            "ZONES": squares(),
            "POPULATION": people(),
            "K": 5,
            "PLACE": "random",
        },
        "masklocationswap": lambda: {"INPUT": people(), "CANDIDATES": people(), "K": 2},
        "maskdisplace sizes": {
            "INPUT": people,
            "SIZE_BY": "candidates",
            "CANDIDATES": lambda: layer(PLACES, name="addresses"),
            "ZONES": squares,
            "AVOID": wards,
        }.copy,
        "maskstreets": {"INPUT": people, "STREETS": streets, "LOW": 5, "HIGH": 9}.copy,
        "attackmask": displaced,
        "attackmask unknown": lambda: {**displaced(), "MASK": None},
        "maskmeasures": moved,
        "voronoimask": lambda: {"INPUT": people()},
        "reversevoronoi": masked,
        "lipschitzrelease": lambda: {"INPUT": people(), "AREA": study_area(), "SETS": 4, "SIZE": 4},
        "noisydistances": lambda: {"INPUT": people()},
        "isgprelease": lambda: {"INPUT": people()},
        "distanceaccuracy": lambda: {**grid, "ATTRIBUTES": ["age", "pressure"]},
        "distanceaccuracy matrix": lambda: {
            **grid,
            "INPUT": some(),
            "KEY": release()["KEY"],
            "MATRIX": matrix,
        },
        "chooseembedding": lambda: {**grid, "DRAWS": 0},
        "chooseembedding risk": lambda: {
            **grid,
            "INPUT": some(),
            "QIS": ["age", "sex"],
            "REPLICATES": 20,
            "SEARCH": "halving",
            "PRE_NOISE": "0",
            "DRAWS": 1,
            "LIKELIHOOD": 1,
        },
        "choosemask": {
            "INPUT": people,
            "CANDIDATES": lambda: layer(PLACES, name="addresses"),
            "ADVERSARY": "whose_place",
            "LIMIT_ON": "mean",
            "ACCEPTABLE": 0.2,
            "FAMILIES": ["gaussian", "groups"],
            "UTILITY": ["shift", "ripley"],
        }.copy,
        "linkageattack": lambda: attack(METHOD="clique"),
        "linkageattack likelihood": lambda: attack(METHOD="likelihood", TIME_LIMIT=1),
        "linkageattack strongest": lambda: attack(METHOD="strongest", TIME_LIMIT=4),
        "linkageexperiment": lambda: {
            **grid,
            "QIS": ["sex"],
            "N_TARGET": 20,
            "N_IDENTIFICATION": 20,
            "OVERLAP": 5,
            "ALPHA": "0.5",
            "REPLICATES": 20,
            "ATTACK": "clique",
            "SETS": "5, 9",
            "SIZE": "5",
            "AREA": study_area(),
        },
        "vbas": lambda: {
            **records_of_wards,
            "FIELDS": ["pressure"],
            "AREA": study_area(),
            "SITES_BY": "fixed",
            "EARLIER": counted_wards(),
            "EARLIER_AREA": "ward",
            "POPULATION_FIELD": "ward",
        },
        "vbascompare": lambda: {**records_of_wards, "KS": "2, 3", "SITES_BY": ["fixed"]},
        "spectralanonymize": lambda: {
            "INPUT": people(),
            "AREA": study_area(),
            "K": 3,
            "USE_GEOMETRY": True,
        },
        "spectralanonymize table": lambda: {"INPUT": people(), "K": 3},
        "microdatautility": lambda: pair,
        "disclosurerisk": lambda: {**pair, "REFERENCE": people(COUNT)},
        "areacounts": lambda: {
            "REGIONS": counted_wards(),
            "AREA": "ward",
            "CASES": ["women", "men"],
            "POPULATION": ["people"],
        },
        "equivalenceclasses": lambda: {"INPUT": people(), "QIS": ["sex", "age"]},
        "syntheticrecords": lambda: {
            "REGIONS": wards(),
            "REGION_ID": "ward",
            "LEAST": 5,
            "MOST": 9,
            "SHARES": layer(
                [None] * 2,
                "",
                "NoGeometry",
                "field:string,category:string,share:double",
                [("sex", "f", 0.5), ("sex", "m", 0.5)],
            ),
        },
        "verifyrelease": verified,
        "checkenvironment": lambda: {},
    }
    assert {name.split()[0] for name in cases} == {
        one.name() for one in provider.algorithms() if isinstance(one, base.GeoAnonAlgorithm)
    }

    def made(name):
        parameters = cases[name]()
        return {key: one() if callable(one) else one for key, one in parameters.items()}

    return made


CASES = [
    "attackmask",
    "attackmask unknown",
    "maskmeasures",
    "maskadaptivevoronoi",
    "maskdisplace",
    "maskexchange",
    "maskaggregate",
    "masklocationswap",
    "maskdisplace sizes",
    "maskstreets",
    "voronoimask",
    "reversevoronoi",
    "lipschitzrelease",
    "noisydistances",
    "isgprelease",
    "distanceaccuracy",
    "distanceaccuracy matrix",
    "chooseembedding",
    "chooseembedding risk",
    "choosemask",
    "linkageattack",
    "linkageattack likelihood",
    "linkageattack strongest",
    "linkageexperiment",
    "vbas",
    "vbascompare",
    "spectralanonymize",
    "spectralanonymize table",
    "microdatautility",
    "disclosurerisk",
    "areacounts",
    "equivalenceclasses",
    "syntheticrecords",
    "verifyrelease",
    "checkenvironment",
]


def everything(name, parameters, folder) -> tuple[str, dict]:
    """The algorithm, and the parameters with every output asked for."""
    algorithm = QgsApplication.processingRegistry().algorithmById(f"geoanon:{name.split()[0]}")
    outputs = {}
    for number, one in enumerate(algorithm.destinationParameterDefinitions()):
        is_layer = isinstance(one, QgsProcessingParameterFeatureSink)
        # Drivers differ in when they tell progress: GeoPackages are written past QGIS.
        ending = (".gpkg", ".csv")[number % 2] if is_layer else "." + one.defaultFileExtension()
        outputs[one.name()] = str(folder / f"{one.name()}{ending}")
    return algorithm.name(), {**outputs, **parameters}


#: Groups of equal size need all values before the records are counted, which may be millions.
READ_TWICE = {"vbas": {"RECORDS"}, "vbascompare": {"RECORDS"}}


def readings(monkeypatch) -> Counter:
    """How often each source is read to its end; a look at its first features does not count."""
    counted = Counter()
    ask, get = base.GeoAnonAlgorithm.parameterAsSource, QgsProcessingFeatureSource.getFeatures

    def asked(self, parameters, name, context):
        source = ask(self, parameters, name, context)
        if source is not None:
            source.asked_as = name
        return source

    def features(self, request, *flags):
        if request.limit() < 0:
            counted[getattr(self, "asked_as", self.sourceName())] += 1
        return get(self, request, *flags)

    monkeypatch.setattr(base.GeoAnonAlgorithm, "parameterAsSource", asked)
    monkeypatch.setattr(QgsProcessingFeatureSource, "getFeatures", features)
    return counted


@pytest.mark.parametrize("name", CASES)
def test_the_bar_only_rises_and_a_layer_is_read_once(case, project, monkeypatch, tmp_path, name):
    algorithm, parameters = everything(name, case(name), tmp_path)
    counted = readings(monkeypatch)
    told, before_publishing = [], []
    publish = Outputs.publish

    class Listening(base.Rising):
        """Keeps what it is told by the work, before it sees to it that the bar does not fall."""

        def setProgress(self, percent):
            told.append(percent)
            super().setProgress(percent)

    def published(outputs):
        before_publishing.append(len(told))
        return publish(outputs)

    monkeypatch.setattr(base, "Rising", Listening)
    monkeypatch.setattr(Outputs, "publish", published)
    shown = run(algorithm, parameters, Feedback()).feedback.progresses
    assert {one for one, often in counted.items() if often > 1} == READ_TWICE.get(name, set())
    assert counted or name in ("verifyrelease", "checkenvironment")
    falls = [(one, other) for one, other in zip(told, told[1:]) if other < one - 1e-9]
    assert falls == []
    assert all(0 <= one <= 100 for one in told)
    assert np.all(np.diff(shown) > 0) and shown[-1] == 100
    assert [one for one in shown[:-1] if one > 99.01] == []
    assert before_publishing == [len(told)]
    if name != "checkenvironment":  # whose work is done at once
        assert len(set(told)) > 3


@given(st.lists(st.floats(-50, 200) | st.just(float("nan"))))
def test_whatever_the_work_tells_the_bar_rises_to_its_end(percents):
    shown = []
    rising = base.Rising(SimpleNamespace(setProgress=shown.append))
    for percent in percents:
        rising.setProgress(percent)
    assert all(one < 99.01 for one in shown)
    rising.finish()
    assert shown[-1] == 100 and np.all(np.diff([0, *shown]) > 0)


def test_all_else_is_said_to_the_feedback_itself():
    feedback = Feedback()
    rising = base.Rising(feedback)
    rising.pushInfo("one")
    rising.pushWarning("two")
    assert (feedback.infos, feedback.warnings, rising.isCanceled()) == (["one"], ["two"], False)
    feedback.cancel()
    assert rising.isCanceled()


def test_an_output_into_a_database_that_is_there_does_not_set_the_bar_back(project, tmp_path):
    there = saved(people(), tmp_path / "there.gpkg")
    done = run(
        "voronoimask",
        {
            "INPUT": people(),
            "KEY": "TEMPORARY_OUTPUT",
            "REPORT": str(tmp_path / "r.html"),
            "OUTPUT": f"ogr:dbname='{there}' table=\"masked\" (geom)",
        },
    )
    assert np.all(np.diff(done.feedback.progresses) > 0)
    assert done.feedback.progresses[-1] == 100
