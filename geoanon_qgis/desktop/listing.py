# SPDX-License-Identifier: GPL-2.0-or-later
"""The list of records in the dock: nothing but a view on what was read."""

from __future__ import annotations

from qgis.PyQt.QtCore import QAbstractTableModel, QModelIndex, Qt
from qgis.PyQt.QtGui import QColor

from ..processing.i18n import mark, tr
from ..processing.styling.names import PALETTE
from .attacks import Attack
from .records import Records

_TITLES = (mark("Record"), mark("At risk"), mark("Withhold"))
#: From which order of risk on a record is drawn how: as probabilities are in their layers.
_SHADES = ((0.95, "near_4"), (0.5, "near_3"), (0.09, "near_2"), (0.0, "near_1"))
_ROLE = Qt.ItemDataRole


class RecordsModel(QAbstractTableModel):
    """The records of an attack, the riskiest first."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self._records: Records | None = None
        self._attack: Attack | None = None
        self._marked: set[str] = set()

    def show_records(self, records: Records | None, attack: Attack | None, marked: set[str]):
        """List other records, or none."""
        self.beginResetModel()
        self._records, self._attack, self._marked = records, attack, marked
        self.endResetModel()

    def show_marked(self, marked: set[str]) -> None:
        """Show other records as withheld."""
        self._marked = marked
        if self.rowCount():
            last = self.index(self.rowCount() - 1, 2)
            self.dataChanged.emit(self.index(0, 2), last)

    def is_marked(self, row: int) -> bool:
        """Tell whether a record is to be withheld."""
        return self._records is not None and self._records.ids[row] in self._marked

    def rowCount(self, parent=None):
        """Return the number of records."""
        inside = parent is not None and parent.isValid()
        return 0 if self._records is None or inside else len(self._records)

    def columnCount(self, parent=None):
        """Return the number of columns."""
        return len(_TITLES)

    def headerData(self, section, orientation, role=_ROLE.DisplayRole):
        """Return the title of a column, or the rank of a record."""
        if role != _ROLE.DisplayRole:
            return None
        return tr(_TITLES[section]) if orientation == Qt.Orientation.Horizontal else section + 1

    def data(self, index: QModelIndex, role=_ROLE.DisplayRole):
        """Return what a cell shows."""
        if self._records is None or not index.isValid():
            return None
        row, column = index.row(), index.column()
        risk = float(self._records.risk[row])
        if role == _ROLE.DisplayRole:
            if column == 0:
                return self._records.ids[row]
            if column == 1:
                return self._attack.told(risk)
            return "✔" if self.is_marked(row) else ""
        if role == _ROLE.DecorationRole and column == 1:
            return QColor(PALETTE[next((one for least, one in _SHADES if risk >= least), "near_1")])
        if role == _ROLE.TextAlignmentRole and column == 2:
            return int(Qt.AlignmentFlag.AlignCenter)
        return None
