# SPDX-License-Identifier: GPL-2.0-or-later
"""Maps: how they are drawn, and those in the reports."""
