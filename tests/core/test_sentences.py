# SPDX-License-Identifier: GPL-2.0-or-later
"""Sentences are English text that can be said in another language."""

from __future__ import annotations

import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.runtime.wording import Sentence, figure, joined, number_of


def upper(text: str, count: int = -1) -> str:
    """A language in which letters outside of braces are capitals."""
    parts = text.replace("{", "\0{").replace("}", "}\0").split("\0")
    return "".join(part if part.startswith("{") else part.upper() for part in parts)


def test_a_sentence_is_its_english_text():
    sentence = Sentence("{name} has {count:,} values.", name="age", count=2004)
    assert sentence == "age has 2,004 values." and isinstance(sentence, str)
    assert json.dumps(sentence) == '"age has 2,004 values."'
    assert sentence.said(upper) == "age HAS 2,004 VALUES."


def test_values_may_be_sentences_and_text_of_the_user_stays():
    inner = Sentence("no number ({value:g})", value=float("nan"))
    sentence = Sentence("The {what} holds {found}.", what="column a{b}", found=inner)
    assert sentence == "The column a{b} holds no number (not defined)."
    assert sentence.said(upper) == "THE column a{b} HOLDS NO NUMBER (NOT DEFINED)."


def test_text_without_values_is_taken_as_it_is():
    error = InputError("the layer “{x}” is none")
    assert str(error) == "the layer “{x}” is none" == error.sentence.said(lambda text, count: text)


@pytest.mark.parametrize(
    "value, said", [(float("inf"), "infinite"), (float("nan"), "not defined"), (0.25, "25 %")]
)
def test_what_is_no_number_is_said_in_words(value, said):
    assert Sentence("{share:.0%}", share=value).replace("%", " %") == said
    assert figure(float("nan"), ".3g") == "not defined" and figure(2.5, ".3g") == "2.5"


def test_a_count_brings_its_noun():
    assert number_of(1, "area", "areas") == "1 area"
    assert number_of(0, "area", "areas") == "0 areas"
    assert number_of(2004, "area", "areas") == "2,004 areas"


def test_a_count_has_the_form_that_the_language_has_for_the_number():
    polish = {1: "{n} obszar", 2: "{n} obszary", 5: "{n} obszarów"}
    forms = lambda text, count: polish[count] if text == "{n} areas" else text  # noqa: E731
    said = [number_of(count, "area", "areas").said(forms) for count in (1, 2, 5)]
    assert said == ["1 obszar", "2 obszary", "5 obszarów"]
    outer = Sentence("{areas} left", areas=number_of(2, "area", "areas"))
    assert outer == "2 areas left" and outer.said(forms) == "2 obszary left"
    marks = {",": " ", ".": ","}
    counted = lambda text, count: marks.get(text, f"{{n}} ({count})")  # noqa: E731
    huge = number_of(7 * 10**12 + 2, "area", "areas").said(counted)
    assert huge == "7 000 000 000 002 (1000002)"
    share = Sentence("{share:,.2f} of {name}", share=1234.5, name="1,2.3")
    assert share.said(lambda text, count: marks.get(text, text)) == "1 234,50 of 1,2.3"
    assert number_of(1, "site", "sites").said(forms) == "1 site"  # not translated: English


def test_sentences_put_together_stay_what_they_are():
    both = joined([Sentence("one {n}", n=1), "{user}", Sentence("two")], " {} ")
    assert both == "one 1 {} {user} {} two"
    assert both.said(upper) == "ONE 1 {} {user} {} TWO"


def test_an_error_keeps_its_template():
    error = InputError(
        "{records} in “{name}”.", records=number_of(1, "record", "records"), name="x"
    )
    assert str(error) == "1 record in “x”."
    assert error.sentence.template == "{records} in “{name}”."
    assert str(InputError(error.sentence)) == str(error)
    assert InputError(error.sentence).sentence is error.sentence
    assert str(Cancelled()).startswith("Stopped on request")


@pytest.mark.parametrize(
    "value, form, said",
    [
        (231_346.5, ",.4g", "231,300"),
        (231_346.5, ".4g", "231300"),
        (0.00002, ",.3g", "2e-05"),
        (1e20, ",.3g", "1e+20"),
        (-12_345_678.0, ",g", "-12,345,700"),
        (1_234.0, ",.6g", "1,234"),
    ],
)
def test_large_numbers_are_written_as_people_write_them(value, form, said):
    assert figure(value, form) == said


@pytest.mark.parametrize(
    "broken", ["Es fehlt {wer}.", "Es fehlt {who", "{} fehlt", "{who:q} fehlt"]
)
def test_a_translation_that_is_broken_is_not_taken(broken):
    assert Sentence("{who} is missing.", who=3.5).said(lambda text, count: broken) == (
        "3.5 is missing."
    )
    assert number_of(2, "area", "areas").said(lambda text, count: "{m} Gebiete") == "2 areas"


@given(st.text(), st.integers(0, 10**9))
def test_what_is_sent_to_another_process_is_the_same(name, count):
    inner = number_of(count, "record", "records")
    error = InputError("{name}: {records}.", name=name, records=inner)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - made here
    assert str(again) == str(error) == f"{name}: {inner}."
    assert again.sentence.said(upper) == error.sentence.said(upper)
