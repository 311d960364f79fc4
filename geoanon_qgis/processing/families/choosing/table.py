# SPDX-License-Identifier: GPL-2.0-or-later
"""The table of parameters that were tried."""

from __future__ import annotations

import numpy as np

from ....compat import make_field
from ....core.distances.choice import Recommendation
from ....core.distances.trials import Cell
from ....core.experiments.advice import Advice
from ...dialog.declaration import Field, private
from ...i18n import mark

#: Names of the columns of each attack.
SHORT = {
    "near_group_linkage": "near_group",
    "clique_linkage": "clique",
    "signature_linkage": "signatures",
    "likelihood_linkage": "likelihood",
    "local_maps_linkage": "local_maps",
}

#: What the algorithm declares.
OUTPUT = private(
    "OUTPUT",
    mark("Parameters tried"),
    mark("Table with one row for each combination."),
    "table",
    [
        Field("sets", "int", mark("0 for ISGP")),
        Field("size", "int", mark("0 for ISGP")),
        Field("pre_noise", "double", mark("noise before the embedding, in metres")),
        Field("step", "double", mark("step of released distances, in metres")),
        Field("grouped", "int", mark("1 where attributes are released as groups")),
        Field("released", "int", mark("records released, where a number was given")),
        Field("radius", "double", mark("of ISGP, in metres; 0 for an embedding")),
        Field("repeats", "int"),
        Field("pareto", "int", mark("1 if no other row beats it")),
        Field("recommended", "int", mark("1 for the row to take")),
    ],
    mark(
        "Besides, the mean and the standard error (_se) of each measure: nearest_kept and "
        "neighbours_kept (share of the nearest, of the ten nearest, that are right), "
        "spearman, median_ratio, sd_ratio, bias, deviation_variance and utility (1 / "
        "variance of released − true), blur (spread of a released distance over "
        "embeddings, as a share of it), map_error (how far a map drawn from the release "
        "lies off; 1: no better than one point). Of ISGP pairs that share no label count as two "
        "radii apart, and there are told (share of the pairs whose distance is told) and "
        "near_error (usual error of these). With attacks: state (held, ruled_out, "
        "cut_off, open: not followed up to the end), found (share of the people who are "
        "found by any attack, with the overlap that is worst), found_low and found_high "
        "(ends of its interval over draws), worst_overlap (in per cent), worst_neighbours (1 where these are "
        "neighbours), precision and "
        "precision_high (of the attack that is worst), draws, proven (0 where an attack "
        "was cut off), and found_high and precision_high of each attack."
    ),
    optional=False,
)


def risk_columns(advice: Advice, cells: list[Cell]) -> list[tuple[str, str, list]]:
    """Name, type and values of the columns that attacks give."""
    risks = [advice.risks[cell.setting] for cell in cells]
    worst = [one.worst for one in risks]
    precise = [one.most_precise for one in risks]
    columns = [
        ("state", "string", [advice.state(cell) for cell in cells]),
        ("found", "double", [one.found.mean for one in worst]),
        ("found_low", "double", [one.found.low for one in worst]),
        ("found_high", "double", [one.found.high for one in worst]),
        ("worst_overlap", "double", [100 * one.overlap.share for one in worst]),
        ("worst_neighbours", "int", [int(one.overlap.neighbours) for one in worst]),
        ("precision", "double", [one.precision.mean for one in precise]),
        ("precision_high", "double", [one.precision.high for one in precise]),
        ("draws", "int", [sum(len(each.draws) for each in one.all) for one in risks]),
        ("proven", "int", [int(one.proven) for one in risks]),
    ]
    names = dict.fromkeys(name for one in risks for each in one.all for name in each.attacks)
    for name in names:
        those = [[each for each in one.all if name in each.attacks] for one in risks]
        columns += [
            (
                f"{SHORT[name]}_found_high",
                "double",
                [max((each.found_by(name).high for each in some), default=None) for some in those],
            ),
            (
                f"{SHORT[name]}_precision_high",
                "double",
                [
                    max((each.precision_of(name).high for each in some), default=None)
                    for some in those
                ],
            ),
        ]
    return columns


def write(
    outputs, cells: list[Cell], front: list[int], best: Recommendation, advice: Advice | None
) -> None:
    """Write the output ``OUTPUT``."""
    names = [*dict.fromkeys(name for cell in cells for name in cell.values), "blur"]
    fields = ["sets", "size"]
    columns = [[cell.sets for cell in cells], [cell.size for cell in cells]]
    for name, kind in (("pre_noise", "double"), ("step", "double"), ("grouped", "int")):
        fields.append(make_field(name, kind))
        columns.append([getattr(cell, name) for cell in cells])
    columns[-1] = [int(one) for one in columns[-1]]
    fields += [make_field("released", "int"), make_field("radius", "double"), "repeats"]
    columns += [
        [getattr(cell, name) for cell in cells] for name in ("released", "radius", "repeats")
    ]
    for name in names:
        fields.append(make_field(name, "double"))
        columns.append(np.array([cell.mean(name) for cell in cells]))
        if name != "blur":
            fields.append(make_field(f"{name}_se", "double"))
            columns.append(np.array([cell.standard_error(name) for cell in cells]))
    if advice is not None:
        risks = risk_columns(advice, cells)
        fields += [make_field(name, kind) for name, kind, _ in risks]
        columns += [values for _, _, values in risks]
    fields += ["pareto", "recommended"]
    columns += [
        [int(row in front) for row in range(len(cells))],
        [int(cell is best.cell) for cell in cells],
    ]
    outputs.add_table("OUTPUT", fields, columns)
