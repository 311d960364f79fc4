# SPDX-License-Identifier: GPL-2.0-or-later
"""What is told of the choice of a mask beside its report: commands, what to do next."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...core.experiments.masks.advice import Advice
from ...core.experiments.masks.advice_words import instead
from ...core.experiments.masks.areas import MERGED
from ...core.experiments.masks.embedded import Embedded
from ...core.experiments.masks.family import AREAS, DISTANCES
from ...core.experiments.masks.search import Found
from ...core.experiments.masks.usefulness import MOVED
from ..i18n import tr

#: Where the finished command writes; what undoes the release is called private.
_FILES = (
    ("OUTPUT", "masked.gpkg"),
    ("KEY", "private_key.gpkg"),
    ("MASK", "private_mask.json"),
    ("SECRET_FILE", "private_secret.json"),
)


#: What a release of distances is made of, and where it goes.
_DISTANCE_FILES = (
    ("INPUT", "masked.gpkg"),
    ("POINT_MASK", "private_mask.json"),
    ("MATRIX", "distances.csv"),
    ("OUTPUT", "records.gpkg"),
    ("KEY", "private_distance_key.gpkg"),
    ("MASK", "private_distance_mask.json"),
)


def template(one: Found, given: Mapping[str, str]) -> dict[str, Any]:
    """Return the algorithm and its parameters, as ``qgis_process run … -`` reads them.

    A release of distances has a ``before``: the same of the point mask that has to be run first, whose
    points are its input and stay private.
    """
    family = one.family
    if not isinstance(family, Embedded):
        return _of_mask(family.algorithm, one.parameters, given)
    assert one.standing is not None  # it was tried
    told = family.mask_parameters(one.standing.size)
    return {
        "algorithm": f"geoanon:{family.algorithm}",
        "inputs": {
            **dict(_DISTANCE_FILES),
            "POINT_SHIFT": float(f"{one.values[MOVED]:.3g}"),
            **one.parameters,
        },
        "before": [_of_mask(family.before.algorithm, told, given)],
    }


def _of_mask(algorithm: str, told: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, Any]:
    """The same of a point mask."""
    made: dict[str, Any] = {"INPUT": given["INPUT"]}
    layers = _layers(algorithm, told, given)
    made |= layers
    if not layers and told.get("SIZE_BY") != "distance":
        made["CANDIDATES"] = given["CANDIDATES"]
        if algorithm == "maskexchange":
            made |= {name: given[name] for name in ("WEIGHT", "WITHIN") if given.get(name)}
    made |= {**told, **dict(_FILES)}
    return {"algorithm": f"geoanon:{algorithm}", "inputs": made}


def _layers(algorithm: str, told: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, str]:
    """Public layers that a mask takes in place of an address list, for it and for its attack."""
    if algorithm == "maskstreets":
        return {"STREETS": given["STREETS"]}
    if algorithm != "maskaggregate":
        return {}
    made = {"POPULATION": given["CANDIDATES"]}
    if given.get("WEIGHT"):
        made["POPULATION_FIELD"] = given["WEIGHT"]
    if told.get("METHOD") == MERGED:
        made["ZONES"] = given["ZONES"]
    return made


def command(made: Mapping[str, Any]) -> str:
    """Return a line that releases so, for a shell."""
    words = (f"{name}={_plain(value)}" for name, value in made["inputs"].items())
    line = f"qgis_process run {made['algorithm']} -- " + " ".join(map(shlex.quote, words))
    return " && ".join([*map(command, made.get("before", ())), line])


def _plain(value: Any) -> str:
    return f"{value:.12g}" if isinstance(value, (float, np.floating)) else str(value)


def steps(advice: Advice, line: str, fresh: bool, given: Mapping[str, str]) -> list[str]:
    """What to do next."""
    if advice.best is None:
        step = tr(instead(advice))
        return [step[:1].upper() + step[1:]]  # what is lacking is also told within a sentence
    said = [tr("The verdict is on the recommended mask. This makes such a release: {command}")]
    said[0] = said[0].format(command=line)
    if not fresh and advice.best.family.kind != AREAS:
        said.append(
            tr(
                "Keep private_secret.json, and give it as SECRET to the next release of the same "
                "people: without it they are drawn anew, and two releases tell more than each."
            )
        )
    said.append(
        tr(
            "Attack that very release before it is given away: {command}. It is another draw than "
            "those that were judged here."
        ).format(command=command(_attack(advice, given)))
    )
    if advice.best.family.kind == DISTANCES:
        said.append(
            tr(
                "Attack the distances, too, by “Graph-theoretic linkage attack” (geoanon:linkageattack), "
                "with the people that an adversary may know and how far the mask moved points for "
                "PRE_NOISE. masked.gpkg is not to be given away: it tells more than the distances."
            )
        )
    return said


def _attack(advice: Advice, given: Mapping[str, str]) -> dict[str, Any]:
    """The attack on the release that the finished command makes, by the same limit."""
    assert advice.best is not None
    files = dict(_FILES)
    inputs = {"INPUT": files["OUTPUT"]}
    inputs |= {name: files[name] for name in ("MASK", "KEY")}
    family = advice.best.family
    mask = family.before if isinstance(family, Embedded) else family
    if mask.algorithm == "maskexchange":
        inputs["SECRET_FILE"] = files["SECRET_FILE"]
    inputs |= _layers(mask.algorithm, advice.best.parameters, given)
    inputs |= {name: given[name] for name in ("CANDIDATES", "WEIGHT", "WITHIN") if given.get(name)}
    inputs |= {"ACCEPTABLE": f"{advice.limit.share:.6g}", "OUTPUT": "private_guesses.gpkg"}
    return {"algorithm": "geoanon:attackmask", "inputs": inputs}


def not_run(fresh: bool, known: bool, untold: Sequence[str]) -> list[str]:
    """Attacks that the verdict says nothing about; what nobody told of the list comes first."""
    said = [tr(one) for one in untold]
    if not known:
        said.append(
            tr(
                "Attributes that an adversary knows (KNOWN): each makes records fewer that are alike."
            )
        )
    if not fresh:
        said.append(tr("Releases with draws of their own (FRESH): together they tell more."))
    said.append(
        tr(
            "Which places of the file are known already, and masks of which points stay in zones: they "
            "were not tried."
        )
    )
    return said
