# SPDX-License-Identifier: GPL-2.0-or-later
"""What the plugin asks of Qt, asked of PyQt6; ``test_qt6.py`` starts this in a Python of its own.

    python qt6_visit.py names FOLDER    resolves every name; prints what is wrong, as JSON
    python qt6_visit.py draw CHECKOUT   draws and spells with PyQt6 where no QGIS is needed

``qgis.PyQt`` is PyQt6 here, without the aliases that QGIS 4 puts over it: what works so, works
there.
"""

import ast
import importlib
import json
import operator
import sys
import types
from pathlib import Path

MODULES = ("QtCore", "QtGui", "QtWidgets", "QtNetwork", "QtXml", "QtSvg", "QtPrintSupport")
#: Versions that code may ask for; these are QGIS 4's.
VERSIONS = {"Qgis.QGIS_VERSION_INT": 40000, "QT_VERSION": 0x060000}
COMPARE = {
    ast.GtE: operator.ge,
    ast.Gt: operator.gt,
    ast.LtE: operator.le,
    ast.Lt: operator.lt,
}


def put_pyqt6_in_place() -> None:
    """Make ``qgis.PyQt`` of PyQt6, and as much of ``qgis.core`` as ``compat`` asks for."""
    root, over, core = (types.ModuleType(f"qgis{name}") for name in ("", ".PyQt", ".core"))
    root.__path__, over.__path__, root.PyQt, root.core = [], [], over, core
    sys.modules.update({"qgis": root, "qgis.PyQt": over, "qgis.core": core})
    core.Qgis = types.SimpleNamespace(
        QGIS_VERSION_INT=VERSIONS["Qgis.QGIS_VERSION_INT"],
        LayerType=types.SimpleNamespace(Vector=0),
    )
    core.NULL, core.QgsField, core.QgsFields = None, object, list
    for name in MODULES:
        module = importlib.import_module(f"PyQt6.{name}")
        setattr(over, name, module)
        sys.modules[f"qgis.PyQt.{name}"] = module


def holds(test: ast.expr):
    """Return whether a condition on versions holds with QGIS 4; None for any other condition."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        version = VERSIONS.get(ast.unparse(test.left))
        compare = COMPARE.get(type(test.ops[0]))
        if version is not None and compare and isinstance(test.comparators[0], ast.Constant):
            return compare(version, test.comparators[0].value)
    return None


class Names(ast.NodeVisitor):
    """Resolves one file's Qt names.

    Known are imported names, attributes of them, what a call of a class makes, and variables,
    parameters and loop-free assignments of those, within the file.
    """

    def __init__(self, path: str):
        self.path, self.wrong, self.seen = path, [], set()
        self.scopes = [{}]

    def say(self, node, what: str) -> None:
        self.wrong.append(f"{self.path}:{node.lineno}: {what}")

    # --- what is known --------------------------------------------------------------------

    def lookup(self, name: str):
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    def meaning(self, node):
        """Return ("is", object) or ("made of", class) of an expression, None if not known."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node = self.annotation(node.value)  # in a string only annotations name classes
        if isinstance(node, ast.Name):
            return self.lookup(node.id)
        if isinstance(node, ast.Attribute):
            base = self.meaning(node.value)
            found = base and getattr(base[1], node.attr, None)
            return ("is", found) if found is not None else None
        if isinstance(node, ast.Call):
            made = self.meaning(node.func)
            if made and made[0] == "is" and isinstance(made[1], type):
                return ("made of", made[1])
        if isinstance(node, ast.IfExp) and holds(node.test) is not None:
            return self.meaning(node.body if holds(node.test) else node.orelse)
        return None

    @staticmethod
    def annotation(text: str):
        try:
            return ast.parse(text, mode="eval").body
        except SyntaxError:
            return None

    # --- what is bound ----------------------------------------------------------------------

    def visit_Import(self, node):
        for alias in node.names:
            if alias.name.split(".")[0] in ("PyQt5", "PyQt6", "PySide2", "PySide6"):
                self.say(node, f"{alias.name} is imported past qgis.PyQt")

    def visit_ImportFrom(self, node):
        module = node.module or ""
        if module.split(".")[0] in ("PyQt5", "PyQt6", "PySide2", "PySide6"):
            self.say(node, f"{module} is imported past qgis.PyQt")
        if module != "qgis.PyQt" and not module.startswith("qgis.PyQt."):
            return
        try:
            source = importlib.import_module(module)
        except ImportError:
            return self.say(node, f"no module {module}")
        for alias in node.names:
            self.seen.add(f"{module.rpartition('.')[2]}.{alias.name}")
            if hasattr(source, alias.name):
                self.scopes[-1][alias.asname or alias.name] = ("is", getattr(source, alias.name))
            else:
                self.say(node, f"{module} has no {alias.name}")

    def visit_FunctionDef(self, node):
        for part in (*node.decorator_list, node.args, node.returns):
            if part is not None:
                self.visit(part)
        self.scopes.append({})
        arguments = node.args
        for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            known = one.annotation is not None and self.meaning(one.annotation)
            # A name of our own hides an imported one.
            self.scopes[-1][one.arg] = ("made of", known[1]) if known else None
        for statement in node.body:
            self.visit(statement)
        self.scopes.pop()

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Assign(self, node):
        self.visit(node.value)
        for target in node.targets:
            self.visit(target)
            if isinstance(target, ast.Name):
                self.scopes[-1][target.id] = self.meaning(node.value)

    def visit_If(self, node):
        answer = holds(node.test)
        self.visit(node.test)
        for statement in (
            *(node.body if answer is not False else ()),
            *(node.orelse if answer is not True else ()),
        ):
            self.visit(statement)

    def visit_IfExp(self, node):
        answer = holds(node.test)
        for part in (
            (node.body, node.orelse)
            if answer is None
            else (node.body,)
            if answer
            else (node.orelse,)
        ):
            self.visit(part)

    # --- what is asked ----------------------------------------------------------------------

    def visit_Attribute(self, node):
        self.generic_visit(node)
        base = self.meaning(node.value)
        if base is None or not self.is_qt(base[1]):
            return
        self.seen.add(f"{getattr(base[1], '__name__', base[1])}.{node.attr}")
        if node.attr in ("exec_", "print_"):
            self.say(node, f"{ast.unparse(node)}: gone, without the underscore now")
        elif not hasattr(base[1], node.attr):
            self.say(node, f"{ast.unparse(node)}: PyQt6 has no such name")

    def visit_Call(self, node):
        self.generic_visit(node)
        made = self.meaning(node.func)
        if made and made[0] == "is" and isinstance(made[1], type) and self.is_qt(made[1]):
            if not (node.args or node.keywords):
                try:
                    made[1]()
                except TypeError as error:
                    self.say(node, f"{ast.unparse(node)}: {error}")

    @staticmethod
    def is_qt(thing) -> bool:
        """Tell whether something is PyQt6's."""
        where = getattr(thing, "__module__", None) or getattr(thing, "__name__", "")
        return str(where).startswith("PyQt6")


def resolve(folder: Path) -> dict:
    """Return the names asked for, and what is wrong with them."""
    from qgis.PyQt.QtCore import PYQT_VERSION_STR
    from qgis.PyQt.QtWidgets import QApplication

    application = QApplication(["qt6", "-platform", "offscreen"])
    wrong, seen, files = [], set(), 0
    for path in sorted(folder.rglob("*.py")):
        names = Names(path.relative_to(folder).as_posix())
        names.visit(ast.parse(path.read_text(encoding="utf-8")))
        wrong += names.wrong
        seen |= names.seen
        files += 1
    del application
    return {"PyQt6": PYQT_VERSION_STR, "files": files, "names": sorted(seen), "wrong": wrong}


def draw(checkout: Path) -> dict:
    """Draw a page with a frame, a scale bar and a legend, and spell what Qt hands over."""
    sys.path.insert(0, str(checkout))
    from qgis.PyQt.QtCore import QByteArray, QDate, QDateTime, QTime
    from qgis.PyQt.QtGui import QGuiApplication, QImage, QPainter

    application = QGuiApplication(["qt6", "-platform", "offscreen"])
    from geoanon_qgis import compat
    from geoanon_qgis.processing import wording
    from geoanon_qgis.processing.layers import values
    from geoanon_qgis.processing.maps import painting

    pen = painting.Pen(192.0)
    drawn = []
    lines, height = painting.legend_lines([("a", "Masked"), ("b", "Moved")], pen, 500)
    paper = painting.blank(500, 300 + height, 192.0)
    painter = QPainter(paper)
    painting.draw_frame(painter, 500, 300)
    painting.draw_scale_bar(painter, pen, 500, 300, 1.0, 1.0)
    painting.draw_north(painter, pen, 500)
    painting.draw_legend(painter, pen, lines, 300, lambda *asked: drawn.append(asked[1]))
    painter.end()
    png = painting.png(paper)
    again = QImage.fromData(png, "PNG")

    def ink(top, bottom):
        rows, columns = range(top, bottom), range(1, again.width() - 1)
        return sum(again.pixelColor(x, y).lightness() < 100 for x in columns for y in rows)

    day, hour = QDate(2020, 1, 2), QTime(3, 4, 5)
    spelt = [day, hour, QDateTime(day, hour), QByteArray(b"\x01"), QDate()]
    result = {
        "png": png[:4].hex(),
        "writes": pen.writes,
        "symbols": drawn,
        "size": [again.width(), again.height()],
        "height": height,
        "scale_bar": ink(200, 298),
        "north": ink(2, 100),
        "legend": ink(301, 300 + height),
        "spelt": [values.text_of(one) for one in spelt],
        "fields": sorted(compat.FIELD_TYPES),
        "wording": wording.report_wording().lang,
    }
    del application
    return result


if __name__ == "__main__":
    put_pyqt6_in_place()
    work = {"names": resolve, "draw": draw}[sys.argv[1]]
    print(json.dumps(work(Path(sys.argv[2]))))
