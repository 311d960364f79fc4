# SPDX-License-Identifier: GPL-2.0-or-later
"""The verdict on a mask that was tried: what is recommended is what it says may be released.

Recommendation and verdict are made from the same evidence, so that they cannot disagree. What can
only be said of some, since the list lacks homes or what several records of a place tell was not
weighed, is a lower bound, and a lower bound recommends nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...verdict import RELEASE_WITH_CARE, Evidence, Verdict, judge, not_tested
from .case import PLACE, RECORD
from .search import HELD, OPEN, Found
from .standing import Limit

#: What each adversary's attack is called, and what he has and wants, by who was asked for.
_ATTACKS = {PLACE: "posterior_place", RECORD: "posterior_record"}
_WHO = {
    frozenset({PLACE, RECORD}): ("address_list_or_member", "place_or_record"),
    frozenset({PLACE}): ("address_list", "whose_place"),
    frozenset({RECORD}): ("member", "which_record"),
}
#: Caveats: homes that the list lacks; places with several records where weights tell in which
#: many live.
INCOMPLETE, CROWDED = "list_incomplete", "crowded"
_CUT_OFF = "cut_off"
#: What attacks on distances are called.
LINKED = "neighbours_linkage"


def evidence(one: Found, limit: Limit, caveats: Sequence[str] = ()) -> list[Evidence]:
    """What each adversary finds behind a mask that was tried, with its interval.

    Of released distances what attacks on them link, too, for who knows a whole neighbourhood.

    Parameters
    ----------
    one : Found
        With a standing.
    limit : Limit
    caveats : sequence of str
        Why the trials are a lower bound of what is found.
    """
    assert one.standing is not None  # only masks that were tried are judged
    made = []
    for name, each in one.standing.against.items():
        low, high = each.ends_under(limit)
        found = Evidence(
            _ATTACKS[name],
            each.people,
            each.mean * each.people,
            low,
            high,
            False,
            exposed=each.exposed,
            failed=not each.holds(limit),
        )
        # It holds as far as it was tried, and that is not far enough.
        for caveat in (*[_CUT_OFF] * (one.state == OPEN), *caveats):
            found = found.with_caveat(caveat)
        made.append(found)
    if one.standing.links is not None:
        # Somebody stronger than either: he knows all people of a neighbourhood.
        people, right = (sum(each) for each in zip(*one.standing.linked))
        _, low, high = one.standing.links
        made.append(replace(Evidence.counted(LINKED, right, people), low=low, high=high))
    return made


def verdict(
    one: Found | None, limit: Limit, adversaries: Sequence[str], caveats: Sequence[str] = ()
) -> Verdict:
    """Judge a mask, None for none that could be tried."""
    knows, wants = _WHO[frozenset(adversaries)]
    if one is None:
        return not_tested(knows, wants, limit.share)
    return judge(evidence(one, limit, caveats), knows, wants, limit.share)


def can_be_taken(one: Found, limit: Limit) -> bool:
    """Whether a mask may be recommended: it holds, and may be released by its verdict."""
    if one.state != HELD or one.standing is None or not one.standing.against:
        return False
    return verdict(one, limit, tuple(one.standing.against)).decision == RELEASE_WITH_CARE
