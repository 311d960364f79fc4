# SPDX-License-Identifier: GPL-2.0-or-later
"""Releases of microdata that were made to pass the verdict, and honest ones that did not.

    python benchmarks/what_slips_past.py [--draws 6] [--people 1000] [--only NAME ...]

Each leak was found by somebody who read the attacks and looked for what they do not see; each honest
release holds nobody of the file. Printed are the decisions and, of leaks, the attack that surely
finds most. What still passes is printed, too. Other fields are those of other people throughout.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable

import _honest_designs as designs
import _honest_registers as registers
import _slips_by_map as by_map
import _slips_by_order as by_order
import _slips_by_secrets as by_secrets
import _slips_in_part as in_part
import _timing  # noqa: F401  (puts the checkout on the path)
import numpy as np
from honest_files import judged

LEAKS: tuple[Callable[[np.random.Generator, int], tuple], ...] = (
    by_map.turned,
    by_map.farms_near,
    by_order.ordered,
    in_part.missing,
    in_part.blanks,
    by_secrets.dates_moved,
    by_secrets.dates_each,
    by_order.few_lacking,
    by_order.by_two,
    by_order.off_by_one,
    by_order.by_region,
    by_order.top_left_out,
    by_secrets.one_of_each,
    by_map.villages_shifted,
    by_map.villages_turned,
    by_map.hamlets_shifted,
    by_map.few_farms,
    by_secrets.one_factor,
    in_part.mixed_pairs,
    by_map.one_direction,
    in_part.cents,
    in_part.minutes,
    by_order.evens_first,
    by_order.every_seventh,
    by_order.by_two_numbers,
    by_order.by_falling_income,
    by_order.along_curve,
    by_secrets.complements,
    by_order.by_quotient,
    by_order.by_sum,
    by_order.by_four,
    by_order.tenth_exchanged,
    by_order.tenth_exchanged_four,
    by_secrets.times_stretched,
    by_secrets.names_exchanged,
    by_secrets.renamed,
    by_secrets.dates_off_by_one,
    by_secrets.date_by_clinic,
    by_secrets.amounts_by_region,
    in_part.total_kept,
)
HONEST: tuple[Callable[[np.random.Generator, int], tuple], ...] = (
    designs.hamlets,
    designs.hamlets_swapped,
    designs.villages_as_places,
    designs.small_reference,
    designs.large_release,
    designs.schools,
    designs.on_a_grid,
    designs.daily,
    designs.rare_blanks,
    designs.few_asked,
    registers.queue,
    registers.waves,
    registers.classes,
    registers.whole_classes,
    registers.plates,
    registers.fewer_plates,
    registers.plates_alone,
    registers.couples,
    registers.pensions,
    registers.discharges,
    registers.plain_discharges,
    registers.many_categories,
    registers.answers,
)


def main() -> None:
    """Draw, judge and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=6)
    parser.add_argument("--people", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", nargs="*", default=[])
    given = parser.parse_args()
    for title, kinds in (("leaks", LEAKS), ("honest", HONEST)):
        for kind in kinds:
            if given.only and kind.__name__ not in given.only:
                continue
            decisions: Counter[str] = Counter()
            by: Counter[str] = Counter()
            for seed in range(given.first, given.first + given.draws):
                rng = np.random.default_rng([seed, len(kind.__name__), given.people])
                found, verdict = judged(*kind(rng, given.people))
                decisions[verdict.decision] += 1
                sure = [one for one in found.attacks.attacks if found.attacks.beyond(one)]
                if sure:
                    by[str(max(sure, key=lambda one: one.surely(2.0)).knows)] += 1
            told = ", ".join(f"{name} {count}" for name, count in decisions.most_common())
            print(f"{title:7}{kind.__name__:20}{told}", flush=True)
            for what, count in by.most_common(2):
                print(f"{'':27}{count} by {what}", flush=True)


if __name__ == "__main__":
    main()
