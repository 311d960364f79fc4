# SPDX-License-Identifier: GPL-2.0-or-later
"""Who lives there? The reversal of Voronoi masking."""
