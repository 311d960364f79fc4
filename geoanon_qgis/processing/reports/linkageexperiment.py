# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of a linkage experiment: all attacks, the papers' curves, the risk–utility map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.distances.choice import MOST_PRECISION
from ...core.experiments.design import (
    CLIQUE,
    LIKELIHOOD,
    LOCAL_MAPS,
    NEAR_GROUP,
    LinkageExperiment,
    attacks_on,
)
from ...core.experiments.verdicts import is_spared
from ...core.verdict import Verdict
from ...report import Report, col
from .. import literature
from ..i18n import number_of, tr
from ..verdicts import decision_title
from . import several_releases
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
    """What to do next: which kinds of release the attacks spared, and which they did not."""
    spared = [release for release, verdict in judged.items() if is_spared(verdict)]
    names = {row["release"]: setting(row) for row in rows}
    about = tr(
        "The verdict is on all releases that were tried together, so the worst decides; the report "
        "has a verdict on each."
    )
    if not spared:
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
            "Spared: {names}. Make one of these, and attack that very release "
            "(geoanon:linkageattack, METHOD=strongest) with IDENTIFICATION=the largest file that "
            "an adversary may have: an experiment has no attack by signatures."
        ).format(names="; ".join(names[release] for release in spared)),
        *several_releases.step(rows),
    ]


def not_run(experiment: LinkageExperiment) -> list[str]:
    """Which of the attacks were left out."""
    possible = attacks_on(experiment.releases[0])
    said = [
        tr("ATTACK={attack}: the worst of them counts, so run it, too (ATTACK=all).").format(
            attack=name
        )
        for name in possible
        if name not in experiment.attacks
    ]
    if LOCAL_MAPS in possible:
        said.append(
            tr(
                "Attacks on the labels of an ISGP release: what is said here is of the distances "
                "alone (METHOD distances of “ISGP release”)."
            )
        )
    return said


def report(done: Experiment) -> Report:
    """Say how often the attack succeeds, by the parameters of the release."""
    page = PrivatePage(tr("Linkage experiment"), done.about.source)
    isgp = LOCAL_MAPS in attacks_on(done.experiment.releases[0])
    _done(page, done)
    _verdicts(page, done)
    page.section(tr("The attacks side by side"), "side_by_side")
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
                "accepts. The others are ours, claim only matches of which they are sure enough, "
                "and have no alpha: likelihood weighs how likely each released distance is and "
                "draws a map of the released records; the near group is made of people who live "
                "near each other, whose distances a release keeps best."
            ),
            *several_releases.method(done.experiment),
            *([_of_isgp()] if isgp else []),
        ],
        [literature.KROLL, literature.KROLL_SCHNELL, *([literature.ISGP] if isgp else [])],
    )
    return page.report()


def _of_isgp() -> str:
    return tr(
        "ISGP releases meet the near group and maps: records that share labels are drawn as a map, "
        "which is laid over the known people. Clique and likelihood need the distances of all pairs. "
        "For the utility pairs that share no label are taken to be two radii apart."
    )


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
    several_releases.figures(page, experiment)
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
    if row.get("radius") is not None:
        return f"r\u00a0=\u00a0{row['radius']:g}"
    if row.get("sigma") is not None:
        return f"σ\u00a0=\u00a0{row['sigma']:g}{'°' if row.get('in_degrees') else ''}"
    return f"{'b' if row.get('distribution') == 'laplace' else 'σ'}\u00a0=\u00a0{row['scale']:g}"


def attack(row: dict[str, Any]) -> str:
    """The attack in short."""
    if row["attack"] != CLIQUE:
        named = {NEAR_GROUP: tr("near group"), LOCAL_MAPS: tr("maps"), LIKELIHOOD: tr("likelihood")}
        return named[row["attack"]]
    return tr("clique, α\u00a0=\u00a0{alpha:g}").format(alpha=row["alpha"])


def _grouped(rows: Sequence[dict[str, Any]], key) -> dict[str, list[dict[str, Any]]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def _beside(page: PrivatePage, rows: Sequence[dict[str, Any]]) -> None:
    """For every release each attack that was run, the clique with the alpha that finds most."""
    releases = []
    for cells in _grouped(rows, lambda row: row["release"]).values():
        best: dict[str, dict[str, Any]] = {}
        for row in cells:
            other = best.get(row["attack"])
            if other is None or _value(row, "recall") > _value(other, "recall"):
                best[row["attack"]] = row
        if len(best) > 1:
            releases.append((cells[0], best))
    if not releases:
        return
    page.notice(
        tr(
            "A release is as safe as the strongest attack leaves it. Most people were found by: "
            "{attacks}."
        ).format(
            attacks=", ".join(
                tr("{attack} ({times})").format(
                    attack=name, times=number_of(count, "release", "releases")
                )
                for name, count in Counter(
                    max(best, key=lambda name: _value(best[name], "recall")) for _, best in releases
                ).most_common()
            )
        )
    )

    def of(name: str, what: str):
        return lambda one: one[1].get(name, {}).get(what)

    labels = {
        CLIQUE: (tr("Clique: precision"), tr("Clique: recall")),
        LIKELIHOOD: (tr("Likelihood: precision"), tr("Likelihood: recall")),
        NEAR_GROUP: (tr("Near group: precision"), tr("Near group: recall")),
        LOCAL_MAPS: (tr("Maps: precision"), tr("Maps: recall")),
    }
    run = {name for _, best in releases for name in best}
    labels = {name: both for name, both in labels.items() if name != LOCAL_MAPS or name in run}
    page.table(
        "side_by_side",
        [
            col("setting", tr("Release"), lambda one: setting(one[0])),
            col("alpha", tr("Clique: best α"), of(CLIQUE, "alpha")),
            *(
                col(f"{name}_{what}", label, of(name, what), decimals=3)
                for name, both in labels.items()
                for what, label in zip(("precision", "recall"), both)
            ),
        ],
        releases,
    )


def _curves(page: PrivatePage, rows: Sequence[dict[str, Any]]) -> None:
    """Of embeddings a chart for each attack and a line for each d; of noise a line for each attack."""
    if not rows:
        return
    embedded = rows[0].get("sets") is not None
    amount = next(
        name for name in ("size", "sigma", "radius", "scale") if rows[0].get(name) is not None
    )
    x_label = tr("Points in each reference set (k)") if embedded else tr("Size of the noise")
    x_label = tr("Radius of ISGP") if amount == "radius" else x_label
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
        ("guessed", tr("Found by guessing"), 3),
        ("guessed_se", "±", 3),
        ("matches", tr("Matches"), 1),
        ("proven", tr("Proven"), 2),
        ("edges", tr("Edges"), 0),
        ("utility", tr("Utility"), None),
        ("nearest_kept", tr("Nearest kept"), 3),
        ("coverage", tr("Coverage"), 3),
        *several_releases.measures(rows),
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
