# SPDX-License-Identifier: GPL-2.0-or-later
"""Releases of microdata that were made to pass the verdict, and honest ones that did not.

    python benchmarks/what_slips_past.py [--draws 6] [--people 1000] [--only NAME ...]

Each leak was found by somebody who read the attacks and looked for what they do not see; each honest
release holds nobody of the file. Printed are the decisions and the attack that surely finds most,
of how many people one record has more values than chance explains, and what else was remarked. What
still passes is printed, too. Other fields are those of other people throughout.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import _honest_designs as designs
import _honest_registers as registers
import _slips_by_map as by_map
import _slips_by_models as by_models
import _slips_by_numbers as by_numbers
import _slips_by_order as by_order
import _slips_by_secrets as by_secrets
import _slips_in_part as in_part
import _timing  # noqa: F401  (puts the checkout on the path)
import numpy as np
from honest_files import judged

#: Makes original, release and reference.
Kind = Callable[[np.random.Generator, int], tuple]

LEAKS: tuple[Kind, ...] = (
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
    by_order.tenth_of_two,
    by_secrets.times_stretched,
    by_secrets.names_exchanged,
    by_secrets.renamed,
    by_secrets.dates_off_by_one,
    by_secrets.date_by_clinic,
    by_secrets.amounts_by_region,
    in_part.total_kept,
    in_part.noise_of_nothing,
    in_part.drawn_anew,
    by_numbers.deciles,
    by_numbers.quintiles,
    by_numbers.noise_alike,
    by_numbers.zeros_kept,
    by_numbers.few_with_noise,
    by_numbers.more_noise,
    by_numbers.seven_with_noise,
    by_secrets.shifted_with_noise,
    by_secrets.factor_with_noise,
    by_numbers.two_and_five,
    by_numbers.half_of_each,
    by_numbers.third_with_noise,
    by_numbers.each_by_chance,
    by_numbers.block_with_noise,
    by_models.first_components,
    by_models.first_in_units,
    by_models.last_components,
    by_models.residuals,
    by_models.totals_kept,
    by_models.off_their_line,
    by_models.among_four_batches,
    by_models.among_ten_batches,
    by_models.among_batches_alone,
    by_models.regions_apart,
    by_models.regions_swapped,
    by_models.strata_means,
)
HONEST: tuple[Kind, ...] = (
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
    registers.flats,
    registers.flats_alone,
    registers.couples,
    registers.pensions,
    registers.discharges,
    registers.plain_discharges,
    registers.many_categories,
    registers.answers,
    by_numbers.deciles_of_others,
    by_numbers.months_of_others,
    by_numbers.sources_of_others,
    by_numbers.codes_cut_short,
    by_numbers.sums_of_amounts,
    by_numbers.batches_of_others,
    by_models.spending_of_others,
    by_models.another_year,
    by_models.other_people,
    by_models.a_little_higher,
    by_models.two_clinics,
    by_models.regions_of_others,
)


@dataclass
class Told:
    """What is said of several draws of a kind.

    Attributes
    ----------
    decisions : Counter
    by : Counter
        What the attacks that surely find most know.
    listed : list of int
        Of each draw, people of whom one record has more values than chance explains.
    remarks : list of str
    """

    decisions: Counter[str] = field(default_factory=Counter)
    by: Counter[str] = field(default_factory=Counter)
    listed: list[int] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def told_of(kind: Kind, seeds: Iterable[int], people: int) -> Told:
    """Draw and judge."""
    told = Told()
    for seed in seeds:
        rng = np.random.default_rng([seed, len(kind.__name__), people])
        found, verdict = judged(*kind(rng, people))
        told.decisions[verdict.decision] += 1
        told.listed.append(len(found.attacks.in_part.rows))
        told.remarks += map(str, found.attacks.remarks)
        sure = [one for one in found.attacks.attacks if found.attacks.beyond(one)]
        if sure:
            told.by[str(max(sure, key=lambda one: one.surely(2.0)).knows)] += 1
    return told


def main() -> None:
    """Draw, judge and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=6)
    parser.add_argument("--people", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", nargs="*", default=[])
    given = parser.parse_args()
    seeds = range(given.first, given.first + given.draws)
    for title, kinds in (("leaks", LEAKS), ("honest", HONEST)):
        for kind in kinds:
            if given.only and kind.__name__ not in given.only:
                continue
            told = told_of(kind, seeds, given.people)
            decisions = ", ".join(f"{name} {count}" for name, count in told.decisions.most_common())
            print(f"{title:7}{kind.__name__:21}{decisions}", flush=True)
            said = [f"{count} by {what}" for what, count in told.by.most_common(2)]
            if any(told.listed):
                said.append(f"people of whom one record has much: {told.listed}")
            for one in (*said, *dict.fromkeys(told.remarks)):
                print(f"{'':28}{one}", flush=True)


if __name__ == "__main__":
    main()
