# SPDX-License-Identifier: GPL-2.0-or-later
"""Attacks again and again, on drawn people and drawn releases."""
