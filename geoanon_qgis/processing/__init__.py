# SPDX-License-Identifier: GPL-2.0-or-later
"""The QGIS side: provider, algorithms, and the ways between layers and arrays."""
