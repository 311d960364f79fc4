# SPDX-License-Identifier: GPL-2.0-or-later
"""One case: an algorithm, its parameters and its inputs, all of it from a seed and a number."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from qgis.core import QgsProcessingFeatureSourceDefinition, QgsProcessingParameterDefinition

from . import parameters, places, scenes, tables
from .layers import INPUT_ENDINGS, Given, give
from .tables import chance, pick

_INPUT_WEIGHTS = [0.4, 0.25, 0.06, 0.08, 0.08, 0.05, 0.03, 0.05]
_OPTIONAL = QgsProcessingParameterDefinition.Flag.FlagOptional
#: Share of cases in which a report is made: its charts take more time than everything else, and
#: its figures less.
_PAGE, _FIGURES = 0.05, 0.12

#: What a mask is run again by, which moves people where it moved them before.
_KEPT = ("OUTPUT", "KEY", "SECRET_FILE", "MASK")


@dataclass
class Case:
    """What is run.

    Attributes
    ----------
    algorithm : str
    seed, number : int
    folder : Path
        Holds inputs and outputs.
    parameters : dict of str to object
    given : dict of str to Given
        The sources.
    odd : list of str
        What was done to make it fail.
    cancel_at : float or None
        Percent at which the user cancels.
    twice : bool
        Whether it is run a second time, to see that the seed repeats it.
    """

    algorithm: str
    seed: int
    number: int
    folder: Path
    parameters: dict[str, Any] = field(default_factory=dict)
    given: dict[str, Given] = field(default_factory=dict)
    odd: list[str] = field(default_factory=list)
    cancel_at: float | None = None
    twice: bool = False

    @property
    def selected(self) -> bool:
        """Whether only a part of an input is used."""
        return "selection" in self.odd

    def told(self) -> str:
        """A dump for people."""
        lines = [f"odd: {', '.join(self.odd) or 'nothing'}"]
        for name, value in self.parameters.items():
            lines.append(f"{name} = {self._shown(value)}")
            if name in self.given:
                table = self.given[name].table
                lines.append(
                    f"    {len(table)} rows, {table.kind}, {table.crs or 'no system'}, "
                    f"{', '.join(table.traits)}; fields "
                    + ", ".join(f"{one[:20]!r} {kind}" for one, kind in table.fields)
                )
                lines += [
                    f"    {table.shapes[row]} {table.rows[row]}"[:240]
                    for row in range(min(3, len(table)))
                ]
        return "\n".join(lines)

    def _shown(self, value: Any) -> str:
        if hasattr(value, "expressionString"):
            return f"expression {value.expressionString()}"
        if isinstance(value, QgsProcessingFeatureSourceDefinition):
            return "selected features of " + value.source.staticValue()
        return repr(value)[:300].replace(str(self.folder), "…")


def generator(algorithm: str, seed: int, number: int) -> np.random.Generator:
    """The same numbers for the same case, whatever was run before."""
    return np.random.default_rng([seed, zlib.crc32(algorithm.encode()), number])


def draw(algorithm, seed: int, number: int, folder: Path) -> Case:
    """Draw a case of an algorithm and write its inputs into ``folder``."""
    rng = generator(algorithm.name(), seed, number)
    case = Case(algorithm.name(), seed, number, folder)
    definitions = [one for one in algorithm.parameterDefinitions() if not one.isDestination()]
    scene = scenes.draw(rng, {one.name() for one in definitions}, odd := chance(rng, 0.4))
    tame = chance(rng, 0.6)
    if odd:
        case.odd.append("data")
    if not tame:
        case.odd.append("parameters")
    _give_sources(rng, case, scene, definitions)
    for one in definitions:
        name = one.name()
        if one.type() == "source":
            case.parameters[name] = case.given[name].value if name in case.given else None
        elif name in scene.files:
            case.parameters[name] = str(scene.files[name](folder))
        elif name in scene.fields:
            parent = case.given[one.parentLayerParameterName()]
            case.parameters[name] = parameters.named_fields(rng, one, scene.fields[name], parent)
        elif name in scene.values:
            case.parameters[name] = scene.values[name]
        elif one.type() == "file":
            case.parameters[name] = None
        else:
            case.parameters[name] = parameters.value(rng, one, case.given)
    _choose_metric(rng, case)
    _choose_places(case)
    _give_destinations(rng, case, algorithm, tame, scene.unasked)
    if not tame:
        _make_odd(rng, case, definitions)
    return case


def plain(algorithm, folder: Path) -> Case:
    """A case of a mask with nothing odd about it, to plant faults in."""
    rng = generator(algorithm.name(), 0, 0)
    table = tables.people(rng, 12, ("EPSG:32632", (5e5, 5e6), 1e4), "input")
    table.shapes = [tuple(map(float, 1e4 * rng.random(2) + (5e5, 5e6))) for _ in table.shapes]
    table.traits = ["uniform"]
    case = Case(algorithm.name(), 0, 0, folder, given={"INPUT": give(table, folder, ".gpkg")})
    case.parameters = {
        "INPUT": case.given["INPUT"].value,
        "OUTPUT": str(folder / "out.gpkg"),
        "KEY": str(folder / "key.csv"),
    }
    if algorithm.parameterDefinition("SECRET") is not None:
        case.parameters |= {
            "SECRET": None,
            "WITHHELD": str(folder / "withheld.gpkg"),
            "MASK": str(folder / "mask.json"),
            "SECRET_FILE": str(folder / "kept.json"),
        }
    return case


def _give_sources(rng, case: Case, scene, definitions) -> None:
    for one in definitions:
        name = one.name()
        if one.type() != "source" or name in scene.values:
            continue
        optional = bool(one.flags() & _OPTIONAL)
        table = scene.tables.get(name)
        if table is None and name == "AREA" and chance(rng, 0.3) and case.given:
            table = scenes.area_round(rng, next(iter(case.given.values())).table)
        if table is None:
            if optional:
                continue
            table = scenes.any_table(rng, name, parameters.source_kind(one))
        ending = pick(rng, INPUT_ENDINGS, _INPUT_WEIGHTS)
        for column, other in table.refers.items():
            ids = _feature_ids(case.given[other] if other != name else None, table, ending)
            table.put(column, [ids[row] if row < len(ids) else row for row in table.column(column)])
        case.given[name] = give(table, case.folder, ending)


def _feature_ids(given: Given | None, table, ending: str) -> list[int]:
    """Ids of the features as the format numbers them, of a layer or of one yet to be written."""
    if given is not None:
        return sorted(one.id() for one in given.layer.getFeatures())
    first = 0 if ending in (".shp", ".geojson", ".fgb") else 1
    return list(range(first, first + len(table)))


def _choose_metric(rng, case: Case) -> None:
    """Distances on the globe need a system, planar ones need metres."""
    if "METRIC" not in case.parameters:
        return
    given = case.given.get("INPUT") or case.given.get("IDENTIFICATION")
    crs = given.layer.crs()
    options = (
        ["geodesic", "great_circle"]
        if crs.isGeographic()
        else ["planar"]
        if not crs.isValid()
        else ["geodesic", "great_circle", "planar"]
    )
    case.parameters["METRIC"] = pick(rng, options)
    if not crs.isValid() and "UNIT" in case.parameters:
        case.parameters["UNIT"] = "m"


def _choose_places(case: Case) -> None:
    """Places take part where all tables have some, and have to where there is an area."""
    if "USE_GEOMETRY" not in case.parameters:
        return
    tables_given = [one.table for one in case.given.values() if one.table.name != "key"]
    if any(table.kind == "NoGeometry" for table in tables_given):
        case.parameters["USE_GEOMETRY"] = False
        case.parameters.update({"AREA": None} if "AREA" in case.parameters else {})
        case.given.pop("AREA", None)
    elif "AREA" in case.given:
        case.parameters["USE_GEOMETRY"] = True


def _give_destinations(rng, case: Case, algorithm, tame: bool, unasked: set[str]) -> None:
    keeps = algorithm.parameterDefinition("SECRET") is not None
    for one in algorithm.destinationParameterDefinitions():
        ends = "" if one.type() == "sink" else one.fileFilter()
        wanted = _PAGE if "html" in ends else _FIGURES if "json" in ends else 0.5
        if keeps and one.name() in _KEPT:
            wanted = 0.7
        optional = bool(one.flags() & _OPTIONAL)
        if optional and (not chance(rng, wanted) or one.name() in unasked and tame):
            continue
        case.parameters[one.name()] = places.destination(rng, one, case.folder, tame)
    all_of_them = algorithm.destinationParameterDefinitions()
    if not any(one.name() in case.parameters for one in all_of_them):
        case.parameters[all_of_them[0].name()] = "TEMPORARY_OUTPUT"


def _make_odd(rng, case: Case, definitions) -> None:
    what = pick(
        rng, ["spoil", "cancel", "selection", "twice", "nothing"], [0.35, 0.15, 0.1, 0.2, 0.2]
    )
    if what == "spoil" and definitions:
        # what is no layer or no field is soon seen: other values more often
        weights = [0.3 if one.type() in ("source", "field") else 1.0 for one in definitions]
        one = pick(rng, definitions, weights)
        case.parameters[one.name()] = parameters.spoil(rng, one)
        case.odd.append(f"spoiled {one.name()}")
    elif what == "cancel":
        case.cancel_at = float(rng.uniform(0, 100))
        case.odd.append(f"cancelled at {case.cancel_at:.0f} %")
    elif what == "selection" and case.given:
        name = pick(rng, list(case.given))
        given = case.given[name]
        if given.path is None:
            given.layer.selectByIds(
                [one.id() for one in given.layer.getFeatures() if chance(rng, 0.7)]
            )
            case.parameters[name] = QgsProcessingFeatureSourceDefinition(given.value, True)
            case.odd.append("selection")
    elif what == "twice" and "SEED" in case.parameters:
        case.parameters["SEED"] = int(rng.integers(1000))
        case.twice = True
        case.odd.append("twice")
