# SPDX-License-Identifier: GPL-2.0-or-later
"""One module an algorithm: what its report says, as a pure function of its results."""
