# SPDX-License-Identifier: GPL-2.0-or-later
"""Every number, box, choice and field of every algorithm: settled before any work, or refused."""

import numpy as np
import pytest
from qgis.core import (
    QgsApplication,
    QgsExpressionContextScope,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterField,
    QgsProcessingParameterNumber,
    QgsProject,
    QgsProperty,
)

from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.processing.base import GeoAnonAlgorithm
from geoanon_qgis.processing.dialog import numbers
from geoanon_qgis.processing.dialog.notes import list_limits
from geoanon_qgis.processing.running import Given
from geoanon_qgis.processing.settling import listed, settled
from tests.processing.helpers import (
    Feedback,
    assert_sentence,
    layer,
    opened,
    points,
    records,
    refusal,
    run,
)

OPTIONAL = QgsProcessingParameterDefinition.Flag.FlagOptional
WHOLE = QgsProcessingParameterNumber.Type.Integer
EXPRESSION = QgsProperty.fromExpression

#: What is no finite number, as people, scripts and expressions give it.
NO_NUMBERS = [
    "random",
    "none",
    "None",
    "abc",
    "auto",
    "full",
    "first",
    "nan",
    "NaN",
    "inf",
    "-inf",
    "Infinity",
    "1e999",
    "-1e999",
    "9" * 500,
    "9" * 5000,
    "0x10",
    "1,5",
    "1.2.3",
    "1_000",
    "١٢",
    "5 m",
    "2+3",
    "true",
    "-",
    ".",
    "e5",
    "[5]",
    "5;6",
    float("nan"),
    float("inf"),
    -float("inf"),
    10**400,
    True,
    False,
    [],
    [5],
    (5,),
    {},
    {"a": 5},
    b"5",
    object(),
    QgsProperty.fromValue("abc"),
    QgsProperty.fromValue(float("nan")),
    QgsProperty.fromField("age"),
    EXPRESSION("NULL"),
    EXPRESSION("no_such_field"),
    EXPRESSION("2 +"),
    EXPRESSION("'abc'"),
    EXPRESSION("1/0"),
    EXPRESSION("@no_such_variable"),
    EXPRESSION("array(5)"),
    EXPRESSION("1e308 * 1e308"),
]


def of_all(kind):
    """Each parameter of a kind of each algorithm, the models too."""
    provider = QgsApplication.processingRegistry().providerById("geoanon")
    found = [
        (algorithm.create(), definition)
        for algorithm in provider.algorithms()
        for definition in algorithm.parameterDefinitions()
        if isinstance(definition, kind)
    ]
    assert found
    return [(algorithm, algorithm.parameterDefinition(one.name())) for algorithm, one in found]


def a_context():
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    scope = QgsExpressionContextScope()
    scope.setVariable("of_the_project", 3)
    context.expressionContext().appendScope(scope)
    return context


def refused_everywhere(algorithm, name, value) -> str:
    """The sentence of a refusal: when checked, and by runs that check nothing."""
    context = a_context()
    good, sentence = algorithm.checkParameterValues({name: value}, context)
    assert not good, (algorithm.name(), name, value)
    assert f"({name}) must be " in sentence and sentence.endswith("."), sentence
    own = isinstance(algorithm, GeoAnonAlgorithm)
    for unchecked in [algorithm.processAlgorithm, *([algorithm.prepareAlgorithm] if own else [])]:
        with pytest.raises(QgsProcessingException) as refused:
            unchecked({name: value}, context, QgsProcessingFeedback(False))
        assert str(refused.value) == sentence
    return sentence


def test_what_is_no_finite_number_is_refused_for_every_number_of_every_algorithm(provider):
    for algorithm, definition in of_all(QgsProcessingParameterNumber):
        for value in NO_NUMBERS:
            sentence = refused_everywhere(algorithm, definition.name(), value)
            assert definition.description() in sentence and len(sentence) < 300


def test_the_sentence_says_what_was_given(provider):
    algorithm = provider.algorithm("noisydistances").create()
    for value, shown in [
        ("random", "a whole number or left empty, not “random”."),
        (1.5, "a whole number or left empty, not 1.5."),
        (-1, "at least 0 or left empty, not -1."),
        ("2147483648", "at most 2147483647 or left empty, not “2147483648”."),
        (EXPRESSION("1 + 0.5"), "or left empty, not the expression “1 + 0.5”, which gives 1.5."),
        (EXPRESSION("NULL"), "not the expression “NULL”, which gives nothing."),
        ("9" * 500, "not “" + "9" * 40 + "…”."),
    ]:
        sentence = refused_everywhere(algorithm, "SEED", value)
        assert sentence.endswith(shown), sentence
        assert_sentence(sentence)


def test_parts_of_whole_numbers_and_what_is_out_of_bounds_are_refused(provider):
    for algorithm, definition in of_all(QgsProcessingParameterNumber):
        low, high = definition.minimum(), definition.maximum()
        wrong = []
        if definition.dataType() == WHOLE:
            wrong += [1.5, "1.5", "-0.5", EXPRESSION("5 / 2"), np.float32(1.5), "1e-3"]
        if low > -1e300:
            wrong += [low - 2, str(low - 2), EXPRESSION(f"{low} - 2")]
        if high < 1e300:
            wrong += [high + 2, str(high + 2), EXPRESSION(f"{high} + 2")]
        for value in wrong:
            refused_everywhere(algorithm, definition.name(), value)


def test_numbers_texts_of_numbers_and_expressions_are_taken(provider):
    context = a_context()
    for algorithm, definition in of_all(QgsProcessingParameterNumber):
        name, low = definition.name(), definition.minimum()
        whole = definition.dataType() == WHOLE
        number = max(3, int(low)) if definition.maximum() >= 3 else 0.25
        for given in [
            number,
            str(number),
            f"  {number} ",
            f"+{number}",
            f"{number:e}",
            np.float64(number),
            QgsProperty.fromValue(number),
            QgsProperty.fromValue(str(number)),
            EXPRESSION(f"{number} + 0"),
            EXPRESSION(f"'{number}'"),
            *([EXPRESSION("@of_the_project"), np.int64(3), "3.0", "03"] if number == 3 else []),
        ]:
            found = settled(algorithm, {name: given}, context)[name]
            assert found == number and type(found) is (int if whole else float)
            assert settled(algorithm, {name: found}, context) == {name: found}
            if isinstance(algorithm, GeoAnonAlgorithm):
                assert Given(algorithm, {name: given}, context).number(name) == number


def test_empty_is_the_default_and_blank_text_is_empty_where_that_is_allowed(provider):
    context = a_context()
    for algorithm, definition in of_all(QgsProcessingParameterNumber):
        name, default = definition.name(), definition.defaultValue()
        for nothing in ({}, {name: None}):
            assert settled(algorithm, nothing, context) == {}
            if isinstance(algorithm, GeoAnonAlgorithm):
                assert Given(algorithm, nothing, context).number(name) == default
        for blank in ("", " ", "\t\n"):
            if definition.flags() & OPTIONAL:
                assert settled(algorithm, {name: blank}, context) == {}
                assert Given(algorithm, {name: blank}, context).number(name) == default
            else:
                refused_everywhere(algorithm, name, blank)


def test_no_seed_that_is_left_empty_becomes_a_number(provider):
    seeds = [one for one in of_all(QgsProcessingParameterNumber) if one[1].name() == "SEED"]
    assert len(seeds) >= 11
    for algorithm, definition in seeds:
        assert definition.defaultValue() is None and definition.flags() & OPTIONAL
        for empty in ({}, {"SEED": None}, {"SEED": ""}):
            assert Given(algorithm, empty, a_context()).number("SEED") is None


def test_whole_numbers_do_not_wrap(provider):
    algorithm, context = provider.algorithm("lipschitzrelease").create(), a_context()
    large = 2**40 + 1
    assert Given(algorithm, {"RECORD": large}, context).number("RECORD") == large
    assert Given(algorithm, {"RECORD": str(large)}, context).number("RECORD") == large
    for count in (2**31, 2**32 + 5, 2**64 + 5):
        assert "at most 100000000" in refused_everywhere(algorithm, "SETS", count)


# --- runs -------------------------------------------------------------------------------------


def released(**more):
    """The distances of a run of noisydistances."""
    outputs = {"OUTPUT": "TEMPORARY_OUTPUT", "MATRIX": "TEMPORARY_OUTPUT"}
    done = run("noisydistances", {"INPUT": layer(points(12)), **outputs, **more})
    with open(done["MATRIX"], encoding="utf-8") as file:
        return file.read()


def test_a_seed_repeats_a_run_however_it_is_given_and_none_does_not(project):
    seeded = released(SEED=5)
    assert seeded == released(SEED="5") == released(SEED=EXPRESSION("2 + 3"))
    assert len({seeded, released(), released(), released(SEED=""), released(SEED=0)}) == 5


@pytest.mark.parametrize(
    "name, value",
    [
        ("SEED", "random"),
        ("SEED", "nan"),
        ("DECIMALS", "full"),
        ("RECORD", "first"),
        ("SIGMA", "nan"),
    ],
)
def test_a_run_stops_before_anything_is_written(project, tmp_path, name, value):
    file = tmp_path / "matrix.csv"
    sentence = refusal(
        "noisydistances", {"INPUT": layer(points(12)), "MATRIX": str(file), name: value}
    )
    assert f"({name}) must be" in sentence and f"“{value}”" in sentence
    assert list(tmp_path.iterdir()) == []


def test_a_model_hands_on_no_text_as_a_number(project, tmp_path):
    target = {"RECORDS": layer(points(12)), "FIELDS": []}
    for value in ("nan", "1.5", "random", 1):
        assert "(K) must be" in refusal("anonymisemeasurereport", {**target, "K": value})


# --- what goes together -----------------------------------------------------------------------


def test_a_model_keeps_the_rules_of_its_steps(project):
    """Models start their steps without asking them about their parameters."""
    people = layer(points(30), fields="age:int", rows=[(30 + row % 7,) for row in range(30)])
    feedback = Feedback()
    same = {"RECORDS": people, "FIELDS": ["age"], "USE_GEOMETRY": True, "REFERENCE": people}
    for output in ("anonymise:ANONYMISED", "risk:RISK", "utility:UTILITY"):
        same[output] = "TEMPORARY_OUTPUT"
    with pytest.raises(QgsProcessingException):
        run("anonymisemeasurereport", same, feedback)
    assert "one and the same layer" in feedback.said


def test_a_script_that_did_not_ask_keeps_the_rules(project, tmp_path):
    matrix = tmp_path / "m.csv"
    released = {"INPUT": layer(points(12)), "MATRIX": str(matrix), "OUTPUT": "TEMPORARY_OUTPUT"}
    run("noisydistances", released)
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("geoanon:distanceaccuracy")
    feedback = Feedback()
    _, good = algorithm.run(released, QgsProcessingContext(), feedback)
    assert not good and "compared by its key" in feedback.said


# --- lists ------------------------------------------------------------------------------------


def lists():
    found = of_all(QgsProcessingParameterDefinition)
    return [pair for pair in found if list_limits(pair[1]) is not None]


def test_every_list_refuses_what_is_no_number(provider):
    assert len(lists()) == 15
    for algorithm, definition in lists():
        name = definition.name()
        optional = bool(definition.flags() & definition.Flag.FlagOptional)
        for value in [
            "nan",
            "20, nan",
            "inf",
            "1e999",
            "9" * 500,
            "9" * 5000,
            "first",
            "-1",
            "0x10",
            "1_0",
            ["x"],
            [float("nan")],
            [True],
            True,
            {"a": 1},
            EXPRESSION("'nan'"),
            *([] if optional else ["", " , ", [], EXPRESSION("NULL")]),
            *(["1.5", 1.5, "2147483648"] if list_limits(definition)["whole"] else []),
        ]:
            good, sentence = algorithm.checkParameterValues({name: value}, a_context())
            assert not good and definition.description() in sentence, (name, value)
            assert "nexpected" not in sentence and len(sentence) < 300
            with pytest.raises(QgsProcessingException):
                algorithm.processAlgorithm({name: value}, a_context(), QgsProcessingFeedback())


def test_lists_are_texts_numbers_lists_or_expressions(provider):
    for algorithm, definition in lists():
        few = [0.25, 0.5] if list_limits(definition)["maximum"] == 1 else [10, 20]
        text = ", ".join(map(str, few))
        for given in (
            text,
            text.replace(",", ";"),
            few,
            list(map(str, few)),
            EXPRESSION(f"'{text}'"),
        ):
            assert listed(definition, given, a_context()) == few
        assert listed(definition, few[0], a_context()) == few[:1]
        assert listed(definition, None, a_context()) == Given(
            algorithm, {definition.name(): definition.defaultValue()}, a_context()
        ).numbers(definition.name())


# --- choices ----------------------------------------------------------------------------------


def test_boxes_are_true_or_false(provider):
    yes = [True, 1, 1.0, "true", "True", "1", " yes ", EXPRESSION("1 = 1"), EXPRESSION("'TRUE'")]
    no = [False, 0, 0.0, "false", "FALSE", "0", "no", EXPRESSION("1 = 2"), EXPRESSION("'No'")]
    for algorithm, definition in of_all(QgsProcessingParameterBoolean):
        for value in yes + no:
            found = settled(algorithm, {definition.name(): value}, a_context())
            assert found == {definition.name(): value in yes}
        wrong = ["", "never", "2", "01", 2, -1, 0.5, [True], {}, b"1", EXPRESSION("NULL")]
        if definition.flags() & OPTIONAL:
            # One that models older than it do not give: left empty it is as it is by default.
            assert settled(algorithm, {definition.name(): wrong.pop(0)}, a_context()) == {}
        empty = " or left empty" * bool(definition.flags() & OPTIONAL)
        for value in wrong:
            said = refused_everywhere(algorithm, definition.name(), value)
            assert f"must be true or false{empty}, not " in said


def test_places_that_are_not_wanted_are_not_released(project):
    rows = [(one, one * one % 7) for one in range(60)]
    source = layer(points(60), fields="age:int,income:int", rows=rows)
    given = {"INPUT": source, "METHOD": "additive_noise", "OUTPUT": "TEMPORARY_OUTPUT"}
    done = run("spectralanonymize", {**given, "USE_GEOMETRY": "no"})
    assert not opened(done["OUTPUT"]).isSpatial()


def test_every_option_can_be_given_by_its_name_or_its_number(provider):
    context = a_context()
    for algorithm, definition in of_all(QgsProcessingParameterEnum):
        name = definition.name()
        for at, option in enumerate(definition.options()):
            for given in (
                option,
                at,
                str(at),
                f" {at}",
                float(at),
                EXPRESSION(str(at)),
                QgsProperty.fromValue(option),
            ):
                found = settled(algorithm, {name: given}, context)
                assert found[name] == ([option] if definition.allowMultiple() else option)
                sentence = algorithm.checkParameterValues({name: given}, context)[1]
                assert f"({name})" not in sentence and f" for {name}" not in sentence


def test_several_options_can_be_given_as_a_list_or_parted_by_commas(provider):
    several = [p for p in of_all(QgsProcessingParameterEnum) if p[1].allowMultiple()]
    assert several
    for algorithm, definition in several:
        first, second = definition.options()[:2]
        for given in (
            [first, second],
            f"{first},{second}",
            "0,1",
            "0, 1",
            [0, 1],
            ["0", second],
            f"{first},1,0",
        ):
            found = settled(algorithm, {definition.name(): given}, a_context())
            assert found[definition.name()] == [first, second]


def test_what_is_no_option_is_refused_with_the_options(provider):
    for algorithm, definition in of_all(QgsProcessingParameterEnum):
        options = definition.options()
        for value in [
            "no such option",
            len(options),
            str(len(options)),
            -1,
            "-1",
            0.5,
            "0.5",
            "1e0",
            "nan",
            "9" * 500,
            True,
            {},
            [[0]],
            ["no"],
            f"{options[0]},no",
            EXPRESSION("NULL"),
            *([] if numbers.may_be_empty(definition) else ["", []]),
        ]:
            sentence = refused_everywhere(algorithm, definition.name(), value)
            assert all(f"{name} ({at})" in sentence for at, name in enumerate(options))
        if not definition.allowMultiple():
            refused_everywhere(algorithm, definition.name(), [options[0]])
            refused_everywhere(algorithm, definition.name(), "0,1")


def test_an_option_whose_name_is_a_number_goes_before_the_option_of_that_number(provider):
    class WithDigits:
        def __init__(self, several):
            self.one = QgsProcessingParameterEnum(
                "BASE", "Base", ["2", "10", "1"], several, usesStaticStrings=True
            )

        def parameterDefinitions(self):
            return [self.one]

    for given, meant in [("2", "2"), ("1", "1"), ("10", "10"), ("0", "2"), (0, "2"), (1, "10")]:
        assert settled(WithDigits(False), {"BASE": given}, a_context()) == {"BASE": meant}
        assert settled(WithDigits(True), {"BASE": [given]}, a_context()) == {"BASE": [meant]}
    assert settled(WithDigits(True), {"BASE": "1,0"}, a_context()) == {"BASE": ["1", "2"]}


def test_a_run_by_numbers_of_options(project):
    named = released(SEED=1, METRIC="great_circle", NOISE="laplace")
    assert named == released(SEED=1, METRIC="1", NOISE=2)
    assert named != released(SEED=1, METRIC=0, NOISE=2)


# --- fields -----------------------------------------------------------------------------------

FIELDS = "Age:int,Ward:string,ward2:string,X:int,x:int"
ROWS = [(20 + i % 5, f"w{i % 3}", f"v{i % 2}", i, -i) for i in range(40)]


def people():
    return layer(points(40), fields=FIELDS, rows=ROWS)


def test_every_field_of_every_algorithm_is_spelt_as_the_layer_does(provider, project):
    context, given = a_context(), people()
    for algorithm, definition in of_all(QgsProcessingParameterField):
        name, parent = definition.name(), definition.parentLayerParameterName()
        several = definition.allowMultiple()

        def found(value, algorithm=algorithm, parent=parent, name=name):
            return settled(algorithm, {parent: given, name: value}, context).get(name)

        for text in ("age", "AGE", "Age", "aGe"):
            assert found(text) == (["Age"] if several else "Age")
        for text in ("X", "x"):
            assert found(text) == ([text] if several else text)
        if several:
            assert found("WARD;WARD2") == found(["WARD", "WARD2"]) == ["Ward", "ward2"]
        assert not found(None) and not found([])
        good, sentence = algorithm.checkParameterValues({parent: given, name: "nope"}, context)
        assert not good and "no field “nope”. Its fields are: Age, Ward, ward2, X, x." in sentence
        assert settled(algorithm, {name: "any"}, context) == {name: "any"}


def test_a_field_that_must_be_chosen_is_asked_for_where_nobody_checked(provider):
    asked = 0
    for algorithm in provider.algorithms():
        if not isinstance(algorithm, GeoAnonAlgorithm):
            continue
        for one in algorithm.parameterDefinitions():
            if isinstance(one, QgsProcessingParameterField) and not one.flags() & OPTIONAL:
                for parameters in ({}, {one.name(): ""}, {one.name(): None}):
                    given = Given(algorithm.create(), parameters, QgsProcessingContext())
                    with pytest.raises(InputError, match=f"Choose one in {one.name()}"):
                        given.fields(one.name())
                    asked += 1
    assert asked > 6


def test_a_name_that_means_two_fields_is_refused():
    from geoanon_qgis.processing.layers.fieldnames import spelt_as_in

    fields = layer([], fields="Age:int,AGE:int,b:int").fields()
    assert spelt_as_in(fields, ["B", "AGE", "Age"]) == ["b", "AGE", "Age"]
    with pytest.raises(InputError, match="“age” can be “Age” or “AGE” here"):
        spelt_as_in(fields, ["age"])


def test_texts_and_tables_that_name_fields_may_use_another_case(project):
    wards = layer(points(3), fields="WARD:int", rows=[(0,), (1,), (2,)])
    given = [(20 + row % 4, row % 3, row % 2) for row in range(60)]
    people = layer([None] * 60, "", "NoGeometry", "Age:int,ward:int,Sex:int", given)
    done = run(
        "vbas",
        {
            "REGIONS": wards,
            "REGION_ID": "Ward",
            "RECORDS": people,
            "QIS": ["AGE"],
            "K": 2,
            "FIELDS": ["SEX"],
            "GROUPS": '{"aGe": [20, 22, 24]}',
            "SITES_BY": "fixed",
            "SITES": 1,
            "OUTPUT": "TEMPORARY_OUTPUT",
            "RECORDS_OUT": "TEMPORARY_OUTPUT",
        },
    )
    assert set(records(done["RECORDS_OUT"])[0]) == {"area_id", "Age", "Sex"}
    fields = {"ORIGINAL": people, "ANONYMIZED": people, "FIELDS": ["age", "sex"]}
    done = run(
        "microdatautility",
        {
            **fields,
            "KINDS": "AGE=ordinal",
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert "Age=ordinal" in done.feedback.said


@pytest.mark.parametrize("groups", ["[0, NaN]", f"[0, {'9' * 400}]", "[0, true]"])
def test_limits_of_groups_are_numbers(project, groups):
    wards = layer(points(3), fields="ward:int", rows=[(0,), (1,), (2,)])
    sentence = refusal(
        "vbas",
        {
            "REGIONS": wards,
            "REGION_ID": "ward",
            "RECORDS": people(),
            "QIS": ["Age"],
            "K": 2,
            "GROUPS": f'{{"Age": {groups}}}',
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert "The groups of “Age” are neither" in sentence


@pytest.mark.parametrize(
    "algorithm, parameters, output",
    [
        ("voronoimask", {"INPUT": people, "FIELDS": ["AGE", "ward"]}, "OUTPUT"),
        (
            "noisydistances",
            {"INPUT": people, "FIELDS": ["AGE", "ward"], "MATRIX": "TEMPORARY_OUTPUT"},
            "OUTPUT",
        ),
        ("equivalenceclasses", {"INPUT": people, "QIS": ["AGE", "ward"]}, "OUTPUT"),
        ("spectralanonymize", {"INPUT": people, "FIELDS": ["AGE", "ward"]}, "OUTPUT"),
        (
            "microdatautility",
            {"ORIGINAL": people, "ANONYMIZED": people, "FIELDS": ["AGE", "ward"]},
            "OUTPUT",
        ),
        (
            "disclosurerisk",
            {"ORIGINAL": people, "ANONYMIZED": people, "FIELDS": ["AGE", "ward"]},
            "OUTPUT",
        ),
    ],
)
def test_a_run_with_fields_in_another_case(project, algorithm, parameters, output):
    given = {name: one() if callable(one) else one for name, one in parameters.items()}
    done = run(algorithm, {**given, output: "TEMPORARY_OUTPUT", "REPORT": "TEMPORARY_OUTPUT"})
    assert len(records(done[output])) > 0
    if algorithm in ("voronoimask", "noisydistances", "spectralanonymize"):
        assert {"Age", "Ward"} <= set(records(done[output])[0])
