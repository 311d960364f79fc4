# SPDX-License-Identifier: GPL-2.0-or-later
"""Tables of records in files that need no QGIS to be read."""
