# SPDX-License-Identifier: GPL-2.0-or-later
"""The randomness of a test is its own: see ``randomness_of_its_own`` in ``tests/conftest.py``."""

import hashlib
import random

import numpy as np


def test_generators_without_a_seed_differ_and_can_be_repeated(request):
    first, second = (np.random.default_rng().random(4) for _ in range(2))
    assert not np.array_equal(first, second)
    name = hashlib.sha256(request.node.name.encode("utf-8")).digest()
    entropy = random.Random(int.from_bytes(name, "little")).getrandbits(128)
    assert np.array_equal(first, np.random.default_rng(entropy).random(4))
