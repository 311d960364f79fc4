# SPDX-License-Identifier: GPL-2.0-or-later
"""What the columns of a table give away: screened one by one, and together as quasi-identifiers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..aggregation.categories import Encoder
from ..aggregation.coarsening import blank_as_missing
from ..aggregation.equivalence_classes import EquivalenceClasses, count_classes
from ..identifying import CodedColumn, Finding
from ..identifying import screen as screen_columns
from ..runtime.errors import InputError
from ..runtime.progress import Progress, silent
from ..verdict import LIMIT, judge
from .inputs import Points, Table, points_of, table_of


def screen(table: Table, points: Points, *, progress: Progress = silent) -> list[Finding]:
    """Look for columns that give people or their places away, before they are released.

    Parameters
    ----------
    table : mapping of names to columns, DataFrame or structured array
    points : (n, 2) array, GeoDataFrame or GeoSeries
        Places of the records, in any system.
    progress : callable
        Told a fraction between 0 and 1; may raise to cancel.

    Returns
    -------
    list of Finding
        One for each column: ``reason`` is None where nothing was found, which is no promise.

    Raises
    ------
    InputError
        If the table has not as many records as there are points.

    Examples
    --------
    >>> [one.name for one in geoanon.screen(table, points) if one.reason]
    """
    xy, _ = points_of(points)
    columns = table_of(table)
    for name, values in columns.items():
        if len(values) != len(xy):
            raise InputError(
                "The column {name} has {values:,} values for {count:,} points.",
                name=name,
                values=len(values),
                count=len(xy),
            )
    return screen_columns(
        [CodedColumn.of(name, values) for name, values in columns.items()], xy, progress=progress
    )


def equivalence_classes(
    table: Table,
    quasi_identifiers: Sequence[str],
    *,
    k: int = 5,
    acceptable: float = LIMIT,
    progress: Progress = silent,
) -> EquivalenceClasses:
    """Count the records that agree in their quasi-identifiers: k-anonymity.

    Parameters
    ----------
    table : mapping of names to columns, DataFrame or structured array
    quasi_identifiers : sequence of str
        Columns that others may know of a person. What is missing, empty text too, is a category
        of its own.
    k : int
        Fewest records in a class: with a smaller one the verdict is "do not release".
    acceptable : float
        Share of people found, up to which it is not that either.
    progress : callable
        Told a fraction between 0 and 1; may raise to cancel.

    Returns
    -------
    EquivalenceClasses
        ``smallest`` is the k of k-anonymity; ``sizes[record_class]`` the size of each record's
        class; ``judged``, the verdict.

    Raises
    ------
    InputError
        Without records.

    References
    ----------
    Sweeney, L. (2002). k-anonymity: a model for protecting privacy. International Journal of
    Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 557-570.

    Examples
    --------
    >>> geoanon.equivalence_classes(table, ["age", "sex"]).smallest
    """
    columns = table_of(table, _names(quasi_identifiers))
    codes = [Encoder(name).codes(blank_as_missing(column)) for name, column in columns.items()]
    nowhere = np.zeros(len(codes[0]), dtype=np.int32)
    found = count_classes(nowhere, codes, 1, None, progress)
    judged = judge([found.evidence(k)], "quasi_identifiers", "which_record", acceptable)
    return found.with_verdict(judged)


def _names(names: Sequence[str]) -> list[str]:
    names = [names] if isinstance(names, str) else list(names)
    if not names:
        raise InputError("Choose at least one quasi-identifier.")
    return names
