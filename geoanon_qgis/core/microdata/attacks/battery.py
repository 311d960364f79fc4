# SPDX-License-Identifier: GPL-2.0-or-later
"""All attacks on a release of microdata, and what they say together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from ...runtime.errors import InputError
from ...runtime.progress import Progress, interruptible, part, shares, silent, weighted
from ...runtime.results import Summarised
from ...runtime.wording import Sentence, mark, number_of
from ...verdict import Evidence
from ..coding import Coding
from ..matrices import as_matrix, passed_over
from ..people import People
from ..several import shared_fields
from ..units import in_units_of
from . import inference, linkability, singling, singling_several
from .absent import absent
from .alike import batches_of
from .along import along
from .averaged import membership_of_all
from .between_fields import between_fields
from .classes import would_be_told_by_classes
from .homes import Homes
from .in_part import InPart, in_part
from .joined import joined
from .knowledge import check, listed, suppositions
from .laid_back import laid_back
from .members import members
from .membership import of_people
from .membership_by_place import by_place, homes_beside, near_homes
from .moments import would_be_told
from .ordered import in_order
from .paired import Pairing, paired
from .patchwork import is_too_large
from .scoring import ATTACKS, BATCHES, INFERENCE, MEMBERSHIP, SINGLING_OUT, Attack, level_of
from .table import Tables
from .together import together
from .within import would_be_told_by_groups

#: What may be done in vain where there are more columns than records.
_FEW = mark(
    "There are more columns of fields ({columns:,}) than records ({records:,}): by so many fields "
    "everybody is far from everybody, and the attacks find less than with more people or fewer "
    "fields. Choose FIELDS, or give more records."
)
#: Why inference may find more: several records seem to be of one person.
SEVERAL = "several_records"
#: What is said without people who are not in the file; of people with several records; and where
#: nobody says whose record each is, though several seem to be of one person.
_NO_CONTROL = mark(
    "Without people who are not in the file (REFERENCE) each person is compared with the other originals. "
    "These are true records, which tell more of each other than anonymised ones do of strangers: what the "
    "release gives away may be more than what is found beyond them."
)
_PEOPLE = mark(
    "People with several records count once: each is looked up by all of hers that are known, of which the "
    "nearest counts, and by all together where a field is the same in them. Her own are no control. The "
    "three measures compare with records that come in groups, and decide nothing here."
)
_BY_FIELD = mark(
    "Records with the same value of “{field}” are alike, as those of one person are. If they are, name it as "
    "PERSON_FIELD: her other records were taken for other people's here, which hides her. If each record is "
    "of another person, name as PERSON_FIELD a field that differs for all."
)
_TOGETHER = mark(
    "Most records have the same as another in {fields}, all together, far more than if these fields had "
    "nothing to do with each other: several may be of one person, or of one household. If so, her other "
    "records were taken for other people's here, which hides her. Name as PERSON_FIELD what says whose a "
    "record is or, if each is of another person, a field that differs for all."
)
_BATCHES = mark(
    "People of the file are nearer to each other, or people of REFERENCE to each other, than to those of the "
    "other table, as classmates, patients of a day or flats of a house are, or as REFERENCE is of other people "
    "than the file: of another year, region or age. Members of a batch are found, or not, together. So more than "
    "is acceptable is found for sure only if it were so in a file of {people}, drawn one by one, and "
    "the three measures do not decide. A file and a REFERENCE that are drawn alike, person by person, tell more."
)
_MOMENTS = mark(
    "Not tried, as there are no people who are not in the file (REFERENCE): who is in it by averages, correlations "
    "and how many have each value in the release as a whole, or in groups of people. Were it made of these originals, of {fields} fields they "
    "would tell about {share:.0f} % of the people, beyond one in twenty others, to who knows those of the population."
)
_NO_PATCHES = mark(
    "Not tried, as the file is large: records of which another half each is a person's, be all else anybody's."
)
#: Why the upper end of an attack's own interval did not count.
_BY_CHANCE = mark(
    "The worst of many attacks finds some people by luck alone. By itself, one that found {share:.1f} % "
    "could find up to {high:.1f} %; among {among} attacks so much is no more than chance lets one "
    "find of a release of other people, and whoever finds twice the limit would have been noticed. "
    "Such attacks here: {count}. Their upper end is given as the acceptable {limit:.1f} %. More people in "
    "REFERENCE tell it more sharply."
)


@dataclass(frozen=True, repr=False)
class Battery(Summarised):
    """What all attacks found.

    Attributes
    ----------
    attacks : tuple of Attack
    extremes : tuple of Extreme
        Outermost values that are released as they are, each of a single person.
    has_control : bool
        Whether there were people who are not in the file.
    remarks : tuple of Sentence
    limit : float
        The acceptable share of people found.
    in_part : InPart
        People of whom one released record has more values than chance explains.
    caveat : str
        Why inference may find more, see :class:`...verdict.Evidence`; empty for no reason.
    batches : float
        For how many independent people one counts by the fields; see :func:`.alike.in_batches`.
    untried : float
        Share of the people whom averages, correlations or classes would tell, which only a reference can be attacked
        with; see :func:`.moments.would_be_told`, :func:`.classes.would_be_told_by_classes` and
        :func:`.within.would_be_told_by_groups`.
    """

    attacks: tuple[Attack, ...]
    extremes: tuple[singling.Extreme, ...]
    has_control: bool
    remarks: tuple[Sentence, ...]
    limit: float
    in_part: InPart = field(default_factory=InPart)
    caveat: str = ""
    batches: float = 1.0
    untried: float = 0.0

    @property
    def fewest(self) -> float:
        """For how many independent people one counts where samples differ most, in fields or in what is made of them."""
        return min((one.batches for one in self.attacks), default=1.0)

    @property
    def sureness(self) -> float:
        """Standard deviations that are sure among so many attacks."""
        return level_of(len(self.attacks))

    def figures(self, attack: Attack) -> tuple[float, float, float]:
        """Share of the people that an attack finds, and its interval."""
        one = self._evidence(attack)
        return one.share, one.low, one.high

    def _evidence(self, attack: Attack) -> Evidence:
        return attack.evidence(self.limit, self.sureness, self._among)

    @property
    def _among(self) -> int:
        """How many attacks are on all people."""
        return sum(not one.of_some for one in self.attacks)

    @property
    def notes(self) -> tuple[Sentence, ...]:
        """What is to be known besides; of attacks of which chance explains what they find, too."""
        some = [
            one
            for one in self.attacks
            if not one.of_some and self._evidence(one).high < one.excess()[2]
        ]
        if not some:
            return self.remarks
        worst = max(some, key=lambda one: one.excess()[2])
        said = Sentence(
            _BY_CHANCE,
            count=len(some),
            among=self._among,
            share=100 * worst.excess()[0],
            high=100 * worst.excess()[2],
            limit=100 * self.limit,
        )
        return (*self.remarks, said)

    def beyond(self, attack: Attack) -> bool:
        """Tell whether an attack surely finds more than is acceptable."""
        if attack.by_batch.is_sure(self.limit, self.sureness):
            return True
        return not attack.of_some and self.figures(attack)[1] > self.limit

    def of(self, kind: str) -> list[Attack]:
        """Attacks of a kind, the worst first.

        Of holders of a value an attack is told only where it surely finds more than is
        acceptable: among so many small groups the worst would be one by chance.
        """
        z = self.sureness
        some = [
            one
            for one in self.attacks
            if one.kind == kind and (not one.of_some or one.is_sure(self.limit, z))
        ]
        return sorted(some, key=self._how_bad, reverse=True)

    def _how_bad(self, attack: Attack) -> tuple[bool, bool, float, float]:
        """Of members those of all people are told first: those of some are found besides."""
        share, _, high = self.figures(attack)
        of_all = attack.kind != MEMBERSHIP or not attack.of_some
        return self.beyond(attack), of_all, high, share

    @property
    def evidence(self) -> list[Evidence]:
        """The worst attack of each kind, and who is released in part."""
        worst = [self._evidence(self.of(kind)[0]) for kind in ATTACKS if self.of(kind)]
        worst.append(self._shown_in_part)
        if self.untried > self.limit:
            worst = [
                one.with_caveat("moments") if one.attack == MEMBERSHIP else one for one in worst
            ]
        if not self.caveat:
            return worst
        at = next((one.attack for one in worst if one.attack == INFERENCE), SINGLING_OUT)
        return [one.with_caveat(self.caveat) if one.attack == at else one for one in worst]

    @property
    def _shown_in_part(self) -> Evidence:
        """Who is released in part; of few batches one may have what another has, and all of it then."""
        shown, people = self.in_part.count, self.in_part.looked_for
        found = Evidence.counted("partial_records", shown, people, exposed=shown)
        if not shown or self.batches * self.attacks[0].people >= BATCHES:
            return found
        return replace(found, exposed=0, low=0.0).with_caveat("by_chance")

    @property
    def found(self) -> np.ndarray:
        """Originals who are found by attacks that surely find more than is acceptable."""
        rows = [one.rows for one in self.attacks if self.beyond(one)]
        return np.unique(np.concatenate(rows)) if rows else np.zeros(0, dtype=np.intp)

    def in_words(self) -> str:
        """Say what the worst attack of each kind found."""
        said = [one.sentence for kind in ATTACKS for one in self.of(kind)[:1]]
        return "\n".join([*said, *filter(None, [self.in_part.sentence]), *self.notes])


def attack_release(
    coding: Coding,
    original: np.ndarray,
    released: np.ndarray,
    reference: np.ndarray | None,
    digits: Sequence[tuple[np.ndarray, np.ndarray | None]],
    distances: tuple[np.ndarray, np.ndarray],
    limit: float,
    known: Sequence[str] = (),
    secrets: Sequence[str] = (),
    place: Sequence[str] = (),
    progress: Progress = silent,
    homes: Homes | None = None,
    pairings: Sequence[Pairing] = (),
    whose: tuple[People | None, People | None] = (None, None),
    person: str = "",
) -> Battery:
    """Run all attacks.

    Parameters
    ----------
    coding : Coding
        By which the tables are coded.
    original, released : (n, m), (p, m) arrays
    reference : (q, m) array or None
        People who are not in the file.
    digits : sequence of ((n, m) array, (q, m) array or None)
        See :func:`..digits.as_released`.
    distances : ((n,) array, (n,) array)
        Of the originals from the nearest released record and from the nearest other original or
        record of the reference; see :class:`..prediction.PredictionRisk`. NaN of those who were not
        measured.
    limit : float
        The acceptable share of people found.
    known, secrets : sequence of str
        Variables that he knows and wants; see :func:`.knowledge.suppositions`.
    place : sequence of str
        Names of the coordinates.
    homes : Homes, optional
        What the mask of the points tells of homes; see :mod:`.joined`.
    pairings : sequence of Pairing
        What else may tell which record is whose; see :mod:`.paired`.
    whose : (People or None, People or None)
        Whose record each original, and each of the reference, is, where people have several.
    person : str
        A field that looks like the person's id, where nobody said whose record each is.

    Returns
    -------
    Battery

    Raises
    ------
    InputError
        If what he knows and what he wants overlap, or cannot be known, or nothing tells anybody apart.
    """
    original = as_matrix(original, progress=part(progress, 0.0, 0.01))
    low, high = original.min(axis=0), original.max(axis=0)
    told = [one for one in coding.variables if (low < high)[one.columns].any()]
    if not told:
        raise InputError(
            "All originals have the same in every field: there is nothing to know or to find out. Choose "
            "fields that differ."
        )
    # What all originals share tells nobody apart, whatever others have.
    released = passed_over(released, original[0], low == high)
    if reference is not None:
        reference = passed_over(reference, original[0], low == high)
    names = [one.name for one in coding.variables]
    constant = [name for name in names if name not in {one.name for one in told}]
    check(names, constant, known, secrets)
    tables = Tables(original, released, reference, tuple(told), digits, tuple(place), *whose)
    as_it_is, remarks = released, list[Sentence]()
    if homes is None:  # the law of a mask is about points as they are
        released, remarks = laid_back(tables, part(progress, 0.01, 0.03))
    released = in_units_of(original, released, part(progress, 0.03, 0.04), coding.starts(place))
    tables = replace(tables, released=released)
    known = [name for name in known if name not in constant]
    secrets = [name for name in secrets if name not in constant]
    tables.draw(progress, 0.04)
    supposed = interruptible(partial(suppositions, tables, known, secrets), progress, 0.04)
    cuts = _cuts(tables, known, secrets)
    attacks: list[Attack] = []
    of_single, of_several, of_links, of_guesses, of_records, of_members, *of_others = weighted(
        part(progress, 0.04, 1.0),
        *(1, 3, 2 * len(cuts), 2 * len(supposed), 1, 4, 3, 4, 1 + len(pairings), 1, 1),
    )
    of_together, of_joint, of_pairs, of_parts, of_signs = of_others
    alone, extremes = singling.univariate(tables, of_single)
    attacks += [*alone, *singling_several.multivariate(tables, part(of_several, 0.0, 0.9))]
    attacks += absent(tables, part(of_several, 0.9, 1.0))
    attacks += [
        linkability.link(tables, *cut, ahead)
        for cut, ahead in zip(cuts, shares(of_links, len(cuts)))
    ]
    for one, ahead in zip(supposed, shares(of_guesses, len(supposed))):
        attacks += inference.infer(tables, one, ahead)
    if tables.whose is not None:
        *near, theirs = of_people(tables, of_records)
        distances = near[0], near[1]
        if tables.records_known != 1:
            attacks.append(membership_of_all(tables, distances[0], theirs))
    attacks += members(
        tables, distances, coding.blocks, known, as_it_is, part(of_members, 0.0, 0.9)
    )
    beside = homes_beside(tables, known, part(of_members, 0.9, 0.97))
    attacks += by_place(beside, limit, part(of_members, 0.97, 0.98))
    untried = (
        0.0
        if reference is not None
        else max(
            would_be_told(tables, known, part(of_members, 0.98, 0.985)),
            would_be_told_by_classes(tables, known, part(of_members, 0.985, 0.99)),
            would_be_told_by_groups(tables, known, part(of_members, 0.99, 1.0)),
        )
    )
    attacks += together(tables, known, secrets, of_together, as_it_is)
    remarks += _in_vain(tables, constant, known, bool(supposed))
    attacks += joined(tables, homes, known, secrets, of_joint)
    by_rank, by_row = part(of_pairs, 0.0, 0.4), part(of_pairs, 0.4, 0.5)
    pairings = [*pairings, *in_order(tables, by_rank), *along(tables, by_row)]
    attacks += paired(tables, pairings, secrets, part(of_pairs, 0.5, 1.0))
    shown = in_part(tables, as_it_is, part(of_parts, 0.0, 0.6))
    more = between_fields(tables, as_it_is, part(of_parts, 0.6, 1.0), shown.rows)
    shown = shown.besides(more, tables.count)
    if homes is None:  # by the law of a mask it is told whom points near homes tell
        shown = shown.besides(near_homes(beside, shown.rows), tables.count)
    several, said = _several(tables, person, of_signs)
    remarks += said
    batches = interruptible(partial(batches_of, tables), of_signs, 1.0)
    attacks = [replace(one, batches=min(one.batches, batches)) for one in attacks]
    made = Battery(
        tuple(attacks),
        tuple(extremes),
        reference is not None,
        tuple(remarks),
        limit,
        shown,
        batches=batches,
        untried=untried,
    )
    if untried > limit:
        remarks.append(Sentence(_MOMENTS, share=100 * untried, fields=len(told)))
        made = replace(made, remarks=tuple(remarks))
    if made.fewest < 1:
        count = max(1, round(made.fewest * len(original)))
        remarks.append(Sentence(_BATCHES, people=number_of(count, "person", "people")))
        made = replace(made, remarks=tuple(remarks))
    return replace(made, caveat=SEVERAL) if several else made


def _in_vain(
    tables: Tables, constant: Sequence[str], known: Sequence[str], supposed: bool
) -> list[Sentence]:
    """What could not be tried, or not well, and why."""
    said = []
    if constant:
        said.append(
            Sentence(
                "Of one value only, so that there is nothing to know or to find out in them: "
                "{fields}.",
                fields=", ".join(constant),
            )
        )
    records, columns = tables.original.shape
    if columns > records:
        said.append(Sentence(_FEW, columns=columns, records=records))
    if tables.reference is not None and is_too_large(tables, known):
        said.append(Sentence(_NO_PATCHES))
    if not supposed:
        said.append(
            Sentence(
                "Inference and linkability were not tried: {fields} that tell people apart, and "
                "they need one that is known and another that is wanted.",
                fields=number_of(len(tables.variables), "field", "fields"),
            )
        )
    return said


def _several(tables: Tables, person: str, progress: Progress) -> tuple[bool, list[Sentence]]:
    """Whether people seem to have several records though nobody says so, and what is said of these."""
    said = []
    if tables.reference is None:
        said.append(Sentence(_NO_CONTROL))
    if tables.whose is not None:
        several = tables.whose.count < len(tables.whose.of)
        return False, [*said, Sentence(_PEOPLE)] if several else said
    if person:
        return True, [*said, Sentence(_BY_FIELD, field=person)]
    shared = shared_fields(tables, progress)
    if not shared:
        return False, said
    sentence = Sentence(_TOGETHER, fields=listed(shared, tables.place))
    # Beside other people her other records hide nothing, but there are fewer people.
    return tables.reference is None, [*said, sentence]


def _cuts(
    tables: Tables, known: Sequence[str], secrets: Sequence[str]
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Two sets of variables that two files might have."""
    names = [one.name for one in tables.variables]
    place = tuple(name for name in tables.place if name in names)
    others = [name for name in names if name not in place]
    if known:
        rest = tuple(secrets) or tuple(name for name in names if name not in known)
        return [(tuple(known), rest)] if rest else []
    cuts = []
    if place and others:
        cuts.append((place, tuple(others)))
    units = [*others[: len(others) // 2], *place], others[len(others) // 2 :]
    halves = (tuple(units[0]), tuple(units[1]))
    if all(halves) and halves not in cuts:
        cuts.append(halves)
    return cuts
