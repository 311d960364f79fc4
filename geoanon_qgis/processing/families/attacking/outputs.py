# SPDX-License-Identifier: GPL-2.0-or-later
"""The layers and numbers of the attack on masked points: declared, and written."""

from __future__ import annotations

import numpy as np

from ....core.columns import column_of
from ....core.values import NULL_TEXT
from ....core.verdict import SURE
from ... import styling, verdicts
from ...dialog.declaration import Field, Value, private, reports
from ...i18n import mark, tr
from ...layers import keys
from ...running import Run
from .. import withholding
from .attacked import Attacked

OUTPUTS = (
    private(
        "OUTPUT",
        mark("Guesses"),
        mark("Each released record at the likeliest address, with what he believes."),
        "point",
        [
            Field(keys.RELEASED, "string"),
            Field("probability", "double", mark("of that address")),
            Field("tied", "int", mark("addresses that are as likely")),
            Field("effective_k", "double", mark("effective number of addresses")),
            Field("of_truth", "double", mark("probability of the true address, by the key")),
            Field("record_probability", "double", mark("of the likeliest record of the person")),
            Field("rank_of_truth", "int", mark("of the true address among all, by the key")),
        ],
        role=styling.GUESSED,
        optional=False,
    ),
    withholding.OUTPUT,
    private(
        "CANDIDATES_OF",
        mark("Addresses that explain the riskiest records"),
        mark(
            "Of the records with the largest probabilities (SHOWN), or of those that were chosen (SHOWN_IDS), "
            "every address that explains them, "
            "the released point, and with the key the home: why a record is at risk."
        ),
        "point",
        [
            Field(keys.RELEASED, "string"),
            Field("what", "string", mark("candidate, released or home")),
            Field("probability", "double", mark("of the address")),
            Field("rank", "int", mark("of the address among those of the record, from 1")),
            Field("released_x", "double", mark("of the released point")),
            Field("released_y", "double"),
        ],
        role=styling.EXPLAINING,
    ),
    private(
        "RECORDS_OF",
        mark("Likeliest record of each person"),
        mark(
            "For each person of whom the second adversary asks the record that is most likely hers, "
            "and what he believes."
        ),
        "table",
        [
            Field("person", "string", mark("feature of MEMBERS; without them original_id of KEY")),
            Field(keys.RELEASED, "string", mark("the likeliest record")),
            Field("probability", "double", mark("of that record")),
            Field("tied", "int", mark("records that are as likely")),
            Field("effective_k", "double", mark("effective number of records")),
            Field("of_truth", "double", mark("probability of her own record, by the key")),
        ],
    ),
    *reports(mark("What both adversaries find, how sure they are, and of whom.")),
    Value("IDENTIFIED", mark("People found by their place"), mark("Expected, or by the key.")),
    Value("LOW", mark("Share found by place, lower end"), mark("Of its 95 % interval.")),
    Value("HIGH", mark("Share found by place, upper end"), mark("Of its 95 % interval.")),
    Value(
        "BASELINE",
        mark("Share found by the nearest address"),
        mark("By the key: what everybody finds who knows no mask."),
    ),
    Value(
        "RANDOM",
        mark("Share found by a random address"),
        mark("Of those that the mask allows."),
    ),
    Value(
        "CONTROL",
        mark("Share of guesses that are right of another record"),
        mark("By the key: what accident and shared homes find."),
    ),
    Value(
        "SHARE_ABOVE",
        mark("Share of records above the limit"),
        mark("Whose largest probability of a place is above ACCEPTABLE."),
    ),
    Value("MEAN_TOP", mark("Mean of his largest probability of a place")),
    Value("WORST", mark("Largest probability of a place")),
    Value("EFFECTIVE_K", mark("Median effective number of addresses")),
    Value(
        "RECORDS_IDENTIFIED",
        mark("People whose record is found"),
        mark("Expected, or by the key, for who knows that they are in the file."),
    ),
    Value("RECORDS_LOW", mark("Share of records found, lower end"), mark("Of its 95 % interval.")),
    Value("RECORDS_HIGH", mark("Share of records found, upper end"), mark("Of its 95 % interval.")),
    Value(
        "RECORDS_SHARE_ABOVE",
        mark("Share of people above the limit"),
        mark("Whose largest probability of a record is above ACCEPTABLE."),
    ),
    Value("RECORDS_EFFECTIVE_K", mark("Median effective number of records")),
    Value(
        "NOT_IN_FILE",
        mark("People of MEMBERS who are not in the file"),
        mark("By the key; without it, whose no released point can be."),
    ),
    Value("RECORDS_MEAN_TOP", mark("Mean of his largest probability of a record")),
    Value("RECORDS_WORST", mark("Largest probability of a record")),
    Value(
        "PRIOR_ODDS",
        mark("Belief beforehand up to which the limit is kept"),
        mark(
            "How many times as likely as the list says, against the others, he may hold an address; below "
            "1 where the limit is not kept, none where no such belief matters."
        ),
    ),
    Value("UNEXPLAINED", mark("Points that no address of the list explains")),
    *verdicts.OUTPUTS,
)


def write(run: Run, found: Attacked) -> None:
    """Write the layers."""
    place, count = found.place, len(found.ids)
    ids = [None if one is None else str(one) for one in found.ids]
    nothing = np.full(count, np.nan)
    record = nothing.copy()
    if found.right_record is not None and found.record is not None:
        record[found.asked] = found.record.top
    _write_records(run, found, ids)
    if place is None:
        zeros, ranks = np.zeros(count, dtype=int), [None] * count
        columns: list = [ids, nothing, zeros, nothing, nothing, record, ranks]
        nowhere = np.full((count, 2), np.nan)
        run.outputs.add_points("OUTPUT", nowhere, None, columns, found.released.crs)
        if run.outputs.wanted("CANDIDATES_OF"):  # nobody's place was asked for
            empty: list = [[], [], [], []]
            crs = found.released.crs
            run.outputs.add_points("CANDIDATES_OF", nowhere[:0], None, empty, crs)
        _withhold(run, found, np.empty(0, dtype=np.int64), nowhere, nothing)
        return
    best = place.best
    xy = np.where((best >= 0)[:, None], found.listed.xy[found.rows[best]], np.nan)
    truth = nothing if found.home is None else place.of_truth(found.home)
    columns = [ids, place.top, place.tied, place.effective, truth, record, _ranks(found)]
    run.outputs.add_points("OUTPUT", xy, None, columns, found.released.crs)
    _write_candidates(run, found, ids)
    sure = np.flatnonzero((place.top >= SURE) & (best >= 0))
    _withhold(run, found, sure, xy, place.top)


def _ranks(found: Attacked) -> list[int | None]:
    """Rank of the true address of each record; None where it is not known, or none of his."""
    assert found.place is not None
    if found.home is None:
        return [None] * len(found.ids)
    return [one or None for one in found.place.rank_of(found.home).tolist()]


def _withhold(
    run: Run, found: Attacked, rows: np.ndarray, xy: np.ndarray, sure: np.ndarray
) -> None:
    """Name the records that should be withheld."""
    still = np.zeros(len(found.ids), dtype=bool)
    withholding.add(run.outputs, rows, found.ids, found.key, xy, found.released.crs, still, sure)


def _write_records(run: Run, found: Attacked, ids: list) -> None:
    """The likeliest record of each person of whom is asked."""
    guesses = found.record
    if not run.outputs.wanted("RECORDS_OF"):
        return
    if guesses is None:
        run.outputs.add_rows("RECORDS_OF", [])
        return
    by_key = found.right_record is not None
    if found.members is not None:
        people: list = [str(one) for one in found.members.ids.tolist()]
    else:
        assert found.key is not None  # or nobody is asked for
        names = column_of("", found.ids).texts(NULL_TEXT)
        people = [found.key.original.get(names[row]) for row in found.asked.tolist()]
    nothing = np.full(len(people), np.nan)
    columns = [
        people,
        [ids[row] if row >= 0 else None for row in guesses.best.tolist()],
        guesses.top,
        guesses.tied,
        guesses.effective,
        guesses.of_truth(found.asked) if by_key else nothing,
    ]
    run.outputs.add_table("RECORDS_OF", None, columns)


def _write_candidates(run: Run, found: Attacked, ids: list) -> None:
    """All addresses that explain the riskiest records, the likeliest first."""
    place = found.place
    if place is None or not run.outputs.wanted("CANDIDATES_OF"):
        return
    shown = _shown(run, found, ids)
    parts: list[tuple[int, str, np.ndarray, np.ndarray]] = []
    for row in shown[place.top[shown] > 0].tolist():
        some = slice(place.first[row], place.first[row + 1])
        order = np.argsort(-place.probability[some], kind="stable")
        at = found.listed.xy[found.rows[place.answer[some][order]]]
        parts.append((row, "candidate", at, place.probability[some][order]))
        nothing = np.full(1, np.nan)
        parts.append((row, "released", found.released.xy[row : row + 1], nothing))
        if found.home is not None and found.home[row] >= 0:
            home = found.listed.xy[found.rows[found.home[row]]]
            parts.append((row, "home", home[None], place.of_truth(found.home)[row : row + 1]))
    xy = np.concatenate([np.empty((0, 2)), *(one[2] for one in parts)])
    columns = [
        [ids[row] for row, _, at, _ in parts for _ in range(len(at))],
        [what for _, what, at, _ in parts for _ in range(len(at))],
        np.concatenate([np.empty(0), *(one[3] for one in parts)]),
        [
            rank if what == "candidate" else None
            for _, what, at, _ in parts
            for rank in range(1, len(at) + 1)
        ],
        *_released_at(found, parts),
    ]
    run.outputs.add_points("CANDIDATES_OF", xy, None, columns, found.released.crs)


def _shown(run: Run, found: Attacked, ids: list) -> np.ndarray:
    """Rows of the records that were chosen, else of those with the largest probabilities."""
    assert found.place is not None
    chosen = [one.strip() for one in run.text("SHOWN_IDS").split(",") if one.strip()]
    if not chosen:
        order = np.argsort(-found.place.top, kind="stable")
        return order[: int(run.number("SHOWN") or 0)]
    rows = {one: row for row, one in reversed(list(enumerate(ids)))}
    lacking = [one for one in chosen if one not in rows]
    if lacking:
        run.warn(
            tr("No released record has the id {ids} (SHOWN_IDS).").format(
                ids=", ".join(lacking[:5])
            )
        )
    there = [rows[one] for one in dict.fromkeys(chosen) if one in rows]
    return np.array(there, dtype=np.int64)


def _released_at(found: Attacked, parts: list) -> np.ndarray:
    """Coordinates of the released point that each row explains, (2, rows)."""
    rows = np.array([row for row, _, at, _ in parts for _ in range(len(at))], dtype=np.int64)
    return found.released.xy[rows].T
