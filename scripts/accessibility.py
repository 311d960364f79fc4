# SPDX-License-Identifier: GPL-2.0-or-later
"""Look for what keeps people from reading a report or a page: contrast, names, headings, keyboard.

    python3 scripts/accessibility.py PAGE.html …

Needs Chromium and npm, by which axe-core comes into ``build/axe``. Prints what is found for every page,
in light and in dark colours, and ends with 1 if any of it is serious.
"""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "axe"
AXE = FOLDER / "node_modules" / "axe-core" / "axe.min.js"
SERIOUS = ("serious", "critical")
_RESULT = re.compile(r'<pre id="axe-found">(.*?)</pre>', re.DOTALL)
_FORBIDS = re.compile(r"<meta[^>]*Content-Security-Policy[^>]*>")
_RUN = """<script>window.addEventListener("load", () => axe.run().then(found => {
const shown = document.createElement("pre");
shown.id = "axe-found";
shown.textContent = JSON.stringify(found.violations.map(one => (
    {id: one.id, impact: one.impact, help: one.help, where: one.nodes.map(node => node.html)})));
document.body.appendChild(shown);
}));</script>"""


def browser() -> str | None:
    """Return the program, if there is one."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return next((found for found in map(shutil.which, names) if found), None)


def axe(install: bool = False) -> Path | None:
    """Return axe-core's file, fetched by npm where that is asked for."""
    if not AXE.exists() and install and shutil.which("npm"):
        FOLDER.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--silent", "--no-save", "--prefix", str(FOLDER), "axe-core@4"]
        subprocess.run(command, check=True, stdout=sys.stderr)
    return AXE if AXE.exists() else None


def violations(page: Path, program: str, script: Path, dark: bool = False) -> list[dict]:
    """Return what axe-core finds on a page.

    Raises
    ------
    RuntimeError
        If the browser shows no result.
    """
    # A report forbids scripts of others, ours with them.
    text = _FORBIDS.sub("", page.read_text(encoding="utf-8"))
    code = script.read_text(encoding="utf-8").replace("</script", "<\\/script")
    # Beside the page, so that what it loads is found.
    with (
        tempfile.NamedTemporaryFile(
            "w", suffix=".html", prefix="axe-", dir=page.parent, encoding="utf-8"
        ) as copy,
        tempfile.TemporaryDirectory() as profile,
    ):
        copy.write(text.replace("</body>", f"<script>{code}</script>{_RUN}</body>"))
        copy.flush()
        command = [
            program,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--window-size=1200,1500",
        ]
        command += [f"--user-data-dir={profile}", "--virtual-time-budget=30000", "--dump-dom"]
        command += ["--force-dark-mode"] if dark else []
        ran = subprocess.run([*command, Path(copy.name).as_uri()], capture_output=True, text=True)
    found = _RESULT.search(ran.stdout)
    if found is None:
        raise RuntimeError(f"{page}: the browser shows no result.\n{ran.stderr[-2000:]}")
    return json.loads(html.unescape(found[1]))


def main(pages: list[str]) -> int:
    """Look at pages, print what is found; return the exit status."""
    program, script = browser(), axe(install=True)
    if program is None or script is None:
        print("accessibility: Chromium and npm are needed.", file=sys.stderr)
        return 2
    serious = 0
    for page in map(Path, pages):
        for dark in (False, True):
            found = violations(page.resolve(), program, script, dark)
            print(f"{page}, {'dark' if dark else 'light'}: {len(found)} found")
            for one in found:
                serious += one["impact"] in SERIOUS
                print(f"    {one['impact']} {one['id']}: {one['help']}, {len(one['where'])} times")
                print(f"        {one['where'][0][:150]}")
    return int(serious > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
