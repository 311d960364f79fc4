# SPDX-License-Identifier: GPL-2.0-or-later
"""A cancel is heard while one long step of microdata goes on, however long that takes."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from geoanon_qgis.core.microdata import calibration, coding, propensity, utility
from geoanon_qgis.core.microdata.attacks import inference, singling
from geoanon_qgis.core.microdata.attacks.knowledge import suppositions
from geoanon_qgis.core.microdata.attacks.table import Tables
from geoanon_qgis.core.microdata.learning import learn_coding
from geoanon_qgis.core.runtime.errors import Cancelled

RNG = np.random.default_rng(1)
TABLE = {name: RNG.normal(size=60).round(2) for name in "abcdef"}
CODING = learn_coding(TABLE)
CODED = CODING.encode(TABLE)[0]
PLACES = RNG.uniform(0, 100, (60, 2))


SEEN = Tables(CODED, CODED + 0.1, None, CODING.variables, [(CODED, None)])


@pytest.mark.parametrize(
    "module, step, job",
    [
        (utility, "distribution", lambda p: utility.utility(CODED, CODED, None, p)),
        (
            utility,
            "distribution",
            lambda p: utility.spatial_utility(PLACES, PLACES + 1, RNG, progress=p),
        ),
        (propensity, "_Both", lambda p: propensity.propensity(CODED, CODED, RNG, p)),
        (inference, "scored", lambda p: inference.infer(SEEN, suppositions(SEEN)[0], p)),
        (singling, "_predicates", lambda p: singling.univariate(SEEN, p)),
        (coding, "encode", lambda p: CODING.encode(TABLE, p)),
        (
            calibration,
            "_fit_numbers",
            lambda p: calibration.calibrated(
                CODING, CODED, CODED[::-1], "most_probable", RNG, progress=p
            ),
        ),
    ],
    ids=["columns", "distances", "propensity", "inference", "singling", "coding", "calibration"],
)
def test_a_cancel_is_heard_within_a_step(monkeypatch, module, step, job):
    """The step does not end before somebody asks whether to go on."""
    started, asked, real = threading.Event(), threading.Event(), getattr(module, step)

    def endless(*given):
        started.set()
        assert asked.wait(20), "nobody asked while the step went on"
        return real(*given)

    def listen(fraction):
        if started.is_set():
            asked.set()
            raise Cancelled

    monkeypatch.setattr(module, step, endless)
    with pytest.raises(Cancelled):
        job(listen)
    assert asked.is_set()
