# SPDX-License-Identifier: GPL-2.0-or-later
"""What point masks share: what they ask for, how they move points, what they write and keep."""
