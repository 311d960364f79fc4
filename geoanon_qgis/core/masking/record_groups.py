# SPDX-License-Identifier: GPL-2.0-or-later
"""Groups(k_records, k): records change places within small groups, then by exchange(k).

The places that hold records are divided into compact groups of k_records to 2 k_records - 1. Inside
a group they change places by a permutation s that is uniformly random, and the record of place x is
released at a random partner D(s(x)) of the place that it got, in a graph of k partners each
(:mod:`.partners`). D is drawn for each place, independent of s.

**Adversary B**: he knows that t is in the file, where t lives, and asks which record is hers. *For
every record his chance is 1 / (size of the group), at most 1 / k_records, even if he knows the
groups, all places, the graph and D.* Proof: let j be a row of the group, with released point y_j.
Given that row j is hers, the points of the group's rows are D(s(p_1)), ..., D(s(p_m)), with p_i the
true place of row i. s is uniform on all permutations and independent of all else, so s after any
relabelling of the rows is uniform, too: the points have the same distribution whichever row is
hers. So they tell nothing, and all m rows stay equally likely. Rows of other groups are not hers.
Who does not know the groups has no more right guesses on average: what he sees can be made from
what the other one sees (data processing). What he knows of her attributes is not part of this.

**Adversary A**: he asks who lives at the true place x_j of row j. Let T be the place that row j
got, G its group, X all places of the file, Y all that is released. Given X, the groups and T, the
true place is uniform on G, by the same argument. Hence for every candidate c

    P(x_j = c | Y) = E[ 1{c in G} / |G| | Y ] <= P(c in X | Y) / k_records.           (1)

c is in X only if one of the released points at c's partners is its own. Let L(c) be the number of
rows released at partners of c. Where places are drawn independently of each other, with equal
weights, exchange gives each row 1/k for c, so

    P(x_j = c | Y) <= min(1, L(c) / k) / k_records.                                   (2)

(1) holds for whoever knows anything but s. With few records L(c) is 1 or 2 and A has 1/(k k_records)
or so; it is never more than 1/k_records, not even of a file that holds every address. If the groups
are told and tell nothing of the places, each row of the group has the average over the group of
what exchange leaves, at most 1/k; compact groups do tell something, so they stay secret.

Both need rows in an order that tells nothing of who they are.

With another address list nothing of this changes for who was released before: s was drawn without
the list. B's bound and (1) hold by any list, and in (2) each row counts by the graph of its own.

**Not covered**: attributes that B knows of her, how many records her home has among them; groups of
whom some have left the file (:meth:`.KeptGroups.left_of`); other draws in other groups (so groups and draws
are kept); that some records of a neighbourhood are in the file.
"""

from __future__ import annotations

import numpy as np

from ..runtime.progress import Progress, silent
from ..runtime.wording import Sentence
from .compact import compact_groups
from .kept_groups import KeptGroups, newcomers
from .partners import PartnerGraph


def mask_in_groups(
    graph: PartnerGraph,
    place: np.ndarray,
    change: np.ndarray,
    move: np.ndarray,
    k_records: int,
    kept: KeptGroups | None = None,
    progress: Progress = silent,
) -> KeptGroups:
    """Let records change places inside groups, and move each by exchange.

    Parameters
    ----------
    graph : PartnerGraph
    place : (m,) int array
        Rows of the addresses of the records; records at one place move together.
    change, move : (m,) arrays
        Numbers in [0, 1) of each place, independent of each other, which nobody else knows: by the
        first places are changed, by the second the partner of the place is chosen.
    k_records : int
        Least size of a group, in places.
    kept : KeptGroups, optional
        What the release before gave.
    progress : Progress

    Returns
    -------
    KeptGroups
        Its ``waiting`` are newcomers of whom there are fewer than ``k_records``; its ``withheld``
        have no partners.

    Raises
    ------
    InputError
        If a parameter is none, or there are fewer than ``k_records`` places at the first release.
    """
    place = np.asarray(place, dtype=np.int64)
    change, move = (np.asarray(numbers, dtype=np.float64) for numbers in (change, move))
    kept, new, row = newcomers(place, (change, move), kept, graph.xy, k_records)
    withheld = graph.withheld[new]
    lost = new[withheld]
    new, row = new[~withheld], row[~withheld]
    if len(new) < k_records:
        return kept.put_off(new, lost)
    group = compact_groups(graph.xy[new], k_records, Sentence("places with records"), progress)
    # The members of a group in their order get the places in the order of their numbers.
    got = np.empty(len(new), dtype=np.int64)
    got[np.argsort(group, kind="stable")] = np.lexsort((change[row], group))
    released = graph.partner_of(new[got], move[row[got]])
    return kept.grown(new, group, released, new[:0], lost)
