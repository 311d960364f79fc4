# SPDX-License-Identifier: GPL-2.0-or-later
"""Places of the file that have several records: what these tell of how many people live there.

If each of the w people of an address is in the file by chance, s of them are there rather than nobody
with odds that grow like w (w - 1) ... (w - s + 1): a place with several records is likely an address
where many live. But who lives together is often in the file together (a household, a home), or w
counts dwellings, and then it tells less. So a further record, after k, counts w - k + h, where h, the
pull of who is there already, is what the released points themselves say most likely.
"""

from __future__ import annotations

import numpy as np

from .likelihood import Likelihood

#: Pulls that are tried; with the last one, further records tell nothing of an address.
_PULLS = (0.1, 0.3, 1.0, 3.0, 10.0, 100.0, np.inf)
#: Shares of all people who are in the file, of that which there are records, that are tried with each.
_SHARES = (0.0, 0.25, 0.5, 1.0)
#: Places with several records that are looked at for it.
_PLACES = 2_000
_MOST = 0.99


def of_places(
    likelihood: Likelihood,
    factor: np.ndarray,
    place: np.ndarray,
    people: np.ndarray,
    lead: np.ndarray | None = None,
) -> Likelihood:
    """How likely each place of the file is each candidate, by all records that it has.

    That an address where many live seldom has one record alone is left to :func:`.together.together`:
    it is another place's, then.

    Parameters
    ----------
    likelihood : Likelihood
        Of the mask alone, a point for each record.
    factor : (p,) array
        People of each pair's candidate who can be the record's: see
        :meth:`.attributes.People.factor`.
    place : (n,) int array
        Place of each record, from 0; all of its records are released at one point.
    people : (m,) array
        Of each candidate.
    lead : (places,) int array, optional
        The record of each place whose likelihood is taken; the first one where it is left out.

    Returns
    -------
    Likelihood
        A point for each place, up to a factor for each. A candidate must be able to be the place of
        all of its records.
    """
    size, many = np.bincount(place), np.int64(likelihood.candidates)
    if lead is None:
        _, lead = np.unique(place, return_index=True)
    mask = likelihood.taken(lead)
    keys = mask.point * many + mask.candidate
    key = place[likelihood.point] * many + likelihood.candidate
    at = np.minimum(np.searchsorted(keys, key), max(len(keys) - 1, 0))
    good = (factor > 0) & (keys[at] == key) if len(keys) else np.zeros(len(key), dtype=bool)
    own = people[mask.candidate]
    # Who of an address can be each record, as a share; how many records it can have follows.
    share = np.log(factor[good]) - np.log(own[at[good]])
    told = np.bincount(at[good], share, len(keys)).astype(np.float64)
    told[np.bincount(at[good], minlength=len(keys)) < size[mask.point]] = -np.inf
    with np.errstate(divide="ignore"):
        told += np.log(mask.value) + np.log(own)
    told += _of_pull(mask, told, size, people)
    top = np.full(len(size), -np.inf)
    np.maximum.at(top, mask.point, told)
    value = np.exp(told - np.where(np.isfinite(top), top, 0.0)[mask.point])
    return mask.with_values(value)


def _of_pull(
    mask: Likelihood, told: np.ndarray, size: np.ndarray, people: np.ndarray
) -> np.ndarray:
    """Logarithm of how likely each pair's address has as many records, by the likeliest pull."""
    nothing = np.zeros(len(told))
    several = np.flatnonzero((size[mask.point] > 1) & np.isfinite(told))
    number, of_candidate = np.unique(people, return_inverse=True)
    if not len(several) or len(number) == 1:
        return nothing
    of_candidate = of_candidate.reshape(-1)
    sizes, row = np.unique(size[mask.point[several]], return_inverse=True)
    row, column = row.reshape(-1), of_candidate[mask.candidate[several]]
    some = several < mask.first[np.flatnonzero(size > 1)[:_PLACES][-1] + 1]
    owner, alone = mask.point[several[some]], told[several[some]]
    weight, share = np.bincount(of_candidate) * number, min(size.sum() / people.sum(), _MOST)
    found = []
    for pull in _PULLS:
        table = _table(number, sizes, pull)
        # An address with many people has more records than few: among all addresses with as many
        # records, those of so many people are as frequent as this says.
        for part in _SHARES:
            each = table + np.log1p(-part * share) * number
            with np.errstate(divide="ignore"):
                each -= np.log((weight * np.exp(each)).sum(axis=1, keepdims=True))
            likely = _likely(owner, alone + each[row[some], column[some]], len(size))
            found.append((likely, pull))
    # Of equally likely pulls the largest: then nothing is said that the points do not tell.
    nothing[several] = _table(number, sizes, max(found)[1])[row, column]
    return nothing


def _table(number: np.ndarray, sizes: np.ndarray, pull: float) -> np.ndarray:
    """For each number of records and of people: the logarithm, its largest set to 0."""
    table = np.zeros((len(sizes), len(number)))
    if np.isinf(pull):
        return table
    for row, size in enumerate(sizes.tolist()):
        for there in range(1, size):
            table[row] += np.log(np.maximum(number - there, 0.0) + pull)
    return table - table.max(axis=1, keepdims=True)


def _likely(owner: np.ndarray, told: np.ndarray, count: int) -> float:
    """Logarithm of how likely all points with several records are together."""
    top = np.full(count, -np.inf)
    np.maximum.at(top, owner, told)
    there = np.isfinite(top)
    total = np.bincount(owner, np.exp(told - np.where(there, top, 0.0)[owner]), count)
    return float((top[there] + np.log(total[there])).sum())
