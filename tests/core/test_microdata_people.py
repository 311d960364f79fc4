# SPDX-License-Identifier: GPL-2.0-or-later
"""People with several records: against loops over people, with planted leaks, and without any."""

import numpy as np
import pytest

from geoanon_qgis.core.microdata.attacks.battery import SEVERAL, attack_release
from geoanon_qgis.core.microdata.attacks.beside_next import by_next
from geoanon_qgis.core.microdata.attacks.in_part import InPart, in_part
from geoanon_qgis.core.microdata.attacks.inference import infer
from geoanon_qgis.core.microdata.attacks.knowledge import Knowledge
from geoanon_qgis.core.microdata.attacks.singling import Ordered
from geoanon_qgis.core.microdata.attacks.singling_several import Truth
from geoanon_qgis.core.microdata.attacks.table import Tables
from geoanon_qgis.core.microdata.digits import as_released
from geoanon_qgis.core.microdata.learning import learn_coding
from geoanon_qgis.core.microdata.nearest import Records
from geoanon_qgis.core.microdata.people import People, nearest_of_each, nearest_others, others_alike
from geoanon_qgis.core.microdata.prediction import leave_one_out_risk
from geoanon_qgis.core.microdata.release import anonymize
from geoanon_qgis.core.microdata.risk import disclosure_risk, people_measured
from geoanon_qgis.core.microdata.several import shared_fields, tells_people
from geoanon_qgis.core.verdict import (
    CANNOT_TELL,
    DO_NOT_RELEASE,
    LIMIT,
    RELEASE_WITH_CARE,
    judge,
)


def visits(people, each, seed):
    """Visits of people: some fields are the same in all of hers, others change."""
    rng = np.random.default_rng([seed, 41])
    age = np.clip(rng.normal(48, 16, people), 18, 95)
    height = rng.normal(172, 9, people).round(1)
    ill, base = rng.random(people) < 0.05 + 0.004 * (age - 18), rng.normal(size=(people, 3))
    sex, job = rng.integers(0, 2, people), rng.choice(["a", "b", "c"], people)
    of = np.repeat(np.arange(people), each)
    count = len(of)
    return {
        "age": (age[of] + rng.integers(0, 3, count)).round(),
        "sex": np.array(["f", "m"], object)[sex[of]],
        "height": height[of],
        "ill": np.where(ill[of], "yes", "no").astype(object),
        "job": job.astype(object)[of],
        "weight": (height[of] - 100 + 8 * base[of, 0] + rng.normal(0, 1.5, count)).round(1),
        "pressure": (110 + 0.5 * age[of] + 9 * base[of, 1] + rng.normal(0, 8, count)).round(),
        "month": rng.integers(1, 13, count).astype(float),
    }, of


def judged(original, released, whose=None, reference=None, theirs=None):
    coding = learn_coding(original)
    before, after = coding.encode(original)[0], coding.encode(released)[0]
    others = None if reference is None else coding.encode(reference)[0]
    digits = as_released(coding, original, released, reference)
    people = people_measured(before, whose=whose)
    found = disclosure_risk(
        before, after, others, variants=digits, blocks=coding.blocks, people=people, whose=whose
    )
    distances = [found.of_all(one.distance) for one in (found.measured, found.reference)]
    made = attack_release(
        coding, before, after, others, digits, distances, LIMIT, whose=(whose, theirs)
    )
    found = found.with_attacks(made)
    return found, judge(found.evidence, "", "", LIMIT)


def mixed(table, rng, true=()):
    """Every field dealt out by itself, but those that stay together."""
    count = len(table["age"])
    order = rng.permutation(count)
    return {k: v[order if k in true else rng.permutation(count)] for k, v in table.items()}


def one_verbatim(table, of, rng):
    """One record of each person as it is; the others dealt out field by field."""
    count, kept = len(of), People(of).one_each(3)
    rest, order = np.setdiff1d(np.arange(count), kept), rng.permutation(count)
    made = {}
    for name, values in table.items():
        values = values.copy()
        values[rest] = values[rng.permutation(rest)]
        made[name] = values[order]
    return made


def noisy(table, of, rng, by=0.3):
    """Every number of every record with noise of its own; categories are true."""
    order, made = rng.permutation(len(of)), {}
    for name, values in table.items():
        if values.dtype != object:
            values = (values + rng.normal(0, by * values.std(), len(values))).round(1)
        made[name] = values[order]
    return made


@pytest.mark.parametrize("seed", range(6))
def test_nearest_records_of_others_are_those_of_a_loop(seed):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 4, (60, 2)).astype(float)
    of = rng.integers(0, 12, 60)
    whose = People.numbered(of)
    row, away, own = nearest_others(Records(matrix), matrix, whose.of, whose, 3)
    for at in range(60):
        theirs = np.unique(matrix[of != of[at]], axis=0)
        wanted = np.sort(np.sqrt(((theirs - matrix[at]) ** 2).mean(axis=1)))[:3]
        assert np.allclose(away[at], wanted)
        alike = (matrix[:, None] == matrix[row[at]]).all(axis=2)
        assert (own[at] == (alike & (of == of[at])[:, None]).sum(axis=0)).all()
    others, _ = others_alike(matrix, whose)
    for at in range(60):
        same = (matrix == matrix[at]).all(axis=1)
        assert others[at] == len(np.unique(of[same & (of != of[at])]))


@pytest.mark.parametrize("seed", range(4))
def test_measures_beside_others_are_those_of_a_table_without_her(seed):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 6, (80, 3)).astype(float)
    whose = People.numbered(rng.integers(0, 20, 80))
    found = leave_one_out_risk(matrix, 4, whose=whose)
    for at in range(80):
        others = matrix[whose.of != whose.of[at]]
        away = np.sort(np.sqrt(((others - matrix[at]) ** 2).mean(axis=1)))
        assert found.distance[at] == pytest.approx(away[0])
        ratio = away[0] / away[3] if away[3] else 1.0
        assert found.ambiguity[at] == pytest.approx(ratio)


def test_each_record_of_somebody_else_is_as_if_nobody_said():
    table, _ = visits(150, 1, 1)
    released = mixed(table, np.random.default_rng(1), {"age", "weight"})
    plain, _ = judged(table, released)
    named, _ = judged(table, released, People(np.arange(150)))
    # But for who is drawn, and that the three measures do not decide.
    for kind in ("linkability", "inference"):
        one, other = plain.attacks.of(kind), named.attacks.of(kind)
        seen = {(str(each.knows), str(each.wants)): each.right for each in one}
        assert all(
            each.right == seen[str(each.knows), str(each.wants)]
            for each in other
            if (str(each.knows), str(each.wants)) in seen
        )


def test_predicates_are_true_of_people():
    values = np.array([1.0, 1.0, 2.0, 2.0, 3.0, np.nan, np.nan])
    whose = People(np.array([0, 0, 1, 2, 2, 1, 1]))
    ordered = Ordered.of(values, whose)
    assert ordered.values.tolist() == [1, 2, 2, 3]
    assert ordered.lowest.tolist() == [1, 2, 2] and ordered.highest.tolist() == [1, 2, 3]
    assert len(ordered.missing) == 1
    truth = Truth([values.astype(np.float32)], whose)
    assert truth.alone(((0, 0, 1.0),)) and not truth.alone(((0, 0, 2.0),))
    assert len(truth.rows(((0, 1, 2.0),))) == 3


@pytest.mark.parametrize("leak", [one_verbatim, noisy])
@pytest.mark.parametrize("with_reference", [False, True])
def test_leaks_of_people_with_several_records_are_found(leak, with_reference):
    table, of = visits(300, 3, 2)
    reference, theirs = visits(300, 3, 1002) if with_reference else (None, None)
    released = leak(table, of, np.random.default_rng(2))
    theirs = None if theirs is None else People(theirs)
    found, verdict = judged(table, released, People(of), reference, theirs)
    assert verdict.decision == DO_NOT_RELEASE
    worst = max(found.attacks.figures(one)[0] for one in found.attacks.of("membership"))
    assert worst > 0.3
    assert all(one.people <= 300 and one.tried <= 300 for one in found.attacks.of("inference"))


def test_her_other_records_hid_her():
    """What was found of fields that are the same in all her records, and what is."""
    table, of = visits(300, 3, 3)
    released = mixed(table, np.random.default_rng(3), {"sex", "height", "ill", "job"})
    plain, _ = judged(table, released)
    named, verdict = judged(table, released, People(of))
    before, after = (one.attacks.figures(one.attacks.of("inference")[0]) for one in (plain, named))
    assert before[0] < 0.05 and after[1] > LIMIT
    assert verdict.decision == DO_NOT_RELEASE


def test_noise_of_each_record_averages_out():
    """Ten visits of who is alone with her area: by one of them nobody is guessed right, by all is."""
    table, of = visits(120, 10, 4)
    area = np.array([f"a{one}" for one in range(120)], object)[of]
    table = {"area": area, "height": table["height"], "month": table["month"]}
    released = noisy(table, of, np.random.default_rng(4), by=0.5)
    coding = learn_coding(table)
    before, after = coding.encode(table)[0], coding.encode(released)[0]
    reference, theirs = visits(120, 10, 1004)
    reference = {"area": area, "height": reference["height"], "month": reference["month"]}
    others = coding.encode(reference)[0]
    whose = People(of), People(theirs)
    tables = Tables(before, after, others, coding.variables, [(before, others)], (), *whose)
    one, of_all = infer(tables, Knowledge("area", ("area",), ("height",)))
    assert one.success < 0.25 and of_all.success > 0.4
    assert of_all.tried == 120 and of_all.control < 0.15


def test_honest_files_hold_beside_other_people():
    """Of so few people one of three may be undecided."""
    decisions = []
    for seed in range(3):
        table, of = visits(500, 3, 10 + seed)
        reference, theirs = visits(500, 3, 1010 + seed)
        made = anonymize(table, "spectral_swapping", np.random.default_rng(seed)).columns
        _, verdict = judged(table, made, People(of), reference, People(theirs))
        decisions.append(verdict.decision)
    assert DO_NOT_RELEASE not in decisions and decisions.count(RELEASE_WITH_CARE) >= 2


def test_a_true_value_of_one_person_counts_as_that():
    """A rare value in all of a person's records is hers alone, not that of ten."""
    table, of = visits(200, 5, 6)
    table["rare"] = np.where(of < 3, of.astype(float) + 1, 0.0)
    coding = learn_coding(table)
    released = mixed(table, np.random.default_rng(6), {"rare", "height", "age", "weight"})
    before, after = coding.encode(table)[0], coding.encode(released)[0]
    tables = Tables(before, after, None, coding.variables, [(before, None)], (), People(of))
    assert set(of[in_part(tables).rows]) >= {0, 1, 2}


def test_several_records_of_a_person_are_seen_though_nobody_says_so():
    table, of = visits(300, 3, 7)
    released = mixed(table, np.random.default_rng(7))
    for people, expected in ((None, True), (People(of), False)):
        found, verdict = judged(table, released, people)
        assert (found.attacks.caveat == SEVERAL) == expected
    assert "PERSON_FIELD" in judged(table, released)[0].attacks.in_words()
    alone, _ = visits(900, 1, 7)
    found, _ = judged(alone, mixed(alone, np.random.default_rng(7)))
    assert found.attacks.caveat == ""
    coding = learn_coding(table)
    matrix = coding.encode(table)[0]
    assert tells_people(People(of), matrix, coding.variables)
    rng = np.random.default_rng(7)
    assert not tells_people(People.numbered(rng.integers(0, 300, 900)), matrix, coding.variables)


def answers_that_go_together(count, seed):
    """Eight answers of each person, nearly all told by one thing."""
    rng = np.random.default_rng(seed)
    kind = rng.normal(size=(count, 1)) + rng.normal(0, 0.05, (count, 8))
    given = np.digitize(kind, [-1, 0, 1])
    return {f"answer {at}": given[:, at].astype(float) for at in range(8)}


def test_people_whose_answers_go_together_are_no_sign_beside_others_who_have_the_same():
    def signs(table, others):
        coding = learn_coding(table)
        before, theirs = (one if one is None else coding.encode(one)[0] for one in (table, others))
        return shared_fields(
            Tables(before, before, theirs, coding.variables, [(before, theirs)], ())
        )

    table, others = (answers_that_go_together(2000, seed) for seed in (1, 2))
    assert signs(table, None) and not signs(table, others)
    several, strangers = (visits(300, 3, seed)[0] for seed in (7, 1007))
    assert signs(several, None) == signs(several, strangers) != ()


def test_without_a_sign_it_would_have_passed():
    table, of = visits(700, 3, 8)
    released = noisy(table, of, np.random.default_rng(8), by=1.5)
    for name in ("sex", "ill", "job", "height"):
        released[name] = np.random.default_rng(9).permutation(released[name])
    found, verdict = judged(table, released)
    shares = [one.high for one in found.attacks.evidence if one.has_share]
    assert found.attacks.caveat == SEVERAL and max(shares) <= LIMIT
    assert verdict.decision == CANNOT_TELL


def test_the_bar_rises_where_people_have_several_records():
    table, of = visits(120, 3, 9)
    reference, theirs = visits(120, 3, 1009)
    coding = learn_coding(table)
    before, after, others = (
        coding.encode(one)[0] for one in (table, mixed(table, np.random.default_rng(9)), reference)
    )
    for sample, whose in ((None, (People(of), None)), (others, (People(of), People(theirs)))):
        told = []
        attack_release(
            coding,
            before,
            after,
            sample,
            [(before, sample)],
            (np.ones(360), np.ones(360)),
            LIMIT,
            progress=told.append,
            whose=whose,
        )
        assert told == sorted(told) and told[-1] <= 1


def test_of_nobody_nobody_is_nearest():
    assert len(nearest_of_each(np.zeros(0, dtype=int), np.zeros(0))) == 0
    assert nearest_of_each(np.array([1, 0, 1]), np.array([2.0, 3.0, 1.0])).tolist() == [1, 2]


def test_people_released_in_part_are_counted_once_however_many_of_their_records_are_found():
    table, of = visits(150, 4, 8)
    reference, theirs = visits(150, 4, 108)
    changed = {"month"}
    released = {name: np.random.default_rng(8).permutation(table[name]) for name in changed}
    released |= {name: table[name].copy() for name in table if name not in changed}
    found, _ = judged(table, released, People(of), reference, People(theirs))
    shown = found.attacks.in_part
    evidence = next(one for one in found.attacks.evidence if one.attack == "partial_records")
    assert shown.count == len(np.unique(of[shown.rows])) > 100
    assert evidence.found == evidence.exposed == shown.count <= evidence.people <= 150
    assert 0 <= evidence.low <= evidence.share <= evidence.high <= 1
    assert shown.sentence.startswith(f"{shown.count} people have")


def test_further_records_of_who_is_listed_already_are_no_further_people():
    whose = People(np.repeat(np.arange(5), 2))
    one, two = (InPart(np.array(rows), ("a",), 4, whose=whose) for rows in ([0, 2], [1, 3, 4]))
    for people, looked_for in ((None, 4), (5, 5)):
        both = one.besides(two, people)
        assert both.rows.tolist() == [0, 2, 1, 3, 4]
        assert (both.count, both.looked_for) == (3, looked_for)
    assert InPart(np.arange(3)).count == 3


@pytest.mark.parametrize("seed", range(2))
def test_of_other_people_no_record_is_nearer_than_the_next_for_theirs_lying_together(seed):
    """Swapping leaves nobody's records together, as those of each of the other originals are."""
    table, of = visits(100, 8, 20 + seed)
    others, _ = visits(100, 8, 120 + seed)
    made = anonymize(others, "spectral_swapping", np.random.default_rng(seed)).columns
    coding = learn_coding(table)
    before, after = coding.encode(table)[0], coding.encode(made)[0]
    tables = Tables(before, after, None, coding.variables, [(before, None)], (), People(of))
    assert all(one.tried == 100 and one.right < 15 for one in by_next(tables))
    assert judged(table, made, People(of))[1].decision != DO_NOT_RELEASE
    for by in (0.1, 0.25):
        own = noisy(table, of, np.random.default_rng(seed), by=by)
        assert judged(table, own, People(of))[1].decision == DO_NOT_RELEASE


def test_whoever_is_released_in_three_of_her_visits_is_one_person():
    table, of = visits(150, 4, 7)
    others, _ = visits(150, 4, 8)
    released = {name: values.copy() for name, values in others.items()}
    for name, values in table.items():
        released[name][:5] = values[[8, 9, 10, 40, 41]]  # three visits of one, two of another
    found, _ = judged(table, released, People.numbered(of), others, None)
    assert found.exposed.any.sum() >= 5
    shown = next(one for one in found.evidence if one.attack == "verbatim_records")
    assert shown.people == 150 and shown.exposed == 2, shown
