# SPDX-License-Identifier: GPL-2.0-or-later
"""What is recommended, in a sentence: upper ends and their limits, or what a row lacks."""

from __future__ import annotations

from collections.abc import Sequence

from ...distances.choice import name_of
from ...distances.trials import Cell
from ...runtime.wording import Sentence, joined, mark, number_of
from .advice import Advice
from .row_risk import CUT_OFF, HELD, OPEN, RULED_OUT, Standing

_FEW_DRAWS = mark(
    "By the draws there are it may be below: raise DRAWS, or the number of records, so that the"
    " interval gets narrower."
)
_CUT_OFF = mark(
    "Searches were cut off there, and what a longer one finds is not known: such a row never"
    " holds. Use fewer records (N_RELEASED) or more quasi-identifiers, so that they come to their"
    " end."
)
_RULED_OUT = mark(
    "More draws cannot change that. Try fewer and larger reference sets, release fewer records or"
    " coarser attributes, or do not release distances of these data."
)
_LACKS = {OPEN: _FEW_DRAWS, CUT_OFF: _CUT_OFF, RULED_OUT: _RULED_OUT}


def sentence(advice: Advice, cells: Sequence[Cell]) -> Sentence:
    """Say what is recommended and how it stands; where nothing is, what comes nearest."""
    if advice.cell is None:
        return _nothing(advice, cells)
    said = [
        Sentence(
            "{name}: the most useful row that holds against every attack and every adversary"
            " tried. {ends}",
            name=name_of(advice.cell),
            ends=_ends(advice, advice.cell),
        )
    ]
    out = advice.count(cells, RULED_OUT)
    if out:
        rows = number_of(out, "row was ruled out", "rows were ruled out")
        said.append(Sentence("{rows}.", rows=rows))
    rest = sum(advice.state(cell) == OPEN for cell in cells)
    if rest:
        rows = number_of(rest, "other row", "other rows")
        said.append(
            Sentence("Whether {rows} would hold was not followed up to the end.", rows=rows)
        )
    return joined(said)


def _nothing(advice: Advice, cells: Sequence[Cell]) -> Sentence:
    nearest = advice.nearest(cells)
    state = advice.state(nearest)
    said = [
        Sentence(
            "No row can be recommended. {name} comes nearest: {ends}",
            name=name_of(nearest),
            ends=_ends(advice, nearest),
        )
    ]
    return joined([*said, *([Sentence(_LACKS[state])] if state != HELD else [])])


def _ends(advice: Advice, cell: Cell) -> Sentence:
    risk = advice.risks[cell.setting]
    found, precise = risk.worst, risk.most_precise
    share, precision = found.found, precise.precision
    return Sentence(
        "Up to {high:.1%} of the people are found ({mean:.1%} on average, with {known}; limit"
        " {limit:.1%}), and up to {most:.1%} of an attack's claims are right ({precision:.1%} on"
        " average, with {other}; limit {allowed:.1%}): upper ends of intervals over draws.",
        high=share.high,
        mean=share.mean,
        known=_adversary(found),
        limit=advice.limits.share,
        most=precision.high,
        precision=precision.mean,
        other=_adversary(precise),
        allowed=advice.limits.precision,
    )


def _adversary(standing: Standing) -> Sentence:
    return Sentence(
        "{overlap:.3g} % of them known, {draws}",
        overlap=100 * standing.overlap,
        draws=number_of(len(standing.draws), "draw", "draws"),
    )
