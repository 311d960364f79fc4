# SPDX-License-Identifier: GPL-2.0-or-later
"""QGIS must not stand still for good when all its threads for tasks are taken."""

from pathlib import Path

#: For the whole visit; one that stands still is ended then, and has failed.
SECONDS = 100


def test_models_and_batches_draw_their_maps_with_one_thread(visit):
    """A picture that was converted waited there for a thread that waited for the run."""
    seen = visit("threads_script.py", SECONDS)
    assert seen["steps"] == ["take_the_threads", "run_model", "run_batch", "leave"]
    assert set(seen["reports"]) == {"masking", "attack", "batch_0", "batch_1"}
    for name, path in seen["reports"].items():
        assert "data:image/png;base64," in Path(path).read_text(encoding="utf-8"), name
