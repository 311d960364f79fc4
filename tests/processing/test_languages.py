# SPDX-License-Identifier: GPL-2.0-or-later
"""French and Spanish have what a user chooses by: names, parameters, outputs and frames of reports."""

from __future__ import annotations

import dataclasses
import re

import pytest
from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QCoreApplication, QTranslator

from geoanon_qgis.report import Wording

#: Rooms of which everything is translated: choices, what is decided, its audit, the window's own.
ROOMS = ("processing/audit/page.py", "processing/dialog/words.py", "processing/verdicts.py")
ROOMS += tuple(f"desktop/{name}.py" for name in ("advice", "desktop", "dock", "startpage"))
LANGUAGES = ("es", "fr")


@pytest.fixture(scope="module")
def texts(translations):
    """Everything that can be translated, by its English."""
    return {text.source: text for text in translations["collect"]()}


@pytest.fixture(scope="module")
def shown(provider):
    """Names of tools, groups, parameters and outputs, as they are in English."""
    found = set()
    for algorithm in provider.algorithms():
        found |= {algorithm.displayName(), algorithm.group()}
        parts = (*algorithm.parameterDefinitions(), *algorithm.outputDefinitions())
        found |= {part.description() for part in parts}
    return found


@pytest.fixture
def spoken(checkout, language):
    """The plugin in a language, until the test ends."""
    translator = QTranslator()
    assert translator.load(str(checkout / "i18n" / f"geoanon_{language}.qm"))
    QCoreApplication.installTranslator(translator)
    registry = QgsApplication.processingRegistry()
    registry.providerById("geoanon").refreshAlgorithms()
    yield
    QCoreApplication.removeTranslator(translator)
    registry.providerById("geoanon").refreshAlgorithms()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_toolbox_and_the_dialogs_are_translated(translations, checkout, shown, language):
    known = translations["read"](checkout / "i18n" / f"geoanon_{language}.ts")
    names = re.compile(r"\b(AFTER|BEFORE)\b")  # of other parameters, filled in
    bare = {names.sub("{name}", one) for one in shown}
    missing = {
        one for one in bare if not {one, re.sub("^(Private|Release): ", "", one)} & known.keys()
    }
    assert not missing, f"update_translations.py {language} --missing FILE: {sorted(missing)[:5]}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_frames_of_reports_and_the_window_are_translated(translations, checkout, language):
    known = translations["read"](checkout / "i18n" / f"geoanon_{language}.ts")
    root = checkout / "geoanon_qgis"
    asked = {
        text.source
        for room in ROOMS
        for text in translations["strings_in"]((root / room).read_text("utf-8"), room)
    }
    marks = ("lang", "decimal_mark", "group_mark")
    asked |= {one.default for one in dataclasses.fields(Wording) if one.name not in marks}
    asked |= headings(root / "processing" / "reports")
    assert not asked - known.keys(), sorted(asked - known.keys())[:5]


def headings(folder):
    """Headings of all reports: what ``.section()`` is given first."""
    heading = re.compile(r"\.section\(\s*tr\(\s*(\"[^\"]*\")\s*\)")
    found = (heading.findall(path.read_text("utf-8")) for path in folder.glob("*.py"))
    return {text.strip('"') for texts in found for text in texts}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_translated_can_be_shown(translations, checkout, texts, language):
    """Placeholders are filled in, and the compiled file is the newest."""
    path = checkout / "i18n" / f"geoanon_{language}.ts"
    known = translations["read"](path)
    assert not known.keys() - texts.keys()
    forms = translations["FORMS"][language]
    faults = {one: translations["fault"](texts[one], known[one], forms) for one in known}
    assert {source: fault for source, fault in faults.items() if fault} == {}
    translator = QTranslator()
    assert translator.load(str(path.with_suffix(".qm")))
    for source, said in known.items():
        if texts[source].one is None:
            assert translator.translate("GeoAnon", source.encode()) == said[0]


@pytest.mark.parametrize(
    ("language", "name", "parameter"),
    [
        ("es", "Enmascaramiento de Voronoi", "Puntos que enmascarar"),
        ("fr", "Masquage de Voronoï", "Points à masquer"),
    ],
)
def test_the_toolbox_speaks_it(provider, spoken, language, name, parameter):
    mask = provider.algorithm("voronoimask")
    assert mask.displayName() == name
    asked = mask.create()  # which owns its parameters
    assert parameter in {one.description() for one in asked.parameterDefinitions()}
    names = [one.displayName() for one in provider.algorithms()]
    assert len(set(names)) == len(names)
