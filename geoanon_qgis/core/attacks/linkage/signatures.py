# SPDX-License-Identifier: GPL-2.0-or-later
"""The signature attack: who is who in released distances, without attributes if need be.

A record's distances to all others, whoever these are, are a signature of where it is; an
adversary who knows how a release was made, and most of the people in it, recognises many by that
alone. Matches that he has then tell about all others, by their distances to them. Kin of it are
the attacks by graph matching on encoded records (Vidanage, Christen, Ranbaduge & Schnell 2020, A
graph matching attack on privacy-preserving record linkage, CIKM; Heng, Armknecht, Chen & Schnell
2022, PLoS ONE 17:9, doi 10.1371/journal.pone.0267893).

1. Release the known people again and again, beside strangers (:mod:`.own_releases`), and learn how
   each one's signature varies (:mod:`.row_signatures`) and what a distance says of the true one
   (:mod:`.pair_evidence`).
2. See how many people the files have in common: make releases with more and with fewer, attack
   all alike, and see which the release looks like (Beaumont, Zhang & Balding 2002).
3. Make releases with as many in common, and attack these and the real one side by side: by
   signatures, then round by round by the distances to the matches so far. How much what is said
   weighs is learnt in each round where the truth is known (:mod:`.candidate_odds`).
4. So every match has a probability, calibrated by what was right in one's own releases.
5. In small files, whole matchings are weighed (:mod:`.matching_chains`), and count unless rounds are
   right clearly more often in one's own releases.
6. Of an embedding with few sets its hidden coordinates are found, of one with some more those that are
   probable, and whole matchings are weighed by these (:mod:`.field_matching`); they count where they
   are right oftener still.
"""

from __future__ import annotations

import time

import numpy as np

from ...runtime.errors import InputError
from ...runtime.memory import refuse_unless_fits
from ...runtime.progress import Late, Progress, interruptible, part, shares, silent, until, weighted
from ...runtime.wording import Sentence, mark, number_of
from ..cliques.product_graph import label_classes
from .field_matching import better_by_fields, tells_by_fields
from .inputs import Files
from .intervals import true_distances
from .known_links import checked_links, room_of
from .matching_chains import IN_COMMON, better_by_chains, tells_by_pairs
from .own_releases import OwnReleases
from .pair_learning import Learning
from .result import NO_VERTICES
from .row_signatures import Signatures, levels_of, signatures_of
from .signature_files import OTHERS, Register, UnderAttack
from .signature_result import UNLIMITED, Meter, SignatureLimits, SignatureResult, nothing_found
from .signature_rounds import Matched, Rounds, releases_of_own
from .whole_matching import BesideOwn

#: Least confidence of a match that is claimed.
THRESHOLD = 0.5
#: Releases that signatures are learnt from, and cells of all of them together beyond which it is
#: fewer, but not fewer than the least.
_REPEATS, _REPEATS_CELLS, _LEAST_REPEATS = 40, 60_000_000, 16
#: Part of the typical distance that is none.
_NOTHING = 1e-5
#: Records or people below which there is nothing to learn from.
_LEAST = 8
#: How long rounds take, and whole matchings in one way or in two.
_PARTS = 0.68, 0.3, 0.3

_TOO_FEW = mark(
    "The signature attack needs eight released records and eight known people at least: with fewer,"
    " their distances look like many others."
)
_ONE_PLACE = mark(
    "All known people are at one place: distances tell nobody from anybody. Only attributes can."
)
_NOBODY = mark(
    "No match is sure enough to be claimed: with so few people in both files, or distances changed"
    " so much, signatures tell too little."
)


def signature_attack(
    files: Files,
    *,
    common: int | None = None,
    threshold: float = THRESHOLD,
    rng: np.random.Generator,
    progress: Progress = silent,
    limits: SignatureLimits = UNLIMITED,
) -> SignatureResult:
    """Link released distances with a register by signatures.

    Parameters
    ----------
    files : Files
        Of the rule, ``alpha`` and the numbers of replicates and pairs are not used.
    common : int, optional
        How many people both files have; estimated when left out.
    threshold : float
        Least confidence of a match that is claimed, between 0 and 1.
    rng : numpy.random.Generator
    progress : Progress
    limits : SignatureLimits

    Returns
    -------
    SignatureResult

    Raises
    ------
    InputError
        If the parts do not fit together, a known link cannot be true, the rule does not say how
        distances came about, or the work does not fit into memory.
    """
    given, metric = files.settled(), files.metric
    places, (_, above) = given.points, given.rounding
    records, people = len(given.matrix), len(places)
    _check(threshold, common, min(records, people))
    own = OwnReleases(files.rule, places, metric, shares=given.shares, rounding=given.rounding)
    kinds = label_classes(files.target_labels, files.known_labels)[:2]
    pairs = _agreeing(*kinds)
    if not pairs and not len(files.known_links):
        return nothing_found(NO_VERTICES, pairs, unable=False)
    if min(records, people) < _LEAST:
        return nothing_found(_TOO_FEW, pairs)
    if not np.ptp(metric.coordinates(places), axis=0).any():
        return nothing_found(_ONE_PLACE, pairs)
    _refuse_unless_fits(records, people)
    true = true_distances(places, metric, part(progress, 0, 0.02))
    square = given.square()
    links = checked_links(
        files.known_links,
        square,
        true,
        room_of(true, given.rounding) if own.contractive else np.inf,
        given.names,
        unit=metric.unit,
        common=common,
    )
    square = np.maximum(square - above, 0.0)
    np.fill_diagonal(square, 0.0)
    deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
    meter = Meter(limits)
    real = UnderAttack(square, kinds[0], links)
    source = _KnownPeople(own, true, real, kinds[1], meter, rng)
    attack = Rounds(source, real, limits, meter)
    late = False
    try:
        whole = until(part(progress, 0.02, 1.0), deadline)
        by_pairs, by_fields = tells_by_pairs(own, records), tells_by_fields(own, records)
        rounds, *further = weighted(whole, *_PARTS[: 1 + by_pairs + by_fields])
        attack.run(common, rounds)
        if by_pairs or by_fields:
            others = [source.drawn(share) for share in _in_common(common, min(records, people))]
            beside = BesideOwn(own, real, attack.trials, others, kinds[1], attack.found.common)
            steps = further[0] if by_pairs else None, further[-1] if by_fields else None
            _by_matchings(attack, beside, *steps, rng)
    except Late:
        late = True
    result = _result(attack.found, threshold, pairs, late, meter.done)
    progress(1.0)
    return result.holding(links)


def _by_matchings(
    attack: Rounds,
    files: BesideOwn,
    by_chains: Progress | None,
    by_fields: Progress | None,
    rng: np.random.Generator,
) -> None:
    """Take whole matchings instead where they are right oftener in files of one's own.

    By the distances of pairs in small files, and by hidden coordinates where sets are few.
    """
    beat = files.to_beat()
    if by_chains is not None:
        better = better_by_chains(files, rng, by_chains)
        if better is not None:
            attack.found.matches, attack.found.chance = better.matches, better.chance
            beat = better.right
    if by_fields is not None:
        better = better_by_fields(files, beat, rng, by_fields)
        if better is not None:
            attack.found.matches, attack.found.chance = better.matches, better.chance


class _KnownPeople:
    """The people of a register, and releases of them beside strangers; see :class:`.Source`."""

    def __init__(
        self,
        own: OwnReleases,
        true: np.ndarray,
        real: UnderAttack,
        kinds: np.ndarray,
        meter: Meter,
        random: np.random.Generator,
    ):
        self._own, self._true, self._links, self.kinds = own, true, len(real.links), kinds
        self._meter, self._random = meter, random
        self.records, self.people = len(real.released), len(own.places)
        self.strangers = False
        self._most = min(self.records, self.people)
        self._register: Register

    def register_of(self, file: UnderAttack) -> Register:
        """Return the known people, whatever the file."""
        return self._register

    def learn(self, shares_in_common: np.ndarray, progress: Progress) -> None:
        """Learn signatures and densities from releases with such shares in common."""
        people, records = self.people, self.records
        cells = people * records
        number = int(np.clip(_REPEATS_CELLS // cells, _LEAST_REPEATS, _REPEATS))
        levels = levels_of(records - 1)
        least = _NOTHING * float(np.median(self._true[self._true > 0]))
        learning = Learning(self._true, self._own.contractive, least)
        seen = np.empty((number, people, len(levels)))
        for at, step in enumerate(shares(part(progress, 0, 0.95), number)):
            count = max(1, round(float(shares_in_common[at % len(shares_in_common)]) * self._most))
            kept = self._random.choice(people, count, replace=False)
            strangers = self._own.strangers(records - count, self._random)
            columns = np.concatenate([kept, np.arange(people, people + records - count)])
            self._meter.spend(cells)
            found = self._own.between(
                np.concatenate([self._own.places, strangers]),
                np.arange(people),
                columns,
                self._random,
                part(step, 0, 0.4),
            )
            learning.add(found, columns, count, part(step, 0.4, 0.7))
            seen[at] = signatures_of(found, columns, levels, least, part(step, 0.7, 1))
        signatures = interruptible(lambda: Signatures.learnt(seen, levels, least), progress, 0.95)
        evidence = interruptible(learning.evidence, progress, 1.0)
        self._register = Register(signatures, evidence, self.kinds)

    def made(self, share: float, progress: Progress) -> UnderAttack:
        """Make a release of one's own with such a share in common; counts as work."""
        self._meter.spend(self.records * self.records)
        return self.drawn(share, progress)

    def drawn(self, share: float, progress: Progress = silent) -> UnderAttack:
        """Make one that counts as none."""
        people, records = self.people, self.records
        count = max(1, self._links, round(float(share) * self._most))
        who = self._random.choice(people, count, replace=False)
        strangers = self._own.strangers(records - count, self._random)
        like = self.kinds[self._random.integers(people, size=records - count)]
        order = self._random.permutation(records)
        points = np.concatenate([self._own.places[who], strangers])[order]
        truth = np.concatenate([who, np.full(records - count, -1)])[order]
        kinds = np.concatenate([self.kinds[who], like])[order]
        sure = self._random.permutation(np.flatnonzero(truth >= 0))[: self._links]
        square = self._own.square(points, self._random, progress)
        np.fill_diagonal(square, 0.0)
        return UnderAttack(square, kinds, np.stack([sure, truth[sure]], axis=1), truth)


def _result(found: Matched, threshold: float, pairs: int, late: bool, work: int) -> SignatureResult:
    """Return what was found."""
    claimed = found.chance >= threshold
    return SignatureResult(
        matches=found.matches[claimed],
        in_every=None,
        support=found.chance[claimed],
        vertices=pairs,
        edges=0,
        search=None,
        coverage=None,
        note="" if claimed.any() else _NOBODY,
        cut_off=late,
        guesses=found.matches,
        chance=found.chance,
        common=found.common,
        releases=found.releases,
        rounds=found.rounds,
        work=work,
    )


def _check(threshold: float, common: int | None, most: int) -> None:
    if not 0 <= threshold <= 1:
        raise InputError(
            "The least confidence is {threshold:g}; it has to be between 0 and 1.",
            threshold=threshold,
        )
    if common is not None and not 1 <= common <= most:
        raise InputError(
            "The files are said to have {common} in common; the smaller one has {most}.",
            common=number_of(common, "person", "people"),
            most=number_of(most, "record", "records"),
        )


def _in_common(common: int | None, most: int) -> tuple[float, ...]:
    """Shares of the smaller file that own releases have in common: what is told, if it is."""
    return IN_COMMON if common is None else (common / most,) * len(IN_COMMON)


def _agreeing(kind_target: np.ndarray, kind_known: np.ndarray) -> int:
    """Pairs of a record and a person with the same labels."""
    most = int(max(kind_target.max(initial=-1), kind_known.max(initial=-1))) + 1
    one, other = (
        np.bincount(kinds[kinds >= 0], minlength=most) for kinds in (kind_target, kind_known)
    )
    return int(one @ other)


def _refuse_unless_fits(records: int, people: int) -> None:
    """Refuse what takes more memory than there is: a few releases, some of them at a time."""
    releases = 1 + releases_of_own(records)
    each = records * (10.0 * records + 8 * OTHERS + 4_000)
    need = releases * each + 26.0 * people * people + 70.0 * records * max(people, records)
    refuse_unless_fits(
        need,
        number_of(records, "released record", "released records"),
        Sentence("the signature attack"),
        Sentence("Attack a part of the released table."),
    )
