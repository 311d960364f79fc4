# SPDX-License-Identifier: GPL-2.0-or-later
"""A run of every algorithm that writes a report, small enough to be made for a test.

Each scene takes the folder with the inputs and what the report is to be written to, and runs one
algorithm; those that attack a release make it first.
"""

from pathlib import Path

import numpy as np

from tests.processing.helpers import GRID, layer, run, saved

COUNT, KNOWN, BOTH = 120, 40, 20
FIELDS = "person:int,age:int,sex:string,job:string,income:double,pressure:double,region:int"
SIDE, STEP = 6, 1_500.0
_PLACES = np.random.default_rng(4).normal([530_000, 180_000], 2_500, (COUNT + KNOWN, 2)).round(1)


def _rows():
    rng = np.random.default_rng(1)
    for number in range(COUNT + KNOWN):
        age = int(rng.integers(18, 90))
        yield (
            number + 1,
            age,
            str(rng.choice(["f", "m"])),
            str(rng.choice(["office", "craft", "care"], p=[0.5, 0.3, 0.2])),
            round(float(np.exp(10 + 0.01 * age + rng.normal(0, 0.4))), 2),
            round(110 + 0.5 * age + float(rng.normal(0, 9)), 1),
            100 + int(rng.integers(SIDE * SIDE)),
        )


_ROWS = list(_rows())


def people(rows=range(COUNT), name="people", places=True):
    """Records with places, or a table of the same."""
    shapes = [_PLACES[row] if places else None for row in rows]
    kind, crs = ("Point", GRID) if places else ("NoGeometry", "")
    return layer(shapes, crs, kind, FIELDS, [_ROWS[row] for row in rows], name)


def known():
    """People known to the adversary: some of them are among the first records, others not."""
    return people(range(COUNT - BOTH, COUNT + KNOWN - BOTH), "known")


def candidates():
    """A list of addresses, those of all records among them."""
    more = np.random.default_rng(2).normal([530_000, 180_000], 2_500, (400, 2)).round(1)
    return layer(np.concatenate([_PLACES[:COUNT], more]), name="addresses")


def regions():
    """Squares."""
    shapes, rows = [], []
    for number in range(SIDE * SIDE):
        x, y = (STEP * one for one in divmod(number, SIDE))
        shapes.append(
            f"POLYGON(({x} {y}, {x + STEP} {y}, {x + STEP} {y + STEP}, {x} {y + STEP}, {x} {y}))"
        )
        rows.append((100 + number,))
    return layer(shapes, GRID, "Polygon", "uid:int", rows, "regions")


def _masked(folder):
    return run(
        "voronoimask",
        {
            "INPUT": people(),
            "OUTPUT": str(folder / "masked.gpkg"),
            "KEY": str(folder / "key.gpkg"),
            "SEED": 1,
            "JSON": str(folder / "mask.json"),
        },
    )


def _distances(folder, algorithm="noisydistances", **more):
    return run(
        algorithm,
        {
            "INPUT": people(),
            "FIELDS": ["age", "sex"],
            "MATRIX": str(folder / "m.csv"),
            "OUTPUT": str(folder / "records.gpkg"),
            "KEY": str(folder / "distances_key.gpkg"),
            "SEED": 3,
            **more,
        },
    )


def voronoimask(folder, files):
    return run(
        "voronoimask",
        {
            "INPUT": people(),
            "FIELDS": ["age", "sex"],
            "OUTPUT": "TEMPORARY_OUTPUT",
            "SEED": 1,
            **files,
        },
    )


def reversevoronoi(folder, files, **more):
    done = _masked(folder)
    given = {"INPUT": done["OUTPUT"], "CANDIDATES": candidates(), "OUTPUT": "TEMPORARY_OUTPUT"}
    return run("reversevoronoi", {**given, **more, **files})


def reversevoronoi_scored(folder, files):
    return reversevoronoi(folder, files, KEY=_masked(folder)["KEY"])


def lipschitzrelease(folder, files):
    return _distances(folder, "lipschitzrelease", SETS=8, SIZE=4, **files)


def noisydistances(folder, files):
    return _distances(folder, NOISE="gaussian", SIGMA=300, **files)


def distanceaccuracy(folder, files):
    done = _distances(folder, "lipschitzrelease", SETS=8, SIZE=4)
    given = {"INPUT": people(), "MATRIX": done["MATRIX"], "KEY": done["KEY"]}
    return run("distanceaccuracy", {**given, "OUTPUT": "TEMPORARY_OUTPUT", **files})


def distanceaccuracy_tried(folder, files):
    grid = {"SETS": "3, 10", "SIZE": "2, 8", "REPEATS": 2, "SEED": 1}
    return run(
        "distanceaccuracy", {"INPUT": people(), **grid, "OUTPUT": "TEMPORARY_OUTPUT", **files}
    )


def chooseembedding(folder, files, **more):
    grid = {"SETS": "3, 8", "SIZE": "4, 12", "REPEATS": 2, "SEED": 1}
    return run(
        "chooseembedding",
        {"INPUT": people(), **grid, "DRAWS": 0, "OUTPUT": "TEMPORARY_OUTPUT", **more, **files},
    )


def chooseembedding_attacked(folder, files):
    more = {"QIS": ["age", "sex"], "REPLICATES": 30, "DRAWS": 1}
    more.update({"LIKELIHOOD": 0, "PRE_NOISE": "0, 50", "SIZE": "4"})
    return chooseembedding(folder, files, **more)


def linkageattack(folder, files, **more):
    done = _distances(folder, NOISE="coordinates", SIGMA=60)
    given = {
        "TARGET": done["OUTPUT"],
        "MATRIX": done["MATRIX"],
        "TARGET_QIS": ["age", "sex"],
        "IDENTIFICATION": known(),
        "IDENTIFICATION_QIS": ["age", "sex"],
        "IDENTIFICATION_ID": "person",
        "METHOD": "clique",
        "RULE": "coordinate_noise",
        "SIGMA": 60,
        "OUTPUT": "TEMPORARY_OUTPUT",
        "SEED": 1,
    }
    return run("linkageattack", {**given, **more, **files})


def linkageattack_scored(folder, files):
    return linkageattack(folder, files, TRUTH=str(folder / "distances_key.gpkg"))


def linkageattack_by_likelihood(folder, files):
    return linkageattack(folder, files, METHOD="likelihood")


def linkageattack_strongest(folder, files):
    return linkageattack(
        folder, files, METHOD="strongest", TRUTH=str(folder / "distances_key.gpkg")
    )


def linkageexperiment(folder, files, **more):
    given = {
        "INPUT": people(),
        "QIS": ["age", "sex"],
        "N_TARGET": 50,
        "N_IDENTIFICATION": 50,
        "OVERLAP": 12,
        "METHOD": "coordinate_noise",
        "SIGMA": "50, 5000",
        "ALPHA": "0.5, 0.9",
        "REPEATS": 2,
        "SEED": 9,
        "OUTPUT": "TEMPORARY_OUTPUT",
    }
    return run("linkageexperiment", {**given, "ATTACK": "clique", **more, **files})


def linkageexperiment_embedded(folder, files):
    grid = {"SETS": "3, 8", "SIZE": "4", "REPLICATES": 30, "ALPHA": "0.9"}
    return linkageexperiment(folder, files, METHOD="lipschitz", **grid)


def _anonymised(folder, files, **more):
    given = {
        "INPUT": people(),
        "FIELDS": ["age", "sex", "job", "income", "pressure"],
        "OUTPUT": str(folder / "anonymised.gpkg"),
        "KEY": str(folder / "anonymised_key.csv"),
        "SEED": 1,
    }
    return run("spectralanonymize", {**given, **more, **files})


def spectralanonymize(folder, files):
    return _anonymised(folder, files)


def spectralanonymize_grouped(folder, files):
    return _anonymised(folder, files, METHOD="spectral_rhs", K=5)


def disclosurerisk(folder, files, **more):
    done = _anonymised(folder, {}, METHOD="spectral_rhs", K=5)
    given = {"ORIGINAL": people(), "ANONYMIZED": done["OUTPUT"], "OUTPUT": "TEMPORARY_OUTPUT"}
    return run("disclosurerisk", {**given, **more, **files})


def disclosurerisk_scored(folder, files):
    return disclosurerisk(folder, files, KEY=str(folder / "anonymised_key.csv"))


def microdatautility(folder, files):
    done = _anonymised(folder, {})
    given = {"ORIGINAL": people(), "ANONYMIZED": done["OUTPUT"], "OUTPUT": "TEMPORARY_OUTPUT"}
    return run("microdatautility", {**given, **files})


def equivalenceclasses(folder, files):
    given = {"INPUT": people(), "QIS": ["age", "sex", "job"], "OUTPUT": "TEMPORARY_OUTPUT"}
    return run("equivalenceclasses", {**given, "K": 3, **files})


def areacounts(folder, files):
    rows = [(f"a{at}", f"c{at // 5}", at % 9, (at * 5) % 11, 300 + at) for at in range(20)]
    fields = "area:string,county:string,women:int,men:int,people:int"
    given = {
        "REGIONS": layer([None] * 20, "", "NoGeometry", fields, rows, "areas"),
        "AREA": "area",
        "CASES": ["women", "men"],
        "POPULATION": ["people"],
        "HIERARCHY": ["county"],
        "OUTPUT": "TEMPORARY_OUTPUT",
    }
    return run("areacounts", {**given, **files})


def _regions_and_records(folder):
    return {
        "REGIONS": saved(regions(), folder / "regions.gpkg"),
        "REGION_ID": "uid",
        "RECORDS": saved(people(places=False), folder / "records.gpkg"),
        "RECORD_REGION": "region",
        "QIS": ["sex", "job"],
        "OUTPUT": "TEMPORARY_OUTPUT",
        "SITES": 6,
        "SEED": 4,
    }


def vbas(folder, files):
    more = {"K": 3, "SITES_BY": "fixed", "LOCATION": "least_suppression"}
    released = {"RECORDS_OUT": str(folder / "released.gpkg"), "FIELDS": ["income"]}
    return run("vbas", {**_regions_and_records(folder), **more, **released, **files})


def vbascompare(folder, files):
    more = {
        "KS": "3, 6",
        "SITES_BY": ["gaps_maxcombs", "gaps_entropy", "fixed"],
        "GAPS_REGION": "custom",
        "A": 40,
        "B": 0.5,
        "LOCATIONS": ["balanced_density", "least_suppression", "random"],
    }
    return run("vbascompare", {**_regions_and_records(folder), **more, **files})


def verifyrelease(folder, files):
    _masked(folder)
    return run(
        "verifyrelease", {"FIGURES": str(folder / "mask.json"), "FOLDER": str(folder), **files}
    )


def checkenvironment(folder, files):
    return run("checkenvironment", files)


SCENES = {
    one.__name__: one
    for one in (
        areacounts,
        checkenvironment,
        chooseembedding,
        chooseembedding_attacked,
        disclosurerisk,
        disclosurerisk_scored,
        distanceaccuracy,
        distanceaccuracy_tried,
        equivalenceclasses,
        linkageattack,
        linkageattack_by_likelihood,
        linkageattack_strongest,
        linkageattack_scored,
        linkageexperiment,
        linkageexperiment_embedded,
        lipschitzrelease,
        microdatautility,
        noisydistances,
        reversevoronoi,
        reversevoronoi_scored,
        spectralanonymize,
        spectralanonymize_grouped,
        vbas,
        vbascompare,
        verifyrelease,
        voronoimask,
    )
}


def reported(name, folder):
    """Run one scene; returns the places of its page and of its figures."""
    inputs, written = Path(folder, "in"), Path(folder, "out")
    inputs.mkdir(), written.mkdir()
    files = {"REPORT": str(written / "r.html"), "JSON": str(written / "r.json")}
    SCENES[name](inputs, files)
    return files["REPORT"], files["JSON"]
