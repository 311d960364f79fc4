# SPDX-License-Identifier: GPL-2.0-or-later
"""What every algorithm of the provider promises."""

import pytest
from qgis.core import QgsApplication, QgsProcessingModelAlgorithm

from geoanon_qgis import paths
from geoanon_qgis.processing.base import GROUPS, GeoAnonAlgorithm
from tests.processing.helpers import DECIDED, assert_algorithm, assert_own_algorithm

SCIENTIFIC = {
    "areacounts": "Kelly, J. P., Golden, B. L. and Assad, A. A. (1992)",
    "attackmask": "Zandbergen, P. A. (2014)",
    "chooseembedding": "Kroll, M. and Schnell, R. (2016)",
    "choosemask": "Zandbergen, P. A. (2014)",
    "disclosurerisk": "Lasko, T. A. and Vinterbo, S. A. (2010)",
    "distanceaccuracy": "Kroll, M. and Schnell, R. (2016)",
    "equivalenceclasses": "Croft, W. L., Shi, W., Sack, J.-R. and Corriveau, J.-P. (2015)",
    "isgprelease": "Schnell, R., Klingwort, J. and Farrow, J. M. (2021)",
    "linkageattack": "Kroll, M. (2015)",
    "linkageexperiment": "Kroll, M. (2015)",
    "lipschitzrelease": "Kroll, M. and Schnell, R. (2016)",
    "maskadaptivevoronoi": "Polzin, F. and Kounadi, O. (2021)",
    "maskaggregate": "Armstrong, M. P., Rushton, G. and Zimmerman, D. L. (1999)",
    "maskdisplace": "Kwan, M.-P., Casas, I. and Schmitz, B. C. (2004)",
    "maskexchange": "Sweeney, L. (2002)",
    "masklocationswap": "Zhang, S., Freundschuh, S. M., Lenzer, K. and Zandbergen, P. A. (2017)",
    "maskmeasures": "Kulldorff, M. (1997)",
    "maskstreets": "Swanlund, D., Schuurman, N., Zandbergen, P. and Brussoni, M. (2020)",
    "microdatautility": "Lasko, T. A. and Vinterbo, S. A. (2010)",
    "noisydistances": "Kroll, M. (2015)",
    "reversevoronoi": "Moehler, J. (2023)",
    "spectralanonymize": "Lasko, T. A. and Vinterbo, S. A. (2010)",
    "syntheticrecords": "Croft, W. L., Shi, W., Sack, J.-R. and Corriveau, J.-P. (2015)",
    "vbas": "Croft, W. L., Shi, W., Sack, J.-R. and Corriveau, J.-P. (2015)",
    "vbascompare": "Croft, W. L., Shi, W., Sack, J.-R. and Corriveau, J.-P. (2015)",
    "voronoimask": "Moehler, J. (2023)",
}
OWN = ["checkenvironment", "verifyrelease", *SCIENTIFIC]
MODELS = [
    "aggregaterecordsreport",
    "anonymisemeasurereport",
    "exchangeattackreport",
    "maskanonymisereport",
    "maskattackreport",
]


def own(name):
    return QgsApplication.processingRegistry().algorithmById(f"geoanon:{name}")


def test_the_provider_introduces_itself(provider):
    assert (provider.id(), provider.name()) == ("geoanon", "GeoAnon")
    assert provider.longName().startswith("GeoAnon: ")
    assert provider.versionInfo() == paths.metadata()["version"] != ""
    assert provider.svgIconPath().endswith("geoanon.svg") and not provider.icon().isNull()


def test_everything_is_there(provider):
    names = sorted(algorithm.name() for algorithm in provider.algorithms())
    assert names == sorted([*OWN, *MODELS])


def test_every_algorithm_keeps_the_contract(provider):
    for algorithm in provider.algorithms():
        if isinstance(algorithm, GeoAnonAlgorithm):
            assert_own_algorithm(algorithm)
        else:
            assert isinstance(algorithm, QgsProcessingModelAlgorithm)
            assert_algorithm(algorithm)


@pytest.mark.parametrize("name, paper", SCIENTIFIC.items())
def test_methods_name_their_paper(provider, name, paper):
    page = own(name).shortHelpString()
    assert "<h3>Reference</h3>" in page and paper in page


@pytest.mark.parametrize("name", SCIENTIFIC)
def test_methods_are_found_by_what_people_search_for(provider, name):
    assert "privacy" in own(name).tags()


def test_the_mask_says_that_it_can_be_undone(provider):
    page = own("voronoimask").shortHelpString()
    assert "reversible by anyone" in page and "geoanon:reversevoronoi" in page
    assert "Can be reversed" in own("voronoimask").shortDescription()


def test_only_the_masked_points_are_a_release(provider):
    destinations = own("voronoimask").destinationParameterDefinitions()
    private = [d.name() for d in destinations if d.description().startswith("Private: ")]
    assert private == ["SHIFTS", "CELLS", "KEY", "REPORT", "JSON"]
    attack = own("reversevoronoi").destinationParameterDefinitions()
    assert all(d.description().startswith("Private: ") for d in attack)


@pytest.mark.parametrize("name", ["lipschitzrelease", "noisydistances"])
def test_of_distances_only_matrix_and_records_are_a_release(provider, name):
    destinations = own(name).destinationParameterDefinitions()
    released = [d.name() for d in destinations if d.description().startswith("Release: ")]
    assert released == ["MATRIX", "OUTPUT"]
    private = [d for d in destinations if d.description().startswith("Private: ")]
    assert len(private) + 2 == len(destinations)


def test_of_isgp_only_labels_and_records_are_a_release(provider):
    destinations = own("isgprelease").destinationParameterDefinitions()
    released = [d.name() for d in destinations if d.description().startswith("Release: ")]
    private = [d.name() for d in destinations if d.description().startswith("Private: ")]
    assert (released, private) == (["SHARED", "OUTPUT"], ["KEY", "GRID", "MASK", "REPORT", "JSON"])


@pytest.mark.parametrize(
    "name", ["distanceaccuracy", "chooseembedding", "linkageattack", "linkageexperiment"]
)
def test_what_judges_a_release_is_private(provider, name):
    destinations = own(name).destinationParameterDefinitions()
    assert all(d.description().startswith("Private: ") for d in destinations)


def test_numbers_that_models_can_use(provider):
    def numbers(name):
        found = {o.name() for o in own(name).outputDefinitions() if o.type() == "outputNumber"}
        return found - DECIDED

    assert numbers("voronoimask") == {"COUNT", "SINGLETONS", "PAIRED", "UNMOVED", "MEDIAN_SHIFT"}
    assert numbers("reversevoronoi") == {"FOUND", "EXPECTED_CORRECT", "CORRECT", "SHARE_CORRECT"}
    released = {"N", "MEDIAN_RATIO", "NEAREST_KEPT", "SPEARMAN", "MAX_VIOLATION"}
    assert numbers("lipschitzrelease") == numbers("noisydistances") == released
    assert numbers("linkageattack") == {
        "VERTICES",
        "EDGES",
        "CLIQUE",
        "PROVEN",
        "UNIQUE",
        "PRECISION",
        "RECALL",
    }
    assert numbers("verifyrelease") == {"JUDGED", "CHANGED", "MISSING", "UNKNOWN", "PRIVATE"}
    assert numbers("checkenvironment") == {"INSTALLED", "MISSING"}
    assert own("checkenvironment").outputDefinition("COMMAND").type() == "outputString"


def test_groups_have_names():
    assert list(GROUPS) == [
        "maskpoints",
        "aggregateareas",
        "releasedistances",
        "attackarelease",
        "microdata",
        "tools",
    ]


def test_a_run_works_on_an_instance_of_its_own(provider):
    for algorithm in provider.algorithms():
        copy = algorithm.create()
        assert copy is not algorithm and type(copy) is type(algorithm)
        assert copy.id() == algorithm.id()
        named = [p.name() for p in algorithm.parameterDefinitions()]
        assert [p.name() for p in copy.parameterDefinitions()] == named
