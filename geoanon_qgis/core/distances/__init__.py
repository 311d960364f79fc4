# SPDX-License-Identifier: GPL-2.0-or-later
"""Distances for release instead of places: Lipschitz embedding, noise, rounding, accuracy."""
