"""Classes of which each process has one object, because their `__new__` keeps it and returns it again."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.hierarchies import node_of, plain_ancestors
from lintpickle.facts.records import FunctionFacts
from lintpickle.fixes.state_hooks import STATE_HOOKS
from lintpickle.interpreter.abstract_values import ClassValue, Site
from lintpickle.parsing.names_read import within
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_NEW = "__new__"


def kept_by_new(class_: ClassValue, linker: Linker) -> Site | None:
    """The `__new__` of the program that gives unpickling the object that is there already, if it does, and neither the
    class nor `copyreg` says how objects are pickled."""
    found = linker.classes.find_method(class_, _NEW)
    if found is None or not found[0].module.first_party:
        return None
    owner, method = found
    if any(linker.classes.find_method(class_, hook) is not None for hook in STATE_HOOKS):
        return None
    is_plain = plain_ancestors(class_, linker.classes) is not None and id(class_.facts) not in linker.classes.registered
    return Site(owner.module, method.header) if is_plain and _keeps(owner.module, method) else None


def _keeps(module: Module, method: FunctionFacts) -> bool:
    """Whether a `__new__` needs nothing but the class, keeps what it makes, and returns that the next time."""
    if any(each.default is None and not each.kind.startswith("*") for each in method.parameters[1:]):
        return False
    found = node_of(module, method)
    if found is None or not method.parameters:
        return False
    nodes, class_ = [*within(found[1])], method.parameters[0].name
    globals_ = {name for each in nodes if isinstance(each, ast.Global) for name in each.names}
    kept = {ast.unparse(each) for each in _assigned(nodes) if _is_place(each, class_, globals_)}
    asked = [ast.unparse(each.test) for each in nodes if isinstance(each, ast.If)]
    kept = {each for each in kept if any(_name_of(each) in test for test in asked)}
    returned = [each.value for each in nodes if isinstance(each, ast.Return)]
    names = {*kept, *_named(nodes, kept)}
    return bool(kept) and bool(returned) and all(each is not None and ast.unparse(each) in names for each in returned)


def _is_place(target: ast.expr, class_: str, globals_: set[str]) -> bool:
    """Whether something is kept for all calls: on the class, there under the class itself, or as a global."""
    match target:
        case ast.Name(id=name):
            return name in globals_
        case ast.Attribute(value=ast.Name(id=owner)):
            return owner == class_ or owner[:1].isupper()
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=owner)), slice=ast.Name(id=key)):
            return owner == class_ == key
        case _:
            return False


def _assigned(nodes: list[ast.AST]) -> Iterator[ast.expr]:
    for node in nodes:
        match node:
            case ast.Assign(targets=targets):
                yield from targets
            case ast.AnnAssign(target=target):
                yield target
            case _:
                pass


def _named(nodes: list[ast.AST], kept: set[str]) -> Iterator[str]:
    """The variables that hold what is kept."""
    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=value):
                written = {ast.unparse(each) for each in (*targets, value)}
                if not written.isdisjoint(kept):
                    yield from (each.id for each in (*targets, value) if isinstance(each, ast.Name))
            case _:
                pass


def _name_of(written: str) -> str:
    """How what is kept is called: `_instance` of `cls._instance`, `_all` of `cls._all[cls]`."""
    return written.partition("[")[0].rpartition(".")[2]
