# SPDX-License-Identifier: GPL-2.0-or-later
"""What the log and the report of an ISGP release tell."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.distances.isgp import LabelSets
from ...core.distances.isgp_accuracy import NearAccuracy
from ...report import Report, col
from .. import literature
from ..dialog.declaration import Value
from ..families.isgp import Made
from ..i18n import mark, number_of, tr
from ..running import Run
from . import distance_release
from .common import Context, PrivatePage

#: Labels of the nearest records beyond which a release says little of most of them.
_ALONE = 0.5

#: How near the distances come, as numbers for models.
NUMBERS = (
    Value("PAIRS", mark("Pairs that share a label")),
    Value("ALONE", mark("Records that share a label with nobody")),
    Value("EXPLAINED", mark("Share of the variance of their distances that is explained")),
    Value("ERROR", mark("Usual error of a distance (root mean square)")),
    Value("NEAREST_KEPT", mark("Share of nearest neighbours kept")),
)


def numbers(kept: NearAccuracy) -> dict[str, float]:
    """Return the outputs of :data:`NUMBERS`."""
    return {
        "PAIRS": kept.pairs,
        "ALONE": kept.alone,
        "EXPLAINED": kept.explained,
        "ERROR": kept.error,
        "NEAREST_KEPT": kept.nearest_kept,
    }


def warnings(kept: NearAccuracy) -> list[str]:
    """What the log and the report warn of."""
    if kept.alone <= _ALONE * kept.records:
        return []
    return [
        tr(
            "{alone} of {records:,} share a label with nobody: nothing is told of their distances. "
            "Take a larger radius."
        ).format(alone=number_of(kept.alone, "record", "records"), records=kept.records)
    ]


def steps(run: Run, made: Made, kept: Sequence[str]) -> list[str]:
    """What to do before the release: the attack to run."""
    known = {
        "TARGET": run.place_of("OUTPUT"),
        "MATRIX": run.place_of("SHARED"),
        "MASK": run.place_of("MASK"),
        "TRUTH": run.place_of("KEY"),
        "RULE": "isgp",
        "RADIUS": f"{made.radius:g}",
        "SPACING": f"{made.spacing:g}",
    }
    told = ", ".join(f"{name}={value}" for name, value in known.items() if value != "")
    return distance_release.steps(told, kept)


def report(about: Context, title: str, sets: LabelSets, kept: NearAccuracy) -> Report:
    """Say what was released, how exact it is and what is known of its safety."""
    page, unit = PrivatePage(title, about.source), about.unit
    page.section(tr("What was done"), "result")
    page.figure(
        "count",
        tr("Records"),
        kept.records,
        tr("People, or whatever a record stands for."),
    )
    page.figure(
        "labels",
        tr("Labels of a record"),
        float(sets.sizes.mean()),
        tr("Grid points within the radius of its place, on average."),
        decimals=1,
    )
    page.figure(
        "pairs",
        tr("Pairs that share a label"),
        kept.pairs,
        tr("Of these the release tells the distance; all others are two radii apart or farther."),
    )
    page.figure(
        "alone",
        tr("Records that share none"),
        kept.alone,
        tr("The release tells of these only that nobody is near."),
    )
    if kept.pairs:
        page.figure(
            "explained",
            tr("Variance that is explained"),
            100 * kept.explained,
            tr("Of the true distances of these pairs, by the released ones (squared correlation)."),
            unit="%",
            decimals=2,
        )
        page.figure(
            "error",
            tr("Usual error of a distance"),
            kept.error,
            tr("Root mean square of released less true distance."),
            unit=unit,
        )
        page.figure(
            "nearest_kept",
            tr("Nearest neighbours that are right"),
            100 * kept.nearest_kept,
            tr("Among the records that share a label with somebody."),
            unit="%",
        )
    page.settings(about.settings).warn(about.warnings)
    page.section(tr("How distances are kept"), "kept")
    page.table(
        "bands",
        [
            col("band", tr("True distance"), lambda one: f"{one.lower:,.6g} – {one.upper:,.6g}"),
            col("pairs", tr("Pairs"), "pairs"),
            col("bias", tr("Mean of released − true"), "bias", unit=unit),
            col("error", tr("Usual error"), "error", unit=unit),
        ],
        kept.bands,
    )
    page.section(tr("What it does not protect"), "limits")
    page.say(
        tr(
            "Distances of neighbours are nearly exact, whatever the grid. Whoever knows people who "
            "live within two radii of each other can look for a group of records at the same "
            "distances, and records that share labels can be drawn as a map. The grid's labels say "
            "nothing of where they are, and it has no border that would cut sets off; but the same "
            "place has the same labels in every release with this grid."
        )
    )
    page.section(tr("Attributes"), "attributes").attributes(about.choice)
    page.kept_out(about.left_out)
    page.method(
        [
            about.sentences,
            tr(
                "Each record got the labels of the grid points within the radius of its place; "
                "labels are a keyed hash of a grid point's row and column. The share of labels that "
                "two records have in common, of the mean size of their sets, is the share of a disc "
                "that two discs of the radius have in common, which gives their distance."
            ),
        ],
        [literature.ISGP],
    )
    return page.report()
