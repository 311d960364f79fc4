# SPDX-License-Identifier: GPL-2.0-or-later
"""Who attacks the releases of a linkage experiment: what is prepared once, and each attack."""

from __future__ import annotations

from dataclasses import replace
from typing import Callable, NamedTuple

import numpy as np

from ..attacks.by_name import Search, attack_by
from ..attacks.linkage.inputs import Files
from ..attacks.linkage.intervals import contracts
from ..attacks.linkage.known_links import checked_links, room_of, row_names
from ..attacks.linkage.linkage import Held, link_holding
from ..attacks.linkage.near_group import NearLimits, near_group
from ..attacks.linkage.result import LinkageResult
from ..attacks.maps.likelihood import link_by_likelihood, near_matches
from ..attacks.maps.model import prepare
from ..distances.matrix import DistanceMatrix
from ..runtime.progress import Progress, part
from ..space.metrics import metric_in
from .design import CLIQUE, NEAR_GROUP, rng_of
from .releases import Release, SharedLabels

#: What a rule is told where no share of true pairs is asked for.
_NO_SHARE = 0.5
#: Looks of releases that are kept prepared: intervals of 2,000 people take 64 MB.
_KEPT = 4


class Adversary(NamedTuple):
    """Somebody who has prepared and attacks one release after the other."""

    attack: Callable[[np.ndarray, np.random.Generator, Progress], LinkageResult]
    coverage: float | None


class Preparations:
    """What the adversary prepares, once for all releases that look the same to him."""

    def __init__(self, experiment, attack, alphas, files, setting) -> None:
        """Take what :func:`adversaries` takes."""
        self._experiment, self._attack, self._alphas = experiment, attack, alphas
        self._files, self._setting = files, setting
        self._kept: dict[Release, list[Adversary]] = {}

    def against(self, release: Release, progress: Progress) -> list[Adversary]:
        """Return one adversary for each alpha, against releases that look like this one."""
        if release not in self._kept:
            while len(self._kept) >= _KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[release] = adversaries(
                self._experiment,
                release,
                self._attack,
                self._alphas,
                self._files,
                self._setting,
                progress,
            )
        return self._kept[release]


def adversaries(
    experiment, release, attack, alphas, files, setting, progress: Progress
) -> list[Adversary]:
    """Return one for each alpha, who knows the release and has the identification file.

    Parameters
    ----------
    experiment : LinkageExperiment
    release : Release
    attack : str
    alphas : tuple of float or None
    files : Files
    setting : Setting
    progress : Progress
    """
    of_target, of_known = (
        [experiment.labels[row] for row in rows] for rows in (files.target, files.identification)
    )
    known = np.asarray(experiment.points, dtype=np.float64)[files.identification]
    if isinstance(release, SharedLabels):
        rule = release.seen_by(known, setting)
        return [_by_neighbours(experiment, attack, of_target, of_known, known, rule, files.links)]
    if attack == CLIQUE:
        rng = rng_of(experiment.seed, f"intervals {release.key}")
        found = release.intervals(known, alphas, setting, rng, progress)
        # Nobody asks how well single matches stand: no inner intervals.
        return [
            _by_clique(
                experiment,
                of_target,
                of_known,
                replace(one, inner=None),
                _holding(files, known, setting, release, alpha),
            )
            for alpha, one in zip(alphas, found)
        ]
    if attack == NEAR_GROUP:
        given = _given(of_target, of_known, known, setting, release, files.links)
        return [_by_near_group(experiment, given)]
    rng = rng_of(experiment.seed, f"model {release.key}")
    model = prepare(
        release.rule(_NO_SHARE, setting), known, setting.metric, rng, progress, len(files.target)
    )
    return [
        _by_likelihood(
            experiment,
            of_target,
            of_known,
            model,
            _checked(files, model, setting, release),
            _given(of_target, of_known, known, setting, release, files.links),
        )
    ]


def _given(of_target, of_known, known, setting, release, links):
    """What makes the files of an attack of a release."""
    rule = release.rule(_NO_SHARE, setting)

    def given(released) -> Files:
        above = released[np.triu_indices(len(released), 1)]
        return Files(
            of_target,
            DistanceMatrix.numbered(above),
            of_known,
            known,
            setting.metric,
            rule,
            unit_length=1.0,
            rounding=release.rounding,
            known_links=links.tolist(),
        )

    return given


def _holding(files, known, setting, release, alpha):
    """What makes the known links be held in a release; None without any."""
    if not len(files.links):
        return lambda released: None
    rule, links = release.rule(alpha, setting), files.links.tolist()
    return lambda released: Held(links, released, known, setting.metric, rule, release.rounding)


def _checked(files, model, setting, release):
    """What says which known links a release has, and how much longer a distance may be."""
    room = np.inf
    if contracts(release.rule(_NO_SHARE, setting)):
        room = room_of(model.true, release.rounding)
    names = row_names(len(files.target)), row_names(len(files.identification))

    def check(released):
        links = checked_links(
            files.links.tolist(), released, model.true, room, names, unit=setting.metric.unit
        )
        return {"links": links, "room": room}

    return check


def _by_clique(experiment, target_labels, known_labels, intervals, holding) -> Adversary:
    def attack(released, rng, progress) -> LinkageResult:
        return link_holding(
            holding(released),
            target_labels,
            released,
            known_labels,
            intervals,
            max_steps=experiment.max_steps,
            max_work=experiment.max_work,
            time_limit=experiment.time_limit,
            random_tie=True,
            keep_on_cancel=False,
            rng=rng,
            progress=progress,
        )

    return Adversary(attack, intervals.coverage)


def _by_likelihood(experiment, target_labels, known_labels, model, checked, given) -> Adversary:
    def attack(released, rng, progress) -> LinkageResult:
        near = part(progress, 0.0, 0.1)
        begin, left = near_matches(given(released), experiment.time_limit, rng, near)
        return link_by_likelihood(
            target_labels,
            released,
            known_labels,
            model,
            rng,
            part(progress, 0.1, 1.0),
            threshold=experiment.threshold,
            time_limit=left,
            begin=begin,
            **checked(released),
        )

    return Adversary(attack, None)


def _by_near_group(experiment, given) -> Adversary:
    def attack(released, rng, progress) -> LinkageResult:
        return near_group(
            given(released),
            threshold=experiment.threshold,
            limits=NearLimits(seconds=experiment.time_limit),
            rng=rng,
            progress=progress,
        ).as_linkage()

    return Adversary(attack, None)


def _by_neighbours(experiment, name, target_labels, known_labels, known, rule, links) -> Adversary:
    metric = metric_in(rule.plane)

    def attack(released, rng, progress) -> LinkageResult:
        above = released[np.triu_indices(len(released), 1)]
        files = Files(
            target_labels,
            DistanceMatrix.numbered(above, metric.unit),
            known_labels,
            known,
            metric,
            rule,
            known_links=links.tolist(),
        )
        search = Search(experiment.time_limit, None, experiment.threshold)
        return attack_by(name, files, search, rng, progress)

    return Adversary(attack, None)
