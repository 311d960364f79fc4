# SPDX-License-Identifier: GPL-2.0-or-later
"""How layers look: colours, symbols, and a legend in plain words that explains itself.

``style(layer, role)`` is all a caller needs; :func:`on_load` does it when QGIS loads an output.
Roles, looks and what is said of them are data, in :mod:`.names`, :mod:`.looks` and :mod:`.roles`.
Private layers wear a dark frame, carry the word in their name and a note in the layer tree.
"""

from .applying import is_private, label, marker_size, renderer, secrecy_of, style  # noqa: F401
from .loading import StyleOnLoad, adopt, on_load  # noqa: F401
from .looks import SET_LOOKS  # noqa: F401
from .names import *  # noqa: F403  # each role is a name here
from .origin import Origin, origin_of, subject_of  # noqa: F401
from .roles import ROLES  # noqa: F401
