# SPDX-License-Identifier: GPL-2.0-or-later
"""The model that exchanges addresses, attacks the result and measures what is kept."""

import pytest

from geoanon_qgis import paths
from tests.processing.helpers import opened, records

pytestmark = pytest.mark.usefixtures("project")


def test_it_exchanges_attacks_measures_and_reports(checkout, tmp_path):
    from qgis import processing

    soho = f"{checkout / 'resources' / 'data' / 'soho_cholera_1854.gpkg'}|layername="
    done = processing.run(
        "geoanon:exchangeattackreport",
        {
            "POINTS": soho + "deaths",
            "CANDIDATES": soho + "addresses",
            "K": 12,
            "mask:MASKED": str(tmp_path / "masked.gpkg"),
            "mask:SECRET_FILE": str(tmp_path / "secret.json"),
            "attack:GUESSES": "TEMPORARY_OUTPUT",
            "attack:REPORT": str(tmp_path / "attack.html"),
            "measure:REPORT": str(tmp_path / "measures.html"),
        },
    )
    assert opened(done["mask:MASKED"]).featureCount() == len(records(done["attack:GUESSES"]))
    assert all(0 < row["probability"] <= 1 for row in records(done["attack:GUESSES"]))
    assert "Do not release this" in (tmp_path / "attack.html").read_text(encoding="utf-8")
    assert (tmp_path / "secret.json").exists()
    measured = (tmp_path / "measures.html").read_text(encoding="utf-8")
    # The attack stands beside the measures, so that both reports come to the same verdict.
    assert "Do not release this" in measured and "<svg" in measured


def test_it_has_an_icon_of_its_own():
    assert paths.icon("exchangeattackreport").endswith("exchangeattackreport.svg")
