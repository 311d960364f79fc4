# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of a linkage experiment: both attacks, the papers' curves, the risk–utility map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.distances.choice import MOST_PRECISION
from ...core.experiments.design import CLIQUE, LIKELIHOOD, LinkageExperiment
from ...core.verdict import RELEASE_WITH_CARE, Verdict
from ...report import Report, col
from .. import literature
from ..i18n import number_of, tr
from ..verdicts import decision_title
from .common import Context, PrivatePage
from .parameters import dots, lines_with_errors

#: The papers' limit of the precision, as a level line.
_LIMIT = ((MOST_PRECISION, "25 %"),)


@dataclass(frozen=True)
class Experiment:
    """What the report tells of.

    Attributes
    ----------
    about : Context
    experiment : LinkageExperiment
    rows : list of dict
        Finished cells, with the names of the output's columns.
    judged : dict of str to Verdict
        By release.
    """

    about: Context
    experiment: LinkageExperiment
    rows: list[dict[str, Any]]
    judged: Mapping[str, Verdict]


def steps(rows: Sequence[dict[str, Any]], judged: Mapping[str, Verdict]) -> list[str]:
    """What to do next: which kinds of release held, and which did not."""
    held = [release for release, verdict in judged.items() if verdict.decision == RELEASE_WITH_CARE]
    names = {row["release"]: setting(row) for row in rows}
    about = tr(
        "The verdict is on all releases that were tried together, so the worst decides; the report "
        "has a verdict on each."
    )
    if not held:
        return [
            about,
            tr(
                "No release held. Try others: fewer and larger reference sets, more noise, fewer "
                "attributes (QIS)."
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


def report(done: Experiment) -> Report:
    """Say how often the attack succeeds, by the parameters of the release."""
    page = PrivatePage(tr("Linkage experiment"), done.about.source)
    _done(page, done)
    _verdicts(page, done)
    page.section(tr("Both attacks side by side"), "side_by_side")
    _beside(page, done.rows)
    page.section(tr("Precision and recall"), "curves")
    _curves(page, done.rows)
    page.section(tr("Risk and utility"), "risk_utility")
    _maps(page, done.rows)
    page.section(tr("All cells"), "rows")
    _table(page, done.rows)
    page.kept_out(done.about.left_out)
    page.method(
        [
            done.about.sentences,
            tr(
                "Precision is the share of the adversary's links that are right, recall the share "
                "of the people in both files that were found; means over the repetitions, with "
                "standard errors. A repetition in which an attack claims nobody has no precision "
                "and is left out of its mean; where all of them claim nobody, the charts show 0. "
                "Utility is 1 / variance of the deviation of released from true distances. The "
                "files are drawn once; repetitions differ in the release, and all attacks meet the "
                "same releases."
            ),
            tr(
                "The clique attack is the papers'; alpha is the share of true pairs that it "
                "accepts. The attack by likelihood is ours: it weighs how likely each released "
                "distance is, draws a map of the released records, and claims only matches of "
                "which it is sure enough, so that it has no alpha."
            ),
        ],
        [literature.KROLL, literature.KROLL_SCHNELL],
    )
    return page.report()


def _done(page: PrivatePage, done: Experiment) -> None:
    rows, experiment = done.rows, done.experiment
    planned = len(experiment.cells)
    page.section(tr("What was done"), "result")
    page.figure(
        "cells",
        tr("Cells finished"),
        len(rows),
        tr("A cell is one kind of release met by one attack."),
        note=tr("of {count}").format(count=planned),
    )
    page.figure(
        "repeats",
        tr("Attacks in each"),
        experiment.repeats,
        tr("Each time on a release that was made anew; the figures are means."),
    )
    page.figure(
        "n_target",
        tr("Released records"),
        experiment.n_target,
        tr("People whose distances are given away."),
    )
    page.figure(
        "n_identification",
        tr("Known people"),
        experiment.n_identification,
        tr("People whose names and places the adversary has."),
    )
    page.figure(
        "overlap",
        tr("in both"),
        experiment.overlap,
        tr("Only these can be found; he does not know who they are."),
    )
    if len(rows) < planned:
        page.warn([tr("The run was cancelled; the cells that were finished are shown.")])
    cut = sum(row.get("proven") is not None and row["proven"] < 1 for row in rows)
    if cut:
        page.warn(
            [
                tr(
                    "In {cells}, attacks were cut off by a limit: with more time they may find "
                    "more people. No release is safe because of figures of these."
                ).format(cells=number_of(cut, "cell", "cells"))
            ]
        )


def _verdicts(page: PrivatePage, done: Experiment) -> None:
    """A verdict on each release."""
    names = {row["release"]: setting(row) for row in done.rows}
    page.section(tr("A verdict on each release"), "verdicts")
    page.table(
        "verdicts",
        [
            col("setting", tr("Release")),
            col("decision", tr("Verdict")),
            col("share", tr("People found by the worst attack"), unit="%", decimals=1),
            col("low", tr("from"), unit="%", decimals=1),
            col("high", tr("to"), unit="%", decimals=1),
        ],
        [
            (
                names[release],
                decision_title(verdict.decision),
                *(100 * share for share in (verdict.worst.share, verdict.low, verdict.high)),
            )
            for release, verdict in done.judged.items()
        ],
        tr(
            "Mean share of the people in both files who were found, with a 95 % interval: other "
            "people and other releases might have been drawn. 100 % where an attack was cut off."
        ),
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


def _grouped(rows: Sequence[dict[str, Any]], key) -> dict[str, list[dict[str, Any]]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def _beside(page: PrivatePage, rows: Sequence[dict[str, Any]]) -> None:
    """For every release the clique with the alpha that finds most people, and the likelihood."""
    pairs = []
    for cells in _grouped(rows, lambda row: row["release"]).values():
        cliques = [row for row in cells if row["attack"] == CLIQUE]
        ours = [row for row in cells if row["attack"] == LIKELIHOOD]
        if cliques and ours:
            pairs.append((max(cliques, key=lambda row: _value(row, "recall")), ours[0]))
    if not pairs:
        return
    recalls = [[_value(row, "recall") for row in pair] for pair in pairs]
    page.notice(
        tr(
            "Releases for which both attacks are done: {all}. The attack by likelihood found more "
            "people than the clique in {more} of them and fewer in {fewer}. A release is as safe "
            "as the stronger of the two leaves it."
        ).format(
            all=len(pairs),
            more=sum(ours > clique for clique, ours in recalls),
            fewer=sum(ours < clique for clique, ours in recalls),
        )
    )
    page.table(
        "side_by_side",
        [
            col("setting", tr("Release"), lambda pair: setting(pair[0])),
            col("alpha", tr("Clique: best α"), lambda pair: pair[0]["alpha"]),
            *(
                col(
                    f"{kind}_{name}",
                    label,
                    lambda pair, at=at, name=name: pair[at][name],
                    decimals=3,
                )
                for at, kind, name, label in (
                    (0, "clique", "precision", tr("Clique: precision")),
                    (0, "clique", "recall", tr("Clique: recall")),
                    (1, "likelihood", "precision", tr("Likelihood: precision")),
                    (1, "likelihood", "recall", tr("Likelihood: recall")),
                )
            ),
        ],
        pairs,
    )


def _curves(page: PrivatePage, rows: Sequence[dict[str, Any]]) -> None:
    """Of embeddings a chart for each attack and a line for each d; of noise a line for each attack."""
    if not rows:
        return
    embedded = rows[0].get("sets") is not None
    amount = "size" if embedded else "sigma" if rows[0].get("sigma") is not None else "scale"
    x_label = tr("Points in each reference set (k)") if embedded else tr("Size of the noise")
    number = 0
    for name, mine in _grouped(rows, attack).items() if embedded else [("", rows)]:
        groups = _grouped(mine, (lambda row: f"d = {row['sets']}") if embedded else attack)
        for measure, label in (
            ("precision", tr("Precision of the attack")),
            ("recall", tr("Recall of the attack")),
        ):
            lines_with_errors(
                page,
                f"chart_{measure}_{number}" if embedded else f"chart_{measure}",
                f"{label}: {name}" if embedded else label,
                {
                    line: [
                        (row[amount], _value(row, measure), _value(row, f"{measure}_se"))
                        for row in some
                    ]
                    for line, some in groups.items()
                },
                x_label,
                label,
                limits=_LIMIT if measure == "precision" else (),
            )
            number += 1


def _maps(page: PrivatePage, rows: Sequence[dict[str, Any]]) -> None:
    for x, label, log in (
        ("utility", tr("Utility: 1 / variance of the deviation"), True),
        ("nearest_kept", tr("Nearest neighbours kept"), False),
    ):
        page.scatter(
            f"map_{x}",
            tr("Risk–utility map: precision against {what}").format(what=label),
            [
                dots(
                    name,
                    mine,
                    lambda row, x=x: _value(row, x),
                    lambda row: _value(row, "precision"),
                    setting,
                )
                for name, mine in _grouped(rows, attack).items()
            ],
            label,
            tr("Precision of the attack"),
            x_log=log,
            limits=_LIMIT,
        )


def _value(row: dict[str, Any], name: str) -> float:
    value = row.get(name)
    return 0.0 if value is None or value != value else float(value)


def _table(page: PrivatePage, rows: Sequence[dict[str, Any]]) -> None:
    measures = (
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
    page.table(
        "cells",
        [
            col("setting", tr("Release"), setting),
            col("attack", tr("Attack"), attack),
            *(
                col(name, label, lambda row, name=name: row.get(name), decimals=decimals)
                for name, label, decimals in measures
            ),
        ],
        rows,
    )
