# SPDX-License-Identifier: GPL-2.0-or-later
"""What a point layer tells of its pattern before and after it was masked, and measures of risk."""
