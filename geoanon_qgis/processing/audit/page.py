# SPDX-License-Identifier: GPL-2.0-or-later
"""The audit page, which ends every report: the facts of a run, for people and on paper."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from ...report import Audit, Blanks, Column, Paragraph, Section, Table
from ..i18n import mark, tr

_KINDS = {
    "memory": mark("a layer in memory: no bytes to hash until it is saved"),
    "database": mark("a table in a database: no bytes of its own to hash"),
}
_NOT_HASHED = mark("not taken")


def page(facts: Mapping[str, Any], private: bool) -> Audit:
    """Make the page from the facts; see :mod:`.record`."""
    blocks = [
        Paragraph(
            tr("{title} ({algorithm}), begun {begun}, this report written {written}.").format(
                title=facts["title"],
                algorithm=facts["algorithm"],
                begun=_time(facts["begun"]),
                written=_time(facts["written"]),
            )
        ),
        Paragraph(
            tr("Made with {programs}.").format(
                programs=", ".join(f"{one['name']} {one['version']}" for one in facts["versions"])
            )
        ),
        *_parameters(facts["parameters"]),
        *_inputs(facts["inputs"]),
        *_outputs(facts["outputs"]),
    ]
    if private:
        blocks.append(
            Blanks(
                tr("Decided by people, not by this program"),
                (
                    tr("Released or withheld"),
                    tr("Why"),
                    tr("Given to, and for what"),
                    tr("Name and office"),
                    tr("Date and signature"),
                ),
            )
        )
    return Audit(Section(tr("Audit"), blocks), facts)


def _time(text: str) -> str:
    """Write a time for people, with its zone."""
    when = datetime.datetime.fromisoformat(text)
    zone = when.strftime("%z")
    return f"{when:%Y-%m-%d %H:%M:%S} (UTC{zone[:3]}:{zone[3:5]})"


def _parameters(parameters: Sequence[Mapping[str, Any]]) -> list[Table]:
    if not parameters:
        return []
    return [
        Table(
            (
                Column("parameter", tr("Parameter")),
                Column("label", tr("Meaning")),
                Column("value", tr("Value as it was used"), numeric=False),
                Column("given", tr("Given")),
            ),
            [
                (
                    one["name"],
                    one["label"],
                    _value(one),
                    tr("yes") if one["given"] else tr("default"),
                )
                for one in parameters
            ],
            tr("Parameters"),
        )
    ]


def _value(one: Mapping[str, Any]) -> str:
    if one["secret"]:
        return (
            tr("given, and not told here: it is secret")
            if one["given"]
            else tr("none: random numbers came from the operating system")
        )
    if "value" not in one:
        return tr("not told here")
    value = one["value"]
    if value is None or value == []:
        return tr("empty")
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, list):
        return ", ".join(str(each) for each in value)
    return str(value)


def _inputs(inputs: Sequence[Mapping[str, Any]]) -> list[Table]:
    if not inputs:
        return []
    if "place" not in inputs[0]:  # the report may be given away
        rows = [(one["label"],) for one in inputs]
        return [Table((Column("label", tr("Input")),), rows, tr("Inputs"))]
    what = Table(
        (
            Column("label", tr("Input")),
            Column("layer", tr("Layer")),
            Column("place", tr("From")),
            Column("filter", tr("Filter, selection")),
            Column("features", tr("Records")),
        ),
        [
            (one["label"], one["layer"] or None, _place(one), _choice(one), one["features"])
            for one in inputs
        ],
        tr("Inputs"),
    )
    rows = [(one["label"], *row) for one in inputs for row in _files(one["files"])]
    rows += [
        (one["label"], _digested(one["fields"]), None, one["features_sha256"])
        for one in inputs
        if one["features_sha256"]
    ]
    return [what, _digests(rows, tr("Fingerprints of the inputs"))]


def _digested(fields: Sequence[str]) -> str:
    if not fields:
        return tr("the geometries that were read, in their order")
    return tr("what was read, in its order: geometries and {fields}").format(
        fields=", ".join(fields)
    )


def _place(one: Mapping[str, Any]) -> str:
    if not one["sublayer"]:
        return one["place"]
    return tr("{place}, layer {layer}").format(place=one["place"], layer=one["sublayer"])


def _choice(one: Mapping[str, Any]) -> str:
    said = [one["filter"]] if one["filter"] else []
    if one["selected_only"]:
        said.append(tr("selected features only"))
    if one["limit"]:
        said.append(tr("the first {count:,} at most").format(count=one["limit"]))
    if one["changed"]:
        said.append(tr("with changes that were not saved"))
    return "; ".join(said) or tr("none")


def _outputs(outputs: Sequence[Mapping[str, Any]]) -> list[Table]:
    rows = []
    for one in outputs:
        files = _files(one["files"])
        if not files:
            said = tr(_KINDS[one["kind"]]) if one["kind"] in _KINDS else tr("written last")
            files = [(said, None, None)]
        rows += [(one["label"], *row) for row in files]
    return [_digests(rows, tr("Outputs"))] if rows else []


def _files(files: Sequence[Mapping[str, Any]]) -> list[tuple]:
    return [(one["name"], one["bytes"], one["sha256"] or tr(_NOT_HASHED)) for one in files]


def _digests(rows: Sequence[tuple], caption: str) -> Table:
    return Table(
        (
            Column("label", tr("What")),
            Column("file", tr("File")),
            Column("bytes", tr("Bytes")),
            Column("sha256", tr("SHA-256"), numeric=False),
        ),
        rows,
        caption,
    )
