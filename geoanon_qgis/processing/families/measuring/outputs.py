# SPDX-License-Identifier: GPL-2.0-or-later
"""The layers and numbers of the measures of a point mask: declared, and written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from qgis.core import QgsGeometry, QgsPointXY, QgsWkbTypes

from ....core.measures.scan import Cluster
from ... import styling, verdicts
from ...dialog.declaration import Field, Value, private, reports
from ...i18n import mark
from ...running import Run
from .measured import Measured, Paired

OUTPUTS = (
    private(
        "OUTPUT",
        mark("Measures"),
        mark("Table with one row for each measure, as it can stand in a section on methods."),
        "table",
        [
            Field("measure", "string"),
            Field("kind", "string", mark("risk, attack or utility")),
            Field("label", "string"),
            Field("original", "double"),
            Field("release", "double"),
            Field("value", "double", mark("what compares both, or of measures of risk the median")),
            Field("unit", "string"),
            Field("speaks_of", "string", mark("the adversary, or what 0 and 1 mean")),
        ],
        role=styling.MEASURED,
        optional=False,
    ),
    private(
        "CLUSTERS",
        mark("Clusters of the scan statistic"),
        mark("Circles in the original and in the release. They tell where the true points are."),
        "polygon",
        [
            Field("kind", "string", mark("original or release")),
            Field("number", "int", mark("1 is the most likely cluster")),
            Field("radius", "double"),
            Field("population", "double"),
            Field("cases", "double"),
            Field("expected", "double"),
            Field("relative_risk", "double"),
            Field("llr", "double", mark("logarithm of the likelihood ratio")),
            Field("p", "double"),
        ],
        role=styling.CLUSTERS,
    ),
    *reports(
        mark("Measures of risk beside what an attack finds, what is kept of the pattern, and maps.")
    ),
    Value("PAIRS", mark("Records in both layers")),
    Value("WITHHELD", mark("Originals without a released point")),
    Value("UNMOVED", mark("Points that did not move")),
    Value("MEDIAN_SHIFT", mark("Median shift (metres)")),
    Value("ACTUAL_K", mark("Median actual k"), mark("Of the address list.")),
    Value("ESTIMATED_K", mark("Median estimated k"), mark("Of the population areas.")),
    Value("K_ORIGINAL", mark("Median k-original")),
    Value(
        "SPRUILL",
        mark("Spruill's measure"),
        mark("Share of released points nearest to their own original."),
    ),
    Value(
        "EFFECTIVE_K",
        mark("Median effective number of addresses"),
        mark("By the posterior attack, where the mask file was given."),
    ),
    Value(
        "IDENTIFIED",
        mark("People found by their place"),
        mark("By the posterior attack, where the mask file was given."),
    ),
    Value("LLR_BEFORE", mark("LLR of the most likely cluster in the original")),
    Value("LLR_AFTER", mark("LLR of the most likely cluster in the release")),
    Value("P_BEFORE", mark("p-value of the most likely cluster in the original")),
    Value("P_AFTER", mark("p-value of the most likely cluster in the release")),
    Value(
        "JACCARD",
        mark("Most likely cluster kept"),
        mark("Population in both most likely clusters, as a share of that in either."),
    ),
    Value("CENTRE_DRIFT", mark("Drift of the mean centre (metres)")),
    Value(
        "NEAREST_KS",
        mark("Difference of nearest-neighbour distances"),
        mark("Largest difference of both cumulative distributions, 0 to 1."),
    ),
    Value(
        "L_RMSE",
        mark("Difference of L (metres)"),
        mark("Root mean square over the distances."),
    ),
    Value(
        "RAND",
        mark("Agreement of DBSCAN's clusters"),
        mark("Adjusted Rand index: 1 for the same clusters, 0 as by chance."),
    ),
    Value(
        "KDE_OVERLAP",
        mark("Overlap of the kernel densities"),
        mark("1: the same map, 0: nothing in common."),
    ),
    Value("MORANS_I_BEFORE", mark("Moran's I in the original")),
    Value("MORANS_I_AFTER", mark("Moran's I in the release")),
    Value(
        "LISA_KEPT",
        mark("Local clusters kept"),
        mark("Share of the zones significant by local Moran's I that still are, with one sign."),
    ),
    Value("SERVICE_ERROR", mark("Median error of the distance to the nearest service (metres)")),
    Value("ZONES_KEPT", mark("Share of points that stay in their zone")),
    Value(
        "OUTSIDE",
        mark("Share of released points where nobody lives"),
        mark("By the population areas."),
    ),
    *verdicts.OUTPUTS,
)


def write(run: Run, found: Measured, rows: Sequence[Sequence[Any]]) -> None:
    """Write the layers."""
    run.outputs.add_rows("OUTPUT", rows)
    clusters = [] if found.scanned is None else list(found.scanned.told())
    run.outputs.add_features(
        "CLUSTERS",
        QgsWkbTypes.Type.Polygon,
        None,
        ((_circle(found.paired, one), _row(kind, number, one)) for kind, number, one in clusters),
        found.paired.crs,
        count=len(clusters),
    )


def _circle(paired: Paired, one: Cluster) -> QgsGeometry | None:
    if not one.radius > 0:  # a single place
        return None
    corners = paired.stored(one.outline()).tolist()
    return QgsGeometry.fromPolygonXY([[QgsPointXY(*corner) for corner in corners]])


def _row(kind: str, number: int, one: Cluster) -> list[Any]:
    risk = one.relative_risk if np.isfinite(one.relative_risk) else None
    p = one.p if one.p == one.p else None
    return [
        kind,
        number,
        one.radius,
        one.population,
        one.cases,
        one.expected,
        risk,
        one.llr,
        p,
    ]
