# SPDX-License-Identifier: GPL-2.0-or-later
"""What guesses are held against: counted pair by pair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.attacks.masks.baselines import control, nearest_right, random_right
from geoanon_qgis.core.attacks.masks.likelihood import by_law
from geoanon_qgis.core.attacks.masks.posterior import who_lives_there
from geoanon_qgis.core.masking.laws import disc


@given(st.integers(0, 10_000))
def test_they_are_what_counting_says(seed):
    rng = np.random.default_rng(seed)
    candidates, released = rng.uniform(0, 100, (12, 2)), rng.uniform(0, 100, (9, 2))
    home = rng.integers(-1, 12, 9)
    guesses = who_lives_there(by_law(released, candidates, disc(40.0)))
    near = [np.argmin(np.hypot(*(one - candidates).T)) for one in released]
    found = nearest_right(released, candidates, home)
    assert found.tolist() == [at == own for at, own in zip(near, home)]
    many = [(np.hypot(*(one - candidates).T) <= 40).sum() for one in released]
    assert random_right(guesses) == pytest.approx([1 / one if one else 0 for one in many])
    apart = [
        np.hypot(*(candidates[at] - one)) if at >= 0 else 99 for one, at in zip(released, home)
    ]
    within = [1 / one if away <= 40 else 0 for one, away in zip(many, apart)]
    assert random_right(guesses, home) == pytest.approx(within)
    known = np.flatnonzero(home >= 0)
    pairs = [(i, j) for i in known for j in known if i != j]
    hits = [guesses.best[i] == home[j] for i, j in pairs]
    assert control(guesses, home) == pytest.approx(np.mean(hits) if pairs else 0.0)
