# SPDX-License-Identifier: GPL-2.0-or-later
"""The measures of a point mask as rows: what stands in the table, the report and the number outputs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..families.measuring.measured import Measured, Risks, Scanned
from ..i18n import tr
from .maskmeasures_matched import matched_numbers, matched_rows
from .maskmeasures_pattern import pattern_numbers, pattern_rows
from .maskmeasures_row import ATTACK, RISK, UTILITY, Row


def rows(found: Measured) -> list[Row]:
    """Return the rows in the order of the table."""
    unit = found.paired.unit
    made = [*_risks(found.risks, unit), *_attack(found.risks), *pattern_rows(found.patterns, unit)]
    made += matched_rows(found.matched, unit)
    if found.scanned is not None:
        made += _scan(found.scanned, found.paired.unit)
    return made


def numbers(found: Measured) -> dict[str, float]:
    """Return the number outputs; not a number where something was not measured."""
    risks = found.risks
    told = {
        "PAIRS": float(len(risks.moved)),
        "WITHHELD": float(found.paired.withheld),
        "UNMOVED": float(found.standing),
        "MEDIAN_SHIFT": float(np.median(risks.moved)),
        "ACTUAL_K": _median(risks.actual),
        "ESTIMATED_K": _median(risks.estimated),
        "K_ORIGINAL": _median(risks.original),
        "SPRUILL": float(risks.spruill.mean()),
        **pattern_numbers(found.patterns),
        **matched_numbers(found.matched),
    }
    attacked = risks.attacked
    if attacked is not None and attacked.place is not None:
        right = attacked.place.top if attacked.right is None else attacked.right
        told["EFFECTIVE_K"] = float(np.median(attacked.place.effective))
        told["IDENTIFIED"] = float(right.sum())
    if found.scanned is not None:
        kept = found.scanned.kept
        told["LLR_BEFORE"], told["LLR_AFTER"] = kept.before.llr, kept.after.llr
        told["P_BEFORE"], told["P_AFTER"] = kept.before.p, kept.after.p
        told["JACCARD"] = kept.jaccard
    return told


def _median(values: np.ndarray | None) -> float:
    return np.nan if values is None else float(np.median(values))


# --- risk -----------------------------------------------------------------------------------------


def _risks(risks: Risks, unit: str) -> Iterator[Row]:
    yield Row("shift", RISK, tr("Shift, median"), value=float(np.median(risks.moved)), unit=unit)
    yield Row("shift_least", RISK, tr("Shift, shortest"), value=risks.moved.min(), unit=unit)
    yield Row("shift_most", RISK, tr("Shift, longest"), value=risks.moved.max(), unit=unit)
    outwards = tr("who lives there? He tries addresses from the released point outwards")
    for name, label, values, adversary in (
        ("actual_k", tr("Actual k (k-moved)"), risks.actual, outwards),
        (
            "actual_k_method",
            tr("k-moved, method related"),
            risks.actual_method,
            tr("who lives there? He knows the shortest and the longest move"),
        ),
        ("estimated_k", tr("Estimated k"), risks.estimated, outwards),
        (
            "k_original",
            tr("k-original"),
            risks.original,
            tr("which record is hers? He tries released points from her home outwards"),
        ),
        (
            "k_original_method",
            tr("k-original, method related"),
            risks.original_method,
            tr("which record is hers? He knows the shortest and the longest move"),
        ),
    ):
        if values is None:
            continue
        yield Row(name, RISK, label, value=float(np.median(values)), speaks_of=adversary)
        yield Row(
            f"{name}_low",
            RISK,
            tr("{label}, lowest twentieth").format(label=label),
            value=float(np.quantile(values, 0.05)),
            speaks_of=adversary,
        )
    yield Row(
        "spruill",
        RISK,
        tr("Spruill's measure"),
        value=100 * float(risks.spruill.mean()),
        unit="%",
        speaks_of=tr("which record is hers? He has all homes of the file, and takes the nearest"),
    )


def _attack(risks: Risks) -> Iterator[Row]:
    found = risks.attacked
    if found is None:
        return
    place = tr("who lives there? He knows the mask and has the address list")
    record = tr("which record is hers? He knows the mask, and that she is in the file")
    for name, guesses, right, adversary in (
        ("place", found.place, found.right, place),
        ("record", found.record, found.right_record, record),
    ):
        if guesses is None or not len(guesses.top):
            continue
        effective = float(np.median(guesses.effective))
        yield Row(
            f"effective_k_{name}",
            ATTACK,
            tr("Posterior attack: effective k"),
            value=effective,
            speaks_of=adversary,
        )
        counted = guesses.top if right is None else right
        yield Row(
            f"identified_{name}",
            ATTACK,
            tr("Posterior attack: found"),
            value=100 * float(counted.mean()),
            unit="%",
            speaks_of=adversary,
        )
        yield Row(
            f"worst_{name}",
            ATTACK,
            tr("Posterior attack: surest guess"),
            value=100 * float(guesses.top.max()),
            unit="%",
            speaks_of=adversary,
        )


# --- utility --------------------------------------------------------------------------------------


def _scan(scanned: Scanned, unit: str) -> Iterator[Row]:
    kept = scanned.kept
    before, after = kept.before, kept.after
    yield Row(
        "scan_llr",
        UTILITY,
        tr("Scan statistic: LLR of the most likely cluster"),
        before.llr,
        after.llr,
        kept.ratio,
        speaks_of=tr("the value is the ratio; 1: as strong as before"),
    )
    if before.draws:
        yield Row("scan_p", UTILITY, tr("Scan statistic: p-value"), before.p, after.p)
    if before.clusters and after.clusters:
        one, other = before.clusters[0], after.clusters[0]
        yield Row(
            "scan_radius",
            UTILITY,
            tr("Scan statistic: radius"),
            one.radius,
            other.radius,
            unit=unit,
        )
        yield Row(
            "scan_relative_risk",
            UTILITY,
            tr("Scan statistic: relative risk"),
            one.relative_risk,
            other.relative_risk,
        )
    yield Row(
        "scan_jaccard",
        UTILITY,
        tr("Scan statistic: population in both clusters, of that in either"),
        value=kept.jaccard,
        speaks_of=tr("1: the same cluster, 0: another one"),
    )
