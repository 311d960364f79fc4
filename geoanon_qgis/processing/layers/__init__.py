# SPDX-License-Identifier: GPL-2.0-or-later
"""Layers to arrays and back: reading, values, destinations, drafts, files."""
