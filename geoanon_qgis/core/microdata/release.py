# SPDX-License-Identifier: GPL-2.0-or-later
"""From a table of records to one that may be released: code, anonymise, decode, mix the rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ..runtime.errors import InputError
from ..runtime.memory import refuse_unless_fits
from ..runtime.progress import Progress, interruptible, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence, number_of
from .calibration import calibrated
from .chance import Chance
from .coding import DUMMY, Coding
from .inside import Inside, acceptance, draw_inside
from .learning import learn_coding
from .loadings import DECODED, corrected
from .matrices import as_matrix
from .methods import (
    ADDITIVE_NOISE,
    AS_PUBLISHED,
    CALIBRATED,
    CELL_SWAPPING,
    CLOSELY,
    CORRESPOND,
    DECODINGS,
    GAUSSIAN_COPULA,
    METHODS,
    MICROAGGREGATION,
    PERMUTE,
    RHS,
    SPECTRAL_RHS,
    SPECTRAL_SWAPPING,
)
from .microaggregation import mdav
from .noise import additive_noise
from .obeying import asked_in_turn, redrawn, refuse_broken
from .observations import (
    CATEGORICAL,
    CONTINUOUS,
    Observations,
    observed_table,
    plain,
)
from .people import People
from .ranges import Ranges, beyond, known, within
from .release_notes import notes_of, notes_of_people, notes_of_rules
from .rules import FOUND, Obey, all_obeyed, found_rules
from .shuffling import gaussian_copula, shuffled_rows
from .spectral import assembled, decompose, permute, spectral_rhs
from .swapping import recursive_histogram, swapped_rows, take_rows
from .variables import CATEGORIES_AS, MOST_PROBABLE, PROBABILITIES


@dataclass(frozen=True, repr=False)
class Anonymized(Summarised):
    """A table for release, and what must stay private.

    Attributes
    ----------
    columns : dict of names to (r,) arrays
        For release: records in random order.
    coding : Coding
        Private: means and categories of the original.
    coded : (r, m) array
        Private: the released records as they were before categories were chosen and numbers
        rounded, coded, in the order of the release. The paper measures risk on these.
    row : (r,) int array
        Private: the original row at whose place each released record was made. Only where
        ``corresponds`` is it the record's source; elsewhere there is none, and the number
        says nothing.
    corresponds : bool
    group : (r,) int array or None
        Private: groups of the records that were averaged.
    left_out : int
        Original records without a value somewhere, under the policy ``complete``.
    moved_inside : int
        Points that had to be drawn into the study area.
    notes : tuple of str
        Sentences for the user.
    broken : int
        Released records that break a rule between fields.
    """

    columns: dict[str, np.ndarray]
    coding: Coding
    coded: np.ndarray
    row: np.ndarray
    corresponds: bool
    group: np.ndarray | None
    left_out: int
    moved_inside: int
    notes: tuple[str, ...]
    broken: int = 0

    def match(self, originals: int) -> np.ndarray | None:
        """The released record of each original row, -1 for none; None if none corresponds."""
        if not self.corresponds:
            return None
        released = np.full(originals, -1, dtype=np.intp)
        released[self.row] = np.arange(len(self.row))
        return released

    def beside(self, kept: Mapping[str, np.ndarray]) -> Anonymized:
        """Return the same records with more of what their originals have, as it is.

        Each record then belongs to one original, whatever was done to the other columns.

        Parameters
        ----------
        kept : mapping of names to (n,) arrays
            Of all originals, in their order.
        """
        columns = {name: values[self.row] for name, values in kept.items()}
        return replace(self, columns={**columns, **self.columns}, corresponds=True)

    def in_words(self) -> str:
        """Say what was made of how many records."""
        kinds = ", ".join(f"{one.name} ({one.kind})" for one in self.coding.variables)
        whole = (
            f"{number_of(len(self.row), 'anonymised record', 'anonymised records')} of"
            f" {number_of(len(self.coding.variables), 'variable', 'variables')}: {kinds}."
        )
        return "\n".join([whole, *self.notes])


def anonymize(
    table: Mapping[str, Any],
    method: str,
    rng: np.random.Generator,
    kinds: Mapping[str, str] | None = None,
    k: int = 5,
    noise: float = 0.1,
    missing: str = DUMMY,
    categories_as: str = MOST_PROBABLE,
    place: tuple[str, str] | None = None,
    inside: Inside | None = None,
    decoding: str = CALIBRATED,
    ranges: Ranges | None = None,
    rules: Obey | str | None = None,
    whose: People | Sequence | np.ndarray | None = None,
    progress: Progress = silent,
) -> Anonymized:
    """Anonymise a table.

    Parameters
    ----------
    table : mapping of names to sequences of length n
        Numbers, truth values or text; None and NaN are missing.
    method : str
        One of :data:`METHODS`.
    rng : numpy.random.Generator
    kinds : mapping of names to str, optional
        See :func:`.learning.learn_coding`.
    k : int
        Fewest records of a group, for ``spectral_rhs``, ``rhs`` and ``microaggregation``.
    noise : float
        Variance of the noise as a share of the variance, for ``additive_noise``.
    missing : str
        ``dummy`` or ``complete``; see :func:`.learning.learn_coding`.
    categories_as : str
        ``probabilities``, ``most_probable`` or ``draw``; see :meth:`.coding.Coding.decode`.
        Methods that permute values leave categories as they are: probabilities are 0 and 1.
    place : (str, str), optional
        Names of the variables that are x and y; they are taken as continuous.
    inside : callable, optional
        Says of ``(b, 2)`` places which lie in the study area. Spectral swapping exchanges
        components until all do; with the other methods, and where that does not help, a point
        outside is drawn straight to the nearest released point inside until it is inside too.
    decoding : str
        ``calibrated``: every field but coordinates is fitted to the original's distribution, see
        :mod:`.calibration`; ``as_published``: numbers may lie beyond the range they had, and
        categories and truth values have other shares; ``calibrated_closely``: distributions of
        numbers are the original's to some records, which tells who is in the file, see
        :mod:`.smoothing`. Methods that permute values need none of these.
    ranges : mapping of names to (float, float), optional
        Numbers beyond are released as the end of the range, by every method: top and bottom
        coding. Infinite where there is no end.
    rules : callable or str, optional
        Says of rows of released columns which obey the rules between fields, as all originals
        do; or ``found``, see :mod:`.rules`. Spectral swapping, calibrated, draws the others anew.
    whose : People or sequence of length n, optional
        What names the person of each record, or who they are, where people have several: distributions are smoothed
        so that no person is told by them, instead of no record.
    progress : callable
        Told a fraction; may raise to cancel.

    Returns
    -------
    Anonymized

    Raises
    ------
    InputError
        If the table or a parameter cannot be worked with.
    """
    if method not in METHODS:
        raise InputError("The method must be one of: {methods}.", methods=", ".join(METHODS))
    if categories_as not in CATEGORIES_AS:
        raise InputError(
            "Categories are released as one of: {categories_as}.",
            categories_as=", ".join(CATEGORIES_AS),
        )
    if decoding not in DECODINGS:
        raise InputError(
            "Values are decoded as one of: {decodings}.", decodings=", ".join(DECODINGS)
        )
    kinds = dict(kinds or {})
    columns = observed_table(table, part(progress, 0.0, 0.05))
    if place is not None:
        lost = [name for name in place if name not in columns]
        if lost:
            raise InputError(
                "There is no variable {names} to be a coordinate.", names=", ".join(lost)
            )
        kinds.update(dict.fromkeys(place, CONTINUOUS))
    coding = learn_coding(columns, kinds, missing, part(progress, 0.05, 0.1))
    ranges = known(ranges or {}, coding)
    total = len(next(iter(columns.values())))
    if whose is not None and not isinstance(whose, People):
        whose = People.named(whose)
    if whose is not None and len(whose.of) != total:
        raise InputError(
            "Whose each record is must be said of every record: of {total:,} it is said of {count:,}.",
            total=total,
            count=len(whose.of),
        )
    refuse_unless_fits(
        6.0 * 8 * total * coding.width,
        Sentence(
            "{records} of {coded}",
            records=number_of(total, "record", "records"),
            coded=number_of(coding.width, "coded column", "coded columns"),
        ),
    )
    matrix, rows = coding.encode(columns, part(progress, 0.1, 0.16))
    # Whatever the method, a single record has nothing to hide in.
    matrix = as_matrix(matrix, progress=part(progress, 0.16, 0.17))
    accept = acceptance(coding, place, inside)
    obey = None
    if rules == FOUND:
        held = found_rules(columns, coding, place or (), part(progress, 0.17, 0.2))
        obey = all_obeyed(held) if held else None
    elif callable(rules):
        obey = rules
        every = {name: plain(column) for name, column in columns.items()}
        refuse_broken(obey, every, part(progress, 0.17, 0.2))
        del every  # as large as the table
    notes = beyond(columns, ranges) + notes_of_people(whose is not None, method, decoding)
    if method not in PERMUTE:
        columns = {}  # as large as the table
    work = part(progress, 0.2, 0.8)
    sources = source = basis = group = axes = None
    fits = decoding != AS_PUBLISHED and method not in PERMUTE
    if fits:
        chance = Chance(rng)
        to_fit = partial(
            calibrated,
            coding,
            categories_as=categories_as,
            chance=chance,
            left=place or (),
            closely=decoding == CLOSELY,
        )
        people = None if whose is None else whose.some(rows)
        fit = partial(to_fit, matrix, whose=None if people is None else people.of)
    if method == SPECTRAL_SWAPPING:
        basis = decompose(matrix, part(work, 0.0, 0.6))
        axes = len(basis.scores)
        _refuse_one_axis(coding, axes)
        redraws = obey is not None and fits
        tell = redraws or accept is not None
        source = permute(basis.scores, rng, tell, part(work, 0.6, 0.7))
        if fits and categories_as != PROBABILITIES:
            asked = chance.sample(len(matrix), DECODED)
            own = None if people is None else people.some(asked).of
            some = partial(to_fit, matrix[asked], whose=own)
            basis = corrected(basis, coding.blocks, some, part(work, 0.7, 0.85))
            del some
        coded = assembled(basis, source, accept, rng, part(work, 0.85, 1.0))
        if not redraws:
            basis = source = None  # it is as large as the table
    elif method == SPECTRAL_RHS:
        coded, group = spectral_rhs(matrix, k, rng, work)
    elif method == RHS:
        coded, group = recursive_histogram(matrix, k, work)
    elif method == MICROAGGREGATION:
        coded, group = mdav(matrix, k, work)
    elif method == GAUSSIAN_COPULA:
        coded = gaussian_copula(matrix, rng, work)
    elif method == ADDITIVE_NOISE:
        coded = additive_noise(matrix, noise, rng, work)
    else:
        if method == CELL_SWAPPING:
            sources = swapped_rows(len(matrix), len(coding.variables), rng, part(work, 0, 0.8))
        else:
            sources = shuffled_rows(matrix, rng, part(work, 0.0, 0.8), coding.blocks)
        coded = take_rows(matrix, sources, coding.blocks, part(work, 0.8, 1.0))
    moved = 0
    if place is not None and inside is not None:
        moved = draw_inside(coded, coding, place, inside, part(progress, 0.8, 0.85))
    fitted, chosen, broken = coded, categories_as, 0
    if fits:
        chosen = PROBABILITIES if categories_as == PROBABILITIES else MOST_PROBABLE
        if basis is None or source is None or obey is None:
            fitted, _ = fit(coded, progress=part(progress, 0.85, 0.95))
        else:
            values_of = lambda some: within(coding.decode(some, chosen, rng), ranges)  # noqa: E731
            ahead = part(progress, 0.85, 0.95)
            fitted, broken = redrawn(basis, source, coded, fit, values_of, obey, accept, rng, ahead)
    drawn_anew = source is not None
    basis = source = None  # as large as the table
    order = rng.permutation(len(matrix))
    ahead = part(progress, 0.95, 0.96)
    as_it_was, row = fitted is coded, rows[order]
    coded = interruptible(partial(np.take, coded, order, 0), ahead)
    if sources is None:
        fitted = coded if as_it_was else interruptible(partial(np.take, fitted, order, 0), ahead)
        released = coding.decode(fitted, chosen, rng, part(progress, 0.96, 0.98))
    else:
        released = _permuted(
            coding, columns, rows, sources[:, order], categories_as, part(progress, 0.96, 0.98)
        )
        if moved:
            exact = coding.decode(coded, categories_as, rng)
            released.update({name: exact[name] for name in place or ()})
    released = within(released, ranges)
    left = 0
    if obey is not None:
        left = int(np.count_nonzero(~asked_in_turn(obey, released, part(progress, 0.98, 1.0))))
    progress(1.0)
    return Anonymized(
        released,
        coding,
        coded,
        row,
        method in CORRESPOND,
        None if group is None else group[order],
        total - len(rows),
        moved,
        notes_of(
            method, coding, matrix, axes, group, total - len(rows), moved, categories_as, decoding
        )
        + notes
        + notes_of_rules(broken, left, drawn_anew),
        left,
    )


def _refuse_one_axis(coding: Coding, axes: int) -> None:
    """Refuse to swap where all variables say the same, so that records would come back whole."""
    if axes == 1 and sum(not variable.is_constant for variable in coding.variables) > 1:
        raise InputError(
            "All fields lie on one line: each follows from any other, or there are two records"
            " only. Spectral swapping would release every record as it is, in another order."
            " Leave out all of these fields but one, add others, or choose another method."
        )


def _permuted(
    coding: Coding,
    columns: Mapping[str, Observations],
    rows: np.ndarray,
    sources: np.ndarray,
    categories_as: str,
    progress: Progress,
) -> dict[str, np.ndarray]:
    """The very values of the table, each variable in an order of its own."""
    released: dict[str, np.ndarray] = {}
    for number, (variable, source) in enumerate(zip(coding.variables, sources)):
        progress(number / len(sources))
        column = columns[variable.name].take(rows[source])
        if variable.kind == CATEGORICAL and categories_as == PROBABILITIES:
            fields = coding.probability_fields[variable.name]
            for field, level in zip(fields, variable.levels):
                has = ~column.present if level is None else column.values == level
                released[field] = (has & (column.present | (level is None))).astype(float)
        else:
            released[variable.name] = plain(column)
    return released
