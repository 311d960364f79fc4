# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of a linkage experiment: both attacks, the papers' curves, the risk–utility map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.distances.choice import MOST_PRECISION
from ...core.experiments.linkage import CLIQUE, LIKELIHOOD
from ...core.verdict import RELEASE_WITH_CARE, Verdict
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
from ..verdicts import decision_title
from . import common, distances


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
    judged : dict of str to Verdict
        By release.
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
    judged: Mapping[str, Verdict]


def steps(rows: Sequence[dict[str, Any]], judged: Mapping[str, Verdict]) -> list[str]:
    """What to do next: which kinds of release held, and which did not."""
    held = [release for release, verdict in judged.items() if verdict.decision == RELEASE_WITH_CARE]
    names = {row["release"]: setting(row) for row in rows}
    about = tr(
        "The verdict is on all releases that were tried together, so the worst decides; the "
        "report has a verdict on each."
    )
    if not held:
        return [
            about,
            tr(
                "No release held. Try others: fewer and larger reference sets, more "
                "noise, fewer attributes (QIS)."
            ),
        ]
    return [
        about,
        tr(
            "Held: {names}. Make one of these, and attack that very release "
            "(geoanon:linkageattack) with IDENTIFICATION=the largest file that an adversary may "
            "have."
        ).format(names="; ".join(names[release] for release in held)),
    ]


def not_run(attacks: Sequence[str]) -> list[str]:
    """Which of the attacks were left out."""
    missing = [name for name in (CLIQUE, LIKELIHOOD) if name not in attacks]
    return [
        tr("ATTACK={attack}: the worse of the two counts, so run it, too (ATTACK=both).").format(
            attack=name
        )
        for name in missing
    ]


def _verdicts(done: Experiment) -> tuple:
    """A verdict on each release."""
    rows = []
    names = {row["release"]: setting(row) for row in done.rows}
    for release, verdict in done.judged.items():
        worst = verdict.worst
        rows.append(
            (
                names[release],
                decision_title(verdict.decision),
                100 * worst.share,
                100 * verdict.low,
                100 * verdict.high,
            )
        )
    return (
        Table(
            (
                Column("setting", tr("Release")),
                Column("decision", tr("Verdict")),
                Column("share", tr("People found by the worst attack"), unit="%", decimals=1),
                Column("low", tr("from"), unit="%", decimals=1),
                Column("high", tr("to"), unit="%", decimals=1),
            ),
            rows,
            caption=tr(
                "Mean share of the people in both files who were found, with a 95 % "
                "interval: other people and other releases might have been drawn. 100 % "
                "where an attack was cut off."
            ),
            name="verdicts",
        ),
    )


def report(done: Experiment) -> Report:
    """Say how often the attack succeeds, by the parameters of the release."""
    rows = done.rows
    blocks: list = [
        Figures(
            (
                Figure(
                    "cells",
                    tr("Cells finished"),
                    len(rows),
                    note=tr("of {count}").format(count=done.planned),
                ),
                Figure("repeats", tr("Attacks in each"), done.repeats),
                Figure("n_target", tr("Released records"), done.n_target),
                Figure("n_identification", tr("Known people"), done.n_identification),
                Figure("overlap", tr("in both"), done.overlap),
            )
        ),
    ]
    if len(rows) < done.planned:
        blocks.append(
            Notice(tr("The run was cancelled; the cells that were finished are shown."), "warning")
        )
    cut = sum(row.get("proven") is not None and row["proven"] < 1 for row in rows)
    if cut:
        blocks.append(
            Notice(
                tr(
                    "In {cells}, attacks were cut off by a limit: with more time they may find more "
                    "people. No release is safe because of figures of these."
                ).format(cells=number_of(cut, "cell", "cells")),
                "warning",
            )
        )
    return common.private_report(
        tr("Linkage experiment"),
        done.source_name,
        [
            Section(tr("What was done"), tuple(blocks), name="result"),
            Section(tr("A verdict on each release"), _verdicts(done), name="verdicts"),
            Section(tr("Both attacks side by side"), _beside(rows), name="side_by_side"),
            Section(tr("Precision and recall"), _curves(rows), name="curves"),
            Section(tr("Risk and utility"), _maps(rows), name="risk_utility"),
            Section(tr("All cells"), (_table(rows),), name="rows"),
            Section(
                tr("Records kept out"),
                common.left_out(done.left_out, number_of(len(done.left_out), "record", "records")),
                name="kept_out",
            ),
            common.how_it_was_done(
                " ".join(done.sentences),
                [
                    tr(
                        "Precision is the share of the adversary's links that are right, recall "
                        "the share of the people in both files that were found; means over the "
                        "repetitions, with standard errors. A repetition in which an attack claims "
                        "nobody has no precision and is left out of its mean; where all of them "
                        "claim nobody, the charts show 0. Utility is "
                        "1 / variance of the deviation of released from true distances. The files "
                        "are drawn once; repetitions differ in the release, and all attacks meet "
                        "the same releases."
                    ),
                    tr(
                        "The clique attack is the papers'; alpha is the share of true pairs that "
                        "it accepts. The attack by likelihood is ours: it weighs how likely each "
                        "released distance is, draws a map of the released records, and claims "
                        "only matches of which it is sure enough, so that it has no alpha."
                    ),
                ],
                [distances.KROLL, distances.KROLL_SCHNELL],
            ),
        ],
    )


def setting(row: dict[str, Any]) -> str:
    """The parameters of a release in short."""
    if row.get("sets") is not None:  # no line ends within "d = 20"
        return f"d\u00a0=\u00a0{row['sets']}, k\u00a0=\u00a0{row['size']}"
    if row.get("sigma") is not None:
        return f"σ\u00a0=\u00a0{row['sigma']:g}{'°' if row.get('in_degrees') else ''}"
    return f"{'b' if row.get('distribution') == 'laplace' else 'σ'}\u00a0=\u00a0{row['scale']:g}"


def attack(row: dict[str, Any]) -> str:
    """The attack in short."""
    if row["attack"] != CLIQUE:
        return tr("likelihood")
    return tr("clique, α\u00a0=\u00a0{alpha:g}").format(alpha=row["alpha"])


def _by_attack(rows: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(attack(row), []).append(row)
    return groups


def _beside(rows: Sequence[dict[str, Any]]) -> tuple:
    """For every release the clique with the alpha that finds most people, and the likelihood."""
    releases: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        releases.setdefault(row["release"], []).append(row)
    pairs = []
    for cells in releases.values():
        cliques = [row for row in cells if row["attack"] == CLIQUE]
        ours = [row for row in cells if row["attack"] == LIKELIHOOD]
        if cliques and ours:
            pairs.append((max(cliques, key=lambda row: _value(row, "recall")), ours[0]))
    if not pairs:
        return ()
    more = sum(_value(ours, "recall") > _value(clique, "recall") for clique, ours in pairs)
    fewer = sum(_value(ours, "recall") < _value(clique, "recall") for clique, ours in pairs)
    table = Table(
        (
            Column("setting", tr("Release")),
            Column("alpha", tr("Clique: best α"), decimals=None),
            Column("clique_precision", tr("Clique: precision"), decimals=3),
            Column("clique_recall", tr("Clique: recall"), decimals=3),
            Column("likelihood_precision", tr("Likelihood: precision"), decimals=3),
            Column("likelihood_recall", tr("Likelihood: recall"), decimals=3),
        ),
        [
            (
                setting(clique),
                clique["alpha"],
                clique["precision"],
                clique["recall"],
                ours["precision"],
                ours["recall"],
            )
            for clique, ours in pairs
        ],
        name="side_by_side",
    )
    return (
        Notice(
            tr(
                "Releases for which both attacks are done: {all}. The attack by likelihood found "
                "more people than the clique in {more} of them and fewer in {fewer}. A release is "
                "as safe as the stronger of the two leaves it."
            ).format(all=len(pairs), more=more, fewer=fewer),
            "info",
        ),
        table,
    )


def _curves(rows: Sequence[dict[str, Any]]) -> tuple:
    charts = []
    if not rows:
        return ()
    embedded = rows[0].get("sets") is not None
    if embedded:  # one chart for each attack, a line for each d, over k
        for name, mine in _by_attack(rows).items():
            for measure, label in _measures():
                groups = {
                    f"d = {sets}": [row for row in mine if row["sets"] == sets]
                    for sets in dict.fromkeys(row["sets"] for row in mine)
                }
                charts.append(
                    _chart(
                        f"{label}: {name}",
                        groups,
                        "size",
                        tr("Points in each reference set (k)"),
                        label,
                        measure,
                        f"{measure}_{len(charts)}",
                    )
                )
        return tuple(charts)
    amount = "sigma" if rows[0].get("sigma") is not None else "scale"
    for measure, label in _measures():
        charts.append(
            _chart(
                label, _by_attack(rows), amount, tr("Size of the noise"), label, measure, measure
            )
        )
    return tuple(charts)


def _measures() -> tuple[tuple[str, str], ...]:
    return (("precision", tr("Precision of the attack")), ("recall", tr("Recall of the attack")))


def _chart(title, groups, x: str, x_label: str, y_label: str, measure: str, name: str) -> Lines:
    series = []
    for label, rows in groups.items():
        rows = sorted(rows, key=lambda row: row[x])
        values = [_value(row, measure) for row in rows]
        errors = [_value(row, f"{measure}_se") for row in rows]
        series.append(
            Series(
                label,
                [row[x] for row in rows],
                values,
                [value - error for value, error in zip(values, errors)],
                [value + error for value, error in zip(values, errors)],
            )
        )
    limits = (Mark(MOST_PRECISION, "25 %"),) if measure == "precision" else ()
    return Lines(
        title, series, x_label, y_label, limits=limits, error_bars=True, name=f"chart_{name}"
    )


def _maps(rows: Sequence[dict[str, Any]]) -> tuple:
    charts = []
    for x, label, log in (
        ("utility", tr("Utility: 1 / variance of the deviation"), True),
        ("nearest_kept", tr("Nearest neighbours kept"), False),
    ):
        series = []
        for name, mine in _by_attack(rows).items():
            mine = sorted(mine, key=lambda row: _value(row, x))
            series.append(
                Dots(
                    name,
                    [_value(row, x) for row in mine],
                    [_value(row, "precision") for row in mine],
                    notes=[setting(row) for row in mine],
                )
            )
        charts.append(
            Scatter(
                tr("Risk–utility map: precision against {what}").format(what=label),
                series,
                label,
                tr("Precision of the attack"),
                x_log=log,
                limits=(Mark(MOST_PRECISION, "25 %"),),
                name=f"map_{x}",
            )
        )
    return tuple(charts)


def _value(row: dict[str, Any], name: str) -> float:
    value = row.get(name)
    return 0.0 if value is None or value != value else float(value)


def _table(rows: Sequence[dict[str, Any]]) -> Table:
    names = (
        ("precision", tr("Precision"), 3),
        ("precision_se", "±", 3),
        ("recall", tr("Recall"), 3),
        ("recall_se", "±", 3),
        ("matches", tr("Matches"), 1),
        ("proven", tr("Proven"), 2),
        ("edges", tr("Edges"), 0),
        ("utility", tr("Utility"), None),
        ("nearest_kept", tr("Nearest kept"), 3),
        ("coverage", tr("Coverage"), 3),
    )
    return Table(
        (
            Column("setting", tr("Release")),
            Column("attack", tr("Attack")),
            *(Column(name, label, decimals=decimals) for name, label, decimals in names),
        ),
        [(setting(row), attack(row), *(row.get(name) for name, _, _ in names)) for row in rows],
        name="cells",
    )
