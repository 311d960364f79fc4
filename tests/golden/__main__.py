# SPDX-License-Identifier: GPL-2.0-or-later
"""``python -m tests.golden``: write what the algorithms give today, as what they have to give.

With names of algorithms the files of the others stay as they are.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from tests import same_digits  # noqa: F401  isort: skip  before NumPy
from tests import conftest  # noqa: F401  puts QGIS's own plugins on the path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def main() -> None:
    """Run all cases, since one may need another, and write the files."""
    from qgis.core import QgsApplication

    application = QgsApplication([], False)
    application.initQgis()
    from processing.core.Processing import Processing

    from geoanon_qgis.processing.provider import GeoAnonProvider
    from tests.golden import kept
    from tests.golden.cases import CASES
    from tests.golden.running import Runner

    Processing.initialize()
    provider = GeoAnonProvider()
    assert QgsApplication.processingRegistry().addProvider(provider)
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(Path(folder))
        found = {}
        for name in CASES:
            print(name, flush=True)
            found[name] = runner.found(name)
    kept.write(found, sys.argv[1:])
    sys.stdout.flush()
    os._exit(0)  # QGIS does not always end well


if __name__ == "__main__":
    main()
