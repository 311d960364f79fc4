# SPDX-License-Identifier: GPL-2.0-or-later
"""How records are anonymised and decoded: parameters, and what a report lists of them."""

from __future__ import annotations

from ...core.microdata.methods import ADDITIVE_NOISE, DECODINGS, GROUP, METHODS, PERMUTE
from ...core.microdata.variables import CATEGORIES_AS
from ..dialog import parameters
from ..i18n import tr
from . import field_rules, microdata, number_ranges

#: Methods that permute values have nothing to decode.
_DECODED = {"METHOD": [one for one in METHODS if one not in PERMUTE]}


def inputs() -> list:
    """Return the method, what it needs, and how values come back."""
    return [
        parameters.choice(
            "METHOD",
            tr("Method"),
            tr(
                "spectral_swapping keeps statistics best; spectral_rhs averages groups of "
                "similar records and loses variance. The others are for comparison; "
                "microaggregation takes minutes from some 100,000 records on."
            ),
            list(METHODS),
            METHODS[0],
        ),
        parameters.integer(
            "K",
            tr("Fewest records in a group (k)"),
            tr("For spectral_rhs, whose groups hold k to 2 k records, rhs and microaggregation."),
            5,
            2,
            only_when={"METHOD": GROUP},
        ),
        parameters.number(
            "NOISE",
            tr("Share of noise (b)"),
            tr("For additive_noise: variance of the noise as a share of the variance of the data."),
            0.1,
            0.0,
            advanced=True,
            only_when={"METHOD": (ADDITIVE_NOISE,)},
        ),
        parameters.choice(
            "CATEGORIES_AS",
            tr("Categories are released as"),
            tr(
                "most_probable: the likeliest category. draw: one at random, by the "
                "probabilities. probabilities: a field for each category."
            ),
            list(CATEGORIES_AS),
            "most_probable",
        ),
        parameters.choice(
            "DECODING",
            tr("Values are decoded"),
            tr(
                "calibrated: every field has the original's distribution again, smoothed so that "
                "it hardly tells who is in the table: no number beyond its range, categories in "
                "their shares. Ends are coded: the three smallest values become one, and so do the "
                "three largest. as_published: as in the paper, with ages below zero. "
                "calibrated_closely: hardly smoothed, where who is in the table is no secret. "
                "Methods that only permute values need none of these."
            ),
            list(DECODINGS),
            DECODINGS[0],
            advanced=True,
            only_when=_DECODED,
        ),
        number_ranges.parameter(),
        field_rules.parameter(),
        microdata.missing_parameter(),
    ]


def settings(given, method: str) -> list[tuple[str, object]]:
    """Return what was chosen, for a report."""
    said: list[tuple[str, object]] = [(tr("Method"), method)]
    if method in GROUP:
        said.append((tr("Fewest records in a group (k)"), given.number("K")))
    if method == ADDITIVE_NOISE:
        said.append((tr("Share of noise (b)"), given.number("NOISE")))
    return [
        *said,
        (tr("Categories are released as"), given.choice("CATEGORIES_AS")),
        (tr("Values are decoded"), given.choice("DECODING")),
    ]
