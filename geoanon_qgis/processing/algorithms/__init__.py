# SPDX-License-Identifier: GPL-2.0-or-later
"""One algorithm a file; ``processing.provider`` lists them."""
