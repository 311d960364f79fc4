# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:linkageexperiment."""

from __future__ import annotations

import secrets

from ...core.attacks.maps.likelihood import THRESHOLD
from ...core.distances.isgp import PER_RADIUS
from ...core.experiments.design import ATTACKS, CLIQUE, LOCAL_MAPS, LinkageExperiment, attacks_on
from ...core.experiments.linkage import run as run_cells
from ...core.experiments.releases import (
    EmbeddedDistances,
    NoisyCoordinates,
    NoisyDistances,
    SharedLabels,
)
from ...core.experiments.verdicts import by_release, labels_alone, share
from ...core.runtime.errors import Cancelled, InputError
from ...core.verdict import judge
from ...core.verification.maskfile import EXACT
from .. import literature, verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog import parameters
from ..dialog.declaration import Value, private, reports
from ..dialog.numbers import LARGEST_WHOLE
from ..families import clusters, mask_files
from ..families.linkage import cells
from ..families.linkage.adversary import ADVERSARY
from ..families.linkage.parameters import known_links_number
from ..families.linkage.rules import COORDINATES, DISTANCES, LIPSCHITZ
from ..families.linkage.shared import ISGP
from ..i18n import mark, number_of, tr
from ..layers import planes
from ..layers.labels import labels_of
from ..reports import linkageexperiment as reporting
from ..reports.common import Context
from ..reports.distances import not_attacked
from ..running import Result

ALL = "all"


class LinkageExperimentAlgorithm(GeoAnonAlgorithm):
    """Attack releases of one's own points again and again."""

    NAME = "linkageexperiment"
    DISPLAY_NAME = mark("Linkage experiment")
    GROUP = "attackarelease"
    TAGS = mark(
        "privacy, geomask, re-identification, simulation, risk, risk-utility map, distance matrix, "
        "precision, recall"
    )
    SHORT_DESCRIPTION = mark(
        "Repeats the papers' simulation on your own points: releases them, attacks them, and "
        "counts who is found, over a grid of parameters."
    )
    HELP = Help(
        what=mark(
            "A target file (to be released) and an identification file (what an adversary knows) "
            "are drawn from the points, with some records in both. For every method of release and "
            "its parameters the target file is released and attacked again and again: by the "
            "papers' graph-theoretic attack (clique) with every alpha, and by our stronger ones "
            "(likelihood and near_group; near_group and local_maps on ISGP), all on the same "
            "releases. Precision and recall, with standard errors, "
            "without those whom the adversary knew before (KNOWN_LINKS), sizes of the cliques and how many of them are proven are counted.\n\n"
            "A run that is cancelled keeps the cells that were finished. Give its table to RESUME "
            "(and the same points and settings) to go on where it ended; the seed is in the table."
        ),
        when=mark(
            "To know what a release risks before it is made, and to compare methods on the "
            "risk–utility map."
        ),
        cautions=(
            mark(
                "Many cells with many repetitions take time; progress tells how much is done. One "
                "attack by likelihood on an embedding takes about a minute of a processor."
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
        sources=(literature.KROLL, literature.KROLL_SCHNELL),
    )
    REQUIRES = ("scipy",)

    OUTPUTS = (
        private(
            "OUTPUT",
            mark("Cells of the experiment"),
            mark("Table with one row for each cell of the grid."),
            "table",
            cells.FIELDS,
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
            parameters.points(
                "INPUT", tr("Points"), tr("The population from which both files are drawn.")
            ),
            mask_files.parameter(),
            parameters.fields(
                "QIS",
                tr("Quasi-identifiers"),
                tr(
                    "Attributes by which records are compared, such as age and sex. Records that "
                    "lack one are never linked."
                ),
                "INPUT",
                optional=False,
            ),
            parameters.integer(
                "N_TARGET", tr("Released records"), tr("Records of the target file."), 500, 2
            ),
            parameters.integer(
                "N_IDENTIFICATION",
                tr("Known people"),
                tr("Records of the identification file."),
                500,
                2,
            ),
            parameters.integer(
                "OVERLAP",
                tr("Records in both"),
                tr("People whose record is released and whom the adversary knows."),
                50,
                1,
            ),
            known_links_number(),
            parameters.choice(
                "METHOD",
                tr("Release"),
                tr(
                    "lipschitz: embedding with all SETS and SIZE. coordinate_noise: Gaussian noise "
                    "on coordinates with all SIGMA. distance_noise: noise on distances with all "
                    "SIGMA. isgp: the near distances of an ISGP release with all RADIUS; what the "
                    "labels themselves tell beside is not tried."
                ),
                [LIPSCHITZ, COORDINATES, DISTANCES, ISGP],
                LIPSCHITZ,
            ),
            parameters.numbers(
                "SETS",
                tr("Numbers of reference sets (d)"),
                tr("For lipschitz: numbers parted by commas."),
                "20, 60, 100",
                1,
                whole=True,
            ),
            parameters.numbers(
                "SIZE",
                tr("Sizes of reference sets (k)"),
                tr("For lipschitz: numbers parted by commas."),
                "2, 5, 10, 20, 30",
                1,
                whole=True,
            ),
            parameters.number(
                "PRE_NOISE",
                tr("Noise before the embedding (metres)"),
                tr("For lipschitz: as in the release; 0 for none."),
                0.0,
                0.0,
                advanced=True,
            ),
            parameters.number(
                "STEP",
                tr("Step of the released distances (metres)"),
                tr("For lipschitz: distances are rounded down to multiples of it; 0 for none."),
                0.0,
                0.0,
                advanced=True,
            ),
            parameters.numbers(
                "SIGMA",
                tr("Sizes of the noise"),
                tr("For noise: numbers parted by commas."),
                "500, 1000, 2000, 5000",
                1e-12,
            ),
            parameters.choice(
                "SIGMA_UNIT",
                tr("Unit of the sizes"),
                tr("For coordinate_noise: metres on the ground or degrees."),
                ["m", "degrees"],
                "m",
            ),
            parameters.choice(
                "DISTRIBUTION",
                tr("Distribution of the noise"),
                tr("For distance_noise."),
                ["gaussian", "laplace"],
                "gaussian",
            ),
            parameters.numbers(
                "RADIUS",
                tr("Radii of ISGP (metres)"),
                tr("For isgp: numbers parted by commas."),
                "1000",
                1e-9,
            ),
            parameters.metres(
                "SPACING",
                tr("Distance of the grid points (metres)"),
                tr("For isgp: as in the release. Leave empty for a tenth of the radius."),
            ),
            parameters.choice(
                "ATTACK",
                tr("Attack"),
                tr(
                    "clique: the papers' attack, quick. near_group: people who live near each "
                    "other; quick, and mostly finds most. likelihood: by a map of the records; "
                    "takes longer. local_maps: maps of neighbourhoods, for isgp. all: side by side on "
                    "the same releases, those that apply."
                ),
                [ALL, *ATTACKS, LOCAL_MAPS],
                ALL,
            ),
            parameters.numbers(
                "ALPHA",
                tr("Shares of true pairs to accept (alpha)"),
                tr("For the clique attack: numbers between 0 and 1, parted by commas."),
                "0.1, 0.5, 0.9",
                0.0,
                1.0,
            ),
            parameters.integer(
                "REPEATS",
                tr("Repetitions"),
                tr(
                    "Releases by each method, all of them attacked in every way. The papers make "
                    "20 and 100."
                ),
                20,
                1,
                100_000,
            ),
            parameters.area(
                tr("the reference points and the simulated pairs"),
                tr("the convex hull of the points"),
            ),
            parameters.metric(),
            parameters.integer(
                "REPLICATES",
                tr("Embeddings by the adversary"),
                tr("For lipschitz: how often the known people are embedded."),
                1000,
                2,
                advanced=True,
            ),
            parameters.integer(
                "MAX_STEPS",
                tr("Most steps of a search"),
                tr("The papers stop after 20,000,000. Leave empty for no limit."),
                None,
                1,
                LARGEST_WHOLE,
                optional=True,
                advanced=True,
            ),
            parameters.integer(
                "MAX_WORK",
                tr("Most work of a search (millions)"),
                tr(
                    "A search for a clique that takes more is counted as unproven. 1,000 take some "
                    "seconds whatever the data, and give the same result on every machine. Leave "
                    "empty for no limit."
                ),
                1_000,
                1,
                optional=True,
                advanced=True,
            ),
            parameters.number(
                "TIME_LIMIT",
                tr("Time limit of a search (seconds)"),
                tr(
                    "A search for a clique that takes longer is counted as unproven, and an attack "
                    "by likelihood ends with what it has found; what the adversary prepares before "
                    "is not counted. 0 for no limit."
                ),
                0.0,
                0.0,
                advanced=True,
            ),
            parameters.number(
                "THRESHOLD",
                tr("Least confidence"),
                tr("For likelihood: matches that are less sure are not claimed."),
                THRESHOLD,
                0.0,
                1.0,
                advanced=True,
            ),
            clusters.parameter(),
            parameters.table(
                "RESUME",
                tr("Table of an earlier run"),
                tr(
                    "Cells that this table has are taken over and not run again. It must come from "
                    "the same points and settings."
                ),
                optional=True,
            ),
            parameters.seed(),
            verdicts.limit(),
        ]

    def filled(self, given):
        """Take from the mask file how releases are made."""
        mask = mask_files.read(given)
        if mask is None:
            return given.parameters
        if mask.method == EXACT:
            raise InputError(
                mark(
                    "The mask file is of a release of exact distances, which needs no experiment: "
                    "whoever has them can draw the map. Give no mask file, and choose a method."
                )
            )
        values = {"METHOD": mask.method, **mask_files.made_by(mask, mask_files.PARAMETERS)}
        values.pop("UNIT", None)
        for name in ("SETS", "SIZE", "SIGMA", "RADIUS"):  # lists here
            if name in values:
                values[name] = f"{values[name]:.15g}"
        if mask.method == LIPSCHITZ:
            values["STEP"] = mask.step
        return mask_files.filled(given, values)

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
                EmbeddedDistances(sets, size, given.number("PRE_NOISE"), given.number("STEP"))
                for sets in given.numbers("SETS")
                for size in given.numbers("SIZE")
            )
        if method == ISGP:
            spacing = given.number("SPACING")
            return tuple(
                SharedLabels(radius, radius / PER_RADIUS if spacing is None else spacing)
                for radius in given.numbers("RADIUS")
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
        said = planes.measure(run.choice("METRIC"), table.xy, table.crs)[1]
        mask = mask_files.read(run)
        area, sentence, _ = mask_files.area(mask, run, table.xy, table.crs)
        said.append(sentence)
        run.tell(*said)
        earlier = cells.read_earlier(run.source("RESUME"))
        seed = run.number("SEED")
        if seed is None:
            seed = int(earlier[0]["seed"]) if earlier else secrets.randbelow(2**31)
        labels = mask_files.recoded(mask, labels_of(table.columns, qis, len(table)), qis)
        experiment = self._experiment(run, table, labels, area, seed)
        rows = cells.taken_over(earlier, experiment)
        if rows:
            run.tell(tr("Cells taken over from the earlier run: {count}.").format(count=len(rows)))
        if not self._finish(experiment, run, rows):
            if not rows:
                raise Cancelled()
            run.warn(
                tr(
                    "Cancelled. What is finished is kept: {done} of {all}. Give this table to "
                    "RESUME to go on."
                ).format(done=len(rows), all=number_of(len(experiment.cells), "cell", "cells"))
            )
            run.outputs.finish_in_spite_of_cancel()
        rows = cells.in_order(rows, experiment)
        run.outputs.add_rows("OUTPUT", cells.as_written(rows))
        attacks = len(experiment.cells) // len(experiment.releases)
        guessed = labels_alone(experiment)
        judged = by_release(rows, attacks, *ADVERSARY, run.acceptable(), [guessed])
        shown = (one for verdict in judged.values() for one in verdict.evidence)
        found = [*(one for one in shown if one is not guessed), guessed]
        context = Context(source.sourceName(), said, table.left_out)
        told = reporting.Experiment(context, experiment, rows, judged)
        return Result(
            {
                "CELLS": len(rows),
                "WORST_PRECISION": max((share(row["precision"]) for row in rows), default=0.0),
                "WORST_RECALL": max((share(row["recall"]) for row in rows), default=0.0),
            },
            judge(found, *ADVERSARY, run.acceptable()),
            reporting.steps(rows, judged),
            [*reporting.not_run(experiment), not_attacked()],
            lambda progress: reporting.report(told),
        )

    def _experiment(self, run, table, labels, area, seed) -> LinkageExperiment:
        work, attack, releases = run.number("MAX_WORK"), run.choice("ATTACK"), self._releases(run)
        return LinkageExperiment(
            table.xy,
            labels,
            planes.wkt(table.crs),
            run.choice("METRIC"),
            area,
            *(run.number(name) for name in ("N_TARGET", "N_IDENTIFICATION", "OVERLAP")),
            releases,
            tuple(run.numbers("ALPHA")),
            run.number("REPEATS"),
            seed,
            attacks=attacks_on(releases[0]) if attack == ALL else (attack,),
            threshold=run.number("THRESHOLD"),
            max_steps=run.number("MAX_STEPS"),
            max_work=None if work is None else 1_000_000 * work,
            time_limit=run.number("TIME_LIMIT") or None,
            replicates=run.number("REPLICATES"),
            known_links=run.number("KNOWN_LINKS"),
        )

    def _finish(self, experiment, run, rows) -> bool:
        """Add the rows of all cells that are not done; False if it was cancelled."""
        done = [cells.cell_of(row) for row in rows]
        same = experiment.settings
        try:
            for cell in run_cells(experiment, done, clusters.backend(run), run.step("run")):
                row = {**cell.row(), **same}
                rows.append(row)
                run.tell(
                    tr(
                        "{release}, {attack}: precision {precision:.3f}, recall {recall:.3f}, "
                        "{matches:.1f} matches{proven}."
                    ).format(
                        release=reporting.setting(row),
                        attack=reporting.attack(row),
                        precision=share(row["precision"]),
                        recall=share(row["recall"]),
                        matches=row["matches"],
                        proven=_proven(row),
                    )
                )
        except Cancelled:
            return False
        return True


def _proven(row: cells.Row) -> str:
    if row["attack"] != CLIQUE:
        if row["proven"] is None:
            return ""
        return tr(", {share:.0f} % cut off").format(share=100 * (1 - row["proven"]))
    return tr(", {share:.0f} % proven").format(share=100 * row["proven"])
