# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of an anonymised table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.microdata import methods, release
from ...core.microdata.in_units import InUnits
from ...core.microdata.rules import Rule
from ...core.microdata.utility import Utility
from ...core.microdata.variables import shown
from ...report import Picture, Report, col
from .. import literature
from ..families.day_numbers import iso_of
from ..i18n import mark, number_of, tr
from . import microdata
from .common import Context, PrivatePage

_HOW = {
    methods.SPECTRAL_SWAPPING: mark(
        "The table was centred and decomposed into its principal axes (A = U D V'). Every column "
        "of U was permuted by itself and the table put together again (section III-B1)."
    ),
    methods.SPECTRAL_RHS: mark(
        "The table was centred and decomposed into its principal axes (T = U D). Groups were "
        "halved at the median of the axis with the largest range until they held at most 2 k "
        "records, and each record was replaced by the mean of its group (section III-B2). Records "
        "equal at a median are parted at random, so that groups hold k to 2 k."
    ),
    methods.CELL_SWAPPING: mark(
        "Every field was permuted by itself. Relations between fields are lost."
    ),
    methods.RHS: mark(
        "Every column was split at its median, all at once, and cells of more than 2 k records "
        "again; each record was replaced by the mean of its cell. In many columns nearly every "
        "record is alone in its cell."
    ),
    methods.DATA_SHUFFLING: mark(
        "The values of each field were handed out anew in the order of normal scores that have the "
        "original's rank correlations."
    ),
    methods.ADDITIVE_NOISE: mark(
        "Normal noise with b times the covariance of the data was added, corrected for mean and "
        "variance."
    ),
    methods.MICROAGGREGATION: mark(
        "The record farthest from the mean of all was grouped with the k - 1 nearest to it, then "
        "the one farthest from that with those nearest to it, and so on with those that were left; "
        "each record was replaced by the mean of its group (MDAV)."
    ),
    methods.GAUSSIAN_COPULA: mark(
        "New records were drawn from a normal distribution that has the original's rank "
        "correlations, means and variances. No released record has an original that it came from."
    ),
}
_SOURCES = {
    methods.DATA_SHUFFLING: literature.MURALIDHAR_SARATHY,
    methods.MICROAGGREGATION: literature.DOMINGO_FERRER,
}
_DECODED = {
    methods.CALIBRATED: mark(
        "On the way back numbers are mapped, in their order, to the original's distribution, "
        "smoothed: a value that many have stays one, between such values runs a smooth curve "
        "through the borders of cells of six records for each field of numbers, and the three "
        "smallest become one number between them and the next, as the three largest do. So the "
        "distributions of all fields together hardly tell who is in the table. "
        "Categories and truth values are chosen by their coded columns, with one offset for each, "
        "so that they have the original's shares. Coordinates stay as they are. Numbers get the "
        "decimals that the original had."
    ),
    methods.CLOSELY: mark(
        "On the way back numbers are mapped, in their order, to the original's distribution, "
        "hardly smoothed: a value that many have stays one, between such values the numbers of a "
        "cell of five records or more are spread between its borders, and the three smallest "
        "become one number between them and the next, as the three largest do. The distributions "
        "of all fields together may tell who is in the table. "
        "Categories and truth values are chosen by their coded columns, with one offset for each, "
        "so that they have the original's shares. Coordinates stay as they are. Numbers get the "
        "decimals that the original had."
    ),
    methods.AS_PUBLISHED: mark(
        "On the way back binary fields are cut at a probability of one half, and categories come "
        "of the inverse logits of their columns, normalised. Numbers get the decimals that the "
        "original had, and may lie beyond its range."
    ),
}
#: Sizes of groups that have a bar each.
_BARS = 30


@dataclass(frozen=True)
class Anonymization:
    """What the report tells of.

    Attributes
    ----------
    about : Context
    method, decoding : str
    made : release.Anonymized
    coded : (array, array)
        The original and the release, coded.
    kept : Utility
        The one against the other.
    units : InUnits
        The same in the units of the fields.
    rules : sequence of Rule
        That hold for every original.
    place : (str, str) or None
    smallest : int or None
        Records in the smallest group.
    dates : collection of str
        Fields of dates, which are told as such and not as days.
    """

    about: Context
    method: str
    decoding: str
    made: release.Anonymized
    coded: tuple[np.ndarray, np.ndarray]
    kept: Utility
    units: InUnits
    rules: Sequence[Rule]
    place: tuple[str, str] | None
    smallest: int | None
    dates: Collection[str] = ()


def steps(inputs: str, key: str, attack: Sequence[str] = ()) -> list[str]:
    """What to do before the release: the attack to run on it, and what to look at then.

    Parameters
    ----------
    inputs : str
        Parameters with both tables, see :func:`..families.microdata.inputs_named`.
    key : str
        Where the key is, if it has a path and rows.
    attack : sequence of str
        Further parameters of the attack.
    """
    more = [inputs, *attack, *([f"KEY={key}"] if key else [])]
    return [
        tr(
            "Run “Disclosure risk of microdata” (geoanon:disclosurerisk) with {inputs}; with "
            "REFERENCE=records of other people from the same population, if there are any."
        ).format(inputs=", ".join(more)),
        tr(
            "If it held, look at what is left for researchers: “Utility of anonymised microdata” "
            "(geoanon:microdatautility) with {inputs}."
        ).format(inputs=inputs),
    ]


def report(told: Anonymization, pictures: Sequence[Picture]) -> Report:
    """Say what was done, to which fields, and what it kept."""
    page = PrivatePage(tr("Spectral anonymization"), told.about.source)
    page.section(tr("In short"), "result")
    _figures(page, told)
    page.warn(told.about.warnings).settings(told.about.settings)
    page.pictures(tr("On the map"), pictures)
    microdata.fields_table(page, told.made.coding, told.place)
    page.section(tr("What is released"), "released").attributes(told.about.choice)
    page.section(tr("Groups"), "groups")
    _groups(page, told)
    page.section(tr("Before and after, in the units of the fields"), "units")
    _units(page, told.units, told.dates)
    page.section(tr("Rules between fields"), "rules")
    _rules(page, told)
    page.section(tr("What it kept"), "utility")
    microdata.utility_figures(page, told.kept)
    microdata.differences_chart(page, told.kept)
    _pairs(page, told.kept)
    microdata.worst_pairs(page, told.kept, told.made.coding, *told.coded)
    microdata.columns_table(page, told.kept)
    page.kept_out(told.about.left_out)
    page.method(
        [
            tr(_HOW[told.method]),
            tr(
                "Binary fields and the columns of categories are coded −1 and +1, positive fields "
                "as logarithms; numbers are standardised. The rows of the release are in random "
                "order."
            ),
            "" if told.method in methods.PERMUTE else tr(_DECODED[told.decoding]),
            told.about.sentences[:1] if told.place else (),
        ],
        [
            literature.LASKO_VINTERBO,
            *([_SOURCES[told.method]] if told.method in _SOURCES else []),
        ],
    )
    return page.report()


def _figures(page: PrivatePage, told: Anonymization) -> None:
    made = told.made
    page.figure(
        "count", tr("Records released"), len(made.row), tr("Made anew from those of the original.")
    )
    page.figure(
        "columns",
        tr("Columns of numbers"),
        made.coding.width,
        tr("What the method worked on: a category has a column for each of its values."),
        note=tr("from {fields}").format(
            fields=number_of(len(told.about.choice.kept), "field", "fields")
        ),
    )
    if made.left_out:
        page.figure(
            "left_out",
            tr("Records left out"),
            made.left_out,
            tr("The method needs every value, so these are in no released record."),
            note=tr("without a value somewhere"),
        )
    if made.moved_inside:
        page.figure(
            "moved_inside",
            tr("Points drawn into the area"),
            made.moved_inside,
            tr("They would have come to lie outside of the area that was given."),
        )
    if told.smallest is not None:
        page.figure(
            "smallest_group",
            tr("Records in the smallest group"),
            told.smallest,
            tr("So many people, at the least, share one released record."),
        )


def _units(page: PrivatePage, units: InUnits, dates: Collection[str]) -> None:
    largest, field = units.largest
    page.figure(
        "outside",
        tr("Numbers beyond their field's range"),
        units.outside,
        tr("Released values that are smaller or larger than any of the original."),
    )
    page.figure(
        "largest_difference",
        tr("Largest difference of a field"),
        100 * largest,
        tr(
            "So many of a hundred records have another value than the field's distribution lets expect."
        ),
        unit="%",
        note=field,
    )
    quantiles = (tr("least"), tr("quarter"), tr("middle"), tr("three quarters"), tr("largest"))

    def numbers(which: str, at: int):
        def told(one):
            number = float(getattr(one, which)[at])
            return iso_of(number) if one.name in dates else number

        return told

    page.table(
        "units_table",
        [
            col("field", tr("Field"), lambda one: one.name),
            *(
                col(f"{which}_{at}", said.format(what=quantile), numbers(which, at))
                for at, quantile in enumerate(quantiles)
                for which, said in (("before", "{what}"), ("after", tr("released")))
            ),
            col("outside", tr("Beyond"), lambda one: one.outside),
            col("ks", tr("Difference"), lambda one: one.ks, decimals=3),
        ],
        units.numbers,
        tr("Numbers: original and release."),
    )
    shares = sorted(units.shares, key=lambda one: -round(abs(one.after - one.before), 9))
    page.table(
        "shares_table",
        [
            col("field", tr("Field"), lambda one: one.name),
            col("value", tr("Value"), lambda one: tr(shown(one.level))),
            col("before", tr("Original (%)"), lambda one: 100 * one.before, decimals=2),
            col("after", tr("Release (%)"), lambda one: 100 * one.after, decimals=2),
        ],
        shares[: microdata.MOST_LISTED],
        tr("Categories and truth values, those that changed most first."),
    )


def _rules(page: PrivatePage, told: Anonymization) -> None:
    if not told.rules:
        page.say(tr("No rule was found that holds for every original and hardly by chance."))
        return
    page.table(
        "rules_table",
        [
            col("rule", tr("Holds for every original"), lambda one: _rule(one, told.dates)),
            col(
                "broken",
                tr("Released records that break it"),
                lambda one: int(np.count_nonzero(~one.obeyed(told.made.columns))),
            ),
            col(
                "excludes",
                tr("Would break it without relation (%)"),
                lambda one: 100 * one.excludes,
                decimals=1,
            ),
        ],
        told.rules,
        tr("What was found. Give as RULES what must not be broken, or “found” for all of it."),
    )


def _rule(one: Rule, dates: Collection[str]) -> str:
    """Return its expression; behind days since 1970-01-01, as which dates are compared, the dates."""
    days = [(one.field, one.bound), (one.where, one.level)]
    told = [iso_of(day) for name, day in days if name in dates and isinstance(day, float)]
    return one.expression + (f" ({', '.join(told)})" if told else "")


def _pairs(page: PrivatePage, kept: Utility) -> None:
    worst = microdata.by_change(kept)[: microdata.MOST_LISTED // 2].tolist()
    page.table(
        "pairs_table",
        [
            col("one", tr("Column"), lambda at: kept.labels[kept.pairs[at, 0]]),
            col("other", tr("and"), lambda at: kept.labels[kept.pairs[at, 1]]),
            col(
                "before",
                tr("Correlation, original"),
                lambda at: kept.correlation.original[at],
                decimals=3,
            ),
            col("after", tr("released"), lambda at: kept.correlation.anonymized[at], decimals=3),
        ],
        worst,
        tr("Correlations that changed most."),
    )


def _groups(page: PrivatePage, told: Anonymization) -> None:
    if told.made.group is None:
        return
    sizes = np.bincount(told.made.group)
    sizes = sizes[sizes > 0]
    page.say(
        tr("The records of a group share their mean: {groups} of {least:,} to {most:,}.").format(
            groups=number_of(len(sizes), "group", "groups"),
            least=int(sizes.min()),
            most=int(sizes.max()),
        )
    )
    different = np.unique(sizes).tolist()
    if len(different) > _BARS:
        title = tr("Records in a group")
        page.histogram("group_sizes", title, sizes, tr("Records"), y_label=tr("Groups"))
        return
    page.bars(
        "group_sizes",
        tr("Groups by the number of their records"),
        [f"{size:,}" for size in different],
        [int(np.count_nonzero(sizes == size)) for size in different],
        tr("Groups"),
    )
