# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:linkageexperiment."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from ...compat import is_null
from ...core.attacks.maps.likelihood import THRESHOLD
from ...core.experiments.design import ATTACKS, CLIQUE, Cell, LinkageExperiment
from ...core.experiments.linkage import run as run_cells
from ...core.experiments.releases import EmbeddedDistances, NoisyCoordinates, NoisyDistances
from ...core.experiments.verdicts import by_release
from ...core.experiments.workers import DASK, Backend
from ...core.runtime.errors import Cancelled, InputError
from ...core.verdict import judge
from .. import verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog import parameters as make
from ..dialog.declaration import Field, Value, private, reports
from ..dialog.numbers import LARGEST_WHOLE
from ..i18n import mark, number_of, tr
from ..layers import planes
from ..layers.areas import study_area
from ..layers.labels import labels_of
from ..layers.reading import read_table
from ..reports import linkageexperiment as story
from ..reports.common import Context
from ..reports.distances import not_attacked
from ..running import Result

LIPSCHITZ, COORDINATES, DISTANCES = "lipschitz", "coordinate_noise", "distance_noise"

BOTH = "both"
_ADVERSARY = ("file_with_places", "which_record")

#: Columns of the output: name, type.
_FIELDS = (
    Field("method", "string"),
    Field("release", "string"),
    Field("sets", "int"),
    Field("size", "int"),
    Field("sigma", "double"),
    Field("in_degrees", "int"),
    Field("distribution", "string"),
    Field("scale", "double"),
    Field("attack", "string"),
    Field("alpha", "double", mark("clique only")),
    Field("repeats", "int"),
    Field("precision", "double"),
    Field("precision_se", "double", mark("the standard error, as of recall_se")),
    Field("recall", "double"),
    Field("recall_se", "double"),
    Field("matches", "double", mark("claimed, mean")),
    Field("clique", "double", mark("mean size")),
    Field("proven", "double", mark("share")),
    Field("vertices", "int"),
    Field("edges", "double"),
    Field("utility", "double", mark("1 / variance of the deviation of distances")),
    Field("nearest_kept", "double"),
    Field("coverage", "double", mark("share of true pairs that the intervals hold")),
    Field("seconds", "double"),
    Field("n_target", "int", mark("what RESUME compares begins here")),
    Field("n_identification", "int"),
    Field("overlap", "int"),
    Field("seed", "long"),
    Field("metric", "string"),
    Field("replicates", "int"),
    Field("max_steps", "long"),
    Field("max_work", "long"),
    Field("time_limit", "double"),
    Field("threshold", "double"),
    Field("data", "string", mark("a digest of the points and quasi-identifiers")),
)
#: Columns without which a row is none.
_NEEDED = (
    "release",
    "attack",
    "vertices",
    "repeats",
    "n_target",
    "n_identification",
    "overlap",
    "seed",
    "data",
)


class LinkageExperimentAlgorithm(GeoAnonAlgorithm):
    """Attack releases of one's own points again and again."""

    NAME = "linkageexperiment"
    DISPLAY_NAME = mark("Linkage experiment")
    GROUP = "attackarelease"
    ICON = "linkageexperiment"
    TAGS = mark(
        "privacy, geomask, re-identification, simulation, risk, risk-utility map, distance "
        "matrix, precision, recall"
    )
    SHORT_DESCRIPTION = mark(
        "Repeats the papers' simulation on your own points: releases them, attacks them, and "
        "counts who is found, over a grid of parameters."
    )
    HELP = Help(
        what=mark(
            "A target file (to be released) and an identification file (what an adversary knows) "
            "are drawn from the points, with some records in both. For every method of release "
            "and its parameters the target file is released and attacked again and again: by the "
            "papers' graph-theoretic attack (clique) with every alpha, and by our stronger one "
            "(likelihood), both on the same releases. Precision and recall, with standard errors, "
            "sizes of the cliques and how many of them are proven are counted.\n\n"
            "A run that is cancelled keeps the cells that were finished. Give its table to RESUME "
            "(and the same points and settings) to go on where it ended; the seed is in the table."
        ),
        when=mark(
            "To know what a release risks before it is made, and to compare methods on the risk–"
            "utility map."
        ),
        cautions=(
            mark(
                "Many cells with many repetitions take time; progress tells how much is done. "
                "One attack by likelihood on an embedding takes about a minute of a processor."
            ),
            mark(
                "A TIME_LIMIT that is reached makes results depend on the machine; MAX_WORK and "
                "MAX_STEPS do not."
            ),
            mark(
                "The two files are drawn once for all cells, as in the papers: another seed draws "
                "others."
            ),
        ),
        reference=mark(
            "Kroll, M. (2015). A graph theoretic linkage attack on microdata in a metric space. "
            "Transactions on Data Privacy 8, 217–243. Kroll, M. and Schnell, R. (2016). "
            "Anonymisation of geographical distance matrices via Lipschitz embedding. "
            "International Journal of Health Geographics 15, 1."
        ),
    )
    REQUIRES = ("scipy",)

    OUTPUTS = (
        private(
            "OUTPUT",
            mark("Cells of the experiment"),
            mark("Table with one row for each cell of the grid."),
            "table",
            _FIELDS,
            optional=False,
        ),
        *reports(mark("The papers' curves, and the risk–utility map.")),
        Value("CELLS", mark("Cells finished"), mark("Cells of the grid that are finished.")),
        Value("WORST_PRECISION", mark("Highest mean precision")),
        Value("WORST_RECALL", mark("Highest mean recall")),
        *verdicts.OUTPUTS,
    )

    STEPS = {"read": 2, "run": 95, "write": 3}

    def inputs(self):
        """Return what is read."""
        return [
            make.points(
                "INPUT", tr("Points"), tr("The population from which both files are drawn.")
            ),
            make.fields(
                "QIS",
                tr("Quasi-identifiers"),
                tr(
                    "Attributes by which records are compared, such as age and sex. Records that "
                    "lack "
                    "one are never linked."
                ),
                "INPUT",
                optional=False,
            ),
            make.integer(
                "N_TARGET", tr("Released records"), tr("Records of the target file."), 500, 2
            ),
            make.integer(
                "N_IDENTIFICATION",
                tr("Known people"),
                tr("Records of the identification file."),
                500,
                2,
            ),
            make.integer(
                "OVERLAP",
                tr("Records in both"),
                tr("People whose record is released and whom the adversary knows."),
                50,
                1,
            ),
            make.choice(
                "METHOD",
                tr("Release"),
                tr(
                    "lipschitz: embedding with all SETS and SIZE. coordinate_noise: Gaussian "
                    "noise on "
                    "coordinates with all SIGMA. distance_noise: noise on distances with all SIGMA."
                ),
                [LIPSCHITZ, COORDINATES, DISTANCES],
                LIPSCHITZ,
            ),
            make.numbers(
                "SETS",
                tr("Numbers of reference sets (d)"),
                tr("For lipschitz: numbers parted by commas."),
                "20, 60, 100",
                1,
                whole=True,
            ),
            make.numbers(
                "SIZE",
                tr("Sizes of reference sets (k)"),
                tr("For lipschitz: numbers parted by commas."),
                "2, 5, 10, 20, 30",
                1,
                whole=True,
            ),
            make.numbers(
                "SIGMA",
                tr("Sizes of the noise"),
                tr("For noise: numbers parted by commas."),
                "500, 1000, 2000, 5000",
                1e-12,
            ),
            make.choice(
                "SIGMA_UNIT",
                tr("Unit of the sizes"),
                tr("For coordinate_noise: metres on the ground or degrees."),
                ["m", "degrees"],
                "m",
            ),
            make.choice(
                "DISTRIBUTION",
                tr("Distribution of the noise"),
                tr("For distance_noise."),
                ["gaussian", "laplace"],
                "gaussian",
            ),
            make.choice(
                "ATTACK",
                tr("Attack"),
                tr(
                    "clique: the papers' attack, quick. likelihood: ours, which often finds more "
                    "people and takes longer. both: side by side on the same releases."
                ),
                [BOTH, *ATTACKS],
                BOTH,
            ),
            make.numbers(
                "ALPHA",
                tr("Shares of true pairs to accept (alpha)"),
                tr("For the clique attack: numbers between 0 and 1, parted by commas."),
                "0.1, 0.5, 0.9",
                0.0,
                1.0,
            ),
            make.integer(
                "REPEATS",
                tr("Repetitions"),
                tr(
                    "Releases by each method, all of them attacked in every way. The papers make "
                    "20 "
                    "and 100."
                ),
                20,
                1,
                100_000,
            ),
            make.area(
                tr("the reference points and the simulated pairs"),
                tr("the convex hull of the points"),
            ),
            make.metric(),
            make.advanced(
                make.integer(
                    "REPLICATES",
                    tr("Embeddings by the adversary"),
                    tr("For lipschitz: how often the known people are embedded."),
                    1000,
                    2,
                )
            ),
            make.advanced(
                make.integer(
                    "MAX_STEPS",
                    tr("Most steps of a search"),
                    tr("The papers stop after 20,000,000. Leave empty for no limit."),
                    None,
                    1,
                    LARGEST_WHOLE,
                    optional=True,
                )
            ),
            make.advanced(
                make.integer(
                    "MAX_WORK",
                    tr("Most work of a search (millions)"),
                    tr(
                        "A search for a clique that takes more is counted as unproven. 1,000 "
                        "take some "
                        "seconds whatever the data, and give the same result on every machine. "
                        "Leave "
                        "empty for no limit."
                    ),
                    1_000,
                    1,
                    optional=True,
                )
            ),
            make.advanced(
                make.number(
                    "TIME_LIMIT",
                    tr("Time limit of a search (seconds)"),
                    tr(
                        "A search for a clique that takes longer is counted as unproven, and an "
                        "attack by "
                        "likelihood ends with what it has found; what the adversary prepares "
                        "before is not "
                        "counted. 0 for no limit."
                    ),
                    0.0,
                    0.0,
                )
            ),
            make.advanced(
                make.number(
                    "THRESHOLD",
                    tr("Least confidence"),
                    tr("For likelihood: matches that are less sure are not claimed."),
                    THRESHOLD,
                    0.0,
                    1.0,
                )
            ),
            make.advanced(
                make.text(
                    "SCHEDULER",
                    tr("Dask scheduler"),
                    tr(
                        "Address (tcp://host:port) of a Dask scheduler, to run the experiment on "
                        "a cluster "
                        "(needs the packages joblib and distributed). Leave empty to run on all "
                        "processors "
                        "of this machine."
                    ),
                )
            ),
            make.table(
                "RESUME",
                tr("Table of an earlier run"),
                tr(
                    "Cells that this table has are taken over and not run again. It must come "
                    "from the "
                    "same points and settings."
                ),
                optional=True,
            ),
            make.seed(),
            verdicts.limit(),
        ]

    def check(self, given):
        """Check the lists."""
        self._releases(given)
        alphas = given.numbers("ALPHA")
        if alphas[0] <= 0 or alphas[-1] >= 1:
            return tr("Every alpha must lie between 0 and 1, these ends left out.")
        return None

    def _releases(self, given) -> tuple:
        method = given.choice("METHOD")
        if method == LIPSCHITZ:
            return tuple(
                EmbeddedDistances(sets, size)
                for sets in given.numbers("SETS")
                for size in given.numbers("SIZE")
            )
        sigmas = given.numbers("SIGMA")
        if method == COORDINATES:
            degrees = given.choice("SIGMA_UNIT") == "degrees"
            return tuple(NoisyCoordinates(sigma, degrees) for sigma in sigmas)
        distribution = given.choice("DISTRIBUTION")
        return tuple(NoisyDistances(distribution, sigma) for sigma in sigmas)

    def execute(self, run):
        """Read, run what is not done, write, report."""
        source = run.source("INPUT")
        qis = run.fields("QIS", source)
        table = run.points(source, run.step("read"), qis)
        metric = run.choice("METRIC")
        said = planes.measure(metric, table.xy, table.crs)[1]
        area, sentence, _ = study_area(run.source("AREA"), table.xy, table.crs, run.context)
        said.append(sentence)
        run.tell(*said)
        earlier = self._earlier(run)
        seed = run.number("SEED")
        if seed is None:
            seed = int(earlier[0]["seed"]) if earlier else secrets.randbelow(2**31)
        limit = run.number("TIME_LIMIT")
        work = run.number("MAX_WORK")
        attack = run.choice("ATTACK")
        experiment = LinkageExperiment(
            table.xy,
            labels_of(table.columns, qis, len(table)),
            planes.wkt(table.crs),
            metric,
            area,
            *(run.number(name) for name in ("N_TARGET", "N_IDENTIFICATION", "OVERLAP")),
            self._releases(run),
            tuple(run.numbers("ALPHA")),
            run.number("REPEATS"),
            seed,
            attacks=ATTACKS if attack == BOTH else (attack,),
            threshold=run.number("THRESHOLD"),
            max_steps=run.number("MAX_STEPS"),
            max_work=None if work is None else 1_000_000 * work,
            time_limit=limit or None,
            replicates=run.number("REPLICATES"),
        )
        rows = _taken_over(earlier, experiment)
        if rows:
            run.tell(tr("Cells taken over from the earlier run: {count}.").format(count=len(rows)))
        finished = self._cells(experiment, run, rows)
        if not finished:
            if not rows:
                raise Cancelled()
            run.warn(
                tr(
                    "Cancelled. What is finished is kept: {done} of {all}. Give this table to "
                    "RESUME to go on."
                ).format(done=len(rows), all=number_of(len(experiment.cells), "cell", "cells"))
            )
            run.outputs.finish_in_spite_of_cancel()
        rows = _in_order(rows, experiment)
        acceptable = run.acceptable()
        judged = by_release(
            rows, len(experiment.cells) // len(experiment.releases), *_ADVERSARY, acceptable
        )
        verdict = judge(
            [one for found in judged.values() for one in found.evidence], *_ADVERSARY, acceptable
        )
        run.outputs.add_rows(
            "OUTPUT",
            [[_typed(row.get(one.name), one.name, one.kind) for one in _FIELDS] for row in rows],
        )
        told = story.Experiment(
            Context(source.sourceName(), said, table.left_out),
            experiment,
            rows,
            judged,
        )
        return Result(
            {
                "CELLS": len(rows),
                "WORST_PRECISION": max((_share(row["precision"]) for row in rows), default=0.0),
                "WORST_RECALL": max((_share(row["recall"]) for row in rows), default=0.0),
            },
            verdict,
            story.steps(rows, judged),
            [*story.not_run(experiment.attacks), not_attacked()],
            lambda progress: story.report(told),
        )

    def _cells(self, experiment, run, rows) -> bool:
        """Add the rows of all cells that are not done; False if it was cancelled."""
        scheduler = run.text("SCHEDULER").strip()
        backend = Backend(DASK, scheduler=scheduler) if scheduler else Backend()
        done = [_cell(row) for row in rows]
        same = experiment.settings
        try:
            for cell in run_cells(experiment, done, backend, run.step("run")):
                row = {**cell.row(), **same}
                rows.append(row)
                run.tell(
                    tr(
                        "{release}, {attack}: precision {precision:.3f}, recall {recall:.3f}, "
                        "{matches:.1f} matches{proven}."
                    ).format(
                        release=story.setting(row),
                        attack=story.attack(row),
                        precision=_share(row["precision"]),
                        recall=_share(row["recall"]),
                        matches=row["matches"],
                        proven=_proven(row),
                    )
                )
        except Cancelled:
            return False
        return True

    def _earlier(self, given) -> list[dict[str, Any]]:
        source = given.source("RESUME")
        if source is None:
            return []
        # A .dbf cuts names after ten letters.
        look_up = source.fields().lookupField
        at = {one.name: max(map(look_up, (one.name, one.name[:10]))) for one in _FIELDS}
        missing = [name for name in at if at[name] < 0]
        if missing:
            raise InputError(
                tr(
                    "The table “{name}” is none of this algorithm's: it has no {missing}. Choose "
                    "the output of an earlier run, or none."
                ).format(name=source.sourceName(), missing=", ".join(missing))
            )
        stored = [source.fields().at(place).name() for place in at.values()]
        table = read_table(source, fields=stored)
        columns = [
            [_typed(value, one.name, one.kind) for value in table.columns[name]]
            for name, one in zip(stored, _FIELDS)
        ]
        rows = [dict(zip(at, row)) for row in zip(*columns)]
        if any(row["attack"] == CLIQUE and row["alpha"] is None for row in rows):
            raise _lacks("alpha")
        if len({row["seed"] for row in rows}) > 1:
            raise InputError(
                tr(
                    "The table of the earlier run holds rows of several runs (several seeds). "
                    "Choose the output of one run."
                )
            )
        return rows


def _typed(value: Any, name: str, kind: str) -> Any:
    """A value of a column in the column's own type; a CSV has texts, and nothing for NULL.

    Raises
    ------
    InputError
        If it is none.
    """
    if is_null(value) or value != value or value == "":
        if name in _NEEDED:
            raise _lacks(name)
        return None
    if kind == "string":
        return str(value)
    try:
        number = float(value)
        # A long whole number is no double.
        return number if kind == "double" else int(value if str(value).isdigit() else number)
    except (ValueError, OverflowError) as error:
        raise InputError(
            tr(
                "The table of the earlier run has “{value}” for {name}, which is no number. Choose "
                "the output of an earlier run, as it was written, or none."
            ).format(value=value, name=name)
        ) from error


def _lacks(name: str) -> InputError:
    return InputError(
        tr(
            "The table of the earlier run has a row without {name}. Choose the output of an "
            "earlier "
            "run, as it was written, or none."
        ).format(name=name)
    )


def _taken_over(
    earlier: Sequence[dict[str, Any]], experiment: LinkageExperiment
) -> list[dict[str, Any]]:
    """Rows of an earlier run that are cells of this one.

    Raises
    ------
    InputError
        If the earlier run had other data or settings.
    """
    now = experiment.settings if earlier else {}
    for row in earlier:
        other = [name for name, value in now.items() if row[name] != value]
        if "data" in other:
            raise InputError(
                tr(
                    "The earlier run cannot be gone on with: it had other points, "
                    "quasi-identifiers "
                    "or another AREA. Choose these as they were, or leave RESUME empty."
                )
            )
        if other:
            raise InputError(
                tr(
                    "The earlier run cannot be gone on with: it differs in {names}. Set these as "
                    "they were, or leave RESUME empty."
                ).format(names=", ".join(other))
            )
    cells = set(experiment.cells)
    # Each once, should somebody have put two tables together.
    kept = {_cell(row): row for row in earlier}
    return [row for cell, row in kept.items() if cell in cells]


def _cell(row: dict[str, Any]) -> Cell:
    return Cell(row["release"], row["attack"], row["alpha"])


def _in_order(rows, experiment) -> list[dict[str, Any]]:
    place = {cell: number for number, cell in enumerate(experiment.cells)}
    return sorted(rows, key=lambda row: place[_cell(row)])


def _proven(row: dict[str, Any]) -> str:
    if row["attack"] != CLIQUE:
        if row["proven"] is None:
            return ""
        return tr(", {share:.0f} % cut off").format(share=100 * (1 - row["proven"]))
    return tr(", {share:.0f} % proven").format(share=100 * row["proven"])


def _share(value: float | None) -> float:
    """Nothing claimed counts as nothing right."""
    return 0.0 if value is None or value != value else float(value)
