# SPDX-License-Identifier: GPL-2.0-or-later
"""What a report says, without how it looks: frozen dataclasses that two writers turn into files.

Texts are plain text, already translated by the caller; the writers escape them. ``name`` is a
machine name (``[a-z][a-z0-9_]*``) that never changes between versions or languages: scripts
find a figure, a table or a chart in the JSON by it. A mistake in building a report is a
``ValueError``: it is the programmer's, not the user's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Union, get_args

import numpy as np

from .values import is_number, plain

_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
NOTICE_KINDS = ("info", "warning", "danger")


def _set(instance: Any, **fields: Any) -> None:
    """Assign normalised fields of a frozen dataclass from its ``__post_init__``."""
    for name, value in fields.items():
        object.__setattr__(instance, name, value)


def _check_name(name: str, needed: bool = False) -> None:
    if (name or needed) and not _NAME.match(name):
        raise ValueError(f"not a machine name (lower case, digits, underscores): {name!r}")


def _plain_tuple(values: Any) -> tuple[Any, ...]:
    return tuple(plain(value) for value in values)


def _plain_tree(value: Any) -> Any:
    """Return nested mappings and sequences with plain values, as JSON has them."""
    if isinstance(value, Mapping):
        return {str(key): _plain_tree(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain_tree(one) for one in value]
    return plain(value)


# --- text ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Paragraph:
    """Running text; a blank line in it starts a new paragraph."""

    text: str


@dataclass(frozen=True)
class Notice:
    """A framed remark. ``kind`` is ``"info"``, ``"warning"`` or ``"danger"``."""

    text: str
    kind: str = "info"
    title: str = ""

    def __post_init__(self) -> None:
        if self.kind not in NOTICE_KINDS:
            raise ValueError(f"kind must be one of {NOTICE_KINDS}, not {self.kind!r}")


@dataclass(frozen=True)
class Decision:
    """The first box of a report: what was decided, for whom it holds, and what it rests on.

    Parameters
    ----------
    name : str
        Machine name of the decision.
    kind : str
        ``"good"``, ``"info"``, ``"warning"`` or ``"danger"``.
    title : str
        The decision in words.
    meaning : str
        What it says and what it does not.
    rows : sequence of (str, str)
        Label and text.
    data : mapping
        The same for the JSON.
    """

    name: str
    kind: str
    title: str
    meaning: str
    rows: Sequence[tuple[str, str]] = ()
    data: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in ("good", *NOTICE_KINDS):
            raise ValueError(f"no kind of decision: {self.kind!r}")
        _check_name(self.name, needed=True)
        _set(self, rows=tuple(self.rows))


@dataclass(frozen=True)
class Reference:
    """A source in the literature or on the web.

    Parameters
    ----------
    text : str
        Authors, year, title, journal.
    url : str
        A DOI (``10.1007/...``) or an ``https``/``http`` address; anything else is shown as text.
    """

    text: str
    url: str = ""


@dataclass(frozen=True)
class Blanks:
    """Lines to be filled in by hand."""

    title: str
    labels: Sequence[str]

    def __post_init__(self) -> None:
        _set(self, labels=tuple(self.labels))


# --- numbers ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Figure:
    """One headline number.

    Parameters
    ----------
    name : str
        Machine name, unique in the report; the key in the JSON.
    label : str
        What the number is, for people.
    value : int, float, str, bool or None
        NumPy scalars are taken; NaN and infinities are shown as missing.
    unit : str
        Shown behind the value. With ``"%"`` the value is in percent already (69.2, not 0.692).
    note : str
        A line below the number.
    decimals : int, optional
        Fixed number of decimals; by default chosen for reading. The JSON keeps every digit.
    """

    name: str
    label: str
    value: Any
    unit: str = ""
    note: str = ""
    decimals: int | None = None

    def __post_init__(self) -> None:
        _check_name(self.name, needed=True)
        _set(self, value=plain(self.value))


@dataclass(frozen=True)
class Figures:
    """A row of headline numbers."""

    figures: Sequence[Figure]

    def __post_init__(self) -> None:
        _set(self, figures=tuple(self.figures))


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Parameters
    ----------
    name : str
        Key of the cells in the JSON's records.
    label : str
        Heading; the name when left out.
    unit : str
        Added to the heading in brackets.
    decimals : int, optional
        Fixed number of decimals; by default one number for the whole column.
    numeric : bool, optional
        Aligned right and grouped in thousands. By default found from the cells; say False for
        ids, which are labels though they are made of digits.
    """

    name: str
    label: str = ""
    unit: str = ""
    decimals: int | None = None
    numeric: bool | None = None

    def __post_init__(self) -> None:
        _set(self, label=self.label or self.name)


@dataclass(frozen=True)
class Table:
    """Rows of cells. A column may be given as a plain string: its name and heading in one.

    Column names are the caller's and may be those of the user's fields.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    caption: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        _check_name(self.name)
        columns = tuple(Column(c) if isinstance(c, str) else c for c in self.columns)
        rows = tuple(_plain_tuple(row) for row in self.rows)
        if len({column.name for column in columns}) != len(columns):
            raise ValueError("two columns of one table have the same name")
        if any(len(row) != len(columns) for row in rows):
            raise ValueError(f"every row needs {len(columns)} cells, one for each column")
        _set(self, columns=columns, rows=rows)

    def is_numeric(self, index: int) -> bool:
        """Tell whether column ``index`` holds numbers to be read as numbers."""
        told = self.columns[index].numeric
        if told is not None:
            return told
        cells = [row[index] for row in self.rows if row[index] is not None]
        return bool(cells) and all(is_number(cell) for cell in cells)


# --- pictures and charts ---------------------------------------------------------------------


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
        _check_name(self.name)
        png = bytes(self.png)
        if len(png) < 24 or not png.startswith(_PNG_SIGNATURE):
            raise ValueError("a picture must be the bytes of a PNG file")
        _set(self, png=png)

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
        _set(self, value=plain(self.value))


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
        _check_name(self.name)
        edges, counts = _plain_tuple(self.edges), _plain_tuple(self.counts)
        if len(edges) != len(counts) + 1 and (edges or counts):
            raise ValueError("a histogram needs one edge more than counts")
        _set(
            self,
            edges=edges,
            counts=counts,
            marks=tuple(self.marks),
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
        _check_name(self.name)
        labels, values = tuple(str(v) for v in self.labels), _plain_tuple(self.values)
        if len(labels) != len(values):
            raise ValueError("bars need as many labels as values")
        _set(self, labels=labels, values=values)


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
        x, y, low, high = map(_plain_tuple, (self.x, self.y, self.low, self.high))
        if len(x) != len(y):
            raise ValueError("a series needs as many x as y")
        if len(low) != len(high) or len(low) not in (0, len(y)):
            raise ValueError("a series needs as many low and high as y, or none of them")
        _set(self, x=x, y=y, low=low, high=high)


@dataclass(frozen=True)
class Lines:
    """Lines over a common axis.

    Parameters
    ----------
    title : str
    series : sequence of Series
        Lines of few points have a marker on each. What lies between ``low`` and ``high`` is
        drawn as a band.
    x_label, y_label, x_unit, y_unit : str
        Axes.
    steps : bool
        Draw steps, for distribution functions.
    marks, limits : sequences of Mark
        Labelled lines: upright at values of x, level at values of y. The axis is stretched to
        hold the limits; marks beyond the axis are left out.
    error_bars : bool
        Draw ``low`` to ``high`` as bars instead of a band: for estimates with their errors.
    x_log : bool
        Logarithmic x axis; ignored where an x is not above 0.
    caption, alt, name : str
        Line below; text for those who cannot see it (default: title and caption); machine name.
    """

    title: str
    series: Sequence[Series]
    x_label: str
    y_label: str
    x_unit: str = ""
    y_unit: str = ""
    steps: bool = False
    marks: Sequence[Mark] = ()
    caption: str = ""
    alt: str = ""
    name: str = ""
    limits: Sequence[Mark] = ()
    error_bars: bool = False
    x_log: bool = False

    def __post_init__(self) -> None:
        _check_name(self.name)
        _set(self, series=tuple(self.series), marks=tuple(self.marks), limits=tuple(self.limits))

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
        x, y = _plain_tuple(self.x), _plain_tuple(self.y)
        notes = tuple("" if note is None else str(note) for note in self.notes)
        if len(x) != len(y):
            raise ValueError("dots need as many x as y")
        if len(notes) not in (0, len(x)):
            raise ValueError("dots need a note for each of them, or none at all")
        _set(self, x=x, y=y, notes=notes)

    @property
    def places(self) -> tuple[tuple[float, float, str], ...]:
        """x, y and note of each dot that has a place."""
        notes = self.notes or ("",) * len(self.x)
        return tuple(
            dot for dot in zip(self.x, self.y, notes) if dot[0] is not None and dot[1] is not None
        )


@dataclass(frozen=True)
class Scatter:
    """Dots between two axes: risk against utility, or one drawing over another.

    Parameters
    ----------
    title : str
    series : sequence of Dots
        Each kind has a colour and a shape of its own; later ones lie on top.
    x_label, y_label, x_unit, y_unit : str
        Axes.
    marks, limits : sequences of Mark
        Labelled lines: upright at values of x, level at values of y. The axes are stretched to
        hold them.
    equal_axes : bool
        One scale for both axes: for what is a map.
    x_log : bool
        Logarithmic x axis; ignored where an x is not above 0.
    caption, alt, name : str
        Line below; text for those who cannot see it (default: title and caption); machine name.
    """

    title: str
    series: Sequence[Dots]
    x_label: str
    y_label: str
    x_unit: str = ""
    y_unit: str = ""
    marks: Sequence[Mark] = ()
    limits: Sequence[Mark] = ()
    caption: str = ""
    alt: str = ""
    name: str = ""
    equal_axes: bool = False
    x_log: bool = False

    def __post_init__(self) -> None:
        _check_name(self.name)
        _set(self, series=tuple(self.series), marks=tuple(self.marks), limits=tuple(self.limits))

    @property
    def count(self) -> int:
        """How many dots there are to draw."""
        return sum(len(dots.places) for dots in self.series)


Chart = Union[Histogram, Bars, Lines, Scatter]
Block = Union[Paragraph, Notice, Figures, Table, Picture, Chart, Reference, Blanks]


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


# --- the whole -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it."""

    title: str
    blocks: Sequence[Block] = ()
    name: str = ""

    def __post_init__(self) -> None:
        _check_name(self.name)
        blocks = tuple(self.blocks)
        for block in blocks:
            if not isinstance(block, get_args(Block)):
                raise ValueError(f"not a block of a report: {type(block).__name__}")
        _set(self, blocks=blocks)


@dataclass(frozen=True)
class Audit:
    """The last page of a report: how it came about.

    Parameters
    ----------
    section : Section
        For people; it is no part of the JSON.
    facts : mapping
        The same for programs; it is no part of the HTML.
    """

    section: Section
    facts: Mapping[str, Any]

    def __post_init__(self) -> None:
        _set(self, facts=_plain_tree(self.facts))


@dataclass(frozen=True)
class Report:
    """A whole report.

    Parameters
    ----------
    title, subtitle : str
        What was done, and to what.
    sections : sequence of Section
        Names of figures, and of tables, charts and pictures, are unique across them.
    private : bool
        True when it shows originals or what leads back to them. Such a report opens with a
        red banner. True unless said otherwise: a forgotten banner is the worse mistake.
    private_note : str
        What this report contains and who must not get it; the writer's general sentences when
        left out.
    generated_by, version : str
        Program and version, for the footer.
    decision : Decision, optional
        The box that stands first.
    audit : Audit, optional
        The last page.
    """

    title: str
    sections: Sequence[Section] = ()
    subtitle: str = ""
    private: bool = True
    private_note: str = ""
    generated_by: str = "GeoAnon"
    version: str = ""
    decision: Decision | None = None
    audit: Audit | None = None

    def __post_init__(self) -> None:
        _set(self, sections=tuple(self.sections))
        blocks = [block for section in self.sections for block in section.blocks]
        _check_unique([figure.name for figure in self.figures])
        names = [getattr(block, "name", "") for block in blocks]
        _check_unique([name for name in names if name])
        _check_unique([section.name for section in self.sections if section.name])

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All headline numbers, in reading order."""
        return tuple(
            figure
            for section in self.sections
            for block in section.blocks
            if isinstance(block, Figures)
            for figure in block.figures
        )


def _check_unique(names: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError("names used twice in one report: " + ", ".join(twice))
