# SPDX-License-Identifier: GPL-2.0-or-later
"""What is said of the disclosure risk of microdata in the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.attacks.scoring import wilson
from ...core.microdata import adequacy, prediction, risk
from ...core.microdata.attacks.battery import Battery
from ...core.microdata.attacks.scoring import ATTACKS, Attack
from ...core.verdict import LIMIT
from ..families.comparing import Compared
from ..i18n import mark, tr, translated

#: measure -> name, what it is
MEASURES = {
    prediction.DISTANCE: (
        mark("Prediction distance"),
        mark("How far the nearest released record lies, in standard deviations a column"),
    ),
    prediction.AMBIGUITY: (
        mark("Prediction ambiguity"),
        mark("Distance of the nearest over that of the k-th nearest"),
    ),
    prediction.UNCERTAINTY: (
        mark("Prediction uncertainty"),
        mark("Mean variance of a column among the k nearest"),
    ),
}


SHORT = {
    prediction.DISTANCE: mark("distance"),
    prediction.AMBIGUITY: mark("ambiguity"),
    prediction.UNCERTAINTY: mark("uncertainty"),
}


#: From this share of originals that lie in the reference as they are on, it is the wrong one.
_OVERLAP = 0.5


#: From these areas under the curve on, a measure tells right matches from wrong ones.
_TELLS, _TELLS_MOST = 0.6, 0.8


@dataclass(frozen=True)
class Risk:
    """What the report tells of.

    Attributes
    ----------
    pair : Compared
    found : risk.DisclosureRisk
    k : int
    released_ids : sequence
        Of the released records.
    limit : float
        The acceptable share of people found, by which the decision is made.
    """

    pair: Compared
    found: risk.DisclosureRisk
    k: int
    released_ids: Sequence = ()
    limit: float = LIMIT

    @property
    def matched(self) -> bool:
        """Whether so many nearest matches are right, or may be, that the decision is against it."""
        again = self.found.reidentification
        people = len(self.found.measured.distance)
        return again is not None and wilson(again.expected, people)[1] > self.limit

    @property
    def by_design(self) -> bool:
        """Whether uncertainty fails as the best matches share a mean, for most originals."""
        return self.found.by_design and prediction.UNCERTAINTY in self.failed

    @property
    def decides(self) -> list[str]:
        """Measures that are not adequate, and count."""
        left = () if self.found.uncertainty_counts else (prediction.UNCERTAINTY,)
        return [one for one in self.failed if one not in left]

    @property
    def attacks(self) -> Battery:
        """What real attacks found."""
        assert self.found.attacks is not None
        return self.found.attacks

    @property
    def failed(self) -> list[str]:
        """Measures that are not adequate."""
        return [one.measure for one in self.found.comparisons if one.verdict == adequacy.INADEQUATE]

    @property
    def nearer(self) -> int:
        """Originals to which the release comes nearer than as many records of other people."""
        release, reference = self.found.curves
        return int(np.count_nonzero(release.distance < reference.distance))


def sentences(told: Risk) -> list[str]:
    """What the log says."""
    said = [translated(one.sentence) for one in _worst(told) if _holds(told, one)]
    said += [
        f"{tr(MEASURES[one.measure][0])}: {tr(one.sentence)}"
        for one in told.found.comparisons
        if one.verdict == adequacy.ADEQUATE
    ]
    if told.found.exposure_verdict == adequacy.ADEQUATE:
        said += map(tr, told.found.exposed.sentences)
    if told.found.measures_verdict == adequacy.ADEQUATE:
        said.append(meaning(told))
    again = told.found.reidentification
    if again is not None:
        said.append(
            tr(
                "Re-identified by nearest match: {expected:,.0f} of {count:,} originals "
                "({rate:.1f} %; {chance:.2g} % by guessing)."
            ).format(
                expected=again.expected,
                count=len(told.found.measured.distance),
                rate=100 * again.rate,
                chance=100 * again.by_chance,
            )
        )
    return said


def warnings(told: Risk) -> list[str]:
    """What the log warns of."""
    said = [
        f"{tr(MEASURES[one.measure][0])}: {tr(one.sentence)}"
        for one in told.found.comparisons
        if one.verdict != adequacy.ADEQUATE
    ]
    if told.found.exposure_verdict != adequacy.ADEQUATE:
        said = [*map(tr, told.found.exposed.sentences), *said]
    if told.found.measures_verdict != adequacy.ADEQUATE:
        said.append(meaning(told))
    attacked = [translated(one.sentence) for one in _worst(told) if not _holds(told, one)]
    attacked += [translated(one.sentence) for one in told.attacks.extremes if attacked]
    in_part = told.attacks.in_part.sentence
    attacked += [translated(in_part)] if in_part else []
    return [*attacked, *said, *map(translated, told.attacks.notes), *remarks(told)]


def _worst(told: Risk) -> list[Attack]:
    """The worst attack of each kind."""
    return [told.attacks.of(kind)[0] for kind in ATTACKS if told.attacks.of(kind)]


def _holds(told: Risk, attack: Attack) -> bool:
    """Whether the upper end of what it finds is within the limit."""
    return told.attacks.figures(attack)[2] <= told.limit and not told.attacks.beyond(attack)


def meaning(told: Risk) -> str:
    """What the three measures mean together, and what they do not see."""
    return f"{_meaning(told)} {tr(_BLIND)}"


_BLIND = mark(
    "The three measures compare whole records: they do not see a true place beside swapped fields, a "
    "single field that is true, or an extreme value that was released. The attacks look for these, "
    "and decide."
)


def _meaning(told: Risk) -> str:
    verdicts = {one.measure: one.verdict for one in told.found.comparisons}
    failed = told.failed
    if not failed and told.found.exposure_verdict != adequacy.ADEQUATE:
        whole = tr(
            "By the three measures the release tells no more about people as a whole than records "
            "of other people would, or than it tells about people who are not in it."
        )
        if adequacy.UNDECIDED in verdicts.values():
            whole = tr(
                "No measure fails for people as a whole, but not every one could be decided with "
                "so few records."
            )
        return tr(
            "{whole} But some persons are in it as they are, or as good as: what holds for the "
            "whole is no help to them. Leave their records out, or change them, and measure again."
        ).format(whole=whole)
    if not failed:
        if adequacy.UNDECIDED in verdicts.values():
            return tr(
                "No measure fails, but not every one could be decided with so few records: that "
                "the release is safe enough is not shown."
            )
        whole = tr(
            "By all three measures the release tells an attacker no more about the people in it "
            "than records of other people would, or than it tells about people who are not in it. "
            "That is evidence, not proof: it holds for these fields, for this reference, and for "
            "attacks that take the nearest record."
        )
        return " ".join([whole, *_stricter(told)])
    said = []
    ours = told.decides
    if ours:
        said.append(
            tr(
                "By {measures} the release tells an attacker more about the people in it than "
                "records of other people would, so taking part makes a difference to them."
            ).format(measures=listed(ours))
        )
        over = max(one.excess - one.margin for one in told.found.comparisons if one.measure in ours)
        if over <= told.found.comparisons[0].margin:
            said.append(
                tr(
                    "The miss is small, {over:.1f} percentage points beyond a margin that is a "
                    "convention: it is for the data holder to weigh."
                ).format(over=100 * over)
            )
    elif adequacy.UNDECIDED in verdicts.values():
        said.append(
            tr(
                "Besides uncertainty no measure fails, but not every one could be decided with so "
                "few records."
            )
        )
    else:
        said.append(
            tr(
                "Of the three measures uncertainty alone fails; by the two others the release tells an "
                "attacker no more than records of other people would."
            )
        )
    if told.by_design:
        said.append(
            tr(
                "For half of the originals and more, the {k} nearest released records are all "
                "alike, as those of one group are (spectral RHS). Then uncertainty is 0 and "
                "ambiguity 1 by the design of the method, and neither tells whether it protects. "
                "What an attacker reads is the mean of a group, without any doubt which: how near "
                "that is to a person, prediction distance says, and members who are all alike in a "
                "field do give it away."
            ).format(k=told.k)
        )
    elif told.failed != ours:
        said.append(
            tr(
                "Without a reference uncertainty decides nothing: where people come in groups, as "
                "classmates do, the best matches in a release of other groups agree, and are no "
                "nearer to anybody. The attacks decide."
            )
        )
    said.append(_told_apart(told))
    if ours:
        said.append(
            tr("A stronger method, larger groups or fewer fields lower the risk; measure again.")
        )
    return " ".join(filter(None, said))


def _stricter(told: Risk) -> list[str]:
    """Why the decision may be against a release of which no measure fails."""
    again = told.found.reidentification
    if again is None or not told.matched:
        return []
    return [
        tr(
            "The decision is stricter than they are: it counts how many people are found. The "
            "measures compare with records of other people, and where a person is like many "
            "others, her own record may be the nearest all the same: of the nearest matches "
            "{rate:.1f} % are right, and with so many records that does not keep to the acceptable "
            "{limit:.1f} %."
        ).format(rate=100 * again.rate, limit=100 * told.limit)
    ]


def _told_apart(told: Risk) -> str:
    """Whether an attacker knows which of his matches are right."""
    again = told.found.reidentification
    if again is None:
        return ""
    right = tr("Of the nearest matches {rate:.1f} % are right").format(rate=100 * again.rate)
    best = max((max(one, 1 - one) for one in again.auc.values() if one == one), default=None)
    if best is None:
        return right + "."
    known = (
        tr("an attacker can tell most of them from the wrong ones")
        if best >= _TELLS_MOST
        else tr("an attacker can tell them from the wrong ones better than by chance")
        if best >= _TELLS
        else tr("an attacker can hardly tell them from the wrong ones")
    )
    return tr("{right}, and {known} (AUC {best:.2f} by the measure that tells most).").format(
        right=right, known=known, best=best
    )


def listed(measures: Sequence[str]) -> str:
    return ", ".join(tr(SHORT[name]) for name in measures)


def remarks(told: Risk) -> list[str]:
    said = [*told.pair.warnings]
    said += [tr(told.found.sampled)] if told.found.sampled else []
    strange = [
        one.name
        for one in told.pair.coding.variables
        if one.is_constant and _differs(told.pair, one.columns)
    ]
    if strange:
        said.append(
            tr(
                "The same for all originals, but not in the other tables: {fields}. What is the "
                "same for everybody tells nobody apart; it was passed over."
            ).format(fields=", ".join(strange))
        )
    if told.pair.reference is not None:
        there = float(np.mean(told.found.reference.distance == 0))
        if there >= _OVERLAP:
            said.append(
                tr(
                    "{share:.0f} % of the originals have a record in the reference that is the "
                    "same in all fields. Check that the reference holds none of the original "
                    "people, or compare more fields."
                ).format(share=100 * there)
            )
    return said


def _differs(pair: Compared, columns: slice) -> bool:
    here = pair.original.coded[:1, columns]
    others = (side for side in (pair.anonymized, pair.reference) if side is not None)
    return any((side.coded[:, columns] != here).any() for side in others)
