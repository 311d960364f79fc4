# SPDX-License-Identifier: GPL-2.0-or-later
"""What the attacks on embeddings with tried parameters show of the people."""

from __future__ import annotations

from ...verdict import Evidence
from ..over_draws import Interval
from .row_risk import Limits, RowRisk, Standing

#: What evidence of all attacks together is called, and of guessing by labels.
TOGETHER, BY_LABELS = "all_linkage", "quasi_identifiers"


def evidence(risk: RowRisk, limits: Limits) -> list[Evidence]:
    """Return what each attack shows of a row, and all of them together, where they show most.

    Parameters
    ----------
    risk : RowRisk
    limits : Limits

    Returns
    -------
    list of Evidence
        Each with the ends of the interval over draws, for the adversary against whom the row does
        worst.
    """
    found = []
    for name in dict.fromkeys(name for one in risk.all for name in one.attacks):
        those = [one for one in risk.all if name in one.attacks]
        worst = max(those, key=lambda one: (one.found_by(name).high, one.found_by(name).mean))
        most = max((one.precision_of(name) for one in those), key=lambda one: one.high)
        proven = all(one.proven_by(name) for one in those)
        found.append(_evidence(name, worst, worst.found_by(name), most, limits, proven))
    worst, most = risk.worst, risk.most_precise.precision
    found.append(_evidence(TOGETHER, worst, worst.found, most, limits, risk.proven))
    if risk.guessed > limits.share:  # whatever the distances do
        share = risk.guessed
        found.append(Evidence(BY_LABELS, worst.people, share * worst.people, share, share, True))
    return found


def _evidence(
    name: str,
    standing: Standing,
    share: Interval,
    precision: Interval,
    limits: Limits,
    proven: bool,
) -> Evidence:
    people = standing.people
    claims = [
        each.claims
        for one in standing.draws
        for each in one.attempts
        if name in (each.attack, TOGETHER)
    ]
    made = Evidence(name, people, share.mean * people, share.low, share.high, True)
    if name != TOGETHER:
        made = made.with_claims(
            round(sum(claims) / max(share.draws, 1)), precision.mean > limits.precision
        )
    if not proven:
        return made.with_caveat("cut_off")
    return made if precision.high <= limits.precision else made.with_caveat("few_draws")
