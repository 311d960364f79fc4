# SPDX-License-Identifier: GPL-2.0-or-later
"""Leukaemia in upstate New York: the scan of R's package SpatialEpi beside ours.

    python benchmarks/papers/kulldorff.py

Needs R with the package SpatialEpi, which brings the data (281 census tracts, 1978 to 1982; Waller,
L. A., Turnbull, B. W., Clark, L. C. and Nasca, P. (1992)); ``R_LIBS`` says where it is. Cases are no
whole numbers there, because those without a tract were divided among several. SpatialEpi cuts their
sum to a whole number before it takes the logarithms; ours does not, so that the first line differs,
and the second, of whole numbers of cases, must not.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from geoanon_qgis.core.measures.scan import largest_of_draws, scan  # noqa: E402
from geoanon_qgis.core.measures.scan_circles import at_risk, circles  # noqa: E402

_SHARE = 0.15
_DRAWS = 999
_R = f"""
suppressMessages(library(SpatialEpi)); data(NYleukemia); set.seed(1)
geo <- latlong2grid(NYleukemia$geo[, 2:3]); people <- NYleukemia$data$population
as_it_is <- NYleukemia$data$cases
for (whole in c(FALSE, TRUE)) {{
  cases <- if (whole) floor(as_it_is) else as_it_is
  expected <- people * sum(cases) / sum(people) * (1 + 1e-12)
  found <- kulldorff(geo, cases, people, expected, {_SHARE}, {_DRAWS}, 0.05, plot = FALSE)
  best <- found$most.likely.cluster
  second <- c(found$secondary.clusters[[1]]$log.likelihood.ratio, NA)[1]
  cat(sprintf("found %.9f %.4f %d %.9f\\n", best$log.likelihood.ratio, best$p.value,
      length(best$location.IDs.included), second))
}}
cat(sprintf("site %.17g %.17g %.17g %.17g\\n", geo[, 1], geo[, 2], people, as_it_is), sep = "")
"""


def main() -> int:
    """Print both."""
    if shutil.which("Rscript") is None:
        print("Skipped: R is not installed.")
        return 0
    done = subprocess.run(["Rscript", "-"], input=_R, capture_output=True, text=True)
    if done.returncode:
        print(f"Skipped: R's package SpatialEpi is not there.\n{done.stderr}")
        return 0
    lines = [line.split() for line in done.stdout.splitlines()]
    table = np.array([row[1:] for row in lines if row[0] == "site"], dtype=float)
    order = np.lexsort((table[:, 1], table[:, 0]))
    look_at = circles(at_risk(table[:, :2], table[:, 2]), _SHARE)
    print("cases                 LLR          p  tracts  second LLR")
    theirs = [row[1:] for row in lines if row[0] == "found"]
    for named, cases, r in zip(("as they are", "whole"), (table[:, 3], table[:, 3] // 1), theirs):
        total = round(cases.sum())
        drawn = largest_of_draws(look_at, total, _DRAWS, np.random.default_rng(1))
        found = scan(look_at, cases[order], drawn)
        print(f"{named:12} R    {float(r[0]):.6f}  {float(r[1]):.3f}  {r[2]:>6}  {float(r[3]):.6f}")
        best, second = found.clusters[:2]
        ours = f"{best.llr:.6f}  {best.p:.3f}  {len(best.sites):>6}  {second.llr:.6f}"
        print(f"{'':12} ours {ours}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
