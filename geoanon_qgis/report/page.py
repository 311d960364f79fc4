# SPDX-License-Identifier: GPL-2.0-or-later
"""A report in the making, so that the code of a report reads like its table of contents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter, itemgetter
from typing import Any, Callable, TypeVar, Union

from .model import (
    Block,
    Column,
    Figure,
    Figures,
    Notice,
    Paragraph,
    Report,
    Section,
    Table,
)
from .visuals import Bars, Histogram, Lines, Scatter

#: Where the cells of a column come from: a function of the item, or the name of what it has.
Of = Union[Callable[[Any], Any], str, None]
_Page = TypeVar("_Page", bound="Page")


class Page:
    """Takes what a report says, in reading order.

    What is told goes to the section that was begun last. A section that stays empty is left out.

    Parameters
    ----------
    title, subtitle : str
        What was done, and to what.
    **more
        Any other field of :class:`Report`.
    """

    def __init__(self, title: str, subtitle: str = "", **more: Any):
        self.whole = {"title": title, "subtitle": subtitle, **more}
        self.told: list[tuple[str, str, list[Block]]] = []

    def said(self, value: Any) -> Any:
        """Return what is told as it is shown; where a report is translated, this is the place."""
        return value

    def section(self: _Page, title: str, name: str) -> _Page:
        """Begin a section."""
        self.told.append((title, name, []))
        return self

    def add(self: _Page, *blocks: Block) -> _Page:
        """Add blocks that are made, such as pictures and references."""
        self.told[-1][2].extend(blocks)
        return self

    def figure(
        self: _Page,
        name: str,
        label: str,
        value: Any,
        explained: str,
        *,
        unit: str = "",
        note: str = "",
        decimals: int | None = None,
    ) -> _Page:
        """Add a headline number; those that follow each other stand in one block.

        Parameters
        ----------
        explained : str
            What the number means, for somebody who does not know the field's terms.
        name, label, value, unit, note, decimals
            See :class:`Figure`.
        """
        if not explained:
            raise ValueError(f"the figure {name} is not explained")
        blocks = self.told[-1][2]
        before: Sequence[Figure] = ()
        if blocks and isinstance(blocks[-1], Figures):
            before = blocks.pop().figures  # type: ignore[union-attr]
        made = Figure(name, label, value, unit, note, decimals, explained)
        return self.add(Figures((*before, made)))

    def say(self: _Page, *texts: str) -> _Page:
        """Add paragraphs; an empty text is passed over."""
        return self.add(*(Paragraph(self.said(text)) for text in texts if text))

    def notice(self: _Page, text: str, kind: str = "info", title: str = "") -> _Page:
        """Add a framed remark; see :class:`Notice`."""
        return self.add(Notice(self.said(text), kind, title))

    def warn(self: _Page, texts: Iterable[str]) -> _Page:
        """Add a framed caution for each text."""
        return self.add(*(Notice(self.said(text), "warning") for text in texts))

    def table(
        self: _Page,
        name: str,
        columns: Sequence[tuple[Column, Of]],
        items: Iterable,
        caption: str = "",
    ) -> _Page:
        """Add a table with a row for each item.

        Parameters
        ----------
        name, caption : str
        columns : sequence
            Made by :func:`col`. If none of them tells where its cells come from, the items are
            the rows.
        items : iterable
        """
        if any(of is not None for _, of in columns):
            cells = [_getter(of or column.name) for column, of in columns]
            items = [[cell(item) for cell in cells] for item in items]
        rows = [tuple(map(self.said, row)) for row in items]
        return self.add(Table([column for column, _ in columns], rows, caption, name))

    def histogram(
        self: _Page, name: str, title: str, values: Any, x_label: str, x_unit: str = "", **more: Any
    ) -> _Page:
        """Add a histogram of raw values; see :meth:`Histogram.of`."""
        return self.add(Histogram.of(title, values, x_label, x_unit, name=name, **more))

    def bars(
        self: _Page,
        name: str,
        title: str,
        labels: Sequence[str],
        values: Sequence[float],
        value_label: str,
        **more: Any,
    ) -> _Page:
        """Add a bar for each label; see :class:`Bars`."""
        return self.add(Bars(title, labels, values, value_label, name=name, **more))

    def lines(
        self: _Page,
        name: str,
        title: str,
        series: Iterable,
        x_label: str,
        y_label: str,
        **more: Any,
    ) -> _Page:
        """Add a line chart; see :class:`Lines`. A series may be a tuple of its fields."""
        return self.add(Lines(title, tuple(series), x_label, y_label, name=name, **more))

    def ecdf(
        self: _Page,
        name: str,
        title: str,
        samples: Mapping[str, Any],
        x_label: str,
        y_label: str,
        **more: Any,
    ) -> _Page:
        """Add distribution functions; see :meth:`Lines.ecdf`."""
        return self.add(Lines.ecdf(title, samples, x_label, y_label, name=name, **more))

    def scatter(
        self: _Page,
        name: str,
        title: str,
        series: Iterable,
        x_label: str,
        y_label: str,
        **more: Any,
    ) -> _Page:
        """Add dots; see :class:`Scatter`. Dots may be a tuple of their fields."""
        return self.add(Scatter(title, tuple(series), x_label, y_label, name=name, **more))

    def report(self) -> Report:
        """Return the report."""
        return Report(
            sections=[Section(title, blocks, name) for title, name, blocks in self.told if blocks],
            **self.whole,
        )


def col(
    name: str,
    label: str = "",
    of: Of = None,
    *,
    unit: str = "",
    decimals: int | None = None,
    numeric: bool | None = None,
) -> tuple[Column, Of]:
    """Return a column for :meth:`Page.table`.

    Parameters
    ----------
    name, label, unit, decimals, numeric
        See :class:`Column`.
    of : callable or str, optional
        The cell of an item, or the name of its attribute or entry. Where other columns of the
        table say so and this one does not, its own name.
    """
    return Column(name, label, unit, decimals, numeric), of


def _getter(of: Callable[[Any], Any] | str) -> Callable[[Any], Any]:
    if callable(of):
        return of
    entry, attribute = itemgetter(of), attrgetter(of)
    return lambda item: entry(item) if isinstance(item, Mapping) else attribute(item)
