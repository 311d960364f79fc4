# SPDX-License-Identifier: GPL-2.0-or-later
"""What is told of a choice beside its report: who attacks, what to do next, what was not run."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from ...core.attacks.linkage.result import LIKELIHOOD
from ...core.attacks.maps.embedding_risk import EmbeddingRisk
from ...core.attacks.maps.row_risk import RULED_OUT, Limits
from ...core.distances.choice import Recommendation
from ...core.distances.trials import Cell
from ...core.experiments.advice import Advice
from ...core.experiments.advice_words import lacks
from ..i18n import figure, number_of, tr


def scenario(risk: EmbeddingRisk, links: int, attributes: bool, releases: int = 1) -> str:
    """Say who is attacked, and what the adversary has."""
    draws = risk.draws
    shares = dict.fromkeys((one.share, draws.common(one)) for one in draws.overlaps)
    both = ", ".join(f"{100 * share:g} % ({people})" for share, people in shares)
    said = [
        tr(
            "The attacks: records released: {released}; people whom the adversary knows: {known}; "
            "of those released he knows {both}. Who that is is drawn anew each time."
        ).format(released=draws.released, known=draws.known, both=both),
    ]
    if any(one.neighbours for one in draws.overlaps):
        said.append(
            tr(
                "Each of these is tried with people here and there and with people who are "
                "neighbours of each other: those of the released who live nearest to one of them. "
                "The others whom he knows live anywhere."
            )
        )
    else:
        said.append(
            tr(
                "They are people here and there, drawn from the whole file: whoever knows those "
                "of one neighbourhood finds many more (NEIGHBOURS)."
            )
        )
    if links:
        said.append(tr("Known links: {links}, which do not count as found.").format(links=links))
    if releases > 1:
        said.append(
            tr(
                "He holds {count} releases of the same people and puts them together; what is kept "
                "is what one of them keeps."
            ).format(count=releases)
        )
    if attributes:
        said.append(
            tr(
                "Pairs that agree in the quasi-identifiers: {vertices:,}; by guessing among them, "
                "without any distance, {guessed:.1%} of the people are found."
            ).format(vertices=risk.vertices, guessed=risk.guessed)
        )
    else:
        said.append(tr("He knows no attributes."))
    return " ".join(said)


def few_people(risk: EmbeddingRisk, limits: Limits) -> str:
    """Say beforehand where one person alone is more than may be found; empty where nowhere."""
    few = [one for one in risk.draws.overlaps if limits.share * risk.draws.common(one) < 1]
    if not few:
        return ""
    people = risk.draws.common(few[0]) - risk.draws.links
    return tr(
        "With {overlap:.3g} % of the released people known, or fewer, a draw has {people} who can be "
        "found at most, so that one alone is {one:.0%} of them, more than may be: a row holds only "
        "where hardly ever anybody is found, not even by chance. Guessing among those alike finds "
        "somebody in {chance:.0%} of such draws. Use more records, or leave the small shares out of "
        "OVERLAP: then nothing is said of an adversary who knows so few."
    ).format(
        overlap=100 * few[0].share,
        people=number_of(people, "person", "people"),
        one=1 / people,
        chance=1 - (1 - min(risk.guessed, 1.0)) ** people,
    )


def command(cell: Cell, given: Mapping[str, str]) -> str:
    """Return a line that makes a release with these parameters, for a shell.

    Parameters
    ----------
    cell : Cell
    given : mapping of str to str
        Inputs of the release, as they were given here.
    """
    if cell.radius:
        return _isgp_command(cell, given)
    made = {"SETS": f"{cell.sets}", "SIZE": f"{cell.size}"}
    if cell.pre_noise:
        made["PRE_NOISE"] = f"{cell.pre_noise:.12g}"
    if cell.step:
        made["STEP"] = f"{cell.step:.12g}"
    rest = {name: value for name, value in given.items() if name != "GROUPS" or cell.grouped}
    outputs = {"MATRIX": "matrix.csv", "OUTPUT": "release.gpkg", "KEY": "private_key.gpkg"}
    words = (f"{name}={value}" for name, value in {**rest, **made, **outputs}.items())
    return "qgis_process run geoanon:lipschitzrelease -- " + " ".join(map(shlex.quote, words))


def _isgp_command(cell: Cell, given: Mapping[str, str]) -> str:
    """Distances alone: labels tell more, and were not attacked here."""
    words = {
        **{name: value for name, value in given.items() if name in ("INPUT", "FIELDS")},
        "METHOD": "distances",
        "RADIUS": f"{cell.radius:.12g}",
        "SHARED": "distances.csv",
        "OUTPUT": "release.gpkg",
        "KEY": "private_key.gpkg",
        "GRID": "private_grid.json",
    }
    return "qgis_process run geoanon:isgprelease -- " + " ".join(
        shlex.quote(f"{name}={value}") for name, value in words.items()
    )


def _row(cell: Cell) -> str:
    """Parameters of a row, as they are given to an algorithm."""
    if cell.radius:
        return f"ISGP_RADIUS={cell.radius:g}"
    noise = f", PRE_NOISE={cell.pre_noise:g}" if cell.pre_noise else ""
    return f"SETS={cell.sets}, SIZE={cell.size}{noise}"


def steps(
    given: Mapping[str, str], best: Recommendation, nearest: Cell | None, advice: Advice | None
) -> list[str]:
    """What to do next: which release to make, and how to attack it."""
    said = []
    if advice is None:
        said.append(
            tr(
                "Run it again without DRAWS=0: nobody was attacked, and the recommendation looks "
                "only at what is kept and how much distances are blurred."
            )
        )
    elif best.cell is None:
        if advice.risks[nearest.setting].guessed > advice.limits.share:
            return [tr(lacks(advice, nearest))]
        if advice.state(nearest) != RULED_OUT:
            return [
                tr(
                    "No row is known to hold; the verdict is on the one that comes nearest "
                    "({row}). {lacks}"
                ).format(row=_row(nearest), lacks=tr(lacks(advice, nearest)))
            ]
        return [
            tr(
                "No row holds; the verdict is on the one that comes nearest ({row}). Try larger "
                "PRE_NOISE or smaller ISGP_RADIUS, fewer records (N_RELEASED) or coarser attributes (GROUPS), or do not "
                "release distances of these data."
            ).format(row=_row(nearest))
        ]
    if best.cell is None:
        return said
    said.append(
        tr("The verdict is on the recommended row. This makes such a release: {command}").format(
            command=command(best.cell, given)
        )
    )
    if best.cell.released is not None:
        said.append(
            tr("Release {count} of the records only, drawn by chance.").format(
                count=figure(best.cell.released, ",")
            )
        )
    return [
        *said,
        tr(
            "Attack that very release (geoanon:linkageattack) with IDENTIFICATION=the largest file "
            "that an adversary may have: he may know more people than were tried here, or know "
            "them better."
        ),
    ]


def not_run(nearest: Cell | None, advice: Advice | None, risk: EmbeddingRisk | None) -> list[str]:
    """Which of the attacks the row of the verdict has not met."""
    if advice is None:
        return []
    slow = advice.risks[nearest.setting].slow
    if slow:
        by_likelihood = all(LIKELIHOOD in one.attacks for one in slow)
        return [] if by_likelihood else [tr("The attack by likelihood.")]
    if nearest.radius:
        return [
            tr(
                "Clique, likelihood and signatures, which need the distances of all pairs; and "
                "attacks on labels: what holds here holds for METHOD distances of “ISGP release”."
            )
        ]
    if not risk.slow:
        return [tr("The attack by likelihood.")]
    return [
        tr(
            "The attacks by likelihood and by signatures, which find some whom the others do not: "
            "they meet only rows that would be recommended."
        )
    ]
