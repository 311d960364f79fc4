# SPDX-License-Identifier: GPL-2.0-or-later
"""What is run: for every algorithm its parameters, with inputs by name and outputs by format."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

_SOHO = ROOT / "resources" / "data" / "soho_cholera_1854.gpkg"


@dataclass(frozen=True)
class File:
    """One of the inputs, with the layer in it that is meant."""

    name: str

    def within(self, folder: Path) -> str:
        return str(folder / self.name)


@dataclass(frozen=True)
class Made:
    """An output of another case."""

    case: str
    output: str


@dataclass(frozen=True)
class Case:
    """One run.

    Attributes
    ----------
    algorithm : str
    given : dict
        Parameters; a :class:`File` or :class:`Made` stands for its path.
    outputs : str
        Destinations with their endings, as in ``OUTPUT.gpkg KEY.csv``.
    """

    algorithm: str
    given: dict[str, Any]
    outputs: str


def _soho(layer: str) -> str:
    return f"{_SOHO}|layername={layer}"


_PEOPLE, _DEGREES, _TABLE = File("people.gpkg"), File("people.geojson"), File("people.csv")
_ALL_FIELDS = ["age", "income", "sex", "smoker", "job", "born", "woken", "seen"]
_NUMBERS = ["age", "income", "sex", "smoker", "job"]
_REGIONS = {"REGIONS": File("centres.gpkg"), "REGION_ID": "uid"}
_RECORDS = {
    **_REGIONS,
    "RECORDS": File("records.gpkg"),
    "RECORD_REGION": "region",
    "QIS": ["age", "sex"],
}
_SITES = {"SITES_BY": "fixed", "SITES": 6, "SEED": 4}
_AREAS = (
    "OUTPUT.gpkg AREAS_OUT.geojson SITES_OUT.csv LOOKUP.csv REGIONS_OUT.gpkg RECORDS_OUT.csv "
    "JSON.json"
)
_DISTANCES = "MATRIX.csv OUTPUT.csv KEY.gpkg JSON.json"
_SHARED = "SHARED.csv OUTPUT.csv KEY.gpkg"
_LINKED = "OUTPUT.gpkg MATCHES.csv JSON.json"
_QIS = ["age", "sex"]


def _mask(source, outputs, **more) -> Case:
    return Case("voronoimask", {"INPUT": source, **more}, outputs)


def _kept(algorithm, source, outputs, **more) -> Case:
    """A mask that keeps its draws; with a secret the points are the same again."""
    return Case(algorithm, {"INPUT": source, "SECRET": File("secret.json"), **more}, outputs)


def _attacked(released: str, **more) -> Case:
    """The attack on points by their mask file and key."""
    given = {name: Made(released, of) for name, of in (("INPUT", "OUTPUT"), ("MASK", "MASK"))}
    given |= {"KEY": Made(released, "KEY"), "CANDIDATES": _soho("addresses")}
    return Case("attackmask", {**given, **more}, "OUTPUT.csv JSON.json")


def _lipschitz(source, outputs, **more) -> Case:
    return Case("lipschitzrelease", {"INPUT": source, "SEED": 1, **more}, outputs)


def _noisy(source, outputs, **more) -> Case:
    return Case("noisydistances", {"INPUT": source, "SEED": 2, **more}, outputs)


def _isgp(source, outputs, **more) -> Case:
    return Case("isgprelease", {"INPUT": source, "SEED": 4, **more}, outputs)


def _accuracy(released: str, **more) -> Case:
    given = {"MATRIX": Made(released, "MATRIX"), "KEY": Made(released, "KEY"), "RECORDS": 40}
    return Case("distanceaccuracy", {**given, **more}, "OUTPUT.gpkg JSON.json")


def _attack(released: str, **more) -> Case:
    given = {
        "TARGET": Made(released, "OUTPUT"),
        "MATRIX": Made(released, "MATRIX"),
        "TARGET_QIS": _QIS,
        "IDENTIFICATION": File("second.gpkg"),
        "IDENTIFICATION_QIS": _QIS,
        "IDENTIFICATION_ID": "person",
        "METHOD": "clique",
        "SEED": 1,
        "REPLICATES": 50,
    }
    return Case(
        "linkageattack", {**given, **more}, _LINKED + (" LINES.gpkg" if "TRUTH" in more else "")
    )


def _experiment(**more) -> Case:
    given = {
        "INPUT": File("first.gpkg"),
        "QIS": _QIS,
        "N_TARGET": 24,
        "N_IDENTIFICATION": 24,
        "OVERLAP": 8,
        "REPEATS": 2,
        "SEED": 9,
        "REPLICATES": 30,
    }
    return Case("linkageexperiment", {**given, **more}, "OUTPUT.gpkg JSON.json")


def _anonymised(outputs="OUTPUT.csv KEY.gpkg JSON.json", **more) -> Case:
    given = {
        "INPUT": _PEOPLE,
        "FIELDS": _NUMBERS,
        "SEED": 5,
        "DECODING": "as_published",
        **more,
    }
    return Case("spectralanonymize", given, outputs)


def _judged(algorithm: str, released: str, **more) -> Case:
    given = {"ORIGINAL": _PEOPLE, "ANONYMIZED": Made(released, "OUTPUT"), "FIELDS": _NUMBERS}
    return Case(algorithm, {**given, **more}, "OUTPUT.gpkg JSON.json")


def _aggregated(outputs=_AREAS, **more) -> Case:
    return Case("vbas", {**_RECORDS, **_SITES, "K": 3, **more}, outputs)


def _counted(**more) -> Case:
    given = {"REGIONS": File("counted.gpkg"), "AREA": "uid", "POPULATION": ["people"], **more}
    return Case("areacounts", given, "OUTPUT.csv AREAS_OUT.gpkg CHECK.csv JSON.json")


def _compared(**more) -> Case:
    return Case("vbascompare", {**_RECORDS, **_SITES, **more}, "OUTPUT.csv JSON.json")


def _synthetic(outputs, **more) -> Case:
    given = {**_REGIONS, "GROUP": "part", "LEAST": 3, "MOST": 6, "SEED": 8, **more}
    return Case("syntheticrecords", {**given, "SHARES_FILE": File("shares.json")}, outputs)


_BLOCKS = {
    "ZONES": _soho("blocks"),
    "POPULATION": _soho("blocks"),
    "POPULATION_FIELD": "addresses",
}


#: Every run by its name, which begins with the algorithm's.
CASES: dict[str, Case] = {
    "voronoimask-soho": _mask(
        _soho("deaths"), "OUTPUT.gpkg SHIFTS.gpkg CELLS.gpkg KEY.gpkg JSON.json"
    ),
    "voronoimask-types": _mask(
        _PEOPLE, "OUTPUT.gpkg KEY.gpkg JSON.json", FIELDS=_ALL_FIELDS, ID_FIELD="id"
    ),
    "voronoimask-degrees": _mask(
        _DEGREES, "OUTPUT.geojson SHIFTS.csv", FIELDS=["id", *_ALL_FIELDS], SHUFFLE=False
    ),
    "voronoimask-soho_csv": _mask(_soho("deaths"), "OUTPUT.csv SHIFTS.geojson KEY.csv"),
    "voronoimask-csv": _mask(_PEOPLE, "OUTPUT.csv", FIELDS=["id", *_ALL_FIELDS], SHUFFLE=False),
    "voronoimask-shapefile": _mask(_PEOPLE, "OUTPUT.shp", FIELDS=_NUMBERS, SHUFFLE=False),
    "maskdisplace-soho": _kept(
        "maskdisplace",
        _soho("deaths"),
        "OUTPUT.gpkg SHIFTS.gpkg KEY.gpkg MASK.json JSON.json",
        LAW="donut",
        SIZE_BY="candidates",
        CANDIDATES=_soho("addresses"),
        K_MIN=5,
        K_MAX=40,
    ),
    **{
        f"maskdisplace-{law}": _kept("maskdisplace", _PEOPLE, "OUTPUT.csv KEY.csv", LAW=law)
        for law in ("disc", "gaussian", "bimodal", "laplace")
    },
    "maskdisplace-zones": _kept(
        "maskdisplace",
        _PEOPLE,
        "OUTPUT.geojson WITHHELD.gpkg JSON.json",
        ZONES=File("around.gpkg"),
        AVOID=File("squares.gpkg"),
        MAX=20_000.0,
    ),
    "maskdisplace-degrees": _kept(
        "maskdisplace",
        _DEGREES,
        "OUTPUT.gpkg SHIFTS.csv",
        SECRET=File("secret_degrees.json"),
        FIELDS=_ALL_FIELDS,
    ),
    **{
        f"maskexchange-{method}": _kept(
            "maskexchange",
            _soho("deaths"),
            "OUTPUT.gpkg SHIFTS.csv KEY.csv MASK.json JSON.json",
            CANDIDATES=_soho("addresses"),
            METHOD=method,
            K=10,
        )
        for method in ("exchange", "cells", "groups")
    },
    "attackmask-soho": Case(
        "attackmask",
        {
            "INPUT": Made("maskdisplace-soho", "OUTPUT"),
            "MASK": Made("maskdisplace-soho", "MASK"),
            "KEY": Made("maskdisplace-soho", "KEY"),
            "CANDIDATES": _soho("addresses"),
        },
        "OUTPUT.csv AT_RISK.csv JSON.json",
    ),
    **{
        f"attackmask-{name}": _attacked(released, **more)
        for name, released, more in (
            ("exchange", "maskexchange-exchange", {}),
            ("cells", "maskexchange-cells", {}),
            ("groups", "maskexchange-groups", {}),
            ("swap", "masklocationswap-soho", {}),
            ("grid", "maskaggregate-grid", {"POPULATION": _soho("addresses")}),
            ("streets", "maskstreets-soho", {"STREETS": _soho("streets")}),
            ("voronoi", "maskadaptivevoronoi-soho", {**_BLOCKS, "STREETS": _soho("streets")}),
        )
    },
    "attackmask-typed": Case(
        "attackmask",
        {
            "INPUT": Made("maskdisplace-soho", "OUTPUT"),
            "KEY": Made("maskdisplace-soho", "KEY"),
            "CANDIDATES": _soho("addresses"),
            "MEMBERS": _soho("deaths"),
            "LAW": "donut",
            "K_MIN": 5,
            "K_MAX": 40,
            "LIMIT_ON": "every",
        },
        "OUTPUT.csv RECORDS_OF.csv JSON.json",
    ),
    "maskmeasures-soho": Case(
        "maskmeasures",
        {
            "ORIGINAL": _soho("deaths"),
            "RELEASED": Made("maskdisplace-soho", "OUTPUT"),
            "KEY": Made("maskdisplace-soho", "KEY"),
            "MASK": Made("maskdisplace-soho", "MASK"),
            "CANDIDATES": _soho("addresses"),
            "DRAWS": 99,
            "SEED": 3,
        },
        "OUTPUT.csv CLUSTERS.gpkg JSON.json",
    ),
    "maskexchange-beside": _kept(
        "maskexchange",
        _PEOPLE,
        "OUTPUT.csv WITHHELD.csv",
        CANDIDATES=File("known.gpkg"),
        K=5,
        OUTPUT_AT="beside",
    ),
    "maskadaptivevoronoi-soho": _kept(
        "maskadaptivevoronoi",
        _soho("deaths"),
        "OUTPUT.gpkg SHIFTS.gpkg AREAS.gpkg KEY.csv MASK.json JSON.json",
        **_BLOCKS,
        K=60,
        STREETS=_soho("streets"),
    ),
    "maskadaptivevoronoi-published": _kept(
        "maskadaptivevoronoi",
        _soho("deaths"),
        "OUTPUT.csv WITHHELD.csv JSON.json",
        **_BLOCKS,
        K=200,
        CROSSINGS=_soho("pumps"),
        KEEP_INSIDE=False,
    ),
    "maskadaptivevoronoi-edges": _kept(
        "maskadaptivevoronoi", _soho("deaths"), "OUTPUT.geojson AREAS.geojson", **_BLOCKS, K=100
    ),
    "maskstreets-soho": _kept(
        "maskstreets",
        _soho("deaths"),
        "OUTPUT.gpkg SHIFTS.gpkg KEY.csv MASK.json JSON.json",
        STREETS=_soho("streets"),
    ),
    "maskstreets-few": _kept(
        "maskstreets",
        _soho("addresses"),
        "OUTPUT.gpkg WITHHELD.csv",
        STREETS=_soho("streets"),
        LOW=5,
        HIGH=12,
        MAX_LENGTH=150.0,
    ),
    **{
        f"maskaggregate-{method}": _kept(
            "maskaggregate",
            _soho("deaths"),
            "OUTPUT.gpkg KEY.csv MASK.json WITHHELD.csv AREAS.geojson JSON.json",
            METHOD=method,
            SIDE=60,
            POPULATION=_soho("addresses"),
            K=15,
            PLACE="random",
        )
        for method in ("grid", "hexagons")
    },
    "maskaggregate-zones": _kept(
        "maskaggregate",
        _soho("deaths"),
        "OUTPUT.gpkg AREAS.csv JSON.json",
        METHOD="zones",
        ZONES=_soho("blocks"),
    ),
    "maskaggregate-merged": _kept(
        "maskaggregate",
        _soho("deaths"),
        "OUTPUT.gpkg SHIFTS.csv AREAS.gpkg JSON.json",
        METHOD="merged",
        ZONES=_soho("blocks"),
        POPULATION=_soho("blocks"),
        POPULATION_FIELD="addresses",
        K=100,
    ),
    "maskaggregate-sites": _kept(
        "maskaggregate",
        _soho("deaths"),
        "OUTPUT.csv AREAS.csv WITHHELD.csv JSON.json",
        METHOD="sites",
        POPULATION=_soho("addresses"),
        SITE_ADDRESSES=120,
        K=100,
        K_RECORDS=5,
    ),
    "maskaggregate-degrees": _kept(
        "maskaggregate",
        _DEGREES,
        "OUTPUT.geojson AREAS.gpkg",
        SECRET=File("secret_degrees.json"),
        SIDE=10_000,
        FIELDS=_ALL_FIELDS,
    ),
    "masklocationswap-soho": _kept(
        "masklocationswap",
        _soho("deaths"),
        "OUTPUT.gpkg SHIFTS.gpkg KEY.csv MASK.json JSON.json",
        CANDIDATES=_soho("addresses"),
        MIN=10,
        MAX=40,
    ),
    "masklocationswap-classes": _kept(
        "masklocationswap",
        File("first.gpkg"),
        "OUTPUT.csv WITHHELD.csv JSON.json",
        CANDIDATES=File("second.gpkg"),
        CLASSES=["sex"],
        MIN=0,
        MAX=15000,
        K=5,
        IF_EMPTY="withhold",
    ),
    "reversevoronoi-soho": Case(
        "reversevoronoi",
        {
            "INPUT": Made("voronoimask-soho", "OUTPUT"),
            "CANDIDATES": _soho("addresses"),
            "CANDIDATE_ID": "address_id",
            "KEY": Made("voronoimask-soho", "KEY"),
            "SEED": 1,
        },
        "OUTPUT.gpkg LINKS.gpkg AT_RISK.csv JSON.json",
    ),
    "reversevoronoi-types": Case(
        "reversevoronoi",
        {
            "INPUT": Made("voronoimask-types", "OUTPUT"),
            "CANDIDATES": File("known.gpkg"),
            "CANDIDATE_ID": "house",
            "SEED": 1,
        },
        "OUTPUT.csv LINKS.geojson JSON.json",
    ),
    "voronoimask-withheld": _mask(
        _soho("deaths"),
        "OUTPUT.gpkg JSON.json",
        WITHHOLD=Made("reversevoronoi-soho", "AT_RISK"),
    ),
    "lipschitzrelease-csv": _lipschitz(
        _PEOPLE,
        f"{_DISTANCES} REFERENCE_SETS.gpkg",
        SETS=5,
        SIZE=4,
        FIELDS=_ALL_FIELDS,
        ID_FIELD="id",
    ),
    "lipschitzrelease-area": _lipschitz(
        _PEOPLE,
        "MATRIX.csv OUTPUT.gpkg KEY.csv REFERENCE_SETS.csv JSON.json",
        AREA=File("around.gpkg"),
        SETS=4,
        SIZE=3,
        METRIC="planar",
        UNIT="km",
        DECIMALS=3,
        FIELDS=_QIS,
    ),
    "lipschitzrelease-drawn": _lipschitz(
        _DEGREES, "MATRIX.csv OUTPUT.geojson KEPT.gpkg DRAWN.gpkg", SETS=3, SIZE=3
    ),
    "lipschitzrelease-first": _lipschitz(
        File("first.gpkg"), "MATRIX.npz OUTPUT.gpkg KEY.gpkg", SETS=200, SIZE=1, FIELDS=_QIS
    ),
    "lipschitzrelease-few": _lipschitz(
        File("few.gpkg"), "MATRIX.csv OUTPUT.gpkg", SETS=12, SIZE=2, FIELDS=_QIS
    ),
    "noisydistances-coordinates": _noisy(_PEOPLE, _DISTANCES, SIGMA=500, FIELDS=_ALL_FIELDS),
    "noisydistances-laplace": _noisy(
        _DEGREES,
        "MATRIX.csv OUTPUT.geojson KEY.csv JSON.json",
        NOISE="laplace",
        METRIC="great_circle",
        DECIMALS=0,
    ),
    "noisydistances-gaussian": _noisy(
        _PEOPLE, "MATRIX.csv OUTPUT.gpkg", NOISE="gaussian", METRIC="planar", SIGMA=50
    ),
    "noisydistances-exact": _noisy(
        File("first.gpkg"), "MATRIX.npz OUTPUT.gpkg KEY.gpkg", NOISE="exact", FIELDS=_QIS
    ),
    "isgprelease-distances": _isgp(
        _PEOPLE, f"{_SHARED} JSON.json", RADIUS=5000, FIELDS=_ALL_FIELDS, ID_FIELD="id"
    ),
    "isgprelease-sets": _isgp(
        _DEGREES, "SHARED.csv OUTPUT.geojson KEY.csv", METHOD="sets", RADIUS=2000, SPACING=500
    ),
    "isgprelease-first": _isgp(File("first.gpkg"), _SHARED, RADIUS=5000, FIELDS=_QIS),
    "distanceaccuracy-released": _accuracy(
        "lipschitzrelease-csv", INPUT=_PEOPLE, ATTRIBUTES=["age", "income"], SEED=3
    ),
    "distanceaccuracy-settings": Case(
        "distanceaccuracy",
        {"INPUT": _PEOPLE, "SETS": "3, 8", "SIZE": "2, 5", "REPEATS": 2, "SEED": 3},
        "OUTPUT.csv JSON.json",
    ),
    "chooseembedding-grid": Case(
        "chooseembedding",
        {
            "INPUT": _PEOPLE,
            "QIS": _QIS,
            "SETS": "3, 12",
            "SIZE": "6",
            "REPEATS": 2,
            "REPLICATES": 30,
            "NEAREST": 0.5,
            "OVERLAP": "20, 50",
            "PRE_NOISE": "0, 500",
            "DRAWS": 2,
            "LIKELIHOOD": 1,
            "SEED": 6,
        },
        "OUTPUT.csv JSON.json",
    ),
    "choosemask-soho": Case(
        "choosemask",
        {
            "INPUT": _soho("deaths"),
            "CANDIDATES": _soho("addresses"),
            "ACCEPTABLE": 0.2,
            "LIMIT_ON": "mean",
            "FAMILIES": ["gaussian", "disc by addresses", "cells", "groups", "hexagons"],
            "UTILITY": ["shift", "kde", "scan"],
            "SEED": 3,
        },
        "OUTPUT.csv JSON.json",
    ),
    "linkageattack-exact": _attack(
        "noisydistances-exact",
        RULE="absolute",
        EPSILON=5,
        TRUTH=Made("noisydistances-exact", "KEY"),
    ),
    "linkageattack-lipschitz": _attack("lipschitzrelease-first", SETS=200, SIZE=1, ALPHA=0.5),
    "linkageattack-likelihood": _attack(
        "lipschitzrelease-few",
        METHOD="likelihood",
        IDENTIFICATION=File("few_known.gpkg"),
        SETS=12,
        SIZE=2,
        REPLICATES=30,
    ),
    "linkageexperiment-lipschitz": _experiment(
        SETS="20", SIZE="2, 5", ALPHA="0.5", ATTACK="clique"
    ),
    "linkageexperiment-both": _experiment(
        N_TARGET=10, N_IDENTIFICATION=10, OVERLAP=4, SETS="12", SIZE="2", ALPHA="0.9", REPEATS=1
    ),
    "linkageexperiment-noise": _experiment(
        METHOD="coordinate_noise", SIGMA="50, 5000", ALPHA="0.9", ATTACK="clique"
    ),
    "spectralanonymize-places": _anonymised(USE_GEOMETRY=True, ID_FIELD="id", K=3),
    "spectralanonymize-rhs": _anonymised("OUTPUT.gpkg JSON.json", METHOD="spectral_rhs"),
    "spectralanonymize-cells": _anonymised("OUTPUT.geojson", METHOD="cell_swapping", K=2),
    "spectralanonymize-table": _anonymised(
        INPUT=_TABLE, METHOD="rhs", MISSING="complete", KINDS="age=ordinal"
    ),
    "spectralanonymize-shuffled": _anonymised("OUTPUT.csv", METHOD="data_shuffling"),
    "spectralanonymize-mdav": _anonymised("OUTPUT.csv KEY.csv", METHOD="microaggregation"),
    "spectralanonymize-copula": _anonymised("OUTPUT.csv", METHOD="gaussian_copula"),
    "spectralanonymize-noise": _anonymised(
        "OUTPUT.csv KEY.csv", METHOD="additive_noise", CATEGORIES_AS="draw", MISSING="complete"
    ),
    "spectralanonymize-calibrated": _anonymised(DECODING="calibrated", RANGES="age=20..70"),
    "spectralanonymize-drawn": _anonymised(
        "OUTPUT.csv", DECODING="calibrated", METHOD="spectral_rhs", CATEGORIES_AS="draw"
    ),
    "disclosurerisk-spectral": _judged("disclosurerisk", "spectralanonymize-rhs"),
    "disclosurerisk-key": _judged(
        "disclosurerisk",
        "spectralanonymize-places",
        KEY=Made("spectralanonymize-places", "KEY"),
        ORIGINAL_ID="id",
        K=3,
    ),
    "microdatautility-spectral": _judged("microdatautility", "spectralanonymize-rhs", SEED=7),
    "microdatautility-cells": _judged(
        "microdatautility", "spectralanonymize-cells", SEED=7, MISSING="complete"
    ),
    "areacounts-total": _counted(CASES=["men"], HIERARCHY=["part"]),
    "areacounts-table": _counted(CASES=["women", "men"], HIERARCHY=["part"], ZEROS="leave_out"),
    "equivalenceclasses-dates": Case(
        "equivalenceclasses",
        {"INPUT": File("records.gpkg"), "QIS": ["age", "sex", "born"], "K": 5},
        "OUTPUT.csv CLASSES.csv JSON.json",
    ),
    "equivalenceclasses-types": Case(
        "equivalenceclasses",
        {"INPUT": _PEOPLE, "QIS": ["sex", "smoker", "job", "seen"], "K": 2},
        "OUTPUT.gpkg CLASSES.gpkg JSON.json",
    ),
    "equivalenceclasses-csv": Case(
        "equivalenceclasses",
        {"INPUT": File("records.csv"), "QIS": ["region", "income"]},
        "OUTPUT.gpkg JSON.json",
    ),
    "vbas-balanced": _aggregated(FIELDS=["born", "income"]),
    "vbas-polygons": _aggregated(
        REGIONS=File("squares.gpkg"), RECORDS=File("records.csv"), LOCATION="adc"
    ),
    "vbas-grouped": _aggregated(
        QIS=["age", "sex", "income"],
        GROUPS='{"income": [0, 2500, 7000, 10000]}',
        LOCATION="least_suppression",
        MOVES=6,
        NULLS="category",
    ),
    "vbas-kept": _aggregated(
        f"{_AREAS} LEVELS_OUT.gpkg",
        REGIONS=File("squares.gpkg"),
        LOCATION="least_suppression",
        MOVES=200,
        TOLERANCE=20,
        MIN_RECORDS=20,
        HIERARCHY=["part"],
        CONTIGUOUS="yes",
        BOUNDARY_MOVES=True,
    ),
    "vbas-narrow": _aggregated(MAX_DIAMETER=2_500, NEVER_CROSS=["part"], CONTIGUOUS="bridged"),
    "vbas-models": _aggregated(
        "OUTPUT.gpkg LOOKUP.gpkg RECORDS_OUT.gpkg JSON.json",
        SITES_BY="gaps_entropy",
        GAPS_REGION="custom",
        A=20,
        B=0.4,
        LOCATION="random",
        AREA=File("around.gpkg"),
    ),
    "vbas-best": _aggregated(
        REGIONS=File("squares.gpkg"), LOCATION="best", OBJECTIVE="weighted", MOVES=400, STARTS=5
    ),
    "vbas-k_aware": _aggregated("OUTPUT.gpkg LOOKUP.gpkg JSON.json", LOCATION="k_aware"),
    "vbas-earlier": _aggregated(
        "OUTPUT.gpkg LOOKUP.gpkg JSON.json",
        LOCATION="kmeans",
        EARLIER=Made("vbas-balanced", "LOOKUP"),
        EARLIER_K=2,
    ),
    "vbas-joined": _aggregated(
        "OUTPUT.gpkg LOOKUP.gpkg CROSSWALK.csv JSON.json",
        REGIONS=File("counted.gpkg"),
        POPULATION_FIELD="people",
        MAX_AREA=9,
        EARLIER=Made("vbas-kept", "LOOKUP"),
        EARLIER_JOIN=True,
    ),
    "vbas-coarsened": _aggregated(
        "OUTPUT.gpkg LOOKUP.gpkg RECORDS_OUT.gpkg JSON.json",
        SITES=2,
        EARLIER=Made("vbas-balanced", "LOOKUP"),
        EARLIER_NESTED="coarsen",
    ),
    "vbas-refined": _aggregated(
        "OUTPUT.gpkg LOOKUP.gpkg RECORDS_OUT.gpkg JSON.json",
        SITES=9,
        EARLIER=Made("vbas-balanced", "LOOKUP"),
        EARLIER_NESTED="refine",
    ),
    "vbascompare-all": _compared(
        KS="3, 6",
        SITES_BY=["gaps_maxcombs", "fixed"],
        GAPS_REGION="custom",
        A=20,
        B=0.4,
        MOVES=6,
    ),
    "syntheticrecords-table": _synthetic("OUTPUT.csv"),
    "syntheticrecords-parquet": _synthetic("OUTPUT.gpkg PARQUET.parquet", QIS="age"),
    "verifyrelease-masked": Case(
        "verifyrelease",
        {"FIGURES": Made("voronoimask-soho", "JSON"), "FOLDER": Made("voronoimask-soho", "")},
        "OUTPUT.csv JSON.json",
    ),
    "checkenvironment-here": Case("checkenvironment", {}, "JSON.json"),
}

#: What other versions of the libraries give otherwise: the signs of singular vectors, or the way of
#: an optimiser, hang on the last digit of a product.
UNSTEADY = {
    "linkageattack-likelihood",
    "spectralanonymize-rhs",
    "disclosurerisk-spectral",
    "microdatautility-spectral",
    "microdatautility-cells",
}
