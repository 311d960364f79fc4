# SPDX-License-Identifier: GPL-2.0-or-later
"""The report on parameters of an embedding that were tried."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.distances.choice import Recommendation
from ...core.distances.trials import Cell
from ...report import Report, col
from .. import literature
from ..i18n import tr
from .common import Context, PrivatePage
from .parameters import by_size, dots, parameter_columns


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
    limit : float
        Of the attack's precision, or of the nearest neighbours kept.
    attacked : bool
    """

    about: Context
    cells: list[Cell]
    front: list[int]
    best: Recommendation
    limit: float
    attacked: bool


def steps(source: str, best: Recommendation, nearest: Cell | None, attacked: bool) -> list[str]:
    """What to do next: which release to make, and how to attack it."""
    said = []
    if not attacked:
        said.append(
            tr(
                "Run it again with QIS=the attributes that an adversary may know: without them "
                "nobody is attacked, and the recommendation looks only at what is kept and how "
                "much distances are blurred."
            )
        )
    elif best.cell is None:
        return [
            tr(
                "No row qualifies; the verdict is on the one that comes nearest (SETS={sets}, "
                "SIZE={size}). Try fewer and larger reference sets, or give fewer attributes away."
            ).format(sets=nearest.sets, size=nearest.size)
        ]
    if best.cell is None:
        return said
    return [
        *said,
        tr(
            "The verdict is on the recommended row: “Lipschitz embedding release” "
            "(geoanon:lipschitzrelease) with INPUT={source}, SETS={sets}, SIZE={size} makes such a "
            "release."
        ).format(source=source, sets=best.cell.sets, size=best.cell.size),
        tr(
            "Attack that very release (geoanon:linkageattack) with IDENTIFICATION=the largest file "
            "that an adversary may have: here he knows a tenth of the released people only."
        ),
    ]


def not_run(best: Recommendation, nearest: Cell | None, attacked: bool) -> list[str]:
    """Which of the attacks the row of the verdict has not met."""
    if not attacked or (nearest.sets, nearest.size) in best.found:
        return []
    return [
        tr(
            "The attack by likelihood, which finds some whom the others do not: it meets only rows "
            "that would be recommended, and none with LIKELIHOOD=0."
        )
    ]


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
        [literature.KROLL_SCHNELL, literature.KROLL],
    )
    return page.report()


def _result(page: PrivatePage, tried: Tried) -> None:
    best = tried.best
    found = best.cell is not None
    page.section(tr("Recommendation"), "result")
    page.figure(
        "best_sets",
        tr("Recommended d"),
        best.cell.sets if found else None,
        tr("How many sets of random reference points to use. More sets keep distances better."),
    )
    page.figure(
        "best_size",
        tr("Recommended k"),
        best.cell.size if found else None,
        tr("How many points to put into each set. Larger sets blur distances more."),
    )
    page.figure(
        "qualifying",
        tr("Rows that meet the limit"),
        best.qualifying,
        tr("Pairs of d and k that are safe enough by the limit that was given."),
        note=tr("of {count}").format(count=len(tried.cells)),
    )
    kind, title = ("info", tr("Recommended")) if found else ("danger", tr("Nothing qualifies"))
    page.notice(best.sentence, kind, title)


def _attacks(tried: Tried) -> list[str]:
    """How who is found was measured."""
    if not tried.attacked:
        return []
    said = [
        tr(
            "Two attacks meet every embedding: the papers' clique, and the near group, which looks "
            "for people who live near each other and mostly finds more; for it others are released "
            "and known in every embedding. Charts, pictures and the Pareto front show the one that "
            "did better. Precision is the share of the adversary's links that are right, recall "
            "the share of the people in both files that were found."
        )
    ]
    if tried.best.found:
        said.append(
            tr(
                "The attack by likelihood takes longer. It meets only rows that would be "
                "recommended, the most useful first, until one holds: a row without its figures "
                "was not tried, and may be open to it."
            )
        )
    return said


def _pictures(page: PrivatePage, tried: Tried) -> None:
    kept, precision = tr("Nearest neighbours kept"), tr("Precision of the attacks")
    limit = ((tried.limit, tr("limit")),)
    if not tried.attacked:
        measures = ("nearest_kept", "blur")
        title = tr("Blur and nearest neighbours")
        _scatter(page, tried, "blur_nearest", *measures, title, kept, tr("Blur"), marks=limit)
        return
    _scatter(
        page,
        tried,
        "risk_utility",
        "utility",
        "precision",
        tr("Risk and utility"),
        tr("Utility: 1 / variance of released − true"),
        precision,
        x_unit=f"1/{tried.about.unit}²",
        x_log=True,
        limits=limit,
    )
    measures, title = ("nearest_kept", "precision"), tr("Risk and nearest neighbours")
    _scatter(page, tried, "risk_nearest", *measures, title, kept, precision, limits=limit)


def _scatter(page, tried: Tried, name: str, x: str, y: str, title, x_label, y_label, **more):
    """All rows, the front, and the recommended row."""

    def some(label: str, chosen: list[Cell], joined: bool = False) -> tuple:
        return dots(
            label,
            chosen,
            lambda cell: cell.mean(x),
            lambda cell: _at(cell, y),
            lambda cell: f"{cell.sets}, {cell.size}",
            joined,
        )

    front = [tried.cells[row] for row in tried.front]
    series = [some(tr("d, k tried"), [cell for cell in tried.cells if cell not in front])]
    if front:
        series.append(some(tr("no other is better"), front, joined=True))
    if tried.best.cell is not None:
        series.append(some(tr("recommended"), [tried.best.cell]))
    page.scatter(name, title, series, x_label, y_label, **more)


def _at(cell: Cell, measure: str) -> float:
    """Mean of a measure; an attack that names nobody has precision 0."""
    value = cell.mean(measure)
    return 0.0 if measure == "precision" and value != value else value


def _error(cell: Cell, measure: str) -> float:
    error = cell.standard_error(measure)
    return error if error == error else 0.0


def _charts(page: PrivatePage, tried: Tried) -> None:
    limited = "precision" if tried.attacked else "nearest_kept"
    for name, label in (
        ("nearest_kept", tr("Nearest neighbours kept")),
        ("spearman", tr("Rank correlation of distances")),
        ("blur", tr("Blur")),
        ("map_error", tr("Map error")),
        ("precision", tr("Precision of the attacks")),
        ("recall", tr("Recall of the attacks")),
    ):
        if name == "blur" or name in tried.cells[0].values:
            by_size(
                page,
                f"chart_{name}",
                label,
                tried.cells,
                lambda cell, name=name: (_at(cell, name), _error(cell, name)),
                limits=((tried.limit, tr("limit")),) if name == limited else (),
            )


def _table(page: PrivatePage, tried: Tried) -> None:
    best, found = tried.best, tried.best.found
    front = [tried.cells[row] for row in tried.front]

    def remark(cell: Cell) -> str:
        if cell is best.cell:
            return tr("recommended")
        met = found.get((cell.sets, cell.size))
        if met is not None and met.precision > tried.limit:
            return tr("ruled out")
        return tr("no other is better") if cell in front else ""

    def stronger(name: str):
        return lambda cell: getattr(found.get((cell.sets, cell.size)), name, None)

    measures = [
        ("precision", tr("Precision")),
        ("recall", tr("Recall")),
        ("clique_recall", tr("Clique: recall")),
        ("near_recall", tr("Near group: recall")),
        ("nearest_kept", tr("Nearest kept")),
        ("neighbours_kept", tr("10 nearest kept")),
        ("spearman", tr("Rank correlation")),
        ("median_ratio", tr("Released / true")),
        ("blur", tr("Blur")),
        ("map_error", tr("Map error")),
        ("utility", tr("Utility")),
        ("proven", tr("Attacks not cut off")),
    ]
    # What decides comes first: the table is wider than the page.
    columns = [*parameter_columns(), col("remark", tr("Remark"), remark)]
    if found:
        columns += [
            col(
                "likelihood_precision",
                tr("Likelihood: precision"),
                stronger("precision"),
                decimals=3,
            ),
            col("likelihood_recall", tr("Likelihood: recall"), stronger("recall"), decimals=3),
        ]
    columns += [
        col(
            name,
            label,
            lambda cell, name=name: _at(cell, name),
            decimals=None if name == "utility" else 3,
        )
        for name, label in measures
        if name == "blur" or name in tried.cells[0].values
    ]
    page.table("cells", [*columns, col("repeats", tr("Repetitions"))], tried.cells)
