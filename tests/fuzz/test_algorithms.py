# SPDX-License-Identifier: GPL-2.0-or-later
"""Random cases of every algorithm, the same ones each time; ``scripts/fuzz`` runs others.

Forty of each, and fifteen of models, whose steps are algorithms that have forty of their own.
"""

import os
import threading

import pytest

from tests.fuzz import report, runner
from tests.processing.conftest import provider  # noqa: F401

SEED, CASES, CASES_OF_MODELS = 20, 40, 15
ALGORITHMS = [
    "aggregaterecordsreport",
    "anonymisemeasurereport",
    "areacounts",
    "attackmask",
    "checkenvironment",
    "chooseembedding",
    "choosemask",
    "disclosurerisk",
    "distanceaccuracy",
    "equivalenceclasses",
    "exchangeattackreport",
    "isgprelease",
    "linkageattack",
    "linkageexperiment",
    "lipschitzrelease",
    "maskadaptivevoronoi",
    "maskaggregate",
    "maskanonymisereport",
    "maskattackreport",
    "maskdisplace",
    "maskexchange",
    "masklocationswap",
    "maskmeasures",
    "maskstreets",
    "microdatautility",
    "noisydistances",
    "reversevoronoi",
    "spectralanonymize",
    "syntheticrecords",
    "vbas",
    "vbascompare",
    "verifyrelease",
    "voronoimask",
]
MODELS = {
    "aggregaterecordsreport",
    "anonymisemeasurereport",
    "exchangeattackreport",
    "maskanonymisereport",
    "maskattackreport",
}
#: Half of what pytest has itself: its own process only waits meanwhile.
PROCESSES = max(int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 4)) // 2, 1)
#: On a machine that may be busy a case does not hang yet after a minute and a half.
PATIENCE_S = 10 * runner.LIMIT_S


def cases_of(name):
    """How many cases an algorithm has."""
    return CASES_OF_MODELS if name in MODELS else CASES


class Background:
    """All cases, run beside this process while the first tests already look at theirs."""

    def __init__(self):
        self._results = {name: [] for name in ALGORITHMS}
        self._done = {name: threading.Event() for name in ALGORITHMS}
        jobs = [
            {"algorithm": name, "seed": SEED, "case": case}
            for name in ALGORITHMS
            for case in range(cases_of(name))
        ]
        self._thread = threading.Thread(
            target=runner.run, args=(jobs, PROCESSES, PATIENCE_S, self._tell), daemon=True
        )
        self._thread.start()

    def _tell(self, result):
        self._results[result.algorithm].append(result)
        if len(self._results[result.algorithm]) == cases_of(result.algorithm):
            self._done[result.algorithm].set()

    def of(self, name):
        """Results of an algorithm, when all of them are there."""
        while not self._done[name].wait(1.0):
            assert self._thread.is_alive(), "the cases ended before their time"
        return self._results[name]


@pytest.fixture(scope="module")
def background():
    """The cases, begun when the first test asks."""
    return Background()


def test_every_algorithm_is_fuzzed(provider):  # noqa: F811
    assert sorted(one.name() for one in provider.algorithms()) == ALGORITHMS


@pytest.mark.parametrize("name", ALGORITHMS)
def test_nothing_is_broken_by_random_input(background, name):
    results = background.of(name)
    found = [report.story(one) for one in results if one.findings]
    assert not found, "\n".join(found)
    good = sum(one.succeeded for one in results)
    # Enough to say something of what comes out; the others are refusals, and runs that are cancelled.
    assert good >= 0.4 * len(results), f"only {good} of {len(results)} cases got to their end"
