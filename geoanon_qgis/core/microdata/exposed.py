# SPDX-License-Identifier: GPL-2.0-or-later
"""Who is released as he is: exact matches, and records nearer than chance lets any come.

Distributions let a margin of the people pass. What is told here of single persons has none: an
original that a released record equals in every compared variable, up to the digits that the
release has, or that one lies nearer to than any record of other people comes to anybody.

Where a combination is common, other people have it too and a coincidence gives nobody away: as
many coincidences as the reference has are expected, and those who are alone with their
combination are counted besides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, shares, silent, weighted
from ..runtime.results import Summarised
from ..runtime.wording import Sentence, number_of
from .copies import DIGITS, are_among, to_digits
from .determined import Values, determined
from .digits import Pair, in_turn, one_of
from .distinct import distinct_rows
from .matrices import check_blocks
from .nearest import SAME
from .people import People, others_alike
from .tails import tail_of

#: Coded values that differ by less are the same: they were computed from other digits.
_SAME = 1e-9
#: Chance of calling a release of other people one that exposes somebody.
_LEVEL = 0.01
#: Share of the originals with coincidences in the reference from which on these are the rule,
#: and chance may add to them.
_COMMON = 0.05
#: Counts that an estimate of how many coincide is worth: it is off by a third.
_WORTH = 8.0
#: Records by which it is seen what follows from what, and what goes by steps.
_LOOKED_AT = 3_000
#: Different values of a number that goes by steps, by records, and the spread of numbers off a line, in coded
#: units, that is none.
_STEPS, _OFF = 0.1, 1e-3
#: Coincidences that are expected to be so few do not happen by chance.
_RARE = 0.05
#: Share of the originals alone with their values who have exactly one twin in the reference, and
#: the fewest of them, from which on it holds the same people. However large it is, other people
#: are exactly one with a chance of at most 1 / e (Poisson's law with the mean 1).
_TWINS, _FEWEST_TWINS = 0.8, 15


@dataclass(frozen=True, repr=False)
class Exposed(Summarised):
    """Originals that a release shows as they are, or nearly so.

    Attributes
    ----------
    verbatim : (n,) bool array
        Whether a released record equals the original.
    alone : (n,) bool array
        Whether no other original equals it.
    expected : int
        Originals that equal a record of the reference.
    limit : int
        Originals that may equal a released record by the reference, and by chance where
        coincidences are common.
    near : (n,) bool array
        Originals, besides, that a released record is nearer to than chance explains.
    closest : float
        How near a record of the reference comes to anybody it does not equal.
    p_value : float
        Of as many exact matches more than the reference has; 1 where there are none.
    by_chance : bool
        Whether records of other people could be the same at all, though none of the reference is:
        they are so in all variables but one, and that one has few values.
    """

    verbatim: np.ndarray
    alone: np.ndarray
    expected: int
    limit: int
    near: np.ndarray
    closest: float
    p_value: float
    by_chance: bool

    @property
    def any(self) -> np.ndarray:
        """Originals to be listed: nearer ones, and verbatim ones who are alone or too many."""
        shown = self.verbatim if self.too_many else self.verbatim & self.alone
        return shown | self.near

    @property
    def count(self) -> int:
        """Originals that a released record equals."""
        return int(np.count_nonzero(self.verbatim))

    @property
    def unique(self) -> int:
        """Those of them that no other original equals."""
        return int(np.count_nonzero(self.verbatim & self.alone))

    @property
    def nearer(self) -> int:
        return int(np.count_nonzero(self.near))

    @property
    def too_many(self) -> bool:
        """Whether there are more exact matches than the reference and chance explain."""
        return self.count > self.limit

    @property
    def is_sure(self) -> bool:
        """Whether what was found is beyond chance, not only beyond the reference."""
        return bool(
            self.nearer or (self.too_many and (not self.by_chance or self.p_value < _LEVEL))
        )

    @property
    def _explained(self) -> Sentence:
        """What exact matches mean."""
        if self.too_many:
            return Sentence("These people are released as they are.")
        if self.count <= self.expected:
            return Sentence("So many are expected: records of other people are the same as often.")
        return Sentence(
            "Chance explains so many: by how often single values occur, a record of other people is "
            "the same now and then. So they do not decide; who is like no other original is listed."
        )

    @property
    def sentences(self) -> list[Sentence]:
        """What was found, in words; always at least one."""
        said = []
        if self.count:
            are = number_of(self.count, "original is", "originals are")
            said.append(
                Sentence(
                    "{are} in the release with the very same values, {unique:,} of them like no "
                    "other original. Of the reference's records {expected:,} are the same{limit}. "
                    "{so}",
                    are=are,
                    unique=self.unique,
                    expected=self.expected,
                    limit=(
                        Sentence(", and up to {limit:,} are explained", limit=self.limit)
                        if self.limit > self.expected
                        else ""
                    ),
                    so=self._explained,
                )
            )
        if self.nearer:
            have = number_of(self.nearer, "original has", "originals have")
            said.append(
                Sentence(
                    "{have} a released record nearer than any record of other people comes to "
                    "anybody ({closest:.3g}), and nearer or more often than chance explains: it "
                    "is as good as their own.",
                    have=have,
                    closest=self.closest,
                )
            )
        return said or [
            Sentence(
                "No original is in the release as it is, and none has a released record nearer "
                "than records of other people come."
            )
        ]

    def in_words(self) -> str:
        """Say it in one."""
        return "\n".join(self.sentences)


def exposed(
    variants: Sequence[tuple[np.ndarray, np.ndarray | None]],
    released: np.ndarray,
    distance: np.ndarray,
    reference_distance: np.ndarray,
    blocks: Sequence[slice] | None = None,
    progress: Progress = silent,
    as_it_is: np.ndarray | None = None,
    nearest: np.ndarray | None = None,
    whose: People | None = None,
) -> Exposed:
    """Find the originals that are released as they are, or nearly so.

    Parameters
    ----------
    variants : sequence of ((n, m) array, (q, m) array or None)
        Originals, and the reference, as the release could hold them; see :func:`.digits.as_released`.
    released : (p, m) array
    distance, reference_distance : (n,) arrays
        Of the originals from the nearest record of the release, and of the reference or, without
        one, of the other originals; NaN of those who were not measured.
    blocks : sequence of slice, optional
        Columns of each variable; each on its own by default.
    as_it_is : (p, m) array, optional
        The release before columns in other units were taken back: what is the same there is.
    nearest : (n,) int array, optional
        The record that each is nearest to: several originals near one are one coincidence.
    whose : People, optional
        Whose record each original is, where people have several: hers are not others who are alike.

    Raises
    ------
    InputError
        If the reference holds the original people: against themselves nobody would be exposed.
    """
    tables, besides = [], distance <= _SAME
    for pair, ahead in in_turn(variants, part(progress, 0.0, 0.8)):
        tables.append(_matches(*pair, released, part(ahead, 0.0, 0.7), whose))
        if len(tables) == 1:
            own = 1 if whose is None else int(round(len(pair[0]) / whose.count))
            others = len(pair[0]) - own if pair[1] is None else len(pair[1])
            _refuse_the_same_people(*pair, *tables[0][1:])
        if as_it_is is not None and as_it_is is not released:
            besides = besides | are_among(pair[0], as_it_is, part(ahead, 0.7, 1.0))
        mutual = pair[1] is None
        del pair  # before the next one is coded
    verbatim, alone, same = max(tables, key=lambda one: int(one[0].sum()) - int(one[2].sum()))
    verbatim = verbatim | besides
    count, expected = int(verbatim.sum()), int(same.sum())
    limit, p_value = _limit(verbatim, same)
    near, closest = _nearer(
        np.where(verbatim, np.inf, distance),
        reference_distance,
        len(released),
        others,
        mutual,
        _numbers(released),
        np.arange(len(distance)) if nearest is None else nearest,
    )
    by_chance = expected > 0
    if count > limit or 0 < count and expected < _COMMON * len(same):
        blocks = check_blocks(blocks, released.shape[1])
        each = _coincidences(variants, len(released), blocks, part(progress, 0.8, 0.95), whose)
        by_chance = by_chance or float(each.sum()) > _RARE
        # Originals who are the same coincide together: that is one coincidence.
        ahead = part(progress, 0.95, 1.0)
        kinds = distinct_rows(one_of(variants, 0, ahead)[0], ahead, prepared=to_digits)
        _, one = np.unique(kinds.of_row, return_index=True)
        each, there = each[one], verbatim[one]
        limit = max(limit, count) if _are_explained(each, there) else min(limit, count - 1)
    return Exposed(
        verbatim,
        alone,
        expected,
        limit,
        near,
        closest,
        p_value if count > expected else 1.0,
        by_chance,
    )


def _matches(
    original, sample, released, progress, whose: People | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which originals equal a released record, are alone, and equal one of the reference."""
    others, _ = others_alike(original, whose, part(progress, 0.0, 0.4), prepared=to_digits)
    alone = others == 0
    verbatim = are_among(original, released, part(progress, 0.4, 0.7))
    if sample is None:
        return verbatim, alone, ~alone
    return verbatim, alone, are_among(original, sample, part(progress, 0.7, 1.0))


def _refuse_the_same_people(original, sample, alone, same) -> None:
    count = int(alone.sum())
    if sample is None or count < _FEWEST_TWINS or (alone & same).sum() < _TWINS * count:
        return
    kinds = distinct_rows(to_digits(np.concatenate([original, sample])))
    there = np.bincount(kinds.of_row[len(original) :], minlength=len(kinds.count))
    twins = int(np.count_nonzero(there[kinds.of_row[: len(original)][alone]] == 1))
    if twins >= _TWINS * count:
        raise InputError(
            "The reference holds the original people: of {count:,} who are like no other "
            "original {twins:,} have exactly one twin there, which other people hardly ever "
            "have. Against themselves nobody would be exposed. Choose records of other "
            "people, or leave the reference empty.",
            count=count,
            twins=twins,
        )


def _limit(verbatim: np.ndarray, same: np.ndarray) -> tuple[int, float]:
    """Exact matches that are explained, and how likely as many as there are would be.

    Records of other people are a second draw beside the reference: whoever matches one of the two
    only matches either as likely (McNemar's exact test).
    """
    from scipy.stats import binom

    expected = int(same.sum())
    only, either = int((verbatim & ~same).sum()), int((verbatim ^ same).sum())
    p_value = float(binom.sf(only - 1, either, 0.5)) if either else 1.0
    if expected < _COMMON * len(same) or not either:
        return expected, p_value
    most = int(binom.ppf(1 - _LEVEL, either, 0.5))
    return expected + max(0, 2 * most - either), p_value


def _coincidences(
    variants: Sequence[Pair],
    released: int,
    blocks: Sequence[slice],
    progress: Progress,
    whose: People | None = None,
) -> np.ndarray:
    """How many records of other people could be expected to equal each original, ``(n,)``.

    Those who differ in one variable alone, times the odds to have the same value in that one, too;
    the mean over the variables. Of a person with a rare combination it is little, though others
    coincide often. Where few differ in one alone, it is drawn to what the shares of her values let
    expect, half way to independent ones (a gamma prior by moments). More are expected where more
    people are the same.
    """
    of_tables, of_blocks, of_same, progress = weighted(progress, 1, 2, 1, 6)
    pair = one_of(variants, 0, of_tables)
    n = len(pair[0])
    table = np.concatenate([one for one in pair if one is not None])
    del pair
    np.round(table, DIGITS, out=table)
    blocks = _telling(table, blocks, of_blocks)
    sole = len(blocks) == 1
    # Where people have several records, they count; those of the reference are each of somebody.
    others = len(table) - 1 if whose is None else whose.count + len(table) - n - 1
    same = others_alike(table, whose, of_same)[0][:n]
    like, count, odds, product = np.zeros(n), np.zeros(n), np.zeros(n), np.ones(n)
    columns = np.concatenate([np.arange(table.shape[1])[block] for block in blocks])
    for block, ahead in zip(blocks, shares(progress, len(blocks))):
        of_values, of_rest = shares(ahead, 2)
        own = np.arange(table.shape[1])[block]
        values, _ = others_alike(table, whose, of_values, columns=own)
        share = np.minimum((values[:n] + 0.5) / (others + 1), 1 - 0.5 / (others + 1))
        near = np.full(n, others)
        if not sole:
            near = others_alike(table, whose, of_rest, columns=np.setdiff1d(columns, own))[0][:n]
        near = near - same
        count += near
        like += share / (1 - share) * near / len(blocks)
        odds += (1 - share) / share
        product *= np.sqrt(share)
    if count.any():
        usual = product * odds * (count.sum() / (product * odds).sum())
        spread = ((count - usual) ** 2 - usual).sum()
        prior = (usual**2).sum() / max(spread, 0.01 * (usual**2).sum())
        # As many counts as the prior is worth, by how many there are to be expected.
        weigh = prior / np.maximum(usual, 1e-300)
        expected = product * (like.sum() / product.sum())
        like = np.where(usual > 0, (like + weigh * expected) / (1 + weigh), like)
    more = max(1.0, (same.sum() + 1) / (like.sum() + 1))
    # Few who differ in one alone tell little: as many are taken as there may be at 95 %.
    pairs = max(float(count.sum()), 1.0)
    return like * more * (1 + (2 * np.sqrt(pairs) + 2) / pairs) * released / others


def _telling(table: np.ndarray, blocks: Sequence[slice], progress: Progress) -> list[slice]:
    """Variables without those that follow from others: who agrees in the rest agrees in these, too."""
    some = table[:: max(1, len(table) // _LOOKED_AT)]
    every = np.arange(table.shape[1])
    variables = []
    for one in blocks:
        own = every[one]
        numbers = (
            some[:, own[0]] if len(own) <= 2 else None
        )  # the second says whether it is missing
        variables.append(Values(distinct_rows(some, columns=own).of_row, numbers))
    left_out = set(determined(variables, progress))
    return [one for at, one in enumerate(blocks) if at not in left_out]


def _are_explained(expected: np.ndarray, verbatim: np.ndarray) -> bool:
    """Whether chance explains that so many, and of combinations so rare, coincide.

    How many are expected is an estimate, so that counts are spread more widely than by Poisson's law
    (negative binomial).
    """
    from scipy.stats import nbinom

    if not verbatim.any():
        return True

    within = np.cumsum(np.sort(1 - np.exp(-expected)))
    seen = np.sort(expected[verbatim])
    rank = np.arange(1, len(seen) + 1)
    chance = within[np.searchsorted(np.sort(expected), seen, "right") - 1]
    beyond = nbinom.sf(rank - 1, _WORTH, _WORTH / (_WORTH + chance))
    return bool((beyond >= _LEVEL / (1 + np.log2(len(seen)))).all())


def _numbers(released: np.ndarray) -> int:
    """How many numbers there are that go by no steps and do not follow from others along a line.

    No more can make who is the same in all else nearer: how few come how near falls with no higher power
    of the distance.
    """
    some = released[:: max(1, len(released) // _LOOKED_AT)]
    many = [len(np.unique(column)) > _STEPS * len(some) for column in some.T]
    numbers = some[:, many] - some[:, many].mean(axis=0)
    return max(1, int(np.linalg.matrix_rank(numbers, tol=_OFF * np.sqrt(len(some)))))


def _denser_within(distance: np.ndarray, near: np.ndarray, numbers: int) -> float:
    """Up to which distance more records are near originals than as many again from them tell; or 0.

    Originals of a file may keep off each other, as houses do, which records of other people do not
    keep to. How dense these lie around originals a little farther off tells how many are near by
    chance, in as many dimensions as there are numbers (nearest neighbours of a Poisson process).
    """
    from scipy.stats import binom

    ordered = np.sort(distance)
    within = ordered[: np.count_nonzero(near)] * (1 + SAME)
    within = within[within > 0]
    if not len(within):
        return 0.0
    up_to, twice = (np.searchsorted(ordered, within * one) for one in (1, 2))
    share = twice / (len(distance) + 1)
    by_chance = (1 - (1 - share) ** (0.5**numbers)) / share
    beyond = binom.sf(up_to - 1, twice, by_chance) < _LEVEL / (1 + np.log2(len(within)))
    return float(within[beyond].max(initial=0.0))


def _nearer(
    distance: np.ndarray,
    reference: np.ndarray,
    released: int,
    others: int,
    mutual: bool,
    numbers: int,
    nearest: np.ndarray,
) -> tuple[np.ndarray, float]:
    """Originals nearer to the release than chance explains, and the reference's least distance.

    Among as many records of other people the nearest pair of all is one of the release as often
    as not, so that being nearer than the reference is nothing by itself. It is beyond chance
    where so many are, or where one is so near that the smallest distances of the reference,
    whose number falls with a power of the distance, leave none to be expected there.
    """
    nobody = np.zeros(len(distance), dtype=bool)
    positive = np.sort(reference[reference > _SAME])
    if not len(positive):
        return nobody, 0.0
    closest = float(positive[0])
    near = distance < closest * (1 - SAME)
    # Two originals who are near each other are one pair, and both count.
    pairs = others / 2 if mutual else others
    chance = lambda some: (released / (released + pairs)) ** len(np.unique(nearest[some]))  # noqa: E731
    if near.any() and chance(near) < _LEVEL / 2:
        if not mutual:
            return near, closest
        some = near & (distance <= _denser_within(distance, near, numbers))
        if chance(some) < _LEVEL / 2:
            return some, closest
    tail = tail_of(positive, mutual, numbers)
    if tail is None or tail.by_steps:
        return nobody, closest
    within = -np.log(1 - _LEVEL / 2) * others / (released * tail.count)
    return near & (distance < tail.edge * within ** (1 / tail.power)), closest
