# SPDX-License-Identifier: GPL-2.0-or-later
"""Which row is recommended: upper ends decide, the worst overlap counts, a cut never holds."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from geoanon_qgis.core.attacks.linkage.evidence import by_all_methods
from geoanon_qgis.core.attacks.linkage.result import (
    CLIQUE,
    LIKELIHOOD,
    NEAR_GROUP,
    SIGNATURES,
    LinkageResult,
)
from geoanon_qgis.core.attacks.maps.adversary import Overlap, People
from geoanon_qgis.core.attacks.maps.defences import noise_to_try, with_defences
from geoanon_qgis.core.attacks.maps.drawn import Attempt, Drawn, attempt
from geoanon_qgis.core.attacks.maps.embedding_verdict import evidence
from geoanon_qgis.core.attacks.maps.row_risk import (
    CUT_OFF,
    HELD,
    OPEN,
    RULED_OUT,
    Limits,
    RowRisk,
    Standing,
)
from geoanon_qgis.core.distances.trials import Cell
from geoanon_qgis.core.experiments.advice import AT_ONCE, NEIGHBOURS, SCREENED, Effort, advise
from geoanon_qgis.core.experiments.advice_words import sentence
from geoanon_qgis.core.runtime.errors import Cancelled
from geoanon_qgis.core.runtime.kept import Earlier, Kept
from geoanon_qgis.core.runtime.workers import Backend
from geoanon_qgis.core.space.metrics import metric_for
from geoanon_qgis.core.verdict import CANNOT_TELL, DO_NOT_RELEASE, RELEASE_WITH_CARE, judge

LIMITS = Limits(0.25, 0.09)
#: Shares of the released people whom an adversary knows.
HALF, TENTH = Overlap(0.5), Overlap(0.1)


def drawn(right=0, claims=0, people=50, proven=True, attack=NEAR_GROUP) -> Drawn:
    other = Attempt(CLIQUE, 40, min(2, right), proven)
    return Drawn(people, right, (Attempt(attack, claims, right, True), other))


def state(draws, overlap=HALF) -> str:
    return Standing(overlap, tuple(draws)).decided(LIMITS)


def test_the_upper_end_decides():
    assert state([drawn()] * 2) == OPEN  # nobody found, but two draws say little
    assert (state([drawn()] * 41), state([drawn()] * 42)) == (OPEN, HELD)
    # On average four of a hundred are found: below the limit, but not by the upper end.
    assert state([drawn(2, 40)] * 42) == OPEN
    assert state([drawn(40, 41)] * 3) == RULED_OUT
    # Of few people, but each claim is right.
    assert state([drawn(2, 2)] * 12) == RULED_OUT
    # One draw in which many are found takes many more.
    assert state([drawn(9, 30), *[drawn()] * 41]) == OPEN
    assert state([drawn(9, 300), *[drawn()] * 60]) == OPEN
    assert state([drawn(9, 300), *[drawn()] * 100]) == HELD
    # However loose a limit is: few draws say little of a new one.
    assert Standing(HALF, (drawn(),) * 39).decided(Limits(1.0, 0.9)) == OPEN
    assert Standing(HALF, (drawn(),) * 40).decided(Limits(1.0, 0.9)) == HELD


def test_who_is_not_claimed_is_guessed_at():
    """Nobody is sure enough to be claimed, and one in eight is found by taking the likeliest."""

    def guessing(guessed):
        clique, other = Attempt(CLIQUE, 40, 0, True), Attempt(SIGNATURES, 0, 0, True, guessed)
        return Drawn(48, 0, (other, clique))

    assert state([guessing(0)] * 42) == HELD
    for count, said in ((3, OPEN), (42, RULED_OUT)):
        standing = Standing(HALF, (guessing(6),) * count)
        assert standing.decided(LIMITS) == said
        assert standing.found == standing.found_by(SIGNATURES)
        assert standing.found.mean == pytest.approx(1 / 8)
        row = RowRisk.of((HALF,)).with_standing(standing)
        assert judge(evidence(row, LIMITS), "a", "b", 0.09).decision != RELEASE_WITH_CARE
    # Luck in one draw is no more than that: the mean is judged, as it is of labels alone.
    assert state([guessing(6), *[guessing(1)] * 119]) == HELD


def test_guesses_are_held_against_single_draws_where_distances_help():
    """A quarter is named rightly on average, half in every fifth draw: labels alone find a tenth."""

    def guessing(guessed):
        return Drawn(24, 0, (Attempt(SIGNATURES, 0, 0, True, guessed),))

    draws = tuple(map(guessing, [12, 6, 5, 4, 3] * 20))
    helped = Standing(HALF, draws, by_labels=0.1)
    assert helped.found.mean == pytest.approx(0.25)
    assert helped.found.high == helped.luckiest == 0.5
    lucky = Standing(HALF, draws, by_labels=0.25)
    assert 0.25 < lucky.found.high < 0.32 and lucky.luckiest == 0.5
    limits = Limits(0.4, 0.4)
    assert (helped.decided(limits), lucky.decided(limits)) == (OPEN, HELD)


def test_who_is_not_claimed_may_be_named_all_the_same():
    """Nobody is sure enough to be claimed, and three of the surest four are right all the same."""

    def naming(*surest):
        likely = Attempt(LIKELIHOOD, 0, 0, True, 0, surest)
        return Drawn(50, 0, (likely, Attempt(CLIQUE, 40, 0, True)))

    assert state([naming(0.0, 0.0, 0.0, 0.06)] * 42) == HELD
    for count, said in ((1, OPEN), (42, RULED_OUT)):
        standing = Standing(HALF, (naming(0.0, 0.5, 0.75, 0.06),) * count)
        assert standing.decided(LIMITS) == said
        assert standing.precision_of(LIKELIHOOD).mean == 0.75
        row = RowRisk.of((HALF,)).with_standing(standing)
        assert judge(evidence(row, LIMITS), "a", "b", 0.09).decision != RELEASE_WITH_CARE
    # Now and then the surest is right: luck, and no more than the mean says.
    lucky = [naming(1.0, 0.5, 0.25, 0.06)] * 6
    assert state([*lucky, *[naming(0.0, 0.0, 0.0, 0.06)] * 34]) == OPEN
    assert state([*lucky, *[naming(0.0, 0.0, 0.0, 0.06)] * 94]) == HELD
    # Where fewer are named than asked for, all of them count; where nobody is, nothing.
    assert naming(1.0).attempts[0].right_of_surest(3) == 1.0
    assert naming().attempts[0].right_of_surest(0) == 0.0


def test_the_surest_are_counted_in_their_order_and_known_links_left_out():
    people = People(
        np.arange(6), np.arange(6), np.array([0, 1, 5, 3, -1, 4]), np.array([[3, 3]], np.int64)
    )
    guesses = np.array([[0, 2], [1, 1], [2, 5], [3, 3], [4, 0], [5, 4]])
    chance = np.array([0.1, 0.4, 0.3, 1.0, 0.2, np.nan])
    result = LinkageResult(
        guesses[:0], None, np.zeros(0), 36, 0, None, None, "", guesses=guesses, chance=chance
    )
    made = attempt(LIKELIHOOD, people, [result])
    assert made.surest == (1.0, 1.0, 0.5, 0.6) and made.claims == 0
    # What chance may have made comes last, and before nobody.
    doubted = replace(result, guesses=guesses[:1], chance=chance[:1], unbelieved=guesses[1:3])
    assert attempt(NEAR_GROUP, people, [doubted]).surest == (0.0, 0.5, 2 / 3)
    nobody = replace(result, guesses=None, chance=None)
    assert attempt(CLIQUE, people, [nobody]).surest == ()


def test_a_search_that_was_cut_off_never_holds():
    assert state([*[drawn()] * 60, drawn(proven=False)]) == CUT_OFF
    assert state([drawn(40, 41, proven=False)] * 3) == RULED_OUT


def test_an_attack_that_claims_nobody_may_claim_somebody_in_the_next_draw():
    few, many = (Standing(HALF, (drawn(),) * count) for count in (2, 14))
    assert few.precision_of(NEAR_GROUP).mean == 0 and few.precision_of(NEAR_GROUP).high > 0.25
    assert many.precision_of(NEAR_GROUP).high <= 0.25


def test_what_was_screened_says_that_a_row_is_lost_and_never_that_it_holds():
    row = replace(RowRisk.of((HALF,)), screened=Standing(HALF, (drawn(),) * 60))
    assert row.decided(LIMITS) == OPEN and row.first is row.screened
    lost = replace(RowRisk.of((HALF,)), screened=Standing(HALF, (drawn(40, 41),) * 3))
    assert lost.decided(LIMITS) == RULED_OUT
    followed = row.followed(0.99).with_standing(Standing(HALF, (drawn(),) * 60, 0.99))
    assert followed.decided(LIMITS) == HELD and followed.first is followed.standings[0]


def test_what_labels_give_away_no_distance_holds_back():
    row = RowRisk.of((HALF,), 0.2).with_standing(Standing(HALF, (drawn(),) * 60))
    assert row.decided(LIMITS) == RULED_OUT
    found = evidence(row, LIMITS)
    assert found[-1].attack == "quasi_identifiers" and found[-1].low == 0.2
    assert judge(by_all_methods(found), "a", "b", 0.09).decision == DO_NOT_RELEASE


def test_the_worst_overlap_counts():
    row = RowRisk.of((HALF, TENTH))
    assert row.all == () and row.decided(LIMITS) == OPEN
    row = row.with_standing(Standing(HALF, (drawn(),) * 42))
    assert row.decided(LIMITS) == OPEN  # the other was not tried
    both = row.with_standing(Standing(TENTH, (drawn(people=50),) * 42))
    assert both.decided(LIMITS) == HELD and both.worst.overlap == HALF
    out = row.with_standing(Standing(TENTH, (drawn(5, 5, 10),) * 12))
    assert out.decided(LIMITS) == RULED_OUT and out.worst.overlap == TENTH


def test_a_cut_with_any_overlap_is_told_in_the_verdict():
    """Most are found where all searches end, and nobody can tell all the same."""
    row = RowRisk.of((HALF, TENTH)).with_standing(Standing(HALF, (drawn(1, 40),) * 60))
    row = row.with_standing(Standing(TENTH, (*[drawn()] * 59, drawn(proven=False))))
    assert row.decided(LIMITS) == CUT_OFF and row.worst.overlap == HALF
    found = {one.attack: one for one in evidence(row, LIMITS)}
    assert found[NEAR_GROUP].complete
    assert found[CLIQUE].caveat == found["all_linkage"].caveat == "cut_off"
    assert judge(list(found.values()), "file_with_places", "which_record").decision == CANNOT_TELL


def test_the_mean_precision_decides_not_that_of_all_claims_together():
    """Surely right about one person now and then is not made up for by many wrong claims."""
    draws = (drawn(1, 1), *[drawn(1, 20)] * 3)  # (1 + 3 / 20) / 4, though 4 of 61 are right
    near, *_ = evidence(RowRisk.of((HALF,)).with_standing(Standing(HALF, draws)), LIMITS)
    assert near.attack == NEAR_GROUP and near.failed


def test_evidence_has_the_ends_over_draws():
    row = RowRisk.of((HALF,)).with_standing(Standing(HALF, (drawn(),) * 42))
    found = evidence(row, LIMITS)
    assert [one.attack for one in found] == [NEAR_GROUP, CLIQUE, "all_linkage"]
    assert found[0].high == row.worst.found.high and found[0].complete
    assert judge(by_all_methods(found), "a", "b", 0.09).decision == CANNOT_TELL
    slow = tuple(drawn(attack=SIGNATURES) for _ in range(42))
    found = evidence(replace(row, slow=(Standing(HALF, slow),)), LIMITS)
    assert judge(by_all_methods(found), "a", "b", 0.09).decision == RELEASE_WITH_CARE
    row = row.with_standing(Standing(HALF, (drawn(proven=False),) * 42))
    assert judge(by_all_methods(evidence(row, LIMITS)), "a", "b", 0.09).decision == CANNOT_TELL
    row = row.with_standing(Standing(HALF, (drawn(40, 41),) * 3))
    assert judge(by_all_methods(evidence(row, LIMITS)), "a", "b", 0.09).decision == DO_NOT_RELEASE


# -- which row --------------------------------------------------------------------------------


class Scripted:
    """A risk by hand: what is found in a row with an overlap, and who asked."""

    quick, slow = (NEAR_GROUP, CLIQUE), (LIKELIHOOD,)

    class draws:
        overlaps = (HALF, TENTH)

    def __init__(
        self,
        found,
        proven=lambda sets: True,
        by_likelihood=lambda sets: 0,
        guessed=lambda setting: 0.0,
    ):
        self.always: tuple[str, ...] = ()
        self.guessed = guessed
        self.found, self.proven, self.by_likelihood = found, proven, by_likelihood
        self.asked = []

    def guessed_in(self, setting):
        return self.guessed(setting)

    def people(self, setting, overlap):
        return 50

    def quick_for(self, setting):
        return self.quick

    def always_for(self, setting):
        return self.always

    def slow_for(self, setting):
        return self.slow

    def attack(self, setting, overlap, number, attacks, enough=None, ask=None):
        self.asked.append((setting.sets, overlap, number, attacks[0]))
        ask(0.5)
        if attacks == self.slow:
            right = self.by_likelihood(setting.sets)
            return Drawn(50, right, (Attempt(LIKELIHOOD, right, right, True),))
        right = self.found(setting.sets, overlap)
        return drawn(right, right, proven=self.proven(setting.sets))


def cells(*sets):
    values = {"utility": (1.0, 1.0), "nearest_kept": (0.9, 0.9)}
    return [
        Cell(one, 1, {**values, "utility": (float(one),) * 2}, np.ones((2, 1)), 0) for one in sets
    ]


@pytest.mark.parametrize("workers", [1, 3])
def test_the_most_useful_row_that_holds(workers):
    risk = Scripted(lambda sets, overlap: 30 if sets > 20 else 0)
    rows = cells(100, 20, 10, 60)
    advice = advise(rows, risk, LIMITS, Effort(slow=60, backend=Backend(workers=workers)))
    assert advice.cell is rows[1] and advice.nearest(rows) is rows[1]
    assert [advice.state(row) for row in rows] == [RULED_OUT, HELD, OPEN, RULED_OUT]
    assert advice.risks[rows[1].setting].slow
    said = sentence(advice, rows)
    assert "20 sets of 1" in said and "upper ends" in said and "2 rows were ruled out" in said
    assert {one[0] for one in risk.asked if one[3] == LIKELIHOOD} == {20}
    # The row below was only looked at.
    assert sum(one[0] == 10 for one in risk.asked) == SCREENED
    # Others than those by which it was chosen to be followed.
    numbers = [one[2] for one in risk.asked if one[0] == 20 and one[2] >= SCREENED]
    assert len(numbers) == 3 * 42 and set(numbers) == set(range(SCREENED, SCREENED + 42))


def test_what_is_never_left_out_can_lose_a_row():
    """Signatures of small files meet a row without LIKELIHOOD, too."""
    for found, state in ((0, HELD), (30, RULED_OUT)):
        risk = Scripted(lambda sets, overlap: 0, by_likelihood=lambda sets, found=found: found)
        risk.always = risk.slow
        rows = cells(20)
        advice = advise(rows, risk, LIMITS, Effort(slow=0, backend=Backend(workers=1)))
        assert advice.state(rows[0]) == state
        assert advice.risks[rows[0].setting].slow


def test_the_attacks_that_take_longer_meet_neighbours_and_people_here_and_there():
    """Under noise neighbours look alike, and people far apart do not."""
    for lost, state in ((False, HELD), (True, RULED_OUT)):
        risk = Scripted(lambda sets, overlap: 0)
        risk.draws = SimpleNamespace(overlaps=(Overlap(0.5, neighbours=True), HALF, TENTH))

        def attack(setting, overlap, number, attacks, *rest, risk=risk, lost=lost, **more):
            found = 30 if lost and attacks == risk.slow and overlap == HALF else 0
            return Drawn(50, found, (Attempt(attacks[0], found, found, True),))

        risk.attack = attack
        rows = cells(20)
        advice = advise(rows, risk, LIMITS, Effort(slow=60, backend=Backend(workers=1)))
        assert advice.state(rows[0]) == state
        slow = advice.risks[rows[0].setting].slow
        assert [one.overlap for one in slow] == [Overlap(0.5, neighbours=True), HALF]


def test_a_row_that_longer_attacks_cannot_let_hold_is_left():
    """More draws were asked for of a row of which no number of draws is enough."""
    risk = Scripted(lambda sets, overlap: 0, by_likelihood=lambda sets: 4)
    rows = cells(20)
    effort = Effort(draws=200, slow=60, backend=Backend(workers=1))
    advice = advise(rows, risk, Limits(1.0, 0.09), effort)
    assert advice.cell is None and advice.state(rows[0]) == OPEN
    said = sentence(advice, rows)
    assert "left after 6 draws" in said and "raise DRAWS" not in said


def test_what_is_to_be_kept_may_be_the_neighbours():
    rows = cells(40, 20, 10)
    kept = (0.2, 0.4, 0.7)
    rows = [
        replace(row, values={**row.values, NEIGHBOURS: (one,) * 2}) for row, one in zip(rows, kept)
    ]
    held, alone = Scripted(lambda sets, overlap: 0), Backend(workers=1)
    assert advise(rows, held, LIMITS, Effort(backend=alone)).cell is rows[0]
    advice = advise(rows, held, LIMITS, Effort(backend=alone), useful=NEIGHBOURS)
    assert advice.cell is rows[2]
    assert "10 sets of 1" in sentence(advice, rows) and "70.0%" in sentence(advice, rows)
    # Where the one that keeps most does not hold, the next is followed.
    risk = Scripted(lambda sets, overlap: 20 if sets == 10 else 0)
    advice = advise(rows, risk, LIMITS, Effort(backend=alone), useful=NEIGHBOURS)
    assert advice.cell is rows[1]


def test_a_row_must_hold_under_every_overlap():
    risk = Scripted(lambda sets, overlap: 20 if sets == 20 and overlap == TENTH else 0)
    rows = cells(20, 10)
    advice = advise(rows, risk, LIMITS, Effort(backend=Backend(workers=1)))
    assert advice.cell is rows[1] and advice.state(rows[0]) == RULED_OUT
    assert advice.risks[rows[0].setting].worst.overlap == TENTH


def test_a_row_that_more_of_the_same_cannot_help_is_left():
    risk = Scripted(lambda sets, overlap: 4)  # 8 %: below the limit, but never its upper end
    rows = cells(20)
    advice = advise(rows, risk, Limits(1.0, 0.09), Effort(draws=200, backend=Backend(workers=1)))
    assert advice.cell is None and advice.state(rows[0]) == OPEN
    assert len(risk.asked) == SCREENED + AT_ONCE
    said = sentence(advice, rows)
    assert "left after 6 draws" in said and "raise DRAWS" not in said
    held = Scripted(lambda sets, overlap: 1)
    advice = advise(rows, held, Limits(1.0, 0.09), Effort(draws=200, backend=Backend(workers=1)))
    assert advice.cell is rows[0] and len(held.asked) > 42


def test_likelihood_may_rule_it_out():
    risk = Scripted(lambda *_: 0, by_likelihood=lambda sets: 20 if sets == 20 else 0)
    rows = cells(20, 10)
    assert advise(rows, risk, LIMITS, Effort(slow=60, backend=Backend(workers=1))).cell is rows[1]
    assert advise(rows, risk, LIMITS, Effort(backend=Backend(workers=1))).cell is rows[0]


def test_no_row_and_what_it_lacks():
    rows = cells(20, 10)
    out = advise(rows, Scripted(lambda *_: 40), LIMITS, Effort(backend=Backend(workers=1)))
    assert out.cell is None and "More draws cannot change" in sentence(out, rows)
    cut = advise(
        rows, Scripted(lambda *_: 0, lambda sets: False), LIMITS, Effort(backend=Backend(workers=1))
    )
    assert cut.cell is None and "cut off" in sentence(cut, rows)
    few = advise(rows, Scripted(lambda *_: 0), LIMITS, Effort(draws=2, backend=Backend(workers=1)))
    assert few.cell is None and "raise DRAWS" in sentence(few, rows)
    assert "42 draws" in sentence(few, rows)
    never = advise(rows, Scripted(lambda *_: 0), Limits(0.25, 0.0), Effort(draws=2))
    assert "limit of 0" in sentence(never, rows)


def test_where_searches_are_cut_off_fewer_records_are_the_advice():
    rows = cells(20, 10, 5)

    def said(guessed, found, ends, draws=60):
        risk = Scripted(found, lambda sets: sets == ends, guessed=lambda setting: guessed)
        effort = Effort(draws, backend=Backend(workers=1))
        advice = advise(rows, risk, LIMITS, effort)
        assert advice.count(rows, CUT_OFF) == 2 and advice.cell is None
        return sentence(advice, rows)

    # Of 100 released people; by guessing among half as many twice the share would be found.
    cut = said(0.02, lambda sets, overlap: 40 if sets == 5 else 0, 5)
    assert "cut off there" in cut and "N_RELEASED. Down to about 30," in cut
    assert "Of all 3 rows, 2 rows cannot be judged" in cut
    cut = said(0.08, lambda sets, overlap: 40 if sets == 5 else 0, 5)
    assert "GROUPS" in cut and "both" in cut and "8.0%" in cut
    # Where another comes nearest the others are told of, too.
    other = said(0.02, lambda *_: 0, 20, draws=2)
    assert "20 sets" in other and "2 rows cannot be judged" in other and "Down to" not in other


def test_where_one_person_is_too_many_more_draws_are_not_the_advice():
    class Few(Scripted):
        def people(self, setting, overlap):
            return 5

        def attack(self, setting, overlap, number, attacks, enough=None, ask=None):
            ask(0.5)
            found = int(number % 9 == 5)
            return Drawn(5, found, (Attempt(NEAR_GROUP, 40 * found, found, True),))

    rows = cells(20)
    advice = advise(rows, Few(None), LIMITS, Effort(backend=Backend(workers=1)))
    assert advice.state(rows[0]) == OPEN
    said = sentence(advice, rows)
    assert "5 people who can be found" in said and "20%" in said and "raise DRAWS" not in said


def test_who_knows_so_few_that_one_is_too_many_is_tried_first():
    """What chance finds now and then is lost on them, and most rows need no other draw."""

    class Few(Scripted):
        def people(self, setting, overlap):
            return 50 if overlap == HALF else 5

        def attack(self, setting, overlap, number, attacks, enough=None, ask=None):
            self.asked.append((overlap, number))
            ask(0.5)
            found = int(overlap == TENTH and number >= SCREENED and number % 9 == 1)
            people = self.people(setting, overlap)
            return Drawn(people, found, (Attempt(NEAR_GROUP, 40 * found, found, True),))

    rows, risk = cells(20), Few(None)
    advice = advise(rows, risk, LIMITS, Effort(backend=Backend(workers=1)))
    assert advice.state(rows[0]) == OPEN and advice.cell is None
    followed = [overlap for overlap, number in risk.asked if number >= SCREENED]
    assert set(followed) == {TENTH} and len(followed) == 2 * AT_ONCE
    row = advice.risks[rows[0].setting]
    assert row.worst.overlap == TENTH and row.all == (row.standings[1],)
    said = sentence(advice, rows)
    assert "10 % of them known, 12 draws" in said and "5 people who can be found" in said


def test_too_few_draws_are_told_and_not_a_row_that_more_cannot_help():
    rows = cells(20)
    effort = Effort(draws=AT_ONCE + 2, backend=Backend(workers=1))
    said = sentence(advise(rows, Scripted(lambda *_: 0), LIMITS, effort), rows)
    assert "raise DRAWS" in said and "42 draws" in said and "was left" not in said


def test_where_labels_are_enough_more_draws_are_not_the_advice():
    rows = cells(20, 10)
    risk = Scripted(lambda *_: 0, guessed=lambda setting: 0.213)
    advice = advise(rows, risk, LIMITS, Effort(draws=2, backend=Backend(workers=1)))
    said = sentence(advice, rows)
    assert advice.cell is None and advice.hopeless and len(risk.asked) == 2 * 2
    assert "21.3%" in said and "GROUPS" in said and "raise DRAWS" not in said
    # Groups of values may help: then those rows are followed.
    grouped = with_defences(rows, (False, True), (None,))
    risk = Scripted(lambda *_: 0, guessed=lambda setting: 0.01 if setting.grouped else 0.213)
    advice = advise(grouped, risk, LIMITS, Effort(backend=Backend(workers=1)))
    assert advice.cell.grouped and not advice.hopeless


def test_rows_share_the_risk_of_a_wrong_word():
    rows = cells(30, 20, 10)
    risk = Scripted(lambda sets, overlap: 4 if sets > 10 else 0)
    limits = Limits(1.0, 0.09)
    advice = advise(rows, risk, limits, Effort(backend=Backend(workers=1)))
    assert [advice.risks[one.setting].standings[0].sure for one in rows] == [
        pytest.approx(1 - share) for share in (0.05 / 2, 0.05 / 6, 0.05 / 12)
    ]
    assert sum(0.05 / (j * (j + 1)) for j in range(1, 1000)) < 0.05
    assert advice.cell is rows[2] and len(advice.risks[rows[2].setting].standings[0].draws) > 54
    # A second round goes on counting, and draws other people.
    more = cells(5)
    again = advise(more, risk, limits, Effort(backend=Backend(workers=1)), after=advice)
    assert again.risks[more[0].setting].standings[0].sure == pytest.approx(1 - 0.05 / 20)
    assert min(one[2] for one in risk.asked if one[0] == 5) >= 1_000_000
    assert set(again.risks) == {one.setting for one in (*rows, *more)}


def test_a_run_goes_on_where_it_stopped(tmp_path):
    rows, path = cells(30, 20, 10), tmp_path / "run.jsonl"

    def tried(kept, cancel_at=2.0):
        risk = Scripted(lambda sets, overlap: 20 if sets > 20 else 0)

        def progress(fraction):
            if fraction > cancel_at:
                raise Cancelled

        backend = Backend(workers=2)
        return risk, advise(rows, risk, LIMITS, Effort(backend=backend, kept=kept), progress)

    whole, expected = tried(Kept())
    kept = Earlier(path).anew({"a": [1, 2.5]}, 7)
    with pytest.raises(Cancelled):
        tried(kept, 0.6)
    kept.close()
    with open(path, "ab") as file:  # killed while it wrote
        file.write(b'["draw 10-1')
    earlier = Earlier(path)
    assert earlier and earlier.seed == 7 and not earlier.differs_in({"a": (1, 2.5)}, None)
    assert earlier.differs_in({"a": [1, 3], "b": 0}, 8) == ["a", "b", "seed"]
    kept = earlier.goes_on()
    assert 0 < kept.taken
    rest, advice = tried(kept)
    kept.close()
    assert advice == expected and 0 < len(rest.asked) < len(whole.asked)
    nothing, advice = tried(Earlier(path).goes_on())
    assert advice == expected and nothing.asked == []


def test_progress_rises_and_a_cancel_is_heard():
    seen = []
    advise(
        cells(20, 10),
        Scripted(lambda *_: 0),
        LIMITS,
        Effort(backend=Backend(workers=1)),
        seen.append,
    )
    assert seen == sorted(seen) and seen[-1] == 1

    def cancel(fraction):
        raise Cancelled

    for workers in (1, 2):
        with pytest.raises(Cancelled):
            advise(
                cells(20, 10),
                Scripted(lambda *_: 0),
                LIMITS,
                Effort(backend=Backend(workers=workers)),
                cancel,
            )


def test_noise_that_is_tried_is_by_neighbours_and_not_by_housemates():
    rng = np.random.default_rng(3)
    homes = rng.uniform(0, 10_000, (150, 2))
    alone = noise_to_try(homes, metric_for("planar", None))
    assert 0.4 < alone[1] / (0.5 * np.sqrt(10_000**2 / 150)) < 1.6
    for off in (0.0, 0.5):  # three live in each house, at one place or a step from each other
        together = np.repeat(homes, 3, axis=0) + rng.normal(0, off, (450, 2))
        assert 0.3 < noise_to_try(together, metric_for("planar", None))[1] / alone[1] < 1.0
    assert noise_to_try(np.array([[0.0, 0.0], [3.0, 4.0]]), metric_for("planar", None))[1] == 5.0
