# SPDX-License-Identifier: GPL-2.0-or-later
"""Make screenshots small: ``shrink_pictures.py PICTURE.png … FOLDER``. Windows need few colours.

Needs Pillow, which comes with matplotlib.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

#: Colours of a picture, and its width: documents show it no wider.
COLOURS, WIDTH = 200, 1200


def shrink(picture: Path, folder: Path) -> Path:
    """Write a picture with few colours into a folder, and return where."""
    with Image.open(picture) as image:
        small = image.convert("RGB")
        if small.width > WIDTH:
            small = small.resize((WIDTH, round(small.height * WIDTH / small.width)), Image.LANCZOS)
        target = folder / picture.name
        small.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
            target, optimize=True
        )
    return target


if __name__ == "__main__":
    *pictures, place = map(Path, sys.argv[1:])
    for one in pictures:
        made = shrink(one, place)
        print(f"{made}: {made.stat().st_size / 1000:.0f} kB")
