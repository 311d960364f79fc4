# SPDX-License-Identifier: GPL-2.0-or-later
"""Errors whose message is a sentence for the user: what is wrong, and what to do."""

from __future__ import annotations

from typing import Any

from .wording import Sentence, mark


class GeoAnonError(Exception):
    """Base of every expected failure; ``str(error)`` is shown to the user as it stands."""

    def __init__(self, template: str, /, **values: Any) -> None:
        """Take a template and its values, or a sentence, and keep them as ``sentence``.

        Parameters
        ----------
        template : str
            The sentence, with ``{name}`` where a value stands, or a :class:`.wording.Sentence`.
        **values
            What stands there.
        """
        said = isinstance(template, Sentence) and not values
        self.sentence = template if said else Sentence(template, **values)
        super().__init__(self.sentence)


class InputError(GeoAnonError):
    """The data or the parameters cannot be worked with."""


class MissingPackage(GeoAnonError):
    """An optional package that this job cannot do without is not installed."""


class Cancelled(GeoAnonError):
    """The user asked to stop; raised from within a progress callback."""

    def __init__(self, template: str = mark("Stopped on request; no output was written.")) -> None:
        super().__init__(template)
