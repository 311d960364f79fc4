# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:linkageexperiment."""

from __future__ import annotations

import secrets

from ...core.experiments.design import CLIQUE, LinkageExperiment, attacks_on
from ...core.experiments.linkage import run as run_cells
from ...core.experiments.verdicts import by_release, labels_alone, share
from ...core.runtime.errors import Cancelled
from ...core.verdict import judge
from .. import literature, verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog.declaration import Value, private, reports
from ..families import clusters, mask_files
from ..families.linkage import cells
from ..families.linkage import experiment as asking
from ..families.linkage.adversary import names_of
from ..i18n import mark, number_of, tr
from ..layers import planes
from ..layers.labels import labels_of
from ..reports import linkageexperiment as reporting
from ..reports.common import Context
from ..reports.distances import not_attacked
from ..running import Result


class LinkageExperimentAlgorithm(GeoAnonAlgorithm):
    """Attack releases of one's own points again and again."""

    NAME = "linkageexperiment"
    DISPLAY_NAME = mark("Linkage experiment")
    GROUP = "attackarelease"
    TAGS = mark(
        "privacy, re-identification, simulation, risk, risk-utility map, distance matrix, "
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
            "without those whom the adversary knew before (KNOWN_LINKS), of one release or of several "
            "that he holds of the same people (RELEASES), sizes of the cliques and how many of them are proven are counted.\n\n"
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
                "Each further release of the same people gives more of them away, also where no id says "
                "who is who (LINKED_BY=rows): try as many as will ever be made."
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

    WITHOUT_NUMBA = 1.4
    STEPS = {"read": 2, "run": 95, "write": 3}

    def inputs(self):
        """Return what is read."""
        return asking.inputs()

    def filled(self, given):
        """Take from the mask file how releases are made."""
        return asking.filled(given)

    def check(self, given):
        """Check the lists."""
        return asking.check(given)

    def without_numba(self, given):
        """The search for a clique loses most; what all attacks lose together was not measured."""
        return 15.0 if given.choice("ATTACK") == "clique" else self.WITHOUT_NUMBA

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
        run.outputs.add_table("OUTPUT", *cells.as_written(rows))
        attacks = len(experiment.cells) // len(experiment.releases)
        guessed = labels_alone(experiment)
        adversary = names_of(experiment.known_links > 0, experiment.n_releases > 1)
        judged = by_release(rows, attacks, *adversary, run.acceptable(), [guessed])
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
            judge(found, *adversary, run.acceptable()),
            reporting.steps(rows, judged),
            [*reporting.not_run(experiment), not_attacked()],
            lambda progress: reporting.report(told),
        )

    def _experiment(self, run, table, labels, area, seed) -> LinkageExperiment:
        work, attack, releases = run.number("MAX_WORK"), run.choice("ATTACK"), asking.releases(run)
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
            attacks=attacks_on(releases[0]) if attack == asking.ALL else (attack,),
            threshold=run.number("THRESHOLD"),
            max_steps=run.number("MAX_STEPS"),
            max_work=None if work is None else 1_000_000 * work,
            time_limit=run.number("TIME_LIMIT") or None,
            replicates=run.number("REPLICATES"),
            known_links=run.number("KNOWN_LINKS"),
            n_releases=run.number("RELEASES"),
            linked_by=run.choice("LINKED_BY"),
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
