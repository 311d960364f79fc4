# SPDX-License-Identifier: GPL-2.0-or-later
"""What released classes have in common of sensitive fields: log, numbers, next step."""

from __future__ import annotations

from collections.abc import Sequence

from ..dialog.declaration import Value
from ..families.secrets import Secrets
from ..i18n import mark, number_of, tr
from .equivalenceclasses_more import sensitive_sentence

VALUES = (
    Value(
        "LEAST_VALUES",
        mark("Fewest different sensitive values (l)"),
        mark("In a class that is released, of any sensitive field; empty without one."),
    ),
    Value(
        "FARTHEST",
        mark("Farthest class (t)"),
        mark("Largest distance of a class from all that is released, of any sensitive field."),
    ),
    Value(
        "SHARED",
        mark("Records that share their sensitive value with all of their class"),
        mark("Of the sensitive field of which there are most."),
    ),
)


def numbers(secrets: Secrets | None) -> dict[str, float]:
    """Return the values of :data:`VALUES`."""
    if secrets is None:
        return {}
    return {
        "LEAST_VALUES": min(one.least_distinct for one in secrets.found),
        "FARTHEST": max(one.farthest for one in secrets.found),
        "SHARED": max(one.shared for one in secrets.found),
    }


def tell(secrets: Secrets | None, run) -> None:
    """Say in the log what each field gives away; warn where that is more than was allowed."""
    for one in [] if secrets is None else secrets.found:
        say = run.warn if one in secrets.broken else run.tell
        say(sensitive_sentence(one))


def step(secrets: Secrets | None) -> list[str]:
    """What to do about it."""
    if secrets is None or not secrets.broken:
        return []
    found = secrets.evidence
    return [
        tr(
            "Leave {names} out of FIELDS, or run it again with fewer sites, a larger K or coarser "
            "categories: {records} in classes that tell too much of it."
        ).format(
            names=", ".join(one.name for one in secrets.broken),
            records=number_of(round(found.found), "record is", "records are"),
        )
    ]


def not_run(secrets: Secrets | None, further: Sequence[str]) -> list[str]:
    """What the verdict says nothing about."""
    left = [name for name in further if secrets is None or name not in secrets.names]
    if not left:
        return []
    return [
        tr(
            "What all of a class have in common of {names} is known of each of them; that was not looked "
            "at. Name what nobody is to learn in SENSITIVE."
        ).format(names=", ".join(left))
    ]
