"""What code does with a function that it names: whether it calls that, or only keeps it, as in a table of commands."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from lintpickle.analyses.at_import.import_statements import path_called
from lintpickle.analyses.at_import.run_statements import block_read
from lintpickle.parsing.names_read import children, within
from lintpickle.parsing.syntax import (
    FUNCTIONS,
    MERGING_METHODS,
    PUTTING_METHODS,
    Function,
    dotted,
    last_name,
    target_names,
)
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_DEEPEST = 3
"""Through how many functions that are given something it is followed."""
_METHODS_OF_DATA = frozenset(name for kind in (dict, list, set, tuple) for name in dir(kind))
_TEXTS = frozenset({"__name__", "__qualname__", "__module__", "__doc__"})
"""Attributes of functions that are texts."""
_DEFAULTS = "set_defaults"
"""The method of an argument parser that gives what it parses attributes: `args.func` after `set_defaults(func=run)`."""


class Uses(Struct, frozen=True):
    """What is done with something: whether it is called, for all that is seen, and under which names it is kept.
    `is_given_back` says whether a function returns it."""

    is_called: bool = False
    kept: frozenset[str] = frozenset()
    is_given_back: bool = False


_CALLED = Uses(is_called=True)
_NOTHING = Uses()


def joined_uses(found: Iterable[Uses]) -> Uses:
    """All that is done with something."""
    uses = list(found)
    return Uses(
        any(each.is_called for each in uses),
        frozenset[str]().union(*(each.kept for each in uses)),
        any(each.is_given_back for each in uses),
    )


class UsedName(Struct, frozen=True, order=True):
    """What has a name, as a variable or as an attribute: a function or class, or something that keeps it. One
    `of_context` runs as a context is entered or left: as a decorator, whenever what it decorates runs
    (`contextlib.ContextDecorator`, which a function with `@contextmanager` is made, too)."""

    name: str
    keeps_it: bool
    of_context: bool = False


def uses_in(used: UsedName, nodes: Sequence[ast.AST], module: Module, linker: Linker) -> Uses:
    """What statements of a module do with something. Of classes and functions among them, only what their definitions
    do."""
    return _Reader(nodes, module, linker, False, 0).uses(used)


def uses_by(used: UsedName, function: Function, module: Module, linker: Linker) -> Uses:
    """The same for a function, and whatever is in it."""
    return _Reader([function.args, *function.body], module, linker, True, 0).uses(used, is_of_module=True)


def kept_by_decorators(function: Function, module: Module, linker: Linker) -> frozenset[str]:
    """The names under which decorators of the program keep the function that they get: `COMMANDS[func.__name__] =
    func`."""
    given = ast.Name(function.name, ast.Load())
    calls = [ast.Call(decorator, [given], []) for decorator in function.decorator_list]
    reader = _Reader(calls, module, linker, False, 0)
    return frozenset[str]().union(*(reader.given_to(call).kept for call in calls))


class _Reader:
    """Reads one scope. `is_inside` says that it is that of a function, with all functions in it: the names that it
    binds are no concern of others."""

    def __init__(self, nodes: Sequence[ast.AST], module: Module, linker: Linker, is_inside: bool, depth: int) -> None:
        self._module = module
        self._linker = linker
        self._is_inside = is_inside
        self._depth = depth
        self._parents: dict[ast.AST, ast.AST] = {}
        self._nodes: list[ast.AST] = []
        for node in nodes:
            self._read(node)
        self._own = _bound_in(self._nodes) if is_inside else frozenset[str]()

    def _read(self, top: ast.AST) -> None:
        stack = [top]
        while stack:
            node = stack.pop()
            self._nodes.append(node)
            within_it = children(node)
            if isinstance(node, FUNCTIONS) and not self._is_inside:
                within_it = list(node.decorator_list)
            for child in within_it:
                self._parents[child] = node
            stack += within_it

    def uses(self, used: UsedName, is_of_module: bool = False) -> Uses:
        """What is done with something; `is_of_module` says that no variable of the function is it."""
        name = used.name
        is_hidden = is_of_module and name in self._own
        waiting, seen, found = [name], {name}, list[Uses]()
        while waiting:
            current = waiting.pop()
            for node in self._nodes:
                is_other = is_hidden and current == name and isinstance(node, ast.Name)
                is_later = used.of_context and self._decorates(node)
                if _is_mention(node, current) and not is_other and not is_later:
                    maker = self._made_by(node)
                    uses = self._followed(
                        maker or node, is_itself=not used.keeps_it and current == name and maker is None
                    )
                    found.append(uses)
                    for each in sorted(uses.kept - seen) if self._is_inside else ():
                        seen.add(each)
                        waiting.append(each)
        uses = joined_uses(found)
        return Uses(uses.is_called, uses.kept - self._own, uses.is_given_back)

    def _decorates(self, node: ast.AST) -> bool:
        """Whether something stands as the decorator of a function, alone or called."""
        parent = self._parents.get(node)
        while isinstance(parent, ast.Attribute) or (isinstance(parent, ast.Call) and parent.func is node):
            node, parent = parent, self._parents.get(parent)
        return isinstance(parent, FUNCTIONS) and node in parent.decorator_list

    def _made_by(self, node: ast.AST) -> ast.Lambda | None:
        """The outermost lambda in which something stands: that is called when the lambda is."""
        found: ast.Lambda | None = None
        current: ast.AST | None = node
        while isinstance(current, (ast.expr, ast.keyword, ast.comprehension)):
            outer = self._parents.get(current)
            if isinstance(outer, ast.Lambda):
                found = outer
            current = outer
        return found

    def _followed(self, node: ast.AST, is_itself: bool) -> Uses:
        """What becomes of the value of an expression. `is_itself` says that it is no container."""
        found: list[Uses] = []
        while True:
            parent = self._parents.get(node)
            match parent:
                case ast.Call(func=function) if function is node:
                    return _CALLED
                case ast.Call():
                    uses, goes_on = self._given(parent, node)
                    found.append(uses)
                    if not goes_on:
                        return joined_uses(found)
                    is_itself = False
                case ast.Attribute(attr=name) if name in _TEXTS:
                    return joined_uses(found)
                case ast.Attribute(attr=name):
                    outer = self._parents.get(parent)
                    if isinstance(outer, ast.Call) and outer.func is parent:
                        if is_itself and isinstance(node, ast.expr) and last_name(node)[:1].isupper():
                            return _CALLED  # A class method may make objects of the class.
                        if is_itself or any(_functions(parent, self._module, self._linker)):
                            return joined_uses(found)  # Methods of the program are read by themselves.
                        if name not in _METHODS_OF_DATA:
                            return _CALLED
                        parent = outer
                    elif is_itself:
                        return joined_uses(found)
                case ast.Subscript(slice=key) if key is node:
                    return joined_uses(found)
                case ast.IfExp(test=test) if test is node:
                    return joined_uses(found)
                case ast.Assign(targets=targets, value=value) if value is node:
                    return joined_uses((*found, self._stored(targets)))
                case ast.AnnAssign(target=target, value=value) | ast.AugAssign(target=target, value=value) if (
                    value is node
                ):
                    return joined_uses((*found, self._stored([target])))
                case ast.NamedExpr(target=target):
                    found.append(self._stored([target]))
                case ast.For(target=target, iter=iterable) | ast.AsyncFor(target=target, iter=iterable) if (
                    iterable is node
                ):
                    return joined_uses((*found, self._stored([target])))
                case ast.comprehension(target=target, iter=iterable) if iterable is node:
                    found += self._of_targets(target, parent)
                    is_itself = False
                case ast.Return() | ast.Yield() | ast.YieldFrom():
                    return joined_uses((*found, Uses(is_given_back=True)))
                case ast.withitem(context_expr=manager) if manager is node:
                    return _CALLED
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    return _CALLED if node in parent.decorator_list else joined_uses(found)
                case ast.keyword() if isinstance(self._parents.get(parent), ast.ClassDef):
                    return _CALLED
                case (
                    ast.List()
                    | ast.Tuple()
                    | ast.Set()
                    | ast.Dict()
                    | ast.DictComp()
                    | ast.ListComp()
                    | ast.SetComp()
                    | ast.GeneratorExp()
                    | ast.BinOp()
                ):
                    is_itself = False
                case (
                    ast.keyword()
                    | ast.Starred()
                    | ast.IfExp()
                    | ast.BoolOp()
                    | ast.Subscript()
                    | ast.Lambda()
                    | ast.Await()
                ):
                    pass
                case _:
                    return joined_uses(found)
            assert parent is not None
            node = parent

    def _of_targets(self, target: ast.expr, comprehension: ast.AST) -> Iterator[Uses]:
        """What a comprehension does with its own variables."""
        if self._is_inside:
            yield self._stored([target])
            return
        around = self._parents[comprehension]
        inner = _Reader([around], self._module, self._linker, True, self._depth)
        yield from (inner.uses(UsedName(name, True)) for name in target_names(target))

    def _stored(self, targets: Iterable[ast.expr]) -> Uses:
        """What it is kept as by an assignment to targets."""
        names: set[str] = set()
        for target in targets:
            for each in _parts(target):
                while isinstance(each, (ast.Subscript, ast.Starred)):
                    each = each.value
                names.add(last_name(each))
        return Uses(kept=frozenset(names - {""}))

    def _given(self, call: ast.Call, node: ast.AST) -> tuple[Uses, bool]:
        """What a call does with what it is given, and whether its result may hold that."""
        function = call.func
        name = last_name(function)
        argument = next((each for each in call.keywords if each.value is node or each is node), None)
        if name == _DEFAULTS and argument is not None and argument.arg is not None:
            return Uses(kept=frozenset({argument.arg})), False
        path = path_called(function, self._module)
        callback = self._linker.catalog.callback(path) if path else None
        if callback is not None:
            given = [*map(str, range(len(call.args))), *(each.arg for each in call.keywords)]
            is_run = any(way in given for way in callback.function)
            return (_CALLED, False) if is_run else (_NOTHING, True)
        called = list(_functions(function, self._module, self._linker))
        if called:
            results = [self._by(each, home, call, node, argument, shift) for each, home, shift in called]
            uses = joined_uses(results)
            is_class = any(each.name == "__init__" for each, _, _ in called)
            return Uses(uses.is_called, uses.kept), uses.is_given_back or is_class
        if isinstance(function, ast.Attribute) and (name in PUTTING_METHODS or name in MERGING_METHODS):
            return self._stored([function.value]), False
        return _NOTHING, True

    def given_to(self, call: ast.Call) -> Uses:
        """What a call does with its first argument."""
        return self._given(call, call.args[0])[0]

    def _by(
        self,
        function: Function,
        home: Module,
        call: ast.Call,
        node: ast.AST,
        argument: ast.keyword | None,
        shift: int,
    ) -> Uses:
        """What a function of the program does with an argument of a call."""
        if self._depth == _DEEPEST:
            return _CALLED
        arguments = function.args
        named = [each.arg for each in (*arguments.posonlyargs, *arguments.args)][shift:]
        rest = [each.arg for each in (arguments.vararg, arguments.kwarg) if each is not None]
        given = [argument.arg] if argument is not None and argument.arg in named else []
        if argument is None and not any(isinstance(each, ast.Starred) for each in call.args):
            at = next((place for place, each in enumerate(call.args) if each is node), len(named))
            given = named[at : at + 1]
        if isinstance(call.func, ast.Call):  # a decorator that the function makes
            inner = [each for each in within(function) if isinstance(each, FUNCTIONS) and each is not function]
            given, rest = [arg.arg for each in inner for arg in each.args.args], []
        only = [*(each.arg for each in arguments.kwonlyargs)] if argument is not None else []
        reader = _Reader([arguments, *function.body], home, self._linker, True, self._depth + 1)
        return joined_uses(reader.uses(UsedName(each, True)) for each in given or [*rest, *only] or named)


def _bound_in(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The names that a function has for itself."""
    bound, others = set[str](), set[str]()
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                bound.add(name)
            case ast.Global(names=names):
                others.update(names)
            case _:
                pass
    return frozenset(bound - others)


def _is_mention(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Name(id=found, ctx=ast.Load()) | ast.Attribute(attr=found, ctx=ast.Load()):
            return found == name
        case _:
            return False


def _parts(target: ast.expr) -> Iterator[ast.expr]:
    match target:
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for element in elements:
                yield from _parts(element)
        case _:
            yield target


def _functions(function: ast.expr, module: Module, linker: Linker) -> Iterator[tuple[Function, Module, int]]:
    """The functions of the program that a call runs whose function is written so, each with the number of parameters
    that Python itself fills: by its name, by that of a class, or as a method of an object that a module makes."""
    while isinstance(function, ast.Call):
        function = function.func
    name = dotted(function)
    for home, block in linker.own_places.of_name(module, name) if name else ():
        for defined in block_read(block, home).tree.body:
            match defined:
                case ast.FunctionDef() | ast.AsyncFunctionDef() if defined.name == last_name(function):
                    yield defined, home, 0
                case ast.ClassDef(name=class_name) if class_name == last_name(function):
                    yield from ((each, home, 1) for each in _methods(defined, "__init__"))
                case ast.ClassDef(name=class_name) if name.endswith(f"{class_name}.{last_name(function)}"):
                    yield from ((each, home, 1) for each in _methods(defined, last_name(function)))
                case ast.Assign(value=ast.Call(func=made)) | ast.AnnAssign(value=ast.Call(func=made)):
                    for place, header in linker.own_places.of_name(home, dotted(made)) if dotted(made) else ():
                        for class_ in block_read(header, place).tree.body if header.is_class else ():
                            yield from ((each, place, 1) for each in _methods(class_, last_name(function)))
                case _:
                    pass


def _methods(class_: ast.stmt, name: str) -> Iterator[Function]:
    for each in class_.body if isinstance(class_, ast.ClassDef) else ():
        if isinstance(each, FUNCTIONS) and each.name == name:
            yield each
