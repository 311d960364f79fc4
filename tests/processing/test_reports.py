# SPDX-License-Identifier: GPL-2.0-or-later
"""Every report, run from its algorithm: the names that scripts find things by, and its first screen.

``report_names.json`` holds the names. Run with ``GEOANON_REGENERATE=1`` to write it anew, and read
the difference: a name that goes breaks somebody's script.
"""

import json
import os
from pathlib import Path

import pytest

from tests.processing.reporting import SCENES, reported

NAMES = Path(__file__).with_name("report_names.json")


def names_of(told: dict) -> dict:
    """Names in a report's JSON: figures, sections, and tables with their columns, charts, maps."""
    named, columns = [], {}
    for section in told["sections"]:
        for block in section["blocks"]:
            if block.get("name"):
                named.append(f"{block['type']}:{block['name']}")
            if block["type"] == "table":
                columns[block["name"]] = sorted(column["name"] for column in block["columns"])
    return {
        "figures": sorted(told["figures"]),
        "sections": [section["name"] for section in told["sections"]],
        "blocks": sorted(named),
        "columns": columns,
    }


@pytest.mark.parametrize("name", SCENES)
def test_names_stay_and_every_figure_is_explained(provider, tmp_path, name):
    page, figures = reported(name, tmp_path)
    told = json.loads(Path(figures).read_text(encoding="utf-8"))
    kept = json.loads(NAMES.read_text(encoding="utf-8")) if NAMES.exists() else {}
    if os.environ.get("GEOANON_REGENERATE"):
        kept[name] = names_of(told)
        text = json.dumps(dict(sorted(kept.items())), indent=1, sort_keys=True)
        NAMES.write_text(text + "\n", encoding="utf-8")
        pytest.skip("names written")
    assert names_of(told) == kept[name]
    html = Path(page).read_text(encoding="utf-8")
    shown = [
        figure
        for section in told["sections"]
        for block in section["blocks"]
        if block["type"] == "figures"
        for figure in block["figures"]
    ]
    assert [one["name"] for one in shown if not one["explained"].endswith(".")] == []
    assert html.count('class="explained"') == len(shown) > 0
