# SPDX-License-Identifier: GPL-2.0-or-later
"""What is recommended, in a sentence: upper ends and their limits, or what a row lacks."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..attacks.maps.row_risk import CUT_OFF, HELD, OPEN, RULED_OUT, Standing
from ..distances.choice import name_of
from ..distances.trials import Cell
from ..runtime.wording import Sentence, joined, mark, number_of
from .advice import NEIGHBOURS, Advice, draws_that_hold

_MOST_USEFUL = mark(
    "{name}: the most useful row that holds against every attack and every adversary tried. {ends}"
)
_MOST_NEIGHBOURS = mark(
    "{name}: of the rows that hold against every attack and every adversary tried it keeps most of the"
    " ten nearest neighbours ({kept:.1%}). {ends}"
)
_NOT_KNOWN = mark(
    "Whether {rows} would hold is not known: not followed, or left when that could no longer be shown."
)
_FEW_DRAWS = mark(
    "By the draws there are it may be below. Where nobody is found at all it takes {draws} with"
    " each overlap to show that a row holds, and more where some are: raise DRAWS, and LIKELIHOOD."
)
_LEFT = mark(
    "It was left after {draws} with an overlap: if all that DRAWS allows were like these, it would"
    " still not be known to hold. Try what keeps less (more noise, fewer or larger sets), or coarser"
    " attributes."
)
_FEW_PEOPLE = mark(
    "With {overlap:.3g} % of them known a draw has {people} who can be found, so that one alone is"
    " {one:.0%}, more than may be: with files as small such a row holds only where hardly ever anybody"
    " is found, not even by chance. Use more records, or leave the small shares out of OVERLAP: then"
    " nothing is said of an adversary who knows so few."
)
_BY_LABELS = mark(
    "By guessing among those who agree in the attributes, without any distance, {guessed:.1%} of"
    " the people are found already, and at most {limit:.1%} may be: no parameters of distances"
    " can help. Release coarser quasi-identifiers (GROUPS), or fewer."
)
_NEVER = mark(
    "No number of draws shows that nobody at all is found: with a limit of 0 no row can hold."
)
_CUT_OFF = mark(
    "Searches were cut off there, and what a longer one finds is not known: such a row never"
    " holds, and more draws cannot change that. {rest}"
)
_FEWER = mark(
    "Half as many released and known records leave a quarter of the pairs to search: lower"
    " N_RELEASED. Down to about {fewest}, guessing by attributes alone stays below the limit."
)
_FEWER_AND_COARSER = mark(
    "Fewer records would leave fewer pairs to search, but guessing by attributes alone already finds"
    " {guessed:.1%} of the people, nearly as many as may be found, and more among fewer: release"
    " coarser quasi-identifiers (GROUPS) and fewer records (N_RELEASED), both."
)
_KNOWN = mark("{overlap:.3g} % of them known, {draws}")
_OF_NEIGHBOURS = mark("{overlap:.3g} % of them known, who are neighbours, {draws}")
#: As many of the records as leave searches much less to do; below so many nothing is advised.
_MUCH_FEWER, _FEWEST = 0.7, 20
_BY_LUCK = mark(
    "Whoever names somebody for every record does no better than by attributes alone on average, but"
    " may by luck be right about up to {most:.1%} of the people in a single draw."
)
_RULED_OUT = mark(
    "More draws cannot change that. Try fewer and larger reference sets, release fewer records or"
    " coarser attributes, or do not release distances of these data."
)
_ISGP_RULED_OUT = mark(
    "More draws cannot change that. Try smaller radii (ISGP_RADIUS), which tell fewer distances,"
    " release fewer records or coarser attributes, or do not release distances of these data."
)


def sentence(advice: Advice, cells: Sequence[Cell]) -> Sentence:
    """Say what is recommended and how it stands; where nothing is, what comes nearest."""
    if advice.cell is None:
        return _nothing(advice, cells)
    name, ends = name_of(advice.cell), _ends(advice, advice.cell)
    said = [Sentence(_MOST_USEFUL, name=name, ends=ends)]
    if advice.useful == NEIGHBOURS:
        kept = advice.cell.mean(NEIGHBOURS)
        said = [Sentence(_MOST_NEIGHBOURS, name=name, kept=kept, ends=ends)]
    out = advice.count(cells, RULED_OUT)
    if out:
        rows = number_of(out, "row was ruled out", "rows were ruled out")
        said.append(Sentence("{rows}.", rows=rows))
    rest = sum(advice.state(cell) == OPEN for cell in cells)
    if rest:
        rows = number_of(rest, "other row", "other rows")
        said.append(Sentence(_NOT_KNOWN, rows=rows))
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
    if state != HELD:
        said.append(lacks(advice, nearest))
    cut = advice.count(cells, CUT_OFF)
    if cut > (state == CUT_OFF):
        rows = number_of(cut, "row", "rows")
        said.append(
            Sentence(
                "Of all {all}, {rows} cannot be judged, since searches were cut off.",
                all=number_of(len(cells), "row", "rows"),
                rows=rows,
            )
        )
    return joined(said)


def lacks(advice: Advice, cell: Cell) -> Sentence:
    """Say why a row does not hold, and what to do about it."""
    guessed = advice.risks[cell.setting].guessed
    if guessed > advice.limits.share:
        return Sentence(_BY_LABELS, guessed=guessed, limit=advice.limits.share)
    state = advice.state(cell)
    if state == CUT_OFF:
        return Sentence(_CUT_OFF, rest=_ends_of_searches(advice, cell))
    if state == RULED_OUT:
        return Sentence(_ISGP_RULED_OUT if cell.radius else _RULED_OUT)
    worst = advice.risks[cell.setting].worst
    if worst.found.mean > 0 and 0 < advice.limits.share * worst.people < 1:
        return Sentence(
            _FEW_PEOPLE,
            overlap=100 * worst.overlap.share,
            people=number_of(worst.people, "person", "people"),
            one=1 / worst.people,
        )
    needed = draws_that_hold(advice.limits)
    if needed is None:
        return Sentence(_NEVER)
    row = advice.risks[cell.setting]
    for some, most in ((row.standings, advice.most), (row.slow, advice.most_slow)):
        for one in some if needed <= most else ():
            if 0 < len(one.draws) < most and not one.may_hold(advice.limits, most):
                return Sentence(_LEFT, draws=number_of(len(one.draws), "draw", "draws"))
    return Sentence(_FEW_DRAWS, draws=number_of(needed, "draw", "draws"))


def _ends_of_searches(advice: Advice, cell: Cell) -> Sentence:
    """Say how searches come to their end: fewer records, as far as guessing among them allows."""
    risk = advice.risks[cell.setting]
    released = risk.first.people / risk.first.overlap.share
    # Who guesses among half as many people finds twice the share.
    fewest = released * risk.guessed / max(advice.limits.share, 1e-9)
    if fewest > _MUCH_FEWER * released:
        return Sentence(_FEWER_AND_COARSER, guessed=risk.guessed)
    return Sentence(_FEWER, fewest=max(_FEWEST, 10 * math.ceil(fewest / 10)))


def _ends(advice: Advice, cell: Cell) -> Sentence:
    risk = advice.risks[cell.setting]
    found, precise = risk.worst, risk.most_precise
    share, precision = found.found, precise.precision
    luckiest = max(one.luckiest for one in risk.all)
    ends = Sentence(
        "Up to {high:.1%} of the people are found ({mean:.1%} on average, with {known}; limit"
        " {limit:.1%}), and of an attack's claims, or of its surest guesses, up to {most:.1%} are"
        " right ({precision:.1%} on average, with {other}; limit {allowed:.1%}): upper ends of intervals"
        " over draws.",
        high=share.high,
        mean=share.mean,
        known=_adversary(found),
        limit=advice.limits.share,
        most=precision.high,
        precision=precision.mean,
        other=_adversary(precise),
        allowed=advice.limits.precision,
    )
    if luckiest <= share.high:
        return ends
    return joined([ends, Sentence(_BY_LUCK, most=luckiest)])


def _adversary(standing: Standing) -> Sentence:
    template = _OF_NEIGHBOURS if standing.overlap.neighbours else _KNOWN
    return Sentence(
        template,
        overlap=100 * standing.overlap.share,
        draws=number_of(len(standing.draws), "draw", "draws"),
    )
