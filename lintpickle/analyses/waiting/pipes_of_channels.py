"""Pipes of which an object has both ends, and that never end for the main process which reads them by this object.

Measured with CPython 3.11, under fork, spawn and forkserver: the worker is given the object, or its end of the pipe,
and closes that; but the object of the main process has the same end, so that `recv()` waits for ever.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.waiting.pipes_kept_by_main import LEAVES_EARLY, MAY_CLOSE, PipeKeptByMain, is_run_by_workers
from lintpickle.analyses.waiting.pipes_kept_open import PIPE_END, PIPE_READS, is_read_to_the_end
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Call
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import ExternalResult, Frame, Site
from lintpickle.parsing.syntax import FUNCTIONS
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_ITERATES, _ENTERS = "__iter__", frozenset({"__enter__", "__del__", "__getstate__", "__reduce__"})
_CLOSES = re.compile(r"\.\s*close\(|\bclosing\(|\bdel\b")
"""What stands in code that may close an end."""


class Channel(Struct, frozen=True):
    """A class whose constructor makes a pipe: its node and module, and the attributes that hold the ends."""

    node: ast.ClassDef
    module: Module
    source: SourceTree
    ends: tuple[str, str]
    made: Site


def pipes_of_channels(code: WorkerCode, linker: Linker) -> Iterator[PipeKeptByMain]:
    """The pipes of which a process is given an end by an object that has both, while the code that starts it reads the
    other one until EOFError by the same object, and nothing but workers closes anything there."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or not boundary.frame.module.first_party:
        return
    for crossing in linker.shipped_by(boundary):
        match crossing.value:
            case ExternalResult(path=path, call=Call() as pipe, frame=Frame() as home) if path == PIPE_END:
                channel = channel_made(pipe, home) if home.function is not boundary.frame.function else None
            case _:
                continue
        found = _kept(channel, code, linker) if channel is not None else None
        if found is not None and not is_run_by_workers(found.read, linker):
            yield found
            return


def channel_made(pipe: Call, home: Frame) -> Channel | None:
    """The class whose constructor makes a pipe, and keeps both ends of it in attributes."""
    source = source_tree(home.module.code) if home.module.first_party and home.function.name == "__init__" else None
    for class_ in source.nodes_within(Span(0, len(source.text))) if source is not None else ():
        if source is None or not isinstance(class_, ast.ClassDef):
            continue
        for node in (each for method in class_.body for each in ast.walk(method)):
            match node:
                case ast.Assign(
                    targets=[
                        ast.Tuple(
                            elts=[
                                ast.Attribute(value=ast.Name(id="self"), attr=first),
                                ast.Attribute(value=ast.Name(id="self"), attr=second),
                            ]
                        )
                    ],
                    value=value,
                ) if source.span(value) == pipe.span:
                    return Channel(class_, home.module, source, (first, second), Site(home.module, pipe.span))
                case _:
                    pass
    return None


def _kept(channel: Channel, code: WorkerCode, linker: Linker) -> PipeKeptByMain | None:
    boundary = code.boundary
    assert boundary is not None
    module, start = boundary.frame.module, boundary.call.span
    source = source_tree(module.code)
    methods = {each.name: each for each in channel.node.body if isinstance(each, FUNCTIONS)}
    if source is None or _ENTERS & methods.keys() or any(each.has(MAY_CLOSE) for each in (module, channel.module)):
        return None
    owner = object_given(start, channel.ends, source)
    if owner is None or not _is_given_once(owner[0], boundary.frame, source):
        return None
    name, given = owner
    for reader, writer in (channel.ends, channel.ends[::-1]):
        if given == reader or not _is_only_used_by_workers(name, writer, start, channel, code, linker):
            continue
        for read, function, there, tree in _reads(name, reader, channel, boundary.frame, start, source):
            if _goes_to_the_end(read, function, there, tree, channel, linker):
                place = Site(there, tree.span(read))
                return PipeKeptByMain(function.name, place, channel.made, boundary.site, f"{name}.{writer}")
    return None


def object_given(start: Span, ends: tuple[str, str], source: SourceTree) -> tuple[str, str | None] | None:
    """How the object is written that a process is given, and its end, if that is given alone."""
    call = source.call_at(start)
    values = [each.value for each in call.keywords if each.arg == "args"] if call is not None else []
    parts = [part for each in values if isinstance(each, ast.Tuple | ast.List) for part in each.elts]
    for part in parts:
        if isinstance(part, ast.Attribute) and part.attr in ends and _is_plain(part.value):
            return ast.unparse(part.value), part.attr
    plain = [ast.unparse(each) for each in parts if _is_plain(each)]
    return (plain[0], None) if plain else None


def _is_plain(node: ast.AST) -> bool:
    return re.fullmatch(r"(?:self\.)?\w+", ast.unparse(node)) is not None and not isinstance(node, ast.Constant)


def _is_given_once(name: str, frame: Frame, source: SourceTree) -> bool:
    """Whether a variable of a function, or an attribute in a module, gets one value only."""
    span = Span(0, len(source.text)) if "." in name else frame.function.span
    last = name.rpartition(".")[2]
    stored = [
        each
        for each in source.nodes_within(span)
        if isinstance(each, ast.Name | ast.Attribute)
        and isinstance(each.ctx, ast.Store)
        and (each.attr if isinstance(each, ast.Attribute) else each.id) == last
    ]
    return len(stored) == 1


def _is_only_used_by_workers(
    name: str, writer: str, start: Span, channel: Channel, code: WorkerCode, linker: Linker
) -> bool:
    """Whether nothing but functions of workers uses an end, or closes anything in the modules that use the class."""
    functions = [each for found in linker.worker_codes() for each in found.functions if each.module.first_party]
    running = [(each.module, each.facts.span) for each in functions]
    form = re.compile(rf"\.\s*{re.escape(writer)}\b")
    naming = re.compile(rf"\b(?:{channel.node.name}|{re.escape(name.rpartition('.')[2])})\b")
    boundary = code.boundary
    assert boundary is not None
    for module in linker.modules:
        inside = [span for home, span in running if home is module]
        inside += [start] if module is boundary.frame.module else []
        stores = 0
        is_near = module in (channel.module, boundary.frame.module) or module.has(naming)
        for each in (form, *((_CLOSES, _calls_of(functions)) if is_near else ())):
            for found in each.finditer(module.code):
                if any(span.start <= found.start() < span.end for span in inside):
                    continue
                if module is channel.module and each is form and _is_stored(found.end(), module) and not stores:
                    stores += 1
                    continue
                return False
    return True


def _calls_of(functions: list[WorkerFunction]) -> re.Pattern[str]:
    """Finds calls of functions that may close an end, themselves or by others of them."""
    texts = {each.facts.name: each.text for each in functions}
    names, form = set[str](), _CLOSES
    while more := {name for name, text in texts.items() if name not in names and form.search(text)}:
        names |= more
        form = re.compile(rf"(?<!def )\b(?:{'|'.join(map(re.escape, sorted(names)))})\s*\(")
    return form


def _is_stored(end: int, module: Module) -> bool:
    return re.compile(r"\s*(?:,\s*self\.\w+\s*)?=(?!=)").match(module.code, end) is not None


def _reads(
    name: str, reader: str, channel: Channel, frame: Frame, start: Span, source: SourceTree
) -> Iterator[tuple[ast.Call, ast.FunctionDef, Module, SourceTree]]:
    """The calls by which code that starts a process reads an end: itself, or by a method of the object that it calls or
    goes through; each with the function around it."""
    span, module = (Span(0, len(source.text)) if "." in name else frame.function.span), frame.module
    methods = {each.name: each for each in channel.node.body if isinstance(each, ast.FunctionDef)}
    for function in (each for each in source.nodes_within(span) if isinstance(each, ast.FunctionDef)):
        is_home = source.span(function).end == frame.function.span.end
        for node in ast.walk(function):
            if not isinstance(node, ast.expr) or (is_home and source.span(node).start < start.end):
                continue
            match node:
                case ast.Call(func=ast.Attribute(value=base, attr=method)) if ast.unparse(base) == f"{name}.{reader}":
                    if method in PIPE_READS:
                        yield node, function, module, source
                    continue
                case ast.Call(func=ast.Attribute(value=base, attr=method)) if ast.unparse(base) == name:
                    called = methods.get(method)
                case ast.Name() | ast.Attribute() if ast.unparse(node) == name and _is_gone_through(node, function):
                    called = methods.get(_ITERATES)
                case _:
                    continue
            for each in ast.walk(called) if called is not None else ():
                match each:
                    case ast.Call(func=ast.Attribute(value=base, attr=attr)) if attr in PIPE_READS:
                        if called is not None and ast.unparse(base) == f"self.{reader}":
                            yield each, called, channel.module, channel.source
                    case _:
                        pass


def _is_gone_through(node: ast.expr, function: ast.FunctionDef) -> bool:
    """Whether a function goes through all that an object gives."""
    for each in ast.walk(function):
        match each:
            case ast.For(iter=value) | ast.comprehension(iter=value) | ast.YieldFrom(value=value) if value is node:
                return True
            case ast.Call(func=ast.Name(id="list" | "sorted" | "tuple" | "set"), args=[value]) if value is node:
                return True
            case _:
                pass
    return False


def _goes_to_the_end(
    read: ast.Call, function: ast.FunctionDef, module: Module, source: SourceTree, channel: Channel, linker: Linker
) -> bool:
    """Whether a read is repeated until the end of the pipe. Of a generator, nothing must be seen that takes only the
    first of what it gives."""
    span = source.span(function)
    if not is_read_to_the_end(source.span(read), span, module):
        return False
    if not any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function)):
        return True
    others = (each.code for each in linker.modules if each is not module and channel.node.name in each.code)
    texts = (module.code[: span.start], module.code[span.end :], *others)
    return not any(LEAVES_EARLY.search(text) for text in texts)
