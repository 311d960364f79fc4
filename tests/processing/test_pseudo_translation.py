# SPDX-License-Identifier: GPL-2.0-or-later
"""Everything a user sees can be translated: with every text in another script, no English is left.

A translator writes each text of the translators' template in fullwidth letters; data, fields and
layers have Greek names. What Latin letters then remain in help, dialogs, logs, refusals and
reports must be names that no language translates.
"""

from __future__ import annotations

import html
import re
import string
from pathlib import Path

import numpy as np
import pytest
from qgis.core import QgsApplication, QgsProcessingModelAlgorithm
from qgis.PyQt.QtCore import QCoreApplication, QTranslator

from geoanon_qgis.core.microdata.observations import KINDS
from geoanon_qgis.core.microdata.rules import FOUND
from geoanon_qgis.core.runtime import packages
from geoanon_qgis.processing import styling
from tests.processing.concluding import page_of
from tests.processing.helpers import Feedback, layer, refusal, run, saved

#: Latin letters in letters that no English text has.
WIDE = str.maketrans({letter: chr(ord(letter) + 0xFEE0) for letter in string.ascii_letters})
#: Names that stay in any language: programs, packages, formats and units; what help gives as an
#: example; what is kept in memory is called so by QGIS.
NAMES = frozenset(
    """
    GeoAnon QGIS GDAL PROJ Python NumPy SciPy Shapely Linux NumPy pip apt sudo install python3
    matplotlib numba networkx numpy pyarrow pyproj scipy shapely spopt
    CSV GeoPackage JSON HTML Parquet memory
    m km kB MB GB
    sex male female age income Infinity
    """.split()
)
#: QGIS's own words.
FROM_QGIS = ("All files (*.*)", "Unable to execute algorithm", "Results: {")


class Pseudo(QTranslator):
    """Every text that translators are given, in fullwidth letters; values and tags stay."""

    def __init__(self, texts):
        super().__init__()
        self.found = {text.source: in_wide(text.source) for text in texts}

    def translate(self, context, text, disambiguation=None, n=-1):
        return self.found.get(text) if context == "GeoAnon" else None


def in_wide(text: str) -> str:
    """A text with its letters in another script; placeholders, tags and file patterns stay."""
    kept = re.compile(r"\{\{|\}\}|\{[^{}]*\}|<[^<>]*>|&\w+;|\(\*[^()]*\)")
    parts, at = [], 0
    for stays in kept.finditer(text):
        parts += [text[at : stays.start()].translate(WIDE), stays.group()]
        at = stays.end()
    return "".join([*parts, text[at:].translate(WIDE)])


def english_in(line: str, known: frozenset[str] = frozenset()) -> list[str]:
    """Latin words that are left of a line, without what is known and names of all languages."""
    if line.startswith(FROM_QGIS) or re.search(r"\. \(\d{4}\)\. ", line):  # a reference
        return []
    for stays in (
        r"<- as\.dist.*|\bimport .*|\w+ = (pandas|scipy|numpy)\..*",  # what is typed in R, Python
        r"\bqgis_process run .*",  # what is typed in a shell
        r'\b[a-z_]+\("[^;]*',  # expressions of QGIS
        re.escape(packages.system()),
        r"\b(https?|mailto):\S+",
        r"\bgeoanon:\w+",
        r"\b\d+(\.\d+)+[-+]\S+",  # versions, as 3.40.6-Bratislava
        r"\b[A-Z][A-Z0-9_]*=\S*",  # parameters as they are typed
        r"\(\*[^()]*\)|\S*/\S+/\S*|\S+\.(gpkg|csv|html|json|npz|png)\b",  # files
        r"\b[0-9a-f]{64}\b",
    ):
        line = re.sub(stays, " ", line)
    return [
        word
        for word in re.findall(r"\w+", line)
        if re.search("[A-Za-z]{2}", word)
        and word.isascii()
        and word not in NAMES | known
        and "_" not in word  # names of fields and of choices
        and not word.isupper()  # names of parameters and outputs
    ]


def text_of_page(path) -> str:
    """What a page shows, with the texts of its pictures."""
    page = page_of(path)
    page = re.sub(r"<(style|script|code|pre)\b.*?</\1>", " ", page, flags=re.DOTALL)
    told = re.findall(r'\b(?:alt|title|aria-label|placeholder)="([^"]*)"', page)
    return html.unescape("\n".join([re.sub(r"<[^<>]*>", "\n", page), *told]))


@pytest.fixture(scope="module")
def pseudo(provider, translations):
    translator = Pseudo(translations["collect"]())
    QCoreApplication.installTranslator(translator)
    yield translator
    QCoreApplication.removeTranslator(translator)


def registry():
    return QgsApplication.processingRegistry()


def choices() -> set[str]:
    """What parameters let a user choose from: names, the same in scripts and in all languages."""
    return {
        name
        for algorithm in algorithms()
        for one in algorithm.parameterDefinitions()
        if hasattr(one, "usesStaticStrings") and one.usesStaticStrings()
        for name in one.options()
    }


class Listener:
    """Runs algorithms, and keeps each line of logs, pages and refusals that has English in it."""

    def __init__(self, folder):
        self.folder = folder
        self.known = frozenset(choices()) | frozenset(KINDS) | {FOUND}
        self.found: dict[str, list[str]] = {}

    def hear(self, text: str, *known: str) -> None:
        for line in text.splitlines():
            words = english_in(line, self.known | frozenset(known))
            if words:
                self.found[line.strip()] = words

    def run(self, algorithm, parameters, *known, **outputs):
        feedback = Feedback()
        page = self.folder / f"{algorithm}.html"
        given = {"OUTPUT": "TEMPORARY_OUTPUT", **parameters, **outputs}
        if registry().algorithmById(f"geoanon:{algorithm}").parameterDefinition("REPORT"):
            given["REPORT"] = str(page)
        done = run(algorithm, given, feedback)
        self.hear(feedback.said, *known)
        if page.exists():
            self.hear(text_of_page(page), *known)
            page.unlink()
        return done

    def refusal(self, algorithm, parameters, *known):
        feedback = Feedback()
        self.hear(
            refusal(algorithm, {"OUTPUT": "TEMPORARY_OUTPUT", **parameters}, feedback), *known
        )
        self.hear(feedback.said, *known)

    def file(self, name: str) -> str:
        return str(self.folder / name)


@pytest.fixture
def listener(pseudo, tmp_path):
    listener = Listener(tmp_path)
    yield listener
    found = [f"{words}: {line[:400]}" for line, words in listener.found.items()]
    assert not found, "\n".join(found)


# --- what an algorithm says of itself -----------------------------------------------------------


def algorithms():
    """All that the provider has, QGIS's models included."""
    return QgsApplication.processingRegistry().providerById("geoanon").algorithms()


def test_english_is_heard():
    assert english_in("Ｎｏｔ ｒｅｌｅａｓｅｄ: η (its name, 60 values)") == [
        "its",
        "name",
        "values",
    ]
    assert english_in("Ｒｕｎ geoanon:vbas ｗｉｔｈ SITES=4, REGION_ID, /tmp/a/b.gpkg") == []
    assert in_wide("<b>{n:,} areas</b> (*.csv)") == "<b>{n:,} ａｒｅａｓ</b> (*.csv)"


def test_dialogs_and_help(listener):
    for known in algorithms():
        algorithm = known.create()
        told = [algorithm.displayName(), algorithm.group(), algorithm.shortDescription()]
        if not isinstance(algorithm, QgsProcessingModelAlgorithm):  # its headings are QGIS's
            told.append(algorithm.shortHelpString())
        # fields are called the same in all languages, and what they mean stands behind them
        declared = getattr(algorithm, "OUTPUTS", ())
        names = [field.name for one in declared for field in getattr(one, "fields", ())]
        for one in algorithm.parameterDefinitions():
            told += [one.description(), one.help()]
            names.append(one.name())
            if hasattr(one, "options"):
                names += one.options() if one.usesStaticStrings() else []
                told += [] if one.usesStaticStrings() else one.options()
            if hasattr(one, "fileFilter"):
                told.append(one.fileFilter())
        for one in algorithm.outputDefinitions():
            told.append(one.description())
        text = html.unescape(re.sub(r"<[^<>]*>", "\n", "\n".join(told)))
        for name in filter(lambda one: " " in one, names):
            text = text.replace(f"({name})", "")  # behind its words
        listener.hear(text, *names)


def test_legends_and_notes(listener):
    roles = [one for name, one in vars(styling).items() if name[0] != "_" and name.isupper()]
    roles = [one for one in roles if isinstance(one, str)]
    assert {styling.MASKED, styling.AT_RISK, styling.REGIONS} <= set(roles)
    for role in roles:
        drawn = layer([(0, 0), (1, 1)], name="λ")
        styling.style(drawn, role)
        listener.hear(drawn.metadata().abstract())
        for item in drawn.renderer().legendSymbolItems():
            listener.hear(item.label())


# --- runs ----------------------------------------------------------------------------------------


def people(count=60, seed=1, name="λαός", kind="Point"):
    """Records with a Greek name: age, sex, a number and a name that is screened out."""
    rng = np.random.default_rng(seed)
    rows = [
        (int(rng.integers(20, 60)), "αθ"[int(rng.integers(2))], float(rng.normal(50, 9)), f"ω{i}")
        for i in range(count)
    ]
    xy = rng.uniform(0, 2e4, (count, 2)) + (400_000, 300_000)
    return layer(
        xy if kind == "Point" else [None] * count,
        crs="EPSG:27700" if kind == "Point" else "",
        kind=kind,
        fields="η:int,φ:string,χ:double,ψ:string",
        rows=rows,
        name=name,
    )


def regions(count=36):
    side = int(count**0.5)
    xy = np.stack(np.divmod(np.arange(count), side), axis=1) * 1000.0 + (400_000, 300_000)
    rows = [(row, "βν"[row % 2]) for row in range(count)]
    return layer(xy, fields="ρ:int,μ:string", rows=rows, name="τόποι")


def test_masking(listener):
    source = saved(people(), Path(listener.file("λ.gpkg")))
    public = listener.folder / "public"
    public.mkdir()
    masked = listener.run(
        "voronoimask",
        {"INPUT": source, "SEED": 1},
        "fid",
        OUTPUT=str(public / "μ.gpkg"),
        SHIFTS=listener.file("σ.gpkg"),
        CELLS=listener.file("δ.gpkg"),
        KEY=listener.file("κ.gpkg"),
        JSON=listener.file("μ.json"),
    )
    given = {"INPUT": masked["OUTPUT"], "CANDIDATES": source}
    listener.run("reversevoronoi", {**given, "KEY": masked["KEY"]}, LINKS=listener.file("γ.gpkg"))
    listener.run("reversevoronoi", {**given, "CANDIDATES": people(200, seed=2)})
    listener.run("verifyrelease", {"FIGURES": listener.file("μ.json"), "FOLDER": str(public)})
    listener.refusal("voronoimask", {"INPUT": people(1)})
    listener.refusal("reversevoronoi", {**given, "CANDIDATES": people(5)})


def test_distances(listener):
    source = people(40)
    for algorithm, parameters in (
        ("noisydistances", {"NOISE": "gaussian", "SIGMA": 50}),
        ("lipschitzrelease", {"SETS": 8, "SIZE": 3}),
    ):
        made = listener.run(
            algorithm,
            {"INPUT": source, "FIELDS": ["η", "φ"], "SEED": 1, **parameters},
            MATRIX=listener.file("μ.csv"),
            OUTPUT=listener.file("ε.gpkg"),
            KEY=listener.file("κ.gpkg"),
        )
    listener.run(
        "distanceaccuracy", {"INPUT": source, "MATRIX": made["MATRIX"], "KEY": made["KEY"]}
    )
    labelled = listener.run(
        "isgprelease",
        {"INPUT": source, "FIELDS": ["η", "φ"], "RADIUS": 1000, "SEED": 1},
        SHARED=listener.file("σ.csv"),
        OUTPUT=listener.file("ε.gpkg"),
        KEY=listener.file("κ.gpkg"),
    )
    listener.run(
        "linkageattack",
        {
            "TARGET": labelled["OUTPUT"],
            "MATRIX": labelled["SHARED"],
            "IDENTIFICATION": source,
            "RULE": "isgp",
            "SEED": 1,
        },
    )
    tried = {"INPUT": source, "SETS": "3,5", "SIZE": "2", "REPEATS": 2, "SEED": 1}
    listener.run("distanceaccuracy", tried)
    listener.run("chooseembedding", {**tried, "DRAWS": 0})
    listener.run("chooseembedding", {**tried, "DRAWS": 1, "SETS": "3", "QIS": ["η", "φ"]})
    attack = {
        "TARGET": made["OUTPUT"],
        "MATRIX": made["MATRIX"],
        "TARGET_QIS": ["η", "φ"],
        "IDENTIFICATION": source,
        "IDENTIFICATION_QIS": ["η", "φ"],
        "RULE": "lipschitz",
        "SETS": 8,
        "SIZE": 3,
        "SEED": 1,
    }
    listener.run("linkageattack", {**attack, "TRUTH": made["KEY"]})
    listener.run("linkageattack", {**attack, "METHOD": "likelihood"})
    tried = {
        "INPUT": people(120),
        "QIS": ["η", "φ"],
        "N_TARGET": 30,
        "N_IDENTIFICATION": 30,
        "OVERLAP": 10,
        "METHOD": "coordinate_noise",
        "SIGMA": "50, 500",
        "ALPHA": "0.9",
        "REPEATS": 2,
        "SEED": 1,
    }
    listener.run("linkageexperiment", tried)
    several = {"RELEASES": 2, "LINKED_BY": "rows", "KNOWN_LINKS": 2, "ATTACK": "clique"}
    listener.run("linkageexperiment", {**tried, **several, "SIGMA": "50"})
    listener.refusal("linkageattack", {**attack, "TARGET_QIS": ["η"]})
    listener.refusal("distanceaccuracy", {"INPUT": people(3), "SETS": "0", "SIZE": "2"})
    broken = Path(listener.file("β.csv"))
    for text in ("", "1,2\n", ",1,2\n1,0,x\n2,x,0\n", ",1,2\n1,0,3\n2,4,0\n"):
        broken.write_text(text)
        listener.refusal("linkageattack", {**attack, "MATRIX": str(broken)})


def test_microdata(listener):
    source = people(80)
    fields = ["η", "φ", "χ"]
    made = {}
    for method in ("spectral_swapping", "spectral_rhs", "rhs", "additive_noise"):
        made = listener.run(
            "spectralanonymize",
            {"INPUT": source, "FIELDS": fields, "METHOD": method, "K": 3, "SEED": 1},
            OUTPUT=listener.file(f"{method}.gpkg"),
            KEY=listener.file(f"{method}κ.gpkg"),
        )
    given = {"ORIGINAL": source, "ANONYMIZED": made["OUTPUT"], "FIELDS": fields}
    listener.run("disclosurerisk", {**given, "REFERENCE": people(80, seed=5)})
    listener.run("disclosurerisk", {**given, "KEY": made["KEY"]})
    listener.run("microdatautility", given)
    listener.run("equivalenceclasses", {"INPUT": source, "QIS": ["η", "φ"]})
    listener.refusal("spectralanonymize", {"INPUT": source, "FIELDS": ["ψ"]})
    listener.refusal("spectralanonymize", {"INPUT": source, "FIELDS": fields, "K": 1})
    listener.refusal("disclosurerisk", {**given, "FIELDS": ["η"], "K": 500})


def test_aggregation(listener):
    shares = Path(listener.file("σ.json"))
    shares.write_text(
        '{"labels": {"φ": ["α", "θ"]}, "groups": {"β": {"φ": [1, 2]}, "ν": {"φ": [1, 1]}}}',
        encoding="utf-8",
    )
    listener.run(
        "syntheticrecords",
        {
            "REGIONS": regions(),
            "REGION_ID": "ρ",
            "GROUP": "μ",
            "SHARES_FILE": str(shares),
            "LEAST": 20,
            "MOST": 30,
            "SEED": 8,
        },
    )
    given = {
        "REGIONS": regions(),
        "REGION_ID": "ρ",
        "RECORDS": layer(
            [None] * 900,
            "",
            "NoGeometry",
            "ρ:int,φ:string,η:int",
            [(row % 36, "αθ"[row % 3 % 2], row % 7) for row in range(900)],
            "λαός",
        ),
        "RECORD_REGION": "ρ",
        "QIS": ["φ", "η"],
        "K": 5,
        "SEED": 1,
    }
    for location in ("balanced_density", "adc", "least_suppression"):
        listener.run("vbas", {**given, "SITES_BY": "fixed", "SITES": 6, "LOCATION": location})
    listener.run("vbascompare", {**given, "K": "2,5", "SITES_BY": "fixed", "SITES": 6})
    listener.refusal("vbas", {**given, "SITES_BY": "fixed", "SITES": 600})
    listener.refusal("vbas", {**given, "K": 5000, "SITES_BY": "fixed", "SITES": 6})


def test_environment(listener):
    listener.run("checkenvironment", {})
