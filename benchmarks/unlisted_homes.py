# SPDX-License-Identifier: GPL-2.0-or-later
"""Homes that the list lacks: what is believed of addresses, and what is right, when some are unlisted.

python benchmarks/unlisted_homes.py [--records 2000] [--draws 1]

Of the dwellings 0, 10 or 30 % are left out of the list by chance. Who does not think of that, who is
told the share, and who sees it by the points (as much as they prove) stand beside what is right.
"""

from __future__ import annotations

import argparse
import sys

import _dwellings
import numpy as np

from geoanon_qgis.core.attacks.masks.likelihood import by_law
from geoanon_qgis.core.attacks.masks.posterior import who_lives_there
from geoanon_qgis.core.attacks.masks.together import together
from geoanon_qgis.core.attacks.masks.unlisted import unlisted
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.laws import Gaussian, disc

LAWS = (
    ("Gaussian 5 m", Gaussian(5.0)),
    ("Gaussian 20 m", Gaussian(20.0)),
    ("Gaussian 60 m", Gaussian(60.0)),
    ("disc 30 m", disc(30.0)),
    ("disc 100 m", disc(100.0)),
)
LACKING = (0.0, 0.1, 0.3)
#: Claims from which on they are shown by themselves: a list that lacks homes misleads most there.
_SURE = 0.8


def attacked(homes: np.ndarray, law, lacking: float, records: int, seed: int):
    """What three adversaries believe of their best guess, which guesses are right, and the share seen."""
    rng = np.random.default_rng(seed)
    kept = rng.random(len(homes)) >= lacking
    candidate = np.where(kept, np.cumsum(kept) - 1, -1)
    rows = rng.choice(len(homes), records, replace=False)
    points, listed = displace(homes[rows], law, rng.bytes(32), "unlisted").xy, homes[kept]
    likelihood = by_law(points, listed, law)
    found = who_lives_there(together(likelihood))
    told = unlisted(likelihood, points, listed, law, share=lacking)
    seen = unlisted(likelihood, points, listed, law)
    believed = [found.top, found.top * (1.0 - told.each), found.top * (1.0 - seen.each)]
    return believed, found.right(candidate[rows]), seen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=2_000)
    parser.add_argument("--draws", type=int, default=1)
    given = parser.parse_args()
    if not _dwellings.available():
        return 0
    homes = np.unique(_dwellings.integer_metres(), axis=0)
    print("law            lacks   right   not thought of   told   seen   share seen (likeliest)")
    for name, law in LAWS:
        for lacking in LACKING:
            drawn = [
                attacked(homes, law, lacking, given.records, seed) for seed in range(given.draws)
            ]
            sums = [np.mean([one[0][at].sum() for one in drawn]) for at in range(3)]
            right = np.mean([one[1].sum() for one in drawn])
            share = np.mean([one[2].share for one in drawn])
            likeliest = np.mean([one[2].likeliest for one in drawn])
            print(
                f"{name:14} {lacking:4.0%} {right:8.0f} {sums[0]:14.0f} {sums[1]:8.0f} {sums[2]:6.0f}"
                f"   {share:.2f} ({likeliest:.2f})",
                flush=True,
            )
            for at, who in enumerate(("not thought of", "told", "seen")):
                claimed = np.concatenate([one[0][at] for one in drawn])
                hit = np.concatenate([one[1] for one in drawn])
                sure = claimed >= _SURE
                if sure.sum() >= 30:
                    print(
                        f"    {who}: {sure.sum():,} of which he is surer than {_SURE:g}:"
                        f" {claimed[sure].mean():.2f} claimed, {hit[sure].mean():.2f} right"
                    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
