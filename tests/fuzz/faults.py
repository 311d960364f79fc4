# SPDX-License-Identifier: GPL-2.0-or-later
"""Faults that are planted to see that the harness finds them."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from qgis.core import QgsGeometry, QgsPoint, QgsProcessingException

from . import written


def _after(change: Callable) -> Callable:
    """A ``processAlgorithm`` that does harm once the real one is done."""

    def make(real, case):
        def process(self, parameters, context, feedback):
            results = real(self, parameters, context, feedback)
            return change(results, feedback, case) or results

        return process

    return make


def _first_file(results) -> Path:
    paths = [written.path_of(one) for one in results.values() if isinstance(one, str)]
    return next(path for path in paths if path is not None and path.is_file())


def _leaks(results, feedback, case):
    with open(written.path_of(results["OUTPUT"]), "ab") as file:
        file.write(str(case.given["INPUT"].table.rows).encode())


def _leaks_places(results, feedback, case):
    with open(written.path_of(results["OUTPUT"]), "ab") as file:
        file.write(repr(case.given["INPUT"].table.shapes).encode())


def _writes_nan(results, feedback, case):
    (case.folder / "extra.json").write_text('{"a": NaN}', encoding="utf-8")
    return {**results, "JSON": str(case.folder / "extra.json")}


def _writes_script(results, feedback, case):
    page = "<html><body><p><script>alert(1)</script></p></body></html>"
    (case.folder / "extra.html").write_text(page, encoding="utf-8")
    return {**results, "REPORT": str(case.folder / "extra.html")}


def _loses(results, feedback, case):
    _first_file(results).unlink()


def _harms_input(results, feedback, case):
    path = next(one.path for one in case.given.values() if one.path)
    path.write_bytes(path.read_bytes() + b"\n")


def _leaves_draft(results, feedback, case):
    (case.folder / ".geoanon-1" / "new").mkdir(parents=True)


def _writes_beside(results, feedback, case):
    (case.folder / "surprise.txt").write_text("here", encoding="utf-8")


def _falls(results, feedback, case):
    feedback.setProgress(10.0)


def _miscounts(results, feedback, case):
    return {**results, "COUNT": results["COUNT"] + 1}


def _is_no_number(results, feedback, case):
    return {**results, "MEDIAN_SHIFT": float("nan")}


def _undeclared(results, feedback, case):
    return {**results, "SURPRISE": 1}


def _moves_a_point(results, feedback, case):
    layer = written.layer_of(results["OUTPUT"])
    first = next(layer.getFeatures())
    layer.dataProvider().changeGeometryValues({first.id(): QgsGeometry(QgsPoint(5e5, 5e6))})


def _says_python(results, feedback, case):
    feedback.pushInfo("The value is np.float64(1.5).")


def _warns(results, feedback, case):
    warnings.warn("invalid value encountered", RuntimeWarning, stacklevel=1)


def _fails_in_the_middle(results, feedback, case):
    raise KeyError("age")


def _hangs(results, feedback, case):
    time.sleep(3600)


def _ends(results, feedback, case):
    os._exit(3)


def _tells_the_secret(results, feedback, case):
    with open(written.path_of(results["KEY"]), "a", encoding="utf-8") as file:
        file.write(written.path_of(results["SECRET_FILE"]).read_text(encoding="utf-8"))


def _withholds_nobody(results, feedback, case):
    return {**results, "WITHHELD_COUNT": results["WITHHELD_COUNT"] + 1}


def _releases_twice(results, feedback, case):
    layer = written.layer_of(results["OUTPUT"])
    at = layer.fields().lookupField("masked_id")
    layer.dataProvider().changeAttributeValues({2: {at: 1}})


def _leaves_where_it_was(results, feedback, case):
    layer = written.layer_of(results["OUTPUT"])
    of_id = {int(row["masked_id"]): row for row in written.rows_of(results["KEY"])}
    one = next(layer.getFeatures())
    row = of_id[one["masked_id"]]
    place = QgsPoint(float(row["original_x"]), float(row["original_y"]))
    layer.dataProvider().changeGeometryValues({one.id(): QgsGeometry(place)})


def _moves_in_the_second_run(results, feedback, case):
    if "again" in results["OUTPUT"]:
        _moves_a_point(results, feedback, case)


def _instead(error: BaseException) -> Callable:
    def make(real, case):
        def execute(self, run):
            raise error

        return execute

    return make


#: Name of the fault: (method that it takes the place of, how, how its finding begins).
FAULTS: dict[str, tuple[str, Callable, str]] = {
    **{
        name: ("processAlgorithm", _after(change), finding)
        for name, change, finding in (
            ("leaks", _leaks, "leak: OUTPUT holds names"),
            ("leaks places", _leaks_places, "leak: OUTPUT holds coordinates"),
            ("writes NaN", _writes_nan, "JSON: holds NaN"),
            ("writes a script", _writes_script, "HTML: data became a script"),
            ("loses a file", _loses, "output missing"),
            ("harms the input", _harms_input, "input changed"),
            ("leaves a draft", _leaves_draft, "draft left"),
            ("writes beside", _writes_beside, "file new"),
            ("falls", _falls, "progress falls from"),
            ("miscounts", _miscounts, "count: "),
            ("is no number", _is_no_number, "number MEDIAN_SHIFT"),
            ("undeclared", _undeclared, "result that is not declared"),
            ("moves a point", _moves_a_point, "mask: "),
            ("says Python", _says_python, "log shows Python"),
            ("warns", _warns, "warning: RuntimeWarning"),
            ("fails in the middle", _fails_in_the_middle, "refusal shows Python (Traceback)"),
            ("hangs", _hangs, "died: no answer"),
            ("ends", _ends, "died: the process ended with status 3"),
        )
    },
    "raises": ("execute", _instead(KeyError("age")), "traceback: "),
    "mumbles": ("execute", _instead(QgsProcessingException("no such column")), "refusal "),
}

#: The same, of a mask that keeps its draws.
MASK_FAULTS: dict[str, tuple[str, Callable, str]] = {
    name: ("processAlgorithm", _after(change), finding)
    for name, change, finding in (
        ("tells the secret", _tells_the_secret, "secret: KEY holds it"),
        ("withholds nobody", _withholds_nobody, "count: WITHHELD has 0 rows"),
        ("releases twice", _releases_twice, "ids: OUTPUT has [1, 1, "),
        ("leaves where it was", _leaves_where_it_was, "was released where it was"),
        ("moves in the second run", _moves_in_the_second_run, "kept: "),
    )
}


@contextmanager
def planted(name: str, algorithm, case) -> Iterator[None]:
    """Run with a fault in the algorithm's class; an empty name plants none."""
    if not name:
        yield
        return
    method, make, _ = {**FAULTS, **MASK_FAULTS}[name]
    kind = type(algorithm)
    with mock.patch.object(kind, method, make(getattr(kind, method), case)):
        yield
