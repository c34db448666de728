"""Where code starts a process, and where it waits for the end of one without a limit of time: `process.join()`, by
whatever name it has the process."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.values import can_be_made_by
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Expr
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import ExternalResult, Frame, InstanceValue, ProductValue, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.syntax import last_name
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_ADDING = frozenset({"append", "add", "extend", "insert"})
_HANDING_ON = frozenset({"list", "tuple", "enumerate", "reversed", "zip", "sorted", "values"})
_ROUNDS = 5
"""From how many names to how many others a process is followed."""
_OTHERS = ("hread", "ueue")
"""What the types of other objects with a `join()` are called by."""


def names_of_process(boundary: BoundaryCall, module: Module, linker: Linker) -> frozenset[str]:
    """The last parts of the names by which code has the process that a call makes, or a list of such: in the module of
    the call, and in another one. What is assigned, put into lists, gone through, and returned counts. They are sought
    once: whoever asks does so for each function of the module."""
    question = ("names of a process", boundary.site, module.path)
    return linker.remembered(question, lambda: _names_of_process(boundary, module))


def _names_of_process(boundary: BoundaryCall, module: Module) -> frozenset[str]:
    home = boundary.frame.module
    sources = [source_tree(each.code) for each in ((home,) if home is module else (home, module))]
    names = set[str]()
    for _ in range(_ROUNDS):
        before = len(names)
        for at, source in enumerate(sources):
            made = boundary.call.span if at == 0 else None
            names.update(_named_in(source, made, names) if source is not None else ())
        if len(names) == before:
            break
    return frozenset(names)


def last_name_written(owner: Expr, module: Module) -> str:
    """The last part of the name by which code has what it calls a method of, or of the list of which that is an item:
    what `names_of_process` may have."""
    return module.code[owner.span.start : owner.span.end].rpartition(".")[2].partition("[")[0]


def joins_behind(place: int, root: RootFrame, boundary: BoundaryCall, linker: Linker) -> Iterator[Site]:
    """Where a function joins the process of a boundary behind a place."""
    module = root.frame.module
    joins = [each for each in root.function.events if isinstance(each, Called) and _is_join(each.call)]
    joins = [each for each in joins if each.span.start > place]
    names = names_of_process(boundary, module, linker) if joins else frozenset()
    for event in joins:
        if is_join_of(event, root.frame, boundary, linker, names):
            yield Site(module, event.span)


def is_join_of(
    event: Called, frame: Frame, boundary: BoundaryCall, linker: Linker, names: frozenset[str] = frozenset()
) -> bool:
    """Whether a call joins the process of a boundary, by what is known of its object, or by some names."""
    function = event.call.function
    if not _is_join(event.call) or not isinstance(function, Attribute):
        return False
    values = [each.value for each in linker.evaluate(function.base, frame)]
    is_made = any(getattr(each, "call", None) is boundary.call for each in values)
    is_of_class = boundary.callee is not None and any(
        isinstance(each, InstanceValue) and each.class_.facts is boundary.callee.facts for each in values
    )
    is_other = any(
        isinstance(each, ProductValue | ExternalResult) and any(word in each.path for word in _OTHERS)
        for each in values
    )
    return is_made or is_of_class or (last_name_written(function.base, frame.module) in names and not is_other)


def is_start_of(call: Call, frame: Frame, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether a call starts the process that a boundary makes."""
    function = call.function
    if not isinstance(function, Attribute) or function.name != "start":
        return False
    return can_be_made_by(boundary.call, function.base, frame, linker)


def _is_join(call: Call) -> bool:
    return isinstance(call.function, Attribute) and call.function.name == "join" and not call.arguments


def _named_in(source: SourceTree, made: Span | None, names: set[str]) -> Iterator[str]:
    for node in source.nodes:
        match node:
            case ast.Assign(targets=targets, value=value) if _carries(value, source, made, names):
                yield from (last_name(each) for each in targets if isinstance(each, ast.Name | ast.Attribute))
            case ast.AnnAssign(target=ast.Name() | ast.Attribute() as target, value=ast.expr() as value):
                if _carries(value, source, made, names):
                    yield last_name(target)
            case ast.Call(func=ast.Attribute(value=base, attr=name), args=[*_, value]) if name in _ADDING:
                if isinstance(base, ast.Name | ast.Attribute) and _carries(value, source, made, names):
                    yield last_name(base)
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                if _carries(value, source, made, names):
                    yield from (each.id for each in ast.walk(target) if isinstance(each, ast.Name))
            case ast.FunctionDef(name=name):
                returned = [each.value for each in ast.walk(node) if isinstance(each, ast.Return)]
                if any(each is not None and _carries(each, source, made, names) for each in returned):
                    yield name
            case _:
                pass


def _carries(value: ast.expr, source: SourceTree, made: Span | None, names: set[str]) -> bool:
    """Whether an expression may give the process, or something that holds it."""
    if made is not None and isinstance(value, ast.Call) and source.span(value) == made:
        return True
    match value:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in names
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args):
            if name in names or (name in _HANDING_ON and isinstance(value.func, ast.Attribute)):
                return name in names or _carries(value.func.value, source, made, names)  # type: ignore[attr-defined]
            return name in _HANDING_ON and any(_carries(each, source, made, names) for each in args)
        case (
            ast.ListComp(elt=inner) | ast.Subscript(value=inner) | ast.DictComp(value=inner) | ast.Starred(value=inner)
        ):
            return _carries(inner, source, made, names)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return any(_carries(each, source, made, names) for each in parts)
        case _:
            return False
