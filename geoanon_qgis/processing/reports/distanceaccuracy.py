# SPDX-License-Identifier: GPL-2.0-or-later
"""The report on the accuracy of released distances: of one release, or over parameters."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.distances.accuracy import Accuracy
from ...core.distances.grid import Cell
from ...report import (
    Column,
    Figure,
    Figures,
    Lines,
    Mark,
    Paragraph,
    Report,
    Section,
    Series,
    Table,
)
from ..i18n import number_of, tr
from . import common, distances


@dataclass(frozen=True)
class Judged:
    """What the report tells of.

    Attributes
    ----------
    source_name : str
    found : Accuracy or list of Cell
        Of one release, or of each combination of parameters.
    metric_sentences : list of str
    left_out : list of (int, str)
    remarks : list of str
    unit : str
        Of the distances of the cells.
    """

    source_name: str
    found: Accuracy | list[Cell]
    metric_sentences: list[str]
    left_out: list[tuple[int, str]]
    remarks: list[str]
    unit: str

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
        "The figures here say what analysts can do with the distances. That a release keeps "
        "little is no protection."
    )


def step_after(matrix: str, key: str, unit: str, metric: str) -> str:
    """The attack on a release that is there, with what is known of its parameters."""
    return tr(
        "Run “Graph-theoretic linkage attack” (geoanon:linkageattack) with TARGET=the table that "
        "was released with the matrix, MATRIX={matrix}, TRUTH={key}, UNIT={unit}, METRIC={metric}, "
        "RULE and its parameters as in the release, IDENTIFICATION=a list of people like the one "
        "an adversary may have; with METHOD=clique and with METHOD=likelihood."
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
    sections = _released(judged.detail) if judged.detail is not None else _tried(judged)
    return common.private_report(
        tr("Accuracy of released distances"),
        judged.source_name,
        [
            *sections,
            Section(
                tr("Records kept out"),
                common.left_out(
                    judged.left_out, number_of(len(judged.left_out), "record", "records")
                ),
                name="kept_out",
            ),
            common.how_it_was_done(
                " ".join(judged.metric_sentences),
                [
                    *judged.remarks,
                    tr(
                        "Where several records are equally near in the release, any of them may be "
                        "taken; the shares are the expectation of that. Clusterings are "
                        "agglomerative (average and complete linkage) and cut into 2, 5, 10 and 20 "
                        "groups. DBSCAN takes a record with four others within its radius for a "
                        "core; the radius is such that half of the records are, on the true "
                        "distances or on each. Moran's I has weights of 1 within that radius, or "
                        "for the four nearest."
                    ),
                ],
                [distances.KROLL_SCHNELL],
            ),
        ],
    )


def _released(detail: Accuracy) -> list[Section]:
    return [
        Section(tr("In short"), (distances.figures(detail.summary),), name="result"),
        Section(tr("How distances are kept"), distances.bands(detail), name="kept"),
        Section(tr("Neighbours and ranks"), distances.neighbours(detail), name="neighbourhoods"),
        Section(
            tr("What analyses say"),
            distances.analyses(detail.agreement, detail.summary.unit),
            name="analyses",
        ),
    ]


def _tried(judged: Judged) -> list[Section]:
    cells = judged.cells
    repeats = len(cells[0].details)
    return [
        Section(
            tr("In short"),
            (
                Figures(
                    (
                        Figure("settings", tr("Combinations of d and k"), len(cells)),
                        Figure("repeats", tr("Embeddings of each"), repeats),
                        Figure("count", tr("Records"), cells[0].details[0].summary.count),
                    )
                ),
                Paragraph(
                    tr(
                        "d is the number of reference sets, k the number of points in each. "
                        "Whiskers are standard errors over the repetitions."
                    )
                ),
                _table(cells),
            ),
            name="result",
        ),
        Section(
            tr("Nearest neighbours and ranks"),
            (
                _chart(cells, "nearest_kept", tr("Nearest neighbours that are right"), "%", 100),
                _chart(cells, "spearman_centre", tr("Rank correlation from the middle")),
                _chart(cells, "spearman_border", tr("Rank correlation from the border")),
            ),
            name="neighbourhoods",
        ),
        Section(tr("How distances are kept"), _bands(judged), name="kept"),
        Section(tr("What analyses say"), _analyses(cells), name="analyses"),
    ]


def _chart(cells: list[Cell], measure: str, label: str, unit: str = "", times: float = 1) -> Lines:
    series = []
    for sets in dict.fromkeys(cell.sets for cell in cells):
        mine = [cell for cell in cells if cell.sets == sets]
        means = [cell.mean(measure) for cell in mine]
        series.append(
            Series(
                f"d = {sets}",
                [cell.size for cell in mine],
                [times * value for value, _ in means],
                [times * (value - error) for value, error in means],
                [times * (value + error) for value, error in means],
            )
        )
    return Lines(
        label,
        series,
        tr("Points in each reference set (k)"),
        label,
        y_unit=unit,
        error_bars=True,
        name=f"chart_{measure}",
    )


def _table(cells: list[Cell]) -> Table:
    names = (
        "median_ratio",
        "nearest_kept",
        "nearest_10_kept",
        "spearman",
        "spearman_centre",
        "spearman_border",
        "max_violation",
    )
    return Table(
        (
            Column("sets", tr("d")),
            Column("size", tr("k")),
            Column("median_ratio", tr("Median of released / true"), decimals=3),
            Column("nearest_kept", tr("Nearest right"), decimals=3),
            Column("nearest_10_kept", tr("10 nearest right"), decimals=3),
            Column("spearman", tr("Rank correlation"), decimals=3),
            Column("spearman_centre", tr("from the middle"), decimals=3),
            Column("spearman_border", tr("from the border"), decimals=3),
            Column("max_violation", tr("Largest excess"), decimals=3),
        ),
        [(cell.sets, cell.size, *(cell.mean(name)[0] for name in names)) for cell in cells],
        name="cells",
    )


def _bands(judged: Judged) -> tuple:
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
        middle = [one.value for one in cell.measures if one.name == "mean_distance_in_band"]
        series.append(
            Series(
                f"d = {cell.sets}, k = {cell.size}",
                middle,
                [one.value for one in ratio],
                [one.value - (one.sd if one.sd == one.sd else 0) for one in ratio],
                [one.value + (one.sd if one.sd == one.sd else 0) for one in ratio],
            )
        )
    return (
        Lines(
            tr("Median of released / true distance, by true distance"),
            series,
            tr("True distance"),
            tr("Released / true"),
            x_unit=judged.unit,
            limits=(Mark(1.0, tr("true")),),
            x_log=True,
            caption=tr(
                "Bands: standard deviation over the repetitions. The table of measures has "
                "all combinations."
            ),
            name="bands_chart",
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


def _analyses(cells: list[Cell]) -> tuple:
    names = [
        one.name
        for one in cells[0].measures
        if one.name.startswith(("clustering_", "dbscan_", "morans_i_error"))
    ]
    if not names:
        return ()
    labels = {name: _label(name) for name in names}
    return (
        Paragraph(
            tr(
                "Adjusted Rand index between what is found on true and on released distances (1: "
                "the same groups, 0: by chance), and the mean absolute difference of Moran's I."
            )
        ),
        Table(
            (
                Column("sets", tr("d")),
                Column("size", tr("k")),
                *(Column(name, labels[name], decimals=3) for name in names),
            ),
            [(cell.sets, cell.size, *(cell.mean(name)[0] for name in names)) for cell in cells],
            name="analyses_table",
        ),
    )
