# SPDX-License-Identifier: GPL-2.0-or-later
"""What some matches say of all pairs of a released record and a known person."""

from __future__ import annotations

import numpy as np

from ...runtime import accel
from ...runtime.progress import Progress
from .near_weights import Weighing, weigh

#: What the weights are multiplied by, as distances to neighbours tell much the same.
_TEMPER = 0.7
#: Bounds of one weight.
LOWEST, HIGHEST = -5.0, 8.0
#: Released records whose pairs are weighed in one go, by known entities and matches.
_AT_ONCE = 4_000_000


def evidence_of(
    weighing: Weighing, pairs: np.ndarray, trust: np.ndarray, progress: Progress
) -> np.ndarray:
    """Weights of all pairs of records with some matches, summed and tempered, (n1, n2).

    A match counts by how probable it is, so that some wrong ones do not hold each other up, and it
    says nothing of pairs that have its record or its entity: they are its rivals.
    """
    out = np.zeros((len(weighing.released), len(weighing.known)))
    rows = max(1, _AT_ONCE // max(out.shape[1] * len(pairs), 1))
    work = _add if accel.enabled() else _add_in_numpy
    for first in range(0, len(out), rows):
        progress(first / len(out))
        last = min(first + rows, len(out))
        work(out, first, last, pairs, trust, weighing.arrays, weighing.law, LOWEST, HIGHEST)
    out *= _TEMPER
    return out


# :func:`.near_weights.weigh` written out: what hangs on the entity alone is worked out once for all
# records, and the table is read by unsigned places of one row, in half the time.
@accel.kernel
def _add(out, first, last, pairs, trust, arrays, law, lowest, highest):
    """Add the weights with some matches to the rows ``first`` to ``last``."""
    released, background, known, scale, kind = arrays
    table, begin, per_unit, slope, least, far, above = law
    cells, flat = table.shape[1], table.ravel()
    for pair in range(len(pairs)):
        a, b = pairs[pair, 0], pairs[pair, 1]
        away, wide = known[b], scale[b]
        unit, limit = np.maximum(away * slope, least), away + above
        told, row = kind[b] < far, kind[b].astype(np.uint32) * np.uint32(cells)
        for t in range(first, last):
            if t == a:
                continue
            seen, usual, sums = released[a, t], background[a, t], out[t]
            own = sums[b]
            for i in range(len(sums)):
                value = lowest
                if not seen > limit[i]:
                    place = ((away[i] - seen) / unit[i] - begin) * per_unit
                    cell = row[i] + np.uint32(min(max(place, 0.0), cells - 1.0))
                    value = (flat[cell] - wide[i] - usual) * told[i]
                    value = min(max(value, lowest), highest)
                sums[i] += trust[pair] * value
            sums[b] = own


def _add_in_numpy(out, first, last, pairs, trust, arrays, law, lowest, highest):
    """Do the same as :func:`_add`."""
    released, background, known, scale, kind = arrays
    *learnt, above = law
    for (a, b), share in zip(pairs.tolist(), trust.tolist()):
        seen, usual = released[a, first:last, None], background[a, first:last, None]
        value = weigh(seen, known[b], kind[b], scale[b], usual, *learnt)
        value = np.minimum(np.maximum(value, lowest), highest)
        value[np.broadcast_to(seen > known[b] + above, value.shape)] = lowest
        value[:, b] = 0.0
        if first <= a < last:
            value[a - first] = 0.0
        out[first:last] += share * value
