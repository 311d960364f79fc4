# SPDX-License-Identifier: GPL-2.0-or-later
"""Sections on what areas keep, what a search traded, and areas that release nothing or little."""

from __future__ import annotations

import numpy as np

from ...core.aggregation.demands import diameter
from ...core.aggregation.several_starts import HELD
from ...core.aggregation.shortfalls import FEW, Shortfalls, Traded, traded
from ...core.aggregation.vbas import Aggregation
from ...report import col
from ..families.locating import AGAINST_BALANCED, LEAST_SUPPRESSION
from ..families.recounted import Recounted
from ..families.regional import Data
from ..i18n import figure, number_of, tr
from .common import PrivatePage

#: Areas that a table lists.
_LISTED = 100


def labels_of_measures() -> dict[str, str]:
    """What measures are called."""
    return {
        "suppressed": tr("Suppressed"),
        "compactness": tr("Compactness"),
        "entropy_loss": tr("Entropy loss"),
        "discernibility": tr("Discernibility"),
        "discernibility_full": tr("Discernibility, full form"),
        "smallest_class": tr("Smallest class before suppression"),
        "areas": tr("Areas"),
    }


def _changes(result: Aggregation) -> list[Traded]:
    assert result.before is not None
    return traded(result.before, result.measures, _limited(result))


def _limited(result: Aggregation) -> tuple[str, ...]:
    """Measures that were held to a limit."""
    if result.objective:
        return HELD[result.objective]
    has_limits = result.location == LEAST_SUPPRESSION or result.moves is not None
    return ("compactness", "entropy_loss") if has_limits else ()


def _limits_sentence(result: Aggregation, tolerance: float) -> str:
    """What the search was held to."""
    limited = _limited(result)
    if result.objective:
        labels = labels_of_measures()
        return tr(
            "Held to balanced density's: {measures}; entropy loss, where it is named, to "
            "{tolerance:.3g} % more; no other measure."
        ).format(
            measures=", ".join(labels[name].lower() for name in limited),
            tolerance=100 * tolerance,
        )
    if not limited:
        return tr("Nothing of this was limited.")
    return tr(
        "Compactness and entropy loss were held to {tolerance:.3g} % more while records were won, "
        "and no other measure; what areas have to keep comes on top."
    ).format(tolerance=100 * tolerance)


def traded_sentence(result: Aggregation, tolerance: float) -> str:
    """What a search made of the measures, for the log; empty where nothing was changed."""
    if result.before is None:
        return ""
    labels = labels_of_measures()
    said = [
        tr("{measure} {change:+.1f} %").format(measure=labels[one.name], change=100 * one.change)
        for one in _changes(result)
        if one.change
    ]
    if not said:
        return ""
    against = tr("Against the areas that it began with: {changes}.")
    if result.location in AGAINST_BALANCED:
        against = tr("Against balanced density with as many sites: {changes}.")
    changed = against.format(changes=", ".join(said))
    return f"{changed} {_limits_sentence(result, tolerance)}"


def tell_kept(result: Aggregation, pieces: np.ndarray, tolerance: float, run) -> None:
    """Say in the log what a search traded, which areas release little, and which lie in pieces."""
    short = Shortfalls.of(result.areas)
    run.tell(*filter(None, [traded_sentence(result, tolerance), pieces_sentence(pieces)]))
    if len(short.rows):
        run.warn(tr(short.told()))
    else:
        run.tell(tr(short.told()))


def traded_section(page: PrivatePage, result: Aggregation, tolerance: float) -> None:
    """What a search, or the keeping of demands, made of every measure."""
    if result.before is None:
        return
    page.section(tr("What it cost elsewhere"), "traded")
    first = tr("Fewer suppressed records are bought with other things.")
    if result.location in AGAINST_BALANCED:
        first = tr("Before: balanced density with as many sites. After: these areas.")
    page.say(first + " " + _limits_sentence(result, tolerance))
    labels = labels_of_measures()
    page.table(
        "traded_table",
        [
            col("measure", tr("Measure"), lambda one: labels[one.name], numeric=False),
            col("before", tr("Before"), "before"),
            col("after", tr("After"), "after"),
            col(
                "change",
                tr("Change"),
                lambda one: None if one.change is None else 100 * one.change,
                unit="%",
                decimals=1,
            ),
            col("limited", tr("Limited"), lambda one: tr("yes") if one.limited else tr("no")),
        ],
        _changes(result),
    )
    if result.moves is not None:
        page.say(
            tr(
                "At the borders, {tried} looked at and {moved} moved to another area: {before} "
                "suppressed before, {after} after."
            ).format(
                tried=number_of(result.moves.tried, "region was", "regions were"),
                moved=figure(result.moves.moved, ","),
                before=number_of(result.moves.suppressed[0], "record", "records"),
                after=figure(result.moves.suppressed[1], ","),
            )
        )


def shortfall_section(page: PrivatePage, result: Aggregation) -> None:
    """Areas that release nothing or little."""
    found = Shortfalls.of(result.areas)
    page.section(tr("Areas that release nothing or little"), "shortfalls")
    for name, label, rows, meaning in (
        (
            "nothing",
            tr("Release nothing"),
            found.nothing,
            tr("All of their records are suppressed."),
        ),
        (
            "little",
            tr("Release less than half"),
            found.little,
            tr("More than half of their records are suppressed."),
        ),
        (
            "few",
            tr("Hold few records"),
            found.few,
            tr("Fewer than {bound:,}, before suppression.").format(bound=FEW),
        ),
    ):
        page.figure(f"areas_{name}", label, len(rows), meaning, note=tr("areas"))
    page.figure(
        "least_records",
        tr("Fewest records of an area"),
        found.least,
        tr("Before suppression."),
        note=tr("on average {mean}").format(mean=figure(found.mean, ",.0f")),
    )
    rows = found.rows
    if not len(rows):
        return
    if len(found.nothing):
        page.notice(
            tr(
                "{areas} nothing: who lives there is not in the release at all, and whoever "
                "computes a rate from it finds nobody ill there."
            ).format(areas=number_of(len(found.nothing), "area releases", "areas release")),
            "warning",
        )
    areas = result.areas
    order = rows[np.argsort((areas.records - areas.suppressed)[rows], kind="stable")]
    page.table(
        "shortfalls_table",
        [
            col("area_id", tr("Area"), lambda row: row + 1, numeric=False),
            col("regions", tr("Regions"), lambda row: areas.regions[row]),
            col("records", tr("Records"), lambda row: areas.records[row]),
            col("released", tr("Released"), lambda row: areas.records[row] - areas.suppressed[row]),
        ],
        order[:_LISTED].tolist(),
    )


def recounted_figure(page: PrivatePage, again: Recounted, k: int) -> None:
    """The smallest class of the file that was written."""
    if again.sizes is not None:
        page.figure(
            "recounted",
            tr("Smallest class in the written file"),
            int(again.sizes.min()),
            again.sentence(k),
        )


def kept_section(
    page: PrivatePage, data: Data, result: Aggregation, pieces: np.ndarray | None
) -> None:
    """What areas have to keep, counted again, and in how many pieces they lie."""
    page.section(tr("What every area keeps"), "kept")
    kept = data.kept
    area, count = result.area_of_region, len(result.sites)
    used = np.bincount(area, minlength=count) > 0
    rows: list[tuple[str, str, str]] = []
    for floor in kept.demands.floors if kept is not None else ():
        least = floor.amounts(area, count)[used].min()
        rows.append(
            (
                tr("Fewest people of an area")
                if floor.of_people
                else tr("Fewest records of an area"),
                tr(figure(floor.least, ",.12g")),
                tr(figure(least, ",.12g")),
            )
        )
    if kept is not None and kept.diameter_m is not None:
        scale = kept.diameter_m / kept.demands.max_diameter
        widest = max(diameter(data.xy[area == one]) for one in np.flatnonzero(used))
        rows.append(
            (
                tr("Largest diameter of an area (m)"),
                tr(figure(kept.diameter_m, ",.12g")),
                tr(figure(scale * widest, ",.6g")),
            )
        )
    if kept is not None and kept.demands.ceiling is not None:
        ceiling = kept.demands.ceiling
        rows.append(
            (
                tr("Largest size of an area ({unit})").format(unit=ceiling.unit),
                tr(figure(ceiling.most, ",.12g")),
                tr(figure(ceiling.amounts(area, count).max(), ",.6g")),
            )
        )
    if kept is not None and kept.demands.part is not None:
        rows.append(
            (
                tr("Areas that cross a border of {fields}").format(
                    fields=", ".join(kept.never_cross)
                ),
                "0",
                tr(figure(crossings(kept.demands.part, area), ",")),
            )
        )
    if pieces is not None:
        asked = "0" if kept is not None and kept.demands.contiguous else tr("any number")
        if kept is not None and kept.demands.bridged:
            asked = tr("islands only")
        rows.append(
            (tr("Areas in several pieces"), asked, tr(figure(int((pieces > 1).sum()), ",")))
        )
    page.table(
        "kept_table",
        [
            col("what", tr("What"), numeric=False),
            col("asked", tr("Asked for"), numeric=False),
            col("found", tr("Found"), numeric=False),
        ],
        rows,
    )


def crossings(part: np.ndarray, area: np.ndarray) -> int:
    """How many areas hold regions of several parts of the map."""
    pairs = np.unique(np.stack([area, part]), axis=1)
    return int((np.bincount(pairs[0]) > 1).sum())


def pieces_sentence(pieces: np.ndarray) -> str:
    """In how many pieces areas lie, for the log; empty where all are in one."""
    several = pieces[pieces > 1]
    if not len(several):
        return ""
    return tr(
        "{areas} in pieces that do not adjoin ({pieces} in all). CONTIGUOUS keeps areas in one."
    ).format(
        areas=number_of(len(several), "area lies", "areas lie"),
        pieces=figure(int(several.sum()), ","),
    )
