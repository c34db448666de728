"""No two files of the package import each other, not even through others, and not for type annotations only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("circles")

PACKAGE = Path(__file__).parent.parent / "lintpickle"


def _name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {_name(path): path for path in PACKAGE.rglob("*.py") if "injected" not in path.parts}


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in FILES else node.module for name in modules)


@cache
def _graph() -> dict[str, set[str]]:
    return {name: {each for each in _imported(path) if each in FILES} - {name} for name, path in FILES.items()}


def test_the_graph_is_that_of_the_package() -> None:
    graph = _graph()
    assert "lintpickle.interpreter.evaluator" in graph["lintpickle.payload.components"]
    assert sum(map(len, graph.values())) > 1000


def test_there_are_no_circles() -> None:
    TopologicalSorter(_graph()).prepare()  # A CycleError names the files.
