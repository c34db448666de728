"""Mocks: replacements that tests install while they run (`@mock.patch("pkg.mp")`)."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.syntax import FUNCTIONS, BrokenSyntax, Function, dotted, parse
from lintpickle.prefilter.words import Words
from lintpickle.program.first_party import FirstPartyModules

_WORDS = Words({"monkeypatch", "patch", "mocker"})
_TESTS = re.compile(r"\bpatch\b|\bmonkeypatch\b|\bmocker\b|\bdef test")
_FIXTURES = re.compile(r"\bfixture\b")
SET_UP = frozenset(
    {"setUp", "asyncSetUp", "setUpClass", "setUpModule", "setup", "setup_method", "setup_class", "setup_module"}
)
"""The functions that runners of tests call before these."""
_PARTS = re.compile(r"\w+")
_Scope: TypeAlias = "Function | ast.ClassDef"


class Mocks:
    """Finds the names that are mocks while a test runs. `own` are the modules of the program."""

    def __init__(self, first_party: FirstPartyModules) -> None:
        self._first_party = first_party
        self._patched: dict[tuple[str, int], frozenset[str]] = {}

    def is_one(self, boundary: BoundaryCall) -> bool:
        """Whether the test from which a boundary was reached has mocked the boundary, or something called on the way to
        it."""
        way = (*(hop.site for hop in boundary.hops), boundary.site)
        if not any(site.module.has(_TESTS) for site in way):
            return False
        called = {*(part for site in way for part in _called(site)), boundary.spec.name}
        return any(not called.isdisjoint(self._patched_at(site)) for site in way)

    def _patched_at(self, site: Site) -> frozenset[str]:
        """The last parts of the names that are patched while the function around a place runs."""
        module = site.module
        block = module.outline.block_at(site.span.start)
        if block is None or not module.has(_TESTS):
            return frozenset()
        row = module.code.count("\n", block.span.start, site.span.start) + 1
        key = (module.path, site.span.start)
        if key not in self._patched:
            scopes = tuple(_around(row, _read(module.code[block.span.start : block.span.end])))
            names = {name for scope in scopes for name in _patched_by(scope)}
            wanted = {name for scope in scopes for name in _wanted(scope)}
            if wanted or not scopes:
                names |= self._patched_by_fixtures(site, wanted)
            self._patched[key] = frozenset(names)
        return self._patched[key]

    def _patched_by_fixtures(self, site: Site, wanted: set[str]) -> set[str]:
        """What fixtures patch that a test asks for by their names, or that all tests get."""
        module, found = site.module, set[str]()
        texts = {
            path: text
            for path, text in self._first_party.texts_naming(_WORDS, module.path, _FIXTURES)
            if _shares(path, module.path)
        }
        for text in texts.values():
            for node in ast.walk(_read(text)):
                if isinstance(node, FUNCTIONS) and _is_fixture(node, wanted):
                    found.update(_patched_by(node))
        return found


def _shares(path: str, test: str) -> bool:
    """Whether a test can use the fixtures of a file: its own, or a conftest.py around it."""
    folder, name = os.path.split(path)
    return path == test or (name == "conftest.py" and test.startswith(folder + os.sep))


def _called(site: Site) -> Iterator[str]:
    """The parts of the name that is called at a place."""
    text = site.module.code[site.span.start : site.span.end]
    yield from _PARTS.findall(text.partition("(")[0])


def _read(text: str) -> ast.Module:
    try:
        return parse(text)
    except BrokenSyntax:
        return ast.Module([], [])


def _around(row: int, tree: ast.AST) -> Iterator[_Scope]:
    """The functions and classes around a row, and what prepares the tests of such a class."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.stmt) and node.lineno <= row <= (node.end_lineno or row):
            if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                yield node
            if isinstance(node, ast.ClassDef):
                yield from (each for each in node.body if isinstance(each, FUNCTIONS) and each.name in SET_UP)
            yield from _around(row, node)


def _wanted(scope: _Scope) -> Iterator[str]:
    if not isinstance(scope, ast.ClassDef):
        yield from (argument.arg for argument in (*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs))
    for decorator in scope.decorator_list:
        if isinstance(decorator, ast.Call) and _name(decorator).endswith("usefixtures"):
            yield from (
                arg.value for arg in decorator.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
            )


def _is_fixture(function: Function, wanted: set[str]) -> bool:
    """Whether it is a fixture of one of the names that are wanted, or for all tests."""
    names = (_name(decorator) for decorator in function.decorator_list)
    is_one = any(name.endswith("fixture") for name in names)
    return is_one and (function.name in wanted or _is_for_all(function))


def _is_for_all(fixture: Function) -> bool:
    return any(
        isinstance(decorator, ast.Call) and any(each.arg == "autouse" for each in decorator.keywords)
        for decorator in fixture.decorator_list
    )


def _patched_by(scope: _Scope) -> Iterator[str]:
    """The last parts of the names that a function patches, or its decorators, or those of a class."""
    nodes: Iterable[ast.AST] = scope.decorator_list
    if not isinstance(scope, ast.ClassDef):
        nodes = (*nodes, *scope.body)
    for node in (inner for each in nodes for inner in ast.walk(each)):
        if isinstance(node, ast.Call):
            yield from _patched_in(node)


def _patched_in(call: ast.Call) -> Iterator[str]:
    *owner, method = _name(call).split(".")
    if method == "setattr" and owner[-1:] not in (["monkeypatch"], ["mp"], ["patch"], ["m"]):
        return
    match method, call.args:
        case (("patch" | "setattr" | "delattr"), [ast.Constant(value=str() as path), *_]):
            yield path.rpartition(".")[2]
        case (("object" | "setattr"), [_, ast.Constant(value=str() as name), *_]) if (
            method == "setattr" or "patch" in owner
        ):
            yield name
        case "multiple", _ if "patch" in owner:
            yield from (keyword.arg for keyword in call.keywords if keyword.arg is not None)
        case _:
            pass


def _name(node: ast.expr) -> str:
    return dotted(node.func if isinstance(node, ast.Call) else node)
