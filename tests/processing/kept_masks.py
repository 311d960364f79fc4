# SPDX-License-Identifier: GPL-2.0-or-later
"""What is asked of every mask that keeps its draws: see ``families/masks/kept_masking.py``."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np

from tests.processing.helpers import GRID, coordinates, layer, leftovers, records, run, saved

#: A registry that grows: so many people in its three releases.
GROWTH = (40, 55, 90)


def people(xy, rows, crs=GRID, name="registry"):
    """A layer of people, by their rows among all places, in that order."""
    fields = "person:int,age:int"
    attributes = [(1000 + row, 20 + row % 50) for row in np.asarray(rows).tolist()]
    return layer(xy[rows], crs=crs, fields=fields, rows=attributes, name=name)


def released_places(done) -> dict[int, tuple[float, float]]:
    """Where each person was released, by the number that the key has."""
    key = {row["masked_id"]: int(row["original_id"]) for row in records(done["KEY"])}
    places = zip(records(done["OUTPUT"]), coordinates(done["OUTPUT"]).tolist())
    return {key[row["masked_id"]]: tuple(place) for row, place in places}


def grow(name: str, xy: np.ndarray, folder: Path, crs=GRID, each=None, **more) -> list:
    """Release a growing registry three times with one secret, the rows in another order each time.

    ``each`` gives what is different in a release, by its number: public layers, say. Returns where
    each person was released, one dict a release.
    """
    rng, found, secret = np.random.default_rng(5), [], None
    for number, count in enumerate(GROWTH):
        given = {
            "INPUT": people(xy, rng.permutation(count), crs),
            "ID_FIELD": "person",
            "OUTPUT": "TEMPORARY_OUTPUT",
            "KEY": "TEMPORARY_OUTPUT",
            "SECRET_FILE": str(folder / f"secret_{number}.json"),
            "MASK": str(folder / f"mask_{number}.json"),
            **more,
            **(each(number) if each else {}),
        }
        if secret is not None:
            given["SECRET"] = secret
        done = run(name, given)
        secret = done["SECRET_FILE"]
        found.append(released_places(done))
    return found


def assert_nobody_moved(found: list) -> None:
    """Who was released before stands where he stood."""
    for earlier, later in zip(found, found[1:]):
        assert earlier and set(earlier) <= set(later)
        moved = {one for one, place in earlier.items() if later[one] != place}
        assert not moved, moved
    assert len(found[-1]) > len(found[0])


def assert_audited(name: str, xy: np.ndarray, folder: Path, crs=GRID, **more) -> dict:
    """No byte of the release is an original coordinate, the secret, or what names the source."""
    hidden = "clinic_seven"
    (folder / "public").mkdir()
    rows = np.arange(len(xy))
    path = saved(people(xy, rows, crs, hidden), folder / f"{hidden}.gpkg")
    private = {
        one: str(folder / f"{one.lower()}.{kind}")
        for one, kind in (
            ("SHIFTS", "gpkg"),
            ("KEY", "csv"),
            ("WITHHELD", "gpkg"),
            ("MASK", "json"),
            ("SECRET_FILE", "json"),
            ("REPORT", "html"),
            ("JSON", "json"),
        )
    }
    done = run(
        name,
        {"INPUT": path, "OUTPUT": str(folder / "public" / "released.gpkg"), **private, **more},
    )
    public = folder / "public"
    released = b"\0".join((public / one).read_bytes() for one in leftovers(public))
    secret = json.loads(Path(private["SECRET_FILE"]).read_text())["secret"]
    needles = [hidden.encode(), secret.encode(), bytes.fromhex(secret)]
    needles += [struct.pack(one + "d", value) for value in np.unique(xy) for one in "<>"]
    assert [one for one in needles if one in released] == []
    mask = Path(private["MASK"]).read_text()
    assert secret not in mask and json.loads(mask)["secret_id"]
    for one in ("REPORT", "JSON"):
        assert secret not in Path(private[one]).read_text()
    # The search finds what it looks for.
    shifts = Path(private["SHIFTS"]).read_bytes()
    assert any(one in shifts for one in needles[3:])
    return done
