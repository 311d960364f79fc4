# SPDX-License-Identifier: GPL-2.0-or-later
"""The attacks on released distances by name, and all of them one after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, shares, silent
from ..runtime.wording import mark
from ..verdict import Evidence
from .linkage.compatibility import AbsoluteTolerance
from .linkage.evidence import by_all_methods, by_labels, evidence, most_in_common
from .linkage.inputs import Files
from .linkage.intervals import Rule
from .linkage.known_links import unlinked
from .linkage.linkage import CLIQUE_SECONDS, attack
from .linkage.near_group import NearLimits, near_group
from .linkage.result import LinkageResult, certainty
from .linkage.shared_labels import IntersectingSets
from .linkage.signature_result import SignatureLimits
from .linkage.signatures import signature_attack
from .linkage.truth import not_given
from .maps.likelihood import THRESHOLD, likelihood_attack
from .maps.local_maps import local_maps

CLIQUE, LIKELIHOOD, NEAR_GROUP, SIGNATURES = "clique", "likelihood", "near_group", "signatures"
LOCAL_MAPS = "local_maps"
#: Those that distances between neighbours are enough for.
FOR_NEIGHBOURS = (NEAR_GROUP, LOCAL_MAPS)
#: All attacks, one after the other.
STRONGEST = "strongest"
#: Seconds for all together where nobody says otherwise.
ALL_SECONDS = 240.0
#: Seconds that a search takes where nobody says otherwise; None for no limit.
SECONDS = {
    CLIQUE: CLIQUE_SECONDS,
    LIKELIHOOD: None,
    NEAR_GROUP: 60.0,
    SIGNATURES: 120.0,
    LOCAL_MAPS: 60.0,
    STRONGEST: ALL_SECONDS,
}
#: Records of a file beyond which signatures, which need all distances again and again, take hours.
MOST_FOR_SIGNATURES = 1500

_BY_TOLERANCE = mark("A tolerance does not say how likely a distance is.")
_NEIGHBOURS_ONLY = mark("The release has distances between neighbours only.")
_OF_NEIGHBOURS = mark("It is for releases with distances between neighbours only.")
_TOO_MANY = mark("There are too many records: it would take hours.")


@dataclass(frozen=True)
class Search:
    """How long an attack goes on, and what it claims.

    Attributes
    ----------
    seconds : float or None
        None for no limit.
    max_steps : int, optional
        Of the search for a clique.
    threshold : float
        Least confidence of a match that is claimed.
    """

    seconds: float | None = None
    max_steps: int | None = None
    threshold: float = THRESHOLD


@dataclass(frozen=True, repr=False)
class Together(LinkageResult):
    """What all attacks found, put together: of each record and person the surest match.

    Attributes
    ----------
    parts : mapping of str to LinkageResult
        What each of them found, by name, in the order in which they were run.
    left_out : mapping of str to str
        Which were not run, and why.
    """

    name: str = "all_linkage"
    parts: Mapping[str, LinkageResult] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)


def _clique(files: Files, search: Search, rng, progress: Progress) -> LinkageResult:
    return attack(
        files,
        max_steps=search.max_steps,
        time_limit=search.seconds,
        rng=rng,
        progress=progress,
    )


def _likelihood(files: Files, search: Search, rng, progress: Progress) -> LinkageResult:
    return likelihood_attack(
        files,
        threshold=search.threshold,
        time_limit=search.seconds,
        rng=rng,
        progress=progress,
    )


def _near_group(files: Files, search: Search, rng, progress: Progress) -> LinkageResult:
    return near_group(
        files.of_neighbours(rng),
        threshold=search.threshold,
        limits=NearLimits(seconds=search.seconds),
        rng=rng,
        progress=progress,
    ).as_linkage()


def _signatures(files: Files, search: Search, rng, progress: Progress) -> LinkageResult:
    return signature_attack(
        files,
        threshold=search.threshold,
        limits=SignatureLimits(seconds=search.seconds),
        rng=rng,
        progress=progress,
    )


def _local_maps(files: Files, search: Search, rng, progress: Progress) -> LinkageResult:
    return local_maps(
        files,
        threshold=search.threshold,
        seconds=search.seconds,
        rng=rng,
        progress=progress,
    )


_ATTACKS: dict[str, Callable[..., LinkageResult]] = {
    NEAR_GROUP: _near_group,
    LIKELIHOOD: _likelihood,
    SIGNATURES: _signatures,
    LOCAL_MAPS: _local_maps,
    CLIQUE: _clique,
}
#: All names, the quickest first.
NAMES = tuple(_ATTACKS)


def why_not(name: str, rule: Rule, records: int = 0) -> str:
    """Say why an attack cannot be run where distances were made by a rule; empty if it can.

    Parameters
    ----------
    name : str
    rule : Rule
    records : int
        Of the larger file.
    """
    if isinstance(rule, IntersectingSets) != (name == LOCAL_MAPS) and name != NEAR_GROUP:
        return _OF_NEIGHBOURS if name == LOCAL_MAPS else _NEIGHBOURS_ONLY
    if name in (LIKELIHOOD, SIGNATURES) and isinstance(rule, AbsoluteTolerance):
        return _BY_TOLERANCE
    return _TOO_MANY if name == SIGNATURES and records > MOST_FOR_SIGNATURES else ""


def attack_by(
    name: str,
    files: Files,
    search: Search,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> LinkageResult:
    """Attack by the method of a name.

    Parameters
    ----------
    name : str
        One of :data:`NAMES`, or :data:`STRONGEST` for all that can be run; see :class:`Together`.
    files : Files
    search : Search
        Seconds are those of all attacks together; None leaves none of them a limit.
    rng : numpy.random.Generator
    progress : Progress

    Returns
    -------
    LinkageResult

    Raises
    ------
    InputError
        If the files do not fit together.
    """
    found = _attacked(name, files, search, rng, progress)
    return replace(found, labels=(files.target_labels, files.known_labels))


def _attacked(name: str, files: Files, search: Search, rng, progress: Progress) -> LinkageResult:
    if name != STRONGEST:
        return _ATTACKS[name](files, search, rng, progress).holding(files.links)
    records = max(len(files.target_labels), len(files.known_labels))
    why = {one: why_not(one, files.rule, records) for one in NAMES}
    names = [one for one in NAMES if not why[one]]
    left_out = {one: said for one, said in why.items() if said and said != _OF_NEIGHBOURS}
    started, parts = time.monotonic(), {}
    for done, (one, step) in enumerate(zip(names, shares(progress, len(names)))):
        seconds = None
        if search.seconds is not None:  # what is left, dealt out among those that are left
            left = search.seconds - (time.monotonic() - started)
            seconds = max(left / (len(names) - done), 0.5)
            most = SECONDS[one]
            if most is not None:  # more for all is more for each
                seconds = min(seconds, most * max(search.seconds / ALL_SECONDS, 1.0))
        own = Search(seconds, search.max_steps, search.threshold)
        parts[one] = _ATTACKS[one](files, own, rng, step).holding(files.links)
        if parts[one].stopped == "cancelled":
            break
    return together(parts, left_out, search.threshold)


def together(
    parts: Mapping[str, LinkageResult], left_out: Mapping[str, str], threshold: float
) -> Together:
    """Put together what attacks on the same files found.

    Each match is as sure as the surest of those who name it. Of a clique, which knows no
    probabilities, see :func:`.linkage.result.certainty`.
    """
    best: dict[tuple[int, int], float] = {}
    for part in parts.values():
        claimed = certainty(part)
        pairs, chance = [part.matches], [claimed]
        if part.guesses is not None and part.chance is not None:
            pairs.append(part.guesses)
            chance.append(part.chance)
        for pair, sure in zip(np.concatenate(pairs).tolist(), np.concatenate(chance).tolist()):
            best[pair[0], pair[1]] = max(sure, best.get((pair[0], pair[1]), 0.0))
    guesses, sure = _one_each(best)
    kept = sure >= max(threshold, np.finfo(float).tiny)
    order = np.argsort(guesses[kept, 0], kind="stable")
    results = list(parts.values())
    return Together(
        guesses[kept][order],
        None,
        sure[kept][order],
        max((one.vertices for one in results), default=0),
        0,
        None,
        None,
        "" if kept.any() else next((one.note for one in results if one.note), ""),
        cut_off=not all(one.proven for one in results),
        guesses=guesses,
        chance=sure,
        unable=all(one.unable for one in results),
        links=next((one.links for one in results if one.links is not None), None),
        parts=dict(parts),
        left_out=dict(left_out),
    )


def _one_each(best: Mapping[tuple[int, int], float]) -> tuple[np.ndarray, np.ndarray]:
    """Take the surest pairs, no record and no person twice."""
    taken: tuple[set[int], set[int]] = set(), set()
    pairs, sure = [], []
    for pair in sorted(best, key=lambda one: (-best[one], one)):
        if pair[0] not in taken[0] and pair[1] not in taken[1]:
            taken[0].add(pair[0])
            taken[1].add(pair[1])
            pairs.append(pair)
            sure.append(best[pair])
    return np.array(pairs, dtype=np.int64).reshape(-1, 2), np.array(sure)


def all_evidence(
    result: LinkageResult,
    truth: Callable[[np.ndarray], np.ndarray] | None = None,
    named: np.ndarray | None = None,
) -> list[Evidence]:
    """Return what an attack shows, or each of those together and all of them.

    Parameters
    ----------
    result : LinkageResult
        By :func:`attack_by`.
    truth, named
        See :func:`.linkage.evidence.evidence`.

    Returns
    -------
    list of Evidence
        Where the truth is known the last is of labels alone: what they give away is given away
        by every release that has them, whatever its distances.

    Raises
    ------
    InputError
        If the result does not say which labels the attack was given.
    """
    if result.labels is None:
        raise InputError("Only a result of attack_by() or link() can be judged: it has the labels.")
    links = np.zeros((0, 2), np.int64) if result.links is None else result.links
    records, people = (unlinked(own, rows) for own, rows in zip(result.labels, links.T))
    most = most_in_common(records, people)
    parts = result.parts.values() if isinstance(result, Together) else ()
    found = by_all_methods([evidence(one, most, truth, named) for one in (*parts, result)])
    if truth is not None:
        found.append(by_labels(records, people, not_given(truth(result.matches), links)))
    return found
