# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of a release of distances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.distances import files
from ...core.distances.accuracy import Accuracy
from ...report import Picture, Report, col
from .. import literature
from ..i18n import tr
from . import distances
from .common import Context, PrivatePage


@dataclass(frozen=True)
class Release:
    """What the report tells of.

    Attributes
    ----------
    about : Context
    title : str
        The algorithm's name.
    detail : Accuracy
    method : str
        How the release was computed.
    ending : str
        Of the matrix's file.
    map_error : float
        How far the map that the matrix draws lies off after Procrustes (root mean square), as a
        share of the spread of the places; 1 is no better than a single point.
    drawn_by : str
        How it was drawn.
    """

    about: Context
    title: str
    detail: Accuracy
    method: str
    ending: str
    map_error: float
    drawn_by: str


#: Below, a map that is drawn from the matrix shows roughly where everybody is.
_GOOD_MAP = 0.25


def steps(parameters: str, kept: Sequence[str]) -> list[str]:
    """What to do before the release: the attack to run, with what is known of its parameters.

    Parameters
    ----------
    parameters : str
        Of the attack, filled in.
    kept : sequence of str
        Attributes of the release, of which an adversary may know some.
    """
    run = tr(
        "Distances identify: run “Graph-theoretic linkage attack” (geoanon:linkageattack) with "
        "{parameters}, IDENTIFICATION=a list of people like the one an adversary may have"
    ).format(parameters=parameters)
    if kept:
        run += tr(
            ", TARGET_QIS=those of {fields} that he may know, IDENTIFICATION_QIS=the same of the "
            "list"
        ).format(fields=";".join(kept))
    return [run + "."]


def report(release: Release, pictures: Sequence[Picture]) -> Report:
    """Say what was released, what was kept and what was lost, and what an attacker could draw."""
    detail = release.detail
    page = PrivatePage(release.title, release.about.source)
    page.section(tr("What was done"), "result")
    distances.figures(page, detail.summary)
    page.settings(release.about.settings).warn(release.about.warnings)
    _drawing(page, release)
    page.pictures(tr("On the map"), pictures)
    distances.bands(page, detail)
    distances.neighbours(page, detail)
    distances.analyses(page, detail.agreement, detail.summary.unit)
    page.section(tr("Attributes"), "attributes").attributes(release.about.choice)
    page.section(tr("Loading the matrix"), "loading")
    page.say(tr("“matrix” stands for the name of the file."))
    page.table(
        "loading_table",
        [col("language", tr("In")), col("code", tr("Code"))],
        [
            (language, line)
            for language, code in files.HOW_TO_LOAD[release.ending].items()
            for line in code.splitlines()
        ],
    )
    page.kept_out(release.about.left_out)
    page.method(
        [release.about.sentences, release.method],
        [literature.KROLL_SCHNELL, literature.KROLL],
    )
    return page.report()


def _drawing(page: PrivatePage, release: Release) -> None:
    """How good a map an attacker draws from the matrix alone."""
    page.section(tr("What the matrix draws"), "drawing")
    page.figure(
        "map_error",
        tr("How far a map drawn from the matrix lies off"),
        100 * release.map_error,
        tr("Near 0 %, whoever has the release can draw a map of where everybody is."),
        unit="%",
        decimals=1,
        note=tr("of the spread of the places; 100 %: like one point"),
    )
    page.say(
        tr(
            "An attacker who has the matrix alone can draw a map of the records ({method}). "
            "Position, turn and reflection are unknown to him; here they were taken from the "
            "truth, so the figure is the best case for him."
        ).format(method=release.drawn_by)
    )
    if release.map_error < _GOOD_MAP:
        page.notice(
            tr(
                "The map is nearly right. Small distances that are kept well can be chained into "
                "large ones, the more so the denser and the more evenly the records lie. Whoever "
                "can lay this map over the true one, by a few known records or by the shape of the "
                "settlements, knows where everybody is. Use fewer or larger reference sets, or "
                "fewer records."
            ),
            "danger",
            tr("The matrix draws a map"),
        )
