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

from geoanon_qgis.processing.models import PackagedModel  # noqa: E402
from geoanon_qgis.processing.provider import GeoAnonProvider, algorithm_classes  # noqa: E402

PAGE = """<!DOCTYPE html>
<html lang="en">
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


def page(algorithm) -> str:
    """The help of one algorithm as a page of its own."""
    body = algorithm.shortHelpString()
    for part in ("<html>", "<body>", "</body>", "</html>"):  # of models
        body = body.replace(part, "")
    return PAGE.format(
        title=html.escape(algorithm.displayName()),
        name=algorithm.name(),
        short=html.escape(algorithm.shortDescription(), quote=False),
        body=body,
    )


def main() -> None:
    """Write the pages."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "resources" / "help"
    folder.mkdir(parents=True, exist_ok=True)
    application = QgsApplication([], False)
    QgsApplication.initQgis()
    for made in algorithm_classes():
        algorithm = made().create()
        (folder / f"{algorithm.name()}.html").write_text(page(algorithm), encoding="utf-8")
    # The models' steps must be in the registry, which keeps the provider.
    provider = GeoAnonProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    for algorithm in provider.algorithms():
        if isinstance(algorithm, PackagedModel):
            text = page(algorithm)
            (folder / f"{algorithm.name()}.html").write_text(text, encoding="utf-8")
    application.exitQgis()


if __name__ == "__main__":
    main()
