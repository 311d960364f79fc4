# SPDX-License-Identifier: GPL-2.0-or-later
"""Microdata: tables of records, anonymised and measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..microdata.adequacy import MARGIN
from ..microdata.attacks.battery import attack_release
from ..microdata.attacks.knowledge import check
from ..microdata.coding import DUMMY, Coding
from ..microdata.copies import refuse_the_same_people_changed, shared_people
from ..microdata.digits import as_released
from ..microdata.learning import coding_of_all, learn_coding
from ..microdata.methods import CALIBRATED, METHODS
from ..microdata.observations import CONTINUOUS
from ..microdata.release import Anonymized
from ..microdata.release import anonymize as anonymize_table
from ..microdata.risk import DisclosureRisk, disclosure_risk
from ..microdata.variables import MOST_PROBABLE
from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, silent, weighted
from ..space.planes import Plane, working_plane
from ..verdict import LIMIT, judge, not_tested
from .inputs import Points, Table, area_of, points_of, rng_of, table_of

#: Names of the coordinates, where places take part.
PLACE = ("x", "y")


def anonymize(
    table: Table,
    method: str = METHODS[0],
    *,
    points: Points | None = None,
    kinds: Mapping[str, str] | None = None,
    k: int = 5,
    noise: float = 0.1,
    missing: str = DUMMY,
    categories_as: str = MOST_PROBABLE,
    decoding: str = CALIBRATED,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    whose: Sequence[Any] | np.ndarray | None = None,
    area: Any = None,
    crs: Any = None,
    seed: Any = None,
    progress: Progress = silent,
) -> Anonymized:
    """Anonymise a table of records, with their places if wanted.

    Parameters
    ----------
    table : mapping of names to columns, DataFrame or structured array
        All that is to be released; ids and free text are refused. See :func:`screen`.
    method : str
        ``spectral_swapping``, ``spectral_rhs``, ``cell_swapping``, ``rhs``, ``data_shuffling``,
        ``additive_noise``, ``microaggregation`` or ``gaussian_copula``.
    points : (n, 2) array, GeoDataFrame or GeoSeries, optional
        Places of the records. They take part as two more variables, and the release has them as
        its columns ``x`` and ``y``. A table's own geometry is not used without this.
    kinds : mapping of names to str, optional
        ``continuous``, ``positive``, ``ordinal``, ``binary`` or ``categorical``; guessed by
        default.
    k : int
        Fewest records of a group, for ``spectral_rhs`` and ``rhs``.
    noise : float
        Variance of the noise as a share of the variance, for ``additive_noise``.
    missing : str
        ``dummy``: that a value is missing is a variable of its own. ``complete``: records with
        a missing value are left out.
    categories_as : str
        ``most_probable``, ``draw`` or ``probabilities``.
    decoding : str
        ``calibrated``: every field has the original's distribution again, smoothed, and no number
        lies beyond its range; ``as_published``: as Lasko and Vinterbo decode;
        ``calibrated_closely``: hardly smoothed, where who is in the table is no secret.
    ranges : mapping of names to (float, float), optional
        Numbers beyond are released as the end of the range.
    whose : sequence of length n, optional
        What names the person of each record, where people have several: distributions are smoothed
        by people then. It is not released.
    area : StudyArea or polygons, optional
        Where released places must lie.
    crs : anything that pyproj.CRS takes, optional
        Of the points; by default that of a GeoDataFrame.
    seed : int, numpy.random.Generator or None
        None takes the operating system's randomness. A seed is as secret as the records.
    progress : callable
        Told a fraction between 0 and 1; may raise to cancel.

    Returns
    -------
    Anonymized
        ``columns``, a dict of arrays, is for release: records in random order. All else is
        private.

    Raises
    ------
    InputError
        If a column is an id, of mixed types or of dates, or a parameter does not fit.

    References
    ----------
    Lasko, T. A. and Vinterbo, S. A. (2010). Spectral anonymization of data. IEEE Transactions on
    Knowledge and Data Engineering 22(3), 437-446.

    Examples
    --------
    >>> made = geoanon.anonymize({"age": ages, "income": incomes})
    >>> made.columns["income"]
    """
    columns = dict(table_of(table))
    if points is None:
        if area is not None:
            raise InputError("An area is given, but no places that could lie in it: give points=.")
        released = anonymize_table(
            columns,
            method,
            rng_of(seed),
            kinds,
            k,
            noise,
            missing,
            categories_as,
            decoding=decoding,
            ranges=ranges,
            whose=whose,
            progress=progress,
        )
        return released.with_verdict(not_tested("original_values", "which_record"))
    xy, wkt = points_of(points, crs)
    plane = working_plane(xy, wkt)
    columns = _with_places(columns, xy, plane)
    ground = None if area is None else area_of(area, xy, wkt)
    made = anonymize_table(
        columns,
        method,
        rng_of(seed),
        kinds,
        k,
        noise,
        missing,
        categories_as,
        PLACE,
        None if ground is None else lambda places: ground.contains(plane.inverse(places)),
        decoding,
        ranges,
        whose=whose,
        progress=progress,
    )
    stored = plane.inverse(np.stack([made.columns[name] for name in PLACE], axis=1))
    released = replace(made, columns={**made.columns, **dict(zip(PLACE, stored.T))})
    return released.with_verdict(not_tested("original_values", "which_record"))


def measure(
    original: Table,
    released: Table | Anonymized,
    *,
    reference: Table | None = None,
    match: np.ndarray | None = None,
    points: Points | None = None,
    kinds: Mapping[str, str] | None = None,
    k: int = 5,
    margin: float = MARGIN,
    missing: str = DUMMY,
    acceptable: float = LIMIT,
    known: Sequence[str] = (),
    secrets: Sequence[str] = (),
    crs: Any = None,
    progress: Progress = silent,
) -> DisclosureRisk:
    """Measure the disclosure risk of an anonymised table.

    Parameters
    ----------
    original : mapping of names to columns, DataFrame or structured array
    released : the same, or what :func:`anonymize` returned
        With all columns of the original, in whatever order.
    reference : mapping, DataFrame or structured array, optional
        Records of other people of the same population. Without any, each record is compared with
        the other originals.
    match : (n,) int array, optional
        The released row that came from each original, -1 for none; taken from what
        :func:`anonymize` returned where records correspond.
    points : (n, 2) array, GeoDataFrame or GeoSeries, optional
        Places of the originals, where the release has places in its columns ``x`` and ``y``; a
        reference must then have them, too.
    kinds : mapping of names to str, optional
        As in :func:`anonymize`; those it used are taken from what it returned.
    k : int
        Neighbours that are looked at, 2 or more.
    margin : float
        Difference of two cumulative distributions that is let pass.
    missing : str
        As in :func:`anonymize`.
    acceptable : float
        Share of people found, up to which the verdict is not "do not release".
    known, secrets : sequence of str
        Columns (``x`` and ``y`` for the place) that an adversary knows, and those that he wants.
        By default several adversaries are tried, who want all that they do not know.
    crs : anything that pyproj.CRS takes, optional
        Of the points.
    progress : callable
        Told a fraction between 0 and 1; may raise to cancel.

    Returns
    -------
    DisclosureRisk
        ``verdict`` of all attacks: ``adequate``, ``undecided`` or ``inadequate``; ``attacks``,
        what each of them found, beside people who are not in the file; the distributions of the
        paper's three measures, the records that are released as they are, and, with a match, how
        many are found again. ``judged``, the verdict on all of that.

    Raises
    ------
    InputError
        If the tables have not the same columns, or there are fewer records than neighbours.

    References
    ----------
    Lasko and Vinterbo (2010), section II-A.

    Examples
    --------
    >>> geoanon.measure(table, geoanon.anonymize(table)).verdict
    """
    pair, plane = in_one_plane(original, released, reference, points, crs)
    coding = coding_of(pair, released, kinds, missing, plane)
    if isinstance(released, Anonymized) and match is None:
        match = released.match(len(next(iter(pair[0].values()))))
    before, rows = coding.encode(pair[0])
    after, released_rows = coding.encode(pair[1])
    others = None
    if match is not None:
        count = len(next(iter(pair[1].values())))
        match = _of_coded(np.asarray(match), rows, released_rows, count)
    check(
        [one.name for one in coding.variables],
        [one.name for one in coding.variables if one.is_constant],
        known,
        secrets,
    )
    kept = None
    if pair[2] is not None:
        others, other_rows = coding.encode(pair[2])
        of_shared, of_changed = weighted(part(progress, 0.05, 0.2), 1, 8)
        strangers = ~shared_people(before, others, of_shared)
        others = others[strangers]
        refuse_the_same_people_changed(before, others, of_changed)
        kept = others, other_rows[strangers]
    digits = as_released(coding, pair[0], pair[1], pair[2], coded=((before, rows), kept))
    place = PLACE if plane is not None else ()
    found = disclosure_risk(
        before,
        after,
        others,
        match,
        k,
        margin,
        part(progress, 0.2, 0.7),
        digits,
        coding.blocks,
        places=coding.starts(place),
    )
    distances = (found.measured.distance, found.reference.distance)
    found = found.with_attacks(
        attack_release(
            coding,
            before,
            after,
            others,
            digits,
            distances,
            acceptable,
            known,
            secrets,
            place,
            part(progress, 0.7, 1.0),
        ),
        len(next(iter(pair[1].values()))) - len(released_rows),
    )
    return found.with_verdict(judge(found.evidence, "whole_record", "which_record", acceptable))


def _with_places(columns: Mapping[str, Any], xy: np.ndarray, plane: Plane) -> dict[str, Any]:
    taken = [name for name in columns if name in PLACE]
    if taken:
        raise InputError(
            "The table has a column {name}, which is the name of a coordinate. Rename it, "
            "or leave points= out.",
            name=taken[0],
        )
    flat = plane.forward(xy)
    return {**columns, **dict(zip(PLACE, flat.T))}


def in_one_plane(
    original: Table,
    released: Table | Anonymized,
    reference: Table | None,
    points: Points | None,
    crs: Any,
) -> tuple[list[Any], Plane | None]:
    """Original, release and reference as columns, with places in one plane if there are any."""
    whole = released.columns if isinstance(released, Anonymized) else released
    first, second = table_of(original), table_of(whole)
    third = None if reference is None else table_of(reference)
    if points is None:
        if isinstance(released, Anonymized) and _has_places(released):
            raise InputError(
                "Places were anonymised too, as x and y: give points=, the places of the originals,"
                " or what the places give away would go unmeasured."
            )
        return [first, second, third], None
    xy, wkt = points_of(points, crs)
    plane = working_plane(xy, wkt)
    moved: list[Any] = [_with_places(first, xy, plane)]
    for other in (second, third):
        if other is None:
            moved.append(None)
            continue
        lost = [name for name in PLACE if name not in other]
        if lost:
            raise InputError(
                "points= is given, but a released or reference table has no column {name}.",
                name=lost[0],
            )
        places = np.column_stack([other[name].numbers() for name in PLACE])
        moved.append({**other, **dict(zip(PLACE, plane.forward(places).T))})
    return moved, plane


def _has_places(released: Anonymized) -> bool:
    return {*PLACE} <= {variable.name for variable in released.coding.variables}


def coding_of(
    pair: Sequence[Any],
    released: Any,
    kinds: Mapping[str, str] | None,
    missing: str,
    plane: Plane | None,
) -> Coding:
    """The coding of originals, release and reference: as they were anonymised, where that is known."""
    asked = dict(kinds or {})
    if plane is not None:
        asked.update(dict.fromkeys(PLACE, CONTINUOUS))
    kinds = asked
    if isinstance(released, Anonymized):
        missing = released.coding.missing
        kinds = {**{one.name: one.kind for one in released.coding.variables}, **asked}
    original, *others = pair
    coding = learn_coding(original, kinds, missing)
    return coding_of_all(coding, original, filter(None, others), kinds, asked)


def _of_coded(
    match: np.ndarray, rows: np.ndarray, released_rows: np.ndarray, released: int
) -> np.ndarray:
    """A key in terms of the records that could be coded."""
    if match.ndim != 1 or match.dtype.kind not in "iu" or len(match) <= rows.max():
        raise InputError("The match must name one released row, or -1, for each original record.")
    if match.max(initial=-1) >= released:
        raise InputError("The match names a released row that is not there.")
    at = np.full(released + 1, -1, dtype=np.intp)  # the last one is for nobody
    at[released_rows] = np.arange(len(released_rows))
    return at[match[rows]]
