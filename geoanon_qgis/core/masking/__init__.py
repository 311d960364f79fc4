# SPDX-License-Identifier: GPL-2.0-or-later
"""Masks: methods that move points before they are released."""
