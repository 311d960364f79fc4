# SPDX-License-Identifier: GPL-2.0-or-later
"""The GeoAnon engine: NumPy arrays in, frozen dataclasses out. Knows no QGIS and no Qt."""
