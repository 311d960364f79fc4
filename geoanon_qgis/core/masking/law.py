# SPDX-License-Identifier: GPL-2.0-or-later
"""What all laws of displacement have in common; :mod:`.laws` has them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from typing import ClassVar, TypeVar, Union

import numpy as np

from ..runtime.errors import InputError
from ..runtime.wording import mark

#: One for all points, or an array with one for each.
Numbers = Union[float, np.ndarray]
AnyLaw = TypeVar("AnyLaw", bound="Law")

_NOT_POSITIVE = mark("The {what} must be a positive number, not {value:g}.")


@dataclass(frozen=True, eq=False)
class Law(ABC):
    """A radial law of displacement. Sizes that are not finite belong to points without a law.

    An adaptive size can be missing: where nobody lives, no radius holds k people. Such a size is
    infinite (for :class:`Laplace` epsilon is zero), :attr:`possible` is False there, and the
    density is zero: a point that cannot be masked is withheld, and nothing comes from there.
    """

    #: What the law is called in a kept draw; never translated.
    name: ClassVar[str]

    @property
    def count(self) -> int | None:
        """Number of points with parameters of their own; None where all share theirs."""
        sizes = [len(one) for one in self._numbers() if isinstance(one, np.ndarray)]
        return sizes[0] if sizes else None

    @property
    def kind(self) -> str:
        """Name of the law with what is not a number."""
        words = [getattr(self, field.name) for field in fields(self)]
        return " ".join([self.name, *(word for word in words if isinstance(word, str))])

    @property
    def possible(self) -> np.ndarray:
        """Whether there is a law: one value, or one a point."""
        return np.isfinite(np.asarray(self.mean_shift))

    def of(self: AnyLaw, rows: np.ndarray | slice) -> AnyLaw:
        """Return the law of some points, or the same where all share theirs."""
        own = {
            field.name: getattr(self, field.name)[rows]
            for field in fields(self)
            if isinstance(getattr(self, field.name), np.ndarray)
        }
        return replace(self, **own) if own else self

    def parameters(self, count: int) -> np.ndarray:
        """Parameters of each point, (count, number of parameters)."""
        each = np.empty((count, len(self._numbers())))
        for column, value in enumerate(self._numbers()):
            each[:, column] = value
        return each

    def alone(self: AnyLaw) -> AnyLaw:
        """Return the law of a single point, with numbers in place of lists of one."""
        own = {
            field.name: float(getattr(self, field.name)[0])
            for field in fields(self)
            if isinstance(getattr(self, field.name), np.ndarray)
        }
        return replace(self, **own) if own else self

    @property
    def hole(self) -> Numbers:
        """Distance within which nothing lies."""
        return 0.0

    @abstractmethod
    def quantile(self, share: np.ndarray) -> np.ndarray:
        """Distance within which a share of the law's mass lies.

        Parameters
        ----------
        share : (n,) array
            From 0 to 1.

        Returns
        -------
        (n,) array
        """

    def radii(self, uniform: np.ndarray) -> np.ndarray:
        """Distances drawn.

        Parameters
        ----------
        uniform : (n,) array
            Uniformly distributed, above 0 and below 1.

        Returns
        -------
        (n,) array
            No finite number where the law is not :attr:`possible`.
        """
        return self.quantile(uniform)

    @abstractmethod
    def density(self, distance: np.ndarray) -> np.ndarray:
        """Probability per square metre of a place at a distance from the true one.

        Infinite at a distance of zero where the radius, and not the area, is drawn evenly.
        """

    @abstractmethod
    def within(self, distance: np.ndarray) -> np.ndarray:
        """Share of the law's mass within a distance: the radial distribution function."""

    @property
    @abstractmethod
    def mean_shift(self) -> Numbers:
        """Mean distance moved."""

    @abstractmethod
    def reach(self, tail: float = 1e-12) -> Numbers:
        """Distance beyond which nothing lies, or at most a share ``tail`` of the law's mass."""

    def _numbers(self) -> list[Numbers]:
        own = [getattr(self, field.name) for field in fields(self)]
        return [value for value in own if not isinstance(value, str)]


def checked(value: Numbers, what: str, zero: bool = False) -> Numbers:
    """A positive number (or zero), or a list of such; in a list they may be infinite."""
    array = np.ascontiguousarray(value, dtype=np.float64).reshape(np.shape(value))
    if array.ndim > 1:
        raise InputError(
            "The {what} must be one number or a list of numbers, not of shape {shape}.",
            what=what,
            shape=array.shape,
        )
    good = (array > 0) | (zero & (array == 0))
    if array.ndim == 0:
        good &= np.isfinite(array)
    if not good.all():
        raise InputError(_NOT_POSITIVE, what=what, value=float(array[~good].flat[0]))
    return kept(array)


def kept(array: np.ndarray) -> Numbers:
    """Return a parameter as a law keeps it: a plain number, or an array."""
    return np.ascontiguousarray(array) if array.ndim else float(array)


def set_parameters(law: Law, **values: Numbers) -> None:
    """Set parameters of a law that is being made, which nobody can change afterwards."""
    for name, value in values.items():
        object.__setattr__(law, name, value)
