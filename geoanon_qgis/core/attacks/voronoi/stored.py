# SPDX-License-Identifier: GPL-2.0-or-later
"""Reversal of a Voronoi mask in the coordinates in which the masked points are stored.

The attack itself (:mod:`.reversal`) works in the plane in which the mask was made. Which
plane that was an adversary has to guess, and how far coordinates are rounded he can see.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...runtime.progress import Progress, part, silent
from ...space.planes import PLANE_CURVATURE_PER_M, PROJECTION_ERROR_M, Plane, working_plane
from ...space.points import coordinate_resolution, coordinate_step
from .result import VoronoiReversal
from .reversal import default_tolerance, reverse_voronoi


def reverse_stored(
    masked: np.ndarray,
    candidates: np.ndarray,
    wkt: str | None,
    *,
    tolerance: float | None = None,
    slack: float = 0.0,
    sigma: float = 0.0,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> tuple[Plane, VoronoiReversal, float]:
    """Attack in the plane in which the mask was most probably made.

    That is the plane GeoAnon would mask in. Where it leaves locations unexplained, the stored
    coordinates are tried as they are: many tools mask degrees as if they were metres.

    Parameters
    ----------
    masked : (n, 2) array
        Masked coordinates as they are stored.
    candidates : (N, 2) array
        Candidates in the same system.
    wkt : str or None
        The coordinate reference system of both.
    tolerance : float, optional
        In metres (or the unit of the coordinates where nothing is known of them); by default what
        the resolution of the masked coordinates calls for.
    slack : float
        By how much candidates may have been moved since, when they were transformed from another
        system, in the same unit.
    sigma : float
        Standard deviation of noise that was added to the masked points, in the same unit; 0 for none.
    rng : numpy.random.Generator
    progress : callable

    Returns
    -------
    Plane
        In which the attack was run.
    VoronoiReversal
        In terms of the rows of ``candidates``; its tolerance is in the plane's unit.
    float
        The tolerance as ``tolerance`` is given.

    Raises
    ------
    InputError
        As :func:`.reversal.reverse_voronoi` and :func:`...space.planes.working_plane` do.
    """
    plane = working_plane(masked, wkt)
    reversal, used = _attack(
        plane, masked, candidates, tolerance, slack, sigma, rng, part(progress, 0, 0.6)
    )
    if plane.is_local and reversal.accounted < 1:
        stored = replace(plane, centre=None, metres_per_unit=plane.length(1.0))
        other, other_used = _attack(
            stored, masked, candidates, tolerance, slack, sigma, rng, part(progress, 0.6, 1)
        )
        if other.accounted > reversal.accounted:
            return stored, other, other_used
    return plane, reversal, used


def rounded_to(masked: np.ndarray, candidates: np.ndarray) -> float:
    """Step to which masked coordinates were rounded, in their unit; 0 for none.

    Midpoints of candidates that lie on a grid lie on one of half its step, without any rounding: a
    wider step than that is what rounding left.

    Parameters
    ----------
    masked, candidates : (n, 2) and (N, 2) arrays
        As they are stored.
    """
    step, own = coordinate_step(masked), coordinate_step(candidates)
    return step if step > 0.5 * own * (1 + 1e-9) else coordinate_resolution(masked)


def _attack(
    plane: Plane,
    masked: np.ndarray,
    candidates: np.ndarray,
    given: float | None,
    slack: float,
    sigma: float,
    rng: np.random.Generator,
    progress: Progress,
) -> tuple[VoronoiReversal, float]:
    """Attack in one plane; also return the tolerance in metres."""
    released, half, step = plane.forward(masked), None, rounded_to(masked, candidates)

    def stored(xy: np.ndarray) -> np.ndarray:
        return plane.forward(np.round(plane.inverse(xy) / step) * step)

    if given is None:
        resolution = plane.length(step)
        error = slack + (PROJECTION_ERROR_M if plane.is_local else 0.0)
        tolerance = default_tolerance(resolution, released) + error / plane.metres_per_unit
        if not plane.is_local:  # rounded along the axes of the plane
            half = resolution / 2
    else:
        tolerance = given / plane.metres_per_unit
    # A national list may reach round the globe; what is that far away was no neighbour.
    near = np.flatnonzero(plane.holds(candidates))
    reversal = reverse_voronoi(
        released,
        plane.forward(candidates[near]),
        tolerance=tolerance,
        half=half,
        sigma=sigma / plane.metres_per_unit,
        stored=stored if step > 0 else None,
        rng=rng,
        curvature=PLANE_CURVATURE_PER_M if plane.is_local else 0.0,
        progress=progress,
    )
    return reversal.with_candidate_rows(near), tolerance * plane.metres_per_unit
