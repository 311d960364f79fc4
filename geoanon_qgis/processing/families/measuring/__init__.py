# SPDX-License-Identifier: GPL-2.0-or-later
"""What a point mask keeps, and the measures of risk that are in use: the steps of the algorithm."""
