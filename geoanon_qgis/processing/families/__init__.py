# SPDX-License-Identifier: GPL-2.0-or-later
"""What several algorithms of a kind share."""
