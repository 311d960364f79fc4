# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:disclosurerisk on points that were masked, with fields that were swapped: one release."""

import numpy as np
import pytest

from tests.processing.concluding import assert_concluded, reported
from tests.processing.helpers import coordinates, layer, opened, records, refusal, run
from tests.processing.test_microdata import measured

pytestmark = pytest.mark.usefixtures("project", "same_secrets")
COUNT = 600
FIELDS = "age:int,sex:string,diabetes:string,income:double"
ADDRESSES = np.unique(np.random.default_rng(3).uniform(0, 4000, (2500, 2)).round(1), axis=0)


def people(seed, places=None):
    rng = np.random.default_rng(seed)
    xy = ADDRESSES[rng.permutation(len(ADDRESSES))[:COUNT]] if places is None else places
    rows = [
        (int(age), str(sex), str(ill), float(income))
        for age, sex, ill, income in zip(
            rng.integers(18, 90, COUNT),
            rng.choice(["f", "m"], COUNT),
            rng.choice(["yes", "no"], COUNT, p=[0.2, 0.8]),
            rng.lognormal(10, 0.4, COUNT).round(),
        )
    ]
    return layer(xy, fields=FIELDS, rows=rows, name="people")


def masked(source, folder, **more):
    """The masked points with all fields, and the mask file."""
    algorithm = more.pop("algorithm", "maskdisplace")
    given = {"INPUT": source, "FIELDS": ["age", "sex", "diabetes", "income"]}
    path = str(folder / "mask.json")
    done = run(algorithm, {**given, **more, "OUTPUT": "TEMPORARY_OUTPUT", "MASK": path})
    return opened(done["OUTPUT"]), path


def mixed(released, true=(), seed=1):
    """The released points, the other fields dealt out."""
    rng = np.random.default_rng(seed)
    rows = records(released)
    names = ["age", "sex", "diabetes", "income"]
    columns = [[row[name] for row in rows] for name in names]
    for at, name in enumerate(names):
        if name not in true:
            columns[at] = [columns[at][row] for row in rng.permutation(len(rows))]
    return layer(coordinates(released), fields=FIELDS, rows=list(zip(*columns)), name="released")


def of_strangers(released):
    """Masked points beside the fields of other people."""
    return people(77, np.array(coordinates(released)))


def test_a_small_disc_with_two_true_fields_is_one_release_that_gives_away(provider, tmp_path):
    source = people(1)
    points, mask = masked(source, tmp_path, LAW="disc", SIZE_BY="distance", MAX=40.0)
    done = measured(
        source,
        mixed(points, {"age", "diabetes"}),
        USE_GEOMETRY=True,
        MASK=mask,
        REFERENCE=people(2),
        AT_RISK="TEMPORARY_OUTPUT",
        **reported(tmp_path),
    )
    assert_concluded(done, "do_not_release")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "where a person lives, and how points were masked" in page
    listed = [row["why"] for row in records(opened(done["AT_RISK"]))]
    assert sum("inference: diabetes" in why for why in listed) > 0.5 * 0.15 * COUNT


@pytest.mark.parametrize("reference", [True, False])
def test_an_exchange_with_fields_of_others_is_not_refused_for_home_and_fields(
    provider, tmp_path, reference
):
    source, addresses = people(1), layer(ADDRESSES, name="addresses")
    points, mask = masked(
        source, tmp_path, algorithm="maskexchange", METHOD="exchange", K=20, CANDIDATES=addresses
    )
    given = {"USE_GEOMETRY": True, "MASK": mask, "CANDIDATES": addresses}
    more = {"REFERENCE": people(2)} if reference else {}
    done = measured(source, of_strangers(points), **given, **more)
    # The worst of dozens of attacks on a few hundred people finds some by chance.
    assert done["INFERENCE"] < 0.09 and done["LINKABILITY"] < 0.05
    assert done["DECISION"] != "do_not_release" or done["SINGLING_OUT"] > 0.09
    if reference:
        told = done.feedback.said
        assert "lacks the homes" not in told


def test_what_does_not_go_together_is_said(provider, tmp_path):
    source = people(1)
    points, mask = masked(source, tmp_path, LAW="disc", SIZE_BY="distance", MAX=40.0)
    given = {"ORIGINAL": source, "ANONYMIZED": mixed(points), "OUTPUT": "TEMPORARY_OUTPUT"}
    assert "USE_GEOMETRY on" in refusal("disclosurerisk", {**given, "MASK": mask})
    addresses = layer(ADDRESSES, name="addresses")
    said = refusal("disclosurerisk", {**given, "CANDIDATES": addresses, "USE_GEOMETRY": True})
    assert "give the mask file (MASK)" in said
    beside = layer(ADDRESSES + 30.0, name="others")
    both = {**given, "MASK": mask, "USE_GEOMETRY": True, "CANDIDATES": beside}
    assert "home of no original" in refusal("disclosurerisk", both)
    run("disclosurerisk", {**both, "WITHIN": 50.0})
    _, of_list = masked(
        source, tmp_path, algorithm="maskexchange", METHOD="exchange", K=5, CANDIDATES=addresses
    )
    said = refusal("disclosurerisk", {**given, "MASK": of_list, "USE_GEOMETRY": True})
    assert "used an address list" in said


def test_people_whose_homes_the_list_lacks_count_as_found_at_the_upper_end(provider, tmp_path):
    """An attack that was not tried on a tenth of the people says nothing of them."""
    source, addresses = people(1), layer(ADDRESSES, name="addresses")
    points, mask = masked(source, tmp_path, LAW="disc", SIZE_BY="distance", MAX=900.0)
    lives = {tuple(one) for one in np.array(coordinates(source)).tolist()[: COUNT // 10]}
    known = layer([one for one in ADDRESSES.tolist() if tuple(one) not in lives], name="some")
    given = {"USE_GEOMETRY": True, "MASK": mask, "REFERENCE": people(2)}
    released = of_strangers(points)
    whole = measured(source, released, **given, CANDIDATES=addresses)
    done = measured(source, released, **given, CANDIDATES=known, **reported(tmp_path))
    assert f"lacks the homes of {COUNT // 10} of {COUNT} originals" in done.feedback.said
    assert done["INFERENCE_HIGH"] >= 0.1 and done["LINKABILITY_HIGH"] >= 0.1
    assert whole["LINKABILITY_HIGH"] < 0.1
    assert done["DECISION"] != "release_with_care"
    assert "homes of all originals" in (tmp_path / "report.html").read_text(encoding="utf-8")
