# SPDX-License-Identifier: GPL-2.0-or-later
"""The report on equivalence classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.aggregation.equivalence_classes import EquivalenceClasses, classes_of, entropy
from ...core.runtime.progress import Progress, part, silent
from ...report import (
    Bars,
    Column,
    Figure,
    Figures,
    Notice,
    Paragraph,
    Picture,
    Reference,
    Report,
    Section,
    Table,
)
from ..i18n import number_of, tr
from ..layers.values import text_of
from . import common

_CROFT = Reference(
    "Croft, W. L., Shi, W., Sack, J.-R. and Corriveau, J.-P. (2015). A novel geographic "
    "partitioning system for anonymizing health care data. arXiv.",
    "https://arxiv.org/abs/1505.06939",
)
_SWEENEY = Reference(
    "Sweeney, L. (2002). k-anonymity: a model for protecting privacy. International Journal of "
    "Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 557–570.",
    "10.1142/S0218488502001648",
)
#: Classes that the report lists.
_LISTED = 20
#: Upper limits of the bars of class sizes.
_STEPS = (1, 2, 4, 9, 19, 49, 99, 499, 999)


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
    """

    source_name: str
    names: list[str]
    found: EquivalenceClasses
    categories: list[Sequence]
    missing: dict[str, int]
    k: int
    many: int

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
            return np.array([self.count])
        which, _ = classes_of(rest, progress)
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
    return said


def warnings(told: Classes) -> list[str]:
    """What the log warns of."""
    return [
        tr(
            "{name} has {categories}. Group its values, or nearly every record will be unique."
        ).format(name=name, categories=number_of(len(categories), "category", "categories"))
        for name, categories in zip(told.names, told.categories)
        if len(categories) > told.many
    ]


def steps(told: Classes, limit: float) -> list[str]:
    """What to do next."""
    said = []
    if told.small:
        said.append(
            tr(
                "Leave out the {small} in classes of fewer than {k} (small = 1 in OUTPUT), and "
                "count again."
            ).format(small=number_of(told.small, "record", "records"), k=told.k)
        )
    over = told.found.evidence(told.k).share > limit
    if told.small or over:
        most = max(range(len(told.names)), key=lambda at: len(told.categories[at]))
        said.append(
            tr(
                "Group the values of {name}, which has most categories ({count:,}), or leave a "
                "quasi-identifier out. With area ids among them, aggregate the areas "
                "(geoanon:vbas)."
            ).format(name=told.names[most], count=len(told.categories[most]))
        )
    if over and limit > 0:
        said.append(
            tr("Within the limit are classes of {count:,} records on average.").format(
                count=int(np.ceil(1 / limit))
            )
        )
    return said or [
        tr(
            "Release no other field by which people are known; each belongs among QIS. What all "
            "members of a class have in common is known of each of them: look at CLASSES."
        )
    ]


def not_run(has_places: bool) -> list[str]:
    """What the look-up says nothing about."""
    if not has_places:
        return []
    return [
        tr(
            "Where the records are was not looked at: it holds for a table without places. Mask "
            "the places (geoanon:voronoimask) and attack them, or release areas (geoanon:vbas)."
        )
    ]


def report(
    told: Classes, order: np.ndarray, pictures: Sequence[Picture], progress: Progress = silent
) -> Report:
    """Say how many records share a class, what makes classes small, and where those are."""
    return common.private_report(
        tr("Equivalence classes"),
        told.source_name,
        [
            Section(
                tr("In short"),
                (_figures(told), *(Notice(text, "warning") for text in warnings(told))),
                name="result",
            ),
            Section(tr("On the map"), tuple(pictures), name="map"),
            Section(tr("Sizes of the classes"), (_sizes(told),), name="sizes"),
            Section(tr("The quasi-identifiers"), _identifiers(told, progress), name="identifiers"),
            Section(tr("The smallest classes"), (_smallest(told, order),), name="smallest"),
            common.how_it_was_done(
                tr(
                    "Records that are alike in all quasi-identifiers, missing values included, are "
                    "one class."
                ),
                [
                    tr(
                        "Entropy is the sum over the classes of −(s/n) log2(s/n), s the records of "
                        "the class and n all records. MaxCombs is the product of the numbers of "
                        "categories that occur."
                    )
                ],
                [_CROFT, _SWEENEY],
            ),
        ],
    )


def _figures(told: Classes) -> Figures:
    found = told.found

    def share(records: int) -> str:
        return tr("{share:.1f} % of the records").format(share=100 * records / told.count)

    return Figures(
        (
            Figure("count", tr("Records"), told.count),
            Figure("k_anonymity", tr("Smallest class (k-anonymity)"), told.smallest),
            Figure("classes", tr("Classes"), len(found.sizes)),
            Figure("uniques", tr("Unique records"), told.uniques, note=share(told.uniques)),
            Figure(
                "small",
                tr("Records in classes of fewer than {k}").format(k=told.k),
                told.small,
                note=share(told.small),
            ),
            Figure(
                "entropy",
                tr("Entropy"),
                found.entropy,
                tr("bits"),
                decimals=2,
                note=tr("at most {most:.2f}").format(most=np.log2(told.count)),
            ),
            Figure(
                "max_combs",
                tr("MaxCombs"),
                float(found.max_combs),
                note=tr("by the categories that occur"),
            ),
        )
    )


def _sizes(told: Classes) -> Bars:
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
    return Bars(
        tr("Records by the size of their class"), labels, values, tr("Records"), name="class_sizes"
    )


def _identifiers(told: Classes, progress: Progress) -> tuple:
    rows = []
    count = len(told.names)
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
    return (
        Table(
            (
                Column("field", tr("Quasi-identifier")),
                Column("categories", tr("Categories")),
                Column("missing", tr("Records without a value")),
                Column("k_anonymity", tr("Smallest class without it")),
                Column("uniques", tr("Unique records without it")),
                Column("small", tr("Records in small classes without it")),
                Column("entropy", tr("Entropy without it (bits)"), decimals=2),
            ),
            rows,
            name="identifiers_table",
        ),
        Paragraph(
            tr("What leaving one of them out would change. Grouping its values lies in between.")
        ),
    )


def _smallest(told: Classes, order: np.ndarray) -> Table:
    rows = []
    for at in order[:_LISTED].tolist():
        values = [
            _shown(told.categories[q][code]) for q, code in enumerate(told.found.codes[at].tolist())
        ]
        rows.append((int(told.found.sizes[at]), *values))
    return Table(
        (
            Column("records", tr("Records")),
            *(
                Column(f"qi_{number}", name, numeric=False)
                for number, name in enumerate(told.names, 1)
            ),
        ),
        rows,
        caption=tr("The smallest classes: {shown:,} of {all:,}.").format(
            shown=len(rows), all=len(order)
        ),
        name="smallest_classes",
    )


def _shown(value: object) -> str:
    return tr("missing") if value is None else text_of(value)
