# SPDX-License-Identifier: GPL-2.0-or-later
"""Categories that no original has: other people's records come no nearer by them."""

import numpy as np

from geoanon_qgis import core as geoanon
from geoanon_qgis.core.microdata.learning import learn_coding
from geoanon_qgis.core.microdata.unheard import as_anybodys
from geoanon_qgis.core.verdict import DO_NOT_RELEASE


def people(rng, count=300):
    codes = [f"{a}{b}.{c}" for a in "EJM" for b in range(10, 14) for c in range(3)]
    jobs = [f"{a}{b}" for a in range(1, 5) for b in range(1, 5)]
    return {
        "age": rng.integers(18, 90, count).astype(float),
        "icd": rng.choice(codes, count),
        "job": rng.choice(jobs, count),
        "weight": rng.normal(75, 12, count).round(1),
    }


def cut_short(table):
    return table | {
        "icd": np.array([code[:3] for code in table["icd"]]),
        "job": np.array([code[:1] for code in table["job"]]),
    }


def test_codes_of_others_that_were_cut_short_are_nearer_to_nobody():
    rng = np.random.default_rng(4)
    for _ in range(3):
        original, others, reference = (people(rng) for _ in range(3))
        found = geoanon.measure(original, cut_short(others), reference=reference)
        assert found.judged.decision != DO_NOT_RELEASE


def test_they_are_taken_for_anybodys():
    rng = np.random.default_rng(5)
    original, others = people(rng), people(rng)
    coding = learn_coding(original)
    own, same, cut = (coding.encode(one)[0] for one in (original, others, cut_short(others)))
    at = coding.blocks[list(original).index("icd")]
    assert as_anybodys(own, same, coding.blocks) is same
    made = as_anybodys(own, cut, coding.blocks)
    assert (made[:, at] == 1).sum(axis=1).tolist() == [1] * len(made)
    assert (cut[:, at] < 0).all()  # what was given stays
    np.testing.assert_array_equal(made, as_anybodys(own, cut, coding.blocks))
