"""Pipes that never end for the main process which reads them, because it has the end that it gave to a worker open
itself.

Measured with CPython 3.11, under fork, spawn and forkserver: the loop waits for ever whether the worker closes its end
or not, and whether the pipe is duplex or not. It ends where the main process has closed the end, or no longer has a
name for it: a started process has dropped its `args`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.waiting.pipe_pairs import ends_of_pair, pair_made
from lintpickle.analyses.waiting.pipes_kept_open import PIPE_END, PIPE_READS, is_read_to_the_end
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Call
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import ExternalResult, Frame, Site
from lintpickle.parsing.syntax import FUNCTIONS, INNER_SCOPES, dotted
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

MAY_CLOSE = re.compile(r"\b(?:Thread|Timer|ThreadPool\w*|signal|asyncio|gevent)\b|\bos\.close\(|\bset_inheritable\b")
"""What stands in code that may close an end while somebody waits, or without its name."""
LEAVES_EARLY = re.compile(r"\bnext\(|\bislice\b|\bzip\(|\btakewhile\b|\bbreak\b")
"""What stands in code that may not go through all that a generator gives."""
_EOF = "EOFError"
_ASKS = re.compile(r"\.(?:poll|is_alive|terminate|kill)\(|\.sentinel\b|\bwait\(")
_MADE_AND_UNPACKED = 2
_LAST = frozenset({"__exit__", "__aexit__", "__del__"})
"""The methods of an object behind which nobody reads."""


class PipeKeptByMain(Struct, frozen=True):
    """Where the main process reads until the end of a pipe, in what function, where the pipe is made, and the name of
    the other end, which it gives to a worker and keeps. `is_once`: it reads once, and catches the error by which a pipe
    ends that a worker has left early."""

    function: str
    read: Site
    made: Site
    given: Site
    writer: str
    is_once: bool = False


def pipes_kept_by_main(code: WorkerCode, linker: Linker) -> Iterator[PipeKeptByMain]:
    """The pipes of which a process is given an end that the main process still has when it reads the other one until
    EOFError: both are names of the function that starts the process, or attributes of one object."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or not boundary.frame.module.first_party:
        return
    module = boundary.frame.module
    if not any(f"{name}(" in module.code for name in PIPE_READS) or module.has(MAY_CLOSE):
        return
    for crossing in linker.shipped_by(boundary):
        match crossing.value:
            case ExternalResult(path=path, call=Call() as pipe, frame=Frame() as home) if path == PIPE_END:
                found = _kept(pipe, home, boundary.call.span, linker) if home.module is module else None
            case _:
                continue
        if found is not None and not is_run_by_workers(found.read, linker):
            yield found
            return


def _kept(pipe: Call, home: Frame, start: Span, linker: Linker) -> PipeKeptByMain | None:
    source = source_tree(home.module.code)
    pair = pair_made(pipe, home)
    ends = _ends(pipe, pair, home, source) if source is not None else []
    if source is None or len(ends) != 2:
        return None
    given = {ast.unparse(each) for each in source.nodes_within(start) if isinstance(each, ast.Name | ast.Attribute)}
    if pair is not None and (pair not in given or not _is_only_unpacked(pair, start, home, source)):
        return None
    for reader, writer in (ends, ends[::-1]):
        if writer not in given and pair is None:
            continue
        find = _read_by_name if writer.isidentifier() else _read_by_attribute
        for read in find(reader, writer, start, home, source):
            is_once = _awaits_the_end(read, source)
            if not (is_once or _goes_to_the_end(read, home, source, linker)):
                continue
            if _is_used_elsewhere(writer, home, linker):
                continue
            place, made = Site(home.module, source.span(read.call)), Site(home.module, pipe.span)
            name = read.known_as if isinstance(read.function, ast.Module) else read.function.name
            return PipeKeptByMain(name, place, made, Site(home.module, start), writer, is_once)
    return None


class _Read(Struct, frozen=True):
    """A call that reads a pipe, the function in which it stands, and the name by which others come to that: its own,
    or that of its class."""

    call: ast.Call
    function: ast.FunctionDef | ast.Module
    known_as: str


def _ends(pipe: Call, pair: str | None, home: Frame, source: SourceTree) -> list[str]:
    """The two names or attributes of `self` to which the ends of a pipe are assigned, as they are written; or to which
    variables the pair of both is unpacked."""
    for node in source.nodes_within(home.function.span):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=[first, second])], value=value):
                written = [ast.unparse(first), ast.unparse(second)]
                is_named = all(re.fullmatch(r"(?:self\.)?\w+", each) for each in written)
                if is_named and source.span(value) == pipe.span:
                    return written if len({each.count(".") for each in written}) == 1 else []
            case _:
                pass
    unpacked = [*ends_of_pair(pair, home.function.span, source)] if pair is not None else []
    return unpacked[0] if len(unpacked) == 1 and all(each.isidentifier() for each in unpacked[0]) else []


def _is_only_unpacked(pair: str, start: Span, home: Frame, source: SourceTree) -> bool:
    """Whether a function does nothing with both ends of a pipe but make them, give them to a process, and unpack them
    once."""
    nodes = [
        each
        for each in source.nodes_within(home.function.span)
        if isinstance(each, ast.Name | ast.Attribute) and dotted(each) == pair
    ]
    outside = [each for each in nodes if not start.start <= source.span(each).start < start.end]
    return pair.isidentifier() and not home.function.is_module_body and len(outside) == _MADE_AND_UNPACKED


def _read_by_name(reader: str, writer: str, start: Span, home: Frame, source: SourceTree) -> Iterator[_Read]:
    """Where the function that starts the process reads one end, or a function that it calls with it, and has used the
    other one before only to start processes."""
    here = source.tree if home.function.is_module_body else _function(home.function.span, source)
    if here is None or (isinstance(here, ast.Module) and any(_names_free(each, writer) for each in ast.walk(here))):
        return
    own = [*_in_scope(here)]
    named = own if isinstance(here, ast.Module) else [*ast.walk(here)]
    names = [each for each in named if isinstance(each, ast.Name)]
    stored = [each.id for each in names if isinstance(each.ctx, ast.Store)]
    if stored.count(reader) != 1 or stored.count(writer) != 1:
        return
    starting = {id(node) for call in own if _starts_a_process(call) for node in ast.walk(call)}
    used = [each for each in names if each.id == writer and not isinstance(each.ctx, ast.Store)]
    first_use = min(
        (source.span(each).start for each in used if id(each) not in starting), default=home.function.span.end
    )
    if isinstance(here, ast.FunctionDef) and home.function.decorated_by("contextmanager"):
        yield from _reads_inside(reader, here, first_use, source)
    for node in (each for each in own if isinstance(each, ast.Call) and source.span(each).start > start.end):
        loop = next((each for each in own if isinstance(each, ast.While) and node in ast.walk(each)), node)
        if source.span(loop).end <= first_use:
            yield from (
                [_Read(node, here, home.function.name)]
                if _reads(node, reader)
                else _reads_of_callee(node, reader, source)
            )


def _reads_inside(reader: str, manager: ast.FunctionDef, first_use: int, source: SourceTree) -> Iterator[_Read]:
    """Where functions of the module read an end that a context manager gives them, which has the other one meanwhile:
    it does nothing with that before its `yield`."""
    given = [each for each in ast.walk(manager) if isinstance(each, ast.Yield)]
    if len(given) != 1 or given[0].value is None or source.span(given[0]).start > first_use:
        return
    if ast.unparse(given[0].value) != reader:
        return
    functions = [each for each in source.nodes if isinstance(each, ast.FunctionDef)]
    for function in functions:
        for block in (each for each in _in_scope(function) if isinstance(each, ast.With)):
            match block.items:
                case [ast.withitem(context_expr=ast.Call(func=ast.Name(id=name)), optional_vars=ast.Name(id=end))]:
                    calls = [each for each in ast.walk(block) if isinstance(each, ast.Call)]
                case _:
                    continue
            for call in calls if name == manager.name else ():
                if _reads(call, end):
                    yield _Read(call, function, function.name)
                else:
                    yield from _reads_of_callee(call, end, source)


def _reads_of_callee(call: ast.Call, reader: str, source: SourceTree) -> Iterator[_Read]:
    """Where a function of the module reads an end that it is given."""
    given = [ast.unparse(each) for each in call.args]
    for each in source.tree.body if isinstance(call.func, ast.Name) and given.count(reader) == 1 else ():
        if isinstance(each, ast.FunctionDef) and each.name == ast.unparse(call.func):
            parameters = [argument.arg for argument in each.args.args]
            name = dict(zip(given, parameters, strict=False)).get(reader)
            yield from (
                _Read(node, each, each.name) for node in _calls(each) if name is not None and _reads(node, name)
            )


def _read_by_attribute(reader: str, writer: str, start: Span, home: Frame, source: SourceTree) -> Iterator[_Read]:
    """Where a method of the object that starts the process reads one end, if the module uses the other one only to
    start processes, and behind all that is read."""
    class_ = next(
        (
            each
            for each in source.nodes_within(Span(0, len(source.text)))
            if isinstance(each, ast.ClassDef) and any(_is_at(node, home.function.span, source) for node in each.body)
        ),
        None,
    )
    if class_ is None:
        return
    allowed = {id(node) for call in ast.walk(class_) if _starts_a_process(call) for node in ast.walk(call)}
    for each in class_.body:
        if isinstance(each, ast.FunctionDef) and (each.name in _LAST or _closes(each, reader)):
            allowed |= {id(node) for node in ast.walk(each)}
    name = writer.removeprefix("self.")
    used = [each for each in source.nodes if isinstance(each, ast.Attribute) and each.attr == name]
    if sum(isinstance(each.ctx, ast.Store) for each in used) != 1:
        return
    if all(id(each) in allowed or isinstance(each.ctx, ast.Store) for each in used):
        for method in (each for each in class_.body if isinstance(each, ast.FunctionDef)):
            yield from (_Read(node, method, class_.name) for node in _calls(method) if _reads(node, reader))


def _goes_to_the_end(read: _Read, home: Frame, source: SourceTree, linker: Linker) -> bool:
    """Whether a read is repeated until the end of the pipe. Of a generator, nothing must be seen that takes only the
    first of what it gives."""
    is_body = isinstance(read.function, ast.Module)
    span = home.function.span if isinstance(read.function, ast.Module) else source.span(read.function)
    if not is_read_to_the_end(source.span(read.call), span, home.module):
        return False
    if is_body or not any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(read.function)):
        return True
    others = (each.code for each in linker.modules if each is not home.module and read.known_as in each.code)
    texts = (home.module.code[: span.start], home.module.code[span.end :], *others)
    return not any(LEAVES_EARLY.search(text) for text in texts)


def _awaits_the_end(read: _Read, source: SourceTree) -> bool:
    """Whether a read in no loop stands right in a `try` that catches EOFError by its name, and nothing is seen to ask
    before whether there is something to read, or whether the worker lives."""
    place = source.span(read.call)
    nodes = [each for each in _in_scope(read.function) if isinstance(each, ast.stmt)]
    around = [each for each in nodes if source.span(each).contains(place)]
    if any(isinstance(each, ast.For | ast.While) for each in around) or _ASKS.search(ast.unparse(read.function)):
        return False
    tries = [each for each in around if isinstance(each, ast.Try)]
    inner = max(tries, key=lambda each: source.span(each).start, default=None)
    if inner is None or not any(source.span(each).contains(place) for each in inner.body):
        return False
    return any(_EOF in ast.unparse(each.type) for each in inner.handlers if each.type is not None)


def _is_used_elsewhere(writer: str, home: Frame, linker: Linker) -> bool:
    """Whether another module names the attribute that holds an end."""
    if writer.isidentifier():
        return False
    form = re.compile(rf"\.\s*{writer.removeprefix('self.')}\b")
    return any(each is not home.module and form.search(each.code) is not None for each in linker.modules)


def is_run_by_workers(read: Site, linker: Linker) -> bool:
    """Whether a place stands in a function that workers run."""
    return any(each.function_around(read) is not None for each in linker.worker_codes())


def _function(span: Span, source: SourceTree) -> ast.FunctionDef | None:
    for node in source.nodes_within(span):
        if isinstance(node, ast.FunctionDef) and _is_at(node, span, source):
            return node
    return None


def _is_at(node: ast.AST, span: Span, source: SourceTree) -> bool:
    return (
        isinstance(node, ast.FunctionDef)
        and span.start <= source.span(node).start
        and source.span(node).end == span.end
    )


def _names_free(node: ast.AST, name: str) -> bool:
    """Whether a function names a variable of the module."""
    if not isinstance(node, FUNCTIONS):
        return False
    inner = [each for each in ast.walk(node) if isinstance(each, ast.Name | ast.arg)]
    bound = [each for each in inner if isinstance(each, ast.arg) or isinstance(each.ctx, ast.Store)]
    is_bound = any((each.arg if isinstance(each, ast.arg) else each.id) == name for each in bound)
    is_global = any(isinstance(each, ast.Global) and name in each.names for each in ast.walk(node))
    return is_global or (not is_bound and any(isinstance(each, ast.Name) and each.id == name for each in inner))


def _in_scope(function: ast.FunctionDef | ast.Module) -> Iterator[ast.AST]:
    """What a function consists of, but for the functions and classes that it defines."""
    stack: list[ast.AST] = [*function.body]
    while stack:
        node = stack.pop()
        if not isinstance(node, INNER_SCOPES):
            yield node
            stack += ast.iter_child_nodes(node)


def _calls(function: ast.FunctionDef) -> Iterator[ast.Call]:
    return (each for each in _in_scope(function) if isinstance(each, ast.Call))


def _reads(call: ast.Call, reader: str) -> bool:
    function = call.func
    return isinstance(function, ast.Attribute) and function.attr in PIPE_READS and ast.unparse(function.value) == reader


def _closes(function: ast.FunctionDef, end: str) -> bool:
    return any(ast.unparse(each.func) == f"{end}.close" for each in _calls(function))


def _starts_a_process(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and any(each.arg == "target" for each in node.keywords)
