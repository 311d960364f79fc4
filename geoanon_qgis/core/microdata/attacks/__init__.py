# SPDX-License-Identifier: GPL-2.0-or-later
"""Attacks on a release of microdata, each beside the same attack on people who are not in it."""
