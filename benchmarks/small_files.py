# SPDX-License-Identifier: GPL-2.0-or-later
"""Small files, spectral swapping: how near distributions come, and what attacks find.

    python benchmarks/small_files.py [--files 10] [--only 162 324] [--keep found.json] [--against found.json]
                                     [--decoding calibrated_closely]

Files are halves of the sample that ships (162 deaths, the other half is the reference), and made-up
people with ten fields or three, or six and the place where they live, in three towns or outside. What all attacks find is added up over the files of a kind; so it is
of a fresh sample of other people in the release's place. ``--keep`` writes it down, and ``--against``
compares with what another version wrote: an attack is worse whose interval lies above that one's.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import _timing  # noqa: F401  (puts the checkout on the path)
import honest_files
import numpy as np
from anonymeter_agreement import soho
from decoding import few_fields, people

from geoanon_qgis.core.microdata.attacks.scoring import Attack
from geoanon_qgis.core.microdata.in_units import in_units
from geoanon_qgis.core.microdata.learning import learn_coding
from geoanon_qgis.core.microdata.methods import CALIBRATED, DECODINGS
from geoanon_qgis.core.microdata.observations import observed_table
from geoanon_qgis.core.microdata.release import anonymize

Table = dict[str, np.ndarray]
#: Kinds of files, and their numbers of people.
_SIZES = (162, 324, 500, 1_000)
_PLACE = ("x", "y")


def kinds() -> Iterator[tuple[str, Callable[[int], tuple[Table, Table, Table | None]]]]:
    """Files to be released, references, and fresh samples, by their seeds."""
    yield "Deaths in Soho, 162 of 324", lambda seed: _of_sample(seed)
    for size in _SIZES:
        yield f"{size} people, ten fields", lambda seed, n=size: _drawn(people, seed, n)
    for size in _SIZES:
        yield f"{size} people, three fields", lambda seed, n=size: _drawn(_three, seed, n)
    for size in (*_SIZES[1:], 2_000):
        yield f"{size} people, in towns", lambda seed, n=size: _drawn(in_towns, seed, n)


def _of_sample(seed: int) -> tuple[Table, Table, Table | None]:
    data = soho(seed)
    return data.original, data.control, None


def _three(rng: np.random.Generator, size: int) -> Table:
    return few_fields(rng, size, 0)


def in_towns(rng: np.random.Generator, n: int) -> Table:
    """Three towns with fields around, that get richer and older to the east."""
    town, far = rng.integers(0, 3, n), rng.random(n) < 0.15
    x = rng.normal(np.array([529_500, 532_500, 530_800])[town], 500)
    y = rng.normal(np.array([181_000, 183_500, 184_800])[town], 600)
    x[far] = rng.uniform(526_000, 536_000, far.sum())
    y[far] = rng.uniform(177_000, 188_000, far.sum())
    east = (x - 531_000) / 2_000
    age = np.clip(rng.normal(48 + 6 * east, 16), 18, 95).astype(int)
    income = np.exp(10.2 + 0.3 * east + 0.008 * age + rng.normal(0, 0.4, n)).round(-1)
    return {
        "x": x.round(),
        "y": y.round(),
        "age": age,
        "sex": rng.choice(["f", "m"], n),
        "income": income,
        "smoker": rng.random(n) < np.clip(0.3 - 0.1 * east, 0.02, 0.9),
        "children": np.minimum(rng.poisson(1.1, n), 6),
        "job": rng.choice(["office", "craft", "care", "none"], n, p=[0.4, 0.25, 0.2, 0.15]),
    }


def _drawn(made: Callable, seed: int, size: int) -> tuple[Table, Table, Table | None]:
    return tuple(made(np.random.default_rng([seed, size, at]), size) for at in range(3))


def attacked(
    original: Table, released: Table, reference: Table, place: Sequence[str] = ()
) -> tuple[list[Attack], int]:
    """All attacks on a release, and how many extremes it tells."""
    coding = learn_coding(original)
    battery = honest_files.attacked(coding, original, released, reference, place).attacks
    return list(battery.attacks), len(battery.extremes)


def added(some: list[Attack]) -> Attack:
    """The same attack on several files as one."""
    sums = {
        name: sum(getattr(one, name) for one in some)
        for name in ("people", "tried", "right", "control_tried", "control_right")
    }
    means = {
        name: float(np.mean([getattr(one, name) for one in some]))
        for name in ("baseline", "reach", "dilution")
    }
    return replace(some[0], **sums, **means, together=0.0, weighs=(1.0, 1.0))


def measured(
    title: str,
    drawn: Callable[[int], tuple[Table, Table, Table | None]],
    files: int,
    decoding: str,
) -> dict[str, list[float]]:
    """Print what is found of a kind of files; return the excess of each attack."""
    gaps, off, extremes = [], [], 0
    every: dict[str, list[Attack]] = {}
    for seed in range(files):
        original, reference, fresh = drawn(seed)
        place = _PLACE if title.endswith("in towns") else None
        rng = np.random.default_rng(seed)
        made = anonymize(original, "spectral_swapping", rng, place=place, decoding=decoding)
        units = in_units(observed_table(original), made.columns, made.coding)
        places = [one for one in units.numbers if one.name in (place or ())]
        fields = replace(units, numbers=tuple(one for one in units.numbers if one not in places))
        gaps.append(fields.largest[0])
        off += [one.ks for one in places]
        for name, released in (("released", made.columns), ("fresh", fresh)):
            if released is None:
                continue
            attacks, told = attacked(original, released, reference, place or ())
            extremes += told if name == "released" else 0
            for one in attacks:
                if one.tried and not one.of_some:
                    every.setdefault(f"{name}: {one.kind}: {one.knows} {one.wants}", []).append(one)
    summed = {name: added(some) for name, some in every.items()}
    print(f"{title}: largest difference of a field {min(gaps):.4f} to {max(gaps):.4f}, "
          + (f"of a coordinate {min(off):.4f} to {max(off):.4f}, " if off else "")
          + f"extremes of one person {extremes}")  # fmt: skip
    for kind in ("singling_out", "linkability", "inference", "membership"):
        for name in ("released", "fresh"):
            some = [one for key, one in summed.items() if key.startswith(f"{name}: {kind}")]
            if some:
                mean = np.mean([one.success - one.control for one in some])
                worst = max(some, key=lambda one: one.excess()[1]).excess()
                print(
                    f"  {name:8} {kind:12} {len(some):3} attacks, on average {100 * mean:5.2f} points"
                    f" over the control, worst {100 * worst[0]:.1f}"
                    f" ({100 * worst[1]:.1f} to {100 * worst[2]:.1f}) % of the people",
                    flush=True,
                )
    return {
        f"{title}: {name}": [float(end) for end in (*one._excess(), one.success, one.control)]
        for name, one in summed.items()
    }


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=10)
    parser.add_argument("--only", nargs="*", default=[""], help="beginnings of kinds of files")
    parser.add_argument("--decoding", choices=DECODINGS, default=CALIBRATED)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--against", type=Path)
    options = parser.parse_args()
    found: dict[str, list[float]] = {}
    some = [one for one in kinds() if one[0].startswith(tuple(options.only))]
    for title, drawn in some:
        found |= measured(title, drawn, options.files, options.decoding)
    if options.keep:
        options.keep.write_text(json.dumps(found, indent=1), encoding="utf-8")
    if options.against:
        before = json.loads(options.against.read_text(encoding="utf-8"))
        both = [name for name in found if name in before and ": released: " in name]
        worse = [name for name in both if found[name][1] > before[name][2]]
        better = [name for name in both if found[name][2] < before[name][1]]
        change = np.mean([found[name][0] - before[name][0] for name in both])
        print(
            f"{len(both)} attacks on both versions: on average {100 * change:+.2f} % of the people, "
            f"interval above the other's in {len(worse)}, below it in {len(better)}"
        )
        for name in worse + better:
            print(f"  {name}: {before[name]} -> {found[name]}")


if __name__ == "__main__":
    main()
