# SPDX-License-Identifier: GPL-2.0-or-later
"""The writers' own few words, so that a caller may translate them without this room knowing Qt."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Wording:
    """Strings that the writers add to a report, in English. Braces are filled by the writers."""

    lang: str = "en"
    decimal_mark: str = "."
    group_mark: str = "\u202f"

    private: str = "Private"
    private_title: str = "Private: do not pass on"
    private_note: str = (
        "This report shows original locations, or what leads back to them. It is only for those "
        "who may see the original data. It must not be given to anyone who receives the released "
        "data, and must not be published, mailed or stored beside it."
    )
    info: str = "Note"
    warning: str = "Caution"
    danger: str = "Warning"

    missing: str = "–"
    yes: str = "yes"
    no: str = "no"

    rows_left_out: str = (
        "Rows shown: the first {shown} of {total}; left out: {left}. The JSON form of this report "
        "holds them all."
    )
    no_rows: str = "No rows."
    chart_numbers: str = "The numbers behind this chart"
    chart_not_drawn: str = (
        "The chart is given as a table because the Python package matplotlib, which would draw it, "
        "is not installed."
    )
    chart_empty: str = "There are no values to draw."
    values_above: str = "Not drawn: larger values ({count}), up to {maximum}."
    count: str = "Count"
    bin_from: str = "From"
    bin_to: str = "To below"
    category: str = "Category"
    series: str = "Series"
    low: str = "Lower end"
    high: str = "Upper end"
    remark: str = "Remark"
    dots_left_out: str = (
        "Drawn: {shown} of {total} dots, evenly picked. The JSON form of this report holds them "
        "all."
    )
    two_pages: str = "Print two pages only: the decision and this audit"
    made_with: str = "Made with {program}"

    write_failed: str = (
        "The report could not be written to {path}: {reason}. Choose a folder that exists and in "
        "which you may write, close the file if another program has it open, and run again."
    )
