# SPDX-License-Identifier: GPL-2.0-or-later
"""RESUME: a private file of what a run has done, from which another goes on.

It is written as the run goes, so that it is there when the run is cancelled or killed; outputs are
published at the end, all or none.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .... import paths
from ....core.runtime.errors import Cancelled, GeoAnonError
from ....core.runtime.kept import Earlier, Kept
from ... import verdicts
from ...dialog import parameters
from ...i18n import number_of, tr
from ...layers.staging import bad_name, cannot_write, no_ordinary_file, no_way_in
from ...running import Run

RESUME = "RESUME"
#: Parameters on which what one run does depends, as they are read; more draws can be asked for by
#: the next.
_FIELDS, _CHOICES, _BOXES = ("QIS",), ("SEARCH", "METRIC", "PREFER"), ("NEIGHBOURS",)
_LISTS = ("OVERLAP", "SETS", "SIZE", "PRE_NOISE", "STEP", "ISGP_RADIUS", "N_RELEASED")
_NUMBERS = (
    *(
        "N_KNOWN",
        "KNOWN_LINKS",
        "RELEASES",
        "REPEATS",
        "PRECISION",
        "NEAREST",
        "ALPHA",
        "REPLICATES",
    ),
    "RECORDS",
)


def parameter(may_be_raised: bool = True):
    """Return the parameter for the file; ``may_be_raised`` for draws that another run may raise."""
    raised = tr("; DRAWS and LIKELIHOOD may be raised") if may_be_raised else ""
    return parameters.file_source(
        RESUME,
        tr("Private: file to go on from"),
        tr(
            "What is done is kept in this file while it runs, and a run that was cancelled or "
            "killed goes on from there if it is started again with the same data and parameters"
            "{raised}. With others it begins anew, and says so. A new "
            "name begins a new file. It holds the seed, so it is as secret as the data, and nobody "
            "but you can read it."
        ).format(raised=raised),
        tr("Files to go on from") + " (*.jsonl)",
        advanced=True,
    )


@contextmanager
def kept(
    run: Run, data: Mapping[str, Any], given: Mapping[str, Any] | None = None
) -> Iterator[tuple[Kept, int]]:
    """Yield what has been done already and is going to be kept, and the seed of the run.

    Parameters
    ----------
    run : Run
    data : mapping
        What two runs must have in common beside their parameters, by the name of what it is of.
    given : mapping, optional
        Parameters on which what is done depends; those of choosing an embedding where left out.

    Raises
    ------
    GeoAnonError
        If the file is none of an earlier run, or cannot be read or written.
    """
    path, seed = run.path(RESUME), run.number("SEED")
    if not path:
        yield Kept(), _drawn() if seed is None else seed
        return
    own = _given(run) if given is None else given
    same = {**data, **own, "version": paths.metadata()["version"]}
    store, seed = _opened(run, Path(path), same, seed)
    try:
        yield store, seed
    except Cancelled:
        run.warn(
            tr("What is done is kept in {file}: run it again with this file as RESUME.").format(
                file=Path(path).name
            )
        )
        raise
    finally:
        store.close()


def _opened(run: Run, path: Path, same: dict[str, Any], seed: int | None) -> tuple[Kept, int]:
    strange = bad_name(path) or no_ordinary_file(path) or no_way_in(path)
    if strange:
        raise GeoAnonError(strange)
    try:
        found = Earlier(path)
        other = found.differs_in(same, seed) if found else []
        if found and not other:
            store = found.goes_on()
            run.tell(
                tr("Taken over from {file}: {pieces} of work.").format(
                    file=path.name, pieces=number_of(store.taken, "piece", "pieces")
                )
            )
            return store, found.seed
        if found:
            run.warn(
                tr(
                    "“{file}” is of a run that differs in {names}: it is not gone on with, and "
                    "everything begins anew."
                ).format(file=path.name, names=", ".join(other))
            )
        seed = _drawn() if seed is None else seed
        return found.anew(same, seed), seed
    except OSError as error:
        raise cannot_write(path, error) from error


def _given(run: Run) -> dict[str, Any]:
    readers = (
        (_FIELDS, run.fields),
        (_CHOICES, run.choice),
        (_BOXES, run.flag),
        (_LISTS, run.numbers),
        (_NUMBERS, run.number),
    )
    read = {name: reader(name) for names, reader in readers for name in names}
    return {**read, verdicts.ACCEPTABLE: run.acceptable()}


def _drawn() -> int:
    return secrets.randbits(128)
