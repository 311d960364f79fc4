# SPDX-License-Identifier: GPL-2.0-or-later
"""Write ``resources/help/<algorithm>.html``, what the dialogs' Help button opens.

The text is the algorithms' own, so there is one place to change it. Run with the interpreter
that QGIS uses, after a help text or a parameter has changed::

    QT_QPA_PLATFORM=offscreen .venv/bin/python scripts/make_help.py [FOLDER]
"""

import html
import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from qgis.core import QgsApplication  # noqa: E402
from qgis.PyQt.QtCore import QTranslator  # noqa: E402

from geoanon_qgis.processing.models import PackagedModel  # noqa: E402
from geoanon_qgis.processing.provider import GeoAnonProvider, algorithm_classes  # noqa: E402

PAGE = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} – GeoAnon</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 1rem/1.5 system-ui, sans-serif; }}
body {{ max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }}
h1 {{ line-height: 1.2; }}
h3 {{ margin: 1.6rem 0 .3rem; }}
code {{ font-size: .95em; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p><code>geoanon:{name}</code> · {short}</p>
{body}
</body>
</html>
"""


def page(algorithm, language: str = "en") -> str:
    """The help of one algorithm as a page of its own, in the language that is installed."""
    body = algorithm.shortHelpString()
    for part in ("<html>", "<body>", "</body>", "</html>"):  # of models
        body = body.replace(part, "")
    return PAGE.format(
        title=html.escape(algorithm.displayName()),
        name=algorithm.name(),
        short=html.escape(algorithm.shortDescription(), quote=False),
        body=body,
        language=language,
    )


def translators() -> dict[str, Path]:
    """Compiled translations by their language, of those that have a folder for pages of help."""
    compiled = {path.stem.partition("_")[2]: path for path in (ROOT / "i18n").glob("geoanon_*.qm")}
    pages = ROOT / "resources" / "help"
    return {language: path for language, path in compiled.items() if (pages / language).is_dir()}


def main() -> None:
    """Write the pages, those of each language in a folder of its own."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "resources" / "help"
    application = QgsApplication([], False)
    QgsApplication.initQgis()
    # The models' steps must be in the registry, which keeps the provider.
    provider = GeoAnonProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    write(folder, "en", provider)
    for language, path in translators().items():
        translator = QTranslator()
        translator.load(str(path))
        application.installTranslator(translator)
        provider.refreshAlgorithms()
        write(folder / language, language, provider)
        application.removeTranslator(translator)
    application.exitQgis()


def write(folder: Path, language: str, provider: GeoAnonProvider) -> None:
    """Write the pages of all algorithms and models in one language."""
    folder.mkdir(parents=True, exist_ok=True)
    models = [one for one in provider.algorithms() if isinstance(one, PackagedModel)]
    for algorithm in [*(made().create() for made in algorithm_classes()), *models]:
        text = page(algorithm, language)
        (folder / f"{algorithm.name()}.html").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
