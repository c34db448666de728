"""How many items a list has that a function of the program makes, as the caller writes the number."""

from __future__ import annotations

import ast

from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Call
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import Frame, FunctionValue
from lintpickle.parsing.syntax import INNER_SCOPES
from lintpickle.payload.linker import Linker

_SKIPS = ast.Break | ast.Continue | ast.Return | ast.Try | ast.While


def given_to(parameter: str, call: Call, callee: FunctionFacts, source: SourceTree) -> ast.expr | None:
    """What a call gives a parameter, as it is written."""
    names = [each.name for each in callee.parameters]
    names = names[1:] if names[:1] == ["self"] else names
    node = source.call_at(call.span)
    if node is None or any(isinstance(each, ast.Starred) for each in node.args):
        return None
    given = dict(zip(names, node.args, strict=False)) | {each.arg or "": each.value for each in node.keywords}
    return given.get(parameter)


def number_of(items: ast.expr, frame: Frame, linker: Linker) -> ast.expr | None:
    """How many items a list has that a function made for a variable of a frame, or for an attribute that is stored
    there: as the frame writes the number."""
    source = source_tree(frame.module.code)
    if source is None or not isinstance(items, ast.Name | ast.Attribute):
        return None
    written, stored = ast.unparse(items), list[ast.expr]()
    for node in source.nodes_within(Span(0, len(source.text))):
        match node:
            case ast.Assign(targets=[target], value=value) if ast.unparse(target) == written:
                stored.append(value)
            case _:
                pass
    calls = [each.call for each in frame.function.events if isinstance(each, Called)]
    call = next((each for each in calls if len(stored) == 1 and each.span == source.span(stored[0])), None)
    found = [each.value for each in linker.evaluate(call.function, frame)] if call is not None else []
    if call is None or len(found) != 1 or not isinstance(found[0], FunctionValue) or found[0].facts.decorators:
        return None
    node_found = node_of(found[0].module, found[0].facts)
    parameter = _number_of_items(node_found[1]) if node_found is not None else None
    return given_to(parameter, call, found[0].facts, source) if parameter is not None else None


def _number_of_items(function: ast.FunctionDef) -> str | None:
    """The parameter that is the number of items in the list that a function returns: it makes the list by going through
    `range(parameter)` once, with one item in each round. None if it may do anything else."""
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
    returned = [each for each in ast.walk(function) if isinstance(each, ast.Return)]
    if len(returned) != 1 or function.body[-1] is not returned[0] or not _is_plain(function):
        return None
    match returned[0].value:
        case ast.ListComp(generators=[ast.comprehension(iter=over, ifs=[])]):
            number = _counted(over)
        case ast.Name(id=name):
            number = _filled(name, function)
        case _:
            return None
    return number if number in names and not _is_stored(number, function) else None


def _is_plain(function: ast.FunctionDef) -> bool:
    unlike = (*INNER_SCOPES, ast.Yield, ast.YieldFrom)
    return not any(isinstance(each, unlike) for each in ast.walk(function) if each is not function)


def _counted(over: ast.expr) -> str | None:
    match over:
        case ast.Call(func=ast.Name(id="range"), args=[ast.Name(id=name)], keywords=[]):
            return name
        case _:
            return None


def _filled(name: str, function: ast.FunctionDef) -> str | None:
    """The number of rounds of the one loop that appends to a list, which is otherwise only made and returned."""
    uses = [each for each in ast.walk(function) if isinstance(each, ast.Name) and each.id == name]
    loops = [each for each in function.body if isinstance(each, ast.For) and not each.orelse]
    makes = [each for each in function.body if _makes(each, name)]
    for loop in loops:
        appends = [each for each in loop.body if _appends(each, name)]
        if len(appends) == 1 and len(makes) == 1 and len(uses) == 3:
            is_whole = not any(isinstance(each, _SKIPS) for each in ast.walk(loop))
            return _counted(loop.iter) if is_whole else None
    return None


def _makes(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name(id=stored)], value=ast.List(elts=[])):
            return stored == name
        case _:
            return False


def _appends(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=filled), attr="append"), args=[_])):
            return filled == name
        case _:
            return False


def _is_stored(name: str, function: ast.FunctionDef) -> bool:
    return any(isinstance(e, ast.Name) and e.id == name and isinstance(e.ctx, ast.Store) for e in ast.walk(function))
