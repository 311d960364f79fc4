# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes the reports of a run when everything else is written, each with its audit page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Callable

from ...core.runtime.progress import Progress, part, shares
from ...report import Report, write_html, write_json
from ..wording import report_wording
from .page import page
from .record import Audit


@dataclass(frozen=True)
class Wanted:
    """A report, the outputs that it may go to, and where those that are wanted are written."""

    report: Report
    html: str
    json: str
    paths: Mapping[str, Path]


def write(
    outputs,
    reports: Sequence[Wanted],
    audit: Audit,
    names: Sequence[str],
    progress: Progress,
    ask: Callable[[], None],
) -> None:
    """Write reports; the figures tell of the page as well, and neither of itself.

    Parameters
    ----------
    outputs : Outputs
    reports : sequence of Wanted
    audit : Audit
    names : sequence of str
        All outputs that were asked for, in the order of their parameters.
    progress : callable
    ask : callable
        Raises to cancel.
    """
    audit.take_inputs(part(progress, 0.0, 0.4))
    later = {name for one in reports for name in (one.html, one.json)}
    there = [name for name in names if name not in later and outputs.is_written(name)]
    told = {
        name: outputs.facts_of(name, share)
        for name, share in zip(there, shares(part(progress, 0.4, 0.8), len(there)))
    }
    for one in reports:
        told.update({name: outputs.facts_of(name, None) for name in one.paths})
        for name, path in one.paths.items():
            facts = audit.facts([told[each] for each in names if each in told], one.report.private)
            report = replace(one.report, audit=page(facts, one.report.private))
            with outputs.filling(name):
                if name == one.html:
                    write_html(report, path, report_wording(), ask=ask)
                else:
                    write_json(report, path, report_wording())
            told[name] = outputs.facts_of(name, lambda fraction: ask())
