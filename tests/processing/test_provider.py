# SPDX-License-Identifier: GPL-2.0-or-later
"""Loading the plugin: with NumPy alone, without a window, and taking everything back."""

import json
import subprocess
import sys
import textwrap

import pytest

from geoanon_qgis.processing.base import GeoAnonAlgorithm
from geoanon_qgis.processing.provider import algorithm_classes

BARE = textwrap.dedent(
    """
    import json, sys

    class Blocker:
        def find_spec(self, name, path=None, target=None):
            if name.split(".")[0] in BLOCKED:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    sys.meta_path.insert(0, Blocker())
    sys.path.insert(0, CHECKOUT)

    from qgis.core import (
        QgsApplication, QgsProcessingContext, QgsProcessingException, QgsProcessingFeedback,
    )

    app = QgsApplication([], False)
    app.initQgis()
    registry = QgsApplication.processingRegistry()

    # Later versions of QGIS bring some of these along themselves.
    before = set(sys.modules)

    from geoanon_qgis import classFactory

    plugin = classFactory(None)
    plugin.initProcessing()
    told = {"algorithms": {}}
    for algorithm in registry.providerById("geoanon").algorithms():
        told["algorithms"][algorithm.name()] = [*algorithm.canExecute()]
        assert algorithm.shortHelpString()
    told["imported"] = sorted(
        {name.split(".")[0] for name in set(sys.modules) - before} & set(BLOCKED)
    )

    def run(name, parameters):
        algorithm = registry.createAlgorithmById(f"geoanon:{name}")
        context, feedback = QgsProcessingContext(), QgsProcessingFeedback(False)
        return algorithm.run(parameters, context, feedback, {}, False)[0]

    told["environment"] = run("checkenvironment", {})
    try:
        run("voronoimask", {"INPUT": "points", "OUTPUT": "memory:"})
    except QgsProcessingException as error:
        told["mask"] = str(error)

    plugin.unload()
    told["after"] = registry.providerById("geoanon") is None
    plugin.initProcessing()
    told["again"] = sorted(a.name() for a in registry.providerById("geoanon").algorithms())
    plugin.unload()
    print("TOLD" + json.dumps(told))
    """
)
OPTIONAL = ["scipy", "shapely", "pyproj", "networkx", "numba", "matplotlib", "pandas", "pyarrow"]


def load(checkout, blocked):
    script = f"BLOCKED = {blocked!r}\nCHECKOUT = {str(checkout)!r}\n{BARE}"
    done = subprocess.run(
        [sys.executable, "-W", "error::ImportWarning", "-c", script],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    line = next(line for line in done.stdout.splitlines() if line.startswith("TOLD"))
    return json.loads(line[4:])


@pytest.fixture(scope="module")
def bare(checkout):
    return load(checkout, OPTIONAL)


def test_it_loads_with_numpy_alone(bare):
    models = {
        "aggregaterecordsreport",
        "anonymisemeasurereport",
        "exchangeattackreport",
        "maskanonymisereport",
        "maskattackreport",
    }
    names = {made.NAME for made in algorithm_classes()} | models
    assert set(bare["algorithms"]) == names and len(names) > 8
    assert bare["imported"] == []


@pytest.mark.parametrize(
    "name",
    [
        "voronoimask",
        "reversevoronoi",
        "maskattackreport",
        "lipschitzrelease",
        "linkageattack",
    ],
)
def test_what_cannot_run_says_why_and_what_to_do(bare, name):
    can, why = bare["algorithms"][name]
    assert not can
    assert "scipy" in why and ("pip install" in why or "apt install" in why) and "restart" in why


def test_the_check_of_the_environment_always_runs(bare):
    assert bare["algorithms"]["checkenvironment"] == [True, ""]
    told = bare["environment"]
    assert (told["INSTALLED"], told["MISSING"]) == (1, 6)
    for name in ("scipy", "pyproj", "shapely", "numba", "matplotlib", "pyarrow"):
        assert name in told["COMMAND"]
    assert "spopt" not in told["COMMAND"]  # serves a single choice
    # not to be replaced
    assert "python3-numpy" not in told["COMMAND"] and '"numpy>' not in told["COMMAND"]


def test_scripts_that_do_not_ask_are_told_too(bare):
    assert bare["mask"] == bare["algorithms"]["voronoimask"][1]


def test_it_can_be_unloaded_and_loaded_again(bare):
    assert bare["after"]
    assert bare["again"] == sorted(bare["algorithms"])


def test_nothing_heavy_is_imported_before_it_is_needed(checkout):
    """The toolbox must not wait for SciPy, though it is there."""
    import_check = BARE.replace("in BLOCKED:", "in ():")
    script = f"BLOCKED = {OPTIONAL!r}\nCHECKOUT = {str(checkout)!r}\n{import_check}"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
    )
    line = next(line for line in done.stdout.splitlines() if line.startswith("TOLD"))
    assert json.loads(line[4:])["imported"] == []


def test_it_leaves_in_peace_when_qgis_has_no_registry_any_more(monkeypatch):
    """As QGIS 3.44 ends; what was raised there ended the process with status 134."""
    from geoanon_qgis import plugin, processing

    registered, ending = [], []

    class Registry:
        def addProvider(self, provider):
            registered.append(provider)
            return True

    class Application:
        locale = staticmethod(lambda: "en")

        @staticmethod
        def processingRegistry():
            return None if ending else Registry()

    monkeypatch.setattr(plugin, "QgsApplication", Application)
    monkeypatch.setattr(processing.provider, "QgsApplication", Application)
    ours = plugin.GeoAnonPlugin()
    ours.initProcessing()
    assert registered == [ours.provider]
    ending.append(True)
    registered[0].unload()
    ours.unload()
    assert ours.provider is None


def test_no_algorithm_takes_a_name_of_the_frame_for_its_own(provider):
    """What the frame calls for itself would otherwise be answered by an algorithm, or by a family."""
    own = {one for one in vars(GeoAnonAlgorithm) if one[0] == "_" and one[:2] != "__"}
    assert "_reported" in own
    for algorithm in provider.algorithms():
        kinds = type(algorithm).__mro__
        if GeoAnonAlgorithm in kinds:
            for kind in kinds[: kinds.index(GeoAnonAlgorithm)]:
                assert not own & vars(kind).keys(), kind.__name__
