# SPDX-License-Identifier: GPL-2.0-or-later
"""Who is who in an embedding with few sets, by its hidden coordinates.

The largest of a few differences says less than all of them, but with few reference sets all can be
found (:mod:`.embedding_coordinates`), and with some more those that are probable
(:mod:`.fitted_coordinates`). Each is then a field: how far everybody is from one set. How
the fields of known people vary together is learnt from sets of one's own (:mod:`.field_law`), and
chains walk through whole matchings (:mod:`.field_walk`). What they say is held against what rounds
and chains by pairs find in files of one's own, whose coordinates are found in the same way; and it
is learnt there how often it is right.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...runtime.progress import Progress, shares, weighted
from .embedding_coordinates import recover
from .field_law import FieldLaw
from .field_walk import FieldStart, walked_fields
from .fitted_coordinates import fitted
from .matching_walk import Course
from .own_releases import OwnReleases
from .record_law import RecordLaw, equal_weights
from .signature_files import UnderAttack
from .whole_matching import BesideOwn, Matching, Named, assigned, settled

#: Sets, and pairs of a record and a person, beyond which it is not tried.
_MOST_SETS, MOST_PAIRS = 100, 22_500
#: Sets up to which distances alone leave one way to choose coordinates.
_FREE_SETS = 10
#: Share of the smaller file that is in both up to which more sets tell no more by their coordinates.
_SHARED = 0.6
#: Error of coordinates, as a share of the mean distance, from which on they are none.
_POOR = 0.05
#: Least error that tells anything of how sure to be: below, coordinates are as good as exact.
_EXACT = 1e-3
#: By how many times more than any file of one's own the real one may be off: else it is no such release.
_WORSE = 2.0
#: Chains of a file, and steps of each by the larger file.
_CHAINS, _STEPS = 6, 2_000
#: The same where coordinates are but probable, the temperature at the end, and how far what is learnt of the law may be off.
_FITTED_CHAINS, _FITTED_STEPS, _FITTED_TEMPERATURE, _FITTED_OFF = 3, 3_000, 1.5, 0.01
#: Temperature at the end: at least, and people by whom it is one higher; how much hotter at first.
#: Fields are no more normal than distances are, and the more there are the surer chains would be.
_TEMPERATURE, _PER_PEOPLE, _HOTTER = 2.0, 30.0, 100.0


def coordinates_tell(sets: int, records: int, shared: float = 1.0) -> bool:
    """Return whether hidden coordinates of a release can be found, given the time.

    Where fewer are in both files than the share of whom it takes, the coordinates of more sets, which are but
    probable, tell no more than distances do.
    """
    return _is_free(sets, records) or (sets > _FREE_SETS and shared > _SHARED)


def is_in_time(sets: int, records: int, people: int) -> bool:
    """Return whether hidden coordinates are looked for: of more it takes too long."""
    return sets <= _MOST_SETS and records * people <= MOST_PAIRS


def _is_free(sets: int, records: int) -> bool:
    """Return whether distances alone tell the coordinates."""
    return sets <= min(_FREE_SETS, records // 4)


def tells_by_fields(own: OwnReleases, records: int) -> bool:
    """Return whether releases are attacked by hidden coordinates, however many are in both."""
    sets = own.sets
    if sets is None:
        return False
    return is_in_time(sets, records, len(own.places)) and coordinates_tell(sets, records)


def better_by_fields(
    files: BesideOwn, to_beat: float, rng: np.random.Generator, progress: Progress
) -> Matching | None:
    """Match by hidden coordinates if that is right oftener in files of one's own.

    Parameters
    ----------
    files : BesideOwn
        By an embedding with few sets.
    to_beat : float
        How many matches have been right in the trials without.
    rng : numpy.random.Generator
    progress : Progress

    Returns
    -------
    Matching or None
        None where the real file's coordinates cannot be found, or it is no better.
    """
    own, some, kinds, common = files.own, files.counted, files.kinds, files.common
    if not some:
        return None
    all_files = [files.real, *some, *files.others]
    learning, finding, walking = weighted(progress, 1, 3, 3)
    law = FieldLaw.learnt(own, rng, learning)
    allowed = [file.allowed(kinds) for file in all_files]
    by_distances, by_both = weighted(finding, 1, 2)
    found = None
    assert own.sets is not None
    if _is_free(own.sets, len(files.real.released)):
        found = _by_distances(own, all_files, rng, by_distances)
    free = found is not None
    if found is None:  # as with more sets, or of distances that are rounded too coarsely
        found = [
            _by_law(own, *one, law, common[0], rng, step)
            for one, step in zip(zip(all_files, allowed), shares(by_both, len(all_files)))
        ]
        real, *others = (error for _, error in found)
        if real > _WORSE * max(others):
            return None
    starts = [
        FieldStart(one[0], may, kinds, file.links)
        for one, may, file in zip(found, allowed, all_files)
    ]
    most = min(start.most() for start in starts)
    numbers = {round(common[0])} | ({most} if common[1] > 0 else set())
    numbers = {min(max(number, len(files.real.links), 1), most) for number in numbers}
    chosen = None
    for number, step in zip(sorted(numbers), shares(walking, len(numbers))):
        often = _walked(law, starts, number, free, rng, step)
        named = [_named(law, *one) for one in zip(all_files, found, allowed, often)]
        right = sum(int(one.right.sum()) for one in named[1 : 1 + len(some)])
        if right > to_beat:
            to_beat, chosen = float(right), named
    if chosen is None:
        return None
    return settled(chosen[1:], chosen[0], to_beat)


def _by_distances(
    own: OwnReleases, files: Sequence[UnderAttack], rng: np.random.Generator, progress: Progress
) -> list[tuple[np.ndarray, float]] | None:
    """Return the hidden coordinates of files, (sets, n) each, and their errors; None if they are none."""
    assert own.sets is not None
    made = []
    for file, step in zip(files, shares(progress, len(files))):
        found, error = recover(_square(own, file), own.sets, rng, step)
        if error > _POOR:
            return None
        made.append((np.ascontiguousarray(found.T), error))
    return made


def _by_law(
    own: OwnReleases,
    file: UnderAttack,
    allowed: np.ndarray,
    law: FieldLaw,
    common: float,
    rng: np.random.Generator,
    progress: Progress,
) -> tuple[np.ndarray, float]:
    """Return the coordinates of a file that are probable by whom records may be, and their error."""
    assert own.sets is not None
    weights = equal_weights(allowed, max(round(common), 1))
    return fitted(_square(own, file), own.sets, RecordLaw.of(law, weights), rng, progress)


def _square(own: OwnReleases, file: UnderAttack) -> np.ndarray:
    """The middle of what was rounded to a distance, and nothing from anybody to himself."""
    square = file.released + own.step / 2
    np.fill_diagonal(square, 0.0)
    return square


def _walked(
    law: FieldLaw,
    starts: Sequence[FieldStart],
    common: int,
    free: bool,
    rng: np.random.Generator,
    progress: Progress,
) -> np.ndarray:
    """Return how often each record is with each person, where so many have one.

    Coordinates that are but probable, not those that distances alone tell (``free``), are walked by otherwise.
    """
    records, people = starts[0].allowed.shape
    chains, steps, heat = _CHAINS, _STEPS, max(_TEMPERATURE, people / _PER_PEOPLE)
    if not free:
        chains, steps, heat = _FITTED_CHAINS, _FITTED_STEPS, _FITTED_TEMPERATURE
    mean, _, precision = law.of(records - common, *(() if free else (_FITTED_OFF,)))
    course = Course(chains, steps * max(records, people), heat, _HOTTER)
    return walked_fields(mean, precision, starts, common, course, rng, progress)


def _named(
    law: FieldLaw,
    file: UnderAttack,
    found: tuple[np.ndarray, float],
    allowed: np.ndarray,
    often: np.ndarray,
) -> Named:
    """Assign everybody, and see how far each one's fields are from what all others' say.

    And the mean of that, and how exact the coordinates are: chains fit whatever there is as well as it can
    be, and who is right fits better than that.
    """
    matches, often = assigned(file, allowed, often)
    row, column = matches.T
    fields, error = found
    apart = _unlike(law, fields[:, row], column)
    whole = np.full(len(row), np.log(max(apart.mean(), 1e-9)) if len(row) else 0.0)
    exact = np.full(len(row), np.log(max(error, _EXACT)))
    signs = np.column_stack([np.log(np.maximum(apart, 1e-9)), whole, exact])
    return Named(file, matches, often, signs)


def _unlike(law: FieldLaw, fields: np.ndarray, people: np.ndarray) -> np.ndarray:
    """How far each one's fields are from what those of all others say, by the law: (m,) squares."""
    mean, covariance, _ = law.of(0)
    inverse = np.linalg.inv(covariance[np.ix_(people, people)])
    apart = fields - fields.mean(axis=1, keepdims=True)
    usual = mean[people] - mean[people].mean()
    total = np.zeros(len(people))
    for one in apart:
        # Each in the sense that fits better: it has no sign.
        pulls = [((sign * one - usual) @ inverse) for sign in (1, -1)]
        worth = [pull @ (sign * one - usual) for pull, sign in zip(pulls, (1, -1))]
        total += pulls[int(worth[1] < worth[0])] ** 2 / inverse.diagonal()
    return total / max(len(fields), 1)
