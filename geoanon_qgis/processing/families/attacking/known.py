# SPDX-License-Identifier: GPL-2.0-or-later
"""What an attack knows of a mask, and how it then explains the points: what each mask gives."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from ....core.attacks.masks.likelihood import Likelihood
from ....core.masking.addresses import at_addresses
from ....core.masking.law import Law
from ....core.masking.zones import Zones
from ....core.runtime.errors import InputError
from ....core.space.points import places
from ....core.verification.pointmask import PointMask, UsedLayer
from ...i18n import mark
from ...running import Run
from ..masks.address_inputs import DWELLINGS
from ..masks.masked import Points
from ..masks.staying import EARLIER, GROWN
from .listing import Listed
from .retold import Retold

_NOT_YET = mark(
    "No attack on points masked by “{mask}” ({law}) is in this version. What its report promises, "
    "and what not, is all that can be said."
)
_MISSING = mark("The mask used {names}: give the same layers to the attack.")
_OTHER_LIST = mark(
    "The address list is another one than that of the mask, from which alone it can be told who "
    "exchanges places with whom. Choose the list that the mask was made with."
)
#: What a mask file tells of the address list.
OF_THE_LIST = ("CANDIDATES", "CLASSES", DWELLINGS)
#: Released coordinates may miss the place where a mask put them by so much (metres): files keep
#: centimetres.
SNAP_M = 0.02
_EARLIER_LISTS = mark(
    "Some of the points were put where they are by an earlier address list or other public layers "
    "of then, and stay there: by those of now they cannot be explained. Attack each release when it "
    "is made, with its own layers."
)


@dataclass(frozen=True)
class Known:
    """What an attack knows.

    Attributes
    ----------
    mask : PointMask
    points, candidates : Points
        The released points, and the places of the address list, each once; one plane for both.
    same_list : bool
        Whether the list is the one that the mask used, or it used none.
    listed : Listed
        All rows of the list.
    home : (n,) int array or None
        The candidate at which each point's record lives, by the key; -1 where it is not known.
    ids : list
        Of the released records.
    run : Run
        Of the attack: its public layers.
    typed : bool
        Whether the law was typed: no file says which layers it used.
    """

    mask: PointMask
    points: Points
    candidates: Points
    same_list: bool
    listed: Listed
    home: np.ndarray | None
    ids: list
    run: Run
    typed: bool = False

    @property
    def told(self) -> Retold:
        """The run, with the choices and numbers of the mask file."""
        return Retold(self.run, self.mask.parameters)

    def released_at(self, xy: np.ndarray) -> np.ndarray:
        """Return the row of the place of the plane where each point was put, (n,); -1 for none.

        Parameters
        ----------
        xy : (s, 2) array
            All places where the mask puts points: released coordinates have lost some digits.
        """
        metres = self.points.plane.metres_per_unit
        return at_addresses(self.points.xy, xy, SNAP_M / metres)[0]

    def places_of_the_file(self, one_place_each: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Return a point for each place of the file, and which of these each point is.

        Parameters
        ----------
        one_place_each : bool
            Whether all records of one place, and no others, are released at one point. Else the
            key tells which share a home; without it each is taken to have its own.
        """
        if one_place_each:
            at = places(self.points.table.xy).of_point
        elif self.home is not None:
            at = np.where(self.home >= 0, self.home, -1 - np.arange(len(self.home)))
        else:
            at = np.arange(len(self.points.xy))
        _, first, of_point = np.unique(at, return_index=True, return_inverse=True)
        return first, of_point.reshape(-1)

    def none_yet(self) -> InputError:
        """Return the sentence that there is no attack on such a mask."""
        return InputError(_NOT_YET, mask=self.mask.mask[:40], law=self.mask.law[:40])

    def need_what_it_used(self, *names: str) -> None:
        """Refuse to begin without a layer that the mask used; ``names`` it used in any case.

        Raises
        ------
        InputError
        """
        used = {one.parameter for one in self.mask.layers} - {*OF_THE_LIST}
        used.update(names)
        missing = sorted(name for name in used if not self.run.has(name))
        if missing:
            raise InputError(_MISSING, names=", ".join(missing))

    def need_the_classes(self, digest: str) -> None:
        """Refuse another class of some address than the mask was told.

        Raises
        ------
        InputError
        """
        if digest not in [one.sha256 for one in self.mask.layers if one.parameter == "CLASSES"]:
            raise InputError(
                mark(
                    "Some addresses of the list have another class than those of the mask. Choose "
                    "the list that the mask was made with."
                )
            )

    def need_the_dwellings(self, digest: str) -> None:
        """Refuse other numbers of dwellings than the mask was told.

        Raises
        ------
        InputError
        """
        if digest not in [one.sha256 for one in self.mask.layers if one.parameter == DWELLINGS]:
            raise InputError(
                mark(
                    "The addresses have other numbers of dwellings than those of the mask. Give as "
                    "WEIGHT the field that the mask was told, or the list with a row for each "
                    "dwelling that it had."
                )
            )

    def need_the_list(self) -> None:
        """Refuse another address list than the one that the mask was made with.

        Raises
        ------
        InputError
        """
        if not self.same_list:
            raise InputError(_OTHER_LIST)

    def need_layers_of_now(self) -> None:
        """Refuse points that stay where the public layers of an earlier release have put them.

        Raises
        ------
        InputError
        """
        if self.mask.parameters.get(EARLIER) or self.mask.parameters.get(GROWN):
            raise InputError(_EARLIER_LISTS)

    def need_the_layers(
        self, given: Collection[UsedLayer], besides: Collection[str] = ("CANDIDATES",)
    ) -> None:
        """Refuse other public layers than those that the mask was made with.

        Parameters
        ----------
        given : collection of UsedLayer
            Those of the attack.
        besides : collection of str
            Parameters whose layers may be others.

        Raises
        ------
        InputError
        """
        used = {one.parameter: one.sha256 for one in self.mask.layers}
        own = {one.parameter: one.sha256 for one in given}
        missing = used.keys() - own.keys() - set(besides)
        if missing:
            raise InputError(_MISSING, names=", ".join(sorted(missing)))
        other = {name for name in own if own[name] != used.get(name)} - set(besides)
        if other:
            raise InputError(
                mark(
                    "The mask used no such layer, or another one, for {names}: give the same "
                    "layers to the attack, and leave empty what the mask did without."
                ),
                names=", ".join(sorted(other)),
            )


@dataclass(frozen=True)
class Moves:
    """How points were displaced.

    Attributes
    ----------
    law : Law
        With a value for all candidates, or for each.
    zones : Zones or None
    zone : (m,) int array or None
        Of each candidate.
    rounded : bool
        Whether coordinates were rounded afterwards.
    """

    law: Law
    zones: Zones | None
    zone: np.ndarray | None
    rounded: bool


@dataclass(frozen=True)
class Explained:
    """How a mask explains released points.

    Attributes
    ----------
    likelihood : Likelihood
        Of each point from each candidate.
    law : Law or None
        Where it alone says how far points move.
    one_place_each : bool
        Whether all records of one place, and no others, are released at one point.
    settled : bool
        Whether it is what all points tell together already.
    record : Likelihood or None
        For the second adversary, where he knows more than the first.
    not_run : tuple of str
        What an adversary could know besides, in sentences.
    sentences : tuple of str
        What was seen of the points.
    moves : Moves or None
        How points were displaced; None where they were not.
    understated : float
        How many times as often as he believes, or is seen to be, a better attack may be right.
    uneven : str or None
        What points were seen to do that a law of distances leaves out; see
        :mod:`....core.attacks.masks.each_by_itself`.
    """

    likelihood: Likelihood
    law: Law | None = None
    one_place_each: bool = False
    settled: bool = False
    record: Likelihood | None = None
    not_run: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    moves: Moves | None = None
    understated: float = 1.0
    uneven: str | None = None
