# SPDX-License-Identifier: GPL-2.0-or-later
"""Voronoi-based aggregation of small areas (VBAS, Croft et al. 2015) and its measures."""
