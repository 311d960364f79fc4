# SPDX-License-Identifier: GPL-2.0-or-later
"""What two adversaries found in masked points."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ....core.attacks.masks.posterior import Guesses
from ....core.attacks.masks.unlisted import Unlisted
from ....core.attacks.scoring import wilson
from ....core.experiments.masks.one_release import BROKEN, UNDECIDED, standing
from ....core.experiments.masks.standing import Limit
from ....core.space.points import places
from ....core.verdict import Evidence
from ....core.verification.pointmask import PointMask
from ...layers import keys
from ...layers.reading import PointTable
from .adversaries import PLACE, RECORD

POSTERIOR_PLACE, POSTERIOR_RECORD = "posterior_place", "posterior_record"
#: Standard errors by which what is right is not what was believed.
_BEYOND_CHANCE = 5.0


@dataclass(frozen=True)
class Members:
    """People who are known to be in the file, and of whom is asked.

    Attributes
    ----------
    name : str
        Of the layer.
    ids : (t,) int array
        Their features in it.
    home : (t,) int array
        The candidate at which each lives.
    record : (t,) int array or None
        The released record of each, by the key; None without one.
    absent : int
        Others in the layer who are not in the file by the key, or whose no released point can be.
    unlisted : int
        Others who live at no address of the list.
    sentences : tuple of str
        How they were found.
    """

    name: str
    ids: np.ndarray
    home: np.ndarray
    record: np.ndarray | None
    absent: int = 0
    unlisted: int = 0
    sentences: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class Attacked:
    """What two adversaries find.

    Attributes
    ----------
    mask : PointMask
    released, listed : PointTable
        Both in the system of the released points.
    ids : list
        Of the released records.
    rows : (m,) int array
        A row of ``listed`` for each candidate: a place that is listed twice is one.
    place : Guesses or None
        What A believes of each released point.
    record : Guesses or None
        What B believes of each person whose home is known.
    key : Key or None
    home : (n,) int array or None
        The candidate at which each released record lives, by the key; -1 where the list lacks it.
    asked : (t,) int array
        The released records of those whom B asks for; none where no key tells.
    same_list : bool
        Whether the list is the one that the mask used, or it used none.
    sentences : list of str
        Of the plane, the layers.
    impossible : int
        Records whose points cannot have come from their homes of the list.
    gap : float
        How far the distances that points moved are from those of the law; 0 where they may well
        be its own.
    crowded : bool
        Whether there are weights, and points with several records, which tell of heavy addresses.
    is_release : bool or None
        Whether the points are those that the mask file was written with; None where nothing tells.
    not_run : tuple of str
        What an adversary could know besides of this mask, in sentences.
    unlike : int
        Records whose attributes agree with nobody at their homes.
    attributes : tuple of (str, str)
        That he knows: fields of the release and of the list.
    releases : int
        How many of the same people were put together.
    nearest : (n,) bool array or None
        Whether the nearest address is the home of each record; None without a key.
    members : Members or None
        Of whom B asks, where they were named.
    unlisted : Unlisted or None
        Homes that the list lacks, where they are weighed.
    understated : float
        How many times as often as they believe, or are, a better attack may be right.
    apart : (n,) int array or None
        Which records he puts together, where each of a home was moved by itself; below zero for none.
    uneven : str or None
        What points did that their law leaves out; see :mod:`....core.attacks.masks.each_by_itself`.
    changed : bool
        Whether a mask file was changed since it was written.
    """

    mask: PointMask
    released: PointTable
    listed: PointTable
    ids: list
    rows: np.ndarray
    place: Guesses | None
    record: Guesses | None
    key: keys.Key | None
    home: np.ndarray | None
    asked: np.ndarray
    same_list: bool
    sentences: list[str]
    impossible: int = 0
    gap: float = 0.0
    crowded: bool = False
    is_release: bool | None = None
    not_run: tuple[str, ...] = ()
    unlike: int = 0
    attributes: tuple[tuple[str, str], ...] = ()
    releases: int = 1
    nearest: np.ndarray | None = None
    members: Members | None = None
    unlisted: Unlisted | None = None
    understated: float = 1.0
    apart: np.ndarray | None = None
    uneven: str | None = None
    changed: bool = False

    @property
    def unexplained(self) -> int:
        """Released points that no candidate explains."""
        return 0 if self.place is None else int(self.place.unexplained.sum())

    @property
    def right(self) -> np.ndarray | None:
        """Chance of A's guess for each record, by the key; None without one."""
        if self.home is None or self.place is None:
            return None
        return self.place.right(self.home)

    @property
    def right_record(self) -> np.ndarray | None:
        """Chance of B's guess for each person whom he asks for; None where no key tells."""
        if self.record is None or len(self.asked) != len(self.record.top):
            return None
        return self.record.right(self.asked)

    @property
    def lacking(self) -> int:
        """Records whose home the list lacks, by the key."""
        return 0 if self.home is None else int((self.home < 0).sum())

    @property
    def _lacks_homes(self) -> bool:
        """Whether the list lacks homes, and nobody has told how many."""
        told = self.unlisted is not None and self.unlisted.typed
        return bool(self.unexplained or self.lacking) and not told

    def _draw(self) -> np.ndarray:
        """Which draw of the mask put each record where it is: by homes, else by points, (n,)."""
        draw = places(self.released.xy).of_point
        home = self.apart if self.home is None else self.home
        return draw if home is None else np.where(home >= 0, home, -1 - draw)

    def _draw_of_people(self, count: int) -> np.ndarray | None:
        """The same of those whom B asks for, (t,); None where it is no matter.

        Records of one home that nothing tells apart share its chance, and vary less than others.
        Where attributes tell them apart, all of them are found, or none.
        """
        if not self.attributes:
            return None
        if self.home is not None and len(self.asked) == count:
            return self.home[self.asked]
        return None if self.members is None else self.members.home

    def evidence(self, limit: Limit | None = None) -> list[Evidence]:
        """What each adversary finds: counted where there is a key, else expected.

        With a limit it is said, too, whether those keep it whom it is on.
        """
        found = []
        if self.place is not None:
            one = _evidence(POSTERIOR_PLACE, self.place.top, self.right, limit, self._draw())
            if self.unlisted is not None:
                one = self._of_a_whole_list(one, self.place, limit)
            one = self._allowing(one, self.place.top, limit, self._draw())
            if self._lacks_homes or self.unlike:
                one = one.with_caveat("list_incomplete")
            found.append(one)
        if self.record is not None:
            draw = self._draw_of_people(len(self.record.top))
            one = _evidence(POSTERIOR_RECORD, self.record.top, self.right_record, limit, draw)
            one = self._allowing(one, self.record.top, limit, draw)
            not_listed = self._lacks_homes or (self.members and self.members.unlisted)
            if not_listed or self.unlike:
                one = one.with_caveat("list_incomplete")
            if self.attributes and self.right_record is None:  # whose are not known
                one = one.with_caveat("attributes")
            found.append(one)
        if self.crowded:
            found = [one.with_caveat("crowded") for one in found]
        # With the key it was seen whether points moved as the mask file says.
        nothing_tells = self.is_release is None or self.changed
        unproven = self.is_release is False or (nothing_tells and self.home is None)
        if unproven:
            found = [one.with_caveat("unproven") for one in found]
        if self.impossible or self.gap:
            found = [one.with_caveat("other_mask") for one in found]
        if self.uneven:
            found = [one.with_caveat("uneven") for one in found]
        return found

    def _allowing(
        self, one: Evidence, tops: np.ndarray, limit: Limit | None, draw: np.ndarray | None
    ) -> Evidence:
        """Let them be right as often as they may be: what holds only by this attack is open."""
        if self.understated == 1.0:
            return one
        high = min(1.0, self.understated * one.high)
        stands = limit and standing(
            np.minimum(1.0, self.understated * tops), limit, _together(draw)
        )
        return replace(one, high=high, undecided=one.undecided or stands in (BROKEN, UNDECIDED))

    def _of_a_whole_list(self, one: Evidence, place: Guesses, limit: Limit | None) -> Evidence:
        """Hold the limit against whoever has the homes that the list lacks, too.

        Of the records that he finds among all homes, this list has all but the share that it lacks.
        """
        assert self.unlisted is not None
        count = max(1, len(place.top))
        seen = max(self.unexplained, self.lacking) / count
        share = min(max(self.unlisted.share, self.unlisted.likeliest, seen), 1 - 1e-9)
        one = replace(one, high=min(1.0, one.high / (1.0 - share)))
        if limit is None:
            return one
        stands = standing(self._among_all_homes(place.top), limit, _together(self._draw()))
        return replace(one, failed=stands == BROKEN, undecided=stands == UNDECIDED)

    def _among_all_homes(self, tops: np.ndarray) -> np.ndarray:
        """What whoever has the homes that the list lacks believes of a place, too."""
        if self.unlisted is None:
            return tops
        listed = 1.0 - self.unlisted.each
        return np.divide(tops, listed, out=np.zeros(len(listed)), where=listed > 0)

    @property
    def judged(self) -> dict[str, tuple[np.ndarray, float]]:
        """By adversary the largest probabilities that the limit is held against, and how many go together."""
        found = {}
        if self.place is not None:
            found[PLACE] = self._among_all_homes(self.place.top), self._draw()
        if self.record is not None:
            found[RECORD] = self.record.top, self._draw_of_people(len(self.record.top))
        return {
            name: (np.minimum(1.0, self.understated * top), _together(draw))
            for name, (top, draw) in found.items()
        }


def _together(draw: np.ndarray | None) -> float:
    """How many are found together: twelve homes with 25 records each are twelve cases."""
    many = np.ones(1) if draw is None else np.unique(draw, return_counts=True)[1]
    return float(np.square(many).sum() / max(1, many.sum()))


def _evidence(
    attack: str,
    believed: np.ndarray,
    right: np.ndarray | None,
    limit: Limit | None,
    draw: np.ndarray | None = None,
) -> Evidence:
    together = _together(draw)
    expected = Evidence.expected(attack, believed, together=together)
    low, high = wilson(float(believed.sum()) / together, len(believed) / together)
    expected = replace(expected, low=min(expected.low, low), high=max(expected.high, high))
    if limit is not None:
        stands = standing(believed, limit, together)
        expected = replace(expected, failed=stands == BROKEN, undecided=stands == UNDECIDED)
    if right is None:
        return expected
    found = Evidence.counted(attack, float(right.sum()), len(right), exposed=expected.exposed)
    low, high = wilson(float(right.sum()) / together, len(right) / together)
    said = {"failed": expected.failed, "undecided": expected.undecided}
    found = replace(found, low=low, high=high, **said)
    return found.with_caveat("contradicted") if _contradicted(believed, right, together) else found


def _contradicted(believed: np.ndarray, right: np.ndarray, together: float) -> bool:
    """Whether guesses are right so much more or less often than believed that he believes in another mask."""
    spread = np.sqrt(together * float((believed * (1.0 - believed)).sum()) + 1.0)
    return bool(abs(float(right.sum() - believed.sum())) > _BEYOND_CHANCE * spread)
