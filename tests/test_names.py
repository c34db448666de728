"""No public name is defined at the top of two modules: what one reads under a name is one thing everywhere."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "lintpickle"
SAME_IN_EACH = {
    "command": "the click command of a module of `commands`",
    "log": "the logger of a module",
    "T": "a type variable",
    "surveys": "the surveys of modules that a part of the analysis asks for",
    "TYPE_CHECKING": "False, without importing `typing`, where that costs time at start",
}
"""Names that mean the same in each module which defines them."""
APART = "injected"
"""What runs inside of a probed program cannot import anything from the rest, so it defines names again."""


def test_no_public_name_is_defined_twice() -> None:
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        # One class in each format, found by looking for it.
        if path.parent.name == "formats" or APART in path.parts:
            continue
        for name in _defined(ast.parse(path.read_text(encoding="utf-8"))):
            homes[name].append(path.relative_to(PACKAGE).as_posix())
    assert {name: paths for name, paths in homes.items() if len(paths) > 1 and name not in SAME_IN_EACH} == {}
    assert all(len(homes[name]) > 1 for name in SAME_IN_EACH)


def _defined(module: ast.Module) -> Iterator[str]:
    for statement in module.body:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names = [name]
            case ast.Assign(targets=targets):
                names = [target.id for target in targets if isinstance(target, ast.Name)]
            case ast.AnnAssign(target=ast.Name(id=name)):
                names = [name]
            case _:
                names = []
        yield from (name for name in names if not name.startswith("_"))
