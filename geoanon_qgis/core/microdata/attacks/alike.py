# SPDX-License-Identifier: GPL-2.0-or-later
"""People who come in groups, and for how many who do not they count.

Flats of a house have its year and its heating, pupils of a class their school. Where a file holds whole
houses, ten flats are as near to a record of another house as one is, and ten guesses are right or wrong
together. Groups show: people of one file are alike more often than people of two.
"""

from __future__ import annotations

import numpy as np

from ..distinct import distinct_rows


def independent(own: np.ndarray, others: np.ndarray) -> tuple[float, float]:
    """For how many independent people one of either table counts: 1 where none come in groups.

    Parameters
    ----------
    own, others : (n, m), (q, m) arrays
        What is known of people of two samples of one population.

    Returns
    -------
    tuple of two floats
        The inverse of the design effect of clusters whose members are right or wrong together
        (Kish 1965, *Survey Sampling*, section 5.4): one and how many more members of her group a person has
        in her own sample than in the other, for its size.
    """
    kinds = distinct_rows(np.concatenate([own, others])).of_row
    counts = [
        np.bincount(some, minlength=kinds.max(initial=0) + 1).astype(float)
        for some in (kinds[: len(own)], kinds[len(own) :])
    ]
    usual = float(counts[0] @ counts[1]) / max(len(own) * len(others), 1)
    effects = []
    for alike in counts:
        size = alike.sum()
        within = float(alike @ (alike - 1)) / max(size, 1.0)  # others like her, on average
        effects.append(1 + max(0.0, within - usual * (size - 1)))
    return 1 / effects[0], 1 / effects[1]
