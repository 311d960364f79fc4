# SPDX-License-Identifier: GPL-2.0-or-later
"""Pictures and charts of a report, as data.

Series, dots and marks may be given as tuples of their fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Union

import numpy as np

from .frozen import assign, check_name, made, plain_tuple
from .values import plain

_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class Picture:
    """A PNG image, such as a rendered map.

    Parameters
    ----------
    png : bytes
        The file's bytes.
    caption : str
        The line below it.
    alt : str
        What is to be seen, for those who cannot see it; the caption when left out.
    """

    png: bytes
    caption: str
    alt: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        check_name(self.name)
        png = bytes(self.png)
        if len(png) < 24 or not png.startswith(_PNG_SIGNATURE):
            raise ValueError("a picture must be the bytes of a PNG file")
        assign(self, png=png)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, from the file's header."""
        return int.from_bytes(self.png[16:20], "big"), int.from_bytes(self.png[20:24], "big")


@dataclass(frozen=True)
class Mark:
    """A labelled line across a chart, such as the median: upright in ``marks``, level in
    ``limits``."""

    value: float
    label: str

    def __post_init__(self) -> None:
        assign(self, value=plain(self.value))


@dataclass(frozen=True)
class Histogram:
    """Counts in bins, as data; :meth:`of` makes one from raw values.

    Parameters
    ----------
    title : str
        What is distributed.
    edges, counts : sequences of float (m + 1,) and int (m,)
        The bins.
    x_label, x_unit, y_label : str
        Axes; ``y_label`` defaults to the writer's word for "count".
    marks : sequence of Mark
        Labelled vertical lines.
    above, maximum : int, float
        How many values lie beyond the last edge, and the largest of them; told below the chart.
    caption, alt, name : str
        Line below; text for those who cannot see it (default: title and caption); machine name.
    """

    title: str
    edges: Sequence[float]
    counts: Sequence[int]
    x_label: str
    x_unit: str = ""
    y_label: str = ""
    marks: Sequence[Mark] = ()
    above: int = 0
    maximum: float | None = None
    caption: str = ""
    alt: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        check_name(self.name)
        edges, counts = plain_tuple(self.edges), plain_tuple(self.counts)
        if len(edges) != len(counts) + 1 and (edges or counts):
            raise ValueError("a histogram needs one edge more than counts")
        assign(
            self,
            edges=edges,
            counts=counts,
            marks=made(Mark, self.marks),
            above=plain(self.above),
            maximum=plain(self.maximum),
        )

    @classmethod
    def of(
        cls,
        title: str,
        values: Any,
        x_label: str,
        x_unit: str = "",
        *,
        max_bins: int = 30,
        **fields: Any,
    ) -> Histogram:
        """Count ``values`` in bins with round edges.

        A long thin tail would squeeze everything else into one bar: when the largest per cent
        of the values takes more than half of the axis, the bins end where it begins and the
        values beyond are counted in ``above``.

        Parameters
        ----------
        values : array_like (n,)
            Values that are not finite are left out.
        max_bins : int
            At most this many bins (one more when no limit falls on a round number).
        **fields
            Any other field of the class.
        """
        values = np.asarray(values, dtype=float).ravel()
        values = values[np.isfinite(values)]
        if not values.size:
            return cls(title, (), (), x_label, x_unit, **fields)
        low, high = float(values.min()), float(values.max())
        tail = float(np.quantile(values, 0.99))
        top = tail if values.size >= 100 and low < tail and high - low > 2 * (tail - low) else high
        wanted = min(max_bins, max(5, int(np.ceil(np.sqrt(values.size)))))
        edges = _round_edges(low, top, wanted, max_bins)
        # a last edge such as 3 × 0.1 may fall a rounding error short of the largest value
        body = values[values <= max(top, edges[-1])]
        counts, _ = np.histogram(np.clip(body, edges[0], edges[-1]), edges)
        above = values.size - body.size
        return cls(
            title,
            edges.tolist(),
            counts.tolist(),
            x_label,
            x_unit,
            above=above,
            maximum=high if above else None,
            **fields,
        )


@dataclass(frozen=True)
class Bars:
    """One horizontal bar for each label, in the order given."""

    title: str
    labels: Sequence[str]
    values: Sequence[float]
    value_label: str
    unit: str = ""
    caption: str = ""
    alt: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        check_name(self.name)
        labels, values = tuple(str(v) for v in self.labels), plain_tuple(self.values)
        if len(labels) != len(values):
            raise ValueError("bars need as many labels as values")
        assign(self, labels=labels, values=values)


@dataclass(frozen=True)
class Series:
    """One line of a line chart; a missing ``y`` (NaN) breaks the line.

    Parameters
    ----------
    label : str
        For the legend.
    x, y : sequences of float (n,)
    low, high : sequences of float (n,), optional
        What lies around ``y``: an interval, quantiles, a standard error to either side. Both or
        neither; missing where there is none.
    """

    label: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()

    def __post_init__(self) -> None:
        x, y, low, high = map(plain_tuple, (self.x, self.y, self.low, self.high))
        if len(x) != len(y):
            raise ValueError("a series needs as many x as y")
        if len(low) != len(high) or len(low) not in (0, len(y)):
            raise ValueError("a series needs as many low and high as y, or none of them")
        assign(self, x=x, y=y, low=low, high=high)


@dataclass(frozen=True)
class Plot:
    """What stands between two axes.

    Parameters
    ----------
    title : str
    series : sequence
    x_label, y_label, x_unit, y_unit : str
        Axes.
    marks, limits : sequences of Mark
        Labelled lines: upright at values of x, level at values of y. The axes are stretched to
        hold the limits.
    x_log : bool
        Logarithmic x axis; ignored where an x is not above 0.
    caption, alt, name : str
        Line below; text for those who cannot see it (default: title and caption); machine name.
    """

    #: What each of ``series`` is.
    KIND: ClassVar[type] = object

    title: str
    series: Sequence[Any]
    x_label: str
    y_label: str
    x_unit: str = ""
    y_unit: str = ""
    marks: Sequence[Mark] = ()
    limits: Sequence[Mark] = ()
    x_log: bool = False
    caption: str = ""
    alt: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        check_name(self.name)
        marks, limits = made(Mark, self.marks), made(Mark, self.limits)
        assign(self, series=made(self.KIND, self.series), marks=marks, limits=limits)


@dataclass(frozen=True)
class Lines(Plot):
    """Lines over a common axis; else as :class:`Plot`. Marks beyond the axis are left out.

    Parameters
    ----------
    series : sequence of Series
        Lines of few points have a marker on each. What lies between ``low`` and ``high`` is
        drawn as a band.
    steps : bool
        Draw steps, for distribution functions.
    error_bars : bool
        Draw ``low`` to ``high`` as bars instead of a band: for estimates with their errors.
    """

    KIND = Series

    steps: bool = False
    error_bars: bool = False

    @classmethod
    def ecdf(
        cls, title: str, samples: Mapping[str, Any], x_label: str, y_label: str, **fields: Any
    ) -> Lines:
        """Return empirical distribution functions, one for each labelled sample.

        Parameters
        ----------
        samples : mapping of str to array_like (n,)
            Values that are not finite are left out. More than 200 are thinned to 201 quantiles.
        **fields
            Any other field of the class. The share is in percent unless ``y_unit`` says
            otherwise.
        """
        series = []
        for label, values in samples.items():
            values = np.asarray(values, dtype=float).ravel()
            values = np.sort(values[np.isfinite(values)])
            share = np.arange(1, values.size + 1) / max(values.size, 1)
            if values.size > 200:
                rank = np.unique(np.linspace(0, values.size - 1, 201).round().astype(int))
                values, share = values[rank], share[rank]
            share = share if "y_unit" in fields else share * 100
            series.append(Series(label, values.tolist(), share.tolist()))
        return cls(title, series, x_label, y_label, **{"y_unit": "%", "steps": True, **fields})


@dataclass(frozen=True)
class Dots:
    """One kind of dots in a scatter chart; a dot with a missing x or y is not drawn.

    Parameters
    ----------
    label : str
        For the legend.
    x, y : sequences of float (n,)
    joined : bool
        Join the dots by a line in their order, as along a Pareto front.
    notes : sequence of str (n,), optional
        A word to stand at each dot; ``""`` for none. Only as many as find room are drawn; the
        table has them all.
    """

    label: str
    x: Sequence[float]
    y: Sequence[float]
    joined: bool = False
    notes: Sequence[str] = ()

    def __post_init__(self) -> None:
        x, y = plain_tuple(self.x), plain_tuple(self.y)
        notes = tuple("" if note is None else str(note) for note in self.notes)
        if len(x) != len(y):
            raise ValueError("dots need as many x as y")
        if len(notes) not in (0, len(x)):
            raise ValueError("dots need a note for each of them, or none at all")
        assign(self, x=x, y=y, notes=notes)

    @property
    def places(self) -> tuple[tuple[float, float, str], ...]:
        """x, y and note of each dot that has a place."""
        notes = self.notes or ("",) * len(self.x)
        return tuple(
            dot for dot in zip(self.x, self.y, notes) if dot[0] is not None and dot[1] is not None
        )


@dataclass(frozen=True)
class Scatter(Plot):
    """Dots: risk against utility, or one drawing over another; else as :class:`Plot`.

    The axes are stretched to hold the marks.

    Parameters
    ----------
    series : sequence of Dots
        Each kind has a colour and a shape of its own; later ones lie on top.
    equal_axes : bool
        One scale for both axes: for what is a map.
    """

    KIND = Dots

    equal_axes: bool = False

    @property
    def count(self) -> int:
        """How many dots there are to draw."""
        return sum(len(dots.places) for dots in self.series)


Chart = Union[Histogram, Bars, Lines, Scatter]


def _round_edges(low: float, high: float, wanted: int, max_bins: int) -> np.ndarray:
    """Return at least two edges at multiples of 1, 2, 2.5 or 5 × 10^k that cover low..high."""
    scale = max(abs(low), abs(high))
    span = high - low
    if span <= scale * 1e-9 or span < 1e-290:  # one value, as far as round edges can tell
        half = 0.5 if scale < 1e-290 else 10.0 ** np.floor(np.log10(scale)) / 2
        return np.array([low - half, low + half])
    raw = span / wanted
    power = 10.0 ** np.floor(np.log10(raw))
    steps = [s * power for s in (1, 2, 2.5, 5, 10, 20) if span / (s * power) <= max_bins]
    step = min(steps, key=lambda s: abs(np.log(s / raw)))
    first, last = np.floor(low / step), np.ceil(high / step)
    return np.arange(first, max(last, first + 1) + 1) * step
