# SPDX-License-Identifier: GPL-2.0-or-later
"""The engine's verdicts in words, for the report's first box, the log, and the number outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..core import verdict as engine
from ..core.verdict import Evidence, Verdict
from ..report import Decision
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

#: What each attack is called.
ATTACKS = {
    "voronoi_reversal": mark("Reversal of the Voronoi mask"),
    "posterior_place": mark("Posterior of the places (who lives there?)"),
    "posterior_record": mark("Posterior of the records (which record is hers?)"),
    "clique_linkage": mark("Linkage by distances (clique)"),
    "likelihood_linkage": mark("Linkage by distances (likelihood)"),
    "near_group_linkage": mark("Linkage by distances (near group)"),
    "signature_linkage": mark("Linkage by distances (signatures)"),
    "local_maps_linkage": mark("Linkage by distances (maps of neighbourhoods)"),
    "all_linkage": mark("Linkage by distances (all attacks together)"),
    "labels_alone": mark("Linkage by attributes alone, without distances"),
    "quasi_identifiers": mark("Look-up by quasi-identifiers"),
    "differencing": mark("Subtraction of an earlier release"),
    "nearest_records": mark("Search for nearest records"),
    "verbatim_records": mark("Search for records that were copied"),
}
#: What the adversary has; each ends the sentence "An adversary who …".
KNOWS = {
    "address_list": mark("has a list of all possible places (an address file, all buildings)"),
    "member": mark("has that list, knows that a person is in the data, and knows where she lives"),
    "address_list_or_member": mark(
        "has a list of all possible places, or knows besides that a person is in the data and "
        "where she lives"
    ),
    "file_with_places": mark("has another file with the places of some of the people"),
    "file_with_places_and_links": mark(
        "has another file with the places of some of the people, and knows the records of a few"
    ),
    "quasi_identifiers": mark("knows what the quasi-identifiers of a person are"),
    "original_values": mark("knows some of the original values of a person"),
    "whole_record": mark("knows everything that the original says of a person (the worst case)"),
    "group": mark("knows which group of people a person is counted in"),
}
#: What he is after.
WANTS = {
    "whose_place": mark("wants to know where a person lives"),
    "which_record": mark("wants to know which record belongs to a person"),
    "place_or_record": mark("wants to know where a person lives, or which record belongs to her"),
    "attribute": mark("wants to learn something about a person"),
}
#: Why an attack may find more than it did.
CAVEATS = {
    "cut_off": mark("The search was cut off, so that more may be found."),
    "coarse": mark(
        "The coordinates are too coarse for this attack to tell, so that another one may find more."
    ),
    "other_mask": mark(
        "This attack does not fit the release, which was masked in another way or is of other "
        "places: one that fits may find more."
    ),
    "nothing_compared": mark(
        "Nothing could be compared by distances, so that this says nothing of the release."
    ),
    "held_back": mark(
        "A high least confidence held the attack back, so that it names fewer people than it could."
    ),
    "one_method": mark(
        "The near group and signatures (of ISGP: maps) were not both run, and one attack by "
        "distances finds people whom another does not."
    ),
    "no_key": mark(
        "How many people are in both files is not known without the key, so that the share may be "
        "any higher one."
    ),
    "nobody_common": mark("By the key nobody is in both files, so that nobody could be found."),
    "list_incomplete": mark(
        "The list of places lacks some, so that a more complete one finds more."
    ),
    "crowded": mark(
        "Places with several records tell of addresses where many live; that was not weighed, and "
        "who weighs it finds more."
    ),
    "unproven": mark(
        "Nothing shows that the mask file is that of these points: one that is may find more. "
        "Attack the file as it was written, or give the key."
    ),
    "one_adversary": mark(
        "Who knows that a person is in the data was not tried, and he finds more where the data "
        "are of a small part of all people."
    ),
    "undecided": mark("There are too few records to decide by all of its measures."),
    "few_draws": mark("There are too few draws to say how many of his claims are right."),
    "by_chance": mark("More records are the same than among other people, but perhaps by chance."),
    "attributes": mark(
        "Attributes are released beside the quasi-identifiers by which people can be found: "
        "whoever knows them finds more."
    ),
}
_BELIEVED = mark(
    "He has reason to believe it: more of them are right than the quarter that is held acceptable "
    "(hiding among four), or accident does not make so many."
)
_BEYOND = mark("What was limited is not kept, of the records that the limit is on.")
#: What it means that the release fails an attack's own rule.
FAILED = {
    "posterior_place": _BEYOND,
    "posterior_record": _BEYOND,
    "clique_linkage": _BELIEVED,
    "likelihood_linkage": _BELIEVED,
    "near_group_linkage": _BELIEVED,
    "signature_linkage": _BELIEVED,
    "local_maps_linkage": _BELIEVED,
    "all_linkage": _BELIEVED,
    "quasi_identifiers": mark("Some share their values with fewer others than was asked for (k)."),
    "differencing": mark(
        "Classes of fewer than were asked for (k) can be computed from the two releases."
    ),
    "nearest_records": mark(
        "By its measures the release tells more about these people than records of other people "
        "would."
    ),
    "verbatim_records": mark("That is more than records of other people explain."),
}
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
                tr("An adversary who {knows} and {wants}.").format(
                    knows=tr(KNOWS[verdict.knows]), wants=tr(WANTS[verdict.wants])
                ),
            )
        ]
        rows += [(tr(ATTACKS[one.attack]), _found(one)) for one in verdict.evidence]
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
                }
                for one in verdict.evidence
            ],
            "not_run": list(self.not_run),
            "next": list(self.steps),
        }


def _number(value: float) -> float | None:
    return None if value != value else value


def _found(one: Evidence) -> str:
    said = [_share_found(one)]
    if one.smallest:
        said.append(
            tr("The fewest that agree in all quasi-identifiers are {smallest:,} (k).").format(
                smallest=one.smallest
            )
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
    if one.exposed == 1:
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
    if one.is_exact:
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
