# SPDX-License-Identifier: GPL-2.0-or-later
"""Several releases of the same people, as one adversary of an experiment puts them together.

Each release of a repetition is made anew, by the same method. Where their records bear the same
ids, r embeddings are one with r times as many sets, and noise averages out. Where each release
numbers its people anew, records are linked by their rows and their attributes
(:mod:`..attacks.linkage.further_releases`), and only those that are linked surely tell more than
the first release alone.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from ..attacks.linkage.further_releases import linked
from ..attacks.linkage.inputs import Files as AttackFiles
from ..attacks.linkage.intervals import Rule, contracts
from ..attacks.linkage.several_releases import joined, rule_of_several
from ..distances.matrix import DistanceMatrix
from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, shares
from .design import LINKED_BY_IDS, Files, LinkageExperiment, rng_of
from .releases import Release, Setting, SharedLabels

#: A share of true pairs, for rules of which it is not asked.
_NO_SHARE = 0.5


@dataclass(frozen=True, eq=False)
class Together:
    """The releases of one repetition, put together.

    Attributes
    ----------
    released : (n, n) array
        What they say at once, in the order of the first.
    view : Release
        How that looks: what the adversary takes it to be.
    linked : float
        Share of the records of the first that are linked with each further one, mean.
    right : float
        Share of these links that are right; NaN where there are none.
    cut_off : bool
        Whether the limit of time ended the linking.
    """

    released: np.ndarray
    view: Release
    linked: float = 1.0
    right: float = 1.0
    cut_off: bool = False


def seen(release: Release, told: tuple[float, ...], setting: Setting) -> Release:
    """Return how several releases by one method look, put together.

    Parameters
    ----------
    release : Release
        Each of them.
    told : tuple of float
        Share of the records that each release but the first is linked to.
    setting : Setting

    Returns
    -------
    Release
        See :func:`..attacks.linkage.several_releases.rule_of_several`.
    """
    if not told:
        return release
    rule = rule_of_several(_rule(release, setting), told)
    names = (one.name for one in fields(release))
    return replace(release, **{name: getattr(rule, name) for name in names if hasattr(rule, name)})


class Holder:
    """Somebody who holds all releases of a repetition."""

    def __init__(
        self,
        experiment: LinkageExperiment,
        release: Release,
        files: Files,
        setting: Setting,
        secret: np.ndarray,
    ) -> None:
        """Take what stays the same in all repetitions.

        Parameters
        ----------
        experiment : LinkageExperiment
        release : Release
        files : Files
        setting : Setting
        secret : (n, 2) array
            Places of the released people.
        """
        self._experiment, self._release = experiment, release
        self._files, self._setting, self._secret = files, setting, secret
        self._links: dict[int, tuple[list[np.ndarray], Together]] = {}

    @property
    def always(self) -> Release | None:
        """How the releases look in every repetition; None where it depends on the links."""
        further = self._experiment.n_releases - 1
        if further and self._experiment.linked_by != LINKED_BY_IDS:
            return None
        return seen(self._release, (1.0,) * further, self._setting)

    def released(self, number: int, progress: Progress) -> np.ndarray:
        """Make the first release of a repetition; all attacks meet the same."""
        return self._made(0, number, progress)

    def together(self, first: np.ndarray, number: int, progress: Progress) -> Together:
        """Make the further releases of a repetition, and put all together.

        Parameters
        ----------
        first : (n, n) array
            As :meth:`released` makes it.
        number : int
            Of the repetition.
        progress : Progress
        """
        count = self._experiment.n_releases
        if count == 1:
            return Together(first, self._release)
        making, linking = part(progress, 0, 0.2), part(progress, 0.2, 1.0)
        others = [
            self._made(at, number, step) for at, step in zip(range(1, count), shares(making, count))
        ]
        if number not in self._links:  # the same for every share alpha
            self._links[number] = self._linked(first, others, number, linking)
        partners, found = self._links[number]
        matrices = [_matrix(first, "1"), *(_matrix(one, "2") for one in others)]
        by = contracts(_rule(self._release, self._setting))
        progress(1.0)
        return replace(found, released=joined(matrices, by, partners).square())

    def _made(self, at: int, number: int, progress: Progress) -> np.ndarray:
        what = f"release {self._release.key}" + (f" again {at}" if at else "")
        rng = rng_of(self._experiment.seed, what, number)
        return self._release.release(self._secret, self._setting, rng, progress)

    def _linked(self, first, others, number: int, progress: Progress):
        """Partners of the first release's records in each other one, and how that went."""
        every = np.arange(len(first))
        if self._experiment.linked_by == LINKED_BY_IDS:
            view = seen(self._release, (1.0,) * len(others), self._setting)
            return [every] * len(others), Together(first, view)
        what = f"links {self._release.key}"
        rng = rng_of(self._experiment.seed, what, number)
        given, labels = self._given(first)
        partners, right, cut_off = [], 0, False
        for other, step in zip(others, shares(progress, len(others))):
            order = rng.permutation(len(every))
            found = linked(
                given,
                _matrix(other[np.ix_(order, order)], "2"),
                [labels[row] for row in order],
                rng=rng,
                seconds=self._experiment.time_limit,
                progress=step,
            ).links
            sure = found.rows >= 0
            partners.append(np.where(sure, order[found.rows], -1))
            right += int((partners[-1] == every)[sure].sum())
            cut_off |= found.cut_off
        told = tuple(float(np.mean(rows >= 0)) for rows in partners)
        links = sum(int((rows >= 0).sum()) for rows in partners)
        return partners, Together(
            first,
            seen(self._release, told, self._setting),
            float(np.mean(told)),
            right / links if links else np.nan,
            cut_off,
        )

    def _given(self, first: np.ndarray):
        """What the adversary has before he links, and the labels of the released records."""
        labels, of = self._experiment.labels, self._files
        of_target, of_known = (
            [labels[row] for row in rows] for rows in (of.target, of.identification)
        )
        given = AttackFiles(
            of_target,
            _matrix(first, "1"),
            of_known,
            np.asarray(self._experiment.points, dtype=np.float64)[of.identification],
            self._setting.metric,
            _rule(self._release, self._setting),
            unit_length=1.0,
            rounding=self._release.rounding,
        )
        return given, of_target


def _rule(release: Release, setting: Setting) -> Rule:
    if isinstance(release, SharedLabels):
        raise InputError("ISGP releases are attacked one at a time. Ask for one release.")
    return release.rule(_NO_SHARE, setting)


def _matrix(square: np.ndarray, name: str) -> DistanceMatrix:
    """A release whose ids say nothing of those of a release of another name."""
    ids = tuple(f"{name}: {row}" for row in range(len(square)))
    return DistanceMatrix(square[np.triu_indices(len(square), 1)], ids)
