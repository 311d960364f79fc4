# SPDX-License-Identifier: GPL-2.0-or-later
"""What an algorithm is handed: its parameters as they were settled, and the run itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Callable

import numpy as np
from qgis.core import QgsProcessingFeatureSource, QgsProcessingParameterDefinition

from ..compat import is_null
from ..core.runtime.errors import InputError
from ..core.runtime.progress import Progress, part
from ..core.verdict import LIMIT, Verdict
from ..report import Report
from . import settling, verdicts
from .dialog import numbers
from .dialog.declaration import RELEASE
from .dialog.numbers import LARGEST_SEED
from .i18n import number_of, tr
from .layers import destinations, fieldnames, reading, sources
from .layers.reading import PointTable
from .wording import named
from .writing import Outputs


@dataclass(frozen=True)
class Result:
    """What an algorithm comes to, besides the layers and files that it has written.

    Attributes
    ----------
    numbers : dict
        The declared values by name, without those that do not exist.
    verdict : Verdict or None
        The report opens with it, the log ends with it.
    steps : sequence of str
        What to do next, one to three sentences.
    not_run : sequence of str
        Attacks that the verdict says nothing about, and why they were not run.
    report : callable or None
        Makes the report, told a progress; called only if somebody wants it.
    """

    numbers: dict[str, Any]
    verdict: Verdict | None = None
    steps: Sequence[str] = ()
    not_run: Sequence[str] = ()
    report: Callable[[Progress], Report] | None = None


def existing(numbers: dict[str, float]) -> dict[str, float]:
    """Return numbers without those that are none (NaN) or have no end."""
    endless = (float("inf"), -float("inf"))
    return {
        name: value for name, value in numbers.items() if value == value and value not in endless
    }


class Given:
    """The parameters of an algorithm; every reader takes a name.

    Attributes
    ----------
    algorithm : GeoAnonAlgorithm
    parameters : dict
    context : QgsProcessingContext
    """

    def __init__(self, algorithm, parameters: dict[str, Any], context):
        self.algorithm = algorithm
        self.parameters = parameters
        self.context = context

    def has(self, name: str) -> bool:
        """Tell whether something was given."""
        value = self.parameters.get(name)
        return not is_null(value) and value != ""

    def source(self, name: str) -> QgsProcessingFeatureSource | None:
        """Return a source; None when it is optional and not given.

        Raises
        ------
        InputError
            If a layer is named that cannot be opened.
        """
        source = self.algorithm.parameterAsSource(self.parameters, name, self.context)
        if source is None:
            definition = self.algorithm.parameterDefinition(name)
            optional = definition.flags() & QgsProcessingParameterDefinition.Flag.FlagOptional
            if not (optional and is_null(self.parameters.get(name))):
                raise InputError(self.algorithm.invalidSourceError(self.parameters, name))
        return source

    def layer(self, name: str):
        """Return a vector layer."""
        return self.algorithm.parameterAsVectorLayer(self.parameters, name, self.context)

    def raster(self, name: str):
        """Return a raster layer.

        Raises
        ------
        InputError
            If a layer is named that cannot be opened.
        """
        layer = self.algorithm.parameterAsRasterLayer(self.parameters, name, self.context)
        if layer is None or not layer.isValid():
            raise InputError(
                tr("The raster {name} cannot be opened. Choose another layer.").format(name=name)
            )
        return layer

    def fields(self, name: str, source=None) -> list[str]:
        """Return the chosen fields; with a source spelt as there.

        Raises
        ------
        InputError
            If a field is named that the source does not have, or has in several cases; or none is
            and one must be, for which models do not ask.
        """
        given = self.algorithm.parameterAsStrings(self.parameters, name, self.context)
        definition = self.algorithm.parameterDefinition(name)
        if not any(given) and not numbers.may_be_empty(definition):
            raise InputError(
                tr("No field is chosen for “{parameter}”. Choose one in {name}.").format(
                    parameter=definition.description(), name=name
                )
            )
        return given if source is None else fieldnames.spelt_as_in(source.fields(), given)

    def field(self, name: str, source=None) -> str | None:
        """Return the first of the chosen fields, None without one."""
        return next(iter(self.fields(name, source)), None)

    def number(self, name: str) -> int | float | None:
        """Return a number, None when it was left empty; see :func:`.dialog.numbers.read`."""
        definition = self.algorithm.parameterDefinition(name)
        return numbers.read(definition, self.parameters.get(name), self.context)

    def numbers(self, name: str) -> list:
        """Return the numbers of a list that was typed; see :func:`.dialog.numbers.listed`."""
        definition = self.algorithm.parameterDefinition(name)
        return settling.listed(definition, self.parameters.get(name), self.context)

    def choice(self, name: str) -> str:
        """Return the chosen option."""
        return self.algorithm.parameterAsEnumString(self.parameters, name, self.context)

    def choices(self, name: str) -> list[str]:
        """Return the chosen options."""
        return self.algorithm.parameterAsEnumStrings(self.parameters, name, self.context)

    def flag(self, name: str) -> bool:
        """Return whether a box is checked."""
        return self.algorithm.parameterAsBool(self.parameters, name, self.context)

    def text(self, name: str) -> str:
        """Return a text, empty without one."""
        return self.algorithm.parameterAsString(self.parameters, name, self.context)

    def path(self, name: str) -> str:
        """Return a file or folder, empty without one."""
        return self.algorithm.parameterAsFile(self.parameters, name, self.context)

    def paths(self, name: str) -> list[str]:
        """Return files, none without any."""
        found = self.algorithm.parameterAsFileList(self.parameters, name, self.context)
        return [one for one in found if one]  # QGIS has one empty name for none

    def place_of(self, name: str) -> str:
        """Return where an output goes, as a parameter of another run; empty for none."""
        return destinations.named_output(self.algorithm, self.parameters, name, self.context)

    def rng(self) -> np.random.Generator:
        """Return the generator of SEED, the operating system's without one."""
        return np.random.default_rng(self.number("SEED"))

    def acceptable(self) -> float:
        """Return the limit that the verdict is held against."""
        given = self.number(verdicts.ACCEPTABLE)
        return LIMIT if given is None else given

    def same_layer(self, one: str, other: str, by_filter: bool = False) -> bool:
        """Tell whether two parameters name one layer; see :func:`.layers.sources.same_layer`."""
        return sources.same_layer(
            self.algorithm, self.parameters, one, other, self.context, by_filter
        )


def _releases(algorithm) -> bool:
    """Whether an algorithm puts something out that is to be given away."""
    return any(getattr(one, "secrecy", None) == RELEASE for one in algorithm.OUTPUTS)


class Run(Given):
    """One run: reads, tells, deals the progress out, and writes.

    Attributes
    ----------
    feedback : QgsProcessingFeedback
    outputs : Outputs
    reported : bool
        Whether somebody wants the report or its figures.
    """

    def __init__(self, algorithm, parameters, context, feedback, audit=None):
        super().__init__(algorithm, parameters, context)
        self.feedback = feedback
        self.outputs = Outputs(algorithm, parameters, context, feedback, audit)
        steps = dict(algorithm.STEPS)
        self.reported = any(
            one.name in ("REPORT", "JSON") and self.outputs.wanted(one.name)
            for one in algorithm.OUTPUTS
        )
        if not self.reported:
            steps.pop("report", None)
        self._steps = dict(_slices(steps))
        if "write" in self._steps:
            self.outputs.deal_out(self.step("write"))

    def rng(self) -> np.random.Generator:
        """Return the generator of SEED; warn of one where something is released."""
        if self.number("SEED") is not None and _releases(self.algorithm):
            self.warn(
                tr(
                    "A seed was given (SEED). There are {all:,} only, and an adversary who knows "
                    "the method and a single place can try them: small numbers take him seconds, "
                    "all of them days. With the right one he repeats this run, and nothing of it "
                    "is secret. Leave SEED empty for what you release."
                ).format(all=LARGEST_SEED + 1)
            )
        return super().rng()

    # --- progress ------------------------------------------------------------------------------

    @property
    def progress(self) -> Progress:
        """The whole bar; asks whether to go on."""
        return self.outputs.progress

    def step(self, *names: str) -> Progress:
        """Return the share of the bar of one step of the algorithm's ``STEPS``, or of several.

        What is no step of its own takes no time: it stands at the end.
        """
        slices = [self._steps.get(name, (1.0, 1.0)) for name in names]
        return part(self.progress, slices[0][0], slices[-1][1])

    def ends(self) -> dict[str, float]:
        """Return where on the bar each step ends, in their order."""
        return {name: end for name, (_, end) in self._steps.items()}

    # --- telling -------------------------------------------------------------------------------

    def tell(self, *sentences: str) -> None:
        """Say sentences in the log."""
        for sentence in sentences:
            self.feedback.pushInfo(sentence)

    def warn(self, *sentences: str) -> None:
        """Say sentences in the log as warnings."""
        for sentence in sentences:
            self.feedback.pushWarning(sentence)

    # --- reading -------------------------------------------------------------------------------

    def points(
        self,
        source: QgsProcessingFeatureSource,
        progress: Progress,
        fields: Sequence[str] = (),
        crs=None,
        least: int = 0,
    ) -> PointTable:
        """Read a point layer and tell what is left out of it; ``least`` points must remain."""
        table = reading.read_points(source, self.context, progress, fields, crs)
        self.tell_left_out(table)
        if len(table) < least:
            raise InputError(
                tr(
                    "The layer has {points}, and {least} at least are needed. Choose another "
                    "layer, or select more features."
                ).format(
                    points=number_of(len(table), "usable point", "usable points"),
                    least=least,
                )
            )
        return table

    def tell_left_out(self, table: PointTable) -> None:
        """Say in the log how many features have no usable place and which dimensions go."""
        if table.left_out:
            reasons = Counter(reason for _, reason in table.left_out)
            self.warn(
                tr("{features} no usable place, left out: {reasons}.").format(
                    features=number_of(len(table.left_out), "feature has", "features have"),
                    reasons=", ".join(f"{count} {reason}" for reason, count in reasons.items()),
                )
            )
        if table.far:
            self.warn(
                tr(
                    "Places that lie so far from nearly all others that a mistake in their "
                    "coordinates is likely: {ids}. Check them."
                ).format(ids=named(table.far))
            )
        if table.had_z or table.had_m:
            self.tell(tr("Heights and measures (Z, M) are dropped."))


class Nested(Run):
    """A run of another algorithm as a part of this one, which writes nothing of its own.

    What is not handed over stands at the other algorithm's defaults. It tells what it finds in the
    log of this run, and its bar is a share of this one's.

    Parameters
    ----------
    run : Run
    kind : type of GeoAnonAlgorithm
    parameters : dict
        Of the other algorithm, by its names.
    progress : callable
        The share of the bar.
    """

    def __init__(self, run: Run, kind, parameters: dict[str, Any], progress: Progress):
        algorithm = kind()
        algorithm.initAlgorithm()
        parameters = settling.settled(algorithm, parameters, run.context)
        Given.__init__(self, algorithm, parameters, run.context)
        self.feedback, self.outputs, self.reported = run.feedback, run.outputs, False
        written = ("write", "report")
        steps = {name: share for name, share in algorithm.STEPS.items() if name not in written}
        self._steps = dict(_slices(steps))
        self._whole = progress

    @property
    def progress(self) -> Progress:
        """The share of the bar; asks whether to go on."""
        return self._whole


def sampled(table: PointTable, most: int, rng: np.random.Generator) -> tuple[PointTable, str]:
    """Return at most so many records, in their order, and a sentence if it is a sample."""
    if len(table) <= most:
        return table, ""
    said = tr("A random sample of {most:,} of {count:,} records was used.")
    rows = np.sort(rng.choice(len(table), most, replace=False))
    return table.taken(rows), said.format(most=most, count=len(table))


def _slices(steps: Mapping[str, float]) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield where each step begins and ends, by its weight among all."""
    whole, done = sum(steps.values()), 0.0
    for name, weight in steps.items():
        yield name, (done / whole, (done + weight) / whole)
        done += weight
