# SPDX-License-Identifier: GPL-2.0-or-later
"""What a custodian may be told of a release: a decision, and the evidence that it rests on.

Nobody can show that a release is safe. What can be shown is by which attack, run by whom, how
many people were found, and how sure that figure is. One :class:`Verdict` holds that; reports,
logs, JSON and number outputs are made from it, so that they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .attacks.scoring import wilson
from .errors import InputError

#: The decisions. Care: held against every attack that was run, within the limit, for the
#: adversary named. Not tested: no attack was run. Cannot tell: too few people, a search that was
#: cut off, an interval that spans the limit.
DO_NOT_RELEASE, RELEASE_WITH_CARE = "do_not_release", "release_with_care"
NOT_TESTED, CANNOT_TELL = "not_tested", "cannot_tell"
DECISIONS = (DO_NOT_RELEASE, RELEASE_WITH_CARE, NOT_TESTED, CANNOT_TELL)

#: Share of people found that is acceptable where nobody says otherwise: the threshold of the
#: European Medicines Agency for published data (External guidance on the implementation of
#: policy 0070, 2018, section 5.4), which is a cell of eleven.
LIMIT = 0.09
#: A probability from which on the adversary is sure of a record.
SURE = 0.95


@dataclass(frozen=True)
class Evidence:
    """What one attack found; made by :meth:`counted` or :meth:`expected`.

    Attributes
    ----------
    attack : str
        Machine name of the attack.
    people : int
        How many could have been found.
    found : float
        How many were found: counted where the truth is known, else how many assignments the
        attack's own probabilities expect to be right.
    low, high : float
        95 % interval of the share found, between 0 and 1.
    by_key : bool
        Whether ``found`` was counted with the truth.
    complete : bool
        Whether the attack could find whom it finds: its search came to an end, and it fits what
        was released. If not, ``found`` is a lower bound.
    exposed : int
        Records that the release shows as they are (not moved, verbatim), or of which the
        adversary is sure.
    caveat : str
        Machine name of why it is not complete: ``cut_off`` where nothing else is said.
    """

    attack: str
    people: int
    found: float
    low: float
    high: float
    by_key: bool
    complete: bool = True
    exposed: int = 0
    caveat: str = "cut_off"

    @classmethod
    def counted(
        cls, attack: str, right: int, people: int, complete: bool = True, exposed: int = 0
    ) -> Evidence:
        """Return what an attack found whose truth is known, with Wilson's interval."""
        return cls(attack, people, float(right), *wilson(right, people), True, complete, exposed)

    def with_caveat(self, caveat: str) -> Evidence:
        """Return the same as a lower bound, and why it is one."""
        return replace(self, complete=False, caveat=caveat)

    @classmethod
    def expected(
        cls, attack: str, probability: np.ndarray, people: int | None = None,
        complete: bool = True, exposed: int | None = None, together: int = 1,
    ) -> Evidence:  # fmt: skip
        """Return what the adversary knows without a key, from calibrated probabilities.

        Parameters
        ----------
        attack : str
        probability : (m,) array
            How probable each assignment is right; NaN where there is none.
        people : int, optional
            How many could have been found; m when left out.
        complete : bool
        exposed : int, optional
            Those of which he is sure (see :data:`SURE`) when left out.
        together : int
            How many assignments may be right or wrong together.

        Notes
        -----
        The interval holds two uncertainties, the wider of which counts at either end: who of
        those assigned is right (Poisson-binomial, normal approximation), and that other people
        could have been in the data (Wilson's interval of the expected share).
        """
        chance = np.clip(np.nan_to_num(np.asarray(probability, dtype=np.float64)), 0.0, 1.0)
        people = len(chance) if people is None else people
        mean = min(float(chance.sum()), float(people))
        low, high = wilson(mean, people)
        if people:
            spread = 1.96 * np.sqrt(together * float((chance * (1 - chance)).sum()))
            low = min(low, max(0.0, mean - spread) / people)
            high = max(high, min(float(people), mean + spread) / people)
        if exposed is None:
            exposed = int(np.count_nonzero(chance >= SURE))
        return cls(attack, people, mean, float(low), float(high), False, complete, exposed)

    @property
    def share(self) -> float:
        """Share of the people found."""
        return self.found / self.people if self.people else 0.0

    @property
    def upper(self) -> float:
        """``high``, or 1 after a cut: nobody knows how many more would have been found."""
        return self.high if self.complete else 1.0


@dataclass(frozen=True)
class Verdict:
    """One answer; made by :func:`judge` or :func:`not_tested`.

    Attributes
    ----------
    decision : str
        One of :data:`DECISIONS`.
    knows, wants : str
        The adversary: machine names of what he has and what he is after.
    evidence : tuple of Evidence
        The worst first; empty where no attack was run.
    limit : float
        The acceptable share of people found.
    """

    decision: str
    knows: str
    wants: str
    evidence: tuple[Evidence, ...] = ()
    limit: float = LIMIT

    @property
    def worst(self) -> Evidence | None:
        """The attack that decides."""
        return self.evidence[0] if self.evidence else None

    @property
    def low(self) -> float | None:
        """Lower end of the risk by the worst attack; None where none was run."""
        return max(one.low for one in self.evidence) if self.evidence else None

    @property
    def high(self) -> float | None:
        """Upper end of the risk by the worst attack; None where none was run."""
        if not self.evidence:
            return None
        return max(one.upper for one in self.evidence)

    @property
    def exposed(self) -> int:
        """Records that the release shows, or of which an adversary is sure."""
        return max((one.exposed for one in self.evidence), default=0)


def not_tested(knows: str, wants: str, limit: float = LIMIT) -> Verdict:
    """Return the only verdict on what no attack was run on."""
    return Verdict(NOT_TESTED, knows, wants, (), limit)


def judge(evidence: Sequence[Evidence], knows: str, wants: str, limit: float = LIMIT) -> Verdict:
    """Hold the worst of the attacks against the limit.

    Parameters
    ----------
    evidence : sequence of Evidence
    knows, wants : str
    limit : float
        The acceptable share of people found, at least 0 and below 1.

    Returns
    -------
    Verdict
        Not to be released where the lower end of an attack's interval is above the limit, or a
        single record is exposed, whatever the average says. To be released with care where
        every attack came to its end and the upper ends of all are within the limit. Else
        nobody can tell.

    Raises
    ------
    InputError
        If the limit is none.
    """
    if not 0 <= limit < 1:
        raise InputError("The acceptable share must be 0 or more, and less than 1.")
    if not evidence:
        return not_tested(knows, wants, limit)
    ranked = sorted(evidence, key=lambda one: (one.upper, one.low, one.found), reverse=True)
    if any(one.exposed or one.low > limit for one in evidence):
        decision = DO_NOT_RELEASE
    elif all(one.people and one.upper <= limit for one in evidence):
        decision = RELEASE_WITH_CARE
    else:
        decision = CANNOT_TELL
    return Verdict(decision, knows, wants, tuple(ranked), float(limit))
