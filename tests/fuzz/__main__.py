# SPDX-License-Identifier: GPL-2.0-or-later
"""scripts/fuzz: random inputs for every algorithm, and a table of what came of them."""

from __future__ import annotations

import argparse
import sys

from . import report, runner


def main() -> int:
    """Run the cases; the exit status is 1 when something was found."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description=__doc__)
    parser.add_argument(
        "algorithms", nargs="*", metavar="algorithm", help="ids without geoanon:, all by default"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=50, help="cases an algorithm (50)")
    parser.add_argument("--case", type=int, help="run this case only, and keep its folder")
    parser.add_argument("--workers", type=int, default=2, help="processes (2)")
    parser.add_argument("--limit", type=float, default=runner.LIMIT_S, help="seconds a case (90)")
    parser.add_argument("--refusals", action="store_true", help="show what was refused, and why")
    given = parser.parse_args()

    known = runner.algorithms()
    unknown = {*given.algorithms} - {*known}
    if unknown:
        parser.error(f"no such algorithm: {', '.join(unknown)}; there are {', '.join(known)}")
    numbers = [given.case] if given.case is not None else range(given.cases)
    single = given.case is not None
    jobs = [
        {"algorithm": name, "seed": given.seed, "case": number, "told": single, "keep": single}
        for name in (given.algorithms or known)
        for number in numbers
    ]
    workers = 1 if single else given.workers
    results = runner.run(jobs, workers, given.limit, report.tell)
    print(report.table(results))
    if given.refusals:
        print(report.refusals(results))
    if single:
        for one in results:
            print(report.story(one))
    return 1 if any(one.findings for one in results) else 0


if __name__ == "__main__":
    sys.exit(main())
