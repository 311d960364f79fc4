# SPDX-License-Identifier: GPL-2.0-or-later
"""The facts on the audit page of a report: what a run read, was told and wrote, and when.

They come from the algorithm's declarations and from the files themselves, so that an algorithm
need do nothing for them. The page for people is made from them in :mod:`.page`; the
JSON holds them under ``audit``, in words that stay the same in every language.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsProcessingParameterBoolean,
    QgsProcessingParameterCrs,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterFile,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

from ...compat import is_null
from ...core.runtime.progress import Progress, part
from ...core.verification import digests
from ..dialog.notes import is_release, is_secret
from ..layers import destinations, fingerprints
from ..layers.sources import is_file_list
from ..layers.values import text_of
from .inputs import Input, described
from .versions import versions

#: Larger files of the input are known by name and size alone: reading them again would take
#: longer than many a run.
LARGEST_HASHED = 1 << 30
_INPUTS = (QgsProcessingParameterFeatureSource, QgsProcessingParameterFile)
#: Parameters whose values say nothing of anybody's data.
_HARMLESS = (
    QgsProcessingParameterBoolean,
    QgsProcessingParameterEnum,
    QgsProcessingParameterNumber,
)


class Audit:
    """Collects the facts of one run."""

    def __init__(self, algorithm, parameters: dict[str, Any], context):
        """Begin, in the main thread; ``parameters`` are settled."""
        self._algorithm, self._parameters, self._context = algorithm, parameters, context
        self._begun = _now()
        self._inputs = described(algorithm, parameters, context)
        self._wanted = any(
            destinations.resolve(algorithm, parameters, one.name(), context) is not None
            for one in algorithm.destinationParameterDefinitions()
            if _is_report(one)
        )
        self._read: dict[str, list[tuple]] = {}
        self._told: list[dict[str, Any]] = []

    def watch(self, name: str, source) -> None:
        """Have the features of a source digested while they are read, where no file says more."""
        given = next((one for one in self._inputs if one.parameter == name), None)
        if not self._wanted or given is None:
            return
        watched = self._read.setdefault(name, [])
        if not given.files:
            watched.append((None, fingerprints.carry(source)))
        elif not watched:
            watched.append((source.featureCount(), None))

    def take_inputs(self, progress: Progress) -> None:
        """Hash the files of the inputs, when all has been read."""
        sizes = [sum(map(_size, one.files)) for one in self._inputs]
        total, done = max(1, sum(sizes)), 0
        self._told = []
        for one, size in zip(self._inputs, sizes):
            share = part(progress, done / total, (done + size) / total)
            self._told.append(self._told_input(one, share))
            done += size

    def facts(self, outputs: list[dict[str, Any]], private: bool) -> dict[str, Any]:
        """Return everything, for the JSON.

        Parameters
        ----------
        outputs : list of dict
            As :func:`output` returns them.
        private : bool
            Whether the report is for the data holder's eyes only. Another one names no places,
            no layers and no values of text.
        """
        return {
            "algorithm": self._algorithm.id(),
            "title": self._algorithm.displayName(),
            "begun": self._begun,
            "written": _now(),
            "versions": [{"name": name, "version": version} for name, version in versions()],
            "parameters": [
                _parameter(one) if private else _harmless(one) for one in self._told_parameters()
            ],
            "inputs": self._told if private else [{"label": one.label} for one in self._inputs],
            "outputs": outputs if private else [_without_places(one) for one in outputs],
        }

    # --- parameters ----------------------------------------------------------------------------

    def _told_parameters(self) -> Iterable[dict[str, Any]]:
        for definition in self._algorithm.parameterDefinitions():
            if _is_file(definition):
                continue
            given = self._parameters.get(definition.name())
            told = {
                "name": definition.name(),
                "label": definition.description(),
                "given": not is_null(given) and given not in ("", []),
                "secret": is_secret(definition),
                "harmless": isinstance(definition, _HARMLESS),
            }
            if not told["secret"]:
                told["value"] = self._value(definition)
            yield told

    def _value(self, definition) -> Any:
        """Return a parameter's value as it was used: given, or the default."""
        name = definition.name()
        if isinstance(definition, QgsProcessingParameterBoolean):
            return self._algorithm.parameterAsBool(self._parameters, name, self._context)
        if isinstance(definition, QgsProcessingParameterString):
            return self._algorithm.parameterAsString(self._parameters, name, self._context) or None
        if isinstance(definition, QgsProcessingParameterCrs):
            crs = self._algorithm.parameterAsCrs(self._parameters, name, self._context)
            return (crs.authid() or crs.toWkt() or None) if crs.isValid() else None
        value = self._parameters.get(name)
        return _plain(definition.defaultValue() if is_null(value) else value)

    # --- inputs --------------------------------------------------------------------------------

    def _told_input(self, one: Input, progress: Progress) -> dict[str, Any]:
        watched = self._read.get(one.parameter, [])
        count = next((count for count, _ in watched if count is not None and count >= 0), None)
        carried = next((one for _, one in watched if one is not None and one.sha256), None)
        told = {**asdict(one), "files": list(_hashed_inputs(one.files, progress))}
        told["features"] = count
        told["features_sha256"], told["fields"] = "", []
        if carried is not None:
            told.update(
                features=carried.count, features_sha256=carried.sha256, fields=carried.fields
            )
        return told


def _is_file(definition) -> bool:
    """Tell whether a parameter is told among the inputs or outputs."""
    return definition.isDestination() or isinstance(definition, _INPUTS) or is_file_list(definition)


def _is_report(definition) -> bool:
    return isinstance(
        definition, QgsProcessingParameterFileDestination
    ) and definition.defaultFileExtension() in ("html", "json")


def output(definition, place: str, kind: str, fields: Iterable[str], files: Iterable[dict]) -> dict:
    """Return the facts of an output.

    Parameters
    ----------
    definition : QgsProcessingParameterDefinition
    place : str
        The file; empty for a layer in memory and a table in a database.
    kind : str
        ``file``, ``memory`` or ``database``.
    fields : iterable of str
        Of a layer.
    files : iterable of dict
        As :func:`hashed` returns them.
    """
    return {
        "parameter": definition.name(),
        "label": definition.description(),
        "release": is_release(definition),
        "kind": kind,
        "place": place,
        "fields": list(fields),
        "files": list(files),
    }


def hashed(path: Path, name: str, progress: Progress) -> dict[str, Any]:
    """Return name, size and SHA-256 of a file.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    found = digests.of_file(path, progress)
    told = {"name": name, "bytes": found.size, "sha256": found.sha256}
    return {**told, "content_sha256": found.content_sha256} if found.content_sha256 else told


def _hashed_inputs(paths: list[Path], progress: Progress) -> Iterable[dict[str, Any]]:
    for number, path in enumerate(paths):
        share = part(progress, number / len(paths), (number + 1) / len(paths))
        if _size(path) > LARGEST_HASHED:
            yield {"name": path.name, "bytes": _size(path), "sha256": ""}
            continue
        try:
            yield hashed(path, path.name, share)
        except OSError:  # gone or locked since it was read
            yield {"name": path.name, "bytes": None, "sha256": ""}


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _now() -> str:
    """Return date and time with the zone, as ISO 8601."""
    return datetime.datetime.now().astimezone().isoformat(timespec="seconds")


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if is_null(value):
        return None
    return value if isinstance(value, (bool, int, float, str)) else text_of(value)


def _parameter(told: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in told.items() if key != "harmless"}


def _harmless(told: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: value for key, value in _parameter(told).items() if key != "value" or told["harmless"]
    }


def _without_places(told: Mapping[str, Any]) -> dict[str, Any]:
    return {**told, "place": "", "fields": []}
