# SPDX-License-Identifier: GPL-2.0-or-later
"""Errors whose message is a sentence for the user: what is wrong, and what to do."""


class GeoAnonError(Exception):
    """Base of every expected failure; ``str(error)`` is shown to the user as it stands."""


class InputError(GeoAnonError):
    """The data or the parameters cannot be worked with."""


class MissingPackage(GeoAnonError):
    """An optional package that this job cannot do without is not installed."""


class Cancelled(GeoAnonError):
    """The user asked to stop; raised from within a progress callback."""

    def __init__(self, message: str = "Stopped on request; no output was written."):
        super().__init__(message)
