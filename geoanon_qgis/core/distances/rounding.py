# SPDX-License-Identifier: GPL-2.0-or-later
"""Released distances with few digits that still never exceed the true ones.

Two things can lift a released distance over the true one: rounding up, and the last digits of
the computation. So distances are rounded down, and where a released digit lies so near to what
was computed that an error of the computation could decide, the true distance is looked at.
"""

from __future__ import annotations

from typing import Callable

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, silent

#: Decimals beyond which a double has no digits left for a distance on the Earth, and the
#: fewest that leave anything.
DECIMALS = range(-9, 13)
#: Distances rounded in one go: some 30 ms.
_BLOCK = 1_000_000
#: Pairs that the true distance is asked for in one go.
_ASKED = 50_000
#: Distances from which a common step is told; of fewer it may be chance.
_ENOUGH = 30


def round_down(
    condensed: np.ndarray,
    n: int,
    decimals: int,
    factor: float,
    exact: Callable[[np.ndarray, np.ndarray], np.ndarray],
    slack: float,
    progress: Progress = silent,
    out: np.ndarray | None = None,
    at_once: tuple[int, int] = (_BLOCK, _ASKED),
    multiple: int = 1,
) -> np.ndarray:
    """Round contracted distances down to the released unit, never above the true distance.

    The invariant holds between doubles, for every pair: released <= exact / factor. A
    distance within the slack below a released step is taken up to it if the true distance
    allows that, so that what is 0.3 but for the last digit stays 0.3.

    Parameters
    ----------
    condensed : (n (n - 1) / 2,) array
        Contracted distances in the unit of ``exact`` (metres), such as
        :func:`.lipschitz.embedded_distances` gives.
    n : int
        Number of points.
    decimals : int
        Of the released unit; negative for tens and hundreds.
    factor : float
        Units of ``condensed`` to a released unit: 1, or 1000 from metres to kilometres.
    exact : callable
        The true distances of the pairs (i, j), for two index arrays with i < j.
    slack : float
        By how much rounding errors can lift a contracted distance over the true one; see
        :meth:`.metrics.Metric.slack_at`. Taken three times, for the three distances involved.
    progress : callable
    out : array, optional
        Where the result goes; ``condensed`` itself to save memory.
    at_once : (int, int)
        Pairs in memory at a time, and pairs that ``exact`` is asked about.
    multiple : int
        How many of the last decimal make a step; see :func:`step_multiple`.

    Returns
    -------
    (n (n - 1) / 2,) array
        In the released unit; the doubles nearest to numbers with that many decimals.

    Raises
    ------
    InputError
        If the decimals are too many or too few to leave anything.
    """
    _check(decimals)
    out = np.empty_like(condensed) if out is None else out
    # Where a row's pairs begin; row i holds the pairs (i, i + 1) to (i, n - 1).
    first = np.concatenate([[0], np.cumsum(np.arange(n - 1, 0, -1))])
    for some in chunks(len(condensed), at_once[0], progress):
        value = condensed[some]
        # A little for the multiplications that follow, too.
        doubt = 3 * slack + 8 * np.finfo(float).eps * (value.max() if len(value) else 0.0)
        steps = np.floor(_steps((value + doubt) / factor, decimals, multiple))
        released = _value(steps, decimals, multiple)
        unsure = np.flatnonzero((released * factor > value - doubt) & (steps > 0))
        for part in chunks(len(unsure), at_once[1]):
            progress(some.start / len(condensed))
            at = unsure[part]
            position = at + some.start
            i = np.searchsorted(first, position, side="right") - 1
            j = position - first[i] + i + 1
            released[at] = _not_above(steps[at], exact(i, j) / factor, decimals, multiple)
        out[some] = released
    return out


def round_nearest(
    condensed: np.ndarray,
    decimals: int,
    factor: float,
    progress: Progress = silent,
    out: np.ndarray | None = None,
) -> np.ndarray:
    """Round distances to the nearest step of the released unit.

    For releases that promise no contraction, such as noisy or exact distances.

    Parameters
    ----------
    condensed : array
    decimals : int
        Of the released unit; negative for tens and hundreds.
    factor : float
        Units of ``condensed`` to a released unit.
    progress : callable
    out : array, optional
        Where the result goes; ``condensed`` itself to save memory.

    Returns
    -------
    array
        In the released unit.
    """
    _check(decimals)
    out = np.empty_like(condensed) if out is None else out
    for some in chunks(len(condensed), _BLOCK, progress):
        out[some] = _value(np.rint(_steps(condensed[some] / factor, decimals)), decimals)
    return out


def _check(decimals: int) -> None:
    if decimals not in DECIMALS:
        raise InputError(
            "The number of decimals must lie between {least} and {most}.",
            least=DECIMALS[0],
            most=DECIMALS[-1],
        )


def _steps(value: np.ndarray, decimals: int, multiple: int = 1) -> np.ndarray:
    return (value * 10.0**decimals if decimals >= 0 else value / 10.0**-decimals) / multiple


def _value(steps: np.ndarray, decimals: int, multiple: int = 1) -> np.ndarray:
    # Powers of ten are whole here, so that this is the double nearest to the decimal number.
    steps = steps * multiple
    return steps / 10.0**decimals if decimals >= 0 else steps * 10.0**-decimals


def _not_above(steps: np.ndarray, limit: np.ndarray, decimals: int, multiple: int) -> np.ndarray:
    """The largest released values of at most these steps that do not exceed the limit."""
    # One step down more may be needed where the product was rounded up.
    steps = np.minimum(steps, np.floor(_steps(limit, decimals, multiple)) + 1)
    for _ in range(3):
        steps = np.where(_value(steps, decimals, multiple) > limit, steps - 1, steps)
    # Where steps are finer than doubles, one step less is the same double.
    return np.minimum(_value(np.maximum(steps, 0.0), decimals, multiple), limit)


def round_down_to(condensed: np.ndarray, step: float) -> np.ndarray:
    """Round distances down to multiples of a step, for releases that are only tried out.

    What is really released goes through :func:`round_down`, which also heeds the last digits.

    Parameters
    ----------
    condensed : array
    step : float
        In the unit of the distances; 0 leaves them as they are.
    """
    return np.floor(condensed / step) * step if step else condensed


def step_multiple(step: float, factor: float, decimals: int) -> int:
    """Say how many of the last released decimal make a step.

    Parameters
    ----------
    step : float
        In the metric's unit (metres).
    factor : float
        Units of the metric to a released unit.
    decimals : int
        Of the released unit.

    Raises
    ------
    InputError
        If the step is not above zero, or cannot be written with that many decimals.
    """
    if not (np.isfinite(step) and step > 0):
        raise InputError("The step of the released distances must be a number above zero.")
    multiple = _whole(step, factor, decimals)
    if multiple is None:
        raise InputError(
            "Multiples of a step of {step:g} cannot be written in the released unit with "
            "{decimals} decimals. Release more decimals, or choose another step.",
            step=step,
            decimals=decimals,
        )
    return multiple


def decimals_for(step: float, factor: float, decimals: int) -> int:
    """Return the fewest decimals, ``decimals`` at least, that write multiples of a step.

    The arguments are those of :func:`step_multiple`. Where half a dozen more are not enough,
    ``decimals``.
    """
    several = range(decimals, decimals + 7)
    return next((one for one in several if _whole(step, factor, one)), decimals)


def _whole(step: float, factor: float, decimals: int) -> int | None:
    """A step in last decimals, if these are a whole number."""
    multiple = float(_steps(np.array(step / factor), decimals))
    near = round(multiple)
    return near if near >= 1 and abs(multiple - near) <= 1e-9 * near else None


def rounding_of(condensed: np.ndarray, down: bool) -> tuple[float, float]:
    """By how much released distances may stand below and above what they were before.

    Parameters
    ----------
    condensed : array
        Released distances.
    down : bool
        Whether they were rounded down, as embedded ones are, or to the nearest step.

    Returns
    -------
    (float, float)
        In their unit; zeros where no rounding can be told, as of nothing but zeros.
    """
    decimals = decimals_of(condensed) if condensed.any() else None
    step = 0.0 if decimals is None else 10.0**-decimals * _common(condensed, decimals)
    return (step, 0.0) if down else (step / 2, step / 2)


def _common(condensed: np.ndarray, decimals: int) -> int:
    """Largest number of last decimals of which all distances are multiples; of a handful, 1."""
    some = _steps(_sampled(condensed), decimals)
    some = some[some > 0]
    if len(some) < _ENOUGH or not (some < 2.0**53).all():
        return 1
    return int(np.gcd.reduce(np.rint(some).astype(np.int64)))


def decimals_of(condensed: np.ndarray) -> int | None:
    """Decimals that a release was rounded to: the fewest that write all its distances.

    Never more than it was rounded to, so that the step is never taken to be finer than it was;
    a handful of distances may all end in zeros by chance.

    Parameters
    ----------
    condensed : array
        Released distances; a thousand of them, evenly taken, are looked at. Some may have been
        kept in single precision on the way.

    Returns
    -------
    int or None
        None where they have more than any rounding leaves, or than can be told.
    """
    some = _sampled(condensed)
    with np.errstate(over="ignore"):
        single = (some == some.astype(np.float32)).all()
    least = 4 * np.finfo(float).eps
    precision = np.finfo(np.float32).eps if single else least
    for decimals in range(DECIMALS[0], 10):
        scaled = _steps(some, decimals)
        error = np.maximum(least, precision * np.abs(scaled))
        if ((np.abs(scaled - np.rint(scaled)) <= error) & (error < 0.25)).all():
            return decimals
    return None


def _sampled(condensed: np.ndarray) -> np.ndarray:
    """A thousand distances, evenly taken; all where there are fewer."""
    if not len(condensed):
        return condensed
    return condensed[np.unique(np.linspace(0, len(condensed) - 1, 1_000).astype(np.int64))]
