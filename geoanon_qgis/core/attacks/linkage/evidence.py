# SPDX-License-Identifier: GPL-2.0-or-later
"""What a linkage attack shows of the people in a release, with the truth and without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

import numpy as np

from ...distances.choice import MOST_PRECISION
from ...verdict import SURE, Evidence
from .result import LABELS, LOCAL_MAPS, NEAR_GROUP, SIGNATURES, LinkageResult, certainty
from .truth import not_given

#: Caveat of what was found where not all attacks were run that may find others.
ONE_METHOD = "one_method"


def most_in_common(target: Sequence[Hashable], known: Sequence[Hashable]) -> int:
    """Bound the people who can be in both files by their labels (None: never linked)."""
    both = {label for label in target if label is not None} & set(known)
    return min(sum(label in both for label in labels) for labels in (target, known))


def evidence(
    result: LinkageResult,
    most: int,
    truth: Callable[[np.ndarray], np.ndarray] | None = None,
    named: np.ndarray | None = None,
) -> Evidence:
    """Return what an attack shows.

    Parameters
    ----------
    result : LinkageResult
    most : int
        People that are in both files at most; see :func:`most_in_common`.
    truth : callable, optional
        Takes (m, 2) matches and returns the row of each target record in the identification
        file, -1 where it is not there (places alone name several people, of whom those matched
        come first).
    named : (n1,) bool array, optional
        Of which target records the truth says anything; all when left out.

    Returns
    -------
    Evidence
        Counted among the people in both files who were not given by known links, where the truth
        is known. Else nobody knows how
        many these are, so that the share may be anything above what the adversary expects: he
        knows how sure he is by likelihood, and of a clique no more than whether accident makes
        one of its size. His threshold is no protection: whoever guesses at what he does not
        claim finds people, too, and who takes the likeliest person for each record finds the most:
        one in ten where everybody is one in ten.
    """
    name, claimed = result.name, certainty(result)
    if truth is not None:
        found = _by_key(name, result, claimed, truth, named)
    elif result.chance is not None:
        chance = result.chance
        hopeful = chance[chance > MOST_PRECISION]
        found = Evidence.expected(name, chance, most).with_claims(len(hopeful), hopeful.sum() >= 1)
    else:
        found = Evidence.without_share(name, most, False).with_claims(
            result.clique, _believes(claimed)
        )
    caveat = _caveat(result, found, truth is not None)
    return found.with_caveat(caveat) if caveat else found


def by_labels(target: Sequence[Hashable], known: Sequence[Hashable], truth: np.ndarray) -> Evidence:
    """Return what an adversary finds who looks at no distance at all.

    Of the records and the people of one label he links as many as there are of the fewer, at
    random and each once, so that everybody in both files is found with a probability of one in the
    more. Whoever is alone with a label in both files is found for certain, and the adversary is
    sure of it where nearly all such pairs are right: where his file has nearly everybody.

    Parameters
    ----------
    target, known : sequence of length n1 and n2
        None: never linked. Also of those who were given by known links.
    truth : (n1,) int array
        Row of each target record in the identification file, -1 where it is not there.

    Returns
    -------
    Evidence
        The expectation is exact for this release, as in :meth:`.Evidence.looked_up`.
    """
    records, people = (Counter(one for one in file if one is not None) for file in (target, known))
    most = {label: max(many, people[label]) for label, many in records.items() if people[label]}
    common = np.flatnonzero(truth >= 0).tolist()
    agree = [target[row] for row in common if target[row] == known[truth[row]] in most]
    found = sum(1.0 / most[label] for label in agree)
    pairs = sum(many == 1 for many in most.values())
    sure = sum(most[label] == 1 for label in agree)
    share = found / len(common) if common else 0.0
    one = Evidence(
        LABELS,
        len(common),
        found,
        share,
        share if common else 1.0,
        True,
        exposed=sure if sure >= SURE * pairs else 0,
    )
    return one if common else one.with_caveat("nobody_common")


def by_all_methods(found: Sequence[Evidence]) -> list[Evidence]:
    """Return what attacks show, as lower bounds where the strongest was not among them.

    No attack finds all whom another finds (see docs/distances.md). One release after the other
    that the clique and likelihood spare falls to the near group, and others to signatures, where
    neighbours are lost and a record's distances to all others still tell where it is; where only
    neighbours have distances, to maps. Without these no release is shown to hold.
    """
    names = {one.attack for one in found}
    if NEAR_GROUP in names and names & {SIGNATURES, LOCAL_MAPS}:
        return list(found)
    return [one.with_caveat(ONE_METHOD) if one.complete else one for one in found]


def _by_key(name, result, claimed, truth, named) -> Evidence:
    """Of what is claimed and what may be guessed at, that by which most people are found.

    Whoever takes the likeliest person for each record claims nobody by it: it counts as labels
    alone do, by the share found.
    """
    ways = [(result.matches, claimed)]
    if result.guesses is not None:
        worth = result.chance > MOST_PRECISION
        ways.append((result.guesses[worth], result.chance[worth]))
        ways.append((result.guesses, result.chance))
    found = []
    for matches, chance in ways:
        at = not_given(truth(matches), result.links)
        known = np.ones(len(matches), bool) if named is None else named[matches[:, 0]]
        right = known & (at[matches[:, 0]] == matches[:, 1])
        count, claims = int(np.count_nonzero(right)), int(np.count_nonzero(known))
        found.append(
            Evidence.counted(
                name,
                count,
                int(np.count_nonzero(at >= 0)),
                exposed=int(np.count_nonzero(right & (chance >= SURE))),
            ).with_claims(claims, _believes(claimed) or count > MOST_PRECISION * claims)
        )
    most = max(found, key=lambda one: one.found)
    return replace(
        most,
        failed=any(one.failed for one in found),
        exposed=max(one.exposed for one in found),
    )


def _believes(chance: np.ndarray) -> bool:
    """Whether he can expect somebody among what he claims, better hidden than among four."""
    return bool(chance[chance > MOST_PRECISION].sum() >= 1)


def _caveat(result: LinkageResult, found: Evidence, by_key: bool) -> str:
    if not result.compared:
        return "nothing_compared"
    if not result.proven:
        return "cut_off"
    if not by_key:
        return "no_key"
    return "" if found.people else "nobody_common"
