# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether a folder holds the files that were judged, and nothing that is private."""
