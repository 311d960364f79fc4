# SPDX-License-Identifier: GPL-2.0-or-later
"""What is kept of the pattern: centres, nearest neighbours, Ripley's K, L and cross-K."""

from __future__ import annotations

from typing import Any, Callable, TypeVar

from ....core.measures.centre import drift
from ....core.measures.envelopes import compare_ripley
from ....core.measures.kde import compare_densities
from ....core.measures.nearest import compare_nearest
from ....core.measures.window import Window
from ....core.runtime.errors import InputError
from ....core.runtime.progress import weighted
from ...i18n import number_of, tr, translated
from ...running import Run
from .measured import Paired, Patterns

Found = TypeVar("Found")


def patterns(run: Run, paired: Paired) -> Patterns:
    """Compare all original with all released points, whoever they are."""
    said: list[str] = []
    warned: list[str] = []

    def tried(made: Callable[..., Found], *given: Any, **more: Any) -> Found | None:
        """What can be made of these points; why not is told."""
        try:
            return made(*given, **more)
        except InputError as error:
            warned.append(translated(error.sentence))
            return None

    of_area, of_centres, of_densities, of_nearest, of_ripley = weighted(
        run.step("patterns"), 2, 3, 5, 5, 85
    )
    before, after = paired.before, paired.after
    areas = paired.polygons(run, "AREA", of_area)
    moved = drift(before, after, of_centres)
    if areas is not None:
        window: Window | None = Window.of(areas.shapes)
        said.append(tr("Window of the pattern: the area “{name}”.").format(name=areas.name))
    else:
        window = tried(Window.around, before)
        said.append(
            tr(
                "Window of the pattern: the convex hull of the original points, widened for its area."
            )
        )
    densities = tried(compare_densities, before, after, None, window, progress=of_densities)
    if densities is not None:
        said.append(
            tr("Kernel densities: Gaussian, with a bandwidth of {width:,.4g} {unit}.").format(
                width=densities.bandwidth, unit=paired.unit
            )
        )
    if window is None:
        return Patterns(moved, densities=densities, said=said[1:], warned=warned)
    outside = [int((~window.contains(xy)).sum()) for xy in (before, after)]
    if any(outside):
        said.append(
            tr(
                "Outside it, and not in nearest-neighbour index, K and L: {before} of the original, "
                "{after} of the release."
            ).format(
                before=number_of(outside[0], "point", "points"),
                after=number_of(outside[1], "point", "points"),
            )
        )
    simulations = run.number("SIMULATIONS")
    nearest = tried(compare_nearest, before, after, window, of_nearest)
    ripley = tried(
        compare_ripley,
        before,
        after,
        window,
        run.rng(),
        progress=of_ripley,
        simulations=simulations,
        row=paired.row,
    )
    if ripley is not None and ripley.before.centres < ripley.before.points:
        said.append(
            tr(
                "K and L: a random sample of {share:.0%} of the records is asked about its "
                "neighbours, the same before and after."
            ).format(share=ripley.before.centres / ripley.before.points)
        )
    return Patterns(moved, window, nearest, ripley, densities, said, warned)
