# SPDX-License-Identifier: GPL-2.0-or-later
"""How the engine runs: progress, errors, memory, threads, optional packages."""
