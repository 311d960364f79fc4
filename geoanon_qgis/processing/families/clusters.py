# SPDX-License-Identifier: GPL-2.0-or-later
"""Where what takes long is run: on all processors of this machine, or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.runtime.workers import DASK, Backend
from ..dialog import parameters
from ..i18n import tr
from ..running import Given

SCHEDULER = "SCHEDULER"


def parameter():
    """Return the parameter for the address of a scheduler that runs an experiment."""
    return _scheduler(
        tr(
            "Address (tcp://host:port) of a Dask scheduler, to run the experiment on a "
            "cluster (needs the packages joblib and distributed). Leave empty to run on "
            "all processors of this machine."
        )
    )


def counting_parameter():
    """Return the parameter for the address of a scheduler that has records counted."""
    return _scheduler(
        tr(
            "Address (tcp://host:port) of a Dask scheduler, to have the records of Parquet files "
            "counted by a cluster (needs the packages joblib and distributed). Its workers read the "
            "files where they lie, under the same path as here, and send back counts. Not "
            "together with released records, further attributes or a person's id, for which all "
            "records are needed here. Leave empty to count here."
        )
    )


def _scheduler(help: str):
    return parameters.text(SCHEDULER, tr("Dask scheduler"), help, advanced=True)


def check_counting(given: Given, needed: Sequence[str]) -> str | None:
    """Say why a cluster cannot count the records; None where it can, or none is named.

    ``needed`` are the parameters of those asked for that need all records here.
    """
    if not given.text(SCHEDULER).strip():
        return None
    if not given.text("RECORDS_FILE"):
        return tr(
            "A cluster (SCHEDULER) counts records in Parquet files only. Give the folder with them "
            "(RECORDS_FILE), or leave the scheduler empty."
        )
    if needed:
        return tr(
            "A cluster (SCHEDULER) sends back counts, and no records. Leave {names} empty, or the "
            "scheduler."
        ).format(names=", ".join(needed))
    return None


def backend(given: Given) -> Backend:
    """Return where to run."""
    scheduler = given.text(SCHEDULER).strip()
    return Backend(DASK, scheduler=scheduler) if scheduler else Backend()
