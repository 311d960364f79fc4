# SPDX-License-Identifier: GPL-2.0-or-later
"""What parameters say of each other: choices their words, and those with a rule the rule."""

from __future__ import annotations

from collections.abc import Iterable

from qgis.core import (
    QgsProcessingParameterBoolean,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

from ..i18n import tr
from . import notes, rules, words

#: Parameters one of which can watch over its dialog.
_PLAIN = (
    QgsProcessingParameterBoolean,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)


def announce(definitions: Iterable[QgsProcessingParameterDefinition]) -> dict[str, str]:
    """Have the help of parameters say words and rules, and dialogs show them; once for each.

    Parameters
    ----------
    definitions : iterable of QgsProcessingParameterDefinition
        Those that an algorithm or model reads, with help in the user's language.

    Returns
    -------
    dict of str to str
        The help of those parameters of which there was something to say, by their names.
    """
    named = {one.name(): one for one in definitions}
    choices = [
        one
        for one in named.values()
        if isinstance(one, QgsProcessingParameterEnum) and words.has_words(one)
    ]
    for one in choices:
        _say(one, _in_words(one))
        notes.shown_by(one, notes.CHOICE)
    ruled = [one for one in named.values() if rules.rule_of(one)]
    for one in ruled:
        _say(one, rules.said(one, named))
    plain = [one for one in named.values() if isinstance(one, _PLAIN)]
    if plain and not choices:
        notes.shown_by(plain[0], notes.WATCHFUL)
    return {one.name(): one.help() for one in (*choices, *ruled)}


def _in_words(choice: QgsProcessingParameterEnum) -> str:
    said = [f"“{shown}” ({one})" for one, shown in words.words_of(choice).items()]
    return tr("In words: {words}.").format(words=", ".join(said))


def _say(definition: QgsProcessingParameterDefinition, sentence: str) -> None:
    definition.setHelp(f"{definition.help()} {sentence}".strip())
