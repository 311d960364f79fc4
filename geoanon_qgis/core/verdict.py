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
from .runtime.errors import InputError

#: The decisions. Care: held against every attack that was run, within the limit, for the
#: adversary named. Not tested: no attack was run. Cannot tell: too few people, a search that was
#: cut off, an interval that spans the limit.
DO_NOT_RELEASE, RELEASE_WITH_CARE = "do_not_release", "release_with_care"
NOT_TESTED, CANNOT_TELL = "not_tested", "cannot_tell"
DECISIONS = (DO_NOT_RELEASE, RELEASE_WITH_CARE, NOT_TESTED, CANNOT_TELL)

#: Share of people found that is acceptable where nobody says otherwise: the threshold of the
#: European Medicines Agency for published data (External guidance on the implementation of
#: policy 0070, 2018, section 5.4), taken at its word. It is often explained as a cell of eleven,
#: but 1/11 is 0.0909: a class of eleven is refused, one of twelve is not.
LIMIT = 0.09
#: A probability from which on the adversary is sure of a record.
SURE = 0.95


@dataclass(frozen=True)
class Evidence:
    """What one attack found; made by a class method.

    Attributes
    ----------
    attack : str
    people : int
        How many could have been found.
    found : float
        How many were found: counted where the truth is known, else how many assignments the
        attack's own probabilities expect to be right. NaN where nobody can say.
    low, high : float
        95 % interval of the share found, between 0 and 1. The share itself where it is exact;
        NaN where there is none.
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
    failed : bool
        Whether the release fails a rule of the attack's own, whatever the share.
    smallest : int
        Of a look-up: the fewest records that nobody can tell apart, which is the k of
        k-anonymity. 0 for other attacks.
    withheld : int
        Of a look-up: records that are not released for it.
    claims : int or None
        How many assignments the adversary claims, where he does not assign everybody.
    undecided : bool
        Whether a rule of the attack's own may be kept or not: the interval spans it.
    rates : (float, float, float) or None
        Shares of its attempts that were right: of all, on people not in the file, and blindly.
    is_ruling : bool
        Whether it compares distributions, which find nobody: no share is missing.
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
    failed: bool = False
    smallest: int = 0
    withheld: int = 0
    claims: int | None = None
    undecided: bool = False
    rates: tuple[float, float, float] | None = None
    is_ruling: bool = False

    @classmethod
    def counted(
        cls, attack: str, right: float, people: int, complete: bool = True, exposed: int = 0
    ) -> Evidence:
        """Return what an attack found whose truth is known, with Wilson's interval."""
        return cls(attack, people, float(right), *wilson(right, people), True, complete, exposed)

    def with_caveat(self, caveat: str) -> Evidence:
        """Return the same as a lower bound, and why it is one."""
        return replace(self, complete=False, caveat=caveat)

    def with_claims(self, claims: int, failed: bool) -> Evidence:
        """Return the same with how many he claims, and whether he has reason to believe it."""
        return replace(self, claims=int(claims), failed=bool(failed))

    @classmethod
    def expected(
        cls,
        attack: str,
        probability: np.ndarray,
        people: int | None = None,
        complete: bool = True,
        exposed: int | None = None,
        together: int = 1,
    ) -> Evidence:
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

    @classmethod
    def looked_up(cls, sizes: np.ndarray, k: int, withheld: int = 0) -> Evidence:
        """Return whom an adversary finds who looks people up by their quasi-identifiers.

        Parameters
        ----------
        sizes : (classes,) int array
            How many of the released records agree in all quasi-identifiers, for each class of
            them; none is 0.
        k : int
            The fewest that the custodian asks for; in smaller classes the release fails.
        withheld : int
            Records that were left out for it.

        Notes
        -----
        He knows that a person is in the release (the prosecutor, the worst case), and takes one
        of the s records of her class: she is found with a probability of 1 / s, so that of all
        people as many are expected to be found as there are classes. Who is alone is exposed.

        ``low`` and ``high`` are that share. Every record that is released was counted, not a
        sample of them, and the expectation over his choice is exact: there is nothing that an
        interval would cover, for the release that is decided on. For another release, of other
        people, it says nothing.
        """
        sizes = np.asarray(sizes)
        people, classes = int(sizes.sum()), len(sizes)
        share = classes / people if people else 0.0
        smallest = int(sizes.min()) if classes else 0
        return cls(
            "quasi_identifiers",
            people,
            float(classes),
            share,
            share if people else 1.0,
            False,
            exposed=int(np.count_nonzero(sizes == 1)),
            failed=0 < smallest < k,
            smallest=smallest,
            withheld=withheld,
        )

    @classmethod
    def without_share(cls, attack: str, people: int, failed: bool) -> Evidence:
        """Return the ruling of an attack that cannot say how many people it finds."""
        nobody_knows = float("nan")
        return cls(attack, people, nobody_knows, nobody_knows, nobody_knows, False, failed=failed)

    @classmethod
    def repeated(cls, attack: str, shares: np.ndarray, people: int) -> Evidence:
        """Return what an attack found that was repeated on releases of the same people.

        Parameters
        ----------
        attack : str
        shares : (repeats,) array
            Share of the people found in each.
        people : int
        """
        shares = np.asarray(shares, dtype=np.float64)
        count = len(shares)
        error = float(shares.std(ddof=1) / np.sqrt(count)) if count > 1 else None
        return cls.averaged(attack, float(shares.mean()) if count else 0.0, error, count, people)

    @classmethod
    def averaged(
        cls, attack: str, share: float, error: float | None, repeats: int, people: int
    ) -> Evidence:
        """Return the same from the mean share, its standard error and the number of repetitions.

        Notes
        -----
        Two uncertainties add up in the interval: that other people could have been in the data
        (Wilson's interval of the mean share, with the people for its number however often they
        were attacked), and that other releases could have been made (Student's t over the
        repetitions; of one alone nothing is known).
        """
        low, high = wilson(share * people, people)
        spread = 0.0
        if repeats > 1 and error is not None and error == error:
            from scipy.stats import t

            spread = float(t.ppf(0.975, repeats - 1)) * error
        low = max(0.0, share - float(np.hypot(share - low, spread)))
        high = min(1.0, share + float(np.hypot(high - share, spread)))
        return cls(attack, people, share * people, low, high, True)

    @property
    def has_share(self) -> bool:
        """Whether it says how many people are found."""
        return not np.isnan(self.found)

    @property
    def is_exact(self) -> bool:
        """Whether the share is known without an interval."""
        return self.people > 0 and self.low == self.high

    @property
    def share(self) -> float:
        """Share of the people found."""
        return self.found / self.people if self.people else 0.0

    @property
    def upper(self) -> float:
        """``high``, or 1 after a cut: nobody knows how many more would have been found."""
        return self.high if self.complete else 1.0


_TITLES = {
    DO_NOT_RELEASE: "do not release this",
    RELEASE_WITH_CARE: "it held and may be released with care",
    NOT_TESTED: "not tested, do not release this yet",
    CANNOT_TELL: "nobody can tell, do not release this yet",
}
#: What to run on what was not tested, by what the adversary knows.
_TO_RUN = {
    "address_list": "attack() with a list of the places where the people can be",
    "file_with_places": "link() with people whose places are known",
    "file_with_places_and_links": "link() with people whose places are known",
    "file_with_places_and_releases": "link() with people whose places are known",
    "file_with_places_links_and_releases": "link() with people whose places are known",
    "original_values": "measure() with the original table",
}


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
        """Lower end of the risk by the worst attack that has a share; None without one."""
        return max((one.low for one in self.evidence if one.has_share), default=None)

    @property
    def high(self) -> float | None:
        """Upper end of the risk by the worst attack.

        None where no attack was run, or one has no share (but a ruling): it may find more.
        """
        uppers = [one.upper for one in self.evidence if not (one.is_ruling and one.complete)]
        if not uppers or np.isnan(uppers).any():
            return None
        return max(uppers)

    @property
    def exposed(self) -> int:
        """Records that the release shows, or of which an adversary is sure."""
        return max((one.exposed for one in self.evidence), default=0)

    def __str__(self) -> str:
        """Say it in a few lines, as the last ones of a summary."""
        said = [f"Verdict: {_TITLES[self.decision]}."]
        if not self.evidence:
            run = _TO_RUN.get(self.knows)
            said.append("No attack was run on it" + (f"; run {run}." if run else "."))
        for one in self.evidence:
            said.append(_in_words(one, self.limit))
        return "\n".join(said)


def _in_words(one: Evidence, limit: float) -> str:
    name = one.attack.replace("_", " ")
    if one.has_share:
        said = f"By {name} {one.share:.1%} of {one.people:,} people are found"
        if not one.is_exact:
            said += f" (95 % interval {one.low:.1%} to {one.high:.1%})"
        said += f"; up to {limit:.1%} is acceptable."
    else:
        said = f"By {name} it {'fails' if one.failed else 'does not fail'}; it says no share."
    if one.exposed:
        said += f" Shown, or found beyond doubt: {one.exposed:,}."
    return said if one.complete else f"{said} More may be found."


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
        single record is exposed, whatever the average says, or it fails a rule of an attack's
        own. To be released with care where every attack came to its end and the upper ends of
        all that have a share are within the limit, and no rule is undecided. Else nobody can tell.

    Raises
    ------
    InputError
        If the limit is none.
    """
    if not 0 <= limit < 1:
        raise InputError("The acceptable share must be 0 or more, and less than 1.")
    if not evidence:
        return not_tested(knows, wants, limit)
    ranked = sorted(evidence, key=_how_bad, reverse=True)
    if any(one.exposed or one.failed or one.low > limit for one in evidence):
        decision = DO_NOT_RELEASE
    elif all(one.people and _is_within(one, limit) for one in evidence):
        decision = RELEASE_WITH_CARE
    else:
        decision = CANNOT_TELL
    return Verdict(decision, knows, wants, tuple(ranked), float(limit))


def _is_within(one: Evidence, limit: float) -> bool:
    if one.undecided:
        return False
    return one.complete if not one.has_share else one.upper <= limit


def _how_bad(one: Evidence) -> tuple:
    """What failed is worst; what has no share is the last of the others."""
    figures = np.nan_to_num((one.upper, one.low, one.found), nan=-1.0)
    return (one.failed, *figures.tolist())
