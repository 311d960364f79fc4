# SPDX-License-Identifier: GPL-2.0-or-later
"""Who is who where noise moved places or distances, given a way to lay the map.

Everything that says how sure a match is, is known or can be learnt without looking at matches: how far
places err, from releases that one makes oneself (:func:`.model.prepare`), and where strangers live, from
the known people (:class:`.population.Population`). Fitted to the matches, the error comes out too small,
since of all candidates those that lie near are taken for the right ones. Only the turn of the map is fitted.
How many people are in both files nobody knows, nor how often strangers share labels with who lives there;
every number of both counts by how probable it makes the whole release; in each match all ways to match the
others count.
"""

from __future__ import annotations

import numpy as np

from ...runtime.progress import Progress, part, shares, silent
from .assignment import Placed, ways_of
from .population import Population, gaussian
from .reconstruction import PRIOR, laid

#: Rounds of turning the map; those of messages in each; those after which strangers are counted anew.
_ROUNDS, _MESSAGES, _STRANGERS = 25, 20, (0, 3, 9, 16)
#: Errors of a place by which a map turns that lies still.
_STILL = 0.01
#: Part of a message that is sent anew.
_DAMPING = 0.5
#: Change of a message below which none is sent any more.
_SETTLED = 1e-4
#: Probability of being known from which a record turns the map, and how many of these it takes.
_SEEN, _LEAST = 0.05, 4
#: Numbers of people in both files that are tried, twice; how rare a number of families is left out.
_NUMBERS, _RARE = 9, 0.01
#: Least and most people in both files, the latter as a share of the smaller one.
_FEWEST, _MOST = 0.2, 0.98
#: Odds below which a candidate is left out of all ways to match.
_NEVER = 1e-9
#: Standard deviations by which strangers may stand where few are expected and the map lie right.
_USUAL = 1.0


def matched(
    odds: np.ndarray, target: np.ndarray, identification: np.ndarray, shape: tuple[int, int]
) -> tuple[np.ndarray, float]:
    """Probability of candidates when each record and each person is matched once at most.

    Parameters
    ----------
    odds : (v,) array
        How much likelier two files are with a match than without, all else alike.
    target, identification : (v,) int arrays
    shape : (int, int)
        Records and people.

    Returns
    -------
    (v,) array
        Those of a record, and of a person, sum to one at most.
    float
        Logarithm of the sum over all ways to match, of the products of their odds.

    Notes
    -----
    Sums over all ways to match are permanents, which nobody can work out; belief propagation is exact
    where candidates make no circles, and close where no few of them rule (Huang & Jebara 2009,
    arXiv:0908.1769; Watanabe & Chertkov 2010, doi 10.1088/1751-8113/43/24/242002, of the sum).
    """
    records, people = shape
    some, every = np.flatnonzero(odds > _NEVER), len(odds)
    odds, target, identification = odds[some], target[some], identification[some]
    free_target, free_known = np.ones(len(odds)), np.ones(len(odds))
    for _ in range(_MESSAGES):
        before = free_target
        asked = odds * free_known
        others = np.bincount(target, asked, minlength=records)[target] - asked
        free_target = before + _DAMPING * (1 / (1 + np.maximum(others, 0)) - before)
        asked = odds * free_target
        others = np.bincount(identification, asked, minlength=people)[identification] - asked
        free_known += _DAMPING * (1 / (1 + np.maximum(others, 0)) - free_known)
        if np.abs(free_target - before).max(initial=0) < _SETTLED:
            break
    both = odds * free_target * free_known
    ways = np.log1p(np.bincount(target, odds * free_known, minlength=records)).sum()
    ways += np.log1p(np.bincount(identification, odds * free_target, minlength=people)).sum()
    found = np.zeros(every)
    found[some] = both / (1 + both)
    return found, float(ways - np.log1p(both).sum())


def place_noisy(
    places: np.ndarray,
    known: np.ndarray,
    candidates: tuple[np.ndarray, np.ndarray],
    errors: np.ndarray,
    population: Population,
    progress: Progress = silent,
) -> Placed:
    """Match records with known entities by place.

    Parameters
    ----------
    places : (n1, 2) array
        Where records seem to be; the whole map may be somewhat turned and shifted.
    known : (n2, 2) array
    candidates : (v,) and (v,) int arrays
        Records, and known entities, of candidate matches.
    errors : (2, c) array
        Variances of a place on either axis, and how often each occurs.
    population : Population
    progress : Progress

    Returns
    -------
    Placed
    """
    target, identification = candidates
    shape = len(places), len(known)
    both, now = PRIOR * min(shape), places
    likeliest = int(population.often[1].argmax())
    error = float(np.sqrt(errors[0] @ errors[1]))
    reach = float(np.sqrt(known.var(axis=0).mean())) / error
    if reach < 1:  # places say nothing: matches that turned a map would only fit it to themselves
        now = np.repeat(known.mean(axis=0)[None], len(places), axis=0)

    def strangers(steps: Progress) -> np.ndarray:
        """Density of strangers where records stand now: it counts in step with the known people's."""
        return sum(
            share * population.density(now, variance, target, identification, step)
            for (variance, share), step in zip(errors.T.tolist(), shares(steps, errors.shape[1]))
        )

    def kernels() -> np.ndarray:
        off = ((now[target] - known[identification]) ** 2).sum(axis=1)
        return np.stack([share * gaussian(off, one) for one, share in errors.T.tolist()])

    for number, steps in enumerate(shares(part(progress, 0.0, 0.6), _ROUNDS)):
        steps(0.0)
        if number in _STRANGERS:
            others = strangers(steps)[likeliest, target]
        parts = kernels()
        both = min(max(both, _FEWEST), _MOST * min(shape))
        odds = parts.sum(axis=0) / others * _prior(both, shape)
        confidence, _ = matched(odds, target, identification, shape)
        both = float(confidence.sum())
        # Who may lie wide says little of how the map lies.
        narrow = (errors[0].min() / errors[0]) @ parts / np.maximum(parts.sum(axis=0), 1e-300)
        if reach < 1:
            continue
        before, now = now, _turned(now, known, target, identification, confidence * narrow)
        if number > _STRANGERS[1] and ((now - before) ** 2).mean() < _STILL**2 * errors[0].min():
            break
    others = strangers(part(progress, 0.6, 0.7))
    there = np.log(np.maximum(others[:, np.unique(target)], 1e-300))
    some = population.often[1] > _RARE
    # Each law of strangers counts by how well it foretells those who stand here, too.
    often = _shares(np.log(population.often[1, some]) + there[some].sum(axis=1))
    ratios = kernels().sum(axis=0) / others[some][:, target]
    confidence, likelihood = _averaged(
        ratios, often, both, target, identification, shape, part(progress, 0.7, 1.0)
    )
    both = float(confidence.sum())
    evidence = likelihood - _ways(population, there[likeliest], both, reach)
    return Placed(confidence, now, error, both / shape[0], evidence)


def _ways(population: Population, there: np.ndarray, both: float, reach: float) -> float:
    """Logarithm of the ways to lay a map that matches tell apart and strangers do not.

    Where labels go with places, or people live in villages, a map can be laid though nobody is known:
    it was not chosen for its matches. It lies right if strangers stand about as densely as strangers do.
    """
    mean, deviation = population.usual
    missing = len(there) * mean - float(there.sum())
    missing -= _USUAL * deviation * np.sqrt(len(there))
    matches = max(both, 1.0)
    held = ways_of(min(population.hold * len(there), matches), reach) - max(0.0, missing)
    return ways_of(matches, reach) - max(0.0, held)


def _shares(logs: np.ndarray) -> np.ndarray:
    shares = np.exp(logs - logs.max())
    return shares / shares.sum()


def _prior(both: float, shape: tuple[int, int]) -> float:
    """Odds of one match more, of so many records and people who are left."""
    return both / ((shape[0] - both) * (shape[1] - both))


def _averaged(ratios, often, likeliest, target, identification, shape, progress: Progress):
    """Confidence whatever the number of people in both files, and of families in one.

    Where a stranger next door often shares the label, half of all that agree may be right, or nobody:
    what is likeliest is no better than its neighbours, and all of them count.

    Returns
    -------
    (v,) array and float
        And the logarithm of how much likelier the files are with matches than without.
    """
    most = _MOST * min(shape)
    wide = np.geomspace(_FEWEST, most, _NUMBERS)
    # As far as the root of the number each way, which is what counts vary by.
    close = likeliest + np.linspace(-2, 2, _NUMBERS) * np.sqrt(max(likeliest, 1.0))
    numbers = np.unique(np.clip(np.r_[wide, close], _FEWEST, most))
    logs, found = [], []
    for at, both in enumerate(numbers.tolist()):
        progress(at / len(numbers))
        step = np.gradient(numbers)[at] if len(numbers) > 1 else 1.0
        prior = np.log(step) - 0.5 * np.log(both * (min(shape) - both))  # Jeffreys, of a share
        without = sum(one * np.log1p(-both / one) for one in shape) + both
        for ratio, weight in zip(ratios, np.log(often + 1e-300).tolist()):
            one, ways = matched(ratio * _prior(both, shape), target, identification, shape)
            logs.append(ways + without + prior + weight)
            found.append(one)
    progress(1.0)
    top = max(logs)
    # Of a share the prior is one in sum but for a factor of pi.
    likelihood = top + float(np.log(np.exp(np.array(logs) - top).sum() / np.pi))
    return _shares(np.array(logs)) @ np.stack(found), likelihood


def _turned(now, known, target, identification, weight) -> np.ndarray:
    """Turn and shift the map towards the matches, if there are some."""
    records = len(now)
    sure = np.bincount(target, weight, minlength=records)
    seen = np.flatnonzero(sure > _SEEN)
    if len(seen) < _LEAST:
        return now
    goal = np.stack(
        [np.bincount(target, weight * known[identification, a], minlength=records) for a in (0, 1)],
        axis=1,
    )
    turn, here, there = laid(now[seen], goal[seen] / sure[seen][:, None], sure[seen])
    return (now - here) @ turn + there
