# SPDX-License-Identifier: GPL-2.0-or-later
"""What is kept of a run: the audit page, digests, versions."""
