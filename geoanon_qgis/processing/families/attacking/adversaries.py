# SPDX-License-Identifier: GPL-2.0-or-later
"""What the adversaries are called (ADVERSARY)."""

BOTH, PLACE, RECORD = "both", "whose_place", "which_record"
