# SPDX-License-Identifier: GPL-2.0-or-later
"""The report on equivalence classes: what to group, sensitive fields, the population."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.aggregation.population_uniques import (
    PITMAN,
    POISSON_INVERSE_GAUSSIAN,
    PopulationUniques,
)
from ...core.aggregation.sensitive_values import SensitiveValues
from ...report import Reference, col
from .. import literature
from ..families.coarsening import Told
from ..i18n import mark, number_of, tr
from .common import PrivatePage

#: Forms that the report lists; PROPOSALS has all.
_LISTED = 30
#: Letters of an expression that it shows.
_SHOWN = 160


@dataclass(frozen=True)
class Proposed:
    """What coarser fields would do: each form by itself, and several together.

    Attributes
    ----------
    alone, frontier : list of Told
    is_best : bool
        Whether all combinations were counted.
    """

    alone: list[Told]
    frontier: list[Told]
    is_best: bool


_MODELS = {
    PITMAN: mark("Pitman's sampling formula (Hoshino 2001)"),
    POISSON_INVERSE_GAUSSIAN: mark("Poisson-inverse Gaussian (Carlson 2002)"),
}


# --- what could be grouped ------------------------------------------------------------------------


def proposal_rows(proposed: Proposed) -> list[tuple]:
    """Rows of PROPOSALS, one for each form of each proposal."""
    steps = [(0, one) for one in proposed.alone] + list(enumerate(proposed.frontier, 1))
    return [
        (
            step,
            form.field,
            form.how,
            form.expression or None,
            one.proposal.uniques,
            one.proposal.small,
            one.proposal.smallest,
            one.proposal.classes,
            one.proposal.kept,
        )
        for step, one in steps
        for form in one.forms
    ]


def grouping_step(proposed: Proposed, k: int) -> str:
    """What the frontier comes to, in a sentence."""
    last = proposed.frontier[-1]
    return tr(
        "Group the values ({forms}): unique records are then {uniques:,}, and in classes of fewer "
        "than {k} are {small:,}. The report and PROPOSALS have the expressions, and smaller steps. "
        "With area ids among the fields, aggregate the areas instead (geoanon:vbas)."
    ).format(forms=last, uniques=last.proposal.uniques, small=last.proposal.small, k=k)


def proposals(page: PrivatePage, proposed: Proposed, k: int, uniques: int, small: int) -> None:
    """Tell what each coarser form would do, and what together, with a picture."""
    alone, frontier = proposed.alone, proposed.frontier
    if not frontier:
        return
    page.say(
        tr("Coarser values leave more people alike."),
        tr(
            "Each row keeps most detail of all combinations of the forms below that leave no more "
            "records in small classes."
        )
        if proposed.is_best
        else tr(
            "There are too many combinations of forms to count all. The rows are steps of a search "
            "that takes the form that frees most records for the detail that it costs; another "
            "order may be better."
        ),
        tr(
            "To apply a row, run “Refactor fields” with its expressions in the place of the fields, "
            "and count again."
        ),
    )
    detail = [100.0, *(100 * one.proposal.kept for one in frontier)]
    page.lines(
        "frontier",
        tr("What is left of small classes for the detail that is kept"),
        [
            (
                tr("in small classes"),
                detail,
                [small, *(one.proposal.small for one in frontier)],
            ),
            (tr("unique records"), detail, [uniques, *(one.proposal.uniques for one in frontier)]),
        ],
        tr("Detail kept (entropy of the fields)"),
        tr("Records"),
        x_unit="%",
        caption=tr("Every corner is a row of the table; on the right the fields as they are."),
    )
    caption = tr("Fields together, from least to most that is given up.")
    _table(page, "frontier_table", caption, frontier, k)
    order = sorted(alone, key=lambda one: (one.proposal.small, -one.proposal.kept))
    caption = tr("Each form by itself, the other fields as they are: {shown:,} of {all:,}.").format(
        shown=min(_LISTED, len(order)), all=len(order)
    )
    _table(page, "alone_table", caption, order[:_LISTED], k)


def _table(page, name: str, caption: str, items: Sequence[Told], k: int) -> None:
    page.table(
        name,
        [
            col("forms", tr("Coarser forms"), str, numeric=False),
            col("uniques", tr("Unique records then"), lambda one: one.proposal.uniques),
            col(
                "small",
                tr("Records in classes of fewer than {k} then").format(k=k),
                lambda one: one.proposal.small,
            ),
            col("k_anonymity", tr("Smallest class then"), lambda one: one.proposal.smallest),
            col(
                "kept", tr("Detail kept"), lambda one: 100 * one.proposal.kept, unit="%", decimals=1
            ),
            col("expressions", tr("Expressions"), _expressions, numeric=False),
        ],
        items,
        caption,
    )


def _expressions(one: Told) -> str:
    said = []
    for form in one.forms:
        text = form.expression or tr("(leave the field out)")
        if len(text) > _SHOWN:
            text = tr("{start}… (whole in PROPOSALS)").format(start=text[:_SHOWN])
        said.append(f"{form.field}: {text}")
    return "; ".join(said)


# --- sensitive fields -------------------------------------------------------------------------------


def sensitive_sentence(one: SensitiveValues) -> str:
    """What the log says of a sensitive field."""
    return tr(
        "{name}: at least {least:,} different values in a class (l; by entropy {effective:.2f}), at "
        "most {farthest:.3f} from the whole table (t). {shared} the value that all of their class "
        "have."
    ).format(
        name=one.name,
        least=one.least_distinct,
        effective=one.least_effective,
        farthest=one.farthest,
        shared=number_of(one.shared, "record has", "records have"),
    )


def sensitive(page: PrivatePage, found: Sequence[SensitiveValues]) -> None:
    """Tell of each sensitive field what classes give away."""
    if not found:
        return
    page.say(
        tr(
            "Who knows that a person is in a class learns what all of it have in common, without "
            "knowing which record is hers. Guessing the most frequent value of the class shows how "
            "much better the class tells than the whole table."
        )
    )
    page.table(
        "sensitive_table",
        [
            col("field", tr("Sensitive field"), "name", numeric=False),
            col("least", tr("Fewest different values in a class (l)"), "least_distinct"),
            col("effective", tr("The same by entropy"), "least_effective", decimals=2),
            col("farthest", tr("Farthest class from the whole table (t)"), "farthest", decimals=3),
            col("shared", tr("Records whose class all have their value"), "shared"),
            col(
                "guessed",
                tr("Guessed rightly by class"),
                lambda one: 100 * one.guessed,
                unit="%",
                decimals=1,
            ),
            col(
                "commonest",
                tr("Guessed rightly without"),
                lambda one: 100 * one.commonest,
                unit="%",
                decimals=1,
            ),
        ],
        found,
    )
    page.ecdf(
        "closeness",
        tr("How far classes are from the whole table"),
        {one.name: one.distance[one.filled] for one in found},
        tr("Distance (t)"),
        tr("Share of classes"),
        caption=tr("Far on the right are classes that tell much. Small classes are far by chance."),
    )


# --- the population ---------------------------------------------------------------------------------


def population_sentence(found: PopulationUniques) -> str:
    """What the log says of the population."""
    shares = [one.share for one in found.estimates]
    if any(share != share for share in shares):
        return tr(
            "How many unique records are unique in the population cannot be estimated: none of the "
            "records is unique, or all are."
        )
    return tr(
        "Of the {uniques:,} unique records between {low:.1f} and {high:.1f} % are estimated to be "
        "unique in the population, too; who agrees with one of them, and with no other, is that "
        "person with a chance of {matched:.1f} %."
    ).format(
        uniques=found.uniques,
        low=100 * min(shares),
        high=100 * max(shares),
        matched=100 * found.matched,
    )


def population(page: PrivatePage, found: PopulationUniques | None) -> None:
    """Tell of uniques in the population."""
    if found is None:
        return
    page.say(population_sentence(found))
    if found.matched == found.matched:
        page.figure(
            "matched",
            tr("Chance that a match with a unique record is right"),
            100 * found.matched,
            tr(
                "Of all people in the population who agree with one unique record, so many are the "
                "person whose record it is (Skinner and Elliot). It needs no model."
            ),
            unit="%",
            decimals=1,
        )
    page.table(
        "population_table",
        [
            col("model", tr("Model"), lambda one: tr(_MODELS[one.model]), numeric=False),
            col(
                "share",
                tr("Unique records that are unique in the population"),
                lambda one: None if one.share != one.share else 100 * one.share,
                unit="%",
                decimals=1,
            ),
            col(
                "uniques",
                tr("Unique people in the population"),
                lambda one: None if one.uniques != one.uniques else round(one.uniques),
            ),
        ],
        found.estimates,
        tr(
            "By what is in the table: {share:.3g} % of the population, everybody with the same "
            "chance. What the models disagree by shows how much hangs on them; it is no interval."
        ).format(share=100 * found.fraction),
    )
    page.notice(
        tr(
            "This is about who does not know that a person is in the table. The verdict above is "
            "about who knows it, and stays."
        )
    )


def numbers(found: Sequence[SensitiveValues], people: PopulationUniques | None) -> dict[str, float]:
    """The number outputs of both, of what there is."""
    told: dict[str, float] = {}
    if found:
        told["LEAST_VALUES"] = min(one.least_distinct for one in found)
        told["FARTHEST"] = max(one.farthest for one in found)
        told["SHARED"] = max(one.shared for one in found)
    if people is not None:
        shares = [one.share for one in people.estimates]
        told["POPULATION_UNIQUES_LOW"] = min(shares)
        told["POPULATION_UNIQUES_HIGH"] = max(shares)
        told["MATCHED"] = people.matched
    return told


def method(found: Sequence[SensitiveValues], people: PopulationUniques | None) -> str:
    """How it was computed."""
    said = []
    if found:
        said.append(
            tr(
                "Of sensitive fields the records with a value count. t is the earth mover's "
                "distance: half the sum of the differences of the shares of categories; of numbers "
                "and dates the mean difference of the cumulative shares over the steps between the "
                "values that occur."
            )
        )
    if people is not None:
        said.append(
            tr(
                "Both models are fitted to the sizes of the classes by maximum likelihood; the "
                "chance of a match is f·u / (f·u + 2·(1 − f)·p), with f the share of the population, "
                "u the unique records and p the classes of two."
            )
        )
    return " ".join(said)


def sources(found: Sequence[SensitiveValues], people: PopulationUniques | None) -> list[Reference]:
    """The literature of what was done."""
    named: list[Reference] = [literature.GIONIS_TASSA]
    if found:
        named += [literature.MACHANAVAJJHALA, literature.LI_CLOSENESS]
    if people is not None:
        named += [literature.HOSHINO, literature.CARLSON, literature.SKINNER_ELLIOT]
    return named
