# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:checkenvironment."""

from __future__ import annotations

from qgis.core import Qgis

from ... import paths
from ...core import accel, packages
from ...report import Column, Figure, Figures, Paragraph, Report, Section, Table
from .. import parameters as make
from ..base import GeoAnonAlgorithm, Help
from ..i18n import mark, tr

_STATES = {
    "installed": mark("installed"),
    "too old": mark("too old"),
    "missing": mark("missing"),
}
_ACCELERATOR = {
    "compiled": mark("numba compiles the slow loops."),
    "switched off": mark("numba is there but switched off: same results, slower."),
    "not installed": mark("numba is not there: same results, slower."),
}


class CheckEnvironmentAlgorithm(GeoAnonAlgorithm):
    """Say which packages are here, what each is for and how to get those that are not."""

    NAME = "checkenvironment"
    DISPLAY_NAME = mark("Check environment")
    GROUP = "tools"
    ICON = "checkenvironment"
    TAGS = (mark("packages"), mark("dependencies"), mark("install"), mark("version"), "numba",
            "scipy", "shapely", "pip")  # fmt: skip
    SHORT_DESCRIPTION = mark(
        "Lists the Python packages that GeoAnon uses: which are there, what each is for, and how "
        "to install those that are missing."
    )
    HELP = Help(
        what=mark(
            "GeoAnon loads with NumPy alone. Other packages make more algorithms work, or make "
            "them faster. This lists each with the version that was found, what it is for, what "
            "is slower or missing without it, and the command that installs it on this computer."
        ),
        when=mark("When an algorithm says that a package is missing, or before reporting a bug."),
        outputs=(
            ("INSTALLED", mark("How many of the packages are there in a version that serves.")),
            ("MISSING", mark("How many are not, or are too old.")),
            ("REPORT, JSON", mark("The list as a page and for programs.")),
        ),
        cautions=(
            mark("Nothing is installed and nothing is looked up in the network."),
            mark("A package manager may bring a newer NumPy that QGIS's own packages do not work "
                 "with; the commands therefore keep the version that is there."),
        ),
    )  # fmt: skip

    def initAlgorithm(self, configuration=None):  # noqa: N802
        """Declare parameters and outputs."""
        self.addParameter(
            make.html_destination(
                "REPORT", tr("Report"), tr("The list as a page."), private=False
            )
        )
        self.addParameter(
            make.json_destination(
                "JSON", tr("Figures of the report"), tr("The list for programs."), private=False
            )
        )
        self.add_numbers(
            INSTALLED=tr("Packages installed"), MISSING=tr("Packages missing or too old")
        )

    def execute(self, parameters, context, feedback, outputs):
        """Look, tell, report."""
        findings = packages.survey()
        missing = [finding for finding in findings if not finding.usable]
        versions = _versions()
        for name, version in versions:
            feedback.pushInfo(f"{name}: {version}")
        for finding in findings:
            feedback.pushInfo(_line(finding))
        feedback.pushInfo(tr(_ACCELERATOR[accel.status()]))
        command = ""
        if missing:
            command = packages.install_command([one.package.name for one in missing])
            feedback.pushWarning(
                tr("To install what is missing, run this and restart QGIS:  {command}").format(
                    command=command
                )
            )
        else:
            feedback.pushInfo(tr("Nothing is missing."))
        outputs.add_report(lambda: _report(versions, findings, command))
        return {"INSTALLED": len(findings) - len(missing), "MISSING": len(missing)}


def _versions() -> list[tuple[str, str]]:
    return [
        ("GeoAnon", paths.metadata().get("version", "")),
        ("QGIS", Qgis.QGIS_VERSION),
        (tr("System"), packages.system()),
    ]


def _line(finding: packages.Finding) -> str:
    package = finding.package
    if finding.usable:
        return tr("{name} {version}: {purpose}").format(
            name=package.name, version=finding.version, purpose=tr(package.purpose)
        )
    return tr("{name} {version} ({state}; needed: {wanted}): {purpose}. {without}").format(
        name=package.name,
        version=finding.version or "–",
        state=tr(_STATES[finding.state]),
        wanted=package.wanted,
        purpose=tr(package.purpose),
        without=tr(package.without),
    )


def _report(versions, findings, command: str) -> Report:
    usable = sum(finding.usable for finding in findings)
    rows = [
        (
            finding.package.name,
            finding.version,
            tr(_STATES[finding.state]),
            tr(finding.package.purpose),
            tr(finding.package.without),
        )
        for finding in findings
    ]
    columns = (
        Column("package", tr("Package")),
        Column("version", tr("Version")),
        Column("state", tr("State")),
        Column("purpose", tr("What it is for")),
        Column("without", tr("Without it")),
    )
    advice = (
        tr("To install what is missing, run this and restart QGIS:\n\n{command}").format(
            command=command
        )
        if command
        else tr("Nothing is missing.")
    )
    return Report(
        title=tr("Environment of GeoAnon"),
        subtitle=", ".join(f"{name} {version}" for name, version in versions),
        sections=[
            Section(
                tr("Packages"),
                (
                    Figures(
                        (
                            Figure("installed", tr("Installed"), usable),
                            Figure("missing", tr("Missing or too old"), len(findings) - usable),
                        )
                    ),
                    Table(columns, rows, name="packages"),
                    Paragraph(advice),
                    Paragraph(tr(_ACCELERATOR[accel.status()])),
                ),
                name="packages",
            )
        ],
        version=paths.metadata().get("version", ""),
    )
