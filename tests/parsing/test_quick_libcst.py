"""libcst as a process of our own imports it: the same trees, in less time."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs import FIXTURES

_DUMP = """
import dataclasses, hashlib, json, pathlib, sys
if sys.argv[1] == "ours":
    import lintpickle.cli
from lintpickle.parsing.quick_libcst import import_libcst
original = dataclasses.dataclass
import_libcst()
import libcst
assert dataclasses.dataclass is original

def dumped(value):
    if isinstance(value, libcst.CSTNode):
        fields = [each.name for each in dataclasses.fields(value)]
        return [type(value).__name__, {name: dumped(getattr(value, name)) for name in fields}]
    return [dumped(each) for each in value] if isinstance(value, (list, tuple)) else str(value)

found = {}
for path in sorted(pathlib.Path(sys.argv[2]).rglob("*.py")):
    try:
        tree = libcst.parse_module(path.read_bytes())
    except libcst.ParserSyntaxError as error:
        found[str(path)] = str(error)
        continue
    assert tree.bytes == path.read_bytes(), path
    again = tree.deep_clone().with_changes(header=[])
    found[str(path)] = hashlib.sha1(json.dumps([dumped(tree), again.code, repr(tree.body[:1])]).encode()).hexdigest()
try:
    tree.body = []
except dataclasses.FrozenInstanceError:
    found["frozen"] = True
print(json.dumps(found))
"""


def _dump(whose: str) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-c", _DUMP, whose, str(FIXTURES)], capture_output=True, text=True, check=True
    )
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_trees_are_the_same() -> None:
    theirs, ours = _dump("theirs"), _dump("ours")
    assert theirs.pop("frozen"), "in other processes, libcst is as it is"
    assert ours == theirs
    assert len(ours) > 90


def test_nodes_can_be_made_by_hand() -> None:
    code = """
import lintpickle.cli
from lintpickle.parsing.quick_libcst import import_libcst
import_libcst()
import libcst as cst

def check(class_):
    is_abstract = class_._codegen_impl is cst.CSTNode._codegen_impl
    assert is_abstract or class_._codegen is class_._codegen_impl, class_
    for derived in class_.__subclasses__():
        check(derived)

check(cst.CSTNode)
assert cst.Name("x") is not cst.Name("x") and cst.Name("x").lpar == ()
line = cst.SimpleStatementLine([cst.Expr(cst.Call(cst.Name(value="f"), [cst.Arg(cst.Integer("1"))]))])
assert cst.Module([line]).code == "f(1)\\n"
assert cst.ensure_type(cst.parse_expression("a + b"), cst.BinaryOperation).left.deep_equals(cst.Name("a"))
try:
    cst.Name()
except TypeError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "missing 1 required positional argument: 'value'" in done.stdout


@pytest.mark.parametrize("first", ["libcst", "lintpickle.api"])
def test_the_libcst_of_others_is_left_alone(first: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import torch\n\ntorch.save(lambda: 1, 'x')\n")
    code = f"""
import {first}
from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
outcome = lint_paths({[str(tmp_path)]!r}, resolver=SettingsResolver(isolated=True))
assert [each.code for each in outcome.diagnostics] == ["LP102"], outcome
import libcst
try:
    libcst.Name("x").value = "y"
except Exception as error:
    print(type(error).__name__)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "FrozenInstanceError"
