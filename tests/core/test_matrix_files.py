# SPDX-License-Identifier: GPL-2.0-or-later
"""Files of distances: what is written reads back, what others write is read, what is wrong is told.

Damaged files are made at random: whatever is in a file, a sentence comes out and nothing else.
"""

import errno
import gzip
import html
import io
import re
import shutil
import struct
import subprocess
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import squareform

from geoanon_qgis.core.distances import files
from geoanon_qgis.core.distances.files import parquet
from geoanon_qgis.core.distances.files.building import Rows
from geoanon_qgis.core.distances.files.csv_lines import Cells
from geoanon_qgis.core.distances.files.digits import text_of, width
from geoanon_qgis.core.distances.matrix import DistanceMatrix, condensed_size
from geoanon_qgis.core.runtime import accel, memory
from geoanon_qgis.core.runtime.errors import Cancelled, GeoAnonError, InputError, MissingPackage

try:
    parquet.require()
    HAS_PARQUET = True
except MissingPackage:
    HAS_PARQUET = False
needs_parquet = pytest.mark.skipif(not HAS_PARQUET, reason="pyarrow is not installed")
needs_r = pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
ENDINGS = [".csv", ".npz", pytest.param(".parquet", marks=needs_parquet)]
anywhere = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
)


@pytest.fixture(params=["compiled", "plain"])
def each_way(request):
    """Run with and without the accelerator."""
    if request.param == "compiled" and not accel.available():
        pytest.skip("numba is not installed")
    before = accel.enabled()
    accel.set_enabled(request.param == "compiled")
    yield request.param
    accel.set_enabled(before)


def matrix_of(n, decimals=3, ids=None, largest=1e5, seed=1):
    rng = np.random.default_rng(seed)
    condensed = rng.random(condensed_size(n)) * largest
    if decimals is not None:
        condensed = np.floor(condensed * 10.0**decimals) / 10.0**decimals
    return DistanceMatrix(condensed, ids or tuple(map(str, range(1, n + 1))), "m")


def same(a, b):
    return a.ids == b.ids and np.array_equal(a.condensed, b.condensed)


@pytest.fixture
def read(tmp_path):
    """Read text or bytes as a file of that name."""

    def do(content, name="matrix.csv", **options):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return files.read_matrix(path, **options)

    return do


def npz(**named):
    buffer = io.BytesIO()
    np.savez(buffer, **named)
    return buffer.getvalue()


def npy(array, **options):
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return buffer.getvalue()


# --- numbers to text --------------------------------------------------------------------------


@given(
    st.lists(st.integers(0, 2**53 - 1), min_size=1, max_size=30),
    st.integers(0, 15),
    st.integers(1, 53),
)
@example([0, 9, 10, 9999, 10_000, 100_000_000, 99_999_999], 3, 53)
@example([2**32 - 1, 2**32, 2**53 - 1], 0, 53)
@example([2**32 - 1, 2**31], 13, 53)
def test_text_is_what_python_writes(multiples, decimals, bits):
    multiples = [multiple >> (53 - bits) for multiple in multiples]
    values = np.array(multiples, dtype=float) / 10.0**decimals
    (text,) = text_of(values[None], decimals, b";")
    expected = []
    for multiple in multiples:
        digits = str(multiple).zfill(decimals + 1)
        expected.append(digits if not decimals else f"{digits[:-decimals]}.{digits[-decimals:]}")
    assert text == "".join(number + ";" for number in expected).encode()
    assert [float(number) for number in text.split(b";")[:-1]] == values.tolist()
    assert max(map(len, text.split(b";"))) + 1 <= width(values.max(), decimals)


@given(st.lists(st.floats(0, 1e300, allow_nan=False), min_size=1))
def test_text_in_full_reads_back(values):
    (text,) = text_of(np.array([values]), None)
    assert [float(number) for number in text.split(b",")[:-1]] == values


def test_text_rounds_nothing():
    with pytest.raises(InputError, match="not rounded to 2 decimals"):
        text_of(np.array([[0.125]]), 2)
    with pytest.raises(InputError, match="not rounded to 0 decimals"):
        text_of(np.array([[0.5]]), -1)
    assert text_of(np.array([[120.0, 0.0]]), -1) == [b"120,0,"]
    # Where doubles lie further apart than the decimals there is nothing to round.
    assert text_of(np.array([[1e17, 0.5]]), 3) == [b"1e+17,0.5,"]


# --- there and back ---------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("decimals", [None, 0, 3, 9])
@pytest.mark.parametrize("n", [2, 3, 4, 130])
def test_what_is_written_reads_back(tmp_path, each_way, ending, decimals, n):
    matrix = matrix_of(n, decimals)
    path = tmp_path / f"matrix{ending}"
    files.write_matrix(path, matrix, decimals)
    again = files.read_matrix(path, unit="m")
    assert same(matrix, again) and again.unit == "m"


IDS = st.lists(
    st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), min_size=1),
    min_size=2,
    max_size=6,
    unique=True,
)


@pytest.mark.parametrize("ending", ENDINGS)
@anywhere
@given(ids=IDS)
@example(ids=["id", "a b", " x ", 'q"uo"te', '"', ",", ";", "\t", "new\nline", "\r", "é\u2028"])
@example(ids=["0", "1", "2"])
@example(ids=["1", "0", "2"])
@example(ids=["a", "distance"])
@example(ids=["0", "distance", "d"])
@example(ids=["sep=,", "\ufeffx"])
def test_any_ids_read_back(tmp_path, ending, ids):
    matrix = matrix_of(len(ids), ids=tuple(ids))
    path = tmp_path / f"matrix{ending}"
    files.write_matrix(path, matrix, 3)
    assert same(matrix, files.read_matrix(path))


@pytest.mark.parametrize("ending", ENDINGS)
@anywhere
@given(
    values=st.lists(st.floats(0, 1e300, allow_nan=False), min_size=6, max_size=6),
)
@example(values=[0.0] * 6)
@example(values=[5e-324, 1e300, 1e16, 0.1, 1 / 3, 123456789.123456789])
def test_any_distances_read_back(tmp_path, ending, values):
    matrix = DistanceMatrix(np.array(values), tuple("abcd"))
    path = tmp_path / f"matrix{ending}"
    files.write_matrix(path, matrix)
    assert same(matrix, files.read_matrix(path))


def test_text_is_as_it_should_be(tmp_path):
    matrix = DistanceMatrix(np.array([12.5, 1000.25, 0]), ("1", "b,c", "3"))
    files.write_matrix(tmp_path / "m.csv", matrix, 2)
    assert (tmp_path / "m.csv").read_text() == (
        'id,1,"b,c",3\n1,0.00,12.50,1000.25\n"b,c",12.50,0.00,0.00\n3,1000.25,0.00,0.00\n'
    )


@pytest.mark.parametrize("ending", ENDINGS)
def test_files_tell_nothing_of_when_and_where(tmp_path, monkeypatch, ending):
    matrix = matrix_of(50)
    folders = tmp_path / "a", tmp_path / "b"
    for folder, day in zip(folders, (1.0e9, 1.7e9)):
        folder.mkdir()
        monkeypatch.setattr("time.time", lambda now=day: now)
        files.write_matrix(folder / f"matrix{ending}", matrix, 3)
    first, second = [(folder / f"matrix{ending}").read_bytes() for folder in folders]
    assert first == second
    assert str(tmp_path).encode() not in first


def test_npz_is_as_numpy_wants_it(tmp_path):
    matrix = matrix_of(9)
    files.write_matrix(tmp_path / "m.npz", matrix)
    with np.load(tmp_path / "m.npz", allow_pickle=False) as loaded:
        assert sorted(loaded) == ["distances", "ids", "unit"]
        assert np.array_equal(squareform(loaded["distances"]), matrix.square())
        assert loaded["ids"].tolist() == list(matrix.ids) and loaded["unit"] == "m"
    with zipfile.ZipFile(tmp_path / "m.npz") as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert archive.testzip() is None


@needs_parquet
def test_parquet_is_long_and_in_order(tmp_path):
    import pyarrow.parquet

    # More pairs than a group of rows holds, and many times those of a batch.
    n = 1460
    matrix = matrix_of(n, ids=tuple(f"r{i}" for i in np.random.default_rng(1).permutation(n)))
    files.write_matrix(tmp_path / "m.parquet", matrix)
    file = pyarrow.parquet.ParquetFile(tmp_path / "m.parquet")
    assert file.metadata.num_row_groups > 1
    assert set(file.metadata.metadata) == {b"ARROW:schema"}  # the types of the columns
    table = file.read()
    ids = np.array(matrix.ids, dtype=object)
    for name, rows in zip(("id_1", "id_2"), np.triu_indices(n, 1)):
        assert (table[name].to_numpy() == ids[rows]).all()
    assert np.array_equal(table["distance"].to_numpy(), matrix.condensed)
    assert same(matrix, files.read_matrix(tmp_path / "m.parquet"))


@pytest.mark.parametrize("ending", ENDINGS)
def test_sizes_are_foretold(tmp_path, ending):
    for n, decimals in ((2, 0), (100, 3), (700, 1)):
        path = tmp_path / f"{n}{ending}"
        files.write_matrix(path, matrix_of(n, decimals), decimals)
        told = files.estimated_size(n, decimals, 1e5, ending)
        assert path.stat().st_size <= told
        # Parquet's compression is not counted on.
        assert n < 700 or told < (2.0 if ending == ".parquet" else 1.2) * path.stat().st_size


def run_r(script, folder):
    done = subprocess.run(
        ["Rscript", "-"], input=script, cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@needs_r
def test_r_reads_the_square(tmp_path):
    matrix = matrix_of(5)
    files.write_matrix(tmp_path / "matrix.csv", matrix, 3)
    told = run_r(files.HOW_TO_LOAD[".csv"]["R"] + "; cat(labels(d), sprintf('%.3f', d))", tmp_path)
    assert told[:5] == list(matrix.ids)
    assert [float(number) for number in told[5:]] == matrix.condensed.tolist()


@needs_r
def test_what_r_writes_is_read(tmp_path):
    run_r(
        "m <- as.matrix(dist(matrix(c(0, 1.5, 7, 3, 2, 1 / 3), 3)));"
        "rownames(m) <- colnames(m) <- c('a', 'b \"x\"', 'c, d');"
        "write.csv(m, '1.csv'); write.csv2(m, '2.csv'); write.csv(m, '3.csv', row.names = FALSE);"
        "write.table(m, '4.csv', sep = ',', qmethod = 'double');"
        "write.table(m, '5.tsv', sep = '\t', qmethod = 'double', dec = ',');"
        "p <- which(upper.tri(m), arr.ind = TRUE);"
        "t <- data.frame(i = rownames(m)[p[, 1]], j = rownames(m)[p[, 2]], d = m[p]);"
        "write.csv(t, '6.csv'); write.csv2(t, '7.csv', row.names = FALSE)",
        tmp_path,
    )
    x = np.array([[0, 3], [1.5, 2], [7, 1 / 3]])
    expected = np.hypot(*(x[[0, 0, 1]] - x[[1, 2, 2]]).T)
    for path in sorted(tmp_path.iterdir()):
        matrix = files.read_matrix(path)
        assert matrix.ids == ("a", 'b "x"', "c, d"), path
        np.testing.assert_allclose(matrix.condensed, expected, rtol=1e-14)


@pytest.mark.parametrize("ending", ENDINGS)
def test_python_reads_what_the_help_says(tmp_path, monkeypatch, ending):
    if ending != ".npz":
        pytest.importorskip("pandas")
    matrix = matrix_of(5)
    files.write_matrix(tmp_path / f"matrix{ending}", matrix, 3)
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(files.HOW_TO_LOAD[ending]["Python"], names)  # noqa: S102
    condensed = names.get("condensed", squareform(names["square"]) if "square" in names else 0)
    assert np.array_equal(condensed, matrix.condensed)
    assert ending == ".csv" or list(names["ids"]) == list(matrix.ids)


def test_the_help_knows_every_format():
    assert set(files.HOW_TO_LOAD) == set(files.WRITTEN) <= set(files.READ)
    assert all("Python" in code for code in files.HOW_TO_LOAD.values())
    assert [ending for ending, code in files.HOW_TO_LOAD.items() if "R" in code] == [".csv"]


@pytest.mark.parametrize(
    "page",
    ["README.md", "resources/help/lipschitzrelease.html", "resources/help/noisydistances.html"],
)
def test_pages_show_the_lines_that_are_run(checkout, tmp_path, monkeypatch, page):
    """Those of R as they stand; the shorter ones of Python are run here."""
    text = html.unescape((checkout / page).read_text(encoding="utf-8"))
    assert files.HOW_TO_LOAD[".csv"]["R"].removeprefix("d <- ") in text
    assert text.count("read.csv(") == 1
    shown = re.findall(r"scipy[\w.]+\(pandas.*?\)\)|numpy\.load\(.*?\)\[.*?\]", text)
    assert len(shown) == (0 if page == "README.md" else 2)
    pytest.importorskip("pandas")
    import pandas
    import scipy.spatial.distance

    monkeypatch.chdir(tmp_path)
    matrix = matrix_of(5)
    for name in ("matrix.csv", "matrix.npz"):
        files.write_matrix(tmp_path / name, matrix, 3)
    for line in shown:
        found = eval(line, {"numpy": np, "pandas": pandas, "scipy": scipy})  # noqa: S307
        assert np.array_equal(found, matrix.condensed), line


# --- what others write ------------------------------------------------------------------------

ABC = DistanceMatrix(np.array([1.5, 2.0, 3.25]), ("a", "b", "c"))
NUMBERED = DistanceMatrix(ABC.condensed, ("1", "2", "3"))
SQUARE = ABC.square()


@pytest.mark.parametrize(
    "text",
    [
        ",a,b,c\na,0,1.5,2\nb,1.5,0,3.25\nc,2,3.25,0\n",
        '"","a","b","c"\n"a",0,1.5,2\n"b",1.5,0,3.25\n"c",2,3.25,0\n',  # R: write.csv
        '"";"a";"b";"c"\n"a";0;1,5;2\n"b";1,5;0;3,25\n"c";2;3,25;0\n',  # R: write.csv2
        '"a","b","c"\n"a",0,1.5,2\n"b",1.5,0,3.25\n"c",2,3.25,0\n',  # R: write.table
        "a,b,c\n0,1.5,2\n1.5,0,3.25\n2,3.25,0\n",  # no row names
        "id\ta\tb\tc\r\na\t0\t1.5\t2\r\nb\t1.5\t0\t3.25\r\nc\t2\t3.25\t0",  # no last line end
        "id\ta\tb\tc\na\t0\t1,5\t2\nb\t1,5\t0\t3,25\nc\t2\t3,25\t0\n",
        '"","a","b","c"\n"a","0","1.5","2"\n"b","1.5","0","3.25"\n"c","2","3.25","0"\n',
        '"","a","b","c"\n"a","0","1,5","2"\n"b","1,5","0","3,25"\n"c","2","3,25","0"\n',
        "\ufeffid, a, b, c\n\na, 0, 1.50, 2.00\nb, 1.50, 0, 3.25\nc, 2, 3.25e0, 0\n\n  \n",
        "sep=;\nid;a;b;c\na;0;1,5;2\nb;1,5;0;3,25\nc;2;3,25;0\n",
        "name,a,b,c\nb,1.5,0,3.25\na,0,1.5,2\nc,2,3.25,0\n",  # rows in another order
        "id_1,id_2,distance\na,b,1.5\na,c,2\nb,c,3.25\n",
        "x,y,d\na,b,1.5\nb,a,1.5\na,c,2\nc,a,2\nc,b,3.25\nb,c,3.25\na,a,0\n",
        '"","id_1","id_2","distance"\n"1","a","b",1.5\n"2","a","c",2\n"3","b","c",3.25\n',
        "from;to;km\na;b;1,5\na;c;2\nb;c;3,25\n",
        '"from","to","km"\n"a","b","1,5"\n"a","c","2"\n"b","c","3,25"\n',
    ],
)
def test_text_of_others_is_read(read, each_way, text):
    assert same(read(text), ABC)
    assert same(read(gzip.compress(text.encode()), "matrix.csv.gz"), ABC)


@pytest.mark.parametrize(
    "text",
    [
        "0,1.5,2\n1.5,0,3.25\n2,3.25,0\n",
        "0.000e+00;1.500e+00;2.0e+00\n1.5e+00;0;3.25\n2;3.25;0",
        "1,2,3\n0,1.5,2\n1.5,0,3.25\n2,3.25,0\n",
        ",1,2,3\n1,0,1.5,2\n2,1.5,0,3.25\n3,2,3.25,0\n",
        "i,j,value\n1,2,1.5\n1,3,2\n2,3,3.25\n",
    ],
)
def test_numbers_for_names_are_told_from_distances(read, each_way, text):
    assert same(read(text, "matrix.txt"), NUMBERED)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("0,1,2\n0,1.5,2\n1.5,0,3.25\n2,3.25,0\n", "0 1 2"),
        (",0,1,2\n0,0,1.5,2\n1,1.5,0,3.25\n2,2,3.25,0\n", "0 1 2"),
        ("id,0,1,2\n0,0,1.5,2\n1,1.5,0,3.25\n2,2,3.25,0\n", "0 1 2"),
        ("5,0,7\n0,1.5,2\n1.5,0,3.25\n2,3.25,0\n", "5 0 7"),
        ("i,j,distance\n0,1,1.5\n0,2,2\n1,2,3.25\n", "0 1 2"),
    ],
)
def test_ids_from_zero(read, text, ids):
    assert same(read(text), DistanceMatrix(ABC.condensed, tuple(ids.split())))


def test_two_records(read):
    two = DistanceMatrix(np.array([5.0]), ("a", "b"))
    for text in (
        "id,a,b\na,0,5\nb,5,0\n",
        "a,b\n0,5\n5,0\n",
        "id_1,id_2,d\na,b,5\n",
        ",a,b\nb,5,0\na,0,5\n",
    ):
        assert same(read(text), two)
    assert same(read("0,5\n5,0\n"), DistanceMatrix(two.condensed, ("1", "2")))


@given(st.integers(2, 8), st.integers(0, 2**32))
@anywhere
def test_rows_in_any_order(read, n, seed):
    rng = np.random.default_rng(seed)
    matrix = matrix_of(n, seed=seed)
    square = matrix.square()
    lines = ["id," + ",".join(matrix.ids)] + [
        ",".join([matrix.ids[row], *map(repr, square[row].tolist())]) for row in rng.permutation(n)
    ]
    assert same(read("\n".join(lines)), matrix)


@given(st.integers(2, 8), st.booleans(), st.integers(0, 2**32))
@anywhere
def test_pairs_in_any_order(read, n, twice, seed):
    rng = np.random.default_rng(seed)
    matrix = matrix_of(n, seed=seed)
    square = matrix.square()
    i, j = np.triu_indices(n, 1)
    turned = rng.random(len(i)) < 0.5
    i, j = np.where(turned, j, i), np.where(turned, i, j)
    if twice:
        i, j = np.concatenate([i, j]), np.concatenate([j, i])
    order = rng.permutation(len(i))
    lines = [f"{a + 1},{b + 1},{float(square[a, b])!r}" for a, b in zip(i[order], j[order])]
    again = read("\n".join(["x,y,distance", *lines]).encode())
    place = [again.ids.index(name) for name in matrix.ids]
    assert np.array_equal(again.subset(place).condensed, matrix.condensed)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("m.npz", npz(distances=ABC.condensed, ids=np.array(ABC.ids))),
        ("m.npz", npz(distances=SQUARE, ids=np.array(["a", "b", "c"]))),
        ("m.npz", npz(D=SQUARE.astype(np.float32), labels=np.array(["a", "b", "c"]))),
        ("m.npz", npz(x=SQUARE.astype(">f8"), y=np.array([b"a", b"b", b"c"]))),
        (
            "m.npz",
            npz(
                matrix=np.asfortranarray(SQUARE),
                names=np.array(["a", "b", "c"]),
                coordinates=np.zeros((3, 2)),
            ),
        ),
    ],
)
def test_arrays_of_others_are_read(read, name, content):
    assert same(read(content, name), ABC)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("m.npz", npz(arr_0=ABC.condensed)),
        ("m.npz", npz(anything=SQUARE)),
        ("m.npz", npz(distances=SQUARE, ids=np.array([1, 2, 3]))),
        ("m.npy", npy(SQUARE)),
        ("m.npy", npy(ABC.condensed)),
        ("m.npy", npy(np.asfortranarray(SQUARE))),
    ],
)
def test_arrays_without_ids_are_numbered(read, name, content):
    assert same(read(content, name), NUMBERED)


def test_packed_archives_and_units(read):
    buffer = io.BytesIO()
    np.savez_compressed(buffer, distances=matrix_of(60).condensed, unit=np.array("km"))
    again = read(buffer.getvalue(), "m.npz", unit="m")
    assert same(again, matrix_of(60)) and again.unit == "km"
    assert read(npz(d=SQUARE), "m.npz", unit="m").unit == "m"


def parquet_of(**columns):
    import pyarrow
    import pyarrow.parquet

    buffer = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), buffer)
    return buffer.getvalue()


@needs_parquet
def test_long_tables_of_others_are_read(read):
    letters = {"id_2": ["b", "c", "c"], "id_1": ["a", "a", "b"]}
    distance = [1.5, 2.0, 3.25]
    assert same(read(parquet_of(**letters, distance=distance, more=[1, 2, 3]), "m.parquet"), ABC)
    numbers = {"i": [1, 1, 2], "j": [2, 3, 3], "value": distance}
    assert same(read(parquet_of(**numbers), "m.parquet"), NUMBERED)


# --- rounding is forgiven, nothing else ------------------------------------------------------


def test_the_last_digit_may_differ(read):
    text = "a,b\n0,{}\n{},0\n"
    assert read(text.format("500.123", "500.124")).condensed.tolist() == [500.123]
    assert read(text.format("123456.7891234567", "123456.7891234569")).ids == ("a", "b")
    with pytest.raises(InputError, match=r"not symmetric.*'a' and 'b' is 500.123.*and 500.125"):
        read(text.format("500.123", "500.125"))
    with pytest.raises(InputError, match="not symmetric"):
        read(text.format("2", "3"))  # steps in a network are not rounded
    assert read(text.format("2", "3"), tolerance=1.0).condensed.tolist() == [2]
    with pytest.raises(InputError, match="not symmetric"):
        read(text.format("2", "2.0000000001"), tolerance=0.0)
    with pytest.raises(InputError, match="not symmetric"):
        read(npy(np.array([[0, 500.123], [500.124, 0]])), "m.npy")
    assert len(read(npy(np.array([[0, 500.123], [500.1230001, 1e-8]])), "m.npy")) == 2


def test_asymmetry_is_found_wherever_it_is():
    n = 40
    good = matrix_of(n).square()
    ids = tuple(map(str, range(1, n + 1)))
    rng = np.random.default_rng(3)
    for _ in range(300):
        i, j = rng.choice(n, 2, replace=False)
        bad = good.copy()
        bad[i, j] += 7
        gathered = Rows(ids, "m.csv")
        order = np.arange(n) if rng.random() < 0.5 else rng.permutation(n)
        for block in np.array_split(order, rng.integers(1, 9)):
            gathered.add(bad[block], block.tolist())
        with pytest.raises(InputError, match="not symmetric.*7 apart") as caught:
            gathered.finish()
        assert f"'{i + 1}'" in str(caught.value) and f"'{j + 1}'" in str(caught.value)


# --- what is wrong is told -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("hello", "no commas"),
        ("1\n2\n3\n", "no commas"),
        ("id,a,b\n", "a single line"),
        ("id,a\na,0\n", "one record"),
        ("id,a,b,a\na,0,1,2\nb,1,0,2\na,2,2,0\n", r"id 'a' twice \(records 1 and 3\)"),
        ("id,a,,c\na,0,1,2\n,1,0,2\nc,2,2,0\n", "no id for record 2"),
        ("id,a,b,c\na,0,1,2\nx,1,0,2\nc,2,2,0\n", r"row for 'x' \(row 2\), but no column"),
        ("id,a,b,c\na,0,1,2\nb,1,0,2\nb,1,0,2\n", "two rows for 'b'"),
        ("id,a,b,c\na,0,1,2\nb,1,0,2\n", "3 records and rows for 2; the row of 'c' is missing"),
        ("id,a,b,c\nc,2,2,0\nb,1,0,2\n", "the row of 'a' is missing"),
        ("a,b\n0,1\n1,0\n2,2\n", "2 columns and more rows"),
        ("id,a,b,c\na,0,1,2\nb,1,0\nc,2,2,0\n", r"2 cells in the row of 'b' \(line 3\), and 3"),
        ("id,a,b,c\na,0,1,2\nb,1,0,2\nc,2,2", "row of 'c'.*cut off"),
        ("id,a,b,c\na,0,1,2\nb,1,0,2,9\nc,2,2,0\n", "4 cells"),
        ("id,a,b,c\na,0,1,2\nb,1,0,\nc,2,2,0\n", "has nothing in the row of 'b', column 'c'"),
        ("id,a,b,c\na,0,1,2\nb,1,0,far\nc,2,2,0\n", "'far', which is no number, in the row of"),
        ("id,a,b,c\na,0,1,2\nb,1,0,NA\nc,2,2,0\n", "'NA', which is no number"),
        ("id,a,b,c\na,0,1,2\nb,1,0,1_0\nc,2,2,0\n", "'1_0', which is no number"),
        ("id,a,b,c\na,0,1,2\nb,1,0,nan\nc,2,2,0\n", r"no number \(NaN\).*'b', column 'c'"),
        ("id,a,b,c\na,0,1,2\nb,1,0,inf\nc,2,2,0\n", "infinite distance in the row of 'b'"),
        ("id,a,b,c\na,0,1,2\nb,1,0,1e999\nc,2,2,0\n", "infinite"),
        ("id,a,b,c\na,0,-1,2\nb,-1,0,2\nc,2,2,0\n", r"negative distance \(-1\).*'a', column 'b'"),
        ("id,a,b,c\na,0,1,2\nb,1,9,2\nc,2,2,0\n", "distance of 9 from the record 'b' to itself"),
        ("id,a,b,c\nb,1,9,2\na,0,1,2\nc,2,2,0\n", "distance of 9 from the record 'b' to itself"),
        ("id;a;b\na;0;1,5\nb;1.5;0\n", "besides numbers with decimal commas"),
        ('id,a,b\n"a,0,1\nb,1,0\n', "never closed"),
        ('id,a,b\n"a"x,0,1\nb,1,0\n', "quoted wrongly"),
        ("id,a,b\rb,1\r", "single line|quoted"),
        ("x,y,d\na,b,1\na,c,2\n", "lacks 1 of the 3 pairs of its 3 records.*'b' and 'c'"),
        ("x,y,d\na,b,1\na,c,2\nb,c,3\nd,e,1\n", "names 5 records, which have 10 pairs"),
        ("x,y,d\na,b,1\nb,a,2\n", "not symmetric.*1 in one place and 2 in another"),
        ("x,y,d\na,b,1\na,b,1\na,b,4\n", "not symmetric"),
        ("x,y,d\na,a,3\na,b,1\n", "distance of 3 from the record 'a' to itself"),
        ("x,y,d\na,b,-1\n", "negative.*row 1, the pair of 'a' and 'b'"),
        ("x,y,d\na,b,1\na,c,nan\n", "no number.*row 2, the pair of 'a' and 'c'"),
        ("x,y,d\na,b,1\na,c,near\n", "'near' for distance in row 2"),
        ("x,y,d\na,b,1\na,c,\n", "no distance in row 2"),
        ("x,y,d\na,b,1\na,c\n", "2 cells in line 3, and 3 columns"),
        ("x,y,d\na,,1\n", "no id for record 2"),
        ("x,y,d\na,a,0\n", "one record"),
        ("id_1,id_2,distance\n", "a single line"),
        ("released_id,label\n1,00ff\n2,00ff\n", "labels of an ISGP release"),
        (b"\xff\xfei\0d\0", "UTF-16"),
        (b"i\0d\0,\0", "zero bytes"),
        ("id,é,b\né,0,1\nb,1,0\n".encode("latin-1"), "not text in UTF-8"),
        (b"x,y,d\n\xe9,b,1\n", "not text in UTF-8"),
    ],
)
def test_wrong_text_is_told(read, each_way, text, words):
    with pytest.raises(InputError, match=words) as caught:
        read(text)
    assert "matrix.csv" in str(caught.value)


def test_a_wide_header_needs_a_long_file(read, monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 10**6)
    ids = ",".join(map(str, range(10_000)))
    with pytest.raises(InputError, match="too short for as many rows"):
        read(f"id,{ids}\n0,{ids}\n")
    pairs = "".join(f"a{i},b{i},1\n" for i in range(5000))
    with pytest.raises(InputError, match="10,000 records, which have 49,995,000 pairs, more than"):
        read("x,y,d\n" + pairs)


def test_what_does_not_fit_into_memory_is_refused(read, monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 100)
    matrix = matrix_of(6)  # 15 pairs
    square = matrix.square()
    text = "\n".join([",".join(matrix.ids), *(",".join(map(str, row)) for row in square)])
    condensed = npy(matrix.condensed)
    for content, name in ((text, "m.csv"), (npy(square), "m.npy"), (condensed, "m.npy")):
        with pytest.raises(InputError, match="6 records need 120 bytes of memory for their dist"):
            read(content, name)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (npz(ids=np.array(["a", "b"])), "no array 'distances', only 'ids'"),
        (npz(a=SQUARE, b=SQUARE), "no array 'distances'"),
        (npz(distances=np.zeros(4)), "4 distances, which are not those of all pairs"),
        (npz(distances=np.zeros((3, 4))), r"array of shape \(3, 4\)"),
        (npz(distances=SQUARE, ids=np.array(["a", "b"])), "2 ids, and distances of 3 records"),
        (npz(distances=SQUARE, ids=np.array(["a", "b", "a"])), "'a' twice"),
        (npz(distances=SQUARE, ids=np.array(["a", "b", ""])), "no id for record 3"),
        (npz(distances=SQUARE, ids=np.array(["a", "b", "c"], dtype=object)), "Python objects"),
        (npz(distances=np.array([1, None, 3])), "Python objects"),
        (npz(distances=np.array([1, -2, 3])), "negative distance"),
        (npz(distances=np.array([1, np.nan, 3])), "no number.*'1' and '3'"),
        (npz(distances=np.empty(0)), "one record"),
        (npz(distances=np.zeros((0, 0))), "no records"),
        (npz(distances=SQUARE + 1), "to itself"),
        (npz(distances=np.triu(SQUARE)), "not symmetric"),
        (npz(distances=SQUARE * 1j), "no array 'distances'"),
        (npz(distances=SQUARE)[:-30], "damaged"),
        (npz(distances=SQUARE)[:40], "damaged"),
        (b"", "damaged"),
        (b"PK\x03\x04", "damaged"),
    ],
)
def test_wrong_archives_are_told(read, content, words):
    with pytest.raises(InputError, match=words):
        read(content, "m.npz")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (npy(SQUARE)[:-8], "cut off"),
        (npy(SQUARE) + b"x", "more in it than it should"),
        (npy(SQUARE)[:20], "damaged"),
        (npy(SQUARE.astype(complex)), "not one of numbers"),
        (npy(np.array(["a"])), "not one of numbers"),
        (npy(np.zeros((3, 3), dtype=bool)), "not one of numbers"),
        (npy(np.float64(3)), r"shape \(\)"),
        (b"\x93NUMPY\x03\x00" + struct.pack("<I", 4) + b"{}  ", "later version"),
        (b"\x93NUMPY\x01\x00" + struct.pack("<H", 4) + b"((((", "damaged"),
        (npy(np.zeros(3)).replace(b"(3,), }  ", b"(10**9,)"), "damaged"),
        (npy(np.zeros(3)).replace(b"(3,), }        ", b"(4999950000,),}"), "cut off"),
        (npy(np.zeros(3)).replace(b"(3,), } ", b"(-3,), }"), "cut off"),
    ],
)
def test_wrong_arrays_are_told(read, content, words):
    with pytest.raises(InputError, match=words):
        read(content, "m.npy")


def test_numbers_changed_in_an_archive_are_noticed(read):
    content = bytearray(npz(distances=ABC.condensed))
    at = bytes(content).index(struct.pack("<d", 3.25))
    content[at : at + 8] = struct.pack("<d", 4.25)
    with pytest.raises(InputError, match="damaged.*CRC"):
        read(bytes(content), "m.npz")


@needs_parquet
@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"id_1": ["a"], "distance": [1.0]}, "2 columns; it must have id_1, id_2, distance"),
        ({"x": ["a"], "y": ["b"], "z": ["c"]}, "column 'z'.*no numbers"),
        ({"x": [1.5], "y": [2.5], "z": [1.0]}, "neither text nor whole numbers"),
        ({"x": ["a", None], "y": ["b", "c"], "z": [1.0, 2.0]}, "without an id"),
        ({"x": ["a", "a"], "y": ["b", "c"], "z": [1.0, None]}, "no number.*row 2"),
        ({"x": ["a", "a"], "y": ["b", "c"], "z": [1.0, 2.0]}, "3 pairs, more than there can"),
        ({"x": list("aab"), "y": list("bcb"), "z": [1.0, 2, 0]}, "lacks 1 of the 3 pairs"),
        ({"x": list("aabb"), "y": list("bcca"), "z": [1.0, 2, 3, 4]}, "not symmetric"),
        ({"x": [], "y": [], "z": []}, "no rows"),
    ],
)
def test_wrong_parquet_is_told(read, columns, words):
    with pytest.raises(InputError, match=words):
        read(parquet_of(**columns), "m.parquet")


def test_files_that_cannot_be_read(tmp_path, read):
    with pytest.raises(InputError, match="none.csv cannot be read: No such file"):
        files.read_matrix(tmp_path / "none.csv")
    (tmp_path / "folder.npz").mkdir()
    with pytest.raises(InputError, match="folder.npz cannot be read"):
        files.read_matrix(tmp_path / "folder.npz")
    with pytest.raises(InputError, match="no known format; distance matrices end in .csv"):
        read("id,a,b", "m.xlsx")
    with pytest.raises(InputError, match="damaged or cut off"):
        read(gzip.compress(b"id,a,b\na,0,1\nb,1,0\n")[:-9], "m.csv.gz")


def test_without_pyarrow_a_sentence_names_it(tmp_path, read, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    for act in (
        lambda: files.write_matrix(tmp_path / "new.parquet", ABC),
        lambda: read(b"PAR1", "m.parquet"),
    ):
        with pytest.raises(MissingPackage, match="pyarrow.*csv or .npz do without"):
            act()
    assert not (tmp_path / "new.parquet").exists()


# --- writing goes wrong ----------------------------------------------------------------------


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_cancel_leaves_nothing(tmp_path, ending):
    path = tmp_path / f"m{ending}"
    told = []

    def stop(fraction):
        told.append(fraction)
        if fraction > 0.05:
            raise Cancelled

    with pytest.raises(Cancelled):
        files.write_matrix(path, matrix_of(600), 3, stop)
    assert told and not path.exists()


@pytest.mark.parametrize("ending", ENDINGS)
def test_reading_can_be_cancelled(tmp_path, ending):
    path = tmp_path / f"m{ending}"
    files.write_matrix(path, matrix_of(600), 3)

    def stop(fraction):
        if fraction > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        files.read_matrix(path, stop)


@pytest.mark.parametrize("ending", ENDINGS)
def test_progress_goes_from_start_to_end(tmp_path, ending):
    path = tmp_path / f"m{ending}"
    for act in (
        lambda report: files.write_matrix(path, matrix_of(600), 3, report),
        lambda report: files.read_matrix(path, report),
    ):
        told = []
        act(told.append)
        assert told == sorted(told) and told[0] < 0.1 and told[-1] == 1.0


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_full_disk_leaves_nothing(tmp_path, monkeypatch, ending):
    path = tmp_path / f"m{ending}"

    class Full(io.FileIO):
        def write(self, data):
            if self.tell() + len(data) > 2000:
                raise OSError(errno.ENOSPC, "No space left on device")
            return super().write(data)

    monkeypatch.setattr(files, "open", lambda path, mode: Full(path, mode), raising=False)
    with pytest.raises(
        InputError, match=f"m{ending} cannot be written: No space left on device. Make room"
    ):
        files.write_matrix(path, matrix_of(100), 3)
    assert not path.exists()


def test_where_nothing_can_be_written(tmp_path):
    with pytest.raises(InputError, match="cannot be written: No such file or directory"):
        files.write_matrix(tmp_path / "none" / "m.csv", ABC)
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        files.write_matrix(tmp_path / "folder.csv", ABC)
    assert (tmp_path / "folder.csv").is_dir()
    with pytest.raises(InputError, match="m.xlsx; let the name end in .csv"):
        files.write_matrix(tmp_path / "m.xlsx", ABC)


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        (DistanceMatrix(np.array([1.0, np.nan, 2]), tuple("abc")), "no number"),
        (DistanceMatrix(np.array([1.0, -1, 2]), tuple("abc")), "negative"),
        (DistanceMatrix(np.empty(0), ("a",)), "one record"),
        (DistanceMatrix(np.ones(1), ("a", "a")), "twice"),
        (DistanceMatrix(np.ones(1), ("a", "\ud800")), "no text"),
        (DistanceMatrix(np.ones(1), ("a", "b\0")), "no text"),
        (DistanceMatrix(np.array([0.5]), ("a", "b")), "not rounded"),
    ],
)
def test_what_is_no_matrix_is_not_written(tmp_path, matrix, words):
    path = tmp_path / "m.csv"
    with pytest.raises(InputError, match=words):
        files.write_matrix(path, matrix, 0)
    assert not path.exists()


# --- with and without the accelerator --------------------------------------------------------

NUMBER = st.one_of(
    st.floats(allow_nan=False).map(repr),
    st.integers(-5, 2**60).map(str),
    st.decimals(0, 10**9, places=6, allow_nan=False).map(str),
    st.from_regex(r"[0-9]{0,20}\.?[0-9]{0,25}", fullmatch=True),
    st.text("0123456789.,-+eE_ xn", max_size=12),
)


@given(st.lists(NUMBER, min_size=1, max_size=6), st.sampled_from(",;"), st.integers(-1, 1))
@example(["9007199254740991", "9007199254740993", "0.30000000000000004", ".5", "5."], ",", 0)
@example(["1" * 400, "0" * 30 + "1", "." + "0" * 30 + "1", ".", ""], ";", 0)
def test_numbers_are_the_same_compiled(numbers, separator, more):
    assume(accel.available())
    text = separator.join(numbers).encode()
    answers = []
    for on in (True, False):
        accel.set_enabled(on)
        values = Cells(separator.encode(), "m.csv").numbers(text, max(len(numbers) + more, 1))
        answers.append(None if values is None else values.tobytes())
    accel.set_enabled(True)
    assert answers[0] == answers[1]


# --- anything at all -------------------------------------------------------------------------


def outcome(read, content, name):
    """Read it: a matrix that holds what it must, or a sentence."""
    try:
        matrix = read(content, name)
    except GeoAnonError as error:
        assert str(error)[-1] in ".)?" and len(str(error)) < 2000
        return
    assert len(matrix) >= 2 and len(set(matrix.ids)) == len(matrix)
    assert (matrix.condensed >= 0).all() and (matrix.condensed < np.inf).all()


@anywhere
@given(st.binary(max_size=300), st.sampled_from(files.READ))
def test_random_bytes(read, content, ending):
    outcome(read, content, "m" + ending)


@settings(anywhere, max_examples=300)
@given(st.text('abc019.,;\t\n\r" -eE_é\ufeff', max_size=80))
def test_random_tables(read, text):
    outcome(read, text, "m.csv")


def samples():
    found = [
        ("m.csv", b"id,a,b,c\na,0,1.5,2\nb,1.5,0,3.25\nc,2,3.25,0\n"),
        ("m.csv", b'"";"a";"b c"\n"a";0;1,5\n"b c";1,5;0\n'),
        ("m.csv", b"id_1,id_2,distance\na,b,1.5\na,c,2\nb,c,3.25\n"),
        ("m.csv.gz", gzip.compress(b"id,a,b\na,0,1.5\nb,1.5,0\n")),
        ("m.npy", npy(SQUARE)),
        ("m.npz", npz(distances=ABC.condensed, ids=np.array(ABC.ids), unit=np.array("m"))),
    ]
    if HAS_PARQUET:
        found.append(("m.parquet", parquet_of(id_1=list("aab"), id_2=list("bcc"), d=[1.0, 2, 3])))
    return found


@pytest.mark.slow
@settings(anywhere, max_examples=500)
@given(st.data())
def test_damaged_files(read, data):
    name, content = data.draw(st.sampled_from(samples()))
    content = bytearray(content)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, max(len(content) - 1, 0)))
        how = data.draw(st.sampled_from(["change", "drop", "insert", "cut", "double"]))
        if how == "change" and content:
            content[at] = data.draw(st.integers(0, 255))
        elif how == "drop":
            del content[at : at + data.draw(st.integers(1, 8))]
        elif how == "insert":
            content[at:at] = data.draw(st.binary(min_size=1, max_size=4))
        elif how == "cut":
            del content[at:]
        else:
            content[at:at] = content[at : at + data.draw(st.integers(1, 40))]
    outcome(read, bytes(content), name)


def test_an_archive_that_promises_too_much(read):
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"shape": (10**5, 10**5), "fortran_order": False, "descr": "<f8"}
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("distances.npy", header.getvalue() + bytes(80))
    with pytest.raises(InputError, match="larger than it is"):
        read(buffer.getvalue(), "m.npz")


def test_blocks_do_not_matter(tmp_path):
    # Larger than any block that is written or read at once.
    matrix = matrix_of(800)
    square = matrix.square()
    for ending in (".csv", ".npz"):
        files.write_matrix(tmp_path / f"m{ending}", matrix, 3)
        assert same(matrix, files.read_matrix(tmp_path / f"m{ending}"))
    (tmp_path / "m.npy").write_bytes(npy(square))
    assert np.array_equal(files.read_matrix(tmp_path / "m.npy").condensed, matrix.condensed)
    lines = (tmp_path / "m.csv").read_text(encoding="utf-8").splitlines()
    rows = (
        f"{name}," + ",".join(map("{:.3f}".format, row)) for name, row in zip(matrix.ids, square)
    )
    assert lines == [",".join(["id", *matrix.ids]), *rows]
