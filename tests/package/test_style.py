# SPDX-License-Identifier: GPL-2.0-or-later
"""The linter finds nothing."""

import subprocess
import sys


def test_the_linter_finds_nothing(checkout):
    done = subprocess.run(
        [sys.executable, "-m", "flake8", "--jobs=1"],
        cwd=checkout,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
