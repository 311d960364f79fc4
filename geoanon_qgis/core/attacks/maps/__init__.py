# SPDX-License-Identifier: GPL-2.0-or-later
"""Attacks that draw the map of a release from its distances."""
