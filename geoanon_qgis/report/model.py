# SPDX-License-Identifier: GPL-2.0-or-later
"""What a report says, without how it looks: frozen dataclasses that two writers turn into files.

Texts are plain text, already translated by the caller; the writers escape them. ``name`` is a
machine name (``[a-z][a-z0-9_]*``) that never changes between versions or languages: scripts
find a figure, a table or a chart in the JSON by it. A mistake in building a report is a
``ValueError``: it is the programmer's, not the user's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Union, get_args

from .frozen import assign, check_name, check_unique, plain_tree, plain_tuple
from .values import is_number, plain
from .visuals import Chart, Picture

NOTICE_KINDS = ("info", "warning", "danger")


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
        check_name(self.name, needed=True)
        assign(self, rows=tuple(self.rows))


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
        assign(self, labels=tuple(self.labels))


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
    explained : str
        What the number means, for somebody who does not know the field's terms.
    """

    name: str
    label: str
    value: Any
    unit: str = ""
    note: str = ""
    decimals: int | None = None
    explained: str = ""

    def __post_init__(self) -> None:
        check_name(self.name, needed=True)
        assign(self, value=plain(self.value))


@dataclass(frozen=True)
class Figures:
    """A row of headline numbers."""

    figures: Sequence[Figure]

    def __post_init__(self) -> None:
        assign(self, figures=tuple(self.figures))


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
        assign(self, label=self.label or self.name)


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
        check_name(self.name)
        columns = tuple(Column(c) if isinstance(c, str) else c for c in self.columns)
        rows = tuple(plain_tuple(row) for row in self.rows)
        if len({column.name for column in columns}) != len(columns):
            raise ValueError("two columns of one table have the same name")
        if any(len(row) != len(columns) for row in rows):
            raise ValueError(f"every row needs {len(columns)} cells, one for each column")
        assign(self, columns=columns, rows=rows)

    def is_numeric(self, index: int) -> bool:
        """Tell whether column ``index`` holds numbers to be read as numbers."""
        told = self.columns[index].numeric
        if told is not None:
            return told
        cells = [row[index] for row in self.rows if row[index] is not None]
        return bool(cells) and all(is_number(cell) for cell in cells)


Block = Union[Paragraph, Notice, Figures, Table, Picture, Chart, Reference, Blanks]


# --- the whole -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it."""

    title: str
    blocks: Sequence[Block] = ()
    name: str = ""

    def __post_init__(self) -> None:
        check_name(self.name)
        blocks = tuple(self.blocks)
        for block in blocks:
            if not isinstance(block, get_args(Block)):
                raise ValueError(f"not a block of a report: {type(block).__name__}")
        assign(self, blocks=blocks)


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
        assign(self, facts=plain_tree(self.facts))


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
        assign(self, sections=tuple(self.sections))
        blocks = [block for section in self.sections for block in section.blocks]
        check_unique([figure.name for figure in self.figures])
        names = [getattr(block, "name", "") for block in blocks]
        check_unique([name for name in names if name])
        check_unique([section.name for section in self.sections if section.name])

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
