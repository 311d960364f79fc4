# SPDX-License-Identifier: GPL-2.0-or-later
"""A report as PDF, by Qt's own text documents: no browser is needed, and none is asked."""

from __future__ import annotations

import os
import re
from pathlib import Path

from qgis.PyQt.QtCore import QByteArray, QMarginsF, QRectF, QSizeF, Qt, QUrl
from qgis.PyQt.QtGui import (
    QColor,
    QGuiApplication,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from qgis.PyQt.QtSvg import QSvgRenderer

from ..core.runtime.errors import InputError
from ..processing.i18n import mark
from ..report import on_paper

#: A number with Qt 5, and with Qt 6 a name for it.
_IMAGE = getattr(
    QTextDocument.ResourceType.ImageResource, "value", QTextDocument.ResourceType.ImageResource
)
#: Width of a map or a chart on the page (96 to an inch), and how much finer charts are drawn.
_WIDTH, _FINER = 380, 3
_MARGIN_CM = 2.0
#: What stands for a picture in a text.
_PICTURE = "\ufffc"


def save_pdf(report: Path, target: Path) -> None:
    """Print a report into a PDF file of A4, wholly or not at all.

    Parameters
    ----------
    report : Path
        The HTML file that an algorithm wrote.
    target : Path
        Gets the report's permissions, as it says the same.

    Raises
    ------
    InputError
        It is no report, or one of the files cannot be read or written.
    """
    try:
        page = report.read_text(encoding="utf-8")
        if not on_paper.is_report(page):
            raise InputError(mark("{path} is no report of GeoAnon."), path=str(report))
        draft = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            _print(on_paper.printed(page), draft)
            os.chmod(draft, report.stat().st_mode & 0o777)
            os.replace(draft, target)
        finally:
            draft.unlink(missing_ok=True)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            mark("The report {path} cannot be saved as PDF: {why}"),
            path=str(report),
            why=str(error),
        ) from error


def free_name(report: Path) -> Path:
    """Return where the PDF goes: beside the report, and never over a file that is there."""
    target, number = report.with_suffix(".pdf"), 2
    while target.exists():
        target = report.with_name(f"{report.stem} ({number}).pdf")
        number += 1
    return target


def newest_report() -> Path | None:
    """Return the report that was written last in this session, by QGIS's list of results."""
    from processing.core.ProcessingResults import resultsList  # which the desktop loads

    for result in reversed(resultsList.getResults()):
        path = Path(str(result.filename))
        if path.suffix.lower() in (".html", ".htm") and path.is_file():
            with path.open(encoding="utf-8", errors="replace") as page:
                if on_paper.is_report(page.read()):
                    return path
    return None


def _print(page: on_paper.Printed, path: Path) -> None:
    document = QTextDocument()
    document.setDefaultStyleSheet(on_paper.STYLE)
    for number, drawing in enumerate(page.drawings):
        document.addResource(_IMAGE, QUrl(f"drawing:{number}"), _drawn(drawing))
    document.setHtml(re.sub(r"<img ([^>]*)>", _sized, page.html))
    writer = QPdfWriter(str(path))
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    # The document keeps margins of its own, and the pages are numbered in them.
    writer.setPageMargins(QMarginsF(0, 0, 0, 0), QPageLayout.Unit.Millimeter)
    lay_out(document, writer)
    painter = QPainter(writer)
    for number in range(document.pageCount()):
        if number:
            writer.newPage()
        _paint(document, number, painter, writer)
    painter.end()
    del writer  # which writes the end of the file
    if not path.exists() or not path.stat().st_size:
        raise OSError(f"{path}")


def lay_out(document: QTextDocument, writer: QPdfWriter) -> None:
    """Part a document into pages, and nothing from what it stands above.

    Headings stay with what they are of, and pictures with what is said below them.
    """
    layout = document.documentLayout()
    layout.setPaintDevice(writer)
    form = document.rootFrame().frameFormat()
    form.setMargin(_MARGIN_CM / 2.54 * QGuiApplication.primaryScreen().logicalDotsPerInchY())
    document.rootFrame().setFrameFormat(form)
    document.setPageSize(QSizeF(writer.width(), writer.height()))
    document.pageCount()  # lays all of it out, which is else done bit by bit
    block, first = document.begin(), None
    while block.isValid():
        stays = bool(block.blockFormat().headingLevel()) or _PICTURE in block.text()
        if not stays:
            first = None
        else:
            first = first or block  # of those that stay together
            if _page_of(block.next(), writer) > _page_of(first, writer):
                form = first.blockFormat()
                form.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
                QTextCursor(first).setBlockFormat(form)
                document.pageCount()
                first = None  # what is higher than a page is parted
        block = block.next()


def _page_of(block: QTextBlock, writer: QPdfWriter) -> int:
    """Return on which page the first line of a block ends."""
    if not block.isValid() or not block.layout().lineCount():
        return -1
    place = block.layout().lineAt(0)
    top = block.document().documentLayout().blockBoundingRect(block).top()
    return int((top + place.y() + place.height() - 1.0) // writer.height())


def _paint(document: QTextDocument, number: int, painter: QPainter, writer: QPdfWriter) -> None:
    """Paint a page, and its number below."""
    view = QRectF(0, number * writer.height(), writer.width(), writer.height())
    painter.save()
    painter.translate(0, -view.top())
    document.drawContents(painter, view)
    painter.restore()
    inner = round(_MARGIN_CM / 2.54 * writer.logicalDpiY())
    below = QRectF(inner, writer.height() - inner, writer.width() - 2 * inner, inner)
    painter.setFont(document.defaultFont())
    painter.drawText(below, Qt.AlignmentFlag.AlignRight, str(number + 1))


def _drawn(drawing: str) -> QImage:
    """Draw a chart, so fine that it is printed well."""
    renderer = QSvgRenderer(QByteArray(drawing.encode("utf-8")))
    size = renderer.viewBoxF().size()
    width = _WIDTH * _FINER
    height = max(1, round(width * size.height() / max(size.width(), 1.0)))
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return image


def _sized(picture: re.Match) -> str:
    """Give a picture its width on the page; its height follows."""
    kept = re.sub(r'\b(width|height)="\d+"', "", picture[1])
    return f'<img width="{_WIDTH}" {kept}>'
