# SPDX-License-Identifier: GPL-2.0-or-later
"""The report on parameters of an embedding that were tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.distances.choice import Cell, Recommendation
from ...report import (
    Column,
    Dots,
    Figure,
    Figures,
    Lines,
    Mark,
    Notice,
    Report,
    Scatter,
    Section,
    Series,
    Table,
)
from ..i18n import number_of, tr
from . import common, distances


@dataclass(frozen=True)
class Tried:
    """What the report tells of.

    Attributes
    ----------
    source_name : str
    cells : list of Cell
    front : list of int
        Rows that no other beats.
    best : Recommendation
    limit : float
        Of the attack's precision, or of the nearest neighbours kept.
    attacked : bool
    sentences : list of str
        How it was done.
    left_out : list of (int, str)
    unit : str
    """

    source_name: str
    cells: list[Cell]
    front: list[int]
    best: Recommendation
    limit: float
    attacked: bool
    sentences: list[str]
    left_out: list[tuple[int, str]]
    unit: str


def steps(source: str, best: Recommendation, nearest: Cell | None, attacked: bool) -> list[str]:
    """What to do next: which release to make, and how to attack it."""
    said = []
    if not attacked:
        said.append(
            tr(
                "Run it again with QIS=the attributes that an adversary may know: without them "
                "nobody is attacked, and the recommendation looks only at what is kept and how much "
                "distances are blurred."
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
            "The attack by likelihood, which finds more people than the papers' clique attack: it "
            "meets only rows that would be recommended, and none with LIKELIHOOD=0."
        )
    ]


def report(tried: Tried) -> Report:
    """Say which parameters to take, and show what all of them keep and risk."""
    best = tried.best
    notice = Notice(
        tr(best.sentence),
        "info" if best.cell is not None else "danger",
        tr("Recommended") if best.cell is not None else tr("Nothing qualifies"),
    )
    figures = [
        Figure("best_sets", tr("Recommended d"), best.cell.sets if best.cell else None),
        Figure("best_size", tr("Recommended k"), best.cell.size if best.cell else None),
        Figure(
            "qualifying",
            tr("Rows that meet the limit"),
            best.qualifying,
            note=tr("of {count}").format(count=len(tried.cells)),
        ),
    ]
    blocks = [Figures(figures), notice]
    return common.private_report(
        tr("Choosing embedding parameters"),
        tried.source_name,
        [
            Section(tr("Recommendation"), tuple(blocks), name="result"),
            Section(tr("Risk and utility"), _pictures(tried), name="pareto"),
            Section(tr("By parameters"), _charts(tried), name="charts"),
            Section(tr("All rows"), (_table(tried),), name="rows"),
            Section(
                tr("Records kept out"),
                common.left_out(
                    tried.left_out, number_of(len(tried.left_out), "record", "records")
                ),
                name="kept_out",
            ),
            common.how_it_was_done(
                " ".join(tried.sentences),
                [
                    *_attacks(tried),
                    tr(
                        "Utility is 1 / variance of released − true distance, as in the papers. "
                        "Blur is the spread of a pair's released distance over embeddings, as a "
                        "share of its mean (median over pairs). Map error is how far a map drawn "
                        "from the release by multidimensional scaling lies off, as a share of the "
                        "spread of the places (drawn for at most 500 records). A row is on the "
                        "Pareto front when no other is better in one respect and at least as good "
                        "in the other."
                    ),
                ],
                [distances.KROLL_SCHNELL, distances.KROLL],
            ),
        ],
    )


def _attacks(tried: Tried) -> list[str]:
    """How who is found was measured."""
    if not tried.attacked:
        return []
    said = [
        tr(
            "Charts, pictures and the Pareto front show the papers' clique attack, which meets "
            "every embedding. Precision is the share of the adversary's links that are right, "
            "recall the share of the people in both files that were found."
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


def _pictures(tried: Tried) -> tuple:
    if tried.attacked:
        return (
            _scatter(
                tried,
                "utility",
                "precision",
                tr("Risk and utility"),
                tr("Utility: 1 / variance of released − true"),
                tr("Precision of the clique attack"),
                x_unit=f"1/{tried.unit}²",
                x_log=True,
                limits=(Mark(tried.limit, tr("limit")),),
                name="risk_utility",
            ),
            _scatter(
                tried,
                "nearest_kept",
                "precision",
                tr("Risk and nearest neighbours"),
                tr("Nearest neighbours kept"),
                tr("Precision of the clique attack"),
                limits=(Mark(tried.limit, tr("limit")),),
                name="risk_nearest",
            ),
        )
    return (
        _scatter(
            tried,
            "nearest_kept",
            "blur",
            tr("Blur and nearest neighbours"),
            tr("Nearest neighbours kept"),
            tr("Blur"),
            marks=(Mark(tried.limit, tr("limit")),),
            name="blur_nearest",
        ),
    )


def _scatter(
    tried: Tried, x: str, y: str, title: str, x_label: str, y_label: str, **more
) -> Scatter:
    """All rows, the front, and the recommended row."""
    cells, best = tried.cells, tried.best.cell

    def dots(label: str, chosen: Sequence[Cell], joined: bool = False) -> Dots:
        chosen = sorted(chosen, key=lambda cell: cell.mean(x))
        return Dots(
            label,
            [cell.mean(x) for cell in chosen],
            [_at(cell, y) for cell in chosen],
            joined,
            [f"{cell.sets}, {cell.size}" for cell in chosen],
        )

    front = [cells[row] for row in tried.front]
    series = [dots(tr("d, k tried"), [cell for cell in cells if cell not in front])]
    if front:
        series.append(dots(tr("no other is better"), front, joined=True))
    if best is not None:
        series.append(dots(tr("recommended"), [best]))
    return Scatter(title, series, x_label, y_label, **more)


def _at(cell: Cell, measure: str) -> float:
    """Mean of a measure; an attack that names nobody has precision 0."""
    value = cell.mean(measure)
    return 0.0 if measure == "precision" and value != value else value


def _charts(tried: Tried) -> tuple:
    measures = [
        ("nearest_kept", tr("Nearest neighbours kept")),
        ("spearman", tr("Rank correlation of distances")),
        ("blur", tr("Blur")),
        ("map_error", tr("Map error")),
        ("precision", tr("Precision of the clique attack")),
        ("recall", tr("Recall of the clique attack")),
    ]
    charts = []
    for name, label in measures:
        if name != "blur" and name not in tried.cells[0].values:
            continue
        series = []
        for sets in dict.fromkeys(cell.sets for cell in tried.cells):
            mine = [cell for cell in tried.cells if cell.sets == sets]
            means = [_at(cell, name) for cell in mine]
            errors = [cell.standard_error(name) for cell in mine]
            errors = [error if error == error else 0.0 for error in errors]
            series.append(
                Series(
                    f"d = {sets}",
                    [cell.size for cell in mine],
                    means,
                    [mean - error for mean, error in zip(means, errors)],
                    [mean + error for mean, error in zip(means, errors)],
                )
            )
        limits = (
            (Mark(tried.limit, tr("limit")),)
            if name == ("precision" if tried.attacked else "nearest_kept")
            else ()
        )
        charts.append(
            Lines(
                label,
                series,
                tr("Points in each reference set (k)"),
                label,
                limits=limits,
                error_bars=True,
                name=f"chart_{name}",
            )
        )
    return tuple(charts)


def _table(tried: Tried) -> Table:
    names = [
        name
        for name in (
            "precision",
            "recall",
            "nearest_kept",
            "neighbours_kept",
            "spearman",
            "median_ratio",
            "blur",
            "map_error",
            "utility",
            "proven",
        )
        if name == "blur" or name in tried.cells[0].values
    ]
    labels = {
        "precision": tr("Clique: precision"),
        "recall": tr("Clique: recall"),
        "nearest_kept": tr("Nearest kept"),
        "neighbours_kept": tr("10 nearest kept"),
        "spearman": tr("Rank correlation"),
        "median_ratio": tr("Released / true"),
        "blur": tr("Blur"),
        "map_error": tr("Map error"),
        "utility": tr("Utility"),
        "proven": tr("Cliques proven"),
    }
    found = [tried.best.found.get((cell.sets, cell.size)) for cell in tried.cells]
    stronger = [("precision", tr("Likelihood: precision")), ("recall", tr("Likelihood: recall"))]
    stronger = stronger if tried.best.found else []
    marks = {
        row: tr("ruled out")
        for row, one in enumerate(found)
        if one is not None and one.precision > tried.limit
    }
    marks.update({row: tr("no other is better") for row in tried.front if row not in marks})
    marks.update(
        {row: tr("recommended") for row, cell in enumerate(tried.cells) if cell is tried.best.cell}
    )
    # What decides comes first: the table is wider than the page.
    return Table(
        (
            Column("sets", tr("d")),
            Column("size", tr("k")),
            Column("remark", tr("Remark")),
            *(Column(f"likelihood_{name}", label, decimals=3) for name, label in stronger),
            *(
                Column(name, labels[name], decimals=None if name == "utility" else 3)
                for name in names
            ),
            Column("repeats", tr("Repetitions")),
        ),
        [
            (
                cell.sets,
                cell.size,
                marks.get(row, ""),
                *(
                    None if found[row] is None else getattr(found[row], name)
                    for name, _ in stronger
                ),
                *(_at(cell, name) for name in names),
                cell.repeats,
            )
            for row, cell in enumerate(tried.cells)
        ],
        name="cells",
    )
