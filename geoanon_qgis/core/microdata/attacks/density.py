# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership by likelihood ratio: are there more released records about a person than people are like her?

The nearest record alone is near by chance wherever people are many, and a person's own record is not
always the nearest one where it has noise. So the records about her are weighed by how near they are, and
other people likewise: the density of the release over that of the population (van Breugel et al. 2023,
Membership inference attacks against synthetic data through overfitting detection, AISTATS), by normal kernels.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...runtime.progress import Progress, silent, weighted
from ...runtime.wording import Sentence
from ..nearest import Records
from .knowledge import listed
from .membership import named_by, of_some, other_people
from .scoring import Attack
from .table import Tables

#: Records that are weighed, nearest first; widths of the kernels of records and of other people, in medians
#: of how far the nearest is; and the least width, of values whose standard deviation is one.
_WEIGHED, _OF_RECORDS, _OF_OTHERS, _LEAST = 10, 0.7, 1.2, 0.01


def membership_by_density(
    tables: Tables,
    names: tuple[str, ...],
    progress: Progress = silent,
    what: Sentence | None = None,
) -> Attack:
    """Name as members those about whom a release is denser than people are, by some fields.

    Parameters
    ----------
    tables : Tables
    names : tuple of str
    what : Sentence, optional
        What they are, in words; their names by default.

    Notes
    -----
    The paper leaves the density open. Of half, .7 and one median for records, and .8, 1.2 and two for people,
    these two name most, or nearly, with three to seven fields and noise of a tenth to four tenths; of ten, twenty
    or fifty records weighed, all name as many. ``benchmarks/noisy_fields.py`` holds it against wider densities.
    Everybody is weighed beside the same people of file and REFERENCE, herself left out.
    """
    people, control = tables.people(), tables.control()
    tables = of_some(tables, tables.columns(names))
    of_people, of_release, by_release = weighted(progress, 4, 1, 3)
    others, found = other_people(tables, people, control, _WEIGHED, of_people)
    released = Records(tables.released, of_release)
    near = released.nearest(others.matrix, _WEIGHED, by_release)
    measure = _dense(others, found, _OF_OTHERS) - _dense(released, near, _OF_RECORDS)
    own, theirs = np.split(measure, [len(people)])
    one, other = tables.one_each(people, own), tables.one_each_of_control(control, theirs)
    knows = Sentence(
        "{fields}, and how much denser released records lie there than other people,",
        fields=what or listed(names, tables.place),
    )
    return named_by(knows, tables.count, people[one], own[one], theirs[other])


def _dense(records: Records, found: Sequence[np.ndarray], width: float) -> np.ndarray:
    """Logarithm of how dense records are about each who asked, but for a constant, (q,).

    ``found``: rows and distances of the nearest kinds of records, and how many of a kind are not counted.
    """
    from scipy.special import logsumexp

    row, away, *own = found
    there, kinds = row >= 0, records.distinct
    many = np.where(there, kinds.count[kinds.of_row[row]] - sum(own), 0)
    wide = max(width * float(np.median(away[:, 0])), _LEAST)
    # What is the same for all makes nobody near.
    differ = np.count_nonzero(np.ptp(records.matrix, axis=0))
    exponent = -differ * (np.where(there, away, 0.0) / wide) ** 2 / 2
    return logsumexp(exponent, axis=1, b=many)
