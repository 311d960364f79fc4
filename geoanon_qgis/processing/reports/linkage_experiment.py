# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of a linkage experiment: the papers' curves and the risk–utility map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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
from ..i18n import tr
from . import common, distances
from .linkage_attack import MOST_PRECISION


@dataclass(frozen=True)
class Experiment:
    """What the report tells of.

    Attributes
    ----------
    source_name : str
    rows : list of dict
        Finished cells, with the names of the output's columns.
    planned : int
        Cells of the grid.
    sentences : list of str
    left_out : list of (int, str)
    n_target, n_identification, overlap, repeats : int
    """

    source_name: str
    rows: list[dict[str, Any]]
    planned: int
    sentences: list[str]
    left_out: list[tuple[int, str]]
    n_target: int
    n_identification: int
    overlap: int
    repeats: int


def report(done: Experiment) -> Report:
    """Say how often the attack succeeds, by the parameters of the release."""
    rows = done.rows
    blocks: list = [
        Figures(
            (
                Figure("cells", tr("Cells finished"), len(rows),
                       note=tr("of {count}").format(count=done.planned)),
                Figure("repeats", tr("Attacks in each"), done.repeats),
                Figure("n_target", tr("Released records"), done.n_target),
                Figure("n_identification", tr("Known people"), done.n_identification),
                Figure("overlap", tr("in both"), done.overlap),
            )
        ),
    ]  # fmt: skip
    if len(rows) < done.planned:
        blocks.append(
            Notice(
                tr("The run was cancelled; the cells that were finished are shown."), "warning"
            )
        )
    return common.private_report(
        tr("Linkage experiment"),
        done.source_name,
        [
            Section(tr("What was done"), tuple(blocks), name="result"),
            Section(tr("Precision and recall"), _curves(rows), name="curves"),
            Section(tr("Risk and utility"), _maps(rows), name="risk_utility"),
            Section(tr("All cells"), (_table(rows),), name="rows"),
            Section(
                tr("Records kept out"),
                common.left_out(done.left_out, tr("records")),
                name="kept_out",
            ),
            common.how_it_was_done(
                " ".join(done.sentences),
                [
                    tr(
                        "Precision is the share of the adversary's links that are right, recall "
                        "the share of the people in both files that were found; means over the "
                        "repetitions, with standard errors. Utility is 1 / variance of the "
                        "deviation of released from true distances. The files are drawn once; "
                        "repetitions differ in the release."
                    )
                ],
                [distances.KROLL, distances.KROLL_SCHNELL],
            ),
        ],
    )


def setting(row: dict[str, Any]) -> str:
    """The parameters of a release in short."""
    if row.get("sets") is not None:
        return f"d = {row['sets']}, k = {row['size']}"
    amount = row.get("sigma") if row.get("sigma") is not None else row.get("scale")
    return f"σ = {amount:g}"


def _curves(rows: Sequence[dict[str, Any]]) -> tuple:
    charts = []
    if not rows:
        return ()
    embedded = rows[0].get("sets") is not None
    if embedded:  # one chart for each alpha, a line for each d, over k
        for alpha in dict.fromkeys(row["alpha"] for row in rows):
            mine = [row for row in rows if row["alpha"] == alpha]
            for measure, label in _measures():
                groups = {f"d = {sets}": [row for row in mine if row["sets"] == sets]
                          for sets in dict.fromkeys(row["sets"] for row in mine)}  # fmt: skip
                charts.append(_chart(
                    f"{label}, α = {alpha:g}", groups, "size",
                    tr("Points in each reference set (k)"), measure,
                    f"{measure}_{len(charts)}",
                ))  # fmt: skip
        return tuple(charts)
    amount = "sigma" if rows[0].get("sigma") is not None else "scale"
    for measure, label in _measures():
        groups = {f"α = {alpha:g}": [row for row in rows if row["alpha"] == alpha]
                  for alpha in dict.fromkeys(row["alpha"] for row in rows)}  # fmt: skip
        charts.append(_chart(label, groups, amount, tr("Size of the noise"), measure, measure))
    return tuple(charts)


def _measures() -> tuple[tuple[str, str], ...]:
    return (("precision", tr("Precision of the attack")), ("recall", tr("Recall of the attack")))


def _chart(title, groups, x: str, x_label: str, measure: str, name: str) -> Lines:
    series = []
    for label, rows in groups.items():
        rows = sorted(rows, key=lambda row: row[x])
        values = [_value(row, measure) for row in rows]
        errors = [_value(row, f"{measure}_se") for row in rows]
        series.append(
            Series(
                label, [row[x] for row in rows], values,
                [value - error for value, error in zip(values, errors)],
                [value + error for value, error in zip(values, errors)],
            )
        )  # fmt: skip
    limits = (Mark(MOST_PRECISION, "25 %"),) if measure == "precision" else ()
    return Lines(title, series, x_label, title, limits=limits, error_bars=True,
                 name=f"chart_{name}")  # fmt: skip


def _maps(rows: Sequence[dict[str, Any]]) -> tuple:
    charts = []
    for x, label, log in (("utility", tr("Utility: 1 / variance of the deviation"), True),
                          ("nearest_kept", tr("Nearest neighbours kept"), False)):  # fmt: skip
        series = []
        for alpha in dict.fromkeys(row["alpha"] for row in rows):
            mine = sorted((row for row in rows if row["alpha"] == alpha),
                          key=lambda row: _value(row, x))  # fmt: skip
            series.append(
                Dots(f"α = {alpha:g}", [_value(row, x) for row in mine],
                     [_value(row, "precision") for row in mine],
                     notes=[setting(row) for row in mine])
            )  # fmt: skip
        charts.append(
            Scatter(tr("Risk–utility map: precision against {what}").format(what=label), series,
                    label, tr("Precision of the attack"), x_log=log,
                    limits=(Mark(MOST_PRECISION, "25 %"),), name=f"map_{x}")
        )  # fmt: skip
    return tuple(charts)


def _value(row: dict[str, Any], name: str) -> float:
    value = row.get(name)
    return 0.0 if value is None or value != value else float(value)


def _table(rows: Sequence[dict[str, Any]]) -> Table:
    names = (
        ("alpha", "α", None), ("precision", tr("Precision"), 3), ("precision_se", "±", 3),
        ("recall", tr("Recall"), 3), ("recall_se", "±", 3), ("clique", tr("Clique"), 1),
        ("proven", tr("Proven"), 2), ("edges", tr("Edges"), 0), ("utility", tr("Utility"), None),
        ("nearest_kept", tr("Nearest kept"), 3), ("coverage", tr("Coverage"), 3),
    )  # fmt: skip
    return Table(
        (
            Column("setting", tr("Release")),
            *(Column(name, label, decimals=decimals) for name, label, decimals in names),
        ),
        [(setting(row), *(row.get(name) for name, _, _ in names)) for row in rows],
        name="cells",
    )
