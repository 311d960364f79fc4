# SPDX-License-Identifier: GPL-2.0-or-later
"""What a release of microdata gives away, all together.

Lasko & Vinterbo (2010), section II-A: each is measured for every original record against the
release, and its distribution compared to what a sample without those records would have given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ..runtime.progress import Progress, chunks, interruptible, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence, number_of
from ..verdict import DO_NOT_RELEASE, RELEASE_WITH_CARE, Evidence, judge
from .adequacy import ADEQUATE, INADEQUATE, MARGIN, UNDECIDED, Comparison, beside_strangers, compare
from .attacks.battery import Battery
from .attacks.table import sample
from .digits import Pairs
from .exposed import Exposed, exposed
from .matrices import as_matrix, block_rows, copied, passed_over
from .people import People
from .prediction import UNCERTAINTY, PredictionRisk, leave_one_out_risk, prediction_risk
from .reidentification import Reidentification, reidentification
from .unheard import as_anybodys
from .units import in_units_of

#: From so many coded values on (100,000 people with 28 columns) the measures of all people, each
#: against all records, take minutes; so many people are measured then, and that the distributions of
#: two measures are farther off than told has this chance.
_ALL_PAIRS, _PEOPLE, _LEVEL = 3_000_000, 50_000, 0.05
#: People of the reference who are held against the release where a measure fails.
_STRANGERS = 10_000
#: How many times the records of the other a release or a reference may have and be compared as it is.
_AS_MANY = 1.1

#: What a release is compared with: records of other people, or originals with the other originals.
SAMPLE, LEAVE_ONE_OUT = "sample", "leave_one_out"


@dataclass(frozen=True, repr=False)
class DisclosureRisk(Summarised):
    """What a release gives away, against a reference.

    Attributes
    ----------
    measured, reference : PredictionRisk
    reference_kind : str
        ``sample`` or ``leave_one_out``.
    comparisons : tuple of Comparison
    reidentification : Reidentification or None
    exposed : Exposed
        Who is released as he is, which no margin lets pass.
    attacks : Battery or None
        What real attacks found, where they were run.
    people : (s,) int array or None
        Originals who were measured, where they are a sample; None for all. Who is released as he is
        was looked for among all.
    whose : People or None
        Whose record each original is, where people have several. One of each was measured then.
    compared : (PredictionRisk, PredictionRisk) or None
        What was compared, where release and reference have unlike numbers of records.
    left_out : int
        Released records that lack a value and were not looked at: nobody knows what they tell.
    """

    measured: PredictionRisk
    reference: PredictionRisk
    reference_kind: str
    comparisons: tuple[Comparison, ...]
    reidentification: Reidentification | None
    exposed: Exposed
    attacks: Battery | None = None
    people: np.ndarray | None = None
    whose: People | None = None
    compared: tuple[PredictionRisk, PredictionRisk] | None = None
    left_out: int = 0

    @property
    def curves(self) -> tuple[PredictionRisk, PredictionRisk]:
        """Release and reference as they were compared: of as many records each."""
        return self.compared or (self.measured, self.reference)

    @property
    def total(self) -> int:
        """How many originals there are."""
        return len(self.exposed.verbatim)

    @property
    def rows(self) -> np.ndarray:
        """Originals who were measured."""
        return np.arange(self.total) if self.people is None else self.people

    def of_all(self, values: np.ndarray) -> np.ndarray:
        """Return values of those who were measured for all originals, NaN for the others."""
        return _spread(values, self.people, self.total)

    @property
    def sampled(self) -> Sentence | None:
        """What was measured on a sample, and how well it is known; None where all were."""
        if self.people is None or self.whose is not None:
            return None
        return Sentence(
            "The three measures, and whether a released record is too near, are of {some:,} people "
            "drawn at random of {total:,}: each excess is known to {error:.1f} percentage points "
            "(95 %), which count against the release. Who is released as he is was looked for among "
            "all. WHOLE=true measures everybody, and takes long.",
            some=len(self.people),
            total=self.total,
            error=100 * sampling_error(self.people),
        )

    def with_attacks(self, attacks: Battery, left_out: int = 0) -> DisclosureRisk:
        """Return the same with what real attacks found, and how many records were left out."""
        return replace(self, attacks=attacks, left_out=left_out)

    @property
    def exposure_verdict(self) -> str:
        """Adequate where nobody is shown as he is beyond what the reference has."""
        if self.exposed.is_sure:
            return INADEQUATE
        return UNDECIDED if self.exposed.too_many else ADEQUATE

    @property
    def measures_verdict(self) -> str:
        """The worst of the three measures and of who is released as he is."""
        verdicts = {one.verdict for one in self.comparisons} | {self.exposure_verdict}
        return next(v for v in (INADEQUATE, UNDECIDED, ADEQUATE) if v in verdicts)

    @property
    def verdict(self) -> str:
        """The worst of all that was run: ``adequate`` where every attack held, too."""
        if self.attacks is None:
            return self.measures_verdict
        decision = judge(self.evidence, "", "", self.attacks.limit).decision
        return {RELEASE_WITH_CARE: ADEQUATE, DO_NOT_RELEASE: INADEQUATE}.get(decision, UNDECIDED)

    @property
    def by_design(self) -> bool:
        """Whether the best matches share a mean for most originals, as those of a group do.

        Then uncertainty is 0 whatever the release protects: its verdict is told and decides
        nothing, as what a group gives away is found by inference.
        """
        alike = np.median(self.measured.uncertainty) == 0 < np.median(self.measured.distance)
        return bool(alike)

    @property
    def uncertainty_counts(self) -> bool:
        """Whether uncertainty decides beside attacks.

        Not where it is 0 by design. Nor where each original is compared with the others: classmates,
        or a family, take themselves away from each other's best matches and not from those of a
        release of other classes, whose best matches are alike without being near.
        """
        return not self.by_design and self.reference_kind != LEAVE_ONE_OUT

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Who is released as he is, whose record is found by taking the nearest, and the attacks.

        The three measures are about distributions and give no share of people found: where
        nothing tells which record is whose there is none. Where it is known the share is that of
        right matches, and their verdict counts besides.
        """
        attacked = () if self.attacks is None else self.attacks.evidence
        shown = self._shown.with_caveat("left_out") if self.left_out else self._shown
        return (shown, self._nearest, *attacked)

    @property
    def _in_batches(self) -> bool:
        """Whether people come in batches, which are nearer to a release, or farther off, together."""
        return self.attacks is not None and self.attacks.batches < 1

    @property
    def _shown(self) -> Evidence:
        """Where coincidences explain what was found, only those beyond the expected count."""
        shown, people = self.exposed, self.total if self.whose is None else self.whose.count
        listed = self._people_of(shown.any)
        if self.exposure_verdict == ADEQUATE:
            beyond = max(0, shown.count - shown.expected)
            these = -(-beyond * self._people_of(shown.verbatim) // max(1, shown.count))
            return Evidence.counted("verbatim_records", these, people)
        near_by_batch = self._in_batches and not shown.too_many
        if self.exposure_verdict == UNDECIDED or near_by_batch:
            found = Evidence.counted("verbatim_records", listed, people).with_caveat("by_chance")
            return replace(found, low=0.0) if near_by_batch else found
        found = Evidence.counted("verbatim_records", listed, people, exposed=listed)
        return replace(found, failed=True)

    def _people_of(self, some: np.ndarray) -> int:
        """How many people some originals are, ``(n,)`` truth values."""
        return int(np.count_nonzero(some)) if self.whose is None else len(set(self.whose.of[some]))

    @property
    def _nearest(self) -> Evidence:
        left = () if self.attacks is None or self.uncertainty_counts else (UNCERTAINTY,)
        verdicts = {one.verdict for one in self.comparisons if one.measure not in left}
        if self.whose is not None and self.attacks is not None:
            # Records of other people come in groups, and are farther apart than those of a release
            # that holds nobody: whoever has none near among these is no nearer to it. Membership tells.
            verdicts = set()
        people, failed = len(self.measured.distance), INADEQUATE in verdicts
        again = self.reidentification
        if again is None:
            found = Evidence.without_share("nearest_records", people, failed)
            found = replace(found, is_ruling=self.attacks is not None)
        else:
            counted = Evidence.counted("nearest_records", again.expected, people)
            found = replace(counted, failed=failed)
        # What chance explains as well is left to the attacks, where these were run.
        open_still = UNDECIDED in verdicts and self.attacks is None
        if self._in_batches and found.failed:
            found, open_still = replace(found, failed=False), True
        return found.with_caveat("undecided") if open_still else found

    @property
    def found_as_nearest(self) -> np.ndarray:
        """Originals whose own record is nearest, where that is so of surely more than is acceptable."""
        found = self._nearest
        if self.measured.right is None or self.attacks is None or found.low <= self.attacks.limit:
            return np.zeros(0, dtype=np.intp)
        return self.rows[self.measured.right >= 0.5]

    @property
    def relative_distance(self) -> np.ndarray:
        """Prediction distance of each record over that against the reference.

        Below 1 the release comes nearer to the record than records of others do. NaN where
        both are zero.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.measured.distance / self.reference.distance

    def in_words(self) -> str:
        """Say the verdicts in words."""
        count = number_of(len(self.measured.distance), "record", "records")
        said = [f"Disclosure risk of {count}: {self.verdict}."]
        said += [self.sampled] if self.sampled else []
        said += [f"{one.measure}: {one.sentence}" for one in self.comparisons]
        said += self.exposed.sentences
        if self.reidentification is not None:
            found = self.reidentification
            said.append(
                f"Matched with their own record: {found.rate:.1%} (by chance"
                f" {found.by_chance:.1%})."
            )
        if self.attacks is not None:
            said.append(self.attacks.in_words())
        return "\n".join(said)


def _any_of_hers(
    original: np.ndarray, released: np.ndarray, match: np.ndarray, whose: People
) -> np.ndarray:
    """The nearest of the released records that came from any record of each original's person."""
    rows, theirs = whose.pairs(whose.of)
    known = match[theirs] >= 0
    rows, theirs = rows[known], theirs[known]
    gap = np.empty(len(rows))
    for some in chunks(len(rows), block_rows(original.shape[1])):
        off = original[rows[some]] - released[match[theirs[some]]]
        gap[some] = np.einsum("ij,ij->i", off, off)
    order = np.lexsort((gap, rows))
    first = order[np.append(True, np.diff(rows[order]) != 0)] if len(order) else order
    found = np.full(len(match), -1, dtype=np.intp)
    found[rows[first]] = match[theirs[first]]
    return found


def people_measured(
    original: np.ndarray, whole: bool = False, whose: People | None = None
) -> np.ndarray | None:
    """Choose whose records are measured where all pairs would take minutes; None for everybody.

    Parameters
    ----------
    original : (n, m) array
    whole : bool
        Whether everybody is to be measured, however long it takes.
    whose : People, optional
        Whose record each is, where people have several; one of each is measured then.
    """
    if whose is not None:
        rows = whose.one_each()
        some = people_measured(original[rows], whole)
        return rows if some is None else rows[some]
    if whole or original.size <= _ALL_PAIRS or len(original) <= _PEOPLE:
        return None
    return sample(len(original), _PEOPLE, 16)


def sampling_error(people: np.ndarray | None) -> float:
    """How far an excess in a sample may be off that of everybody, 95 times of 100.

    The largest difference of two cumulative distributions is off by no more than these two are
    together (Massart 1990, *Annals of Probability* 18, 1269-1283, half of the chance for each).
    """
    if people is None:
        return 0.0
    return 2 * float(np.sqrt(np.log(4 / _LEVEL) / (2 * len(people))))


def _spread(values: np.ndarray, people: np.ndarray | None, total: int) -> np.ndarray:
    if people is None:
        return values
    spread = np.full(total, np.nan)
    spread[people] = values
    return spread


def disclosure_risk(
    original: np.ndarray,
    anonymized: np.ndarray,
    reference: np.ndarray | None = None,
    match: np.ndarray | None = None,
    k: int = 5,
    margin: float = MARGIN,
    progress: Progress = silent,
    variants: Sequence[tuple[np.ndarray, np.ndarray | None]] = (),
    blocks: Sequence[slice] | None = None,
    people: np.ndarray | None = None,
    whose: People | None = None,
    places: Sequence[int] = (),
) -> DisclosureRisk:
    """Measure a release and judge it.

    Parameters
    ----------
    original, anonymized : (n, m), (p, m) arrays
        Coded alike (:meth:`.coding.Coding.encode`).
    reference : (q, m) array, optional
        A sample of the same population that holds none of the original records; without it
        each record is measured against the other originals. More records lie nearer to
        everything: of release and reference, whichever has more than a tenth more is compared
        by as many of its records as the other has.
    match : (n,) int array, optional
        The released row that came from each original; -1 for none.
    k : int
    margin : float
    variants : sequence of ((n, m) array, (q, m) array or None), optional
        Original and reference with the digits that the release has; see :func:`.digits.as_released`.
    blocks : sequence of slice, optional
        Columns of each variable; each on its own by default.
    people : (s,) int array, optional
        Originals who are measured, see :func:`people_measured`; all by default.
    whose : People, optional
        Whose record each original is, where people have several: hers are no other people's. One of
        each, drawn at random, should be ``people`` then.
    places : sequence of int
        Columns of the coordinates; see :func:`.units.in_units_of`.

    Returns
    -------
    DisclosureRisk
        A column that is constant in the original tells nobody apart and has no unit: what the
        other tables hold there is passed over. Were it counted, any other value would push all
        records of a release far away, and it would look safe. A release in other units is taken
        back to those of the originals first, for the same reason; see :mod:`.units`.
    """
    original = as_matrix(original, Sentence("original table"), part(progress, 0.0, 0.01))
    constant = original.min(axis=0) == original.max(axis=0)
    anonymized = passed_over(anonymized, original[0], constant)
    as_it_is = anonymized
    if anonymized.ndim == 2:
        anonymized = in_units_of(original, anonymized, part(progress, 0.01, 0.04), places)
    if reference is not None:
        reference = as_matrix(reference, Sentence("reference table"))
        reference = as_anybodys(original, passed_over(reference, original[0], constant), blocks)
    in_units, anonymized = anonymized, as_anybodys(original, anonymized, blocks)
    asked = original
    if people is not None:
        asked = copied(original, people, None, part(progress, 0.04, 0.05))
    if match is not None and whose is not None:
        match = _any_of_hers(original, anonymized, np.asarray(match), whose)
    if match is not None and people is not None:
        match = np.asarray(match)[people]
    measured = prediction_risk(asked, anonymized, k, match, part(progress, 0.05, 0.45))
    if reference is None:
        against = leave_one_out_risk(original, k, part(progress, 0.45, 0.8), people, whose)
    else:
        against = prediction_risk(asked, reference, k, None, part(progress, 0.45, 0.8))
    compared = _of_as_many(
        (measured, against), asked, anonymized, reference, len(original), part(progress, 0.8, 0.9)
    )
    if not len(variants):
        variants = [(original, reference)]
    shown = exposed(
        Pairs([partial(variants.__getitem__, at) for at in range(len(variants))]).each(
            partial(passed_over, record=original[0], columns=constant)
        ),
        in_units,
        _spread(measured.distance, people, len(original)),
        _spread(against.distance, people, len(original)),
        blocks,
        part(progress, 0.9, 0.98),
        as_it_is,
        _spread(measured.nearest, people, len(original)),
        whose,
    )
    error = sampling_error(people)
    comparing = partial(compare, *(compared or (measured, against)), margin, error)
    comparisons = interruptible(comparing, progress, 0.98)
    failed = any(one.verdict == INADEQUATE for one in comparisons)
    if failed and reference is not None and whose is None:
        asked = copied(reference, sample(len(reference), _STRANGERS, 16))
        strangers = prediction_risk(asked, anonymized, k, None, part(progress, 0.98, 1.0))
        comparisons = tuple(beside_strangers(o, measured, strangers, error) for o in comparisons)
    return DisclosureRisk(
        measured,
        against,
        LEAVE_ONE_OUT if reference is None else SAMPLE,
        comparisons,
        reidentification(measured, len(anonymized)) if match is not None else None,
        shown,
        people=people,
        whose=whose,
        compared=compared,
    )


def _of_as_many(
    both: tuple[PredictionRisk, PredictionRisk],
    asked: np.ndarray,
    released: np.ndarray,
    reference: np.ndarray | None,
    originals: int,
    progress: Progress,
) -> tuple[PredictionRisk, PredictionRisk] | None:
    """Measure by as many records of both what is compared; None where they have about as many.

    Without a reference none of the originals is left out: each is measured against all others.
    """
    others = originals if reference is None else len(reference)
    fewer, k = min(len(released), others), both[0].k
    table = released if len(released) > others else reference
    if table is None or len(table) <= _AS_MANY * fewer or fewer < k:
        return None
    some = copied(table, sample(len(table), fewer, 22), None, part(progress, 0.0, 0.1))
    again = prediction_risk(asked, some, k, None, part(progress, 0.1, 1.0))
    return (again, both[1]) if table is released else (both[0], again)
