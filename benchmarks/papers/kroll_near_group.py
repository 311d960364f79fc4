# SPDX-License-Identifier: GPL-2.0-or-later
"""Published settings against the near group: what the papers say of them, and who is found.

    python benchmarks/papers/kroll_near_group.py [--draws 5] [--first 7000] [--only TEXT]

Kroll & Schnell (2016) choose the parameters of an embedding by the attack of Kroll (2014), a clique
of the compatibility graph. Here the same files and parameters are attacked by those who live near
each other. People, release and attack are drawn anew in every draw, with seeds that nothing was
tuned on. Neither paper's files are at hand: Germans are those of ``_germans.py``, hospitals those of
``kroll_schnell_attack.py``. The quotations and figures of the papers are by their clique; right and
claimed are sums of all draws, with the Clopper-Pearson interval of precision, and the share of the
people in both files who are found is a mean with Student's interval over the draws.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import _germans
import _near_files as near_files
import numpy as np
from kroll_schnell import britain
from kroll_schnell_attack import hospitals
from near_group import attacked, counts
from scipy.stats import t

from geoanon_qgis.core.attacks.linkage.compatibility import CoordinateNoise, LipschitzEmbedding
from geoanon_qgis.core.space.metrics import metric_for

#: Released, known and in both, of the papers' hospitals.
HOSPITALS = (400, 400, 40)


@dataclass(frozen=True)
class Setting:
    """What a paper says of a release."""

    files: str
    sets: int
    size: int
    sigma: float
    said: str


def embedded(files: str, sets: int, size: int, said: str) -> Setting:
    """Return an embedding of so many sets of so many points."""
    return Setting(files, sets, size, 0.0, said)


def noisy(sigma: float, said: str) -> Setting:
    """Return noise on coordinates, in degrees."""
    return Setting("Germans", 0, 0, sigma, said)


_LIMIT = 'precision "approaches 25 %", "not unreasonable for practical applications"'
_ZERO = '"only a precision close to 0"'
SETTINGS = (
    embedded("Germans", 20, 5, '"a certain amount of successful re-identifications"'),
    embedded("Germans", 20, 10, "between the two experiments"),
    embedded("Germans", 20, 20, f'{_ZERO}, recall "does not approach 10 %"'),
    embedded("Germans", 20, 30, f'{_ZERO}, "very few successful re-identifications": the choice'),
    embedded("Germans", 60, 30, _ZERO),
    embedded("Germans", 100, 30, _ZERO),
    embedded("hospitals", 20, 10, 'precision "nearly 0.5", "unacceptable for sensitive data"'),
    embedded("hospitals", 20, 30, _LIMIT),
    embedded("hospitals", 60, 30, _LIMIT),
    embedded("hospitals", 100, 30, _LIMIT),
    embedded("hospitals", 20, 50, 'no "further decrease in precision" below 25 %'),
    embedded("hospitals", 20, 100, 'no "further decrease in precision" below 25 %'),
    noisy(0.005, "precision .98, recall .28 (alpha .5)"),
    noisy(0.02, "precision .87, recall .29 (alpha .5)"),
    noisy(0.05, 'precision .63, recall .26 (alpha .5); "useful analyses would become difficult"'),
)


def files_of(kind: str, seed: int) -> near_files.Files:
    """Draw released and known people."""
    if kind == "Germans":
        return near_files.draw("germans", seed)
    rng = np.random.default_rng(seed)
    places, codes = hospitals(rng)
    released, known, common = HOSPITALS
    total = released + known - common
    chosen = rng.permutation(len(places))[:total]
    first = rng.permutation(released)
    second = rng.permutation(np.arange(released - common, total))
    row = np.full(total, -1)
    row[second] = np.arange(known)
    globe = metric_for("great_circle", _germans.WGS84)
    return near_files.Files(
        near_files.Region(britain(), globe, lambda count, rng: hospitals(rng)[0][:count]),
        places[chosen[first]],
        [codes[at] for at in chosen[first]],
        places[chosen[second]],
        [codes[at] for at in chosen[second]],
        row[first],
    )


def found_share(right: np.ndarray, common: int) -> str:
    """Mean share of the people in both files who are found, and its interval over draws."""
    share = right / common
    mean = share.mean()
    if len(share) < 2:
        return f"{mean:.2f}"
    half = t.ppf(0.975, len(share) - 1) * share.std(ddof=1) / np.sqrt(len(share))
    return f"{mean:.2f} ({max(mean - half, 0):.2f} to {min(mean + half, 1):.2f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--first", type=int, default=7_000, help="seed of the first draw")
    parser.add_argument("--only", default="", help="settings whose name has this in it")
    options = parser.parse_args()
    print(
        f"Near group, {options.draws} draws of each: right / claimed (precision; 95 % interval)\n"
    )
    head = f"{'files':11}{'release':21}{'groups':35}{'grown':35}{'expected':>9}{'of those in both':>22}"
    print(f"{head}{'CPU s':>7}  the paper says")
    for one in SETTINGS:
        name = f"{one.sets} sets of {one.size}" if one.sets else f"noise {one.sigma} deg."
        if options.only not in f"{one.files} {name}":
            continue
        runs = []
        for seed in range(options.first, options.first + options.draws):
            data = files_of(one.files, seed)
            area, wkt = data.region.area, _germans.WGS84
            made_by = LipschitzEmbedding(one.sets, one.size, area, 0.9, 300)
            if one.sigma:
                made_by = CoordinateNoise(one.sigma, True, 0.9, area, wkt)
            runs.append((attacked(data, made_by, seed + 1), int((data.truth >= 0).sum())))
        draws = [draw for draw, _ in runs]
        right = np.array([draw.claimed.sum() for draw in draws])
        print(
            f"{one.files:11}{name:21}{counts([draw.grouped for draw in draws]):35}"
            f"{counts([draw.claimed for draw in draws]):35}"
            f"{sum(draw.sure.sum() for draw in draws):9.1f}{found_share(right, runs[0][1]):>22}"
            f"{np.median([draw.cpu for draw in draws]):7.2f}  {one.said}",
            flush=True,
        )


if __name__ == "__main__":
    main()
