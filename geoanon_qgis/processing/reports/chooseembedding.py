# SPDX-License-Identifier: GPL-2.0-or-later
"""The report on parameters of an embedding that were tried."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.attacks.maps import row_risk
from ...core.distances import choice
from ...core.distances.choice import Recommendation
from ...core.distances.setting import Setting
from ...core.distances.trials import Cell
from ...core.experiments.advice import Advice
from ...report import Report, col
from .. import literature, verdicts
from ..families.choosing.table import SHORT, risk_columns
from ..i18n import mark, tr
from .common import Context, PrivatePage
from .parameters import by_size, dots, parameter_columns

#: What each state of a row is called.
_STATES = {
    row_risk.HELD: mark("held"),
    row_risk.RULED_OUT: mark("ruled out"),
    row_risk.CUT_OFF: mark("cut off: never holds"),
    row_risk.OPEN: mark("not followed up to the end"),
}


@dataclass(frozen=True)
class Tried:
    """What the report tells of.

    Attributes
    ----------
    about : Context
    cells : list of Cell
    front : list of int
        Rows that no other beats.
    best : Recommendation
    nearest : float
        Limit of the nearest neighbours kept, for rows that nobody attacked.
    advice : Advice or None
        What attacks found; None where nobody was attacked.
    """

    about: Context
    cells: list[Cell]
    front: list[int]
    best: Recommendation
    nearest: float
    advice: Advice | None


def front(advice: Advice, cells: list[Cell]) -> list[int]:
    """Rows that no other beats in what is to be kept and in the share found by who knows most."""
    return choice.front(
        np.array([[cell.mean(advice.useful), -_found(advice, cell)] for cell in cells])
    )


def _found(advice: Advice, cell: Cell) -> float:
    """Share of the people found with the largest overlap, which every row has met."""
    return advice.risks[cell.setting].first.found.mean


def report(tried: Tried) -> Report:
    """Say which parameters to take, and show what all of them keep and risk."""
    page = PrivatePage(tr("Choosing embedding parameters"), tried.about.source)
    _result(page, tried)
    page.section(tr("Risk and utility"), "pareto")
    _pictures(page, tried)
    page.section(tr("By parameters"), "charts")
    _charts(page, tried)
    page.section(tr("All rows"), "rows")
    _table(page, tried)
    page.kept_out(tried.about.left_out)
    page.method(
        [
            tried.about.sentences,
            *_attacks(tried),
            tr(
                "Utility is 1 / variance of released − true distance, as in the papers. Blur is "
                "the spread of a pair's released distance over embeddings, as a share of its mean "
                "(median over pairs). Map error is how far a map drawn from the release by "
                "multidimensional scaling lies off, as a share of the spread of the places (drawn "
                "for at most 500 records). A row is on the Pareto front when no other is better in "
                "one respect and at least as good in the other."
            ),
        ],
        [
            literature.KROLL_SCHNELL,
            literature.KROLL,
            *([literature.ISGP] if any(cell.radius for cell in tried.cells) else []),
        ],
    )
    return page.report()


def _result(page: PrivatePage, tried: Tried) -> None:
    best = tried.best
    found = best.cell is not None
    page.section(tr("Recommendation"), "result")
    page.figure(
        "best_sets",
        tr("Recommended d"),
        (best.cell.sets or None) if found else None,
        tr("How many sets of random reference points to use. More sets keep distances better."),
    )
    page.figure(
        "best_size",
        tr("Recommended k"),
        (best.cell.size or None) if found else None,
        tr("How many points to put into each set. Larger sets blur distances more."),
    )
    if any(cell.radius for cell in tried.cells):
        page.figure(
            "best_radius",
            tr("Recommended radius of ISGP"),
            (best.cell.radius or None) if found else None,
            tr("In metres, where ISGP is recommended; distances up to two radii are told."),
        )
    page.figure(
        "qualifying",
        tr("Rows that meet the limit"),
        best.qualifying,
        tr("Rows of the table that are safe enough by the limit that was given."),
        note=tr("of {count}").format(count=len(tried.cells)),
    )
    kind, title = ("info", tr("Recommended")) if found else ("danger", tr("Nothing qualifies"))
    page.notice(best.sentence, kind, title)


def _attacks(tried: Tried) -> list[str]:
    """How who is found was measured."""
    if tried.advice is None:
        return []
    return [
        tr(
            "Every row is attacked until it is ruled out (a lower end is above its limit) or a search "
            "that finds less than that is cut off, or in four draws, by the adversary who knows most; then those that are left in other draws, "
            "with every overlap, the most useful first, until one holds. A row in which an attack "
            "was cut off never holds. Who is released and who is known is drawn anew in every draw, "
            "the same people for all rows, and the embedding with them. The share found is that of "
            "the people in both files whom any attack rightly claims or, where these are more, whom "
            "one attack finds by taking the likeliest person for each record; known links are left "
            "out. Precision is the share of an attack's claims that is right, 0 where it claims nobody, or, where "
            "that is more, of the surest 1, 2, 4 ... whom it might name, whatever it claims. "
            "Ends are those of a confidence sequence by betting (Waudby-Smith & Ramdas 2024, "
            "Journal of the Royal Statistical Society B 86:1): they hold however people are found "
            "together, and however often the draws are looked at. The rows that are followed share "
            "a risk of 5 % that one is wrongly said to hold. Upper ends are no less than what any "
            "draw showed, but for guesses that are not claimed, where much is luck."
        ),
        tr(
            "Where the clique's search is cut off, what it found counts, and smaller alphas follow "
            "until one search comes to its end."
        ),
        *([_of_isgp()] if any(cell.radius for cell in tried.cells) else []),
    ]


def _of_isgp() -> str:
    return tr(
        "Rows of ISGP are releases of distances alone (METHOD distances), with ten grid points to a "
        "radius. They meet the near group and the maps of their neighbourhoods in every draw; clique, "
        "likelihood and signatures need the distances of all pairs and were not run on them. The "
        "labels themselves tell more than distances, and were not attacked. Measures over pairs take "
        "those that share no label to be two radii apart."
    )


def _pictures(page: PrivatePage, tried: Tried) -> None:
    kept = tr("Nearest neighbours kept")
    if tried.advice is None:
        title, limit = tr("Blur and nearest neighbours"), ((tried.nearest, tr("limit")),)
        _scatter(
            page,
            tried,
            "blur_nearest",
            _mean("nearest_kept"),
            _mean("blur"),
            title,
            kept,
            tr("Blur"),
            marks=limit,
        )
        return
    limit = ((tried.advice.limits.share, tr("limit")),)
    found = tr("Share of people found, with the largest overlap")
    advice = tried.advice
    _scatter(
        page,
        tried,
        "risk_utility",
        _mean("utility"),
        lambda cell: _found(advice, cell),
        tr("Risk and utility"),
        tr("Utility: 1 / variance of released − true"),
        found,
        x_unit=f"1/{tried.about.unit}²",
        x_log=True,
        limits=limit,
    )
    _scatter(
        page,
        tried,
        "risk_nearest",
        _mean("nearest_kept"),
        lambda cell: _found(advice, cell),
        tr("Risk and nearest neighbours"),
        kept,
        found,
        limits=limit,
    )


def _mean(measure: str):
    return lambda cell: cell.mean(measure)


def _scatter(page, tried: Tried, name: str, x, y, title, x_label, y_label, **more):
    """All rows, the front, and the recommended row."""

    def some(label: str, chosen: list[Cell], joined: bool = False) -> tuple:
        return dots(label, chosen, x, y, _short, joined)

    front = [tried.cells[row] for row in tried.front]
    rest = [cell for cell in tried.cells if cell not in front]
    series = [some(tr("d, k tried"), [cell for cell in rest if not cell.radius])]
    if any(cell.radius for cell in rest):
        series.append(some(tr("ISGP tried"), [cell for cell in rest if cell.radius]))
    if front:
        series.append(some(tr("no other is better"), front, joined=True))
    if tried.best.cell is not None:
        series.append(some(tr("recommended"), [tried.best.cell]))
    page.scatter(name, title, series, x_label, y_label, **more)


def _short(cell: Cell) -> str:
    """Parameters of a row beside its dot."""
    noise = f", {cell.pre_noise:g} m" if cell.pre_noise else ""
    step = f", {cell.step:g} m" if cell.step else ""
    more = f", {cell.released}" if cell.released is not None else ""
    made = f"ISGP {cell.radius:g} m" if cell.radius else f"{cell.sets}, {cell.size}{noise}{step}"
    return f"{made}{more}" + ("*" if cell.grouped else "")


def _error(cell: Cell, measure: str) -> float:
    error = cell.standard_error(measure)
    return error if error == error else 0.0


def _charts(page: PrivatePage, tried: Tried) -> None:
    plain = [cell for cell in tried.cells if cell.setting == Setting(cell.sets, cell.size)]
    if len(plain) < 2:
        return
    for name, label in (
        ("nearest_kept", tr("Nearest neighbours kept")),
        ("spearman", tr("Rank correlation of distances")),
        ("blur", tr("Blur")),
        ("map_error", tr("Map error")),
    ):
        if name == "blur" or name in tried.cells[0].values:
            limited = name == "nearest_kept" and tried.advice is None
            by_size(
                page,
                f"chart_{name}",
                label,
                plain,
                lambda cell, name=name: (cell.mean(name), _error(cell, name)),
                limits=((tried.nearest, tr("limit")),) if limited else (),
            )
    if tried.advice is not None:
        advice = tried.advice
        by_size(
            page,
            "chart_found",
            tr("Share of people found, with the largest overlap"),
            plain,
            lambda cell: (_found(advice, cell), 0.0),
            limits=((advice.limits.share, tr("limit")),),
        )


def _table(page: PrivatePage, tried: Tried) -> None:
    front = [tried.cells[row] for row in tried.front]

    def remark(cell: Cell) -> str:
        if cell is tried.best.cell:
            return tr("recommended")
        return tr("no other is better") if cell in front else ""

    # What decides comes first: the table is wider than the page.
    columns = [*parameter_columns(), *_defences(tried.cells), col("remark", tr("Remark"), remark)]
    if tried.advice is not None:
        columns += _risks(tried.advice, tried.cells)
    columns += [
        col(name, label, _mean(name), decimals=None if name == "utility" else 3)
        for name, label in (
            ("nearest_kept", tr("Nearest kept")),
            ("neighbours_kept", tr("10 nearest kept")),
            ("spearman", tr("Rank correlation")),
            ("median_ratio", tr("Released / true")),
            ("blur", tr("Blur")),
            ("map_error", tr("Map error")),
            ("utility", tr("Utility")),
            ("told", tr("Pairs told")),
            ("near_error", tr("Usual error of those")),
        )
        if name == "blur" or any(name in cell.values for cell in tried.cells)
    ]
    page.table("cells", [*columns, col("repeats", tr("Repetitions"))], tried.cells)


def _defences(cells: list[Cell]) -> list:
    """Columns of the defences that some row has."""
    columns = [
        ("pre_noise", tr("Noise before (m)"), lambda cell: cell.pre_noise),
        ("step", tr("Step (m)"), lambda cell: cell.step),
        ("grouped", tr("Groups"), lambda cell: tr("yes") if cell.grouped else ""),
        ("released", tr("Released"), lambda cell: cell.released),
        ("radius", tr("ISGP radius (m)"), lambda cell: cell.radius or None),
    ]
    return [col(*one) for one in columns if any(getattr(cell, one[0]) for cell in cells)]


def _risks(advice: Advice, cells: list[Cell]) -> list:
    """Columns of the table that attacks give."""
    labels = {
        "state": tr("State"),
        "found": tr("Found"),
        "found_low": tr("Found, lower end"),
        "found_high": tr("Found, upper end"),
        "worst_overlap": tr("Worst overlap (%)"),
        "worst_neighbours": tr("Worst: neighbours"),
        "precision": tr("Precision"),
        "precision_high": tr("Precision, upper end"),
        "draws": tr("Draws"),
        "proven": tr("Attacks not cut off"),
    }
    row = {id(cell): at for at, cell in enumerate(cells)}
    made = []
    for name, _, values in risk_columns(advice, cells):
        if name == "worst_neighbours":
            values = [tr("yes") if value else "" for value in values]
        if name == "state":
            values = [tr(_STATES[value]) for value in values]
        label = labels.get(name) or _label(name)
        whole = name in ("draws", "proven", "worst_overlap", "worst_neighbours", "state")
        made.append(
            col(
                name,
                label,
                lambda cell, values=values: values[row[id(cell)]],
                decimals=None if whole else 3,
            )
        )
    return made


def _label(name: str) -> str:
    """Of the upper end of one attack."""
    short = {value: key for key, value in SHORT.items()}
    attack, what = next((key, name[len(key) + 1 :]) for key in short if name.startswith(f"{key}_"))
    title = tr(verdicts.ATTACKS[short[attack]])
    if what == "found_high":
        return tr("{attack}: found, upper end").format(attack=title)
    return tr("{attack}: precision, upper end").format(attack=title)
