# SPDX-License-Identifier: GPL-2.0-or-later
"""The choice of a point mask: what is asked for, what is read, and what is told."""
