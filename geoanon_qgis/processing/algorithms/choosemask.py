# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:choosemask."""

from __future__ import annotations

import json

import numpy as np

from ...core.experiments.masks.advice import advise, families
from ...core.experiments.masks.advice_words import sentence
from ...core.experiments.masks.search import HELD
from ...core.experiments.masks.standing import Limit
from ...core.experiments.masks.usefulness import SHIFT
from .. import literature, verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog.declaration import Value, private, reports
from ..families.advising import inputs, table
from ..families.advising.reading import read
from ..families.attacking.listing import DENSER
from ..families.choosing import earlier
from ..i18n import mark, number_of, tr
from ..layers import sources, whole_files
from ..reports import choosemask as reporting
from ..reports import choosemask_verdict as telling
from ..reports.common import Context
from ..running import Result, existing


class ChooseMaskAlgorithm(GeoAnonAlgorithm):
    """Try all point masks under a limit: the smallest size of each that holds, and what it keeps."""

    NAME = "choosemask"
    DISPLAY_NAME = mark("Choose a point mask")
    GROUP = "maskpoints"
    TAGS = mark(
        "privacy, geomask, geomasking, advisor, recommendation, risk-utility, Pareto, parameters, "
        "k-anonymity, donut, Gaussian, exchange, geo-mask, confidential, sensitive, patients, "
        "epidemiology, displacement, GDPR, HIPAA"
    )
    SHORT_DESCRIPTION = mark(
        "Finds for each kind of point mask the smallest size that holds against an attack under a "
        "stated limit, and recommends the one that keeps most of your own points."
    )
    HELP = Help(
        what=mark(
            "Say what an adversary may believe at most (ACCEPTABLE) and of whom (LIMIT_ON). For "
            "each mask the smallest size is found at which two adversaries stay below it, by the "
            "attack on draws of that mask on your own points: who has the address list and asks "
            "who lives there, and who knows besides that a person is in the file and asks which "
            "record is hers. Then it is measured what each keeps.\n\n"
            "The upper end of an interval is held against the limit, by draws that the size was "
            "not found by. For every record, and for 99 % of a file of fewer than 381 places, "
            "nobody may be above the limit in any of 40 draws. For 99 % of a larger file none of the "
            "draws (20, of more than 500 fewer, 3 at least) may have more than one in a hundred above "
            "it. What was proved of groups and cells needs no draws.\n\n"
            "Recommended is the mask that keeps most of those that hold and show nobody for sure; "
            "one that withholds more than one record in twenty only where no other holds. The "
            "report has the finished command; TEMPLATE has the same for programs. Where no mask "
            "of points holds, it is said what would: areas, or how large a limit groups could "
            "keep. What nobody can tell is not recommended: where the list lacks homes, or the "
            "trials leave something out, the nearest mask is named, and what is lacking. With RESUME a run that was cancelled "
            "goes on where it ended."
        ),
        when=mark("Before masking points, to choose the mask and its size."),
        cautions=(
            mark(
                "What holds here holds against these attacks, with this list. Attack the release "
                "itself, too (geoanon:attackmask): it is another draw."
            ),
            mark(
                "Earlier releases that were drawn anew, and attributes that he knows, make an "
                "adversary stronger: name them (RELEASES with FRESH, KNOWN)."
            ),
            mark(
                "A limit on average protects nobody who lives apart. The table tells the surest "
                "guess beside it."
            ),
        ),
        sources=(literature.ZANDBERGEN,),
        reference=mark(
            "The choice is our own; how it is made stands in the source beside the code."
        ),
    )
    REQUIRES = ("scipy", "shapely")
    OUTPUTS = (
        table.OUTPUT,
        private(
            "TEMPLATE",
            mark("Recommended mask, for programs"),
            mark(
                "The algorithm and its inputs, to be run as it is by qgis_process with “-” (from QGIS 3.24 on); empty "
                "of a mask where none is recommended."
            ),
            "json",
        ),
        *reports(mark("The recommended mask, the frontier of risk and utility, and all masks.")),
        Value(
            "BEST",
            mark("Recommended mask"),
            mark("Its name in the table; empty where none qualifies."),
            is_text=True,
        ),
        Value("HELD", mark("Masks that hold")),
        Value("BEST_SHIFT", mark("Mean shift of the recommended mask (metres)")),
        Value("BEST_WITHHELD", mark("Share of the records that it withholds")),
        Value(
            "BEST_PRIOR_ODDS",
            mark("Belief beforehand up to which it holds"),
            mark(
                "How many times as likely as the list says an adversary may hold an address; none "
                "where it holds whatever he believes."
            ),
        ),
        *verdicts.OUTPUTS,
    )
    STEPS = {"read": 2, "candidates": 4, "layers": 2, "try": 90, "write": 2, "report": 2}

    def inputs(self):
        """Return what is read."""
        return inputs.inputs()

    def check(self, given):
        """A limit, and something to try."""
        return inputs.check(given)

    def execute(self, run):
        """Read, try, recommend, write, report."""
        made = read(run)
        run.tell(*made.said)
        run.warn(*made.warned)
        limit = Limit(run.acceptable(), run.choice("LIMIT_ON"))
        measures, names = run.choices("UTILITY"), run.choices("FAMILIES")
        settings = {
            "ACCEPTABLE": limit.share,
            "UTILITY": measures,
            **{name: run.choice(name) for name in ("LIMIT_ON", "ADVERSARY")},
            **{name: run.number(name) for name in ("RELEASES", "WITHIN")},
            "PRIOR_ODDS": made.case.prior_odds,
            "FRESH": run.flag("FRESH"),
        }
        with earlier.kept(run, made.data, settings) as (kept, seed):
            case = made.case
            against = (case.adversaries, case.prior_odds)
            masks = families(names, limit, made.grid, *against, made.network, made.zones)
            trying = run.step("try")
            advice = advise(
                *(case, masks, limit, measures, seed, kept, None, trying),
                caveats=made.caveats,
                foretold=lambda told: run.tell(self._forecast(told)),
            )
        said = tr(sentence(advice))
        (run.warn if advice.best is None else run.tell)(said)
        given, best = self._given(run, made.weight), advice.best
        template = {} if best is None else telling.template(best, given)
        line = telling.command(template) if template else ""
        for name in ("INPUT", "CANDIDATES", "STREETS", "ZONES"):
            if line and run.has(name) and whole_files.is_part(run.parameters.get(name)):
                run.warn(
                    tr(
                        "The command takes all of “{layer}”, of which only a part (a selection or a "
                        "filter) was judged. Save that part as a layer and choose it instead."
                    ).format(layer=run.source(name).sourceName())
                )
        run.outputs.add_rows("OUTPUT", table.rows(advice))
        if run.outputs.wanted("TEMPLATE"):
            text = json.dumps(template, indent=1, ensure_ascii=False) + "\n"
            run.outputs.fill_file("TEMPLATE", lambda path: path.write_text(text, encoding="utf-8"))
        fresh = case.releases > 1
        context = Context(run.source("INPUT").sourceName(), made.said, made.points.left_out, "m")
        tried = reporting.Tried(context, advice, line)
        numbers = {
            "HELD": sum(one.state == HELD for one in advice.found),
            "BEST_SHIFT": float("nan") if best is None else best.values[SHIFT],
            "BEST_WITHHELD": float("nan") if best is None else best.standing.withheld,
            "BEST_PRIOR_ODDS": float("nan") if best is None else advice.bears(best),
        }
        # What groups keep hangs on no belief; others were tried with those that were named.
        even = case.prior_odds == 1 and (best is None or np.isfinite(advice.bears(best)))
        untold = (DENSER,) if even and not made.weight else ()
        return Result(
            {
                "BEST": "" if best is None else best.family.name,
                **existing(numbers),
            },
            advice.verdict,
            telling.steps(advice, line, fresh, given),
            telling.not_run(fresh, case.known is not None, untold),
            lambda progress: reporting.report(tried),
        )

    @staticmethod
    def _forecast(told) -> str:
        """How long it takes, by one trial of each mask."""

        def minutes(seconds: float) -> str:
            return number_of(max(1, round(seconds / 60)), "minute", "minutes")

        return tr(
            "On this machine it takes about {usual} more, and {most} if every mask needs all of its "
            "draws."
        ).format(usual=minutes(told.usual), most=minutes(told.most))

    @staticmethod
    def _given(run, weight) -> dict[str, str]:
        """What a command takes over; a layer that is no file by its name."""
        given = {}
        for name in ("INPUT", "CANDIDATES", "STREETS", "ZONES"):
            if not run.has(name):
                continue
            layer = run.layer(name)
            is_file = layer is not None and sources.files_of(layer)
            given[name] = layer.source() if is_file else run.source(name).sourceName()
        if weight:
            given["WEIGHT"] = weight
        if run.number("WITHIN"):
            given["WITHIN"] = f"{run.number('WITHIN'):.12g}"
        return given
