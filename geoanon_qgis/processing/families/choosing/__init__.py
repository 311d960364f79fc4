# SPDX-License-Identifier: GPL-2.0-or-later
"""The choice of an embedding: what it asks for, its table, and a run that is gone on with."""
