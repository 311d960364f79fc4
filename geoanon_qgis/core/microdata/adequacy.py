# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether a release is adequate: its measures against those of a reference, by distribution.

Lasko & Vinterbo (2010), section II-A.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..runtime.errors import InputError
from ..runtime.wording import Sentence, mark
from .prediction import AMBIGUITY, DISTANCE, MEASURES, UNCERTAINTY, PredictionRisk

#: Verdicts on a measure: not left of the reference by more than the margin; left of it, but
#: by no more than chance explains; left of it.
ADEQUATE, UNDECIDED, INADEQUATE = ("adequate", "undecided", "inadequate")
#: Vertical difference of cumulative distributions that is let pass (section II-A's example).
MARGIN = 0.05
_LEVEL = 0.05


@dataclass(frozen=True)
class Comparison:
    """A measure of the release against the reference.

    Attributes
    ----------
    measure : str
    excess : float
        Largest difference of the cumulative distributions, release less reference: how far
        the release lies to the left; the one-sided Kolmogorov-Smirnov statistic.
    at : float
        Value of the measure at which it is largest.
    margin : float
    p_value : float
        Of an excess as large, were the true one the margin. High is good.
    verdict : str
        ``adequate``, ``undecided`` or ``inadequate``.
    sentence : str
        The verdict in words.
    medians : (float, float)
        Of release and reference.
    """

    measure: str
    excess: float
    at: float
    margin: float
    p_value: float
    verdict: str
    sentence: str
    medians: tuple[float, float]


def one_sided_ks(sample: np.ndarray, reference: np.ndarray) -> tuple[float, float]:
    """Largest excess of one cumulative distribution over another, and where it is.

    Parameters
    ----------
    sample, reference : (n,), (p,) arrays

    Returns
    -------
    excess : float
        max over x of F_sample(x) - F_reference(x), at least 0.
    at : float
    """
    sample, reference = np.sort(sample), np.sort(reference)
    # The excess can be largest only where the sample's distribution steps up.
    above = np.searchsorted(sample, sample, side="right") / len(sample)
    above -= np.searchsorted(reference, sample, side="right") / len(reference)
    at = int(above.argmax())
    return max(float(above[at]), 0.0), float(sample[at])


def ks_p_value(excess: float, n: int, p: int, margin: float = 0.0) -> float:
    """Asymptotic one-sided p-value, exp(-2 d^2 n p / (n + p)), d the excess over the margin.

    With a margin of 0 the classic test. With one, the null hypothesis is that the
    distributions differ by no more than the margin; at the place of the largest excess the
    same bound holds, so the value is a cautious one.
    """
    over = max(excess - margin, 0.0)
    return float(np.exp(-2.0 * over**2 * n * p / (n + p)))


def compare(
    measured: PredictionRisk,
    reference: PredictionRisk,
    margin: float = MARGIN,
    error: float = 0.0,
) -> tuple[Comparison, ...]:
    """Judge each measure: is its distribution left of the reference's by more than a margin?

    Parameters
    ----------
    measured, reference : PredictionRisk
        Of the release, and of the reference sample or of leaving one out.
    margin : float
        Vertical difference of the cumulative distributions that is equivalent in practice,
        0 to 1; the paper's example is 0.05.
    error : float
        How far an excess may be off that of everybody, where a sample was measured.

    Returns
    -------
    tuple of Comparison
        For distance, ambiguity and uncertainty. The tests take the values as independent,
        which those of one table are not quite; the paper does so too. Of uncertainty, which
        neighbours share, only one in k is taken to be.
    """
    if not 0 <= margin < 1:
        raise InputError("The margin is a share of the records: from 0 to below 1.")
    if measured.k != reference.k:
        raise InputError("Release and reference are measured with different neighbourhoods K.")
    return tuple(
        _compare(name, measured[name], reference[name], margin, measured.k, error)
        for name in MEASURES
    )


def beside_strangers(
    found: Comparison,
    measured: PredictionRisk,
    strangers: PredictionRisk,
    error: float = 0.0,
) -> Comparison:
    """Judge a measure that fails once more: does it tell more of the originals than of people who are not in it?

    Parameters
    ----------
    found : Comparison
    measured, strangers : PredictionRisk
        Of originals, and of people of the reference, both against the release.
    error : float
        As in :func:`compare`.

    Returns
    -------
    Comparison
        With the milder verdict. A release may be smooth where records of people come in clusters, so that the
        best match stands out, or in their middle, so that it is near, for everybody alike; the paper compares
        with other records, and not with other people.
    """
    if found.verdict != INADEQUATE:
        return found
    again = _compare(
        found.measure,
        measured[found.measure],
        strangers[found.measure],
        found.margin,
        measured.k,
        error,
    )
    if again.verdict == INADEQUATE:
        return found
    said = {ADEQUATE: _OF_ANYBODY, UNDECIDED: _PERHAPS_OF_ANYBODY}[again.verdict]
    sentence = Sentence(
        said,
        at=found.at,
        more=Sentence("{excess:.1f} percentage points", excess=100 * found.excess),
        again=Sentence("{excess:.1f} percentage points", excess=100 * again.excess),
        margin=100 * found.margin,
    )
    return replace(found, verdict=again.verdict, sentence=sentence)


_OF_ANYBODY = mark(
    "Adequate: the share of records at or below {at:.3g} is {more} higher than with records of other "
    "people. But of people who are not in the release it tells as much: their share is at most "
    "{again} lower ({margin:g} are let pass)."
)
_PERHAPS_OF_ANYBODY = mark(
    "Undecided: the share of records at or below {at:.3g} is {more} higher than with records of other "
    "people. Of people who are not in the release it may tell as much: their share is lower by up to "
    "{again}, of which {margin:g} are let pass and chance may explain the rest."
)
_AS_LITTLE = {
    DISTANCE: Sentence("an attacker gets no closer to the records than"),
    AMBIGUITY: Sentence("the best match stands out no more than"),
    UNCERTAINTY: Sentence("the best matches agree no more than"),
}
_MORE = {
    DISTANCE: Sentence("an attacker gets closer to the records than"),
    AMBIGUITY: Sentence("the best match stands out more than"),
    UNCERTAINTY: Sentence("the best matches agree more than"),
}
#: What a measure that is not adequate means, and what it does not.
_MEANS = {
    DISTANCE: Sentence(
        "Values of these people can be guessed more closely than if they had stayed out of"
        " the release; it does not say that an attacker knows whose guess is a good one."
    ),
    AMBIGUITY: Sentence(
        "An attacker can be surer of a match than with records of other people; it does"
        " not say that the match is right."
    ),
    UNCERTAINTY: Sentence(
        "Whichever of the best matches an attacker takes, he reads much the same; it"
        " does not say how near that is to the truth, which is prediction distance."
    ),
}


def _compare(
    name: str, values: np.ndarray, reference: np.ndarray, margin: float, k: int, error: float
) -> Comparison:
    excess, at = one_sided_ks(values, reference)
    # Who share their nearest records vary alike by these: as many are apart as there are groups of k.
    apart = k if name == UNCERTAINTY else 1
    here, there = (max(1, len(each) // apart) for each in (values, reference))
    p_value = ks_p_value(excess, here, there, margin)
    more = Sentence("{excess:.1f} percentage points", excess=100 * excess)
    chance = "p < 1e-12" if p_value < 1e-12 else f"p = {p_value:.2g}"
    if margin - error < excess <= margin:
        verdict = UNDECIDED
        sentence = Sentence(
            "Undecided: in a sample of the people the share of records at or below {at:.3g} is {more} "
            "higher than with records of other people. Of everybody that may be up to {error:.1f} more, "
            "beyond the {margin:g} that are let pass. WHOLE=true tells.",
            at=at,
            more=more,
            error=100 * error,
            margin=100 * margin,
        )
    elif excess <= margin:
        verdict = ADEQUATE
        sentence = Sentence(
            "Adequate: {as_little} with records of other people (the share of records below "
            "any value is at most {more} higher; {margin:g} are let pass).",
            as_little=_AS_LITTLE[name],
            more=more,
            margin=100 * margin,
        )
    elif p_value >= _LEVEL:
        verdict = UNDECIDED
        sentence = Sentence(
            "Undecided: the share of records at or below {at:.3g} is {more} higher than "
            "with records of other people. That is more than the {margin:g} that are let "
            "pass, but no more than chance explains ({chance}). More records would tell.",
            at=at,
            more=more,
            margin=100 * margin,
            chance=chance,
        )
    else:
        verdict = INADEQUATE
        sentence = Sentence(
            "Not adequate: {so} with records of other people. The share of records at or "
            "below {at:.3g} is {more} higher, {excess:.1f} beyond the {margin:g} that are "
            "let pass ({chance}). {means}",
            so=_MORE[name],
            at=at,
            more=more,
            excess=100 * (excess - margin),
            margin=100 * margin,
            chance=chance,
            means=_MEANS[name],
        )
    medians = (float(np.median(values)), float(np.median(reference)))
    return Comparison(name, excess, at, margin, p_value, verdict, sentence, medians)
