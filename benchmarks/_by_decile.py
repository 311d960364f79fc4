# SPDX-License-Identifier: GPL-2.0-or-later
"""Predicted against right, by tenths of the confidence, and how far off chance alone puts a tenth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

#: How far off a tenth may be, and the fewest matches of which that is asked.
_OFF, _MATCHES = 0.05, 50
#: Errors on each side within which chance puts 95 of 100 tenths.
_SIDES = 1.96


def deciles(title: str, draws: Sequence[tuple[np.ndarray, np.ndarray]]) -> None:
    """Print predicted against right, by decile.

    Parameters
    ----------
    title : str
    draws : sequence of two (k,) arrays
        What is said of the matches of each draw, and which are right.

    Notes
    -----
    The matches of one draw are right or wrong together, so that the error is of independent draws (Liang and
    Zeger 1986), and no less than that of independent matches. ``open``: further off than it may be, and no
    further than chance puts one that is off by less; only more draws can tell.
    """
    chance = np.concatenate([one for one, _ in draws])
    right = np.concatenate([one for _, one in draws]).astype(float)
    of_draw = np.repeat(np.arange(len(draws)), [len(one) for one, _ in draws])
    print(f"\n{title}: {len(draws)} draws\n")
    print(f"{'decile':12}{'matches':>8}{'predicted':>11}{'right':>8}{'off':>8}{'error':>8}")
    for low in np.arange(10) / 10:
        some = (chance >= low) & (chance < low + 0.1 + (low > 0.85))
        if not some.any():
            continue
        sure, miss = chance[some], chance[some] - right[some]
        number, off = len(miss), miss.mean()
        together = np.sqrt((np.bincount(of_draw[some], miss) ** 2).sum())
        error = max(together, np.sqrt((sure * (1 - sure)).sum())) / number
        print(
            f"{low:.1f} to {low + 0.1:.1f}  {number:8}{sure.mean():11.3f}"
            f"{right[some].mean():8.3f}{off:8.3f}{error:8.3f}  {_held(number, abs(off), error)}"
        )


def _held(number: int, off: float, error: float) -> str:
    if number < _MATCHES:
        return ""
    if off <= _OFF:
        return "ok"
    return "open" if off - _SIDES * error <= _OFF else "MISSED"
