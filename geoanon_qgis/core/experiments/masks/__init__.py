# SPDX-License-Identifier: GPL-2.0-or-later
"""Which point mask, and how large: each found by the attack on it, then compared by what is kept."""
