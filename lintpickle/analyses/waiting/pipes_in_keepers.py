"""Pipes of which a function gives an end to a process and keeps it beside the process: in an object, a tuple, a list or
a dict that lives on while the main process reads the other end until EOFError.

Measured with CPython 3.11, under fork, spawn and forkserver: as long as anything of the main process holds the end,
`recv()` and `wait()` on the other one never come to its end. It ends where the end is held by a local variable alone.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.waiting.pipes_kept_by_main import MAY_CLOSE, PipeKeptByMain, is_run_by_workers
from lintpickle.analyses.waiting.pipes_kept_open import PIPE_END, is_read_to_the_end, names_of_ends
from lintpickle.analyses.waiting.polled_connections import is_waited_for_to_the_end
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Call
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import ExternalResult, Frame, Site
from lintpickle.parsing.syntax import FUNCTIONS, last_name
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_OTHER_ENDS = re.compile(r"\b(?:Listener|Client|accept|sentinel|closing|reduction|send_handle)\b")
"""What stands in code that has other connections, or closes ends by other means."""
_PIPES = re.compile(r"\bPipe\s*\(")
_LETS_GO = frozenset({"clear", "pop", "popitem", "popleft", "remove", "discard"})
_ADDING = frozenset({"append", "add", "insert", "appendleft"})
_READS = frozenset({"recv", "recv_bytes"})


class _Keeper(Struct, frozen=True):
    """What holds the end that a process is given: an attribute of `self`, or a variable of the function, if it is one
    of them; and the names of the attributes in which an object has that end and the other one, if it is an object."""

    attribute: str | None
    variable: str | None
    given_as: str | None
    read_as: str | None


def pipes_in_keepers(code: WorkerCode, linker: Linker) -> Iterator[PipeKeptByMain]:
    """The pipe of which a process is given an end that something of the main process holds, too, while it reads the
    other one until EOFError; nothing in the module but code of workers closes anything but the ends that are read."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or not boundary.frame.module.first_party:
        return
    module, home = boundary.frame.module, boundary.frame
    if len(_PIPES.findall(module.code)) != 1 or module.has(MAY_CLOSE) or module.has(_OTHER_ENDS):
        return
    pipes = [_pipe(each.value, home) for each in linker.shipped_by(boundary)]
    pipe = next((each for each in pipes if each is not None), None)
    source = source_tree(module.code)
    ends = names_of_ends(pipe, home) if pipe is not None else []
    if pipe is None or source is None or len(ends) != 2 or not all(each.isidentifier() for each in ends):
        return
    given = {each.id for each in source.nodes_within(boundary.call.span) if isinstance(each, ast.Name)}
    for reader, writer in (ends, ends[::-1]):
        keeper = _keeper(reader, writer, boundary, source) if given & {*ends} == {writer} else None
        if keeper is None or not _is_kept(keeper, reader, code, source, linker):
            continue
        for function, read in _reads(keeper, boundary, source):
            place = Site(module, source.span(read))
            if not is_run_by_workers(place, linker):
                written = f"{keeper.given_as or writer}"
                yield PipeKeptByMain(function, place, Site(module, pipe.span), boundary.site, written)
                return


def _pipe(value: object, home: Frame) -> Call | None:
    match value:
        case ExternalResult(path=path, call=Call() as pipe, frame=Frame() as made) if path == PIPE_END:
            return pipe if made.function is home.function else None
        case _:
            return None


def _keeper(reader: str, writer: str, boundary: BoundaryCall, source: SourceTree) -> _Keeper | None:
    """What holds an end, if the function that starts the process uses it for nothing else but to give it away."""
    span = boundary.frame.function.span
    nodes = [each for each in source.nodes_within(span) if isinstance(each, ast.Name) and each.id == writer]
    used = [
        each for each in nodes if isinstance(each.ctx, ast.Load) and not boundary.call.span.contains(source.span(each))
    ]
    if len(used) != 1 or len(nodes) != 3:
        return None  # It is assigned once, given away, and held.
    statements = [each for each in source.nodes_within(span) if isinstance(each, ast.Expr | ast.Assign | ast.Return)]
    around = [each for each in statements if used[0] in ast.walk(each)]
    if not around or source.span(around[-1]).start < boundary.call.span.start:
        return None
    match around[-1]:
        case ast.Return(value=ast.expr() as value):
            attribute, variable = None, None
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=base, attr=name), args=[*_, value])) if name in _ADDING:
            attribute, variable = _owner(base)
        case ast.Assign(targets=[ast.Subscript(value=base)], value=value):
            attribute, variable = _owner(base)
        case ast.Assign(targets=[ast.Attribute() as base], value=value):
            attribute, variable = _owner(base)
        case _:
            return None
    path = _path(value, used[0])
    calls = [each for each in path if isinstance(each, ast.Call)]
    plain = ast.Tuple | ast.List | ast.Dict | ast.Call
    if used[0] not in (value, *ast.walk(value)) or len(calls) > 1 or not all(isinstance(each, plain) for each in path):
        return None
    if not calls:
        return _Keeper(attribute, variable, None, None) if attribute or variable else None
    given_as, read_as = _field(calls[0], writer, source), _field(calls[0], reader, source)
    return _Keeper(attribute, variable, given_as, read_as) if given_as is not None else None


def _owner(base: ast.expr) -> tuple[str | None, str | None]:
    match base:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return name, None
        case ast.Name(id=name):
            return None, name
        case _:
            return None, None


def _path(value: ast.expr, inner: ast.Name) -> list[ast.AST]:
    """The expressions around a name in an expression, outer ones first."""
    path: list[ast.AST] = []
    node: ast.AST = value
    while node is not inner:
        path.append(node)
        node = next((each for each in ast.iter_child_nodes(node) if inner in ast.walk(each)), inner)
        node = node.value if isinstance(node, ast.keyword) else node
    return path


def _field(call: ast.Call, name: str, source: SourceTree) -> str | None:
    """The attribute in which an object of a dataclass of the module has what its constructor is given."""
    class_ = next(
        (each for each in source.tree.body if isinstance(each, ast.ClassDef) and each.name == last_name(call.func)),
        None,
    )
    if class_ is None or not any("dataclass" in ast.unparse(each) for each in class_.decorator_list):
        return None
    fields = [
        each.target.id for each in class_.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    ]
    for field, value in zip(fields, call.args, strict=False):
        if isinstance(value, ast.Name) and value.id == name:
            return field
    named = (each.arg for each in call.keywords if isinstance(each.value, ast.Name) and each.value.id == name)
    return next((each for each in named if each in fields), None) if not class_.bases else None


def _is_kept(keeper: _Keeper, reader: str, code: WorkerCode, source: SourceTree, linker: Linker) -> bool:
    """Whether nothing but code of workers uses the end by its attribute, closes anything but ends that are read, or
    lets go of what holds it before the end has come."""
    assert code.boundary is not None
    home = code.boundary.frame.module
    inside = [each.facts.span for each in code.functions if each.module is home]
    readers, holders = {reader, keeper.read_as}, {keeper.attribute, keeper.variable}
    handlers = [source.span(each) for each in source.nodes_within(Span(0, len(source.text)))
                if isinstance(each, ast.ExceptHandler) and "EOFError" in ast.unparse(each.type or each)]  # fmt: skip
    stores = 0
    for node in source.nodes_within(Span(0, len(source.text))):
        place = source.span(node)
        if any(span.start <= place.start < span.end for span in inside):
            continue
        is_at_end = any(span.start <= place.start < span.end for span in handlers)
        match node:
            case ast.Attribute(attr=name) if name == keeper.given_as:
                return False
            case ast.Call(func=ast.Attribute(value=base, attr="close")) if last_name(base) not in readers:
                return False
            case ast.Call(func=ast.Attribute(value=base, attr=name)) if name in _LETS_GO and not is_at_end:
                if last_name(base) in holders:
                    return False
            case ast.Delete() if not is_at_end:
                return False
            case ast.With(items=items) if not all(isinstance(each.context_expr, ast.Call) for each in items):
                return False
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) if name in holders:
                stores += 1
            case _:
                pass
    names = "|".join(re.escape(each) for each in (keeper.given_as, keeper.attribute) if each is not None)
    others = re.compile(rf"\.\s*(?:{names})\b" if names else r"(?!)")
    return stores <= 1 and not any(each is not home and each.has(others) for each in linker.modules)


def _reads(keeper: _Keeper, boundary: BoundaryCall, source: SourceTree) -> Iterator[tuple[str, ast.Call]]:
    """The calls that read an end until it ends while what holds the other one surely lives, each with its function."""
    home, module = boundary.frame.function, boundary.frame.module
    siblings = _siblings(home.span, source)
    everywhere = [each for each in source.nodes_within(Span(0, len(source.text))) if isinstance(each, FUNCTIONS)]
    for function in everywhere:
        span = source.span(function)
        is_home = span.end == home.span.end
        for node in ast.walk(function):
            match node:
                case ast.Call(func=ast.Attribute(value=base, attr=name)) if name in _READS:
                    pass
                case _:
                    continue
            place = source.span(node)
            lives = (keeper.attribute is not None and any(each is function for each in siblings)) or (
                keeper.variable is not None and is_home and place.start > boundary.call.span.end
            )
            by_keeper = isinstance(base, ast.Attribute) and base.attr == keeper.read_as
            if (lives or by_keeper) and (
                is_read_to_the_end(place, span, module) or is_waited_for_to_the_end(node, function)
            ):
                yield function.name, node


def _siblings(span: Span, source: SourceTree) -> list[ast.AST]:
    """The methods of the class whose method stands at a place."""
    for node in source.tree.body:
        if isinstance(node, ast.ClassDef) and any(source.span(each).end == span.end for each in node.body):
            return [*node.body]
    return []
