# SPDX-License-Identifier: GPL-2.0-or-later
"""The worked example of ``docs/adding-an-algorithm.md`` is a mask like any other."""

import json

import numpy as np
import pytest
from qgis.core import QgsApplication, QgsProcessingException, QgsProcessingProvider

from docs.examples.discmask.algorithm import DiscMaskAlgorithm
from docs.examples.discmask.engine import disc_mask
from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.processing.dialog.notes import is_private
from tests.processing.helpers import (
    DEGREES,
    GRID,
    Feedback,
    assert_parameter,
    assert_sentence,
    coordinates,
    layer,
    points,
    records,
)

RADIUS = 200.0


class Examples(QgsProcessingProvider):
    """Where the example lives: it is not shipped, for no attack on it is."""

    def id(self):
        return "examples"

    def name(self):
        return "Examples"

    def loadAlgorithms(self):
        self.addAlgorithm(DiscMaskAlgorithm())


@pytest.fixture(scope="module")
def disc(provider):
    examples = Examples()
    registry = QgsApplication.processingRegistry()
    assert registry.addProvider(examples)
    yield registry.algorithmById("examples:discmask")
    registry.removeProvider(examples)


@pytest.fixture
def masked(disc):
    def run(of, **more):
        from qgis import processing

        parameters = {
            "INPUT": of,
            "RADIUS": RADIUS,
            "OUTPUT": "TEMPORARY_OUTPUT",
            "SHIFTS": "TEMPORARY_OUTPUT",
            "KEY": "TEMPORARY_OUTPUT",
        }
        feedback = Feedback()
        done = processing.run("examples:discmask", {**parameters, **more}, feedback=feedback)
        done["said"] = feedback.said
        return done

    return run


def by_original(done):
    """Masked places in the order of the originals."""
    at = dict(
        zip((row["masked_id"] for row in records(done["OUTPUT"])), coordinates(done["OUTPUT"]))
    )
    key = {int(row["original_id"]): at[row["masked_id"]] for row in records(done["KEY"])}
    return np.array([key[one] for one in sorted(key)])


# --- the engine -------------------------------------------------------------------------------


def test_places_are_uniform_in_the_disc():
    xy = points(20_000)
    moved = disc_mask(xy, 3.0, np.random.default_rng(5)) - xy
    share = (np.hypot(*moved.T) / 3.0) ** 2  # of the disc's area: uniform on 0..1
    assert share.max() <= 1 + 1e-9
    expected = np.arange(1, 20_001) / 20_000
    assert np.abs(np.sort(share) - expected).max() < 1.63 / np.sqrt(20_000)  # Kolmogorov, 1 %
    quadrants = np.bincount((2 * (moved[:, 0] > 0) + (moved[:, 1] > 0)).astype(int))
    assert np.abs(quadrants - 5_000).max() < 4 * np.sqrt(20_000 * 3 / 16)


def test_who_shares_a_place_moves_together():
    xy = np.repeat(points(50), 3, axis=0)
    moved = disc_mask(xy, 10.0, np.random.default_rng(1)).reshape(50, 3, 2)
    assert (moved == moved[:, :1]).all() and len(np.unique(moved[:, 0], axis=0)) == 50


@pytest.mark.parametrize("radius", [0.0, -1.0, np.nan])
def test_no_radius_is_a_sentence(radius):
    with pytest.raises(InputError, match="must be positive"):
        disc_mask(points(3), radius, np.random.default_rng(1))


# --- the algorithm ----------------------------------------------------------------------------


def test_it_keeps_the_contract(disc):
    page = disc.shortHelpString()
    for one in disc.parameterDefinitions():
        assert_parameter(one)
    assert {one.name for one in disc.OUTPUTS} == {one.name() for one in disc.outputDefinitions()}
    assert "<h3>Reference</h3>" in page and "masked_id (new, in random order)" in page
    private = [one.name() for one in disc.destinationParameterDefinitions() if is_private(one)]
    assert private == ["SHIFTS", "KEY", "REPORT", "JSON"]


@pytest.mark.parametrize("crs, size", [(GRID, 1e5), (DEGREES, 1.0)])
def test_points_move_within_the_radius_on_the_ground(masked, project, crs, size):
    centre = (11.5, 48.5) if crs == DEGREES else (400_000.0, 300_000.0)
    made = layer(points(400, size=size, centre=centre), crs=crs)
    done = masked(made)
    shift = np.array([row["shift_m"] for row in records(done["SHIFTS"])])
    assert len(shift) == done["COUNT"] == 400
    # the scale of a plane is true to some thousandths
    assert 0.95 * RADIUS < shift.max() < 1.003 * RADIUS
    assert done["MEDIAN_SHIFT"] == pytest.approx(np.median(shift))
    assert abs(done["MEDIAN_SHIFT"] / RADIUS - np.sqrt(0.5)) < 0.06
    assert done["DECISION"] == "not_tested" and "Not tested" in done["said"]


def test_a_seed_repeats_the_places_and_not_the_order(masked, project):
    made = layer(points(60))
    one, again, other = masked(made, SEED=3), masked(made, SEED=3), masked(made)
    assert (by_original(one) == by_original(again)).all()
    assert (coordinates(one["OUTPUT"]) != coordinates(again["OUTPUT"])).any()
    assert (by_original(one) != by_original(other)).any(axis=1).all()


def test_the_report_opens_with_the_verdict(masked, project, tmp_path):
    figures = tmp_path / "figures.json"
    masked(layer(points(40)), REPORT=str(tmp_path / "r.html"), JSON=str(figures))
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "Disc masking" in page and "A disc hides nobody who lives apart" in page
    told = json.loads(figures.read_text(encoding="utf-8"))
    assert told["verdict"]["decision"] == "not_tested"
    assert '"radius"' in figures.read_text(encoding="utf-8")


@pytest.mark.parametrize("radius", [0, -5])
def test_a_radius_of_nothing_is_refused(masked, project, radius):
    with pytest.raises(QgsProcessingException, match="positive distance") as error:
        masked(layer(points(4)), RADIUS=radius)
    assert_sentence(str(error.value).replace("Unable to execute algorithm\n", ""))


# --- the page ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["engine", "story", "algorithm"])
def test_the_page_shows_the_code_that_runs(checkout, name):
    page = (checkout / "docs" / "adding-an-algorithm.md").read_text(encoding="utf-8")
    code = (checkout / "docs" / "examples" / "discmask" / f"{name}.py").read_text(encoding="utf-8")
    assert code.split("\n", 1)[1].strip() in page
    assert f"| `{name}.py` | {len(code.splitlines())} |" in page


@pytest.mark.parametrize(
    "path",
    ["docs/examples/discmask/algorithm.py", "geoanon_qgis/processing/algorithms/voronoimask.py"],
)
def test_a_mask_that_fits_the_frame_is_a_short_file(checkout, path):
    assert len((checkout / path).read_text(encoding="utf-8").splitlines()) <= 150
