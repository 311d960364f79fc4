# SPDX-License-Identifier: GPL-2.0-or-later
"""The report writers' own words in the user's language, and lists of ids in sentences."""

from __future__ import annotations

from dataclasses import fields

from qgis.PyQt.QtCore import QLocale

from ..report import Wording
from .i18n import number_marks, tr

#: What stays as it is in any language.
_MARKS = ("lang", "decimal_mark", "group_mark")
#: Ids that a sentence names before it says "and more".
_NAMED = 5


def report_wording() -> Wording:
    """Translate the default wording; numbers are written as in the user's country."""
    english = Wording()
    words = {
        field.name: tr(getattr(english, field.name))
        for field in fields(Wording)
        if field.name not in _MARKS
    }
    if words == {name: getattr(english, name) for name in words}:
        return english  # not translated: then numbers stay English too
    return Wording(lang=QLocale().name()[:2], decimal_mark=number_marks()[1], **words)


def named(ids: list[int]) -> str:
    """List a few feature ids."""
    some = ", ".join(str(one) for one in ids[:_NAMED])
    if len(ids) > _NAMED:
        return tr("feature ids {ids} and more").format(ids=some)
    if len(ids) > 1:
        return tr("feature ids {ids}").format(ids=some)
    return tr("feature id {ids}").format(ids=some)
