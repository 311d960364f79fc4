# SPDX-License-Identifier: GPL-2.0-or-later
"""The report on equivalence classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.aggregation.equivalence_classes import EquivalenceClasses, classes_of, entropy
from ...core.aggregation.people import People
from ...core.aggregation.population_uniques import PopulationUniques
from ...core.aggregation.sensitive_values import SensitiveValues, evidence_of
from ...core.runtime.progress import Progress, part, silent
from ...core.verdict import Evidence
from ...report import Picture, Report, col
from .. import literature
from ..i18n import number_of, tr
from ..layers.values import text_of
from . import equivalenceclasses_more as more
from .common import PrivatePage

#: Classes that the report lists.
_LISTED = 20
#: Upper limits of the bars of class sizes.
_STEPS = (1, 2, 4, 9, 19, 49, 99, 499, 999)


@dataclass(frozen=True)
class Asked:
    """What is asked of sensitive values: the fewest in a class (l), the farthest from the whole (t)."""

    least: int
    farthest: float | None


@dataclass(frozen=True)
class Classes:
    """What the report tells of.

    Attributes
    ----------
    source_name : str
    names : list of str
        The quasi-identifiers.
    found : EquivalenceClasses
        Of one region.
    categories : list of sequences
        Of each quasi-identifier, by code; None for a missing value.
    missing : dict of str to int
        Records without a value, where there are any.
    k : int
        Classes of fewer records are small.
    many : int
        More categories than this are too many.
    sensitive : tuple of SensitiveValues
    asked : Asked
    population : PopulationUniques or None
    proposed : Proposed
    people : People or None
        Who is in which class, where people are counted and not records.
    """

    source_name: str
    names: list[str]
    found: EquivalenceClasses
    categories: list[Sequence]
    missing: dict[str, int]
    k: int
    many: int
    sensitive: tuple[SensitiveValues, ...]
    asked: Asked
    population: PopulationUniques | None
    proposed: more.Proposed
    people: People | None = None

    def evidence(self) -> list[Evidence]:
        """What is found by looking up classes, and by what they have in common."""
        looked_up = self.found.evidence(self.k)
        if not self.sensitive:
            return [looked_up]
        return [looked_up, evidence_of(self.sensitive, self.asked.least, self.asked.farthest)]

    @property
    def count(self) -> int:
        return self.found.records

    @property
    def smallest(self) -> int:
        return int(self.found.sizes.min())

    @property
    def uniques(self) -> int:
        return int(np.count_nonzero(self.found.sizes == 1))

    @property
    def small(self) -> int:
        """Records in small classes."""
        return int(self.found.sizes[self.found.sizes < self.k].sum())

    def without(self, at: int, progress: Progress = silent) -> np.ndarray:
        """Sizes of the classes were one quasi-identifier left out."""
        rest = [codes for one, codes in enumerate(self.found.codes.T) if one != at]
        if not rest:
            rest = [np.zeros(len(self.found.codes), dtype=np.int64)]
        which, _ = classes_of(rest, progress)
        if self.people is not None:
            return self.people.sizes(which)
        return np.rint(np.bincount(which, weights=self.found.sizes)).astype(np.int64)


def sentences(told: Classes) -> list[str]:
    """What the log says."""
    found = told.found
    said = [
        tr(
            "{records} in {classes}; the smallest has {least:,}, so the table is "
            "{least:,}-anonymous. Unique records: {uniques:,}; records in classes of fewer than "
            "{k}: {small:,}. Entropy {entropy:.2f} bits; MaxCombs {combs:,}."
        ).format(
            classes=number_of(len(found.sizes), "class", "classes"),
            records=number_of(told.count, "record", "records"),
            least=told.smallest,
            uniques=told.uniques,
            small=told.small,
            k=told.k,
            entropy=found.entropy,
            combs=found.max_combs,
        )
    ]
    if told.missing:
        said.append(
            tr("Missing values are a category of their own: {fields}.").format(
                fields=", ".join(f"{name} ({count:,})" for name, count in told.missing.items())
            )
        )
    said += [more.sensitive_sentence(one) for one in told.sensitive]
    if told.population is not None:
        said.append(more.population_sentence(told.population))
    return said


def numbers(told: Classes) -> dict[str, float]:
    """The number outputs; NaN for those that do not exist."""
    return {
        "N": told.count,
        "K_ANONYMITY": told.smallest,
        "CLASSES_FOUND": len(told.found.sizes),
        "UNIQUES": told.uniques,
        "SMALL": told.small,
        "ENTROPY": told.found.entropy,
        "MAXCOMBS": float(told.found.max_combs),
        **more.numbers(told.sensitive, told.population),
    }


def proposal_rows(told: Classes) -> list[tuple]:
    """Rows of the table of proposals."""
    return more.proposal_rows(told.proposed)


def warnings(told: Classes) -> list[str]:
    """What the log warns of."""
    return [
        tr(
            "{name} has {categories}. Group its values, or nearly every record will be unique."
        ).format(name=name, categories=number_of(len(categories), "category", "categories"))
        for name, categories in zip(told.names, told.categories)
        if len(categories) > told.many
    ]


def report(
    told: Classes, order: np.ndarray, pictures: Sequence[Picture], progress: Progress = silent
) -> Report:
    """Say how many records share a class, what makes classes small, and where those are."""
    page = PrivatePage(tr("Equivalence classes"), told.source_name)
    _figures(page, told)
    page.warn(warnings(told)).pictures(tr("On the map"), pictures)
    page.section(tr("Sizes of the classes"), "sizes")
    _sizes(page, told)
    page.section(tr("The quasi-identifiers"), "identifiers")
    _identifiers(page, told, progress)
    page.section(tr("What could be grouped"), "proposals")
    more.proposals(page, told.proposed, told.k, told.uniques, told.small)
    page.section(tr("Sensitive fields"), "sensitive")
    more.sensitive(page, told.sensitive)
    page.section(tr("In the population"), "population")
    more.population(page, told.population)
    page.section(tr("The smallest classes"), "smallest")
    _smallest(page, told, order)
    page.method(
        [
            tr(
                "Records that are alike in all quasi-identifiers, missing values included, are one "
                "class."
            ),
            tr(
                "Entropy is the sum over the classes of −(s/n) log2(s/n), s the records of the "
                "class and n all records. MaxCombs is the product of the numbers of categories "
                "that occur."
            ),
            more.method(told.sensitive, told.population),
        ],
        [literature.CROFT, literature.SWEENEY, *more.sources(told.sensitive, told.population)],
    )
    return page.report()


def _figures(page: PrivatePage, told: Classes) -> None:
    found = told.found

    def share(records: int) -> str:
        return tr("{share:.1f} % of the records").format(share=100 * records / told.count)

    page.section(tr("In short"), "result")
    page.figure(
        "count",
        tr("Records"),
        told.count,
        tr("People, or whatever a record of the table stands for."),
    )
    page.figure(
        "k_anonymity",
        tr("Smallest class (k-anonymity)"),
        told.smallest,
        tr(
            "So many records, at the least, look alike to somebody who knows the quasi-identifiers."
        ),
    )
    page.figure(
        "classes",
        tr("Classes"),
        len(found.sizes),
        tr("Groups of records that are alike in all quasi-identifiers."),
    )
    page.figure(
        "uniques",
        tr("Unique records"),
        told.uniques,
        tr("Alone in their class: whoever knows these attributes of a person finds the record."),
        note=share(told.uniques),
    )
    page.figure(
        "small",
        tr("Records in classes of fewer than {k}").format(k=told.k),
        told.small,
        tr("Hidden among too few others, by the number that was asked for (k)."),
        note=share(told.small),
    )
    page.figure(
        "entropy",
        tr("Entropy"),
        found.entropy,
        tr("How much the quasi-identifiers tell people apart; at the most, everybody is unique."),
        unit=tr("bits"),
        decimals=2,
        note=tr("at most {most:.2f}").format(most=np.log2(told.count)),
    )
    page.figure(
        "max_combs",
        tr("MaxCombs"),
        float(found.max_combs),
        tr("Combinations that the quasi-identifiers could have: with many, people are alone."),
        note=tr("by the categories that occur"),
    )


def _sizes(page: PrivatePage, told: Classes) -> None:
    sizes = told.found.sizes
    labels, values, low = [], [], 1
    for high in (*_STEPS, int(sizes.max())):
        if high < low:
            continue
        within = sizes[(sizes >= low) & (sizes <= high)]
        labels.append(f"{low:,}" if low == high else f"{low:,}–{high:,}")
        values.append(int(within.sum()))
        low = high + 1
        if high >= sizes.max():
            break
    title = tr("Records by the size of their class")
    page.bars("class_sizes", title, labels, values, tr("Records"))


def _identifiers(page: PrivatePage, told: Classes, progress: Progress) -> None:
    count = len(told.names)
    rows = []
    for at, name in enumerate(told.names):
        sizes = told.without(at, part(progress, at / count, (at + 1) / count))
        rows.append(
            (
                name,
                len(told.categories[at]),
                told.missing.get(name, 0),
                int(sizes.min()),
                int(np.count_nonzero(sizes == 1)),
                int(sizes[sizes < told.k].sum()),
                entropy(sizes),
            )
        )
    page.table(
        "identifiers_table",
        [
            col("field", tr("Quasi-identifier")),
            col("categories", tr("Categories")),
            col("missing", tr("Records without a value")),
            col("k_anonymity", tr("Smallest class without it")),
            col("uniques", tr("Unique records without it")),
            col("small", tr("Records in small classes without it")),
            col("entropy", tr("Entropy without it (bits)"), decimals=2),
        ],
        rows,
    )
    page.say(tr("What leaving one of them out would change. Grouping its values lies in between."))


def _smallest(page: PrivatePage, told: Classes, order: np.ndarray) -> None:
    some = order[:_LISTED].tolist()
    page.table(
        "smallest_classes",
        [
            col("records", tr("Records"), lambda at: int(told.found.sizes[at])),
            *(
                col(
                    f"qi_{q + 1}",
                    name,
                    lambda at, q=q: _shown(told.categories[q][told.found.codes[at, q]]),
                    numeric=False,
                )
                for q, name in enumerate(told.names)
            ),
        ],
        some,
        tr("The smallest classes: {shown:,} of {all:,}.").format(shown=len(some), all=len(order)),
    )


def _shown(value: object) -> str:
    return tr("missing") if value is None else text_of(value)
