# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:verifyrelease."""

from __future__ import annotations

import os
from collections import Counter

from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress
from ...core.verification import folder, judging
from .. import styling
from ..base import GeoAnonAlgorithm, Help
from ..dialog import parameters
from ..dialog.declaration import Field, Value, private, reports
from ..i18n import mark, tr
from ..layers import destinations, keys
from ..reports import verifyrelease as reporting
from ..running import Result

#: Fields that only private outputs have: of keys, of shifts, of what attacks found.
PRIVATE_COLUMNS = (keys.ORIGINAL, keys.ORIGINAL_X, keys.ORIGINAL_Y, "shift_m", "candidate_id")


class VerifyReleaseAlgorithm(GeoAnonAlgorithm):
    """Say which files of a folder are those that were judged, and which are private."""

    NAME = "verifyrelease"
    DISPLAY_NAME = mark("Verify a release")
    GROUP = "tools"
    TAGS = mark("privacy, release, verify, audit, leak, checksum, SHA-256, hash, GDPR")
    SHORT_DESCRIPTION = mark(
        "Looks through a folder that is to be given away: which of its files are those that a "
        "report judged, and which are private."
    )
    HELP = Help(
        what=mark(
            "A report judges files, and what is given away later is a folder. This compares the "
            "two. Each file is held against the sizes and SHA-256 that the audit of the report's "
            "JSON holds: it is judged and unchanged, has changed since, or the report does not "
            "name it; a file that was judged and is not there is missing.\n\n"
            "And each file is searched for what is private, whatever its format or name, in "
            "archives (zip, gz, bz2, xz) as well: private outputs of the run, by their bytes, "
            "their names or their columns; files that the run has read and that are no release; "
            "columns of keys and shifts, also in another layer of a GeoPackage or in one that was "
            "deleted; private reports; seeds in models, scripts and logs; projects of QGIS, which "
            "say where the originals lie; and drafts of runs that were broken off."
        ),
        when=mark(
            "Last of all, on the very folder, archive or stick that you are about to give away. "
            "Run it with the report of the attack that the release held against, or with that of "
            "the mask."
        ),
        cautions=(
            mark(
                "It finds what our own outputs look like. Whether the originals lie there in "
                "another form, or under other names of columns, it cannot tell: look at each file "
                "that the report does not name."
            ),
            mark(
                "A database to which something was written in QGIS has other bytes, although you "
                "may see the same. Counters that change when a GeoPackage is opened are passed "
                "over."
            ),
            mark(
                "Nothing is written into the folder, links are not followed, and encrypted "
                "archives cannot be looked into."
            ),
        ),
    )

    OUTPUTS = (
        private(
            "OUTPUT",
            mark("Files"),
            mark("What becomes of each file, one row for each."),
            "table",
            [
                Field(
                    "file",
                    "string",
                    mark("path in the folder; behind the name of an archive what is in it"),
                ),
                Field(
                    "state", "string", mark("judged, changed, missing, unknown, private or archive")
                ),
                Field("why", "string"),
                Field("bytes", "long"),
                Field("sha256", "string"),
            ],
            role=styling.MEASURED,
        ),
        *reports(
            mark("What was found, file by file."),
            mark("Figures of the report of this check"),
            mark("The same for programs."),
        ),
        Value(
            "JUDGED",
            mark("Files as they were judged"),
            mark("Files that are those that were judged."),
        ),
        Value(
            "CHANGED",
            mark("Files that have changed"),
            mark("Files that are called as one that was judged, and are another."),
        ),
        Value(
            "MISSING",
            mark("Files that are missing"),
            mark("Files that were judged and are not there."),
        ),
        Value(
            "UNKNOWN",
            mark("Files that nobody has judged"),
            mark("Files that the report does not name, and those that could not be looked into."),
        ),
        Value(
            "PRIVATE",
            mark("Private files"),
            mark("Files that are private, or hold something that is."),
        ),
    )

    STEPS = {"look": 95, "write": 5}

    def inputs(self):
        """Return what is read."""
        return [
            parameters.file_source(
                "FIGURES",
                tr("Figures of the report (JSON)"),
                tr(
                    "The JSON file of the report that judged the release: of an attack, or of the "
                    "mask itself. It must hold an audit, as every report does that was made with this version or a later one."
                ),
                tr("JSON files (*.json)"),
                optional=False,
            ),
            parameters.folder_source(
                "FOLDER",
                tr("Folder to be given away"),
                tr("Everything in it and below it is looked at. Keep private files elsewhere."),
            ),
        ]

    def check(self, given):
        """What is written here must not go into the folder that is given away."""
        path = os.path.realpath(given.path("FOLDER"))
        if not os.path.isdir(path):
            return tr(
                "The folder {path} does not exist. Choose the folder that is to be given away."
            ).format(path=path)
        for definition in self.destinationParameterDefinitions():
            target = destinations.resolve(self, given.parameters, definition.name(), given.context)
            if target is None or target.path is None:
                continue
            if _lies_in(os.path.realpath(target.path), path):
                return tr(
                    "“{output}” is private and would go into the folder that is to be given away. "
                    "Choose another place."
                ).format(output=definition.description())
        return None

    def execute(self, run):
        """Read the report, look through the folder, tell."""
        message = self.check(run)
        if message:  # models and scripts do not ask
            raise InputError(message)
        path = run.path("FOLDER")
        told = self._told(run.path("FIGURES"))
        found = self._found(told, path, run.step("look"))
        result = reporting.Verification(path, told, found)
        (run.tell if result.is_fine else run.warn)(*result.sentences())
        run.outputs.add_rows("OUTPUT", [reporting.row(one) for one in found])
        states = Counter(one.state for one in found)
        return Result(
            {state.upper(): states[state] for state in reporting.COUNTED},
            report=lambda progress: reporting.report(result),
        )

    @staticmethod
    def _told(path: str) -> judging.Told:
        try:
            return judging.told_by(path, PRIVATE_COLUMNS)
        except OSError as error:
            raise InputError(
                tr(
                    "The figures {path} cannot be read ({reason}). Choose the JSON file of a "
                    "report."
                ).format(path=path, reason=error.strerror or error)
            ) from error
        except judging.OldReport as error:
            raise InputError(
                tr(
                    "The figures {path} hold no hashes: they were written by an earlier version. "
                    "Run the tool that wrote them again, with its JSON output."
                ).format(path=path)
            ) from error
        except judging.NoReport as error:
            raise InputError(
                tr(
                    "The file {path} does not hold the figures of a report as GeoAnon writes them. "
                    "Choose the JSON output of a mask or an attack."
                ).format(path=path)
            ) from error

    @staticmethod
    def _found(told: judging.Told, path: str, progress: Progress) -> list[judging.Finding]:
        try:
            files = folder.listed(path, lambda: progress(0.0))
        except OSError as error:
            raise InputError(
                tr(
                    "The folder {path} cannot be read ({reason}). Choose another one, or ask for "
                    "the right to read it."
                ).format(path=path, reason=error.strerror or error)
            ) from error
        except folder.TooMany as error:
            raise InputError(
                tr(
                    "The folder {path} holds more than {most:,} files, so it is hardly the folder "
                    "of one release. Choose the folder that is to be given away."
                ).format(path=path, most=folder.MOST)
            ) from error
        return judging.findings(told, folder.looked_through(path, files, told.signs, progress))


def _lies_in(path: str, folder: str) -> bool:
    inner, outer = os.path.normcase(path), os.path.normcase(folder)
    return inner.startswith(outer.rstrip(os.sep) + os.sep)
