# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of what lies in a folder that is to be given away."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ...core.verdict import CANNOT_TELL, DECISIONS, DO_NOT_RELEASE, RELEASE_WITH_CARE
from ...core.verification import folder, judging, signs
from ...core.verification.judging import (
    ARCHIVE,
    CHANGED,
    JUDGED,
    MISSING,
    PRIVATE,
    UNKNOWN,
    Finding,
    Told,
)
from ...report import Report, col
from ..i18n import mark, number_of, tr
from ..verdicts import decision_title
from .common import PrivatePage

#: States that are counted, in the order of the outputs.
COUNTED = (JUDGED, CHANGED, MISSING, UNKNOWN, PRIVATE)
#: The worst first.
_ORDER = (PRIVATE, CHANGED, MISSING, UNKNOWN, ARCHIVE, JUDGED)
_STATES = {
    JUDGED: mark("judged, and unchanged"),
    CHANGED: mark("changed since it was judged"),
    MISSING: mark("judged, and not there"),
    UNKNOWN: mark("not named in the report"),
    PRIVATE: mark("private"),
    ARCHIVE: mark("an archive of what is listed with it"),
}
_LABELS = {
    JUDGED: mark("As they were judged"),
    CHANGED: mark("Changed since"),
    MISSING: mark("Missing"),
    UNKNOWN: mark("Not named in the report"),
    PRIVATE: mark("Private"),
}
_EXPLAINED = {
    JUDGED: mark("Files that the report is about, byte for byte."),
    CHANGED: mark("Files of the report that are no longer what was judged: judge them again."),
    MISSING: mark("Files of the report that are not in the folder."),
    UNKNOWN: mark("Files that the report says nothing about: look at each of them."),
    PRIVATE: mark("Files that show originals or lead back to them: take them away."),
}
#: Why a file is private, or was not looked into.
_REASONS = {
    judging.SAME: mark("it is “{what}”, byte for byte"),
    judging.NAMED: mark("it is called as “{what}”"),
    judging.SOURCE: mark("“{what}” was read from it"),
    judging.DRAFT: mark("it is a draft of a run that was broken off"),
    signs.COLUMN: mark("it has what private outputs have: {what}"),
    signs.COLUMNS: mark("it has all columns of “{what}”"),
    signs.PLACE: mark("it names the place of “{what}”"),
    signs.REPORT: mark("it is a private report"),
    signs.MASK: mark("it is, or holds, the mask file or the secret file of a release"),
    signs.SEED: mark("it tells the seed of a run"),
    signs.PROJECT: mark("it is, or holds, a project of QGIS, which says where its layers lie"),
    signs.DELETED: mark(
        "it is a database that still holds what was deleted from it: save its layers in a new file"
    ),
    folder.LINK: mark("it is a link, which is not followed"),
    folder.NO_FILE: mark("it is no ordinary file but a pipe, a device or the like"),
    folder.UNREADABLE: mark("it cannot be read"),
    folder.CLOSED: mark("it is an archive that cannot be looked into: unpack it"),
    folder.UNLISTED: mark(
        "it is an archive that holds more than the files that it lists: pack them anew"
    ),
    folder.TOO_LARGE: mark("it holds too much to be looked into to its end: unpack it"),
}
#: What a sentence names before it says "and more".
_NAMED = 5


@dataclass(frozen=True)
class Verification:
    """What the report tells of.

    Attributes
    ----------
    path : str
        The folder.
    told : Told
        What was judged.
    found : list of Finding
    """

    path: str
    told: Told
    found: list[Finding]

    def count(self, state: str) -> int:
        """How many files are in a state."""
        return Counter(one.state for one in self.found)[state]

    @property
    def is_clean(self) -> bool:
        """Whether all that was judged is there as it was, and nothing else."""
        return bool(self.count(JUDGED)) and not any(
            self.count(state) for state in COUNTED if state != JUDGED
        )

    @property
    def is_fine(self) -> bool:
        """Whether the report does not advise against what is there, either."""
        return self.is_clean and self.told.decision not in (DO_NOT_RELEASE, CANNOT_TELL)

    def sentences(self) -> list[str]:
        """What is said in the log, the worst first."""
        said = []
        if self.told.decision in DECISIONS and self.told.decision != RELEASE_WITH_CARE:
            said.append(
                tr(
                    "The verdict of the report is “{decision}”: that its files are unchanged does not "
                    "alter that."
                ).format(decision=decision_title(self.told.decision))
            )
        for state, files, text in (
            (
                PRIVATE,
                number_of(self.count(PRIVATE), "file is", "files are"),
                tr("Do not give this folder away: {files} private: {names}."),
            ),
            (
                CHANGED,
                number_of(self.count(CHANGED), "file is", "files are"),
                tr(
                    "{files} not as judged, so the report says nothing of what is in the folder: "
                    "{names}. Judge them again."
                ),
            ),
            (
                MISSING,
                number_of(self.count(MISSING), "file was", "files were"),
                tr(
                    "{files} judged and not there: {names}. Is it the right folder, or the right "
                    "report?"
                ),
            ),
            (
                UNKNOWN,
                number_of(self.count(UNKNOWN), "file is", "files are"),
                tr(
                    "{files} not named in the report, or could not be looked into: {names}. Look "
                    "at each of them, or take it away."
                ),
            ),
        ):
            if self.count(state):
                said.append(text.format(files=files, names=self._names(state)))
        for label in self.told.unhashed:
            said.append(
                tr(
                    "“{label}” had no file of its own when it was judged, or was not all that its file "
                    "holds (a filter, a selection, other layers, changes that were not saved), so "
                    "nothing can be compared with it. Save it as a file, and judge that."
                ).format(label=label)
            )
        if self.is_clean:
            said.append(
                tr(
                    "{files} judged and unchanged. Nothing else is there, and no sign of anything "
                    "private was found."
                ).format(files=number_of(self.count(JUDGED), "file is", "files are"))
            )
        elif not self.count(JUDGED):
            said.append(tr("No file in the folder is one that the report judged."))
        return said

    def _names(self, state: str) -> str:
        names = [one.name for one in self.found if one.state == state]
        some = ", ".join(names[:_NAMED])
        return tr("{names} and more").format(names=some) if len(names) > _NAMED else some


def why(finding: Finding) -> str:
    """The reasons in words."""
    if finding.state in (CHANGED, MISSING):
        return tr("“{what}” in the report").format(what=finding.why[0][1])
    if finding.state == JUDGED and finding.why:
        return tr("in the report it is called {what}").format(what=finding.why[0][1])
    told: dict[str, list[str]] = {}
    for kind, what in finding.why:
        told.setdefault(kind, []).append(what)
    return "; ".join(
        tr(_REASONS[kind]).format(what=", ".join(names) if kind == signs.COLUMN else name)
        for kind, names in told.items()
        for name in ([names[0]] if kind == signs.COLUMN else names)
    )


def row(finding: Finding) -> tuple:
    """A row of the table: file, state, why, bytes, SHA-256."""
    digest = finding.digest
    return (
        finding.name,
        finding.state,
        why(finding) or None,
        digest.size if digest else None,
        digest.sha256 if digest else None,
    )


def report(result: Verification) -> Report:
    """Say what lies in the folder."""
    is_danger = result.count(PRIVATE) or result.told.decision == DO_NOT_RELEASE
    kind = "info" if result.is_fine else "danger" if is_danger else "warning"
    page = PrivatePage(tr("Verify a release"), result.path)
    page.section(tr("In short"), "result")
    for state in COUNTED:
        page.figure(state, tr(_LABELS[state]), result.count(state), tr(_EXPLAINED[state]))
    for sentence in result.sentences():
        page.notice(sentence, kind)
    page.say(
        tr("Held against the report “{title}” of {written}.").format(
            title=result.told.title, written=result.told.written
        )
    )
    page.section(tr("The files"), "files").table(
        "files",
        [
            col("file", tr("File")),
            col("state", tr("What it is")),
            col("why", tr("Why")),
            col("bytes", tr("Bytes")),
            col("sha256", tr("SHA-256"), numeric=False),
        ],
        [
            (one.name, tr(_STATES[one.state]), *row(one)[2:])
            for one in sorted(result.found, key=lambda one: (_ORDER.index(one.state), one.name))
        ],
    )
    return page.report()
