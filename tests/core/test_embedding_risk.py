# SPDX-License-Identifier: GPL-2.0-or-later
"""The risk of embeddings: who is released and known, both attacks, no clock."""

from __future__ import annotations

import time

import numpy as np
import pytest

from geoanon_qgis.core.attacks.linkage.result import LinkageResult
from geoanon_qgis.core.attacks.maps import embedding_risk
from geoanon_qgis.core.attacks.maps.embedding_risk import EmbeddingRisk
from geoanon_qgis.core.distances.choice import Found
from geoanon_qgis.core.distances.lipschitz import lipschitz_distances
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

SIDE = 50_000.0
AREA = StudyArea.of_rings([SIDE * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])], None)
PLANAR = metric_for("planar", None)
POINTS = AREA.sample(380, np.random.default_rng(0))
LABELS = np.random.default_rng(1).integers(0, 12, len(POINTS)).tolist()


def risk_of(labels=LABELS, seed=3, **options):
    options = {"replicates": 150, **options}
    return EmbeddingRisk(POINTS, labels, AREA, PLANAR, 0.5, np.random.default_rng(seed), **options)


def embedded(sets, size, seed=5):
    rng = np.random.default_rng(seed)
    return lipschitz_distances(POINTS, AREA, PLANAR, sets, size, rng)


def test_a_tenth_is_in_both_files():
    risk = risk_of()
    both = set(risk.target) & set(risk.identification)
    assert len(risk.target) == len(risk.identification) == 200 and len(both) == risk.overlap == 20
    for row, place in zip(risk.target, risk.truth):
        assert (place < 0 and row not in both) or risk.identification[place] == row


@pytest.mark.slow
def test_the_clique_finds_more_where_more_is_kept():
    risk = risk_of()
    clear, blurred = (
        risk(embedded(*at), *at, np.random.default_rng(1)) for at in ((100, 1), (3, 30))
    )
    assert clear["precision"] > 0.6 > 0.4 > blurred["precision"]
    assert clear["recall"] > blurred["recall"] and clear["proven"] == 1


def test_results_do_not_depend_on_the_clock(monkeypatch):
    """A clock that runs a thousand times faster changes nothing."""

    def attack():
        return risk_of(max_work=3_000_000)(embedded(5, 20), 5, 20, np.random.default_rng(2))

    slow, really = attack(), time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: 1000 * really())
    assert attack() == slow and slow["proven"] == 0


@pytest.mark.slow
def test_the_attack_by_likelihood_counts_all_embeddings_together(monkeypatch):
    """What the attack itself finds is not asked here; see its own tests."""
    risk = risk_of()
    seen = []

    def linked(target_labels, released, known_labels, model, rng, progress, threshold):
        progress(0.5)
        matches = np.array([(np.argmax(risk.truth >= 0), risk.truth.max()), (0, 0)])
        matches[0, 1] = risk.truth[matches[0, 0]]
        matches[1] = [row for row in np.argwhere(risk.truth < 0)[0]] * 2
        return LinkageResult(matches, None, np.ones(2), 5, 0, None, None, "")

    monkeypatch.setattr(embedding_risk, "link_by_likelihood", linked)
    one, again = (risk.by_likelihood(20, 2, 2, seen.append) for _ in range(2))
    assert one == again == Found(claimed=4, right=2, common=40)
    assert min(seen) >= 0 and max(seen) <= 1 + 1e-9

    def cancel(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        risk.by_likelihood(20, 2, 2, cancel)


def test_labels_that_will_not_do():
    with pytest.raises(InputError, match="20 at least"):
        risk_of([None] * 370 + LABELS[:10])
    monotone = ["same"] * len(POINTS)
    assert risk_of(monotone).vertices == 200 * 200
