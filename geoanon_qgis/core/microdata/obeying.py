# SPDX-License-Identifier: GPL-2.0-or-later
"""Records that break a rule between fields are drawn anew, as far as swapping can."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, part, shares, silent
from ..runtime.wording import number_of
from .calibration import Again
from .matrices import block_rows
from .rules import Obey
from .spectral import SpectralBasis, exchange

#: Rounds of fitting fields and exchanging components; so small a share of records that then break
#: a rule moves no distribution when it is exchanged.
_FITS, _FEW = 12, 5e-4
#: Records that are looked at without asking whether to go on.
_AT_ONCE = 10_000
Values = Mapping[str, np.ndarray]


def asked_in_turn(obey: Obey, columns: Values, progress: Progress = silent) -> np.ndarray:
    """Say which rows obey, ``(n,)`` bool, a few rows at a time: an expression is slow."""
    good = np.ones(len(next(iter(columns.values()))), dtype=bool)
    for rows in chunks(len(good), _AT_ONCE, progress):
        good[rows] = obey({name: values[rows] for name, values in columns.items()})
    return good


def refuse_broken(obey: Obey, columns: Values, progress: Progress = silent) -> None:
    """Refuse rules that originals break.

    Raises
    ------
    InputError
        Saying which one, if they are written, and by how many.
    """
    ahead = shares(progress, 2)
    broken = int(np.count_nonzero(~asked_in_turn(obey, columns, next(ahead))))
    if not broken:
        return
    written = getattr(obey, "parts", {})
    for (rule, one), step in zip(written.items(), shares(next(ahead), len(written))):
        alone = int(np.count_nonzero(~asked_in_turn(one, columns, step)))
        if alone:
            raise InputError(
                "The rule “{rule}” is broken by {records} of the original, so that it is none. "
                "Correct the records or the rule.",
                rule=rule,
                records=number_of(alone, "record", "records"),
            )
    raise InputError(
        "A rule is broken by {records} of the original, so that it is none. Correct the "
        "records or the rule.",
        records=number_of(broken, "record", "records"),
    )


def redrawn(
    basis: SpectralBasis,
    source: np.ndarray,
    coded: np.ndarray,
    fit: Callable[..., tuple[np.ndarray, Again]],
    values_of: Callable[[np.ndarray], Values],
    obey: Obey,
    accept: Callable[[np.ndarray], np.ndarray] | None,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> tuple[np.ndarray, int]:
    """Exchange components of records that break a rule until they obey, as far as they can.

    An exchange moves the distributions, so that fields are fitted again afterwards, and the few who
    break a rule by that exchange once more.

    Parameters
    ----------
    basis, source : SpectralBasis and (r, n) int array
        As :func:`.spectral.permute` left them; they change.
    coded : (n, m) array
        The records, which change.
    fit : callable
        Fits records to the original, see :func:`.calibration.calibrated`.
    values_of : callable
        Makes released values of fitted records.
    obey : callable
    accept : callable, optional
        Which coded records lie where they may.
    rng : numpy.random.Generator
    progress : callable

    Returns
    -------
    fitted : (n, m) array
    broken : int
        Records that broke a rule at first.
    """
    first, fitted, again = None, coded[:0], None
    for ahead in shares(progress, _FITS):
        del fitted, again  # as large as the table each, before the next ones are made
        fitted, again = fit(coded, progress=part(ahead, 0.0, 0.2))
        good = _obeying(fitted, values_of, obey, part(ahead, 0.2, 0.3))
        broken = int(np.count_nonzero(~good))
        first = broken if first is None else first
        if not broken:
            break
        allowed = good if accept is None else good & _asked(coded, accept)
        _exchanged(
            basis, source, coded, fitted, again, values_of, obey, accept, allowed, rng, ahead
        )
        if broken <= _FEW * len(coded):
            break
    progress(1.0)
    return fitted, first or 0


def _obeying(
    fitted: np.ndarray, values_of: Callable, obey: Obey, progress: Progress = silent
) -> np.ndarray:
    good = np.ones(len(fitted), dtype=bool)
    for rows in chunks(len(fitted), _AT_ONCE, progress):
        good[rows] = obey(values_of(fitted[rows]))
    return good


def _asked(coded: np.ndarray, accept: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    rows_of = chunks(len(coded), block_rows(coded.shape[1]))
    return np.concatenate([accept(coded[rows]) for rows in rows_of]).astype(bool)


def _exchanged(
    basis, source, coded, fitted, again, values_of, obey, accept, allowed, rng, progress
) -> None:
    """One round of exchanges, which ``fitted`` follows."""
    seen = {"fitted": fitted[:0]}

    def judged(some: np.ndarray, rows: np.ndarray) -> np.ndarray:
        seen["fitted"] = again(some, rows)
        good = np.asarray(obey(values_of(seen["fitted"])), dtype=bool)
        return good if accept is None else good & np.asarray(accept(some), dtype=bool)

    def taken(rows: np.ndarray, which: np.ndarray) -> None:
        fitted[rows] = seen["fitted"][which]

    exchange(basis, source, coded, judged, rng, part(progress, 0.3, 1.0), taken, allowed)
