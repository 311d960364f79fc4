# SPDX-License-Identifier: GPL-2.0-or-later
"""The attack on masked points: what is read, how each mask explains a point, what is found."""
