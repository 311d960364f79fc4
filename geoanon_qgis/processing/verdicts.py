# SPDX-License-Identifier: GPL-2.0-or-later
"""The engine's verdicts in words, for the report's first box, the log, and the number outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..core import verdict as engine
from ..core.aggregation.sensitive_values import SENSITIVE
from ..core.aggregation.suppression import SUPPRESSED
from ..core.verdict import Evidence, Verdict
from ..report import Decision
from .adversaries import ATTACKS, CAVEATS, FAILED, KNOWS, SHOWN_IN_PART, WANTS
from .dialog import parameters
from .dialog.declaration import Value
from .i18n import mark, number_of, tr

#: Parameter with the limit that a verdict is held against.
ACCEPTABLE = "ACCEPTABLE"
#: Outputs of a verdict, for what an algorithm declares.
OUTPUTS = (
    Value(
        "DECISION",
        mark("Decision"),
        mark(
            "The verdict: do_not_release, release_with_care (it held against every attack that was "
            "run), not_tested (no attack was run) or cannot_tell."
        ),
        is_text=True,
    ),
    Value(
        "RISK_LOW",
        mark("Share of people found, lower end"),
        mark(
            "Lower end of the 95 % interval of the share of people found, by the worst attack; "
            "empty where none was run."
        ),
    ),
    Value(
        "RISK_HIGH",
        mark("Share of people found, upper end"),
        mark(
            "Upper end of that interval; 1 where a search was cut off. It is held against the limit."
        ),
    ),
    Value("LIMIT", mark("Limit"), mark("The acceptable share of people found.")),
)

#: What it means that a rule of an attack's own may be kept or not.
_SPANS = mark(
    "Whether what was limited is kept cannot be told of so few: the interval of the share of records "
    "above the limit spans what is allowed."
)
#: How each decision is shown and titled, and what it means.
_DECISIONS = {
    engine.DO_NOT_RELEASE: (
        "danger",
        mark("Do not release this"),
        mark("People can be found in it, more of them or more surely than is acceptable."),
    ),
    engine.RELEASE_WITH_CARE: (
        "good",
        mark("It held: may be released with care"),
        mark(
            "It held against every attack that was run here, for the adversary named below. Nobody "
            "can show that no other attack finds more."
        ),
    ),
    engine.NOT_TESTED: (
        "warning",
        mark("Not tested: do not release this yet"),
        mark("No attack was run on it, so nobody knows whether people can be found in it."),
    ),
    engine.CANNOT_TELL: (
        "warning",
        mark("Nobody can tell: do not release this yet"),
        mark(
            "The attacks do not show whether the share of people found is acceptable: there are "
            "too few people, a search was cut off, or the interval spans the limit."
        ),
    ),
}


def limit():
    """Return the parameter with the limit of a verdict, for what runs attacks."""
    return parameters.number(
        ACCEPTABLE,
        tr("Acceptable share of people found"),
        tr(
            "Up to this share of the people (0 to 1) an attack may find before the verdict is “do "
            "not release”. 0.09 is the threshold of the European Medicines Agency for published "
            "data. A single person who is found beyond doubt is too many."
        ),
        engine.LIMIT,
        minimum=0.0,
        maximum=0.99,
        optional=True,
        advanced=True,
    )


def senseless(limit: float) -> str | None:
    """Return the sentence on a limit that nothing or everything keeps; None on any other."""
    if 0 < limit < 1:
        return None
    return tr(
        "The limit (ACCEPTABLE) must be above 0 and below 1: at 0 nothing can be released, and "
        "at 1 everything."
    )


def decision_title(decision: str) -> str:
    """Return a decision in words."""
    return tr(_DECISIONS[decision][1])


@dataclass(frozen=True)
class Told:
    """A verdict with what to do next, and what was not run: sentences, already translated."""

    verdict: Verdict
    steps: Sequence[str] = ()
    not_run: Sequence[str] = ()

    def box(self) -> Decision:
        """Return the first box of the report."""
        kind, title, meaning = _DECISIONS[self.verdict.decision]
        return Decision(
            self.verdict.decision, kind, tr(title), tr(meaning), self._rows(), self._data()
        )

    def lines(self) -> list[str]:
        """Return the last lines of the log."""
        _, title, meaning = _DECISIONS[self.verdict.decision]
        rows = (f"{label}: {text}" for label, text in self._rows())
        return [f"{tr(title)}. {tr(meaning)}", *rows]

    def numbers(self) -> dict[str, Any]:
        """Return the outputs that a model can branch on."""
        return {
            "DECISION": self.verdict.decision,
            "RISK_LOW": self.verdict.low,
            "RISK_HIGH": self.verdict.high,
            "LIMIT": self.verdict.limit,
        }

    @property
    def holds(self) -> bool:
        """Whether nothing needs a warning."""
        return self.verdict.decision == engine.RELEASE_WITH_CARE

    def _rows(self) -> list[tuple[str, str]]:
        verdict = self.verdict
        rows = [
            (
                tr("Against whom"),
                tr("An adversary who {knows}, and who {wants}.").format(
                    knows=tr(KNOWS[verdict.knows]), wants=tr(WANTS[verdict.wants])
                ),
            )
        ]
        rows += [(tr(ATTACKS[one.attack]), _found(one, verdict.limit)) for one in verdict.evidence]
        rows += [(tr("Not run"), sentence) for sentence in self.not_run]
        rows.append(
            (
                tr("Acceptable"),
                tr("At most {limit:.3g} % of the people found, and nobody surely.").format(
                    limit=100 * verdict.limit
                ),
            )
        )
        return rows + [(tr("What to do next"), step) for step in self.steps]

    def _data(self) -> dict[str, Any]:
        verdict = self.verdict
        return {
            "decision": verdict.decision,
            "adversary": {"knows": verdict.knows, "wants": verdict.wants},
            "limit": verdict.limit,
            "risk_low": verdict.low,
            "risk_high": verdict.high,
            "evidence": [
                {
                    "attack": one.attack,
                    "people": one.people,
                    "found": _number(one.found),
                    "share": _number(one.share),
                    "low": _number(one.low),
                    "high": _number(one.high),
                    "by_key": one.by_key,
                    "complete": one.complete,
                    "caveat": "" if one.complete else one.caveat,
                    "exposed": one.exposed,
                    "failed": one.failed,
                    **({"undecided": True} if one.undecided else {}),
                    "smallest": one.smallest,
                    "withheld": one.withheld,
                    "claims": one.claims,
                    **(dict(zip(("right", "control", "baseline"), one.rates or ()))),
                }
                for one in verdict.evidence
            ],
            "not_run": list(self.not_run),
            "next": list(self.steps),
        }


def _number(value: float) -> float | None:
    return None if value != value else value


def _found(one: Evidence, limit: float) -> str:
    said = [_share_found(one)]
    if one.smallest:
        said.append(
            tr("The fewest that agree in all quasi-identifiers are {smallest:,} (k).").format(
                smallest=one.smallest
            )
        )
        if one.share <= limit < 1 / one.smallest:
            said.append(
                tr(
                    "Each of those is found with {chance:.3g} %: the limit holds on average, not for "
                    "every person."
                ).format(chance=100 / one.smallest)
            )
    if one.withheld == 1:
        said.append(tr("One record was left out so that this holds."))
    elif one.withheld:
        said.append(
            tr("{records} left out so that this holds.").format(
                records=number_of(one.withheld, "record was", "records were")
            )
        )
    if one.claims is not None:
        said.append(
            tr("He names or guesses at {claims}.").format(
                claims=number_of(one.claims, "person", "people")
            )
        )
    if one.failed:
        said.append(tr(FAILED[one.attack]))
    if one.undecided:
        said.append(tr(_SPANS))
    if one.exposed and one.attack in SHOWN_IN_PART:
        people = number_of(one.exposed, "person", "people")
        said.append(tr(SHOWN_IN_PART[one.attack]).format(people=people))
    elif one.exposed == 1:
        said.append(tr("One record is shown as it is, or found beyond doubt."))
    elif one.exposed:
        said.append(
            tr("{records} shown as they are, or found beyond doubt.").format(
                records=number_of(one.exposed, "record is", "records are")
            )
        )
    if not one.complete:
        said.append(tr(CAVEATS[one.caveat]))
    return " ".join(said)


def _share_found(one: Evidence) -> str:
    """How many people it finds, and how sure that is."""
    if not one.people:
        return tr("There is nobody to be found.")
    people = number_of(one.people, "person", "people")
    if not one.has_share:
        return tr(
            "How many of {people} are found cannot be said: it is not known which record belongs "
            "to whom."
        ).format(people=people)
    if one.rates is not None:
        right, control, blind = (100 * rate for rate in one.rates)
        return tr(
            "Right in {right:.1f} % of the attempts on people of the file, in {control:.1f} % on "
            "people who are not in it, in {blind:.1f} % blindly. Found beyond these: {share:.1f} % "
            "of {people}; with 95 % confidence between {low:.1f} and {high:.1f} %."
        ).format(
            right=right,
            control=control,
            blind=blind,
            share=100 * one.share,
            people=people,
            low=100 * one.low,
            high=100 * one.high,
        )
    if one.attack == SENSITIVE:
        said = tr(
            "{found:,.0f} of {people} are in classes that tell more of a sensitive field than was "
            "allowed: {share:.1f} %. All records were counted, so that there is nothing to estimate."
        )
    elif one.attack == SUPPRESSED:
        said = tr(
            "{found:,.0f} of {people} count as found, one for each small number that can be worked out, or "
            "told to be small: {share:.1f} %. All that is published was looked at together, so that there "
            "is nothing to estimate."
        )
    elif one.is_exact:
        said = tr(
            "{found:,.0f} of {people} are found on average by whoever takes one of the records "
            "that fit: {share:.1f} %. All records were counted, so that there is nothing to "
            "estimate."
        )
    elif one.by_key:
        said = tr(
            "{found:,.0f} of {people} were found: {share:.1f} %; with 95 % confidence between "
            "{low:.1f} and {high:.1f} % in data of this kind."
        )
    else:
        said = tr(
            "Without any key {found:,.1f} of {people} can be expected to be found: {share:.1f} %; "
            "with 95 % confidence between {low:.1f} and {high:.1f} %."
        )
    return said.format(
        found=one.found,
        people=people,
        share=100 * one.share,
        low=100 * one.low,
        high=100 * one.high,
    )
