# SPDX-License-Identifier: GPL-2.0-or-later
"""Numbers and nouns in a language with more than two forms, by Qt's own rules."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from qgis.PyQt.QtCore import QCoreApplication, QLocale, QTranslator

from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.core.runtime.wording import number_of as counted
from geoanon_qgis.processing.i18n import figure, number_of, tr

POLISH = ("{n} rekord", "{n} rekordy", "{n} rekordów")


@pytest.fixture
def polish(translations, tmp_path):
    """A translation made as a translator makes it: three forms of a noun, and a sentence."""
    lrelease = shutil.which("lrelease")
    if lrelease is None:
        pytest.skip("lrelease is not installed")
    wanted = [
        translations["Text"]("{n} records", "{n} record"),
        translations["Text"]("{what} is missing."),
    ]
    wanted.append(translations["Text"]("{id} is there twice."))
    text = translations["template"](wanted).replace('sourcelanguage="en"', 'language="pl_PL"')
    forms = "".join(f"<numerusform>{form}</numerusform>" for form in POLISH)
    text = text.replace("<numerusform></numerusform>", forms).replace(' type="unfinished"', "")
    for said in ("Brakuje: {what}.", "{ident} dwa razy."):
        text = text.replace("<translation></translation>", f"<translation>{said}</translation>", 1)
    (tmp_path / "geoanon_pl.ts").write_text(text, encoding="utf-8")
    subprocess.run([lrelease, "geoanon_pl.ts"], cwd=tmp_path, check=True, capture_output=True)
    translator = QTranslator()
    assert translator.load(str(tmp_path / "geoanon_pl.qm"))
    QCoreApplication.installTranslator(translator)
    yield
    QCoreApplication.removeTranslator(translator)


def test_each_number_has_its_form(polish):
    said = [number_of(count, "record", "records") for count in (1, 2, 5, 12, 22, 2004)]
    assert said == ["1 rekord", "2 rekordy", "5 rekordów", "12 rekordów", "22 rekordy"] + [
        "2,004 rekordy"
    ]


def test_an_error_of_the_engine_is_said_with_its_values(polish):
    error = InputError("{what} is missing.", what=counted(3, "record", "records"))
    assert str(error) == "3 records is missing."
    assert tr(error.sentence) == "Brakuje: 3 rekordy."
    assert tr("{what} is missing.").format(what=counted(5, "record", "records")) == (
        "Brakuje: 5 rekordów."
    )


def test_a_translation_with_other_names_is_not_taken(polish):
    assert tr("{id} is there twice.") == "{ident} dwa razy."
    assert tr("{id} is there twice.").format(id=3) == "3 is there twice."


def test_without_a_translation_english_is_right():
    assert number_of(1, "record", "records") == "1 record"
    assert number_of(0, "record", "records") == "0 records"


def test_numbers_in_a_sentence_are_written_as_in_its_language(checkout):
    """With the marks of the country where the plugin is translated, else as in English."""
    said = "{records} in {classes}; {share:.1f} %, at most {most:,.2f}"
    values = {"records": counted(2004, "record", "records"), "classes": figure(12345, ",")}
    values |= {"share": 12.5, "most": 1234.5}
    assert tr(said).format(**values) == "2,004 records in 12,345; 12.5 %, at most 1,234.50"
    before = QLocale()
    translator = QTranslator()
    assert translator.load(str(checkout / "i18n" / "geoanon_de.qm"))
    QCoreApplication.installTranslator(translator)
    QLocale.setDefault(QLocale("de_DE"))
    try:
        assert number_of(2004, "record", "records") == "2\u202f004 Datensätze"
        assert number_of(1, "record", "records") == "1 Datensatz"
        shown = tr("at least {low}").format(low=figure(1234.5, ",.2f"))
        assert shown == "mindestens 1\u202f234,50"
        assert tr(figure(0.25, ".1%")) == "25,0%"
    finally:
        QLocale.setDefault(before)
        QCoreApplication.removeTranslator(translator)
