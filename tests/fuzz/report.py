# SPDX-License-Identifier: GPL-2.0-or-later
"""What is told of the cases: each finding with the command that reruns it, and a table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from .runner import Result

#: What QGIS puts before a sentence.
_QGIS_SAYS = "Unable to execute algorithm"
_HEAD = ("algorithm", "cases", "succeeded", "refused", "cancelled", "findings", "seconds")


def tell(result: Result) -> None:
    """Tell a finding at once."""
    if result.findings:
        print(story(result), flush=True)


def story(result: Result) -> str:
    """The command, what was found and the case."""
    lines = [f"--- {result.command}", *result.findings]
    if result.refusal:
        lines.append(f"refused: {result.refusal}")
        lines += [f"error: {one}" for one in result.errors]
    lines += [f"    {line}" for line in result.dump.splitlines()]
    return "\n".join(lines)


def table(results: Sequence[Result]) -> str:
    """One row for each algorithm, and one for all."""
    rows: list[tuple] = [_HEAD]
    names = sorted({one.algorithm for one in results})
    for name in names:
        rows.append(_row(name, [one for one in results if one.algorithm == name]))
    if len(names) > 1:
        rows.append(_row("all", results))
    widths = [max(len(str(row[at])) for row in rows) for at in range(len(_HEAD))]
    return "\n".join(
        "  ".join(
            str(cell).ljust(width) if at == 0 else str(cell).rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths))
        )
        for row in rows
    )


def _row(name: str, results: Sequence[Result]) -> tuple:
    refused = sum(1 for one in results if one.refusal)
    return (
        name,
        len(results),
        sum(one.succeeded for one in results),
        refused,
        sum(one.cancelled for one in results),
        sum(len(one.findings) for one in results),
        f"{sum(one.seconds for one in results):.1f}",
    )


def _plainer(found: re.Match) -> str:
    return "1" if found.group(0)[0].isdigit() else " "


def refusals(results: Sequence[Result]) -> str:
    """The sentences, the most frequent first, for whoever mends the generator."""
    counts = Counter(
        (one.algorithm, re.sub(r"\d[\d.]*|\s+", _plainer, " ".join([one.refusal, *one.errors])))
        for one in results
        if one.refusal
    )
    return "\n".join(
        f"{count:4} {name}: {text.replace(_QGIS_SAYS, '').strip()[:240]}"
        for (name, text), count in counts.most_common()
    )
