# SPDX-License-Identifier: GPL-2.0-or-later
"""What a dialog asks for: parameters and their numbers."""
