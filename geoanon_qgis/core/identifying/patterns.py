# SPDX-License-Identifier: GPL-2.0-or-later
"""What the values of a field are written like: e-mail addresses, coordinates, streets."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .reasons import HOLDS_ACCOUNT, HOLDS_ADDRESS, HOLDS_CONTACT, HOLDS_COORDINATE, HOLDS_PERSON

#: Different values that are looked at.
_LOOKED_AT = 2_000
#: One in so many is enough of what nothing else is written like; of the rest, half of them.
_FEW, _MOST = 1 / 200, 1 / 2

_NUMBER = r"[-+]?\d{1,3}[.,]\d{2,}\s*°?"
_STREET = (
    r"street|st\.?|road|rd\.?|avenue|ave\.?|lane|drive|close|court|crescent|square|terrace|way|"
    r"boulevard|blvd\.?|highway|strasse|straße|str\.|weg|platz|allee|gasse|rue|chemin|impasse|"
    r"place|quai|calle|avenida|plaza|paseo|carrer|via|viale|corso|piazza|vicolo|rua|travessa|"
    r"praça|straat|laan|plein|gracht|kade|ulica|ul\.|aleja|al\.|osiedle|os\.|gade|vej|vænge|"
    r"gata|gatan|väg|vägen|vei|veien|gate|gaten|katu|tie|ulice|utca|út|cadde|sokak|улица|ул\."
)
#: Pattern, share of the values that are written so, and what they are; texts in lower case.
_KINDS = (
    (re.compile(r"[^\s@]+@[^\s@]+\.[a-z]{2,}"), _FEW, HOLDS_CONTACT),
    (re.compile(r"https?://|\bwww\.[\w-]+\."), _FEW, HOLDS_CONTACT),
    (
        re.compile(
            r"^[\w-]+(\.[\w-]+)*\.(com|org|net|info|eu|gov|edu|uk|de|at|ch|fr|be|nl|es|it|pt"
            r"|pl|cz|se|no|dk|fi|ie|br|us|ca|au)(/\S*)?$"
        ),
        _MOST,
        HOLDS_CONTACT,
    ),
    (
        re.compile(r"^(\d{1,3}\.){3}\d{1,3}$|^([0-9a-f]{0,4}:){3,7}[0-9a-f]{0,4}$"),
        _MOST,
        HOLDS_CONTACT,
    ),
    (re.compile(r"^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$"), _MOST, HOLDS_CONTACT),
    # a leading 0, + or bracket, or groups of three, three and four; dates are none
    (
        re.compile(
            r"^(?!\d\d[./-]\d\d[./-]\d{2,4}$)(?=(\D*\d){7,15}\D*$)"
            r"(\+|\(|00?(?=[\d /.()-]*[ /.)-]|\d{8}))[\d ()/.–-]+$"
            r"|^\d{3}[-. ]\d{3}[-. ]\d{4}$"
        ),
        _MOST,
        HOLDS_CONTACT,
    ),
    (
        re.compile(r"^(srid=\d+;)?\s*(multi)?(point|linestring|polygon)\s*[zm]{0,2}\s*\("),
        _FEW,
        HOLDS_COORDINATE,
    ),
    (re.compile(r'"coordinates"\s*:\s*\['), _FEW, HOLDS_COORDINATE),
    (
        re.compile(rf"^[(\[]?\s*{_NUMBER}\s*[nsewo]?\s*[,;/ ]\s*{_NUMBER}\s*[nsewo]?\s*[)\]]?$"),
        _MOST,
        HOLDS_COORDINATE,
    ),
    (re.compile(r"\d{1,3}\s*°\s*\d{1,2}\s*['′’]"), _FEW, HOLDS_COORDINATE),
    (re.compile(r"^\d{5,7}([.,]\d+)?\s*[,;/ ]\s*\d{5,7}([.,]\d+)?$"), _MOST, HOLDS_COORDINATE),
    (
        re.compile(
            rf"^(?=.*\d)(.*(\b({_STREET})(?!\w)|(strasse|straße|str\.|weg|gasse|straat|laan|"
            r"vej|gade|gatan|vägen|veien|katu|tie)\b))"
        ),
        _MOST,
        HOLDS_ADDRESS,
    ),
    (
        re.compile(
            r"^[a-z]{1,2}\d[a-z\d]?\s*\d[a-z]{2}$|^\d{4}\s?[a-z]{2}$|^[a-z]\d[a-z]\s?\d[a-z]\d$"
            r"|^\d{2}-\d{3}$|^\d{5}-\d{3,4}$|^[a-z]{1,2}-\d{4,5}$"
        ),
        _MOST,
        HOLDS_ADDRESS,
    ),
    (
        re.compile(
            r"^(mr|mrs|ms|miss|dr|prof|herr|frau|mme|mlle|monsieur|madame|sr|sra|srta|sig|"
            r"sig\.ra|dhr|mevr|pan|pani)\.?\s+\S+"
        ),
        _MOST,
        HOLDS_PERSON,
    ),
    (re.compile(r"^[a-z]{2}\d{2}( ?[a-z\d]{4}){3,7}( ?[a-z\d]{1,3})?$"), _MOST, HOLDS_ACCOUNT),
    (re.compile(r"^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$"), _MOST, HOLDS_ACCOUNT),
)


def reason_of_values(values: Sequence[str]) -> str | None:
    """Say what texts in lower case are written like: one of the reasons, or None."""
    some = values[:: max(1, len(values) // _LOOKED_AT)]
    if not some:
        return None
    for pattern, share, reason in _KINDS:
        like = sum(1 for value in some if pattern.search(value))
        if like and like >= share * len(some):
            return reason
    return None
