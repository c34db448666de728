"""Results of workers that depend on the seed for the hashes of texts: on the order of a set of texts that they make or
get, or on a hash that passes by dicts and other functions on its way to what they send, write or print. For `migrate`:
what is not surely a number may be a text.

Source: Python's documentation of PYTHONHASHSEED; measured with CPython 3.11 under all start methods."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TypeVar

from msgspec import Struct

from lintpickle.analyses.at_import.import_statements import path_called
from lintpickle.analyses.process_state.seed_kinds import FREE, ORDERED, SET, SeedKind, SeedScope, kind_of
from lintpickle.analyses.process_state.seed_walk import SeedWalk
from lintpickle.analyses.waiting.waits import definitions_in
from lintpickle.boundaries.boundary_call import ITSELF, BoundaryCall
from lintpickle.control_flow.paths import Paths
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import ConstantValue, ContainerValue
from lintpickle.parsing.names_read import within
from lintpickle.payload.entry_arguments import parameter_at
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_Key = TypeVar("_Key")
_PASSES = 8
"""How often the functions are walked through at most: each time, what they hand one another is known better."""
_SET_KINDS = frozenset({"set", "frozenset"})
_SENDING_NOTHING = ("Process", "spawn", "Thread", "start_processes")
_PLACE = re.compile(r"args\[(\d+)\]")
_ATTRIBUTE = re.compile(r"\.(\w+)$")
_OWN_HASH = "__hash__"
_SET_FORMS = (ast.Set, ast.SetComp, ast.Call)
_SET_ANNOTATIONS = frozenset({"set", "frozenset", "Set", "FrozenSet", "AbstractSet"})
_NUMBERS = frozenset({"int", "float", "bool"})


class SeededResult(Struct, frozen=True):
    """Where workers send, write or print what depends on the seed."""

    function: WorkerFunction
    span: Span


class _Read(Struct, frozen=True, eq=False):
    """A function that is walked through."""

    module: Module
    facts: FunctionFacts
    tree: ast.FunctionDef | ast.AsyncFunctionDef
    worker: WorkerFunction | None

    @property
    def is_method(self) -> bool:
        return "." in self.facts.qualname and not self.facts.is_local


def seeded_results(code: WorkerCode, linker: Linker) -> Iterator[SeededResult]:
    """The first such place in each function that the workers run."""
    return iter(_Flow(code, linker).results()) if linker.moving_to is not None else iter(())


class _Flow:
    """What the functions of the workers hand one another: each pass knows it better."""

    def __init__(self, code: WorkerCode, linker: Linker) -> None:
        self._code, self._linker = code, linker
        self._functions: dict[int, _Read] = {}
        self._named: dict[str, list[_Read]] = {}
        self._modules: dict[str, tuple[Module, ast.Module]] = {}
        self._walks: dict[int, SeedWalk] = {}
        self._returned: dict[int, SeedKind] = {}
        self._given: dict[tuple[int, str], SeedKind] = {}
        self._kept: dict[tuple[str, str], SeedKind] = {}
        self._found: dict[int, SeededResult] = {}
        self._is_changed = False

    def results(self) -> list[SeededResult]:
        """The first place in each function."""
        for each in self._code.functions:
            if each.module.first_party and each.facts.name != _OWN_HASH:
                self._read_function(each.module, each.facts, each)
                self._read_module(each.module)
        if self._code.boundary is not None:
            self._receive(self._code.boundary)
        for _ in range(_PASSES):
            self._is_changed = False
            for module, tree in list(self._modules.values()):
                self._walk_module(module, tree)
            for function in list(self._functions.values()):
                self._walk(function)
            if not self._is_changed:
                break
        return list(self._found.values())

    def raise_to(self, known: dict[_Key, SeedKind], key: _Key, kind: SeedKind) -> None:
        """Notes what is known, if that is more than before."""
        if kind > known.get(key, FREE):
            known[key] = kind
            self._is_changed = True

    def keep(self, module: Module, target: ast.expr, kind: SeedKind) -> None:
        """An attribute, or a name of the module, gets something of a kind."""
        match target:
            case ast.Name(id=name):
                self.raise_to(self._kept, (module.path, name), kind)
            case ast.Attribute(attr=name):
                self.raise_to(self._kept, ("", name), kind)
            case ast.Subscript(value=base):
                self.keep(module, base, kind)
            case _:
                pass

    def found(self, function: _Read, node: ast.AST) -> None:
        """A function sends something that depends on the seed."""
        worker = function.worker
        if worker is not None and id(worker.facts) not in self._found:
            assert isinstance(node, (ast.expr, ast.stmt))
            self._found[id(worker.facts)] = SeededResult(worker, worker.frame.paths.span(node))

    def returned(self, function: _Read, kind: SeedKind, node: ast.AST) -> None:
        """A function returns something of a kind."""
        self.raise_to(self._returned, id(function.facts), kind)
        is_entry = function.worker is not None and function.worker.is_begun_with
        if is_entry and kind >= ORDERED and self._are_results_sent:
            self.found(function, node)

    @property
    def _are_results_sent(self) -> bool:
        boundary = self._code.boundary
        return boundary is None or not (ITSELF in boundary.payload or boundary.spec.name in _SENDING_NOTHING)

    def _read_function(self, module: Module, facts: FunctionFacts, worker: WorkerFunction | None) -> _Read | None:
        if id(facts) not in self._functions:
            inner = next(definitions_in(Paths(module, facts.span).tree), None)
            if inner is None:
                return None
            function = _Read(module, facts, inner, worker)
            self._functions[id(facts)] = function
            self._named.setdefault(facts.name, []).append(function)
            self._is_changed = True
        return self._functions[id(facts)]

    def _receive(self, boundary: BoundaryCall) -> None:
        """What crosses in sets: they get another order in the worker."""
        for crossing in self._linker.shipped_by(boundary):
            value = crossing.value
            if not isinstance(value, ContainerValue) or value.kind not in _SET_KINDS or self._holds_numbers(value):
                continue
            attribute, place = _ATTRIBUTE.search(crossing.path), _PLACE.fullmatch(crossing.path)
            if attribute is not None:
                self._kept["", attribute[1]] = SET
            for function in self._functions.values() if attribute is None else ():
                name = parameter_at(int(place[1]) if place is not None else 0, function.facts, boundary.spec)
                if function.worker is not None and function.worker.entry and name is not None:
                    self._given[id(function.facts), name] = SET

    def _holds_numbers(self, value: ContainerValue) -> bool:
        held = [each.value for slot in value.slots for each in self._linker.evaluate(slot.value, slot.frame)]
        return bool(held) and all(
            isinstance(each, ConstantValue) and isinstance(each.value, (int, float)) for each in held
        )

    def _read_module(self, module: Module) -> None:
        if module.path in self._modules or not module.first_party:
            return
        source = source_tree(module.code)
        tree = source.tree if source is not None else ast.Module([], [])
        self._modules[module.path] = module, tree
        self._is_changed = True
        scope = self._scope(module, {}, set())
        for node in within(tree):
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, _SET_FORMS):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                attributes = [each for each in targets if isinstance(each, ast.Attribute)]
                if attributes and kind_of(node.value, scope) == SET:
                    for target in attributes:
                        self.keep(module, target, SET)

    def _walk_module(self, module: Module, tree: ast.Module) -> None:
        scope = self._scope(module, {}, set())
        if id(tree) not in self._walks:
            self._walks[id(tree)] = SeedWalk(tree, None, _InModule(self, module))
        walk = self._walks[id(tree)]
        walk.run(tree.body, scope)
        for name, kind in scope.kinds.items():
            self.raise_to(self._kept, (module.path, name), kind)
        for class_ in (each for each in tree.body if isinstance(each, ast.ClassDef)):
            inner = self._scope(module, {}, set())
            walk.run(class_.body, inner)
            for name, kind in inner.kinds.items():
                self.raise_to(self._kept, ("", name), kind)

    def _walk(self, function: _Read) -> None:
        facts, tree = function.facts, function.tree
        names = {each.name for each in facts.parameters}
        kinds = {name: self._given.get((id(facts), name), FREE) for name in names}
        given = [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]
        scope = self._scope(function.module, kinds, {each.arg for each in given if _are_numbers(each.annotation)})
        for each in given:
            if _is_set(each.annotation) and each.arg not in scope.numbers:
                scope.kinds[each.arg] = max(SET, scope.kinds[each.arg])
        if id(tree) not in self._walks:
            stored = (each for each in within(tree) if isinstance(each, ast.Name))
            bound = {each.id for each in stored if not isinstance(each.ctx, ast.Load)}
            own = frozenset((bound | names) - set(facts.globals_declared))
            self._walks[id(tree)] = SeedWalk(tree, own, _InFunction(self, function))
        self._walks[id(tree)].run(tree.body, scope)

    def _scope(self, module: Module, kinds: dict[str, SeedKind], numbers: set[str]) -> SeedScope:
        return SeedScope(
            kinds,
            numbers,
            lambda call, kinds, scope: self._called(call, kinds, module, scope),
            lambda node: self._kind_read(node, module),
            lambda node: path_called(node, module),
        )

    def _kind_read(self, node: ast.expr, module: Module) -> SeedKind:
        match node:
            case ast.Name(id=name):
                return max((self._kept.get(each, FREE) for each in self._homes(name, module)), default=FREE)
            case ast.Attribute(value=ast.Name(id=base), attr=name):
                homes = [each for each in self._linker.evaluator.names.lookup(module, base) if each.is_module]
                kinds = [self._kind_of_path(each.path, name, module) for each in homes]
                return max([*kinds, self._kept.get(("", name), FREE)])
            case ast.Attribute(attr=name):
                return self._kept.get(("", name), FREE)
            case _:
                return FREE

    def _kind_of_path(self, path: str | None, name: str, importer: Module) -> SeedKind:
        module = self._linker.program.find(path, importer) if path is not None else None
        if module is None:
            return FREE
        self._read_module(module)
        return self._kept.get((module.path, name), FREE)

    def _homes(self, name: str, module: Module) -> Iterator[tuple[str, str]]:
        """The modules that give a name its value, and its name there."""
        for binding in self._linker.evaluator.names.lookup(module, name):
            if binding.module is not None and binding.value is not None:
                self._read_module(binding.module)
                there = path_called(ast.Name(name), module).rpartition(".")[2] if binding.module is not module else name
                yield binding.module.path, there or name

    def _called(self, call: ast.Call, kinds: list[SeedKind], module: Module, scope: SeedScope) -> SeedKind | None:
        """What a call of functions of the program with arguments of some kinds gives; None if it calls none."""
        placed, count = kinds[: len(call.args)], len(call.args)
        by_name = zip((each.arg for each in call.keywords), kinds[count:], strict=True)
        named = [(name, kind) for name, kind in by_name if name is not None]
        callees = list(self._callees(call.func, module))
        for callee in callees:
            skipped = 1 if callee.is_method and not isinstance(call.func, ast.Name) else 0
            names = [each.name for each in callee.facts.parameters if each.kind.startswith("pos")][skipped:]
            for name, kind in [*zip(names, placed, strict=False), *named]:
                self.raise_to(self._given, (id(callee.facts), name), kind)
        if not callees or (isinstance(call.func, ast.Attribute) and kind_of(call.func.value, scope) != FREE):
            return None
        return max(self._returned.get(id(each.facts), FREE) for each in callees)

    def _callees(self, function: ast.expr, module: Module) -> Iterator[_Read]:
        match function:
            case ast.Name(id=name):
                for binding in self._linker.evaluator.names.lookup(module, name):
                    if binding.function is not None and binding.module is not None and binding.module.first_party:
                        found = self._read_function(binding.module, binding.function, None)
                        yield from [found] if found is not None else []
                yield from (each for each in self._named.get(name, ()) if each.facts.is_local)
            case ast.Attribute(attr=name):
                yield from (each for each in self._named.get(name, ()) if not each.facts.is_local)
            case _:
                pass


class _InFunction(Struct, frozen=True, eq=False):
    """Who is told what a function does."""

    flow: _Flow
    function: _Read

    def returns(self, kind: SeedKind, node: ast.AST) -> None:
        self.flow.returned(self.function, kind, node)

    def sends(self, node: ast.AST) -> None:
        self.flow.found(self.function, node)

    def keeps(self, target: ast.expr, kind: SeedKind) -> None:
        self.flow.keep(self.function.module, target, kind)


class _InModule(Struct, frozen=True, eq=False):
    """Who is told what a module does as it is imported."""

    flow: _Flow
    module: Module

    def returns(self, kind: SeedKind, node: ast.AST) -> None:
        """Modules return nothing."""

    def sends(self, node: ast.AST) -> None:
        """What is sent at import is no result of workers."""

    def keeps(self, target: ast.expr, kind: SeedKind) -> None:
        self.flow.keep(self.module, target, kind)


def _words(annotation: ast.expr | None) -> set[str]:
    named = within(annotation) if annotation is not None else ()
    return {each.id for each in named if isinstance(each, ast.Name)}


def _are_numbers(annotation: ast.expr | None) -> bool:
    """Whether an annotation tells of numbers, or of what holds them (`list[int]`)."""
    words = _words(annotation)
    return not words.isdisjoint(_NUMBERS) and words.isdisjoint({"str", "bytes", "dict", "Any"})


def _is_set(annotation: ast.expr | None) -> bool:
    outer = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return isinstance(outer, ast.Name) and outer.id in _SET_ANNOTATIONS
