"""The calls that a module makes when it is imported, in any process: by its statements outside of functions and of the
main guard, and by the functions and constructors of the program that these call."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from lintpickle.analyses.at_import.run_statements import UNCONDITIONAL, KnownBefore, block_read, statements_run
from lintpickle.analyses.process_state.setting_paths import imported_path
from lintpickle.diagnostics import Span
from lintpickle.interpreter.abstract_values import Site
from lintpickle.limits import IMPORT_CALLS
from lintpickle.parsing.names_read import children, within
from lintpickle.parsing.outline import Block
from lintpickle.parsing.syntax import FUNCTIONS, INNER_SCOPES, dotted, names_bound, target_names
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_CONSTRUCTOR = "__init__"
Placing: TypeAlias = Callable[[ast.expr], Span]
"""Tells where an expression stands in the file."""
_HOPS = 8
_OF_A_PATH = re.compile(
    r"(pathlib\.(?:Pure|Posix|Windows)?Path\(\)|pathlib\.Path\.(?:cwd|home)\(\))"
    r"(?:\.parent|\.(?:resolve|absolute|expanduser|joinpath|with_suffix|with_name)\(\))*"
)


class CallAtImport(Struct, frozen=True, eq=False):
    """A call that importing a module makes: the path of what is called, and its place. `around` are the calls of
    functions of the program by which it comes to this."""

    call: ast.Call
    path: str
    module: Module
    """That in whose text it stands."""
    span: Span
    kept: tuple[str, ...]
    """The names that the statement binds, or that of the object in which a constructor stores the result."""
    known: KnownBefore = UNCONDITIONAL
    around: tuple[Site, ...] = ()
    block: Span = Span(0, 0)
    """The top-level statement, or the function of the module, in which it stands."""


def calls_at_import(module: Module, linker: Linker) -> tuple[CallAtImport, ...]:
    """What importing a module calls, whichever process imports it and however often; without what the modules call that
    it imports."""
    return linker.remembered(("calls at import", module.path), lambda: tuple(_Importing(module, linker).calls()))


def statements_at_import(module: Module, in_classes: re.Pattern[str]) -> Iterator[tuple[ast.stmt, Placing]]:
    """The statements that a module runs at import, those in blocks of others too, and what tells places in them. Of the
    classes, those in which a form stands."""
    for block in module.outline.blocks:
        is_class = block.is_class and not in_classes.search(module.code, block.span.start, block.span.end)
        if not (block.bare or block.defines_function or is_class):
            reading = block_read(block, module)
            for statement, _ in statements_run(reading.tree.body):
                yield statement, reading.span


def names_given(statement: ast.stmt) -> Iterator[tuple[list[str], ast.expr]]:
    """The names to which a statement itself gives a value, each time with the expression of that."""
    match statement:
        case ast.Assign(targets=targets, value=value):
            yield [name for target in targets for name in target_names(target)], value
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            yield list(target_names(target)), value
        case ast.With(items=items):
            for item in items:
                if item.optional_vars is not None:
                    yield list(target_names(item.optional_vars)), item.context_expr
        case _:
            pass


def path_called(node: ast.expr, module: Module) -> str:
    """The path of what an expression names or gives, with "()" for what is called; "" if that is not known. A name of
    the module stands for the one value that it gets at import."""
    return _OF_A_PATH.sub("pathlib.Path()", _path(node, module, _HOPS))


def _path(node: ast.expr, module: Module, hops: int) -> str:
    behind = ""
    while not isinstance(node, ast.Name):
        match node:
            case ast.Attribute(value=base, attr=name):
                node, behind = base, f".{name}{behind}"
            case ast.Call(func=function):
                node, behind = function, f"(){behind}"
            case ast.BinOp(left=left, op=ast.Div()):
                node = left
            case _:
                return ""
    root = _path_of_name(node.id, module, hops)
    return f"{root}{behind}" if root else ""


def _path_of_name(name: str, module: Module, hops: int) -> str:
    imported = imported_path((name,), module)
    if imported is not None or name in module.outline.imports:
        return imported or ""
    if module.outline.is_builtin(name):
        return f"builtins.{name}"
    bound = module.outline.binding(name)
    value = _value(name, bound[0], module) if len(bound) == 1 and hops else None
    return _path(value, module, hops - 1) if value is not None else ""


def _value(name: str, block: Block, module: Module) -> ast.expr | None:
    """What the one statement that binds a name gives it."""
    if block.bare or block.defines_function or block.is_class:
        return None
    found: ast.expr | None = None
    for statement, _ in statements_run(block_read(block, module).tree.body):
        match statement:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                found = value
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value) if target == name:
                found = value
            case ast.With(items=items):
                given = [each for each in items if each.optional_vars is not None]
                found = next((each.context_expr for each in given if dotted(_target(each)) == name), found)
            case _:
                pass
    return found


def _target(item: ast.withitem) -> ast.expr:
    return item.optional_vars or item.context_expr


def receiver_of(function: ast.expr, path: str) -> ast.expr | None:
    """The object whose method is called, by the path of that (see `path_called`)."""
    return function.value if isinstance(function, ast.Attribute) and ")." in path else None


class _Importing:
    """Reads one module."""

    def __init__(self, module: Module, linker: Linker) -> None:
        self._module = module
        self._linker = linker
        self._seen: set[tuple[str, str]] = set()

    def calls(self) -> Iterator[CallAtImport]:
        module = self._module
        for block in module.outline.blocks:
            if block.defines_function and module.code.startswith("@", block.span.start):
                yield from self._registered(block)
            elif not (block.defines_function or block.is_class or block.bare):
                yield from self._in(module, block, block_read(block, module).tree.body, UNCONDITIONAL, ())

    def _registered(self, block: Block) -> Iterator[CallAtImport]:
        """A decorator that hands its function to a library: `@atexit.register`."""
        module, read = self._module, block_read(block, self._module)
        for function in read.tree.body:
            if isinstance(function, FUNCTIONS):
                for each in function.decorator_list:
                    if not isinstance(each, ast.Call):
                        name = ast.copy_location(ast.Name(function.name, ast.Load()), each)
                        call = ast.copy_location(ast.Call(each, [name], []), each)
                        path = path_called(each, module)
                        yield CallAtImport(call, path, module, read.span(each), (), block=block.span)

    def _in(
        self,
        module: Module,
        block: Block,
        body: Sequence[ast.stmt],
        state: KnownBefore,
        around: tuple[Site, ...],
        made: _Made | None = None,
    ) -> Iterator[CallAtImport]:
        read = block_read(block, module)
        for statement, known in statements_run(body, state):
            kept = tuple(names_bound(statement)) if not isinstance(statement, ast.With) and not around else ()
            if made is not None and _is_stored_on(made.me, statement):
                kept = made.kept
            for call in _calls_in(statement):
                span, path = read.span(call), path_called(call.func, module)
                yield CallAtImport(call, path, module, span, kept, known, around, block.span)
                written = dotted(call.func) if isinstance(call.func, (ast.Name, ast.Attribute)) else ""
                way = (*around, Site(module, span))
                if made is not None and written.startswith(f"{made.me}."):
                    yield from self._method(written.removeprefix(f"{made.me}."), made, module, block, known, way)
                elif written:
                    yield from self._followed(written, module, known, way, kept)

    def _followed(
        self, written: str, module: Module, state: KnownBefore, around: tuple[Site, ...], kept: tuple[str, ...]
    ) -> Iterator[CallAtImport]:
        """What a function of the program calls that stands under a name in a module, or the constructor of a class that
        does; the object has the names that are `kept`."""
        found = [
            (home, block)
            for home, block in self._linker.own_places.of_name(module, written)
            if (block.defines_function or block.is_class) and home.first_party
        ]
        if len(found) != 1 or (found[0][0].path, found[0][1].names[0]) in self._seen:
            return
        home, block = found[0]
        if len(around) > IMPORT_CALLS.most:
            self._linker.evaluator.cuts.note_of(IMPORT_CALLS, home, block.span.start)
            return
        self._seen.add((home.path, block.names[0]))
        for node in block_read(block, home).tree.body:
            if isinstance(node, ast.FunctionDef):
                yield from self._in(home, block, node.body, state, around)
            elif isinstance(node, ast.ClassDef) and written.rpartition(".")[2] == node.name:
                made = _Made(node, "", kept if home is module else ())
                yield from self._method(_CONSTRUCTOR, made, home, block, state, around)

    def _method(
        self, name: str, made: _Made, module: Module, block: Block, state: KnownBefore, around: tuple[Site, ...]
    ) -> Iterator[CallAtImport]:
        """What a method calls that the class of an object has itself."""
        if (module.path, f"{made.class_.name}.{name}") in self._seen or len(around) > IMPORT_CALLS.most:
            return
        self._seen.add((module.path, f"{made.class_.name}.{name}"))
        for node in made.class_.body:
            if isinstance(node, ast.FunctionDef) and node.name == name and node.args.args and not node.decorator_list:
                inner = _Made(made.class_, node.args.args[0].arg, made.kept)
                yield from self._in(module, block, node.body, state, around, inner)


class _Made(Struct, frozen=True, eq=False):
    """An object that is being made: its class, what the method that runs calls it, and the names by which its module
    keeps it."""

    class_: ast.ClassDef
    me: str
    kept: tuple[str, ...]


def _is_stored_on(me: str, statement: ast.stmt) -> bool:
    """Whether a statement stores an attribute of an object."""
    targets = statement.targets if isinstance(statement, ast.Assign) else ()
    return any(isinstance(each, ast.Attribute) and dotted(each.value) == me for each in targets)


def _calls_in(statement: ast.stmt) -> Iterator[ast.Call]:
    """The calls that a statement itself makes, whatever comes of its conditional expressions; not those of statements
    in it."""
    if isinstance(statement, INNER_SCOPES):
        return
    stack: list[ast.AST] = [each for each in children(statement) if isinstance(each, (ast.expr, ast.withitem))]
    while stack:
        node = stack.pop()
        match node:
            case ast.Lambda():
                continue
            case ast.BoolOp(values=[first, *_]):
                stack.append(first)
                continue
            case ast.IfExp(test=test):
                stack.append(test)
                continue
            case ast.Call():
                yield node
            case _:
                pass
        stack += children(node)


def calls_within(name: str, module: Module) -> Iterator[CallAtImport]:
    """What a function of the module calls, whenever that runs, as far as it asks nothing before."""
    bound = module.outline.binding(name)
    if len(bound) != 1 or not bound[0].defines_function:
        return
    reading = block_read(bound[0], module)
    for function in (node for node in within(reading.tree) if isinstance(node, FUNCTIONS) and node.name == name):
        for statement, known in statements_run(function.body):
            for call in _calls_in(statement):
                path = path_called(call.func, module)
                yield CallAtImport(call, path, module, reading.span(call), (), known)
