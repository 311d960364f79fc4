# SPDX-License-Identifier: GPL-2.0-or-later
"""Attacks: what an adversary can do with a release."""
