# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:checkenvironment."""

from __future__ import annotations

from ...core.runtime import accel, installing, packages
from ...report import Column, Figure, Figures, Notice, Paragraph, Report, Section, Table
from ..audit import versions
from ..base import GeoAnonAlgorithm, Help
from ..dialog.declaration import HARMLESS, Value, reports
from ..i18n import mark, tr
from ..running import Result

_STATES = {
    packages.INSTALLED: mark("installed"),
    packages.TOO_OLD: mark("too old"),
    packages.BROKEN: mark("broken"),
    packages.MISSING: mark("not installed"),
}
_NUMBA = {
    "compiled": mark("numba is there and compiles the slow loops."),
    "switched off": mark("numba is there but switched off; results are the same."),
    "not installed": mark("numba is not there; results are the same, some attacks take longer."),
}


class CheckEnvironmentAlgorithm(GeoAnonAlgorithm):
    """Say which packages are here, what each is for and how to get those that are not."""

    NAME = "checkenvironment"
    DISPLAY_NAME = mark("Check environment")
    GROUP = "tools"
    TAGS = mark(
        "packages, dependencies, install, version, diagnose, numpy, scipy, shapely, numba, pip"
    )
    SHORT_DESCRIPTION = mark(
        "Lists the Python packages that GeoAnon uses: which are there, what each is for, and the "
        "command that installs what is missing."
    )
    HELP = Help(
        what=mark(
            "The plugin loads with NumPy alone. Its tools use further packages where they are "
            "there. This lists each package with its version, what it is for and what is slower or "
            "missing without it, tries whether it loads, and gives the command that installs what "
            "is missing on this computer."
        ),
        when=mark(
            "After installing the plugin, when a tool misses a package, and before you report a "
            "problem."
        ),
        cautions=(
            mark(
                "Nothing is installed and nothing is looked up in the network. Run the command "
                "yourself, then restart QGIS."
            ),
            mark(
                "The command keeps the NumPy that is there: a newer one would break packages that "
                "QGIS came with."
            ),
        ),
    )

    OUTPUTS = (
        *reports(
            mark(
                "The list as a page that can be sent to somebody who helps. It names the system "
                "and its versions, and no data."
            ),
            figures_help=mark("The list for programs."),
            secrecy=HARMLESS,
        ),
        Value(
            "INSTALLED",
            mark("Packages that can be used"),
            mark("Of the packages that the tools use, those that work."),
        ),
        Value("MISSING", mark("Packages missing, too old or broken")),
        Value(
            "COMMAND",
            mark("Command that installs them"),
            mark("Empty when nothing is missing."),
            is_text=True,
        ),
    )

    def execute(self, run):
        """Look, tell, report."""
        run.tell(*(f"{name} {version}" for name, version in versions.versions()))
        findings = []
        for done, name in enumerate(packages.PACKAGES):
            run.progress(done / len(packages.PACKAGES))
            # What no tool uses is not worth the risk of loading it.
            findings.append(packages.find(name, load=packages.PACKAGES[name].used))
        run.tell(*_lines(findings), tr(_NUMBA[accel.status()]))
        missing = _missing(findings)
        command = installing.install_command([finding.package.name for finding in missing])
        if missing:
            run.warn(_advice(command))
        else:
            run.tell(_nothing_missing(findings))
        return Result(
            {"INSTALLED": _installed(findings), "MISSING": len(missing), "COMMAND": command},
            report=lambda progress: _report(findings, command),
        )


def _installed(findings: list[packages.Finding]) -> int:
    return sum(finding.usable and finding.package.used for finding in findings)


def _missing(findings: list[packages.Finding]) -> list[packages.Finding]:
    """What a tool would use and cannot; not what serves a single choice."""
    return [
        one for one in findings if one.package.used and not one.usable and not one.package.on_demand
    ]


def _nothing_missing(findings: list[packages.Finding]) -> str:
    apart = [one.package for one in findings if one.package.on_demand and not one.usable]
    if not apart:
        return tr("All packages that the tools use are there.")
    return tr("All packages that the tools use are there, but for {names}.").format(
        names=", ".join(f"{one.name} ({_in_a_sentence(tr(one.purpose))})" for one in apart)
    )


def _in_a_sentence(text: str) -> str:
    return text[:1].lower() + text[1:].rstrip(".")


def _lines(findings: list[packages.Finding]) -> list[str]:
    """The table as text, one line a package; aligned for a log in a fixed-width letter."""
    cells = [
        (finding.package.name, tr(_STATES[finding.state]), finding.version or "–")
        for finding in findings
    ]
    widths = [max(map(len, column)) for column in zip(*cells)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths)) + "  " + _remark(finding)
        for row, finding in zip(cells, findings)
    ]


def _remark(finding: packages.Finding) -> str:
    """What it is for; what is missing without it, when it is."""
    said = [tr(finding.package.purpose)]
    if not finding.package.used:
        return said[0] + " " + tr("No tool of this version uses it.")
    if finding.note:
        said.append(tr(finding.note))
    if not finding.usable:
        said.append(tr("Without it: {loss}").format(loss=tr(finding.package.without)))
    return " ".join(said)


def _need(package: packages.Package) -> str:
    if not package.used:
        return mark("not used yet")
    return mark("needed") if package.needed else mark("optional")


def _advice(command: str) -> str:
    return tr("To install what is missing, run this {where} and restart QGIS: {command}").format(
        where=tr(installing.where_to_run()), command=command
    )


def _report(findings: list[packages.Finding], command: str) -> Report:
    missing = len(_missing(findings))
    rows = [
        (
            finding.package.name,
            finding.version,
            tr(_STATES[finding.state]),
            tr(_need(finding.package)),
            " ".join(filter(None, (tr(finding.package.purpose), tr(finding.note)))),
            tr(finding.package.without),
        )
        for finding in findings
    ]
    columns = (
        Column("package", tr("Package")),
        Column("version", tr("Version"), numeric=False),
        Column("state", tr("State")),
        Column("need", tr("Need")),
        Column("purpose", tr("What it is for")),
        Column("without", tr("Without it")),
    )
    return Report(
        title=tr("Check environment"),
        subtitle=tr("What GeoAnon finds on this computer"),
        private=False,
        version=versions.plugin_version(),
        sections=[
            Section(
                tr("Packages"),
                (
                    Figures(
                        (
                            Figure(
                                "installed",
                                tr("Can be used"),
                                _installed(findings),
                                explained=tr("Packages that the tools find and can load."),
                            ),
                            Figure(
                                "missing",
                                tr("Missing, too old or broken"),
                                missing,
                                explained=tr("Packages without which some tools cannot work."),
                            ),
                        )
                    ),
                    Table(columns, rows, name="packages"),
                    Notice(_advice(command), "warning")
                    if missing
                    else Paragraph(_nothing_missing(findings)),
                    Paragraph(tr(_NUMBA[accel.status()])),
                ),
                name="packages",
            ),
        ],
    )
