# SPDX-License-Identifier: GPL-2.0-or-later
"""What is told of the choice of a mask beside its report: evidence, commands, what to do next."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...core.experiments.masks.advice import Advice
from ...core.experiments.masks.advice_words import instead
from ...core.experiments.masks.case import PLACE, RECORD
from ...core.experiments.masks.search import Found
from ...core.experiments.masks.standing import Limit
from ...core.verdict import Evidence, Verdict, judge, not_tested
from ..i18n import tr

#: What each adversary's attack is called, and what he has and wants, by who was asked for.
_ATTACKS = {PLACE: "posterior_place", RECORD: "posterior_record"}
_WHO = {
    (PLACE, RECORD): ("address_list_or_member", "place_or_record"),
    (PLACE,): ("address_list", "whose_place"),
    (RECORD,): ("member", "which_record"),
}
#: Where the finished command writes; what undoes the release is called private.
_FILES = (
    ("OUTPUT", "masked.gpkg"),
    ("KEY", "private_key.gpkg"),
    ("MASK", "private_mask.json"),
    ("SECRET_FILE", "private_secret.json"),
)


def verdict(advice: Advice, adversaries: Sequence[str], caveats: Sequence[str] = ()) -> Verdict:
    """Judge the recommended mask, or the one that comes nearest.

    Parameters
    ----------
    advice : Advice
    adversaries : sequence of str
    caveats : sequence of str
        Why the trials are a lower bound of what is found.
    """
    near = advice.nearest
    knows, wants = _WHO[tuple(adversaries)]
    if near is None:
        return not_tested(knows, wants, advice.limit.share)
    found = evidence(near, advice.limit)
    for name in caveats:
        found = [one.with_caveat(name) for one in found]
    return judge(found, knows, wants, advice.limit.share)


def evidence(one: Found, limit: Limit) -> list[Evidence]:
    """What each adversary finds behind a mask, with its interval."""
    assert one.standing is not None  # only masks that were tried are judged
    found = []
    for name, each in one.standing.against.items():
        low, high = each.ends
        found.append(
            Evidence(
                _ATTACKS[name],
                each.people,
                each.mean * each.people,
                low,
                high,
                False,
                exposed=each.exposed,
                failed=not each.holds(limit),
            )
        )
    return found


def template(one: Found, given: Mapping[str, str]) -> dict[str, Any]:
    """Return the algorithm and its parameters, as ``qgis_process run … -`` reads them."""
    algorithm = one.family.algorithm
    made: dict[str, Any] = {"INPUT": given["INPUT"]}
    told = one.parameters
    if algorithm == "maskaggregate":
        made["POPULATION"] = given["CANDIDATES"]
        if given.get("WEIGHT"):
            made["POPULATION_FIELD"] = given["WEIGHT"]
    elif told.get("SIZE_BY") != "distance":
        made["CANDIDATES"] = given["CANDIDATES"]
        if algorithm == "maskexchange":
            made |= {name: given[name] for name in ("WEIGHT", "WITHIN") if given.get(name)}
    made |= {**told, **dict(_FILES)}
    return {"algorithm": f"geoanon:{algorithm}", "inputs": made}


def command(made: Mapping[str, Any]) -> str:
    """Return a line that masks so, for a shell."""
    words = (f"{name}={_plain(value)}" for name, value in made["inputs"].items())
    return f"qgis_process run {made['algorithm']} -- " + " ".join(map(shlex.quote, words))


def _plain(value: Any) -> str:
    return f"{value:.12g}" if isinstance(value, (float, np.floating)) else str(value)


def steps(advice: Advice, line: str, fresh: bool, given: Mapping[str, str]) -> list[str]:
    """What to do next."""
    if advice.best is None:
        return [tr(instead(advice))]
    said = [tr("The verdict is on the recommended mask. This makes such a release: {command}")]
    said[0] = said[0].format(command=line)
    if not fresh:
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
    return said


def _attack(advice: Advice, given: Mapping[str, str]) -> dict[str, Any]:
    """The attack on the release that the finished command makes, by the same limit."""
    assert advice.best is not None
    files = dict(_FILES)
    inputs = {"INPUT": files["OUTPUT"]}
    inputs |= {name: files[name] for name in ("MASK", "KEY")}
    if advice.best.family.algorithm == "maskexchange":
        inputs["SECRET_FILE"] = files["SECRET_FILE"]
    inputs |= {name: given[name] for name in ("CANDIDATES", "WEIGHT", "WITHIN") if given.get(name)}
    inputs |= {"ACCEPTABLE": f"{advice.limit.share:.6g}", "OUTPUT": "private_guesses.gpkg"}
    return {"algorithm": "geoanon:attackmask", "inputs": inputs}


def not_run(fresh: bool, known: bool) -> list[str]:
    """Attacks that the verdict says nothing about."""
    said = []
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
            "Which places of the file are known already, zones, and masks along streets: they were "
            "not tried."
        )
    )
    return said
