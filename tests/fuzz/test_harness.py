# SPDX-License-Identifier: GPL-2.0-or-later
"""The harness finds what it is there to find: faults are planted, and each must be seen."""

import pytest

from tests.fuzz import runner, texts
from tests.fuzz.faults import FAULTS, MASK_FAULTS


@pytest.fixture(scope="module")
def worker(tmp_path_factory):
    """One process for all faults that it survives."""
    made = runner.Worker(tmp_path_factory.mktemp("fuzz"))
    yield made
    made.stop()


def findings(worker, fault: str, limit: float = 60.0, name: str = "voronoimask") -> list[str]:
    """What is found in a plain case with this fault."""
    job = {"algorithm": name, "seed": 0, "case": 0, "fault": fault}
    return runner.one(worker, job, limit).findings


def test_nothing_is_found_where_nothing_is_wrong(worker):
    assert findings(worker, "") == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(worker, fault):
    found = findings(worker, fault, 5.0 if fault == "hangs" else 60.0)
    expected = FAULTS[fault][2]
    assert any(expected in one for one in found), found


@pytest.mark.parametrize("fault", ["", *MASK_FAULTS])
def test_a_fault_of_a_mask_with_a_secret_is_found(worker, fault):
    found = findings(worker, fault, name="maskdisplace")
    if not fault:
        assert found == []
        return
    assert any(MASK_FAULTS[fault][2] in one for one in found), found


def test_the_same_case_comes_again(worker):
    job = {"algorithm": "voronoimask", "seed": 3, "case": 1, "told": True}
    first, second = (runner.one(worker, job) for _ in range(2))
    assert first.dump and [line for line in first.dump.splitlines() if " row" in line] == [
        line for line in second.dump.splitlines() if " row" in line
    ]
    other = runner.one(worker, {**job, "case": 2})
    assert other.dump != first.dump


@pytest.mark.parametrize(
    "text, fault",
    [
        ("no such column: fid", "begins with a small letter"),
        ("The layer has no field", "does not end with a full stop"),
        ("The share is np.float64(0.5).", "shows Python"),
        ("The date is PyQt5.QtCore.QDate(2020, 1, 2).", "shows Python"),
        ("The median is nan metres.", "shows no number"),
        ("It was not written to /a/.geoanon-x1y2/new/out.gpkg.", "shows a draft's path"),
        ("There are 1 records in the layer.", "plural"),
        ("The {field} is missing.", "shows Python"),
    ],
)
def test_what_is_no_sentence_is_told(text, fault):
    assert any(one.startswith(fault) for one in texts.sentence_faults(text))


@pytest.mark.parametrize(
    "text",
    [
        "The layer has 1 record, and 2 at least are needed. Choose another layer.",
        "“Records” (RECORDS) must be at least 3, not 1.",
        "The field “nan” is not there.",
    ],
)
def test_sentences_are_left_alone(text):
    assert texts.sentence_faults(text) == []


@pytest.mark.parametrize("text", ['{"a": NaN}', '{"a": Infinity}', "{", '{"a": 1e999}'])
def test_json_is_strict(text):
    assert texts.json_faults(text)


def test_json_may_hold_null():
    assert texts.json_faults('{"a": [null, 1.5, {"b": "NaN"}]}') == []


@pytest.mark.parametrize(
    "text",
    [
        "<p><b>one</p>",
        "<p>",
        "<p></b></p>",
        "<p><script>alert(1)</script></p>",
        "<p><img src='x' onerror='alert(2)'></p>",
        "<p>The mean is nan.</p>",
        "<img src='https://example.org/a.png'>",
    ],
)
def test_pages_are_well_formed_and_escaped(text):
    assert texts.html_faults(text)


def test_good_pages_are_left_alone():
    assert texts.html_faults("<p>a &lt;script&gt;alert(1)&lt;/script&gt;<br>b</p>") == []
