# SPDX-License-Identifier: GPL-2.0-or-later
"""Numbers with noise beside other people's: which fields are found, and how many people who knows them names.

    python benchmarks/noisy_fields.py [--people 1000] [--draws 6] [--first 0]

Of twenty numbers some are true but for noise (in their standard deviations), all else is of other people.
Printed are the fields that are found in how many draws, and, by somebody who is told which they are, the
share of the people whom he names where one in twenty others is named: by the nearest record, by the attack
of the product, which weighs the nearest ten, and by the best of nine likelihood ratios, which weigh every
record by a normal density against that of other people, of three widths each.
"""

from __future__ import annotations

import argparse

import _slips_by_numbers as by_numbers
import _timing  # noqa: F401  (puts the checkout on the path)
import numpy as np
from honest_files import Table
from scipy.spatial.distance import cdist
from scipy.special import logsumexp

from geoanon_qgis.core.microdata.attacks.blurred import nearly_together
from geoanon_qgis.core.microdata.attacks.density import membership_by_density
from geoanon_qgis.core.microdata.attacks.table import Tables
from geoanon_qgis.core.microdata.learning import learn_coding

#: Noise and how many fields have it.
CASES = ((0.2, 5), (0.3, 5), (0.3, 7), (0.4, 7))
#: Widths of a person's records, and of other people's, in standard deviations.
_OWN, _OTHERS = (0.2, 0.3, 0.45), (0.3, 0.5, 0.8)
_SD = 10.0


def tables_of(original: Table, released: Table, reference: Table) -> Tables:
    """As the attacks read them."""
    coding = learn_coding(original)
    own, after, others = (coding.encode(one)[0] for one in (original, released, reference))
    return Tables(own, after, others, coding.variables, [(own, others)])


def _named(own: np.ndarray, others: np.ndarray) -> float:
    """Share who measure less than one in twenty others."""
    return float((own < np.quantile(others, 0.05)).mean())


def named(
    original: Table, released: Table, reference: Table, names: list[str]
) -> tuple[float, float]:
    """Share of the people who are named by some fields, by the nearest record and the best likelihood ratio."""
    own, after, others = (
        np.stack([one[name] for name in names], axis=1) / _SD
        for one in (original, released, reference)
    )
    people = np.concatenate([own, others])
    away = cdist(people, after)
    strangers = cdist(people, people)
    np.fill_diagonal(strangers, np.inf)
    unlikely = [
        logsumexp(-(strangers**2) / 2 / wide**2, axis=1)
        - logsumexp(-(away**2) / 2 / width**2, axis=1)
        for width in _OWN
        for wide in _OTHERS
    ]
    ways = [away.min(axis=1), *unlikely]
    shares = [_named(way[: len(own)], way[len(own) :]) for way in ways]
    return shares[0], max(shares[1:])


def main() -> None:
    """Draw and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=1000)
    parser.add_argument("--draws", type=int, default=6)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    print("noise  fields  all found  others found  nearest  the attack  likelihood")
    for noise, fields in CASES:
        true = [f"v{3 * at}" for at in range(fields)]
        told, shares = [], []
        for seed in range(given.first, given.first + given.draws):
            files = by_numbers.with_noise(np.random.default_rng(seed), given.people, fields, noise)
            tables = tables_of(*files)
            told.append({name for one in nearly_together(tables) for name in one})
            attack = membership_by_density(tables, tuple(true))
            shares.append((*named(*files, true), attack.success, attack.control))
        all_found = sum(set(true) <= one for one in told)
        wrong = sum(bool(one - set(true)) for one in told)
        nearest, best, attacked, control = np.mean(shares, axis=0)
        print(
            f"{noise:5.1f}{fields:8}{all_found:6} of {given.draws}{wrong:9} of {given.draws}"
            f"{nearest:9.2f}{attacked:8.2f} ({control:.2f}){best:9.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
