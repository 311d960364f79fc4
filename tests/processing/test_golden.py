# SPDX-License-Identifier: GPL-2.0-or-later
"""Every algorithm gives what it gave: see ``tests/golden``."""

import pytest
from qgis.core import QgsProcessingModelAlgorithm

from tests.golden import kept
from tests.golden.cases import CASES, UNSTEADY
from tests.golden.running import Runner


@pytest.fixture(scope="module")
def runner(provider, tmp_path_factory):
    return Runner(tmp_path_factory.mktemp("golden"))


@pytest.mark.parametrize("name", CASES)
def test_the_outputs_are_those_that_were_kept(runner, name):
    before, same_versions = kept.read(name)
    if name in UNSTEADY and not same_versions:
        pytest.skip("kept with other versions, whose last digits decide here")
    # through JSON, so that what it cannot tell apart is not told apart
    found = kept.as_kept(runner.found(name))
    lines = list(kept.differences(before, found, exact=same_versions))
    shown = "\n".join(lines[:40]) + ("\n…" if len(lines) > 40 else "")
    assert not lines, (
        f"{name} gives something else than before:\n{shown}\n"
        "If that is what you want, say so in the changelog and run: python -m tests.golden"
    )


def test_the_unsteady_are_cases():
    assert set(CASES) > UNSTEADY


def test_no_algorithm_is_left_out(provider):
    own = [
        algorithm.name()
        for algorithm in provider.algorithms()
        if not isinstance(algorithm, QgsProcessingModelAlgorithm)
    ]
    assert sorted(own) == sorted({case.algorithm for case in CASES.values()})


def test_differences_are_told():
    before = {"n": 3, "x": 1.0, "rows": [[1, "a"], [2, None]], "digest": "1"}
    after = {"n": 3, "x": 1.0 + 1e-12, "rows": [[1, "b"]], "digest": "2", "more": 0}
    assert list(kept.differences(before, after, exact=False)) == [
        "/rows: 2 were kept, 1 are found",
        "/rows[0][1]: 'a' was kept, 'b' is found",
        "/more: is new",
    ]
    assert "/digest: other bytes" in kept.differences(before, after, exact=True)
    assert list(kept.differences({"x": 1.0}, {"x": 1.0 + 1e-8}, False)) != []
    assert list(kept.differences([1], [True], False)) != []
