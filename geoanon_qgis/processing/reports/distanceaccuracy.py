# SPDX-License-Identifier: GPL-2.0-or-later
"""The report on the accuracy of released distances: of one release, or over parameters."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.distances.accuracy import Accuracy
from ...core.distances.grid import Cell
from ...report import Report, col
from .. import literature
from ..i18n import tr
from . import distances
from .common import Context, PrivatePage
from .parameters import by_size, parameter_columns


@dataclass(frozen=True)
class Judged:
    """What the report tells of.

    Attributes
    ----------
    about : Context
    found : Accuracy or list of Cell
        Of one release, or of each combination of parameters.
    remarks : list of str
    """

    about: Context
    found: Accuracy | list[Cell]
    remarks: list[str]

    @property
    def cells(self) -> list[Cell]:
        """The combinations tried; none for a released matrix."""
        return self.found if isinstance(self.found, list) else []

    @property
    def detail(self) -> Accuracy | None:
        """The released matrix's accuracy; None where parameters were tried."""
        return None if isinstance(self.found, list) else self.found


def utility_only() -> str:
    """What these figures are no answer to."""
    return tr(
        "The figures here say what analysts can do with the distances. That a release keeps little "
        "is no protection."
    )


def step_after(matrix: str, key: str, unit: str, metric: str, mask: str) -> str:
    """The attack on a release that is there, with what is known of its parameters.

    ``mask`` is the file that says how it was made; empty for none.
    """
    if mask:
        return tr(
            "Run “Graph-theoretic linkage attack” (geoanon:linkageattack) with TARGET=the table that "
            "was released with the matrix, MATRIX={matrix}, MASK={mask}, TRUTH={key}, "
            "IDENTIFICATION=a list of people like the one an adversary may have."
        ).format(matrix=matrix, mask=mask, key=key)
    return tr(
        "Run “Graph-theoretic linkage attack” (geoanon:linkageattack) with TARGET=the table that "
        "was released with the matrix, MATRIX={matrix}, TRUTH={key}, UNIT={unit}, METRIC={metric}, "
        "RULE and its parameters as in the release, IDENTIFICATION=a list of people like the one "
        "an adversary may have."
    ).format(matrix=matrix, key=key, unit=unit, metric=metric)


def step_before(source: str, sets: str, sizes: str) -> str:
    """The attack on parameters that are only thought of."""
    return tr(
        "Before you choose parameters, have them attacked: run “Choose embedding parameters” "
        "(geoanon:chooseembedding) with INPUT={source}, SETS={sets}, SIZE={sizes}, QIS=the "
        "attributes that an adversary may know."
    ).format(source=source, sets=sets, sizes=sizes)


def report(judged: Judged) -> Report:
    """Say what is kept of distances, neighbours, ranks, and of what analyses find."""
    page = PrivatePage(tr("Accuracy of released distances"), judged.about.source)
    if judged.detail is not None:
        _released(page, judged.detail)
    else:
        _tried(page, judged)
    page.kept_out(judged.about.left_out)
    page.method(
        [
            judged.about.sentences,
            *judged.remarks,
            tr(
                "Where several records are equally near in the release, any of them may be taken; "
                "the shares are the expectation of that. Clusterings are agglomerative (average "
                "and complete linkage) and cut into 2, 5, 10 and 20 groups. DBSCAN takes a record "
                "with four others within its radius for a core; the radius is such that half of "
                "the records are, on the true distances or on each. Moran's I has weights of 1 "
                "within that radius, or for the four nearest."
            ),
        ],
        [literature.KROLL_SCHNELL],
    )
    return page.report()


def _released(page: PrivatePage, detail: Accuracy) -> None:
    page.section(tr("In short"), "result")
    distances.figures(page, detail.summary)
    distances.bands(page, detail)
    distances.neighbours(page, detail)
    distances.analyses(page, detail.agreement, detail.summary.unit)


def _tried(page: PrivatePage, judged: Judged) -> None:
    cells = judged.cells
    page.section(tr("In short"), "result")
    page.figure(
        "settings",
        tr("Combinations of d and k"),
        len(cells),
        tr("Each is a kind of release that was tried: so many sets of so many random points."),
    )
    page.figure(
        "repeats",
        tr("Embeddings of each"),
        len(cells[0].details),
        tr("How often each was made anew, with other random points; the figures are means."),
    )
    page.figure(
        "count",
        tr("Records"),
        cells[0].details[0].summary.count,
        tr("People, or whatever a record stands for, between whom distances were compared."),
    )
    page.say(
        tr(
            "d is the number of reference sets, k the number of points in each. Whiskers are "
            "standard errors over the repetitions."
        )
    )
    _table(page, cells)
    page.section(tr("Nearest neighbours and ranks"), "neighbourhoods")
    _chart(page, cells, "nearest_kept", tr("Nearest neighbours that are right"), "%", 100)
    _chart(page, cells, "spearman_centre", tr("Rank correlation from the middle"))
    _chart(page, cells, "spearman_border", tr("Rank correlation from the border"))
    page.section(tr("How distances are kept"), "kept")
    _bands(page, judged)
    page.section(tr("What analyses say"), "analyses")
    _analyses(page, cells)


def _chart(page, cells: list[Cell], measure: str, label: str, unit: str = "", times: float = 1):
    def value(cell: Cell) -> tuple[float, float]:
        mean, error = cell.mean(measure)
        return times * mean, times * error

    by_size(page, f"chart_{measure}", label, cells, value, y_unit=unit)


def _mean(name: str):
    return lambda cell: cell.mean(name)[0]


def _table(page: PrivatePage, cells: list[Cell]) -> None:
    columns = [
        col(name, label, _mean(name), decimals=3)
        for name, label in (
            ("median_ratio", tr("Median of released / true")),
            ("nearest_kept", tr("Nearest right")),
            ("nearest_10_kept", tr("10 nearest right")),
            ("spearman", tr("Rank correlation")),
            ("spearman_centre", tr("from the middle")),
            ("spearman_border", tr("from the border")),
            ("max_violation", tr("Largest excess")),
        )
    ]
    page.table("cells", [*parameter_columns(), *columns], cells)


def _bands(page: PrivatePage, judged: Judged) -> None:
    """One line for each combination, of those with the fewest and the most of everything."""
    cells = judged.cells
    corners = {
        (pick(c.sets for c in cells), other(c.size for c in cells))
        for pick in (min, max)
        for other in (min, max)
    }
    series = []
    for cell in cells:
        if (cell.sets, cell.size) not in corners:
            continue
        ratio = [one for one in cell.measures if one.name == "median_ratio_in_band"]
        spread = [one.sd if one.sd == one.sd else 0 for one in ratio]
        series.append(
            (
                f"d = {cell.sets}, k = {cell.size}",
                [one.value for one in cell.measures if one.name == "mean_distance_in_band"],
                [one.value for one in ratio],
                [one.value - sd for one, sd in zip(ratio, spread)],
                [one.value + sd for one, sd in zip(ratio, spread)],
            )
        )
    page.lines(
        "bands_chart",
        tr("Median of released / true distance, by true distance"),
        series,
        tr("True distance"),
        tr("Released / true"),
        x_unit=judged.about.unit,
        limits=((1.0, tr("true")),),
        x_log=True,
        caption=tr(
            "Bands: standard deviation over the repetitions. The table of measures has all "
            "combinations."
        ),
    )


def _label(name: str) -> str:
    """What a measure of the analyses is called above its column."""
    known = {
        "dbscan_same_radius": tr("DBSCAN, the same radius"),
        "dbscan_own_radius": tr("DBSCAN, a radius of its own"),
        "morans_i_error_radius": tr("Moran's I, within a radius"),
        "morans_i_error_nearest": tr("Moran's I, nearest neighbours"),
    }
    if name in known:
        return known[name]
    _, linkage, groups = name.split("_")
    if linkage == "average":
        return tr("Average linkage, {groups} groups").format(groups=groups)
    return tr("Complete linkage, {groups} groups").format(groups=groups)


def _analyses(page: PrivatePage, cells: list[Cell]) -> None:
    names = [
        one.name
        for one in cells[0].measures
        if one.name.startswith(("clustering_", "dbscan_", "morans_i_error"))
    ]
    if not names:
        return
    page.say(
        tr(
            "Adjusted Rand index between what is found on true and on released distances (1: the "
            "same groups, 0: by chance), and the mean absolute difference of Moran's I."
        )
    )
    columns = [col(name, _label(name), _mean(name), decimals=3) for name in names]
    page.table("analyses_table", [*parameter_columns(), *columns], cells)
