# SPDX-License-Identifier: GPL-2.0-or-later
"""Where what takes long is run: on all processors of this machine, or on a Dask cluster."""

from __future__ import annotations

from ...core.experiments.workers import DASK, Backend
from ..dialog import parameters
from ..i18n import tr
from ..running import Given

SCHEDULER = "SCHEDULER"


def parameter():
    """Return the parameter for the address of a scheduler."""
    return parameters.text(
        SCHEDULER,
        tr("Dask scheduler"),
        tr(
            "Address (tcp://host:port) of a Dask scheduler, to run the experiment on a "
            "cluster (needs the packages joblib and distributed). Leave empty to run on "
            "all processors of this machine."
        ),
        advanced=True,
    )


def backend(given: Given) -> Backend:
    """Return where to run."""
    scheduler = given.text(SCHEDULER).strip()
    return Backend(DASK, scheduler=scheduler) if scheduler else Backend()
