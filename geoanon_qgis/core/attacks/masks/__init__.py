# SPDX-License-Identifier: GPL-2.0-or-later
"""Attacks on point masks whose law is known."""
