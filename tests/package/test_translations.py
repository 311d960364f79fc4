# SPDX-License-Identifier: GPL-2.0-or-later
"""Every string that the user sees can be found by a translator."""

from __future__ import annotations

import dataclasses
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

from geoanon_qgis.report import Wording


@pytest.fixture(scope="module")
def sources(translations):
    return {text.source for text in translations["collect"]()}


def test_all_strings_are_plain_literals(translations):
    texts = translations["collect"]()
    root = ElementTree.fromstring(translations["template"](texts).split("<!DOCTYPE TS>")[1])
    assert [source.text for source in root.iter("source")] == [text.source for text in texts]
    numbered = [one.find("source").text for one in root.iter("message") if one.get("numerus")]
    assert numbered == [text.source for text in texts if text.one is not None]
    assert all(text.startswith("{n} ") for text in numbered)


def test_an_f_string_is_refused(translations):
    found = translations["strings_in"](
        "tr('a'); mark('b')\nself.tr('c')\nInputError('d', n=1)", "x.py"
    )
    assert [text.source for text in found] == ["a", "b", "c", "d"]
    with pytest.raises(SystemExit, match="x.py:1: tr"):
        translations["strings_in"]("tr(f'{number} points')", "x.py")
    with pytest.raises(SystemExit, match="x.py:1: InputError"):
        translations["strings_in"]("InputError('a' + name)", "x.py")


def test_counted_nouns_have_a_form_for_each_number(translations):
    (text,) = translations["strings_in"]("number_of(len(rows), 'area', 'areas')", "x.py")
    assert (text.source, text.one) == ("{n} areas", "{n} area")
    with pytest.raises(SystemExit, match="x.py:1: number_of"):
        translations["strings_in"]("number_of(1, tr('area'), tr('areas'))", "x.py")


def test_the_reports_own_words_are_there(sources):
    words = Wording()
    marks = ("lang", "decimal_mark", "group_mark")
    names = [field.name for field in dataclasses.fields(words) if field.name not in marks]
    assert {getattr(words, name) for name in names} <= sources


def test_what_the_models_show_is_there(translations, sources, checkout):
    models = sorted((checkout / "resources" / "models").glob("*.model3"))
    found = {text.source for path in models for text in translations["strings_of_model"](path)}
    assert {"Mask, attack, report", "Voronoi masking", "Candidate places"} <= found <= sources


def test_qt_takes_the_template(translations, sources, tmp_path):
    lrelease = shutil.which("lrelease")
    if lrelease is None:
        pytest.skip("lrelease is not installed")
    (tmp_path / "geoanon.ts").write_text(
        translations["template"](translations["collect"]()), encoding="utf-8"
    )
    ran = subprocess.run(
        [lrelease, "geoanon.ts"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert f"{len(sources)} untranslated" in ran.stdout + ran.stderr


@pytest.mark.parametrize("language", ["de"])
def test_a_language_is_complete_and_compiled(translations, checkout, language):
    """A string that is new is translated with it: ``update_translations.py de --missing FILE``."""
    path = checkout / "i18n" / f"geoanon_{language}.ts"
    texts = translations["collect"]()
    known = translations["read"](path)
    missing = [text.source for text in texts if text.source not in known]
    assert not missing, f"{len(missing)} not translated to {language}, such as {missing[:3]}"
    forms = translations["FORMS"][language]
    faults = {text.source: translations["fault"](text, known[text.source], forms) for text in texts}
    assert {source: fault for source, fault in faults.items() if fault} == {}
    same = [source for source, said in known.items() if said == [source] and len(source) > 40]
    assert not same, f"English in {language}: {same[:3]}"
    from qgis.PyQt.QtCore import QTranslator

    translator = QTranslator()
    assert translator.load(str(path.with_suffix(".qm")))
    said = {
        text.source: translator.translate("GeoAnon", text.source.encode())
        for text in texts
        if text.one is None
    }
    stale = [source for source, one in said.items() if one != known[source][0]]
    assert not stale, f"run scripts/update_translations.py: {stale[:3]}"


def test_what_a_translation_may_not_do(translations):
    text, fault = translations["Text"], translations["fault"]
    assert fault(text("{n} of {all:,}"), ["{n} von {all:,}"], 2) == ""
    assert "fills in" in fault(text("{n} of {all:,}"), ["{n} von {all}"], 2)
    assert "fills in" in fault(text("{name}"), ["{nam}"], 2)
    assert "another space" in fault(text(" or "), ["oder"], 2)
    assert "number of forms" in fault(text("{n} areas", "{n} area"), ["{n} Gebiete"], 2)
    assert fault(text("{n} areas", "{n} area"), ["ein Gebiet", "{n} Gebiete"], 2) == ""
    assert fault(text('{"a": 1}'), ['{"a": 1}'], 2) == ""
    assert fault(text("x"), [" "], 2) == "is empty"
