# SPDX-License-Identifier: GPL-2.0-or-later
"""The models that ship with the plugin are up to date; this one is in the toolbox and runs."""

import importlib.util

import pytest
from qgis.core import (
    Qgis,
    QgsApplication,
    QgsFeature,
    QgsProcessingModelAlgorithm,
    QgsProcessingParameterDefinition,
    QgsProject,
    QgsVectorLayer,
)

from geoanon_qgis import paths

ID = "geoanon:maskattackreport"


@pytest.fixture(scope="module")
def registry():
    from processing.core.Processing import Processing

    from geoanon_qgis.processing.provider import GeoAnonProvider

    Processing.initialize()
    registry = QgsApplication.processingRegistry()
    if registry.providerById("geoanon") is None:
        registry.addProvider(GeoAnonProvider())
    return registry


@pytest.fixture
def soho(checkout):
    file = checkout / "resources" / "data" / "soho_cholera_1854.gpkg"
    return lambda layer: f"{file}|layername={layer}"


def run(parameters):
    from qgis import processing

    return processing.run(ID, parameters)


def test_it_stands_in_the_toolbox(registry):
    model = registry.algorithmById(ID)
    assert model.displayName() == "Mask, attack, report"
    assert model.groupId() == "attackarelease"
    assert model.svgIconPath().endswith("maskattackreport.svg")
    assert "attacks the result" in model.shortDescription()
    for parameter in model.parameterDefinitions():
        assert parameter.help(), parameter.name()
        assert parameter.help() in model.shortHelpString() or parameter.isDestination()


def test_outputs_say_what_is_private(registry):
    model = registry.createAlgorithmById(ID)  # definitions live as long as this
    private = {
        parameter.name(): parameter.description().startswith("Private: ")
        for parameter in model.destinationParameterDefinitions()
    }
    assert private == {
        "mask:MASKED": False,
        "mask:SHIFTS": True,
        "mask:REPORT": True,
        "reverse:ASSIGNED": True,
        "reverse:LINKS": True,
        "reverse:REPORT": True,
    }


def read(path):
    model = QgsProcessingModelAlgorithm()
    assert model.fromFile(str(path))
    return model.toVariant()


@pytest.mark.skipif(
    Qgis.QGIS_VERSION_INT >= 32800,
    reason="the file is built on QGIS 3.22; later versions write it in a newer form",
)
def test_the_files_are_what_the_script_builds(registry, checkout, tmp_path):
    specification = importlib.util.spec_from_file_location(
        "make_model", checkout / "scripts" / "make_model.py"
    )
    script = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(script)
    folder = paths.resource("models")
    assert {plan.file for plan in script.MODELS} == {one.name for one in folder.glob("*.model3")}
    for plan in script.MODELS:
        built = script.build(plan)
        valid, problems = built.validate()
        assert valid, problems
        assert built.toFile(str(tmp_path / plan.file))
        assert read(folder / plan.file) == read(tmp_path / plan.file), "run scripts/make_model.py"


def test_its_steps_have_all_parameters_that_it_sets(registry):
    model = registry.createAlgorithmById(ID)
    for child in model.childAlgorithms().values():
        names = {definition.name() for definition in child.algorithm().parameterDefinitions()}
        assert set(child.parameterSources()) <= names


def test_it_masks_attacks_and_scores(registry, soho, tmp_path):
    report = tmp_path / "attack.html"
    results = run(
        {
            "POINTS": soho("deaths"),
            "CANDIDATES": soho("addresses"),
            "CANDIDATE_ID": "address_id",
            "mask:MASKED": "TEMPORARY_OUTPUT",
            "mask:SHIFTS": "TEMPORARY_OUTPUT",
            "reverse:ASSIGNED": "TEMPORARY_OUTPUT",
            "reverse:LINKS": "TEMPORARY_OUTPUT",
            "reverse:REPORT": str(report),
        }
    )
    masked, assigned = results["mask:MASKED"], results["reverse:ASSIGNED"]
    assert isinstance(masked, QgsVectorLayer) and masked.featureCount() == 324
    assert "original_id" not in masked.fields().names()
    assert assigned.featureCount() == 324
    assert results["mask:SHIFTS"].featureCount() == 324
    assert results["reverse:LINKS"].featureCount() == 324
    right = sum(feature["correct"] for feature in assigned.getFeatures())
    assert results["reverse:CORRECT"] == right > 150
    assert results["reverse:SHARE_CORRECT"] == pytest.approx(right / 324)
    assert results["reverse:FOUND"] == 324
    assert results["mask:COUNT"] == 324
    assert "by place" in report.read_text(encoding="utf-8")
    assert "<html" in report.read_text(encoding="utf-8")


def test_no_release_is_made_unless_it_is_wanted(registry, soho):
    results = run(
        {
            "POINTS": soho("deaths"),
            "CANDIDATES": soho("deaths"),
            "reverse:ASSIGNED": "TEMPORARY_OUTPUT",
        }
    )
    assert results["reverse:CORRECT"] > 150
    assert results["mask:SHIFTS"] is None and results["mask:MASKED"] is None
    assert not [one for one in QgsProject.instance().mapLayers().values() if "asked" in one.name()]


@pytest.mark.parametrize("reverse", [False, True])
def test_any_list_of_addresses_scores_it(registry, soho, reverse):
    """Its own ids, from 1, in whatever order: people are found by place."""
    addresses = QgsVectorLayer(soho("addresses"), "addresses", "ogr")
    features = list(addresses.getFeatures())
    other = QgsVectorLayer(f"Point?crs={addresses.crs().authid()}&field=no:int", "other", "memory")
    made = []
    for number, feature in enumerate(reversed(features) if reverse else features, 1):
        one = QgsFeature(other.fields())
        one.setGeometry(feature.geometry())
        one.setAttributes([number])
        made.append(one)
    assert other.dataProvider().addFeatures(made)[0]
    results = run(
        {
            "POINTS": soho("deaths"),
            "CANDIDATES": other,
            "CANDIDATE_ID": "no",
            "reverse:ASSIGNED": "TEMPORARY_OUTPUT",
        }
    )
    assert results["reverse:FOUND"] == 324 and results["reverse:CORRECT"] > 150


def test_optional_means_optional(registry):
    model = registry.createAlgorithmById(ID)
    optional = QgsProcessingParameterDefinition.Flag.FlagOptional
    needed = {p.name() for p in model.parameterDefinitions() if not p.flags() & optional}
    assert needed == {"POINTS", "CANDIDATES", "reverse:ASSIGNED"}
    assert not model.parameterDefinition("mask:MASKED").createByDefault()
