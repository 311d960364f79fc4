# SPDX-License-Identifier: GPL-2.0-or-later
"""A table in one Parquet file or in a folder of them, read batch by batch.

What is in memory at a time is a batch of one file, however many rows or files there are.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..columns import Column
from ..runtime.errors import InputError, MissingPackage
from ..runtime.progress import Progress, silent
from ..runtime.wording import Sentence, number_of
from .parquet_columns import (
    DOUBLE,
    LONG,
    NOTHING,
    STRING,
    column,
    constant,
    is_plain_text,
    kind_of,
)
from .parquet_folder import copies_among, files_of, keys_of, kinds_of_keys

#: Rows in a batch: some hundredths of a second.
_ROWS = 65_536
#: Bytes of a column that are read from the disk at a time, so that large row groups do not matter.
_BYTES = 1 << 20


@dataclass(frozen=True)
class Part:
    """A file, or some of its row groups.

    Attributes
    ----------
    path : str
    label : str
        Its name for the user: within the folder.
    groups : tuple of (int, int)
        Number and rows of each row group.
    kinds : dict of str to str
        Of the columns in the file; see :func:`.parquet_columns.kind_of`.
    texts : tuple of str
        Columns of which each text is read once.
    keys : dict of str to str or None
        What the names of its folders say.
    """

    path: str
    label: str
    groups: tuple[tuple[int, int], ...]
    kinds: Mapping[str, str]
    texts: tuple[str, ...]
    keys: Mapping[str, str | None]

    @property
    def rows(self) -> int:
        """Rows in its row groups."""
        return sum(rows for _, rows in self.groups)


@dataclass(frozen=True)
class ParquetTable:
    """A table; see :func:`parquet_table`.

    Attributes
    ----------
    name : str
    kinds : dict of str to str
        ``long``, ``double`` or ``string`` of each column of any file.
    parts : tuple of Part
        Those with rows, if there is any.
    warnings : tuple of Sentence
        What is told of files that are likely copies.
    """

    name: str
    kinds: Mapping[str, str]
    parts: tuple[Part, ...]
    warnings: tuple[Sentence, ...] = ()

    @property
    def count(self) -> int:
        """All rows."""
        return sum(part.rows for part in self.parts)

    def require(self, names: Sequence[str]) -> None:
        """Refuse columns that some file lacks, or that are not of one kind.

        Raises
        ------
        InputError
        """
        for name in names:
            met: dict[bool, str] = {}
            for part in self.parts:
                if name in part.keys and name in part.kinds:
                    raise InputError(
                        "The column “{name}” stands in {file} and in the names of its folders as "
                        "well. Leave one of them out.",
                        name=name,
                        file=part.label,
                    )
                if name not in part.keys and name not in part.kinds:
                    there = next(one for one in self.parts if {name} & {*one.kinds, *one.keys})
                    raise InputError(
                        "The column “{name}” is there in {one}, but not in {other}. All files of "
                        "the folder have to have it.",
                        name=name,
                        one=there.label,
                        other=part.label,
                    )
                kind = part.kinds.get(name, self.kinds[name])
                if kind != NOTHING:
                    met.setdefault(kind == STRING, part.label)
            if len(met) > 1:
                raise InputError(
                    "The column “{name}” holds numbers in {one} and text in {other}. Make it the "
                    "same in all files of the folder.",
                    name=name,
                    one=met[False],
                    other=met[True],
                )

    def batches(self, names: Sequence[str]) -> Iterator[tuple[dict[str, Column], int]]:
        """Yield some columns and the number of rows, batch by batch, in the order of the files.

        Raises
        ------
        InputError
            If a file cannot be read, lacks one of them, or holds what cannot be counted.
        """
        import pyarrow as pa

        self.require(names)
        for part in self.parts:
            try:
                yield from self._of(part, names)
            except (OSError, pa.ArrowException) as error:
                raise InputError(
                    "The file {path} cannot be read to its end: it is damaged, or has changed "
                    "meanwhile.",
                    path=part.path,
                ) from error

    def pieces(self, rows: int) -> list[ParquetTable]:
        """The same table in pieces of about so many rows, in their order; row groups stay whole."""
        found: list[ParquetTable] = []
        waiting: list[Part] = []
        for part in self.parts:
            for group in part.groups:
                if waiting and waiting[-1].path == part.path:
                    waiting[-1] = replace(waiting[-1], groups=(*waiting[-1].groups, group))
                else:
                    waiting.append(replace(part, groups=(group,)))
                if sum(one.rows for one in waiting) >= rows:
                    found.append(replace(self, parts=tuple(waiting)))
                    waiting = []
        return [*found, replace(self, parts=tuple(waiting))] if waiting else found

    def _of(self, part: Part, names: Sequence[str]) -> Iterator[tuple[dict[str, Column], int]]:
        import pyarrow.parquet as pq

        stored = [name for name in names if name in part.kinds]
        texts = [name for name in part.texts if name in stored]
        keys = {name: self._value(part, name) for name in names if name in part.keys}
        with pq.ParquetFile(part.path, read_dictionary=texts, buffer_size=_BYTES) as file:
            groups = [number for number, _ in part.groups]
            # A column at the least: without any, nothing would tell how many rows there are.
            for batch in file.iter_batches(_ROWS, groups, stored or list(part.kinds)[:1]):
                columns = {
                    name: column(name, batch.column(name), self.kinds[name], self.name)
                    for name in stored
                }
                for name, value in keys.items():
                    columns[name] = constant(name, value, self.kinds[name], batch.num_rows)
                yield columns, batch.num_rows

    def _value(self, part: Part, name: str) -> str | int | None:
        value = part.keys[name]
        return int(value) if value is not None and self.kinds[name] == LONG else value


def parquet_table(path: str | Path, progress: Progress = silent) -> ParquetTable:
    """A Parquet file, or a folder of them, as one table.

    Parameters
    ----------
    path : str or Path
    progress : callable
        Asked after every file whether to go on.

    Raises
    ------
    MissingPackage
        If pyarrow is not there.
    InputError
        If something there is no Parquet file.
    """
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise MissingPackage(
            "The package pyarrow is needed to read Parquet files, and it is not installed. Run "
            "“Check environment” to see how to install it, or save the table as a GeoPackage."
        ) from error
    path = Path(os.path.abspath(path))
    if not path.exists():
        raise InputError("There is no file or folder {path}. Choose another one.", path=path)
    if not path.is_dir():
        parts = [_part(path, path.name, {}, "")]
    else:
        files = files_of(path, progress)
        parts = []
        for number, file in enumerate(files):
            progress(number / len(files))
            label = file.relative_to(path).as_posix()
            parts.append(_part(file, label, keys_of(label), str(path)))
    parts = [part for part in parts if part.rows] or parts  # a file without rows lacks nothing
    kinds: dict[str, str] = {}
    for part in parts:
        for name, kind in part.kinds.items():
            kinds[name] = _common(kinds.get(name, NOTHING), kind)
    kinds = {name: STRING if kind == NOTHING else kind for name, kind in kinds.items()}
    kinds = {**kinds, **kinds_of_keys(part.keys for part in parts)}
    return ParquetTable(path.name, kinds, tuple(parts), _warnings(parts, path, progress))


def _warnings(parts: Sequence[Part], folder: Path, progress: Progress) -> tuple[Sentence, ...]:
    rows = {Path(part.path): part.rows for part in parts}
    try:
        copies = copies_among(((Path(part.path), part.keys) for part in parts), progress)
    except OSError as error:
        raise InputError(
            "The folder {path} cannot be read: {error}.", path=folder, error=error
        ) from error
    return tuple(
        Sentence(
            "The files {one} and {other} are the same byte for byte: their {records} count twice. "
            "If one is a copy, take it out and run again.",
            one=one.relative_to(folder).as_posix(),
            other=other.relative_to(folder).as_posix(),
            records=number_of(rows[one], "record", "records"),
        )
        for one, other in copies
    )


def _part(path: Path, label: str, keys: Mapping[str, str | None], folder: str) -> Part:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            schema, told = file.schema_arrow, file.metadata
            groups = [(at, told.row_group(at).num_rows) for at in range(told.num_row_groups)]
    except (OSError, pa.ArrowException) as error:
        if folder:
            raise InputError(
                "The file {file} in the folder {folder} cannot be read as Parquet. All files there are "
                "read, but those whose names begin with a dot or an underscore: take it out.",
                file=label,
                folder=folder,
            ) from error
        raise InputError(
            "The file {path} cannot be read as Parquet. Choose another one.", path=path
        ) from error
    twice = [name for name in schema.names if schema.names.count(name) > 1]
    if twice:
        raise InputError(
            "The file {file} has two columns “{name}”. Rename one of them.",
            file=label,
            name=twice[0],
        )
    return Part(
        str(path),
        label,
        tuple(group for group in groups if group[1]),
        {field.name: kind_of(field) for field in schema},
        tuple(field.name for field in schema if is_plain_text(field)),
        keys,
    )


def _common(one: str, other: str) -> str:
    """The kind of values of two kinds."""
    for kind in (STRING, DOUBLE, LONG):
        if kind in (one, other):
            return kind
    return NOTHING
