# SPDX-License-Identifier: GPL-2.0-or-later
"""Which record is hers? Linkage by distances."""
