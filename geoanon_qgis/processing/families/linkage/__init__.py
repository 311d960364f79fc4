# SPDX-License-Identifier: GPL-2.0-or-later
"""The linkage attack by its parts, in the order of a run.

:mod:`.parameters` are the dialog, :mod:`.adversary` is what the adversary has, :mod:`.known_links`
whom he knows already, :mod:`.rules` how he takes the distances to have been made, :mod:`.methods` the attacks by name, :mod:`.findings` what
one found and how much of it the key calls right, :mod:`.outputs` the layers.
"""
