# SPDX-License-Identifier: GPL-2.0-or-later
"""Cliques of large graphs; no geography in it."""
