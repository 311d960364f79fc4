# SPDX-License-Identifier: GPL-2.0-or-later
"""What is noted of a parameter that QGIS has no word for."""

from __future__ import annotations

from typing import Any

from qgis.core import QgsProcessingParameterDefinition as Parameter

#: Of a destination: ``"release"`` or ``"private"``.
SECRECY = "geoanon_secrecy"
#: Of an input: ``"secret"`` (its value is nowhere told) or ``"judged"``.
INPUT = "geoanon_input"
#: Of a typed list of numbers: what the numbers may be.
LIST_LIMITS = "geoanon_list_limits"
#: Of an input: when it counts (:mod:`.rules`).
RULE = "geoanon_only_when"
#: Classes of ``desktop.widgets`` that make the widgets of a parameter.
CHOICE, WATCHFUL = "Choice", "Watchful"


def noted(parameter: Parameter, note: str, value: Any) -> Parameter:
    """Note something of a parameter; returns it."""
    parameter.setMetadata({**parameter.metadata(), note: value})
    return parameter


def judged(parameter: Parameter) -> Parameter:
    """Note that an input is a release that a run passes judgement on; returns it."""
    return noted(parameter, INPUT, "judged")


def is_private(parameter: Parameter) -> bool:
    """Tell whether a destination parameter is for the data holder's eyes only."""
    return parameter.metadata().get(SECRECY) == "private"


def is_release(parameter: Parameter) -> bool:
    """Tell whether a destination parameter is made to be given away."""
    return parameter.metadata().get(SECRECY) == "release"


def is_judged(parameter: Parameter) -> bool:
    """Tell whether an input is a release that a run passes judgement on."""
    return parameter.metadata().get(INPUT) == "judged"


def is_secret(parameter: Parameter) -> bool:
    """Tell whether nobody may be told a parameter's value, only whether it was given."""
    return parameter.metadata().get(INPUT) == "secret"


def list_limits(parameter: Parameter) -> dict | None:
    """Return what the numbers of a typed list may be (``numbers.listed``); None for the others."""
    return parameter.metadata().get(LIST_LIMITS)


def shown_by(parameter: Parameter, widget: str) -> Parameter:
    """Have the widgets of a parameter made by a class of ``desktop.widgets``; returns it.

    QGIS imports the class when it opens a dialog, and never without a window.
    """
    package = __name__.split(".processing.")[0]
    return noted(parameter, "widget_wrapper", {"class": f"{package}.desktop.widgets.{widget}"})
