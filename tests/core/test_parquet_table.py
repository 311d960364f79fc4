# SPDX-License-Identifier: GPL-2.0-or-later
"""A folder of Parquet files against one file with the same rows, and folders that are none."""

from __future__ import annotations

import datetime

import numpy as np
import pytest

from geoanon_qgis.core.aggregation.categories import Encoder
from geoanon_qgis.core.records.parquet import parquet_table
from geoanon_qgis.core.runtime.errors import InputError, MissingPackage

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

NAMES = ["region", "age", "sex", "year", "day", "flag"]


def rows(count=900, seed=1):
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "region": pa.array(rng.integers(0, 9, count), pa.int32()),
            "age": pa.array(rng.choice(["young", "old", None], count).tolist()),
            "sex": pa.array(rng.choice(["f", "m"], count).tolist()).dictionary_encode(),
            "year": pa.array(rng.choice([2019.0, 2020.0, None], count).tolist(), pa.float64()),
            "day": pa.array(
                [datetime.date(2020, 1, 1 + int(n)) for n in rng.integers(0, 3, count)]
            ),
            "flag": pa.array(rng.choice([True, False, None], count).tolist()),
        }
    )


def codes(table, names=NAMES):
    """Codes of all records, and categories, as they come."""
    encoders = {name: Encoder(name) for name in names}
    found = {name: [] for name in names}
    for batch, count in table.batches(names):
        for name in names:
            assert len(batch[name]) == count
            found[name] += encoders[name].codes(batch[name]).tolist()
    return found, {name: encoders[name].categories for name in names}


def values(table, names=NAMES):
    found, categories = codes(table, names)
    return {name: [categories[name][code] for code in found[name]] for name in names}


def split(table, folder, cuts=(0, 1, 300, 300, 650, 900)):
    """Files of unequal size and row groups, one of them without a row."""
    for number, (start, stop) in enumerate(zip(cuts, cuts[1:])):
        some = table.slice(start, stop - start)
        pq.write_table(some, folder / f"part-{number}.parquet", row_group_size=37 + 50 * number)
    (folder / "_SUCCESS").touch()
    (folder / ".part-0.parquet.crc").write_bytes(b"x")
    return folder


def test_a_folder_of_files_is_one_table(tmp_path):
    table = rows()
    pq.write_table(table, tmp_path / "one.parquet", row_group_size=200)
    (tmp_path / "many").mkdir()
    many = parquet_table(split(table, tmp_path / "many"))
    one = parquet_table(tmp_path / "one.parquet")
    assert many.name == "many" and many.count == one.count == 900 and many.kinds == one.kinds
    assert len(many.parts) == 4
    assert values(many) == values(one)
    for size in (1, 100, 320, 10_000):
        pieces = many.pieces(size)
        assert [row for piece in pieces for row in values(piece)["age"]] == values(one)["age"]
        assert all(piece.count >= min(size, 37) for piece in pieces[:-1])
    assert len(many.pieces(1)) == sum(len(part.groups) for part in many.parts)


def test_types_may_differ_between_files_where_values_do_not(tmp_path):
    table = rows()
    for number, kind in enumerate([pa.int8(), pa.int64(), pa.uint16()]):
        some = table.slice(300 * number, 300)
        some = some.set_column(0, "region", some["region"].cast(kind))
        if number == 1:
            some = some.set_column(3, "year", some["year"].cast(pa.int16()))
        if number == 2:
            some = some.set_column(1, "age", some["age"].dictionary_encode())
            some = some.select(NAMES[::-1])
            some = some.set_column(3, "sex", some["sex"].cast(pa.string()).cast(pa.large_string()))
        pq.write_table(some, tmp_path / f"{number}.parquet")
    nothing = pa.table({name: pa.nulls(5) for name in NAMES})
    pq.write_table(nothing, tmp_path / "3.parquet")
    made = parquet_table(tmp_path)
    assert made.kinds == {
        **dict.fromkeys(NAMES, "string"),
        "region": "long",
        "year": "double",
        "flag": "long",
    }
    found, wanted = values(made), table.to_pydict()
    for name in ("region", "age", "sex", "year"):
        assert found[name] == wanted[name] + [None] * 5
    made.require(NAMES)


@pytest.mark.parametrize(("values_", "kind"), [([1, 20, -3], "long"), (["01", "2", "3"], "string")])
def test_names_of_folders_are_columns(tmp_path, values_, kind):
    table, wanted = rows(), []
    for number, value in enumerate([*values_, None]):
        told = "__HIVE_DEFAULT_PARTITION__" if value is None else value
        folder = tmp_path / f"prov={told}" / "in%20two=a%2Fb"
        folder.mkdir(parents=True)
        pq.write_table(table.slice(100 * number, 100).drop(["sex"]), folder / "0.parquet")
        wanted.append((folder.as_posix(), [value] * 100))
    made = parquet_table(tmp_path)
    assert made.kinds["prov"] == kind and made.kinds["in two"] == "string"
    made.require(["prov", "age", "in two"])
    found = values(made, ["prov", "in two"])
    assert found["prov"] == [one for _, some in sorted(wanted) for one in some]
    assert set(found["in two"]) == {"a/b"}


def with_files(folder, **files):
    for name, table in files.items():
        pq.write_table(table, folder / f"{name}.parquet")
    return folder


def numbers(**columns):
    return pa.table({name: pa.array(some) for name, some in columns.items()})


@pytest.mark.parametrize(
    ("files", "names", "said"),
    [
        (
            {"a": {"x": [1], "y": [1]}, "b": {"x": [2]}},
            ["y"],
            "“y” is there in a.parquet, but not in b",
        ),
        ({"a": {"x": [1]}, "b": {"x": ["1"]}}, ["x"], "numbers in a.parquet and text in b.parquet"),
        (
            {"k=1/a": {"x": [1]}, "b": {"x": [1]}},
            ["k"],
            "“k” is there in k=1/a.parquet, but not in b",
        ),
        ({"x=1/a": {"x": [1]}}, ["x"], "in x=1/a.parquet and in the names of its folders"),
    ],
)
def test_files_that_do_not_fit_together_are_named(tmp_path, files, names, said):
    for name, columns in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        with_files(tmp_path, **{name: numbers(**columns)})
    made = parquet_table(tmp_path)
    with pytest.raises(InputError, match=said):
        made.require(names)


def test_a_file_without_rows_lacks_nothing(tmp_path):
    made = parquet_table(
        with_files(tmp_path, a=numbers(x=[1]), b=pa.table({"z": pa.array([], pa.string())}))
    )
    assert made.kinds == {"x": "long"} and values(made, ["x"]) == {"x": [1]}
    made.require(["x"])


def test_copies_of_files_are_told(tmp_path):
    table = rows(50)
    made = {"a": table, "k=1/a": table, "k=2/a": table, "b": table.slice(0, 50), "c": rows(50, 2)}
    for name, one in made.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        with_files(tmp_path, **{name: one})
    (said,) = parquet_table(tmp_path).warnings
    assert said.startswith("The files a.parquet and b.parquet are the same byte for byte")
    assert "their 50 records count twice" in said


def test_folders_behind_links_are_read_once(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "table").mkdir()
    with_files(tmp_path / "real", a=numbers(x=[1]))
    (tmp_path / "table" / "b").symlink_to(tmp_path / "real")
    assert parquet_table(tmp_path / "table").count == 1
    (tmp_path / "table" / "c").symlink_to(tmp_path / "real")
    with pytest.raises(InputError, match="c leads to one that is read already"):
        parquet_table(tmp_path / "table")


def text(folder):
    (folder / "b.csv").write_text("x\n1\n")


def empty(folder):
    (folder / "b.parquet").touch()


def delta(folder):
    (folder / "_delta_log").mkdir()


def twice(folder):
    made = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["x", "x"])
    pq.write_table(made, folder / "b.parquet")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (text, "b.csv in the folder .* cannot be read as Parquet"),
        (empty, "b.parquet in the folder .* cannot be read as Parquet"),
        (delta, "a table of Delta Lake, whose files hold rows that have been deleted"),
        (twice, "b.parquet has two columns “x”"),
    ],
)
def test_what_is_no_such_folder_is_a_sentence(tmp_path, spoil, said):
    with_files(tmp_path, a=numbers(x=[1]))
    spoil(tmp_path)
    with pytest.raises(InputError, match=said):
        parquet_table(tmp_path)


def test_a_folder_without_files_and_a_file_that_is_none(tmp_path):
    (tmp_path / "below").mkdir()
    with pytest.raises(InputError, match="holds no Parquet file"):
        parquet_table(tmp_path)
    with pytest.raises(InputError, match="There is no file or folder"):
        parquet_table(tmp_path / "none.parquet")


def test_a_file_that_is_damaged_within(tmp_path):
    path = with_files(tmp_path, a=numbers(x=list(range(50_000)))) / "a.parquet"
    made = parquet_table(tmp_path)
    inside = bytearray(path.read_bytes())
    inside[4:60] = bytes(56)
    path.write_bytes(inside)
    with pytest.raises(InputError, match="cannot be read to its end"):
        list(made.batches(["x"]))
    path.unlink()
    with pytest.raises(InputError, match="cannot be read to its end"):
        list(made.batches(["x"]))


def test_without_pyarrow_it_is_said(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(MissingPackage, match="pyarrow is needed"):
        parquet_table(tmp_path)


def test_a_cancel_is_heard_between_files(tmp_path):
    with_files(tmp_path, a=numbers(x=[1]), b=numbers(x=[1]))
    heard = []

    def progress(fraction):
        heard.append(fraction)
        if fraction:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        parquet_table(tmp_path, progress)
    assert heard[-1] == 0.5
